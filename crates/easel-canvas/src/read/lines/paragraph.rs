//! A brief typed in one breath: where in a paragraph the items of a numbered list and sentences with labels begin.
//!
//! What holds: line ends are added, and full stops behind numbers that have no mark; nothing else is changed, and only where
//! several marks of one sort are in one paragraph. Deliberately not here: what the lines then are (`lines`), and labels within a sentence.

use crate::read::{dates, narrated, parts, text};

/// A paragraph of fewer letters is no list.
const LEAST_LETTERS: usize = 60;

/// A label has at most so many words, so many letters.
const LABEL: (usize, usize) = (4, 36);

/// The brief with a line for each item and each label, where it has paragraphs with such.
pub fn divide(prompt: &str) -> Option<String> {
    let is_alone = prompt.lines().filter(|line| !line.trim().is_empty()).count() == 1;
    let mut divided = String::with_capacity(prompt.len() + 16);
    let mut is_divided = false;
    for (at, line) in prompt.lines().enumerate() {
        if at > 0 {
            divided.push('\n');
        }
        let breaks = breaks_of(line, is_alone);
        is_divided |= !breaks.is_empty();
        let bare = bare_numbers_of(line);
        let pages = pages_of(line);
        let mut from = 0;
        for end in breaks.into_iter().chain([line.len()]) {
            if from > 0 {
                divided.push('\n');
            }
            let piece = &line[from..end];
            if let Some(page) = Some(piece).filter(|_| pages.contains(&from)).and_then(with_colon) {
                divided.push_str(page.trim_end_matches([' ', ';', ',']));
                from = end;
                continue;
            }
            match piece.split_once(' ').filter(|_| bare.contains(&from)) {
                Some((number, rest)) => divided.push_str(&format!("{number}. {}", rest.trim_end_matches([' ', ';']))),
                None if end == line.len() => divided.push_str(piece),
                None => divided.push_str(piece.trim_end_matches([' ', ';', ','])),
            }
            from = end;
        }
    }
    is_divided.then_some(divided)
}

/// Where a paragraph is divided, in bytes from its beginning.
fn breaks_of(line: &str, is_alone: bool) -> Vec<usize> {
    if line.chars().count() < LEAST_LETTERS || line.contains(['|', '→']) || line.contains("->") {
        return Vec::new();
    }
    let numbers = numbers_of(line);
    let mut breaks = pages_of(line);
    if breaks.is_empty() {
        breaks = if numbers.is_empty() { labels_of(line, is_alone) } else { numbers };
    }
    if breaks.is_empty() {
        breaks = days_of(line);
    }
    let Some(last) = breaks.last().copied() else { return breaks };
    // What follows a list of single sentences is none of it: “… 6) thanks + questions. Keep it friendly.”
    let are_single = breaks.windows(2).all(|pair| text::sentences(&line[pair[0]..pair[1]]).len() == 1);
    let sentences = text::sentences(&line[last..]);
    if let Some(next) = sentences.get(1).filter(|_| are_single)
        && let Some(at) = line[last..].find(next.as_str()).filter(|at| *at > 0)
    {
        breaks.push(last + at);
    }
    // “… 5. Keep moving. last card: save this”: a page that is told by its place.
    let mut from = last;
    for sentence in &sentences {
        let Some(at) = line[from..].find(sentence.as_str()).map(|at| from + at) else { break };
        if at > last && text::label(sentence).is_some_and(|(label, _)| parts::is_place(label)) && !breaks.contains(&at)
        {
            breaks.push(at);
        }
        from = at;
    }
    breaks.retain(|at| *at > 0);
    breaks
}

/// Where the items of a list begin that is numbered within a paragraph, from 1 on and with one mark: “1) … 2) …”, “1. … 2. …”.
fn numbers_of(line: &str) -> Vec<usize> {
    for (mark, least) in [(')', 2), ('.', 3)] {
        let mut places = Vec::new();
        let mut from = 0;
        loop {
            let wanted = format!("{}{mark} ", places.len() + 1);
            let Some(found) = line[from..].find(&wanted).map(|found| from + found) else { break };
            from = found + wanted.len();
            let before = line[..found].chars().next_back();
            let is_word = before.is_none_or(char::is_whitespace);
            let rest = line[found + wanted.len()..].trim_start();
            let is_item = rest.chars().next().is_some_and(|first| mark == ')' || !first.is_ascii_digit());
            if is_word && is_item && !dates::begins_with_date(&line[found..]) {
                places.push(found);
            }
        }
        if places.len() >= least {
            return places;
        }
    }
    bare_numbers_of(line)
}

