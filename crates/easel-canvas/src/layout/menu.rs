//! What there is and what it costs: names at one side, prices at the other, in groups; in one column or two.

use super::art;
use super::opening::put_logo;
use super::setting::PageShape;
use super::sheet::Sheet;
use super::words::Words;
use crate::content::{Matter, MenuGroup, Passage, Priced};
use crate::geometry::Frame;
use crate::theme::Role;

fn menu_of(passage: &Passage) -> (&str, &[MenuGroup], &[String]) {
    match &passage.matter {
        Matter::Menu { lead, groups, details } => (lead, groups, details),
        _ => ("", &[], &[]),
    }
}

/// The title above, centred, the prices below it between fine lines.
pub fn menu_centered(sheet: &mut Sheet<'_>, passage: &Passage) {
    let edge = sheet.page.inset(sheet.margin * 0.5);
    sheet.outline(edge, Role::Accent, (sheet.unit * 0.22).max(1.0), sheet.radius());
    let body = sheet.page.inset(sheet.margin * 1.15);
    let used = put_logo(sheet, body, false);
    let mut rest = body.split_top(used + sheet.unit * 1.5).1;
    rest = sheet.put_top(&Words::label(&passage.kicker).centered(), rest, sheet.unit * 1.4);
    rest = sheet.put_top(&Words::display(&passage.title).sized(0.82).most_lines(2).centered(), rest, sheet.unit * 1.8);
    let (lead, groups, details) = menu_of(passage);
    rest = sheet.put_top(&Words::subtitle(lead).centered(), rest, sheet.unit * 1.6);
    let x = rest.x + rest.width / 2.0;
    sheet.rule(
        (x - sheet.unit * 7.0, rest.y + sheet.unit),
        (x + sheet.unit * 7.0, rest.y + sheet.unit),
        Role::Accent,
        (sheet.unit * 0.3).max(1.0),
    );
    rest = rest.split_top(sheet.unit * 4.0).1;
    let rest = put_details(sheet, details, rest, true);
    put_groups(sheet, groups, rest);
}

/// A band of the accent with the title, the prices below it.
pub fn menu_band(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (lead, groups, details) = menu_of(passage);
    let page = sheet.page;
    let is_wide = sheet.shape() == PageShape::Wide;
    let (band, below) = if is_wide { page.split_left(page.width * 0.34) } else { page.split_top(page.height * 0.2) };
    sheet.rectangle(band, Role::Accent, 0.0);
    let inner = band.inset(sheet.margin * 0.8);
    let title = Words::display(&passage.title).sized(0.82).most_lines(3).paint(Role::OnAccent);
    let mut rest = sheet.put_top(&Words::label(&passage.kicker).paint(Role::OnAccent), inner, sheet.unit);
    rest = sheet.put_top(&title, rest, sheet.unit * 1.4);
    sheet.put(&Words::subtitle(lead).paint(Role::OnAccent), rest);
    let body = below.inset_by(sheet.margin, sheet.margin * 0.8);
    let rest = put_details(sheet, details, body, false);
    put_groups(sheet, groups, rest);
}

/// The title at the head beside the motif, the prices below it.
pub fn menu_plain(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (lead, groups, details) = menu_of(passage);
    let body = sheet.body();
    let (head, below) = body.split_top(sheet.unit * 22.0);
    let (text, mark) = head.split_left(head.width * 0.7);
    art::fill(
        sheet,
        Frame::new(mark.x + sheet.unit * 3.0, mark.y, mark.width - sheet.unit * 3.0, mark.height - sheet.unit * 4.0),
    );
    let mut rest = sheet.put_top(&Words::label(&passage.kicker), text, sheet.unit);
    rest = sheet.put_top(&Words::display(&passage.title).sized(0.86).most_lines(2), rest, sheet.unit);
    sheet.put(&Words::subtitle(lead), rest);
    let y = below.y - sheet.unit;
    sheet.rule((body.x, y), (body.right(), y), Role::Accent, (sheet.unit * 0.4).max(1.5));
    let below = below.split_top(sheet.unit * 2.0).1;
    let rest = put_details(sheet, details, below, false);
    put_groups(sheet, groups, rest);
}

