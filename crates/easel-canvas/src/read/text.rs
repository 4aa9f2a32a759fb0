//! Cutting text where people cut it: sentences, clauses, items of a list, a label and what it names.
//!
//! Nothing is cut within brackets or quotation marks. Every piece is trimmed and none is empty; put together again the
//! pieces hold every word of the text.

mod case;
mod ends;
mod pictures;

pub use case::capitalize;
use ends::{
    begins_count, ends_address, ends_age, ends_anyway, ends_count, ends_hours, ends_prices, ends_typed, is_speaker,
    is_until,
};

/// Marks that open and close what belongs together.
const PAIRS: &[(char, char)] =
    &[('(', ')'), ('[', ']'), ('“', '”'), ('„', '“'), ('«', '»'), ('‘', '’'), ('「', '」'), ('『', '』'), ('（', '）')];

/// Words that end with a full stop and end no sentence.
const SHORTENED: &[&str] = &[
    "dr", "mr", "mrs", "ms", "st", "no", "nr", "vs", "approx", "ca", "incl", "inkl", "bzw", "usw", "etc", "prof",
    "dipl", "tel", "str", "mio", "mrd", "mwst", "z.b", "e.g", "i.e", "d.h", "jr", "sr", "ing", "co", "inc", "ltd",
    "max", "min", "abs", "tsd", "jan", "feb", "apr", "aug", "sept", "sep", "okt", "oct", "nov", "dez", "dec", "mo",
    "di", "mi", "do", "fr", "sa", "so", "u", "v", "p", "m", "env", "av", "univ", "sra", "sr", "hl", "dott", "avv",
    "geom", "art", "vol", "fig", "zzgl", "tgl", "ep", "ext", "feat", "ft", "est", "dept", "pos", "geb", "evtl", "ggf",
    "std", "sek", "vgl", "ed", "rd", "ave", "blvd", "apt", "bd", "núm", "med", "dent", "vet", "jur", "phil", "rer",
    "nat", "habil", "trad", "arr",
];

/// How deep a place is within brackets and quotation marks, letter by letter.
#[derive(Default)]
struct Depth {
    open: Vec<char>,
    in_straight: bool,
}

impl Depth {
    /// Takes a letter; says whether the place behind it is within something.
    fn take(&mut self, letter: char) -> bool {
        if letter == '"' {
            self.in_straight = !self.in_straight;
        } else if self.open.last() == Some(&letter) {
            self.open.pop();
        } else if let Some((_, close)) = PAIRS.iter().find(|(open, _)| *open == letter) {
            // An apostrophe opens nothing; nor does a mark that only ever closes.
            if letter != '‘' && self.open.len() < 8 {
                self.open.push(*close);
            }
        }
        self.in_straight || !self.open.is_empty()
    }
}

/// Whether every mark that opens is closed again; where not, brackets and quotation marks say nothing.
fn is_balanced(text: &str) -> bool {
    let mut depth = Depth::default();
    let mut is_within = false;
    for letter in text.chars() {
        is_within = depth.take(letter);
    }
    !is_within
}

