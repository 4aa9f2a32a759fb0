//! Pictures of every screen in the real window: `cargo xtask screenshots`.
//!
//! Always true: a state is there, and is found in the page, before its picture is taken; each is taken light and dark,
//! at 900 × 600 and at 1440 × 900; nothing is drawn for the picture that the program does not show. They go into the
//! folder that `EASEL_SCREENSHOTS` names (else `target/screenshots`). Deliberately not here: whether they are good;
//! somebody looks at them.
#![expect(clippy::print_stdout, reason = "telling a person what was taken is what this program does")]

use std::path::{Path, PathBuf};

use easel_tests::desktop::Keychain;
use easel_tests::journey::{Journey, SENDING};
use easel_tests::patience::wait_for;
use easel_tests::process;
use easel_tests::samples::{self, DECK_BYTES};
use easel_tests::studio::{Options, Studio};
use easel_tests::window::key;
use serde_json::Value;

const SIZES: [(u32, u32); 2] = [(900, 600), (1440, 900)];
const THEMES: [&str; 2] = ["light", "dark"];
const WORDS: &str = "Launch deck for a neighbourhood bakery, warm and quiet. Bread: sourdough from seven, rye on Fridays. \
                     People: two bakers, one apprentice. Opening: 3 March, Mill Street 4";

/// The window, and where its pictures go.
struct Album {
    journey: Journey,
    folder: PathBuf,
    count: u32,
}

impl Album {
    /// Takes the four pictures of a state, once `shown` is in the page, each time.
    async fn take(&mut self, name: &str, shown: &str) {
        let window = &self.journey.window;
        for (width, height) in SIZES {
            window.resize(width, height).await;
            for theme in THEMES {
                window.look(&format!("document.documentElement.dataset.theme = '{theme}'; return true")).await;
                window.find_by(shown).await;
                let file = format!("{name}-{width}x{height}-{theme}.png");
                window.take_picture(&self.folder.join(file)).await;
                self.count += 1;
            }
        }
        println!("{name}");
    }

    /// Waits for an element that takes as long as sending does.
    async fn wait(&self, selector: &str) {
        let script = format!("return document.querySelector('{selector}') !== null");
        wait_for(selector, SENDING, async || {
            if self.journey.window.look(&script).await == true { Ok(()) } else { Err("not there") }
        })
        .await;
    }

    async fn go(&self, button: &str) {
        self.journey.window.click(button).await;
    }
}

fn by(testid: &str) -> String {
    format!("[data-testid=\"{testid}\"]")
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let folder = std::env::var_os("EASEL_SCREENSHOTS").unwrap_or_else(|| "target/screenshots".into());
    let folder = std::path::absolute(folder).expect("a folder for pictures");
    let journey = Journey::begin(Keychain::Unlocked).await;
    let mut album = Album { journey, folder, count: 0 };
    begin(&mut album).await;
    fill(&mut album).await;
    designs(&mut album).await;
    work(&mut album).await;
    settings(&mut album).await;
    failures(&mut album).await;
    println!("{} pictures in {}", album.count, album.folder.display());
}

/// The first start, and every screen while it is empty.
async fn begin(album: &mut Album) {
    album.take("welcome", &by("welcome-start")).await;
    album.go("welcome-connect").await;
    album.take("connect", &by("connect-address")).await;
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").and_then(|held| held.local_addr()).expect("a free port");
    album.journey.submit_connection(&format!("http://{nobody}"), &format!("svc_live_{}", "1".repeat(40))).await;
    album.take("connect-failed", &by("problem")).await;
    album.go("connect-back").await;
    album.journey.start_on_this_computer().await;
    album.take("home-first", &by("home-dropzone")).await;
    // The designs that a first start makes lie in it.
    album.go("rail-drive").await;
    album.take("drive-first", &by("drive-row")).await;
    album.go("rail-synced").await;
    album.take("synced-empty", &by("empty")).await;
    album.go("rail-activity").await;
    album.go("activity-exports").await;
    album.take("activity-exports-empty", &by("empty")).await;
    album.journey.show_developer().await;
    album.go("rail-developer").await;
    album.take("developer-empty", &by("empty")).await;
    album.go("developer-listen").await;
    album.take("developer-listen-off", &by("listen-start")).await;
    // From now on, designs that are asked for in this window report here.
    album.go("listen-start").await;
    album.take("developer-listen-empty", &by("listen-address")).await;
}

