//! Puts contents in order when the studio starts, and removes what was set aside once its time is over.
//!
//! A folder is put in order before the first request. A bucket takes long to look through, so a process that found itself alone does so
//! after its start, while requests come, and of several processes one does once a day. No content is deleted. One
//! that no row names may be left from a crash between blob and commit, or all contents may be, where a database was restored. Such a
//! content is set aside for 30 days, and comes back with a database that names it, before the first request of the next process alone.
//! Always true: nothing is removed sooner than an hour after a start, nor before the studio has served for as many days as the content is
//! kept, whatever the clock says by then. Deliberately not here: staged uploads that nobody registered, which are never removed
//! (specification, "Endpoints", behaviour rule 5).

use std::collections::HashSet;
use std::time::Duration;

use easel_wire::Timestamp;
use futures_util::future::BoxFuture;

use super::audit_log;
use crate::blobs::{Blobs, ContentHash, Fate};
use crate::core::clock::DAY_US;
use crate::core::error::Error;
use crate::db::drive::trash;
use crate::db::{Db, drive, invitations, rates, removals, served_days, uploads};
use crate::studio::unused::{remove_unused, set_aside_unused};
use crate::studio::{SharedStudio, Studio};

/// How often what was set aside is looked at.
const EVERY: Duration = Duration::from_secs(60 * 60);
/// The least time between two counted days, so that a clock that jumps to and fro makes no days.
const MOST_OF_A_DAY: Duration = Duration::from_secs(20 * 60 * 60);
/// How long an invitation that was redeemed or revoked is kept, in microseconds.
const CLOSED_INVITATIONS_KEPT_US: i64 = 30 * DAY_US;
/// After so long the removal of a content is taken over from a process that does not hold it any more, in microseconds: what it sent to
/// the bucket has arrived by then.
const LEFT_AFTER_US: i64 = 30_000_000;
/// How long a removal that is over is remembered, in microseconds: no content is on its way for so long.
const REMOVALS_KEPT_US: i64 = 7 * DAY_US;
/// How often what a backup kept from being removed is tried again.
const AFTER_BACKUPS: Duration = Duration::from_secs(5);

/// Takes back every content of a data folder that a row names and sets aside every one that none does. Before the first request.
///
/// # Errors
/// [`Error::Database`], [`Error::Io`], [`Error::StorageFull`].
pub async fn settle_folder(db: &Db, blobs: &Blobs, now: Timestamp) -> Result<(), Error> {
    let used = drive::files::list_content_hashes(&mut *db.read().acquire().await?).await?;
    restore_named(blobs, used.clone()).await?;
    tell_aside(blobs.set_aside(used, now).await?);
    discard_registered(db, blobs, now).await
}

/// Takes back every content that was set aside and that a row names. Before the first request of a process with a bucket, which asks it
/// only for what is set aside there.
///
/// # Errors
/// [`Error::Database`], [`Error::ContentsUnavailable`].
pub async fn take_back_named(db: &Db, blobs: &Blobs) -> Result<(), Error> {
    // In a large studio it takes a while to learn what is named, and mostly nothing is set aside.
    if blobs.list_aside().await?.is_empty() {
        return Ok(());
    }
    restore_named(blobs, drive::files::list_content_hashes(&mut *db.read().acquire().await?).await?).await
}

/// Looks through a bucket after the start of a process that found itself alone, until the studio stops. A failure is tried again.
pub async fn settle_bucket_once(studio: SharedStudio) {
    let stopping = &studio.active_tasks.stopping;
    while let Some(settled) = stopping.run_until_cancelled(settle_bucket(&studio)).await {
        let Err(error) = settled else { return };
        tracing::warn!(%error, "the bucket cannot be looked through; it is tried again");
        if stopping.run_until_cancelled(tokio::time::sleep(EVERY)).await.is_none() {
            return;
        }
    }
}

/// Does for a bucket what [`settle_folder`] does for a folder, while requests come, and other processes are at work: each content that is
/// to be set aside is asked for once more under the write lock, and kept from those who bring it.
fn settle_bucket(studio: &Studio) -> BoxFuture<'_, Result<(), Error>> {
    Box::pin(async move {
        let Studio { db, blobs, .. } = studio;
        let now = studio.clock.now();
        let used = drive::files::list_content_hashes(&mut *db.read().acquire().await?).await?;
        restore_named(blobs, used.clone()).await?;
        let mut unnamed = blobs.list_contents().await?;
        unnamed.retain(|hash| !used.contains(hash));
        tell_aside(set_aside_unused(db, blobs, &unnamed, now).await?);
        discard_registered(db, blobs, now).await
    })
}

