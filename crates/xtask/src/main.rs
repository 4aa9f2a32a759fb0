//! What a person or a machine types to build, start and check Easel: `cargo xtask run`, `cargo xtask test`.
//!
//! Each task does its own set-up, so that a fresh Debian or Ubuntu with a Rust toolchain and Node 20 is enough: it names
//! what it is about to install before it installs it. Nothing here is part of the app, and no check is ever left out
//! because a tool is missing: then the task fails and names the tool.
#![expect(clippy::print_stdout, reason = "talking to a person in a terminal is what these tasks do")]

mod bench;
mod bindings;
mod check;
mod checkout;
mod command;
mod conformance;
mod front_end;
mod gallery;
mod package;
mod packages;
mod results;
mod run;
mod screenshots;
mod security;
mod setup;
mod simulate;
mod soak;
mod switches;
mod tidy;
mod tools;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The tasks of this repository.
#[derive(Parser)]
#[command(bin_name = "cargo xtask", about = "Builds, starts and checks Easel")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the app and start it; without a display, in a virtual one, where it does its main job and takes pictures
    Run {
        /// Use a virtual display even where there is a real one
        #[arg(long)]
        virtual_display: bool,
    },
    /// Everything a change has to pass: format, lints, architecture, all tests, and the journeys in a real window
    Test {
        /// A test that passes only when it is tried again fails the whole
        #[arg(long)]
        strict: bool,
    },
    /// The architecture's "never" list
    Tidy,
    /// The sync engine in simulated worlds; the last line says how many held
    Simulate {
        /// How many; one alone is told in full
        #[arg(long, default_value_t = 10_000)]
        seeds: u64,
        /// The first seed
        #[arg(long, default_value_t = 0)]
        start: u64,
        /// A known bug to plant: then it must be found
        #[arg(long)]
        mutant: Option<String>,
    },
    /// Every rule of the specification, the tests that hold it to account, and how they came out; with EASEL_BASE_URL, EASEL_KEY
    /// and EASEL_VERSION_HEADER, of the service there; EASEL_EMPTY_WORKSPACE lets it delete what is there
    Conformance,
    /// Every attack on the studio that was tried, and whether it is held
    Security,
    /// The long form of the tests
    Soak {
        /// Only the part whose name holds this
        part: Option<String>,
    },
    /// Install the tools that tests run
    Tools,
    /// Write ui/src/backend/bindings.ts anew from the commands of the app
    Bindings,
    /// Take pictures of every screen in the real window, light and dark, in two sizes, into target/screenshots
    Screenshots,
    /// Draw the forty designs of the built-in studio into target/gallery
    Gallery,
    /// Build what a person installs
    Package {
        /// Also install it on a fresh, minimal Debian, start it from its menu entry, open a link, remove it
        #[arg(long = "try")]
        is_tried: bool,
    },
    /// How fast a part is, in a release build, each figure beside its target
    Bench {
        /// Which part
        part: bench::Part,
        /// Only these figures of it, such as `small-files`
        names: Vec<String>,
    },
}

fn main() -> ExitCode {
    let checkout = checkout::Checkout::here();
    let outcome = match Cli::parse().task {
        Task::Run { virtual_display } => run::start_app(&checkout, virtual_display),
        Task::Test { strict } => check::run_all(&checkout, strict),
        Task::Tidy => tidy::report(&checkout),
        Task::Simulate { seeds, start, mutant } => simulate::run_seeds(&checkout, seeds, start, mutant.as_deref()),
        Task::Conformance => conformance::run_rules(&checkout),
        Task::Security => security::run_attacks(&checkout),
        Task::Soak { part } => soak::run_parts(&checkout, part.as_deref()),
        Task::Tools => tools::prepare(&checkout),
        Task::Bindings => bindings::write(&checkout),
        Task::Screenshots => screenshots::take(&checkout),
        Task::Gallery => gallery::draw(&checkout),
        Task::Package { is_tried } => package::make(&checkout, is_tried),
        Task::Bench { part, names } => bench::run(&checkout, part, &names),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("\nxtask: {problem}");
            ExitCode::FAILURE
        }
    }
}
