//! How people word a request around what it is about: “can you make us”, “a”, “called”, “for”, “to send on WhatsApp”.

use super::asked;
use super::record::{Request, add, add_some};
use super::rooms::is_for_room;
use crate::read::instructions::{self, Clause};
use crate::read::kinds::{self, Kind};
use crate::read::style::{AUDIENCES, MEDIA};
use crate::read::vocabulary::{ABOUT, ARTICLES, ASKING, CONTRACTED, OWNERS, PAGE_WORDS, is_determiner, is_number_word};
use crate::read::{amounts, dates, text};

/// “out of this”, “from the csv”, “to send on WhatsApp”: what it is made of or used for.
pub(super) fn is_use(behind: &str) -> bool {
    #[rustfmt::skip]
    const USES: &[&str] = &[
        "look", "looks", "look nice", "out of", "from this", "from the", "from my", "from it", "of this", "of it", "from these", "based on", "into", "as a", "as slides", "as a deck", "as deck", "as poster", "als folien", "als präsentation", "als poster",
        "as pdf", "that looks", "that feels", "that fits", "which looks", "to send", "to be", "to print", "to post", "to hang", "to hand", "to put",
        "to share", "in the style", "by tomorrow", "by monday", "better", "nicer", "prettier", "pretty", "properly", "for linkedin", "for instagram",
        "for insta", "for facebook", "for whatsapp", "for the web", "for our website", "for our homepage", "for the wall", "for the window",
        "for the shop window", "for the tables", "for the table", "for the counter", "for the door", "for the hallway", "for the foyer", "for the fridge",
        "for the readme", "for the docs", "for the intranet", "for the wiki", "daraus", "aus dem", "aus der", "aus diesem", "fürs treppenhaus",
        "für die wand", "für das fenster", "fürs fenster", "fürs schaufenster", "für die tische", "fürs intranet", "für unsere webseite",
        "für die webseite", "für instagram", "für linkedin", "zum ausdrucken", "zum aufhängen", "zum verschicken", "da mandare", "da stampare",
        "da appendere", "para imprimir", "para colgar", "para whatsapp", "à imprimer", "à envoyer", "pour instagram", "per instagram", "per whatsapp",
        "for tomorrow", "for today", "for tmrw", "for tmrws",
    ];
    USES.iter().any(|lead| text::strip_start(behind, lead).is_some())
}

/// “for a town fair”, “für einen Basar”: where a thing is shown, with an article that names none. What it is about stands before.
fn is_for_event(tail: &str) -> bool {
    #[rustfmt::skip]
    const EVENTS: &[&str] = &[
        "fair", "market", "show", "exhibition", "expo", "stall", "stand", "booth", "bazaar", "fête", "fete", "conference", "convention", "event", "meetup",
        "messe", "markt", "basar", "stand", "ausstellung", "marktstand", "messestand", "infostand", "veranstaltung", "konferenz", "foire", "marché", "salon",
        "feria", "mercado", "fiera", "mercato",
    ];
    let words = text::words(tail);
    let [lead, article, .., last] = words.as_slice() else { return false };
    matches!(lead.as_str(), "for" | "at" | "für" | "auf" | "pour" | "para" | "per")
        && matches!(article.as_str(), "a" | "an" | "ein" | "eine" | "einen" | "einer" | "einem" | "un" | "une" | "una")
        && words.len() <= 5
        && EVENTS.iter().any(|event| last == event || last.chars().count() > 6 && last.ends_with(event))
        && amounts::next_amount(tail, 0).is_none()
}

