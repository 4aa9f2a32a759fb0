//! Real files in a folder that goes when the test ends.

mod effects;
mod looks;
mod trashed;

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::sync::tree::LocalFile;

struct Place {
    /// Holds everything: the watched folder, a trash, and what is outside.
    base: TempDir,
    root: PathBuf,
    disk: LocalDisk,
}

impl Place {
    fn new() -> Self {
        Self::with_patterns("")
    }

    fn with_patterns(ignore: &str) -> Self {
        let base = tempfile::tempdir().expect("a folder");
        let root = base.path().canonicalize().expect("the folder").join("watched");
        fs::create_dir(&root).expect("the watched folder");
        let settings = DiskSettings {
            ignore: ignore.to_owned(),
            identity: None,
            home_trash: Some(base.path().join("data/Trash")),
            planted: Planted::default(),
        };
        let disk = LocalDisk::open(&root, settings).expect("the disk");
        Self { base, root, disk }
    }

    fn write(&self, path: &str, content: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("a folder above")).expect("the folder");
        fs::write(path, content).expect("the file");
    }

    fn stamp(&self, path: &str) -> Stamp {
        let root = Folder::open(&self.root).expect("the folder");
        let (folder, name) = folder::split(&root, path).expect("the folder of the file");
        folder.look(name).expect("the file").stamp
    }

    fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.root.join(path)).ok()
    }

    /// Everything, as of now.
    fn whole(&self) -> (u64, Local) {
        self.disk.mark(Dirty::Everything);
        match self.look(None) {
            DiskSeen { cursor, local: LocalSeen::Whole(local) } => (cursor, local),
            changes => panic!("asked for everything, got {changes:?}"),
        }
    }

    fn look(&self, since: Option<u64>) -> DiskSeen {
        self.disk.inner.look_around(since, usize::MAX, &AtomicBool::new(false)).expect("a look")
    }

    /// What changed, with a `-` for what is gone, and the cursor that stands for it.
    fn changes(&self, since: u64) -> (u64, Vec<String>) {
        match self.look(Some(since)) {
            DiskSeen { cursor, local: LocalSeen::Changes { items, .. } } => {
                let names =
                    items.into_iter().map(|(path, item)| if item.is_some() { path } else { format!("-{path}") });
                (cursor, names.collect())
            }
            whole @ DiskSeen { .. } => panic!("asked for changes, got {whole:?}"),
        }
    }

    fn in_trash(&self) -> Vec<(String, String)> {
        let files = self.base.path().join("data/Trash/files");
        let Ok(files) = fs::read_dir(files) else { return Vec::new() };
        let mut found: Vec<_> = files
            .map(|file| {
                let file = file.expect("an entry");
                let content = fs::read_to_string(file.path()).expect("a file");
                (file.file_name().into_string().expect("a name"), content)
            })
            .collect();
        found.sort();
        found
    }
}

fn paths(local: &Local) -> Vec<&str> {
    local.items.keys().map(String::as_str).collect()
}

fn as_file(item: Option<LocalItem>) -> Option<LocalFile> {
    match item {
        Some(LocalItem::File(file)) => Some(file),
        _ => None,
    }
}
