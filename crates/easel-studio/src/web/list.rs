//! Lists: limit, offset and cursor of a request, and the pages of its answer, in both versions (specification,
//! "Differences between versions"; contract, "Versions").
//!
//! A cursor names the last item of a page by its sort key, so that a page costs the same at any position and no item
//! that was there throughout is missed. It is signed and bound to its endpoint and filters: a changed one, or one from
//! another list, is 400. Values out of bounds are refused, never clamped. Not here: SQL.

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use data_encoding::BASE64URL_NOPAD;
use easel_wire::Version;
use hmac::{Hmac, KeyInit, Mac};
use serde::de::DeserializeOwned;
use serde::ser::{Serialize, SerializeMap, Serializer};
use sha2::Sha256;

use super::extract::Query;
use crate::core::error::Error;
use crate::core::page::Start;

/// `limit` where a request names none.
pub const DEFAULT_LIMIT: u64 = 20;
/// The largest `limit` of the drive's lists.
pub const MAX_DRIVE_LIMIT: u64 = 200;

/// The largest `limit` of the other lists (contract, "Versions").
pub const MAX_LIMIT: u64 = 100;

/// Bytes of the signature at the end of a cursor.
const TAG_BYTES: usize = 16;

/// Which page of a list is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageQuery<T> {
    /// At most so many items.
    pub limit: u64,
    /// Where it begins.
    pub start: Start<T>,
}

impl<T> PageQuery<T> {
    /// The offset that the page begins at; zero with a cursor.
    #[must_use]
    pub fn offset(&self) -> u64 {
        match self.start {
            Start::Offset(offset) => offset,
            Start::After(_) => 0,
        }
    }
}

impl<T: DeserializeOwned> PageQuery<T> {
    /// Reads `limit` and, by the version, `cursor` or `offset` of a list that is none of the drive's; the other of the
    /// two is an unknown parameter there. `limits` are the limit where none is named and the largest one. `binding`
    /// names the endpoint with every filter.
    ///
    /// # Errors
    /// [`Error::Validation`] for a number out of range, [`Error::InvalidRequest`] for a forged cursor.
    pub fn of_list(
        query: &Query,
        cursors: &Cursors,
        binding: &str,
        version: Version,
        limits: (u64, u64),
    ) -> Result<Self, Error> {
        let limit = query.number("limit", 1..=limits.1)?.unwrap_or(limits.0);
        let start = match version {
            Version::Legacy => Start::Offset(query.number("offset", 0..=i64::MAX as u64)?.unwrap_or(0)),
            Version::Canonical => match query.text("cursor")? {
                Some(cursor) => Start::After(cursors.open(binding, cursor)?),
                None => Start::Offset(0),
            },
        };
        Ok(Self { limit, start })
    }

    /// Reads `limit`, `offset` and `cursor` of a drive list, which takes both in both versions. `binding` names the
    /// endpoint with every filter and the order; it is only made for a cursor.
    ///
    /// # Errors
    /// [`Error::Validation`] for a number out of range or both at once, [`Error::InvalidRequest`] for a forged cursor.
    pub fn of_drive(query: &Query, cursors: &Cursors, binding: impl FnOnce() -> String) -> Result<Self, Error> {
        let limit = query.number("limit", 1..=MAX_DRIVE_LIMIT)?.unwrap_or(DEFAULT_LIMIT);
        let offset = query.number("offset", 0..=i64::MAX as u64)?;
        let start = match (offset, query.text("cursor")?) {
            (Some(_), Some(_)) => return Err(Error::validation("cursor", "not_with_offset")),
            (None, Some(cursor)) => Start::After(cursors.open(&binding(), cursor)?),
            (offset, None) => Start::Offset(offset.unwrap_or(0)),
        };
        Ok(Self { limit, start })
    }
}

/// A page, ready to be written in either version.
#[derive(Debug)]
pub struct ListPage<T> {
    /// The list's name in `2026-04-12`, such as `files`.
    pub resource: &'static str,
    /// The items.
    pub items: Vec<T>,
    /// How many there are in all, where the list says so in `2026-05-01` too.
    pub total: u64,
    /// The limit that was asked for.
    pub limit: u64,
    /// The offset that was asked for.
    pub offset: u64,
    /// The cursor for the next page; `None` on the last page.
    pub next_cursor: Option<String>,
}

