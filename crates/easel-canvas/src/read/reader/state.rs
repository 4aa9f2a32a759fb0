//! What is known of a brief so far while it is read: the parts, details and titles that were found, and what the next words belong to.
//!
//! Always true: all that is read goes through here, so that no reader has a state of its own. Deliberately not here: what words
//! mean (`reader` and its other modules, each of which adds to [`Reader`] what it takes).

use crate::document::Category;
use crate::read::flow::{Flow, Sort};
use crate::read::instructions;
use crate::read::kinds::Kind;
use crate::read::parts::Part;
use crate::read::request::Request;

/// A brief while it is read.
pub struct Reader {
    pub(super) request: Request,
    pub(super) kind: Kind,
    pub(super) details: Vec<String>,
    pub(super) parts: Vec<Part>,
    /// Whether what follows belongs to the last part.
    pub(super) is_within: bool,
    /// Whether what follows belongs to the back of a sheet.
    pub(super) is_side: bool,
    /// Whether the last part was headed by a line of its own, and no empty line ended it.
    pub(super) is_headed: bool,
    pub(super) subtitle: String,
    pub(super) title: String,
    pub(super) instructions: Vec<String>,
    pub(super) flow: Option<Flow>,
    /// What sort of sentences a diagram is told in.
    pub(super) sort: Sort,
    /// The names of the lanes of a diagram.
    pub(super) lanes: Vec<String>,
    /// Whether a sentence told of a page by its place.
    pub(super) has_told: bool,
    /// Whether nothing that is read has a price.
    pub(super) is_unpriced: bool,
    /// Whether a menu tells what there is on each day of a week.
    pub(super) is_week: bool,
    /// Whether somebody is looked for.
    pub(super) is_vacancy: bool,
    /// Whether what a diagram tells are the fields of a matrix.
    pub(super) is_matrix: bool,
    /// The sizes that stand over the prices of a menu.
    pub(super) sizes: Vec<String>,
    /// Whether a list follows at once behind the sentence that asks.
    pub(super) is_followed: bool,
    /// How many headings there are.
    pub(super) headings: usize,
    /// The words that are content: they tell its language.
    pub(super) content: String,
}

impl Reader {
    /// A brief of which the sentence that asks was read, as a thing of a category.
    pub fn new(request: Request, category: Category) -> Self {
        // “an organisational chart for the annual report” as a diagram is no report.
        let is_other = |kind: &Kind| {
            category == Category::Diagram
                && matches!(kind, Kind::Deck | Kind::Document | Kind::OnePager | Kind::Screen | Kind::Carousel)
        };
        let kind = request.kind.filter(|kind| !is_other(kind)).unwrap_or_else(|| Kind::of_category(category));
        // The frames of a story are told as the cards of a carousel are.
        let count = instructions::page_count(&request.instructions.to_lowercase());
        let kind = if kind == Kind::Story && count.is_some_and(|count| count > 1) { Kind::Carousel } else { kind };
        Self {
            kind,
            details: request.details.clone(),
            parts: Vec::new(),
            is_within: false,
            is_side: false,
            is_headed: false,
            subtitle: request.subtitle.clone(),
            title: request.title.clone(),
            instructions: vec![request.instructions.clone()],
            flow: None,
            sort: Sort::Course,
            lanes: Vec::new(),
            has_told: false,
            is_unpriced: false,
            is_week: false,
            is_vacancy: false,
            is_matrix: false,
            sizes: Vec::new(),
            is_followed: false,
            headings: 0,
            content: String::new(),
            request,
        }
    }

    /// Whether the thing has several pages.
    pub(super) fn is_paged(&self) -> bool {
        !self.kind.making().is_single
    }

    /// Whether the thing is a list of prices.
    pub(super) fn is_menu(&self) -> bool {
        self.kind == Kind::Menu
    }

    /// How many pages the sentence that asks speaks of.
    pub(super) fn told_count(&self) -> Option<usize> {
        instructions::page_count(&self.request.instructions.to_lowercase()).map(|count| count as usize)
    }

    /// Notes words that are content.
    pub(super) fn note_content(&mut self, words: &str) {
        self.content.push_str(words);
        self.content.push(' ');
    }

    /// The part that is being told of, begun where there is none.
    pub(super) fn part(&mut self) -> &mut Part {
        if !self.is_within || self.parts.is_empty() {
            self.parts.push(Part::default());
            self.is_within = true;
        }
        let last = self.parts.len() - 1;
        &mut self.parts[last]
    }
}
