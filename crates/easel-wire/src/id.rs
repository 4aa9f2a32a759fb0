//! Identifiers as a client meets them (specification, "Identifiers"; contract, "Ids" and "A service that others
//! wrote").
//!
//! An id is opaque: a text that is compared and sent back as it came, whatever its suffix, letter case and length.
//! Always true: an `Id<K>` is 1 to 255 characters that are valid in a path; its kind comes from its field or route,
//! never from its text. A bare UUID stays one, and is refused only where the specification demands a prefix
//! ([`Id::prefixed`]). Not here: making ids, because only a service does that.
//!
//! An id in the form that a studio writes, the digits of a UUID behind the prefix of its kind, is held as its sixteen
//! bytes, so that the ids of a drive of a million files can be freed; so is an imagined one, of which a preview makes as
//! many. Any other text is interned: it is kept once for as long as the program runs, and the id is its number.

mod text;

use std::cmp::Ordering;
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use text::Number;
use uuid::Uuid;

pub use text::IdText;

/// The longest id, in characters.
pub const LONGEST_ID_CHARS: usize = 255;

/// A kind of resource: its prefix on the wire and its name for a person.
pub trait Kind {
    /// The type prefix that the specification names, without the underscore; the studio's own for all others.
    const PREFIX: &'static str;
    /// What the resource is called in an error message.
    const NAME: &'static str;
}

