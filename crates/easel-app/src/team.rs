//! The team of the studio in view: its people, their keys, open invitations and the audit log.
//!
//! Always true: a studio elsewhere is asked over HTTP with the key of its connection, the studio of this computer by its own
//! command line, so that the key of this computer needs no scope for it; the code of an invitation passes through once, at
//! creation, and is kept nowhere. Not here: the way into a team ([`crate::connections::Connections::redeem_invitation`]), and
//! who may change what, which the studio decides.

mod commands;
mod views;

use std::sync::Arc;

use easel_client::{Client, Error as ClientError, Feature};
use easel_wire::Timestamp;
use easel_wire::account::Role;

use self::views::Viewer;
pub use self::views::{
    AuditEntryView, InvitationView, MadeInvitationView, PersonView, TeamKeyView, TeamLimitsView, TeamRole,
    TeamStorageView, TeamView,
};
use crate::causes;
use crate::connections::Connections;
use crate::connections::active_connection::ActiveConnection;
use crate::connections::views::ConnectionKind;
use crate::core::Core;
use crate::messages;
use crate::problem::Problem;

/// The team of the studio in view. Clones are the same one.
#[derive(Clone)]
pub struct Team {
    core: Core,
    connections: Connections,
}

/// Who is asked about a team.
enum Asked {
    /// The studio of this computer, by its command line.
    Here,
    /// A studio elsewhere.
    There(Client),
}

impl Team {
    pub(crate) const fn new(core: Core, connections: Connections) -> Self {
        Self { core, connections }
    }

    async fn asked(&self) -> Result<(Arc<ActiveConnection>, Asked), Problem> {
        let connection = self.connections.selected()?;
        let asked = match connection.kind {
            ConnectionKind::Local => Asked::Here,
            ConnectionKind::Service => Asked::There(connection.ready().await?.client),
        };
        Ok((connection, asked))
    }

    /// Runs a command of the studio of this computer, and gives the lines that it prints.
    async fn run<T: serde::de::DeserializeOwned + Send>(&self, arguments: &[&str]) -> Result<Vec<T>, Problem> {
        let _in_place = self.connections.hold_studio_in_place().await;
        let data = self.core.data_dir().studio();
        commands::run(self.core.ports().studio.as_ref(), &data, arguments)
            .await
            .map_err(|error| causes::of_local(&error))
    }

    fn note(&self, connection: &ActiveConnection, error: &ClientError) -> Problem {
        let problem = self.connections.note_error_of(connection, error, Some(Feature::Team));
        let worded = match problem.code.as_str() {
            "missing_scope" => "team_needs_key",
            "permission" => "team_not_allowed",
            _ => return problem,
        };
        let email = connection.status().account.and_then(|account| account.user_email);
        let email = email.as_deref().unwrap_or("you@example.org");
        let mut worded = messages::problem(worded, &[("email", email)]);
        worded.action.target = Some(connection.id.clone());
        Problem { request_id: problem.request_id, ..worded }
    }

    /// The people, open invitations and keys, and what all of them together may.
    ///
    /// # Errors
    /// `not_offered` where the service has no such routes; `team_not_allowed` where the person is neither admin nor owner;
    /// `team_needs_key` where the key may not; what the connection's state says, or what the service answers.
    pub async fn get_team(&self) -> Result<TeamView, Problem> {
        let (connection, asked) = self.asked().await?;
        let now = now();
        match asked {
            Asked::There(client) => {
                let team = client.get_team().await.map_err(|error| self.note(&connection, &error))?;
                let whoami = client.whoami().await.map_err(|error| self.note(&connection, &error))?;
                let viewer = Viewer {
                    is_local: false,
                    email: whoami.user.and_then(|user| user.email).unwrap_or_default(),
                    role: whoami.role,
                    key_id: whoami.api_key_id.map(|id| id.to_string()),
                };
                Ok(TeamView::of(&team, &whoami.entitlements, &viewer, now))
            }
            Asked::Here => {
                let viewer = Viewer {
                    is_local: true,
                    email: connection.status().account.and_then(|account| account.user_email).unwrap_or_default(),
                    role: None,
                    key_id: self.connections.file().get(&connection.id).and_then(|record| record.local_key_id),
                };
                let people = self.run(&["users", "list"]).await?;
                let invitations = self.run(&["invitations", "list"]).await?;
                let keys = self.run(&["keys", "list"]).await?;
                let storage = self.run(&["organizations", "list"]).await?.first().copied();
                let entitlements = connection.session().map(|session| session.client.entitlements());
                let team = easel_wire::team::Team { people, invitations, keys, storage };
                Ok(TeamView::of(&team, &entitlements.unwrap_or_default(), &viewer, now))
            }
        }
    }

