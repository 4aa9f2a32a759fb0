//! Three whole jobs from the first start, by the pointer with every click counted, then all three by the keyboard alone.

use std::path::{Path, PathBuf};
use std::time::Duration;

use easel_tests::desktop::Keychain;
use easel_tests::hand::Hand;
use easel_tests::http::Http;
use easel_tests::journey::{Journey, SENDING};
use easel_tests::patience::wait_for;
use easel_tests::samples;

/// The large file of the first job.
const FILM: &str = "Launch film.mov";
const FILM_BYTES: u64 = 180_000_000;
const BRIEF: &str = "A deck of four slides for a neighbourhood bakery, warm and quiet";
/// The design of the brief and its variations, but none of those that a first start makes.
const OWN: &str = ":not([data-name^=Welcome]):not([data-name^=Harbour]):not([data-name^=How])";
/// How many subfolders the folder of the third job has, and how many files each.
const WATCHED: (usize, usize) = (12, 25);
/// For the keyboard, whose keys do not depend on it: a service takes 120 requests a minute.
const WATCHED_BY_KEYS: (usize, usize) = (4, 5);
/// How long the files of the third job may be on their way.
const SENDING_ALL: Duration = Duration::from_secs(300);

/// Prints what a job took, and compares its clicks with what is allowed.
fn tell(job: &str, journey: &Journey, hand: &Hand<'_>, most_clicks: u32) {
    let seconds = journey.window.started_at().elapsed().as_secs_f64();
    eprintln!("{job}: {} clicks, {} keys, {seconds:.1} s from the first start", hand.clicks(), hand.keys());
    assert!(hand.clicks() <= most_clicks, "{job} took {} clicks, {most_clicks} are allowed", hand.clicks());
}

fn write_film(journey: &Journey) -> PathBuf {
    let film = journey.files().join(FILM);
    samples::write_noise(&film, FILM_BYTES, 9);
    film
}

/// Waits until the film is in the drive by the shelf's own words.
async fn wait_until_sent(journey: &Journey) {
    let row = format!("[data-testid=\"transfer-row\"][data-name=\"{FILM}\"]");
    wait_for("the film in the drive", SENDING, async || {
        let state = journey.window.look(&format!("return document.querySelector('{row}')?.dataset.state")).await;
        if state == "sent" { Ok(()) } else { Err(state.to_string()) }
    })
    .await;
}

/// The clipboard names the one file that the drive has.
async fn check_reference(journey: &Journey) {
    let service = journey.built_in_service().await;
    let list = service.get("/v1/drive/files?limit=200").await.expect(200);
    let film = list["data"].as_array().and_then(|files| files.iter().find(|file| file["name"] == FILM)).cloned();
    let film = film.unwrap_or_else(|| panic!("the film is not in the drive: {list}"));
    assert_eq!(film["size_bytes"], FILM_BYTES);
    wait_for("the reference on the clipboard", Duration::from_secs(5), async || {
        let copied = journey.desktop.read_clipboard();
        if film["id"] == copied { Ok(()) } else { Err(copied) }
    })
    .await;
}

#[tokio::test]
async fn a_large_file_is_put_in_the_drive_by_a_drop_and_its_reference_copied_by_a_click() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let film = write_film(&journey);
    let hand = Hand::of(&journey);

    // Onto the first page of all, which starts the studio for it.
    journey.drop_files("welcome", &[film]).await;
    wait_until_sent(&journey).await;
    hand.click("transfer-copy-reference").await;
    check_reference(&journey).await;
    tell("a file of 180 MB and its reference", &journey, &hand, 1);
}

