//! Prices by size: “Latte small 3.20, medium 3.80, large 4.40” is one thing with three prices.
//!
//! Deliberately not here: what a price is (`prices`).

use super::amounts::amounts;
use super::text;
use crate::content::Priced;

/// Words for sizes and portions, in small letters.
#[rustfmt::skip]
const SIZES: &[&str] = &[
    "small", "medium", "large", "regular", "big", "xs", "s", "m", "l", "xl", "xxl", "single", "double", "triple", "half", "whole", "full", "slice",
    "glass", "bottle", "carafe", "pint", "half pint", "child", "children", "adult", "adults", "short", "tall", "klein", "kleine", "kleiner", "kleines",
    "mittel", "mittlere", "mittlerer", "mittleres", "groß", "große", "großer", "großes", "einfach", "doppelt", "halb", "halbe", "ganz", "ganze", "glas",
    "flasche", "stück", "kinder", "erwachsene", "petit", "petite", "moyen", "moyenne", "grand", "grande", "verre", "bouteille", "demi", "pequeño",
    "pequeña", "mediano", "mediana", "copa", "botella", "piccolo", "piccola", "medio", "media", "bicchiere", "bottiglia", "calice",
];

/// Whether words are a size and nothing else.
fn is_size(words: &str) -> bool {
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

/// “Latte small 3.20 medium 3.80”: the text before each size that stands between two prices, where there is one.
pub fn cut(piece: &str) -> Vec<String> {
    let found = amounts(piece);
    let mut cuts: Vec<usize> = Vec::new();
    for pair in found.windows(2) {
        let between = piece[pair[0].end..pair[1].start].trim_matches([' ', '/', ';']);
        // “0,1 l 4,20”: behind a number a small letter is its unit.
        let is_unit = between.len() == 1 && between.bytes().all(|letter| letter.is_ascii_lowercase());
        if is_size(between) && !is_unit {
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
    use crate::read::prices;

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
            ("Becher klein 4,50 groß 8,50", "Becher", vec!["Klein", "Groß"], "4,50 / 8,50"),
        ] {
            let items = prices::list_of(text, 1).expect("prices");
            let [item] = items.as_slice() else { panic!("{items:?}") };
            assert_eq!((item.name.as_str(), item.price.as_str()), (name, price));
            assert_eq!(item.sizes, sizes);
        }
        let items = prices::list_of("Riesling 0,1 l 4,20", 1).expect("prices");
        assert_eq!(items.iter().map(|item| item.price.as_str()).collect::<Vec<_>>(), ["4,20"], "{items:?}");
        let items = prices::list_of("Small plate 4.50, large plate 9.00, tea 2.10", 1).expect("prices");
        assert!(items.len() == 3 && items.iter().all(|item| item.sizes.is_empty()), "{items:?}");
    }
}
