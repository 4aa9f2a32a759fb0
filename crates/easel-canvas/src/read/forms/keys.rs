//! TOML and INI: keys with an equals sign before what they say, under sections in square brackets.
//!
//! What holds: two such lines beside each other, or one under a section, are needed; a sum or a price in a sentence is none.
//! Deliberately not here: a single label with an equals sign in a sentence (`lines::equals`).

use super::json;
use super::nodes::{Node, unquoted};

/// The most words of a key.
const MOST_WORDS: usize = 4;

/// A line of such a file.
enum Line<'l> {
    Key(&'l str, Node),
    Section(&'l str, bool),
    Comment,
    Gap,
}

/// The brief with labels and lists for its keys; `None` where it has none.
pub fn as_lines(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut plain: Vec<String> = Vec::new();
    let (mut at, mut is_found) = (0, false);
    while at < lines.len() {
        match block_at(&lines[at..]) {
            Some((node, length)) => {
                is_found = true;
                at += length;
                plain.extend([node.to_lines(), String::new()]);
            }
            None => {
                plain.push(lines[at].to_owned());
                at += 1;
            }
        }
    }
    is_found.then(|| plain.join("\n").trim_end().to_owned())
}

/// The keys that lines begin with, and how many lines they are.
fn block_at(lines: &[&str]) -> Option<(Node, usize)> {
    let mut read = Vec::new();
    let mut length = 0;
    for (at, line) in lines.iter().enumerate() {
        let Some(one) = line_of(line) else { break };
        if !matches!(one, Line::Gap) {
            length = at + 1;
        }
        // The first thing of a block is one of it.
        if at == 0 && matches!(one, Line::Gap | Line::Comment) {
            return None;
        }
        read.push(one);
    }
    let keys = read[..length].iter().filter(|line| matches!(line, Line::Key(..))).count();
    let sections = read[..length].iter().filter(|line| matches!(line, Line::Section(..))).count();
    if keys < 2 && (keys == 0 || sections == 0) {
        return None;
    }
    read.truncate(length);
    Some((gathered(read), length))
}

fn gathered(read: Vec<Line<'_>>) -> Node {
    let mut whole: Vec<(String, Node)> = Vec::new();
    let mut section: Option<(String, bool)> = None;
    let mut fields: Vec<(String, Node)> = Vec::new();
    let mut end = |section: &Option<(String, bool)>, fields: &mut Vec<(String, Node)>| {
        let fields = std::mem::take(fields);
        match section {
            _ if fields.is_empty() => {}
            None => whole.extend(fields),
            Some((name, is_one_of_many)) => {
                // “1=boots”: keys that only count are a list.
                let are_counted = fields.iter().all(|(key, _)| key.chars().all(|letter| letter.is_ascii_digit()));
                let node = if are_counted {
                    Node::List(fields.into_iter().map(|(_, value)| value).collect())
                } else {
                    Node::Map(fields)
                };
                match whole.last_mut() {
                    Some((last, Node::List(items))) if *is_one_of_many && last == name => items.push(node),
                    _ if *is_one_of_many => whole.push((name.clone(), Node::List(vec![node]))),
                    _ => whole.push((name.clone(), node)),
                }
            }
        }
    };
    for line in read {
        match line {
            Line::Key(key, value) => fields.push((key.to_owned(), value)),
            Line::Section(name, is_one_of_many) => {
                end(&section, &mut fields);
                section = Some((name.to_owned(), is_one_of_many));
            }
            Line::Comment | Line::Gap => {}
        }
    }
    end(&section, &mut fields);
    Node::Map(whole)
}

fn line_of(line: &str) -> Option<Line<'_>> {
    let line = line.trim();
    if line.is_empty() {
        return Some(Line::Gap);
    }
    if line.starts_with(';') || line.starts_with("# ") {
        return Some(Line::Comment);
    }
    let is_name = |name: &str| {
        !name.is_empty()
            && name.split_whitespace().count() <= MOST_WORDS
            && name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | ' ' | '\''))
    };
    if let Some(inner) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let one_of_many = inner.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let name = one_of_many.unwrap_or(inner).trim();
        let is_section = is_name(name) && name.chars().next().is_some_and(char::is_alphabetic);
        return is_section.then_some(Line::Section(name, one_of_many.is_some()));
    }
    let (key, value) = line.split_once('=')?;
    let (key, value) = (key.trim(), value.trim());
    let is_key = is_name(key) && !value.is_empty() && !value.starts_with(['=', '>']) && !value.contains(" = ");
    is_key.then(|| Line::Key(key, value_of(value)))
}

fn value_of(value: &str) -> Node {
    if value.starts_with('[')
        && let Some(list) = json::whole(value)
    {
        return list;
    }
    Node::Text(unquoted(value).replace("\\\"", "\""))
}

#[cfg(test)]
mod tests {
    use super::as_lines;

    fn told(text: &str) -> Vec<String> {
        let plain = as_lines(text).unwrap();
        plain.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn keys_are_labels_and_sections_headings() {
        assert_eq!(
            told("title = \"Weir\"\nopen_on = 'Monday'\nbring = [\"boots\", \"rope\"]"),
            ["# Weir", "Open on: Monday", "## Bring", "- boots", "- rope"]
        );
        assert_eq!(told("[bring]\n1=boots\n2=rope\n\nSee you"), ["## Bring", "- boots", "- rope", "See you"]);
        assert_eq!(
            told("[[tea]]\nname = \"Green\"\nprice = 2\n[[tea]]\nname = \"Black\"\nprice = 3")[1..3],
            ["| Name | Price |", "|---|---|"]
        );
    }

    #[test]
    fn sums_and_arrows_are_none() {
        for text in ["2 + 2 = 4", "a == b\nb => c", "Problem = one in three breaks. Fix = a sensor.", "[draft]\nA line"]
        {
            assert_eq!(as_lines(text), None, "{text}");
        }
    }
}
