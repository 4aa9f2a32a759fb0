//! Prices that are no single number behind a thing: what is free, what costs one or the other, what stands behind a colon.
//!
//! What holds: only what surely is a price is read as one, since these are asked of menus line by line. Deliberately not here:
//! things in sizes (`sizes`), and prices in words (`told`).

use super::super::amounts::{Amount, amounts};
use super::words;
use crate::content::Priced;
use crate::read::{dates, text};

/// Words for what costs nothing.
#[rustfmt::skip]
const FREE: &[&str] = &[
    "for free", "free of charge", "no charge", "free", "kostenlos", "umsonst", "gratis", "frei", "gratuite", "gratuites", "gratuits", "gratuit", "gratuita", "gratuitos",
    "gratuito", "grátis", "za darmo",
];

/// What is free of something and costs no less, and what is said to be free on things that are no price lists.
#[rustfmt::skip]
const NOT_FREE: &[&str] = &[
    "gluten", "sugar", "dairy", "nut", "nuts", "alcohol", "lactose", "meat", "egg", "caffeine", "smoke", "entry", "admission", "eintritt", "entrée", "entrada", "ingresso", "feel", "is", "it", "us", "you", "me", "now", "day", "days", "week", "month", "months", "tage", "jours", "días",
];

/// Words between two prices of one thing.
const EITHER: &[&str] = &[" or ", " oder ", " ou ", " o ", " of "];

/// Whether words say no more than that something costs nothing.
pub fn is_free(words: &str) -> bool {
    FREE.contains(&words.to_lowercase().as_str())
}

/// “Under 4s: free”, “Juniors .... free”: a thing that costs nothing, set as things with prices are.
pub fn free(text: &str) -> Option<Priced> {
    let text = text.trim().trim_end_matches(['.', '!']);
    told_free(text)
        .filter(|item| text[..text.len() - item.price.len()].trim_end().ends_with([':', '.', '…', '–', '—', '-', '=']))
}

/// The same where nothing else is told than things and prices: “the digital files are free”.
pub fn told_free(text: &str) -> Option<Priced> {
    free_behind(text).filter(|_| !dates::has_moment(text))
}

/// The same of a thing that may have its hour: “Kids' race at nine free”, among others that have prices.
pub fn free_behind(text: &str) -> Option<Priced> {
    let text = text.trim().trim_end_matches(['.', '!', ',', ';']);
    let lower = text.to_lowercase();
    if lower.len() != text.len() {
        return None;
    }
    let word = FREE.iter().find(|word| lower.strip_suffix(**word).is_some_and(|head| head.ends_with(' ')))?;
    let at = text.len() - word.len();
    let name = words::joined(text[..at].trim_end_matches([' ', '.', ':', '–', '-', '—', '=', '…', ',']));
    let last = text::words(name).pop()?;
    // “All plans: 14 days free” says more behind its colon.
    let is_alone = text::label(text).is_none_or(|(_, body)| body.len() == word.len());
    let is_name = is_alone
        && (1..=6).contains(&name.split_whitespace().count())
        && !text[..at].ends_with('-')
        && !NOT_FREE.contains(&last.as_str())
        && text::clauses(name).len() == 1
        && !amounts(name).iter().any(|amount| amount.is_price(name));
    is_name.then(|| Priced { name: text::capitalize(name), price: text[at..].to_owned(), ..Priced::default() })
}

/// “Wine is £5 a glass or £18 a bottle”: one thing with one price or the other.
pub fn either(text: &str) -> Option<Priced> {
    let found: Vec<_> = amounts(text).into_iter().filter(|amount| amount.is_price(text)).collect();
    let [first, second] = found.as_slice() else { return None };
    let between = &text[first.end..second.start];
    let is_one = EITHER.iter().any(|or| between.ends_with(or) && between.matches(or).count() == 1)
        && between.split_whitespace().count() <= 4
        && text[second.end..].split_whitespace().count() <= 3
        && text::clauses(text).len() == 1;
    let name = words::joined(text[..first.start].trim().trim_end_matches([':', '–', '-', '—', '=', ' ']));
    (is_one && (1..=6).contains(&name.split_whitespace().count()) && amounts(name).is_empty()).then(|| Priced {
        name: text::capitalize(name),
        price: text[first.start..].trim_end_matches(['.', ',', ';']).to_owned(),
        ..Priced::default()
    })
}