/// “Deliverable: invitation, A5”: the label of a form before what is asked for.
pub(super) fn strip_form_label(sentence: &str) -> &str {
    #[rustfmt::skip]
    const FORM: &[&str] = &[
        "deliverable", "deliverables", "format", "output", "product", "request", "wanted", "task", "medium", "project", "what we need", "request for layout",
        "auftrag", "gewünscht", "produkt", "projekt", "aufgabe", "livrable", "projet", "entregable", "proyecto", "progetto",
    ];
    match text::label(sentence) {
        Some((label, body))
            if !body.is_empty() && FORM.contains(&label.trim_matches(['*', ' ']).to_lowercase().as_str()) =>
        {
            body
        }
        _ => sentence,
    }
}

pub(super) fn is_pronoun(subject: &str) -> bool {
    matches!(
        subject.to_lowercase().as_str(),
        "only"
            | "tops"
            | "max"
            | "maximum"
            | "attached"
            | "attached report"
            | "attached file"
            | "attached notes"
            | "attachment"
            | "text"
            | "following"
            | "below"
            | "this"
            | "these"
            | "it"
            | "that"
            | "them"
            | "us"
            | "me"
            | "dies"
            | "das"
            | "uns"
            | "mich"
            | "cela"
            | "ça"
            | "esto"
            | "questo"
            | "you"
    )
}

/// “Präsentation 5 Folien für …”, “présentation de 7 diapos pour …”: how many pages it shall be, right behind the kind.
fn strip_pages<'t>(behind: &'t str, request: &mut Request) -> &'t str {
    let words: Vec<(usize, &str)> = dates::split_words(behind);
    let lead = usize::from(words.first().is_some_and(|(_, word)| {
        matches!(
            word.to_lowercase().as_str(),
            "de" | "of" | "with" | "mit" | "in" | "von" | "avec" | "con" | "di" | "en"
        )
    }));
    let [(_, number), (at, page), ..] = words.get(lead..).unwrap_or_default() else { return behind };
    let is_page = PAGE_WORDS.contains(&page.trim_end_matches(',').to_lowercase().as_str());
    if !is_page || instructions::page_count(&format!("{number} {page}").to_lowercase()).is_none() {
        return behind;
    }
    add(&mut request.instructions, &format!("{number} {page}"));
    behind[at + page.len()..].trim_start()
}

/// “Carrousel LinkedIn pour …”: where it is shown, directly behind the kind, is obeyed; the words behind it.
pub(super) fn strip_medium<'t>(behind: &'t str, request: &mut Request) -> &'t str {
    match behind.split_whitespace().next().filter(|word| MEDIA.contains(&word.to_lowercase().as_str())) {
        Some(shown) => {
            add(&mut request.instructions, shown);
            behind[shown.len()..].trim_start()
        }
        None => behind,
    }
}

/// “post für insta wir suchen …”: where it is shown, behind the word that leads to what it is about, is obeyed.
pub(super) fn strip_shown<'t>(subject: &'t str, request: &mut Request) -> &'t str {
    const NETWORKS: &[&str] =
        &["instagram", "insta", "ig", "linkedin", "facebook", "whatsapp", "tiktok", "twitter", "mastodon", "pinterest"];
    let first = subject.split_whitespace().next().unwrap_or_default();
    let bare = first.trim_end_matches([',', ':', ';']);
    if !NETWORKS.contains(&bare.to_lowercase().as_str()) {
        return subject;
    }
    add(&mut request.instructions, bare);
    strip_about(&subject[first.len()..])
}

/// “A2 pls for the harbour swim”: sizes and words that beg stand between the kind and its subject.
pub(super) fn strip_wishes<'t>(behind: &'t str, request: &mut Request) -> &'t str {
    let mut rest = strip_pages(behind, request);
    let behind = rest;
    while let Some(word) = rest.split_whitespace().next() {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
        let is_wish = matches!(
            bare.as_str(),
            "pls" | "plz" | "please" | "bitte" | "din" | "size" | "asap" | "quick" | "quickly" | "now"
        ) || instructions::is_sheet(&bare)
            || instructions::is_style(&bare)
            || !bare.chars().any(char::is_alphanumeric);
        let more = rest[word.len()..].trim_start();
        // A subject may begin with a word of style: “poster: Big Yard Sale”.
        let leads_on = more.is_empty()
            || ABOUT.iter().chain(CONTRACTED).any(|about| format!(" {} ", more.to_lowercase()).starts_with(about))
            || rest.len() < behind.len();
        if !is_wish
            || !(leads_on || instructions::is_sheet(&bare) || matches!(bare.as_str(), "pls" | "plz" | "din" | "size"))
            || word.chars().next().is_some_and(char::is_uppercase) && instructions::is_style(&bare)
        {
            break;
        }
        add(&mut request.instructions, word);
        rest = more;
    }
    rest
}

