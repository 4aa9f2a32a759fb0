//! A piece of a line with its place.

use crate::fonts::FaceId;

/// A piece of a line that one face draws.
#[derive(Debug, Clone)]
pub struct PlacedRun {
    /// Its left edge on the page.
    pub x: f32,
    /// In pixels.
    pub width: f32,
    /// The letters, in reading order.
    pub text: String,
    /// Which face.
    pub face: FaceId,
    /// Where it leads.
    pub link: Option<String>,
    /// Whether it reads from right to left.
    pub right_to_left: bool,
    /// Whether it is the mark before a paragraph of a list.
    pub is_bullet: bool,
}
