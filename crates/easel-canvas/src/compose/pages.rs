//! From what a brief says to passages: a cover and a page for each part, or everything on one page; and the number of
//! pages that was asked for.
//!
//! What always holds: every word of the reading is in the passages. Where pages are asked for and nothing is there to
//! stand on them, they are gaps that say so.

use super::fields;
use super::labels::Labels;
use crate::content::{Figure, Matter, MenuGroup, Passage, Point, plain};
use crate::read::kinds::Kind;
use crate::read::parts::{self, Part};
use crate::read::{Reading, text};

/// The passages of a thing that has a page for each part.
pub fn paged(reading: &Reading, kind: Kind, labels: &Labels) -> Vec<Passage> {
    // A cover that would say nothing is none.
    let is_bare = reading.title.is_empty()
        && reading.subtitle.is_empty()
        && reading.details.is_empty()
        && reading.kicker.is_empty();
    // Nor is there one where none is wanted: what stood on it goes above the first page.
    let is_refused = refuses_cover(reading);
    let has_none = is_bare || is_refused && reading.subtitle.is_empty() && reading.details.is_empty();
    let mut passages = if has_none && !reading.parts.is_empty() { Vec::new() } else { vec![cover(reading)] };
    let agenda: Vec<String> = reading
        .parts
        .iter()
        .filter(|part| !part.title.is_empty() && !parts::is_agenda(&part.title))
        .map(|part| part.title.clone())
        .collect();
    let mut at = 0;
    while let Some(part) = reading.parts.get(at) {
        if let Some(count) = fields::count_at(&reading.parts, at) {
            passages.push(frame(&reading.parts[at..at + count]));
            at += count;
            continue;
        }
        at += 1;
        if kind == Kind::Document && is_heading_of_others(&reading.parts, at - 1) {
            let number = passages.len() as u32;
            passages.push(Passage::new(&part.title, Matter::Section { number, lead: String::new() }));
            continue;
        }
        passages.extend(passages_of(part, kind, labels, &agenda));
    }
    if let Some(first) = passages.first_mut().filter(|first| has_none && first.kicker.is_empty()) {
        first.kicker.clone_from(&reading.title);
    }
    // A frame that is all there is stands under the title, and needs no cover.
    if let [Passage { matter: Matter::Cover { picture: None, .. }, .. }, Passage { matter: Matter::Board { .. }, .. }] =
        passages.as_slice()
        && reading.parts.len() >= 3
        && fields::count_at(&reading.parts, 0) == Some(reading.parts.len())
        && let (Some(mut board), Some(cover)) = (passages.pop(), passages.pop())
    {
        take_head(&mut board, cover);
        passages.push(board);
    }
    passages
}

/// Whether a brief wants no cover: “no cover”, “ohne Titelfolie”.
fn refuses_cover(reading: &Reading) -> bool {
    const REFUSALS: &[&str] = &[
        "no cover",
        "no title slide",
        "no title page",
        "without a cover",
        "without cover",
        "without a title",
        "ohne titelfolie",
        "ohne titelseite",
        "ohne deckblatt",
        "keine titelfolie",
        "sans couverture",
        "sans page de titre",
        "sin portada",
        "senza copertina",
    ];
    let mood = reading.mood.to_lowercase();
    REFUSALS.iter().any(|refusal| mood.contains(refusal))
}

/// The fields of a frame on one page.
fn frame(parts: &[Part]) -> Passage {
    let fields = parts.iter().flat_map(|part| part.matters.iter().map(|matter| titled(&part.title, matter.clone())));
    let matter = Matter::Board { subtitle: String::new(), parts: fields.collect(), details: Vec::new() };
    Passage::new("", matter)
}

/// Puts what stands on a cover at the head of a board.
fn take_head(board: &mut Passage, cover: Passage) {
    if let (Matter::Board { subtitle, details, .. }, Matter::Cover { subtitle: under, details: more, .. }) =
        (&mut board.matter, cover.matter)
    {
        *subtitle = under;
        *details = more;
    }
    board.title = cover.title;
    board.kicker = cover.kicker;
}

/// Whether a part without words is the heading of those after it: so in a document that is written out, where asking
/// for its words would leave a page open in the midst of what is there.
fn is_heading_of_others(parts: &[Part], at: usize) -> bool {
    let written = parts.iter().filter(|part| !part.matters.is_empty()).count();
    !parts[at].title.is_empty()
        && parts[at].matters.is_empty()
        && parts.get(at + 1).is_some_and(|next| !next.matters.is_empty())
        && written >= 3
        && written * 3 >= parts.len() * 2
}

