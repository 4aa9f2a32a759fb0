//! What a design says, apart from how it looks: passages, each of which fills a page or more.
//!
//! Content is read from the brief (`read`, `intent`) or stood in for (`draft`) and laid out by `layout`. A remix changes
//! the look and keeps this. Deliberately not here: places, sizes, colours.

mod words;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::chart::{ChartData, TableData};
use crate::run::Run;
pub use words::words_of;

/// Everything a design says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, Default)]
pub struct Outline {
    /// What it is called; the title of its first page.
    pub title: String,
    /// The language of its words, as a two-letter code.
    pub language: String,
    /// In the order of the pages.
    pub passages: Vec<Passage>,
}

/// What one page says; a long one takes several.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Passage {
    /// The few words above the title.
    pub kicker: String,
    /// The title; may be empty.
    pub title: String,
    /// What it says.
    pub matter: Matter,
    /// What the speaker says and nobody sees.
    pub notes: String,
}

/// What a passage is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Matter {
    /// The first page: what it is about, and details such as a date.
    Cover {
        /// Under the title.
        subtitle: String,
        /// Date, place, author.
        details: Vec<String>,
        /// A picture, by the name of its asset.
        picture: Option<String>,
    },
    /// What is to come.
    Agenda {
        /// The names of the parts.
        items: Vec<String>,
    },
    /// The beginning of a part.
    Section {
        /// Which part, from 1.
        number: u32,
        /// A few words about it.
        lead: String,
    },
    /// One sentence that stands alone; the title is the sentence.
    Statement {
        /// Under it.
        support: String,
    },
    /// Reading text.
    Prose {
        /// The paragraphs.
        paragraphs: Vec<Vec<Run>>,
        /// A picture beside it, by the name of its asset.
        picture: Option<String>,
    },
    /// Things side by side.
    Points {
        /// Before them.
        lead: String,
        /// The things.
        points: Vec<Point>,
        /// Whether their order matters.
        ordered: bool,
    },
    /// Things one after the other.
    Steps {
        /// Before them.
        lead: String,
        /// The things.
        points: Vec<Point>,
    },
    /// Large numbers.
    Figures {
        /// Before them.
        lead: String,
        /// The numbers.
        figures: Vec<Figure>,
    },
    /// What someone said.
    Quote {
        /// The words.
        words: String,
        /// Who said them.
        by: String,
    },
    /// A table.
    Table {
        /// Before it.
        lead: String,
        /// The cells.
        table: TableData,
    },
    /// A chart.
    Chart {
        /// Before it.
        lead: String,
        /// The numbers.
        chart: ChartData,
        /// What is to be seen in it.
        insights: Vec<Figure>,
    },
    /// A picture that fills the page.
    Picture {
        /// By the name of its asset.
        picture: String,
        /// Under it.
        caption: String,
    },
    /// Two things beside one another.
    Comparison {
        /// The first.
        left: Side,
        /// The second.
        right: Side,
    },
    /// Several things beside one another, each with a price or a number and what is had for it.
    Columns {
        /// Before them.
        lead: String,
        /// From two to six.
        columns: Vec<Column>,
    },
    /// What there is and what it costs.
    Menu {
        /// Before it.
        lead: String,
        /// In groups; the only one may have no name.
        groups: Vec<MenuGroup>,
        /// Under it: hours, an address, a word about allergens.
        details: Vec<String>,
    },
    /// A page that was asked for and that nothing was given for.
    Gap {
        /// What is to be added, in the person's words and the language's label.
        ask: String,
    },
    /// Several passages on one page.
    Board {
        /// Under the title.
        subtitle: String,
        /// The passages; their titles are headings there.
        parts: Vec<Passage>,
        /// At its foot: dates, places, contacts.
        details: Vec<String>,
    },
    /// Boxes and the arrows between them.
    Flow {
        /// The boxes.
        boxes: Vec<Point>,
        /// From which box to which, with a word on the arrow.
        arrows: Vec<Arrow>,
        /// Who does what, each a band that boxes stand in; none where that is not told.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        lanes: Vec<Lane>,
    },
    /// A screen of an app.
    Screen {
        /// What is at the side.
        navigation: Vec<String>,
        /// Numbers at the top.
        figures: Vec<Figure>,
        /// The rows of its list.
        table: TableData,
        /// A chart, if it has numbers for one.
        chart: Option<ChartData>,
        /// What its button does.
        action: String,
    },
    /// The last page.
    Closing {
        /// Under the title.
        lead: String,
        /// How to go on: addresses, names.
        details: Vec<String>,
    },
}

