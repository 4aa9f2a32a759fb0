//! Numbers in a text, with what they count: by value, so that “€4.2bn” and “4,2 Mrd. €” are the same.
//!
//! Whether a point stands before decimals or between thousands is often not told: a number has every value that it may have.
//! Where words and digits are one (“Q3”, “CO2”, “A4”), they are a name.

use super::vocabulary;

/// One number of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// As it is written, with its signs.
    pub shown: String,
    /// The values that it may have; never empty.
    pub values: Vec<f64>,
    /// Whether a multiplier is in them.
    pub is_multiplied: bool,
    /// Whether it is so many hundredths.
    pub is_percent: bool,
    /// The currency's code.
    pub currency: Option<&'static str>,
    /// Whether it stands beside another number, with only a sign between them, as in a date or a time.
    pub is_part: bool,
    /// Where it begins in its text, in bytes.
    pub at: usize,
    /// Where it ends.
    pub end: usize,
}

/// The numbers of a text, in their order.
pub fn quantities(text: &str) -> Vec<Quantity> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find(|letter: char| letter.is_ascii_digit()).map(|at| from + at) {
        let end = end_of_number(text, at);
        from = end;
        if is_part_of_a_name(text, at, end) {
            // The rest of the name belongs to it.
            from = text[end..].find(|letter: char| !letter.is_alphanumeric()).map_or(text.len(), |rest| end + rest);
            continue;
        }
        match parts_of_a_date(text, at, end) {
            Some(parts) => found.extend(parts),
            None => found.push(read_number(text, at, end)),
        }
    }
    found
}

/// The numbers of a date or a time that is written with points: “14.03.2027”, “14.03.”, “19.30 Uhr”.
fn parts_of_a_date(text: &str, at: usize, end: usize) -> Option<Vec<Quantity>> {
    let written = &text[at..end];
    let parts: Vec<&str> = written.split('.').collect();
    let is_short = |part: &&str| part.len() <= 2;
    let is_date = match parts.as_slice() {
        [day, month, year] => is_short(day) && is_short(month) && matches!(year.len(), 2 | 4),
        [first, second] => {
            let is_time = text[end..].trim_start().to_lowercase().starts_with("uhr");
            let is_priced = text[..at].trim_end().chars().next_back().and_then(vocabulary::currency_sign).is_some();
            let is_a_month = (1..=12).contains(&second.parse::<u8>().unwrap_or_default());
            let is_day = text[end..].starts_with('.') && is_a_month && !is_priced;
            is_short(first) && second.len() == 2 && (is_time || is_day)
        }
        _ => false,
    };
    if !is_date || !parts.iter().all(|part| part.bytes().all(|digit| digit.is_ascii_digit())) {
        return None;
    }
    let quantity = |part: &str| Quantity {
        shown: written.to_owned(),
        values: vec![part.parse().unwrap_or_default()],
        is_multiplied: false,
        is_percent: false,
        currency: None,
        is_part: true,
        at,
        end,
    };
    Some(parts.iter().map(|part| quantity(part)).collect())
}

/// Whether a sign and a digit stand directly before or behind.
fn is_beside_another(text: &str, at: usize, end: usize) -> bool {
    let is_sign = |letter: char| matches!(letter, '-' | '/' | '.' | ':');
    let mut before = text[..at].chars().rev();
    let mut behind = text[end..].chars();
    before.next().is_some_and(is_sign) && before.next().is_some_and(|letter| letter.is_ascii_digit())
        || behind.next().is_some_and(is_sign) && behind.next().is_some_and(|letter| letter.is_ascii_digit())
}

/// Digits, and signs between digits: a group of three behind a space belongs to the number too.
fn end_of_number(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut end, mut is_grouped) = (at, false);
    loop {
        while end < bytes.len() && bytes[end].is_ascii_digit() {
            end += 1;
        }
        let Some(sign) = text[end..].chars().next() else { return end };
        let behind = &text[end + sign.len_utf8()..];
        let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
        let is_grouping = sign.is_whitespace() && sign != '\n' && digits == 3 && (is_grouped || end - at <= 3);
        let is_within = matches!(sign, '.' | ',' | '\'' | '’') && digits > 0;
        if !is_grouping && !is_within {
            return end;
        }
        is_grouped |= is_grouping;
        end += sign.len_utf8();
    }
}

