//! First and last pages, and the beginnings of parts: few words, much room, the theme at its loudest.

use super::art;
use super::setting::PageShape;
use super::sheet::Sheet;
use super::words::Words;
use crate::color::Rgb;
use crate::content::{Matter, Passage};
use crate::document::{Align, Anchor, Fit, FontRole};
use crate::geometry::Frame;
use crate::theme::{Background, Paint, Role};

/// The words of a cover or a last page, whichever it is.
struct Opening<'p> {
    kicker: &'p str,
    title: &'p str,
    subtitle: &'p str,
    details: &'p [String],
    picture: Option<&'p str>,
}

fn opening_of(passage: &Passage) -> Opening<'_> {
    let (subtitle, details, picture) = match &passage.matter {
        Matter::Cover { subtitle, details, picture } => (subtitle.as_str(), details.as_slice(), picture.as_deref()),
        Matter::Closing { lead, details } => (lead.as_str(), details.as_slice(), None),
        _ => ("", [].as_slice(), None),
    };
    Opening { kicker: &passage.kicker, title: &passage.title, subtitle, details, picture }
}

/// Details as short lines one under another, from the bottom of a frame; returns what is left above.
fn put_details(sheet: &mut Sheet<'_>, details: &[String], frame: Frame, align: Align) -> Frame {
    if details.is_empty() {
        return frame;
    }
    let mut words = Words::body(&details.join("\n")).fixed().at_least(0.7).paragraph_gap(0.25).weight(600);
    if align == Align::Center {
        words = words.centered();
    }
    // Few details are set larger: small letters under a large title read as an afterthought.
    let mut height = sheet.height_of(&words, frame.width);
    // On a page that is higher than broad they may take more of it: it is seen from afar or held in the hand.
    let most = if sheet.shape() == PageShape::Tall { 0.36 } else { 0.25 };
    for factor in [1.5, 1.37, 1.25, 1.12] {
        let large = words.clone().sized(factor);
        let larger = sheet.height_of(&large, frame.width);
        if larger < frame.height * most {
            (words, height) = (large, larger);
            break;
        }
    }
    let (above, place) = frame.split_top(frame.height - height);
    sheet.put(&words, place);
    let gap = sheet.unit * 3.0;
    above.split_top(above.height - gap).0
}

/// Kicker, title and subtitle from the bottom of a frame upwards, or in its middle; returns where they begin.
fn put_title_block(
    sheet: &mut Sheet<'_>,
    opening: &Opening<'_>,
    frame: Frame,
    anchor: Anchor,
    align: Align,
    factor: f32,
) -> f32 {
    let dress = |words: Words| if align == Align::Center { words.centered() } else { words };
    let kicker = dress(Words::label(opening.kicker)).sized(1.2);
    let subtitle = dress(Words::subtitle(opening.subtitle)).sized(1.25);
    let narrow = if align == Align::Center { frame.width * 0.84 } else { frame.width * 0.92 };
    let gap = sheet.unit * 2.4;
    let kicker_height = if kicker.is_empty() { 0.0 } else { sheet.height_of(&kicker, frame.width) + gap };
    let mut subtitle_height = if subtitle.is_empty() { 0.0 } else { sheet.height_of(&subtitle, narrow) + gap };
    subtitle_height = subtitle_height.min(frame.height * 0.5);
    let title = dress(Words::display(opening.title)).sized(factor);
    let title_room = Frame::new(0.0, 0.0, frame.width, (frame.height - kicker_height - subtitle_height).max(1.0));
    let title_height = sheet.height_within(&title, title_room);
    sheet.failed |= title_height > title_room.height + 0.5;
    let total = kicker_height + title_height + subtitle_height;
    let spare = (frame.height - total).max(0.0);
    let anchor = sheet.setting.anchor(anchor);
    let top = frame.y
        + match anchor {
            Anchor::Top => 0.0,
            Anchor::Middle => spare / 2.0,
            Anchor::Bottom => spare,
        };
    sheet.put(&kicker, Frame::new(frame.x, top, frame.width, kicker_height.max(1.0)));
    sheet.put(&title, Frame::new(frame.x, top + kicker_height, frame.width, title_height + 1.0));
    let inset = if align == Align::Center { (frame.width - narrow) / 2.0 } else { 0.0 };
    let place = Frame::new(frame.x + inset, top + kicker_height + title_height + gap, narrow, subtitle_height.max(1.0));
    sheet.put(&subtitle, place);
    top
}

