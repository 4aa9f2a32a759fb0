//! Changes to items of the drive: move, rename, visibility, delete (specification, `/v1/drive/items/{item_ref}`).
//!
//! Always true: a change whose answer was lost is looked up before it is asked for again, so that nobody else's change
//! in between is undone; a delete whose repeat finds nothing has happened. Not here: undo.

use easel_wire::drive::{ChangeItem, ChangedItem, MoveItem, Visibility};
use easel_wire::{CanvasId, ErrorType, FileId, FolderId, ItemRef, Scope};
use http::Method;

use crate::client::{Call, Client};
use crate::drive::Place;
use crate::error::Error;
use crate::paging::PageRequest;
use crate::retry::Tries;
use crate::settle::{hash_text, is_same_name};

/// So many pages of 200 folders are read at most to look at one.
const MOST_PAGES: u32 = 50;

impl Client {
    /// Moves an item into a folder, or to the top of the drive.
    ///
    /// # Errors
    /// `*_name_conflict` with [`Error::existing_id`], `folder_circular_reference`, `*_not_found`; [`Error::AnswerLost`]
    /// where it could not be found out whether the item was moved; else what the service answers.
    pub async fn move_item(&self, item: ItemRef, folder: Option<FolderId>) -> Result<ChangedItem, Error> {
        let call = self
            .call(Method::POST, &["drive", "items", &item.prefixed()?, "move"])
            .needs(Scope::CanvasesWrite)
            .json(&MoveItem { folder_id: folder })?;
        self.change(&call, item, |seen| seen.folder_id == Some(folder)).await
    }

    /// Gives an item another name, 1 to 255 characters.
    ///
    /// # Errors
    /// As [`Client::move_item`].
    pub async fn rename_item(&self, item: ItemRef, name: &str) -> Result<ChangedItem, Error> {
        let change = ChangeItem { name: Some(name.to_owned()), visibility: None };
        let call = self
            .call(Method::PATCH, &["drive", "items", &item.prefixed()?])
            .needs(Scope::CanvasesWrite)
            .json(&change)?;
        self.change(&call, item, |seen| seen.name.as_deref().is_some_and(|now| is_same_name(now, name))).await
    }

    /// Sets who may see an item.
    ///
    /// # Errors
    /// As [`Client::move_item`].
    pub async fn set_visibility(&self, item: ItemRef, visibility: &Visibility) -> Result<ChangedItem, Error> {
        let change = ChangeItem { name: None, visibility: Some(visibility.clone()) };
        let call = self
            .call(Method::PATCH, &["drive", "items", &item.prefixed()?])
            .needs(Scope::CanvasesWrite)
            .json(&change)?;
        self.change(&call, item, |seen| seen.visibility.as_ref() == Some(visibility)).await
    }

    /// Deletes an item; with `recursive` also a folder that is not empty.
    ///
    /// # Errors
    /// `folder_not_empty`, `*_not_found`; [`Error::AnswerLost`] where it could not be found out whether the item was
    /// deleted; else what the service answers.
    pub async fn delete_item(&self, item: ItemRef, recursive: bool) -> Result<ChangedItem, Error> {
        self.take_away(item, self.deletion_of(item)?.query("recursive", recursive.then_some("true"))).await
    }

    /// Deletes a file, if it still has the content with this SHA-256. A service that keeps no versions does not know
    /// the condition, and needs none: there a file's content never changes.
    ///
    /// # Errors
    /// As [`Client::delete_item`]; `content_changed` where the file has other content by now.
    pub async fn delete_file(&self, file: FileId, expected: &[u8; 32]) -> Result<ChangedItem, Error> {
        let item = ItemRef::File(file);
        let expected = hash_text(expected);
        self.take_away(item, self.deletion_of(item)?.query("expected_content_hash", Some(expected.as_str()))).await
    }

    fn deletion_of(&self, item: ItemRef) -> Result<Call, Error> {
        Ok(self.call(Method::DELETE, &["drive", "items", &item.prefixed()?]).needs(Scope::CanvasesWrite))
    }

