//! How long a test goes on, and from which seed: by default short, long if `cargo xtask soak` or a person says so.

use std::time::Duration;

/// The number in a variable of the environment, where there is one.
///
/// # Panics
/// Where it holds something else: a long run that turns out to be a short one shows nothing.
#[must_use]
pub fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is no number: {text}")))
}

/// The seed of this run, printed so that it can be replayed: `EASEL_SEED`, or a new one each time.
#[must_use]
pub fn seed() -> u64 {
    let seed = number("EASEL_SEED").unwrap_or(u64::from(std::process::id()));
    eprintln!("replay with EASEL_SEED={seed}");
    seed
}

/// How long it goes on: `EASEL_SOAK_SECONDS`, or `short`.
#[must_use]
pub fn duration(short: Duration) -> Duration {
    number("EASEL_SOAK_SECONDS").map_or(short, Duration::from_secs)
}
