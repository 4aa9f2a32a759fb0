//! A story of several frames: how many it has, by a number that is named or by the frames that are told.
//!
//! What holds: only a story is counted so, and what is counted becomes a wish for so many pages. Deliberately not here: what
//! stands on a frame, which is read as the card of a carousel is (`reader`).

use super::instructions;
use super::kinds::Kind;
use super::lines::Line;
use super::parts;
use super::request::Request;
use super::text;
use super::vocabulary::NUMBER_WORDS;

/// Words for what a story shows one after the other.
#[rustfmt::skip]
const FRAMES: &[&str] = &[
    "frames", "screens", "slides", "panels", "parts", "stories", "cards", "bilder", "bildern", "teile", "teilen", "kacheln", "seiten", "folien", "écrans", "images",
    "vignettes", "pantallas", "fotogramas", "imágenes", "schermate", "immagini", "storie",
];

/// Words for one of them, before its number.
#[rustfmt::skip]
const PARTS: &[&str] = &["frame", "part", "screen", "slide", "panel", "story", "card", "bild", "teil", "kachel", "seite", "folie", "écran", "partie", "pantalla", "parte", "schermata"];

/// No story has more frames.
const MOST: usize = 12;

/// Takes a story whose frames are counted or told as one of several pages.
pub fn settle(request: &mut Request, lines: &mut Vec<Line>) {
    if request.kind != Some(Kind::Story) {
        return;
    }
    join(lines);
    let told = format!("{}, {}, {}", request.kicker, request.title, request.instructions);
    let Some(count) = counted(&told).or_else(|| count_of(lines)).filter(|count| (2..=MOST).contains(count)) else {
        return;
    };
    request.instructions = format!("{count} pages, {}", request.instructions);
    for named in [&mut request.title, &mut request.kicker] {
        if counted(named).is_some() && text::words(named).iter().all(|word| is_counting(word)) {
            named.clear();
        }
    }
    request.is_named &= !request.title.is_empty();
}

/// “Teil 1”, and under it its lines: each frame becomes one line behind its place.
fn join(lines: &mut Vec<Line>) {
    let place_of = |line: &Line| match line {
        Line::Text(words) | Line::Heading(words) => {
            let all = text::words(words);
            let named = matches!(all.as_slice(), [name, number] if PARTS.contains(&name.as_str()) && number.parse::<usize>().is_ok());
            named.then(|| all[1].clone())
        }
        _ => None,
    };
    if lines.iter().filter(|line| place_of(line).is_some()).count() < 2 {
        return;
    }
    let mut joined: Vec<Line> = Vec::with_capacity(lines.len());
    let mut is_open = false;
    for line in lines.drain(..) {
        if let Some(number) = place_of(&line) {
            joined.push(Line::Text(format!("frame {number}:")));
            is_open = true;
            continue;
        }
        match (line, joined.last_mut()) {
            (Line::Text(words) | Line::Heading(words) | Line::Item(_, words), Some(Line::Text(told))) if is_open => {
                if !told.ends_with([':', '.', '!', '?']) {
                    told.push('.');
                }
                told.push(' ');
                told.push_str(&words);
            }
            (line, _) => {
                is_open &= matches!(line, Line::Blank)
                    && matches!(joined.last(), Some(Line::Text(told)) if told.ends_with(':'));
                if !is_open || !matches!(line, Line::Blank) {
                    joined.push(line);
                }
            }
        }
    }
    *lines = joined;
}

/// “3 frames”, “in vier Bildern”.
fn counted(words: &str) -> Option<usize> {
    let words = text::words(&words.to_lowercase());
    words.windows(2).find_map(|pair| number(&pair[0]).filter(|_| FRAMES.contains(&pair[1].as_str())))
}

fn number(word: &str) -> Option<usize> {
    word.parse()
        .ok()
        .or_else(|| NUMBER_WORDS.iter().find(|(name, _)| *name == word).map(|(_, number)| *number as usize))
}

fn is_counting(word: &str) -> bool {
    number(word).is_some()
        || FRAMES.contains(&word)
        || instructions::is_style(word)
        || matches!(word, "in" | "of" | "with" | "mit" | "aus" | "en" | "avec" | "con" | "à" | "a")
}

/// “frame 1: …”, “Bild 2: …”, or a numbered list and nothing else: so many frames are told.
fn count_of(lines: &[Line]) -> Option<usize> {
    let places = lines.iter().filter(
        |line| matches!(line, Line::Text(words) if text::label(words).is_some_and(|(label, _)| parts::is_place(label))),
    );
    let places = places.count();
    let numbered = lines.iter().filter(|line| matches!(line, Line::Item(true, _))).count();
    let others =
        lines.iter().filter(|line| matches!(line, Line::Text(_) | Line::Heading(_) | Line::Item(false, _))).count();
    if places >= 2 { Some(places) } else { (numbered >= 2 && others == 0).then_some(numbered) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_counted_in_words_and_in_lines() {
        assert_eq!(counted("warm, 3 frames, handwritten"), Some(3));
        assert_eq!(counted("in vier Bildern"), Some(4));
        assert_eq!(counted("3 days in May"), None);
        let lines = crate::read::lines::read("Bild 1: Wir öffnen\nBild 2: Samstag");
        assert_eq!(count_of(&lines), Some(2));
    }
}
