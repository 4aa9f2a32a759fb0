//! Files that are dragged over the window and dropped on it.
//!
//! Always true: paths stay in Rust; dropped files go where the screen said last, and nowhere while no screen takes any.
//! A screen may have a second place, as where files become attachments of the design that is being described: the page
//! tells where it is, because only the page knows, and the shell tells where the pointer is, because only the shell
//! does. Files that are dropped at the first start wait for the studio of this computer, and go to no other service.

use std::path::PathBuf;
use std::sync::PoisonError;

use super::Uploads;
use super::places::Places;
use super::views::{DropArea, DropOver, DropTarget, FilesTaken};
use crate::connections::views::ConnectionKind;
use crate::drive::reading::read_folder;
use crate::events::{
    AttachmentsChanged, DropAwaitsStudio, DropEntered, DropLeft, DropMoved, Event, FilesDropped, SyncedSourceDropped,
};
use crate::problem::Problem;

impl Uploads {
    fn places(&self) -> std::sync::MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says where dropped files land; nowhere where there is no target.
    ///
    /// # Errors
    /// `folder_not_found` where the target is no folder's id.
    pub async fn set_drop_target(&self, target: Option<DropTarget>) -> Result<(), Problem> {
        if let Some(target) = &target {
            read_folder(target.folder_id.as_deref())?;
        }
        self.places().target = target;
        Ok(())
    }

    /// Says where on the screen a place for dropped files is, beside the drive; nowhere where there is no such place.
    pub fn set_drop_area(&self, of: DropOver, area: Option<DropArea>) {
        self.places().set_area(of, area);
    }

    /// Files are being dragged over the window, at a point of the page.
    pub fn drag_entered(&self, count: usize, at: (f64, f64)) {
        let target_label = {
            let mut places = self.places();
            places.over = DropOver::Drive;
            places.target.as_ref().map(|target| target.label.clone())
        };
        self.core.emit(Event::DropEntered(DropEntered { count: count.into(), target_label }));
        self.drag_moved(at);
    }

    /// The dragged files have moved. The page is told only where that makes a difference.
    pub fn drag_moved(&self, at: (f64, f64)) {
        let over = {
            let mut places = self.places();
            let over = places.at(at);
            (std::mem::replace(&mut places.over, over) != over).then_some(over)
        };
        if let Some(over) = over {
            self.core.emit(Event::DropMoved(DropMoved { over }));
        }
    }

    /// The dragged files left the window again.
    pub fn drag_left(&self) {
        self.core.emit(Event::DropLeft(DropLeft {}));
    }

    /// The files were dropped at a point of the page: sends them where that place leads, and tells the page which were
    /// taken.
    pub async fn take_drop(&self, paths: Vec<PathBuf>, at: (f64, f64)) {
        self.drag_left();
        let (target, over) = {
            let places = self.places();
            (places.target.clone(), places.at(at))
        };
        let Some(target) = target else { return };
        if let Some(count) = self.keep_for_studio(&paths) {
            return self.core.emit(Event::DropAwaitsStudio(DropAwaitsStudio { count: count.into() }));
        }
        let taken = match over {
            DropOver::Drive => self.take_files(paths, target.folder_id.as_deref()).await,
            DropOver::Design => self.attach_dropped(paths).await,
            DropOver::BrandKit => return self.brand_kits.take_dropped(paths).await,
            DropOver::Step => {
                let (source, problem) = match self.synced.take_synced_source(&paths) {
                    Ok(source) => (Some(source), None),
                    Err(problem) => (None, Some(problem)),
                };
                return self.core.emit(Event::SyncedSourceDropped(SyncedSourceDropped { source, problem }));
            }
        };
        let (taken, problem) = match taken {
            Ok(taken) => (Some(taken), None),
            Err(problem) => (None, Some(problem)),
        };
        self.core.emit(Event::FilesDropped(FilesDropped { taken, problem }));
    }

    /// Where there is no service yet, keeps dropped files with those that wait already; returns their number.
    fn keep_for_studio(&self, paths: &[PathBuf]) -> Option<usize> {
        let waiting = &mut self.places().awaiting_studio;
        if !self.connections.all().is_empty() {
            return None;
        }
        for path in paths {
            if !waiting.contains(path) {
                waiting.push(path.clone());
            }
        }
        Some(waiting.len())
    }

    /// Takes what was dropped before the studio of this computer was started, now that it is in view; `None` where
    /// nothing was. Where another service is in view, what was dropped is let go.
    ///
    /// # Errors
    /// What the connection's state says; `data_unwritable`.
    pub async fn take_awaiting_drop(&self) -> Result<Option<FilesTaken>, Problem> {
        let paths = self.forget_awaiting_drop();
        let is_in_view = self.connections.selected().is_ok_and(|connection| connection.kind == ConnectionKind::Local);
        if paths.is_empty() || !is_in_view { Ok(None) } else { self.take_files(paths, None).await.map(Some) }
    }

    /// Drops the waiting files: another service was chosen.
    pub(crate) fn forget_awaiting_drop(&self) -> Vec<PathBuf> {
        std::mem::take(&mut self.places().awaiting_studio)
    }

    async fn attach_dropped(&self, paths: Vec<PathBuf>) -> Result<FilesTaken, Problem> {
        let (attachments, skipped) = self.attachments.attach_files(paths).await?;
        let taken = FilesTaken { accepted: attachments.len().into(), skipped };
        self.core.emit(Event::AttachmentsChanged(AttachmentsChanged { attachments }));
        Ok(taken)
    }
}
