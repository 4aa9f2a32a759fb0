//! A person at work in a folder, and a book of what was written and of what people took away themselves.
//!
//! Always true: every content is written once in the world; whatever a person removes or writes over is looked at after
//! it was taken out of the folder, so that the book also knows what an engine had put there a moment before.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use easel_tests::samples::{Noise, hash_bytes, hash_file};
use easel_tests::trees::{Item, read_disk_below};
use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};

/// What is known of every content, by its SHA-256.
#[derive(Debug, Default)]
pub struct Book {
    /// Where it was written first, in words.
    pub written: BTreeMap<String, String>,
    /// Taken away by a person, who therefore does not miss it.
    pub removed: BTreeSet<String>,
}

/// Names are few, so that people get in each other's way.
const FOLDERS: [&str; 6] = ["", "brief", "brief/old", "pictures", "pictures/raw", "Ünits"];
const NAMES: [&str; 7] = ["a.txt", "b.txt", "deck.pptx", "Logo.png", "logo.png", "naïve.md", "x (2).txt"];
/// A folder with more in it is not deleted whole: the engine would rightly stop and ask.
const MOST_DELETED: usize = 3;

/// Someone at work.
pub struct Person {
    name: &'static str,
    root: PathBuf,
    /// Beside the root on the same disk: what is removed goes through here.
    limbo: PathBuf,
    random: Noise,
    count: u64,
}

impl Person {
    pub fn new(name: &'static str, root: &Path, limbo: &Path, seed: u64) -> Self {
        fs::create_dir_all(limbo).expect("a folder");
        Self { name, root: root.to_owned(), limbo: limbo.to_owned(), random: Noise::new(seed), count: 0 }
    }

    /// Does one thing. What turns out to be impossible, because an engine was faster, is left undone.
    pub fn act(&mut self, book: &mut Book) {
        let folder = FOLDERS[self.choose(FOLDERS.len())];
        let folder = self.root.join(folder);
        let path = folder.join(NAMES[self.choose(NAMES.len())]);
        let existing = self.existing(false);
        match (self.choose(16), existing) {
            (0..=3, _) | (_, None) => self.write_new(&folder, &path, book),
            (4..=5, Some(file)) => self.append(&file, book),
            (6..=7, Some(file)) => self.save_over(&file, book),
            (8..=9, Some(file)) => self.rename(&file, &path),
            (10, Some(file)) => self.put_over(&file, &path, book),
            (11, Some(file)) => self.remove(&file, book),
            (12, Some(file)) => drop(fs::copy(&file, free_name(&path))),
            (13, _) => drop(fs::create_dir_all(&folder)),
            (14, _) => {
                if let Some(moved) = self.existing(true) {
                    self.rename(&moved, &folder.join(format!("moved {}", self.count)));
                }
            }
            (_, Some(_)) => {
                if let Some(folder) = self.existing(true)
                    && read_disk_below(&folder).len() <= MOST_DELETED
                {
                    self.remove(&folder, book);
                }
            }
        }
    }

    fn choose(&mut self, count: usize) -> usize {
        usize::try_from(self.random.draw() >> 33).expect("31 bits") % count
    }

    /// A file, or a folder, that is there.
    fn existing(&mut self, is_folder: bool) -> Option<PathBuf> {
        let tree = read_disk_below(&self.root);
        let paths: Vec<&String> =
            tree.iter().filter(|(_, item)| (**item == Item::Folder) == is_folder).map(|(path, _)| path).collect();
        if paths.is_empty() {
            return None;
        }
        let path = paths[self.choose(paths.len())];
        Some(self.root.join(path))
    }

    /// Bytes that nobody wrote before; now and then none at all.
    fn content(&mut self) -> Vec<u8> {
        self.count += 1;
        let size = self.choose(40_000);
        let mut content = format!("{} {} ", self.name, self.count).into_bytes();
        content.resize(content.len() + size, b'.');
        content
    }

    fn note(&self, content: &[u8], path: &Path, book: &mut Book) {
        let words = format!("{} no. {} at {}", self.name, self.count, path.display());
        book.written.insert(hash_bytes(content), words);
    }

    fn write_new(&mut self, folder: &Path, path: &Path, book: &mut Book) {
        if fs::create_dir_all(folder).is_err() {
            return;
        }
        let Ok(mut file) = File::create_new(path) else { return };
        let content = self.content();
        if file.write_all(&content).is_ok() {
            self.note(&content, path, book);
        }
    }

    /// Through the file itself, as an editor that does not make a new one.
    fn append(&mut self, path: &Path, book: &mut Book) {
        let Ok(mut file) = OpenOptions::new().read(true).append(true).open(path) else { return };
        let mut content = Vec::new();
        if file.read_to_end(&mut content).is_err() {
            return;
        }
        let before = hash_bytes(&content);
        let more = self.content();
        if file.write_all(&more).is_ok() {
            content.extend(more);
            self.note(&content, path, book);
            book.removed.insert(before);
        }
    }

    /// Writes a temporary file and puts it in the place of the old one, as most editors do.
    fn save_over(&mut self, path: &Path, book: &mut Book) {
        let content = self.content();
        let temporary = path.with_file_name(format!(".saving {}.tmp", self.count));
        if fs::write(&temporary, &content).is_err() {
            return;
        }
        if self.exchange(&temporary, path, book) {
            self.note(&content, path, book);
        }
    }

    /// `mv` over another file.
    fn put_over(&mut self, from: &Path, to: &Path, book: &mut Book) {
        if from != to && to.is_file() {
            self.exchange(from, to, book);
        }
    }

    /// Exchanges two files and takes away what is then at `from`, which is what was at `to` to the very last moment.
    fn exchange(&mut self, from: &Path, to: &Path, book: &mut Book) -> bool {
        let is_exchanged = rename(from, to, RenameFlags::RENAME_EXCHANGE);
        self.remove(from, book);
        is_exchanged
    }

    fn rename(&mut self, from: &Path, to: &Path) {
        if to.starts_with(from) || to.parent().is_none_or(|folder| !folder.is_dir()) {
            return;
        }
        rename(from, to, RenameFlags::RENAME_NOREPLACE);
    }

    fn remove(&mut self, path: &Path, book: &mut Book) {
        self.count += 1;
        let gone = self.limbo.join(format!("{} {}", self.name, self.count));
        if fs::rename(path, &gone).is_err() {
            return;
        }
        if gone.is_file() {
            book.removed.insert(hash_file(&gone));
        } else {
            book.removed.extend(read_disk_below(&gone).values().filter_map(Item::content).map(str::to_owned));
        }
    }
}

fn rename(from: &Path, to: &Path, flags: RenameFlags) -> bool {
    renameat2(AT_FDCWD, from, AT_FDCWD, to, flags).is_ok()
}

fn free_name(path: &Path) -> PathBuf {
    let mut free = path.to_owned();
    for number in 2.. {
        if !free.exists() {
            break;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        free = path.with_file_name(format!("copy {number} of {name}"));
    }
    free
}
