//! A first draft where there is no source: what such a thing usually says, in the order in which it says it.

use super::intent::Intent;
use super::phrases::{Field, Pair, Phrases, field, phrases};
use crate::brief::contains_word;
use crate::chart::{ChartData, ChartKind, Series, TableData};
use crate::content::{Arrow, Figure, Matter, Passage, Point};
use crate::document::{Category, Run};

/// The passages of a design that was only asked for.
pub fn draft(intent: &Intent, category: Category, page_count: Option<u32>, is_tall: bool) -> Vec<Passage> {
    let phrases = phrases(&intent.language);
    let field = field(&intent.language, &format!("{} {}", intent.title, intent.kicker));
    match category {
        Category::Slides | Category::Other => {
            deck(intent, phrases, field, page_count.unwrap_or(if category == Category::Slides { 6 } else { 1 }))
        }
        Category::Carousel => carousel(intent, phrases, field, page_count.unwrap_or(5)),
        Category::Social => posts(intent, field, page_count.unwrap_or(1)),
        Category::Pdf => paper(intent, phrases, field),
        Category::Diagram => vec![diagram(intent, field)],
        Category::Ui => vec![screen(intent, is_tall)],
    }
}

fn points(pairs: &[Pair]) -> Vec<Point> {
    pairs.iter().map(|(head, body)| Point::new(*head, *body)).collect()
}

fn cover(intent: &Intent, field: &Field) -> Passage {
    // With details of its own, only a line that belongs to the field is worth its room.
    let is_general = field.signs.is_empty() && intent.language == "en";
    let has_own = !intent.details.is_empty() && is_general || intent.details.len() > 3;
    let subtitle = if has_own || intent.details.iter().any(|detail| detail.chars().count() > 60) {
        String::new()
    } else {
        field.tagline.to_owned()
    };
    Passage {
        kicker: super::intent::shown_kicker(&intent.kicker).to_owned(),
        ..Passage::new(&intent.title, Matter::Cover { subtitle, details: intent.details.clone(), picture: None })
    }
}

fn deck(intent: &Intent, phrases: &Phrases, field: &Field, count: u32) -> Vec<Passage> {
    let first = cover(intent, field);
    let last = Passage::new(phrases.thanks, Matter::Closing { lead: field.promise.to_owned(), details: Vec::new() });
    let offers = Passage::new(
        phrases.offer,
        Matter::Points { lead: String::new(), points: points(&field.offers), ordered: false },
    );
    let audience = Passage::new(
        phrases.audience,
        Matter::Points { lead: String::new(), points: points(&field.audience), ordered: false },
    );
    let plan = Passage::new(phrases.plan, Matter::Steps { lead: String::new(), points: points(&field.steps) });
    let next =
        Passage::new(phrases.next, Matter::Points { lead: String::new(), points: points(&field.next), ordered: true });
    let idea = Passage {
        kicker: phrases.idea.to_owned(),
        ..Passage::new(field.promise, Matter::Statement { support: String::new() })
    };
    let agenda = Passage::new(
        phrases.agenda,
        Matter::Agenda {
            items: [phrases.idea, phrases.audience, phrases.offer, phrases.plan, phrases.next]
                .map(str::to_owned)
                .to_vec(),
        },
    );
    let mut middle = vec![idea, offers, plan, audience, next, agenda];
    let room = (count.max(1) as usize).saturating_sub(2);
    let mut chosen: Vec<Passage> = middle.drain(..room.min(middle.len())).collect();
    // Each offer can have a page of its own where many pages are asked for.
    let mut more: Vec<Passage> = Vec::new();
    for (at, (head, body)) in field.offers.iter().chain(&field.steps).enumerate() {
        more.push(Passage {
            kicker: if at < 4 { phrases.offer } else { phrases.plan }.to_owned(),
            ..Passage::new(*head, Matter::Statement { support: (*body).to_owned() })
        });
    }
    more.truncate(room.saturating_sub(chosen.len()));
    // In the order in which a story is told: what is to come, the idea, for whom, what, how, next.
    let rank = |passage: &Passage| match passage.title.as_str() {
        title if title == phrases.agenda => 0,
        title if title == field.promise => 1,
        title if title == phrases.audience => 2,
        title if title == phrases.offer => 3,
        title if title == phrases.plan => 5,
        title if title == phrases.next => 6,
        _ => 4,
    };
    chosen.extend(more);
    chosen.sort_by_key(rank);
    let mut passages = vec![first];
    passages.extend(chosen);
    if count > 1 {
        passages.push(last);
    }
    passages
}

