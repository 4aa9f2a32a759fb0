//! The app's own protocol for pictures: the page loads nothing from outside, so that what it shows comes through here.
//!
//! Always true: an address of the page holds no secret; only pictures are served, and nothing of them is run. Not here:
//! fetching and keeping them (easel-app).

use easel_app::App;
use tauri::http::{Response, StatusCode, header};
use tauri::{Manager, UriSchemeContext, UriSchemeResponder};

/// Begins the path of a version of a file of this computer, of which easel-app keeps nothing either.
const CONFLICT: &str = "/conflict/";

/// Answers one request of the page.
pub(crate) fn answer(
    context: &UriSchemeContext<'_, tauri::Wry>,
    request: &tauri::http::Request<Vec<u8>>,
    responder: UriSchemeResponder,
) {
    // The page is opened after the program was started.
    let Some(app) = context.app_handle().try_state::<App>().map(|app| app.inner().clone()) else { return };
    let path = request.uri().path().to_owned();
    // Any other address changes with what it shows. A version that was settled is to be nowhere but where the person put it.
    let kept = if path.starts_with(CONFLICT) { "no-store" } else { "private, max-age=86400, immutable" };
    crate::window::run_beside(&app.clone(), async move {
        let response = match app.media().get_media(&path).await {
            Some(picture) => Response::builder()
                .header(header::CONTENT_TYPE, picture.mime_type)
                .header(header::CACHE_CONTROL, kept)
                .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
                // A drawing may hold anything; none of it is run or fetched.
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
