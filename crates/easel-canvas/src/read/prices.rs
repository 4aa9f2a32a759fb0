//! Names and what each costs, as in a menu: “Espresso 2.40, Flat white 3.20 (oat +0.50)”.

mod brackets;
pub mod odd;
pub mod told;
pub mod words;

use super::amounts::{Amount, amounts};
use super::{sizes, text};
use crate::content::{MenuGroup, Priced};

/// A thing and its price; `None` where a text does not end with one.
pub fn priced(text: &str) -> Option<Priced> {
    let text = text.trim().trim_end_matches(['.', ';', ',']).trim();
    if let Some(item) = sizes::slashed(text).or_else(|| sizes::dashed(text)).or_else(|| sizes::behind(text)) {
        return Some(item);
    }
    if let Some(item) = in_brackets(text).or_else(|| odd::either(text)) {
        return Some(item);
    }
    // “new zip, £15 (jeans £18)”: what stands in brackets behind a price is said of it.
    if let Some((head, inner)) = text.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("))
        && amounts(head).iter().any(|amount| amount.is_price(head))
        && amounts(inner).iter().any(|amount| amount.is_price(inner))
        && let Some(mut item) = priced(head)
    {
        words::add_note(&mut item, inner);
        return Some(item);
    }
    // “diavola 9 (salame piccante)”: so of a price without a currency, where what is in brackets has no number.
    if let Some((head, inner)) = text.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("))
        && (amounts(inner).is_empty() || !inner.contains(',') && priced(inner).is_some_and(|other| !is_year_of(&other)))
        && amounts(head).last().is_some_and(|last| last.end == head.len() && last.start > 0)
        && let Some(mut item) = priced(head)
    {
        words::add_note(&mut item, inner);
        return Some(item);
    }
    if let Some(item) = with_more(text) {
        return Some(item);
    }
    if let Some(item) = ranged(text) {
        return Some(item);
    }
    let found = amounts(text);
    // “04 55 50 18 76” is a telephone; “Rioja 2020   7” is a year and a price.
    let is_called = found.len() >= 2
        && found.windows(2).any(|pair| {
            text[pair[0].end..pair[1].start].trim().is_empty()
                && pair.iter().all(|amount| !amount.is_price(text))
                && !is_year(pair[0].value)
        });
    let price = price_of(text, &found, is_called)?;
    if is_hour(text, price) && !is_per_piece(&text[price.end..]) {
        return None;
    }
    // Several sizes have several prices, side by side: “Pils 0,3 l 3,20 € / 0,5 l 4,60 €”.
    let first =
        found.iter().filter(|amount| amount.is_price(text)).map(|amount| amount.start).next().unwrap_or(price.start);
    let between = &text[first..price.start];
    let is_row = between
        .chars()
        .all(|letter| letter.is_ascii_digit() || letter.is_whitespace() || "/|,.€$£l-–".contains(letter));
    let start = if is_row && first < price.start { first } else { row_start(text, &found, price) };
    // “shorten, from £12”: the word belongs to the price.
    let lower = text[..start].to_lowercase();
    let behind_name = |lead: &&str| {
        let head = lower.strip_suffix(' ')?.strip_suffix(*lead)?.strip_suffix(' ')?;
        (lower.len() == start && !head.is_empty()).then_some(head.len() + 1)
    };
    let start = words::FROM.iter().find_map(behind_name).unwrap_or(start);
    let name =
        text[..start].trim().trim_end_matches(['.', ':', '–', '-', '—', '…', '=', ',', '@', '/', '|', ' ']).trim();
    let end = row_end(text, &found, price);
    let behind = text[end..].trim();
    let behind = behind.trim_start_matches([',', ';', '–', '-', '—', ' ']);
    if name.is_empty() || name.chars().count() > 120 || behind.chars().count() > 140 {
        return None;
    }
    // “5 lessons for 190 £”: so many at once for their price.
    let is_counted =
        name.split_whitespace().count() <= 6 && amounts(name).iter().any(|amount| amount.suffix.is_empty());
    let name = if is_counted { name.strip_suffix(" for").or(name.strip_suffix(" für")).unwrap_or(name) } else { name };
    if is_told(name, price, text, behind) {
        return None;
    }
    let name = words::joined(name);
    let (name, mut note) = match text::name_and_words(name).filter(|(head, _)| !head.is_empty()) {
        Some((head, words)) => (head, words),
        None => (name.to_owned(), String::new()),
    };
    if !behind.is_empty() {
        let behind = behind.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(behind);
        note = if note.is_empty() { behind.to_owned() } else { format!("{note}, {behind}") };
    }
    Some(Priced { name: text::capitalize(&name), note, price: text[start..end].trim().to_owned(), sizes: Vec::new() })
}

/// Whether a name before a price is a sentence that mentions it, an hour or a street.
fn is_told(name: &str, price: &Amount, text: &str, behind: &str) -> bool {
    // “Rua do Loureiro, 41”: a whole number behind the name of a street is a house.
    let is_house = price.prefix.is_empty()
        && price.suffix.is_empty()
        && !text[price.start..price.end].contains(['.', ','])
        && (behind.is_empty() || text[price.end..].starts_with(','))
        && name.split_whitespace().rev().take(4).any(super::streets::names_street);
    if is_house {
        return true;
    }
    let until = [" to", " till", " until", " bis", " um", " before", " after", " vor", " nach"];
    price.prefix.is_empty() && price.suffix.is_empty() && until.iter().any(|word| name.to_lowercase().ends_with(word))
        || name.split_whitespace().count() > 9
        // “It's 8 quid on the door”.
        || matches!(name.to_lowercase().as_str(), "it" | "it's" | "its" | "it is" | "that's" | "thats" | "es" | "das sind" | "c'est" | "es kostet")
        || name.ends_with(" for")
        || name.ends_with(" of")
        || name.ends_with(" at")
        || name.ends_with(" than")
        || name.ends_with(" als")
}

/// The price among the amounts of a text: the last with a currency, else a bare number at the end.
fn price_of<'a>(text: &str, found: &'a [Amount], is_called: bool) -> Option<&'a Amount> {
    // “tue ravioli 7.5”: the day is the name of what there is.
    let told = super::dates::divide_day(text).map_or(text, |(_, told)| told);
    found.iter().rev().find(|amount| amount.is_price(text)).or_else(|| {
        found.last().filter(|amount| {
            // “Deck chair ..... 3 for the whole day”: dots lead to a price, whatever stands behind it.
            let is_led =
                text[..amount.start].trim_end().ends_with("..") || text[..amount.start].trim_end().ends_with('…');
            let is_sold_so = is_led || is_per_piece(&text[amount.end..]);
            !is_called
                && (amount.end == text.len() || is_sold_so)
                && matches!(amount.prefix.as_str(), "" | "+")
                && amount.suffix.is_empty()
                && !is_year(amount.value)
                && (is_sold_so || !super::dates::has_moment(told))
        })
    })
}

