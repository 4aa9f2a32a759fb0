//! Every screen, light and dark, looked at by axe: names, roles, contrast, focus order.

use std::path::Path;

use easel_tests::desktop::Keychain;
use easel_tests::journey::Journey;
use easel_tests::samples;
use serde_json::Value;

#[tokio::test]
async fn no_screen_keeps_anyone_out() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    let axe = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/node_modules/axe-core/axe.min.js");
    let axe = std::fs::read_to_string(&axe).unwrap_or_else(|error| panic!("{}: {error}", axe.display()));
    let picture = journey.files().join("Logo.png");
    samples::write_picture(&picture);
    let mut found = Vec::new();
    window.look(&format!("{axe}; return true")).await;

    found.extend(list_violations(&journey, "welcome").await);
    window.click("welcome-connect").await;
    window.find("connect-address").await;
    found.extend(list_violations(&journey, "connect").await);
    window.click("connect-back").await;
    journey.start_on_this_computer().await;
    found.extend(list_violations(&journey, "home, empty").await);
    window.click("rail-synced").await;
    window.find("empty").await;
    found.extend(list_violations(&journey, "synced folders, empty").await);
    window.click("rail-home").await;
    window.find("home-dropzone").await;

    journey.drop_files("home-dropzone", &[picture]).await;
    journey.wait_for_transfers(&["Logo.png"]).await;

    for theme in ["light", "dark"] {
        window.click("rail-settings").await;
        window.click("settings-appearance").await;
        window.click_by(&format!("label:has([data-testid=\"theme-{theme}\"])")).await;
        for section in ["connections", "transfers", "background", "rest", "appearance", "about"] {
            window.click(&format!("settings-{section}")).await;
            found.extend(list_violations(&journey, &format!("settings, {section}, {theme}")).await);
        }
        window.click("rail-synced").await;
        window.find("synced").await;
        found.extend(list_violations(&journey, &format!("synced folders, {theme}")).await);
        window.click("rail-home").await;
        window.find("home-dropzone").await;
        found.extend(list_violations(&journey, &format!("home, {theme}")).await);
        for (screen, shown) in [("designs", "design-card"), ("activity", "task-row"), ("developer", "developer")] {
            window.click(&format!("rail-{screen}")).await;
            window.find(shown).await;
            found.extend(list_violations(&journey, &format!("{screen}, {theme}")).await);
        }
        window.click("rail-activity").await;
        for tab in ["exports", "uploads"] {
            window.click(&format!("activity-{tab}")).await;
            found.extend(list_violations(&journey, &format!("activity, {tab}, {theme}")).await);
        }
        window.click("rail-search").await;
        window.find("palette-query").await;
        found.extend(list_violations(&journey, &format!("the palette, {theme}")).await);
        window.press(easel_tests::window::key::ESCAPE).await;
        window.click("rail-designs").await;
        window.find("design-choose").await;
        for index in [0, 1] {
            let choose =
                format!("document.querySelectorAll('[data-testid=design-choose]')[{index}].click(); return true");
            window.look(&choose).await;
        }
        window.click("designs-export").await;
        window.find("batch-confirm").await;
        found.extend(list_violations(&journey, &format!("exporting several designs, {theme}")).await);
        window.press(easel_tests::window::key::ESCAPE).await;
        window.click("designs-compare").await;
        window.find("compare-slider").await;
        found.extend(list_violations(&journey, &format!("comparing two designs, {theme}")).await);
        window.click("compare-back").await;
        window.click("design-open").await;
        window.find_by("[data-testid=\"design-page\"].here").await;
        found.extend(list_violations(&journey, &format!("a design, {theme}")).await);
        window.click("design-back").await;
        window.click("designs-kits").await;
        window.click("kit-create").await;
        window.find("kit-name").await;
        found.extend(list_violations(&journey, &format!("a brand kit, {theme}")).await);
        window.press(easel_tests::window::key::ESCAPE).await;
        journey.wait_for_drive(&[("Logo.png", "file")]).await;
        window.click_by("[data-testid=\"drive-row\"][data-kind=\"file\"] .words").await;
        found.extend(list_violations(&journey, &format!("drive, {theme}")).await);
        window.press(easel_tests::window::key::DELETE).await;
        window.find("delete-confirm").await;
        found.extend(list_violations(&journey, &format!("deleting, {theme}")).await);
        window.press(easel_tests::window::key::ESCAPE).await;
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// What axe has against the page as it is, worst things only.
async fn list_violations(journey: &Journey, screen: &str) -> Vec<String> {
    // Colours are compared as they are when everything has come to rest.
    journey.window.rest().await;
    let script = "const done = arguments[arguments.length - 1]; \
                  axe.run(document, { resultTypes: ['violations'] }).then(result => done(result.violations), \
                  error => done([{ id: String(error), impact: 'critical', nodes: [] }]))";
    let violations = journey.window.ask(script).await;
    violations
        .as_array()
        .expect("axe's report")
        .iter()
        .filter(|violation| violation["impact"] == "serious" || violation["impact"] == "critical")
        .map(|violation| {
            let nodes = violation["nodes"].as_array().map_or(&[][..], Vec::as_slice);
            let places = nodes.iter().map(|node| node["html"].as_str().unwrap_or_default()).collect::<Vec<_>>();
            let why = nodes.first().map_or(&Value::Null, |node| &node["failureSummary"]);
            format!("{screen}: {} ({why}): {}", violation["id"], places.join(" | "))
        })
        .collect()
}
