//! Easel's real window, driven from outside: what a person does with pointer and keys, and what they see.
//!
//! Always true: it is the program that is shipped, in its own process; elements are found by their `data-testid`; every
//! wait has a deadline and says what it waited for. Deliberately not here: what a journey expects (`desktop/`).

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use fantoccini::elements::Element;
use fantoccini::wd::TimeoutConfiguration;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

use crate::desktop::Desktop;
use crate::patience::wait_for;
use crate::process::{self, Program};

/// How long the dialog of the desktop's toolkit may take to act on Enter.
const DIALOG_ANSWERS: Duration = Duration::from_secs(6);

/// How long the window may take to answer a person.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// How long a start may take, on a busy machine, until the window is there.
const START: Duration = Duration::from_secs(60);

/// How long a script of the driver may run.
const SCRIPT: Duration = Duration::from_secs(120);

/// A key that is not a character, as WebDriver writes it.
pub mod key {
    /// Enter.
    pub const ENTER: &str = "\u{e007}";
    /// Escape.
    pub const ESCAPE: &str = "\u{e00c}";
    /// F2, which renames.
    pub const F2: &str = "\u{e032}";
    /// Delete.
    pub const DELETE: &str = "\u{e017}";
    /// The arrow that points down.
    pub const DOWN: &str = "\u{e015}";
    /// The Control key, held down until [`RELEASE`].
    pub const CONTROL: &str = "\u{e009}";
    /// Lets go of the keys that are held.
    pub const RELEASE: &str = "\u{e000}";
}

/// A running Easel.
pub struct Window {
    client: Client,
    app: u32,
    started_at: Instant,
    _driver: Program,
}

/// One row of the transfers shelf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The file's name.
    pub name: String,
    /// `queued`, `sending`, `sent`, `already_there`, …
    pub state: String,
    /// Everything that the row says.
    pub text: String,
}

impl Window {
    /// Starts Easel on a desktop and waits until its first page is there.
    ///
    /// `data_dir` is where it keeps what it knows; a fresh one makes it a first start.
    ///
    /// # Panics
    /// Where the app or the driver was not built or installed, or no window opens.
    pub async fn open(desktop: &Desktop, data_dir: &Path) -> Self {
        Self::open_with(desktop, data_dir, &[]).await
    }

    /// [`Self::open`] with more in its environment, which its child has too.
    ///
    /// # Panics
    /// As there.
    pub async fn open_with(desktop: &Desktop, data_dir: &Path, variables: &[(String, String)]) -> Self {
        let app = binary();
        let port = free_port();
        let mut command = desktop.command("WebKitWebDriver");
        command
            .args(["--host=127.0.0.1", &format!("--port={port}")])
            .env("TAURI_AUTOMATION", "true")
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("EASEL_DATA_DIR", data_dir)
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .stdout(desktop.log_file("app"))
            .stderr(desktop.log_file("app"));
        let mut driver = Program::start(&mut command, "webkit2gtk-driver");
        wait_for("the driver of the window", START, async || {
            std::net::TcpStream::connect(("127.0.0.1", port)).map(drop)
        })
        .await;
        driver.assert_running();

        let started_at = Instant::now();
        let mut wanted = serde_json::Map::new();
        wanted.insert("webkitgtk:browserOptions".into(), json!({"binary": app, "args": []}));
        let client = tokio::time::timeout(
            START,
            ClientBuilder::new(HttpConnector::new()).capabilities(wanted).connect(&format!("http://127.0.0.1:{port}")),
        )
        .await
        .unwrap_or_else(|_| panic!("no window after {START:?}; the app said:\n{}", desktop.read_log("app")))
        .unwrap_or_else(|error| panic!("no window ({error}); the app said:\n{}", desktop.read_log("app")));
        // A bench scrolls through a long list, which takes a while.
        let patient = TimeoutConfiguration::new(Some(SCRIPT), None, None);
        client.update_timeouts(patient).await.expect("the driver takes another time limit");
        let app = process::list_children(driver.pid())
            .into_iter()
            .find(|&child| process::read_arguments(child).first().is_some_and(|first| Path::new(first) == app))
            .expect("the app is a child of its driver");
        let window = Self { client, app, started_at, _driver: driver };
        wait_for("the first page", START, async || {
            let page =
                window.look("return document.querySelector('[data-testid]') ? 'there' : document.body.innerText").await;
            if page == "there" { Ok(()) } else { Err(page.to_string()) }
        })
        .await;
        window
    }

