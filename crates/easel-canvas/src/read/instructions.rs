//! What a brief says about the thing and not in it: how many pages, what size, for whom, in which language and colours.
//!
//! Instructions are obeyed and never printed. What is not recognised as one is content: nothing is dropped in doubt.

use super::kinds;
use super::language;
use super::style::{AUDIENCES, DESIGN, GLUE, LABELS, LEADS, MENTIONS, REMARKS, STYLE};
use super::text::{self, words};
use super::vocabulary::{LANGUAGES, NAMED_COLORS, NUMBER_WORDS, PAGE_WORDS};
use crate::brief::{contains_word, size_of_label};
use crate::color::Rgb;
use crate::theme::recipes;

/// What a text wants, apart from what it says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wishes {
    /// How many pages.
    pub page_count: Option<u32>,
    /// The size of a page that was named, in pixels.
    pub size: Option<(u32, u32)>,
    /// Whether it shall be dark.
    pub dark: Option<bool>,
    /// Colours that were named.
    pub colors: Vec<Rgb>,
    /// The theme that fits its words best.
    pub recipe: Option<&'static str>,
    /// The language that was asked for, as two letters.
    pub language: Option<&'static str>,
}

/// What a clause is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clause {
    /// Something that the thing shall say.
    Content(String),
    /// Something about the thing.
    Instruction,
}

/// Reads what a text wants; all of it is taken as instructions.
pub fn wishes(text: &str) -> Wishes {
    let lower = text.to_lowercase();
    Wishes {
        page_count: page_count(&lower),
        size: pixels(&lower).or_else(|| size_of_label(&lower)),
        dark: dark(&lower),
        colors: colors(text),
        recipe: recipe(&lower),
        language: asked_language(&lower),
    }
}

/// “on one slide”, “8 slides”, “a 5-page report”, “sechs Folien”.
pub fn page_count(lower: &str) -> Option<u32> {
    let words: Vec<String> = words(lower);
    let number = |word: &str| {
        word.parse::<u32>()
            .ok()
            .or_else(|| NUMBER_WORDS.iter().find(|(name, _)| *name == word).map(|(_, number)| *number))
    };
    let counted = words.windows(2).find_map(|pair| {
        PAGE_WORDS
            .contains(&pair[1].as_str())
            .then(|| number(&pair[0]))
            .flatten()
            .filter(|count| (1..=60).contains(count))
    });
    // “one single page”, “6 short slides”.
    let apart = || {
        words.windows(3).find_map(|three| {
            let is_between = STYLE.contains(&three[1].as_str())
                || matches!(three[1].as_str(), "single" | "einzige" | "einzigen" | "content");
            (is_between && PAGE_WORDS.contains(&three[2].as_str()))
                .then(|| number(&three[0]))
                .flatten()
                .filter(|count| (1..=60).contains(count))
        })
    };
    let single = || {
        words
            .windows(2)
            .any(|pair| {
                matches!(pair[0].as_str(), "single" | "einzige" | "einzigen") && PAGE_WORDS.contains(&pair[1].as_str())
            })
            .then_some(1)
    };
    counted.or_else(apart).or_else(single)
}

/// “1080x1350”, “1920 × 1080 px”.
fn pixels(lower: &str) -> Option<(u32, u32)> {
    let marked = lower.replace('×', "x");
    marked.split(|letter: char| !letter.is_ascii_digit() && letter != 'x').find_map(|word| {
        let (width, height) = word.split_once('x')?;
        let (width, height): (u32, u32) = (width.parse().ok()?, height.parse().ok()?);
        ((200..=8192).contains(&width) && (200..=8192).contains(&height)).then_some((width, height))
    })
}

fn dark(lower: &str) -> Option<bool> {
    let has = |words: &[&str]| words.iter().any(|word| contains_word(lower, word));
    let is_refused = has(&["not too dark", "not dark", "nicht zu dunkel", "nicht dunkel"]);
    if has(&[
        "dark",
        "dunkel",
        "dunkle",
        "dunkler",
        "dunklen",
        "sombre",
        "oscuro",
        "scuro",
        "night mode",
        "dark mode",
        "black background",
    ]) && !is_refused
    {
        Some(true)
    } else if is_refused
        || has(&[
            "light",
            "bright",
            "hell",
            "heller",
            "helle",
            "hellen",
            "clair",
            "claro",
            "chiaro",
            "white background",
            "white space",
            "weißraum",
        ])
    {
        Some(false)
    } else {
        None
    }
}

