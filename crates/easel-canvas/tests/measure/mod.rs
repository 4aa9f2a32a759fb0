//! Measures what is read from a brief: the facts that must stand on the pages, with role, page and company; instructions that
//! must not; words of nobody; kind and number of pages.
//!
//! Words are read back from the exported PDF by poppler, roles from the outline, titles from the presentation.

mod pieces;

use std::collections::BTreeSet;
use std::fs;
use std::io::{Cursor, Read};
use std::path::Path;
use std::process::Command;

use easel_canvas::content::{Matter, Passage};
use easel_canvas::document::{Document, Node};
use easel_canvas::{
    Attachment, AttachmentRole, Brief, Category, Composed, FileFormat, Format, RenderRequest, compose, label_words,
    render,
};
use pieces::{Piece, Pieces};
use toml::Value;

/// A brief as it is written down.
pub struct Written {
    /// The file's name without its ending.
    pub name: String,
    /// The family that it belongs to.
    pub family: String,
    /// The brief.
    pub brief: Brief,
    expect: Value,
    facts: Vec<Fact>,
    gaps: Vec<String>,
}

struct Fact {
    text: String,
    role: String,
    page: Option<Value>,
    with: Option<String>,
}

/// What came of a brief.
#[derive(Debug, Default, Clone)]
pub struct Outcome {
    /// Facts that must stand on pages.
    pub facts: usize,
    /// Those that do not, with what is missing.
    pub missing: Vec<String>,
    /// Those that do, elsewhere or as something else than they should.
    pub misplaced: Vec<String>,
    /// Instructions that are printed.
    pub printed: Vec<String>,
    /// Words that are nobody's.
    pub foreign: BTreeSet<String>,
    /// What is wrong with kind, pages, gaps.
    pub faults: Vec<String>,
    /// How many words stand on the pages.
    pub words: usize,
}

impl Outcome {
    /// Whether all is as it should be.
    pub fn is_right(&self) -> bool {
        self.missing.is_empty()
            && self.misplaced.is_empty()
            && self.printed.is_empty()
            && self.foreign.is_empty()
            && self.faults.is_empty()
    }
}

/// The briefs of a folder beside this crate's sources, in the order of their names.
pub fn load(folder: &str) -> Vec<Written> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("briefs").join(folder);
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("a folder of briefs")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    files.sort();
    files.iter().enumerate().map(|(at, path)| read(path, at as u64)).collect()
}

fn text(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn list<'v>(value: &'v Value, key: &str) -> Vec<&'v Value> {
    value.get(key).and_then(Value::as_array).map(|list| list.iter().collect()).unwrap_or_default()
}

fn read(path: &Path, at: u64) -> Written {
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let value: Value =
        toml::from_str(&fs::read_to_string(path).expect("a brief")).unwrap_or_else(|error| panic!("{name}: {error}"));
    let category = match text(&value, "category").as_str() {
        "social" => Category::Social,
        "carousel" => Category::Carousel,
        "pdf" => Category::Pdf,
        "diagram" => Category::Diagram,
        "ui" => Category::Ui,
        "other" => Category::Other,
        _ => Category::Slides,
    };
    let attachments = list(&value, "files").into_iter().map(|file| {
        let mime = text(file, "mime");
        let role = if mime.starts_with("image/") { AttachmentRole::Asset } else { AttachmentRole::Source };
        Attachment {
            role,
            name: text(file, "name"),
            mime,
            bytes: text(file, "content").trim_start().as_bytes().to_vec(),
        }
    });
    let facts = list(&value, "facts").into_iter().map(|fact| Fact {
        text: text(fact, "text"),
        role: text(fact, "role"),
        page: fact.get("page").cloned(),
        with: fact.get("with").and_then(Value::as_str).map(str::to_owned),
    });
    Written {
        family: text(&value, "family"),
        brief: Brief {
            prompt: text(&value, "brief").trim().to_owned(),
            format: Format::of(category),
            page_count: value.get("page_count").and_then(Value::as_integer).map(|count| count as u32),
            name: None,
            brand: None,
            attachments: attachments.collect(),
            seed: 100 + at * 13,
        },
        expect: value.get("expect").cloned().unwrap_or(Value::Boolean(false)),
        facts: facts.collect(),
        gaps: list(&value, "gaps").into_iter().map(|gap| text(gap, "page")).collect(),
        name,
    }
}

