//! Reading matter: passages one under another, as many on a page as there is room for, as in a report or a letter.
//!
//! A passage that does not fit on what is left of a page is divided if a good part of it does, else it begins the next
//! page. A heading never stands alone at the foot of a page, because a passage is placed whole or not at all.

use super::head::{put_foot, put_small_logo};
use super::numbers::{put_chart, put_table};
use super::setting::Setting;
use super::sheet::{Sheet, mirror};
use super::split;
use super::words::Words;
use crate::chart::{ChartData, TableData};
use crate::content::{Figure, Matter, MenuGroup, Passage, Point, Side};
use crate::dice::Dice;
use crate::document::{Fit, Node, Page, TextRole};
use crate::geometry::Frame;
use crate::origin::HeadPlace;
use crate::theme::{Background, Role};

/// Type on paper is a touch larger than the scale, for eyes of every age.
const ZOOM: f32 = 1.06;

/// Sizes that are tried for a last page that would hold hardly anything: a little smaller saves the page.
const SMALLER: &[f32] = &[1.0, 0.95];

/// Sizes that are tried for matter that fills no page: larger letters fill it better.
const LARGER: &[f32] = &[1.7, 1.5, 1.36, 1.24, 1.14];

/// A last page is hardly used when less of it is.
const SCANT: f32 = 0.3;

/// Lays passages out as pages of reading matter; returns the words that found no place as well.
///
/// The size of type is the usual one, unless another one makes a better end: no page with three lines on it, and no
/// short text lost at the head of its only page.
pub fn lay_out(
    setting: Setting<'_>,
    passages: &[Passage],
    seed: u64,
    first_number: usize,
    at_most: usize,
) -> (Vec<Page>, usize) {
    let try_at = |zoom: f32| lay_out_at(setting, passages, seed, first_number, at_most, zoom);
    let usual = try_at(ZOOM);
    let count = usual.pages.len();
    // Long matter has its size; to lay it out again and again would cost more than it gains.
    if count == 1 && usual.last_filled < 0.75 {
        let larger = LARGER.iter().map(|zoom| try_at(*zoom));
        let fitting = larger.into_iter().find(|trial| trial.pages.len() == 1 && trial.last_filled < 0.97);
        return fitting.unwrap_or(usual).end();
    }
    if (2..=12).contains(&count) && usual.last_filled < SCANT {
        let saved = SMALLER.iter().map(|zoom| try_at(*zoom)).find(|trial| trial.pages.len() < count);
        return saved.unwrap_or(usual).end();
    }
    usual.end()
}

/// What one size of type came to.
struct Trial {
    pages: Vec<Page>,
    words_in_notes: usize,
    /// How much of the last page's height is used, 0 to 1.
    last_filled: f32,
}

impl Trial {
    fn end(self) -> (Vec<Page>, usize) {
        (self.pages, self.words_in_notes)
    }
}

fn lay_out_at(
    setting: Setting<'_>,
    passages: &[Passage],
    seed: u64,
    first_number: usize,
    at_most: usize,
    zoom: f32,
) -> Trial {
    let mut pages: Vec<Page> = Vec::new();
    let mut words_in_notes = 0;
    let mut pending: Vec<Passage> = passages.iter().rev().cloned().collect();
    let fresh =
        |number: usize| Sheet::new(setting, Background::Base, zoom, Dice::new(seed, &format!("paper {number}")));
    let mut sheet = fresh(first_number);
    let mut rest = sheet.content();
    let mut name = String::new();
    let mut notes: Vec<String> = Vec::new();
    while let Some(passage) = pending.pop() {
        if pages.len() >= at_most {
            words_in_notes += split::move_to_notes(&passage, pages.last_mut());
            continue;
        }
        let is_empty = sheet.nodes.is_empty();
        if split::letters_of(&passage) > 9000
            && let Some((first, second)) = split::halve(&passage)
        {
            pending.push(Passage { title: String::new(), kicker: String::new(), ..second });
            pending.push(first);
            continue;
        }
        if let Some(left) = place(&mut sheet, &passage, rest, is_empty) {
            rest = left;
            if name.is_empty() {
                name.clone_from(&passage.title);
            }
            if !passage.notes.is_empty() {
                notes.push(passage.notes.clone());
            }
            continue;
        }
        let has_room = rest.height > sheet.content().height * 0.3;
        let halves = if is_empty || has_room { split::halve(&passage) } else { None };
        match halves {
            Some((first, second)) if is_empty || fits_in_parts(&mut sheet, &first, rest) => {
                pending.push(Passage { title: String::new(), kicker: String::new(), ..second });
                pending.push(first);
            }
            None if is_empty && !split::is_plainest(&passage) => pending.push(split::make_plainest(&passage)),
            None if is_empty => words_in_notes += split::move_to_notes(&passage, pages.last_mut()),
            _ => {
                pending.push(passage);
                pages.push(finish(setting, sheet, first_number + pages.len(), &mut name, &mut notes));
                sheet = fresh(first_number + pages.len());
                rest = sheet.content();
            }
        }
    }
    if !sheet.nodes.is_empty() && pages.len() < at_most {
        pages.push(finish(setting, sheet, first_number + pages.len(), &mut name, &mut notes));
    }
    let content = fresh(first_number).content();
    let last_filled = 1.0 - (content.bottom() - rest.y).clamp(0.0, content.height) / content.height.max(1.0);
    Trial { pages, words_in_notes, last_filled }
}

