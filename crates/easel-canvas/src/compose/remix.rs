//! What a prompt changes in a design that is there: its size, its darkness, its colours, its tone, its length, its brand.
//! What it does not speak of stays as it is. Where it asks for a variation, or for nothing that is understood, the pages are
//! arranged anew (`vary`), and all words stay.

use crate::brief::{contains_word, size_of_label};
use crate::content::{Matter, Outline, Point};
use crate::document::Category;
use crate::origin::{ChosenColors, Origin};
use crate::read::instructions;
use crate::theme::find_recipe;

mod apart;
mod vary;

pub use apart::set_apart;
pub use vary::name_for;

/// Words that ask for the same in another form.
const VARIATION: &[&str] = &[
    "variation",
    "variations",
    "variant",
    "variants",
    "variante",
    "varianten",
    "variationen",
    "variazione",
    "variación",
];

/// What a remix is asked with.
#[derive(Clone, Copy)]
pub struct RemixRequest<'p> {
    /// The words of whoever asks.
    pub prompt: &'p str,
    /// Whether a brand is put on it.
    pub has_brand: bool,
    /// Whether somebody wrote the words anew already, so that only the look is left.
    pub is_written: bool,
    /// How many remixes of the same design were asked for before: each is arranged otherwise.
    pub turn: u32,
}

/// Applies a wish to an origin; returns what was done, in words for a person.
pub fn apply(origin: &mut Origin, category: &mut Category, wish: RemixRequest<'_>) -> String {
    let RemixRequest { prompt, has_brand, is_written, turn } = wish;
    let lower = prompt.to_lowercase();
    let wish = instructions::wishes(prompt);
    // Who asks for another look wants it whole.
    if wish.dark.is_some() || !wish.colors.is_empty() || wish.recipe.is_some() || has_brand {
        origin.look.chosen = ChosenColors::default();
    }
    if VARIATION.iter().any(|word| contains_word(&lower, word)) {
        return vary::vary(origin, &wish, turn);
    }
    let mut done: Vec<String> = Vec::new();
    if let Some((width, height)) = size_of_label(&lower) {
        (origin.look.width, origin.look.height) = (width, height);
        // Screens and diagrams are drawn in their own way, whatever they are for.
        let is_drawn_its_own_way = matches!(category, Category::Ui | Category::Diagram);
        let is_for_posting =
            ["instagram", "story", "reel", "facebook", "linkedin", "pinterest"].iter().any(|name| lower.contains(name));
        if is_for_posting && !is_drawn_its_own_way {
            *category = if origin.outline.passages.len() > 1 { Category::Carousel } else { Category::Social };
        }
        done.push(format!("set it at {width} by {height}"));
    }
    if let Some(dark) = wish.dark {
        let is_dark = find_recipe(&origin.look.recipe).is_some_and(|recipe| recipe.paper.l < 0.5);
        origin.look.inverted = dark != is_dark;
        origin.look.keeps_tone = true;
        done.push(if dark { "turned it dark" } else { "turned it light" }.to_owned());
    }
    if !wish.colors.is_empty() {
        origin.look.colors = wish.colors.clone();
        origin.look.ground = wish.ground;
        done.push("took over the colours you named".to_owned());
    }
    if let Some(recipe) =
        wish.recipe.filter(|name| *name != "Midnight" || wish.dark.is_none()).filter(|name| *name != origin.look.recipe)
    {
        origin.look.recipe = recipe.to_owned();
        origin.look.pairing = find_recipe(recipe).map_or("Plain", |recipe| recipe.pairings[0]).to_owned();
        done.push(format!("dressed it in the theme {recipe}"));
    }
    if has_brand {
        done.push("put your brand on it".to_owned());
    }
    let has = |words: &[&str]| words.iter().any(|word| contains_word(&lower, word));
    if is_written {
        done.insert(0, "wrote it anew".to_owned());
    } else if has(&["shorter", "short", "fewer", "kürzer", "plus court", "más corto", "concise", "brief", "less text"])
    {
        shorten(&mut origin.outline);
        done.push("made it shorter".to_owned());
    }
    if let Some(count) = wish.page_count.filter(|_| !is_written) {
        keep_pages(&mut origin.outline, count as usize);
        done.push(format!("brought it to {count} pages"));
    }
    if done.is_empty() {
        return format!("I could not tell what to change. {}", vary::vary(origin, &wish, turn));
    }
    format!("I {}.", join(&done))
}

fn join(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [init @ .., last] => format!("{} and {last}", init.join(", ")),
    }
}

/// Half of the things of each list and the first sentences of each text; what is left out stands in the notes.
fn shorten(outline: &mut Outline) {
    for passage in &mut outline.passages {
        let mut out: Vec<String> = Vec::new();
        match &mut passage.matter {
            Matter::Points { points, .. } | Matter::Steps { points, .. } => {
                let kept = points.len().div_ceil(2).max(2);
                out.extend(
                    points
                        .split_off(kept.min(points.len()))
                        .iter()
                        .map(|point: &Point| format!("{} {}", point.head, point.body_text())),
                );
            }
            Matter::Prose { paragraphs, .. } => {
                let kept = paragraphs.len().div_ceil(2);
                out.extend(paragraphs.split_off(kept).iter().map(|runs| crate::content::plain(runs)));
            }
            _ => {}
        }
        if !out.is_empty() {
            passage.notes = format!("{}\n{}", passage.notes, out.join("\n")).trim().to_owned();
        }
    }
    if outline.passages.len() > 4 {
        outline.passages.retain(|passage| !matches!(passage.matter, Matter::Agenda { .. } | Matter::Section { .. }));
    }
}

/// Keeps so many passages: the first, the last, and those between in their order.
pub fn keep_pages(outline: &mut Outline, count: usize) {
    let count = count.max(1);
    if outline.passages.len() > count {
        let last = outline.passages.pop();
        outline.passages.truncate(count.saturating_sub(1));
        if outline.passages.len() < count {
            outline.passages.extend(last);
        }
    }
}
