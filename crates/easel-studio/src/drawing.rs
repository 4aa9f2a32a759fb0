//! The one place that draws: makes a document with its thumbnail from an order, and a file from a document.
//!
//! Always true: pure and deterministic, so the same order gives the same bytes, on any try; no I/O. It reads strangers'
//! files, so it runs in a process of its own ([`crate::drawers`]) and never where requests are served. Not here: where
//! orders come from and drawings go.

pub mod colors;
pub mod pictures;
pub mod texts;

use easel_canvas::content::Outline;
use easel_canvas::render::MAX_PIXELS;
use easel_canvas::{Brand, Brief, Composed, Document, FileFormat, Material, RenderRequest};
use serde::{Deserialize, Serialize};

use crate::core::names::MAX_CHARS;
use crate::db::canvases::PageRow;
use crate::db::tasks::ProgressRow;
use crate::wire::canvases::{ExportFormat, ExportWarning};
use crate::wire::tasks::{AttachmentRole, Category, Format};

/// The longer side of a thumbnail.
const THUMBNAIL_PX: u32 = 640;

/// A file to work from.
#[derive(Clone, Serialize, Deserialize)]
pub struct Attachment {
    /// Its role.
    pub role: AttachmentRole,
    /// Its file name.
    pub name: String,
    /// Its media type, as it was declared.
    pub mime_type: String,
    /// All of it; goes beside the words between processes.
    #[serde(skip)]
    pub bytes: Vec<u8>,
}

/// What to draw.
#[derive(Clone, Serialize, Deserialize)]
pub struct Order {
    /// What to make, or to change about `base`.
    pub prompt: String,
    /// The form that was asked for.
    pub format: Format,
    /// How many pages.
    pub page_count: Option<u32>,
    /// What the canvas is called.
    pub name: Option<String>,
    /// The brand to follow.
    pub brand: Option<Brand>,
    /// Files to work from.
    pub attachments: Vec<Attachment>,
    /// Decides between what is equally good.
    pub seed: u64,
    /// How many remixes of the same canvas were asked for before: each variation is arranged otherwise.
    pub turn: u32,
    /// The document to change, as JSON; a new one is composed where absent.
    #[serde(skip)]
    pub base: Option<Vec<u8>>,
    /// The design's outline, where a writer wrote one; else it is read from the rest.
    pub outline: Option<Outline>,
}

impl Order {
    /// A page without content of its own, to see whether a logo can be drawn.
    #[must_use]
    pub fn of_a_logo() -> Self {
        Self {
            prompt: "A page".to_owned(),
            format: Format::default(),
            page_count: Some(1),
            name: None,
            brand: Some(Brand::default()),
            attachments: Vec::new(),
            seed: 0,
            turn: 0,
            base: None,
            outline: None,
        }
    }

    /// The kind of thing that is designed, in a word for the writer.
    #[must_use]
    pub fn kind(&self) -> String {
        let category = self.format.category.unwrap_or(Category::Slides);
        let category = serde_json::to_value(category).unwrap_or_default();
        let label = self.format.label.as_deref().map(|label| format!(", {label}")).unwrap_or_default();
        format!("{}{label}", category.as_str().unwrap_or_default())
    }
}

/// A finished drawing, before it is stored.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawing {
    /// The document as JSON.
    #[serde(skip)]
    pub document: Vec<u8>,
    /// A small PNG of the first page.
    #[serde(skip)]
    pub thumbnail: Option<Vec<u8>>,
    /// A name for it.
    pub name: String,
    /// What kind of design it is.
    pub category: Category,
    /// Its pages; at least one.
    pub pages: Vec<PageRow>,
    /// What was done, in words for the person who asked.
    pub message: String,
    /// How it differs from its source, if it is a variation.
    pub variation: Option<Variation>,
}

/// What a variation is called apart from the canvas that it was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variation {
    /// The difference in words: “Large type, dark”.
    pub called: String,
    /// The difference that named the canvas that it was made from; empty where there is none.
    pub was_called: String,
}

