//! The system's trash: on Linux as freedesktop.org lays it down (Trash specification 1.0), elsewhere the `trash` crate.
//!
//! Always true: a file is moved, never copied and deleted, so that nothing is lost that is written to it meanwhile; a
//! file that arrives is looked at once more, and put back where it is not the one that was meant; where no trash can be
//! had on the same file system there is an error and the file stays (`kept` has a place for it then). The `trash` crate
//! copies across file systems; so it is not used where the rules of a trash are public.

use std::path::PathBuf;

use super::failure;
use super::folder::Folder;
use crate::sync::ports::DiskError;
use crate::sync::tree::Stamp;

/// A file that is to go to the trash.
pub(super) struct Doomed<'a> {
    /// The folder that the file lies in.
    pub folder: &'a Folder,
    /// That folder's path.
    pub folder_path: PathBuf,
    /// The file's name.
    pub name: &'a std::ffi::OsStr,
    /// The stamp that the file must have; another file stays where it is.
    pub stamp: Stamp,
}

impl Doomed<'_> {
    pub fn check(&self) -> Result<super::item::Item, DiskError> {
        match self.folder.find(self.name).map_err(|error| failure::cause(&error))? {
            Some(item) if item.stamp == self.stamp && item.kind == super::item::Kind::File => Ok(item),
            _ => Err(DiskError::Changed),
        }
    }
}

/// Puts a file in the trash. `home` is the person's own trash.
#[cfg(any(windows, target_os = "macos"))]
pub(super) fn throw_away(doomed: &Doomed<'_>, _home: Option<&Path>) -> Result<(), DiskError> {
    doomed.check()?;
    trash::delete(doomed.folder_path.join(doomed.name)).map_err(|error| {
        tracing::warn!(%error, "the trash does not take a file");
        DiskError::Denied
    })
}

#[cfg(not(any(windows, target_os = "macos")))]
pub(super) use open::{throw_away, trashes_of};

#[cfg(not(any(windows, target_os = "macos")))]
mod open {
    use std::ffi::{OsStr, OsString};
    use std::fs::{DirBuilder, File, OpenOptions};
    use std::io::{self, Write as _};
    use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
    use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
    use std::path::{Path, PathBuf};

    use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

    use crate::sync::disk::failure;
    use crate::sync::disk::folder::Folder;
    use crate::sync::disk::trash::Doomed;
    use crate::sync::ports::DiskError;

    /// The longest name in a trash, in bytes: with a number and `.trashinfo` it has to fit a file system.
    const NAME_MAX_BYTES: usize = 230;
    const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

    /// A trash, and the folder that the paths in it are relative to.
    struct Trash {
        path: PathBuf,
        top: Option<PathBuf>,
    }

    /// What became of the file in one trash.
    enum Outcome {
        /// The trash has the file.
        Gone,
        /// The trash is on another file system than the file.
        Elsewhere,
        /// The file that arrived was not the one that was meant, and is back at its place.
        Changed,
    }

    /// Puts a file in the trash. `home` is the person's own trash.
    pub fn throw_away(doomed: &Doomed<'_>, home: Option<&Path>) -> Result<(), DiskError> {
        let device = doomed.check()?.device;
        let mut last = DiskError::Denied;
        let own = home.map(|path| Trash { path: path.to_owned(), top: None });
        for trash in own.into_iter().map(Ok).chain(std::iter::once_with(|| trash_of_disk(&doomed.folder_path))) {
            match trash.and_then(|trash| move_into(doomed, &trash, device)) {
                Ok(Outcome::Gone) => return Ok(()),
                Ok(Outcome::Changed) => return Err(DiskError::Changed),
                Ok(Outcome::Elsewhere) => {}
                Err(error) => {
                    tracing::warn!(%error, "a trash cannot be had");
                    // Looked at first, so that a missing file is told from a missing trash.
                    doomed.check()?;
                    last = match failure::cause(&error) {
                        DiskError::Full => DiskError::Full,
                        _ => DiskError::Denied,
                    };
                }
            }
        }
        Err(last)
    }

