//! JSON store: a list that must not be lost, in a small file of its own.
//!
//! Always true: the file is replaced whole or not at all; a file or an entry that could not be read is never written
//! over; if a change cannot be written, it has not happened. Not here: the type of the entries, and bounds on their
//! number.

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::data_dir::{read_json, write_json};
use crate::stored::Entries;

/// The list and its file.
#[derive(Debug)]
pub(crate) struct JsonStore<T> {
    path: PathBuf,
    /// Nothing until the file was read.
    all: Mutex<Option<Entries<T>>>,
}

impl<T: Clone + PartialEq + Serialize + DeserializeOwned> JsonStore<T> {
    /// The list, not read yet: it is empty, and takes nothing.
    pub(crate) const fn unread(path: PathBuf) -> Self {
        Self { path, all: Mutex::new(None) }
    }

    /// Reads what the last run left; a damaged file is set aside.
    pub(crate) fn read_from_disk(&self) -> io::Result<()> {
        let read = read_json::<Entries<T>>(&self.path)?.unwrap_or_default();
        *self.all.lock().unwrap_or_else(PoisonError::into_inner) = Some(read);
        Ok(())
    }

    /// What `look` sees in the list.
    pub(crate) fn read<R>(&self, look: impl FnOnce(&[T]) -> R) -> R {
        let all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        look(all.as_ref().map_or(&[], |all| all.known.as_slice()))
    }

    /// Changes the list, on disk first.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Vec<T>)) -> io::Result<()> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(known) = all.as_mut() else { return Err(io::Error::other("it has not been read")) };
        let mut changed = known.clone();
        change(&mut changed.known);
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

    #[test]
    fn what_could_not_be_read_or_written_is_left_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.json");
        let list = JsonStore::<u8>::unread(path.clone());
        assert!(list.change(|all| all.push(1)).is_err());
        list.read_from_disk().unwrap();
        list.change(|all| all.push(1)).unwrap();
        let again = JsonStore::<u8>::unread(path);
        again.read_from_disk().unwrap();
        assert_eq!(again.read(<[u8]>::to_vec), [1]);
        std::fs::remove_dir_all(folder.path()).unwrap();
        assert!(again.change(|all| all.push(2)).is_err());
        assert_eq!(again.read(<[u8]>::to_vec), [1]);
    }

    #[test]
    fn an_entry_that_cannot_be_read_stays_in_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.json");
        std::fs::write(&path, r#"[1, {"of": "a newer Easel"}, 2]"#).unwrap();
        let list = JsonStore::<u8>::unread(path.clone());
        list.read_from_disk().unwrap();
        assert_eq!(list.read(<[u8]>::to_vec), [1, 2]);
        list.change(|all| all.retain(|number| *number != 1)).unwrap();
        let stored: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(stored, serde_json::json!([2, {"of": "a newer Easel"}]));
        assert!(!path.with_extension("damaged.json").exists());
    }
}
