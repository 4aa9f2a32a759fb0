//! Connections as the page fills them in and shows them.
//!
//! Always true: no key goes to the page, and none into a log. Not here: a service's capabilities (`service`), and the
//! file of connections (`record`).

use easel_wire::account::Whoami;
use serde::{Deserialize, Serialize};

use super::service::ServiceView;
use crate::number::WholeNumber;
use crate::problem::Problem;

/// What a person fills in to connect to a service.
#[derive(Clone, Deserialize, specta::Type)]
pub struct ConnectionDraft {
    /// The service's address, such as `https://studio.example.com`.
    pub address: String,
    /// The API key. It goes to the keychain, not into any file.
    pub key: String,
    /// The name of the version header; empty or absent for `Service-Version`.
    pub version_header: Option<String>,
    /// The person has said yes to an address without TLS, for this host.
    pub confirm_plain_http: bool,
    /// Keep the key until Easel closes instead of in the keychain.
    pub keep_for_session: bool,
    /// The connection whose address is corrected by this: it keeps its place, its queue and its folders.
    pub corrects: Option<String>,
}

impl std::fmt::Debug for ConnectionDraft {
    /// Leaves the key out.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ConnectionDraft").field("address", &self.address).finish_non_exhaustive()
    }
}

/// What kind of service a connection leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ConnectionKind {
    /// The built-in studio, on this computer.
    Local,
    /// A service at an address.
    Service,
}

/// The state dot of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ConnectionState {
    /// Being looked at; nothing is known yet.
    Connecting,
    /// It answers and takes the key.
    Ready,
    /// It does not answer at the moment; Easel tries again by itself.
    Offline,
    /// Only a person can help; `problem` says how.
    NeedsAttention,
}

/// Where the key of a connection is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum KeyKept {
    /// In the system's keychain.
    Keychain,
    /// In memory, until Easel closes.
    Session,
    /// Nowhere: it has to be entered.
    Missing,
}

/// A connection as the page shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct ConnectionView {
    /// The connection's id, made by Easel.
    pub id: String,
    /// What it leads to.
    pub kind: ConnectionKind,
    /// The service's host name; empty for the built-in studio, which the page names in its own words.
    pub host: String,
    /// The address; `null` for the built-in studio while it does not run.
    pub address: Option<String>,
    /// The name of the version header, where it is not the usual one.
    pub version_header: Option<String>,
    /// The state dot.
    pub state: ConnectionState,
    /// What is the matter, unless all is well.
    pub problem: Option<Problem>,
    /// Where the key is kept.
    pub key_kept: KeyKept,
    /// Whom the key belongs to, once the service has said.
    pub account: Option<AccountView>,
    /// How large a file may be, once the service has said.
    pub limits: Option<LimitsView>,
    /// What the service was seen to have and to lack.
    pub service: ServiceView,
}

/// Whom a key belongs to, as far as the service says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct AccountView {
    /// The user's id.
    pub user_id: Option<String>,
    /// The user's name, or the address or the id where there is none.
    pub user_name: Option<String>,
    /// The user's address.
    pub user_email: Option<String>,
    /// The team's name.
    pub team_name: Option<String>,
    /// The organization's name.
    pub organization_name: Option<String>,
    /// `owner`, `admin`, `member`, or what else the service says.
    pub role: Option<String>,
    /// `free`, `paid`, `ultra`, or what else the service says.
    pub plan: Option<String>,
}

/// How large a file may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct LimitsView {
    /// The largest file, in bytes.
    pub max_file_bytes: WholeNumber,
    /// Whether a larger plan raises it.
    pub is_plan_limit: bool,
}

/// The answer of `test_connection`: it works.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct ConnectionTested {
    /// The address as it will be saved.
    pub address: String,
    /// Whom the key belongs to.
    pub account: AccountView,
}

impl AccountView {
    pub(super) fn of(whoami: &Whoami) -> Self {
        let user = whoami.user.as_ref();
        let said = |text: Option<&String>| text.filter(|text| !text.trim().is_empty()).cloned();
        let user_id = user.and_then(|user| user.id).map(|id| id.to_string());
        let user_email = said(user.and_then(|user| user.email.as_ref()));
        let user_name = said(user.and_then(|user| user.name.as_ref()));
        Self {
            user_name: user_name.or_else(|| user_email.clone()).or_else(|| user_id.clone()),
            user_id,
            user_email,
            team_name: said(whoami.team.as_ref().and_then(|team| team.name.as_ref())),
            organization_name: said(whoami.organization.as_ref().and_then(|it| it.name.as_ref())),
            role: whoami.role.as_ref().map(ToString::to_string),
            plan: whoami.plan.as_ref().map(ToString::to_string),
        }
    }

    /// Whether both keys belong to one person, as far as the services tell.
    pub(super) fn is_same_person(&self, other: &Self) -> bool {
        self.user_id.is_some() && self.user_id == other.user_id
    }
}
