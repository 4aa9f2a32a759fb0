//! The document as one HTML page, for people.
//!
//! It is made on the server and has its own style: nothing in it runs, and it fetches nothing, so that it reads the
//! same without a network. Every text from the document is escaped.

use std::fmt::Write as _;

use serde_json::Value;

/// Only the page's own style is in force.
pub const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
                          frame-ancestors 'none'";

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

const STYLE: &str = "\
:root { color-scheme: light dark; --line: light-dark(#e3e3e8, #34343c); --quiet: light-dark(#5b5b66, #a5a5b2);
  --code: light-dark(#f4f4f7, #1f1f25); --accent: light-dark(#4a3fd1, #a9a2ff); }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.55 system-ui, sans-serif; }
header, main { max-width: 60rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 2.5rem; }
h1 { font-size: 1.75rem; margin: 0 0 .5rem; } h2 { font-size: 1.25rem; margin: 3rem 0 .25rem; }
p { margin: .25rem 0; } .quiet { color: var(--quiet); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; margin: 1rem 0 0; padding: 0; }
a { color: var(--accent); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
details { border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0; }
summary { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; padding: .6rem .9rem; cursor: pointer; }
details > div { padding: 0 .9rem .9rem; border-top: 1px solid var(--line); }
h3 { font-size: .8125rem; margin: 1rem 0 .25rem; color: var(--quiet); font-weight: 600; }
code { font: .875em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.method { font-weight: 700; min-width: 3.75rem; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-top: 1px solid var(--line); }
tr:first-child > * { border-top: 0; } th { font-weight: 400; width: 14rem; }
td:nth-child(2) { width: 16rem; } pre { margin: 0; white-space: pre-wrap; font: inherit; }
@media (max-width: 40rem) { th, td { display: block; width: auto !important; border: 0; padding: 0; } tr { display: block; padding: .5rem 0; } }
";

/// The page of this document.
pub fn page_of(document: &Value) -> String {
    let mut page = String::new();
    let info = &document["info"];
    let title = escape(text(&info["title"]));
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>{title}: reference</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<header>\n<h1>{title} <span class=\"quiet\">{}</span></h1>\n<p>{}</p>\n<p class=\"quiet\">At <code>{}</code>. For \
         programs: <a href=\"openapi.json\"><code>openapi.json</code></a>.</p>\n",
        escape(text(&info["version"])),
        words(text(&info["description"])),
        escape(text(&document["servers"][0]["url"])),
    );
    let tags: Vec<&str> = document["tags"].as_array().into_iter().flatten().map(|tag| text(&tag["name"])).collect();
    page.push_str("<nav aria-label=\"Parts\"><ul>\n");
    for tag in tags.iter().copied().chain(["Shapes"]) {
        let _ = writeln!(page, "<li><a href=\"#{}\">{}</a></li>", anchor(tag), escape(tag));
    }
    page.push_str("</ul></nav>\n</header>\n<main>\n");
    for tag in document["tags"].as_array().into_iter().flatten() {
        let name = text(&tag["name"]);
        let words = words(text(&tag["description"]));
        let _ = write!(page, "<h2 id=\"{}\">{}</h2>\n<p class=\"quiet\">{words}</p>\n", anchor(name), escape(name));
        for (path, item) in document["paths"].as_object().into_iter().flatten() {
            for method in METHODS {
                let operation = &item[method];
                if operation["tags"][0] == name {
                    write_operation(&mut page, method, path, operation, document);
                }
            }
        }
    }
    page.push_str("<h2 id=\"shapes\">Shapes</h2>\n<p class=\"quiet\">A star marks a field that is always there.</p>\n");
    for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
        write_schema(&mut page, name, schema);
    }
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn write_operation(page: &mut String, method: &str, path: &str, operation: &Value, document: &Value) {
    let _ = write!(
        page,
        "<details id=\"{}\">\n<summary><code class=\"method\">{}</code> <code>{}</code> <span>{}</span></summary>\n<div>\n",
        anchor(text(&operation["operationId"])),
        method.to_ascii_uppercase(),
        escape(path),
        words(text(&operation["summary"])),
    );
    let needs = match operation["security"].as_array().and_then(|all| all.first()) {
        None => "No key is needed.".to_owned(),
        Some(key) => match key["key"][0].as_str() {
            Some(scope) => format!("A key with the scope <code>{}</code>.", escape(scope)),
            None => "Any key.".to_owned(),
        },
    };
    let _ = writeln!(page, "<p>{needs}</p>");
    let parameters: Vec<&Value> =
        operation["parameters"].as_array().into_iter().flatten().map(|one| resolve(one, document)).collect();
    if !parameters.is_empty() {
        page.push_str("<h3>Parameters</h3>\n<table>\n");
        for parameter in parameters {
            let star = if parameter["required"] == true { "*" } else { "" };
            let _ = writeln!(
                page,
                "<tr><th scope=\"row\"><code>{}</code>{star} <span class=\"quiet\">in {}</span></th><td>{}</td><td>{}</td></tr>",
                escape(text(&parameter["name"])),
                escape(text(&parameter["in"])),
                type_of(&parameter["schema"]),
                words(text(&parameter["description"])),
            );
        }
        page.push_str("</table>\n");
    }
    if let Some(content) = operation["requestBody"]["content"].as_object() {
        page.push_str("<h3>Body</h3>\n");
        for (media_type, content) in content {
            let _ = writeln!(page, "<p>{} <code>{}</code></p>", type_of(&content["schema"]), escape(media_type));
        }
    }
    page.push_str("<h3>Answers</h3>\n<table>\n");
    for (status, response) in operation["responses"].as_object().into_iter().flatten() {
        let response = resolve(response, document);
        let content = response["content"].as_object().and_then(|content| content.values().next());
        let shape = content.map(|content| type_of(&content["schema"])).unwrap_or_default();
        let words = words(text(&response["description"]));
        let _ = writeln!(page, "<tr><th scope=\"row\"><code>{status}</code></th><td>{shape}</td><td>{words}</td></tr>");
    }
    page.push_str("</table>\n</div>\n</details>\n");
}

fn write_schema(page: &mut String, name: &str, schema: &Value) {
    let described = text(&schema["description"]);
    let _ = write!(
        page,
        "<details id=\"shape-{}\">\n<summary><code>{}</code> <span class=\"quiet\">{}</span></summary>\n<div>\n<pre>{}</pre>\n",
        anchor(name),
        escape(name),
        words(described.lines().next().unwrap_or_default()),
        words(described),
    );
    write_fields(page, schema);
    page.push_str("</div>\n</details>\n");
}

fn write_fields(page: &mut String, schema: &Value) {
    for part in schema["allOf"].as_array().into_iter().flatten() {
        match part["$ref"].as_str() {
            Some(_) => {
                let _ = writeln!(page, "<p>All of {}, and:</p>", type_of(part));
            }
            None => write_fields(page, part),
        }
    }
    let Some(fields) = schema["properties"].as_object() else {
        if schema["allOf"].is_null() {
            let _ = writeln!(page, "<p>{}</p>", type_of(schema));
        }
        return;
    };
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    page.push_str("<table>\n");
    for (field, schema) in fields {
        let star = if required.contains(&field.as_str()) { "*" } else { "" };
        let _ = writeln!(
            page,
            "<tr><th scope=\"row\"><code>{}</code>{star}</th><td>{}</td><td>{}</td></tr>",
            escape(field),
            type_of(schema),
            words(text(&schema["description"])),
        );
    }
    page.push_str("</table>\n");
}

/// What a reference stands for; anything else is itself.
fn resolve<'a>(value: &'a Value, document: &'a Value) -> &'a Value {
    let pointer = value["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
    pointer.and_then(|pointer| document.pointer(pointer)).unwrap_or(value)
}

/// A type in a few words of HTML, with links to the shapes that it names.
fn type_of(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()) {
        return format!("<a href=\"#shape-{}\"><code>{}</code></a>", anchor(name), escape(name));
    }
    for (key, joined) in [("anyOf", " or "), ("oneOf", " or "), ("allOf", " with ")] {
        if let Some(parts) = schema[key].as_array() {
            let parts: Vec<String> = parts.iter().map(type_of).filter(|part| !part.is_empty()).collect();
            return parts.join(joined);
        }
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> = values.iter().map(|value| format!("<code>{}</code>", escape(text(value)))).collect();
        return values.join(", ");
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        Value::String(kind) => vec![kind.as_str()],
        _ => Vec::new(),
    };
    let mut words: Vec<String> = kinds
        .into_iter()
        .map(|kind| match kind {
            "array" => format!("list of {}", type_of(&schema["items"])),
            "object" => match schema["properties"].as_object() {
                Some(fields) => fields.iter().map(name_field).collect::<Vec<_>>().join(", "),
                None => "object".to_owned(),
            },
            other => escape(other),
        })
        .collect();
    if words.is_empty() {
        return String::new();
    }
    let mut text = std::mem::take(&mut words).join(" or ");
    for (key, before) in
        [("format", ", "), ("minimum", ", from "), ("maximum", " to "), ("minLength", ", from "), ("maxLength", " to ")]
    {
        let value = &schema[key];
        if !value.is_null() && value != "int32" && value != "int64" {
            let _ = write!(text, "{before}{}", escape(value.as_str().unwrap_or(&value.to_string())));
        }
    }
    if !schema["maxLength"].is_null() {
        text.push_str(" characters");
    }
    text
}

/// A field whose shape has no name of its own; with the kind of shape only if it holds a list.
fn name_field((name, schema): (&String, &Value)) -> String {
    let name = format!("<code>{}</code>", escape(name));
    if schema["type"] == "array" { format!("{name} ({})", type_of(schema)) } else { name }
}

/// A text of the document for people: what stands between backticks is code.
fn words(text: &str) -> String {
    let mut parts = text.split('`');
    let mut out = escape(parts.next().unwrap_or_default());
    let mut is_code = true;
    for part in parts {
        let part = escape(part);
        let _ = if is_code { write!(out, "<code>{part}</code>") } else { write!(out, "{part}") };
        is_code = !is_code;
    }
    out
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn anchor(text: &str) -> String {
    text.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' }).collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}
