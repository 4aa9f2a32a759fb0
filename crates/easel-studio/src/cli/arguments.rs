//! Arguments that several commands take.
//!
//! Not here: what a command does with them.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::blobs::{BlobsAt, BucketUrl};
use crate::wire::account::Plan;

#[derive(Debug, Args)]
pub(super) struct Data {
    /// The data folder; made where it is missing
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,
}

/// Where the contents lie, for each command that touches them.
#[derive(Debug, Args)]
pub(super) struct BlobsPlace {
    /// The bucket that contents lie in, s3://BUCKET/PREFIX; endpoint, region and keys come from AWS_ENDPOINT_URL, AWS_REGION,
    /// AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY [default: the data folder]
    #[arg(long, value_name = "BUCKET")]
    blobs: Option<BucketUrl>,
}

impl From<BlobsPlace> for BlobsAt {
    fn from(place: BlobsPlace) -> Self {
        place.blobs.map_or(Self::Folder, Self::Bucket)
    }
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
