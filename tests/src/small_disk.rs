//! A disk that is soon full: a small tmpfs of its own.
//!
//! Mounting takes root, or sudo that asks for no password; where neither is to be had, the test fails and says so.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A small disk, gone when its value is.
pub struct SmallDisk {
    place: TempDir,
    is_out: Cell<bool>,
}

impl SmallDisk {
    /// Mounts a disk of so many bytes.
    ///
    /// # Panics
    /// Where mounting is not allowed.
    #[must_use]
    pub fn mount(size_bytes: u64) -> Self {
        let place = TempDir::with_prefix("easel-disk-").expect("a folder");
        let options = format!("size={size_bytes},mode=1777");
        run_as_root(Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(place.path()));
        Self { place, is_out: Cell::new(false) }
    }

    /// Where it is mounted.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.place.path()
    }

    /// Takes all the room that is left, in a file whose deletion gives it back.
    ///
    /// # Panics
    /// Where no file can be made at all.
    #[must_use]
    pub fn fill(&self) -> PathBuf {
        let path = self.path().join("ballast");
        let mut ballast = std::fs::File::create(&path).expect("a file");
        let block = [1; 4_096];
        while std::io::Write::write(&mut ballast, &block).is_ok_and(|written| written > 0) {}
        path
    }
}

impl SmallDisk {
    /// Takes the disk away while it is used, as someone does who pulls out a stick; its folder stays, empty.
    pub fn pull_out(&self) {
        self.is_out.set(true);
        // Lazily: a program that has a file open there closes it later.
        run_as_root(Command::new("umount").arg("-l").arg(self.place.path()));
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        if !self.is_out.get() {
            self.pull_out();
        }
    }
}

fn run_as_root(command: &mut Command) {
    let mut command = if nix::unistd::geteuid().is_root() {
        let mut plain = Command::new(command.get_program());
        plain.args(command.get_args());
        plain
    } else {
        let mut sudo = Command::new("sudo");
        sudo.arg("-n").arg(command.get_program()).args(command.get_args());
        sudo
    };
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "this test needs to mount a small disk, as root or with sudo: {command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}
