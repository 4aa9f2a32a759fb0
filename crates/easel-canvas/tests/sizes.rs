//! One design in other sizes: laid out anew for each, every word kept, on pages of exactly that size.

use std::collections::BTreeSet;

use easel_canvas::audit::audit;
use easel_canvas::{compose, edit};

mod briefs;
mod kept;
#[expect(dead_code, reason = "only the briefs are wanted here, not what they come to")]
mod measure;

use kept::{all_briefs, find_lost_words};

/// What the app asks with for each size that it offers, and the size in pixels.
const SIZES: [(&str, (u32, u32)); 5] = [
    ("The same content, laid out anew as a square Instagram post, 1080 x 1080 pixels", (1080, 1080)),
    ("The same content, laid out anew as an upright Instagram story, 1080 x 1920 pixels", (1080, 1920)),
    ("The same content, laid out anew in A4 format, upright", (794, 1123)),
    ("The same content, laid out anew in 16:9, 1920 x 1080 pixels", (1920, 1080)),
    ("The same content, laid out anew in banner format, 1500 x 500 pixels", (1500, 500)),
];

#[test]
fn a_design_in_another_size_keeps_every_word_and_has_no_fault() {
    let mut faults: Vec<String> = Vec::new();
    for (name, brief) in all_briefs() {
        let first = compose(&brief, &mut |_| {}).unwrap_or_else(|error| panic!("{name}: {error}")).document;
        for (prompt, size) in SIZES {
            let made = match edit(&first, prompt, None, 0, &mut |_| {}) {
                Ok(made) => made.document,
                Err(error) => {
                    faults.push(format!("{name} {size:?}: {error}"));
                    continue;
                }
            };
            let sizes: BTreeSet<(u32, u32)> = made.pages.iter().map(|page| (page.width, page.height)).collect();
            if sizes != BTreeSet::from([size]) {
                faults.push(format!("{name} {size:?}: pages of {sizes:?}"));
            }
            if made.origin.outline != first.origin.outline {
                faults.push(format!("{name} {size:?}: the outline changed"));
            }
            let lost = find_lost_words(&first, &made);
            if !lost.is_empty() {
                faults.push(format!("{name} {size:?}: lost {lost:?}"));
            }
            let findings = audit(&made);
            if !findings.is_empty() {
                faults.push(format!(
                    "{name} {size:?}: {} of {}: {:?}",
                    findings.len(),
                    made.pages[0].layout,
                    &findings[..findings.len().min(2)]
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}: {faults:#?}", faults.len());
}
