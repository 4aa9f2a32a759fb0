//! Names and places within a sentence: what a thing is called, where on a page something shall stand, a day and the place
//! behind it.

mod behind;

use super::dates;
use super::text;
use super::vocabulary::is_determiner;

/// Words between a thing and what it is called.
#[rustfmt::skip]
const NAMING: &[&str] = &[
    "company is ", "name is ", "product is ", "client is ", " is called ", "everyone calls us ", "everybody calls us ", "people call us ", "alle nennen uns ", "tout le monde nous appelle ", "'s called ", "’s called ", "'re called ", "’re called ", " are called ",
    " is named ", " is titled ", " is entitled ", "heading is ", "headline is ", "title is ", "heading should be ", "headline should be ",
    "title should be ", " should say ", " should shout ", " heißt ", " heißen ", " nennt sich ", "überschrift ist ", "überschrift soll sein ",
    "überschrift soll sein: ", "titel ist ", "titel soll sein ", "titel soll sein: ", "überschrift: ", "der name ist ", " s'appelle ", " s’appelle ",
    " se llama ", " si chiama ", " chama-se ", " nazywa się ", " heet ", "call it ", "nenn es ", "nennt es ",
];

/// Where a name ends before more is said.
#[rustfmt::skip]
const MORE: &[&str] = &[
    " and we ", " and it ", " and they ", " and i ", " and then ", " und wir ", " und es ", " und sie ", " et nous ", " y son ", " y es ", " e siamo ", " – ", " — ",
    " with the ", " because ", " weil ", " by the way", " btw", " übrigens", " au fait", " por cierto", " trouwens",
];

/// What is said in passing, and says nothing.
const FILLERS: &[&str] = &["by the way", "btw", "übrigens", "au fait", "por cierto", "trouwens"];

/// “company is Harborline, we make tugboats”: the name, and what else the sentence says.
pub fn named_by(sentence: &str) -> Option<(String, String)> {
    let lower = sentence.to_lowercase();
    if lower.len() != sentence.len() {
        return None;
    }
    if let Some(name) = name_on_top(sentence).or_else(|| named_without_blanks(sentence)) {
        return Some((String::new(), name));
    }
    if let Some(name) = behind::named_behind(sentence) {
        return Some((String::new(), unquote(&name)));
    }
    if let Some((rest, name)) = behind::titled_at_end(sentence) {
        return Some((rest, unquote(&name)));
    }
    let padded = format!(" {lower}");
    let (at, naming) = NAMING.iter().filter_map(|naming| padded.find(naming).map(|at| (at, naming))).min()?;
    let start = (at + naming.len() - 1).min(sentence.len());
    let (before, rest) = (sentence.get(..at.saturating_sub(1))?, sentence.get(start..)?);
    let quoted = text::quoted(rest).filter(|(gap, ..)| gap.trim().is_empty());
    let (name, behind) = match quoted {
        Some((_, name, behind)) => (name, behind),
        None => {
            let lower = rest.to_lowercase();
            let mark = rest.find([',', '.', ';', '!', '?', '(', ':']).unwrap_or(rest.len());
            let more = MORE.iter().filter_map(|more| lower.find(more)).min().filter(|_| lower.len() == rest.len());
            let end = more.map_or(mark, |more| more.min(mark));
            // “We're off!” is called so with its mark.
            let end = if rest[end..].starts_with(['!', '?']) { end + 1 } else { end };
            (rest[..end].trim(), &rest[end..])
        }
    };
    let begins = name.chars().next().is_some_and(|first| {
        first.is_uppercase() || first.is_ascii_digit() || !first.is_lowercase() && first.is_alphabetic()
    });
    let is_name = (quoted.is_some() || begins) && (1..=9).contains(&name.split_whitespace().count());
    is_name.then(|| {
        let behind = behind.trim_start_matches([',', '.', ';', '!', ':', ' ', '–', '—']);
        let behind = FILLERS.iter().find_map(|filler| text::strip_start(behind, filler)).unwrap_or(behind).trim_start();
        (format!("{} {}", subject_before(before), strip_and(behind)).trim().to_owned(), name.to_owned())
    })
}

