//! From a brief to a document: read what was given, plan what stands on which page, lay the pages out.
//!
//! Everything here is pure: the same brief gives the same document. A caller that wants to stop says so in its answer to
//! a step of progress, or simply drops the result.

mod brand_in;
mod fields;
mod illustrate;
mod labels;
mod listing;
mod look;
mod pages;
mod picture;
mod plan;
mod preview;
pub(crate) mod progress;
mod remix;
mod report;
mod screen;
mod source;
mod title;
mod written;

use crate::brand::Brand;
use crate::brief::{AttachmentRole, Brief};
use crate::color::Rgb;
use crate::content::{Matter, Outline, Passage};
use crate::dice::Dice;
use crate::document::{Asset, Category, Document, SCHEMA_VERSION};
use crate::error::Error;
use crate::layout::{self, Setting};
use crate::origin::{HeadPlace, Origin};
use crate::read::kinds::Kind;
use crate::read::{self, Reading, colors, language};
use crate::render::Warning;
pub use brand_in::{FoundBrand, FoundLogo, find_brand};
use illustrate::place_pictures;
use labels::Labels;
pub use labels::label_words;
pub use preview::preview;
pub use progress::{PageAhead, Progress, Seen, Step, proof};
use progress::{tell, tell_outline};
pub(crate) use source::{Block, read_markdown};
use title::{says_anything, take_title, title_in};
pub use written::{Material, compose_written, edit_written, read_material, read_material_of};

/// A document that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Composed {
    /// The document.
    pub document: Document,
    /// What it is called.
    pub name: String,
    /// What was done, in one sentence for a person.
    pub message: String,
    /// What came out otherwise than asked.
    pub warnings: Vec<Warning>,
    /// What is different about a variation, for its name; nothing for any other design.
    pub variation: Option<Variation>,
}

/// What a variation is called apart from the design that it was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variation {
    /// What is different: “Large type, dark”.
    pub called: String,
    /// What was different about the design that it was made from; empty where that is none.
    pub was_called: String,
}

/// No design has more pages than this.
const MAX_PAGES: usize = 200;

/// No design carries more pictures than this.
const MAX_PICTURES: usize = 40;

/// What the attachments of a brief came to.
#[derive(Default)]
struct Given {
    blocks: Vec<Block>,
    pictures: Vec<Asset>,
    borrowed: Vec<Rgb>,
    warnings: Vec<Warning>,
}

/// Makes a document from a brief.
///
/// # Errors
/// [`Error::PageSize`] for a size that cannot be drawn, [`Error::AttachmentUnreadable`] for a file that is broken,
/// [`Error::LettersMissing`] where no typeface has its letters.
pub fn compose(brief: &Brief, progress: &mut dyn FnMut(Progress)) -> Result<Composed, Error> {
    compose_of(brief, None, progress)
}

fn compose_of(brief: &Brief, written: Option<Outline>, progress: &mut dyn FnMut(Progress)) -> Result<Composed, Error> {
    // What cannot be drawn is refused before anything is read.
    brief.format.size()?;
    tell(progress, 3, Step::Reading, "Reading the brief".to_owned());
    let reading = read::read(&brief.prompt, brief.format.category);
    let made = make_of(brief, &reading);
    let mut given = read_attachments(brief, progress)?;
    let mut brand = brief.brand.clone();
    let mut assets = Vec::new();
    if let Some(brand) = &mut brand {
        take_logo(brand, &mut assets, &mut given.warnings);
    }
    tell(progress, 25, Step::Planning, "Planning the pages".to_owned());
    let told = reading.wishes.page_count.filter(|_| brief.page_count.is_none());
    let outline = match written {
        Some(written) => written::take_over(written, brief, &reading, &given, &made),
        None => plan_outline(brief, &reading, &given, &made),
    };
    let look = look::choose(&reading, seed_of(brief), made.size, brand, &given.borrowed);
    assets.extend(given.pictures);
    let mut origin = Origin { prompts: vec![brief.prompt.clone()], outline, look };
    let mut composed = build(origin.clone(), made.category, assets.clone(), brief.page_count, progress)?;
    // Reading matter has its pages only when it is laid out; what is missing of the number is added then.
    let missing = brief.page_count.map_or(0, |count| (count as usize).saturating_sub(composed.document.page_count()));
    if missing > 0 {
        let count = origin.outline.passages.len() + missing;
        pages::fill(&mut origin.outline.passages, count, labels::labels(&origin.outline.language));
        composed = build(origin, made.category, assets, brief.page_count, progress)?;
    }
    composed.warnings.splice(0..0, given.warnings);
    let name = brief.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
    composed.name = name.map_or_else(|| composed.document.origin.outline.title.clone(), str::to_owned);
    composed.document.name = composed.name.clone();
    composed.message = report::report(&composed, told, &reading.wishes.page_counts);
    Ok(composed)
}

