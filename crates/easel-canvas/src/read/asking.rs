//! Where in a brief it is asked for the thing: the sentence is taken out, and where its paragraph stands apart, what else
//! stands there is instructions unless it is surely a fact.

mod statement;

use super::amounts;
use super::asides;
use super::dates;
use super::instructions::{self, Clause};
use super::kinds::{self, Kind};
use super::lines::Line;
use super::maker;
use super::naming;
use super::reader::menu_items::begin_with_dishes;
use super::request::{self, Request};
use super::text;
use crate::document::Category;

/// The sentence that asks for the thing, taken out of the lines, and whether its paragraph stands apart from what the
/// thing shall say. Where it does, what else stands in that paragraph is instructions unless it is surely a fact.
pub fn take_request(lines: &mut [Line], category: Category) -> (Request, bool) {
    let Some(opening) = take_opening(lines) else {
        let (mut request, is_apart) = take_asking(lines, usize::MAX, category);
        if is_apart {
            take_more_asking(lines, &mut request, category);
        }
        return (request, is_apart);
    };
    // What follows such a paragraph is the thing itself; a line that is no more than a kind's name still names it.
    let (mut request, _) = take_asking(lines, 3, category);
    request.instructions = format!("{}, {}", opening.instructions, request.instructions);
    if request.title.is_empty() {
        request.title = opening.title;
        if request.kicker.is_empty() {
            request.kicker = opening.kicker;
        }
        request.details.extend(opening.details);
    }
    request.statements.splice(0..0, opening.statements);
    (request, true)
}

/// A second paragraph that asks, as behind the subject of a letter: what it wants is added to the request.
fn take_more_asking(lines: &mut [Line], request: &mut Request, category: Category) {
    let Some(at) = lines.iter().position(|line| !matches!(line, Line::Blank)) else { return };
    let Line::Text(words) = &lines[at] else { return };
    let asks = text::sentences(words).iter().any(|sentence| request::is_request(sentence));
    if !asks || !speaks_to_a_maker(words) {
        return;
    }
    let (more, is_apart) = take_asking(lines, usize::MAX, category);
    if !is_apart {
        request.content.extend(more.content);
    }
    request.kind = request.kind.or(more.kind);
    request.instructions = format!("{}, {}", request.instructions, more.instructions);
    if request.title.is_empty() || more.is_named && !request.is_named {
        request.title = more.title;
        request.is_named = more.is_named;
    }
}

/// The sentence that asks, of at most so many words, and whether it stands apart.
fn take_asking(lines: &mut [Line], most_words: usize, category: Category) -> (Request, bool) {
    let texts: Vec<usize> =
        (0..lines.len()).filter(|at| matches!(lines[*at], Line::Text(_) | Line::Heading(_))).collect();
    // At the beginning, where people ask, else at the end.
    let candidates: Vec<usize> = texts.iter().take(5).chain(texts.last()).copied().collect();
    for at in candidates {
        let (Line::Text(words) | Line::Heading(words)) = &lines[at] else { continue };
        let mut sentences = text::sentences(words);
        let asks = |sentence: &String| {
            sentence.split_whitespace().count() <= most_words
                && request::is_request(sentence)
                && !(category == Category::Diagram && is_step(sentence))
        };
        let is_part = |sentence: &String| texts.first() != Some(&at) && request::is_part(sentence);
        let Some(place) = sentences.iter().take(6).position(|sentence| asks(sentence) && !is_part(sentence)) else {
            continue;
        };
        let sentence = sentences.remove(place);
        let is_apart = stands_apart(lines, at);
        let mut read = request::read(&sentence, is_apart);
        // “Q2 retro for the support team. Max 5 slides”: what it is about stands before what it shall be.
        if is_apart
            && place > 0
            && read.title.is_empty()
            && text::clauses(&sentences[0]).len() <= 2
            && is_subject(&sentences[0])
            && naming::named_by(&sentences[0]).is_none()
        {
            let subject = request::read(&sentences.remove(0), true);
            (read.title, read.kicker, read.details) = (subject.title, subject.kicker, subject.details);
            // “Q2 review, Hill Ferries”: whose it is stands on the cover.
            read.details.extend(subject.content);
            read.instructions = format!("{}, {}", subject.instructions, read.instructions);
        }
        lines[at] = Line::Blank;
        keep_name(&sentence, most_words < usize::MAX, &mut read);
        if is_apart {
            let (from, to) = paragraph_around(lines, at);
            for line in &mut lines[from..to] {
                if let Line::Text(words) | Line::Heading(words) = line {
                    sentences.extend(text::sentences(words));
                    *line = Line::Blank;
                }
            }
            let mut kept = Vec::new();
            for sentence in sentences {
                if is_lead(&sentence) || asides::is_lead(&sentence) {
                    continue;
                }
                let is_list = text::label(&sentence)
                    .is_some_and(|(label, body)| text::items(body).len() >= 3 && !instructions::is_label(label));
                match instructions::judge_of_request(&sentence) {
                    Clause::Content(content) => kept.push(content),
                    Clause::Instruction if is_list || is_named(&sentence) || is_told(&sentence) => {
                        kept.push(sentence);
                    }
                    Clause::Instruction if statement::states(&sentence) => read.statements.push(sentence),
                    Clause::Instruction => {
                        read.instructions.push_str(", ");
                        read.instructions.push_str(&sentence);
                    }
                }
            }
            if !kept.is_empty() {
                lines[at] = Line::Text(as_text(&kept));
            }
        } else {
            // “our plans: Solo 9 € for one. Team 29 € for ten”: the first of several plans stands with the others.
            let is_plan =
                |words: &str| amounts::amounts(words).iter().filter(|amount| amount.is_price(words)).count() == 1;
            let is_first = read.kind == Some(Kind::Deck)
                && sentences.get(place).is_some_and(|next| is_plan(next))
                && matches!(read.content.as_slice(), [only] if is_plan(only) && text::sentences(only).len() == 1);
            if is_first && let Some(first) = read.content.pop() {
                sentences.insert(place, format!("{}.", first.trim_end_matches('.')));
            }
            let rest = sentences.join(" ");
            if !rest.is_empty() {
                lines[at] = Line::Text(rest);
            }
        }
        return (read, is_apart);
    }
    (Request::default(), false)
}

