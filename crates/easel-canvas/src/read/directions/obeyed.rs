//! Whether a sentence speaks of the page and not of the thing: of its pieces, of where they stand, of what shall not be on it,
//! or from one person to another about who sends what and who wants it so.
//!
//! What holds: a sentence with a price, an address or words in quotation marks is never taken for it. Deliberately not here:
//! sentences that dictate what a page says (`dictated`).

use super::phrases::{Word, manner_at, page_at, piece_in, place_at, word_at, words_of};
use super::vocabulary::{
    has_article, has_phrase, is_changing, is_grade, is_joining, is_mentioning, is_of_look, is_opening, is_piece,
    is_pointing, is_sheet, is_writing, speaks_of_sheet, stands_for, stands_out,
};
use crate::read::{dates, maker};

/// Words that refuse.
#[rustfmt::skip]
const REFUSING: &[&str] = &["don't", "dont", "not", "never", "no", "without", "nicht", "nix", "kein", "keine", "keinen", "ne", "pas", "surtout", "nunca", "non", "mai", "doesn't", "needn't", "don’t", "doesn’t"];

/// How it is said that something need not be there.
#[rustfmt::skip]
const NEEDLESS: &[&str] = &[
    "don't need to", "doesn't need to", "do not need to", "does not need to", "needn't", "need not", "no need to", "don't have to", "doesn't have to", "don’t need to", "doesn’t need to", "muss nicht", "müssen nicht", "brauchst du nicht",
    "braucht ihr nicht", "brauchen sie nicht", "brauchen wir nicht", "brauchts nicht", "pas besoin", "pas la peine", "inutile", "no hace falta", "no es necesario", "non serve", "non occorre", "non c'è bisogno",
];

/// How it is said that something shall be left away.
#[rustfmt::skip]
const LEAVING_OUT: &[&str] = &[
    "leave out", "leave off", "leave them out", "leave it out", "leave that out", "leave it off", "leave them off", "left out", "leave away", "lass weg", "lasst weg", "weglassen", "lass raus", "rauslassen", "weg lassen", "laisse tomber", "enlève", "enlevez", "quita", "togli",
];

/// How one says whose choice it is.
#[rustfmt::skip]
const CHOOSING: &[&str] = &[
    "up to you", "leave that to you", "leave it to you", "your call", "whatever you think best", "just for you", "only for you", "for your information", "fyi", "nur für dich",
    "nur zur info", "zur info", "wie du magst", "wie du meinst", "wie sie möchten", "überlasse ich dir", "überlass ich dir", "überlasse ich ihnen", "comme tu veux", "comme vous voulez", "à toi de voir", "como tú veas", "come vuoi", "come preferisci",
    "if you have space", "if you have room", "if there's space", "if there is space", "if there's room", "falls platz", "wenn platz", "s'il y a de la place", "si hay sitio", "si cabe", "se c'è spazio",
];

/// How a wish of the one who writes begins.
#[rustfmt::skip]
const WISHING: &[&str] = &[
    "i want", "i'd love", "i would love", "i'd like", "i would like", "i'd prefer", "we'd love", "we'd like", "we would like", "we would love", "i need", "we need", "we want", "ich möchte", "ich hätte gern", "ich hätte gerne", "wir hätten gern", "wir hätten gerne",
    "wir möchten", "ich will", "wir wollen", "ich wünsche mir", "wir wünschen uns", "je veux", "je voudrais", "j'aimerais", "on aimerait", "nous aimerions", "quiero", "quisiera", "queremos", "me gustaría", "nos gustaría", "vorrei", "vorremmo", "voglio", "mi piacerebbe",
];

/// Verbs of others who want something or say so.
#[rustfmt::skip]
const REPORTING: &[&str] = &[
    "wants", "want", "says", "said", "thinks", "insists", "prefers", "would like", "asked", "asks", "reckons", "hates", "likes", "will", "möchte", "meint", "sagt", "wünscht", "findet", "veut", "dit", "aimerait", "quiere", "dice", "vuole",
];

