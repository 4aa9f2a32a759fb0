//! Brand kits.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::call::{Call, Fields};
use crate::ids::is_uuid;
use crate::lists::Listing;
use crate::records::{Kit, Row};
use crate::reply::{Body, Outcome, Refusal, Reply};
use crate::state::{State, time};
use crate::switch::Switch;

/// What a kit can be given (contract, Brand kits); `name` where kits have that.
const FIELDS: [&str; 8] = ["title", "name", "company_name", "company_url", "tagline", "colors", "fonts", "logos"];

impl State {
    /// A kit that a body names.
    pub(crate) fn kit_in_body(&self, text: &str) -> Result<String, Refusal> {
        let id = self.ids.read(text);
        if self.kits.contains_key(&id) {
            return Ok(id);
        }
        if id.starts_with("bk_") || is_uuid(text) {
            return Err(Refusal::missing("brand_kit"));
        }
        Err(Refusal::fields(&[("brand_kit_id", "not_a_brand_kit_id")]))
    }

    fn kit_in_path(&self, call: &Call<'_>) -> Result<String, Refusal> {
        let id = self.ids.read(&call.place);
        if self.kits.contains_key(&id) { Ok(id) } else { Err(Refusal::missing("brand_kit")) }
    }

    fn kit_record(&self, id: &str, is_older: bool) -> Value {
        let Some(kit) = self.kits.get(id) else { return Value::Null };
        let field = |name: &str, other: Value| kit.fields.get(name).cloned().unwrap_or(other);
        let mut colors = field("colors", json!([]));
        if let (true, Some(colors)) = (self.has(Switch::KitColorsText), colors.as_array_mut()) {
            for color in colors {
                *color = color.get("color").cloned().unwrap_or_else(|| color.clone());
            }
        }
        let title = if self.has(Switch::KitsNamed) { "name" } else { "title" };
        let mut record = json!({
            "id": id,
            title: kit.title,
            "is_default": kit.is_default,
            "company_name": field("company_name", Value::Null),
            "company_url": field("company_url", Value::Null),
            "tagline": field("tagline", Value::Null),
            "colors": colors,
            "fonts": field("fonts", json!([])),
            "logos": field("logos", json!([])),
            "created_at": time(kit.created_at),
            "updated_at": time(kit.updated_at),
        });
        if is_older {
            record["team_id"] = self.account.team_id();
        }
        record
    }

    pub(crate) fn list_kits(&mut self, call: &Call<'_>) -> Outcome {
        let rows = self
            .kits
            .iter()
            .map(|(id, kit)| Row {
                id: id.clone(),
                name: kit.title.clone(),
                created_at: kit.created_at,
                updated_at: kit.updated_at,
                size: 0,
                json: self.kit_record(id, call.is_older),
            })
            .collect();
        self.page(call, Listing::new("brand_kits", rows))
    }

    pub(crate) fn create_kit(&mut self, call: &Call<'_>) -> Outcome {
        let (title, fields) = if self.has(Switch::KitsFromUrlAlone) {
            let url = call.fields(&["url"])?.some_text("url")?;
            let host = url::Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
            let host = host.ok_or_else(|| Refusal::fields(&[("url", "not_a_url")]))?;
            (host, Map::from_iter([("company_url".to_owned(), json!(url))]))
        } else {
            let fields = call.fields(&FIELDS)?;
            let title = title_in(fields)?.ok_or_else(|| Refusal::fields(&[("title", "required")]))?;
            (title, fields.0.clone())
        };
        let id = self.make_kit(&title, fields, call.now);
        Ok(self.created(self.kit_record(&id, call.is_older)))
    }

    /// Makes a kit; the first of a team is its default.
    pub(crate) fn make_kit(&mut self, title: &str, fields: Map<String, Value>, now: Timestamp) -> String {
        let id = self.make_id("bk", now);
        let is_default = self.kits.is_empty();
        let kit = Kit { title: title.to_owned(), is_default, fields, created_at: now, updated_at: now };
        self.kits.insert(id.clone(), kit);
        id
    }

    pub(crate) fn read_kit(&self, call: &Call<'_>) -> Outcome {
        let id = self.kit_in_path(call)?;
        Ok(Reply::ok(self.kit_record(&id, call.is_older)))
    }

    pub(crate) fn change_kit(&mut self, call: &Call<'_>) -> Outcome {
        let id = self.kit_in_path(call)?;
        let fields = call.fields(&FIELDS)?;
        let title = title_in(fields)?;
        if let Some(kit) = self.kits.get_mut(&id) {
            kit.fields.extend(fields.0.clone());
            kit.updated_at = call.now;
            if let Some(title) = title {
                kit.title = title;
            }
        }
        Ok(Reply::ok(self.kit_record(&id, call.is_older)))
    }

    pub(crate) fn delete_kit(&mut self, call: &Call<'_>) -> Outcome {
        let id = self.kit_in_path(call)?;
        self.kits.remove(&id);
        if self.has(Switch::DeletesAnswer204) {
            return Ok(Reply::new(204, Body::Empty));
        }
        Ok(Reply::ok(json!({"id": id, "deleted": true})))
    }

    pub(crate) fn add_kit_image(&mut self, call: &Call<'_>) -> Outcome {
        let id = self.kit_in_path(call)?;
        let fields = call.fields(&["file_id", "role", "label"])?;
        let file_id = self.ids.read(fields.some_text("file_id")?);
        let role = fields.text("role")?.unwrap_or("logo");
        if !["logo", "reference", "asset"].contains(&role) {
            return Err(Refusal::fields(&[("role", "unknown_value")]));
        }
        let file = self.files.get(&file_id).ok_or_else(|| Refusal::missing("file"))?;
        let url = format!("{}/v1/drive/files/{file_id}/download", self.origin);
        let name = fields.text("label")?.unwrap_or(&file.name);
        let image = json!({"name": name, "url": url, "file_id": file_id});
        if let Some(kit) = self.kits.get_mut(&id) {
            let logos = kit.fields.entry("logos").or_insert_with(|| json!([]));
            if let Some(groups) = logos.as_array_mut() {
                groups.push(json!({"group_name": role, "images": [image]}));
            }
            kit.updated_at = call.now;
        }
        Ok(self.created(self.kit_record(&id, call.is_older)))
    }
}

fn title_in(fields: Fields<'_>) -> Result<Option<String>, Refusal> {
    let title = fields.text("title")?.or(fields.text("name")?);
    if title.is_some_and(str::is_empty) {
        return Err(Refusal::fields(&[("title", "required")]));
    }
    Ok(title.map(str::to_owned))
}
