//! Sentences: reading text in columns, a statement that stands alone, what someone said, pictures with words.

use super::art;
use super::head::{put_head, put_head_in};
use super::setting::PageShape;
use super::sheet::Sheet;
use super::split;
use super::words::Words;
use crate::content::{Matter, Passage};
use crate::document::{Anchor, Fit, FontRole, TextRole};
use crate::geometry::Frame;
use crate::theme::Role;

fn prose_of(passage: &Passage) -> (Words, Option<&str>) {
    match &passage.matter {
        Matter::Prose { paragraphs, picture } => (Words::paragraphs(paragraphs), picture.as_deref()),
        _ => (Words::body(""), None),
    }
}

/// The longest line that is read with ease, in units of the page.
const MEASURE: f32 = 98.0;

/// Title above, text below, no broader than is read with ease.
pub fn prose_plain(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (words, _) = prose_of(passage);
    let rest = put_head(sheet, passage);
    let (place, _) = rest.split_left(rest.width.min(MEASURE * sheet.unit));
    sheet.put(&words, place);
}

/// A few words as large as they can be, under their title.
pub fn prose_large(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (words, _) = prose_of(passage);
    let rest = put_head(sheet, passage);
    let unit = sheet.unit;
    let width = rest.width.min(unit * 140.0);
    // A few words fill a page better the larger they are.
    let most = match split::letters_of(passage) {
        0..=70 => 3.3,
        71..=120 => 2.8,
        _ => 2.3,
    };
    for factor in [3.3, 2.8, 2.3, 2.05, 1.8, 1.6, 1.4, 1.2].into_iter().filter(|factor| *factor <= most) {
        let large = words.clone().sized(factor).fixed();
        let height = sheet.height_of(&large, width);
        if height <= rest.height * 0.86 {
            let y = rest.y + (rest.height - height) * 0.4;
            sheet.rectangle(Frame::new(rest.x, y, unit * 0.9, height), Role::Accent, 0.0);
            sheet.put(&large, Frame::new(rest.x + unit * 4.0, y, width - unit * 4.0, rest.height));
            return;
        }
    }
    sheet.failed = true;
}

/// Title at one side, text at the other.
pub fn prose_side(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (words, _) = prose_of(passage);
    let content = sheet.content();
    let unit = sheet.unit;
    let (left, right) = content.split_left(content.width * 0.36);
    let below = put_head_in(sheet, passage, left);
    art::fill_foot(sheet, below);
    let right = Frame::new(right.x + unit * 6.0, right.y + unit, right.width - unit * 6.0, right.height - unit);
    // A few sentences are set larger and stand in the middle.
    let large = words.clone().sized(1.22);
    let height = sheet.height_of(&large, right.width);
    if height < right.height * 0.8 {
        let y = right.y + (right.height - height) * 0.42;
        sheet.put(&large, Frame::new(right.x, y, right.width, height + 1.0));
        return;
    }
    sheet.put(&words, right);
}

/// Text on a card before a tinted page, for few words.
pub fn prose_card(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (words, _) = prose_of(passage);
    let content = sheet.content();
    let unit = sheet.unit;
    let (art_frame, text) = if sheet.shape() == PageShape::Wide {
        let (text, art_frame) = content.split_left(content.width * 0.62);
        (Frame::new(art_frame.x + unit * 5.0, art_frame.y, art_frame.width - unit * 5.0, art_frame.height), text)
    } else {
        let (art_frame, text) = content.split_top(content.height * 0.32);
        (Frame::new(art_frame.x, art_frame.y, art_frame.width, art_frame.height - unit * 5.0), text)
    };
    art::fill(sheet, art_frame);
    let rest = put_head_in(sheet, passage, text);
    // Few words are set larger and stand in the middle of what is left.
    for factor in [1.9, 1.6, 1.35, 1.15] {
        let large = words.clone().sized(factor);
        let height = sheet.height_of(&large, rest.width);
        if height < rest.height * 0.7 {
            let y = rest.y + (rest.height - height) * 0.4;
            sheet.put(&large, Frame::new(rest.x, y, rest.width, height + 1.0));
            return;
        }
    }
    sheet.put(&words, rest);
}

