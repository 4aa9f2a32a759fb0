//! An outline as somebody else writes it: what is asked for as a JSON Schema, and what came of it, checked.
//!
//! The type is the one that the built-in reading makes ([`Outline`]). Always true of one that was read here: it is bounded in
//! every direction, tables and charts are whole, arrows lead to boxes that are there, which stand in one lane each or in none at all, it names no picture and no address that the brief does not
//! have, and something stands in it. Whether it says what the brief says is asked of [`added_facts`]. Deliberately not here: who
//! writes it, and how it looks.

mod facts;
mod quantities;
mod vocabulary;

use serde_json::{Map, Value};

pub use crate::content::Outline;
use crate::content::{Lane, Matter, Passage};
pub use facts::added_facts;

/// The longest outline that is read, in bytes of JSON.
pub const MAX_JSON_BYTES: usize = 1_000_000;

/// The most passages; boards may hold as many parts again.
const MAX_PASSAGES: usize = 80;

/// The most letters of one text.
const MAX_TEXT_LETTERS: usize = 6_000;

/// The most letters in all.
const MAX_LETTERS: usize = 150_000;

/// The most rows of a table, boxes of a flow, or things of a list.
const MAX_THINGS: usize = 240;

/// The most cells of a row.
const MAX_CELLS: usize = 12;

/// Numbers beyond this are none that a chart draws.
const MAX_NUMBER: f64 = 1e15;

/// Why an outline is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAnOutline {
    /// More bytes than are read.
    #[error("it is longer than an outline may be")]
    TooLong,
    /// No JSON, or JSON of something else.
    #[error("it is not an outline: {0}")]
    Unlike(String),
    /// Nothing stands in it.
    #[error("nothing stands in it")]
    Empty,
}

/// What an outline may name because the brief has it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// Pictures, by the names of their assets.
    pub pictures: &'a [String],
    /// Everything that the brief and its files say.
    pub words: &'a str,
    /// The language where the outline names none that is one.
    pub language: &'a str,
}

/// What an outline is, as a JSON Schema.
#[must_use]
pub fn schema() -> Value {
    let mut schema = schemars::schema_for!(Outline).to_value();
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("title".to_owned(), Value::from("outline"));
    }
    schema
}

/// An outline as JSON.
#[must_use]
pub fn to_json(outline: &Outline) -> String {
    serde_json::to_string(outline).unwrap_or_default()
}

/// Reads an outline from an answer: JSON, alone or within the marks that Markdown puts around it. What is left out is empty.
///
/// # Errors
/// [`NotAnOutline`].
pub fn read(answer: &str, known: Known<'_>) -> Result<Outline, NotAnOutline> {
    if answer.len() > MAX_JSON_BYTES {
        return Err(NotAnOutline::TooLong);
    }
    let answer = answer.trim();
    let fenced = answer.strip_prefix("```json").or_else(|| answer.strip_prefix("```"));
    let answer = fenced.and_then(|rest| rest.trim().strip_suffix("```")).unwrap_or(answer);
    let unlike = |error: serde_json::Error| NotAnOutline::Unlike(error.to_string());
    let mut value: Value = serde_json::from_str(answer.trim()).map_err(unlike)?;
    let mut letters = 0;
    clean(&mut value, known, &mut letters)?;
    let schema = schema();
    complete(&mut value, &schema, &schema);
    let mut outline: Outline = serde_json::from_value(value).map_err(unlike)?;
    if !is_code_of_language(&outline.language) {
        known.language.clone_into(&mut outline.language);
    }
    if count(&outline.passages) > MAX_PASSAGES {
        return Err(NotAnOutline::TooLong);
    }
    outline.passages.iter_mut().try_for_each(|passage| settle(passage, true))?;
    outline.passages.retain(says_something);
    if outline.passages.is_empty() { Err(NotAnOutline::Empty) } else { Ok(outline) }
}

fn is_code_of_language(code: &str) -> bool {
    code.len() == 2 && code.bytes().all(|letter| letter.is_ascii_lowercase())
}

fn count(passages: &[Passage]) -> usize {
    let parts = |passage: &Passage| match &passage.matter {
        Matter::Board { parts, .. } => parts.len(),
        _ => 0,
    };
    passages.iter().map(|passage| 1 + parts(passage)).sum()
}

