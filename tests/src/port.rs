//! Ports for programs of a test.
//!
//! Always true: as long as its value lives, the system gives a port to nobody else who asks for any port, be it to
//! listen or to connect from it, whether or not the test's program runs. No connection is accepted there until that
//! program listens. Deliberately not here: ports that a program chooses and tells, which need no keeping for a program
//! that is started once.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};

use tokio::net::TcpSocket;

/// A port of this computer's own address.
pub struct HeldPort {
    /// Bound and never listened on: a program that sets the option to reuse an address, as servers do, can listen
    /// beside it.
    _socket: TcpSocket,
    address: SocketAddr,
}

impl HeldPort {
    /// A port that nobody has.
    ///
    /// # Panics
    /// Where the system has none.
    #[must_use]
    pub fn any() -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_reuseaddr(true).expect("an address that others may use too");
        socket.bind((Ipv4Addr::LOCALHOST, 0).into()).expect("a port");
        let address = socket.local_addr().expect("an address");
        Self { _socket: socket, address }
    }

    /// Its number.
    #[must_use]
    pub const fn number(&self) -> u16 {
        self.address.port()
    }
}

impl fmt::Display for HeldPort {
    /// The address with the port, such as `127.0.0.1:80`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.address.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn one_program_after_the_other_can_listen_there_and_nobody_answers_between_them() {
        let port = HeldPort::any();
        for _ in 0..2 {
            let refused = TcpStream::connect(port.to_string()).expect_err("nobody");
            assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
            let listener = TcpListener::bind(port.to_string()).expect("the port");
            TcpStream::connect(port.to_string()).expect("the program");
            drop(listener);
        }
    }
}
