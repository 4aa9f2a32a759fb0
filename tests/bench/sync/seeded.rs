//! A studio whose drive has the files of a folder already, as it would have them after all of them had been sent.
//!
//! A hundred thousand uploads take minutes and a million half an hour, and what is measured afterwards is not the sending:
//! so the rows are written into the studio's database, which then serves them, and the engine finds out by itself that
//! both sides are the same. Blobs are not written: nobody asks for them here.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use easel_tests::studio::Studio;
use sqlx::Row as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions as _, Connection as _};
use uuid::Uuid;

/// A file as the drive is to have it.
#[derive(Debug)]
pub struct Seed {
    /// Of the folder in it.
    pub folder: String,
    /// In that folder.
    pub name: String,
    pub size_bytes: u64,
    pub hash: [u8; 32],
}

/// So far apart, in microseconds, items came into the drive: a million of them in most of an hour.
const APART_US: i64 = 3_000;

/// Ids and moments in the order in which they are given.
struct Numbers {
    first_us: i64,
    given: i64,
}

impl Numbers {
    fn next(&mut self) -> (Vec<u8>, i64) {
        self.given += 1;
        let at_us = self.first_us + self.given * APART_US;
        let milliseconds = u128::try_from(at_us / 1_000).unwrap_or_default();
        let number = u128::try_from(self.given).unwrap_or_default();
        // A UUID of version 7: milliseconds, version, variant, and a number in place of chance.
        let id = Uuid::from_u128((milliseconds << 80) | (7 << 76) | (2 << 62) | number);
        (id.as_bytes().to_vec(), at_us)
    }
}

/// Puts the files into the drive folder `drive`, which is not there yet, of a studio that stands still.
pub async fn write(studio: &Studio, drive: &str, seeds: impl Iterator<Item = Seed>) {
    let mut rows = open(&studio.data_dir.join("studio.db")).await;
    let owner = sqlx::query("SELECT id, team_id FROM users").fetch_one(&mut rows).await.expect("the owner");
    let (user, team): (Vec<u8>, Vec<u8>) = (owner.get(0), owner.get(1));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time after 1970");
    let first_us = i64::try_from(now.as_micros()).expect("a time before the year 200000") - 3_600_000_000;
    let mut numbers = Numbers { first_us, given: 0 };
    let mut writing = rows.begin().await.expect("a transaction");
    let root = insert_folder(&mut writing, &mut numbers, [&team, &user], None, drive).await;
    let mut inner: Option<(String, Vec<u8>)> = None;
    for seed in seeds {
        if inner.as_ref().is_none_or(|(name, _)| *name != seed.folder) {
            let id = insert_folder(&mut writing, &mut numbers, [&team, &user], Some(&root), &seed.folder).await;
            inner = Some((seed.folder.clone(), id));
        }
        let (id, at_us) = numbers.next();
        sqlx::query(
            "INSERT INTO files (id, team_id, folder_id, name, name_key, visibility, private_to, mime_type, size_bytes,
               content_hash, created_by, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $4, 'team', x'', 'application/octet-stream', $5, $6, $7, $8, $8)",
        )
        .bind(id)
        .bind(&team)
        .bind(inner.as_ref().map(|(_, id)| id.clone()))
        .bind(seed.name)
        .bind(i64::try_from(seed.size_bytes).expect("a size"))
        .bind(seed.hash.to_vec())
        .bind(&user)
        .bind(at_us)
        .execute(&mut *writing)
        .await
        .expect("a file");
    }
    writing.commit().await.expect("written");
    rows.close().await.expect("closed");
}

async fn open(path: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(path).pragma("cache_size", "-400000");
    options.connect().await.expect("the studio's database")
}

async fn insert_folder(
    writing: &mut SqliteConnection,
    numbers: &mut Numbers,
    [team, user]: [&Vec<u8>; 2],
    parent: Option<&Vec<u8>>,
    name: &str,
) -> Vec<u8> {
    let (id, at_us) = numbers.next();
    sqlx::query(
        "INSERT INTO folders (id, team_id, parent_id, name, name_key, visibility, private_to, created_by, created_at,
           updated_at)
         VALUES ($1, $2, $3, $4, $5, 'team', x'', $6, $7, $7)",
    )
    .bind(&id)
    .bind(team)
    .bind(parent)
    .bind(name)
    .bind(name.to_lowercase())
    .bind(user)
    .bind(at_us)
    .execute(writing)
    .await
    .expect("a folder");
    id
}
