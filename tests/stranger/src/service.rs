//! From a request to its answer: the gate, the handler, the shape, what a test has go wrong, and the log.
//!
//! Always true here: a request is answered without waiting for anything, under one lock; the same requests to services
//! with the same switches and clock get the same answers.

use std::time::Duration;

use http::HeaderMap;
use jiff::Timestamp;

use crate::account;
use crate::call::{Call, Content, Version};
use crate::faults::Fault;
use crate::log::{self, Entry};
use crate::reply::{Body, Outcome, Refusal, Reply};
use crate::route::{Found, Route};
use crate::shape::shape;
use crate::state::State;
use crate::switch::Switch;

/// A request whose body was read.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) content: Content,
}

/// What comes of a request.
#[derive(Debug)]
pub(crate) enum Answer {
    Given(Reply),
    /// It is given after so long.
    Late(Reply, Duration),
    /// The connection is cut.
    Lost,
}

impl State {
    pub(crate) fn answer(&mut self, request: &Request<'_>) -> Answer {
        self.requests += 1;
        let now = self.config.clock.now();
        let found = Route::find(request.method, request.path);
        let route = match &found {
            Found::Route(route, _) => Some(*route),
            _ => None,
        };
        let fault = route.and_then(|route| self.faults.next(route));
        if fault == Some(Fault::RequestLost) {
            self.write_down(request, route, now, 0, None, true);
            return Answer::Lost;
        }
        let version = self.resolve_version(request.headers);
        let resolved = *version.as_ref().unwrap_or(&self.default_version());
        let outcome = match &fault {
            Some(Fault::Refused { status, retry_after }) => Err(Refusal::out_of_turn(*status, *retry_after)),
            _ => self.pass(request, &found, version, now),
        };
        let is_storage = route.is_some_and(Route::is_storage);
        let request_id = format!("req_{:08x}", self.requests);
        let refusal = outcome.as_ref().err().map(|refusal| refusal.code.clone());
        let mut reply = match outcome {
            Ok(reply) => reply,
            Err(refusal) => refusal.into_reply(&self.config.switches, &request_id, now),
        };
        if let (Body::Json(value), Some(route)) = (&mut reply.body, route) {
            shape(value, &self.config.switches);
            self.seen.look(route, value);
            if let Some(mangle) = self.faults.mangle.as_ref().filter(|mangle| mangle.route == route) {
                mangle.apply(value);
            }
        }
        reply = reply.dated(now);
        if !is_storage && !self.has(Switch::RequestIdsMissing) {
            reply = reply.with("X-Request-ID", request_id);
        }
        if !is_storage {
            reply.headers.push(("", resolved.date().to_owned()));
        }
        let is_lost = fault == Some(Fault::AnswerLost);
        self.write_down(request, route, now, reply.status, refusal, is_lost);
        match fault {
            Some(Fault::AnswerLost) => Answer::Lost,
            Some(Fault::Late(wait)) => Answer::Late(reply, wait),
            _ => Answer::Given(reply),
        }
    }

    /// Lets a request through the gate and to its handler.
    fn pass(
        &mut self,
        request: &Request<'_>,
        found: &Found,
        version: Result<Version, Refusal>,
        now: Timestamp,
    ) -> Outcome {
        let route = self.reach(found, &request.content)?;
        let place = match found {
            Found::Route(_, Some(place)) => place.clone(),
            _ => String::new(),
        };
        let is_open = route.is_storage() || route == Route::Health;
        let key = if is_open { String::new() } else { self.authenticate(request.headers)? };
        let is_older = !is_open && (version? == Version::Older || self.has(Switch::OlderShapeAnyway));
        if !is_open {
            self.count_request(&key, now)?;
            self.check_scope(route)?;
        }
        let (query, headers, content) = (&request.query, request.headers, &request.content);
        self.handle(&Call { route, place, query, headers, content, key, now, is_older })
    }

    fn handle(&mut self, call: &Call<'_>) -> Outcome {
        match call.route {
            Route::Health => account::health(call.now),
            Route::Whoami => self.whoami(call),
            Route::ListOrganizations => self.list_organizations(call),
            Route::ReadLimits => self.read_limits(),
            Route::Upload => self.upload(call),
            Route::SignUpload => self.sign_upload(call),
            Route::RegisterUpload => self.register_upload(call),
            Route::ListTasks => self.list_tasks(call),
            Route::CreateTask => self.create_task(call),
            Route::ReadTask => self.read_task(call),
            Route::CancelTask => self.cancel_task(call),
            Route::Remix => self.remix(call),
            Route::ListCanvases => self.list_canvases(call),
            Route::SearchCanvases => self.search_canvases(call),
            Route::ReadCanvas => self.read_canvas(call),
            Route::RenameCanvas => self.rename_canvas(call),
            Route::ReadPages => self.read_pages(call),
            Route::ExportCanvas => self.export_canvas(call),
            Route::ReadExport => self.read_export(call),
            Route::ListKits => self.list_kits(call),
            Route::CreateKit => self.create_kit(call),
            Route::ReadKit => self.read_kit(call),
            Route::ChangeKit => self.change_kit(call),
            Route::DeleteKit => self.delete_kit(call),
            Route::AddKitImage => self.add_kit_image(call),
            Route::ListFolders => self.list_folders(call),
            Route::CreateFolder => self.create_folder(call),
            Route::ReadTree => self.read_tree(call),
            Route::ListFiles => self.list_files(call),
            Route::ReadFile => self.read_file(call),
            Route::DownloadFile => self.download_file(call),
            Route::MoveItem => self.move_item(call),
            Route::ChangeItem => self.change_item(call),
            Route::DeleteItem => self.delete_item(call),
            Route::ListDeliveries => self.list_deliveries(call),
            Route::ReadDelivery => self.read_delivery(call),
            Route::Redeliver => self.redeliver(call),
            Route::StorePut => self.store_put(call),
            Route::StoreGet => self.store_get(call),
        }
    }

    fn write_down(
        &mut self,
        request: &Request<'_>,
        route: Option<Route>,
        at: Timestamp,
        status: u16,
        refusal: Option<String>,
        is_lost: bool,
    ) {
        let text =
            |name: &str| request.headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let headers = request.headers.iter().filter(|(name, _)| *name != "authorization");
        self.log.entries.push(Entry {
            at,
            method: request.method.to_owned(),
            path: request.path.to_owned(),
            route,
            query: request.query.clone(),
            headers: headers
                .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
                .collect(),
            has_key: request.headers.contains_key("authorization"),
            carried: log::carried(&request.content, &text("content-type").unwrap_or_default()),
            status,
            refusal,
            is_lost,
        });
    }
}
