//! The table of contents: every endpoint with its method, path, scope and handler.
//!
//! A handler runs only after the table's access has been checked: a valid key, room in its request rate, a supported
//! version, the scope, in this order. Unknown paths and methods are checked likewise and answer with the envelope.
//! Every path of the specification answers with and without `/v1` (contract, "Requests and responses"); additions outside it
//! stand in a table of their own.

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, on};
use easel_wire::Scope;
use easel_wire::error::code;
use http::request::Parts;
use http::{Method, StatusCode, header};

use super::gateway::{self, Hosts, Matched, UnsupportedVersion};
use super::openapi;
use super::route::{Access, Route};
use crate::core::caller::Caller;
use crate::core::error::Error;
use crate::studio::SharedStudio;
use crate::studio::callers::AsOf;
use crate::studio::config::Config;
use crate::studio::documents::Document;
use crate::studio::rates::Taken;
use crate::web::acceptor::Entrance;
use crate::web::origin::Origin;
use crate::wire::ApiKeyId;
use crate::{accounts, audit, brand_kits, canvases, drive, exports, service, tasks, team, uploads, webhooks};

macro_rules! table {
    ($($method:ident $path:literal $access:expr => $handler:expr;)+) => {
        vec![$(Route {
            method: Method::$method,
            path: $path,
            access: $access,
            handler: |method| on(method, $handler),
        }),+]
    };
}

/// Every endpoint below `/v1`.
#[must_use]
#[rustfmt::skip]
pub fn routes() -> Vec<Route> {
    use Access::{Key, Open, Operator};
    let needs = Access::Scope;
    table! {
        GET    "/healthz"                         Open                         => service::get_health;
        GET    "/readyz"                          Open                         => service::get_readiness;
        GET    "/openapi.json"                    Open                         => openapi::get_document;
        GET    "/docs"                            Open                         => openapi::get_reference;
        GET    "/metrics"                         Operator                     => service::get_metrics;
        GET    "/whoami"                          Key                          => accounts::get_whoami;
        GET    "/organizations"                   needs(Scope::OrganizationsRead) => accounts::list_organizations;

        POST   "/uploads"                         needs(Scope::UploadsWrite)   => uploads::create;
        GET    "/uploads/limits"                  needs(Scope::UploadsWrite)   => uploads::get_limits;
        POST   "/uploads/url"                     needs(Scope::UploadsWrite)   => uploads::sign;
        POST   "/uploads/register"                needs(Scope::UploadsWrite)   => uploads::register;

        GET    "/drive/folders"                   needs(Scope::CanvasesRead)   => drive::list_folders;
        POST   "/drive/folders"                   needs(Scope::CanvasesWrite)  => drive::create_folder;
        GET    "/drive/tree"                      needs(Scope::CanvasesRead)   => drive::get_tree;
        GET    "/drive/files"                     needs(Scope::CanvasesRead)   => drive::list_files;
        GET    "/drive/files/{file_id}"           needs(Scope::CanvasesRead)   => drive::get_file;
        GET    "/drive/files/{file_id}/download"  needs(Scope::FilesRead)      => drive::sign_download;
        GET    "/drive/files/{file_id}/content"   needs(Scope::FilesRead)      => drive::get_content;
        POST   "/drive/files/{file_id}/content"   needs(Scope::CanvasesWrite)  => uploads::replace_content;
        GET    "/drive/files/{file_id}/versions"  needs(Scope::CanvasesRead)   => drive::list_versions;
        GET    "/drive/files/{file_id}/versions/{version_id}/content" needs(Scope::FilesRead) => drive::get_version_content;
        POST   "/drive/files/{file_id}/versions/{version_id}/restore" needs(Scope::CanvasesWrite) => drive::restore_version;
        POST   "/drive/items/{item_ref}/move"     needs(Scope::CanvasesWrite)  => drive::move_item;
        PATCH  "/drive/items/{item_ref}"          needs(Scope::CanvasesWrite)  => drive::change_item;
        DELETE "/drive/items/{item_ref}"          needs(Scope::CanvasesWrite)  => drive::delete_item;

        GET    "/drive/trash"                     needs(Scope::CanvasesRead)   => drive::list_trash;
        DELETE "/drive/trash"                     needs(Scope::CanvasesWrite)  => drive::empty_trash;
        POST   "/drive/trash/{item_ref}/restore"  needs(Scope::CanvasesWrite)  => drive::restore_item;
        DELETE "/drive/trash/{item_ref}"          needs(Scope::CanvasesWrite)  => drive::purge_item;

        GET    "/canvases"                        needs(Scope::CanvasesRead)   => canvases::list_canvases;
        GET    "/canvases/search"                 needs(Scope::CanvasesRead)   => canvases::search_canvases;
        GET    "/canvases/{canvas_id}"            needs(Scope::CanvasesRead)   => canvases::get_canvas;
        PATCH  "/canvases/{canvas_id}"            needs(Scope::CanvasesWrite)  => canvases::rename_canvas;
        GET    "/canvases/{canvas_id}/versions"   needs(Scope::CanvasesRead)   => canvases::list_versions;
        POST   "/canvases/{canvas_id}/versions/{version_id}/restore" needs(Scope::CanvasesWrite) => canvases::restore_version;
        GET    "/canvases/{canvas_id}/texts"      needs(Scope::DesignsRead)    => canvases::list_texts;
        POST   "/canvases/{canvas_id}/texts"      needs(Scope::CanvasesWrite)  => canvases::change_texts;
        GET    "/canvases/{canvas_id}/colors"     needs(Scope::DesignsRead)    => canvases::list_colors;
        POST   "/canvases/{canvas_id}/colors"     needs(Scope::CanvasesWrite)  => canvases::change_colors;
        POST   "/canvases/{canvas_id}/pictures"   needs(Scope::CanvasesWrite)  => canvases::change_picture;
        GET    "/canvases/{canvas_id}/pages"      needs(Scope::DesignsRead)    => canvases::list_pages;
        POST   "/canvases/{canvas_id}/export"     needs(Scope::DesignsExport)  => exports::start_export;
        GET    "/canvases/{canvas_id}/export-status" needs(Scope::DesignsExport) => exports::get_export_status;
        GET    "/open/{canvas_id}"                Open                         => canvases::open_canvas;

        POST   "/tasks"                           needs(Scope::TasksWrite)     => tasks::start_task;
        GET    "/tasks"                           needs(Scope::TasksRead)      => tasks::list_tasks;
        GET    "/tasks/{task_id}"                 needs(Scope::TasksRead)      => tasks::get_task;
        GET    "/tasks/{task_id}/preview"         needs(Scope::TasksRead)      => tasks::get_preview;
        POST   "/tasks/{task_id}/cancel"          needs(Scope::TasksCancel)    => tasks::cancel_task;
        POST   "/remix"                           needs(Scope::TasksWrite)     => tasks::remix;

        GET    "/brand-kits"                      needs(Scope::BrandKitsRead)  => brand_kits::list_brand_kits;
        POST   "/brand-kits"                      needs(Scope::BrandKitsWrite) => brand_kits::create_brand_kit;
        GET    "/brand-kits/{brand_kit_id}"       needs(Scope::BrandKitsRead)  => brand_kits::get_brand_kit;
        PATCH  "/brand-kits/{brand_kit_id}"       needs(Scope::BrandKitsWrite) => brand_kits::change_brand_kit;
        DELETE "/brand-kits/{brand_kit_id}"       needs(Scope::BrandKitsWrite) => brand_kits::delete_brand_kit;
        POST   "/brand-kits/{brand_kit_id}/images" needs(Scope::BrandKitsWrite) => brand_kits::add_image;

        GET    "/webhook_deliveries"              needs(Scope::WebhooksRead)   => webhooks::list_deliveries;
        GET    "/webhook_deliveries/{delivery_id}" needs(Scope::WebhooksRead)  => webhooks::get_delivery;
        POST   "/webhook_deliveries/{delivery_id}/redeliver" needs(Scope::WebhooksWrite) => webhooks::redeliver;
    }
}

