//! The invariants of a world in which the engine has come to rest.

use std::collections::BTreeMap;

use easel_sync::plan::{self, DeletionRule, Difference, Input, Mode, Note, Plan, names};
use easel_sync::tree::{self, Agreement, Place, Remote, RemoteFolder};
use easel_sync::upload::Checkpoint;
use easel_sync::upload_job::End;
use easel_sync::{Cause, Failure, State};
use easel_wire::{FileId, FolderId, ItemRef};

use crate::desk::{Dropped, stored_of};
use crate::disk::Node;
use crate::service::{Maker, Service, StoredFile};
use crate::world::{Content, Sim, World, content_of};

/// By so much the clocks of this computer and the service may differ, in milliseconds: a file that the service got so
/// short a time before a transfer began is taken for the transfer's own.
const CLOCK_SLACK_MS: u64 = 600_000;

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

/// The paths of everything in the watched part of the drive, copies that pointers stand for included.
pub fn list_paths(world: &World) -> Vec<String> {
    let remote = world.service.expand_pointers();
    let files = remote.files.keys().filter_map(|id| place_of(&remote, *id));
    let folders = world.service.folders.values();
    let folders = folders.filter_map(|folder| Some(Place { folder: folder.parent?, name: folder.name.clone() }));
    files.chain(folders).filter_map(|place| path_of(&world.service, &place)).collect()
}

/// Logs the items of both sides and the agreed records.
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

/// Compares a plan with the one that is found by going through everything.
pub fn check_part(sim: &Sim, input: &Input<'_>, plan: &Plan) {
    let whole = plan::plan_whole(input);
    let reduced = plan::plan_reduced(input);
    if &reduced != plan {
        sim.world().violate(format!("reduced: {reduced:?} is not {plan:?}"));
    }
    if *plan != whole && !has_unheard_of(input) {
        sim.world().violate(format!("the plan of a part is {plan:?}, and that of the whole is {whole:?}"));
    }
}

/// Whether a file that is new in the drive is in memory before the files of its folder are: something asked for its
/// content, and the next look hears of it. The whole would fetch it a look earlier than the part.
fn has_unheard_of(input: &Input<'_>) -> bool {
    let records = || input.agreed.records.iter();
    let is_unloaded = |folder: FolderId| {
        records().any(|(path, record)| record.as_folder() == Some(folder) && input.unloaded.contains(path))
    };
    let is_new = |id: FileId| !records().filter_map(|(_, record)| record.as_file()).any(|file| file.file == id);
    input.remote.files.iter().any(|(id, file)| file.folder.is_some_and(is_unloaded) && is_new(*id))
}

/// Checks every invariant of a run that rests with `notes`.
pub fn check_rest(world: &mut World, notes: &[Note]) {
    check_nothing_lost(world);
    check_sides_agree(world, notes);
    check_names(world);
    check_desk(world);
    let open = notes.iter().find(|note| note.difference == Difference::Settling);
    if let Some(note) = open {
        world.violate(format!("rests although {} is still being written", note.path));
    }
    if let Some(file) = world.disk.fetched.keys().next() {
        world.violate(format!("{file} was fetched and left behind"));
    }
}

fn check_nothing_lost(world: &mut World) {
    let here = |content: Content| {
        let nodes = world.disk.nodes.values();
        nodes.filter(|node| matches!(node, Node::File { content: other, .. } if *other == content)).count()
    };
    let mut lost = Vec::new();
    for (content, acts) in &world.acts {
        let removed_here = acts.overwritten_here + acts.deleted_here;
        let was_written = acts.written_here + acts.written_there > 0;
        let is_there = world.service.holder_of(*content).is_some();
        if was_written && removed_here + acts.removed_there == 0 && here(*content) == 0 && !is_there {
            lost.push(format!("content {content} is lost"));
        }
        if here(*content) + removed_here + acts.removed_there < acts.written_here {
            lost.push(format!("content {content} has fewer copies here than were written and not removed"));
        }
        let is_replaced = removed_here > 0 || world.replaced.contains(content);
        let is_kept = world.settings.deletions == DeletionRule::Keep && !is_replaced && acts.removed_there == 0;
        if is_kept && acts.written_there > 0 && !is_there {
            lost.push(format!("content {content} came from the drive, was not replaced, and is not there"));
        }
    }
    for words in lost {
        world.violate(words);
    }
}

