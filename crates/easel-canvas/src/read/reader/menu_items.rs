//! What a menu or a price list offers: things with their prices, and dishes of courses that say none.
//!
//! Deliberately not here: what a price is (`prices`).

use super::state::Reader;
use crate::content::{Matter, Priced};
use crate::read::courses::{dishes_of, is_course};
use crate::read::instructions::{self, Clause};
use crate::read::lines::Line;
use crate::read::page_talk::readers;
use crate::read::parts::Part;
use crate::read::vocabulary::is_determiner;
use crate::read::{amounts, dates, prices, sizes, text};

/// Whether a brief names the price of anything.
pub(super) fn name_prices(content: &[String], lines: &[Line]) -> bool {
    let is_priced = |words: &str| {
        !tells_years(words)
            && (amounts::amounts(words).iter().any(|amount| amount.is_price(words)) || prices::priced(words).is_some())
    };
    // “cake 1.50, coffee 2, juice 1, and tickets are 1 each or 5 for 4”.
    let are_mostly_priced = |words: &str| {
        text::clauses(words).iter().filter(|clause| prices::priced(clause).is_some()).count() >= LEAST_DISHES
    };
    let are_told = |words: &str| text::sentences(words).iter().any(|sentence| prices_of(sentence));
    are_told(&content.join(", "))
        || content.iter().any(|words| prices_of(words) || are_mostly_priced(words))
        || lines.iter().any(|line| matches!(line, Line::Text(words) | Line::Item(_, words) | Line::Heading(words) if is_priced(words) || are_told(words)))
}

/// Whether a text is a list of prices, if only of one thing.
fn prices_of(text: &str) -> bool {
    if text::sentences(text).iter().all(|sentence| tells_years(sentence)) {
        return false;
    }
    prices::price_list_of(text, 1).or_else(|| prices::told::list_of(text, true)).is_some()
}

/// Whether a brief tells what there is on each day of a week.
pub(super) fn name_days(content: &[String], lines: &[Line]) -> bool {
    let told = content.iter().chain(lines.iter().filter_map(|line| match line {
        Line::Text(words) | Line::Item(_, words) => Some(words),
        _ => None,
    }));
    let days = told.flat_map(|words| text::sentences(words)).flat_map(|sentence| text::clauses(&sentence));
    days.filter(|clause| dates::divide_day(clause).is_some()).count() >= LEAST_DISHES
}

/// No dish has more words.
const MOST_WORDS_OF_A_DISH: usize = 10;

/// Fewer lines, or fewer things of a sentence, are no menu.
const LEAST_DISHES: usize = 3;

/// Whether words may be a dish of a menu that says no prices: no sentence, no day, no label, and nothing that guests are told.
fn is_bare_dish(words: &str) -> bool {
    words.split_whitespace().count() <= MOST_WORDS_OF_A_DISH
        && !words.ends_with(['.', '!', '?', ':'])
        && text::sentences(words).len() == 1
        && text::label(words).is_none()
        && !dates::has_moment(words)
        && !words.contains('@')
        && !readers::speaks_to_readers(words)
        && matches!(instructions::judge_spoken(words), Clause::Content(_))
}

/// How many lines from a place on may be dishes.
fn dishes_at(lines: &[Line], from: usize) -> usize {
    let is_led = begin_with_dishes(&lines[from..]) && matches!(lines[from], Line::Heading(_));
    let own = from + usize::from(is_led);
    let dishes = lines[own..].iter().take_while(|line| matches!(line, Line::Text(words) if is_bare_dish(words)));
    own - from + dishes.count()
}

/// Whether the lines of a menu begin with its dishes and not with its name, whose words all begin large or which has an
/// article: “Low Tide”, “The taste of summer”. Several headings name courses.
pub fn begin_with_dishes(lines: &[Line]) -> bool {
    let mut own = lines.iter().skip_while(|line| matches!(line, Line::Blank));
    let (Some(Line::Text(first) | Line::Heading(first)), rest) = (own.next(), own) else { return false };
    let is_name = first.split_whitespace().all(|word| !word.starts_with(char::is_lowercase)) && !first.contains(',')
        || first.split_whitespace().next().is_some_and(|word| is_determiner(&word.to_lowercase()));
    let dishes = rest.clone().take_while(|line| matches!(line, Line::Text(words) if is_bare_dish(words))).count();
    let has_courses = rest.filter(|line| matches!(line, Line::Heading(_))).count() > 0;
    !is_name && !has_courses && is_bare_dish(first) && dishes + 1 >= LEAST_DISHES
}

