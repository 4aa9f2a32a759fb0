//! Whether a sentence speaks of the page and not of the thing: of its pieces, of where they stand, of what shall not be on
//! it.
//!
//! What holds: a sentence with a price, an address or words in quotation marks is never taken for it. Deliberately not here:
//! sentences that dictate what a page says (`directions::dictated`).

pub mod phrases;
pub mod readers;
pub mod vocabulary;

use super::{dates, facts};
use phrases::{Word, manner_at, piece_in, place_at, word_at, words_of};
use vocabulary::{
    has_article, has_phrase, is_changing, is_grade, is_joining, is_mentioning, is_of_look, is_opening, is_piece,
    is_pointing, is_writing, speaks_of_sheet, stands_for, stands_out,
};

/// Words that refuse.
#[rustfmt::skip]
const REFUSING: &[&str] = &["don't", "dont", "not", "never", "no", "without", "nicht", "nix", "kein", "keine", "keinen", "ne", "pas", "surtout", "nunca", "non", "doesn't", "needn't", "don’t", "doesn’t"];

/// How it is said that something shall be left away.
#[rustfmt::skip]
const LEAVING_OUT: &[&str] = &[
    "leave out", "leave off", "leave them out", "leave it out", "leave that out", "leave it off", "leave them off", "left out", "leave away", "lass weg", "lasst weg", "weglassen", "lass raus", "rauslassen", "weg lassen", "laisse tomber", "enlève", "enlevez", "quita", "togli",
];

/// Verbs and words of what shall be or stand.
#[rustfmt::skip]
const SHALL: &[&str] = &[
    "should", "shall", "must", "has", "have", "needs", "need", "can", "could", "may", "goes", "go", "sits", "stands", "comes", "come", "is", "are", "in", "on", "at", "to", "bitte", "please", "soll", "sollen", "sollte", "sollten", "muss", "müssen", "darf", "dürfen",
    "kann", "können", "kommt", "kommen", "gehört", "steht", "stehen", "doit", "doivent", "va", "vont", "debe", "deben", "tiene", "van", "deve", "devono", "vanno", "que", "bien", "ganz", "schön", "smaller", "bigger",
];

/// Whether a sentence surely speaks of the page to whoever makes it.
pub fn speaks_of_page(sentence: &str) -> bool {
    if told_to_writer(sentence) || forbids_words(sentence) {
        return true;
    }
    if facts::has_fact(sentence)
        || sentence.contains('→')
        || sentence.contains("->")
        || readers::speaks_to_readers(sentence)
    {
        return false;
    }
    let all = words_of(sentence);
    let begin = all.iter().take_while(|word| is_opening(&word.lower)).count();
    let words = &all[begin.min(all.len().saturating_sub(1))..];
    if words.len() < 2 {
        return false;
    }
    // “me, tell me what goes on it”: a word or two of chat before what is asked of somebody.
    if let Some(mark) = words.iter().take(2).position(|word| word.mark.is_some())
        && words.len() > mark + 3
        && asks_maker(&words[mark + 1..], &sentence.to_lowercase())
    {
        return true;
    }
    let lower = sentence.to_lowercase();
    changes_piece(words, &lower)
        || refuses(words, &lower)
        || leaves_out(words, &lower)
        || tells_of_piece(words, &lower)
        || offers_choice(words, &lower)
        || begins_with_shall(words, &lower)
        || asks_maker(words, &lower)
        || wishes_politely(words, &lower)
        || changes_fronted(words)
}

fn names_piece(words: &[Word]) -> bool {
    piece_in(words).is_some()
}

fn has_place(words: &[Word]) -> bool {
    (0..words.len()).any(|at| place_at(words, at).is_some())
}

fn has_grade(words: &[Word]) -> bool {
    words.iter().any(|word| is_grade(&word.lower)) || (0..words.len()).any(|at| manner_at(words, at).is_some())
}

