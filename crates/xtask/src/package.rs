//! `cargo xtask package`: what a person installs, and the proof that it can be installed, started and removed.
//!
//! On Debian and its kin that is a `.deb`. AppImage, dmg and msi have their settings in `src-tauri/tauri.conf.json`; each is
//! built on its own system by the same bundler (`tauri bundle`). Nothing is signed or uploaded here.

use std::fs;
use std::path::{Path, PathBuf};

use crate::checkout::{Checkout, Stamp};
use crate::command::{Problem, Run};
use crate::{packages, setup, switches};

/// What makes packages, from npm: a tool of this task alone, so no other waits for it.
const BUNDLER: &str = "@tauri-apps/cli@2.12.5";

/// The largest package that a person should have to fetch, in bytes.
pub const LARGEST_BYTES: u64 = 45_000_000;

/// Builds the package in release mode, says where it is and how large; with `is_tried`, puts it to the test on a Debian
/// that has nothing else.
///
/// # Errors
/// When something does not build, the package is larger than 45 MB, or the trial fails.
pub fn make(checkout: &Checkout, is_tried: bool) -> Result<(), Problem> {
    let package = build(checkout)?;
    let size_bytes = fs::metadata(&package).map_err(|error| Problem::of(&package, &error))?.len();
    println!("{} ({:.1} MB)", package.display(), size_bytes as f64 / 1e6);
    if size_bytes > LARGEST_BYTES {
        return Err(Problem::new(format!("the package is larger than {} MB", LARGEST_BYTES / 1_000_000)));
    }
    if is_tried { try_out(checkout, &package) } else { Ok(()) }
}

/// Builds the package in release mode and says where it is.
///
/// # Errors
/// When something does not build.
pub fn build(checkout: &Checkout) -> Result<PathBuf, Problem> {
    if !cfg!(target_os = "linux") {
        return Err(Problem::new(
            "packages are made on Linux so far; the settings of the others are in tauri.conf.json",
        ));
    }
    setup::prepare_build(checkout)?;
    Run::cargo(checkout, ["build", "--release", "--package", "easel-desktop", "--bin", "easel"]).run()?;
    switches::refuse(&checkout.target().join("release/easel"), &["studio"])?;
    Run::new(checkout, &prepare_bundler(checkout)?, ["bundle", "--ci", "--bundles", "deb"]).run()?;
    find_package(&checkout.target().join("release/bundle/deb"))
}

/// The bundler, installed below `target/` where it is missing or of another release.
fn prepare_bundler(checkout: &Checkout) -> Result<String, Problem> {
    let home = checkout.target().join("tools/tauri");
    let program = home.join("node_modules/.bin/tauri").to_string_lossy().into_owned();
    let stamp = Stamp::new(home.join("installed-from"), BUNDLER.to_owned());
    if !stamp.is_current() {
        println!("Missing packaging tool, to be installed from npm into {}: {BUNDLER}", home.display());
        let home = home.to_string_lossy().into_owned();
        let quietly = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", &home, BUNDLER];
        Run::new(checkout, "npm", quietly).run()?;
        stamp.write()?;
    }
    Ok(program)
}

/// The one package of this version in `folder`.
fn find_package(folder: &Path) -> Result<PathBuf, Problem> {
    let version = format!("_{}_", env!("CARGO_PKG_VERSION"));
    let entries = fs::read_dir(folder).map_err(|error| Problem::of(folder, &error))?;
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| {
            path.extension().is_some_and(|extension| extension == "deb")
                && path.file_name().is_some_and(|name| name.to_string_lossy().contains(&version))
        })
        .ok_or_else(|| Problem::new(format!("the bundler left no package in {}", folder.display())))
}

/// Installs the package on a fresh, minimal Debian, starts it from its menu entry, opens a link, removes it
/// (`tests/package/trial.sh`). The picture of the first screen is left in `target/package/`.
fn try_out(checkout: &Checkout, package: &Path) -> Result<(), Problem> {
    packages::install_missing(checkout, packages::TRIAL)?;
    let pictures = checkout.path("target/package");
    fs::create_dir_all(&pictures).map_err(|error| Problem::of(&pictures, &error))?;
    let (release, sources) = debian()?;
    let name = package.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let trial = checkout.path("tests/package/trial.sh");
    let hooks = [
        format!("copy-in {} {} /opt", quoted(package), quoted(&trial)),
        // With processes of its own: it ends what is called easel, and someone may be working with theirs outside.
        format!(
            "unshare --pid --fork --kill-child --mount-proc=\"$1/proc\" chroot \"$1\" sh /opt/trial.sh /opt/{name}"
        ),
        format!("copy-out /opt/trial/first-screen.png {}", quoted(&pictures)),
    ];
    let mut arguments = vec!["--variant=apt".to_owned(), "--format=null".to_owned()];
    arguments.extend(["--include=ca-certificates,procps".to_owned()]);
    arguments.extend(hooks.into_iter().map(|hook| format!("--customize-hook={hook}")));
    arguments.extend([release, "/dev/null".to_owned(), sources.to_string_lossy().into_owned()]);
    Run::new(checkout, "mmdebstrap", arguments).run()?;
    println!("The first screen is in {}.", pictures.join("first-screen.png").display());
    Ok(())
}

/// The name of the Debian that this machine runs, and the file that says where its packages come from.
fn debian() -> Result<(String, PathBuf), Problem> {
    let about = Path::new("/etc/os-release");
    let text = fs::read_to_string(about).map_err(|error| Problem::of(about, &error))?;
    let release = text
        .lines()
        .find_map(|line| line.strip_prefix("VERSION_CODENAME="))
        .map(|name| name.trim_matches('"').to_owned())
        .ok_or_else(|| Problem::new("this system does not say which Debian it is"))?;
    let folder = Path::new("/etc/apt/sources.list.d");
    let listed = fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    std::iter::once(PathBuf::from("/etc/apt/sources.list"))
        .chain(listed)
        .find(|file| fs::read_to_string(file).is_ok_and(|text| names_release(&text, &release)))
        .map(|file| (release.clone(), file))
        .ok_or_else(|| Problem::new(format!("no file of apt's sources names {release}")))
}

/// Whether a file of apt's sources, in either of its two forms, has the release itself and not only its updates.
fn names_release(sources: &str, release: &str) -> bool {
    sources
        .lines()
        .filter(|line| line.starts_with("deb ") || line.starts_with("Suites:"))
        .any(|line| line.split_whitespace().any(|word| word == release))
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.to_string_lossy().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sources_of_a_release_are_told_from_others() {
        let cases = [
            ("deb http://mirror.example/debian bookworm main", true),
            ("Types: deb\nSuites: bookworm bookworm-updates\n", true),
            ("deb http://mirror.example/debian bookworm-security main", false),
            ("# deb http://mirror.example/debian bookworm main", false),
            ("Suites: nodistro", false),
        ];
        for (sources, expected) in cases {
            assert_eq!(names_release(sources, "bookworm"), expected, "{sources}");
        }
    }

    #[test]
    fn a_path_with_a_quote_stays_one_word() {
        assert_eq!(quoted(Path::new("/a b/it's.deb")), r"'/a b/it'\''s.deb'");
    }
}
