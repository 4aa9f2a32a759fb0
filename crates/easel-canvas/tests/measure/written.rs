//! The briefs as they are written down, each with what must come of it.

use std::fs;
use std::path::Path;

use easel_canvas::{Attachment, AttachmentRole, Brief, Category, Format};
use serde::Deserialize;
use toml::Value;

/// A brief as it is written down.
pub struct Written {
    /// The file's name without its ending.
    pub name: String,
    /// The family that it belongs to.
    pub family: String,
    /// The brief.
    pub brief: Brief,
    /// Kind, pages, language and instructions, as they are written down.
    pub expect: Value,
    /// What must stand on its pages.
    pub facts: Vec<Fact>,
    /// Titles of what has to be left open.
    pub gaps: Vec<String>,
}

/// What must stand on a page.
pub struct Fact {
    /// Its words.
    pub text: String,
    /// What it has to be: a title, a price, a step.
    pub role: String,
    /// The page that it belongs to: its number, or words of its title.
    pub page: Option<Value>,
    /// What has to stand with it.
    pub with: Option<String>,
}

/// The briefs of a folder beside this crate's sources, in the order of their names.
pub fn load(folder: &str) -> Vec<Written> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("briefs").join(folder);
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("a folder of briefs")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    files.sort();
    files.iter().enumerate().map(|(at, path)| read(path, at as u64)).collect()
}

/// A text of a table; nothing where it has none.
pub fn text(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// A list of a table; empty where it has none.
pub fn list<'v>(value: &'v Value, key: &str) -> Vec<&'v Value> {
    value.get(key).and_then(Value::as_array).map(|list| list.iter().collect()).unwrap_or_default()
}

fn read(path: &Path, at: u64) -> Written {
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let value: Value =
        toml::from_str(&fs::read_to_string(path).expect("a brief")).unwrap_or_else(|error| panic!("{name}: {error}"));
    let category = value.get("category").cloned().map_or(Ok(Category::Slides), Category::deserialize);
    let category = category.unwrap_or_else(|error| panic!("{name}: {error}"));
    let attachments = list(&value, "files").into_iter().map(|file| {
        let mime = text(file, "mime");
        let role = if mime.starts_with("image/") { AttachmentRole::Asset } else { AttachmentRole::Source };
        Attachment {
            role,
            name: text(file, "name"),
            mime,
            bytes: text(file, "content").trim_start().as_bytes().to_vec(),
        }
    });
    let facts = list(&value, "facts").into_iter().map(|fact| Fact {
        text: text(fact, "text"),
        role: text(fact, "role"),
        page: fact.get("page").cloned(),
        with: fact.get("with").and_then(Value::as_str).map(str::to_owned),
    });
    Written {
        family: text(&value, "family"),
        brief: Brief {
            prompt: text(&value, "brief").trim().to_owned(),
            format: Format::of(category),
            page_count: value.get("page_count").and_then(Value::as_integer).map(|count| count as u32),
            name: None,
            brand: None,
            attachments: attachments.collect(),
            seed: 100 + at * 13,
        },
        expect: value.get("expect").cloned().unwrap_or(Value::Boolean(false)),
        facts: facts.collect(),
        gaps: list(&value, "gaps").into_iter().map(|gap| text(gap, "page")).collect(),
        name,
    }
}
