//! The lines of a brief by what they are: headings, items of lists, sayings, tables, labels, text.

mod asked;
mod chat;
mod columns;
mod counted;
mod equals;
mod fields;
mod ordinals;
mod paragraph;
mod priced;
mod questions;
mod slashes;
mod struck;

use super::forms;
use super::narrated;
use super::notation::{self, Noted};
use super::text;
use super::vocabulary::is_number;

/// A line, or lines that belong together.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// A heading, marked as one or followed by a colon or set apart.
    Heading(String),
    /// An item of a list and whether it is numbered.
    Item(bool, String),
    /// An item that stands further in than the one before it: how deep, from 1, and its words.
    Nested(usize, String),
    /// A row of a table or of a saying in Markdown, as it stands.
    Marked(String),
    /// A diagram in the notation of a program.
    Drawn(Noted),
    /// Sentences.
    Text(String),
    /// Nothing.
    Blank,
}

/// Reads the lines of a brief.
pub fn read(prompt: &str) -> Vec<Line> {
    match notation::take(prompt) {
        Some((before, noted, behind)) => {
            let mut lines = read_words(&before);
            lines.extend([Line::Blank, Line::Drawn(noted), Line::Blank]);
            lines.extend(read_words(&behind));
            lines
        }
        None => read_words(prompt),
    }
}

fn read_words(prompt: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let plain = forms::as_plain(prompt);
    let struck = struck::without(&plain);
    let prompt = struck.as_deref().unwrap_or(&plain);
    let fields = fields::as_labels(prompt);
    let prompt = fields.as_deref().unwrap_or(prompt);
    let chat = chat::strip(prompt);
    let whole = priced::as_lines(chat.as_deref().unwrap_or(prompt));
    let labelled = slashes::as_lists(&equals::as_labels(&whole));
    let answered = asked::as_lines(&labelled).unwrap_or(labelled);
    let placed = ordinals::as_items(&answered).unwrap_or(answered);
    let counted = counted::as_items(&placed);
    let prompt = counted.as_deref().unwrap_or(&placed);
    let divided = paragraph::divide(prompt);
    let all: Vec<&str> = divided.as_deref().unwrap_or(prompt).lines().collect();
    let is_lettered = ["A. ", "B. "].iter().all(|mark| all.iter().any(|line| line.starts_with(mark)));
    let is_roman = ["I. ", "II. "].iter().all(|mark| all.iter().any(|line| line.starts_with(mark)));
    let count = all.iter().filter(|line| !line.trim().is_empty()).count();
    let answered_from = answered_mail(&all);
    let questions = questions::that_head(&all);
    let mut indents: Vec<usize> = Vec::new();
    let mut table_end = 0;
    for (at, raw) in all.iter().enumerate() {
        if at < table_end || answered_from.is_some_and(|from| at >= from && raw.trim_start().starts_with('>')) {
            continue;
        }
        if let Some((rows, end)) = columns::table_at(&all, at) {
            lines.extend(rows.into_iter().map(Line::Marked));
            indents.resize(lines.len(), 0);
            table_end = end;
            continue;
        }
        let line = raw.trim().trim_start_matches('\u{feff}');
        let next = all.get(at + 1).map(|next| next.trim()).unwrap_or_default();
        if let Some(Line::Text(said)) = lines.last_mut().filter(|_| signs(line, next))
            && said.ends_with(['"', '”', '“', '«', '»'])
        {
            said.push(' ');
            said.push_str(line);
            continue;
        }
        if let Some(rest) = raw
            .split_once(". ")
            .filter(|(mark, _)| is_lettered && is_letter(mark) || is_roman && is_roman_number(mark))
            .map(|(_, rest)| rest)
        {
            lines.push(Line::Heading(unmark(rest)));
            indents.push(0);
            continue;
        }
        // “Skills: Figma, prototyping” among the lines of a life is a section with its words.
        if let Some((section, words)) =
            text::label(line).filter(|(section, words)| count > 4 && !words.is_empty() && is_section_of_life(section))
        {
            lines.extend([Line::Heading(unmark(section)), Line::Text(unmark(words))]);
            indents.resize(lines.len(), 0);
            continue;
        }
        lines.push(if questions.contains(&at) {
            Line::Heading(unmark(line))
        } else if is_lone(line, &all) {
            Line::Text(unmark(line))
        } else {
            read_line(line, &lines, next, count)
        });
        indents.push(indent_of(raw));
    }
    nest(&mut lines, &indents);
    lines
}