/// The theme whose tones a text names most often.
fn recipe(lower: &str) -> Option<&'static str> {
    let words = words(lower);
    let negated = |at: usize| {
        words[at.saturating_sub(2)..at].iter().any(|word| {
            matches!(
                word.as_str(),
                "not" | "no" | "never" | "nothing" | "nicht" | "kein" | "keine" | "nichts" | "without" | "ohne"
            )
        })
    };
    let mut best = None;
    let mut most = 0;
    for recipe in recipes() {
        let found = words
            .iter()
            .enumerate()
            .filter(|(at, word)| recipe.tones.contains(&word.as_str()) && !negated(*at))
            .count();
        let named = usize::from(contains_word(lower, &format!("{} theme", recipe.name.to_lowercase()))) * 5;
        if found + named > most {
            most = found + named;
            best = Some(recipe.name);
        }
    }
    best
}

/// The colours that a text names, by number or by name, in its order; at most four.
pub fn colors(text: &str) -> Vec<Rgb> {
    let mut found: Vec<(usize, Rgb)> = Vec::new();
    for (at, _) in text.match_indices('#') {
        let digits: String = text[at + 1..].chars().take_while(char::is_ascii_hexdigit).take(6).collect();
        let is_whole = digits.len() == 6 || digits.len() == 3;
        if let (true, Some(color)) = (is_whole, Rgb::parse(&digits)) {
            found.push((at, color));
        }
    }
    let lower = text.to_lowercase();
    for (name, color) in NAMED_COLORS {
        if contains_word(&lower, name) {
            found.push((lower.find(name).unwrap_or(0), color.rgb()));
        }
    }
    found.sort_by_key(|(at, _)| *at);
    found.dedup_by_key(|(_, color)| *color);
    found.into_iter().map(|(_, color)| color).take(4).collect()
}

fn asked_language(lower: &str) -> Option<&'static str> {
    LANGUAGES.iter().find(|(phrase, _)| contains_word(lower, phrase)).map(|(_, code)| *code)
}

/// Whether a label names instructions: “Tone: warm”.
pub fn is_label(label: &str) -> bool {
    let label = label.trim().trim_start_matches(['-', '*', '•', '#', ' ']).to_lowercase();
    LABELS.contains(&label.as_str())
}

/// Tells whether a clause or a sentence is content; what only leads to it (“please include”) is taken away.
pub fn judge(clause: &str) -> Clause {
    let bare = clause.trim().trim_matches(['.', '!', ',', ';', ' ']);
    if bare.is_empty() {
        return Clause::Instruction;
    }
    let lower = bare.to_lowercase();
    if let Some((head, _)) = text::label(bare).filter(|(head, _)| is_label(head)) {
        let _ = head;
        return Clause::Instruction;
    }
    if is_made_of_style(&lower) || is_audience(&lower) || is_talk(&lower) {
        return Clause::Instruction;
    }
    let clauses = text::clauses(bare);
    if clauses.len() > 1 && clauses.iter().all(|clause| matches!(judge(clause), Clause::Instruction)) {
        return Clause::Instruction;
    }
    if let Some(content) = mentioned(bare) {
        return match judge(&content) {
            Clause::Content(content) => Clause::Content(content),
            Clause::Instruction => Clause::Instruction,
        };
    }
    if speaks_of_design(&lower) {
        return Clause::Instruction;
    }
    Clause::Content(strip_manner(bare))
}

/// The same for a clause of the paragraph that asks for the thing, where what it shall say stands in paragraphs of its own:
/// there only what is surely a fact is content.
pub fn judge_of_request(clause: &str) -> Clause {
    let bare = clause.trim();
    let has_fact =
        super::amounts::amounts(bare).iter().any(|amount| amount.is_price(bare) || amount.suffix.starts_with('%'))
            || bare.contains('@')
            || text::quoted(bare).is_some()
            || (super::dates::has_moment(bare) && !is_deadline(&bare.to_lowercase()))
            || bare.split_whitespace().any(|word| word.starts_with("www.") || word.starts_with("http"));
    if has_fact { judge(clause) } else { Clause::Instruction }
}

/// “by Thursday”, “bis Freitag”, “for Monday”: until when it is needed.
fn is_deadline(lower: &str) -> bool {
    [
        "by ",
        "until ",
        "bis ",
        "for ",
        "need",
        "brauch",
        "print",
        "have them",
        "heute",
        "today",
        "tomorrow",
        "morgen",
        "pour ",
        "para ",
    ]
    .iter()
    .any(|sign| lower.contains(sign))
        && super::amounts::next_amount(lower, 0).is_none()
}

