//! The sentence that asks for the thing: what it is, what it is about, and what is said of it in passing.
//!
//! “Pitch deck for Loopwise, a route planner for bakeries, 8 slides, dark” is a deck, called Loopwise, with a line under
//! its title and two instructions.

mod asked;
mod beside;
mod counted;
mod record;
mod rooms;
mod said;
mod subject;
mod wording;

use super::amounts;
use super::dates;
use super::instructions::{self, Clause};
use super::kinds::{self, Kind};
use super::naming;
use super::text;
use super::vocabulary::ASKING;
pub use beside::says_who;
use beside::{
    begins_contracted, ends_regarding, hands_over, is_given, is_meeting, is_name_like, is_of_sheet, is_of_time,
    is_refused, names_subject, names_tone, page_limit, refuses_motif, titled_before,
};
use counted::pages_about;
pub use record::Request;
use record::{add, add_some};
use rooms::is_for_room;
use subject::read_subject;
use wording::{
    compound_start, cut_instructions, is_pronoun, is_use, occasion_of, strip_about, strip_asking, strip_called,
    strip_form_label, strip_medium, strip_shown, strip_wishes,
};

/// Verbs of drawing.
#[rustfmt::skip]
const DRAWING: &[&str] = &[
    "create", "design", "draw", "generate", "erstelle", "entwirf", "gestalte", "crea", "diseña", "crée", "dessine", "создай", "нарисуй",
];

/// Whether a sentence asks for a thing: it names a kind near its beginning or begins as people ask.
pub fn is_request(sentence: &str) -> bool {
    let sentence = strip_form_label(sentence);
    // A remark in brackets asks for nothing.
    if sentence.trim_start().starts_with('(') {
        return false;
    }
    let lower = sentence.trim().to_lowercase();
    if kinds::tells_of_itself(&lower) {
        return false;
    }
    if titled_before(sentence).is_some() || pages_about(sentence).is_some() {
        return true;
    }
    let head = head_of(sentence).0;
    let named = kinds::find(head).filter(|named| !is_refused(&lower, named.start)).filter(|named| {
        let from = super::maker::wanted_from(&head.to_lowercase()).filter(|from| *from <= named.start).unwrap_or(0);
        head.get(from..named.start)
            .or(head.get(..named.start))
            .is_some_and(|before| before.split_whitespace().count() <= 9)
    });
    let asks = ASKING.iter().any(|ask| ask.len() > 3 && text::strip_start(&lower, ask).is_some());
    // “The water cycle for year 5, friendly colours: …”: wishes stand before the colon.
    let (before, behind) = head_of(sentence);
    let clauses = text::clauses(before);
    let is_wished = clauses.len() >= 2
        && (!behind.is_empty() || sentence.trim_end().ends_with([':', '：']))
        && clauses[1..].iter().any(|clause| matches!(instructions::judge_spoken(clause), Clause::Instruction));
    if is_wished {
        return true;
    }
    // “We want you to join”, “Make friends” ask for nothing to be drawn.
    named.is_some()
        || (asks && lower.split_whitespace().count() <= 14 && DRAWING.iter().any(|verb| lower.contains(verb)))
}

/// Whether a sentence has a label that names a part of what is asked for: “Product: mobile app launched”, “Agenda: numbers”.
pub fn is_part(sentence: &str) -> bool {
    let is_list = |label: &str| matches!(label.to_lowercase().as_str(), "agenda" | "tagesordnung");
    // “Product: mobile app launched in 4 countries” tells more than what is wanted.
    let tells = |body: &str| body.split_whitespace().count() > 5;
    let asked = strip_form_label(sentence);
    (asked == sentence || tells(asked))
        && text::label(sentence).is_some_and(|(label, body)| {
            !body.is_empty()
                && !label.contains(',')
                && !naming::is_title_label(label)
                && !instructions::is_label(label)
                && (is_list(label) || kinds::find(label).is_none())
        })
}

