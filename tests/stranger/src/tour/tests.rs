//! The tour is complete, and shows every switch: one that changes no answer would be none.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicI64, Ordering};

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};

use super::*;
use crate::clock::Clock;
use crate::config::UNANNOUNCED_BYTES;
use crate::route::Route;

#[test]
fn every_endpoint_that_answers_json_is_asked() {
    let fields = every_field(&Switches::none());
    let asked = fields.iter().map(|field| field.route).collect::<BTreeSet<_>>();
    let missing = Route::all().filter(|route| !route.is_storage() && !asked.contains(route)).collect::<Vec<_>>();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn fields_of_every_depth_are_found() {
    let fields = every_field(&Switches::none());
    for (route, pointer) in [
        (Route::Whoami, "/user/name"),
        (Route::ListFiles, "/data/*/content_hash"),
        (Route::ListFiles, "/error/details/fields/*/code"),
        (Route::ReadTask, "/result/canvas_id"),
        (Route::ReadTask, "/error/retryable"),
        (Route::ReadTree, "/tree/*/children/*/name"),
        (Route::ListDeliveries, "/data/*/attempt_log/*/duration_ms"),
        (Route::ChangeKit, "/logos/*/images/*/file_id"),
        (Route::ExportCanvas, "/url"),
        (Route::Remix, "/result/source_canvas_id"),
    ] {
        assert!(fields.iter().any(|field| field.route == route && field.pointer == pointer), "{route} {pointer}");
    }
}

#[test]
fn what_the_specification_names_is_known_to_be_so() {
    let fields = every_field(&Switches::none());
    let specified = fields.iter().filter(|field| field.is_specified()).count();
    assert!((20..60).contains(&specified), "{specified}");
}

#[test]
fn every_switch_changes_some_answer() {
    let plain = transcript(&Switches::none());
    assert_eq!(plain, transcript(&Switches::none()), "the same requests have the same answers");
    // Where storage is, only a network shows.
    let seen_elsewhere = [Switch::StorageElsewhere];
    let idle = Switch::ALL
        .iter()
        .filter(|switch| !seen_elsewhere.contains(switch) && transcript(&Switches::of(&[**switch])) == plain)
        .collect::<Vec<_>>();
    assert!(idle.is_empty(), "{idle:?}");
}

/// Every request of a tour with detours, and its answer, by a clock of its own.
fn transcript(switches: &Switches) -> Vec<String> {
    let mut config = Config::new(switches.clone());
    config.requests_per_minute = Some(1000);
    let moments = AtomicI64::new(0);
    config.clock = Clock::of(move || {
        let moment = moments.fetch_add(1, Ordering::Relaxed);
        Timestamp::from_second(1_777_636_800).unwrap() + SignedDuration::from_micros(moment * 700_001)
    });
    let mut tour = Tour::new(config);
    tour.go();
    tour.strange_uploads();
    tour.strange_names();
    tour.strange_lists();
    tour.strange_work();
    tour.transcript
}

/// What only a switch makes worth a look.
impl Tour {
    fn upload(&mut self, name: &str, media_type: &str, blob: Blob) {
        let file = Some((name.to_owned(), media_type.to_owned(), blob));
        self.ask("POST", "/v1/uploads", Content::Form(Form { file, texts: Vec::new() }));
    }

    fn strange_uploads(&mut self) {
        self.get("/v1/nowhere");
        self.ask("POST", "/v1/uploads", Content::TooLarge(40_000_000));
        // Nothing reads the bytes of these two, so that they cost no memory.
        let zeros = Bytes::from(vec![0; 251_000_000]);
        let large = usize::try_from(UNANNOUNCED_BYTES).unwrap() + 1;
        for (name, size) in [("large.png", large), ("too large.png", zeros.len())] {
            let blob = Blob { bytes: zeros.slice(..size), sha256: name.to_owned().repeat(8) };
            self.upload(name, "image/png", blob);
        }
        for (name, media_type, text) in [
            ("same name.png", "image/png", "one"),
            ("same name.png", "image/png", "other"),
            ("again.png", "image/png", "other"),
            ("notes.txt", "text/plain", "notes"),
        ] {
            self.upload(name, media_type, Blob::new(text.into()));
        }
        let folder = self.folder();
        let body = json!({"filename": "b.txt", "mime_type": "text/plain", "expires_in_seconds": 900});
        self.post("/v1/uploads/url", body);
        for media_type in ["image/png", "text/plain"] {
            let signed = self.post("/v1/uploads/url", json!({"filename": "c.bin", "mime_type": "image/png"}));
            let token = signed["storage_key"].as_str().unwrap().replace("pending/", "");
            self.state.staged.get_mut(&token).unwrap().blob = Some(Blob::new(media_type.into()));
            let key = json!(format!("pending/{token}"));
            for _ in 0..2 {
                let body = json!({"storage_key": key, "mime_type": media_type, "folder_id": folder});
                self.post("/v1/uploads/register", body);
            }
            self.post("/v1/uploads/register", json!({"storage_key": key, "filename": "d.bin"}));
        }
        let url = self.state.sign_object("0123456789".into(), "text/plain", 900, self.state.config.clock.now());
        let path = url.replace("http://storage.example", "");
        let key = self.headers.remove("authorization").unwrap();
        self.header("range", "bytes=1-2");
        self.get(&path);
        self.get(&format!("{path}x"));
        self.headers.insert("authorization", key);
    }

    fn strange_names(&mut self) {
        for name in ["KEPT", "a#b", "with a blank"] {
            self.post("/v1/drive/folders", json!({"name": name}));
        }
        let file = self.file();
        self.ask("PATCH", &format!("/v1/drive/items/{file}"), Content::Json(json!({"name": "with blanks.png"})));
        let key = json!({"name": "Keyed", "idempotency_key": "k"});
        for _ in 0..2 {
            self.post("/v1/drive/folders", key.clone());
        }
    }

    fn strange_lists(&mut self) {
        let before = self.state.config.clock.now();
        for number in 0..55 {
            self.post("/v1/drive/folders", json!({"name": format!("Folder {}", number * 37 % 55)}));
        }
        let file = self.file();
        self.ask("PATCH", &format!("/v1/drive/items/{file}"), Content::Json(json!({"name": "later.png"})));
        for query in ["limit=60", "limit=150", "sort=name", "sort=-updated_at", "parent_id=root"] {
            self.get(&format!("/v1/drive/folders?{query}"));
        }
        self.get("/v1/tasks?limit=150");
        self.get(&format!("/v1/drive/files?updated_since={before}"));
        for _ in 0..4 {
            let first = self.get("/v1/drive/folders?limit=2");
            if let Some(cursor) = first["next_cursor"].as_str() {
                self.get(&format!("/v1/drive/folders?limit=2&cursor={cursor}"));
            }
        }
        self.get("/v1/drive/folders?limit=2&offset=3");
    }

    fn strange_work(&mut self) {
        let body = json!({"prompt": "again", "idempotency_key": "k", "callback_url": "http://hooks.example"});
        for _ in 0..2 {
            self.post("/v1/tasks", body.clone());
        }
        let canvas = self.canvas();
        let remix = self.post("/v1/remix", json!({"canvas_id": canvas}));
        let synthetic = remix["id"].as_str().or(remix["job_id"].as_str()).unwrap_or_default().to_owned();
        self.get(&format!("/v1/tasks/{synthetic}"));
        self.get("/v1/canvases/search?query=a");
        for _ in 0..12 {
            self.post(&format!("/v1/canvases/{canvas}/export?wait=false"), json!({}));
        }
        self.post("/v1/remix", json!({"canvas_id": canvas}));
        for _ in 0..20 {
            self.post(&format!("/v1/canvases/{canvas}/export"), json!({}));
        }
    }
}
