//! A design as it is kept: pages of nodes, the theme that colours them, the pictures they use, and what it was made from.
//!
//! A document draws the same wherever it is opened, and goes through JSON without loss. Nodes name colours by role, so
//! that a theme can change under them. Deliberately not here: how the nodes come about (`compose`) and how they look
//! (`render`).

use serde::{Deserialize, Serialize};

use crate::chart::{ChartData, TableData};
use crate::error::Error;
use crate::geometry::Frame;
use crate::origin::Origin;
use crate::run::Run;
use crate::theme::{Background, Paint, Theme};

/// The version of the JSON form. A later one is refused, an earlier one is read.
pub const SCHEMA_VERSION: u32 = 1;

/// What kind of thing a design is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// A deck to be shown.
    Slides,
    /// One picture for a feed, a poster.
    Social,
    /// Several pictures to be swiped.
    Carousel,
    /// A document to be read and printed.
    Pdf,
    /// Boxes and arrows.
    Diagram,
    /// A screen of an app.
    Ui,
    /// Anything else.
    Other,
}

/// A whole design.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// See [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// What it is called.
    pub name: String,
    /// What kind of thing it is.
    pub category: Category,
    /// The language of its words, as a two-letter code.
    pub language: String,
    /// Colours, fonts, corners.
    pub theme: Theme,
    /// At least one.
    pub pages: Vec<Page>,
    /// The pictures that its nodes name.
    pub assets: Vec<Asset>,
    /// What it was made from, so that it can be made anew.
    pub origin: Origin,
}

/// One page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// What the page is about.
    pub name: String,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// What it stands on.
    pub ground: Background,
    /// From the back to the front.
    pub nodes: Vec<Node>,
    /// What the speaker says and nobody sees.
    pub notes: String,
    /// Which layout it was made by.
    pub layout: String,
}

/// A picture, kept once however often it is used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Asset {
    /// The name by which nodes know it.
    pub id: String,
    /// `image/png`, `image/jpeg` or `image/svg+xml`; everything else was turned into one of them.
    pub mime: String,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// What it shows, for those who do not see it.
    pub alt: String,
    /// The file.
    #[serde(with = "base64_bytes")]
    pub bytes: Vec<u8>,
}

/// Something on a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Node {
    /// Words.
    Text(TextBox),
    /// A rectangle.
    Rectangle(Shape),
    /// An ellipse that fills its frame.
    Ellipse(Shape),
    /// A straight line.
    Line(Line),
    /// A free form.
    Path(PathShape),
    /// A picture.
    Image(Image),
    /// Nodes that belong together.
    Group(Group),
    /// A chart of numbers.
    Chart(Chart),
    /// A table.
    Table(Table),
}

/// How the inside of a shape is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fill {
    /// One colour.
    Solid(Paint),
    /// One colour that lets `opacity` (0 to 1) of itself be seen.
    Veil {
        /// The colour.
        paint: Paint,
        /// 0 to 1.
        opacity: f32,
    },
}

/// How an outline is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Stroke {
    /// Its colour.
    pub paint: Paint,
    /// In pixels.
    pub width: f32,
}

/// A rectangle or an ellipse.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    /// Where it is.
    pub frame: Frame,
    /// Its inside, if it has one.
    pub fill: Option<Fill>,
    /// Its outline, if it has one.
    pub stroke: Option<Stroke>,
    /// Radius of the corners of a rectangle, in pixels.
    pub radius: f32,
}

/// A straight line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Where it begins: x and y.
    pub from: (f32, f32),
    /// Where it ends: x and y.
    pub to: (f32, f32),
    /// How it is drawn.
    pub stroke: Stroke,
    /// Whether it ends in an arrow's head.
    pub arrow: bool,
}

/// A free form of straight and curved pieces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PathShape {
    /// The box around it.
    pub frame: Frame,
    /// Its pieces, in the page's pixels.
    pub pieces: Vec<Piece>,
    /// Its inside, if it has one.
    pub fill: Option<Fill>,
    /// Its outline, if it has one.
    pub stroke: Option<Stroke>,
}

