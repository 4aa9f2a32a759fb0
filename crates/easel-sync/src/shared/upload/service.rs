//! Translates the upload port into the client's calls: shared by dropped files and synced folders.
//!
//! Always true: `causes` decides what an error means; only what the step itself knows is added here. Not here: how a
//! file is opened, and how its bytes are shown on their way.

use easel_client::{Client, Error as ClientError, Fingerprint, Put, Sent, Source, Target};
use easel_wire::drive::File;
use easel_wire::error::code;
use easel_wire::uploads::{SignedUpload, UploadResult};
use easel_wire::{ErrorType, FileId, FolderId, ItemRef};

use crate::shared::causes::{Cause, Failure};
use crate::shared::drive_file::remote_file;
use crate::shared::drive_file::{ContentHash, RemoteFile};
use crate::shared::ports::{Destination, DriveError, Uploaded};

/// A destination in the client's terms.
pub(crate) fn target(to: &Destination) -> Target {
    Target::new(&to.name, to.folder)
}

/// The result of one request in the port's terms.
pub(crate) fn sent(sent: Sent) -> Uploaded {
    let was_duplicate = sent.was_already_there();
    Uploaded { was_duplicate, hash: Some(sent.sha256), ..told(sent.result) }
}

/// The result of registering in the port's terms.
pub(crate) fn told(result: UploadResult) -> Uploaded {
    Uploaded {
        file: result.file_id,
        name: result.filename,
        folder: result.folder_id,
        size_bytes: result.size_bytes,
        hash: None,
        was_duplicate: result.was_duplicate,
    }
}

/// The error of a PUT that broke off. The client repeats one that was cut off before its last byte, so if it stays
/// broken nothing is stored.
pub(crate) fn put_failed(error: &ClientError) -> DriveError {
    match (DriveError::from(error), error) {
        (lost, ClientError::AnswerLost { .. }) => lost,
        (DriveError::Unanswered(hold), _) => DriveError::Deferred(hold),
        (other, _) => other,
    }
}

/// The error of a refused file; if its type is not taken, with the type that it was sent as.
pub(crate) fn refused(error: &ClientError, target: &Target) -> DriveError {
    match DriveError::from(error) {
        DriveError::Refused(Failure { cause: Cause::MediaTypeNotTaken { mime_type, message }, request_id }) => {
            let mime_type = if mime_type.is_empty() { target.mime_type.clone() } else { mime_type };
            DriveError::Refused(Failure { cause: Cause::MediaTypeNotTaken { mime_type, message }, request_id })
        }
        other => other,
    }
}

/// Registers what is stored under a key.
pub(crate) async fn register(client: &Client, key: &str, target: &Target) -> Result<Uploaded, DriveError> {
    match client.register_upload(key, target).await {
        Ok(result) => Ok(told(result)),
        // The missing thing is the upload, unless the service says that it is the folder.
        Err(error)
            if error.error_type() == Some(&ErrorType::NotFound) && error.code() != Some(code::FOLDER_NOT_FOUND) =>
        {
            Err(DriveError::NotStaged)
        }
        // Another name would not change the request, so a name conflict is final here.
        Err(error)
            if error.is_name_conflict() && client.capabilities().refused_register_fields.contains("filename") =>
        {
            let failure = Failure { cause: Cause::NameTaken, request_id: error.request_id().map(str::to_owned) };
            Err(DriveError::Refused(failure))
        }
        Err(error) => Err(refused(&error, target)),
    }
}

/// Gives a drive file the bytes under a key. Fields that the service does not tell are taken to be as asked for.
pub(crate) async fn replace(
    client: &Client,
    key: &str,
    file: FileId,
    expected: Option<ContentHash>,
) -> Result<RemoteFile, DriveError> {
    match client.replace_content(file, key, expected.as_ref()).await {
        Ok(told) => Ok(remote_file(told)),
        Err(error) => Err(error.into()),
    }
}

/// Asks for a signed address.
pub(crate) async fn sign(client: &Client, target: &Target) -> Result<SignedUpload, DriveError> {
    client.sign_upload(target).await.map_err(|error| refused(&error, target))
}

/// The content that was put. If storage had the blob already, it did not read all of the body; the file is then read
/// here.
pub(crate) async fn content_of(put: Put, source: &Source) -> Result<ContentHash, DriveError> {
    match put.sha256 {
        Some(hash) => Ok(hash),
        None => Ok(source.hash().await?),
    }
}

/// Looks in a folder for the file that was sent.
pub(crate) async fn find(
    client: &Client,
    sent: &Fingerprint,
    folder: Option<FolderId>,
) -> Result<Option<(FileId, RemoteFile)>, DriveError> {
    let found = client.find_uploaded(sent, folder).await?;
    Ok(found.map(|file| {
        let id = file.id;
        // The list may not tell the folder, but it was asked for this one's files.
        (id, RemoteFile { folder: file.folder_id.unwrap_or(folder), ..remote_file(file) })
    }))
}

/// One file; `None` when it is gone.
pub(crate) async fn get_file(client: &Client, file: FileId) -> Result<Option<RemoteFile>, DriveError> {
    Ok(get_record(client, file).await?.map(remote_file))
}

/// The service's record of one file; `None` when it is gone.
pub(crate) async fn get_record(client: &Client, file: FileId) -> Result<Option<File>, DriveError> {
    match client.get_file(file).await {
        Ok(told) => Ok(Some(told)),
        Err(error) if error.error_type() == Some(&ErrorType::NotFound) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Moves an item.
pub(crate) async fn move_item(client: &Client, item: ItemRef, folder: Option<FolderId>) -> Result<(), DriveError> {
    client.move_item(item, folder).await?;
    Ok(())
}

/// Renames an item.
pub(crate) async fn rename_item(client: &Client, item: ItemRef, name: &str) -> Result<(), DriveError> {
    client.rename_item(item, name).await?;
    Ok(())
}