/// Verbs and words of what shall be or stand.
#[rustfmt::skip]
const SHALL: &[&str] = &[
    "should", "shall", "must", "has", "have", "needs", "need", "can", "could", "may", "goes", "go", "sits", "stands", "comes", "come", "is", "are", "in", "on", "at", "to", "bitte", "please", "soll", "sollen", "sollte", "sollten", "muss", "müssen", "darf", "dürfen",
    "kann", "können", "kommt", "kommen", "gehört", "steht", "stehen", "doit", "doivent", "va", "vont", "debe", "deben", "tiene", "va", "van", "deve", "devono", "vanno", "que", "bien", "ganz", "schön", "smaller", "bigger",
];

/// How one says that something is sent or comes later.
#[rustfmt::skip]
const SENDING: &[&str] = &[
    "i'll send", "i will send", "i'll text", "i'll mail", "i'll email", "i'll bring", "i'll give you", "i can send", "i sent you", "i texted you", "i attached", "i've attached", "we'll send", "is coming", "are coming", "to follow", "will follow", "ich schick", "ich schicke",
    "schick ich", "schicke ich", "schicken wir", "bekommst du", "kommt noch", "kommen noch", "reiche ich nach", "je t'envoie", "je vous envoie", "te mando", "te envío", "te la mando", "te lo mando", "ti mando", "te paso", "i'm presenting", "i am presenting",
];

/// Whether a sentence surely speaks of the page to whoever makes it.
pub fn speaks_of_page(sentence: &str) -> bool {
    if told_to_writer(sentence) || forbids_words(sentence) {
        return true;
    }
    if maker::has_fact(sentence) || sentence.contains('→') || sentence.contains("->") {
        return false;
    }
    let all = words_of(sentence);
    let begin = all.iter().take_while(|word| is_opening(&word.lower)).count();
    let words = &all[begin.min(all.len().saturating_sub(1))..];
    if words.len() < 2 {
        return false;
    }
    let lower = sentence.to_lowercase();
    changes_piece(words, &lower)
        || refuses(words, &lower)
        || leaves_out(words, &lower)
        || has_phrase(&lower, CHOOSING)
        || tells_of_piece(words, &lower)
        || wishes(words, &lower)
        || sends(words, &lower)
        || reports(words)
        || assures(words, &lower)
        || lays_out(words)
        || offers_choice(words, &lower)
        || begins_with_shall(words, &lower)
        || is_set(words, &lower)
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
        || matches!(word_at(words, 0), "mark" | "make" | "set" | "colour" | "color") && matches!(word_at(words, 1), "this" | "that") && word_at(words, 2) == "one"
}

/// “don't write the names of our staff anywhere”, “do not print my surname”, “Nicht draufschreiben dass …”: what shall not be
/// told; a verb of writing needs a piece, whose it is, or the sheet, because a notice says “do not write on the wall”.
fn refuses(words: &[Word], lower: &str) -> bool {
    #[rustfmt::skip]
    const SHOWN: &[&str] = &["print", "say", "show", "tell", "reveal", "dis", "dites", "digas", "ponga", "pongas", "salga", "dire", "scrivere", "mettere", "mach", "macht", "schreib", "schreibt", "zeig", "zeigen", "nenn", "use", "draw", "make"];
    let is_refused = words.iter().take(3).any(|word| REFUSING.contains(&word.lower.as_str()))
        || lower.split_whitespace().take(4).any(|word| REFUSING.contains(&word.trim_matches(',')));
    if !is_refused {
        return false;
    }
    let verb = words
        .iter()
        .take(5)
        .position(|word| is_writing(&word.lower) || is_mentioning(&word.lower) || SHOWN.contains(&word.lower.as_str()));
    // “Den Nachnamen nicht hinschreiben”: the verb stands at the end.
    let is_mentioned = words.iter().any(|word| is_mentioning(&word.lower));
    let Some(verb) = verb else { return is_mentioned };
    let rest = &words[verb + 1..];
    let is_own = rest.iter().take(3).any(|word| {
        matches!(
            word.lower.as_str(),
            "my" | "our"
                | "us"
                | "me"
                | "mein"
                | "meinen"
                | "meine"
                | "unser"
                | "unsere"
                | "unseren"
                | "mon"
                | "ma"
                | "notre"
                | "nos"
                | "son"
                | "sa"
                | "mi"
                | "su"
                | "mio"
                | "mia"
                | "suo"
        )
    });
    let is_imperative = verb <= 3 && !has_place_of_world(rest);
    is_mentioned
        || speaks_of_sheet(lower)
        || is_imperative && (names_piece(rest) || is_own)
        || matches!(word_at(words, verb), "print" | "say" | "show")
            && rest.first().is_some_and(|word| stands_for(&word.lower))
}

