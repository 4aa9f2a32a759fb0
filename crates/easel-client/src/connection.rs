//! A connection: the base address of a service, the key, and the name of the version header.
//!
//! Always true: the address is https or http, has no credentials, and ends without a slash and without `/v1`; the key
//! is valid in a header and never shows in `Debug`. Not here: whether plain http is allowed (that is checked when a
//! client is made, so that a person can be asked first).

use std::fmt;

use easel_wire::DEFAULT_VERSION_HEADER;
use http::header::{self, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use url::{Host, Url};

use crate::error::{AddressProblem, Error};

/// Header names that already have a meaning for HTTP or for the service.
const TAKEN: &[HeaderName] = &[
    header::ACCEPT,
    header::AUTHORIZATION,
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::CONTENT_TYPE,
    header::COOKIE,
    header::HOST,
    header::PROXY_AUTHORIZATION,
    header::RANGE,
    header::TRANSFER_ENCODING,
    header::USER_AGENT,
];

/// A service and the key to it.
#[derive(Clone)]
pub struct Connection {
    base_url: Url,
    version_header: HeaderName,
    key: SecretString,
    plain_http_confirmed: bool,
}

impl Connection {
    /// A connection to the service at `base_url`. Without a scheme, https is meant, or http on loopback; a trailing
    /// `/v1` is taken off.
    ///
    /// # Errors
    /// [`Error::InvalidAddress`] and [`Error::InvalidKey`].
    pub fn new(base_url: &str, key: SecretString) -> Result<Self, Error> {
        let base_url = parse_base_url(base_url).map_err(|problem| Error::InvalidAddress { problem })?;
        let trimmed = key.expose_secret().trim();
        let key = if trimmed.len() == key.expose_secret().len() { key } else { SecretString::from(trimmed) };
        let connection = Self {
            base_url,
            version_header: HeaderName::from_static("service-version"),
            key,
            plain_http_confirmed: false,
        };
        connection.authorization()?;
        connection.with_version_header(DEFAULT_VERSION_HEADER)
    }

    /// The same connection with another name of the version header (contract, introduction).
    ///
    /// # Errors
    /// [`Error::InvalidVersionHeader`] where `name` is no header name or already has another meaning.
    pub fn with_version_header(mut self, name: &str) -> Result<Self, Error> {
        let refused = || Error::InvalidVersionHeader { name: name.to_owned() };
        let header = HeaderName::from_bytes(name.trim().as_bytes()).map_err(|_| refused())?;
        if TAKEN.contains(&header) {
            return Err(refused());
        }
        self.version_header = header;
        Ok(self)
    }

    /// The same connection, after a person allowed unencrypted requests to this host. Other hosts still need
    /// encryption.
    #[must_use]
    pub const fn confirm_plain_http(mut self) -> Self {
        self.plain_http_confirmed = true;
        self
    }

    /// The base address, without a trailing slash and without `/v1`.
    #[must_use]
    pub const fn base_url(&self) -> &Url {
        &self.base_url
    }

    /// The name of the version header, in lower case.
    #[must_use]
    pub fn version_header(&self) -> &str {
        self.version_header.as_str()
    }

    pub(crate) const fn version_header_name(&self) -> &HeaderName {
        &self.version_header
    }

    pub(crate) const fn key(&self) -> &SecretString {
        &self.key
    }

    /// The Authorization header's value, marked as sensitive.
    pub(crate) fn authorization(&self) -> Result<HeaderValue, Error> {
        let key = self.key.expose_secret();
        if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::InvalidKey);
        }
        let mut value = HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| Error::InvalidKey)?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// Refuses plain http to another host unless a person allowed it for that host. (`url` may be storage's, with
    /// another port, or a host that nobody was asked about.)
    pub(crate) fn check_encryption(&self, url: &Url) -> Result<(), Error> {
        let is_confirmed = self.plain_http_confirmed && url.host() == self.base_url.host();
        if url.scheme() == "https" || is_confirmed || is_loopback(url) {
            return Ok(());
        }
        Err(Error::PlainHttpRefused { host: url.host_str().unwrap_or_default().to_owned() })
    }
}

impl fmt::Debug for Connection {
    /// Leaves the key out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("base_url", &self.base_url.as_str())
            .field("version_header", &self.version_header)
            .field("plain_http_confirmed", &self.plain_http_confirmed)
            .finish_non_exhaustive()
    }
}

/// Whether an address is on this computer, so that neither encryption nor a proxy is wanted.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

