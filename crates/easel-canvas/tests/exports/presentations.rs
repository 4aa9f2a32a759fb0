//! Presentations: well-formed and whole as packages, and through LibreOffice as slides.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Cursor, Read};
use std::path::Path;
use std::process::Command;

use easel_canvas::FileFormat;

use super::{designs, likeness, poppler, words, write};

/// Slides look like their pictures at least so much; another program sets lines a hair otherwise and draws charts its own
/// way.
const LEAST_LIKENESS: f64 = 0.80;

fn parts_of(file: Vec<u8>) -> Vec<(String, Vec<u8>)> {
    let mut zip = zip::ZipArchive::new(Cursor::new(file)).expect("a zip");
    (0..zip.len())
        .map(|at| {
            let mut part = zip.by_index(at).expect("a part");
            let mut bytes = Vec::new();
            part.read_to_end(&mut bytes).expect("its bytes");
            (part.name().to_owned(), bytes)
        })
        .collect()
}

/// Where a relation's target lies, seen from the part that names it.
fn resolve(from: &str, target: &str) -> String {
    let mut folder: Vec<&str> = from.split('/').collect();
    folder.pop();
    for piece in target.split('/') {
        match piece {
            ".." => drop(folder.pop()),
            piece => folder.push(piece),
        }
    }
    folder.join("/")
}

#[test]
fn writes_packages_in_which_every_part_is_well_formed_and_every_relation_leads_somewhere() {
    for design in designs() {
        let parts = parts_of(write(&design.document, FileFormat::Pptx, None, 1));
        let names: BTreeSet<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names.len(), parts.len(), "{}: a part twice", design.name);
        for (name, bytes) in parts.iter().filter(|(name, _)| name.ends_with(".xml") || name.ends_with(".rels")) {
            let text = std::str::from_utf8(bytes).expect("text");
            let tree = usvg::roxmltree::Document::parse(text)
                .unwrap_or_else(|error| panic!("{} {name}: {error}", design.name));
            if !name.ends_with(".rels") {
                continue;
            }
            let of = name.replace("_rels/", "").replace(".rels", "");
            for relation in tree.root_element().children().filter(|relation| relation.attribute("TargetMode").is_none())
            {
                let target = resolve(&of, relation.attribute("Target").expect("a target"));
                assert!(names.contains(target.as_str()), "{}: {name} leads to {target}", design.name);
            }
        }
        // Every slide but one without any title is known by its title, once.
        let slides = parts.iter().filter(|(name, _)| name.starts_with("ppt/slides/slide"));
        for (name, bytes) in slides {
            let text = String::from_utf8_lossy(bytes);
            assert!(text.matches(r#"<p:ph type="title"/>"#).count() <= 1, "{} {name}", design.name);
        }
    }
}

#[test]
fn puts_the_numbers_of_a_chart_behind_it() {
    let sales = designs().into_iter().find(|design| design.name == "deck-sales").expect("a design with a chart");
    let parts = parts_of(write(&sales.document, FileFormat::Pptx, None, 1));
    let (_, book) = parts.iter().find(|(name, _)| name.ends_with(".xlsx")).expect("a workbook");
    let sheets = parts_of(book.clone());
    let (_, sheet) = sheets.iter().find(|(name, _)| name.ends_with("sheet1.xml")).expect("a sheet");
    let sheet = String::from_utf8_lossy(sheet);
    for cell in [r#"<c r="B2"><v>12400</v></c>"#, r#"<c r="D13"><v>14900</v></c>"#, ">Pastry<", ">Dec<"] {
        assert!(sheet.contains(cell), "{cell} is not in {sheet}");
    }
}

/// Fonts as on a machine on which they are installed: the ones that the crate ships, and the system's.
fn write_font_settings(folder: &Path) -> std::path::PathBuf {
    let fonts = Path::new(env!("CARGO_MANIFEST_DIR")).join("fonts");
    let cache = folder.join("font-cache");
    let file = folder.join("fonts.conf");
    let settings = format!(
        "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig><dir>{}</dir><dir>/usr/share/fonts</dir><cachedir>{}</cachedir><include ignore_missing=\"yes\">/etc/fonts/conf.d</include></fontconfig>",
        fonts.display(),
        cache.display()
    );
    fs::write(&file, settings).expect("a file");
    file
}

#[test]
#[ignore = "takes minutes and needs LibreOffice: cargo xtask soak"]
fn libreoffice_shows_the_slides_as_their_pictures_are_with_all_their_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let designs = designs();
    let files: Vec<std::path::PathBuf> = designs
        .iter()
        .map(|design| {
            let file = folder.path().join(format!("{}.pptx", design.name));
            fs::write(&file, write(&design.document, FileFormat::Pptx, None, 1)).expect("a file");
            file
        })
        .collect();
    let output = Command::new("soffice")
        .arg(format!("-env:UserInstallation=file://{}", folder.path().join("profile").display()))
        .args(["--headless", "--convert-to", "pdf", "--outdir"])
        .arg(folder.path())
        .args(&files)
        .env("FONTCONFIG_FILE", write_font_settings(folder.path()))
        .env("HOME", folder.path())
        .output()
        .expect("LibreOffice (`cargo xtask soak` installs libreoffice-impress)");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut faults = Vec::new();
    for design in &designs {
        let file = folder.path().join(format!("{}.pdf", design.name));
        let sizes = poppler::sizes(design);
        for (at, drawn) in poppler::pictures(&file, &sizes).iter().enumerate() {
            let page = &design.document.pages[at];
            let name = format!("{} page {} ({})", design.name, at + 1, page.layout);
            let own = likeness::at_half_size(&write(&design.document, FileFormat::Png, Some(at as u32 + 1), 1));
            let alike = likeness::of(drawn, &own);
            println!("{alike:.3}  {name}");
            if let Some(keep) = std::env::var_os("EASEL_KEEP_UNLIKE").filter(|_| alike < LEAST_LIKENESS) {
                let keep = Path::new(&keep);
                drawn.save(keep.join(format!("{}-{}-office.png", design.name, at + 1))).expect("a picture");
                own.save(keep.join(format!("{}-{}-own.png", design.name, at + 1))).expect("a picture");
            }
            if alike < LEAST_LIKENESS {
                faults.push(format!("{name}: {alike:.3}"));
            }
            let text = words::letters(&poppler::text_of_page(&file, at + 1)).to_lowercase();
            for said in words::on_page(page).iter().filter(|_| !words::is_right_to_left(&design.document)) {
                if !text.contains(&words::letters(said).to_lowercase()) {
                    faults.push(format!("{name}: “{said}” is missing"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