/// “Soave 2023, Teroldego 2021”: numbers that are years of what stands before them, and no prices.
fn tells_years(words: &str) -> bool {
    let found = amounts::amounts(words);
    !found.is_empty()
        && found.iter().all(|amount| {
            !amount.is_price(words) && (1900.0..2100.0).contains(&amount.value) && amount.end - amount.start == 4
        })
}

/// So many short things behind a label are what a menu has of one kind.
const LEAST_KINDS: usize = 4;

/// “Fillings today: egg and cress, ham, tuna, hummus”: in a menu a label over several short things.
fn lists_kinds(label: &str, body: &str) -> bool {
    let kinds = text::items(body);
    (1..=3).contains(&label.split_whitespace().count())
        && !instructions::is_label(label)
        && text::sentences(body).len() == 1
        && kinds.len() >= LEAST_KINDS
        && !readers::speaks_to_readers(body)
        && kinds.iter().all(|kind| kind.split_whitespace().count() <= 4 && !kind.ends_with(['!', '?']))
}

/// Whether words say no price, or only what is had for more: “pork with potatoes (+2)”.
fn is_unpriced(words: &str) -> bool {
    amounts::amounts(words)
        .iter()
        .all(|amount| amount.written(words).starts_with('+') || words[..amount.start].ends_with('+'))
}

/// “Sides - chips 5.5, elote 4”: a course and its dishes with a dash between them.
fn dashed(words: &str) -> Option<(&str, &str)> {
    let (name, body) = text::split_at_dash(words)?;
    let is_name = (1..=3).contains(&name.split_whitespace().count()) && !name.contains([',', '(', ':']);
    let are_several = prices::price_list_of(body, 2).is_some_and(|items| items.len() >= 2);
    (is_name && are_several && amounts::next_amount(name, 0).is_none()).then_some((name.trim(), body.trim()))
}

impl Reader {
    /// “Menu Da Nino - pizze: margherita 7, … Dolci: …”: what stood behind a dash is the name of the first course.
    pub(super) fn name_first_course(&mut self) {
        let is_named = |part: &Part| {
            part.matters.iter().any(|matter| matches!(matter, Matter::Menu { groups, .. } if groups.iter().any(|group| !group.name.is_empty())))
        };
        let have_others = self.parts.iter().skip(1).any(|part| !part.title.is_empty() || is_named(part))
            || self.parts.first().is_some_and(is_named);
        let is_course = self.is_menu() && (1..=2).contains(&self.subtitle.split_whitespace().count()) && have_others;
        if let Some(Matter::Menu { groups, .. }) = self
            .parts
            .first_mut()
            .filter(|part| is_course && part.title.is_empty())
            .and_then(|part| part.matters.first_mut())
            && let Some(first) = groups.first_mut().filter(|group| group.name.is_empty())
        {
            first.name = std::mem::take(&mut self.subtitle);
        }
    }

    /// “Oysters with rhubarb”, “Leek terrine”: lines of a menu that says no prices; where they end.
    pub(super) fn take_bare_dishes(&mut self, lines: &[Line], from: usize) -> Option<usize> {
        if let Some(end) = self.take_labelled_courses(lines, from) {
            return Some(end);
        }
        let may = self.is_menu() && self.is_unpriced && !self.title.is_empty() && !self.is_in_unpriced_course();
        let count = if may { dishes_at(lines, from) } else { 0 };
        if count < LEAST_DISHES {
            return None;
        }
        self.is_within = false;
        for line in &lines[from..from + count] {
            if let Line::Text(words) | Line::Heading(words) = line {
                self.take_unpriced(words, "");
            }
        }
        self.is_within = false;
        Some(from + count)
    }

    /// “leek soup, roast chicken with beans, lemon cake”, behind the colon of what is asked for; says whether they were taken.
    pub(super) fn take_told_dishes(&mut self, words: &str) -> bool {
        let dishes = text::items(words);
        let are_dishes = self.is_unpriced
            && !self.title.is_empty()
            && text::label(words).is_none()
            && dishes.len() >= LEAST_DISHES
            && dishes.iter().all(|dish| is_bare_dish(dish));
        if are_dishes {
            dishes.iter().for_each(|dish| self.take_unpriced(dish, ""));
            self.is_within = false;
        }
        are_dishes
    }

