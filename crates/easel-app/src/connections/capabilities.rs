//! Keeps what is found out of a service, until another key or another service makes it void.
//!
//! Always true: what an earlier run found out is known to the client before anything is asked. Not here: how it is
//! shown (`service`).

use std::sync::Arc;
use std::time::Duration;

use easel_client::Capabilities;

use super::active_connection::{ActiveConnection, ProbeReason, Session};
use super::record::Record;
use super::views::ConnectionView;
use super::{Connections, unknown};
use crate::events::{ConnectionChanged, Event};
use crate::problem::Problem;

impl Connections {
    /// Forgets what was found out about the service of a connection, so that everything is tried again, and looks at
    /// once.
    ///
    /// # Errors
    /// `connection_unknown`, `data_unwritable`.
    pub async fn forget_capabilities(&self, connection_id: String) -> Result<ConnectionView, Problem> {
        let connection = self.find(&connection_id).ok_or_else(unknown)?;
        if let Some(session) = connection.session() {
            session.client.forget_capabilities();
        }
        self.keep_capabilities(&connection, Capabilities::default()).map_err(|error| self.core.unwritable(&error))?;
        self.look_at(&connection, ProbeReason::Asked).await;
        Ok(self.view_connection(&connection))
    }

    /// Takes over the findings of an earlier run, and saves new ones, until the session has another client.
    pub(super) fn follow_capabilities(&self, connection: &Arc<ActiveConnection>, session: &Session, record: &Record) {
        let client = &session.client;
        client.restore_capabilities(record.capabilities.clone());
        let mut learned = client.watch_capabilities();
        // What trying the connection has shown already is news for the record.
        learned.mark_changed();
        let cancel = connection.begin_learning();
        let (connections, connection) = (self.clone(), Arc::clone(connection));
        self.core.supervisor().spawn(async move {
            let following = async {
                while learned.changed().await.is_ok() {
                    tokio::time::sleep(GATHERED).await;
                    let known = learned.borrow_and_update().clone();
                    match connections.keep_capabilities(&connection, known) {
                        Ok(true) => connections.core.emit(Event::ConnectionChanged(ConnectionChanged {
                            connection: Box::new(connections.view_connection(&connection)),
                        })),
                        Ok(false) => {}
                        Err(error) => tracing::warn!(%error, "what a service can do could not be noted"),
                    }
                }
            };
            cancel.run_until_cancelled(following).await;
        });
    }

    /// Keeps what is known of a service, and says whether that is something else than before.
    fn keep_capabilities(&self, connection: &ActiveConnection, capabilities: Capabilities) -> std::io::Result<bool> {
        self.file().update(&connection.id, |record| record.capabilities = capabilities)
    }
}

/// How long findings are gathered before they are kept: the first minute with a service brings many.
const GATHERED: Duration = Duration::from_millis(500);
