//! The drive folder that the command line names: by its id, or by its path.

use std::borrow::Cow;

use easel_client::{Client, PageRequest, Place, Walk};
use easel_sync::Error;
use easel_sync::folders::{Folder, Target};
use easel_sync::plan::names;
use easel_wire::FolderId;
use easel_wire::error::code;
use uuid::Uuid;

use crate::code::Code;
use crate::options::{ExitError, Options};

/// Folders a page, the most that the list allows.
const PAGE: u16 = 200;

/// The folder that `text` names. If that is allowed, missing folders above it are made; the folder itself is not.
pub(crate) async fn find_target(client: &Client, text: &str, may_make: bool) -> Result<Target, ExitError> {
    if let Some(folder) = FolderId::of_its_prefix(text) {
        return Ok(Target::Existing(folder));
    }
    let mut parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty()).collect();
    let Some(name) = parts.pop() else {
        return Err(ExitError::new(Code::Usage, "the whole drive cannot stand for a folder: name one in it"));
    };
    let mut parent = None;
    for part in parts {
        parent = Some(match find(client, parent, part).await? {
            Some(found) => found,
            None if may_make => make(client, parent, part).await?,
            None => return Err(Error::DriveFolderGone.into()),
        });
    }
    Ok(Target::New { parent, name: name.to_owned() })
}

/// Refuses to go on where the folder is synced with another drive folder than the command line names.
pub(crate) async fn check_same(client: &Client, options: &Options, known: &Folder) -> Result<(), ExitError> {
    let is_same = match FolderId::of_its_prefix(&options.drive) {
        Some(folder) => folder == known.drive_folder_id,
        // If it was last seen under this path, it need not be looked for.
        None if is_same_path(&known.drive_path, &options.drive) => true,
        None => match find_target(client, &options.drive, false).await {
            Ok(Target::New { parent, name }) => find(client, parent, &name).await? == Some(known.drive_folder_id),
            // The drive folder may have been moved since: then it is still the same.
            _ => true,
        },
    };
    if is_same {
        return Ok(());
    }
    let words = format!(
        "{} is synced with {} in the drive; to begin anew with another, name another --state",
        known.path.display(),
        known.drive_path
    );
    Err(ExitError::new(Code::Usage, words))
}

fn is_same_path(one: &str, other: &str) -> bool {
    fn parts(path: &str) -> impl Iterator<Item = Cow<'_, str>> {
        path.split('/').filter(|part| !part.is_empty()).map(names::key)
    }
    parts(one).eq(parts(other))
}

async fn find(client: &Client, parent: Option<FolderId>, name: &str) -> Result<Option<FolderId>, ExitError> {
    let place = parent.map_or(Place::Top, Place::In);
    let mut walk = Walk::new(PageRequest { limit: Some(PAGE), ..PageRequest::default() });
    loop {
        let page =
            client.list_folders(&place, walk.request()).await.map_err(|error| ExitError::from_service(&error))?;
        if let Some(found) = page.items.iter().find(|found| names::key(&found.name) == names::key(name)) {
            return Ok(Some(found.id));
        }
        let first = page.items.first().map(|folder| folder.id.text());
        if !walk.go_on(&page, first.as_deref()).map_err(|error| ExitError::from_service(&error))? {
            return Ok(None);
        }
    }
}

async fn make(client: &Client, parent: Option<FolderId>, name: &str) -> Result<FolderId, ExitError> {
    match client.create_folder(name, parent, &Uuid::new_v4().to_string()).await {
        Ok(made) => Ok(made.id),
        // Someone else made the folder first.
        Err(error) if error.code() == Some(code::FOLDER_NAME_CONFLICT) => {
            let existing = error.existing_id().and_then(|id| id.parse().ok());
            existing.ok_or_else(|| ExitError::from_service(&error))
        }
        Err(error) => Err(ExitError::from_service(&error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_the_same_however_it_is_written() {
        for (one, other, expected) in [
            ("/Brand/Photos", "Brand/Photos", true),
            ("/Brand/Photos", "/brand/photos/", true),
            ("/Brand/Photos", "Brand", false),
            ("/Brand/Photos", "Photos/Brand", false),
        ] {
            assert_eq!(is_same_path(one, other), expected, "{one} {other}");
        }
    }
}
