//! Files that Easel made itself, which wait here to be sent: pasted pictures, logos that were found in a file, and what a
//! copy of the studio brings.
//!
//! Always true: each is in a folder of its own, so that its name stays as it is; only this user may read it; it goes when
//! it is in the drive.

use std::io;
use std::path::{Path, PathBuf};

use crate::data_dir::make_private_folder;

/// Writes a picture that has no file where it waits to be sent, in a folder of its own so that its name stays as it is.
pub(crate) async fn keep_picture(pasted: &Path, name: &str, bytes: Vec<u8>) -> io::Result<PathBuf> {
    let folder = pasted.join(uuid::Uuid::now_v7().to_string());
    let path = folder.join(name);
    let kept = path.clone();
    let written = tokio::task::spawn_blocking(move || {
        make_private_folder(&folder)?;
        std::fs::write(&path, bytes)
    });
    written.await.map_err(io::Error::other)??;
    Ok(kept)
}

/// Removes such a file that is in the drive now, together with its folder.
pub(crate) fn remove_kept(pasted: &Path, path: &Path) {
    let Some(folder) = path.parent().filter(|folder| folder.parent() == Some(pasted)) else { return };
    if let Err(error) = std::fs::remove_dir_all(folder) {
        tracing::debug!(%error, "a file that was sent could not be removed here");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_pasted_picture_goes_when_it_is_in_the_drive_and_nothing_else_does() {
        let folder = tempfile::tempdir().unwrap();
        let pasted = folder.path().join("pasted");
        let picture = keep_picture(&pasted, "Pasted picture 2026-11-20 14.03.22.png", vec![1, 2]).await.unwrap();
        assert_eq!(picture.file_name().unwrap(), "Pasted picture 2026-11-20 14.03.22.png");
        let own = folder.path().join("own.png");
        std::fs::write(&own, "x").unwrap();
        remove_kept(&pasted, &own);
        assert!(own.exists());
        remove_kept(&pasted, &picture);
        assert!(!picture.exists() && pasted.exists());
    }
}
