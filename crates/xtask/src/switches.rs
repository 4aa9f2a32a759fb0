//! That what is delivered has none of the switches by which tests make the studio go wrong (`crates/easel-studio/Cargo.toml`).
//!
//! Always true: the programs are asked themselves, as they were built for delivery; what one says of its switches is not taken from
//! the sources. Not here: what the switches do.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::checkout::Checkout;
use crate::command::{Problem, Run};

/// Each switch with a value that it would take.
const SWITCHES: &[&[&str]] =
    &[&["--inject", "pause=5"], &["--resolve", "a.example=8.8.8.8"], &["--beside-others", "4"]];

/// Builds the studio for delivery and asks it.
///
/// # Errors
/// When it does not build, or has one of the switches.
pub fn check_studio(checkout: &Checkout) -> Result<(), Problem> {
    // For this package alone: together with the tests it would be built with their features.
    Run::cargo(checkout, ["build", "--release", "--package", "easel-studio", "--bin", "easel-studio"]).run()?;
    refuse(&checkout.target().join("release/easel-studio"), &[])
}

/// Fails where a program takes one of the switches; `subcommand` stands before `serve`.
///
/// # Errors
/// When it takes one, or cannot be asked.
pub fn refuse(program: &Path, subcommand: &[&str]) -> Result<(), Problem> {
    for switch in SWITCHES {
        let mut command = Command::new(program);
        // It ends at the first switch that it does not know, before it touches a folder; one that knows it says its help.
        command.args(subcommand).arg("serve").args(*switch).arg("--help").stdin(Stdio::null());
        let output = command.output().map_err(|error| Problem::of(program, &error))?;
        let said = String::from_utf8_lossy(&output.stderr);
        judge(switch[0], output.status.code(), &said)
            .map_err(|words| Problem::new(format!("{}: {words}", program.display())))?;
        println!("{} does not know {}", program.display(), switch[0]);
    }
    Ok(())
}

/// Whether this is how a program answers that does not know a switch.
fn judge(switch: &str, code: Option<i32>, said: &str) -> Result<(), String> {
    let is_unknown = said.contains("unexpected argument") && said.contains(switch);
    match code {
        Some(2) if is_unknown => Ok(()),
        Some(0) => Err(format!("it takes {switch}, which is for tests alone")),
        _ => Err(format!("it could not be asked about {switch}: {}", said.trim_end())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_program_that_says_it_does_not_know_a_switch_has_none() {
        let unknown = "error: unexpected argument '--inject' found\n";
        assert!(judge("--inject", Some(2), unknown).is_ok());
        for (code, said) in
            [(Some(0), ""), (Some(2), "error: unexpected argument '--help' found"), (Some(1), unknown), (None, unknown)]
        {
            assert!(judge("--inject", code, said).is_err(), "{code:?} {said}");
        }
    }
}
