//! What is told of a file that was shown, and when a conflict is over.

use std::collections::BTreeMap;

use super::*;
use crate::sync::tree::{LocalFile, Skipped};

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
        let found = find_state(&conflict, &local, &Agreed::default(), |path| is_ignored && path == "in/a.txt");
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

#[test]
fn what_was_shown_is_read_back_as_it_was_written() {
    for (identity, modified_us, changed_us) in [(0, 0, 0), (u64::MAX, -5, 7), (3, i64::MAX, i64::MIN)] {
        let stamp = Stamp { size_bytes: 12, modified_us, identity };
        let seen = ShownVersion { stamp, changed_us: NonZeroI64::new(changed_us) };
        assert_eq!(seen.to_string().parse(), Ok(seen));
    }
    for text in ["", "1", "1.2.3", "1.2.3.4.5", "-1.2.3.4", "1.2.x.4", "1.2.3.4 "] {
        assert_eq!(text.parse::<ShownVersion>(), Err(NotSeen), "{text}");
    }
}
