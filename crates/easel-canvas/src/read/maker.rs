//! Whether a sentence speaks to whoever makes the thing, told by how it is built: a verb of making with something that is
//! made of it, a question whether one can, a wish of the one who writes.
//!
//! What holds: words with a price, an address or something in quotation marks are never taken for it. Deliberately not
//! here: clauses made of words of looks alone (`style`), and where in a brief such sentences stand (`asides`).

pub mod apart;
mod of_sheet;
pub mod taken_back;

use super::colors;
use super::kinds;
use super::page_talk::{self, readers};
use super::style::{DESIGN, GLUE, MOTIFS, STYLE, is_refrain};
use super::vocabulary::{OF_GUESTS, REFUSING, TYPED_PLEASE, is_determiner};
use super::{amounts, dates, facts, text};

/// Words before a sentence that change nothing of it.
#[rustfmt::skip]
const OPENERS: &[&str] = &[
    "and", "but", "oh", "also", "so", "ps", "p.s", "ah", "ok", "okay", "then", "just", "please", "pls", "plz", "kindly", "if", "you", "can", "maybe",
    "und", "aber", "ach", "also", "bitte", "noch", "dann", "vielleicht", "et", "mais", "y", "pero", "e", "ma", "mas", "por", "favor", "per", "favore",
    "do", "don't", "dont", "not", "never", "en", "maar",
];

/// Words that beg.
pub const BEGGING: &[&str] = &[
    "please",
    "pls",
    "plz",
    "plss",
    "kindly",
    "bitte",
    "svp",
    "stp",
    "proszę",
    "alsjeblieft",
    "graag",
    "favor",
    "favore",
    "plaît",
];

/// Verbs of making, as one is told to do something.
#[rustfmt::skip]
pub const MAKE: &[&str] = &[
    "put", "make", "set", "use", "leave", "keep", "draw", "write", "print", "place", "add", "avoid", "type", "crop", "align", "centre", "center",
    "highlight", "colour", "color", "shorten", "capitalise", "capitalize", "emphasise", "emphasize", "turn", "lay", "design", "style", "invent", "rephrase",
    "abbreviate", "mach", "macht", "mache", "nimm", "nehmt", "lass", "lasst", "setz", "setzt", "schreib", "schreibt", "druck", "druckt", "zeichne",
    "zeichnet", "stell", "stellt", "verwende", "verwendet", "nutze", "nutzt", "gestalte", "gestaltet", "mets", "mettez", "garde", "gardez", "laisse",
    "laissez", "utilise", "utilisez", "évite", "évitez", "écris", "écrivez", "pon", "ponga", "pónmelas", "pónmelo", "deja", "usa", "evita", "haz",
    "escribe", "metti", "lascia", "scrivi", "põe", "deixa", "maak", "zet", "laat", "gebruik",
];

/// What a thing has on it whatever it says.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    "logo", "logos", "photo", "photos", "picture", "pictures", "image", "images", "icon", "icons", "clipart", "font", "fonts", "typeface", "typefaces",
    "headline", "layout", "background", "colour", "colours", "color", "colors", "palette", "letters", "caps", "capitals", "typography", "wording",
    "hashtag", "hashtags", "template", "bullets", "animation", "animations", "emoji", "emojis", "smiley", "smileys", "cartoon", "cartoons", "chart",
    "graph", "diagram", "borders", "border", "margins", "caption", "arrows", "label", "labels", "foto", "fotos", "bild",
    "bilder", "schrift", "schriften", "farbe", "farben", "hintergrund", "überschrift", "rand", "buchstaben", "balken", "vorlage", "couleurs",
    "police", "fond", "titre", "colores", "letra", "letras", "fondo", "colori", "sfondo", "carattere",
];

/// How large or how strong something shall be, at the end of what is told.
#[rustfmt::skip]
const GRADES: &[&str] = &[
    "big", "bigger", "biggest", "huge", "large", "larger", "small", "smaller", "tiny", "bold", "bolder", "visible", "readable", "legible", "groß",
    "größer", "riesig", "klein", "kleiner", "fett", "grand", "gros", "petit", "grande", "grandes", "pequeño", "piccolo", "visibles", "visible",
    "highlighted", "hervorgehoben", "underlined", "short", "shorter",
];