fn cover(reading: &Reading) -> Passage {
    let matter = Matter::Cover { subtitle: reading.subtitle.clone(), details: reading.details.clone(), picture: None };
    Passage { kicker: reading.kicker.clone(), ..Passage::new(&reading.title, matter) }
}

/// The pages of a part.
fn passages_of(part: &Part, kind: Kind, labels: &Labels, agenda: &[String]) -> Vec<Passage> {
    let title = part.title.as_str();
    if part.matters.is_empty() {
        let matter = if parts::is_farewell(title) {
            Matter::Closing { lead: String::new(), details: Vec::new() }
        } else if parts::is_agenda(title) && agenda.len() > 1 {
            Matter::Agenda { items: agenda.to_vec() }
        } else if part.is_named && is_name_of_page(title) {
            Matter::Gap { ask: labels.ask_for(title) }
        } else {
            Matter::Statement { support: String::new() }
        };
        return vec![Passage::new(title, matter)];
    }
    // An agenda that is written out is one.
    if let ([Matter::Points { lead, points, .. }], true) = (part.matters.as_slice(), parts::is_agenda(title))
        && lead.is_empty()
        && points.iter().all(|point| point.body.is_empty())
    {
        let items = points.iter().map(|point| point.head.clone()).collect();
        return vec![Passage::new(title, Matter::Agenda { items })];
    }
    let matters = join_leads(part.matters.clone());
    if title.is_empty() {
        return matters.into_iter().flat_map(|matter| untitled(matter, kind)).collect();
    }
    if let [only] = matters.as_slice() {
        return vec![titled(title, only.clone())];
    }
    let small = matters.iter().all(|matter| !matches!(matter, Matter::Table { table, .. } if table.rows.len() > 6));
    if small && matters.len() <= 4 && kind != Kind::Document {
        let parts = matters.into_iter().map(|matter| Passage::new("", matter)).collect();
        return vec![Passage::new(title, Matter::Board { subtitle: String::new(), parts, details: Vec::new() })];
    }
    let mut first = true;
    matters
        .into_iter()
        .map(|matter| {
            let shown = if kind == Kind::Document && !first { "" } else { title };
            first = false;
            titled(shown, matter)
        })
        .collect()
}

