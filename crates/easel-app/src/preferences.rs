//! Setting what a person sets: kept, and in force at once.
//!
//! Always true: a change is on disk before anything works by it; two changes at once come one after the other. Not
//! here: the settings themselves and their bounds ([`crate::settings`]).

use std::sync::{Arc, Mutex, PoisonError};

use crate::causes;
use crate::connections::Connections;
use crate::core::Core;
use crate::messages;
use crate::problem::Problem;
use crate::settings::Settings;
use crate::status_summary::StatusSummaries;

/// What the person has set. Clones are the same preferences.
#[derive(Clone)]
pub struct Preferences {
    core: Core,
    connections: Connections,
    status_summaries: StatusSummaries,
    /// Held from reading the present settings until the new ones are saved: else two changes at once would both compare
    /// with the settings before them.
    changing: Arc<Mutex<()>>,
}

impl Preferences {
    pub(crate) fn new(core: Core, connections: Connections, status_summaries: StatusSummaries) -> Self {
        Self { core, connections, status_summaries, changing: Arc::default() }
    }

    /// What the person has set.
    ///
    /// # Errors
    /// None; the page's commands all answer alike.
    pub async fn get_settings(&self) -> Result<Settings, Problem> {
        Ok(self.core.settings().get())
    }

    /// Keeps what the person has set; what lies out of bounds is brought to the nearest bound.
    ///
    /// # Errors
    /// `data_unwritable` where it cannot be kept; `login_not_set` where the system does not take it.
    pub async fn set_settings(&self, settings: Settings) -> Result<Settings, Problem> {
        let kept = self.change_settings(settings)?;
        self.status_summaries.say_again();
        for connection in self.connections.all() {
            if let Some(session) = connection.session() {
                self.connections.apply_settings(&session);
            }
        }
        Ok(kept)
    }

    fn change_settings(&self, settings: Settings) -> Result<Settings, Problem> {
        let _alone = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        if settings.starts_at_login != self.core.settings().get().starts_at_login {
            self.core.ports().desktop.set_starts_at_login(settings.starts_at_login).map_err(|error| {
                messages::problem("login_not_set", &[("reason", causes::io_reason(&error).as_str())])
            })?;
        }
        let kept = self.core.settings().set(self.core.data_dir(), settings);
        kept.map_err(|error| self.core.unwritable(&error))
    }
}
