//! Lines that belong together though no mark says so: a programme by its days and hours, numbers under each other, plans
//! with their prices.
//!
//! Deliberately not here: lists with marks (`by_line`) and dishes (`menu_items`).

use super::state::Reader;
use crate::chart::{ChartData, ChartKind, Series};
use crate::content::{Figure, Matter, Point, Priced};
use crate::read::amounts::{self, amounts};
use crate::read::instructions::{self, Clause};
use crate::read::kinds::Kind;
use crate::read::lines::Line;
use crate::read::parts::Part;
use crate::read::{comparison, dates, matter, prices, series, text, totals};

/// So many lines at least count or measure something.
const LEAST_COUNTED: usize = 3;

/// No more plans are held beside each other.
const MOST_PLANS: usize = 6;

impl Reader {
    /// Takes lines from a place on that belong together; where they end.
    pub(super) fn take_run(&mut self, lines: &[Line], from: usize) -> Option<usize> {
        if let Some(end) = self.take_bare_dishes(lines, from) {
            return Some(end);
        }
        if let Some(end) = self.take_recipe(lines, from) {
            return Some(end);
        }
        let is_item = matches!(lines[from], Line::Item(false, _));
        if !is_item && !matches!(lines[from], Line::Text(_)) {
            return None;
        }
        let run: Vec<&str> = lines[from..]
            .iter()
            .map_while(|line| match line {
                Line::Text(words) if !is_item => Some(words.as_str()),
                Line::Item(false, words) if is_item => Some(words.as_str()),
                _ => None,
            })
            .collect();
        let (count, matter) = self.matter_of_run(&run)?;
        run[..count].iter().for_each(|words| {
            self.note_content(words);
        });
        let is_within = self.is_within && self.parts.last().is_some_and(|part| !part.title.is_empty());
        if is_within {
            self.part().add(matter);
        } else {
            self.parts.push(Part { title: String::new(), matters: vec![matter], is_named: false });
            self.is_within = false;
        }
        Some(from + count)
    }

    /// Takes lines from a place on that invite together; where they end.
    pub(super) fn take_invitation(&mut self, lines: &[Line], from: usize) -> Option<usize> {
        let run: Vec<&str> = lines[from..]
            .iter()
            .map_while(|line| match line {
                Line::Text(words) | Line::Heading(words) => Some(words.as_str()),
                _ => None,
            })
            .take(4)
            .collect();
        let count = self.take_invited_lines(&run);
        (count > 0).then_some(from + count)
    }

    /// Takes plans that are told in a sentence each; how many sentences.
    pub(super) fn take_plans(&mut self, sentences: &[String]) -> usize {
        let run: Vec<&str> = sentences.iter().map(String::as_str).collect();
        let Some((count, matter)) = (run.len() > 1).then(|| self.plans_of(&run)).flatten() else { return 0 };
        run[..count].iter().for_each(|words| {
            self.note_content(words);
        });
        self.part().add(matter);
        self.is_within = false;
        count
    }

    /// “Yoga timetable: Mon 18–19 Hatha with Eva, Wed 9–10 Yin with Jan, …”: behind a label, things that each begin with their day
    /// and hour; says whether they were taken.
    pub(super) fn take_schedule(&mut self, label: &str, body: &str) -> bool {
        let clauses = text::clauses(body.trim_end_matches('.'));
        let points: Vec<Point> = clauses.iter().map_while(|clause| scheduled(clause)).collect();
        if self.is_menu()
            || matter::is_data(body)
            || series::chart_of(body, true).is_some()
            || points.len() < 3
            || points.len() < clauses.len()
            || self.kind == Kind::Diagram
        {
            return false;
        }
        self.note_content(body);
        let mut title = text::capitalize(label);
        if self.title.is_empty() && self.parts.is_empty() {
            self.title = std::mem::take(&mut title);
        }
        let matter = Matter::Points { lead: String::new(), points, ordered: true };
        self.parts.push(Part { title, matters: vec![matter], is_named: false });
        self.is_within = false;
        true
    }

