//! Numbers as people write them: with a currency, a unit, a percent sign; prices; what a number counts.
//!
//! An amount is kept as it was written. Its value is found only to draw it.

/// A number in a text, with all that belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Amount {
    /// Where it begins in the text.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What it is worth, before its unit; less than nothing behind a minus.
    pub value: f64,
    /// What stands before the digits: a currency, a sign.
    pub prefix: String,
    /// What stands behind them: `%`, `M`, `km`.
    pub suffix: String,
}

/// Signs and short names of currencies.
pub const CURRENCIES: &[&str] = &[
    "€",
    "$",
    "£",
    "¥",
    "₹",
    "₽",
    "₩",
    "zł",
    "kč",
    "eur",
    "usd",
    "gbp",
    "chf",
    "sek",
    "nok",
    "dkk",
    "pln",
    "euro",
    "euros",
    "kr",
    "fr.",
    "us$",
    "円",
    "元",
    "원",
    "ft",
    "lei",
    "₺",
    "₴",
    "₪",
    "฿",
    "₫",
    "₱",
    "₦",
    "r$",
    "ksh",
    "kes",
    "aed",
    "درهم",
    "دراهم",
    "ريال",
    "ريالات",
    "دينار",
    "جنيه",
    "บาท",
    "руб",
    "руб.",
    "грн",
    "שח",
    "kronor",
    "kroner",
    "pounds",
    "quid",
    "dollars",
    "bucks",
    "pence",
    "cents",
    "franken",
    "złotych",
    "reais",
    "pesos",
];

/// Units that belong to a number even where a blank stands between.
const UNITS: &[&str] = &[
    "%",
    "‰",
    "m",
    "p",
    "k",
    "bn",
    "b",
    "mn",
    "million",
    "millions",
    "billion",
    "billions",
    "thousand",
    "mio",
    "mio.",
    "mrd",
    "mrd.",
    "tsd",
    "tsd.",
    "millionen",
    "milliarden",
    "millones",
    "milioni",
    "milliards",
    "tonnes",
    "tons",
    "t",
    "kg",
    "g",
    "km",
    "ha",
    "kwh",
    "mwh",
    "gwh",
    "mw",
    "kw",
    "gw",
    "°c",
    "pp",
    "pt",
    "x",
    "×",
    "percent",
    "prozent",
    "h",
    "l",
    "ml",
    "cl",
    "m²",
    "km²",
    "sqm",
    "万",
    "億",
    "亿",
];

/// Thousands and millions that stand directly before a currency: “600k€”, “410 T€”, “2,5 Mio€”.
fn is_grouped_currency(word: &str) -> bool {
    let lower = word.to_lowercase();
    ["tsd", "mio", "mrd", "bn", "k", "t", "m"].iter().any(|group| {
        lower.strip_prefix(group).is_some_and(|rest| matches!(rest, "€" | "$" | "£" | "eur" | "usd" | "chf"))
    })
}

/// The signs of currencies that stand at a price most often.
pub const MONEY: [char; 3] = ['€', '£', '$'];

/// Signs before a number that are no currency.
const SIGNS: &[char] = &['+', '-', '−', '±', '<', '>'];

/// The first amount at or behind a place.
pub fn next_amount(text: &str, from: usize) -> Option<Amount> {
    let rest = &text[from..];
    let mut at = from;
    for piece in rest.split_inclusive(|letter: char| letter.is_whitespace()) {
        if let Some(amount) = amount_in_word(text, at, piece.trim_end()) {
            return Some(amount);
        }
        at += piece.len();
    }
    None
}

/// All amounts of a text.
pub fn amounts(text: &str) -> Vec<Amount> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(amount) = next_amount(text, from).filter(|amount| amount.end > from) {
        from = amount.end;
        found.push(amount);
        if found.len() >= 200 {
            break;
        }
    }
    found
}