    /// “small / large” over prices says what they are for, and “Bath 25 / 35” under it has one for each; says whether it was taken.
    pub(super) fn take_sizes(&mut self, words: &str) -> bool {
        if !self.is_menu() {
            return false;
        }
        if let Some(item) = sizes::row_of(words, &self.sizes) {
            self.add_dish(item);
            return true;
        }
        if let Some(sizes) = sizes::listed(words) {
            if sizes != self.sizes {
                self.settle_sizes();
                self.sizes = sizes;
            }
            return true;
        }
        let is_head = words.contains(" / ")
            && words.split_whitespace().count() <= 7
            && !words.chars().any(|letter| letter.is_ascii_digit())
            && !self.title.is_empty();
        if is_head {
            self.details.push(text::capitalize(words.trim()));
        }
        is_head
    }

    /// Gives the prices that stand beside each other the sizes over them; where none has as many, the sizes are words beside them.
    pub(super) fn settle_sizes(&mut self) {
        let told = std::mem::take(&mut self.sizes);
        if told.is_empty() {
            return;
        }
        let mut is_fitting = false;
        let matters = self.parts.iter_mut().flat_map(|part| part.matters.iter_mut());
        for matter in matters {
            let Matter::Menu { groups, .. } = matter else { continue };
            for item in groups.iter_mut().flat_map(|group| group.items.iter_mut()) {
                if item.sizes.is_empty() && item.price.split(Priced::BETWEEN_PRICES).count() == told.len() {
                    item.sizes.clone_from(&told);
                }
                is_fitting |= item.sizes == told;
            }
        }
        if !is_fitting {
            self.details.push(told.join(" / "));
        }
    }

    /// Whether a short line over prices is one of several such, in a menu that has no name yet.
    pub(super) fn heads_a_course(&self, words: &str, lines: &[Line], at: usize) -> bool {
        let told = |line: Option<&Line>| match line {
            Some(Line::Text(words) | Line::Heading(words) | Line::Item(_, words)) => Some(words.clone()),
            _ => None,
        };
        let is_priced = |line: Option<&Line>| {
            told(line).is_some_and(|words| prices::priced(&words).is_some_and(|item| !item.price.is_empty()))
        };
        let heads = |at: usize| {
            told(lines.get(at)).is_some_and(|words| {
                (1..=2).contains(&words.split_whitespace().count())
                    && words.starts_with(char::is_uppercase)
                    && !words.contains(|letter: char| letter.is_ascii_digit() || letter == '.' || letter == ',')
            }) && !is_priced(lines.get(at))
                && is_priced(lines.get(at + 1))
        };
        let is_shouted = |words: &str| words.chars().count() >= 3 && !words.chars().any(char::is_lowercase);
        self.is_menu()
            && self.title.is_empty()
            && (is_course(words) || is_shouted(words))
            && heads(at)
            && (0..lines.len()).filter(|other| heads(*other)).count() >= 2
    }

    /// “Mise en bouche : velouté”, “Plat : filet de bœuf”: lines that each name a course and what is had; where they end.
    fn take_labelled_courses(&mut self, lines: &[Line], from: usize) -> Option<usize> {
        let labelled = |line: &Line| match line {
            Line::Text(words) => text::label(words)
                .filter(|(label, body)| {
                    !body.is_empty()
                        && label.split_whitespace().count() <= 4
                        && amounts::amounts(body).iter().all(|amount| (1900.0..2100.0).contains(&amount.value))
                        && !dates::has_moment(words)
                        && !instructions::is_label(label)
                        && !words.contains('@')
                })
                .map(|(label, body)| (label.to_owned(), body.to_owned())),
            _ => None,
        };
        let told: Vec<(String, String)> = lines[from..].iter().map_while(labelled).collect();
        let is_menu = self.is_menu()
            && !self.title.is_empty()
            && told.len() >= LEAST_DISHES
            && told.iter().filter(|(label, _)| is_course(label)).count() >= 2;
        if !is_menu {
            return None;
        }
        for (label, body) in &told {
            self.take_course_name(label);
            for dish in text::clauses(body.trim_end_matches('.')) {
                self.take_unpriced(&dish, "");
            }
            self.is_within = false;
        }
        Some(from + told.len())
    }

    /// Begins a course whose name stands on a line of its own.
    pub(super) fn take_course_name(&mut self, name: &str) {
        self.parts.push(Part { title: text::capitalize(name.trim().trim_end_matches(':')), ..Part::default() });
        self.is_within = true;
    }

