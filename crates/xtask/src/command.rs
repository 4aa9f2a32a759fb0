//! Running other programs: each is printed before it runs, and a failure says which one it was.
//!
//! Unless a person sits there, nothing asks a question: standard input is closed, so that a program which wants an
//! answer fails instead of hanging.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, BufRead as _};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::checkout::Checkout;

/// Why a task could not be done, in words for the person who started it.
#[derive(Debug)]
pub struct Problem(String);

impl Problem {
    /// A problem in these words.
    pub fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }

    /// What went wrong with a file or folder.
    pub fn of(path: &Path, error: &io::Error) -> Self {
        Self(format!("{}: {error}", path.display()))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A program that will be run at the top of the repository.
pub struct Run {
    words: String,
    command: Command,
}

impl Run {
    /// `program` with `arguments`, in the top folder.
    pub fn new<A: AsRef<OsStr>>(checkout: &Checkout, program: &str, arguments: impl IntoIterator<Item = A>) -> Self {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(checkout.root()).stdin(Stdio::null());
        let words = std::iter::once(program.to_owned())
            .chain(command.get_args().map(|argument| argument.to_string_lossy().into_owned()))
            .collect::<Vec<_>>()
            .join(" ");
        Self { words, command }
    }

    /// Cargo, the same one that runs this task.
    pub fn cargo<A: AsRef<OsStr>>(checkout: &Checkout, arguments: impl IntoIterator<Item = A>) -> Self {
        let mut run = Self::new(checkout, "cargo", arguments);
        if let Some(cargo) = std::env::var_os("CARGO") {
            let mut command = Command::new(cargo);
            command.args(run.command.get_args()).current_dir(checkout.root()).stdin(Stdio::null());
            run.command = command;
        }
        // What Cargo tells this program about its own package is not meant for the builds it starts.
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
                run.command.env_remove(name);
            }
        }
        run
    }

    /// Runs in another folder below the top.
    pub fn within(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Sets a variable of its environment.
    pub fn with(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Leaves the processors to whatever else wants them, where the system can say so.
    pub fn behind_others(mut self) -> Self {
        if cfg!(unix) {
            let mut command = Command::new("nice");
            command.args(["-n", "19"]).arg(self.command.get_program()).args(self.command.get_args());
            command.stdin(Stdio::null());
            if let Some(folder) = self.command.get_current_dir() {
                command.current_dir(folder);
            }
            for (name, value) in self.command.get_envs() {
                match value {
                    Some(value) => command.env(name, value),
                    None => command.env_remove(name),
                };
            }
            self.command = command;
        }
        self
    }

    /// Lets it ask the person at this terminal, as `sudo` does for a password.
    pub fn attended(mut self) -> Self {
        self.command.stdin(Stdio::inherit());
        self
    }

    /// Runs it with its output on this terminal; anything but success is a problem that names it.
    pub fn run(mut self) -> Result<(), Problem> {
        println!("$ {}", self.words);
        let status = self.command.status().map_err(|error| self.not_started(&error))?;
        if status.success() { Ok(()) } else { Err(Problem(format!("`{}` failed ({status})", self.words))) }
    }

    /// Runs it quietly and returns what it wrote to standard output; what it says of a failure is part of the problem.
    pub fn read(mut self) -> Result<String, Problem> {
        let output = self.command.output().map_err(|error| self.not_started(&error))?;
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        } else {
            let said = [output.stderr, output.stdout].map(|said| String::from_utf8_lossy(&said).trim_end().to_owned());
            Err(Problem(format!("`{}` failed ({})\n{}", self.words, output.status, said.join("\n").trim_end())))
        }
    }

    /// Runs it with what it says of itself on this terminal, and hands each line of its standard output on as it comes;
    /// returns them all.
    pub fn read_lines(mut self, mut hear: impl FnMut(&str)) -> Result<String, Problem> {
        let mut child = self.command.stdout(Stdio::piped()).spawn().map_err(|error| self.not_started(&error))?;
        let mut read = String::new();
        if let Some(output) = child.stdout.take() {
            for line in io::BufReader::new(output).lines().map_while(Result::ok) {
                hear(&line);
                read.push_str(&line);
                read.push('\n');
            }
        }
        let status = child.wait().map_err(|error| self.not_started(&error))?;
        if status.success() { Ok(read) } else { Err(Problem(format!("`{}` failed ({status})", self.words))) }
    }

    fn not_started(&self, error: &io::Error) -> Problem {
        Problem(format!("`{}` could not be started: {error}", self.words))
    }
}

/// Whether a program of this name is on the search path.
pub fn is_installed(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path)
            .any(|folder| folder.join(program).with_extension(std::env::consts::EXE_EXTENSION).is_file())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_program_and_what_it_said() {
        let checkout = Checkout::here();
        let problem = Run::cargo(&checkout, ["no-such-subcommand-of-cargo"]).read().unwrap_err().to_string();
        assert!(problem.contains("`cargo no-such-subcommand-of-cargo` failed"), "{problem}");
        assert!(problem.contains("no such command"), "{problem}");
    }

    #[test]
    fn each_line_is_handed_on_as_it_comes() {
        let mut heard = Vec::new();
        let run = Run::new(&Checkout::here(), "sh", ["-c", "echo one; echo two"]);
        assert_eq!(run.read_lines(|line| heard.push(line.to_owned())).unwrap(), "one\ntwo\n");
        assert_eq!(heard, ["one", "two"]);
        let failed = Run::new(&Checkout::here(), "sh", ["-c", "echo one; exit 3"]).read_lines(|_| {});
        assert!(failed.unwrap_err().to_string().contains("failed"));
    }

    #[test]
    fn a_missing_program_is_named() {
        let problem = Run::new(&Checkout::here(), "no-such-program-anywhere", [""; 0]).run().unwrap_err().to_string();
        assert!(problem.contains("`no-such-program-anywhere` could not be started"), "{problem}");
        assert!(!is_installed("no-such-program-anywhere"));
    }
}
