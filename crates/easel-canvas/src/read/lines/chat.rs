//! The marks of a chat: the hour and the name before what somebody wrote.
//!
//! They are taken away, the words stay. A text is only a chat where nearly every line has such a mark and names come again.

use std::collections::BTreeMap;

/// The words of a chat without its marks; `None` where a text is none.
pub fn strip(prompt: &str) -> Option<String> {
    let lines: Vec<&str> = prompt.lines().filter(|line| !line.trim().is_empty()).collect();
    let marked: Vec<(&str, &str)> = lines.iter().filter_map(|line| said_by(line)).collect();
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    marked.iter().for_each(|(name, _)| *names.entry(name).or_default() += 1);
    let have_two = names.len() >= 2 && names.values().filter(|count| **count >= 2).count() >= 2;
    // One person alone writes every line.
    let has_one = names.len() == 1 && marked.len() >= 5 && marked.len() == lines.len();
    let is_chat = marked.len() >= 4 && marked.len() * 5 >= lines.len() * 4 && (have_two || has_one);
    is_chat.then(|| {
        let words = prompt.lines().map(|line| said_by(line).map_or(line, |(_, words)| words));
        words.collect::<Vec<_>>().join("\n")
    })
}

/// “[14:02] Ana: see you there”, “12.05.26, 14:02 - Ana: see you there”: who said it, and what.
fn said_by(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let line = match line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((hour, rest)) if hour.chars().any(|letter| letter.is_ascii_digit()) => rest.trim_start(),
        _ => without_hour(line),
    };
    let (name, words) = line.split_once(": ")?;
    let is_name = (1..=2).contains(&name.split_whitespace().count())
        && name.split_whitespace().all(|word| word.chars().next().is_some_and(char::is_uppercase))
        && name.chars().all(|letter| letter.is_alphabetic() || letter == ' ');
    is_name.then_some((name, words.trim()))
}

/// A line without the day and the hour that it begins with.
fn without_hour(line: &str) -> &str {
    let mut rest = line;
    let mut has_hour = false;
    while let Some((word, behind)) = rest.split_once(' ') {
        let is_of_clock = word.starts_with(|first: char| first.is_ascii_digit())
            && word.chars().all(|letter| letter.is_ascii_digit() || matches!(letter, ':' | '.' | '/' | '-' | ','));
        let is_half = has_hour && matches!(word.trim_end_matches(',').to_lowercase().as_str(), "am" | "pm");
        let is_dash = has_hour && matches!(word, "-" | "–" | "—");
        if !is_of_clock && !is_half && !is_dash {
            break;
        }
        has_hour |= word.contains(':');
        rest = behind.trim_start();
    }
    if has_hour { rest } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_away_who_wrote_when() {
        let chat = "[9:01] Ana: poster for the weir\n[9:02] Bo: Weir Day\n[9:02] Ana: 3 May\n[9:03] Bo: free entry";
        assert_eq!(strip(chat).as_deref(), Some("poster for the weir\nWeir Day\n3 May\nfree entry"));
        let saved =
            "12.05.26, 14:02 - Ana: poster\n12.05.26, 14:02 - Bo: Weir Day\n14:03 Ana: 3 May\n2:03 pm Bo: free entry";
        assert_eq!(strip(saved).as_deref(), Some("poster\nWeir Day\n3 May\nfree entry"));
        assert_eq!(strip("Price: 3\nPlace: the weir\nTime: 8 pm\nDate: 3 May"), None);
    }
}
