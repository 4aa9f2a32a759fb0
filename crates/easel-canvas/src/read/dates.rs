//! Days and hours as people write them, in English, German, French, Spanish and Italian.
//!
//! A date or a time is only ever found, never calculated with: what stands on a page is what was written.

/// Names of months, whole or begun: English, German, French, Spanish, Italian.
#[rustfmt::skip]
const MONTHS: &[&str] = &[
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december", "jan", "feb", "mar",
    "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "januar", "jänner", "februar", "märz", "mai", "juni", "juli", "oktober",
    "dezember", "okt", "dez", "mär", "janvier", "février", "mars", "avril", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre",
    "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre", "gennaio",
    "febbraio", "aprile", "maggio", "giugno", "luglio", "settembre", "ottobre", "dicembre", "января", "февраля", "марта", "апреля", "мая", "июня",
    "июля", "августа", "сентября", "октября", "ноября", "декабря",
];

/// Names of days, whole or begun.
#[rustfmt::skip]
const WEEKDAYS: &[&str] = &[
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mon", "tue", "tues", "wed", "weds", "thu", "thur", "thurs", "fri", "sat",
    "sun", "mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays", "montag", "dienstag", "mittwoch", "donnerstag",
    "freitag", "samstag", "sonnabend", "sonntag", "montags", "dienstags", "mittwochs", "donnerstags", "freitags", "samstags", "sonntags", "lundi",
    "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo",
    "lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica",
];

/// Days begun with two letters, as Germans write them; only beside a number or another day.
const SHORT_DAYS: &[&str] = &["mo", "di", "mi", "do", "fr", "sa", "so"];

fn bare(word: &str) -> String {
    word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase()
}

/// Whether a word names a month.
pub fn is_month(word: &str) -> bool {
    MONTHS.contains(&bare(word).as_str())
}

/// Whether a text is the name of a day and nothing else.
pub fn is_weekday(text: &str) -> bool {
    WEEKDAYS.contains(&bare(text).as_str()) || SHORT_DAYS.contains(&bare(text).as_str())
}

/// “tue ravioli”, “Monday: pancakes”: the name of a day that words begin with, and what is said of it; no hours and no other day.
pub fn divide_day(words: &str) -> Option<(&str, &str)> {
    let words = words.trim();
    let (day, rest) = words.split_once(' ')?;
    let rest = rest.trim_start_matches([':', '–', '—', '-', ',', ' ']);
    let next = rest.split_whitespace().next()?;
    let is_told = next.starts_with(char::is_alphabetic)
        && !is_weekday(next)
        && !matches!(
            next.to_lowercase().as_str(),
            "to" | "bis" | "and" | "und" | "et" | "y" | "e" | "from" | "ab" | "at" | "um"
        );
    (is_weekday(day) && is_told).then(|| (day.trim_end_matches([':', '.', ',', '–', '-']), rest))
}

/// Whether a word is a day of a month: `14`, `14.`, `14th`, `1er`.
fn is_day(word: &str) -> bool {
    // “18%” and “€18” are amounts.
    if word.contains(['%', '€', '$', '£', '+']) {
        return false;
    }
    let word = bare(word);
    // “12–14” are days from one to another.
    if let Some((one, two)) = word.split_once(['–', '-', '/']) {
        return is_single_day(one) && is_single_day(two);
    }
    is_single_day(&word)
}

fn is_single_day(word: &str) -> bool {
    let word = word.trim_end_matches('.');
    let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
    let rest = &word[digits.len()..];
    digits.parse::<u32>().is_ok_and(|day| (1..=31).contains(&day))
        && matches!(rest, "" | "st" | "nd" | "rd" | "th" | "er" | "º")
}

