//! Files that were good once and are not any more: whatever is changed in one, it is read or refused with a word, in bounded time
//! and memory, and nothing breaks down.
//!
//! The corpus is kept beside this file: one small file of each kind, and each file that once broke something. What is in a
//! package is changed before it is packed, because a changed package alone is refused before anything in it is read.

use std::fs;
use std::io::{Cursor, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use easel_canvas::{Attachment, AttachmentRole, Brief, Category, Format, compose, thumbnail};
use rustix::time::{ClockId, clock_gettime};

/// No file takes more of the processor's time, in a build without optimisation. What other work there is on the machine does not count.
const LONGEST: Duration = Duration::from_secs(20);

/// The process has no more memory than this, whatever it reads.
const MOST_BYTES: u64 = 900 << 20;

/// So many changed files are read where nobody says for how long it is to go on.
const FILES: u32 = 40;

/// Numbers without a pattern (xorshift64*), the same ones for the same seed.
struct Noise(u64);

impl Noise {
    fn draw(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`; 0 where there is none.
    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.draw() % end.max(1) as u64).expect("a small number")
    }
}

/// Words that files of any kind are made of, and numbers at the ends of what fits somewhere.
const WORDS: &[&str] = &[
    "0",
    "-1",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
    "1e38",
    "-1e38",
    "NaN",
    "99999999999999999999",
    "<",
    ">",
    "\"",
    "&#0;",
    "%",
    "/",
    "(",
    ")",
    "[",
    "]",
    "<<",
    ">>",
    "stream\n",
    "endstream",
    " 0 R",
    "url(#g)",
    "#s",
    "<g>",
    "</g>",
    "<a:t>",
    "</a:t>",
    "<w:tbl>",
    "</w:tc>",
    "\u{202e}",
    "\u{feff}",
    "|",
    "- ",
    "> ",
    "# ",
    "\t",
    "\n",
    "\r\n",
    ";",
    "\u{1f600}",
    "\0",
];

fn change(bytes: &mut Vec<u8>, corpus: &[Vec<u8>], noise: &mut Noise) {
    let at = noise.below(bytes.len() + 1);
    let end = (at + 1 + noise.below(64)).min(bytes.len());
    match noise.below(9) {
        0 => drop(bytes.get_mut(at).map(|byte| *byte ^= 1 << noise.below(8))),
        1 => drop(bytes.get_mut(at).map(|byte| *byte = noise.draw().to_le_bytes()[0])),
        2 => bytes.truncate(at),
        3 => drop(bytes.drain(at.min(end)..end)),
        4 => {
            let word = WORDS[noise.below(WORDS.len())];
            drop(bytes.splice(at..at, word.bytes()));
        }
        5 => {
            let times = [2, 30, 3_000][noise.below(3)];
            let piece = bytes[at.min(end)..end].repeat(times);
            drop(bytes.splice(at..at, piece));
        }
        6 => {
            let other = &corpus[noise.below(corpus.len())];
            let from = noise.below(other.len());
            let until = (from + noise.below(200)).min(other.len());
            drop(bytes.splice(at..at, other[from..until].iter().copied()));
        }
        7 => {
            // A number becomes another one.
            let digits = bytes.iter().enumerate().skip(at).find(|(_, byte)| byte.is_ascii_digit()).map(|(at, _)| at);
            if let Some(start) = digits {
                let count = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                let word = WORDS[noise.below(10)];
                drop(bytes.splice(start..start + count, word.bytes()));
            }
        }
        _ => {
            // A size of two or four bytes becomes a large one.
            let large = noise.draw().to_be_bytes();
            let width = [2, 4][noise.below(2)];
            for (place, byte) in bytes.iter_mut().skip(at).take(width).zip(large) {
                *place = byte;
            }
        }
    }
}

fn change_package(bytes: &[u8], corpus: &[Vec<u8>], noise: &mut Noise) -> Option<Vec<u8>> {
    let mut package = zip::ZipArchive::new(Cursor::new(bytes)).ok()?;
    let chosen = noise.below(package.len());
    let mut packed = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for at in 0..package.len() {
        let mut part = package.by_index(at).ok()?;
        let (name, mut content) = (part.name().to_owned(), Vec::new());
        part.read_to_end(&mut content).ok()?;
        if at == chosen {
            change(&mut content, corpus, noise);
        }
        packed.start_file(name, zip::write::SimpleFileOptions::default()).ok()?;
        packed.write_all(&content).ok()?;
    }
    Some(packed.finish().ok()?.into_inner())
}

fn draw(name: &str, bytes: &[u8], role: AttachmentRole) {
    let brief = Brief {
        attachments: vec![Attachment { role, name: name.to_owned(), mime: String::new(), bytes: bytes.to_vec() }],
        ..Brief::new("Report", Format::of(Category::Slides), 3)
    };
    if let Ok(design) = compose(&brief, &mut |_| {}) {
        thumbnail(&design.document, 64).expect("a picture");
    }
}

fn peak_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("the state of the process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a number");
    line.split_whitespace().next().and_then(|number| number.parse::<u64>().ok()).expect("kilobytes") << 10
}

/// What this process has taken of the processor.
fn processor_time() -> Duration {
    let taken = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(taken).expect("a time that has passed")
}

/// Keeps a file that broke something, so that it can be looked at and become part of the corpus.
fn keep(name: &str, bytes: &[u8]) -> String {
    let path = std::env::temp_dir().join(format!("easel-fuzz-{}-{name}", std::process::id()));
    fs::write(&path, bytes).expect("a file");
    path.display().to_string()
}

fn check(name: &str, bytes: &[u8], role: AttachmentRole) {
    let start = processor_time();
    let drawn = catch_unwind(AssertUnwindSafe(|| draw(name, bytes, role)));
    let (took, peak) = (processor_time() - start, peak_bytes());
    let is_fine = drawn.is_ok() && took < LONGEST && peak < MOST_BYTES;
    assert!(is_fine, "{name} as {role:?} took {took:?} and {} MB; it is kept at {}", peak >> 20, keep(name, bytes));
}

#[test]
fn whatever_is_changed_in_a_file_it_is_read_or_refused() {
    let number = |variable: &str| std::env::var(variable).ok().map(|text| text.parse::<u64>().expect("a number"));
    let seed = number("EASEL_SEED").unwrap_or(u64::from(std::process::id()));
    let limit = number("EASEL_SOAK_SECONDS").map(Duration::from_secs);
    eprintln!("replay with EASEL_SEED={seed}");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .expect("the corpus")
        .map(|entry| entry.expect("a file"))
        .map(|entry| (entry.file_name().into_string().expect("a name"), fs::read(entry.path()).expect("a file")))
        .collect();
    files.sort();
    let corpus: Vec<Vec<u8>> = files.iter().map(|(_, bytes)| bytes.clone()).collect();
    let roles = [AttachmentRole::Source, AttachmentRole::Asset, AttachmentRole::Reference];
    // As they are first: each kind is there, and each file that once broke something stays mended.
    for (name, bytes) in &files {
        roles.iter().for_each(|role| check(name, bytes, *role));
    }
    for ending in ["svg", "pdf", "docx", "pptx", "xlsx", "png", "jpg", "gif", "webp", "md", "csv"] {
        assert!(files.iter().any(|(name, _)| name.ends_with(ending)), "the corpus has no {ending}");
    }
    let mut noise = Noise(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (start, mut count) = (Instant::now(), 0);
    while limit.map_or(count < FILES, |limit| start.elapsed() < limit) {
        let (name, bytes) = &files[noise.below(files.len())];
        let mut changed = bytes.clone();
        for _ in 0..=noise.below(6) {
            let packed = if noise.below(4) > 0 { change_package(&changed, &corpus, &mut noise) } else { None };
            match packed {
                Some(packed) => changed = packed,
                None => change(&mut changed, &corpus, &mut noise),
            }
        }
        changed.truncate(2_000_000);
        check(name, &changed, roles[noise.below(3)]);
        count += 1;
    }
    eprintln!("{count} changed files in {:?}, at most {} MB", start.elapsed(), peak_bytes() >> 20);
}
