//! The input of a plan: the three trees, the person's settings, and the paths that have to wait.
//!
//! Data only.

use std::collections::BTreeMap;

use super::difference::Guard;
use crate::shared::causes::Failure;
use crate::shared::planted::Planted;
use crate::sync::tree::{Agreed, Local, Remote};
use crate::sync::unloaded::Unloaded;

/// In which direction changes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// From here to the drive; no local item is ever touched.
    UploadOnly,
    /// Both ways.
    BothWays,
}

/// What a local deletion does in the drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeletionRule {
    /// Nothing: the drive keeps the file.
    Keep,
    /// The drive's file is deleted too.
    Delete,
}

/// The person's settings, and what is known about the two sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// In which direction changes go.
    pub mode: Mode,
    /// What a local deletion does in the drive.
    pub deletions: DeletionRule,
    /// This computer's name, for the names of conflicting files.
    pub host_name: String,
    /// Today's date for those names, such as `2026-11-20`. The engine asks its clock at each look.
    pub today: String,
    /// Files up to this size, in bytes, are sent in one request, and read beforehand so that a lost answer can be
    /// settled.
    pub direct_max_bytes: u64,
    /// Larger files than this, in bytes, are refused (contract, "Uploads").
    pub max_file_bytes: u64,
    /// So many steps of one kind are carried out at the same time; at least one.
    pub at_once: usize,
    /// See [`Planted`].
    #[doc(hidden)]
    pub planted: Planted,
}

/// The input of a plan.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The local folder as seen.
    pub local: &'a Local,
    /// The drive as seen.
    pub remote: &'a Remote,
    /// The records that both sides last agreed on.
    pub agreed: &'a Agreed,
    /// The folders whose files are in none of the three.
    pub unloaded: &'a Unloaded,
    /// The person's settings.
    pub settings: &'a Settings,
    /// Paths with which a step failed: they have to wait until the next look or until someone asks.
    pub unresolved: &'a BTreeMap<String, Failure>,
    /// Which items are ignored.
    pub ignores: Ignores<'a>,
    /// The guards that the person consented to.
    pub consent: &'a [Guard],
}

/// Says of a path, and whether it is a folder, if it is ignored, itself or by a folder above it.
#[derive(Clone, Copy)]
pub struct Ignores<'a>(pub &'a dyn Fn(&str, bool) -> bool);

impl std::fmt::Debug for Ignores<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Ignores")
    }
}
