//! The app's own protocol for pictures and typefaces: the page loads nothing from outside, so they come through here.
//!
//! Always true: an address of the page has no secret; only pictures and the typefaces that come with Easel are served, and
//! no script in them is run. Not here: fetching and keeping pictures (easel-app).

use easel_app::App;
use easel_app::media::ORIGIN;
use easel_studio::typefaces;
use tauri::http::{Response, StatusCode, header};
use tauri::{Manager, UriSchemeContext, UriSchemeResponder};

/// Begins the path of a conflict's version, a file of this computer. It is cached nowhere, neither here nor in
/// easel-app.
const CONFLICT: &str = "/conflict/";

/// Begins the path of a typeface that comes with Easel.
const TYPEFACE: &str = "/typeface/";

/// The page's address of a typeface that comes with Easel, at a weight (100 to 900).
pub(crate) fn address_of_typeface(family: &str, weight: u16) -> String {
    format!("{ORIGIN}{TYPEFACE}{}/{weight}", in_an_address(family))
}

fn in_an_address(family: &str) -> String {
    family.to_lowercase().replace(' ', "-")
}

/// The font file that an address stands for.
fn typeface_at(path: &str) -> Option<&'static [u8]> {
    let (family, weight) = path.strip_prefix(TYPEFACE)?.split_once('/')?;
    let family = typefaces::families().into_iter().find(|each| in_an_address(each) == family)?;
    typefaces::file(family, weight.parse().ok()?)
}

/// Answers one request of the page.
pub(crate) fn answer(
    context: &UriSchemeContext<'_, tauri::Wry>,
    request: &tauri::http::Request<Vec<u8>>,
    responder: UriSchemeResponder,
) {
    // The page may be opened before the program was started.
    let Some(app) = context.app_handle().try_state::<App>().map(|app| app.inner().clone()) else { return };
    let path = request.uri().path().to_owned();
    if let Some(font) = typeface_at(&path) {
        let response = Response::builder()
            .header(header::CONTENT_TYPE, "font/ttf")
            .header(header::CACHE_CONTROL, "private, max-age=86400, immutable")
            // The page has another origin, and fonts of another origin need this.
            .header(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")
            .body(font.to_vec());
        if let Ok(response) = response {
            responder.respond(response);
        }
        return;
    }
    // Any other address changes with its picture. A version of a settled conflict must not stay anywhere but where the
    // person put it.
    let kept = if path.starts_with(CONFLICT) { "no-store" } else { "private, max-age=86400, immutable" };
    crate::window::run_beside(&app.clone(), async move {
        let response = match app.media().get_media(&path).await {
            Some(picture) => Response::builder()
                .header(header::CONTENT_TYPE, picture.mime_type)
                .header(header::CACHE_CONTROL, kept)
                .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
                // A drawing may contain scripts and links; none of them is run or fetched.
                .header(header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; img-src data:")
                .body(picture.bytes.to_vec()),
            None => Response::builder().status(StatusCode::NOT_FOUND).body(Vec::new()),
        };
        match response {
            Ok(response) => responder.respond(response),
            Err(error) => tracing::debug!(%error, "a picture could not be answered"),
        }
    });
}