    pub(super) fn take_menu(&mut self, words: &str, name: &str) {
        let words = words.trim().trim_end_matches('.');
        if self.take_days(words) {
            return;
        }
        // “$14 each, happy hour $10” is the price of everything.
        let lower = words.to_lowercase();
        let is_for_all = amounts::next_amount(words, 0).is_some_and(|amount| {
            amount.start == 0
                && [" each", " per ", " all ", " je ", " pro ", " chacun", " cada "]
                    .iter()
                    .any(|word| lower[amount.end.min(lower.len())..].starts_with(word))
        });
        if is_for_all && !self.title.is_empty() {
            self.details.push(text::capitalize(words));
            return;
        }
        // “Wine: Soave, Teroldego” in a menu without prices is a course.
        if (self.is_in_unpriced_course() || self.is_unpriced && !self.title.is_empty())
            && let Some((label, body)) = text::label(words).filter(|(label, body)| {
                text::items(body).len() >= 2
                    && (tells_years(body) || !dates::has_moment(body))
                    && !prices_of(body)
                    && !instructions::is_label(label)
            })
        {
            self.parts.push(Part { title: text::capitalize(label), ..Part::default() });
            self.is_within = true;
            let body = body.to_owned();
            for item in text::items(&body) {
                self.take_unpriced(&item, "");
            }
            return;
        }
        if self.take_course_without_prices(words) {
            return;
        }
        // “Dolce: cantucci e vin santo. Coperto 2 euro”: what follows the course is none of it.
        if let [first, rest @ ..] = text::sentences(words).as_slice()
            && !rest.is_empty()
            && self.take_course_without_prices(first.trim_end_matches('.'))
        {
            rest.iter().for_each(|sentence| self.take_menu(sentence, ""));
            return;
        }
        let is_begun = self.parts.iter().any(|part| matches!(part.matters.last(), Some(Matter::Menu { .. })));
        let odd =
            prices::odd::labelled(words).or_else(|| prices::odd::free(words).filter(|_| is_begun && !self.is_unpriced));
        let labelled =
            text::label(words).or_else(|| dashed(words)).filter(|(_, body)| odd.is_none() && prices_of(body));
        // “Latte: small 3.20, large 4.40” is one thing and no course.
        let sized = labelled.and_then(|(label, body)| sizes::all_of(label, &prices::price_list_of(body, 2)?));
        if let Some((label, body)) = labelled.filter(|_| sized.is_none()) {
            let label = label.to_owned();
            self.take_menu(body, &label);
            return;
        }
        let first = sized
            .or(odd)
            .or_else(|| prices::price_first(words))
            .or_else(|| prices::surcharge(words))
            .map(|item| vec![item])
            .or_else(|| prices::told::list_of(words, true))
            .or_else(|| prices::told::one_of(words).filter(|_| is_begun && !self.is_unpriced).map(|item| vec![item]));
        if let Some(items) = first.or_else(|| prices::price_list_of(words, 1)) {
            self.add_priced(items, name);
            return;
        }
        if !self.take_told_within(words, name) && !self.take_priced_at_first(words, name) {
            self.take_headline_or_detail(words);
        }
    }

    /// Adds things with their prices to the course that is being read, or to a course of that name.
    fn add_priced(&mut self, items: Vec<Priced>, name: &str) {
        let heading = if name.is_empty() {
            self.parts.last().filter(|_| self.is_within).map(|part| part.title.clone()).unwrap_or_default()
        } else {
            self.parts.push(Part { title: text::capitalize(name), ..Part::default() });
            self.is_within = true;
            name.to_owned()
        };
        let group = prices::group(&heading, items);
        let part = self.part();
        match part.matters.last_mut() {
            Some(Matter::Menu { groups, .. }) => match groups.last_mut().filter(|last| last.name == group.name) {
                Some(last) => last.items.extend(group.items),
                None => groups.push(group),
            },
            _ => part.matters.push(Matter::Menu { lead: String::new(), groups: vec![group], details: Vec::new() }),
        }
    }

    /// “Antipasto: crostini, pecorino e miele” where all is had for one price: a course of its own; says whether it was taken.
    fn take_course_without_prices(&mut self, words: &str) -> bool {
        let Some((label, body)) = text::label(words).filter(|(label, body)| {
            (is_course(label) || lists_kinds(label, body))
                && body.split_whitespace().count() >= 2
                && (tells_years(body) || is_unpriced(body) && !dates::has_moment(body))
        }) else {
            return false;
        };
        self.take_course_name(label);
        for dish in dishes_of(body) {
            self.take_unpriced(&dish, "");
        }
        self.is_within = false;
        true
    }