/// “per nail”, “am Tag”, “each”: words behind a price that say what it is for and nothing else.
fn is_per_piece(behind: &str) -> bool {
    #[rustfmt::skip]
    const STRETCHES: &[&str] = &[
        "day", "week", "month", "year", "hour", "night", "head", "person", "piece", "pair", "tag", "woche", "monat", "jahr", "stunde", "nacht", "jour", "día",
        "giorno", "mes", "mese", "mois",
    ];
    let words = text::words(behind);
    // “35 plus Material”, “12 incl. towel”: what is had for it, or comes on top.
    let is_more = words.first().is_some_and(|lead| {
        matches!(
            lead.as_str(),
            "plus" | "zzgl" | "inkl" | "incl" | "including" | "inklusive" | "excl" | "exkl" | "compris" | "incluso"
        )
    });
    if is_more && (2..=4).contains(&words.len()) && !behind.contains(|letter: char| letter.is_ascii_digit()) {
        return true;
    }
    match words.as_slice() {
        [only] => matches!(only.as_str(), "each" | "apiece" | "pp"),
        [lead, thing] | [lead, _, thing] => {
            let is_counted = thing.chars().any(|letter| letter.is_ascii_digit());
            matches!(lead.as_str(), "per" | "pro" | "je" | "par" | "por") && !is_counted
                || matches!(lead.as_str(), "a" | "an" | "am" | "al" | "in" | "im" | "die" | "the")
                    && STRETCHES.contains(&thing.as_str())
        }
        _ => false,
    }
}

