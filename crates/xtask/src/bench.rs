//! `cargo xtask bench`: how fast the parts are, in a release build, each figure beside its target.
//!
//! A part measures itself in a program of its own and writes one line a figure; here the lines become a table. A figure
//! that misses its target is said so and fails the task, so that it is seen; nothing is rounded in its favour.

mod app;
mod briefs;
mod canvas;
mod program;

use clap::ValueEnum;

use crate::checkout::Checkout;
use crate::command::Problem;

/// What can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// How the window feels: its start, its memory, long lists, the answer to a click; and the size of its package
    App,
    /// What is read from the briefs beside the canvas, against what must stand on their pages; others by their folder's name
    Briefs,
    /// What the built-in studio draws, beside a browser that draws the same
    Canvas,
    /// What the studio answers, beside a bare handler and sha256sum
    Studio,
    /// What keeping a folder in step costs, beside rclone, curl and find
    Sync,
}

/// One figure of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// What was measured.
    pub name: String,
    /// What came out, with its unit.
    pub result: String,
    /// What was aimed at, with its unit; empty where there is no target.
    pub target: String,
    /// Whether the target was met; `None` where there is none.
    pub is_met: Option<bool>,
}

impl Figure {
    /// Reads a line of four fields with tabs between them: name, result, target, and `met`, `missed` or nothing.
    fn read(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, result, target, verdict] = fields.as_slice() else { return None };
        let is_met = match *verdict {
            "met" => Some(true),
            "missed" => Some(false),
            "" => None,
            _ => return None,
        };
        Some(Self { name: (*name).to_owned(), result: (*result).to_owned(), target: (*target).to_owned(), is_met })
    }
}

/// Measures a part and prints its table. `names` choose some of its figures where it has parts of its own; each figure
/// is also printed as soon as it is known, so that a run that is cut short loses none.
///
/// # Errors
/// When the part cannot be measured, or a figure misses its target.
pub fn run(checkout: &Checkout, part: Part, names: &[String]) -> Result<(), Problem> {
    let say = |line: &str| println!("{}", line.replace('\t', "  "));
    let written = match part {
        Part::App => app::measure(checkout, names, say)?,
        Part::Briefs => briefs::measure(checkout, names)?,
        Part::Canvas if !names.is_empty() => return Err(Problem::new("this is measured as a whole")),
        Part::Canvas => canvas::measure(checkout)?,
        Part::Studio => program::measure_studio(checkout, names, say)?,
        Part::Sync => program::measure_sync(checkout, names, say)?,
    };
    let figures: Vec<Figure> = written.lines().filter_map(Figure::read).collect();
    if figures.is_empty() {
        return Err(Problem::new(format!("nothing was measured:\n{written}")));
    }
    println!("\n{}", table(&figures));
    let missed = figures.iter().filter(|figure| figure.is_met == Some(false)).count();
    if missed == 0 { Ok(()) } else { Err(Problem::new(format!("{missed} of {} figures missed", figures.len()))) }
}

/// The figures as a table whose columns stand under one another.
fn table(figures: &[Figure]) -> String {
    let head = ["what", "result", "target", ""].map(str::to_owned);
    let rows: Vec<[String; 4]> = std::iter::once(head)
        .chain(figures.iter().map(|figure| {
            let verdict = match figure.is_met {
                Some(true) => "met",
                Some(false) => "MISSED",
                None => "",
            };
            [figure.name.clone(), figure.result.clone(), figure.target.clone(), verdict.to_owned()]
        }))
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let lines = rows.iter().map(|row| {
        format!(
            "{:<a$}  {:>b$}  {:<c$}  {}",
            row[0],
            row[1],
            row[2],
            row[3],
            a = widths[0],
            b = widths[1],
            c = widths[2]
        )
        .trim_end()
        .to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_becomes_a_row_and_anything_else_is_passed_over() {
        let figure = Figure::read("a page to PNG\t21 ms\tat most 50 ms\tmet").unwrap();
        assert_eq!(figure.is_met, Some(true));
        assert_eq!(Figure::read("a count\t3\t\t").unwrap().is_met, None);
        for line in ["Compiling something", "", "a\tb\tc\tperhaps"] {
            assert_eq!(Figure::read(line), None, "{line:?}");
        }
        let missed = Figure { is_met: Some(false), ..figure.clone() };
        let table = table(&[figure, missed]);
        assert_eq!(table.lines().count(), 3);
        assert!(table.contains("MISSED"), "{table}");
    }
}
