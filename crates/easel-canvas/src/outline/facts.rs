//! Whether an outline says what its brief says: numbers, dates, prices, names and addresses that are nowhere in it are found and
//! named.
//!
//! Facts are compared by what they mean and not by their letters ([`super::quantities`]), so that who rephrases or translates is
//! not suspected. A name is a word with a capital that the brief does not have, where no sentence begins; in German, which writes
//! every noun so, two of them in a row, or three where a sentence begins. Deliberately not here: whether a fact is said of the right thing, and names in scripts
//! without capitals, which cannot be told from other words.

use std::collections::HashSet;

use serde_json::Value;

use super::quantities::{Quantity, quantities};
use super::vocabulary::{self, month, number_word, short_weekday, weekday};
use crate::content::Outline;

/// The most that are named; who adds more is no better known by it.
const MAX_NAMED: usize = 8;

/// The most letters of one that is shown.
const MAX_SHOWN_LETTERS: usize = 60;

/// The facts of an outline that are not in `words`, which is all that the brief, its files and its kit say: as they are written,
/// each once, at most eight.
#[must_use]
pub fn added_facts(outline: &Outline, words: &str) -> Vec<String> {
    let said = SourceText::of(words);
    let mut texts = Texts::default();
    if let Ok(value) = serde_json::to_value(outline) {
        texts.collect(&value, "");
    }
    let small: HashSet<&str> = texts
        .texts
        .iter()
        .flat_map(|text| words_of(text))
        .map(|word| word.text)
        .filter(|word| word.chars().next().is_some_and(char::is_lowercase))
        .collect();
    let mut added = Vec::new();
    for by in &texts.people {
        said.check_names(by, |_| 1, &small, &mut added);
    }
    let is_german = outline.language == "de";
    // How many in a row neither the beginning of a sentence nor the language accounts for.
    let least = |begins: bool| 1 + usize::from(begins) + usize::from(is_german);
    for text in &texts.texts {
        said.check_addresses(text, &mut added);
        said.check_quantities(text, &mut added);
        said.check_dates(text, &mut added);
        said.check_names(text, least, &small, &mut added);
    }
    for number in &texts.numbers {
        if !said.values.contains(&key(*number)) && !said.bare.contains(&key(*number)) {
            added.push(number.to_string());
        }
    }
    let mut seen = HashSet::new();
    added.retain(|fact| !fact.is_empty() && seen.insert(fact.to_lowercase()));
    added.truncate(MAX_NAMED);
    added.iter().map(|fact| fact.chars().take(MAX_SHOWN_LETTERS).collect()).collect()
}

/// What stands in an outline: its texts and the numbers of its charts.
#[derive(Default)]
struct Texts {
    texts: Vec<String>,
    /// Those of them that name somebody.
    people: Vec<String>,
    numbers: Vec<f64>,
}

impl Texts {
    fn collect(&mut self, value: &Value, name: &str) {
        match value {
            // Words of the form, not of the page.
            Value::String(_) if matches!(name, "kind" | "language" | "picture") => {}
            Value::String(text) => {
                self.people.extend((name == "by").then(|| text.clone()));
                self.texts.push(text.clone());
            }
            Value::Number(number) if name == "values" => self.numbers.extend(number.as_f64()),
            // What is set in pieces is read as one.
            Value::Array(runs) if runs.iter().any(|run| run.get("text").is_some()) => {
                self.texts.push(runs.iter().filter_map(|run| run.get("text")?.as_str()).collect());
            }
            Value::Array(items) => items.iter().for_each(|item| self.collect(item, name)),
            Value::Object(fields) => fields.iter().for_each(|(name, field)| self.collect(field, name)),
            Value::Number(_) | Value::Bool(_) | Value::Null => {}
        }
    }
}

/// A value for comparing: numbers that differ by a rounding are the same.
fn key(value: f64) -> String {
    format!("{value:.6e}")
}

/// A word of a text, without signs around it.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    /// Whether a sentence may begin with it.
    begins: bool,
}

