//! What people do on both sides, at rest and in the middle of a call. Here they write, save by renaming over, copy,
//! move, swap, delete, make folders and links, take away the right to read a folder and give it back; in the drive they
//! upload, replace, rename, move (also out of the drive folder) and delete.

mod copies;

use easel_sync::engine::Intent;
use easel_sync::ports::Destination;
use easel_sync::tree::{self, Agreement, Place, Record, Sides};
use easel_wire::{FileId, FolderId, ItemRef};

use crate::conflicts;
use crate::desk;
use crate::disk::{Mount, Node};
use crate::service::{FIRST_POINTER, Maker, StoredFile};
use crate::undo;
use crate::world::{Content, Dice, World, content_of, hash_of};

const FILE_NAMES: [&str; 8] = ["a.txt", "b.txt", "c", "A.txt", "\u{e9}.txt", "e\u{301}.txt", "d.png", "a (2).txt"];
const FOLDER_NAMES: [&str; 5] = ["x", "y", "X", "z", "a.txt"];

/// People go on working while the engine does.
pub fn interrupt(world: &mut World) {
    let chaos = world.chaos;
    if chaos.edits_left == 0 {
        return;
    }
    if world.dice.percent(chaos.edits_here) {
        world.chaos.edits_left -= 1;
        act_here(world);
    }
    if world.dice.percent(chaos.edits_there) {
        world.chaos.edits_left = world.chaos.edits_left.saturating_sub(1);
        act_there(world);
    }
    if world.dice.percent(chaos.edits_here) {
        world.chaos.edits_left = world.chaos.edits_left.saturating_sub(1);
        desk::act(world);
    }
    if world.conflicts.dice.percent(chaos.edits_here) {
        world.chaos.edits_left = world.chaos.edits_left.saturating_sub(1);
        conflicts::act(world);
    }
    undo::interrupt(world);
}

fn pick_name(world: &mut World, names: &[&str]) -> String {
    // The odd names are drawn seldom.
    let end = if world.dice.percent(70) { 3.min(names.len() as u64) } else { names.len() as u64 };
    let at = usize::try_from(world.dice.below(end)).unwrap_or(0);
    names.get(at).copied().unwrap_or("a.txt").to_owned()
}

fn pick_folder(world: &mut World) -> String {
    let mut folders: Vec<String> = vec![String::new(), String::new()];
    let open = |path: &&String| is_open(world, path);
    let all = world.disk.nodes.iter().filter(|(_, node)| matches!(node, Node::Folder(_))).map(|(path, _)| path);
    folders.extend(all.filter(open).cloned());
    world.dice.pick(&folders).cloned().unwrap_or_default()
}

fn pick_path(world: &mut World, wants_folder: bool) -> Option<String> {
    let paths: Vec<String> = world
        .disk
        .nodes
        .iter()
        .filter(|(path, node)| matches!(node, Node::Folder(_)) == wants_folder && is_open(world, path))
        .map(|(path, _)| path.clone())
        .collect();
    world.dice.pick(&paths).cloned()
}

/// Whether people can see and change the item at a path.
pub fn is_open(world: &World, path: &str) -> bool {
    !world.disk.is_shut_in(path) && !world.disk.is_closed(path)
}

/// What gets a name that is ignored is as good as deleted.
pub fn count_left_out(world: &mut World, content: Option<Content>, from: &str, to: &str) {
    let is_left_out = !world.is_ignored(from) && world.is_ignored(to);
    if let Some(content) = content.filter(|_| is_left_out) {
        world.acts(content).deleted_here += 1;
    }
}

pub fn content_at(world: &World, path: &str) -> Option<Content> {
    match world.disk.nodes.get(path) {
        Some(Node::File { content, .. }) => Some(*content),
        _ => None,
    }
}

