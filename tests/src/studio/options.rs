//! What `easel-studio` is started with, and how its commands are told where its rows and contents lie.
//!
//! Always true here: what is not said is left to the program. Not here: the running process ([`crate::studio::Studio`]).

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::binary;
use crate::bucket::Bucket;
use crate::postgres::Database;

/// What `easel-studio serve` is started with.
#[derive(Debug, Clone, Default)]
pub struct Options {
    pub(super) blobs: Option<String>,
    pub(super) database: Option<String>,
    pub(super) environment: Vec<(String, String)>,
    pub(super) data_dir: Option<PathBuf>,
    pub(super) requests_per_minute: Option<u32>,
    pub(super) own_rate: bool,
    pub(super) without_upload_listener: bool,
    pub(super) is_worker: bool,
    pub(super) listen: Option<String>,
    pub(super) upload_listen: Option<String>,
    pub(super) descriptors: Option<u32>,
    pub(super) arguments: Vec<String>,
}

impl Options {
    /// No limit on requests, everything else as the studio has it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Requests a minute and key; zero for no limit, which is what tests get that do not ask.
    #[must_use]
    pub fn requests_per_minute(mut self, requests: u32) -> Self {
        self.requests_per_minute = Some(requests);
        self
    }

    /// Leaves the rate to the studio's own default.
    #[must_use]
    pub fn own_rate(mut self) -> Self {
        self.own_rate = true;
        self
    }

    /// One more option with its value, such as `--plan` and `free`.
    #[must_use]
    pub fn with(mut self, option: &str, value: &str) -> Self {
        self.arguments.extend([option.to_owned(), value.to_owned()]);
        self
    }

    /// One more option that takes no value.
    #[must_use]
    pub fn flag(mut self, option: &str) -> Self {
        self.arguments.push(option.to_owned());
        self
    }

    /// A data folder that outlives the studio, in place of a fresh one.
    #[must_use]
    pub fn data_dir(mut self, folder: &Path) -> Self {
        self.data_dir = Some(folder.to_owned());
        self
    }

    /// Listens here in place of ports of its own: the API, and storage.
    #[must_use]
    pub fn listen(mut self, api: &str, storage: &str) -> Self {
        self.listen = Some(api.to_owned());
        self.upload_listen = Some(storage.to_owned());
        self
    }

    /// Keeps contents in this bucket, and asks for it there.
    #[must_use]
    pub fn bucket(mut self, bucket: &Bucket) -> Self {
        self.environment = bucket.environment(&format!("http://{}", bucket.authority()));
        self.blobs = Some(bucket.url());
        self
    }

    /// Keeps contents in this bucket below another prefix, such as `s3://contents/another`.
    #[must_use]
    pub fn bucket_at(mut self, bucket: &Bucket, url: &str) -> Self {
        self = self.bucket(bucket);
        self.blobs = Some(url.to_owned());
        self
    }

    /// Has a variable in its environment.
    #[must_use]
    pub fn environment(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Knows how the bucket of other options is asked, and keeps nothing there itself.
    #[must_use]
    pub fn reaching(mut self, other: &Self) -> Self {
        self.environment.clone_from(&other.environment);
        self
    }

    /// Keeps contents in this bucket, and asks for it at another address, where a proxy stands.
    #[must_use]
    pub fn bucket_behind(mut self, bucket: &Bucket, endpoint: &str) -> Self {
        self.environment = bucket.environment(endpoint);
        self.blobs = Some(bucket.url());
        self
    }

    /// Has its rows in this database.
    #[must_use]
    pub fn database(mut self, database: &Database) -> Self {
        self.database = Some(database.url());
        self
    }

    /// Whether it says nothing of database, contents, data folder and where clients reach it.
    pub(super) fn leaves_open_where_it_is(&self) -> bool {
        let is_named = self.blobs.is_some() || self.database.is_some() || self.data_dir.is_some();
        let is_told = self.arguments.iter().any(|argument| argument.starts_with("--public-"));
        !is_named && !is_told && self.listen.is_none() && !self.without_upload_listener && !self.is_worker
    }

    /// Runs a subcommand on any data folder whose contents lie where this says.
    ///
    /// # Panics
    /// Where the program cannot be run.
    #[must_use]
    pub fn command(&self, data_dir: &Path, arguments: &[&str]) -> Output {
        self.prepare(data_dir, arguments).output().expect("easel-studio can be run")
    }

    /// As [`Self::command`], to be run by whoever asks.
    #[must_use]
    pub fn prepare(&self, data_dir: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command.args(arguments).arg("--data").arg(data_dir).envs(self.environment.clone()).stdin(Stdio::null());
        if let Some(database) = &self.database {
            command.args(["--database", database]);
        }
        if let (Some(blobs), true) = (&self.blobs, touches_contents(arguments)) {
            command.args(["--blobs", blobs]);
        }
        command
    }

    /// So many descriptors at most, as the system bounds them.
    #[must_use]
    pub fn descriptors(mut self, most: u32) -> Self {
        self.descriptors = Some(most);
        self
    }

    /// Works and answers nobody.
    #[must_use]
    pub fn worker(mut self) -> Self {
        self.is_worker = true;
        self.with("--role", "worker")
    }

    /// Leaves `--upload-listen` out, so that the studio chooses the address of its storage by itself.
    #[must_use]
    pub fn without_upload_listener(mut self) -> Self {
        self.without_upload_listener = true;
        self
    }
}

/// Whether a command is told where the contents lie.
fn touches_contents(arguments: &[&str]) -> bool {
    matches!(arguments.first(), Some(&("backup" | "restore" | "move" | "verify" | "contents")))
        || arguments.starts_with(&["uploads", "clear"])
}
