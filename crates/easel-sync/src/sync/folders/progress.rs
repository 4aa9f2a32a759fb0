//! What is shown of a folder at work: how much of its run is done, how fast, and how long the rest takes.
//!
//! A run may take several plans: some folders have to be made first, a limit has to pass, a copy waits for its original,
//! or there are more files than one plan has. People count files, not plans; so the figures go on from plan to plan.
//!
//! Pure: times and counts are handed in. Always true: what a preview announced is what is counted to, as long as there
//! is not more. Not here: who is told (`watched`), and the estimate itself (`shared::estimate`).

use super::folder::State;
use crate::shared::estimate::{LimitedBy, Rate, RemainingWork, Speeds, estimate};
use crate::shared::journal::LARGE_BYTES;
use crate::sync::engine::{Progress, Stage};

/// Files are counted in thousandths: one that is half over counts half. Else several files that are sent side by side
/// and end at one moment would look like no progress, and then like much.
const WHOLE: u64 = 1_000;

/// The files sent and fetched since both sides last rested.
#[derive(Debug, Default)]
pub(super) struct RunProgress {
    /// The plan that is being carried out.
    plan: Option<RunningPlan>,
    /// Files of the plans before it.
    files: u64,
    bytes: u64,
    /// Files and bytes that a preview announced; any above that are counted as well.
    promised: (u64, u64),
    rates: Rates,
}

/// A plan that is being carried out.
#[derive(Debug, Clone, Copy)]
struct RunningPlan {
    progress: Progress,
    /// The bytes that had moved when the plan began.
    moved_before: u64,
}

#[derive(Debug, Clone, Copy)]
struct Rates {
    /// The speed that is shown.
    bytes: Rate,
    /// The connection's speed while a large file is half over: small files say nothing about it.
    capacity: Rate,
    /// Thousandths of files, from the first one of the run.
    files: Rate,
    was_moving: bool,
}

impl Default for Rates {
    fn default() -> Self {
        Self { bytes: Rate::default(), capacity: Rate::steady(), files: Rate::steady(), was_moving: false }
    }
}

impl RunProgress {
    /// Takes over the files and bytes that a preview announced for the coming run.
    pub(super) fn promise(&mut self, files: u64, bytes: u64) {
        self.promised = (files, bytes);
    }

    /// Takes in what the engine tells of its plan. `moved` are the bytes that have moved since the program began.
    pub(super) fn follow(&mut self, progress: &Progress, moved: u64) {
        match &mut self.plan {
            Some(plan) if is_same_plan(&plan.progress, progress) => plan.progress = *progress,
            _ => {
                self.end_plan();
                self.plan = Some(RunningPlan { progress: *progress, moved_before: moved });
            }
        }
    }

    /// Adds what the plan has sent and fetched to what those before it have.
    fn end_plan(&mut self) {
        if let Some(RunningPlan { progress, .. }) = self.plan.take()
            && progress.stage == Stage::Transferring
        {
            self.files += progress.done;
            self.bytes += progress.bytes_done;
        }
    }

    /// The run stands still for now. The time until it goes on says nothing about its speed.
    pub(super) fn interrupt(&mut self) {
        self.end_plan();
        self.rates = Rates::default();
    }

    /// Whether a plan is being carried out, so that the figures move.
    pub(super) fn is_working(&self) -> bool {
        self.plan.is_some()
    }

    /// Takes in the bytes that have moved at a moment in milliseconds, and whether a large file moves.
    pub(super) fn observe(&mut self, now_ms: u64, moved: u64, is_moving: bool) {
        if self.plan.is_none() {
            return;
        }
        let files = self.thousandths_done(moved);
        let rates = &mut self.rates;
        rates.bytes.observe(now_ms, moved);
        if is_moving && rates.was_moving {
            rates.capacity.observe(now_ms, moved);
        } else {
            rates.capacity.skip(now_ms, moved);
        }
        rates.was_moving = is_moving;
        // Before the first file, folders are made: that says nothing about files.
        if files == 0 {
            rates.files.skip(now_ms, files);
        } else {
            rates.files.observe(now_ms, files);
        }
    }

    /// The state of the folder, while a plan is carried out.
    pub(super) fn state(&self, moved: u64, requests_per_minute: Option<u32>) -> Option<State> {
        let plan = self.plan?;
        let Progress { stage, mut done, mut total, mut bytes_total, .. } = plan.progress;
        let mut bytes_done = plan.bytes_done(moved);
        // The stages after another one are not known yet.
        let (mut time_left_ms, mut limited_by) = (None, LimitedBy::Nothing);
        if stage == Stage::Transferring {
            (done, total) = (done + self.files, (total + self.files).max(self.promised.0));
            (bytes_done, bytes_total) = (bytes_done + self.bytes, (bytes_total + self.bytes).max(self.promised.1));
            let files_left = total.saturating_mul(WHOLE).saturating_sub(self.thousandths_done(moved)).div_ceil(WHOLE);
            let work = remaining(files_left, bytes_total - bytes_done);
            (time_left_ms, limited_by) = estimate(work, self.speeds(requests_per_minute));
        }
        let bytes_per_second = self.rates.bytes.whole();
        Some(State::Working { stage, done, total, bytes_done, bytes_total, bytes_per_second, time_left_ms, limited_by })
    }

