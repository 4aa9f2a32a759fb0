//! Changes to the watched folder: folders made and removed, items renamed, files thrown away, fetched files put in
//! place.
//!
//! Always true: nothing is ever replaced or removed for good but a fetched file that is not wanted; when a call
//! returns, its effect survives a power cut. In a replacement the old file goes to the trash first. At whatever moment
//! a replacement is cut off, one of the two files is at its place, or the old one is in the trash and the new one in
//! its slot. The new file has the rights, the owner and the attributes of the old one. Blocking.

use std::ffi::OsStr;
use std::io;
use std::num::NonZeroI64;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use easel_wire::FileId;

use super::attributes;
use super::failure::cause;
use super::folder::{Folder, split};
use super::item::Kind;
use super::kept;
use super::slot::{self, ID};
use super::trash::{self, Doomed};
use crate::shared::clock::to_micros;
use crate::sync::ignored::INCOMING;
use crate::sync::ports::DiskError;
use crate::sync::tree::{self, ChangedUs, Stamp};

/// The ending of a file that is still on its way into a slot.
const PARTIAL: &str = ".part";
/// For so long an interrupted fetch can be resumed; then its bytes are thrown away.
const PARTIAL_KEPT: Duration = Duration::from_secs(7 * 24 * 3_600);

/// The watched folder, opened for one call.
pub(super) struct Opened<'a> {
    pub path: &'a Path,
    pub root: Folder,
    pub home_trash: Option<&'a Path>,
    /// Set when a file is put in the folder's own trash.
    pub has_trash: &'a AtomicBool,
    /// The last time that the service's clock told, in microseconds since the epoch.
    pub elsewhere_us: Option<i64>,
    /// The rights of new files, once they are known.
    pub usual_rights: &'a OnceLock<u32>,
}

