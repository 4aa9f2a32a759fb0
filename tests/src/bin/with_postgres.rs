//! Runs a program with a PostgreSQL server for the tests that it starts: `with_postgres cargo nextest run …`.

use std::process::{Command, ExitCode};

use easel_tests::postgres::{DATABASE, Server};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let Some(program) = arguments.next() else {
        eprintln!("with_postgres PROGRAM ARGUMENTS…");
        return ExitCode::from(2);
    };
    let server = Server::start();
    let status = Command::new(&program).args(arguments).env(DATABASE, &server.url).status();
    drop(server);
    match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{}: {error}", program.display());
            ExitCode::FAILURE
        }
    }
}
