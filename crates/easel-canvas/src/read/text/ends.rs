//! Whether a full stop behind a number ends a sentence: behind hours, houses, counts and days it may or may not.

use crate::read::{dates, streets};

/// “418 maple ave. furniture”, “by 4 oct. please ring”: where nothing begins large, a street with its number before it and a
/// day with its month end a sentence, unless a small word goes on.
pub(super) fn ends_typed(before: &str, word: &str, rest: &str) -> bool {
    #[rustfmt::skip]
    const GOES_ON: &[&str] = &[
        "at", "in", "from", "to", "until", "till", "and", "or", "on", "near", "next", "corner", "a", "im", "um", "ab", "bis", "und", "von", "am", "à", "de", "a",
        "y", "e", "et", "alle", "dalle", "bei", "an", "between", "for",
    ];
    let next = rest.split_whitespace().next().unwrap_or_default();
    let goes_on = !next.chars().next().is_some_and(char::is_lowercase) || GOES_ON.contains(&next);
    let is_number = |word: &str| {
        let digits = word.chars().take_while(char::is_ascii_digit).count();
        (1..=5).contains(&digits) && word.chars().count() <= digits + 1
    };
    let mut words = before.split_whitespace().rev().skip(1);
    let is_way = matches!(word, "ave" | "st" | "rd" | "blvd" | "ln" | "dr");
    let is_street = is_way && words.clone().take(3).any(is_number);
    let is_day = dates::is_month(word) && words.next().is_some_and(is_number);
    !goes_on && (is_street || is_day)
}

/// “9 to 3. stalls 12€/m”: the second of two hours ends a sentence, unless a month follows.
pub(super) fn ends_hours(before: &str, rest: &str) -> bool {
    let is_hour = |word: &str| (1..=2).contains(&word.len()) && word.chars().all(|letter| letter.is_ascii_digit());
    let words: Vec<&str> = before.split_whitespace().rev().take(3).collect();
    let next = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
    matches!(words.as_slice(), [last, to, first] if is_hour(last) && is_hour(first) && matches!(*to, "to" | "til" | "till" | "until"))
        && !dates::is_month(next.trim_end_matches([',', '.']))
}

/// “Serves 6. 400 g flour”: behind the number that ends a sentence the next one begins with a number that is no month and no
/// year.
pub(super) fn begins_count(rest: &str) -> bool {
    let first = rest.split_whitespace().next().unwrap_or_default();
    let next = rest.split_whitespace().nth(1).unwrap_or_default();
    let is_year = first.parse::<u32>().is_ok_and(|number| (1800..2200).contains(&number));
    first.parse::<u32>().is_ok() && !is_year && next.starts_with(char::is_alphabetic) && !dates::is_month(next)
}

/// “Bitte bis 1.8. Bescheid geben”: until when comes before what is to be done.
pub(super) fn is_until(before: &str) -> bool {
    let sentence = before.rsplit(['!', '?', ';']).next().unwrap_or_default().to_lowercase();
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let from = words.iter().rposition(|word| *word == "bitte").unwrap_or(words.len());
    match &words[from..] {
        [_, until @ .., day] => {
            (1..=2).contains(&until.len())
                && until.iter().all(|word| matches!(*word, "bis" | "zum" | "spätestens" | "ab" | "vom"))
                && day.contains('.')
                && day.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
        }
        _ => false,
    }
}

/// “Nail clipping 10. Open from nine”: a number behind a word that leads to no ordinal, before a word that is no month.
pub(super) fn ends_count(before: &str, rest: &str) -> bool {
    #[rustfmt::skip]
    const LEADS: &[&str] = &[
        "beim", "eine", "einem", "einen", "einer", "jede", "jeden", "jeder", "jedes", "unser", "unsere", "unserem", "unseren", "unserer", "mein", "meine",
        "meinen", "meinem", "dein", "deine", "deinem", "ihre", "ihren", "ihrem", "seinen", "seinem", "dieser", "dieses", "diesem", "diesen", "nach", "seit",
        "their", "your",
    ];
    let mut words = before.split_whitespace().rev();
    let number = words.next().unwrap_or_default();
    let Some(word) = words.next() else { return false };
    let next = rest.split_whitespace().next().unwrap_or_default();
    // “honey 500 g 7. Money in the tin”: behind a measure stands a price.
    let is_measure = matches!(word, "g" | "kg" | "l" | "ml" | "cl" | "dl")
        && words.next().is_some_and(|measured| measured.starts_with(|first: char| first.is_ascii_digit()));
    let is_word =
        is_measure || word.chars().count() >= 4 && word.chars().all(|letter| letter.is_lowercase() || letter == '-');
    is_word
        && !LEADS.contains(&word)
        && !dates::is_month(next)
        && number.parse::<u32>().is_ok()
        && next.chars().next().is_some_and(char::is_uppercase)
}

/// “Tiramisu 5,50, Panna Cotta 5. Montag Ruhetag”: behind another price a number ends a sentence before the name of a day, and so
/// does the last of several that are called.
pub(super) fn ends_prices(before: &str, rest: &str) -> bool {
    let last = before.split_whitespace().next_back().unwrap_or_default();
    let next = rest.split_whitespace().next().unwrap_or_default();
    let has_price = |word: &str| {
        word.split_once([',', '.']).is_some_and(|(whole, cents)| {
            whole.parse::<u32>().is_ok() && cents.len() >= 2 && cents[..2].bytes().all(|digit| digit.is_ascii_digit())
        })
    };
    // “02 99 55 50 18. Couleurs chaudes”: behind a number that is called begins something else.
    let is_digits = |word: &str| word.len() >= 2 && word.bytes().all(|digit| digit.is_ascii_digit());
    let called = before.split_whitespace().rev().take_while(|word| is_digits(word)).count();
    if called >= 3 && next.starts_with(char::is_uppercase) && !dates::is_month(next) {
        return true;
    }
    last.parse::<u32>().is_ok()
        && next.chars().count() > 3
        && dates::is_weekday(next)
        && before.split_whitespace().any(|word| word.is_ascii() && has_price(word))
}

