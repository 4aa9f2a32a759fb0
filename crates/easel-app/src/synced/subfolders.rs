//! The subfolders of a folder that is synced, or is about to be, with the size of each, for a person to choose from.
//!
//! Always true: looking ends after a bounded time and number of items, and a folder that was not seen completely says
//! so; links are not followed, other file systems not entered, and items that are ignored by default are not counted,
//! as in syncing. Not here: the person's own patterns (the preview counts with them), and the folders of the drive.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use easel_sync::ignored::{Inclusion, Rules};
use easel_sync::tree;
use serde::{Deserialize, Serialize};

use super::left_out::can_be_written;
use super::{SyncedFolders, read_id, to_views};
use crate::causes;
use crate::messages;
use crate::number::WholeNumber;
use crate::problem::Problem;

/// How far looking goes.
const LIMITS: Limits = Limits { time: Duration::from_secs(3), items: 200_000, told: 2_000 };
/// A disk that does not answer is waited for so much longer; then the items seen until then are told.
const GRACE: Duration = Duration::from_secs(1);

/// Whose subfolders.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(tag = "of", rename_all = "snake_case")]
pub enum SubfoldersOf {
    /// A folder that was chosen and is not synced yet.
    Source {
        /// From [`super::SyncedSource`].
        source_id: String,
    },
    /// A synced folder.
    Synced {
        /// Its id.
        folder_id: String,
    },
}

/// A folder below one that is synced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Subfolder {
    /// Its path below that one, with `/` between names; `left_out` in [`super::SyncedChoices`] takes it.
    pub path: String,
    /// Its own name, for a person.
    pub name: String,
    /// Files in it and below.
    pub files: WholeNumber,
    /// Their size.
    pub bytes: WholeNumber,
    /// There is more than that: not everything was looked at.
    pub at_least: bool,
}

/// The folders below one that is synced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Subfolders {
    /// Each directly before those in it, by name.
    pub folders: Vec<Subfolder>,
    /// Files in all, those directly in the synced folder too.
    pub files: WholeNumber,
    /// Their size.
    pub bytes: WholeNumber,
    /// There is more than that: not everything was looked at.
    pub at_least: bool,
    /// There are more folders than are told of.
    pub has_more: bool,
}

#[derive(Debug, Clone, Copy)]
struct Limits {
    time: Duration,
    /// Items looked at.
    items: usize,
    /// Folders told of; what lies deeper counts for the nearest one above that is.
    told: usize,
}

/// A folder that was found.
#[derive(Debug, Clone, Default)]
struct Found {
    path: String,
    /// The index of the folder above; the first folder's is its own.
    above: usize,
    files: u64,
    bytes: u64,
    /// The folder was read completely.
    is_whole: bool,
    /// The folder can be named in a pattern, and so can those above.
    has_name: bool,
}

/// What a folder itself has.
#[derive(Debug, Default)]
struct Own {
    files: u64,
    bytes: u64,
    below: Vec<String>,
    is_whole: bool,
}

/// Folders in the order in which they were found: those nearer to the top first.
type FoundFolders = Mutex<Vec<Found>>;

fn lock(seen: &FoundFolders) -> MutexGuard<'_, Vec<Found>> {
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How much may still be looked at.
struct Allowance {
    until: Instant,
    items: usize,
}

impl Allowance {
    fn take_one(&mut self) -> bool {
        let may = self.items > 0 && Instant::now() < self.until;
        self.items = self.items.saturating_sub(1);
        may
    }
}

/// Looks at the folders below `top`, level by level, as far as `limits` go. Blocking.
fn look(top: &Path, limits: Limits, seen: &FoundFolders) {
    let rules = Rules::new("");
    let mut allowance = Allowance { until: Instant::now() + limits.time, items: limits.items };
    let device = device_of(top);
    for at in 0.. {
        let Some((path, has_name)) = lock(seen).get(at).map(|found| (found.path.clone(), found.has_name)) else {
            return;
        };
        let own = read(top, &path, device, &rules, &mut allowance);
        let mut seen = lock(seen);
        let found = &mut seen[at];
        (found.files, found.bytes, found.is_whole) = (own.files, own.bytes, own.is_whole);
        seen.extend(own.below.into_iter().map(|name| Found {
            has_name: has_name && can_be_written(&name),
            path: tree::join(&path, &name),
            above: at,
            ..Found::default()
        }));
    }
}

