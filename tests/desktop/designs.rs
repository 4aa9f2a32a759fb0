//! A design from a sentence: described, watched, remixed, exported, and opened from the disk.

use std::path::{Path, PathBuf};

use easel_tests::desktop::Keychain;
use easel_tests::drive::upload;
use easel_tests::journey::{Journey, SENDING, read_drive};
use easel_tests::patience::wait_for;
use easel_tests::samples;
use serde_json::{Value, json};

const WORDS: &str = "Launch deck for a neighbourhood bakery, three slides, warm and quiet";
/// Other words for a text, and the key that saves them.
const MENDED: &str = "Baked at six";
const ENTER: &str = "\u{e007}";
const NAME: &str = "[data-testid=\"design-card\"]:not([data-name^=\"Welcome\"]):not([data-name^=\"Harbour\"]):not([data-name^=\"How\"])";

#[tokio::test]
async fn a_design_is_described_watched_remixed_and_exported_to_a_file_that_opens() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    journey.start_on_this_computer().await;

    // Described on Home; its place in the gallery is there at once.
    window.fill("describe-prompt", WORDS).await;
    window.click("describe-format-slides").await;
    window.click("describe-make").await;
    window.find_by(&format!("[data-testid=\"design-coming\"][data-name=\"{WORDS}\"], {NAME}")).await;

    // Watched until it is done.
    window.click("rail-activity").await;
    let row = format!("[data-testid=\"task-row\"][data-name=\"{WORDS}\"]");
    wait_for("the task to end", SENDING, async || {
        match window.look(&format!("return document.querySelector('{row}')?.dataset.state ?? 'not listed'")).await {
            Value::String(state) if state == "succeeded" => Ok(()),
            state => Err(state.to_string()),
        }
    })
    .await;
    window.find_by(&format!("{row} [data-testid=\"task-picture\"] img.here")).await;
    window.click_by(&format!("{row} [data-testid=\"task-open\"]")).await;
    let name = window.text_of("design-title").await;
    window.find_by("[data-testid=\"design-page\"].here").await;

    // Remixed in one click, which a second click at once does not double.
    window.click("design-back").await;
    window.find("designs-grid").await;
    let card = format!("[data-testid=\"design-card\"][data-name=\"{name}\"]");
    window.find_by(&card).await;
    window
        .look(&format!(
            "const button = document.querySelector('{card} [data-testid=\"design-remix\"]'); button.click(); button.click()"
        ))
        .await;
    let copies = wait_for("the copy", SENDING, async || {
        let copies = remixes_of(&journey, &name).await;
        if copies.is_empty() { Err("none yet") } else { Ok(copies) }
    })
    .await;
    let copy = copies[0]["name"].as_str().expect("a name").to_owned();
    let copy_card = format!("[data-testid=\"design-card\"][data-name=\"{copy}\"]");
    window.find_by(&format!("{copy_card} [data-testid=\"design-fresh\"]")).await;
    let copies = remixes_of(&journey, &name).await;
    assert_eq!(copies.len(), 1, "{copies:?}");

    // Exported: two clicks, and the file is in Downloads and is a PDF of as many pages as the design has.
    // The buttons on a picture come with the pointer, which a driver does not move over it first.
    window.look(&format!("document.querySelector('{copy_card} [data-testid=\"design-export\"]').click()")).await;
    window.click("export-pdf").await;
    window.click("rail-activity").await;
    window.click("activity-exports").await;
    window.find_by("[data-testid=\"export-row\"][data-state=\"finished\"]").await;
    let exported = find_pdf(&journey.desktop.home().join("Downloads"));
    let told = journey.desktop.run("pdfinfo", &[&exported.to_string_lossy()]);
    let pages = copies[0]["page_count"].as_u64().expect("a number of pages");
    assert!(told.lines().any(|line| line.split_whitespace().eq(["Pages:", &pages.to_string()])), "{told}");
}