/// By how much everything but reading text is larger than usual; never smaller.
fn larger(sheet: &Sheet<'_>) -> f32 {
    (sheet.zoom / ZOOM).max(1.0)
}

/// Whether the passage, divided once or twice more, has a part that fits here.
fn fits_in_parts(sheet: &mut Sheet<'_>, passage: &Passage, rest: Frame) -> bool {
    let mut part = passage.clone();
    for _ in 0..3 {
        let before = sheet.nodes.len();
        let fits = place(sheet, &part, rest, false).is_some();
        sheet.nodes.truncate(before);
        if fits {
            return true;
        }
        match split::halve(&part) {
            Some((first, _)) => part = first,
            None => return false,
        }
    }
    false
}

fn finish(
    setting: Setting<'_>,
    mut sheet: Sheet<'_>,
    number: usize,
    name: &mut String,
    notes: &mut Vec<String>,
) -> Page {
    put_foot(&mut sheet, number);
    put_small_logo(&mut sheet);
    let mut nodes: Vec<Node> = sheet.nodes;
    if setting.right_to_left {
        mirror(&mut nodes, setting.width);
    }
    let title = std::mem::take(name);
    Page {
        name: if title.is_empty() { number.to_string() } else { title.chars().take(120).collect() },
        width: setting.width as u32,
        height: setting.height as u32,
        ground: Background::Base,
        nodes,
        notes: std::mem::take(notes).join("\n"),
        layout: "paper".to_owned(),
    }
}

/// Details of a head of no more letters stand on one line.
const MOST_HEAD_LETTERS: usize = 80;

/// Puts a passage at the top of a frame; what is left of the frame, or `None` (and nothing put) where it does not fit.
fn place(sheet: &mut Sheet<'_>, passage: &Passage, frame: Frame, is_first: bool) -> Option<Frame> {
    let before = sheet.nodes.len();
    let dice = sheet.dice.clone();
    sheet.failed = false;
    let unit = sheet.unit * larger(sheet);
    let is_part = matches!(passage.matter, Matter::Section { .. });
    // The heading of a part stands nowhere without room for what follows it.
    if is_part && !is_first && frame.height < sheet.content().height * 0.2 {
        return None;
    }
    let mut rest = frame;
    if !is_first {
        // What goes on is nearer to what it goes on from than a new heading.
        rest = rest.split_top(unit * if passage.title.is_empty() { 1.1 } else { 5.0 }).1;
    }
    let (beside, matter_place) = columns_of(sheet, rest);
    // The title of the whole, where it has no cover of its own, is larger than what it stands over.
    let size = match passage.matter {
        Matter::Cover { .. } => 1.25,
        Matter::Section { .. } => 1.0,
        _ => 0.66 * larger(sheet),
    };
    let title = Words::title(&passage.title).sized(size).at_least(0.6);
    let title = if is_first && before == 0 { title } else { title.role(TextRole::Heading) };
    let kicker = Words::label(&passage.kicker);
    match beside.filter(|_| !is_part) {
        Some(beside) => {
            let heading = sheet.put_top(&kicker, beside, unit * 0.7);
            let heading = sheet.put_top(&title.sized(0.8), heading, 0.0);
            rest = place_matter(sheet, &passage.matter, matter_place);
            let low = rest.y.max(heading.y);
            rest = Frame::new(frame.x, low, frame.width, frame.bottom() - low);
        }
        None => {
            rest = Frame::new(matter_place.x, rest.y, matter_place.width, rest.height);
            rest = sheet.put_top(&kicker, rest, unit * 0.7);
            rest = sheet.put_top(&title, rest, unit * if is_part { 2.4 } else { 1.7 });
            rest = place_matter(sheet, &passage.matter, rest);
            rest = Frame::new(frame.x, rest.y, frame.width, rest.height);
        }
    }
    // What is left at the foot is at least nothing.
    if sheet.failed || rest.y > frame.bottom() + 0.5 {
        sheet.nodes.truncate(before);
        sheet.dice = dice;
        sheet.failed = false;
        return None;
    }
    Some(rest)
}

