//! Judges the engine while it works: whether it may send or delete what it sends or deletes.

use easel_sync::plan::{DeletionRule, names};
use easel_sync::ports::Source;
use easel_sync::tree::{self, ContentHash, FileRecord, Place, Record, Sides};
use easel_wire::{FileId, ItemRef};

use crate::disk::Node;
use crate::service::FIRST_POINTER;
use crate::world::{Content, World, hash_of, size_of};

/// Checks a deletion by the engine.
pub fn judge_deletion(world: &mut World, item: ItemRef, contents: &[Content], place: Option<&Place>) {
    let file = match item {
        ItemRef::File(file) => Some(file),
        _ => None,
    };
    // While people move files about, a file deleted in the drive may be here under another name, and is sent again.
    let is_watched = world.is_calm && world.chaos.edits_here == 0 && world.chaos.dropped == 0;
    let path = place.and_then(|place| crate::check::path_of(&world.service, place));
    judge_copies(world, contents);
    let remote = world.service.expand_pointers();
    for content in contents.iter().filter(|content| **content < FIRST_POINTER) {
        let acts = *world.acts(*content);
        let was_replaced = acts.overwritten_here > 0 || world.replaced.contains(content);
        let is_gone = |file: &FileRecord| file.hash == hash_of(*content) && remote.pointers.is_gone(file.file);
        // The same holds for a file that another computer has edited or deleted.
        let was_replaced =
            was_replaced || (world.has_copies && acts.removed_there > 0) || world.went_with_a_folder.contains(content);
        let was_replaced = was_replaced || world.agreed.records.values().filter_map(Record::as_file).any(is_gone);
        let was_removed = was_replaced || (acts.deleted_here > 0 && world.settings.deletions == DeletionRule::Delete);
        // A local file that was deleted in the drive and is left here does not count. Nor does one that is ignored or
        // cannot be seen, unless it could be seen when it was agreed on.
        let is_out = |path: &String| world.is_ignored(path) || world.disk.is_shut_in(path);
        // If people give a file a content that another has, the drive has it twice: a path whose own file still has it
        // needs no other.
        let has_its_own = |record: &Record| {
            let own = record.as_file().filter(|own| Some(own.file) != file && !own.is_pointer);
            let stored = own.and_then(|own| world.service.files.get(&own.file));
            stored.is_some_and(|stored| stored.content == *content)
        };
        // The file that is being judged is already gone; of a deleted folder, no file can be told apart any more.
        let is_overtaken = |path: &String, own: &FileRecord| {
            let is_other = match world.service.files.get(&own.file) {
                Some(stored) => stored.content != *content,
                // If the path is ignored or cannot be read, nothing follows from what was heard of the drive.
                None => world.way.knows(own.file) || is_out(path),
            };
            let is_another = file.is_some_and(|judged| judged != own.file);
            is_another && !own.is_pointer && own.hash == hash_of(*content) && is_other
        };
        let is_wanted = |path: &String| match world.agreed.records.get(path) {
            Some(record) if has_its_own(record) => false,
            // Another computer has deleted the copy, which this one has yet to hear of.
            Some(record) if record.as_file().is_some_and(|file| remote.pointers.is_gone(file.file)) => false,
            // The same if someone has deleted its own file, or has given it newer content.
            Some(record) if record.as_file().is_some_and(|own| is_overtaken(path, own)) => false,
            Some(record) => {
                let is_same = record.as_file().is_some_and(|file| file.hash == hash_of(*content));
                record.sides != Sides::OnlyHere && (is_same || !is_out(path))
            }
            None => !is_out(path),
        };
        let nodes = world.disk.nodes.iter();
        let is_same =
            |(_, node): &(&String, &Node)| matches!(node, Node::File { content: other, .. } if other == content);
        let holders: Vec<&String> = nodes.filter(is_same).map(|(path, _)| path).collect();
        let is_here = holders.iter().any(|path| is_wanted(path));
        let has_another = |path: &&String| world.agreed.records.get(*path).is_some_and(has_its_own);
        // The drive still has the content, as the file of a path that was moved here or has the same.
        let is_kept = !is_here && holders.iter().any(has_another);
        // A file that came to the path of one that went into a folder which cannot be read counts as its next version.
        let has_next = path
            .as_ref()
            .and_then(|path| world.agreed.records.get(path)?.as_file())
            .is_some_and(|next| Some(next.file) != file);
        let is_shut_away = has_next && !holders.is_empty() && holders.iter().all(|path| world.disk.is_shut_in(path));
        // A content that moves from look to look may be missed.
        let was_seen = world.disk.lay_still(*content);
        if !was_removed && !is_kept && !is_shut_away && (is_watched || !is_here || was_seen) {
            world.violate(format!("content {content} is deleted in the drive although nobody removed it here"));
        } else if is_watched && is_here {
            world.violate(format!("content {content} is deleted in the drive although it is still here"));
        }
    }
    // A replaced file is deleted after its next version has come, which may have been edited again since.
    let has_come = |record: &FileRecord| Some(record.file) != file && world.service.files.contains_key(&record.file);
    if let Some(path) = path
        && let Some(record) = world.agreed.records.get(&path).and_then(|record| record.as_file())
        && !has_come(record)
        && (Some(record.file) == file || record.replaces.iter().any(|old| Some(old.file) == file))
        && let Some(Node::File { content, .. }) = world.disk.nodes.get(&path).copied()
        && world.is_calm
        && world.chaos.edits_here == 0
        && !world.touches_there
        && !contents.contains(&content)
        && size_of(content) <= 5_000
        && world.service.holder_of(content).is_none()
    {
        world.violate(format!("{path}: the old version is deleted before content {content} is in the drive"));
    }
}

