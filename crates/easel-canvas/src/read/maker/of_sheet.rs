//! What is told of the sheet itself while it is made: where it will hang, who prints it, what it shall look like again, what it
//! might have.
//!
//! What holds: each sentence speaks of the sheet as “it”, or says whose hand it goes through; one that has more to say is left
//! alone. Deliberately not here: what is said of a piece on it (`page_talk`), and commands of making (`maker`).

use crate::read::colors;
use crate::read::page_talk::phrases::{Word, word_at, words_of};
use crate::read::vocabulary::REFUSING;

/// A sentence about the sheet has no more words.
const MOST_WORDS: usize = 20;

/// What a sheet hangs or lies on, in small letters.
#[rustfmt::skip]
const HANGS_ON: &[&str] = &[
    "wall", "window", "door", "board", "noticeboard", "counter", "till", "fridge", "mirror", "lectern", "tables", "gate", "hatch", "railing", "wand", "tür", "fenster", "schaufenster",
    "theke", "tresen", "kühlschrank", "pforte", "tafel", "brett", "pinnwand", "mur", "porte", "vitrine", "comptoir", "frigo", "pared", "puerta", "escaparate",
    "mostrador", "nevera", "atril", "parete", "porta", "vetrina", "bancone", "muur", "deur", "raam", "parede",
];

/// How one says that the sheet will be somewhere; it is the subject or is left out.
#[rustfmt::skip]
const WILL_BE: &[&str] = &[
    "it goes", "it'll go", "it will go", "it is going", "it's going", "its going", "it hangs", "it will hang", "it'll hang", "it will be on", "it's for", "its for", "it is for", "it wants to be",
    "this goes", "this will hang", "they go", "they hang", "goes on", "es hängt", "es kommt", "das hängt", "das kommt", "hängt dann", "kommt dann", "wird aufgehängt", "ça va", "il va être",
    "elle va", "va en", "va sur", "va sul", "va sulla", "lo cuelgo", "la cuelgo", "lo colgamos", "lo appendo", "lo appendiamo", "het hangt", "het komt", "vai na", "vai no",
];

/// What is done with a sheet when it is made, and with few other things that are “it”.
const DONE_WITH: &[&str] = &[
    "print",
    "printing",
    "laminate",
    "laminating",
    "proofread",
    "proofreading",
    "photocopy",
    "photocopying",
    "framing",
    "druckt",
    "laminiert",
    "kopiert",
];

/// Pronouns that stand for the sheet behind a verb.
const IT: &[&str] = &["it", "them", "these", "this"];

/// How one asks what the sheet might be or have.
#[rustfmt::skip]
const MIGHT: &[&str] = &[
    "can it have", "could it have", "can it be in", "could it be in", "can it be a bit", "could it be a bit", "can it look", "could it look", "can there be", "could there be",
    "or is that too", "or is it too", "is that too much", "would that be too", "kann es", "könnte es", "kann da", "könnte da", "oder ist das zu", "wäre das zu", "ist das zu viel", "peut-il y avoir",
    "est-ce que ça peut", "ça peut être", "ou c'est trop", "puede tener", "puede ser en", "puede llevar", "o es demasiado", "può avere", "può essere in", "o è troppo",
    "kan het", "of is dat te",
];

/// What one calls what was made before.
#[rustfmt::skip]
const BEFORE: &[&str] = &[
    "like last time", "like the last time", "like last year", "like the last one", "like the old one", "as usual", "same as always", "same as last", "wie immer", "wie letztes mal", "wie letztes jahr", "wie beim letzten",
    "comme d'habitude", "comme la dernière fois", "comme l'an dernier", "comme toujours", "como siempre", "como la otra vez", "como la última vez", "como el año pasado",
    "come sempre", "come al solito", "come l'altra volta", "come l'ultima volta", "come l'anno scorso", "zoals altijd", "zoals vorig jaar", "zoals de vorige",
    "como sempre", "como da última vez",
];

/// Whether a sentence tells of the sheet itself.
pub fn tells_of_sheet(sentence: &str) -> bool {
    let lower = sentence.trim().to_lowercase();
    let words = words_of(sentence.trim());
    if words.is_empty() || words.len() > MOST_WORDS {
        return false;
    }
    hands_over(&words)
        || will_hang(&words, &lower)
        || is_done_with(&words)
        || asks_of_it(&words, &lower)
        || forbids_motif(&words)
        || fills_side(&words, &lower)
        || takes_off(&words, &lower)
        || is_made_again(&words, &lower)
}

