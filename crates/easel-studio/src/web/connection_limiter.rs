//! Bounds on connections: in all, from one address, and behind a trusted proxy on requests of one client.
//!
//! Always true: a connection has its [`Place`] until that is dropped; one address leaves room for others; if all places
//! are taken, a connection that only waits or has shown no key makes room for the next, so that many without a key shut
//! out nobody who has one; and beyond the bounds connections are let in the narrow way, where only two questions are
//! answered: whether the service is up, and the operator's. Such a question takes a moment, so if the narrow way is
//! full too, its oldest connection makes room once that moment has passed. A network of addresses that one host usually
//! has whole (IPv6, /64) counts as one. Not here: sockets and routes.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use crate::core::counts::Counts;

/// A connection that has just come, or waits between two requests, keeps its place for this long.
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
    /// Connections by the narrow way from one address that is no trusted proxy: however many it holds, others still
    /// hear that the service is up.
    pub narrow_of_one: usize,
    /// Proxies whose word is taken for the address of a client; of them, only [`Self::all`] is asked.
    pub trusted_proxies: Vec<IpAddr>,
}

/// The connections that are in now.
#[derive(Debug)]
pub struct ConnectionLimiter {
    bounds: Bounds,
    inside: Mutex<Inside>,
    proxy_said: AtomicBool,
}

#[derive(Debug, Default)]
struct Inside {
    all: usize,
    by_address: Counts<IpAddr>,
    /// By the wide way, by the number of each.
    wide: HashMap<u64, Wide>,
    /// By the narrow way, whoever came first in front.
    narrow: VecDeque<Narrow>,
    /// The number of who comes next.
    next: u64,
    turned_away: u64,
    said_at: Option<Instant>,
}

/// A connection that is in by the wide way.
#[derive(Debug)]
struct Wide {
    /// Nothing for a trusted proxy.
    address: Option<IpAddr>,
    came: Instant,
    presence: Arc<Presence>,
    makes_room: CancellationToken,
}

impl Wide {
    /// How well the connection could make room at `now`, the best first; `None` where it may stay. Ending one that only
    /// waits costs nobody an answer.
    fn rank(&self, now: Instant) -> Option<(u8, Instant)> {
        let shown = *self.presence.lock();
        let rank = match (shown.has_key, shown.under_way) {
            (false, 0) => (0, self.came),
            (true, 0) => (1, shown.since),
            (false, _) => (2, self.came),
            (true, _) => return None,
        };
        (now.duration_since(rank.1) >= MOMENT).then_some(rank)
    }
}

/// What whoever is at the other end of a connection has shown and does.
#[derive(Debug)]
pub struct Presence(Mutex<Shown>);

#[derive(Debug, Clone, Copy)]
struct Shown {
    has_key: bool,
    /// Requests whose answers have not been read to their end.
    under_way: usize,
    /// Since when it has been in this state.
    since: Instant,
}

/// A request under way, until its answer has been read or given up.
#[derive(Debug)]
pub struct RequestUnderWay(Arc<Presence>);

impl Presence {
    fn new(since: Instant) -> Arc<Self> {
        Arc::new(Self(Mutex::new(Shown { has_key: false, under_way: 0, since })))
    }

    /// Notes that a request came with a key that holds.
    pub fn show_key(&self) {
        self.lock().has_key = true;
    }

    /// Notes that a request has come.
    #[must_use]
    pub fn begin(self: &Arc<Self>) -> RequestUnderWay {
        self.lock().under_way += 1;
        RequestUnderWay(Arc::clone(self))
    }

    fn lock(&self) -> MutexGuard<'_, Shown> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RequestUnderWay {
    fn drop(&mut self) {
        let mut shown = self.0.lock();
        shown.under_way -= 1;
        shown.since = Instant::now();
    }
}

/// A connection that is in by the narrow way.
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
    limiter: Arc<ConnectionLimiter>,
    taken: Taken,
    presence: Arc<Presence>,
    makes_room: CancellationToken,
}

/// How a place was taken.
#[derive(Debug)]
enum Taken {
    /// By a connection by the wide way, with this number.
    Wide(u64),
    /// By a connection by the narrow way, with this number.
    Narrow(u64),
    /// By a request of this client of a trusted proxy.
    Asking(IpAddr),
}

impl Place {
    /// The way by which the place was taken.
    #[must_use]
    pub fn way(&self) -> Way {
        if matches!(self.taken, Taken::Narrow(_)) { Way::Narrow } else { Way::Wide }
    }

    /// Canceled where the place is to be given back now, because another needs it.
    #[must_use]
    pub fn makes_room(&self) -> CancellationToken {
        self.makes_room.clone()
    }

    /// What the place's connection has shown so far.
    #[must_use]
    pub fn presence(&self) -> Arc<Presence> {
        Arc::clone(&self.presence)
    }
}

impl ConnectionLimiter {
    /// Without connections yet.
    #[must_use]
    pub fn new(bounds: Bounds) -> Arc<Self> {
        Arc::new(Self { bounds, inside: Mutex::default(), proxy_said: AtomicBool::new(false) })
    }