/// How one asks whether somebody can.
#[rustfmt::skip]
const ASKED: &[&str] = &[
    "can you", "can u", "could you", "could u", "would you", "will you", "may i have", "can i have", "can we have", "could it be", "could we have",
    "kannst du", "könntest du", "könnt ihr", "könntet ihr", "können sie", "könnten sie", "peux-tu", "pouvez-vous", "pourriez-vous", "puedes",
    "podrías", "podéis", "puoi", "potresti", "potete", "kun je", "would you be so kind",
];

/// How one says what one wants.
#[rustfmt::skip]
const WANTED: &[&str] = &[
    "i need", "we need", "i want", "we want", "i'd like", "we'd like", "i'd love", "we'd love", "i would love", "we would love", "i would like", "we would like", "i should like", "we should like", "i'd say",
    "we should appreciate", "i would prefer", "i'd prefer", "it would be lovely if", "it would be nice if", "it would be great if", "it'd be great if",
    "it'd be nice if", "it would be good if", "i imagine", "we imagine", "i was thinking", "ich brauch", "ich brauche", "ich bräuchte", "wir brauchen",
    "wir bräuchten", "ich hätte gern", "ich hätte gerne", "wir hätten gern", "ich möchte", "wir möchten", "schön wäre", "toll wäre", "es wäre schön",
    "es wäre toll", "je voudrais", "j'aimerais", "il me faut", "il nous faut", "necesito", "necesitamos", "quiero", "me gustaría", "vorrei", "mi serve",
    "mi servono", "ci serve", "preciso", "precisamos", "proszę o", "ik wil", "need a", "need an", "need some", "brauch ne", "brauch nen", "brauche ein",
];

/// How a wish is said of the thing itself.
#[rustfmt::skip]
const SHALL: &[&str] = &[
    "should be", "should not", "should stand", "should look", "should feel", "must be", "must not", "must sit", "must fit", "must line up", "must work",
    "need to be", "needs to be", "need not", "has to be", "have to be", "is preferred", "are preferred", "would be appreciated", "is requested",
    "are requested", "is to be placed", "are to be placed", "soll sein", "sollen sein", "muss sein", "soll stehen", "darf nicht", "dürfen nicht",
];

/// How one says that something comes later or by somebody else's hand.
const LATER: &[&str] = &[
    " follows",
    " follow",
    " will be added",
    " will follow",
    " comes later",
    " come later",
    " i'll send",
    " i will send",
    " kommt später",
    " kommen später",
    " folgt",
    " is written already",
    " arrives later",
];

/// Words of a sentence in small letters, with those that only open it apart.
fn opened(lower: &str) -> (Vec<&str>, bool) {
    let mut rest = lower.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let mut is_refused = false;
    loop {
        let (word, more) = rest.split_once(' ').unwrap_or((rest, ""));
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '\'');
        if !OPENERS.contains(&bare) || more.is_empty() {
            break;
        }
        is_refused |= matches!(bare, "don't" | "dont" | "not" | "never");
        rest = more.trim_start();
    }
    (
        rest.split_whitespace()
            .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '\''))
            .collect(),
        is_refused,
    )
}

/// Whether a word is a part of a thing whatever it says.
fn is_part(word: &str) -> bool {
    PARTS.contains(&word) || matches!(word, "slide" | "slides" | "folie" | "folien" | "diapositivas")
}

