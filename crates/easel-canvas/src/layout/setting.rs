//! What all pages of a document share while they are laid out: their size and shape, the sizes of type, colours, pictures.

use crate::document::{Anchor, Asset, Category};
use crate::origin::{Arrangement, HeadPlace};
use crate::theme::Theme;

/// Whether a page is broad, about square, or high.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PageShape {
    /// Broader than 5:4.
    Wide,
    /// In between.
    Square,
    /// Higher than 5:4.
    Tall,
}

/// Sizes of type in pixels, before they are made smaller or larger to fit.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    /// The title of a cover.
    pub display: f32,
    /// The title of a page.
    pub title: f32,
    /// The heading of a part of a page.
    pub heading: f32,
    /// Reading text.
    pub body: f32,
    /// Reading text of second rank.
    pub small: f32,
    /// Labels.
    pub label: f32,
}

/// What every page of a document shares.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// Colours and fonts.
    pub theme: &'a Theme,
    /// What kind of thing it is.
    pub category: Category,
    /// In pixels.
    pub width: f32,
    /// In pixels.
    pub height: f32,
    /// The language of its words, as a two-letter code.
    pub language: &'a str,
    /// Whether it reads from right to left.
    pub right_to_left: bool,
    /// The pictures.
    pub assets: &'a [Asset],
    /// The asset that is the brand's logo.
    pub logo: Option<&'a str>,
    /// How the pages are arranged.
    pub arrangement: &'a Arrangement,
    /// How titles stand on this document's pages, 0 to 2.
    pub header_style: usize,
    /// What stands at the foot of a slide.
    pub foot: &'a str,
}

impl Setting<'_> {
    /// Whether a page is broad, square or high.
    pub fn shape(&self) -> PageShape {
        let ratio = self.width / self.height;
        if ratio > 1.25 {
            PageShape::Wide
        } else if ratio < 0.8 {
            PageShape::Tall
        } else {
            PageShape::Square
        }
    }

    /// Whether a page is so much broader than high that a cover has to be laid out along it.
    pub fn is_strip(&self) -> bool {
        self.width > self.height * 2.2
    }

    /// A hundredth of the shorter side; of very long pages a little more.
    pub fn unit(&self) -> f32 {
        let (shorter, longer) = (self.width.min(self.height), self.width.max(self.height));
        (shorter * 0.92 + longer.min(shorter * 3.0) * 0.05).min(shorter * 1.06) / 100.0
    }

    /// Where words stand in a place of their own: a variation moves them up or down.
    pub fn anchor(&self, usual: Anchor) -> Anchor {
        match self.arrangement.head {
            _ if self.arrangement.step == 0 => usual,
            HeadPlace::Side => Anchor::Top,
            HeadPlace::Foot => Anchor::Bottom,
            HeadPlace::Top | HeadPlace::FarSide => usual,
        }
    }

    /// What stays empty at every side, in hundredths of the shorter side.
    pub fn margin_units(&self) -> f32 {
        match self.category {
            Category::Slides | Category::Diagram | Category::Other => 7.0,
            Category::Social | Category::Carousel => 7.5,
            Category::Pdf => 9.0,
            Category::Ui => 3.2,
        }
    }

    /// Sizes of type.
    pub fn scale(&self) -> Scale {
        let [display, title, heading, body, small, label] = match self.category {
            Category::Slides | Category::Diagram | Category::Other => [10.4, 6.4, 3.7, 3.0, 2.6, 2.3],
            Category::Social | Category::Carousel => [11.4, 7.6, 4.5, 3.7, 3.0, 2.6],
            Category::Pdf => [9.0, 4.8, 2.5, 1.9, 1.6, 1.5],
            Category::Ui => [4.2, 2.7, 1.85, 1.5, 1.35, 1.25],
        }
        .map(|units| units * self.unit());
        let larger = if self.arrangement.is_large { 1.24 } else { 1.0 };
        let (display, title) = (display * larger, title * larger);
        Scale { display, title, heading, body, small, label }
    }
}
