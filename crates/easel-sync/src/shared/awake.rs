//! Keeps the computer awake while files move, where the system lets a program ask for that.
//!
//! On Linux logind inhibits sleep (over D-Bus), on macOS a power assertion, on Windows the execution state. Always
//! true: no caller waits for the system, because it is asked on a thread of its own; closing the lid still sends a
//! laptop to sleep; when nothing has moved for a while, or the program ends, the computer may sleep. Not here: whether
//! files move, which the owner says.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Between two files the computer stays awake for this long.
const LINGER: Duration = Duration::from_secs(10);

/// Whether the computer is kept awake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inhibition {
    /// Nobody wants it to be kept awake.
    No,
    /// It is kept awake.
    Yes,
    /// It should be kept awake, and the system does not do it.
    Impossible {
        /// What the system said.
        detail: String,
    },
}

/// See the module. One for a program is enough.
#[derive(Debug)]
pub struct Awake {
    requests: Sender<bool>,
    kept: Arc<Mutex<Inhibition>>,
}

impl Awake {
    /// `program` and `reason` are shown to a person who asks the system what keeps it awake.
    #[must_use]
    pub fn new(program: &str, reason: &str) -> Self {
        Self::with(program, reason, LINGER)
    }

    fn with(program: &str, reason: &str, linger: Duration) -> Self {
        let (requests, heard) = channel();
        let kept = Arc::new(Mutex::new(Inhibition::No));
        let (program, reason, shown) = (program.to_owned(), reason.to_owned(), Arc::clone(&kept));
        let keep = move || keep(&program, &reason);
        let spawned = std::thread::Builder::new()
            .name("keep awake".to_owned())
            .spawn(move || serve(&heard, linger, &shown, keep));
        if let Err(error) = spawned {
            *kept.lock().unwrap_or_else(PoisonError::into_inner) = Inhibition::Impossible { detail: error.to_string() };
        }
        Self { requests, kept }
    }

    /// Says whether files are moving. Returns at once; repeating it does nothing.
    pub fn want(&self, is_wanted: bool) {
        // Where the thread could not be started, `kept` says so.
        let _ = self.requests.send(is_wanted);
    }

    /// Whether the computer is kept awake, as far as is known by now.
    #[must_use]
    pub fn kept(&self) -> Inhibition {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Inhibits sleep until the answer is dropped.
#[cfg(target_os = "linux")]
fn keep(program: &str, reason: &str) -> zbus::Result<zbus::zvariant::OwnedFd> {
    const MANAGER: &str = "org.freedesktop.login1.Manager";
    let bus = zbus::blocking::Connection::system()?;
    let asked = ("idle:sleep", program, reason, "block");
    let answer =
        bus.call_method(Some("org.freedesktop.login1"), "/org/freedesktop/login1", Some(MANAGER), "Inhibit", &asked)?;
    answer.body().deserialize()
}

/// Inhibits sleep until the answer is dropped.
#[cfg(not(target_os = "linux"))]
fn keep(program: &str, reason: &str) -> keepawake::Result<keepawake::KeepAwake> {
    keepawake::Builder::default().idle(true).sleep(true).app_name(program).reason(reason).create()
}

/// Carries out requests until their sender is gone. The inhibition belongs to this thread alone, because Windows counts
/// it by thread.
fn serve<T, E: std::fmt::Display>(
    requests: &Receiver<bool>,
    linger: Duration,
    shown: &Mutex<Inhibition>,
    keep: impl Fn() -> Result<T, E>,
) {
    let mut held = None;
    let mut is_wanted = false;
    loop {
        let request = if is_wanted || held.is_none() {
            requests.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            requests.recv_timeout(linger)
        };
        let kept = match request {
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                held = None;
                Inhibition::No
            }
            Ok(wanted) if wanted == is_wanted => continue,
            Ok(false) => {
                is_wanted = false;
                if held.is_some() { Inhibition::Yes } else { Inhibition::No }
            }
            Ok(true) => {
                is_wanted = true;
                match held.take().map_or_else(&keep, Ok) {
                    Ok(keeper) => {
                        held = Some(keeper);
                        Inhibition::Yes
                    }
                    Err(error) => {
                        tracing::info!(%error, "the computer cannot be kept awake");
                        Inhibition::Impossible { detail: error.to_string() }
                    }
                }
            }
        };
        *shown.lock().unwrap_or_else(PoisonError::into_inner) = kept;
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