/// Whether a price is had beside another one: “+5”.
fn is_surcharge(item: &Priced) -> bool {
    item.price
        .strip_prefix('+')
        .is_some_and(|more| more.chars().all(|letter| letter.is_ascii_digit() || ".,".contains(letter)))
}

/// “Express +5”: what is had for more, on a line of its own.
pub fn surcharge(text: &str) -> Option<Priced> {
    priced(text).filter(|item| is_surcharge(item) && text::clauses(text).len() == 1)
}

/// “Last orders 1.30 am” tells an hour.
fn is_hour(text: &str, price: &Amount) -> bool {
    let unit = text[price.end..].split_whitespace().next().unwrap_or_default().to_lowercase();
    let suffix = price.suffix.to_lowercase();
    ["am", "pm", "a.m.", "p.m.", "uhr"].iter().any(|hour| unit == *hour || suffix == *hour)
}

/// “All prices in pounds” is said of what stands around it.
pub fn speaks_of_prices(text: &str) -> bool {
    let words = text::words(text);
    words.len() >= 3
        && words
            .iter()
            .any(|word| matches!(word.as_str(), "prices" | "preise" | "prix" | "precios" | "prezzi" | "preços"))
}

/// Words before hours: “closed for lunch 1–1.45”.
#[rustfmt::skip]
const OF_HOURS: &[&str] = &[
    "open", "closed", "hours", "lunch", "geöffnet", "offen", "geschlossen", "mittagspause", "ouvert", "fermé", "abierto", "cerrado", "aperto", "chiuso", "gesloten",
];

/// “Dry cut 35-50, depending on length”: from one price to another, and what it depends on.
fn ranged(text: &str) -> Option<Priced> {
    let (head, note) = text.split_once(", ").unwrap_or((text, ""));
    let (name, prices) = head.rsplit_once(' ')?;
    let (least, most) = prices.split_once(['-', '–'])?;
    let value = |digits: &str| digits.parse::<f64>().ok().filter(|value| (1.0..1_000.0).contains(value));
    let is_range = value(least).zip(value(most)).is_some_and(|(least, most)| least < most);
    // “Chapter 35-50” and “aged 4-15” count something else.
    let is_name = (1..=6).contains(&name.split_whitespace().count())
        && !name.contains(|letter: char| letter.is_ascii_digit())
        && ![
            "aged", "ages", "age", "pages", "page", "alter", "von", "from", "seite", "seiten", "no", "nr", "at", "open",
        ]
        .contains(&text::words(name).last().map_or("", String::as_str));
    let is_shut = text::words(name).iter().any(|word| OF_HOURS.contains(&word.as_str()));
    let is_note = note.is_empty() || note.split_whitespace().count() <= 5 && amounts(note).is_empty();
    (is_range && is_name && !is_shut && is_note && !super::dates::has_moment(text)).then(|| Priced {
        name: text::capitalize(name),
        note: note.to_owned(),
        price: prices.to_owned(),
        sizes: Vec::new(),
    })
}

/// “Ada Lind (€50k)”: a price alone in brackets.
fn in_brackets(text: &str) -> Option<Priced> {
    let (head, inner) = text.strip_suffix(')')?.rsplit_once(" (")?;
    let found = amounts(inner);
    let [price] = found.as_slice() else { return None };
    let is_alone = price.is_price(inner)
        && (price.start, price.end) == (0, inner.len())
        && amounts(head).is_empty()
        && head.split_whitespace().count() <= 6;
    if !is_alone {
        return None;
    }
    let (name, note) = text::name_and_words(head).unwrap_or_else(|| (head.to_owned(), String::new()));
    Some(Priced { name: text::capitalize(&name), note, price: inner.to_owned(), sizes: Vec::new() })
}

