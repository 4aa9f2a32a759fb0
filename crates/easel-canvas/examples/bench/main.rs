//! Measures the canvas: one line a figure, its fields divided by tabs. `cargo xtask bench canvas` makes a table of them.
//!
//! Beside it a headless Chromium draws the same page from its SVG, in the same run: begun anew for every picture, and
//! kept open. With arguments the program draws once and ends; so what a fresh start costs is measured from outside.
#![expect(clippy::print_stdout, reason = "its lines are what the task that starts it reads")]

mod browser;

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use easel_canvas::{
    Attachment, AttachmentRole, Brief, Category, Document, FileFormat, Format, RenderRequest, compose, render,
    thumbnail,
};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A fresh start of ours is so many times as fast as a browser's.
const COLD: f64 = 10.0;

/// A picture of ours is made so many times as fast as one by a browser that is open.
const WARM: f64 = 3.0;

/// Two processors draw many pages so many times as fast as one.
const TWO_CORES: f64 = 1.7;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => measure(),
        ["page", document, picture] => draw_once(document, Some(1), picture),
        ["pages", document, zip] => draw_once(document, None, zip),
        _ => Err("either no argument, or `page` or `pages`, a document and a file".into()),
    }
}

fn draw_once(document: &str, page: Option<u32>, file: &str) -> Outcome<()> {
    let document = Document::from_json(&fs::read(document)?)?;
    let request = RenderRequest { format: FileFormat::Png, page, pixel_ratio: 1, flatten: false };
    let start = Instant::now();
    let rendered = render(&document, &request)?;
    println!("{}", start.elapsed().as_micros());
    Ok(fs::write(file, rendered.bytes)?)
}

/// A deck of so many pages, each with something to say: points, steps, numbers, a chart, prose in turn.
fn deck(page_count: u32) -> Brief {
    let mut text = "# A bakery for the quarter\n\nWhat we plan for the coming year.\n\n".to_owned();
    for number in 1..page_count {
        text.push_str(&format!("## Part {number}\n\n"));
        text.push_str(match number % 5 {
            0 => "- **Counter**: Coffee, a seat by the window, and somebody who knows your order\n- **Oven**: A short list of loaves, made by hand every night\n- **Season**: What the fields bring this week decides\n",
            1 => "1. Taste: open the kitchen for one evening\n2. Prepare: set up the counter and train the team\n3. Open: on a Saturday, with the ovens in plain sight\n",
            2 => "- 38% more orders than last year\n- 214 new customers\n- 12 days from idea to shelf\n",
            3 => "Good things take a night to rise and a morning to share, and most of our guests come before work: they want it warm, quick and by name.\n",
            _ => "> The bread is the reason we moved to this street.\n> — Ines, regular since the first week\n",
        });
        text.push('\n');
    }
    Brief {
        page_count: Some(page_count),
        attachments: vec![Attachment {
            role: AttachmentRole::Source,
            name: "plan.md".to_owned(),
            mime: "text/markdown".to_owned(),
            bytes: text.into_bytes(),
        }],
        ..Brief::new("Launch deck, warm", Format::of(Category::Slides), 7)
    }
}

