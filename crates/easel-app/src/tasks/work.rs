//! What a person has asked for and the service has not finished, on disk.
//!
//! Always true: it is written before anything is sent, whole or not at all, and taken up again at the next start; there
//! is a bound to it. Not here: carrying it out.

use std::io;
use std::path::PathBuf;

use easel_wire::tasks::{Remix, StartTask, TaskKind};
use easel_wire::{CanvasId, FolderId, TaskId, Timestamp};
use serde::{Deserialize, Serialize};

use super::kept;
use crate::json_store::JsonStore;

/// How many requests may be begun at once. A person stays far below it; more would only pile up.
pub(crate) const MOST: usize = 500;

/// A request for a design.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DesignRequest {
    /// A design, or a change to one. It always has an idempotency key.
    Task(#[serde(deserialize_with = "kept::start_task")] Box<StartTask>),
    /// A copy, exact where it has no prompt.
    Remix(#[serde(deserialize_with = "kept::remix")] Remix),
}

impl DesignRequest {
    pub(crate) const fn kind(&self) -> TaskKind {
        match self {
            Self::Task(_) => TaskKind::Design,
            Self::Remix(_) => TaskKind::Remix,
        }
    }

    /// Whether it is a plain copy, which no task makes.
    pub(crate) const fn is_copy(&self) -> bool {
        matches!(self, Self::Remix(Remix { prompt: None, .. }))
    }

    pub(crate) fn prompt(&self) -> &str {
        match self {
            Self::Task(request) => &request.prompt,
            Self::Remix(remix) => remix.prompt.as_deref().unwrap_or_default(),
        }
    }

    /// The design that is changed in place.
    pub(crate) fn edited(&self) -> Option<CanvasId> {
        match self {
            Self::Task(request) => request.canvas_id,
            Self::Remix(_) => None,
        }
    }

    /// The design that is worked from.
    pub(crate) fn source(&self) -> Option<CanvasId> {
        match self {
            Self::Task(request) => request.template_canvas_id,
            Self::Remix(remix) => Some(remix.canvas_id),
        }
    }
}

/// What comes along with a request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Along {
    /// Where the design goes once it is made.
    pub(crate) folder_id: Option<FolderId>,
    /// Transfers of files that the design needs.
    pub(crate) transfers: Vec<i64>,
    /// No notice tells of its end.
    pub(crate) is_quiet: bool,
}

impl Work {
    /// Work for a request that is made now.
    pub(crate) fn new(connection_id: &str, request: DesignRequest, along: Along, asked_at: Timestamp) -> Self {
        Self {
            id: format!("here_{}", uuid::Uuid::now_v7().simple()),
            connection_id: connection_id.to_owned(),
            request,
            asked_at,
            was_sent: false,
            was_given_up: false,
            task_id: None,
            folder_id: along.folder_id,
            is_quiet: along.is_quiet,
            transfers: along.transfers,
        }
    }
}

/// A request for a design.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Work {
    /// What the page knows it by.
    pub(crate) id: String,
    /// The connection whose service does it.
    pub(crate) connection_id: String,
    /// Stored as `wish` since the first version.
    #[serde(rename = "wish")]
    pub(crate) request: DesignRequest,
    /// When it was asked for, on this computer's clock.
    pub(crate) asked_at: Timestamp,
    /// Whether the service may have received it.
    #[serde(default)]
    pub(crate) was_sent: bool,
    /// The person was told that the outcome is not known. So the request is not resumed unless they ask for it.
    #[serde(default)]
    pub(crate) was_given_up: bool,
    /// The service's task, once it has one.
    #[serde(default)]
    pub(crate) task_id: Option<TaskId>,
    /// The folder for the design once it is made.
    #[serde(default)]
    pub(crate) folder_id: Option<FolderId>,
    /// No notice tells of its end, because nobody asked for it explicitly.
    #[serde(default)]
    pub(crate) is_quiet: bool,
    /// Transfers of files that the design needs, which have to be in the drive first.
    #[serde(default)]
    pub(crate) transfers: Vec<i64>,
}

/// Everything that was asked for and is not finished, and its file.
#[derive(Debug)]
pub(crate) struct WorkFile(JsonStore<Work>);

impl WorkFile {
    pub(crate) const fn unread(path: PathBuf) -> Self {
        Self(JsonStore::unread(path))
    }