/// The prices above, the title on a band of the accent at the foot.
pub fn menu_foot(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (lead, groups, details) = menu_of(passage);
    let page = sheet.page;
    let width = page.width - sheet.margin * 2.0;
    let kicker = Words::label(&passage.kicker).paint(Role::OnAccent);
    let title = Words::display(&passage.title).sized(0.86).most_lines(3).paint(Role::OnAccent);
    let lead = Words::subtitle(lead).paint(Role::OnAccent);
    let room = Frame::new(0.0, 0.0, width, page.height * 0.3);
    let gap = sheet.unit * 1.4;
    let heights = [&kicker, &title, &lead]
        .map(|words| if words.is_empty() { 0.0 } else { sheet.height_within(words, room) + gap });
    let high = heights.iter().sum::<f32>() + sheet.margin * 1.5;
    let band = Frame::new(0.0, page.height - high, page.width, high);
    sheet.rectangle(band, Role::Accent, 0.0);
    let mut rest = Frame::new(sheet.margin, band.y + sheet.margin * 0.8, width, band.height);
    for words in [&kicker, &title, &lead] {
        rest = sheet.put_top(words, rest, gap);
    }
    sheet.failed |= rest.y > page.height - sheet.margin * 0.6;
    let body = Frame::new(sheet.margin, sheet.margin, width, band.y - sheet.margin * 1.7);
    let rest = put_details(sheet, details, body, false);
    put_groups(sheet, groups, rest);
}

/// The title and what stands below a menu in a narrow column at the side, the prices in a broad one.
pub fn menu_side(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (lead, groups, details) = menu_of(passage);
    let body = sheet.body();
    let unit = sheet.unit;
    let (side, broad) = body.split_left(body.width * 0.34);
    let side = Frame::new(side.x, side.y, side.width - unit * 5.0, side.height);
    let line = side.right() + unit * 2.5;
    sheet.rule((line, body.y), (line, body.bottom()), Role::Accent, (unit * 0.3).max(1.0));
    let side = put_details(sheet, details, side, false);
    let rest = sheet.put_top(&Words::label(&passage.kicker), side, unit);
    let rest = sheet.put_top(&Words::display(&passage.title).sized(0.7).most_lines(4), rest, unit * 1.6);
    let rest = sheet.put_top(&Words::subtitle(lead), rest, unit * 2.0);
    art::fill_foot(sheet, rest);
    put_groups(sheet, groups, broad);
}

/// A list of prices on a page among others: the head that they all have, then the prices.
pub fn menu_inner(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (lead, groups, details) = menu_of(passage);
    let rest = super::head::put_head(sheet, passage);
    let rest = super::head::put_lead(sheet, lead, rest);
    let rest = put_details(sheet, details, rest, false);
    put_groups(sheet, groups, rest);
}

/// Hours, an address: at the foot; returns what is left above.
fn put_details(sheet: &mut Sheet<'_>, details: &[String], frame: Frame, is_centered: bool) -> Frame {
    if details.is_empty() {
        return frame;
    }
    let mut words = Words::body(&details.join("\n")).fixed().at_least(0.75).paragraph_gap(0.25).paint(Role::Muted);
    if is_centered {
        words = words.centered();
    }
    let height = sheet.height_of(&words, frame.width);
    if height > frame.height * 0.5 {
        sheet.failed = true;
    }
    let (above, place) = frame.split_top((frame.height - height).max(1.0));
    sheet.put(&words, place);
    above.split_top((above.height - sheet.unit * 2.6).max(1.0)).0
}

fn name_words(item: &Priced) -> Words {
    Words::heading(&item.name).sized(0.86).at_least(0.9)
}

fn note_words(item: &Priced) -> Words {
    Words::body(&item.note).small().paint(Role::Muted)
}

fn price_words(price: &str) -> Words {
    Words::heading(price).sized(0.86).at_least(0.9).paint(Role::AccentText).at_end()
}

fn size_words(size: &str) -> Words {
    Words::body(size).small().paint(Role::Muted).at_end()
}

/// The sizes whose prices stand in columns of their own; none where the prices are not as many.
fn sizes_of(item: &Priced) -> &[String] {
    if item.prices().len() > 1 { &item.sizes } else { &[] }
}

/// Things that follow each other and come in the same sizes: they stand under one row of their names.
fn runs_of(group: &MenuGroup) -> impl Iterator<Item = &[Priced]> {
    group.items.chunk_by(|one, two| sizes_of(one) == sizes_of(two))
}

