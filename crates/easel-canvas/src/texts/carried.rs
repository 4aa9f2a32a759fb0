//! Words that were changed on a page, in what the design is made anew from.
//!
//! Always true: only words that say the same are changed there, and only where there is no doubt which: they stand there once,
//! or they are a title. What cannot be told is left, and a remix says there what it said before. Deliberately not here: the
//! pages.

use serde_json::Value;

use crate::content::Outline;
use crate::document::{TextBox, TextRole};
use crate::text::quotes;

/// What an outline says that is not printed as it stands.
const NOT_PRINTED: [&str; 5] = ["kind", "language", "picture", "link", "notes"];

/// Brings what was changed from `before` to `after` into the outline.
pub fn carry(outline: &mut Outline, before: &TextBox, after: &TextBox) {
    let Ok(mut value) = serde_json::to_value(&*outline) else { return };
    let is_title = before.role == TextRole::Title;
    let mut is_changed = replace(&mut value, &before.text(), &after.text(), &outline.language, is_title);
    if !is_changed && before.paragraphs.len() == after.paragraphs.len() {
        for (old, new) in before.paragraphs.iter().zip(&after.paragraphs) {
            if old == new {
                continue;
            }
            if replace(&mut value, &old.text(), &new.text(), &outline.language, is_title) {
                is_changed = true;
            } else if old.runs.len() == new.runs.len() {
                for (old, new) in old.runs.iter().zip(&new.runs).filter(|(old, new)| old.text != new.text) {
                    is_changed |= replace(&mut value, &old.text, &new.text, &outline.language, is_title);
                }
            }
        }
    }
    if is_changed && let Ok(changed) = serde_json::from_value(value) {
        *outline = changed;
    }
}

/// Puts other words where these stand; false where they do not, or nobody can tell which are meant.
fn replace(value: &mut Value, old: &str, new: &str, language: &str, is_title: bool) -> bool {
    let mut found = Vec::new();
    visit(value, "", &mut |key, text| {
        if says(text, old, language) {
            found.push(key == "title");
        }
    });
    // The design is called as its first page is; two pages that are called alike cannot be told apart.
    let is_own = value.get("title").and_then(Value::as_str).is_some_and(|title| says(title, old, language));
    let titles = found.iter().filter(|is_title| **is_title).count();
    let are_titles = is_title && titles > 0 && titles <= 1 + usize::from(is_own);
    if found.len() != 1 && !are_titles {
        return false;
    }
    visit(value, "", &mut |key, text| {
        if says(text, old, language) && (!are_titles || key == "title") {
            new.clone_into(text);
        }
    });
    true
}

/// Calls back for every printed text, with the name of the field that it is in.
fn visit(value: &mut Value, key: &str, call: &mut dyn FnMut(&str, &mut String)) {
    match value {
        Value::String(text) => call(key, text),
        Value::Array(items) => items.iter_mut().for_each(|item| visit(item, key, call)),
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut().filter(|(name, _)| !NOT_PRINTED.contains(&name.as_str())) {
                visit(field, name, call);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Whether a text of the outline is printed as these words.
fn says(text: &str, words: &str, language: &str) -> bool {
    let lines = |text: &str| {
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        lines.join("\n")
    };
    !words.trim().is_empty() && lines(&quotes::dress(text, language)) == lines(words)
}