/// “then ticket is closed”: a sentence of a course that names a thing which is no drawing, and asks for none.
fn is_step(sentence: &str) -> bool {
    let named = kinds::all(sentence);
    !named.is_empty()
        && named.iter().all(|named| {
            matches!(
                named.kind,
                Kind::Card | Kind::Certificate | Kind::Invitation | Kind::Menu | Kind::Document | Kind::OnePager
            )
        })
        && (sentence.contains("->")
            || sentence.contains('→')
            || sentence.trim_end().ends_with('?') && !maker::asks(sentence)
            || text::words(sentence).iter().any(|word| is_of_course(word)))
}

/// Words of sentences that tell what happens.
fn is_of_course(word: &str) -> bool {
    matches!(
        word,
        "then"
            | "if"
            | "is"
            | "are"
            | "gets"
            | "goes"
            | "dann"
            | "wenn"
            | "falls"
            | "wird"
            | "geht"
            | "sonst"
            | "otherwise"
            | "else"
    )
}

/// Sentences as one text, each with one mark at its end.
fn as_text(sentences: &[String]) -> String {
    let mut text = String::new();
    for sentence in sentences {
        if !text.is_empty() {
            text.push_str(if text.ends_with(['.', '!', '?', '…', '。', '！', '？', ':']) { " " } else { ". " });
        }
        text.push_str(sentence.trim());
    }
    text
}

/// Whether a sentence says what the thing is called: in words, or behind a label of the title.
fn is_named(sentence: &str) -> bool {
    naming::named_by(sentence).is_some()
        || text::label(sentence).is_some_and(|(label, body)| naming::is_title_label(label) && !body.is_empty())
}

/// “absent: Chris”: a label that is none of a wish, and a name or a number behind it.
fn is_told(sentence: &str) -> bool {
    let is_name = |word: &str| word.chars().next().is_some_and(|first| first.is_uppercase() || first.is_ascii_digit());
    matches!(instructions::judge_spoken(sentence), Clause::Content(_))
        && text::label(sentence).is_some_and(|(label, body)| {
            label.split_whitespace().count() <= 2
                && !instructions::is_label(label)
                && body.split_whitespace().next().is_some_and(is_name)
        })
}

/// Whether a line is the name of a kind that stands on things of that kind.
fn says_itself(line: &str, kind: Option<Kind>) -> bool {
    matches!(
        kind,
        Some(Kind::Document | Kind::OnePager | Kind::Certificate | Kind::Invitation | Kind::Card | Kind::Menu)
    ) && line.chars().next().is_some_and(char::is_uppercase)
}

