//! Items of the drive are moved, renamed and deleted: folders, files and canvases.
//!
//! Always true here: a reference is prefixed (specification, Identifiers 3); a bare UUID is 422, because it does not
//! say of which kind it is.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::call::Call;
use crate::faults::Contradiction;
use crate::ids::is_uuid;
use crate::reply::{Body, Outcome, Refusal, Reply};
use crate::state::State;
use crate::switch::Switch;
use crate::uploads::sanitized;

/// What [`Switch::NamesRefused`] does not allow in a name.
pub const REFUSED_LETTERS: &str = "<>:\"|?*\\#%";

/// What kind of item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Folder,
    File,
    Canvas,
}

impl Kind {
    fn noun(self) -> &'static str {
        match self {
            Self::Folder => "folder",
            Self::File => "file",
            Self::Canvas => "canvas",
        }
    }
}

impl State {
    /// The kind of an item that is there.
    pub(crate) fn kind_of(&self, id: &str) -> Option<Kind> {
        match () {
            () if self.folders.contains_key(id) => Some(Kind::Folder),
            () if self.files.contains_key(id) => Some(Kind::File),
            () if self.canvases.contains_key(id) => Some(Kind::Canvas),
            () => None,
        }
    }

    fn item_in_path(&self, call: &Call<'_>) -> Result<(String, Kind), Refusal> {
        if is_uuid(&call.place) {
            return Err(Refusal::fields(&[("item_ref", "prefixed_id_required")]));
        }
        let id = self.ids.read(&call.place);
        if self.faults.holds(&Contradiction::ListedIsGone(id.clone())) {
            return Err(Refusal::missing("file"));
        }
        let noun = match () {
            () if id.starts_with("fld_") => "folder",
            () if id.starts_with(self.file_prefix()) => "file",
            () => "canvas",
        };
        self.kind_of(&id).map(|kind| (id, kind)).ok_or_else(|| Refusal::missing(noun))
    }

    /// Whether a name can be one at all.
    pub(crate) fn check_name(&self, name: &str) -> Result<(), Refusal> {
        let is_long = name.chars().count() > 255;
        let is_odd = name.contains(|letter| REFUSED_LETTERS.contains(letter))
            || name.starts_with([' ', '.'])
            || name.ends_with([' ', '.']);
        if name.is_empty() || is_long || name.contains('/') || self.has(Switch::NamesRefused) && is_odd {
            return Err(Refusal::fields(&[("name", "invalid_name")]));
        }
        Ok(())
    }

    /// 409: the name is taken by this item.
    pub(crate) fn name_conflict(&self, noun: &str, other: &str) -> Refusal {
        let field = if self.has(Switch::ConflictNamesFolder) && noun == "folder" {
            "existing_folder_id"
        } else {
            "existing_id"
        };
        let refusal = Refusal::new(409, &format!("{noun}_name_conflict"), "This name is taken");
        if self.has(Switch::ConflictWithoutDetails) { refusal } else { refusal.detailing(json!({field: other})) }
    }

    /// The item of this kind and name in a folder.
    fn item_named(&self, kind: Kind, folder: Option<&str>, name: &str) -> Option<String> {
        match kind {
            Kind::Folder => self.folder_named(folder, name),
            Kind::File => self.file_named(folder, name),
            Kind::Canvas => self.canvas_named(folder, name),
        }
    }

    pub(crate) fn item_name(&self, id: &str, kind: Kind) -> String {
        match kind {
            Kind::Folder => self.folders.get(id).map(|folder| folder.name.clone()),
            Kind::File => self.files.get(id).map(|file| file.name.clone()),
            Kind::Canvas => self.canvases.get(id).map(|canvas| canvas.name.clone()),
        }
        .unwrap_or_default()
    }

    pub(crate) fn item_folder(&self, id: &str, kind: Kind) -> Option<String> {
        match kind {
            Kind::Folder => self.folders.get(id)?.parent.clone(),
            Kind::File => self.files.get(id)?.folder.clone(),
            Kind::Canvas => self.canvases.get(id)?.folder.clone(),
        }
    }

    /// Gives an item its name and its folder.
    pub(crate) fn place(&mut self, id: &str, kind: Kind, name: String, folder: Option<String>, now: Timestamp) {
        let before = self.item_folder(id, kind);
        self.touch(before.as_deref(), now);
        self.touch(folder.as_deref(), now);
        let is_still = self.has(Switch::FileTimesStill);
        match kind {
            Kind::Folder => {
                if let Some(item) = self.folders.get_mut(id) {
                    (item.name, item.parent, item.updated_at) = (name, folder, now);
                }
            }
            Kind::File => {
                if let Some(item) = self.files.get_mut(id) {
                    (item.name, item.folder) = (name, folder);
                    item.updated_at = if is_still { item.updated_at } else { now };
                }
            }
            Kind::Canvas => {
                if let Some(item) = self.canvases.get_mut(id) {
                    (item.name, item.folder, item.updated_at) = (name, folder, now);
                }
            }
        }
    }

