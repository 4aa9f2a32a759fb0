//! Each operation: what it is called, what it takes besides its path, and what it answers.
//!
//! Keyed by the rows of the table in [`crate::routes::router`]; a row without an entry here fails a test. Bounds are
//! the constants that the request is checked against. Not here: errors, which follow from the row.

mod team;

use serde_json::{Value, json};

use crate::core::names::MAX_CHARS;
use crate::routes::route::Route;
use crate::web::list::{DEFAULT_LIMIT, MAX_DRIVE_LIMIT, MAX_LIMIT};
use crate::wire::canvases::{ExportFormat, PIXEL_RATIOS};
use crate::wire::drive::{DEFAULT_DEPTH, MAX_DEPTH};
use crate::wire::tasks::{MAX_WAIT_SECONDS, MOST_REVISION, TaskKind, TaskStatus};
use crate::wire::webhooks::{DELIVERY_LIMITS, DeliveryStatus, EventType};

/// The groups of operations, in the order of the reference.
pub const TAGS: &[(&str, &str)] = &[
    ("Account", "Whose key it is, and what it reaches."),
    ("Uploads", "In one request up to 32 MiB, by signed URL above."),
    ("Drive", "Folders, files, their bytes, and the changes to them."),
    ("Canvases", "What was designed, its pages and its exports."),
    ("Tasks", "Designing and remixing."),
    ("Brand kits", "Colours, fonts and logos that designs keep to."),
    ("Webhooks", "The log of deliveries, and their replay."),
    ("Team", "People, invitations, keys and the audit log, for admins and owners."),
    ("Service", "The service itself."),
];

/// The parameters that an operation takes on from an answer: their names and where the values stand.
type Link = (&'static str, &'static [(&'static str, &'static str)]);

/// An operation, but for its path and its errors.
pub struct Operation {
    pub id: &'static str,
    pub tag: &'static str,
    pub summary: &'static str,
    pub query: Vec<Value>,
    pub headers: Vec<Value>,
    /// The content of the body, by media type.
    pub body: Option<Value>,
    /// Status, words and content of what it answers where it succeeds.
    pub answers: Vec<(u16, &'static str, Option<Value>)>,
    /// Operations that go on with the answer.
    pub links: Vec<Link>,
}

impl Operation {
    fn query(mut self, parameters: Vec<Value>) -> Self {
        self.query.extend(parameters);
        self
    }

    fn waiting(self) -> Self {
        self.waiting_until("the task has ended")
    }

    fn waiting_until(mut self, what: &str) -> Self {
        let words = format!("`wait=N` holds the answer until {what}, for at most N seconds, up to {MAX_WAIT_SECONDS}.");
        self.headers.push(json!({
            "name": "Prefer", "in": "header", "required": false, "description": words, "schema": {"type": "string"},
        }));
        self
    }

    fn json(mut self, schema: &str) -> Self {
        self.body = Some(json_content(reference(schema)));
        self
    }

    fn links(mut self, links: &[Link]) -> Self {
        self.links.extend(links);
        self
    }

    fn answer(mut self, status: u16, words: &'static str, schema: Value) -> Self {
        self.answers.push((status, words, Some(json_content(schema))));
        self
    }