/// The words of a text; those with digits in them are none.
fn words_of(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut begins = true;
    let mut from = 0;
    let is_of_a_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '\'' | '’' | '&');
    while let Some(at) = text[from..].find(is_of_a_word).map(|at| from + at) {
        let between = &text[from..at];
        let ends = |sign: char| {
            matches!(
                sign,
                '.' | '!'
                    | '?'
                    | ':'
                    | ';'
                    | '\n'
                    | '•'
                    | '–'
                    | '—'
                    | '“'
                    | '„'
                    | '"'
                    | '«'
                    | '('
                    | '/'
                    | '|'
                    | '→'
                    | '¿'
                    | '¡'
                    | '…'
            )
        };
        begins |= between.chars().any(ends);
        let end = text[at..].find(|letter| !is_of_a_word(letter)).map_or(text.len(), |end| at + end);
        let word = text[at..end].trim_matches(|letter: char| !letter.is_alphanumeric());
        let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
        if !word.is_empty() {
            words.push(Word { text: word, begins });
            begins = false;
        }
        from = end;
    }
    words
}

/// What a brief and its files say, ready to be asked.
struct SourceText {
    /// All of it in small letters.
    text: String,
    words: HashSet<String>,
    values: HashSet<String>,
    /// Numbers before a multiplier, as a chart writes them.
    bare: HashSet<String>,
    percents: HashSet<String>,
    currencies: HashSet<&'static str>,
    months: HashSet<u8>,
    weekdays: HashSet<u8>,
}

impl SourceText {
    fn of(words: &str) -> Self {
        let mut said = Self {
            text: words.to_lowercase(),
            words: HashSet::new(),
            values: HashSet::new(),
            bare: HashSet::new(),
            percents: HashSet::new(),
            currencies: HashSet::new(),
            months: HashSet::new(),
            weekdays: HashSet::new(),
        };
        for quantity in quantities(words) {
            said.hear(&quantity, words);
        }
        let list: Vec<String> = words_of(words).iter().map(|word| word.text.to_lowercase()).collect();
        for (at, word) in list.iter().enumerate() {
            said.months.extend(month(word));
            said.weekdays.extend(short_weekday(word));
            said.currencies.extend(vocabulary::currency(word));
            if let Some(number) = number_word(word) {
                said.values.insert(key(number));
                let factor = list.get(at + 1).and_then(|next| vocabulary::multiplier(next, false));
                said.values.extend(factor.map(|factor| key(number * factor)));
            }
        }
        said.currencies.extend(words.chars().filter_map(vocabulary::currency_sign));
        said.words = list.into_iter().collect();
        said
    }

    fn hear(&mut self, quantity: &Quantity, words: &str) {
        self.values.extend(quantity.values.iter().copied().map(key));
        if quantity.is_multiplied {
            let bare =
                quantities(words[quantity.at..quantity.end].trim_end_matches(|letter: char| !letter.is_ascii_digit()));
            self.bare.extend(bare.iter().flat_map(|bare| &bare.values).copied().map(key));
        }
        if quantity.is_percent {
            self.percents.extend(quantity.values.iter().copied().map(key));
        }
        if quantity.is_part {
            self.months
                .extend(quantity.values.iter().filter(|value| (1.0..=12.0).contains(*value)).map(|value| *value as u8));
        }
    }

