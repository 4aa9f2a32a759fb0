//! One run: a world from a seed, phases of work and faults, and then a quiet time in which the engine must come to
//! rest.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use easel_sync::engine::{Engine, StopReason};
use easel_sync::plan::{DeletionRule, Mode, Settings};
use easel_sync::tree::Agreed;
use easel_sync::{Mutant, Planted, State};
use futures_util::future;

use crate::conflicts::{self, Conflicts};
use crate::desk::{self, Desk};
use crate::disk::{Mount, VirtualDisk};
use crate::history::History;
use crate::service::{Deviations, Service};
use crate::undo::Among;
use crate::world::{Chaos, Dice, Sim, World};
use crate::{check, person, undo};

/// More calls than any run needs to come to rest.
const MOST_CALLS: u64 = 60_000;

/// The time that a person takes to answer a question, or to put a disk back.
const A_MINUTE_MS: u64 = 60_000;

/// An engine between simulated sides.
pub type SimEngine = Engine<Sim, Sim, Sim, Sim>;

/// The result of a run.
pub struct Outcome {
    pub violations: Vec<String>,
    /// How often each kind of thing happened.
    pub counts: BTreeMap<&'static str, u64>,
    pub log: Vec<String>,
}

/// Runs a seed, with a planted bug if there is one. With `is_logged`, the events are kept.
pub fn run_seed(seed: u64, mutant: Option<Mutant>, is_logged: bool) -> Outcome {
    let sim = Sim::new(new_world(seed, mutant, is_logged));
    {
        let mut world = sim.world();
        let (mode, rule) = (world.settings.mode, world.settings.deletions);
        let (kept, stays) = (world.kept_items, world.stays_on);
        world.say(|| format!("{mode:?}, {rule:?} deletions, items in memory: {kept:?}, the engine stays on: {stays}"));
    }
    let phases = {
        let mut world = sim.world();
        let (first, large) = (world.dice.below(14), world.dice.percent(15));
        for _ in 0..first + if large { 40 } else { 2 } {
            person::act_here(&mut world);
            person::act_there(&mut world);
            desk::act(&mut world);
        }
        2 + world.dice.below(4)
    };
    let mut engine = None;
    let mut dice = Dice::new(seed ^ 0x304E_D5EE);
    for _ in 0..phases {
        if sim.world().kept_items.is_some() && dice.percent(30) {
            person::move_into_a_folder(&mut sim.world(), &mut dice);
        }
        disturb(&sim);
        if sim.world().violations.is_empty() {
            work(&sim, &mut engine, false, false);
        }
        sim.world().chaos = Chaos::default();
    }
    {
        let mut world = sim.world();
        if world.dice.percent(50) {
            world.disk.closed.clear();
        }
        if world.dice.percent(50) {
            // The service takes the types that it refused before, and someone asks for the refused files again.
            world.service.deviations.refuses_types = false;
        }
        for number in 0..world.desk.drops.len() as u64 {
            if matches!(world.desk.drop_of(number).state, State::Paused | State::Failed) {
                desk::ask(&mut world, number, None);
            }
        }
    }
    if sim.world().violations.is_empty() {
        let notes = work(&sim, &mut engine, true, true);
        let mut world = sim.world();
        if let Some(notes) = &notes {
            check::check_rest(&mut world, notes);
        }
        world.effects = 0;
    }
    if sim.world().violations.is_empty() {
        work(&sim, &mut engine, true, false);
        let mut world = sim.world();
        if world.effects > 0 {
            let effects = world.effects;
            world.violate(format!("it rested, and then had {effects} more things to do"));
        }
    }
    if sim.world().violations.is_empty() {
        undo::go_back(&sim, &mut engine, Dice::new(seed ^ 0xBAC2));
    }
    let mut world = sim.world();
    check::tell_sides(&mut world);
    let counts = std::mem::take(&mut world.counts);
    Outcome { counts, violations: std::mem::take(&mut world.violations), log: world.log.take().unwrap_or_default() }
}