    /// Removes an item from its place. If a repeat after a lost answer does not find it there, it was removed.
    pub(crate) async fn take_away(&self, item: ItemRef, call: Call) -> Result<ChangedItem, Error> {
        let mut tries = Tries::new(self.shared.jitter.clone());
        let mut was_lost = false;
        loop {
            let error = match self.change_once(&call).await {
                Ok(changed) => return Ok(changed),
                Err(error) => error,
            };
            if was_lost && error.error_type() == Some(&ErrorType::NotFound) {
                return Ok(ChangedItem { id: Some(item), ..ChangedItem::default() });
            }
            if !error.is_answer_lost() {
                return Err(if was_lost && error.is_offline() { lost(error) } else { error });
            }
            was_lost = true;
            self.pause(tries.back_off(), lost(error)).await?;
        }
    }

    /// Asks for a change. After a lost answer, looks whether it `is_done`, and else asks again.
    async fn change(
        &self,
        call: &Call,
        item: ItemRef,
        is_done: impl Fn(&ChangedItem) -> bool,
    ) -> Result<ChangedItem, Error> {
        let mut tries = Tries::new(self.shared.jitter.clone());
        let mut was_lost = false;
        loop {
            let error = match self.change_once(call).await {
                Err(error) if error.is_answer_lost() => error,
                Err(error) if was_lost && error.is_offline() => return Err(lost(error)),
                outcome => return outcome,
            };
            was_lost = true;
            let next = tries.back_off();
            self.pause(next, lost(error)).await?;
            match self.look_at(item).await {
                Ok(Some(seen)) if is_done(&seen) => return Ok(seen),
                Ok(_) => {}
                Err(error) if error.is_offline() => return Err(lost(error)),
                Err(error) => return Err(error),
            }
        }
    }

    /// A successful answer shows that the change was made, whatever fields it has.
    async fn change_once(&self, call: &Call) -> Result<ChangedItem, Error> {
        let answer = self.send(call).await?;
        // A web page with status 200 comes from another program.
        ChangedItem::from_json(&answer.body).ok_or_else(|| answer.misread())
    }

    /// The item as it is now; `None` where no list shows it.
    async fn look_at(&self, item: ItemRef) -> Result<Option<ChangedItem>, Error> {
        match item {
            ItemRef::File(file) => {
                let file = self.get_file(file).await?;
                Ok(Some(ChangedItem {
                    id: Some(item),
                    name: Some(file.name),
                    folder_id: file.folder_id,
                    visibility: file.visibility,
                    updated_at: file.updated_at,
                }))
            }
            ItemRef::Canvas(canvas) => self.look_at_canvas(canvas).await.map(Some),
            ItemRef::Folder(folder) => self.look_at_folder(folder).await,
        }
    }

    async fn look_at_canvas(&self, canvas: CanvasId) -> Result<ChangedItem, Error> {
        self.get_json(&self.call(Method::GET, &["canvases", &canvas.text()])).await
    }

    /// No route reads a single folder, so the flat list is read.
    async fn look_at_folder(&self, folder: FolderId) -> Result<Option<ChangedItem>, Error> {
        let mut request = PageRequest { limit: Some(200), ..PageRequest::default() };
        for _ in 0..MOST_PAGES {
            let page = self.list_folders(&Place::Everywhere, &request).await?;
            if let Some(found) = page.items.iter().find(|found| found.id == folder) {
                return Ok(Some(ChangedItem {
                    id: Some(ItemRef::Folder(folder)),
                    name: Some(found.name.clone()),
                    folder_id: found.parent_folder_id,
                    visibility: found.visibility.clone(),
                    updated_at: found.updated_at,
                }));
            }
            match request.after(&page) {
                Some(next) => request = next,
                None => return Ok(None),
            }
        }
        Ok(None)
    }
}

fn lost(cause: Error) -> Error {
    Error::AnswerLost { cause: Box::new(cause) }
}