/// Divides sentences in which pages are told by their places: “…, and a second slide saying why: …”. Where the first sentence
/// asks for one page, how many pages these are.
pub fn divide_pages(lines: &mut [Line]) -> Option<usize> {
    let mut count = None;
    for line in lines {
        let Line::Text(words) = line else { continue };
        let mut told = Vec::new();
        for sentence in text::sentences(words) {
            let Some(pieces) = narrated::divide(&sentence) else {
                told.push(sentence);
                continue;
            };
            let head: Vec<String> = text::words(&pieces[0]).into_iter().take(5).collect();
            let is_one_page =
                head.iter().any(|word| ONE.contains(&word.as_str())) && head.iter().any(|word| narrated::is_page(word));
            if count.is_none() && is_one_page {
                count = Some(pieces.len());
            }
            told.extend(pieces.iter().map(|piece| {
                let piece = text::capitalize(piece);
                if piece.ends_with(['.', '!', '?']) { piece } else { format!("{piece}.") }
            }));
        }
        *words = told.join(" ");
    }
    count
}

/// Words that count one thing.
const ONE: &[&str] = &["one", "a", "single", "ein", "eine", "einen", "einzelne", "une", "un", "una", "uno"];

/// Where a letter begins that is answered by what stands above it: “> On Monday Ana wrote:”.
fn answered_mail(all: &[&str]) -> Option<usize> {
    let at = all.iter().position(|line| {
        let line = line.trim().to_lowercase();
        line.starts_with('>')
            && ["wrote:", "schrieb:", "a écrit :", "a écrit:", "escribió:", "ha scritto:"]
                .iter()
                .any(|end| line.ends_with(end))
    })?;
    let own = all[..at].iter().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('>')).count();
    (own >= 3).then_some(at)
}

/// “– Maren Holt, forester”: a single line with a dash, which under what somebody said is no item of a list.
fn signs(line: &str, next: &str) -> bool {
    ["– ", "— ", "- "].iter().any(|dash| {
        line.strip_prefix(dash).is_some_and(|name| name.chars().next().is_some_and(char::is_uppercase))
            && line.split_whitespace().count() <= 9
            && !next.starts_with(dash)
    })
}

/// “1. Vorsitzende”, under a name: the only number that begins a line counts nothing, and is part of what it says.
fn is_lone(line: &str, all: &[&str]) -> bool {
    let is_numbered = |line: &str| {
        let digits = line.trim_start().chars().take_while(char::is_ascii_digit).count();
        (1..=2).contains(&digits) && line.trim_start()[digits..].starts_with(". ")
    };
    is_numbered(line) && all.iter().filter(|other| is_numbered(other)).count() == 1
}

/// How far in a line begins, in blanks.
fn indent_of(line: &str) -> usize {
    line.chars().take_while(|letter| letter.is_whitespace()).map(|letter| if letter == '\t' { 4 } else { 1 }).sum()
}

/// Items that stand further in than the item before them are its own.
fn nest(lines: &mut [Line], indents: &[usize]) {
    // The indents of the items that are open, from the outermost.
    let mut open: Vec<usize> = Vec::new();
    for at in 0..lines.len() {
        let Line::Item(_, words) = &lines[at] else {
            if !matches!(lines[at], Line::Blank) {
                open.clear();
            }
            continue;
        };
        let own = indents[at];
        while open.last().is_some_and(|last| *last >= own) {
            open.pop();
        }
        let depth = open.len();
        open.push(own);
        if depth > 0 {
            lines[at] = Line::Nested(depth, words.clone());
        }
    }
}

