//! Names and places within a sentence: what a company is called, a day and the place behind it.

use super::dates;
use super::text;

/// “company is Harborline, we make tugboats”: the name, and what else the sentence says.
pub fn named_by(sentence: &str) -> Option<(String, String)> {
    #[rustfmt::skip]
    const NAMING: &[&str] = &[
        "company is ", "the company is ", "our company is ", "the name is ", "name is ", "product is ", "we are called ", "we're called ",
        "it's called ", "it is called ", "the event is called ", "client is ", "firma heißt ", "die firma heißt ", "wir heißen ", "es heißt ",
        "das café heißt ", "der name ist ", "notre société s'appelle ", "la empresa se llama ", "si chiama ",
    ];
    let lower = sentence.to_lowercase();
    if lower.len() != sentence.len() {
        return None;
    }
    let (at, naming) = NAMING.iter().filter_map(|naming| lower.find(naming).map(|at| (at, naming))).min()?;
    let rest = &sentence[at + naming.len()..];
    let end = rest.find([',', '.', ';', '!', '(']).unwrap_or(rest.len());
    let name = rest[..end].trim();
    let is_name = name.chars().next().is_some_and(char::is_uppercase) && name.split_whitespace().count() <= 5;
    is_name.then(|| {
        (
            format!("{} {}", sentence[..at].trim(), rest[end..].trim_start_matches([',', '.', ';', '!', ' ']))
                .trim()
                .to_owned(),
            name.to_owned(),
        )
    })
}

/// A day with its hour, and a place, as details of their own: “12 July at 8 pm in the old mill”.
pub fn divide_moments(text: &str) -> Vec<String> {
    let text = text.trim().trim_matches([',', '.', ' ']);
    if text.is_empty() {
        return Vec::new();
    }
    let mut cuts = Vec::new();
    for place in [
        " in ",
        " at ",
        " im ",
        " in der ",
        " in the ",
        " at the ",
        " auf dem ",
        " au ",
        " à ",
        " en ",
        " bei ",
        " nel ",
        " al ",
        " presso ",
    ] {
        for (at, _) in text.match_indices(place) {
            let behind = text[at + place.len()..].trim_start();
            let is_place = behind.chars().next().is_some_and(|letter| letter.is_uppercase() || letter == '“')
                || behind.starts_with("the ")
                || behind.starts_with("our ")
                || behind.starts_with("der ");
            if is_place
                && !dates::begins_with_date(behind)
                && !dates::is_month(behind.split_whitespace().next().unwrap_or_default())
            {
                cuts.push((at, at + place.len()));
            }
        }
    }
    cuts.sort_unstable();
    match cuts.first() {
        Some((end, start)) if text[..*end].len() > 2 => {
            vec![text::capitalize(text[..*end].trim_end_matches(',')), text::capitalize(text[*start..].trim())]
        }
        _ => vec![text::capitalize(text)],
    }
}
