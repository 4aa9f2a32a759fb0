//! How long a client waits: for a connection, for an answer, for the next bytes.
//!
//! Not here: what happens when a limit is over, and when a request is repeated ([`crate::retry`]).

use std::time::Duration;

/// Time limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// For a connection to be made.
    pub connect: Duration,
    /// For the whole answer to an ordinary request.
    pub answer: Duration,
    /// For register, which hashes the whole blob (specification, signed-URL flow, rule 3).
    pub register: Duration,
    /// For the next bytes of a file to move, in either direction.
    pub silence: Duration,
    /// For the answer to an upload after its last byte was handed over: megabytes may still wait in buffers for a slow
    /// line, and storage has to make them durable. Shorter for a small file ([`Patience::after_last_byte`]).
    pub last_byte: Duration,
}

impl Patience {
    /// The slowest line that the end of an upload is still waited for, in bytes a second.
    const SLOWEST_BYTES_PER_SECOND: u64 = 16 * 1024;

    /// The limit for the answer to an upload of `size_bytes` after its last byte was handed over: that of any answer,
    /// plus the time that a slow line takes for bytes in buffers, which are no more than the file.
    #[must_use]
    pub fn after_last_byte(&self, size_bytes: u64) -> Duration {
        let underway_ms = size_bytes.saturating_mul(1_000) / Self::SLOWEST_BYTES_PER_SECOND;
        self.last_byte.min(self.answer.saturating_add(Duration::from_millis(underway_ms)))
    }
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            answer: Duration::from_secs(30),
            register: Duration::from_secs(600),
            silence: Duration::from_secs(90),
            last_byte: Duration::from_secs(300),
        }
    }
}