/// Writes a file: in place, or with a new identity, and now and then with the time of the old one.
pub fn write(world: &mut World, path: &str, content: Content, keeps_identity: bool, keeps_time: bool) {
    world.say(|| format!("person writes {path} (content {content})"));
    world.now_ms += 1;
    let old = world.disk.nodes.get(path).copied();
    let mut modified_us = world.wall_us();
    let mut identity = world.disk.new_identity();
    if let Some(Node::File { content: old, modified_us: old_time, identity: old_identity }) = old {
        world.acts(old).overwritten_here += 1;
        if keeps_identity {
            identity = old_identity;
        }
        if keeps_time {
            modified_us = old_time;
        }
    }
    world.acts(content).written_here += 1;
    world.disk.nodes.insert(path.to_owned(), Node::File { content, modified_us, identity });
    arrive(world, path);
}

pub fn delete(world: &mut World, path: &str) {
    let gone: Vec<String> =
        world.disk.nodes.keys().filter(|other| *other == path || tree::is_below(other, path)).cloned().collect();
    if !gone.iter().all(|path| is_open(world, path)) {
        return;
    }
    world.say(|| format!("person deletes {path}"));
    for path in gone {
        if let Some(Node::File { content, .. }) = world.disk.nodes.remove(&path) {
            world.acts(content).deleted_here += 1;
        }
    }
}

/// Moves over a file, as `mv` does; never over a folder.
pub fn rename(world: &mut World, from: &str, to: &str) {
    if from == to || tree::is_below(to, from) || !world.disk.nodes.contains_key(from) {
        return;
    }
    match (world.disk.nodes.get(from), world.disk.nodes.get(to)) {
        (_, None) => {}
        (Some(Node::File { .. }), Some(Node::File { content, .. })) => {
            let content = *content;
            world.acts(content).overwritten_here += 1;
            world.disk.nodes.remove(to);
        }
        _ => return,
    }
    world.say(|| format!("person moves {from} to {to}"));
    let moved: Vec<String> =
        world.disk.nodes.keys().filter(|path| *path == from || tree::is_below(path, from)).cloned().collect();
    for path in moved {
        let content = content_at(world, &path);
        count_left_out(world, content, &path, &tree::rebased(&path, from, to));
    }
    world.disk.rename(from, to);
    // An upload that is open is one of its path: a file that has left it is sent anew, wherever it goes.
    world.stored.remove(from);
    follow(world, from, to);
    let moved: Vec<String> =
        world.disk.nodes.keys().filter(|path| *path == to || tree::is_below(path, to)).cloned().collect();
    for path in moved {
        arrive(world, &path);
    }
}

/// Moves a file into another folder while no engine runs, with dice of its own: what then looks missing is in a folder
/// that may not be compared yet.
pub fn move_into_a_folder(world: &mut World, dice: &mut Dice) {
    if world.disk.mount != Mount::There || !world.touches_here {
        return;
    }
    let is_folder = |path: &&String| matches!(world.disk.nodes.get(*path), Some(Node::Folder(_)));
    let open: Vec<&String> = world.disk.nodes.keys().filter(|path| is_open(world, path)).collect();
    let (folders, files): (Vec<&String>, Vec<&String>) = open.into_iter().partition(is_folder);
    let Some((folder, file)) = dice.pick(&folders).zip(dice.pick(&files)) else { return };
    let (from, to) = ((*file).clone(), tree::join(folder, tree::name(file)));
    rename(world, &from, &to);
}

/// An item that is ignored, or cannot be seen, from now on and that differs from its record is as good as deleted.
pub fn leave_out(world: &mut World) {
    let is_out = |path: &&String| world.is_ignored(path) || world.disk.is_shut_in(path);
    let paths: Vec<String> = world.disk.nodes.keys().filter(is_out).cloned().collect();
    for path in paths {
        let Some(content) = content_at(world, &path) else { continue };
        let record = world.agreed.records.get(&path).and_then(|record| record.as_file());
        if record.is_none_or(|record| record.hash != hash_of(content)) {
            world.acts(content).deleted_here += 1;
        }
    }
}

