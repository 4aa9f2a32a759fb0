//! Whether a fact stands where it should, as what it should and with what it should.

use easel_canvas::document::Document;
use toml::Value;

use super::Outcome;
use super::exported::words_of_boxes;
use super::pieces::Piece;
use super::words::{contains, is_spaceless, squeezed, tokens};
use super::written::Fact;

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

/// What was drawn, in the forms in which a fact is looked for.
pub struct Drawn<'d> {
    /// The document.
    pub document: &'d Document,
    /// The words of each page.
    pub pages: &'d [Vec<String>],
    /// The title of each slide.
    pub titles: &'d [Vec<String>],
    /// The pieces of the outline.
    pub pieces: &'d [Piece],
}

/// The words of a fact, and how they are compared.
struct Sought {
    words: Vec<String>,
    is_squeezed: bool,
}

impl Sought {
    fn is_in(&self, own: &[String]) -> bool {
        self.has(own, &self.words)
    }

    fn has(&self, own: &[String], wanted: &[String]) -> bool {
        contains(own, wanted) || (self.is_squeezed && squeezed(own).contains(&squeezed(wanted)))
    }

    /// The pages that it stands on.
    fn pages(&self, drawn: &Drawn<'_>) -> Vec<usize> {
        let stands = |page: &[String], at: usize| {
            self.is_in(page)
                // Columns of a page come in an order of their own; a word of the page's own box settles which belong together.
                || (self.words.iter().all(|word| page.contains(word))
                    && words_of_boxes(drawn.document, at).iter().any(|own| contains(own, &self.words)))
        };
        (0..drawn.pages.len()).filter(|at| stands(&drawn.pages[*at], *at)).collect()
    }
}

/// Notes a fact that is missing or misplaced.
pub fn judge_fact(fact: &Fact, drawn: &Drawn<'_>, outcome: &mut Outcome) {
    let sought = Sought { words: tokens(&fact.text), is_squeezed: is_spaceless(&fact.text) };
    let on = sought.pages(drawn);
    let described = format!("{} [{}]", fact.text, fact.role);
    if on.is_empty() {
        outcome.missing.push(described);
    } else if let Err(fault) = judge_place(fact, &sought, drawn, &on) {
        outcome.misplaced.push(format!("{described}: {fault}"));
    }
}

/// Whether a fact that stands on pages is on the right one, in its role and in its company; else what is wrong.
fn judge_place(fact: &Fact, sought: &Sought, drawn: &Drawn<'_>, on: &[usize]) -> Result<(), String> {
    // The page by its number, or by a title that stands on it.
    let asked_page = fact.page.as_ref().and_then(Value::as_integer).map(|page| page as usize - 1);
    if asked_page.is_some_and(|page| !on.contains(&page)) {
        return Err(format!("on page {:?}", on.iter().map(|at| at + 1).collect::<Vec<_>>()));
    }
    let candidates = find_candidates(fact, sought, drawn, on)?;
    let allowed = stands_as(&fact.role);
    let of_role: Vec<&Piece> = candidates.iter().copied().filter(|piece| allowed.contains(&piece.kind)).collect();
    if of_role.is_empty() {
        return Err(format!("is {}", candidates.iter().map(|piece| piece.kind).collect::<Vec<_>>().join("/")));
    }
    if fact.role == "title"
        && !on.iter().any(|at| drawn.titles.get(*at).is_some_and(|title| sought.is_in(title)))
        && !of_role.iter().any(|piece| piece.kind == "kicker")
    {
        return Err("no title in the presentation".to_owned());
    }
    match &fact.with {
        Some(with) if !is_with(&tokens(with), fact, sought, &of_role, drawn, on) => Err(format!("not with “{with}”")),
        _ => Ok(()),
    }
}

/// The pieces of the outline that a fact may be: those under the title that it belongs to, else all that have its words.
fn find_candidates<'d>(
    fact: &Fact,
    sought: &Sought,
    drawn: &Drawn<'d>,
    on: &[usize],
) -> Result<Vec<&'d Piece>, String> {
    let of_text: Vec<&Piece> = drawn.pieces.iter().filter(|piece| sought.is_in(&piece.words)).collect();
    let asked = fact.page.as_ref().and_then(Value::as_str);
    let under = asked.map(tokens);
    let is_under =
        |piece: &Piece| under.as_ref().is_none_or(|under| piece.under.iter().any(|title| contains(title, under)));
    let of_page: Vec<&Piece> = of_text.iter().copied().filter(|piece| is_under(piece)).collect();
    if !of_page.is_empty() {
        return Ok(of_page);
    }
    let by_page = under.as_ref().is_some_and(|under| on.iter().any(|at| contains(&drawn.pages[*at], under)));
    if by_page && !of_text.is_empty() {
        return Ok(of_text);
    }
    Err(format!("not under “{}”", asked.unwrap_or("its piece of the outline")))
}

/// Whether a fact stands with what it belongs to: in one piece of the outline, and for some roles on one page at least.
fn is_with(with: &[String], fact: &Fact, sought: &Sought, pieces: &[&Piece], drawn: &Drawn<'_>, on: &[usize]) -> bool {
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
    pieces.iter().any(|piece| sought.has(&piece.company, with))
        || (!is_strict && on.iter().any(|at| sought.has(&drawn.pages[*at], with)))
}
