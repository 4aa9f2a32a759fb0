//! The forms in which people paste a content, each made of it mechanically.
//!
//! What holds: a form adds marks, keys and talk, and no fact. Deliberately not here: what must come of them (`main`).

use std::fmt::Write;

use super::contents::Content;
use super::markup;

/// A form by its name.
pub struct Surface {
    /// By which the tests call it.
    pub name: &'static str,
    /// The brief that a content is in it.
    pub write: fn(&Content) -> String,
}

macro_rules! surfaces {
    ($($name:literal => $write:expr),* $(,)?) => {
        /// All forms.
        pub const SURFACES: &[Surface] = &[$(Surface { name: $name, write: $write }),*];
    };
}

surfaces! {
    "plain lines" => |content| asked(content, &lines(content, "")),
    "Markdown" => |content| asked(content, &markup::markdown(content)),
    "HTML" => |content| asked(content, &markup::html(content)),
    "HTML on one line" => |content| asked(content, &markup::html(content).replace('\n', "")),
    "HTML with breaks and entities" => |content| asked(content, &markup::html_of_breaks(content)),
    "XML" => |content| asked(content, &markup::xml(content)),
    "JSON" => |content| asked(content, &markup::json(content, true)),
    "JSON on one line" => |content| asked(content, &markup::json(content, false)),
    "JSON in a fence" => |content| asked(content, &format!("```json\n{}\n```", markup::json(content, true))),
    "YAML" => |content| asked(content, &markup::yaml(content)),
    "TOML" => |content| asked(content, &markup::toml(content)),
    "INI" => |content| asked(content, &markup::ini(content)),
    "CSV" => |content| asked(content, &markup::separated(content, ',')),
    "CSV with semicolons" => |content| asked(content, &markup::separated(content, ';')),
    "TSV" => |content| asked(content, &markup::separated(content, '\t')),
    "bars" => |content| asked(content, &markup::separated(content, '|').replace('|', " | ")),
    "a table of Markdown" => |content| asked(content, &markup::barred(content)),
    "one line, semicolons" => |content| format!("{}: {}", content.ask, pieces(content).join("; ")),
    "one line, slashes" => |content| format!("{}: {}", content.ask, pieces(content).join(" / ")),
    "one line, commas" => |content| format!("{}: {}", content.ask, pieces(content).join(", ")),
    "one line, full stops" => |content| format!("{}. {}.", content.ask, pieces(content).join(". ")),
    "one line, dashes" => |content| format!("{} – {}", content.ask, pieces(content).join(" – ")),
    "one line, arrows" => |content| format!("{}: {}", content.ask, pieces(content).join(" → ")),
    "one line, bars" => |content| format!("{}: {}", content.ask, pieces(content).join(" | ")),
    "one line, dots" => |content| format!("{}: {}", content.ask, pieces(content).join(" · ")),
    "one line, brackets" => |content| {
        let pieces = pieces(content);
        format!("{}: {} ({})", content.ask, pieces[0], pieces[1..].join(", "))
    },
    "chat" => |content| chat(content, |at, words| format!("{}: {words}", who(at))),
    "chat with hours behind brackets" => |content| chat(content, |at, words| format!("[14:{:02}] {}: {words}", at + 3, who(at))),
    "chat with hours" => |content| chat(content, |at, words| format!("14:{:02} {}: {words}", at + 3, who(at))),
    "chat with days" => |content| chat(content, |at, words| format!("12.05.26, 14:{:02} - {}: {words}", at + 3, who(at))),
    "chat as a telephone saves it" => |content| chat(content, |at, words| format!("[12/05/2026, 14:{:02}:11] {}: {words}", at + 3, who(at))),
    "quoted mail" => |content| format!("{}.\n\n{}", content.ask, prefixed(&lines(content, ""), "> ")),
    "mail quoted twice" => |content| format!("{}.\n\n{}", content.ask, prefixed(&lines(content, "- "), ">> ")),
    "quoted Markdown" => |content| format!("{}.\n\n{}", content.ask, prefixed(&markup::markdown(content), "> ")),
    "forwarded mail" => |content| {
        format!(
            "{}.\n\n---------- Forwarded message ---------\nFrom: Pat Grey <pat@office.example>\nDate: Mon, 3 Mar 2026 at 09:14\nSubject: Fwd: as promised\nTo: Studio <studio@office.example>\n\n{}\n\nKind regards\nPat",
            content.ask,
            lines(content, "")
        )
    },
    "bullets •" => |content| asked(content, &lines(content, "• ")),
    "bullets •, no blank" => |content| asked(content, &lines(content, "•")),
    "bullets –" => |content| asked(content, &lines(content, "– ")),
    "bullets ▪" => |content| asked(content, &lines(content, "▪ ")),
    "bullets →" => |content| asked(content, &lines(content, "→ ")),
    "bullets ➤" => |content| asked(content, &lines(content, "➤ ")),
    "bullets ●" => |content| asked(content, &lines(content, "● ")),
    "bullets o" => |content| asked(content, &lines(content, "o ")),
    "bullets ✅" => |content| asked(content, &lines(content, "✅ ")),
    "bullets \\t•\\t" => |content| asked(content, &lines(content, "\t•\t")),
    "numbered 1)" => |content| asked(content, &counted(content, |at| format!("{at}) "))),
    "numbered (1)" => |content| asked(content, &counted(content, |at| format!("({at}) "))),
    "numbered a." => |content| asked(content, &counted(content, |at| format!("{}. ", char::from(b'a' + at as u8 - 1)))),
    "numbered (i)" => |content| asked(content, &counted(content, |at| format!("({}) ", ROMAN[at]))),
    "numbered with pictures" => |content| asked(content, &counted(content, |at| if at < 10 { format!("{at}\u{fe0f}\u{20e3} ") } else { "🔟 ".to_owned() })),
    "all lower case" => |content| asked(content, &lines(content, "")).to_lowercase(),
    "all capitals" => |content| asked(content, &lines(content, "").to_uppercase()),
    "no marks" => |content| asked(content, &bare(content)),
    "no marks, no gaps" => |content| format!("{}\n{}", content.ask, bare(content)),
    "gaps everywhere" => |content| format!("{}.\n\n{}", content.ask, lines(content, "").replace('\n', "\n\n")),
    "ends of Windows" => |content| asked(content, &lines(content, "")).replace('\n', "\r\n"),
    "ends of old Macs" => |content| asked(content, &lines(content, "")).replace('\n', "\r"),
    "blanks that do not break" => |content| asked(content, &lines(content, "").replace(' ', "\u{a0}")),
    "letters that nobody sees" => |content| asked(content, &lines(content, "\u{200b}")).replace("\n\n", "\n\u{feff}\n"),
    "tabs" => |content| asked(content, &lines(content, "").replace(": ", ":\t")),
    "typographic quotes" => |content| asked(content, &quoted(content)),
    "wishes behind" => |content| format!("{}.\n\n{}\n\nthx! make it blue", content.ask, lines(content, "")),
    "wishes behind, one paragraph" => |content| format!("{}: {}. Thx! Make it blue.", content.ask, pieces(content).join(", ")),
    "asked for at the end" => |content| format!("{}\n\n{}, thanks!", lines(content, ""), content.ask),
    "asked for at once at the end" => |content| format!("{}. {}.", pieces(content).join(". "), content.ask),
    "labels over values" => |content| asked(content, &stacked(content)),
    "labels behind arrows" => |content| asked(content, &lines(content, "").replace(": ", " -> ")),
    "labels behind dashes" => |content| asked(content, &lines(content, "").replace(": ", " - ")),
    "labels with equals signs" => |content| asked(content, &lines(content, "").replace(": ", "=")),
    "labels in bold" => |content| asked(content, &bold(content)),
    "labels in brackets" => |content| asked(content, &bracketed(content)),
}

