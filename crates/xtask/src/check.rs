//! `cargo xtask test`: everything a change has to pass, and a closing summary in plain words.
//!
//! A check that fails does not keep the others from running; a check that cannot run because an earlier one failed is
//! listed as failed, with the reason. Nothing is ever skipped. A test that passes only when it is tried again is named at the end, and
//! fails the whole where a person asks for that.

use std::fs;
use std::num::NonZero;
use std::thread;
use std::time::{Duration, Instant};

use crate::checkout::Checkout;
use crate::command::{Problem, Run};
use crate::{conformance, front_end, results, setup, tidy, tools};

type Check = fn(&Checkout) -> Result<(), Problem>;

/// One line of the summary.
struct Outcome {
    name: &'static str,
    took: Duration,
    problem: Option<Problem>,
}

/// What must work before the checks after it mean anything.
const SET_UP: &[(&str, Check)] = &[
    ("system packages, front-end packages and pages", setup::prepare_build),
    ("the virtual desktop", setup::prepare_virtual_desktop),
    ("the test runner", setup::prepare_test_runner),
    ("the tools that tests run", tools::prepare),
];

const BEFORE_THE_TESTS: &[(&str, Check)] = &[
    ("formatting", check_format),
    ("the architecture's \"never\" list", tidy::report),
    ("the build: the app, the studio and all tests", build_everything),
];

const TESTS: (&str, Check) = ("Rust tests, and the journeys in a real window", run_rust_tests);

/// Tests that wait for real seconds leave the processors idle: so these run beside them, one after the other and behind them.
const BESIDE_THE_TESTS: &[(&str, Check)] = &[
    ("lints, without a warning", check_lints),
    ("examples in the documentation", run_doc_tests),
    ("front end: types", front_end::check_types),
    ("front end: tests", front_end::run_tests),
];

const AFTER_THE_TESTS: &[(&str, Check)] = &[
    ("every rule of the specification", conformance::report),
    ("the rules about contents, with a bucket", run_bucket_tests),
    ("the rules of the studio, with PostgreSQL", run_postgres_tests),
    ("the rules of the studio, by three processes", run_several_tests),
];

/// Runs every check.
///
/// # Errors
/// When one of them failed, or, where `is_strict`, a test needed a second try; the summary has been printed.
pub fn run_all(checkout: &Checkout, is_strict: bool) -> Result<(), Problem> {
    let start = Instant::now();
    let mut outcomes = Vec::new();
    for (name, check) in SET_UP {
        outcomes.push(run_check(checkout, name, *check));
        if outcomes.last().is_some_and(|outcome| outcome.problem.is_some()) {
            let not_reached = BEFORE_THE_TESTS.len() + 1 + BESIDE_THE_TESTS.len() + AFTER_THE_TESTS.len();
            return summarize(&outcomes, not_reached, start.elapsed());
        }
    }
    for (name, check) in BEFORE_THE_TESTS {
        outcomes.push(run_check(checkout, name, *check));
    }
    outcomes.extend(run_tests_and_the_rest(checkout));
    for (name, check) in AFTER_THE_TESTS {
        outcomes.push(run_check(checkout, name, *check));
    }
    let summary = summarize(&outcomes, 0, start.elapsed());
    let flaky: Vec<String> = results::read(checkout)?.flaky().map(str::to_owned).collect();
    summary.and(name_flaky(&flaky, is_strict))
}

/// Names the tests that needed a second try.
fn name_flaky(flaky: &[String], is_strict: bool) -> Result<(), Problem> {
    for test in flaky {
        println!("  Passed only when it was tried again: {test}");
    }
    if is_strict && !flaky.is_empty() {
        return Err(Problem::new(format!("{} tests passed only when they were tried again", flaky.len())));
    }
    Ok(())
}

fn run_check(checkout: &Checkout, name: &'static str, check: Check) -> Outcome {
    println!("\n== {name}");
    let outcome = run_quietly(checkout, name, check);
    if let Some(problem) = &outcome.problem {
        println!("failed: {problem}");
    }
    outcome
}

fn run_quietly(checkout: &Checkout, name: &'static str, check: Check) -> Outcome {
    let start = Instant::now();
    let problem = check(checkout).err();
    Outcome { name, took: start.elapsed(), problem }
}