fn read_line(line: &str, before: &[Line], next: &str, count: usize) -> Line {
    if line.is_empty() || line.chars().all(|letter| matches!(letter, '-' | '=' | '_' | '*' | '~')) {
        return Line::Blank;
    }
    if line.starts_with('|') {
        return Line::Marked(line.to_owned());
    }
    if let Some(said) = line.strip_prefix('>') {
        return if said.trim().is_empty() { Line::Blank } else { Line::Text(said.trim().to_owned()) };
    }
    let level = line.chars().take_while(|letter| *letter == '#').count();
    if (1..=6).contains(&level) && line[level..].starts_with(' ') {
        return Line::Heading(unmark(line[level..].trim().trim_end_matches(':')));
    }
    if let Some((ordered, item)) = item_of(line) {
        return Line::Item(ordered, unmark(item));
    }
    let is_bold =
        line.starts_with("**") && line.ends_with("**") && line.len() > 4 && !line[2..line.len() - 2].contains("**");
    if is_bold {
        return Line::Heading(unmark(line).trim_end_matches(':').to_owned());
    }
    let words = line.split_whitespace().count();
    if line.ends_with([':', '：']) && words <= 8 && count > 1 {
        return Line::Heading(unmark(line.trim_end_matches([':', '：'])));
    }
    if count > 4 && !next.is_empty() && (is_section_of_life(line) || is_counted_part(line)) {
        return Line::Heading(unmark(line));
    }
    // A short line of its own before text or a list, as headings of a pasted document are.
    let is_apart = matches!(before.last(), Some(Line::Blank)) && !before.iter().all(|line| matches!(line, Line::Blank));
    let is_bare = words <= 7
        && line.chars().count() <= 60
        && !line.ends_with(['.', '!', '?', ',', ';', '…', ')'])
        && text::label(line).is_none()
        && text::clauses(line).len() == 1
        && super::amounts::next_amount(line, 0).is_none()
        && !super::dates::has_moment(line)
        && !line.contains('@');
    // Many people write everything small: over a list such a line is a heading, too.
    let is_large = || line.chars().next().is_some_and(|first| first.is_uppercase() || !first.is_alphabetic());
    if is_apart
        && is_bare
        && !next.is_empty()
        && !line.contains(['→', '"', '“'])
        && (is_large() || item_of(next).is_some())
    {
        return Line::Heading(unmark(line));
    }
    Line::Text(unmark(line))
}

/// “Experience”, “Berufserfahrung”: sections of the life of a person, whatever stands before them.
fn is_section_of_life(line: &str) -> bool {
    #[rustfmt::skip]
    const SECTIONS: &[&str] = &[
        "experience", "work experience", "professional experience", "employment", "education", "skills", "languages", "references", "interests", "hobbies",
        "projects", "publications", "profile", "about me", "awards", "certifications", "volunteering", "berufserfahrung", "ausbildung", "studium", "kenntnisse",
        "fähigkeiten", "sprachen", "interessen", "profil", "expérience", "expériences", "formation", "compétences", "langues", "loisirs", "experiencia",
        "formación", "educación", "habilidades", "idiomas", "esperienza", "istruzione", "competenze", "lingue",
    ];
    SECTIONS.contains(&line.trim_end_matches(':').to_lowercase().as_str())
}

/// “Part one”, “2. Teil”, “Act II”, “Day 1”: a part of an evening or a course by its number.
fn is_counted_part(line: &str) -> bool {
    #[rustfmt::skip]
    const PARTS: &[&str] = &[
        "part", "act", "day", "session", "half", "set", "teil", "akt", "tag", "runde", "partie", "acte", "jour", "parte", "acto", "día", "atto", "giorno",
    ];
    let words = text::words(line);
    let is_place = |word: &str| {
        is_number(word)
            || matches!(
                word,
                "i" | "ii" | "iii" | "iv" | "first" | "second" | "third" | "erster" | "zweiter" | "dritter"
            )
    };
    matches!(words.as_slice(), [one, two] if PARTS.contains(&one.as_str()) && is_place(two) || is_place(one) && PARTS.contains(&two.as_str()))
}

