//! Shares of attempts under way: of one organization, of one key, and of one key to one host.
//!
//! Always true: a [`Share`] counts until it is dropped, however the attempt ends. An organization takes one more only
//! while it has fewer than are left of all, a key while it has fewer than are left of its organization's, and a host
//! while it has fewer than are left of its key's: so whoever takes many leaves as many again. The one with the fewest
//! under way comes next. A host counts for one key alone, so that no stranger can use up another's share there. Not
//! here: which deliveries are due.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use url::Url;

use crate::core::counts::Counts;
use crate::db::webhooks::Due;
use crate::wire::{ApiKeyId, OrganizationId};

/// Attempts under way at once.
pub const AT_ONCE: usize = 128;
/// Attempts of one organization under way at once, at most.
const OF_ONE_ORGANIZATION: usize = 64;
/// Attempts of one key under way at once, at most.
const OF_ONE_KEY: usize = 32;
/// Attempts of one key to one host and port under way at once, at most.
const OF_ONE_HOST: usize = 8;

/// The attempts under way.
#[derive(Debug, Default)]
pub struct Shares(Mutex<AttemptsUnderWay>);

#[derive(Debug, Default)]
struct AttemptsUnderWay {
    all: usize,
    of_organizations: Counts<OrganizationId>,
    of_keys: Counts<ApiKeyId>,
    of_hosts: Counts<(ApiKeyId, String)>,
}

/// One attempt's share, until it is dropped.
#[derive(Debug)]
pub struct Share {
    shares: Arc<Shares>,
    organization: OrganizationId,
    key: ApiKeyId,
    host: String,
}

impl Shares {
    /// Sorts due deliveries by turn: those with the fewest attempts under way first, and of these the longest due.
    #[must_use]
    pub fn in_turn(&self, due: Vec<Due>) -> Vec<Due> {
        let under_way = self.lock();
        let mut in_turn: Vec<_> = due
            .into_iter()
            .map(|due| (under_way.of_organizations.of(&due.organization), under_way.of_keys.of(&due.key), due))
            .collect();
        in_turn.sort_by_key(|(of_organization, of_key, due)| (*of_organization, *of_key, due.since));
        in_turn.into_iter().map(|(_, _, due)| due).collect()
    }

    /// A share for an attempt; `None` if its organization, its key or its host has its share already.
    #[must_use]
    pub fn take(self: &Arc<Self>, due: &Due) -> Option<Share> {
        let host = host_of(&due.url);
        let mut under_way = self.lock();
        let of_organization = under_way.of_organizations.of(&due.organization);
        let of_key = under_way.of_keys.of(&due.key);
        let lane = (due.key, host.clone());
        let of_host = under_way.of_hosts.of(&lane);
        let has_room = [
            (of_organization, OF_ONE_ORGANIZATION, AT_ONCE.saturating_sub(under_way.all)),
            (of_key, OF_ONE_KEY, OF_ONE_ORGANIZATION.saturating_sub(of_organization)),
            (of_host, OF_ONE_HOST, OF_ONE_KEY.saturating_sub(of_key)),
        ];
        if has_room.iter().any(|(taken, most, left)| taken >= most.min(left)) {
            return None;
        }
        under_way.all += 1;
        under_way.of_organizations.add(due.organization);
        under_way.of_keys.add(due.key);
        under_way.of_hosts.add(lane);
        Some(Share { shares: Arc::clone(self), organization: due.organization, key: due.key, host })
    }

    fn lock(&self) -> MutexGuard<'_, AttemptsUnderWay> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut under_way = self.shares.lock();
        under_way.all -= 1;
        under_way.of_organizations.take_off(&self.organization);
        under_way.of_keys.take_off(&self.key);
        under_way.of_hosts.take_off(&(self.key, std::mem::take(&mut self.host)));
    }
}

/// Host and port; what is no address is one of its own.
fn host_of(url: &str) -> String {
    let parsed = Url::parse(url).ok();
    let host = parsed.as_ref().and_then(|url| Some((url.host_str()?, url.port_or_known_default()?)));
    host.map_or_else(|| url.to_owned(), |(host, port)| format!("{host}:{port}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    /// Due since then, of the key with this number, whose organization has the number of its tens.
    fn due(key: u128, url: &str, since: i64) -> Due {
        Due {
            organization: OrganizationId::from_uuid(Uuid::from_u128(key / 10)),
            key: ApiKeyId::from_uuid(Uuid::from_u128(key)),
            url: url.to_owned(),
            since: easel_wire::Timestamp::from_micros(since),
        }
    }

    /// Takes as many shares as this key gets to so many hosts.
    fn take_all(shares: &Arc<Shares>, key: u128, hosts: usize) -> Vec<Share> {
        let urls = (0..hosts).flat_map(|host| (0..200).map(move |at| format!("https://h{host}.example/{at}")));
        urls.filter_map(|url| shares.take(&due(key, &url, 0))).collect()
    }

    #[test]
    fn a_host_a_key_and_an_organization_have_their_share_and_give_it_back() {
        let shares = Arc::new(Shares::default());
        let slow = take_all(&shares, 11, 1);
        assert_eq!(slow.len(), OF_ONE_HOST);
        assert!(shares.take(&due(11, "https://H0.example:443/", 0)).is_none(), "the same host");
        let others = take_all(&shares, 12, 1);
        assert_eq!(others.len(), OF_ONE_HOST, "what one key has at a host is no other's");
        let rest = take_all(&shares, 11, 50);
        assert!(rest.len() + slow.len() <= OF_ONE_KEY, "{}", rest.len());
        assert!(shares.take(&due(12, "https://quick.example/", 0)).is_some(), "the key has left room for another");
        drop((slow, others, rest));
        let under_way = shares.lock();
        assert_eq!(under_way.all, 0);
        assert!(under_way.of_organizations.is_empty() && under_way.of_keys.is_empty() && under_way.of_hosts.is_empty());
    }

    #[test]
    fn whatever_some_keys_and_organizations_take_others_find_room() {
        let shares = Arc::new(Shares::default());
        // Four keys of one organization, four ports each: these once took every place there was.
        let greedy: Vec<_> = (11..15).flat_map(|key| take_all(&shares, key, 4)).collect();
        assert!(greedy.len() < OF_ONE_ORGANIZATION, "{}", greedy.len());
        assert!(shares.take(&due(15, "https://quick.example/", 0)).is_some(), "another key of that organization");
        // Four organizations with four keys each.
        let more: Vec<_> = (2..5).flat_map(|at| (1..5).flat_map(move |key| [at * 10 + key])).collect();
        let more: Vec<_> = more.into_iter().flat_map(|key| take_all(&shares, key, 4)).collect();
        assert!(greedy.len() + more.len() < AT_ONCE, "{}", greedy.len() + more.len());
        assert!(shares.take(&due(91, "https://quick.example/", 0)).is_some(), "another organization");
    }

    #[test]
    fn whoever_has_least_under_way_comes_next() {
        let shares = Arc::new(Shares::default());
        let under_way =
            [shares.take(&due(11, "https://a.example/", 0)), shares.take(&due(11, "https://b.example/", 0))];
        assert!(under_way.iter().all(Option::is_some));
        let waiting = vec![
            due(11, "https://c.example/", 1),
            due(12, "https://c.example/", 2),
            due(21, "https://c.example/", 4),
            due(22, "https://c.example/", 3),
        ];
        let keys: Vec<_> = shares.in_turn(waiting).into_iter().map(|due| due.key.uuid().as_u128()).collect();
        assert_eq!(keys, [22, 21, 12, 11]);
    }
}
