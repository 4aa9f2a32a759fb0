//! What breaks between a client and a service: easel-client, and the queue above it, against the real studio through a
//! proxy that drops, cuts, holds back and invents answers.
//!
//! Always asked at the end, of the service itself and not through the proxy: what is in the drive now.

#[cfg(test)]
mod cut_connections;
#[cfg(test)]
mod lost_answers;
#[cfg(test)]
mod lost_changes;
#[cfg(test)]
mod queue;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod rig;
#[cfg(test)]
mod synced;