/// The items of a renamed folder that was seen before count as seen under its new name.
pub fn follow(world: &mut World, from: &str, to: &str) {
    for path in world.last_seen.values_mut().flatten().filter(|path| tree::is_below(path, from)) {
        *path = tree::rebased(path, from, to);
    }
}

/// An item at a path where the engine last saw, or agreed on, another one has replaced that: it cannot be told from an
/// edit.
pub fn arrive(world: &mut World, path: &str) {
    let now = content_at(world, path);
    let seen =
        world.last_seen.iter().filter(|(content, paths)| Some(**content) != now && paths.iter().any(|at| at == path));
    let seen: Vec<Content> = seen.map(|(content, _)| *content).collect();
    let before_renames = agreed_path(world, path);
    let records = [Some(path), before_renames.as_deref()].into_iter().flatten();
    let records = records.filter_map(|path| world.agreed.records.get(path));
    let records = records.filter(|record| record.sides == Sides::Both).filter_map(Record::as_file);
    let agreed = records.map(|file| content_of(&file.hash)).filter(|agreed| Some(*agreed) != now);
    // What an upload brought there that is not settled yet will be agreed on at this path.
    let open = world.intents.iter().filter_map(|intent| match intent {
        Intent::Upload(upload) if upload.path == path => upload.at.hash(),
        _ => None,
    });
    let open = open.map(|hash| content_of(&hash)).filter(|open| Some(*open) != now);
    let replaced: Vec<Content> = seen.into_iter().chain(agreed).chain(open).collect();
    world.replaced.extend(replaced);
}

/// The path at which the engine agreed on what is at this one, where a folder above it has another name since.
fn agreed_path(world: &World, path: &str) -> Option<String> {
    let above = std::iter::successors(Some(tree::parent(path)), |folder| Some(tree::parent(folder)));
    above.take_while(|folder| !folder.is_empty()).find_map(|folder| {
        let Some(Node::Folder(here)) = world.disk.nodes.get(folder) else { return None };
        let is_it =
            |record: &Record| matches!(record.agreement, Agreement::Folder { identity, .. } if identity == *here);
        let (before, _) = world.agreed.records.iter().find(|(_, record)| is_it(record))?;
        Some(tree::rebased(path, folder, before))
    })
}

/// One act on this computer.
pub fn act_here(world: &mut World) {
    if world.disk.mount != Mount::There || !world.touches_here {
        return;
    }
    match world.dice.below(22) {
        0..=5 => {
            let path = tree::join(&pick_folder(world), &pick_name(world, &FILE_NAMES));
            if matches!(world.disk.nodes.get(&path), Some(Node::Folder(_))) {
                return;
            }
            let content = world.new_content();
            let keeps_identity = world.dice.percent(50);
            write(world, &path, content, keeps_identity, false);
        }
        6..=8 => {
            let Some(path) = pick_path(world, false) else { return };
            let content = world.new_content();
            let keeps_identity = world.dice.percent(50);
            let keeps_time = !keeps_identity && world.dice.percent(30);
            write(world, &path, content, keeps_identity, keeps_time);
        }
        9 => {
            // Writes the same bytes again.
            let Some(path) = pick_path(world, false) else { return };
            let Some(content) = content_at(world, &path) else { return };
            let keeps_identity = world.dice.percent(50);
            write(world, &path, content, keeps_identity, false);
        }
        10 => {
            let Some(path) = pick_path(world, false) else { return };
            let Some(content) = content_at(world, &path) else { return };
            let to = tree::join(&pick_folder(world), &pick_name(world, &FILE_NAMES));
            if world.disk.nodes.contains_key(&to) {
                return;
            }
            write(world, &to, content, false, false);
        }
        11 | 12 => {
            let Some(path) = pick_path(world, false) else { return };
            delete(world, &path);
        }
        13 | 14 => {
            let Some(from) = pick_path(world, false) else { return };
            let to = tree::join(&pick_folder(world), &pick_name(world, &FILE_NAMES));
            rename(world, &from, &to);
            if world.dice.percent(30) && world.disk.nodes.contains_key(&to) && content_at(world, &to).is_some() {
                let content = world.new_content();
                write(world, &to, content, true, false);
            }
        }
        15 | 16 => {
            let Some(from) = pick_path(world, true) else { return };
            let to = tree::join(&pick_folder(world), &pick_name(world, &FOLDER_NAMES));
            rename(world, &from, &to);
        }
        17 => {
            let path = tree::join(&pick_folder(world), &pick_name(world, &FOLDER_NAMES));
            if !world.disk.nodes.contains_key(&path) {
                world.say(|| format!("person makes {path}"));
                let identity = world.disk.new_identity();
                world.disk.nodes.insert(path, Node::Folder(identity));
            }
        }
        18 => {
            let (Some(one), Some(other)) = (pick_path(world, false), pick_path(world, false)) else { return };
            swap(world, &one, &other);
        }
        19 => {
            if world.dice.percent(40)
                && let Some(path) = pick_path(world, true)
            {
                delete(world, &path);
            }
        }
        20 if world.dice.percent(50) => leave_link(world),
        21 if world.dice.percent(50) => close_or_open(world),
        _ => {}
    }
}