impl Opened<'_> {
    fn split<'a>(&self, path: &'a str) -> Result<(Folder, &'a OsStr), DiskError> {
        split(&self.root, path).map_err(|error| cause(&error))
    }

    pub fn make_folder(&self, path: &str) -> Result<u64, DiskError> {
        let (folder, name) = self.split(path)?;
        let made = folder.make_folder(name).map_err(|error| cause(&error))?;
        folder.sync().map_err(|error| cause(&error))?;
        Ok(made.stamp.identity)
    }

    pub fn rename(&self, from: &str, to: &str, identity: u64) -> Result<(), DiskError> {
        let (folder, name) = self.split(from)?;
        match folder.find(name).map_err(|error| cause(&error))? {
            Some(item) if item.stamp.identity == identity => {}
            _ => return Err(DiskError::Changed),
        }
        if tree::is_below(to, from) {
            return Err(DiskError::Exists);
        }
        let (into, wanted) = self.split(to)?;
        folder.rename(name, &into, wanted).map_err(|error| cause(&error))?;
        into.sync().and_then(|()| folder.sync()).map_err(|error| cause(&error))
    }

    pub fn trash(&self, path: &str, stamp: Stamp) -> Result<(), DiskError> {
        let (folder, name) = self.split(path)?;
        let folder_path = self.path.join(tree::parent(path));
        let doomed = Doomed { folder: &folder, folder_path, name, stamp };
        match trash::throw_away(&doomed, self.home_trash) {
            // Changes and deletions from the drive must not wait for a trash that will never be there.
            Err(DiskError::Denied | DiskError::Full) => {
                kept::keep(&self.root, &doomed, self.elsewhere_us)?;
                self.has_trash.store(true, Ordering::Relaxed);
                Ok(())
            }
            done => done,
        }
    }

    pub fn remove_folder(&self, path: &str) -> Result<(), DiskError> {
        let (folder, name) = self.split(path)?;
        folder.remove_folder(name).and_then(|()| folder.sync()).map_err(|error| cause(&error))
    }

    /// The folder of slots, if it is there.
    fn incoming(&self) -> Result<Option<Folder>, DiskError> {
        match self.root.open_below(INCOMING) {
            Ok(folder) => Ok(Some(folder)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(cause(&error)),
        }
    }

    /// The whole files that wait in slots. A part that nobody resumed fetching for a week is thrown away.
    pub fn fetched(&self) -> Result<Vec<(FileId, Stamp)>, DiskError> {
        let Some(incoming) = self.incoming()? else { return Ok(Vec::new()) };
        let kept_from = to_micros(SystemTime::now() - PARTIAL_KEPT);
        let mut found = Vec::new();
        for name in names(&incoming)? {
            if name.to_str().is_some_and(|name| name.ends_with(PARTIAL) || name.ends_with(ID)) {
                let item = incoming.find(&name).map_err(|error| cause(&error))?;
                if item.is_some_and(|item| item.kind == Kind::File && item.stamp.modified_us < kept_from) {
                    incoming.remove_file(&name).map_err(|error| cause(&error))?;
                }
                continue;
            }
            let id = |name: &str| std::fs::read_to_string(self.path.join(INCOMING).join(format!("{name}{ID}"))).ok();
            let Some(file) = name.to_str().and_then(|name| slot::file_of(name, || id(name))) else { continue };
            if let Some(item) =
                incoming.find(&name).map_err(|error| cause(&error))?.filter(|item| item.kind == Kind::File)
            {
                found.push((file, item.stamp));
            }
        }
        Ok(found)
    }

    pub fn stamp_fetched(&self, file: FileId) -> Result<Stamp, DiskError> {
        let incoming = self.incoming()?.ok_or(DiskError::Changed)?;
        let found = incoming.find(slot::name_of(file).as_ref()).map_err(|error| cause(&error))?;
        found.map(|item| item.stamp).ok_or(DiskError::Changed)
    }

    pub fn discard(&self, files: &[FileId]) -> Result<(), DiskError> {
        let Some(incoming) = self.incoming()? else { return Ok(()) };
        for file in files {
            let slot = slot::name_of(*file);
            for name in [format!("{slot}{PARTIAL}"), format!("{slot}{ID}"), slot] {
                match incoming.remove_file(name.as_ref()) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(cause(&error)),
                    _ => {}
                }
            }
        }
        self.tidy_up();
        Ok(())
    }

    /// Removes the folder of slots when nothing waits there any more.
    fn tidy_up(&self) {
        // A folder that holds something stays; and where an empty one cannot be removed it is hidden anyway.
        let _ = self.root.remove_folder(INCOMING.as_ref());
    }

    pub fn place(&self, file: FileId, path: &str, replacing: Option<Stamp>) -> Result<ChangedUs, DiskError> {
        let slot = slot::name_of(file);
        let changed = self.place_named(&slot, path, replacing)?;
        if slot::is_short_for_its_id(&slot)
            && let Some(incoming) = self.incoming()?
        {
            // The file says whose slot it was; a file that is left over is thrown away with the next slot of this name.
            let _ = incoming.remove_file(format!("{slot}{ID}").as_ref());
        }
        self.tidy_up();
        Ok(changed)
    }

    /// Puts at its path what was written under the name of what is still on its way to a slot, which no engine takes for its
    /// own.
    pub fn place_partial(&self, file: FileId, path: &str, replacing: Option<Stamp>) -> Result<(), DiskError> {
        self.place_named(&format!("{}{PARTIAL}", slot::name_of(file)), path, replacing)?;
        self.tidy_up();
        Ok(())
    }

    /// Returns when anything about the file at the path changed last, right after it got there.
    fn place_named(&self, slot: &str, path: &str, replacing: Option<Stamp>) -> Result<ChangedUs, DiskError> {
        let incoming = self.incoming()?.ok_or(DiskError::Changed)?;
        let slot: &OsStr = slot.as_ref();
        if incoming.find(slot).map_err(|error| cause(&error))?.is_none() {
            return Err(DiskError::Changed);
        }
        let (folder, name) = self.split(path)?;
        let there = folder.find(name).map_err(|error| cause(&error))?;
        match (there.map(|item| item.stamp), replacing) {
            (None, None) => attributes::give_usual(&incoming, slot, self.usual_rights),
            (Some(there), Some(expected)) if there == expected => {
                attributes::carry_over(&folder, name, &incoming, slot);
                self.trash(path, expected)?;
            }
            _ => return Err(DiskError::Exists),
        }
        incoming.rename(slot, &folder, name).map_err(|error| cause(&error))?;
        // The rename moves the change time, so it is asked for afterwards. What changes the file from here on is an edit.
        let changed = match folder.find(name) {
            Ok(Some(placed)) => placed.changed(),
            // No file has this one, so that the file is read again.
            Ok(None) | Err(_) => Some(NonZeroI64::MIN),
        };
        folder.sync().and_then(|()| incoming.sync()).map_err(|error| cause(&error))?;
        Ok(changed)
    }
}

fn names(folder: &Folder) -> Result<Vec<std::ffi::OsString>, DiskError> {
    let mut found = Vec::new();
    let mut buffer = Vec::with_capacity(16 * 1024);
    folder.for_each_name(&mut buffer, |name| found.push(name.to_owned())).map_err(|error| cause(&error))?;
    Ok(found)
}

/// The slot of a drive file in the watched folder at `path`. The folder of slots is made where the watched folder,
/// `root`, is there, because the fetch comes next.
pub(super) fn slot(path: &Path, root: Option<&Folder>, file: FileId) -> PathBuf {
    let incoming = path.join(INCOMING);
    // Where the folder of slots cannot be made, the fetch fails and says why.
    let missing = || Err(io::ErrorKind::NotFound.into());
    if let Err(error) = root.map_or_else(missing, |root| root.make_private_folder(INCOMING.as_ref())) {
        tracing::warn!(%error, "the folder for what is fetched cannot be made");
    }
    let name = slot::name_of(file);
    if slot::is_short_for_its_id(&name)
        && let Err(error) = std::fs::write(incoming.join(format!("{name}{ID}")), file.text().as_bytes())
    {
        tracing::warn!(%error, "what is fetched will have to be fetched again after a restart");
    }
    incoming.join(name)
}

/// Where a fetch writes until the file is whole; then a rename puts it in its slot, so that every file in a slot is
/// whole.
#[must_use]
pub fn partial(slot: &Path) -> PathBuf {
    let mut name = slot.file_name().unwrap_or_default().to_owned();
    name.push(PARTIAL);
    slot.with_file_name(name)
}
