//! Prints what is read from briefs and what was made of them, for whoever works on the reading.
//!
//! Reads standard input or the files that are named: briefs with lines of `====` between them, the category behind the marks
//! (`==== diagram`), slides where none is named and anything else where the name is none of ours. With `--draw FOLDER` each
//! page is written there as a PNG too; with `--remix WORDS` it is what a remix with these words makes of the design.
#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use std::io::Read;
use std::path::{Path, PathBuf};

use easel_canvas::chart::ChartData;
use easel_canvas::content::{Matter, Passage, plain};
use easel_canvas::{Brief, Category, Document, FileFormat, Format, RenderRequest, compose, edit, render};
use serde::Deserialize;
use serde::de::value::{Error, StrDeserializer};

fn main() {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    let folder = take_option(&mut names, "--draw").map(PathBuf::from);
    let words = take_option(&mut names, "--remix");
    let mut text = String::new();
    if names.is_empty() {
        std::io::stdin().read_to_string(&mut text).expect("briefs on standard input");
    }
    for name in names {
        text.push_str(&std::fs::read_to_string(&name).expect("a file of briefs"));
        text.push('\n');
    }
    let mut category = Category::Slides;
    let mut prompt = String::new();
    let mut count = 0;
    let mut take = |prompt: &str, category| {
        count += 1;
        if let (Some(document), Some(folder)) = (print_brief(prompt, category), &folder) {
            let remixed = words.as_ref().map(|words| edit(&document, words, None, 0, &mut |_| {}).expect("a remix"));
            draw(&remixed.map_or(document, |remixed| remixed.document), folder, count);
        }
    };
    for line in text.lines() {
        match line.strip_prefix("====") {
            Some(named) => {
                take(&prompt, category);
                prompt.clear();
                category = category_of(named.trim());
            }
            None => {
                prompt.push_str(line);
                prompt.push('\n');
            }
        }
    }
    take(&prompt, category);
}

/// Takes an option with its value out of the arguments.
fn take_option(names: &mut Vec<String>, option: &str) -> Option<String> {
    let at = names.iter().position(|name| name == option)?;
    let value = names.get(at + 1).cloned();
    names.drain(at..(at + 2).min(names.len()));
    value
}

/// Writes each page as a PNG, named by the place of its brief and its own.
fn draw(document: &Document, folder: &Path, at: usize) {
    std::fs::create_dir_all(folder).expect("a folder for the pictures");
    for page in 1..=document.page_count() {
        let request =
            RenderRequest { format: FileFormat::Png, page: Some(page as u32), pixel_ratio: 1, flatten: false };
        let file = render(document, &request).expect("a picture");
        std::fs::write(folder.join(format!("{at:02}-{page:02}.png")), file.bytes).expect("room for a picture");
    }
}

fn category_of(name: &str) -> Category {
    match name {
        "" => Category::Slides,
        name => Category::deserialize(StrDeserializer::<Error>::new(name)).unwrap_or(Category::Other),
    }
}

fn print_brief(prompt: &str, category: Category) -> Option<Document> {
    let prompt = prompt.trim().to_owned();
    if prompt.is_empty() {
        return None;
    }
    println!("──── {}", prompt.chars().take(300).collect::<String>());
    let brief = Brief::new(prompt, Format::of(category), 7);
    match compose(&brief, &mut |_| {}) {
        Ok(composed) => {
            let document = &composed.document;
            let page = &document.pages[0];
            println!(
                "  ⇒ {:?} {}×{} pages {} {} “{}” — {}",
                document.category,
                page.width,
                page.height,
                document.page_count(),
                document.language,
                composed.name,
                composed.message
            );
            document.origin.outline.passages.iter().for_each(|passage| print_passage(passage, 1));
            Some(composed.document)
        }
        Err(error) => {
            println!("  ⇒ {error}");
            None
        }
    }
}

