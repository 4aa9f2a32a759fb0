//! What is set aside in a bucket: `aside/<moment>/<hex>`, with the note of the days beside the batches, as in a folder.
//!
//! A bucket renames nothing, so a content is copied and then removed from where it was. Always true: a move that is broken off leaves it
//! in both places, and is ended by the next one; nothing is concluded from a list that did not come to its end. Not here: when
//! something is set aside, and for how long.

use std::collections::{BTreeMap, HashSet};

use data_encoding::HEXLOWER;
use easel_wire::Timestamp;
use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::path::Path;

use super::aside::{ASIDE, Days, NOTE, SetAside, is_over};
use super::bucket::{Bucket, hash_in};
use super::place::{ContentHash, place_of};
use crate::core::error::Error;

/// So many contents are moved at the same time.
const MOVED_AT_ONCE: usize = 8;

/// A content in a batch.
struct Lying {
    hash: ContentHash,
    size_bytes: u64,
    since: Timestamp,
    key: Path,
}

impl Bucket {
    /// See [`super::store::Blobs::set_aside`].
    pub(super) async fn set_aside(&self, referred: &HashSet<ContentHash>, now: Timestamp) -> Result<usize, Error> {
        let mut contents = self.list_contents().await?;
        contents.retain(|hash| !referred.contains(hash));
        let count = contents.len();
        let moves = contents.into_iter().map(|hash| {
            let bucket = self.clone();
            async move { bucket.move_to(&place_of(&hash), &place_aside(&hash, now)).await }
        });
        stream::iter(moves).buffer_unordered(MOVED_AT_ONCE).try_collect::<()>().await?;
        Ok(count)
    }

    /// See [`super::store::Blobs::restore_referred`].
    pub(super) async fn restore_referred(&self, referred: &HashSet<ContentHash>) -> Result<usize, Error> {
        let aside: HashSet<ContentHash> = self.lying_aside().await?.into_iter().map(|one| one.hash).collect();
        let wanted: Vec<_> = aside.intersection(referred).collect();
        if wanted.is_empty() {
            return Ok(0);
        }
        let there: HashSet<ContentHash> = self.list_contents().await?.into_iter().collect();
        let mut back = 0;
        for hash in wanted.into_iter().filter(|hash| !there.contains(*hash)) {
            self.bring_back(hash).await?;
            back += 1;
        }
        Ok(back)
    }

    /// See [`super::store::Blobs::list_aside`].
    pub(super) async fn list_aside(&self) -> Result<Vec<SetAside>, Error> {
        let days = self.read_days().await?;
        let mut aside = BTreeMap::new();
        for one in self.lying_aside().await? {
            let days = days.of(&one.since.as_micros().to_string());
            aside.insert(one.hash, SetAside::new(one.hash, one.size_bytes, one.since, days));
        }
        Ok(aside.into_values().collect())
    }

    /// See [`super::store::Blobs::bring_back`].
    pub(super) async fn bring_back(&self, hash: &ContentHash) -> Result<(), Error> {
        if self.look_up(&place_of(hash)).await?.is_some() {
            return Ok(());
        }
        let copies = self.copies_aside(hash).await?;
        let newest = copies.first().ok_or_else(|| Error::from(std::io::Error::from(std::io::ErrorKind::NotFound)))?;
        self.copy(newest, &place_of(hash)).await?;
        for copy in &copies {
            self.delete(copy).await?;
        }
        Ok(())
    }

    /// Where every copy of this content lies that was set aside, the newest first.
    pub(super) async fn copies_aside(&self, hash: &ContentHash) -> Result<Vec<Path>, Error> {
        let lying = self.lying_aside().await?.into_iter().rev();
        Ok(lying.filter(|one| one.hash == *hash).map(|one| one.key).collect())
    }

    /// See [`super::store::Blobs::count_day_aside`].
    pub(super) async fn count_day_aside(&self) -> Result<(), Error> {
        let before = self.read_days().await?;
        let batches: HashSet<String> =
            self.lying_aside().await?.iter().map(|one| one.since.as_micros().to_string()).collect();
        let note = Path::from_iter([ASIDE, NOTE]);
        if batches.is_empty() {
            return self.delete(&note).await;
        }
        let counted = batches.into_iter().map(|batch| {
            let days = before.of(&batch).saturating_add(1);
            (batch, days)
        });
        let text = serde_json::to_vec(&Days(counted.collect())).map_err(|_| Error::Corrupt("a count of days"))?;
        self.write_note(note.as_ref(), text).await
    }

    /// See [`super::store::Blobs::forget_aside`].
    pub(super) async fn forget_aside(&self, now: Timestamp) -> Result<usize, Error> {
        let days = self.read_days().await?;
        let mut forgotten = 0;
        for one in self.lying_aside().await? {
            if is_over(one.since, days.of(&one.since.as_micros().to_string()), now) {
                self.delete(&one.key).await?;
                forgotten += 1;
            }
        }
        Ok(forgotten)
    }

    async fn read_days(&self) -> Result<Days, Error> {
        let text = self.read_note(Path::from_iter([ASIDE, NOTE]).as_ref()).await?;
        // A note that is lost makes everything new, so that it is kept for longer.
        Ok(text.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default())
    }

    /// Everything that is set aside, the oldest first.
    async fn lying_aside(&self) -> Result<Vec<Lying>, Error> {
        let mut lying = Vec::new();
        let mut found = self.list(ASIDE);
        while let Some(found) = found.next().await.transpose()? {
            let moment = found.location.parts().nth(1).and_then(|part| part.as_ref().parse().ok());
            if let (Some(moment), Some(hash)) = (moment, hash_in(&found.location)) {
                let since = Timestamp::from_micros(moment);
                lying.push(Lying { hash, size_bytes: found.size, since, key: found.location });
            }
        }
        lying.sort_by_key(|one| one.since);
        Ok(lying)
    }
}

/// Where a content lies that is set aside at this moment.
pub(super) fn place_aside(hash: &ContentHash, now: Timestamp) -> Path {
    Path::from_iter([ASIDE, &now.as_micros().to_string(), &HEXLOWER.encode(hash)])
}