/// “タイトルは「海のとなり」”, “标题是“和平之夜””: what a thing is called in scripts that set no blanks.
fn named_without_blanks(sentence: &str) -> Option<String> {
    #[rustfmt::skip]
    const NAMING: &[&str] = &[
        "タイトルは", "題名は", "テーマは", "見出しは", "标题是", "標題是", "标题为", "標題為", "标题叫", "主题是", "主題是", "主题为", "제목은 ",
    ];
    let rest = NAMING.iter().find_map(|lead| sentence.trim().strip_prefix(lead))?;
    let quoted = text::quoted(rest).filter(|(before, ..)| before.trim().is_empty()).map(|(_, name, _)| name);
    let name = quoted.unwrap_or_else(|| rest.trim().trim_end_matches(['。', '！', '.', '!']));
    ["です", "でお願いします"].iter().find_map(|end| name.strip_suffix(end)).or(Some(name)).map(str::to_owned)
}

/// “Meisterfeier steht groß drauf”: a name, and words that say no more than where it stands.
fn name_on_top(sentence: &str) -> Option<String> {
    let sentence = sentence.trim().trim_end_matches(['.', '!']);
    let (name, place) = [" steht ", " goes ", " stands ", " in big letters", " in large letters"]
        .iter()
        .find_map(|verb| sentence.find(verb).map(|at| (sentence[..at].trim(), sentence[at..].trim())))?;
    let words = text::words(place);
    let is_place = words.iter().all(|word| {
        PLACE_GLUE.contains(&word.as_str())
            || matches!(word.as_str(), "stands" | "oben" | "drüber" | "darüber" | "darauf" | "top")
    });
    let is_name = name.chars().next().is_some_and(char::is_uppercase) && name.split_whitespace().count() <= 6;
    (is_place && words.len() >= 2 && is_name).then(|| name.to_owned())
}

/// What stands before the name, where it says more than that there is a thing: “the thing”, “we” say no more.
fn subject_before(before: &str) -> &str {
    #[rustfmt::skip]
    const BARE: &[&str] = &[
        "and", "so", "it", "it's", "the", "this", "that", "we", "we're", "they", "our", "thing", "event", "evening", "night", "day", "show", "series", "cycle",
        "product", "company", "firm", "club", "festival", "course", "workshop", "title", "headline", "heading", "name", "project", "app", "shop", "café", "at",
        "top", "on", "place", "truck", "his", "her", "its", "their", "he", "she", "him", "who", "sein", "ihr", "er", "son", "sa", "su", "suo", "sua", "und", "also", "es", "das", "der", "die", "ganze", "ding", "wir", "veranstaltung", "verein", "firma", "laden", "unser", "unsere", "le", "la",
        "il", "elle", "nous", "el", "ciclo", "se", "lo", "i", "my", "main", "film", "play", "book", "concert", "conference", "meeting", "talk", "exhibition",
    ];
    let before = before.trim().trim_end_matches([',', ':']);
    let is_bare = text::words(before).iter().all(|word| BARE.contains(&word.as_str()));
    if is_bare { "" } else { before }
}

/// Words without the one that joins them to what stood before.
pub fn strip_and(text: &str) -> &str {
    ["and ", "und ", "et ", "y ", "e "].iter().find_map(|and| text.strip_prefix(and)).unwrap_or(text)
}

