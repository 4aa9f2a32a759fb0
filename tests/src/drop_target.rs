//! Another program that files are dragged into from the app's window: a real window that takes them, a real pointer.
//!
//! Always true: it learns of the files only through the display server, as any file manager does. Deliberately not
//! here: which files the app offers.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::mpsc;
use std::time::Duration;

use crate::desktop::Desktop;
use crate::process::Program;

/// Where the other program's window is: right of the app's.
const PLACE: (i32, i32) = (1550, 60);

const PATIENCE: Duration = Duration::from_secs(20);

/// The other program.
pub struct DropTarget<'a> {
    desktop: &'a Desktop,
    lines: mpsc::Receiver<String>,
    _program: Program,
}

impl<'a> DropTarget<'a> {
    /// Shows the other program's window, beside the app's.
    ///
    /// # Panics
    /// Where it does not show.
    #[must_use]
    pub fn show(desktop: &'a Desktop) -> Self {
        let mut command = desktop.command("/usr/bin/python3");
        command.args(["-c", include_str!("drop_target.py"), &PLACE.0.to_string(), &PLACE.1.to_string()]);
        command.stdout(Stdio::piped()).stderr(desktop.log_file("drop-target"));
        let mut program = Program::start(&mut command, "python3-gi");
        let stdout = program.child().stdout.take().expect("a pipe");
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let target = Self { desktop, lines, _program: program };
        assert_eq!(target.lines.recv_timeout(PATIENCE).as_deref(), Ok("ready"), "the program to drag into");
        target
    }

    /// Presses the button at a place on the display, moves over to the other program in small steps, and lets go there.
    /// Returns the files that it was given; `None` where it was given nothing in time.
    ///
    /// # Panics
    /// Where the pointer cannot be moved.
    #[must_use]
    pub fn drag_from(&self, (x, y): (i32, i32)) -> Option<Vec<PathBuf>> {
        let (over_x, over_y) = (PLACE.0 + 80, PLACE.1 + 80);
        self.point(x, y, &["sleep", "0.2", "mousedown", "1", "sleep", "0.1"]);
        // The first pixels begin the drag, and the app has to notice that before the pointer goes on.
        for step in 1..=10 {
            self.point(x + 2 * step, y + step, &["sleep", "0.05"]);
        }
        for step in 1..=20 {
            self.point(x + (over_x - x) * step / 20, y + (over_y - y) * step / 20, &["sleep", "0.05"]);
        }
        self.point(over_x - 2, over_y, &["sleep", "0.2"]);
        self.point(over_x, over_y, &["sleep", "0.3", "mouseup", "1"]);
        let line = self.lines.recv_timeout(PATIENCE).ok()?;
        serde_json::from_str(&line).ok()
    }

    fn point(&self, x: i32, y: i32, then: &[&str]) {
        let (x, y) = (x.to_string(), y.to_string());
        self.desktop.run("xdotool", &[&["mousemove", x.as_str(), y.as_str()], then].concat());
    }
}