/// What stands before the colon of a request, and what behind it.
fn head_of(sentence: &str) -> (&str, &str) {
    let mut depth = 0_i32;
    for (at, letter) in sentence.char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ':' | '：' if depth <= 0 => {
                let rest = &sentence[at + letter.len_utf8()..];
                // “Gutschein für eine Massage, für: Oma Helga”: a label among the clauses leads to no content; nor does
                // “a poster re: bike theft”.
                if is_given(&sentence[..at]) || ends_regarding(&sentence[..at]) {
                    continue;
                }
                if rest.is_empty() || rest.starts_with(char::is_whitespace) || letter == '：' {
                    return (sentence[..at].trim(), rest.trim());
                }
            }
            _ => {}
        }
    }
    // A dash after the kind does the same: “Flyer – Summer fair, 12 July”.
    for dash in text::DASHES {
        if let Some((head, rest)) = sentence.split_once(dash)
            && kinds::find(head).is_some_and(|named| named.end >= head.trim_end().len())
        {
            return (head.trim(), rest.trim());
        }
    }
    (sentence.trim(), "")
}

/// Reads the sentence; where it stands apart from what the thing shall say, its clauses are instructions unless they are
/// surely facts.
pub fn read(sentence: &str, is_apart: bool) -> Request {
    let sentence = strip_form_label(sentence);
    if let Some((title, asked)) = titled_before(sentence) {
        let mut request = read(asked, is_apart);
        add_some(&mut request.instructions, &std::mem::take(&mut request.title));
        request.title = text::capitalize(title);
        request.is_named = true;
        return request;
    }
    let (head, body) = head_of(sentence.trim().trim_end_matches(['.', '!', '?', ' ']));
    let mut request = Request::default();
    let mut head = head.to_owned();
    if let Some((before, quote)) = said::quote_led(&head, body) {
        request.content.push(quote);
        head = before;
    } else if !body.is_empty() {
        request.content.push(body.to_owned());
    } else if let Some(said) = said::said_within(&head) {
        request.content.push(said.words);
        add_some(&mut request.instructions, &said.wishes);
        head = said.head;
    }
    // “flyer A5, the headline should be: We climb your roof!”.
    let clauses = text::clauses(&head);
    if let [.., last] = clauses.as_slice()
        && clauses.len() > 1
        && naming::is_title_label(last)
        && let Some(content) = request.content.pop()
    {
        let sentences = text::sentences(&content);
        request.title = sentences.first().map_or(content, |first| first.trim_end_matches('.').to_owned());
        request.is_named = true;
        request.content.extend(sentences.into_iter().skip(1));
        head = clauses[..clauses.len() - 1].join(", ");
    }
    // What stands in quotation marks is the title, whatever stands around it; of a certificate it is what somebody did.
    let is_honour = kinds::find(&head).is_some_and(|named| named.kind == Kind::Certificate);
    if let Some((before, title, behind)) = text::quoted(&head.clone()).filter(|_| !is_honour) {
        request.title = title.to_owned();
        request.is_named = true;
        head = format!("{} {}", strip_called(before), behind);
    }
    // “Speisekarte / Landgasthof Adler / A4 hoch”: bars between what is asked for, what it is of and its size.
    if body.is_empty() && head.matches(" / ").count() >= 2 && kinds::find(&head).is_some_and(|named| named.start == 0) {
        head = head.replace(" / ", ", ");
    }
    let mut clauses = text::clauses(&head);
    // “Good evening, I need a price list”: what stands before the clause that names the kind greets or leads to it.
    let asks = |clause: &String| kinds::find(clause).is_some_and(|named| !named.is_compound || named.start == 0);
    let place = clauses.iter().position(asks).filter(|place| is_led(&clauses[..*place])).unwrap_or(0);
    clauses.drain(..place).for_each(|lead| add(&mut request.instructions, &lead));
    let mut clauses = clauses.into_iter();
    let first = clauses.next().unwrap_or_default();
    read_first(&first, &mut request);
    // A large letter at the beginning of the sentence names nothing.
    let begins = first.split_whitespace().next().unwrap_or_default();
    if text::quoted(sentence).is_none()
        && !request.title.is_empty()
        && request.title.split_whitespace().next() == Some(begins)
        && request.title.split_whitespace().skip(1).all(|word| !word.chars().next().is_some_and(char::is_uppercase))
    {
        request.is_named = false;
    }
    request.title = naming::strip_joining(&request.title).to_owned();
    // “here my notes from tuesday”, “A3 /”: what is handed over and how large it shall be name nothing.
    if !request.is_named && (hands_over(&request.title) || is_of_sheet(&request.title)) {
        add_some(&mut request.instructions, &std::mem::take(&mut request.title));
    }
    let is_apart =
        is_apart || !body.is_empty() && !request.is_named && request.kind.is_none_or(|kind| kind == Kind::Diagram);
    let said = request.content.len();
    for clause in clauses {
        let told = request.instructions.as_str();
        if request.kind == Some(Kind::Menu) && request.title.is_empty() && is_name_like(&clause) {
            request.title = text::capitalize(clause.trim());
            request.is_named = true;
        } else if request.content.len() == said && (refuses_motif(&clause, told) || names_tone(&clause, told)) {
            add(&mut request.instructions, &clause);
        } else if let Some(limit) = page_limit(&clause, request.kind) {
            add(&mut request.instructions, &limit);
        } else {
            take_clause(&clause, is_apart, &mut request);
        }
    }
    request
}

