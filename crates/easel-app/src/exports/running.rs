//! Carrying out one export: its turn, the start, the wait, the file.
//!
//! Always true: turns are taken in the order in which they were asked for; an export that the service had begun before
//! Easel was closed is asked about before it is begun again; a task that works on the design is waited for, and the
//! page is told. Not here: how many a minute (`rate`).

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use easel_client::{Client, Error as ClientError, ExportRequest, Lane as Budget};
use easel_wire::canvases::{Export, ExportFormat, ExportStatus};
use easel_wire::error::code;
use easel_wire::{ErrorType, Timestamp};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::history::ExportRecord;
use super::views::{ExportState, ExportView, ExportWait};
use super::{Exports, Lane, Running, USUAL_PER_MINUTE, view};
use crate::connections::active_connection::ActiveConnection;
use crate::core::Core;
use crate::messages;
use crate::problem::Problem;

/// The pause where a service did not say how long to wait for its rate (specification, "Limits": 60).
const UNSAID_RATE: Duration = Duration::from_secs(60);
/// And for a task (contract, "Errors": 10).
const UNSAID_TASK: Duration = Duration::from_secs(10);
/// And between two looks at an export; twice as long each time, up to the longest.
const UNSAID_LOOK: Duration = Duration::from_secs(2);
const LONGEST_UNSAID_LOOK: Duration = Duration::from_secs(30);
const SHORT_PAUSE: Duration = Duration::from_secs(2);
/// The least time between two events of one export's bytes.
const BETWEEN_EVENTS: Duration = Duration::from_millis(200);
/// How often a result is signed anew because its address was not good any more.
const MOST_SIGNINGS: u32 = 3;

/// Exports of a minute that are left to what a person asks for.
const KEPT_FOR_PEOPLE: u32 = 10;

/// Why an export is not done.
enum Stopped {
    /// The person stopped the export, or Easel closes.
    Canceled,
    /// The export failed.
    Failed(Problem),
}

impl Exports {
    /// Carries an export out in the background, and says how it is.
    pub(super) fn run_export(&self, connection: &Arc<ActiveConnection>, record: ExportRecord) -> ExportView {
        let cancel = connection.cancel.child_token();
        let running =
            Running { state: ExportState::Queued, waits_for: None, received_bytes: 0, cancel: cancel.clone() };
        let shown = view(&record, Some(&running));
        {
            let mut lanes = self.inner.lanes();
            let lane = lanes.entry(connection.id.clone()).or_default();
            lane.running.insert(record.id.clone(), running);
            // Here and not in the background, so that the order is that of the asking.
            lane.queue.push_back(record.id.clone());
        }
        self.tell_exports(&connection.id);
        let (exports, connection) = (self.clone(), Arc::clone(connection));
        self.core.supervisor().spawn(async move {
            let outcome = exports.carry_export(&connection, record.clone(), &cancel).await;
            exports.end_export(&connection, &record.id, outcome, &cancel);
        });
        shown
    }

    /// Takes up the exports that the last run left.
    pub(crate) fn resume_exports(&self, connection: &Arc<ActiveConnection>) {
        for record in self.inner.file.of_connection(&connection.id) {
            if record.ended.is_none() {
                self.run_export(connection, record);
            }
        }
    }

    /// Forgets everything about a connection that was removed.
    pub(crate) fn forget_exports_of(&self, connection_id: &str) {
        if let Err(error) = self.inner.file.forget(|record| record.connection_id == connection_id) {
            tracing::warn!(%error, "the exports of a removed connection are still noted");
        }
        self.inner.lanes().remove(connection_id);
    }

    async fn carry_export(
        &self,
        connection: &Arc<ActiveConnection>,
        mut record: ExportRecord,
        cancel: &CancellationToken,
    ) -> Result<(), Stopped> {
        let carrying = async {
            let export = match self.look_at_begun(connection, &record).await {
                Some(export) => export,
                None => self.start_in_turn(connection, &mut record).await?,
            };
            self.leave_queue(connection, &record.id);
            let export = self.wait_for_result(connection, &mut record, export).await?;
            self.fetch_result(connection, &mut record, export).await
        };
        tokio::select! {
            outcome = carrying => outcome,
            () = cancel.cancelled() => Err(Stopped::Canceled),
        }
    }

    /// Looks for the export that the last run had begun, where the service still knows it.
    async fn look_at_begun(&self, connection: &Arc<ActiveConnection>, record: &ExportRecord) -> Option<Export> {
        let task = record.task_id?;
        connection.wait_until_ready().await;
        let client = connection.session()?.client;
        let export = client.get_export_status(record.design_id, task).await;
        export.inspect_err(|error| tracing::debug!(%error, "an export is begun anew")).ok()
    }

