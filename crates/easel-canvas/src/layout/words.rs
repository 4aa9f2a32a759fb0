//! Words before they have a place: what they are, how large they would like to be, how small they may become.

use std::borrow::Cow;

use super::setting::{Scale, Setting};
use crate::content::Point;
use crate::document::{Align, Anchor, Bullet, FontRole, Paragraph, TextBox, TextRole, TextStyle};
use crate::geometry::Frame;
use crate::run::Run;
use crate::text::quotes;
use crate::theme::{Paint, Role};

/// Words and how they want to be set.
#[derive(Debug, Clone)]
pub struct Words {
    paragraphs: Vec<Paragraph>,
    role: TextRole,
    font: FontRole,
    level: Level,
    /// Of the size of the level.
    pub factor: f32,
    /// How small they may become, of their size.
    pub least: f32,
    /// How many lines are too many, if a smaller size makes fewer of them.
    pub most_lines: Option<usize>,
    /// Whether the sheet's zoom does not touch them.
    pub keeps_size: bool,
    line_height: f32,
    paint: Paint,
    align: Align,
    anchor: Anchor,
    weight: Option<u16>,
    italic: bool,
    balanced: bool,
    is_label: bool,
    paragraph_gap: f32,
}

#[derive(Debug, Clone, Copy)]
enum Level {
    Display,
    Title,
    Heading,
    Body,
    Small,
    Label,
}

impl Words {
    fn new(paragraphs: Vec<Paragraph>, role: TextRole, font: FontRole, level: Level) -> Self {
        Self {
            paragraphs,
            role,
            font,
            level,
            factor: 1.0,
            least: 1.0,
            most_lines: None,
            keeps_size: false,
            line_height: 1.45,
            paint: Role::Ink.into(),
            align: Align::Start,
            anchor: Anchor::Top,
            weight: None,
            italic: false,
            balanced: false,
            is_label: false,
            paragraph_gap: 0.55,
        }
    }

    fn headline(text: &str, role: TextRole, level: Level, line_height: f32) -> Self {
        let mut words = Self::new(lines(text), role, FontRole::Heading, level);
        words.line_height = line_height;
        words.balanced = true;
        words.keeps_size = true;
        words.paragraph_gap = 0.0;
        words
    }

    /// The title of a cover.
    pub fn display(text: &str) -> Self {
        let mut words = Self::headline(text, TextRole::Title, Level::Display, 1.04);
        // Few letters are set large, many small; what does not fit gives way further.
        words.factor = match text.chars().count() {
            0..=10 => 1.9,
            11..=18 => 1.65,
            19..=30 => 1.4,
            31..=48 => 1.15,
            _ => 1.0,
        };
        words.least = 0.2;
        words.most_lines = Some(4);
        words
    }

    /// The title of a page.
    pub fn title(text: &str) -> Self {
        let mut words = Self::headline(text, TextRole::Title, Level::Title, 1.1);
        words.least = 0.5;
        words.most_lines = Some(3);
        words
    }

    /// The heading of a part of a page.
    pub fn heading(text: &str) -> Self {
        let mut words = Self::headline(text, TextRole::Heading, Level::Heading, 1.18);
        words.keeps_size = false;
        words.least = 0.72;
        words
    }

    /// A large number.
    pub fn number(text: &str) -> Self {
        let mut words = Self::headline(text, TextRole::Number, Level::Display, 1.0);
        words.least = 0.3;
        words.most_lines = Some(1);
        words.balanced = false;
        words
    }

    /// What someone said.
    pub fn quote(text: &str) -> Self {
        let mut words = Self::headline(text, TextRole::Quote, Level::Title, 1.24);
        words.least = 0.42;
        words
    }

    /// Under a title.
    pub fn subtitle(text: &str) -> Self {
        let mut words = Self::new(lines(text), TextRole::Subtitle, FontRole::Body, Level::Heading);
        words.line_height = 1.35;
        words.keeps_size = true;
        words.least = 0.6;
        words.paint = Role::Muted.into();
        words
    }

    /// Reading text.
    pub fn body(text: &str) -> Self {
        Self::new(lines(text), TextRole::Body, FontRole::Body, Level::Body)
    }

    /// Reading text of several pieces.
    pub fn runs(runs: &[Run]) -> Self {
        let paragraphs = vec![Paragraph { runs: runs.to_vec(), bullet: None }];
        Self::new(paragraphs, TextRole::Body, FontRole::Body, Level::Body)
    }

    /// Reading text of several paragraphs.
    pub fn paragraphs(paragraphs: &[Vec<Run>]) -> Self {
        let paragraphs = paragraphs.iter().map(|runs| Paragraph { runs: runs.clone(), bullet: None }).collect();
        Self::new(paragraphs, TextRole::Body, FontRole::Body, Level::Body)
    }

