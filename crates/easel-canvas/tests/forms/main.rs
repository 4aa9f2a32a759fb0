//! The same content in every form in which people paste it: nothing that it says may be lost, no mark of the form may be
//! printed, and no wish.
//!
//! What holds: contents and forms know nothing of each other, so that a form that is mended is mended for all. What a page
//! says is read from the outline, with small letters and without marks. Deliberately not here: in which place a fact stands.

mod contents;
mod known;
mod markup;
mod surfaces;

use std::collections::BTreeMap;

use contents::{CONTENTS, Content};
use easel_canvas::content::Outline;
use easel_canvas::{Brief, Format, read_material};
use known::KNOWN;
use serde_json::Value;
use surfaces::{SURFACES, Surface};

/// What of a form must never be printed.
const MARKS: &[&str] =
    &["</", "<p", "<b", "/>", "\":", "{", "}", "&nbsp", "&amp", "&euro", "&#", "**", "|", "```", "[["];

/// Wishes and talk that are no content.
const WISHES: &[&str] =
    &["make it blue", "thx", "ann:", "bert:", "14:03", "14:04", "forwarded", "pat@office", "kind regards"];

/// What is wrong with a content in a form.
#[derive(Default)]
struct Faults {
    lost: Vec<String>,
    printed: Vec<String>,
}

/// Every text of the outline, a line for each passage.
fn texts_of(outline: &Outline) -> Vec<String> {
    fn add(value: &Value, text: &mut String) {
        match value {
            Value::String(words) => {
                text.push_str(words);
                text.push(' ');
            }
            Value::Number(number) => text.push_str(&format!("{number} ")),
            Value::Array(items) => items.iter().for_each(|item| add(item, text)),
            Value::Object(fields) => {
                // The words before what they lead to, as they stand on a page.
                let order = ["kicker", "title", "lead", "head", "name", "label", "value", "labels"];
                let first = order.iter().filter_map(|name| fields.get(*name));
                let rest = fields.iter().filter(|(name, _)| *name != "kind" && !order.contains(&name.as_str()));
                first.chain(rest.map(|(_, field)| field)).for_each(|field| add(field, text));
            }
            Value::Null | Value::Bool(_) => {}
        }
    }
    let passages = serde_json::to_value(&outline.passages).expect("an outline as JSON");
    let mut texts: Vec<String> = passages
        .as_array()
        .into_iter()
        .flatten()
        .map(|passage| {
            let mut text = String::new();
            add(passage, &mut text);
            text
        })
        .collect();
    texts.push(outline.title.clone());
    texts
}

/// Words in a form in which they can be compared.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase().replace('ς', "σ");
    let letters = lower.chars().filter(|letter| !matches!(letter, '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{307}'));
    letters.filter(|letter| letter.is_alphanumeric() || matches!(letter, '%' | '€' | '£' | '@')).collect()
}

/// Whether a fact stands on a page: its letters in a row, or each of its words where the page parts a number from what it counts.
fn stands(fact: &str, text: &str, squeezed: &str) -> bool {
    let words: Vec<String> = text.split_whitespace().map(plain).collect();
    squeezed.contains(&plain(fact))
        || fact.split_whitespace().map(plain).all(|wanted| words.iter().any(|word| word.contains(&wanted)))
}

fn judge(content: &Content, surface: &Surface) -> Faults {
    let brief = Brief::new((surface.write)(content), Format::of(content.category), 7);
    let outline = match read_material(&brief) {
        Ok(material) => material.draft,
        Err(error) => return Faults { lost: vec![error.to_string()], ..Faults::default() },
    };
    let texts = texts_of(&outline);
    let squeezed: Vec<String> = texts.iter().map(|text| plain(text)).collect();
    let is_there = |fact: &&str| !texts.iter().zip(&squeezed).any(|(text, squeezed)| stands(fact, text, squeezed));
    let whole = texts.join("\n");
    let lower = whole.to_lowercase();
    let printed =
        MARKS.iter().filter(|mark| whole.contains(*mark)).chain(WISHES.iter().filter(|wish| lower.contains(*wish)));
    Faults {
        lost: content.facts().into_iter().filter(is_there).map(str::to_owned).collect(),
        printed: printed.map(|mark| (*mark).to_owned()).collect(),
    }
}

/// How many facts are lost and how many marks printed, by the names of forms or contents.
type Counts = BTreeMap<&'static str, (usize, usize)>;

fn table(counts: &Counts) -> String {
    let rows = counts.iter().filter(|(_, (lost, printed))| lost + printed > 0);
    rows.map(|(name, (lost, printed))| format!("{lost:5} {printed:5}  {name}\n")).collect()
}

#[test]
fn nothing_more_is_lost_in_any_form() {
    let (mut by_form, mut by_content) = (Counts::new(), Counts::new());
    let (mut told, mut mended) = (String::new(), String::new());
    for surface in SURFACES {
        let known = KNOWN.iter().find(|(name, _)| *name == surface.name).map_or(&[][..], |(_, contents)| *contents);
        for content in CONTENTS {
            let faults = judge(content, surface);
            for (counts, name) in [(&mut by_form, surface.name), (&mut by_content, content.name)] {
                let count = counts.entry(name).or_default();
                count.0 += faults.lost.len();
                count.1 += faults.printed.len();
            }
            let is_whole = faults.lost.is_empty() && faults.printed.is_empty();
            let line =
                format!("{} in {}: lost {:?}, printed {:?}\n", content.name, surface.name, faults.lost, faults.printed);
            match (is_whole, known.contains(&content.name)) {
                (false, false) => told.push_str(&line),
                (true, true) => mended.push_str(&line),
                _ => {}
            }
        }
    }
    let (forms, contents) = (table(&by_form), table(&by_content));
    assert!(told.is_empty(), "more is lost or printed than was known:\n{told}\n{forms}\n{contents}");
    assert!(mended.is_empty(), "these are kept whole and may be taken out of the known ones:\n{mended}");
}