/// Whether clauses before the one that asks greet, beg or tell why: none of them is a name or has a number.
fn is_led(clauses: &[String]) -> bool {
    clauses.iter().all(|clause| {
        let words = text::words(clause);
        let first = words.first().map_or("", String::as_str);
        // “here my notes from tuesday” hands over what the thing is made of.
        let is_spoken = super::greeting::is_greeting(first)
            || matches!(first, "here" | "attached" | "below" | "hier" | "anbei" | "voici" | "aquí" | "ecco")
            || words.iter().any(|word| {
                matches!(
                    word.as_str(),
                    "i" | "i'm"
                        | "it's"
                        | "you"
                        | "we"
                        | "me"
                        | "ich"
                        | "wir"
                        | "je"
                        | "nous"
                        | "yo"
                        | "io"
                        | "so"
                        | "ok"
                        | "okay"
                        | "please"
                        | "pls"
                )
            })
            || matches!(instructions::judge_spoken(clause), Clause::Instruction);
        is_spoken && !clause.chars().any(|letter| letter.is_ascii_digit()) && words.len() <= 9
    })
}

/// What the thing is called, where a clause says so.
fn take_name(clause: &str, request: &mut Request) -> bool {
    // “and it's called Songs for the Dark Months”.
    if let Some((rest, name)) = naming::named_by(clause).filter(|_| !request.is_named) {
        request.title = text::capitalize(&name);
        request.is_named = true;
        if !rest.is_empty() {
            request.content.push(rest);
        }
        return true;
    }
    // “title Visitors by quarter”.
    if let Some(title) = naming::bare_title(clause).filter(|_| request.title.is_empty()) {
        request.title = title;
        request.is_named = true;
        return true;
    }
    false
}

