//! Writes the page's bindings: `cargo xtask bindings`.

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bindings = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/src/backend/bindings.ts");
    Ok(easel_desktop::export_bindings(&bindings)?)
}
