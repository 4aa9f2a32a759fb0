//! The picture of a folder on which changes are undone, the last first.

mod moves;

use std::collections::{BTreeMap, BTreeSet};

use easel_wire::FolderId;

use super::acts::{Act, Wanted, is_made};
use super::landing::{Landing, compared};
use super::{Content, Held, Item, Items, Kind, Left, PastChange, Why};
use crate::shared::names;
use crate::shared::planted::{Mutant, Planted};
use crate::sync::tree::{self, ContentHash, Stamp};

/// An item of the picture.
#[derive(Debug, Clone)]
enum Node {
    Folder {
        /// Which one it is here; `None` where it has to come back.
        identity: Option<u64>,
        /// What stood for it in the drive, where it has to come back.
        folder: Option<FolderId>,
    },
    File {
        /// What is here; `None` where it has to come back.
        here: Option<(Stamp, Option<ContentHash>)>,
        /// The content that it has to get, and the path at which it had that last.
        wanted: Option<(Content, String)>,
        /// What it held when it was deleted, where it has to come back.
        deleted: Option<Content>,
    },
}

impl Node {
    /// Which item it is here.
    fn identity(&self) -> Option<u64> {
        match self {
            Self::Folder { identity, .. } => *identity,
            Self::File { here, .. } => here.map(|(stamp, _)| stamp.identity),
        }
    }
}

/// See the module.
#[derive(Debug)]
pub struct Undoing<'a> {
    /// The folder as it is.
    items: &'a Items,
    nodes: BTreeMap<String, Node>,
    /// The identities of folders that could not be read: nobody knows what lies in them.
    unreadable: BTreeSet<u64>,
    /// Both paths of the moves that are left because of them: which item has such a path before that is not known.
    unknown: Vec<String>,
    acts: Vec<Act>,
    left: Vec<Left>,
    /// Where items went back to, and folders came back.
    moved_back: Vec<String>,
    /// Items that could not go back, because something else has their path: that path, and the one that they have.
    stuck: Vec<(String, String)>,
    /// Folders that stay although their making is undone, because something is in them.
    in_use: Vec<String>,
    /// Paths to which a content came back that is there already: two were there at different times, and the picture has one.
    doubled: Vec<(String, Content)>,
    /// Stands in the names of these files.
    label: &'a str,
    planted: Planted,
}

impl<'a> Undoing<'a> {
    /// Begins with the folder as it is. `label` tells in a file name of when its content is.
    #[must_use]
    pub fn of(items: &'a Items, label: &'a str) -> Self {
        let node = |item: &Item| match *item {
            Item::Folder { identity } => Node::Folder { identity: Some(identity), folder: None },
            Item::File { stamp, hash } => Node::File { here: Some((stamp, hash)), wanted: None, deleted: None },
        };
        let nodes = items.iter().map(|(path, item)| (path.clone(), node(item))).collect();
        Self {
            items,
            nodes,
            unreadable: BTreeSet::new(),
            unknown: Vec::new(),
            acts: Vec::new(),
            left: Vec::new(),
            moved_back: Vec::new(),
            stuck: Vec::new(),
            in_use: Vec::new(),
            doubled: Vec::new(),
            label,
            planted: Planted::default(),
        }
    }

    /// Leaves changes that have to do with what lies in these folders, which could not be read.
    #[must_use]
    pub fn leaving(mut self, unreadable: &BTreeSet<String>) -> Self {
        self.unreadable = unreadable.iter().filter_map(|folder| self.nodes.get(folder)?.identity()).collect();
        self
    }

    /// Has a bug planted, which a test has to find.
    #[doc(hidden)]
    #[must_use]
    pub fn with(mut self, planted: Planted) -> Self {
        self.planted = planted;
        self
    }

    /// Undoes changes, which are given the last first.
    #[must_use]
    pub fn undo(mut self, changes: &[PastChange]) -> Self {
        let mut rest = changes;
        while !rest.is_empty() {
            let count = moves::count_together(rest);
            let (some, others) = rest.split_at(count.max(1));
            let mut known: Vec<&PastChange> = some.iter().collect();
            known.retain(|change| !self.leave_unreadable(change));
            if count > 0 {
                self.move_back_together(&known);
                known.iter().for_each(|change| self.bring_back_under(change));
            } else {
                known.iter().for_each(|change| self.undo_one(change));
            }
            rest = others;
        }
        self.move_back_stuck();
        for folder in std::mem::take(&mut self.in_use) {
            self.undo_folder(&folder);
        }
        self.give_free_names();
        self
    }

