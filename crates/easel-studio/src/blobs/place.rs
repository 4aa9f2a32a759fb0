//! Where blobs lie below the folder of the blobs, and how they and their names come to the disk.
//!
//! Always true: the place of a content follows from its hash alone. Not here: what is written and removed
//! ([`super::store`]).

use std::fs::File;
use std::io::Write as _;
use std::path::{Path as FilePath, PathBuf};

use data_encoding::HEXLOWER;
use object_store::path::Path;

use crate::core::error::Error;
use crate::core::private_files::{sync_folder, sync_folder_of};

/// The SHA-256 of a content.
pub type ContentHash = [u8; 32];

/// Bytes written to the disk at a time.
pub(super) const WRITE_BYTES: usize = 1024 * 1024;

pub(super) const INCOMING: &str = "incoming";

pub(super) const CONTENTS: &str = "sha256";

/// The first part of every storage key.
pub const PENDING: &str = "pending";

/// Where a blob lies that is no content yet.
#[derive(Debug, Clone)]
pub struct Location(pub(super) Path);

impl Location {
    /// The place of what was PUT for `storage_key`.
    #[must_use]
    pub fn staged(storage_key: &str) -> Self {
        Self(Path::from(storage_key))
    }

    pub(super) fn is_staged(&self) -> bool {
        self.0.as_ref().starts_with(PENDING)
    }
}

pub(super) fn place_of(hash: &ContentHash) -> Path {
    let hex = HEXLOWER.encode(hash);
    Path::from(format!("{CONTENTS}/{}/{hex}", &hex[..2]))
}

/// Where the content `hash` lies, below the blobs of a data folder or a backup.
#[must_use]
pub fn path_of_content(root: &FilePath, hash: &ContentHash) -> PathBuf {
    root.join(place_of(hash).as_ref())
}

/// Refuses bytes that are not the content that they lie in the place of.
pub(super) fn check(expected: &ContentHash, found: ContentHash) -> Result<(), object_store::Error> {
    if *expected == found {
        return Ok(());
    }
    let content = HEXLOWER.encode(expected);
    tracing::error!(content, "a content is damaged: what lies in its place is something else");
    Err(object_store::Error::Generic { store: CONTENTS, source: format!("the content {content} is damaged").into() })
}

/// Runs what waits for the disk where waiting harms nobody.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T, Error> {
    Ok(tokio::task::spawn_blocking(work).await.map_err(|_| Error::Panicked)??)
}

/// Writes a new file, and the folder that it is in where that is not there yet. Neither need be on the disk afterwards.
/// Where it fails, no file is left.
pub(super) fn write_new(place: &FilePath, bytes: &[u8]) -> std::io::Result<File> {
    let create = || File::options().write(true).create_new(true).open(place);
    let mut file = create().or_else(|error| match place.parent() {
        Some(folder) if error.kind() == std::io::ErrorKind::NotFound => {
            std::fs::create_dir_all(folder)?;
            create()
        }
        _ => Err(error),
    })?;
    if let Err(error) = file.write_all(bytes) {
        let _ = std::fs::remove_file(place);
        return Err(error);
    }
    Ok(file)
}

/// Brings a file and its name to the disk.
pub(super) fn sync_with_name(place: &FilePath) -> std::io::Result<()> {
    File::open(place)?.sync_all()?;
    sync_folder_of(place)
}

/// Brings the name of a file to the disk, and the names of the folders above it up to `root`, of which some may be new.
pub(super) fn sync_up_to(root: &FilePath, place: &FilePath) -> std::io::Result<()> {
    place.ancestors().skip(1).take_while(|folder| folder.starts_with(root)).try_for_each(sync_folder)
}