/// One piece of a path.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// Lift the pen and begin here.
    Move(f32, f32),
    /// Straight to here.
    Line(f32, f32),
    /// A cubic curve: two handles and the end.
    Curve(f32, f32, f32, f32, f32, f32),
    /// Back to the beginning.
    Close,
}

/// A picture on the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Image {
    /// Where it is.
    pub frame: Frame,
    /// Which of the document's assets.
    pub asset: String,
    /// Whether it fills its frame, cut at the sides, or is seen whole in the middle of it.
    pub fit: Fit,
    /// Radius of its corners, in pixels.
    pub radius: f32,
}

/// How a picture meets its frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fit {
    /// Fills the frame; what does not fit is cut off.
    Cover,
    /// Is seen whole.
    Contain,
}

/// Nodes that belong together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// What they are together.
    pub name: String,
    /// From the back to the front.
    pub nodes: Vec<Node>,
}

/// A chart and where it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// Where it is.
    pub frame: Frame,
    /// Its numbers.
    pub data: ChartData,
    /// Size of its labels, in pixels.
    pub label_size: f32,
}

/// A table and where it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Where it is.
    pub frame: Frame,
    /// Its cells.
    pub data: TableData,
    /// Size of its text, in pixels.
    pub text_size: f32,
    /// Width of each column, in pixels; together the frame's width.
    pub column_widths: Vec<f32>,
    /// Height of each row, the head first, in pixels; together at most the frame's height.
    pub row_heights: Vec<f32>,
}

/// Which of the theme's fonts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FontRole {
    /// Titles and large numbers.
    Heading,
    /// Reading text.
    Body,
    /// Kickers, page numbers, labels.
    Label,
}

/// What words are on their page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextRole {
    /// The page's title.
    Title,
    /// What stands under the title.
    Subtitle,
    /// A smaller heading.
    Heading,
    /// Reading text.
    Body,
    /// A large number.
    Number,
    /// What someone said.
    Quote,
    /// Small words that name something.
    Label,
    /// Page number, name of the design.
    Footer,
    /// What asks for content where none was given.
    Placeholder,
}

/// Where lines stand in their box, in reading direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Align {
    /// At the side where reading begins.
    Start,
    /// In the middle.
    Center,
    /// At the side where reading ends.
    End,
}

/// Where the text stands in its box from top to bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Anchor {
    /// At the top.
    Top,
    /// In the middle.
    Middle,
    /// At the bottom.
    Bottom,
}

/// Words in a box.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextBox {
    /// Where it is.
    pub frame: Frame,
    /// What the words are.
    pub role: TextRole,
    /// The words.
    pub paragraphs: Vec<Paragraph>,
    /// How they are set.
    pub style: TextStyle,
    /// The size that the layout gave them, in pixels, where other words took their place and are set smaller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_size: Option<f32>,
}

/// How words are set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextStyle {
    /// Which of the theme's fonts.
    pub font: FontRole,
    /// 100 to 900; the theme's own where absent.
    pub weight: Option<u16>,
    /// Whether slanted.
    pub italic: bool,
    /// In pixels.
    pub size: f32,
    /// Of the size.
    pub line_height: f32,
    /// Space between letters, in em.
    pub tracking: f32,
    /// Whether in capitals.
    pub capitals: bool,
    /// Its colour.
    pub paint: Paint,
    /// From side to side.
    pub align: Align,
    /// From top to bottom.
    pub anchor: Anchor,
    /// Whether lines are made of like length, as suits headings.
    pub balanced: bool,
    /// Whether it reads from right to left.
    pub right_to_left: bool,
    /// Space between paragraphs, of the size.
    pub paragraph_gap: f32,
}

/// A paragraph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Paragraph {
    /// Its words, piece by piece.
    pub runs: Vec<Run>,
    /// What stands before it.
    pub bullet: Option<Bullet>,
}

