//! What requests and answers have in common, whatever they are about: how a connection gets in, how parameters, bodies
//! and pages are read and written, how bytes are served.
//!
//! Not here: which routes there are ([`crate::routes`]), and what is true of every request to them.

pub mod acceptor;
pub mod connection_limiter;
pub mod content;
pub mod extract;
pub mod list;
pub mod origin;
pub mod signed_urls;
pub mod spool;
