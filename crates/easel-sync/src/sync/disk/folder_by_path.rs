//! Folders on systems without calls relative to an open folder: by path, after a look at each name on the way.
//!
//! The promises of `folder` hold as long as nobody puts a link in the way between the look and the change. Nobody has
//! run this on Windows yet.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::item::{Item, Kind, Node};
use crate::shared::clock::to_micros;
use crate::sync::tree::{self, Stamp};

/// A folder that was there when it was opened.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Opens a folder anywhere.
    pub fn open(path: &Path) -> io::Result<Self> {
        if !fs::metadata(path)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        fs::read_dir(path)?;
        Ok(Self { path: path.to_owned() })
    }

    /// Opens the folder at `path` below this one; the empty path is this one again.
    pub fn open_below(&self, path: &str) -> io::Result<Self> {
        let mut at = self.path.clone();
        for name in path.split('/').filter(|name| !name.is_empty()) {
            at.push(name);
            // A link is no folder.
            if !fs::symlink_metadata(&at)?.is_dir() {
                return Err(io::ErrorKind::NotADirectory.into());
            }
        }
        Ok(Self { path: at })
    }

    /// What this folder is itself.
    pub fn look_at_self(&self) -> io::Result<Item> {
        look(&self.path)
    }

    /// The item at `name`.
    pub fn look(&self, name: &OsStr) -> io::Result<Item> {
        look(&self.path.join(name))
    }

    /// The item at `name`; `None` when nothing is there.
    pub fn find(&self, name: &OsStr) -> io::Result<Option<Item>> {
        match self.look(name) {
            Ok(item) => Ok(Some(item)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Opens the file `name` to read it.
    pub fn open_file(&self, name: &OsStr) -> io::Result<File> {
        let path = self.path.join(name);
        // An item that is no file is neither followed nor waited for.
        if !fs::symlink_metadata(&path)?.is_file() {
            return Err(io::ErrorKind::NotFound.into());
        }
        File::open(path)
    }

    /// The names of the items in the folder, in the file system's order.
    pub fn for_each_name(&self, _buffer: &mut Vec<u8>, mut with: impl FnMut(&OsStr)) -> io::Result<()> {
        for entry in fs::read_dir(&self.path)? {
            with(&entry?.file_name());
        }
        Ok(())
    }

    /// Makes a folder in this one and returns it as an item.
    pub fn make_folder(&self, name: &OsStr) -> io::Result<Item> {
        fs::create_dir(self.path.join(name))?;
        self.look(name)
    }

    /// Makes a folder in this one, or takes one that is there, and opens it. The folder above decides who may look into
    /// it.
    pub fn make_private_folder(&self, name: &OsStr) -> io::Result<Self> {
        match fs::create_dir(self.path.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => self.open_below(&name.to_string_lossy()),
        }
    }

    /// Removes an empty folder in this one.
    pub fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_dir(self.path.join(name))
    }

    /// Removes a file in this folder, for good.
    pub fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_file(self.path.join(name))
    }

    /// Moves or renames an item, never over another: a file is linked under its second name, which fails where the name
    /// is taken, and a folder never replaces another.
    pub fn rename(&self, from: &OsStr, into: &Self, to: &OsStr) -> io::Result<()> {
        let moved = self.look(from)?;
        let (old, new) = (self.path.join(from), into.path.join(to));
        if let Some(there) = into.find(to)? {
            // Where upper and lower case are the same, a file stands in its own way when only its case changes.
            if there.stamp.identity != moved.stamp.identity || from == to {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            return fs::rename(old, new);
        }
        if moved.kind == Kind::File && fs::hard_link(&old, &new).is_ok() {
            return fs::remove_file(old);
        }
        fs::rename(old, new)
    }

    /// These systems keep names by themselves: there is nothing to sync.
    #[expect(clippy::unnecessary_wraps, clippy::unused_self, reason = "elsewhere it can fail")]
    pub const fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

/// The folder and the name of a path below `root`.
pub(super) fn split<'a>(root: &Folder, path: &'a str) -> io::Result<(Folder, &'a OsStr)> {
    Ok((root.open_below(tree::parent(path))?, OsStr::new(tree::name(path))))
}

/// An open file as an item. Its identity is the one that its path had, because these systems do not tell an open
/// file's.
pub(super) fn look_at_file(file: &File, as_found: Stamp) -> io::Result<Item> {
    Ok(describe(&file.metadata()?, Node::default(), as_found.identity))
}

fn look(path: &Path) -> io::Result<Item> {
    let metadata = fs::symlink_metadata(path)?;
    let node = if metadata.is_symlink() { Node::default() } else { node_of(path, &metadata)? };
    Ok(describe(&metadata, node, node.identity()))
}

/// The file system's number for the item, and its birth time in microseconds.
fn node_of(path: &Path, metadata: &Metadata) -> io::Result<Node> {
    let inode = match file_id::get_file_id(path)? {
        file_id::FileId::Inode { inode_number, .. } => inode_number,
        file_id::FileId::LowRes { file_index, .. } => file_index,
        file_id::FileId::HighRes { file_id, .. } => (file_id as u64) ^ ((file_id >> 64) as u64),
    };
    Ok(Node { inode, born_s: metadata.created().map_or(0, to_micros), born_ns: 0 })
}

fn describe(metadata: &Metadata, node: Node, identity: u64) -> Item {
    let kind = match metadata.file_type() {
        kind if kind.is_symlink() => Kind::SymbolicLink,
        kind if kind.is_dir() => Kind::Folder,
        kind if kind.is_file() => Kind::File,
        _ => Kind::Device,
    };
    let modified_us = metadata.modified().map_or(0, to_micros);
    let stamp = Stamp { size_bytes: metadata.len(), modified_us, identity };
    // A folder where another disk is mounted is a link on these systems.
    Item { kind, stamp, node, changed_us: None, device: 0, is_mounted: false }
}