/// The endpoints outside `/v1`: additions that have nothing to do with designs and files, and no versions.
#[must_use]
#[rustfmt::skip]
pub fn outside_routes() -> Vec<Route> {
    use Access::{Admin, Open};
    table! {
        GET    "/team"                            Admin                        => team::get_team;
        GET    "/team/audit"                      Admin                        => team::list_audit_log;
        PATCH  "/team/people/{user_id}"           Admin                        => team::change_person;
        DELETE "/team/people/{user_id}"           Admin                        => team::remove_person;
        DELETE "/team/keys/{api_key_id}"          Admin                        => team::delete_key;
        POST   "/team/invitations"                Admin                        => team::invite;
        DELETE "/team/invitations/{invitation_id}" Admin                       => team::revoke_invitation;
        POST   "/invitations/redeem"              Open                         => team::redeem_invitation;
    }
}

/// The service described by the tables.
#[must_use]
pub fn describe(config: &Config) -> Document {
    openapi::describe_service(config, &routes(), &outside_routes())
}

/// The whole API for a listener that accepts these hosts.
pub fn router(studio: &SharedStudio, hosts: Hosts) -> Router {
    assemble(studio, hosts, (routes(), outside_routes()))
}

/// What an operator asks, without a key: for a listener that nobody else reaches, whichever proxy runs on this machine.
pub fn operator_router(studio: &SharedStudio, hosts: Hosts) -> Router {
    let mut routes = routes();
    routes.retain(|route| route.access == Access::Operator || ["/healthz", "/readyz"].contains(&route.path));
    for route in &mut routes {
        route.access = Access::Open;
    }
    assemble(studio, hosts, (routes, Vec::new()))
}

