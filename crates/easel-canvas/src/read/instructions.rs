//! What a brief says about the thing and not in it: how many pages, what size, for whom, in which language and colours.
//!
//! Instructions are obeyed and never printed. What is not recognised as one is content: nothing is dropped in doubt.

mod count;
mod spoken;

use super::colors;
use super::kinds;
use super::language;
use super::maker;
use super::page_talk::readers;
use super::style::{self, DESIGN, GLUE, LABELS, LEADS, MEDIA, MENTIONS, MOTIFS, STYLE};
use super::text::{self, words};
use super::vocabulary::{LANGUAGES, NUMBER_WORDS, PAGE_WORDS, REFUSING, is_determiner};
use crate::brief::{contains_word, size_of_label};
use crate::color::Rgb;
use crate::theme::recipes;

pub use count::page_count;
use count::{meant_count, page_counts, pixels};
pub use spoken::{is_audience, is_put_off, judge_of_request, judge_spoken};
use spoken::{is_chinese_manner, is_japanese_manner, is_talk};

/// What a text wants, apart from what it says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Instructions {
    /// How many pages; of several numbers the one that is meant.
    pub page_count: Option<u32>,
    /// Every number of pages that was named, in its order.
    pub page_counts: Vec<u32>,
    /// The size of a page that was named, in pixels.
    pub size: Option<(u32, u32)>,
    /// Whether it shall be dark.
    pub dark: Option<bool>,
    /// Colours that were named, at most four.
    pub colors: Vec<Rgb>,
    /// The one of them that the pages themselves shall have.
    pub ground: Option<Rgb>,
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
pub fn wishes(text: &str) -> Instructions {
    let lower = text.to_lowercase();
    let named = colors::read(text);
    Instructions {
        page_count: meant_count(&lower),
        page_counts: page_counts(&lower),
        size: pixels(&lower).or_else(|| size_of_label(&lower)),
        dark: named.ground.map_or_else(|| dark(&named.rest), |ground| Some(!ground.is_light())),
        colors: named.colors,
        ground: named.ground,
        recipe: recipe(&named.rest),
        language: asked_language(&lower),
    }
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

/// Whether a word is of a script that sets its words apart; others are looked for within longer ones.
fn has_blanks(word: &str) -> bool {
    !word.chars().any(|letter| matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'))
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
            .count()
            + recipe.tones.iter().filter(|tone| !has_blanks(tone) && lower.contains(**tone)).count();
        let named = usize::from(contains_word(lower, &format!("{} theme", recipe.name.to_lowercase()))) * 5;
        if found + named > most {
            most = found + named;
            best = Some(recipe.name);
        }
    }
    best
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
    // What has an arrow is a course of things.
    if bare.contains(['→', '➔', '➜', '⇒']) || bare.contains("->") || style::is_refrain(bare) {
        return Clause::Content(bare.to_owned());
    }
    let lower = bare.to_lowercase();
    if let Some((head, body)) = text::label(bare).filter(|(head, _)| is_label(head)) {
        // “for: Ines Duarte” says who gets it.
        return if names_somebody(head, body) || tells_aim(head, body) {
            Clause::Content(bare.to_owned())
        } else {
            Clause::Instruction
        };
    }
    // What is quoted as a whole says something, whatever its words are.
    let is_quoted =
        text::quoted(bare).is_some_and(|(before, _, behind)| before.trim().is_empty() && behind.trim().is_empty());
    if is_quoted || readers::speaks_to_readers(bare) {
        return Clause::Content(bare.to_owned());
    }
    if is_japanese_manner(bare)
        || is_chinese_manner(bare)
        || is_made_of_style(&lower)
        || is_audience(&lower)
        || is_talk(&lower)
        || maker::speaks(bare)
    {
        return Clause::Instruction;
    }
    // “Thanks for Rosa Delgado” says whom.
    let is_named = ["thanks for ", "thanks to ", "thank you to ", "danke für ", "dank an ", "danke an ", "merci à "]
        .iter()
        .any(|lead| {
            lower.starts_with(lead) && bare.get(lead.len()..).is_some_and(|who| who.starts_with(char::is_uppercase))
        });
    if is_named {
        return Clause::Content(bare.to_owned());
    }
    // “yellow and black like our cars”.
    let likened = [" like ", " wie ", " comme ", " como ", " come "].iter().find_map(|like| lower.split_once(like));
    if likened.is_some_and(|(tones, like)| {
        is_made_of_style(tones) && !colors::read(tones).colors.is_empty() && like.split_whitespace().count() <= 6
    }) {
        return Clause::Instruction;
    }
    if is_fancied(&lower) {
        return Clause::Instruction;
    }
    let clauses = text::clauses(bare);
    if clauses.len() > 1 && are_obeyed(&clauses) {
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

/// Whether a label says who gets something, and its words are a name and no audience.
fn names_somebody(head: &str, body: &str) -> bool {
    let names: Vec<&str> = body.split_whitespace().collect();
    matches!(head.trim().to_lowercase().as_str(), "for" | "to" | "für" | "an" | "pour" | "para" | "per")
        && (2..=4).contains(&names.len())
        && names.iter().all(|name| name.starts_with(char::is_uppercase))
        && !names.iter().any(|name| style::AUDIENCES.contains(&name.to_lowercase().as_str()))
}

/// “goal: 2 days by June”: what a label of an aim says with a number is of the thing, and of no order.
pub fn tells_aim(head: &str, body: &str) -> bool {
    matches!(head.trim().to_lowercase().as_str(), "goal" | "objective" | "ziel" | "objectif" | "objetivo" | "obiettivo")
        && super::amounts::next_amount(body, 0).is_some()
        && page_count(&body.to_lowercase()).is_none()
}

/// “dark green + gold would be cool thx”: what somebody would like of a look.
fn is_fancied(lower: &str) -> bool {
    #[rustfmt::skip]
    const FANCIES: &[&str] = &[
        " would be cool", " would be nice", " would be great", " would be lovely", " would be good", " would be perfect", " would be awesome", " wäre cool",
        " wäre schön", " wäre toll", " wäre super", " wäre gut", " fände ich schön", " serait top", " serait bien", " serait super", " estaría bien",
        " sería genial", " sarebbe bello",
    ];
    FANCIES.iter().find_map(|fancy| lower.split_once(fancy)).is_some_and(|(tones, behind)| {
        behind.split_whitespace().count() <= 2
            && (is_made_of_style(tones)
                || tones.split_whitespace().count() <= 6 && !colors::read(tones).colors.is_empty())
    })
}

/// Whether all clauses are instructions; “no scary germs” behind two of them says what shall not be on it, and so does “no
/// angels” behind one.
fn are_obeyed(clauses: &[String]) -> bool {
    const REFUSALS: &[&str] = &[
        "no ", "not ", "without ", "kein ", "keine ", "nicht ", "ohne ", "pas de ", "sans ", "sin ", "senza ",
        "niente ",
    ];
    let is_refused = |clause: &String| {
        clause.split_whitespace().count() <= 4
            && REFUSALS.iter().any(|lead| clause.to_lowercase().starts_with(lead))
            && super::amounts::next_amount(clause, 0).is_none()
    };
    let obeyed: Vec<bool> = clauses.iter().map(|clause| matches!(judge(clause), Clause::Instruction)).collect();
    let count = obeyed.iter().filter(|obeyed| **obeyed).count();
    let refuses_motif = |clause: &String| words(clause).last().is_some_and(|last| MOTIFS.contains(&last.as_str()));
    count == clauses.len()
        || obeyed[0]
            && obeyed
                .iter()
                .zip(clauses)
                .all(|(obeyed, clause)| *obeyed || is_refused(clause) && (count >= 2 || refuses_motif(clause)))
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
    // “traffic lights please”, “mit Ampelfarben”: the colours by which a state is shown.
    let told = lower.replace("traffic lights", "colours").replace("traffic light", "").replace("ampelfarben", "farben");
    let lower = told.as_str();
    // “Instagram 17%” is a number and its name.
    let has_number = super::amounts::next_amount(lower, 0)
        .is_some_and(|amount| amount.suffix.starts_with('%') || amount.is_price(lower));
    if has_number || super::request::tells_of_itself(lower) {
        return false;
    }
    let words = words(lower);
    let is_counted = page_count(lower).is_some();
    let is_sized = size_of_label(lower).is_some() || pixels(lower).is_some();
    let named: Vec<String> =
        kinds::all(lower).iter().flat_map(|named| self::words(&lower[named.start..named.end])).collect();
    let is_color_led = colors::begins_as_colors(lower);
    let mut is_any = is_counted || is_sized;
    let fits = !words.is_empty()
        && words.iter().all(|word| {
            let word = word.as_str();
            if GLUE.contains(&word) || MEDIA.contains(&word) {
                return true;
            }
            // “mint” and “orange” are as often those of a drink.
            if colors::is_doubtful(word) || colors::is_tone(word) {
                is_any |= is_color_led || STYLE.contains(&word);
                return true;
            }
            let is_color =
                colors::is_color(word) || (Rgb::parse(word).is_some() && word.len() == 6 && lower.contains('#'));
            let is_style = style::is_of_style(word);
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
            let is_joined_page = is_counted
                && word.chars().next().is_some_and(|first| first.is_ascii_digit())
                && !word.is_ascii()
                && words.len() <= 2;
            speaks || is_page || is_joined_page || is_size || named.iter().any(|name| name == word)
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

/// Whether a word speaks of how a thing shall look or sound.
pub fn is_style(word: &str) -> bool {
    STYLE.contains(&word) || colors::is_color(word)
}

/// Names of languages and of writing in them.
#[rustfmt::skip]
const LANGUAGE_WORDS: &[&str] = &[
    "english", "german", "french", "spanish", "italian", "deutsch", "englisch", "französisch", "spanisch", "italienisch", "deutsche", "englische",
    "bilingual", "zweisprachig", "bilingue", "auf", "français", "anglais", "allemand", "español", "inglés", "italiano", "inglese", "british", "american", "uk", "us",
];

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
    // “in the locker”: a word of a look that stands alone behind an article is a noun.
    let is_noun = |at: usize| at > 0 && at + 1 == words.len() && is_determiner(&words[at - 1]);
    let known = words
        .iter()
        .enumerate()
        .filter(|(at, word)| {
            STYLE.contains(&word.as_str()) && !is_noun(*at)
                || DESIGN.contains(&word.as_str())
                || colors::names_color(word)
        })
        .count();
    let counts = page_count(lower).is_some() || size_of_label(lower).is_some();
    let shown = words.iter().filter(|word| !GLUE.contains(&word.as_str())).count();
    let is_negated = words.first().is_some_and(|first| first == "avoid" || REFUSING.contains(&first.as_str()));
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
        // Some beginnings are as often those of what is said: “Leave when it's over”.
        let is_certain = ![
            "leave",
            "avoid",
            "don't",
            "do not",
            "dont",
            "think",
            "something",
            "no need to",
            "max",
            "put the",
            "use the",
            "use our",
            "keep the",
            "please keep",
            "please no",
            "please don't",
            "please do not",
            "kein",
            "bitte kein",
            "bitte nicht",
            "lass ",
            "nimm ",
        ]
        .iter()
        .any(|lead| lower.starts_with(lead))
            && !is_call(lower);
        return known > 0 || counts || (leads && shown <= 2 && is_certain);
    }
    counts && leads && !is_call(lower)
}

/// “Make it count”, “keep it rolling”: what those who read shall do; a look is an adjective, a call is a verb or whose it is.
fn is_call(lower: &str) -> bool {
    const CALLED: &[&str] =
        &["count", "happen", "matter", "last", "work", "grow", "stick", "home", "yours", "ours", "mean", "through"];
    // “Leave the presents at home”.
    if [" at home", " zu hause", " daheim", " à la maison", " en casa", " a casa"]
        .iter()
        .any(|home| lower.contains(home))
    {
        return true;
    }
    let words = words(lower);
    let [verb, thing, called, ..] = words.as_slice() else { return false };
    matches!(verb.as_str(), "make" | "keep")
        && matches!(thing.as_str(), "it" | "this")
        && (CALLED.contains(&called.as_str()) || verb == "keep" && called.ends_with("ing"))
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
        let Some((at, manner)) =
            MANNERS.iter().find_map(|manner| lower.find(manner).map(|at| (at, *manner))).filter(|(at, manner)| {
                lower.len() == text.len() && !lower[at + manner.len()..].starts_with(char::is_alphanumeric)
            })
        else {
            return text.trim().to_owned();
        };
        text.replace_range(at..at + manner.len(), "");
    }
}

/// The language that a text is in; one that its instructions name comes first.
pub fn language_of(content: &str, brief: &str, wishes: &Instructions) -> String {
    let found = language::detect_within(content, brief);
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
            "Zart, hellblau, keine Engel",
            "festive, no balloons",
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
            "\"Make it loud\"",
            "„Mach es groß“",
            "Leave your phone in the locker",
            "Your photo on our wall",
            "Please no photos during the show",
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
