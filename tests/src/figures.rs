//! Figures of a bench: each as a line on standard output, from which `cargo xtask bench` makes a table; and medians.
#![expect(clippy::print_stdout, reason = "its lines are what it is for")]

use std::time::Duration;

/// The side of its target on which a figure should be.
#[derive(Debug, Clone, Copy)]
pub enum Target {
    /// No less than this.
    AtLeast(f64),
    /// No more than this.
    AtMost(f64),
}

/// Writes one figure.
pub fn write(name: &str, result: f64, unit: &str, target: Target) {
    let (words, limit, is_met) = match target {
        Target::AtLeast(limit) => ("at least", limit, result >= limit),
        Target::AtMost(limit) => ("at most", limit, result <= limit),
    };
    let verdict = if is_met { "met" } else { "missed" };
    println!("{name}\t{}\t{words} {}\t{verdict}", in_unit(result, unit), in_unit(limit, unit));
}

/// Writes a figure without a target: a part of a ratio.
pub fn write_plain(name: &str, result: f64, unit: &str) {
    println!("{name}\t{}\t\t", in_unit(result, unit));
}

fn in_unit(number: f64, unit: &str) -> String {
    let digits = if number.abs() < 10.0 { 2 } else { 1 };
    let space = if unit.is_empty() || unit == "×" { "" } else { " " };
    format!("{number:.digits$}{space}{unit}")
}

/// The middle one.
///
/// # Panics
/// Where there are none.
#[must_use]
pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// The number below which 99 of 100 are.
///
/// # Panics
/// Where there are none.
#[must_use]
pub fn percentile_99(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let index = (numbers.len() * 99).div_ceil(100).saturating_sub(1);
    numbers[index.min(numbers.len() - 1)]
}

/// In seconds.
#[must_use]
pub fn seconds(duration: Duration) -> f64 {
    duration.as_secs_f64()
}