/// Keeps the name of a kind that stands on things of that kind above the title: “PRESS RELEASE” under a paragraph that asks,
/// “Save the date / Bitte vormerken”.
fn keep_name(sentence: &str, is_under_opening: bool, request: &mut Request) {
    let is_twice = is_said_twice(sentence);
    if !(is_under_opening || is_twice) || !says_itself(sentence, request.kind) {
        return;
    }
    request.kicker = text::capitalize(sentence.trim());
    if is_twice {
        request.title.clear();
    }
}

/// “Save the date / Bitte vormerken”: the name of a kind, and behind a bar the same in another language.
fn is_said_twice(line: &str) -> bool {
    matches!(text::by_bar(line).as_slice(), [kind, other]
        if kinds::is_name(kind) && other.starts_with(char::is_uppercase) && other.split_whitespace().count() <= 3)
}

/// A first paragraph that names no kind of thing and still speaks to whoever makes it: it stands apart, and says how the
/// thing shall look.
fn take_opening(lines: &mut [Line]) -> Option<Request> {
    let at = lines.iter().position(|line| !matches!(line, Line::Blank))?;
    let (Line::Text(words) | Line::Heading(words)) = &lines[at] else { return None };
    let asks = text::sentences(words).iter().any(|sentence| request::is_request(sentence));
    if asks || !stands_apart(lines, at) || !speaks_to_a_maker(words) {
        return None;
    }
    let mut request = Request::default();
    let sentences = text::sentences(words);
    lines[at] = Line::Blank;
    let (mut kept, mut told) = (Vec::new(), Vec::new());
    for (place, sentence) in sentences.iter().enumerate() {
        if is_named(sentence) {
            kept.push(sentence.clone());
            continue;
        }
        if place > 0 && statement::states(sentence) {
            told.push(sentence.clone());
            continue;
        }
        for (at, clause) in text::clauses(sentence).into_iter().enumerate() {
            // The first words may be the subject: “quarterly review Q2 for Maple Dental, light”.
            if place == 0 && at == 0 && is_subject(&clause) {
                let read = request::read(&clause, true);
                request.title = read.title;
                request.kicker = read.kicker;
                request.details = read.details;
                request.is_named = false;
                continue;
            }
            match instructions::judge_of_request(&clause) {
                Clause::Content(content) => kept.push(content),
                Clause::Instruction => {
                    request.instructions.push_str(", ");
                    request.instructions.push_str(&clause);
                }
            }
        }
    }
    if !kept.is_empty() {
        lines[at] = Line::Text(kept.join(", "));
    }
    request.statements = told;
    Some(request)
}

/// Whether the first words of an opening may be what the thing is about: not a wish, and no talk.
fn is_subject(clause: &str) -> bool {
    let lower = clause.to_lowercase();
    let words = text::words(clause);
    let first = words.first().map_or("", String::as_str);
    let is_talk = [
        "nicer",
        "better",
        "prettier",
        "just",
        "only",
        "like",
        "something",
        "anything",
        "same",
        "here",
        "hope",
        "this",
        "these",
        "it",
        "i",
        "we",
        "you",
        "ich",
        "wir",
        "je",
        "nous",
    ]
    .contains(&first);
    // “Q2 retro”: behind a stretch of time a word of style is a thing.
    let is_of_time = dates::is_period(first) && first.chars().any(|letter| letter.is_ascii_digit());
    words.len() >= 2
        && words.len() <= 10
        && !is_talk
        && matches!(instructions::judge_spoken(clause), Clause::Content(_))
        && !words.iter().any(|word| instructions::is_sheet(word) || instructions::is_style(word) && !is_of_time)
        && crate::brief::size_of_label(&lower).is_none()
        && !lower.contains(" + ")
}

/// Whether a line is talk about the thing: a clause is an instruction, beside others or in a line that begins small. That a
/// line begins small is not enough: many people write everything small.
fn speaks_to_a_maker(words: &str) -> bool {
    let clauses = clauses_of(words);
    let is_instructed = clauses.iter().any(|clause| {
        matches!(instructions::judge_spoken(clause), Clause::Instruction)
            || text::words(clause).iter().any(|word| instructions::is_sheet(word))
                && clause.split_whitespace().count() <= 8
    });
    let begins_small = words.chars().next().is_some_and(char::is_lowercase);
    is_instructed && (clauses.len() > 1 || begins_small)
}

fn clauses_of(words: &str) -> Vec<String> {
    text::sentences(words).iter().flat_map(|sentence| text::clauses(sentence)).collect()
}