    /// Logs once that `peer`, which is no trusted proxy, names a client: without trust all clients behind that proxy
    /// count as one address.
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

    /// A place for a connection from `address` at `now`; `None` where even the narrow way is full, for all or for this
    /// address, of such as have just come.
    #[must_use]
    pub fn connect(self: &Arc<Self>, address: IpAddr, now: Instant) -> Option<Place> {
        let is_proxy = self.trusts(address);
        let address = network_of(address);
        let counted = (!is_proxy).then_some(address);
        let mut inside = self.lock();
        let of_one = counted.map_or(0, |address| inside.by_address.of(&address));
        let (presence, makes_room) = (Presence::new(now), CancellationToken::new());
        if of_one < self.bounds.one && (inside.all < self.bounds.all || inside.make_room(now)) {
            let number = inside.number();
            inside.all += 1;
            if let Some(address) = counted {
                inside.by_address.add(address);
            }
            let wide =
                Wide { address: counted, came: now, presence: Arc::clone(&presence), makes_room: makes_room.clone() };
            inside.wide.insert(number, wide);
            return Some(self.place(Taken::Wide(number), presence, makes_room));
        }
        self.note_turned_away(&mut inside, address);
        let of_one = inside.narrow.iter().filter(|narrow| !is_proxy && narrow.address == address).count();
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
        let number = inside.number();
        inside.narrow.push_back(Narrow { number, since: now, address, makes_room: makes_room.clone() });
        Some(self.place(Taken::Narrow(number), presence, makes_room))
    }

    fn place(self: &Arc<Self>, taken: Taken, presence: Arc<Presence>, makes_room: CancellationToken) -> Place {
        Place { limiter: Arc::clone(self), taken, presence, makes_room }
    }