#[tokio::test]
async fn a_deck_is_made_remixed_four_ways_and_exported_twice_in_six_clicks() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let hand = Hand::of(&journey);

    hand.click("welcome-start").await;
    journey.window.find("describe-prompt").await;
    // The field has the focus without a click.
    journey.window.find_by("[data-testid=describe-prompt]:focus").await;
    hand.write(BRIEF);
    hand.click("describe-make").await;
    let deck = format!("[data-testid=home-designs] [data-testid=design-card]{OWN}");
    wait_for_design(&journey, &deck).await;
    hand.click_by(&format!("{deck} [data-testid=design-menu]")).await;
    hand.click("design-menu-vary-4").await;
    let service = journey.built_in_service().await;
    let best = wait_for_variations(&journey, &service).await;
    hand.click_by(&format!("[data-testid=sheet-card][data-id={best}] [data-testid=design-export]")).await;
    hand.click("export-pdf-pptx").await;
    check_exports(&journey, &service, &best).await;
    tell("a deck, four remixes, the best as PDF and PPTX", &journey, &hand, 6);
}

async fn wait_for_design(journey: &Journey, card: &str) {
    wait_for("the design of the brief", SENDING, async || {
        let script = format!("return document.querySelector('{card}') !== null");
        if journey.window.look(&script).await == true { Ok(()) } else { Err("not there") }
    })
    .await;
}

/// Waits until the contact sheet shows four designs, which the service has as remixes; the id of one of them.
async fn wait_for_variations(journey: &Journey, service: &Http) -> String {
    wait_for("four variations", SENDING, async || {
        let cards = "return Array.from(document.querySelectorAll('[data-testid=sheet-card]'), card => card.dataset.id)";
        let shown = journey.window.look(cards).await;
        let shown: Vec<String> = serde_json::from_value(shown).unwrap_or_default();
        if shown.len() < 4 {
            tokio::time::sleep(Duration::from_millis(300)).await;
            return Err(format!("{shown:?}"));
        }
        let list = service.get("/v1/canvases?limit=100").await.expect(200);
        let all = list["data"].as_array().cloned().unwrap_or_default();
        let remixes: Vec<&str> = all
            .iter()
            .filter(|each| each["source_canvas_id"].is_string())
            .filter_map(|each| each["id"].as_str())
            .collect();
        let are_all = remixes.len() == 4 && shown.iter().all(|id| remixes.contains(&id.as_str()));
        if are_all { Ok(shown[2].clone()) } else { Err(format!("{shown:?} of {remixes:?}")) }
    })
    .await
}

/// Both files are in Downloads and are what their endings say, with as many pages as the design has.
async fn check_exports(journey: &Journey, service: &Http, design_id: &str) {
    let find = |ending: &str| -> Option<PathBuf> {
        let files = std::fs::read_dir(journey.desktop.downloads()).ok()?.flatten().map(|entry| entry.path());
        files.into_iter().find(|path| path.extension().is_some_and(|own| own == ending))
    };
    let (pdf, pptx) = wait_for("both files in Downloads", SENDING, async || {
        find("pdf").zip(find("pptx")).ok_or("not both are there")
    })
    .await;
    let design = service.get(&format!("/v1/canvases/{design_id}")).await.expect(200);
    let pages = design["page_count"].as_u64().expect("a number of pages").to_string();
    let told = journey.desktop.run("pdfinfo", &[&pdf.to_string_lossy()]);
    assert!(told.lines().any(|line| line.split_whitespace().eq(["Pages:", &pages])), "{told}");
    let listed = journey.desktop.run("/usr/bin/python3", &["-m", "zipfile", "-l", &pptx.to_string_lossy()]);
    let slides = listed.lines().filter(|line| line.starts_with("ppt/slides/slide")).count();
    assert_eq!(slides.to_string(), pages, "{listed}");
}

fn write_folder(folder: &Path, (folders, files_each): (usize, usize)) {
    for number in 0..folders {
        let inner = folder.join(format!("Shoot {number:02}"));
        std::fs::create_dir_all(&inner).expect("a folder");
        for index in 0..files_each {
            let words = format!("frame {index} of shoot {number}");
            std::fs::write(inner.join(format!("frame {index:02}.txt")), words).expect("a file");
        }
    }
}

