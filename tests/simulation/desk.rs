//! Dropped files in the simulation: a desk with files that people drop, edit and delete, the journal's rows of them,
//! people's commands, and a small queue that runs the real upload jobs.
//!
//! Their ends are judged in `check`. Not here: what the service does (`service`), nor the way to it (`way`).

mod ports;

use std::collections::BTreeMap;
use std::time::Duration;

use easel_sync::ports::{Clock, Destination, DriveError, Fingerprint, Route, StoreError, Uploaded, Uploads};
use easel_sync::tree::{ContentHash, RemoteFile};
use easel_sync::upload::{Checkpoint, Checkpoints, UploadError};
use easel_sync::upload_job::{End, Identity, Item, Outcome, TransferCommand, UploadContext, UploadJob};
use easel_sync::{Cause, Kind, State, Stored};
use easel_wire::{FileId, FolderId, ItemRef};

use self::ports::OnDesk;
pub use self::ports::stored_of;
use crate::check;
use crate::service::Maker;
use crate::way::Request;
use crate::world::{Content, Sim, World, hash_of, size_of};

/// How long a file must stand still, in milliseconds.
const SETTLE_MS: u64 = 2_000;
/// The first wait after a cause that everything waits for, in milliseconds; it doubles up to the last.
const FIRST_WAIT_MS: u64 = 1_000;
const LAST_WAIT_MS: u64 = 60_000;

/// A file on the desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeskFile {
    pub content: Content,
    pub modified_us: i64,
}

impl DeskFile {
    pub const fn identity(self) -> Identity {
        Identity { size_bytes: size_of(self.content), modified_at: self.modified_us }
    }
}

/// A dropped file, as the journal has it, and what the judge has to know.
#[derive(Debug, Clone)]
pub struct Dropped {
    pub number: u64,
    pub path: String,
    pub folder: Option<FolderId>,
    pub state: State,
    pub identity: Identity,
    is_settled: bool,
    due_us: i64,
    pub at: Checkpoint,
    is_cancel_asked: bool,
    attempts: u32,
    priority: u64,
    pub failure: Option<Cause>,
    /// The drive file that it ended with.
    file: Option<FileId>,
    /// The part that only a running program knows.
    is_at_work: bool,
    command: Option<TransferCommand>,
    /// The file's identity when it was written down that the service, or its storage, has all bytes.
    pub taken: Option<Identity>,
    /// The file's identity when this attempt began to send it.
    pub sent_as: Option<Identity>,
    /// The file's identity when it was last refused, until a person asked again.
    pub was_refused: bool,
    /// A request of this transfer was carried out after its answer was given up.
    pub was_late: bool,
    /// A person canceled it and let it go on later.
    pub was_canceled: bool,
    /// Whether that was a request that moves its file.
    pub was_moved_late: bool,
    /// By how much the wall clock was off when its upload began.
    pub offset_us: Option<i64>,
    /// When its upload first began, by the service's clock.
    pub begun_ms: Option<u64>,
    /// When this attempt began, by the service's clock.
    attempt_ms: Option<u64>,
    /// When it came to its end.
    ended_ms: Option<u64>,
}

impl Dropped {
    /// Whether nobody has canceled it.
    pub fn is_wanted(&self) -> bool {
        !self.is_cancel_asked && self.command != Some(TransferCommand::Cancel)
    }

    /// Whether this attempt had begun by that moment.
    pub fn was_begun_before(&self, at_ms: u64) -> bool {
        self.attempt_ms.is_some_and(|attempt_ms| attempt_ms <= at_ms)
    }

    /// Whether the transfer had ended before that moment.
    pub fn is_over_since(&self, at_ms: Option<u64>) -> bool {
        self.ended_ms.is_some_and(|ended_ms| at_ms.is_some_and(|at_ms| ended_ms < at_ms))
    }
}

#[derive(Debug, Default)]
pub struct Desk {
    pub files: BTreeMap<String, DeskFile>,
    pub drops: Vec<Dropped>,
}

impl Desk {
    pub fn drop_of(&mut self, number: u64) -> &mut Dropped {
        let at = usize::try_from(number).unwrap_or(usize::MAX);
        &mut self.drops[at]
    }

