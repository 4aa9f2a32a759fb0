//! The one place that draws: from an order to a document with its thumbnail.
//!
//! Always true: pure and deterministic, so the same order gives the same bytes, on any try; no I/O. It takes the processor
//! for seconds, so it runs off the threads that serve requests. Not here: where orders come from and drawings go.

use easel_canvas::{Brand, Brief, Composed, Document};
use easel_wire::tasks::{AttachmentRole, Category, Format};

use crate::db::canvases::PageRow;
use crate::db::tasks::ProgressRow;

/// The longer side of a thumbnail.
const THUMBNAIL_PX: u32 = 640;

/// A file to work from.
#[derive(Clone)]
pub struct Attachment {
    /// What it is for.
    pub role: AttachmentRole,
    /// Its file name.
    pub name: String,
    /// What it says it is.
    pub mime_type: String,
    /// All of it.
    pub bytes: Vec<u8>,
}

/// What to draw.
#[derive(Clone)]
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
    /// The document to change, as JSON; a new one is composed where absent.
    pub base: Option<Vec<u8>>,
}

/// What was drawn.
#[derive(Clone, PartialEq, Eq)]
pub struct Drawing {
    /// The document as JSON.
    pub document: Vec<u8>,
    /// A small PNG of the first page.
    pub thumbnail: Option<Vec<u8>>,
    /// What it may be called.
    pub name: String,
    /// What kind of design it is.
    pub category: String,
    /// Its pages; at least one.
    pub pages: Vec<PageRow>,
    /// What was done, in words for the person who asked.
    pub message: String,
}

/// Why an order can never be drawn, in words for the person who gave it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Undrawable(pub String);

impl From<easel_canvas::Error> for Undrawable {
    fn from(error: easel_canvas::Error) -> Self {
        Self(error.to_string())
    }
}

/// Refuses a size that cannot be drawn.
///
/// # Errors
/// [`Undrawable`].
pub fn check_size(format: &Format) -> Result<(), Undrawable> {
    read_format(format).size()?;
    Ok(())
}

/// Draws an order. `progress` hears of each step; where it panics, the drawing ends there.
///
/// # Errors
/// [`Undrawable`], for good: another try would come to the same.
pub fn draw(order: Order, progress: &mut dyn FnMut(ProgressRow)) -> Result<Drawing, Undrawable> {
    let mut report = |made: easel_canvas::Progress| {
        let step = match made.step {
            easel_canvas::Step::Reading => "reading",
            easel_canvas::Step::Planning => "planning",
            easel_canvas::Step::LayingOut => "laying_out",
            easel_canvas::Step::Drawing => "drawing",
        };
        progress(ProgressRow { percent: made.percent, step: Some(step.to_owned()), message: Some(made.message) });
    };
    let ignored = order.base.is_some() && !order.attachments.is_empty();
    let Composed { document, name, mut message, warnings } = match &order.base {
        Some(base) => {
            let base = Document::from_json(base)?;
            easel_canvas::edit(&base, &order.prompt, order.brand.as_ref(), order.seed, &mut report)?
        }
        None => easel_canvas::compose(&into_brief(order), &mut report)?,
    };
    if ignored {
        message.push_str(" Attached files are not used to change a design that is there already.");
    }
    for warning in warnings {
        message.push(' ');
        message.push_str(&warning.message);
    }
    let pages = document.pages.iter().map(|page| PageRow {
        name: page.name.clone(),
        width: page.width,
        height: page.height,
        node_count: u32::try_from(page.node_count()).unwrap_or(u32::MAX),
    });
    Ok(Drawing {
        pages: pages.collect(),
        thumbnail: Some(easel_canvas::thumbnail(&document, THUMBNAIL_PX)?),
        category: write_category(document.category).as_str().to_owned(),
        document: document.to_json()?,
        name,
        message,
    })
}

fn into_brief(order: Order) -> Brief {
    let attachments = order.attachments.into_iter().map(|attachment| easel_canvas::Attachment {
        role: match attachment.role {
            AttachmentRole::Reference => easel_canvas::AttachmentRole::Reference,
            AttachmentRole::Asset => easel_canvas::AttachmentRole::Asset,
            _ => easel_canvas::AttachmentRole::Source,
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
            Some(_) => Drawn::Other,
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
        Drawn::Other => Category::Free,
    }
}
