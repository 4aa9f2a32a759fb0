//! What dropped files and synced folders both need: the journal, the upload of one file, the causes of failures.
//!
//! Always true: nothing here knows of a queue (`queue`) or of a watched folder (`sync`).

pub mod awake;
pub mod causes;
pub(crate) mod clock;
pub(crate) mod drive_file;
pub(crate) mod error;
pub(crate) mod estimate;
pub(crate) mod flat;
pub(crate) mod gathered;
pub(crate) mod ids;
pub(crate) mod journal;
pub mod memory;
pub mod metered;
pub(crate) mod mutex;
pub mod names;
pub(crate) mod paths;
pub(crate) mod planted;
pub mod ports;
pub(crate) mod transfer_slots;
pub mod upload;