    /// A program that starts again knows only what is written down.
    pub fn forget(&mut self) {
        for dropped in &mut self.drops {
            (dropped.is_at_work, dropped.command) = (false, None);
        }
    }

    fn next_priority(&self) -> u64 {
        self.drops.iter().map(|dropped| dropped.priority).max().unwrap_or_default() + 1
    }

    /// The next transfer.
    fn pick(&mut self) -> Option<u64> {
        let is_ready = |dropped: &&mut Dropped| dropped.state == State::Queued && !dropped.is_at_work;
        let ready = self.drops.iter_mut().filter(is_ready);
        let next = ready.max_by_key(|dropped| (dropped.priority, u64::MAX - dropped.number))?;
        next.is_at_work = true;
        Some(next.number)
    }

    fn is_open(&self) -> bool {
        self.drops.iter().any(|dropped| matches!(dropped.state, State::Queued | State::Settling))
    }
}

/// A person's command about a dropped file, as the journal writes it down and the queue carries it out.
pub fn ask(world: &mut World, number: u64, command: Option<TransferCommand>) {
    let priority = world.desk.next_priority();
    let dropped = world.desk.drop_of(number);
    let is_unfinished = matches!(dropped.state, State::Queued | State::Settling);
    match command {
        Some(TransferCommand::Pause) if is_unfinished && !dropped.is_cancel_asked => dropped.state = State::Paused,
        Some(TransferCommand::Cancel) if is_unfinished || matches!(dropped.state, State::Paused | State::Failed) => {
            dropped.is_cancel_asked = dropped.at.is_in_doubt();
            dropped.state = if dropped.is_cancel_asked { State::Queued } else { State::Canceled };
            dropped.priority = priority;
        }
        None if matches!(dropped.state, State::Paused | State::Failed | State::Canceled) => {
            let was_canceled = dropped.state == State::Canceled;
            (dropped.state, dropped.priority) = (State::Queued, priority);
            (dropped.attempts, dropped.failure, dropped.was_refused, dropped.ended_ms) = (0, None, false, None);
            if was_canceled {
                (dropped.taken, dropped.was_canceled) = (None, true);
            }
        }
        _ => {}
    }
    if dropped.is_at_work
        && let Some(command) = command
        && dropped.command != Some(TransferCommand::Cancel)
    {
        dropped.command = Some(command);
    }
    let what = match command {
        Some(TransferCommand::Pause) => "pauses",
        Some(TransferCommand::Cancel) => "cancels",
        None => "lets go on",
    };
    world.count(match command {
        Some(TransferCommand::Pause) => "drops paused",
        Some(TransferCommand::Cancel) => "drops canceled",
        None => "drops let go on",
    });
    world.say(|| format!("person {what} drop {number}"));
}

/// One act of people at the desk.
pub fn act(world: &mut World) {
    if !world.has_desk {
        return;
    }
    let count = world.desk.drops.len() as u64;
    let some = world.dice.below(count.max(1));
    match world.dice.below(12) {
        0..=4 => drop_file(world),
        _ if count == 0 => {}
        5 => ask(world, some, Some(TransferCommand::Pause)),
        6 => ask(world, some, Some(TransferCommand::Cancel)),
        7 | 8 => ask(world, some, None),
        9 => {
            let priority = world.desk.next_priority();
            world.desk.drop_of(some).priority = priority;
        }
        10 if world.dice.percent(50) => {
            let path = world.desk.drop_of(some).path.clone();
            let content = world.new_content();
            let modified_us = world.wall_us();
            world.say(|| format!("person edits {path} on the desk (content {content})"));
            world.desk.files.insert(path, DeskFile { content, modified_us });
        }
        11 if world.dice.percent(20) => {
            let path = world.desk.drop_of(some).path.clone();
            world.say(|| format!("person deletes {path} from the desk"));
            world.desk.files.remove(&path);
        }
        _ => {}
    }
}