/// “Make the date really big”, “pon el precio bien grande”, “Mets bien la salle en évidence”: a verb of changing with a piece
/// and how it shall be, or with what only a page does.
fn changes_piece(words: &[Word], lower: &str) -> bool {
    if !is_changing(word_at(words, 0)) {
        return false;
    }
    let rest = &words[1..];
    let is_of_color = matches!(word_at(words, 0), "colour" | "color" | "mark" | "markier" | "markiere")
        && rest.iter().any(|word| crate::read::colors::names_color(&word.lower));
    let is_pointed =
        rest.iter().take(3).any(|word| is_pointing(&word.lower) || has_article(&word.lower) || stands_for(&word.lower));
    let is_shown = has_grade(rest) || has_place(rest) || stands_out(lower);
    is_of_color
        || stands_out(lower) && (is_pointed || names_piece(rest))
        || names_piece(rest) && is_pointed && is_shown && !dates::has_moment(lower)
        // “use the word rot nowhere”.
        || word_at(words, 0) == "use" && rest.iter().take(2).any(|word| word.lower == "word")
        // “mark everything inside the network”.
        || matches!(word_at(words, 0), "mark" | "circle" | "highlight" | "label" | "colour" | "color" | "markier" | "markiere")
            && matches!(word_at(words, 1), "everything" | "each" | "every" | "all" | "alles" | "alle" | "jede" | "jeden")
        || matches!(word_at(words, 0), "mark" | "make" | "set" | "colour" | "color") && matches!(word_at(words, 1), "this" | "that") && word_at(words, 2) == "one"
}

/// “Don't mention the fee anywhere”, “Bitte nicht auf die Karte schreiben”: a verb of writing and the sheet, because a notice says
/// “do not write on the walls”.
fn refuses(words: &[Word], lower: &str) -> bool {
    let is_refused = words.iter().take(3).any(|word| REFUSING.contains(&word.lower.as_str()))
        || lower.split_whitespace().take(4).any(|word| REFUSING.contains(&word));
    // German has its verb behind: “nicht auf den Flyer schreiben”.
    let writes = words.iter().take(6).any(|word| is_writing(&word.lower) || is_mentioning(&word.lower));
    let is_unsaid = word_at(words, 0) == "mention" && words.len() <= 10;
    is_refused && (writes && speaks_of_sheet(lower) || is_unsaid)
}

/// “Den Preis lass weg”, “leave out the surnames”: a piece that shall not be there.
fn leaves_out(words: &[Word], lower: &str) -> bool {
    let is_left = ["lass", "lasst", "lassen", "leave"].iter().any(|verb| words.iter().any(|word| word.lower == *verb))
        && words.last().is_some_and(|word| matches!(word.lower.as_str(), "weg" | "raus" | "out" | "off"));
    names_piece(words) && (is_left || has_phrase(lower, LEAVING_OUT))
}

/// “The 7am should be the first thing you see”, “photo goes in the middle”, “Die Uhrzeit bitte fett”: a piece and how it shall
/// stand.
fn tells_of_piece(words: &[Word], lower: &str) -> bool {
    let modal = words.iter().take(9).position(|word| SHALL.contains(&word.lower.as_str()));
    let must = |word: &Word| {
        matches!(
            word.lower.as_str(),
            "should"
                | "must"
                | "has"
                | "have"
                | "needs"
                | "need"
                | "soll"
                | "sollen"
                | "sollte"
                | "muss"
                | "müssen"
                | "darf"
                | "doit"
                | "doivent"
                | "debe"
                | "deben"
                | "tiene"
                | "deve"
                | "devono"
                | "can't"
                | "cannot"
        )
    };
    let begins_pointed = is_pointing(word_at(words, 0)) || has_article(word_at(words, 0));
    let Some(modal) = modal else { return false };
    if modal == 0 {
        return false;
    }
    let (subject, rest) = words.split_at(modal);
    if states(subject, rest) {
        return false;
    }
    let is_piece_told = subject.iter().any(|word| is_piece(&word.lower)) && subject.len() <= 7 && !is_compound(subject);
    let shows = has_grade(rest) || has_place(rest) || stands_out(lower) || speaks_of_sheet(lower);
    let is_brief = words.len() <= 16 && !dates::has_moment(lower);
    is_piece_told && shows && is_brief && (begins_pointed || is_piece(word_at(words, 0)) || is_piece(word_at(words, 1)))
        || words.iter().any(must) && begins_pointed && (speaks_of_sheet(lower) || stands_out(lower))
        // “It should have my number on it”.
        || words.iter().any(must) && stands_for(word_at(words, 0)) && names_piece(rest) && speaks_of_sheet(lower)
        || words.iter().any(must) && has_phrase(lower, &["first thing you see", "the first thing people see"])
}