    /// What came beside an item that has gone back further by now gets the name that it had.
    fn give_free_names(&mut self) {
        let marked = self.mark();
        // One with a number stands beside another that came beside it.
        let is_first = |path: &str| {
            let (_, rest) = tree::name(path).split_once(&marked).unwrap_or(("", " "));
            !rest.starts_with(' ')
        };
        let beside: Vec<String> =
            self.nodes.keys().filter(|path| self.is_beside(path) && is_first(path)).cloned().collect();
        for path in beside {
            let plain = tree::join(tree::parent(&path), &tree::name(&path).replacen(&marked, "", 1));
            if !self.nodes.contains_key(&plain) {
                tree::rename_keys(&mut self.nodes, &path, &plain);
            }
        }
    }

    /// What stands in the name of what comes beside another item.
    fn mark(&self) -> String {
        format!(" ({})", self.label)
    }

    /// Whether what the picture has at a path came beside another item, and under a name that tells so.
    fn is_beside(&self, path: &str) -> bool {
        let came = matches!(self.nodes.get(path), Some(Node::File { here: None, wanted: Some(_), deleted: None }));
        came && tree::name(path).contains(&self.mark())
    }

    /// Leaves a change that has to do with what lies in a folder that could not be read, or with an item that a later such change
    /// moved; where there is nothing to undo about it, without a word. Returns whether it is one.
    fn leave_unreadable(&mut self, change: &PastChange) -> bool {
        if self.unreadable.is_empty() {
            return false;
        }
        let path = self.locate(&change.path, change.lay.path.as_deref());
        let from = match &change.kind {
            Kind::Moved { from: Some(from), .. } => Some(self.locate(from, change.lay.from.as_deref())),
            _ => None,
        };
        let is_unknown = |path: &str| {
            let is_below_one = || self.unknown.iter().any(|unknown| unknown == path || tree::is_below(path, unknown));
            tree::above(path).any(|folder| self.is_unreadable(folder)) || is_below_one()
        };
        let is_left = is_unknown(path) || from.is_some_and(is_unknown);
        if is_left && !does_nothing(&change.kind) {
            self.leave(path, Why::Unreadable);
            let moved = from.map(|from| [path.to_owned(), from.to_owned()]);
            self.unknown.extend(moved.into_iter().flatten());
        }
        is_left
    }

    fn undo_one(&mut self, change: &PastChange) {
        let path = self.locate(&change.path, change.lay.path.as_deref());
        match &change.kind {
            Kind::Nothing => {}
            Kind::Moved { from: Some(from), item, .. } => {
                let from = self.locate(from, change.lay.from.as_deref());
                self.move_back(&self.find_item(path, item.as_ref()), from);
                self.bring_back_under(change);
            }
            Kind::Content { before: Some(before), after: Some(after) } => match (before, after) {
                (before, Held::File(content)) => self.undo_content(&self.find_item(path, Some(after)), before, content),
                (Held::Nothing, Held::Folder { .. }) => self.undo_folder(path),
                (Held::File(before), Held::Nothing) => self.bring_back(path, before),
                (Held::Folder { folder }, Held::Nothing) => self.bring_folder_back(path, *folder),
                (Held::Nothing, Held::Nothing) | (Held::Folder { .. }, Held::Folder { .. }) => {}
                (Held::File(_), Held::Folder { .. }) => self.leave(path, Why::PathTaken),
            },
            Kind::Moved { from: None, .. } | Kind::Content { .. } => self.leave(path, Why::NotRecorded),
        }
    }

    /// What an item had moved over comes back once the item has left its path.
    fn bring_back_under(&mut self, change: &PastChange) {
        if let Kind::Moved { over: Some(content), .. } = &change.kind {
            self.bring_back(self.locate(&change.path, change.lay.path.as_deref()), content);
        }
    }

    /// The path of a change in the picture: where it lay, once the folder above it has gone back. A folder may have gone
    /// back before the drive had followed it, and then no change tells of it.
    fn locate<'c>(&self, path: &'c str, lay_at: Option<&'c str>) -> &'c str {
        let is_there = |path: &str| matches!(self.nodes.get(tree::parent(path)), Some(Node::Folder { .. }));
        let is_back = |lay_at: &&str| {
            self.moved_back.iter().any(|to| tree::is_below(lay_at, to)) || (!is_there(path) && is_there(lay_at))
        };
        lay_at.filter(is_back).unwrap_or(path)
    }

