//! What an organization may do at most (specification, "Limits").
//!
//! Always true: zero is no limit where requests, exports and tasks are counted. Not here: where limits are stored
//! ([`crate::db::limits`]) and what holds without an override ([`crate::studio::config`]).

/// What holds for an organization in place of its plan's and the studio's limits. Zero is no limit, nothing no
/// override.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Requests a minute and key.
    pub requests_per_minute: Option<u32>,
    /// Exports a minute.
    pub exports_per_minute: Option<u32>,
    /// Tasks queued or running at once.
    pub concurrent_tasks: Option<u32>,
    /// The most bytes of files; zero is none at all.
    pub max_bytes: Option<u64>,
    /// The most files; zero is none at all.
    pub max_files: Option<u64>,
}

impl Overrides {
    /// Whether files or their bytes are limited.
    #[must_use]
    pub const fn have_quota(&self) -> bool {
        self.max_bytes.is_some() || self.max_files.is_some()
    }
}

/// The limits that hold for an organization; zero for none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Requests a minute and key.
    pub requests_per_minute: u32,
    /// Exports a minute.
    pub exports_per_minute: u32,
    /// Tasks queued or running at once.
    pub concurrent_tasks: u32,
}
