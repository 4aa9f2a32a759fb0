//! What a design says and what it does not. Not here: where on its pages.

use easel_canvas::Category;

use crate::drawn::draw;

/// Draws a brief; every one of the facts stands on its pages, and none of the directions does.
pub fn says(prompt: &str, category: Category, facts: &[&str], directions: &[&str]) {
    let words = format!("{:?}", draw(prompt, category).origin.outline.passages).to_lowercase();
    for fact in facts {
        assert!(words.contains(&fact.to_lowercase()), "“{fact}” is missing of {prompt}:\n{words}");
    }
    for direction in directions {
        assert!(!words.contains(&direction.to_lowercase()), "“{direction}” stands on {prompt}:\n{words}");
    }
}
