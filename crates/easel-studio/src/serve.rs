//! `easel-studio serve`: three listeners, the API, storage and the operator's, on one data folder until told to stop.
//!
//! The one line of JSON on standard output says that it is ready; nothing else is ever written there. A signal to stop
//! lets requests under way end, within a bound; whatever does not is as if the client had gone away. Where several processes serve
//! one studio, work under way ends too, or is given back to the others, within [`DRAIN`].

mod listeners;
mod options;
mod sharing;
mod start;
mod stopping;

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum_server::Handle;
use axum_server::tls_rustls::RustlsConfig;
use serde_json::json;
use tokio::task::JoinSet;

pub use options::Options;
pub use sharing::Role;

use crate::background::{audit_log, certificates, keeper, last_uses, reaper, rounds, upkeep};
use crate::core::error::Error;
use crate::data_folder::DataFolder;
use crate::studio::SharedStudio;
use crate::studio::config::Config;
use crate::{exports, webhooks, worker};
use listeners::{Listeners, make_room};
use sharing::{Sharing, sharing_of};
use start::{open_data, put_together, seat_writer};
use stopping::{Told, stop_when_told, watch_stdin};

/// How long a bucket may take to answer to what is being removed from it after the last request.
const GRACE_OF_REMOVALS: Duration = Duration::from_secs(2);
/// How long a task under way may take after the last request, of a process that is alone.
const GRACE_OF_WORKERS: Duration = Duration::from_millis(500);
/// How long after a signal to stop work may take that others can take over; what is left then is given back to them.
const DRAIN: Duration = Duration::from_secs(24);
/// The pause between two looks whether work has ended.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Serves until told to stop.
///
/// # Errors
/// [`Error::DataFolderHeld`] where another process serves the folder; [`Error::Io`] where an address is taken or a
/// certificate cannot be read; whatever keeps the data folder from being opened.
pub async fn serve(options: Options) -> Result<(), Error> {
    let connections = make_room(options.connections);
    let sharing = sharing_of(&options.data, &options.blobs, options.role)?;
    let options = Options { workers: if options.role.works() { options.workers } else { 0 }, ..options };
    let writer_slot = seat_writer(&options)?;
    let held = match options.beside_others {
        Some(_) if sharing == Sharing::OneProcess => DataFolder::hold_beside_others(&options.data)?,
        _ => DataFolder::hold(&options.data)?,
    };
    let opened = open_data(&options, sharing).await?;
    let tls = match &options.tls {
        Some((chain, key)) => Some(certificates::read(chain, key).await?),
        None => None,
    };
    let listeners = Listeners::bind(&options)?;
    let ready = json!({
        "base_url": listeners.base_url, "upload_url": listeners.upload_url, "operator_url": listeners.operator_url,
    });
    let (db, is_bucket_unsettled) = (opened.folder.db.clone(), opened.is_bucket_unsettled);
    let studio = put_together(&options, opened, sharing, config_of(&options, &listeners), writer_slot);
    studio.room.keep().await;
    // Where others may be at work, nothing is known to be nobody's before its lease is over.
    if sharing == Sharing::OneProcess && options.beside_others.is_none() {
        reaper::end_leases_of_earlier_processes(&studio, &held).await?;
    }
    exports::begin_waiting(&studio).await?;
    tracing::info!(
        data = %options.data.display(), base_url = studio.config.base_url, upload_url = studio.config.upload_url,
        workers = options.workers, local_callbacks = options.allow_local_callbacks, "serving"
    );

    let handle = Handle::new();
    let abandoned = options
        .exit_on_stdin_close
        .then(|| watch_stdin(options.writer_by_stdin.then(|| Arc::clone(&studio.writer_slot))));
    let told = studio.active_tasks.stopping.clone();
    let (told, stopping) = stop_when_told(handle.clone(), told, options.linger, abandoned)?;
    let stopping = tokio::spawn(stopping);
    if options.workers > 0 {
        studio.drawers.get_ready();
    }
    // Leases are renewed until the work has ended, also while it is waited for.
    let keeper = tokio::spawn(keeper::keep(studio.clone()));
    let mut workers = start_work(&studio, &options, tls.as_ref());
    if is_bucket_unsettled {
        workers.spawn(upkeep::settle_bucket_once(studio.clone()));
    }
    announce(&ready)?;
    let served = listeners.serve(&studio, &options, connections, tls, handle).await;
    stopping.abort();
    studio.active_tasks.stopping.cancel();
    match told.get() {
        Some(Told::BySignal(since)) if sharing == Sharing::Several => {
            drain(&studio, &mut workers, *since + DRAIN).await;
        }
        _ => end_work(&mut workers, GRACE_OF_WORKERS).await,
    }
    keeper.abort();
    wind_up(&studio).await;
    db.close().await;
    drop(held);
    tracing::info!("stopped");
    served.map_err(Error::from)
}