    /// Where the picture has the item that a change left at a path, holding this where that is known: there, or where it is still
    /// because it could not go back there.
    fn find_item(&self, path: &str, held: Option<&Held>) -> String {
        let stuck = self.stuck.iter().rev().find(|(from, at)| from == path && self.nodes.contains_key(at));
        let Some((_, at)) = stuck else { return path.to_owned() };
        let hash = match held {
            Some(Held::File(content)) => Some(content.hash),
            _ => None,
        };
        let holds = |path: &str| hash.is_some() && self.nodes.get(path).and_then(content_of) == hash;
        let is_folder = |path: &str| matches!(self.nodes.get(path), Some(Node::Folder { .. }));
        let is_the_folder = matches!(held, Some(Held::Folder { .. })) && is_folder(path) && !is_folder(at);
        // What came beside is another item, so only its content tells that it is meant.
        let is_at_path = is_the_folder || (!holds(at) && (holds(path) || self.is_beside(at)));
        if is_at_path { path.to_owned() } else { at.clone() }
    }

    fn leave(&mut self, path: &str, why: Why) {
        self.left.push(Left { path: path.to_owned(), why });
    }

    /// A change left `after` at the path, where `before` was.
    fn undo_content(&mut self, path: &str, before: &Held, after: &Content) {
        let holds = match self.nodes.get(path) {
            None if *before == Held::Nothing => return,
            None => return self.leave(path, Why::Gone),
            Some(Node::Folder { .. }) => return self.leave(path, Why::PathTaken),
            Some(file) => content_of(file),
        };
        match before {
            Held::Folder { .. } => self.leave(path, Why::PathTaken),
            Held::File(before) if before.hash == after.hash => {}
            Held::File(before) if holds == Some(after.hash) || self.planted.is(Mutant::UndoesOverEdits) => {
                self.want(path, path, before);
            }
            Held::File(before) => drop(self.put_beside(path, before)),
            Held::Nothing if holds == Some(after.hash) => {
                // What was there before has the same content, and stays.
                if self.take_doubled(path).is_some() {
                    return;
                }
                if let Some(Node::File { here: Some((stamp, _)), .. }) = self.nodes.remove(path) {
                    self.acts.push(Act::Trash { path: path.to_owned(), stamp });
                }
            }
            Held::Nothing => self.leave(path, Why::ChangedSince),
        }
    }

    /// The file at the path gets the content that it had at `was_at`.
    fn want(&mut self, path: &str, was_at: &str, content: &Content) {
        if let Some(Node::File { here, wanted, .. }) = self.nodes.get_mut(path) {
            let is_here = here.is_some_and(|(_, hash)| hash == Some(content.hash));
            *wanted = (!is_here).then(|| (content.clone(), was_at.to_owned()));
        }
    }

    /// Has a content come beside what is at a path; returns under which name.
    fn put_beside(&mut self, path: &str, content: &Content) -> String {
        let (stem, extension) = names::split(tree::name(path));
        let label = self.label;
        let name = |count: u32| {
            let number = if count > 1 { format!(" {count}") } else { String::new() };
            tree::join(tree::parent(path), &format!("{stem} ({label}){number}{extension}"))
        };
        let mut count = 1;
        while self.nodes.contains_key(&name(count)) {
            count += 1;
        }
        let free = name(count);
        let wanted = Some((content.clone(), path.to_owned()));
        self.nodes.insert(free.clone(), Node::File { here: None, wanted, deleted: None });
        free
    }

    /// A file was deleted at the path.
    fn bring_back(&mut self, path: &str, content: &Content) {
        match self.nodes.get(path) {
            Some(file @ Node::File { .. }) if content_of(file) == Some(content.hash) => {
                self.doubled.push((path.to_owned(), content.clone()));
            }
            // Its path had another file after it, of which earlier changes do not tell.
            Some(_) => {
                let beside = self.put_beside(path, content);
                self.stuck.push((path.to_owned(), beside));
            }
            None => {
                self.need_folders(path);
                let wanted = Some((content.clone(), path.to_owned()));
                let deleted = Some(content.clone());
                self.nodes.insert(path.to_owned(), Node::File { here: None, wanted, deleted });
            }
        }
    }

    /// A folder was deleted at the path.
    fn bring_folder_back(&mut self, path: &str, folder: FolderId) {
        match self.nodes.get_mut(path) {
            // It was needed by what lay in it already, without anybody knowing what it was in the drive.
            Some(Node::Folder { identity: None, folder: known @ None }) => *known = Some(folder),
            Some(Node::Folder { .. }) => {}
            Some(Node::File { .. }) => self.leave(path, Why::PathTaken),
            None => {
                self.need_folders(path);
                self.nodes.insert(path.to_owned(), Node::Folder { identity: None, folder: Some(folder) });
                // What went with it under another path lies here again.
                self.moved_back.push(path.to_owned());
            }
        }
    }

