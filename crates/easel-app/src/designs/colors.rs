//! The colours of a design, and choosing others.
//!
//! Always true: whether a service has colours is known from its answers; a change is meant for the drawing that the
//! person saw, which becomes a version. Not here: changes by a prompt (`describe`), and how words stay readable, which
//! the service sees to.

use easel_client::{Error as ClientError, Feature};
use easel_wire::colors::{CanvasColors, ChangeColors, ColorChange, ColorRole};
use serde::{Deserialize, Serialize};

use super::views::DesignView;
use super::{Designs, read_design};
use crate::connections::active_connection::ActiveConnection;
use crate::drive::news::tell_drive;
use crate::problem::Problem;

/// What a colour of a design is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum DesignColorRole {
    /// What pages stand on.
    Ground,
    /// Shapes that draw the eye.
    Accent,
    /// A second colour for shapes.
    Second,
}

/// A colour of a design.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DesignColor {
    /// What it is for.
    pub role: DesignColorRole,
    /// `#rrggbb`, as it is drawn.
    pub color: String,
    /// `#rrggbb`, as somebody chose it; `null` while it is the design's own.
    pub chosen: Option<String>,
}

/// The colours of a design.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct DesignColors {
    /// The connection that was asked.
    pub connection_id: String,
    /// The design.
    pub design: DesignView,
    /// Which drawing they are of; a change names it.
    pub revision: String,
    /// Those that can be chosen.
    pub colors: Vec<DesignColor>,
}

/// Another colour in place of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DesignColorChange {
    /// Which one.
    pub role: DesignColorRole,
    /// `#rrggbb`; `null`: the design's own again.
    pub color: Option<String>,
}

impl Designs {
    /// The colours of a design.
    ///
    /// # Errors
    /// `not_offered` where the service does not tell them, `canvas_not_found`, what the connection's state says, or
    /// what the service answers.
    pub async fn list_design_colors(&self, design_id: String) -> Result<DesignColors, Problem> {
        let id = read_design(&design_id)?;
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let colors = client.list_colors(id).await.map_err(|error| self.note_colors_error(&connection, &error))?;
        self.connections.note_answer(&connection);
        Ok(self.view_colors(&connection, colors))
    }

    /// Draws a design in other colours. The design has a new version then.
    ///
    /// # Errors
    /// As [`Self::list_design_colors`]; `canvas_changed` where the design is another than `revision` by now,
    /// `canvas_active_job`.
    pub async fn change_design_colors(
        &self,
        design_id: String,
        revision: String,
        changes: Vec<DesignColorChange>,
    ) -> Result<DesignColors, Problem> {
        let id = read_design(&design_id)?;
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let change = |change: DesignColorChange| ColorChange {
            role: match change.role {
                DesignColorRole::Ground => ColorRole::Ground,
                DesignColorRole::Accent => ColorRole::Accent,
                DesignColorRole::Second => ColorRole::Second,
            },
            color: change.color,
        };
        let asked = ChangeColors { revision, changes: changes.into_iter().map(change).collect() };
        let colors = client.change_colors(id, &asked).await;
        let colors = colors.map_err(|error| self.note_colors_error(&connection, &error))?;
        self.connections.note_answer(&connection);
        tell_drive(&self.core, &connection, [colors.canvas.folder_id]);
        self.tell_designs(&connection, [id]);
        Ok(self.view_colors(&connection, colors))
    }

    fn note_colors_error(&self, connection: &ActiveConnection, error: &ClientError) -> Problem {
        self.connections.note_error_of(connection, error, Some(Feature::CanvasColors))
    }

    fn view_colors(&self, connection: &ActiveConnection, colors: CanvasColors) -> DesignColors {
        let view = |color: easel_wire::colors::CanvasColor| {
            let role = match color.role {
                ColorRole::Ground => DesignColorRole::Ground,
                ColorRole::Accent => DesignColorRole::Accent,
                ColorRole::Second => DesignColorRole::Second,
                _ => return None,
            };
            is_color(&color.color).then(|| DesignColor {
                role,
                chosen: color.chosen.filter(|color| is_color(color)),
                color: color.color,
            })
        };
        DesignColors {
            connection_id: connection.id.clone(),
            design: self.view_design(connection, colors.canvas),
            revision: colors.revision,
            colors: colors.colors.into_iter().filter_map(view).collect(),
        }
    }
}

/// Whether a text of a service is `#rrggbb`.
pub(super) fn is_color(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(|hex| hex.len() == 6 && hex.bytes().all(|digit| digit.is_ascii_hexdigit()))
}
