//! Prices by size: “Latte small 3.20, medium 3.80, large 4.40” is one thing with three prices.
//!
//! Deliberately not here: what a price is (`prices`).

use super::amounts::{amounts, is_currency, value_of};
use super::text;
use crate::content::Priced;

/// Words for sizes and portions, in small letters.
#[rustfmt::skip]
const SIZES: &[&str] = &[
    "small", "medium", "large", "regular", "big", "xs", "s", "m", "l", "xl", "xxl", "single", "double", "triple", "half", "whole", "full", "slice",
    "kids", "kid", "adult", "youth", "juniors", "seniors", "concession", "concessions", "reduced", "members", "jugendliche", "senioren", "ermäßigt", "regulär",
    "niños", "adultos", "enfants", "adultes", "bambini", "adulti", "glass", "bottle", "carafe", "pint", "half pint", "child", "children", "adult", "adults", "short", "tall", "klein", "kleine", "kleiner", "kleines",
    "mittel", "mittlere", "mittlerer", "mittleres", "groß", "große", "großer", "großes", "einfach", "doppelt", "halb", "halbe", "ganz", "ganze", "glas",
    "flasche", "stück", "kinder", "erwachsene", "petit", "petite", "moyen", "moyenne", "grand", "grande", "verre", "bouteille", "demi", "pequeño",
    "pequeña", "mediano", "mediana", "copa", "botella", "piccolo", "piccola", "medio", "media", "bicchiere", "bottiglia", "calice",
];

/// Whether words are a size and nothing else.
pub fn is_size(words: &str) -> bool {
    SIZES.contains(&words.trim().to_lowercase().as_str())
}

/// The name of a thing and its size, where both stand together: “Latte small”, “Latte – small”.
fn divide(item: &Priced) -> Option<(&str, &str)> {
    if is_size(&item.note) {
        return Some((item.name.as_str(), item.note.trim()));
    }
    let (name, size) = item.name.rsplit_once(' ').filter(|_| item.note.is_empty())?;
    let name = name.trim_end_matches([',', ':', '–', '-', ' ']);
    (is_size(size) && !name.is_empty() && !is_size(name)).then_some((name, size))
}

/// Things that follow each other and differ in nothing but their size become one.
pub fn join(items: Vec<Priced>) -> Vec<Priced> {
    let mut joined: Vec<Priced> = Vec::with_capacity(items.len());
    let mut items = items.into_iter().peekable();
    while let Some(item) = items.next() {
        let is_more = |next: &Priced| is_size(&next.name) && next.note.is_empty();
        let Some((name, size)) = divide(&item).filter(|_| items.peek().is_some_and(is_more)) else {
            joined.push(item);
            continue;
        };
        let mut whole = Priced { name: name.to_owned(), sizes: vec![text::capitalize(size)], ..Priced::default() };
        let mut prices = vec![item.price.clone()];
        while let Some(next) = items.next_if(is_more) {
            whole.sizes.push(next.name);
            prices.push(next.price);
        }
        whole.price = prices.join(Priced::BETWEEN_PRICES);
        joined.push(whole);
    }
    joined
}

/// The one thing whose sizes these are; `None` where one of them is more than a size.
pub fn all_of(name: &str, items: &[Priced]) -> Option<Priced> {
    (items.len() >= 2 && items.iter().all(|item| is_size(&item.name) && item.note.is_empty())).then(|| Priced {
        name: name.to_owned(),
        note: String::new(),
        price: items.iter().map(|item| item.price.as_str()).collect::<Vec<_>>().join(Priced::BETWEEN_PRICES),
        sizes: items.iter().map(|item| item.name.clone()).collect(),
    })
}

/// “Rioja 2020 — copa 3,50 — botella 18”: a thing and its sizes with dashes between them.
pub fn dashed(text: &str) -> Option<Priced> {
    let dash = text::DASHES.iter().find(|dash| text.matches(**dash).count() >= 2)?;
    let mut pieces = text.split(dash).map(str::trim);
    let name = pieces.next()?;
    let items: Vec<Priced> = pieces.map(super::prices::priced).collect::<Option<_>>()?;
    let mut whole = all_of(name, &items).filter(|_| name.contains(char::is_alphabetic))?;
    whole.name = text::capitalize(name);
    whole.sizes.iter_mut().for_each(|size| *size = text::capitalize(size));
    Some(whole)
}

/// “Pale 4.2 % – 5.20 pint / 2.70 half”: each size stands behind its price.
pub fn behind(text: &str) -> Option<Priced> {
    let (name, told) = text::split_at_dash(text)?;
    let pieces: Vec<&str> = told.split(" / ").map(str::trim).collect();
    let pairs: Vec<(&str, &str)> = pieces.iter().map(|piece| piece.split_once(' ')).collect::<Option<_>>()?;
    let is_sized = pairs.len() >= 2
        && pairs.iter().all(|(price, size)| {
            is_size(size) && amounts(price).len() == 1 && price.chars().any(|letter| letter.is_ascii_digit())
        });
    is_sized.then(|| Priced {
        name: text::capitalize(name.trim()),
        note: String::new(),
        price: pairs.iter().map(|(price, _)| *price).collect::<Vec<_>>().join(Priced::BETWEEN_PRICES),
        sizes: pairs.iter().map(|(_, size)| text::capitalize(size)).collect(),
    })
}

