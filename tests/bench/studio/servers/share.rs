//! A share of the processors that a process is held to, by a control group of the system.
//!
//! Needs the right to make one: root, or a delegated group. Here is the older hierarchy, which has one folder a resource, and the newer.

use std::path::{Path, PathBuf};

/// In which the share is given out anew, in microseconds.
const PERIOD_US: u64 = 100_000;

/// A process held to a share; let go with its value.
pub struct Held {
    group: PathBuf,
    all: PathBuf,
    pid: u32,
}

impl Held {
    /// Holds a process, and those that it starts from now on, to this share of one processor.
    ///
    /// # Panics
    /// Where no control group can be made.
    pub fn to(share: f64, pid: u32) -> Self {
        let quota_us = (share * PERIOD_US as f64) as u64;
        let older = Path::new("/sys/fs/cgroup/cpu");
        let is_older = older.join("cpu.cfs_quota_us").exists() || older.join("cgroup.procs").exists();
        let all = if is_older { older } else { Path::new("/sys/fs/cgroup") };
        let group = all.join(format!("easel-bench-{pid}"));
        std::fs::create_dir(&group).unwrap_or_else(|error| panic!("no control group can be made ({error}): root can"));
        if is_older {
            write(&group.join("cpu.cfs_period_us"), &PERIOD_US.to_string());
            write(&group.join("cpu.cfs_quota_us"), &quota_us.to_string());
        } else {
            write(&group.join("cpu.max"), &format!("{quota_us} {PERIOD_US}"));
        }
        write(&group.join("cgroup.procs"), &pid.to_string());
        Self { group, all: all.to_owned(), pid }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // One that has ended is in no group any more.
        let _ = std::fs::write(self.all.join("cgroup.procs"), self.pid.to_string());
        let _ = std::fs::remove_dir(&self.group);
    }
}

fn write(file: &Path, text: &str) {
    std::fs::write(file, text).unwrap_or_else(|error| panic!("{} cannot be set ({error})", file.display()));
}