/// A first line of which half is instructions is a paragraph of its own, though no empty line follows it.
pub fn set_apart_opening(lines: &mut Vec<Line>) {
    let Some(at) = lines.iter().position(|line| !matches!(line, Line::Blank)) else { return };
    let Line::Text(words) = &lines[at] else { return };
    let clauses = clauses_of(words);
    let instructed = clauses
        .iter()
        .filter(|clause| {
            matches!(instructions::judge_spoken(clause), Clause::Instruction)
                || request::is_request(clause) && matches!(instructions::judge_of_request(clause), Clause::Instruction)
        })
        .count();
    let is_followed = matches!(lines.get(at + 1), Some(Line::Text(_) | Line::Heading(_)));
    if is_followed && clauses.len() >= 2 && instructed * 2 >= clauses.len() && !words.ends_with([':', '：']) {
        // “Plakat A3: Azubi gesucht! Dachdeckerei Wulf bildet aus.”: what follows the wishes in their line is said.
        let sentences = text::sentences(words);
        let last = sentences.iter().rposition(|sentence| {
            request::is_request(sentence)
                || maker::speaks(sentence)
                || clauses_of(sentence)
                    .iter()
                    .any(|clause| matches!(instructions::judge_spoken(clause), Clause::Instruction))
        });
        let behind = sentences[last.map_or(sentences.len(), |last| last + 1)..].join(" ");
        let is_told = behind.split_whitespace().count() >= 5 && !is_lead(&behind);
        if is_told {
            let before = sentences[..last.map_or(0, |last| last + 1)].join(" ");
            lines[at] = Line::Text(before);
            lines.insert(at + 1, Line::Text(behind));
        }
        lines.insert(at + 1, Line::Blank);
    }
}

/// “Text:”, “see below:” lead to what follows and say nothing.
fn is_lead(sentence: &str) -> bool {
    sentence.trim_end().ends_with(':') && sentence.split_whitespace().count() <= 3
}

/// A diagram counts as so many words of what the thing says.
const NOTED_WORDS: usize = 20;

/// Where the paragraph of a line begins and ends.
fn paragraph_around(lines: &[Line], at: usize) -> (usize, usize) {
    let is_part = |line: &Line| matches!(line, Line::Text(_) | Line::Heading(_));
    let mut from = at;
    while from > 0 && is_part(&lines[from - 1]) {
        from -= 1;
    }
    let mut to = at + 1;
    while to < lines.len() && is_part(&lines[to]) {
        to += 1;
    }
    (from, to)
}

/// Whether a paragraph of its own asks, and others say what the thing shall say.
fn stands_apart(lines: &[Line], at: usize) -> bool {
    let (from, to) = paragraph_around(lines, at);
    let is_brief = to - from <= 3;
    let is_bounded = matches!(lines.get(to), Some(Line::Blank | Line::Item(..) | Line::Marked(_) | Line::Drawn(_)))
        || to == lines.len() && from > 0 && matches!(lines[from - 1], Line::Blank);
    let others = lines
        .iter()
        .enumerate()
        .filter(|(place, line)| (*place < from || *place >= to) && !matches!(line, Line::Blank))
        .count();
    let words: usize = lines
        .iter()
        .enumerate()
        .filter(|(place, _)| *place < from || *place >= to)
        .map(|(_, line)| match line {
            Line::Text(words)
            | Line::Heading(words)
            | Line::Item(_, words)
            | Line::Nested(_, words)
            | Line::Marked(words) => words.split_whitespace().count(),
            Line::Drawn(_) => NOTED_WORDS,
            Line::Blank => 0,
        })
        .sum();
    is_brief && is_bounded && (others >= 2 || words >= 8)
}

