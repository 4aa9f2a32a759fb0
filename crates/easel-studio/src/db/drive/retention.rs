//! How long, and in which number, the drive keeps what is no longer in use.
//!
//! Not here: when that time is over, which days on which the studio served decide too ([`crate::db::served_days`]).

use crate::core::clock::DAY_US;

/// How many days the trash keeps something.
pub const KEPT_DAYS: i64 = 30;

/// How long the trash keeps something, in microseconds.
pub const KEPT_US: i64 = KEPT_DAYS * DAY_US;

/// How many versions a file keeps, besides its content.
pub const MOST_VERSIONS: u32 = 20;