/// Checks that no content is deleted for which a pointer stands that the engine knows of.
fn judge_copies(world: &mut World, contents: &[Content]) {
    let remote = world.service.expand_pointers();
    let is_gone = |hash: &ContentHash| contents.iter().any(|content| hash_of(*content) == *hash);
    let is_replaced = |id: FileId| {
        let mut files = world.agreed.records.values().filter_map(Record::as_file);
        files.any(|file| file.replaces.iter().any(|old| old.file == id))
    };
    // A copy that was deleted here as well goes with it, and so does one that has got its next version here, or a link
    // in its place.
    let is_wanted = |id: FileId| {
        let mut agreed = world.agreed.records.iter();
        let path = agreed.find(|(_, record)| record.as_file().is_some_and(|file| file.file == id));
        let is_here = |path: &String| match world.disk.nodes.get(path) {
            Some(Node::File { content, .. }) => contents.contains(content),
            _ => false,
        };
        world.way.knows(id) && !is_replaced(id) && path.is_none_or(|(path, _)| is_here(path))
    };
    let mut pointers = remote.files.iter().filter(|(id, _)| remote.pointers.contains(**id) && is_wanted(**id));
    let left = pointers.find(|(_, file)| file.hash.as_ref().is_some_and(is_gone));
    let name = left.map(|(_, file)| file.name.clone());
    if let Some(name) = name.filter(|_| world.is_calm && !world.touches_there) {
        world.violate(format!("what {name} is a copy of is deleted in the drive"));
    }
}

/// Checks a name: of two local names that are the same to the drive, the later one is not sent under a number, but
/// noted as a clash.
pub fn judge_name(world: &mut World, path: &str) {
    let is_watched = world.chaos.edits_here == 0 && world.chaos.dropped == 0;
    let is_file = |path: &String| matches!(world.disk.nodes.get(path), Some(Node::File { .. }));
    let is_twin = |other: &String| {
        other != path
            && tree::parent(other) == tree::parent(path)
            && names::key(tree::name(other)) == names::key(tree::name(path))
    };
    let mut agreed = world.agreed.records.iter().filter(|(_, record)| record.as_file().is_some());
    let has_twin = agreed.any(|(other, _)| is_twin(other) && is_file(other));
    if is_watched && has_twin && !world.agreed.records.contains_key(path) {
        world.violate(format!("{path} is sent although a name beside it is the same to the drive"));
    }
}

/// Checks an upload: a content that the drive has is not sent, unless someone else just brought it or a fault hid it.
pub fn judge_sending(world: &mut World, content: Content) {
    let is_known = !world.service.deviations.tells_no_hash && world.desk.drops.is_empty();
    if is_known && world.is_calm && !world.touches_there && world.service.holder_of(content).is_some() {
        world.violate(format!("content {content} is sent although the drive has it"));
    }
}

/// Checks that bytes which storage has taken, and files that the service refuses for good, are not sent again
/// unchanged.
pub fn judge_repeat(world: &mut World, source: &Source) {
    // A file that someone else has deleted is wanted again if a copy of it is here.
    let record = world.agreed.records.get(&source.path).and_then(Record::as_file);
    let is_copy = record.is_some_and(|record| record.is_pointer);
    // A file that someone deleted before it was agreed on is new here.
    let content = crate::person::content_at(world, &source.path);
    let was_deleted = content.is_some_and(|content| world.acts(content).removed_there > 0);
    if world.stored.get(&source.path) == Some(&source.stamp) && !is_copy && !was_deleted {
        world.violate(format!("{} is sent again though storage has it", source.path));
    }
    if world.refused.get(&source.path) == Some(&source.stamp) {
        world.violate(format!("{} is sent again though it was refused", source.path));
    }
}
