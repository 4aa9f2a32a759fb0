//! Who may know whom among the crates of this workspace (`ARCHITECTURE.md`), read from what Cargo says of each.

use serde_json::Value;

use super::source::Violation;

/// A crate and the crates of this workspace that it may depend on, in any way.
const MAY_KNOW: [(&str, &[&str]); 10] = [
    ("easel-wire", &[]),
    ("easel-client", &["easel-wire"]),
    ("easel-canvas", &["easel-wire"]),
    ("easel-studio", &["easel-wire", "easel-canvas"]),
    ("easel-sync", &["easel-wire", "easel-client"]),
    ("easel-app", &["easel-wire", "easel-client", "easel-sync"]),
    ("easel-desktop", &["easel-app", "easel-studio"]),
    ("easel-stranger", &[]),
    (
        "easel-tests",
        &[
            "easel-wire",
            "easel-client",
            "easel-sync",
            "easel-studio",
            "easel-app",
            "easel-canvas",
            "easel-desktop",
            "easel-stranger",
        ],
    ),
    ("xtask", &[]),
];

/// A dependency by the start of its name, and the crates that alone may have it.
const MAY_USE: [(&str, &[&str]); 7] = [
    ("tauri", &["easel-desktop"]),
    ("reqwest", &["easel-client", "easel-studio", "easel-stranger", "easel-tests"]),
    ("notify", &["easel-sync"]),
    ("sqlx", &["easel-studio", "easel-sync", "easel-tests"]),
    ("object_store", &["easel-studio"]),
    ("keyring", &["easel-desktop"]),
    ("fantoccini", &["easel-tests"]),
];

/// What travels has no input and output of its own.
const WIRE_NEVER: [&str; 5] = ["tokio", "hyper", "axum", "tower", "futures"];

/// Checks what `cargo metadata --no-deps` says.
pub fn check(metadata: &Value) -> Vec<Violation> {
    let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    packages.iter().flat_map(check_package).collect()
}

fn check_package(package: &Value) -> Vec<Violation> {
    let name = package["name"].as_str().unwrap_or_default();
    let path = format!("the crate {name}");
    let Some((_, known)) = MAY_KNOW.iter().find(|(member, _)| *member == name) else {
        return vec![Violation::new(&path, 0, "a new crate has to say in xtask's tidy whom it may know")];
    };
    let mut violations = Vec::new();
    for dependency in package["dependencies"].as_array().map_or(&[][..], Vec::as_slice) {
        let uses = dependency["name"].as_str().unwrap_or_default();
        if MAY_KNOW.iter().any(|(member, _)| *member == uses) && !known.contains(&uses) {
            violations.push(Violation::new(&path, 0, format!("must not know {uses}")));
        }
        for (start, users) in MAY_USE {
            let is_family = uses == start || uses.strip_prefix(start).is_some_and(|rest| rest.starts_with('-'));
            if is_family && !users.contains(&name) {
                violations.push(Violation::new(
                    &path,
                    0,
                    format!("must not depend on {uses}; only {} may", users.join(", ")),
                ));
            }
        }
        let is_plain = dependency["kind"].is_null();
        if name == "easel-wire" && is_plain && WIRE_NEVER.iter().any(|never| uses.starts_with(never)) {
            violations.push(Violation::new(
                &path,
                0,
                format!("must not depend on {uses}: what travels does no input or output"),
            ));
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_crate_knows_only_whom_it_may() {
        // The crate, what it depends on and how, and whether that breaks a rule.
        let cases = [
            ("easel-client", "easel-wire", json!(null), false),
            ("easel-client", "easel-studio", json!(null), true),
            ("easel-client", "easel-studio", json!("dev"), true),
            ("easel-studio", "easel-client", json!("dev"), true),
            ("easel-sync", "easel-app", json!(null), true),
            ("easel-app", "easel-studio", json!(null), true),
            ("easel-desktop", "easel-studio", json!(null), false),
            ("easel-desktop", "easel-client", json!(null), true),
            ("easel-tests", "easel-studio", json!("dev"), false),
            ("easel-stranger", "easel-wire", json!("dev"), true),
            ("easel-app", "tauri-plugin-dialog", json!(null), true),
            ("easel-app", "reqwest", json!(null), true),
            ("easel-app", "notify", json!(null), true),
            ("easel-client", "sqlx", json!(null), true),
            ("easel-wire", "tokio", json!(null), true),
            ("easel-wire", "serde", json!(null), false),
            ("easel-new", "serde", json!(null), true),
        ];
        for (name, uses, kind, is_violation) in cases {
            let metadata = json!({"packages": [{"name": name, "dependencies": [{"name": uses, "kind": kind}]}]});
            assert_eq!(!check(&metadata).is_empty(), is_violation, "{name} → {uses}");
        }
    }
}