    /// Reads what the last run left; a damaged file is set aside.
    pub(crate) fn read_from_disk(&self) -> io::Result<()> {
        self.0.read_from_disk()
    }

    pub(crate) fn of_connection(&self, connection_id: &str) -> Vec<Work> {
        self.0.read(|all| all.iter().filter(|work| work.connection_id == connection_id).cloned().collect())
    }

    pub(crate) fn find(&self, is_it: impl Fn(&Work) -> bool) -> Option<Work> {
        self.0.read(|all| all.iter().find(|work| is_it(work)).cloned())
    }

    pub(crate) fn is_full(&self) -> bool {
        self.0.read(<[Work]>::len) >= MOST
    }

    /// Writes work, in place of its earlier entry.
    pub(crate) fn put(&self, work: Work) -> io::Result<()> {
        self.0.change(|all| match all.iter_mut().find(|known| known.id == work.id) {
            Some(known) => *known = work,
            None => all.push(work),
        })
    }

    /// Removes entries for which `done` holds.
    pub(crate) fn forget(&self, done: impl Fn(&Work) -> bool) -> io::Result<()> {
        self.0.change(|all| all.retain(|work| !done(work)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(id: &str, connection_id: &str) -> Work {
        let request = StartTask { prompt: "A lighthouse".to_owned(), ..StartTask::default() };
        Work {
            id: id.to_owned(),
            connection_id: connection_id.to_owned(),
            request: DesignRequest::Task(Box::new(request)),
            asked_at: Timestamp::from_micros(1),
            was_sent: false,
            was_given_up: false,
            task_id: None,
            folder_id: None,
            is_quiet: false,
            transfers: vec![3],
        }
    }

    #[test]
    fn what_an_older_easel_kept_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("work.json");
        let older = r#"[{"id": "here_1", "connection_id": "one", "wish": {"task": {"prompt": "Tea", "format":
            {"category": "slides"}, "attachments": [{"file_id": "file_01JQ9ZC2M8FBG9RX2MGJ4TPQKW", "role": "source"}],
            "idempotency_key": "k"}}, "asked_at": "2026-05-01T12:00:00+00:00", "was_sent": true,
            "task_id": "task_01JQ9ZC2M8FBG9RX2MGJ4TPQKX", "folder_id": "fld_01JQ9ZC2M8FBG9RX2MGJ4TPQKY",
            "transfers": [4]},
            {"id": "here_2", "connection_id": "one", "wish": {"remix": {"canvas_id": "cvs_01JQ9ZC2M8FBG9RX2MGJ4TPQKZ"}},
            "asked_at": "2026-05-01T12:00:00+00:00"}]"#;
        std::fs::write(&path, older).unwrap();
        let file = WorkFile::unread(path);
        file.read_from_disk().unwrap();
        let [design, remix] = file.of_connection("one").try_into().unwrap();
        assert_eq!(design.task_id.unwrap().text(), "task_01JQ9ZC2M8FBG9RX2MGJ4TPQKX");
        assert_eq!(design.folder_id.unwrap().text(), "fld_01JQ9ZC2M8FBG9RX2MGJ4TPQKY");
        let DesignRequest::Task(request) = &design.request else { panic!("{design:?}") };
        let attached = request.attachments.as_ref().unwrap()[0].file_id.unwrap();
        assert_eq!(attached.text(), "file_01JQ9ZC2M8FBG9RX2MGJ4TPQKW");
        assert_eq!(remix.request.source().unwrap().text(), "cvs_01JQ9ZC2M8FBG9RX2MGJ4TPQKZ");
    }

    #[test]
    fn what_was_asked_for_survives_a_restart_until_it_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("work.json");
        let open = |path: PathBuf| {
            let file = WorkFile::unread(path);
            file.read_from_disk().unwrap();
            file
        };
        let file = open(path.clone());
        file.put(work("a", "one")).unwrap();
        file.put(work("b", "two")).unwrap();
        file.put(Work { was_sent: true, ..work("a", "one") }).unwrap();
        let again = open(path.clone());
        assert_eq!(again.of_connection("one"), [Work { was_sent: true, ..work("a", "one") }]);
        again.forget(|work| work.id == "a").unwrap();
        assert_eq!(open(path).of_connection("one"), []);
        assert_eq!(again.of_connection("two"), [work("b", "two")]);
    }
}
