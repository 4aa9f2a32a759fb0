//! A headless Chromium that draws an SVG as a picture: started anew, or kept open and told by its own protocol over pipes.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Outcome;

const SIZE: (u32, u32) = (1920, 1080);

/// What every start has: no sandbox, because build machines often run as root, and nothing that a first start would do.
const SETTINGS: &[&str] = &[
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--no-first-run",
    "--disable-extensions",
    "--disable-background-networking",
    "--allow-file-access-from-files",
];

/// Draws a picture and ends.
pub fn draw_cold(folder: &Path, drawing: &Path, picture: &Path) -> Outcome<()> {
    let status = Command::new("chromium")
        .args(SETTINGS)
        .arg(format!("--user-data-dir={}", folder.join("cold").display()))
        .arg(format!("--window-size={},{}", SIZE.0, SIZE.1))
        .arg(format!("--screenshot={}", picture.display()))
        .arg(format!("file://{}", drawing.display()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(|error| format!("chromium cannot be started: {error}"))?;
    if !status.success() || fs::metadata(picture)?.len() < 1000 {
        return Err(format!("chromium drew nothing ({status})").into());
    }
    fs::remove_file(picture)?;
    Ok(())
}

/// Draws so many pictures one after the other in one browser, after one that does not count.
pub fn draw_warm(folder: &Path, drawing: &Path, times: usize) -> Outcome<Vec<Duration>> {
    let mut browser = Browser::start(folder)?;
    let address = format!("file://{}", drawing.display());
    browser.draw(&address)?;
    (0..times)
        .map(|_| {
            let start = Instant::now();
            browser.draw(&address)?;
            Ok(start.elapsed())
        })
        .collect()
}

struct Browser {
    process: Child,
    into: File,
    from: BufReader<File>,
    last_id: u64,
    session: String,
}

impl Browser {
    /// The browser reads orders from its file 3 and writes answers to its file 4.
    fn start(folder: &Path) -> Outcome<Self> {
        let (into, from) = (folder.join("orders"), folder.join("answers"));
        for pipe in [&into, &from] {
            let made = Command::new("mkfifo").arg(pipe).status()?;
            if !made.success() {
                return Err("no pipe can be made".into());
            }
        }
        let process = Command::new("sh")
            .args(["-c", "in=$1; out=$2; shift 2; exec chromium \"$@\" 3<\"$in\" 4>\"$out\" >/dev/null 2>&1", "sh"])
            .args([&into, &from])
            .args(SETTINGS)
            .arg("--remote-debugging-pipe")
            .arg(format!("--user-data-dir={}", folder.join("warm").display()))
            .arg("about:blank")
            .spawn()?;
        // Opened in the order in which the shell opens its ends, so that neither waits for the other.
        let into = OpenOptions::new().write(true).open(into)?;
        let from = BufReader::new(File::open(from)?);
        let mut browser = Self { process, into, from, last_id: 0, session: String::new() };
        let target = browser.order("Target.createTarget", &json!({ "url": "about:blank" }))?;
        let target = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.order("Target.attachToTarget", &target)?;
        browser.session = attached["sessionId"].as_str().unwrap_or_default().to_owned();
        browser.order("Page.enable", &json!({}))?;
        let size = json!({ "width": SIZE.0, "height": SIZE.1, "deviceScaleFactor": 1, "mobile": false });
        browser.order("Emulation.setDeviceMetricsOverride", &size)?;
        Ok(browser)
    }

    fn draw(&mut self, address: &str) -> Outcome<()> {
        self.send("Page.navigate", &json!({ "url": address }))?;
        while self.read()?["method"] != "Page.loadEventFired" {}
        let picture = self.order("Page.captureScreenshot", &json!({ "format": "png" }))?;
        match picture["data"].as_str().map(str::len) {
            Some(length) if length > 1000 => Ok(()),
            _ => Err("chromium drew nothing".into()),
        }
    }

    fn send(&mut self, method: &str, parameters: &Value) -> Outcome<u64> {
        self.last_id += 1;
        let mut order = json!({ "id": self.last_id, "method": method, "params": parameters });
        if !self.session.is_empty() {
            order["sessionId"] = json!(self.session);
        }
        self.into.write_all(order.to_string().as_bytes())?;
        self.into.write_all(b"\0")?;
        Ok(self.last_id)
    }

    fn read(&mut self) -> Outcome<Value> {
        let mut message = Vec::new();
        if self.from.read_until(0, &mut message)? == 0 {
            return Err("chromium ended".into());
        }
        message.pop();
        Ok(serde_json::from_slice(&message)?)
    }

    fn order(&mut self, method: &str, parameters: &Value) -> Outcome<Value> {
        let id = self.send(method, parameters)?;
        loop {
            let mut message = self.read()?;
            if message["id"] == id {
                if let Some(error) = message.get("error") {
                    return Err(format!("{method}: {error}").into());
                }
                return Ok(message["result"].take());
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Best effort: a browser that ended by itself needs no end.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}