/// Where pages begin that are told by their numbers from 1 on: “frame 1 your bike squeaks? frame 2 the fix”.
fn pages_of(line: &str) -> Vec<usize> {
    const WITHIN: &[&str] =
        &["on", "of", "in", "see", "from", "to", "auf", "von", "in", "aus", "sur", "en", "su", "per", "the", "and"];
    let words: Vec<(usize, &str)> = dates::split_words(line);
    let lower = |word: &str| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    let mut places: Vec<usize> = Vec::new();
    for at in 1..words.len() {
        let is_next = lower(words[at].1) == (places.len() + 1).to_string();
        let (place, page) = words[at - 1];
        let is_page = narrated::is_page(&lower(page)) && page.chars().all(char::is_alphabetic);
        let is_within = at >= 2 && WITHIN.contains(&lower(words[at - 2].1).as_str());
        if is_next && is_page && !is_within && at + 1 < words.len() {
            places.push(place);
        }
    }
    if places.len() >= 2 { places } else { Vec::new() }
}

/// “frame 2 the fix” with the colon that stands behind the number of a page.
fn with_colon(piece: &str) -> Option<String> {
    let mut words = piece.splitn(3, ' ');
    let (page, number, rest) = (words.next()?, words.next()?, words.next()?);
    let bare = number.trim_end_matches([':', ',', '.', ')', ';']);
    let rest = rest.trim_start_matches([':', '–', '-', '—', '=', ' ']);
    // “Slide 4 – Costs: …” has its name behind its place.
    let is_marked = number.ends_with(':') || text::has_dash(piece.split_once(':').map_or("", |(head, _)| head));
    (!is_marked).then(|| format!("{page} {bare}: {rest}"))
}

/// Where things begin that are numbered from 1 on without a mark: “1 say it on a call 2 give notice 3 thank the team”. Every
/// number stands alone before a word, and each but the first behind one that does not count.
fn bare_numbers_of(line: &str) -> Vec<usize> {
    let words: Vec<(usize, &str)> = dates::split_words(line);
    let mut places: Vec<usize> = Vec::new();
    let mut last = 0;
    for (at, (place, word)) in words.iter().enumerate() {
        let is_next = *word == (places.len() + 1).to_string();
        let leads = words.get(at + 1).is_some_and(|(_, next)| next.chars().next().is_some_and(char::is_alphabetic));
        let before = at.checked_sub(1).map_or("", |at| words[at].1);
        let is_counted = before.ends_with(',')
            || dates::is_month(before)
            || matches!(before, "of" | "at" | "from" | "to" | "and" | "or" | "day" | "room" | "no" | "nr");
        if is_next && leads && !is_counted && (places.is_empty() || at >= last + 3) {
            places.push(*place);
            last = at;
        }
    }
    if places.len() >= 4 { places } else { Vec::new() }
}

/// Whether words may be several things that a number before them counts: “carrots”, “große Möhren”.
pub fn is_after_count(words: &str) -> bool {
    let of_thing = words.split([',', '(', '–', ':']).next().unwrap_or_default().trim().to_lowercase();
    let is_several = |word: &str| ["s", "en", "er", "ern", "eln", "e", "x"].iter().any(|end| word.ends_with(end));
    // “2 adults £9”: a price behind it is none of it.
    let words: Vec<&str> = of_thing.split_whitespace().filter(|word| word.starts_with(char::is_alphabetic)).collect();
    words.len() <= 3 && words.last().is_some_and(|last| is_several(last))
}

/// Where sentences with labels begin: “… Numbers: … Product: …”. A label may also follow the colon of what is asked for.
fn labels_of(line: &str, is_alone: bool) -> Vec<usize> {
    let mut places = Vec::new();
    let mut from = 0;
    for (colon, _) in line.match_indices(": ") {
        let begin = begin_of_label(&line[..colon], from);
        from = colon + 2;
        if begin > 0 && is_label(&line[begin..colon]) {
            places.push(begin);
        }
    }
    if places.len() >= if is_alone { 2 } else { 3 } { places } else { Vec::new() }
}

/// Where days and hours begin that have a dash behind them and then what happens: “Mon – yoga 18:00, Tue – choir, Fri – chess”.
fn days_of(line: &str) -> Vec<usize> {
    for dash in text::DASHES {
        let mut places = Vec::new();
        for (at, _) in line.match_indices(dash) {
            let mark = [", ", ": "].iter().filter_map(|mark| line[..at].rfind(mark).map(|at| at + mark.len())).max();
            let begin = begin_of_label(&line[..at], mark.unwrap_or(0));
            let told = line[at + dash.len()..].split_whitespace().next().unwrap_or_default();
            // “Mon – Fri 9–18” is a stretch of days.
            let is_told = told.starts_with(char::is_alphabetic) && !dates::is_weekday(told);
            if begin > 0 && begin < at && is_told && is_moment(&line[begin..at]) {
                places.push(begin);
            }
        }
        if places.len() >= 3 {
            return places;
        }
    }
    Vec::new()
}

