//! Files for a design: chosen, dropped, or in the drive already.
//!
//! Always true: a file from this computer goes through the queue into the drive like every other, and the design waits
//! for it; its path stays in Rust; the page is told its progress, at most ten times a second. Not here: what the
//! service makes of the file.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use easel_sync::{Queue, State, Transfer, TransferId};
use easel_wire::FileId;
use easel_wire::tasks::{AttachmentRole, TaskAttachment};
use tokio::sync::broadcast::error::RecvError;

use super::views::{AttachmentState, DesignAttachment};
use crate::causes;
use crate::connections::Connections;
use crate::connections::active_connection::{ActiveConnection, Session};
use crate::core::Core;
use crate::drive::reading::read_file;
use crate::events::{AttachmentsChanged, Event};
use crate::messages;
use crate::problem::Problem;
use crate::tasks::work::{DesignRequest, Work};
use crate::uploads::skipping::{leave_out_refused, name_skipped};
use crate::uploads::views::SkippedFile;

/// What stands before the id of a transfer.
const TRANSFER: &str = "transfer_";
/// How often a transfer is looked at beside the queue's news, which can be missed.
const BETWEEN_LOOKS: Duration = Duration::from_secs(2);
/// The least time between two events.
const BETWEEN_EVENTS: Duration = Duration::from_millis(200);

/// What an attachment's id stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AttachmentRef {
    /// A file of the drive.
    File(FileId),
    /// A transfer on its way to the drive.
    Transfer(i64),
}

impl AttachmentRef {
    pub(super) fn read(id: &str) -> Result<Self, Problem> {
        let transfer = id.strip_prefix(TRANSFER).and_then(|number| number.parse().ok()).map(Self::Transfer);
        let file = || read_file(id).ok().map(Self::File);
        transfer.or_else(file).ok_or_else(|| messages::problem("attachment_unknown", &[]))
    }
}

/// Files that go with a design. Clones are the same attachments.
#[derive(Clone)]
pub struct Attachments {
    pub(super) core: Core,
    connections: Connections,
    /// The attachments that are on their way.
    followed: Arc<Mutex<HashSet<i64>>>,
}

impl Attachments {
    pub(crate) fn new(core: Core, connections: Connections) -> Self {
        Self { core, connections, followed: Arc::default() }
    }
}

fn view(transfer: &Transfer) -> DesignAttachment {
    let state = match transfer.state {
        State::Sent | State::AlreadyThere => AttachmentState::Ready,
        State::Failed | State::Canceled => AttachmentState::Failed,
        State::Sending | State::Registering => AttachmentState::Sending,
        State::Queued | State::Settling | State::Paused => AttachmentState::Waiting,
    };
    DesignAttachment {
        id: format!("{TRANSFER}{}", transfer.id),
        name: transfer.name.clone(),
        size_bytes: Some(transfer.size_bytes.into()),
        state,
        sent_bytes: transfer.sent_bytes.into(),
        problem: transfer.failure.as_ref().map(|failure| causes::of_failure(failure, &transfer.name)),
    }
}

/// Waits until a transfer has ended, and says which file of the drive came of it.
async fn wait_for_end(queue: &Queue, id: TransferId) -> Result<FileId, Problem> {
    let mut changes = queue.changes();
    loop {
        let transfer = queue.get(id).await.map_err(|_| messages::problem("attachment_unknown", &[]))?;
        match transfer.state {
            State::Sent | State::AlreadyThere => {
                let stored = transfer.result.and_then(|stored| stored.file_id);
                return stored.ok_or_else(|| messages::problem("attachment_unknown", &[]));
            }
            State::Failed => {
                let problem = transfer.failure.map(|failure| causes::of_failure(&failure, &transfer.name));
                return Err(problem.unwrap_or_else(|| messages::problem("attachment_unknown", &[])));
            }
            State::Canceled => return Err(messages::problem("attachment_unknown", &[])),
            _ => {}
        }
        // Nothing follows from which of the three it was: the transfer is looked at again.
        tokio::select! {
            _ = changes.recv() => {}
            () = tokio::time::sleep(BETWEEN_LOOKS) => {}
        }
    }
}

impl Attachments {
    /// Asks for files to work from and begins to send them; none where the person thought better of it.
    ///
    /// # Errors
    /// What the connection's state says, or what is the matter with the journal.
    pub async fn choose_attachments(&self) -> Result<Vec<DesignAttachment>, Problem> {
        match self.core.ports().desktop.choose_files().await {
            Some(paths) => Ok(self.attach_files(paths).await?.0),
            None => Ok(Vec::new()),
        }
    }

