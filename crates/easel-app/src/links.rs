//! Links that open Easel: `easel://canvas/…`, `easel://drive/…`, which name their service, and `easel://connect`, which
//! fills in an address.
//!
//! Always true: a link does nothing by itself, it is shown and waits for a click; it never has a key; a text that is
//! not exactly one of the three leads nowhere. Not here: registering them with the system (the package and the shell).

use std::sync::{Arc, Mutex, PoisonError};

use easel_wire::ItemRef;
use easel_wire::id::kind;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::connections::Connections;
use crate::connections::views::ConnectionKind;
use crate::core::Core;
use crate::events::{Event, LinkOpened};
use crate::id_paths::id_in_a_path;

/// What links begin with.
pub const SCHEME: &str = "easel";
/// How a link names the built-in studio.
const THIS_COMPUTER: &str = "this-computer";
/// Longer than any link that Easel makes.
const LONGEST: usize = 2_000;

/// What a link leads to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum LinkTarget {
    /// A design.
    Design {
        /// Its id.
        design_id: String,
    },
    /// A file of the drive.
    File {
        /// Its id.
        file_id: String,
    },
    /// A folder of the drive.
    Folder {
        /// Its id.
        folder_id: String,
    },
    /// The form for a new connection.
    Connect {
        /// What is filled in.
        address: String,
    },
    /// Nothing that Easel understands.
    Nowhere,
}

/// A link that was opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct LinkView {
    /// What it leads to.
    pub target: LinkTarget,
    /// The service that it names: a host, with its port where it has one of its own.
    pub service: Option<String>,
    /// The connection to that service, where there is one.
    pub connection_id: Option<String>,
}

/// Links that were opened. Clones are the same links.
#[derive(Clone)]
pub struct Links {
    core: Core,
    connections: Connections,
    /// The link that waits for the page.
    waiting: Arc<Mutex<Option<LinkView>>>,
}

impl Links {
    pub(crate) fn new(core: Core, connections: Connections) -> Self {
        Self { core, connections, waiting: Arc::default() }
    }
}

fn read(link: &str) -> Option<(LinkTarget, Option<String>)> {
    let url = Url::parse(link).ok().filter(|url| url.scheme() == SCHEME && link.len() <= LONGEST)?;
    let value = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    let id = url.path().trim_matches('/');
    let is_plain = url.username().is_empty() && url.password().is_none() && url.port().is_none();
    if !is_plain {
        return None;
    }
    match url.host_str()? {
        "connect" if id.is_empty() => {
            let address = Url::parse(&value("address")?).ok()?;
            let is_address = matches!(address.scheme(), "https" | "http")
                && address.username().is_empty()
                && address.password().is_none()
                && address.query().is_none()
                && address.fragment().is_none();
            let address = address.as_str().trim_end_matches('/').to_owned();
            is_address.then_some((LinkTarget::Connect { address }, None))
        }
        place @ ("canvas" | "drive") => {
            let service = value("service").filter(|service| {
                !service.is_empty()
                    && service.chars().all(|sign| sign.is_ascii_alphanumeric() || "-.:[]".contains(sign))
            })?;
            let target = if place == "canvas" {
                LinkTarget::Design { design_id: id_in_a_path::<kind::Canvas>(id)?.to_string() }
            } else {
                let file = id_in_a_path::<kind::File>(id)?;
                match file.text().parse() {
                    Ok(ItemRef::Folder(folder)) => LinkTarget::Folder { folder_id: folder.to_string() },
                    Ok(ItemRef::Canvas(_)) => return None,
                    // The id of a file may have any form.
                    Ok(ItemRef::File(_)) | Err(_) => LinkTarget::File { file_id: file.to_string() },
                }
            };
            Some((target, Some(service.to_ascii_lowercase())))
        }
        _ => None,
    }
}

/// Host and port of an address, as links name a service.
fn service_of(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let host = url.host_str()?.to_ascii_lowercase();
    Some(url.port().map_or(host.clone(), |port| format!("{host}:{port}")))
}

impl Links {
    /// Shows the page a link that was opened. Nothing else happens.
    pub fn open_link(&self, link: &str) {
        let (target, service) = read(link).unwrap_or((LinkTarget::Nowhere, None));
        let connection_id = service.as_deref().and_then(|service| {
            let known = self.connections.view_connections();
            let is_it = |kind: ConnectionKind, address: Option<&str>| match kind {
                // The pages of the built-in studio name it by its address.
                ConnectionKind::Local if service == THIS_COMPUTER => true,
                ConnectionKind::Local | ConnectionKind::Service => {
                    address.and_then(service_of).as_deref() == Some(service)
                }
            };
            known.iter().find(|view| is_it(view.kind, view.address.as_deref())).map(|view| view.id.clone())
        });
        let view = LinkView { target, service, connection_id };
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = Some(view);
        self.core.emit(Event::LinkOpened(LinkOpened {}));
    }

    /// The link that was opened last, once; `null` where there is none.
    ///
    /// # Errors
    /// None; the page's commands all answer alike.
    pub async fn take_link(&self) -> Result<Option<LinkView>, crate::problem::Problem> {
        Ok(self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_where_it_says_or_nowhere() {
        let check = |link: &str, expected: Option<(&str, Option<&str>)>| {
            let found = read(link).map(|(target, service)| (serde_json::to_string(&target).unwrap(), service));
            let found = found.as_ref().map(|(target, service)| (target.as_str(), service.as_deref()));
            assert_eq!(found, expected, "{link}");
        };
        let canvas = "cvs_00000000000000000000000001";
        let design = r#"{"code":"design","design_id":"cvs_00000000000000000000000001"}"#;
        let file = r#"{"code":"file","file_id":"file_00000000000000000000000001"}"#;
        let folder = r#"{"code":"folder","folder_id":"fld_00000000000000000000000001"}"#;
        check(
            &format!("easel://canvas/{canvas}?service=Studio.example.com"),
            Some((design, Some("studio.example.com"))),
        );
        check(
            "easel://drive/file_00000000000000000000000001?service=127.0.0.1:8080",
            Some((file, Some("127.0.0.1:8080"))),
        );
        check("easel://drive/fld_00000000000000000000000001?service=a.b", Some((folder, Some("a.b"))));
        check("easel://drive/A%2F7%20b?service=a.b", Some((r#"{"code":"file","file_id":"A/7 b"}"#, Some("a.b"))));
        check(
            "easel://connect?address=https%3A%2F%2Fstudio.example.com%2F&key=svc_live_1",
            Some((r#"{"code":"connect","address":"https://studio.example.com"}"#, None)),
        );
        for link in [
            "",
            "easel:",
            "easel://canvas",
            &format!("easel://canvas/{canvas}"),
            &format!("easel://canvas/{canvas}?service="),
            &format!("easel://canvas/{canvas}?service=a/b"),
            &format!("easel://user:key@canvas/{canvas}?service=a.b"),
            "easel://canvas/a/b?service=a.b",
            "easel://canvas/%2E%2E?service=a.b",
            "easel://drive/cvs_00000000000000000000000001?service=a.b",
            "easel://connect?address=file%3A%2F%2F%2Fetc%2Fpasswd",
            "easel://connect?address=https%3A%2F%2Fuser%3Akey%40studio.example.com",
            "easel://connect?address=https%3A%2F%2Fstudio.example.com%2F%3Fkey%3D1",
            "easel://settings",
            &format!("https://canvas/{canvas}?service=a.b"),
            &format!("easel://connect?address=https://a.b/{}", "x".repeat(LONGEST)),
        ] {
            check(link, None);
        }
    }
}
