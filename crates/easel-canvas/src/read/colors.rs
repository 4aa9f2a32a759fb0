//! Colours that are named in words or by number: which ones, in which order, and which of them the page shall have.
//!
//! A name stands in a table with how it is meant; endings and what stands before or behind it (“dark”, “pastell-”,
//! “foncé”) change it. A colour that is refused (“no beige”) is none. Deliberately not here: whether words are an
//! instruction at all (`instructions`), and what a page makes of its colours (`compose/look`).

mod table;

use std::ops::Range;

use super::text;
use crate::color::{Oklch, Rgb};
use table::{DEEP, DOUBTFUL, NAMES, PALE, REFUSING, SOFT, THINGS, TURNS};

/// No more colours are taken from one text.
const MOST: usize = 4;

/// A number replaces a name that ends at most so many bytes before it: “our green (hex #2F6B3A)”.
const NEAR: usize = 14;

/// Colours that a text names.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Named {
    /// At most four, in the order of the text.
    pub colors: Vec<Rgb>,
    /// The one that the page itself shall have: “on beige”, “fond noir”.
    pub ground: Option<Rgb>,
    /// The text in small letters without the words that only say how dark or pale a colour is.
    pub rest: String,
}

/// One colour where it stands in a text.
struct Found {
    color: Rgb,
    /// With the words that change it.
    place: Range<usize>,
    /// Where it is said how dark or pale it is.
    tone: Option<Range<usize>>,
}

/// Reads the colours of a text, which is taken as instructions.
pub fn read(text: &str) -> Named {
    let lower = text.to_lowercase();
    let words = places(&lower);
    let mut found: Vec<Found> = Vec::new();
    for (at, (place, word)) in words.iter().enumerate() {
        if let Some(found_here) = named_at(&lower, &words, at, word, place)
            && !is_refused(&lower, &words, at)
        {
            found.push(found_here);
        }
    }
    for (at, _) in lower.match_indices('#') {
        let digits: String = lower[at + 1..].chars().take_while(char::is_ascii_alphanumeric).collect();
        let is_whole =
            (digits.len() == 6 || digits.len() == 3) && digits.chars().all(|digit| digit.is_ascii_hexdigit());
        if let (true, Some(color)) = (is_whole, Rgb::parse(&digits)) {
            found.retain(|name| {
                let is_number = lower[name.place.start..].starts_with('#');
                is_number
                    || name.place.end > at
                    || at - name.place.end > NEAR
                    || lower[name.place.end..at].contains([',', ';'])
            });
            found.push(Found { color, place: at..at + 1 + digits.len(), tone: None });
        }
    }
    found.sort_by_key(|name| name.place.start);
    let ground = found.iter().find(|name| is_ground(&lower, &name.place)).map(|name| name.color);
    let mut rest = lower.clone();
    for place in found.iter().filter_map(|name| name.tone.clone()) {
        rest.replace_range(place.clone(), &" ".repeat(place.len()));
    }
    let mut colors: Vec<Rgb> = Vec::new();
    for name in found {
        if !colors.contains(&name.color) && colors.len() < MOST {
            colors.push(name.color);
        }
    }
    Named { colors, ground, rest }
}

/// Whether a word is that of a colour, surely or only among others.
pub fn names_color(word: &str) -> bool {
    color_of(word).is_some()
}

/// Whether a word is surely that of a colour; words that are as often those of fruit and plants are not.
pub fn is_color(word: &str) -> bool {
    names_color(word) && !DOUBTFUL.contains(&word)
}

/// Whether a word is that of a colour only among others: “mint”, “orange”, “rose”.
pub fn is_doubtful(word: &str) -> bool {
    DOUBTFUL.contains(&word) && names_color(word)
}

/// Whether a word says how dark or pale a colour is.
pub fn is_tone(word: &str) -> bool {
    DEEP.contains(&word) || PALE.contains(&word) || SOFT.contains(&word)
}