    fn speeds(&self, requests_per_minute: Option<u32>) -> Speeds {
        let files = self.rates.files.per_second().map(|rate| rate / 1_000.0).filter(|rate| *rate > 0.0);
        let bytes_per_second = self.rates.capacity.per_second();
        Speeds { bytes_per_second, small_files_per_second: files, requests_per_minute }
    }

    /// Files of the run that are done, in thousandths.
    fn thousandths_done(&self, moved: u64) -> u64 {
        let plan = self.plan.filter(|plan| plan.progress.stage == Stage::Transferring);
        let of_plan = plan.map_or(0, |plan| plan.thousandths_done(moved));
        self.files.saturating_mul(WHOLE).saturating_add(of_plan)
    }
}

impl RunningPlan {
    /// Bytes of the plan's files that have moved, those of unfinished files included.
    fn bytes_done(&self, moved: u64) -> u64 {
        let Progress { bytes_done, bytes_total, .. } = self.progress;
        bytes_done.max(moved.saturating_sub(self.moved_before)).min(bytes_total)
    }

    /// Steps that are done, in thousandths.
    fn thousandths_done(&self, moved: u64) -> u64 {
        let Progress { done, total, bytes_done, bytes_total, .. } = self.progress;
        let under_way = self.bytes_done(moved).saturating_sub(bytes_done);
        let each = bytes_total.checked_div(total).unwrap_or_default().max(1);
        let left = total.saturating_sub(done).saturating_mul(WHOLE);
        done.saturating_mul(WHOLE).saturating_add((under_way.saturating_mul(WHOLE) / each).min(left))
    }
}

/// The work of so many files with so many bytes: they are large where they are so on average.
fn remaining(files: u64, bytes: u64) -> RemainingWork {
    let are_large = bytes.checked_div(files).is_some_and(|each| each > LARGE_BYTES);
    let (small_files, large_files) = if are_large { (0, files) } else { (files, 0) };
    RemainingWork { bytes, small_files, large_files }
}

/// Whether the second report is a later one of the same plan.
fn is_same_plan(before: &Progress, now: &Progress) -> bool {
    before.stage == now.stage
        && before.total == now.total
        && before.bytes_total == now.bytes_total
        && before.done <= now.done
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES_EACH: u64 = 4_096;

    fn sending(done: u64, total: u64) -> Progress {
        let (bytes_done, bytes_total) = (done * BYTES_EACH, total * BYTES_EACH);
        Progress { stage: Stage::Transferring, done, total, bytes_done, bytes_total }
    }

    fn making_folders(done: u64, total: u64) -> Progress {
        Progress { stage: Stage::MakingFolders, done, total, bytes_done: 0, bytes_total: 0 }
    }

    /// The files of a run that are done, all of them, and the seconds that are left.
    fn shown(run: &RunProgress, moved: u64) -> (u64, u64, Option<u64>) {
        let Some(State::Working { done, total, time_left_ms, .. }) = run.state(moved, None) else {
            panic!("no plan is being carried out")
        };
        (done, total, time_left_ms.map(|left| left / 1_000))
    }

    #[test]
    fn the_time_left_is_of_all_that_was_announced_and_not_of_one_plan() {
        let mut run = RunProgress::default();
        run.promise(1_000, 1_000 * BYTES_EACH);
        let mut moved = 0;
        let mut now_ms = 0;
        for plan in 0..4 {
            // Before each hundred files, a second passes with folders: ten files a second in all, from the first file on.
            for done in 0..10 {
                run.follow(&making_folders(done, 10), moved);
                run.observe(now_ms, moved, false);
                now_ms += 100;
            }
            for done in 0..=100 {
                run.follow(&sending(done, 100), moved);
                run.observe(now_ms, moved, false);
                if done < 100 {
                    moved += BYTES_EACH;
                    now_ms += 90;
                }
            }
            let (done, total, left) = shown(&run, moved);
            assert_eq!((done, total), ((plan + 1) * 100, 1_000));
            let truth = (900 - plan * 100) / 10;
            let left = left.expect("an estimate");
            assert!(left.abs_diff(truth) * 100 <= truth * 15, "plan {plan}: {left} s are told, {truth} s are true");
        }
    }

    #[test]
    fn the_time_of_a_wait_is_no_time_of_files() {
        let mut run = RunProgress::default();
        run.promise(1_000, 1_000 * BYTES_EACH);
        for second in 0..=10 {
            run.follow(&sending(second * 10, 1_000), second * 10 * BYTES_EACH);
            run.observe(second * 1_000, second * 10 * BYTES_EACH, false);
        }
        run.interrupt();
        assert!(!run.is_working());
        run.observe(500_000, 100 * BYTES_EACH, false);
        for second in 0..=10 {
            let moved = (100 + second * 10) * BYTES_EACH;
            run.follow(&sending(second * 10, 900), moved);
            run.observe(1_000_000 + second * 1_000, moved, false);
        }
        assert_eq!(shown(&run, 200 * BYTES_EACH), (200, 1_000, Some(80)));
    }

    #[test]
    fn more_than_was_announced_is_counted_as_well() {
        let mut run = RunProgress::default();
        run.promise(3, 3 * BYTES_EACH);
        run.follow(&sending(5, 5), 0);
        run.follow(&sending(0, 7), 0);
        assert_eq!(shown(&run, 0).0, 5);
        assert_eq!(shown(&run, 0).1, 12);
    }
}
