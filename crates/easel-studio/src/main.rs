//! The binary `easel-studio`: the command line of the library.

fn main() -> std::process::ExitCode {
    easel_studio::cli::run(std::env::args_os(), &[])
}