    fn content(mut self, status: u16, words: &'static str, media_type: &str) -> Self {
        let schema = if media_type == "*/*" { json!({}) } else { json!({"type": "string"}) };
        self.answers.push((status, words, Some(json!({media_type: {"schema": schema}}))));
        self
    }
}

fn operation(tag: &'static str, id: &'static str, summary: &'static str) -> Operation {
    Operation {
        id,
        tag,
        summary,
        query: Vec::new(),
        headers: Vec::new(),
        body: None,
        answers: Vec::new(),
        links: Vec::new(),
    }
}

fn readiness() -> Value {
    let part = json!({"type": "string", "enum": ["ok", "failed"]});
    json!({
        "type": "object", "required": ["status", "checks"],
        "properties": {
            "status": {"type": "string", "enum": ["ready", "not_ready"]},
            "checks": {
                "type": "object", "required": ["database", "contents", "room"],
                "properties": {"database": part, "contents": part, "room": part},
            },
        },
    })
}

/// What the row of the table does.
pub fn describe(route: &Route) -> Option<Operation> {
    let row = (route.method.as_str(), route.path);
    let groups = [
        of_service,
        of_account,
        of_uploads,
        of_drive,
        of_trash,
        of_canvases,
        of_tasks,
        of_brand_kits,
        of_webhooks,
        team::of_team,
    ];
    groups.into_iter().find_map(|of_group| of_group(row))
}

/// A row by its method and its path.
type Row<'a> = (&'a str, &'a str);

#[rustfmt::skip]
fn of_service(row: Row<'_>) -> Option<Operation> {
    Some(match row {
        ("GET", "/healthz") => operation("Service", "get_health", "Whether the service is up")
            .answer(200, "It is.", json!({"type": "object", "properties": {"status": {"type": "string"}}, "required": ["status"]})),
        ("GET", "/readyz") => operation("Service", "get_readiness", "Whether the service can do its work: the database writes, contents are written and read, there is room")
            .answer(200, "It can.", readiness())
            .answer(503, "It cannot; the parts say why.", readiness()),
        ("GET", "/openapi.json") => operation("Service", "get_openapi", "This document")
            .answer(200, "OpenAPI 3.1.", json!({"type": "object"})),
        ("GET", "/docs") => operation("Service", "get_docs", "This document for people")
            .content(200, "A page.", "text/html"),
        ("GET", "/metrics") => operation("Service", "get_metrics", "Counters, for an admin; without a key at the operator's listener")
            .content(200, "OpenMetrics text.", "application/openmetrics-text"),
        _ => return None,
    })
}

#[rustfmt::skip]
fn of_account(row: Row<'_>) -> Option<Operation> {
    Some(match row {
        ("GET", "/whoami") => operation("Account", "get_whoami", "Whose key it is, and what it may do")
            .answer(200, "The user, the team, the organization, the scopes and the caps.", reference("Whoami")),
        ("GET", "/organizations") => operation("Account", "list_organizations", "The organizations that the key reaches")
            .query(list_query((DEFAULT_LIMIT, MAX_LIMIT)))
            .answer(200, "A page.", page("organizations", "OrganizationRecord")),
        _ => return None,
    })
}

#[rustfmt::skip]
fn of_uploads(row: Row<'_>) -> Option<Operation> {
    Some(match row {
        ("POST", "/uploads") => upload(),
        ("GET", "/uploads/limits") => operation("Uploads", "get_upload_limits", "The largest body and the largest file")
            .answer(200, "The upload limits record.", reference("UploadLimits")),
        ("POST", "/uploads/url") => operation("Uploads", "sign_upload", "Ask for a signed PUT URL")
            .json("SignUpload")
            .answer(200, "The signed upload record.", reference("SignedUpload")),
        ("POST", "/uploads/register") => operation("Uploads", "register_upload", "Make a file of what was PUT")
            .json("RegisterUpload")
            .links(&[("get_file", &[("file_id", "/file_id")])])
            .answer(201, "The upload result record.", reference("UploadResult")),
        _ => return None,
    })
}

#[rustfmt::skip]
fn of_drive(row: Row<'_>) -> Option<Operation> {
    Some(match row {
        ("GET", "/drive/folders") => operation("Drive", "list_folders", "Folders")
            .query(drive_query("parent_id"))
            .answer(200, "A page.", drive_page("folders", "Folder")),
        ("POST", "/drive/folders") => operation("Drive", "create_folder", "Make a folder")
            .json("CreateFolder")
            .links(&[
                ("move_item", &[("item_ref", "/folder/id")]), ("change_item", &[("item_ref", "/folder/id")]),
                ("delete_item", &[("item_ref", "/folder/id")]), ("list_files", &[("folder_id", "/folder/id")]),
            ])
            .answer(201, "The folder.", reference("FolderAnswer")),
        ("GET", "/drive/tree") => operation("Drive", "get_tree", "Folders within folders")
            .query(vec![number("depth", "How many levels.", Some(1), Some(MAX_DEPTH), Some(DEFAULT_DEPTH))])
            .answer(200, "The folders from the top.", reference("Tree")),
        ("GET", "/drive/files") => operation("Drive", "list_files", "Files")
            .query(drive_query("folder_id"))
            .answer(200, "A page.", drive_page("files", "File")),
        ("GET", "/drive/files/{file_id}") => operation("Drive", "get_file", "A file's record")
            .answer(200, "The file.", reference("FileAnswer")),
        ("GET", "/drive/files/{file_id}/download") => operation("Drive", "sign_download", "A signed URL of a file's bytes")
            .answer(200, "A URL that needs no key, for an hour.", reference("Download")),
        ("GET", "/drive/files/{file_id}/content") => operation("Drive", "get_content", "A file's bytes")
            .content(200, "The bytes, of the file's own type; `Range` is understood.", "*/*")
            .content(206, "A part of them.", "*/*"),
        ("POST", "/drive/files/{file_id}/content") => operation("Drive", "replace_content", "Give a file new content")
            .json("ReplaceContent")
            .answer(200, "The file as it is now; what it had is a version of it.", reference("FileAnswer")),
        ("GET", "/drive/files/{file_id}/versions") => operation("Drive", "list_versions", "Earlier contents of a file")
            .answer(200, "All of them, the newest first.", reference("FileVersions")),
        ("GET", "/drive/files/{file_id}/versions/{version_id}/content") => operation("Drive", "get_version_content", "The bytes of an earlier content")
            .content(200, "The bytes, of the version's own type; `Range` is understood.", "*/*")
            .content(206, "A part of them.", "*/*"),
        ("POST", "/drive/files/{file_id}/versions/{version_id}/restore") => operation("Drive", "restore_version", "Make an earlier content a file's content again")
            .answer(200, "The file as it is now; what it had is a version of it.", reference("FileAnswer")),
        ("POST", "/drive/items/{item_ref}/move") => operation("Drive", "move_item", "Move an item")
            .json("MoveItem")
            .answer(200, "The item where it is now.", reference("ItemChanged")),
        ("PATCH", "/drive/items/{item_ref}") => operation("Drive", "change_item", "Rename an item, or change who sees it")
            .json("ChangeItem")
            .answer(200, "The item as it is now.", reference("ItemChanged")),
        ("DELETE", "/drive/items/{item_ref}") => operation("Drive", "delete_item", "Delete an item")
            .query(vec![
                truth("recursive", "Whether a folder goes with all that is in it.", false),
                parameter(
                    "expected_content_hash",
                    "What a file has to hold for it to go (`sha256:` and 64 hex digits), else 409 `content_changed`.",
                    json!({"type": "string", "pattern": "^sha256:[0-9a-fA-F]{64}$"}),
                ),
            ])
            .answer(200, "The item as it was.", reference("ItemChanged")),
        _ => return None,
    })
}

#[rustfmt::skip]
fn of_trash(row: Row<'_>) -> Option<Operation> {
    Some(match row {
        ("GET", "/drive/trash") => operation("Drive", "list_trash", "What was deleted in the last 30 days")
            .query(trash_query())
            .answer(200, "A page, the newest first.", drive_page("trash", "TrashedItem")),
        ("DELETE", "/drive/trash") => operation("Drive", "empty_trash", "Remove for good what the caller sees in the trash and may remove")
            .answer(200, "How many items that were.", reference("TrashEmptied")),
        ("POST", "/drive/trash/{item_ref}/restore") => operation("Drive", "restore_item", "Bring an item back from the trash, whole")
            .answer(200, "The item as it is now.", reference("ItemChanged")),
        ("DELETE", "/drive/trash/{item_ref}") => operation("Drive", "purge_item", "Remove an item from the trash for good")
            .answer(200, "It is gone.", reference("TrashEmptied")),
        _ => return None,
    })
}

#[rustfmt::skip]
fn of_canvases(row: Row<'_>) -> Option<Operation> {
    Some(match row {
        ("GET", "/canvases") => operation("Canvases", "list_canvases", "Canvases")
            .query(canvas_query())
            .answer(200, "A page.", page("canvases", "Canvas")),
        ("GET", "/canvases/search") => operation("Canvases", "search_canvases", "Canvases whose names hold every word")
            .query(canvas_query())
            .query(vec![
                parameter("query", "The words; they are needed here or as `q`.", search_words()),
                parameter("q", "The same as `query`; never with other words.", search_words()),
            ])
            .answer(200, "A page.", page("canvases", "Canvas")),
        ("GET", "/canvases/{canvas_id}") => operation("Canvases", "get_canvas", "A canvas")
            .answer(200, "The canvas.", reference("Canvas")),
        ("PATCH", "/canvases/{canvas_id}") => operation("Canvases", "rename_canvas", "Rename a canvas")
            .json("RenameCanvas")
            .answer(200, "The canvas.", reference("Canvas")),
        ("GET", "/canvases/{canvas_id}/versions") => operation("Canvases", "list_canvas_versions", "Earlier drawings of a canvas")
            .answer(200, "All of them, the newest first.", reference("CanvasVersions")),
        ("POST", "/canvases/{canvas_id}/versions/{version_id}/restore") => operation("Canvases", "restore_canvas_version", "Put an earlier drawing on a canvas again")
            .answer(200, "The canvas as it is now; what was drawn on it is a version of it.", reference("Canvas")),
        ("GET", "/canvases/{canvas_id}/texts") => operation("Canvases", "list_texts", "The texts and pictures of a canvas, and where they stand").answer(200, "All of them but those in charts and tables.", reference("CanvasTexts")),
        ("POST", "/canvases/{canvas_id}/texts") => operation("Canvases", "change_texts", "Give texts of a canvas other words").json("ChangeTexts")
            .answer(200, "The texts as they are now; what was drawn before is a version. With `check_only`, as they would be.", reference("CanvasTexts")),
        ("GET", "/canvases/{canvas_id}/colors") => operation("Canvases", "list_colors", "The colours of a canvas")
            .answer(200, "Those that can be chosen.", reference("CanvasColors")),
        ("POST", "/canvases/{canvas_id}/colors") => operation("Canvases", "change_colors", "Choose other colours for a canvas").json("ChangeColors")
            .answer(200, "The colours as they are now; what was drawn before is a version.", reference("CanvasColors")),
        ("POST", "/canvases/{canvas_id}/pictures") => operation("Canvases", "change_picture", "Put another picture in the place of one").json("ChangePicture")
            .answer(200, "What stands on the pages now; what was drawn before is a version.", reference("CanvasTexts")),
        ("GET", "/canvases/{canvas_id}/pages") => operation("Canvases", "list_pages", "The pages of a canvas")
            .answer(200, "The pages.", reference("CanvasPages")),
        ("POST", "/canvases/{canvas_id}/export") => operation("Canvases", "start_export", "Export a canvas")
            .query(export_query())
            .links(&[("get_export_status", &[("canvas_id", "/canvas_id"), ("task_id", "/task_id")])])
            .answer(200, "The export, completed or in progress.", reference("Export")),
        ("GET", "/canvases/{canvas_id}/export-status") => operation("Canvases", "get_export_status", "How far an export is")
            .query(vec![json!({
                "name": "task_id", "in": "query", "required": true, "description": "From the start of the export.",
                "schema": id_schema("TaskId"),
            })])
            .answer(200, "The export.", reference("Export")),
        ("GET", "/open/{canvas_id}") => operation("Canvases", "open_canvas", "The page behind a canvas's `url`")
            .content(200, "A page that offers to open the canvas in Easel.", "text/html"),
        _ => return None,
    })
}

#[rustfmt::skip]
fn of_tasks(row: Row<'_>) -> Option<Operation> {
    let task = || one_of("Task", "JobResponse");
    Some(match row {
        ("POST", "/tasks") => operation("Tasks", "start_task", "Start a design")
            .json("StartTask").waiting()
            .links(&[("get_task", &[("task_id", "/id")]), ("cancel_task", &[("task_id", "/id")])])
            .answer(202, "The task.", task()),
        ("GET", "/tasks") => operation("Tasks", "list_tasks", "Tasks, the newest first")
            .query(list_query((DEFAULT_LIMIT, MAX_LIMIT)))
            .query(vec![
                choice("status", "Only tasks in this state.", TaskStatus::ALL.iter().map(|status| status.as_str())),
                choice("kind", "Only tasks of this kind.", TaskKind::ALL.iter().map(|kind| kind.as_str())),
                id_query("canvas_id", "Only tasks that change or have made this canvas.", "CanvasId"),
            ])
            .answer(200, "A page.", either_page("tasks", reference("Task"), reference("JobResponse"))),
        ("GET", "/tasks/{task_id}") => operation("Tasks", "get_task", "A task")
            .answer(200, "The task.", task()),
        ("GET", "/tasks/{task_id}/preview") => operation("Tasks", "get_task_preview", "What can be seen of a design while it is made")
            .waiting_until("there is more to see than at `after`, or the task has ended")
            .query(vec![number("after", "The revision of the last answer: what that brought is left out.", Some(0), Some(MOST_REVISION), None)])
            .answer(200, "Its pages as far as they are known, without any once it is done.", reference("TaskPreview")),
        ("POST", "/tasks/{task_id}/cancel") => operation("Tasks", "cancel_task", "Cancel a task").waiting()
            .answer(200, "The canceled task.", task())
            .answer(202, "The task, which is still stopping.", task()),
        ("POST", "/remix") => operation("Tasks", "remix", "Copy a canvas, changed or as it is")
            .json("Remix").waiting()
            .answer(201, "Without a prompt: the task that it would have been, which cannot be queried.", task())
            .answer(202, "With a prompt: the task.", task()),
        _ => return None,
    })
}

#[rustfmt::skip]
fn of_brand_kits(row: Row<'_>) -> Option<Operation> {
    Some(match row {
        ("GET", "/brand-kits") => operation("Brand kits", "list_brand_kits", "The team's brand kits")
            .query(list_query((DEFAULT_LIMIT, MAX_LIMIT)))
            .answer(200, "A page.", page("brand_kits", "BrandKit")),
        ("POST", "/brand-kits") => operation("Brand kits", "create_brand_kit", "Make a brand kit")
            .json("WriteBrandKit").needing(&["title"])
            .links(&[
                ("get_brand_kit", &[("brand_kit_id", "/id")]), ("change_brand_kit", &[("brand_kit_id", "/id")]),
                ("delete_brand_kit", &[("brand_kit_id", "/id")]),
            ])
            .answer(201, "The kit.", reference("BrandKit")),
        ("GET", "/brand-kits/{brand_kit_id}") => operation("Brand kits", "get_brand_kit", "A brand kit")
            .answer(200, "The kit.", reference("BrandKit")),
        ("PATCH", "/brand-kits/{brand_kit_id}") => operation("Brand kits", "change_brand_kit", "Change a brand kit")
            .json("WriteBrandKit")
            .answer(200, "The kit.", reference("BrandKit")),
        ("DELETE", "/brand-kits/{brand_kit_id}") => operation("Brand kits", "delete_brand_kit", "Delete a brand kit")
            .answer(200, "It is gone.", json!({
                "type": "object", "required": ["id", "deleted"],
                "properties": {"id": reference("BrandKitId"), "deleted": {"type": "boolean", "const": true}},
            })),
        ("POST", "/brand-kits/{brand_kit_id}/images") => operation("Brand kits", "add_brand_image", "Add a picture to a brand kit")
            .json("AddBrandImage")
            .answer(201, "The kit.", reference("BrandKit")),
        _ => return None,
    })
}

#[rustfmt::skip]
fn of_webhooks(row: Row<'_>) -> Option<Operation> {
    Some(match row {
        ("GET", "/webhook_deliveries") => operation("Webhooks", "list_deliveries", "The log of deliveries, the newest first")
            .query(list_query(DELIVERY_LIMITS))
            .query(vec![
                id_query("api_key_id", "Only deliveries of this key.", "ApiKeyId"),
                choice("event_type", "Only events of this type.", EventType::ALL.iter().map(|event| event.as_str())),
                choice("status", "Only deliveries in this state.", DeliveryStatus::ALL.iter().map(|status| status.as_str())),
                moment("from", "Only deliveries made at this moment or later."),
                moment("to", "Only deliveries made before this moment."),
            ])
            .answer(200, "A page.", page("deliveries", "Delivery")),
        ("GET", "/webhook_deliveries/{delivery_id}") => operation("Webhooks", "get_delivery", "A delivery with every attempt")
            .answer(200, "The delivery.", reference("Delivery")),
        ("POST", "/webhook_deliveries/{delivery_id}/redeliver") => operation("Webhooks", "redeliver", "Send a delivery once more")
            .answer(202, "The new delivery.", reference("Delivery")),
        _ => return None,
    })
}

impl Operation {
    /// Makes fields of the body required that are optional elsewhere.
    fn needing(mut self, fields: &[&str]) -> Self {
        if let Some(schema) = self.body.as_mut().and_then(|body| body.pointer_mut("/application~1json/schema")) {
            let set: serde_json::Map<String, Value> =
                fields.iter().map(|field| ((*field).to_owned(), json!({"not": {"type": "null"}}))).collect();
            *schema = json!({"allOf": [schema.take(), {"required": fields, "properties": set}]});
        }
        self
    }
}

fn upload() -> Operation {
    let form = json!({
        "type": "object", "required": ["file"], "additionalProperties": false,
        "properties": {
            "file": {"type": "string", "format": "binary", "description": "The file, with its name."},
            // A form has no null: an empty text means absent.
            "folder_id": {"anyOf": [reference("FolderId"), {"type": "string", "format": "uuid"}, {"const": ""}]},
        },
    });
    let mut operation = operation("Uploads", "upload", "Upload a file in one request")
        .links(&[
            ("get_file", &[("file_id", "/file_id")]),
            ("sign_download", &[("file_id", "/file_id")]),
            ("delete_item", &[("item_ref", "/file_id")]),
        ])
        .answer(201, "The upload result record.", reference("UploadResult"));
    operation.body = Some(json!({"multipart/form-data": {"schema": form}}));
    operation
}

/// What stands in a path's braces. A bare UUID is understood everywhere but for drive items and replays.
pub fn path_schema(name: &str) -> Value {
    match name {
        "item_ref" => reference("ItemRef"),
        "file_id" => id_schema("FileId"),
        "version_id" => id_schema("VersionId"),
        "task_id" => id_schema("TaskId"),
        "canvas_id" => id_schema("CanvasId"),
        "brand_kit_id" => id_schema("BrandKitId"),
        "delivery_id" => reference("DeliveryId"),
        "user_id" => id_schema("UserId"),
        "api_key_id" => id_schema("ApiKeyId"),
        "invitation_id" => id_schema("InvitationId"),
        _ => json!({"type": "string"}),
    }
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// An id in its prefixed form, or a bare UUID (specification, "Identifiers", rule 1).
fn id_schema(name: &str) -> Value {
    json!({"anyOf": [reference(name), {"type": "string", "format": "uuid"}]})
}

fn json_content(schema: Value) -> Value {
    let mut content = json!({"application/json": {}});
    content["application/json"]["schema"] = schema;
    content
}

fn one_of(canonical: &str, legacy: &str) -> Value {
    json!({"anyOf": [reference(canonical), reference(legacy)]})
}

/// A list in both versions.
fn page(resource: &str, item: &str) -> Value {
    either_page(resource, reference(item), reference(item))
}

fn either_page(resource: &str, canonical: Value, legacy: Value) -> Value {
    let mut page = json!({"anyOf": [
        {
            "description": "2026-05-01", "type": "object", "required": ["data", "next_cursor", "has_more"],
            "properties": {
                "data": {"type": "array"}, "next_cursor": {"type": ["string", "null"]}, "has_more": {"type": "boolean"},
            },
        },
        {
            "description": "2026-04-12", "type": "object", "required": [resource, "total", "limit", "offset", "has_more"],
            "properties": {
                resource: {"type": "array"}, "total": {"type": "integer", "minimum": 0},
                "limit": {"type": "integer", "minimum": 1}, "offset": {"type": "integer", "minimum": 0},
                "has_more": {"type": "boolean"},
            },
        },
    ]});
    page["anyOf"][0]["properties"]["data"]["items"] = canonical;
    page["anyOf"][1]["properties"][resource]["items"] = legacy;
    page
}

/// The drive's lists say `total` and `next_cursor` in both versions.
fn drive_page(resource: &str, item: &str) -> Value {
    let mut page = page(resource, item);
    for (place, field, schema) in [
        (0, "total", json!({"type": "integer", "minimum": 0})),
        (1, "next_cursor", json!({"type": ["string", "null"]})),
    ] {
        page["anyOf"][place]["properties"][field] = schema;
        if let Some(required) = page["anyOf"][place]["required"].as_array_mut() {
            required.push(json!(field));
        }
    }
    page
}

fn parameter(name: &str, words: &str, schema: Value) -> Value {
    let mut parameter = json!({"name": name, "in": "query", "required": false, "description": words});
    parameter["schema"] = schema;
    parameter
}

fn number(name: &str, words: &str, least: Option<u64>, most: Option<u64>, default: Option<u64>) -> Value {
    let mut schema = json!({"type": "integer"});
    for (key, value) in [("minimum", least), ("maximum", most), ("default", default)] {
        if let Some(value) = value {
            schema[key] = json!(value);
        }
    }
    parameter(name, words, schema)
}

fn truth(name: &str, words: &str, default: bool) -> Value {
    parameter(
        name,
        words,
        json!({"type": "string", "enum": ["true", "false", "1", "0"], "default": default.to_string()}),
    )
}

fn choice<'a>(name: &str, words: &str, values: impl Iterator<Item = &'a str>) -> Value {
    parameter(name, words, json!({"type": "string", "enum": values.collect::<Vec<_>>()}))
}

fn id_query(name: &str, words: &str, id: &str) -> Value {
    parameter(name, words, id_schema(id))
}

fn moment(name: &str, words: &str) -> Value {
    parameter(name, words, json!({"type": "string", "format": "date-time"}))
}

/// Both ways through a list; the one of the other version is an unknown parameter, and so ignored.
fn list_query((default, most): (u64, u64)) -> Vec<Value> {
    let cursor = "From the page before; `2026-05-01` only.";
    vec![
        number("limit", "At most so many items.", Some(1), Some(most), Some(default)),
        parameter("cursor", cursor, json!({"type": "string"})),
        number(
            "offset",
            "So many items into the list; `2026-04-12` only.",
            Some(0),
            Some(i64::MAX.unsigned_abs()),
            Some(0),
        ),
    ]
}

/// Those of a drive list without places, orders and moments.
fn trash_query() -> Vec<Value> {
    let kept = ["hidden", "limit", "cursor", "offset"];
    drive_query("parent_id").into_iter().filter(|one| kept.iter().any(|name| one["name"] == *name)).collect()
}

/// The drive's lists take either way in both versions, but not both at once.
fn drive_query(place: &str) -> Vec<Value> {
    let folder = json!({"anyOf": [reference("FolderId"), {"type": "string", "const": "root"}]});
    let orders = ["name", "-name", "updated_at", "-updated_at", "size", "-size"];
    vec![
        parameter(place, "The folder, `root` for the top; everywhere where absent.", folder),
        choice("sort", "The order, with `-` for descending; the newest first where absent.", orders.into_iter()),
        moment("updated_since", "Only what changed at this moment or later."),
        truth("hidden", "Only what others have hidden, for admins and owners.", false),
        number("limit", "At most so many items.", Some(1), Some(MAX_DRIVE_LIMIT), Some(DEFAULT_LIMIT)),
        parameter("cursor", "From the page before; not with `offset`.", json!({"type": "string"})),
        number(
            "offset",
            "So many items into the list; not with `cursor`.",
            Some(0),
            Some(i64::MAX.unsigned_abs()),
            None,
        ),
    ]
}

fn canvas_query() -> Vec<Value> {
    let folder = json!({"anyOf": [reference("FolderId"), {"type": "string", "format": "uuid"}, {"type": "string", "const": "root"}]});
    let mut query = list_query((DEFAULT_LIMIT, MAX_LIMIT));
    query.push(parameter("folder_id", "The folder, `root` for the top; everywhere where absent.", folder));
    query.push(truth("hidden", "Only what others have hidden, for admins and owners.", false));
    query
}

fn search_words() -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": MAX_CHARS, "pattern": r"\S"})
}

fn export_query() -> Vec<Value> {
    let formats = ExportFormat::ALL.iter().filter(|format| **format != ExportFormat::Zip).map(|format| format.as_str());
    let (least, most) = (u64::from(*PIXEL_RATIOS.start()), u64::from(*PIXEL_RATIOS.end()));
    vec![
        choice("format", "What the canvas is exported as; `png` where absent.", formats),
        number("page_number", "Only this page; all where absent.", Some(1), Some(u64::from(u32::MAX)), None),
        number("pixel_ratio", "Pixels of a picture for each pixel of the page.", Some(least), Some(most), Some(least)),
        truth("flatten", "Whether a PDF is flattened; ignored elsewhere.", true),
        truth("wait", "Whether the answer is held for up to 20 s until the export is done.", true),
    ]
}