#[tokio::test]
async fn a_text_is_mended_with_a_click_and_what_is_exported_says_so() {
    let journey = open_a_design().await;
    let window = &journey.window;

    // All of it is chosen, so that what is typed takes its place.
    window.click_by("[data-testid=\"design-text\"]").await;
    window.find("design-text-field").await;
    window.press(MENDED).await;
    window.press(ENTER).await;
    window.find_by(&format!("[data-testid=\"design-text\"][aria-label=\"Edit: {MENDED}\"]")).await;
    wait_for("the picture that has it", SENDING, async || {
        if window.has("design-text-coming").await { Err("it is shown over the one before") } else { Ok(()) }
    })
    .await;

    window.click("design-export").await;
    window.click("export-more").await;
    window.click("export-text").await;
    window.click("export-confirm").await;
    window.click("rail-activity").await;
    window.click("activity-exports").await;
    window.find_by("[data-testid=\"export-row\"][data-state=\"finished\"]").await;
    let exported = find_pdf(&journey.desktop.home().join("Downloads"));
    let said = journey.desktop.run("pdftotext", &[&exported.to_string_lossy(), "-"]);
    // Where a line of the page ends is the layout's choice.
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    assert!(words.contains(&MENDED.to_lowercase()), "{said}");
}

#[tokio::test]
async fn a_color_is_chosen_with_a_click_drawn_at_once_and_taken_back() {
    let journey = open_a_design().await;
    let window = &journey.window;
    let ground = "[data-testid=\"design-color\"][data-role=\"ground\"]";
    let picture =
        async || window.look("return document.querySelector('[data-testid=design-page].here')?.src ?? 'none'").await;
    // The grounds that were chosen, of all designs.
    let chosen = async || {
        let service = journey.built_in_service().await;
        let canvases = service.get("/v1/canvases?limit=100").await.expect(200);
        let mut chosen = Vec::new();
        for canvas in canvases["data"].as_array().expect("canvases") {
            let path = format!("/v1/canvases/{}/colors", canvas["id"].as_str().expect("an id"));
            chosen.push(service.get(&path).await.expect(200)["colors"][0]["chosen"].clone());
        }
        chosen.retain(|color| !color.is_null());
        chosen
    };

    // The system's dialog of colors is not in the page, so its answer is given here.
    window.click("design-edit-colors").await;
    window.find_by(ground).await;
    let before = picture().await;
    let choose = format!(
        "const field = document.querySelector('{ground}');
         field.value = '#0a5a3c'; field.dispatchEvent(new Event('change', {{ bubbles: true }})); return true"
    );
    window.look(&choose).await;
    window.find("design-color-own").await;
    let another = async |than: &Value| {
        wait_for("the page on another ground", SENDING, async || {
            let now = picture().await;
            if now == *than || now == "none" { Err(now.to_string()) } else { Ok(now) }
        })
        .await
    };
    let after = another(&before).await;
    assert_eq!(chosen().await, ["#0a5a3c"]);

    window.click("design-color-undo").await;
    another(&after).await;
    assert_eq!(chosen().await, [Value::Null; 0]);
}