    /// Starts an export when its turn has come and the service has room for it.
    async fn start_in_turn(
        &self,
        connection: &Arc<ActiveConnection>,
        record: &mut ExportRecord,
    ) -> Result<Export, Stopped> {
        loop {
            self.wait_for_turn(connection, &record.id).await;
            self.wait_for_room(connection, &record.id).await;
            self.set_export(connection, &record.id, ExportState::Preparing, None);
            let Some(session) = connection.session() else { continue };
            let request = ExportRequest {
                format: record.choice.format.into(),
                page_number: record.choice.page,
                pixel_ratio: record.choice.scale,
                flatten: Some(record.choice.flatten),
                // The next one need not wait for this one's result.
                wait: false,
            };
            let client = session.client.telling_waits();
            let error = match client.start_export(record.design_id, &request).await {
                Ok(export) => {
                    self.note_begun(record, &export);
                    return Ok(export);
                }
                Err(error) => error,
            };
            match self.wait_for_start(connection, &record.id, &record.design_name, &error)? {
                // The export stays the first in line: all others wait for the same room.
                Some(wait) if wait.is_zero() => {}
                wait => {
                    self.leave_queue(connection, &record.id);
                    match wait {
                        Some(wait) => tokio::time::sleep(wait).await,
                        None => {
                            connection.wait_until_ready().await;
                            tokio::time::sleep(SHORT_PAUSE).await;
                        }
                    }
                    self.inner.lanes().entry(connection.id.clone()).or_default().queue.push_back(record.id.clone());
                }
            }
        }
    }

    /// Waits until no other export that has not begun was asked for before this one.
    async fn wait_for_turn(&self, connection: &ActiveConnection, id: &str) {
        loop {
            let moved = match self.inner.lanes().entry(connection.id.clone()).or_default() {
                lane if lane.queue.front().is_none_or(|first| first == id) => return,
                lane => Arc::clone(&lane.moved).notified_owned(),
            };
            moved.await;
        }
    }

    fn leave_queue(&self, connection: &ActiveConnection, id: &str) {
        if let Some(lane) = self.inner.lanes().get_mut(&connection.id) {
            lane.queue.retain(|waiting| waiting != id);
            lane.moved.notify_waiters();
        }
    }

    /// How long to wait after a start that was refused; `None` until the connection works again.
    fn wait_for_start(
        &self,
        connection: &Arc<ActiveConnection>,
        id: &str,
        name: &str,
        error: &ClientError,
    ) -> Result<Option<Duration>, Stopped> {
        match error {
            // Whatever code a service gives, it is the cap of exports, or a task that works on the design.
            _ if error.is_for_later() && error.error_type() == Some(&ErrorType::RateLimited) => {
                let wait = error.retry_after().unwrap_or(UNSAID_RATE);
                if let Some(lane) = self.inner.lanes().get_mut(&connection.id) {
                    lane.rate.refuse(wait, Instant::now());
                }
                self.set_export(connection, id, ExportState::Waiting, Some(ExportWait::Rate));
                Ok(Some(Duration::ZERO))
            }
            _ if error.is_for_later() => {
                self.set_export(connection, id, ExportState::Waiting, Some(ExportWait::Task));
                Ok(Some(error.retry_after().unwrap_or(UNSAID_TASK)))
            }
            _ if error.is_offline() || error.is_key_refused() => {
                self.connections.note_error(connection, error, name);
                self.set_export(connection, id, ExportState::Waiting, Some(ExportWait::Connection));
                Ok(None)
            }
            _ => Err(Stopped::Failed(self.connections.note_error(connection, error, name))),
        }
    }

    /// Waits until the minute has room for one more export, and takes it.
    async fn wait_for_room(&self, connection: &Arc<ActiveConnection>, id: &str) {
        loop {
            let Some(session) = connection.session() else {
                self.set_export(connection, id, ExportState::Waiting, Some(ExportWait::Connection));
                connection.wait_until_ready().await;
                continue;
            };
            let cap = session.client.entitlements().exports_per_minute.or(Some(USUAL_PER_MINUTE));
            let taken = self.inner.lanes().entry(connection.id.clone()).or_default().rate.take(cap, Instant::now());
            let Err(at) = taken else { return };
            self.set_export(connection, id, ExportState::Waiting, Some(ExportWait::Rate));
            tokio::time::sleep_until(at).await;
        }
    }

