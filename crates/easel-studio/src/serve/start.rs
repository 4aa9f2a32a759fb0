//! The steps before the first request: the data folder is opened and put in order, and the studio put together on it.
//!
//! Always true: the caller holds the folder. Not here: what goes on afterwards.

#[cfg(unix)]
use std::path::Path;
use std::sync::Arc;

use super::options::Options;
use crate::background::upkeep;
use crate::blobs::{Blobs, BlobsAt, Opening};
use crate::canvases;
use crate::core::error::Error;
#[cfg(unix)]
use crate::core::private_files::make_private;
use crate::core::rate::RequestRate;
use crate::core::room::Room;
use crate::core::turns::Turns;
use crate::data_folder::DataFolder;
use crate::db::{Served, accounts, drive, uploads};
use crate::drawers::{Drawers, Start};
use crate::outbound::{Names, Outbound};
use crate::routes;
use crate::studio::active_tasks::ActiveTasks;
use crate::studio::callers::Callers;
use crate::studio::commits::Commits;
use crate::studio::config::Config;
use crate::studio::documents::Documents;
use crate::studio::exports::Exports;
use crate::studio::last_uses::LastUses;
use crate::studio::leases::{LEASE, Leases};
use crate::studio::metrics::Metrics;
use crate::studio::readiness::Readiness;
use crate::studio::redemptions::Redemptions;
use crate::studio::refusals::Refusals;
use crate::studio::{SharedStudio, Studio, answers};
use crate::web::list::Cursors;
use crate::web::signed_urls::SignedUrls;
use crate::wire::account::Plan;
use crate::writer::{self, Writer, WriterSlot};

/// Opens the data folder, which the caller holds, and puts in order what the last run left.
///
/// # Errors
/// Whatever keeps the folder from being opened, or its contents from being settled.
pub(super) async fn open_data(options: &Options) -> Result<(DataFolder, Blobs, Served), Error> {
    #[cfg(unix)]
    make_data_private(&options.data).await?;
    let folder = DataFolder::open(&options.data).await?;
    let served = folder.db.hold(options.beside_others.is_some()).await?;
    let served = served.ok_or_else(|| Error::DataFolderHeld(options.data.clone()))?;
    settle_plan(&folder, options.plan).await?;
    let is_new = match options.blobs {
        BlobsAt::Folder => false,
        // Their removals speak to one process alone.
        BlobsAt::Bucket(_) if options.beside_others.is_some() => {
            return Err(Error::Usage("a bucket is served by one process".to_owned()));
        }
        BlobsAt::Bucket(_) => {
            let mut conn = folder.db.read().acquire().await?;
            drive::files::list_content_hashes(&mut conn).await?.is_empty()
        }
    };
    let blobs = Blobs::open_at(&folder.path, &options.blobs, Opening::Served { is_new }).await?;
    clear_leftovers(&folder, &blobs).await?;
    Ok((folder, blobs, served))
}

/// A studio on this data, without background work yet.
pub(super) fn put_together(
    options: &Options,
    folder: DataFolder,
    blobs: Blobs,
    config: Config,
    desk: Arc<WriterSlot>,
) -> SharedStudio {
    Arc::new(Studio {
        rate: RequestRate::new(),
        last_uses: LastUses::default(),
        refusals: Refusals::default(),
        redemptions: Redemptions::new(),
        readiness: Readiness::default(),
        metrics: Metrics::new(),
        documents: Documents::made_by(routes::describe),
        signed_urls: SignedUrls::new(folder.master_key.derive("sign storage URLs"), &config.upload_url),
        puts: Arc::default(),
        commits: Commits::default(),
        cursors: Cursors::new(folder.master_key.derive("sign cursors")),
        config,
        callers: Callers::of(&folder.db),
        pages: answers::new_pages(),
        tasks_asked_for: answers::new_tasks_asked_for(),
        db: folder.db,
        drawers: Drawers::new(Start::Again(options.words_before.clone()), blobs.clone()),
        blobs,
        room: Room::of(&folder.path),
        clock: folder.clock,
        leases: Leases::new(folder.ids.next(), options.beside_others.unwrap_or(LEASE)),
        ids: folder.ids,
        active_tasks: ActiveTasks::new(),
        exports: Exports::new(options.workers),
        text_turns: Turns::new(canvases::TEXTS_AT_ONCE, canvases::TEXTS_AT_ONCE),
        desk,
        master_key: folder.master_key,
        outbound: Outbound::new(options.allow_local_callbacks, Names::scripted(options.scripted_names.clone())),
    })
}

/// The desk with the writer that was asked for. What is wrong with it is said before anything is opened.
pub(super) fn seat_writer(options: &Options) -> Result<Arc<WriterSlot>, Error> {
    let desk = Arc::new(WriterSlot::default());
    let Some(mut settings) = options.writer.clone() else { return Ok(desk) };
    if let Some(file) = &options.writer_key_file {
        settings.key = Some(writer::settings::read_key(file)?);
    }
    let model = writer::Model::new(&settings, options.scripted_names.clone())?;
    tracing::info!(model = model.name(), address = settings.address.as_str(), "a model writes what designs say");
    desk.seat(Some(Arc::new(model)));
    Ok(desk)
}

#[cfg(unix)]
async fn make_data_private(path: &Path) -> Result<(), Error> {
    let whole = path.to_owned();
    let done = tokio::task::spawn_blocking(move || make_private(&whole)).await;
    done.map_err(|_| Error::Panicked)?.map_err(|cause| Error::DataFolderUnusable { path: path.to_owned(), cause })
}

async fn settle_plan(folder: &DataFolder, asked: Option<Plan>) -> Result<(), Error> {
    let Some(plan) = asked else { return Ok(()) };
    let mut tx = folder.db.begin().await?;
    accounts::update_plan(&mut tx, plan).await?;
    Ok(tx.commit().await?)
}

/// What the last run left: contents without rows, staged blobs that were registered, memories past their day.
async fn clear_leftovers(folder: &DataFolder, blobs: &Blobs) -> Result<(), Error> {
    upkeep::settle_contents(&folder.db, blobs, folder.clock.now()).await?;
    blobs.discard_staged(&uploads::list_consumed(&folder.db).await?).await?;
    let mut tx = folder.db.begin().await?;
    uploads::forget_old(&mut tx, folder.clock.now()).await?;
    tx.commit().await?;
    Ok(())
}