/// Where a price begins that stands directly behind its name, as scripts without blanks set it.
fn joined_price(word: &str) -> Option<usize> {
    let is_letter = |letter: char| matches!(letter, '\u{3000}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '）' | '：');
    let (at, letter) = word.char_indices().rev().find(|(_, letter)| is_letter(*letter))?;
    let cut = at + letter.len_utf8();
    word[cut..].starts_with(['¥', '￥', '$', '€']).then_some(cut)
}

fn amount_in_word(text: &str, at: usize, word: &str) -> Option<Amount> {
    if let Some(cut) = joined_price(word) {
        return amount_in_word(text, at + cut, &word[cut..]);
    }
    let opened = word.trim_start_matches(['(', '"', '“', '„', '[', ':', '~', '≈']);
    let start = at + (word.len() - opened.len());
    let digit = opened.find(|letter: char| letter.is_ascii_digit())?;
    let prefix = &opened[..digit];
    let sign_free = prefix.trim_start_matches(SIGNS);
    if !sign_free.is_empty() && !is_currency(sign_free) {
        return None;
    }
    let mut end = digit;
    let letters: Vec<(usize, char)> = opened[digit..].char_indices().collect();
    for (place, (offset, letter)) in letters.iter().enumerate() {
        let next_is_digit = letters.get(place + 1).is_some_and(|(_, next)| next.is_ascii_digit());
        if letter.is_ascii_digit() || (matches!(letter, '.' | ',' | '\'' | '’' | '\u{202f}') && next_is_digit) {
            end = digit + offset + letter.len_utf8();
        } else {
            break;
        }
    }
    let number = &opened[digit..end];
    // “14.6.2026” and “192.168.0.1” are no amounts.
    let groups: Vec<&str> = number.split(['.', ',']).collect();
    if groups.len() > 2 && groups[1..groups.len() - 1].iter().any(|group| group.len() != 3) {
        return None;
    }
    let tail: &str = opened[end..].trim_end_matches([',', ';', ')', ':', ']', '"', '”', '“', '!', '?']);
    let tail = if is_unit(tail) || is_currency(tail) { tail } else { tail.trim_end_matches('.') };
    let cents = cents_behind(tail);
    if cents.is_none() && !belongs_behind(tail) {
        return None;
    }
    let whole = value_of(number)? + cents.map_or(0.0, |cents| f64::from(cents) / 100.0);
    let value = if prefix.contains(['-', '−']) { -whole } else { whole };
    let mut prefix = prefix.to_owned();
    let mut start = start;
    // A currency may stand apart before the number.
    if prefix.is_empty()
        && let Some((from, currency)) = word_before(text, at)
        && is_currency(currency)
    {
        start = from;
        prefix = format!("{currency} ");
    }
    let mut suffix = if cents.is_some() { tail[..tail.len() - 2].to_owned() } else { tail.to_owned() };
    let mut end = at + (word.len() - opened.len()) + end + tail.len();
    let mut value = value;
    if suffix.is_empty()
        && let Some((reach, whole)) = with_thousands(text, number, end)
    {
        (end, value) = (reach, whole);
    }
    // A unit may stand apart behind it, and a currency behind that.
    for _ in 0..2 {
        if !word_ends_open(text, end) {
            break;
        }
        let Some((from, next)) = word_after(text, end) else { break };
        let bare = next.trim_end_matches([',', ';', ')', ':', '!', '?']);
        let bare = if is_unit(bare) || is_currency(bare) { bare } else { bare.trim_end_matches('.') };
        let is_word_unit = is_unit(bare) && !(bare.len() == 1 && bare != "%" && !bare.chars().all(char::is_uppercase));
        if !(is_word_unit || is_currency(bare)) {
            break;
        }
        suffix.push(' ');
        suffix.push_str(bare);
        end = from + bare.len();
        if bare.len() < next.len() {
            break;
        }
    }
    Some(Amount { start, end, value, prefix, suffix })
}

/// “420 000 €”: thousands with blanks between them, where a currency or a unit follows; where the number ends, and its value.
fn with_thousands(text: &str, number: &str, end: usize) -> Option<(usize, f64)> {
    let is_group = |word: &str| word.len() == 3 && word.chars().all(|letter| letter.is_ascii_digit());
    if number.len() > 3 || !number.chars().all(|letter| letter.is_ascii_digit()) || !word_ends_open(text, end) {
        return None;
    }
    let (mut digits, mut reach) = (number.to_owned(), end);
    while let Some((from, word)) = word_after(text, reach) {
        // “1 260,00 €”: the last group may have cents.
        let (group, cents) = word.split_once(',').unwrap_or((word, ""));
        let has_cents = cents.len() == 2 && cents.chars().all(|letter| letter.is_ascii_digit());
        if !is_group(group) || group.len() < word.len() && !has_cents {
            break;
        }
        digits.push_str(group);
        reach = from + group.len();
        if has_cents {
            digits.push('.');
            digits.push_str(cents);
            reach = from + word.len();
            break;
        }
    }
    let (_, unit) = word_after(text, reach)?;
    let unit = unit.trim_end_matches([',', ';', ')', ':', '!', '?', '.']);
    (reach > end && (is_currency(unit) || is_unit(unit)))
        .then(|| value_of(&digits))
        .flatten()
        .map(|value| (reach, value))
}

/// Whether nothing but a blank stands directly behind a place.
fn word_ends_open(text: &str, end: usize) -> bool {
    text[end..].starts_with([' ', '\u{a0}', '\u{202f}'])
}

fn word_before(text: &str, at: usize) -> Option<(usize, &str)> {
    let before = text[..at].trim_end();
    let from = before
        .rfind(char::is_whitespace)
        .map_or(0, |place| place + before[place..].chars().next().map_or(1, char::len_utf8));
    let word = before[from..].trim_start_matches('(');
    (!word.is_empty()).then(|| (before.len() - word.len(), word))
}

fn word_after(text: &str, end: usize) -> Option<(usize, &str)> {
    let rest = &text[end..];
    let skipped = rest.len() - rest.trim_start().len();
    let word = rest.split_whitespace().next()?;
    Some((end + skipped, word))
}

/// Whether what stands at the end of a number belongs to it: nothing, a unit, a currency, a dash for no cents.
fn belongs_behind(tail: &str) -> bool {
    let tail_is_dash = matches!(tail, ",-" | ".-" | ",–" | ".–" | "-" | "–");
    tail.is_empty()
        || tail == "+"
        || tail_is_dash
        || is_unit(tail)
        || is_currency(tail)
        || tail.starts_with('/') && tail.len() > 1
        || (is_currency(&tail.chars().take(1).collect::<String>())
            && tail.chars().skip(1).all(|letter| letter.is_alphabetic() || letter == '/'))
        || tail.starts_with('%')
        || (is_unit(&tail.chars().take_while(|letter| *letter != '/' && *letter != '+').collect::<String>()))
}

/// “1€30”: the two digits of cents behind the sign of a currency.
fn cents_behind(tail: &str) -> Option<u8> {
    let cents = tail.strip_prefix(MONEY)?;
    (cents.len() == 2 && cents.bytes().all(|byte| byte.is_ascii_digit())).then(|| cents.parse().ok()).flatten()
}

/// Whether a word is a currency.
pub fn is_currency(word: &str) -> bool {
    CURRENCIES.contains(&word.to_lowercase().as_str()) || is_grouped_currency(word)
}

fn is_unit(word: &str) -> bool {
    // Counters of Chinese, Japanese and Korean stand directly behind a number; those of time are no amounts.
    let letters: Vec<char> = word.chars().collect();
    let is_counter = (1..=2).contains(&letters.len())
        && letters.iter().all(|letter| matches!(letter, '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'))
        && !letters.iter().any(|letter| "年月日時时分号号曜週周년월일시분초호층".contains(*letter));
    if is_counter {
        return true;
    }
    UNITS.contains(&word.to_lowercase().as_str())
}

/// What digits with marks between them are worth; the last mark is the decimal one unless it groups thousands.
pub fn value_of(digits: &str) -> Option<f64> {
    let digits: String = digits.chars().filter(|letter| !matches!(letter, '\'' | '’' | '\u{202f}' | ' ')).collect();
    let (comma, dot) = (digits.rfind(','), digits.rfind('.'));
    let normal = match (comma, dot) {
        (Some(comma), Some(dot)) if comma > dot => digits.replace('.', "").replace(',', "."),
        (Some(_), Some(_)) => digits.replace(',', ""),
        (Some(comma), None) if digits.len() - comma - 1 == 3 || digits.matches(',').count() > 1 => {
            digits.replace(',', "")
        }
        (Some(_), None) => digits.replace(',', "."),
        (None, Some(dot))
            if digits.matches('.').count() > 1 || (digits.len() - dot - 1 == 3 && !digits.starts_with('0')) =>
        {
            digits.replace('.', "")
        }
        _ => digits,
    };
    normal.parse().ok()
}

impl Amount {
    /// Whether it says what something costs: it has a currency, or two digits behind its mark and no unit.
    pub fn is_price(&self, text: &str) -> bool {
        let written = &text[self.start..self.end];
        let has_currency = [self.prefix.trim(), self.suffix.trim()].iter().any(|part| {
            is_currency(part.trim_start_matches(SIGNS)) || part.split(['/', ' ']).next().is_some_and(is_currency)
        });
        let is_dashed = matches!(self.suffix.as_str(), ",-" | ".-" | ",–" | ".–");
        has_currency
            || is_dashed
            || self.are_pence(text)
            || (matches!(self.prefix.as_str(), "" | "+")
                && self.suffix.is_empty()
                && has_cents(written.trim_start_matches('+')))
    }

    /// “20p a day”, “a copy costs 60p”.
    fn are_pence(&self, text: &str) -> bool {
        let is_cost = || {
            let behind = text[self.end..].trim_start().to_lowercase();
            ["a ", "per ", "each"].iter().any(|lead| behind.starts_with(lead)) || text.contains("cost")
        };
        self.suffix == "p" && self.prefix.is_empty() && (1.0..100.0).contains(&self.value) && is_cost()
    }

    /// The currency before its digits, without a sign; empty where there is none.
    pub fn currency(&self) -> &str {
        self.prefix.trim_start_matches(SIGNS)
    }

    /// As it was written.
    pub fn written<'t>(&self, text: &'t str) -> &'t str {
        text[self.start..self.end].trim()
    }
}