/// The world of a seed, before anything happened in it.
pub fn new_world(seed: u64, mutant: Option<Mutant>, is_logged: bool) -> World {
    let mut dice = Dice::new(seed);
    let mode = if dice.percent(60) { Mode::BothWays } else { Mode::UploadOnly };
    let deletions = if dice.percent(50) { DeletionRule::Delete } else { DeletionRule::Keep };
    let (touches_here, touches_there) = match dice.below(10) {
        0..=3 => (true, false),
        4 if mode == Mode::BothWays => (false, true),
        _ => (true, true),
    };
    let at_once = if dice.percent(30) { 1 } else { 4 };
    let ignored = dice.percent(30).then_some("d.png");
    let mut service = Service::new();
    service.requests_a_minute = if dice.percent(40) { 20 } else { 120 };
    let has_desk = dice.percent(60);
    if dice.percent(40) {
        service.deviations = deviate(&mut dice);
    }
    // Drawn from dice of its own, so that earlier seeds stay what they were. If no hash is told, nobody could tell that
    // a content is another.
    let keeps_none = service.deviations.tells_no_hash || Dice::new(seed ^ 0x5EED).percent(50);
    service.deviations.keeps_no_versions = keeps_none;
    let goes_on = Dice::new(seed ^ 0xC4_05E5).percent(40);
    let history = History::new(service.root);
    let has_copies = touches_there && !service.deviations.tells_no_hash && dice.percent(50);
    World {
        dice,
        now_ms: 1_000_000,
        wall_offset_us: 0,
        calls: 0,
        chaos: Chaos::default(),
        disk: VirtualDisk::new(),
        service,
        agreed: Agreed::default(),
        history,
        conflicts: Conflicts::new(goes_on, Dice::new(seed ^ 0xC0_4F11)),
        going_back: Among::new(goes_on, Dice::new(seed ^ 0xBAC3)),
        intents: Vec::new(),
        settings: Settings {
            mode,
            deletions,
            host_name: "studio-laptop".to_owned(),
            today: "2026-11-20".to_owned(),
            direct_max_bytes: 500,
            max_file_bytes: 5_000,
            at_once,
            planted: Planted::new(mutant),
        },
        way: crate::way::Way::default(),
        late: Vec::new(),
        counts: BTreeMap::new(),
        was_crashed: false,
        has_yielded: false,
        ignored,
        desk: Desk::default(),
        has_desk,
        // Drawn from dice of their own, like the above.
        stays_on: Dice::new(seed ^ 0x57A7_0000).percent(25),
        kept_items: Dice::new(seed ^ 0xF0_26E7).percent(50).then(|| draw_kept_items(seed)),
        has_copies,
        has_refused_pointers: false,
        has_versions: None,
        stored: BTreeMap::new(),
        refused: BTreeMap::new(),
        acts: BTreeMap::new(),
        replaced: BTreeSet::new(),
        went_with_a_folder: BTreeSet::new(),
        given_new_content: BTreeSet::new(),
        thrown_away: BTreeMap::new(),
        last_seen: BTreeMap::new(),
        next_content: 1,
        violations: Vec::new(),
        log: is_logged.then(Vec::new),
        touches_here,
        touches_there,
        is_calm: true,
        effects: 0,
        is_crashed: false,
        last_call: 0,
    }
}

/// How many items the engine keeps in memory: most of the time as few as it can.
fn draw_kept_items(seed: u64) -> usize {
    let mut dice = Dice::new(seed ^ 0x4E_EE55);
    if dice.percent(70) { 0 } else { usize::try_from(1 + dice.below(20)).unwrap_or(usize::MAX) }
}

/// A service that others wrote.
fn deviate(dice: &mut Dice) -> Deviations {
    Deviations {
        direct_ignores_folder: dice.percent(40),
        register_ignores_folder: dice.percent(40),
        tells_no_folder: dice.percent(50),
        tells_no_hash: dice.percent(30),
        refuses_types: dice.percent(40),
        refuses_pointers: dice.percent(20),
        keeps_no_versions: false,
    }
}

/// Lets people work, and sets the faults for the engine's next steps.
fn disturb(sim: &Sim) {
    let mut world = sim.world();
    world.say(|| "-- people work".to_owned());
    let count = world.dice.below(8);
    for _ in 0..count {
        if world.dice.percent(65) {
            person::act_here(&mut world);
        } else {
            person::act_there(&mut world);
        }
        if world.dice.percent(50) {
            desk::act(&mut world);
        }
    }
    conflicts::act(&mut world);
    undo::begin(&mut world);
    if world.dice.percent(20) {
        world.jump();
    }
    if world.dice.percent(8) {
        world.ignored = if world.ignored.is_none() { Some("d.png") } else { None };
        person::leave_out(&mut world);
        let ignored = world.ignored;
        world.say(|| format!("left out: {ignored:?}"));
    }
    if world.dice.percent(4) && world.touches_here {
        // Someone empties the folder.
        let paths: Vec<String> = world.disk.nodes.keys().cloned().collect();
        for path in paths {
            person::delete(&mut world, &path);
        }
    }
    let level = world.dice.below(4);
    let (lost, edits) = match level {
        0 => (0, 0),
        1 => (0, 4),
        2 => (8, 0),
        _ => (15, 4),
    };
    let some = |dice: &mut Dice, percent| if level > 1 && dice.percent(30) { percent } else { 0 };
    world.chaos = Chaos {
        lost,
        rate_limited: lost / 2,
        refused: some(&mut world.dice, 5),
        lag: if level > 0 { 40 } else { 0 },
        dropped: if level > 0 && world.dice.percent(60) { 20 } else { 0 },
        disk_fails: some(&mut world.dice, 8),
        store_fails: some(&mut world.dice, 3),
        jumps: if level > 0 { 4 } else { 0 },
        interleaves: level > 0,
        edits_here: edits,
        edits_there: edits,
        edits_left: if edits > 0 { world.dice.below(12) } else { 0 },
        crash_in: None,
    };
    if level > 0 && world.dice.percent(60) {
        world.chaos.crash_in = Some(world.dice.below(80));
    }
    if world.dice.percent(6) {
        world.disk.mount = if world.dice.percent(50) { Mount::Missing } else { Mount::Empty };
    }
}

