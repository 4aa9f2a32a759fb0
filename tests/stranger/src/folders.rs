//! The drive's folders, and its tree.

use serde_json::{Value, json};

use crate::call::Call;
use crate::faults::Contradiction;
use crate::ids::is_uuid;
use crate::lists::Listing;
use crate::records::Row;
use crate::reply::{Outcome, Refusal, Reply};
use crate::state::{Folder, State, time};
use crate::switch::Switch;
use crate::uploads::sanitized;

/// What a filter by folder asks for.
pub(crate) enum Within {
    Everywhere,
    Top,
    Folder(String),
}

impl State {
    /// A folder that a body names, by its id or its UUID.
    pub(crate) fn folder_in_body(&self, field: &str, text: &str) -> Result<Option<String>, Refusal> {
        let id = self.ids.read(text);
        if self.folders.contains_key(&id) {
            return Ok(Some(id));
        }
        if id.starts_with("fld_") || is_uuid(text) {
            return Err(Refusal::missing("folder"));
        }
        Err(Refusal::fields(&[(field, "not_a_folder_id")]))
    }

    /// A filter by folder, which takes the prefixed form alone (specification, Identifiers 3).
    pub(crate) fn within(&self, call: &Call<'_>, parameter: &str) -> Result<Within, Refusal> {
        match call.query(parameter) {
            None => Ok(Within::Everywhere),
            Some("root") => Ok(Within::Top),
            Some(text) if !text.starts_with("fld_") => Err(Refusal::fields(&[(parameter, "not_a_folder_id")])),
            Some(text) => {
                let id = self.ids.read(text);
                if self.folders.contains_key(&id) { Ok(Within::Folder(id)) } else { Err(Refusal::missing("folder")) }
            }
        }
    }

    /// A folder by its name among the folders beside it.
    pub(crate) fn folder_named(&self, parent: Option<&str>, name: &str) -> Option<String> {
        let key = self.name_key(name);
        let is_it = |folder: &Folder| folder.parent.as_deref() == parent && self.name_key(&folder.name) == key;
        self.folders.iter().find(|(_, folder)| is_it(folder)).map(|(id, _)| id.clone())
    }

    pub(crate) fn folder_record(&self, id: &str) -> Value {
        let Some(folder) = self.folders.get(id) else { return Value::Null };
        let is_here = |parent: &Option<String>| parent.as_deref() == Some(id);
        json!({
            "id": id,
            "name": folder.name,
            "path": format!("/{}", self.path(Some(id))),
            "parent_folder_id": folder.parent,
            "canvas_count": self.canvases.values().filter(|canvas| is_here(&canvas.folder)).count(),
            "file_count": self.files.values().filter(|file| is_here(&file.folder)).count(),
            "subfolder_count": self.folders.values().filter(|folder| is_here(&folder.parent)).count(),
            "visibility": folder.visibility,
            "created_at": time(folder.created_at),
            "updated_at": time(folder.updated_at),
        })
    }

    pub(crate) fn list_folders(&mut self, call: &Call<'_>) -> Outcome {
        let within = self.within(call, "parent_id")?;
        let rows = self
            .folders
            .iter()
            .filter(|(id, folder)| {
                let is_within = match &within {
                    Within::Everywhere => true,
                    Within::Top => folder.parent.is_none(),
                    Within::Folder(parent) => folder.parent.as_ref() == Some(parent),
                };
                is_within && !self.faults.holds(&Contradiction::FolderUnlisted((*id).clone()))
            })
            .map(|(id, folder)| Row {
                id: id.clone(),
                name: folder.name.clone(),
                created_at: folder.created_at,
                updated_at: folder.updated_at,
                size: 0,
                json: self.folder_record(id),
            })
            .collect();
        self.page(call, Listing::of_drive("folders", rows))
    }

    pub(crate) fn create_folder(&mut self, call: &Call<'_>) -> Outcome {
        let fields = call.fields(&["name", "parent_folder_id", "idempotency_key"])?;
        if let Some(id) = self.repeated(call, fields)? {
            return Ok(self.created(self.wrapped("folder", self.folder_record(&id))));
        }
        let asked = fields.some_text("name")?;
        let name = if self.has(Switch::RenamesSanitized) { sanitized(asked) } else { asked.to_owned() };
        self.check_name(&name)?;
        let parent = match fields.text("parent_folder_id")? {
            Some(parent) => self.folder_in_body("parent_folder_id", parent)?,
            None => None,
        };
        if !self.has(Switch::NamesNotUnique)
            && let Some(other) = self.folder_named(parent.as_deref(), &name)
        {
            return Err(self.name_conflict("folder", &other));
        }
        let id = self.make_id("fld", call.now);
        self.touch(parent.as_deref(), call.now);
        let visibility = "team".to_owned();
        let folder = Folder { name, parent, visibility, created_at: call.now, updated_at: call.now };
        self.folders.insert(id.clone(), folder);
        self.remember_answer(call, fields, &id);
        Ok(self.created(self.wrapped("folder", self.folder_record(&id))))
    }

    pub(crate) fn read_tree(&self, call: &Call<'_>) -> Outcome {
        let depth = call.number("depth")?.unwrap_or(3);
        if !(1..=10).contains(&depth) {
            return Err(Refusal::fields(&[("depth", "out_of_range")]));
        }
        let mut is_truncated = false;
        let tree = self.branches(None, depth, &mut is_truncated);
        Ok(Reply::ok(json!({"tree": tree, "depth": depth, "truncated": is_truncated})))
    }

    fn branches(&self, parent: Option<&str>, depth: u64, is_truncated: &mut bool) -> Vec<Value> {
        let children = self.folders.iter().filter(|(id, folder)| {
            folder.parent.as_deref() == parent && !self.faults.holds(&Contradiction::FolderUnlisted((*id).clone()))
        });
        let mut branches = Vec::new();
        for (id, _) in children {
            let mut record = self.folder_record(id);
            let has_more = self.folders.values().any(|folder| folder.parent.as_ref() == Some(id));
            let is_cut = depth == 1 && has_more;
            *is_truncated |= is_cut;
            record["children"] =
                if depth == 1 { json!([]) } else { self.branches(Some(id), depth - 1, is_truncated).into() };
            record["children_truncated"] = is_cut.into();
            branches.push(record);
        }
        branches
    }

    /// One record under its noun, or as it is.
    pub(crate) fn wrapped(&self, noun: &str, record: Value) -> Value {
        if self.has(Switch::RecordsUnwrapped) { record } else { json!({noun: record}) }
    }
}