/// Files on their way, then in the drive.
async fn fill(album: &mut Album) {
    let files = samples::write_samples(&album.journey.files());
    let offer = album.journey.files().join("Offer.pdf");
    samples::write_offer(&offer);
    album.go("rail-home").await;
    let held = {
        let journey = &album.journey;
        let pid = journey.wait_for_studio().await;
        let held = journey.hold_studio_once(pid, DECK_BYTES / 3);
        journey
            .drop_files("home-dropzone", &[files.picture.clone(), files.deck.clone(), files.same_picture, offer])
            .await;
        journey.open_shelf().await;
        held.join().expect("the studio was held");
        pid
    };
    album.take("home-busy", "[data-testid=\"transfer-row\"][data-state=\"sending\"]").await;
    album.go("rail-activity").await;
    album.go("activity-uploads").await;
    album.take("activity-uploads-busy", "[data-testid=\"transfer-row\"][data-state=\"sending\"]").await;
    process::let_go(held);
    album.go("rail-home").await;
    album.journey.wait_for_transfers(&["Autumn launch.pptx"]).await;
    album.take("home-sent", "[data-testid=\"home-recent\"] > :nth-child(2)").await;
    album.go("shelf-clear").await;
    album.take("home-full", "[data-testid=\"home-recent\"] > :nth-child(2)").await;
    album.go("rail-drive").await;
    album.journey.window.click_by("[data-testid=\"drive-row\"][data-kind=\"file\"] .words").await;
    album.take("drive-full", "[data-testid=\"drive-row\"][aria-selected=\"true\"]").await;
    album.go("drive-view").await;
    album.take("drive-cards", &by("drive-card")).await;
    album.go("drive-view").await;
    let menu = "[data-testid=\"drive-row\"][aria-selected=\"true\"] [data-testid=\"drive-row-menu\"]";
    album.journey.window.click_by(menu).await;
    album.go("menu-look").await;
    album.take("quick-look", &by("look-stage")).await;
    for _ in 0..2 {
        album.journey.window.press(key::DOWN).await;
    }
    album.take("quick-look-document", "[data-testid=look-picture].here").await;
    album.journey.window.press(key::ESCAPE).await;
    album.journey.window.click_by(menu).await;
    album.take("drive-menu", &by("menu-copy-reference")).await;
    album.go("menu-move").await;
    album.take("drive-move", &by("move-confirm")).await;
    album.journey.window.press(key::ESCAPE).await;
    album.go("drive-new-folder").await;
    album.take("drive-new-folder", &by("folder-name")).await;
    album.journey.window.press(key::ESCAPE).await;
    album.journey.window.click_by("[data-testid=\"drive-row\"][data-kind=\"design\"] .words").await;
    album.journey.window.press(key::DELETE).await;
    album.take("drive-delete", &by("delete-confirm")).await;
    album.journey.window.press(key::ESCAPE).await;
    trash(album).await;
    album.journey.window.fill("drive-search", "ha").await;
    album.take("drive-found", &by("drive-found-item")).await;
    album.journey.window.fill("drive-search", "no file is called so").await;
    album.take("drive-found-nothing", "[data-testid=\"drive-found\"] [data-testid=\"empty\"]").await;
    album.journey.window.press(key::ESCAPE).await;
    synced_folder(album).await;
}

/// A folder that is kept in step, then missed, then back.
async fn synced_folder(album: &mut Album) {
    let campaign = album.journey.files().join("Campaign");
    write_folder(&campaign);
    album.go("rail-synced").await;
    album.journey.window.find("synced").await;
    album.journey.drop_to_keep_in_step(&campaign).await;
    album.take("synced-add", &by("synced-sheet")).await;
    album.go("synced-look").await;
    album.take("synced-preview", &by("synced-begin")).await;
    let studio = album.journey.wait_for_studio().await;
    album.go("synced-begin").await;
    album.journey.window.find_by("[data-testid=\"synced-folder\"][data-state=\"working\"]").await;
    process::hold_still(studio);
    album.take("synced-busy", "[data-testid=\"synced-folder\"][data-state=\"working\"]").await;
    process::let_go(studio);
    album.wait("[data-testid=\"synced-folder\"][data-state=\"up_to_date\"]").await;
    album.take("synced-full", "[data-testid=\"synced-folder\"][data-state=\"up_to_date\"]").await;
    album.go("synced-tab-history").await;
    album.take("synced-history", &by("synced-event")).await;
    album.go("history-go-back").await;
    album.take("synced-history-moment", &by("revert-look")).await;
    album.go("revert-cancel").await;
    album.go("synced-tab-folders").await;
    let away = campaign.with_file_name("Elsewhere");
    std::fs::rename(&campaign, &away).expect("a renamed folder");
    album.wait("[data-testid=\"synced-folder\"][data-state=\"needs_you\"]").await;
    album.take("synced-missing", "[data-testid=\"synced-folder\"][data-state=\"needs_you\"]").await;
    std::fs::rename(&away, &campaign).expect("a folder that is back");
}

