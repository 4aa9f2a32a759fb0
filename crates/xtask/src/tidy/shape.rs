//! The shape of files: not too long, opened by what they are for, and named after what they hold.

use super::source::{Source, Violation};

/// A file longer than this many lines is divided.
const LONGEST_LINES: usize = 600;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 8] = ["util", "utils", "helper", "helpers", "common", "misc", "manager", "processor"];

/// Files have an end.
pub fn check_length(source: &Source) -> Vec<Violation> {
    let is_code = [".rs", ".ts", ".svelte", ".css", ".py", ".sql"].iter().any(|end| source.path.ends_with(end));
    let lines = source.text.lines().count();
    if !is_code || lines <= LONGEST_LINES {
        return Vec::new();
    }
    vec![Violation::new(&source.path, 0, format!("{lines} lines; divide it, {LONGEST_LINES} is the limit"))]
}

/// A module opens with what it is for.
pub fn check_opening(source: &Source) -> Vec<Violation> {
    if source.parts.is_none()
        || source.text.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| line.starts_with("//! "))
    {
        return Vec::new();
    }
    vec![Violation::new(&source.path, 1, "a module opens with `//! ` and what it is for")]
}

/// A file and a folder are named after what they hold.
pub fn check_name(source: &Source) -> Vec<Violation> {
    let empty = source.path.split('/').find(|part| {
        let stem = part.split('.').next().unwrap_or(part).to_lowercase();
        EMPTY_NAMES.iter().any(|name| stem == *name || stem.ends_with(&format!("_{name}")))
    });
    empty
        .map(|part| Violation::new(&source.path, 0, format!("`{part}` says nothing; name it after the noun it holds")))
        .into_iter()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    type Rule = fn(&Source) -> Vec<Violation>;

    #[test]
    fn each_rule_catches_its_violation_and_lets_the_rest_be() {
        let long = "//! A long one.\n".repeat(601);
        let near = "//! Not quite.\n".repeat(600);
        let cases: [(Rule, &str, &str, bool); 12] = [
            (check_length, "crates/a/src/b.rs", &long, true),
            (check_length, "ui/src/screens/Drive.svelte", &long, true),
            (check_length, "crates/a/src/b.rs", &near, false),
            (check_length, "Cargo.lock", &long, false),
            (check_opening, "crates/a/src/b.rs", "use std::fs;\n", true),
            (check_opening, "crates/a/src/b.rs", "/// Not of the module.\nfn f() {}\n", true),
            (check_opening, "crates/a/src/b.rs", "//! What it is for.\n", false),
            (check_opening, "ui/src/a.ts", "export {};\n", false),
            (check_name, "crates/a/src/utils.rs", "", true),
            (check_name, "ui/src/common/a.ts", "", true),
            (check_name, "crates/a/src/upload_manager.rs", "", true),
            (check_name, "crates/a/src/uploads.rs", "", false),
        ];
        for (rule, path, text, is_violation) in cases {
            assert_eq!(!rule(&Source::new(path, text)).is_empty(), is_violation, "{path}");
        }
    }
}