/// “put the name HUGE and the fees small”, “make it green”: a verb of making, with a part, a grade at its end, or a tone.
fn commands(words: &[&str], lower: &str, is_refused: bool) -> bool {
    let Some(first) = words.first().filter(|first| MAKE.contains(first)) else { return false };
    // “Print your own photos” is said to those who read it.
    let is_of_readers = words.iter().skip(1).take(3).any(|word| readers::is_theirs(word));
    let has_part = !is_of_readers && words.iter().skip(1).any(|word| is_part(word));
    let is_graded = matches!(
        *first,
        "put" | "make" | "set" | "print" | "mach" | "macht" | "setz" | "druck" | "pon" | "pónmelas" | "mets" | "write"
    ) && text::clauses(&words.join(" "))
        .iter()
        .flat_map(|clause| clause.split(" and ").map(str::to_owned).collect::<Vec<_>>())
        // “Write them big dreams, frame them small”: it is the first clause that tells how.
        .take(1)
        .any(|told| {
            told.split_whitespace().count() >= 3
                && told.split_whitespace().last().is_some_and(|last| GRADES.contains(&last))
        });
    let is_toned = matches!(*first, "make" | "mach" | "keep")
        && matches!(words.get(1), Some(&"it" | &"es" | &"them" | &"this"))
        && words.iter().skip(2).any(|word| STYLE.contains(word) || colors::names_color(word));
    let is_invented = is_refused && matches!(*first, "invent" | "rephrase" | "abbreviate" | "shorten");
    has_part || is_graded && !dates::has_moment(lower) || is_toned || is_invented
}

/// “logo bottom right”, “Logo unten rechts”: a part of the page, and where it shall stand.
fn places_part(words: &[&str]) -> bool {
    #[rustfmt::skip]
    const PLACES: &[&str] = &[
        "top", "bottom", "left", "right", "corner", "centre", "center", "middle", "oben", "unten", "links", "rechts", "ecke", "mitte", "mittig", "haut", "bas", "gauche",
        "droite", "arriba", "abajo",
    ];
    let [part, places @ ..] = words else { return false };
    is_part(part)
        && (1..=6).contains(&places.len())
        && places.iter().any(|word| PLACES.contains(word))
        && places.iter().all(|word| PLACES.contains(word) || GRADES.contains(word) || GLUE.contains(word))
}

/// “Bitte bunt gestalten”: a word that begs, words of looks, and the verb of making at their end.
fn begs_to_make(words: &[&str], lower: &str) -> bool {
    let [looks @ .., last] = words else { return false };
    matches!(*last, "gestalten" | "machen" | "halten" | "setzen" | "drucken")
        && (1..=4).contains(&looks.len())
        && looks.iter().any(|word| STYLE.contains(word) || colors::names_color(word))
        && text::words(lower).iter().any(|word| BEGGING.contains(&word.as_str()))
}

/// “Bitte keine Instrumente abbilden”: a verb that only a page has, and what it shall not show.
fn refuses_to_show(words: &[&str], lower: &str) -> bool {
    let shows = |word: &&&str| matches!(**word, "abbilden" | "abgebildet" | "darstellen" | "draufmachen" | "depicted");
    let is_refused = text::words(lower).iter().any(|word| REFUSING.contains(&word.as_str()));
    words.last().as_ref().is_some_and(shows) && is_refused && words.len() <= 8
}

/// “Mit Lorbeerkranz wenn es geht”, “with a ribbon if possible”: what shall be beside the words, where there is a way.
fn wishes_if_possible(words: &[&str], lower: &str) -> bool {
    #[rustfmt::skip]
    const POSSIBLE: &[&str] = &[
        " wenn es geht", " wenn's geht", " wenns geht", " wenn möglich", " falls möglich", " if possible", " if you can", " si possible", " si es posible",
        " se possibile",
    ];
    let bare = lower.trim_end_matches(['.', '!', ' ']);
    words.first().is_some_and(|first| matches!(*first, "mit" | "with" | "avec" | "con"))
        && POSSIBLE.iter().any(|end| bare.ends_with(end))
        && words.len() <= 9
        && !dates::has_moment(lower)
        && amounts::next_amount(lower, 0).is_none()
}

