//! What a stranger is started with.

use crate::clock::Clock;
use crate::switches::Switches;

/// The size in bytes above which [`crate::Switch::SizesRefusedUnannounced`] refuses a file: more than any multipart
/// body holds, so that storage has taken the bytes when register refuses.
pub const UNANNOUNCED_BYTES: u64 = 48 * 1024 * 1024;

/// The media types that are accepted where others are refused: PNG, JPEG, WebP, PDF and PPTX.
pub const ACCEPTED_MEDIA_TYPES: [&str; 5] = [
    "image/png",
    "image/jpeg",
    "image/webp",
    "application/pdf",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
];

/// What a stranger is started with.
#[derive(Debug, Clone)]
pub struct Config {
    /// What it decides otherwise.
    pub switches: Switches,
    /// What time it is there.
    pub clock: Clock,
    /// The name of the version header.
    pub version_header: String,
    /// Requests a minute and key, 120 where nothing else is said (specification, Limits); `None` for no limit, which
    /// `whoami` then calls 60,000.
    pub requests_per_minute: Option<u32>,
    /// Bytes that a file may have, where [`crate::Switch::FileLimitSmall`] does not say less.
    pub max_file_bytes: u64,
    /// The port on loopback; 0 for one that the system chooses.
    pub port: u16,
}

impl Config {
    /// The system's clock, the specification's numbers, a port that the system chooses.
    #[must_use]
    pub fn new(switches: Switches) -> Self {
        Self {
            switches,
            clock: Clock::system(),
            version_header: "Service-Version".to_owned(),
            requests_per_minute: Some(120),
            max_file_bytes: 250_000_000,
            port: 0,
        }
    }
}
