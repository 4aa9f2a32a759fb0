//! Names and what each costs, as in a menu: “Espresso 2.40, Flat white 3.20 (oat +0.50)”.

use super::amounts::amounts;
use super::text;
use crate::content::{MenuGroup, Priced};

/// A thing and its price; `None` where a text does not end with one.
pub fn priced(text: &str) -> Option<Priced> {
    let text = text.trim().trim_end_matches(['.', ';', ',']).trim();
    let found = amounts(text);
    // “04 55 50 18 76” is a telephone.
    let is_called = found.len() >= 2
        && found.windows(2).any(|pair| {
            text[pair[0].end..pair[1].start].trim().is_empty() && pair.iter().all(|amount| !amount.is_price(text))
        });
    let price = found.iter().rev().find(|amount| amount.is_price(text)).or_else(|| {
        found.last().filter(|amount| {
            !is_called
                && amount.end == text.len()
                && amount.prefix.is_empty()
                && amount.suffix.is_empty()
                && !is_year(amount.value)
        })
    })?;
    // “Last orders 1.30 am” tells an hour.
    let unit = text[price.end..].split_whitespace().next().unwrap_or_default().to_lowercase();
    let suffix = price.suffix.to_lowercase();
    if ["am", "pm", "a.m.", "p.m.", "uhr"].iter().any(|hour| unit == *hour || suffix == *hour) {
        return None;
    }
    // Several sizes have several prices, side by side: “Pils 0,3 l 3,20 € / 0,5 l 4,60 €”.
    let first =
        found.iter().filter(|amount| amount.is_price(text)).map(|amount| amount.start).next().unwrap_or(price.start);
    let between = &text[first..price.start];
    let is_row = between
        .chars()
        .all(|letter| letter.is_ascii_digit() || letter.is_whitespace() || "/|,.€$£l-–".contains(letter));
    let start = if is_row { first } else { price.start };
    let name = text[..start].trim().trim_end_matches(['.', ':', '–', '-', '—', '…', '=', ',', '@', ' ']).trim();
    let behind = text[price.end..].trim();
    let behind = behind.trim_start_matches([',', ';', '–', '-', '—', ' ']);
    if name.is_empty() || name.chars().count() > 120 || behind.chars().count() > 140 {
        return None;
    }
    // A sentence that mentions a price is no item of a list of prices.
    let is_sentence =
        name.split_whitespace().count() > 9 || name.ends_with(" for") || name.ends_with(" of") || name.ends_with(" at");
    if is_sentence {
        return None;
    }
    let (name, mut note) = match text::name_and_words(name).filter(|(head, _)| !head.is_empty()) {
        Some((head, words)) => (head, words),
        None => (name.to_owned(), String::new()),
    };
    if !behind.is_empty() {
        let behind = behind.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(behind);
        note = if note.is_empty() { behind.to_owned() } else { format!("{note}, {behind}") };
    }
    Some(Priced { name: text::capitalize(&name), note, price: text[start..price.end].trim().to_owned() })
}

/// “since 1987”, “30 August 2025”: a year is no price.
fn is_year(value: f64) -> bool {
    value.fract() == 0.0 && (1800.0..2200.0).contains(&value)
}

/// The list of prices that a text is: at least `least` things, each with its price.
pub fn list_of(text: &str, least: usize) -> Option<Vec<Priced>> {
    let mut items = Vec::new();
    for piece in pieces(text) {
        match priced(&piece) {
            Some(item) => items.push(item),
            // Words between commas that have no price belong to the thing that follows or that went before.
            None => items.push(Priced { name: piece, note: String::new(), price: String::new() }),
        }
    }
    let mut joined: Vec<Priced> = Vec::new();
    let mut waiting: Vec<String> = Vec::new();
    for item in items {
        if item.price.is_empty() {
            waiting.push(item.name);
            continue;
        }
        if waiting.is_empty() {
            joined.push(item);
            continue;
        }
        // “Flammkuchen, Speck, Zwiebeln 9,50”: the first words are the name.
        let name = waiting.remove(0);
        let mut words = std::mem::take(&mut waiting);
        words.push(lower_first(&item.name));
        if !item.note.is_empty() {
            words.push(item.note);
        }
        joined.push(Priced { name: text::capitalize(&name), note: words.join(", "), price: item.price });
    }
    let has_rest = !waiting.is_empty();
    if has_rest {
        let last = joined.last_mut()?;
        if waiting.iter().any(|words| words.split_whitespace().count() > 8) {
            return None;
        }
        let rest = waiting.join(", ");
        last.note = if last.note.is_empty() { rest } else { format!("{}, {rest}", last.note) };
    }
    (joined.len() >= least).then_some(joined)
}

fn lower_first(text: &str) -> String {
    // A name that was made large at its beginning only.
    text.to_owned()
}

fn pieces(text: &str) -> Vec<String> {
    let text = text.trim().trim_end_matches(['.', ';', ',']);
    let semicolons = text::by_semicolon(text);
    if semicolons.len() > 1 {
        return semicolons;
    }
    let bars = text::by_bar(text);
    // “0,3 l 3,20 / 0,5 l 4,60” is one thing.
    if bars.len() > 1 && bars.iter().all(|piece| priced(piece).is_some()) {
        return bars;
    }
    let mut pieces = text::clauses(text);
    // “… and Earl Grey 2.80”: where both sides have their price.
    if let Some(last) = pieces.pop() {
        let divided = [" and ", " und ", " et ", " y ", " e "].iter().find_map(|and| {
            let (one, two) = last.split_once(and)?;
            (priced(one).is_some() && priced(two).is_some()).then(|| [one.to_owned(), two.to_owned()])
        });
        match divided {
            Some(both) => pieces.extend(both),
            None => {
                pieces
                    .push(last.strip_prefix("and ").or_else(|| last.strip_prefix("und ")).unwrap_or(&last).to_owned());
            }
        }
    }
    pieces
}

/// Things with prices under the name of their group.
pub fn group(name: &str, items: Vec<Priced>) -> MenuGroup {
    MenuGroup { name: text::capitalize(name), items }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(items: &[Priced]) -> Vec<(&str, &str, &str)> {
        items.iter().map(|item| (item.name.as_str(), item.note.as_str(), item.price.as_str())).collect()
    }

    #[test]
    fn reads_a_menu_as_it_is_written() {
        let items = list_of("Espresso 2,40, Cappuccino 3,20 € and Tea (mint, ginger) €2.80", 2).expect("prices");
        assert_eq!(
            plain(&items),
            [("Espresso", "", "2,40"), ("Cappuccino", "", "3,20 €"), ("Tea", "mint, ginger", "€2.80")]
        );
        let items = list_of("Haircut – 45 min – €38; Colour from €60", 2).expect("prices");
        assert_eq!(items[0].price, "€38");
        assert_eq!(items[1].name, "Colour from");
    }

    #[test]
    fn leaves_sentences_alone() {
        assert_eq!(list_of("We raised prices by 3% last year and sold 1,200 loaves, thanks to you", 2), None);
        assert_eq!(priced("Free entry"), None);
        assert_eq!(priced("Last orders 1.30 am"), None);
    }
}