    /// “Roof: green, on plan. Lift: red, a part is missing”, “Heizung grün, fertig im Mai”: how things stand, by the colours of a
    /// traffic light; how many sentences. Fewer than `least` are none.
    pub(super) fn take_states(&mut self, sentences: &[String], least: usize) -> usize {
        let points: Vec<Point> = sentences.iter().map_while(|sentence| state_of(sentence)).collect();
        let count = points.len();
        if count < least || self.kind == Kind::Diagram || self.is_menu() {
            return 0;
        }
        sentences[..count].iter().for_each(|words| {
            self.note_content(words);
        });
        let part = self.part();
        match part.matters.last_mut() {
            Some(Matter::Points { points: known, .. }) => known.extend(points),
            _ => part.add(Matter::Points { lead: String::new(), points, ordered: false }),
        }
        self.is_within = false;
        count
    }

    /// What the first lines of a run are together, and how many they are.
    fn matter_of_run(&self, run: &[&str]) -> Option<(usize, Matter)> {
        if let Some(found) = self.plans_of(run) {
            return Some(found);
        }
        if self.is_menu() {
            return None;
        }
        if let Some(points) = self.programme_of(run) {
            return Some((points.len(), Matter::Points { lead: String::new(), points, ordered: false }));
        }
        if let Some(found) = self.listed_of(run) {
            return Some(found);
        }
        if let Some(found) = self.measured_of(run) {
            return Some(found);
        }
        let scheduled: Vec<Point> = run.iter().map_while(|line| scheduled(line)).collect();
        if scheduled.len() >= 2 && !(self.title.is_empty() && scheduled.len() < 3 && self.parts.is_empty()) {
            let count = scheduled.len();
            let is_way = self.kind == Kind::Diagram;
            return Some((
                count,
                if is_way {
                    Matter::Steps { lead: String::new(), points: scheduled }
                } else {
                    Matter::Points { lead: String::new(), points: scheduled, ordered: true }
                },
            ));
        }
        if self.kind == Kind::Diagram {
            return run.first().and_then(|line| funnel_of(line)).map(|matter| (1, matter));
        }
        let priced: Vec<Vec<Priced>> = run.iter().map_while(|line| positions(line)).collect();
        let count = priced.len();
        let priced = priced.concat();
        if priced.len() >= 2 && (priced.len() >= 3 || !self.title.is_empty()) {
            return Some((
                count,
                Matter::Menu { lead: String::new(), groups: vec![prices::group("", priced)], details: Vec::new() },
            ));
        }
        let mut figures: Vec<Figure> = run.iter().map_while(|line| counted(line, false)).collect();
        // “318 Haushalte”: of several lines under each other that all count, the words may begin large.
        if figures.len() < 2 {
            figures = run.iter().map_while(|line| counted(line, true)).collect();
            figures.truncate(if figures.len() >= LEAST_COUNTED { figures.len() } else { 0 });
        }
        (2..=6).contains(&figures.len()).then(|| (figures.len(), Matter::Figures { lead: String::new(), figures }))
    }

    /// “Members: 214”, “Depth: up to 7.5 metres”: lines that each have a name and a number, where pages have no names.
    fn measured_of(&self, run: &[&str]) -> Option<(usize, Matter)> {
        if self.kind == Kind::Diagram || self.is_paged() && !(self.is_headed && self.is_within) {
            return None;
        }
        let figures: Vec<Figure> = run.iter().map_while(|line| measured(line)).collect();
        let are_prices =
            figures.iter().all(|figure| amounts(&figure.value).iter().any(|amount| amount.is_price(&figure.value)));
        ((LEAST_COUNTED..=6).contains(&figures.len()) && !are_prices)
            .then(|| (figures.len(), Matter::Figures { lead: String::new(), figures }))
    }