/// “here my notes from Monday”, “anbei unsere Preise”: what the text is made from.
fn hands_over(words: &[Word]) -> bool {
    #[rustfmt::skip]
    const MATERIAL: &[&str] = &[
        "notes", "text", "list", "numbers", "details", "copy", "wording", "draft", "data", "notizen", "zahlen", "liste", "angaben", "stichpunkte", "daten", "texte",
        "chiffres", "notas", "texto", "datos", "lista", "appunti", "testo", "dati", "tekst", "notities", "dados",
    ];
    #[rustfmt::skip]
    const WHOSE: &[&str] = &[
        "my", "our", "the", "all", "is", "are", "mein", "meine", "unser", "unsere", "die", "der", "das", "mes", "nos", "les", "le", "mis", "nuestras", "las", "los", "el", "i", "gli", "il", "la",
        "mijn", "onze", "de", "as", "os", "o",
    ];
    let is_here = matches!(
        word_at(words, 0),
        "here" | "here's" | "heres" | "hier" | "anbei" | "voici" | "aquí" | "ecco" | "aqui" | "attached" | "below"
    );
    let noun = (1..=3).find(|at| MATERIAL.contains(&word_at(words, *at)));
    is_here && words.len() <= 9 && noun.is_some_and(|noun| (1..noun).all(|at| WHOSE.contains(&word_at(words, at))))
}

/// “it goes on the wall by the oven”, “Hängt dann an der Pforte”, “va en el atril”: where the sheet will be.
fn will_hang(words: &[Word], lower: &str) -> bool {
    let told = lower.strip_prefix("and ").or_else(|| lower.strip_prefix("und ")).unwrap_or(lower);
    WILL_BE.iter().any(|lead| told.starts_with(lead))
        && words.iter().skip(2).take(7).any(|word| HANGS_ON.contains(&word.lower.as_str()))
}

/// “Max is printing it on Saturday”, “das druckt meine Schwester”: through whose hands it goes. Of a course of work that is
/// told it is said who prints what, and not that somebody is about to.
fn is_done_with(words: &[Word]) -> bool {
    let is_about_to = words.windows(3).take(7).enumerate().any(|(at, told)| {
        let is_being =
            matches!(told[0].lower.as_str(), "is" | "are" | "will" | "wird") || told[0].lower.ends_with("'s");
        let who = at > 0 || told[0].lower.ends_with("'s");
        who && is_being && DONE_WITH.contains(&told[1].lower.as_str()) && IT.contains(&told[2].lower.as_str())
    });
    let is_fronted = matches!(word_at(words, 0), "das" | "es" | "sie") && DONE_WITH.contains(&word_at(words, 1));
    is_about_to || is_fronted
}

/// “could it be in the shape of a shell?”, “or is that too much”: what the sheet might be or have.
fn asks_of_it(words: &[Word], lower: &str) -> bool {
    let is_asked =
        lower.ends_with('?') || lower.contains(" too ") || lower.contains(" zu viel") || lower.contains("trop");
    is_asked && words.len() <= 12 && MIGHT.iter().any(|lead| lower.trim_start_matches("and ").starts_with(lead))
}

/// “my boss says no pictures of cakes”: what somebody else will not have on it.
fn forbids_motif(words: &[Word]) -> bool {
    let said = words.iter().take(6).position(|word| {
        matches!(
            word.lower.as_str(),
            "says" | "said" | "sagt" | "meint" | "dit" | "dice" | "zegt" | "diz" | "wants" | "will" | "veut" | "quiere"
        )
    });
    said.is_some_and(|said| {
        said > 0
            && REFUSING.contains(&word_at(words, said + 1))
            && words[said + 2..].iter().take(3).any(|word| super::is_part(&word.lower))
    })
}

/// “A lion on the front”, “so nothing on the outside of the card”: what a side of the sheet shows, or shall not.
fn fills_side(words: &[Word], lower: &str) -> bool {
    const FRONTS: &[&str] = &[
        " on the front",
        " on the cover",
        " vorne drauf",
        " auf die vorderseite",
        " auf der vorderseite",
        " sur la couverture",
        " sur le devant",
        " en la portada",
        " en portada",
        " in copertina",
        " sul davanti",
        " op de voorkant",
    ];
    const BARE: &[&str] = &[
        "nothing on the outside",
        "nothing on the front",
        "nothing on the back",
        "nichts auf die vorderseite",
        "nichts auf der vorderseite",
        "nichts auf die rückseite",
        "rien sur le devant",
        "rien au dos",
        "nada en la portada",
        "nada por detrás",
        "niente sul retro",
        "niente sul davanti",
    ];
    let bare = lower.trim_end_matches(['.', '!', ' ']);
    (2..=6).contains(&words.len()) && FRONTS.iter().any(|front| bare.ends_with(front))
        || BARE.iter().any(|nothing| lower.contains(nothing))
}