impl Matter {
    /// The picture that it shows, by the name of its asset.
    pub(crate) const fn picture_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Cover { picture, .. } | Self::Prose { picture, .. } => picture.as_mut(),
            Self::Picture { picture, .. } => Some(picture),
            _ => None,
        }
    }
}

/// A thing in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Default)]
pub struct Point {
    /// Its name; may be empty.
    pub head: String,
    /// What is said of it; may be empty.
    pub body: Vec<Run>,
}

/// A large number and what it counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Figure {
    /// The number as it is written.
    pub value: String,
    /// What it counts.
    pub label: String,
}

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Side {
    /// Its name.
    pub head: String,
    /// What is said of it.
    pub points: Vec<String>,
}

/// One of several things that are held beside each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Column {
    /// Its name.
    pub head: String,
    /// Its price or its number; may be empty.
    pub figure: String,
    /// What is said of it.
    pub points: Vec<String>,
    /// Whether it is to stand out among the others.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_highlighted: bool,
}

/// A group of things with prices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MenuGroup {
    /// Its name; may be empty.
    pub name: String,
    /// What belongs to it.
    pub items: Vec<Priced>,
}

/// A thing and what it costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Default)]
pub struct Priced {
    /// Its name.
    pub name: String,
    /// What is in it or goes with it; may be empty.
    pub note: String,
    /// As it is written; where there are sizes, one for each ([`Priced::prices`]).
    pub price: String,
    /// The sizes that it comes in; empty where it has one price.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<String>,
}

impl Priced {
    /// Stands between the prices of a thing that comes in sizes.
    pub const BETWEEN_PRICES: &str = " / ";

    /// Its prices: one for each of its sizes, or the only one where these are not as many.
    pub fn prices(&self) -> Vec<&str> {
        let prices: Vec<&str> = self.price.split(Self::BETWEEN_PRICES).collect();
        if self.sizes.len() > 1 && prices.len() == self.sizes.len() { prices } else { vec![self.price.as_str()] }
    }
}

/// From one box of a flow to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Arrow {
    /// Where it begins, by place in the list of boxes.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// The word on it; may be empty.
    pub label: String,
}

/// A lane of a flow: somebody, and the boxes that are theirs. Every box stands in one lane where there are any.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Default)]
pub struct Lane {
    /// Whose it is.
    pub name: String,
    /// Its boxes, by place in the list of boxes.
    pub boxes: Vec<usize>,
}

impl Point {
    /// A thing with plain words about it.
    pub fn new(head: impl Into<String>, body: impl Into<String>) -> Self {
        let body = body.into();
        Self { head: head.into(), body: if body.is_empty() { Vec::new() } else { vec![Run::plain(body)] } }
    }

    /// Its words about the thing, without anything else.
    pub fn body_text(&self) -> String {
        plain(&self.body)
    }
}

/// The words of runs without anything else.
pub fn plain(runs: &[Run]) -> String {
    runs.iter().map(|run| run.text.as_str()).collect()
}

impl Passage {
    /// A passage with a title.
    pub fn new(title: impl Into<String>, matter: Matter) -> Self {
        Self { kicker: String::new(), title: title.into(), matter, notes: String::new() }
    }
}