/// Whether the title of a page is only its name, and asks for what shall stand there: a sentence says something itself.
fn is_name_of_page(title: &str) -> bool {
    let is_blankless = title.chars().any(|letter| matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'));
    let is_brief = if is_blankless { title.chars().count() <= 8 } else { title.split_whitespace().count() <= 4 };
    is_brief && !title.ends_with(['。', '.', '!', '！'])
}

/// A matter under its title; what its lead only repeats is left out.
fn titled(title: &str, mut matter: Matter) -> Passage {
    if let Matter::Chart { lead, .. } | Matter::Columns { lead, .. } | Matter::Menu { lead, .. } = &mut matter
        && lead.to_lowercase() == title.to_lowercase()
    {
        lead.clear();
    }
    Passage::new(title, matter)
}

/// A matter that has no title finds one in itself: the name of a chart, a sentence that stands alone.
fn untitled(matter: Matter, kind: Kind) -> Vec<Passage> {
    match matter {
        Matter::Chart { lead, chart, insights } => {
            vec![Passage::new(lead, Matter::Chart { lead: String::new(), chart, insights })]
        }
        Matter::Columns { lead, columns } => vec![Passage::new(lead, Matter::Columns { lead: String::new(), columns })],
        Matter::Menu { lead, mut groups, details } => {
            let title = if lead.is_empty() && groups.len() == 1 { std::mem::take(&mut groups[0].name) } else { lead };
            vec![Passage::new(title, Matter::Menu { lead: String::new(), groups, details })]
        }
        Matter::Prose { paragraphs, .. } if matches!(kind, Kind::Deck | Kind::Carousel) => {
            let sentences: Vec<String> = paragraphs.iter().flat_map(|runs| text::sentences(&plain(runs))).collect();
            let are_brief = sentences.len() <= 6 && sentences.iter().all(|sentence| sentence.chars().count() <= 140);
            if are_brief {
                sentences
                    .into_iter()
                    .map(|sentence| Passage::new(sentence, Matter::Statement { support: String::new() }))
                    .collect()
            } else {
                vec![Passage::new("", Matter::Prose { paragraphs, picture: None })]
            }
        }
        matter => vec![Passage::new("", matter)],
    }
}

/// A short text before a list, a table or a chart leads to it.
fn join_leads(matters: Vec<Matter>) -> Vec<Matter> {
    let mut joined: Vec<Matter> = Vec::new();
    for mut matter in matters {
        let before = match joined.last() {
            Some(Matter::Prose { paragraphs, .. }) => {
                paragraphs.iter().map(|runs| plain(runs)).collect::<Vec<_>>().join(" ")
            }
            _ => String::new(),
        };
        let takes = !before.is_empty() && before.chars().count() <= 200;
        if let (true, Some(lead)) = (takes, lead_of(&mut matter))
            && lead.is_empty()
        {
            *lead = before;
            joined.pop();
        }
        joined.push(matter);
    }
    joined
}

fn lead_of(matter: &mut Matter) -> Option<&mut String> {
    match matter {
        Matter::Points { lead, .. }
        | Matter::Steps { lead, .. }
        | Matter::Figures { lead, .. }
        | Matter::Table { lead, .. }
        | Matter::Chart { lead, .. }
        | Matter::Columns { lead, .. }
        | Matter::Menu { lead, .. } => Some(lead),
        _ => None,
    }
}

/// Everything that a brief says, on one page.
pub fn single(reading: &Reading, kind: Kind, labels: &Labels) -> Passage {
    let kicker = reading.kicker.clone();
    let mut title = reading.title.clone();
    // Only what a menu can hold makes one: a table or plans stand beside each other on a board.
    let fits_menu = |matter: &Matter| {
        matches!(matter, Matter::Menu { .. } | Matter::Prose { .. } | Matter::Points { .. } | Matter::Figures { .. })
    };
    if kind == Kind::Menu
        && reading.parts.iter().flat_map(|part| &part.matters).all(fits_menu)
        && let Some(menu) = menu(reading)
    {
        return Passage { kicker, ..Passage::new(title, menu) };
    }
    let mut details = reading.details.clone();
    let mut boards: Vec<Passage> = Vec::new();
    for part in &reading.parts {
        if part.matters.is_empty() {
            if kind == Kind::Deck || kind == Kind::OnePager {
                boards.push(Passage::new(&part.title, Matter::Gap { ask: labels.ask_for(&part.title) }));
            } else {
                details.push(part.title.clone());
            }
            continue;
        }
        for (at, matter) in join_leads(part.matters.clone()).into_iter().enumerate() {
            boards.push(titled(if at == 0 { &part.title } else { "" }, matter));
        }
    }
    if boards.is_empty() {
        return cover(&Reading { details, ..reading.clone() });
    }
    // Few words beside plans or a chart lead to them.
    if let [Passage { title: own, matter: Matter::Columns { lead, .. } | Matter::Chart { lead, .. }, .. }] =
        boards.as_mut_slice()
        && own.is_empty()
        && lead.is_empty()
        && !title.is_empty()
    {
        let all: Vec<String> = std::iter::once(reading.subtitle.clone())
            .chain(details.clone())
            .filter(|words| !words.is_empty())
            .collect();
        let joined = all.join(" · ");
        if joined.chars().count() <= MOST_LEAD_LETTERS {
            *lead = joined;
            return Passage { kicker, ..Passage::new(title, boards.remove(0).matter) };
        }
    }
    let has_words = !title.is_empty() || !reading.subtitle.is_empty();
    if boards.len() == 1 && reading.subtitle.is_empty() && details.is_empty() {
        let only = boards.remove(0);
        let stands_alone = matches!(
            only.matter,
            Matter::Quote { .. }
                | Matter::Chart { .. }
                | Matter::Columns { .. }
                | Matter::Figures { .. }
                | Matter::Flow { .. }
                | Matter::Menu { .. }
                | Matter::Points { .. }
                | Matter::Steps { .. }
                | Matter::Table { .. }
        );
        if stands_alone && (!has_words || only.title.is_empty()) {
            if title.is_empty() {
                title.clone_from(&only.title);
            }
            return Passage { kicker, ..Passage::new(title, only.matter) };
        }
        boards.push(only);
    }
    Passage {
        kicker,
        ..Passage::new(title, Matter::Board { subtitle: reading.subtitle.clone(), parts: boards, details })
    }
}

/// All prices of a reading as one menu; `None` where it has none.
fn menu(reading: &Reading) -> Option<Matter> {
    let mut groups: Vec<MenuGroup> = Vec::new();
    let mut details = reading.details.clone();
    for part in &reading.parts {
        for matter in &part.matters {
            match matter {
                Matter::Menu { groups: more, .. } => {
                    for group in more {
                        let mut group = group.clone();
                        if group.name.is_empty() {
                            group.name.clone_from(&part.title);
                        }
                        match groups.last_mut().filter(|last| last.name == group.name) {
                            Some(last) => last.items.extend(group.items),
                            None => groups.push(group),
                        }
                    }
                }
                Matter::Prose { paragraphs, .. } => details.extend(paragraphs.iter().map(|runs| plain(runs))),
                Matter::Points { lead, points, .. } => {
                    details.extend([lead.clone()].into_iter().filter(|lead| !lead.is_empty()));
                    details.extend(
                        points.iter().map(|point| format!("{} {}", point.head, point.body_text()).trim().to_owned()),
                    );
                }
                Matter::Figures { lead, figures } => {
                    details.extend([lead.clone()].into_iter().filter(|lead| !lead.is_empty()));
                    details.extend(figures.iter().map(written));
                }
                _ => {}
            }
        }
        if part.matters.is_empty() && !part.title.is_empty() {
            details.push(part.title.clone());
        }
    }
    (!groups.is_empty()).then(|| Matter::Menu { lead: reading.subtitle.clone(), groups, details })
}

fn written(figure: &Figure) -> String {
    if figure.label.contains(&figure.value) {
        figure.label.clone()
    } else {
        format!("{} {}", figure.value, figure.label)
    }
}

/// Brings passages to no more than `count`: first all on one page where one was asked for, else neighbours together.
pub fn gather(passages: &mut Vec<Passage>, count: usize) {
    if passages.len() <= count || count == 0 {
        return;
    }
    if count == 1 {
        let all = std::mem::take(passages);
        passages.push(one_page(all));
        return;
    }
    while passages.len() > count {
        let from = usize::from(matches!(passages[0].matter, Matter::Cover { .. }) && passages.len() > 2);
        // The two neighbours that say least stand together.
        let at = (from..passages.len() - 1)
            .min_by_key(|at| size_of(&passages[*at]) + size_of(&passages[at + 1]))
            .unwrap_or(from);
        let second = passages.remove(at + 1);
        let first = std::mem::replace(&mut passages[at], second);
        let second =
            std::mem::replace(&mut passages[at], Passage::new("", Matter::Statement { support: String::new() }));
        passages[at] = together(first, second);
    }
}

fn size_of(passage: &Passage) -> usize {
    let own = crate::layout::words_of(passage).split_whitespace().count();
    match &passage.matter {
        Matter::Chart { .. } | Matter::Table { .. } | Matter::Columns { .. } | Matter::Flow { .. } => own + 60,
        Matter::Board { parts, .. } => own + parts.len() * 30,
        _ => own,
    }
}

fn together(first: Passage, second: Passage) -> Passage {
    let mut parts = parts_of(first);
    parts.extend(parts_of(second));
    Passage::new("", Matter::Board { subtitle: String::new(), parts, details: Vec::new() })
}

/// A passage as parts of a board.
fn parts_of(passage: Passage) -> Vec<Passage> {
    match passage.matter {
        Matter::Board { parts, subtitle, details }
            if passage.title.is_empty() && subtitle.is_empty() && details.is_empty() =>
        {
            parts
        }
        Matter::Board { mut parts, subtitle, details } => {
            // What stood under its title and at its foot goes with it.
            if !details.is_empty() {
                let points = details.into_iter().map(|detail| Point::new(detail, "")).collect();
                parts.push(Passage::new("", Matter::Points { lead: String::new(), points, ordered: false }));
            }
            match parts.first_mut().filter(|first| first.title.is_empty() && subtitle.is_empty()) {
                Some(first) => first.title = passage.title,
                None => parts.insert(0, Passage::new(passage.title, Matter::Statement { support: subtitle })),
            }
            parts
        }
        _ => vec![passage],
    }
}

fn one_page(all: Vec<Passage>) -> Passage {
    let mut title = String::new();
    let mut kicker = String::new();
    let (mut subtitle, mut details) = (String::new(), Vec::new());
    let mut parts: Vec<Passage> = Vec::new();
    for passage in all {
        match passage.matter {
            Matter::Cover { subtitle: under, details: more, .. } if title.is_empty() => {
                title = passage.title;
                kicker = passage.kicker;
                subtitle = under;
                details.extend(more);
            }
            _ => parts.extend(parts_of(passage)),
        }
    }
    if parts.is_empty() {
        return Passage { kicker, ..Passage::new(title, Matter::Cover { subtitle, details, picture: None }) };
    }
    if parts.len() == 1 && parts[0].title.is_empty() && subtitle.is_empty() && details.is_empty() {
        let only = parts.remove(0);
        return Passage { kicker, ..Passage::new(title, only.matter) };
    }
    Passage { kicker, ..Passage::new(title, Matter::Board { subtitle, parts, details }) }
}

/// Adds gaps before the last page until there are `count` passages.
pub fn fill(passages: &mut Vec<Passage>, count: usize, labels: &Labels) {
    let at = match passages.last().map(|passage| &passage.matter) {
        Some(Matter::Closing { .. }) => passages.len() - 1,
        _ => passages.len(),
    };
    let missing = count.saturating_sub(passages.len());
    let gap = Passage::new("", Matter::Gap { ask: labels.ask_for("") });
    passages.splice(at..at, std::iter::repeat_n(gap, missing));
}

/// So many fields at least are a matrix.
const LEAST_FIELDS: usize = 3;

/// A line above the title of a diagram has at most so many letters.
const MOST_KICKER_LETTERS: usize = 110;

/// What leads to a chart or to plans has at most so many letters.
const MOST_LEAD_LETTERS: usize = 220;

/// A flow under the title of its brief; who belongs to whom and layers are drawn as such.
pub fn diagram(reading: &Reading, labels: &Labels) -> Vec<Passage> {
    let mood = reading.mood.to_lowercase();
    let has = |list: &[&str]| list.iter().any(|word| crate::brief::contains_word(&mood, word));
    let mut passages = Vec::new();
    // The fields of a matrix lie beside each other.
    let is_field = |part: &Part| {
        !part.title.is_empty() && matches!(part.matters.as_slice(), [Matter::Points { .. } | Matter::Prose { .. }])
    };
    if reading.parts.len() >= LEAST_FIELDS && reading.parts.iter().all(is_field) {
        return vec![single(reading, Kind::Diagram, labels)];
    }
    for part in &reading.parts {
        for matter in &part.matters {
            let mut matter = matter.clone();
            if let Matter::Flow { boxes, arrows, lanes } = &mut matter
                && lanes.is_empty()
            {
                if has(&["layers", "architecture", "stack", "layer", "schichten", "pyramid", "pyramide"])
                    && is_chain(arrows)
                {
                    arrows.clear();
                } else if has(&[
                    "org chart",
                    "orgchart",
                    "organisation",
                    "organization",
                    "organigramm",
                    "tree",
                    "hierarchy",
                    "mind map",
                    "mindmap",
                    "sitemap",
                    "organigramme",
                ]) && is_chain(arrows)
                {
                    if !reading.title.is_empty() {
                        boxes.insert(0, Point::new(reading.title.clone(), ""));
                    }
                    *arrows = (1..boxes.len())
                        .map(|to| crate::content::Arrow { from: 0, to, label: String::new() })
                        .collect();
                }
            }
            let title = if part.title.is_empty() { reading.title.clone() } else { part.title.clone() };
            passages.push(Passage { kicker: reading.kicker.clone(), ..Passage::new(title, matter) });
        }
    }
    let has_more = !reading.subtitle.is_empty() || !reading.details.is_empty();
    if let (true, Some(first)) = (has_more, passages.first_mut()) {
        // Words beside a diagram stand under its title.
        let words: Vec<String> = std::iter::once(reading.subtitle.clone())
            .chain(reading.details.clone())
            .filter(|words| !words.is_empty())
            .collect();
        let joined = words.join(" · ");
        if let Matter::Chart { lead, .. } | Matter::Steps { lead, .. } = &mut first.matter
            && lead.is_empty()
        {
            *lead = joined;
            return passages;
        }
        let above = if first.kicker.is_empty() { joined } else { format!("{} · {joined}", first.kicker) };
        if above.chars().count() <= MOST_KICKER_LETTERS {
            first.kicker = above;
            return passages;
        }
        let part = Passage::new("", first.matter.clone());
        first.matter = Matter::Board { subtitle: words.join(" · "), parts: vec![part], details: Vec::new() };
    }
    passages
}

fn is_chain(arrows: &[crate::content::Arrow]) -> bool {
    arrows.iter().enumerate().all(|(at, arrow)| arrow.from == at && arrow.to == at + 1 && arrow.label.is_empty())
}