/// The trash: empty, with a file in it, chosen; then the file is back.
async fn trash(album: &mut Album) {
    album.go("drive-trash").await;
    album.take("trash-empty", &by("empty")).await;
    album.go("trash-back").await;
    album.journey.window.click_by("[data-testid=\"drive-row\"][data-kind=\"file\"] .words").await;
    album.journey.window.press(key::DELETE).await;
    album.go("drive-trash").await;
    // The deletion is sent when the time to undo is over.
    album.wait(&by("trash-row")).await;
    album.take("trash", &by("trash-row")).await;
    album.go("trash-choose-all").await;
    album.take("trash-chosen", &by("trash-chosen")).await;
    album.go("trash-remove").await;
    album.take("trash-remove", &by("trash-confirm")).await;
    album.journey.window.press(key::ESCAPE).await;
    album.go("trash-restore").await;
    album.go("toast-show").await;
    album.journey.window.find("drive-row").await;
}

fn write_folder(folder: &Path) {
    std::fs::create_dir_all(folder.join("Photos")).expect("a folder");
    for number in 1..=40 {
        std::fs::write(folder.join(format!("Photos/frame {number:02}.txt")), format!("frame {number}"))
            .expect("a file");
    }
}

/// Designs: the gallery, one that is opened, one beside another, what is chosen of them.
async fn designs(album: &mut Album) {
    // Seen once, so that the gallery is there while the studio is held still.
    album.go("rail-designs").await;
    album.journey.window.find("design-card").await;
    album.go("rail-home").await;
    album.journey.window.fill("describe-prompt", WORDS).await;
    album.take("home-described", &by("describe-make")).await;
    let studio = album.journey.wait_for_studio().await;
    process::hold_still(studio);
    album.go("describe-make").await;
    album.take("home-making", &by("design-coming")).await;
    album.go("rail-designs").await;
    album.take("designs-busy", &by("design-coming")).await;
    album.go("rail-activity").await;
    album.go("activity-tasks").await;
    album.take("activity-tasks-busy", &by("task-row")).await;
    process::let_go(studio);
    let row = format!("[data-testid=\"task-row\"][data-name=\"{WORDS}\"]");
    wait_for("the design", SENDING, async || {
        let state = format!("return document.querySelector('{row}')?.dataset.state ?? 'not listed'");
        match album.journey.window.look(&state).await {
            Value::String(state) if state == "succeeded" => Ok(()),
            state => Err(state.to_string()),
        }
    })
    .await;
    album.take("activity-tasks", &row).await;
    album.journey.window.click_by(&format!("{row} [data-testid=\"task-open\"]")).await;
    opened_design(album).await;
    album.go("design-back").await;
    wait_for("four variations", SENDING, async || {
        let count =
            album.journey.window.look("return document.querySelectorAll('[data-testid=design-card]').length").await;
        if count.as_u64() >= Some(8) { Ok(()) } else { Err(count.to_string()) }
    })
    .await;
    album.take("designs-full", &by("design-card")).await;
    for number in [1, 2] {
        let choose = format!("document.querySelectorAll('[data-testid=design-choose]')[{number}].click(); return true");
        album.journey.window.look(&choose).await;
    }
    album.take("designs-chosen", "[data-testid=\"design-choose\"]:checked").await;
    album.go("designs-export").await;
    album.take("designs-export", &by("batch-confirm")).await;
    album.go("batch-confirm").await;
    album.journey.window.find("toast-watch").await;
    album.go("toast-watch").await;
    album.take("activity-exports", "[data-testid=\"export-row\"][data-state=\"finished\"]").await;
    album.go("rail-designs").await;
    for number in [1, 2] {
        let choose = format!("document.querySelectorAll('[data-testid=design-choose]')[{number}].click(); return true");
        album.journey.window.find("design-choose").await;
        album.journey.window.look(&choose).await;
    }
    album.go("designs-compare").await;
    album.take("compare", &by("compare-picture")).await;
    album.go("rail-designs").await;
    album.go("designs-kits").await;
    album.take("kits-empty", &by("kit-create")).await;
    let logo = album.journey.files().join("Harbor logo.svg");
    std::fs::write(&logo, LOGO).expect("a logo");
    album.journey.drop_files("kits", &[logo]).await;
    album.journey.window.find("kit-logo-picture").await;
    album.take("kits-from-file", &by("kit-source")).await;
    album.go("kit-headings-list").await;
    album.take("kits-typefaces", &by("font-list")).await;
    album.journey.window.press(key::ESCAPE).await;
    album.journey.window.press(key::ESCAPE).await;
    album.go("kit-create").await;
    album.journey.window.fill("kit-name", "Corner Bakery").await;
    album.journey.window.fill("kit-company", "Corner Bakery Ltd").await;
    album.take("kits-new", &by("kit-save")).await;
    album.go("kit-save").await;
    album.take("kits-full", &by("kit")).await;
}