/// The words of a text in a form in which they can be compared: small letters, one kind of dash and quotation mark, numbers
/// without marks between thousands, units and currencies at their numbers.
pub fn tokens(text: &str) -> Vec<String> {
    let mut plain = String::new();
    let letters: Vec<char> = text.to_lowercase().chars().filter(|letter| !matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{ad}' | '\u{fe0f}')).collect();
    let digit = |at: usize| letters.get(at).is_some_and(char::is_ascii_digit);
    for (at, letter) in letters.iter().enumerate() {
        let before = at > 0 && digit(at - 1);
        match letter {
            ',' | '.' | '\'' | '’' if before && digit(at + 1) => {
                // Between thousands a mark says nothing.
                let is_thousands = digit(at + 2) && digit(at + 3) && !digit(at + 4);
                if !is_thousands {
                    plain.push('.');
                }
            }
            '%' | '€' | '$' | '£' => plain.push_str(&format!(" {letter} ")),
            letter if letter.is_alphanumeric() || matches!(letter, '@') => plain.push(*letter),
            '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{900}'..='\u{97f}' | '\u{e00}'..='\u{e7f}' => {
                plain.push(*letter);
            }
            _ => plain.push(' '),
        }
    }
    plain.split_whitespace().map(str::to_owned).collect()
}

fn contains(page: &[String], wanted: &[String]) -> bool {
    !wanted.is_empty() && page.windows(wanted.len()).any(|window| window == wanted)
}

/// Scripts without blanks between words are compared letter by letter.
fn squeezed(tokens: &[String]) -> String {
    tokens.concat()
}

fn is_spaceless(text: &str) -> bool {
    text.chars().any(|letter| matches!(letter, '\u{e00}'..='\u{e7f}' | '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{590}'..='\u{6ff}' | '\u{900}'..='\u{97f}'))
}

/// What a fact of a role may stand as.
fn stands_as(role: &str) -> &'static [&'static str] {
    match role {
        "title" => &["title", "kicker"],
        "heading" | "section" => &["title", "group", "column", "lead", "kicker", "label"],
        "subtitle" => &["subtitle", "kicker", "detail", "lead"],
        "date" | "time" | "place" | "contact" | "action" | "cta" => &[
            "detail",
            "subtitle",
            "kicker",
            "point",
            "step",
            "label",
            "lead",
            "prose",
            "note",
            "by",
            "cell",
            "figure",
            "column_point",
        ],
        "detail" | "role" | "label" | "note" => &[
            "detail",
            "subtitle",
            "kicker",
            "point",
            "step",
            "label",
            "lead",
            "prose",
            "note",
            "by",
            "cell",
            "figure",
            "column_point",
            "group",
            "edge",
        ],
        "price" => &["price", "column_figure", "figure", "detail", "cell"],
        "item" => &["item", "point", "step", "note", "cell"],
        "figure" => &["figure", "column_figure", "chart_value", "cell", "label", "price"],
        "chart_value" => &["chart_value", "cell"],
        "chart_label" => &["chart_label", "cell"],
        "point" => &["point", "step", "column_point", "label", "prose", "cell"],
        "person" => &["point", "detail", "by", "title", "subtitle", "cell", "label", "prose", "step"],
        "quote" => &["quote"],
        "author" | "by" => &["by"],
        "paragraph" => &["prose", "subtitle", "lead", "title", "point", "label"],
        "step" => &["step", "point", "node"],
        "column" => &["column"],
        "node" => &["node", "step"],
        "branch" | "edge" | "condition" => &["edge", "node"],
        "cell" => &["cell"],
        _ => &[
            "title",
            "kicker",
            "subtitle",
            "detail",
            "prose",
            "lead",
            "point",
            "step",
            "figure",
            "label",
            "quote",
            "by",
            "cell",
            "chart_label",
            "chart_value",
            "column",
            "column_figure",
            "column_point",
            "group",
            "item",
            "note",
            "price",
            "node",
            "edge",
        ],
    }
}