/// “Hochzeitseinladung” is for a wedding: the word before the kind, without the letter that joins both.
pub(super) fn compound_start(name: &str, _kind: Kind) -> String {
    let lower = name.to_lowercase();
    let Some(inner) = kinds::FORMS
        .iter()
        .flat_map(|form| form.names)
        .filter(|known| lower.contains(**known) && known.chars().count() >= 5)
        .filter_map(|known| lower.find(*known))
        .filter(|at| *at > 0)
        .min()
    else {
        return String::new();
    };
    let start = name.get(..inner).unwrap_or_default().trim_end_matches('-');
    let lower = start.to_lowercase();
    let joined =
        ["ungs", "heits", "keits", "tions", "schafts", "täts", "lings", "tums", "ags", "eits", "erts", "stags"]
            .iter()
            .any(|end| lower.ends_with(end));
    if joined { start[..start.len() - 1].to_owned() } else { start.to_owned() }
}

/// “for the school fair I need a”, “für unser Hoffest brauchen wir ein”: what it is for, where that stands before who asks.
fn told_before_asking(all: &[&str]) -> Option<String> {
    let lower: Vec<String> = all.iter().map(|word| word.to_lowercase()).collect();
    let from = lower.iter().position(|word| matches!(word.as_str(), "for" | "für" | "pour" | "para" | "per"))? + 1;
    let is_asker = |word: &String| {
        matches!(
            word.as_str(),
            "i" | "we"
                | "you"
                | "ich"
                | "wir"
                | "nous"
                | "je"
                | "brauche"
                | "brauchen"
                | "bräuchte"
                | "bräuchten"
                | "suche"
                | "necesito"
                | "necesitamos"
        )
    };
    let end = from + lower[from..].iter().position(is_asker)?;
    let own = from + usize::from(is_determiner(lower.get(from)?));
    let is_told = (1..=5).contains(&(end.checked_sub(own)?)) && end + 1 < all.len();
    is_told.then(|| all[own..end].join(" ").trim_end_matches(',').to_owned())
}

