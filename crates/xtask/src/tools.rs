//! Tools that tests run and that come from PyPI, each pinned, in a Python environment of their own below `target/`.
//!
//! They touch nothing outside of it. A test that needs one looks for it there and fails by its name where it is missing.

use crate::checkout::{Checkout, Stamp};
use crate::command::{Problem, Run, is_installed};
use crate::packages;

/// What asks the studio from its own OpenAPI document.
const SCHEMATHESIS: &str = "schemathesis==4.32.5";

/// Installs what is missing, or is there in another release.
///
/// # Errors
/// When Python is missing and cannot be installed here, or the package index cannot be reached.
pub fn prepare(checkout: &Checkout) -> Result<(), Problem> {
    let home = checkout.target().join("tools/schemathesis");
    let bin = home.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let tool = bin.join("schemathesis").with_extension(std::env::consts::EXE_EXTENSION);
    let stamp = Stamp::new(home.join("installed-from"), SCHEMATHESIS.to_owned());
    if stamp.is_current() && tool.is_file() {
        return Ok(());
    }
    if !has_python(checkout) {
        packages::install_missing(checkout, packages::TEST_TOOLS)?;
    }
    println!("Missing test tool, to be installed from PyPI into {}: {SCHEMATHESIS}", home.display());
    let home = home.to_string_lossy().into_owned();
    Run::new(checkout, "python3", ["-m", "venv", "--clear", &home]).run()?;
    let python = bin.join("python").with_extension(std::env::consts::EXE_EXTENSION);
    let quietly = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", SCHEMATHESIS];
    Run::new(checkout, &python.to_string_lossy(), quietly).run()?;
    stamp.write()
}

/// Whether there is a Python that can make environments with a pip in them.
fn has_python(checkout: &Checkout) -> bool {
    is_installed("python3") && Run::new(checkout, "python3", ["-c", "import venv, ensurepip"]).read().is_ok()
}
