//! Every field of every answer made other than it should be, one at a time, under every question of the client.
//!
//! Always true here: only what the specification names, what holds everything else, and what a step cannot be done
//! without may make a question fail, and says so in words. Not here: the app's screens (`tests/app`).

use std::collections::BTreeSet;
use std::time::Duration;

use easel_client::{Client, Connection, DeliveryFilter, Error, ExportRequest, PageRequest, Place, TaskFilter};
use easel_stranger::{Config, Delivered, Field, Mangle, Route, Stranger, Switches, every_field};
use easel_wire::canvases::ExportFormat;
use easel_wire::tasks::StartTask;
use easel_wire::{BrandKitId, CanvasId, FileId, FolderId, ItemRef};
use futures_util::stream::{self, StreamExt};
use tempfile::TempDir;

/// What lies at the stranger, by its ids.
struct Scene {
    folder: FolderId,
    file: FileId,
    canvas: CanvasId,
    kit: BrandKitId,
    delivery: String,
    place: TempDir,
}

/// The size of the file that lies there, in bytes.
const FILE_BYTES: u64 = 900;
/// Manglings at once: a question that fails is asked again after a while.
const AT_ONCE: usize = 32;

#[tokio::test(flavor = "multi_thread")]
async fn no_field_that_nobody_promised_makes_a_question_fail() {
    for route in asked() {
        let (stranger, scene) = open().await;
        let asked = ask(&client(&stranger), route, &scene).await;
        asked.unwrap_or_else(|why| panic!("{route}, as it is: {why}"));
    }
    let fields = every_field(&Switches::none());
    let free = fields.iter().filter(|field| field.is_free() && asked().contains(&field.route));
    let mangles: Vec<Mangle> = free.flat_map(Field::manglings).collect();
    let came = stream::iter(mangles.clone()).map(|mangle| tokio::spawn(try_mangled(mangle))).buffer_unordered(AT_ONCE);
    let failed: Vec<String> = came.filter_map(async |came| came.expect("its end")).collect().await;
    for mangle in &mangles {
        println!("{mangle}");
    }
    println!("{} manglings of {} endpoints", mangles.len(), asked().len());
    assert!(failed.is_empty(), "{} of {} failed:\n{}", failed.len(), mangles.len(), failed.join("\n"));
}

/// Asks at a stranger of its own, so that nothing is known from an answer before. Says what failed.
async fn try_mangled(mangle: Mangle) -> Option<String> {
    let (stranger, scene) = open().await;
    stranger.mangle(Some(mangle.clone()));
    ask(&client(&stranger), mangle.route, &scene).await.err().map(|why| format!("{mangle}: {why}"))
}

/// A stranger at which something lies of every kind.
async fn open() -> (Stranger, Scene) {
    let config = Config { requests_per_minute: None, ..Config::new(Switches::none()) };
    let stranger = Stranger::with(config).await.expect("a port");
    let folder = stranger.make_folder(None, "Brand");
    let file = stranger.put_file(Some(&folder), "logo.png", vec![7; usize::try_from(FILE_BYTES).expect("a size")]);
    let canvas = stranger.make_canvas("Poster", 2);
    let kit = stranger.make_kit("Corner Bakery");
    let scene = Scene {
        folder: folder.parse().expect("an id"),
        file: file.parse().expect("an id"),
        canvas: canvas.parse().expect("an id"),
        kit: kit.parse().expect("an id"),
        delivery: stranger.add_delivery(Delivered::Never),
        place: TempDir::with_prefix("easel-mangled-").expect("a folder"),
    };
    let start = StartTask { prompt: "A poster".to_owned(), ..StartTask::default() };
    client(&stranger).start_task(&start, Duration::ZERO).await.expect("a task");
    (stranger, scene)
}

fn client(stranger: &Stranger) -> Client {
    let connection = Connection::new(stranger.base_url(), stranger.key().into()).expect("an address and a key");
    Client::new(connection).expect("a client")
}

