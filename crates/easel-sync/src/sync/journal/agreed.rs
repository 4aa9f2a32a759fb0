//! A watched folder's records and intents in the journal: the store of its engine.
//!
//! Always true: a write that has returned survives a power cut; a settlement is written whole or not at all;
//! settlements and intents that come at the same moment share one commit, and so one wait for the disk. One task a
//! folder writes, so that a caller that is dropped leaves nothing half written, and a load sees everything that was
//! handed in before.

use std::collections::BTreeMap;
use std::num::NonZeroI64;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use easel_wire::{FileId, FolderId};
use futures_util::TryStreamExt as _;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite};
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;

use super::changes::{self, find_held};
use super::columns::{damaged, from_json, id, in_few_lengths, record_columns, to_json};
use super::conflicts;
use super::history::Line;
use crate::shared::clock::Clock;
use crate::shared::error::Error;
use crate::shared::gathered::Gathered;
use crate::shared::ids::WatchId;
use crate::shared::journal::{Journal, Writing, from_sql, to_sql};
use crate::sync::engine::{AppliedChange, Intent};
use crate::sync::ports::{Loaded, Settlement, Store as _, StoreError};
use crate::sync::revert::Recorder;
use crate::sync::tree::{Agreed, Agreement, Change, FileRecord, Place, Record, Replaced, Role, Sides, Stamp};
use crate::sync::unloaded::Lookup;

/// At most so many writes share one commit.
const SHARED_BY: usize = 512;
/// So many records go in one statement where many come at once.
const RECORDS_AT_ONCE: usize = 64;

/// The store of one watched folder's engine. Cheap to clone.
#[derive(Clone)]
pub(crate) struct SyncStateStore {
    journal: Journal,
    watch: WatchId,
    orders: mpsc::Sender<Order>,
    is_run_over: Arc<AtomicBool>,
}

enum Order {
    Intend(Vec<Intent>, oneshot::Sender<Result<(), StoreError>>),
    Settle(Settlement, oneshot::Sender<Result<(), StoreError>>),
    /// Writes nothing: answered when everything before it is written.
    Wait(oneshot::Sender<Result<(), StoreError>>),
}

impl Order {
    fn reply(self, outcome: Result<(), StoreError>) {
        let (Self::Intend(_, reply) | Self::Settle(_, reply) | Self::Wait(reply)) = self;
        // The caller may be gone; its write was done all the same.
        let _ = reply.send(outcome);
    }
}

impl SyncStateStore {
    /// The store of a watched folder. Changes become lines of its history; `tells` is called when there are new ones.
    pub(crate) fn open(
        journal: Journal,
        watch: WatchId,
        clock: Clock,
        tasks: &TaskTracker,
        line_of: impl Fn(&AppliedChange) -> Line + Send + Sync + 'static,
    ) -> Self {
        let (orders, inbox) = mpsc::channel(SHARED_BY);
        let is_run_over = Arc::new(AtomicBool::new(false));
        let writer = Writer {
            journal: journal.clone(),
            watch,
            clock,
            line_of: Arc::new(line_of),
            recorder: None,
            is_run_over: Arc::clone(&is_run_over),
        };
        tasks.spawn(writer.run(inbox));
        Self { journal, watch, orders, is_run_over }
    }

    /// The engine has come to rest: what is written next is of another run.
    pub(crate) fn end_run(&self) {
        self.is_run_over.store(true, Ordering::Relaxed);
    }

    /// Waits until everything that was handed in is written.
    pub(crate) async fn wait(&self) -> Result<(), StoreError> {
        self.order(Order::Wait).await
    }

    /// All records and intents.
    pub(crate) async fn load_all(&self) -> Result<(Agreed, Vec<Intent>), StoreError> {
        let Loaded { agreed, intents, .. } = self.load(usize::MAX).await?;
        Ok((agreed, intents))
    }

