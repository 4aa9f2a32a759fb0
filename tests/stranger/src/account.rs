//! Who is there: one organization, one team, its users, and their keys.

use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::call::Call;
use crate::config::Config;
use crate::ids::Ids;
use crate::lists::Listing;
use crate::records::Row;
use crate::reply::{Outcome, Reply};
use crate::state::{State, time};
use crate::switch::Switch;

/// What a key made in the settings holds: everything but `admin` (specification, Authentication).
const SCOPES: [&str; 14] = [
    "canvases:read",
    "canvases:write",
    "designs:read",
    "designs:export",
    "files:read",
    "tasks:read",
    "tasks:write",
    "tasks:cancel",
    "brand_kits:read",
    "brand_kits:write",
    "uploads:write",
    "organizations:read",
    "webhooks:read",
    "webhooks:write",
];

/// The scopes that came after the key was made, where [`Switch::KeyLacksScopes`] or its silent kin is on. None of them
/// stands in the specification's table.
pub const LATER_SCOPES: [&str; 5] =
    ["tasks:cancel", "brand_kits:write", "organizations:read", "webhooks:read", "webhooks:write"];

/// Keys that were made in this process.
static KEYS_MADE: AtomicU64 = AtomicU64::new(0);

/// A key, and who it belongs to.
#[derive(Debug, Clone)]
pub(crate) struct Key {
    pub(crate) text: String,
    pub(crate) id: String,
    pub(crate) user: (String, String),
}

/// One organization with one team.
#[derive(Debug)]
pub(crate) struct Account {
    pub(crate) keys: Vec<Key>,
    keys_made: usize,
    /// As it stands on the wire: elsewhere an id is not always a text.
    team: (Value, String),
    organization: (String, String),
}

impl Account {
    pub(crate) fn new(ids: &mut Ids, config: &Config) -> Self {
        let is_any = config.switches.has(Switch::AccountIdsOfAnyForm);
        let now = config.clock.now();
        let mut id = |prefix: &str, other: &str| {
            let own = ids.make(prefix, now, &config.switches);
            let uuid = ids.uuid(&own);
            (if is_any { other.to_owned() } else { own }, uuid)
        };
        let organization = id("org", "northwind-gmbh");
        let (team, team_uuid) = id("team", "412");
        let team = if is_any { json!(412) } else { json!(team) };
        let mut account = Self { keys: Vec::new(), keys_made: 0, team: (team, team_uuid), organization };
        account.add_key(ids, config);
        account
    }

    /// Makes a key for a further user and gives its text.
    pub(crate) fn add_key(&mut self, ids: &mut Ids, config: &Config) -> String {
        let number = self.keys_made;
        self.keys_made += 1;
        let is_any = config.switches.has(Switch::AccountIdsOfAnyForm);
        let now = config.clock.now();
        let id = if is_any { format!("key_8fK{number}") } else { ids.make("ak", now, &config.switches) };
        let user = if is_any { format!("user_2xYqR{number}") } else { ids.make("user", now, &config.switches) };
        let name = ["Ada Example", "Ben Example", "Cleo Example"].get(number).unwrap_or(&"Another Example");
        // No two of a process are alike, also where a later stranger gets the port of an earlier one: what a client knows of a
        // service it keeps for its address and key.
        let text = format!("svc_live_{:040x}", 0x5eed_0000 + KEYS_MADE.fetch_add(1, Ordering::Relaxed));
        self.keys.push(Key { text: text.clone(), id, user: (user, (*name).to_owned()) });
        text
    }

    pub(crate) fn key(&self, text: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.text == text)
    }

    pub(crate) fn team_id(&self) -> Value {
        self.team.0.clone()
    }
}

impl State {
    /// The scopes of every key.
    pub(crate) fn scopes(&self) -> Vec<&'static str> {
        let lacks = self.config.switches.any(&[Switch::KeyLacksScopes, Switch::KeyLacksScopesSilently]);
        let mut scopes = SCOPES.to_vec();
        scopes.retain(|scope| !lacks || !LATER_SCOPES.contains(scope));
        scopes
    }

    /// Requests a minute and key, where there is a limit.
    pub(crate) fn requests_per_minute(&self) -> Option<u32> {
        if self.has(Switch::RatesSmall) { Some(60) } else { self.config.requests_per_minute }
    }

    /// Exports a minute.
    pub(crate) fn exports_per_minute(&self) -> usize {
        match (self.has(Switch::RatesSmall), self.config.requests_per_minute) {
            (true, _) => 5,
            (false, Some(_)) => 25,
            (false, None) => usize::MAX,
        }
    }

    /// Tasks queued or running at once.
    pub(crate) fn task_cap(&self) -> usize {
        if self.has(Switch::TaskCapSmall) { 1 } else { 10 }
    }

    /// Who made something: the first user, whoever asks.
    pub(crate) fn maker(&self) -> Value {
        match self.account.keys.first() {
            Some(key) => json!({"id": key.user.0, "name": key.user.1, "email": "ada@example.com"}),
            None => Value::Null,
        }
    }

    pub(crate) fn whoami(&self, call: &Call<'_>) -> Outcome {
        let Some(key) = self.account.key(&call.key) else { return Ok(Reply::ok(json!({}))) };
        let mut scopes = self.scopes().into_iter().map(Value::from).collect::<Vec<_>>();
        if self.has(Switch::ScopesUnknown) {
            scopes.extend([json!("webhooks:manage"), json!("credits:read")]);
        }
        let entitlements = if self.has(Switch::EntitlementsOther) {
            json!({"credits_remaining": 1250.5, "features": ["remix", "brand_kits"], "seat": {"kind": "editor"}})
        } else {
            json!({
                "concurrency_cap": self.task_cap(),
                "requests_per_minute": self.requests_per_minute().unwrap_or(60_000),
                "exports_per_minute": self.exports_per_minute().min(60_000),
            })
        };
        let organization = if self.has(Switch::OrganizationNull) {
            Value::Null
        } else {
            json!({"id": self.account.organization.0, "uuid": self.account.organization.1, "name": "Northwind"})
        };
        let mut whoami = json!({
            "user": {"id": key.user.0, "name": key.user.1, "email": "ada@example.com"},
            "team": {"id": self.account.team.0, "uuid": self.account.team.1, "name": "Studio North"},
            "organization": organization,
            "role": "owner",
            "plan": if self.has(Switch::PlanUnknown) { "growth_annual_v3" } else { "paid" },
            "scopes": scopes,
            "api_key_id": key.id,
            "entitlements": entitlements,
        });
        if let (Some(fields), true) = (whoami.as_object_mut(), self.has(Switch::WhoamiWithoutRole)) {
            fields.remove("role");
        }
        Ok(Reply::ok(whoami))
    }

    pub(crate) fn list_organizations(&mut self, call: &Call<'_>) -> Outcome {
        let (id, _) = self.account.organization.clone();
        let plan = if self.has(Switch::PlanUnknown) { "growth_annual_v3" } else { "paid" };
        let json = json!({
            "id": id, "name": "Northwind", "plan": plan,
            "teams": [{"id": self.account.team.0, "name": "Studio North"}],
        });
        let at = Timestamp::UNIX_EPOCH;
        let rows = vec![Row { id, name: "Northwind".to_owned(), created_at: at, updated_at: at, size: 0, json }];
        self.page(call, Listing::new("organizations", rows))
    }
}

/// What a service says that is well and needs no key.
pub(crate) fn health(now: Timestamp) -> Outcome {
    Ok(Reply::ok(json!({"status": "ok", "time": time(now)})))
}