/// Small Roman numbers.
const ROMAN: [&str; 16] =
    ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv"];

fn who(at: usize) -> &'static str {
    if at.is_multiple_of(2) { "Ann" } else { "Bert" }
}

fn asked(content: &Content, body: &str) -> String {
    format!("{}:\n\n{body}", content.ask)
}

/// What a content says, a text for each fact or row.
fn pieces(content: &Content) -> Vec<String> {
    let mut pieces = vec![content.title.to_owned()];
    pieces.extend(content.quote.iter().map(|(words, by)| format!("\"{words}\" - {by}")));
    pieces.extend(content.fields.iter().map(|(label, value)| format!("{label}: {value}")));
    pieces.extend(content.rows.iter().map(|row| row.join(" ")));
    pieces.extend(content.list.iter().map(|(name, items)| format!("{name}: {}", items.join(", "))));
    pieces
}

/// A line for each fact or row, its items behind a mark.
fn lines(content: &Content, mark: &str) -> String {
    let mut lines = format!("{}\n", content.title);
    if let Some((words, by)) = content.quote {
        let _ = writeln!(lines, "{mark}\"{words}\" - {by}");
    }
    content.fields.iter().for_each(|(label, value)| lines.push_str(&format!("{mark}{label}: {value}\n")));
    content.rows.iter().for_each(|row| lines.push_str(&format!("{mark}{}\n", row.join(" - "))));
    if let Some((name, items)) = content.list {
        let _ = writeln!(lines, "{name}:");
        items.iter().for_each(|item| lines.push_str(&format!("{mark}{item}\n")));
    }
    lines.trim_end().to_owned()
}

