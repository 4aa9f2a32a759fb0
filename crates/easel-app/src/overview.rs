//! The first thing that the page asks for: everything that it needs to draw its first screen.
//!
//! Always true: it is answered from memory and the journal; no service is waited for.

use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::connections::ConnectionView;
use crate::problem::Problem;
use crate::settings::Settings;
use crate::uploads::TransfersSummary;

/// What the program knows when the page asks. What is not known yet comes by event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct Overview {
    /// Easel's version.
    pub app_version: String,
    /// All connections, in the order in which they were made. None: show Welcome.
    pub connections: Vec<ConnectionView>,
    /// The connection in view.
    pub selected_connection_id: Option<String>,
    /// The transfers of the connection in view, in figures.
    pub transfers: Option<TransfersSummary>,
    /// What the person has set.
    pub settings: Settings,
}

impl App {
    /// What the first screen needs.
    ///
    /// # Errors
    /// `data_unreadable`, `disk_full` as long as Easel's own folder cannot be opened; it is tried again each time.
    pub async fn get_overview(&self) -> Result<Overview, Problem> {
        self.ensure_open()?;
        Ok(Overview {
            app_version: env!("CARGO_PKG_VERSION").to_owned(),
            connections: self.view_connections(),
            selected_connection_id: self.connections().file.selected(),
            transfers: self.transfers_in_view().await,
            settings: self.settings().get(),
        })
    }
}