/// Takes out of every text what is no letter, and bounds them; takes out names of pictures and addresses that the brief does not have.
fn clean(value: &mut Value, known: Known<'_>, letters: &mut usize) -> Result<(), NotAnOutline> {
    match value {
        Value::String(text) => {
            text.retain(|letter| !letter.is_control() || letter == '\n');
            let count = text.chars().count();
            *letters += count;
            if count > MAX_TEXT_LETTERS || *letters > MAX_LETTERS {
                return Err(NotAnOutline::TooLong);
            }
        }
        Value::Array(items) => {
            if items.len() > MAX_THINGS {
                return Err(NotAnOutline::TooLong);
            }
            items.iter_mut().try_for_each(|item| clean(item, known, letters))?;
        }
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                clean(field, known, letters)?;
                let is_known = |text: &str| match name.as_str() {
                    "picture" => known.pictures.iter().any(|picture| picture == text),
                    "link" => is_address(text) && known.words.contains(text),
                    _ => true,
                };
                if field.as_str().is_some_and(|text| !is_known(text)) {
                    *field = Value::Null;
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    Ok(())
}

fn is_address(text: &str) -> bool {
    ["https://", "http://", "mailto:"].iter().any(|scheme| text.starts_with(scheme))
}

/// Fills in what was left out and is empty then; a word alone where several may stand is one of them.
fn complete(value: &mut Value, schema: &Value, whole: &Value) {
    let schema = resolve(schema, whole);
    let branches = ["oneOf", "anyOf"].iter().find_map(|name| schema.get(name)?.as_array());
    if let Some(branches) = branches {
        let kind = value.get("kind").cloned();
        let fits = |branch: &&Value| {
            let branch = resolve(branch, whole);
            match &kind {
                Some(kind) => branch.pointer("/properties/kind/const") == Some(kind),
                None => !is_of_type(branch, "null") && !value.is_null(),
            }
        };
        if let Some(branch) = branches.iter().find(fits) {
            complete(value, branch, whole);
        }
        return;
    }
    if let Some(items) = schema.get("items").filter(|_| is_of_type(schema, "array")) {
        if !value.is_array() {
            let is_nothing = value.is_null() || value.as_str() == Some("");
            *value = Value::Array(if is_nothing { Vec::new() } else { vec![value.take()] });
        }
        value.as_array_mut().into_iter().flatten().for_each(|item| complete(item, items, whole));
        return;
    }
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        if value.is_null() && is_of_type(schema, "string") && !is_of_type(schema, "null") {
            *value = Value::from("");
        }
        return;
    };
    if value.is_string() && properties.contains_key("text") {
        *value = Value::Object(Map::from_iter([("text".to_owned(), value.take())]));
    }
    let Some(fields) = value.as_object_mut() else { return };
    for (name, property) in properties {
        if !fields.contains_key(name)
            && let Some(nothing) = nothing_of(resolve(property, whole))
        {
            fields.insert(name.clone(), nothing);
        }
        if let Some(field) = fields.get_mut(name) {
            complete(field, property, whole);
        }
    }
}

/// What stands for nothing, where something may.
fn nothing_of(schema: &Value) -> Option<Value> {
    if schema.get("const").is_some() || schema.get("enum").is_some() {
        return None;
    }
    [("null", Value::Null), ("string", Value::from("")), ("array", Value::Array(Vec::new())), ("boolean", false.into())]
        .into_iter()
        .find_map(|(name, nothing)| is_of_type(schema, name).then_some(nothing))
}

fn is_of_type(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(only)) => only == name,
        Some(Value::Array(several)) => several.iter().any(|one| one == name),
        _ => schema.get("anyOf").and_then(Value::as_array).is_some_and(|of| of.iter().any(|one| is_of_type(one, name))),
    }
}

fn resolve<'a>(schema: &'a Value, whole: &'a Value) -> &'a Value {
    let named = schema.get("$ref").and_then(Value::as_str).and_then(|name| name.strip_prefix('#'));
    named.and_then(|pointer| whole.pointer(pointer)).unwrap_or(schema)
}

/// Makes a passage whole: rows as long as their head, numbers for every label, arrows between boxes that are there.
fn settle(passage: &mut Passage, may_hold_others: bool) -> Result<(), NotAnOutline> {
    let unlike = |what: &str| Err(NotAnOutline::Unlike(what.to_owned()));
    match &mut passage.matter {
        Matter::Board { parts, .. } => {
            if !may_hold_others {
                return unlike("a board within a board");
            }
            parts.iter_mut().try_for_each(|part| settle(part, false))?;
            parts.retain(says_something);
        }
        Matter::Table { table, .. } => settle_table(table)?,
        Matter::Chart { chart, .. } => settle_chart(chart)?,
        Matter::Screen { table, chart, .. } => {
            if !table.head.is_empty() {
                settle_table(table)?;
            }
            chart.as_mut().map_or(Ok(()), settle_chart)?;
        }
        Matter::Flow { boxes, arrows, lanes } => {
            let count = boxes.len();
            arrows.retain(|arrow| arrow.from < count && arrow.to < count && arrow.from != arrow.to);
            if boxes.is_empty() {
                return unlike("a flow without boxes");
            }
            settle_lanes(lanes, count);
        }
        Matter::Columns { columns, .. } if !(2..=6).contains(&columns.len()) => {
            return unlike("columns that are fewer than two or more than six");
        }
        _ => {}
    }
    Ok(())
}

