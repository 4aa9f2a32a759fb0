//! `cargo xtask security`: every attack that was tried, by class, with the tests that try it again and whether it was held.
//!
//! The attacks stand in `docs/security.md`. One whose test failed, or was not run, fails the whole; so does a program for delivery with
//! the switches of tests.

use std::fs;

use crate::checkout::Checkout;
use crate::command::{Problem, Run};
use crate::{check, results, switches};

/// Where the attacks stand.
const ATTACKS: &str = "docs/security.md";

/// In how many ways each kind of file that takes much is made.
const WAYS: (&str, &str) = ("EASEL_SOAK_WAYS", "10");

/// One attack.
#[derive(Debug, PartialEq, Eq)]
struct Attack {
    class: String,
    tried: String,
    /// Each as its binary, its modules and its name.
    tests: Vec<String>,
}

/// Runs the tests of all attacks and prints the table.
///
/// # Errors
/// When an attack was not held, or its test was not run.
pub fn run_attacks(checkout: &Checkout) -> Result<(), Problem> {
    let path = checkout.path(ATTACKS);
    let text = fs::read_to_string(&path).map_err(|error| Problem::of(&path, &error))?;
    let attacks = parse(&text);
    let names = attacks.iter().flat_map(|attack| &attack.tests).filter_map(|test| Some(test.split_once("::")?.1));
    // Of a test beside a crate's sources, the first word is its binary and no module.
    let both = names.flat_map(|name| [Some(name), name.split_once("::").map(|(_, bare)| bare)]).flatten();
    let filter: Vec<String> = both.map(|name| format!("test(={name})")).collect();
    check::build_everything(checkout)?;
    // An attack that gets through at its first try and not at its second is not held.
    let filter = filter.join(" | ");
    let arguments =
        ["nextest", "run", "--workspace", "--no-fail-fast", "--retries", "0", "--filterset", filter.as_str()];
    // A test that failed shows in the table.
    let ran = Run::cargo(checkout, arguments).with(WAYS.0, WAYS.1).run();
    let results = results::read(checkout)?;
    let mut open = 0;
    println!("\n| class | tried | held |\n| --- | --- | --- |");
    for Attack { class, tried, tests } in &attacks {
        let is_held = tests.iter().all(|test| results.passed(test) == Some(true));
        open += usize::from(!is_held);
        println!("| {class} | {tried} | {} |", if is_held { "held" } else { "NOT HELD" });
    }
    println!("\n{} attacks, {} held.", attacks.len(), attacks.len() - open);
    switches::check_studio(checkout)?;
    match open {
        0 => ran,
        count => Err(Problem::new(format!("{count} attacks are not held, or were not tried"))),
    }
}

/// Reads the rows of the table.
fn parse(text: &str) -> Vec<Attack> {
    let rows = text.lines().filter_map(|line| line.strip_prefix('|')?.trim_end().strip_suffix('|'));
    let attacks = rows.filter_map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [class, tried, _, tests] = cells.as_slice() else { return None };
        let is_head = *class == "class" || class.starts_with("---");
        let tests = tests.split("; ").map(|test| test.trim_matches('`').to_owned()).collect();
        (!is_head).then(|| Attack { class: (*class).to_owned(), tried: (*tried).to_owned(), tests })
    });
    attacks.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attacks_are_read_from_the_table() {
        let text = "# A\n\n| class | tried | what holds | tests |\n| --- | --- | --- | --- |\n\
                    | loss | a kill | all | `conformance::a::one`; `studio::b::two` |\n";
        let tests = vec!["conformance::a::one".to_owned(), "studio::b::two".to_owned()];
        assert_eq!(parse(text), [Attack { class: "loss".to_owned(), tried: "a kill".to_owned(), tests }]);
    }
}