    /// Waits until an export may be started for something else than a person's request: theirs go first.
    pub(crate) async fn wait_for_spare_export(&self, connection: &ActiveConnection) {
        loop {
            connection.wait_until_ready().await;
            let Err(at) = self.take_spare_export(connection) else { return };
            tokio::time::sleep_until(at).await;
        }
    }

    /// Takes a place of the minute that no person's request needs, or says when to ask again.
    fn take_spare_export(&self, connection: &ActiveConnection) -> Result<(), Instant> {
        let cap = connection.session().and_then(|session| session.client.entitlements().exports_per_minute);
        let now = Instant::now();
        let mut lanes = self.inner.lanes();
        let lane = lanes.entry(connection.id.clone()).or_default();
        if lane.queue.is_empty() {
            lane.rate.take_spare(cap.or(Some(USUAL_PER_MINUTE)), KEPT_FOR_PEOPLE, now)
        } else {
            Err(now + SHORT_PAUSE)
        }
    }

    /// Holds all exports back where the service took one for one too many.
    pub(crate) fn note_export_refused(&self, connection: &ActiveConnection, error: &ClientError) {
        if error.code() == Some(code::EXPORT_RATE_LIMITED)
            && let Some(lane) = self.inner.lanes().get_mut(&connection.id)
        {
            lane.rate.refuse(error.retry_after().unwrap_or(UNSAID_RATE), Instant::now());
        }
    }

    fn note_begun(&self, record: &mut ExportRecord, export: &Export) {
        record.task_id = export.task_id;
        record.warnings = export.warnings.iter().map(|warning| warning.message.clone()).collect();
        if let Err(error) = self.inner.file.put(record.clone()) {
            tracing::warn!(%error, "that an export has begun could not be noted");
        }
    }

    /// Looks at an export until it is done.
    async fn wait_for_result(
        &self,
        connection: &Arc<ActiveConnection>,
        record: &mut ExportRecord,
        mut export: Export,
    ) -> Result<Export, Stopped> {
        let mut unsaid = UNSAID_LOOK;
        loop {
            self.set_export(connection, &record.id, ExportState::Preparing, None);
            match export.end() {
                Some(ExportStatus::Completed) => {
                    self.note_begun(record, &export);
                    return Ok(export);
                }
                Some(_) => {
                    let said = export.error.map(|error| error.message).unwrap_or_default();
                    let said = said.trim().trim_end_matches('.');
                    let reason = if said.is_empty() { "The service gave no reason" } else { said };
                    let values = [("name", record.design_name.as_str()), ("reason", reason)];
                    return Err(Stopped::Failed(messages::problem("export_failed", &values)));
                }
                None => {}
            }
            let Some(task) = export.task_id.or(record.task_id) else {
                // Neither a result nor a way to ask for one.
                let values = [("name", record.design_name.as_str()), ("reason", "The service did not say how it goes")];
                return Err(Stopped::Failed(messages::problem("export_failed", &values)));
            };
            let pause = export.retry_after_seconds.map_or(unsaid, Duration::from_secs);
            unsaid = LONGEST_UNSAID_LOOK.min(unsaid * 2);
            tokio::time::sleep(pause.clamp(Duration::from_millis(500), Duration::from_secs(60))).await;
            connection.wait_until_ready().await;
            let Some(session) = connection.session() else { continue };
            match session.client.in_lane(Budget::Poll).get_export_status(record.design_id, task).await {
                Ok(now) => export = now,
                Err(error) if error.is_offline() || error.is_key_refused() => {
                    self.connections.note_error(connection, &error, &record.design_name);
                    self.set_export(connection, &record.id, ExportState::Waiting, Some(ExportWait::Connection));
                }
                Err(error) => {
                    return Err(Stopped::Failed(self.connections.note_error(connection, &error, &record.design_name)));
                }
            }
        }
    }

