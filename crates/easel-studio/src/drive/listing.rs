//! What the two drive lists have in common: their query, and their page as it goes out (contract, "Versions", "Drive").
//!
//! Every desktop asks for them again and again to see what has changed, so pages are kept as they went out for as long
//! as nothing has. A page is of one moment: nothing was written while it was read, or it was read in one transaction.

use std::future::Future;

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use easel_wire::error::FieldError;
use easel_wire::{Timestamp, Version};
use http::header;
use serde::Serialize;

use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::db::drive::{ListQuery, Listed, Place, Position, Sort, SortKey};
use crate::db::{DbConnection, Viewer};
use crate::studio::SharedStudio;
use crate::studio::callers::AsOf;
use crate::web::extract::Query;
use crate::web::list::{Cursors, ListPage, PageQuery};
use crate::wire::FolderId;
use crate::wire::id::IdError;

/// A request for a list.
#[derive(Debug)]
pub(super) struct ListRequest {
    /// What the database is asked.
    pub(super) query: ListQuery,
    /// The list's name in `2026-04-12`.
    resource: &'static str,
    offset: u64,
}

/// What a cursor is bound to: the endpoint, the filters and the order.
fn bind(resource: &str, place: Place, sort: Sort, updated_since: Option<Timestamp>, hidden: bool) -> String {
    format!("{resource} {place:?} {sort:?} {:?} {hidden}", updated_since.map(Timestamp::as_micros))
}

impl ListRequest {
    /// Reads the query of the list `resource`, whose place is named by the parameter `place`.
    ///
    /// # Errors
    /// 422 for a wrong filter, order or number, 400 for a cursor that is not one of this list.
    pub(super) fn read(
        query: &Query,
        (resource, place): (&'static str, &str),
        hidden: bool,
        cursors: &Cursors,
    ) -> Result<Self, Error> {
        let place = read_place(query, place)?;
        let sort = read_sort(query)?;
        let updated_since = match query.text("updated_since")? {
            Some(text) => Some(text.parse::<Timestamp>().map_err(|_| Error::validation("updated_since", "invalid"))?),
            None => None,
        };
        let bind = || bind(resource, place, sort, updated_since, hidden);
        let page = PageQuery::<Position>::of_drive(query, cursors, bind)?;
        let offset = page.offset();
        let limit = u32::try_from(page.limit).unwrap_or(u32::MAX);
        Ok(Self { query: ListQuery { place, sort, updated_since, start: page.start, limit, hidden }, resource, offset })
    }

    /// The page, as it is kept or as `list` reads it now, in the shape of `version`.
    ///
    /// # Errors
    /// What `list` fails with.
    pub(super) async fn answer<T, W: Serialize>(
        &self,
        studio: &SharedStudio,
        viewer: Viewer,
        as_of: AsOf,
        version: Version,
        list: impl ReadPage<T>,
        into_wire: impl Fn(T) -> W + Send,
    ) -> Result<Response, Error> {
        let seen = as_of.database;
        let key = (viewer, version, self.resource, self.query.clone());
        let read = async || {
            let mut listed = None;
            let is_of_one_moment = list.is_one_statement(&self.query);
            // A server does not tell what changes meanwhile: there several statements are of one moment in a transaction alone.
            if seen.is_some() || is_of_one_moment {
                let read = list.read(&mut *studio.db.reader().await?, viewer, &self.query).await?;
                listed = (is_of_one_moment || studio.db.look() == seen).then_some(read);
            }
            let listed = match listed {
                Some(listed) => listed,
                None => list.read(&mut *studio.db.read().begin().await?, viewer, &self.query).await?,
            };
            self.write(listed, version, &studio.cursors, into_wire)
        };
        let body = match as_of.drive_change {
            Some(change) => studio.counted_pages.get(change, key, read).await?,
            None => studio.pages.get(seen.as_ref(), key, read).await?,
        };
        Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
    }

    fn binding(&self) -> String {
        let ListQuery { place, sort, updated_since, hidden, .. } = self.query;
        bind(self.resource, place, sort, updated_since, hidden)
    }

    fn write<T, W: Serialize>(
        &self,
        listed: Listed<T>,
        version: Version,
        cursors: &Cursors,
        into_wire: impl Fn(T) -> W,
    ) -> Result<Bytes, Error> {
        let next_cursor = listed.next.map(|position| cursors.seal(&self.binding(), &position)).transpose()?;
        let page = ListPage {
            resource: self.resource,
            items: listed.items.into_iter().map(into_wire).collect::<Vec<W>>(),
            total: listed.total,
            limit: u64::from(self.query.limit),
            offset: self.offset,
            next_cursor,
        };
        page.write(version)
    }
}

/// Reads a page of one of the two lists.
pub(super) trait ReadPage<T>: Send {
    /// Whether one statement reads the page that `query` asks for.
    fn is_one_statement(&self, query: &ListQuery) -> bool;

