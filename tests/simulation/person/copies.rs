//! Another computer's acts on copies: it makes one, deletes, renames and edits it, or deletes its original; and a
//! person throws a pointer away without knowing what it is.

use easel_sync::plan::names;
use easel_sync::pointers::{Pointer, State};
use easel_sync::tree::{ContentHash, Remote, RemoteFile};

use super::*;

const TODAY: &str = "2026-11-20";

/// One thing done.
pub(super) fn act(world: &mut World, folder: FolderId) {
    match world.dice.below(12) {
        0..=4 => make(world, folder),
        5 | 6 => retire(world),
        7 => hand_over(world),
        8 => edit(world),
        9 => rename(world, folder),
        _ => throw_away(world),
    }
}

/// A copy: its pointer, its place and its content.
struct Copied {
    pointer: FileId,
    place: Place,
    content: Content,
}

fn pick(world: &mut World) -> Option<Copied> {
    let remote = world.service.expand_pointers();
    let pointers: Vec<FileId> = remote.files.keys().copied().filter(|id| remote.pointers.contains(*id)).collect();
    let pointer = world.dice.pick(&pointers).copied()?;
    let seen = remote.files.get(&pointer)?;
    let place = Place { folder: seen.folder?, name: seen.name.clone() };
    Some(Copied { pointer, place, content: content_of(&seen.hash?) })
}

/// Whether no file is at a place, nor a pointer's copy.
fn is_free(world: &World, place: &Place) -> bool {
    let key = names::key(&place.name);
    let remote = world.service.expand_pointers();
    let mut files = remote.files.values();
    world.service.folder_named(Some(place.folder), &place.name).is_none()
        && !files.any(|file| file.folder == Some(place.folder) && names::key(&file.name) == key)
}

fn make(world: &mut World, folder: FolderId) {
    let contents: Vec<Content> =
        world.service.files.values().map(|file| file.content).filter(|content| *content < FIRST_POINTER).collect();
    let Some(content) = world.dice.pick(&contents).copied() else { return };
    let place = Place { folder, name: pick_name(world, &FILE_NAMES) };
    let Some(pointer) = Pointer::new(&place.name, hash_of(content)).filter(|_| is_free(world, &place)) else { return };
    let at = Place { folder, name: pointer.file_name(FileId::imagined(0)) };
    let now_ms = world.now_ms;
    let made = world.service.write_text(&at, Maker::Person, now_ms);
    world.say(|| format!("another computer copies content {content} to {place:?}: {made:?}"));
    world.count("copies made by others");
}

/// Renames a pointer so that it says something else.
fn say(world: &mut World, pointer: FileId, change: impl FnOnce(&mut Pointer)) {
    let Some(mut said) = world.service.files.get(&pointer).and_then(|file| Pointer::read(&file.name)) else { return };
    change(&mut said);
    let name = said.file_name(pointer);
    let renamed = world.service.rename(ItemRef::File(pointer), &name);
    world.say(|| format!("another computer calls {pointer} {name}: {renamed:?}"));
}

fn say_gone(world: &mut World, pointer: FileId) {
    say(world, pointer, |said| said.state = State::Gone(TODAY.to_owned()));
}

fn retire(world: &mut World) {
    let Some(Copied { pointer, content, .. }) = pick(world) else { return };
    world.acts(content).removed_there += 1;
    world.count("copies deleted by others");
    say_gone(world, pointer);
}

/// Another computer deletes the original of a copy.
fn hand_over(world: &mut World) {
    let Some(Copied { pointer, place, content }) = pick(world) else { return };
    let Some(file) = world.service.holder_of(content) else { return };
    say(world, pointer, |said| said.state = State::HandedOver);
    if world.service.place(ItemRef::File(file), &place).is_ok() {
        world.say(|| format!("another computer hands {file} over to the place of {pointer}"));
        world.acts(content).removed_there += 1;
        world.count("files handed over by others");
        say_gone(world, pointer);
    } else {
        say(world, pointer, |said| said.state = State::Live);
    }
}

fn edit(world: &mut World) {
    let Some(Copied { pointer, place, content }) = pick(world) else { return };
    world.acts(content).removed_there += 1;
    say(world, pointer, |said| said.state = State::Replaced);
    // It may go off before it has sent the new file.
    if world.dice.percent(80) {
        upload(world, place.folder, &place.name);
    }
}

fn rename(world: &mut World, folder: FolderId) {
    let Some(Copied { pointer, .. }) = pick(world) else { return };
    let to = Place { folder, name: pick_name(world, &FILE_NAMES) };
    if is_free(world, &to) && world.service.move_to(ItemRef::File(pointer), Some(folder)).is_ok() {
        say(world, pointer, |said| said.name = to.name);
    }
}

fn throw_away(world: &mut World) {
    if let Some(Copied { pointer, place, content }) = pick(world) {
        world.thrown_away.insert(pointer, (place.folder, content));
        // Where the folder in which it was agreed on is gone as well, nobody can tell that it did not go with that.
        let mut records = world.agreed.records.values();
        let agreed = records.find(|record| record.as_file().is_some_and(|file| file.file == pointer));
        if agreed.is_some_and(|record| !world.service.folders.contains_key(&record.place.folder)) {
            world.acts(content).removed_there += 1;
            world.went_with_a_folder.insert(content);
        }
        world.say(|| format!("person throws the pointer {pointer} away"));
        world.count("pointers thrown away");
        let _gone = world.service.delete(ItemRef::File(pointer), false);
    }
}

/// Counts the copies that went with a folder, and those among them whose pointers someone had thrown away.
pub(super) fn count_removed(world: &mut World, before: &Remote) {
    for (id, file) in &before.files {
        if before.pointers.contains(*id) && !world.service.files.contains_key(id) {
            let content = content_of(&file.hash.unwrap_or_default());
            world.acts(content).removed_there += 1;
            world.went_with_a_folder.insert(content);
        }
    }
    let agreed: Vec<(ContentHash, FileId, FolderId)> = world
        .agreed
        .records
        .values()
        .filter_map(|record| Some((record.as_file()?, record.place.folder)))
        .filter_map(|(file, folder)| file.is_pointer.then_some((file.hash, file.file, folder)))
        .collect();
    for (hash, pointer, folder) in agreed {
        if !world.service.folders.contains_key(&folder) && !before.pointers.contains(pointer) {
            world.acts(content_of(&hash)).removed_there += 1;
            world.thrown_away.remove(&pointer);
        }
    }
    // A copy that was fetched by then, and is yet to be agreed on, goes with its folder as well.
    let service = &world.service;
    let gone: Vec<(FileId, (FolderId, Content))> =
        world.thrown_away.extract_if(.., |_, (folder, _)| !service.folders.contains_key(folder)).collect();
    for (_, (_, content)) in gone {
        world.acts(content).removed_there += 1;
    }
}

/// Counts a copy whose original is put at its very place: of the two, one is left.
pub(super) fn count_covered(world: &mut World, item: ItemRef, place: &Place) {
    let ItemRef::File(file) = item else { return };
    let Some(content) = world.service.files.get(&file).map(|file| file.content) else { return };
    let remote = world.service.expand_pointers();
    let key = names::key(&place.name);
    let is_covered = |(id, seen): (&FileId, &RemoteFile)| {
        let is_there = seen.folder == Some(place.folder) && names::key(&seen.name) == key;
        remote.pointers.contains(*id) && is_there && seen.hash == Some(hash_of(content))
    };
    if remote.files.iter().any(is_covered) {
        world.acts(content).removed_there += 1;
    }
}
