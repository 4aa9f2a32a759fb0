//! What must hold when the engine has come to rest.

use std::collections::BTreeMap;

use easel_sync::plan::{DeletionRule, Difference, Failure, Mode, Note, names};
use easel_sync::tree::{self, Agreement, Place};
use easel_wire::{FolderId, ItemRef};

use crate::disk::Node;
use crate::service::Service;
use crate::world::{Content, World};

/// The path of a place, relative to the watched part of the drive.
pub fn path_of(service: &Service, place: &Place) -> Option<String> {
    let mut path = place.name.clone();
    let mut at: FolderId = place.folder;
    while at != service.root {
        let folder = service.folders.get(&at)?;
        path = format!("{}/{path}", folder.name);
        at = folder.parent?;
    }
    Some(path)
}

/// Tells what is on both sides and what is agreed.
pub fn tell_sides(world: &mut World) {
    let mut lines: Vec<String> = world.disk.nodes.iter().map(|(path, node)| format!("here {path}: {node:?}")).collect();
    for (id, file) in &world.service.files {
        let path = file.place().and_then(|place| path_of(&world.service, &place));
        lines.push(format!("there {path:?}: content {}, {id}", file.content));
    }
    for (id, folder) in &world.service.folders {
        let name = &folder.name;
        let path = folder.parent.and_then(|folder| path_of(&world.service, &Place { folder, name: name.clone() }));
        lines.push(format!("there folder {path:?}: {id}"));
    }
    lines.extend(world.agreed.records.iter().map(|(path, record)| format!("agreed {path}: {record:?}")));
    for line in lines {
        world.say(|| line);
    }
}

/// Checks every invariant of a run that rests with `notes`.
pub fn check_rest(world: &mut World, notes: &[Note]) {
    check_nothing_lost(world);
    check_sides_agree(world, notes);
    check_names(world);
    let open = notes.iter().find(|note| note.difference == Difference::Settling);
    if let Some(note) = open {
        world.violate(format!("rests although {} is still being written", note.path));
    }
    if !world.disk.fetched.is_empty() {
        world.violate("a fetched file was left behind");
    }
}

fn check_nothing_lost(world: &mut World) {
    let here = |content: Content| {
        let nodes = world.disk.nodes.values();
        nodes.filter(|node| matches!(node, Node::File { content: other, .. } if *other == content)).count()
    };
    let mut lost = Vec::new();
    for (content, deeds) in &world.deeds {
        let removed_here = deeds.overwritten_here + deeds.deleted_here;
        let was_written = deeds.written_here + deeds.written_there > 0;
        let is_there = world.service.holder_of(*content).is_some();
        if was_written && removed_here + deeds.removed_there == 0 && here(*content) == 0 && !is_there {
            lost.push(format!("content {content} is lost"));
        }
        if here(*content) + removed_here + deeds.removed_there < deeds.written_here {
            lost.push(format!("content {content} has fewer copies here than were written and not removed"));
        }
        let is_replaced = removed_here > 0 || world.replaced.contains(content);
        let is_kept = world.settings.deletions == DeletionRule::Keep && !is_replaced && deeds.removed_there == 0;
        if is_kept && deeds.written_there > 0 && !is_there {
            lost.push(format!("content {content} came from the drive, was not replaced, and is not there"));
        }
    }
    for words in lost {
        world.violate(words);
    }
}

