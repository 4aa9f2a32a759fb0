//! Reads the watched folder, whole or only the folders that may have changed.
//!
//! Always true: links are not followed and other file systems not entered; a folder that cannot be listed, or whose
//! `.easelignore` cannot be read, is unreadable as a whole, so that nothing is concluded from the items it does not
//! show; a folder is watched before it is read, so that no change falls between the two. Blocking.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::sync::atomic::{AtomicBool, Ordering};

use super::failure::is_gone;
use super::folder::Folder;
use super::item::Kind;
use super::packed::Packer;
use super::seen::{Entry, Ignored, Read, Snapshot};
use super::{Dirty, Observer};
use crate::shared::planted::{Mutant, Planted};
use crate::sync::ignored::{FILE_MAX_BYTES, FILE_NAME, INCOMING, Inclusion, TRASH};
use crate::sync::tree::{self, Skipped};

/// The size of the buffer for names, in bytes, of one system call.
const NAMES_BYTES: usize = 64 * 1024;

/// Why a walk ended early. What it has read by then stays.
#[derive(Debug)]
pub(super) enum WalkError {
    /// Nobody waits for the walk any more.
    Stopped,
    /// The watched folder itself cannot be listed.
    Root(io::Error),
}

/// See the module.
pub(super) struct Walk<'a> {
    root: &'a Folder,
    device: u64,
    seen: &'a mut Snapshot,
    observer: Option<&'a dyn Observer>,
    stop: &'a AtomicBool,
    /// See [`Walk::judge_stillness_at`].
    now_us: Option<i64>,
    buffer: Vec<u8>,
    /// Names in the folder that is being read, one after another; `spans` holds where each lies.
    names: String,
    spans: Vec<(usize, usize)>,
    /// The items of that folder.
    packer: Packer,
    /// Folders that were listed and could not be found.
    lost: BTreeSet<String>,
    /// Whether the watched folder itself was read.
    has_read_top: bool,
    planted: Planted,
}

impl<'a> Walk<'a> {
    /// A new walk. `device` is the file system of `root`.
    pub fn new(
        root: &'a Folder,
        device: u64,
        seen: &'a mut Snapshot,
        observer: Option<&'a dyn Observer>,
        stop: &'a AtomicBool,
    ) -> Self {
        let buffer = Vec::with_capacity(NAMES_BYTES);
        Self {
            root,
            device,
            seen,
            observer,
            stop,
            now_us: None,
            buffer,
            names: String::new(),
            spans: Vec::new(),
            packer: Packer::default(),
            lost: BTreeSet::new(),
            has_read_top: false,
            planted: Planted::default(),
        }
    }

    /// See [`Planted`].
    pub fn plant(mut self, planted: Planted) -> Self {
        self.planted = planted;
        self.seen.keeps_inside = planted.is(Mutant::KeepsTheInside);
        self
    }

    /// Lets the file system's own times tell for how long a file has stood still, at a moment before the walk begins,
    /// in microseconds since the epoch.
    pub fn judge_stillness_at(mut self, now_us: Option<i64>) -> Self {
        self.now_us = now_us;
        self
    }

    /// Reads the folders that are dirty.
    pub fn run(mut self, dirty: &Dirty) -> Result<(), WalkError> {
        let mut pending: Vec<(String, bool)> = match dirty {
            Dirty::Everything => vec![(String::new(), true)],
            Dirty::Folders(folders) => {
                // A folder that was never read comes with the nearest folder above it that was.
                let known = folders.iter().map(|folder| {
                    let mut above = [folder.as_str()].into_iter().chain(tree::above(folder));
                    above.find(|folder| self.seen.knows(folder)).unwrap_or_default().to_owned()
                });
                known.collect::<BTreeSet<_>>().into_iter().map(|folder| (folder, false)).collect()
            }
        };
        while let Some((path, is_deep)) = pending.pop() {
            if self.stop.load(Ordering::Relaxed) {
                return Err(WalkError::Stopped);
            }
            self.renew(path, is_deep, &mut pending)?;
        }
        Ok(())
    }

