//! The budget under a paused clock: which requests leave when, over minutes, in no time.

use std::sync::Mutex as StdMutex;

use proptest::prelude::*;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::*;

/// When each request left, counted from the start of the test.
#[derive(Clone)]
struct Log {
    start: Instant,
    left: Arc<StdMutex<Vec<(Lane, Duration)>>>,
}

impl Log {
    fn new() -> Self {
        Self { start: Instant::now(), left: Arc::default() }
    }

    fn note(&self, lane: Lane) {
        self.left.lock().unwrap().push((lane, self.start.elapsed()));
    }

    fn count(&self, lane: Lane, from_s: u64, to_s: u64) -> usize {
        let span = Duration::from_secs(from_s)..Duration::from_secs(to_s);
        self.left.lock().unwrap().iter().filter(|(of, at)| *of == lane && span.contains(at)).count()
    }
}

/// Keeps `workers` requests of `lane` going, each answered after `answer_after`.
fn saturate(budget: &Arc<Budget>, lane: Lane, workers: u32, answer_after: Duration, log: &Log) -> JoinSet<()> {
    let mut tasks = JoinSet::new();
    for _ in 0..workers {
        let (budget, log) = (Arc::clone(budget), log.clone());
        tasks.spawn(async move {
            loop {
                let permit = budget.take(lane).await;
                log.note(lane);
                sleep(answer_after).await;
                drop(permit);
            }
        });
    }
    tasks
}

async fn click(budget: &Arc<Budget>) -> Duration {
    let asked = Instant::now();
    let permit = budget.take(Lane::Person).await;
    let waited = asked.elapsed();
    drop(permit);
    waited
}

const ANSWER: Duration = Duration::from_millis(40);

#[tokio::test(start_paused = true)]
async fn transfers_alone_use_95_percent_after_the_first_ten_seconds() {
    let (budget, log) = (Budget::new(), Log::new());
    let _working = saturate(&budget, Lane::Transfer, 8, ANSWER, &log);
    sleep(Duration::from_secs(310)).await;
    for from_s in [10, 60, 130, 190, 250] {
        let used = log.count(Lane::Transfer, from_s, from_s + 60);
        assert!((114..=120).contains(&used), "{used} requests in the minute from second {from_s}");
    }
}

#[tokio::test(start_paused = true)]
async fn transfers_leave_evenly() {
    let (budget, log) = (Budget::new(), Log::new());
    let _working = saturate(&budget, Lane::Transfer, 8, ANSWER, &log);
    sleep(Duration::from_secs(200)).await;
    for from_s in (10..190).step_by(5) {
        let used = log.count(Lane::Transfer, from_s, from_s + 5);
        assert!((9..=10).contains(&used), "{used} requests in the five seconds from second {from_s}");
    }
}

#[test]
fn a_timer_that_wakes_late_slows_nothing_down_and_a_pause_becomes_no_burst() {
    // 24 permits for transfers: one every 2.5 s.
    let check = |permits_ms: &[u64], next_ms: u64| {
        let start = Instant::now();
        let at = |ms: u64| start + Duration::from_millis(ms);
        let mut permits = Permits::new(start);
        permits.resize(Some(25));
        for ms in permits_ms {
            permits.take_permit(at(*ms), Lane::Transfer);
        }
        let last = permits_ms.last().copied().unwrap_or_default();
        assert_eq!(permits.judge(at(last), Lane::Transfer, 0), Admission::NotBefore(at(next_ms)), "{permits_ms:?}");
    };
    check(&[0], 2_500);
    check(&[0, 2_500], 5_000);
    check(&[0, 2_900], 5_000);
    check(&[0, 4_999], 5_000);
    check(&[0, 5_000], 7_500);
    check(&[0, 60_000], 62_500);
    // A crowd of clicks delays the next transfer by ten steps at most.
    check(&[0; 4], 10_000);
    check(&[0; 20], 25_000);
}