/// Lets the engine work until it rests, started again after each crash, with refused files tried again if someone asks.
/// Where the engine stays on, the one that rests is `at_rest`, and works next. Returns the notes with which it rests;
/// `None` if it does not rest.
pub fn work(
    sim: &Sim,
    at_rest: &mut Option<SimEngine>,
    is_quiet: bool,
    tries_refused: bool,
) -> Option<Vec<easel_sync::plan::Note>> {
    let last_call = sim.world().calls + MOST_CALLS;
    sim.world().say(|| format!("-- the engine works{}", if is_quiet { ", undisturbed" } else { "" }));
    if is_quiet {
        let mut world = sim.world();
        world.disk.mount = Mount::There;
        undo::finish(&mut world);
        if world.stays_on {
            world.disk.doubt_looks();
        }
    }
    for _ in 0..20 {
        let mut engine = at_rest.take().unwrap_or_else(|| new_engine(sim));
        if tries_refused && poll(sim, engine.try_refused_again(""), last_call).is_none() {
            return None;
        }
        let mut is_first = true;
        for _ in 0..20 {
            let reason = run_once(sim, &mut engine, last_call);
            if reason.is_some() && sim.world().kept_items.is_some() {
                engine.rest();
                engine = engine.lay_flat().build();
            }
            match reason {
                // Files that were dropped meanwhile came after the queue had looked, and requests still on their way
                // come now.
                Some(StopReason::Done(_)) if is_quiet && std::mem::take(&mut is_first) => sim.world().let_all_come(),
                Some(StopReason::Done(notes)) => {
                    let mut world = sim.world();
                    let agreed: Vec<String> = world.agreed.records.keys().cloned().collect();
                    world.say(|| format!("rests: {notes:?}, agreed on {agreed:?}"));
                    let World { history, agreed, .. } = &mut *world;
                    history.rest(agreed, notes.is_empty());
                    *at_rest = world.stays_on.then_some(engine);
                    return Some(notes);
                }
                Some(StopReason::Asking(guard)) => {
                    let mut world = sim.world();
                    world.say(|| format!("asks: {guard:?}"));
                    world.now_ms += A_MINUTE_MS;
                    if world.disk.mount == Mount::There {
                        engine.consent(guard);
                    }
                    world.disk.mount = Mount::There;
                }
                Some(StopReason::StoreFailed(error)) => {
                    let mut world = sim.world();
                    if is_quiet {
                        world.violate(format!("the store failed: {error}"));
                        return None;
                    }
                    // The folder stops, until someone starts it again.
                    world.crash();
                    break;
                }
                Some(StopReason::RootMissing) => {
                    let mut world = sim.world();
                    world.disk.mount = Mount::There;
                    world.now_ms += A_MINUTE_MS;
                }
                None => break,
            }
        }
        let mut world = sim.world();
        if !std::mem::take(&mut world.is_crashed) {
            if world.violations.is_empty() {
                world.violate("it does not come to rest");
            }
            return None;
        }
        if world.dice.percent(50) {
            // Time passes before it is started again.
            person::act_here(&mut world);
            person::act_there(&mut world);
        }
        if world.chaos.lost > 0 && world.dice.percent(40) {
            world.chaos.crash_in = Some(world.dice.below(60));
        }
    }
    None
}

/// Lets the engine work until it stops, beside the queue; where it rests, the program finds out which conflicts are over. `None` where
/// the program ends meanwhile.
fn run_once(sim: &Sim, engine: &mut SimEngine, last_call: u64) -> Option<StopReason> {
    let both = async { future::join3(engine.run(), desk::work(sim), desk::work(sim)).await.0 };
    let reason = poll(sim, both, last_call)?;
    if matches!(reason, StopReason::Done(_)) {
        poll(sim, conflicts::judge(sim, engine), last_call)?;
    }
    Some(reason)
}

/// An engine as it is started.
fn new_engine(sim: &Sim) -> SimEngine {
    let (root, settings) = {
        let world = sim.world();
        (world.service.root, world.settings.clone())
    };
    // The other bugs change what the engine does, and not how it plans.
    let is_judged = [None, Some(Mutant::LeavesOutContents)].map(Planted::new).contains(&settings.planted);
    let mut engine = Engine::new(sim.clone(), sim.clone(), sim.clone(), sim.clone(), root, settings);
    if let Some(items) = sim.world().kept_items {
        engine.keep(items);
    }
    if is_judged {
        let sim = sim.clone();
        engine.judge(move |input, plan| check::check_part(&sim, input, plan));
    }
    engine
}

/// Polls a future that never waits for anything but other tasks of the simulation: if it is not ready, it has crashed.
/// `None` then, and when it would go on for ever.
fn poll<T>(sim: &Sim, future: impl Future<Output = T>, last_call: u64) -> Option<T> {
    sim.world().last_call = last_call;
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return Some(value);
        }
        let mut world = sim.world();
        if !std::mem::take(&mut world.has_yielded) || world.is_crashed {
            return None;
        }
    }
}