fn has_cents(written: &str) -> bool {
    let at = written.rfind([',', '.']);
    at.is_some_and(|at| {
        written.len() - at == 3 && written[at + 1..].chars().all(|letter| letter.is_ascii_digit()) && at <= 4
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_amounts_as_they_are_written() {
        for (text, written, value) in [
            ("market of €4.2bn and more", "€4.2bn", 4.2),
            ("growing 14% a year", "14%", 14.0),
            ("Cappuccino 3,20 €", "3,20 €", 3.2),
            ("1.234,50 EUR", "1.234,50 EUR", 1234.5),
            ("July 1.05M", "1.05M", 1.05),
            ("Umsatz 1,2 Mio. €", "1,2 Mio. €", 1.2),
            ("CHF 12.50", "CHF 12.50", 12.5),
            ("120+ teams", "120+", 120.0),
            ("+8 % on last year", "+8 %", 8.0),
            ("€29/month", "€29/month", 29.0),
            ("12,400 visitors", "12,400", 12400.0),
            ("budget de 420 000 € par an", "420 000 €", 420_000.0),
            ("costs −20%", "−20%", -20.0),
            ("we raise 600k€ to reach 500", "600k€", 600.0),
            ("EBIT 410 T€", "410 T€", 410.0),
            ("-3 % in May", "-3 %", -3.0),
        ] {
            let amount = next_amount(text, 0).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((amount.written(text), amount.value), (written, value), "{text}");
        }
        for text in ["none", "Q3", "19:30", "14.6.2026", "a4", "v2.1.0", "mp3"] {
            assert_eq!(next_amount(text, 0), None, "{text}");
        }
    }

    #[test]
    fn tells_prices() {
        for (text, is_price) in [
            ("€9", true),
            ("2.40", true),
            ("4,-", true),
            ("12 kr", true),
            ("14%", false),
            ("120", false),
            ("1.5", false),
        ] {
            assert_eq!(next_amount(text, 0).is_some_and(|amount| amount.is_price(text)), is_price, "{text}");
        }
    }
}
