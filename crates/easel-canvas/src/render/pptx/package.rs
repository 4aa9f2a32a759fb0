//! The package that a presentation is: parts by their names, what kind each is, and how they refer to each other.
//!
//! Always true: a part stands where it was added, so that the same document gives the same bytes. Deliberately not here: what
//! stands in a part (`parts`, `slide`, `chart_part`), and the zip around all of them (`archive`).

use std::collections::BTreeMap;

use crate::render::svg::escape;

/// How each part begins that is XML.
pub const XML_HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";

/// The file as it grows: its parts by name, and what kind each is.
#[derive(Default)]
pub struct Package {
    /// Each by its name, in the order in which they were added.
    pub parts: Vec<(String, Vec<u8>)>,
    /// What kind each part is, by its name.
    pub overrides: BTreeMap<String, &'static str>,
    /// Which pictures are in it already, by asset.
    pub media: BTreeMap<String, String>,
    /// How many charts are in it already.
    pub charts: usize,
}

impl Package {
    /// Adds a part; one without a kind has that of its ending.
    pub fn add(&mut self, name: &str, content_type: Option<&'static str>, bytes: impl Into<Vec<u8>>) {
        if let Some(content_type) = content_type {
            self.overrides.insert(format!("/{name}"), content_type);
        }
        self.parts.push((name.to_owned(), bytes.into()));
    }
}

/// A list of relations: id, type, target, and whether it leads out of the file.
pub fn relations(list: &[(String, &str, String, bool)]) -> String {
    let mut xml = String::from(XML_HEAD);
    xml.push_str(r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">"#);
    for (id, kind, target, is_external) in list {
        let mode = if *is_external { r#" TargetMode="External""# } else { "" };
        let target = escape(target);
        xml.push_str(&format!(
            r#"<Relationship Id="{id}" Type="http://schemas.openxmlformats.org/{kind}" Target="{target}"{mode}/>"#
        ));
    }
    xml.push_str("</Relationships>");
    xml
}
