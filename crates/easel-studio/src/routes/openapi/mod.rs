//! The service's description: OpenAPI 3.1 for programs at `/v1/openapi.json`, and a page for people at `/docs`.
//!
//! Always true: every row of the table of routes is described, with its access taken from there; every shape is that of
//! the type which is written or read; both versions are in it. Nobody needs a key to read it, because it tells nothing
//! about this service but how to ask it. The committed `openapi.json` is [`document`] for an unnamed server. Not here:
//! what an operation does.

mod operations;
mod reference;
mod schemas;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use easel_wire::Version;
use http::{HeaderValue, header};
use serde_json::{Map, Value, json};

use super::route::{Access, Route};
use crate::studio::SharedStudio;
use crate::studio::config::Config;
use crate::studio::documents::Document;
use operations::{Operation, describe};

/// What the document is written for.
#[derive(Debug, Clone, Copy)]
pub struct Service<'a> {
    /// Where the API is reached from outside; no slash at the end.
    pub base_url: &'a str,
    /// The name of the version header.
    pub version_header: &'a str,
    /// The oldest version that is not retired: the default.
    pub oldest_version: Version,
}

/// `GET /v1/openapi.json`.
pub async fn get_document(State(studio): State<SharedStudio>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], studio.documents.get(&studio.config).json).into_response()
}

/// `GET /docs`: the same for people, as one page that fetches nothing and runs nothing.
pub async fn get_reference(State(studio): State<SharedStudio>) -> Response {
    let mut response = axum::response::Html(studio.documents.get(&studio.config).page).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(reference::POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// The service with these routes below `/v1` and outside it, in both forms.
#[must_use]
pub fn describe_service(config: &Config, routes: &[Route], outside: &[Route]) -> Document {
    let service = Service {
        base_url: &config.base_url,
        version_header: config.version_header.as_str(),
        oldest_version: config.oldest_version,
    };
    let document = document(service, routes, outside);
    Document { json: Bytes::from(document.to_string()), page: Bytes::from(reference::page_of(&document)) }
}

/// The whole document.
#[must_use]
pub fn document(service: Service<'_>, routes: &[Route], outside: &[Route]) -> Value {
    let mut paths: Map<String, Value> = Map::new();
    let below = routes.iter().map(|route| (format!("/v1{}", route.path), route));
    for (path, route) in below.chain(outside.iter().map(|route| (route.path.to_owned(), route))) {
        let Some(operation) = describe(route) else { continue };
        let path = paths.entry(path).or_insert_with(|| json!({}));
        path[route.method.as_str().to_ascii_lowercase()] = write_operation(route, operation);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Easel studio",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
            "description": INTRODUCTION,
        },
        "servers": [{"url": service.base_url}],
        "tags": operations::TAGS.iter().map(|(name, words)| json!({"name": name, "description": words})).collect::<Vec<_>>(),
        "security": [{"key": []}],
        "paths": paths,
        "webhooks": {"task_ended": {"post": webhook()}},
        "components": {
            "securitySchemes": {"key": {
                "type": "http", "scheme": "bearer",
                "description": "An API key, `svc_live_` and 40 hex digits. The roles of an operation are the scopes that the key needs.",
            }},
            "parameters": {"Version": version_parameter(service)},
            "headers": headers(),
            "responses": error_responses(),
            "schemas": schemas::components(),
        },
    })
}

const INTRODUCTION: &str = "\
A design-generation service with a drive. Every path below `/v1` answers without it too. The response shapes follow the version in \
the version header: where two are described, the first is that of `2026-05-01` and the second that of `2026-04-12`. Clients \
expect fields, codes and values beyond those described here.";

/// One operation in the document.
fn write_operation(route: &Route, operation: Operation) -> Value {
    let Operation { id, tag, summary, query, headers, body, answers, links } = operation;
    let mut parameters = path_parameters(route.path);
    parameters.extend(query);
    parameters.extend(headers);
    parameters.push(json!({"$ref": "#/components/parameters/Version"}));
    let mut responses: Map<String, Value> = Map::new();
    for (status, words, content) in answers {
        let mut response = json!({"description": words, "headers": header_refs(&["X-Request-ID", "Service-Version"])});
        if let Some(content) = content {
            response["content"] = content;
        }
        if !links.is_empty() {
            response["links"] = links.iter().map(|(id, of)| (id.to_string(), write_link(id, of))).collect();
        }
        responses.insert(status.to_string(), response);
    }
    for status in error_statuses(route, body.is_some()) {
        responses.insert(status.to_string(), json!({"$ref": format!("#/components/responses/Error{status}")}));
    }
    let mut written = json!({
        "operationId": id, "tags": [tag], "summary": summary, "parameters": parameters, "responses": responses,
        "security": match &route.access {
            Access::Open | Access::Operator => json!([]),
            Access::Key => json!([{"key": []}]),
            Access::Scope(scope) => json!([{"key": [scope]}]),
            Access::Admin => json!([{"key": ["admin"]}]),
        },
    });
    if let Some(content) = body {
        written["requestBody"] = json!({"required": true, "content": content});
    }
    written
}

