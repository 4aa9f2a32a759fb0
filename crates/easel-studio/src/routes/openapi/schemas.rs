//! The shapes: every type that is read or written, as JSON Schema, and the bounds that the service holds them to.
//!
//! Added here is what the schema of a type alone does not say: an answer has all its fields, also where one is null,
//! and a request takes an id in either form. Each bound is the constant that the request is checked against.

use std::collections::BTreeMap;

use easel_wire::{Envelope, error};
use serde_json::{Value, json};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use crate::core::names::MAX_CHARS;
use crate::wire::tasks::{MAX_ATTACHMENTS, MAX_LABEL_CHARS, MAX_REFERENCES, PAGES, PROMPT_CHARS};
use crate::wire::uploads::{EXPIRES_IN_SECONDS, FILENAME_CHARS, MAX_MIME_BYTES};
use crate::wire::{account, brand_kits, canvases, colors, drive, organizations, tasks, team, texts, uploads, webhooks};

/// What an answer may leave out: fields of one version, and a picture that is not there.
const SOMETIMES: &[(&str, &str)] = &[
    ("BrandKit", "team_id"),
    ("Canvas", "thumbnail_url"),
    ("CanvasVersion", "thumbnail_url"),
    ("File", "content_hash"),
];

/// A name of a drive item: no control character, no separator. That it is neither `.` nor `..` is not said here.
pub const NAME_PATTERN: &str = r"^[^/\\\x00-\x1f\x7f-\x9f]+$";
/// The name of an upload: only what follows the last separator counts.
const FILENAME_PATTERN: &str = r"^[^\x00-\x1f\x7f-\x9f]*[^/\\\x00-\x1f\x7f-\x9f]$";
/// A type with its parameters, as they are commonly written.
const MIME_PATTERN: &str =
    r"^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*(; ?[A-Za-z0-9-]+=[A-Za-z0-9._-]+)*$";
const COLOR_PATTERN: &str = "^#[0-9A-Fa-f]{6}$";

/// Every component, by its name.
pub fn components() -> Value {
    let mut schemas: BTreeMap<String, Value> =
        collect().into_iter().map(|(name, schema)| (name, serde_json::to_value(schema).unwrap_or_default())).collect();
    for (name, schema) in &mut schemas {
        if is_request(schema) {
            take_ids_in_either_form(schema);
        } else {
            require_all(name, schema);
        }
    }
    for (path, bound) in bounds() {
        let (name, field) = path;
        if let Some(Value::Object(property)) =
            schemas.get_mut(name).and_then(|schema| schema["properties"].get_mut(field))
        {
            property.extend(bound.as_object().cloned().unwrap_or_default());
        }
    }
    json!(schemas)
}

/// The types themselves and all that they are made of.
fn collect() -> Vec<(String, RefOr<Schema>)> {
    let mut found = Vec::new();
    macro_rules! collect {
        ($($type:ty),+ $(,)?) => {
            $(
                found.push((<$type as ToSchema>::name().into_owned(), <$type as PartialSchema>::schema()));
                <$type as ToSchema>::schemas(&mut found);
            )+
        };
    }
    collect!(
        Envelope,
        error::FieldError,
        account::Whoami,
        organizations::OrganizationRecord,
        uploads::UploadLimits,
        uploads::SignUpload,
        uploads::SignedUpload,
        uploads::RegisterUpload,
        uploads::UploadResult,
        drive::CreateFolder,
        drive::FolderAnswer,
        drive::FileAnswer,
        drive::Tree,
        drive::Download,
        drive::MoveItem,
        drive::ChangeItem,
        drive::ItemChanged,
        drive::ReplaceContent,
        drive::FileVersions,
        drive::TrashedItem,
        drive::TrashEmptied,
        canvases::Canvas,
        canvases::CanvasVersions,
        canvases::RenameCanvas,
        canvases::CanvasPages,
        colors::CanvasColors,
        colors::ChangeColors,
        texts::CanvasTexts,
        texts::ChangeTexts,
        texts::ChangePicture,
        canvases::Export,
        tasks::StartTask,
        tasks::Remix,
        tasks::Task,
        tasks::JobResponse,
        tasks::TaskPreview,
        brand_kits::BrandKit,
        brand_kits::WriteBrandKit,
        brand_kits::AddBrandImage,
        team::TeamMembers,
        team::AuditLog,
        team::Invite,
        team::MadeInvitation,
        team::ChangePerson,
        team::PersonChanged,
        team::TeamRemoved,
        team::Redeem,
        team::Redeemed,
        webhooks::Delivery,
        webhooks::Event,
    );
    found
}

