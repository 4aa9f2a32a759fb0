//! The tables of dropped files: what is to be sent, how far each transfer is, and what became of it.
//!
//! Always true: what holds for the journal as a whole (`shared::journal`). What a row means for the next step is decided in
//! `upload`; what is sent next, in `dispatch`.

mod drops;
mod folders;
mod rows;
mod steps;
#[cfg(test)]
mod tests;
mod wishes;

pub(crate) use drops::{Dropped, Entry};
pub(crate) use rows::{Row, Total};
pub(crate) use wishes::Selection;
