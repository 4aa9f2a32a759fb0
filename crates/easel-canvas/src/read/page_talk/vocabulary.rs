//! The words by which people speak of a page while they say what shall stand on it: its pieces, its places, grades, and verbs
//! of saying, in English, German, French, Spanish and Italian.
//!
//! What holds: all words are in small letters, without marks. Deliberately not here: how they follow each other (`phrases`).

use crate::read::style::{DESIGN, STYLE};
use crate::read::{colors, narrated};

/// Pieces of information, as one speaks of them and not as one says them: “the date”, “die Uhrzeit”.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "title", "titles", "subtitle", "subheading", "tagline", "headline", "heading", "slogan", "name", "names", "surname", "surnames", "date", "dates", "time", "times", "price", "prices",
    "number", "numbers", "address", "line", "lines", "text", "texts", "words", "wording", "sentence", "paragraph", "bit", "bits", "caption", "quote",
    "link", "url", "hashtag", "logo", "logos", "photo", "photos", "pic", "pics", "picture", "pictures", "image", "images", "icon", "icons", "signature", "letters", "label",
    "labels", "chart", "graph", "arrow", "arrows", "footer", "header", "background", "typeface", "font", "numbering", "sponsors",
    "titel", "überschrift", "untertitel", "namen", "nachname", "nachnamen", "datum", "uhrzeit", "zeit", "preis", "preise", "nummer", "adresse", "zeile", "satz",
    "spruch", "wort", "wörter", "absatz", "pfeil", "pfeile", "foto", "fotos", "bild", "bilder", "schrift", "ort", "hintergrund",
    "wappen", "arms", "crest", "emblem", "spelling", "typos", "grammar", "commas", "kleinschreibung", "rechtschreibung", "tippfehler", "kommas", "orthographe", "fautes", "ortografía", "faltas", "ortografia", "titre", "titres", "heure", "heures", "horaire", "horaires", "prix", "nom", "noms", "prénom", "numéro", "ligne", "texte", "phrase", "lieu",
    "título", "fecha", "hora", "horario", "precio", "precios", "nombre", "nombres", "apellido", "número", "teléfono", "dirección", "línea", "texto", "frase", "titolo",
    "data", "ora", "orario", "prezzo", "prezzi", "nome", "nomi", "cognome", "numero", "telefono", "indirizzo", "riga", "testo", "immagine",
];

/// Ends of German words that name a piece: “Telefonnummer”, “Anfangszeit”.
const PIECE_ENDS: &[&str] = &[
    "nummer", "uhrzeit", "name", "namen", "preis", "preise", "adresse", "titel", "zeile", "datum", "foto", "bild",
    "schrift",
];

/// Words that point at one thing: articles that are definite, and whose it is.
#[rustfmt::skip]
const POINTING: &[&str] = &[
    "the", "our", "my", "his", "her", "their", "its", "your", "this", "that", "these", "those", "no", "any", "der", "die", "das", "den", "dem", "des", "unser", "unsere", "unseren", "mein", "meine",
    "meinen", "sein", "seine", "seinen", "ihr", "ihre", "ihren", "le", "la", "les", "son", "sa", "ses", "notre", "nos", "mon", "ma", "mes", "el", "los", "las", "su", "sus", "mi", "mis",
    "nuestro", "nuestra", "il", "lo", "i", "gli", "suo", "sua", "mio", "mia", "nostro", "nostra", "both", "all", "beide", "alle",
];

/// Pronouns for the thing or for a piece of it.
const STANDING_FOR: &[&str] =
    &["it", "them", "that", "this", "these", "those", "one", "es", "das", "sie", "ihn", "ça", "cela", "lo", "eso"];

