//! Which items of a watched folder are ignored: by Easel's own defaults, the person's patterns, and `.easelignore`
//! files.
//!
//! All patterns have the form of gitignore; git's own files and settings are not read. Of the patterns that match an
//! item the last one decides: first the defaults, then the `.easelignore` of the watched folder, then the person's
//! patterns, then each deeper `.easelignore` for the items below it; `!` takes an item back in. As in git, nothing is
//! taken back in below an ignored folder. Always true: whether an item is synced depends on its path alone, not on whether it is
//! there; so when an ignored file is deleted later, that is no deletion in the drive either. Not here: reading folders
//! (`disk`).

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::sync::tree;

/// The file whose patterns hold for its folder and below.
pub const FILE_NAME: &str = ".easelignore";
/// An `.easelignore` is read up to this size, in bytes.
pub const FILE_MAX_BYTES: u64 = 1 << 20;
/// The folder of fetched files that wait for their place. No pattern can take it in.
pub(crate) const INCOMING: &str = ".easel-incoming";
/// The folder's own trash, for files where no system trash could be had. No pattern can take it in.
pub const TRASH: &str = ".easel-trash";

/// The file in which macOS keeps a folder's picture. No pattern can name it, because its last character ends a line.
const FOLDER_PICTURE: &str = "Icon\r";

/// The default patterns, in the form of gitignore; upper and lower case are the same.
pub const DEFAULTS: &str = include_str!("ignored/defaults.gitignore");

static DEFAULT_MATCHER: LazyLock<Gitignore> = LazyLock::new(|| compile(DEFAULTS, true).0);

/// A line that is no pattern; the other lines of its text hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    /// The line's number, from 1.
    pub line: u64,
    /// The reason, in the parser's words.
    pub detail: String,
}

/// Whether an item is synced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inclusion {
    /// The item is synced.
    Taken,
    /// The item is ignored as a temporary, hidden, partial or lock file.
    ByDefault,
    /// The item is ignored because of a person's pattern.
    ByPattern {
        /// The pattern's line.
        pattern: String,
        /// The folder whose `.easelignore` has the pattern; `None` for the person's own patterns.
        folder: Option<String>,
    },
}

/// The patterns of one watched folder. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Rules {
    own: Arc<Gitignore>,
    /// The `.easelignore` files, by the folder that each lies in.
    files: Arc<BTreeMap<String, File>>,
}

/// An `.easelignore`.
#[derive(Debug, Clone)]
struct File {
    text: String,
    matcher: Gitignore,
}

/// Which lines of `text` are no patterns.
#[must_use]
pub fn check(text: &str) -> Vec<BadLine> {
    compile(text, false).1
}

impl Rules {
    /// The defaults and the person's own patterns, one a line. Lines that are no patterns do not count; see [`check`].
    #[must_use]
    pub fn new(own: &str) -> Self {
        Self { own: Arc::new(compile(own, false).0), files: Arc::default() }
    }

    /// Takes over the text of the `.easelignore` of `folder`; `None` where it has none. Returns whether that is a
    /// change.
    pub(crate) fn set_file(&mut self, folder: &str, text: Option<&str>) -> bool {
        if self.files.get(folder).map(|file| file.text.as_str()) == text {
            return false;
        }
        let files = Arc::make_mut(&mut self.files);
        match text {
            Some(text) => {
                files.insert(folder.to_owned(), File { matcher: compile(text, false).0, text: text.to_owned() });
            }
            None => {
                files.remove(folder);
            }
        }
        true
    }

    /// Forgets the `.easelignore` files of `folder` and below.
    pub(crate) fn forget_below(&mut self, folder: &str) {
        if self.files.keys().any(|path| path == folder || tree::is_below(path, folder)) {
            Arc::make_mut(&mut self.files).retain(|path, _| path != folder && !tree::is_below(path, folder));
        }
    }

    /// Whether the item at `path` is synced, if all folders above it are.
    #[must_use]
    pub fn judge(&self, path: &str, is_folder: bool) -> Inclusion {
        if path == INCOMING || path == TRASH || is_trash(path) {
            return Inclusion::ByDefault;
        }
        let by = |matched: Match<&ignore::gitignore::Glob>, folder: Option<&str>| match matched {
            Match::None => None,
            Match::Whitelist(_) => Some(Inclusion::Taken),
            Match::Ignore(glob) => {
                let pattern = glob.original().to_owned();
                Some(Inclusion::ByPattern { pattern, folder: folder.map(str::to_owned) })
            }
        };
        if !self.files.is_empty() {
            let mut folder = tree::parent(path);
            while !folder.is_empty() {
                if let Some(inclusion) = self
                    .files
                    .get(folder)
                    .and_then(|file| by(file.matcher.matched(&path[folder.len() + 1..], is_folder), Some(folder)))
                {
                    return inclusion;
                }
                folder = tree::parent(folder);
            }
        }
        let top = || self.files.get("").and_then(|file| by(file.matcher.matched(path, is_folder), Some("")));
        by(self.own.matched(path, is_folder), None).or_else(top).unwrap_or_else(|| {
            let name = tree::name(path);
            let is_left = name == FOLDER_PICTURE || DEFAULT_MATCHER.matched(name, is_folder).is_ignore();
            if is_left { Inclusion::ByDefault } else { Inclusion::Taken }
        })
    }

    /// Whether the item at `path` or a folder above it is ignored.
    #[must_use]
    pub fn is_ignored(&self, path: &str, is_folder: bool) -> bool {
        let above = path.match_indices('/').map(|(at, _)| (&path[..at], true));
        above.chain([(path, is_folder)]).any(|(path, is_folder)| self.judge(path, is_folder) != Inclusion::Taken)
    }
}

/// Whether the path is the trash of a whole disk that is watched, which lies on the disk itself. No pattern can take it
/// in.
fn is_trash(path: &str) -> bool {
    path.strip_prefix(".Trash").is_some_and(|rest| {
        let user = rest.strip_prefix('-');
        rest.is_empty() || user.is_some_and(|user| !user.is_empty() && user.bytes().all(|digit| digit.is_ascii_digit()))
    })
}

fn compile(text: &str, is_any_case: bool) -> (Gitignore, Vec<BadLine>) {
    let mut builder = GitignoreBuilder::new("");
    let mut bad = Vec::new();
    // The call always returns the builder, so its answer is of no use.
    let _ = builder.case_insensitive(is_any_case);
    for (at, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        if let Err(error) = builder.add_line(None, line) {
            bad.push(BadLine { line: at as u64 + 1, detail: error.to_string() });
        }
    }
    builder.build().map_or_else(
        |error| {
            // All patterns together are more than the matcher holds, so none of them can be used.
            let all = BadLine { line: 1, detail: error.to_string() };
            (Gitignore::empty(), vec![all])
        },
        |matcher| (matcher, bad),
    )
}

#[cfg(test)]
mod tests;
