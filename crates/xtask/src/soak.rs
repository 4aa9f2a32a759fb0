//! `cargo xtask soak`: the long form of what `cargo xtask test` asks in short, one part after the other.
//!
//! Nothing stops at the first part that fails; the summary names each. Not here: what a part does; that is a test which reads how
//! long it shall go on from its environment.

use std::time::Instant;

use crate::checkout::Checkout;
use crate::command::{Problem, Run};
use crate::packages::{self, Package};
use crate::{check, tools};

/// A part: its name, the test binary, a part of its test's name, how long it goes on, and what it needs besides.
struct Part {
    name: &'static str,
    binary: &'static str,
    test: &'static str,
    settings: &'static [(&'static str, &'static str)],
    packages: &'static [Package],
}

const PARTS: &[Part] = &[
    Part {
        name: "files that take much where they are drawn, each kind ten ways",
        binary: "conformance",
        test: "bombs::",
        settings: &[("EASEL_SOAK_WAYS", "10")],
        packages: &[],
    },
    Part {
        name: "20,000 requests by schemathesis",
        binary: "conformance",
        test: "schemathesis_finds_no_failure",
        settings: &[("EASEL_SOAK_REQUESTS", "20000")],
        packages: &[],
    },
    Part {
        name: "2,000 random designs",
        binary: "designs",
        test: "draws_random_designs_without_a_fault",
        settings: &[("EASEL_SOAK_BRIEFS", "2000")],
        packages: &[],
    },
    Part {
        name: "changed files for twenty minutes",
        binary: "fuzz",
        test: "whatever_is_changed_in_a_file_it_is_read_or_refused",
        settings: &[("EASEL_SOAK_SECONDS", "1200")],
        packages: &[],
    },
    Part {
        name: "presentations in LibreOffice",
        binary: "exports",
        test: "libreoffice_shows_the_slides",
        settings: &[],
        packages: packages::OFFICE,
    },
    Part {
        name: "three hundred kills of an engine",
        binary: "faults",
        test: "an_engine_that_is_killed_at_any_moment",
        settings: &[("EASEL_SOAK_KILLS", "300")],
        packages: &[],
    },
    Part {
        name: "three computers for ten minutes, one of them off for the first five",
        binary: "sync",
        test: "people_at_work_on_one_drive_folder",
        settings: &[("EASEL_SOAK_SECONDS", "600")],
        packages: &[],
    },
    Part {
        name: "a thousand sequences of calls to the model and to a studio",
        binary: "simulation",
        test: "the_model_answers_as_a_studio_does",
        settings: &[("EASEL_SOAK_SEQUENCES", "1000")],
        packages: &[],
    },
    Part {
        name: "a day's work at a service for each thing that it can decide otherwise",
        binary: "elsewhere",
        test: "a_day_at_a_service_that_decides_one_thing_otherwise",
        settings: &[],
        packages: &[],
    },
    Part {
        name: "2,000 days' work at services whose decisions are drawn",
        binary: "elsewhere",
        test: "days_at_services_whose_decisions_are_drawn",
        settings: &[("EASEL_SOAK_DAYS", "2000")],
        packages: &[],
    },
    Part {
        name: "20 days' work by programs of their own",
        binary: "elsewhere",
        test: "days_with_programs_at_services_whose_decisions_are_drawn",
        settings: &[("EASEL_SOAK_DAYS", "20")],
        packages: &[],
    },
    Part {
        name: "3,000 storms of a person on a real disk",
        binary: "elsewhere",
        test: "storms_of_a_person_pass_and_nothing_is_lost",
        settings: &[("EASEL_SOAK_STORMS", "3000")],
        packages: &[],
    },
    Part {
        name: "1,000 storms that end in a restored drive",
        binary: "elsewhere",
        test: "storms_that_end_in_a_restored_drive_take_nothing_away",
        settings: &[("EASEL_SOAK_STORMS", "1000")],
        packages: &[],
    },
    Part {
        name: "1,000 storms with names of every kind, and other folders in its place",
        binary: "elsewhere",
        test: "storms_with_names_of_every_kind_and_other_folders_in_its_place_pass",
        settings: &[("EASEL_SOAK_STORMS", "1000")],
        packages: &[],
    },
    Part {
        name: "eighteen bugs in disk, watch and index, each found by a storm",
        binary: "elsewhere",
        test: "storms_find_the_bugs_that_are_planted_in_the_adapters",
        settings: &[],
        packages: &[],
    },
    Part {
        name: "twenty backups under load",
        binary: "operating",
        test: "backups_under_load_miss_nothing",
        settings: &[("EASEL_SOAK_BACKUPS", "20")],
        packages: &[],
    },
    Part {
        name: "a hundred kills of a studio under load",
        binary: "operating",
        test: "kills_under_load_leave_nothing",
        settings: &[("EASEL_SOAK_KILLS", "100")],
        packages: &[],
    },
    Part {
        name: "two hundred times one of three processes is killed or stands still, under fifty clients",
        binary: "operating",
        test: "processes_end_and_stand_still_under_load",
        settings: &[("EASEL_SOAK_KILLS", "200")],
        packages: &[],
    },
    Part {
        name: "a studio of 100,000 files and 1,000 designs is moved there and back",
        binary: "operating",
        test: "a_studio_is_moved_there_and_back",
        settings: &[("EASEL_SOAK_FILES", "100000")],
        packages: &[],
    },
    Part {
        name: "fifty clients for two minutes",
        binary: "crowd",
        test: "fifty_clients_lose_nothing",
        settings: &[("EASEL_SOAK_SECONDS", "120")],
        packages: &[],
    },
];

/// Runs the parts, or the one whose name holds `only`.
///
/// # Errors
/// When a part failed, or none is called so.
pub fn run_parts(checkout: &Checkout, only: Option<&str>) -> Result<(), Problem> {
    let wanted: Vec<&Part> = PARTS.iter().filter(|part| only.is_none_or(|only| part.name.contains(only))).collect();
    if wanted.is_empty() {
        return Err(Problem::new("no part of the soak is called so"));
    }
    tools::prepare(checkout)?;
    for part in &wanted {
        packages::install_missing(checkout, part.packages)?;
    }
    check::build_everything(checkout)?;
    let mut summary = Vec::new();
    for part in wanted {
        println!("\n== {}", part.name);
        let start = Instant::now();
        let filter = format!("binary({}) & test({})", part.binary, part.test);
        // What is too long for every day is left out there and not here.
        let profile = ["--profile", "soak", "--run-ignored", "all"];
        let arguments = [&["nextest", "run", "--workspace"], profile.as_slice(), &["--filterset", &filter]].concat();
        let run =
            part.settings.iter().fold(Run::cargo(checkout, arguments), |run, (name, value)| run.with(name, value));
        summary.push((part.name, run.run().err(), start.elapsed()));
    }
    println!("\n== Summary");
    for (name, problem, took) in &summary {
        println!("  {}  {:>5} s  {name}", if problem.is_some() { "FAILED" } else { "passed" }, took.as_secs());
    }
    match summary.iter().filter(|(_, problem, _)| problem.is_some()).count() {
        0 => Ok(()),
        failed => Err(Problem::new(format!("{failed} of {} parts failed", summary.len()))),
    }
}