/// The words behind “please include” and the like; only where the verb is one of telling and not of offering.
fn mentioned(bare: &str) -> Option<String> {
    let mut longest: Option<&str> = None;
    for lead in MENTIONS {
        if lead.split(' ').count() == 1
            && !matches!(
                *lead,
                "include" | "mention" | "also" | "erwähne" | "nenne" | "nenn" | "außerdem" | "mentionner" | "add"
            )
        {
            continue;
        }
        if let Some(rest) = text::strip_start(bare, lead)
            && longest.is_none_or(|known| rest.len() < known.len())
        {
            longest = Some(rest);
        }
    }
    let rest = longest?.trim_start_matches([':', ',', '–', '-', ' ']).trim();
    (!rest.is_empty() && rest.len() < bare.len()).then(|| rest.to_owned())
}

/// Whether every word speaks of look, size, pages or audience, and one at least does so by itself.
pub fn is_made_of_style(lower: &str) -> bool {
    let words = words(lower);
    let is_counted = page_count(lower).is_some();
    let is_sized = size_of_label(lower).is_some() || pixels(lower).is_some();
    let named: Vec<String> =
        kinds::all(lower).iter().flat_map(|named| self::words(&lower[named.start..named.end])).collect();
    let mut is_any = is_counted || is_sized;
    let fits = !words.is_empty()
        && words.iter().all(|word| {
            let word = word.as_str();
            if GLUE.contains(&word) {
                return true;
            }
            let is_color = NAMED_COLORS.iter().any(|(name, _)| *name == word)
                || PLAIN_COLORS.contains(&word)
                || (Rgb::parse(word).is_some() && word.len() == 6 && lower.contains('#'));
            let is_style = STYLE.contains(&word) || is_compound_style(word);
            let is_measure = matches!(
                word,
                "cm" | "mm" | "din" | "inch" | "inches" | "hoch" | "quer" | "hochkant" | "vertical" | "horizontal"
            );
            let speaks = is_sheet(word)
                || is_measure
                || is_style
                || is_color
                || DESIGN.contains(&word)
                || LANGUAGE_WORDS.contains(&word);
            is_any |= speaks;
            let is_page = PAGE_WORDS.contains(&word)
                || (is_counted && (word.parse::<u32>().is_ok() || NUMBER_WORDS.iter().any(|(name, _)| *name == word)));
            let is_size = is_sized
                && (word.chars().any(|letter| letter.is_ascii_digit())
                    || matches!(
                        word,
                        "instagram"
                            | "linkedin"
                            | "facebook"
                            | "pinterest"
                            | "letter"
                            | "square"
                            | "px"
                            | "pixels"
                            | "pixel"
                            | "hochformat"
                            | "querformat"
                            | "quer"
                            | "hoch"
                    ));
            speaks || is_page || is_size || named.iter().any(|name| name == word)
        });
    fits && is_any
}

/// Whether a word is the size of a sheet: `A3`, `DL`, `10x21`.
pub fn is_sheet(word: &str) -> bool {
    let mut letters = word.chars();
    let is_series =
        matches!(letters.next(), Some('a')) && word.len() == 2 && letters.all(|letter| ('0'..='7').contains(&letter));
    let is_measured = word.split_once(['x', '×']).is_some_and(|(width, height)| {
        width.parse::<f32>().is_ok()
            && height.trim_end_matches(|letter: char| letter.is_alphabetic()).parse::<f32>().is_ok()
    });
    is_series || is_measured || word == "dl"
}

/// “dunkelblau”, “hellgrün”, “off-white”.
fn is_compound_style(word: &str) -> bool {
    ["dunkel", "hell", "zart", "pastell"].iter().any(|start| {
        word.strip_prefix(start)
            .is_some_and(|rest| PLAIN_COLORS.contains(&rest) || NAMED_COLORS.iter().any(|(name, _)| *name == rest))
    })
}