/// How large, how strong or how clear.
#[rustfmt::skip]
const GRADES: &[&str] = &[
    "big", "bigger", "biggest", "huge", "large", "larger", "largest", "massive", "enormous", "small", "smaller", "smallest", "tiny", "bold", "bolder", "visible", "readable", "legible",
    "prominent", "prominently", "italic", "italics", "underlined", "highlighted", "centred", "centered", "groß", "gross", "größer", "riesig", "klein", "kleiner", "winzig", "fett", "dick", "lesbar",
    "sichtbar", "hervorgehoben", "unterstrichen", "zentriert", "mittig", "auffällig", "grand", "grande", "grandes", "gros", "grosse", "petit", "petite", "gras", "lisible", "visibles", "pequeño",
    "pequeña", "grandi", "piccolo", "piccola", "negrita", "grassetto", "leggibile",
];

/// Words that only strengthen or join the others.
#[rustfmt::skip]
const JOINING: &[&str] = &[
    "the", "a", "an", "of", "and", "or", "it", "is", "be", "as", "so", "too", "very", "really", "quite", "nice", "nicely", "bit", "little", "than", "rest", "just", "only", "also", "then", "please",
    "pls", "plz", "maybe", "perhaps", "still", "simply", "there", "here", "on", "in", "at", "to", "for", "with", "by", "itself", "alone", "own", "same", "again", "now", "schön", "ganz", "sehr", "noch", "bitte", "nur",
    "einfach", "vielleicht", "auch", "dann", "und", "im", "am", "auf", "mit", "der", "die", "das", "den", "dem", "ein", "eine", "einen", "ist", "sein", "als", "gut", "recht", "bien", "très", "en", "le", "la", "les", "un",
    "une", "et", "plus", "de", "du", "muy", "el", "y", "más", "con", "molto", "il", "e", "più", "ben", "tutto", "todo", "tout", "juste", "poi", "puis", "luego", "mal", "drauf", "rauf", "hin", "dort", "da", "wieder", "s'il", "vous", "plaît", "te", "favor", "favore", "per", "por",
];

/// Words that open a sentence and say nothing of what it is.
#[rustfmt::skip]
const OPENING: &[&str] = &[
    "and", "but", "oh", "ah", "also", "so", "ps", "ok", "okay", "then", "please", "pls", "plz", "kindly", "maybe", "perhaps", "right", "well", "now", "just", "um", "uh", "btw", "lastly", "finally",
    "next", "und", "aber", "ach", "bitte", "noch", "dann", "vielleicht", "außerdem", "et", "puis", "mais", "y", "luego", "pero", "e", "poi", "ma", "ensuite", "después", "bzw", "nur",
];

/// Verbs of saying in writing, as one is told to.
#[rustfmt::skip]
const WRITE: &[&str] = &[
    "put", "write", "say", "print", "add", "mention", "state", "note", "include", "type", "stick", "schreib", "schreibt", "schreibe", "schreiben", "setz", "setzt", "setzen", "erwähn", "erwähne", "druck", "écris", "écrivez",
    "écrire", "mets", "mettez", "mettre", "ajoute", "ajoutez", "indique", "indiquez", "pon", "pones", "pone", "ponga", "pongan", "poner", "pongas", "escribe", "escribir", "añade", "metti", "mettete", "metta", "mettere", "scrivi",
    "scrivere", "aggiungi", "name", "list", "show",
];

/// Verbs by which a thing says something.
#[rustfmt::skip]
const SAY: &[&str] = &[
    "says", "say", "reads", "read", "mention", "mentions", "state", "steht", "stehen", "draufstehen", "sagen", "sagt", "dice", "decir", "diga", "dire", "dica", "dit", "dise",
];

/// Verbs that only mention, so that to be told not to use them is never what a thing says.
#[rustfmt::skip]
const MENTION: &[&str] = &[
    "mention", "include", "erwähn", "erwähne", "erwähnen", "draufschreiben", "reinschreiben", "hinschreiben", "draufsetzen", "abdrucken", "angeben", "nennen", "mentionne", "mentionner", "mentionnez", "indique", "indiquer",
    "indiquez", "mencionar", "menciones", "menciona", "indicar", "menzionare", "indicare", "indica",
];

