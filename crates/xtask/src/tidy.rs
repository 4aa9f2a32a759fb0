//! The architecture's "never" list, checked (`ARCHITECTURE.md` says why each rule is there).
//!
//! A rule is a function from what was read to violations; it touches no disk, so that its test is a line of text that
//! breaks it. A rule names the file, the line and what to do. Not here: what rustc, clippy or rustfmt already say.

mod circles;
mod crates;
mod licences;
mod locks;
mod parts;
mod shape;
mod source;
mod words;

use std::fs;

use self::source::{Source, Violation};
use crate::checkout::Checkout;
use crate::command::{Problem, Run};

/// Checks every rule on the repository and prints what breaks.
///
/// # Errors
/// When a rule is broken, or the repository cannot be read.
pub fn report(checkout: &Checkout) -> Result<(), Problem> {
    let sources = read_sources(checkout)?;
    let metadata = read_metadata(checkout, &["--no-deps"])?;
    let everything = read_metadata(checkout, &[])?;
    let mut violations = check_sources(&sources);
    violations.extend(crates::check(&metadata));
    violations.extend(licences::check(&everything));
    violations.sort();
    for violation in &violations {
        println!("{violation}");
    }
    match violations.len() {
        0 => {
            println!("tidy: {} files, nothing to say", sources.len());
            Ok(())
        }
        1 => Err(Problem::new("tidy: one rule of the architecture is broken (see above)")),
        count => Err(Problem::new(format!("tidy: the architecture's rules are broken in {count} places (see above)"))),
    }
}

fn check_sources(sources: &[Source]) -> Vec<Violation> {
    let rules = [
        words::check_parts,
        words::check_queries,
        words::check_columns,
        words::check_pure_modules,
        words::check_layers,
        words::check_old_words,
        words::check_shell_imports,
        words::check_unfinished,
        words::check_machine_paths,
        shape::check_length,
        shape::check_opening,
        shape::check_name,
        locks::check,
    ];
    let of_files = sources
        .iter()
        .filter(|source| !source.is_generated())
        .flat_map(|source| rules.iter().flat_map(|rule| rule(source)));
    of_files.chain(circles::check(sources)).collect()
}

/// Every file that is text; pictures and the like have no lines to check.
fn read_sources(checkout: &Checkout) -> Result<Vec<Source>, Problem> {
    let mut sources = Vec::new();
    for (relative, path) in checkout.files_below("")? {
        let bytes = fs::read(&path).map_err(|error| Problem::of(&path, &error))?;
        if let Ok(text) = String::from_utf8(bytes) {
            sources.push(Source::new(&relative, &text));
        }
    }
    Ok(sources)
}

fn read_metadata(checkout: &Checkout, more: &[&str]) -> Result<serde_json::Value, Problem> {
    let arguments = [&["metadata", "--format-version", "1"], more].concat();
    let text = Run::cargo(checkout, arguments).read()?;
    serde_json::from_str(&text).map_err(|error| Problem::new(format!("`cargo metadata` wrote no JSON: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_repository_keeps_the_rules_for_sources() {
        let sources = read_sources(&Checkout::here()).unwrap();
        assert!(sources.iter().any(|source| source.path == "crates/xtask/src/tidy.rs"));
        let broken = check_sources(&sources).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert!(broken.is_empty(), "{}", broken.join("\n"));
    }

    #[test]
    fn generated_files_are_left_to_their_generators() {
        let long = "export const a = 1;\n".repeat(700);
        assert!(check_sources(&[Source::new("ui/src/backend/bindings.ts", &long)]).is_empty());
        assert!(!check_sources(&[Source::new("ui/src/backend/seam.ts", &long)]).is_empty());
    }
}
