//! A variation: the same words on pages that are arranged otherwise.
//!
//! Always true: each variation of a design differs from the ones before it in its arrangement, a word of difference stands in its
//! name, and no word of the design is lost. Which one comes is a matter of its turn alone, so that four, eight or twelve that are
//! asked for at once are as many, and a repeat goes on where the last ones ended. Deliberately not here: the layouts (`layout`).

use super::super::look;
use crate::document::{Category, Document, Node};
use crate::layout;
use crate::origin::{Arrangement, HeadPlace, Origin};
use crate::read::instructions::Instructions;
use crate::theme::{Background, Role, find_recipe};

/// One way to arrange pages anew.
struct Way {
    head: HeadPlace,
    is_mirrored: bool,
    is_large: bool,
    /// Whether dark becomes light and light dark.
    turns_tone: bool,
    /// By how many places the theme goes on among those that suit; 0 keeps it.
    theme: usize,
}

const fn way(head: HeadPlace, is_mirrored: bool, is_large: bool, turns_tone: bool, theme: usize) -> Way {
    Way { head, is_mirrored, is_large, turns_tone, theme }
}

/// So many variations that are asked for one after the other are told apart from each other first of all.
pub const GROUP: u32 = 4;

/// How a variation of one page is tried, beside the way of its turn.
#[derive(Debug, Clone, Copy)]
pub struct Turned {
    /// By how many more places the choice among layouts goes on.
    further: u32,
    /// Whether its sides are exchanged once more.
    is_mirrored: bool,
    /// Whether its type is large where the way has it usual, and the other way round.
    is_resized: bool,
}

/// All that are tried, those with the way's own size of type first.
pub fn turned() -> impl Iterator<Item = Turned> {
    let sizes = [false, true].into_iter();
    sizes.flat_map(|is_resized| {
        (0..6).flat_map(move |further| [false, true].map(|is_mirrored| Turned { further, is_mirrored, is_resized }))
    })
}

impl Turned {
    /// Arranges an origin so.
    pub const fn apply(self, arrangement: &mut Arrangement) {
        arrangement.step += self.further;
        arrangement.is_mirrored ^= self.is_mirrored;
        arrangement.is_large ^= self.is_resized;
    }
}

/// Any four in a row have four places for their titles, and no two of them have both the same tone and the same theme where five
/// themes suit: whichever are made at once tell themselves apart.
const WAYS: &[Way] = &[
    way(HeadPlace::Side, false, false, false, 0),
    way(HeadPlace::Foot, false, false, true, 0),
    way(HeadPlace::Top, true, true, false, 1),
    way(HeadPlace::FarSide, true, false, false, 2),
    way(HeadPlace::Side, true, false, true, 1),
    way(HeadPlace::Foot, true, true, false, 3),
    way(HeadPlace::Top, false, true, true, 0),
    way(HeadPlace::FarSide, false, true, false, 1),
    way(HeadPlace::Side, true, true, false, 4),
    way(HeadPlace::Foot, false, false, false, 2),
    way(HeadPlace::Top, true, true, true, 2),
    way(HeadPlace::FarSide, true, false, true, 1),
];

/// Arranges an origin anew, for the turn and with what the person wished besides; returns what was done, in words for a person.
pub fn vary(origin: &mut Origin, wishes: &Instructions, turn: u32) -> String {
    let way = &WAYS[turn as usize % WAYS.len()];
    let before = origin.look.arrangement.clone();
    let suiting = look::suiting(&origin.prompts.join(" "));
    if let Some(wished) = wishes.recipe.filter(|name| suiting.contains(name)) {
        dress(origin, wished);
    } else if way.theme > 0 || wishes.recipe.is_some() {
        let at = suiting.iter().position(|name| *name == origin.look.recipe).unwrap_or(0);
        dress(origin, suiting[(at + way.theme.max(1)) % suiting.len()]);
    }
    if !wishes.colors.is_empty() {
        origin.look.colors.clone_from(&wishes.colors);
        origin.look.ground = wishes.ground;
    }
    let is_dark = find_recipe(&origin.look.recipe).is_some_and(|recipe| recipe.paper.l < 0.5);
    match wishes.dark {
        Some(dark) => {
            origin.look.inverted = dark != is_dark;
            origin.look.keeps_tone = true;
        }
        None if way.turns_tone => {
            origin.look.inverted = !origin.look.inverted;
            origin.look.chosen.ground = None;
        }
        None => {}
    }
    origin.look.arrangement = Arrangement {
        step: before.step + turn + 1,
        head: way.head,
        is_mirrored: way.is_mirrored,
        is_large: way.is_large,
        called: String::new(),
    };
    "Made a variation: the same words, arranged otherwise.".to_owned()
}

