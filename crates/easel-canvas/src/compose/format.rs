//! What a brief is made as: the kind of thing, its category, its size, its number of pages.
//!
//! Always true: a size that the format of a brief settles stays; its words choose among what is left open. Deliberately not here:
//! what kinds there are (`read::kinds`), and what it looks like (`look`).

use crate::brief::Brief;
use crate::content::Matter;
use crate::document::Category;
use crate::layout;
use crate::read::Reading;
use crate::read::kinds::Kind;

/// What a brief is made as.
pub struct BriefFormat {
    /// The kind of thing.
    pub kind: Kind,
    /// What the kind is drawn as.
    pub category: Category,
    /// Of a page, in pixels.
    pub size: (u32, u32),
    /// Whether all of it stands on one page.
    pub is_single: bool,
    /// How many pages were asked for.
    pub count: Option<u32>,
}

/// What a brief is made as: its words choose among what its format leaves open.
pub fn make_of(brief: &Brief, reading: &Reading) -> BriefFormat {
    let asked = brief.format.category;
    let count = brief.page_count.or(reading.wishes.page_count);
    let kind = match reading.named_kind {
        // A report may be slides; a wedding invitation is never a deck.
        Some(Kind::Post) if count.is_some_and(|count| count > 1) => Kind::Carousel,
        Some(kind) if kind.making().category == asked || is_of_its_own(kind) => kind,
        Some(kind) if asked == Category::Other => kind,
        // A deck that is to be a PDF has slides for its pages.
        Some(Kind::Deck) if asked == Category::Pdf => Kind::Deck,
        Some(Kind::OnePager) if asked == Category::Pdf => Kind::OnePager,
        _ => Kind::of_category(asked),
    };
    let making = kind.making();
    let is_open_format = matches!(asked, Category::Slides | Category::Other | Category::Pdf | Category::Carousel);
    let is_price_page = asked == Category::Ui && kind == Kind::Menu;
    let category = if kind == Kind::Carousel || is_price_page || is_open_format && reading.named_kind == Some(kind) {
        making.category
    } else {
        asked
    };
    let format = &brief.format;
    let is_open = format.width.is_none() && format.height.is_none() && format.label.is_none();
    let own = if reading.named_kind == Some(kind) { making.size } else { format.size().unwrap_or(making.size) };
    // A story stays as high as a phone, whatever channel was named beside it.
    // Nor are pages that are swiped as broad as the preview of a link.
    let wished = reading
        .wishes
        .size
        .filter(|(width, height)| kind != Kind::Story || height * 10 >= width * 16)
        .filter(|size| kind != Kind::Carousel || *size != LINK_PREVIEW);
    let size = if is_open { wished.unwrap_or(own) } else { format.size().unwrap_or(own) };
    let is_free = is_open && reading.wishes.size.is_none();
    let size = if is_free && category == Category::Diagram && is_deep(reading) { TALL_DIAGRAM } else { size };
    let is_single = count.map_or(making.is_single || kind == Kind::Poster, |count| count == 1);
    BriefFormat { kind, category, size, is_single, count }
}

/// The picture above a link on LinkedIn, in pixels.
const LINK_PREVIEW: (u32, u32) = (1200, 627);

/// The page of a diagram that goes down further than a broad page is high.
const TALL_DIAGRAM: (u32, u32) = (1240, 1754);

/// A flow of more ranks than this is higher than broad.
const MOST_RANKS_ACROSS: usize = 6;

/// Lanes that are longer than this go down a page that is higher than broad.
const MOST_STEPS_IN_LANE: usize = 7;

/// Whether a reading has a flow with branches or lanes that goes on further than a broad page has room for.
fn is_deep(reading: &Reading) -> bool {
    reading.parts.iter().flat_map(|part| &part.matters).any(|matter| match matter {
        Matter::Flow { boxes, arrows, lanes } if !lanes.is_empty() => {
            layout::length_in_lanes(boxes, arrows, lanes) > MOST_STEPS_IN_LANE
        }
        Matter::Flow { boxes, arrows, .. } => {
            layout::has_branches(boxes, arrows) && layout::depth_of(boxes, arrows) > MOST_RANKS_ACROSS
        }
        _ => false,
    })
}

/// Kinds that are what they are, whatever the format says.
fn is_of_its_own(kind: Kind) -> bool {
    !matches!(kind, Kind::Deck | Kind::Document | Kind::OnePager | Kind::Screen | Kind::Diagram | Kind::Carousel)
}
