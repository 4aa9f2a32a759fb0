//! A running stranger, and everything that a test asks it and has it do.

use std::collections::BTreeMap;
use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use serde_json::Map;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::call::Blob;
use crate::config::Config;
use crate::faults::{Contradiction, Fault};
use crate::fields::Field;
use crate::items::Kind;
use crate::log::Entry;
use crate::mangle::Mangle;
use crate::records::{Delivered, Ending};
use crate::route::Route;
use crate::server::{self, Core};
use crate::state::{File, Folder, State};
use crate::switch::Switch;
use crate::switches::Switches;

/// What a drive held at one moment.
#[derive(Debug, Clone)]
pub struct Backup {
    folders: BTreeMap<String, Folder>,
    files: BTreeMap<String, File>,
}

/// A service of other hands, on loopback, until it is dropped.
#[derive(Debug)]
pub struct Stranger {
    core: Core,
    base_url: String,
    key: String,
    listeners: Vec<JoinHandle<()>>,
    is_over: Arc<AtomicBool>,
}

/// What lies on the drive.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Drive {
    /// Id to path, parts joined with slashes.
    pub folders: BTreeMap<String, String>,
    /// By id.
    pub files: BTreeMap<String, DriveFile>,
}

/// A file of the drive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriveFile {
    /// Where it lies: folder and name joined with slashes.
    pub path: String,
    /// The id of its folder; none at the top.
    pub folder: Option<String>,
    /// Its name.
    pub name: String,
    /// In bytes.
    pub size: u64,
    /// SHA-256 in lower-case hex.
    pub sha256: String,
    /// The media type.
    pub media_type: String,
}

impl Drive {
    /// The files at a path: none, one, or several where names are not unique.
    pub fn at<'a>(&'a self, path: &'a str) -> impl Iterator<Item = (&'a str, &'a DriveFile)> {
        self.files.iter().filter(move |(_, file)| file.path == path).map(|(id, file)| (id.as_str(), file))
    }

    /// The first folder at a path.
    #[must_use]
    pub fn folder(&self, path: &str) -> Option<&str> {
        self.folders.iter().find(|(_, at)| *at == path).map(|(id, _)| id.as_str())
    }

    /// Every path and the hash of what lies there, in their order.
    #[must_use]
    pub fn contents(&self) -> Vec<(String, String)> {
        let mut contents = self.files.values().map(|file| (file.path.clone(), file.sha256.clone())).collect::<Vec<_>>();
        contents.sort();
        contents
    }
}

impl Stranger {
    /// Starts one with these switches, by the system's clock and with the specification's numbers.
    ///
    /// # Errors
    /// Where there is no port on loopback.
    pub async fn start(switches: Switches) -> io::Result<Self> {
        Self::with(Config::new(switches)).await
    }

    /// Starts one.
    ///
    /// # Errors
    /// Where the port on loopback is taken, or there is none.
    pub async fn with(config: Config) -> io::Result<Self> {
        let own = TcpListener::bind((Ipv4Addr::LOCALHOST, config.port)).await?;
        let storage = if config.switches.has(Switch::StorageElsewhere) {
            Some(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?)
        } else {
            None
        };
        let base_url = format!("http://{}", own.local_addr()?);
        let storage_url = match &storage {
            Some(storage) => format!("http://{}", storage.local_addr()?),
            None => base_url.clone(),
        };
        let state = State::new(config, base_url.clone(), storage_url);
        let key = state.account.keys.first().map(|key| key.text.clone()).unwrap_or_default();
        let core = Core::new(state);
        let is_over = Arc::new(AtomicBool::new(false));
        let listeners = std::iter::once(own)
            .chain(storage)
            .map(|listener| server::serve(listener, core.clone(), Arc::clone(&is_over)))
            .collect();
        Ok(Self { core, base_url, key, listeners, is_over })
    }

    /// Where it is, without a slash at the end.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// The first user's key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// A key of a further user of the team.
    #[must_use]
    pub fn add_key(&self) -> String {
        let state = &mut *self.core.lock();
        state.account.add_key(&mut state.ids, &state.config)
    }

