//! Items of the picture go back to where they were.
//!
//! Always true: an item whose path something else has is not lost: it waits, and goes back once that path is free. Not here:
//! what files hold, and what was deleted (`undoing`).

use std::collections::HashSet;

use easel_wire::ItemRef;

use super::{Node, Undoing};
use crate::shared::names;
use crate::shared::planted::Mutant;
use crate::sync::revert::acts::Act;
use crate::sync::revert::{Content, Held, Kind, PastChange, Why};
use crate::sync::tree;

impl Undoing<'_> {
    /// Items whose paths something else had, which has gone back further by now.
    pub(super) fn move_back_stuck(&mut self) {
        let mut next = 0;
        // A folder that goes back takes what waits below it along, so each is read when its turn has come.
        for _ in 0..self.stuck.len() {
            let Some((wanted, at)) = self.stuck.get(next).cloned() else { return };
            if self.nodes.contains_key(&at) && !self.nodes.contains_key(&wanted) && !self.is_beside(&at) {
                self.free(&at, &wanted);
                self.move_back(&at, &wanted);
            } else {
                next += 1;
            }
        }
    }

    /// Undoes moves whose paths are as all moves of their run left them: what lies deeper goes back first, an item waits for the
    /// one that has its path, and where items changed places, one of them goes out of the way first.
    pub(super) fn move_back_together(&mut self, changes: &[&PastChange]) {
        let paths = |change: &&PastChange| match &change.kind {
            Kind::Moved { from: Some(from), item, .. } => {
                let path = self.locate(&change.path, change.lay.path.as_deref());
                let from = self.locate(from, change.lay.from.as_deref());
                Some((self.find_item(path, item.as_ref()), from.to_owned()))
            }
            _ => None,
        };
        let mut moves: Vec<(String, String)> = changes.iter().filter_map(paths).collect();
        moves.retain(|(path, from)| path != from);
        moves.sort_by_key(|(path, _)| std::cmp::Reverse(path.matches('/').count()));
        while !moves.is_empty() {
            let is_free = |(path, from): &(String, String)| {
                !self.nodes.contains_key(from) || !self.nodes.contains_key(path) || tree::is_below(from, path)
            };
            // An item whose path nobody of these leaves stays where it is.
            let is_stuck = |(_, from): &(String, String)| !moves.iter().any(|(path, _)| path == from);
            let next = moves.iter().position(is_free).or_else(|| moves.iter().position(is_stuck));
            let (path, to) = match next {
                Some(next) => {
                    let (path, from) = moves.remove(next);
                    self.move_back(&path, &from);
                    if self.nodes.contains_key(&path) || !self.nodes.contains_key(&from) {
                        continue;
                    }
                    (path, from)
                }
                None => {
                    let in_the_way = moves.iter_mut().find(|(path, _)| !names::is_aside(tree::name(path)));
                    let Some((path, _)) = in_the_way else { return };
                    let aside = names::find_free(path, names::ASIDE, |aside| self.nodes.contains_key(aside));
                    let path = std::mem::replace(path, aside.clone());
                    self.move_back(&path, &aside);
                    (path, aside)
                }
            };
            // What lies in a folder goes with it.
            for (path_of_other, from_of_other) in &mut moves {
                for other in [path_of_other, from_of_other] {
                    if tree::is_below(other, &path) {
                        *other = tree::rebased(other, &path, &to);
                    }
                }
            }
        }
    }

    pub(super) fn move_back(&mut self, path: &str, from: &str) {
        if path == from || self.planted.is(Mutant::UndoesNoMoves) {
            return;
        }
        let why = match self.nodes.get(path) {
            None => Some(Why::Gone),
            Some(_) if self.nodes.contains_key(from) || tree::is_below(from, path) => Some(Why::PathTaken),
            Some(_) => None,
        };
        if let Some(why) = why {
            if why == Why::PathTaken {
                if self.free(from, path) {
                    return self.exchange(path, from);
                }
                self.stuck.push((from.to_owned(), path.to_owned()));
            }
            return self.leave(path, why);
        }
        // It goes elsewhere after all.
        if let Some((wanted, _)) = self.stuck.iter().find(|(_, at)| at == path).cloned() {
            self.free(path, &wanted);
        }
        let identity = self.nodes.get(path).and_then(Node::identity);
        self.need_folders(from);
        if let Some(identity) = identity {
            self.make_folders_above(from);
            self.acts.push(Act::Move { from: path.to_owned(), to: from.to_owned(), identity });
        } else if self.is_made(path) {
            self.move_made(path, from);
        }
        tree::rename_keys(&mut self.nodes, path, from);
        self.follow(path, from);
        self.moved_back.push(from.to_owned());
        if let Some(content) = self.take_doubled(path) {
            self.bring_back(path, &content);
        }
    }

    /// What else was at a path that one of two with this content leaves; it is told once.
    pub(super) fn take_doubled(&mut self, path: &str) -> Option<Content> {
        let at = self.doubled.iter().position(|(doubled, _)| doubled == path)?;
        Some(self.doubled.remove(at).1)
    }

    /// What is yet to be done about items in a folder that goes elsewhere is done there, and what has yet to go back into it goes there.
    fn follow(&mut self, path: &str, to: &str) {
        let stuck = self.stuck.iter_mut().flat_map(|(wanted, at)| [wanted, at]);
        let left = self
            .left
            .iter_mut()
            .filter(|left| matches!(left.why, Why::PathTaken | Why::Unreadable))
            .map(|left| &mut left.path);
        let others = self.in_use.iter_mut().chain(self.doubled.iter_mut().map(|(doubled, _)| doubled));
        let others = others.chain(&mut self.unknown);
        for at in stuck.chain(others).chain(left).filter(|at| tree::is_below(at, path)) {
            *at = tree::rebased(at, path, to);
        }
    }

    /// An item that could not go back to `wanted` is no longer in the way. Returns whether there is one.
    fn free(&mut self, at: &str, wanted: &str) -> bool {
        let count = self.stuck.len();
        self.stuck.retain(|stuck| stuck != &(wanted.to_owned(), at.to_owned()));
        let is_one = self.stuck.len() < count;
        if is_one {
            self.left.retain(|left| left.path != at || left.why != Why::PathTaken);
        }
        is_one
    }

    /// Two items have the path of each other.
    fn exchange(&mut self, one: &str, other: &str) {
        let aside = names::find_free(one, names::ASIDE, |aside| self.nodes.contains_key(aside));
        self.move_back(one, &aside);
        self.move_back(other, one);
        self.move_back(&aside, other);
    }

    /// A folder that the acts so far make goes elsewhere: nobody can tell yet which one it will be, so another is made, and what is in
    /// it by then goes over.
    fn move_made(&mut self, path: &str, to: &str) {
        self.make_folders_above(to);
        self.acts.push(Act::MakeFolder { path: to.to_owned() });
        let children = tree::range_below(&self.nodes, path).filter(|(child, _)| tree::parent(child) == path);
        let children: Vec<(String, Option<u64>)> =
            children.map(|(child, node)| (child.clone(), node.identity())).collect();
        for (child, identity) in children {
            let to = tree::rebased(&child, path, to);
            match identity {
                Some(identity) => self.acts.push(Act::Move { from: child, to, identity }),
                None if self.is_made(&child) => self.move_made(&child, &to),
                None => {}
            }
        }
        self.acts.push(Act::RemoveFolder { path: path.to_owned() });
    }
}

/// How many of these changes, from the first, are moves that were seen at once: of one run, and no two of one item, or from or to
/// one path.
pub(super) fn count_together(changes: &[PastChange]) -> usize {
    let run = changes.first().and_then(|first| first.run);
    let (mut paths, mut origins, mut items) = (HashSet::new(), HashSet::new(), HashSet::new());
    let mut is_another_item = |item: &Option<Held>| match item {
        Some(Held::File(content)) => items.insert(ItemRef::File(content.file)),
        Some(Held::Folder { folder }) => items.insert(ItemRef::Folder(*folder)),
        Some(Held::Nothing) | None => true,
    };
    for (count, change) in changes.iter().enumerate() {
        match &change.kind {
            Kind::Moved { is_together: true, from: Some(from), item, .. }
                if change.run == run && paths.insert(&change.path) && origins.insert(from) && is_another_item(item) => {
            }
            _ => return count,
        }
    }
    changes.len()
}