    /// The newest `limit` entries of the audit log (1 to 1,000), the newest first.
    ///
    /// # Errors
    /// As [`Team::get_team`].
    pub async fn list_team_log(&self, limit: u32) -> Result<Vec<AuditEntryView>, Problem> {
        let limit = limit.clamp(1, 1_000);
        let (connection, asked) = self.asked().await?;
        match asked {
            Asked::There(client) => {
                let log = client.list_audit_log(limit).await.map_err(|error| self.note(&connection, &error))?;
                Ok(log.entries.into_iter().map(AuditEntryView::from).collect())
            }
            Asked::Here => {
                let mut lines: Vec<easel_wire::team::AuditEntry> =
                    self.run(&["audit", "--limit", &limit.to_string()]).await?;
                lines.reverse();
                Ok(lines.into_iter().map(AuditEntryView::from).collect())
            }
        }
    }

    /// Invites a person for 72 hours, in place of an earlier invitation for them that is open.
    ///
    /// # Errors
    /// `email_not_usable`, `user_exists`; else as [`Team::get_team`].
    pub async fn invite_person(&self, email: String, role: TeamRole) -> Result<MadeInvitationView, Problem> {
        let email = email.trim().to_lowercase();
        let is_address = email.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty());
        if !is_address || email.chars().any(|letter| letter.is_whitespace() || letter.is_control()) {
            return Err(messages::problem("email_not_usable", &[]));
        }
        let (connection, asked) = self.asked().await?;
        match asked {
            Asked::There(client) => {
                let made =
                    client.invite(&email, &Role::from(role)).await.map_err(|error| self.note(&connection, &error))?;
                Ok(MadeInvitationView::of(&made, now()))
            }
            Asked::Here => {
                let address = connection.ready().await?.base_url;
                if self.get_team().await?.people.iter().any(|person| person.email == email) {
                    return Err(messages::problem("user_exists", &[]));
                }
                let arguments = ["invite", &email, "--role", role.as_str(), "--address", &address];
                let made: Vec<easel_wire::team::MadeInvitation> = self.run(&arguments).await?;
                let made = made.first().map(|made| MadeInvitationView::of(made, now()));
                made.ok_or_else(|| causes::of_local(&commands::without_a_word()))
            }
        }
    }

    /// Revokes an open invitation.
    ///
    /// # Errors
    /// `invitation_not_found`; else as [`Team::get_team`].
    pub async fn revoke_invitation(&self, id: String) -> Result<(), Problem> {
        let (connection, asked) = self.asked().await?;
        match asked {
            Asked::There(client) => {
                let id = id.parse().map_err(|error| causes::of_id(&error))?;
                client.revoke_invitation(id).await.map_err(|error| self.note(&connection, &error))
            }
            Asked::Here => self.change(&["invitations", "revoke", &id]).await,
        }
    }

    /// Gives a person another role; `id` is that of [`PersonView`].
    ///
    /// # Errors
    /// `user_not_found`, `only_owner`; else as [`Team::get_team`].
    pub async fn change_person_role(&self, id: String, role: TeamRole) -> Result<(), Problem> {
        let (connection, asked) = self.asked().await?;
        match asked {
            Asked::There(client) => {
                let id = id.parse().map_err(|error| causes::of_id(&error))?;
                client.change_person(id, &Role::from(role)).await.map_err(|error| self.note(&connection, &error))
            }
            Asked::Here => self.change(&["users", "role", &id, role.as_str()]).await,
        }
    }

    /// Removes a person: their keys and what they invited end, what they made stays. `id` is that of [`PersonView`].
    ///
    /// # Errors
    /// As [`Team::change_person_role`].
    pub async fn remove_person(&self, id: String) -> Result<(), Problem> {
        let (connection, asked) = self.asked().await?;
        match asked {
            Asked::There(client) => {
                let id = id.parse().map_err(|error| causes::of_id(&error))?;
                client.remove_person(id).await.map_err(|error| self.note(&connection, &error))
            }
            Asked::Here => self.change(&["users", "remove", &id]).await,
        }
    }

    /// Deletes a key of someone in the team: the next request with it is refused.
    ///
    /// # Errors
    /// `api_key_not_found`; else as [`Team::get_team`].
    pub async fn delete_team_key(&self, id: String) -> Result<(), Problem> {
        let (connection, asked) = self.asked().await?;
        match asked {
            Asked::There(client) => {
                let id = id.parse().map_err(|error| causes::of_id(&error))?;
                client.delete_team_key(id).await.map_err(|error| self.note(&connection, &error))
            }
            Asked::Here => self.change(&["keys", "delete", &id]).await,
        }
    }

    /// Runs a command of the studio of this computer whose lines tell nothing new.
    async fn change(&self, arguments: &[&str]) -> Result<(), Problem> {
        self.run::<serde_json::Value>(arguments).await.map(drop)
    }
}

fn now() -> Timestamp {
    Timestamp::from_micros(jiff::Timestamp::now().as_microsecond())
}
