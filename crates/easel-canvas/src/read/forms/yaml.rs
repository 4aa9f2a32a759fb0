//! YAML: keys with a colon, and under them, further in, keys and lists.
//!
//! What holds: a block is read as YAML only where something of it is nothing else: a rule of dashes over keys, a key under a
//! key, keys within an item, texts in quotation marks behind small keys. Labels and lists that people type stay as they are.

use super::json;
use super::nodes::{Node, unquoted};

/// A line of a block: how far in it stands, whether it begins an item, and its words.
#[derive(Clone, Copy)]
struct Row<'l> {
    indent: usize,
    words: &'l str,
}

/// The brief with labels, lists and tables for its YAML; `None` where it has none.
pub fn as_lines(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let begin = (0..lines.len()).find(|at| {
        let follows = *at == 0
            || lines[at - 1].trim().is_empty()
            || lines[at - 1].trim_end().ends_with(':')
            || is_fence(lines[at - 1]);
        follows && is_yaml(&lines[*at..])
    })?;
    let length = block_length(&lines[begin..]);
    let is_rule = lines[begin].trim() == "---";
    let mut rows = rows_of(&lines[begin + usize::from(is_rule)..begin + length]);
    let mut at = 0;
    rows.retain(|row| !row.words.starts_with('#'));
    let node = node_at(&rows, &mut at, 0, 0);
    if at < rows.len() {
        return None;
    }
    let before = lines[..begin].iter().filter(|line| !is_fence(line));
    let behind = lines[begin + length..].iter().filter(|line| !is_fence(line));
    let mut plain: Vec<String> = before.map(|line| (*line).to_owned()).collect();
    plain.extend([node.to_lines(), String::new()]);
    plain.extend(behind.map(|line| (*line).to_owned()));
    Some(plain.join("\n").trim_end().to_owned())
}

fn is_fence(line: &str) -> bool {
    line.trim().starts_with("```")
}

/// A key and what stands behind its colon, which may be nothing.
fn key_of(words: &str) -> Option<(&str, &str)> {
    let (key, value) = words.split_once(':')?;
    let bare = key.trim_matches(['"', '\'']);
    let is_key = !bare.is_empty()
        && bare.split_whitespace().count() <= 5
        && bare.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | ' ' | '\''))
        && (value.is_empty() || value.starts_with([' ', '\t']));
    is_key.then(|| (bare, value.trim()))
}

fn item_of(words: &str) -> Option<&str> {
    words.strip_prefix("- ").map(str::trim_start)
}

fn indent_of(line: &str) -> usize {
    line.chars().take_while(|letter| matches!(letter, ' ' | '\t')).count()
}

/// How many lines a block has: keys, items, and what stands further in than they do.
fn block_length(lines: &[&str]) -> usize {
    let mut length = 0;
    for (at, line) in lines.iter().enumerate() {
        let words = line.trim();
        let is_of_it =
            at == 0 && words == "---" || indent_of(line) > 0 || key_of(words).is_some() || item_of(words).is_some();
        if words.is_empty() {
            continue;
        }
        if !is_of_it {
            break;
        }
        length = at + 1;
    }
    length
}

fn rows_of<'l>(lines: &[&'l str]) -> Vec<Row<'l>> {
    let said = lines.iter().filter(|line| !line.trim().is_empty());
    said.map(|line| Row { indent: indent_of(line), words: line.trim() }).collect()
}

/// Whether lines begin with a block that is nothing but YAML.
fn is_yaml(lines: &[&str]) -> bool {
    let length = block_length(lines);
    let rows = rows_of(&lines[..length]);
    let Some(first) = rows.first() else { return false };
    if first.words == "---" {
        return rows.len() > 2
            && rows[1..]
                .iter()
                .all(|row| key_of(row.words).is_some() || item_of(row.words).is_some() || row.indent > 0)
            && key_of(rows[1].words).is_some();
    }
    if rows.len() < 2 || key_of(first.words).is_none() && item_of(first.words).and_then(key_of).is_none() {
        return false;
    }
    let is_small = |key: &str| key.starts_with(char::is_lowercase) && !key.contains(' ');
    let small = |row: &Row<'_>| key_of(item_of(row.words).unwrap_or(row.words)).is_some_and(|(key, _)| is_small(key));
    let is_quoted = |row: &&Row<'_>| {
        key_of(row.words).is_some_and(|(key, value)| {
            is_small(key) && value.len() > 2 && value.starts_with(['"', '\'']) && value.ends_with(['"', '\''])
        })
    };
    let nests = rows.windows(2).any(|pair| {
        let under = pair[1].indent > pair[0].indent && small(&pair[0]) && small(&pair[1]);
        under && (item_of(pair[0].words).is_some() || key_of(pair[0].words).is_some_and(|(_, value)| value.is_empty()))
    });
    nests || rows.iter().filter(is_quoted).count() >= 2
}