/// Where headings stand if they have a column of their own, and where the rest stands.
fn columns_of(sheet: &Sheet<'_>, frame: Frame) -> (Option<Frame>, Frame) {
    let (narrow, gap) = (frame.width * 0.24, sheet.unit * 3.0);
    match sheet.setting.arrangement.head {
        HeadPlace::Top => (None, frame),
        HeadPlace::Side => {
            let (side, broad) = frame.split_left(narrow);
            (Some(side), Frame::new(broad.x + gap, broad.y, broad.width - gap, broad.height))
        }
        HeadPlace::FarSide => {
            let (broad, side) = frame.split_left(frame.width - narrow);
            (Some(side), Frame::new(broad.x, broad.y, broad.width - gap, broad.height))
        }
        HeadPlace::Foot => (None, frame.split_left(narrow).1),
    }
}

pub fn place_matter(sheet: &mut Sheet<'_>, matter: &Matter, frame: Frame) -> Frame {
    let unit = sheet.unit * larger(sheet);
    match matter {
        Matter::Prose { paragraphs, picture } => {
            let mut rest = frame;
            if let Some(picture) = picture {
                rest = place_picture(sheet, picture, rest);
            }
            sheet.put_top(&Words::paragraphs(paragraphs), rest, 0.0)
        }
        Matter::Points { lead, points, ordered } => {
            let rest = sheet.put_top(&Words::body(lead), frame, unit * 1.6);
            place_points(sheet, points, *ordered, rest)
        }
        Matter::Steps { lead, points } => {
            let rest = sheet.put_top(&Words::body(lead), frame, unit * 1.6);
            place_steps(sheet, points, rest)
        }
        Matter::Flow { .. } => {
            let height = (frame.width * 0.6).min(frame.height);
            super::graph::put_graph(sheet, matter, frame.split_top(height).0);
            frame.split_top(height).1
        }
        Matter::Columns { lead, columns } => {
            let rest = sheet.put_top(&Words::body(lead), frame, unit * 1.6);
            let (place, below) = rest.split_top((unit * 50.0).min(rest.height));
            super::columns::put_columns(sheet, columns, place, true);
            below
        }
        Matter::Menu { lead, groups, details } => place_menu(sheet, lead, groups, details, frame),
        Matter::Gap { ask } => place_gap(sheet, ask, frame),
        Matter::Board { subtitle, parts, details } => place_board(sheet, subtitle, parts, details, frame),
        Matter::Agenda { items } => {
            let points: Vec<Point> = items.iter().map(|item| Point::new(item, "")).collect();
            sheet.put_top(&Words::list(&points, true, 1).paragraph_gap(0.45), frame, 0.0)
        }
        Matter::Figures { lead, figures } => {
            let rest = sheet.put_top(&Words::body(lead), frame, unit * 1.6);
            place_figures(sheet, figures, rest)
        }
        Matter::Quote { words, by } => place_quote(sheet, words, by, frame),
        Matter::Statement { support } => sheet.put_top(&Words::body(support), frame, 0.0),
        Matter::Section { lead, .. } => sheet.put_top(&Words::body(lead).paint(Role::Muted), frame, 0.0),
        Matter::Table { lead, table } => {
            let rest = sheet.put_top(&Words::body(lead), frame, unit * 1.6);
            place_table(sheet, table, rest)
        }
        Matter::Chart { lead, chart, insights } => {
            let rest = sheet.put_top(&Words::body(lead), frame, unit * 1.6);
            place_chart(sheet, chart, insights, rest)
        }
        Matter::Picture { picture, caption } => {
            let rest = place_picture(sheet, picture, frame);
            sheet.put_top(&Words::body(caption).paint(Role::Muted).small(), rest, 0.0)
        }
        Matter::Comparison { left, right } => place_sides(sheet, [left, right], frame),
        Matter::Cover { subtitle, details, .. } => {
            let rest = sheet.put_top(&Words::body(subtitle).sized(1.15), frame, unit * 1.2);
            let line = details.join(" · ");
            let words = if line.chars().count() <= MOST_HEAD_LETTERS { line } else { details.join("\n") };
            sheet.put_top(&Words::body(&words).paint(Role::Muted), rest, unit * 1.2)
        }
        Matter::Closing { lead, details } => {
            let rest = sheet.put_top(&Words::body(lead), frame, unit * 1.2);
            sheet.put_top(&Words::body(&details.join("\n")).weight(600), rest, 0.0)
        }
        Matter::Screen { table, .. } => place_table(sheet, table, frame),
    }
}

