//! Prepares the window's resources. The page must have been built before (`cargo xtask run` does it); where it has not,
//! an empty one stands in, so that the Rust side can be checked by itself.

use std::path::Path;
use std::{fs, io};

fn main() -> io::Result<()> {
    let page = Path::new("../ui/dist/index.html");
    println!("cargo:rerun-if-changed=../ui/dist");
    if !page.exists() {
        if let Some(folder) = page.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(page, "<!doctype html><title>Easel</title><p>The page has not been built.</p>\n")?;
    }
    tauri_build::build();
    Ok(())
}