/// Waits until everything is up, renames a subfolder, and waits until the card says that the drive followed.
async fn rename_and_see_it_followed(journey: &Journey, folder: &Path, (folders, files_each): (usize, usize)) {
    let files = format!("{} files", folders * files_each);
    let state = "return document.querySelector('[data-testid=synced-folder]')?.innerText ?? ''";
    wait_for("all files up", SENDING_ALL, async || {
        let words = journey.window.look(state).await.as_str().unwrap_or_default().to_owned();
        if words.contains("Up to date") && words.contains(&files) { Ok(()) } else { Err(words) }
    })
    .await;
    std::fs::rename(folder.join("Shoot 03"), folder.join("Harbour")).expect("a renamed folder");
    let words = journey.window.wait_for_words("synced-latest", "Harbour").await;
    assert!(words.contains("Moved in the drive") && words.contains("Shoot 03"), "{words}");
    let tree = journey.built_in_service().await.get("/v1/drive/tree?depth=3").await.expect(200);
    let inner: Vec<&str> = tree["tree"][0]["children"]
        .as_array()
        .map_or(&[][..], Vec::as_slice)
        .iter()
        .filter_map(|each| each["name"].as_str())
        .collect();
    assert!(inner.contains(&"Harbour") && !inner.contains(&"Shoot 03") && inner.len() == folders, "{inner:?}");
}

/// The third job mostly waits for what a service takes in a minute, so the keyboard, on a desktop of its own, is tried meanwhile.
#[tokio::test]
async fn a_folder_of_three_hundred_files_is_watched_in_four_clicks_and_all_three_jobs_are_done_by_the_keyboard_alone() {
    tokio::join!(watch_a_folder(), do_all_by_keyboard());
}

async fn watch_a_folder() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let folder = journey.files().join("Campaign");
    write_folder(&folder, WATCHED);
    let hand = Hand::of(&journey);

    hand.click("welcome-start").await;
    hand.click("home-sync-folder").await;
    journey.window.choose_in_dialog(&journey.desktop, &folder).await;
    hand.click("synced-look").await;
    hand.click("synced-begin").await;
    rename_and_see_it_followed(&journey, &folder, WATCHED).await;
    tell("a folder of 300 files watched, a rename followed", &journey, &hand, 4);
}

async fn do_all_by_keyboard() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    let film = write_film(&journey);
    let folder = journey.files().join("Campaign");
    write_folder(&folder, WATCHED_BY_KEYS);
    let hand = Hand::of(&journey);
    hand.bring_forward();

    hand.enter("welcome-start").await;
    hand.enter("home-choose-files").await;
    window.choose_in_dialog(&journey.desktop, &film).await;
    wait_until_sent(&journey).await;
    hand.enter("transfer-copy-reference").await;
    check_reference(&journey).await;

    hand.tab_to("[data-testid=describe-prompt]").await;
    hand.write(BRIEF);
    hand.press("ctrl+Return");
    let deck = format!("[data-testid=home-designs] [data-testid=design-card]{OWN}");
    wait_for_design(&journey, &deck).await;
    // The cards are one stop of Tab; arrows go through them, and Tab through the buttons of one.
    hand.tab_to("[data-testid=home-designs] [data-testid=design-open]").await;
    hand.walk_to("Right", &format!("{deck} [data-testid=design-open]")).await;
    hand.tab_to(&format!("{deck} [data-testid=design-menu]")).await;
    hand.press("Return");
    hand.walk_to("Down", "[data-testid=design-menu-vary-4]").await;
    hand.press("Return");
    let service = journey.built_in_service().await;
    let best = wait_for_variations(&journey, &service).await;
    // The sheet has the keyboard by itself.
    let best_card = format!("[data-testid=sheet-card][data-id={best}]");
    hand.walk_to("Right", &format!("{best_card} [data-place]")).await;
    hand.tab_to(&format!("{best_card} [data-testid=design-export]")).await;
    hand.press("Return");
    hand.walk_to("Down", "[data-testid=export-pdf-pptx]").await;
    hand.press("Return");
    check_exports(&journey, &service, &best).await;

    hand.enter("rail-synced").await;
    hand.enter("synced-add").await;
    window.choose_in_dialog(&journey.desktop, &folder).await;
    hand.enter("synced-look").await;
    hand.enter("synced-begin").await;
    rename_and_see_it_followed(&journey, &folder, WATCHED_BY_KEYS).await;
    tell("all three jobs by keyboard", &journey, &hand, 0);
}