/// Words of a text in small letters with their places; a word with a hyphen is several.
fn places(lower: &str) -> Vec<(Range<usize>, &str)> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, letter) in lower.char_indices().chain([(lower.len(), ' ')]) {
        match (letter.is_alphanumeric() || matches!(letter, '\'' | '’') && start.is_some(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                words.push((from..at, &lower[from..at]));
                start = None;
            }
            _ => {}
        }
    }
    words
}

fn named_at(lower: &str, words: &[(Range<usize>, &str)], at: usize, word: &str, place: &Range<usize>) -> Option<Found> {
    let touches = |one: usize, two: usize| lower.get(one..two).is_some_and(|gap| matches!(gap, " " | "-"));
    let before = at.checked_sub(1).map(|at| &words[at]).filter(|(end, _)| touches(end.end, place.start));
    let behind = words.get(at + 1).filter(|(start, _)| touches(place.end, start.start));
    // “bleu marine et or” is no English “or”.
    let is_french_gold = word == "or" && before.is_some_and(|(_, word)| *word == "et");
    let color = if is_french_gold { color_of("gold") } else { color_of(word) }?;
    // “white space”, “black tie”: a thing and no colour of one.
    if behind.is_some_and(|(_, word)| THINGS.contains(word)) {
        return None;
    }
    // “navy blue” is navy; “bleu marine” and “vert sauge” are what stands behind.
    if before.is_some_and(|(_, word)| is_shade_of(color_of(word), color)) {
        return None;
    }
    if let Some((end, word)) = behind.filter(|(_, word)| !is_tone(word)) {
        // “verde oliva”, “rosa pink”: the narrower name of the two.
        if let Some(shade) = color_of(word).filter(|_| DOUBTFUL.contains(word) && !is_plain_pair(lower, end)) {
            return Some(Found { color: shade.rgb(), place: place.start..end.end, tone: None });
        }
    }
    for (end, word) in [before, behind].into_iter().flatten() {
        if let Some(toned) = tone(color, word) {
            let around = place.start.min(end.start)..place.end.max(end.end);
            return Some(Found { color: toned.rgb(), place: around, tone: Some(end.clone()) });
        }
    }
    Some(Found { color: color.rgb(), place: place.clone(), tone: None })
}

/// Whether a colour only says again what the word before it said more narrowly: “navy blue”, “forest green”.
fn is_shade_of(narrow: Option<Oklch>, color: Oklch) -> bool {
    narrow.is_some_and(|narrow| {
        let turn = (narrow.h - color.h).abs();
        narrow != color && turn.min(360.0 - turn) < 42.0 && color.c > 0.1 && narrow.c > 0.02
    })
}

/// Whether more colours follow at once, so that two names stand side by side: “orange mint yellow”.
fn is_plain_pair(lower: &str, place: &Range<usize>) -> bool {
    let next = lower[place.end..].trim_start_matches([' ', ',']).split(|letter: char| !letter.is_alphanumeric()).next();
    next.is_some_and(names_color)
}

/// A colour as a word beside it changes it.
fn tone(color: Oklch, word: &str) -> Option<Oklch> {
    if DEEP.contains(&word) {
        Some(deepened(color))
    } else if PALE.contains(&word) {
        Some(paled(color))
    } else if SOFT.contains(&word) {
        Some(Oklch::new((color.l + 0.2).clamp(0.8, 0.9), (color.c * 0.5).min(0.08), color.h))
    } else {
        None
    }
}

fn deepened(color: Oklch) -> Oklch {
    Oklch::new((color.l - 0.16).clamp(0.22, 0.42), color.c * 0.8, color.h)
}

fn paled(color: Oklch) -> Oklch {
    Oklch::new((color.l + 0.2).clamp(0.76, 0.92), (color.c * 0.6).min(0.11), color.h)
}