/// The pieces of a text between places that `cuts` chooses; it sees the text, where the letter stands, and the letter.
fn cut(text: &str, mut cuts: impl FnMut(&str, usize, char) -> Option<bool>) -> Vec<String> {
    let heeds = is_balanced(text);
    let mut depth = Depth::default();
    let mut pieces = Vec::new();
    let mut from = 0;
    for (at, letter) in text.char_indices() {
        let is_within = depth.take(letter) && heeds;
        if is_within {
            continue;
        }
        if let Some(keeps) = cuts(text, at, letter) {
            let end = at + letter.len_utf8();
            pieces.push(text[from..if keeps { end } else { at }].trim().to_owned());
            from = end;
        }
    }
    pieces.push(text[from..].trim().to_owned());
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// The letter behind a place.
fn next(text: &str, at: usize, letter: char) -> Option<char> {
    text[at + letter.len_utf8()..].chars().next()
}

/// The sentences of a text, each with its mark.
pub fn sentences(text: &str) -> Vec<String> {
    join_questions(cut_sentences(text))
}

/// “Questions? Jutta Kern, ext. 214”: who answers belongs to the question.
fn join_questions(sentences: Vec<String>) -> Vec<String> {
    let mut joined: Vec<String> = Vec::with_capacity(sentences.len());
    for sentence in sentences {
        let is_answer = sentence.split_whitespace().count() <= 10
            && (sentence.contains('@') || sentence.chars().any(|letter| letter.is_ascii_digit()));
        match joined.last_mut().filter(|last| is_answer && last.ends_with('?') && is_brief_question(last)) {
            Some(last) => {
                last.push(' ');
                last.push_str(&sentence);
            }
            None => joined.push(sentence),
        }
    }
    joined
}

/// Whether a text is, or begins with, a question of one or two words that asks who wants to know more.
pub fn is_brief_question(text: &str) -> bool {
    let Some((question, _)) = text.split_once('?') else { return false };
    matches!(
        question.trim().to_lowercase().as_str(),
        "questions"
            | "any questions"
            | "interested"
            | "fragen"
            | "noch fragen"
            | "rückfragen"
            | "interesse"
            | "des questions"
            | "preguntas"
            | "dudas"
            | "domande"
            | "more questions"
            | "curious"
            | "lust"
            | "dabei"
    )
}

fn cut_sentences(text: &str) -> Vec<String> {
    cut(text, |text, at, letter| {
        if matches!(letter, '\n' | '。' | '！' | '？') {
            return Some(true);
        }
        let behind = next(text, at, letter);
        if !matches!(letter, '.' | '!' | '?' | '؟' | '…' | '"' | '”' | '“') || !behind.is_none_or(char::is_whitespace)
        {
            return None;
        }
        if matches!(letter, '"' | '”' | '“') && !text[..at].ends_with(['.', '!', '?']) {
            return None;
        }
        // “"Slow is smooth." Maya Lindqvist”: who said it belongs to what was said.
        if matches!(letter, '"' | '”' | '“') && is_speaker(&text[at + letter.len_utf8()..]) {
            return None;
        }
        let rest = text[at + letter.len_utf8()..].trim_start();
        // “Paid? → yes”: the arrow goes on from the question. “Bringt Kuchen mit! / Bring cake!” says one thing twice.
        if rest.starts_with('→') || rest.starts_with("->") || rest.starts_with("/ ") {
            return None;
        }
        let begins_anew =
            rest.chars().next().is_none_or(|first| !first.is_lowercase() && !matches!(first, '—' | '–' | '-' | '('));
        // Dots that lead to a price end nothing.
        if letter == '.' && text[..at].ends_with(['.', ' ']) {
            return None;
        }
        if letter == '.' && !ends_sentence(&text[..at], rest) {
            return None;
        }
        (begins_anew || matches!(letter, '.' | '!' | '?')).then_some(true)
    })
}

/// Whether a full stop behind `before` ends a sentence.
fn ends_sentence(before: &str, rest: &str) -> bool {
    let word: String = before
        .chars()
        .rev()
        .take_while(|letter| !letter.is_whitespace())
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    let word = word.trim_start_matches(['(', '"', '“', '„']).to_lowercase();
    if rest.is_empty() {
        return true;
    }
    // “3.–7. Juni” is a stretch of days.
    let is_day = |day: &str| (1..=2).contains(&day.len()) && day.chars().all(|letter| letter.is_ascii_digit());
    if is_counted(before) && begins_priced(rest) {
        return true;
    }
    if ends_hours(before, rest)
        || ends_age(before, rest)
        || ends_prices(before, rest)
        || ends_anyway(before, &word, rest)
    {
        return true;
    }
    if is_until(before) {
        return false;
    }
    if is_counted(before) && is_day(&word) && begins_count(rest) {
        return true;
    }
    let is_ordinal = is_day(&word)
        || word.split(['–', '-', '/']).map(|day| day.trim_end_matches('.')).all(is_day)
            && rest.split_whitespace().next().is_some_and(super::dates::is_month);
    if is_ordinal && is_counted(before) && (begins_label(rest) || begins_capitals(rest)) {
        return true;
    }
    if is_ordinal && !ends_address(before, rest) && !ends_count(before, rest) {
        // “14. Juni”, “1. Flour”: a number before a name is a date or an ordinal, unless a new number begins.
        return false;
    }
    // “10–20 h. Calle Olmo 8”: one letter behind a number is its unit.
    let is_unit = matches!(word.as_str(), "h" | "m" | "g" | "l" | "k")
        && before
            .split_whitespace()
            .rev()
            .nth(1)
            .is_some_and(|number| number.ends_with(|last: char| last.is_ascii_digit()));
    let is_single = word.chars().count() == 1 && word.chars().all(char::is_alphabetic) && !is_unit;
    // “Hauptstr. 8” is one street.
    let is_street =
        super::streets::ends_as_street(&word) && rest.chars().next().is_some_and(|first| first.is_ascii_digit());
    // “Max. He knows”: a limit has its number behind it, a person has none.
    if before.ends_with("Max") && rest.starts_with(char::is_uppercase) {
        return true;
    }
    if ends_typed(before, &word, rest) {
        return true;
    }
    // “he says no. then we go home”: before a small word it is no number that is shortened.
    if word == "no" && rest.starts_with(char::is_lowercase) {
        return true;
    }
    !(is_single || is_street || SHORTENED.contains(&word.as_str()))
}

/// Whether a number stands behind words, and does not begin what it counts: “1. Context: …”.
fn is_counted(before: &str) -> bool {
    let words = before.trim_end_matches(|letter: char| !letter.is_whitespace()).trim_end();
    !words.is_empty() && !words.ends_with(['.', '!', '?', ':', ';', ','])
}

/// “… grigliate) 8. Bibite: acqua 2”: behind a number a word and a colon begin something else.
fn begins_label(rest: &str) -> bool {
    let mut words = rest.split_whitespace();
    let first = words.next().unwrap_or_default();
    first.strip_suffix(':').is_some_and(|word| {
        word.chars().count() >= 3 && word.chars().all(char::is_alphabetic) && !super::dates::is_month(word)
    })
}

/// “Farbe ab 65. Herren - Schnitt 29”, “vino della casa 9. Coperto 2€”: behind a number a name with a dash or a price begins anew.
fn begins_priced(rest: &str) -> bool {
    let mut words = rest.split_whitespace();
    let first = words.next().unwrap_or_default();
    let is_name = first.chars().count() >= 3
        && first.chars().all(char::is_alphabetic)
        && first.chars().next().is_some_and(char::is_uppercase)
        && !super::dates::is_month(&first.to_lowercase());
    let next = words.next().unwrap_or_default();
    let is_price =
        || super::amounts::next_amount(next, 0).is_some_and(|amount| amount.start == 0 && amount.is_price(next));
    is_name && (matches!(next, "-" | "–" | "—") || is_price())
}

/// “from 5. RSVP by May”: a word in capitals is no month.
fn begins_capitals(rest: &str) -> bool {
    let first = rest.split_whitespace().next().unwrap_or_default();
    let bare = first.trim_end_matches([',', ':', '.']);
    bare.chars().count() >= 3 && bare.chars().all(char::is_uppercase) && !super::dates::is_month(&bare.to_lowercase())
}

/// Whether a mark of one byte stands between letters of a script that sets no blanks.
fn is_between_signs(text: &str, at: usize) -> bool {
    let is_sign = |letter: char| ('\u{3040}'..='\u{9fff}').contains(&letter);
    text[..at].chars().next_back().is_some_and(is_sign) && text[at + 1..].chars().next().is_some_and(is_sign)
}

/// The clauses of a sentence: between commas, semicolons, and the like.
pub fn clauses(text: &str) -> Vec<String> {
    let pieces = cut(text, |text, at, letter| match letter {
        '、' | '，' | '；' => Some(false),
        // “晚上7点,和平公园”: typed with the comma of another script.
        ',' if is_between_signs(text, at) => Some(false),
        ',' | ';' | '·' | '|' | '•' | '،' | '\n' => {
            next(text, at, letter).is_none_or(char::is_whitespace).then_some(false)
        }
        _ if pictures::divides(text, at, letter) => Some(true),
        _ => None,
    });
    join_dates(pieces)
}

/// A date that holds commas is one piece: “Saturday, 14 June”, “June 14, 2026”.
fn join_dates(pieces: Vec<String>) -> Vec<String> {
    let mut joined: Vec<String> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let is_more = joined.last().is_some_and(|last| {
            if is_street(last) && is_town(&piece) {
                return true;
            }
            let is_year = piece.split_whitespace().next().is_some_and(|word| {
                word.len() == 4 && word.parse::<u32>().is_ok_and(|year| (1900..2200).contains(&year))
            });
            (last.split_whitespace().last().is_some_and(super::dates::is_weekday)
                && super::dates::begins_with_date(&piece))
                || (is_year && super::dates::ends_with_day(last))
        });
        match joined.last_mut().filter(|_| is_more) {
            Some(last) => {
                last.push_str(", ");
                last.push_str(&piece);
            }
            None => joined.push(piece),
        }
    }
    joined
}