async fn restore_named(blobs: &Blobs, named: HashSet<ContentHash>) -> Result<(), Error> {
    let contents = blobs.restore_referred(named).await?;
    if contents > 0 {
        tracing::warn!(contents, "took back contents that were set aside and that the database names");
    }
    Ok(())
}

fn tell_aside(contents: usize) {
    if contents > 0 {
        tracing::warn!(
            contents,
            "set aside contents that the database does not name; they are kept for 30 days: easel-studio contents list"
        );
    }
}

/// Removes staged uploads that were registered, and forgets those past their day.
async fn discard_registered(db: &Db, blobs: &Blobs, now: Timestamp) -> Result<(), Error> {
    blobs.discard_staged(&uploads::list_consumed(db).await?).await?;
    let mut tx = db.begin_beside().await?;
    uploads::forget_old(&mut tx, now).await?;
    Ok(tx.commit().await?)
}

/// Counts the days, and removes what was set aside, thrown away or written down once its time is over, until the studio
/// stops.
pub async fn forget_aside(studio: SharedStudio) {
    let mut days = DayCounter::default();
    loop {
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = studio.active_tasks.stopping.cancelled() => return,
        }
        forget_old(&studio, &mut days).await;
    }
}

/// The work of every hour.
pub(crate) async fn forget_old(studio: &Studio, days: &mut DayCounter) {
    if let Err(error) = days.count(studio).await {
        tracing::error!(%error, "the day cannot be counted");
    }
    match studio.blobs.forget_aside(studio.clock.now()).await {
        Ok(0) => {}
        Ok(contents) => tracing::info!(contents, "removed contents that were set aside for 30 days"),
        Err(error) => tracing::error!(%error, "what was set aside cannot be removed"),
    }
    if let Err(error) = empty_old_trash(studio).await {
        tracing::error!(%error, "what has been in the trash for 30 days cannot be removed");
    }
    if let Err(error) = studio.room.lend(|| audit_log::forget_old(studio)).await {
        tracing::error!(%error, "old entries of the audit log cannot be removed");
    }
    if let Err(error) = studio.room.lend(|| forget_closed_invitations(studio)).await {
        tracing::error!(%error, "invitations that are closed cannot be removed");
    }
    // The database may have grown, and there may be room again.
    studio.room.keep_all().await;
}

/// Counts the days of this process.
#[derive(Debug, Default)]
pub(crate) struct DayCounter {
    /// When a day was last counted, by the clock that never goes back.
    counted: Option<Duration>,
}

impl DayCounter {
    /// Counts today, once.
    async fn count(&mut self, studio: &Studio) -> Result<(), Error> {
        let elapsed = studio.clock.elapsed();
        if self.counted.is_some_and(|counted| elapsed.saturating_sub(counted) < MOST_OF_A_DAY) {
            return Ok(());
        }
        // On a full disk too: what is never counted is never over.
        let count = async || {
            let mut tx = studio.db.begin().await?;
            let is_new = served_days::count(&mut tx, studio.clock.now()).await?;
            tx.commit().await?;
            Ok(is_new)
        };
        if studio.room.lend(count).await? {
            self.counted = Some(elapsed);
            studio.room.lend(|| studio.blobs.count_day_aside()).await?;
            // Of several processes one counts the day, and does this for all.
            if studio.is_shared {
                settle_bucket(studio).await?;
                forget_shared(studio).await?;
            }
        }
        Ok(())
    }
}

/// Removes from the trash what has been there for 30 days, a turn at a time, and says how many turns that took.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn empty_old_trash(studio: &Studio) -> Result<u64, Error> {
    let now = studio.clock.now();
    let mut turns = 0;
    loop {
        let expire = async || {
            let mut tx = studio.db.begin().await?;
            let hashes = trash::expire(&mut tx, now).await?;
            tx.commit().await?;
            Ok(hashes)
        };
        let Some(hashes) = studio.room.lend(expire).await? else { return Ok(turns) };
        remove_unused(&studio.db, &studio.blobs, &hashes).await;
        turns += 1;
    }
}

