//! What is judged while the engine works: whether it may send or delete what it sends or deletes.

use easel_sync::plan::{DeletionRule, names};
use easel_sync::ports::Source;
use easel_sync::tree::{self, Place, Standing};
use easel_wire::ItemRef;

use crate::disk::Node;
use crate::world::{Content, World, hash_of, size_of};

/// Whether the engine may delete what it deletes.
pub fn judge_deletion(world: &mut World, item: ItemRef, contents: &[Content], place: Option<&Place>) {
    let file = match item {
        ItemRef::File(file) => Some(file),
        _ => None,
    };
    // While people move things about, what is deleted there may be here under another name, and is sent again.
    let is_watched = world.is_calm && world.chaos.edits_here == 0 && world.chaos.dropped == 0;
    let path = place.and_then(|place| crate::check::path_of(&world.service, place));
    for content in contents {
        let deeds = *world.deeds(*content);
        let was_replaced = deeds.overwritten_here > 0 || world.replaced.contains(content);
        let was_removed = was_replaced || (deeds.deleted_here > 0 && world.settings.deletions == DeletionRule::Delete);
        // What was deleted in the drive and is left here is not to be there.
        // Nor is what is left out or cannot be seen, unless it could be when it was agreed on.
        let is_out = |path: &String| world.is_ignored(path) || world.disk.is_shut_in(path);
        let is_wanted = |path: &String| match world.agreed.records.get(path) {
            Some(record) => {
                let is_same = record.as_file().is_some_and(|file| file.hash == hash_of(*content));
                record.standing != Standing::OnlyHere && (is_same || !is_out(path))
            }
            None => !is_out(path),
        };
        let mut nodes = world.disk.nodes.iter();
        let is_here = nodes.any(|(path, node)| {
            matches!(node, Node::File { content: other, .. } if other == content) && is_wanted(path)
        });
        // What moves from look to look may be missed.
        let was_seen = world.disk.lay_still(*content);
        if !was_removed && (is_watched || !is_here || was_seen) {
            world.violate(format!("content {content} is deleted in the drive although nobody removed it here"));
        } else if is_watched && is_here {
            world.violate(format!("content {content} is deleted in the drive although it is still here"));
        }
    }
    // A replaced file goes after its next version has come.
    if let Some(path) = path
        && let Some(record) = world.agreed.records.get(&path).and_then(|record| record.as_file())
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

/// Of two names beside each other that are one to the drive, the one that came later is not sent under a number: it is
/// said to clash.
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

/// Content that the drive has is not sent, unless someone else just brought it or a fault hid it.
pub fn judge_sending(world: &mut World, content: Content) {
    let is_known = !world.service.deviations.tells_no_hash && world.desk.drops.is_empty();
    if is_known && world.is_calm && !world.touches_there && world.service.holder_of(content).is_some() {
        world.violate(format!("content {content} is sent although the drive has it"));
    }
}

/// Bytes that storage has taken of a file as it is, and what the service refuses of it for good, are not sent again.
pub fn judge_repeat(world: &mut World, source: &Source) {
    if world.stored.get(&source.path) == Some(&source.stamp) {
        world.violate(format!("{} is sent again though storage has it", source.path));
    }
    if world.refused.get(&source.path) == Some(&source.stamp) {
        world.violate(format!("{} is sent again though it was refused", source.path));
    }
}
