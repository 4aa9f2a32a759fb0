//! From a brief to a document: read what was given, plan what stands on which page, lay the pages out.
//!
//! Everything here is pure: the same brief gives the same document. A caller that wants to stop says so in its answer to
//! a step of progress, or simply drops the result.

mod draft;
mod intent;
mod language;
mod look;
mod phrases;
mod picture;
mod plan;
mod remix;
mod source;

use crate::brand::Brand;
use crate::brief::{AttachmentRole, Brief};
use crate::color::Rgb;
use crate::content::{Matter, Outline, Passage};
use crate::dice::Dice;
use crate::document::{Asset, Category, Document, SCHEMA_VERSION};
use crate::error::Error;
use crate::layout::{self, Setting};
use crate::origin::Origin;
use crate::render::Warning;
use intent::Intent;
use source::Block;

/// What is being done at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Prompt and attachments are read.
    Reading,
    /// Pages are planned.
    Planning,
    /// Pages are laid out.
    LayingOut,
    /// Pages are drawn.
    Drawing,
}

/// How far the work is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// 0 to 100, never less than before.
    pub percent: u8,
    /// What is being done.
    pub step: Step,
    /// The same for a person.
    pub message: String,
}

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
/// [`Error::PageSize`] for a size that cannot be drawn, [`Error::AttachmentUnreadable`] for a file that is broken.
pub fn compose(brief: &Brief, progress: &mut dyn FnMut(Progress)) -> Result<Composed, Error> {
    let mut size = brief.format.size()?;
    tell(progress, 3, Step::Reading, "Reading the brief".to_owned());
    let mut intent = intent::read(&brief.prompt);
    let asked_size = crate::brief::size_of_label(&brief.prompt);
    if brief.format.width.is_none() && brief.format.height.is_none() && brief.format.label.is_none() {
        size = asked_size.unwrap_or(size);
    }
    let mut given = read_attachments(brief, progress)?;
    let mut brand = brief.brand.clone();
    let mut assets = Vec::new();
    if let Some(brand) = &mut brand {
        take_logo(brand, &mut assets, &mut given.warnings);
    }
    tell(progress, 25, Step::Planning, "Planning the pages".to_owned());
    let page_count = brief.page_count.or(intent.page_count);
    let is_tall = size.1 as f32 > size.0 as f32 * 1.25;
    let outline = plan_outline(brief, &mut intent, &given, page_count, is_tall);
    let look = look::choose(&intent, brief.seed, size, brand, &given.borrowed);
    assets.extend(given.pictures);
    let origin = Origin { prompts: vec![brief.prompt.clone()], outline, look };
    let mut composed = build(origin, brief.format.category, assets, page_count, progress)?;
    composed.warnings.splice(0..0, given.warnings);
    let name = brief.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
    composed.name = name.map_or_else(|| composed.document.origin.outline.title.clone(), str::to_owned);
    composed.document.name = composed.name.clone();
    composed.message = match composed.document.page_count() {
        1 => format!("Drew “{}”.", composed.name),
        count => format!("Drew “{}” on {count} pages.", composed.name),
    };
    Ok(composed)
}

/// Makes a document anew as a prompt asks; the given one stays as it is. An empty prompt gives the same again.
///
/// # Errors
/// As [`compose`].
pub fn edit(
    document: &Document,
    prompt: &str,
    brand: Option<&Brand>,
    seed: u64,
    progress: &mut dyn FnMut(Progress),
) -> Result<Composed, Error> {
    tell(progress, 3, Step::Reading, "Reading what shall change".to_owned());
    if prompt.trim().is_empty() && brand.is_none() {
        let message = "Made an exact copy.".to_owned();
        return Ok(Composed { name: document.name.clone(), document: document.clone(), message, warnings: Vec::new() });
    }
    let mut origin = document.origin.clone();
    let mut assets = document.assets.clone();
    let mut warnings = Vec::new();
    let mut category = document.category;
    let message = remix::apply(&mut origin, &mut category, prompt, brand.is_some(), seed);
    origin.prompts.push(prompt.to_owned());
    if let Some(brand) = brand {
        let mut brand = brand.clone();
        take_logo(&mut brand, &mut assets, &mut warnings);
        origin.look.brand = Some(brand);
    }
    tell(progress, 20, Step::Planning, "Planning the pages".to_owned());
    let mut composed = build(origin, category, assets, None, progress)?;
    composed.warnings.splice(0..0, warnings);
    composed.name = document.name.clone();
    composed.document.name = document.name.clone();
    composed.message = message;
    Ok(composed)
}

