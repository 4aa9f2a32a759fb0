//! Arguments that several commands take.
//!
//! Not here: what a command does with them.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::wire::account::Plan;

#[derive(Debug, Args)]
pub(super) struct Data {
    /// The data folder; made where it is missing
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum PlanName {
    Free,
    Paid,
    Ultra,
}

impl From<PlanName> for Plan {
    fn from(name: PlanName) -> Self {
        match name {
            PlanName::Free => Self::Free,
            PlanName::Paid => Self::Paid,
            PlanName::Ultra => Self::Ultra,
        }
    }
}
