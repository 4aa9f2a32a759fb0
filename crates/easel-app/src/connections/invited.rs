//! Invitations: the third way to a connection, by one paste.
//!
//! Always true: a code is used up by the first request that brings a key, so that key is held in memory until its
//! connection is saved: where the keychain is locked or the network goes away in between, the same paste goes on where it
//! was. Neither the code nor the key goes into a file or a log. Not here: how a key is tried, put away and saved
//! ([`Connections::connect_service`]).

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use easel_client::{Client, Connection, Error as ClientError, Feature};
use easel_wire::invitation::Invitation;
use easel_wire::team::Redeemed;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use super::views::{ConnectionDraft, ConnectionView};
use super::{Connections, TRY_LIMIT, active_connection};
use crate::causes::{self, About};
use crate::messages;
use crate::problem::Problem;

/// What a person pastes who was invited.
#[derive(Clone, Deserialize, specta::Type)]
pub struct InvitationDraft {
    /// The code, also with words around it.
    pub code: String,
    /// The person has said yes to an address without TLS.
    pub confirm_plain_http: bool,
    /// Keep the key until Easel closes instead of in the keychain.
    pub keep_for_session: bool,
}

impl std::fmt::Debug for InvitationDraft {
    /// Leaves the code out.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InvitationDraft").finish_non_exhaustive()
    }
}

/// Where an invitation leads, by its own words; nobody was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct InvitationTarget {
    /// The studio's host.
    pub host: String,
}

/// A key that an invitation brought and whose connection is not saved yet.
struct RedeemedKey {
    key: SecretString,
    version_header: Option<String>,
}

/// By the hash of the code's secret. Whoever redeems holds the lock, so that two clicks redeem once.
#[derive(Default)]
pub(super) struct RedeemedKeys(Mutex<HashMap<[u8; 32], RedeemedKey>>);

impl Connections {
    /// Where an invitation leads. Asks nobody.
    ///
    /// # Errors
    /// `invitation_unreadable` where it is none, or not all of one.
    pub async fn read_invitation(&self, code: String) -> Result<InvitationTarget, Problem> {
        Ok(InvitationTarget { host: active_connection::host_of(read(&code)?.address()) })
    }

    /// Redeems an invitation: puts the key that it brings away, saves the connection and puts it in view.
    ///
    /// # Errors
    /// `invitation_unreadable`, `invitation_refused`, `plain_http_refused`, `not_offered` where the service takes no
    /// invitations; else as [`Connections::connect_service`].
    pub async fn redeem_invitation(&self, draft: InvitationDraft) -> Result<ConnectionView, Problem> {
        let invitation = read(&draft.code)?;
        let mut redeemed = self.inner.redeemed.0.lock().await;
        let hash = invitation.hash();
        let RedeemedKey { key, version_header } = match redeemed.entry(hash) {
            Entry::Occupied(kept) => kept.into_mut(),
            Entry::Vacant(place) => {
                let Redeemed { key, version_header, .. } = self.redeem(&invitation, draft.confirm_plain_http).await?;
                place.insert(RedeemedKey { key: SecretString::from(key), version_header })
            }
        };
        let draft = ConnectionDraft {
            address: invitation.address().to_owned(),
            key: key.expose_secret().to_owned(),
            version_header: version_header.clone(),
            confirm_plain_http: draft.confirm_plain_http,
            keep_for_session: draft.keep_for_session,
            corrects: None,
        };
        let view = self.connect_service(draft).await?;
        redeemed.remove(&hash);
        Ok(view)
    }

    async fn redeem(&self, invitation: &Invitation, confirm_plain_http: bool) -> Result<Redeemed, Problem> {
        let code = invitation.code();
        let host = active_connection::host_of(invitation.address());
        let about = About { feature: Some(Feature::Team), ..About::host(&host) };
        let to_problem = |error: &ClientError| causes::of_client(error, about);
        // There is no key yet, and the code stands in its place.
        let mut connection = Connection::new(invitation.address(), SecretString::from(code.as_str()))
            .map_err(|error| to_problem(&error))?;
        if confirm_plain_http {
            connection = connection.confirm_plain_http();
        }
        let client = Client::new(connection).map_err(|error| to_problem(&error))?;
        let computer = self.core.ports().desktop.computer_name();
        let key_name = computer.map_or_else(|| "Easel".to_owned(), |computer| format!("Easel on {computer}"));
        let asked = client.redeem_invitation(&code, &key_name);
        let answer = tokio::time::timeout(TRY_LIMIT, asked).await.unwrap_or(Err(ClientError::TimedOut));
        answer.map_err(|error| to_problem(&error))
    }
}

fn read(code: &str) -> Result<Invitation, Problem> {
    Invitation::find(code).map_err(|_| messages::problem("invitation_unreadable", &[]))
}
