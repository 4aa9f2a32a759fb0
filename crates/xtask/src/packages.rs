//! The system packages that a build or a test needs, and how they come onto a Debian or Ubuntu.
//!
//! Each package is named, with what it is for, before anything is installed. Elsewhere nothing is installed: the task
//! says what is missing and stops.

use std::io::IsTerminal as _;

use crate::checkout::Checkout;
use crate::command::{Problem, Run, is_installed};

/// A Debian package.
#[derive(Clone, Copy)]
pub struct Package {
    name: &'static str,
    purpose: &'static str,
}

const fn package(name: &'static str, purpose: &'static str) -> Package {
    Package { name, purpose }
}

/// What it takes to build the app and start it.
pub const BUILD: &[Package] = &[
    package("build-essential", "the C compiler and linker"),
    package("pkg-config", "finds the libraries below"),
    package("libwebkit2gtk-4.1-dev", "the web view of the window"),
    package("libdbus-1-dev", "talks to the desktop"),
    package("libayatana-appindicator3-1", "the sign in the tray"),
    package("ca-certificates", "whom to trust when an address says https"),
];

/// What it takes to drive the real window on a machine without a display.
pub const VIRTUAL_DESKTOP: &[Package] = &[
    package("xvfb", "the virtual display"),
    package("openbox", "the window manager"),
    package("dbus", "the session bus"),
    package("gnome-keyring", "the keychain"),
    package("at-spi2-core", "the accessibility bus"),
    package("webkit2gtk-driver", "drives the window"),
    package("xdotool", "moves the pointer and presses the keys"),
    package("wmctrl", "closes windows as their frames do"),
    package("python3-gi", "the program that files are dragged from"),
    package("gir1.2-gtk-3.0", "the program that files are dragged from"),
    package("imagemagick", "pictures of the whole display"),
    package("poppler-utils", "opens the PDF that a design was exported as"),
    package("fonts-noto-cjk", "sets the Japanese, Chinese and Korean that designs are drawn in"),
    package("faketime", "shows the program another time"),
    package("locales", "a system that speaks German"),
];

/// What it takes to install the tools that tests run.
pub const TEST_TOOLS: &[Package] = &[
    package("python3", "runs schemathesis"),
    package("python3-venv", "keeps schemathesis to itself"),
    package("postgresql", "the server that studios of the tests keep their rows on"),
];

/// What opens presentations; large, and only for the long form of the tests.
pub const OFFICE: &[Package] = &[package("libreoffice-impress", "shows the presentations that exports write")];

/// What drawing is compared with.
pub const BROWSER: &[Package] = &[package("chromium", "draws the same pages, to be compared with")];

/// What sending is compared with.
pub const PEERS: &[Package] = &[package("curl", "sends the same file, to be compared with")];

/// What makes a Debian that has nothing else, for the package to be installed on.
pub const TRIAL: &[Package] = &[package("mmdebstrap", "makes a minimal Debian")];

/// What to install by hand where there is no `apt-get`.
#[cfg(target_os = "macos")]
const BY_HAND: &str = "the Xcode command line tools (`xcode-select --install`)";
#[cfg(windows)]
const BY_HAND: &str = "the Microsoft C++ Build Tools and the WebView2 runtime";
#[cfg(not(any(target_os = "macos", windows)))]
const BY_HAND: &str = "your system's packages of WebKitGTK 4.1 (with its headers), D-Bus (with its headers), a C \
                       compiler and pkg-config";

/// Installs those of `packages` that are missing.
///
/// # Errors
/// When a package is missing and cannot be installed here.
pub fn install_missing(checkout: &Checkout, packages: &[Package]) -> Result<(), Problem> {
    if !is_installed("dpkg-query") || !is_installed("apt-get") {
        return if cfg!(target_os = "linux") { check_by_pkg_config(checkout, packages) } else { Ok(()) };
    }
    let missing = packages.iter().filter(|package| !is_package_installed(checkout, package.name)).collect::<Vec<_>>();
    if missing.is_empty() {
        return Ok(());
    }
    println!("Missing system packages, to be installed with apt-get:");
    for package in &missing {
        println!("  {:<28} {}", package.name, package.purpose);
    }
    let names = missing.iter().map(|package| package.name).collect::<Vec<_>>();
    apt_get(checkout, &["update", "-q"])?;
    apt_get(checkout, &[&["install", "-q", "-y", "--no-install-recommends"], names.as_slice()].concat())
}

fn is_package_installed(checkout: &Checkout, name: &str) -> bool {
    Run::new(checkout, "dpkg-query", ["--show", "--showformat=${db:Status-Status}", name])
        .read()
        .is_ok_and(|status| status == "installed")
}

fn apt_get(checkout: &Checkout, arguments: &[&str]) -> Result<(), Problem> {
    let base = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"];
    let is_root = Run::new(checkout, "id", ["-u"]).read()?.trim() == "0";
    let is_attended = std::io::stdin().is_terminal() && std::env::var_os("CI").is_none();
    if is_root {
        Run::new(checkout, base[0], base[1..].iter().chain(arguments)).run()
    } else if !is_installed("sudo") {
        Err(Problem::new(format!(
            "sudo is missing, and only an administrator may install packages. As one, run: apt-get {}",
            arguments.join(" ")
        )))
    } else if is_attended {
        Run::new(checkout, "sudo", base.iter().chain(arguments)).attended().run()
    } else {
        Run::new(checkout, "sudo", ["--non-interactive"].iter().chain(&base).chain(arguments)).run()
    }
}

fn check_by_pkg_config(checkout: &Checkout, packages: &[Package]) -> Result<(), Problem> {
    let libraries = ["webkit2gtk-4.1", "dbus-1"];
    let missing_library =
        libraries.iter().any(|library| Run::new(checkout, "pkg-config", ["--exists", library]).read().is_err());
    if missing_library {
        return Err(Problem::new(format!("this system has no apt-get; install by hand: {BY_HAND}")));
    }
    let programs = [
        ("xvfb", "Xvfb"),
        ("openbox", "openbox"),
        ("dbus", "dbus-daemon"),
        ("gnome-keyring", "gnome-keyring-daemon"),
        ("webkit2gtk-driver", "WebKitWebDriver"),
        ("xdotool", "xdotool"),
        ("imagemagick", "import"),
        ("poppler-utils", "pdftotext"),
        ("libreoffice-impress", "soffice"),
        ("chromium", "chromium"),
    ];
    let missing = programs
        .iter()
        .filter(|(package, program)| packages.iter().any(|wanted| wanted.name == *package) && !is_installed(program))
        .map(|(_, program)| *program)
        .collect::<Vec<_>>();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(Problem::new(format!("this system has no apt-get; install by hand: {}", missing.join(", "))))
    }
}

/// What a person has to install before these tasks can do the rest.
pub fn by_hand() -> &'static str {
    BY_HAND
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_is_named_once_and_says_what_it_is_for() {
        let lists = [BUILD, VIRTUAL_DESKTOP, TEST_TOOLS, OFFICE, BROWSER, PEERS, TRIAL];
        let all = lists.iter().flat_map(|list| list.iter()).collect::<Vec<_>>();
        for (index, package) in all.iter().enumerate() {
            assert!(!package.purpose.is_empty(), "{}", package.name);
            assert!(!all[..index].iter().any(|other| other.name == package.name), "{} twice", package.name);
        }
    }
}
