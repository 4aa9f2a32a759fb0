//! From a brief to a document: read what was given, plan what stands on which page, lay the pages out.
//!
//! Everything here is pure: the same brief gives the same document. A caller that wants to stop says so in its answer to
//! a step of progress, or simply drops the result.

use crate::brand::Brand;
use crate::brief::Brief;
use crate::content::{Matter, Outline, Passage};
use crate::document::{
    Align, Anchor, Document, FontRole, Node, Page, Paragraph, Run, SCHEMA_VERSION, TextBox, TextRole, TextStyle,
};
use crate::error::Error;
use crate::geometry::Frame;
use crate::origin::{Look, Origin};
use crate::render::Warning;
use crate::text;
use crate::theme::{Ground, Role, Theme, find_pairing, find_recipe, recipes};

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

/// Makes a document from a brief.
///
/// # Errors
/// [`Error::PageSize`] for a size that cannot be drawn, [`Error::AttachmentUnreadable`] for a file that is broken.
pub fn compose(brief: &Brief, progress: &mut dyn FnMut(Progress)) -> Result<Composed, Error> {
    let (width, height) = brief.format.size()?;
    progress(Progress { percent: 5, step: Step::Reading, message: "Reading the brief".to_owned() });
    let mut words: Vec<Run> = Vec::new();
    for attachment in &brief.attachments {
        words.push(Run::plain(String::from_utf8_lossy(&attachment.bytes).chars().take(4000).collect::<String>()));
    }
    let title = brief.name.clone().unwrap_or_else(|| brief.prompt.chars().take(80).collect());
    progress(Progress { percent: 25, step: Step::Planning, message: "Planning the pages".to_owned() });
    let mut passages = vec![Passage::new(
        &title,
        Matter::Cover { subtitle: brief.prompt.chars().take(400).collect(), details: Vec::new(), picture: None },
    )];
    for number in 2..=brief.page_count.unwrap_or(1) {
        let paragraphs = if words.is_empty() { Vec::new() } else { vec![words.clone()] };
        passages.push(Passage::new(format!("{title} · {number}"), Matter::Prose { paragraphs, picture: None }));
    }
    let outline = Outline { title: title.clone(), language: "en".to_owned(), passages };
    let look = Look {
        seed: brief.seed,
        recipe: recipes()[brief.seed as usize % recipes().len()].name.to_owned(),
        pairing: "Plain".to_owned(),
        inverted: false,
        colors: Vec::new(),
        brand: brief.brand.clone(),
        width,
        height,
    };
    let origin = Origin { prompts: vec![brief.prompt.clone()], outline, look };
    build(origin, brief.format.category, progress)
}

/// Makes a document anew as a prompt asks.
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
    let mut origin = document.origin.clone();
    origin.prompts.push(prompt.to_owned());
    origin.look.seed = seed;
    if brand.is_some() {
        origin.look.brand = brand.cloned();
    }
    origin.look.recipe = recipes()[seed as usize % recipes().len()].name.to_owned();
    build(origin, document.category, progress)
}

fn build(
    origin: Origin,
    category: crate::document::Category,
    progress: &mut dyn FnMut(Progress),
) -> Result<Composed, Error> {
    let sample: String = origin.outline.passages.iter().map(|passage| passage.title.as_str()).collect();
    let fonts = find_pairing(&origin.look.pairing).unwrap_or(&crate::theme::pairings()[0]).fonts_for(&sample);
    let theme = find_recipe(&origin.look.recipe).unwrap_or(&recipes()[0]).build(fonts);
    let count = origin.outline.passages.len();
    let mut pages = Vec::new();
    for (at, passage) in origin.outline.passages.iter().enumerate() {
        progress(Progress {
            percent: (30 + 65 * at / count) as u8,
            step: Step::LayingOut,
            message: format!("Laying out page {} of {count}", at + 1),
        });
        pages.push(lay_page(passage, &origin.look, &theme, if at == 0 { Ground::Accent } else { Ground::Base }));
    }
    let name = origin.outline.title.clone();
    let document = Document {
        schema_version: SCHEMA_VERSION,
        name: name.clone(),
        category,
        language: origin.outline.language.clone(),
        theme,
        pages,
        assets: Vec::new(),
        origin,
    };
    progress(Progress { percent: 100, step: Step::Drawing, message: "Done".to_owned() });
    Ok(Composed { document, name, message: "Made anew.".to_owned(), warnings: Vec::new() })
}

fn lay_page(passage: &Passage, look: &Look, theme: &Theme, ground: Ground) -> Page {
    let unit = look.width.min(look.height) as f32 / 100.0;
    let body = Frame::new(0.0, 0.0, look.width as f32, look.height as f32).inset(unit * 8.0);
    let (top, rest) = body.split_top(body.height * 0.5);
    let words = match &passage.matter {
        Matter::Cover { subtitle, .. } => subtitle.clone(),
        Matter::Prose { paragraphs, .. } => paragraphs.iter().map(|runs| crate::content::plain(runs)).collect(),
        _ => String::new(),
    };
    let mut nodes = Vec::new();
    for (words, frame, size, font, role, anchor) in [
        (&passage.title, top, 9.0, FontRole::Heading, TextRole::Title, Anchor::Bottom),
        (&words, rest.inset_by(0.0, unit * 2.0), 3.6, FontRole::Body, TextRole::Body, Anchor::Top),
    ] {
        let mut text_box = TextBox {
            frame,
            role,
            paragraphs: words.lines().map(Paragraph::plain).collect(),
            style: TextStyle {
                font,
                weight: None,
                italic: false,
                size: size * unit,
                line_height: 1.2,
                tracking: 0.0,
                capitals: false,
                paint: Role::Ink.into(),
                align: Align::Start,
                anchor,
                balanced: false,
                right_to_left: false,
                paragraph_gap: 0.4,
            },
        };
        if let Some(size) = text::fit_size(&text_box, theme, unit * 0.8) {
            text_box.style.size = size;
        }
        nodes.push(Node::Text(text_box));
    }
    Page {
        name: passage.title.clone(),
        width: look.width,
        height: look.height,
        ground,
        nodes,
        notes: passage.notes.clone(),
        layout: "plain".to_owned(),
    }
}