    /// “Fauré – Cantique de Jean Racine”: under the heading of a part, lines of which most have a name and words. What follows
    /// the last of these is none of them.
    fn programme_of(&self, run: &[&str]) -> Option<Vec<Point>> {
        let is_named = |line: &str| text::has_dash(line) && text::label(line).is_none();
        let count = run.iter().rposition(|line| is_named(line)).map_or(0, |last| last + 1);
        // A line in brackets, or one that a heading follows, is still part of it.
        let count = if run.get(count).is_some_and(|line| line.trim_end().ends_with(')')) { count + 1 } else { count };
        let lines = run.get(..count)?;
        let are_lines = lines.iter().filter(|line| is_named(line)).count() * 2 > count
            && count >= 2
            && lines.iter().all(|line| {
                line.split_whitespace().count() <= 14
                    && !line.ends_with(['.', '!', '?'])
                    && scheduled(line).is_none()
                    && matches!(instructions::judge(line), Clause::Content(_))
            });
        let is_headed =
            self.is_headed && self.is_within && self.parts.last().is_some_and(|part| part.matters.is_empty());
        (is_headed && are_lines).then(|| lines.iter().map(|line| matter::point_of(line)).collect())
    }

    /// “Starter €9 with one user”, “Team €29 with ten users”: a line for each plan.
    fn plans_of(&self, run: &[&str]) -> Option<(usize, Matter)> {
        let most = run.len().min(MOST_PLANS);
        (2..=most).rev().find_map(|count| {
            let chosen = &run[..count];
            if !chosen.iter().all(|line| is_plan(line, self.is_menu())) {
                return None;
            }
            let columns = comparison::columns_of(&chosen.join("; "))?;
            let are_told = columns.len() == count && columns.iter().all(|column| !column.points.is_empty());
            are_told.then(|| (count, Matter::Columns { lead: String::new(), columns }))
        })
    }
}

/// Whether a line names a plan: a name of few words, one price, and what is had for it. In a menu only where the price is
/// for a stretch of time or a word says that things belong to it: a dish has its price and its ingredients too.
fn is_plan(line: &str, is_strict: bool) -> bool {
    let prices: Vec<_> = amounts(line).into_iter().filter(|amount| amount.is_price(line)).collect();
    let [price] = prices.as_slice() else { return false };
    let lower = line.to_lowercase();
    let behind = &lower[price.end.min(lower.len())..];
    let has_period = [
        "/mo",
        "/month",
        "/year",
        "/yr",
        "per month",
        "a month",
        "/user",
        "per user",
        "/seat",
        "pro monat",
        "/monat",
        "im monat",
        "par mois",
        "al mes",
        "al mese",
    ]
    .iter()
    .any(|sign| lower.contains(sign));
    let has_word = [" with ", " includes ", " including ", " mit ", " inkl", " avec ", " con "]
        .iter()
        .any(|word| behind.contains(word));
    let is_named = line[..price.start].split_whitespace().count() <= 4 && price.start > 0;
    is_named
        && text::items(&line[price.end..]).len() >= if is_strict { 1 } else { 2 }
        && (!is_strict || has_period || has_word)
        || is_named && (has_word || has_period && behind.split_whitespace().count() >= 2) && !is_strict
}

/// “Thu 3 July  The General, live piano”, “9 Oct – Ines Carvalho: hidden rivers”, “1951 First bottled ale”: when, and what.
fn scheduled(line: &str) -> Option<Point> {
    if matches!(instructions::judge(line), Clause::Instruction) {
        return None;
    }
    for dash in text::DASHES {
        if let Some((head, body)) = line.split_once(dash).filter(|(head, _)| is_time(head)) {
            return Some(Point::new(text::capitalize(head.trim()), body.trim()));
        }
    }
    if let Some((label, body)) = text::label(line).filter(|(label, body)| !body.is_empty() && begins_with_time(label)) {
        return Some(Point::new(text::capitalize(label), body));
    }
    let words: Vec<(usize, &str)> = dates::split_words(line);
    let mut count = words.iter().take_while(|(_, word)| is_time_word(word)).count();
    // “Thu 3 July The General”: the small word belongs to what follows.
    while count > 0 && is_small(words[count - 1].1) {
        count -= 1;
    }
    let (end, _) = words.get(count).filter(|_| count > 0)?;
    let (head, body) = (line[..*end].trim().trim_end_matches([',', ':']), line[*end..].trim());
    // “Do not swim” begins with no Thursday.
    let is_verb = matches!(head, "Do" | "So" | "do" | "so")
        && body.split_whitespace().next().is_some_and(|next| {
            matches!(
                next,
                "not" | "you" | "we" | "it" | "the" | "this" | "that" | "I" | "nicht" | "wie" | "a" | "your" | "don't"
            )
        });
    let is_told = !is_verb && is_time(head) && body.chars().next().is_some_and(|first| !first.is_ascii_digit());
    is_told.then(|| Point::new(text::capitalize(head), body))
}