/// A label without the words that say when its page comes: “Start with the numbers”, “Then people”, “Zum Schluss die Zahlen”.
pub fn without_order(label: &str) -> &str {
    #[rustfmt::skip]
    const ORDER: &[&str] = &[
        "and then", "start with", "starts with", "begin with", "open with", "then", "after that", "finally", "end with", "close with", "finish with", "und dann",
        "dann", "danach", "zum schluss", "am ende", "zuletzt", "ensuite", "puis", "enfin", "pour finir", "luego", "después", "al final", "por último", "poi",
        "infine", "alla fine",
    ];
    let label = label.trim();
    // “last the timeline”: before an article such a word tells of the order.
    let placed = ["first", "last", "next"].iter().find_map(|lead| text::strip_start(label, lead)).filter(|rest| {
        rest.split_whitespace().next().is_some_and(is_determiner) && rest.split_whitespace().count() > 1
    });
    let ordered = ORDER.iter().filter_map(|lead| text::strip_start(label, lead)).min_by_key(|rest| rest.len());
    let Some(rest) = placed.or(ordered) else { return label };
    let rest = rest.trim_start_matches([',', ' ']);
    // “then one about noise” tells of a page, and then what it is about.
    #[rustfmt::skip]
    const PAGES: &[&str] = &[
        "one about", "one on", "one for", "a slide about", "a slide on", "a slide for", "a page about", "a page on", "eine folie über", "eine folie zu",
        "eine seite über", "eine über", "une diapo sur", "une page sur", "una diapositiva sobre", "una slide su",
    ];
    let rest = PAGES.iter().find_map(|page| text::strip_start(rest, page)).unwrap_or(rest).trim_start();
    let (first, more) = rest.split_once(' ').unwrap_or((rest, ""));
    match rest {
        "" => label,
        _ if is_determiner(&first.to_lowercase()) && !more.is_empty() => more.trim_start(),
        _ => rest,
    }
}

/// Whether a label says no more than that somebody begins to tell: “Roughly: …”, “so the story: …”, “Kurz gesagt: …”.
pub fn only_leads(label: &str) -> bool {
    #[rustfmt::skip]
    const LEADS: &[&str] = &[
        "so", "ok so", "okay so", "roughly", "basically", "in short", "in brief", "the story", "so the story", "the story so far", "here goes", "here we go", "it goes",
        "also", "grob", "grob gesagt", "ungefähr", "kurz gesagt", "im grunde", "also die geschichte", "en gros", "en bref", "en resumen", "a grandes rasgos", "in breve",
        "in sostanza", "é assim", "funciona assim", "es así", "va así", "è così", "funziona così", "c'est comme ça", "ça se passe comme ça", "so geht's", "so geht es", "so läuft's",
        "so läuft es", "it's like this", "it goes like this", "it works like this", "this is how it goes", "this is how it works", "zo gaat het",
    ];
    LEADS.contains(&label.trim().to_lowercase().as_str())
}

/// Words that a label of a place on the page is made of, beside the place itself.
#[rustfmt::skip]
const PLACE_GLUE: &[&str] = &[
    "at", "the", "on", "in", "it", "very", "big", "bigger", "large", "small", "smaller", "tiny", "bold", "letters", "type", "print", "name", "as", "a", "an",
    "page", "poster", "and", "of", "ganz", "groß", "klein", "drauf", "soll", "stehen", "steht", "dick", "schrift", "en", "grand", "petit", "grande", "pequeño",
    "piccolo", "tout", "line", "first", "main", "right", "just", "de", "la", "al", "im", "am", "noch", "our", "unser", "motto", "spruch", "sein", "ist", "be", "should", "is", "says", "it's", "goes", "comes",
];

/// Whether a label says that what follows stands at the top: “At the top”, “oben drüber”, “Title”.
pub fn is_title_label(label: &str) -> bool {
    #[rustfmt::skip]
    const TOPS: &[&str] = &[
        "title", "headline", "titel", "überschrift", "titre", "título", "titolo", "tytuł", "heading", "schlagzeile", "haupttitel", "top", "above", "oben",
        "drüber", "darüber", "haut", "arriba", "alto", "principal", "cabecera", "kop", "テーマ", "題名", "タイトル", "主题", "标题", "제목",
    ];
    // “Name of the truck”, “The name of the run”, “nom du bar”.
    let named = [
        "name of ",
        "name der ",
        "name des ",
        "nom du ",
        "nom de ",
        "nombre del ",
        "nombre de ",
        "nome del ",
        "nome della ",
    ];
    let lower = label.to_lowercase();
    let bare = ["the ", "our ", "der ", "unser ", "le ", "el ", "il "]
        .iter()
        .find_map(|article| lower.strip_prefix(article))
        .unwrap_or(&lower);
    if named.iter().any(|lead| bare.starts_with(lead)) && bare.split_whitespace().count() <= 5 {
        return true;
    }
    let words = text::words(label);
    let is_first_line = words == ["first", "line"];
    is_first_line
        || (1..=5).contains(&words.len())
            && words.iter().any(|word| TOPS.contains(&word.as_str()))
            && words.iter().all(|word| TOPS.contains(&word.as_str()) || PLACE_GLUE.contains(&word.as_str()))
}

