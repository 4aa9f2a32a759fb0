//! How far network addresses reach: this computer, its network, or everyone's (contract, "Webhooks"), by the registries
//! of special-purpose addresses (RFC 6890 and IANA's later entries). Both sides are given addresses by strangers: the
//! studio those of callbacks and attachments, a client those of pictures.
//!
//! Deliberately strict: an address that translates to an IPv4 address is judged as that address, and one that may
//! tunnel to an IPv4 address is not global. Not here: looking a name up.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// How far an address reaches. The nearer is the smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// Loopback, and addresses that systems treat as loopback.
    ThisComputer,
    /// Private networks, link-local addresses, and every other address outside the public network.
    LocalNetwork,
    /// The public network.
    Everyone,
}

impl Reach {
    /// The reach of an address.
    #[must_use]
    pub fn of(address: IpAddr) -> Self {
        // A connection to the unspecified address goes to this computer.
        let canonical = address.to_canonical();
        if canonical.is_loopback() || canonical.is_unspecified() {
            Self::ThisComputer
        } else if is_global(address) {
            Self::Everyone
        } else {
            Self::LocalNetwork
        }
    }
}

/// Whether a name means this computer (RFC 6761, section 6.3).
#[must_use]
pub fn names_this_machine(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost")
}

/// Whether an address belongs to the public network.
#[must_use]
pub fn is_global(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_global_v4(address),
        IpAddr::V6(address) => is_global_v6(address),
    }
}

fn is_global_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = match (a, b, c) {
        // This network, private, loopback, link-local (cloud metadata among it), private again.
        (0 | 10 | 127, ..) | (169, 254, _) | (192, 168, _) => true,
        (172, 16..=31, _) => true,
        // Shared by carriers; protocol assignments; documentation; 6to4 relays; benchmarks.
        (100, 64..=127, _) | (192, 0, 0 | 2) | (192, 88, 99) | (198, 18 | 19, _) => true,
        (198, 51, 100) | (203, 0, 113) => true,
        // Multicast, reserved, broadcast.
        (224.., ..) => true,
        _ => false,
    };
    !special
}

fn is_global_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    let embedded = || {
        let [.., high, low] = segments;
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Ipv4Addr::new(a, b, c, d)
    };
    match segments {
        // Mapped from IPv4, and translated to it (RFC 6052).
        [0, 0, 0, 0, 0, 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => is_global_v4(embedded()),
        // Teredo and other protocol assignments; documentation; 6to4.
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x2002, ..] => false,
        [0x3fff, 0..=0xfff, ..] => false,
        // Of all other addresses, only this block is assigned to the public network.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_public_network_are_global() {
        let check = |addresses: &[&str], expected: bool| {
            for text in addresses {
                let address: IpAddr = text.parse().unwrap();
                assert_eq!(is_global(address), expected, "{text}");
                if let IpAddr::V4(address) = address {
                    assert_eq!(is_global(address.to_ipv6_mapped().into()), expected, "{text}, mapped");
                }
            }
        };
        check(&["1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0"], true);
        check(
            &["126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0"],
            true,
        );
        check(&["192.0.1.0", "192.0.3.0", "192.88.98.1", "192.88.100.1", "192.167.255.255", "192.169.0.0"], true);
        check(&["198.17.255.255", "198.20.0.0", "198.51.99.1", "203.0.112.1", "203.0.114.1", "223.255.255.255"], true);
        check(&["0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255"], false);
        check(
            &["127.0.0.1", "127.255.255.255", "169.254.0.0", "169.254.169.254", "172.16.0.0", "172.31.255.255"],
            false,
        );
        check(&["192.0.0.0", "192.0.2.1", "192.88.99.1", "192.168.0.0", "192.168.255.255", "198.18.0.0"], false);
        check(&["198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"], false);
        check(&["2606:4700:4700::1111", "2a00:1450::1", "2001:4860:4860::8888", "2001:200::1", "3ffe::1"], true);
        check(&["64:ff9b::8.8.8.8"], true);
        check(
            &["::", "::1", "::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::1", "100::1", "fc00::1", "fd00:ec2::254"],
            false,
        );
        check(
            &["fe80::1", "fec0::1", "ff02::1", "2001::1", "2001:1ff::1", "2001:db8::1", "2002:7f00:1::", "3fff::1"],
            false,
        );
        check(&["4000::1", "1fff::1"], false);
    }

    #[test]
    fn an_address_reaches_this_computer_its_network_or_everyone() {
        let check = |texts: &[&str], expected: Reach| {
            for text in texts {
                assert_eq!(Reach::of(text.parse().unwrap()), expected, "{text}");
            }
        };
        check(&["127.0.0.1", "127.9.9.9", "::1", "0.0.0.0", "::", "::ffff:127.0.0.1"], Reach::ThisComputer);
        check(
            &["192.168.1.1", "10.0.0.1", "169.254.169.254", "fe80::1", "fd00::1", "::ffff:10.0.0.1"],
            Reach::LocalNetwork,
        );
        check(&["8.8.8.8", "2606:4700::1111"], Reach::Everyone);
        assert!(Reach::ThisComputer < Reach::LocalNetwork && Reach::LocalNetwork < Reach::Everyone);
    }

    #[test]
    fn a_name_that_means_this_machine_is_known() {
        for (name, expected) in [
            ("localhost", true),
            ("Localhost.", true),
            ("a.localhost", true),
            ("notlocalhost", false),
            ("a.example", false),
        ] {
            assert_eq!(names_this_machine(name), expected, "{name}");
        }
    }
}