    /// The trashes that a file of a folder may be in, each with what the paths in it are relative to.
    pub fn trashes_of(folder: &Path, home: Option<&Path>) -> Vec<(PathBuf, Option<PathBuf>)> {
        let own = home.map(|path| (path.to_owned(), None));
        let disks = trash_of_disk(folder).ok().map(|trash| (trash.path, trash.top));
        own.into_iter().chain(disks).collect()
    }

    /// The trash at the top of the file system that a folder is on.
    fn trash_of_disk(folder: &Path) -> io::Result<Trash> {
        let device = std::fs::metadata(folder)?.dev();
        let is_on_it = |path: &&Path| std::fs::metadata(path).is_ok_and(|metadata| metadata.dev() == device);
        let top = folder.ancestors().take_while(is_on_it).last().unwrap_or(folder).to_owned();
        let user = rustix::process::getuid().as_raw();
        let shared = top.join(".Trash");
        // A trash for all users is used only when nobody can take out what another user put in.
        let is_safe =
            std::fs::symlink_metadata(&shared).is_ok_and(|metadata| metadata.is_dir() && metadata.mode() & 0o1000 != 0);
        let path = if is_safe { shared.join(user.to_string()) } else { top.join(format!(".Trash-{user}")) };
        Ok(Trash { path, top: Some(top) })
    }

    fn make(path: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)
    }

    fn move_into(doomed: &Doomed<'_>, trash: &Trash, device: u64) -> io::Result<Outcome> {
        let (files, info) = (trash.path.join("files"), trash.path.join("info"));
        make(&files)?;
        make(&info)?;
        let (files, info) = (Folder::open(&files)?, Folder::open(&info)?);
        if files.look_at_self()?.device != device {
            return Ok(Outcome::Elsewhere);
        }
        let note = describe(doomed, trash);
        for count in 1_u32.. {
            let name = name_in_trash(doomed.name, count);
            let note_name = OsString::from_vec([name.as_bytes(), b".trashinfo"].concat());
            match write_note(&trash.path.join("info").join(&note_name), &note) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                written => written?,
            }
            match doomed.folder.rename(doomed.name, &files, &name) {
                Ok(()) => {}
                Err(error) => {
                    info.remove_file(&note_name)?;
                    match error.kind() {
                        io::ErrorKind::AlreadyExists => continue,
                        io::ErrorKind::CrossesDevices => return Ok(Outcome::Elsewhere),
                        _ => return Err(error),
                    }
                }
            }
            // Between the look and the move someone may have written to the file, or put another in its place.
            if files.look(&name)?.stamp != doomed.stamp && files.rename(&name, doomed.folder, doomed.name).is_ok() {
                info.remove_file(&note_name)?;
                return Ok(Outcome::Changed);
            }
            info.sync()?;
            files.sync()?;
            doomed.folder.sync()?;
            return Ok(Outcome::Gone);
        }
        Ok(Outcome::Elsewhere)
    }

    fn name_in_trash(name: &OsStr, count: u32) -> OsString {
        let mut bytes = name.as_bytes();
        if bytes.len() > NAME_MAX_BYTES {
            let end = (0..=NAME_MAX_BYTES).rev().find(|end| bytes[*end] & 0xC0 != 0x80).unwrap_or(NAME_MAX_BYTES);
            bytes = &bytes[..end];
        }
        let number = if count == 1 { String::new() } else { format!(".{count}") };
        OsString::from_vec([bytes, number.as_bytes()].concat())
    }

    fn describe(doomed: &Doomed<'_>, trash: &Trash) -> String {
        let path = doomed.folder_path.join(doomed.name);
        let path = trash.top.as_ref().and_then(|top| path.strip_prefix(top).ok()).unwrap_or(&path);
        let path = percent_encode(path.as_os_str().as_bytes(), PLAIN);
        let now = jiff::Zoned::now().strftime("%Y-%m-%dT%H:%M:%S");
        format!("[Trash Info]\nPath={path}\nDeletionDate={now}\n")
    }

    fn write_note(path: &Path, note: &str) -> io::Result<()> {
        let mut file: File = OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(note.as_bytes())?;
        file.sync_all()
    }
}

/// The person's own trash.
pub(super) fn home() -> Option<PathBuf> {
    let data = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let data = data.or_else(|| Some(std::env::home_dir()?.join(".local/share")));
    Some(data?.join("Trash"))
}
