//! What a design says, page by page: what its brief and its files say, or what somebody else wrote.
//!
//! Always true: where passages are pages there are as many as the brief asks for, and its pictures stand on them. Deliberately not
//! here: what one page says (`pages`, `plan`, `listing`, `screen`), and whether what was written is an outline (`crate::outline`).

use super::format::BriefFormat;
use super::given::Given;
use super::illustrate::place_pictures;
use super::labels::{self, Labels};
use super::source::Block;
use super::title::{says_anything, take_title, title_in};
use super::{listing, pages, plan, screen};
use crate::brief::Brief;
use crate::content::{Arrow, Matter, Outline, Passage, plain};
use crate::document::Category;
use crate::read::kinds::Kind;
use crate::read::{self, Reading, language};

/// What the design says: what its brief says and what its files say.
pub fn plan_outline(brief: &Brief, reading: &Reading, given: &Given, made: &BriefFormat) -> Outline {
    let mut reading = reading.clone();
    if !given.blocks.is_empty() {
        let told = format!("{} {}", sample_of_blocks(&given.blocks), reading.subtitle);
        reading.language = language::detect_within(&told, &brief.prompt);
    }
    let labels = labels::labels(&reading.language);
    let planned = plan::plan(&given.blocks, made.category, labels);
    take_title(brief, &mut reading, &planned, given);
    if reading.subtitle.is_empty() {
        reading.subtitle.clone_from(&planned.subtitle);
    } else if !planned.subtitle.is_empty() {
        reading.details.insert(0, planned.subtitle.clone());
    }
    if reading.title.is_empty() && !says_anything(&reading) && planned.passages.is_empty() {
        reading.title = brief.name.clone().unwrap_or_else(|| labels.untitled.to_owned());
    }
    let mut passages = passages_of(&reading, planned, made, labels, given);
    if matches!(made.category, Category::Social | Category::Carousel) {
        passages.iter_mut().for_each(state_briefly);
    }
    place_pictures(&mut passages, &given.pictures, made.category, made.count);
    let mut title = reading.title.clone();
    if title.is_empty() {
        title = brief.name.clone().unwrap_or_else(|| title_in(&passages, labels));
    }
    keep_count(brief, made, &mut passages, labels);
    Outline { title, language: reading.language.clone(), passages }
}

/// Brings what was written to the kind and the number of pages that the brief asks for, and gives it the pictures.
pub fn take_over(mut outline: Outline, brief: &Brief, reading: &Reading, given: &Given, made: &BriefFormat) -> Outline {
    let labels = labels::labels(&outline.language);
    let passages = &mut outline.passages;
    if made.category == Category::Diagram {
        as_flows(passages);
    }
    if matches!(made.category, Category::Social | Category::Carousel) {
        passages.iter_mut().for_each(state_briefly);
    }
    if made.is_single && made.category != Category::Pdf {
        pages::gather(passages, 1);
    }
    place_pictures(passages, &given.pictures, made.category, made.count);
    if outline.title.trim().is_empty() {
        outline.title = if reading.title.is_empty() { title_in(passages, labels) } else { reading.title.clone() };
    }
    keep_count(brief, made, passages, labels);
    outline
}

fn passages_of(
    reading: &Reading,
    planned: plan::Planned,
    made: &BriefFormat,
    labels: &Labels,
    given: &Given,
) -> Vec<Passage> {
    if made.category == Category::Diagram {
        let mut passages = pages::diagram(reading, labels);
        let mut given = planned.passages;
        as_flows(&mut given);
        passages.extend(given);
        under_title(&mut passages, &reading.title);
        return if passages.is_empty() { vec![pages::single(reading, made.kind, labels)] } else { passages };
    }
    if made.category == Category::Ui {
        return vec![screen::screen(reading, planned)];
    }
    let is_paper = made.category == Category::Pdf;
    let each = if matches!(made.kind, Kind::Certificate | Kind::Invitation | Kind::Card | Kind::BusinessCard)
        && made.count.is_none()
    {
        let each = listing::one_for_each(reading, &given.blocks, made.kind);
        if each.is_empty() { listing::one_for_each_told(reading, made.kind) } else { each }
    } else {
        Vec::new()
    };
    if !each.is_empty() {
        return each.iter().map(|own| pages::single(own, made.kind, labels)).collect();
    }
    if made.kind == Kind::Menu
        && made.is_single
        && let Some(matter) = listing::menu_of(&given.blocks)
    {
        let mut whole = reading.clone();
        whole.parts.push(read::parts::Part { title: String::new(), matters: vec![matter], is_named: false });
        return vec![pages::single(&whole, made.kind, labels)];
    }
    if made.kind == Kind::Carousel {
        let cards = listing::cards_of(&given.blocks);
        if !cards.is_empty() {
            let mut passages = pages::paged(reading, made.kind, labels);
            passages.extend(cards);
            return passages;
        }
    }
    // What is called a page is one, as long as it is no letter: that is read from its beginning to its end.
    let is_sheet = made.kind == Kind::OnePager && given.blocks.is_empty() && !is_letter(reading);
    if made.is_single && (!is_paper || is_sheet) {
        let mut whole = reading.clone();
        whole.parts.extend(planned.passages.into_iter().map(|passage| read::parts::Part {
            title: passage.title,
            matters: vec![passage.matter],
            is_named: false,
        }));
        return vec![pages::single(&whole, made.kind, labels)];
    }
    let mut passages = pages::paged(reading, made.kind, labels);
    let is_saying = made.category == Category::Social
        && planned.passages.len() == 1
        && given.blocks.iter().all(|block| !matches!(block, Block::Heading(..)));
    if is_saying && passages.len() == 1 {
        passages.clear();
    }
    passages.extend(planned.passages);
    passages
}

