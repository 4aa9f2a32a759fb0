//! The brand of a presentation or a text document: the theme that it is set in, and the picture that stands on every
//! slide.
//!
//! A theme that came with the program says nothing about its user, so then the colours that were set by hand count. Nothing
//! that a part refers to is followed out of the package.

use std::collections::HashMap;
use std::io::{Cursor, Read};

use quick_xml::events::Event as Xml;
use zip::ZipArchive;

use super::palette::{self, Weighted};
use super::{FoundBrand, FoundLogo, family_of, read_logo};
use crate::brand::BrandColor;
use crate::color::Rgb;
use crate::compose::source::package::{self, attribute};

/// No more of a part is unpacked than this.
const MAX_PART_BYTES: u64 = 4_000_000;

/// No more of a picture is unpacked than this.
const MAX_PICTURE_BYTES: u64 = 20_000_000;

/// Parts whose colours are counted.
const MAX_PARTS: usize = 60;

/// The first accents of the themes that come with the usual programs.
const COMMON_ACCENTS: [Rgb; 6] = [
    Rgb::new(0x44, 0x72, 0xc4),
    Rgb::new(0x4f, 0x81, 0xbd),
    Rgb::new(0x15, 0x60, 0x82),
    Rgb::new(0x5b, 0x9b, 0xd5),
    Rgb::new(0x42, 0x85, 0xf4),
    Rgb::new(0x18, 0xa3, 0x03),
];

type Package<'b> = ZipArchive<Cursor<&'b [u8]>>;

/// Finds the brand of a package.
///
/// # Errors
/// What is wrong with the file, to stand behind “could not be read:”.
pub fn find(bytes: &[u8]) -> Result<FoundBrand, &'static str> {
    let mut package = package::open(bytes)?;
    let is_slides = package.file_names().any(|name| name.starts_with("ppt/"));
    let folder = if is_slides { "ppt" } else { "word" };
    if !package.file_names().any(|name| name.starts_with(&format!("{folder}/"))) {
        return Err("it is neither a presentation nor a text document");
    }
    let theme =
        part(&mut package, &format!("{folder}/theme/theme1.xml")).map(|xml| read_theme(&xml)).unwrap_or_default();
    let is_common = theme.accents.first().is_none_or(|accent| COMMON_ACCENTS.contains(accent));
    let by_hand = if is_common { count_colors(&mut package, folder) } else { Vec::new() };
    let colors = if is_common { palette::give_roles(by_hand) } else { theme.colors() };
    let is_of_program = |family: &String| {
        is_common && ["Calibri", "Calibri Light", "Aptos", "Aptos Display", "Cambria"].contains(&family.as_str())
    };
    Ok(FoundBrand {
        name: company(&mut package),
        colors,
        heading_font: theme.heading.filter(|family| !is_of_program(family)),
        body_font: theme.body.filter(|family| !is_of_program(family)),
        logo: if is_slides { find_logo(&mut package) } else { None },
    })
}

fn part(package: &mut Package<'_>, name: &str) -> Option<Vec<u8>> {
    read_part(package, name, MAX_PART_BYTES)
}

