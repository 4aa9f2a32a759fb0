//! The body of `POST /v1/uploads`, framed by hand so that its length is known to the byte (RFC 7578; names encoded as
//! HTML forms do).
//!
//! Always true: what is counted is what is sent, so whether a file fits under the direct ceiling is judged exactly. Not
//! here: reading the file.

use easel_wire::FolderId;

use crate::uploads::Target;

/// No file holds this line with more than a negligible chance, and no attacker knows it beforehand: 128 random bits.
const BOUNDARY_DIGITS: usize = 32;

/// What stands around the file's bytes.
pub(crate) struct Framing {
    boundary: String,
    pub(crate) head: String,
    pub(crate) tail: String,
}

impl Framing {
    pub(crate) fn of(target: &Target, random: u128) -> Self {
        let boundary = format!("{random:0width$x}", width = BOUNDARY_DIGITS);
        let mut head = String::new();
        if let Some(folder_id) = target.folder_id {
            head.push_str(&folder_field(&boundary, folder_id));
        }
        head.push_str(&format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{}\"\r\nContent-Type: {}\r\n\r\n",
            encode_filename(&target.filename),
            target.mime_type,
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
    Framing::of(target, 0).body_bytes(size_bytes)
}

fn folder_field(boundary: &str, folder_id: FolderId) -> String {
    format!("--{boundary}\r\nContent-Disposition: form-data; name=\"folder_id\"\r\n\r\n{folder_id}\r\n")
}

/// UTF-8 as it is; what would end the value or the line is percent-encoded, as HTML forms do.
fn encode_filename(filename: &str) -> String {
    let mut encoded = String::with_capacity(filename.len());
    for character in filename.chars() {
        match character {
            '"' => encoded.push_str("%22"),
            '\r' => encoded.push_str("%0D"),
            '\n' => encoded.push_str("%0A"),
            other => encoded.push(other),
        }
    }
    encoded
}