fn take_clause(clause: &str, is_apart: bool, request: &mut Request) {
    // “Poster, about hand washing”, “Plakat, zum Thema Zähneputzen”.
    const TOPIC: &[&str] = &[
        "about",
        "on the topic of",
        "zum thema",
        "über",
        "au sujet de",
        "sur le thème de",
        "sobre",
        "acerca de",
        "riguardo a",
    ];
    if request.title.is_empty()
        && request.kind.is_some()
        && let Some(topic) = TOPIC.iter().find_map(|lead| text::strip_start(clause.trim(), lead))
        && amounts::next_amount(topic, 0).is_none()
    {
        let (subject, more) = cut_instructions(topic.trim());
        add_some(&mut request.instructions, &more);
        return read_subject(&subject, request);
    }
    // “how to repot a monstera”: a question that is answered is what it is about.
    if request.title.is_empty() && request.kind.is_some() && naming::asks_how(clause) {
        request.title = text::capitalize(clause.trim());
        return;
    }
    // “pour : Claire” says who gets it, and no tone.
    if says_who(clause) {
        request.content.push(clause.to_owned());
        return;
    }
    if take_name(clause, request) {
        return;
    }
    // “one slide, SWOT for the cinema co-op Lumière”: what nothing else names is called by the clause that has a name.
    let is_subject = is_apart
        && request.title.is_empty()
        && request.kind.is_some()
        && names_subject(clause)
        && matches!(instructions::judge_spoken(clause), Clause::Content(_));
    if is_subject {
        read_subject(clause.trim(), request);
        request.is_named = false;
        return;
    }
    let judged = if is_apart && !is_name_like(clause) {
        instructions::judge_of_request(clause)
    } else {
        instructions::judge_spoken(clause)
    };
    match judged {
        _ if is_use(clause.trim()) || is_for_room(clause) => add(&mut request.instructions, clause),
        Clause::Instruction => add(&mut request.instructions, clause),
        Clause::Content(content) => {
            let first = content.split_whitespace().next().unwrap_or_default().to_lowercase();
            let is_apposition =
                ["a", "an", "the", "ein", "eine", "der", "die", "das", "un", "une", "una", "our", "unser", "unsere"]
                    .contains(&first.as_str());
            // “deck for the board meeting, Q3 review”: the meeting is the occasion, the other what it is about.
            let is_brief = content.split_whitespace().count() <= 5 && !dates::has_moment(&content);
            if is_brief
                && !request.is_named
                && is_meeting(&request.title)
                && request.content.is_empty()
                && !is_apposition
            {
                request.kicker = std::mem::replace(&mut request.title, text::capitalize(&content));
                request.is_named = true;
            } else if is_apposition
                && request.subtitle.is_empty()
                && request.details.is_empty()
                && request.content.is_empty()
                && !request.title.is_empty()
                && !content.chars().any(|letter| letter.is_ascii_digit())
            {
                request.subtitle = text::capitalize(&content);
            } else {
                request.content.push(content);
            }
        }
    }
}

/// What stands behind the kind and is what the thing is about, without its wishes.
fn subject_behind(behind: &str, request: &mut Request) -> String {
    // “スライドを5枚：…” says how many.
    let is_counted = behind.strip_prefix('を').is_some_and(|count| {
        let unit = count.trim_start_matches(|letter: char| letter.is_numeric());
        unit.len() < count.len() && matches!(unit, "枚" | "ページ" | "頁")
    });
    // “スライドを5枚作ってください” asks and says nothing.
    let is_asked =
        is_counted || ["作って", "ください", "お願い", "作成", "制作"].iter().any(|ask| behind.contains(ask));
    // “Post für LinkedIn Wir haben unser Dach begrünt”: what begins large behind the network is said.
    let shown = strip_shown(strip_about(behind), request);
    let is_said = shown.len() < strip_about(behind).len()
        && shown.starts_with(char::is_uppercase)
        && shown.split_whitespace().count() >= 3;
    let (subject, more) = if is_said {
        cut_instructions(shown)
    } else if is_use(behind) || is_for_room(behind) || is_asked {
        (String::new(), behind.to_owned())
    } else {
        cut_instructions(strip_shown(strip_about(behind), request))
    };
    add_some(&mut request.instructions, &more);
    if is_pronoun(&subject) { String::new() } else { subject }
}

/// “One page about frozen pipes”: what it is about, where its kind is told by its pages alone; says whether it is.
fn read_counted(clause: &str, request: &mut Request) -> bool {
    let Some((pages, subject)) = pages_about(clause) else { return false };
    add(&mut request.instructions, pages);
    let (subject, more) = cut_instructions(subject);
    add_some(&mut request.instructions, &more);
    read_subject(&subject, request);
    request.is_named = true;
    true
}

