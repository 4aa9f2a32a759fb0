//! Identifiers (specification, "Identifiers"; contract, "Ids").
//!
//! An id is a UUID with a kind. On the wire it is the kind's prefix, `_`, and 26 Crockford base32 digits. Always true:
//! an `Id<K>` is written in the prefixed form; it is read from the prefixed form in either case or from a bare UUID;
//! the wrong kind is an error that names both kinds. Not here: making one, because that needs a clock or randomness.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const DIGITS: usize = 26;

/// A kind of resource: its prefix on the wire and its name for a person.
pub trait Kind {
    /// The type prefix, without the underscore, in lower case.
    const PREFIX: &'static str;
    /// What the resource is called in an error message.
    const NAME: &'static str;
    /// What its id is called as a type, such as `FileId`.
    const ID_NAME: &'static str;
}

macro_rules! kinds {
    ($($(#[$meta:meta])* $alias:ident, $kind:ident, $prefix:literal, $name:literal;)+) => {
        /// The kinds of resources, as types that are never made.
        pub mod kind {
            $(
                #[doc = concat!("The kind of `", $prefix, "_` ids.")]
                #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
                pub enum $kind {}
                impl super::Kind for $kind {
                    const PREFIX: &'static str = $prefix;
                    const NAME: &'static str = $name;
                    const ID_NAME: &'static str = stringify!($alias);
                }
            )+
        }
        $($(#[$meta])* pub type $alias = Id<kind::$kind>;)+

        /// Every kind: prefix and name.
        pub const KINDS: &[(&str, &str)] = &[$(($prefix, $name)),+];
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
    /// An uploaded file, `file_`.
    FileId, File, "file", "file";
    /// An earlier content of a file, or an earlier drawing of a canvas, `ver_`.
    VersionId, Version, "ver", "version";
    /// A conversation, `conv_`.
    ConversationId, Conversation, "conv", "conversation";
    /// A webhook event, `evt_`.
    EventId, Event, "evt", "webhook event";
    /// An organization, `org_`.
    OrganizationId, Organization, "org", "organization";
    /// A team, `team_`.
    TeamId, Team, "team", "team";
    /// A user, `user_`.
    UserId, User, "user", "user";
    /// An API key, `ak_`.
    ApiKeyId, ApiKey, "ak", "API key";
    /// An invitation, `inv_`.
    InvitationId, Invitation, "inv", "invitation";
}

/// Why a text is not the id that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// No id of any kind and no UUID.
    #[error("not an id: expected {expected}_… or a UUID")]
    NotAnId {
        /// The prefix that was expected.
        expected: &'static str,
    },
    /// An id, but of another kind.
    #[error("this is the id of a {found}; the id of a {expected} is needed here")]
    WrongKind {
        /// The kind that was expected, by name.
        expected: &'static str,
        /// The kind that it is, by name.
        found: &'static str,
    },
    /// A bare UUID where only a prefixed form says which kind is meant.
    #[error("a bare UUID is ambiguous here: use {expected}")]
    BareUuid {
        /// The forms that are accepted, such as `fld_…`.
        expected: &'static str,
    },
}

/// The id of a resource of kind `K`: 128 bits.
pub struct Id<K> {
    uuid: Uuid,
    kind: PhantomData<fn() -> K>,
}

impl<K: Kind> Id<K> {
    /// The type prefix, without the underscore.
    pub const PREFIX: &'static str = K::PREFIX;

    /// The id with these 128 bits.
    #[must_use]
    pub const fn from_uuid(uuid: Uuid) -> Self {
        Self { uuid, kind: PhantomData }
    }

    /// The 128 bits.
    #[must_use]
    pub const fn uuid(self) -> Uuid {
        self.uuid
    }

    /// Reads only the prefixed form, in either case.
    ///
    /// # Errors
    /// [`IdError::BareUuid`] for a UUID, [`IdError::WrongKind`] for another kind's id, else [`IdError::NotAnId`].
    pub fn parse_prefixed(text: &str) -> Result<Self, IdError> {
        match split(text) {
            Some((prefix, _, uuid)) if prefix == K::PREFIX => Ok(Self::from_uuid(uuid)),
            Some((_, found, _)) => Err(IdError::WrongKind { expected: K::NAME, found }),
            None if Uuid::try_parse(text).is_ok() => Err(IdError::BareUuid { expected: K::PREFIX }),
            None => Err(IdError::NotAnId { expected: K::PREFIX }),
        }
    }
}

impl<K: Kind> FromStr for Id<K> {
    type Err = IdError;

    /// Reads the prefixed form in either case, or a bare UUID (specification, Identifiers, rule 1).
    fn from_str(text: &str) -> Result<Self, IdError> {
        match Self::parse_prefixed(text) {
            Err(IdError::BareUuid { expected }) => {
                Uuid::try_parse(text).map(Self::from_uuid).map_err(|_| IdError::NotAnId { expected })
            }
            other => other,
        }
    }
}

impl<K: Kind> fmt::Display for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = encode(self.uuid);
        write!(f, "{}_{}", K::PREFIX, std::str::from_utf8(&digits).map_err(|_| fmt::Error)?)
    }
}

impl<K: Kind> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
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
        self.uuid == other.uuid
    }
}
impl<K> Eq for Id<K> {}
impl<K> PartialOrd for Id<K> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<K> Ord for Id<K> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.uuid.cmp(&other.uuid)
    }
}
impl<K> std::hash::Hash for Id<K> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.uuid.hash(state);
    }
}

