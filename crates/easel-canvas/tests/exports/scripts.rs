//! The words of PDFs in scripts whose letters are joined, stacked or turned around, read back by poppler: each word once, and
//! its letters in the order in which they are written.

use std::fs;

use easel_canvas::{Category, FileFormat, compose};

use super::{briefs, poppler, words, write};

/// A script, and a notice with a title, paragraphs and numbers in it.
const NOTICES: &[(&str, &str)] = &[
    ("Latin", "# Affinité fluide\n\nL’office du fleuve affiche « waffle » à 12,50 € près de l’île.\n"),
    (
        "Arabic",
        "# مهرجان الكتاب العربي\n\nالدخول مجاني لجميع الزوار. الساعة 10:30 في المكتبة العامة.\n\nلا إله إلا الله، السلام عليكم.\n",
    ),
    ("Hebrew", "# שבוע הספר העברי\n\nהכניסה חופשית לכל המבקרים, בשעה 10:30, בספרייה העירונית.\n"),
    ("Thai", "# งานสงกรานต์บ้านริมคลอง\n\nกิจกรรมสรงน้ำพระและดนตรีสด ผู้ใหญ่และเด็กเข้าชมฟรี เวลา 10.00 น.\n"),
    ("Devanagari", "# निःशुल्क योग शिविर\n\nप्रतिदिन सुबह छह बजे, विद्यार्थियों के लिए प्रवेश निःशुल्क। कृपया चटाई साथ लाएँ।\n"),
    ("Han and kana", "# 夏祭りのお知らせ\n\n午後六時より、駅前広場にて盆踊りを行います。入場無料。\n"),
];

/// The words of all pages, as a reader has them.
fn text_of(document: &easel_canvas::Document) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pages.pdf");
    fs::write(&file, write(document, FileFormat::Pdf, None, 1)).expect("a file");
    String::from_utf8(poppler::run("pdftotext", &["-enc", "UTF-8", &file.to_string_lossy(), "-"])).expect("text")
}

#[test]
fn words_of_every_script_read_back_as_they_are_written() {
    let mut wrong = Vec::new();
    for (script, notice) in NOTICES {
        let brief = briefs::source(briefs::wish("Notice", Category::Pdf), "notice.md", notice);
        let document = compose(&brief, &mut |_| {}).expect("a design").document;
        let read = text_of(&document);
        for word in document
            .pages
            .iter()
            .flat_map(words::on_page)
            .flat_map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        {
            if !words::letters(&read).contains(&words::letters(&word)) {
                wrong.push(format!("{script}: “{word}”"));
            }
        }
        let said: String = document.pages.iter().flat_map(words::on_page).collect();
        if words::sorted_letters(&said) != words::sorted_letters(&read) {
            wrong.push(format!("{script}: other letters than “{said}”: “{read}”"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