    pub(crate) fn move_item(&mut self, call: &Call<'_>) -> Outcome {
        let (id, kind) = self.item_in_path(call)?;
        let fields = call.fields(&["folder_id"])?;
        let folder = match fields.text("folder_id")? {
            Some(text) if is_uuid(text) => return Err(Refusal::fields(&[("folder_id", "prefixed_id_required")])),
            Some(text) => self.folder_in_body("folder_id", text)?,
            None => None,
        };
        if folder.as_ref().is_some_and(|folder| kind == Kind::Folder && self.below(&id).contains(folder)) {
            return Err(Refusal::new(409, "folder_circular_reference", "A folder cannot lie in itself"));
        }
        let name = self.item_name(&id, kind);
        self.check_free(&id, kind, folder.as_deref(), &name)?;
        if !self.faults.holds(&Contradiction::ChangesWithoutEffect) {
            self.place(&id, kind, name, folder, call.now);
        }
        Ok(self.changed("move", &id, kind))
    }

    pub(crate) fn change_item(&mut self, call: &Call<'_>) -> Outcome {
        let (id, kind) = self.item_in_path(call)?;
        let fields = call.fields(&["name", "visibility"])?;
        let is_without_effect = self.faults.holds(&Contradiction::ChangesWithoutEffect);
        if let Some(name) = fields.text("name")? {
            let name = if self.has(Switch::RenamesSanitized) { sanitized(name) } else { name.to_owned() };
            self.check_name(&name)?;
            let folder = self.item_folder(&id, kind);
            self.check_free(&id, kind, folder.as_deref(), &name)?;
            if !is_without_effect {
                self.place(&id, kind, name, folder, call.now);
            }
        }
        match fields.text("visibility")? {
            None => {}
            Some(visibility @ ("team" | "private")) if !is_without_effect => self.show(&id, kind, visibility),
            Some("team" | "private") => {}
            Some(_) => return Err(Refusal::fields(&[("visibility", "unknown_value")])),
        }
        Ok(self.changed("rename", &id, kind))
    }

    fn check_free(&self, id: &str, kind: Kind, folder: Option<&str>, name: &str) -> Result<(), Refusal> {
        if self.has(Switch::NamesNotUnique) {
            return Ok(());
        }
        // Where uploads may put two files of one name side by side, an item does not stand in its own way.
        match self.item_named(kind, folder, name).filter(|other| other != id) {
            Some(other) => Err(self.name_conflict(kind.noun(), &other)),
            None => Ok(()),
        }
    }

    fn show(&mut self, id: &str, kind: Kind, visibility: &str) {
        let shown = match kind {
            Kind::Folder => self.folders.get_mut(id).map(|item| &mut item.visibility),
            Kind::File => self.files.get_mut(id).map(|item| &mut item.visibility),
            Kind::Canvas => self.canvases.get_mut(id).map(|item| &mut item.visibility),
        };
        if let Some(shown) = shown {
            visibility.clone_into(shown);
        }
    }

    pub(crate) fn delete_item(&mut self, call: &Call<'_>) -> Outcome {
        let (id, kind) = self.item_in_path(call)?;
        let is_recursive = match call.query("recursive") {
            None | Some("false") => false,
            Some("true") => true,
            Some(_) => return Err(Refusal::fields(&[("recursive", "not_a_truth")])),
        };
        let item = self.item_record(&id, kind);
        if kind == Kind::Folder && !is_recursive && !self.is_empty_folder(&id) {
            return Err(Refusal::new(409, "folder_not_empty", "This folder is not empty"));
        }
        if !self.faults.holds(&Contradiction::DeletionsWithoutEffect) {
            self.remove(&id, kind, call.now);
        }
        if self.has(Switch::DeletesAnswer204) {
            return Ok(Reply::new(204, Body::Empty));
        }
        Ok(Reply::ok(json!({"operation": "delete", "committed": true, "item": item})))
    }

    fn is_empty_folder(&self, id: &str) -> bool {
        let is_here = |folder: &Option<String>| folder.as_deref() == Some(id);
        !self.folders.values().any(|folder| is_here(&folder.parent))
            && !self.files.values().any(|file| is_here(&file.folder))
            && !self.canvases.values().any(|canvas| is_here(&canvas.folder))
    }

    /// Removes an item, a folder with everything in it.
    pub(crate) fn remove(&mut self, id: &str, kind: Kind, now: Timestamp) {
        let folder = self.item_folder(id, kind);
        self.touch(folder.as_deref(), now);
        match kind {
            Kind::File => drop(self.files.remove(id)),
            Kind::Canvas => drop(self.canvases.remove(id)),
            Kind::Folder => {
                let gone = self.below(id);
                let is_in = |folder: &Option<String>| folder.as_ref().is_some_and(|folder| gone.contains(folder));
                self.files.retain(|_, file| !is_in(&file.folder));
                self.canvases.retain(|_, canvas| !is_in(&canvas.folder));
                self.folders.retain(|id, _| !gone.contains(id));
            }
        }
    }

    fn item_record(&self, id: &str, kind: Kind) -> Value {
        let mut record = match kind {
            Kind::Folder => self.folder_record(id),
            Kind::File => self.file_record(id),
            Kind::Canvas => self.canvas_record(id),
        };
        record["kind"] = kind.noun().into();
        if kind == Kind::Folder {
            record["folder_id"] = record["parent_folder_id"].clone();
        }
        record
    }

    fn changed(&self, operation: &str, id: &str, kind: Kind) -> Reply {
        let item = self.item_record(id, kind);
        Reply::ok(match () {
            () if self.has(Switch::ChangesAnswerItem) => item,
            () if self.has(Switch::ChangesAnswerEmpty) => json!({}),
            () => json!({"operation": operation, "committed": true, "item": item}),
        })
    }
}