fn read(top: &Path, path: &str, device: Option<u64>, rules: &Rules, allowance: &mut Allowance) -> Own {
    let mut own = Own::default();
    if !allowance.take_one() {
        return own;
    }
    let Ok(entries) = fs::read_dir(top.join(path)) else { return own };
    own.is_whole = true;
    for entry in entries {
        if !allowance.take_one() {
            own.is_whole = false;
            return own;
        }
        let Ok(entry) = entry else {
            own.is_whole = false;
            continue;
        };
        // An item without such a name is not synced; one that has gone meanwhile is not there.
        let (Ok(name), Ok(found)) = (entry.file_name().into_string(), entry.metadata()) else { continue };
        let is_folder = found.is_dir();
        let item = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
        if rules.judge(&item, is_folder) != Inclusion::Taken {
            continue;
        }
        if is_folder {
            if device_in(&found) == device {
                own.below.push(name);
            }
        } else if found.is_file() {
            own.files += 1;
            own.bytes += found.len();
        }
    }
    own
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere there is none")]
fn device_in(found: &fs::Metadata) -> Option<u64> {
    Some(std::os::unix::fs::MetadataExt::dev(found))
}

#[cfg(not(unix))]
fn device_in(_found: &fs::Metadata) -> Option<u64> {
    None
}

fn device_of(top: &Path) -> Option<u64> {
    fs::metadata(top).ok().as_ref().and_then(device_in)
}

/// What was seen, the figures of each folder with those of all below it.
fn sum_up(mut seen: Vec<Found>, told: usize) -> Subfolders {
    for at in (1..seen.len()).rev() {
        let Found { above, files, bytes, is_whole, .. } = seen[at];
        let above = &mut seen[above];
        above.files += files;
        above.bytes += bytes;
        above.is_whole &= is_whole;
    }
    let top = seen.first().cloned().unwrap_or_default();
    let mut named: Vec<Found> = seen.into_iter().skip(1).filter(|found| found.has_name).collect();
    let has_more = named.len() > told || !top.is_whole;
    named.truncate(told);
    named.sort_by_cached_key(|found| {
        found.path.split('/').map(|name| (name.to_lowercase(), name.to_owned())).collect::<Vec<_>>()
    });
    let folders = named.into_iter().map(|found| Subfolder {
        name: messages::in_order(found.path.rsplit('/').next().unwrap_or_default()).into_owned(),
        path: found.path,
        files: found.files.into(),
        bytes: found.bytes.into(),
        at_least: !found.is_whole,
    });
    Subfolders {
        folders: folders.collect(),
        files: top.files.into(),
        bytes: top.bytes.into(),
        at_least: !top.is_whole,
        has_more,
    }
}

impl SyncedFolders {
    /// The subfolders of a folder, with how much is in each, as far as a few seconds let them be looked at.
    ///
    /// # Errors
    /// `sync_source_unknown`, `synced_folder_unknown`, `sync_folder_unreadable`; what the connection's state says.
    pub async fn list_synced_subfolders(&self, of: SubfoldersOf) -> Result<Subfolders, Problem> {
        let top = match of {
            SubfoldersOf::Source { source_id } => {
                self.sources.get(&source_id).ok_or_else(|| messages::problem("sync_source_unknown", &[]))?
            }
            SubfoldersOf::Synced { folder_id } => {
                let (_, folders) = self.connections.synced_in_view().await?;
                Self::find_synced(&folders, read_id(&folder_id)?)?.path
            }
        };
        look_for_a_while(top, LIMITS).await
    }
}

async fn look_for_a_while(top: PathBuf, limits: Limits) -> Result<Subfolders, Problem> {
    let seen = Arc::new(FoundFolders::new(vec![Found { has_name: true, ..Found::default() }]));
    let (looking, place) = (Arc::clone(&seen), top.clone());
    let looked = tokio::task::spawn_blocking(move || {
        fs::read_dir(&place)?;
        look(&place, limits, &looking);
        Ok(())
    });
    // A thread that still waits for a disk is left alone.
    if let Ok(Ok(Err(error))) = tokio::time::timeout(limits.time + GRACE, looked).await {
        let error: std::io::Error = error;
        tracing::info!(reason = causes::io_reason(&error), "a folder cannot be listed");
        return Err(messages::problem("sync_folder_unreadable", &[("path", to_views::show_path(&top).as_str())]));
    }
    let seen = lock(&seen).clone();
    Ok(sum_up(seen, limits.told))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these files, each as large as said.
    fn folder_with(files: &[(&str, usize)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, bytes) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, vec![0; *bytes]).unwrap();
        }
        folder
    }

    async fn see(folder: &tempfile::TempDir, limits: Limits) -> Subfolders {
        look_for_a_while(folder.path().to_owned(), limits).await.unwrap()
    }

    fn rows(seen: &Subfolders) -> Vec<(&str, u64, u64, bool)> {
        let row = |found: &'_ Subfolder| (found.files.get(), found.bytes.get(), found.at_least);
        seen.folders.iter().map(|found| (found.path.as_str(), row(found).0, row(found).1, row(found).2)).collect()
    }

    #[tokio::test]
    async fn each_subfolder_counts_what_lies_below_it_and_comes_before_what_is_in_it() {
        let folder = folder_with(&[
            ("top.txt", 1),
            ("raw/a.cr3", 10),
            ("raw/day 2/b.cr3", 20),
            ("raw/day 10/c.cr3", 30),
            ("Brand/logo.svg", 5),
            (".git/objects/x", 1_000),
            ("Brand/half.part", 1_000),
        ]);
        let seen = see(&folder, LIMITS).await;
        assert_eq!(
            rows(&seen),
            [("Brand", 1, 5, false), ("raw", 3, 60, false), ("raw/day 10", 1, 30, false), ("raw/day 2", 1, 20, false),]
        );
        assert_eq!((seen.files.get(), seen.bytes.get(), seen.at_least, seen.has_more), (5, 66, false, false));
    }

    #[tokio::test]
    async fn what_was_not_looked_at_to_its_end_says_that_there_is_more() {
        let deep: Vec<(String, usize)> = (0..50).map(|number| (format!("many/below/{number}.png"), 2)).collect();
        let mut files: Vec<(&str, usize)> = deep.iter().map(|(path, bytes)| (path.as_str(), *bytes)).collect();
        files.push(("few/one.png", 1));
        let folder = folder_with(&files);
        let seen = see(&folder, Limits { items: 20, ..LIMITS }).await;
        let many = seen.folders.iter().find(|found| found.path == "many").unwrap();
        let few = seen.folders.iter().find(|found| found.path == "few").unwrap();
        assert!(many.at_least && many.files.get() < 50, "{many:?}");
        assert!(!few.at_least && few.files.get() == 1, "{few:?}");
        assert!(seen.at_least && seen.has_more);
        let seen = see(&folder, Limits { time: Duration::ZERO, ..LIMITS }).await;
        assert_eq!((seen.folders.len(), seen.files.get(), seen.at_least), (0, 0, true));
    }

    #[tokio::test]
    async fn the_nearest_folders_are_told_of_first_and_count_what_is_not_told_of() {
        let folder = folder_with(&[("a/1/2/x", 7), ("b/y", 1)]);
        let seen = see(&folder, Limits { told: 2, ..LIMITS }).await;
        assert_eq!(rows(&seen), [("a", 1, 7, false), ("b", 1, 1, false)]);
        assert!(seen.has_more && !seen.at_least);
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn links_are_not_followed_and_what_no_pattern_can_name_is_counted_above_it() {
        let folder = folder_with(&[("real/x", 3), ("two\nlines/below/y", 4), ("with\u{202E}turn/z", 5)]);
        std::os::unix::fs::symlink(folder.path().join("real"), folder.path().join("link")).unwrap();
        let seen = see(&folder, LIMITS).await;
        assert_eq!(rows(&seen), [("real", 1, 3, false), ("with\u{202E}turn", 1, 5, false)]);
        assert_eq!((seen.files.get(), seen.bytes.get()), (3, 12));
        assert_eq!(seen.folders[1].name, "with\u{FFFD}turn");
    }

    #[tokio::test]
    async fn a_folder_that_is_gone_is_a_problem_with_its_path() {
        let folder = folder_with(&[]);
        let gone = folder.path().join("gone");
        let problem = look_for_a_while(gone, LIMITS).await.unwrap_err();
        assert_eq!(problem.code, "sync_folder_unreadable");
        assert!(problem.title.contains("gone"), "{}", problem.title);
    }
}