/// Colours that make no accent by themselves, and that are still colours.
#[rustfmt::skip]
const PLAIN_COLORS: &[&str] = &[
    "black", "white", "grey", "gray", "beige", "cream", "ivory", "off", "sand", "charcoal", "silver", "earth", "schwarz", "weiß", "weiss", "grau",
    "creme", "noir", "blanc", "gris", "negro", "blanco", "nero", "bianco", "sage", "rust", "ochre", "ocker", "forest", "midnight", "mint", "rosa",
    "lila", "orange", "deep", "pale", "brass", "copper", "anthrazit", "salbei", "bottle", "mustard", "blush", "terracotta",
];

/// Names of languages and of writing in them.
#[rustfmt::skip]
const LANGUAGE_WORDS: &[&str] = &[
    "english", "german", "french", "spanish", "italian", "deutsch", "englisch", "französisch", "spanisch", "italienisch", "deutsche", "englische",
    "auf", "français", "anglais", "allemand", "español", "inglés", "italiano", "inglese", "british", "american", "uk", "us",
];

/// “for investors”, “for our new hires”, “für die Geschäftsführung”.
fn is_audience(lower: &str) -> bool {
    let words = words(lower);
    let begins = ["for", "für", "pour", "para", "per", "to", "at"].contains(&words.first().map_or("", String::as_str));
    let is_aimed = ["aimed at", "audience", "intended for", "meant for", "targeted at", "zielgruppe"]
        .iter()
        .any(|lead| lower.starts_with(lead));
    let named = words.iter().any(|word| AUDIENCES.contains(&word.as_str()));
    is_aimed || (begins && named && words.len() <= 5)
}

/// Greetings, thanks, dates by which it is needed: what is said to a person and not on a page.
fn is_talk(lower: &str) -> bool {
    #[rustfmt::skip]
    const WHOLE: &[&str] = &[
        "thanks", "thank you", "thx", "cheers", "many thanks", "thanks a lot", "thanks!", "ty", "best", "best regards", "kind regards", "regards",
        "hi", "hello", "hey", "hi there", "hi team", "hello team", "hey team", "hi all", "asap", "danke", "vielen dank", "lg", "vg", "mfg",
        "viele grüße", "liebe grüße", "beste grüße", "mit freundlichen grüßen", "hallo", "moin", "hallo zusammen", "hallo team", "merci", "bonjour",
        "cordialement", "gracias", "hola", "un saludo", "saludos", "grazie", "ciao", "saluti", "etc", "usw", "please", "bitte", "thanks in advance",
        "danke im voraus", "danke schon mal", "danke dir", "ok", "fwd", "fw", "re",
    ];
    #[rustfmt::skip]
    const PARTS: &[&str] = &[
        "need it by", "needed by", "need this by", "by tomorrow", "by end of day", "by eod", "as soon as possible", "so schnell wie möglich",
        "brauche ich bis", "brauchen wir bis", "bis morgen früh", "schon mal danke", "can you make", "could you make", "can you do", "could you do",
        "can you put together", "can you turn", "could you turn", "turn this into", "turn it into", "turn the", "make this into", "kannst du mir",
        "könntest du", "daraus bitte", "mach daraus", "let me know if", "sag bescheid", "sent from my iphone", "see below", "see attached",
        "siehe unten", "siehe anhang", "from the attached", "the attached file", "based on the attached", "use the attached", "aus der angehängten",
        "aus dem anhang",
    ];
    let bare = lower.trim_matches(|letter: char| !letter.is_alphanumeric());
    let is_remark = lower.split_whitespace().count() <= 14 && REMARKS.iter().any(|part| lower.contains(part));
    is_remark || WHOLE.contains(&bare) || (PARTS.iter().any(|part| lower.contains(part)) && !lower.contains('"'))
}

