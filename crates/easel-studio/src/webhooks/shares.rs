//! How many attempts of one key, and to one host, are under way at once.
//!
//! Always true: who has a [`Share`] is counted until it is dropped, however the attempt ends. A host has fewer than a key, so that
//! one slow receiver leaves its key room for others. Not here: which delivery comes next.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use url::Url;

use crate::wire::ApiKeyId;

/// Attempts of one key under way at once.
const OF_ONE_KEY: usize = 32;
/// Attempts to one host and port under way at once.
const OF_ONE_HOST: usize = 8;

/// What is under way, by key and by host.
#[derive(Debug, Default)]
pub struct Shares(Mutex<UnderWay>);

#[derive(Debug, Default)]
struct UnderWay {
    of_keys: HashMap<ApiKeyId, usize>,
    of_hosts: HashMap<String, usize>,
}

/// One attempt's part, until it is dropped.
#[derive(Debug)]
pub struct Share {
    shares: Arc<Shares>,
    key: ApiKeyId,
    host: String,
}

impl Shares {
    /// A part for an attempt of `key` at `url`; `None` where the key or the host has its share already.
    #[must_use]
    pub fn take(self: &Arc<Self>, key: ApiKeyId, url: &str) -> Option<Share> {
        let host = host_of(url);
        let mut under_way = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_key = under_way.of_keys.get(&key).copied().unwrap_or_default();
        let of_host = under_way.of_hosts.get(&host).copied().unwrap_or_default();
        if of_key >= OF_ONE_KEY || of_host >= OF_ONE_HOST {
            return None;
        }
        under_way.of_keys.insert(key, of_key + 1);
        under_way.of_hosts.insert(host.clone(), of_host + 1);
        Some(Share { shares: Arc::clone(self), key, host })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut under_way = self.shares.0.lock().unwrap_or_else(PoisonError::into_inner);
        let UnderWay { of_keys, of_hosts } = &mut *under_way;
        if let Some(count) = of_keys.get_mut(&self.key) {
            *count -= 1;
        }
        if let Some(count) = of_hosts.get_mut(&self.host) {
            *count -= 1;
        }
        of_keys.retain(|_, count| *count > 0);
        of_hosts.retain(|_, count| *count > 0);
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

    #[test]
    fn a_host_and_a_key_have_their_share_and_give_it_back() {
        let shares = Arc::new(Shares::default());
        let (one, other) = (ApiKeyId::from_uuid(Uuid::from_u128(1)), ApiKeyId::from_uuid(Uuid::from_u128(2)));
        let slow: Vec<_> = (0..OF_ONE_HOST).map(|n| shares.take(one, &format!("https://slow.example/{n}"))).collect();
        assert!(slow.iter().all(Option::is_some));
        assert!(shares.take(other, "https://SLOW.example:443/").is_none(), "the same host");
        let rest: Vec<_> =
            (0..OF_ONE_KEY - OF_ONE_HOST).map(|n| shares.take(one, &format!("https://h{n}.example/"))).collect();
        assert!(rest.iter().all(Option::is_some));
        assert!(shares.take(one, "https://quick.example/").is_none(), "the key has its share");
        let others = shares.take(other, "https://quick.example/");
        assert!(others.is_some());
        drop((slow, rest, others));
        let under_way = shares.0.lock().unwrap();
        assert!(under_way.of_keys.is_empty() && under_way.of_hosts.is_empty());
    }
}
