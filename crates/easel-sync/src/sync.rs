//! Keeps watched folders in step with the drive.
//!
//! `plan` finds the next steps by comparing three `tree`s, and `engine` carries them out through `ports`. Behind the
//! ports, `disk` is a real folder and `watch` notices its changes, `remote` is the drive, and the tables of `journal`
//! are the store. `revert` plans how changes are undone, and `conflicts` settles two versions of one file. `folders` is
//! what people ask of it. Not here: files that are dropped (`queue`).

pub mod conflicts;
pub mod disk;
pub mod engine;
pub mod folders;
pub mod ignored;
pub(crate) mod journal;
pub mod lock;
pub mod plan;
pub mod pointers;
pub mod ports;
pub(crate) mod remote;
pub mod revert;
pub mod tree;
pub mod unloaded;
pub mod watch;