fn carousel(intent: &Intent, phrases: &Phrases, field: &Field, count: u32) -> Vec<Passage> {
    let mut passages = vec![cover(intent, field)];
    let inner = (count.max(1) as usize).saturating_sub(2);
    let things: Vec<Pair> = field.offers.iter().chain(&field.steps).chain(&field.audience).copied().collect();
    for (at, (head, body)) in things.into_iter().take(inner).enumerate() {
        passages.push(Passage {
            kicker: format!("{} / {inner}", at + 1),
            ..Passage::new(head, Matter::Statement { support: body.to_owned() })
        });
    }
    if count > 1 {
        passages
            .push(Passage::new(phrases.next, Matter::Closing { lead: field.promise.to_owned(), details: Vec::new() }));
    }
    passages
}

fn posts(intent: &Intent, field: &Field, count: u32) -> Vec<Passage> {
    let mut passages = vec![cover(intent, field)];
    let things: Vec<Pair> = field.offers.iter().chain(&field.steps).copied().collect();
    for (head, body) in things.into_iter().take(count.saturating_sub(1) as usize) {
        passages.push(Passage::new(head, Matter::Statement { support: body.to_owned() }));
    }
    passages
}

fn paper(intent: &Intent, phrases: &Phrases, field: &Field) -> Vec<Passage> {
    let mut passages = vec![cover(intent, field)];
    passages.push(Passage::new(
        phrases.idea,
        Matter::Prose {
            paragraphs: vec![vec![Run::plain(field.promise)], vec![Run::plain(field.tagline)]],
            picture: None,
        },
    ));
    passages.push(Passage::new(
        phrases.audience,
        Matter::Points { lead: String::new(), points: points(&field.audience), ordered: false },
    ));
    passages.push(Passage::new(
        phrases.offer,
        Matter::Points { lead: String::new(), points: points(&field.offers), ordered: false },
    ));
    passages.push(Passage::new(phrases.plan, Matter::Steps { lead: String::new(), points: points(&field.steps) }));
    passages.push(Passage::new(
        phrases.next,
        Matter::Points { lead: String::new(), points: points(&field.next), ordered: true },
    ));
    passages
}

/// What a prompt lists with arrows, else with commas, else the field's own steps.
fn diagram(intent: &Intent, field: &Field) -> Passage {
    let words = format!("{} {} {}", intent.kicker, intent.title, intent.details.join(" ")).to_lowercase();
    let has = |list: &[&str]| list.iter().any(|word| contains_word(&words, word));
    let all =
        std::iter::once(intent.title.as_str()).chain(intent.details.iter().map(String::as_str)).collect::<Vec<_>>();
    let arrowed: Vec<String> = all
        .iter()
        .flat_map(|text| text.replace("->", "→").split('→').map(|part| part.trim().to_owned()).collect::<Vec<_>>())
        .filter(|part| !part.is_empty())
        .collect();
    let (title, named): (String, Vec<String>) = if all.iter().any(|text| text.contains('→') || text.contains("->")) {
        let title = if intent.kicker.is_empty() { String::new() } else { intent.kicker.clone() };
        (title, arrowed)
    } else {
        (intent.title.clone(), intent.details.clone())
    };
    let boxes: Vec<Point> = if named.len() >= 2 {
        named.iter().map(|name| Point::new(super::intent::capitalize(name), "")).collect()
    } else {
        points(&field.steps)
    };
    let arrows = if has(&["layers", "architecture", "stack", "layer", "schichten", "pyramid"]) {
        Vec::new()
    } else if has(&[
        "org",
        "organisation",
        "organization",
        "team",
        "tree",
        "hierarchy",
        "mind map",
        "structure",
        "sitemap",
    ]) {
        (1..boxes.len() + 1).map(|to| Arrow { from: 0, to, label: String::new() }).collect()
    } else {
        (1..boxes.len()).map(|to| Arrow { from: to - 1, to, label: String::new() }).collect()
    };
    let is_tree = arrows.first().is_some_and(|arrow| arrow.from == 0) && arrows.len() == boxes.len();
    let boxes =
        if is_tree { std::iter::once(Point::new(intent.title.clone(), "")).chain(boxes).collect() } else { boxes };
    let kicker = if title == intent.kicker { String::new() } else { intent.kicker.clone() };
    Passage { kicker, ..Passage::new(title, Matter::Flow { boxes, arrows }) }
}