/// The routes of the first table below `/v1` and without it, those of the second without it alone.
fn assemble(studio: &SharedStudio, hosts: Hosts, (routes, outside): (Vec<Route>, Vec<Route>)) -> Router {
    let mut router = Router::new();
    let routes = routes.into_iter().map(|route| (route, true));
    for (Route { method, path, access, handler }, is_below) in routes.chain(outside.into_iter().map(|it| (it, false))) {
        // Every method of the table is one that the router knows.
        let Ok(method) = MethodFilter::try_from(method) else { continue };
        let handler = handler(method)
            .route_layer(middleware::from_fn_with_state((SharedStudio::clone(studio), access, path), guard));
        if is_below {
            router = router.route(&format!("/v1{path}"), handler.clone());
        }
        router = router.route(path, handler);
    }
    router
        .fallback(refuse_path)
        .method_not_allowed_fallback(refuse_method)
        .layer(middleware::from_fn_with_state((SharedStudio::clone(studio), hosts), gateway::pass))
        .with_state(SharedStudio::clone(studio))
}

async fn guard(
    State((studio, access, path)): State<(SharedStudio, Access, &'static str)>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = answer(&studio, &access, request, next).await;
    response.extensions_mut().insert(Matched(path));
    response
}

async fn answer(studio: &SharedStudio, access: &Access, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    if let Err(error) = admit(studio, access, &mut parts).await {
        return error.into_response();
    }
    let taken = parts.extensions.get::<Counted>().copied();
    let response = next.run(Request::from_parts(parts, body)).await;
    // A request that is answered 429 takes nothing from any rate (contract, "Requests and responses").
    if let Some(Counted(taken)) = taken.filter(|_| response.status() == StatusCode::TOO_MANY_REQUESTS) {
        studio.rate.give_back(taken).await;
    }
    response
}

/// Marks a request as counted.
#[derive(Debug, Clone, Copy)]
struct Counted(Taken<ApiKeyId>);

/// Lets a request through that has what `access` asks for, and says who is asking.
async fn admit(studio: &SharedStudio, access: &Access, parts: &mut Parts) -> Result<(), Error> {
    let needs_key = match access {
        Access::Open => false,
        Access::Operator | Access::Admin | Access::Key | Access::Scope(_) => true,
    };
    if needs_key {
        let found = studio.callers.authenticate(&parts.headers, AsOf::now(&studio.db), studio.clock.now()).await;
        let (caller, as_of) = found.inspect_err(|error| note_refusal(studio, error, parts))?;
        Entrance::note_key(&parts.extensions);
        studio.last_uses.note(caller.api_key_id, studio.clock.now());
        let moment = studio.clock.elapsed();
        let limits = studio.config.limits(caller.plan, &caller.overrides);
        let taken = studio.rate.take(caller.api_key_id, limits.requests_per_minute, moment).await?;
        parts.extensions.insert(Counted(taken));
        parts.extensions.insert(caller);
        parts.extensions.insert(as_of);
    }
    if let Some(UnsupportedVersion(requested)) = parts.extensions.get() {
        let oldest = studio.config.oldest_version;
        return Err(Error::UnsupportedVersion { requested: requested.clone(), oldest });
    }
    match (access, parts.extensions.get::<Caller>()) {
        (Access::Scope(scope), Some(caller)) => caller.need(scope.clone()),
        (Access::Scope(_) | Access::Admin, None) => Err(Error::Unauthenticated),
        (Access::Operator | Access::Admin, Some(caller)) if !caller.oversees() => {
            Err(Error::NotPermitted("only an admin or an owner may do this"))
        }
        (Access::Admin, Some(caller)) => caller.need(Scope::Admin),
        _ => Ok(()),
    }
}

/// Says in both logs that a key was refused, and where it came from; who shows none is no news.
fn note_refusal(studio: &SharedStudio, error: &Error, parts: &Parts) {
    if matches!(error, Error::Unauthenticated) && parts.headers.contains_key(header::AUTHORIZATION) {
        let origin = parts.extensions.get::<Origin>().copied().unwrap_or_default();
        let path = audit::strangers_path(&parts.uri);
        tracing::info!(peer = %origin, method = %parts.method, path, "key refused");
        studio.refusals.note(origin, path, studio.clock.now());
    }
}

async fn refuse_path(State(studio): State<SharedStudio>, request: Request) -> Error {
    let (mut parts, _body) = request.into_parts();
    match admit(&studio, &Access::Key, &mut parts).await {
        Ok(()) => Error::not_found(code::NOT_FOUND),
        Err(error) => error,
    }
}

async fn refuse_method(State(studio): State<SharedStudio>, request: Request) -> Error {
    let (mut parts, _body) = request.into_parts();
    match admit(&studio, &Access::Key, &mut parts).await {
        Ok(()) => Error::MethodNotAllowed,
        Err(error) => error,
    }
}

#[cfg(test)]
mod tests;