/// Puts every box into one lane: one that is in none goes with the box before it.
fn settle_lanes(lanes: &mut Vec<Lane>, count: usize) {
    lanes.retain(|lane| !lane.name.trim().is_empty() || !lane.boxes.is_empty());
    if lanes.is_empty() {
        return;
    }
    let mut of_box: Vec<Option<usize>> = vec![None; count];
    for (at, lane) in lanes.iter_mut().enumerate() {
        for own in lane.boxes.drain(..).filter(|own| *own < count) {
            of_box[own].get_or_insert(at);
        }
    }
    let mut last = 0;
    for (at, of) in of_box.into_iter().enumerate() {
        last = of.unwrap_or(last);
        lanes[last].boxes.push(at);
    }
}

fn settle_table(table: &mut crate::chart::TableData) -> Result<(), NotAnOutline> {
    if table.head.is_empty() || table.head.len() > MAX_CELLS {
        return Err(NotAnOutline::Unlike("a table without a head, or with too many columns".to_owned()));
    }
    table.rows.iter_mut().for_each(|row| row.resize(table.head.len(), String::new()));
    Ok(())
}

fn settle_chart(chart: &mut crate::chart::ChartData) -> Result<(), NotAnOutline> {
    let is_drawable = |value: &Option<f64>| value.is_none_or(|value| value.abs() <= MAX_NUMBER);
    let is_whole = !chart.labels.is_empty()
        && (1..=6).contains(&chart.series.len())
        && chart.series.iter().flat_map(|series| &series.values).all(is_drawable);
    if !is_whole {
        return Err(NotAnOutline::Unlike("a chart without numbers that can be drawn".to_owned()));
    }
    chart.series.iter_mut().for_each(|series| series.values.resize(chart.labels.len(), None));
    Ok(())
}