/// Whether a mark is one large letter, as of the parts of a paper.
fn is_letter(mark: &str) -> bool {
    matches!(mark.as_bytes(), [b'A'..=b'Z'])
}

/// Whether a mark is a Roman number up to thirty-nine, as of the parts of a paper: “I. Purpose”, “IV. Costs”.
fn is_roman_number(mark: &str) -> bool {
    (1..=6).contains(&mark.len())
        && mark.chars().all(|letter| matches!(letter, 'I' | 'V' | 'X'))
        && !mark.contains("IIII")
}

/// The words of an item and whether it is numbered.
fn item_of(line: &str) -> Option<(bool, &str)> {
    // A picture before words marks an item as a dot does.
    if let Some(first) = line.chars().next().filter(|first| is_pictogram(*first)) {
        let rest = line[first.len_utf8()..].trim_start_matches(['\u{fe0f}', '\u{20e3}', '\u{200d}']);
        let ends = rest.chars().next_back().is_some_and(is_pictogram);
        let is_marked = rest.starts_with(' ') && rest.trim().chars().next().is_some_and(char::is_alphanumeric) && !ends;
        return is_marked.then_some((false, line));
    }
    for mark in ["- [ ] ", "- [x] ", "- ", "* ", "• ", "– ", "— ", "· ", "+ ", "✓ ", "☐ ", "▪ ", "→ ", "‣ ", "◦ "]
    {
        if let Some(rest) = line.strip_prefix(mark) {
            return Some((false, rest.trim()));
        }
    }
    if let Some(rest) = line.strip_prefix('•') {
        return Some((false, rest.trim()));
    }
    // “a) Sunday opening”.
    if line.as_bytes().first().is_some_and(u8::is_ascii_lowercase)
        && let Some(rest) = line.get(1..).and_then(|rest| rest.strip_prefix(") "))
    {
        return Some((false, rest.trim()));
    }
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    if (1..=2).contains(&digits) {
        // “2 – Who we are”.
        let dashed = text::DASHES.iter().find_map(|dash| line[digits..].strip_prefix(dash));
        if let Some(rest) = dashed.filter(|rest| rest.chars().next().is_some_and(char::is_alphabetic)) {
            return Some((true, rest.trim()));
        }
        let rest = &line[digits..];
        if let Some(rest) = rest.strip_prefix(['.', ')', ':']).filter(|rest| rest.starts_with(' ')) {
            // “14. Juni” begins no list.
            let is_date = super::dates::begins_with_date(line);
            return (!is_date).then(|| (true, rest.trim()));
        }
    }
    None
}

/// Whether a letter is a picture.
pub fn is_pictogram(letter: char) -> bool {
    matches!(letter, '\u{1f300}'..='\u{1faff}' | '\u{2600}'..='\u{26ff}' | '\u{2705}' | '\u{2728}' | '\u{274c}' | '\u{2764}' | '\u{23e9}'..='\u{23f3}')
}

/// The words without marks of Markdown that only make them bold or slanted.
fn unmark(line: &str) -> String {
    line.replace("**", "").replace("__", "").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roman_numbers_stand_before_headings_where_there_are_several() {
        assert_eq!(
            read("I. Purpose\nWe lend tools.\nII. Costs\nNone."),
            [
                Line::Heading("Purpose".to_owned()),
                Line::Text("We lend tools.".to_owned()),
                Line::Heading("Costs".to_owned()),
                Line::Text("None.".to_owned()),
            ]
        );
        assert_eq!(read("I. Kowalski, director"), [Line::Text("I. Kowalski, director".to_owned())]);
    }

    #[test]
    fn tells_lines_apart() {
        assert_eq!(
            read("# Title\n- one\n2. two\ntext here.\n14. Juni"),
            [
                Line::Heading("Title".to_owned()),
                Line::Item(false, "one".to_owned()),
                Line::Item(true, "two".to_owned()),
                Line::Text("text here.".to_owned()),
                Line::Text("14. Juni".to_owned()),
            ]
        );
    }
}