fn dress(origin: &mut Origin, recipe: &str) {
    origin.look.recipe = recipe.to_owned();
    origin.look.pairing = find_recipe(recipe).map_or("Plain", |recipe| recipe.pairings[0]).to_owned();
}

/// What turned dark or light. The first page stands for a design in its picture, so a tone that it does not have is said of the
/// pages alone.
fn name_tone(document: &Document, before: &Document) -> Option<String> {
    let is_dark = |document: &Document, ground| !document.theme.palette(ground).color(Role::Ground).is_light();
    let ground_of = |document: &Document| document.pages.first().map_or(Background::Base, |page| page.ground);
    let opens_dark = |document: &Document| is_dark(document, ground_of(document));
    let named = |dark: bool| if dark { "dark" } else { "light" };
    let (first, others) = (opens_dark(document), is_dark(document, Background::Base));
    let has_turned = opens_dark(before) != first;
    if document.page_count() <= 1 {
        return has_turned.then(|| named(first).to_owned());
    }
    match (has_turned, is_dark(before, Background::Base) != others) {
        (true, true) if first == others => Some(named(first).to_owned()),
        (true, _) => Some(format!("{} cover", named(first))),
        (false, true) => Some(format!("{} pages", named(others))),
        (false, false) => None,
    }
}

/// What is different about a design that was arranged anew from `before`, in a few words that its name can end with.
pub fn name_for(document: &Document, before: &Document) -> String {
    let (look, was) = (&document.origin.look, &before.origin.look);
    let mut said: Vec<String> = Vec::new();
    let first = document.pages.first();
    let place = first.map_or("", |page| layout::called(&page.layout));
    let is_paged = document.page_count() > 1;
    let is_broad = look.width * 4 > look.height * 5;
    let arrangement = &look.arrangement;
    let is_paper = document.category == Category::Pdf && is_paged;
    let head = match arrangement.head {
        HeadPlace::Side if is_paper => "Headings at the left",
        HeadPlace::FarSide if is_paper => "Headings at the right",
        HeadPlace::Foot if is_paper => "Broad margin",
        HeadPlace::Side if is_broad => "Titles at the left",
        HeadPlace::FarSide if is_broad => "Titles at the right",
        HeadPlace::FarSide | HeadPlace::Foot => "Titles below",
        _ => "",
    };
    let pictured = first.is_some_and(|page| page.nodes.iter().any(|node| matches!(node, Node::Image(_))));
    if is_paged && !head.is_empty() {
        said.push(head.to_owned());
    } else if !place.is_empty() {
        said.push(place.to_owned());
    } else if !head.is_empty() {
        said.push(head.to_owned());
    }
    if arrangement.is_mirrored && pictured && layout::is_sided(first.map_or("", |page| &page.layout)) {
        said.push("picture at the other side".to_owned());
    }
    if arrangement.is_large {
        match said.iter_mut().find(|said| said.to_lowercase().contains("large")) {
            Some(said) => *said = format!("Very {}", said.to_lowercase()),
            None => said.push("large type".to_owned()),
        }
    }
    said.extend(name_tone(document, before));
    if look.recipe != was.recipe {
        said.push(look.recipe.clone());
    }
    if said.is_empty() {
        said.push("Other layout".to_owned());
    }
    let mut joined = said.join(", ");
    if let Some(first) = joined.get(..1).map(str::to_uppercase) {
        joined.replace_range(..1, &first);
    }
    joined
}