fn place_menu(sheet: &mut Sheet<'_>, lead: &str, groups: &[MenuGroup], details: &[String], frame: Frame) -> Frame {
    let unit = sheet.unit * larger(sheet);
    let rest = sheet.put_top(&Words::body(lead), frame, unit * 1.6);
    let height = super::menu::height_of_groups(sheet, groups, rest.width);
    let (place, below) = rest.split_top(height + 1.0);
    super::menu::put_groups(sheet, groups, place);
    if height > rest.height {
        sheet.failed = true;
    }
    sheet.put_top(&Words::body(&details.join("\n")).paint(Role::Muted), below, 0.0)
}

fn place_gap(sheet: &mut Sheet<'_>, ask: &str, frame: Frame) -> Frame {
    let full = sheet.content().height;
    // A gap has a page of its own.
    if frame.height < full * 0.7 {
        sheet.failed = true;
        return frame;
    }
    super::gap::put_gap(sheet, ask, frame);
    frame.split_top(frame.height).1
}

fn place_board(sheet: &mut Sheet<'_>, subtitle: &str, parts: &[Passage], details: &[String], frame: Frame) -> Frame {
    let unit = sheet.unit * larger(sheet);
    let mut rest = sheet.put_top(&Words::body(subtitle), frame, unit * 1.6);
    for part in parts {
        let title = Words::heading(&part.title);
        rest = sheet.put_top(&title, rest, unit * 0.9);
        rest = place_matter(sheet, &part.matter, rest).split_top(unit * 2.6).1;
    }
    sheet.put_top(&Words::body(&details.join("\n")).weight(600), rest, 0.0)
}

fn place_chart(sheet: &mut Sheet<'_>, chart: &ChartData, insights: &[Figure], frame: Frame) -> Frame {
    let mut rest = frame;
    if !insights.is_empty() {
        rest = place_figures(sheet, insights, rest).split_top(sheet.unit * larger(sheet) * 2.4).1;
    }
    let height = (rest.width * 0.52).max(chart.labels.len().min(14) as f32 * sheet.scale.small * 1.9);
    if height > rest.height {
        sheet.failed = true;
        return rest;
    }
    let (place, below) = rest.split_top(height);
    put_chart(sheet, chart, place);
    below
}

fn place_sides(sheet: &mut Sheet<'_>, sides: [&Side; 2], frame: Frame) -> Frame {
    let unit = sheet.unit * larger(sheet);
    let mut low = frame.y;
    for (column, side) in frame.columns(2, unit * 4.0).into_iter().zip(sides) {
        let rest = sheet.put_top(&Words::heading(&side.head), column, unit * 0.8);
        let points: Vec<Point> = side.points.iter().map(|point| Point::new(point, "")).collect();
        low = low.max(sheet.put_top(&Words::list(&points, false, 1).paragraph_gap(0.35), rest, 0.0).y);
    }
    frame.split_top(low - frame.y).1
}

fn place_picture(sheet: &mut Sheet<'_>, picture: &str, frame: Frame) -> Frame {
    let height = sheet.asset(picture).map_or(frame.width * 0.5, |asset| {
        (frame.width * asset.height as f32 / asset.width.max(1) as f32).clamp(frame.width * 0.25, frame.width * 0.62)
    });
    if height > frame.height {
        sheet.failed = true;
        return frame;
    }
    let (place, rest) = frame.split_top(height);
    let radius = sheet.radius();
    sheet.image(picture, place, Fit::Cover, radius);
    rest.split_top(sheet.unit * 2.4).1
}

/// Things with a name and a few words stand two by two, others as a list.
fn place_points(sheet: &mut Sheet<'_>, points: &[Point], ordered: bool, frame: Frame) -> Frame {
    let unit = sheet.unit * larger(sheet);
    let is_grid = !ordered
        && points.len() >= 2
        && points
            .iter()
            .all(|point| !point.head.is_empty() && !point.body.is_empty() && point.body_text().chars().count() < 160);
    if !is_grid {
        return sheet.put_top(&Words::list(points, ordered, 1).paragraph_gap(0.45), frame, 0.0);
    }
    let columns = frame.columns(if points.len() == 3 { 3 } else { 2 }, unit * 3.6);
    let mut rest = frame;
    for row in points.chunks(columns.len()) {
        let mut low = rest.y;
        for (column, point) in columns.iter().zip(row) {
            let place = Frame::new(column.x, rest.y, column.width, rest.height);
            sheet.rectangle(Frame::new(place.x, place.y, place.width, unit * 0.35), Role::Accent, 0.0);
            let below = place.split_top(unit * 1.5).1;
            let below = sheet.put_top(&Words::heading(&point.head).sized(0.86), below, unit * 0.6);
            low = low.max(sheet.put_top(&Words::runs(&point.body).paint(Role::Muted), below, 0.0).y);
        }
        rest = rest.split_top(low - rest.y + unit * 2.6).1;
    }
    Frame::new(rest.x, rest.y - unit * 2.6, rest.width, rest.height + unit * 2.6)
}