/// Groups in columns that fill the frame; marks the sheet where they do not fit.
pub fn put_groups(sheet: &mut Sheet<'_>, groups: &[MenuGroup], frame: Frame) {
    let lines: usize = groups.iter().map(lines_of).sum();
    let names = groups.iter().filter(|group| !group.name.is_empty()).count();
    let most = most_columns(sheet, groups, frame.width);
    let is_long = sheet.shape() == PageShape::Wide && lines + names > 6 || lines + names > 22;
    let fitting = (if is_long { most } else { 1 }..=most)
        .map(|count| Columned::of(sheet, groups, frame.width, count))
        .find(|columned| columned.height <= frame.height);
    let Some(columned) = fitting else {
        sheet.failed = true;
        return;
    };
    // Rows of all columns stand on the same lines; the fewer there are, the more air each takes.
    let most_lines = columned.columns.iter().map(|groups| groups.iter().map(lines_of).sum()).max().unwrap_or(1).max(1);
    let left = frame.height - columned.height;
    let spare = (left / most_lines as f32).min(sheet.unit * (AIR / most_lines as f32).clamp(LEAST_AIR, MOST_AIR));
    let above = (left - spare * most_lines as f32).max(0.0) * 0.3;
    for (column, groups) in frame.columns(columned.columns.len(), sheet.unit * GUTTER).iter().zip(&columned.columns) {
        put_column(sheet, groups, column.split_top(above).1, spare);
    }
}

/// Units of air that all rows of a column share, and the least and the most that one has.
const AIR: f32 = 76.0;
const LEAST_AIR: f32 = 4.6;
const MOST_AIR: f32 = 19.0;

/// Units between two columns.
const GUTTER: f32 = 7.0;

/// How high groups are in as many columns as they can stand in.
pub fn height_of_groups(sheet: &Sheet<'_>, groups: &[MenuGroup], width: f32) -> f32 {
    Columned::of(sheet, groups, width, most_columns(sheet, groups, width)).height
}

/// How many lines a group has: its name and its things.
fn lines_of(group: &MenuGroup) -> usize {
    group.items.len() + usize::from(!group.name.is_empty())
}

/// In how many columns groups can stand on so many pixels: names need some length, notes more, prices by size most.
fn most_columns(sheet: &Sheet<'_>, groups: &[MenuGroup], width: f32) -> usize {
    let items = || groups.iter().flat_map(|group| &group.items);
    let has_notes = items().any(|item| item.note.chars().count() > 24);
    let has_sizes = items().any(|item| !sizes_of(item).is_empty());
    let least = match (has_sizes, has_notes) {
        (true, _) => 130.0,
        (false, true) => 100.0,
        (false, false) => 70.0,
    };
    if width > sheet.unit * least && groups.len() + items().count() > 5 { 2 } else { 1 }
}

/// Groups in columns.
struct Columned {
    columns: Vec<Vec<MenuGroup>>,
    /// Of the highest column, in pixels.
    height: f32,
}

impl Columned {
    fn of(sheet: &Sheet<'_>, groups: &[MenuGroup], width: f32, count: usize) -> Self {
        let column = (width - sheet.unit * GUTTER * (count - 1) as f32) / count as f32;
        let columns = divide(groups, count);
        let height = columns.iter().map(|groups| height_of(sheet, groups, column)).fold(0.0, f32::max);
        Self { columns, height }
    }
}

/// The groups in so many columns of about the same length; a group of its own is divided.
fn divide(groups: &[MenuGroup], columns: usize) -> Vec<Vec<MenuGroup>> {
    if columns == 1 {
        return vec![groups.to_vec()];
    }
    let weight = |group: &MenuGroup| group.items.len() + usize::from(!group.name.is_empty()) * 2;
    let total: usize = groups.iter().map(weight).sum();
    if groups.len() == 1 {
        let at = groups[0].items.len().div_ceil(2);
        let (one, two) = groups[0].items.split_at(at);
        return vec![
            vec![MenuGroup { name: groups[0].name.clone(), items: one.to_vec() }],
            vec![MenuGroup { name: String::new(), items: two.to_vec() }],
        ];
    }
    let mut sum = 0;
    let mut at = groups.len() - 1;
    for (place, group) in groups.iter().enumerate() {
        sum += weight(group);
        if sum * 2 >= total {
            at = (place + 1).min(groups.len() - 1);
            break;
        }
    }
    vec![groups[..at.max(1)].to_vec(), groups[at.max(1)..].to_vec()]
}

/// How wide a column of prices is, and how wide each is where things come in sizes.
fn price_widths(sheet: &Sheet<'_>, groups: &[MenuGroup]) -> (f32, f32) {
    let (mut single, mut sized) = (0.0_f32, 0.0_f32);
    for item in groups.iter().flat_map(|group| &group.items) {
        let sizes = sizes_of(item);
        for price in item.prices() {
            let width = sheet.width_of(&price_words(price));
            if sizes.is_empty() { single = single.max(width) } else { sized = sized.max(width) }
        }
        for size in sizes {
            sized = sized.max(sheet.width_of(&size_words(size)));
        }
    }
    (single + sheet.unit, sized + sheet.unit * 3.0)
}