/// Whether a text is a street with its number: “Hill Street 4”, “27 Harbour Parade”.
fn is_street(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_number = |word: &str| {
        let digits = word.chars().take_while(char::is_ascii_digit).count();
        (1..=4).contains(&digits) && word.chars().count() <= digits + 1
    };
    let is_name = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
    match words.as_slice() {
        [rest @ .., last] if (1..=4).contains(&rest.len()) && is_number(last) => {
            rest.iter().any(|word| is_name(word))
                && !super::dates::has_moment(text)
                && !rest.iter().any(|word| super::dates::is_month(word))
        }
        [first, rest @ ..] if (1..=4).contains(&rest.len()) && is_number(first) => {
            rest.iter().all(|word| is_name(word)) && !rest.iter().any(|word| super::dates::is_month(word))
        }
        _ => false,
    }
}

/// Whether a text is a town, with its number or without: “88131 Lindau”, “Whitby”.
fn is_town(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_code = |word: &str| word.len() >= 4 && word.chars().all(|letter| letter.is_ascii_digit());
    (1..=3).contains(&words.len())
        && words.iter().all(|word| is_code(word) || word.chars().next().is_some_and(char::is_uppercase))
        && !super::dates::has_moment(text)
}

/// The parts of a text between semicolons, where it has some outside of brackets.
pub fn by_semicolon(text: &str) -> Vec<String> {
    cut(text, |_, _, letter| matches!(letter, ';' | '；').then_some(false))
}

