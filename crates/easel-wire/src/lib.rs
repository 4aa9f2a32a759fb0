//! What travels between Easel and a design-generation service, as types.
//!
//! One file a resource, named as in the client, the studio and the app. Always true here: what is read needs nothing but
//! what the specification names, or what gives a record its meaning, such as its id; every other field may be missing,
//! null, of another type or a value never seen. What is written holds nothing that was not asked for. Deliberately not
//! here: I/O, clocks, randomness, any decision about what to do with a value, and what the studio writes, which is exact
//! and the studio's own.

pub mod account;
pub mod addresses;
pub mod brand_kits;
pub mod canvases;
pub mod drive;
pub mod error;
pub mod id;
mod lenient;
pub mod list;
mod open_enum;
pub mod organizations;
pub mod scope;
pub mod tasks;
pub mod texts;
pub mod timestamp;
pub mod uploads;
pub mod version;
pub mod webhooks;

pub use error::{Envelope, ErrorBody, ErrorType};
pub use id::{
    ApiKeyId, BrandKitId, CanvasId, ConversationId, DeliveryId, EventId, FileId, FolderId, Id, IdError, ItemRef,
    OrganizationId, TaskId, TeamId, UserId, VersionId,
};
pub use scope::Scope;
pub use timestamp::Timestamp;
pub use version::{DEFAULT_VERSION_HEADER, Version};
