//! Keeps watched folders in step with the drive.
//!
//! `plan` finds the next steps by comparing three `tree`s, `engine` carries them out through `ports`: `disk` is a real folder,
//! `watch` what tells of its changes, `remote` the drive, and the tables of `journal` what survives a crash. `folders` is what
//! people ask of it. Not here: files that are dropped (`queue`).

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
pub mod watch;