/// Words by which a sentence speaks of the sheet: “on it”, “drauf”.
#[rustfmt::skip]
const ON_SHEET: &[&str] = &[
    "on there", "on it", "anywhere", "on the poster", "on the flyer", "on the card", "on the page", "on the slide", "on the slides", "on the sheet", "on the invitation", "on the certificate", "on the menu",
    "in there", "drauf", "darauf", "draufstehen", "reinschreiben", "hinein", "auf dem plakat", "auf die karte", "auf der karte", "auf den flyer", "auf dem flyer", "aufs plakat", "auf die folien", "sur l'affiche", "dessus",
    "sur le flyer", "sur la carte", "en el cartel", "sulla locandina", "sul volantino",
];

/// What says that something shall catch the eye or stand in a certain way on the page.
#[rustfmt::skip]
const STANDING_OUT: &[&str] = &[
    "stand out", "stands out", "jump out", "jumps out", "jump off", "leap out", "pop out", "catch the eye", "get lost", "gets lost", "first thing you see", "first thing people", "first thing they", "lined up", "line up", "side by side", "same size",
    "en évidence", "saute aux yeux", "sauter aux yeux", "ins auge", "auffallen", "hervorheben", "hervorgehoben", "untergeht", "untergehen", "herausstechen", "gleich groß", "nebeneinander", "untereinander", "en grand", "en gros", "en gras",
    "en grande", "in grande", "in evidenza", "que resalte", "que destaque", "que se vea", "ben visibile", "bien visible", "in bold", "in caps", "in capitals", "in italics", "in big letters", "in large letters", "in small letters", "biggest letters", "quotation marks", "small print",
];

/// Places on a page, behind a preposition.
#[rustfmt::skip]
const PLACES: &[&str] = &[
    "top", "bottom", "middle", "centre", "center", "corner", "left", "right", "foot", "footer", "header", "end", "back", "front", "edge", "side", "cover", "rückseite", "vorderseite", "rand", "ecke", "mitte", "schluss", "ende",
    "haut", "bas", "milieu", "dos", "verso", "recto", "fin", "pie", "final", "medio", "centro", "alto", "basso", "fondo", "cima", "retro", "gauche", "droite", "izquierda", "derecha", "destra", "sinistra",
];

/// Places on a page that stand alone.
#[rustfmt::skip]
const ADVERBS: &[&str] = &[
    "underneath", "below", "beneath", "above", "darunter", "drunter", "darüber", "drüber", "daneben", "oben", "unten", "obendrauf", "vorne", "vorn", "hinten", "links", "rechts", "mittig", "dessous", "dessus", "au-dessous", "au-dessus",
    "ci-dessous", "debajo", "abajo", "arriba", "encima", "sotto", "sopra",
];

/// Prepositions before a place on a page.
#[rustfmt::skip]
const PREPOSITIONS: &[&str] = &[
    "at", "on", "in", "across", "along", "near", "to", "am", "im", "an", "auf", "zum", "en", "au", "à", "sur", "al", "a", "nel", "nella", "su", "sul", "sulla", "aufs", "ins", "into", "for", "onto",
];

/// Prepositions of what stands over, under or beside something else on the page.
const BESIDE: &[&str] = &[
    "under",
    "underneath",
    "below",
    "beneath",
    "above",
    "over",
    "beside",
    "unter",
    "über",
    "neben",
    "hinter",
    "sous",
    "bajo",
    "sotto",
    "behind",
    "after",
    "nach",
];

/// Sheets, cards and pages by their names.
#[rustfmt::skip]
const SHEETS: &[&str] = &[
    "poster", "flyer", "card", "sheet", "page", "slide", "slides", "cover", "back", "invitation", "menu", "certificate", "leaflet", "plakat", "karte", "einladung", "zettel", "aushang", "urkunde", "folie", "seite", "titelseite",
    "affiche", "carte", "cartel", "tarjeta", "locandina", "volantino", "titelfolie", "deckblatt", "folien", "diapo",
];

