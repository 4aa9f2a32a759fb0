//! How many are let in at once: connections in all and from one address, and behind a trusted proxy requests of one client.
//!
//! Always true: whoever is in has a [`Place`] and gives it back by dropping it; what one address holds leaves room for others;
//! and beyond both bounds one comes in by the narrow way, where nothing is answered but whether the service is up, and its
//! operator. Such a question takes a moment, so where the narrow way is full, whoever came by it first makes room once that has passed.
//! A network of addresses that one host usually has whole (IPv6, /64) counts as one. Not here: sockets and routes.

use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

/// Who came by the narrow way has this long before another may need the place.
const MOMENT: Duration = Duration::from_secs(1);
/// The log says at most this often that someone was not let in.
const SAID_EVERY: Duration = Duration::from_secs(60);

/// The bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// Connections in all.
    pub all: usize,
    /// Connections from one address, or requests of one client behind a trusted proxy.
    pub one: usize,
    /// Connections by the narrow way, beyond those.
    pub narrow: usize,
    /// Of those, from one address: however many it holds, others still hear that the service is up.
    pub narrow_of_one: usize,
    /// Proxies whose word is taken for the address of a client; of them, only [`Self::all`] is asked.
    pub trusted_proxies: Vec<IpAddr>,
}

/// Who is in now.
#[derive(Debug)]
pub struct Crowd {
    bounds: Bounds,
    inside: Mutex<Inside>,
    proxy_said: AtomicBool,
}

#[derive(Debug, Default)]
struct Inside {
    all: usize,
    by_address: HashMap<IpAddr, usize>,
    /// By the narrow way, whoever came first in front.
    narrow: VecDeque<Narrow>,
    /// The number of who comes next by the narrow way.
    next: u64,
    turned_away: u64,
    said_at: Option<Instant>,
}

/// Who is in by the narrow way.
#[derive(Debug, Clone)]
struct Narrow {
    number: u64,
    since: Instant,
    address: IpAddr,
    makes_room: CancellationToken,
}

/// By which way someone is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Everything is answered.
    Wide,
    /// Only whether the service is up, and its operator.
    Narrow,
}

/// A place among those who are in, until it is dropped.
#[derive(Debug)]
pub struct Place {
    crowd: Arc<Crowd>,
    address: Option<IpAddr>,
    counts_in_all: bool,
    /// Where it was taken by the narrow way.
    narrow: Option<Narrow>,
}

impl Place {
    /// By which way it was taken.
    #[must_use]
    pub fn way(&self) -> Way {
        if self.narrow.is_some() { Way::Narrow } else { Way::Wide }
    }

    /// Canceled where the place is to be given back now, because the narrow way is needed by another.
    #[must_use]
    pub fn makes_room(&self) -> Option<CancellationToken> {
        self.narrow.as_ref().map(|narrow| narrow.makes_room.clone())
    }
}

impl Crowd {
    /// Nobody is in yet.
    #[must_use]
    pub fn new(bounds: Bounds) -> Arc<Self> {
        Arc::new(Self { bounds, inside: Mutex::default(), proxy_said: AtomicBool::new(false) })
    }

    /// Says once in the log that `peer`, which is no trusted proxy, names a client: behind a proxy all clients count as one address
    /// until somebody trusts it.
    pub fn note_untrusted(&self, peer: IpAddr) {
        if !self.proxy_said.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                %peer,
                "a request names its client in X-Forwarded-For and is not believed: where it came through a proxy, trust that with \
                 --trusted-proxy, else all its clients share the bounds of one address"
            );
        }
    }

    /// Whether `address` is that of a trusted proxy.
    #[must_use]
    pub fn trusts(&self, address: IpAddr) -> bool {
        self.bounds.trusted_proxies.contains(&address.to_canonical())
    }

    /// A place for a connection from `address` at `now`; `None` where even the narrow way is full, for all or for this address, of such as
    /// have just come.
    #[must_use]
    pub fn connect(self: &Arc<Self>, address: IpAddr, now: Instant) -> Option<Place> {
        let address = network_of(address);
        let counted = (!self.trusts(address)).then_some(address);
        let mut inside = self.lock();
        let of_one = counted.and_then(|address| inside.by_address.get(&address)).copied().unwrap_or_default();
        if inside.all < self.bounds.all && of_one < self.bounds.one {
            inside.all += 1;
            if let Some(address) = counted {
                *inside.by_address.entry(address).or_default() += 1;
            }
            return Some(self.place(counted, true, None));
        }
        self.note_turned_away(&mut inside, address);
        let of_one = inside.narrow.iter().filter(|narrow| narrow.address == address).count();
        let first = if of_one >= self.bounds.narrow_of_one {
            Some(inside.narrow.iter().position(|narrow| narrow.address == address)?)
        } else if inside.narrow.len() >= self.bounds.narrow {
            Some(0)
        } else {
            None
        };
        if let Some(first) = first {
            let narrow = inside.narrow.get(first)?;
            if now.duration_since(narrow.since) < MOMENT {
                return None;
            }
            narrow.makes_room.cancel();
            inside.narrow.remove(first);
        }
        let narrow = Narrow { number: inside.next, since: now, address, makes_room: CancellationToken::new() };
        inside.next += 1;
        inside.narrow.push_back(narrow.clone());
        Some(self.place(None, false, Some(narrow)))
    }

    fn place(self: &Arc<Self>, address: Option<IpAddr>, counts_in_all: bool, narrow: Option<Narrow>) -> Place {
        Place { crowd: Arc::clone(self), address, counts_in_all, narrow }
    }

    /// A place for a request of the client `address` that a trusted proxy hands on; `None` where that client has as many.
    #[must_use]
    pub fn ask(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let address = network_of(address);
        let mut inside = self.lock();
        let of_one = inside.by_address.entry(address).or_default();
        if *of_one < self.bounds.one {
            *of_one += 1;
            return Some(self.place(Some(address), false, None));
        }
        self.note_turned_away(&mut inside, address);
        None
    }

    fn note_turned_away(&self, inside: &mut Inside, address: IpAddr) {
        inside.turned_away += 1;
        if inside.said_at.is_none_or(|said| said.elapsed() >= SAID_EVERY) {
            inside.said_at = Some(Instant::now());
            let (all, turned_away) = (inside.all, inside.turned_away);
            tracing::warn!(%address, connections = all, turned_away, most = self.bounds.all, most_of_one_address =
                self.bounds.one, "too many connections: only health and operators are answered on further ones");
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut inside = self.crowd.lock();
        if let Some(Narrow { number, .. }) = self.narrow {
            // Whoever made room stands there no more.
            inside.narrow.retain(|narrow| narrow.number != number);
        }
        inside.all -= usize::from(self.counts_in_all);
        if let Some(address) = self.address
            && let Some(count) = inside.by_address.get_mut(&address)
        {
            *count -= 1;
            if *count == 0 {
                inside.by_address.remove(&address);
            }
        }
    }
}