/// What the checks beside the tests say is printed after what the tests say.
fn run_tests_and_the_rest(checkout: &Checkout) -> Vec<Outcome> {
    // Found before the lints begin: both ask Cargo, which lets one after the other.
    if let Err(problem) = find_rust_tests(checkout) {
        println!("failed: {problem}");
        let tests = Outcome { name: TESTS.0, took: Duration::ZERO, problem: Some(problem) };
        let rest = BESIDE_THE_TESTS.iter().map(|(name, check)| run_check(checkout, name, *check));
        return std::iter::once(tests).chain(rest).collect();
    }
    thread::scope(|scope| {
        let beside = BESIDE_THE_TESTS.iter();
        let rest = scope.spawn(|| beside.map(|(name, check)| run_quietly(checkout, name, *check)).collect::<Vec<_>>());
        let tests = run_check(checkout, TESTS.0, TESTS.1);
        let problem = || Some(Problem::new("it broke down"));
        let broken = |(name, _): &(&'static str, Check)| Outcome { name, took: Duration::ZERO, problem: problem() };
        let rest = rest.join().unwrap_or_else(|_| BESIDE_THE_TESTS.iter().map(broken).collect());
        for Outcome { name, problem, .. } in &rest {
            println!("\n== {name}");
            if let Some(problem) = problem {
                println!("failed: {problem}");
            }
        }
        std::iter::once(tests).chain(rest).collect()
    })
}

fn summarize(outcomes: &[Outcome], not_reached: usize, took: Duration) -> Result<(), Problem> {
    println!("\n== Summary");
    for outcome in outcomes {
        let result = if outcome.problem.is_some() { "FAILED" } else { "passed" };
        println!("  {result}  {:>5} s  {}", outcome.took.as_secs(), outcome.name);
        if let Some(problem) = &outcome.problem {
            println!("                   {}", problem.to_string().lines().next().unwrap_or_default());
        }
    }
    let failed = outcomes.iter().filter(|outcome| outcome.problem.is_some()).count();
    let minutes = took.as_secs() / 60;
    let seconds = took.as_secs() % 60;
    if failed == 0 {
        println!("Everything passed, in {minutes} min {seconds} s.");
        return Ok(());
    }
    if not_reached > 0 {
        println!("  The {not_reached} checks after this could not run without it.");
    }
    Err(Problem::new(format!("{failed} of {} checks failed, after {minutes} min {seconds} s", outcomes.len())))
}

fn check_format(checkout: &Checkout) -> Result<(), Problem> {
    Run::cargo(checkout, ["fmt", "--all", "--check"]).run()
}

fn check_lints(checkout: &Checkout) -> Result<(), Problem> {
    Run::cargo(checkout, ["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"])
        .behind_others()
        .read()
        .map(drop)
}

/// Tests start the app and the studio as processes. With all targets at once, because every other selection of crates
/// resolves other features and would build the dependencies a second time.
///
/// # Errors
/// When something does not build.
pub fn build_everything(checkout: &Checkout) -> Result<(), Problem> {
    Run::cargo(checkout, ["build", "--workspace", "--all-targets"]).run()
}

/// What tests there are, written down in these two files: so the test runner does not ask Cargo, which is at the lints by then.
const FOUND: [(&str, &str); 2] = [
    ("--cargo-metadata", "target/nextest/cargo-metadata.json"),
    ("--binaries-metadata", "target/nextest/binaries-metadata.json"),
];

fn found_tests<'a>() -> impl Iterator<Item = &'a str> {
    FOUND.iter().flat_map(|(flag, path)| [*flag, *path])
}

fn find_rust_tests(checkout: &Checkout) -> Result<(), Problem> {
    let of_cargo = Run::cargo(checkout, ["metadata", "--format-version", "1"]).read()?;
    let listing = ["nextest", "list", "--workspace", "--list-type", "binaries-only", "--message-format", "json"];
    let of_binaries = Run::cargo(checkout, listing).read()?;
    for ((_, path), found) in FOUND.iter().zip([of_cargo, of_binaries]) {
        let path = checkout.path(path);
        path.parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&path, found))
            .map_err(|error| Problem::of(&path, &error))?;
    }
    Ok(())
}

/// A run of the tests that were found. Most tests of processes wait for most of their time, so three times as many as there are
/// processors run at once.
fn nextest(options: &[&str]) -> Vec<String> {
    let threads = 3 * thread::available_parallelism().map_or(1, NonZero::get);
    let run = ["nextest", "run", "--test-threads", &threads.to_string()].map(str::to_owned);
    run.into_iter().chain(options.iter().copied().chain(found_tests()).map(str::to_owned)).collect()
}

fn run_rust_tests(checkout: &Checkout) -> Result<(), Problem> {
    Run::cargo(checkout, nextest(&["--no-fail-fast"])).run()
}

/// What touches contents once more, by studios that keep them in a bucket; which tests that are is said in the profile.
fn run_bucket_tests(checkout: &Checkout) -> Result<(), Problem> {
    Run::cargo(checkout, nextest(&["--profile", "bucket"])).with("EASEL_TESTS_BLOBS", "bucket").run()
}

/// What the database decides once more, by studios on a PostgreSQL server; which tests that are is said in the profile.
fn run_postgres_tests(checkout: &Checkout) -> Result<(), Problem> {
    with_postgres(checkout, "postgres").run()
}

/// What several processes have to agree on once more, by studios of three processes on a PostgreSQL server and a bucket, behind a proxy
/// that takes turns; which tests that are is said in the profile.
fn run_several_tests(checkout: &Checkout) -> Result<(), Problem> {
    with_postgres(checkout, "several").with("EASEL_TESTS_PROCESSES", "3").run()
}

/// The tests of a profile, with a PostgreSQL server for all of them.
fn with_postgres(checkout: &Checkout, profile: &'static str) -> Run {
    // Not `cargo run`: a single package resolves other features, and would build its dependencies a second time.
    let server = checkout.target().join("debug/with_postgres");
    let arguments = std::iter::once("cargo".to_owned()).chain(nextest(&["--profile", profile]));
    Run::new(checkout, &server.to_string_lossy(), arguments)
}

fn run_doc_tests(checkout: &Checkout) -> Result<(), Problem> {
    Run::cargo(checkout, ["test", "--workspace", "--doc", "--quiet"]).behind_others().read().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failed_check_fails_the_whole() {
        let outcome = |problem| Outcome { name: "a check", took: Duration::ZERO, problem };
        assert!(summarize(&[outcome(None), outcome(None)], 0, Duration::ZERO).is_ok());
        assert!(summarize(&[outcome(None), outcome(Some(Problem::new("no")))], 0, Duration::ZERO).is_err());
    }

    #[test]
    fn a_second_try_is_no_pass_where_a_person_is_strict() {
        assert!(name_flaky(&["a::test".to_owned()], false).is_ok());
        assert!(name_flaky(&["a::test".to_owned()], true).is_err());
        assert!(name_flaky(&[], true).is_ok());
    }
}
