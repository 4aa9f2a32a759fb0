//! What a prompt asks for: what kind of thing, about what, how it shall feel, how many pages, in which language.
//!
//! These are rules about words, not understanding: what is not recognised is taken as what the design says.

mod vocabulary;

use super::language;
use crate::brief::contains_word;
use crate::color::Rgb;
use crate::theme::recipes;
use vocabulary::{ABOUT, ARTICLES, ASKING, FORMATS, NAMED_COLORS, NUMBER_WORDS, PAGE_WORDS, WISH_WORDS};

/// What a prompt asks for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Intent {
    /// What the thing is called: the few words above the title.
    pub kicker: String,
    /// What it is about.
    pub title: String,
    /// Date, place and whatever else was said briefly.
    pub details: Vec<String>,
    /// What was said at length: to be read like a source.
    pub body: String,
    /// Words that a theme answers to.
    pub tones: Vec<String>,
    /// The theme that fits them best.
    pub recipe: Option<&'static str>,
    /// Whether it shall be dark.
    pub dark: Option<bool>,
    /// How many pages.
    pub page_count: Option<u32>,
    /// Two letters.
    pub language: String,
    /// Colours that were named.
    pub colors: Vec<Rgb>,
}

/// Longer prompts than this hold content, not only a wish.
const LONG_PROMPT: usize = 300;

/// No more letters of a prompt are looked at.
const MAX_LETTERS: usize = 20_000;

/// Reads a prompt.
pub fn read(prompt: &str) -> Intent {
    let prompt: String = prompt.chars().take(MAX_LETTERS).collect();
    let lower = prompt.to_lowercase();
    let mut intent = Intent {
        language: language::detect(&prompt),
        page_count: page_count(&lower),
        colors: colors(&prompt),
        dark: dark(&lower),
        ..Intent::default()
    };
    intent.recipe = best_recipe(&lower, &mut intent.tones);
    divide(&prompt, &mut intent);
    bound(&mut intent);
    intent
}

/// No title has more letters than this; what is beyond is read like a source.
const MAX_TITLE_LETTERS: usize = 140;

/// Brings what a prompt named to lengths that can stand at a head; nothing of it is lost.
fn bound(intent: &mut Intent) {
    let mut beyond: Vec<String> = Vec::new();
    if intent.title.chars().count() > MAX_TITLE_LETTERS {
        let cut = intent.title.char_indices().map(|(at, _)| at).nth(MAX_TITLE_LETTERS).unwrap_or(intent.title.len());
        let cut = intent.title[..cut].rfind(char::is_whitespace).unwrap_or(cut);
        let rest = intent.title.split_off(cut);
        beyond.push(rest.trim().to_owned());
    }
    if intent.kicker.chars().count() > 60 {
        beyond.insert(0, std::mem::take(&mut intent.kicker));
    }
    let (brief, long): (Vec<String>, Vec<String>) =
        std::mem::take(&mut intent.details).into_iter().partition(|detail| detail.chars().count() <= 120);
    intent.details = brief;
    beyond.extend(long);
    if !beyond.is_empty() {
        intent.body = format!("{}\n\n{}", beyond.join("\n\n"), intent.body).trim().to_owned();
    }
}

fn page_count(lower: &str) -> Option<u32> {
    let words: Vec<&str> =
        lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.windows(2).find_map(|pair| {
        if !PAGE_WORDS.contains(&pair[1]) {
            return None;
        }
        let number = pair[0].parse::<u32>().ok();
        let named = || NUMBER_WORDS.iter().position(|word| *word == pair[0]).map(|at| at as u32 + 1);
        number.or_else(named).filter(|count| (1..=60).contains(count))
    })
}

fn dark(lower: &str) -> Option<bool> {
    let has = |words: &[&str]| words.iter().any(|word| contains_word(lower, word));
    if has(&["dark", "dunkel", "sombre", "oscuro", "night mode", "dark mode"]) {
        Some(true)
    } else if has(&["light", "bright", "hell", "clair", "claro", "white background"]) {
        Some(false)
    } else {
        None
    }
}

fn best_recipe(lower: &str, tones: &mut Vec<String>) -> Option<&'static str> {
    let words: Vec<&str> = lower.split(|letter: char| !letter.is_alphanumeric()).collect();
    let mut best = None;
    let mut most = 0;
    for recipe in recipes() {
        let found: Vec<&&str> = recipe.tones.iter().filter(|tone| words.contains(tone)).collect();
        let named = usize::from(contains_word(lower, &format!("{} theme", recipe.name.to_lowercase()))) * 5;
        if found.len() + named > most {
            most = found.len() + named;
            best = Some(recipe.name);
        }
        tones.extend(found.iter().map(|tone| (**tone).to_owned()));
    }
    best
}

