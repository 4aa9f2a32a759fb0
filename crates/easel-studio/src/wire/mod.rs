//! What the studio writes and takes, exact and complete; a client's reading of it is easel-wire.
//!
//! One file a resource, named as in the rest of the studio. Always true here: an answer has every field, a request
//! refuses fields and values that it does not know, an id is 128 bits. What is read back is what this service kept
//! itself, never an answer of its own. Not here: what both sides mean by the same words (the versions, the error
//! envelope, scopes, moments, the signature of a webhook), which is easel-wire's; and any decision about what to do with a
//! value.

pub mod account;
pub mod brand_kits;
pub mod canvases;
mod closed_enum;
pub mod colors;
pub mod drive;
pub mod id;
pub mod organizations;
pub mod tasks;
pub mod team;
pub mod texts;
pub mod uploads;
pub mod webhooks;

pub use closed_enum::UnknownValue;
pub use id::{
    ApiKeyId, BrandKitId, CanvasId, ConversationId, DeliveryId, EventId, FileId, FolderId, Id, IdError, InvitationId,
    ItemRef, OrganizationId, TaskId, TeamId, UserId, VersionId,
};
