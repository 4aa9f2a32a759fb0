//! `GET /open/{canvas_id}`: the page behind a canvas's `url` (contract, "Canvases and export").
//!
//! It names the canvas and offers to open it in Easel. A browser sends no key, so the page asks for none and shows
//! nothing that is drawn; of a private canvas it does not tell the name either. Whoever has the URL has the id, which
//! cannot be guessed. Nothing in the page runs, and nothing is fetched by it.

use axum::extract::State;
use axum::response::{Html, IntoResponse, Response};
use easel_wire::error::code;
use http::{HeaderValue, header};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::core::error::Error;
use crate::db::canvases::find_canvas;
use crate::studio::SharedStudio;
use crate::web::extract::PathId;
use crate::wire::CanvasId;
use crate::wire::drive::Visibility;
use crate::wire::id::kind;

/// Only the page's own style is in force.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// The page of a canvas.
pub async fn open_canvas(
    State(studio): State<SharedStudio>,
    PathId(id): PathId<kind::Canvas>,
) -> Result<Response, Error> {
    let mut conn = studio.db.read().acquire().await?;
    let canvas = find_canvas(&mut conn, id).await?.ok_or_else(|| Error::not_found(code::CANVAS_NOT_FOUND))?;
    let name = if canvas.visibility == Visibility::Team { canvas.name.as_str() } else { "A private design" };
    let page = page_of(name, &link_to(id, &studio.config.base_url));
    let mut response = Html(page).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// The link that opens the canvas in Easel, which knows a service by its host, and by its port if that is not the usual
/// one.
fn link_to(id: CanvasId, base_url: &str) -> String {
    let url = url::Url::parse(base_url).ok();
    let host = url.as_ref().and_then(|url| Some((url.host_str()?.to_owned(), url.port())));
    let service = match host {
        Some((host, Some(port))) => format!("{host}:{port}"),
        Some((host, None)) => host,
        None => String::new(),
    };
    format!("easel://canvas/{id}?service={}", utf8_percent_encode(&service, NON_ALPHANUMERIC))
}

fn page_of(name: &str, link: &str) -> String {
    let (name, link) = (escape(name), escape(link));
    format!(
        r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{name} – Easel</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ display: grid; place-content: center; gap: 1.25rem; min-height: 100vh; margin: 0; padding: 1.5rem;
  box-sizing: border-box; font: 1rem/1.5 system-ui, sans-serif; text-align: center; }}
h1 {{ margin: 0; font-size: 1.5rem; overflow-wrap: anywhere; }}
p {{ margin: 0; max-width: 32rem; }}
a {{ justify-self: center; padding: .625rem 1.25rem; border: 1px solid currentcolor; border-radius: .5rem;
  color: inherit; text-decoration: none; font-weight: 600; }}
a:focus-visible {{ outline: 3px solid highlight; outline-offset: 2px; }}
</style>
</head>
<body>
<h1>{name}</h1>
<p>This design is kept by an Easel service. Easel shows it to whoever is connected there and may see it.</p>
<a href="{link}">Open in Easel</a>
</body>
</html>
"#
    )
}

/// The text as HTML, in an attribute too.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_never_becomes_markup() {
        let id: CanvasId = "cvs_00000000000000000000000001".parse().unwrap();
        let check = |base_url: &str, service: &str| {
            assert_eq!(link_to(id, base_url), format!("easel://canvas/{id}?service={service}"));
        };
        check("https://Studio.example.com/api", "studio%2Eexample%2Ecom");
        check("http://127.0.0.1:8080", "127%2E0%2E0%2E1%3A8080");
        check("http://[::1]:81", "%5B%3A%3A1%5D%3A81");
        let page = page_of("</title><script>\"'&", "easel://canvas/x?service=a&b");
        assert!(page.contains("<h1>&lt;/title&gt;&lt;script&gt;&quot;&#39;&amp;</h1>"));
        assert!(!page.contains("<script"));
        assert!(page.contains("href=\"easel://canvas/x?service=a&amp;b\""));
    }
}