/// “Motorhome: from £13, with power”: a thing and its price behind a colon, where no other price follows.
pub fn labelled(text: &str) -> Option<Priced> {
    let (name, body) = text::label(text)?;
    // “Dogs: free, on a lead”.
    if let Some((word, note)) = body.split_once(", ")
        && let Some(mut item) = free(&format!("{name}: {word}")).filter(|_| text::clauses(note).len() == 1)
    {
        words::add_note(&mut item, note.trim_end_matches('.'));
        return Some(item);
    }
    let bare = words::behind_from(body);
    let found = amounts(bare);
    // “Blade sharpening: from 18”: behind such a word a number alone is a price.
    let is_least = |amount: &Amount| {
        bare.len() < body.len()
            && found.len() == 1
            && amount.prefix.is_empty()
            && amount.written(bare) == bare.trim_end_matches('.')
    };
    let first = found.first().filter(|first| first.start == 0 && (first.is_price(bare) || is_least(first)))?;
    let is_alone = is_least(first) || found.iter().filter(|amount| amount.is_price(bare)).count() == 1;
    let rest = bare[first.end..].trim_start_matches([' ', ',', ';', '–', '-']).trim_end_matches('.').trim();
    let is_brief = rest.is_empty()
        || bare[first.end..].starts_with([',', ';', ' '])
            && rest.split_whitespace().count() <= 8
            && !rest.split_whitespace().next().is_some_and(|word| word.starts_with(char::is_uppercase));
    let from = &body[..body.len() - bare.len()];
    (is_alone && is_brief && name.split_whitespace().count() <= 6).then(|| Priced {
        name: text::capitalize(name),
        note: rest.to_owned(),
        price: format!("{from}{}", first.written(bare)),
        sizes: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(item: Option<Priced>) -> Option<String> {
        item.map(|item| format!("{} | {} | {}", item.name, item.note, item.price))
    }

    #[test]
    fn what_costs_nothing_has_that_for_its_price() {
        for (text, item) in [
            ("Under 4s ........ free", "Under 4s |  | free"),
            ("Geburtstagskinder: frei", "Geburtstagskinder |  | frei"),
            ("moins de 12 ans – gratuit", "Moins de 12 ans |  | gratuit"),
            ("Delivery = free of charge.", "Delivery |  | free of charge"),
        ] {
            assert_eq!(plain(free(text)).as_deref(), Some(item), "{text}");
        }
        for text in
            ["gluten free", "Entry free", "Smoke-free", "free", "We open at 8 and parking is free", "dogs welcome"]
        {
            assert_eq!(plain(free(text)), None, "{text}");
        }
    }

    #[test]
    fn a_thing_may_have_one_price_or_another() {
        assert_eq!(
            plain(either("Wine is £5 a glass or £18 a bottle")).as_deref(),
            Some("Wine |  | £5 a glass or £18 a bottle")
        );
        assert_eq!(
            plain(either("Brot 3,20 € oder 6 € das Kilo")).as_deref(),
            Some("Brot |  | 3,20 € oder 6 € das Kilo")
        );
        assert_eq!(plain(either("tea £2, cake or bun £3")), None);
    }

    #[test]
    fn a_price_may_stand_behind_a_colon() {
        assert_eq!(
            plain(labelled("Motorhome: from £13, with power")).as_deref(),
            Some("Motorhome | with power | from £13")
        );
        assert_eq!(plain(labelled("Wohnmobil: ab 13,00 €")).as_deref(), Some("Wohnmobil |  | ab 13,00 €"));
        assert_eq!(plain(labelled("Dogs: free, on a lead")).as_deref(), Some("Dogs | on a lead | free"));
        assert_eq!(plain(labelled("Blade sharpening: from 18")).as_deref(), Some("Blade sharpening |  | from 18"));
        assert_eq!(plain(labelled("Lunch: from 12 to 2")), None);
        assert_eq!(plain(labelled("Pasta: 9 € Carbonara, 8 € Pesto")), None);
        assert_eq!(plain(labelled("Pizza: Margherita 9,50 €")), None);
    }
}