/// “If the text is too long you may leave out …”: what shall be done where the room is not enough.
fn is_of_room(lower: &str) -> bool {
    const ROOM: &[&str] = &[
        "text is too long",
        "too much text",
        "no te cabe",
        "nicht draufpasst",
        "nicht reinpasst",
        "ne tient pas",
        "non ci sta",
        "zu viel text",
        "trop de texte",
        "doesn't all fit",
        "doesn't fit on",
        "don't fit",
        "noch platz",
        "nicht alles passt",
        "ne rentre pas",
        "no cabe todo",
        "non ci sta tutto",
        "there is room",
        "there's room",
    ];
    ["if ", "wenn ", "falls ", "si ", "se "].iter().any(|lead| lower.starts_with(lead))
        && ROOM.iter().any(|sign| lower.contains(sign))
}

/// “bars or a line, whatever reads better”: what whoever makes the thing may choose.
fn leaves_choice(words: &[&str], lower: &str) -> bool {
    #[rustfmt::skip]
    const CHOICES: &[&str] = &[
        "whatever reads", "whatever looks", "whatever fits", "whatever works", "whatever you like", "whatever you think", "whichever reads", "whichever looks",
        "whichever fits", "was besser passt", "was besser aussieht", "was besser wirkt", "was schöner ist", "was dir besser gefällt", "wie du meinst", "comme tu veux",
        "comme vous voulez", "como quieras", "come preferisci",
    ];
    words.len() <= 10 && CHOICES.iter().any(|choice| lower.contains(choice)) && amounts::next_amount(lower, 0).is_none()
}

/// “numbered headings are fine”, “icons welcome”: a part of the page that may be there.
fn permits(words: &[&str]) -> bool {
    let [told @ .., last] = words else { return false };
    matches!(*last, "ok" | "okay" | "fine" | "welcome")
        && (1..=6).contains(&told.len())
        && told.iter().any(|word| readers::is_of_page(word) && !STYLE.contains(word) && !colors::names_color(word))
}

/// “Speaker notes not needed”, “charts are not necessary”, “Logo nicht nötig”: a part of a thing that need not be there.
fn is_unneeded(words: &[&str]) -> bool {
    let [told @ .., not, last] = words else { return false };
    matches!(*not, "not" | "nicht" | "pas" | "no")
        && matches!(
            *last,
            "needed"
                | "necessary"
                | "required"
                | "wanted"
                | "nötig"
                | "notwendig"
                | "gewünscht"
                | "nécessaire"
                | "nécessaires"
                | "necesario"
                | "necesarios"
                | "necessario"
                | "necessari"
        )
        && (1..=5).contains(&told.len())
        && told
            .iter()
            .any(|word| is_part(word) || *word == "notes" || readers::is_of_page(word) && !STYLE.contains(word))
}

/// “Schrift mindestens 24 Punkt”, “font size at least 14 pt”: how large the letters shall be.
fn measures_letters(words: &[&str], lower: &str) -> bool {
    let is_letters = |word: &&str| {
        matches!(
            *word,
            "schrift"
                | "schriftgröße"
                | "schriftgrad"
                | "font"
                | "type"
                | "letters"
                | "text"
                | "police"
                | "letra"
                | "carattere"
                | "caratteri"
        )
    };
    let is_least = [
        "at least",
        "min",
        "minimum",
        "mindestens",
        "wenigstens",
        "au moins",
        "al menos",
        "almeno",
        "not below",
        "nicht unter",
    ]
    .iter()
    .any(|least| lower.contains(least));
    words.iter().take(2).any(is_letters)
        && is_least
        && words.len() <= 8
        && words.iter().any(|word| word.starts_with(|first: char| first.is_ascii_digit()))
}

/// “flowers pls”, “some big stars plz”: a thing to be drawn, begged for as one types it to a designer.
fn begs_for_motif(words: &[&str]) -> bool {
    let [told @ .., last] = words else { return false };
    let is_thing =
        |word: &str| word.ends_with('s') && !word.ends_with("ss") || is_of_look(word) || MOTIFS.contains(&word);
    TYPED_PLEASE.contains(last)
        && (1..=3).contains(&told.len())
        && (told.last().is_some_and(|word| is_thing(word)) || told.iter().any(|word| is_of_look(word)))
        && !told.iter().any(|word| {
            REFUSING.contains(word) || OF_GUESTS.contains(word) || is_determiner(word) || readers::is_brought(word)
        })
}

