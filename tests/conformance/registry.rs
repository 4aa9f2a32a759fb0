//! The table of rules beside this file and the one of attacks in `docs`: nothing in them is blank, and every test that they name
//! is there.
//!
//! Not here: how the tests came out; `cargo xtask conformance` and `cargo xtask security` print that.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const RULES: &str = include_str!("RULES.md");
const ATTACKS: &str = include_str!("../../docs/security.md");
/// Below a heading that begins so are tests and no rules.
const ANY_ADDRESS: &str = "Any address";

/// The files in which a test of this path may stand. A test that moves with its module is no longer found, as `cargo xtask
/// conformance`, which looks for the whole path among the results, no longer finds it.
fn places(root: &Path, binary: &str, test: &str) -> Vec<PathBuf> {
    let modules: Vec<&str> = test.split("::").collect();
    let modules = &modules[..modules.len() - 1];
    match binary {
        "conformance" | "app" | "operating" => vec![root.join(format!("tests/{binary}/{}.rs", modules.join("/")))],
        "client" | "wire" | "studio" | "canvas" => {
            let folder = root.join(format!("crates/easel-{binary}"));
            let beside = modules.strip_suffix(&["tests"]).unwrap_or(modules).join("/");
            vec![
                folder.join(format!("tests/{}.rs", modules.join("/"))),
                folder.join(format!("src/{beside}.rs")),
                folder.join(format!("src/{beside}/tests.rs")),
            ]
        }
        _ => Vec::new(),
    }
}

/// Whether the test is a function in one of its places, with the mark of a test before it.
fn is_there(root: &Path, name: &str) -> bool {
    let Some((binary, test)) = name.split_once("::") else { return false };
    let function = test.rsplit("::").next().unwrap_or_default();
    places(root, binary, test).iter().filter_map(|path| fs::read_to_string(path).ok()).any(|text| {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        lines.windows(2).any(|pair| {
            let is_test = pair[0] == "#[test]" || pair[0].starts_with("#[tokio::test");
            let named = pair[1].strip_prefix("async ").unwrap_or(pair[1]).strip_prefix("fn ");
            is_test && named.is_some_and(|rest| rest.starts_with(&format!("{function}(")))
        })
    })
}

fn tests_in(cell: &str) -> Vec<&str> {
    cell.split("; ").map(|test| test.trim_matches('`')).collect()
}

#[test]
fn every_rule_names_its_side_and_tests_that_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let (mut section, mut rules, mut seen) = ("", 0, BTreeSet::new());
    let mut any_address = Vec::new();
    for line in RULES.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading;
        } else if section.starts_with(ANY_ADDRESS) {
            any_address.extend(line.strip_prefix("- ").map(|test| test.trim_matches('`')));
        } else if let Some(row) =
            line.strip_prefix("| ").filter(|row| !row.starts_with("rule |") && !row.starts_with("---"))
        {
            let cells: Vec<&str> = row.trim_end_matches('|').split('|').map(str::trim).collect();
            let [rule, side, tests] = cells.as_slice() else { panic!("{section}: {line}") };
            assert!(!rule.is_empty() && !tests.is_empty(), "{section}: {line}");
            assert!(seen.insert((section, *rule)), "{section}: {rule} stands there twice");
            rules += 1;
            match *side {
                // The reason is in words.
                "not applicable" => assert!(tests.contains(' '), "{section}: {rule}"),
                "studio" | "client" | "studio, client" => {
                    for test in tests_in(tests) {
                        assert!(is_there(root, test), "{section}: {rule}: there is no test {test}");
                    }
                }
                other => panic!("{section}: {rule}: the side is {other}"),
            }
        }
    }
    assert!(rules > 150, "{rules} rules");
    for test in any_address {
        assert!(is_there(root, test), "{ANY_ADDRESS}: there is no test {test}");
    }
}

#[test]
fn every_attack_names_what_holds_and_tests_that_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let rows = ATTACKS.lines().filter_map(|line| line.strip_prefix("| ")).filter(|row| !row.starts_with("class |"));
    let mut count = 0;
    for row in rows.filter(|row| !row.starts_with("---")) {
        let cells: Vec<&str> = row.trim_end_matches('|').split('|').map(str::trim).collect();
        let [class, tried, held, tests] = cells.as_slice() else { panic!("{row}") };
        assert!(!class.is_empty() && !tried.is_empty() && !held.is_empty(), "{row}");
        for test in tests_in(tests) {
            assert!(is_there(root, test), "{class}: {tried}: there is no test {test}");
        }
        count += 1;
    }
    assert!(count >= 15, "{count} attacks");
}

#[test]
fn a_test_that_is_not_there_is_not_found() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    assert!(is_there(root, "conformance::registry::a_test_that_is_not_there_is_not_found"));
    assert!(!is_there(root, "conformance::registry::no_such_test"));
    // A function without the mark of a test is none.
    assert!(!is_there(root, "conformance::registry::is_there"));
    assert!(!is_there(root, "moon::registry::a_test_that_is_not_there_is_not_found"));
    // A test is found where it stands, and not under the name of another module.
    let row = "every_endpoint_asks_for_a_key_and_for_its_scope_under_both_paths";
    assert!(is_there(root, &format!("studio::routes::router::tests::{row}")));
    assert!(!is_there(root, &format!("studio::router::tests::{row}")));
}
