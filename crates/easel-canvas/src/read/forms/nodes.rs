//! Keys and values, whatever notation they were written in, as lines.
//!
//! What holds: every value stands in the lines; a key does where it tells more than that something follows. Deliberately not
//! here: how a notation is read (`json`, `yaml`, `keys`).

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// A text or a number.
    Text(String),
    /// Several values.
    List(Vec<Node>),
    /// Values behind keys, in their order.
    Map(Vec<(String, Node)>),
}

/// Keys of what the whole is called.
const TITLES: &[&str] = &["title", "heading", "headline", "titel", "titre", "título", "titolo", "name"];

/// Keys that only say that something follows.
#[rustfmt::skip]
const BARE: &[&str] = &[
    "rows", "items", "data", "list", "entries", "content", "contents", "fields", "values", "records", "general", "default", "main", "details", "body", "text",
    "description", "subtitle",
];

/// Rows with more cells than this are told one below the other.
const MOST_CELLS: usize = 6;

impl Node {
    /// The lines that it comes to.
    pub fn to_lines(&self) -> String {
        let mut lines = String::new();
        self.write(&mut lines, 0);
        lines.trim_end().to_owned()
    }

    fn text(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::List(items) => {
                let texts: Option<Vec<String>> = items.iter().map(Self::text).collect();
                texts.map(|texts| texts.join(", "))
            }
            Self::Map(_) => None,
        }
    }

    fn write(&self, lines: &mut String, depth: usize) {
        match self {
            Self::Text(text) => push(lines, text),
            Self::List(items) => write_list(items, lines, depth),
            Self::Map(fields) => {
                if let Some(said) = quotation(fields) {
                    push(lines, &said);
                    return;
                }
                fields.iter().for_each(|(key, value)| write_field(key, value, lines, depth));
            }
        }
    }
}

fn push(lines: &mut String, line: &str) {
    lines.push_str(line.trim());
    lines.push('\n');
}

fn write_field(key: &str, value: &Node, lines: &mut String, depth: usize) {
    let name = humanized(key);
    let is_bare = BARE.contains(&key.to_lowercase().as_str()) || key.chars().all(|letter| letter.is_ascii_digit());
    match value {
        Node::Text(text) if text.trim().is_empty() => {}
        Node::Text(text) if TITLES.contains(&key.to_lowercase().as_str()) && (depth > 0 || !lines.contains('#')) => {
            if depth > 0 {
                lines.push('\n');
            }
            push(lines, &format!("{} {text}", "#".repeat(depth.min(3) + 1)));
        }
        Node::Text(text) if is_bare || text.contains('\n') => push(lines, text),
        Node::Text(text) => push(lines, &format!("{name}: {text}")),
        Node::List(_) | Node::Map(_) => {
            lines.push('\n');
            if !is_bare {
                push(lines, &format!("{} {name}", "#".repeat(depth.min(3) + 2)));
            }
            value.write(lines, depth + 1);
            lines.push('\n');
        }
    }
}

fn write_list(items: &[Node], lines: &mut String, depth: usize) {
    if let Some(table) = table_of(items) {
        lines.push_str(&table);
        return;
    }
    for item in items {
        match item.text() {
            Some(text) => push(lines, &format!("- {text}")),
            None => {
                item.write(lines, depth + 1);
                lines.push('\n');
            }
        }
    }
}

/// Things with the same keys, each with a text behind every one of them, as a table.
fn table_of(items: &[Node]) -> Option<String> {
    let mut head: Vec<&str> = Vec::new();
    for item in items {
        let Node::Map(fields) = item else { return None };
        for (key, _) in fields {
            if !head.contains(&key.as_str()) {
                head.push(key);
            }
        }
    }
    if items.len() < 2 || !(2..=MOST_CELLS).contains(&head.len()) {
        return None;
    }
    let mut rows = vec![head.iter().map(|key| humanized(key)).collect::<Vec<_>>()];
    for item in items {
        let Node::Map(fields) = item else { return None };
        let cell = |key: &&str| {
            let found = fields.iter().find(|(name, _)| name == key);
            found.map_or(Some(String::new()), |(_, value)| value.text())
        };
        rows.push(head.iter().map(cell).collect::<Option<Vec<_>>>()?);
    }
    Some(barred(&rows))
}

/// Rows as Markdown writes a table; the first names the columns.
pub fn barred(rows: &[Vec<String>]) -> String {
    let mut lines = String::new();
    for (at, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "/").replace('\n', " ")).collect();
        push(&mut lines, &format!("| {} |", cells.join(" | ")));
        if at == 0 {
            push(&mut lines, &format!("|{}", "---|".repeat(row.len())));
        }
    }
    lines
}

/// What somebody said, and who: two keys that say so.
fn quotation(fields: &[(String, Node)]) -> Option<String> {
    let [(first, Node::Text(words)), (second, Node::Text(by))] = fields else { return None };
    let is_said = matches!(first.to_lowercase().as_str(), "text" | "quote" | "words" | "zitat" | "citation" | "cita");
    let is_by = matches!(
        second.to_lowercase().as_str(),
        "author" | "by" | "from" | "who" | "source" | "person" | "autor" | "auteur"
    );
    (is_said && is_by).then(|| format!("“{}” – {by}", words.trim_matches(['"', '“', '”'])))
}

/// A text without the quotation marks around it.
pub fn unquoted(text: &str) -> &str {
    let inner = ['"', '\''].iter().find_map(|mark| text.strip_prefix(*mark).and_then(|rest| rest.strip_suffix(*mark)));
    inner.unwrap_or(text)
}

/// “openingHours”, “opening_hours”: a key as words.
pub fn humanized(key: &str) -> String {
    let mut words = String::new();
    let mut was_small = false;
    for letter in key.chars() {
        if letter.is_uppercase() && was_small {
            words.push(' ');
            words.extend(letter.to_lowercase());
        } else {
            words.push(if matches!(letter, '_' | '-') { ' ' } else { letter });
        }
        was_small = letter.is_lowercase();
    }
    crate::read::text::capitalize(words.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Node {
        Node::Text(text.to_owned())
    }

    fn map(fields: &[(&str, Node)]) -> Node {
        Node::Map(fields.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect())
    }

    #[test]
    fn keys_and_values_are_lines_lists_and_tables() {
        let row = |name: &str, price: &str| map(&[("name", text(name)), ("unitPrice", text(price))]);
        let whole = map(&[
            ("title", text("Weir")),
            ("opening_hours", text("9 to 5")),
            ("bring", Node::List(vec![text("boots"), text("rope")])),
            ("rows", Node::List(vec![row("Tea", "2"), row("Cake", "3")])),
            ("quote", map(&[("text", text("Deep")), ("author", text("Ada"))])),
        ]);
        let lines = whole.to_lines();
        let told: Vec<&str> = lines.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(
            told,
            [
                "# Weir",
                "Opening hours: 9 to 5",
                "## Bring",
                "- boots",
                "- rope",
                "| Name | Unit price |",
                "|---|---|",
                "| Tea | 2 |",
                "| Cake | 3 |",
                "## Quote",
                "“Deep” – Ada",
            ]
        );
    }
}