/// The parts of a text between slashes or bars with blanks around them.
pub fn by_bar(text: &str) -> Vec<String> {
    cut(text, |text, at, letter| {
        (matches!(letter, '/' | '|') && text[..at].ends_with(' ') && next(text, at, letter) == Some(' '))
            .then_some(false)
    })
}

/// Words between the last two things of a list.
const AND: &[&str] =
    &[" and ", " und ", " & ", " et ", " y ", " e ", " sowie ", " plus ", " и ", " και ", " og ", " och ", " en "];

/// The things of a list: between semicolons if there are any, else between commas, the last two joined by “and”.
pub fn items(text: &str) -> Vec<String> {
    let text = text.trim().trim_end_matches(['.', ';', ',']);
    let by_semicolon = by_semicolon(text);
    if by_semicolon.len() > 1 {
        return by_semicolon;
    }
    let bars = by_bar(text);
    if bars.len() > 1 && clauses(text).len() <= 1 {
        return bars;
    }
    let mut items = clauses(text);
    let Some(last) = items.pop() else { return items };
    // “put it in water, place it in the sun, wait an hour and count”: clauses are not cut at their “and”.
    let words: usize = items.iter().map(|item| item.split_whitespace().count()).sum();
    let is_list = !items.is_empty() && words <= items.len() * 5;
    match is_list.then(|| split_and(&last)).flatten() {
        Some((one, two)) => items.extend([one, two].into_iter().filter(|piece| !piece.is_empty())),
        None => items.push(last),
    }
    items
}

/// Two short things with “and” between them, or the second alone where the text begins with “and”.
fn split_and(text: &str) -> Option<(String, String)> {
    let padded = format!(" {text}");
    let lower = padded.to_lowercase();
    if lower.len() != padded.len() {
        return None;
    }
    for and in AND {
        if let Some(at) = lower.find(and) {
            // “en petite quantité” begins with no “and”: only in Dutch the word joins, and there it stands between two things.
            // “acaba en marzo”, “bloqué en gare”: nor does it join what says when or where.
            let behind = padded[at + and.len()..].split_whitespace().next().unwrap_or_default().to_lowercase();
            let is_when = super::dates::is_month(&behind)
                || super::vocabulary::is_determiner(&behind)
                || behind.starts_with(|first: char| first.is_ascii_digit());
            if *and == " en " && (at == 0 || is_when) {
                continue;
            }
            let (one, two) = (padded[..at].trim(), padded[at + and.len()..].trim());
            let is_short = |part: &str| part.split_whitespace().count() <= 5;
            // “12–2 and 5–8”, “walks a bit and then she's done” are one thing.
            let is_joined = one.ends_with(|letter: char| letter.is_ascii_digit())
                && two.starts_with(|letter: char| letter.is_ascii_digit())
                || !one.is_empty() && ["then ", "dann "].iter().any(|then| two.to_lowercase().starts_with(then));
            if is_joined {
                return None;
            }
            if one.is_empty() || (is_short(one) && !two.is_empty() && is_balanced(one)) {
                return Some((one.to_owned(), two.to_owned()));
            }
        }
    }
    None
}