impl<T: Serialize> ListPage<T> {
    /// The response of a list that is none of the drive's: a cursor in `2026-05-01`, a total with its offset in
    /// `2026-04-12`, and nothing of the other.
    pub fn into_list_response(self, version: Version) -> Response {
        axum::Json(Body { page: &self, version, is_of_drive: false }).into_response()
    }

    /// The body of a drive list's response, JSON in the shape of `version`, with `total` in both.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for an item that cannot be written; none is.
    pub fn write(&self, version: Version) -> Result<Bytes, Error> {
        let body = serde_json::to_vec(&Body { page: self, version, is_of_drive: true });
        body.map(Bytes::from).map_err(|_| Error::Corrupt("a page that cannot be written"))
    }
}

/// A page in the shape of a version. Written field by field: a page of the drive is large, and asked for often.
struct Body<'a, T> {
    page: &'a ListPage<T>,
    version: Version,
    is_of_drive: bool,
}

impl<T: Serialize> Serialize for Body<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { page, version, is_of_drive } = self;
        let is_legacy = *version == Version::Legacy;
        let mut body = serializer.serialize_map(None)?;
        body.serialize_entry(if is_legacy { page.resource } else { "data" }, &page.items)?;
        if is_legacy || *is_of_drive {
            body.serialize_entry("total", &page.total)?;
        }
        if is_legacy {
            body.serialize_entry("limit", &page.limit)?;
            body.serialize_entry("offset", &page.offset)?;
        }
        if !is_legacy || *is_of_drive {
            body.serialize_entry("next_cursor", &page.next_cursor)?;
        }
        body.serialize_entry("has_more", &page.next_cursor.is_some())?;
        body.end()
    }
}

/// Signs and checks cursors.
pub struct Cursors {
    key: [u8; 32],
}

