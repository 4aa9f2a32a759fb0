//! Lock files say which version, never from which machine: whoever builds may have a mirror of their own.

use super::source::{Source, Violation};

/// The one place Cargo's lock names: it stands for whatever replaces it in a person's own configuration.
const CRATES: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// No lock file names a download host.
pub fn check(source: &Source) -> Vec<Violation> {
    let is_foreign: fn(&str) -> bool = if source.path.ends_with("Cargo.lock") {
        |line| line.starts_with("source = ") && !line.contains(CRATES)
    } else if source.path.ends_with("package-lock.json") {
        |line| line.trim_start().starts_with("\"resolved\":")
    } else {
        return Vec::new();
    };
    source
        .text
        .lines()
        .enumerate()
        .filter(|(_, line)| is_foreign(line))
        .map(|(index, line)| {
            Violation::new(&source.path, index + 1, format!("a lock file names no download host: {}", line.trim()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_file_names_no_download_host() {
        let cases = [
            ("Cargo.lock", "source = \"registry+https://github.com/rust-lang/crates.io-index\"", false),
            ("Cargo.lock", "source = \"sparse+https://mirror.example/index/\"", true),
            ("Cargo.lock", "source = \"git+https://example.org/a\"", true),
            ("ui/package-lock.json", "      \"resolved\": \"https://mirror.example/a.tgz\",", true),
            ("ui/package-lock.json", "      \"integrity\": \"sha512-abc\",", false),
            ("notes.md", "\"resolved\": \"https://mirror.example/a.tgz\"", false),
        ];
        for (path, text, is_violation) in cases {
            assert_eq!(!check(&Source::new(path, text)).is_empty(), is_violation, "{path}: {text}");
        }
    }
}
