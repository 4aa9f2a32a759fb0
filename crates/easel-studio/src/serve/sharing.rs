//! Whether other processes may serve the same studio, and what this one does of its work.
//!
//! Always true: several serve only what all of them reach, a database on a server and a bucket; what lies in a data folder has one process.
//! Not here: how they keep apart ([`crate::db::presence`]).

use std::path::Path;

use crate::blobs::{Blobs, BlobsAt, Opening, bucket_of, note_bucket};
use crate::core::error::Error;
use crate::data_folder::DataFolder;
use crate::db::drive;
use crate::db::place::{self, DatabaseAt};
use crate::db::shared_settings::{self, ContentsAt};

/// Who may be at work on the studio beside this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sharing {
    /// Nobody.
    OneProcess,
    /// Any number of other processes.
    Several,
}

/// What a process does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It answers requests.
    Api,
    /// It draws, exports, delivers webhooks and looks after contents.
    Worker,
    /// Both.
    All,
}

impl Role {
    /// Whether it answers requests.
    #[must_use]
    pub fn answers(self) -> bool {
        self != Self::Worker
    }

    /// Whether it does what is asked for, and what goes on by itself.
    #[must_use]
    pub fn works(self) -> bool {
        self != Self::Api
    }
}

/// Whether other processes may serve what this one does; a part of the work alone is refused where none can.
pub(super) fn sharing_of(data: &Path, blobs: &BlobsAt, role: Role) -> Result<Sharing, Error> {
    let is_on_a_server = matches!(place::of_folder(data)?, DatabaseAt::Server(_));
    match blobs {
        BlobsAt::Bucket(_) if is_on_a_server => Ok(Sharing::Several),
        _ if role == Role::All => Ok(Sharing::OneProcess),
        _ => Err(Error::Usage(
            "one process has to do everything here: several need a database on a server (--database postgres://…) and a \
             bucket (--blobs s3://…)"
                .to_owned(),
        )),
    }
}

/// Opens the contents where the database says that they lie, or says it there for the first time. In the turn of this process to start.
pub(super) async fn open_contents(folder: &DataFolder, at: &BlobsAt) -> Result<Blobs, Error> {
    let (known, is_new) = {
        let mut conn = folder.db.read().acquire().await?;
        let known = shared_settings::find_bucket(&mut conn).await?;
        // Asked only where it matters: in a large studio the answer takes a while.
        let may_be_new = known.is_none() && matches!(at, BlobsAt::Bucket(_));
        let is_new = may_be_new && drive::files::list_content_hashes(&mut conn).await?.is_empty();
        (known, is_new)
    };
    let elsewhere = |known: &ContentsAt| {
        Error::Usage(format!("this studio keeps its contents in a bucket and nowhere else: --blobs {}", known.bucket))
    };
    match (at, &known) {
        (BlobsAt::Folder, Some(known)) => return Err(elsewhere(known)),
        (BlobsAt::Bucket(url), Some(known)) if url.to_string() != known.bucket => return Err(elsewhere(known)),
        _ => {}
    }
    if let Some(known) = &known {
        // Another start may have said it since this folder was opened.
        note_bucket(&folder.path, &known.bucket, known.studio)?;
    }
    let blobs = Blobs::open_at(&folder.path, at, Opening::Served { is_new }).await?;
    if !folder.db.is_on_a_server() {
        return Ok(blobs);
    }
    let own = bucket_of(&folder.path)?.map(|(bucket, studio)| ContentsAt { bucket, studio });
    match (known, own) {
        (Some(known), Some(own)) if known != own => Err(Error::Usage(format!(
            "{} was used with another studio in {}: start with a new data folder",
            folder.path.display(),
            own.bucket
        ))),
        (None, Some(own)) => {
            let mut tx = folder.db.begin().await?;
            shared_settings::set_bucket(&mut tx, &own).await?;
            tx.commit().await?;
            Ok(blobs)
        }
        _ => Ok(blobs),
    }
}
