//! Where the contents are that have to come back: in files of the folder, in the trashes of this computer, in versions and in
//! the trash of the drive.
//!
//! Always true: nothing is changed; a file of this computer was read to its end and held what is wanted. What lies nearest is
//! taken first. Not here: fetching (`doing`).

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use easel_client::{Client, Feature, PageRequest};
use easel_wire::{FileId, FolderId, ItemRef};
use futures_util::{StreamExt as _, TryStreamExt as _};
use sha2::{Digest as _, Sha256};

use crate::shared::error::Error;
use crate::sync::conflicts::of_disk;
use crate::sync::disk::LocalDisk;
use crate::sync::revert::{Item, Items, PastChange, Source, Sources, TrashedPlace, Undoing, Wanted};
use crate::sync::tree::{self, Agreement, ContentHash, Record};

/// Items of a page of the drive's trash.
const PAGE: u16 = 200;
/// Pages of it that are looked through at most: what was deleted since is at the top.
const MOST_PAGES: usize = 100;
/// So many files are asked for their versions at once.
const ASKED_AT_ONCE: usize = 4;

/// See the module.
pub(super) struct Search<'a> {
    pub disk: &'a LocalDisk,
    pub client: &'a Client,
    pub items: &'a Items,
    pub changes: &'a [PastChange],
    /// The drive folder.
    pub root: FolderId,
}

impl Search<'_> {
    /// Finds what has to come back, as far as anything holds it.
    pub async fn find(&self, undoing: &Undoing<'_>, records: &BTreeMap<String, Record>) -> Result<Sources, Error> {
        let wanted = undoing.wanted();
        let folders_here = records.values().filter_map(|record| match record.agreement {
            Agreement::Folder { folder, identity } => Some((identity, folder)),
            Agreement::File(_) => None,
        });
        let mut sources =
            Sources { root: Some(self.root), drive_folders: folders_here.collect(), ..Sources::default() };
        let has_deleted = wanted.iter().any(|wanted| wanted.deleted.is_some());
        let folders: BTreeSet<_> = undoing.folders().into_iter().filter_map(|(_, folder)| folder).collect();
        if has_deleted || !folders.is_empty() {
            self.look_through_trash(&wanted, &folders, &mut sources).await?;
        }
        self.look_in_folder(&wanted, &mut sources);
        self.look_through_local_trash(&wanted, &mut sources).await?;
        self.look_for_versions(&wanted, records, &mut sources).await?;
        Ok(sources)
    }

    /// Files that hold the same and that nothing is about to be done with.
    fn look_in_folder(&self, wanted: &[Wanted], sources: &mut Sources) {
        let hashes: BTreeSet<ContentHash> = wanted.iter().map(|wanted| wanted.content.hash).collect();
        let touched: BTreeSet<&str> = self.changes.iter().map(|change| change.path.as_str()).collect();
        for (path, item) in self.items {
            let Item::File { hash: Some(hash), .. } = item else { continue };
            let is_touched =
                || touched.contains(path.as_str()) || tree::above(path).any(|above| touched.contains(above));
            if hashes.contains(hash) && !is_touched() {
                sources.contents.entry(*hash).or_insert_with(|| Source::Here(self.disk.path().join(path)));
            }
        }
    }

    async fn look_through_local_trash(&self, wanted: &[Wanted], sources: &mut Sources) -> Result<(), Error> {
        let missing: Vec<&Wanted> = missing(wanted, sources).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let trashed = self.disk.list_trashed().await.map_err(|cause| of_disk("", cause))?;
        for Wanted { was_at, content, .. } in missing {
            for candidate in trashed.of(was_at) {
                if holds(candidate, content.bytes, content.hash).await {
                    sources.contents.insert(content.hash, Source::Here(candidate.clone()));
                    break;
                }
            }
        }
        Ok(())
    }

    async fn look_for_versions(
        &self,
        wanted: &[Wanted],
        records: &BTreeMap<String, Record>,
        sources: &mut Sources,
    ) -> Result<(), Error> {
        let mut files: BTreeSet<FileId> = BTreeSet::new();
        for Wanted { path, content, .. } in missing(wanted, sources) {
            let own = records.get(path).and_then(Record::as_file).map(|file| file.file);
            files.extend([Some(content.file), own].into_iter().flatten());
        }
        files.retain(|file| !sources.trashed_files.contains_key(file));
        if self.client.offers(Feature::FileVersions) == Some(false) {
            return Ok(());
        }
        let ask = |file: FileId| async move {
            match self.client.list_versions(file).await {
                Ok(versions) => Ok((file, versions)),
                // A file that is gone has none, and neither has one of a service that keeps none.
                Err(error) if is_nothing(&error) => Ok((file, Vec::new())),
                Err(error) => Err(Error::from(error)),
            }
        };
        let listed: Vec<_> =
            futures_util::stream::iter(files).map(ask).buffer_unordered(ASKED_AT_ONCE).try_collect().await?;
        for (file, versions) in listed {
            for version in versions {
                let hash = version.content_hash.as_deref().and_then(crate::shared::drive_file::parse_hash);
                if let Some(hash) = hash {
                    sources.contents.entry(hash).or_insert(Source::Version(file, version.id));
                }
            }
        }
        Ok(())
    }

    /// The drive's trash, the newest first, until all is found that may be in it.
    async fn look_through_trash(
        &self,
        wanted: &[Wanted],
        folders: &BTreeSet<FolderId>,
        sources: &mut Sources,
    ) -> Result<(), Error> {
        let files: BTreeSet<FileId> =
            wanted.iter().filter_map(|wanted| wanted.deleted.as_ref()).map(|deleted| deleted.file).collect();
        if self.client.offers(Feature::Trash) == Some(false) {
            return Ok(());
        }
        let mut next = Some(PageRequest { limit: Some(PAGE), ..PageRequest::default() });
        for _ in 0..MOST_PAGES {
            let Some(request) = next else { break };
            let page = match self.client.list_trash(&request).await {
                Ok(page) => page,
                Err(error) if is_nothing(&error) => break,
                Err(error) => return Err(error.into()),
            };
            for item in &page.items {
                let place = TrashedPlace { name: item.name.clone(), folder: item.folder_id };
                match item.id {
                    ItemRef::File(file) => drop(sources.trashed_files.insert(file, place)),
                    ItemRef::Folder(folder) => drop(sources.trashed_folders.insert(folder, place)),
                    ItemRef::Canvas(_) => {}
                }
            }
            let is_all = files.iter().all(|file| sources.trashed_files.contains_key(file))
                && folders.iter().all(|folder| sources.trashed_folders.contains_key(folder));
            next = request.after(&page).filter(|_| !is_all);
        }
        Ok(())
    }
}

