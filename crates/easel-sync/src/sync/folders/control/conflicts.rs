//! Finds out, when nothing else is left to do, which conflicts of a folder are still open.
//!
//! Always true: a choice that was half carried out when the program ended is finished first, and a conflict is not
//! judged while it is settled. Not here: by what a conflict is over (`sync/conflicts`), and settling one
//! (`folders/conflicts.rs`).

use super::Control;
use super::commands::of_store;
use crate::shared::error::Error;
use crate::sync::conflicts::{Judged, judge};
use crate::sync::folders::conflicts::{finish_begun, take_turn};
use crate::sync::ports::Disk as _;

impl Control {
    /// Writes down which conflicts are over, and shows how many are still open.
    pub(super) async fn judge_conflicts(&mut self) {
        if let Err(error) = self.try_to_judge_conflicts().await {
            tracing::warn!(%error, "which conflicts are over could not be written down; the next look finds out again");
        }
    }

    async fn try_to_judge_conflicts(&mut self) -> Result<(), Error> {
        let (Some(engine), Some(ground)) = (&mut self.engine, &self.ground) else { return Ok(()) };
        let journal = &self.shared.journal;
        // Settling takes one of the two files away, which would look like the end of the conflict; so both take turns.
        let _turn = take_turn(self.watch.id).await;
        finish_begun(journal, &self.watched, &ground.disk).await?;
        let is_ignored = |path: &str| ground.disk.is_ignored(path, false);
        let conflicts = journal.list_conflicts(self.watch.id).await?;
        let paths = conflicts.iter().flat_map(|conflict| [conflict.path.as_str(), conflict.kept_as.as_str()]);
        engine.load_around(paths).await.map_err(|error| of_store(&error))?;
        let Judged { whole, over } = judge(&conflicts, engine.local(), engine.agreed(), is_ignored);
        if !(whole.is_empty() && over.is_empty()) {
            journal.record_conflicts(self.watch.id, &whole, &over).await?;
            self.watched.show_conflicts(journal).await?;
        }
        Ok(())
    }
}