/// The colour of a word, whatever ending it has.
fn color_of(word: &str) -> Option<Oklch> {
    let find = |name: &str| NAMES.iter().find(|(known, _)| *known == name).map(|(_, color)| *color);
    if let Some(color) = find(word) {
        return Some(color);
    }
    // “d’or”, “l'azzurro”.
    if let Some((_, behind)) = word.split_once(['\'', '’']) {
        return if behind == "or" { find("gold") } else { find(behind) };
    }
    // “grünen”, “blaues”, “vertes”; “rossa”, “blancas”. A “forester” is somebody, and no colour.
    let is_bare = |stem: &str| stem.chars().count() >= 3 && !DOUBTFUL.contains(&stem);
    for ending in ["en", "er", "es", "em", "e", "s"] {
        if let Some(color) = word.strip_suffix(ending).filter(|stem| is_bare(stem)).and_then(find) {
            return Some(color);
        }
    }
    for ending in ["as", "os", "a", "i", "he"] {
        if let Some(stem) = word.strip_suffix(ending).filter(|stem| is_bare(stem))
            && let Some(color) = find(&format!("{stem}o"))
        {
            return Some(color);
        }
    }
    compound(word, &find)
}

/// “dunkelgrün”, “hellblauer”, “salbeigrün”: German puts what a colour is like before it.
fn compound(word: &str, find: &dyn Fn(&str) -> Option<Oklch>) -> Option<Oklch> {
    let bare = ["en", "er", "es", "em", "e"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word);
    for whole in [word, bare] {
        for (start, change) in [
            ("dunkel", deepened as fn(Oklch) -> Oklch),
            ("tief", deepened),
            ("hell", paled),
            ("blass", paled),
            ("zart", paled),
            ("pastell", paled),
        ] {
            if let Some(color) = whole.strip_prefix(start).and_then(find) {
                return Some(change(color));
            }
        }
        for base in ["grün", "blau", "gelb", "braun", "rot", "rosa", "grau", "violett", "orange", "weiß"] {
            if let Some(like) = whole.strip_suffix(base).filter(|like| like.chars().count() >= 3) {
                return find(like).or_else(|| is_like(like).then(|| find(base)).flatten());
            }
        }
    }
    None
}

/// What a German colour is likened to; other words that end so are none: “Abendrot”.
fn is_like(word: &str) -> bool {
    #[rustfmt::skip]
    const LIKE: &[&str] = &[
        "moos", "gras", "apfel", "wald", "tannen", "flaschen", "himmel", "meer", "nacht", "königs", "stahl", "tauben", "eis", "zitronen", "sonnen", "mais",
        "kirsch", "ziegel", "feuer", "rubin", "alt", "schoko", "kastanien", "leucht", "neon", "gift", "blut", "perl", "schiefer", "stein", "reseda",
    ];
    LIKE.contains(&word)
}

/// Whether a colour is refused: “no beige”, “bitte kein Rosa”, “pas de rouge”.
fn is_refused(lower: &str, words: &[(Range<usize>, &str)], at: usize) -> bool {
    let here = words[at].0.start;
    let before = words[at.saturating_sub(3)..at].iter().rev();
    before.take_while(|(_, word)| !TURNS.contains(word)).any(|(place, word)| {
        REFUSING.contains(word) && !lower[place.end..here].contains([',', ';', '.', ':', '(', '\n'])
    })
}

