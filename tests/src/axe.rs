//! What axe finds wrong with a page of the real window: names, roles, contrast, order.
//!
//! A page is looked at when it has come to rest, light and dark. Not here: how a screen is reached
//! (`tests/desktop/accessibility.rs` goes through every screen, other journeys ask where they are anyway).

use std::path::Path;

use serde_json::Value;

use crate::window::Window;

const IS_THERE: &str = "return typeof axe !== 'undefined'";
const RUN: &str = "const done = arguments[arguments.length - 1]; \
    axe.run(document, { resultTypes: ['violations'] }).then(result => done(result.violations), \
    error => done([{ id: String(error), impact: 'critical', nodes: [] }]))";

/// Every violation of any impact, in both themes, each as a line that begins with `sight`. The page is left dark.
///
/// # Panics
/// When axe is not installed with the front end's packages, or does not answer.
pub async fn look(window: &Window, sight: &str) -> Vec<String> {
    if window.look(IS_THERE).await != true {
        let axe = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/node_modules/axe-core/axe.min.js");
        let axe = std::fs::read_to_string(&axe).unwrap_or_else(|error| panic!("{}: {error}", axe.display()));
        window.look(&format!("{axe}; return true")).await;
    }
    let mut found = Vec::new();
    for theme in ["light", "dark"] {
        window.look(&format!("document.documentElement.dataset.theme = '{theme}'; return true")).await;
        // Axe compares colours, so every transition has to be over.
        window.rest().await;
        let violations = window.ask(RUN).await;
        let violations = violations.as_array().expect("axe's report");
        found.extend(violations.iter().map(|violation| format!("{sight}, {theme}: {}", describe(violation))));
    }
    found
}

/// Looks at the page and fails with everything that axe finds.
///
/// # Panics
/// When there is a violation; and as [`look`].
pub async fn check(window: &Window, sight: &str) {
    let found = look(window, sight).await;
    assert!(found.is_empty(), "{} violations:\n{}", found.len(), found.join("\n"));
}

fn describe(violation: &Value) -> String {
    let nodes = violation["nodes"].as_array().map_or(&[][..], Vec::as_slice);
    let places = nodes.iter().map(|node| node["html"].as_str().unwrap_or_default()).collect::<Vec<_>>();
    let why = nodes.first().map_or(&Value::Null, |node| &node["failureSummary"]);
    format!("{} ({why}): {}", violation["id"], places.join(" | "))
}
