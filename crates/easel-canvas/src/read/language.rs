//! Which language a text is in: by its letters, else by its small words.

/// Small words that tell the languages of Latin letters apart.
const SMALL_WORDS: &[(&str, &[&str])] = &[
    (
        "de",
        &[
            "der",
            "die",
            "das",
            "und",
            "für",
            "ein",
            "eine",
            "mit",
            "über",
            "zum",
            "zur",
            "nicht",
            "ist",
            "wir",
            "von",
            "präsentation",
            "folien",
            "einladung",
            "bei",
            "auf",
            "ab",
            "uhr",
            "oder",
            "wenn",
            "dann",
            "im",
            "alles",
            "auch",
            "noch",
            "bitte",
            "nach",
            "wird",
            "den",
            "dem",
            "des",
            "ich",
            "uns",
            "aus",
            "offen",
            "leider",
            "neue",
            "geöffnet",
            "montag",
            "dienstag",
            "mittwoch",
            "donnerstag",
            "freitag",
            "samstag",
            "sonntag",
        ],
    ),
    (
        "fr",
        &[
            "le",
            "la",
            "les",
            "et",
            "pour",
            "une",
            "des",
            "du",
            "avec",
            "est",
            "nous",
            "sur",
            "présentation",
            "affiche",
            "lundi",
            "mardi",
            "mercredi",
            "jeudi",
            "vendredi",
            "samedi",
            "dimanche",
            "rue",
            "à",
            "au",
            "aux",
        ],
    ),
    (
        "it",
        &[
            "il", "della", "di", "con", "una", "che", "alle", "nel", "sono", "gli", "dei", "del", "e", "al", "si",
            "vi", "ore", "via", "più",
        ],
    ),
    (
        "nl",
        &["het", "een", "van", "voor", "niet", "met", "uur", "naar", "zijn", "wij", "uw", "aan", "bij", "ook", "op"],
    ),
    ("pt", &["o", "os", "com", "uma", "não", "das", "dos", "às", "pelo", "são", "em", "da", "do", "ao", "é", "seu"]),
    ("pl", &["się", "nie", "jest", "od", "ul", "dla", "oraz", "przy", "będzie", "lub", "albo"]),
    ("sv", &["och", "det", "att", "på", "är", "för", "som", "av", "inte", "vi", "kl", "från"]),
    (
        "es",
        &[
            "el",
            "los",
            "las",
            "y",
            "para",
            "una",
            "del",
            "con",
            "es",
            "por",
            "sobre",
            "presentación",
            "nuestro",
            "lunes",
            "martes",
            "miércoles",
            "jueves",
            "viernes",
            "sábado",
            "domingo",
            "calle",
            "desde",
            "hoy",
            "más",
            "cita",
        ],
    ),
];

const ENGLISH: &[&str] = &[
    "the", "and", "for", "a", "with", "of", "in", "is", "our", "to", "an", "about", "on", "at", "from", "by", "street",
    "st",
];

