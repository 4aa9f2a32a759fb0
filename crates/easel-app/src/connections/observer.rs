//! Who hears of connections that come and go.
//!
//! Always true: what is told has been done when the call returns, so that an answer that waits for it comes after; a connection
//! is told of as removed after everything about it has ended. Not here: what is done about
//! it ([`crate::app`]).

use std::sync::Arc;

use super::live::{Live, Session};

/// Hears of connections that come and go.
pub(crate) trait ConnectionObserver: Send + Sync {
    /// A connection was taken up. It may have no session yet.
    fn begun(&self, live: &Arc<Live>);

    /// A connection has its session, whose queue and folders move from now on. Told once a connection: another address or key
    /// changes the client of the same queue.
    fn opened(&self, live: &Arc<Live>, session: &Session);

    /// A connection is gone, and all that it did has ended.
    fn removed(&self, connection_id: &str);

    /// A person chose a service at an address, which is about to be saved.
    fn service_chosen(&self);

    /// The built-in studio was set up for the first time, and is in view.
    fn studio_set_up(&self, connection_id: &str);
}