/// The logo in a corner, with room around it; returns the height that it takes.
pub fn put_logo(sheet: &mut Sheet<'_>, frame: Frame, at_end: bool) -> f32 {
    let Some(asset) = sheet.setting.logo.and_then(|id| sheet.asset(id)) else { return 0.0 };
    let height = sheet.unit * 6.0;
    let width = (height * asset.width as f32 / asset.height.max(1) as f32).min(frame.width * 0.4);
    let x = if at_end { frame.right() - width } else { frame.x };
    let place = Frame::new(x, frame.y, width, height);
    let used = put_logo_at(sheet, &asset.id, place);
    used + sheet.unit * 3.0
}

/// Puts the logo into a place; on loud grounds it stands on a plate of its own. Returns the height that it takes.
fn put_logo_at(sheet: &mut Sheet<'_>, id: &str, place: Frame) -> f32 {
    if matches!(sheet.ground, Background::Base | Background::Tint) {
        sheet.image(id, place, Fit::Contain, 0.0);
        return place.height;
    }
    let padding = sheet.unit * 1.4;
    let radius = sheet.radius().min(padding);
    sheet.rectangle(place, Paint::Fixed(Rgb::WHITE), radius);
    sheet.image(id, place.inset(padding), Fit::Contain, 0.0);
    place.height
}

/// Words on one side, the motif on the other, to the edge.
pub fn cover_split(sheet: &mut Sheet<'_>, passage: &Passage) {
    let opening = opening_of(passage);
    let page = sheet.page;
    let (panel, text) = match sheet.shape() {
        PageShape::Wide => {
            let (text, panel) = page.split_left(page.width * 0.56);
            (panel, text)
        }
        // Many details take their room from the motif.
        PageShape::Square => page.split_top(page.height * (0.44 - 0.04 * opening.details.len().min(4) as f32)),
        PageShape::Tall => page.split_top(page.height * 0.48),
    };
    sheet.rectangle(panel, Role::Wash, 0.0);
    match opening.picture {
        Some(picture) => sheet.image(picture, panel, Fit::Cover, 0.0),
        None => art::fill(sheet, panel.inset(sheet.margin * 0.75)),
    }
    let mut text = text.inset(sheet.margin);
    if sheet.shape() != PageShape::Wide {
        text = Frame::new(text.x, text.y - sheet.margin * 0.35, text.width, text.height + sheet.margin * 0.35);
    }
    let used = put_logo(sheet, text, false);
    let text = text.split_top(used).1;
    let text = put_details(sheet, opening.details, text, Align::Start);
    let anchor = if sheet.shape() == PageShape::Wide { Anchor::Middle } else { Anchor::Bottom };
    put_title_block(sheet, &opening, text, anchor, Align::Start, 0.92);
}