/// The longest label before a colon, in letters and in words.
const LABEL: (usize, usize) = (56, 8);

/// A label and what follows its colon; what follows may be empty at the end of a line.
pub fn label(text: &str) -> Option<(&str, &str)> {
    let mut depth = Depth::default();
    let heeds = is_balanced(text);
    for (at, letter) in text.char_indices() {
        if depth.take(letter) && heeds {
            continue;
        }
        let behind = next(text, at, letter);
        let is_colon =
            letter == '：' || letter == ':' && (behind.is_none_or(char::is_whitespace) || is_between_signs(text, at));
        if is_colon {
            // “title:: words” has one mark too many.
            let (head, body) = (text[..at].trim().trim_end_matches(':'), text[at + letter.len_utf8()..].trim());
            let fits =
                head.chars().count() <= LABEL.0 && head.split_whitespace().count() <= LABEL.1 && !head.is_empty();
            return fits.then_some((head, body));
        }
        if matches!(letter, '.' | '!' | '?' | ';')
            && behind.is_some_and(char::is_whitespace)
            && ends_sentence(&text[..at], &text[at + 1..])
        {
            return None;
        }
    }
    None
}

/// The dashes that stand between two things, each with a blank on both sides.
pub const DASHES: [&str; 3] = [" – ", " — ", " - "];

/// Whether a dash stands between two things.
pub fn has_dash(text: &str) -> bool {
    DASHES.iter().any(|dash| text.contains(dash))
}

/// What stands before the first dash, and what behind it.
pub fn split_at_dash(text: &str) -> Option<(&str, &str)> {
    let halves = DASHES.iter().filter_map(|dash| text.split_once(dash));
    halves.min_by_key(|(head, _)| head.len())
}

/// A name and what is said of it, with a dash or a colon between them, or in brackets behind it.
pub fn name_and_words(text: &str) -> Option<(String, String)> {
    if let Some((head, body)) = label(text).filter(|(_, body)| !body.is_empty()) {
        return Some((head.to_owned(), body.to_owned()));
    }
    let mut cuts: Vec<_> = DASHES.into_iter().chain([" = "]).filter_map(|mark| text.split_once(mark)).collect();
    cuts.sort_by_key(|(head, _)| head.len());
    for (head, body) in cuts {
        let (head, body) = (head.trim(), body.trim());
        if head.chars().count() <= 48 && !head.is_empty() && !body.is_empty() && is_balanced(head) {
            return Some((head.to_owned(), body.to_owned()));
        }
    }
    let text = text.trim();
    // “話し合うこと—友情、裏切り”: scripts that set no blanks set none around a dash.
    if let Some((head, body)) = text.split_once(['—', '―'])
        && head.chars().next_back().is_some_and(|letter| letter >= '\u{3040}')
        && head.chars().count() <= 20
        && !body.trim().is_empty()
    {
        return Some((head.to_owned(), body.trim().to_owned()));
    }
    let at = text.find(['(', '（'])?;
    let (head, rest) = (text[..at].trim(), text[at..].trim());
    let inner = rest.strip_prefix(['(', '（'])?.strip_suffix([')', '）'])?;
    (!head.is_empty() && head.chars().count() <= 60 && !inner.contains(['(', ')']))
        .then(|| (head.to_owned(), inner.trim().to_owned()))
}