/// Letters directly before a number make a name of it, unless they are a currency.
fn is_part_of_a_name(text: &str, at: usize, end: usize) -> bool {
    let letters = letters_before(text, at);
    if !letters.is_empty() {
        return vocabulary::currency(&letters.to_lowercase()).is_none();
    }
    // Letters on both sides of digits, as in “3D” or “4chan”: a name too, where they are no unit.
    let behind: String = text[end..].chars().take_while(|letter| letter.is_alphabetic()).collect();
    let is_unit = behind.is_empty() || !behind.is_ascii() || behind.chars().all(char::is_lowercase);
    !is_unit
        && vocabulary::multiplier(&behind.to_lowercase(), true).is_none()
        && vocabulary::currency(&behind.to_lowercase()).is_none()
}

fn letters_before(text: &str, at: usize) -> &str {
    let begin = text[..at].char_indices().rev().take_while(|(_, letter)| letter.is_alphabetic()).last();
    begin.map_or("", |(begin, _)| &text[begin..at])
}

fn read_number(text: &str, at: usize, end: usize) -> Quantity {
    let values = values_of(&text[at..end]);
    let before = text[..at].trim_end();
    let mut currency = before.chars().next_back().and_then(vocabulary::currency_sign);
    let mut begin =
        if currency.is_some() { before.char_indices().next_back().map_or(at, |(begin, _)| begin) } else { at };
    if currency.is_none() {
        let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
        if word.chars().all(char::is_alphabetic) && word.len() == 3 {
            currency = vocabulary::currency(&word.to_lowercase());
            begin = if currency.is_some() { before.len() - word.len() } else { at };
        }
    }
    let is_part = is_beside_another(text, at, end);
    let (is_multiplied, is_percent) = (false, false);
    let mut quantity =
        Quantity { shown: String::new(), values, is_multiplied, is_percent, currency, is_part, at: begin, end };
    read_behind(text, &mut quantity);
    quantity.shown = text[quantity.at..quantity.end].trim().to_owned();
    quantity
}

/// What stands behind a number: a multiplier, a currency, a percent sign, a half of the day.
fn read_behind(text: &str, quantity: &mut Quantity) {
    for step in 0..3 {
        let rest = &text[quantity.end..];
        let spaces =
            rest.len() - rest.trim_start_matches(|letter: char| letter.is_whitespace() && letter != '\n').len();
        let word: String = match rest[spaces..].chars().next() {
            Some(sign) if !sign.is_alphanumeric() => sign.to_string(),
            _ => rest[spaces..].chars().take_while(|letter| letter.is_alphabetic()).collect(),
        };
        let small = word.to_lowercase();
        let next = rest[spaces + word.len()..].trim_start().split(|letter: char| !letter.is_alphabetic()).next();
        let next = next.unwrap_or_default().to_lowercase();
        let mut taken = spaces + word.len();
        if vocabulary::is_percent(&small) {
            quantity.is_percent = true;
        } else if vocabulary::is_percent_in_two(&small, &next) {
            quantity.is_percent = true;
            taken = rest.to_lowercase().find(&next).map_or(taken, |at| (at + next.len()).min(rest.len()));
        } else if step == 0
            && let Some(factor) = vocabulary::multiplier(&small, spaces == 0)
        {
            let multiplied: Vec<f64> = quantity.values.iter().map(|value| value * factor).collect();
            // “5m” may be metres.
            quantity.values.retain(|_| small == "m");
            quantity.values.extend(multiplied);
            quantity.is_multiplied = true;
            taken += usize::from(rest[taken..].starts_with('.') && word.len() <= 3);
        } else if let Some(found) = vocabulary::currency(&small).filter(|_| quantity.currency.is_none()) {
            quantity.currency = Some(found);
        } else if small == "pm" && quantity.values.iter().all(|value| *value < 12.0) {
            let later: Vec<f64> = quantity.values.iter().map(|value| value + 12.0).collect();
            quantity.values.extend(later);
        } else {
            return;
        }
        if !text.is_char_boundary(quantity.end + taken) {
            return;
        }
        quantity.end += taken;
    }
}