    /// Fetches the result to where the person wants it.
    async fn fetch_result(
        &self,
        connection: &Arc<ActiveConnection>,
        record: &mut ExportRecord,
        mut export: Export,
    ) -> Result<(), Stopped> {
        let extension = extension_of(export.format.as_ref(), record);
        record.format_of_result = export.format.as_ref().map_or(record.format_of_result.clone(), ToString::to_string);
        let destination = record.folder.join(format!("{}.{extension}", record.file_stem));
        for _ in 0..MOST_SIGNINGS {
            connection.wait_until_ready().await;
            let Some(session) = connection.session() else { continue };
            match self.fetch_once(connection, &session.client, &record.id, &export, &destination).await {
                Ok(downloaded) => {
                    record.path = Some(downloaded.path);
                    record.size_bytes = Some(downloaded.size_bytes);
                    if let Err(error) = self.inner.file.put(record.clone()) {
                        tracing::warn!(%error, "where an export is could not be noted");
                    }
                    return Ok(());
                }
                Err(error) => {
                    let is_outdated =
                        matches!(error, ClientError::UrlExpired | ClientError::Storage { status: 403, .. });
                    let problem = self.connections.note_error(connection, &error, &record.design_name);
                    let Some(task) = export.task_id.or(record.task_id).filter(|_| is_outdated || error.is_offline())
                    else {
                        return Err(Stopped::Failed(problem));
                    };
                    connection.wait_until_ready().await;
                    tokio::time::sleep(SHORT_PAUSE).await;
                    export = match session.client.get_export_status(record.design_id, task).await {
                        Ok(export) => export,
                        Err(error) if error.is_offline() => continue,
                        Err(error) => {
                            return Err(Stopped::Failed(self.connections.note_error(
                                connection,
                                &error,
                                &record.design_name,
                            )));
                        }
                    };
                }
            }
        }
        Err(Stopped::Failed(messages::problem("connection_broken", &[("host", connection.host().as_str())])))
    }

    async fn fetch_once(
        &self,
        connection: &Arc<ActiveConnection>,
        client: &Client,
        id: &str,
        export: &Export,
        destination: &Path,
    ) -> Result<easel_client::Downloaded, ClientError> {
        let received = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&received);
        let progress = move |bytes| counted.store(bytes, Ordering::Relaxed);
        self.set_export(connection, id, ExportState::Downloading, None);
        let fetching = client.download_export(export, destination, &progress);
        tokio::pin!(fetching);
        let mut ticks = tokio::time::interval(BETWEEN_EVENTS);
        loop {
            tokio::select! {
                outcome = &mut fetching => return outcome,
                _ = ticks.tick() => {
                    let bytes = received.load(Ordering::Relaxed);
                    self.change_export(connection, id, |running| running.received_bytes = bytes);
                }
            }
        }
    }

    fn set_export(&self, connection: &ActiveConnection, id: &str, state: ExportState, waits_for: Option<ExportWait>) {
        self.change_export(connection, id, |running| {
            running.state = state;
            running.waits_for = waits_for;
        });
    }

    fn change_export(&self, connection: &ActiveConnection, id: &str, change: impl FnOnce(&mut Running)) {
        let mut lanes = self.inner.lanes();
        let Some(running) = lanes.get_mut(&connection.id).and_then(|lane: &mut Lane| lane.running.get_mut(id)) else {
            return;
        };
        let before = (running.state, running.waits_for, running.received_bytes);
        change(running);
        let is_news = before != (running.state, running.waits_for, running.received_bytes);
        drop(lanes);
        if is_news {
            self.tell_exports(&connection.id);
        }
    }

    fn end_export(
        &self,
        connection: &Arc<ActiveConnection>,
        id: &str,
        outcome: Result<(), Stopped>,
        cancel: &CancellationToken,
    ) {
        self.leave_queue(connection, id);
        if let Some(lane) = self.inner.lanes().get_mut(&connection.id) {
            lane.running.remove(id);
        }
        if cancel.is_cancelled() && connection.cancel.is_cancelled() {
            // Easel closes, or the connection is gone: it goes on at the next start.
            return;
        }
        let Some(record) = self.inner.file.get(id) else { return };
        let (ended, problem) = match outcome {
            Ok(()) => (ExportState::Finished, None),
            Err(Stopped::Canceled) => (ExportState::Canceled, None),
            Err(Stopped::Failed(problem)) => (ExportState::Failed, Some(problem)),
        };
        let finished_at: Option<Timestamp> = Some(Core::now());
        let record = ExportRecord { ended: Some(ended), problem, finished_at, ..record };
        if let Err(error) = self.inner.file.put(record) {
            tracing::warn!(%error, "that an export is over could not be noted");
        }
        self.tell_exports(&connection.id);
    }
}

/// What the file's name ends in.
fn extension_of(format: Option<&ExportFormat>, record: &ExportRecord) -> String {
    match format {
        Some(ExportFormat::Zip) => "zip".to_owned(),
        Some(ExportFormat::Jpeg) => "jpg".to_owned(),
        // Letters only, whatever a service calls its formats: it becomes part of a file's name.
        Some(ExportFormat::Other(other))
            if !other.is_empty() && other.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
        {
            other.to_ascii_lowercase()
        }
        Some(known @ (ExportFormat::Png | ExportFormat::Pdf | ExportFormat::Pptx | ExportFormat::Svg)) => {
            known.to_string()
        }
        _ => record.choice.format.extension().to_owned(),
    }
}
