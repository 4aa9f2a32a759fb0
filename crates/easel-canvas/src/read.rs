//! Reading a brief for its structure: what kind of thing it is, what it is about, its parts and facts, and, apart from
//! all that, its instructions.
//!
//! These are rules about punctuation and words, not understanding. What holds: every word of a brief is either an
//! instruction, which is obeyed, or content, which stands on a page; in doubt it is content. No word is ever added.
//! Deliberately not here: files (`compose::source`), pages (`compose`), places and colours.

pub mod amounts;
mod asides;
mod asking;
mod brackets;
mod closing;
pub mod colors;
mod comparison;
mod complete;
mod courses;
mod dates;
mod directions;
mod facts;
pub mod flow;
mod forms;
mod frames;
mod greeting;
mod guess;
pub mod instructions;
pub mod kinds;
pub mod language;
mod letter;
mod lines;
mod mail;
mod maker;
pub mod matter;
mod naming;
mod narrated;
mod notation;
mod page_talk;
pub mod parts;
mod prices;
mod quotes;
mod reader;
mod reading;
mod request;
mod series;
mod settled;
pub mod sizes;
mod spelled;
mod streets;
mod style;
pub mod text;
mod totals;
mod vocabulary;

use crate::document::Category;
use kinds::Kind;
use lines::Line;
use reader::Reader;
pub use reading::Reading;

/// No more letters of a brief are looked at.
const MAX_LETTERS: usize = 20_000;

/// Reads a brief that is to become a thing of a category.
pub fn read(prompt: &str, category: Category) -> Reading {
    let prompt: String = prompt.chars().take(MAX_LETTERS).collect();
    let mut lines = lines::read(&prompt);
    let subject = mail::strip(&mut lines);
    let whole = lines.clone();
    let directions = directions::strip(&mut lines);
    let asides = asides::strip(&mut lines);
    let closing = closing::strip(&mut lines);
    let said = format!("{directions}, {asides}, {closing}");
    let mut reading = read_lines(lines, &said, &prompt, &subject, category);
    // What is all of a brief is never taken off.
    if reading.is_empty() {
        reading = read_lines(whole.clone(), "", &prompt, &subject, category);
    }
    complete::complete(&mut reading, &whole, &said);
    reading
}

/// Reads lines beside which something was said to whoever makes the thing.
fn read_lines(mut lines: Vec<Line>, said: &str, prompt: &str, subject: &str, category: Category) -> Reading {
    let is_paged = matches!(category, Category::Slides | Category::Carousel);
    let pages = if is_paged { lines::divide_pages(&mut lines) } else { None };
    letter::set_apart(&mut lines);
    asking::set_apart_opening(&mut lines);
    let (mut request, is_apart) = asking::take_request(&mut lines, category);
    if flow::lanes::are_asked(&format!("{} {}", request.kind_name, request.instructions)) {
        flow::lanes::name_items(&mut lines);
    }
    request.instructions = format!("{}, {said}", request.instructions);
    if let Some(pages) =
        pages.filter(|_| instructions::page_count(&request.instructions.to_lowercase()).is_none_or(|count| count == 1))
    {
        request.instructions = format!("{pages} pages, {}", request.instructions);
    }
    if is_apart {
        asking::settle_title(&mut request, &lines, is_paged);
    }
    if let Some(kind) = guess::kind_of(&lines, &request, category) {
        request.kind = Some(kind);
    }
    settled::settle_name(&mut request, &lines);
    frames::settle(&mut request, &mut lines);
    // “ticket flow”, “invitation process”: a drawing of boxes is no card.
    if category == Category::Diagram
        && matches!(request.kind, Some(Kind::Card | Kind::Invitation | Kind::BusinessCard | Kind::Certificate))
    {
        request.kind = Some(Kind::Diagram);
    }
    let mut reader = Reader::new(request, category);
    reader.look_ahead(&lines);
    reader.take_name_beside(said);
    reader.take_request_content();
    reader.take_statements(false);
    reader.take_lines(&lines);
    reader.take_statements(true);
    reader.finish(prompt, subject)
}
