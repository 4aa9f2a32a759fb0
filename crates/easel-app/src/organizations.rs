//! The organizations and teams that the key of the connection in view can reach.

use easel_client::{Feature, PageRequest};
use easel_wire::organizations::OrganizationRecord;
use serde::{Deserialize, Serialize};

use crate::connections::Connections;
use crate::problem::Problem;

/// Pages that are read at most; a key reaches one organization, or a few.
const MOST_PAGES: usize = 5;

/// An organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct OrganizationView {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub name: Option<String>,
    /// `free`, `paid`, `ultra`, or what else the service says.
    pub plan: Option<String>,
    /// The names of its teams, or their ids where they have none.
    pub teams: Vec<String>,
}

impl OrganizationView {
    fn of(record: OrganizationRecord) -> Self {
        Self {
            id: record.id.to_string(),
            name: record.name,
            plan: record.plan.map(|plan| plan.to_string()),
            teams: record.teams.into_iter().map(|team| team.name.unwrap_or_else(|| team.id.to_string())).collect(),
        }
    }
}

/// The organizations that a key can reach.
#[derive(Clone)]
pub struct Organizations {
    connections: Connections,
}

impl Organizations {
    pub(crate) const fn new(connections: Connections) -> Self {
        Self { connections }
    }
}

impl Organizations {
    /// The organizations that the key can reach.
    ///
    /// # Errors
    /// What the connection's state says, or what the service answers.
    pub async fn list_organizations(&self) -> Result<Vec<OrganizationView>, Problem> {
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let mut request = Some(PageRequest { limit: Some(100), ..PageRequest::default() });
        let mut organizations = Vec::new();
        for _ in 0..MOST_PAGES {
            let Some(asked) = request else { break };
            let page = match client.list_organizations(&asked).await {
                Err(error) if asked.is_past_the_end(&error) => break,
                page => page.map_err(|error| {
                    self.connections.note_error_of(&connection, &error, Some(Feature::Organizations))
                })?,
            };
            request = asked.after(&page);
            organizations.extend(page.items.into_iter().map(OrganizationView::of));
        }
        Ok(organizations)
    }
}