/// The colours that a text names, by number or by name, in its order; at most four.
pub fn colors(text: &str) -> Vec<Rgb> {
    let mut found: Vec<(usize, Rgb)> = Vec::new();
    for (at, _) in text.match_indices('#') {
        let digits: String = text[at + 1..].chars().take_while(char::is_ascii_hexdigit).take(6).collect();
        let is_whole = digits.len() == 6 || digits.len() == 3;
        if let (true, Some(color)) = (is_whole, Rgb::parse(&digits)) {
            found.push((at, color));
        }
    }
    let lower = text.to_lowercase();
    for (name, color) in NAMED_COLORS {
        if contains_word(&lower, name) {
            found.push((lower.find(name).unwrap_or(0), color.rgb()));
        }
    }
    found.sort_by_key(|(at, _)| *at);
    found.dedup_by_key(|(_, color)| *color);
    found.into_iter().map(|(_, color)| color).take(4).collect()
}

fn divide(prompt: &str, intent: &mut Intent) {
    let text = prompt.trim();
    let (first, rest) = match text.split_once('\n') {
        Some((first, rest)) => (first.trim(), rest.trim()),
        None => (text, ""),
    };
    let (first, rest) = if rest.is_empty() && text.chars().count() > LONG_PROMPT {
        let cut = sentence_end(first).unwrap_or(first.len());
        (first[..cut].trim(), first[cut..].trim())
    } else {
        (first, rest)
    };
    intent.body = rest.to_owned();
    let first = first.trim_start_matches(['#', '-', '*', ' ']);
    if let Some(title) = quoted(first) {
        intent.title = title.to_owned();
        let before = first.split(['"', '“', '„', '«']).next().unwrap_or_default();
        intent.kicker = clean_subject(strip_about_end(&strip_asking(before)));
        let behind = first.rsplit(['"', '”', '“', '»']).next().unwrap_or_default();
        intent.details = details(behind, intent);
        return;
    }
    if let Some((before, behind)) = first.split_once(": ").filter(|(before, _)| before.chars().count() <= 60) {
        intent.kicker = clean_subject(&strip_asking(before));
        let parts = parts_of(behind);
        if let Some((title, more)) = parts.split_first() {
            intent.title = capitalize(title);
            intent.details = keep_details(more, intent);
        }
        return;
    }
    let asked = strip_asking(first);
    let parts = parts_of(&asked);
    let Some((head, more)) = parts.split_first() else { return };
    let padded = format!(" {head}");
    let about = ABOUT.iter().filter_map(|about| padded.to_lowercase().find(about).map(|at| (at, about.len()))).min();
    match about {
        Some((at, len)) if at > 0 && padded.is_char_boundary(at) && padded.is_char_boundary(at + len) => {
            intent.kicker = clean_subject(&padded[..at]);
            intent.title = clean_subject(&padded[at + len..]);
        }
        _ => intent.title = clean_subject(head),
    }
    intent.details = keep_details(more, intent);
}

fn sentence_end(text: &str) -> Option<usize> {
    text.char_indices()
        .zip(text.chars().skip(1))
        .find(|((_, character), next)| matches!(character, '.' | '!' | '?') && next.is_whitespace())
        .map(|((at, character), _)| at + character.len_utf8())
}

fn quoted(text: &str) -> Option<&str> {
    for (open, close) in [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»')] {
        if let Some(from) = text.find(open) {
            let inside = &text[from + open.len_utf8()..];
            if let Some(to) = inside.find(close).filter(|to| (1..=160).contains(to)) {
                return Some(inside[..to].trim());
            }
        }
    }
    None
}

fn strip_about_end(text: &str) -> &str {
    let trimmed = text.trim_end_matches([' ', ',', ':', '-', '–']);
    for ending in [
        " called",
        " titled",
        " named",
        " with the title",
        " saying",
        " that says",
        " with the words",
        " for",
        " about",
    ] {
        if let Some(cut) = trimmed.to_lowercase().strip_suffix(ending) {
            return trimmed.get(..cut.len()).unwrap_or(trimmed);
        }
    }
    trimmed
}

/// A sentence divided where people divide what they ask for.
fn parts_of(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let letters: Vec<char> = text.chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        let next = letters.get(at + 1).copied().unwrap_or(' ');
        let ends = match letter {
            ',' | ';' | '،' | '·' | '|' => next.is_whitespace(),
            '.' | '!' | '?' => next.is_whitespace() && part.chars().count() > 3,
            _ => false,
        };
        if ends {
            if matches!(letter, '!' | '?') {
                part.push(*letter);
            }
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(*letter);
        }
    }
    parts.push(part);
    parts.into_iter().map(|part| part.trim().trim_end_matches('.').to_owned()).filter(|part| !part.is_empty()).collect()
}

