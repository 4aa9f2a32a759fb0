//! Pages as PDF: embedded fonts and words that can be marked and searched, or shapes only, and links that lead somewhere.

use krilla::action::LinkAction;
use krilla::annotation::{Annotation, LinkAnnotation, Target};
use krilla::geom::{Rect, Transform};
use krilla::metadata::Metadata;
use krilla::page::PageSettings;

use super::{raster, svg};
use crate::document::{Document, Page};
use crate::error::Error;
use crate::text;

mod shapes;
mod words;

use words::Words;

/// Points of a PDF for each pixel of a page.
const POINTS: f32 = 0.75;

/// The pages as one PDF.
pub fn write(document: &Document, pages: &[&Page], flatten: bool) -> Result<Vec<u8>, Error> {
    // Letters are shaped on all processors; the file itself is written in one piece.
    let trees = super::parallel::for_each(pages, 1, |page| raster::tree(document, page))?;
    let mut pdf = krilla::Document::new();
    let mut words = Words::new(flatten);
    for (page, tree) in pages.iter().zip(trees) {
        let (width, height) = (page.width as f32 * POINTS, page.height as f32 * POINTS);
        let settings = PageSettings::from_wh(width, height).ok_or_else(|| Error::drawing("a page without size"))?;
        let mut sheet = pdf.start_page_with(settings);
        let mut surface = sheet.surface();
        words.take_fonts(tree.fontdb());
        surface.push_transform(&Transform::from_scale(POINTS, POINTS));
        shapes::draw(tree.root(), &mut surface, &mut words);
        surface.pop();
        surface.finish();
        for (frame, target) in links_of(document, page) {
            if let Some(rect) = Rect::from_xywh(frame.0 * POINTS, frame.1 * POINTS, frame.2 * POINTS, frame.3 * POINTS)
            {
                let action = LinkAction::new(target);
                sheet.add_annotation(Annotation::new_link(
                    LinkAnnotation::new(rect, Target::Action(action.into())),
                    None,
                ));
            }
        }
        sheet.finish();
    }
    pdf.set_metadata(Metadata::new().title(document.name.clone()).language(document.language.clone()));
    pdf.finish().map_err(|error| Error::drawing(format!("{error:?}")))
}

/// Place and target of every link.
fn links_of(document: &Document, page: &Page) -> Vec<((f32, f32, f32, f32), String)> {
    let mut links = Vec::new();
    svg::visit_texts(document, page, &mut |text_box| {
        let size = text_box.style.size;
        for line in text::lay_out(text_box, &document.theme).lines {
            for run in line.runs {
                if let Some(link) = run.link {
                    links.push(((run.x, line.baseline - size, run.width, size * 1.25), link));
                }
            }
        }
    });
    links
}