/// Whether a label says that what follows stands under the rest: “small at the bottom”, “darunter”.
pub fn is_under_label(label: &str) -> bool {
    #[rustfmt::skip]
    const UNDER: &[&str] = &[
        "underneath", "below", "beneath", "under", "bottom", "footer", "darunter", "drunter", "unten", "dessous", "bas", "debajo", "abajo", "sotto", "basso",
        "daaronder", "onderaan", "fußzeile", "footnote", "underline",
    ];
    let words = text::words(label);
    (1..=8).contains(&words.len())
        && words.iter().any(|word| UNDER.contains(&word.as_str()))
        && words.iter().all(|word| UNDER.contains(&word.as_str()) || PLACE_GLUE.contains(&word.as_str()))
}

/// Whether a title says that rules or tips follow: “House rules”, “Badeordnung”, “5 tips for the pool”.
pub fn names_rules(title: &str) -> bool {
    #[rustfmt::skip]
    const RULES: &[&str] = &[
        "rules", "regeln", "hausregeln", "spielregeln", "badeordnung", "hausordnung", "etiquette", "tips", "tipps", "commandments", "gebote", "normas", "reglas", "consejos",
        "règles", "règlement", "consignes", "conseils", "regole", "regolamento", "consigli", "dos", "don'ts", "regels", "zasady",
    ];
    text::words(title)
        .iter()
        .any(|word| RULES.contains(&word.as_str()) || word.ends_with("regeln") || word.ends_with("ordnung"))
}

/// “con las normas de la piscina”, “with the house rules”: rules, behind the words that join them to what they stand on.
pub fn strip_joining(title: &str) -> &str {
    const JOINING: &[&str] = &[
        "with the",
        "with our",
        "mit den",
        "mit der",
        "mit unseren",
        "avec les",
        "avec le",
        "con las",
        "con los",
        "con le",
        "con il",
    ];
    let rest = JOINING.iter().find_map(|lead| text::strip_start(title, lead)).map(str::trim);
    rest.filter(|rest| names_rules(rest)).unwrap_or(title)
}

/// “title Lost & Found”: a label without its colon, before a name that begins large.
pub fn bare_title(line: &str) -> Option<String> {
    let (label, rest) = line.trim().split_once(' ')?;
    let is_title = matches!(
        label.to_lowercase().as_str(),
        "title" | "titel" | "headline" | "überschrift" | "titre" | "título" | "titolo"
    );
    let is_name = rest.chars().next().is_some_and(char::is_uppercase) && rest.split_whitespace().count() <= 8;
    (is_title && is_name && !rest.ends_with('.')).then(|| rest.trim().to_owned())
}

/// “the headline “Your boats are talking””, ““Open all night” is the title”: a title in quotation marks beside words that say
/// no more than that it is one.
pub fn titled(item: &str) -> Option<String> {
    let (before, title, behind) = text::quoted(item)?;
    let (before, behind) = (text::words(before), text::words(behind));
    let leads = behind.is_empty() && before.len() <= 6 && before.iter().any(|word| names_title(word));
    let names = |word: &String| {
        names_title(word) || matches!(word.as_str(), "motto" | "slogan" | "claim" | "tagline" | "spruch")
    };
    let follows = before.is_empty()
        && behind.len() <= 6
        && behind.iter().any(names)
        && behind.iter().take_while(|word| *word != "of").all(|word| names(word) || joins_title(word));
    (leads || follows).then(|| title.to_owned())
}