    fn check_addresses(&self, text: &str, added: &mut Vec<String>) {
        for token in text.split_whitespace() {
            let token =
                token.trim_matches(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '@' | '#' | '+'));
            if is_address(token) && !self.text.contains(&token.to_lowercase()) {
                added.push(token.to_owned());
            }
        }
    }

    fn check_quantities(&self, text: &str, added: &mut Vec<String>) {
        for quantity in quantities(text) {
            let is_minutes_of_nothing = text[..quantity.at].ends_with([':', '.', 'h']) && quantity.values == [0.0];
            if !is_minutes_of_nothing && !self.says(&quantity) {
                added.push(quantity.shown);
            }
        }
        // “Q3”, “CO2”: names with digits in them.
        for word in words_of(text) {
            let has = |is: fn(&char) -> bool| word.text.chars().any(|letter| is(&letter));
            if has(char::is_ascii_digit)
                && quantities(word.text).is_empty()
                && !self.text.contains(&word.text.to_lowercase())
            {
                added.push(word.text.to_owned());
            }
        }
    }

    fn says(&self, quantity: &Quantity) -> bool {
        let is_in = |set: &HashSet<String>| quantity.values.iter().any(|value| set.contains(&key(*value)));
        let is_month = quantity.is_part
            && quantity
                .values
                .iter()
                .any(|value| (1.0..=12.0).contains(value) && self.months.contains(&(*value as u8)));
        let is_value = if quantity.is_percent {
            is_in(&self.percents)
        } else {
            is_in(&self.values) || !quantity.is_multiplied && is_in(&self.bare) || is_month
        };
        is_value && quantity.currency.is_none_or(|currency| self.currencies.contains(currency))
    }

    fn check_dates(&self, text: &str, added: &mut Vec<String>) {
        let words = words_of(text);
        for (at, word) in words.iter().enumerate() {
            let small = word.text.to_lowercase();
            let is_number = |other: Option<&Word<'_>>| {
                other.is_some_and(|other| other.text.chars().next().is_some_and(|letter| letter.is_ascii_digit()))
            };
            let beside = is_number(words.get(at + 1)) || is_number(at.checked_sub(1).and_then(|at| words.get(at)));
            let is_capital = word.text.chars().next().is_some_and(char::is_uppercase);
            let is_month = beside || is_capital && !word.begins;
            if is_month && month(&small).is_some_and(|month| !self.months.contains(&month))
                || weekday(&small).is_some_and(|day| !self.weekdays.contains(&day))
            {
                added.push(word.text.to_owned());
            }
            // “twelve million”.
            let factor = words.get(at + 1).and_then(|next| vocabulary::multiplier(&next.text.to_lowercase(), false));
            if let (Some(number), Some(factor)) = (number_word(&small), factor)
                && !self.values.contains(&key(number * factor))
            {
                added.push(format!("{} {}", word.text, words[at + 1].text));
            }
        }
    }

    /// Words with capitals that are unknown, where there are at least as many in a row as `least` says, by whether a sentence
    /// begins with the first.
    fn check_names(&self, text: &str, least: impl Fn(bool) -> usize, small: &HashSet<&str>, added: &mut Vec<String>) {
        let words = words_of(text);
        let is_unknown = |word: &Word<'_>| self.is_unknown_name(word.text, small);
        let mut at = 0;
        while at < words.len() {
            let follows = |at: usize| words.get(at).is_some_and(|word| is_unknown(word) && !word.begins);
            let mut end = at;
            if is_unknown(&words[at]) {
                end += 1;
                while follows(end) {
                    end += 1;
                }
            }
            if end > at && (end - at >= least(words[at].begins) || is_marked(words[at].text)) {
                added.push(words[at..end].iter().map(|word| word.text).collect::<Vec<_>>().join(" "));
            }
            at = end.max(at + 1);
        }
    }

    /// A word with a capital that is neither in the brief nor written small elsewhere.
    fn is_unknown_name(&self, word: &str, small: &HashSet<&str>) -> bool {
        let mut letters = word.chars();
        let is_capital = letters.next().is_some_and(char::is_uppercase) && letters.next().is_some();
        if !is_capital || word.chars().any(|letter| letter.is_ascii_digit()) {
            return false;
        }
        let lower = word.to_lowercase();
        // Days and months are judged as dates.
        let is_date = month(&lower).is_some() || weekday(&lower).is_some();
        !is_date && !small.contains(lower.as_str()) && !self.knows(&lower)
    }

    /// Whether the brief has a word, in this form or another.
    fn knows(&self, word: &str) -> bool {
        if self.words.contains(word) {
            return true;
        }
        let length = word.chars().count();
        self.words.iter().any(|known| {
            let common = known.chars().zip(word.chars()).take_while(|(one, other)| one == other).count();
            let longest = length.max(known.chars().count());
            common >= 4 && longest - common <= 3
        })
    }
}

/// Capitals within, as brands and abbreviations have them.
fn is_marked(word: &str) -> bool {
    word.chars().skip(1).any(char::is_uppercase)
}

