//! `cargo xtask conformance`: every rule of the specification with the tests that hold it to account, and how they came out.
//!
//! The rules stand in `tests/conformance/RULES.md`; results are read from what the test runner has written. A rule whose test
//! failed, or was not run, fails the whole. With `EASEL_BASE_URL` the rules are asked of the service there, more of them with
//! `EASEL_EMPTY_WORKSPACE`, which lets the tests delete everything that the key sees; what only the service's operator can set up
//! is named as such and not asked.

use std::collections::BTreeMap;
use std::fs;

use crate::checkout::Checkout;
use crate::command::{Problem, Run};
use crate::results::{self, Results};

/// Where the rules stand.
const RULES: &str = "tests/conformance/RULES.md";
/// The heading below which the tests are listed that need nothing but an address and a key.
const ANY_ADDRESS: &str = "Any address";
/// The same for tests that also need a workspace with nothing in it, which they may empty before each.
const EMPTY_WORKSPACE: &str = "Any address, emptied";
/// Says that they may.
const MAY_EMPTY: &str = "EASEL_EMPTY_WORKSPACE";

/// One rule.
#[derive(Debug, PartialEq, Eq)]
struct Rule {
    section: String,
    name: String,
    side: String,
    /// Tests, or the reason why there are none.
    tests: Vec<String>,
}

/// What is in the file: the rules, and the tests that can be asked of any address.
#[derive(Debug, Default)]
struct Registry {
    rules: Vec<Rule>,
    any_address: Vec<String>,
    empty_workspace: Vec<String>,
}

/// Runs the tests of all rules and prints the table.
///
/// # Errors
/// When a rule is not kept, or its test was not run.
pub fn run_rules(checkout: &Checkout) -> Result<(), Problem> {
    let mut registry = read(checkout)?;
    let elsewhere = std::env::var("EASEL_BASE_URL").ok();
    let may_empty = std::env::var_os(MAY_EMPTY).is_some();
    if may_empty {
        registry.any_address.append(&mut registry.empty_workspace);
    }
    let filter = match &elsewhere {
        Some(_) => {
            let tests: Vec<String> = registry
                .any_address
                .iter()
                .filter_map(|test| Some(format!("test(={})", test.strip_prefix("conformance::")?)))
                .collect();
            format!("binary(conformance) & ({})", tests.join(" | "))
        }
        None => "binary(conformance) | package(easel-client) | package(easel-wire) | package(easel-studio)".to_owned(),
    };
    let packages =
        ["easel-tests", "easel-client", "easel-wire", "easel-studio"].iter().flat_map(|name| ["--package", name]);
    let mut arguments = vec!["nextest", "run", "--no-fail-fast"];
    arguments.extend(packages.clone());
    if elsewhere.is_some() && may_empty {
        arguments.extend(["--test-threads", "1"]);
    }
    Run::cargo(checkout, ["build", "--package", "easel-studio", "--features", "test-switches", "--bins"]).run()?;
    // A test that failed shows in the table.
    let ran = Run::cargo(checkout, arguments.into_iter().chain(["--filterset", &filter])).run();
    let printed = print(checkout, &registry, elsewhere.is_some());
    printed.and(ran)
}

/// Prints the table from the results of the last run of all tests.
///
/// # Errors
/// As [`run_rules`].
pub fn report(checkout: &Checkout) -> Result<(), Problem> {
    print(checkout, &read(checkout)?, false)
}

fn read(checkout: &Checkout) -> Result<Registry, Problem> {
    let path = checkout.path(RULES);
    fs::read_to_string(&path).map(|text| parse(&text)).map_err(|error| Problem::of(&path, &error))
}

/// Reads the headings, the rows of their tables, and the list of tests for any address.
fn parse(text: &str) -> Registry {
    let (mut registry, mut section) = (Registry::default(), String::new());
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            heading.trim().clone_into(&mut section);
        } else if let Some(test) = line.strip_prefix("- ").filter(|_| section == ANY_ADDRESS) {
            registry.any_address.push(test.trim().trim_matches('`').to_owned());
        } else if let Some(test) = line.strip_prefix("- ").filter(|_| section == EMPTY_WORKSPACE) {
            registry.empty_workspace.push(test.trim().trim_matches('`').to_owned());
        } else if let Some(row) = line.strip_prefix('|').and_then(|row| row.trim_end().strip_suffix('|')) {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let is_head = cells.first().is_some_and(|cell| *cell == "rule" || cell.starts_with("---"));
            if let ([name, side, tests], false) = (cells.as_slice(), is_head) {
                let tests = tests.split("; ").map(|test| test.trim_matches('`').to_owned()).collect();
                registry.rules.push(Rule {
                    section: section.clone(),
                    name: (*name).to_owned(),
                    side: (*side).to_owned(),
                    tests,
                });
            }
        }
    }
    registry
}

