//! `cargo xtask run`: the app, built and started; where there is no display, shown at work in a virtual one.

use std::time::SystemTime;

use crate::checkout::Checkout;
use crate::command::{Problem, Run};
use crate::setup;

/// Builds the app and starts it.
///
/// Without a display (or when asked for a virtual one) the same app runs in a virtual display, does its main job on
/// sample files, prints what happened, and leaves pictures in `target/demo/`.
///
/// # Errors
/// When something is missing, the build fails, or the app does not do its job.
pub fn start_app(checkout: &Checkout, wants_virtual_display: bool) -> Result<(), Problem> {
    setup::prepare_build(checkout)?;
    if has_display() && !wants_virtual_display {
        return Run::cargo(checkout, ["run", "--package", "easel-desktop", "--bin", "easel"]).attended().run();
    }
    println!("There is no display here: the app runs in a virtual one and shows its main job.");
    let start = SystemTime::now();
    setup::prepare_virtual_desktop(checkout)?;
    build_programs(checkout)?;
    let demo = checkout.target().join("debug/demo");
    Run::new(checkout, &demo.to_string_lossy(), [""; 0])
        .with("EASEL_DEMO_PICTURES", checkout.path("target/demo"))
        .run()?;
    if let Ok(took) = start.elapsed() {
        println!("The pictures are in target/demo/. It took {} s, the build included.", took.as_secs());
    }
    Ok(())
}

/// Builds the two programs that are started as processes, and those that do so.
///
/// # Errors
/// When something does not build.
pub fn build_programs(checkout: &Checkout) -> Result<(), Problem> {
    Run::cargo(
        checkout,
        ["build", "--package", "easel-desktop", "--package", "easel-studio", "--package", "easel-tests", "--bins"],
    )
    .run()
}

fn has_display() -> bool {
    !cfg!(target_os = "linux")
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}