#[tokio::test(start_paused = true)]
async fn a_click_leaves_within_a_second_while_transfers_saturate() {
    let (budget, log) = (Budget::new(), Log::new());
    let _working = saturate(&budget, Lane::Transfer, 400, ANSWER, &log);
    let _looking = saturate(&budget, Lane::Poll, 10, ANSWER, &log);
    for _ in 0..150 {
        sleep(Duration::from_millis(2_310)).await;
        let waited = click(&budget).await;
        assert!(waited <= Duration::from_secs(1), "{waited:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_click_that_needs_five_requests_leaves_within_a_second_while_transfers_saturate() {
    let (budget, log) = (Budget::new(), Log::new());
    let _working = saturate(&budget, Lane::Transfer, 400, ANSWER, &log);
    for _ in 0..60 {
        sleep(Duration::from_secs(11)).await;
        let asked = Instant::now();
        let clicks: JoinSet<Duration> = (0..5)
            .map(|_| {
                let budget = Arc::clone(&budget);
                async move { click(&budget).await }
            })
            .collect();
        clicks.join_all().await;
        assert!(asked.elapsed() <= Duration::from_secs(1), "{:?}", asked.elapsed());
    }
}

#[tokio::test(start_paused = true)]
async fn polls_never_starve_transfers_nor_transfers_polls() {
    let (budget, log) = (Budget::new(), Log::new());
    let _working = saturate(&budget, Lane::Transfer, 8, ANSWER, &log);
    let _looking = saturate(&budget, Lane::Poll, 8, ANSWER, &log);
    sleep(Duration::from_secs(190)).await;
    for lane in [Lane::Transfer, Lane::Poll] {
        let used = log.count(lane, 70, 190);
        assert!((100..=130).contains(&used), "{used} of {lane:?} in two minutes");
    }
}

#[tokio::test(start_paused = true)]
async fn zero_is_no_limit() {
    let budget = Budget::new();
    budget.resize(Some(0));
    let start = Instant::now();
    for _ in 0..10_000 {
        drop(budget.take(Lane::Transfer).await);
    }
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_size_that_the_service_does_not_say_is_the_usual_one() {
    let (budget, log) = (Budget::new(), Log::new());
    budget.resize(Some(0));
    budget.resize(None);
    let _working = saturate(&budget, Lane::Transfer, 4, ANSWER, &log);
    sleep(Duration::from_secs(60)).await;
    assert!(log.count(Lane::Transfer, 0, 60) <= 120);
}

#[tokio::test(start_paused = true)]
async fn a_budget_of_one_a_minute_still_moves() {
    let (budget, log) = (Budget::new(), Log::new());
    budget.resize(Some(1));
    let _working = saturate(&budget, Lane::Transfer, 3, ANSWER, &log);
    sleep(Duration::from_secs(200)).await;
    assert_eq!(log.count(Lane::Transfer, 0, 200), 4);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_holds_everything_back_and_the_pace_recovers_slowly() {
    let (budget, log) = (Budget::new(), Log::new());
    let _working = saturate(&budget, Lane::Transfer, 8, ANSWER, &log);
    sleep(Duration::from_secs(120)).await;
    // Requests that were on the way together are refused together, and count once.
    budget.refuse(Duration::from_secs(7));
    budget.refuse(Duration::from_secs(5));
    assert_eq!(click(&budget).await, Duration::from_secs(7));
    assert_eq!(log.count(Lane::Transfer, 120, 127), 0);
    sleep(Duration::from_secs(700)).await;
    let after_the_refusal = log.count(Lane::Transfer, 190, 250);
    assert!((92..=107).contains(&after_the_refusal), "{after_the_refusal}");
    let recovered = log.count(Lane::Transfer, 740, 800);
    assert!(recovered >= 114, "{recovered}");
}

#[tokio::test(start_paused = true)]
async fn a_click_is_not_slowed_by_what_refusals_took() {
    let (budget, log) = (Budget::new(), Log::new());
    let _working = saturate(&budget, Lane::Transfer, 8, ANSWER, &log);
    sleep(Duration::from_secs(120)).await;
    budget.refuse(Duration::from_secs(1));
    sleep(Duration::from_secs(1)).await;
    assert!(click(&budget).await <= Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn dropping_what_waits_loses_nothing_and_holds_nobody_up() {
    let budget = Budget::new();
    budget.resize(Some(2));
    let first = budget.take(Lane::Person).await;
    let second = budget.take(Lane::Person).await;
    let start = Instant::now();
    let waiting: Vec<_> = (0..5)
        .map(|_| {
            let budget = Arc::clone(&budget);
            tokio::spawn(async move { drop(budget.take(Lane::Person).await) })
        })
        .collect();
    sleep(Duration::from_secs(1)).await;
    // The first in the queue goes, then one in the middle; the others move up.
    waiting[0].abort();
    waiting[2].abort();
    drop(first);
    drop(second);
    for task in waiting {
        let _ = task.await;
    }
    // Two permits after one window, the third after another.
    assert!((Duration::from_secs(120)..Duration::from_secs(123)).contains(&start.elapsed()), "{:?}", start.elapsed());
    let state = budget.lock();
    assert!(state.people.is_empty() && state.polls.is_empty() && state.transfers.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_request_that_left_and_was_dropped_keeps_its_place() {
    let budget = Budget::new();
    budget.resize(Some(1));
    drop(budget.take(Lane::Person).await);
    let waited = click(&budget).await;
    assert!(waited >= Duration::from_secs(60), "{waited:?}");
}

#[tokio::test(start_paused = true)]
async fn a_smaller_size_counts_at_once() {
    let budget = Budget::new();
    for _ in 0..40 {
        drop(budget.take(Lane::Person).await);
    }
    budget.resize(Some(30));
    assert!(click(&budget).await >= Duration::from_secs(60));
}

/// One request: its lane, the pause before it is asked for, and how long its answer takes, in milliseconds.
type Request = (u8, u64, u64);

/// The most requests in any window of 60 s, counted when they arrived: somewhere between departure and answer.
async fn busiest_window(size: u32, requests: Vec<Request>) -> usize {
    let budget = Budget::new();
    budget.resize(Some(size));
    let arrivals = Arc::new(StdMutex::new(Vec::new()));
    let mut tasks = JoinSet::new();
    for (lane, pause_ms, answer_ms) in requests {
        let (budget, arrivals) = (Arc::clone(&budget), Arc::clone(&arrivals));
        let lane = [Lane::Person, Lane::Poll, Lane::Transfer][usize::from(lane % 3)];
        tasks.spawn(async move {
            let permit = budget.take(lane).await;
            // The worst that a network can do is to be early and late in turn.
            let before_ms = if answer_ms % 2 == 0 { 0 } else { answer_ms };
            sleep(Duration::from_millis(before_ms)).await;
            arrivals.lock().unwrap().push(Instant::now());
            sleep(Duration::from_millis(answer_ms - before_ms)).await;
            drop(permit);
        });
        sleep(Duration::from_millis(pause_ms)).await;
    }
    tasks.join_all().await;
    let mut arrivals = Arc::try_unwrap(arrivals).unwrap().into_inner().unwrap();
    arrivals.sort_unstable();
    (0..arrivals.len())
        .map(|first| arrivals[first..].iter().take_while(|at| **at - arrivals[first] < permits::WINDOW).count())
        .max()
        .unwrap_or_default()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_window_ever_holds_more_than_the_size(
        size in 1_u32..40,
        requests in prop::collection::vec((0_u8..3, 0_u64..3_000, 0_u64..20_000), 1..200),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let most = runtime.block_on(busiest_window(size, requests));
        prop_assert!(most <= size as usize, "{} in one window of {}", most, size);
    }
}