/// “small, medium, large”, “klein | mittel | groß”: sizes and nothing else, at least two.
pub fn listed(words: &str) -> Option<Vec<String>> {
    let words = words.trim().trim_end_matches(':');
    let divided = [" / ", "/", "|", ";", ","].iter().find(|mark| words.contains(**mark));
    let pieces: Vec<&str> = match divided {
        Some(mark) => words.split(mark).map(str::trim).collect(),
        None => words.split_whitespace().collect(),
    };
    (pieces.len() >= 2 && pieces.iter().all(|piece| is_size(piece)))
        .then(|| pieces.iter().map(|piece| text::capitalize(piece)).collect())
}

/// “Bath 25, 35, 50” under so many sizes: a thing with a price for each of them.
pub fn row_of(words: &str, sizes: &[String]) -> Option<Priced> {
    let words = words.trim().trim_end_matches('.');
    let found = amounts(words);
    let first = found.len().checked_sub(sizes.len()).filter(|_| sizes.len() >= 2)?;
    let prices = &found[first..];
    let is_between = |text: &str| text.chars().all(|letter| matches!(letter, ' ' | ',' | '/' | '|' | ';'));
    let is_row = prices.windows(2).all(|pair| is_between(&words[pair[0].end..pair[1].start]))
        && prices.last().is_some_and(|last| last.end == words.len());
    // “07700 900 618” is a telephone, and beside whole numbers a number in the name is one more of them.
    let are_prices = prices.iter().all(|price| price.is_price(words))
        || first == 0 && prices.iter().all(|price| price.value < 1000.0 && !price.written(words).starts_with('0'));
    let name = words[..prices.first()?.start].trim().trim_end_matches([':', '–', '-', '—', '…', '.', '|', ',', ' ']);
    let written = prices.iter().map(|price| price.written(words)).collect::<Vec<_>>();
    (is_row && are_prices && name.chars().any(char::is_alphabetic)).then(|| Priced {
        name: text::capitalize(name),
        note: String::new(),
        price: written.join(Priced::BETWEEN_PRICES),
        sizes: sizes.to_vec(),
    })
}

/// “Latte small/large 3.20/3.80 €”: a thing whose sizes and prices stand in the same order with slashes between them.
pub fn slashed(text: &str) -> Option<Priced> {
    let joined = text.replace(" / ", "/");
    let words: Vec<&str> = joined.split_whitespace().collect();
    let parts = |word: &&str| word.trim_matches(['(', ')', ',', ':']).split('/').map(str::to_owned).collect::<Vec<_>>();
    let is_several = |parts: &[String]| parts.len() >= 2;
    let sizes_at =
        words.iter().position(|word| is_several(&parts(word)) && parts(word).iter().all(|part| is_size(part)))?;
    let sizes = parts(&words[sizes_at]);
    let number = |part: &str| part.trim_matches(|letter: char| !letter.is_ascii_digit()).to_owned();
    let is_price = |part: &String| {
        let bare = number(part);
        value_of(&bare).is_some() && (bare == *part || is_currency(&part.replacen(&bare, "", 1)))
    };
    let prices_at =
        words.iter().position(|word| parts(word).len() == sizes.len() && parts(word).iter().all(is_price))?;
    let prices = parts(&words[prices_at]);
    // A currency beside the prices is that of each.
    let is_apart = |at: usize| words.get(at).is_some_and(|word| is_currency(word.trim_end_matches([',', '.'])));
    let behind = is_apart(prices_at + 1).then_some(prices_at + 1);
    let before = prices_at.checked_sub(1).filter(|at| is_apart(*at));
    let (first, last) = (prices.first()?, prices.last()?);
    // “€3/4”, “3/4€”: a sign that stands at one of them is that of all.
    let around = |part: &str| {
        part.split_once(&number(part)).map(|(lead, tail)| (lead.to_owned(), tail.to_owned())).unwrap_or_default()
    };
    let lead = before.map_or_else(|| around(first).0, |at| format!("{} ", words[at]));
    let tail = behind.map_or_else(|| around(last).1, |at| format!(" {}", words[at].trim_end_matches([',', '.'])));
    let written = prices.iter().map(|price| format!("{lead}{}{tail}", number(price)));
    let price = written.collect::<Vec<_>>().join(Priced::BETWEEN_PRICES);
    let is_name = |at: &usize| ![Some(sizes_at), Some(prices_at), behind, before].contains(&Some(*at));
    let name: Vec<&str> = (0..words.len()).filter(is_name).map(|at| words[at]).collect();
    let name = name.join(" ");
    let name = name.trim_matches([',', ':', ';', '–', '-', '.', ' ']);
    (!name.is_empty()).then(|| Priced {
        name: text::capitalize(name),
        note: String::new(),
        price,
        sizes: sizes.iter().map(|size| text::capitalize(size)).collect(),
    })
}

