//! The executable: Easel's window, or the built-in studio where the first argument is `studio`.

#![cfg_attr(all(not(debug_assertions), target_os = "windows"), windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).peekable();
    if arguments.next_if(|first| first == "studio").is_some() {
        let name = std::ffi::OsString::from("easel studio");
        return easel_studio::cli::run(std::iter::once(name).chain(arguments), &["studio"]);
    }
    easel_desktop::run()
}
