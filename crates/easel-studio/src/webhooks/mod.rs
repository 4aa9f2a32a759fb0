//! Webhooks: the end of a task is told to its callback address (specification, "Events"; contract, "Webhooks").
//!
//! Always true: a delivery is stored in the transaction that ends its task, so neither is without the other; it is
//! tried until a receiver took it or three attempts failed, over restarts too, and carries the same event and the same
//! body each time. The log keeps every attempt for 90 days. Not here: SQL, and the way out ([`crate::outbound`]).

mod deliver;
mod enqueue;
mod log;
mod redeliver;
mod shares;
mod upkeep;

pub use deliver::{deliver, take_back};
pub use enqueue::enqueue;
pub use log::{get_delivery, list_deliveries};
pub use redeliver::redeliver;
pub use upkeep::forget_old;

#[cfg(test)]
mod tests;