/// A design that is open: its pages, its colours, and its variations.
async fn opened_design(album: &mut Album) {
    album.take("design", "[data-testid=\"design-page\"].here").await;
    album.go("design-next").await;
    album.take("design-second-page", "[data-testid=\"design-page\"].here").await;
    album.go("design-edit-colors").await;
    album.take("design-colors", &by("design-color")).await;
    // On light paper it would not be seen, so it is drawn as another.
    let choose = "const field = document.querySelector('[data-testid=design-color][data-role=accent]');
                  field.value = '#fafafa'; field.dispatchEvent(new Event('change', { bubbles: true })); return true";
    album.journey.window.look(choose).await;
    album.take("design-colors-chosen", &by("design-color-near")).await;
    album.go("design-colors-close").await;
    album.go("design-menu").await;
    album.go("design-menu-versions").await;
    album.take("design-versions", "[data-testid=\"version-preview\"] img").await;
    album.journey.window.press(key::ESCAPE).await;
    album.go("design-menu").await;
    album.go("design-menu-sizes").await;
    album.journey.window.click_by("label:has([data-testid=size-story])").await;
    album.take("design-sizes", &by("sizes-confirm")).await;
    album.journey.window.press(key::ESCAPE).await;
    album.journey.window.press("?").await;
    album.take("shortcuts", &by("shortcuts")).await;
    album.journey.window.press(key::ESCAPE).await;
    album.go("design-vary").await;
    album.take("contact-sheet", &by("sheet-card")).await;
    album.wait("[data-testid=\"contact-place\"]:nth-child(4) img.here").await;
    album.take("contact-sheet-made", &by("sheet-card")).await;
    album.go("contact-sheet-back").await;
}

/// A red disc beside a navy bar.
const LOGO: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><circle cx="20" cy="20" r="18" fill="#c8102e"/><rect x="46" y="10" width="70" height="20" fill="#0c2340"/></svg>"##;

/// The palette, uploads, keys.
async fn work(album: &mut Album) {
    album.go("rail-activity").await;
    album.go("activity-uploads").await;
    album.take("activity-uploads", &by("activity")).await;
    webhooks(album).await;
    album.go("rail-settings").await;
    album.go("settings-developer").await;
    album.take("developer-keys", &by("key-create")).await;
    album.go("key-create").await;
    album.journey.window.fill("key-name", "Build server").await;
    album.take("developer-key-name", &by("key-name")).await;
    album.go("key-create-confirm").await;
    album.take("developer-key-shown", &by("key-secret")).await;
    album.go("key-stored").await;
    album.go("rail-search").await;
    album.take("palette", &by("palette-query")).await;
    album.journey.window.press(key::ESCAPE).await;
}

/// Deliveries, the doctor who looks at one, and what was received here.
async fn webhooks(album: &mut Album) {
    album.go("rail-developer").await;
    album.go("developer-webhooks").await;
    album.take("developer-deliveries", &by("delivery-row")).await;
    album.go("delivery-open").await;
    album.take("developer-delivery", &by("delivery-attempts")).await;
    album.go("delivery-doctor").await;
    album.journey.window.fill("doctor-secret", &format!("whsec_{}", "0".repeat(64))).await;
    album.go("doctor-examine").await;
    album.take("developer-doctor", &by("doctor-verdict")).await;
    album.go("doctor-close").await;
    album.go("developer-listen").await;
    album.take("developer-listen-full", &by("received-row")).await;
    album.go("received-open").await;
    album.take("developer-received", &by("received-body")).await;
}