impl Variation {
    /// The name of a variation of a canvas with this name: the difference stands at its end, in place of an earlier
    /// one.
    #[must_use]
    pub fn name(&self, source: &str) -> String {
        let end = |called: &str| format!(" – {called}");
        let stem = Some(self.was_called.as_str())
            .filter(|was| !was.is_empty())
            .and_then(|was| source.strip_suffix(&end(was)))
            .unwrap_or(source);
        let called = end(&self.called);
        let room = MAX_CHARS.saturating_sub(called.chars().count());
        let stem: String = stem.chars().take(room).collect();
        format!("{}{called}", stem.trim_end())
    }
}

/// A page of a design that is being made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageAhead {
    /// What it is called.
    pub name: String,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
}

/// What is told of a design while it is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DrawingProgress {
    /// How far it is.
    Step(ProgressRow),
    /// The pages that it will have, in their order; replaces what was told of them before.
    Outline(Vec<PageAhead>),
    /// That a page is drawn.
    Page(PagePicture),
}

/// A page that is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PagePicture {
    /// Its place, from 0.
    pub at: usize,
    /// A small PNG of it.
    pub png: Vec<u8>,
}

/// Why an order cannot be drawn, in words for the person who gave it.
#[derive(Debug, thiserror::Error)]
pub enum Undrawable {
    /// The order can never be drawn: another try would have the same end.
    #[error("{0}")]
    ForGood(String),
    /// The order can be drawn as soon as someone has installed a typeface; the words name the package.
    #[error("{0}")]
    TypefaceMissing(String),
}

impl From<easel_canvas::Error> for Undrawable {
    fn from(error: easel_canvas::Error) -> Self {
        match error {
            easel_canvas::Error::LettersMissing { .. } => Self::TypefaceMissing(error.to_string()),
            error => Self::ForGood(error.to_string()),
        }
    }
}

/// Refuses a size that cannot be drawn, or whose picture could not be exported.
///
/// # Errors
/// [`Undrawable`].
pub fn check_size(format: &Format) -> Result<(), Undrawable> {
    let (width, height) = read_format(format).size()?;
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(Undrawable::ForGood(format!(
            "a page of {width} by {height} pixels has more than {MAX_PIXELS} in all"
        )));
    }
    Ok(())
}

/// Reads the material of an order, for a writer.
///
/// # Errors
/// [`Undrawable`], for good.
pub fn read(order: Order) -> Result<Material, Undrawable> {
    match &order.base {
        Some(base) => Ok(easel_canvas::read_material_of(&Document::from_json(base)?)),
        None => Ok(easel_canvas::read_material(&into_brief(order))?),
    }
}

/// Draws an order. `tell` hears of each step, of the pages, and of each that is drawn; where it panics, the drawing
/// ends there.
///
/// # Errors
/// [`Undrawable`].
pub fn draw(mut order: Order, tell: &mut dyn FnMut(DrawingProgress)) -> Result<Drawing, Undrawable> {
    let mut report = |told: easel_canvas::Progress| {
        let step = match told.step {
            easel_canvas::Step::Reading => "reading",
            easel_canvas::Step::Planning => "planning",
            easel_canvas::Step::LayingOut => "laying_out",
            easel_canvas::Step::Drawing => "drawing",
        };
        match told.seen {
            Some(easel_canvas::Seen::Outline(pages)) => {
                tell(DrawingProgress::Outline(pages.into_iter().map(page_ahead).collect()));
            }
            Some(easel_canvas::Seen::Page { at, png }) => tell(DrawingProgress::Page(PagePicture { at, png })),
            None => {}
        }
        tell(DrawingProgress::Step(ProgressRow {
            percent: told.percent,
            step: Some(step.to_owned()),
            message: Some(told.message),
        }));
    };
    let ignored = order.base.is_some() && !order.attachments.is_empty();
    let written = order.outline.take();
    let Composed { document, name, mut message, warnings, variation } = match (&order.base, written) {
        (Some(base), written) => {
            let base = Document::from_json(base)?;
            let (prompt, brand, turn) = (&order.prompt, order.brand.as_ref(), order.turn);
            match written {
                Some(written) => easel_canvas::edit_written(&base, prompt, written, brand, turn, &mut report)?,
                None => easel_canvas::edit(&base, prompt, brand, turn, &mut report)?,
            }
        }
        (None, Some(written)) => easel_canvas::compose_written(&into_brief(order), written, &mut report)?,
        (None, None) => easel_canvas::compose(&into_brief(order), &mut report)?,
    };
    if ignored {
        message.push_str(" Attached files are not used to change a design that is there already.");
    }
    let thumbnail = easel_canvas::proof(&document, THUMBNAIL_PX, &mut report)?;
    for warning in warnings {
        message.push(' ');
        message.push_str(&warning.message);
    }
    Ok(Drawing {
        pages: pages_of(&document),
        thumbnail: Some(thumbnail),
        category: write_category(document.category),
        document: document.to_json()?,
        name,
        message,
        variation: variation.map(|made| Variation { called: made.called, was_called: made.was_called }),
    })
}

