//! What another computer says in the list of copies: that a path has what the drive holds elsewhere, that it is gone; and
//! lists that stand beside each other, or are deleted by a person who does not know what they are.

use easel_sync::copies::{self, Copies, Held, Says, Word};

use super::*;
use crate::world::size_of;

/// One thing said, in knowledge of all that was said, and now and then of less.
pub(super) fn act(world: &mut World, folder: FolderId) {
    let mut said = world.service.copies();
    match world.dice.below(10) {
        0..=4 => say_copy(world, &mut said, folder),
        5 | 6 => drop(end_copy(world, &mut said, Says::Gone)),
        7 => return replace(world, &mut said),
        8 => return delete_list(world),
        _ => {}
    }
    write(world, &said);
}

fn name_of(world: &mut World) -> String {
    pick_name(world, &FILE_NAMES)
}

fn say_copy(world: &mut World, said: &mut Copies, folder: FolderId) {
    let people = world.service.files_of_people();
    let contents: Vec<Content> = people.values().map(|file| file.content).collect();
    let Some(content) = world.dice.pick(&contents).copied() else { return };
    let place = Place { folder, name: name_of(world) };
    if world.service.file_named(Some(folder), &place.name).is_some()
        || world.service.folder_named(Some(folder), &place.name).is_some()
    {
        return;
    }
    let before = said.word(&place).cloned();
    if let Some(old) = before.as_ref().and_then(|word| word.says.held()) {
        world.deeds(content_of(&old.hash)).removed_there += 1;
    }
    world.say(|| format!("another computer copies content {content} to {place:?}"));
    world.count("copies told of by others");
    let at = before.map_or(0, |word| word.at) + 1;
    let says = Says::Holds(Held { hash: hash_of(content), size_bytes: size_of(content) });
    said.say(folder, Word { at, says, name: place.name, ended_on: String::new() });
}

/// Where a copy was of which this is said now.
fn end_copy(world: &mut World, said: &mut Copies, says: Says) -> Option<Place> {
    let is_copy = |word: &Word| word.says.held().is_some();
    let all: Vec<(Place, Word)> =
        said.iter().filter(|(_, word)| is_copy(word)).map(|(place, word)| (place, word.clone())).collect();
    let (place, word) = world.dice.pick(&all).cloned()?;
    if let Some(held) = word.says.held() {
        world.deeds(content_of(&held.hash)).removed_there += 1;
    }
    world.say(|| format!("another computer says of the copy at {place:?}: {says:?}"));
    world.count("copies ended by others");
    let ended_on = "2026-11-20".to_owned();
    said.say(place.folder, Word { at: word.at + 1, says, name: place.name.clone(), ended_on });
    Some(place)
}

/// Another computer's edit of a copy: said, and then sent, or now and then never sent.
fn replace(world: &mut World, said: &mut Copies) {
    let place = end_copy(world, said, Says::Replaced);
    write(world, said);
    if let Some(place) = place.filter(|_| world.dice.percent(80)) {
        upload(world, place.folder, &place.name);
    }
}

fn lists(world: &World) -> Vec<FileId> {
    let files = world.service.files.iter();
    files.filter(|(_, file)| copies::is_list(&file.name)).map(|(id, _)| *id).collect()
}

fn delete_list(world: &mut World) {
    let lists = lists(world);
    if let Some(list) = world.dice.pick(&lists).copied() {
        remove(world, ItemRef::File(list));
        world.count("lists of copies deleted by people");
    }
}

fn write(world: &mut World, said: &Copies) {
    let old = lists(world);
    let root = world.service.root;
    let content = world.service.content_of_list(&said.write(root));
    let (now_ms, to) = (world.now_ms, Destination { folder: Some(root), name: copies::NAME.to_owned() });
    let Ok(uploaded) = world.service.upload(content, &to, Maker::Person, now_ms) else { return };
    // The others come to it later.
    if world.dice.percent(60) {
        for list in old.into_iter().filter(|list| *list != uploaded.file) {
            let _gone = world.service.delete(ItemRef::File(list), false);
        }
    }
}