fn place_steps(sheet: &mut Sheet<'_>, points: &[Point], frame: Frame) -> Frame {
    let unit = sheet.unit * larger(sheet);
    let radius = unit * 1.75;
    let mut rest = frame;
    for (at, point) in points.iter().enumerate() {
        let (mark, text) = rest.split_left(radius * 2.0 + unit * 1.8);
        sheet.circle(mark.x + radius, mark.y + radius, radius, Role::Accent);
        let number = Words::label(&(at + 1).to_string())
            .paint(Role::OnAccent)
            .centered()
            .anchored(crate::document::Anchor::Middle);
        sheet.put(&number, Frame::new(mark.x, mark.y, radius * 2.0, radius * 2.0));
        let text = text.split_top(unit * 0.35).1;
        let below = if point.head.is_empty() {
            text
        } else {
            sheet.put_top(&Words::heading(&point.head).sized(0.86), text, unit * 0.3)
        };
        let end = sheet.put_top(&Words::runs(&point.body).paint(Role::Muted), below, 0.0).y;
        let used = (end - rest.y).max(radius * 2.0);
        rest = rest.split_top(used + unit * 1.8).1;
    }
    Frame::new(rest.x, rest.y - unit * 1.8, rest.width, rest.height + unit * 1.8)
}

fn place_figures(sheet: &mut Sheet<'_>, figures: &[Figure], frame: Frame) -> Frame {
    let unit = sheet.unit * larger(sheet);
    let size = 0.7 * larger(sheet);
    let mut rest = frame;
    for row in figures.chunks(figures.len().clamp(1, if figures.len() == 4 { 4 } else { 3 })) {
        let mut low = rest.y;
        let columns = rest.columns(row.len(), unit * 3.0);
        let numbers: Vec<(Words, Frame)> = row
            .iter()
            .zip(&columns)
            .map(|(figure, column)| {
                (Words::number(&figure.value).sized(size), Frame::new(column.x, rest.y, column.width, unit * 12.0))
            })
            .collect();
        let common = sheet.common_factor(&numbers, 0.3);
        for (figure, column) in row.iter().zip(columns) {
            sheet.rectangle(Frame::new(column.x, rest.y, column.width, unit * 0.35), Role::Accent, 0.0);
            let place = Frame::new(column.x, rest.y + unit * 1.6, column.width, rest.height);
            let below = sheet.put_top(&Words::number(&figure.value).sized(size * common), place, unit * 0.6);
            low = low.max(sheet.put_top(&Words::body(&figure.label).paint(Role::Muted), below, 0.0).y);
        }
        rest = rest.split_top(low - rest.y + unit * 2.4).1;
    }
    Frame::new(rest.x, rest.y - unit * 2.4, rest.width, rest.height + unit * 2.4)
}

fn place_quote(sheet: &mut Sheet<'_>, words: &str, by: &str, frame: Frame) -> Frame {
    let unit = sheet.unit * larger(sheet);
    let top = frame.split_top(unit * 0.8).1;
    let inner = Frame::new(top.x + unit * 3.4, top.y, top.width - unit * 3.4, top.height);
    // On a page of few words the body is set large; what was said stays larger than who said it.
    let size = (sheet.scale.body / sheet.scale.title).max(0.62);
    let rest = sheet.put_top(&Words::quote(words).sized(size).at_least(0.8), inner, unit * 1.0);
    let rest = sheet.put_top(&Words::body(by).paint(Role::Muted), rest, 0.0);
    sheet.rectangle(Frame::new(top.x, top.y, unit * 0.7, rest.y - top.y), Role::Accent, 0.0);
    Frame::new(frame.x, rest.y, frame.width, rest.height).split_top(unit * 0.8).1
}

fn place_table(sheet: &mut Sheet<'_>, table: &TableData, frame: Frame) -> Frame {
    let size = sheet.scale.body * 0.96;
    if !put_table(sheet, table, frame, size) {
        sheet.failed = true;
        return frame;
    }
    let used = sheet.nodes.last().map_or(0.0, |node| node.frame().height);
    frame.split_top(used).1
}