/// What was asked for, with the addresses that came of it.
fn config_of(options: &Options, listeners: &Listeners) -> Config {
    Config {
        base_url: listeners.base_url.clone(),
        upload_url: listeners.upload_url.clone(),
        version_header: options.version_header.clone(),
        oldest_version: options.oldest_version,
        max_file_bytes: options.max_file_bytes,
        requests_per_minute: options.requests_per_minute,
        exports_per_minute: options.exports_per_minute,
        concurrent_tasks: options.concurrent_tasks,
        expire_tasks_after: options.expire_tasks_after,
    }
}

/// Starts the workers and everything else that goes on by itself.
fn start_work(studio: &SharedStudio, options: &Options, tls: Option<&RustlsConfig>) -> JoinSet<()> {
    let mut workers = worker::start(studio, options.workers, &options.injection);
    workers.spawn(last_uses::keep(studio.clone()));
    workers.spawn(upkeep::remove_what_waited(studio.clone()));
    workers.spawn(audit_log::keep_refusals(studio.clone()));
    if options.role.works() {
        workers.spawn(exports::expire(studio.clone()));
        workers.spawn(webhooks::deliver(studio.clone()));
        workers.spawn(webhooks::forget_old(studio.clone()));
        workers.spawn(upkeep::forget_aside(studio.clone()));
        workers.spawn(rounds::go_round(studio.clone()));
    }
    if let (Some(tls), Some((chain, key))) = (tls, &options.tls) {
        workers.spawn(certificates::keep_fresh(studio.clone(), tls.clone(), chain.clone(), key.clone()));
    }
    workers
}

/// Waits for the background work, so long. Work that is not done by then is taken up at the next start.
async fn end_work(workers: &mut JoinSet<()>, grace: Duration) {
    let _ = tokio::time::timeout(grace, async { while workers.join_next().await.is_some() {} }).await;
}

/// Waits until then for what this process works on, and gives back what it has not brought to its end, so that the others need not
/// wait for its leases.
async fn drain(studio: &SharedStudio, workers: &mut JoinSet<()>, until: Instant) {
    end_work(workers, until.saturating_duration_since(Instant::now())).await;
    while !studio.leases.claims().is_empty() && Instant::now() < until {
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
    if let Err(error) = reaper::give_back(studio).await {
        tracing::error!(%error, "what is under way cannot be given back: others take it once its lease is over");
    }
}

/// Writes what is only noted in memory, after the last request and the last work.
async fn wind_up(studio: &SharedStudio) {
    let _ = tokio::time::timeout(GRACE_OF_REMOVALS, studio.blobs.end_removals()).await;
    if let Err(error) = audit_log::write_refusals(studio).await {
        tracing::error!(%error, "refused keys cannot be written to the audit log");
    }
    if let Err(error) = last_uses::write(studio).await {
        tracing::error!(%error, "the last use of keys cannot be written");
    }
}

/// Writes the ready line, the only thing that ever goes to standard output.
fn announce(ready: &serde_json::Value) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{ready}")?;
    Ok(out.flush()?)
}