/// Verbs of marking and changing that are told of a piece.
#[rustfmt::skip]
const CHANGE: &[&str] = &[
    "mark", "circle", "underline", "swap", "move", "delete", "remove", "cut", "drop", "skip", "omit", "colour", "color", "bold", "centre", "center", "enlarge", "shrink", "crop", "align", "highlight", "make", "put", "set", "keep", "write", "print",
    "leave", "use", "show", "list", "give", "let", "have", "group", "pick", "choose", "arrange", "place", "mach", "macht", "machen", "setz", "setzt", "schreib", "schreibt", "lass", "lasst", "nimm", "streich", "markier", "markiere", "unterstreich",
    "stell", "stellt", "druck", "mets", "mettez", "écris", "écrivez", "laisse", "laissez", "souligne", "fais", "faites", "pon", "ponga", "haz", "deja", "subraya", "quita", "resalta", "metti", "scrivi", "lascia", "togli", "fai", "evidenzia", "evidenziate",
];

/// Whether a word names a piece of information.
pub fn is_piece(word: &str) -> bool {
    let bare = bare_noun(word);
    PIECES.contains(&bare) || word.chars().count() >= 8 && PIECE_ENDS.iter().any(|end| word.ends_with(end))
}

/// “l'heure”, “l'orario”: the noun behind its article.
fn bare_noun(word: &str) -> &str {
    ["l'", "l’", "d'", "d’", "dell'", "all'"].iter().find_map(|article| word.strip_prefix(article)).unwrap_or(word)
}

/// Whether a word has its article before it: “l'heure”.
pub fn has_article(word: &str) -> bool {
    bare_noun(word).len() < word.len()
}

/// Whether a word names the title.
pub fn is_title(word: &str) -> bool {
    matches!(
        bare_noun(word),
        "title" | "headline" | "heading" | "titel" | "überschrift" | "titre" | "título" | "titolo"
    )
}

/// Whether a word names the top of a page.
pub fn is_top(word: &str) -> bool {
    matches!(
        word,
        "top" | "oben" | "haut" | "arriba" | "alto" | "cima" | "vorne" | "vorn" | "front" | "cover" | "header"
    )
}

pub fn is_pointing(word: &str) -> bool {
    POINTING.contains(&word)
}

pub fn stands_for(word: &str) -> bool {
    STANDING_FOR.contains(&word)
}

pub fn is_grade(word: &str) -> bool {
    GRADES.contains(&word)
}

pub fn is_joining(word: &str) -> bool {
    JOINING.contains(&word)
}

pub fn is_opening(word: &str) -> bool {
    OPENING.contains(&word)
}

pub fn is_writing(word: &str) -> bool {
    WRITE.contains(&word)
}

pub fn is_saying(word: &str) -> bool {
    SAY.contains(&word)
}

pub fn is_mentioning(word: &str) -> bool {
    MENTION.contains(&word)
}

pub fn is_changing(word: &str) -> bool {
    CHANGE.contains(&word)
}

pub fn is_place(word: &str) -> bool {
    PLACES.contains(&word)
}

pub fn is_adverb(word: &str) -> bool {
    ADVERBS.contains(&word)
}

pub fn is_preposition(word: &str) -> bool {
    PREPOSITIONS.contains(&word)
}

pub fn is_beside(word: &str) -> bool {
    BESIDE.contains(&word)
}

/// Whether a word names a sheet or one of its pages.
pub fn is_sheet(word: &str) -> bool {
    SHEETS.contains(&word) || narrated::is_page(word)
}

/// Whether a word speaks of a look: its colours, its type, its tone.
pub fn is_of_look(word: &str) -> bool {
    STYLE.contains(&word) || DESIGN.contains(&word) || colors::names_color(word)
}

/// Whether a sentence in small letters speaks of the sheet as of a place.
pub fn speaks_of_sheet(lower: &str) -> bool {
    has_phrase(lower, ON_SHEET)
}

/// Whether a sentence in small letters says that something shall catch the eye.
pub fn stands_out(lower: &str) -> bool {
    has_phrase(lower, STANDING_OUT)
}

/// Whether whole words of a sentence in small letters are one of the phrases.
pub fn has_phrase(lower: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| {
        lower.match_indices(phrase).any(|(at, _)| {
            !lower[..at].ends_with(char::is_alphanumeric)
                && !lower[at + phrase.len()..].starts_with(char::is_alphanumeric)
        })
    })
}