/// Text beside a picture.
pub fn prose_picture(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (words, picture) = prose_of(passage);
    let page = sheet.page;
    let (image, text) = if sheet.shape() == PageShape::Wide {
        let (image, text) = page.split_left(page.width * 0.42);
        (image, text)
    } else {
        page.split_top(page.height * 0.4)
    };
    if let Some(picture) = picture {
        sheet.image(picture, image, Fit::Cover, 0.0);
    }
    let body = sheet.content();
    let text = if sheet.shape() == PageShape::Wide {
        Frame::new(text.x + sheet.margin * 0.8, body.y, body.right() - text.x - sheet.margin * 0.8, body.height)
    } else {
        Frame::new(body.x, text.y + sheet.margin * 0.6, body.width, body.bottom() - text.y - sheet.margin * 0.6)
    };
    let rest = put_head_in(sheet, passage, text);
    sheet.put(&words, rest);
}

/// One sentence, as large as it can be.
pub fn statement_large(sheet: &mut Sheet<'_>, passage: &Passage) {
    let support = support_of(passage);
    let content = sheet.content();
    let unit = sheet.unit;
    let kicker = Words::label(&passage.kicker);
    let rest = sheet.put_top(&kicker, content, unit * 2.0);
    let support_words = Words::subtitle(support).sized(1.2);
    let support_height =
        if support.is_empty() { 0.0 } else { sheet.height_of(&support_words, rest.width * 0.7) + unit * 4.0 };
    let title = Words::display(&passage.title).sized(1.08).at_least(0.3);
    let room = Frame::new(rest.x, rest.y, rest.width, (rest.height - support_height).max(1.0));
    let height = sheet.height_within(&title, room);
    sheet.failed |= height > room.height + 0.5;
    let y = rest.y + (rest.height - support_height - height).max(0.0) * share_above(sheet, 0.5);
    sheet.put(&title, Frame::new(rest.x, y, rest.width, height + 1.0));
    let below = Frame::new(rest.x, y + height + unit * 4.0, rest.width * 0.7, support_height.max(1.0));
    sheet.put(&support_words, below);
}

/// One sentence, and the motif beside it.
pub fn statement_art(sheet: &mut Sheet<'_>, passage: &Passage) {
    let support = support_of(passage);
    let content = sheet.content();
    let unit = sheet.unit;
    let (text, art_frame) = if sheet.shape() == PageShape::Wide {
        let (text, side) = content.split_left(content.width * 0.6);
        (text, Frame::new(side.x + unit * 5.0, side.y, side.width - unit * 5.0, side.height))
    } else {
        let (side, text) = content.split_top(content.height * 0.4);
        (text, Frame::new(side.x, side.y, side.width, side.height - unit * 5.0))
    };
    art::fill(sheet, art_frame);
    let title = Words::display(&passage.title).sized(0.9);
    let support_words = Words::subtitle(support).sized(1.15);
    let support_height =
        if support.is_empty() { 0.0 } else { sheet.height_of(&support_words, text.width) + unit * 3.0 };
    let kicker = Words::label(&passage.kicker);
    let kicker_height = if kicker.is_empty() { 0.0 } else { sheet.height_of(&kicker, text.width) + unit * 2.0 };
    let room = (text.height - support_height - kicker_height).max(1.0);
    let height = sheet.height_within(&title, Frame::new(text.x, text.y, text.width, room));
    sheet.failed |= height > room + 0.5;
    let spare = (text.height - kicker_height - height - support_height).max(0.0);
    let y = text.y + spare * share_above(sheet, if sheet.shape() == PageShape::Wide { 0.5 } else { 1.0 });
    sheet.put(&kicker, Frame::new(text.x, y, text.width, kicker_height.max(1.0)));
    sheet.put(&title, Frame::new(text.x, y + kicker_height, text.width, height + 1.0));
    let below = Frame::new(text.x, y + kicker_height + height + unit * 3.0, text.width, support_height.max(1.0));
    sheet.put(&support_words, below);
}

/// One sentence beside a bar of the accent.
pub fn statement_bar(sheet: &mut Sheet<'_>, passage: &Passage) {
    let support = support_of(passage);
    let content = sheet.content();
    let unit = sheet.unit;
    let inner = Frame::new(content.x + unit * 6.0, content.y, content.width - unit * 6.0, content.height);
    let title = Words::display(&passage.title).sized(1.0).at_least(0.32);
    let support_words = Words::subtitle(support).sized(1.2);
    let support_height =
        if support.is_empty() { 0.0 } else { sheet.height_of(&support_words, inner.width * 0.8) + unit * 3.0 };
    let kicker = Words::label(&passage.kicker);
    let kicker_height = if kicker.is_empty() { 0.0 } else { sheet.height_of(&kicker, inner.width) + unit * 2.0 };
    let room = (inner.height - support_height - kicker_height).max(1.0);
    let height = sheet.height_within(&title, Frame::new(inner.x, inner.y, inner.width, room));
    sheet.failed |= height > room + 0.5;
    let total = kicker_height + height + support_height;
    let y = inner.y + (inner.height - total).max(0.0) * share_above(sheet, 0.5);
    sheet.rectangle(Frame::new(content.x, y, unit * 1.4, total), Role::Accent, 0.0);
    sheet.put(&kicker, Frame::new(inner.x, y, inner.width, kicker_height.max(1.0)));
    sheet.put(&title, Frame::new(inner.x, y + kicker_height, inner.width, height + 1.0));
    let below =
        Frame::new(inner.x, y + kicker_height + height + unit * 3.0, inner.width * 0.8, support_height.max(1.0));
    sheet.put(&support_words, below);
}