/// The endpoints that are asked here.
fn asked() -> BTreeSet<Route> {
    [
        Route::Whoami,
        Route::ListOrganizations,
        Route::ReadLimits,
        Route::ListTasks,
        Route::CreateTask,
        Route::ListCanvases,
        Route::SearchCanvases,
        Route::ReadCanvas,
        Route::ReadPages,
        Route::ReadKit,
        Route::ExportCanvas,
        Route::ListKits,
        Route::ListFolders,
        Route::ReadTree,
        Route::ListFiles,
        Route::ReadFile,
        Route::DownloadFile,
        Route::MoveItem,
        Route::ChangeItem,
        Route::ListDeliveries,
        Route::ReadDelivery,
    ]
    .into()
}

/// Asks what a screen asks of an endpoint, and reads the answer to its end. Says why it failed, or what was not shown.
async fn ask(client: &Client, route: Route, scene: &Scene) -> Result<(), String> {
    match show(client, route, scene).await {
        Ok(true) => Ok(()),
        Ok(false) => Err("what is there was not shown".to_owned()),
        Err(error) => Err(format!("{error:?}")),
    }
}

/// Whether what is there was shown.
async fn show(client: &Client, route: Route, scene: &Scene) -> Result<bool, Error> {
    let page = PageRequest::default();
    Ok(match route {
        Route::Whoami => client.identify().await.is_ok(),
        Route::ListOrganizations => client.list_organizations(&page).await.map(|_| true)?,
        Route::ReadLimits => client.upload_limits().await.map(|_| true)?,
        Route::ListTasks => !client.list_tasks(&TaskFilter::default(), &page).await?.items.is_empty(),
        Route::CreateTask => {
            let start = StartTask { prompt: "A poster".to_owned(), ..StartTask::default() };
            client.start_task(&start, Duration::ZERO).await.map(|_| true)?
        }
        Route::ListCanvases => {
            let canvases = client.list_canvases(&Place::Everywhere, &page).await?;
            canvases.items.iter().any(|canvas| canvas.id == scene.canvas)
        }
        Route::SearchCanvases => !client.search_canvases("Poster", &page).await?.items.is_empty(),
        Route::ReadCanvas => client.get_canvas(scene.canvas).await?.id == scene.canvas,
        Route::ReadPages => client.list_canvas_pages(scene.canvas).await.map(|_| true)?,
        Route::ExportCanvas => {
            let format = ExportFormat::Png;
            let request = ExportRequest { format, page_number: None, pixel_ratio: None, flatten: None, wait: true };
            client.start_export(scene.canvas, &request).await.map(|_| true)?
        }
        Route::ReadKit => client.get_brand_kit(scene.kit).await?.id == scene.kit,
        Route::ListKits => !client.list_brand_kits(&page).await?.items.is_empty(),
        Route::ListFolders => {
            let folders = client.list_folders(&Place::Everywhere, &page).await?;
            folders.items.iter().any(|folder| folder.id == scene.folder)
        }
        Route::ReadTree => client.get_tree(3).await.map(|_| true)?,
        Route::ListFiles => {
            let files = client.list_files(&Place::In(scene.folder), &page).await?;
            files.items.iter().any(|file| file.id == scene.file)
        }
        Route::ReadFile => client.get_file(scene.file).await?.id == scene.file,
        Route::DownloadFile => {
            let to = scene.place.path().join("logo.png");
            client.download_file(scene.file, &to, &|_| {}).await?.size_bytes == FILE_BYTES
        }
        Route::MoveItem => client.move_item(ItemRef::File(scene.file), Some(scene.folder)).await.map(|_| true)?,
        Route::ChangeItem => client.rename_item(ItemRef::File(scene.file), "logo.png").await.map(|_| true)?,
        Route::ListDeliveries => {
            let deliveries = client.list_deliveries(&DeliveryFilter::default(), &page).await?;
            deliveries.items.iter().for_each(|delivery| drop(delivery.outcome()));
            !deliveries.items.is_empty()
        }
        Route::ReadDelivery => {
            let id = scene.delivery.parse().expect("an id");
            client.get_delivery(id).await.map(|delivery| drop(delivery.outcome()))?;
            true
        }
        route => panic!("{route} is not asked here"),
    })
}