/// Measures one brief.
pub fn measure(written: &Written) -> Outcome {
    let mut outcome = Outcome { facts: written.facts.len(), ..Outcome::default() };
    let composed = match compose(&written.brief, &mut |_| {}) {
        Ok(composed) => composed,
        Err(error) => {
            outcome.faults.push(format!("not drawn: {error}"));
            outcome.missing = written.facts.iter().map(|fact| fact.text.clone()).collect();
            return outcome;
        }
    };
    let document = &composed.document;
    let pages: Vec<Vec<String>> = pages_of_pdf(document).iter().map(|page| tokens(page)).collect();
    outcome.words = pages.iter().map(Vec::len).sum();
    let titles = titles_of_pptx(document);
    let mut pieces = Pieces { all: Vec::new(), under: Vec::new() };
    document.origin.outline.passages.iter().for_each(|passage| pieces.add_passage(passage));
    for fact in &written.facts {
        judge_fact(fact, document, &pages, &titles, &pieces.all, &mut outcome);
    }
    let facts: Vec<Vec<String>> = written.facts.iter().map(|fact| tokens(&fact.text)).collect();
    for instruction in list(&written.expect, "instructions").into_iter().filter_map(Value::as_str) {
        let wanted = tokens(instruction);
        let is_fact = facts.iter().any(|fact| contains(fact, &wanted));
        if !is_fact && pages.iter().any(|page| contains(page, &wanted)) {
            outcome.printed.push(instruction.to_owned());
        }
    }
    outcome.foreign = foreign_words(written, document, &pages);
    judge_form(written, &composed, &mut outcome);
    outcome
}

fn judge_fact(
    fact: &Fact,
    document: &Document,
    pages: &[Vec<String>],
    titles: &[Vec<String>],
    pieces: &[Piece],
    outcome: &mut Outcome,
) {
    let wanted = tokens(&fact.text);
    let is_squeezed = is_spaceless(&fact.text);
    let stands = |page: &[String], at: usize| {
        contains(page, &wanted)
            || (is_squeezed && squeezed(page).contains(&squeezed(&wanted)))
            // Columns of a page come in an order of their own; a word of the page's own box settles which belong together.
            || (wanted.iter().all(|word| page.contains(word)) && words_of_boxes(document, at).iter().any(|own| contains(own, &wanted)))
    };
    let on: Vec<usize> = (0..pages.len()).filter(|at| stands(&pages[*at], *at)).collect();
    let described = format!("{} [{}]", fact.text, fact.role);
    if on.is_empty() {
        outcome.missing.push(described);
        return;
    }
    // The page by its number, or by a title that stands on it.
    let asked_page = fact.page.as_ref().and_then(Value::as_integer).map(|page| page as usize - 1);
    if asked_page.is_some_and(|page| !on.contains(&page)) {
        outcome.misplaced.push(format!("{described}: on page {:?}", on.iter().map(|at| at + 1).collect::<Vec<_>>()));
        return;
    }
    let under = fact.page.as_ref().and_then(Value::as_str).map(tokens);
    let has = |own: &[String], wanted: &[String]| {
        contains(own, wanted) || (is_squeezed && squeezed(own).contains(&squeezed(wanted)))
    };
    let of_text: Vec<&Piece> = pieces.iter().filter(|piece| has(&piece.words, &wanted)).collect();
    let of_page: Vec<&&Piece> = of_text
        .iter()
        .filter(|piece| under.as_ref().is_none_or(|under| piece.under.iter().any(|title| contains(title, under))))
        .collect();
    if of_page.is_empty() {
        let by_page = under.as_ref().is_some_and(|under| on.iter().any(|at| contains(&pages[*at], under)));
        if !by_page || of_text.is_empty() {
            outcome.misplaced.push(format!(
                "{described}: not under “{}”",
                fact.page.as_ref().and_then(Value::as_str).unwrap_or("its piece of the outline")
            ));
            return;
        }
    }
    let allowed = stands_as(&fact.role);
    let candidates: Vec<&Piece> = if of_page.is_empty() { of_text } else { of_page.into_iter().copied().collect() };
    let of_role: Vec<&Piece> = candidates.iter().copied().filter(|piece| allowed.contains(&piece.kind)).collect();
    if of_role.is_empty() {
        outcome.misplaced.push(format!(
            "{described}: is {}",
            candidates.iter().map(|piece| piece.kind).collect::<Vec<_>>().join("/")
        ));
        return;
    }
    if fact.role == "title"
        && !on.iter().any(|at| titles.get(*at).is_some_and(|title| has(title, &wanted)))
        && !of_role.iter().any(|piece| piece.kind == "kicker")
    {
        outcome.misplaced.push(format!("{described}: no title in the presentation"));
        return;
    }
    if let Some(with) = &fact.with {
        let with = tokens(with);
        let is_strict = matches!(
            fact.role.as_str(),
            "price"
                | "figure"
                | "chart_value"
                | "column"
                | "item"
                | "node"
                | "branch"
                | "edge"
                | "quote"
                | "person"
                | "role"
        );
        let near = of_role.iter().any(|piece| has(&piece.company, &with));
        let on_page = on.iter().any(|at| has(&pages[*at], &with));
        if !(near || (!is_strict && on_page)) {
            outcome.misplaced.push(format!("{described}: not with “{}”", fact.with.as_deref().unwrap_or_default()));
        }
    }
}

