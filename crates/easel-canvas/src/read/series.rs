//! Numbers along names or along time, as people write them in a sentence: “July 1.05M, August 1.1M, September 1.3M”.

use super::amounts::{Amount, amounts};
use super::dates::{begins_with_date, is_period};
use super::text;
use crate::chart::{ChartData, ChartKind, Series};

/// A name and its number as they were read.
struct Pair {
    name: String,
    amount: Amount,
    written: String,
}

/// The chart that a list of names and numbers is; `is_told` where what stands before the list says that numbers follow.
///
/// Names along time are a chart from three on. Other names are one where their numbers are parts of a whole, or where
/// they are told.
pub fn chart_of(text: &str, is_told: bool) -> Option<ChartData> {
    let items = pieces(text);
    if items.len() < 3 || items.len() > 40 {
        return None;
    }
    // “15 February, 15 May, 15 August” are days.
    let is_day = |item: &String| {
        item.starts_with(|first: char| first.is_ascii_digit())
            && begins_with_date(item)
            && item.split_whitespace().count() == 2
    };
    if items.iter().all(is_day) {
        return None;
    }
    let pairs: Vec<Pair> = items.iter().map(|item| pair_of(item)).collect::<Option<_>>()?;
    let is_time = pairs.iter().all(|pair| is_period(&pair.name));
    let suffixes: Vec<&str> = pairs.iter().map(|pair| pair.amount.suffix.trim()).collect();
    // A unit that is said once, at the first or the last number, holds for all.
    let suffix = suffixes.iter().find(|suffix| !suffix.is_empty()).copied().unwrap_or_default();
    let prefix = pairs.iter().map(|pair| pair.amount.currency()).find(|prefix| !prefix.is_empty()).unwrap_or_default();
    if suffixes.iter().any(|own| !own.is_empty() && *own != suffix)
        || pairs.iter().any(|pair| !pair.amount.currency().is_empty() && pair.amount.currency() != prefix)
    {
        return None;
    }
    let is_share = suffix == "%" && (99.0..=101.0).contains(&pairs.iter().map(|pair| pair.amount.value).sum::<f64>());
    let is_priced = pairs.iter().any(|pair| pair.amount.is_price(&pair.written));
    let names_are_short = pairs.iter().all(|pair| pair.name.split_whitespace().count() <= 4 && !pair.name.is_empty());
    if !(is_time || is_share && names_are_short || (is_told && names_are_short && !is_priced)) {
        return None;
    }
    let kind = if is_share && pairs.len() <= 6 {
        ChartKind::Donut
    } else if is_time && pairs.len() > 8 {
        ChartKind::Lines
    } else if is_time || pairs.iter().all(|pair| pair.name.chars().count() <= 12) && pairs.len() <= 8 {
        ChartKind::Columns
    } else {
        ChartKind::Bars
    };
    let comma = pairs.iter().any(|pair| has_decimal_comma(&pair.written));
    Some(ChartData {
        kind,
        labels: pairs.iter().map(|pair| text::capitalize(&pair.name)).collect(),
        series: vec![Series {
            name: String::new(),
            values: pairs.iter().map(|pair| Some(pair.amount.value)).collect(),
        }],
        prefix: prefix.to_owned(),
        suffix: if suffix.chars().next().is_some_and(char::is_alphabetic)
            && pairs.iter().any(|pair| pair.amount.suffix.starts_with(' '))
        {
            format!(" {suffix}")
        } else {
            suffix.to_owned()
        },
        comma,
    })
}

/// Whether a number is written with a comma before its decimals.
pub fn has_decimal_comma(written: &str) -> bool {
    let digits: Vec<char> = written.chars().collect();
    let at = digits.iter().rposition(|letter| *letter == ',');
    at.is_some_and(|at| {
        let behind = digits[at + 1..].iter().take_while(|letter| letter.is_ascii_digit()).count();
        (behind == 1 || behind == 2) && at > 0 && digits[at - 1].is_ascii_digit()
    })
}