/// “The names of the winners are on the board at the back”, “Das Bild hängt in der Mitte”: a statement of the world, which has
/// a verb that no page has, or says where something is by what is no place of a page.
fn states(subject: &[Word], rest: &[Word]) -> bool {
    // “is to be placed” is a wish.
    let is_being =
        matches!(word_at(rest, 0), "is" | "are" | "ist" | "sind") && !matches!(word_at(rest, 1), "to" | "zu");
    let piece = subject.iter().position(|word| is_piece(&word.lower));
    // Behind a German noun a word that ends as verbs do is one: “hängt”, “liegen”.
    let is_verb_behind = piece.is_some_and(|piece| {
        let verb = word_at(subject, piece + 1);
        ["t", "en"].iter().any(|ending| verb.ends_with(ending))
            && is_german_article(word_at(subject, 0))
            && readers::is_foreign(verb)
    });
    is_verb_behind || is_being && readers::first_clause(rest).iter().any(|word| readers::is_foreign(&word.lower))
}

fn is_german_article(word: &str) -> bool {
    matches!(word, "der" | "die" | "das" | "den" | "unser" | "unsere" | "alle" | "beide")
}

/// “the photo wall”: a piece before another noun is none, where the article is English.
fn is_compound(subject: &[Word]) -> bool {
    let [article, .., piece, last] = subject else { return false };
    matches!(article.lower.as_str(), "the" | "our" | "your" | "my" | "his" | "her" | "their")
        && is_piece(&piece.lower)
        && !is_piece(&last.lower)
        && !is_joining(&last.lower)
        && !is_grade(&last.lower)
        && piece.mark.is_none()
}

/// “You can drop the page numbers”, “You could group it somehow”, “kannst du weglassen”: what whoever makes it may do.
fn offers_choice(words: &[Word], lower: &str) -> bool {
    let is_free = [
        "you can",
        "you could",
        "you may",
        "feel free to",
        "du kannst",
        "kannst du",
        "du darfst",
        "sie können",
        "ihr könnt",
        "tu peux",
        "vous pouvez",
        "puedes",
        "puoi",
    ]
    .iter()
    .any(|lead| {
        lower.trim_start_matches("and ").trim_start_matches("und ").trim_start_matches("maybe ").starts_with(lead)
    });
    let rest = &words[2.min(words.len())..];
    let verb = rest.iter().take(5).position(|word| is_changing(&word.lower) || is_writing(&word.lower));
    is_free
        && verb.is_some_and(|verb| {
            let behind = &rest[verb + 1..];
            names_piece(behind)
                || behind.first().is_some_and(|word| matches!(word.lower.as_str(), "it" | "them") && behind.len() <= 3)
        })
}

/// “Our director told me “make sure the date is bigger than my name””: what somebody told the one who writes, about a piece.
fn told_to_writer(sentence: &str) -> bool {
    const TOLD: &[&str] = &[
        "told me",
        "told us",
        "asked me",
        "asked us",
        "wrote me",
        "said to me",
        "hat mir gesagt",
        "hat gesagt",
        "m'a dit",
        "nous a dit",
        "me ha dicho",
        "me dijo",
        "mi ha detto",
    ];
    let words = words_of(sentence);
    let told = has_phrase(&sentence.to_lowercase(), TOLD) && words.len() > 4;
    told && words.iter().any(|word| is_piece(&word.lower))
        && (has_grade(&words) || has_phrase(&sentence.to_lowercase(), LEAVING_OUT))
}

/// “Do not show the word “cheap””: a word or two in quotation marks that are not to be said.
fn forbids_words(sentence: &str) -> bool {
    let words = words_of(sentence);
    let lower = sentence.to_lowercase();
    let begin = words.iter().take_while(|word| is_opening(&word.lower)).count();
    let is_refused = words.iter().skip(begin).take(2).any(|word| REFUSING.contains(&word.lower.as_str()));
    let verb = words.iter().skip(begin).take(4).any(|word| {
        is_writing(&word.lower)
            || is_mentioning(&word.lower)
            || matches!(word.lower.as_str(), "use" | "call" | "verwende" | "benutz")
    });
    is_refused
        && verb
        && has_phrase(&lower, &["the word", "the words", "das wort", "die wörter", "le mot", "la palabra", "la parola"])
}

/// “must work in black & white”: a verb of duty without a subject, before words of a look, speaks of the thing that is asked for.
fn begins_with_shall(words: &[Word], lower: &str) -> bool {
    let is_duty =
        matches!(word_at(words, 0), "must" | "should" | "muss" | "soll" | "sollte" | "darf" | "doit" | "debe" | "deve")
            || matches!((word_at(words, 0), word_at(words, 1)), ("has" | "needs" | "have", "to"));
    let is_person = matches!(
        word_at(words, 1),
        "i" | "we" | "you" | "he" | "she" | "they" | "ich" | "man" | "du" | "wir" | "sie" | "er"
    );
    // “must like loud music” is said of a person.
    let is_of_person = matches!(
        word_at(words, 1),
        "like" | "love" | "enjoy" | "speak" | "know" | "mögen" | "sprechen" | "aimer" | "amar"
    );
    is_duty
        && !is_person
        && !is_of_person
        && words.iter().any(|word| is_of_look(&word.lower))
        && !dates::has_moment(lower)
}

