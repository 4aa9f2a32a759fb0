//! A picture of a design, exchanged for one of this computer or of the drive.
//!
//! Always true: the picture goes into the drive like every other file, and the design is drawn with it when it is there; a change is
//! meant for the drawing that the person saw, which becomes a version. Not here: which pictures there are, which is told with the
//! texts (`texts`).

use easel_wire::FileId;
use easel_wire::texts::ChangePicture;

use super::attachments::Attachments;
use super::texts::DesignTexts;
use super::views::DesignAttachment;
use super::{Designs, read_design};
use crate::messages;
use crate::problem::Problem;

impl Attachments {
    /// Asks for a picture and begins to send it; `None` where the person thought better of it.
    ///
    /// # Errors
    /// `picture_not_taken` where it cannot be sent, what the connection's state says, or what is the matter with the journal.
    pub async fn choose_picture(&self) -> Result<Option<DesignAttachment>, Problem> {
        let chosen = self.core.ports().desktop.choose_files().await.unwrap_or_default();
        // A design has one picture in one place.
        let Some(path) = chosen.into_iter().next() else { return Ok(None) };
        let (taken, skipped) = self.attach_files(vec![path]).await?;
        match (taken.into_iter().next(), skipped.into_iter().next()) {
            (None, Some(skipped)) => Err(messages::problem("picture_not_taken", &[("reason", &skipped.reason)])),
            (taken, _) => Ok(taken),
        }
    }
}

impl Designs {
    /// Puts a picture of the drive in the place of one of a design, wherever that stands. The design has a new version then.
    ///
    /// # Errors
    /// `canvas_changed` where the design is another than `revision` by now, `canvas_active_job`, `picture_unreadable`,
    /// `file_not_found`, `canvas_not_found`, what the connection's state says, or what the service answers.
    pub async fn change_design_picture(
        &self,
        design_id: String,
        revision: String,
        reference: String,
        file: FileId,
    ) -> Result<DesignTexts, Problem> {
        let id = read_design(&design_id)?;
        let connection = self.connections.selected()?;
        let client = connection.ready().await?.client;
        let texts = client.change_picture(id, &ChangePicture { revision, reference, file_id: file }).await;
        self.take_changed(&connection, id, texts)
    }
}
