//! What was read and drawn, in a few words for the person who asked: how much of what, and what is missing.

use super::composed::Composed;
use crate::content::{Matter, Outline, Passage};

/// What was made of what, for the person who asked.
///
/// `told` is the number of pages that the brief's words ask for, `counts` every number that they name.
pub fn report(composed: &Composed, told: Option<u32>, counts: &[u32]) -> String {
    let count = composed.document.page_count();
    let outline = &composed.document.origin.outline;
    let mut message = match count {
        1 => format!("Drew “{}”", composed.name),
        count => format!("Drew “{}” on {count} pages", composed.name),
    };
    let tally = tally(outline);
    let found = tally.words();
    message.push_str(&if found.is_empty() { ".".to_owned() } else { format!(", from {found}.") });
    let (people, gaps): (Vec<String>, Vec<String>) = tally.gaps.into_iter().partition(|name| names_people(name));
    for name in people {
        message.push_str(&format!(" Your brief names “{name}” but nobody in it: its place is left open."));
    }
    if !gaps.is_empty() {
        let named: Vec<String> = gaps.iter().filter(|name| !name.is_empty()).map(|name| format!("“{name}”")).collect();
        if named.is_empty() {
            message.push_str(" The brief has no content for every page: what is missing is left open.");
        } else {
            message.push_str(&format!(
                " The brief names {} but says nothing of it: its place is left open.",
                named.join(", ")
            ));
        }
    }
    if let (Some(told), true) = (told, counts.len() > 1) {
        let others: Vec<String> = counts.iter().filter(|count| **count != told).map(u32::to_string).collect();
        message.push_str(&format!(" The brief asks for {told} and for {} pages: {told} was taken.", others.join(", ")));
    }
    if let Some(told) = told.filter(|told| *told as usize > count) {
        message.push_str(&format!(" The brief asks for {told} pages and has content for {count}."));
    }
    message
}

/// How much of what was read, as in “8 sections, 1 chart”; empty where nothing can be counted.
pub fn found(outline: &Outline) -> String {
    tally(outline).words()
}

fn tally(outline: &Outline) -> Tally {
    let mut tally = Tally::default();
    outline.passages.iter().for_each(|passage| tally.count(passage));
    tally
}

/// Whether a page that was named is about people.
fn names_people(name: &str) -> bool {
    let words = crate::read::text::words(name);
    words.iter().any(|word| {
        matches!(
            word.as_str(),
            "team"
                | "people"
                | "speakers"
                | "founders"
                | "staff"
                | "crew"
                | "board"
                | "mannschaft"
                | "leute"
                | "gründer"
                | "équipe"
                | "equipo"
                | "squadra"
        )
    })
}

/// How much of what a design holds.
#[derive(Default)]
struct Tally {
    parts: usize,
    charts: usize,
    prices: usize,
    figures: usize,
    steps: usize,
    quotes: usize,
    tables: usize,
    gaps: Vec<String>,
}

impl Tally {
    fn count(&mut self, passage: &Passage) {
        match &passage.matter {
            Matter::Cover { .. } | Matter::Agenda { .. } | Matter::Closing { .. } => return,
            Matter::Gap { .. } => self.gaps.push(passage.title.clone()),
            Matter::Board { parts, .. } => parts.iter().for_each(|part| self.count(part)),
            Matter::Chart { .. } => self.charts += 1,
            Matter::Menu { groups, .. } => self.prices += groups.iter().map(|group| group.items.len()).sum::<usize>(),
            Matter::Columns { columns, .. } => {
                self.prices += columns.iter().filter(|column| !column.figure.is_empty()).count();
            }
            Matter::Figures { figures, .. } => self.figures += figures.len(),
            Matter::Quote { .. } => self.quotes += 1,
            Matter::Table { .. } => self.tables += 1,
            Matter::Flow { boxes, .. } => self.steps += boxes.len(),
            _ => {}
        }
        self.parts += usize::from(
            !passage.title.is_empty()
                && !matches!(
                    passage.matter,
                    Matter::Gap { .. } | Matter::Board { .. } | Matter::Menu { .. } | Matter::Flow { .. }
                ),
        );
    }

    fn words(&self) -> String {
        let named = [
            (self.parts, "section", "sections"),
            (self.charts, "chart", "charts"),
            (self.prices, "price", "prices"),
            (self.figures, "figure", "figures"),
            (self.steps, "step", "steps"),
            (self.tables, "table", "tables"),
            (self.quotes, "quotation", "quotations"),
        ];
        named
            .iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, many)| format!("{count} {}", if *count == 1 { one } else { many }))
            .collect::<Vec<_>>()
            .join(", ")
    }
}
