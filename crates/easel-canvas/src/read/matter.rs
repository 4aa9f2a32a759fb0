//! From a piece of text to what it is: a chart, columns, a list of prices, a quotation, figures, people, points, or prose.
//!
//! What is surest is tried first. What nothing else fits is reading text, so no word is lost.

use std::cmp::Ordering;

use super::amounts::{Amount, amounts};
use super::comparison;
use super::page_talk::readers::refuses_in_a_row;
use super::prices;
use super::quotes;
use super::series;
pub use super::series::has_decimal_comma;
use super::streets;
use super::text;
use crate::content::{Figure, Matter, Point};
use crate::run::Run;

/// What the words before a text say about it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'t> {
    /// The heading that the text stands under.
    pub heading: &'t str,
    /// Whether prices are expected, as in a menu.
    pub is_menu: bool,
}

/// Reads a text of one or more sentences.
pub fn of_text(words: &str, context: Context<'_>) -> Vec<Matter> {
    let words = words.trim();
    if words.is_empty() {
        return Vec::new();
    }
    if let Some(matter) = whole(words, context) {
        return vec![matter];
    }
    if let Some(matters) = figure_and_more(words).or_else(|| series_in_brackets(words)) {
        return matters;
    }
    let sentences = text::sentences(words);
    if sentences.len() <= 1 {
        return vec![of_sentence(words, context)];
    }
    let mut matters: Vec<Matter> = Vec::new();
    for sentence in sentences {
        if let Some(more) = series_in_brackets(&sentence) {
            matters.extend(more);
            continue;
        }
        let next = whole(&sentence, context)
            .unwrap_or_else(|| Matter::Prose { paragraphs: vec![vec![Run::plain(sentence)]], picture: None });
        match (matters.last_mut(), next) {
            // Sentences that are nothing else belong together.
            (Some(Matter::Prose { paragraphs, .. }), Matter::Prose { paragraphs: more, .. }) => {
                let Some(first) = more.into_iter().next() else { continue };
                match paragraphs.last_mut() {
                    Some(last) => last.push(Run::plain(format!(" {}", crate::content::plain(&first)))),
                    None => paragraphs.push(first),
                }
            }
            (_, next) => matters.push(next),
        }
    }
    matters.iter_mut().for_each(merge_runs);
    matters
}

/// Whether a text is surely numbers: a series, columns, prices.
pub fn is_data(text: &str) -> bool {
    of_text(text, Context::default())
        .iter()
        .all(|matter| matches!(matter, Matter::Chart { .. } | Matter::Columns { .. } | Matter::Menu { .. }))
        && !text.trim().is_empty()
}

/// “€2.5m for 18 months – half hardware, half sales”: a number with its unit, and what is said of it.
fn figure_and_more(words: &str) -> Option<Vec<Matter>> {
    let (head, rest) = text::split_at_dash(words)?;
    let first = amounts(head).into_iter().next()?;
    let is_first = first.start == 0 && (!first.prefix.is_empty() || !first.suffix.is_empty());
    let figure =
        figure_of(head).filter(|_| is_first && text::sentences(words).len() == 1 && amounts(head).len() <= 2)?;
    let rest = text::capitalize(rest.trim());
    Some(vec![
        Matter::Figures { lead: String::new(), figures: vec![figure] },
        Matter::Prose { paragraphs: vec![vec![Run::plain(rest)]], picture: None },
    ])
}

/// “we grew 14 % in September (July 1.05M, August 1.1M, September 1.2M)”: a sentence and the numbers that it comes from.
fn series_in_brackets(words: &str) -> Option<Vec<Matter>> {
    let (before, rest) = words.split_once('(')?;
    let (inner, behind) = rest.split_once(')')?;
    let chart = series::chart_of(inner, true)?;
    if !behind.trim_matches(['.', ' ', '!']).is_empty() || before.trim().is_empty() {
        return None;
    }
    let said = before.trim();
    let chart = Matter::Chart { lead: String::new(), chart, insights: Vec::new() };
    Some(match figure_of(said) {
        Some(figure) => vec![Matter::Figures { lead: String::new(), figures: vec![figure] }, chart],
        None => {
            vec![Matter::Prose { paragraphs: vec![vec![Run::plain(text::capitalize(said))]], picture: None }, chart]
        }
    })
}