/// “Heizung Altbau grün, fertig bis Ende Mai”: a thing with the colour of a traffic light, and why.
fn state_of(sentence: &str) -> Option<Point> {
    #[rustfmt::skip]
    const LIGHTS: &[&str] = &[
        "green", "amber", "yellow", "red", "grün", "gelb", "rot", "orange", "vert", "jaune", "rouge", "verde", "amarillo", "rojo", "giallo", "rosso",
    ];
    let sentence = sentence.trim().trim_end_matches(['.', '!']);
    let clauses = text::clauses(sentence);
    let (thing, light) = clauses.first()?.trim().rsplit_once(' ')?;
    let thing = thing.trim_end_matches([':', '–', '-', ' ']);
    let is_state = LIGHTS.contains(&light.to_lowercase().as_str())
        && (1..=5).contains(&thing.split_whitespace().count())
        && thing.chars().next().is_some_and(char::is_uppercase)
        && clauses.len() >= 2;
    let said = sentence.get(clauses.first()?.len()..)?;
    is_state.then(|| Point::new(thing, format!("{light}{said}")))
}

/// Words that stand between days and hours and end none.
fn is_small(word: &str) -> bool {
    matches!(
        word.to_lowercase().as_str(),
        "the"
            | "of"
            | "at"
            | "from"
            | "to"
            | "and"
            | "und"
            | "ab"
            | "um"
            | "le"
            | "de"
            | "del"
            | "al"
            | "à"
            | "about"
            | "until"
            | "bis"
    )
}

fn begins_with_time(words: &str) -> bool {
    dates::first_moment(words).is_some_and(|at| at <= 3) || dates::is_period(words) || is_time(words)
}

/// Whether words are a day, an hour or a stretch of time and nothing else.
fn is_time(words: &str) -> bool {
    let all: Vec<&str> = words.split_whitespace().collect();
    let is_bare_number = all.len() == 1
        && all[0].trim_matches(|letter: char| !letter.is_alphanumeric()).len() < 4
        && all[0].chars().all(|letter| letter.is_ascii_digit());
    !all.is_empty()
        && all.len() <= 8
        && !is_bare_number
        && all.iter().all(|word| is_time_word(word))
        && (dates::has_moment(words)
            || dates::is_period(words)
            || all.iter().any(|word| is_years(word))
            // “Mo 18–19:15”.
            || all.len() > 1 && dates::is_weekday(all[0]) && all[1].starts_with(|first: char| first.is_ascii_digit()))
}

/// Seasons and parts of a year.
fn is_season(word: &str) -> bool {
    #[rustfmt::skip]
    const SEASONS: &[&str] = &[
        "spring", "summer", "autumn", "fall", "winter", "early", "late", "mid", "frühjahr", "frühling", "sommer", "herbst", "anfang", "mitte", "ende",
        "printemps", "été", "automne", "hiver", "primavera", "verano", "otoño", "invierno", "estate", "autunno", "inverno",
    ];
    SEASONS.contains(&word)
}