fn print_passage(passage: &Passage, depth: usize) {
    let indent = "  ".repeat(depth);
    let kicker = if passage.kicker.is_empty() { String::new() } else { format!("[{}] ", passage.kicker) };
    println!("{indent}■ {kicker}{}", passage.title);
    let tell = |name: &str, words: &str| {
        if !words.is_empty() {
            println!("{indent}    {name}: {words}");
        }
    };
    match &passage.matter {
        Matter::Cover { subtitle, details, .. } | Matter::Closing { lead: subtitle, details } => {
            tell("under", subtitle);
            details.iter().for_each(|detail| tell("detail", detail));
        }
        Matter::Agenda { items } => tell("agenda", &items.join(" | ")),
        Matter::Section { lead, .. } | Matter::Statement { support: lead } => tell("statement", lead),
        Matter::Prose { paragraphs, .. } => paragraphs.iter().for_each(|runs| tell("prose", &plain(runs))),
        Matter::Points { lead, points, .. } | Matter::Steps { lead, points } => {
            tell("lead", lead);
            let name = if matches!(passage.matter, Matter::Steps { .. }) { "step" } else { "point" };
            points.iter().for_each(|point| tell(name, &format!("{} ‖ {}", point.head, point.body_text())));
        }
        Matter::Figures { lead, figures } => {
            tell("lead", lead);
            figures.iter().for_each(|figure| tell("figure", &format!("{} ‖ {}", figure.value, figure.label)));
        }
        Matter::Quote { words, by } => tell("quote", &format!("{words} ‖ {by}")),
        Matter::Table { lead, table } => {
            tell("lead", lead);
            tell("head", &table.head.join(" | "));
            table.rows.iter().for_each(|row| tell("row", &row.join(" | ")));
        }
        Matter::Chart { lead, chart, .. } => {
            tell("lead", lead);
            tell("chart", &chart_words(chart));
        }
        Matter::Picture { caption, .. } => tell("picture", caption),
        Matter::Comparison { left, right } => {
            [left, right].iter().for_each(|side| tell("side", &format!("{} ‖ {}", side.head, side.points.join(" | "))));
        }
        Matter::Columns { lead, columns } => {
            tell("lead", lead);
            for column in columns {
                tell("column", &format!("{} ‖ {} ‖ {}", column.head, column.figure, column.points.join(" | ")));
            }
        }
        Matter::Menu { lead, groups, details } => {
            tell("lead", lead);
            for group in groups {
                tell("group", &group.name);
                group
                    .items
                    .iter()
                    .for_each(|item| tell("  item", &format!("{} ‖ {} ‖ {}", item.name, item.note, item.price)));
            }
            details.iter().for_each(|detail| tell("detail", detail));
        }
        Matter::Gap { ask } => tell("gap", ask),
        Matter::Board { subtitle, parts, details } => {
            tell("board", subtitle);
            parts.iter().for_each(|part| print_passage(part, depth + 2));
            details.iter().for_each(|detail| tell("detail", detail));
        }
        Matter::Flow { boxes, arrows, lanes } => {
            for (at, point) in boxes.iter().enumerate() {
                tell("box", &format!("{at} {} ‖ {}", point.head, point.body_text()));
            }
            lanes.iter().for_each(|lane| tell("lane", &format!("{} {:?}", lane.name, lane.boxes)));
            arrows.iter().for_each(|arrow| tell("arrow", &format!("{} → {} {}", arrow.from, arrow.to, arrow.label)));
        }
        Matter::Screen { .. } => tell("screen", &format!("{:?}", passage.matter)),
    }
}

fn chart_words(chart: &ChartData) -> String {
    let rows: Vec<String> = chart
        .series
        .iter()
        .map(|series| format!("{}: {:?}", series.name, chart.labels.iter().zip(&series.values).collect::<Vec<_>>()))
        .collect();
    format!("{:?} {}…{} {}", chart.kind, chart.prefix, chart.suffix, rows.join("; "))
}
