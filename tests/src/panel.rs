//! The panel of a desktop: the tray, with the menus of its signs, and the notices that programs show.
//!
//! Always true: it speaks the desktop's own protocols on the desktop's own bus, so that the app cannot tell it from a
//! real one. On a desktop without one no tray shows anything. Deliberately not here: how either looks.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{ChildStdin, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::Value;

use crate::desktop::Desktop;
use crate::process::Program;

const PATIENCE: Duration = Duration::from_secs(20);

/// The panel, from the moment that it is on the bus until it is dropped.
pub struct Panel {
    lines: mpsc::Receiver<Value>,
    messages: Vec<Value>,
    input: ChildStdin,
    _program: Program,
}

impl Panel {
    /// Puts a panel on the desktop.
    ///
    /// # Panics
    /// Where it does not start.
    #[must_use]
    pub fn show(desktop: &Desktop) -> Self {
        let mut command = desktop.command("/usr/bin/python3");
        command.args(["-c", include_str!("panel.py")]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(desktop.log_file("panel"));
        let mut program = Program::start(&mut command, "python3-gi");
        let stdout = program.child().stdout.take().expect("a pipe");
        let input = program.child().stdin.take().expect("a pipe");
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if let Ok(line) = serde_json::from_str(&line) {
                    let _ = sender.send(line);
                }
            }
        });
        let mut panel = Self { lines, messages: Vec::new(), input, _program: program };
        panel.wait_for("ready");
        panel
    }

    /// The entries of the sign's menu; `None` where the tray shows no sign.
    pub fn menu(&mut self) -> Option<Vec<String>> {
        let menu = self.ask("menu", "menu");
        let labels = menu["labels"].as_array()?;
        Some(labels.iter().filter_map(|label| label.as_str().map(str::to_owned)).collect())
    }

    /// Presses an entry of the menu.
    pub fn press(&mut self, label: &str) {
        self.ask(&format!("press {label}"), "pressed");
    }

    /// The notices that were shown so far: number, title and body.
    pub fn messages(&mut self) -> Vec<(u64, String, String)> {
        while let Ok(line) = self.lines.try_recv() {
            self.messages.push(line);
        }
        let text = |line: &Value, name: &str| line[name].as_str().unwrap_or_default().to_owned();
        self.messages
            .iter()
            .map(|line| (line["number"].as_u64().unwrap_or_default(), text(line, "title"), text(line, "body")))
            .collect()
    }

    /// Clicks on a notice.
    pub fn open(&mut self, number: u64) {
        self.ask(&format!("open {number}"), "opened");
    }

    fn ask(&mut self, line: &str, answer: &str) -> Value {
        writeln!(self.input, "{line}").expect("the panel listens");
        self.input.flush().expect("the panel listens");
        self.wait_for(answer)
    }

    fn wait_for(&mut self, event: &str) -> Value {
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("the panel says nothing of {event}"));
            match line["event"].as_str() {
                Some("message") => self.messages.push(line),
                Some("failed") => panic!("the panel cannot do it: {line}"),
                Some(said) if said == event => return line,
                _ => {}
            }
        }
    }
}
