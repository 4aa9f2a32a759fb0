//! The overview: the data for the page's first screen, which it asks for first.
//!
//! Always true: it is answered from memory and the journal; no service is waited for.

use serde::{Deserialize, Serialize};

use crate::connections::views::ConnectionView;
use crate::settings::{Language, Settings};
use crate::uploads::views::TransfersSummary;

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
    /// The system's language, as far as Easel speaks it: the page has no better way to know it than the program.
    pub system_language: Language,
}