fn drop_file(world: &mut World) {
    let number = world.desk.drops.len() as u64;
    if number >= 12 {
        return;
    }
    let again: Vec<String> = world.desk.files.keys().cloned().collect();
    let path = match world.dice.pick(&again).cloned().filter(|_| world.dice.percent(20)) {
        Some(path) => path,
        None => {
            let path = format!("drop {number}.txt");
            let content = if world.touches_there && world.dice.percent(10) {
                world.new_content()
            } else {
                world.next_content += 1;
                world.next_content - 1
            };
            // Most files are old, some are just being written.
            let age_us = if world.dice.percent(80) { 3_600_000_000 } else { 500_000 };
            let modified_us = world.wall_us() - age_us;
            world.desk.files.insert(path.clone(), DeskFile { content, modified_us });
            path
        }
    };
    let folders = [None, Some(world.service.elsewhere), Some(world.service.root)];
    let most = if world.touches_there { 3 } else { 2 };
    let folder = folders[usize::try_from(world.dice.below(most)).unwrap_or(0)];
    let Some(file) = world.desk.files.get(&path).copied() else { return };
    let content = file.content;
    world.say(|| format!("person drops {path} (content {content}) as drop {number} on {folder:?}"));
    world.count("files dropped");
    world.desk.drops.push(Dropped {
        number,
        path,
        folder,
        state: State::Queued,
        identity: file.identity(),
        is_settled: false,
        due_us: 0,
        at: Checkpoint::NotBegun,
        is_cancel_asked: false,
        attempts: 0,
        priority: 0,
        failure: None,
        file: None,
        is_at_work: false,
        command: None,
        taken: None,
        sent_as: None,
        was_refused: false,
        was_late: false,
        was_canceled: false,
        was_moved_late: false,
        offset_us: None,
        begun_ms: None,
        attempt_ms: None,
        ended_ms: None,
    });
}

/// Runs upload jobs for dropped files until none is left that can go on.
pub async fn work(sim: &Sim) {
    let mut wait_ms = FIRST_WAIT_MS;
    while sim.world().desk.is_open() {
        // A program that has crashed takes up no more transfers.
        sim.pass().await;
        let next = sim.world().desk.pick();
        let Some(number) = next else {
            // A settling file is looked at when it is due; a transfer in another slot ends by itself.
            sim.wait_ms(SETTLE_MS).await;
            look_at_settling(&mut sim.world());
            let is_carried = sim.world().desk.drops.iter().any(|dropped| dropped.is_at_work);
            if is_carried {
                return;
            }
            continue;
        };
        let blocked = carry(sim, number).await;
        sim.world().desk.drop_of(number).is_at_work = false;
        sim.world().desk.drop_of(number).command = None;
        match blocked {
            Some(after_ms) => {
                sim.wait_ms(after_ms.unwrap_or(wait_ms)).await;
                wait_ms = (wait_ms * 2).min(LAST_WAIT_MS);
            }
            None => wait_ms = FIRST_WAIT_MS,
        }
    }
}

fn look_at_settling(world: &mut World) {
    let now_us = world.wall_us();
    let files = world.desk.files.clone();
    for dropped in world.desk.drops.iter_mut().filter(|dropped| dropped.state == State::Settling) {
        let seen = files.get(&dropped.path).map(|file| file.identity());
        let is_due = dropped.due_us <= now_us || dropped.due_us > now_us + 2_000_000;
        if is_due && seen.is_none_or(|seen| seen == dropped.identity) {
            (dropped.state, dropped.is_settled) = (State::Queued, true);
        } else if is_due {
            dropped.identity = seen.unwrap_or(dropped.identity);
            dropped.due_us = now_us + 2_000_000;
        }
    }
}

/// Runs one upload job. If everything has to wait, returns for how long, as far as the service tells.
async fn carry(sim: &Sim, number: u64) -> Option<Option<u64>> {
    let (item, planted) = {
        let mut world = sim.world();
        let planted = world.settings.planted;
        let Dropped { identity, is_settled, at, is_cancel_asked, .. } = world.desk.drop_of(number).clone();
        world.say(|| format!("drop {number} is carried, from {at:?}"));
        (Item { kind: Kind::File, identity, is_settled, at, is_cancel_asked }, planted)
    };
    let on_desk = OnDesk { sim: sim.clone(), number };
    let settle = Duration::from_millis(SETTLE_MS);
    let job = UploadJob { context: &on_desk, drive: &on_desk, clock: sim, settle, item, planted };
    let outcome = job.run().await;
    sim.world().say(|| format!("drop {number}: {outcome:?}"));
    match outcome {
        Ok(Outcome::Blocked { after_ms, .. }) => Some(after_ms),
        Ok(_) => None,
        Err(_) => Some(None),
    }
}
