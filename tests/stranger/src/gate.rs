//! What stands before every handler: the gateway, the key, the version, the rate, the scope.
//!
//! Always true here: what is refused here changes nothing but, where it was allowed to ask at all, the rate.

use http::HeaderMap;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::call::{Content, Version};
use crate::reply::Refusal;
use crate::route::{Found, Route};
use crate::state::State;
use crate::switch::Switch;

impl State {
    /// The versions that can be pinned, the oldest first.
    fn versions(&self) -> Vec<Version> {
        let mut versions = Version::EVERY.to_vec();
        versions.retain(|version| match version {
            Version::Older => !self.has(Switch::OlderVersionRetired),
            Version::Newer => !self.has(Switch::NewerVersionRefused),
            Version::Further => self.has(Switch::FurtherVersionKnown),
        });
        versions
    }

    /// What a request without the header gets: the oldest that is supported (specification, Versioning 3).
    pub(crate) fn default_version(&self) -> Version {
        self.versions().first().copied().unwrap_or(Version::Newer)
    }

    /// The version that a request is answered in.
    pub(crate) fn resolve_version(&self, headers: &HeaderMap) -> Result<Version, Refusal> {
        let Some(pinned) = headers.get(&self.config.version_header) else { return Ok(self.default_version()) };
        let pinned = String::from_utf8_lossy(pinned.as_bytes()).into_owned();
        let versions = self.versions();
        if let Some(version) = versions.iter().find(|version| version.date() == pinned) {
            return Ok(*version);
        }
        let supported = versions.iter().map(|version| version.date()).collect::<Vec<_>>();
        Err(Refusal::new(400, "unsupported_version", format!("{pinned} is not a supported version"))
            .detailing(json!({"requested": pinned, "supported": supported})))
    }

    /// The endpoint, where this service has it.
    pub(crate) fn reach(&self, found: &Found, content: &Content) -> Result<Route, Refusal> {
        let is_storage = matches!(found, Found::Route(route, _) if route.is_storage());
        if matches!(content, Content::TooLarge(_)) && !is_storage {
            return Err(Refusal::gateway());
        }
        match found {
            Found::Nothing => Err(Refusal::no_route()),
            Found::OtherMethod => Err(Refusal::no_method()),
            Found::Route(Route::ChangeKit | Route::DeleteKit | Route::AddKitImage, _)
                if self.has(Switch::KitsUnchangeable405) =>
            {
                Err(Refusal::no_method())
            }
            Found::Route(route, _) if route.missing_with().is_some_and(|switch| self.has(switch)) => {
                Err(Refusal::no_route())
            }
            Found::Route(route, _) => Ok(*route),
        }
    }

    /// Who asks: the text of a key that is good.
    pub(crate) fn authenticate(&self, headers: &HeaderMap) -> Result<String, Refusal> {
        let given = headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
        let (scheme, key) = given.split_once(' ').unwrap_or_default();
        if scheme.eq_ignore_ascii_case("bearer") && self.account.key(key).is_some() {
            return Ok(key.to_owned());
        }
        Err(Refusal::new(401, "invalid_api_key", "This key is missing, wrong or deleted")
            .with("WWW-Authenticate", "Bearer"))
    }

    /// Counts a request of a key, where there is room for it in its minute.
    pub(crate) fn count_request(&mut self, key: &str, now: Timestamp) -> Result<(), Refusal> {
        let Some(most) = self.requests_per_minute() else { return Ok(()) };
        let minute = SignedDuration::from_secs(60);
        let asked = self.asked.entry(key.to_owned()).or_default();
        asked.retain(|at| *at + minute > now);
        if asked.len() < most as usize {
            asked.push_back(now);
            return Ok(());
        }
        let free_at = asked.front().map_or(now, |first| *first + minute);
        let seconds = u64::try_from(free_at.duration_since(now).as_secs() + 1).unwrap_or(1);
        Err(Refusal::new(429, "rate_limited", format!("At most {most} requests a minute")).after(seconds))
    }

    pub(crate) fn check_scope(&self, route: Route) -> Result<(), Refusal> {
        let Some(scope) = route.scope().filter(|scope| !self.scopes().contains(scope)) else { return Ok(()) };
        Err(Refusal::new(403, "missing_scope", format!("This key does not hold {scope}"))
            .detailing(json!({"required": [scope]})))
    }
}