fn print(checkout: &Checkout, registry: &Registry, elsewhere: bool) -> Result<(), Problem> {
    let results = results::read(checkout)?;
    let mut totals: BTreeMap<&str, usize> = BTreeMap::new();
    println!("\n| section | rule | side | test | result |\n| --- | --- | --- | --- | --- |");
    for rule in &registry.rules {
        let result = judge(rule, registry, &results, elsewhere);
        *totals.entry(result).or_default() += 1;
        println!("| {} | {} | {} | {} | {result} |", rule.section, rule.name, rule.side, rule.tests.join("; "));
    }
    let words: Vec<String> = totals.iter().map(|(result, count)| format!("{count} {result}")).collect();
    println!("\n{} rules: {}.", registry.rules.len(), words.join(", "));
    match totals.get(FAILED).copied().unwrap_or_default() + totals.get(NOT_RUN).copied().unwrap_or_default() {
        0 => Ok(()),
        count => Err(Problem::new(format!("{count} rules are not kept, or were not asked"))),
    }
}

const KEPT: &str = "kept";
const FAILED: &str = "FAILED";
const NOT_RUN: &str = "NOT RUN";
const NOT_APPLICABLE: &str = "not applicable";
const OPERATOR: &str = "only the operator can set it up";
const HERE: &str = "not of the service";

fn judge(rule: &Rule, registry: &Registry, results: &Results, elsewhere: bool) -> &'static str {
    if rule.side == NOT_APPLICABLE {
        return NOT_APPLICABLE;
    }
    let mut tests: Vec<&String> = rule.tests.iter().collect();
    if elsewhere {
        if rule.side == "client" {
            return HERE;
        }
        tests.retain(|test| registry.any_address.contains(test));
        if tests.is_empty() {
            return OPERATOR;
        }
    }
    let found: Vec<Option<bool>> = tests.iter().map(|test| results.passed(test)).collect();
    if found.contains(&Some(false)) {
        FAILED
    } else if found.contains(&None) {
        NOT_RUN
    } else {
        KEPT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Rules\n\n## A\n\n| rule | side | tests |\n| --- | --- | --- |\n\
                        | 1 | studio | `conformance::a::one`; `conformance::a::two` |\n| 2 | not applicable | because |\n\n\
                        ## Any address\n\n- `conformance::a::one`\n";

    #[test]
    fn rules_are_read_from_the_tables_below_their_headings() {
        let registry = parse(TEXT);
        assert_eq!(registry.any_address, ["conformance::a::one"]);
        assert_eq!(registry.rules.len(), 2);
        assert_eq!((registry.rules[0].section.as_str(), registry.rules[0].tests.len()), ("A", 2));
    }

    #[test]
    fn a_rule_is_kept_when_all_its_tests_ran_and_passed() {
        let registry = parse(TEXT);
        let junit = |one: &str, two: &str| {
            Results::parse(&format!(
                "<testcase name=\"a::one\" classname=\"easel-tests::conformance\" time=\"1\">{one}</testcase>\
                 <testcase name=\"a::{two}\" classname=\"easel-tests::conformance\"/>"
            ))
        };
        let check = |results: &Results, elsewhere: bool, expected: &str| {
            assert_eq!(judge(&registry.rules[0], &registry, results, elsewhere), expected);
            assert_eq!(judge(&registry.rules[1], &registry, results, elsewhere), NOT_APPLICABLE);
        };
        check(&junit("", "two"), false, KEPT);
        check(&junit("<flakyFailure/>", "two"), false, KEPT);
        check(&junit("<failure/>", "two"), false, FAILED);
        check(&junit("", "three"), false, NOT_RUN);
        check(&junit("", "three"), true, KEPT);
    }
}