fn merge_runs(matter: &mut Matter) {
    if let Matter::Prose { paragraphs, .. } = matter {
        for runs in paragraphs {
            let words = crate::content::plain(runs);
            *runs = vec![Run::plain(words)];
        }
    }
}

/// What a text is as a whole, where it is surely more than words.
fn whole(words: &str, context: Context<'_>) -> Option<Matter> {
    let (heading, body) = text::label(words).filter(|(_, body)| !body.is_empty()).unwrap_or((context.heading, words));
    let tells = tells_numbers(heading) || tells_numbers(context.heading);
    if !context.is_menu {
        if let Some(chart) = series::chart_of(words, tells_numbers(context.heading)) {
            return Some(Matter::Chart { lead: String::new(), chart, insights: Vec::new() });
        }
        if let Some(mut chart) = series::chart_of(body, tells).filter(|_| body.len() < words.len()) {
            chart.series[0].name = heading.to_owned();
            return Some(Matter::Chart { lead: heading.to_owned(), chart, insights: Vec::new() });
        }
        if let Some(columns) = comparison::columns_of(words) {
            return Some(Matter::Columns { lead: String::new(), columns });
        }
        if let Some(columns) = comparison::columns_of(body).filter(|_| body.len() < words.len()) {
            return Some(Matter::Columns { lead: heading.to_owned(), columns });
        }
    }
    let least = if context.is_menu { 1 } else { 2 };
    if let Some(items) =
        prices::price_list_of(words, least).filter(|items| context.is_menu || items.len() >= 2 && are_prices(items))
    {
        return Some(Matter::Menu { lead: String::new(), groups: vec![prices::group("", items)], details: Vec::new() });
    }
    if let Some(items) = prices::price_list_of(body, least)
        .filter(|items| body.len() < words.len() && (context.is_menu || are_prices(items)))
    {
        return Some(Matter::Menu {
            lead: String::new(),
            groups: vec![prices::group(heading, items)],
            details: Vec::new(),
        });
    }
    quotes::quote_of(words).map(|(words, by)| Matter::Quote { words, by })
}

/// Whether every price has a currency or cents; a count is no price. What is free among them costs nothing.
fn are_prices(items: &[crate::content::Priced]) -> bool {
    let has_price =
        |item: &crate::content::Priced| amounts(&item.price).iter().any(|amount| amount.is_price(&item.price));
    items.iter().any(has_price)
        && items.iter().all(|item| has_price(item) || prices::odd::is_free(&item.price))
        && items.iter().all(|item| item.name.split_whitespace().count() <= 6)
}

/// Whether a heading says that numbers follow.
fn tells_numbers(heading: &str) -> bool {
    #[rustfmt::skip]
    const SIGNS: &[&str] = &[
        "revenue", "sales", "users", "visitors", "visits", "growth", "orders", "per month", "by month", "monthly", "per quarter", "quarterly",
        "per year", "yearly", "annual", "turnover", "downloads", "members", "signups", "sign-ups", "subscribers", "mrr", "arr", "share", "shares",
        "split", "breakdown", "results", "survey", "votes", "budget", "emissions", "output", "production", "energy", "traffic", "attendance",
        "umsatz", "absatz", "nutzer", "besucher", "pro monat", "pro jahr", "pro quartal", "mitglieder", "anteil", "anteile", "verteilung", "ergebnis",
        "umfrage", "zahlen", "verbrauch", "chiffre d'affaires", "ventes", "ventas", "ingresos", "ricavi", "vendite", "chart", "diagramm",
    ];
    let lower = heading.to_lowercase();
    SIGNS.iter().any(|sign| lower.contains(sign))
}