macro_rules! kinds {
    ($($(#[$meta:meta])* $alias:ident, $kind:ident, $prefix:literal, $name:literal;)+) => {
        /// The kinds of resources, as types that are never made.
        pub mod kind {
            $(
                #[doc = concat!("The kind of the ids of a ", $name, ".")]
                #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
                pub enum $kind {}
                impl super::Kind for $kind {
                    const PREFIX: &'static str = $prefix;
                    const NAME: &'static str = $name;
                }
            )+
        }
        $($(#[$meta])* pub type $alias = Id<kind::$kind>;)+
    };
}

kinds! {
    /// A canvas, `cvs_`.
    CanvasId, Canvas, "cvs", "canvas";
    /// A task, `task_`.
    TaskId, Task, "task", "task";
    /// A brand kit, `bk_`.
    BrandKitId, BrandKit, "bk", "brand kit";
    /// A drive folder, `fld_`.
    FolderId, Folder, "fld", "folder";
    /// A webhook delivery, `whd_`.
    DeliveryId, Delivery, "whd", "webhook delivery";
    /// A file of the drive, of any prefix.
    FileId, File, "file", "file";
    /// An earlier content of a file, of any prefix.
    VersionId, Version, "ver", "version";
    /// A conversation, of any prefix.
    ConversationId, Conversation, "conv", "conversation";
    /// A webhook event, of any prefix.
    EventId, Event, "evt", "webhook event";
    /// An organization, of any form.
    OrganizationId, Organization, "org", "organization";
    /// A team, of any form.
    TeamId, Team, "team", "team";
    /// A user, of any form.
    UserId, User, "user", "user";
    /// An API key, of any form.
    ApiKeyId, ApiKey, "ak", "API key";
    /// An invitation, `inv_`.
    InvitationId, Invitation, "inv", "invitation";
}

/// Why a text cannot be used as an id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// Empty, longer than [`LONGEST_ID_CHARS`], or with characters that are not valid in a path.
    #[error("this cannot be the id of a {expected}")]
    NotAnId {
        /// The kind that was expected, by name.
        expected: &'static str,
    },
    /// A text without a prefix where only a prefix tells the kind (specification, Identifiers, rules 3 and 4).
    #[error("the id of this {expected} has no prefix, and is not taken here without one")]
    NoPrefix {
        /// The kind that was expected, by name.
        expected: &'static str,
    },
}

/// The id of a resource of kind `K`, as the service wrote it.
pub struct Id<K> {
    written: Written,
    kind: PhantomData<fn() -> K>,
}

/// Spreads what differs in ids over all bits of their hash: 2^64 by the golden ratio.
const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The form of an id; each text has one form alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    /// The 26 digits of a UUID behind the prefix of its kind.
    Prefixed(Uuid),
    /// A UUID in its usual form, in small letters.
    Bare(Uuid),
    /// The number of an id that no service made.
    Imagined(Uuid),
    /// Any other text.
    Otherwise(Number),
}

impl<K: Kind> Id<K> {
    /// The prefix of this kind, without the underscore.
    pub const PREFIX: &'static str = K::PREFIX;

    /// Takes a text as an id.
    ///
    /// # Errors
    /// [`IdError::NotAnId`].
    pub fn new(text: &str) -> Result<Self, IdError> {
        // These two have a meaning of their own in a path.
        let is_place = matches!(text, "." | "..");
        let is_sized = !text.is_empty() && text.chars().nth(LONGEST_ID_CHARS).is_none();
        if is_place || !is_sized || text.chars().any(char::is_control) {
            return Err(IdError::NotAnId { expected: K::NAME });
        }
        let digits = text.strip_prefix(K::PREFIX).and_then(|rest| rest.strip_prefix('_'));
        let prefixed = digits.and_then(text::read_digits).map(Written::Prefixed);
        let imagined = || digits.and_then(text::read_imagined).map(Written::Imagined);
        let bare = || text::read_bare(text).map(Written::Bare);
        let otherwise = || Number::of(text).map(Written::Otherwise);
        let written = prefixed
            .or_else(bare)
            .or_else(imagined)
            .or_else(otherwise)
            .ok_or(IdError::NotAnId { expected: K::NAME })?;
        Ok(Self { written, kind: PhantomData })
    }

    /// An id that no service made, for items that do not exist, such as a folder in a preview. It is never sent.
    #[must_use]
    pub const fn imagined(number: u128) -> Self {
        Self { written: Written::Imagined(Uuid::from_u128(number)), kind: PhantomData }
    }

    /// The id as the service wrote it.
    #[must_use]
    pub fn text(&self) -> IdText {
        match self.written {
            Written::Prefixed(uuid) => IdText::prefixed(K::PREFIX, uuid),
            Written::Bare(uuid) => IdText::bare(uuid),
            Written::Imagined(number) => IdText::imagined(K::PREFIX, number),
            Written::Otherwise(number) => IdText::kept(number),
        }
    }

    /// Reads a text only if it has the prefix of this kind, for places where a text may also be something else, such as
    /// a path.
    #[must_use]
    pub fn of_its_prefix(text: &str) -> Option<Self> {
        let is_own = prefix_of(text).is_some_and(|prefix| prefix.eq_ignore_ascii_case(K::PREFIX));
        if is_own { Self::new(text).ok() } else { None }
    }

    /// The id, for routes that take only the prefixed form.
    ///
    /// # Errors
    /// [`IdError::NoPrefix`] for a bare UUID and for any text without an underscore.
    pub fn prefixed(&self) -> Result<IdText, IdError> {
        let text = self.text();
        if prefix_of(&text).is_none() {
            return Err(IdError::NoPrefix { expected: K::NAME });
        }
        Ok(text)
    }
}

/// The text before the first underscore; `None` for a bare UUID and where there is no underscore.
fn prefix_of(text: &str) -> Option<&str> {
    let (prefix, _) = text.split_once('_')?;
    (!prefix.is_empty() && Uuid::try_parse(text).is_err()).then_some(prefix)
}

impl<K: Kind> FromStr for Id<K> {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        Self::new(text)
    }
}

impl<K: Kind> fmt::Display for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl<K: Kind> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl<K> Clone for Id<K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K> Copy for Id<K> {}
impl<K> PartialEq for Id<K> {
    fn eq(&self, other: &Self) -> bool {
        self.written == other.written
    }
}
impl<K> Eq for Id<K> {}
impl<K: Kind> PartialOrd for Id<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<K: Kind> Ord for Id<K> {
    /// The order of the texts; imagined ids, which have a text only for a person, come last, by their numbers. Tables of
    /// ids are searched all the time, so two of one form are compared as numbers.
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.written, other.written) {
            // The digits sort like the number.
            (Written::Prefixed(one), Written::Prefixed(other))
            | (Written::Bare(one), Written::Bare(other))
            | (Written::Imagined(one), Written::Imagined(other)) => one.as_u128().cmp(&other.as_u128()),
            (Written::Imagined(_), _) => Ordering::Greater,
            (_, Written::Imagined(_)) => Ordering::Less,
            _ => order_of_texts(*self, *other),
        }
    }
}

/// The order of two ids of which one may be any text. By itself, because it needs room for both texts.
#[cold]
fn order_of_texts<K: Kind>(one: Id<K>, other: Id<K>) -> Ordering {
    one.text().cmp(&other.text())
}

impl<K> std::hash::Hash for Id<K> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        // One number, so that the bytes of an id are not hashed again (a table of a drive's ids uses this number as it
        // is).
        state.write_u64(match self.written {
            Written::Prefixed(uuid) | Written::Bare(uuid) | Written::Imagined(uuid) => {
                let (high, low) = uuid.as_u64_pair();
                let mixed = (high ^ low.rotate_left(32)).wrapping_mul(ODD);
                mixed ^ (mixed >> 32)
            }
            Written::Otherwise(number) => number.hash(),
        });
    }
}