fn pieces(text: &str) -> Vec<String> {
    let items = text::items(text);
    // “Mon 12 / Tue 15 / Wed 9” and “Q1 12 → Q2 15” are lists too.
    if items.len() < 3 {
        let bars = text::by_bar(text);
        if bars.len() >= 3 {
            return bars;
        }
        if let Some(paired) = paired(text) {
            return paired;
        }
        let arrowed: Vec<String> = text
            .replace("->", "→")
            .split('→')
            .map(|piece| piece.trim().to_owned())
            .filter(|piece| !piece.is_empty())
            .collect();
        if arrowed.len() >= 3 && arrowed.iter().all(|piece| pair_of(piece).is_some()) {
            return arrowed;
        }
    }
    items
}

/// “Q1 1.1m Q2 1.9m Q3 2.6m”: stretches of time and their numbers in turn, with no mark between them.
fn paired(text: &str) -> Option<Vec<String>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let are_pairs = words.len() >= 6
        && words.len().is_multiple_of(2)
        && words
            .chunks(2)
            .all(|pair| is_period(pair[0]) && amounts(pair[1]).first().is_some_and(|amount| amount.start == 0));
    are_pairs.then(|| words.chunks(2).map(|pair| pair.join(" ").trim_end_matches('.').to_owned()).collect())
}

fn pair_of(item: &str) -> Option<Pair> {
    let item = item.trim().trim_end_matches(['.', ';', ',']);
    // A year before a number is a name: “2021 4.2”, “2021: 4.2”.
    let (name, rest) = match item.split_once([' ', ':']) {
        Some((first, rest)) if is_period(first.trim_matches(['(', ')'])) => (first.to_owned(), rest.trim().to_owned()),
        _ => (String::new(), item.to_owned()),
    };
    let found = amounts(&rest);
    // The last one counts where a name holds a number of its own: “Week 1 12”.
    let amount = found.last()?.clone();
    let before = rest[..amount.start].trim().trim_end_matches([':', '–', '-', '—', '=', '(', ' ']).trim();
    let behind = rest[amount.end..].trim().trim_matches([')', '(', ' ', '.']);
    let (whole, more) = match (name.is_empty(), before.is_empty(), behind.is_empty()) {
        (true, false, true) => (before.to_owned(), ""),
        (true, true, false) => (behind.trim_start_matches("in ").trim_start_matches("im ").to_owned(), ""),
        (false, true, true) => (name, ""),
        // “2022 410 t”: a short word behind the number is its unit.
        (false, true, false) if behind.chars().count() <= 3 && behind.chars().all(char::is_alphabetic) => {
            (name, behind)
        }
        (false, false, true) => (format!("{name} {before}"), ""),
        _ => return None,
    };
    let suffix = if more.is_empty() { amount.suffix.clone() } else { format!(" {more}") };
    let is_name = !whole.is_empty() && whole.chars().count() <= 40 && found.len() <= 2;
    is_name.then(|| Pair {
        name: whole,
        written: amount.written(&rest).to_owned(),
        amount: Amount { start: 0, end: amount.end - amount.start, suffix, ..amount },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers_along_time_as_a_chart() {
        let chart = chart_of("July 1.05M, August 1.1M, September 1.3M", false).expect("a chart");
        assert_eq!(chart.labels, ["July", "August", "September"]);
        assert_eq!(chart.series[0].values, [Some(1.05), Some(1.1), Some(1.3)]);
        assert_eq!(chart.suffix, "M");
        let years = chart_of("2021: 4,2 Mio., 2022: 5,1 Mio. und 2023: 6,4 Mio.", false).expect("a chart");
        assert_eq!(years.labels, ["2021", "2022", "2023"]);
        assert!(years.comma);
        let shares = chart_of("wind 40%, sun 35%, water 25%", false).expect("a chart");
        assert_eq!(shares.kind, ChartKind::Donut);
    }

    #[test]
    fn leaves_prices_and_sentences_alone() {
        for text in [
            "Espresso 2.40, Tea 2.80, Cake 3.90",
            "we met 12 people, drank tea, and left",
            "July was good, August 1.1M, September 1.3M",
        ] {
            assert_eq!(chart_of(text, false), None, "{text}");
        }
    }
}
