//! What a person or a machine types to build, start and check Easel: `cargo xtask run`, `cargo xtask test`.
//!
//! Each task does its own set-up, so that a fresh Debian or Ubuntu with a Rust toolchain and Node 20 is enough: it names
//! what it is about to install before it installs it. Nothing here is part of the app, and no check is ever left out
//! because a tool is missing: then the task fails and names the tool.
#![expect(clippy::print_stdout, reason = "talking to a person in a terminal is what these tasks do")]

mod bindings;
mod check;
mod checkout;
mod command;
mod front_end;
mod packages;
mod run;
mod setup;
mod tidy;

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
    Test,
    /// The architecture's "never" list
    Tidy,
    /// Write ui/src/backend/bindings.ts anew from the commands of the app
    Bindings,
}

fn main() -> ExitCode {
    let checkout = checkout::Checkout::here();
    let outcome = match Cli::parse().task {
        Task::Run { virtual_display } => run::start_app(&checkout, virtual_display),
        Task::Test => check::run_all(&checkout),
        Task::Tidy => tidy::report(&checkout),
        Task::Bindings => bindings::write(&checkout),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("\nxtask: {problem}");
            ExitCode::FAILURE
        }
    }
}
