//! Every kind of file from one document: the right beginning, the right count, the same bytes twice.

use easel_canvas::{
    Brief, Category, Composed, Document, FileFormat, Format, RenderRequest, Rendered, Step, compose, edit, proof,
    render, thumbnail,
};

fn brief(page_count: u32) -> Brief {
    let prompt = "Launch deck for a neighbourhood bakery, warm";
    Brief { page_count: Some(page_count), ..Brief::new(prompt, Format::of(Category::Slides), 7) }
}

fn draw(brief: &Brief) -> Composed {
    compose(brief, &mut |_| {}).expect("a design")
}

fn write(document: &Document, format: FileFormat, page: Option<u32>) -> Rendered {
    render(document, &RenderRequest { format, page, pixel_ratio: 1, flatten: false }).expect("a file")
}

#[test]
fn writes_every_format_and_the_same_bytes_twice() {
    let design = draw(&brief(3));
    assert_eq!(design.document.page_count(), 3);
    for (format, page, extension, head) in [
        (FileFormat::Png, Some(1), "png", b"\x89PNG".as_slice()),
        (FileFormat::Jpeg, Some(2), "jpg", b"\xff\xd8\xff"),
        (FileFormat::Svg, Some(1), "svg", b"<svg "),
        (FileFormat::Pdf, None, "pdf", b"%PDF-"),
        (FileFormat::Pptx, None, "pptx", b"PK\x03\x04"),
        (FileFormat::Png, None, "zip", b"PK\x03\x04"),
    ] {
        let file = write(&design.document, format, page);
        assert_eq!(file.extension, extension);
        assert!(file.bytes.starts_with(head), "{format:?}");
        assert_eq!(file, write(&design.document, format, page), "{format:?}");
    }
    let picture = thumbnail(&design.document, 320).expect("a thumbnail");
    let picture = image::load_from_memory(&picture).expect("a picture");
    assert_eq!((picture.width(), picture.height()), (320, 180));
}

#[test]
fn goes_through_json_without_loss() {
    let design = draw(&brief(2));
    let json = design.document.to_json().expect("json");
    assert_eq!(Document::from_json(&json).expect("a document"), design.document);
    assert!(Document::from_json(b"{}").is_err());
}

#[test]
fn refuses_a_page_that_is_not_there() {
    let design = draw(&brief(1));
    for page in [0, 2, u32::MAX] {
        let request = RenderRequest { format: FileFormat::Png, page: Some(page), pixel_ratio: 1, flatten: false };
        assert!(render(&design.document, &request).is_err(), "{page}");
    }
}

#[test]
fn makes_another_design_of_the_same_content() {
    let design = draw(&brief(2));
    let other = edit(&design.document, "dark", None, 99, &mut |_| {}).expect("a design");
    assert_ne!(other.document.theme, design.document.theme);
    assert_eq!(other.document.origin.outline, design.document.origin.outline);
}

#[test]
fn says_what_it_does_from_the_first_word_to_the_last_page() {
    let mut said = Vec::new();
    let design = compose(&brief(6), &mut |progress| said.push(progress)).expect("a design");
    let picture = proof(&design.document, 320, &mut |progress| said.push(progress)).expect("a picture");
    assert_eq!(picture, thumbnail(&design.document, 320).expect("a thumbnail"));
    let mut in_order: Vec<Step> = said.iter().map(|progress| progress.step).collect();
    in_order.dedup();
    assert_eq!(in_order, [Step::Reading, Step::Planning, Step::LayingOut, Step::Drawing]);
    assert!(said.windows(2).all(|pair| pair[0].percent <= pair[1].percent), "{said:?}");
    assert!(said.iter().any(|progress| progress.message == "Drawing page 3 of 6"), "{said:?}");
}
