//! “One page about frozen pipes”: pages by their number, and what they are about.
//!
//! Deliberately not here: pages that are a kind of thing by themselves, such as slides (`kinds`).

use crate::read::text;
use crate::read::vocabulary::is_number_word;

/// Words for pages and sheets that are no kind of thing.
const PAGES: &[&str] =
    &["page", "pages", "sheet", "sheets", "seite", "seiten", "blatt", "página", "páginas", "pagina", "pagine"];

/// Words that lead from the pages to what they are about.
#[rustfmt::skip]
const LEADS: &[&str] = &[
    "about", "on the topic of", "on", "explaining", "über", "zum thema", "zu", "sur", "sobre", "su", "for", "für", "pour", "para", "per",
];

/// How many pages a text asks for at its beginning, and what they are about.
pub(super) fn pages_about(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let rest = text.strip_prefix("a ").or_else(|| text.strip_prefix("just ")).unwrap_or(text);
    let (number, behind) = rest.split_once(' ')?;
    let (page, about) = behind.split_once(' ')?;
    let lower = number.to_lowercase();
    let is_number = lower == "single"
        || is_number_word(&lower)
        || lower.parse::<u32>().is_ok_and(|count| (1..=20).contains(&count));
    let subject = LEADS.iter().filter_map(|lead| text::strip_start(about, lead)).min_by_key(|rest| rest.len())?.trim();
    let is_subject = subject.starts_with(char::is_alphabetic) && !subject.is_empty();
    (is_number && PAGES.contains(&page.to_lowercase().as_str()) && is_subject)
        .then(|| (&rest[..number.len() + 1 + page.len()], subject))
}

#[cfg(test)]
mod tests {
    use super::pages_about;

    #[test]
    fn tells_how_many_pages_from_what_they_are_about() {
        assert_eq!(pages_about("One page about frozen pipes"), Some(("One page", "frozen pipes")));
        assert_eq!(pages_about("zwei Seiten zum Thema Zecken"), Some(("zwei Seiten", "Zecken")));
        for text in ["one page on 2 sides", "One slide per topic", "page one about bees", "two pages"] {
            assert_eq!(pages_about(text), None, "{text}");
        }
    }
}