fn tell(progress: &mut dyn FnMut(Progress), percent: u8, step: Step, message: String) {
    progress(Progress { percent, step, message });
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
            AttachmentRole::Reference => given.borrowed.extend(intent::colors(&String::from_utf8_lossy(
                &attachment.bytes[..attachment.bytes.len().min(20_000)],
            ))),
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

/// What the design says: the source if there is one, what the prompt holds, or a draft.
fn plan_outline(brief: &Brief, intent: &mut Intent, given: &Given, page_count: Option<u32>, is_tall: bool) -> Outline {
    let category = brief.format.category;
    let mut blocks = given.blocks.clone();
    if !intent.body.is_empty() {
        blocks.extend(source::read_markdown(&intent.body));
    }
    if !given.blocks.is_empty() {
        let sample: String = sample_of_blocks(&given.blocks);
        intent.language = language::detect(&sample);
    }
    let phrases = phrases::phrases(&intent.language);
    let mut passages;
    if blocks.is_empty() {
        if intent.title.is_empty() {
            intent.title = brief.name.clone().unwrap_or_else(|| phrases.untitled.to_owned());
        }
        // Pictures beyond the cover's take pages of the number that was asked for.
        let beyond = given.pictures.len().saturating_sub(1) as u32;
        let drafted = page_count.map(|count| count.saturating_sub(beyond).max(2).min(count));
        passages = draft::draft(intent, category, drafted, is_tall);
    } else {
        let planned = plan::plan(&blocks, category, phrases);
        // The prompt beside a source says what to do with it, not what it is called.
        if let Some(title) = planned.title {
            intent.title = title;
            intent.details.clear();
        } else if !given.blocks.is_empty()
            && let Some(first) = brief.attachments.iter().find(|file| file.role == AttachmentRole::Source)
        {
            intent.title = source::title_of_file(&first.name);
            intent.details.clear();
        }
        let cover = Matter::Cover { subtitle: planned.subtitle, details: intent.details.clone(), picture: None };
        // One saying, one picture of it: no cover before.
        let is_saying = category == Category::Social
            && planned.passages.len() == 1
            && given.blocks.iter().all(|block| !matches!(block, Block::Heading(..)));
        let is_single =
            (matches!(category, Category::Diagram | Category::Ui) || is_saying) && !planned.passages.is_empty();
        passages = if is_single {
            Vec::new()
        } else {
            {
                let kicker = intent::shown_kicker(&intent.kicker).to_owned();
                vec![Passage { kicker, ..Passage::new(&intent.title, cover) }]
            }
        };
        passages.extend(planned.passages);
        if category == Category::Diagram {
            as_flows(&mut passages, &intent.title);
        }
    }
    if matches!(category, Category::Social | Category::Carousel) {
        passages.iter_mut().for_each(state_briefly);
    }
    place_pictures(&mut passages, &given.pictures, category, page_count);
    let mut outline = Outline { title: intent.title.clone(), language: intent.language.clone(), passages };
    if let Some(count) = page_count.filter(|_| blocks.is_empty()) {
        remix::keep_pages(&mut outline, count as usize);
    }
    outline
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
fn as_flows(passages: &mut Vec<Passage>, title: &str) {
    for passage in passages.iter_mut() {
        if let Matter::Points { points, .. } | Matter::Steps { points, .. } = &mut passage.matter {
            let boxes = std::mem::take(points);
            let arrows =
                (1..boxes.len()).map(|to| crate::content::Arrow { from: to - 1, to, label: String::new() }).collect();
            passage.matter = Matter::Flow { boxes, arrows };
        }
        if passage.title.is_empty() {
            passage.title = title.to_owned();
        }
    }
    if passages.len() > 1 {
        passages.retain(|passage| !matches!(passage.matter, Matter::Cover { .. }));
    }
}

/// The first picture goes on the cover, the next beside texts, what is left on pages of its own.
fn place_pictures(passages: &mut Vec<Passage>, pictures: &[Asset], category: Category, page_count: Option<u32>) {
    let mut left = pictures.iter();
    if let Some(Passage { matter: Matter::Cover { picture, .. }, .. }) = passages.first_mut() {
        *picture = left.next().map(|asset| asset.id.clone());
    }
    for passage in passages.iter_mut() {
        if let Matter::Prose { picture, .. } = &mut passage.matter {
            *picture = left.next().map(|asset| asset.id.clone());
        }
    }
    let is_many = !matches!(category, Category::Social | Category::Ui | Category::Diagram)
        || page_count.is_some_and(|count| count > 1);
    if !is_many {
        return;
    }
    let before_last = if passages.len() > 2 { passages.len() - 1 } else { passages.len() };
    let pages: Vec<Passage> = left
        .map(|asset| {
            Passage::new(asset.alt.clone(), Matter::Picture { picture: asset.id.clone(), caption: String::new() })
        })
        .collect();
    passages.splice(before_last..before_last, pages);
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
    let sample = sample_of(&origin.outline);
    let theme = look::build_theme(look, &sample, &mut warnings);
    let mut dice = Dice::new(look.seed, "document");
    let header_style = dice.below(3);
    let shape_is_many = origin.outline.passages.len() > 1;
    let foot = if matches!(category, Category::Slides | Category::Pdf) && shape_is_many {
        origin.outline.title.as_str()
    } else {
        ""
    };
    let setting = Setting {
        theme: &theme,
        category,
        width: look.width as f32,
        height: look.height as f32,
        right_to_left: language::is_right_to_left(&origin.outline.language),
        assets: &assets,
        logo: look.brand.as_ref().and_then(|brand| brand.logo_asset.as_deref()),
        header_style,
        foot,
    };
    let laid_out = layout::lay_out(setting, &origin.outline, look.seed, MAX_PAGES, |at, count| {
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
    if let Some(asked) = page_count.map(|count| count as usize).filter(|count| *count < laid_out.pages.len()) {
        warnings.push(Warning {
            code: "more_pages",
            message: format!(
                "The content took {} pages instead of {asked}, so that nothing is cut.",
                laid_out.pages.len()
            ),
        });
    }
    let used: Vec<Asset> = assets;
    let document = Document {
        schema_version: SCHEMA_VERSION,
        name: origin.outline.title.clone(),
        category,
        language: origin.outline.language.clone(),
        theme,
        pages: laid_out.pages,
        assets: used,
        origin,
    };
    warnings.extend(crate::render::warn_of_letters(&words_of(&document)));
    Ok(Composed { name: document.name.clone(), document, message: String::new(), warnings })
}

fn words_of(document: &Document) -> String {
    document.origin.outline.passages.iter().map(layout::words_of).collect()
}

/// Draws every page once, small, so that what cannot be drawn is found before the document is kept. Returns the first
/// page as a PNG whose longer side has at most `max_side_px` pixels.
///
/// # Errors
/// [`Error::Drawing`] where a page cannot be drawn.
pub fn proof(document: &Document, max_side_px: u32, progress: &mut dyn FnMut(Progress)) -> Result<Vec<u8>, Error> {
    let count = document.page_count();
    let mut first = None;
    for (at, page) in document.pages.iter().enumerate() {
        let percent = (60 + 40 * at / count.max(1)) as u8;
        tell(progress, percent, Step::Drawing, format!("Drawing page {} of {count}", at + 1));
        let picture = crate::render::thumbnail_of(document, page, max_side_px)?;
        first.get_or_insert(picture);
    }
    first.ok_or(Error::PageMissing { page: 1, page_count: 0 })
}

/// Letters of every kind that the outline uses, so that fonts are chosen that have them.
fn sample_of(outline: &Outline) -> String {
    let words = outline.passages.iter().map(layout::words_of).collect::<String>();
    let mut letters: Vec<char> = words.chars().filter(|letter| letter.is_alphanumeric()).collect();
    letters.sort_unstable();
    letters.dedup();
    // Letters that no shipped font has say nothing about which one to choose.
    letters.retain(|letter| {
        (*letter as u32) < 0x2000 && !matches!(*letter, '\u{900}'..='\u{1eff}' if (*letter as u32) < 0x1e00)
    });
    letters.into_iter().collect()
}
