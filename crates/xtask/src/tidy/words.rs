//! Words that may stand only in certain places: crates that one layer alone may touch, SQL, unfinished work, and paths
//! of the machine it was written on.

use super::source::{Source, Violation};

/// Who alone may name a crate: the crate, the places, and what to do elsewhere.
const PARTS: [(&str, &[&str], &str); 3] = [
    (
        "reqwest",
        &["crates/easel-client/", "crates/easel-studio/src/outbound.rs", "crates/easel-studio/src/outbound/", "tests/"],
        "speak to a service through easel-client",
    ),
    ("tauri", &["src-tauri/"], "the window belongs to src-tauri; what it needs of a shell is a trait in easel-app"),
    ("notify", &["crates/easel-sync/src/sync/watch.rs"], "watch folders through easel-sync's watch"),
];

const DATABASE: &str = "the database is spoken to in easel-sync's journals and easel-studio's db alone";

/// Where SQL may stand.
const QUERY_PLACES: [&str; 5] = [
    "crates/easel-sync/src/shared/journal",
    "crates/easel-sync/src/queue/journal",
    "crates/easel-sync/src/sync/journal",
    "crates/easel-studio/src/db",
    "crates/easel-studio/migrations",
];

/// What decides and only decides: files and folders of these names.
const PURE: [&str; 3] =
    ["crates/easel-sync/src/sync/plan", "crates/easel-sync/src/sync/tree", "crates/easel-sync/src/shared/estimate"];

/// Crates that one layer alone may touch.
pub fn check_parts(source: &Source) -> Vec<Violation> {
    let Some(parts) = &source.parts else { return Vec::new() };
    let mut violations = Vec::new();
    for (part, places, advice) in PARTS {
        if places.iter().any(|place| source.path.starts_with(place)) {
            continue;
        }
        for (line, code) in numbered(&parts.code) {
            if names_crate(code, part) {
                violations.push(Violation::new(&source.path, line, format!("`{part}` has no place here: {advice}")));
            }
        }
    }
    violations
}

/// SQL stands where the database is spoken to.
pub fn check_queries(source: &Source) -> Vec<Violation> {
    let Some(parts) = &source.parts else { return Vec::new() };
    let is_checker = source.path.starts_with("crates/xtask/");
    if is_checker
        || source.path.starts_with("tests/")
        || QUERY_PLACES.iter().any(|place| source.path.starts_with(place))
    {
        return Vec::new();
    }
    let openings = ["SELECT ", "INSERT INTO ", "INSERT OR ", "DELETE FROM ", "CREATE TABLE ", "UPDATE "];
    numbered(&parts.literals)
        .filter(|(_, literal)| {
            openings.iter().any(|opening| {
                literal.split(opening).next().is_some_and(|before| {
                    before.len() < literal.len() && before.trim_end().ends_with(['"', '\\'])
                        || literal.trim_start().starts_with(opening)
                })
            })
        })
        .map(|(line, _)| Violation::new(&source.path, line, format!("SQL has no place here: {DATABASE}")))
        .collect()
}

/// The studio's statements name their columns: a server refuses one that is prepared and would mean others after a migration.
pub fn check_columns(source: &Source) -> Vec<Violation> {
    let Some(parts) = source.parts.as_ref().filter(|_| source.path.starts_with("crates/easel-studio/src/db")) else {
        return Vec::new();
    };
    let advice = "`*` means other columns after a migration: name them, as easel-studio's db/selected.rs does";
    numbered(&parts.literals)
        .filter(|(_, literal)| ["SELECT *", "RETURNING *", ".*, ", ".* FROM"].iter().any(|all| literal.contains(all)))
        .map(|(line, _)| Violation::new(&source.path, line, advice))
        .collect()
}

/// What decides reads no clock, disk or socket, and is never async.
pub fn check_pure_modules(source: &Source) -> Vec<Violation> {
    let Some(parts) = &source.parts else { return Vec::new() };
    if !PURE.iter().any(|place| source.path.starts_with(place)) || source.path.contains("/tests") {
        return Vec::new();
    }
    let impure = [
        "std::fs",
        "std::net",
        "std::io",
        "tokio",
        "async ",
        "Instant::now",
        "SystemTime::now",
        "Timestamp::now",
        "getrandom",
    ];
    numbered(&parts.code)
        .filter_map(|(line, code)| {
            let word = impure.iter().find(|word| code.contains(*word))?.trim();
            Some(Violation::new(&source.path, line, format!("a plan is pure: `{word}` is passed in or stays out")))
        })
        .collect()
}

