//! Subfolders that a person leaves out of a synced folder, written among its patterns.
//!
//! Always true: each is one line that matches that folder alone. These lines come after the person's own patterns, so
//! that they decide, and the numbers of the lines before them stay; [`split`] reads what [`join`] wrote. Not here: the
//! effect of patterns (easel-sync, `ignored`), and which subfolders there are ([`super::subfolders`]).

use easel_sync::tree;

/// What a pattern takes for more than the letter itself.
const SIGNS: &[char] = &['\\', '*', '?', '[', ']', '{', '}'];

/// Whether a folder of this name can be written as a line. A line has no line ends, and what stands before its last
/// stroke must be no escape.
pub(super) fn can_be_written(name: &str) -> bool {
    !name.is_empty() && !name.contains(['\n', '\r']) && !name.ends_with('\\')
}

/// The patterns with a line for each subfolder, by its path below the synced folder. One that lies in another needs
/// none.
pub(super) fn join(own: &str, left_out: &[String]) -> String {
    let mut paths: Vec<&str> =
        left_out.iter().map(String::as_str).filter(|path| path.split('/').all(can_be_written)).collect();
    paths.sort_unstable_by_key(|path| path.split('/').collect::<Vec<_>>());
    let mut text = own.to_owned();
    let mut last = None;
    for path in paths {
        if last.is_some_and(|last| path == last || tree::is_below(path, last)) {
            continue;
        }
        last = Some(path);
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&line_of(path));
    }
    text
}

/// The person's own patterns, and the subfolders of the lines after them.
pub(super) fn split(patterns: &str) -> (String, Vec<String>) {
    let lines: Vec<&str> = patterns.lines().collect();
    let mut left_out: Vec<String> = lines.iter().rev().map_while(|line| folder_of(line)).collect();
    left_out.reverse();
    let own = &lines[..lines.len() - left_out.len()];
    (own.join("\n"), left_out)
}

fn line_of(path: &str) -> String {
    let mut line = String::with_capacity(path.len() + 2);
    line.push('/');
    for letter in path.chars() {
        if SIGNS.contains(&letter) {
            line.push('\\');
        }
        line.push(letter);
    }
    line.push('/');
    line
}

/// The folder that a line leaves out, if [`line_of`] wrote the line.
fn folder_of(line: &str) -> Option<String> {
    let escaped = line.strip_prefix('/')?.strip_suffix('/')?;
    let mut path = String::with_capacity(escaped.len());
    let mut letters = escaped.chars();
    while let Some(letter) = letters.next() {
        path.push(if letter == '\\' { letters.next()? } else { letter });
    }
    (path.split('/').all(can_be_written) && line_of(&path) == line).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use easel_sync::ignored::Rules;
    use proptest::prelude::*;

    fn strings(given: &[&str]) -> Vec<String> {
        given.iter().map(|&one| one.to_owned()).collect()
    }

    #[test]
    fn the_patterns_of_a_person_and_the_subfolders_come_apart_again() {
        let check = |own: &str, left_out: &[&str], text: &str| {
            let left_out = strings(left_out);
            assert_eq!(join(own, &left_out), text);
            assert_eq!(split(text), (own.trim_end_matches('\n').to_owned(), left_out));
        };
        check("", &[], "");
        check("*.tmp", &[], "*.tmp");
        check("", &["raw"], "/raw/");
        check("*.tmp\nold/", &["Shoot/raw", "raw"], "*.tmp\nold/\n/Shoot/raw/\n/raw/");
        check("*.tmp\n", &["a [1]*"], "*.tmp\n/a \\[1\\]\\*/");
        // What a person wrote in the same form, before something else, is theirs.
        check("/raw/\n!/raw/", &["b"], "/raw/\n!/raw/\n/b/");
        // Both with wildcards: patterns, and no folders.
        check("/a*/\n/{b,c}/", &[], "/a*/\n/{b,c}/");
    }

    #[test]
    fn a_folder_in_one_that_is_left_out_needs_no_line_and_one_that_cannot_be_written_has_none() {
        let left_out = strings(&["a/b", "a", "a b", "a", "with\nend", "ends\\", "", "c//d"]);
        assert_eq!(join("", &left_out), "/a/\n/a b/");
    }

    proptest! {
        #[test]
        fn a_line_leaves_out_its_folder_and_no_other(name in r"[a-c*?\[\]{}!#,.^ -]{1,6}", other in r"[a-c*?\[\]{}!#,.^ -]{1,6}") {
            let rules = Rules::new(&join("", std::slice::from_ref(&name)));
            let by_default = Rules::new("");
            prop_assert!(rules.is_ignored(&name, true), "{name:?}");
            let inside = format!("{name}/x/y.png");
            prop_assert!(rules.is_ignored(&inside, false));
            prop_assert_eq!(rules.is_ignored(&name, false), by_default.is_ignored(&name, false), "a file is none");
            let below = format!("x/{name}");
            prop_assert_eq!(rules.is_ignored(&below, true), by_default.is_ignored(&below, true), "elsewhere");
            if other != name {
                prop_assert_eq!(rules.is_ignored(&other, true), by_default.is_ignored(&other, true), "{}", other);
            }
        }
    }
}