/// A notice says where in the world one must not write: “do not write on the walls”.
fn has_place_of_world(words: &[Word]) -> bool {
    matches!(word_at(words, 0), "on" | "in" | "into" | "below" | "above" | "auf" | "an" | "sur" | "en" | "su")
}

/// “The part-timers don't need to be on it”, “pas besoin d'indiquer le parking”, “Den Preis lass weg”.
fn leaves_out(words: &[Word], lower: &str) -> bool {
    let is_needless = has_phrase(lower, NEEDLESS);
    let is_written = words.iter().any(|word| {
        let verb = word.lower.trim_start_matches("d'").trim_start_matches("d’");
        is_writing(verb)
            || is_mentioning(verb)
            || matches!(verb, "print" | "scrivere" | "poner" | "list" | "repeat" | "explain")
    });
    if is_needless && (is_written || speaks_of_sheet(lower)) {
        return true;
    }
    let is_torn = ["lass", "lasst", "lassen"].iter().any(|verb| words.iter().any(|word| word.lower == *verb))
        && words.last().is_some_and(|word| matches!(word.lower.as_str(), "weg" | "raus"))
        || has_separated(words, &["lass", "lasst", "lassen"], &["weg", "raus"])
        || has_separated(words, &["leave"], &["out", "off"]);
    has_phrase(lower, LEAVING_OUT) && !lower.contains("of reach")
        || is_torn && !words.iter().take(2).any(|word| word.lower == "no")
}

/// Whether a verb and what belongs to it stand in a sentence with at most five words between them.
fn has_separated(words: &[Word], verbs: &[&str], parts: &[&str]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        verbs.contains(&word.lower.as_str())
            && words[at + 1..].iter().take(6).any(|part| {
                parts.contains(&part.lower.as_str()) && part.mark.is_some()
                    || parts.contains(&part.lower.as_str()) && part.end == words[words.len() - 1].end
            })
    })
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
    let is_piece_told = subject.iter().any(|word| is_piece(&word.lower)) && subject.len() <= 7;
    let shows = has_grade(rest) || has_place(rest) || stands_out(lower) || speaks_of_sheet(lower);
    let is_brief = words.len() <= 16 && !dates::has_moment(lower);
    is_piece_told && shows && is_brief && (begins_pointed || is_piece(word_at(words, 0)) || is_piece(word_at(words, 1)))
        || words.iter().any(must) && begins_pointed && (speaks_of_sheet(lower) || stands_out(lower))
        || words.iter().any(must) && has_phrase(lower, &["first thing you see", "the first thing people see"])
}

/// “I want his name in the biggest letters”, “Wir hätten gern was Zartes”: a wish with a piece or a look.
fn wishes(words: &[Word], lower: &str) -> bool {
    let Some(wish) =
        WISHING.iter().find(|wish| has_phrase(lower, &[**wish]) && lower.find(**wish).is_some_and(|at| at <= 12))
    else {
        return false;
    };
    let is_many = wish.starts_with("we w")
        || wish.starts_with("wir wol")
        || wish.starts_with("quer")
        || wish.starts_with("we n")
        || *wish == "i need";
    let rest = &words[wish.split_whitespace().count().min(words.len() - 1)..];
    let is_looked = || {
        rest.iter().any(|word| {
            let stem = word.lower.trim_end_matches("es").trim_end_matches("en").trim_end_matches('e');
            crate::read::colors::names_color(&word.lower) || is_of_look(&word.lower) || is_of_look(stem)
        })
    };
    names_piece(rest) && (has_grade(rest) || has_place(rest) || stands_out(lower)) || !is_many && is_looked()
}