/// Whether what is read goes on without headings, as a letter or a recipe does.
fn is_letter(reading: &Reading) -> bool {
    reading.parts.iter().filter(|part| part.title.is_empty()).count() >= 2
}

/// Brings the passages to the number of pages that was asked for, where passages are pages.
fn keep_count(brief: &Brief, made: &BriefFormat, passages: &mut Vec<Passage>, labels: &Labels) {
    if made.category == Category::Pdf {
        return;
    }
    let Some(count) = made.count.map(|count| count as usize) else { return };
    let has_bare_cover = matches!(&passages[0].matter, Matter::Cover { subtitle, details, picture } if subtitle.is_empty() && details.is_empty() && picture.is_none());
    // As many parts as pages: the title stands over the first of them.
    if passages.len() == count + 1 && count > 1 && has_bare_cover {
        let cover = passages.remove(0);
        if let Some(first) = passages.first_mut() {
            // What has no title of its own stands under that of the whole.
            let place = if first.title.is_empty() { &mut first.title } else { &mut first.kicker };
            *place = cover.title;
        }
    }
    pages::gather(passages, count);
    if brief.page_count.is_some() {
        pages::fill(passages, count, labels);
    }
}

/// On a page to be swiped a few plain sentences are a statement, not reading matter.
fn state_briefly(passage: &mut Passage) {
    let Matter::Prose { paragraphs, .. } = &passage.matter else { return };
    let is_plain = paragraphs.iter().flatten().all(|run| !run.strong && !run.emphasis && run.link.is_none());
    let support: String = paragraphs.iter().map(|runs| plain(runs)).collect::<Vec<_>>().join("\n");
    if is_plain && !passage.title.is_empty() && support.chars().count() <= 220 {
        passage.matter = Matter::Statement { support };
    }
}

fn sample_of_blocks(blocks: &[Block]) -> String {
    let mut sample = String::new();
    for block in blocks.iter().take(60) {
        match block {
            Block::Heading(_, text) | Block::Quote(text) => sample.push_str(text),
            Block::Paragraph(runs) => sample.push_str(&plain(runs)),
            Block::List(_, items) => items.iter().for_each(|item| sample.push_str(&plain(item))),
            Block::Table(table) => sample.push_str(&table.head.join(" ")),
        }
        sample.push(' ');
    }
    sample
}

/// A diagram of a source draws its lists as boxes.
fn as_flows(passages: &mut [Passage]) {
    for passage in passages.iter_mut() {
        if let Matter::Points { points, .. } | Matter::Steps { points, .. } = &mut passage.matter {
            let boxes = std::mem::take(points);
            let arrows = (1..boxes.len()).map(|to| Arrow { from: to - 1, to, label: String::new() }).collect();
            passage.matter = Matter::Flow { boxes, arrows, lanes: Vec::new() };
        }
    }
}

/// A diagram without a title of its own stands under the title of its brief, and needs no cover.
fn under_title(passages: &mut Vec<Passage>, title: &str) {
    for passage in passages.iter_mut() {
        if passage.title.is_empty() {
            passage.title = title.to_owned();
        }
    }
    if passages.len() > 1 {
        passages.retain(|passage| !matches!(passage.matter, Matter::Cover { .. }));
    }
}
