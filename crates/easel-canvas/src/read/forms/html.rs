//! HTML and XML within a brief, as lines.
//!
//! What holds: the text between tags stays, save that of styles and scripts, which nobody sees; what only looks like a tag, as
//! an address in angle brackets, stays too. Deliberately not here: what links lead to, and how a page looked.

use super::entities;
use super::nodes::barred;

/// Tags of HTML that begin and end a line.
#[rustfmt::skip]
const LINES: &[&str] = &[
    "p", "div", "br", "hr", "dt", "dd", "body", "html", "main", "section", "article", "header", "footer", "nav", "figure", "figcaption", "address", "details",
    "summary", "form", "fieldset", "caption", "center", "pre",
];

/// Tags that begin and end a paragraph.
const PARAGRAPHS: &[&str] = &["ul", "ol", "dl", "table", "thead", "tbody", "tfoot", "section", "article"];

/// Tags within a line.
#[rustfmt::skip]
const WITHIN: &[&str] = &[
    "b", "strong", "i", "em", "u", "s", "a", "span", "font", "small", "big", "sup", "sub", "code", "mark", "abbr", "time", "label", "button", "img", "input", "q",
    "tt", "kbd", "strike", "del", "ins", "meta", "link", "wbr",
];

/// Tags of which nobody sees what is between them.
const HIDDEN: &[&str] = &["style", "script", "head", "svg", "template", "noscript"];

/// Stands in a saying before the name of who said it.
const BY: char = '\u{1}';

/// The brief with its markup as lines, and letters for their names; `None` where it has neither.
pub fn as_lines(text: &str) -> Option<String> {
    let plain = if is_markup(text) { Reader::default().read(text) } else { text.to_owned() };
    let plain = entities::decode(&plain);
    (plain != text).then_some(plain)
}

/// A tag: its name in small letters, whether it ends what it began, and where it ends.
struct Tag<'t> {
    name: String,
    is_end: bool,
    length: usize,
    rest: &'t str,
}

/// The tag that a text begins with.
fn tag_at(text: &str) -> Option<Tag<'_>> {
    let inner = text.strip_prefix('<')?;
    let (is_end, inner) = inner.strip_prefix('/').map_or((false, inner), |inner| (true, inner));
    let inner = inner.strip_prefix(['?', '!']).unwrap_or(inner);
    let length = inner.find(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | ':')))?;
    let (name, behind) = inner.split_at(length);
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic());
    let close = behind.find('>')?;
    // “<tom@weir.example>”, “<https://…>” and “<a deep breath>” are none.
    let attributes = behind[..close].trim_end_matches(['/', '?']);
    let is_tag = attributes.is_empty()
        || attributes.starts_with(char::is_whitespace)
            && (attributes.trim().is_empty() || attributes.contains('=') || name.eq_ignore_ascii_case("doctype"));
    (is_name && is_tag && !name.ends_with(':')).then(|| {
        let rest = &behind[close + 1..];
        Tag { name: name.to_lowercase(), is_end, length: text.len() - rest.len(), rest }
    })
}

/// Whether a text has tags of HTML, or tags of its own each of which is ended.
fn is_markup(text: &str) -> bool {
    let (mut begun, mut known) = (Vec::new(), 0);
    let mut ended = 0;
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        let Some(tag) = tag_at(rest) else {
            rest = &rest[1..];
            continue;
        };
        rest = tag.rest;
        let name = tag.name.as_str();
        known += usize::from(
            LINES.contains(&name)
                || PARAGRAPHS.contains(&name)
                || WITHIN.contains(&name)
                || HIDDEN.contains(&name)
                || is_heading(name)
                || matches!(name, "li" | "td" | "tr" | "th"),
        );
        if !tag.is_end {
            begun.push(tag.name);
        } else if begun.contains(&tag.name) {
            ended += 1;
        }
    }
    known > 0 && (ended > 0 || text.to_lowercase().contains("<br") || text.contains("<hr")) || ended > 1
}

fn is_heading(name: &str) -> bool {
    matches!(name.as_bytes(), [b'h', b'1'..=b'6'])
}

/// What was read of a markup so far.
#[derive(Default)]
struct Reader {
    plain: String,
    /// The rows of an open table.
    rows: Vec<Vec<String>>,
    /// Whether the first row of the table names its columns.
    has_head: bool,
    /// Where the text of an open cell or saying begins.
    cell: Option<usize>,
    saying: Option<usize>,
    /// The numbers of open lists; none where they are not numbered.
    lists: Vec<Option<usize>>,
    is_begun: bool,
}

impl Reader {
    fn read(mut self, text: &str) -> String {
        let mut rest = text;
        while let Some(at) = rest.find('<') {
            self.push(&rest[..at]);
            rest = &rest[at..];
            if rest.starts_with("<!--") {
                let end = rest.find("-->").map_or(rest.len(), |end| end + 3);
                // What is noted for whoever makes the thing is read elsewhere.
                self.plain.push_str(&format!("\n{}\n", &rest[..end]));
                rest = &rest[end..];
                continue;
            }
            let Some(tag) = tag_at(rest) else {
                self.push("<");
                rest = &rest[1..];
                continue;
            };
            self.is_begun = true;
            rest = &rest[tag.length..];
            if HIDDEN.contains(&tag.name.as_str()) && !tag.is_end {
                let end = format!("</{}", tag.name);
                rest = rest.to_lowercase().find(&end).and_then(|at| rest.get(at..)).unwrap_or(rest);
                continue;
            }
            if tag.is_end { self.close(&tag.name) } else { self.open(&tag.name) }
        }
        self.push(rest);
        self.close("table");
        let lines: Vec<&str> = self.plain.split('\n').map(str::trim).collect();
        lines.join("\n").trim().to_owned()
    }