fn foreign_words(written: &Written, document: &Document, pages: &[Vec<String>]) -> BTreeSet<String> {
    let mut own: Vec<String> = tokens(&written.brief.prompt);
    for attachment in &written.brief.attachments {
        own.extend(tokens(&String::from_utf8_lossy(&attachment.bytes)));
        own.extend(tokens(&attachment.name.replace(['_', '-', '.'], " ")));
    }
    own.extend(label_words(&document.language).iter().flat_map(|word| tokens(word)));
    let squeezed = own.concat();
    let known: BTreeSet<&str> = own.iter().map(String::as_str).collect();
    let has_chart =
        document.origin.outline.passages.iter().any(|passage| format!("{:?}", passage.matter).contains("Chart {"));
    let is_free = |word: &str| {
        let is_number = word.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
        let digits: String = word.chars().filter(char::is_ascii_digit).collect();
        // Page numbers, numbers of steps, and the marks along a chart.
        (is_number && (has_chart || digits.parse::<u32>().is_ok_and(|number| number <= 40)))
            || word.chars().all(|letter| !letter.is_alphanumeric())
    };
    pages
        .iter()
        .flatten()
        .filter(|word| {
            !known.contains(word.as_str())
                && !is_free(word)
                && (!is_spaceless(word) || !squeezed.contains(word.as_str()))
        })
        // A chart shortens its numbers and adds its unit.
        .filter(|word| !(has_chart && word.chars().next().is_some_and(|first| first.is_ascii_digit())))
        .filter(|word| !(word.chars().count() > 3 && known.iter().any(|known| known.contains(word.as_str()))))
        .cloned()
        .collect()
}