/// “I swim.” – Berta, 91. Opening on 1 May: how old somebody is ends a sentence; no day and seldom an ordinal is as large.
pub(super) fn ends_age(before: &str, rest: &str) -> bool {
    let mut words = before.split_whitespace().rev();
    let age = words.next().and_then(|number| number.parse::<u32>().ok());
    let is_name = words.next().is_some_and(|word| word.ends_with(',') && word.starts_with(char::is_uppercase));
    let next = rest.split_whitespace().next().unwrap_or_default();
    age.is_some_and(|age| (32..=110).contains(&age))
        && is_name
        && next.starts_with(char::is_uppercase)
        && !next.trim_end_matches([',', '.', '!']).to_lowercase().ends_with("tag")
}

/// “We're at Mill Lane 77. The door is green”: a number behind a name that is no day, before a word that is no month.
pub(super) fn ends_address(before: &str, rest: &str) -> bool {
    let mut words = before.split_whitespace().rev().skip(1);
    let is_name = words.next().is_some_and(|word| {
        word.chars().count() > 3 && word.chars().next().is_some_and(char::is_uppercase) && !dates::is_weekday(word)
    });
    let next = rest.split_whitespace().next().unwrap_or_default();
    let is_small = matches!(
        next,
        "The"
            | "A"
            | "An"
            | "We"
            | "It"
            | "Please"
            | "Der"
            | "Die"
            | "Das"
            | "Wir"
            | "Es"
            | "Bitte"
            | "Le"
            | "La"
            | "Les"
            | "El"
    );
    // “Moselstraße 33. Dinner afterwards”: the name of a street says that the number is a house.
    let street = before.split_whitespace().rev().nth(1).unwrap_or_default().to_lowercase();
    let is_house = streets::is_street(&street) || streets::ends_as_street(&street);
    is_name && (is_small || is_house) && !dates::is_month(next)
}

/// “the bakery of Kiln & Co. We bake”, “Hof in KW 18. Aufzug: rot”, “cour du bâtiment B. Elle part”: a word that is often
/// shortened, the number of a week or the letter of a house, before a word that begins a sentence.
pub(super) fn ends_anyway(before: &str, word: &str, rest: &str) -> bool {
    #[rustfmt::skip]
    const BEGINNING: &[&str] = &[
        "We", "I", "Our", "The", "It", "They", "This", "These", "He", "She", "You", "Your", "There", "Wir", "Ich", "Unser", "Unsere", "Der", "Die", "Das", "Es", "Sie",
        "Nous", "On", "Elle", "Il", "Ils", "Le", "La", "Les", "Notre", "El", "Los", "Las", "Nuestra", "Nuestro", "Noi",
    ];
    const LETTERED: &[&str] = &[
        "building",
        "hall",
        "gate",
        "block",
        "wing",
        "stairs",
        "bâtiment",
        "salle",
        "hall",
        "escalier",
        "halle",
        "gebäude",
        "haus",
        "eingang",
        "saal",
        "edificio",
        "aula",
        "puerta",
        "ingresso",
        "scala",
    ];
    let next = rest.split_whitespace().next().unwrap_or_default().trim_end_matches([',', ':']);
    let lead = before.split_whitespace().rev().nth(1).unwrap_or_default();
    let is_company = matches!(word, "co" | "inc" | "ltd");
    let is_lettered = word.chars().count() == 1 && LETTERED.contains(&lead.to_lowercase().as_str());
    let is_week = matches!(lead, "KW" | "week" | "Woche" | "semaine" | "semana" | "settimana")
        && word.parse::<u32>().is_ok_and(|week| week <= 53)
        && next.chars().next().is_some_and(char::is_uppercase);
    is_week || (is_company || is_lettered) && BEGINNING.contains(&next)
}

/// Whether a text is the name of a person, and at most what that person does.
pub(super) fn is_speaker(text: &str) -> bool {
    // What a second sentence says is none of it.
    let text = match text.find(". ").filter(|at| text[..*at].split_whitespace().count() > 2) {
        Some(end) => &text[..end],
        None => text,
    };
    // “Margit, 81, swims every morning”: one name with an age.
    let mut told = text.trim().split(", ");
    let is_aged =
        told.next().is_some_and(|name| name.starts_with(char::is_uppercase) && name.chars().all(char::is_alphabetic))
            && told.next().is_some_and(|age| age.parse::<u32>().is_ok_and(|age| (5..=110).contains(&age)));
    if is_aged && text.split_whitespace().count() <= 12 {
        return true;
    }
    let name = text.trim().split(['\n', ',', '(']).next().unwrap_or_default().trim().trim_end_matches('.');
    let words: Vec<&str> = name.split_whitespace().collect();
    (2..=4).contains(&words.len())
        && words.iter().all(|word| {
            word.chars().next().is_some_and(char::is_uppercase)
                && word.chars().all(|letter| letter.is_alphabetic() || matches!(letter, '.' | '-' | '’' | '\''))
                || matches!(*word, "de" | "van" | "von" | "der" | "da" | "la" | "al")
        })
        && words[0].chars().skip(1).any(char::is_lowercase)
        && text.split_whitespace().count() <= 9
}