/// Whether a colour is that of the page: beside a word for its ground, or behind “on”.
fn is_ground(lower: &str, place: &Range<usize>) -> bool {
    const GROUNDS: &[&str] = &[
        "background",
        "backgrounds",
        "bg",
        "backdrop",
        "paper",
        "hintergrund",
        "grund",
        "papier",
        "untergrund",
        "fond",
        "fondo",
        "sfondo",
        "fundo",
        "achtergrond",
    ];
    const ON: &[&str] = &["on", "auf", "sur", "sobre", "su", "op"];
    let behind = lower[place.end..].trim_start_matches([' ', '-', ')']).split(|letter: char| !letter.is_alphanumeric());
    let is_before = behind.take(1).any(|word| GROUNDS.contains(&word));
    let mut words =
        lower[..place.start].trim_end_matches([' ', ':', '(']).rsplit(|letter: char| !letter.is_alphanumeric());
    let last = words.next().unwrap_or_default();
    let is_named = GROUNDS.contains(&last)
        || matches!(last, "in" | "is" | "en" | "ist" | "color" | "a" | "de" | "di" | "bitte" | "please")
            && words.next().is_some_and(|word| GROUNDS.contains(&word));
    let is_on = ON.contains(&last);
    is_before || is_named || is_on
}

/// Whether a clause begins as one of colours and names some, though each is doubtful alone: “in mint”, “en orange et menthe”.
pub fn begins_as_colors(lower: &str) -> bool {
    let words = text::words(lower);
    let is_led = words.first().is_some_and(|first| matches!(first.as_str(), "in" | "en" | "all" | "alles"));
    let is_named = |word: &String| names_color(word) || matches!(word.as_str(), "and" | "und" | "et" | "y" | "e");
    is_led && (2..=5).contains(&words.len()) && words[1..].iter().all(is_named)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hues of the colours in whole degrees, or “light”, “dark” and “grey” for those without.
    fn told(text: &str) -> Vec<String> {
        let tell = |color: &Rgb| {
            let color = color.oklch();
            let name = match color {
                Oklch { c, l, .. } if c < 0.05 && l > 0.85 => "light",
                Oklch { c, l, .. } if c < 0.02 && l < 0.4 => "dark",
                Oklch { c, .. } if c < 0.02 => "grey",
                Oklch { h, .. } => return format!("{:.0}", (h / 10.0).round() * 10.0),
            };
            name.to_owned()
        };
        read(text).colors.iter().map(tell).collect()
    }

    #[test]
    fn reads_colours_of_five_languages() {
        for (text, colors) in [
            ("black and white please", &["dark", "light"][..]),
            ("schwarz weiß", &["dark", "light"]),
            ("schwarz-weiß", &["dark", "light"]),
            ("en noir et blanc", &["dark", "light"]),
            ("blanco y negro", &["light", "dark"]),
            ("in bianco e nero", &["light", "dark"]),
            ("navy and gold", &["260", "80"]),
            ("navy blue", &["260"]),
            ("azul marino y dorado", &["260", "80"]),
            ("bleu marine et or", &["260", "80"]),
            ("vert sauge et beige, un peu d'or", &["140", "light", "80"]),
            ("in rosso e arancione", &["30", "50"]),
            ("mit dunkelgrünen Akzenten", &["150"]),
            ("dark green and cream", &["150", "light"]),
            ("in unserem Grün (#2F6B3A)", &["150"]),
            ("brand colours #1A1A40 and #F2B705", &["280", "80"]),
            ("no beige", &[]),
            ("bitte kein Rosa, lieber Blau", &["260"]),
            ("not too much text, teal", &["190"]),
            ("lots of white space", &[]),
            ("not blue but green", &["150"]),
        ] {
            assert_eq!(told(text), colors, "{text}");
        }
    }

    #[test]
    fn tells_the_ground_from_the_other_colours() {
        for (text, is_ground) in [
            ("gold on black", true),
            ("black background, pink letters", true),
            ("fond bleu clair", true),
            ("fondo negro", true),
            ("sfondo rosso", true),
            ("weiße Schrift auf Dunkelblau", true),
            ("Hintergrund: beige", true),
            ("green and white", false),
            ("in our green", false),
        ] {
            assert_eq!(read(text).ground.is_some(), is_ground, "{text}");
        }
        assert_eq!(read("dark green").rest.trim(), "green");
        assert_eq!(read("Dark, with green").rest, "dark, with green");
    }
}