    /// A place for a request of the client `address` that a trusted proxy hands on; `None` where that client has as
    /// many.
    #[must_use]
    pub fn ask(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let address = network_of(address);
        let mut inside = self.lock();
        if inside.by_address.of(&address) < self.bounds.one {
            inside.by_address.add(address);
            return Some(self.place(Taken::Asking(address), Presence::new(Instant::now()), CancellationToken::new()));
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

impl Inside {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Makes one connection give up its place; false if none can. Of equally good ones it takes one from the address
    /// that has most of them, and there the oldest.
    fn make_room(&mut self, now: Instant) -> bool {
        let mut of_addresses = Counts::default();
        self.wide.values().for_each(|wide| of_addresses.add(wide.address));
        let ranked = self.wide.iter().filter_map(|(number, wide)| {
            let (rank, since) = wide.rank(now)?;
            Some((rank, Reverse(of_addresses.of(&wide.address)), since, *number))
        });
        let Some((.., number)) = ranked.min() else { return false };
        if let Some(wide) = self.leave(number) {
            wide.makes_room.cancel();
        }
        true
    }

    /// Forgets a connection by the wide way, where it has not made room already.
    fn leave(&mut self, number: u64) -> Option<Wide> {
        let wide = self.wide.remove(&number)?;
        self.all -= 1;
        if let Some(address) = wide.address {
            self.by_address.take_off(&address);
        }
        Some(wide)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut inside = self.limiter.lock();
        match self.taken {
            Taken::Wide(number) => drop(inside.leave(number)),
            // The connection that made room has left the list already.
            Taken::Narrow(number) => inside.narrow.retain(|narrow| narrow.number != number),
            Taken::Asking(address) => inside.by_address.take_off(&address),
        }
    }
}

/// The network that counts as one address.
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

    fn limiter(trusted_proxies: Vec<IpAddr>) -> Arc<ConnectionLimiter> {
        ConnectionLimiter::new(Bounds { all: 5, one: 3, narrow: 3, narrow_of_one: 2, trusted_proxies })
    }

    #[test]
    fn one_address_leaves_room_for_others_and_the_full_house_for_health() {
        let limiter = limiter(Vec::new());
        let begin = Instant::now();
        let enter_after =
            |moments: u32, address: &str| limiter.connect(address.parse().unwrap(), begin + MOMENT * moments);
        let enter = |address: &str| enter_after(0, address);
        let way = |place: &Option<Place>| place.as_ref().map(Place::way);
        let first: Vec<_> = (0..3).map(|_| enter("192.0.2.1")).collect();
        assert!(first.iter().all(|place| way(place) == Some(Way::Wide)));
        let over = enter("::ffff:192.0.2.1");
        assert_eq!(way(&over), Some(Way::Narrow), "the same address in its other form");
        let (a, b) = (enter("2001:db8::1"), enter("2001:db8::2"));
        assert_eq!((way(&a), way(&b)), (Some(Way::Wide), Some(Way::Wide)));
        // Each works with its key, so that none can make room.
        let works = |place: &Place| {
            place.presence().show_key();
            place.presence().begin()
        };
        let working: Vec<_> = first.iter().chain([&a, &b]).flatten().map(works).collect();
        let is_in = |place: &Option<Place>| {
            place.as_ref().map(Place::makes_room).is_some_and(|makes_room| !makes_room.is_cancelled())
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
        drop((first, working));
        assert_eq!(way(&enter("192.0.2.1")), Some(Way::Wide), "a place is free again");
        let third = enter("2001:db8::3");
        assert_eq!((way(&third), way(&enter("2001:db8::4"))), (Some(Way::Wide), Some(Way::Narrow)), "one network");
        drop((a, b, third));
        let inside = limiter.lock();
        assert_eq!((inside.all, inside.narrow.len(), inside.by_address.is_empty()), (0, 0, true));
    }

    #[test]
    fn where_all_is_full_who_waits_or_shows_no_key_makes_room_and_who_has_one_does_not() {
        let limiter =
            ConnectionLimiter::new(Bounds { all: 6, one: 3, narrow: 1, narrow_of_one: 1, trusted_proxies: Vec::new() });
        let begin = Instant::now();
        let enter = |second: u32, address: &str| {
            limiter.connect(address.parse().unwrap(), begin + Duration::from_secs(second.into())).unwrap()
        };
        let is_in = |place: &Place| !place.makes_room().is_cancelled();
        // One connection works with its key, one with a signed address, one has just come; three that have shown keys
        // wait.
        let (works, reads, came) = (enter(0, "192.0.2.1"), enter(1, "192.0.2.2"), enter(2, "192.0.2.3"));
        works.presence().show_key();
        let under_way = [works.presence().begin(), reads.presence().begin()];
        let waits: Vec<_> = (0..3).map(|_| enter(3, "192.0.2.4")).collect();
        waits.iter().for_each(|place| place.presence().show_key());
        let first = enter(10, "198.51.100.1");
        assert_eq!((first.way(), is_in(&came), is_in(&reads)), (Way::Wide, false, true));
        first.presence().show_key();
        let working = first.presence().begin();
        let mut more = Vec::new();
        for second in 11..14 {
            let place = enter(second, &format!("198.51.100.{second}"));
            place.presence().show_key();
            more.push((place.presence().begin(), place));
        }
        assert!(waits.iter().all(|place| !is_in(place)) && is_in(&reads), "who only waits loses no answer");
        let last = enter(20, "203.0.113.1");
        assert_eq!((last.way(), is_in(&reads), is_in(&works)), (Way::Wide, false, true));
        last.presence().show_key();
        let last_works = last.presence().begin();
        assert_eq!(enter(30, "203.0.113.2").way(), Way::Narrow, "all work with their keys");
        drop((under_way, working, last_works));
        drop((works, reads, came, waits, first, more, last));
        let inside = limiter.lock();
        assert!(inside.all == 0 && inside.wide.is_empty() && inside.by_address.is_empty() && inside.narrow.is_empty());
    }

    #[test]
    fn the_address_that_has_most_makes_room_first_and_who_has_just_come_stays() {
        let limiter =
            ConnectionLimiter::new(Bounds { all: 4, one: 3, narrow: 2, narrow_of_one: 2, trusted_proxies: Vec::new() });
        let begin = Instant::now();
        let enter =
            |moments: u32, address: &str| limiter.connect(address.parse().unwrap(), begin + MOMENT * moments).unwrap();
        let few = enter(0, "192.0.2.1");
        let many: Vec<_> = (1..4).map(|moment| enter(moment, "192.0.2.2")).collect();
        let next = enter(4, "192.0.2.3");
        let gone: Vec<_> = [&few].into_iter().chain(&many).map(|place| place.makes_room().is_cancelled()).collect();
        assert_eq!((next.way(), gone), (Way::Wide, vec![false, true, false, false]));
        let limiter =
            ConnectionLimiter::new(Bounds { all: 1, one: 1, narrow: 1, narrow_of_one: 1, trusted_proxies: Vec::new() });
        let first = limiter.connect("192.0.2.1".parse().unwrap(), begin).unwrap();
        let next = limiter.connect("192.0.2.2".parse().unwrap(), begin + MOMENT / 2).unwrap();
        assert_eq!((next.way(), first.makes_room().is_cancelled()), (Way::Narrow, false));
    }

    #[test]
    fn a_trusted_proxy_has_all_of_the_narrow_way() {
        let proxy: IpAddr = "10.0.0.1".parse().unwrap();
        let limiter = limiter(vec![proxy]);
        let places: Vec<_> = (0..8).map(|_| limiter.connect(proxy, Instant::now()).unwrap()).collect();
        assert_eq!(places.iter().filter(|place| place.way() == Way::Narrow).count(), 3);
    }

    #[test]
    fn behind_a_trusted_proxy_clients_are_counted_and_not_the_proxy() {
        let proxy: IpAddr = "10.0.0.1".parse().unwrap();
        let limiter = limiter(vec![proxy]);
        let connections: Vec<_> = (0..5).map(|_| limiter.connect(proxy, Instant::now()).unwrap()).collect();
        assert!(connections.iter().all(|place| place.way() == Way::Wide));
        let client = "192.0.2.9".parse().unwrap();
        let requests: Vec<_> = (0..3).map(|_| limiter.ask(client).unwrap()).collect();
        assert!(limiter.ask(client).is_none() && limiter.ask("192.0.2.8".parse().unwrap()).is_some());
        drop(requests);
        assert!(limiter.ask(client).is_some());
    }
}