fn measure() -> Outcome<()> {
    let ten = deck(10);
    tell("compose ten pages", median(15, || Ok(compose(&ten, &mut |_| {}).map(drop)?))?);
    let document = compose(&ten, &mut |_| {})?.document;
    let request = |format, page| RenderRequest { format, page, pixel_ratio: 1, flatten: false };
    let draw = |format, page| -> Outcome<()> { Ok(render(&document, &request(format, page)).map(drop)?) };
    let picture = median(15, || draw(FileFormat::Png, Some(1)))?;
    tell("a page of 1920 by 1080 to PNG", picture);
    tell("ten pages to PDF", median(9, || draw(FileFormat::Pdf, None))?);
    tell("ten pages to PPTX", median(9, || draw(FileFormat::Pptx, None))?);
    let small = median(15, || Ok(thumbnail(&document, 640).map(drop)?))?;
    println!("thumbnails of 640 pixels\t{:.0} a second\t\t", 1.0 / small.as_secs_f64());

    let folder = std::env::temp_dir().join(format!("easel-bench-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let compared = compare(&folder, &document, picture);
    fs::remove_dir_all(&folder)?;
    compared
}

fn compare(folder: &Path, document: &Document, picture: Duration) -> Outcome<()> {
    let (json, drawing) = (folder.join("document.json"), folder.join("page.svg"));
    fs::write(&json, document.to_json()?)?;
    let request = RenderRequest { format: FileFormat::Svg, page: Some(1), pixel_ratio: 1, flatten: false };
    fs::write(&drawing, render(document, &request)?.bytes)?;

    // One of ours, then one of the browser's, in turn: what else the machine does meets both.
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..7 {
        ours.push(timed(|| start_own(&[], "page", &json, &folder.join("own.png")).map(drop))?);
        theirs.push(timed(|| browser::draw_cold(folder, &drawing, &folder.join("cold.png")))?);
    }
    let (ours, theirs) = (middle(ours), middle(theirs));
    tell("the page to PNG, started anew", ours);
    tell("Chromium, started anew", theirs);
    judge("times as fast as Chromium, started anew", theirs, ours, COLD);

    let warm = middle(browser::draw_warm(folder, &drawing, 15)?);
    tell("Chromium, kept open", warm);
    judge("times as fast as Chromium, kept open", warm, picture, WARM);

    let many = folder.join("many.json");
    fs::write(&many, compose(&deck(24), &mut |_| {})?.document.to_json()?)?;
    let (mut on_one, mut on_two) = (Vec::new(), Vec::new());
    for _ in 0..5 {
        // A program of its own for each, as its processors are chosen when it starts; the drawing alone is compared, the start
        // of a program has no use for a second processor.
        on_one.push(start_own(&["taskset", "-c", "0"], "pages", &many, &folder.join("one.zip"))?);
        on_two.push(start_own(&["taskset", "-c", "0,1"], "pages", &many, &folder.join("two.zip"))?);
    }
    let (on_one, on_two) = (middle(on_one), middle(on_two));
    tell("24 pages on one processor", on_one);
    tell("24 pages on two processors", on_two);
    judge("times as fast on two processors", on_one, on_two, TWO_CORES);
    Ok(())
}

/// Starts this program anew to draw once, `before` standing before its command; says how long the drawing itself took.
fn start_own(before: &[&str], what: &str, document: &Path, file: &Path) -> Outcome<Duration> {
    let own = std::env::current_exe()?;
    let mut command = match before {
        [] => Command::new(&own),
        [program, rest @ ..] => {
            let mut command = Command::new(program);
            command.args(rest).arg(&own);
            command
        }
    };
    let output = command.arg(what).arg(document).arg(file).output()?;
    if !output.status.success() {
        return Err(format!("drawing ended with {}", output.status).into());
    }
    Ok(Duration::from_micros(String::from_utf8(output.stdout)?.trim().parse()?))
}

fn timed(what: impl FnOnce() -> Outcome<()>) -> Outcome<Duration> {
    let start = Instant::now();
    what()?;
    Ok(start.elapsed())
}

/// The middle of so many times that something took, after one that does not count.
fn median(times: usize, mut what: impl FnMut() -> Outcome<()>) -> Outcome<Duration> {
    what()?;
    let took = (0..times).map(|_| timed(&mut what)).collect::<Outcome<Vec<_>>>()?;
    Ok(middle(took))
}

fn middle(mut took: Vec<Duration>) -> Duration {
    took.sort();
    took[took.len() / 2]
}

fn tell(what: &str, took: Duration) {
    println!("{what}\t{:.1} ms\t\t", took.as_secs_f64() * 1000.0);
}

fn judge(what: &str, theirs: Duration, ours: Duration, target: f64) {
    let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
    let verdict = if ratio >= target { "met" } else { "missed" };
    println!("{what}\t{ratio:.2}\tat least {target}\t{verdict}");
}
