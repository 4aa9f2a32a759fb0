//! From a brief to a document: read what was given, plan what stands on which page, lay the pages out.
//!
//! Everything here is pure: the same brief gives the same document. A caller that wants to stop says so in its answer to
//! a step of progress, or simply drops the result.

mod brand_in;
mod composed;
mod fields;
mod format;
mod given;
mod illustrate;
mod labels;
mod listing;
mod look;
mod outline;
mod pages;
mod picture;
mod plan;
mod preview;
mod progress;
mod remix;
mod report;
mod screen;
mod source;
mod title;
mod written;

use crate::brand::Brand;
use crate::brief::Brief;
use crate::content::{Matter, Outline};
use crate::dice::Dice;
use crate::document::{Asset, Category, Document, SCHEMA_VERSION};
use crate::error::Error;
use crate::layout::{self, Setting};
use crate::origin::{HeadPlace, Origin};
use crate::read::{self, language};
use crate::render::Warning;
pub use brand_in::{FoundBrand, FoundLogo, find_brand};
pub use composed::{Composed, Variation};
use format::make_of;
use given::{read_attachments, take_logo};
pub use labels::label_words;
pub use look::build_palettes;
use outline::{plan_outline, take_over};
pub(crate) use picture::{MAX_FILE_BYTES as MAX_PICTURE_BYTES, read_bytes as read_picture};
pub use preview::{Preview, preview};
pub use progress::{PageAhead, Progress, Seen, Step, proof};
use progress::{tell, tell_outline};
pub(crate) use source::{Block, read_markdown};
pub use written::{Material, compose_written, edit_written, read_material, read_material_of};

/// No design has more pages than this.
const MAX_PAGES: usize = 200;

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
        Some(written) => take_over(written, brief, &reading, &given, &made),
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
