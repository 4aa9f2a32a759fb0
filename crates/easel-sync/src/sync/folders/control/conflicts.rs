//! Finds out, when nothing else is left to do, which conflicts of a folder are still open.
//!
//! Always true: a conflict is over when both files were seen since it began and one of them is no longer a file at its
//! path, or when both have the same content; never because a file was not seen: an item that is ignored, cannot be
//! read, has only just gone or is still to be fetched says nothing. A choice that was half carried out when the program
//! ended is finished first, and a conflict is not judged while it is settled. Not here: settling a conflict
//! (`folders/conflicts.rs`).

use super::Control;
use super::commands::of_store;
use crate::shared::error::Error;
use crate::sync::folders::conflicts::{finish_begun, take_turn};
use crate::sync::journal::Conflicting;
use crate::sync::ports::Disk as _;
use crate::sync::tree::{Agreed, ContentHash, Local};

/// How the two files of a conflict stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConflictState {
    /// Both files are there.
    Both,
    /// Both files are there and have the same content.
    Same,
    /// One of the files is gone.
    Gone,
    /// Nobody can tell whether the files are there.
    Unseen,
}

impl Control {
    /// Writes down which conflicts are over, and shows how many are still open.
    pub(super) async fn judge_conflicts(&mut self) {
        if let Err(error) = self.try_to_judge_conflicts().await {
            tracing::warn!(%error, "which conflicts are over could not be written down; the next look finds out again");
        }
    }

    async fn try_to_judge_conflicts(&mut self) -> Result<(), Error> {
        let (Some(engine), Some(ground)) = (&mut self.engine, &self.ground) else { return Ok(()) };
        let journal = &self.shared.journal;
        // Settling takes one of the two files away, which would look like the end of the conflict; so both take turns.
        let _turn = take_turn(self.watch.id).await;
        finish_begun(journal, &self.watched, &ground.disk).await?;
        let is_ignored = |path: &str| ground.disk.is_ignored(path, false);
        let (mut whole, mut over) = (Vec::new(), Vec::new());
        let judged = journal.list_conflicts(self.watch.id).await?;
        let paths = judged.iter().flat_map(|conflict| [conflict.path.as_str(), conflict.kept_as.as_str()]);
        engine.load_around(paths).await.map_err(|error| of_store(&error))?;
        // A conflict that is half settled needs its entry until the copy has the name.
        for conflict in judged.into_iter().filter(|conflict| conflict.copy_identity.is_none()) {
            match stand(&conflict, engine.local(), engine.agreed(), is_ignored) {
                ConflictState::Both if !conflict.is_whole => whole.push(conflict.id),
                ConflictState::Same => over.push(conflict.id),
                ConflictState::Gone if conflict.is_whole => over.push(conflict.id),
                ConflictState::Both | ConflictState::Gone | ConflictState::Unseen => {}
            }
        }
        if !(whole.is_empty() && over.is_empty()) {
            journal.record_conflicts(self.watch.id, &whole, &over).await?;
            self.watched.show_conflicts(journal).await?;
        }
        Ok(())
    }
}

fn stand(conflict: &Conflicting, local: &Local, agreed: &Agreed, is_ignored: impl Fn(&str) -> bool) -> ConflictState {
    let paths = [conflict.path.as_str(), conflict.kept_as.as_str()];
    let is_gone = |path: &str| {
        let is_unseen = local.is_hidden(path) || local.just_gone.contains(path) || is_ignored(path);
        local.file(path).is_none() && !is_unseen
    };
    if paths.into_iter().any(is_gone) {
        return ConflictState::Gone;
    }
    let [Some(one), Some(other)] = paths.map(|path| local.file(path)) else { return ConflictState::Unseen };
    let hashes = paths.map(|path| hash_of(path, local, agreed));
    let is_same = one.stamp.size_bytes == other.stamp.size_bytes && hashes[0].is_some() && hashes[0] == hashes[1];
    if is_same { ConflictState::Same } else { ConflictState::Both }
}

/// The content of the file at a path, where it is known without reading the file.
fn hash_of(path: &str, local: &Local, agreed: &Agreed) -> Option<ContentHash> {
    let file = local.file(path)?;
    let record = || agreed.records.get(path)?.as_file().filter(|record| record.is_untouched(file));
    file.hash.or_else(|| record().map(|record| record.hash))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use easel_wire::Timestamp;

    use super::*;
    use crate::sync::folders::ConflictId;
    use crate::sync::tree::{LocalFile, LocalItem, Skipped, Stamp};

    fn file(hash: Option<u8>) -> LocalItem {
        let stamp = Stamp { size_bytes: 3, modified_us: 1, identity: 1 };
        let hash = hash.map(|byte| [byte; 32]);
        LocalItem::File(LocalFile { stamp, changed_us: None, hash, is_settled: true, still_ms: 0 })
    }

    #[test]
    fn a_conflict_is_over_by_what_was_seen_and_by_nothing_that_was_not() {
        let conflict = Conflicting {
            id: ConflictId(1),
            at: Timestamp::from_micros(1),
            path: "in/a.txt".to_owned(),
            kept_as: "in/a (conflict).txt".to_owned(),
            is_whole: true,
            is_settled: false,
            copy_identity: None,
        };
        let both =
            BTreeMap::from([("in/a.txt".to_owned(), file(Some(1))), ("in/a (conflict).txt".to_owned(), file(Some(2)))]);
        let check = |what: &str, change: &dyn Fn(&mut Local), is_ignored: bool, expected: ConflictState| {
            let mut local = Local { items: both.clone(), ..Local::default() };
            change(&mut local);
            let found = stand(&conflict, &local, &Agreed::default(), |path| is_ignored && path == "in/a.txt");
            assert_eq!(found, expected, "{what}");
        };
        let put = |local: &mut Local, path: &str, item: LocalItem| {
            local.items.insert(path.to_owned(), item);
        };
        let remove = |local: &mut Local| {
            local.items.remove("in/a.txt");
        };
        check("two versions", &|_| {}, false, ConflictState::Both);
        check("two of which one was not read", &|local| put(local, "in/a.txt", file(None)), false, ConflictState::Both);
        check("twice the same", &|local| put(local, "in/a.txt", file(Some(2))), false, ConflictState::Same);
        check("deleted", &remove, false, ConflictState::Gone);
        check("a folder now", &|local| put(local, "in/a.txt", LocalItem::Folder(7)), false, ConflictState::Gone);
        check("left out from now on", &remove, true, ConflictState::Unseen);
        check(
            "gone a moment ago",
            &|local| {
                remove(local);
                local.just_gone.insert("in/a.txt".to_owned());
            },
            false,
            ConflictState::Unseen,
        );
        check(
            "in a folder that cannot be read",
            &|local| {
                local.items.clear();
                local.unreadable.insert("in".to_owned());
            },
            false,
            ConflictState::Unseen,
        );
        check(
            "behind a link",
            &|local| {
                local.items.clear();
                local.skipped.insert("in".to_owned(), Skipped::SymbolicLink);
            },
            false,
            ConflictState::Unseen,
        );
    }
}