    /// Begins to send files to work from; what was not taken comes with its reason.
    pub(crate) async fn attach_files(
        &self,
        paths: Vec<PathBuf>,
    ) -> Result<(Vec<DesignAttachment>, Vec<SkippedFile>), Problem> {
        let connection = self.connections.selected()?;
        let Session { queue, client, .. } = connection.ready().await?;
        let (paths, mut skipped) = leave_out_refused(&client, paths).await;
        if paths.is_empty() {
            return Ok((Vec::new(), skipped));
        }
        let taken = queue.enqueue(paths, None).await.map_err(|error| causes::of_sync(&error))?;
        skipped.extend(name_skipped(&taken.skipped));
        let mut attachments = Vec::new();
        for id in taken.accepted {
            let transfer = queue.get(id).await.map_err(|error| causes::of_sync(&error))?;
            attachments.push(view(&transfer));
            self.followed.lock().unwrap_or_else(PoisonError::into_inner).insert(id.0);
        }
        self.follow_attachments(&connection, queue);
        Ok((attachments, skipped))
    }

    /// The file of the drive that an attachment is, once it is there.
    ///
    /// # Errors
    /// `attachment_unknown`, why it was not sent, or what the connection's state says.
    pub async fn wait_for_attachment(&self, id: &str) -> Result<FileId, Problem> {
        match AttachmentRef::read(id)? {
            AttachmentRef::File(file) => Ok(file),
            AttachmentRef::Transfer(transfer) => {
                let queue = self.connections.selected()?.ready().await?.queue;
                wait_for_end(&queue, TransferId(transfer)).await
            }
        }
    }

    /// Waits until the files that `work` needs are in the drive, and enters them into its request.
    pub(crate) async fn wait_for_transfers(
        &self,
        connection: &ActiveConnection,
        work: &mut Work,
    ) -> Result<(), Problem> {
        connection.wait_until_open().await;
        let Some(session) = connection.session() else { return Err(messages::problem("connection_not_ready", &[])) };
        let DesignRequest::Task(request) = &mut work.request else { return Ok(()) };
        let mut attachments = request.attachments.clone().unwrap_or_default();
        for transfer in &work.transfers {
            let file_id = wait_for_end(&session.queue, TransferId(*transfer)).await?;
            attachments.push(TaskAttachment {
                file_id: Some(file_id),
                url: None,
                role: Some(AttachmentRole::Source),
                label: None,
            });
        }
        request.attachments = Some(attachments);
        work.transfers.clear();
        Ok(())
    }

    /// Tells the page of attachments until all of them have ended.
    fn follow_attachments(&self, connection: &Arc<ActiveConnection>, queue: Queue) {
        let mut changes = queue.changes();
        let (own, connection) = (self.clone(), Arc::clone(connection));
        self.core.supervisor().spawn(async move {
            let mut told_at = tokio::time::Instant::now();
            let mut untold: Vec<DesignAttachment> = Vec::new();
            loop {
                tokio::select! {
                    () = connection.cancel.cancelled() => return,
                    () = tokio::time::sleep_until(told_at + BETWEEN_EVENTS), if !untold.is_empty() => {}
                    batch = changes.recv() => match batch {
                        Ok(batch) => untold = own.take_news(untold, &batch.changed),
                        Err(RecvError::Lagged(_)) => {
                            let transfers = own.look_at_attachments(&queue).await;
                            untold = own.take_news(untold, &transfers);
                        }
                        Err(RecvError::Closed) => return,
                    },
                }
                let is_done = own.followed.lock().unwrap_or_else(PoisonError::into_inner).is_empty();
                if !untold.is_empty() && (is_done || told_at.elapsed() >= BETWEEN_EVENTS) {
                    told_at = tokio::time::Instant::now();
                    let attachments = std::mem::take(&mut untold);
                    own.core.emit(Event::AttachmentsChanged(AttachmentsChanged { attachments }));
                }
                if is_done {
                    return;
                }
            }
        });
    }

    fn take_news(&self, mut untold: Vec<DesignAttachment>, changed: &[Transfer]) -> Vec<DesignAttachment> {
        let mut followed = self.followed.lock().unwrap_or_else(PoisonError::into_inner);
        for transfer in changed.iter().filter(|transfer| followed.contains(&transfer.id.0)).cloned().collect::<Vec<_>>()
        {
            let news = view(&transfer);
            if matches!(news.state, AttachmentState::Ready | AttachmentState::Failed) {
                followed.remove(&transfer.id.0);
            }
            untold.retain(|other| other.id != news.id);
            untold.push(news);
        }
        untold
    }

    async fn look_at_attachments(&self, queue: &Queue) -> Vec<Transfer> {
        let ids: Vec<i64> = self.followed.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        let mut transfers = Vec::new();
        for id in ids {
            if let Ok(transfer) = queue.get(TransferId(id)).await {
                transfers.push(transfer);
            }
        }
        transfers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attachment_is_a_file_of_the_drive_or_one_on_its_way() {
        let file = "file_00000000000000000000000000";
        assert_eq!(AttachmentRef::read(file).unwrap(), AttachmentRef::File(file.parse().unwrap()));
        assert_eq!(AttachmentRef::read("transfer_12").unwrap(), AttachmentRef::Transfer(12));
        assert_eq!(AttachmentRef::read("A7/ü").unwrap(), AttachmentRef::File("A7/ü".parse().unwrap()));
        for id in ["", "fld_00000000000000000000000000", "cvs_1"] {
            assert_eq!(AttachmentRef::read(id).unwrap_err().code, "attachment_unknown", "{id}");
        }
    }
}