/// What stands before the kind without articles, tones, and numbers of pages.
pub(super) fn occasion_of(before: &str, request: &mut Request) -> String {
    let all: Vec<&str> = before.split_whitespace().collect();
    // “We need until Monday a poster”: what stands before the article asks for it.
    let begins = |word: &str| is_determiner(word) || matches!(word, "some" | "these");
    // “Ampelstatus der Projekte auf einer Folie”: what shall stand on it is told before.
    if let [told @ .., on, one] = all.as_slice()
        && matches!(*on, "on" | "auf" | "sur" | "en" | "su")
        && (is_determiner(&one.to_lowercase()) || is_number_word(&one.to_lowercase()))
        && told.len() >= 2
        && told[0].starts_with(char::is_uppercase)
        // “Compare our plans on one slide” tells what to do.
        && !matches!(told[1].to_lowercase().as_str(), "the" | "our" | "my" | "a" | "an" | "these" | "this" | "all" | "us" | "me")
        && !crate::read::maker::MAKE.contains(&told[0].to_lowercase().as_str())
    {
        add_some(&mut request.instructions, &format!("{on} {one}"));
        return told.join(" ");
    }
    if let Some(told) = told_before_asking(&all) {
        add_some(&mut request.instructions, before);
        return told;
    }
    let from = all.iter().rposition(|word| begins(&word.to_lowercase())).map_or(0, |at| at + 1);
    add_some(&mut request.instructions, &all[..from].join(" "));
    let words: Vec<&str> = all[from..].to_vec();
    let mut kept: Vec<&str> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '#').to_lowercase();
        let is_page =
            instructions::page_count(&bare.replace('-', " ")).is_some() || PAGE_WORDS.contains(&bare.as_str());
        let is_number = bare.parse::<u32>().is_ok() && !dates::is_period(&bare);
        let next_is_page = words.get(at + 1).is_some_and(|next| {
            PAGE_WORDS.contains(&next.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase().as_str())
        });
        let is_last_of_style = instructions::is_made_of_style(&bare) || instructions::is_sheet(&bare) || bare == "din";
        let is_begging = matches!(bare.as_str(), "please" | "pls" | "plz" | "bitte" | "kindly" | "mal" | "lil" | "little" | "ne" | "nen")
            // “a nice looking one-pager”.
            || matches!(bare.as_str(), "looking" | "aussehende" | "aussehenden" | "aussehendes" | "aussehender")
                && !request.instructions.is_empty();
        // “make it 4 slides” says how many, and of what it says nothing.
        let is_article = (is_determiner(&bare) || matches!(bare.as_str(), "it" | "them" | "es")) && kept.is_empty();
        // “the below into 5 slides”: the number stands directly before the kind.
        let is_count = is_number && (kept.is_empty() || next_is_page || at + 1 == words.len());
        if is_begging || is_page || is_count || is_last_of_style || is_article {
            add(&mut request.instructions, word);
        } else if !(kept.is_empty()
            && matches!(bare.as_str(), "and" | "und" | "or" | "with" | "in" | "for" | "of" | "as" | "&"))
        {
            kept.push(word);
        }
    }
    while kept.last().is_some_and(|word| {
        matches!(
            word.to_lowercase().as_str(),
            "and" | "und" | "for" | "as" | "of" | "a" | "an" | "into" | "als" | "in" | "on" | "the" | "below" | "above"
        )
    }) {
        kept.pop();
    }
    // “our three plans on one slide”: how many pages it shall be.
    if let [.., on, number] = kept.as_slice()
        && matches!(on.to_lowercase().as_str(), "on" | "in" | "auf" | "sur" | "en" | "su" | "into")
        && is_number_word(&number.to_lowercase())
    {
        add(&mut request.instructions, &format!("{} {}", kept[kept.len() - 2], kept[kept.len() - 1]));
        kept.truncate(kept.len() - 2);
    }
    // “as discussed on the phone we need slides”: who asks stands before what is asked for.
    let is_asker =
        |word: &&str| matches!(word.to_lowercase().as_str(), "i" | "we" | "you" | "ich" | "wir" | "nous" | "je");
    if let Some(asker) = kept.iter().rposition(is_asker) {
        let end = kept.len().min(asker + 2);
        add_some(&mut request.instructions, &kept[..end].join(" "));
        kept.drain(..end);
    }
    // “one slide”: a number alone is no occasion.
    if let [only] = kept.as_slice()
        && is_number_word(&only.to_lowercase())
    {
        kept.clear();
    }
    if asked::is_only_asked(&kept) {
        add_some(&mut request.instructions, &kept.join(" "));
        kept.clear();
    }
    let occasion = kept.join(" ").trim_matches([',', ':', '-', '–', ' ']).to_owned();
    // “turn the below into slides”.
    if is_pronoun(&occasion) { String::new() } else { occasion }
}