/// What stands before a paragraph of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bullet {
    /// A dot.
    Dot,
    /// Its number, from 1.
    Number(u32),
}

impl Paragraph {
    /// A paragraph of plain words.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { runs: vec![Run::plain(text)], bullet: None }
    }

    /// Its words without anything else.
    pub fn text(&self) -> String {
        self.runs.iter().map(|run| run.text.as_str()).collect()
    }
}

impl TextBox {
    /// Its words, a line for each paragraph.
    pub fn text(&self) -> String {
        self.paragraphs.iter().map(Paragraph::text).collect::<Vec<_>>().join("\n")
    }
}

impl Node {
    /// The box around it.
    pub fn frame(&self) -> Frame {
        match self {
            Self::Text(text) => text.frame,
            Self::Rectangle(shape) | Self::Ellipse(shape) => shape.frame,
            Self::Line(line) => Frame::new(
                line.from.0.min(line.to.0),
                line.from.1.min(line.to.1),
                (line.from.0 - line.to.0).abs(),
                (line.from.1 - line.to.1).abs(),
            ),
            Self::Path(path) => path.frame,
            Self::Image(image) => image.frame,
            Self::Group(group) => surround(group.nodes.iter().map(Self::frame)),
            Self::Chart(chart) => chart.frame,
            Self::Table(table) => table.frame,
        }
    }

    /// How many nodes this is, those inside of it counted.
    pub fn count(&self) -> usize {
        match self {
            Self::Group(group) => 1 + group.nodes.iter().map(Self::count).sum::<usize>(),
            _ => 1,
        }
    }
}

fn surround(frames: impl Iterator<Item = Frame>) -> Frame {
    frames
        .reduce(|one, two| {
            let (x, y) = (one.x.min(two.x), one.y.min(two.y));
            Frame::new(x, y, one.right().max(two.right()) - x, one.bottom().max(two.bottom()) - y)
        })
        .unwrap_or(Frame::new(0.0, 0.0, 0.0, 0.0))
}

impl Page {
    /// The whole page as a frame.
    pub fn frame(&self) -> Frame {
        Frame::new(0.0, 0.0, self.width as f32, self.height as f32)
    }

    /// How many nodes are on it, those inside of groups counted.
    pub fn node_count(&self) -> usize {
        self.nodes.iter().map(Node::count).sum()
    }
}

impl Document {
    /// How many pages it has.
    pub fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// How many nodes all its pages have.
    pub fn node_count(&self) -> usize {
        self.pages.iter().map(Page::node_count).sum()
    }

    /// The asset of a name.
    pub fn asset(&self, id: &str) -> Option<&Asset> {
        self.assets.iter().find(|asset| asset.id == id)
    }

    /// The document as JSON.
    ///
    /// # Errors
    /// [`Error::DocumentUnreadable`] where a number is none; no layout makes such a document.
    pub fn to_json(&self) -> Result<Vec<u8>, Error> {
        serde_json::to_vec(self).map_err(|error| Error::DocumentUnreadable { reason: error.to_string() })
    }

    /// Reads what [`Self::to_json`] wrote.
    ///
    /// # Errors
    /// [`Error::DocumentUnreadable`] where it is not a document, has no page, or is of a later version.
    pub fn from_json(json: &[u8]) -> Result<Self, Error> {
        let document: Self =
            serde_json::from_slice(json).map_err(|error| Error::DocumentUnreadable { reason: error.to_string() })?;
        if document.schema_version > SCHEMA_VERSION {
            let reason = format!("it was made by a later version of Easel (format {})", document.schema_version);
            return Err(Error::DocumentUnreadable { reason });
        }
        if document.pages.is_empty() {
            return Err(Error::DocumentUnreadable { reason: "it has no page".to_owned() });
        }
        Ok(document)
    }
}

pub(crate) mod base64_bytes {
    use data_encoding::BASE64;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&BASE64.encode(bytes))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        BASE64.decode(text.as_bytes()).map_err(serde::de::Error::custom)
    }
}