/// What a single sentence is: figures, people, points, or itself.
fn of_sentence(sentence: &str, context: Context<'_>) -> Matter {
    // “2018 MA Interaction Design, University of Porto”: years, and what was then.
    if let Some((years, rest)) = sentence.trim().trim_end_matches('.').split_once(' ')
        && is_years(years)
        && rest.trim_start().chars().next().is_some_and(char::is_uppercase)
        && rest.split_whitespace().count() <= 24
    {
        let points = vec![Point::new(years, rest.trim())];
        return Matter::Points { lead: String::new(), points, ordered: false };
    }
    let items = text::items(sentence);
    let as_prose = || Matter::Prose { paragraphs: vec![vec![Run::plain(text::capitalize(sentence))]], picture: None };
    if refuses_in_a_row(sentence) {
        return as_prose();
    }
    if items.len() < 2 {
        let bare = amounts(sentence)
            .first()
            .filter(|amount| {
                amount.start == 0 && amount.end == sentence.trim_end_matches('.').len() && !context.heading.is_empty()
            })
            .map(|amount| Figure { value: amount.written(sentence).to_owned(), label: context.heading.to_owned() });
        return match figure_of(sentence).or(bare) {
            Some(figure) => Matter::Figures { lead: String::new(), figures: vec![figure] },
            None => as_prose(),
        };
    }
    // A list has short things; a sentence with commas in it has a verb and long pieces.
    let longest = items.iter().map(|item| item.split_whitespace().count()).max().unwrap_or(0);
    let reads_on = items.iter().skip(1).any(|item| {
        let first = item.split_whitespace().next().unwrap_or_default().to_lowercase();
        matches!(
            first.as_str(),
            "which"
                | "that"
                | "who"
                | "because"
                | "but"
                | "so"
                | "while"
                | "where"
                | "dass"
                | "weil"
                | "aber"
                | "die"
                | "der"
                | "das"
                | "wo"
                | "qui"
                | "que"
                | "che"
                | "although"
                | "as"
                | "if"
                | "when"
                | "denn"
                | "sondern"
                | "damit"
                | "wenn"
                | "then"
                | "dann"
                | "puis"
                | "luego"
                | "poi"
        )
    });
    // “Plants make their own food from light, water and air.” tells and does not list; a day with its hour is one thing.
    let ends_whole =
        sentence.trim_end().ends_with('.') && sentence.trim_start().chars().next().is_some_and(char::is_uppercase);
    let first_words = items[0].split_whitespace().count();
    let others = items[1..].iter().map(|item| item.split_whitespace().count()).max().unwrap_or(0);
    // “Two more, one by the church.” is one sentence; two people with their offices are two.
    let is_pair = items.len() == 2
        && items.iter().all(|item| !item.trim_end_matches('.').ends_with(')'))
        && !sentence.contains(';');
    let tells = ends_whole && (first_words >= 5 && others <= 3 || is_pair);
    let is_moment = super::dates::has_moment(sentence) && sentence.split_whitespace().count() <= 8
        || !ends_whole && items.last().is_some_and(|last| is_years(last));
    if longest > 14 || (reads_on || tells || is_moment) && !sentence.contains(';') || text::is_brief_question(sentence)
    {
        return as_prose();
    }
    of_items(&items, false, context.heading).unwrap_or_else(as_prose)
}

/// “2021-now”, “2014”: the years of what stands before them, which is one thing with them.
pub fn is_years(item: &str) -> bool {
    let mut years = item.trim().split(['–', '-', '—']).map(str::trim);
    let is_year = |word: &str| word.len() == 4 && word.parse::<u32>().is_ok_and(|year| (1900..2100).contains(&year));
    years.next().is_some_and(is_year)
        && years.all(|word| {
            is_year(word) || matches!(word, "" | "now" | "today" | "present" | "heute" | "aujourd'hui" | "hoy" | "oggi")
        })
}

/// What a list is: figures where each thing is a number and what it counts, else points.
pub fn of_items(items: &[String], ordered: bool, heading: &str) -> Option<Matter> {
    if items.is_empty() {
        return None;
    }
    let joined = items.join("; ");
    if let Some(chart) = series::chart_of(&joined, tells_numbers(heading)) {
        return Some(Matter::Chart { lead: String::new(), chart, insights: Vec::new() });
    }
    // A bare number counts what its heading names.
    let bare = |item: &str| {
        amounts(item)
            .first()
            .filter(|amount| amount.start == 0 && amount.end == item.len() && !heading.is_empty())
            .map(|_| Figure { value: item.to_owned(), label: heading.to_owned() })
    };
    let figures: Vec<Figure> = items.iter().filter_map(|item| figure_of(item).or_else(|| bare(item.trim()))).collect();
    if figures.len() == items.len() && items.len() <= 6 && !ordered {
        return Some(Matter::Figures { lead: String::new(), figures });
    }
    let priced: Vec<_> = items.iter().filter_map(|item| prices::priced(item)).collect();
    if priced.len() == items.len() && items.len() >= 2 && are_prices(&priced) {
        return Some(Matter::Menu {
            lead: String::new(),
            groups: vec![prices::group("", priced)],
            details: Vec::new(),
        });
    }
    let points = items.iter().map(|item| point_of(item)).collect();
    Some(if ordered {
        Matter::Steps { lead: String::new(), points }
    } else {
        Matter::Points { lead: String::new(), points, ordered: false }
    })
}