async fn settings(album: &mut Album) {
    album.go("rail-settings").await;
    for section in ["connections", "transfers", "background", "writing", "backup", "appearance", "developer", "about"] {
        album.go(&format!("settings-{section}")).await;
        album.take(&format!("settings-{section}"), &by(&format!("settings-{section}"))).await;
    }
    album.go("settings-team").await;
    album.go("team-invite").await;
    album.journey.window.fill("invite-email", "ben@example.org").await;
    album.go("invite-confirm").await;
    album.take("settings-team-invited", &by("invite-code")).await;
    album.go("invite-done").await;
    album.take("settings-team", &by("team-invitation")).await;
    album.journey.window.look("document.querySelector('[data-testid=team-limits]').scrollIntoView()").await;
    album.take("settings-team-limits", &by("team-limits")).await;
    migration(album).await;
}

/// What a copy of the studio to a team's would do, and how it is once it is done.
async fn migration(album: &mut Album) {
    let team = Studio::start(Options::new());
    let key = team.create_key("the window");
    album.go("settings-connections").await;
    album.go("connections-add").await;
    album.journey.submit_connection(&team.base_url, &key.key).await;
    let service = "[data-testid=\"connection\"][data-kind=\"service\"]";
    album.wait(&format!("{service}[data-state=\"ready\"]")).await;
    album.go("settings-backup").await;
    album.go("migration-open").await;
    album.take("settings-backup-copy", &by("migration-preview")).await;
    album.go("migration-confirm").await;
    album.wait(&by("migration-show")).await;
    album.take("settings-backup-copied", &by("migration-show")).await;
    album.go("settings-connections").await;
    album.journey.window.click_by(&format!("{service} [data-testid=\"connection-remove\"]")).await;
    album.go("connection-remove-confirm").await;
}

/// A file that is gone before it was sent; then a studio that is gone and cannot start again.
async fn failures(album: &mut Album) {
    album.go("rail-home").await;
    let studio = album.journey.wait_for_studio().await;
    process::hold_still(studio);
    let vanishing = album.journey.files().join("Draft.txt");
    std::fs::write(&vanishing, "a draft").expect("a file");
    album.journey.drop_files("home-dropzone", std::slice::from_ref(&vanishing)).await;
    album.journey.open_shelf().await;
    std::fs::remove_file(&vanishing).expect("a file that goes");
    process::let_go(studio);
    wait_for("a transfer that failed", SENDING, async || {
        let rows = album.journey.window.transfer_rows().await;
        if rows.iter().any(|row| row.state == "failed") { Ok(()) } else { Err(format!("{rows:?}")) }
    })
    .await;
    album.take("home-transfer-failed", "[data-testid=\"transfer-row\"][data-state=\"failed\"]").await;
    album.go("rail-activity").await;
    album.go("activity-uploads").await;
    album.take("activity-uploads-failed", "[data-testid=\"transfer-row\"][data-state=\"failed\"]").await;

    let data = album.journey.data_dir().join("studio");
    let studio = album.journey.wait_for_studio().await;
    std::fs::rename(&data, data.with_extension("away")).expect("its data out of the way");
    std::fs::write(&data, "no folder").expect("a file in the way");
    process::kill_at_once(studio);
    let broken = "[data-testid=\"rail-connection\"]:not([data-state=\"ready\"])";
    album.journey.window.find_by(broken).await;
    for screen in ["home", "designs", "drive", "synced", "activity", "developer", "settings"] {
        album.go(&format!("rail-{screen}")).await;
        if screen == "drive" {
            // The app asks once more before it shows the problem.
            album.wait(&by("problem")).await;
        }
        album.take(&format!("{screen}-failed"), broken).await;
    }
    // After a new start, no earlier list can be kept on the screen.
    album.journey.window.kill();
    album.journey.start_again().await;
    for screen in ["home", "designs", "drive", "synced", "activity", "developer"] {
        album.go(&format!("rail-{screen}")).await;
        album.take(&format!("{screen}-failed-at-start"), broken).await;
    }
}
