//! What a brief says about the thing and not in it: how many pages, what size, for whom, in which language and colours.
//!
//! Instructions are obeyed and never printed. What is not recognised as one is content: nothing is dropped in doubt.

mod clause;
mod count;
mod look;
mod spoken;
mod talk;

use super::colors;
use super::language;
use super::text::words;
use super::vocabulary::LANGUAGES;
use crate::brief::{contains_word, size_of_label};
use crate::color::Rgb;
use crate::theme::recipes;

pub use clause::{Clause, is_label, judge, tells_aim};
pub use count::page_count;
use count::{meant_count, page_counts, pixels};
pub use look::{is_made_of_style, is_sheet, is_style};
pub use spoken::{judge_of_request, judge_spoken};
pub use talk::{is_audience, is_put_off};

/// What a text wants, apart from what it says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Instructions {
    /// How many pages; of several numbers the one that is meant.
    pub page_count: Option<u32>,
    /// Every number of pages that was named, in its order.
    pub page_counts: Vec<u32>,
    /// The size of a page that was named, in pixels.
    pub size: Option<(u32, u32)>,
    /// Whether it shall be dark.
    pub dark: Option<bool>,
    /// Colours that were named, at most four.
    pub colors: Vec<Rgb>,
    /// The one of them that the pages themselves shall have.
    pub ground: Option<Rgb>,
    /// The theme that fits its words best.
    pub recipe: Option<&'static str>,
    /// The language that was asked for, as two letters.
    pub language: Option<&'static str>,
}

/// Reads what a text wants; all of it is taken as instructions.
pub fn wishes(text: &str) -> Instructions {
    let lower = text.to_lowercase();
    let named = colors::read(text);
    Instructions {
        page_count: meant_count(&lower),
        page_counts: page_counts(&lower),
        size: pixels(&lower).or_else(|| size_of_label(&lower)),
        dark: named.ground.map_or_else(|| dark(&named.rest), |ground| Some(!ground.is_light())),
        colors: named.colors,
        ground: named.ground,
        recipe: recipe(&named.rest),
        language: asked_language(&lower),
    }
}

fn dark(lower: &str) -> Option<bool> {
    let has = |words: &[&str]| words.iter().any(|word| contains_word(lower, word));
    let is_refused = has(&["not too dark", "not dark", "nicht zu dunkel", "nicht dunkel"]);
    if has(&[
        "dark",
        "dunkel",
        "dunkle",
        "dunkler",
        "dunklen",
        "sombre",
        "oscuro",
        "scuro",
        "night mode",
        "dark mode",
        "black background",
    ]) && !is_refused
    {
        Some(true)
    } else if is_refused
        || has(&[
            "light",
            "bright",
            "hell",
            "heller",
            "helle",
            "hellen",
            "clair",
            "claro",
            "chiaro",
            "white background",
            "white space",
            "weißraum",
        ])
    {
        Some(false)
    } else {
        None
    }
}

/// Whether a word is of a script that sets its words apart; others are looked for within longer ones.
fn has_blanks(word: &str) -> bool {
    !word.chars().any(|letter| matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'))
}

/// The theme whose tones a text names most often.
fn recipe(lower: &str) -> Option<&'static str> {
    let words = words(lower);
    let negated = |at: usize| {
        words[at.saturating_sub(2)..at].iter().any(|word| {
            matches!(
                word.as_str(),
                "not" | "no" | "never" | "nothing" | "nicht" | "kein" | "keine" | "nichts" | "without" | "ohne"
            )
        })
    };
    let mut best = None;
    let mut most = 0;
    for recipe in recipes() {
        let found = words
            .iter()
            .enumerate()
            .filter(|(at, word)| recipe.tones.contains(&word.as_str()) && !negated(*at))
            .count()
            + recipe.tones.iter().filter(|tone| !has_blanks(tone) && lower.contains(**tone)).count();
        let named = usize::from(contains_word(lower, &format!("{} theme", recipe.name.to_lowercase()))) * 5;
        if found + named > most {
            most = found + named;
            best = Some(recipe.name);
        }
    }
    best
}

fn asked_language(lower: &str) -> Option<&'static str> {
    LANGUAGES.iter().find(|(phrase, _)| contains_word(lower, phrase)).map(|(_, code)| *code)
}

/// The language that a text is in; one that its instructions name comes first.
pub fn language_of(content: &str, brief: &str, wishes: &Instructions) -> String {
    let found = language::detect_within(content, brief);
    // Words cannot be translated here: an asked language only settles what the words leave open.
    match wishes.language {
        Some(asked) if found == "en" && content.split_whitespace().count() < 4 => asked.to_owned(),
        _ => found,
    }
}
