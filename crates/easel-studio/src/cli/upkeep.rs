//! The commands about the data folder as a whole: backup, restore, verify, what was set aside, the audit log.
//!
//! Always true: with `--json` every line on standard output is a JSON object, progress too; without it progress and words go to
//! standard error, and the result to standard output. Who finds something that is not as it should be ends with exit code 4.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use easel_wire::Timestamp;
use serde_json::{Value, json};

use super::arguments::{BlobsPlace, Data};
use super::output::print;
use crate::core::error::Error;
use crate::operators::backup::{self, Copied, Progress};
use crate::operators::{audit, contents, restore, verify};

/// Progress is told at most so often.
const TOLD_EVERY: Duration = Duration::from_secs(1);

#[derive(Debug, Subcommand)]
pub(super) enum Contents {
    /// List what is set aside, also beside a running serve
    List {
        #[command(flatten)]
        data: Data,
        #[command(flatten)]
        blobs: BlobsPlace,
    },
    /// Bring what is set aside back into the drive, in a private folder of the owner, also beside a running serve
    BringBack {
        /// sha256:…, as listed [default: everything]
        #[arg(value_name = "CONTENT")]
        contents: Vec<String>,
        #[command(flatten)]
        data: Data,
        #[command(flatten)]
        blobs: BlobsPlace,
    },
    /// Set aside every content, where the database is lost and serve shall start with a new one
    SetAside {
        #[command(flatten)]
        data: Data,
        #[command(flatten)]
        blobs: BlobsPlace,
    },
}

#[derive(Debug, Args)]
pub(super) struct Backup {
    /// Where it goes; what lies there from the last one is not copied again
    #[arg(value_name = "DIR")]
    to: PathBuf,
    /// Copy contents also where they could be linked: damage to one is then not damage to the other
    #[arg(long)]
    copy: bool,
    /// Leave the key file out; a restored folder then wants it put back by hand
    #[arg(long)]
    without_key_file: bool,
    /// Keep so many databases, the newest; what only older ones name is removed with them [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    keep: Option<u32>,
    /// Tell progress and the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: Data,
    #[command(flatten)]
    blobs: BlobsPlace,
}

#[derive(Debug, Args)]
pub(super) struct Restore {
    /// The backup
    #[arg(value_name = "DIR")]
    from: PathBuf,
    /// Which of its databases, by its name [default: the newest]
    #[arg(long, value_name = "NAME")]
    at: Option<String>,
    /// Tell progress and the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: Data,
    #[command(flatten)]
    blobs: BlobsPlace,
}

#[derive(Debug, Args)]
pub(super) struct Verify {
    /// Mend what can be mended; wants the service stopped. Nothing is deleted
    #[arg(long)]
    repair: bool,
    /// A backup to take lost and damaged contents from
    #[arg(long, value_name = "DIR", requires = "repair")]
    from: Option<PathBuf>,
    /// Tell progress and the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: Data,
    #[command(flatten)]
    blobs: BlobsPlace,
}

#[derive(Debug, Args)]
pub(super) struct Audit {
    /// Entries from this moment on, such as 2026-05-01T00:00:00Z
    #[arg(long, value_name = "MOMENT")]
    since: Option<Timestamp>,
    /// Entries of one action, such as item_deleted
    #[arg(long, value_name = "ACTION")]
    action: Option<String>,
    /// The newest so many
    #[arg(long, value_name = "N", default_value_t = 1000)]
    limit: u32,
    #[command(flatten)]
    data: Data,
}

/// Tells how far something has come, and how it ended.
pub(super) struct Teller {
    json: bool,
    told: Option<Instant>,
}

impl Teller {
    pub(super) fn new(json: bool) -> Self {
        Self { json, told: None }
    }

    pub(super) fn progress(&mut self, progress: Progress) {
        if self.told.is_some_and(|told| told.elapsed() < TOLD_EVERY) {
            return;
        }
        // The first moment is not told: what takes less than a second needs no progress.
        let first = self.told.replace(Instant::now()).is_none();
        let Progress { stage, done, total, bytes } = progress;
        // The reader of the progress may be gone; the work goes on.
        if self.json {
            let _ =
                print(&json!({ "event": "progress", "stage": stage, "done": done, "total": total, "bytes": bytes }));
        } else if !first {
            let _ = writeln!(std::io::stderr(), "{stage}: {done} of {total}, {bytes} bytes");
        }
    }

    pub(super) fn result(&self, result: &Value, words: &str) -> Result<(), Error> {
        if self.json {
            return print(result);
        }
        let mut out = std::io::stdout().lock();
        writeln!(out, "{words}")?;
        Ok(out.flush()?)
    }
}