fn details(text: &str, intent: &Intent) -> Vec<String> {
    keep_details(&parts_of(text.trim_start_matches([',', '.', ';', ' '])), intent)
}

/// What was said beside the subject, without what is a wish about the look or the number of pages.
fn keep_details(parts: &[String], intent: &Intent) -> Vec<String> {
    parts.iter().filter(|part| !is_wish(part, intent)).map(|part| capitalize(part)).take(6).collect()
}

fn is_wish(part: &str, intent: &Intent) -> bool {
    let lower = part.to_lowercase();
    if page_count(&lower).is_some() && lower.split_whitespace().count() <= 4 {
        return true;
    }
    if crate::brief::size_of_label(&lower).is_some() && lower.split_whitespace().count() <= 3 {
        return true;
    }
    let words: Vec<&str> =
        lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    !words.is_empty()
        && words.iter().all(|word| {
            WISH_WORDS.contains(word)
                || intent.tones.iter().any(|tone| tone == word)
                || NAMED_COLORS.iter().any(|(name, _)| name == word)
                || Rgb::parse(word).is_some() && word.len() == 6 && part.contains('#')
        })
}

fn strip_asking(text: &str) -> String {
    let mut text = text.trim();
    loop {
        let lower = text.to_lowercase();
        let found = ASKING
            .iter()
            .chain(ARTICLES)
            .find(|word| lower.strip_prefix(**word).is_some_and(|rest| rest.starts_with([' ', ','])));
        match found.and_then(|word| text.get(word.len()..)) {
            Some(rest) => text = rest.trim_start_matches([' ', ',']),
            None => return text.to_owned(),
        }
    }
}

fn clean_subject(text: &str) -> String {
    let text = text.trim().trim_matches([',', '.', ':', ';', '-', '–', ' ']);
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if words.len() > 1 && words.first().is_some_and(|word| ARTICLES.contains(&word.to_lowercase().as_str())) {
        words.remove(0);
    }
    // A number of pages before what the thing is says nothing about it.
    if words.len() > 1
        && words.first().is_some_and(|word| {
            word.parse::<u32>().is_ok() || page_count(&word.replace('-', " ").to_lowercase()).is_some()
        })
    {
        words.remove(0);
        if words.len() > 1 && words.first().is_some_and(|word| PAGE_WORDS.contains(&word.to_lowercase().as_str())) {
            words.remove(0);
        }
    }
    capitalize(&words.join(" "))
}

/// The words above a title, unless they only name what the thing is made as.
pub fn shown_kicker(kicker: &str) -> &str {
    if FORMATS.contains(&kicker.to_lowercase().as_str()) { "" } else { kicker }
}

/// The text with its first letter large.
pub fn capitalize(text: &str) -> String {
    let text = text.trim();
    // An address stays as it is written.
    if text.split_whitespace().next().is_some_and(|word| word.contains(['@', '/', '_'])) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_the_thing_from_its_subject_and_from_wishes() {
        for (prompt, kicker, title, details, pages) in [
            (
                "Launch deck for a neighbourhood bakery, 6 slides, warm",
                "Launch deck",
                "Neighbourhood bakery",
                vec![],
                Some(6),
            ),
            (
                "Poster: Summer Jazz Night, 12 July, Riverside Park",
                "Poster",
                "Summer Jazz Night",
                vec!["12 July", "Riverside Park"],
                None,
            ),
            (
                "Create a poster saying \"Open studio\", Saturday, free entry",
                "Poster",
                "Open studio",
                vec!["Saturday", "Free entry"],
                None,
            ),
            (
                "Präsentation über erneuerbare Energien, 5 Folien",
                "Präsentation",
                "Erneuerbare Energien",
                vec![],
                Some(5),
            ),
            ("dark", "", "Dark", vec![], None),
        ] {
            let intent = read(prompt);
            assert_eq!(intent.kicker, kicker, "{prompt}");
            assert_eq!(intent.title, title, "{prompt}");
            assert_eq!(intent.details, details, "{prompt}");
            assert_eq!(intent.page_count, pages, "{prompt}");
        }
        assert_eq!(shown_kicker("Banner"), "");
        assert_eq!(shown_kicker("Invitation"), "Invitation");
        assert_eq!(read("Launch deck for a neighbourhood bakery, warm").recipe, Some("Hearth"));
        assert_eq!(colors("in #ff0000 and navy").len(), 2);
    }

    #[test]
    fn bears_any_prompt() {
        for prompt in [
            "",
            " ",
            ":",
            ": ",
            "\"",
            "\"\"",
            "a",
            "\u{200f}",
            "😀".repeat(20_000).as_str(),
            "for ",
            "İstanbul İçin: x",
            "##",
            "#12345",
        ] {
            read(prompt);
        }
    }
}