/// Why a document stays as it is.
#[derive(Debug)]
pub enum Unchanged<Why> {
    /// What was asked is at fault.
    Refused(Why),
    /// The document is, or the typefaces that there are.
    Undrawable(Undrawable),
}

impl<Why> From<easel_canvas::Error> for Unchanged<Why> {
    fn from(error: easel_canvas::Error) -> Self {
        Self::Undrawable(error.into())
    }
}

/// Draws a document that was changed in its place.
fn redraw(document: &Document) -> Result<Drawing, Undrawable> {
    Ok(Drawing {
        pages: pages_of(document),
        thumbnail: Some(easel_canvas::thumbnail(document, THUMBNAIL_PX)?),
        category: write_category(document.category),
        document: document.to_json()?,
        name: document.name.clone(),
        message: String::new(),
        variation: None,
    })
}

fn pages_of(document: &Document) -> Vec<PageRow> {
    let pages = document.pages.iter().map(|page| PageRow {
        name: page.name.clone(),
        width: page.width,
        height: page.height,
        node_count: u32::try_from(page.node_count()).unwrap_or(u32::MAX),
    });
    pages.collect()
}

fn page_ahead(page: easel_canvas::PageAhead) -> PageAhead {
    PageAhead { name: page.name, width: page.width, height: page.height }
}

/// Draws a small design for nobody, so that the next one finds what each needs read, computed and in memory.
pub fn warm_up() {
    let order = Order {
        prompt: "A poster for the opening of a bakery, on Saturday at 9:00, Mill Lane 3".to_owned(),
        format: Format { category: Some(Category::Social), ..Format::default() },
        page_count: None,
        name: None,
        brand: None,
        attachments: Vec::new(),
        seed: 0,
        turn: 0,
        base: None,
        outline: None,
    };
    // The drawing is of no use to anyone; a fault of drawing is told where somebody waits for a design.
    drop(draw(order, &mut |_| {}));
}

/// What to make of a document.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Rendering {
    /// The kind of file; never a zip.
    pub format: ExportFormat,
    /// One page, from 1; all of them where absent.
    pub page_number: Option<u32>,
    /// Pixels of a picture for each pixel of the page.
    pub pixel_ratio: u32,
    /// PDF only: pages as shapes.
    pub flatten: bool,
}

/// A file that was rendered from a document.
pub struct RenderedFile {
    /// The file.
    pub bytes: Vec<u8>,
    /// How its name ends, without the dot.
    pub extension: &'static str,
    /// What came out otherwise than asked.
    pub warnings: Vec<ExportWarning>,
}

/// Whether a picture of this page has no more pixels than can be drawn at once.
#[must_use]
pub fn is_drawable(page: &PageRow, pixel_ratio: u32) -> bool {
    let side = |side: u32| u64::from(side) * u64::from(pixel_ratio);
    side(page.width).saturating_mul(side(page.height)) <= MAX_PIXELS
}

