//! Counts beforehand what the first run of a folder would do.
//!
//! Always true: a preview changes nothing on either side. Where there are too many files for memory, it is made of some
//! folders after the other. Not here: what counts as what (`plan::preview`).

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::mem;
use std::path::Path;

use easel_client::Lane;
use easel_wire::{FileId, FolderId};

use super::add::{Checkable, Checked, check};
use super::folder::{Draft, Preview};
use super::from_engine::note_of;
use super::state::Shared;
use crate::shared::error::Error;
use crate::shared::estimate::{RemainingWork, Speeds, estimate};
use crate::shared::mutex::lock;
use crate::shared::names;
use crate::shared::{gathered, memory};
use crate::sync::disk::LocalDisk;
use crate::sync::plan::preview::{self, FolderByFolder};
use crate::sync::plan::{self, Ignores};
use crate::sync::ports::{Disk, DiskError, Freshness, LocalSeen, RemoteSeen};
use crate::sync::tree::{self, Agreed, Local, LocalFile, LocalItem, Remote, RemoteFile, RemoteFolder};
use crate::sync::unloaded::Lookup;

/// Differences that a preview names.
const MOST_NAMED: usize = 200;
/// So many folders are counted in one go.
const FOLDERS_AT_ONCE: usize = 256;

/// Both sides, as they were seen.
struct Seen {
    local: Local,
    remote: Remote,
    /// Whether the files are among them.
    has_files: bool,
}

/// Counts what a first run would do.
pub(super) async fn preview(shared: &Shared, draft: &Draft) -> Result<Preview, Error> {
    let _one_at_a_time = shared.adding.lock().await;
    let Checked { ground, drive, path } = check(shared, draft).await?;
    let (disk, settings) = (ground.disk.clone(), settings(shared, draft).await);
    let mut seen = look(shared, (&draft.path, &disk), &drive, shared.settings.kept_items).await?;
    if !seen.has_files && seen.remote.pointers.list().next().is_some() {
        // A pointer stands for a file in any folder.
        seen = look(shared, (&draft.path, &disk), &drive, usize::MAX).await?;
    }
    let (counts, large_files) = if seen.has_files {
        let counted = tokio::task::spawn_blocking(move || {
            let large_files = count_large(seen.local.items.values().filter_map(LocalItem::as_file), &settings);
            let is_ignored = |path: &str, is_folder| disk.is_ignored(path, is_folder);
            let counts = preview::preview(seen.local, seen.remote, Agreed::default(), &settings, Ignores(&is_ignored));
            memory::give_back();
            (counts, large_files)
        });
        counted.await.map_err(|_| Error::Stopped)?
    } else {
        count_folder_by_folder(shared, (&draft.path, &disk), seen, settings).await?
    };
    let files = counts.up_files + counts.down_files;
    let large_files = large_files.min(counts.up_files);
    let work =
        RemainingWork { bytes: counts.up_bytes + counts.down_bytes, small_files: files - large_files, large_files };
    let speeds = Speeds { requests_per_minute: shared.requests_per_minute(), ..Speeds::default() };
    let (time_ms, limited_by) = estimate(work, speeds);
    let skipped_count = counts.skipped.len() as u64;
    lock(&shared.promised).insert(path, (files, counts.up_bytes + counts.down_bytes));
    Ok(Preview {
        up_files: counts.up_files,
        up_bytes: counts.up_bytes,
        folders_there: counts.folders_there,
        down_files: counts.down_files,
        down_bytes: counts.down_bytes,
        folders_here: counts.folders_here,
        already_same: counts.already_same,
        conflicts: counts.conflicts,
        deletions_there: counts.deletions_there,
        deletions_here: counts.deletions_here,
        skipped: counts.skipped.into_iter().take(MOST_NAMED).map(note_of).collect(),
        skipped_count,
        time_ms,
        limited_by,
    })
}

/// Looks at both sides, which tell folders alone where either has more than `most` items.
async fn look(
    shared: &Shared,
    (path, disk): (&Path, &LocalDisk),
    drive: &Checkable,
    most: usize,
) -> Result<Seen, Error> {
    let looked = disk.look_around(None, most).await.map_err(|error| unreadable(path, &error))?;
    let (mut local, is_small_here) = match looked.local {
        LocalSeen::Whole(local) => (local, true),
        LocalSeen::Folders(local) => (local, false),
        LocalSeen::Changes { .. } => return Err(unreadable(path, &DiskError::Refused)),
    };
    let client = shared.client().in_lane(Lane::Person);
    let (mut folders, files, is_small_there) =
        match shared.index.list(&client, None, Freshness::Known, most).await?.remote {
            RemoteSeen::Whole { folders, files } => (folders, files, true),
            RemoteSeen::Folders { folders, pointers } => (folders, pointers.into_iter().collect(), false),
            RemoteSeen::Changes { .. } => return Err(Error::DriveFolderGone),
        };
    let root = match drive {
        Checkable::Found(folder) => *folder,
        Checkable::New { parent, name } => {
            let root = FolderId::imagined(0);
            folders.insert(root, RemoteFolder { parent: *parent, name: name.clone() });
            root
        }
    };
    let mut remote = Remote { folders, ..Remote::new(root) };
    // Pointers are resolved as a run would do it: each copy is the file that its pointer stands for.
    remote.replace_files(files);
    let has_files = is_small_here && is_small_there;
    if has_files {
        remote.expand_pointers();
    } else {
        local.keep_folders();
        remote.forget_files();
    }
    Ok(Seen { local, remote, has_files })
}

