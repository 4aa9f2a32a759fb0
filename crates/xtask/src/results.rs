//! How the tests of the last run came out, as the test runner has written it.
//!
//! Deliberately not here: what a result means, which those who ask know.

use std::collections::BTreeMap;
use std::fs;

use crate::checkout::Checkout;
use crate::command::Problem;

/// Where the test runner writes results: beside the sources, wherever Cargo builds.
pub const PATH: &str = "target/nextest/default/junit.xml";

/// How a test came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Passed,
    /// It failed at first, and passed when it was tried again.
    Flaky,
    Failed,
}

/// The outcomes of a run, each by the name of its test: the binary, then the path of the function.
#[derive(Debug, Default)]
pub struct Results(BTreeMap<String, Outcome>);

impl Results {
    /// Reads what the test runner wrote (JUnit's XML, of which only `testcase` and what stands in it counts here).
    pub fn parse(junit: &str) -> Self {
        Self(junit.split("<testcase").skip(1).filter_map(read_case).collect())
    }

    /// Whether this test passed; nothing where it was not run.
    pub fn passed(&self, test: &str) -> Option<bool> {
        self.0.get(test).map(|outcome| *outcome != Outcome::Failed)
    }

    /// The tests that needed a second try.
    pub fn flaky(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|(_, outcome)| **outcome == Outcome::Flaky).map(|(name, _)| name.as_str())
    }
}

/// The results of the last run.
///
/// # Errors
/// When there are none, or they can't be read.
pub fn read(checkout: &Checkout) -> Result<Results, Problem> {
    let path = checkout.path(PATH);
    fs::read_to_string(&path).map(|junit| Results::parse(&junit)).map_err(|error| Problem::of(&path, &error))
}

fn read_case(case: &str) -> Option<(String, Outcome)> {
    let tag = case.split('>').next()?;
    let attribute = |name: &str| Some(tag.split_once(&format!(" {name}=\""))?.1.split_once('"')?.0);
    let binary = attribute("classname")?;
    let binary = binary.strip_prefix("easel-tests::").or(binary.strip_prefix("easel-")).unwrap_or(binary);
    let body = case.split("</testcase>").next().unwrap_or(case);
    let outcome = if body.contains("<failure") || body.contains("<error") {
        Outcome::Failed
    } else if body.contains("<flakyFailure") || body.contains("<flakyError") {
        Outcome::Flaky
    } else {
        Outcome::Passed
    };
    Some((format!("{binary}::{}", attribute("name")?), outcome))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_needed_a_second_try_is_named() {
        let results = Results::parse(
            "<testcase name=\"a::one\" classname=\"easel-tests::sync\" time=\"1\"><flakyFailure type=\"test failure\"/></testcase>\
             <testcase name=\"a::two\" classname=\"easel-app\" time=\"1\"><system-out>one</system-out></testcase>\
             <testcase name=\"a::three\" classname=\"easel-app\"><failure/><rerunFailure/></testcase>",
        );
        assert_eq!(results.flaky().collect::<Vec<_>>(), ["sync::a::one"]);
        let passed = ["sync::a::one", "app::a::two", "app::a::three", "app::a::four"].map(|test| results.passed(test));
        assert_eq!(passed, [Some(true), Some(true), Some(false), None]);
    }
}