/// “2019–now”, “1987”, “2011–2015”, “1936/37”.
fn is_years(word: &str) -> bool {
    if let Some((year, next)) = word.trim_matches(|letter: char| !letter.is_alphanumeric()).split_once('/') {
        return year.len() == 4 && next.len() == 2 && year.parse::<u32>().is_ok() && next.parse::<u32>().is_ok();
    }
    let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    let is_year = |part: &str| part.len() == 4 && part.parse::<u32>().is_ok_and(|year| (1000..2200).contains(&year));
    let mut parts = bare.split(['–', '-', '—']);
    parts.next().is_some_and(is_year)
        && parts
            .all(|part| is_year(part) || matches!(part, "" | "now" | "today" | "heute" | "present" | "hoy" | "oggi"))
}

fn is_time_word(word: &str) -> bool {
    let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    let is_number = !bare.is_empty()
        && bare.chars().all(|letter| letter.is_ascii_digit() || ".:–-/h".contains(letter))
        && bare.chars().next().is_some_and(|first| first.is_ascii_digit());
    is_number
        || is_years(word)
        || dates::is_weekday(&bare)
        || dates::is_month(&bare)
        || dates::has_moment(word)
        || is_season(&bare)
        || matches!(
            bare.as_str(),
            "" | "ab"
                | "from"
                | "at"
                | "um"
                | "uhr"
                | "am"
                | "pm"
                | "bis"
                | "until"
                | "to"
                | "and"
                | "und"
                | "de"
                | "al"
                | "del"
                | "le"
                | "à"
                | "à h"
                | "h"
                | "week"
                | "woche"
                | "day"
                | "tag"
                | "kw"
                | "since"
                | "seit"
                | "ca"
                | "about"
                | "alle"
                | "ore"
                | "dalle"
                | "alle ore"
                | "of"
                | "the"
        )
}

/// A line of a list of prices: what costs so much, or the sums under all of them.
fn positions(line: &str) -> Option<Vec<Priced>> {
    totals::totals_of(line).or_else(|| position(line).map(|item| vec![item]))
}

/// “Pos 2: doors painted, 5 at 85,00 € = 425,00 €”: a line that ends with its price.
fn position(line: &str) -> Option<Priced> {
    let bare = line.trim().trim_end_matches('.');
    let last = amounts(bare).into_iter().last().filter(|amount| amount.is_price(bare) && amount.end == bare.len())?;
    let name = bare[..last.start].trim_end_matches(['.', ':', '–', '-', '—', '=', ' ']).trim();
    let is_named = name.chars().any(char::is_alphabetic)
        && name.chars().count() <= 90
        && !dates::has_moment(name)
        && text::sentences(name).len() == 1;
    if !is_named
        || name.split_whitespace().last().is_some_and(|word| {
            matches!(word, "for" | "of" | "at" | "to" | "from" | "für" | "um" | "auf" | "von" | "costs" | "to:")
        })
    {
        return None;
    }
    let (head, note) = text::name_and_words(name).unwrap_or((name.to_owned(), String::new()));
    Some(Priced { name: text::capitalize(&head), note, price: last.written(bare).to_owned(), sizes: Vec::new() })
}

/// “Members: 214”: a name, and a number with its unit.
fn measured(line: &str) -> Option<Figure> {
    let (label, value) = text::label(line)?;
    let found = amounts(value);
    let [amount, ..] = found.as_slice() else { return None };
    let before = value[..amount.start].trim();
    let is_called = found.len() > 1
        || value.chars().filter(char::is_ascii_digit).count() > 7
        || value.starts_with(['0', '+']) && value.len() > 4;
    let is_brief = value.split_whitespace().count() <= 4
        && before.split_whitespace().count() <= 2
        && label.split_whitespace().count() <= 5;
    // “Room: 12”, “Tel: 555”, “Page: 3” name something by its number and measure nothing.
    let names = text::words(label).last().is_some_and(|last| {
        matches!(
            last.as_str(),
            "room"
                | "raum"
                | "tel"
                | "phone"
                | "telefon"
                | "fax"
                | "page"
                | "code"
                | "extension"
                | "ext"
                | "no"
                | "nr"
                | "number"
                | "nummer"
                | "date"
                | "datum"
                | "salle"
                | "sala"
        )
    });
    (is_brief
        && !is_called
        && !names
        && !dates::has_moment(line)
        && !value.contains('@')
        && !value.ends_with(['!', '?']))
    .then(|| Figure { value: value.trim().trim_end_matches('.').to_owned(), label: text::capitalize(label) })
}

