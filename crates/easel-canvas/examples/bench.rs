//! Measures the canvas: one line a figure, its fields divided by tabs. `cargo xtask bench canvas` makes a table of them.
#![expect(clippy::print_stdout, reason = "its lines are what the task that starts it reads")]

use std::error::Error;
use std::time::{Duration, Instant};

use easel_canvas::{Brief, Category, FileFormat, Format, RenderRequest, compose, render};

fn main() -> Result<(), Box<dyn Error>> {
    let brief = Brief {
        prompt: "Launch deck for a neighbourhood bakery, warm".to_owned(),
        format: Format::of(Category::Slides),
        page_count: Some(10),
        name: None,
        brand: None,
        attachments: Vec::new(),
        seed: 7,
    };
    let composed = median(9, || compose(&brief, &mut |_| {}).map(drop))?;
    println!("compose ten pages\t{:.1} ms\t\t", composed.as_secs_f64() * 1000.0);
    let design = compose(&brief, &mut |_| {})?.document;
    let request = RenderRequest { format: FileFormat::Png, page: Some(1), pixel_ratio: 1, flatten: false };
    let drawn = median(9, || render(&design, &request).map(drop))?;
    println!("a page of 1920 by 1080 to PNG\t{:.1} ms\t\t", drawn.as_secs_f64() * 1000.0);
    Ok(())
}

/// The middle of so many times that something took.
fn median<E>(times: usize, mut what: impl FnMut() -> Result<(), E>) -> Result<Duration, E> {
    let mut took = Vec::with_capacity(times);
    for _ in 0..times {
        let start = Instant::now();
        what()?;
        took.push(start.elapsed());
    }
    took.sort();
    Ok(took[times / 2])
}