/// Everything in the middle, within a fine frame.
pub fn cover_framed(sheet: &mut Sheet<'_>, passage: &Passage) {
    let opening = opening_of(passage);
    let edge = sheet.page.inset(sheet.margin * 0.5);
    sheet.outline(edge, Role::Accent, (sheet.unit * 0.22).max(1.0), sheet.radius());
    sheet.outline(
        edge.inset(sheet.unit * 0.9),
        Role::Line,
        (sheet.unit * 0.1).max(0.75),
        (sheet.radius() - sheet.unit * 0.9).max(0.0),
    );
    let mut body = sheet.page.inset(sheet.margin * 1.35);
    if let Some(asset) = sheet.setting.logo.and_then(|id| sheet.asset(id)) {
        let height = sheet.unit * 7.0;
        let width = (height * asset.width as f32 / asset.height.max(1) as f32).min(body.width * 0.4);
        put_logo_at(sheet, &asset.id, Frame::new(body.x + (body.width - width) / 2.0, body.y, width, height));
        body = body.split_top(height + sheet.unit * 3.0).1;
    }
    let body = put_details(sheet, opening.details, body, Align::Center);
    if sheet.setting.logo.is_some() {
        put_title_block(sheet, &opening, body, Anchor::Middle, Align::Center, 1.05);
        return;
    }
    // An ornament above the words, and both together in the middle.
    let (width, height) = match sheet.shape() {
        PageShape::Wide => (sheet.unit * 26.0, sheet.unit * 14.0),
        _ => (sheet.unit * 34.0, sheet.unit * 18.0),
    };
    let gap = sheet.unit * 5.0;
    let top = put_title_block(sheet, &opening, body.split_top(height + gap).1, Anchor::Middle, Align::Center, 1.05);
    art::fill(sheet, Frame::new(body.x + (body.width - width) / 2.0, top - gap - height, width, height));
}

/// The motif in the upper part, the title as large as it can be below.
pub fn cover_poster(sheet: &mut Sheet<'_>, passage: &Passage) {
    let opening = opening_of(passage);
    let body = sheet.body();
    let used = put_logo(sheet, body, false);
    let art_side = match sheet.shape() {
        PageShape::Wide => body.height * 0.46,
        PageShape::Square => body.height * 0.42,
        PageShape::Tall => body.height * 0.40,
    };
    let art_width = if sheet.shape() == PageShape::Wide {
        body.width * 0.44
    } else {
        body.width - if used > 0.0 { body.width * 0.42 } else { 0.0 }
    };
    let place = Frame::new(body.right() - art_width, body.y, art_width, art_side);
    match opening.picture {
        Some(picture) => {
            let radius = sheet.radius();
            sheet.image(picture, place, Fit::Cover, radius);
        }
        None => art::fill(sheet, place),
    }
    let rest = body.split_top(art_side + sheet.unit * 4.0).1;
    let (left, right) = if sheet.shape() == PageShape::Wide && !opening.details.is_empty() {
        let (left, right) = rest.split_left(rest.width * 0.72);
        (left, right.inset_by(sheet.unit * 2.0, 0.0))
    } else {
        (rest, Frame::new(0.0, 0.0, 0.0, 0.0))
    };
    if right.width > 0.0 {
        put_details(sheet, opening.details, right, Align::Start);
        put_title_block(sheet, &opening, left, Anchor::Bottom, Align::Start, 1.15);
    } else {
        let left = put_details(sheet, opening.details, left, Align::Start);
        put_title_block(sheet, &opening, left, Anchor::Bottom, Align::Start, 1.15);
    }
}

/// The words at the head of the page, the motif or a picture below them, the details at its side.
pub fn cover_top(sheet: &mut Sheet<'_>, passage: &Passage) {
    let opening = opening_of(passage);
    let body = sheet.body();
    let used = put_logo(sheet, body, true);
    let wide = sheet.shape() == PageShape::Wide;
    let (above, below) = body.split_top(body.height * if wide { 0.56 } else { 0.5 });
    let above = if used > 0.0 { above.split_left(above.width * 0.74).0 } else { above };
    put_title_block(sheet, &opening, above, Anchor::Top, Align::Start, 1.1);
    let below = below.split_top(sheet.unit * 4.0).1;
    let is_alone = opening.details.is_empty();
    let (words, place) = if is_alone {
        (below, below)
    } else {
        let (words, place) = below.split_left(below.width * 0.5);
        (words, Frame::new(place.x + sheet.unit * 4.0, place.y, place.width - sheet.unit * 4.0, place.height))
    };
    put_details(sheet, opening.details, words, Align::Start);
    match opening.picture {
        Some(picture) => {
            let radius = sheet.radius();
            sheet.image(picture, place, Fit::Cover, radius);
        }
        None => art::fill(sheet, place),
    }
}