    /// Deletes a key; whoever has it is 401 from now on.
    pub fn delete_key(&self, key: &str) {
        self.core.lock().account.keys.retain(|other| other.text != key);
    }

    /// Its switches.
    #[must_use]
    pub fn switches(&self) -> Switches {
        self.core.lock().config.switches.clone()
    }

    /// Turns a switch on or off while it runs: the service has a new release. Ids keep the form that they have.
    ///
    /// # Errors
    /// Where another switch that is on excludes it.
    pub fn turn(&self, switch: Switch, is_on: bool) -> Result<(), String> {
        let switches = &mut self.core.lock().config.switches;
        if is_on {
            return switches.turn_on(switch);
        }
        switches.turn_off(switch);
        Ok(())
    }

    /// Every request so far, in the order in which they were answered.
    #[must_use]
    pub fn log(&self) -> Vec<Entry> {
        self.core.lock().log.entries.clone()
    }

    /// How often the bytes of each content, by its SHA-256 in hex, were taken to their end: by a multipart upload that
    /// succeeded, or by storage.
    #[must_use]
    pub fn taken(&self) -> BTreeMap<String, u64> {
        self.core.lock().taken.clone()
    }

    /// What the drive holds now, to be restored later.
    #[must_use]
    pub fn back_up(&self) -> Backup {
        let state = self.core.lock();
        Backup { folders: state.folders.clone(), files: state.files.clone() }
    }

    /// The drive is again as it was, its moments included, and the clock goes on.
    pub fn restore(&self, backup: &Backup) {
        let mut state = self.core.lock();
        (state.folders, state.files) = (backup.folders.clone(), backup.files.clone());
    }

    /// What lies on the drive.
    #[must_use]
    pub fn drive(&self) -> Drive {
        let state = self.core.lock();
        let folders = state.folders.keys().map(|id| (id.clone(), state.path(Some(id)))).collect();
        let files = state.files.iter().map(|(id, file)| {
            let folder = state.path(file.folder.as_deref());
            let drive_file = DriveFile {
                path: if folder.is_empty() { file.name.clone() } else { format!("{folder}/{}", file.name) },
                folder: file.folder.clone(),
                name: file.name.clone(),
                size: file.blob.size(),
                sha256: file.blob.sha256.clone(),
                media_type: file.media_type.clone(),
            };
            (id.clone(), drive_file)
        });
        Drive { folders, files: files.collect() }
    }

    /// The bytes of a file of the drive.
    #[must_use]
    pub fn bytes(&self, id: &str) -> Option<Bytes> {
        self.core.lock().files.get(id).map(|file| file.blob.bytes.clone())
    }

    /// The ids and names of the canvases.
    #[must_use]
    pub fn canvases(&self) -> BTreeMap<String, String> {
        self.core.lock().canvases.iter().map(|(id, canvas)| (id.clone(), canvas.name.clone())).collect()
    }
}

/// What another person does, in the application, where none of the switches is in the way.
impl Stranger {
    /// Puts a file into a folder, at the top where none is said; its id. What has the name already stays beside it.
    pub fn put_file(&self, folder: Option<&str>, name: &str, bytes: impl Into<Bytes>) -> String {
        let blob = Blob::new(bytes.into());
        let mut state = self.core.lock();
        let now = state.config.clock.now();
        let id = state.make_id("file", now);
        let media_type = media_type_of(name).to_owned();
        let folder = folder.map(str::to_owned);
        state.touch(folder.as_deref(), now);
        let (name, visibility) = (name.to_owned(), "team".to_owned());
        let file = File { name, folder, blob, media_type, visibility, created_at: now, updated_at: now };
        state.files.insert(id.clone(), file);
        id
    }

    /// Makes a folder; its id.
    pub fn make_folder(&self, parent: Option<&str>, name: &str) -> String {
        let mut state = self.core.lock();
        let now = state.config.clock.now();
        let id = state.make_id("fld", now);
        let parent = parent.map(str::to_owned);
        state.touch(parent.as_deref(), now);
        let (name, visibility) = (name.to_owned(), "team".to_owned());
        state.folders.insert(id.clone(), Folder { name, parent, visibility, created_at: now, updated_at: now });
        id
    }