fn swap(world: &mut World, one: &str, other: &str) {
    let aside = tree::join(tree::parent(one), "~swap");
    if one != other {
        rename(world, one, &aside);
        rename(world, other, one);
        rename(world, &aside, other);
    }
}

/// Makes a link: at a free path, or in place of a file or a folder that goes elsewhere or is deleted.
fn leave_link(world: &mut World) {
    let is_folder = world.dice.percent(30);
    let path = match pick_path(world, is_folder).filter(|_| world.dice.percent(60)) {
        Some(from) => {
            let to = tree::join(&pick_folder(world), &pick_name(world, &FILE_NAMES));
            if world.dice.percent(50) {
                rename(world, &from, &to);
            } else {
                delete(world, &from);
            }
            from
        }
        None => tree::join(&pick_folder(world), &pick_name(world, &FILE_NAMES)),
    };
    // A folder may have gone into another that was in it.
    if !world.disk.nodes.contains_key(&path) && world.disk.has_folder(tree::parent(&path)) {
        world.say(|| format!("person links {path}"));
        let identity = world.disk.new_identity();
        world.disk.nodes.insert(path, Node::Link(identity));
    }
}

/// Takes away the right to read a folder, or gives it back.
fn close_or_open(world: &mut World) {
    let folders = world.disk.nodes.iter().filter_map(|(path, node)| match node {
        Node::Folder(identity) if !world.disk.is_shut_in(path) => Some((path.clone(), *identity)),
        _ => None,
    });
    let folders: Vec<(String, u64)> = folders.collect();
    let Some((path, identity)) = world.dice.pick(&folders).cloned() else { return };
    let was_open = world.disk.closed.insert(identity);
    if was_open {
        leave_out(world);
    } else {
        world.disk.closed.remove(&identity);
    }
    world.say(|| format!("person {} {path}", if was_open { "closes" } else { "opens" }));
}

fn inside(world: &World) -> (Vec<FolderId>, Vec<FileId>) {
    let service = &world.service;
    let folders: Vec<FolderId> =
        service.folders.keys().copied().filter(|folder| service.is_inside(*folder, service.root)).collect();
    let is_inside =
        |file: &StoredFile| file.content < FIRST_POINTER && file.folder.is_some_and(|folder| folders.contains(&folder));
    let files = service.files.iter().filter(|(_, file)| is_inside(file)).map(|(id, _)| *id).collect();
    (folders, files)
}