/// What stands below a request has its own title where the request names none by a name of its own, or names the same.
pub fn settle_title(request: &mut Request, lines: &[Line], is_paged: bool) {
    let first = lines.iter().find(|line| !matches!(line, Line::Blank));
    let Some(Line::Text(words) | Line::Heading(words)) = first else { return };
    let is_heading = matches!(first, Some(Line::Heading(_)));
    let is_short = words.chars().count() <= 70 && text::sentences(words).len() <= 2;
    let is_plain = is_heading || naming::is_title(words);
    let titled = text::label(words).is_some_and(|(label, body)| {
        naming::is_title_label(label) && !body.is_empty() || super::parts::is_cover(label)
    });
    let repeats = {
        let own = text::words(words);
        !request.title.is_empty() && text::words(&request.title).iter().all(|word| own.contains(word))
    };
    let is_menu = request.kind == Some(Kind::Menu);
    if is_menu && !request.title.is_empty() && begin_with_dishes(lines) {
        return;
    }
    // “House rules for the corridor, A3 poster”, and under it the rules: none of them names the others.
    if naming::names_rules(&request.title) && !is_heading && !titled {
        return;
    }
    if is_heading
        && !request.title.is_empty()
        && !repeats
        && (heads_a_section(lines, is_paged || is_menu) || is_one_question(lines))
    {
        return;
    }
    if (!request.is_named || repeats) && ((is_short && is_plain) || titled) {
        let subject = std::mem::take(&mut request.title);
        if request.is_occasion && request.kicker.is_empty() && !repeats {
            request.kicker.clone_from(&subject);
        }
        request.instructions.push_str(", ");
        request.instructions.push_str(&subject);
        request.subtitle.clear();
    }
}

/// Whether the first heading is one of several questions, each with its answer.
fn is_one_question(lines: &[Line]) -> bool {
    let mut questions = lines.iter().filter_map(|line| match line {
        Line::Heading(words) => Some(words.ends_with('?')),
        _ => None,
    });
    questions.next() == Some(true) && questions.any(|is_question| is_question)
}

/// Whether the first heading is none of the whole, but one of several: a list stands under it, or on pages no less than under
/// one of the others. Under a title stands nothing, or a line that says more.
fn heads_a_section(lines: &[Line], is_paged: bool) -> bool {
    let mut sections: Vec<(usize, bool)> = Vec::new();
    for line in lines {
        match (line, sections.last_mut()) {
            (Line::Heading(_), _) => sections.push((0, false)),
            (Line::Blank, _) | (_, None) => {}
            (line, Some((count, is_listed))) => {
                *is_listed |= *count == 0 && matches!(line, Line::Item(..));
                *count += 1;
            }
        }
    }
    let [(first, is_listed), others @ ..] = sections.as_slice() else { return false };
    let least = others.iter().map(|(count, _)| *count).filter(|count| *count > 0).min();
    *is_listed && !others.is_empty() || is_paged && *first > 0 && least.is_some_and(|least| *first >= least)
}

#[cfg(test)]
mod tests {
    use crate::content::Matter;
    use crate::document::Category;
    use crate::read::read;

    #[test]
    fn a_paragraph_that_speaks_to_a_maker_is_no_content() {
        for (opening, rest) in [
            (
                "typographic, no pictures, A1 for the entrance",
                "\n\nTides of Change\nPublic talks by the harbour school",
            ),
            (
                "plain and quiet please, leave room for a stamp",
                "\n\nTides of Change\nPublic talks by the harbour school",
            ),
            ("square, bold, no photos", "\nTides of Change\nPublic talks by the harbour school\nFree entry"),
        ] {
            let reading = read(&format!("{opening}{rest}"), Category::Other);
            assert_eq!(reading.title, "Tides of Change", "{opening}");
            assert!(!format!("{:?} {:?}", reading.details, reading.parts).contains("no p"), "{opening}");
        }
    }

    #[test]
    fn a_title_that_stands_first_stays_one() {
        let reading =
            read("Tides of Change\n\nPublic talks by the harbour school, every Monday at 18:00", Category::Other);
        assert_eq!(reading.title, "Tides of Change");
    }

    #[test]
    fn a_farewell_with_its_name_is_no_content() {
        let reading = read("Poster for the Tide Fair\n\nBring boots and a bucket.\n\nRegards, Greta", Category::Other);
        assert!(!format!("{reading:?}").contains("Greta"));
    }

    #[test]
    fn courses_and_drinks_without_prices_are_dishes() {
        let reading = read(
            "menu, soft green\n\nAda & Tom\n\nTo start\nBeetroot, rye\n\nMain\nSlow lamb, beans\n\nGarden Spritz\ncucumber, verjus, soda",
            Category::Other,
        );
        let groups = reading.parts.iter().flat_map(|part| &part.matters).filter_map(|matter| match matter {
            Matter::Menu { groups, .. } => Some(groups),
            _ => None,
        });
        let items: Vec<String> = groups
            .flatten()
            .flat_map(|group| &group.items)
            .map(|item| format!("{}|{}", item.name, item.note))
            .collect();
        assert_eq!(items, ["Beetroot, rye|", "Slow lamb, beans|", "Garden Spritz|cucumber, verjus, soda"]);
    }
}