/// What is wanted and not found yet, the drive's trash included.
fn missing<'a>(wanted: &'a [Wanted], sources: &Sources) -> impl Iterator<Item = &'a Wanted> {
    let is_had = |wanted: &Wanted| {
        let trashed = wanted.deleted.as_ref().filter(|deleted| sources.trashed_files.contains_key(&deleted.file));
        let is_trashed = trashed.is_some_and(|trashed| trashed.hash == wanted.content.hash);
        is_trashed || sources.contents.contains_key(&wanted.content.hash)
    };
    let missing: Vec<&Wanted> = wanted.iter().filter(|wanted| !is_had(wanted)).collect();
    missing.into_iter()
}

fn is_nothing(error: &easel_client::Error) -> bool {
    matches!(error, easel_client::Error::RouteMissing | easel_client::Error::Api { status: 404, .. })
}

/// Whether a file of this computer holds a content.
pub(super) async fn holds(path: &Path, bytes: u64, hash: ContentHash) -> bool {
    let path: PathBuf = path.to_owned();
    let read = tokio::task::spawn_blocking(move || {
        let is_it = std::fs::symlink_metadata(&path).is_ok_and(|found| found.is_file() && found.len() == bytes);
        is_it && hash_of(&path).is_ok_and(|found| found == hash)
    });
    read.await.unwrap_or_default()
}

/// What a file holds. Blocking.
pub(super) fn hash_of(path: &Path) -> std::io::Result<ContentHash> {
    let mut file = std::fs::File::open(path)?;
    let mut hasher = Sha256::new();
    let mut piece = vec![0; 256 * 1024];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hasher.finalize().into()),
            count => hasher.update(&piece[..count]),
        }
    }
}