pub(super) fn strip_asking(text: &str) -> String {
    let mut text = text.trim().trim_start_matches(['#', '-', '*', '•', ' ']);
    loop {
        let found = ASKING
            .iter()
            .chain(ARTICLES)
            .chain(OWNERS)
            .filter_map(|word| {
                text::strip_start(text, word)
                    .filter(|rest| rest.starts_with([' ', ',', ':', '\u{a0}']) || rest.is_empty())
            })
            .min_by_key(|rest| rest.len());
        match found {
            Some(rest) => text = rest.trim_start_matches([' ', ',', ':', '\u{a0}']),
            None => return text.to_owned(),
        }
    }
}

/// “flyer 4 our spring sale”: the number that is said as “for” is, where it counts nothing.
fn strip_typed_for(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("4 ") else { return text };
    let next = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
    let bare = next.trim_matches(|letter: char| !letter.is_alphanumeric());
    let is_counted = bare.ends_with('s')
        || bare.chars().count() < 3
        || PAGE_WORDS.contains(&bare)
        || bare.starts_with(|first: char| first.is_ascii_digit())
        || dates::is_month(bare)
        || matches!(bare, "people" | "personen" | "leute" | "course" | "gänge");
    if is_determiner(bare) || AUDIENCES.contains(&bare) || !is_counted { rest } else { text }
}

/// What follows “for”, “about”, “über” behind the kind.
pub(super) fn strip_about(text: &str) -> &str {
    let mut text = strip_typed_for(text.trim().trim_start_matches([':', '-', '–', ',', '/', ' ']));
    for _ in 0..2 {
        let padded = format!(" {} ", text.to_lowercase());
        let longest = ABOUT
            .iter()
            .chain(CONTRACTED)
            .chain(&[
                " called ",
                " titled ",
                " named ",
                " saying ",
                " that says ",
                " which says ",
                " that reads ",
                " mit dem text ",
                " to ",
                " zum thema ",
                " namens ",
                " that announces ",
                " to announce ",
                " which announces ",
                " inviting ",
                " that explain ",
                " that explains ",
                " which explain ",
                " which explains ",
                " that show ",
                " that shows ",
                " die zeigen ",
                " das zeigt ",
                " die erklären ",
                " das erklärt ",
                " the ",
                " an ",
                " в ",
                " della ",
                " dello ",
                " dei ",
                " di ",
            ])
            .filter(|about| padded.starts_with(**about))
            .max_by_key(|about| about.len());
        // “for The Tin Kettle”: an article that begins large is of the name.
        let is_of_name = text.starts_with("The ") && text[4..].starts_with(char::is_uppercase);
        let longest = longest.filter(|about| !(is_of_name && **about == " the "));
        match longest.and_then(|about| text.get(about.len() - 2..)) {
            Some(rest) if !text.is_empty() => text = rest.trim_start(),
            _ => break,
        }
    }
    text
}