/// Whether a schema is a request's: requests refuse fields that they do not know.
fn is_request(schema: &Value) -> bool {
    schema["additionalProperties"] == json!(false)
}

/// Lets every id below be a bare UUID too (specification, "Identifiers", rule 1).
fn take_ids_in_either_form(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            let is_id = |reference: &str| reference.ends_with("Id");
            if fields.get("$ref").and_then(Value::as_str).is_some_and(is_id) {
                let id = Value::Object(std::mem::take(fields));
                *schema = json!({"anyOf": [id, {"type": "string", "format": "uuid"}]});
            } else {
                fields.values_mut().for_each(take_ids_in_either_form);
            }
        }
        Value::Array(parts) => parts.iter_mut().for_each(take_ids_in_either_form),
        _ => {}
    }
}

/// An answer has every field, `null` where there is nothing to say.
fn require_all(name: &str, schema: &mut Value) {
    if let Some(parts) = schema.get_mut("allOf").and_then(Value::as_array_mut) {
        parts.iter_mut().for_each(|part| require_all(name, part));
    }
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    let always = properties.keys().filter(|field| !SOMETIMES.contains(&(name, field.as_str())));
    schema["required"] = always.cloned().collect();
}

/// What holds for a field of a request beyond its type.
pub fn bounds() -> Vec<((&'static str, &'static str), Value)> {
    use crate::db::idempotency::MAX_KEY_CHARS;
    use crate::wire::brand_kits::{
        MAX_COLORS, MAX_FONTS, MAX_IMAGES, MAX_TAGLINE_CHARS, MAX_TEXT_CHARS, MAX_URL_CHARS,
    };
    let chars = |from: usize, to: usize| json!({"minLength": from, "maxLength": to});
    let name = json!({"minLength": 1, "maxLength": MAX_CHARS, "pattern": NAME_PATTERN});
    let filename =
        json!({"minLength": FILENAME_CHARS.start(), "maxLength": FILENAME_CHARS.end(), "pattern": FILENAME_PATTERN});
    let mime_type = json!({"minLength": 1, "maxLength": MAX_MIME_BYTES, "pattern": MIME_PATTERN});
    let prompt = chars(*PROMPT_CHARS.start(), *PROMPT_CHARS.end());
    let pages = json!({"minimum": PAGES.start(), "maximum": PAGES.end()});
    let items = |most: usize| json!({"maxItems": most});
    // A line of text; blanks around it do not count.
    let line =
        |from: usize, to: usize| json!({"minLength": from, "maxLength": to, "pattern": r"^[^\x00-\x1f\x7f-\x9f]*$"});
    let title = json!({"minLength": 1, "maxLength": MAX_TEXT_CHARS, "pattern": r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"});
    vec![
        (("SignUpload", "filename"), filename.clone()),
        (("SignUpload", "mime_type"), mime_type.clone()),
        (
            ("SignUpload", "expires_in_seconds"),
            json!({"minimum": EXPIRES_IN_SECONDS.start(), "maximum": EXPIRES_IN_SECONDS.end()}),
        ),
        (("RegisterUpload", "filename"), filename),
        (("RegisterUpload", "mime_type"), mime_type.clone()),
        (("ReplaceContent", "mime_type"), mime_type),
        (("ReplaceContent", "expected_content_hash"), json!({"pattern": "^sha256:[0-9A-Fa-f]{64}$"})),
        (("CreateFolder", "name"), name.clone()),
        (("CreateFolder", "idempotency_key"), chars(1, MAX_KEY_CHARS)),
        (("ChangeItem", "name"), name.clone()),
        (("RenameCanvas", "name"), name.clone()),
        (("ChangeTexts", "revision"), json!({"pattern": "^sha256:[0-9a-f]{64}$"})),
        (("ChangeTexts", "changes"), json!({"minItems": 1, "maxItems": texts::MAX_CHANGES})),
        (("TextChange", "page_number"), json!({"minimum": 1})),
        (("TextChange", "text"), chars(1, easel_canvas::texts::MAX_LETTERS)),
        (("ChangePicture", "revision"), json!({"pattern": "^sha256:[0-9a-f]{64}$"})),
        (("ChangeColors", "revision"), json!({"pattern": "^sha256:[0-9a-f]{64}$"})),
        (("ChangeColors", "changes"), json!({"minItems": 1, "maxItems": colors::MAX_CHANGES})),
        (("ColorChange", "color"), json!({"pattern": "^#[0-9A-Fa-f]{6}$"})),
        (("StartTask", "prompt"), prompt.clone()),
        (("StartTask", "canvas_name"), name.clone()),
        (("StartTask", "number_of_slides"), pages.clone()),
        (("StartTask", "attachments"), items(MAX_ATTACHMENTS)),
        (("StartTask", "reference_canvas_ids"), items(MAX_REFERENCES)),
        (("StartTask", "callback_url"), json!({"format": "uri"})),
        (("StartTask", "idempotency_key"), chars(1, MAX_KEY_CHARS)),
        (("Format", "page_count"), pages),
        (("Format", "label"), chars(0, MAX_LABEL_CHARS)),
        (("Format", "width"), json!({"minimum": 1})),
        (("Format", "height"), json!({"minimum": 1})),
        (("TaskAttachment", "label"), chars(0, MAX_LABEL_CHARS)),
        (("TaskAttachment", "url"), json!({"format": "uri"})),
        (("Remix", "prompt"), prompt),
        (("Remix", "new_name"), name),
        (("WriteBrandKit", "title"), title.clone()),
        (("WriteBrandKit", "company_name"), line(0, MAX_TEXT_CHARS)),
        (("WriteBrandKit", "company_url"), chars(0, MAX_URL_CHARS)),
        (("WriteBrandKit", "tagline"), line(0, MAX_TAGLINE_CHARS)),
        (("WriteBrandKit", "colors"), items(MAX_COLORS)),
        (("WriteBrandKit", "fonts"), items(MAX_FONTS)),
        (("WriteBrandKit", "logos"), items(MAX_IMAGES)),
        (("BrandColor", "color"), json!({"pattern": COLOR_PATTERN})),
        (("BrandColor", "label"), line(0, MAX_TEXT_CHARS)),
        (("BrandFont", "family"), title.clone()),
        (("BrandFont", "label"), line(0, MAX_TEXT_CHARS)),
        (("BrandFont", "weight"), json!({"minimum": 1, "maximum": 1000})),
        (("BrandImageGroup", "group_name"), title),
        (("BrandImage", "name"), line(0, MAX_TEXT_CHARS)),
        (("Invite", "email"), chars(1, crate::people::members::MAX_EMAIL_CHARS)),
        (("Redeem", "code"), chars(0, easel_wire::invitation::MAX_CODE_CHARS)),
        (("Redeem", "key_name"), line(1, crate::people::keys::MAX_NAME_CHARS)),
        (("AddBrandImage", "label"), line(0, MAX_TEXT_CHARS)),
    ]
}