/// Removes invitations that have been closed for 30 days, with the addresses in them, and says how many.
///
/// # Errors
/// [`Error::Database`], [`Error::StorageFull`].
pub async fn forget_closed_invitations(studio: &Studio) -> Result<u64, Error> {
    let before = Timestamp::from_micros(studio.clock.now().as_micros().saturating_sub(CLOSED_INVITATIONS_KEPT_US));
    let mut tx = studio.db.begin().await?;
    let gone = invitations::forget_closed(&mut tx, before).await?;
    tx.commit().await?;
    Ok(gone)
}

/// Removes what was to be removed while a backup held it or another process was at work on it, until the studio stops.
pub async fn remove_what_waited(studio: SharedStudio) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(AFTER_BACKUPS) => {}
            () = studio.active_tasks.stopping.cancelled() => return,
        }
        // A content that a backup still holds waits once more.
        let (mut contents, staged) = studio.blobs.take_waiting();
        contents.extend(take_over_removals(&studio).await);
        contents.sort_unstable();
        contents.dedup();
        if !contents.is_empty() {
            remove_unused(&studio.db, &studio.blobs, &contents).await;
        }
        for location in staged {
            studio.blobs.discard(&location).await;
        }
    }
}

/// Contents of a shared bucket whose removal was begun by a process that is gone, or that was not answered: they are refused to
/// everybody until it is known to be over, so it is begun anew.
/// Returns those that are to be removed; those that are to be set aside are.
async fn take_over_removals(studio: &Studio) -> Vec<[u8; 32]> {
    if !studio.is_shared {
        return Vec::new();
    }
    let taken_over = async {
        let before = studio.clock.now().as_micros().saturating_sub(LEFT_AFTER_US);
        let left = removals::list_left(&mut *studio.db.reader().await?, Timestamp::from_micros(before)).await?;
        let mut removed = Vec::new();
        for (hash, fate) in left {
            match fate {
                Fate::Removed => removed.push(hash),
                Fate::SetAside(at) => drop(set_aside_unused(&studio.db, &studio.blobs, &[hash], at).await?),
            }
        }
        Ok::<_, Error>(removed)
    };
    taken_over.await.unwrap_or_else(|error| {
        tracing::warn!(%error, "what other processes left half removed cannot be taken over");
        Vec::new()
    })
}