fn check_sides_agree(world: &mut World, notes: &[Note]) {
    let mut noted: BTreeMap<&str, (&Difference, bool)> =
        notes.iter().map(|note| (note.path.as_str(), (&note.difference, true))).collect();
    // What is noted may lie elsewhere in the drive. That excuses what is there, and says nothing about what is here.
    let elsewhere: Vec<(String, &Difference)> = notes
        .iter()
        .filter_map(|note| {
            let item = match &world.agreed.records.get(&note.path)?.agreement {
                Agreement::Folder { folder, .. } => ItemRef::Folder(*folder),
                Agreement::File(file) => ItemRef::File(file.file),
            };
            Some((path_of(&world.service, &world.service.place_of(item)?)?, &note.difference))
        })
        .collect();
    for (path, difference) in &elsewhere {
        noted.entry(path).or_insert((difference, false));
    }
    let excuse = |path: &str| {
        let mut at = path;
        loop {
            if let Some((difference, is_own)) = noted.get(at) {
                return Some((*difference, *is_own && at == path));
            }
            if at.is_empty() {
                return None;
            }
            at = tree::parent(at);
        }
    };
    let mut there: BTreeMap<String, Content> = BTreeMap::new();
    for file in world.service.files.values() {
        if let Some(path) = file.place().and_then(|place| path_of(&world.service, &place)) {
            there.insert(path, file.content);
        }
    }
    let mut folders_there = Vec::new();
    for folder in world.service.folders.values() {
        if let Some(parent) = folder.parent
            && let Some(path) = path_of(&world.service, &Place { folder: parent, name: folder.name.clone() })
        {
            folders_there.push(path);
        }
    }
    let mut found = Vec::new();
    let seen = |path: &String| !world.is_ignored(path) && !world.disk.is_shut_in(path);
    for (path, node) in world.disk.nodes.iter().filter(|(path, _)| seen(path)) {
        let is_same = match node {
            Node::File { content, .. } => there.get(path) == Some(content),
            Node::Folder(_) => folders_there.contains(path),
            // It is never the same: it is said to be left alone.
            Node::Link(_) => false,
        };
        if is_same {
            continue;
        }
        match (excuse(path), node) {
            (None, _) => found.push(format!("{path} is here and not the same in the drive, and nothing says why")),
            (Some((Difference::Link, true)), Node::File { content, .. })
                if world.service.holder_of(*content).is_none() =>
            {
                found.push(format!("{path} is said to be a link, and its content {content} is nowhere in the drive"));
            }
            (Some((Difference::Clash { with }, true)), _) if !has_twin(world, &there, path, with) => {
                found.push(format!("{path} is said to clash with {with}, which is not there"));
            }
            _ => {}
        }
    }
    if world.settings.mode == Mode::BothWays {
        let here = |path: &String, content: Option<Content>| match (world.disk.nodes.get(path), content) {
            (Some(Node::File { content, .. }), Some(expected)) => *content == expected,
            (Some(Node::Folder(_)), None) => true,
            _ => false,
        };
        let all = there.iter().map(|(path, content)| (path, Some(*content)));
        for (path, content) in all.chain(folders_there.iter().map(|path| (path, None))) {
            // What is left out and on both sides stays as it is on both.
            if !here(path, content) && excuse(path).is_none() && !world.is_ignored(path) && !world.disk.is_shut_in(path)
            {
                found.push(format!("{path} is in the drive and not the same here, and nothing says why"));
            }
        }
    } else if !world.touches_there && world.settings.deletions == DeletionRule::Delete {
        for path in there.keys().chain(&folders_there) {
            // A file that cannot be in the drive under its own name keeps its content there under the old one.
            let content = there.get(path).copied();
            let mut nodes = world.disk.nodes.values();
            let is_held = nodes.any(|node| matches!(node, Node::File { content: here, .. } if Some(*here) == content));
            if world.is_ignored(path) || world.disk.is_shut_in(path) {
                continue;
            }
            if !is_held && !world.disk.nodes.contains_key(path) && excuse(path).is_none() {
                found.push(format!("{path} is in the drive alone, and nobody put it there"));
            }
        }
    }
    for note in notes.iter().filter(|note| matches!(note.difference, Difference::Unresolved(_))) {
        let is_excused = {
            let above = tree::parent(&note.path);
            // What was on its way into a folder that cannot be read by now cannot be settled; nor can such a folder be moved.
            let is_denied = note.difference == Difference::Unresolved(Failure::Denied);
            let is_closed = is_denied && world.disk.nodes.keys().any(|path| world.disk.is_closed(path));
            is_closed || (!above.is_empty() && excuse(above).is_some())
        };
        if !is_excused {
            found.push(format!("{} fails although nothing is wrong any more", note.path));
        }
    }
    for words in found {
        world.violate(words);
    }
}

fn has_twin(world: &World, there: &BTreeMap<String, Content>, path: &str, with: &str) -> bool {
    let is_same =
        names::key(tree::name(path)) == names::key(tree::name(with)) && tree::parent(path) == tree::parent(with);
    is_same && (world.disk.nodes.contains_key(with) || there.contains_key(with))
}

/// Names that only a conflict makes, where there can be none.
fn check_names(world: &mut World) {
    let in_drive = world.service.files.values().map(|file| &file.name);
    let folders = world.service.folders.values().map(|folder| &folder.name);
    let names: Vec<String> = world.disk.nodes.keys().chain(in_drive).chain(folders).cloned().collect();
    for name in names {
        if name.contains("(moving") && world.is_calm && !world.touches_there {
            world.violate(format!("{name} was left under a name on the way"));
        }
        if name.contains("(conflict") && !world.touches_there {
            world.violate(format!("{name}: a conflict although nobody touched the drive"));
        }
    }
}
