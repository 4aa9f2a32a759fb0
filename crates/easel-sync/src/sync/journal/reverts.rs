//! What undoing changes of a folder is about to do, act by act, in the journal.
//!
//! Always true: all acts of an undoing are written in one commit, before the first of them is done; one that is open may have been
//! done by a program that ended before it could write that down. Not here: the doing (`folders/revert`).

use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::columns::{from_json, in_few_lengths, to_json};
use crate::shared::error::Error;
use crate::shared::ids::WatchId;
use crate::shared::journal::{Journal, from_sql};
use crate::sync::revert::Act;

/// How an act stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ActState {
    /// It is to be done.
    Open,
    /// It was done.
    Done,
    /// It was refused, and is not tried again.
    Refused,
}

impl ActState {
    const fn to_sql(self) -> i64 {
        match self {
            Self::Open => 0,
            Self::Done => 1,
            Self::Refused => 2,
        }
    }
}

/// How many acts an undoing has, and how many of them are over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ActCounts {
    pub done: u64,
    pub refused: u64,
    pub total: u64,
}

impl ActCounts {
    pub(crate) const fn open(&self) -> u64 {
        self.total.saturating_sub(self.done).saturating_sub(self.refused)
    }
}

impl Journal {
    /// Writes down what is about to be done, behind what an earlier undoing of the folder has still to do. What is over of that is
    /// forgotten.
    pub(crate) async fn intend_revert(&self, watch: WatchId, acts: &[Act]) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query("DELETE FROM revert_acts WHERE watch_id = $1 AND state <> $2")
            .bind(watch.0)
            .bind(ActState::Open.to_sql())
            .execute(writing.on())
            .await?;
        let first: i64 =
            sqlx::query_scalar("SELECT COALESCE(MAX(number), -1) + 1 FROM revert_acts WHERE watch_id = $1")
                .bind(watch.0)
                .fetch_one(writing.on())
                .await?;
        let mut rows = Vec::with_capacity(acts.len());
        for (number, act) in (first..).zip(acts) {
            rows.push((number, to_json(act)?));
        }
        for some in in_few_lengths(&rows) {
            let mut sql = QueryBuilder::<Sqlite>::new("INSERT INTO revert_acts (watch_id, number, body) ");
            sql.push_values(some, |mut row, (number, body)| {
                row.push_bind(watch.0).push_bind(*number).push_bind(body.clone());
            });
            sql.build().execute(writing.on()).await?;
        }
        writing.commit().await
    }

    /// The acts that are still to be done, in their order, each with its number.
    pub(crate) async fn list_open_acts(&self, watch: WatchId) -> Result<Vec<(i64, Act)>, Error> {
        let rows =
            sqlx::query("SELECT number, body FROM revert_acts WHERE watch_id = $1 AND state = $2 ORDER BY number")
                .bind(watch.0)
                .bind(ActState::Open.to_sql())
                .fetch_all(self.read()?)
                .await?;
        let read = |row: &SqliteRow| Ok((row.try_get("number")?, from_json(&row.try_get::<String, _>("body")?)?));
        rows.iter().map(read).collect()
    }

    /// How far the last undoing of a folder has come; all zero where none is known.
    pub(crate) async fn count_acts(&self, watch: WatchId) -> Result<ActCounts, Error> {
        let row = sqlx::query(
            "SELECT COUNT(*), COALESCE(SUM(state = $2), 0), COALESCE(SUM(state = $3), 0)
             FROM revert_acts WHERE watch_id = $1",
        )
        .bind(watch.0)
        .bind(ActState::Done.to_sql())
        .bind(ActState::Refused.to_sql())
        .fetch_one(self.read()?)
        .await?;
        Ok(ActCounts {
            total: from_sql(row.try_get(0)?),
            done: from_sql(row.try_get(1)?),
            refused: from_sql(row.try_get(2)?),
        })
    }

    /// Writes down how an act ended.
    pub(crate) async fn record_act(&self, watch: WatchId, number: i64, state: ActState) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query("UPDATE revert_acts SET state = $3 WHERE watch_id = $1 AND number = $2")
            .bind(watch.0)
            .bind(number)
            .bind(state.to_sql())
            .execute(writing.on())
            .await?;
        writing.commit().await
    }

    /// Forgets an undoing: nothing more of it is done.
    pub(crate) async fn forget_revert(&self, watch: WatchId) -> Result<(), Error> {
        let mut writing = self.write().await?;
        sqlx::query("DELETE FROM revert_acts WHERE watch_id = $1").bind(watch.0).execute(writing.on()).await?;
        writing.commit().await
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::sync::folders::Choices;
    use crate::sync::revert::{Content, Source};
    use crate::sync::tree::Stamp;

    #[tokio::test]
    async fn what_is_about_to_be_done_is_read_back_without_what_is_over() {
        let at = tempfile::TempDir::new().unwrap();
        let journal = Journal::open(&at.path().join("journal.db")).await.unwrap();
        let root = easel_wire::Id::imagined(1);
        let watch =
            async |path: &str| journal.create_watch("here", Path::new(path), root, "/", &Choices::default(), 1).await;
        let (one, other) = (watch("/one").await.unwrap(), watch("/other").await.unwrap());
        let stamp = Stamp { size_bytes: 3, modified_us: -4, identity: u64::MAX };
        let file = easel_wire::Id::imagined(2);
        let content = Content { file, hash: [7; 32], bytes: 9 };
        let path = || "a".to_owned();
        let place = |source| Act::Place { path: path(), content: content.clone(), source, replacing: Some(stamp) };
        let acts = vec![
            Act::RestoreFolder { path: path(), folder: easel_wire::Id::imagined(3) },
            Act::RestoreFile { path: path(), file },
            Act::Trash { path: path(), stamp },
            Act::Move { from: path(), to: "b".to_owned(), identity: u64::MAX },
            Act::RemoveFolder { path: path() },
            Act::MakeFolder { path: path() },
            place(Source::Here("/elsewhere".into())),
            place(Source::Version(file, easel_wire::Id::imagined(4))),
            place(Source::DriveTrash(file)),
        ];
        journal.intend_revert(one, &acts).await.unwrap();
        let numbered: Vec<_> = (0_i64..).zip(acts.clone()).collect();
        assert_eq!(journal.list_open_acts(one).await.unwrap(), numbered);
        assert_eq!(journal.list_open_acts(other).await.unwrap(), []);
        journal.record_act(one, 1, ActState::Done).await.unwrap();
        journal.record_act(one, 0, ActState::Refused).await.unwrap();
        assert_eq!(journal.list_open_acts(one).await.unwrap(), numbered[2..]);
        let counts = journal.count_acts(one).await.unwrap();
        assert_eq!((counts, counts.open()), (ActCounts { done: 1, refused: 1, total: 9 }, 7));
        journal.intend_revert(one, &acts[..1]).await.unwrap();
        let open = journal.list_open_acts(one).await.unwrap();
        assert_eq!((&open[..7], &open[7..]), (&numbered[2..], &[(9, acts[0].clone())][..]), "behind the earlier one");
        assert_eq!(journal.count_acts(one).await.unwrap().total, 8, "what is over is forgotten");
        journal.forget_revert(one).await.unwrap();
        assert_eq!(journal.count_acts(one).await.unwrap(), ActCounts::default());
    }
}
