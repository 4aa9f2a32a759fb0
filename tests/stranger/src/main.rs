//! The stranger as a program: it serves on loopback until it is ended, and says on its first line where, as JSON.

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use easel_stranger::{Config, Stranger, Switch, Switches};
use serde_json::json;

/// A design service of other hands.
#[derive(Debug, Parser)]
#[command(name = "stranger")]
struct Options {
    /// The port on loopback; 0 for one that the system chooses.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// A switch to turn on, or with `=off` to turn off; may be given again.
    #[arg(long = "switch", value_name = "NAME[=on|off]")]
    switches: Vec<String>,
    /// Turns on every switch, of those that exclude each other the first, except those turned off.
    #[arg(long)]
    all_against: bool,
    /// Requests a minute and key; 0 for no limit.
    #[arg(long, default_value_t = 120)]
    requests_per_minute: u32,
    /// The name of the version header.
    #[arg(long, default_value = "Service-Version")]
    version_header: String,
    /// Prints every switch and what it excludes, and ends.
    #[arg(long)]
    list: bool,
}

impl Options {
    fn switches(&self) -> Result<Switches, Box<dyn Error>> {
        let (mut on, mut off) = (Vec::new(), Vec::new());
        for given in &self.switches {
            match given.split_once('=').unwrap_or((given, "on")) {
                (name, "on") => on.push(name.parse::<Switch>()?),
                (name, "off") => off.push(name.parse::<Switch>()?),
                (_, value) => return Err(format!("a switch is on or off, not `{value}`").into()),
            }
        }
        let mut switches = Switches::none();
        for switch in on {
            switches.turn_on(switch)?;
        }
        if self.all_against {
            let given = switches.iter().collect::<Vec<_>>();
            let others = Switch::ALL.iter().copied().filter(|switch| !off.contains(switch));
            switches = Switches::fitting(given.into_iter().chain(others));
        }
        Ok(switches)
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(&Options::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("stranger: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout();
    if options.list {
        for switch in Switch::ALL {
            let excluded = switch.conflicts_with().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            writeln!(out, "{switch}\t{excluded}")?;
        }
        return Ok(());
    }
    let mut config = Config::new(options.switches()?);
    config.port = options.port;
    config.requests_per_minute = Some(options.requests_per_minute).filter(|requests| *requests > 0);
    config.version_header.clone_from(&options.version_header);
    let stranger = Stranger::with(config).await?;
    let switches = stranger.switches().iter().map(|switch| switch.to_string()).collect::<Vec<_>>();
    writeln!(out, "{}", json!({"base_url": stranger.base_url(), "key": stranger.key(), "switches": switches}))?;
    out.flush()?;
    std::future::pending().await
}