/// “leave the lower quarter free for the sticker”; a door and a way are left free in the world.
fn leaves_free(words: &[&str], lower: &str) -> bool {
    #[rustfmt::skip]
    const FREE: &[&str] = &["free", "empty", "blank", "frei", "leer", "libre", "vide", "vacío", "vuoto", "livre", "vrij"];
    let verbs = ["leave", "lass", "lasst", "laisse", "laissez", "deja", "lascia", "deixa", "laat"];
    words.first().is_some_and(|first| verbs.contains(first))
        && words.iter().any(|word| FREE.contains(word))
        && !names_place(lower)
}

/// Where in a sentence it is said what is wanted, and what is: “the Authority would be grateful for a fact sheet”.
pub fn wanted_from(lower: &str) -> Option<usize> {
    const GRATEFUL: &[&str] =
        &["would be grateful for", "requests", "kindly request", "ask you for", "bitten um", "bittet um"];
    WANTED.iter().chain(ASKED).chain(GRATEFUL).filter_map(|lead| lower.find(lead).map(|at| at + lead.len())).max()
}

fn names_kind(lower: &str) -> bool {
    kinds::find(lower).is_some_and(|named| lower[..named.start].split_whitespace().count() <= 6)
}

/// What is handed over while a thing is made.
const HANDED: &[&str] =
    &["proof", "draft", "drafts", "pdf", "version", "file", "layout", "korrekturabzug", "entwurf", "épreuve"];

/// Whether a word speaks of a look: also as a part of a longer one, as “Hundebildchen”, or of several, as “greys”.
pub fn is_of_look(word: &str) -> bool {
    DESIGN.contains(&word)
        || STYLE.contains(&word)
        || HANDED.contains(&word)
        || is_part(word)
        || colors::names_color(word)
        || word.chars().count() >= 8 && ["bild", "foto", "schrift", "farb"].iter().any(|part| word.contains(part))
}

/// “Could you make a nice square picture of it?”: a question to whoever makes the thing.
pub fn asks(sentence: &str) -> bool {
    let lower = sentence.trim().to_lowercase();
    let rest = opened(&lower).0.join(" ");
    ASKED.iter().any(|lead| starts(&lower, lead) || starts(&rest, lead))
}

/// Whether a sentence or a clause surely speaks to whoever makes the thing, wherever it stands.
pub fn speaks(sentence: &str) -> bool {
    commands_or_asks(sentence) || page_talk::speaks_of_page(sentence) || tells_of_sheet(sentence)
}

/// Whether a sentence without a price, an address or a quotation tells of the sheet itself.
fn tells_of_sheet(sentence: &str) -> bool {
    of_sheet::tells_of_sheet(sentence) && !facts::has_fact(sentence) && !readers::speaks_to_readers(sentence)
}

/// Whether a sentence tells whoever makes the thing what to do, or asks them.
fn commands_or_asks(sentence: &str) -> bool {
    let lower = sentence.trim().to_lowercase();
    let (words, is_refused) = opened(&lower);
    let Some(first) = words.first() else { return false };
    // “Do not write “starter””: what stands in quotation marks is not to be said.
    let is_forbidden = is_refused
        && MAKE.contains(first)
        && text::quoted(sentence).is_some_and(|(_, inner, _)| inner.split_whitespace().count() <= 3);
    if is_forbidden || refuses_to_show(&words, &lower) || wishes_if_possible(&words, &lower) {
        return true;
    }
    if lower.len() != sentence.trim().len()
        || facts::has_fact(sentence)
        || is_refrain(sentence)
        || readers::speaks_to_readers(sentence)
    {
        return false;
    }
    if commands(&words, &lower, is_refused)
        || begs_to_make(&words, &lower)
        || places_part(&words)
        || leaves_free(&words, &lower)
        || is_of_room(&lower)
        || leaves_choice(&words, &lower)
        || permits(&words)
        || is_unneeded(&words)
        || measures_letters(&words, &lower)
        || begs_for_motif(&words)
    {
        return true;
    }
    let has_part = words.iter().skip(1).any(|word| is_part(word));
    let rest = words.join(" ");
    let asks = |leads: &[&str]| leads.iter().any(|lead| starts(&lower, lead) || starts(&rest, lead));
    let makes = || {
        words
            .iter()
            .any(|word| MAKE.contains(word) || matches!(*word, "do" | "prepare" | "zeichnen" | "machen" | "gestalten"))
    };
    let speaks_of_thing = names_kind(&lower) || has_part;
    wants_that(&lower)
        || (asks(ASKED) && (makes() || starts(&lower, "could it be")) && (speaks_of_thing || ends_begging(&words)))
        || (asks(WANTED) && (speaks_of_thing || words.iter().any(|word| matches!(*word, "somewhere" | "irgendwo"))))
        || (has_part || is_part(first)) && SHALL.iter().any(|shall| lower.contains(shall))
        || (is_part(first) || words.get(1).is_some_and(|word| is_part(word)))
            && LATER.iter().any(|later| format!(" {lower}").contains(later))
}