/// Which part of the room that words leave stands above them.
fn share_above(sheet: &Sheet<'_>, usual: f32) -> f32 {
    match sheet.setting.anchor(Anchor::Middle) {
        Anchor::Top => 0.0,
        Anchor::Middle => usual,
        Anchor::Bottom => 1.0,
    }
}

fn support_of(passage: &Passage) -> &str {
    match &passage.matter {
        Matter::Statement { support } => support,
        _ => "",
    }
}

fn quote_of(passage: &Passage) -> (&str, &str) {
    match &passage.matter {
        Matter::Quote { words, by } => (words, by),
        _ => ("", ""),
    }
}

/// What someone said, large, after a mark.
pub fn quote_large(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (words, by) = quote_of(passage);
    let content = sheet.content();
    put_quote(sheet, words, by, &passage.title, content, 1.12);
}

/// What someone said, on a card, the motif beside it.
pub fn quote_card(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (words, by) = quote_of(passage);
    let content = sheet.content();
    let unit = sheet.unit;
    let (card, art_frame) = if sheet.shape() == PageShape::Wide {
        let (card, side) = content.split_left(content.width * 0.68);
        (card, Frame::new(side.x + unit * 3.0, side.y, side.width - unit * 3.0, side.height))
    } else {
        let (side, card) = content.split_top(content.height * 0.28);
        (card, Frame::new(side.x, side.y, side.width, side.height - unit * 3.0))
    };
    let radius = sheet.radius();
    sheet.rectangle(card, Role::Surface, radius);
    art::fill(sheet, art_frame);
    put_quote(sheet, words, by, &passage.title, card.inset(unit * 5.0), 0.95);
}

/// What someone said, in the middle of the page between two fine lines.
pub fn quote_centered(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (words, by) = quote_of(passage);
    let unit = sheet.unit;
    let content = sheet.content();
    let frame = content.inset_by(content.width * 0.06, unit * 4.0);
    let frame = sheet.put_top(&Words::label(&passage.title).role(TextRole::Title).centered(), frame, unit * 2.0);
    let by_words = Words::body(by).fixed().weight(600).centered();
    let by_height = if by.is_empty() { 0.0 } else { sheet.height_of(&by_words, frame.width) + unit * 4.0 };
    let louder = if words.chars().count() <= 90 { 1.6 } else { 1.15 };
    let quote = Words::quote(words).sized(louder).at_least(0.42 / louder).centered();
    let gap = unit * 5.0;
    let room = (frame.height - by_height - gap * 2.0).max(1.0);
    let height = sheet.height_within(&quote, Frame::new(frame.x, frame.y, frame.width, room));
    sheet.failed |= height > room + 0.5;
    let y = frame.y + (frame.height - height - by_height).max(0.0) / 2.0;
    let middle = frame.x + frame.width / 2.0;
    for line in [y - gap, y + height + by_height + gap] {
        sheet.rule((middle - unit * 9.0, line), (middle + unit * 9.0, line), Role::Accent, (unit * 0.4).max(1.5));
    }
    sheet.put(&quote, Frame::new(frame.x, y, frame.width, height + 1.0));
    sheet.put(&by_words, Frame::new(frame.x, y + height + unit * 4.0, frame.width, by_height.max(1.0)));
}

