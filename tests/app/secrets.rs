//! Keys, signing secrets and signed addresses, planted wherever a person or a service can put one, and looked for in
//! everything that the app writes: its folder, its events, its log, its diagnostics.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use easel_app::app::SECRET_IN_CLIPBOARD;
use easel_app::connections::ConnectionDraft;
use easel_app::deliveries::DeliveryFilter;
use easel_app::designs::DesignSort;
use easel_app::diagnostics::RECENT_LOG;
use easel_app::doctor::PastedWebhook;
use easel_app::drive::DownloadPlace;
use easel_tests::studio::{Options, Studio};
use tracing_subscriber::fmt::MakeWriter;

use crate::stage::{Stage, draft};

/// The log of the whole process as it is written before anything redacts it.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl MakeWriter<'_> for Log {
    type Writer = Self;
    fn make_writer(&self) -> Self {
        self.clone()
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        RECENT_LOG.note(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_in_anything_that_the_app_writes() {
    let log = Log::default();
    let everything = tracing_subscriber::EnvFilter::new("easel_app=trace,easel_client=trace,easel_sync=trace");
    tracing_subscriber::fmt().with_env_filter(everything).with_ansi(false).with_writer(log.clone()).init();
    let studio = Studio::start(Options::new());
    let key = studio.create_key("Easel");
    let stage = Stage::open();
    let connected = stage.app.connections().connect_service(draft(&studio.base_url, &key.key)).await.unwrap();

    let planted = [
        format!("svc_live_{}", "feedbeef".repeat(5)),
        format!("whsec_{}", "deadbeef".repeat(8)),
        "https://storage.example/blob?signature=cafebabe0123&expires=1".to_owned(),
    ];
    for plant in &planted {
        plant_everywhere(&stage, &studio.base_url, &connected.id, plant).await;
    }
    // Signed addresses as a service gives them: to send to, and to read from.
    let file = stage.put("Deck.pdf", &vec![7; 300_000], None).await;
    *stage.person.downloads.lock().unwrap() = Some(stage.folder.path().join("given"));
    stage.app.downloads().download_file(file.id, DownloadPlace::Downloads).await.unwrap();
    // Keys as Easel makes them.
    stage.app.connections().start_local_studio(false).await.unwrap();
    let made = stage.app.keys().create_api_key("A program".to_owned()).await.unwrap();
    stage.app.copy_secret(made.key.clone()).await.unwrap();
    stage.app.receiver().start_receiver().await.unwrap();
    stage.app.receiver().set_receiver_secret(made.signing_secret.clone()).await.unwrap();

    let diagnostics = stage.app.get_diagnostics().await.unwrap().text;
    assert!(diagnostics.contains("Connection 1: Service, Ready"), "{diagnostics}");
    assert!(!diagnostics.contains("127.0.0.1"), "the host is not told: {diagnostics}");
    let events = format!("{:?}", stage.page.events());
    stage.app.close().await;
    let logged = String::from_utf8_lossy(&log.0.lock().unwrap()).into_owned();
    assert!(logged.len() > 1_000, "the log was listened to");
    let written = stage.everything_written();
    assert!(!written.is_empty() && events.len() > 100);
    let own = stage.keychain.keys.lock().unwrap().values().cloned().collect::<Vec<_>>();
    assert!(own.len() >= 3, "two keys, and a signing secret");
    let secrets = [key.key, key.signing_secret, made.key, made.signing_secret, "signature=".to_owned()];
    let parts = ["feedbeef", "deadbeef", "cafebabe0123"].map(str::to_owned);
    for secret in secrets.into_iter().chain(parts).chain(own) {
        for (place, text) in [("the diagnostics", &diagnostics), ("an event", &events), ("the log", &logged)] {
            assert!(!text.contains(&secret), "a secret is in {place}");
        }
        // The studio's own folder is not the app's, and holds what it signs with.
        let is_in_file = written.windows(secret.len()).any(|window| window == secret.as_bytes());
        assert!(!is_in_file || secret == "signature=", "a secret is in a file");
    }
}

/// Puts a secret into everything that takes a text and has no reason to keep it.
async fn plant_everywhere(stage: &Stage, base_url: &str, connection_id: &str, plant: &str) {
    let app = &stage.app;
    let drafts = [
        draft(base_url, plant),
        draft(plant, plant),
        draft(&format!("{base_url}/?key={plant}"), plant),
        draft(&format!("https://{plant}@studio.example"), plant),
        ConnectionDraft { version_header: Some(plant.to_owned()), ..draft(base_url, plant) },
        ConnectionDraft { keep_for_session: true, ..draft(base_url, plant) },
    ];
    for draft in drafts {
        assert!(app.connections().test_connection(draft.clone()).await.is_err());
        assert!(app.connections().connect_service(draft).await.is_err());
    }
    assert!(app.connections().replace_key(connection_id.to_owned(), plant.to_owned(), false).await.is_err());
    assert!(app.connections().replace_key(connection_id.to_owned(), plant.to_owned(), true).await.is_err());
    app.links().open_link(&format!("easel://connect?address={base_url}&key={plant}"));
    app.links().open_link(&format!("easel://{plant}"));
    app.links().take_link().await.unwrap();
    let pasted = PastedWebhook {
        headers: format!("X-Webhook-Signature: {plant}\nX-Webhook-Timestamp: {plant}"),
        body: plant.to_owned(),
        secret: plant.to_owned(),
        is_from_log: false,
    };
    app.doctor().examine_signature(pasted).await.unwrap();
    app.receiver().set_receiver_secret(plant.to_owned()).await.unwrap();
    let filter = DeliveryFilter { text: plant.to_owned(), ..DeliveryFilter::default() };
    app.deliveries().list_deliveries(filter, None, 10).await.unwrap();
    let wrong = DeliveryFilter { from: Some(plant.to_owned()), ..DeliveryFilter::default() };
    assert!(app.deliveries().list_deliveries(wrong, None, 10).await.is_err());
    assert!(app.deliveries().list_deliveries(DeliveryFilter::default(), Some(plant.to_owned()), 10).await.is_err());
    app.designs().list_designs(plant.to_owned(), DesignSort::Newest, None, 10).await.unwrap();
    for id in [plant, &format!("file_{plant}")] {
        assert!(app.deliveries().get_delivery(id.to_owned()).await.is_err());
        assert!(app.designs().get_design(id.to_owned()).await.is_err());
        // An id is opaque: that nothing has it, the service says later.
        drop(app.downloads().download_file(id.to_owned(), DownloadPlace::Downloads).await);
        assert!(app.media().get_media(&format!("/file/{connection_id}/{id}")).await.is_none());
    }
    app.copy_secret(plant.to_owned()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_copied_secret_is_in_the_clipboard_for_a_minute_unless_something_else_is() {
    let stage = Stage::open();
    let clipboard = || stage.person.clipboard.lock().unwrap().clone();
    stage.app.copy_secret("svc_live_1".to_owned()).await.unwrap();
    tokio::time::sleep(SECRET_IN_CLIPBOARD - Duration::from_secs(1)).await;
    assert_eq!(clipboard(), "svc_live_1");
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(clipboard(), "");
    stage.app.copy_secret("svc_live_1".to_owned()).await.unwrap();
    stage.app.copy_text("a reference".to_owned()).await.unwrap();
    tokio::time::sleep(SECRET_IN_CLIPBOARD * 2).await;
    assert_eq!(clipboard(), "a reference");
}