fn judge_form(written: &Written, composed: &Composed, outcome: &mut Outcome) {
    let document = &composed.document;
    let pages = document.page_count() as i64;
    let range: Vec<i64> = list(&written.expect, "pages").into_iter().filter_map(Value::as_integer).collect();
    if let [least, most] = range.as_slice()
        && !(least..=most).contains(&&pages)
    {
        outcome.faults.push(format!("{pages} pages, not {least} to {most}"));
    }
    let kind = text(&written.expect, "kind");
    let (width, height) = (document.pages[0].width, document.pages[0].height);
    let fits = match kind.as_str() {
        "deck" => document.category == Category::Slides,
        "carousel" => document.category == Category::Carousel,
        "diagram" => document.category == Category::Diagram,
        "document" | "report" | "one_pager" | "letter" => document.category == Category::Pdf,
        "post" => document.category == Category::Social && height < width * 3 / 2,
        "story" => height * 10 >= width * 16,
        "screen" | "ui" => document.category == Category::Ui,
        "poster" | "flyer" | "menu" | "price_list" | "invitation" | "card" | "certificate" | "banner"
        | "infographic" => matches!(document.category, Category::Other | Category::Social),
        _ => true,
    };
    if !fits {
        outcome.faults.push(format!("{kind} became {:?} of {width} by {height}", document.category));
    }
    for gap in &written.gaps {
        let wanted = tokens(gap);
        let is_left_open = |passage: &Passage| {
            contains(&tokens(&passage.title), &wanted) && matches!(passage.matter, Matter::Gap { .. })
        };
        let has = document.origin.outline.passages.iter().any(|passage| {
            is_left_open(passage)
                || matches!(&passage.matter, Matter::Board { parts, .. } if parts.iter().any(is_left_open))
        });
        if !has {
            outcome.faults.push(format!("no gap for “{gap}”"));
        }
    }
    let language = text(&written.expect, "language");
    if !language.is_empty() && language != document.language {
        outcome.faults.push(format!("language {} instead of {language}", document.language));
    }
}

fn words_of_boxes(document: &Document, at: usize) -> Vec<Vec<String>> {
    fn walk(nodes: &[Node], words: &mut Vec<Vec<String>>) {
        for node in nodes {
            match node {
                Node::Text(text) => words.push(tokens(&text.text())),
                Node::Group(group) => walk(&group.nodes, words),
                Node::Table(table) => words.extend(
                    std::iter::once(&table.data.head).chain(&table.data.rows).flatten().map(|cell| tokens(cell)),
                ),
                _ => {}
            }
        }
    }
    let mut words = Vec::new();
    if let Some(page) = document.pages.get(at) {
        walk(&page.nodes, &mut words);
    }
    words
}

fn pages_of_pdf(document: &Document) -> Vec<String> {
    let request = RenderRequest { format: FileFormat::Pdf, page: None, pixel_ratio: 1, flatten: false };
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), render(document, &request).expect("a PDF").bytes).expect("a file");
    let output =
        Command::new("pdftotext").arg("-q").arg(file.path()).arg("-").output().expect("pdftotext (poppler-utils)");
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut pages: Vec<String> = text.split('\u{c}').map(str::to_owned).collect();
    pages.truncate(document.page_count());
    pages
}

/// The title of each slide, as a presentation program lists it.
fn titles_of_pptx(document: &Document) -> Vec<Vec<String>> {
    let request = RenderRequest { format: FileFormat::Pptx, page: None, pixel_ratio: 1, flatten: false };
    let mut zip =
        zip::ZipArchive::new(Cursor::new(render(document, &request).expect("a presentation").bytes)).expect("a zip");
    (1..=document.page_count())
        .map(|number| {
            let mut xml = String::new();
            zip.by_name(&format!("ppt/slides/slide{number}.xml"))
                .expect("a slide")
                .read_to_string(&mut xml)
                .expect("its text");
            let title = xml
                .split(r#"<p:ph type="title"/>"#)
                .nth(1)
                .and_then(|rest| rest.split("</p:sp>").next())
                .unwrap_or_default();
            let words: String =
                title.split("<a:t>").skip(1).filter_map(|run| run.split("</a:t>").next()).collect::<Vec<_>>().join(" ");
            tokens(&words.replace("&amp;", "&").replace("&quot;", "\"").replace("&#39;", "'"))
        })
        .collect()
}
