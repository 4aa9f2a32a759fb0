//! What the system accounts to Easel: the app, its studio, and the processes of its web view, together.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use easel_tests::process;
use nix::unistd::{SysconfVar, sysconf};

/// The app and everything that it started, and what those started.
pub fn list_processes(app: u32) -> Vec<u32> {
    let mut found = vec![app];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        found.extend(process::list_children(parent));
        next += 1;
    }
    found
}

/// Resident memory of all of them, in bytes. What they share is counted for each.
pub fn read_resident_bytes(app: u32) -> u64 {
    list_processes(app).into_iter().map(process::read_resident_bytes).sum()
}

/// Processor time that all of them have used so far.
pub fn read_processor_time(app: u32) -> Duration {
    let ticks: u64 = list_processes(app).into_iter().map(|pid| read_stat(pid, 11) + read_stat(pid, 12)).sum();
    to_duration(ticks)
}

/// When a process was started, as time since 1970; the system knows it to a hundredth of a second.
pub fn read_start(pid: u32) -> Duration {
    let uptime = std::fs::read_to_string("/proc/uptime").expect("how long the system runs");
    let uptime: f64 = uptime.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a number");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time after 1970");
    now - (Duration::from_secs_f64(uptime) - to_duration(read_stat(pid, 19)))
}

fn to_duration(ticks: u64) -> Duration {
    let a_second = sysconf(SysconfVar::CLK_TCK).ok().flatten().and_then(|ticks| u32::try_from(ticks).ok());
    Duration::from_secs(ticks) / a_second.expect("the length of a tick")
}

/// A field of a process's `stat`, counted from the one after its state.
fn read_stat(pid: u32, field: usize) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    fields.split_whitespace().nth(field).and_then(|word| word.parse().ok()).unwrap_or(0)
}