pub(super) async fn backup(command: Backup) -> Result<(), Error> {
    let mut teller = Teller::new(command.json);
    let how = backup::Options {
        with_key_file: !command.without_key_file,
        always_copy: command.copy,
        keep: command.keep.map(|keep| usize::try_from(keep).unwrap_or(usize::MAX)),
    };
    let tell = &mut |progress| teller.progress(progress);
    let copied = backup::take((&command.data.settle()?, &command.blobs.into()), &command.to, &how, tell).await?;
    copied_result(&teller, &copied, "backed up")
}

pub(super) async fn restore(command: Restore) -> Result<(), Error> {
    let mut teller = Teller::new(command.json);
    let tell = &mut |progress| teller.progress(progress);
    let (place, key) = command.data.into_new_place()?;
    let place = (place, key.as_ref(), &command.blobs.into());
    let copied = restore::restore(&command.from, place, command.at.as_deref(), tell).await?;
    copied_result(&teller, &copied, "restored")
}

fn copied_result(teller: &Teller, copied: &Copied, done: &str) -> Result<(), Error> {
    for (subject, fault) in &copied.faults {
        let line = json!({ "event": "finding", "kind": fault.as_str(), "subject": subject });
        teller.result(&line, &format!("{}: {subject}", fault.as_str()))?;
    }
    let Copied { database, contents, new_contents, new_bytes, staged, key_file, faults } = copied;
    let line = json!({
        "event": "done", "database": database, "contents": contents, "new_contents": new_contents,
        "new_bytes": new_bytes, "staged_uploads": staged, "key_file": key_file, "findings": faults.len(),
    });
    let words = format!(
        "{done} {database}: {contents} contents, {new_contents} of them new ({new_bytes} bytes), {staged} staged uploads{}",
        if *key_file { "" } else { ", no key file" }
    );
    teller.result(&line, &words)?;
    match faults.len() {
        0 => Ok(()),
        count => Err(Error::Found(format!("{count} contents are missing or damaged; verify says whose they are"))),
    }
}

pub(super) async fn verify(command: Verify) -> Result<(), Error> {
    let mut teller = Teller::new(command.json);
    let tell = &mut |progress| teller.progress(progress);
    let found =
        verify::verify(&command.data.settle()?, &command.blobs.into(), command.repair, command.from.as_deref(), tell)
            .await?;
    for one in &found.findings {
        let line = json!({
            "event": "finding", "kind": one.kind, "subject": one.subject, "needed_by": one.needed_by, "mended": one.mended,
        });
        let mended = if one.mended { " (mended)" } else { "" };
        let words = format!("{}: {}{mended} {}", one.kind, one.subject, one.needed_by.join(" "));
        teller.result(&line, words.trim_end())?;
    }
    let left = found.findings.iter().filter(|one| !one.mended).count();
    let line = json!({
        "event": "done", "contents": found.contents, "bytes": found.bytes, "findings": found.findings.len(), "left": left,
    });
    let words =
        format!("{} contents, {} bytes: {} findings, {left} left", found.contents, found.bytes, found.findings.len());
    teller.result(&line, &words)?;
    match left {
        0 => Ok(()),
        count => Err(Error::Found(format!("{count} findings are not mended"))),
    }
}

pub(super) async fn audit(command: Audit) -> Result<(), Error> {
    let Audit { since, action, limit, data } = command;
    audit::read(&data.settle()?, since, action.as_deref(), limit).await?.into_iter().try_for_each(|entry| {
        print(&json!({
            "at": entry.at, "actor": entry.actor, "api_key_id": entry.api_key_id,
            "organization_id": entry.organization_id, "address": entry.address, "action": entry.action,
            "subject": entry.subject, "details": entry.details,
        }))
    })
}

pub(super) async fn contents(command: Contents) -> Result<(), Error> {
    match command {
        Contents::List { data, blobs } => {
            contents::list(&data.settle()?, &blobs.into()).await?.into_iter().try_for_each(|one| {
                print(&json!({
                    "content_hash": one.content_hash, "size_bytes": one.size_bytes, "set_aside_at": one.set_aside_at,
                    "kept_until": one.kept_until,
                }))
            })
        }
        Contents::BringBack { contents, data, blobs } => {
            contents::bring_back(&data.settle()?, &blobs.into(), &contents).await?.into_iter().try_for_each(|one| {
                let (file_id, name) = one.file.unzip();
                print(&json!({ "content_hash": one.content_hash, "file_id": file_id, "name": name }))
            })
        }
        Contents::SetAside { data, blobs } => {
            let count = contents::set_aside(&data.settle()?, &blobs.into()).await?;
            print(&json!({ "set_aside": count }))
        }
    }
}