impl<K: Kind> Serialize for Id<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

impl<'de, K: Kind> Deserialize<'de> for Id<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Self::new(&text).map_err(serde::de::Error::custom)
    }
}

/// A reference to a drive item, prefixed only (specification, Identifiers, rule 3). The specification names the
/// prefixes of folders and canvases; an item with any other prefix is a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ItemRef {
    /// A folder.
    Folder(FolderId),
    /// A canvas.
    Canvas(CanvasId),
    /// A file.
    File(FileId),
}

impl ItemRef {
    /// `folder`, `canvas` or `file`, as in the `kind` field of a drive operation's answer.
    #[must_use]
    pub const fn kind_name(self) -> &'static str {
        match self {
            Self::Folder(_) => "folder",
            Self::Canvas(_) => "canvas",
            Self::File(_) => "file",
        }
    }

    /// The id as the service wrote it.
    #[must_use]
    pub fn text(&self) -> IdText {
        match self {
            Self::Folder(id) => id.text(),
            Self::Canvas(id) => id.text(),
            Self::File(id) => id.text(),
        }
    }

    /// The id, for routes that take only the prefixed form.
    ///
    /// # Errors
    /// [`IdError::NoPrefix`].
    pub fn prefixed(&self) -> Result<IdText, IdError> {
        match self {
            Self::Folder(id) => id.prefixed(),
            Self::Canvas(id) => id.prefixed(),
            Self::File(id) => id.prefixed(),
        }
    }
}

impl FromStr for ItemRef {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        match prefix_of(text) {
            Some(prefix) if prefix.eq_ignore_ascii_case(FolderId::PREFIX) => Ok(Self::Folder(Id::new(text)?)),
            Some(prefix) if prefix.eq_ignore_ascii_case(CanvasId::PREFIX) => Ok(Self::Canvas(Id::new(text)?)),
            Some(_) => Ok(Self::File(Id::new(text)?)),
            None => Err(IdError::NoPrefix { expected: "drive item" }),
        }
    }
}

impl fmt::Display for ItemRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl Serialize for ItemRef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