    /// Makes a canvas of so many pages; its id.
    pub fn make_canvas(&self, name: &str, pages: u64) -> String {
        let mut state = self.core.lock();
        let now = state.config.clock.now();
        state.make_canvas(name, None, None, pages, now)
    }

    /// Makes a brand kit with two colours and a font; its id.
    pub fn make_kit(&self, title: &str) -> String {
        let mut state = self.core.lock();
        let now = state.config.clock.now();
        let fields = serde_json::json!({
            "company_name": title, "colors": [{"color": "#112233", "label": "Ink"}, {"color": "#ffcc00", "label": null}],
            "fonts": [{"family": "Inter", "label": "Text", "weight": 400}],
        });
        state.make_kit(title, fields.as_object().cloned().unwrap_or_else(Map::new), now)
    }

    /// Renames an item; whether it was there.
    pub fn rename(&self, id: &str, name: &str) -> bool {
        self.change(id, |state, kind, now| {
            let folder = state.item_folder(id, kind);
            state.place(id, kind, name.to_owned(), folder, now);
        })
    }

    /// Moves an item, to the top where no folder is said; whether it was there.
    pub fn move_to(&self, id: &str, folder: Option<&str>) -> bool {
        self.change(id, |state, kind, now| {
            let name = state.item_name(id, kind);
            state.place(id, kind, name, folder.map(str::to_owned), now);
        })
    }

    /// Deletes an item, a folder with everything in it; whether it was there.
    pub fn delete(&self, id: &str) -> bool {
        self.change(id, |state, kind, now| state.remove(id, kind, now))
    }

    fn change(&self, id: &str, act: impl FnOnce(&mut State, Kind, jiff::Timestamp)) -> bool {
        let state = &mut *self.core.lock();
        let Some(kind) = state.kind_of(id) else { return false };
        let now = state.config.clock.now();
        act(state, kind, now);
        true
    }

    /// Writes a delivery of another integration's task into the log; its id.
    pub fn add_delivery(&self, outcome: Delivered) -> String {
        let mut state = self.core.lock();
        let now = state.config.clock.now();
        let task = state.make_id("task", now);
        let key = state.account.keys.first().map(|key| key.id.clone()).unwrap_or_default();
        state.add_delivery(&task, "succeeded", "https://hooks.example/designs", &key, outcome, now)
    }
}

/// What a test has go wrong.
impl Stranger {
    /// The next task that is started ends so; the one after as the next call says, and all others succeed.
    pub fn next_task(&self, ending: Ending) {
        self.core.lock().tasks.endings.push_back(ending);
    }

    /// The answer to the `nth` request at `route` from now, counted from 1, is lost, though it was carried out.
    pub fn lose_answer(&self, route: Route, nth: u32) {
        self.fail(route, nth, Fault::AnswerLost);
    }

    /// The `nth` request at `route` from now, counted from 1, goes wrong.
    pub fn fail(&self, route: Route, nth: u32, fault: Fault) {
        self.core.lock().faults.plan(route, nth, fault);
    }

    /// Answers contradict each other from now on.
    pub fn contradict(&self, contradiction: Contradiction) {
        self.core.lock().faults.contradictions.insert(contradiction);
    }

    /// Answers agree again.
    pub fn agree(&self) {
        self.core.lock().faults.contradictions.clear();
    }

    /// Mangles one field from now on, or none.
    pub fn mangle(&self, mangle: Option<Mangle>) {
        self.core.lock().faults.mangle = mangle;
    }

    /// Every field that was answered so far, before it was mangled.
    #[must_use]
    pub fn fields(&self) -> Vec<Field> {
        self.core.lock().seen.fields()
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        for listener in &self.listeners {
            listener.abort();
        }
    }
}

/// What a name says of its content.
fn media_type_of(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "pdf" => "application/pdf",
        "pptx" => crate::config::ACCEPTED_MEDIA_TYPES[4],
        "txt" => "text/plain",
        _ => "application/octet-stream",
    }
}
