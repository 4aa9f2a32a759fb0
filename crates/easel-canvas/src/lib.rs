//! What the built-in studio draws: from a brief to a designed document, from a document to files.
//!
//! No model is called; who has one hands over the outline that it wrote ([`outline`]). A design is made by rules of layout, typography and colour, and everything that is left to chance
//! hangs on a seed: the same brief gives the same bytes. Nothing here waits, reads a clock or reaches the network; the
//! only files that are ever read are the system's fonts, for letters that no shipped font has.
//!
//! [`compose`] makes a [`Document`], [`edit`] makes another from it, [`Document::set_text`] changes words where they stand,
//! [`Document::replace_picture`] pictures and [`Document::choose_colors`] the colours, [`proof`] draws each of its pages once, [`render`] and [`thumbnail`] make files and pictures of it.

pub mod audit;
pub mod brand;
pub mod brief;
pub mod chart;
mod chart_drawing;
pub mod color;
mod compose;
pub mod content;
mod dice;
pub mod document;
pub mod error;
pub mod fonts;
pub mod geometry;
mod layout;
pub mod origin;
pub mod outline;
pub mod pictures;
mod read;
pub mod recolor;
pub mod render;
pub mod run;
pub mod text;
pub mod texts;
pub mod theme;

pub use brand::{Brand, BrandColor};
pub use brief::{Attachment, AttachmentRole, Brief, Format};
pub use compose::{
    Composed, FoundBrand, FoundLogo, Material, PageAhead, Preview, Progress, Seen, Step, Variation, compose,
    compose_written, edit, edit_written, find_brand, label_words, preview, proof, read_material, read_material_of,
};
pub use document::{Category, Document};
pub use error::Error;
pub use render::{FileFormat, RenderRequest, Rendered, Warning, render, thumbnail};
