//! Where the figures of every bench are written.

pub use easel_tests::figures::{Target, median, percentile_99, seconds, write, write_plain};