/// Folders of a crate that know nothing of others beside them.
const APART: [(&str, &[&str]); 3] = [
    ("crates/easel-sync/src/shared", &["crate::queue", "crate::sync"]),
    ("crates/easel-sync/src/queue", &["crate::sync"]),
    ("crates/easel-sync/src/sync", &["crate::queue"]),
];

/// What two jobs share knows of neither, and neither of the other. Tests stand above all.
pub fn check_layers(source: &Source) -> Vec<Violation> {
    let Some(parts) = &source.parts else { return Vec::new() };
    let unknown = APART.iter().find(|(place, _)| source.path.starts_with(place) && !source.path.contains("/tests"));
    let Some((place, unknown)) = unknown else { return Vec::new() };
    let named = |code: &str| unknown.iter().find(|other| code.contains(&format!("{other}::"))).copied();
    numbered(&parts.code)
        .filter_map(|(line, code)| Some((line, named(code)?)))
        .map(|(line, other)| Violation::new(&source.path, line, format!("{place} knows nothing of `{other}`")))
        .collect()
}

/// Private words of former days, and the field's own ones in their place (ARCHITECTURE, "Words").
const OLD_WORDS: [(&str, &str); 30] = [
    ("Bell", "ChangeNotifier"),
    ("Clicks", "RequestCoalescer"),
    ("Crowd", "ConnectionLimiter"),
    ("Deed", "AppliedChange"),
    ("Departure", "RatePermit"),
    ("Door", "Acceptor"),
    ("Errand", "UploadJob"),
    ("Glance", "StatusSummary"),
    ("Halt", "UploadError"),
    ("Handing", "Handover"),
    ("KeptList", "JsonStore"),
    ("Ledger", "SyncStateStore"),
    ("Nonsense", "UnexpectedBody"),
    ("Rung", "Notified"),
    ("Slip", "UploadContext"),
    ("Standing", "Sides"),
    ("Trouble", "StepError"),
    ("Undone", "RenderError"),
    ("Unwritten", "WriterError"),
    ("What", "ChangeKind, or HistoryEvent"),
    ("Wish", "a command, or a request"),
    ("bury", "confirm_gone"),
    ("deed", "applied, or change"),
    ("errand", "upload_job"),
    ("halt", "error"),
    ("nap", "sleep"),
    ("obey", "handle"),
    ("slip", "context"),
    ("strike", "inject"),
    ("trouble", "error"),
];

/// Identifiers are the field's terms. A word in lower case is found as a part of an identifier too, and in the plural.
pub fn check_old_words(source: &Source) -> Vec<Violation> {
    let Some(parts) = &source.parts else { return Vec::new() };
    if source.path.starts_with("crates/xtask/src/tidy/") {
        return Vec::new();
    }
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_old = |old: &str, word: &str| {
        word == old || word.split('_').any(|part| part == old || part.strip_suffix('s') == Some(old))
    };
    let old = |code: &str| {
        let mut words = code.split(|letter| !is_part(letter));
        words.find_map(|word| OLD_WORDS.iter().find(|(old, _)| is_old(old, word)))
    };
    numbered(&parts.code)
        .filter_map(|(line, code)| Some((line, old(code)?)))
        .map(|(line, (old, new))| Violation::new(&source.path, line, format!("`{old}` is called `{new}` here")))
        .collect()
}

/// The pages reach the shell through one folder.
pub fn check_shell_imports(source: &Source) -> Vec<Violation> {
    if !source.path.starts_with("ui/src/") || source.path.starts_with("ui/src/backend/") {
        return Vec::new();
    }
    numbered(&source.text)
        .filter(|(_, line)| line.contains("@tauri-apps/") || line.contains("__TAURI"))
        .map(|(line, _)| Violation::new(&source.path, line, "the shell is reached through ui/src/backend alone"))
        .collect()
}