/// Large type below one large figure in the corner, the details in columns under a rule.
pub fn cover_type(sheet: &mut Sheet<'_>, passage: &Passage) {
    let opening = opening_of(passage);
    let body = sheet.body();
    let bar = Frame::new(body.x, body.y, sheet.unit * 14.0, sheet.unit * 1.6);
    sheet.rectangle(bar, Role::Accent, 0.0);
    let below = Frame::new(
        body.x,
        bar.bottom() + sheet.unit * 3.0,
        body.width,
        body.bottom() - bar.bottom() - sheet.unit * 3.0,
    );
    let used = put_logo(sheet, below, false);
    let below = below.split_top(used).1;
    let kicker = Words::label(opening.kicker).sized(1.2);
    let kicker_height = sheet.put(&kicker, Frame::new(below.x, below.y, below.width * 0.45, below.height));
    let mut rest = below.split_top(kicker_height + sheet.unit * 3.0).1;
    if !opening.details.is_empty() {
        let count = opening.details.len().min(if sheet.shape() == PageShape::Wide { 4 } else { 2 });
        let rows = opening.details.len().div_ceil(count);
        let columns = rest.columns(count, sheet.unit * 3.0);
        let words: Vec<Words> =
            opening.details.iter().map(|detail| Words::body(detail).fixed().at_least(0.7).weight(600)).collect();
        let height = words.iter().map(|words| sheet.height_of(words, columns[0].width)).fold(0.0, f32::max);
        let row_height = height + sheet.unit * 2.0;
        let top = rest.bottom() - row_height * rows as f32;
        sheet.rule(
            (rest.x, top - sheet.unit * 1.5),
            (rest.right(), top - sheet.unit * 1.5),
            Role::Ink,
            (sheet.unit * 0.18).max(1.0),
        );
        for (at, words) in words.iter().enumerate() {
            let column = columns[at % count];
            let y = top + (at / count) as f32 * row_height;
            sheet.put(words, Frame::new(column.x, y, column.width, height + 1.0));
        }
        rest = Frame::new(rest.x, rest.y, rest.width, (top - sheet.unit * 4.0 - rest.y).max(1.0));
    }
    let opening = Opening { kicker: "", ..opening };
    let top = put_title_block(sheet, &opening, rest, Anchor::Bottom, Align::Start, 1.4);
    let across = if sheet.shape() == PageShape::Wide { 0.5 } else { 1.0 };
    let side = (top - sheet.unit * 4.0)
        .min(sheet.page.width * across)
        .min(sheet.page.right() - bar.right() - sheet.unit * 4.0)
        .min(sheet.page.height * 0.62);
    if side > sheet.unit * 24.0 {
        art::fill_corner(sheet, side);
    }
}

/// For pages much broader than high: the title as large as its height allows, the details in one line, the motif at the
/// end to the edges.
pub fn cover_strip(sheet: &mut Sheet<'_>, passage: &Passage) {
    let opening = opening_of(passage);
    let page = sheet.page;
    let (text, panel) = page.split_left(page.width - (page.height * 1.05).min(page.width * 0.3));
    sheet.rectangle(panel, Role::Wash, 0.0);
    match opening.picture {
        Some(picture) => sheet.image(picture, panel, Fit::Cover, 0.0),
        None => art::fill(sheet, panel.inset(sheet.margin * 0.6)),
    }
    let text = text.inset(sheet.margin);
    let used = put_logo(sheet, text, false);
    let mut text = text.split_top(used).1;
    if !opening.details.is_empty() {
        let words = Words::body(&opening.details.join("  ·  ")).fixed().sized(2.1).at_least(0.5).weight(600);
        let height = sheet.height_of(&words, text.width);
        let (above, place) = text.split_top(text.height - height);
        sheet.put(&words, place);
        text = above.split_top(above.height - sheet.unit * 3.0).0;
    }
    put_title_block(sheet, &opening, text, Anchor::Middle, Align::Start, 1.6);
}

