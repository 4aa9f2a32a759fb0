//! Every screen with its dialogs, its menus and the palette open, light and dark, looked at by axe: names, roles, contrast, order.

use easel_tests::axe;
use easel_tests::desktop::Keychain;
use easel_tests::journey::Journey;
use easel_tests::samples;
use easel_tests::window::key;

/// Something that can be looked at: its name, what is pressed for it from where the one before was left, what shows that it is
/// there, and what is pressed to leave it. A word is a `data-testid`, anything else a CSS selector.
type Sight = (&'static str, &'static [&'static str], &'static str, Leaving);

#[derive(Clone, Copy)]
enum Leaving {
    /// The next is reached from here.
    Stay,
    /// Escape closes what lies on top.
    Escape,
}
use Leaving::{Escape, Stay};

const FIRST: &[Sight] = &[
    ("welcome", &[], "welcome-start", Stay),
    ("invited", &["welcome-invited", "invited-submit"], "invited-code", Stay),
    ("connecting", &["invited-back", "welcome-connect"], "connect-address", Stay),
    ("connecting, advanced", &["connect-advanced"], "connect-header", Stay),
    ("connecting, nothing entered", &["connect-submit"], "connect-submit", Stay),
];

const EMPTY: &[Sight] = &[
    ("home, first", &["rail-home"], "home-dropzone", Stay),
    ("synced folders, empty", &["rail-synced"], "empty", Stay),
    ("exports, empty", &["rail-activity", "activity-exports"], "empty", Stay),
    ("uploads, empty", &["activity-uploads"], "activity", Stay),
    ("webhooks, empty", &["rail-settings", "settings-developer", "developer-shown", "rail-developer"], "empty", Stay),
];

const HOME: &[Sight] = &[
    ("home", &["rail-home"], "home-recent", Stay),
    ("the choice of a brand kit", &["describe-kit"], "[role=menu]", Escape),
    ("home, nothing described", &["describe-make"], "describe-prompt", Stay),
    ("the palette", &["rail-search"], "palette-query", Escape),
];

const DESIGNS: &[Sight] = &[
    ("designs", &["rail-designs"], "design-card", Stay),
    ("a design's menu", &["design-menu"], "design-menu-vary-4", Escape),
    ("a design's exports", &["design-export"], "export-pdf", Escape),
    ("a remix with words", &["design-words"], "words-field", Escape),
    ("a change with words", &["design-menu", "design-menu-edit"], "words-field", Escape),
    ("other sizes", &["design-menu", "design-menu-sizes"], "size-banner", Escape),
    ("an export with choices", &["design-export", "export-more"], "export-confirm", Escape),
    ("designs in an order", &["designs-sort"], "designs-sort", Escape),
    ("a design", &["design-open"], "[data-testid=design-page].here", Stay),
    ("an open design's menu", &["[data-testid=design] [data-testid=design-menu]"], "[role=menu]", Escape),
    ("an open design's exports", &["[data-testid=design] [data-testid=design-export]"], "export-pdf", Escape),
    ("an open design's details", &["design-details"], "design-drawer", Stay),
    ("a design's versions, none", &["design-versions"], "versions-close", Escape),
    ("an open design without details", &["design-details-close"], "design-page", Stay),
    ("an open design's name", &["design-rename"], "design-rename-field", Escape),
    ("brand kits, empty", &["design-back", "designs-kits"], "kit-create", Stay),
    ("a brand kit", &["kit-create"], "kit-name", Escape),
    (
        "several designs chosen",
        &["kits-back", "li:nth-child(1) [data-testid=design-choose]", "li:nth-child(2) [data-testid=design-choose]"],
        "li:nth-child(2) [data-testid=design-choose]:checked",
        Stay,
    ),
    ("exporting several designs", &["designs-export"], "batch-confirm", Escape),
    ("comparing two designs", &["designs-compare"], "compare-slider", Stay),
    ("only starred designs, none", &["compare-back", "designs-starred"], "empty", Stay),
    ("a contact sheet", &["designs-show-all", "design-menu", "design-menu-vary-4"], "sheet-card", Stay),
    ("an export from a contact sheet", &["design-export"], "export-pdf-pptx", Escape),
];

const DRIVE: &[Sight] = &[
    (
        "drive",
        &["rail-drive", "[data-testid=drive-row][data-kind=file] .words"],
        "[data-testid=drive-row][aria-selected=true]",
        Stay,
    ),
    ("a file's menu", &["[data-testid=drive-row][data-kind=file] [data-testid=drive-row-menu]"], "menu-move", Escape),
    (
        "the quick look",
        &["[data-testid=drive-row][data-kind=file] [data-testid=drive-row-menu]", "menu-look"],
        "look-picture",
        Escape,
    ),
    (
        "moving",
        &["[data-testid=drive-row][data-kind=file] [data-testid=drive-row-menu]", "menu-move"],
        "move-dialog",
        Escape,
    ),
    (
        "deleting",
        &["[data-testid=drive-row][data-kind=folder] [data-testid=drive-row-menu]", "menu-delete"],
        "delete-confirm",
        Escape,
    ),
    (
        "a file's versions, none",
        &["[data-testid=drive-row][data-kind=file] [data-testid=drive-row-menu]", "menu-versions"],
        "versions-close",
        Escape,
    ),
    (
        "renaming",
        &["[data-testid=drive-row][data-kind=file] [data-testid=drive-row-menu]", "menu-rename"],
        "drive-rename",
        Escape,
    ),
    ("a new folder", &["drive-new-folder"], "folder-name", Escape),
    ("the trash, empty", &["drive-trash"], "empty", Stay),
];

const SYNCED: &[Sight] = &[
    ("synced folders", &["rail-synced"], "[data-testid=synced-folder][data-state=up_to_date]", Stay),
    ("a synced folder's menu", &["synced-menu"], "synced-settings", Escape),
    ("a synced folder's settings", &["synced-menu", "synced-settings"], "synced-settings-dialog", Escape),
    ("a synced folder's end", &["synced-menu", "synced-remove"], "synced-remove-dialog", Escape),
    ("what was skipped", &["synced-show-skipped"], "synced-skips", Escape),
    ("what happened", &["synced-tab-history"], "synced-event", Stay),
];

const WORK: &[Sight] = &[
    ("tasks", &["rail-activity", "activity-tasks"], "task-row", Stay),
    ("exports", &["activity-exports"], "activity", Stay),
    ("uploads", &["activity-uploads"], "activity", Stay),
    ("webhooks", &["rail-developer"], "developer", Stay),
];

const SETTINGS: &[Sight] = &[
    ("the team", &["rail-settings", "settings-team"], "team-people", Stay),
    ("inviting", &["team-invite"], "invite-email", Escape),
    ("connections", &["settings-connections"], "connections", Stay),
    ("what a service can do", &["service-open"], "service-forget", Stay),
    ("another connection", &["connections-add"], "connect-address", Escape),
    ("a connection's end", &["connection-remove"], "connection-remove-confirm", Escape),
    ("transfers", &["settings-transfers"], "settings-transfers", Stay),
    ("start and tray", &["settings-background"], "background-starts-at-login", Stay),
    ("who writes", &["settings-writing"], "writing-leaves", Stay),
    ("a model on this computer", &["[data-testid=writing-on_this_computer] input"], "writing-look", Stay),
    ("a service that writes", &["[data-testid=writing-service] input"], "writing-key", Stay),
    ("developer tools and keys", &["settings-developer"], "key-row", Stay),
    ("a new key", &["key-create"], "key-name", Escape),
    ("a key's end", &["key-delete"], "key-delete-confirm", Escape),
    ("appearance", &["settings-appearance"], "theme-dark", Stay),
    ("about", &["settings-about"], "settings-about", Stay),
];

#[tokio::test]
async fn no_screen_keeps_anyone_out() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    let mut found = look_at_all(&journey, FIRST).await;
    window.click("connect-back").await;
    journey.start_on_this_computer().await;
    found.extend(look_at_all(&journey, EMPTY).await);

    // A file that was sent, a key, a folder that is kept in step and leaves something out.
    window.click("rail-home").await;
    let picture = journey.files().join("Logo.png");
    samples::write_picture(&picture);
    journey.drop_files("home-dropzone", &[picture]).await;
    journey.wait_for_transfers(&["Logo.png"]).await;
    found.extend(look_at_all(&journey, &[("transfers", &[], "transfer-copy-reference", Stay)]).await);
    let _key = journey.built_in_service().await;
    let folder = journey.files().join("Campaign");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("brief.txt"), "a brief").expect("a file");
    journey.desktop.run("mkfifo", &[&folder.join("pipe").to_string_lossy()]);
    window.click("rail-synced").await;
    journey.drop_to_keep_in_step(&folder).await;
    found.extend(look_at_all(&journey, &[("a folder to be kept in step", &[], "synced-look", Stay)]).await);
    found.extend(look_at_all(&journey, &[("what will happen", &["synced-look"], "synced-preview", Stay)]).await);
    window.click("synced-begin").await;

    for sights in [SYNCED, HOME, DESIGNS, DRIVE, WORK, SETTINGS] {
        found.extend(look_at_all(&journey, sights).await);
    }
    assert!(found.is_empty(), "{} violations:\n{}", found.len(), found.join("\n"));
}

async fn look_at_all(journey: &Journey, sights: &[Sight]) -> Vec<String> {
    let mut found = Vec::new();
    for (name, way, shown, leaving) in sights {
        for step in *way {
            press(journey, &as_selector(step)).await;
        }
        journey.window.find_by(&as_selector(shown)).await;
        found.extend(axe::look(&journey.window, name).await);
        if let Escape = leaving {
            journey.window.press(key::ESCAPE).await;
        }
    }
    found
}

fn as_selector(step: &str) -> String {
    if step.contains(['[', ' ', '.']) { step.to_owned() } else { format!("[data-testid=\"{step}\"]") }
}

/// By the page itself: some buttons show only under a pointer, which axe does not have.
async fn press(journey: &Journey, selector: &str) {
    if selector.ends_with(".words") {
        // A row listens for the pointer going down.
        return journey.window.click_by(selector).await;
    }
    journey.window.find_by(selector).await;
    journey.window.rest().await;
    journey.window.look(&format!("document.querySelector('{selector}').click(); return true")).await;
}
