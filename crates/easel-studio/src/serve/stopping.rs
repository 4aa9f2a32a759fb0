//! When the studio stops: at a signal, or when standard input has ended.
//!
//! Always true: requests under way get their time, which is bounded. Not here: what is written down afterwards.

use std::io::Read;
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use axum_server::Handle;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::core::error::Error;
use crate::writer::{self, WriterSlot};

/// How long requests under way may take after a signal to stop.
const GRACE: Duration = Duration::from_secs(8);

/// How long requests under way may take after the starting process has closed standard input: it is going away and
/// waits for nobody.
const GRACE_WHEN_ABANDONED: Duration = Duration::from_secs(1);

/// Resolves once standard input has ended. On a thread of its own, because reading it cannot be cancelled. Until then
/// its lines seat writers, where there is a slot for them.
pub(super) fn watch_stdin(writer_slot: Option<Arc<WriterSlot>>) -> oneshot::Receiver<()> {
    let (ended, wait) = oneshot::channel();
    std::thread::spawn(move || {
        let mut stdin = std::io::stdin().lock();
        if let Some(writer_slot) = &writer_slot {
            writer::listen(&mut stdin, writer_slot);
        }
        let mut buffer = [0_u8; 256];
        while stdin.read(&mut buffer).is_ok_and(|read| read > 0) {}
        let _ = ended.send(());
    });
    wait
}

/// Why the studio stops, and since when.
#[derive(Debug, Clone, Copy)]
pub(super) enum Told {
    /// A signal said so.
    BySignal(Instant),
    /// Whoever started it is going away, and waits for nobody.
    Abandoned,
}

/// Stops the listeners at a signal, after `linger`, or when standard input has ended; notes which it was.
pub(super) fn stop_when_told(
    handle: Handle<SocketAddr>,
    told: CancellationToken,
    linger: Duration,
    abandoned: Option<oneshot::Receiver<()>>,
) -> Result<(Arc<OnceLock<Told>>, impl Future<Output = ()> + Send), Error> {
    #[cfg(unix)]
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    let noted = Arc::new(OnceLock::new());
    let note = Arc::clone(&noted);
    Ok((noted, async move {
        #[cfg(unix)]
        let terminated = async { terminate.recv().await };
        #[cfg(not(unix))]
        let terminated = std::future::pending::<Option<()>>();
        let abandoned = async {
            match abandoned {
                Some(ended) => drop(ended.await),
                None => std::future::pending().await,
            }
        };
        let mut abandoned = std::pin::pin!(abandoned);
        let is_abandoned = tokio::select! {
            _ = terminated => false,
            _ = tokio::signal::ctrl_c() => false,
            () = &mut abandoned => true,
        };
        // Noted before anything ends because of it.
        let _ = note.set(if is_abandoned { Told::Abandoned } else { Told::BySignal(Instant::now()) });
        tracing::info!("stopping");
        told.cancel();
        if !is_abandoned {
            tokio::time::sleep(linger).await;
        }
        handle.graceful_shutdown(Some(if is_abandoned { GRACE_WHEN_ABANDONED } else { GRACE }));
    }))
}