    async fn order(
        &self,
        make: impl FnOnce(oneshot::Sender<Result<(), StoreError>>) -> Order,
    ) -> Result<(), StoreError> {
        let (reply, answer) = oneshot::channel();
        let gone = || StoreError::Unavailable { detail: "the journal was closed".to_owned() };
        self.orders.send(make(reply)).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

impl crate::sync::ports::Store for SyncStateStore {
    async fn load(&self, most: usize) -> Result<Loaded, StoreError> {
        self.wait().await?;
        let has_files = self.journal.count_agreed(self.watch).await? <= most as u64;
        let records = self.journal.load_agreed(self.watch, has_files).await?;
        let intents = self.journal.list_intents(self.watch).await?;
        Ok(Loaded { agreed: Agreed { records }, intents, has_files })
    }

    async fn find_records(&self, lookup: &Lookup) -> Result<BTreeMap<String, Record>, StoreError> {
        self.wait().await?;
        Ok(self.journal.find_agreed(self.watch, lookup).await?)
    }

    async fn intend(&self, intents: &[Intent]) -> Result<(), StoreError> {
        self.order(|reply| Order::Intend(intents.to_vec(), reply)).await
    }

    async fn settle(&self, settlement: &Settlement) -> Result<(), StoreError> {
        self.order(|reply| Order::Settle(settlement.clone(), reply)).await
    }
}

struct Writer {
    journal: Journal,
    watch: WatchId,
    clock: Clock,
    line_of: Arc<dyn Fn(&AppliedChange) -> Line + Send + Sync>,
    /// `None` until the first write, and after one that failed.
    recorder: Option<Recorder>,
    is_run_over: Arc<AtomicBool>,
}

impl Writer {
    async fn run(mut self, mut inbox: mpsc::Receiver<Order>) {
        let mut orders = Vec::with_capacity(SHARED_BY);
        while inbox.recv_many(&mut orders, SHARED_BY).await > 0 {
            let outcome = self.write(&orders).await.map_err(StoreError::from);
            for order in orders.drain(..) {
                order.reply(outcome.clone());
            }
        }
    }

    async fn write(&mut self, orders: &[Order]) -> Result<(), Error> {
        if orders.iter().all(|order| matches!(order, Order::Wait(_))) {
            return Ok(());
        }
        let now = self.clock.now();
        let mut writing = self.journal.write().await?;
        let mut recorder = match self.recorder.take() {
            Some(recorder) => recorder,
            None => changes::load_recorder(&mut writing, self.watch).await?,
        };
        if self.is_run_over.swap(false, Ordering::Relaxed) {
            recorder.end_run();
        }
        for order in orders {
            match order {
                Order::Intend(intents, _) => put_intents(&mut writing, self.watch, intents).await?,
                Order::Settle(settlement, _) => {
                    let found = changes::record(&mut recorder, &mut writing, self.watch, settlement).await?;
                    apply(&mut writing, self.watch, &settlement.changes).await?;
                    forget_intents(&mut writing, self.watch, &settlement.done).await?;
                    for (applied, mut kept) in settlement.applied.iter().zip(found) {
                        if kept.before.is_some() {
                            kept.after = Some(find_held(&mut writing, self.watch, &applied.path).await?);
                        }
                        (self.line_of)(applied).write(&mut writing, self.watch, now, &kept).await?;
                    }
                }
                Order::Wait(_) => {}
            }
        }
        writing.commit().await?;
        self.recorder = Some(recorder);
        Ok(())
    }
}

async fn put_intents(writing: &mut Writing<'_>, watch: WatchId, intents: &[Intent]) -> Result<(), Error> {
    let mut rows = Vec::with_capacity(intents.len());
    for intent in intents {
        rows.push((intent.path(), to_json(intent)?));
    }
    for some in in_few_lengths(&rows) {
        let mut sql = QueryBuilder::<Sqlite>::new("INSERT OR REPLACE INTO intents (watch_id, path, body) ");
        sql.push_values(some, |mut row, (path, body)| {
            row.push_bind(watch.0).push_bind((*path).to_owned()).push_bind(body.clone());
        });
        sql.build().execute(writing.on()).await?;
    }
    Ok(())
}

async fn forget_intents(writing: &mut Writing<'_>, watch: WatchId, paths: &[String]) -> Result<(), Error> {
    for some in in_few_lengths(paths) {
        let mut sql = QueryBuilder::<Sqlite>::new("DELETE FROM intents WHERE watch_id = ");
        sql.push_bind(watch.0).push(" AND path IN (");
        let mut list = sql.separated(", ");
        for path in some {
            list.push_bind(path.clone());
        }
        sql.push(")");
        sql.build().execute(writing.on()).await?;
    }
    Ok(())
}

async fn apply(writing: &mut Writing<'_>, watch: WatchId, changes: &[Change]) -> Result<(), Error> {
    let mut rest = changes;
    while let Some(first) = rest.first() {
        let puts = rest.iter().take_while(|change| matches!(change, Change::Put(..))).count();
        if puts == 0 {
            match first {
                Change::Forget(path) => forget(writing, watch, path).await?,
                Change::Rename { from, to } => rename(writing, watch, from, to).await?,
                Change::Put(..) => {}
            }
            rest = &rest[1..];
            continue;
        }
        // Few lengths, so that few statements are prepared.
        let count = if puts >= RECORDS_AT_ONCE { RECORDS_AT_ONCE } else { 1 };
        put(writing, watch, &rest[..count]).await?;
        rest = &rest[count..];
    }
    Ok(())
}

async fn put(writing: &mut Writing<'_>, watch: WatchId, changes: &[Change]) -> Result<(), Error> {
    let mut sql = QueryBuilder::<Sqlite>::new(
        "INSERT OR REPLACE INTO agreed (watch_id, path, kind, standing, drive_id, identity, size_bytes, modified_us, hash,
           place_folder, place_name, replaces, changed_us) ",
    );
    let mut rows = Vec::with_capacity(changes.len());
    for change in changes {
        if let Change::Put(path, record) = change {
            rows.push((path, record, replaces_to_json(record)?));
        }
    }
    sql.push_values(rows, |mut row, (path, record, replaces)| {
        let file = record.as_file();
        let (kind, drive_id, identity) = match &record.agreement {
            Agreement::Folder { folder, identity } => (0_i64, folder.to_string(), *identity),
            Agreement::File(file) => (file_kind(file), file.file.to_string(), file.stamp.identity),
        };
        let is_own_name = record.place.name == crate::sync::tree::name(path);
        row.push_bind(watch.0)
            .push_bind(path.clone())
            .push_bind(kind)
            .push_bind(sides_to_sql(record.sides))
            .push_bind(drive_id)
            .push_bind(identity.cast_signed())
            .push_bind(file.map(|file| to_sql(file.stamp.size_bytes)))
            .push_bind(file.map(|file| file.stamp.modified_us))
            .push_bind(file.map(|file| file.hash.to_vec()))
            .push_bind(record.place.folder.to_string())
            .push_bind((!is_own_name).then(|| record.place.name.clone()))
            .push_bind(replaces)
            .push_bind(file.and_then(|file| file.changed_us).map(NonZeroI64::get));
    });
    sql.build().execute(writing.on()).await?;
    Ok(())
}

async fn forget(writing: &mut Writing<'_>, watch: WatchId, path: &str) -> Result<(), Error> {
    sqlx::query("DELETE FROM agreed WHERE watch_id = $1 AND path = $2")
        .bind(watch.0)
        .bind(path)
        .execute(writing.on())
        .await?;
    Ok(())
}

/// Moves the records of a path and of all paths below it. The paths below a folder sort between `folder/` and
/// `folder0`, because `0` is the character after `/`. The rows are taken out first, because a new path may be one that
/// has yet to move.
async fn rename(writing: &mut Writing<'_>, watch: WatchId, from: &str, to: &str) -> Result<(), Error> {
    let moved = sqlx::query(concat!(
        "DELETE FROM agreed WHERE watch_id = $1 AND (path = $2 OR (path > $3 AND path < $4)) RETURNING ",
        record_columns!()
    ))
    .bind(watch.0)
    .bind(from)
    .bind(format!("{from}/"))
    .bind(format!("{from}0"))
    .fetch_all(writing.on())
    .await?;
    let mut changes = Vec::with_capacity(moved.len());
    for row in &moved {
        let (path, record) = read_record(row)?;
        changes.push(Change::Put(format!("{to}{}", path.get(from.len()..).unwrap_or_default()), record));
    }
    let mut rest = changes.as_slice();
    while !rest.is_empty() {
        let count = if rest.len() >= RECORDS_AT_ONCE { RECORDS_AT_ONCE } else { 1 };
        put(writing, watch, &rest[..count]).await?;
        rest = &rest[count..];
    }
    conflicts::follow(writing, watch, from, to).await
}

impl Journal {
    /// How many agreed records a watched folder has.
    async fn count_agreed(&self, watch: WatchId) -> Result<u64, Error> {
        let count = sqlx::query_scalar::<_, i64>("SELECT COUNT(*) FROM agreed WHERE watch_id = $1")
            .bind(watch.0)
            .fetch_one(self.read()?)
            .await?;
        Ok(from_sql(count))
    }

