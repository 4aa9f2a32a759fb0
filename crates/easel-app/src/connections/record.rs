//! The file of connections: everything about a connection but its key.
//!
//! Always true: the file has no key; a change is on disk before anybody acts on it; a connection that cannot be read
//! costs no other and stays in the file. Not here: whether a connection works at the moment (`active_connection`).

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use easel_client::Capabilities;
use serde::{Deserialize, Serialize};

use super::views::{AccountView, ConnectionKind, KeyKept};
use crate::data_dir::{DataDir, read_json, write_json};
use crate::stored::{Entries, or_default};

/// A connection's record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// Made by Easel; names the keychain's entry and the journal too.
    pub(crate) id: String,
    pub(crate) kind: ConnectionKind,
    /// The base address; `None` for the built-in studio, whose port changes.
    pub(crate) base_url: Option<String>,
    /// The name of the version header, where it is not the usual one.
    #[serde(default)]
    pub(crate) version_header: Option<String>,
    #[serde(default)]
    pub(crate) plain_http_confirmed: bool,
    /// Where the key was stored last.
    pub(crate) key_kept: KeyKept,
    /// The key of the built-in studio that Easel uses, by its id.
    #[serde(default)]
    pub(crate) local_key_id: Option<String>,
    /// The key's user, as the service told it last. If another version of Easel noted it in a form of its own, the
    /// service is asked anew.
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) account: Option<AccountView>,
    /// The capabilities of the service with this key; likewise.
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) capabilities: Capabilities,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Contents {
    #[serde(default, deserialize_with = "or_default")]
    selected: Option<String>,
    #[serde(default)]
    connections: Entries<Record>,
}

/// The file of all connections.
#[derive(Debug)]
pub(crate) struct ConnectionsFile {
    path: PathBuf,
    /// Nothing until the file was read: what is not known is never written over.
    contents: Mutex<Option<Contents>>,
}

impl ConnectionsFile {
    /// The file, not read yet: it says that there are no connections, and takes none.
    pub(crate) fn unread(data_dir: &DataDir) -> Self {
        Self { path: data_dir.connections(), contents: Mutex::new(None) }
    }

    pub(crate) fn read_from_disk(&self) -> io::Result<()> {
        let mut contents: Contents = read_json(&self.path)?.unwrap_or_default();
        // An id becomes a file's name; one that Easel would not have made is not taken.
        contents.connections.known.retain(|record| uuid::Uuid::try_parse(&record.id).is_ok());
        *self.contents.lock().unwrap_or_else(PoisonError::into_inner) = Some(contents);
        Ok(())
    }

    pub(crate) fn list(&self) -> Vec<Record> {
        self.read(|contents| contents.connections.known.clone())
    }

    pub(crate) fn get(&self, id: &str) -> Option<Record> {
        self.read(|contents| contents.connections.known.iter().find(|record| record.id == id).cloned())
    }

    pub(crate) fn selected(&self) -> Option<String> {
        self.read(|contents| {
            let first = contents.connections.known.first().map(|record| record.id.clone());
            let chosen = contents.selected.clone();
            chosen.filter(|id| contents.connections.known.iter().any(|record| record.id == *id)).or(first)
        })
    }

    pub(crate) fn select(&self, id: &str) -> io::Result<()> {
        self.change(|contents| contents.selected = Some(id.to_owned()))
    }

    /// Keeps a connection, in place of the one with its id.
    pub(crate) fn put(&self, record: Record) -> io::Result<()> {
        self.change(|contents| match contents.connections.known.iter_mut().find(|known| known.id == record.id) {
            Some(known) => *known = record,
            None => contents.connections.known.push(record),
        })
    }

    /// Changes a connection's record, if there still is one. Returns whether that made a difference.
    pub(crate) fn update(&self, id: &str, change: impl FnOnce(&mut Record)) -> io::Result<bool> {
        let mut is_changed = false;
        self.change(|contents| {
            if let Some(known) = contents.connections.known.iter_mut().find(|known| known.id == id) {
                let before = known.clone();
                change(known);
                is_changed = *known != before;
            }
        })?;
        Ok(is_changed)
    }

    pub(crate) fn remove(&self, id: &str) -> io::Result<()> {
        self.change(|contents| contents.connections.known.retain(|record| record.id != id))
    }

    fn read<T: Default>(&self, look: impl FnOnce(&Contents) -> T) -> T {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(look).unwrap_or_default()
    }

