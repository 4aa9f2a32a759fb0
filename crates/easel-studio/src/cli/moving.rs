//! The command that brings a studio to another place.
//!
//! Always true: what was counted and summed up on both sides is told table by table, with `--json` as one object each. Not here: the moving
//! itself ([`crate::operators::moving`]).

use std::path::PathBuf;

use clap::Args;
use data_encoding::HEXLOWER;
use serde_json::json;

use super::arguments::{BlobsPlace, Data};
use super::upkeep::Teller;
use crate::blobs::{BlobsAt, BucketUrl};
use crate::core::error::Error;
use crate::db::place::DatabaseAt;
use crate::operators::moving::{self, BytesSum, Moved};
use crate::operators::new_place::NewPlace;

/// Digits of a sum that are shown to people; machines are told all of them.
const SHOWN_DIGITS: usize = 16;

#[derive(Debug, Args)]
pub(super) struct Move {
    /// The data folder that it is moved to, which is made
    #[arg(long, value_name = "DIR", required_unless_present = "undo")]
    to_data: Option<PathBuf>,
    /// The database that it is moved to, which is empty: sqlite: or postgres://USER:PASSWORD@HOST/NAME [default: SQLite in the folder]
    #[arg(long, value_name = "URL", requires = "to_data")]
    to_database: Option<DatabaseAt>,
    /// The bucket that its contents are moved to, s3://BUCKET/PREFIX, at the same endpoint; where they are in it already they stay
    /// [default: the folder]
    #[arg(long, value_name = "BUCKET", requires = "to_data")]
    to_blobs: Option<BucketUrl>,
    /// Take back that it was moved, so that it is served again where it was. What the moved one has taken since is not in it
    #[arg(long, conflicts_with = "to_data")]
    undo: bool,
    /// Tell progress and the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: Data,
    #[command(flatten)]
    blobs: BlobsPlace,
}

pub(super) async fn move_studio(command: Move) -> Result<(), Error> {
    let mut teller = Teller::new(command.json);
    let (data, blobs) = (command.data.settle()?, command.blobs.into());
    let Some(to) = command.to_data else {
        moving::take_back(&data, &blobs).await?;
        let words = format!("{} may be served again", data.display());
        return teller.result(&json!({ "event": "done", "data": data }), &words);
    };
    let to = NewPlace { data: to, database: command.to_database.unwrap_or(DatabaseAt::Folder) };
    let to_blobs = command.to_blobs.map_or(BlobsAt::Folder, BlobsAt::Bucket);
    let tell = &mut |progress| teller.progress(progress);
    let moved = Box::pin(moving::move_studio((&data, &blobs), (to, &to_blobs), tell)).await?;
    tell_moved(&teller, &moved)?;
    let words = format!("moved to {}; {} is left as it was, and not served any more", moved.to, data.display());
    let rows: u64 = moved.tables.iter().map(|table| table.rows).sum();
    let line = json!({
        "event": "done", "to": moved.to, "tables": moved.tables.len(), "rows": rows, "contents": moved.contents.count,
        "bytes": moved.contents.bytes, "staged_uploads": moved.staged.count, "findings": moved.faults.len(),
    });
    teller.result(&line, &words)?;
    match moved.faults.len() {
        0 => Ok(()),
        count => Err(Error::Found(format!(
            "{count} contents were missing or damaged before, and did not come; verify says whose they are"
        ))),
    }
}

fn tell_moved(teller: &Teller, moved: &Moved) -> Result<(), Error> {
    for table in &moved.tables {
        let sum = HEXLOWER.encode(&table.sha256);
        let line = json!({ "event": "table", "table": table.table, "rows": table.rows, "sha256": sum });
        let words = format!("{}: {} rows, the same on both sides ({})", table.table, table.rows, &sum[..SHOWN_DIGITS]);
        teller.result(&line, &words)?;
    }
    for (what, BytesSum { count, bytes, sha256 }) in [("contents", &moved.contents), ("staged uploads", &moved.staged)]
    {
        let sum = HEXLOWER.encode(sha256);
        let line = json!({ "event": what.replace(' ', "_"), "count": count, "bytes": bytes, "sha256": sum });
        let words = format!("{what}: {count}, {bytes} bytes, the same on both sides ({})", &sum[..SHOWN_DIGITS]);
        teller.result(&line, &words)?;
    }
    for (subject, fault) in &moved.faults {
        let line = json!({ "event": "finding", "kind": fault.as_str(), "subject": subject });
        teller.result(&line, &format!("{}: {subject}", fault.as_str()))?;
    }
    Ok(())
}