/// Whether words are a day or an hour and nothing else.
fn is_moment(words: &str) -> bool {
    words.split_whitespace().count() <= 3 && (dates::is_period(words) || dates::first_moment(words) == Some(0))
}

/// Where what stands before a colon begins: behind the last end of a sentence, or behind the colon before it.
fn begin_of_label(before: &str, colon: usize) -> usize {
    let ends = [". ", "! ", "? ", "; ", ".) ", "。"];
    let sentence = ends.iter().filter_map(|end| before.rfind(end).map(|at| at + end.len())).max().unwrap_or(0);
    let begin = sentence.max(colon);
    begin + before[begin..].len() - before[begin..].trim_start().len()
}

fn is_label(words: &str) -> bool {
    let count = words.split_whitespace().count();
    (1..=LABEL.0).contains(&count)
        && words.chars().count() <= LABEL.1
        && !words.contains([',', '(', ')', '"', '“', '„', '@', '/'])
        && words.chars().next().is_some_and(|first| first.is_uppercase() || first.is_ascii_digit())
        && words.split_whitespace().next().is_none_or(|first| !dates::is_month(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_numbered_paragraph_has_a_line_for_each_item() {
        let divided = divide(
            "A deck for Monday. 1) where we are: 212 customers, churn 2.1%. 2) hiring: two engineers by May. 3) thanks. Keep it short.",
        );
        assert_eq!(
            divided.as_deref(),
            Some(
                "A deck for Monday.\n1) where we are: 212 customers, churn 2.1%.\n2) hiring: two engineers by May.\n3) thanks.\nKeep it short."
            )
        );
    }

    #[test]
    fn sentences_with_labels_have_lines_of_their_own() {
        let divided = divide(
            "Menu for Friday. Starters: carpaccio 9, smoked trout 12. Mains: lamb 24, pie 19. Dessert: posset 8. Bring cash.",
        );
        assert_eq!(
            divided.as_deref(),
            Some(
                "Menu for Friday.\nStarters: carpaccio 9, smoked trout 12.\nMains: lamb 24, pie 19.\nDessert: posset 8.\nBring cash."
            )
        );
        assert_eq!(
            divide("Checklist for moving: 8 weeks before: give notice, book movers. 1 week before: pack a bag. Moving day: keys.")
                .as_deref(),
            Some(
                "Checklist for moving:\n8 weeks before: give notice, book movers.\n1 week before: pack a bag.\nMoving day: keys."
            )
        );
    }

    #[test]
    fn numbers_without_a_mark_begin_lines_too() {
        let divided =
            divide("carousel for the club. 1 say it on a call 2 give notice early 3 thank the whole team 4 rest well");
        assert_eq!(
            divided.as_deref(),
            Some(
                "carousel for the club.\n1. say it on a call\n2. give notice early\n3. thank the whole team\n4. rest well"
            )
        );
        for prompt in [
            "Poster: 1 day, 2 stages, 3 bands and 4 food trucks on the meadow behind the old mill in Whitby.",
            "We went from 1 shop to 2 shops in 2019 and now we run 3 shops and 4 vans in the whole of the county.",
        ] {
            assert_eq!(divide(prompt), None, "{prompt}");
        }
    }

    #[test]
    fn days_with_dashes_have_lines_of_their_own() {
        assert_eq!(
            divide(
                "Poster for the hall. Mon – beginners 18:00, Wed – sparring 19:30, Fri – open gym. First hour free."
            )
            .as_deref(),
            Some(
                "Poster for the hall.\nMon – beginners 18:00\nWed – sparring 19:30\nFri – open gym.\nFirst hour free."
            )
        );
    }

    #[test]
    fn what_is_no_list_stays_one_paragraph() {
        for prompt in [
            "Flyer for the shop. Open Mon – Fri 9–18, Sat – Sun 10–16, and on holidays until noon, as long as we have bread.",
            "Poster: summer fair on 12 May at 3:30 pm, with games for children and cake for all who come.",
            "We met on 1. Mai and on 2. Juni and again on 3. Juli to speak about the garden of the school.",
            "Invitation to dinner. Dress code: festive. Come at eight, and bring somebody whom you like a lot.",
        ] {
            assert_eq!(divide(prompt), None, "{prompt}");
        }
    }
}
