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

/// Labels of the title itself: “Title: …”, “Name on top: …”.
pub fn is_title_label(label: &str) -> bool {
    matches!(
        label.to_lowercase().as_str(),
        "title"
            | "headline"
            | "titel"
            | "überschrift"
            | "titre"
            | "título"
            | "titolo"
            | "name on top"
            | "on top"
            | "big on top"
            | "at the top"
            | "top"
            | "first line"
            | "heading"
            | "main title"
            | "haupttitel"
            | "schlagzeile"
            | "oben"
            | "en haut"
            | "arriba"
            | "in alto"
            | "título principal"
    )
}

/// Whether a line may be the title of what stands below it: it is no label, no price, no step, and begins with no day.
pub fn is_title(words: &str) -> bool {
    text::label(words).is_none_or(|(_, body)| body.is_empty())
        && !words.contains(['→', '|'])
        && !words.contains("->")
        && dates::first_moment(words).is_none_or(|at| at > 6)
        && super::prices::priced(words).is_none_or(|item| !has_currency(&item.price))
        && super::quotes::quote_of(words).is_none()
        && !is_limit(words)
        && matches!(super::instructions::judge(words), super::instructions::Clause::Content(_))
}

/// “Embargoed until 6 May”: a word of time stands directly before the day.
fn is_limit(words: &str) -> bool {
    dates::first_moment(words).is_some_and(|at| {
        let before = words[..at].trim_end().to_lowercase();
        before.split_whitespace().count() <= 3
            && ["until", "till", "bis", "by", "from", "since", "jusqu'au", "hasta", "fino al", "valid"]
                .iter()
                .any(|word| before.ends_with(word))
    })
}

fn has_currency(price: &str) -> bool {
    super::amounts::amounts(price).iter().any(|amount| amount.is_price(price))
}

/// “Topic is water at the plant: …”: what it is about, and what follows.
pub fn topic_of(sentence: &str) -> Option<(String, String)> {
    #[rustfmt::skip]
    const TOPIC: &[&str] = &[
        "topic is ", "the topic is ", "subject is ", "the subject is ", "it's about ", "it is about ", "its about ", "title is ", "the title is ",
        "title should be ", "das thema ist ", "thema ist ", "es geht um ", "thema soll sein ", "le sujet est ", "el tema es ", "il tema è ",
    ];
    let rest = TOPIC
        .iter()
        .filter_map(|topic| text::strip_start(sentence.trim(), topic.trim_end()))
        .min_by_key(|rest| rest.len())?;
    let end = rest.find([',', ';', '!', ':']).unwrap_or(rest.trim_end_matches('.').len());
    let name = rest[..end].trim().trim_matches(['"', '“', '”']);
    (!name.is_empty() && name.split_whitespace().count() <= 9)
        .then(|| (text::capitalize(name), rest[end..].trim_start_matches([',', ';', '!', ':', '.', ' ']).to_owned()))
}

/// “Jazz night in the cellar of the Blue Heron”: a thing and the place that it happens at.
pub fn divide_place(subject: &str) -> Option<(String, String)> {
    const PLACES: &[&str] = &[
        " in the ",
        " at the ",
        " at ",
        " in our ",
        " at our ",
        " im ",
        " am ",
        " in der ",
        " auf dem ",
        " auf der ",
        " in ",
        " au ",
        " à la ",
        " en el ",
        " en la ",
        " nel ",
        " nella ",
        " alla ",
        " al ",
        " on the ",
    ];
    let (at, place) = PLACES
        .iter()
        .filter_map(|place| subject.find(place).map(|at| (at, *place)))
        .min_by_key(|(at, place)| (*at, std::cmp::Reverse(place.len())))?;
    let (head, behind) = (subject[..at].trim(), subject[at + place.len()..].trim());
    let has_article =
        place.trim().contains(' ') || matches!(place.trim(), "im" | "am" | "au" | "nel" | "nella" | "alla" | "al");
    let is_place = behind.chars().next().is_some_and(char::is_uppercase)
        || has_article && behind.split_whitespace().any(|word| word.chars().next().is_some_and(char::is_uppercase));
    (is_place && !head.is_empty() && !behind.is_empty() && !behind.contains(','))
        .then(|| (head.to_owned(), text::capitalize(subject[at..].trim())))
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
