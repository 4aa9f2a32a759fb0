//! Folders that are held open: always below the watched folder, and never opened through a link.
//!
//! Always true: an item is changed through the open folder that it lies in, so that changes to the path meanwhile lead
//! nowhere else. Nothing is held open between two calls, so that a disk can be unmounted.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use rustix::io::Errno;
use rustix::path::Arg;

use super::item::{Item, Kind, Node};
use crate::sync::tree::{self, Stamp};

/// Flags to open a folder with: to list it, without blocking, and not through a link.
const OPEN: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC).union(OFlags::NOFOLLOW);

/// An open folder.
#[derive(Debug)]
pub(super) struct Folder {
    held: OwnedFd,
}

impl AsFd for Folder {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.held.as_fd()
    }
}

impl Folder {
    /// Opens a folder anywhere.
    pub fn open(path: &Path) -> io::Result<Self> {
        // The watched folder's own path may be a link, because the person chose it.
        let held = rustix::fs::openat(CWD, path, OPEN.difference(OFlags::NOFOLLOW), Mode::empty())?;
        Ok(Self { held })
    }

    /// Opens the folder at `path` below this one; the empty path is this one again.
    pub fn open_below(&self, path: &str) -> io::Result<Self> {
        if path.is_empty() {
            // Opened anew: duplicates of a descriptor share their position in the list of names, so a second reading
            // would get none.
            return self.step(".");
        }
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::ResolveFlags;
            // What is mounted below is not refused here: the walk leaves it out, and can say so.
            let how = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
            match rustix::fs::openat2(&self.held, path, OPEN, Mode::empty(), how) {
                Ok(held) => return Ok(Self { held }),
                // Causes: an old system, a sandbox that does not know the call, or a path that is too long for one
                // call.
                Err(Errno::NOSYS | Errno::PERM | Errno::NAMETOOLONG | Errno::AGAIN) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let mut steps = path.split('/');
        let mut at = self.step(steps.next().unwrap_or_default())?;
        for name in steps {
            at = at.step(name)?;
        }
        Ok(at)
    }

    fn step(&self, name: &str) -> io::Result<Self> {
        Ok(Self { held: rustix::fs::openat(&self.held, name, OPEN, Mode::empty())? })
    }

    /// What this folder is itself.
    pub fn look_at_self(&self) -> io::Result<Item> {
        look(self, c"")
    }

    /// The item at `name`.
    pub fn look(&self, name: &OsStr) -> io::Result<Item> {
        look(self, name)
    }

    /// The item at `name`; `None` when nothing is there.
    pub fn find(&self, name: &OsStr) -> io::Result<Option<Item>> {
        match look(self, name) {
            Ok(item) => Ok(Some(item)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Opens the file `name` to read it. Never blocks: an item that is no file by now is refused.
    pub fn open_file(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        Ok(File::from(rustix::fs::openat(&self.held, name, flags, Mode::empty())?))
    }

    /// The names of the items in the folder, in the file system's order, without `.` and `..`.
    #[cfg(target_os = "linux")]
    pub fn for_each_name(&self, buffer: &mut Vec<u8>, mut with: impl FnMut(&OsStr)) -> io::Result<()> {
        buffer.clear();
        let mut entries = rustix::fs::RawDir::new(&self.held, buffer.spare_capacity_mut());
        while let Some(entry) = entries.next() {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                with(OsStr::from_bytes(name));
            }
        }
        Ok(())
    }

    /// The names of the items in the folder, in the file system's order, without `.` and `..`.
    #[cfg(not(target_os = "linux"))]
    pub fn for_each_name(&self, _buffer: &mut Vec<u8>, mut with: impl FnMut(&OsStr)) -> io::Result<()> {
        for entry in rustix::fs::Dir::read_from(&self.held)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                with(OsStr::from_bytes(name));
            }
        }
        Ok(())
    }

    /// Makes a folder in this one and returns it as an item.
    pub fn make_folder(&self, name: &OsStr) -> io::Result<Item> {
        // The person's umask takes away the rights that they do not want to give.
        rustix::fs::mkdirat(&self.held, name, Mode::from_raw_mode(0o777))?;
        self.look(name)
    }

    /// Makes a folder in this one that its owner alone can look into, and opens it. A folder that is there already is
    /// made private.
    pub fn make_private_folder(&self, name: &OsStr) -> io::Result<Self> {
        let private = Mode::from_raw_mode(0o700);
        match rustix::fs::mkdirat(&self.held, name, private) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        let folder = self.open_below(&name.to_string_lossy())?;
        if rustix::fs::fstat(&folder.held)?.st_mode & 0o077 != 0 {
            // Where this process may not change rights, or the disk has none, the folder keeps the rights it has.
            let _ = rustix::fs::fchmod(&folder.held, private);
        }
        Ok(folder)
    }

    /// The rights that a new file in this folder gets, after the person's umask.
    pub fn rights_of_new_files(&self) -> io::Result<u32> {
        let name = format!(".rights-{}", uuid::Uuid::new_v4());
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let made = rustix::fs::openat(&self.held, name.as_str(), flags, Mode::from_raw_mode(0o666))?;
        let rights = rustix::fs::fstat(&made).map(|seen| seen.st_mode & 0o777);
        self.remove_file(OsStr::new(&name))?;
        Ok(rights?)
    }

    /// Removes an empty folder in this one.
    pub fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.held, name, AtFlags::REMOVEDIR)?)
    }

    /// Removes a file in this folder, for good.
    pub fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.held, name, AtFlags::empty())?)
    }

    /// Moves or renames an item, never over another.
    pub fn rename(&self, from: &OsStr, into: &Self, to: &OsStr) -> io::Result<()> {
        let moved = look(self, from)?;
        match rename_no_replace(self, from, into, to) {
            Err(Errno::EXIST) => {
                // On a disk that does not tell upper from lower case, a file stands in its own way when only its case
                // changes.
                let there = look(into, to)?;
                if there.stamp.identity != moved.stamp.identity || from == to {
                    return Err(Errno::EXIST.into());
                }
                Ok(rustix::fs::renameat(&self.held, from, &into.held, to)?)
            }
            // This file system cannot rename without replacing. A hard link is refused where the name is taken, so a
            // file is safe. Before a folder is renamed, the name is looked at; between the look and the rename, the
            // folder could replace an empty one at most.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                if into.find(to)?.is_some() {
                    return Err(Errno::EXIST.into());
                }
                if moved.kind == Kind::File
                    && rustix::fs::linkat(&self.held, from, &into.held, to, AtFlags::empty()).is_ok()
                {
                    return self.remove_file(from);
                }
                Ok(rustix::fs::renameat(&self.held, from, &into.held, to)?)
            }
            done => Ok(done?),
        }
    }

    /// Makes changes in this folder survive a power cut.
    pub fn sync(&self) -> io::Result<()> {
        match rustix::fs::fsync(&self.held) {
            // Some file systems cannot sync folders.
            Ok(()) | Err(Errno::INVAL | Errno::NOTSUP | Errno::BADF) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn rename_no_replace(from: &Folder, name: &OsStr, into: &Folder, to: &OsStr) -> rustix::io::Result<()> {
    rustix::fs::renameat_with(from, name, into, to, rustix::fs::RenameFlags::NOREPLACE)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn rename_no_replace(_from: &Folder, _name: &OsStr, _into: &Folder, _to: &OsStr) -> rustix::io::Result<()> {
    Err(Errno::NOSYS)
}

/// The open folder and the name of a path below `root`.
pub(super) fn split<'a>(root: &Folder, path: &'a str) -> io::Result<(Folder, &'a OsStr)> {
    Ok((root.open_below(tree::parent(path))?, OsStr::new(tree::name(path))))
}

const fn to_us(seconds: i64, nanoseconds: u32) -> i64 {
    seconds.saturating_mul(1_000_000).saturating_add((nanoseconds / 1_000) as i64)
}

/// What is at `name` in the folder; a link itself, not what it points to. An empty name is the folder. One `statx`
/// tells everything, the birth time and whether something is mounted there included.
#[cfg(target_os = "linux")]
fn look(folder: impl AsFd, name: impl Arg) -> io::Result<Item> {
    use rustix::fs::{StatxAttributes, StatxFlags};
    let times = StatxFlags::MTIME | StatxFlags::CTIME | StatxFlags::BTIME;
    let wanted = StatxFlags::TYPE | StatxFlags::SIZE | StatxFlags::INO | times;
    let seen = rustix::fs::statx(folder, name, AtFlags::SYMLINK_NOFOLLOW | AtFlags::EMPTY_PATH, wanted)?;
    // A file system that keeps no birth time tells nought.
    let node = Node { inode: seen.stx_ino, born_s: seen.stx_btime.tv_sec, born_ns: seen.stx_btime.tv_nsec };
    Ok(Item {
        kind: kind_of(u32::from(seen.stx_mode)),
        stamp: Stamp {
            size_bytes: seen.stx_size,
            modified_us: to_us(seen.stx_mtime.tv_sec, seen.stx_mtime.tv_nsec),
            identity: node.identity(),
        },
        node,
        changed_us: Some(to_us(seen.stx_ctime.tv_sec, seen.stx_ctime.tv_nsec)),
        device: (u64::from(seen.stx_dev_major) << 32) | u64::from(seen.stx_dev_minor),
        is_mounted: seen.stx_attributes.contains(StatxAttributes::MOUNT_ROOT),
    })
}

/// What is at `name` in the folder; a link itself, not what it points to. An empty name is the folder.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::cast_lossless, clippy::cast_sign_loss, clippy::unnecessary_cast, reason = "the systems' types differ")]
fn look(folder: impl AsFd, name: impl Arg) -> io::Result<Item> {
    let name = name.into_c_str()?;
    let seen = if name.is_empty() {
        rustix::fs::fstat(folder)?
    } else {
        rustix::fs::statat(folder, &*name, AtFlags::SYMLINK_NOFOLLOW)?
    };
    #[cfg(any(target_os = "macos", target_os = "ios"))]
    let born = (seen.st_birthtime as i64, seen.st_birthtime_nsec as u32);
    #[cfg(not(any(target_os = "macos", target_os = "ios")))]
    let born = (0, 0);
    let node = Node { inode: seen.st_ino as u64, born_s: born.0, born_ns: born.1 };
    Ok(Item {
        kind: kind_of(seen.st_mode as u32),
        stamp: Stamp {
            size_bytes: seen.st_size as u64,
            modified_us: to_us(seen.st_mtime as i64, seen.st_mtime_nsec as u32),
            identity: node.identity(),
        },
        node,
        changed_us: Some(to_us(seen.st_ctime as i64, seen.st_ctime_nsec as u32)),
        device: seen.st_dev as u64,
        is_mounted: false,
    })
}

fn kind_of(mode: u32) -> Kind {
    use rustix::fs::FileType;
    match FileType::from_raw_mode(mode) {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Folder,
        FileType::Symlink => Kind::SymbolicLink,
        FileType::Socket => Kind::Socket,
        FileType::Fifo => Kind::Pipe,
        _ => Kind::Device,
    }
}

/// An open file as an item. (Systems that do not tell an open file's identity use the one that its path had.)
pub(super) fn look_at_file(file: &File, _as_found: Stamp) -> io::Result<Item> {
    look(file, c"")
}