/// Forgets what processes have told each other.
async fn forget_shared(studio: &Studio) -> Result<(), Error> {
    let before = studio.clock.now().as_micros().saturating_sub(REMOVALS_KEPT_US);
    let mut tx = studio.db.begin_beside().await?;
    removals::forget_old(&mut tx, Timestamp::from_micros(before)).await?;
    rates::forget_old(&mut tx).await?;
    Ok(tx.commit().await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blobs::Location;
    use crate::core::names::Name;
    use crate::core::page::Start;
    use crate::db::accounts::{self, UserRow};
    use crate::db::drive::{NewFile, insert_file, items};
    use crate::db::{Viewer, for_tests};
    use crate::fixture::{Fixture, count_files};
    use crate::wire::account::{Plan, Role};
    use crate::wire::{FileId, ItemRef, OrganizationId, TeamId, UserId};
    use easel_wire::Timestamp;
    use sha2::{Digest, Sha256};
    use uuid::Uuid;

    /// Writes a content, as an upload does before its row.
    async fn keep(db: &Db, blobs: &Blobs, text: &str) -> (ContentHash, Location) {
        let mut writing = blobs.begin(Uuid::now_v7());
        writing.write(text.as_bytes()).await.unwrap();
        let hash = Sha256::digest(text).into();
        let offered = writing.offer(hash).await.unwrap();
        let tx = db.begin().await.unwrap();
        blobs.keep(&offered).await.unwrap();
        tx.rollback().await.unwrap();
        (hash, offered.location().clone())
    }

    async fn insert_row(db: &Db, hash: ContentHash) -> (Viewer, FileId) {
        let (now, team) = (Timestamp::from_micros(1), TeamId::from_uuid(Uuid::now_v7()));
        let user = UserRow {
            id: UserId::from_uuid(Uuid::now_v7()),
            email: "a@example.org".to_owned(),
            name: "a".to_owned(),
            role: Role::Owner,
        };
        let mut tx = db.begin().await.unwrap();
        let organization = OrganizationId::from_uuid(Uuid::now_v7());
        accounts::insert_team(&mut tx, (organization, "o", Plan::Paid), (team, "t"), now).await.unwrap();
        accounts::insert_user(&mut tx, team, &user, now).await.unwrap();
        let file = NewFile {
            id: FileId::from_uuid(Uuid::now_v7()),
            name: Name::parse("a").unwrap(),
            folder_id: None,
            mime_type: "text/plain".to_owned(),
            size_bytes: 4,
            content_hash: hash,
        };
        let viewer = Viewer { team, user: user.id, oversees: false };
        let file = insert_file(&mut tx, viewer, file, now).await.unwrap().id;
        tx.commit().await.unwrap();
        (viewer, file)
    }

    #[tokio::test]
    async fn only_contents_without_a_row_are_set_aside_at_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let db = for_tests::open(folder.path()).await;
        let root = folder.path().join("blobs");
        let blobs = Blobs::open(&root).unwrap();
        let (used, _) = keep(&db, &blobs, "used").await;
        insert_row(&db, used).await;
        keep(&db, &blobs, "left by a crash").await;
        let (_, staged) = keep(&db, &blobs, "staged").await;
        blobs.stage(&staged, "pending/one").await.unwrap();
        assert_eq!(count_files(&root.join("sha256")), 3);

        for _ in 0..2 {
            settle_folder(&db, &blobs, Timestamp::from_micros(7)).await.unwrap();
            assert_eq!(count_files(&root.join("sha256")), 1);
            assert_eq!(count_files(&root.join("aside")), 2, "nothing is deleted");
            assert_eq!(count_files(&root.join("pending")), 1, "what was PUT waits to be registered");
        }
        let (hash, _) = blobs.hash_staged("pending/one").await.unwrap().unwrap();
        assert_eq!(hash, <ContentHash>::from(Sha256::digest("staged")));
    }

    #[tokio::test]
    async fn a_clock_that_jumps_takes_nothing_away_before_its_days_were_served() {
        const DAY: Duration = Duration::from_secs(24 * 60 * 60);
        let folder = tempfile::tempdir().unwrap();
        let fixture = Fixture::start(folder.path(), 0).await;
        let (studio, root) = (&fixture.studio, folder.path().join("blobs"));
        let (hash, _) = keep(&studio.db, &studio.blobs, "thrown away").await;
        let (viewer, file) = insert_row(&studio.db, hash).await;
        let mut tx = studio.db.begin().await.unwrap();
        items::delete_item(&mut tx, viewer, ItemRef::File(file), false, studio.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
        keep(&studio.db, &studio.blobs, "left by a crash").await;
        // A machine without a battery starts in 1970, and is told the time within the hour.
        settle_folder(&studio.db, &studio.blobs, Timestamp::from_micros(7)).await.unwrap();
        let left = async || {
            let mut conn = studio.db.read().acquire().await.unwrap();
            let (_, _, entries) = trash::list(&mut conn, viewer, false, &Start::Offset(0), 10).await.unwrap();
            (count_files(&root.join("sha256")), studio.blobs.list_aside().await.unwrap().len(), entries)
        };
        let mut days = DayCounter::default();
        forget_old(studio, &mut days).await;
        assert_eq!(left().await, (1, 1, 1));
        // Ahead for an hour, and then right again; and to and fro.
        for _ in 0..40 {
            fixture.clock.jump(40 * DAY_US);
            forget_old(studio, &mut days).await;
            fixture.clock.jump(-40 * DAY_US);
            forget_old(studio, &mut days).await;
        }
        forget_old(studio, &mut DayCounter::default()).await;
        assert_eq!(left().await, (1, 1, 1));
        let listed = studio.blobs.list_aside().await.unwrap();
        let kept_until = listed[0].kept_until(studio.clock.now());
        assert!(kept_until > studio.clock.now(), "{kept_until}: not 30 days after 1970");
        for _ in 0..28 {
            fixture.clock.advance(DAY);
            forget_old(studio, &mut days).await;
            forget_old(studio, &mut DayCounter::default()).await;
            assert_eq!(left().await, (1, 1, 1), "a day is counted once, however often the service starts on it");
        }
        for _ in 0..3 {
            fixture.clock.advance(DAY);
            forget_old(studio, &mut days).await;
        }
        assert_eq!(left().await, (0, 0, 0));
    }
}
