//! “Q: May I park here?”, “A: Yes, behind the shed.”: questions and answers under each other with the letters of both.
//!
//! What holds: the letters go, a question has its answer behind it in one line, and no other word changes. Deliberately not
//! here: questions without such letters (`questions`).

/// The marks of a question and of its answer.
const MARKS: &[(&str, &str)] = &[
    ("Q: ", "A: "),
    ("Q. ", "A. "),
    ("F: ", "A: "),
    ("Frage: ", "Antwort: "),
    ("P: ", "R: "),
    ("D: ", "R: "),
    ("Question: ", "Answer: "),
];

/// The brief with each question and its answer on one line, where it has several of them.
pub fn as_lines(prompt: &str) -> Option<String> {
    let lines: Vec<&str> = prompt.lines().collect();
    let (asked, answered) = MARKS.iter().find(|(asked, answered)| {
        let pairs =
            lines.windows(2).filter(|pair| pair[0].trim().starts_with(asked) && pair[1].trim().starts_with(answered));
        pairs.count() >= 2
    })?;
    let mut told: Vec<String> = Vec::with_capacity(lines.len());
    for line in lines {
        let bare = line.trim();
        if let Some(question) = bare.strip_prefix(asked) {
            told.push(question.to_owned());
        } else if let (Some(answer), Some(last)) = (bare.strip_prefix(answered), told.last_mut()) {
            last.push(' ');
            last.push_str(answer);
        } else {
            told.push(line.to_owned());
        }
    }
    Some(told.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::as_lines;

    #[test]
    fn questions_have_their_answers_behind_them() {
        assert_eq!(
            as_lines("Poster\nQ: Who?\nA: All.\nQ: When?\nA: Now. Come in.").as_deref(),
            Some("Poster\nWho? All.\nWhen? Now. Come in.")
        );
        assert_eq!(as_lines("Q: Who?\nA: All."), None);
    }
}