/// The text up to where only instructions follow, and these.
pub(super) fn cut_instructions(text: &str) -> (String, String) {
    let (text, begged) = cut_begging(text.trim());
    let (subject, more) = cut_told(text);
    (subject, [more.as_str(), begged].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "))
}

/// “einen Aushang für unseren Flohmarkt machen”: the German verb of making that ends the clause which asks.
const MAKING: &[&str] =
    &["machen", "erstellen", "gestalten", "entwerfen", "basteln", "bauen", "zaubern", "anfertigen", "setzen"];

/// “Brightpipe by tmrw pls”: words that beg and until when, at the end of what it is about.
fn cut_begging(text: &str) -> (&str, &str) {
    #[rustfmt::skip]
    const BEGGING: &[&str] = &[
        "pls", "plz", "please", "bitte", "svp", "asap", "thx", "thanks", "danke", "merci", "grazie", "gracias", "by tmrw", "by tomorrow", "by tonight", "by monday",
        "by tuesday", "by wednesday", "by thursday", "by friday", "for tmrw", "for tomorrow", "bis morgen", "bis montag", "bis freitag", "por favor",
        "per favore", "s'il te plaît", "s'il vous plaît",
    ];
    let mut end = text.len();
    loop {
        let kept = text[..end].trim_end_matches([' ', ',', '!', '.']);
        let lower = kept.to_lowercase();
        let found = BEGGING
            .iter()
            .chain(MAKING)
            .filter(|word| lower.len() == kept.len() && lower.ends_with(&format!(" {word}")))
            .max_by_key(|word| word.len());
        match found {
            Some(word) => end = kept.len() - word.len() - 1,
            None if end == text.len() => return (text, ""),
            None => return (kept, text[kept.len()..].trim()),
        }
    }
}

/// On what level something is taught: behind it no article stands, and it belongs to the name.
const LEVELS: &[&str] = &["beginners", "dummies", "anfänger", "débutants", "principiantes", "principianti"];

fn cut_told(text: &str) -> (String, String) {
    // “Kannst du mir eine Einladung machen?” says nothing behind the kind but that it shall be made.
    if MAKING.contains(&text.to_lowercase().as_str()) {
        return (String::new(), text.to_owned());
    }
    if matches!(instructions::judge(text), Clause::Instruction) {
        return (String::new(), text.to_owned());
    }
    let places: Vec<usize> = text.match_indices(' ').map(|(at, _)| at).collect();
    for at in places {
        let tail = text[at..].trim();
        let first = tail.split_whitespace().next().unwrap_or_default().to_lowercase();
        let begins = matches!(
            first.as_str(),
            "in" | "with"
                | "for"
                | "as"
                | "on"
                | "auf"
                | "mit"
                | "im"
                | "für"
                | "en"
                | "avec"
                | "con"
                | "pour"
                | "para"
                | "per"
                | "without"
                | "ohne"
                | "that"
                | "–"
                | "-"
                | "to"
                | "als"
                | "fürs"
                | "at"
                | "sans"
                | "sin"
                | "sur"
                | "su"
        );
        // “why cats purr and that are fun”: a second clause of what is asked for.
        let is_also = ["and that ", "and which ", "und die ", "und das "]
            .iter()
            .find_map(|lead| text::strip_start(tail, lead.trim_end()))
            .is_some_and(|told| text::words(told).iter().any(|word| instructions::is_style(word)));
        if is_also {
            return (text[..at].trim().to_owned(), tail.to_owned());
        }
        // “beekeeping for beginners” is taught on a level.
        let is_level = matches!(text::words(tail).as_slice(), [_, level] if LEVELS.contains(&level.as_str()))
            && text[..at].split_whitespace().count() <= 3;
        if is_level {
            continue;
        }
        if begins
            && (is_use(tail)
                || at > 0 && (is_for_event(tail) || is_for_room(tail))
                || matches!(instructions::judge(tail), Clause::Instruction))
        {
            return (text[..at].trim().trim_end_matches([',', '-', '–', ' ']).to_owned(), tail.to_owned());
        }
    }
    (text.to_owned(), String::new())
}

/// “called”, “with the title” before a title say that it is one.
pub(super) fn strip_called(text: &str) -> &str {
    let trimmed = text.trim_end_matches([' ', ',', ':', '-', '–']);
    let lower = trimmed.to_lowercase();
    for ending in [
        " called",
        " titled",
        " entitled",
        " named",
        " with the title",
        " with the headline",
        " with title",
        " with headline",
        " saying",
        " that says",
        " which says",
        " with the words",
        " with the text",
        " reading",
        " for",
        " about",
        " on",
        " mit dem titel",
        " mit titel",
        " mit der überschrift",
        " mit dem text",
        " namens",
        " zum thema",
        " für",
        " über",
        " intitulé",
        " intitulée",
        " avec le titre",
        " titulado",
        " titulada",
        " con el título",
        " dal titolo",
        " intitolato",
    ] {
        if lower.ends_with(ending) && lower.len() == trimmed.len() {
            return &trimmed[..trimmed.len() - ending.len()];
        }
    }
    trimmed
}