/// A link to an operation that goes on from this answer: each parameter's name and where in the answer its value
/// stands.
fn write_link(operation: &str, parameters: &[(&str, &str)]) -> Value {
    let parameters: Map<String, Value> = parameters
        .iter()
        .map(|(name, pointer)| ((*name).to_owned(), json!(format!("$response.body#{pointer}"))))
        .collect();
    json!({"operationId": operation, "parameters": parameters})
}

/// The errors that every operation may answer (specification, "Errors"), and those that follow from its properties.
fn error_statuses(route: &Route, has_body: bool) -> Vec<u16> {
    let mut statuses = match route.access {
        // What needs no key and takes something is tried so many times alone.
        Access::Open if has_body => vec![400, 403, 404, 422, 429, 500, 503],
        Access::Open => vec![400, 403, 404, 500],
        _ => vec![400, 401, 403, 404, 409, 422, 429, 500, 503],
    };
    if has_body {
        statuses.push(413);
    }
    statuses
}

fn error_responses() -> Value {
    let envelope = json!({"application/json": {"schema": {"$ref": "#/components/schemas/Envelope"}}});
    let every = ["X-Request-ID", "Service-Version"];
    let mut responses = Map::new();
    for (status, words, further) in [
        (400, "The request cannot be understood, or names a version that is not supported.", None),
        (401, "There is no valid API key.", Some("WWW-Authenticate")),
        (403, "The key lacks a scope, or its user may not do this.", None),
        (404, "There is no such thing, or none that the caller may see.", None),
        (409, "It conflicts with what is there or under way.", Some("Retry-After")),
        (422, "Understood, but wrong: `details.fields` names each field.", None),
        (429, "A rate or a cap is reached.", Some("Retry-After")),
        (500, "Something went wrong in the service.", None),
        (503, "The storage of the service is full.", Some("Retry-After")),
    ] {
        let names: Vec<&str> = every.into_iter().chain(further).collect();
        let mut headers = header_refs(&names);
        if status == 409 {
            headers["Retry-After"] = json!({"$ref": "#/components/headers/Retry-After-Sometimes"});
        }
        responses
            .insert(format!("Error{status}"), json!({"description": words, "headers": headers, "content": envelope}));
    }
    // The gateway's own: bare, no envelope (specification, "Errors").
    responses.insert(
        "Error413".to_owned(),
        json!({"description": "The body is above 33,554,432 bytes: a bare answer without an envelope.", "headers": header_refs(&every)}),
    );
    Value::Object(responses)
}

fn headers() -> Value {
    let text =
        |words: &str, required: bool| json!({"description": words, "required": required, "schema": {"type": "string"}});
    let seconds = |required: bool| json!({"description": "Whole seconds to wait.", "required": required, "schema": {"type": "integer", "minimum": 1}});
    json!({
        "X-Request-ID": text("The request's own id; the same as in the error envelope.", true),
        "Service-Version": {
            "description": "The version that the response is in. A deployment may give this header another name.",
            "schema": {"type": "string", "enum": Version::ALL.map(Version::as_str)},
        },
        "WWW-Authenticate": text("`Bearer`.", true),
        "Retry-After": seconds(true),
        "Retry-After-Sometimes": seconds(false),
    })
}

fn header_refs(names: &[&str]) -> Value {
    names
        .iter()
        .map(|name| ((*name).to_owned(), json!({"$ref": format!("#/components/headers/{name}")})))
        .collect::<Map<_, _>>()
        .into()
}

fn version_parameter(service: Service<'_>) -> Value {
    let supported: Vec<&str> =
        Version::ALL.into_iter().filter(|version| *version >= service.oldest_version).map(Version::as_str).collect();
    json!({
        "name": service.version_header, "in": "header", "required": false,
        "description": "The version of the response shapes.",
        "schema": {"type": "string", "enum": supported, "default": service.oldest_version.as_str()},
    })
}

/// The parameters in a path's braces, each by its name.
fn path_parameters(path: &str) -> Vec<Value> {
    path.split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
        .map(|name| json!({"name": name, "in": "path", "required": true, "schema": operations::path_schema(name)}))
        .collect()
}

/// What a `callback_url` is sent.
fn webhook() -> Value {
    let text = |name: &str, words: &str| json!({"name": name, "in": "header", "required": true, "description": words, "schema": {"type": "string"}});
    json!({
        "operationId": "task_ended",
        "summary": "A task that was started with a callback_url has succeeded, failed or been canceled",
        "parameters": [
            text(easel_wire::webhooks::TIMESTAMP_HEADER, "The moment of signing, in Unix seconds."),
            text(
                easel_wire::webhooks::SIGNATURE_HEADER,
                "`v1=` and the HMAC-SHA256, in lower-case hex, of `{timestamp}.{raw_request_body}` under the key's signing secret.",
            ),
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Event"}}}},
        "responses": {"2XX": {"description": "Received. Anything else, or nothing within 30 s, is tried again up to twice."}},
    })
}

#[cfg(test)]
mod tests;