impl<'de> Deserialize<'de> for ItemRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const UUID: &str = "0195f3c2-8a7e-7b10-9c4d-123456789abc";

    proptest! {
        #[test]
        fn every_id_is_sent_back_as_it_came(prefix in "[a-z]{2,5}", suffix in "[!-~]{1,200}") {
            let text = format!("{prefix}_{suffix}");
            let id: FileId = text.parse().unwrap();
            prop_assert_eq!(&*id.text(), text.as_str());
            prop_assert_eq!(serde_json::to_value(id).unwrap(), serde_json::json!(text));
        }

        #[test]
        fn an_id_of_sixteen_bytes_is_sent_back_as_it_came(number in any::<u128>(), other in any::<u128>()) {
            let id = |text: &str| text.parse::<FileId>().unwrap();
            let forms = |number: u128| {
                let uuid = Uuid::from_u128(number);
                let digits = IdText::prefixed("file", uuid).to_string();
                let lower = digits.to_lowercase();
                let with_i = digits.replace('1', "I");
                let (bare, plain) = (uuid.to_string(), uuid.simple().to_string());
                [digits, lower, with_i, bare.to_uppercase(), bare, plain, format!("file_imagined-{number}")]
            };
            let imagined = |text: &str| text.strip_prefix("file_imagined-")?.parse::<u128>().ok();
            for one in forms(number) {
                prop_assert_eq!(&*id(&one).text(), one.as_str());
                for other in forms(other).into_iter().chain([one.clone()]) {
                    let order = match (imagined(&one), imagined(&other)) {
                        (Some(one), Some(other)) => one.cmp(&other),
                        _ => one.cmp(&other),
                    };
                    prop_assert_eq!(id(&one).cmp(&id(&other)), order);
                    prop_assert_eq!(id(&one) == id(&other), one == other);
                }
            }
        }

        #[test]
        fn digits_of_more_than_sixteen_bytes_are_a_text(digits in "[0-9A-HJKMNP-TV-Z]{24,28}") {
            let text = format!("fld_{digits}");
            prop_assert_eq!(&*text.parse::<FolderId>().unwrap().text(), text.as_str());
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC{0,300}") {
            let _ = text.parse::<TaskId>();
            let _ = text.parse::<ItemRef>();
        }

        #[test]
        fn the_order_of_ids_is_the_order_of_their_texts(a in "[ -~]{1,20}", b in "[ -~]{1,20}") {
            prop_assume!(![".", ".."].contains(&a.as_str()) && ![".", ".."].contains(&b.as_str()));
            let order = a.parse::<FileId>().unwrap().cmp(&b.parse::<FileId>().unwrap());
            prop_assert_eq!(order, a.cmp(&b));
        }
    }

    #[test]
    fn the_ids_of_a_preview_are_not_interned() {
        let before = Number::count();
        for number in [0, 9, 10, u128::from(u64::MAX), u128::MAX] {
            let id = OrganizationId::imagined(number);
            let text = format!("org_imagined-{number}");
            assert_eq!((&*id.text(), id), (text.as_str(), text.parse().unwrap()));
        }
        assert_eq!(Number::count(), before);
        for text in ["file_imagined-", "file_imagined-07", "file_imagined-+7", "file_imagined-0x7", "org_imagined-7"] {
            assert_eq!(&*text.parse::<FileId>().unwrap().text(), text);
        }
    }

    #[test]
    fn imagined_ids_come_last_by_their_numbers() {
        let read = |text: &str| text.parse::<FileId>().unwrap();
        let bare = "ffffffff-ffff-4fff-8fff-ffffffffffff";
        let in_order = [read("file_7ZZZZZZZZZZZZZZZZZZZZZZZZZ"), read("file_zz"), read("~~")];
        let imagined = [0, 9, 10, 99, u128::MAX].map(FileId::imagined);
        let all: Vec<FileId> = [read(bare)].into_iter().chain(in_order).chain(imagined).collect();
        assert!(all.is_sorted(), "{all:?}");
    }

    #[test]
    fn an_id_takes_seventeen_bytes_and_so_does_one_that_may_be_missing() {
        assert_eq!((size_of::<FileId>(), size_of::<Option<FileId>>()), (17, 17));
    }

    #[test]
    fn letter_case_and_length_tell_ids_apart() {
        let id = |text: &str| text.parse::<FileId>().unwrap();
        assert_ne!(id("file_ab"), id("file_AB"));
        assert_ne!(id("file_ab"), id("file_ab "));
        assert_eq!(id("file_ab"), id("file_ab"));
        assert_eq!(format!("{:?}", id("file_ab")), "file_ab");
        let hash_of = |id: FileId| {
            let mut hasher = std::hash::DefaultHasher::new();
            std::hash::Hash::hash(&id, &mut hasher);
            std::hash::Hasher::finish(&hasher)
        };
        assert_eq!(hash_of(id("file_ab")), hash_of(id("file_ab")));
        assert_ne!(hash_of(id("file_ab")), hash_of(id("file_AB")), "a table of ids would be one long list");
    }

    #[test]
    fn only_what_cannot_stand_in_a_path_is_no_id() {
        let longest = format!("user_{}", "é".repeat(250));
        for text in ["7", "user_2xY", "KEY-8fK2", UUID, "a b/c?d#e%", "...", longest.as_str()] {
            assert_eq!(text.parse::<UserId>().unwrap().text(), text);
        }
        for text in ["", ".", "..", "file_\n", "file_\u{0}", &format!("{longest}x")] {
            assert_eq!(text.parse::<FileId>(), Err(IdError::NotAnId { expected: "file" }), "{text:?}");
        }
    }

    #[test]
    fn an_id_without_a_prefix_is_refused_where_one_is_demanded() {
        let folder = |text: &str| text.parse::<FolderId>().unwrap();
        assert_eq!(folder("fld_x-1").prefixed().unwrap(), "fld_x-1");
        for bare in [UUID, "0195f3c28a7e7b109c4d123456789abc", "17", "_17"] {
            assert_eq!(folder(bare).prefixed(), Err(IdError::NoPrefix { expected: "folder" }), "{bare}");
            assert_eq!(bare.parse::<ItemRef>(), Err(IdError::NoPrefix { expected: "drive item" }), "{bare}");
        }
    }

    #[test]
    fn a_drive_item_says_its_kind_and_reads_back() {
        let check = |text: &str, kind: &str| {
            let item: ItemRef = text.parse().unwrap();
            assert_eq!((item.kind_name(), item.to_string().as_str(), item.prefixed()), (kind, text, Ok(item.text())));
            assert_eq!(serde_json::to_value(item).unwrap(), serde_json::json!(text));
            assert_eq!(serde_json::from_value::<ItemRef>(serde_json::json!(text)).unwrap(), item);
        };
        check("fld_1", "folder");
        check("FLD_1", "folder");
        check("cvs_x_y", "canvas");
        check("file_1", "file");
        check("asset_1", "file");
    }
}
