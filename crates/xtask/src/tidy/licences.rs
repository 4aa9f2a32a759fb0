//! Every crate that is built in comes under a licence that agrees with this project's own (MIT OR Apache-2.0).

use serde_json::Value;

use super::source::Violation;

/// Licences that ask for no more than their own text, or for the source of the changed file alone.
const ACCEPTED: [&str; 18] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-2-Clause-Patent",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "OpenSSL",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "bzip2-1.0.6",
];

/// Checks what `cargo metadata` says of every crate in the lock file.
pub fn check(metadata: &Value) -> Vec<Violation> {
    let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    packages
        .iter()
        .filter_map(|package| {
            let licence = package["license"].as_str().unwrap_or_default();
            let name = package["name"].as_str().unwrap_or_default();
            (!is_accepted(licence) && package["license_file"].is_null()).then(|| {
                Violation::new("Cargo.lock", 0, format!("{name} is under `{licence}`, which tidy does not know"))
            })
        })
        .collect()
}

/// Whether one way of reading the expression asks for accepted licences alone.
fn is_accepted(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    expression
        .split(" OR ")
        .any(|choice| choice.split(" AND ").all(|licence| ACCEPTED.contains(&licence.trim_matches(['(', ')', ' ']))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_licence_is_accepted_when_one_reading_of_it_is() {
        let cases = [
            ("MIT", true),
            ("MIT OR Apache-2.0", true),
            ("MIT/Apache-2.0", true),
            ("GPL-3.0-only", false),
            ("GPL-3.0-only OR MIT", true),
            ("MIT AND GPL-3.0-only", false),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("Apache-2.0 WITH LLVM-exception OR MIT", true),
            ("", false),
        ];
        for (expression, expected) in cases {
            assert_eq!(is_accepted(expression), expected, "{expression}");
        }
    }
}