/// Whether what stands before a kind asks for it or says what it is for, in a script without blanks between words:
/// “请帮我做一份菜单”, “講義用スライド”.
fn asks_without_blanks(before: &str) -> bool {
    let is_han = before.chars().any(|letter| ('\u{2e80}'..='\u{9fff}').contains(&letter));
    is_han && before.contains(['请', '請', '帮', '幫', '做', '给', '給', '画', '畫', '烦', '煩'])
        || before.ends_with('用')
}

fn read_first(clause: &str, request: &mut Request) {
    if read_counted(clause, request) {
        return;
    }
    let asked = strip_asking(clause);
    if asked.is_empty() {
        return;
    }
    let Some(named) = kinds::find(&asked) else {
        // “8 slides about X” names its kind by its pages alone.
        // “The water cycle”: an article with a large letter belongs to the name.
        let whole = clause.trim();
        let is_titled = whole.strip_prefix("The ").is_some_and(|rest| rest == asked);
        let (subject, more) = cut_instructions(if is_titled { whole } else { &asked });
        add_some(&mut request.instructions, &more);
        read_subject(&subject, request);
        return;
    };
    request.kind = Some(named.kind);
    let before = asked[..named.start].trim();
    let name = &asked[named.start..named.end];
    let behind = asked[named.end..].trim();
    // “poster design”, “deck template” say no more than the kind.
    let behind = ["design", "template", "layout", "vorlage"]
        .iter()
        .chain(["card", "board", "sheet", "sign"].iter().filter(|_| named.kind == Kind::Menu))
        .find_map(|word| text::strip_start(behind, word))
        .unwrap_or(behind)
        .trim();
    add(&mut request.instructions, name);
    name.clone_into(&mut request.kind_name);
    let behind = strip_medium(behind, request);
    let behind = strip_wishes(behind, request);
    let mut occasion = occasion_of(before, request);
    // “six slides”: the number stays with what it counts.
    if let Some(number) = before.split_whitespace().last().filter(|word| !word.contains('-')) {
        let counted = format!("{number} {name}");
        if instructions::page_count(&counted.to_lowercase()).is_some() {
            add(&mut request.instructions, &counted);
        }
    }
    if asks_without_blanks(before) {
        add(&mut request.instructions, before);
        occasion.clear();
    }
    if named.is_compound {
        occasion = compound_start(name, named.kind);
    }
    let subject = subject_behind(behind, request);
    // “Quartalsbericht Q1”: a report of a stretch of time is called by what it is and of when.
    if request.title.is_empty() && is_of_time(&subject) && matches!(named.kind, Kind::Document | Kind::OnePager) {
        let lead = if named.is_compound { String::new() } else { occasion };
        request.title = text::capitalize(format!("{lead} {name} {subject}").trim());
        return;
    }
    if named.kind.says_its_name() {
        occasion = text::capitalize(&format!("{occasion} {name}"));
    }
    let quoted_title = !request.title.is_empty();
    if subject.is_empty() {
        if quoted_title {
            request.kicker = text::capitalize(&occasion);
        } else {
            read_subject(&occasion, request);
            request.is_occasion = true;
            request.is_bare = true;
            request.is_named = false;
        }
        return;
    }
    // “Thank you card for our volunteers” says thanks, and to whom.
    if let Some(thanks) = ["thank you", "thank-you"]
        .iter()
        .find_map(|lead| name.get(..lead.len()).filter(|own| own.to_lowercase() == **lead))
    {
        request.title = text::capitalize(thanks);
        request.subtitle = text::capitalize(behind);
        request.is_named = true;
        return;
    }
    request.kicker = text::capitalize(&occasion);
    read_subject(&subject, request);
    // “fürs Straßenfest”: a noun with its article in the preposition is no name.
    request.is_named &= !begins_contracted(behind);
}

#[cfg(test)]
mod tests;