/// “tteokbokki 7, extra cheese +1”: what is had for more is said of the thing.
fn with_more(text: &str) -> Option<Priced> {
    let (head, more) = text.rsplit_once(", ")?;
    let last = amounts(more).pop()?;
    if !last.prefix.starts_with('+') || last.end != more.len() || last.start == 0 {
        return None;
    }
    let mut item = priced(head)?;
    words::add_note(&mut item, more);
    Some(item)
}

/// Whether what stands for a price is a year.
fn is_year_of(item: &Priced) -> bool {
    item.price.parse::<f64>().is_ok_and(is_year)
}

/// Where prices end that follow this one: “4,50 / 8”.
fn row_end(text: &str, found: &[Amount], price: &Amount) -> usize {
    let mut end = price.end;
    for amount in found.iter().filter(|amount| amount.start >= price.end) {
        if !matches!(text[end..amount.start].trim(), "/" | "|") {
            break;
        }
        end = amount.end;
    }
    end
}

/// Where prices begin that lead to this one: “8 / 11”, “40,- bis 65,-”.
fn row_start(text: &str, found: &[Amount], price: &Amount) -> usize {
    let mut start = price.start;
    for amount in found.iter().rev().filter(|amount| amount.end <= price.start) {
        let between = text[amount.end..start].trim().to_lowercase();
        let leads = matches!(between.as_str(), "/" | "|" | "bis" | "to" | "à" | "a" | "–" | "-");
        if !leads || !matches!(between.as_str(), "/" | "|") && !amount.is_price(text) {
            break;
        }
        start = amount.start;
    }
    start
}

/// “$8.50 pork and chive (8)”: a thing whose price stands before it, as in a list where all do.
pub fn price_first(text: &str) -> Option<Priced> {
    let text = text.trim().trim_end_matches(['.', ';', ',']).trim();
    let first = amounts(text).into_iter().next().filter(|amount| amount.start == 0 && amount.is_price(text))?;
    let rest = text[first.end..].trim().trim_start_matches(['–', '-', '—', ':', '=', ' ']);
    let begins = rest.chars().next()?;
    if !begins.is_alphabetic()
        || rest.split_whitespace().count() > 10
        || amounts(rest).iter().any(|amount| amount.is_price(rest))
    {
        return None;
    }
    let (name, note) = match text::name_and_words(rest) {
        Some(found) => found,
        None => match rest.split_once(", ") {
            Some((name, note)) => (name.to_owned(), note.to_owned()),
            None => match rest.split_once(" (") {
                Some((name, note)) => (name.to_owned(), note.replace(')', "")),
                None => (rest.to_owned(), String::new()),
            },
        },
    };
    Some(Priced { name: text::capitalize(&name), note, price: first.written(text).to_owned(), sizes: Vec::new() })
}

/// “since 1987”, “30 August 2025”: a year is no price.
fn is_year(value: f64) -> bool {
    value.fract() == 0.0 && (1800.0..2200.0).contains(&value)
}

