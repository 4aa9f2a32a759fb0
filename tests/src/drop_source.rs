//! Drags files from another program, by the system's own means: a real window that offers them, a real pointer.
//!
//! Always true: the app learns of the files only through the display server, as from any file manager. Deliberately not
//! here: what the app does with them.

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

/// The other program, with the files that can be dragged from it.
pub struct DropSource<'a> {
    desktop: &'a Desktop,
    lines: mpsc::Receiver<String>,
    _program: Program,
}

impl<'a> DropSource<'a> {
    /// Shows the other program's window, beside the app's.
    ///
    /// # Panics
    /// Where it does not show.
    #[must_use]
    pub fn show(desktop: &'a Desktop, paths: &[PathBuf]) -> Self {
        let mut command = desktop.command("/usr/bin/python3");
        command.args(["-c", include_str!("drop_source.py"), &PLACE.0.to_string(), &PLACE.1.to_string()]).args(paths);
        command.stdout(Stdio::piped()).stderr(desktop.log_file("drop-source"));
        let mut program = Program::start(&mut command, "python3-gi");
        let stdout = program.child().stdout.take().expect("a pipe");
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let source = Self { desktop, lines, _program: program };
        assert_eq!(source.read_line(), "ready", "the program to drag from");
        source
    }

    /// Takes hold of the files and moves the pointer, in small steps, to a place on the display; the button stays down.
    ///
    /// # Panics
    /// Where the pointer cannot be moved, or no drag begins.
    pub fn drag_to(&self, x: i32, y: i32) {
        let (start_x, start_y) = (PLACE.0 + 80, PLACE.1 + 80);
        self.point(&move_to(start_x, start_y));
        self.point(&["mousedown", "1", "sleep", "0.1"].map(str::to_owned));
        // A drag begins with the first few pixels; moving on has no effect before the program noticed that.
        for step in 1..=8 {
            self.point(&move_to(start_x - 2 * step, start_y));
        }
        assert_eq!(self.read_line(), "begun", "the drag");
        let steps = 24;
        let mut words = Vec::new();
        for step in 1..=steps {
            words.extend(move_to(start_x + (x - start_x) * step / steps, start_y + (y - start_y) * step / steps));
        }
        self.point(&words);
        self.nudge(x, y);
    }

    /// Moves the pointer a little around a place, as a hand does: the two programs talk about every motion, and it is
    /// the last ones that tell the target that the pointer rests on it.
    ///
    /// # Panics
    /// Where the pointer cannot be moved.
    pub fn nudge(&self, x: i32, y: i32) {
        self.point(&[move_to(x + 1, y + 1), move_to(x, y)].concat());
    }

    /// Lets go of the files where the pointer is, and waits until the other side took them.
    ///
    /// # Panics
    /// Where it refuses them.
    pub fn let_go(&self) {
        self.point(&["mouseup".to_owned(), "1".to_owned()]);
        assert_eq!(self.read_line(), "taken", "the drop");
    }

    fn point(&self, words: &[String]) {
        self.desktop.run("xdotool", &words.iter().map(String::as_str).collect::<Vec<_>>());
    }

    fn read_line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).unwrap_or_else(|_| {
            panic!("the program to drag from says nothing; its log: {}", self.desktop.read_log("drop-source"))
        })
    }
}

fn move_to(x: i32, y: i32) -> Vec<String> {
    ["mousemove", &x.to_string(), &y.to_string(), "sleep", "0.03"].map(str::to_owned).to_vec()
}
