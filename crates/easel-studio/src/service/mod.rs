//! The service itself over HTTP: whether it is up, whether it can do its work, and its metrics.

mod health;
mod metrics;
mod readiness;

pub use health::get_health;
pub use metrics::get_metrics;
pub use readiness::get_readiness;
