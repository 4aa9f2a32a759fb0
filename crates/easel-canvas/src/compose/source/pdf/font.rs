//! A font of a PDF: which letters its codes mean, and how wide they are.

use std::collections::BTreeMap;

use lopdf::{Dictionary, Document, Encoding, Object};

/// Codes whose width is known, at most.
const MAX_WIDTHS: usize = 20_000;

/// A font as far as words need it.
pub struct Font<'d> {
    encoding: Encoding<'d>,
    /// Whether a code has two bytes.
    is_wide: bool,
    /// By code, in thousandths of the size.
    widths: BTreeMap<u32, f32>,
    default_width: f32,
}

impl<'d> Font<'d> {
    /// Reads a font; `None` where its letters cannot be known. Tables beyond `max_bytes` are not unpacked.
    pub fn read(document: &'d Document, font: &'d Dictionary, max_bytes: usize) -> Option<Self> {
        let encoding = font.get_font_encoding_with_limit(document, max_bytes).ok()?;
        let resolve = |object: &'d Object| match object {
            Object::Reference(id) => document.get_object(*id).ok(),
            object => Some(object),
        };
        let number = |of: &'d Dictionary, name: &[u8]| of.get(name).ok().and_then(resolve)?.as_float().ok();
        let list = |of: &'d Dictionary, name: &[u8]| of.get(name).ok().and_then(resolve)?.as_array().ok();
        let mut widths = BTreeMap::new();
        let descendant = list(font, b"DescendantFonts").and_then(|fonts| resolve(fonts.first()?)?.as_dict().ok());
        let Some(descendant) = descendant else {
            let first = number(font, b"FirstChar").unwrap_or(0.0) as u32;
            let known = list(font, b"Widths").into_iter().flatten().take(256).enumerate();
            widths.extend(
                known.filter_map(|(at, width)| {
                    Some((first.saturating_add(at as u32), resolve(width)?.as_float().ok()?))
                }),
            );
            return Some(Self { encoding, is_wide: false, widths, default_width: 500.0 });
        };
        let default_width = number(descendant, b"DW").unwrap_or(1000.0);
        let table = list(descendant, b"W").map(Vec::as_slice).unwrap_or_default();
        read_table(table, &mut widths, resolve);
        Some(Self { encoding, is_wide: true, widths, default_width })
    }

    /// The letters of a string and its width, in sizes.
    pub fn write(&self, bytes: &[u8]) -> (String, f32) {
        let text = Document::decode_text(&self.encoding, bytes).unwrap_or_default();
        let width = |code: u32| self.widths.get(&code).copied().unwrap_or(self.default_width) / 1000.0;
        let total = if self.is_wide {
            bytes.chunks(2).map(|code| code.iter().fold(0, |code, byte| code << 8 | u32::from(*byte))).map(width).sum()
        } else {
            bytes.iter().map(|code| width(u32::from(*code))).sum()
        };
        (text, total)
    }
}

/// `c [w1 w2 …]` and `c_first c_last w`, as the format lists the widths of a large font.
fn read_table<'d>(
    table: &'d [Object],
    widths: &mut BTreeMap<u32, f32>,
    resolve: impl Fn(&'d Object) -> Option<&'d Object>,
) {
    let mut rest = table.iter();
    while let Some(first) = rest.next().and_then(|first| first.as_float().ok()) {
        let first = first.max(0.0) as u32;
        match rest.next().and_then(&resolve) {
            Some(Object::Array(list)) => {
                for (at, width) in list.iter().enumerate().take(MAX_WIDTHS) {
                    if let (Ok(width), true) = (width.as_float(), widths.len() < MAX_WIDTHS) {
                        widths.insert(first.saturating_add(at as u32), width);
                    }
                }
            }
            Some(last) => {
                let last = last.as_float().unwrap_or(0.0).max(0.0) as u32;
                let Some(width) = rest.next().and_then(|width| width.as_float().ok()) else { return };
                for code in (first..=last).take(MAX_WIDTHS.saturating_sub(widths.len())) {
                    widths.insert(code, width);
                }
            }
            None => return,
        }
    }
}