fn put_quote(sheet: &mut Sheet<'_>, words: &str, by: &str, title: &str, frame: Frame, factor: f32) {
    let unit = sheet.unit;
    let rest = sheet.put_top(&Words::label(title).role(TextRole::Title), frame, unit * 2.0);
    let mark_height = unit * 8.0;
    let by_words = Words::body(by).fixed().weight(600).font(FontRole::Body);
    let by_height = if by.is_empty() { 0.0 } else { sheet.height_of(&by_words, rest.width) + unit * 4.0 };
    // A few words are said louder than many.
    let louder = match words.chars().count() {
        0..=60 => 1.55,
        61..=120 => 1.3,
        121..=200 => 1.1,
        _ => 1.0,
    };
    let quote = Words::quote(words).sized(factor * louder).at_least(0.42 / louder);
    let room = (rest.height - mark_height - by_height).max(1.0);
    let height = sheet.height_within(&quote, Frame::new(rest.x, rest.y, rest.width, room));
    sheet.failed |= height > room + 0.5;
    let y = rest.y + (rest.height - mark_height - height - by_height).max(0.0) * share_above(sheet, 0.45);
    let place = Frame::new(rest.x, y, unit * 14.0, mark_height);
    if !words.is_empty() {
        put_mark(sheet, place);
    }
    sheet.put(&quote, Frame::new(rest.x, y + mark_height, rest.width, height + 1.0));
    sheet.put(&by_words, Frame::new(rest.x, y + mark_height + height + unit * 4.0, rest.width, by_height.max(1.0)));
}

fn put_mark(sheet: &mut Sheet<'_>, place: Frame) {
    // Two drops, drawn, since the mark of a font has no reliable place within its line.
    let side = sheet.unit * 2.6;
    for at in 0..2 {
        let x = place.x + at as f32 * side * 1.35;
        sheet.circle(x + side / 2.0, place.y + side * 0.9, side / 2.0, Role::Accent);
        sheet.rectangle(Frame::new(x, place.y + side * 0.2, side * 0.36, side * 0.8), Role::Accent, side * 0.18);
    }
}

/// A picture to the edges, its words in a strip below.
pub fn picture_full(sheet: &mut Sheet<'_>, passage: &Passage) {
    let Matter::Picture { picture, caption } = &passage.matter else { return };
    let page = sheet.page;
    let has_words = !passage.title.trim().is_empty() || !caption.trim().is_empty();
    if !has_words {
        sheet.image(picture, page, Fit::Cover, 0.0);
        return;
    }
    let content = sheet.body();
    let title = Words::title(&passage.title).sized(0.8).most_lines(2);
    let caption_words = Words::body(caption).paint(Role::Muted).fixed().at_least(0.7);
    let gap = sheet.unit * 1.2;
    let title_height = sheet.height_within(&title, Frame::new(0.0, 0.0, content.width, page.height * 0.25));
    let caption_height = if caption.is_empty() { 0.0 } else { sheet.height_of(&caption_words, content.width) + gap };
    let strip = title_height + caption_height + sheet.margin * 1.3;
    if strip > page.height * 0.6 {
        sheet.failed = true;
        return;
    }
    let (image, below) = page.split_top(page.height - strip);
    sheet.image(picture, image, Fit::Cover, 0.0);
    let place = Frame::new(content.x, below.y + sheet.margin * 0.6, content.width, title_height + 1.0);
    sheet.put(&title, place);
    sheet.put(
        &caption_words,
        Frame::new(content.x, place.y + title_height + gap, content.width, caption_height.max(1.0)),
    );
}

/// A picture whole, within the margins, its words at the side.
pub fn picture_framed(sheet: &mut Sheet<'_>, passage: &Passage) {
    let Matter::Picture { picture, caption } = &passage.matter else { return };
    let content = sheet.content();
    let unit = sheet.unit;
    let (image, text) = if sheet.shape() == PageShape::Wide {
        let (image, text) = content.split_left(content.width * if caption.is_empty() { 0.7 } else { 0.6 });
        (image, Frame::new(text.x + unit * 5.0, text.y, text.width - unit * 5.0, text.height))
    } else {
        let (image, text) = content.split_top(content.height * 0.66);
        (image, Frame::new(text.x, text.y + unit * 4.0, text.width, text.height - unit * 4.0))
    };
    let radius = sheet.radius();
    sheet.image(picture, image, Fit::Cover, radius);
    if caption.is_empty() {
        // A name alone stands at the foot of the picture.
        let name = Words::title(&passage.title);
        let height = sheet.height_within(&name, text).min(text.height);
        let (x, y) = (text.x, if sheet.shape() == PageShape::Wide { text.bottom() - height } else { text.y });
        sheet.put(&name, Frame::new(x, y, text.width, height + 1.0));
        return;
    }
    let rest = put_head_in(sheet, passage, text);
    sheet.put(&Words::body(caption).paint(Role::Muted).anchored(Anchor::Top), rest);
}
