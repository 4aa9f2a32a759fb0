//! The lines of a brief by what they are: headings, items of lists, sayings, tables, labels, text; and what an e-mail has
//! around its words.

use super::text;

/// A line, or lines that belong together.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// A heading, marked as one or followed by a colon or set apart.
    Heading(String),
    /// An item of a list and whether it is numbered.
    Item(bool, String),
    /// A row of a table or of a saying in Markdown, as it stands.
    Marked(String),
    /// Sentences.
    Text(String),
    /// Nothing.
    Blank,
}

/// Reads the lines of a brief.
pub fn read(prompt: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let all: Vec<&str> = prompt.lines().collect();
    let count = all.iter().filter(|line| !line.trim().is_empty()).count();
    for (at, raw) in all.iter().enumerate() {
        let line = raw.trim().trim_start_matches('\u{feff}');
        let read = read_line(line, &lines, all.get(at + 1).map(|next| next.trim()).unwrap_or_default(), count);
        lines.push(read);
    }
    drop_mail(&mut lines);
    lines
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
    if is_apart
        && is_bare
        && !next.is_empty()
        && !line.contains(['→', '"', '“'])
        && line.chars().next().is_some_and(|first| first.is_uppercase() || !first.is_alphabetic())
    {
        return Line::Heading(unmark(line));
    }
    Line::Text(unmark(line))
}

/// The words of an item and whether it is numbered.
fn item_of(line: &str) -> Option<(bool, &str)> {
    for mark in ["- [ ] ", "- [x] ", "- ", "* ", "• ", "– ", "— ", "· ", "+ ", "✓ ", "☐ ", "▪ ", "→ ", "‣ ", "◦ "]
    {
        if let Some(rest) = line.strip_prefix(mark) {
            return Some((false, rest.trim()));
        }
    }
    if let Some(rest) = line.strip_prefix('•') {
        return Some((false, rest.trim()));
    }
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    if (1..=2).contains(&digits) {
        let rest = &line[digits..];
        if let Some(rest) = rest.strip_prefix(['.', ')', ':']).filter(|rest| rest.starts_with(' ')) {
            // “14. Juni” begins no list.
            let is_date = super::dates::begins_with_date(line);
            return (!is_date).then(|| (true, rest.trim()));
        }
    }
    None
}

/// The words without marks of Markdown that only make them bold or slanted.
fn unmark(line: &str) -> String {
    line.replace("**", "").replace("__", "").trim().to_owned()
}

/// Takes away the head of an e-mail, its greeting, and the name under its farewell.
fn drop_mail(lines: &mut Vec<Line>) {
    const HEADS: &[&str] =
        &["from", "to", "cc", "bcc", "sent", "reply-to", "von", "an", "gesendet", "kopie", "de", "à", "envoyé"];
    let heads = lines
        .iter()
        .take(12)
        .filter(|line| head_label(line).is_some_and(|label| HEADS.contains(&label.as_str())))
        .count();
    if heads >= 2 {
        lines.retain(|line| {
            !head_label(line)
                .is_some_and(|label| HEADS.contains(&label.as_str()) || matches!(label.as_str(), "date" | "datum"))
        });
    }
    #[rustfmt::skip]
    const FAREWELLS: &[&str] = &[
        "thanks", "thank you", "cheers", "best", "regards", "best regards", "kind regards", "many thanks", "thx", "lg", "vg", "viele grüße",
        "liebe grüße", "beste grüße", "mit freundlichen grüßen", "danke", "merci", "cordialement", "saludos", "un saludo", "gracias", "saluti", "grazie", "ok thanks", "valeu", "obrigado", "obrigada", "abraços", "よろしくお願いします",
        "よろしくお願いいたします", "감사합니다", "谢谢", "תודה", "شكرا", "धन्यवाद", "ขอบคุณ",
    ];
    let is_farewell = |line: &Line| match line {
        Line::Text(words) | Line::Heading(words) => {
            let lower = words.to_lowercase();
            let bare = lower.trim_matches(|letter: char| !letter.is_alphanumeric());
            // “Regards, Greta”: the name stands on the same line.
            let is_signed = |farewell: &&str| {
                bare.strip_prefix(*farewell)
                    .is_some_and(|rest| rest.starts_with([',', '!', '.', ' ']) && rest.split_whitespace().count() <= 3)
            };
            FAREWELLS.iter().any(is_signed) && words.split_whitespace().count() <= 5 || FAREWELLS.contains(&bare)
        }
        _ => false,
    };
    if let Some(at) = lines.iter().rposition(is_farewell) {
        let signature: Vec<&Line> = lines[at + 1..].iter().filter(|line| !matches!(line, Line::Blank)).collect();
        let is_signature = signature.len() <= 2 && signature.iter().all(|line| matches!(line, Line::Text(words) | Line::Heading(words) if words.split_whitespace().count() <= 4));
        if is_signature {
            lines.truncate(at);
        }
    }
    const GREETINGS: &[&str] = &[
        "hi", "hello", "hey", "dear", "hallo", "moin", "liebe", "lieber", "liebes", "guten", "bonjour", "hola", "ciao",
        "sehr",
    ];
    let first = lines.iter().position(|line| !matches!(line, Line::Blank));
    if let Some(at) = first
        && lines.len() > at + 1
        && let Line::Text(words) | Line::Heading(words) = &lines[at]
        && words.split_whitespace().count() <= 4
        && words
            .split_whitespace()
            .next()
            .is_some_and(|word| GREETINGS.contains(&word.to_lowercase().trim_end_matches([',', '!'])))
    {
        lines.remove(at);
    }
}

fn head_label(line: &Line) -> Option<String> {
    let Line::Text(words) = line else { return None };
    text::label(words).map(|(label, _)| label.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(
            read("Hi Sam,\n\nplease draw it.\n\nThanks,\nAnna"),
            [Line::Blank, Line::Text("please draw it.".to_owned()), Line::Blank]
        );
    }
}
