//! What travels between Easel and a design-generation service, as types.
//!
//! One file a resource, named as in the client, the studio and the app. Always true here: a type serialises exactly as
//! the service writes it, response types read what deployments really send (missing, null, unknown fields and unknown
//! enum values are tolerated), request types refuse unknown fields. Deliberately not here: I/O, clocks, randomness,
//! and any decision about what to do with a value.

pub mod account;
pub mod brand_kits;
pub mod canvases;
pub mod drive;
pub mod error;
pub mod id;
pub mod list;
mod open_enum;
pub mod organizations;
pub mod scope;
pub mod tasks;
pub mod timestamp;
pub mod uploads;
pub mod version;
pub mod webhooks;

pub use error::{Envelope, ErrorBody, ErrorType};
pub use id::{
    ApiKeyId, BrandKitId, CanvasId, ConversationId, DeliveryId, EventId, FileId, FolderId, Id, IdError, ItemRef,
    OrganizationId, TaskId, TeamId, UserId,
};
pub use scope::Scope;
pub use timestamp::Timestamp;
pub use version::{DEFAULT_VERSION_HEADER, Version};