    /// The page that `query` asks for, as `viewer` sees it.
    fn read(
        &self,
        conn: &mut DbConnection,
        viewer: Viewer,
        query: &ListQuery,
    ) -> impl Future<Output = Result<Listed<T>, Error>> + Send;
}

/// Left out: everywhere. `root`: the top. Else a folder, in its prefixed form only (specification, "Identifiers", rule
/// 3).
fn read_place(query: &Query, name: &str) -> Result<Place, Error> {
    match query.text(name)? {
        None => Ok(Place::Everywhere),
        Some("root") => Ok(Place::Top),
        Some(text) => FolderId::parse_prefixed(text).map(Place::In).map_err(|error| Error::Validation {
            fields: vec![FieldError { field: name.to_owned(), code: "invalid_id".to_owned() }],
            message: match error {
                IdError::BareUuid { .. } => format!("{name}: a bare UUID is ambiguous here: use fld_… or root"),
                IdError::NotAnId { .. } => format!("{name}: not an id: expected fld_… or root"),
                IdError::WrongKind { .. } => format!("{name}: {error}"),
            },
        }),
    }
}

/// Whether a list is of items that others have hidden, in place of those that the caller sees.
///
/// # Errors
/// 403 for a caller who is neither admin nor owner, 422 for a value that is no boolean.
pub fn read_hidden(query: &Query, caller: &Caller) -> Result<bool, Error> {
    match query.boolean("hidden")?.unwrap_or(false) {
        true if !caller.oversees() => {
            Err(Error::NotPermitted("only an admin or an owner lists what others have hidden"))
        }
        hidden => Ok(hidden),
    }
}

fn read_sort(query: &Query) -> Result<Sort, Error> {
    let Some(text) = query.text("sort")? else { return Ok(Sort::default()) };
    let (descending, key) = text.strip_prefix('-').map_or((false, text), |key| (true, key));
    let key = match key {
        "name" => SortKey::Name,
        "updated_at" => SortKey::UpdatedAt,
        "size" => SortKey::Size,
        _ => return Err(Error::validation("sort", "unknown_value")),
    };
    Ok(Sort { key, descending })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::page::Start;

    fn read(text: &str) -> Result<ListRequest, Error> {
        ListRequest::read(&Query::parse(text), ("files", "folder_id"), false, &Cursors::new([1; 32]))
    }

    #[test]
    fn a_list_says_where_it_looks_and_in_which_order() {
        let plain = read("").unwrap().query;
        assert_eq!((plain.place, plain.sort, plain.limit), (Place::Everywhere, Sort::default(), 20));
        assert_eq!(plain.start, Start::Offset(0));
        assert_eq!(read("folder_id=root").unwrap().query.place, Place::Top);
        let folder = "fld_00000000000000000000000000";
        assert_eq!(read(&format!("folder_id={folder}")).unwrap().query.place, Place::In(folder.parse().unwrap()));
        assert_eq!(read("sort=-size").unwrap().query.sort, Sort { key: SortKey::Size, descending: true });
        let since = read("updated_since=2026-05-01T12:00:00%2B00:00").unwrap().query.updated_since;
        assert_eq!(since, Some(Timestamp::from_micros(1_777_636_800_000_000)));
    }

    #[test]
    fn a_wrong_filter_is_refused_and_a_bare_uuid_is_told_the_typed_form() {
        for (text, says) in [
            ("folder_id=00000000-0000-0000-0000-000000000000", "fld_"),
            ("folder_id=file_00000000000000000000000000", "folder"),
            ("folder_id=ROOT", "folder_id"),
            ("sort=colour", "sort"),
            ("sort=--name", "sort"),
            ("updated_since=yesterday", "updated_since"),
            ("limit=201", "limit"),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(error.status().as_u16(), 422, "{text}");
            assert!(error.to_string().contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn a_cursor_belongs_to_its_order_and_filter() {
        let cursors = Cursors::new([1; 32]);
        let position: Position = (crate::db::drive::listing::SortValue::Number(7), uuid::Uuid::nil());
        let cursor = cursors.seal(&read("sort=name").unwrap().binding(), &position).unwrap();
        assert_eq!(read(&format!("sort=name&cursor={cursor}")).unwrap().query.start, Start::After(position));
        for text in ["", "sort=-name", "sort=name&folder_id=root", "sort=name&updated_since=2026-05-01T12:00:00Z"] {
            assert_eq!(read(&format!("{text}&cursor={cursor}")).unwrap_err().status().as_u16(), 400, "{text}");
        }
    }
}
