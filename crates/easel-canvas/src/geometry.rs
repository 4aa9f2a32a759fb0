//! Places on a page, in pixels of 1/96 inch from the upper left corner.
//!
//! Deliberately not here: rotation. Nothing that the layouts draw is turned, so that "does it overlap" has a plain answer.

use serde::{Deserialize, Serialize};

/// A rectangle on a page.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Left edge, in pixels.
    pub x: f32,
    /// Upper edge, in pixels.
    pub y: f32,
    /// In pixels.
    pub width: f32,
    /// In pixels.
    pub height: f32,
}

impl Frame {
    /// A frame from its upper left corner and its size.
    pub const fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self { x, y, width, height }
    }

    /// The right edge.
    pub fn right(&self) -> f32 {
        self.x + self.width
    }

    /// The lower edge.
    pub fn bottom(&self) -> f32 {
        self.y + self.height
    }

    /// The frame, smaller by `by` on all four sides; never smaller than nothing.
    pub fn inset(&self, by: f32) -> Self {
        self.inset_by(by, by)
    }

    /// The frame, smaller by `x` at the left and right and by `y` at the top and bottom.
    pub fn inset_by(&self, x: f32, y: f32) -> Self {
        Self::new(self.x + x, self.y + y, (self.width - 2.0 * x).max(0.0), (self.height - 2.0 * y).max(0.0))
    }

    /// Whether `other` lies within this frame, give or take `tolerance` pixels.
    pub fn contains(&self, other: &Self, tolerance: f32) -> bool {
        other.x >= self.x - tolerance
            && other.y >= self.y - tolerance
            && other.right() <= self.right() + tolerance
            && other.bottom() <= self.bottom() + tolerance
    }

    /// Whether the two share more than a strip of `tolerance` pixels.
    pub fn overlaps(&self, other: &Self, tolerance: f32) -> bool {
        self.x + tolerance < other.right()
            && other.x + tolerance < self.right()
            && self.y + tolerance < other.bottom()
            && other.y + tolerance < self.bottom()
    }

    /// The upper `height` pixels, and what is left below them.
    pub fn split_top(&self, height: f32) -> (Self, Self) {
        let height = height.clamp(0.0, self.height);
        (
            Self::new(self.x, self.y, self.width, height),
            Self::new(self.x, self.y + height, self.width, self.height - height),
        )
    }

    /// The left `width` pixels, and what is left beside them.
    pub fn split_left(&self, width: f32) -> (Self, Self) {
        let width = width.clamp(0.0, self.width);
        (
            Self::new(self.x, self.y, width, self.height),
            Self::new(self.x + width, self.y, self.width - width, self.height),
        )
    }

    /// `count` columns of the same width with `gap` pixels between them.
    pub fn columns(&self, count: usize, gap: f32) -> Vec<Self> {
        let count = count.max(1);
        let width = ((self.width - gap * (count - 1) as f32) / count as f32).max(1.0);
        (0..count).map(|at| Self::new(self.x + at as f32 * (width + gap), self.y, width, self.height)).collect()
    }

    /// `count` rows of the same height with `gap` pixels between them.
    pub fn rows(&self, count: usize, gap: f32) -> Vec<Self> {
        let count = count.max(1);
        let height = ((self.height - gap * (count - 1) as f32) / count as f32).max(1.0);
        (0..count).map(|at| Self::new(self.x, self.y + at as f32 * (height + gap), self.width, height)).collect()
    }

    /// The same frame seen in a mirror standing upright in the middle of a page of `page_width` (right to left).
    pub fn mirrored(&self, page_width: f32) -> Self {
        Self::new(page_width - self.right(), self.y, self.width, self.height)
    }
}