/// A title without the quotation marks around it.
pub fn unquote(text: &str) -> String {
    let text = text.trim().trim_end_matches(['.', '。']);
    match text::quoted(text) {
        Some((before, inner, behind)) if before.trim().is_empty() && behind.trim().is_empty() => inner.to_owned(),
        _ => text::capitalize(text),
    }
}

fn names_title(word: &str) -> bool {
    matches!(word, "headline" | "title" | "heading" | "name" | "titel" | "überschrift" | "titre" | "título" | "titolo")
}

/// Copulas, modal verbs, articles and the pronouns of whose it is, between a title and the word that says that it is one.
fn joins_title(word: &str) -> bool {
    is_determiner(word)
        || matches!(
            word,
            "is" | "as" | "be" | "should" | "shall" | "that's" | "that" | "ist" | "als" | "soll" | "sein" | "wird"
        )
        || matches!(word, "est" | "comme" | "es" | "como" | "è" | "come" | "it" | "so" | "please" | "bitte")
}

/// “how to repot a monstera”, “wie man Brot backt”: an indirect question, which names what is explained.
pub fn asks_how(clause: &str) -> bool {
    const ASKED: &[&str] = &[
        "how to",
        "how we",
        "how you",
        "why we",
        "why you",
        "what to",
        "when to",
        "wie man",
        "wie wir",
        "wie du",
        "warum wir",
        "warum man",
        "comment",
        "cómo",
        "come si",
    ];
    (4..=10).contains(&clause.split_whitespace().count())
        && ASKED.iter().any(|lead| text::strip_start(clause.trim(), lead).is_some())
}

/// What shall be said, without the words that only say that it shall: “that dinner is at eight”, “the fact that …”, “the
/// date, 3 May”, “where to sign up, which is a.example”.
pub fn direct(item: &str) -> String {
    let item = item.trim();
    for lead in ["the fact that", "that", "dass", "la fait que", "que"] {
        if let Some(rest) = text::strip_start(item, lead).filter(|rest| rest.starts_with(' ')) {
            return text::capitalize(rest.trim());
        }
    }
    for lead in [
        "the date,",
        "the time,",
        "the place,",
        "the venue,",
        "the address,",
        "the price,",
        "the speaker,",
        "the speaker:",
        "the date:",
        "the time:",
        "the place:",
        "the venue:",
        "das datum:",
        "der ort:",
        "die adresse:",
    ] {
        if let Some(rest) = text::strip_start(item, lead) {
            return text::capitalize(rest.trim());
        }
    }
    for lead in ["which is ", "which are "] {
        if let Some((head, rest)) =
            item.split_once(&format!(", {lead}")).filter(|(head, _)| head.split_whitespace().count() <= 5)
        {
            return format!("{}: {rest}", text::capitalize(head));
        }
    }
    item.to_owned()
}

/// Whether a line may be the title of what stands below it: it is no label, no price, no step, and begins with no day.
pub fn is_title(words: &str) -> bool {
    text::label(words).is_none_or(|(_, body)| body.is_empty())
        && !words.contains(['→', '|'])
        && !words.contains("->")
        && dates::first_moment(words).is_none_or(|at| at > 6)
        && super::prices::priced(words).is_none_or(|item| !has_currency(&item.price))
        && super::quotes::quote_of(words).is_none()
        && !is_limit(words)
        && matches!(super::instructions::judge(words), super::instructions::Clause::Content(_))
}

/// “Embargoed until 6 May”: a word of time stands directly before the day.
fn is_limit(words: &str) -> bool {
    dates::first_moment(words).is_some_and(|at| {
        let before = words[..at].trim_end().to_lowercase();
        before.split_whitespace().count() <= 3
            && ["until", "till", "bis", "by", "from", "since", "jusqu'au", "hasta", "fino al", "valid"]
                .iter()
                .any(|word| before.ends_with(word))
    })
}

