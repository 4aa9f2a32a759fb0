//! The window's pages: their packages and their build, each done only when what it is made from changed.

use std::path::{Path, PathBuf};

use crate::checkout::{Checkout, Stamp};
use crate::command::{Problem, Run, is_installed};

/// The oldest Node that the front end's tools run on.
const NODE_MAJOR: u32 = 20;

/// What the pages are built from, besides `ui/src`.
const BUILD_INPUTS: [&str; 6] = [
    "ui/index.html",
    "ui/package.json",
    "ui/package-lock.json",
    "ui/vite.config.ts",
    "ui/svelte.config.js",
    "ui/tsconfig.json",
];

/// Installs the front end's packages when the lock file, or Node, is another than at the last time.
///
/// # Errors
/// When Node is missing or too old, or `npm ci` fails.
pub fn install_packages(checkout: &Checkout) -> Result<(), Problem> {
    let node = require_node(checkout)?;
    let inputs = [checkout.path("ui/package-lock.json"), checkout.path("ui/package.json")];
    let fingerprint = checkout.fingerprint(inputs.iter().map(PathBuf::as_path), &node);
    let stamp = Stamp::new(checkout.path("ui/node_modules/.installed-from"), fingerprint);
    if stamp.is_current() {
        return Ok(());
    }
    npm(checkout, &["ci", "--no-audit", "--no-fund"])?;
    stamp.write()
}

/// Builds the pages when one of their sources changed.
///
/// # Errors
/// When the packages cannot be installed or the build fails.
pub fn build(checkout: &Checkout) -> Result<(), Problem> {
    install_packages(checkout)?;
    let mut inputs = checkout.files_below("ui/src")?.into_values().collect::<Vec<_>>();
    if checkout.path("ui/public").is_dir() {
        inputs.extend(checkout.files_below("ui/public")?.into_values());
    }
    inputs.extend(BUILD_INPUTS.iter().map(|input| checkout.path(input)));
    let fingerprint = checkout.fingerprint(inputs.iter().map(PathBuf::as_path), "");
    let stamp = Stamp::new(checkout.target().join("xtask/ui-built-from"), fingerprint);
    if stamp.is_current() && checkout.path("ui/dist/assets").is_dir() {
        return Ok(());
    }
    npm(checkout, &["run", "build"])?;
    stamp.write()
}

/// The types of the pages.
pub fn check_types(checkout: &Checkout) -> Result<(), Problem> {
    install_packages(checkout)?;
    run_npm(checkout, &["run", "check"]).behind_others().read().map(drop)
}

/// The tests of the pages.
pub fn run_tests(checkout: &Checkout) -> Result<(), Problem> {
    install_packages(checkout)?;
    run_npm(checkout, &["run", "test"]).behind_others().read().map(drop)
}

fn npm(checkout: &Checkout, arguments: &[&str]) -> Result<(), Problem> {
    run_npm(checkout, arguments).run()
}

fn run_npm(checkout: &Checkout, arguments: &[&str]) -> Run {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    Run::new(checkout, program, arguments).within(Path::new(&checkout.path("ui")))
}

fn require_node(checkout: &Checkout) -> Result<String, Problem> {
    let by_hand = format!("install Node {NODE_MAJOR} or newer (https://nodejs.org), with its npm");
    if !is_installed("node") || !(is_installed("npm") || cfg!(windows)) {
        return Err(Problem::new(format!("Node is missing; {by_hand}")));
    }
    let version = Run::new(checkout, "node", ["--version"]).read()?.trim().to_owned();
    match major(&version) {
        Some(found) if found >= NODE_MAJOR => Ok(version),
        _ => Err(Problem::new(format!("Node {version} is too old; {by_hand}"))),
    }
}

fn major(version: &str) -> Option<u32> {
    version.trim_start_matches('v').split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_major_version_of_node() {
        for (text, expected) in
            [("v20.1.0", Some(20)), ("22.0.0", Some(22)), ("v8", Some(8)), ("", None), ("next", None)]
        {
            assert_eq!(major(text), expected, "{text}");
        }
    }
}
