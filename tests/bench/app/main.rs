//! `cargo xtask bench app`: how the window feels, measured from outside on the program that is shipped.
//!
//! Everything is measured on a real window of a virtual desktop, with a real studio; times are of the page's own clock and of the
//! system's account of processes, so that the driver's part in them is small and known. Each line on standard output is a figure:
//! name, result, target and whether it was met, with tabs between them. Not here: what is right (`tests/desktop`), and the size of
//! the package, which is on disk when this begins (`cargo xtask`).

mod account;
mod list;
mod remix;
mod resident;
mod start;

use std::process::ExitCode;

use easel_tests::bench::choose_parts;

/// The parts, in the order in which they are measured: the short ones first.
const PARTS: [&str; 5] = ["start", "remix", "idle", "events", "list"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let named: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let Some(chosen) = choose_parts(&PARTS, &named) else { return ExitCode::FAILURE };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    for part in chosen {
        match part {
            "start" => runtime.block_on(start::measure()),
            "remix" => runtime.block_on(remix::measure()),
            "idle" => runtime.block_on(resident::measure_idle()),
            "events" => runtime.block_on(resident::measure_events()),
            _ => runtime.block_on(list::measure()),
        }
    }
    ExitCode::SUCCESS
}