impl<K: Kind> Serialize for Id<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, K: Kind> Deserialize<'de> for Id<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl<K: Kind> utoipa::PartialSchema for Id<K> {
    /// The prefixed form, which is the one that answers are written in.
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        schema_of(&[K::PREFIX], format!("The id of a {}: `{}_` and 26 Crockford base32 digits.", K::NAME, K::PREFIX))
    }
}

impl<K: Kind> utoipa::ToSchema for Id<K> {
    fn name() -> std::borrow::Cow<'static, str> {
        K::ID_NAME.into()
    }
}

impl utoipa::PartialSchema for ItemRef {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        let words = "The id of a folder, a canvas or a file, in its prefixed form.";
        schema_of(&[FolderId::PREFIX, CanvasId::PREFIX, FileId::PREFIX], words.to_owned())
    }
}

impl utoipa::ToSchema for ItemRef {}

/// A text that is an id of one of these kinds, as it is written.
fn schema_of(prefixes: &[&str], description: String) -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
    utoipa::openapi::ObjectBuilder::new()
        .schema_type(utoipa::openapi::schema::Type::String)
        .pattern(Some(format!("^({})_[0-7][0-9A-HJKMNP-TV-Z]{{25}}$", prefixes.join("|"))))
        .description(Some(description))
        .into()
}

/// A reference to a drive item: `fld_…`, `cvs_…` or `file_…`, prefixed only (specification, Identifiers, rule 3).
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
}

impl FromStr for ItemRef {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        const FORMS: &str = "fld_…, cvs_… or file_…";
        match split(text) {
            Some(("fld", _, uuid)) => Ok(Self::Folder(Id::from_uuid(uuid))),
            Some(("cvs", _, uuid)) => Ok(Self::Canvas(Id::from_uuid(uuid))),
            Some(("file", _, uuid)) => Ok(Self::File(Id::from_uuid(uuid))),
            Some((_, found, _)) => Err(IdError::WrongKind { expected: "folder, canvas or file", found }),
            None if Uuid::try_parse(text).is_ok() => Err(IdError::BareUuid { expected: FORMS }),
            None => Err(IdError::NotAnId { expected: FORMS }),
        }
    }
}

impl fmt::Display for ItemRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(id) => fmt::Display::fmt(id, f),
            Self::Canvas(id) => fmt::Display::fmt(id, f),
            Self::File(id) => fmt::Display::fmt(id, f),
        }
    }
}

impl Serialize for ItemRef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ItemRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The prefix, kind name and bits of a prefixed id of any kind.
fn split(text: &str) -> Option<(&'static str, &'static str, Uuid)> {
    let (prefix, digits) = text.split_once('_')?;
    let &(prefix, name) = KINDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(prefix))?;
    Some((prefix, name, decode(digits)?))
}

fn encode(uuid: Uuid) -> [u8; DIGITS] {
    let bits = uuid.as_u128();
    let mut digits = [0_u8; DIGITS];
    for (place, digit) in digits.iter_mut().rev().enumerate() {
        let value = (bits >> (5 * place)) & 31;
        *digit = ALPHABET[usize::try_from(value).unwrap_or_default()];
    }
    digits
}