/// Deeper values are told as one text.
const DEEPEST: usize = 6;

/// The value that rows from a place on are, as long as they stand at least so far in.
fn node_at(rows: &[Row<'_>], at: &mut usize, least: usize, depth: usize) -> Node {
    let Some(first) = rows.get(*at).filter(|row| row.indent >= least).copied() else {
        return Node::Text(String::new());
    };
    if depth > DEEPEST {
        let mut words = Vec::new();
        while let Some(row) = rows.get(*at).filter(|row| row.indent >= least) {
            words.push(row.words);
            *at += 1;
        }
        return Node::Text(words.join(" "));
    }
    if item_of(first.words).is_some() {
        return list_at(rows, at, first.indent, depth);
    }
    if key_of(first.words).is_some() {
        return map_at(rows, at, first.indent, None, depth);
    }
    let mut words = Vec::new();
    while let Some(row) = rows.get(*at).filter(|row| row.indent >= least) {
        words.push(row.words);
        *at += 1;
    }
    Node::Text(words.join("\n"))
}

fn list_at(rows: &[Row<'_>], at: &mut usize, indent: usize, depth: usize) -> Node {
    let mut items = Vec::new();
    while let Some(row) = rows.get(*at).filter(|row| row.indent == indent).copied() {
        let Some(words) = item_of(row.words) else { break };
        *at += 1;
        let inner = row.words.len() - words.len() + indent;
        items.push(match key_of(words).filter(|_| !words.starts_with(['"', '\''])) {
            Some(field) => map_at(rows, at, inner, Some(field), depth + 1),
            None => text_of(words),
        });
    }
    Node::List(items)
}

/// Keys at one depth; the first of those of an item stands behind its mark.
fn map_at(rows: &[Row<'_>], at: &mut usize, indent: usize, first: Option<(&str, &str)>, depth: usize) -> Node {
    let mut fields = Vec::new();
    let mut field = first;
    loop {
        let (key, value) = match field.take() {
            Some(field) => field,
            None => {
                let Some(row) = rows.get(*at).filter(|row| row.indent == indent && item_of(row.words).is_none()) else {
                    break;
                };
                let Some(field) = key_of(row.words) else { break };
                *at += 1;
                field
            }
        };
        let is_block = value.starts_with(['|', '>']) && value.len() <= 2;
        let node = if value.is_empty() || is_block {
            // The items of a key may stand as far in as itself.
            let beside = rows.get(*at).is_some_and(|row| row.indent == indent && item_of(row.words).is_some());
            if beside { list_at(rows, at, indent, depth + 1) } else { node_at(rows, at, indent + 1, depth + 1) }
        } else {
            text_of(value)
        };
        fields.push((key.to_owned(), node));
    }
    Node::Map(fields)
}

fn text_of(value: &str) -> Node {
    if value.starts_with(['[', '{'])
        && let Some(node) = json::whole(value)
    {
        return node;
    }
    if let Some(inner) = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return Node::List(inner.split(',').map(|item| text_of(item.trim())).collect());
    }
    Node::Text(unquoted(value).to_owned())
}

#[cfg(test)]
mod tests {
    use super::as_lines;

    fn told(text: &str) -> Vec<String> {
        let plain = as_lines(text).unwrap();
        plain.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn keys_items_and_keys_within_items() {
        assert_eq!(
            told(
                "Slides:\n\n---\ntitle: \"Weir\"\nopen_on: 'Monday'\nteas:\n  - name: Green\n    price: 2 €\n  - name: Black\n    price: 3 €\nbring:\n  - boots\n\nThanks"
            ),
            [
                "Slides:",
                "# Weir",
                "Open on: Monday",
                "## Teas",
                "| Name | Price |",
                "|---|---|",
                "| Green | 2 € |",
                "| Black | 3 € |",
                "## Bring",
                "- boots",
                "Thanks"
            ]
        );
        assert_eq!(
            told("event:\n  what: weir\n  notes: |\n    Deep\n    water"),
            ["## Event", "What: weir", "Deep", "water"]
        );
    }

    #[test]
    fn labels_and_lists_that_people_type_stay() {
        for text in [
            "Date: 3 May\nPlace: the weir",
            "Bring:\n  - boots\n  - rope",
            "Agenda\n- Intro: why\n- End: how",
            "---\nA line\nAnother",
        ] {
            assert_eq!(as_lines(text), None, "{text}");
        }
    }
}