/// One act in the drive.
pub fn act_there(world: &mut World) {
    if !world.touches_there {
        return;
    }
    let (folders, files) = inside(world);
    let Some(folder) = world.dice.pick(&folders).copied() else { return };
    let file = world.dice.pick(&files).copied();
    if world.has_copies && world.dice.percent(25) {
        return copies::act(world, folder);
    }
    match (world.dice.below(16), file) {
        (0..=4, _) => {
            let name = pick_name(world, &FILE_NAMES);
            upload(world, folder, &name);
        }
        (5..=7, Some(file)) => {
            // Another computer's edit: a new file beside it, the old one deleted, the new one renamed.
            if !world.service.deviations.keeps_no_versions && world.dice.percent(50) {
                return give_new_content(world, file);
            }
            let Some(place) = world.service.place_of(ItemRef::File(file)) else { return };
            let Some(new) = upload(world, place.folder, &place.name) else { return };
            remove(world, ItemRef::File(file));
            put(world, ItemRef::File(new), &place);
        }
        (8 | 9, Some(file)) => remove(world, ItemRef::File(file)),
        (10 | 11, Some(file)) => {
            let name = pick_name(world, &FILE_NAMES);
            put(world, ItemRef::File(file), &Place { folder, name });
        }
        (12, Some(file)) if world.dice.percent(30) => {
            let elsewhere = world.service.folders.keys().copied().find(|id| *id != world.service.root);
            if world.dice.percent(40) {
                take_to_top(world, file);
            } else if let (Some(place), Some(folder)) = (world.service.place_of(ItemRef::File(file)), elsewhere) {
                put(world, ItemRef::File(file), &Place { folder, name: place.name });
            }
        }
        (13, _) => {
            let name = pick_name(world, &FOLDER_NAMES);
            world.say(|| format!("person makes drive folder {name}"));
            let _taken = world.service.create_folder(&Place { folder, name });
        }
        (14, _) => {
            let name = pick_name(world, &FOLDER_NAMES);
            let Some(moved) = world.dice.pick(&folders).copied() else { return };
            if moved != world.service.root {
                put(world, ItemRef::Folder(moved), &Place { folder, name });
            }
        }
        (15, _) if folder != world.service.root && world.dice.percent(40) => remove(world, ItemRef::Folder(folder)),
        _ => {}
    }
}

fn upload(world: &mut World, folder: FolderId, name: &str) -> Option<FileId> {
    let content = world.new_content();
    let (now_ms, to) = (world.now_ms, Destination { folder: Some(folder), name: name.to_owned() });
    let uploaded = world.service.upload(content, &to, Maker::Person, now_ms).ok()?;
    world.say(|| format!("person uploads {name} (content {content}) as {}: {uploaded:?}", uploaded.file));
    if uploaded.was_duplicate {
        return None;
    }
    world.acts(content).written_there += 1;
    Some(uploaded.file)
}

fn remove(world: &mut World, item: ItemRef) {
    world.say(|| format!("person deletes drive {item}"));
    let before = world.service.expand_pointers();
    for content in world.service.delete(item, true).unwrap_or_default() {
        world.acts(content).removed_there += 1;
    }
    if let ItemRef::Folder(_) = item {
        copies::count_removed(world, &before);
    }
}

/// Another computer's edit, or an earlier version that someone restores, where the service keeps versions.
fn give_new_content(world: &mut World, file: FileId) {
    let content = world.new_content();
    let Ok(old) = world.service.replace(file, content, None) else { return };
    world.say(|| format!("person gives drive {file} content {content} for {old}"));
    if old != content {
        world.count("files given new content by others");
        world.acts(old).removed_there += 1;
        world.acts(content).written_there += 1;
        world.given_new_content.insert(file);
    }
}

/// Moves a file to the top of the drive.
fn take_to_top(world: &mut World, file: FileId) {
    if let Some(stored) = world.service.files.get_mut(&file) {
        stored.folder = None;
        world.count("files taken to the top of the drive");
        world.say(|| format!("person moves drive {file} to the top"));
    }
}

fn put(world: &mut World, item: ItemRef, place: &Place) {
    copies::count_covered(world, item, place);
    let done = world.service.place(item, place);
    world.say(|| format!("person moves drive {item} to {place:?}: {done:?}"));
}