    /// A folder was made at the path.
    fn undo_folder(&mut self, path: &str) {
        // With something in it, it is still of use, unless that goes back further.
        if tree::range_below(&self.nodes, path).next().is_some() {
            return self.in_use.push(path.to_owned());
        }
        if self.is_unreadable(path) {
            return self.leave(path, Why::Unreadable);
        }
        if let Some(Node::Folder { identity, .. }) = self.nodes.get(path) {
            if identity.is_some() || self.is_made(path) {
                self.acts.push(Act::RemoveFolder { path: path.to_owned() });
            }
            self.nodes.remove(path);
        }
    }

    /// Whether a folder that could not be read is at the path.
    fn is_unreadable(&self, path: &str) -> bool {
        let identity = self.nodes.get(path).and_then(Node::identity);
        !self.unreadable.is_empty() && identity.is_some_and(|identity| self.unreadable.contains(&identity))
    }

    /// Puts the folders above a path in the picture.
    fn need_folders(&mut self, path: &str) {
        for above in tree::above(path).filter(|above| !above.is_empty()) {
            self.nodes.entry(above.to_owned()).or_insert(Node::Folder { identity: None, folder: None });
        }
    }

    /// Whether the acts so far make a folder at this path.
    fn is_made(&self, path: &str) -> bool {
        is_made(&self.acts, path)
    }

    /// Has the folders above a path made here, where they are not there.
    fn make_folders_above(&mut self, path: &str) {
        let mut above: Vec<&str> = tree::above(path).filter(|above| !above.is_empty()).collect();
        above.sort_by_key(|path| path.len());
        for folder in above {
            if matches!(self.nodes.get(folder), Some(Node::Folder { identity: None, .. })) && !self.is_made(folder) {
                self.acts.push(Act::MakeFolder { path: folder.to_owned() });
            }
        }
    }

    /// What has to be found, in the order of the paths.
    #[must_use]
    pub fn wanted(&self) -> Vec<Wanted> {
        let wanted = |(path, node): (&String, &Node)| match node {
            Node::File { here, wanted: Some((content, was_at)), deleted } => Some(Wanted {
                path: path.clone(),
                was_at: was_at.clone(),
                content: content.clone(),
                replacing: here.map(|(stamp, _)| stamp),
                deleted: deleted.clone(),
            }),
            _ => None,
        };
        self.nodes.iter().filter_map(wanted).collect()
    }

    /// The folders that have to come back, each with what stood for it in the drive, in the order of the paths.
    #[must_use]
    pub fn folders(&self) -> Vec<(String, Option<FolderId>)> {
        let missing = |(path, node): (&String, &Node)| match node {
            Node::Folder { identity: None, folder } => Some((path.clone(), *folder)),
            _ => None,
        };
        self.nodes.iter().filter_map(missing).collect()
    }

    /// Where items land that come back in the drive.
    pub(super) fn landing(&self) -> Landing {
        let folders = self.items.iter().filter_map(|(path, item)| match item {
            Item::Folder { identity } => Some((*identity, path.clone())),
            Item::File { .. } => None,
        });
        let parents = self.nodes.iter().filter_map(|(path, node)| match node {
            Node::Folder { identity, folder } => Some((path.clone(), (*identity, *folder))),
            Node::File { .. } => None,
        });
        Landing {
            taken: self.items.keys().map(|path| compared(tree::parent(path), path)).collect(),
            folders: folders.collect(),
            parents: parents.collect(),
        }
    }

    pub(super) fn is_planted(&self, mutant: Mutant) -> bool {
        self.planted.is(mutant)
    }

    /// The acts so far, what is left, and how many files come beside another.
    pub(super) fn into_parts(self) -> (Vec<Act>, Vec<Left>, u64) {
        let beside = self.nodes.keys().filter(|path| self.is_beside(path)).count() as u64;
        (self.acts, self.left, beside)
    }
}

/// Whether there is nothing to undo about a change.
fn does_nothing(kind: &Kind) -> bool {
    let Kind::Content { before: Some(before), after: Some(after) } = kind else { return matches!(kind, Kind::Nothing) };
    match (before, after) {
        (Held::Nothing, Held::Nothing) | (Held::Folder { .. }, Held::Folder { .. }) => true,
        (Held::File(before), Held::File(after)) => before.hash == after.hash,
        _ => false,
    }
}

/// What a file of the picture holds, where that is known.
fn content_of(node: &Node) -> Option<ContentHash> {
    match node {
        Node::File { wanted: Some((content, _)), .. } => Some(content.hash),
        Node::File { here: Some((_, hash)), .. } => *hash,
        _ => None,
    }
}