/// Renders a document, as JSON, to a file.
///
/// # Errors
/// [`Undrawable`].
pub fn render(document: &[u8], asked: &Rendering) -> Result<RenderedFile, Undrawable> {
    let request = RenderRequest {
        format: match asked.format {
            ExportFormat::Jpeg => FileFormat::Jpeg,
            ExportFormat::Pdf => FileFormat::Pdf,
            ExportFormat::Pptx => FileFormat::Pptx,
            ExportFormat::Svg => FileFormat::Svg,
            ExportFormat::Png | ExportFormat::Zip => FileFormat::Png,
        },
        page: asked.page_number,
        pixel_ratio: asked.pixel_ratio,
        flatten: asked.flatten,
    };
    let easel_canvas::Rendered { bytes, extension, warnings, .. } =
        easel_canvas::render(&Document::from_json(document)?, &request)?;
    let warnings = warnings.into_iter().map(|warning| ExportWarning {
        code: warning.code.to_owned(),
        message: warning.message,
        severity: Some("warning".to_owned()),
    });
    Ok(RenderedFile { bytes, extension, warnings: warnings.collect() })
}

/// What a file of this format is and how its name ends, where a document rendered to the format can end so.
#[must_use]
pub fn kind_of_export(format: ExportFormat, extension: &str) -> Option<(&'static str, &'static str)> {
    let kinds: &[(&str, &str)] = match format {
        ExportFormat::Png => &[("image/png", "png"), ("application/zip", "zip")],
        ExportFormat::Jpeg => &[("image/jpeg", "jpg"), ("application/zip", "zip")],
        ExportFormat::Svg => &[("image/svg+xml", "svg"), ("application/zip", "zip")],
        ExportFormat::Pdf => &[("application/pdf", "pdf")],
        ExportFormat::Pptx => &[("application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx")],
        ExportFormat::Zip => &[],
    };
    kinds.iter().find(|(_, ending)| *ending == extension).copied()
}

fn into_brief(order: Order) -> Brief {
    let attachments = order.attachments.into_iter().map(|attachment| easel_canvas::Attachment {
        role: match attachment.role {
            AttachmentRole::Reference => easel_canvas::AttachmentRole::Reference,
            AttachmentRole::Asset => easel_canvas::AttachmentRole::Asset,
            AttachmentRole::Source => easel_canvas::AttachmentRole::Source,
        },
        name: attachment.name,
        mime: attachment.mime_type,
        bytes: attachment.bytes,
    });
    Brief {
        attachments: attachments.collect(),
        format: read_format(&order.format),
        prompt: order.prompt,
        page_count: order.page_count,
        name: order.name,
        brand: order.brand,
        seed: order.seed,
    }
}

fn read_format(format: &Format) -> easel_canvas::Format {
    use easel_canvas::Category as Drawn;
    easel_canvas::Format {
        category: match format.category {
            Some(Category::Slides) | None => Drawn::Slides,
            Some(Category::Social) => Drawn::Social,
            Some(Category::Carousel) => Drawn::Carousel,
            Some(Category::Pdf) => Drawn::Pdf,
            Some(Category::Diagram) => Drawn::Diagram,
            Some(Category::Ui) => Drawn::Ui,
            Some(Category::Other) => Drawn::Other,
        },
        width: format.width,
        height: format.height,
        label: format.label.clone(),
    }
}

fn write_category(category: easel_canvas::Category) -> Category {
    use easel_canvas::Category as Drawn;
    match category {
        Drawn::Slides => Category::Slides,
        Drawn::Social => Category::Social,
        Drawn::Carousel => Category::Carousel,
        Drawn::Pdf => Category::Pdf,
        Drawn::Diagram => Category::Diagram,
        Drawn::Ui => Category::Ui,
        Drawn::Other => Category::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variation_is_named_by_its_source_and_by_what_is_different() {
        let check = |source: &str, was: &str, expected: &str| {
            let variation = Variation { called: "Dark".to_owned(), was_called: was.to_owned() };
            assert_eq!(variation.name(source), expected, "{source}");
        };
        check("Bread", "", "Bread – Dark");
        check("Bread – Large type", "Large type", "Bread – Dark");
        // Someone renamed it since.
        check("Rye – new", "Large type", "Rye – new – Dark");
        let long = "ä".repeat(300);
        let variation = Variation { called: "Dark".to_owned(), was_called: String::new() };
        assert_eq!(variation.name(&long).chars().count(), MAX_CHARS);
    }
}