/// “I'll send you the chart on Monday”, “The logo is coming from Priya”: a piece that is sent or comes.
fn sends(words: &[Word], lower: &str) -> bool {
    let is_sent = SENDING.iter().position(|sign| has_phrase(lower, &[*sign]));
    let names = words.iter().any(|word| {
        is_piece(&word.lower)
            || matches!(word.lower.as_str(), "file" | "files" | "chart" | "video" | "scan" | "pdf" | "datei")
    });
    let is_to_you =
        words.iter().any(|word| matches!(word.lower.as_str(), "you" | "dir" | "ihnen" | "euch" | "te" | "vous" | "ti"));
    is_sent.is_some() && (names || is_to_you && words.iter().any(|word| stands_for(&word.lower)))
        || has_phrase(lower, &["i'm presenting", "i am presenting"])
}

/// “Mum says the paper should be cream”, “Boss wants the logo top left”: what somebody else wants of a piece.
fn reports(words: &[Word]) -> bool {
    let Some(verb) = words.iter().take(4).position(|word| REPORTING.contains(&word.lower.as_str())) else {
        return false;
    };
    let rest = &words[verb + 1..];
    let is_named = || names_piece(rest) || matches!(word_at(rest, 1), "paper" | "background" | "card" | "papier");
    verb > 0
        && !matches!(word_at(words, 0), "who" | "what" | "if" | "it" | "i")
        && !is_sheet(word_at(words, verb - 1))
        && !is_piece(word_at(words, verb - 1))
        && (is_named()
            && rest.iter().any(|word| {
                is_of_look(&word.lower)
                    || is_grade(&word.lower)
                    || SHALL.contains(&word.lower.as_str())
                    || is_pointing(&word.lower)
            })
            || rest.first().is_some_and(|word| stands_for(&word.lower)) && rest.len() <= 4)
}

/// “Make sure the date doesn't get lost”.
fn assures(words: &[Word], lower: &str) -> bool {
    let begins = [
        "make sure",
        "be sure",
        "see that",
        "achte darauf",
        "achtet darauf",
        "achten sie darauf",
        "schau dass",
        "schau, dass",
        "pass auf",
        "veille à",
        "veillez à",
        "assure-toi",
        "asegúrate",
        "assicurati",
        "fai in modo",
    ]
    .iter()
    .any(|lead| {
        lower.trim_start_matches("please ").trim_start_matches("and ").trim_start_matches("bitte ").starts_with(lead)
    });
    begins && (names_piece(&words[2.min(words.len())..]) || stands_out(lower))
}

/// “prices on the right please”, “On the first one just the name and the line”: pieces, places and grades and nothing else.
fn lays_out(words: &[Word]) -> bool {
    let mut at = 0;
    let (mut pieces, mut places) = (0, 0);
    while at < words.len() {
        if let Some(length) = page_at(words, at)
            .filter(|length| *length > 1)
            .or_else(|| place_at(words, at))
            .or_else(|| manner_at(words, at))
        {
            places += 1;
            at += length;
            continue;
        }
        let word = word_at(words, at);
        if is_piece(word) {
            pieces += 1;
        } else if !is_joining(word) && !is_pointing(word) && !is_sheet(word) && !is_writing(word) {
            return false;
        }
        at += 1;
    }
    pieces > 0 && places > 0
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
    is_duty && !is_person && words.iter().any(|word| is_of_look(&word.lower)) && !dates::has_moment(lower)
}

/// “The coat of arms is to be placed at the top”, “content should be reproduced without alteration”: a duty in the passive, of a
/// verb of setting.
fn is_set(words: &[Word], lower: &str) -> bool {
    const SET: &[&str] = &[
        "to be placed",
        "to be set",
        "to be printed",
        "to be reproduced",
        "to be centred",
        "to be shown",
        "be reproduced",
        "be set in",
        "ist zu setzen",
        "zu platzieren",
        "zu drucken",
    ];
    has_phrase(lower, SET)
        && (has_place(words)
            || words.iter().any(|word| is_piece(&word.lower))
            || has_phrase(lower, &["without alteration", "as it stands", "word for word", "unverändert"]))
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