fn screen(intent: &Intent, is_tall: bool) -> Passage {
    let text = |list: &[&str]| list.iter().map(|item| (*item).to_owned()).collect::<Vec<String>>();
    let words = format!("{} {}", intent.title, intent.kicker).to_lowercase();
    let row = |cells: &[&str]| text(cells);
    let is_shop = ["shop", "store", "order", "bak", "caf", "food", "sales", "restaurant", "market"]
        .iter()
        .any(|sign| words.contains(sign));
    let (navigation, figures, table, action) = if is_shop {
        (
            text(&["Today", "Orders", "Products", "Customers", "Reports", "Settings"]),
            [("Orders today", "48"), ("Open", "7"), ("Revenue", "€1,264"), ("Average order", "€26")],
            TableData {
                head: row(&["Order", "Customer", "Items", "Status", "Total"]),
                rows: vec![
                    row(&["#1048", "A. Moreau", "3", "Ready", "€24.50"]),
                    row(&["#1047", "J. Lindqvist", "1", "Preparing", "€8.00"]),
                    row(&["#1046", "S. Okafor", "6", "Preparing", "€51.20"]),
                    row(&["#1045", "M. Rossi", "2", "Collected", "€17.80"]),
                    row(&["#1044", "K. Tanaka", "4", "Collected", "€33.10"]),
                ],
            },
            "New order",
        )
    } else {
        (
            text(&["Overview", "Projects", "Calendar", "Team", "Files", "Settings"]),
            [("Active projects", "12"), ("Due this week", "5"), ("Done", "86%"), ("People", "24")],
            TableData {
                head: row(&["Project", "Owner", "Due", "Progress"]),
                rows: vec![
                    row(&["Website refresh", "Ana", "14 May", "80%"]),
                    row(&["Spring campaign", "Jonas", "21 May", "55%"]),
                    row(&["Partner portal", "Mei", "2 June", "30%"]),
                    row(&["Annual report", "Sam", "9 June", "10%"]),
                    row(&["New onboarding", "Lea", "16 June", "5%"]),
                ],
            },
            "New project",
        )
    };
    let chart = ChartData {
        kind: if is_tall { ChartKind::Columns } else { ChartKind::Lines },
        labels: text(&["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]),
        series: vec![Series {
            name: "This week".to_owned(),
            values: [32.0, 41.0, 38.0, 52.0, 61.0, 74.0, 48.0].map(Some).to_vec(),
        }],
        prefix: String::new(),
        suffix: String::new(),
    };
    let kicker: String = intent.title.split_whitespace().next().unwrap_or("App").chars().take(14).collect();
    Passage {
        kicker,
        ..Passage::new(
            intent.title.clone(),
            Matter::Screen {
                navigation,
                figures: figures
                    .map(|(label, value)| Figure { value: value.to_owned(), label: label.to_owned() })
                    .to_vec(),
                table,
                chart: Some(chart),
                action: action.to_owned(),
            },
        )
    }
}
