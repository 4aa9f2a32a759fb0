//! A person's hand at the window: the real pointer and the real keys, through the display server, each press counted.
//!
//! Always true: nothing is pressed that the pointer does not really rest on, or the focus is not really on.
//! Deliberately not here: what is dragged (`drop_source`), and anything that asks the page to press for the person.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::journey::Journey;
use crate::patience::wait_for;
use crate::window::PATIENCE;

/// How often Tab may be pressed until the wanted element has the focus.
const FARTHEST: u32 = 90;

/// How long a key may take until the focus moves.
const KEY_TAKEN: Duration = Duration::from_secs(1);

/// A hand, and how much it has done.
pub struct Hand<'a> {
    journey: &'a Journey,
    clicks: Cell<u32>,
    keys: Cell<u32>,
}

impl<'a> Hand<'a> {
    /// Takes the pointer and the keyboard of a journey; nothing has been pressed.
    #[must_use]
    pub fn of(journey: &'a Journey) -> Self {
        Self { journey, clicks: Cell::new(0), keys: Cell::new(0) }
    }

    /// Moves the pointer to an element and clicks once.
    pub async fn click(&self, testid: &str) {
        self.click_by(&format!("[data-testid=\"{testid}\"]")).await;
    }

    /// Moves the pointer to the element that a CSS selector names, and clicks once.
    pub async fn click_by(&self, selector: &str) {
        let Journey { window, desktop, .. } = self.journey;
        let mut block = "nearest";
        wait_for(&format!("the pointer on {selector}"), PATIENCE, async || {
            window.find_by(selector).await;
            let bring =
                format!("document.querySelector('{selector}')?.scrollIntoView({{ block: '{block}' }}); return true");
            // The next time away from the edge, where another element may lie over it.
            block = "center";
            window.look(&bring).await;
            window.rest().await;
            let (x, y) = window.place_by(desktop, selector).await;
            // An element that shows only under the pointer is noticed with the pointer's next motion.
            for (x, y) in [(x + 1, y), (x, y)] {
                desktop.run("xdotool", &["mousemove", &x.to_string(), &y.to_string()]);
            }
            window.rest().await;
            let state = format!(
                "const it = document.querySelector('{selector}'); \
                 return it === null ? 'gone' : it.disabled ? 'disabled' : it.matches(':hover') ? 'here' : 'elsewhere'"
            );
            let state = window.look(&state).await;
            if state == "here" { Ok(()) } else { Err(state.to_string()) }
        })
        .await;
        desktop.run("xdotool", &["click", "1"]);
        self.clicks.set(self.clicks.get() + 1);
    }

    /// Counts a drop, with which another hand's drag ended.
    pub fn count_drop(&self) {
        self.clicks.set(self.clicks.get() + 1);
    }

    /// Brings the window to the front of the desktop, so that keys go there without a click.
    ///
    /// # Panics
    /// Where the window is not on the screen.
    pub fn bring_forward(&self) {
        let Journey { window, desktop, .. } = self.journey;
        let id = window.number_on(desktop).expect("a window of the app");
        desktop.run("xdotool", &["windowactivate", "--sync", &id]);
    }

    /// Presses Enter on an element that Tab leads to.
    pub async fn enter(&self, testid: &str) {
        self.tab_to(&format!("[data-testid={testid}]")).await;
        self.press("Return");
    }

    /// Presses Tab until an element has the focus that a CSS selector names.
    pub async fn tab_to(&self, selector: &str) {
        self.walk_to("Tab", selector).await;
    }

    /// Presses a key until an element has the focus that a CSS selector names.
    ///
    /// # Panics
    /// Where it never has; the message says where the focus went.
    pub async fn walk_to(&self, key: &str, selector: &str) {
        let window = &self.journey.window;
        window.find_by(selector).await;
        let script = format!(
            "const it = document.activeElement; \
             return it?.matches('{selector}') ? true : (it?.dataset?.testid ?? it?.outerHTML?.slice(0, 60) ?? 'nothing')"
        );
        let mut passed = Vec::new();
        for _ in 0..FARTHEST {
            let here = window.look(&script).await;
            if here == true {
                return;
            }
            passed.push(here.to_string());
            window.look("window.focusedBefore = document.activeElement; return true").await;
            self.press(key);
            // A busy window takes the key later; for a key that moves nothing the wait is short.
            let deadline = Instant::now() + KEY_TAKEN;
            while window.look("return document.activeElement === window.focusedBefore").await == true
                && Instant::now() < deadline
            {
                window.rest().await;
            }
            window.rest().await;
        }
        panic!("{key} never came to {selector}; it passed {}", passed.join(", "));
    }

    /// Presses a key, or keys together (`ctrl+Return`), where the focus is.
    ///
    /// # Panics
    /// Where the window is not on the screen.
    pub fn press(&self, key: &str) {
        self.journey.desktop.run("xdotool", &["key", "--clearmodifiers", key]);
        self.keys.set(self.keys.get() + 1);
    }

    /// Types words where the focus is. Not counted: what is written is the person's own.
    ///
    /// # Panics
    /// Where they cannot be typed.
    pub fn write(&self, words: &str) {
        self.journey.desktop.run("xdotool", &["type", "--delay", "12", words]);
    }

    /// How often it clicked or let go of a drag.
    #[must_use]
    pub fn clicks(&self) -> u32 {
        self.clicks.get()
    }

    /// How many keys it pressed, words left out.
    #[must_use]
    pub fn keys(&self) -> u32 {
        self.keys.get()
    }
}
