//! Quick looks at a file without opening it: its picture, or the beginning of its text.
//!
//! Always true: no byte lands on the disk as a file that could be opened; a text is shown to a bound, and its letters
//! as those of names. Not here: fetching the picture, which the page does at its address (`media`).

use easel_client::Error as ClientError;
use serde::{Deserialize, Serialize};

use super::Drive;
use super::reading::read_file;
use crate::media::addresses;
use crate::messages::letters::in_order;
use crate::number::WholeNumber;
use crate::problem::Problem;

/// The most bytes of a text that are shown.
pub(super) const MOST_TEXT_BYTES: usize = 64 * 1024;
/// Endings of names of texts whose type a service may not know.
const TEXTS: [&str; 24] = [
    "bib", "cfg", "conf", "css", "csv", "html", "ini", "js", "json", "log", "markdown", "md", "py", "rs", "rst", "sql",
    "srt", "tex", "toml", "ts", "tsv", "txt", "xml", "yaml",
];

/// What a file looks like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FileLook {
    /// The file that was asked for.
    pub file_id: String,
    /// Its picture, where it is one: an address of the app's own protocol.
    pub picture: Option<String>,
    /// What it says, where it is a text.
    pub text: Option<FileText>,
    /// Its type.
    pub mime_type: Option<String>,
    /// Its size.
    pub size_bytes: Option<WholeNumber>,
}

/// What a file says, or an earlier content of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct FileText {
    /// Its beginning, at most 64 KiB; letters that turn others round have a visible sign.
    pub text: String,
    /// There is more of it.
    pub is_cut: bool,
}

impl FileText {
    /// The beginning of a text, which may end within a letter where it `is_whole` not; nothing where it is none.
    pub(crate) fn read(bytes: &[u8], is_whole: bool) -> Option<Self> {
        Self::read_as_it_is(bytes, is_whole).map(|text| Self { text: in_order(text).into_owned(), is_cut: !is_whole })
    }

    /// As [`FileText::read`], its letters as they are: for whoever compares, and shows nothing of it.
    pub(crate) fn read_as_it_is(bytes: &[u8], is_whole: bool) -> Option<&str> {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) if !is_whole && error.error_len().is_none() => {
                std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()?
            }
            Err(_) => return None,
        };
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        (!text.contains('\0')).then_some(text)
    }
}

impl Drive {
    /// What a file looks like; of a copy, what it is a copy of.
    ///
    /// # Errors
    /// `file_not_found`, what the connection's state says, or what the service answers.
    pub async fn look_at_file(&self, file_id: String) -> Result<FileLook, Problem> {
        let id = read_file(&file_id)?;
        let connection = self.connections.selected()?;
        let file = self.downloads.describe_file(&connection, id).await?;
        let note = |error: ClientError| self.connections.note_error(&connection, &error, "");
        let text = if is_text(&file.name, file.mime_type.as_deref()) {
            let client = connection.ready().await?.client;
            let (bytes, is_whole) = client.fetch_beginning_of(file.id, MOST_TEXT_BYTES).await.map_err(note)?;
            FileText::read(&bytes, is_whole)
        } else {
            None
        };
        self.connections.note_answer(&connection);
        Ok(FileLook {
            file_id,
            picture: addresses::preview_of_file(&connection.id, &file),
            text,
            mime_type: file.mime_type,
            size_bytes: file.size_bytes.map(Into::into),
        })
    }
}

/// Whether a content is a text, by its type and by the name of its file.
pub(super) fn is_text(name: &str, mime_type: Option<&str>) -> bool {
    let by_type = mime_type.is_some_and(|mime| {
        mime.starts_with("text/") || matches!(mime, "application/json" | "application/xml" | "application/yaml")
    });
    by_type || addresses::ending_of(name).is_some_and(|ending| TEXTS.contains(&ending.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_told_by_its_type_its_name_and_what_it_holds() {
        let check = |name: &str, mime: Option<&str>, expected: bool| {
            assert_eq!(is_text(name, mime), expected, "{name} {mime:?}");
        };
        check("notes", Some("text/plain"), true);
        check("data.bin", Some("application/json"), true);
        check("Plan.MD", Some("application/octet-stream"), true);
        check("table.csv", None, true);
        check("deck.pptx", None, false);
        check("png", Some("image/png"), false);
        for (bytes, is_whole, expected) in [
            (b"plain".as_slice(), true, Some("plain")),
            ("\u{FEFF}marked".as_bytes(), true, Some("marked")),
            ("a\u{202E}b".as_bytes(), true, Some("a\u{FFFD}b")),
            (b"nothing\0", true, None),
            (b"\xffbad", true, None),
            (b"\xffbad", false, None),
            (b"cut \xc3", false, Some("cut ")),
            (b"cut \xc3", true, None),
        ] {
            assert_eq!(FileText::read(bytes, is_whole).map(|read| read.text).as_deref(), expected, "{bytes:?}");
        }
    }
}