/// “we don't do them anymore so don't put”, “la foto no la pongas”, “laat ik er af”: something that shall not be on it, with the
/// verb at the end.
fn takes_off(words: &[Word], lower: &str) -> bool {
    #[rustfmt::skip]
    const ENDS: &[&str] = &[
        "so dont put", "so don't put", "so do not put", "dont put it on", "don't put it on", "do not put it on", "dont put them on", "don't put them on", "leave it off this time",
        "leave that off", "leaving that off", "nicht mit drauf", "nicht draufschreiben", "lass ich weg", "lassen wir weg", "muss nicht drauf", "no lo pongas", "no la pongas",
        "no los pongas", "no las pongas", "no la pongas esta vez", "no lo pongas esta vez", "ne le mets pas", "ne la mets pas", "ne les mets pas", "non metterlo", "non metterla",
        "non metterli", "laat ik er af", "laat ik er dit keer af", "laat het er af", "não ponhas",
    ];
    let bare = lower.trim_end_matches(['.', '!', ' ']);
    words.len() >= 3 && ENDS.iter().any(|end| bare.ends_with(end))
}

/// “red and gold like the sign”, “fammela come l'altra volta”: as something that there is already.
fn is_made_again(words: &[Word], lower: &str) -> bool {
    let is_colored = words.first().is_some_and(|first| colors::names_color(&first.lower));
    let is_likened = words
        .iter()
        .skip(1)
        .take(4)
        .any(|word| matches!(word.lower.as_str(), "like" | "wie" | "comme" | "como" | "come" | "zoals"));
    let likened_to_ours = [
        "like the ",
        "like our ",
        "wie das ",
        "wie die ",
        "wie der ",
        "wie unser",
        "comme le ",
        "comme la ",
        "comme notre ",
        "como el ",
        "como la ",
        "como nuestr",
        "come il ",
        "come la ",
        "come il nostro",
    ];
    let is_of_look =
        is_colored && is_likened && words.len() <= 9 && likened_to_ours.iter().any(|like| lower.contains(like));
    let is_begged = [
        "fammel", "fallo", "falla", "hazlo", "hazla", "házmel", "hazmel", "fais-le", "fais-la", "mach es", "mach's",
        "machs", "make it", "do it", "maak het", "faz",
    ]
    .iter()
    .any(|lead| lower.starts_with(lead));
    is_of_look || is_begged && BEFORE.iter().any(|before| lower.contains(before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_of_the_sheet_is_known_by_its_build() {
        for sentence in [
            "here my notes from monday",
            "hier unsere Zahlen vom Juni",
            "Voici le texte de la carte",
            "it goes on the wall by the till",
            "It will hang on the door of the gym",
            "hängt dann im Fenster vom Laden",
            "ça va sur la porte du garage",
            "va en la puerta del bar",
            "va sulla vetrina",
            "My sister is printing it tomorrow",
            "das druckt mein Bruder",
            "Rosa will laminate it on Friday",
            "could it be in the shape of a shell?",
            "can it have stars on it?",
            "or is that too much",
            "kann es ein bisschen glitzern?",
            "the boss says no photos of the cakes",
            "sorbet we don't make anymore so don't put",
            "el dibujo del perro no lo pongas",
            "black and silver like the van",
            "A lion on the front",
            "it's a secret so nothing on the outside of the card",
            "un lion sur la couverture",
            "hazla como la última vez pero azul",
            "fais-le comme d'habitude",
        ] {
            assert!(tells_of_sheet(sentence), "{sentence}");
        }
        for sentence in [
            "It goes to the laboratory in Turku",
            "It goes in the oven for an hour",
            "Print it, sign it and bring it along",
            "The press room prints it",
            "Der Drucker druckt es auf Karton",
            "Could it be yours?",
            "Can you spare an hour?",
            "The doctor says no sport for a week",
            "Put it on and go",
            "Red wine and cheese",
            "Sign your name on the back",
            "Here comes the sun",
            "Hier singt der Chor",
            "Here the river meets the sea",
            "White chocolate like grandma made it",
            "Come as you are, like last year",
            "wie immer im Gemeindehaus",
        ] {
            assert!(!tells_of_sheet(sentence), "{sentence}");
        }
    }
}