#[tokio::test]
async fn a_picture_is_exchanged_with_a_click_for_one_of_this_computer_and_comes_back() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    let harvest = journey.files().join("Harvest.svg");
    std::fs::write(&harvest, drawing("#1840c0")).expect("a picture");
    journey.start_on_this_computer().await;
    let service = journey.built_in_service().await;
    let oven = upload(&service, "Oven.svg", &drawing("#c82828")).await["file_id"].clone();
    let asked = json!({
        "prompt": "A poster for a supper in the mill on Friday at seven", "canvas_name": "Supper",
        "attachments": [{"file_id": oven, "role": "asset"}],
    });
    let task = service.post("/v1/tasks", &asked).await.success()["id"].as_str().expect("an id").to_owned();
    wait_for("the design", SENDING, async || {
        let task = service.get(&format!("/v1/tasks/{task}")).await.success();
        if task["status"] == "succeeded" { Ok(()) } else { Err(task["status"].to_string()) }
    })
    .await;

    window.click("rail-designs").await;
    window.click_by("[data-testid=\"design-card\"][data-name=\"Supper\"] [data-testid=\"design-open\"]").await;
    window.find_by("[data-testid=\"design-page\"].here").await;
    window.click("design-edit-text").await;
    let button = |name: &str| format!("[data-testid=\"design-picture\"][aria-label=\"Replace picture: {name}\"]");
    window.click_by(&button("Oven")).await;
    window.choose_in_dialog(&journey.desktop, &harvest).await;
    window.find_by(&button("Harvest")).await;
    let files = read_drive(&service).await;
    assert_eq!(files.keys().collect::<Vec<_>>(), ["Harvest.svg", "Oven.svg"]);

    window.click("toast-undo-picture").await;
    window.find_by(&button("Oven")).await;
}

/// A drawing of one colour.
fn drawing(color: &str) -> Vec<u8> {
    let open = r#"<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60">"#;
    format!(r#"{open}<rect width="80" height="60" fill="{color}"/></svg>"#).into_bytes()
}

#[tokio::test]
async fn a_file_dropped_on_the_description_is_in_the_drive_and_attached() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    let picture = journey.files().join("Storefront.png");
    samples::write_picture(&picture);
    journey.start_on_this_computer().await;

    let source = journey.take_files(std::slice::from_ref(&picture));
    let (x, y) = window.place_of(&journey.desktop, "describe").await;
    journey.drag_over(&source, x, y).await;
    source.nudge(x, y);
    window.find_by("[data-testid=\"drop-design\"][data-over=\"true\"]").await;
    source.let_go();
    window.find_by("[data-testid=\"describe-attachment\"][data-name=\"Storefront.png\"][data-state=\"ready\"]").await;
    let files = read_drive(&journey.built_in_service().await).await;
    assert_eq!(files.keys().collect::<Vec<_>>(), ["Storefront.png"]);

    window.fill("describe-prompt", "A poster with this picture").await;
    window.click("describe-make").await;
    window.find_by("[data-testid=\"design-coming\"], [data-testid=\"design-card\"]").await;
    wait_for("the words to be gone, because it is being made", easel_tests::window::PATIENCE, async || {
        let left = window.look("return document.querySelector('[data-testid=describe-prompt]').value").await;
        if left == "" { Ok(()) } else { Err(left.to_string()) }
    })
    .await;
    assert!(!window.has("describe-attachment").await);
}

/// A window on the first of the designs that a first start makes.
async fn open_a_design() -> Journey {
    let journey = Journey::begin(Keychain::Unlocked).await;
    journey.start_on_this_computer().await;
    journey.window.click("rail-designs").await;
    journey.window.click_by("[data-testid=\"design-card\"] [data-testid=\"design-open\"]").await;
    journey.window.find_by("[data-testid=\"design-page\"].here").await;
    journey
}

/// What the service has that was remixed from the design of this name.
async fn remixes_of(journey: &Journey, name: &str) -> Vec<Value> {
    let list = journey.built_in_service().await.get("/v1/canvases?limit=100").await.expect(200);
    let all = list["data"].as_array().expect("a list of canvases").clone();
    let source = all.iter().find(|canvas| canvas["name"] == name).expect("the design")["id"].clone();
    all.into_iter().filter(|canvas| canvas["source_canvas_id"] == source).collect()
}

/// The one PDF in a folder.
fn find_pdf(folder: &Path) -> PathBuf {
    let files = std::fs::read_dir(folder).expect("the folder").flatten().map(|entry| entry.path());
    let found: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|ending| ending == "pdf")).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    found.into_iter().next().expect("one")
}