fn decode(digits: &str) -> Option<Uuid> {
    if digits.len() != DIGITS {
        return None;
    }
    let mut bits: u128 = 0;
    for (place, digit) in digits.bytes().enumerate() {
        let value = ALPHABET.iter().position(|known| *known == digit.to_ascii_uppercase())?;
        // 26 digits hold 130 bits; the top two must be zero.
        if place == 0 && value > 7 {
            return None;
        }
        bits = (bits << 5) | value as u128;
    }
    Some(Uuid::from_u128(bits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const UUID: Uuid = Uuid::from_u128(0x0195_f3c2_8a7e_7b10_9c4d_1234_5678_9abc);

    proptest! {
        #[test]
        fn every_id_reads_back_from_both_cases(bits: u128) {
            let id = FileId::from_uuid(Uuid::from_u128(bits));
            let text = id.to_string();
            prop_assert!(text.starts_with("file_") && text.len() == 31);
            prop_assert_eq!(text.parse::<FileId>().unwrap(), id);
            prop_assert_eq!(text.to_ascii_lowercase().parse::<FileId>().unwrap(), id);
            prop_assert_eq!(Uuid::from_u128(bits).to_string().parse::<FileId>().unwrap(), id);
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC{0,40}") {
            let _ = text.parse::<TaskId>();
            let _ = text.parse::<ItemRef>();
        }

        #[test]
        fn the_order_of_ids_is_the_order_of_their_texts(a: u128, b: u128) {
            let (a, b) = (FileId::from_uuid(Uuid::from_u128(a)), FileId::from_uuid(Uuid::from_u128(b)));
            prop_assert_eq!(a.cmp(&b), a.to_string().cmp(&b.to_string()));
        }
    }

    #[test]
    fn an_id_has_its_documented_text() {
        assert_eq!(FolderId::from_uuid(Uuid::nil()).to_string(), "fld_00000000000000000000000000");
        assert_eq!(FolderId::from_uuid(Uuid::max()).to_string(), "fld_7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
    }

    #[test]
    fn what_is_no_id_is_refused() {
        let check = |text: &str, expected: IdError| assert_eq!(text.parse::<FileId>().unwrap_err(), expected, "{text}");
        let no_id = IdError::NotAnId { expected: "file" };
        check("", no_id.clone());
        check("file_", no_id.clone());
        check("file_8ZZZZZZZZZZZZZZZZZZZZZZZZZ", no_id.clone());
        check("file_0000000000000000000000000I", no_id.clone());
        check("file_0000000000000000000000000U", no_id.clone());
        check("file_000000000000000000000000000", no_id.clone());
        check("wat_00000000000000000000000000", no_id.clone());
        check("fld_00000000000000000000000000", IdError::WrongKind { expected: "file", found: "folder" });
        assert_eq!(FileId::parse_prefixed("neither"), Err(no_id));
        assert!(matches!("neither".parse::<ItemRef>(), Err(IdError::NotAnId { .. })));
    }

    #[test]
    fn ids_are_told_apart_and_shown_as_they_are_written() {
        let (one, two) = (FileId::from_uuid(UUID), FileId::from_uuid(Uuid::nil()));
        assert!(one != two && one == FileId::from_uuid(UUID));
        assert_eq!((one.uuid(), two.uuid()), (UUID, Uuid::nil()));
        assert_eq!(one.partial_cmp(&two), Some(std::cmp::Ordering::Greater));
        assert_eq!(format!("{one:?}"), one.to_string());
        let hash_of = |id: FileId| {
            let mut hasher = std::hash::DefaultHasher::new();
            std::hash::Hash::hash(&id, &mut hasher);
            std::hash::Hasher::finish(&hasher)
        };
        assert_eq!(hash_of(one), hash_of(one));
        assert_ne!(hash_of(one), hash_of(two), "a table of ids would be one long list");
    }

    #[test]
    fn a_drive_item_says_its_kind_and_reads_back() {
        let check = |item: ItemRef, prefix: &str, kind: &str| {
            assert_eq!(item.kind_name(), kind);
            let text = item.to_string();
            assert!(text.starts_with(prefix), "{text}");
            assert_eq!(text.parse::<ItemRef>(), Ok(item));
            assert_eq!(serde_json::to_value(item).unwrap(), serde_json::json!(text));
            assert_eq!(serde_json::from_value::<ItemRef>(serde_json::json!(text)).unwrap(), item);
        };
        check(ItemRef::Folder(FolderId::from_uuid(UUID)), "fld_", "folder");
        check(ItemRef::Canvas(CanvasId::from_uuid(UUID)), "cvs_", "canvas");
        check(ItemRef::File(FileId::from_uuid(UUID)), "file_", "file");
    }

    #[test]
    fn a_drive_item_is_named_by_its_prefixed_form_only() {
        assert_eq!(
            FileId::from_uuid(UUID).to_string().parse::<ItemRef>().unwrap(),
            ItemRef::File(FileId::from_uuid(UUID))
        );
        assert!(matches!(UUID.to_string().parse::<ItemRef>(), Err(IdError::BareUuid { .. })));
        assert!(matches!(FolderId::parse_prefixed(&UUID.to_string()), Err(IdError::BareUuid { .. })));
        let task = TaskId::from_uuid(UUID).to_string();
        assert!(matches!(task.parse::<ItemRef>(), Err(IdError::WrongKind { found: "task", .. })));
    }
}