/// Whether a clause begins as one does that speaks to a designer, and names something of a look.
fn speaks_of_design(lower: &str) -> bool {
    let lower = ["pls ", "plz ", "please ", "and ", "but ", "just ", "also ", "bitte "]
        .iter()
        .find_map(|word| lower.strip_prefix(word).filter(|rest| LEADS.iter().any(|lead| rest.starts_with(lead))))
        .unwrap_or(lower);
    let leads = LEADS.iter().any(|lead| {
        lower.strip_prefix(lead).is_some_and(|rest| lead.ends_with(' ') || !rest.starts_with(char::is_alphanumeric))
    });
    let words = words(lower);
    let known = words
        .iter()
        .filter(|word| {
            STYLE.contains(&word.as_str())
                || DESIGN.contains(&word.as_str())
                || PLAIN_COLORS.contains(&word.as_str())
                || NAMED_COLORS.iter().any(|(name, _)| name == word)
        })
        .count();
    let counts = page_count(lower).is_some() || size_of_label(lower).is_some();
    let shown = words.iter().filter(|word| !GLUE.contains(&word.as_str())).count();
    let is_negated = [
        "no", "not", "without", "nothing", "avoid", "don't", "never", "kein", "keine", "keinen", "ohne", "nichts",
        "nicht", "sans", "pas", "sin", "nada", "senza", "niente",
    ]
    .contains(&words.first().map_or("", String::as_str));
    let has_fact = super::amounts::next_amount(lower, 0).is_some() && !counts
        || super::dates::has_moment(lower)
        || lower.contains('@');
    let is_feeling = [
        "should feel",
        "should look",
        "should sound",
        "soll wirken",
        "soll aussehen",
        "look like",
        "feel like",
        "looks like",
        "feels like",
    ]
    .iter()
    .any(|part| lower.contains(part));
    if is_feeling && !has_fact {
        return true;
    }
    if (leads || is_negated) && !has_fact {
        return known > 0 || counts || (leads && shown <= 2);
    }
    counts && leads
}

/// Takes away how something shall be shown: “as a bar chart”, “on one slide”.
fn strip_manner(text: &str) -> String {
    #[rustfmt::skip]
    const MANNERS: &[&str] = &[
        " as a bar chart", " as a line chart", " as a pie chart", " as a donut chart", " as a chart", " as a graph", " as a table", " as bar chart",
        " as chart", " as table", " as bullet points", " as bullets", " as columns", " as a diagram", " as a timeline", " as a flow", " in a chart",
        " in a table", " in big type", " in large type", " in big letters", " in large letters", " on one slide", " on one page",
        " on a single slide", " on a single page", " als balkendiagramm", " als liniendiagramm", " als diagramm", " als tabelle",
        " als kreisdiagramm", " in groß", " auf einer seite", " auf einer folie", " auf eine seite", " auf eine folie",
    ];
    let mut text = text.to_owned();
    loop {
        let lower = text.to_lowercase();
        let Some((at, manner)) = MANNERS
            .iter()
            .find_map(|manner| lower.find(manner).map(|at| (at, *manner)))
            .filter(|_| lower.len() == text.len())
        else {
            return text.trim().to_owned();
        };
        text.replace_range(at..at + manner.len(), "");
    }
}

/// The language that a text is in; one that its instructions name comes first.
pub fn language_of(content: &str, wishes: &Wishes) -> String {
    let found = language::detect(content);
    // Words cannot be translated here: an asked language only settles what the words leave open.
    match wishes.language {
        Some(asked) if found == "en" && content.split_whitespace().count() < 4 => asked.to_owned(),
        _ => found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_instructions_from_content() {
        for clause in [
            "moody and elegant",
            "lots of white space",
            "8 slides",
            "in dark blue",
            "warm and quiet",
            "no stock photos",
            "for investors",
            "A4 portrait",
            "please keep it short",
            "should feel like a letter from a friend",
            "Tone: friendly",
            "on one slide",
            "thanks!",
            "schlicht und edel",
            "ohne Schnickschnack",
            "für den Vorstand",
            "nicht zu bunt",
            "in Grün und Beige",
            "make it bold",
            "nothing too corporate",
            "viel Weißraum",
            "bitte im Querformat",
            "big type",
        ] {
            assert_eq!(judge(clause), Clause::Instruction, "{clause}");
        }
        for clause in [
            "Warm bread every morning",
            "Free entry",
            "Please bring a mat",
            "No ticket needed",
            "Use code SUMMER10",
            "Doors at 7 pm",
            "ohne Anmeldung",
            "Bitte Badesachen mitbringen",
            "Fresh pasta €9",
            "for beginners and advanced players alike, from 12 May",
            "Join us",
            "20% off",
        ] {
            assert!(matches!(judge(clause), Clause::Content(_)), "{clause}");
        }
        assert_eq!(
            judge("please include our opening hours Tue to Sun"),
            Clause::Content("our opening hours Tue to Sun".to_owned())
        );
    }

    #[test]
    fn counts_pages() {
        for (text, count) in [
            ("8 slides", Some(8)),
            ("on one slide", Some(1)),
            ("a 5-page report", Some(5)),
            ("sechs folien", Some(6)),
            ("a single page", Some(1)),
            ("2 weeks", None),
        ] {
            assert_eq!(page_count(text), count, "{text}");
        }
    }
}