    /// “so it's for the van, soup is four fifty, the pie nine pounds, and dogs are welcome”: what is told beside things and prices is
    /// heard for itself; says whether it was taken.
    fn take_told_within(&mut self, words: &str, name: &str) -> bool {
        let Some(told) = prices::told::within(words, true).filter(|told| told.items.len() >= LEAST_DISHES) else {
            return false;
        };
        told.before.iter().for_each(|clause| self.take_named_or_detail(clause));
        self.add_priced(told.items, name);
        told.behind.iter().for_each(|clause| self.take_named_or_detail(clause));
        true
    }

    /// “it's called The Copper Pot”, beside things and prices told in one breath: the name, wherever it is told.
    fn take_named_or_detail(&mut self, clause: &str) {
        if !self.take_named(clause) {
            self.take_headline_or_detail(clause);
        }
    }

    /// “cake 1.50, coffee 2, and tickets are 1 each or 5 for 4”: things with their prices, and behind them what tells otherwise; says
    /// whether it was taken.
    fn take_priced_at_first(&mut self, words: &str, name: &str) -> bool {
        let clauses = text::clauses(words);
        let count = clauses.iter().take_while(|clause| prices::priced(clause).is_some()).count();
        if count < 3 || count == clauses.len() || words.contains(';') {
            return false;
        }
        self.take_menu(&clauses[..count].join(", "), name);
        for clause in &clauses[count..] {
            self.details.push(text::capitalize(clause));
        }
        true
    }

    fn take_headline_or_detail(&mut self, words: &str) {
        // What stands behind the dishes is seldom what the menu is called.
        if self.title.is_empty() && (self.parts.is_empty() || super::called::is_house(words)) {
            self.take_headline(words);
            return;
        }
        match instructions::judge(words) {
            Clause::Instruction => self.instructions.push(words.to_owned()),
            Clause::Content(content) => self.details.push(text::capitalize(&content)),
        }
    }

    /// Whether a line stands under the name of a course whose dishes say no prices.
    pub(super) fn is_in_unpriced_course(&self) -> bool {
        self.is_within
            && self.parts.last().is_some_and(|part| {
                !part.title.is_empty()
                    && part.matters.iter().all(|matter| match matter {
                        Matter::Menu { groups, .. } => {
                            groups.iter().flat_map(|group| &group.items).all(|item| item.price.is_empty())
                        }
                        _ => false,
                    })
            })
    }

    /// “mon lentil curry 6.5, tue closed” in a menu of a week: what there is on each day; says whether they were taken.
    pub(super) fn take_days(&mut self, words: &str) -> bool {
        let clauses = text::clauses(words);
        let days: Vec<(&str, &str)> = clauses.iter().map_while(|clause| dates::divide_day(clause)).collect();
        if !self.is_week || days.is_empty() || days.len() < clauses.len() {
            return false;
        }
        for (day, told) in days {
            let dish =
                prices::priced(told).unwrap_or_else(|| Priced { name: text::capitalize(told), ..Priced::default() });
            let note =
                [dish.name, dish.note].into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(", ");
            self.add_dish(Priced { name: text::capitalize(day), note, ..dish });
        }
        true
    }

    /// A dish that says no price, in the course that is being read: “Main”, and under it “Slow lamb shoulder, white beans”.
    pub(super) fn take_unpriced(&mut self, name: &str, note: &str) {
        self.add_dish(Priced {
            name: text::capitalize(name.trim().trim_end_matches(':')),
            note: note.trim().to_owned(),
            ..Priced::default()
        });
    }

    /// Adds a dish to the course that is being read.
    fn add_dish(&mut self, item: Priced) {
        let heading = self.parts.last().filter(|_| self.is_within).map(|part| part.title.clone()).unwrap_or_default();
        self.content.push_str(&format!("{} {} ", item.name, item.note));
        let part = self.part();
        match part.matters.last_mut() {
            Some(Matter::Menu { groups, .. }) if !groups.is_empty() => {
                if let Some(last) = groups.last_mut() {
                    last.items.push(item);
                }
            }
            _ => part.matters.push(Matter::Menu {
                lead: String::new(),
                groups: vec![prices::group(&heading, vec![item])],
                details: Vec::new(),
            }),
        }
    }
}
