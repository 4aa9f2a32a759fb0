//! The calendar-dated versions of response shapes (specification, "Versioning").
//!
//! Not here: which version is the default today; a service decides that, and may retire one.

use std::fmt;
use std::str::FromStr;

/// The name of the version header unless a deployment brands it (contract, introduction).
pub const DEFAULT_VERSION_HEADER: &str = "Service-Version";

/// A supported version, oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// `2026-04-12`: the legacy shapes; the default while it is supported.
    Legacy,
    /// `2026-05-01`: the canonical shapes, the newest.
    Canonical,
}

impl Version {
    /// All versions, oldest first.
    pub const ALL: [Self; 2] = [Self::Legacy, Self::Canonical];

    /// The header's value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Legacy => "2026-04-12",
            Self::Canonical => "2026-05-01",
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text names no version that this build knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a supported version")]
pub struct UnknownVersion;

impl FromStr for Version {
    type Err = UnknownVersion;

    fn from_str(text: &str) -> Result<Self, UnknownVersion> {
        Self::ALL.into_iter().find(|version| version.as_str() == text).ok_or(UnknownVersion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_reads_back_from_its_text_and_nothing_else_is_one() {
        let check = |version: Version, text: &str| {
            assert_eq!((version.as_str(), version.to_string().as_str()), (text, text));
            assert_eq!(text.parse(), Ok(version));
        };
        check(Version::Legacy, "2026-04-12");
        check(Version::Canonical, "2026-05-01");
        for wrong in ["", "2026-05-02", "2026-05-01 ", "latest"] {
            assert_eq!(wrong.parse::<Version>(), Err(UnknownVersion), "{wrong}");
        }
    }
}
