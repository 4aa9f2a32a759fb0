//! Measures what is read from the briefs beside this crate: one line a figure, its fields divided by tabs.
//! `cargo xtask bench briefs` makes a table of them.
//!
//! Without an argument the open briefs are measured; others only by the name of their folder. With `-v` what is wrong
//! with each brief is written to standard error, and a second word chooses briefs by a part of their name.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "its lines are what the task that starts it reads")]

#[path = "../tests/measure/mod.rs"]
mod measure;

use measure::Outcome;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_told = arguments.iter().any(|argument| argument == "-v");
    let mut names = arguments.iter().filter(|argument| *argument != "-v");
    let folder = names.next().map_or("open", String::as_str);
    let only = names.next();
    let mut outcomes: Vec<(String, Outcome)> = Vec::new();
    for written in
        measure::load(folder).iter().filter(|written| only.is_none_or(|only| written.name.contains(only.as_str())))
    {
        let outcome = measure::measure(written);
        let right = outcome.facts - outcome.missing.len() - outcome.misplaced.len();
        let result = format!(
            "{} of {} facts, {right} in place, {} instructions, {} foreign, {} faults",
            outcome.facts - outcome.missing.len(),
            outcome.facts,
            outcome.printed.len(),
            outcome.foreign.len(),
            outcome.faults.len()
        );
        println!("{}\t{result}\t\t", written.name);
        if is_told && !outcome.is_right() {
            eprintln!("{}", written.name);
            outcome.missing.iter().for_each(|fact| eprintln!("   missing    {fact}"));
            outcome.misplaced.iter().for_each(|fact| eprintln!("   misplaced  {fact}"));
            outcome.printed.iter().for_each(|words| eprintln!("   printed    {words}"));
            if !outcome.foreign.is_empty() {
                eprintln!("   foreign    {:?}", outcome.foreign);
            }
            outcome.faults.iter().for_each(|fault| eprintln!("   fault      {fault}"));
        }
        outcomes.push((written.family.clone(), outcome));
    }
    let mut families: Vec<String> = outcomes.iter().map(|(family, _)| family.clone()).collect();
    families.sort();
    families.dedup();
    if families.len() > 1 {
        for family in &families {
            let own: Vec<&Outcome> =
                outcomes.iter().filter(|(of, _)| of == family).map(|(_, outcome)| outcome).collect();
            tell(&format!("{family}: "), &own, false);
        }
    }
    tell("", &outcomes.iter().map(|(_, outcome)| outcome).collect::<Vec<_>>(), true);
}

fn tell(before: &str, outcomes: &[&Outcome], is_aimed: bool) {
    let sum = |count: fn(&Outcome) -> usize| outcomes.iter().map(|outcome| count(outcome)).sum::<usize>();
    let facts = sum(|outcome| outcome.facts);
    let there = facts - sum(|outcome| outcome.missing.len());
    let in_place = there - sum(|outcome| outcome.misplaced.len());
    let right = outcomes.iter().filter(|outcome| outcome.is_right()).count();
    let figure = |name: &str, result: usize, of: Option<usize>, target: usize| {
        let of = of.map(|of| format!(" of {of}")).unwrap_or_default();
        let verdict = if !is_aimed {
            ""
        } else if result == target {
            "met"
        } else {
            "missed"
        };
        let aim = if is_aimed { target.to_string() } else { String::new() };
        println!("{before}{name}\t{result}{of}\t{aim}\t{verdict}");
    };
    figure("facts on the pages", there, Some(facts), facts);
    figure("facts in their place", in_place, Some(facts), facts);
    figure("instructions printed", sum(|outcome| outcome.printed.len()), None, 0);
    figure("words that are nobody's", sum(|outcome| outcome.foreign.len()), None, 0);
    figure("faults of kind, pages, gaps, language", sum(|outcome| outcome.faults.len()), None, 0);
    figure("briefs without any fault", right, Some(outcomes.len()), outcomes.len());
}