/// The place of a file, or of a pointer's copy.
fn place_of(remote: &Remote, file: FileId) -> Option<Place> {
    let seen = remote.files.get(&file)?;
    Some(Place { folder: seen.folder?, name: seen.name.clone() })
}

fn check_sides_agree(world: &mut World, notes: &[Note]) {
    let sides = Sides::of(world, notes);
    let found = [sides.find_apart_here(), sides.find_apart_there(), sides.find_lonely(), sides.find_unexcused(notes)];
    for words in found.into_iter().flatten() {
        world.violate(words);
    }
}

/// The items of both sides when the engine rests, and its notes about the differences.
struct Sides<'a> {
    world: &'a World,
    there: BTreeMap<String, Content>,
    folders_there: Vec<String>,
    /// By path; whether the note is about the path itself.
    noted: BTreeMap<String, (&'a Difference, bool)>,
    /// A noted drive item may lie elsewhere. Its note excuses the drive's side of a path, and not this computer's.
    elsewhere: Vec<(String, &'a Note)>,
}

impl<'a> Sides<'a> {
    fn of(world: &'a World, notes: &'a [Note]) -> Self {
        let remote = world.service.expand_pointers();
        let path_there = |note: &Note| {
            let place = match &world.agreed.records.get(&note.path)?.agreement {
                Agreement::Folder { folder, .. } => world.service.place_of(ItemRef::Folder(*folder))?,
                Agreement::File(file) => place_of(&remote, file.file)?,
            };
            path_of(&world.service, &place)
        };
        let elsewhere: Vec<(String, &Note)> = notes.iter().filter_map(|note| Some((path_there(note)?, note))).collect();
        let mut noted: BTreeMap<String, (&Difference, bool)> =
            notes.iter().map(|note| (note.path.clone(), (&note.difference, true))).collect();
        for (path, note) in &elsewhere {
            noted.entry(path.clone()).or_insert((&note.difference, false));
        }
        let mut there: BTreeMap<String, Content> = BTreeMap::new();
        for id in remote.files.keys() {
            if let Some(path) = place_of(&remote, *id).and_then(|place| path_of(&world.service, &place)) {
                there.insert(path, content_of(&remote.files[id].hash.unwrap_or_default()));
            }
        }
        let place_of_folder = |folder: &RemoteFolder| Some(Place { folder: folder.parent?, name: folder.name.clone() });
        let folders = world.service.folders.values().filter_map(place_of_folder);
        let folders_there = folders.filter_map(|place| path_of(&world.service, &place)).collect();
        Self { world, there, folders_there, noted, elsewhere }
    }

    /// Why a path differs, and whether the note is about the path itself and not about a folder above it.
    fn excuse(&self, path: &str) -> Option<(&'a Difference, bool)> {
        let mut at = path;
        loop {
            if let Some((difference, is_own)) = self.noted.get(at) {
                return Some((difference, *is_own && at == path));
            }
            if at.is_empty() {
                return None;
            }
            at = tree::parent(at);
        }
    }

    /// Whether the path's drive item was moved to the path of another local item, which stays there.
    fn is_kept_out(&self, path: &str, by: &str) -> bool {
        let is_its = |(at, note): &(String, &Note)| note.path == path && at == by;
        self.world.disk.nodes.contains_key(by) && self.elsewhere.iter().any(is_its)
    }

    /// Whether nothing is concluded from a path: it is ignored, or cannot be seen.
    fn is_out(&self, path: &str) -> bool {
        self.world.is_ignored(path) || self.world.disk.is_shut_in(path)
    }

    /// Local items that differ from the drive without a true note.
    fn find_apart_here(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (path, node) in self.world.disk.nodes.iter().filter(|(path, _)| !self.is_out(path)) {
            let is_same = match node {
                Node::File { content, .. } => self.there.get(path) == Some(content),
                Node::Folder(_) => self.folders_there.contains(path),
                // A link is never the same: its note says that it is skipped.
                Node::Link(_) => false,
            };
            if is_same {
                continue;
            }
            match (self.excuse(path), node) {
                (None, _) => found.push(format!("{path} is here and not the same in the drive, and nothing says why")),
                (Some((Difference::Link, true)), Node::File { content, .. })
                    if self.world.service.holder_of(*content).is_none() =>
                {
                    found.push(format!(
                        "{path} is said to be a link, and its content {content} is nowhere in the drive"
                    ));
                }
                (Some((Difference::Clash { with }, true)), _)
                    if !has_twin(self.world, &self.there, path, with) && !self.is_kept_out(path, with) =>
                {
                    found.push(format!("{path} is said to clash with {with}, which is not there"));
                }
                _ => {}
            }
        }
        found
    }

    /// Both ways: drive items that differ from the local ones without a note.
    fn find_apart_there(&self) -> Vec<String> {
        if self.world.settings.mode != Mode::BothWays {
            return Vec::new();
        }
        let here = |path: &String, content: Option<Content>| match (self.world.disk.nodes.get(path), content) {
            (Some(Node::File { content, .. }), Some(expected)) => *content == expected,
            (Some(Node::Folder(_)), None) => true,
            _ => false,
        };
        let all = self.there.iter().map(|(path, content)| (path, Some(*content)));
        let all = all.chain(self.folders_there.iter().map(|path| (path, None)));
        // An ignored item that is on both sides stays as it is on both.
        all.filter(|(path, content)| !here(path, *content) && self.excuse(path).is_none() && !self.is_out(path))
            .map(|(path, _)| format!("{path} is in the drive and not the same here, and nothing says why"))
            .collect()
    }

    /// One way, with deletions: items that are in the drive alone although only this computer puts any there.
    fn find_lonely(&self) -> Vec<String> {
        let world = self.world;
        let is_one_way = world.settings.mode != Mode::BothWays && world.settings.deletions == DeletionRule::Delete;
        if !is_one_way || world.touches_there {
            return Vec::new();
        }
        // A file that cannot be in the drive under its own name keeps its content there under the old one.
        let is_held = |path: &String| {
            let content = self.there.get(path).copied();
            let mut nodes = world.disk.nodes.values();
            nodes.any(|node| matches!(node, Node::File { content: here, .. } if Some(*here) == content))
        };
        let all = self.there.keys().chain(&self.folders_there).filter(|path| !self.is_out(path));
        all.filter(|path| !is_held(path) && !world.disk.nodes.contains_key(*path) && self.excuse(path).is_none())
            .map(|path| format!("{path} is in the drive alone, and nobody put it there"))
            .collect()
    }

    /// Notes of failed steps that could be carried out by now.
    fn find_unexcused(&self, notes: &[Note]) -> Vec<String> {
        let world = self.world;
        let is_excused = |note: &Note, failure: &Failure| {
            let above = tree::parent(&note.path);
            // An upload into a folder that cannot be read by now cannot be settled; nor can such a folder be moved.
            let is_denied = matches!(failure.cause, Cause::Unreadable { .. });
            let is_closed = is_denied && world.disk.nodes.keys().any(|path| world.disk.is_closed(path));
            let is_refused = match world.disk.nodes.get(&note.path) {
                Some(Node::File { content, .. }) => !world.service.takes(*content),
                _ => false,
            };
            is_refused || is_closed || (!above.is_empty() && self.excuse(above).is_some())
        };
        let is_wrong = |note: &&Note| match &note.difference {
            Difference::Unresolved(failure) => !is_excused(note, failure),
            _ => false,
        };
        let wrong = notes.iter().filter(is_wrong);
        wrong.map(|note| format!("{} fails although nothing is wrong any more", note.path)).collect()
    }
}

fn has_twin(world: &World, there: &BTreeMap<String, Content>, path: &str, with: &str) -> bool {
    let is_same =
        names::key(tree::name(path)) == names::key(tree::name(with)) && tree::parent(path) == tree::parent(with);
    // The drive's folder may have another name, which the local one cannot get.
    let in_its_folder = || {
        let folder = world.agreed.records.get(tree::parent(with))?.as_folder()?;
        let place = world.service.place_of(ItemRef::Folder(folder))?;
        Some(tree::join(&path_of(&world.service, &place)?, tree::name(with)))
    };
    is_same
        && (world.disk.nodes.contains_key(with)
            || there.contains_key(with)
            || in_its_folder().is_some_and(|path| there.contains_key(&path)))
}

/// Names that only a conflict makes, in a world without conflicts.
fn check_names(world: &mut World) {
    let in_drive = world.service.files.values().map(|file| &file.name);
    let folders = world.service.folders.values().map(|folder| &folder.name);
    let names: Vec<String> = world.disk.nodes.keys().chain(in_drive).chain(folders).cloned().collect();
    for name in names {
        // The pointer of a deleted copy keeps the name of the place where the copy was last.
        let is_over = name.contains(".deleted-copy-");
        // An item had that name here while a person went back, and was sent; the drive keeps what is deleted here.
        let was_its_own = |(path, record): (&String, &tree::Record)| {
            let own = tree::name(path);
            record.sides == tree::Sides::OnlyInDrive && names::is_aside(own) && name.contains(own)
        };
        let is_kept = world.agreed.records.iter().any(was_its_own);
        if name.contains("(moving") && !is_over && !is_kept && world.is_calm && !world.touches_there {
            world.violate(format!("{name} was left under a name on the way"));
        }
        if name.contains("(conflict") && !world.touches_there {
            world.violate(format!("{name}: a conflict although nobody touched the drive"));
        }
    }
}

/// Checks the end that a dropped file's transfer tells.
pub fn judge_end(world: &mut World, number: u64, end: &End) {
    let dropped = world.desk.drop_of(number).clone();
    let maker = Maker::Drop(number);
    let made = world.service.files.values().find(|file| file.maker == maker).cloned();
    // If the wall clock was set meanwhile, a new file cannot be told from an old one.
    let is_known = dropped.offset_us.is_none_or(|offset_us| offset_us == world.wall_offset_us);
    let mut found = Vec::new();
    if let Some(stored) = stored_of(end)
        && let Some(file) = stored.file_id.and_then(|file| world.service.files.get(&file)).cloned()
    {
        // In the watched folder people and the engine move items about.
        let is_watched =
            |folder: Option<FolderId>| folder.is_some_and(|folder| world.service.is_inside(folder, world.service.root));
        let places = [dropped.folder, file.folder, stored.folder_id];
        let is_still = !places.into_iter().any(is_watched);
        // Two files of one content cannot be told apart while both are in doubt, nor from one that nobody waits for any
        // more.
        let mut others = world.desk.drops.iter().filter(|other| other.number != number && other.path == dropped.path);
        // A failed transfer whose end is in doubt may still be retried.
        let is_open = |other: &Dropped| other.state == State::Failed && other.at.is_in_doubt();
        let is_twin = others.clone().any(|other| !other.is_over_since(dropped.begun_ms) || is_open(other));
        let is_given_up = others.any(|other| file.maker == Maker::Drop(other.number) && other.state != State::Sent);
        let is_own = file.maker == maker;
        // A request of an attempt that a person canceled may be carried out after the next attempt has begun. The file
        // was there before that one's own request.
        let is_of_canceled = dropped.was_canceled && dropped.was_late;
        // A file that someone else sent since, with the same content and the same name, was not there before; nor can it
        // be told from the transfer's own where the clocks of both sides may differ by more than lies between them.
        let is_newer = dropped.was_begun_before(file.created_ms + CLOCK_SLACK_MS);
        match end {
            End::Sent(_) if !is_own && !is_twin && !is_given_up && is_known && !is_newer => {
                found.push("says that it was sent, and it was there before");
            }
            End::AlreadyThere(_)
                if is_own
                    && is_known
                    && is_still
                    && !is_twin
                    && !is_of_canceled
                    && dropped.was_begun_before(file.created_ms) =>
            {
                found.push("says that it was there before, and it was sent just now");
            }
            _ => {}
        }
        // A key that may not read the file's place takes it to be at its destination.
        let is_still = is_still && world.chaos.refused == 0;
        if matches!(end, End::Sent(_)) && is_own && is_still && file.folder != dropped.folder && dropped.is_wanted() {
            found.push("is sent, and does not lie where it was wanted");
        }
        // Another drop of the same content may bring the file to its destination at the same time.
        let has_landed =
            |other: &Dropped| matches!(other.at, Checkpoint::Landed { file, .. } if stored.file_id == Some(file));
        let is_brought = world.desk.drops.iter().any(|other| {
            let is_about_it = file.maker == Maker::Drop(other.number) || has_landed(other);
            is_about_it && other.number != number && !other.is_over_since(dropped.begun_ms)
        });
        // Nor can the place be known if a move was carried out late.
        if is_still && !is_twin && !is_brought && !dropped.was_moved_late && stored.folder_id != file.folder {
            found.push("says that it lies elsewhere than it does");
        }
    }
    // If the file was edited since it was sent, its content cannot be checked.
    let is_as_sent = world.desk.files.get(&dropped.path).zip(made.as_ref());
    // A file that was saved anew with the same content counts as edited: nobody reads it for a transfer that is
    // canceled.
    let is_same =
        is_as_sent.is_some_and(|(file, made)| file.content == made.content && Some(file.identity()) == dropped.sent_as);
    let has_twin = world.desk.drops.iter().any(|other| other.number != number && other.path == dropped.path);
    // If someone else has moved or renamed the file since, that is theirs to do.
    let is_named_so = |made: &StoredFile| names::is_numbered(&made.name, tree::name(&dropped.path));
    let is_where_sent = |made: &StoredFile| made.folder == dropped.folder || made.folder.is_none();
    let lies_there = made.as_ref().is_some_and(|made| is_where_sent(made) && is_named_so(made));
    if matches!(end, End::Canceled) && lies_there && is_known && !dropped.was_late && !has_twin && is_same {
        found.push("is canceled, and in the drive");
    }
    for words in found {
        world.violate(format!("drop {number} {words}"));
    }
}

/// Checks a move: a file that the service had before is nobody's to move.
pub fn judge_move(world: &mut World, item: ItemRef, maker: Maker) {
    let ItemRef::File(file) = item else { return };
    let path_of = |maker: Maker| match maker {
        Maker::Drop(number) => {
            world.desk.drops.iter().find(|dropped| dropped.number == number).map(|it| it.path.clone())
        }
        Maker::Person | Maker::Engine => None,
    };
    // Two files of one content that are in doubt at the same time cannot be told apart.
    let is_twin = |other: Maker| other != maker && path_of(other).is_some() && path_of(other) == path_of(maker);
    if world.service.files.get(&file).is_some_and(|file| file.maker != maker && !is_twin(file.maker)) {
        world.violate(format!("{file} is moved by {maker:?}, who did not make it"));
    }
}

/// Checks that every dropped file has come to its end, and is in the drive once, or its end says where or why not.
fn check_desk(world: &mut World) {
    let mut found = Vec::new();
    for dropped in &world.desk.drops {
        let number = dropped.number;
        let made = world.service.files.values().filter(|file| file.maker == Maker::Drop(number));
        let mut contents: Vec<Content> = made.map(|file| file.content).collect();
        contents.sort_unstable();
        if contents.windows(2).any(|pair| pair[0] == pair[1]) {
            found.push(format!("drop {number} is in the drive more than once: {contents:?}"));
        }
        match dropped.state {
            State::Sent | State::AlreadyThere | State::Canceled | State::Paused => {}
            State::Failed => {
                let is_excused = match &dropped.failure {
                    Some(Cause::Vanished) => !world.desk.files.contains_key(&dropped.path),
                    Some(Cause::TooLarge { .. }) => true,
                    Some(Cause::MediaTypeNotTaken { .. }) => world.service.deviations.refuses_types,
                    Some(Cause::FolderGone) => {
                        dropped.folder.is_some_and(|folder| !world.service.folders.contains_key(&folder))
                    }
                    _ => false,
                };
                if !is_excused {
                    found.push(format!("drop {number} failed of {:?} although nothing is wrong", dropped.failure));
                }
            }
            State::Queued | State::Settling | State::Sending | State::Registering => {
                found.push(format!("drop {number} is left {:?}", dropped.state));
            }
        }
    }
    for words in found {
        world.violate(words);
    }
}