/// “41,200 visits”: a number at the beginning of a line, and what it counts, which may be a name of its own kind.
fn counted(line: &str, is_large: bool) -> Option<Figure> {
    let first = amounts::next_amount(line, 0).filter(|amount| amount.start == 0)?;
    let label = line[first.end..].trim();
    let is_label = label.chars().next().is_some_and(char::is_alphabetic)
        && label.split_whitespace().count() <= 6
        && label.split_whitespace().next().is_some_and(|word| is_large || word.starts_with(char::is_lowercase));
    if !is_label || first.is_price(line) || dates::has_moment(line) {
        return None;
    }
    matter::figure_of(line)
}

/// “visits 48,000 → signups 3,900 → paying 410”: numbers that follow from each other.
fn funnel_of(line: &str) -> Option<Matter> {
    let line = line.replace("->", "→").replace(" > ", " → ");
    let pieces: Vec<&str> = line.split('→').map(str::trim).collect();
    if pieces.len() < 3 {
        return None;
    }
    let pairs: Vec<(String, amounts::Amount)> =
        pieces.iter().map(|piece| named_number(piece)).collect::<Option<_>>()?;
    let (labels, found): (Vec<String>, Vec<amounts::Amount>) = pairs.into_iter().unzip();
    let suffix = found[0].suffix.clone();
    if found.iter().any(|amount| amount.suffix != suffix) {
        return None;
    }
    let chart = ChartData {
        kind: ChartKind::Bars,
        labels,
        series: vec![Series { name: String::new(), values: found.iter().map(|amount| Some(amount.value)).collect() }],
        prefix: found[0].currency().to_owned(),
        suffix,
        comma: matter::has_decimal_comma(&line),
    };
    Some(Matter::Chart { lead: String::new(), chart, insights: Vec::new() })
}

/// “visits 48,000”, “410 paying”: a name and the number at one of its ends.
fn named_number(piece: &str) -> Option<(String, amounts::Amount)> {
    let found = amounts(piece);
    let [number] = found.as_slice() else { return None };
    let name = if number.end == piece.len() {
        &piece[..number.start]
    } else {
        piece.get(number.end..).filter(|_| number.start == 0)?
    };
    let name = name.trim().trim_end_matches([':', '=']);
    (!name.is_empty()).then(|| (text::capitalize(name), number.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_when_from_what() {
        for (line, head, body) in [
            ("Thu 3 July  The General (1926), live piano", "Thu 3 July", "The General (1926), live piano"),
            ("9 Oct – Ines Carvalho: hidden rivers", "9 Oct", "Ines Carvalho: hidden rivers"),
            ("1951 First bottled ale", "1951", "First bottled ale"),
            ("2019–now  Ward nurse", "2019–now", "Ward nurse"),
            ("Samstag ab 18 Uhr: Musik", "Samstag ab 18 Uhr", "Musik"),
            ("Viernes 25, 19:00: lectura", "Viernes 25, 19:00", "lectura"),
        ] {
            let point = scheduled(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!((point.head.as_str(), point.body_text().as_str()), (head, body));
        }
        for line in ["5 km at 9:45", "Free entry", "12 Hill Street", "30 August 2025"] {
            assert_eq!(scheduled(line), None, "{line}");
        }
    }

    #[test]
    fn reads_numbers_that_follow_from_each_other() {
        let Some(Matter::Chart { chart, .. }) = funnel_of("asked 900 > came 310 > stayed 45") else {
            panic!("no chart")
        };
        assert_eq!(chart.labels, ["Asked", "Came", "Stayed"]);
    }
}
