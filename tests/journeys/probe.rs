//! The queue in a process of its own (`queue_probe`), which can be killed and looked at.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use easel_tests::process;
use easel_tests::studio::{Key, Studio};
use serde_json::Value;

/// A queue at work in another process.
pub struct Probe {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Probe {
    /// Starts it on a journal, with what is to be dropped first.
    pub fn start(journal: &Path, studio: &Studio, key: &Key, paths: &[PathBuf]) -> Self {
        Self::run(&mut Self::command(journal, studio, key, paths))
    }

    /// The command that starts it.
    pub fn command(journal: &Path, studio: &Studio, key: &Key, paths: &[PathBuf]) -> Command {
        let test = std::env::current_exe().expect("the test's own path");
        let binary = test.ancestors().nth(2).expect("a target folder").join("queue_probe");
        assert!(binary.is_file(), "{} is missing: run `cargo build -p easel-tests --bins`", binary.display());
        let mut command = Command::new(binary);
        command.arg(journal).arg(&studio.base_url).args(paths).env("EASEL_KEY", &key.key);
        command
    }

    /// Runs a command of [`Probe::command`].
    pub fn run(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("a probe");
        let lines = BufReader::new(child.stdout.take().expect("its output"));
        Self { child, lines }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The next line; `None` when there are no more.
    pub fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        match self.lines.read_line(&mut line) {
            Ok(0) => None,
            // A killed process may leave half a line.
            Ok(_) => serde_json::from_str(&line).ok(),
            Err(error) => panic!("the probe's output: {error}"),
        }
    }

    /// The next line of a kind.
    pub fn wait_for(&mut self, event: &str) -> Value {
        loop {
            let line = self.next().unwrap_or_else(|| panic!("the probe ended before it said {event}"));
            if line["event"] == event {
                return line;
            }
        }
    }

    /// Ends it at once, wherever it is (SIGKILL). Says whether it had been done.
    pub fn kill(mut self) -> bool {
        process::kill_at_once(self.pid());
        let mut is_done = false;
        while let Some(line) = self.next() {
            is_done |= line["event"] == "done";
        }
        self.child.wait().expect("its end");
        is_done
    }

    /// Waits until it is done, and returns all transfers.
    pub fn finish(mut self) -> Vec<Value> {
        let done = self.wait_for("done");
        assert!(self.child.wait().expect("its end").success());
        done["transfers"].as_array().expect("a list").clone()
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        // It may have ended long ago.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
