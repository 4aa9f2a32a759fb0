//! `docs/operating.md`: every command in it is run, and what lies beside it is read by the programs that it is for.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use easel_tests::bucket::Bucket;
use easel_tests::port::HeldPort;
use easel_tests::studio::{binary, command};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the top").join("docs")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(docs().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The lines between ```sh and ```, one command each.
fn commands(document: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in document.lines() {
        match line {
            "```sh" => inside = true,
            "```" => inside = false,
            line if inside => found.push(line.to_owned()),
            _ => {}
        }
    }
    found
}

#[test]
fn every_command_of_the_document_works_in_its_order() {
    let place = tempfile::tempdir().unwrap();
    let bucket = Bucket::start();
    // Others listen where the document does.
    let ports = ["8080", "8081", "8082", "8083", "8084"].map(|port| (port, HeldPort::any()));
    let mut script = String::from("set -eu\nSERVED=\ntrap 'kill $SERVED' EXIT\n");
    let mut served = 0;
    let commands = commands(&read("operating.md"));
    assert!(commands.len() > 25, "{}", commands.len());
    for command in &commands {
        let mut command = command.clone();
        for (port, free) in &ports {
            command = command.replace(&format!("127.0.0.1:{port}"), &free.to_string());
        }
        script.push_str(&format!("echo '== {}' >&2\n", command.replace('\'', "")));
        if command.starts_with("easel-studio serve") {
            served += 1;
            let file = format!("\"$READY.{served}\"");
            let ready = format!("i=0; until [ -s {file} ]; do sleep 0.1; i=$((i + 1)); [ $i -lt 300 ]; done");
            script.push_str(&format!("{command} > {file} &\nSERVED=\"$SERVED $!\"\n{ready}\n"));
        } else {
            script.push_str(&format!("{command}\n"));
        }
    }
    let programs = binary().parent().expect("a folder").to_owned();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", &script])
        .env("PATH", format!("{}:{path}", programs.display()))
        .env("DATA", place.path().join("data"))
        .env("BACKUP", place.path().join("backup"))
        .env("READY", place.path().join("ready"))
        .envs(bucket.environment(&format!("http://{}", bucket.authority())))
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_command_of_the_program_is_in_the_document() {
    let document = commands(&read("operating.md")).join("\n");
    let mut all = Vec::new();
    for name in commands_of(&[]) {
        let below = commands_of(&[&name]);
        match below.is_empty() {
            true => all.push(name),
            false => all.extend(below.iter().map(|inner| format!("{name} {inner}"))),
        }
    }
    for known in ["serve", "audit", "keys replace-file", "contents bring-back"] {
        assert!(all.iter().any(|name| name == known), "{all:?}");
    }
    for name in all {
        assert!(document.contains(&format!("easel-studio {name} ")), "{name} is not in the document");
    }
}

/// The commands below a command, as its help names them.
fn commands_of(command: &[&str]) -> Vec<String> {
    let help = Command::new(binary()).arg("help").args(command).output().expect("help");
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    let Some((_, names)) = help.split_once("Commands:") else { return Vec::new() };
    let names = names.split_once("Options:").map_or(names, |(names, _)| names);
    let names = names.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// The arguments of a serve in a file of the folder, tried: with `--help` at the end they are read, and nothing is served.
fn check_arguments(arguments: &[&str]) {
    assert_eq!(arguments.first(), Some(&"serve"));
    let tried = command(Path::new("unused"), &["serve", "--listen", "127.0.0.1:0", "--unknown-flag"]);
    assert_eq!(tried.status.code(), Some(2), "an unknown flag is refused, so that a known one means something");
    // A version that cannot be retired is the only thing wrong with it.
    let output =
        Command::new(binary()).args(arguments).args(["--retire", "2026-05-01"]).output().expect("easel-studio");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("the newest version cannot be retired"), "{said}");
}

#[test]
fn the_unit_and_the_container_start_the_program_with_flags_that_it_has() {
    let unit = read("operating/easel-studio.service");
    let start = unit.lines().find_map(|line| line.strip_prefix("ExecStart=")).expect("ExecStart");
    check_arguments(&start.split_whitespace().skip(1).collect::<Vec<_>>());
    let container = read("operating/Containerfile");
    let arguments = container.lines().find_map(|line| line.strip_prefix("CMD ")).expect("CMD");
    let arguments: Vec<String> = serde_json::from_str(arguments).expect("a list");
    check_arguments(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let compose = read("operating/compose.yaml");
    let command = compose.lines().find_map(|line| line.trim().strip_prefix("command: ")).expect("a command");
    let command: Vec<String> = serde_json::from_str(command).expect("a list");
    check_arguments(&command.iter().map(String::as_str).collect::<Vec<_>>());
    // It is built from the sources, and not from what was built from them here, which is many times as much.
    let ignored = std::fs::read_to_string(docs().join("../.containerignore")).expect("what is not built from");
    assert!(ignored.lines().any(|line| line == "target") && ignored.lines().any(|line| line == ".git"));
    let nginx = read("operating/nginx.conf");
    let bounds: Vec<&str> =
        nginx.lines().map(str::trim).filter(|line| line.starts_with("client_max_body_size")).collect();
    assert_eq!(bounds, ["client_max_body_size 0;"; 2], "the studio says itself what is too large");
    for name in ["operating/nginx.conf", "operating/Caddyfile"] {
        let text = read(name);
        for port in ["127.0.0.1:8080", "127.0.0.1:8081"] {
            assert!(text.contains(port) && start.contains(port), "{name} and the unit agree on {port}");
        }
        assert!(!text.contains("8082"), "the operator's listener is nobody else's");
    }
}
