//! The body of `POST /v1/uploads`, framed by hand so that its length is known to the byte (RFC 7578; names encoded as
//! HTML forms do).
//!
//! Always true: the counted length is the sent one, so it is judged exactly whether a file fits under the direct
//! ceiling. Not here: reading the file.

use easel_wire::FolderId;

use crate::uploads::Target;

/// No file holds this line with more than a negligible chance, and no attacker knows it beforehand: 128 random bits.
const BOUNDARY_DIGITS: usize = 32;

/// The bytes before and after the file's.
pub(crate) struct Framing {
    boundary: String,
    pub(crate) head: String,
    pub(crate) tail: String,
}

impl Framing {
    /// The framing for `target`; `folder` is the destination folder, for a service that takes one.
    pub(crate) fn of(target: &Target, folder: Option<FolderId>, random: u128) -> Self {
        let boundary = format!("{random:0BOUNDARY_DIGITS$x}");
        let mut head = String::new();
        if let Some(folder_id) = folder {
            head.push_str(&folder_field(&boundary, folder_id));
        }
        head.push_str(&format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{}\"\r\nContent-Type: {}\r\n\r\n",
            encode_filename(&target.filename),
            one_line(&target.mime_type),
        ));
        let tail = format!("\r\n--{boundary}--\r\n");
        Self { boundary, head, tail }
    }

    pub(crate) fn content_type(&self) -> String {
        format!("multipart/form-data; boundary={}", self.boundary)
    }

    /// The length of the whole body around a file of `size_bytes`.
    pub(crate) const fn body_bytes(&self, size_bytes: u64) -> u64 {
        size_bytes.saturating_add(self.head.len() as u64).saturating_add(self.tail.len() as u64)
    }
}

/// The length of the multipart body, framing included, that a direct upload of `size_bytes` to `target` would have.
#[must_use]
pub fn direct_body_bytes(size_bytes: u64, target: &Target) -> u64 {
    Framing::of(target, target.folder_id, 0).body_bytes(size_bytes)
}

/// A media type that cannot end its line.
fn one_line(mime_type: &str) -> &str {
    if mime_type.chars().any(char::is_control) { "application/octet-stream" } else { mime_type }
}

fn folder_field(boundary: &str, folder_id: FolderId) -> String {
    format!("--{boundary}\r\nContent-Disposition: form-data; name=\"folder_id\"\r\n\r\n{folder_id}\r\n")
}

/// Whether every reader of multipart bodies gets this name back as it is. Readers disagree about quotes, backslashes
/// and about undoing the percent-encoding of HTML forms; the JSON of the signed way carries any name.
pub(crate) fn is_carried_exactly(filename: &str) -> bool {
    let looks_encoded = filename
        .as_bytes()
        .windows(3)
        .any(|part| [b"%22", b"%0d", b"%0a"].iter().any(|encoded| part.eq_ignore_ascii_case(*encoded)));
    !looks_encoded && !filename.chars().any(|character| matches!(character, '"' | '\\') || character.is_control())
}

/// Encodes a name as UTF-8; characters that would end the value or the line are percent-encoded, as HTML forms do.
fn encode_filename(filename: &str) -> String {
    let mut encoded = String::with_capacity(filename.len());
    for character in filename.chars() {
        match character {
            '"' => encoded.push_str("%22"),
            '\r' => encoded.push_str("%0D"),
            '\n' => encoded.push_str("%0A"),
            // A backslash before the closing quote would be read as escaping it.
            '\\' => encoded.push_str("%5C"),
            other => encoded.push(other),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(filename: &str, folder_id: Option<FolderId>) -> (Framing, Target) {
        let target = Target::new(filename, folder_id);
        (Framing::of(&target, target.folder_id, 7), target)
    }

    #[test]
    fn the_counted_length_is_the_length_of_what_is_sent() {
        let folder = FolderId::new("fld_00000000000000000000000001").unwrap();
        for (filename, folder_id) in [("a.png", None), ("Übersicht 🎨.pdf", Some(folder)), ("\"\r\n", None)] {
            let (framing, target) = framed(filename, folder_id);
            let body = format!("{}content{}", framing.head, framing.tail);
            assert_eq!(framing.body_bytes(7), body.len() as u64);
            // The length is the same for any digits of the boundary.
            assert_eq!(direct_body_bytes(7, &target), Framing::of(&target, target.folder_id, u128::MAX).body_bytes(7));
        }
        assert_eq!(direct_body_bytes(u64::MAX, &Target::new("a", None)), u64::MAX);
    }

    #[test]
    fn no_name_ends_the_header_that_it_stands_in() {
        let (framing, _) = framed("a\"; name=\"x\r\nX-Evil: 1\r\n\r\n.png", None);
        let lines: Vec<_> = framing.head.split("\r\n").collect();
        assert_eq!(lines.len(), 5, "{lines:?}");
        assert!(lines[1].ends_with("filename=\"a%22; name=%22x%0D%0AX-Evil: 1%0D%0A%0D%0A.png\""), "{}", lines[1]);
        assert!(framed("end\\", None).0.head.contains("filename=\"end%5C\""));
        assert!(framed("日本語.png", None).0.head.contains("filename=\"日本語.png\""));
    }

    #[test]
    fn a_folder_stands_before_the_file() {
        let folder = FolderId::new("fld_00000000000000000000000001").unwrap();
        let (framing, _) = framed("a.png", Some(folder));
        let folder_at = framing.head.find("name=\"folder_id\"\r\n\r\nfld_").unwrap();
        assert!(folder_at < framing.head.find("name=\"file\"").unwrap());
        assert!(framing.head.ends_with("Content-Type: image/png\r\n\r\n"));
    }

    #[test]
    fn names_that_readers_disagree_about_are_known() {
        let check = |filename: &str, expected: bool| assert_eq!(is_carried_exactly(filename), expected, "{filename:?}");
        check("Übersicht (2) – 50%.pdf", true);
        check("a;b='c'.png", true);
        for odd in ["a\"b", "a\\b", "a\nb", "a\rb", "a\0b", "a%22b", "a%0Db", "a%0ab"] {
            check(odd, false);
        }
    }
}
