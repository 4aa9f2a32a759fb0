//! The words of one step: without what only says that it follows, with the word on its arrow, and where it goes back to.
//!
//! Always true: only words are read here, and no box is looked at. Deliberately not here: conditions (`conditions`) and answers
//! (`answers`) that a step stands behind.

use crate::read::text;

/// Words that only say that something follows.
#[rustfmt::skip]
pub(super) const THEN: &[&str] = &[
    "then", "next", "after that", "afterwards", "finally", "first", "at last", "and then", "second", "third", "dann", "danach", "anschließend",
    "zuletzt", "schließlich", "zuerst", "zunächst", "als erstes", "am ende", "und dann", "start with", "start", "ensuite", "puis", "enfin", "d'abord",
    "last of all", "in the end", "no fim", "por fim", "depois", "zum schluss", "al final", "alla fine", "à la fin", "luego", "después", "finalmente", "primero", "poi", "infine", "prima",
];

/// A text with one sign for all arrows.
pub(super) fn unify(text: &str) -> String {
    text.replace("-->", "→").replace("->", "→").replace("=>", "→").replace(['➔', '➜', '⇒'], "→").replace(" > ", " → ")
}

/// Whether a step begins with the whole name of a box, of a word that is no small one.
pub(super) fn begins_with(step: &str, name: &str) -> bool {
    let (step, name) = (text::words(step), text::words(name));
    !name.is_empty() && step.len() > name.len() && step.starts_with(&name) && name[0].chars().count() >= 4
}

/// The words of a name without articles, by which it is known again.
pub(super) fn words_of(name: &str) -> String {
    let words = text::words(name);
    let bare: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .filter(|word| {
            !matches!(*word, "the" | "a" | "an" | "der" | "die" | "das" | "den" | "dem" | "to" | "zu" | "zum" | "zur")
        })
        .collect();
    bare.join(" ")
}

/// “goes to engineering”: what only leads to the next box.
pub(super) fn without_going(name: &str) -> &str {
    ["goes to ", "go to ", "it goes to ", "geht an ", "geht zu ", "va à "]
        .iter()
        .find_map(|lead| text::strip_start(name, lead.trim_end()))
        .map_or(name, str::trim)
}

/// “back to review”, “return to step one”, “zurück zur Prüfung”: the name that is gone back to.
pub(super) fn back_target(name: &str) -> Option<&str> {
    let lower = name.to_lowercase();
    for lead in [
        "go back to ",
        "goes back to ",
        "back to ",
        "return to ",
        "returns to ",
        "zurück zu ",
        "zurück zum ",
        "zurück zur ",
        "zurück an ",
        "geht zurück an ",
        "retour à ",
        "volver a ",
        "torna a ",
        "torna al ",
        "torna alla ",
        "vuelve a ",
        "vuelve al ",
    ] {
        if let Some(at) = lower.find(lead).filter(|_| lower.len() == name.len()) {
            return Some(name[at + lead.len()..].trim());
        }
    }
    None
}

/// “yes: ship it”, “(no) reorder”, “[approved] publish”: the word on an arrow and its box.
pub(super) fn labelled(name: &str) -> Option<(String, String)> {
    let name = name.trim();
    if let Some((label, rest)) = name.strip_prefix(['(', '[']).and_then(|rest| rest.split_once([')', ']'])) {
        let rest = rest.trim().trim_start_matches([':', ' ']);
        return (!rest.is_empty()).then(|| (label.trim().to_owned(), rest.to_owned()));
    }
    let (label, rest) = text::label(name)?;
    let is_answer = matches!(
        label.to_lowercase().as_str(),
        "yes"
            | "no"
            | "ja"
            | "nein"
            | "oui"
            | "non"
            | "sí"
            | "si"
            | "sì"
            | "ok"
            | "not ok"
            | "approved"
            | "rejected"
            | "true"
            | "false"
            | "pass"
            | "fail"
            | "passed"
            | "failed"
            | "else"
            | "otherwise"
            | "sonst"
    );
    (is_answer && !rest.is_empty()).then(|| (label.to_owned(), rest.to_owned()))
}

/// A piece between arrows: the name of its box, and the word on the arrow to it.
pub(super) fn arrow_label(piece: &str) -> (String, String) {
    match labelled(piece) {
        Some((label, name)) => (name, label),
        None => (piece.trim().trim_matches([',', ';', '.', ' ']).to_owned(), String::new()),
    }
}

/// The steps of what is done, one after the other.
pub(super) fn steps_of(action: &str) -> Vec<String> {
    let action = strip_then(action.trim().trim_matches([',', ';', ':', '.', ' ']));
    let steps: Vec<String> = if action.contains('→') {
        action.split('→').map(|step| step.trim().to_owned()).collect()
    } else {
        text::clauses(&action)
    };
    steps.into_iter().map(|step| strip_then(&step)).filter(|step| !step.is_empty()).collect()
}

/// A step without the words that only say that it follows.
pub(super) fn strip_then(text: &str) -> String {
    let mut text = text.trim();
    loop {
        let start = text;
        for then in THEN {
            let rest = text::strip_start(text, then);
            // “Start → …” is a box.
            if let Some(rest) = rest.filter(|rest| !rest.trim().is_empty() && !rest.trim_start().starts_with('→')) {
                text = rest.trim_start_matches([',', ':', ' ']);
            }
        }
        for and in ["and ", "und ", "et ", "y "] {
            text = text.strip_prefix(and).unwrap_or(text);
        }
        if text == start || text.is_empty() {
            return text.to_owned();
        }
    }
}
