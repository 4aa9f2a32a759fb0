//! What a preview of undoing found out, so that nothing is looked up twice: whoever agrees does so to these contents from
//! these places.
//!
//! Data only.

use crate::sync::journal::Scope;
use crate::sync::revert::Sources;

/// See the module.
pub(crate) struct Previewed {
    pub(super) scope: Scope,
    /// Tells whether it is still what was shown.
    pub(super) seen: String,
    pub(super) sources: Sources,
}
