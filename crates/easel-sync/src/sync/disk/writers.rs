//! Which files of the watched folder are open for writing, where the system can tell.
//!
//! On Linux the open files of every process of the same user can be listed. Those of other users cannot, and on other
//! systems none can: there a file counts as written when it stands still. A read lease would tell it too; but while a
//! lease is held, however short, another's opening the file for writing ends this program by a signal. A listing costs
//! some ten milliseconds, so it is made only when a file has just changed, once for all files. Not here: for how long
//! an open file counts as being written (`disk`).

use std::collections::BTreeSet;
use std::path::Path;

/// Paths below `root` that some process has open for writing.
#[cfg(target_os = "linux")]
pub(super) fn open_for_writing(root: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let Ok(processes) = std::fs::read_dir("/proc") else { return found };
    for process in processes.flatten() {
        if !process.file_name().as_encoded_bytes().first().is_some_and(u8::is_ascii_digit) {
            continue;
        }
        let process = process.path();
        // Another user's processes do not let themselves be listed.
        let Ok(open) = std::fs::read_dir(process.join("fd")) else { continue };
        for file in open.flatten() {
            let Ok(target) = std::fs::read_link(file.path()) else { continue };
            let Some(path) = target.strip_prefix(root).ok().and_then(Path::to_str).filter(|path| !path.is_empty())
            else {
                continue;
            };
            let info = std::fs::read_to_string(process.join("fdinfo").join(file.file_name())).unwrap_or_default();
            if is_writing(&info) {
                found.insert(path.to_owned());
            }
        }
    }
    found
}

/// Whether a file's flags, in octal, say that it can be written to: their last two bits are 0 for reading only.
#[cfg(target_os = "linux")]
fn is_writing(info: &str) -> bool {
    let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
    flags.and_then(|flags| u64::from_str_radix(flags.trim(), 8).ok()).is_some_and(|flags| flags & 0o3 != 0)
}

/// Paths below `root` that some process has open for writing.
#[cfg(not(target_os = "linux"))]
pub(super) fn open_for_writing(_root: &Path) -> BTreeSet<String> {
    BTreeSet::new()
}
