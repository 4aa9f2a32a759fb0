//! The document against the table of the router and against the committed file.

use std::collections::BTreeSet;

use super::*;
use crate::fixture::Fixture;
use crate::routes::router::{outside_routes, routes};
use axum::body::Body;
use http::Method;

const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
/// Set, the committed file is written anew.
const WRITE: &str = "EASEL_WRITE_OPENAPI";

/// For no server in particular.
fn committed_document() -> Value {
    let version_header = easel_wire::DEFAULT_VERSION_HEADER;
    document(Service { base_url: "/", version_header, oldest_version: Version::Legacy }, &routes(), &outside_routes())
}

#[test]
fn the_committed_document_is_the_one_that_the_code_makes() {
    let made = format!("{:#}\n", committed_document());
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(COMMITTED, made).unwrap();
    } else {
        let committed = std::fs::read_to_string(COMMITTED).unwrap();
        assert!(
            committed == made,
            "openapi.json is another than the code makes: set {WRITE}=1 and run this test again"
        );
    }
}

#[test]
fn every_row_of_the_router_is_in_the_document_and_nothing_else_is() {
    let below = routes().into_iter().map(|route| (format!("/v1{}", route.path), route));
    let all: Vec<(String, Route)> =
        below.chain(outside_routes().into_iter().map(|route| (route.path.to_owned(), route))).collect();
    let in_the_table: BTreeSet<(String, String)> =
        all.iter().map(|(path, route)| (path.clone(), route.method.as_str().to_ascii_lowercase())).collect();
    let document = committed_document();
    let mut described = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        described.extend(item.as_object().unwrap().keys().map(|method| (path.clone(), method.clone())));
    }
    assert_eq!(described, in_the_table);
    for (path, route) in all {
        let operation = &document["paths"][path][route.method.as_str().to_ascii_lowercase()];
        let expected = match &route.access {
            Access::Open | Access::Operator => json!([]),
            Access::Key => json!([{"key": []}]),
            Access::Scope(scope) => json!([{"key": [scope]}]),
            Access::Admin => json!([{"key": ["admin"]}]),
        };
        assert_eq!(operation["security"], expected, "{} {}", route.method, route.path);
        let braces: Vec<&str> = route.path.split(['{', '}']).skip(1).step_by(2).collect();
        let named: Vec<&str> = operation["parameters"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|parameter| parameter["in"] == "path")
            .filter_map(|parameter| parameter["name"].as_str())
            .collect();
        assert_eq!(named, braces, "{} {}", route.method, route.path);
    }
}

#[test]
fn every_operation_with_a_key_declares_the_envelope_for_each_status_of_the_specification() {
    let document = committed_document();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            if operation["security"] == json!([]) {
                continue;
            }
            for status in [401, 403, 404, 409, 422, 429, 500] {
                let response = &operation["responses"][status.to_string()]["$ref"];
                assert_eq!(response, &format!("#/components/responses/Error{status}"), "{method} {path}");
            }
        }
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_operation_has_a_name_of_its_own() {
    fn walk(value: &Value, document: &Value, links: &mut Vec<String>, ids: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                if let Some(reference) = fields.get("$ref").and_then(Value::as_str) {
                    assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
                }
                if let Some(id) = fields.get("operationId").and_then(Value::as_str) {
                    if fields.contains_key("responses") { ids.push(id.to_owned()) } else { links.push(id.to_owned()) }
                }
                fields.values().for_each(|value| walk(value, document, links, ids));
            }
            Value::Array(parts) => parts.iter().for_each(|value| walk(value, document, links, ids)),
            _ => {}
        }
    }
    let document = committed_document();
    let (mut links, mut ids) = (Vec::new(), Vec::new());
    walk(&document, &document, &mut links, &mut ids);
    let unique: BTreeSet<&String> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len());
    assert!(!links.is_empty() && links.iter().all(|link| unique.contains(link)));
}

#[test]
fn every_bound_is_one_of_a_field_that_is_there() {
    let components = schemas::components();
    for ((name, field), bound) in schemas::bounds() {
        let property = &components[name]["properties"][field];
        assert!(property.is_object(), "{name}.{field}");
        for (key, value) in bound.as_object().unwrap() {
            assert_eq!(&property[key], value, "{name}.{field}");
        }
    }
}

#[tokio::test]
async fn both_are_served_without_a_key_and_name_this_service() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Fixture::start(folder.path(), 1).await;
    let served = fixture.ask(&Method::GET, "/v1/openapi.json", &[], Body::empty()).await;
    assert_eq!((served.status.as_u16(), served.headers["content-type"].to_str().unwrap()), (200, "application/json"));
    let document = served.json();
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["servers"][0]["url"], "http://127.0.0.1:1");
    assert_eq!(document["components"]["parameters"]["Version"]["name"], crate::fixture::VERSION_HEADER);
    for path in ["/docs", "/v1/docs"] {
        let page = fixture.ask(&Method::GET, path, &[], Body::empty()).await;
        assert_eq!(page.status, 200, "{path}");
        assert!(page.headers["content-security-policy"].to_str().unwrap().contains("default-src 'none'"));
        let text = page.text();
        for route in routes() {
            assert!(text.contains(&format!("<code>/v1{}</code>", route.path)), "{}", route.path);
        }
        for route in outside_routes() {
            assert!(text.contains(&format!("<code>{}</code>", route.path)), "{}", route.path);
        }
        // Nothing is fetched, whatever the policy: neither by a tag nor by the style.
        for outside in ["<script", "<link", "<img", "src=", "url(", "@import", "<iframe"] {
            assert!(!text.contains(outside), "{outside}");
        }
    }
}

#[tokio::test]
async fn both_documents_are_made_once() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Fixture::start(folder.path(), 0).await;
    for path in ["/v1/openapi.json", "/docs"] {
        let ask = async || fixture.ask(&Method::GET, path, &[], Body::empty()).await.bytes;
        let (first, second) = (ask().await, ask().await);
        assert!(!first.is_empty() && std::ptr::eq(first.as_ptr(), second.as_ptr()), "{path}: the very same bytes");
    }
}
