//! Pictures that came with a brief, on the pages that have room for one.

use crate::content::{Matter, Passage};
use crate::document::{Asset, Category};

/// The first picture goes on the cover, the next beside texts, what is left on pages of its own.
pub fn place_pictures(passages: &mut Vec<Passage>, pictures: &[Asset], category: Category, page_count: Option<u32>) {
    let mut left = pictures.iter();
    if let Some(Passage { matter: Matter::Cover { picture, .. }, .. }) = passages.first_mut() {
        *picture = left.next().map(|asset| asset.id.clone());
    }
    for passage in passages.iter_mut() {
        if let Matter::Prose { picture, .. } = &mut passage.matter {
            *picture = left.next().map(|asset| asset.id.clone());
        }
    }
    let is_many = !matches!(category, Category::Social | Category::Ui | Category::Diagram)
        || page_count.is_some_and(|count| count > 1);
    if !is_many {
        return;
    }
    let before_last = if passages.len() > 2 { passages.len() - 1 } else { passages.len() };
    let pages: Vec<Passage> = left
        .map(|asset| {
            Passage::new(asset.alt.clone(), Matter::Picture { picture: asset.id.clone(), caption: String::new() })
        })
        .collect();
    passages.splice(before_last..before_last, pages);
}
