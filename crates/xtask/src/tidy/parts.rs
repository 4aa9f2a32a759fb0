//! A Rust file divided into its code, its literals and its comments, line by line.
//!
//! Each part has the same lines and columns as the file, with blanks where the others are, so that a finding in a part
//! can name its line. It knows just enough of the language for that: nested comments, raw and byte strings, and that a
//! lifetime is not a character.

/// The three parts; each is as long as the file.
pub struct Parts {
    pub code: String,
    pub literals: String,
    pub comments: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Code,
    Literal,
    Comment,
}

/// Divides the text of a Rust file.
pub fn divide(text: &str) -> Parts {
    let chars = text.chars().collect::<Vec<_>>();
    let mut parts = Parts { code: String::new(), literals: String::new(), comments: String::new() };
    let mut at = 0;
    while at < chars.len() {
        let (part, length) = next_span(&chars, at);
        for &character in &chars[at..at + length] {
            let blank = if character == '\n' { '\n' } else { ' ' };
            parts.code.push(if part == Part::Code { character } else { blank });
            parts.literals.push(if part == Part::Literal { character } else { blank });
            parts.comments.push(if part == Part::Comment { character } else { blank });
        }
        at += length;
    }
    parts
}

fn next_span(chars: &[char], at: usize) -> (Part, usize) {
    let rest = &chars[at..];
    match rest {
        ['/', '/', ..] => (Part::Comment, rest.iter().position(|&character| character == '\n').unwrap_or(rest.len())),
        ['/', '*', ..] => (Part::Comment, block_comment_length(rest)),
        ['"', ..] => (Part::Literal, string_length(rest)),
        ['r' | 'b' | 'c', ..] if !follows_name(chars, at) => match raw_string_length(rest) {
            Some(length) => (Part::Literal, length),
            None => (Part::Code, 1),
        },
        ['\'', ..] => match char_length(rest) {
            Some(length) => (Part::Literal, length),
            None => (Part::Code, 1),
        },
        _ => (Part::Code, 1),
    }
}

fn follows_name(chars: &[char], at: usize) -> bool {
    at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_')
}

fn block_comment_length(rest: &[char]) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < rest.len() {
        match rest[at..] {
            ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn string_length(rest: &[char]) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// The length of `r"…"`, `br#"…"#` and the like, at the start of `rest`.
fn raw_string_length(rest: &[char]) -> Option<usize> {
    let prefix = rest.iter().take(2).take_while(|character| matches!(character, 'b' | 'c' | 'r')).count();
    if rest.get(prefix.checked_sub(1)?) != Some(&'r') {
        return None;
    }
    let hashes = rest[prefix..].iter().take_while(|&&character| character == '#').count();
    let open = prefix + hashes;
    if rest.get(open) != Some(&'"') {
        return None;
    }
    let body = &rest[open + 1..];
    let close = (0..body.len())
        .find(|&at| body[at] == '"' && body[at + 1..].iter().take_while(|&&next| next == '#').count() >= hashes);
    Some(close.map_or(rest.len(), |at| open + 1 + at + 1 + hashes))
}

/// The length of a character literal; nothing for a lifetime.
fn char_length(rest: &[char]) -> Option<usize> {
    match rest {
        ['\'', '\\', _, ..] => rest.iter().skip(3).position(|&character| character == '\'').map(|at| at + 4),
        ['\'', _, '\'', ..] => Some(3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divides_code_literals_and_comments() {
        // The text, and what of it is code, literal and comment, with blanks run together.
        let cases = [
            ("let a = \"b // c\"; // d", "let a = ;", "\"b // c\"", "// d"),
            ("a /* b /* c */ d */ e", "a e", "", "/* b /* c */ d */"),
            ("f(r#\"x \"y\" z\"#, b\"q\\\"r\")", "f( , b )", "r#\"x \"y\" z\"# \"q\\\"r\"", ""),
            ("fn f<'a>(x: &'a str) { '\"' }", "fn f<'a>(x: &'a str) { }", "'\"'", ""),
            ("'\\'' + '\\u{1f}' + x", "+ + x", "'\\'' '\\u{1f}'", ""),
            ("bar\"s\"", "bar", "\"s\"", ""),
        ];
        for (text, code, literals, comments) in cases {
            let parts = divide(text);
            let squeeze = |part: &str| part.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(squeeze(&parts.code), squeeze(code), "code of {text}");
            assert_eq!(squeeze(&parts.literals), squeeze(literals), "literals of {text}");
            assert_eq!(squeeze(&parts.comments), squeeze(comments), "comments of {text}");
        }
    }

    #[test]
    fn each_part_keeps_the_lines_of_the_file() {
        let text = "a // b\n\"c\nd\" /* e\nf */ g\n";
        let parts = divide(text);
        for part in [parts.code, parts.literals, parts.comments] {
            assert_eq!(part.lines().count(), text.lines().count());
        }
    }
}
