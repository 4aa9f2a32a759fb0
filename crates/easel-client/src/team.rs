//! The team of a studio, and the way into it (additions outside `/v1`, which few services have).
//!
//! Always true: whether a service has these routes is learned from its answers ([`Feature::Team`]). Redeeming is done by a
//! client whose connection has the code in the key's place, because its person has no key yet.

use easel_wire::account::Role;
use easel_wire::team::{AuditLog, ChangePerson, Invite, MadeInvitation, Redeem, Redeemed, Team};
use easel_wire::{ApiKeyId, InvitationId, UserId};
use http::Method;

use crate::capabilities::Feature;
use crate::client::{Call, Client};
use crate::error::Error;

impl Client {
    /// The scope is not told beforehand: a refusal that names none is about what the key's user may, not about the key.
    fn team_call(&self, method: Method, segments: &[&str]) -> Call {
        self.call_outside(method, segments).of(Feature::Team)
    }

    /// People, open invitations and keys.
    ///
    /// # Errors
    /// `permission` where the key's user is neither admin nor owner, `missing_scope`; [`Error::RouteMissing`] where the
    /// service does not have it; else what the service answers, or why it did not.
    pub async fn get_team(&self) -> Result<Team, Error> {
        self.get_json(&self.team_call(Method::GET, &["team"])).await
    }

    /// The newest `limit` entries of the audit log (1 to 1,000), the newest first.
    ///
    /// # Errors
    /// As [`Client::get_team`].
    pub async fn list_audit_log(&self, limit: u32) -> Result<AuditLog, Error> {
        let call = self.team_call(Method::GET, &["team", "audit"]).query("limit", Some(&limit.to_string()));
        self.get_json(&call).await
    }

    /// Invites a person, in place of an earlier invitation for them that is open. If the answer is lost, so is the code:
    /// inviting again makes another one.
    ///
    /// # Errors
    /// As [`Client::get_team`]; `user_exists`, `validation_failed`.
    pub async fn invite(&self, email: &str, role: &Role) -> Result<MadeInvitation, Error> {
        let body = Invite { email: email.to_owned(), role: role.clone() };
        self.get_json(&self.team_call(Method::POST, &["team", "invitations"]).json(&body)?).await
    }

    /// Revokes an open invitation.
    ///
    /// # Errors
    /// As [`Client::get_team`]; `invitation_not_found`.
    pub async fn revoke_invitation(&self, id: InvitationId) -> Result<(), Error> {
        self.send(&self.team_call(Method::DELETE, &["team", "invitations", &id.text()])).await.map(drop)
    }

    /// Gives a person another role.
    ///
    /// # Errors
    /// As [`Client::get_team`]; `user_not_found`, `only_owner`.
    pub async fn change_person(&self, id: UserId, role: &Role) -> Result<(), Error> {
        let body = ChangePerson { role: role.clone() };
        self.send(&self.team_call(Method::PATCH, &["team", "people", &id.text()]).json(&body)?).await.map(drop)
    }

    /// Removes a person with their keys.
    ///
    /// # Errors
    /// As [`Client::change_person`].
    pub async fn remove_person(&self, id: UserId) -> Result<(), Error> {
        self.send(&self.team_call(Method::DELETE, &["team", "people", &id.text()])).await.map(drop)
    }

    /// Deletes a key of someone in the team.
    ///
    /// # Errors
    /// As [`Client::get_team`]; `api_key_not_found`.
    pub async fn delete_team_key(&self, id: ApiKeyId) -> Result<(), Error> {
        self.send(&self.team_call(Method::DELETE, &["team", "keys", &id.text()])).await.map(drop)
    }

    /// Redeems an invitation for a key that is called `key_name`. If the answer is lost, the code may be used up.
    ///
    /// # Errors
    /// `invitation_refused` for a code that is wrong, used, taken back or past its end; `rate_limited`;
    /// [`Error::RouteMissing`] where the service takes no invitations; else what the service answers, or why it did not.
    pub async fn redeem_invitation(&self, code: &str, key_name: &str) -> Result<Redeemed, Error> {
        let body = Redeem { code: code.to_owned(), key_name: key_name.to_owned() };
        self.get_json(&self.call_outside(Method::POST, &["invitations", "redeem"]).of(Feature::Team).json(&body)?).await
    }
}