/// What counts as one address.
fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)))
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crowd(trusted_proxies: Vec<IpAddr>) -> Arc<Crowd> {
        Crowd::new(Bounds { all: 5, one: 3, narrow: 3, narrow_of_one: 2, trusted_proxies })
    }

    #[test]
    fn one_address_leaves_room_for_others_and_the_full_house_for_health() {
        let crowd = crowd(Vec::new());
        let begin = Instant::now();
        let enter_after =
            |moments: u32, address: &str| crowd.connect(address.parse().unwrap(), begin + MOMENT * moments);
        let enter = |address: &str| enter_after(0, address);
        let way = |place: &Option<Place>| place.as_ref().map(Place::way);
        let first: Vec<_> = (0..3).map(|_| enter("192.0.2.1")).collect();
        assert!(first.iter().all(|place| way(place) == Some(Way::Wide)));
        let over = enter("::ffff:192.0.2.1");
        assert_eq!(way(&over), Some(Way::Narrow), "the same address in its other form");
        let (a, b) = (enter("2001:db8::1"), enter("2001:db8::2"));
        assert_eq!((way(&a), way(&b)), (Some(Way::Wide), Some(Way::Wide)));
        let is_in = |place: &Option<Place>| {
            place.as_ref().and_then(Place::makes_room).is_some_and(|makes_room| !makes_room.is_cancelled())
        };
        let second = enter("192.0.2.1");
        assert!(is_in(&over) && is_in(&second) && enter("192.0.2.1").is_none(), "one address has its part");
        let third = enter_after(1, "192.0.2.1");
        assert_eq!((is_in(&over), is_in(&second), is_in(&third)), (false, true, true), "who came first makes room");
        let other = enter("198.51.100.1");
        assert_eq!((is_in(&second), way(&other)), (true, Some(Way::Narrow)));
        assert!(enter("198.51.100.2").is_none(), "all of it is full");
        let last = enter_after(1, "198.51.100.2");
        assert_eq!((is_in(&second), is_in(&third), is_in(&last)), (false, true, true));
        drop((over, second, third, other, last));
        drop(first);
        assert_eq!(way(&enter("192.0.2.1")), Some(Way::Wide), "a place is free again");
        let third = enter("2001:db8::3");
        assert_eq!((way(&third), way(&enter("2001:db8::4"))), (Some(Way::Wide), Some(Way::Narrow)), "one network");
        drop((a, b, third));
        let inside = crowd.lock();
        assert_eq!((inside.all, inside.narrow.len(), inside.by_address.len()), (0, 0, 0));
    }

    #[test]
    fn behind_a_trusted_proxy_clients_are_counted_and_not_the_proxy() {
        let proxy: IpAddr = "10.0.0.1".parse().unwrap();
        let crowd = crowd(vec![proxy]);
        let connections: Vec<_> = (0..5).map(|_| crowd.connect(proxy, Instant::now()).unwrap()).collect();
        assert!(connections.iter().all(|place| place.way() == Way::Wide));
        let client = "192.0.2.9".parse().unwrap();
        let requests: Vec<_> = (0..3).map(|_| crowd.ask(client).unwrap()).collect();
        assert!(crowd.ask(client).is_none() && crowd.ask("192.0.2.8".parse().unwrap()).is_some());
        drop(requests);
        assert!(crowd.ask(client).is_some());
    }
}