fn read_part(package: &mut Package<'_>, name: &str, most: u64) -> Option<Vec<u8>> {
    let part = package.by_name(name).ok()?;
    let mut bytes = Vec::new();
    part.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// What a theme says.
#[derive(Default)]
struct Theme {
    accents: Vec<Rgb>,
    light: Option<Rgb>,
    dark: Option<Rgb>,
    heading: Option<String>,
    body: Option<String>,
}

impl Theme {
    fn colors(&self) -> Vec<BrandColor> {
        const ROLES: [&str; 4] = ["primary", "secondary", "accent", ""];
        let accents = self.accents.iter().zip(ROLES).map(|(color, role)| (role, *color));
        let others = [("text", self.dark), ("background", self.light)];
        let others = others.into_iter().filter_map(|(role, color)| Some((role, color?)));
        accents.chain(others).map(|(role, color)| BrandColor { role: role.to_owned(), color }).collect()
    }
}

fn read_theme(xml: &[u8]) -> Theme {
    let mut theme = Theme::default();
    let (mut slot, mut font) = (String::new(), String::new());
    for_each_tag(xml, |name, tag| match name {
        "dk1" | "dk2" | "lt1" | "lt2" | "accent1" | "accent2" | "accent3" | "accent4" => name.clone_into(&mut slot),
        "accent5" | "accent6" | "hlink" | "folHlink" | "fmtScheme" => slot.clear(),
        "srgbClr" | "sysClr" => {
            let value = attribute(tag, if name == "sysClr" { "lastClr" } else { "val" });
            let Some(color) = value.and_then(|value| Rgb::parse(&value)) else { return };
            match slot.as_str() {
                "dk1" => theme.dark = Some(color),
                "lt1" => theme.light = Some(color),
                accent if accent.starts_with("accent") => theme.accents.push(color),
                _ => {}
            }
            slot.clear();
        }
        "majorFont" | "minorFont" => name.clone_into(&mut font),
        "latin" => {
            let family = attribute(tag, "typeface").and_then(|family| family_of(&family));
            match font.as_str() {
                "majorFont" => theme.heading = family,
                "minorFont" => theme.body = family,
                _ => {}
            }
            font.clear();
        }
        _ => {}
    });
    theme
}

fn for_each_tag(xml: &[u8], mut take: impl FnMut(&str, &quick_xml::events::BytesStart<'_>)) {
    let mut reader = quick_xml::Reader::from_reader(xml);
    while let Ok(event) = reader.read_event() {
        match event {
            Xml::Eof => break,
            Xml::Start(tag) | Xml::Empty(tag) => {
                let name = tag.local_name();
                take(name.as_ref(), &tag);
            }
            _ => {}
        }
    }
}

/// The colours that were set by hand, by how often.
fn count_colors(package: &mut Package<'_>, folder: &str) -> Vec<Weighted> {
    let is_counted = |name: &&str| {
        let is_drawn = name.starts_with("ppt/slides/slide") || name.starts_with("ppt/slideMasters/slideMaster");
        name.ends_with(".xml") && (is_drawn || *name == "word/document.xml" || *name == "word/styles.xml")
    };
    let mut names: Vec<String> = package.file_names().filter(is_counted).map(str::to_owned).collect();
    names.sort();
    let mut counts: HashMap<Rgb, f32> = HashMap::new();
    for name in names.into_iter().take(MAX_PARTS) {
        let Some(xml) = part(package, &name) else { continue };
        for_each_tag(&xml, |tag_name, tag| {
            let value = match tag_name {
                "srgbClr" => attribute(tag, "val"),
                "color" if folder == "word" => attribute(tag, "val"),
                _ => None,
            };
            // A document says `auto` where it leaves the colour to its reader.
            if let Some(color) = value.filter(|value| value.len() == 6).and_then(|value| Rgb::parse(&value)) {
                *counts.entry(color).or_default() += 1.0;
            }
        });
    }
    palette::group(counts)
}

/// The company that the file says it is of.
fn company(package: &mut Package<'_>) -> String {
    let Some(xml) = part(package, "docProps/app.xml") else { return String::new() };
    let mut reader = quick_xml::Reader::from_reader(xml.as_slice());
    let (mut is_company, mut company) = (false, String::new());
    while let Ok(event) = reader.read_event() {
        match event {
            Xml::Eof => break,
            Xml::Start(tag) => is_company = tag.local_name().as_ref() == "Company",
            Xml::Text(words) if is_company => company.push_str(words.as_ref()),
            Xml::GeneralRef(name) if is_company => company.push_str(package::letter_of(name.as_ref())),
            Xml::End(_) => is_company = false,
            _ => {}
        }
    }
    company.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(100).collect()
}

/// The picture that stands on the master of all slides, else on the layout of the first ones, else one that a slide calls a
/// logo.
fn find_logo(package: &mut Package<'_>) -> Option<FoundLogo> {
    let mut names: Vec<String> = package
        .file_names()
        .filter(|name| name.ends_with(".xml") && !name.contains("/_rels/"))
        .filter(|name| ["ppt/slideMasters/", "ppt/slideLayouts/", "ppt/slides/"].iter().any(|at| name.starts_with(at)))
        .map(str::to_owned)
        .collect();
    names.sort_by_key(|name| {
        (["Masters", "Layouts", "slides/"].iter().position(|kind| name.contains(kind)), name.clone())
    });
    for name in names.into_iter().take(MAX_PARTS) {
        let Some(xml) = part(package, &name) else { continue };
        let picture = picture_of(&xml, name.starts_with("ppt/slides/"));
        let logo = picture.and_then(|id| {
            let target = target_of(package, &name, &id)?;
            let bytes = read_part(package, &target, MAX_PICTURE_BYTES)?;
            read_logo(&target, &bytes).ok()
        });
        if logo.is_some() {
            return logo;
        }
    }
    None
}

/// The relation of the first picture of a part; of a slide, where many stand, only one that is called a logo.
fn picture_of(xml: &[u8], has_to_be_called_so: bool) -> Option<String> {
    let (mut in_picture, mut is_meant, mut found) = (false, false, None);
    for_each_tag(xml, |name, tag| match name {
        "pic" => (in_picture, is_meant) = (true, !has_to_be_called_so),
        "sp" => in_picture = false,
        "cNvPr" if in_picture => {
            let called = ["name", "descr"].into_iter().filter_map(|name| attribute(tag, name));
            is_meant |= called.into_iter().any(|called| called.to_lowercase().contains("logo"));
        }
        "blip" if in_picture && is_meant && found.is_none() => found = attribute(tag, "embed"),
        _ => {}
    });
    found
}

/// The part that a relation of another one leads to; nothing outside of the package.
fn target_of(package: &mut Package<'_>, of: &str, id: &str) -> Option<String> {
    let (folder, file) = of.rsplit_once('/')?;
    let relations = part(package, &format!("{folder}/_rels/{file}.rels"))?;
    let mut target = None;
    for_each_tag(&relations, |name, tag| {
        if name == "Relationship" && attribute(tag, "Id").as_deref() == Some(id) && target.is_none() {
            target = attribute(tag, "Target");
        }
    });
    let target = target?;
    let (_, picture) = target.rsplit_once("media/")?;
    (!picture.contains('/')).then(|| format!("ppt/media/{picture}"))
}
