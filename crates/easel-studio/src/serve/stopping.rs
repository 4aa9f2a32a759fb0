//! When the studio stops: at a signal, or when standard input has ended.
//!
//! Always true: requests under way get their time, which is bounded. Not here: what is written down afterwards.

use std::io::Read;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

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
/// its lines seat writers, where there is a desk.
pub(super) fn watch_stdin(desk: Option<Arc<WriterSlot>>) -> oneshot::Receiver<()> {
    let (ended, wait) = oneshot::channel();
    std::thread::spawn(move || {
        let mut stdin = std::io::stdin().lock();
        if let Some(desk) = &desk {
            writer::listen(&mut stdin, desk);
        }
        let mut buffer = [0_u8; 256];
        while stdin.read(&mut buffer).is_ok_and(|read| read > 0) {}
        let _ = ended.send(());
    });
    wait
}

/// Stops both listeners at a signal or when standard input has ended.
pub(super) fn stop_when_told(
    handle: Handle<SocketAddr>,
    told: CancellationToken,
    abandoned: Option<oneshot::Receiver<()>>,
) -> Result<impl Future<Output = ()> + Send, Error> {
    #[cfg(unix)]
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    Ok(async move {
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
        let grace = tokio::select! {
            _ = terminated => GRACE,
            _ = tokio::signal::ctrl_c() => GRACE,
            () = abandoned => GRACE_WHEN_ABANDONED,
        };
        tracing::info!("stopping");
        told.cancel();
        handle.graceful_shutdown(Some(grace));
    })
}