    /// A list.
    pub fn list(points: &[Point], ordered: bool, first: usize) -> Self {
        let paragraphs = points
            .iter()
            .enumerate()
            .map(|(at, point)| {
                let bullet = if ordered { Bullet::Number((first + at) as u32) } else { Bullet::Dot };
                let mut runs = Vec::new();
                if !point.head.is_empty() {
                    // Behind a question no colon stands.
                    let end = match point.head.trim_end().chars().next_back() {
                        _ if point.body.is_empty() => "",
                        Some('?' | '!' | ':') => " ",
                        _ => ": ",
                    };
                    let strong = !point.body.is_empty();
                    runs.push(Run { strong, ..Run::plain(format!("{}{end}", point.head)) });
                }
                runs.extend(point.body.iter().cloned());
                Paragraph { runs, bullet: Some(bullet) }
            })
            .collect();
        Self::new(paragraphs, TextRole::Body, FontRole::Body, Level::Body)
    }

    /// Small words that name something.
    pub fn label(text: &str) -> Self {
        let mut words = Self::new(lines(text), TextRole::Label, FontRole::Label, Level::Label);
        words.line_height = 1.3;
        words.keeps_size = true;
        words.least = 0.8;
        words.is_label = true;
        words.paint = Role::AccentText.into();
        words
    }

    /// Whether there is nothing to be set.
    pub fn is_empty(&self) -> bool {
        self.paragraphs.iter().all(|paragraph| paragraph.runs.iter().all(|run| run.text.trim().is_empty()))
    }

    /// In this colour.
    pub fn paint(mut self, paint: impl Into<Paint>) -> Self {
        self.paint = paint.into();
        self
    }

    /// At this part of their size.
    pub fn sized(mut self, factor: f32) -> Self {
        self.factor *= factor;
        self
    }

    /// As small as this part of their size.
    pub fn at_least(mut self, least: f32) -> Self {
        self.least = least;
        self
    }

    /// On no more than so many lines, if smaller letters can do it.
    pub fn most_lines(mut self, lines: usize) -> Self {
        self.most_lines = Some(lines);
        self
    }

    /// In the middle of their frame from side to side.
    pub fn centered(mut self) -> Self {
        self.align = Align::Center;
        self
    }

    /// At the end of the line.
    pub fn at_end(mut self) -> Self {
        self.align = Align::End;
        self
    }

    /// From top to bottom.
    pub fn anchored(mut self, anchor: Anchor) -> Self {
        self.anchor = anchor;
        self
    }

    /// In another weight.
    pub fn weight(mut self, weight: u16) -> Self {
        self.weight = Some(weight);
        self
    }

    /// As the second rank of reading text.
    pub fn small(mut self) -> Self {
        self.level = Level::Small;
        self
    }

    /// By how much a sheet's zoom makes them larger or smaller: headings never grow to a title's size.
    pub fn zoomed(&self, zoom: f32) -> f32 {
        match self.level {
            _ if self.keeps_size => 1.0,
            Level::Heading => zoom.min(1.42),
            _ => zoom,
        }
    }

    /// Untouched by the sheet's zoom.
    pub fn fixed(mut self) -> Self {
        self.keeps_size = true;
        self
    }

    /// In another of the theme's fonts.
    pub fn font(mut self, font: FontRole) -> Self {
        self.font = font;
        self
    }

    /// As another part of the page.
    pub fn role(mut self, role: TextRole) -> Self {
        self.role = role;
        self
    }

    /// With more or less room between paragraphs, of the size.
    pub fn paragraph_gap(mut self, gap: f32) -> Self {
        self.paragraph_gap = gap;
        self
    }

    /// The size that they would like to have, in pixels.
    pub fn size_px(&self, scale: &Scale) -> f32 {
        let size = match self.level {
            Level::Display => scale.display,
            Level::Title => scale.title,
            Level::Heading => scale.heading,
            Level::Body => scale.body,
            Level::Small => scale.small,
            Level::Label => scale.label,
        };
        size * self.factor
    }

    /// The box that they become.
    pub fn text_box(&self, frame: Frame, size: f32, setting: &Setting<'_>) -> TextBox {
        let (theme, right_to_left) = (setting.theme, setting.right_to_left);
        let is_heading = self.font == FontRole::Heading;
        let capitals = self.is_label && theme.fonts.label_capitals;
        let tracking = if is_heading {
            theme.fonts.heading_tracking
        } else if capitals {
            0.08
        } else {
            0.0
        };
        TextBox {
            frame,
            role: self.role,
            paragraphs: self.paragraphs.iter().map(|paragraph| dress(paragraph, setting.language)).collect(),
            style: TextStyle {
                font: self.font,
                weight: self.weight,
                italic: self.italic,
                size: if capitals { size * 0.92 } else { size },
                line_height: self.line_height,
                tracking,
                capitals,
                paint: self.paint,
                align: self.align,
                anchor: self.anchor,
                balanced: self.balanced,
                right_to_left,
                paragraph_gap: self.paragraph_gap,
            },
            first_size: None,
        }
    }
}

/// A paragraph with the quotation marks of its language.
fn dress(paragraph: &Paragraph, language: &str) -> Paragraph {
    let mut paragraph = paragraph.clone();
    for run in &mut paragraph.runs {
        if let Cow::Owned(dressed) = quotes::dress(&run.text, language) {
            run.text = dressed;
        }
    }
    paragraph
}

fn lines(text: &str) -> Vec<Paragraph> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(Paragraph::plain).collect()
}