/// A thing with its name and what is said of it, where both are told apart.
pub fn point_of(item: &str) -> Point {
    let item = item.trim().trim_end_matches([';', ',']);
    match text::name_and_words(item) {
        Some((head, body)) => Point::new(text::capitalize(&head), body),
        None if item.chars().count() <= 80 => Point::new(text::capitalize(item.trim_end_matches('.')), ""),
        None => Point::new("", text::capitalize(item)),
    }
}

/// What is told apart by a number: “Werk 2”, “Line 7”.
#[rustfmt::skip]
const NAMED_BY_NUMBER: &[&str] = &[
    "werk", "plant", "site", "line", "linie", "phase", "stage", "level", "room", "raum", "hall", "halle", "part", "teil", "building", "gebäude", "unit", "step",
    "schritt", "version", "tier", "stufe", "zone", "gate", "platform", "gleis", "track", "terminal", "block", "haus", "house", "class", "klasse", "group", "gruppe",
    "team", "usine", "étape", "planta", "fase", "linea", "línea", "ligne", "sala", "salle",
];

/// The most words of what a figure counts.
const MOST_LABEL_WORDS: usize = 12;

/// “27 Harbour Parade”: a number and the name of a street.
fn is_street(text: &str, amount: &Amount) -> bool {
    let is_bare = amount.start == 0 && amount.prefix.is_empty() && amount.suffix.is_empty();
    // “Hafenstr. 12, Bremen”.
    let before = text[..amount.start].split_whitespace().next_back().unwrap_or_default().to_lowercase();
    let is_house = amount.prefix.is_empty() && amount.suffix.is_empty() && streets::ends_as_street(&before);
    is_house || is_bare && text::words(&text[amount.end..]).iter().take(4).any(|word| streets::is_street(word))
}

/// “01947 555 018”: numbers beside each other, or one that begins with a nought.
fn is_called(text: &str, found: &[Amount]) -> bool {
    let begins = found.first().is_some_and(|first| {
        let written = &text[first.start..first.end];
        written.starts_with('0') && written.len() > 1 && !written.contains(['.', ','])
    });
    begins
        || found.windows(2).any(|pair| {
            text[pair[0].end..pair[1].start].trim().is_empty()
                && pair.iter().all(|one| one.prefix.is_empty() && one.suffix.is_empty())
        })
}