/// “we ask you to lay out the invitation below”: one who writes asks one who makes.
fn asks_maker(words: &[Word], lower: &str) -> bool {
    const ASKING: &[&str] = &[
        "we ask you to",
        "i ask you to",
        "we would ask you to",
        "may i ask you to",
        "wir bitten sie",
        "ich bitte sie",
        "ich bitte dich",
        "nous vous prions de",
        "je vous prie de",
        "le ruego",
        "la prego di",
    ];
    const MAKING: &[&str] = &[
        "lay",
        "design",
        "draw",
        "typeset",
        "prepare",
        "layout",
        "gestalten",
        "setzen",
        "entwerfen",
        "réaliser",
        "diseñar",
        "impaginare",
    ];
    has_phrase(lower, ASKING) && words.iter().any(|word| MAKING.contains(&word.lower.as_str()))
        // “tell me what goes on it”.
        || matches!(word_at(words, 0), "tell" | "send" | "give" | "sag" | "sagt" | "dis" | "dime" | "dimmi")
            && (matches!(word_at(words, 1), "me" | "us" | "mir" | "uns" | "moi") || matches!(word_at(words, 0), "dime" | "dimmi"))
            && speaks_of_sheet(lower)
}

/// “If it were possible to have the telephone number a little larger I should be glad”.
fn wishes_politely(words: &[Word], lower: &str) -> bool {
    const POLITE: &[&str] = &[
        "if it were possible",
        "if it was possible",
        "if it is possible",
        "if it's possible",
        "if possible",
        "would it be possible",
        "wenn es möglich wäre",
        "wenn möglich",
        "falls möglich",
        "wenn es geht",
        "wäre es möglich",
        "si c'est possible",
        "si possible",
        "si es posible",
        "si fuera posible",
        "se possibile",
    ];
    has_phrase(lower, POLITE) && names_piece(words) && (has_grade(words) || has_place(words))
}

/// “las croquetas pónmelas bien visibles”, “Groß- und Kleinschreibung kannst du noch richtig machen”: what is spoken of stands
/// first, and behind it what shall be done with it.
fn changes_fronted(words: &[Word]) -> bool {
    const BOUND: &[&str] = &[
        "pon", "pón", "haz", "déja", "deja", "quíta", "quita", "metti", "scrivi", "fal", "fam", "lascia", "togli",
        "escríbe", "escribe", "sáca",
    ];
    const PRONOUNS: &[&str] = &[
        "lo", "la", "los", "las", "le", "li", "melo", "mela", "melos", "melas", "noslo", "celo", "cela", "mele", "meli",
    ];
    let is_bound =
        |word: &str| BOUND.iter().any(|verb| word.strip_prefix(verb).is_some_and(|rest| PRONOUNS.contains(&rest)));
    if words.iter().any(|word| is_bound(&word.lower)) && has_grade(words) {
        return true;
    }
    let can = words
        .iter()
        .take(6)
        .position(|word| matches!(word.lower.as_str(), "kannst" | "könntest" | "könnt" | "können" | "darfst"));
    can.is_some_and(|can| {
        can > 0
            && matches!(word_at(words, can + 1), "du" | "sie" | "ihr")
            && words[..can].iter().any(|word| is_piece(&word.lower))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_of_the_world_is_no_direction() {
        for sentence in [
            "The names of the winners are on the board at the back",
            "Das Bild hängt in der Mitte",
            "Die Fotos liegen auf dem Tisch links",
            "The numbers are on the door at the end",
        ] {
            assert!(!speaks_of_page(sentence), "{sentence}");
        }
        for sentence in [
            "The logo goes in the bottom corner",
            "The phone number should be huge",
            "Das Logo kommt unten rechts hin",
            "The title must be at the top",
            "The coat of arms is to be placed at the top",
            "Das Foto soll in die Mitte",
            "photo goes in the middle",
            "It should have my number on it",
        ] {
            assert!(speaks_of_page(sentence), "{sentence}");
        }
    }
}