/// Whether a word is a whole date: `14.6.2026`, `14/06`, `2026-06-14`, `14.06.`.
fn is_numeric_date(word: &str) -> bool {
    let word = word.trim_matches([',', ';', '(', ')', ':']);
    let parts: Vec<&str> = word.trim_end_matches('.').split(['.', '/', '-']).collect();
    let numbers: Vec<u32> = parts.iter().filter_map(|part| part.parse().ok()).collect();
    let marks = word.chars().filter(|letter| !letter.is_ascii_digit()).count();
    if numbers.len() != parts.len() || marks < 2 && !word.contains('/') {
        return false;
    }
    match numbers.as_slice() {
        [one, two] => (1..=31).contains(one) && (1..=12).contains(two) && word.ends_with('.'),
        [one, two, three] => {
            let is_year = |year: &u32| (1900..2200).contains(year) || *year < 100;
            ((1..=31).contains(one) && (1..=31).contains(two) && is_year(three))
                || ((1900..2200).contains(one) && (1..=12).contains(two))
        }
        _ => false,
    }
}

/// Whether a text begins with a date.
pub fn begins_with_date(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().take(5).collect();
    match words.as_slice() {
        [] => false,
        // “12. und 13. Juli”, “24 al 27 de abril”.
        [one, and, two, of, ..]
            if is_day(one) && is_day(two) && AND.contains(and) && (is_month(of) || matches!(*of, "de" | "of")) =>
        {
            true
        }
        [one, ..] if is_numeric_date(one) => true,
        [one, two, ..] if is_day(one) && (is_month(two) || (matches!(bare(two).as_str(), "de" | "of"))) => true,
        [one, two, ..] if is_month(one) && is_day(two) => true,
        ["the" | "le" | "am" | "den" | "der" | "el" | "il" | "on", two, three] => {
            is_day(two) && is_month(three) || is_numeric_date(two)
        }
        _ => false,
    }
}

/// Words between the first and the last of several days.
const AND: &[&str] = &["and", "und", "&", "+", "to", "bis", "–", "-", "et", "au", "y", "al", "e", "a"];

/// Whether a text ends with a day of a month, as in “June 14”.
pub fn ends_with_day(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        [.., one, two] => (is_month(one) && is_day(two)) || (is_day(one) && is_month(two)),
        _ => false,
    }
}

/// Whether a word is an hour: `8pm`, `19:30`, `20h`, `18.30`, and, before “pm” or “Uhr”, a number.
fn is_hour(word: &str, next: Option<&str>) -> bool {
    let word = word.trim_matches([',', '.', ';', '(', ')']).to_lowercase();
    let first = word.split(['-', '–']).next().unwrap_or_default();
    let digits: String =
        first.chars().take_while(|letter| letter.is_ascii_digit() || matches!(letter, ':' | '.')).collect();
    let rest = &first[digits.len()..];
    let hour = digits.split([':', '.']).next().and_then(|hour| hour.parse::<u32>().ok());
    if hour.is_none_or(|hour| hour > 24) {
        return false;
    }
    let next = next.map(bare).unwrap_or_default();
    matches!(rest, "pm" | "am" | "h" | "uhr")
        || rest.starts_with('h') && rest[1..].parse::<u32>().is_ok()
        || (digits.contains(':') && digits.len() >= 4 && rest.is_empty())
        || (rest.is_empty()
            && matches!(next.as_str(), "pm" | "am" | "uhr" | "h" | "o'clock" | "heures" | "a.m" | "p.m"))
}

/// Where the first day or hour of a text begins, as a place in it.
pub fn first_moment(text: &str) -> Option<usize> {
    let words: Vec<(usize, &str)> = split_words(text);
    (0..words.len()).find_map(|at| {
        let rest = &text[words[at].0..];
        let next = words.get(at + 1).map(|(_, word)| *word);
        let is_day_name = WEEKDAYS.contains(&bare(words[at].1).as_str());
        // The small word before a date is no part of it.
        let is_led = matches!(words[at].1, "the" | "le" | "am" | "den" | "der" | "el" | "il" | "on");
        let is_dated = begins_with_date(rest) && !is_led;
        (is_day_name || is_dated || is_hour(words[at].1, next)).then_some(words[at].0)
    })
}

