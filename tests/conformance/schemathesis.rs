//! The studio asked by schemathesis, which makes its requests from the document that the studio serves: single ones, and chains
//! in which one goes on with what another answered.
//!
//! Every answer must be one that the document describes, and none a server error; what is against the document must be refused.
//! `schemathesis.toml` beside this file names each exception with its reason. Further seeds make further requests:
//! `EASEL_SOAK_REQUESTS` says how many in all; without it one short round is asked.

use std::process::{Command, Output};

use easel_tests::studio::{Options, Studio};
use easel_tests::tools;

/// What a round generates for each operation; it comes to some four thousand requests.
const EXAMPLES: &str = "15";

fn run(studio: &Studio, key: &str, seed: u64) -> Output {
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/schemathesis.toml");
    Command::new(tools::find("schemathesis"))
        .args(["--config-file", config, "run", &format!("{}/v1/openapi.json", studio.base_url)])
        .args(["--max-examples", EXAMPLES, "--seed", &seed.to_string(), "--no-color"])
        .env("EASEL_KEY", key)
        // What it keeps between runs would make each another.
        .current_dir(studio.data_dir.parent().expect("a folder of the test's own"))
        .output()
        .expect("schemathesis can be run")
}

/// How many requests a run says that it made.
fn count(report: &str) -> u64 {
    let line = report.lines().skip_while(|line| !line.starts_with("Test cases:")).nth(1).unwrap_or_default();
    let number = line.trim().split(' ').next().unwrap_or_default();
    number.parse().unwrap_or_else(|_| panic!("no number of requests in the report:\n{report}"))
}

#[test]
fn schemathesis_finds_no_failure_and_no_server_error() {
    let wanted = easel_tests::soak::number("EASEL_SOAK_REQUESTS").unwrap_or(1);
    let options = Options::new().with("--exports-per-minute", "0").with("--concurrent-tasks", "0");
    let studio = Studio::start(options);
    let key = studio.create_key("schemathesis");
    let mut asked = 0;
    for seed in 1.. {
        let output = run(&studio, &key.key, seed);
        let report = String::from_utf8_lossy(&output.stdout).into_owned();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "schemathesis, seed {seed}, {}:\n{report}\n{complaint}", output.status);
        asked += count(&report);
        println!("seed {seed}: {asked} requests without a failure");
        if asked >= wanted {
            break;
        }
    }
    let log = studio.log();
    let failed: Vec<&str> = log.lines().filter(|line| line.contains(" ERROR ")).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}
