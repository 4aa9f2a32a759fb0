//! Where a thing will hang, as a request says in passing: “for our kindergarten bathroom”, “fürs Schaufenster”.
//!
//! What holds: it names nothing of what the thing says. Deliberately not here: a sentence of its own that tells it
//! (`maker::of_sheet`).

use crate::read::maker::BEGGING;
use crate::read::text;
use crate::read::vocabulary::{OWNERS, is_determiner};

/// “for our kindergarten bathroom”: the room in which it hangs.
pub(super) fn is_for_room(words: &str) -> bool {
    #[rustfmt::skip]
    const ROOMS: &[&str] = &[
        "bathroom", "toilet", "toilets", "loo", "kitchen", "hallway", "lobby", "window", "door", "office", "classroom", "wall", "canteen", "staircase", "room", "wartezimmer", "praxis",
        "noticeboard", "foyer", "corridor", "küche", "flur", "tür", "fenster", "treppenhaus", "büro", "klassenzimmer", "wand", "toilette", "bad", "cuisine",
        "couloir", "porte", "vitrine", "bureau", "cocina", "pasillo", "puerta", "oficina", "cucina", "corridoio", "porta", "ufficio",
        "counter", "board", "tafel", "hatch", "playground", "blackboard", "chalkboard", "fridge", "entrance", "reception", "lift", "elevator", "stairwell", "till", "gate", "shed", "laundry", "gym", "bar", "theke", "tresen",
        "kasse", "eingang", "schaufenster", "schaukasten", "kühlschrank", "umkleide", "waschküche", "keller", "aufzug", "ladentür", "comptoir", "ardoise", "caisse", "escaparate", "entrada",
        "pizarra", "barra", "mostrador", "tablón", "lavagna", "bancone", "vetrina", "ingresso", "bacheca",
    ];
    let mut words = text::words(words);
    // “for the noticeboard and the shop please Ann”: it may hang in two rooms, and who is asked stands behind.
    if let Some(end) = words.iter().position(|word| BEGGING.contains(&word.as_str())) {
        words.truncate(end);
    }
    if let Some(and) = words.iter().position(|word| matches!(word.as_str(), "and" | "und" | "et" | "y" | "e"))
        && (1..=3).contains(&words[and + 1..].len())
        && words.get(and + 1).is_some_and(|word| is_determiner(word))
    {
        words.truncate(and);
    }
    // “für die Tafel draußen”.
    if words.last().is_some_and(|last| {
        matches!(
            last.as_str(),
            "outside"
                | "inside"
                | "downstairs"
                | "upstairs"
                | "draußen"
                | "drinnen"
                | "unten"
                | "oben"
                | "dehors"
                | "fuera"
                | "fuori"
        )
    }) {
        words.pop();
    }
    // “fürs Schaufenster” has its article in the preposition.
    if let [lead, room] = words.as_slice()
        && matches!(lead.as_str(), "fürs" | "für's" | "am" | "im")
        && ROOMS.contains(&room.as_str())
    {
        return true;
    }
    words.first().is_some_and(|lead| matches!(lead.as_str(), "for" | "für" | "pour" | "para" | "per"))
        && (2..=5).contains(&words.len())
        && words.get(1).is_some_and(|word| is_determiner(word) || OWNERS.contains(&word.as_str()))
        && words.last().is_some_and(|last| ROOMS.contains(&last.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_may_hang_in_two_rooms() {
        for words in [
            "for the noticeboard and the bakery please Ann",
            "für die Tür und das Büro",
            "for our hallway",
            "fürs Schaufenster",
        ] {
            assert!(is_for_room(words), "{words}");
        }
        for words in ["for the summer fair", "for the choir and its friends", "for a door and window maker"] {
            assert!(!is_for_room(words), "{words}");
        }
    }
}