/// Whether a text names a day or an hour.
pub fn has_moment(text: &str) -> bool {
    first_moment(text).is_some()
}

/// Whether a text is a stretch of time and nothing else: a month, a quarter, a year, a week, a day.
pub fn is_period(text: &str) -> bool {
    let words: Vec<String> = text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    let is_year = |word: &str| word.len() == 4 && word.parse::<u32>().is_ok_and(|year| (1800..2200).contains(&year));
    let is_part = |word: &str| {
        let mut letters = word.chars();
        let is_numbered = matches!(letters.next(), Some('q' | 'h' | 't' | 'w' | 'y'))
            && word.len() <= 3
            && word.len() > 1
            && letters.all(|letter| letter.is_ascii_digit());
        let counted = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        if counted.len() < word.len() && matches!(counted, "월" | "년" | "분기" | "일" | "月" | "年" | "季度" | "日")
        {
            return true;
        }
        is_numbered || (word.starts_with("fy") && word.len() <= 6 && word[2..].parse::<u32>().is_ok())
    };
    let mut is_any = false;
    let fits = !words.is_empty()
        && words.len() <= 3
        && words.iter().all(|word| {
            let counts = is_year(word)
                || is_part(word)
                || is_month(word)
                || WEEKDAYS.contains(&word.as_str())
                || SHORT_DAYS.contains(&word.as_str());
            is_any |= counts;
            counts
                || matches!(
                    word.as_str(),
                    "week"
                        | "woche"
                        | "day"
                        | "tag"
                        | "year"
                        | "jahr"
                        | "month"
                        | "monat"
                        | "kw"
                        | "quarter"
                        | "quartal"
                        | "semaine"
                        | "mes"
                        | "año"
                )
                || word.parse::<u32>().is_ok_and(|number| number < 60) && words.len() > 1
        });
    let is_named = words.len() == 2
        && matches!(
            words[0].as_str(),
            "week" | "woche" | "day" | "tag" | "year" | "jahr" | "kw" | "month" | "monat" | "quarter" | "semaine"
        );
    fits && (is_any || is_named)
}

/// The words of a text and where each begins.
pub fn split_words(text: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let mut from = None;
    for (at, letter) in text.char_indices() {
        match (letter.is_whitespace(), from) {
            (true, Some(start)) => {
                words.push((start, &text[start..at]));
                from = None;
            }
            (false, None) => from = Some(at),
            _ => {}
        }
    }
    if let Some(start) = from {
        words.push((start, &text[start..]));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_days_and_hours() {
        for text in [
            "on 14 June",
            "June 14th",
            "Samstag, 14. Juni",
            "14.6.2026",
            "at 8pm",
            "um 20 Uhr",
            "19:30",
            "le 21 juin",
            "à 20h",
            "Tuesdays",
        ] {
            assert!(has_moment(text), "{text}");
        }
        for text in ["14 slides", "version 2.0", "the market", "€12.50", "3 wins", "may contain nuts"] {
            assert!(!has_moment(text), "{text}");
        }
        assert_eq!(first_moment("Summer concert on 12 July"), Some(18));
    }

    #[test]
    fn divides_a_day_from_what_is_said_of_it() {
        assert_eq!(divide_day("tue ravioli 7.5"), Some(("tue", "ravioli 7.5")));
        assert_eq!(divide_day("Monday: pancakes"), Some(("Monday", "pancakes")));
        for text in ["Mon–Fri 9–17", "Sat 9 to 12", "Mon to Fri", "Fish", "Sunday"] {
            assert_eq!(divide_day(text), None, "{text}");
        }
    }

    #[test]
    fn tells_periods() {
        for text in ["July", "Q3", "2024", "Q3 2026", "Mai", "Week 3", "Mon", "FY25"] {
            assert!(is_period(text), "{text}");
        }
        for text in ["Espresso", "Team A", "12", "July revenue was", "week"] {
            assert!(!is_period(text), "{text}");
        }
    }
}
