//! Which paths of a drive folder hold the same content: the service stores one file for one content, so the others are
//! told of in a small hidden file of the drive folder, the list of copies, which every computer reads and writes.
//!
//! A path's word in it is numbered, and of two words the higher number holds; so two lists that were written at once are
//! joined, in any order and any number of times, to the same one. Always true: what is missing in a list says nothing; only
//! a word that a copy is gone does. So a list that a person deletes deletes no file: who knows a copy writes it down again.
//! Where two wrote the same number, a copy goes before its being gone. Not here: when it is read and written (`engine`),
//! what follows from it (`plan`).

use std::collections::BTreeMap;

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use easel_wire::FolderId;
use serde::{Deserialize, Serialize};

use crate::plan::names;
use crate::tree::{ContentHash, Place};

/// The name of the list in the drive. No local file of this name is ever sent.
pub const NAME: &str = ".easel-copies.json";
/// Lists above this size, in bytes, are not read.
pub const MAX_BYTES: u64 = 32 << 20;

/// What is written at the head of a list.
const MARK: &str = "copies";
/// The newest form that is understood.
const VERSION: u32 = 1;

/// What a copy holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Held {
    /// Its content.
    pub hash: ContentHash,
    /// Its size in bytes.
    pub size_bytes: u64,
}

/// What is said of a place. Ordered: of two words with the same number the greater one holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Says {
    /// The copy is gone.
    Gone,
    /// A file of its own is about to come there; until it is there, the copy stays where it is.
    Replaced,
    /// A copy.
    Holds(Held),
}

impl Says {
    /// The copy.
    #[must_use]
    pub const fn held(self) -> Option<Held> {
        match self {
            Self::Holds(held) => Some(held),
            Self::Gone | Self::Replaced => None,
        }
    }
}

/// The last word on a place. Ordered: the greater one holds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Word {
    /// One more than that of the word which it was said in knowledge of.
    pub at: u64,
    /// What it says.
    pub says: Says,
    /// The name as it is written; the place is compared as the drive compares names.
    pub name: String,
    /// The day on which a copy ended, such as `2026-11-20`; empty for what is there.
    pub ended_on: String,
}

/// The words on all places.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Copies {
    words: BTreeMap<(FolderId, String), Word>,
    /// How often the lists that this comes from were written, so that no two of them are the same bytes by chance.
    serial: u64,
}

/// Why a list says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread {
    /// It is no list of copies, or not whole.
    Damaged,
    /// A newer Easel wrote it in a form that this one does not know.
    Newer,
}

/// A list as it stands in the drive.
#[derive(Serialize, Deserialize)]
struct Written {
    easel: String,
    version: u32,
    #[serde(default)]
    serial: u64,
    /// The drive folder that it is of. Without it, the lists of two folders could be one content.
    folder: FolderId,
    #[serde(default)]
    copies: Vec<Line>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    folder: FolderId,
    name: String,
    at: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gone: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    replaced: Option<String>,
}

/// Whether a drive file of this name is a list, also where the drive gave it a number.
#[must_use]
pub fn is_list(name: &str) -> bool {
    name.starts_with('.') && names::is_numbered(name, NAME)
}

fn key(place: &Place) -> (FolderId, String) {
    (place.folder, names::key(&place.name))
}

impl Copies {
    /// The last word on a place.
    #[must_use]
    pub fn word(&self, place: &Place) -> Option<&Word> {
        self.words.get(&key(place))
    }

    /// Makes the next list another one than it would have been.
    pub const fn skip(&mut self) {
        self.serial += 1;
    }

    /// How often it was written.
    #[must_use]
    pub const fn serial(&self) -> u64 {
        self.serial
    }

    /// Every place that has a word.
    pub fn iter(&self) -> impl Iterator<Item = (Place, &Word)> {
        self.words.iter().map(|((folder, _), word)| (Place { folder: *folder, name: word.name.clone() }, word))
    }

    /// Says something of a place, unless a greater word was said.
    pub fn say(&mut self, folder: FolderId, word: Word) {
        let key = (folder, names::key(&word.name));
        match self.words.get_mut(&key) {
            Some(known) if *known >= word => {}
            Some(known) => *known = word,
            None => {
                self.words.insert(key, word);
            }
        }
    }

    /// Takes in all that another list says.
    pub fn join(&mut self, other: &Self) {
        self.serial = self.serial.max(other.serial);
        for ((folder, _), word) in &other.words {
            self.say(*folder, word.clone());
        }
    }

    /// Forgets what went before the day `before`, such as `2025-11-20`, and copies in folders that are no more. Whoever
    /// still has one of these says so again.
    pub fn prune(&mut self, before: &str, is_folder: impl Fn(FolderId) -> bool) {
        self.words.retain(|(folder, _), word| match word.says {
            Says::Holds(_) => is_folder(*folder),
            Says::Gone | Says::Replaced => word.ended_on.as_str() >= before,
        });
    }

    /// The bytes of the next list of the drive folder `root`.
    #[must_use]
    pub fn write(&self, root: FolderId) -> Vec<u8> {
        let copies = self.words.iter().map(|((folder, _), word)| Line {
            folder: *folder,
            name: word.name.clone(),
            at: word.at,
            sha256: word.says.held().map(|held| HEXLOWER.encode(&held.hash)),
            bytes: word.says.held().map(|held| held.size_bytes),
            gone: (word.says == Says::Gone).then(|| word.ended_on.clone()),
            replaced: (word.says == Says::Replaced).then(|| word.ended_on.clone()),
        });
        let written = Written {
            easel: MARK.to_owned(),
            version: VERSION,
            serial: self.serial + 1,
            folder: root,
            copies: copies.collect(),
        };
        serde_json::to_vec(&written).unwrap_or_default()
    }

    /// Reads a list: the drive folder that it is of, and what it says.
    ///
    /// # Errors
    /// See [`Unread`].
    pub fn read(bytes: &[u8]) -> Result<(FolderId, Self), Unread> {
        #[derive(Deserialize)]
        struct Head {
            easel: String,
            version: u32,
        }
        let head: Head = serde_json::from_slice(bytes).map_err(|_| Unread::Damaged)?;
        if head.easel != MARK {
            return Err(Unread::Damaged);
        }
        if head.version > VERSION {
            return Err(Unread::Newer);
        }
        let written: Written = serde_json::from_slice(bytes).map_err(|_| Unread::Damaged)?;
        let mut copies = Self { words: BTreeMap::new(), serial: written.serial };
        for line in written.copies {
            let hash = line.sha256.as_deref().map(hash_of).transpose()?;
            let (says, ended_on) = match (hash, line.replaced, line.gone) {
                (Some(hash), _, _) => {
                    (Says::Holds(Held { hash, size_bytes: line.bytes.unwrap_or(0) }), String::new())
                }
                (None, Some(day), _) => (Says::Replaced, day),
                (None, None, day) => (Says::Gone, day.unwrap_or_default()),
            };
            copies.say(line.folder, Word { at: line.at, says, name: line.name, ended_on });
        }
        Ok((written.folder, copies))
    }
}

fn hash_of(text: &str) -> Result<ContentHash, Unread> {
    let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).map_err(|_| Unread::Damaged)?;
    bytes.try_into().map_err(|_| Unread::Damaged)
}