fn parse_base_url(text: &str) -> Result<Url, AddressProblem> {
    let text = text.trim();
    let mut url = if text.contains("://") {
        Url::parse(text).map_err(|_| AddressProblem::NotAUrl)?
    } else {
        let encrypted = Url::parse(&format!("https://{text}")).map_err(|_| AddressProblem::NotAUrl)?;
        if is_loopback(&encrypted) {
            Url::parse(&format!("http://{text}")).map_err(|_| AddressProblem::NotAUrl)?
        } else {
            encrypted
        }
    };
    if !matches!(url.scheme(), "https" | "http") {
        return Err(AddressProblem::Scheme);
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(AddressProblem::NotAUrl);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(AddressProblem::Credentials);
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(AddressProblem::Query);
    }
    let path = url.path().trim_end_matches('/');
    let path = path.strip_suffix("/v1").unwrap_or(path).to_owned();
    url.set_path(&path);
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connect(address: &str) -> Result<Connection, Error> {
        Connection::new(address, SecretString::from("svc_live_00"))
    }

    #[test]
    fn an_address_is_understood_as_people_write_it() {
        let check = |address: &str, expected: &str| {
            assert_eq!(connect(address).unwrap().base_url().as_str(), expected, "{address}");
        };
        check("https://api.example.com", "https://api.example.com/");
        check(" https://api.example.com/v1/ ", "https://api.example.com/");
        check("https://example.com/designs/v1", "https://example.com/designs");
        check("api.example.com", "https://api.example.com/");
        check("127.0.0.1:4810", "http://127.0.0.1:4810/");
        check("localhost:4810", "http://localhost:4810/");
        check("[::1]:4810", "http://[::1]:4810/");
        check("HTTPS://API.EXAMPLE.COM", "https://api.example.com/");
    }

    #[test]
    fn what_is_no_address_is_refused_by_its_cause() {
        let check = |address: &str, expected: AddressProblem| match connect(address) {
            Err(Error::InvalidAddress { problem }) => assert_eq!(problem, expected, "{address}"),
            other => panic!("{address}: {other:?}"),
        };
        check("", AddressProblem::NotAUrl);
        check("https://", AddressProblem::NotAUrl);
        check("ftp://example.com", AddressProblem::Scheme);
        check("file:///etc/passwd", AddressProblem::Scheme);
        check("https://me:secret@example.com", AddressProblem::Credentials);
        check("https://example.com/?a=b", AddressProblem::Query);
    }

    #[test]
    fn a_key_that_cannot_stand_in_a_header_is_refused() {
        for key in ["", "   ", "a b", "a\r\nb", "schlüssel"] {
            let refused = Connection::new("https://example.com", SecretString::from(key));
            assert!(matches!(refused, Err(Error::InvalidKey)), "{key:?}");
        }
        assert!(Connection::new("https://example.com", SecretString::from(" svc_live_1 \n")).is_ok());
    }

    #[test]
    fn a_version_header_must_be_a_name_that_means_nothing_else() {
        let with = |name: &str| connect("https://example.com").unwrap().with_version_header(name);
        assert_eq!(with("Acme-Version").unwrap().version_header(), "acme-version");
        for name in ["", "a b", "Authorization", "content-type", "x:y"] {
            assert!(matches!(with(name), Err(Error::InvalidVersionHeader { .. })), "{name:?}");
        }
    }

    #[test]
    fn plain_http_leaves_this_machine_only_when_confirmed() {
        let refused =
            |connection: &Connection, url: &str| connection.check_encryption(&Url::parse(url).unwrap()).is_err();
        let connection = connect("https://example.com").unwrap();
        assert!(refused(&connection, "http://example.com"));
        assert!(refused(&connection, "http://127.0.0.1.example.com"));
        assert!(!refused(&connection, "https://example.com"));
        assert!(!refused(&connection, "http://127.3.2.1:80"));
        assert!(!refused(&connection, "http://[::1]"));
        let confirmed = connection.confirm_plain_http();
        assert!(!refused(&confirmed, "http://example.com"));
        assert!(!refused(&confirmed, "http://example.com:8081/storage"));
        assert!(refused(&confirmed, "http://storage.example.com"), "the yes was for one host");
    }

    #[test]
    fn the_key_never_shows() {
        let connection = Connection::new("https://example.com", SecretString::from("svc_live_feedbeef")).unwrap();
        assert!(!format!("{connection:?} {:?}", connection.authorization()).contains("feedbeef"));
    }
}