/// What a run leaves for names beside its prices, and how wide each of its columns of prices is.
fn divide_width(sheet: &Sheet<'_>, (single, sized): (f32, f32), run: &[Priced], width: f32) -> (f32, f32) {
    let count = run.first().map_or(0, |item| sizes_of(item).len());
    let (prices, column) = if count == 0 { (single, single) } else { (sized * count as f32, sized) };
    (width - prices - sheet.unit * 3.0, column)
}

/// How high the row of sizes above a run is.
fn sizes_height(sheet: &Sheet<'_>, run: &[Priced], column: f32) -> f32 {
    let sizes = run.first().map_or(&[] as &[String], sizes_of);
    let highest = sizes.iter().map(|size| sheet.height_of(&size_words(size), column)).fold(0.0, f32::max);
    if sizes.is_empty() { 0.0 } else { highest + sheet.unit }
}

fn item_height(sheet: &Sheet<'_>, item: &Priced, width: f32) -> f32 {
    let note = if item.note.is_empty() { 0.0 } else { sheet.height_of(&note_words(item), width) + sheet.unit * 0.4 };
    sheet.height_of(&name_words(item), width) + note
}

fn height_of(sheet: &Sheet<'_>, groups: &[MenuGroup], width: f32) -> f32 {
    let unit = sheet.unit;
    let widths = price_widths(sheet, groups);
    let mut height = 0.0;
    for (at, group) in groups.iter().enumerate() {
        if !group.name.is_empty() {
            height += sheet.height_of(&group_words(group), width) + unit * 2.2 + if at > 0 { unit * 2.6 } else { 0.0 };
        } else if at > 0 {
            height += unit * 2.6;
        }
        for run in runs_of(group) {
            let (names, column) = divide_width(sheet, widths, run, width);
            if names < unit * 14.0 {
                return f32::MAX;
            }
            height += sizes_height(sheet, run, column);
            height += run.iter().map(|item| item_height(sheet, item, names) + unit * 2.0).sum::<f32>();
        }
    }
    height
}

fn group_words(group: &MenuGroup) -> Words {
    Words::heading(&group.name).sized(1.08).paint(Role::AccentText)
}

fn put_column(sheet: &mut Sheet<'_>, groups: &[MenuGroup], frame: Frame, spare: f32) {
    let unit = sheet.unit;
    let widths = price_widths(sheet, groups);
    let mut y = frame.y;
    for (at, group) in groups.iter().enumerate() {
        if !group.name.is_empty() {
            y += if at > 0 { unit * 2.6 } else { 0.0 };
            let used = sheet.put(&group_words(group), Frame::new(frame.x, y, frame.width, frame.bottom() - y));
            y += used + unit * 2.2 + spare * 0.5;
        } else if at > 0 {
            y += unit * 2.6;
        }
        for run in runs_of(group) {
            let (names, column) = divide_width(sheet, widths, run, frame.width);
            let sizes = run.first().map_or(&[] as &[String], sizes_of);
            let high = sizes_height(sheet, run, column);
            for (place, size) in columns_at_end(frame, y, column, sizes.len(), high).zip(sizes) {
                sheet.put(&size_words(size), place);
            }
            y += high;
            for item in run {
                y = put_item(sheet, item, Frame::new(frame.x, y, frame.width, 0.0), (names.max(1.0), column), spare);
            }
        }
    }
}

/// The places of so many columns at the end of a row.
fn columns_at_end(row: Frame, y: f32, width: f32, count: usize, height: f32) -> impl Iterator<Item = Frame> {
    (0..count).map(move |at| Frame::new(row.right() - width * (count - at) as f32, y, width, height + 1.0))
}

/// A thing at the top of a row, its prices at the end, a hairline below; returns where the next begins.
fn put_item(sheet: &mut Sheet<'_>, item: &Priced, row: Frame, (names, column): (f32, f32), spare: f32) -> f32 {
    let unit = sheet.unit;
    let height = item_height(sheet, item, names);
    let name_height = sheet.height_of(&name_words(item), names);
    sheet.put(&name_words(item), Frame::new(row.x, row.y, names, name_height + 1.0));
    let prices = item.prices();
    for (place, price) in columns_at_end(row, row.y, column, prices.len(), name_height).zip(&prices) {
        sheet.put(&price_words(price), place);
    }
    if !item.note.is_empty() {
        let place = Frame::new(row.x, row.y + name_height + unit * 0.4, names, height - name_height + 1.0);
        sheet.put(&note_words(item), place);
    }
    let end = row.y + height + unit * 2.0 + spare;
    let line = end - unit - spare / 2.0;
    sheet.rule((row.x, line), (row.right(), line), Role::Line, (unit * 0.12).max(0.75));
    end
}
