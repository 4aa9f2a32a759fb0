//! The bottom of the studio, which knows no noun of the service: errors, the clock and ids, names and secrets, the
//! caller and the limits, and the means that several nouns share.
//!
//! Not here: anything that knows a table, a route or a content.

pub mod caller;
pub mod clock;
pub mod counts;
pub mod detached;
pub mod error;
pub mod limits;
pub mod names;
pub mod page;
pub mod private_files;
pub mod rate;
pub mod room;
pub mod secrets;
pub mod turns;