    /// The process id of the app.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.app
    }

    /// When the program was started.
    #[must_use]
    pub fn started_at(&self) -> Instant {
        self.started_at
    }

    /// The process id of the built-in studio, where one runs.
    #[must_use]
    pub fn studio_pid(&self) -> Option<u32> {
        process::list_children(self.app)
            .into_iter()
            .find(|&child| process::read_arguments(child).iter().any(|word| word == "studio"))
    }

    /// Ends the app at once, as a crash would.
    pub fn kill(&self) {
        process::kill_at_once(self.app);
        process::wait_for_end(self.app, PATIENCE);
    }

    /// Runs a script in the page and returns what it returns.
    ///
    /// # Panics
    /// Where the page does not answer or the script fails.
    pub async fn look(&self, script: &str) -> Value {
        self.client.execute(script, Vec::new()).await.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Runs a script whose last argument is a function that takes its answer later.
    ///
    /// # Panics
    /// Where the page does not answer or the script fails.
    pub async fn ask(&self, script: &str) -> Value {
        self.client.execute_async(script, Vec::new()).await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Waits until the element is shown.
    pub async fn find(&self, testid: &str) -> Element {
        self.find_by(&format!("[data-testid=\"{testid}\"]")).await
    }

    /// Waits until an element is shown that a CSS selector names.
    pub async fn find_by(&self, selector: &str) -> Element {
        self.find_by_within(selector, PATIENCE).await
    }

    /// As [`Self::find_by`], with another patience.
    pub async fn find_by_within(&self, selector: &str, limit: Duration) -> Element {
        wait_for(selector, limit, async || {
            let found = self.client.find(Locator::Css(selector)).await.map_err(|error| error.to_string())?;
            // The driver's own check takes the rows of a virtual list for hidden.
            let script = "const box = arguments[0].getBoundingClientRect(); \
                          return box.width > 0 && box.height > 0 && getComputedStyle(arguments[0]).visibility === 'visible'";
            let element = serde_json::to_value(&found).map_err(|error| error.to_string())?;
            match self.client.execute(script, vec![element]).await {
                Ok(Value::Bool(true)) => Ok(found),
                Ok(_) => Err("hidden".to_owned()),
                Err(error) => Err(error.to_string()),
            }
        })
        .await
    }

    /// Whether the element is in the page now.
    pub async fn has(&self, testid: &str) -> bool {
        self.look(&format!("return document.querySelector('[data-testid=\"{testid}\"]') !== null")).await == true
    }

    /// Clicks on the element.
    pub async fn click(&self, testid: &str) {
        self.click_by(&format!("[data-testid=\"{testid}\"]")).await;
    }

    /// Clicks on the element that a CSS selector names, once it can be clicked and has come to rest.
    pub async fn click_by(&self, selector: &str) {
        wait_for(&format!("a click on {selector}"), PATIENCE, async || {
            let found = self.find_by(selector).await;
            if !found.is_enabled().await.map_err(|error| error.to_string())? {
                return Err("disabled".to_owned());
            }
            self.rest().await;
            match found.click().await {
                Ok(()) => Ok(()),
                Err(error) => Err(format!("{error:?}; in its place was {}", self.bring_out(selector).await)),
            }
        })
        .await;
    }

    /// Scrolls the element to the middle, as a person does where something lies over it, and returns the HTML of the
    /// element that a click would have met: the driver itself does not tell.
    async fn bring_out(&self, selector: &str) -> String {
        let script = "const element = document.querySelector(arguments[0]); \
                      const box = element?.getBoundingClientRect(); \
                      const met = box && document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2); \
                      element?.scrollIntoView({ block: 'center' }); \
                      return met?.outerHTML.slice(0, 300) ?? 'nothing'";
        let met = self.client.execute(script, vec![selector.into()]).await;
        met.map_or_else(|error| error.to_string(), |met| met.to_string())
    }

    /// Waits until the element says something, and returns it.
    pub async fn text_of(&self, testid: &str) -> String {
        self.find(testid).await;
        wait_for(&format!("words in {testid}"), PATIENCE, async || {
            let script = format!("return document.querySelector('[data-testid=\"{testid}\"]')?.innerText.trim() ?? ''");
            let text = self.look(&script).await.as_str().unwrap_or_default().to_owned();
            if text.is_empty() { Err("nothing") } else { Ok(text) }
        })
        .await
    }

    /// Empties a field and types into it.
    pub async fn fill(&self, testid: &str, text: &str) {
        wait_for(&format!("typing into {testid}"), PATIENCE, async || {
            let field = self.find(testid).await;
            field.clear().await?;
            field.send_keys(text).await
        })
        .await;
    }

    /// Presses keys where the focus is.
    pub async fn press(&self, keys: &str) {
        wait_for("the keys", PATIENCE, async || self.client.active_element().await?.send_keys(keys).await).await;
    }

    /// Waits until the element says something that contains `words`, and returns all it says.
    pub async fn wait_for_words(&self, testid: &str, words: &str) -> String {
        wait_for(&format!("{words:?} in {testid}"), PATIENCE, async || {
            let text = self.text_of(testid).await;
            if text.contains(words) { Ok(text) } else { Err(text) }
        })
        .await
    }

    /// All text of the page.
    pub async fn text(&self) -> String {
        self.look("return document.body.innerText").await.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until the page says `words` somewhere.
    pub async fn wait_for_page_words(&self, words: &str) {
        wait_for(&format!("{words:?} on the page"), PATIENCE, async || {
            let text = self.text().await;
            if text.contains(words) { Ok(()) } else { Err(text) }
        })
        .await;
    }

    /// The rows of the transfers shelf, opened where it is collapsed.
    pub async fn transfer_rows(&self) -> Vec<Row> {
        let rows = self
            .look(
                "return Array.from(document.querySelectorAll('[data-testid=\"transfer-row\"]'), row => \
                 [row.dataset.name, row.dataset.state, row.innerText])",
            )
            .await;
        let word = |row: &Value, index: usize| row[index].as_str().unwrap_or_default().to_owned();
        rows.as_array()
            .map_or(&[][..], Vec::as_slice)
            .iter()
            .map(|row| Row { name: word(row, 0), state: word(row, 1), text: word(row, 2) })
            .collect()
    }

    /// The names in the drive as it is shown, with their kind (`file`, `folder`), in the order of the screen. Designs
    /// are left out: a first start makes some of its own.
    pub async fn drive_rows(&self) -> Vec<(String, String)> {
        let rows = self
            .look(
                "return Array.from(document.querySelectorAll('[data-testid=\"drive-row\"]:not([data-kind=design])'), \
                 row => [row.dataset.name, row.dataset.kind])",
            )
            .await;
        let word = |row: &Value, index: usize| row[index].as_str().unwrap_or_default().to_owned();
        rows.as_array().map_or(&[][..], Vec::as_slice).iter().map(|row| (word(row, 0), word(row, 1))).collect()
    }

    /// Where the middle of an element is on the display.
    ///
    /// # Panics
    /// Where the window or the element is not there.
    pub async fn place_of(&self, desktop: &Desktop, testid: &str) -> (i32, i32) {
        self.place_by(desktop, &format!("[data-testid=\"{testid}\"]")).await
    }

    /// [`Self::place_of`] for the element that a CSS selector names. The pointer rests there afterwards.
    ///
    /// # Panics
    /// As there.
    pub async fn place_by(&self, desktop: &Desktop, selector: &str) -> (i32, i32) {
        self.find_by(selector).await;
        // The page may have been drawn before the window manager shows the window.
        let id =
            wait_for("a window of the app", PATIENCE, async || self.number_on(desktop).ok_or("none is shown")).await;
        // Asked of the page, because the driver gives no position for an element that shows only under the pointer.
        let script = format!(
            "const box = document.querySelector('{selector}').getBoundingClientRect(); \
             return [Math.floor(box.left + box.width / 2), Math.floor(box.top + box.height / 2)]"
        );
        let middle: (i32, i32) = serde_json::from_value(self.look(&script).await).expect("the place of an element");
        // The pointer goes there and its position is asked for: window managers disagree about a window's position.
        let words =
            ["mousemove", "--window", &id, &middle.0.to_string(), &middle.1.to_string(), "getmouselocation", "--shell"];
        let location = desktop.run("xdotool", &words);
        let read = |name: &str| -> i32 {
            let line = location.lines().find_map(|line| line.strip_prefix(name)).expect("the place of the pointer");
            line.parse().expect("a number")
        };
        (read("X="), read("Y="))
    }

    /// The window's number on the desktop; nothing while it is not on the screen.
    ///
    /// # Panics
    /// Where xdotool is missing.
    #[must_use]
    pub fn number_on(&self, desktop: &Desktop) -> Option<String> {
        let title = |id: &str| say(desktop, &["getwindowname", id]).trim().to_owned();
        // By its exact title: a tooltip under the resting pointer is a window too, with the program's name.
        self.numbers_on(desktop).into_iter().find(|id| title(id) == "Easel")
    }

    /// Every window of the program on the screen, those of the desktop's toolkit included.
    fn numbers_on(&self, desktop: &Desktop) -> Vec<String> {
        let pid = self.app.to_string();
        let found = say(desktop, &["search", "--all", "--onlyvisible", "--pid", &pid, "--name", "."]);
        found.lines().map(str::to_owned).collect()
    }

    /// Every window of the program that has a frame, with or without a title: a message box of the toolkit has none.
    fn framed_on(&self, desktop: &Desktop) -> Vec<String> {
        let pid = self.app.to_string();
        let listed = desktop.run("wmctrl", &["-l", "-p"]);
        let framed = listed.lines().filter_map(|line| {
            let mut fields = line.split_ascii_whitespace();
            let id = u64::from_str_radix(fields.next()?.strip_prefix("0x")?, 16).ok()?;
            (fields.nth(1)? == pid).then(|| id.to_string())
        });
        framed.collect()
    }

    /// Asks the desktop to close the window, as the cross of its frame does.
    ///
    /// # Panics
    /// Where it is not on the screen.
    pub fn close_on(&self, desktop: &Desktop) {
        let id = self.number_on(desktop).expect("a window of the app");
        desktop.run("wmctrl", &["-i", "-c", &id]);
    }

    /// Answers the dialog of the desktop's toolkit that asks for a folder or a file: types the path and presses Enter.
    ///
    /// # Panics
    /// Where no such dialog is on the screen.
    pub async fn choose_in_dialog(&self, desktop: &Desktop, path: &Path) {
        let own = self.number_on(desktop);
        let dialog = wait_for("the dialog of the desktop's toolkit", PATIENCE, async || {
            let others = self.numbers_on(desktop).into_iter().filter(|id| Some(id) != own.as_ref());
            let is_large = |id: &String| {
                let shape = say(desktop, &["getwindowgeometry", "--shell", id]);
                let width = shape.lines().find_map(|line| line.strip_prefix("WIDTH=")?.parse::<u32>().ok());
                width.is_some_and(|width| width >= 400)
            };
            others.into_iter().find(is_large).ok_or("none is shown")
        })
        .await;
        // The path's field completes while it is typed into, and may swallow a key. A message then says that the path
        // is no folder, and nothing has been chosen yet.
        for _ in 0..5 {
            type_path(desktop, &dialog, path);
            let message = wait_for("the dialog to close", PATIENCE, async || {
                if !self.numbers_on(desktop).contains(&dialog) {
                    return Ok(None);
                }
                let mut others =
                    self.framed_on(desktop).into_iter().filter(|id| Some(id) != own.as_ref() && *id != dialog);
                others.next().map(Some).ok_or("it is still there")
            });
            // If Enter was swallowed, nothing happens at all.
            let Ok(message) = tokio::time::timeout(DIALOG_ANSWERS, message).await else { continue };
            let Some(message) = message else { return };
            desktop.run("xdotool", &["windowactivate", "--sync", &message]);
            desktop.run("xdotool", &["key", "Escape"]);
            wait_for("the message to close", PATIENCE, async || {
                if self.framed_on(desktop).contains(&message) { Err("it is still there") } else { Ok(()) }
            })
            .await;
        }
        panic!("the dialog never took {}", path.display());
    }

    /// Gives the page exactly this size, and waits until it is drawn so.
    ///
    /// # Panics
    /// Where the window does not take it.
    pub async fn resize(&self, width: u32, height: u32) {
        self.client.set_window_rect(0, 0, width, height).await.expect("a size of the window");
        wait_for(&format!("a page of {width} × {height}"), PATIENCE, async || {
            let size = self.look("return [innerWidth, innerHeight]").await;
            if size == json!([width, height]) { Ok(()) } else { Err(size.to_string()) }
        })
        .await;
        self.rest().await;
    }

    /// Waits until everything that moves for less than a second has come to rest and is drawn.
    pub async fn rest(&self) {
        self.ask(
            "const done = arguments[arguments.length - 1]; \
             const brief = document.getAnimations().filter(each => each.effect.getComputedTiming().endTime < 1000); \
             Promise.allSettled(brief.map(each => each.finished)).then(() => requestAnimationFrame(() => \
             requestAnimationFrame(() => requestAnimationFrame(() => done(true)))))",
        )
        .await;
    }

    /// Takes a picture of the page.
    ///
    /// # Panics
    /// Where it cannot be taken or written.
    pub async fn take_picture(&self, path: &Path) {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).expect("a folder for pictures");
        }
        self.rest().await;
        let picture = self.client.screenshot().await.expect("a picture of the page");
        std::fs::write(path, picture).expect("a picture on disk");
    }
}

