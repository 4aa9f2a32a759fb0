//! What was learned about the service, kept beside the journal from one run to the next, and told once.
//!
//! Always true: the file is whole or not there, and only its owner can read it; it belongs to one service and one key,
//! and is not read for another. It can be deleted at any time: then everything is tried again. Not here: what is
//! learned, and for how long it is relied on (`easel_client::Capabilities`).

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use data_encoding::HEXLOWER;
use easel_client::{Capabilities, Client, Feature};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tokio::time::sleep;

use crate::report::Report;

/// Features that are learned within this time are written down together.
const TOGETHER: Duration = Duration::from_millis(500);

/// See the module.
pub(crate) struct Learned {
    path: PathBuf,
    /// A hash of the service's address and the key.
    of: String,
    told: Mutex<BTreeSet<Feature>>,
}

/// The file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct StoredCapabilities {
    of: String,
    learned: Capabilities,
}

impl Learned {
    /// The file beside the journal at `journal`, for the service at `base_url` with this key.
    pub(crate) fn beside(journal: &Path, base_url: &str, key: &SecretString) -> Self {
        let mut digest = Sha256::new();
        digest.update(base_url.trim_end_matches('/'));
        digest.update([0]);
        digest.update(key.expose_secret().trim());
        // A few bytes: enough to tell another key, too few to find out this one.
        let of = HEXLOWER.encode(&digest.finalize()[..8]);
        Self { path: journal.with_file_name("learned.json"), of, told: Mutex::default() }
    }

    /// Hands the client the features that an earlier run learned. A file that cannot be read counts as empty.
    pub(crate) fn restore(&self, client: &Client) {
        let text = match fs::read(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => return tracing::warn!(%error, "what was learned of the service cannot be read"),
        };
        match serde_json::from_slice::<StoredCapabilities>(&text) {
            Ok(kept) if kept.of == self.of => client.restore_capabilities(kept.learned),
            Ok(_) => tracing::info!("what was learned is of another service or key"),
            Err(error) => tracing::warn!(%error, "what was learned of the service cannot be read"),
        }
    }

    /// Deletes what earlier runs learned.
    pub(crate) fn forget(&self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Writes down what is learned, and tells what the service lacks, until it is dropped.
    pub(crate) async fn keep(&self, client: &Client, report: &Report) {
        let mut learning = client.watch_capabilities();
        loop {
            self.tell(client, report);
            if learning.changed().await.is_err() {
                return;
            }
            sleep(TOGETHER).await;
            learning.mark_unchanged();
            self.write(client);
        }
    }

    /// Writes down what is known now. If that fails, it is learned again.
    pub(crate) fn write(&self, client: &Client) {
        let learned = client.capabilities();
        if learned == Capabilities::default() {
            return;
        }
        let kept = StoredCapabilities { of: self.of.clone(), learned };
        if let Err(error) = self.replace(&kept) {
            tracing::warn!(%error, "what was learned of the service cannot be kept");
        }
    }

    fn replace(&self, kept: &StoredCapabilities) -> io::Result<()> {
        let new = self.path.with_extension("json.new");
        // Removed first, so that a file from a run that was cut off cannot leave its mode.
        match fs::remove_file(&new) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
        file.write_all(&serde_json::to_vec_pretty(kept)?)?;
        file.sync_all()?;
        fs::rename(&new, &self.path)?;
        File::open(self.path.parent().unwrap_or(Path::new(".")))?.sync_all()
    }

    /// Tells the features that the service lacks, except those that were told already.
    pub(crate) fn tell(&self, client: &Client, report: &Report) {
        let known = client.capabilities();
        let mut told = self.told.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for feature in Feature::ALL {
            let is_lacking = known.offers(feature) == Some(false);
            if let Some(words) = words_of(feature).filter(|_| is_lacking && told.insert(feature)) {
                report.lacking(feature, words);
            }
        }
    }
}

/// The consequence for a synced folder when a service lacks a feature; `None` where there is none.
const fn words_of(feature: Feature) -> Option<&'static str> {
    Some(match feature {
        Feature::Whoami => {
            "it does not say whose key this is, nor how many requests a minute are allowed; 120 are assumed"
        }
        Feature::UploadLimits => "it does not say how large a file may be; 250 MB are assumed",
        Feature::FolderInMultipart | Feature::FolderInRegister => {
            "it puts files at the top of the drive; they are moved to their folder, which takes a request more a file"
        }
        Feature::FileRecord => "it does not tell of one file by itself; its lists are searched, which takes requests",
        Feature::UpdatedSince => {
            "it does not say what changed since; all of the drive is read each time, so that changes are seen later"
        }
        Feature::FolderTimes => {
            "its folders do not show when something in them changes; all of the drive is read each time, so that changes are seen later"
        }
        Feature::Totals => {
            "it does not say how many items there are; all of the drive is read each time, so that changes are seen later"
        }
        Feature::ContentHash => {
            "it does not say what its files hold; where that matters, they are fetched and compared"
        }
        Feature::Pointers => {
            "it does not take the small files that tell other computers of copies; each copy is on the computer that it is on"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use easel_client::Connection;

    use super::*;

    fn begin(journal: &Path, address: &str, key: &str) -> (Client, Learned) {
        let client = Client::new(Connection::new(address, key.to_owned().into()).unwrap()).unwrap();
        (client, Learned::beside(journal, address, &key.to_owned().into()))
    }

    #[test]
    fn what_was_learned_is_there_at_the_next_start_for_the_same_service_and_key() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("journal.db");
        let (client, learned) = begin(&journal, "http://127.0.0.1:1", "svc_live_a1");
        client.learn(Feature::Totals, false);
        learned.write(&client);
        learned.write(&client);
        let mode = fs::metadata(&learned.path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(!fs::read_to_string(&learned.path).unwrap().contains("svc_live"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);

        let anew = || begin(&journal, "http://127.0.0.1:1/", "svc_live_a1").1;
        // A client with another key has learned nothing yet.
        let (later, _) = begin(&journal, "http://127.0.0.1:1", "svc_live_b1");
        anew().restore(&later);
        assert_eq!(later.capabilities(), client.capabilities());
        for (address, key) in [("http://127.0.0.1:2", "svc_live_a1"), ("http://127.0.0.1:1", "svc_live_a2")] {
            let (other, learned) = begin(&journal, address, key);
            learned.restore(&other);
            assert_eq!(other.offers(Feature::Totals), None);
        }
        learned.forget().unwrap();
        learned.forget().unwrap();
        let (later, _) = begin(&journal, "http://127.0.0.1:1", "svc_live_b2");
        anew().restore(&later);
        assert_eq!(later.capabilities(), Capabilities::default());
    }

    #[test]
    fn what_cannot_be_read_was_not_learned() {
        let folder = tempfile::tempdir().unwrap();
        let (client, learned) = begin(&folder.path().join("journal.db"), "http://127.0.0.1:1", "svc_live_a3");
        for text in ["", "{", "[]", "{\"learned\":{\"features\":{\"moon\":{}}}}", "{\"of\":\"0\"}"] {
            fs::write(&learned.path, text).unwrap();
            learned.restore(&client);
            assert_eq!(client.capabilities(), Capabilities::default(), "{text}");
        }
    }
}
