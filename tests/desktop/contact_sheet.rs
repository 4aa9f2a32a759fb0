//! Many variations of a design at once, or its other sizes: starred and exported from their contact sheet, and two of a kind compared.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use easel_tests::desktop::Keychain;
use easel_tests::hand::Hand;
use easel_tests::journey::{Journey, SENDING};
use easel_tests::patience::wait_for;
use easel_tests::window::PATIENCE;
use serde_json::Value;

/// How long twelve designs may take.
const MAKING_ALL: Duration = Duration::from_secs(240);
/// A design that is there from the first start.
const SAMPLE: &str = "[data-testid=design-card][data-name^=Harbour]";

#[tokio::test]
async fn twelve_variations_are_made_three_starred_and_exported_by_keyboard_alone() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    let hand = Hand::of(&journey);
    hand.bring_forward();

    hand.enter("welcome-start").await;
    let sample = format!("[data-testid=home-designs] {SAMPLE}");
    hand.tab_to("[data-testid=home-designs] [data-testid=design-open]").await;
    hand.walk_to("Right", &format!("{sample} [data-testid=design-open]")).await;
    hand.tab_to(&format!("{sample} [data-testid=design-menu]")).await;
    hand.press("Return");
    hand.walk_to("Down", "[data-testid=design-menu-vary-12]").await;
    hand.press("Return");

    // While they are made, each has its place, and the keyboard is on the first.
    window.find_by("[data-testid=contact-place][data-index=\"0\"] [data-place]:focus").await;
    wait_for("twelve variations", MAKING_ALL, async || {
        let line = window.text_of("contact-line").await;
        if line == "12 variations · 0 starred" { Ok(()) } else { Err(line) }
    })
    .await;

    for (number, key, state) in [(1, "s", "starred"), (2, "x", "rejected"), (5, "s", "starred"), (12, "s", "starred")] {
        let place = format!("[data-testid=contact-place][data-index=\"{}\"]", number - 1);
        hand.walk_to("Right", &format!("{place} [data-place]")).await;
        hand.press(key);
        window.find_by(&format!("{place}[data-state={state}]")).await;
    }
    window.wait_for_words("contact-line", "3 starred").await;
    let starred = names(&journey, "[data-testid=contact-place][data-state=starred] [data-testid=sheet-card]").await;

    hand.press("e");
    hand.enter("batch-confirm").await;
    let exported = wait_for("three files in Downloads", SENDING, async || {
        let files = downloaded(&journey);
        if files.len() == 3 { Ok(files) } else { Err(format!("{files:?}")) }
    })
    .await;
    let stems: BTreeSet<String> =
        exported.iter().filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
    assert_eq!(stems, starred);
    for file in &exported {
        let told = journey.desktop.run("pdfinfo", &[&file.to_string_lossy()]);
        assert!(told.contains("Pages:"), "{told}");
    }
    assert_eq!(hand.clicks(), 0);
}

#[tokio::test]
async fn the_one_of_two_that_is_kept_is_found_among_the_starred_after_a_restart() {
    let mut journey = Journey::begin(Keychain::Unlocked).await;
    journey.start_on_this_computer().await;
    let kept = compare_and_keep(&journey).await;

    journey.window.kill();
    journey.start_again().await;
    let window = &journey.window;
    window.click("rail-designs").await;
    window.find("design-card").await;
    window.click("designs-starred").await;
    let alone = BTreeSet::from([kept]);
    wait_for("the kept one alone", PATIENCE, async || {
        let shown = names(&journey, "[data-testid=designs-grid] [data-testid=design-card]").await;
        if shown == alone { Ok(()) } else { Err(format!("{shown:?}")) }
    })
    .await;
    window.find_by("[data-testid=design-star][aria-pressed=true]").await;
}