/// “We want that the date is big and that it looks friendly”: what is wanted, of which half at least speaks of a look.
fn wants_that(lower: &str) -> bool {
    const THAT: &[&str] = &[" that ", " dass ", " daß ", " que ", " che "];
    let Some(lead) = WANTED
        .iter()
        .chain(&["we wish", "i wish", "wir wollen", "ich will", "nous voulons", "queremos"])
        .find(|lead| starts(lower, lead))
    else {
        return false;
    };
    let told = format!(" {}", lower[lead.len()..].trim_start_matches([',', ' ']));
    let Some(that) = THAT.iter().find(|that| told.starts_with(**that)) else { return false };
    let wishes: Vec<&str> = told[that.len()..].split(that).collect();
    let looks = wishes
        .iter()
        .filter(|wish| text::words(wish).iter().any(|word| is_of_look(word) || GRADES.contains(&word.as_str())))
        .count();
    looks * 2 >= wishes.len()
}

/// Whether something is left that lies about in the world: a way, a door, a place to park.
fn names_place(lower: &str) -> bool {
    ["door", "drive", "exit", "entrance", "parking", "gate", "way", "road", "tür", "ausfahrt", "eingang", "weg", "seat"]
        .iter()
        .any(|word| text::words(lower).iter().any(|own| own == word))
}

fn starts(text: &str, lead: &str) -> bool {
    text.strip_prefix(lead).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

pub fn first_of(lower: &str) -> &str {
    opened(lower).0.first().copied().unwrap_or_default()
}

fn second_of(lower: &str) -> &str {
    opened(lower).0.get(1).copied().unwrap_or_default()
}

fn ends_begging(words: &[&str]) -> bool {
    words.iter().any(|word| BEGGING.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_what_is_said_to_a_maker() {
        for sentence in [
            "Please do not use any pictures of our members.",
            "put the name HUGE and the fees small",
            "Do not write \"starter\", we are no airline",
            "and mach bitte keine Bilder von Hunden drauf",
            "don't add hashtags, i do that myself",
            "The labels must sit on the arrows.",
            "could you make a nice square picture out of it?",
            "I should like an invitation with sweet peas on it",
            "Make it green but not too much",
            "the logo follows on Monday",
            "Do not invent or shorten the headline",
            "logo bottom right",
            "Logo klein unten rechts",
            "We want that the date is big and that it looks friendly",
            "Wir möchten, dass das Datum groß ist und dass es freundlich aussieht",
        ] {
            assert!(speaks(sentence), "{sentence}");
        }
        for sentence in [
            "Please come no more than two at a time",
            "bring a chair",
            "Keep dogs on the lead",
            "Use the side entrance",
            "Write every accident in the grey book, even a small one.",
            "Can you spare an hour a week?",
            "We need volunteers for the harvest",
            "Make friends and keep them",
            "Leave the gate as you found it",
            "Do not swim.",
            "Stir butter and sugar, then add the eggs",
            "We want that everybody comes home and that nobody walks alone",
        ] {
            assert!(!speaks(sentence), "{sentence}");
        }
    }
}