/// Whether a word is an address of something: mail, a page, an account.
fn is_address(token: &str) -> bool {
    let has_letters = token.chars().any(char::is_alphabetic);
    let parts: Vec<&str> = token.split('/').next().unwrap_or_default().split('.').collect();
    let is_domain = parts.len() >= 2
        && parts.last().is_some_and(|top| top.len() >= 2 && top.bytes().all(|letter| letter.is_ascii_lowercase()))
        && parts.iter().all(|part| {
            !part.is_empty() && part.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'-')
        })
        && parts[0].len() > 1;
    has_letters && (token.contains('@') || token.contains("://") || token.starts_with('#') || is_domain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::{Matter, Passage};

    const BRIEF: &str = "Pitch deck for Kornwerk, a bakery of Ada Byron in Leipzig. Market €4.2bn, up 14 %. July 1.05M loaves. \
                         Launch Friday 14 March 2027 at 7pm. Loaf €3.50. Q3 matters. Mail to hello@kornwerk.example. Three ovens.";

    fn check_in(language: &str, text: &str, expected: &[&str]) {
        let passage = Passage::new("", Matter::Statement { support: text.to_owned() });
        let outline = Outline { title: String::new(), language: language.to_owned(), passages: vec![passage] };
        assert_eq!(added_facts(&outline, BRIEF), expected, "{text}");
    }

    fn check(text: &str, expected: &[&str]) {
        check_in("en", text, expected);
    }

    #[test]
    fn what_is_said_in_other_words_adds_nothing() {
        for text in [
            "A market of 4.2 billion euros that grows by 14 percent",
            "The bakery of Byron opens its doors. It starts on Friday, 14.03.2027, at 19:00",
            "We baked 1,050,000 loaves in July. Each costs 3.50 €",
            "Kornwerk's 3 ovens in Leipzig, Q3",
            "Write to hello@kornwerk.example.",
            "Our story begins here. Come by",
        ] {
            check(text, &[]);
        }
        check_in(
            "de",
            "Ein Markt von 4,2 Mrd. €, plus 14 Prozent: Beginn am Freitag, dem 14. März 2027, um 19 Uhr",
            &[],
        );
        check_in("de", "Die Bäckerei in Leipzig öffnet ihre Türen mit drei Öfen", &[]);
    }

    #[test]
    fn what_is_in_no_brief_is_named() {
        check("A market of €4.3bn", &["€4.3bn"]);
        check("A market of €4.2m", &["€4.2m"]);
        check("A market of $4.2bn", &["$4.2bn"]);
        check("Up 15 %", &["15 %"]);
        check("Up 3.5 %", &["3.5 %"]);
        check("Loved by 40,000 people", &["40,000"]);
        check("Twelve million loaves", &["Twelve million"]);
        check("On Friday, 15 March 2027", &["15"]);
        check("On 14 April 2027", &["April"]);
        check("On 14.04.2027", &["14.04.2027"]);
        check("Doors open on Monday", &["Monday"]);
        check("Backed by Sequoia", &["Sequoia"]);
        check("Marie Curie joins the board", &["Marie Curie"]);
        check("Join Marie Curie and IBM", &["Join Marie Curie", "IBM"]);
        check("Results of Q4", &["Q4"]);
        check("Write to ceo@kornwerk.example or see evil.example/pay", &["ceo@kornwerk.example", "evil.example/pay"]);
        check_in("de", "Mit Unterstützung von Marie Curie und der UNESCO", &["Marie Curie", "UNESCO"]);
        check("It holds 100MB", &["100MB"]);
        let quote = Passage::new("", Matter::Quote { words: "Gut".to_owned(), by: "Curie".to_owned() });
        let outline = Outline { title: String::new(), language: "de".to_owned(), passages: vec![quote] };
        assert_eq!(added_facts(&outline, BRIEF), ["Curie"]);
    }

    #[test]
    fn the_numbers_of_a_chart_are_facts_too() {
        let chart = |values: &[f64]| {
            let series =
                crate::chart::Series { name: String::new(), values: values.iter().copied().map(Some).collect() };
            let chart = crate::chart::ChartData {
                kind: crate::chart::ChartKind::Columns,
                labels: vec!["July".to_owned(); values.len()],
                series: vec![series],
                prefix: String::new(),
                suffix: "M".to_owned(),
                comma: false,
            };
            let passage = Passage::new("", Matter::Chart { lead: String::new(), chart, insights: Vec::new() });
            Outline { title: String::new(), language: "en".to_owned(), passages: vec![passage] }
        };
        assert_eq!(added_facts(&chart(&[1.05]), BRIEF), Vec::<String>::new());
        assert_eq!(added_facts(&chart(&[1.05, 2.0]), BRIEF), ["2"]);
    }

    #[test]
    fn no_more_than_eight_are_named_and_each_once() {
        let text = (100..120).map(|number| format!("{number} and {number}")).collect::<Vec<_>>().join(", ");
        let passage = Passage::new("", Matter::Statement { support: text });
        let outline = Outline { title: String::new(), language: "en".to_owned(), passages: vec![passage] };
        assert_eq!(added_facts(&outline, "").len(), 8);
    }
}
