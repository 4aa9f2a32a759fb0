//! Which fields the answers have: every pair of an endpoint and a place in its JSON that was answered.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use crate::mangle::{How, Mangle};
use crate::route::Route;

/// What a field held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Holds {
    /// Null, whenever it was there.
    Null,
    /// True or false.
    Truth,
    /// A number.
    Number,
    /// A text.
    Text,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Holds {
    fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Truth,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::Text,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }
}

/// A field of an endpoint's answers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Field {
    /// The endpoint.
    pub route: Route,
    /// A JSON pointer, in which `*` stands for every element of an array; empty for the whole answer.
    pub pointer: String,
    /// What it held.
    pub holds: Holds,
}

/// What the specification names, by the last part of the pointer and the endpoints it is promised for.
const SPECIFIED: &[(&str, &[Route])] = &[
    ("/max_direct_upload_bytes", &[Route::ReadLimits]),
    ("/max_file_bytes", &[Route::ReadLimits]),
    ("/max_file_bytes_is_plan_limit", &[Route::ReadLimits]),
    ("/upload_url", &[Route::SignUpload]),
    ("/expires_in_seconds", &[Route::SignUpload]),
    ("/storage_key", &[Route::SignUpload]),
    ("/file_id", &[Route::Upload, Route::RegisterUpload]),
    ("/id", &[Route::Upload, Route::RegisterUpload]),
    ("/was_duplicate", &[Route::Upload, Route::RegisterUpload]),
    ("/id", TASKS),
    ("/job_id", TASKS),
    ("/status", TASKS),
    ("/error", TASKS),
    ("/error/retryable", TASKS),
    ("/data/*/id", &[Route::ListTasks]),
    ("/data/*/status", &[Route::ListTasks]),
    ("/data/*/error", &[Route::ListTasks]),
    ("/data/*/error/retryable", &[Route::ListTasks]),
    ("/tasks/*/id", &[Route::ListTasks]),
    ("/tasks/*/job_id", &[Route::ListTasks]),
    ("/tasks/*/status", &[Route::ListTasks]),
    ("/tasks/*/error", &[Route::ListTasks]),
    ("/tasks/*/error/retryable", &[Route::ListTasks]),
    ("/next_cursor", &[Route::ListTasks, Route::ListKits]),
    ("/status", &[Route::ExportCanvas]),
    ("/task_id", &[Route::ExportCanvas]),
];

const TASKS: &[Route] = &[Route::CreateTask, Route::ReadTask, Route::CancelTask, Route::Remix];

/// Lists: what holds their items is named by no clause, and nothing of them can be read without it.
const ITEMS: [&str; 8] =
    ["/data", "/organizations", "/tasks", "/canvases", "/brand_kits", "/folders", "/files", "/deliveries"];

/// What a client's step cannot be done without though the specification does not name it: the endpoint, and the end of the
/// pointer.
const NEEDED: &[(Route, &str)] = &[
    // A folder that is made is known by its id.
    (Route::CreateFolder, "/id"),
    // Bytes come from where the answer says.
    (Route::DownloadFile, "/download_url"),
    (Route::ExportCanvas, "/url"),
    (Route::ReadExport, "/url"),
];

impl Field {
    /// Whether nobody promised it and nothing hangs on it: a client has to do with anything there.
    #[must_use]
    pub fn is_free(&self) -> bool {
        let is_needed = NEEDED.iter().any(|(route, end)| *route == self.route && self.pointer.ends_with(end));
        // Of a refusal, what its status says is enough.
        let is_of_a_refusal = self.pointer.starts_with("/error") && !self.is_specified();
        // The id of a thing in a list is what it is.
        let is_an_id = self.pointer.ends_with("/*/id");
        !(self.is_specified() || self.is_frame() || is_needed || is_of_a_refusal || is_an_id)
    }

    /// Whether the specification names it.
    #[must_use]
    pub fn is_specified(&self) -> bool {
        SPECIFIED.iter().any(|(pointer, routes)| *pointer == self.pointer && routes.contains(&self.route))
    }

    /// Whether it is what holds everything else: the answer itself, the items of a list, an item.
    #[must_use]
    pub fn is_frame(&self) -> bool {
        let top = self.pointer.strip_suffix("/*").unwrap_or(&self.pointer);
        top.is_empty() || ITEMS.contains(&top) || ["/folder", "/file", "/item", "/tree"].contains(&top)
    }

    /// Every way in which it can be mangled.
    #[must_use]
    pub fn manglings(&self) -> Vec<Mangle> {
        let mut ways = vec![How::LeaveOut, How::Null, How::OtherType];
        match self.holds {
            Holds::Text | Holds::Number => ways.push(How::UnknownValue),
            Holds::Object => ways.push(How::ExtraField),
            Holds::Array => ways.push(How::Emptied),
            Holds::Null | Holds::Truth => {}
        }
        if self.pointer.is_empty() {
            ways.retain(|how| *how != How::LeaveOut);
        }
        ways.into_iter().map(|how| Mangle { route: self.route, pointer: self.pointer.clone(), how }).collect()
    }
}

impl fmt::Display for Field {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.route, if self.pointer.is_empty() { "(all)" } else { &self.pointer })
    }
}

/// The fields that were answered so far.
#[derive(Debug, Default)]
pub(crate) struct Seen(BTreeMap<(Route, String), Holds>);

impl Seen {
    pub(crate) fn look(&mut self, route: Route, answer: &Value) {
        self.look_below(route, answer, String::new());
    }

    fn look_below(&mut self, route: Route, value: &Value, pointer: String) {
        match value {
            Value::Array(elements) => {
                for element in elements {
                    self.look_below(route, element, format!("{pointer}/*"));
                }
            }
            Value::Object(fields) => {
                for (name, field) in fields {
                    let name = name.replace('~', "~0").replace('/', "~1");
                    self.look_below(route, field, format!("{pointer}/{name}"));
                }
            }
            _ => {}
        }
        let held = self.0.entry((route, pointer)).or_insert(Holds::Null);
        // Null once and a text another time is a text.
        *held = (*held).max(Holds::of(value));
    }

    pub(crate) fn fields(&self) -> Vec<Field> {
        let field = |((route, pointer), holds): (&(Route, String), &Holds)| Field {
            route: *route,
            pointer: pointer.clone(),
            holds: *holds,
        };
        self.0.iter().map(field).collect()
    }
}
