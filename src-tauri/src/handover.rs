//! Hands the arguments of a second start to the first one, and ends before anything is opened.
//!
//! The plugin for a single instance does the same, but only once the window's libraries are loaded and have threads of
//! their own; one of these can be inside the X library at the very moment at which the process ends, and crash it. So
//! on Linux the first start is asked before that, by the plugin's own protocol; if it does not answer, the plugin
//! decides. Not here: what the first start does with the arguments.

use zbus::blocking::Connection;

const INTERFACE: &str = "org.SingleInstance.DBus";
const METHOD: &str = "ExecuteCallback";

/// Whether an Easel with the name `id` runs already and has taken this start's arguments.
pub(crate) fn hand_over(id: &str) -> bool {
    match ask(id) {
        Ok(()) => true,
        Err(error) => {
            tracing::debug!(%error, "no other Easel has taken this start over");
            false
        }
    }
}

fn ask(id: &str) -> zbus::Result<()> {
    let name = format!("{id}.SingleInstance");
    let path = format!("/{}", name.replace('.', "/").replace('-', "_"));
    let arguments: Vec<String> = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
    let folder = std::env::current_dir().unwrap_or_default();
    let folder = folder.to_string_lossy();
    let bus = Connection::session()?;
    bus.call_method(Some(name.as_str()), path.as_str(), Some(INTERFACE), METHOD, &(arguments, folder.as_ref()))?;
    Ok(())
}
