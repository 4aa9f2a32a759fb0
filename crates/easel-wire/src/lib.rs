//! The types of the data that travels between Easel and a design-generation service.
//!
//! One file a resource, named as in the client, the studio and the app. Always true here: reading a record needs only
//! the fields that the specification names, or that give the record its meaning, such as its id; every other field may
//! be missing, null, of another type or have an unknown value. A written record has no field that was not asked for.
//! Deliberately not here: I/O, clocks, randomness, any decision about what to do with a value, and the records that the
//! studio writes, which are exact and the studio's own.

pub mod account;
pub mod addresses;
pub mod brand_kits;
pub mod canvases;
pub mod colors;
pub mod drive;
pub mod error;
pub mod id;
pub mod invitation;
mod lenient;
pub mod list;
mod open_enum;
pub mod organizations;
pub mod scope;
pub mod tasks;
pub mod team;
pub mod texts;
pub mod timestamp;
pub mod uploads;
pub mod version;
pub mod webhooks;

pub use error::{Envelope, ErrorBody, ErrorType};
pub use id::{
    ApiKeyId, BrandKitId, CanvasId, ConversationId, DeliveryId, EventId, FileId, FolderId, Id, IdError, InvitationId,
    ItemRef, OrganizationId, TaskId, TeamId, UserId, VersionId,
};
pub use scope::Scope;
pub use timestamp::Timestamp;
pub use version::{DEFAULT_VERSION_HEADER, Version};