    /// The agreed records of a watched folder, or those of its folders alone, and of files whose folder has none.
    pub(crate) async fn load_agreed(&self, watch: WatchId, has_files: bool) -> Result<BTreeMap<String, Record>, Error> {
        let mut rows = sqlx::query(concat!(
            "SELECT ",
            record_columns!(),
            " FROM agreed AS own
             WHERE watch_id = $1 AND (kind = 0 OR $2 OR (instr(path, '/') > 0 AND NOT EXISTS (
               -- Without the characters after the last slash, and then without the slash.
               SELECT 1 FROM agreed AS above WHERE above.watch_id = $1 AND above.kind = 0
                 AND above.path = rtrim(rtrim(own.path, replace(own.path, '/', '')), '/'))))
             ORDER BY path"
        ))
        .bind(watch.0)
        .bind(has_files)
        .fetch(self.read()?);
        // Read one by one: a row as SQLite returns it is five times as large as the record.
        let mut records = Gathered::new();
        while let Some(row) = rows.try_next().await? {
            let (path, record) = read_record(&row)?;
            records.push(path, record);
        }
        Ok(records.into_map())
    }

    /// The drive file that is agreed for a local path, if the local file is still as agreed.
    pub(crate) async fn find_agreed_file(
        &self,
        watch: WatchId,
        path: &str,
        stamp: Stamp,
    ) -> Result<Option<FileId>, Error> {
        let found: Option<String> = sqlx::query_scalar(
            "SELECT drive_id FROM agreed
             WHERE watch_id = $1 AND path = $2 AND kind = $3 AND size_bytes = $4 AND modified_us = $5",
        )
        .bind(watch.0)
        .bind(path)
        .bind(HOME)
        .bind(to_sql(stamp.size_bytes))
        .bind(stamp.modified_us)
        .fetch_optional(self.read()?)
        .await?;
        found.map(|text| id(&text)).transpose()
    }

