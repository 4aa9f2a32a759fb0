//! Arguments that several commands take.
//!
//! Not here: what a command does with them.

use std::env::VarError;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::blobs::{BlobsAt, BucketUrl};
use crate::core::error::Error;
use crate::core::secrets::{KEY_VARIABLE, SharedKey};
use crate::data_folder::settle_key;
use crate::db::place::{self, DatabaseAt};
use crate::operators::new_place::NewPlace;
use crate::wire::account::Plan;

#[derive(Debug, Args)]
pub(super) struct Data {
    /// The data folder; made where it is missing
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// The folder's database, sqlite: or postgres://USER:PASSWORD@HOST/NAME; it is said once, and noted in the folder
    /// [default: the one that is noted, else SQLite in the folder]
    #[arg(long, value_name = "URL")]
    database: Option<DatabaseAt>,
    /// The key file that all processes of one studio share, copied to the data folder where that has none; EASEL_STUDIO_KEY may hold it in
    /// hex in place of a file [default: the data folder's own]
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
}

impl Data {
    /// The data folder, with the database that was asked for as its own.
    ///
    /// # Errors
    /// [`Error::Usage`] where it has another one; [`Error::DataFolderUnusable`], [`Error::Io`].
    pub fn settle(self) -> Result<PathBuf, Error> {
        if let Some(database) = &self.database {
            place::settle(&self.data, database)?;
        }
        self.settle_key()?;
        Ok(self.data)
    }

    /// A data folder that is to be made, and what it is to have: its database, and the key that it has to be, where one is named.
    ///
    /// # Errors
    /// [`Error::Usage`] where the key is none.
    pub fn into_new_place(self) -> Result<(NewPlace, Option<SharedKey>), Error> {
        let key = self.shared_key()?;
        Ok((NewPlace { data: self.data, database: self.database.unwrap_or(DatabaseAt::Folder) }, key))
    }

    fn settle_key(&self) -> Result<(), Error> {
        match self.shared_key()? {
            Some(key) => settle_key(&self.data, &key),
            None => Ok(()),
        }
    }

    fn shared_key(&self) -> Result<Option<SharedKey>, Error> {
        match (&self.key_file, std::env::var(KEY_VARIABLE)) {
            (Some(file), _) => SharedKey::read(file).map(Some),
            (None, Ok(text)) => SharedKey::from_hex(&text).map(Some),
            (None, Err(VarError::NotPresent)) => Ok(None),
            (None, Err(VarError::NotUnicode(_))) => Err(Error::Usage(format!("{KEY_VARIABLE} is no text"))),
        }
    }
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