/// A number and what it counts: “14% growth a year”, “growing 14%”, “revenue up 8% to €1.2m”.
///
/// Where the number stands in the middle, what it counts keeps it, so that the words can be read.
pub fn figure_of(text: &str) -> Option<Figure> {
    let text = text.trim().trim_end_matches(['.', ';', ',']).trim();
    let found: Vec<Amount> = amounts(text);
    let amount = match found.as_slice() {
        [] => return None,
        [one] => one,
        // Of several the one with a unit tells most.
        several => {
            several.iter().find(|amount| !amount.prefix.is_empty() || !amount.suffix.is_empty()).unwrap_or(&several[0])
        }
    };
    let words = text.split_whitespace().count();
    let is_year = amount.prefix.is_empty()
        && amount.suffix.is_empty()
        && (1900.0..2100.0).contains(&amount.value)
        && amount.end - amount.start == 4;
    if is_year || words > MOST_LABEL_WORDS || found.len() > 3 || super::dates::has_moment(text) {
        return None;
    }
    if is_street(text, amount) || is_called(text, &found) || is_of_a_life(text, amount) {
        return None;
    }
    // “new bus line 7” is a name.
    let is_bare = amount.prefix.is_empty() && amount.suffix.is_empty();
    if is_bare
        && (amount.end == text.len() || text[amount.end..].trim_start().starts_with('('))
        && amount.start > 0
        && amount.value < 100.0
        && !text[..amount.start].trim_end().ends_with([':', '=', '–', '-'])
    {
        return None;
    }
    let (before, behind) = (text[..amount.start].trim(), text[amount.end..].trim());
    // “Werk 2 startet im September”: a bare number behind a name, before words that go on, is part of the name.
    let is_named = is_bare
        && amount.value < 100.0
        && before.split_whitespace().count() == 1
        && before.chars().next().is_some_and(char::is_uppercase)
        && before.chars().skip(1).all(char::is_lowercase)
        && behind.chars().next().is_some_and(char::is_lowercase);
    if is_named && NAMED_BY_NUMBER.iter().any(|word| before.to_lowercase().ends_with(word)) {
        return None;
    }
    // “1 in 3 machines breaks down”: both numbers are one share.
    let mut share = behind.split_whitespace();
    if let (true, Some("in" | "von" | "sur" | "de" | "su"), Some(whole)) =
        (is_bare && amount.value < 100.0, share.next(), share.next())
        && whole.len() <= 3
        && whole.chars().all(|letter| letter.is_ascii_digit())
        && let Some(label) = behind.split_once(whole).map(|(_, label)| label.trim()).filter(|label| !label.is_empty())
        && before.is_empty()
    {
        let share = format!("{} {}", amount.written(text), &behind[..behind.len() - label.len()].trim());
        return Some(Figure { value: share, label: text::capitalize(label) });
    }
    // “a camera that grades fruit in 2 seconds”: how long something takes is told with its unit.
    let unit = Some(behind.split_whitespace().next().unwrap_or_default().trim_end_matches([',', '.']))
        .filter(|unit| is_bare && !before.is_empty() && is_time(unit));
    if let Some(unit) = unit {
        return Some(Figure { value: format!("{} {unit}", amount.written(text)), label: text::capitalize(text) });
    }
    let value = amount.written(text).to_owned();
    let label = match (before.is_empty(), behind.is_empty()) {
        (true, true) => return None,
        (true, false) => clean_label(behind),
        // “road traffic (58 %)”: the number stands in brackets behind what it counts.
        (false, false) if before.ends_with('(') && behind.starts_with(')') => {
            clean_label(&format!("{}{}", before.trim_end_matches(['(', ' ']), &behind[1..]))
        }
        // “repair it now for £35k”: words that lead to the number keep it.
        (false, true) if leads_to_number(before) => text::capitalize(text),
        (false, true) => clean_label(before),
        (false, false) if behind.starts_with('(') && behind.ends_with(')') && behind.matches('(').count() == 1 => {
            format!("{} {behind}", clean_label(before))
        }
        // “We have 64 members”: what stands before the number says nothing of it.
        (false, false) if is_lead_of_count(before) => clean_label(behind),
        (false, false) => text::capitalize(text),
    };
    (!label.is_empty() && value.chars().count() <= 18).then_some(Figure { value, label })
}

/// What a number counts, without the marks around it. A bracket goes with its other half alone: “broken treadmill (sorry)”.
fn clean_label(words: &str) -> String {
    const MARKS: [char; 7] = [':', '–', '-', '—', '=', ',', ' '];
    let mut words = words.trim_matches(MARKS);
    loop {
        let bare = match words.matches('(').count().cmp(&words.matches(')').count()) {
            Ordering::Less => words.strip_prefix(')').or_else(|| words.strip_suffix(')')),
            Ordering::Greater => words.strip_suffix('(').or_else(|| words.strip_prefix('(')),
            Ordering::Equal => words
                .strip_prefix('(')
                .and_then(|rest| rest.strip_suffix(')'))
                .filter(|inner| !inner.contains(['(', ')'])),
        };
        match bare {
            Some(bare) => words = bare.trim_matches(MARKS),
            None => return text::capitalize(words),
        }
    }
}