/// Types a path into the dialog of the desktop's toolkit and presses Enter once: a second Enter would choose whatever
/// the dialog shows after that.
fn type_path(desktop: &Desktop, dialog: &str, path: &Path) {
    desktop.run("xdotool", &["windowactivate", "--sync", dialog]);
    // A slash opens the path's field; its old text is replaced.
    desktop.run("xdotool", &["key", "--window", dialog, "slash", "sleep", "0.3"]);
    desktop.run("xdotool", &["key", "ctrl+a", "sleep", "0.1"]);
    desktop.run("xdotool", &["type", "--delay", "40", &path.to_string_lossy()]);
    // Deletes the part that the field completed by itself.
    desktop.run("xdotool", &["key", "Delete"]);
    desktop.run("xdotool", &["key", "Return"]);
}

/// The output of xdotool; empty where it finds nothing.
fn say(desktop: &Desktop, arguments: &[&str]) -> String {
    let output = desktop.command("xdotool").args(arguments).stdout(Stdio::piped()).output().expect("xdotool");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The app beside the test's own executable.
///
/// # Panics
/// Where it was not built; the message says how to.
#[must_use]
pub fn binary() -> PathBuf {
    process::find_program("easel", "easel-desktop")
}

fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    listener.local_addr().expect("an address").port()
}