    /// Writes first, then believes.
    fn change(&self, change: impl FnOnce(&mut Contents)) -> io::Result<()> {
        let mut contents = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(known) = contents.as_mut() else { return Err(io::Error::other("it has not been read")) };
        let mut changed = known.clone();
        change(&mut changed);
        if changed != *known {
            write_json(&self.path, &changed)?;
            *known = changed;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: &str) -> Record {
        Record {
            id: id.to_owned(),
            kind: ConnectionKind::Service,
            base_url: Some("https://example.com/".to_owned()),
            version_header: None,
            plain_http_confirmed: false,
            key_kept: KeyKept::Keychain,
            local_key_id: None,
            account: None,
            capabilities: Capabilities::default(),
        }
    }

    fn open(dir: &DataDir) -> ConnectionsFile {
        let file = ConnectionsFile::unread(dir);
        file.read_from_disk().unwrap();
        file
    }

    #[test]
    fn what_could_not_be_read_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let dir = DataDir::open(folder.path().to_owned()).unwrap();
        let id = uuid::Uuid::from_u128(1).to_string();
        open(&dir).put(record(&id)).unwrap();
        let unread = ConnectionsFile::unread(&dir);
        assert!(unread.list().is_empty());
        unread.put(record(&uuid::Uuid::from_u128(2).to_string())).unwrap_err();
        assert!(open(&dir).get(&id).is_some());
    }

    #[test]
    fn what_was_kept_is_there_at_the_next_start() {
        let folder = tempfile::tempdir().unwrap();
        let dir = DataDir::open(folder.path().to_owned()).unwrap();
        let (first, second) = (uuid::Uuid::from_u128(1).to_string(), uuid::Uuid::from_u128(2).to_string());
        let file = open(&dir);
        assert_eq!(file.selected(), None);
        file.put(record(&first)).unwrap();
        file.put(record(&second)).unwrap();
        file.put(Record { plain_http_confirmed: true, ..record(&second) }).unwrap();
        file.select(&second).unwrap();

        let file = open(&dir);
        assert_eq!(file.list().len(), 2);
        assert!(file.get(&second).unwrap().plain_http_confirmed);
        assert_eq!(file.selected(), Some(second.clone()));
        file.remove(&second).unwrap();
        assert_eq!(file.selected(), Some(first), "without the chosen one, the first is in view");
    }

    #[test]
    fn what_an_older_easel_kept_is_read_and_what_a_newer_one_found_out_is_found_out_anew() {
        let folder = tempfile::tempdir().unwrap();
        let dir = DataDir::open(folder.path().to_owned()).unwrap();
        let older = r#"{"selected": "0195f3c2-8a7e-7b10-9c4d-123456789abc", "connections": [{
            "id": "0195f3c2-8a7e-7b10-9c4d-123456789abc", "kind": "service", "base_url": "https://example.com/",
            "version_header": null, "plain_http_confirmed": false, "key_kept": "keychain", "local_key_id": null,
            "account": {"user_id": "user_01JQ9ZC2M8FBG9RX2MGJ4TPQKW", "user_name": "Ada", "user_email": null,
                "team_name": "Rye", "organization_name": null, "role": "owner", "plan": "paid"}}]}"#;
        std::fs::write(dir.connections(), older).unwrap();
        let read = open(&dir).list().remove(0);
        let account = read.account.clone().unwrap();
        assert_eq!((account.user_name.as_deref(), account.role.as_deref()), (Some("Ada"), Some("owner")));
        assert_eq!(read.capabilities, Capabilities::default());

        let newer = older.replace(r#""local_key_id": null"#, r#""capabilities": {"features": {"moon": 1}}"#);
        std::fs::write(dir.connections(), newer).unwrap();
        assert_eq!(open(&dir).list(), [read]);
    }

    #[test]
    fn a_connection_that_cannot_be_read_costs_no_other_and_stays_in_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let dir = DataDir::open(folder.path().to_owned()).unwrap();
        let strange = r#"{"id": "0195f3c2-8a7e-7b10-9c4d-123456789abd", "kind": "constellation"}"#;
        let known = serde_json::to_string(&record("0195f3c2-8a7e-7b10-9c4d-123456789abc")).unwrap();
        let known = known.replace(r#""account":null"#, r#""account":"somebody""#);
        std::fs::write(dir.connections(), format!(r#"{{"selected": 7, "connections": [{strange}, {known}]}}"#))
            .unwrap();
        let file = open(&dir);
        assert_eq!(file.list(), [record("0195f3c2-8a7e-7b10-9c4d-123456789abc")]);
        file.put(record("0195f3c2-8a7e-7b10-9c4d-123456789abe")).unwrap();
        let stored: serde_json::Value = serde_json::from_slice(&std::fs::read(dir.connections()).unwrap()).unwrap();
        assert_eq!(stored["connections"].as_array().unwrap().len(), 3);
        assert_eq!(stored["connections"][2]["kind"], "constellation");
    }

    #[test]
    fn an_id_that_could_name_another_folder_is_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let dir = DataDir::open(folder.path().to_owned()).unwrap();
        let contents = Contents { selected: None, connections: vec![record("../../evil")].into() };
        write_json(&dir.connections(), &contents).unwrap();
        assert!(open(&dir).list().is_empty());
    }
}