/// The seed of a brief, to which its words belong: two briefs are not drawn alike because their seeds are.
fn seed_of(brief: &Brief) -> u64 {
    brief
        .prompt
        .bytes()
        .fold(brief.seed ^ 0xcbf2_9ce4_8422_2325, |seed, byte| (seed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// What a brief is made as: its words choose among what its format leaves open.
fn make_of(brief: &Brief, reading: &Reading) -> BriefFormat {
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

/// Whether a reading has a flow with branches that goes on further than a broad page has room for.
fn is_deep(reading: &Reading) -> bool {
    reading.parts.iter().flat_map(|part| &part.matters).any(|matter| {
        matches!(matter, Matter::Flow { boxes, arrows }
            if layout::has_branches(boxes, arrows) && layout::depth_of(boxes, arrows) > MOST_RANKS_ACROSS)
    })
}

/// Kinds that are what they are, whatever the format says.
fn is_of_its_own(kind: Kind) -> bool {
    !matches!(kind, Kind::Deck | Kind::Document | Kind::OnePager | Kind::Screen | Kind::Diagram | Kind::Carousel)
}

/// What a brief is made as.
struct BriefFormat {
    kind: Kind,
    category: Category,
    size: (u32, u32),
    is_single: bool,
    count: Option<u32>,
}

/// Makes a document anew as a prompt asks; the given one stays as it is. An empty prompt gives the same again.
///
/// # Errors
/// As [`compose`].
pub fn edit(
    document: &Document,
    prompt: &str,
    brand: Option<&Brand>,
    turn: u32,
    progress: &mut dyn FnMut(Progress),
) -> Result<Composed, Error> {
    edit_of(document, prompt, None, brand, turn, progress)
}

fn edit_of(
    document: &Document,
    prompt: &str,
    written: Option<Outline>,
    brand: Option<&Brand>,
    turn: u32,
    progress: &mut dyn FnMut(Progress),
) -> Result<Composed, Error> {
    tell(progress, 3, Step::Reading, "Reading what shall change".to_owned());
    if prompt.trim().is_empty() && brand.is_none() {
        let message = "Made an exact copy.".to_owned();
        let (document, name) = (document.clone(), document.name.clone());
        return Ok(Composed { name, document, message, warnings: Vec::new(), variation: None });
    }
    let mut assets = document.assets.clone();
    let mut warnings = Vec::new();
    let brand = brand.map(|brand| {
        let mut brand = brand.clone();
        take_logo(&mut brand, &mut assets, &mut warnings);
        brand
    });
    // Where nobody changed a word, something else was meant.
    let written = written.filter(|written| *written != document.origin.outline);
    let arrange = |turn: u32| {
        let (mut origin, mut category) = (document.origin.clone(), document.category);
        let wish = remix::RemixRequest { prompt, has_brand: brand.is_some(), is_written: written.is_some(), turn };
        origin.outline = written.clone().unwrap_or(origin.outline);
        let message = remix::apply(&mut origin, &mut category, wish);
        origin.prompts.push(prompt.to_owned());
        if let Some(brand) = &brand {
            origin.look.brand = Some(brand.clone());
        }
        (origin, category, message)
    };
    let (origin, category, message) = arrange(turn);
    let was_arranged = &document.origin.look.arrangement;
    let is_variation = origin.look.arrangement != *was_arranged;
    tell(progress, 20, Step::Planning, "Planning the pages".to_owned());
    let mut composed = build(origin, category, assets.clone(), None, progress)?;
    // A page of which there is no other tells itself apart by its arrangement alone.
    if is_variation && composed.document.page_count() == 1 {
        composed = remix::set_apart(document, turn, &|turn, turned| {
            let (mut origin, category, _) = arrange(turn);
            turned.apply(&mut origin.look.arrangement);
            build(origin, category, assets.clone(), None, &mut |_| {})
        })?;
    }
    composed.warnings.splice(0..0, warnings);
    composed.name = document.name.clone();
    composed.document.name = document.name.clone();
    composed.message = message;
    if is_variation {
        let called = remix::name_for(&composed.document, document);
        composed.document.origin.look.arrangement.called.clone_from(&called);
        composed.variation = Some(Variation { called, was_called: was_arranged.called.clone() });
    }
    Ok(composed)
}

fn read_attachments(brief: &Brief, progress: &mut dyn FnMut(Progress)) -> Result<Given, Error> {
    let mut given = Given::default();
    let count = brief.attachments.len().max(1);
    for (at, attachment) in brief.attachments.iter().enumerate() {
        let percent = 5 + (15 * at / count) as u8;
        let shown: String = attachment.name.chars().take(60).collect();
        tell(progress, percent, Step::Reading, format!("Reading {shown}"));
        match attachment.role {
            AttachmentRole::Reference if picture::is_picture(attachment) => {
                let colors = picture::palette_of(attachment);
                given.borrowed.extend(colors);
            }
            AttachmentRole::Reference => given.borrowed.extend(
                colors::read(&String::from_utf8_lossy(&attachment.bytes[..attachment.bytes.len().min(20_000)])).colors,
            ),
            AttachmentRole::Asset | AttachmentRole::Source if picture::is_picture(attachment) => {
                if given.pictures.len() < MAX_PICTURES {
                    let asset = picture::read(attachment)?;
                    if !given.pictures.iter().any(|known| known.id == asset.id) {
                        given.pictures.push(asset);
                    }
                }
            }
            AttachmentRole::Asset => {
                let reason = "it is not a picture (PNG, JPEG, GIF, WebP or SVG)".to_owned();
                return Err(Error::AttachmentUnreadable { name: attachment.name.clone(), reason });
            }
            AttachmentRole::Source => {
                let source = source::read(attachment)?;
                if source.was_cut {
                    given.warnings.push(Warning {
                        code: "source_cut",
                        message: format!("“{shown}” is very long: only its beginning was used."),
                    });
                }
                given.blocks.extend(source.blocks);
            }
        }
    }
    Ok(given)
}

fn take_logo(brand: &mut Brand, assets: &mut Vec<Asset>, warnings: &mut Vec<Warning>) {
    let Some(bytes) = brand.logo.take() else { return };
    match picture::read_bytes("logo", &bytes) {
        Ok(mut asset) => {
            asset.alt.clone_from(&brand.name);
            brand.logo_asset = Some(asset.id.clone());
            if !assets.iter().any(|known| known.id == asset.id) {
                assets.push(asset);
            }
        }
        Err(error) => warnings.push(Warning { code: "logo_unreadable", message: error.to_string() }),
    }
}

/// What the design says: what its brief says and what its files say.
fn plan_outline(brief: &Brief, reading: &Reading, given: &Given, made: &BriefFormat) -> Outline {
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
    let support: String = paragraphs.iter().map(|runs| crate::content::plain(runs)).collect::<Vec<_>>().join("\n");
    if is_plain && !passage.title.is_empty() && support.chars().count() <= 220 {
        passage.matter = Matter::Statement { support };
    }
}

fn sample_of_blocks(blocks: &[Block]) -> String {
    let mut sample = String::new();
    for block in blocks.iter().take(60) {
        match block {
            Block::Heading(_, text) | Block::Quote(text) => sample.push_str(text),
            Block::Paragraph(runs) => sample.push_str(&crate::content::plain(runs)),
            Block::List(_, items) => items.iter().for_each(|item| sample.push_str(&crate::content::plain(item))),
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
            let arrows =
                (1..boxes.len()).map(|to| crate::content::Arrow { from: to - 1, to, label: String::new() }).collect();
            passage.matter = Matter::Flow { boxes, arrows };
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

fn build(
    origin: Origin,
    category: Category,
    assets: Vec<Asset>,
    page_count: Option<u32>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Composed, Error> {
    let mut warnings = Vec::new();
    let look = &origin.look;
    let sample = look::sample_of(&origin.outline);
    let theme = look::build_theme(look, &sample, &origin.outline.language, &mut warnings);
    warnings.extend(crate::render::check_letters(&words_of(&origin.outline), theme.fonts.han)?);
    tell_outline(progress, &origin.outline, (look.width, look.height));
    let mut dice = Dice::new(look.seed, "document");
    let header_style = dice.below(3);
    let shape_is_many = origin.outline.passages.len() > 1;
    // A design that has no name of its own is called as its first page, which need not stand on each.
    let is_called = origin
        .outline
        .passages
        .first()
        .is_some_and(|first| matches!(first.matter, Matter::Cover { .. }) || first.title != origin.outline.title);
    let foot = if matches!(category, Category::Slides | Category::Pdf) && shape_is_many && is_called {
        origin.outline.title.as_str()
    } else {
        ""
    };
    let setting = Setting {
        theme: &theme,
        category,
        width: look.width as f32,
        height: look.height as f32,
        language: &origin.outline.language,
        right_to_left: language::is_right_to_left(&origin.outline.language),
        assets: &assets,
        logo: look.brand.as_ref().and_then(|brand| brand.logo_asset.as_deref()),
        arrangement: &look.arrangement,
        header_style: if look.arrangement.head == HeadPlace::Top { header_style } else { 0 },
        foot,
    };
    let at_most = page_count.map_or(MAX_PAGES, |count| (count as usize).clamp(1, MAX_PAGES));
    let laid_out = layout::lay_out(setting, &origin.outline, look.seed, at_most, |at, count| {
        let percent = (30 + 30 * at / count.max(1)) as u8;
        tell(progress, percent, Step::LayingOut, format!("Laying out page {} of {count}", at + 1));
    });
    if laid_out.pages.is_empty() {
        return Err(Error::drawing("no layout suits this page"));
    }
    if laid_out.words_in_notes > 0 {
        warnings.push(Warning {
            code: "words_in_notes",
            message: format!("{} words found no room on a page and stand in the notes.", laid_out.words_in_notes),
        });
    }
    let document = Document {
        schema_version: SCHEMA_VERSION,
        name: origin.outline.title.clone(),
        category,
        language: origin.outline.language.clone(),
        theme,
        pages: laid_out.pages,
        assets,
        origin,
    };
    Ok(Composed { name: document.name.clone(), document, message: String::new(), warnings, variation: None })
}

fn words_of(outline: &Outline) -> String {
    outline.passages.iter().map(layout::words_of).collect()
}
