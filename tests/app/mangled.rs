//! Every screen at a service that others wrote, while each field of its answers that nobody promised is made other than it
//! should be, one at a time.
//!
//! Always true here: what is there is still shown, whatever the field; and what was learned of the service is forgotten
//! before each, so that every question is asked anew. Not here: the window itself.

use easel_app::App;
use easel_app::deliveries::DeliveryFilter;
use easel_app::designs::DesignSort;
use easel_app::problem::Problem;
use easel_app::tasks::TaskFilter;
use easel_stranger::{Config, Delivered, Field, Mangle, Route, Stranger, Switches, every_field};

use crate::stage::{BY_NAME, Stage, draft};

/// The endpoints that the screens ask to show something.
const ASKED: [Route; 16] = [
    Route::Whoami,
    Route::ReadLimits,
    Route::ListOrganizations,
    Route::ListTasks,
    Route::ListCanvases,
    Route::SearchCanvases,
    Route::ReadCanvas,
    Route::ReadPages,
    Route::ListKits,
    Route::ReadKit,
    Route::ListFolders,
    Route::ReadTree,
    Route::ListFiles,
    Route::ChangeItem,
    Route::ListDeliveries,
    Route::ReadDelivery,
];

/// What lies at the stranger, by its ids.
struct Scene {
    stage: Stage,
    stranger: Stranger,
    connection: String,
    folder: String,
    file: String,
    canvas: String,
    kit: String,
    delivery: String,
}

#[tokio::test(flavor = "multi_thread")]
async fn no_field_that_nobody_promised_empties_a_screen() {
    let fields = every_field(&Switches::none());
    let mut tried = 0;
    let mut failed = Vec::new();
    for route in ASKED {
        let scene = open().await;
        assert_eq!(scene.look(route).await, Ok(true), "{route}, as it is");
        let free = fields.iter().filter(|field| field.is_free() && field.route == route);
        for mangle in free.flat_map(Field::manglings) {
            tried += 1;
            match scene.look_at(&mangle).await {
                Ok(true) => {}
                Ok(false) => failed.push(format!("{mangle}: what is there was not shown")),
                Err(problem) => failed.push(format!("{mangle}: {problem:?}")),
            }
        }
        scene.stage.app.close().await;
    }
    println!("{tried} manglings of {} endpoints", ASKED.len());
    assert!(failed.is_empty(), "{} of {tried} failed:\n{}", failed.len(), failed.join("\n"));
}

/// The app, connected to a stranger at which something lies of every kind.
async fn open() -> Scene {
    let config = Config { requests_per_minute: None, ..Config::new(Switches::none()) };
    let stranger = Stranger::with(config).await.unwrap();
    let folder = stranger.make_folder(None, "Brand");
    let file = stranger.put_file(Some(&folder), "logo.png", vec![7; 900]);
    let canvas = stranger.make_canvas("Poster", 2);
    let kit = stranger.make_kit("Corner Bakery");
    let delivery = stranger.add_delivery(Delivered::Never);
    let stage = Stage::open();
    let connection =
        stage.app.connections().connect_service(draft(stranger.base_url(), stranger.key())).await.unwrap().id;
    stage.app.generation().edit_design(canvas.clone(), "Make it blue".to_owned()).await.unwrap();
    Scene { stage, stranger, connection, folder, file, canvas, kit, delivery }
}

impl Scene {
    /// Whether everything is shown while the field is mangled.
    async fn look_at(&self, mangle: &Mangle) -> Result<bool, Problem> {
        self.stage.app.connections().forget_capabilities(self.connection.clone()).await?;
        self.stranger.mangle(Some(mangle.clone()));
        // Where in the drive a design is shown hangs on its folder; it is among the designs all the same.
        let is_its_place = mangle.route == Route::ListCanvases && mangle.pointer.ends_with("/folder_id");
        let shown = if is_its_place { self.is_among_designs("").await } else { self.look(mangle.route).await };
        self.stranger.mangle(None);
        shown
    }

    /// Whether the screens that ask an endpoint show what is there.
    async fn look(&self, route: Route) -> Result<bool, Problem> {
        let app = &self.stage.app;
        Ok(match route {
            Route::Whoami | Route::ReadLimits => {
                let tested =
                    app.connections().test_connection(draft(self.stranger.base_url(), self.stranger.key())).await?;
                !tested.address.is_empty() && !app.connections().list_connections().await?.is_empty()
            }
            Route::ListOrganizations => app.organizations().list_organizations().await.map(|_| true)?,
            Route::ListTasks => !app.tasks().list_tasks(TaskFilter::All, None, 50).await?.tasks.is_empty(),
            Route::ListCanvases => self.is_among_designs("").await? && self.is_in_drive(None, &self.canvas).await?,
            Route::SearchCanvases => self.is_among_designs("Poster").await?,
            Route::ReadCanvas => app.designs().get_design(self.canvas.clone()).await?.design.id == self.canvas,
            Route::ReadPages => app.designs().list_design_pages(self.canvas.clone()).await.map(|_| true)?,
            Route::ListKits => app.brand_kits().list_brand_kits().await?.iter().any(|kit| kit.id == self.kit),
            Route::ReadKit => app.brand_kits().get_brand_kit(self.kit.clone()).await?.id == self.kit,
            Route::ListFolders => self.is_in_drive(None, &self.folder).await? && has_folder(app, &self.folder).await?,
            Route::ReadTree => has_folder(app, &self.folder).await?,
            Route::ListFiles => {
                let is_found = app.drive().search_drive("logo".to_owned(), 20).await.map(|_| true)?;
                let recent = app.drive().list_recent_files(20).await?;
                let is_recent = recent.iter().any(|item| item.id == self.file);
                is_found && is_recent && self.is_in_drive(Some(&self.folder), &self.file).await?
            }
            Route::ChangeItem => {
                app.drive().rename_item(self.file.clone(), "logo.png".to_owned()).await?.id == self.file
            }
            Route::ListDeliveries => {
                let listed = app.deliveries().list_deliveries(DeliveryFilter::default(), None, 50).await?;
                listed.deliveries.iter().any(|delivery| delivery.id == self.delivery)
            }
            Route::ReadDelivery => {
                app.deliveries().get_delivery(self.delivery.clone()).await?.delivery.id == self.delivery
            }
            route => panic!("{route} is not asked here"),
        })
    }

    async fn is_among_designs(&self, query: &str) -> Result<bool, Problem> {
        let found = self.stage.app.designs().list_designs(query.to_owned(), DesignSort::Newest, None, 50).await?;
        Ok(found.designs.iter().any(|design| design.id == self.canvas))
    }

    async fn is_in_drive(&self, folder: Option<&str>, id: &str) -> Result<bool, Problem> {
        let listed = self.stage.app.drive().list_drive(folder.map(str::to_owned), 0, 100, BY_NAME).await?;
        Ok(listed.items.iter().any(|item| item.id == id))
    }
}

/// Whether the tree that a move chooses from has the folder.
async fn has_folder(app: &App, id: &str) -> Result<bool, Problem> {
    Ok(app.drive().list_folder_tree().await?.folders.iter().any(|folder| folder.id == id))
}