    async fn list_intents(&self, watch: WatchId) -> Result<Vec<Intent>, Error> {
        let rows = sqlx::query("SELECT body FROM intents WHERE watch_id = $1 ORDER BY path")
            .bind(watch.0)
            .fetch_all(self.read()?)
            .await?;
        rows.iter().map(|row| from_json(&row.try_get::<String, _>(0)?)).collect()
    }
}

pub(super) fn read_record(row: &SqliteRow) -> Result<(String, Record), Error> {
    let path: String = row.try_get(0)?;
    let kind: i64 = row.try_get(1)?;
    let sides = sides_from_sql(row.try_get(2)?)?;
    let drive_id: &str = row.try_get(3)?;
    let identity = row.try_get::<i64, _>(4)?.cast_unsigned();
    let agreement = if kind == 0 {
        Agreement::Folder { folder: id(drive_id)?, identity }
    } else {
        let hash: &[u8] = row.try_get(7)?;
        let replaces: Option<&str> = row.try_get(10)?;
        Agreement::File(FileRecord {
            file: id(drive_id)?,
            role: if kind == LINK { Role::Link } else { Role::Home },
            is_pointer: kind == POINTER,
            stamp: Stamp { size_bytes: from_sql(row.try_get(5)?), modified_us: row.try_get(6)?, identity },
            changed_us: row.try_get::<Option<i64>, _>(11)?.and_then(NonZeroI64::new),
            hash: hash.try_into().map_err(|_| damaged("a hash that is not 32 bytes long"))?,
            replaces: replaces.map(from_json::<Vec<Replaced>>).transpose()?.unwrap_or_default(),
        })
    };
    let folder: FolderId = id(row.try_get(8)?)?;
    let own_name: Option<String> = row.try_get(9)?;
    let name = own_name.unwrap_or_else(|| crate::sync::tree::name(&path).to_owned());
    Ok((path, Record { agreement, place: Place { folder, name }, sides }))
}

fn replaces_to_json(record: &Record) -> Result<Option<String>, Error> {
    match record.as_file() {
        Some(file) if !file.replaces.is_empty() => to_json(&file.replaces).map(Some),
        _ => Ok(None),
    }
}

const HOME: i64 = 1;
const LINK: i64 = 2;
const POINTER: i64 = 3;

fn file_kind(file: &FileRecord) -> i64 {
    match file.role {
        Role::Home if file.is_pointer => POINTER,
        Role::Home => HOME,
        Role::Link => LINK,
    }
}

const fn sides_to_sql(sides: Sides) -> i64 {
    match sides {
        Sides::Both => 0,
        Sides::OnlyInDrive => 1,
        Sides::OnlyHere => 2,
    }
}

fn sides_from_sql(number: i64) -> Result<Sides, Error> {
    match number {
        0 => Ok(Sides::Both),
        1 => Ok(Sides::OnlyInDrive),
        2 => Ok(Sides::OnlyHere),
        _ => Err(damaged("an unknown sides")),
    }
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        match error {
            Error::DiskFull => Self::DiskFull,
            Error::JournalDamaged { detail } => Self::Damaged { detail },
            other => Self::Unavailable { detail: other.to_string() },
        }
    }
}

#[cfg(test)]
mod tests;
