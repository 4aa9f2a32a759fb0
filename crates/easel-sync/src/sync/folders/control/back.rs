//! Carries out a person's answer about a drive that went back in time.
//!
//! Always true: keeping the local files deletes and moves nothing here; an older version that the drive has again is
//! replaced as in any edit, after the newer one has arrived; the question is over when its answer is written down.

use super::Control;
use super::commands::of_store;
use crate::shared::error::Error;
use crate::sync::ports::{Settlement, Store as _};
use crate::sync::tree::{Agreement, Change, FileRecord, Place, Record, Role, Sides};

impl Control {
    /// Keeps the local files and sends them again. For that, files that the drive does not have any more lose their
    /// records; for files of which the drive has an earlier state again, that state becomes the agreed one, so that the
    /// local file is an edit of it, or was moved.
    pub(super) async fn keep_and_send_again(&mut self) -> Result<(), Error> {
        // The look that found this out may still be under way, and then the index mixes two moments.
        self.shared.index.want_whole();
        self.shared.index.refresh(&self.shared.client(), true).await?;
        self.asked = None;
        self.forget_engine();
        let (agreed, _) = self.state_store.load_all().await.map_err(|error| of_store(&error))?;
        let mut changes = Vec::new();
        for (path, record) in agreed.records {
            if record.sides == Sides::Both
                && let Some(change) = self.as_once(&path, &record).await?
            {
                changes.push(change);
            }
        }
        self.state_store
            .settle(&Settlement { changes, ..Settlement::default() })
            .await
            .map_err(|error| of_store(&error))?;
        self.forget_going_back().await
    }

    /// The change to a path's record where the drive has an earlier state; `None` where the drive has what was agreed
    /// on.
    async fn as_once(&self, path: &str, record: &Record) -> Result<Option<Change>, Error> {
        let index = &self.shared.index;
        let actual = match &record.agreement {
            Agreement::Folder { folder, .. } => {
                let Some(seen) = index.folder(*folder) else { return Ok(Some(Change::Forget(path.to_owned()))) };
                seen.parent.map(|folder| Place { folder, name: seen.name })
            }
            Agreement::File(file) => match index.file(file.file).await? {
                Some(seen) if file.is_overtaken_by(&seen) => {
                    // The drive has an earlier content: the local file is an edit of that.
                    let stamp = file.stamp.of_no_file();
                    let hash = seen.hash.unwrap_or_default();
                    let agreement = Agreement::File(FileRecord { stamp, changed_us: None, hash, ..file.clone() });
                    let actual = seen.folder.map(|folder| Place { folder, name: seen.name });
                    let place = actual.unwrap_or_else(|| record.place.clone());
                    return Ok(Some(Change::Put(path.to_owned(), Record { agreement, place, ..record.clone() })));
                }
                Some(seen) => seen.folder.map(|folder| Place { folder, name: seen.name }),
                None => {
                    let older = index.find_file(&record.place).await?.filter(|_| file.role == Role::Home);
                    let Some((id, seen)) = older else { return Ok(Some(Change::Forget(path.to_owned()))) };
                    // No local file ever had this content: so the local file is an edit.
                    let agreement = Agreement::File(FileRecord {
                        file: id,
                        role: Role::Home,
                        stamp: file.stamp.of_no_file(),
                        changed_us: None,
                        hash: seen.hash.unwrap_or_default(),
                        replaces: Vec::new(),
                        is_pointer: false,
                    });
                    return Ok(Some(Change::Put(path.to_owned(), Record { agreement, ..record.clone() })));
                }
            },
        };
        let moved = actual.filter(|actual| *actual != record.place);
        Ok(moved.map(|place| Change::Put(path.to_owned(), Record { place, ..record.clone() })))
    }

    /// Notes that the person has answered.
    pub(super) async fn forget_going_back(&mut self) -> Result<(), Error> {
        if self.shared.index.has_gone_back(self.watch.drive_folder) {
            self.shared.journal.forget_went_back(self.watch.id).await?;
            self.shared.index.forget_going_back(self.watch.drive_folder);
        }
        Ok(())
    }
}