/// For pages much broader than high: the words in the middle, between two pieces of the motif.
pub fn cover_strip_centered(sheet: &mut Sheet<'_>, passage: &Passage) {
    let opening = opening_of(passage);
    let page = sheet.page;
    let side = (page.height * 0.62).min(page.width * 0.16);
    if opening.picture.is_some() {
        sheet.failed = true;
        return;
    }
    for x in [sheet.margin, page.width - sheet.margin - side] {
        art::fill(sheet, Frame::new(x, (page.height - side) / 2.0, side, side));
    }
    let inset = sheet.margin * 2.0 + side;
    let text = Frame::new(inset, sheet.margin, page.width - inset * 2.0, page.height - sheet.margin * 2.0);
    let used = put_logo(sheet, text, false);
    let text = put_details(sheet, opening.details, text.split_top(used).1, Align::Center);
    put_title_block(sheet, &opening, text, Anchor::Middle, Align::Center, 1.3);
}

/// A broad band of the motif, the words below it or above.
pub fn cover_band(sheet: &mut Sheet<'_>, passage: &Passage) {
    let opening = opening_of(passage);
    let page = sheet.page;
    // A title alone leaves more room to the motif.
    let is_bare = opening.subtitle.is_empty() && opening.details.is_empty();
    // Many details take the whole band: beside the motif they would be small.
    let is_full = opening.details.iter().map(|detail| detail.chars().count()).sum::<usize>() > 110;
    let part = if is_bare {
        0.5
    } else if is_full {
        0.42
    } else if sheet.shape() == PageShape::Tall {
        0.36
    } else {
        0.34
    };
    let band = Frame::new(0.0, page.height * (1.0 - part), page.width, page.height * part);
    sheet.rectangle(band, Role::Wash, 0.0);
    let inner = band.inset_by(sheet.margin, band.height * 0.14);
    let details = Words::body(&opening.details.join("\n"))
        .fixed()
        .sized(if is_full { 1.2 } else { 1.0 })
        .at_least(0.7)
        .weight(600)
        .paragraph_gap(0.25)
        .anchored(Anchor::Middle);
    let used = opening.details.iter().any(|detail| !detail.trim().is_empty());
    if used {
        sheet.put(
            &details,
            Frame::new(
                inner.x,
                inner.y,
                inner.width
                    * if is_full {
                        1.0
                    } else if sheet.shape() == PageShape::Wide {
                        0.4
                    } else {
                        0.52
                    },
                inner.height,
            ),
        );
    }
    let taken = if used { if sheet.shape() == PageShape::Wide { 0.45 } else { 0.58 } } else { 0.0 };
    if !is_full {
        let place = Frame::new(inner.x + inner.width * taken, inner.y, inner.width * (1.0 - taken), inner.height);
        art::fill(sheet, place);
    }
    let body = sheet.body();
    let above = Frame::new(body.x, body.y, body.width, band.y - body.y - sheet.margin * 0.7);
    let logo = put_logo(sheet, above, false);
    put_title_block(sheet, &opening, above.split_top(logo).1, Anchor::Bottom, Align::Start, 1.05);
}

/// A picture to the edges, the words on a card before it.
pub fn cover_picture(sheet: &mut Sheet<'_>, passage: &Passage) {
    let opening = opening_of(passage);
    let page = sheet.page;
    if let Some(picture) = opening.picture {
        sheet.image(picture, page, Fit::Cover, 0.0);
    }
    let (width, height) = match sheet.shape() {
        PageShape::Wide => (page.width * 0.46, page.height - sheet.margin * 1.6),
        _ => (page.width - sheet.margin * 1.2, page.height * 0.44),
    };
    let edge = if sheet.shape() == PageShape::Wide { sheet.margin * 0.8 } else { sheet.margin * 0.6 };
    let card = Frame::new(edge, page.height - height - edge, width, height);
    let radius = sheet.radius();
    sheet.rectangle(card, Role::Ground, radius);
    let inner = card.inset(sheet.margin * 0.75);
    let used = put_logo(sheet, inner, false);
    let inner = put_details(sheet, opening.details, inner.split_top(used).1, Align::Start);
    put_title_block(sheet, &opening, inner, Anchor::Bottom, Align::Start, 0.8);
}