/// The list of prices that a text is: at least `least` things, each with its price.
pub fn price_list_of(text: &str, least: usize) -> Option<Vec<Priced>> {
    let opened = brackets::opened(text);
    let text = opened.as_deref().unwrap_or(text);
    if let Some(items) = told::list_of(text, false) {
        return Some(items);
    }
    // One thing with its sizes holds the marks that otherwise stand between things.
    if let Some(item) = sizes::dashed(text).or_else(|| sizes::behind(text)).filter(|_| least <= 1) {
        return Some(vec![item]);
    }
    let pieces = pieces(text).into_iter().map(|piece| {
        let item = priced(&piece);
        (piece, item)
    });
    let found: Vec<(String, Option<Priced>)> = pieces.collect();
    // “kimchi 7, extra cheese +1”: only among several things what is had for more is one of them.
    let count = found.iter().filter(|(_, item)| item.as_ref().is_some_and(|item| !is_surcharge(item))).count();
    let is_told = found.iter().any(|(piece, item)| item.is_some() && words::is_joined(piece));
    let mut items = Vec::new();
    for (piece, item) in found {
        // “adults 6, children 4, under fives free”.
        let free_in_brackets = || odd::free_behind(&piece).filter(|_| opened.is_some());
        let free = || odd::told_free(&piece).or_else(free_in_brackets).filter(|_| count >= 2);
        match item.filter(|item| count >= 2 || !is_surcharge(item)).or_else(free) {
            Some(item) => items.push(item),
            // Words between commas that have no price belong to the thing that follows or that went before.
            None => items.push(Priced { name: piece, ..Priced::default() }),
        }
    }
    let mut joined = join_notes(items)?;
    // “A haircut costs £18, a beard trim £10”: in sentences things have articles.
    if is_told {
        for item in &mut joined {
            item.name = text::capitalize(words::without_article(&item.name));
        }
    }
    // What comes in sizes is as sure to have prices as several things are.
    (joined.len() >= least).then(|| sizes::join(joined))
}

