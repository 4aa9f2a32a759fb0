//! `cargo xtask bench sync`: what keeping a folder in step costs, beside a peer or a physical limit in the same run.
//!
//! Everything is measured from outside, on real processes, real files on one disk and a real studio; each figure is the
//! median of runs that take turns with their peer's. Each line on standard output is a figure: name, result, target and
//! whether it was met, with tabs between them. Not here: what is right (`tests/sync`, `tests/faults`).
#![expect(clippy::print_stdout, reason = "its lines are what it is for")]

mod bare;
mod large_file;
mod many_files;
mod pace;
mod place;
mod seeded;
mod small_files;
mod waiting;

use std::process::ExitCode;

use easel_tests::bench::choose_parts;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        // The other side of the bare loop, as a process of its own.
        ["bare-service", folder] => runtime.block_on(bare::serve(folder.as_ref())),
        parts if !runtime.block_on(measure(parts)) => return ExitCode::FAILURE,
        _ => {}
    }
    ExitCode::SUCCESS
}

/// The parts, in the order in which they are measured: the short ones first. The million takes long and four gigabytes of
/// disk; it comes last.
#[rustfmt::skip]
const PARTS: [&str; 9] = [
    "small-files", "many-small-files", "large-file", "closed-file", "budget", "estimates", "many-files", "one-folder", "million-files",
];

/// Measures the parts that are named, or all of them.
async fn measure(parts: &[&str]) -> bool {
    let Some(chosen) = choose_parts(&PARTS, parts) else { return false };
    for part in chosen {
        match part {
            "small-files" => small_files::measure().await,
            "many-small-files" => small_files::measure_many(),
            "large-file" => large_file::measure().await,
            "closed-file" => pace::measure_closed_file().await,
            "budget" => pace::measure_budget().await,
            "estimates" => waiting::measure().await,
            "many-files" => many_files::measure().await,
            "one-folder" => many_files::measure_one_folder().await,
            _ => many_files::measure_million().await,
        }
    }
    true
}