/// “Latte small 3.20 medium 3.80”: the text before each size that stands between two prices, where there is one.
pub fn cut(piece: &str) -> Vec<String> {
    let found = amounts(piece);
    let mut cuts: Vec<usize> = Vec::new();
    for pair in found.windows(2) {
        let between = piece[pair[0].end..pair[1].start].trim_matches([' ', '/', ';']);
        // “Muscadet 2022 verre 5 €”: a year belongs to the name.
        let is_year = !pair[0].is_price(piece) && (1900.0..2100.0).contains(&pair[0].value);
        // “0,1 l 4,20”: behind a number a small letter is its unit.
        let is_unit = between.len() == 1 && between.bytes().all(|letter| letter.is_ascii_lowercase());
        // “Marillenknödel 3 Stück 9,20”: so many pieces for their price.
        let is_count = matches!(
            between.to_lowercase().as_str(),
            "stück" | "stk" | "stk." | "pcs" | "pc" | "pieces" | "pièces" | "piezas" | "uds" | "pezzi" | "peças"
        ) && !pair[0].is_price(piece);
        if is_size(between) && !is_unit && !is_year && !is_count {
            cuts.push(pair[0].end);
        }
    }
    let mut pieces = Vec::with_capacity(cuts.len() + 1);
    let mut from = 0;
    for at in cuts.into_iter().chain([piece.len()]) {
        pieces.push(piece[from..at].trim_matches([' ', '/', ';']).to_owned());
        from = at;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::prices;

    #[test]
    fn under_sizes_a_thing_has_a_price_for_each() {
        for (head, row, name, price) in [
            ("small, medium, large", "Bath 25, 35, 50", "Bath", "25 / 35 / 50"),
            ("klein | mittel | groß", "Baden: 20 € | 28 € | 38 €", "Baden", "20 € / 28 € / 38 €"),
            ("kids / adults", "Day pass 6.50 / 9.00", "Day pass", "6.50 / 9.00"),
            ("Kinder Erwachsene", "Zehnerkarte 25,00 42,00", "Zehnerkarte", "25,00 / 42,00"),
        ] {
            let sizes = listed(head).unwrap_or_else(|| panic!("{head}"));
            let item = row_of(row, &sizes).unwrap_or_else(|| panic!("{row}"));
            assert_eq!((item.name.as_str(), item.price.as_str(), item.sizes.len()), (name, price, sizes.len()));
        }
        assert_eq!(listed("soup, salad, bread"), None);
        assert_eq!(row_of("Ring ahead 07700 900 618", &["Small".to_owned(), "Large".to_owned()]), None);
        assert_eq!(row_of("Open 9 to 5", &["Small".to_owned(), "Large".to_owned()]), None);
    }

    #[test]
    fn sizes_of_one_thing_are_one_thing() {
        for (text, name, sizes, price) in [
            (
                "Latte small 3.20, medium 3.80, large 4.40",
                "Latte",
                vec!["Small", "Medium", "Large"],
                "3.20 / 3.80 / 4.40",
            ),
            ("Riesling glass 6.50, bottle 28.00", "Riesling", vec!["Glass", "Bottle"], "6.50 / 28.00"),
            ("Muscadet 2022 verre 5 € / bouteille 24 €", "Muscadet 2022", vec!["Verre", "Bouteille"], "5 € / 24 €"),
            ("Becher klein 4,50 groß 8,50", "Becher", vec!["Klein", "Groß"], "4,50 / 8,50"),
            ("Latte small/large 3.20/3.80", "Latte", vec!["Small", "Large"], "3.20 / 3.80"),
            ("Kakao (klein/groß) 3/4 €", "Kakao", vec!["Klein", "Groß"], "3 € / 4 €"),
            ("Mocha S/M/L €3/4/5", "Mocha", vec!["S", "M", "L"], "€3 / €4 / €5"),
            ("Chai small / large: 3/4€", "Chai", vec!["Small", "Large"], "3€ / 4€"),
            ("Rioja 2020 — copa 3,50 — botella 18", "Rioja 2020", vec!["Copa", "Botella"], "3,50 / 18"),
            ("Pale 4.2% – 5.20 pint / 2.70 half", "Pale 4.2%", vec!["Pint", "Half"], "5.20 / 2.70"),
        ] {
            let items = prices::price_list_of(text, 1).expect("prices");
            let [item] = items.as_slice() else { panic!("{items:?}") };
            assert_eq!((item.name.as_str(), item.price.as_str()), (name, price));
            assert_eq!(item.sizes, sizes);
        }
        let items = prices::price_list_of("Riesling 0,1 l 4,20", 1).expect("prices");
        assert_eq!(items.iter().map(|item| item.price.as_str()).collect::<Vec<_>>(), ["4,20"], "{items:?}");
        let items = prices::price_list_of("Small plate 4.50, large plate 9.00, tea 2.10", 1).expect("prices");
        assert!(items.len() == 3 && items.iter().all(|item| item.sizes.is_empty()), "{items:?}");
    }
}