/// The number of a part, large, and its name.
pub fn section_number(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (number, lead) = section_of(passage);
    let body = sheet.content();
    let (figure, text) = if sheet.shape() == PageShape::Wide {
        let (left, right) = body.split_left(body.width * 0.34);
        (left, right)
    } else {
        body.split_top(body.height * 0.4)
    };
    let numeral = Words::number(&format!("{number:02}")).sized(2.3).paint(Role::AccentText).anchored(Anchor::Middle);
    sheet.put(&numeral, figure.inset_by(0.0, sheet.unit * 2.0));
    let opening =
        Opening { kicker: &passage.kicker, title: &passage.title, subtitle: lead, details: &[], picture: None };
    put_title_block(sheet, &opening, text, Anchor::Middle, Align::Start, 0.85);
}

/// The name of a part beside a wall of the motif.
pub fn section_art(sheet: &mut Sheet<'_>, passage: &Passage) {
    let (number, lead) = section_of(passage);
    let body = sheet.content();
    let (art_frame, text) = if sheet.shape() == PageShape::Wide {
        let (text, art_frame) = body.split_left(body.width * 0.58);
        (
            Frame::new(
                art_frame.x + sheet.unit * 4.0,
                art_frame.y,
                art_frame.width - sheet.unit * 4.0,
                art_frame.height,
            ),
            text,
        )
    } else {
        let (art_frame, text) = body.split_top(body.height * 0.42);
        (Frame::new(art_frame.x, art_frame.y, art_frame.width, art_frame.height - sheet.unit * 4.0), text)
    };
    art::fill(sheet, art_frame);
    let numbered = if passage.kicker.is_empty() { format!("{number:02}") } else { passage.kicker.clone() };
    let opening = Opening { kicker: &numbered, title: &passage.title, subtitle: lead, details: &[], picture: None };
    put_title_block(sheet, &opening, text, Anchor::Bottom, Align::Start, 0.85);
}

fn section_of(passage: &Passage) -> (u32, &str) {
    match &passage.matter {
        Matter::Section { number, lead } => (*number, lead.as_str()),
        _ => (1, ""),
    }
}

/// A last page: large words, and how to go on in a card of the accent.
pub fn closing_card(sheet: &mut Sheet<'_>, passage: &Passage) {
    let opening = opening_of(passage);
    let body = sheet.body();
    let gap = sheet.unit * 5.0;
    let (text, card) = if sheet.shape() == PageShape::Wide {
        let (text, card) = body.split_left(body.width * 0.55);
        (text, Frame::new(card.x + gap, card.y, card.width - gap, card.height))
    } else {
        let (text, card) = body.split_top(body.height * 0.55);
        (text, Frame::new(card.x, card.y + gap, card.width, card.height - gap))
    };
    let used = put_logo(sheet, text, false);
    if opening.details.is_empty() {
        art::fill(sheet, card);
        put_title_block(sheet, &opening, text.split_top(used).1, Anchor::Middle, Align::Start, 1.0);
        return;
    }
    let radius = sheet.radius();
    sheet.rectangle(card, Role::Accent, radius);
    put_title_block(sheet, &opening, text.split_top(used).1, Anchor::Middle, Align::Start, 0.9);
    let words = Words::body(&opening.details.join("\n"))
        .paint(Role::OnAccent)
        .font(FontRole::Body)
        .sized(1.15)
        .fixed()
        .at_least(0.55)
        .paragraph_gap(0.6)
        .anchored(Anchor::Middle);
    sheet.put(&words, card.inset(sheet.unit * 5.0));
}