impl Cursors {
    /// With a key that only this data folder has.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self { key }
    }

    /// The cursor behind the item with the sort key `position`.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for a sort key that is not JSON; none is.
    pub fn seal<T: Serialize>(&self, binding: &str, position: &T) -> Result<String, Error> {
        let mut bytes = serde_json::to_vec(position).map_err(|_| Error::Corrupt("a sort key"))?;
        let tag = self.tag(binding, &bytes);
        bytes.extend_from_slice(&tag);
        Ok(BASE64URL_NOPAD.encode(&bytes))
    }

    /// The sort key in a cursor that was made for the same `binding`.
    ///
    /// # Errors
    /// [`Error::InvalidRequest`] for any other text.
    pub fn open<T: DeserializeOwned>(&self, binding: &str, cursor: &str) -> Result<T, Error> {
        let forged = || Error::invalid_request("the cursor is not one of this list");
        let bytes = BASE64URL_NOPAD.decode(cursor.as_bytes()).map_err(|_| forged())?;
        let (position, tag) = bytes.split_last_chunk::<TAG_BYTES>().ok_or_else(forged)?;
        let mut mac = self.mac(binding);
        mac.update(position);
        mac.verify_truncated_left(tag).map_err(|_| forged())?;
        serde_json::from_slice(position).map_err(|_| forged())
    }

    fn tag(&self, binding: &str, position: &[u8]) -> [u8; TAG_BYTES] {
        let mut mac = self.mac(binding);
        mac.update(position);
        let mut tag = [0; TAG_BYTES];
        tag.copy_from_slice(&mac.finalize().into_bytes()[..TAG_BYTES]);
        tag
    }

    fn mac(&self, binding: &str) -> Hmac<Sha256> {
        #[expect(clippy::expect_used, reason = "HMAC takes a key of any length")]
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("HMAC takes a key of any length");
        mac.update(&(binding.len() as u64).to_be_bytes());
        mac.update(binding.as_bytes());
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    type Key = (i64, String);

    #[test]
    fn a_cursor_reads_back_only_where_it_was_made() {
        let cursors = Cursors::new([7; 32]);
        let key: Key = (42, "x".to_owned());
        let cursor = cursors.seal("files?sort=name", &key).unwrap();
        assert_eq!(cursors.open::<Key>("files?sort=name", &cursor).unwrap(), key);
        assert!(cursors.open::<Key>("files?sort=size", &cursor).is_err());
        assert!(cursors.open::<Key>("", &cursor).is_err());
        assert!(Cursors::new([8; 32]).open::<Key>("files?sort=name", &cursor).is_err());
    }

    #[test]
    fn a_cursor_with_any_changed_character_is_refused() {
        let cursors = Cursors::new([7; 32]);
        let cursor = cursors.seal("b", &(1_i64, "y".to_owned())).unwrap();
        for place in 0..cursor.len() {
            let mut forged = cursor.clone().into_bytes();
            forged[place] = if forged[place] == b'A' { b'B' } else { b'A' };
            let forged = String::from_utf8(forged).unwrap();
            assert!(matches!(cursors.open::<Key>("b", &forged), Err(Error::InvalidRequest { .. })), "{forged}");
        }
        for text in ["", "A", "not base64!", &cursor[1..], &cursor[..cursor.len() - 1]] {
            assert!(cursors.open::<Key>("b", text).is_err());
        }
    }

    #[test]
    fn a_page_is_never_clamped() {
        let cursors = Cursors::new([7; 32]);
        let read = |text: &str| PageQuery::<Key>::of_drive(&Query::parse(text), &cursors, || "b".to_owned());
        assert_eq!(read("").unwrap(), PageQuery { limit: 20, start: Start::Offset(0) });
        assert_eq!(read("limit=200&offset=5").unwrap(), PageQuery { limit: 200, start: Start::Offset(5) });
        for text in ["limit=201", "limit=0", "offset=-1", "offset=x", "offset=9223372036854775808", "cursor=x"] {
            assert!(read(text).is_err(), "{text}");
        }
        let cursor = cursors.seal("b", &(1_i64, "y".to_owned())).unwrap();
        let list = |text: &str, version| {
            PageQuery::<Key>::of_list(&Query::parse(text), &cursors, "b", version, (DEFAULT_LIMIT, MAX_LIMIT))
        };
        let both = format!("offset=7&cursor={cursor}");
        assert_eq!(list(&both, Version::Legacy).unwrap().start, Start::Offset(7));
        assert_eq!(list(&both, Version::Canonical).unwrap().start, Start::After((1, "y".to_owned())));
        assert!(list("limit=100", Version::Legacy).is_ok() && list("limit=101", Version::Legacy).is_err());
        assert!(list("cursor=x", Version::Canonical).is_err());
        assert!(read(&format!("offset=0&cursor={cursor}")).is_err());
        assert_eq!(read(&format!("cursor={cursor}")).unwrap().start, Start::After((1, "y".to_owned())));
    }

    #[test]
    fn an_offset_is_told_where_one_was_asked_for() {
        assert_eq!(PageQuery { limit: 1, start: Start::<Key>::Offset(7) }.offset(), 7);
        assert_eq!(PageQuery { limit: 1, start: Start::After((1, "y".to_owned())) }.offset(), 0);
    }

    #[tokio::test]
    async fn a_page_has_the_fields_of_its_version_and_of_its_kind_and_no_others() {
        let page = |next: Option<&str>| ListPage {
            resource: "files",
            items: vec!["a", "b"],
            total: 9,
            limit: 2,
            offset: 4,
            next_cursor: next.map(str::to_owned),
        };
        let drive =
            |next, version| serde_json::from_slice::<serde_json::Value>(&page(next).write(version).unwrap()).unwrap();
        assert_eq!(
            drive(Some("c"), Version::Canonical),
            json!({"data": ["a", "b"], "total": 9, "next_cursor": "c", "has_more": true})
        );
        assert_eq!(
            drive(None, Version::Legacy),
            json!({"files": ["a", "b"], "total": 9, "limit": 2, "offset": 4, "next_cursor": null, "has_more": false})
        );
        let other = async |next, version| {
            let body = page(next).into_list_response(version).into_body();
            let bytes = axum::body::to_bytes(body, 1_000).await.unwrap();
            serde_json::from_slice::<serde_json::Value>(&bytes).unwrap()
        };
        assert_eq!(
            other(None, Version::Canonical).await,
            json!({"data": ["a", "b"], "next_cursor": null, "has_more": false})
        );
        assert_eq!(
            other(Some("c"), Version::Legacy).await,
            json!({"files": ["a", "b"], "total": 9, "limit": 2, "offset": 4, "has_more": true})
        );
    }
}
