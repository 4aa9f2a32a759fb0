//! How often codes of invitations are tried: so many times a minute from one address, and from all together.
//!
//! Always true: a try that is refused for its address takes nothing from all together, so that one address alone keeps
//! nobody else out; memory is bounded by what all may try. Not here: whether a code is good.

use std::net::IpAddr;
use std::time::Duration;

use crate::core::error::Error;
use crate::db::Db;
use crate::studio::rates::{Counted, SharedRate};
use crate::web::origin::Origin;

/// Tries a minute from one address.
pub const OF_ADDRESS: u32 = 10;
/// Tries a minute from all addresses.
const OF_ALL: u32 = 300;

/// How often codes are tried.
#[derive(Debug)]
pub struct Redemptions {
    of_address: SharedRate<Address>,
    of_all: SharedRate<All>,
}

/// An address, where it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Address(Option<IpAddr>);

/// Everybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct All;

impl Counted for Address {
    fn bytes(&self) -> Vec<u8> {
        self.0.map(|address| address.to_string().into_bytes()).unwrap_or_default()
    }
}

impl Counted for All {
    fn bytes(&self) -> Vec<u8> {
        Vec::new()
    }
}

impl Redemptions {
    /// Nothing tried yet. With a database, all processes on it count together.
    #[must_use]
    pub fn new(counting: Option<Db>) -> Self {
        let of_address = SharedRate::new("redemption", counting.clone());
        Self { of_address, of_all: SharedRate::new("redemptions", counting) }
    }

    /// Counts a try from `origin` at the moment `now`, which never goes back.
    ///
    /// # Errors
    /// [`Error::RateLimited`], [`Error::Database`].
    pub async fn take(&self, origin: Origin, now: Duration) -> Result<(), Error> {
        let taken = self.of_all.take(All, OF_ALL, now).await?;
        let address = Address(origin.0.map(|address| network_of(address.to_canonical())));
        if let Err(refused) = self.of_address.take(address, OF_ADDRESS, now).await {
            self.of_all.give_back(taken).await;
            return Err(refused);
        }
        Ok(())
    }
}

/// The address itself, or of version 6 the network that one household has.
fn network_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_is_held_back_and_keeps_nobody_else_out() {
        let redemptions = Redemptions::new(None);
        let at = |address: &str, second: u64| {
            let origin = Origin(Some(address.parse().unwrap()));
            futures_util::FutureExt::now_or_never(redemptions.take(origin, Duration::from_secs(second)))
                .unwrap()
                .is_ok()
        };
        let passed = (0..5_000).filter(|_| at("192.0.2.1", 0)).count();
        assert_eq!(passed, 10);
        assert!(at("192.0.2.2", 1));
        let passed = (0..100).filter(|number| at(&format!("2001:db8:1:1::{number}"), 2)).count();
        assert_eq!(passed, 10, "of one network");
        let passed = (0..1_000).filter(|number| at(&format!("2001:db8:2:{number:x}::1"), 3)).count();
        assert_eq!(passed, 300 - 21, "of all together");
        assert!(at("192.0.2.1", 63));
    }
}
