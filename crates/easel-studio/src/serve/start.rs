//! The steps before the first request: the data folder is opened and put in order, and the studio put together on it.
//!
//! Always true: the caller holds the folder. Not here: what goes on afterwards.

#[cfg(unix)]
use std::path::Path;
use std::sync::Arc;

use super::options::Options;
use super::sharing::{Sharing, open_contents};
use crate::background::upkeep;
use crate::blobs::Blobs;
use crate::canvases;
use crate::core::error::Error;
#[cfg(unix)]
use crate::core::private_files::make_private;
use crate::core::room::Room;
use crate::core::turns::Turns;
use crate::data_folder::DataFolder;
use crate::db::accounts;
use crate::db::presence::{Presence, Served, Way};
use crate::db::removals::ByDatabase;
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
use crate::studio::puts::Puts;
use crate::studio::rates::SharedRate;
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
pub(super) async fn open_data(options: &Options, sharing: Sharing) -> Result<Opened, Error> {
    #[cfg(unix)]
    make_data_private(&options.data).await?;
    let folder = DataFolder::open(&options.data).await?;
    let is_beside = sharing == Sharing::Several || options.beside_others.is_some();
    let way = if is_beside { Way::Shared } else { Way::Alone };
    let Served { presence, was_alone } = folder.db.begin_to_serve(way).await?.ok_or(Error::DatabaseHeld)?;
    settle_plan(&folder, options.plan).await?;
    let turn = presence.take_turn_to_start().await?;
    let blobs = open_contents(&folder, &options.blobs).await?;
    drop(turn);
    let blobs = if options.direct_downloads { blobs.with_direct_downloads()? } else { blobs };
    let blobs = match sharing {
        Sharing::Several => blobs.shared_with(Arc::new(ByDatabase::new(&folder.db, &presence))),
        Sharing::OneProcess => blobs,
    };
    // Where this process is not alone, the others have settled the contents, and go on doing so.
    let is_bucket_unsettled = was_alone && blobs.are_in_bucket();
    if is_bucket_unsettled {
        upkeep::take_back_named(&folder.db, &blobs).await?;
    } else if was_alone {
        upkeep::settle_folder(&folder.db, &blobs, folder.clock.now()).await?;
    }
    Ok(Opened { folder, blobs, presence, is_bucket_unsettled })
}

/// What a process serves.
pub(super) struct Opened {
    pub folder: DataFolder,
    pub blobs: Blobs,
    /// The process among others, as long as it serves.
    pub presence: Presence,
    /// Whether the bucket is still to be looked through.
    pub is_bucket_unsettled: bool,
}

/// A studio on this data, without background work yet.
pub(super) fn put_together(
    options: &Options,
    Opened { folder, blobs, presence, .. }: Opened,
    sharing: Sharing,
    config: Config,
    writer_slot: Arc<WriterSlot>,
) -> SharedStudio {
    let counting = (sharing == Sharing::Several).then(|| folder.db.clone());
    Arc::new(Studio {
        rate: SharedRate::new("request", counting.clone()),
        last_uses: LastUses::default(),
        refusals: Refusals::default(),
        redemptions: Redemptions::new(counting.clone()),
        readiness: Readiness::default(),
        metrics: Metrics::new(),
        documents: Documents::made_by(routes::describe),
        signed_urls: SignedUrls::new(folder.master_key.derive("sign storage URLs"), &config.upload_url),
        puts: Puts::new(presence.clone()),
        presence,
        is_shared: sharing == Sharing::Several,
        commits: Commits::default(),
        cursors: Cursors::new(folder.master_key.derive("sign cursors")),
        config,
        callers: Callers::of(&folder.db),
        pages: answers::new_pages(),
        counted_pages: answers::CountedPages::default(),
        tasks_asked_for: answers::new_tasks_asked_for(),
        db: folder.db,
        drawers: Drawers::new(Start::Again(options.words_before.clone()), blobs.clone()),
        blobs,
        room: Room::of(&folder.path),
        clock: folder.clock,
        leases: Leases::new(folder.ids.next(), options.beside_others.unwrap_or(LEASE)),
        ids: folder.ids,
        active_tasks: ActiveTasks::new(),
        exports: Exports::new(options.workers, counting),
        in_place_turns: Turns::new(canvases::IN_PLACE_AT_ONCE, canvases::IN_PLACE_AT_ONCE),
        writer_slot,
        master_key: folder.master_key,
        outbound: Outbound::new(options.allow_local_callbacks, Names::scripted(options.scripted_names.clone())),
    })
}

/// The slot with the writer that was asked for. What is wrong with it is said before anything is opened.
pub(super) fn seat_writer(options: &Options) -> Result<Arc<WriterSlot>, Error> {
    let writer_slot = Arc::new(WriterSlot::default());
    let Some(mut settings) = options.writer.clone() else { return Ok(writer_slot) };
    if let Some(file) = &options.writer_key_file {
        settings.key = Some(writer::settings::read_key(file)?);
    }
    let model = writer::Model::new(&settings, options.scripted_names.clone())?;
    tracing::info!(model = model.name(), address = settings.address.as_str(), "a model writes what designs say");
    writer_slot.seat(Some(Arc::new(model)));
    Ok(writer_slot)
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
