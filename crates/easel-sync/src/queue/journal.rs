//! The tables of dropped files: the transfers, how far each upload is, and how it ended.
//!
//! Always true: what holds for the journal as a whole (`shared::journal`). Not here: the next step of a transfer
//! (`upload_job`), and which transfer comes next (`dispatch`).

mod commands;
mod drops;
mod folders;
mod rows;
mod steps;
#[cfg(test)]
mod tests;

pub(crate) use commands::Selection;
pub(crate) use drops::{Dropped, Entry};
pub(crate) use rows::{Row, Total};