/// The two letters of a language; `en` where nothing tells.
pub fn detect(text: &str) -> String {
    let sample: Vec<char> = text.chars().take(4000).collect();
    // Most texts have few letters that are not Latin, and each script looks for its own among them.
    let not_latin: Vec<char> = sample.iter().copied().filter(|letter| *letter >= '\u{370}').collect();
    let count = |from: char, to: char| not_latin.iter().filter(|letter| (from..=to).contains(*letter)).count();
    let letters = sample.iter().filter(|letter| letter.is_alphabetic()).count().max(1);
    for (language, from, to) in [
        ("he", '\u{590}', '\u{5ff}'),
        ("ar", '\u{600}', '\u{6ff}'),
        ("el", '\u{370}', '\u{3ff}'),
        ("ru", '\u{400}', '\u{4ff}'),
        ("hi", '\u{900}', '\u{97f}'),
        ("th", '\u{e00}', '\u{e7f}'),
        ("ja", '\u{3040}', '\u{30ff}'),
        ("ko", '\u{ac00}', '\u{d7af}'),
        ("zh", '\u{4e00}', '\u{9fff}'),
    ] {
        // A few Latin names do not make a text English, and Japanese has more Chinese letters than its own.
        if count(from, to) * if language == "ja" { 10 } else { 3 } > letters {
            return language.to_owned();
        }
    }
    // “Di–Sa” is a stretch of days, and its “di” no word of Italian.
    let text: String = sample.iter().collect();
    let lower = ["Di", "di"]
        .iter()
        .fold(text, |text, day| {
            text.replace(&format!(" {day}–"), " –")
                .replace(&format!(" {day}-"), " -")
                .replace(&format!("–{day} "), "– ")
        })
        .to_lowercase();
    let words: Vec<&str> = lower
        .split(|letter: char| !letter.is_alphanumeric() && letter != '\'')
        .filter(|word| !word.is_empty())
        .collect();
    let score = |small: &[&str]| words.iter().filter(|word| small.contains(word)).count();
    let english = score(ENGLISH);
    // A word or two are told by how they are built.
    let is_german = |word: &&&str| {
        word.contains(['ä', 'ö', 'ü', 'ß'])
            || word.len() >= 7
                && [
                    "markt", "ung", "keit", "heit", "schaft", "fest", "abend", "haus", "feier", "stunde", "kurs",
                    "verein", "konzert", "lauf", "tag", "treff",
                ]
                .iter()
                .any(|end| word.ends_with(end))
                && !["manifest", "birthday", "saturday", "yesterday", "greenhouse"].contains(*word)
    };
    if words.len() <= 4
        && english == 0
        && words.iter().any(|word| is_german(&word))
        && score(SMALL_WORDS[0].1) >= score(SMALL_WORDS[1].1)
    {
        return "de".to_owned();
    }
    // Letters that only one of the languages has tell more than its small words.
    let own_letters = |language: &str| {
        let letters: &[char] = match language {
            "pl" => &['ł', 'ś', 'ż', 'ź', 'ć', 'ń', 'ą', 'ę'],
            "pt" => &['ã', 'õ'],
            "es" => &['ñ', '¿', '¡'],
            "de" => &['ß', 'ü'],
            "sv" => &['å'],
            _ => &[],
        };
        lower.split_whitespace().filter(|word| word.contains(letters)).count()
    };
    // Names and streets have no small words: where no other language shows, these letters are German.
    let is_told = SMALL_WORDS.iter().any(|(language, small)| score(small) + own_letters(language) > 0);
    if english == 0 && !is_told && lower.contains(['ä', 'ö']) && !lower.contains('å') {
        return "de".to_owned();
    }
    // Of two languages that are as likely the one that is named first, which more people write.
    SMALL_WORDS
        .iter()
        .rev()
        .map(|(language, small)| (score(small) + own_letters(language), *language))
        .max_by_key(|(score, _)| *score)
        .filter(|(score, _)| *score > english)
        .map_or("en", |(_, language)| language)
        .to_owned()
}

/// The language of what a thing says; where hardly a word of it tells, that of the brief around it.
pub fn detect_within(text: &str, brief: &str) -> String {
    let found = detect(text);
    // A table of names and prices has no small words, and one small word is soon met by chance.
    let least = match found.as_str() {
        "en" | "sv" | "nl" | "pt" | "pl" => 2,
        _ => return found,
    };
    if small_words_of(text, &found) >= least {
        return found;
    }
    let around = detect(brief);
    if small_words_of(brief, &around) >= 2 {
        around
    } else if found == "en" || small_words_of(brief, &found) == 0 {
        found
    } else {
        "en".to_owned()
    }
}

/// Small words of English that are as much those of other languages.
const SHARED: &[&str] = &["in", "an", "a", "st", "to"];

/// How many small words of a language a text has.
fn small_words_of(text: &str, language: &str) -> usize {
    let small = SMALL_WORDS.iter().find(|(code, _)| *code == language).map_or(ENGLISH, |(_, small)| *small);
    let lower = text.to_lowercase();
    lower
        .split(|letter: char| !letter.is_alphanumeric() && letter != '\'')
        .filter(|word| small.contains(word) && !(language == "en" && SHARED.contains(word)))
        .count()
}

/// Whether a language reads from right to left.
pub fn is_right_to_left(language: &str) -> bool {
    matches!(language, "he" | "ar")
}