/// Every value that digits with signs between them may have.
fn values_of(written: &str) -> Vec<f64> {
    let is_mark = |letter: char| !letter.is_ascii_digit();
    let whole: String = written.chars().filter(char::is_ascii_digit).collect();
    let as_whole = whole.parse::<f64>().unwrap_or_default();
    let Some(last) = written.rfind(is_mark) else { return vec![as_whole] };
    let behind = &written[last..].trim_start_matches(is_mark);
    let marks: Vec<char> = written.chars().filter(|letter| is_mark(*letter)).collect();
    let before: String = written[..last].chars().filter(char::is_ascii_digit).collect();
    let as_decimal = format!("{before}.{behind}").parse::<f64>().unwrap_or_default();
    let is_grouped = written.split(is_mark).skip(1).all(|group| group.len() == 3);
    let may_be_decimal =
        matches!(marks.last(), Some('.' | ',')) && marks.iter().filter(|mark| marks.last() == Some(mark)).count() == 1;
    match (is_grouped, may_be_decimal) {
        (true, true) => vec![as_whole, as_decimal],
        (true, false) => vec![as_whole],
        (false, true) => vec![as_decimal],
        (false, false) => vec![as_whole],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_known_by_its_value_however_it_is_written() {
        let check = |text: &str, value: f64, is_percent: bool, currency: Option<&str>| {
            let found = quantities(text);
            assert!(found.len() == 1, "{text}: {found:?}");
            assert!(
                found[0].values.iter().any(|found| (found - value).abs() < value * 1e-9 + 1e-9),
                "{text}: {found:?}"
            );
            assert_eq!((found[0].is_percent, found[0].currency), (is_percent, currency), "{text}: {found:?}");
        };
        check("a market of €4.2bn", 4.2e9, false, Some("EUR"));
        check("ein Markt von 4,2 Mrd. €", 4.2e9, false, Some("EUR"));
        check("4.2 billion euros", 4.2e9, false, Some("EUR"));
        check("1.05M users", 1.05e6, false, None);
        check("1,050,000 users", 1.05e6, false, None);
        check("1.050.000 Nutzer", 1.05e6, false, None);
        check("1 050 000 personnes", 1.05e6, false, None);
        check("14 %", 14.0, true, None);
        check("14%", 14.0, true, None);
        check("14 Prozent", 14.0, true, None);
        check("14 per cent more", 14.0, true, None);
        check("CHF 12.50", 12.5, false, Some("CHF"));
        check("12,50 €", 12.5, false, Some("EUR"));
        check("$12", 12.0, false, Some("USD"));
        check("at 7 pm", 19.0, false, None);
        check("7pm", 19.0, false, None);
        check("5k runners", 5_000.0, false, None);
    }

    #[test]
    fn digits_in_a_name_are_no_number() {
        for text in ["Q3", "CO2", "A4", "B2B", "3D", "Web3"] {
            assert!(quantities(text).is_empty(), "{text}: {:?}", quantities(text));
        }
        let check = |text: &str, expected: &[f64]| {
            assert_eq!(quantities(text).iter().map(|one| one.values[0]).collect::<Vec<_>>(), expected, "{text}");
        };
        check("14.03.2027", &[14.0, 3.0, 2027.0]);
        check("am 14.03. um 19.30 Uhr", &[14.0, 3.0, 19.0, 30.0]);
        check("2027-03-14", &[2027.0, 3.0, 14.0]);
        check("it costs 3.50. And €3.10.", &[3.5, 3.1]);
        check("10–12 and 19:30", &[10.0, 12.0, 19.0, 30.0]);
    }
}