/// Whether a number tells how old somebody is, how long they have done something or how far they ran: “turned 94”, “12 years in
/// kitchens”, “my first 5k”. None of them is what a page is about.
fn is_of_a_life(text: &str, amount: &Amount) -> bool {
    #[rustfmt::skip]
    const AGEING: &[&str] = &[
        "turned", "turns", "turning", "aged", "age", "wird", "wurde", "alter", "cumple", "cumplió", "compie", "fête", "faz", "fez",
    ];
    let last = text[..amount.start].split_whitespace().next_back().unwrap_or_default().to_lowercase();
    let behind = text::words(&text[amount.end..]);
    let next = |at: usize| behind.get(at).map_or("", String::as_str);
    let is_bare = amount.prefix.is_empty() && amount.suffix.is_empty();
    let is_spent = matches!(next(0), "years" | "jahre" | "ans" | "años" | "anni" | "anos")
        && matches!(
            next(1),
            "in" | "of" | "as" | "at" | "im" | "als" | "bei" | "en" | "dans" | "de" | "come" | "nel" | "experience"
        );
    let is_run = amount.prefix.is_empty()
        && amount.suffix == "k"
        && [5.0, 10.0, 15.0, 21.0, 42.0]
            .contains(&(if amount.value >= 1000.0 { amount.value / 1000.0 } else { amount.value }))
        && matches!(last.as_str(), "first" | "a" | "the" | "run" | "my" | "your" | "our" | "next" | "charity" | "fun");
    is_bare && (AGEING.contains(&last.as_str()) || is_spent) || is_run
}

/// Whether a word is a unit of time.
fn is_time(word: &str) -> bool {
    #[rustfmt::skip]
    const UNITS: &[&str] = &[
        "second", "seconds", "sec", "minute", "minutes", "min", "mins", "hour", "hours", "day", "days", "week", "weeks", "month", "months", "sekunden", "minuten",
        "stunden", "tagen", "tage", "wochen", "monaten", "secondes", "heures", "jours", "semaines", "mois", "segundos", "minutos", "horas", "días", "secondi",
        "minuti", "ore", "giorni",
    ];
    UNITS.contains(&word)
}

/// Whether words end as they do before what they lead to.
fn leads_to_number(before: &str) -> bool {
    let last = before.split_whitespace().last().unwrap_or_default().to_lowercase();
    before.split_whitespace().count() > 2
        && matches!(
            last.as_str(),
            "for"
                | "of"
                | "to"
                | "by"
                | "at"
                | "from"
                | "um"
                | "auf"
                | "für"
                | "von"
                | "bei"
                | "pour"
                | "de"
                | "à"
                | "por"
                | "a"
                | "per"
                | "di"
        )
}

/// Words before a number that only say that there is so much of something.
fn is_lead_of_count(before: &str) -> bool {
    matches!(
        before.to_lowercase().as_str(),
        "we have"
            | "we now have"
            | "we've got"
            | "there are"
            | "we are"
            | "we count"
            | "wir haben"
            | "es gibt"
            | "wir sind"
            | "wir zählen"
            | "nous avons"
            | "nous sommes"
            | "tenemos"
            | "somos"
            | "abbiamo"
            | "siamo"
            | "and"
            | "und"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(words: &str) -> Matter {
        let mut matters = of_text(words, Context::default());
        assert_eq!(matters.len(), 1, "{words}: {matters:?}");
        matters.remove(0)
    }

    #[test]
    fn tells_what_a_text_is() {
        assert!(matches!(one("July 1.05M, August 1.1M, September 1.3M"), Matter::Chart { .. }));
        assert!(matches!(one("Starter €9 with mail, Team €29 with phone"), Matter::Columns { .. }));
        assert!(matches!(one("Espresso €2.40, Tea €2.80"), Matter::Menu { .. }));
        assert!(matches!(one("“We saved two days a week.” – Ana Ruiz"), Matter::Quote { .. }));
        assert!(
            matches!(one("laptop, badge and lunch with the team"), Matter::Points { points, .. } if points.len() == 3)
        );
        assert!(
            matches!(one("Ana Ruiz (CEO), Leo Blum (CTO)"), Matter::Points { points, .. } if points[1].body_text() == "CTO")
        );
        assert!(matches!(one("The mill was built by hand."), Matter::Prose { .. }));
    }

    #[test]
    fn tells_a_figure_from_its_label() {
        for (text, value, label) in [
            ("€4.2bn market", "€4.2bn", "Market"),
            ("growing 14%", "14%", "Growing"),
            ("42 % of guests come back", "42 %", "Of guests come back"),
            ("bakers throw away 18% of their bread", "18%", "Bakers throw away 18% of their bread"),
        ] {
            assert_eq!(figure_of(text), Some(Figure { value: value.to_owned(), label: label.to_owned() }), "{text}");
        }
        for text in ["in 2024", "14 June at 8 pm", "no number"] {
            assert_eq!(figure_of(text), None, "{text}");
        }
    }
}