/// The first words within quotation marks: what stands before them, they, and what stands behind.
pub fn quoted(text: &str) -> Option<(&str, &str, &str)> {
    let mut best: Option<(usize, usize, usize, usize)> = None;
    for (open, close) in [('"', '"'), ('“', '”'), ('„', '“'), ('„', '”'), ('«', '»'), ('»', '«'), ('「', '」')]
    {
        let Some(from) = text.find(open) else { continue };
        let start = from + open.len_utf8();
        let Some(length) = text[start..].find(close) else { continue };
        if length > 0 && best.is_none_or(|(first, ..)| from < first) {
            best = Some((from, start, start + length, start + length + close.len_utf8()));
        }
    }
    let (from, start, end, behind) = best?;
    Some((&text[..from], text[start..end].trim(), &text[behind..]))
}

/// The words of a text in small letters, without marks.
pub fn words(text: &str) -> Vec<String> {
    text.to_lowercase()
        .split(|letter: char| !letter.is_alphanumeric() && letter != '\'' && letter != '’')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The text without a beginning, whatever its case; `None` where it begins otherwise or in the middle of a word.
pub fn strip_start<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    let head = text.get(..start.len())?;
    let rest = &text[start.len()..];
    (head.to_lowercase() == start && !rest.starts_with(char::is_alphanumeric)).then_some(rest)
}

/// The text without a beginning that is joined to what follows it, as “dell'” is.
pub fn strip_joined<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    text.get(..start.len()).filter(|head| head.to_lowercase() == start).map(|_| &text[start.len()..])
}

/// “thaaanks”, “pleeease”: a text in which a letter that is drawn out stands once.
pub fn without_drawl(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let runs = letters.chunk_by(|one, next| one == next);
    runs.flat_map(|run| if run.len() > 2 && run[0].is_alphabetic() { &run[..1] } else { run }).collect()
}

/// Whether two words begin alike for most of their letters: market, markets.
pub fn same_stem(one: &str, two: &str) -> bool {
    let shared = one.chars().zip(two.chars()).take_while(|(one, two)| one == two).count();
    shared >= 5 && shared + 2 >= one.chars().count().max(two.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_sentences_where_they_end() {
        assert_eq!(
            sentences("Am 14. Juni um 20 Uhr. Eintritt frei! Mit Dr. Weber, z.B. hier."),
            ["Am 14. Juni um 20 Uhr.", "Eintritt frei!", "Mit Dr. Weber, z.B. hier."]
        );
        assert_eq!(
            sentences("He said \"Stop. Now.\" and left. Then 3.5% more."),
            ["He said \"Stop. Now.\" and left.", "Then 3.5% more."]
        );
        assert_eq!(sentences("夏祭り。入場無料！").len(), 2);
    }

    #[test]
    fn cuts_lists_where_their_things_end() {
        assert_eq!(items("1,200 guests, tea (green, black) and cake"), ["1,200 guests", "tea (green, black)", "cake"]);
        assert_eq!(items("a, b; c and d"), ["a, b", "c and d"]);
        assert_eq!(clauses("Saturday, 14 June, June 14, 2026, 8 pm"), ["Saturday, 14 June", "June 14, 2026", "8 pm"]);
        assert_eq!(items("salt and pepper"), ["salt and pepper"]);
    }

    #[test]
    fn finds_labels_and_names() {
        assert_eq!(label("First day: badge, laptop"), Some(("First day", "badge, laptop")));
        assert_eq!(label("Doors 19:30, free"), None);
        assert_eq!(name_and_words("Ana Ruiz (CEO)"), Some(("Ana Ruiz".to_owned(), "CEO".to_owned())));
        assert_eq!(quoted("called “Open door” today"), Some(("called ", "Open door", " today")));
        assert_eq!(strip_start("Please draw", "please"), Some(" draw"));
    }

    #[test]
    fn a_text_is_cut_at_its_first_dash_whichever_it_is() {
        for (text, head, body) in [
            ("Pad Thai - noodles – spicy", "Pad Thai", "noodles – spicy"),
            ("Pad Thai – noodles - spicy", "Pad Thai", "noodles - spicy"),
            ("Pad Thai — noodles, wok-fried", "Pad Thai", "noodles, wok-fried"),
        ] {
            assert_eq!(split_at_dash(text), Some((head, body)));
            assert_eq!(name_and_words(text), Some((head.to_owned(), body.to_owned())));
        }
        assert_eq!(split_at_dash("wok-fried"), None);
    }
}
