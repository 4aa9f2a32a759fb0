//! A cache of pictures on disk, within a bound.
//!
//! Always true: a picture appears whole or not at all; all together never take more than the bound, because room is
//! made before one is written, by removing those that were not looked at for longest; if the folder cannot be used,
//! pictures are only fetched again. Not here: what a picture shows.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use easel_client::Picture;
use sha2::{Digest, Sha256};
use tokio::sync::Mutex;

use crate::data_dir::make_private_folder;

/// What all pictures together may take.
const MOST_BYTES: u64 = 256 * 1024 * 1024;
/// Which part of that is written before the folder is measured again.
const PARTS: u64 = 16;
/// Ends the picture's type, which stands before its bytes.
const END_OF_TYPE: u8 = b'\n';

#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
    /// Bytes that may be written before the folder is measured again; none at first. Whoever writes holds it.
    room_bytes: Mutex<u64>,
    most_bytes: u64,
}

impl Cache {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder, room_bytes: Mutex::default(), most_bytes: MOST_BYTES }
    }

    /// The picture with this name, which now counts as looked at.
    pub(super) async fn get(&self, key: &str) -> Option<Picture> {
        let path = self.path_of(key);
        tokio::task::spawn_blocking(move || read(&path)).await.ok()?
    }

    /// Keeps a picture; that this fails is no error.
    pub(super) async fn put(&self, key: &str, picture: &Picture) {
        let (folder, path, picture) = (self.folder.clone(), self.path_of(key), picture.clone());
        let bytes = (picture.mime_type.len() + 1 + picture.bytes.len()) as u64;
        let part = self.most_bytes / PARTS;
        let Some(others_bytes) = (self.most_bytes - part).checked_sub(bytes) else { return };
        let mut room_bytes = self.room_bytes.lock().await;
        let measures = bytes > *room_bytes;
        // Until the folder could be measured, there is no room.
        let room_after = if measures { part } else { *room_bytes - bytes };
        *room_bytes = 0;
        let kept = tokio::task::spawn_blocking(move || {
            make_private_folder(&folder)?;
            if measures {
                shrink(&folder, others_bytes)?;
            }
            write(&folder, &path, &picture)
        });
        match kept.await {
            Ok(Ok(())) => *room_bytes = room_after,
            Ok(Err(error)) => tracing::debug!(%error, "a picture could not be kept"),
            Err(error) => tracing::debug!(%error, "a picture could not be kept"),
        }
    }

    /// A name of one length from letters that every file system takes, whatever the key holds.
    fn path_of(&self, key: &str) -> PathBuf {
        let digest = Sha256::digest(key.as_bytes());
        let name: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(name)
    }
}

fn read(path: &Path) -> Option<Picture> {
    let content = fs::read(path).ok()?;
    let end = content.iter().position(|byte| *byte == END_OF_TYPE)?;
    let mime_type = String::from_utf8(content[..end].to_vec()).ok()?;
    if let Ok(file) = fs::File::options().write(true).open(path) {
        // The time is set so that pictures which are looked at stay; on a file system without times the newest stay.
        let _ = file.set_modified(SystemTime::now());
    }
    let bytes = bytes::Bytes::from(content).slice(end + 1..);
    Some(Picture { mime_type, bytes })
}

fn write(folder: &Path, path: &Path, picture: &Picture) -> io::Result<()> {
    // Each write has a file name of its own, because the same picture may be written by two at once.
    let part = folder.join(format!("{}.part", uuid::Uuid::new_v4()));
    let mut content = Vec::with_capacity(picture.mime_type.len() + 1 + picture.bytes.len());
    content.extend_from_slice(picture.mime_type.as_bytes());
    content.push(END_OF_TYPE);
    content.extend_from_slice(&picture.bytes);
    fs::write(&part, content)?;
    fs::rename(&part, path).inspect_err(|_| drop(fs::remove_file(&part)))
}

/// Removes what was not looked at for longest, where all together are too much.
fn shrink(folder: &Path, most_bytes: u64) -> io::Result<()> {
    let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder)?.flatten() {
        if let Ok(metadata) = entry.metadata() {
            files.push((metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH), metadata.len(), entry.path()));
        }
    }
    let mut bytes: u64 = files.iter().map(|(_, size, _)| size).sum();
    if bytes <= most_bytes {
        return Ok(());
    }
    files.sort();
    for (_, size, path) in files {
        if bytes <= most_bytes / 4 * 3 {
            break;
        }
        fs::remove_file(path)?;
        bytes -= size;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(bytes: usize) -> Picture {
        Picture { mime_type: "image/png".to_owned(), bytes: vec![7; bytes].into() }
    }

    #[tokio::test]
    async fn a_picture_reads_back_with_its_type() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().join("media"));
        assert_eq!(cache.get("a").await, None);
        cache.put("a", &picture(3)).await;
        cache.put("../b", &picture(2)).await;
        assert_eq!(cache.get("a").await, Some(picture(3)));
        assert_eq!(cache.get("../b").await, Some(picture(2)));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "a key never leads out of the folder");
    }

    fn bytes_on_disk(folder: &Path) -> u64 {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum()
    }

    #[tokio::test]
    async fn all_together_never_take_more_than_the_bound() {
        let folder = tempfile::tempdir().unwrap();
        // What an earlier Easel left, and a crash while it wrote.
        fs::write(folder.path().join("left.part"), [7; 30_000]).unwrap();
        let cache = Cache { most_bytes: 40_000, ..Cache::new(folder.path().to_owned()) };
        let mut peak = 0;
        for number in 0_usize..400 {
            // From a few bytes to half of the bound, several at once.
            let size = number * 7_919 % if number % 10 == 0 { 20_000 } else { 900 };
            let (one, other) = (format!("{number}"), format!("{number} too"));
            let (large, small) = (picture(size), picture(size / 2));
            tokio::join!(cache.put(&one, &large), cache.put(&other, &small));
            peak = peak.max(bytes_on_disk(folder.path()));
            assert!(peak <= cache.most_bytes, "{peak} after {number}");
        }
        assert!(peak > cache.most_bytes / 2, "the cache is used: {peak}");
        cache.put("larger than all", &picture(39_990)).await;
        assert_eq!(cache.get("larger than all").await, None);
    }

    #[tokio::test]
    async fn what_was_not_looked_at_for_longest_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache { most_bytes: 4_000, ..Cache::new(folder.path().to_owned()) };
        let ages_s = [40, 10, 30, 20];
        for (name, age_s) in ["a", "b", "c", "d"].into_iter().zip(ages_s) {
            cache.put(name, &picture(900)).await;
            let file = fs::File::options().write(true).open(cache.path_of(name)).unwrap();
            file.set_modified(SystemTime::now() - std::time::Duration::from_secs(age_s)).unwrap();
        }
        cache.put("e", &picture(900)).await;
        let mut left = Vec::new();
        for name in ["a", "b", "c", "d", "e"] {
            if cache.get(name).await.is_some() {
                left.push(name);
            }
        }
        assert_eq!(left, ["b", "d", "e"]);
    }
}
