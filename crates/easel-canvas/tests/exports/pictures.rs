//! Pictures decoded at the right size, zips listed, the SVG alone as the page's picture.

use std::io::Cursor;

use easel_canvas::FileFormat;

use super::{designs, likeness, write};

#[test]
fn decodes_pictures_at_the_size_that_was_asked_for() {
    for design in designs().iter().step_by(13) {
        let page = &design.document.pages[0];
        for ratio in [1, 2] {
            for format in [FileFormat::Png, FileFormat::Jpeg] {
                let picture =
                    image::load_from_memory(&write(&design.document, format, Some(1), ratio)).expect("a picture");
                let size = (page.width * ratio, page.height * ratio);
                assert_eq!((picture.width(), picture.height()), size, "{} {format:?} at {ratio}", design.name);
            }
        }
    }
}

#[test]
fn draws_a_jpeg_as_the_png_is() {
    for design in designs().iter().step_by(16) {
        let [png, jpeg] = [FileFormat::Png, FileFormat::Jpeg]
            .map(|format| likeness::at_half_size(&write(&design.document, format, Some(1), 1)));
        assert!(likeness::of(&png, &jpeg) > 0.97, "{}", design.name);
    }
}

#[test]
fn lists_a_picture_for_every_page_in_the_zip() {
    for design in designs().iter().filter(|design| design.document.page_count() > 1).step_by(9) {
        for (format, ending) in [(FileFormat::Png, "png"), (FileFormat::Jpeg, "jpg"), (FileFormat::Svg, "svg")] {
            let file = write(&design.document, format, None, 1);
            let zip = zip::ZipArchive::new(Cursor::new(file)).expect("a zip");
            let mut names: Vec<&str> = zip.file_names().collect();
            names.sort_unstable();
            let wanted: Vec<String> =
                (1..=design.document.page_count()).map(|page| format!("page-{page:02}.{ending}")).collect();
            assert_eq!(names, wanted, "{}", design.name);
        }
    }
}
