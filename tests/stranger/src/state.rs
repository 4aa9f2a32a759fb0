//! Everything that the service knows, in memory.
//!
//! Always true here: it stands behind one mutex, and whoever holds it does no input or output.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use bytes::Bytes;
use jiff::Timestamp;
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use crate::account::Account;
use crate::call::Blob;
use crate::config::Config;
use crate::faults::Faults;
use crate::fields::Seen;
use crate::ids::Ids;
use crate::log::Log;
use crate::records::{Canvas, Cursors, Delivery, Export, Kit, Staged, Tasks};
use crate::switch::Switch;

/// A folder of the drive.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    pub(crate) name: String,
    pub(crate) parent: Option<String>,
    pub(crate) visibility: String,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
}

/// A file of the drive.
#[derive(Debug, Clone)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) folder: Option<String>,
    pub(crate) blob: Blob,
    pub(crate) media_type: String,
    pub(crate) visibility: String,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
}

/// What storage gives to whoever has its address.
#[derive(Debug, Clone)]
pub(crate) struct Object {
    pub(crate) bytes: Bytes,
    pub(crate) media_type: String,
    pub(crate) expires_at: Timestamp,
}

/// Everything that the service knows.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) config: Config,
    /// Where the service is, without a slash at the end.
    pub(crate) origin: String,
    /// Where its storage is, without a slash at the end.
    pub(crate) storage_origin: String,
    pub(crate) ids: Ids,
    pub(crate) account: Account,
    pub(crate) folders: BTreeMap<String, Folder>,
    pub(crate) files: BTreeMap<String, File>,
    pub(crate) canvases: BTreeMap<String, Canvas>,
    pub(crate) tasks: Tasks,
    pub(crate) exports: BTreeMap<String, Export>,
    pub(crate) kits: BTreeMap<String, Kit>,
    pub(crate) deliveries: BTreeMap<String, Delivery>,
    /// By the last part of the signed address.
    pub(crate) staged: HashMap<String, Staged>,
    /// By the last part of the signed address.
    pub(crate) objects: HashMap<String, Object>,
    pub(crate) cursors: Cursors,
    /// When each key asked in the last minute; and for exports.
    pub(crate) asked: HashMap<String, VecDeque<Timestamp>>,
    pub(crate) exported: VecDeque<Timestamp>,
    /// What was answered to an idempotency key: the request and the id of what it made.
    pub(crate) answered: HashMap<String, (Value, String)>,
    /// How often the bytes of a content, by hash, were taken to their end.
    pub(crate) taken: BTreeMap<String, u64>,
    pub(crate) log: Log,
    pub(crate) faults: Faults,
    pub(crate) seen: Seen,
    /// Requests so far, of which the ids of requests are made.
    pub(crate) requests: u64,
}

impl State {
    pub(crate) fn new(config: Config, origin: String, storage_origin: String) -> Self {
        let mut ids = Ids::default();
        let account = Account::new(&mut ids, &config);
        Self {
            config,
            origin,
            storage_origin,
            ids,
            account,
            folders: BTreeMap::new(),
            files: BTreeMap::new(),
            canvases: BTreeMap::new(),
            tasks: Tasks::default(),
            exports: BTreeMap::new(),
            kits: BTreeMap::new(),
            deliveries: BTreeMap::new(),
            staged: HashMap::new(),
            objects: HashMap::new(),
            cursors: Cursors::default(),
            asked: HashMap::new(),
            exported: VecDeque::new(),
            answered: HashMap::new(),
            taken: BTreeMap::new(),
            log: Log::default(),
            faults: Faults::default(),
            seen: Seen::default(),
            requests: 0,
        }
    }

    /// Whether a switch is on.
    pub(crate) fn has(&self, switch: Switch) -> bool {
        self.config.switches.has(switch)
    }

    pub(crate) fn make_id(&mut self, prefix: &str, now: Timestamp) -> String {
        self.ids.make(prefix, now, &self.config.switches)
    }

    /// The prefix of files.
    pub(crate) fn file_prefix(&self) -> &'static str {
        if self.has(Switch::FileIdsOfAnotherPrefix) { "asset_" } else { "file_" }
    }

    /// What makes two names one.
    pub(crate) fn name_key(&self, name: &str) -> String {
        let name = name.nfc().collect::<String>();
        if self.has(Switch::NamesCaseSensitive) { name } else { name.to_lowercase() }
    }

    /// A folder has another child, or another is gone.
    pub(crate) fn touch(&mut self, folder: Option<&str>, now: Timestamp) {
        if self.has(Switch::FolderTimesStill) {
            return;
        }
        if let Some(folder) = folder.and_then(|id| self.folders.get_mut(id)) {
            folder.updated_at = now;
        }
    }

    /// A folder and all folders below it.
    pub(crate) fn below(&self, top: &str) -> BTreeSet<String> {
        let mut all = BTreeSet::from([top.to_owned()]);
        loop {
            let more = self
                .folders
                .iter()
                .filter(|(id, folder)| {
                    !all.contains(*id) && folder.parent.as_ref().is_some_and(|parent| all.contains(parent))
                })
                .map(|(id, _)| id.clone())
                .collect::<Vec<_>>();
            if more.is_empty() {
                return all;
            }
            all.extend(more);
        }
    }

    /// The path of a folder from the top, parts joined with slashes; empty for the top.
    pub(crate) fn path(&self, folder: Option<&str>) -> String {
        let mut parts = Vec::new();
        let mut next = folder;
        while let Some(folder) = next.and_then(|id| self.folders.get(id)) {
            parts.insert(0, folder.name.clone());
            next = folder.parent.as_deref();
        }
        parts.join("/")
    }

    /// Puts bytes where whoever has the address can get them.
    pub(crate) fn sign_object(&mut self, bytes: Bytes, media_type: &str, lives_seconds: i64, now: Timestamp) -> String {
        let token = self.token("object");
        let expires_at = now + jiff::SignedDuration::from_secs(lives_seconds);
        self.objects.insert(token.clone(), Object { bytes, media_type: media_type.to_owned(), expires_at });
        format!("{}/storage/objects/{token}?signature={}", self.storage_origin, Self::signature(&token))
    }

    /// A text that nobody guesses by accident; this is no place for secrets.
    pub(crate) fn token(&mut self, noun: &str) -> String {
        let number = self.requests.wrapping_mul(1_000_003) + self.objects.len() as u64 * 31 + self.staged.len() as u64;
        format!("{noun}{}", &Blob::new(Bytes::from(format!("{noun} {number}"))).sha256[..24])
    }

    pub(crate) fn signature(token: &str) -> String {
        Blob::new(Bytes::from(format!("signed {token}"))).sha256[..32].to_owned()
    }
}

/// RFC 3339 in UTC with an offset, as the contract has it; the shape of answers changes it where a switch says so.
pub(crate) fn time(at: Timestamp) -> String {
    if at.subsec_nanosecond() == 0 {
        at.strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string()
    } else {
        at.strftime("%Y-%m-%dT%H:%M:%S%.6f+00:00").to_string()
    }
}