    fn renew(&mut self, path: String, is_deep: bool, pending: &mut Vec<(String, bool)>) -> Result<(), WalkError> {
        if let Some(observer) = self.observer.filter(|_| is_deep || !self.seen.knows(&path)) {
            observer.enter(&path);
        }
        let read = self.root.open_below(&path).and_then(|folder| self.read(&folder, &path, is_deep));
        let is_again = path.is_empty() && std::mem::replace(&mut self.has_read_top, true);
        match read {
            Ok((_, is_deep)) if is_again && self.planted.is(Mutant::ForgetsTheTop) => {
                self.seen.take(&path, Read::default(), is_deep);
            }
            Ok((read, is_deep)) => {
                let below = self.seen.take(&path, read, is_deep);
                if !self.planted.is(Mutant::SkipsNewFolders) || is_deep {
                    pending.extend(below.read.into_iter().map(|folder| (folder, true)));
                }
            }
            Err(error) if path.is_empty() => return Err(WalkError::Root(error)),
            Err(error) if is_gone(&error) && self.lost.insert(path.clone()) => {
                // The subfolder went after its parent was read, or the parent is not known to have changed. The parent
                // is read again only once: a disk that lists an item which it cannot find would be read for ever.
                self.seen.forget(&path);
                pending.push((tree::parent(&path).to_owned(), false));
            }
            // The parent was read again, and does not have the folder any more.
            Err(error)
                if is_gone(&error)
                    && self.seen.find(&path).is_none()
                    && !self.planted.is(Mutant::TakesGoneForUnreadable) => {}
            Err(error) => {
                tracing::info!(folder = path, %error, "a folder cannot be read");
                self.seen.forget(&path);
                self.seen.unreadable.insert(path);
            }
        }
        Ok(())
    }

    /// Reads one folder, and says whether all folders below it are to be read anew.
    fn read(&mut self, folder: &Folder, path: &str, is_deep: bool) -> io::Result<(Read, bool)> {
        self.names.clear();
        self.spans.clear();
        self.packer.clear();
        let (names, spans) = (&mut self.names, &mut self.spans);
        let mut no_text = Vec::new();
        folder.for_each_name(&mut self.buffer, |name| match name.to_str() {
            Some(text) => {
                let start = names.len();
                names.push_str(text);
                spans.push((start, names.len()));
            }
            None => no_text.push(name.to_string_lossy().into_owned()),
        })?;
        spans.sort_unstable_by(|a, b| names[a.0..a.1].cmp(&names[b.0..b.1]));
        let has_patterns = spans.iter().any(|(start, end)| &names[*start..*end] == FILE_NAME);
        let patterns = if has_patterns { read_patterns(folder)? } else { None };
        let is_deep = self.seen.rules.set_file(path, patterns.as_deref()) || is_deep;

        self.seen.forget_left_out(path);
        for name in no_text {
            self.seen.skipped.insert(tree::join(path, &name), Skipped::NameNotText);
        }
        let mut read = Read::default();
        let mut at = if path.is_empty() { String::new() } else { format!("{path}/") };
        let above = at.len();
        for (start, end) in &self.spans {
            let text = &self.names[*start..*end];
            let mut item = match folder.look(OsStr::new(text)) {
                Ok(item) => item,
                Err(error) if is_gone(&error) => continue,
                Err(error) => return Err(error),
            };
            if self.planted.is(Mutant::IgnoresChangeTime) {
                item.changed_us = None;
            }
            at.truncate(above);
            at.push_str(text);
            match self.seen.rules.judge(&at, item.kind == Kind::Folder) {
                Inclusion::Taken => {}
                Inclusion::ByDefault => {
                    read.ignored_by_default += 1;
                    if at != INCOMING && at != TRASH {
                        self.seen.ignore(&at, Ignored::ByDefault);
                    }
                    continue;
                }
                Inclusion::ByPattern { pattern, folder } => {
                    read.ignored_by_pattern += 1;
                    self.seen.ignore(&at, Ignored::ByPattern { pattern, folder });
                    continue;
                }
            }
            match item.kind {
                Kind::File if !item.is_mounted => {
                    self.packer.push(text, &Entry::of(&item, item.still_ms(self.now_us)));
                }
                Kind::Folder if !item.is_mounted && item.device == self.device => {
                    self.packer.push(text, &Entry::of(&item, 0));
                }
                Kind::SymbolicLink => {
                    self.seen.skipped.insert(at.clone(), Skipped::SymbolicLink);
                }
                _ => {
                    self.seen.skipped.insert(at.clone(), Skipped::Special);
                }
            }
        }
        read.items = self.packer.pack();
        Ok((read, is_deep))
    }
}

/// The patterns in the folder's `.easelignore`; `None` where it is no file, or too long for a person to have written
/// it.
fn read_patterns(folder: &Folder) -> io::Result<Option<String>> {
    let file = match folder.open_file(OsStr::new(FILE_NAME)) {
        Ok(file) => file,
        Err(error) if is_gone(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() > FILE_MAX_BYTES {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.take(FILE_MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}