fn says_something(passage: &Passage) -> bool {
    match &passage.matter {
        Matter::Picture { picture, .. } => !picture.is_empty(),
        Matter::Cover { picture: Some(_), .. } => true,
        Matter::Board { parts, .. } if parts.is_empty() => !crate::layout::words_of(passage).trim().is_empty(),
        _ => crate::layout::words_of(passage).chars().any(char::is_alphanumeric),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn known(words: &str) -> Known<'_> {
        Known { pictures: &[], words, language: "en" }
    }

    fn passage(matter: &Value) -> String {
        json!({"title": "Bread", "language": "en", "passages": [{"title": "One", "matter": matter}]}).to_string()
    }

    #[test]
    fn what_the_built_in_reading_makes_goes_through_json_and_back() {
        let brief = "Pitch deck for Loafline. Problem: bread is stale. Market: €4.2bn, up 14 %. July 1.05M, August 1.1M, September 1.3M. \
                     Starter €9 with mail, Team €29 with chat. “We love it”, says Ada Byron.";
        let brief = crate::Brief::new(brief, crate::Format::of(crate::Category::Slides), 1);
        let outline = crate::read_material(&brief).unwrap().draft;
        assert!(outline.passages.len() > 2, "{outline:?}");
        assert_eq!(read(&to_json(&outline), known("")).unwrap(), outline);
    }

    #[test]
    fn what_is_left_out_is_empty_and_a_word_alone_is_a_list_of_one() {
        let answer = r#"{"title": "Bread", "passages": [
            {"title": "Why", "matter": {"kind": "points", "points": [{"head": "Taste", "body": "At night."}, {"head": "Price"}]}},
            {"title": "Who", "matter": {"kind": "prose", "paragraphs": ["One.", ["Two."]]}}]}"#;
        let outline = read(answer, Known { language: "de", ..known("") }).unwrap();
        assert_eq!(outline.language, "de");
        let Matter::Points { points, ordered: false, .. } = &outline.passages[0].matter else { panic!("{outline:?}") };
        assert_eq!(points[0].body_text(), "At night.");
        assert!(points[1].body.is_empty());
        let Matter::Prose { paragraphs, picture: None } = &outline.passages[1].matter else { panic!("{outline:?}") };
        assert_eq!(paragraphs.iter().map(|runs| crate::content::plain(runs)).collect::<Vec<_>>(), ["One.", "Two."]);
        assert_eq!(read(&format!("```json\n{answer}\n```"), known("")).unwrap().passages, outline.passages);
    }

    #[test]
    fn what_is_no_outline_is_refused_with_why() {
        let check = |answer: &str, expected: &str| {
            let refused = read(answer, known("")).unwrap_err().to_string();
            assert!(refused.contains(expected), "{answer:.80}: {refused}");
        };
        check("", "not an outline");
        check("I am sorry, I cannot help with that.", "not an outline");
        check("[]", "not an outline");
        check(r#"{"title": "x", "passages": []}"#, "nothing stands in it");
        check(
            r#"{"title": "x", "passages": [{"title": " ", "matter": {"kind": "statement"}}]}"#,
            "nothing stands in it",
        );
        check(&passage(&json!({"kind": "poem"})), "poem");
        check(&passage(&json!({"kind": "columns", "columns": [{"head": "One"}]})), "columns");
        check(&passage(&json!({"kind": "flow", "boxes": []})), "boxes");
        check(&passage(&json!({"kind": "table", "table": {"head": [], "rows": []}})), "table");
        let chart = json!({"kind": "columns", "labels": ["a"], "series": [{"name": "n", "values": [1e300]}]});
        check(&passage(&json!({"kind": "chart", "chart": chart})), "chart");
        let within = json!({"title": "b", "matter": {"kind": "board", "parts": []}});
        check(&passage(&json!({"kind": "board", "parts": [within]})), "board within a board");
        check(&passage(&json!({"kind": "statement", "support": "a".repeat(7_000)})), "longer");
        check(&"[".repeat(100_000), "not an outline");
        check(&" ".repeat(MAX_JSON_BYTES + 1), "longer");
        let many = json!({"passages": vec![json!({"title": "a", "matter": {"kind": "statement"}}); 81]});
        check(&many.to_string(), "longer");
    }

    #[test]
    fn tables_charts_and_flows_are_made_whole() {
        let table = json!({"kind": "table", "table": {"head": ["a", "b"], "rows": [["1"], ["1", "2", "3"]]}});
        let Matter::Table { table, .. } = read(&passage(&table), known("")).unwrap().passages.remove(0).matter else {
            panic!("no table")
        };
        assert!(table.rows.iter().all(|row| row.len() == 2));
        let chart = json!({"kind": "chart", "chart": {"kind": "columns", "labels": ["a", "b"], "series": [{"name": "", "values": [1]}]}});
        let Matter::Chart { chart, .. } = read(&passage(&chart), known("")).unwrap().passages.remove(0).matter else {
            panic!("no chart")
        };
        assert_eq!(chart.series[0].values, [Some(1.0), None]);
        let arrows = [(0, 1), (1, 7), (1, 1)].map(|(from, to)| json!({"from": from, "to": to}));
        let flow = json!({"kind": "flow", "boxes": [{"head": "a"}, {"head": "b"}], "arrows": arrows});
        let Matter::Flow { arrows, lanes, .. } = read(&passage(&flow), known("")).unwrap().passages.remove(0).matter
        else {
            panic!("no flow")
        };
        assert_eq!((arrows.len(), lanes.len()), (1, 0));
        let lanes =
            json!([{"name": "Till", "boxes": [0, 7]}, {"name": "Oven", "boxes": [0, 2]}, {"name": "", "boxes": []}]);
        let boxes = ["a", "b", "c"].map(|head| json!({"head": head}));
        let flow = json!({"kind": "flow", "boxes": boxes, "arrows": [], "lanes": lanes});
        let Matter::Flow { lanes, .. } = read(&passage(&flow), known("")).unwrap().passages.remove(0).matter else {
            panic!("no lanes")
        };
        let of = lanes.iter().map(|lane| (lane.name.as_str(), lane.boxes.as_slice())).collect::<Vec<_>>();
        assert_eq!(of, [("Till", &[0, 1][..]), ("Oven", &[2][..])]);
    }

    #[test]
    fn pictures_addresses_and_signs_that_are_nobodys_are_left_out() {
        let run = |link: &str| json!({"text": "he\u{7}re", "link": link});
        let runs = [run("https://a.example/b"), run("https://evil.example"), run("javascript:alert(1)")];
        let prose = json!({"kind": "prose", "paragraphs": [runs], "picture": "nobody"});
        let outline = read(&passage(&prose), known("See https://a.example/b and javascript:alert(1).")).unwrap();
        let Matter::Prose { paragraphs, picture } = &outline.passages[0].matter else { panic!("{outline:?}") };
        let links: Vec<Option<&str>> = paragraphs[0].iter().map(|run| run.link.as_deref()).collect();
        assert_eq!((links, picture), (vec![Some("https://a.example/b"), None, None], &None));
        assert_eq!(paragraphs[0][0].text, "here");
        let pictures = ["p1".to_owned()];
        let known = Known { pictures: &pictures, ..known("") };
        let picture = |name: &str| passage(&json!({"kind": "picture", "picture": name, "caption": ""}));
        assert!(read(&picture("p1"), known).is_ok());
        assert!(read(&picture("p2"), known).is_err());
    }
}