/// The error for a watched folder that cannot be read.
fn unreadable(path: &Path, error: &DiskError) -> Error {
    let path = path.to_owned();
    match error {
        DiskError::RootMissing => Error::NotAFolder { path },
        _ => Error::FolderUnreadable { path },
    }
}

async fn settings(shared: &Shared, draft: &Draft) -> plan::Settings {
    let limits = shared.upload_limits().await;
    plan::Settings {
        mode: draft.choices.mode,
        deletions: draft.choices.deletions,
        host_name: shared.settings.host_name.clone(),
        today: jiff::Zoned::now().date().to_string(),
        direct_max_bytes: limits.direct_max_bytes,
        max_file_bytes: limits.max_file_bytes,
        at_once: 1,
        planted: shared.settings.planted,
    }
}

/// How many of these files do not go in one request.
fn count_large<'a>(files: impl Iterator<Item = &'a LocalFile>, settings: &plan::Settings) -> u64 {
    files.filter(|file| file.stamp.size_bytes > settings.direct_max_bytes).count() as u64
}

/// Folders that are one to the drive: here and there.
type Twins = (Vec<String>, Vec<FolderId>);

/// The folders of both sides, by their path as the drive compares names.
fn pair(local: &Local, remote: &Remote) -> BTreeMap<String, Twins> {
    let key = |path: &str| path.split('/').map(names::key).collect::<Vec<_>>().join("/");
    let mut pairs: BTreeMap<String, Twins> = BTreeMap::new();
    for path in local.items.keys().map(String::as_str).chain([""]) {
        pairs.entry(key(path)).or_default().0.push(path.to_owned());
    }
    for folder in remote.folders.keys() {
        if let Some(path) = remote.path_below_root(*folder) {
            pairs.entry(key(&path)).or_default().1.push(*folder);
        }
    }
    pairs
}

/// Splits the files of folders into parts of about `at_once` files, where a folder has many more. Files with one name, as
/// the drive compares names, are in one part: what becomes of one depends on the other.
fn split(
    here: BTreeMap<String, LocalFile>,
    there: BTreeMap<FileId, RemoteFile>,
    at_once: usize,
) -> impl Iterator<Item = (BTreeMap<String, LocalFile>, BTreeMap<FileId, RemoteFile>)> {
    let parts = (here.len().max(there.len()) / at_once) as u64;
    let (mut here, mut there) = (here, there);
    let hashing = BuildHasherDefault::<DefaultHasher>::default();
    (0..=parts).rev().map(move |part| {
        if part == 0 {
            return (mem::take(&mut here), mem::take(&mut there));
        }
        let is_in = |name: &str| hashing.hash_one(names::key(name)) % (part + 1) == part;
        let here = here.extract_if(.., |path, _| is_in(tree::name(path))).collect();
        let there = there.extract_if(.., |_, file| is_in(&file.name)).collect();
        (here, there)
    })
}

/// Counts some folders after the other. Returns the counts, and how many local files do not go in one request.
async fn count_folder_by_folder(
    shared: &Shared,
    (path, disk): (&Path, &LocalDisk),
    seen: Seen,
    settings: plan::Settings,
) -> Result<(preview::Preview, u64), Error> {
    let mut pairs = pair(&seen.local, &seen.remote).into_values().peekable();
    let mut counting = FolderByFolder::new(seen.local, seen.remote);
    let mut large_files = 0;
    let at_once = (shared.settings.kept_items / 2).max(1);
    while pairs.peek().is_some() {
        let (mut here, mut drive_folders, mut folders) = (BTreeMap::new(), BTreeSet::new(), 0);
        while here.len() < at_once
            && folders < FOLDERS_AT_ONCE
            && let Some((paths, twins)) = pairs.next()
        {
            for folder in paths {
                let files = disk.list_files(&folder).await.map_err(|error| unreadable(path, &error))?;
                gathered::add(&mut here, files);
            }
            drive_folders.extend(twins);
            folders += 1;
        }
        large_files += count_large(here.values(), &settings);
        let there = shared.index.find_files(&Lookup { drive_folders, ..Lookup::default() }).await?;
        let (disk, settings) = (disk.clone(), settings.clone());
        let counted = tokio::task::spawn_blocking(move || {
            let is_ignored = |path: &str, is_folder| disk.is_ignored(path, is_folder);
            for (here, there) in split(here, there, at_once) {
                counting.count(here, there, &settings, Ignores(&is_ignored));
            }
            counting
        });
        counting = counted.await.map_err(|_| Error::Stopped)?;
    }
    memory::give_back();
    Ok((counting.finish(), large_files))
}
