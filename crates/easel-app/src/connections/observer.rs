//! Observes connections that come and go.
//!
//! Always true: when a call returns, its consequences are carried out, so that an answer that waits for it comes after
//! them; a connection is told as removed after everything that belongs to it has ended. Not here: the consequences
//! ([`crate::app`]).

use std::sync::Arc;

use super::active_connection::{ActiveConnection, Session};

/// Is told of connections that come and go.
pub(crate) trait ConnectionObserver: Send + Sync {
    /// A connection was taken up. It may have no session yet.
    fn begun(&self, connection: &Arc<ActiveConnection>);

    /// A connection has a session now, with its queue and its folders. Told once a connection: another address or key
    /// only changes the client of the same queue.
    fn opened(&self, connection: &Arc<ActiveConnection>, session: &Session);

    /// A connection is gone, and all that it did has ended.
    fn removed(&self, connection_id: &str);

    /// A person chose a service at an address, which is about to be saved.
    fn service_chosen(&self);

    /// The built-in studio was set up for the first time, and is in view.
    fn studio_set_up(&self, connection_id: &str);
}