fn has_currency(price: &str) -> bool {
    super::amounts::amounts(price).iter().any(|amount| amount.is_price(price))
}

/// “Topic is water at the plant: …”: what it is about, and what follows.
pub fn topic_of(sentence: &str) -> Option<(String, String)> {
    #[rustfmt::skip]
    const TOPIC: &[&str] = &[
        "topic is ", "the topic is ", "subject is ", "the subject is ", "it's about ", "it is about ", "its about ", "it's our ", "its our ", "it's for our ", "its for our ", "title is ", "the title is ",
        "title should be ", "das thema ist ", "thema ist ", "es geht um ", "thema soll sein ", "le sujet est ", "el tema es ", "il tema è ",
    ];
    let rest = TOPIC
        .iter()
        .filter_map(|topic| text::strip_start(sentence.trim(), topic.trim_end()))
        .min_by_key(|rest| rest.len())?;
    let end = rest.find([',', ';', '!', ':']).unwrap_or(rest.trim_end_matches('.').len());
    let name = rest[..end].trim().trim_matches(['"', '“', '”']);
    (!name.is_empty() && name.split_whitespace().count() <= 9)
        .then(|| (text::capitalize(name), rest[end..].trim_start_matches([',', ';', '!', ':', '.', ' ']).to_owned()))
}

/// “Jazz night in the cellar of the Blue Heron”: a thing and the place that it happens at.
pub fn divide_place(subject: &str) -> Option<(String, String)> {
    const PLACES: &[&str] = &[
        " in the ",
        " at the ",
        " at ",
        " in our ",
        " at our ",
        " im ",
        " am ",
        " in der ",
        " auf dem ",
        " auf der ",
        " in ",
        " au ",
        " à la ",
        " en el ",
        " en la ",
        " nel ",
        " nella ",
        " alla ",
        " al ",
        " on the ",
    ];
    let (at, place) = PLACES
        .iter()
        .filter_map(|place| subject.find(place).map(|at| (at, *place)))
        .min_by_key(|(at, place)| (*at, std::cmp::Reverse(place.len())))?;
    let (head, behind) = (subject[..at].trim(), subject[at + place.len()..].trim());
    let has_article =
        place.trim().contains(' ') || matches!(place.trim(), "im" | "am" | "au" | "nel" | "nella" | "alla" | "al");
    let is_place = behind.chars().next().is_some_and(char::is_uppercase)
        || has_article && behind.split_whitespace().any(|word| word.chars().next().is_some_and(char::is_uppercase));
    (is_place && !head.is_empty() && !behind.is_empty() && !behind.contains(','))
        .then(|| (head.to_owned(), text::capitalize(subject[at..].trim())))
}

/// A day with its hour, and a place, as details of their own: “12 July at 8 pm in the old mill”.
pub fn divide_moments(text: &str) -> Vec<String> {
    let text = text.trim().trim_matches([',', '.', ' ']);
    if text.is_empty() {
        return Vec::new();
    }
    let mut cuts = Vec::new();
    for place in [
        " in ",
        " at ",
        " im ",
        " in der ",
        " in the ",
        " at the ",
        " auf dem ",
        " au ",
        " à ",
        " en ",
        " bei ",
        " nel ",
        " al ",
        " presso ",
    ] {
        for (at, _) in text.match_indices(place) {
            let behind = text[at + place.len()..].trim_start();
            let is_place = behind.chars().next().is_some_and(|letter| letter.is_uppercase() || letter == '“')
                || behind.starts_with("the ")
                || behind.starts_with("our ")
                || behind.starts_with("der ");
            if is_place
                && !dates::begins_with_date(behind)
                && !dates::is_month(behind.split_whitespace().next().unwrap_or_default())
            {
                cuts.push((at, at + place.len()));
            }
        }
    }
    cuts.sort_unstable();
    match cuts.first() {
        Some((end, start)) if text[..*end].len() > 2 => {
            vec![text::capitalize(text[..*end].trim_end_matches(',')), text::capitalize(text[*start..].trim())]
        }
        _ => vec![text::capitalize(text)],
    }
}
