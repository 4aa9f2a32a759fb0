//! `cargo xtask bench studio`: what the studio answers in a second beside a bare handler, what a large file costs it, what a design takes
//! beyond its drawing, and what it takes in memory; on SQLite and a folder, and on a PostgreSQL server and a bucket.
//!
//! Everything is measured from outside, on the real process, over real sockets, with the key, the rate and the version of
//! every request; each figure is the median of runs that take turns with their peer's. Each line on standard output is a
//! figure: name, result, target and whether it was met, with tabs between them. Not here: what is right
//! (`tests/conformance`, `tests/crowd`).
#![expect(clippy::print_stdout, reason = "its lines are what it is for")]

mod bare;
mod designs;
mod load;
mod register;
mod requests;
mod servers;
mod stock;

use std::process::ExitCode;

use easel_tests::bench::choose_parts;

/// The parts, in the order in which they are measured.
const PARTS: [&str; 6] = ["register", "designs", "requests", "million", "processes", "claims"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        // The peer, as a process of its own.
        ["bare-service", folder] => runtime.block_on(bare::serve(folder.as_ref(), None)),
        ["bare-service", folder, database] => runtime.block_on(bare::serve(folder.as_ref(), Some(database))),
        parts if !runtime.block_on(measure(parts)) => return ExitCode::FAILURE,
        _ => {}
    }
    ExitCode::SUCCESS
}

/// Measures the parts that are named, or all of them; false where one of the names is none.
async fn measure(parts: &[&str]) -> bool {
    let Some(chosen) = choose_parts(&PARTS, parts) else { return false };
    for part in chosen {
        match part {
            "register" => register::measure().await,
            "designs" => designs::measure().await,
            "million" => servers::million::measure().await,
            "processes" => servers::processes::measure().await,
            "claims" => servers::claims::measure().await,
            _ => requests::measure().await,
        }
    }
    true
}