    /// Adds the text between two tags: there the end of a line is a blank.
    fn push(&mut self, text: &str) {
        if !self.is_begun {
            self.plain.push_str(text);
            return;
        }
        for piece in text.split_inclusive(char::is_whitespace) {
            let word = piece.trim();
            if !word.is_empty() {
                self.plain.push_str(word);
            }
            if word.len() < piece.len() && !self.plain.ends_with([' ', '\n']) {
                self.plain.push(' ');
            }
        }
    }

    fn end_line(&mut self, count: usize) {
        let kept = self.plain.trim_end_matches(' ').len();
        self.plain.truncate(kept);
        let ends = self.plain.len() - self.plain.trim_end_matches('\n').len();
        if self.cell.is_some() {
            self.plain.push(' ');
        } else if !self.plain.is_empty() {
            self.plain.push_str(&"\n".repeat(count.saturating_sub(ends)));
        }
    }

    fn open(&mut self, name: &str) {
        match name {
            "td" | "th" => {
                self.has_head |= name == "th" && self.rows.len() <= 1;
                if self.rows.is_empty() {
                    self.rows.push(Vec::new());
                }
                self.cell = Some(self.plain.len());
            }
            "tr" => {
                self.close("tr");
                self.rows.push(Vec::new());
            }
            "li" => {
                self.end_line(1);
                let mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{number}. ")
                    }
                    _ => "- ".to_owned(),
                };
                self.plain.push_str(&mark);
            }
            "ul" | "ol" => {
                self.end_line(2);
                self.lists.push((name == "ol").then_some(0));
            }
            "blockquote" => {
                self.end_line(2);
                self.saying = Some(self.plain.len());
            }
            "cite" | "footer" if self.saying.is_some() => self.plain.push(BY),
            name if is_heading(name) => {
                self.end_line(2);
                self.plain.push_str(&format!("{} ", "#".repeat(usize::from(name.as_bytes()[1] - b'0'))));
            }
            "title" => {
                self.end_line(2);
                self.plain.push_str("# ");
            }
            _ => self.divide(name),
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "td" | "th" => {
                if let (Some(from), Some(row)) = (self.cell.take(), self.rows.last_mut()) {
                    row.push(self.plain.split_off(from).trim().to_owned());
                }
            }
            "tr" => {
                self.close("td");
                self.rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
            }
            "table" => {
                self.close("tr");
                self.end_line(2);
                let mut rows = std::mem::take(&mut self.rows);
                let most = rows.iter().map(Vec::len).max().unwrap_or_default();
                rows.iter_mut().for_each(|row| row.resize(most, String::new()));
                if !std::mem::take(&mut self.has_head) && most > 0 {
                    rows.insert(0, vec![String::new(); most]);
                }
                self.plain.push_str(&barred(&rows));
                self.end_line(2);
            }
            "ul" | "ol" => {
                self.lists.pop();
                self.end_line(2);
            }
            "blockquote" => {
                if let Some(from) = self.saying.take() {
                    let said = self.plain.split_off(from);
                    let (words, by) = said.split_once(BY).unwrap_or((&said, ""));
                    let words = words.trim().trim_matches(['"', '“', '”']);
                    let by = by.trim().trim_start_matches(['-', '–', '—', ' ']);
                    let said = if by.is_empty() { format!("“{words}”") } else { format!("“{words}” – {by}") };
                    self.plain.push_str(&said);
                    self.end_line(2);
                }
            }
            name if is_heading(name) || name == "title" => self.end_line(2),
            _ => self.divide(name),
        }
    }

    /// What stands on both sides of a tag is on lines of its own, save of those that are known to stand within a line.
    fn divide(&mut self, name: &str) {
        if PARAGRAPHS.contains(&name) {
            self.end_line(2);
        } else if !WITHIN.contains(&name) && !matches!(name, "cite" | "tr") {
            self.end_line(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::as_lines;

    #[test]
    fn tags_are_lines_lists_and_tables() {
        let page = "Slides:\n<html><head><title>x</title><style>p { }</style></head><body>\n<h1>Weir</h1><p><b>Day:</b> 3&nbsp;May</p>\n<ol><li>Boots\n and rope</li><li>Tea</li></ol>\
                    <table><tr><th>What</th><th>Price</th></tr><tr><td>Tea</td><td>2 &euro;</td></tr></table><blockquote>Deep<cite>Ada</cite></blockquote></body></html>";
        let plain = as_lines(page).unwrap();
        let told: Vec<&str> = plain.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(
            told,
            [
                "Slides:",
                "# Weir",
                "Day: 3 May",
                "1. Boots and rope",
                "2. Tea",
                "| What | Price |",
                "|---|---|",
                "| Tea | 2 € |",
                "“Deep” – Ada"
            ]
        );
    }

    #[test]
    fn tags_of_ones_own_divide_lines() {
        assert_eq!(as_lines("<day><what>Weir</what><when>3 May</when></day>").unwrap(), "Weir\n3 May");
        assert_eq!(as_lines("a<br>b<br/>c").unwrap(), "a\nb\nc");
    }

    #[test]
    fn what_looks_like_a_tag_stays() {
        for text in
            ["a < b, b > a, <3", "Tom <tom@weir.example>", "see <https://weir.example>", "<name of the club> in blue"]
        {
            assert_eq!(as_lines(text), None, "{text}");
        }
    }
}