/// Things with the words between commas that belong to them: those before a thing are its name and what is in it, those at the
/// end are said of the last.
fn join_notes(items: Vec<Priced>) -> Option<Vec<Priced>> {
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
        // “la vegana - mushrooms, guasacaca 8”: behind the dash begins what is in it.
        let name = match text::split_at_dash(&name) {
            Some((name, first)) => {
                words.insert(0, first.to_owned());
                name.to_owned()
            }
            None => name,
        };
        words.push(lower_first(&item.name));
        if !item.note.is_empty() {
            words.push(item.note);
        }
        joined.push(Priced { name: text::capitalize(&name), note: words.join(", "), ..item });
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
    Some(joined)
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
    // “0,3 l 3,20 / 0,5 l 4,60” is one thing; a piece of two prices begins the next one.
    let has_one_price = |piece: &String| amounts(piece).iter().filter(|amount| amount.is_price(piece)).count() <= 1;
    if bars.len() > 1 && bars.iter().all(|piece| priced(piece).is_some() && has_one_price(piece)) {
        return bars;
    }
    // “hinge set 35,-  hinge cut 48,-”: wide gaps between things.
    let spaced: Vec<String> =
        text.split("  ").map(str::trim).filter(|piece| !piece.is_empty()).map(str::to_owned).collect();
    if spaced.len() > 1 && spaced.iter().all(|piece| priced(piece).is_some()) {
        return spaced;
    }
    let mut pieces: Vec<String> = text::clauses(text).iter().flat_map(|clause| sizes::cut(clause)).collect();
    join_prices(&mut pieces);
    // “… and Earl Grey 2.80”: where both sides have their price.
    if let Some(last) = pieces.pop() {
        let divided = [" and ", " und ", " et ", " y ", " e "].iter().find_map(|and| {
            let (one, two) = last.split_once(and)?;
            let has_price = |piece: &str| priced(piece).or_else(|| odd::told_free(piece)).is_some();
            (priced(one).is_some() && has_price(two)).then(|| [one.to_owned(), two.to_owned()])
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

/// “shorten, from £12”: a piece that is only a price belongs to what stands before it.
fn join_prices(pieces: &mut Vec<String>) {
    let is_bare = |piece: &str| {
        let bare = words::behind_from(piece);
        amounts(bare).first().is_some_and(|first| {
            first.start == 0 && first.is_price(bare) && (!first.prefix.is_empty() || !first.suffix.is_empty())
        })
    };
    let mut joined: Vec<String> = Vec::new();
    for piece in pieces.drain(..) {
        match joined
            .last_mut()
            .filter(|last| is_bare(&piece) && !amounts(last).iter().any(|amount| amount.is_price(last)))
        {
            Some(last) => *last = format!("{last}, {piece}"),
            None => joined.push(piece),
        }
    }
    *pieces = joined;
}

/// Things with prices under the name of their group.
///
/// A hyphen for no cents is a dash, as it is set: a hyphen at the end of a line would join what follows to it.
pub fn group(name: &str, mut items: Vec<Priced>) -> MenuGroup {
    for item in &mut items {
        for mark in [",", "."] {
            item.price = item.price.replace(&format!("{mark}-"), &format!("{mark}–"));
        }
    }
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
        let items = price_list_of("Espresso 2,40, Cappuccino 3,20 € and Tea (mint, ginger) €2.80", 2).expect("prices");
        assert_eq!(
            plain(&items),
            [("Espresso", "", "2,40"), ("Cappuccino", "", "3,20 €"), ("Tea", "mint, ginger", "€2.80")]
        );
        let items = price_list_of("Haircut – 45 min – €38; Colour from €60", 2).expect("prices");
        assert_eq!(items[0].price, "€38");
        assert_eq!((items[1].name.as_str(), items[1].price.as_str()), ("Colour", "from €60"));
        let items = price_list_of("hinge set 35,-  hinge cut 40,- bis 65,-", 2).expect("prices");
        assert_eq!(plain(&items), [("Hinge set", "", "35,-"), ("Hinge cut", "", "40,- bis 65,-")]);
        assert_eq!(priced("haddock ....... 8 / 11").expect("a price").price, "8 / 11");
        let items = price_list_of("shorten, from £12", 1).expect("a price");
        assert_eq!(plain(&items), [("Shorten", "", "from £12")]);
        assert_eq!(priced("squid – 4,50 / 8").expect("a price").price, "4,50 / 8");
        assert_eq!(priced("new zip, £15 (jeans £18)").expect("a price").price, "£15");
        let backer = priced("Ada Lind (€50k)").expect("a price");
        assert_eq!((backer.name.as_str(), backer.note.as_str(), backer.price.as_str()), ("Ada Lind", "", "€50k"));
        let first = price_first("$7.80 cabbage and glass noodle (8), vegan").expect("a price");
        assert_eq!((first.name.as_str(), first.price.as_str()), ("Cabbage and glass noodle (8)", "$7.80"));
    }

    #[test]
    fn a_price_may_be_by_the_piece_or_more_than_another() {
        for (text, name, note, price) in [
            ("nailart from 5 per nail", "Nailart", "per nail", "from 5"),
            ("Helm – 6 am Tag", "Helm", "am Tag", "6"),
            ("seats 3 each", "Seats", "each", "3"),
            ("Express +5", "Express", "", "+5"),
            ("thu fish cakes 8", "Thu fish cakes", "", "8"),
        ] {
            assert_eq!(plain(&[priced(text).unwrap_or_else(|| panic!("{text}"))]), [(name, note, price)]);
        }
        let items = price_list_of("hem 12, zip 15, next day +5", 1).expect("prices");
        assert_eq!(plain(&items)[2], ("Next day", "", "+5"));
        assert_eq!(price_list_of("kimchi 7, extra cheese +1", 1).expect("a price").len(), 1);
    }

    #[test]
    fn reads_prices_that_sentences_tell() {
        for (text, items) in [
            (
                "A haircut costs £18, a beard trim £10 and a shave £12",
                [("Haircut", "", "£18"), ("Beard trim", "", "£10"), ("Shave", "", "£12")],
            ),
            (
                "One walk is 12 pounds, a week of walks 55 pounds, puppies are free",
                [("One walk", "", "12 pounds"), ("Week of walks", "", "55 pounds"), ("Puppies", "", "free")],
            ),
            (
                "Das Bier kostet 3,50 €, der Wein 4,20 €, das Wasser 2 €",
                [("Bier", "", "3,50 €"), ("Wein", "", "4,20 €"), ("Wasser", "", "2 €")],
            ),
        ] {
            assert_eq!(plain(&price_list_of(text, 2).expect("prices")), items, "{text}");
        }
    }

    #[test]
    fn leaves_sentences_alone() {
        assert_eq!(price_list_of("We raised prices by 3% last year and sold 1,200 loaves, thanks to you", 2), None);
        assert_eq!(priced("Free entry"), None);
        assert_eq!(priced("Last orders 1.30 am"), None);
    }
}
