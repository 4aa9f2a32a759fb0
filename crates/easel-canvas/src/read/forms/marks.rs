//! Marks at the beginning of lines: those of quoted mail, and the many of lists.
//!
//! What holds: a mark of a list becomes the common one, its order is kept. Deliberately not here: pictures before words, which
//! are part of them (`lines`).

/// Signs that people set before the things of a list.
const BULLETS: &[char] = &[
    '▪', '■', '□', '▫', '●', '○', '◦', '➤', '➔', '➢', '►', '▶', '▸', '▹', '◆', '◇', '❖', '⁃', '∙', '‣', '»', '★', '☆',
    '✗', '✔', '✓', '☑', '•',
];

/// Small Roman numbers.
const ROMAN: [&str; 12] = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"];

/// So many lines have to be quoted.
const LEAST_QUOTED: usize = 3;

/// The brief without the marks of quoted mail, where most of it is quoted; `None` where it is not.
pub fn unquote(text: &str) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut is_found = false;
    // A letter may be quoted in another.
    for _ in 0..3 {
        let Some(first) = lines.iter().position(|line| line.trim_start().starts_with('>')) else { break };
        let said = lines[first..].iter().filter(|line| !line.trim().is_empty());
        let (quoted, others): (Vec<&str>, Vec<&str>) = said.partition(|line| line.trim_start().starts_with('>'));
        // A letter under an answer has its own way of being left out.
        let is_answered =
            quoted.iter().any(|line| line.trim_end().ends_with(':') && line.contains(' ') && is_of_writer(line));
        if quoted.len() < LEAST_QUOTED || others.len() > quoted.len() || is_answered {
            break;
        }
        is_found = true;
        for line in &mut lines[first..] {
            if let Some(rest) = line.trim_start().strip_prefix('>') {
                *line = rest.strip_prefix(' ').unwrap_or(rest);
            }
        }
    }
    is_found.then(|| lines.join("\n"))
}

fn is_of_writer(line: &str) -> bool {
    let lower = line.trim_end().to_lowercase();
    ["wrote:", "schrieb:", "écrit :", "écrit:", "escribió:", "scritto:"].iter().any(|end| lower.ends_with(end))
}

/// The brief with common marks before the items of its lists.
pub fn as_items(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let places: Vec<Option<Place>> = lines.iter().map(|line| place_of(line.trim_start())).collect();
    let is_counted = |at: usize, place: &Place| {
        // A letter or a small number counts only beside the next or the one before.
        let beside = |other: Option<&Option<Place>>, step: isize| {
            other.and_then(Option::as_ref).is_some_and(|other| {
                other.sort == place.sort && other.number.checked_add_signed(step) == Some(place.number)
            })
        };
        at > 0 && beside(places.get(at - 1), 1) || beside(places.get(at + 1), -1)
    };
    let round = lines.iter().filter(|line| line.trim_start().starts_with("o ")).count() > 1;
    let plain: Vec<String> = lines
        .iter()
        .enumerate()
        .map(|(at, line)| {
            let bare = line.trim_start();
            let indent = &line[..line.len() - bare.len()];
            if let Some(place) = places[at].as_ref().filter(|place| is_counted(at, place)) {
                return format!("{indent}{}. {}", place.number, place.rest);
            }
            let bulleted = bare.strip_prefix(BULLETS).or_else(|| bare.strip_prefix("o ").filter(|_| round));
            match bulleted.map(str::trim).filter(|rest| rest.starts_with(|first: char| !BULLETS.contains(&first))) {
                Some(rest) => format!("{}- {rest}", indent.replace('\t', "")),
                None => (*line).to_owned(),
            }
        })
        .collect();
    plain.join("\n")
}

/// A number that stands before a line in a way that is not the common one.
struct Place<'l> {
    sort: u8,
    number: usize,
    rest: &'l str,
}

/// “(1) one”, “(a) one”, “(i) one”, “a. one”, “i) one”, “1️⃣ one”.
fn place_of(line: &str) -> Option<Place<'_>> {
    // A number in a box.
    if let Some(rest) = line.strip_prefix('🔟') {
        return Some(Place { sort: 0, number: 10, rest: rest.trim_start() });
    }
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let boxed = line[digits..].trim_start_matches('\u{fe0f}').strip_prefix('\u{20e3}');
    if let (Some(rest), Ok(number)) = (boxed, line[..digits].parse()) {
        return Some(Place { sort: 0, number, rest: rest.trim_start() });
    }
    let (is_open, inner) = line.strip_prefix('(').map_or((false, line), |inner| (true, inner));
    let end = inner.char_indices().take(6).find(|(_, letter)| matches!(letter, ')' | '.')).map(|(end, _)| end)?;
    let (mark, rest) = (&inner[..end], inner[end + 1..].strip_prefix([' ', '\t'])?.trim_start());
    if is_open && !inner[end..].starts_with(')') {
        return None;
    }
    if is_open && let Ok(number) = mark.parse() {
        return Some(Place { sort: 1, number, rest });
    }
    if mark.is_empty() || !mark.chars().all(|letter| letter.is_ascii_lowercase()) {
        return None;
    }
    if let Some(at) = ROMAN.iter().position(|roman| *roman == mark).filter(|at| *at > 0 || is_open) {
        return Some(Place { sort: 2, number: at + 1, rest });
    }
    // “a)” is read as it stands.
    let is_letter = mark.len() == 1 && (is_open || inner[end..].starts_with('.'));
    is_letter.then(|| Place { sort: 3, number: usize::from(mark.as_bytes()[0] - b'a') + 1, rest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_lists_are_one() {
        assert_eq!(as_items("➤ one\n▪ two\n\t•\tthree"), "- one\n- two\n- three");
        assert_eq!(as_items("(1) one\n(2) two"), "1. one\n2. two");
        assert_eq!(as_items("a. one\nb. two"), "1. one\n2. two");
        assert_eq!(as_items("(i) one\n(ii) two"), "1. one\n2. two");
        assert_eq!(as_items("1\u{fe0f}\u{20e3} one\n2\u{fe0f}\u{20e3} two"), "1. one\n2. two");
    }

    #[test]
    fn other_beginnings_stay() {
        for text in ["a. alone", "(free) entry", "★★★ hotel", "o dear", "» Hello", "e.g. one\nf. two"] {
            let is_saying = text.starts_with('»');
            assert_eq!(as_items(text), if is_saying { "- Hello" } else { text });
        }
    }

    #[test]
    fn quoted_mail_is_read_as_it_was_written() {
        assert_eq!(unquote("Poster:\n\n>> a\n>> - b\n>>\n>> c").as_deref(), Some("Poster:\n\na\n- b\n\nc"));
        assert_eq!(unquote("a\nb\nc\n\n> one\n> two"), None);
    }
}
