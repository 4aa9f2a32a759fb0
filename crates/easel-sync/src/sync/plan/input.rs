//! What a plan is made from: the three trees, what the person chose, and what is left alone for now.
//!
//! Data only.

use std::collections::BTreeMap;

use super::difference::Guard;
use crate::shared::causes::Failure;
use crate::shared::planted::Planted;
use crate::sync::tree::{Agreed, Local, Remote};

/// Which way changes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// From here to the drive; nothing here is ever touched.
    UploadOnly,
    /// Both ways.
    BothWays,
}

/// What a local deletion does in the drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeletionRule {
    /// Nothing: the drive keeps the file.
    Keep,
    /// It deletes there too.
    Delete,
}

/// What the person chose, and what is known about the two sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Which way changes go.
    pub mode: Mode,
    /// What a local deletion does in the drive.
    pub deletions: DeletionRule,
    /// Stands in the names of conflicting files.
    pub host_name: String,
    /// Stands there too, such as `2026-11-20`. The engine asks its clock at each look.
    pub today: String,
    /// Files up to this size, in bytes, are sent in one request, and read beforehand so that a lost answer can be settled.
    pub direct_max_bytes: u64,
    /// Files above this size, in bytes, are not taken (contract, "Uploads").
    pub max_file_bytes: u64,
    /// So many steps of one kind are carried out at the same time; at least one.
    pub at_once: usize,
    /// See [`Planted`].
    #[doc(hidden)]
    pub planted: Planted,
}

/// What a plan is made from.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The folder as seen.
    pub local: &'a Local,
    /// The drive as seen.
    pub remote: &'a Remote,
    /// What both last agreed on.
    pub agreed: &'a Agreed,
    /// What the person chose.
    pub settings: &'a Settings,
    /// Paths with which an operation failed: they are left alone, until the next look or until someone asks.
    pub unresolved: &'a BTreeMap<String, Failure>,
    /// What the person leaves out.
    pub ignores: Ignores<'a>,
    /// What the person has let pass.
    pub consent: &'a [Guard],
}

/// Says of a path, and whether it is a folder, if it is left out, itself or by a folder above it.
#[derive(Clone, Copy)]
pub struct Ignores<'a>(pub &'a dyn Fn(&str, bool) -> bool);

impl std::fmt::Debug for Ignores<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Ignores")
    }
}