/// The same lines, each behind its number.
fn counted(content: &Content, mark: fn(usize) -> String) -> String {
    let mut told = pieces(content);
    let title = told.remove(0);
    told.iter().enumerate().fold(title, |lines, (at, piece)| format!("{lines}\n{}{piece}", mark(at + 1)))
}

/// Every fact on a line of its own, without names of fields and without marks.
fn bare(content: &Content) -> String {
    let rows = content.rows.iter().map(|row| row.join(" "));
    let mut told: Vec<String> = vec![content.title.to_owned()];
    told.extend(content.quote.iter().flat_map(|(words, by)| [(*words).to_owned(), (*by).to_owned()]));
    told.extend(content.fields.iter().map(|(_, value)| (*value).to_owned()));
    told.extend(rows);
    told.extend(content.list.iter().flat_map(|(_, items)| items.iter().map(|item| (*item).to_owned())));
    told.join("\n")
}

/// Each name of a field on a line over what it says.
fn stacked(content: &Content) -> String {
    let mut told = format!("{}\n", content.title);
    if let Some((words, by)) = content.quote {
        let _ = writeln!(told, "\n\"{words}\"\n{by}");
    }
    content.fields.iter().for_each(|(label, value)| told.push_str(&format!("\n{label}\n{value}\n")));
    for row in content.rows {
        let _ = writeln!(told, "\n{}", row.join("\n"));
    }
    if let Some((name, items)) = content.list {
        let _ = writeln!(told, "\n{name}\n{}", items.join("\n"));
    }
    told.trim_end().to_owned()
}

fn quoted(content: &Content) -> String {
    let mut told = format!("“{}”\n", content.title);
    content.fields.iter().for_each(|(label, value)| told.push_str(&format!("{label}: “{value}”\n")));
    content.rows.iter().for_each(|row| told.push_str(&format!("“{}”\n", row.join("” – “"))));
    content.list.iter().for_each(|(name, items)| told.push_str(&format!("{name}: “{}”\n", items.join("”, “"))));
    content.quote.iter().for_each(|(words, by)| told.push_str(&format!("“{words}” – {by}\n")));
    told.trim_end().to_owned()
}

fn bold(content: &Content) -> String {
    let mut told = format!("**{}**\n", content.title);
    content.fields.iter().for_each(|(label, value)| told.push_str(&format!("**{label}:** {value}\n")));
    content.rows.iter().for_each(|row| told.push_str(&format!("**{}** {}\n", row[0], row[1..].join(", "))));
    content.list.iter().for_each(|(name, items)| told.push_str(&format!("**{name}:** {}\n", items.join(", "))));
    content.quote.iter().for_each(|(words, by)| told.push_str(&format!("*{words}* – **{by}**\n")));
    told.trim_end().to_owned()
}

fn bracketed(content: &Content) -> String {
    let mut told = format!("{}\n", content.title);
    content.quote.iter().for_each(|(words, by)| told.push_str(&format!("\"{words}\" ({by})\n")));
    content.fields.iter().for_each(|(label, value)| told.push_str(&format!("{value} ({label})\n")));
    content.rows.iter().for_each(|row| told.push_str(&format!("{} ({})\n", row[0], row[1..].join(", "))));
    content.list.iter().for_each(|(name, items)| told.push_str(&format!("{} ({name})\n", items.join(", "))));
    told.trim_end().to_owned()
}

fn prefixed(text: &str, mark: &str) -> String {
    text.lines().map(|line| format!("{mark}{line}")).collect::<Vec<_>>().join("\n")
}

fn chat(content: &Content, write: fn(usize, &str) -> String) -> String {
    let mut said = vec![content.ask.to_owned()];
    said.extend(lines(content, "").lines().map(str::to_owned));
    said.iter().enumerate().map(|(at, words)| write(at, words)).collect::<Vec<_>>().join("\n")
}