/// Nothing is left for later in the code, and no lint is silenced for good.
pub fn check_unfinished(source: &Source) -> Vec<Violation> {
    let mut violations = Vec::new();
    if let Some(parts) = &source.parts {
        for (line, code) in numbered(&parts.code) {
            for word in ["todo!", "unimplemented!", "dbg!"] {
                if code.contains(word) {
                    violations.push(Violation::new(&source.path, line, format!("`{word}` is unfinished work")));
                }
            }
            if code.contains("#[allow(") || code.contains("#![allow(") {
                let advice = "write #[expect(…, reason = …)], which says why and notices when it is no longer needed";
                violations.push(Violation::new(&source.path, line, advice));
            }
        }
    }
    let comments = source.parts.as_ref().map_or(&source.text, |parts| &parts.comments);
    let is_code = [".rs", ".ts", ".svelte", ".css", ".sql", ".toml"].iter().any(|end| source.path.ends_with(end));
    for (line, comment) in numbered(comments).filter(|_| is_code) {
        if let Some(word) = ["FIXME", "TODO", "XXX:", "HACK:"].iter().find(|word| comment.contains(*word)) {
            let words = format!("`{word}` is unfinished work: finish it, or say in an issue what is left");
            if !source.path.ends_with("xtask/src/tidy/words.rs") {
                violations.push(Violation::new(&source.path, line, words));
            }
        }
    }
    violations
}

/// No path of the machine it was written on.
pub fn check_machine_paths(source: &Source) -> Vec<Violation> {
    // Put together here, so that this file does not break its own rule.
    let roots = [["/ro", "ot/"], ["/wo", "rk/"], ["/Use", "rs/"], ["/ho", "me/"], [r"C:\Us", r"ers\"]]
        .map(|halves| halves.concat());
    numbered(&source.text)
        .filter_map(|(line, text)| {
            let root = roots.iter().find(|root| starts_a_path(text, root))?;
            Some(Violation::new(&source.path, line, format!("`{root}…` is a path of one machine")))
        })
        .collect()
}

/// Whether `root` stands in `text` where a path begins, and not inside a longer one.
fn starts_a_path(text: &str, root: &str) -> bool {
    text.match_indices(root).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + root.len()..].chars().next();
        !before.is_some_and(|character| character.is_alphanumeric() || "/._-}$".contains(character))
            && after.is_some_and(|character| character.is_alphanumeric() || character == '.')
    })
}

/// Whether the code names a crate: the word alone (`reqwest::get`, `use reqwest;`) or one of its family
/// (`tauri_plugin_dialog`).
fn names_crate(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = &code[at + name.len()..];
        let is_start = !before.is_some_and(|character| character.is_alphanumeric() || "_.:-".contains(character));
        let family =
            after.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect::<String>();
        let follows = &after[family.len()..];
        is_start
            && (family.is_empty()
                || family.starts_with("_plugin")
                || family.starts_with("_specta")
                || family.starts_with("_build"))
            && (follows.starts_with("::")
                || (code.trim_start().starts_with("use ") && follows.starts_with([';', ' ', ',', '}'])))
    })
}

fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(index, line)| (index + 1, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Rule = fn(&Source) -> Vec<Violation>;

    fn lines(rule: Rule, path: &str, text: &str) -> Vec<usize> {
        rule(&Source::new(path, text)).into_iter().map(|violation| violation.line).collect()
    }

    #[test]
    fn each_rule_catches_its_violation_and_lets_the_rightful_place_be() {
        let hidden = |left: &str, right: &str| format!("{left}{right}");
        let cases: Vec<(Rule, &str, String, Vec<usize>)> = vec![
            (check_parts, "crates/easel-app/src/a.rs", "\nuse reqwest::Client;".into(), vec![2]),
            (check_parts, "crates/easel-studio/src/uploads.rs", "let x = reqwest::get(u);".into(), vec![1]),
            (check_parts, "crates/easel-studio/src/outbound.rs", "use reqwest::Client;".into(), vec![]),
            (check_parts, "crates/easel-client/src/transport.rs", "use reqwest::Client;".into(), vec![]),
            (check_parts, "tests/conformance/main.rs", "use reqwest::Client;".into(), vec![]),
            (
                check_parts,
                "crates/easel-app/src/a.rs",
                "// reqwest::Client is not for us\nlet a = \"reqwest::\";".into(),
                vec![],
            ),
            (
                check_parts,
                "crates/easel-app/src/a.rs",
                "fn tauri_like() {}\nuse tauri_plugin_dialog::X;".into(),
                vec![2],
            ),
            (check_parts, "crates/easel-app/src/a.rs", "use {serde, tauri};".into(), vec![1]),
            (check_parts, "src-tauri/src/lib.rs", "use tauri::App;".into(), vec![]),
            (check_parts, "crates/easel-sync/src/scan.rs", "use notify::Watcher;".into(), vec![1]),
            (
                check_parts,
                "crates/easel-sync/src/scan.rs",
                "self.notify.notify_one(); tokio::sync::Notify::new();".into(),
                vec![],
            ),
            (check_parts, "crates/easel-sync/src/sync/watch.rs", "use notify::Watcher;".into(), vec![]),
            (check_queries, "crates/easel-sync/src/queue.rs", "let q = \"SELECT id FROM t\";".into(), vec![1]),
            (check_queries, "crates/easel-studio/src/auth.rs", "q(\n  \"INSERT INTO t VALUES ($1)\")".into(), vec![2]),
            (check_queries, "crates/easel-studio/src/auth.rs", "q(\"\\\n  UPDATE t SET a = 1\")".into(), vec![2]),
            (check_queries, "crates/easel-studio/src/db/keys.rs", "let q = \"SELECT id FROM t\";".into(), vec![]),
            (check_queries, "crates/easel-app/src/words.rs", "let a = \"Please SELECT one\"; // SELECT".into(), vec![]),
            (
                check_columns,
                "crates/easel-studio/src/db/a.rs",
                "q(\"SELECT * FROM t\");\nq(\"SELECT t.*, 1\")".into(),
                vec![1, 2],
            ),
            (check_columns, "crates/easel-studio/src/db/a.rs", "q(\"SELECT COUNT(*) FROM t\"); a * b".into(), vec![]),
            (
                check_pure_modules,
                "crates/easel-sync/src/sync/plan.rs",
                "use std::fs::File;\n// tokio\nasync fn f() {}".into(),
                vec![1, 3],
            ),
            (check_pure_modules, "crates/easel-sync/src/sync/plan/view.rs", "use std::fs::File;".into(), vec![1]),
            (check_pure_modules, "crates/easel-sync/src/sync/engine.rs", "use std::fs::File;".into(), vec![]),
            (check_layers, "crates/easel-sync/src/shared/upload.rs", "use crate::sync::tree::Place;".into(), vec![1]),
            (check_layers, "crates/easel-sync/src/sync/tree.rs", "use crate::shared::paths;".into(), vec![]),
            (
                check_old_words,
                "crates/a/src/b.rs",
                "struct Errand;\nlet find_errands = 1;\n// An errand.".into(),
                vec![1, 2],
            ),
            (check_shell_imports, "ui/src/screens/Home.svelte", "import {x} from '@tauri-apps/api'".into(), vec![1]),
            (check_shell_imports, "ui/src/backend/backend.ts", "import {x} from '@tauri-apps/api'".into(), vec![]),
            (
                check_unfinished,
                "crates/a/src/b.rs",
                "fn f() { todo!() }\nfn g() { unimplemented!() }".into(),
                vec![1, 2],
            ),
            (check_unfinished, "crates/a/src/b.rs", "#[allow(dead_code)]\nfn f() {}".into(), vec![1]),
            (check_unfinished, "crates/a/src/b.rs", hidden("// FIX", "ME later"), vec![1]),
            (check_unfinished, "ui/src/a.ts", hidden("// TO", "DO later"), vec![1]),
            (check_unfinished, "crates/a/src/b.rs", "let a = \"todo!\"; // todo!() is refused".into(), vec![]),
            (check_machine_paths, "README.md", hidden("see /ho", "me/ada/easel"), vec![1]),
            (check_machine_paths, "crates/a/src/b.rs", hidden("let p = \"/ro", "ot/x\";"), vec![1]),
            (check_machine_paths, "README.md", "https://example.org/home/page and a/home/b".into(), vec![]),
        ];
        for (rule, path, text, expected) in cases {
            assert_eq!(lines(rule, path, &text), expected, "{path}: {text}");
        }
    }
}