#[tokio::test]
async fn a_design_is_laid_out_in_the_sizes_that_are_chosen() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    journey.start_on_this_computer().await;
    let window = &journey.window;
    let hand = Hand::of(&journey);
    hand.click("rail-designs").await;
    hand.click_by(&format!("{SAMPLE} [data-testid=design-menu]")).await;
    hand.click("design-menu-sizes").await;
    for size in ["story", "banner"] {
        hand.click_by(&format!("label:has([data-testid=size-{size}])")).await;
    }
    hand.click("sizes-confirm").await;
    wait_for("two sizes", MAKING_ALL, async || {
        let line = window.text_of("contact-line").await;
        if line == "2 sizes · 0 starred" { Ok(()) } else { Err(line) }
    })
    .await;

    let service = journey.built_in_service().await;
    let canvases = service.get("/v1/canvases?limit=100").await.expect(200);
    let canvases = canvases["data"].as_array().expect("designs").clone();
    for (called, sides) in [("– Story", (1080, 1920)), ("– Banner", (1500, 500))] {
        let made = canvases.iter().find(|canvas| canvas["name"].as_str().is_some_and(|name| name.ends_with(called)));
        let id = made.unwrap_or_else(|| panic!("no {called} in {canvases:?}"))["id"].as_str().expect("an id");
        let pages = service.get(&format!("/v1/canvases/{id}/pages")).await.expect(200);
        for page in pages["pages"].as_array().expect("pages") {
            assert_eq!((page["width"].as_u64(), page["height"].as_u64()), (Some(sides.0), Some(sides.1)), "{called}");
        }
    }
}

/// Compares two designs by the pointer and keeps the one on the right; its name.
async fn compare_and_keep(journey: &Journey) -> String {
    let window = &journey.window;
    let hand = Hand::of(journey);
    hand.click("rail-designs").await;
    for number in [1, 2] {
        hand.click_by(&format!("[data-testid=designs-grid] > li:nth-child({number}) [data-testid=design-choose]"))
            .await;
    }
    hand.click("designs-compare").await;
    // The page itself, and not its thumbnail made larger.
    window.find_by("[data-testid=compare-picture].here").await;

    let (x, y) = window.place_of(&journey.desktop, "compare-slider").await;
    let pointer = |words: &[&str]| journey.desktop.run("xdotool", words);
    pointer(&["mousemove", &x.to_string(), &y.to_string(), "mousedown", "1"]);
    for far in [40, 80, 120] {
        pointer(&["mousemove", &(x - far).to_string(), &y.to_string()]);
    }
    pointer(&["mouseup", "1"]);
    let at = "return Number(document.querySelector('[data-testid=compare-slider]').getAttribute('aria-valuenow'))";
    wait_for("the line where it was drawn to", PATIENCE, async || {
        let now = window.look(at).await;
        if now.as_f64().is_some_and(|percent| percent < 45.0) { Ok(()) } else { Err(now.to_string()) }
    })
    .await;

    let right = window.look("return document.querySelectorAll('[data-testid=compare-name]')[1].innerText.trim()").await;
    let right = right.as_str().expect("a name").to_owned();
    hand.click_by(&format!("[data-testid=compare-keep][aria-label$=\"{right}\"]")).await;
    window.find_by("[data-testid=compare-name].right[data-mark=starred]").await;
    window.find_by("[data-testid=compare-name].left[data-mark=rejected]").await;
    right
}

/// The names that elements carry.
async fn names(journey: &Journey, selector: &str) -> BTreeSet<String> {
    let script = format!("return Array.from(document.querySelectorAll('{selector}'), each => each.dataset.name)");
    match journey.window.look(&script).await {
        Value::Array(all) => all.iter().filter_map(|each| each.as_str().map(str::to_owned)).collect(),
        other => panic!("no list of names: {other}"),
    }
}

/// The PDFs that are in Downloads.
fn downloaded(journey: &Journey) -> Vec<PathBuf> {
    let Ok(files) = std::fs::read_dir(journey.desktop.downloads()) else { return Vec::new() };
    let paths = files.flatten().map(|entry| entry.path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "pdf")).collect()
}
