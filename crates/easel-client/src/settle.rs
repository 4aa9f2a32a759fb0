//! Finds out whether a sent file has arrived (contract, "Uploads": a client looks for the content in the drive, by
//! size, hash and name, before it sends anything again).
//!
//! Always true: only files that are newer than the attempt count, so that an old file is never taken for the one just
//! sent. Not here: when to look.

use easel_wire::drive::File;
use easel_wire::uploads::UploadResult;
use easel_wire::{FolderId, Timestamp};
use jiff::SignedDuration;
use unicode_normalization::UnicodeNormalization;

use crate::capabilities::Feature;
use crate::client::{Answer, Call, Client};
use crate::drive::Place;
use crate::error::Error;
use crate::paging::PageRequest;
use crate::retry::Tries;

/// So many looks come before a repeat: the request that was cut off may still be carried out after the first.
const LOOKS: u32 = 2;
/// So many pages of 200 are read at most in one look; a busy folder gains no more between an attempt and a look.
const MOST_PAGES: u32 = 25;
/// The longest name of a drive item (contract, "Drive").
const LONGEST_NAME_CHARS: usize = 255;
/// How much earlier than its attempt a file may be dated where its hash decides anyway, because clocks need not agree.
const SLACK_WITH_HASH: SignedDuration = SignedDuration::from_mins(10);
/// The same where only size and name decide: `Date` is exact to a second.
const SLACK_WITHOUT_HASH: SignedDuration = SignedDuration::from_secs(2);

/// A description by which a sent file can be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint {
    /// The file's size in bytes.
    pub size_bytes: u64,
    /// The SHA-256 of the file's content.
    pub sha256: [u8; 32],
    /// The name under which it was sent.
    pub filename: String,
    /// When it was first sent, on this computer's clock.
    pub since: Timestamp,
}

impl Client {
    /// The file in `folder` (`None`: at the top of the drive) that `fingerprint` describes, if it is new since then.
    ///
    /// # Errors
    /// What the service answers, or why it did not.
    pub async fn find_uploaded(
        &self,
        fingerprint: &Fingerprint,
        folder: Option<FolderId>,
    ) -> Result<Option<File>, Error> {
        let found = self.find_in(fingerprint, folder.map_or(Place::Top, Place::In)).await?;
        // A service that ignores the destination folder puts a file at the top.
        let may_be_at_the_top = folder.is_some() && self.offers(Feature::FolderInMultipart) != Some(true);
        if found.is_none() && may_be_at_the_top { self.find_in(fingerprint, Place::Top).await } else { Ok(found) }
    }

    async fn find_in(&self, fingerprint: &Fingerprint, place: Place) -> Result<Option<File>, Error> {
        let mut request = PageRequest { limit: Some(200), ..PageRequest::default() };
        for _ in 0..MOST_PAGES {
            let page = self.list_files(&place, &request).await?;
            // Converted only now, because this answer may be the first to tell the service's clock.
            let since = self.shared.key.on_their_clock(fingerprint.since.into());
            let oldest = Timestamp::from(since.checked_sub(SLACK_WITH_HASH).unwrap_or(since));
            if let Some(file) = page.items.iter().find(|file| is_the_one(file, fingerprint, since)) {
                return Ok(Some(file.clone()));
            }
            // In a list with the newest first, no new file follows an old one.
            let reached_old = is_older_from_here_on(page.items.iter().map(|file| file.created_at), oldest);
            match request.after(&page) {
                Some(next) if !reached_old => request = next,
                _ => return Ok(None),
            }
        }
        Ok(None)
    }
}

impl Client {
    /// Sends `call`, which could act twice, and reads its answer. After a lost answer `look` finds out the result; only
    /// if it finds none, twice in a row, is the call repeated.
    ///
    /// # Errors
    /// [`Error::AnswerLost`] where the result could not be found out; else what the service answers, or why it did not.
    pub(crate) async fn send_settled<T, F>(
        &self,
        call: &Call,
        read: impl Fn(&Answer) -> Result<T, Error>,
        look: impl Fn() -> F,
    ) -> Result<T, Error>
    where
        F: Future<Output = Result<Option<T>, Error>>,
    {
        let mut tries = Tries::new(self.shared.jitter.clone());
        let mut was_lost = false;
        loop {
            let error = match self.send(call).await.and_then(|answer| read(&answer)) {
                Err(error) if error.is_answer_lost() => error,
                Err(error) if was_lost && error.is_offline() => return Err(Error::lost(error)),
                outcome => return outcome,
            };
            was_lost = true;
            let mut error = Some(error);
            for _ in 0..LOOKS {
                let next = tries.back_off();
                // A request that has not been carried out by the second look is not on its way any more.
                self.pause(next, Error::lost(error.take().unwrap_or(Error::TimedOut))).await?;
                match look().await {
                    Ok(Some(found)) => return Ok(found),
                    Ok(None) => {}
                    Err(failure) => return Err(Error::lost(failure)),
                }
            }
        }
    }
}

/// Whether a page shows that all later items of the list are from before `oldest`: every time is told, none is later
/// than the one before it, and the last is that old. Any other order proves nothing (specification, "Differences
/// between versions").
pub(crate) fn is_older_from_here_on(moments: impl Iterator<Item = Option<Timestamp>>, oldest: Timestamp) -> bool {
    let Some(moments) = moments.collect::<Option<Vec<_>>>() else { return false };
    moments.is_sorted_by(|earlier, later| earlier >= later) && moments.last().is_some_and(|last| *last < oldest)
}

/// Whether `file` is the one that was sent at `since` (on the service's clock).
fn is_the_one(file: &File, fingerprint: &Fingerprint, since: jiff::Timestamp) -> bool {
    let same_size = file.size_bytes.is_none_or(|size| size == fingerprint.size_bytes);
    let (same_content, slack) = match &file.content_hash {
        Some(hash) => (is_hash(hash, &fingerprint.sha256), SLACK_WITH_HASH),
        None => (file.size_bytes.is_some() && file.created_at.is_some(), SLACK_WITHOUT_HASH),
    };
    let oldest = Timestamp::from(since.checked_sub(slack).unwrap_or(since));
    let new = file.created_at.is_none_or(|at| at >= oldest);
    same_size && same_content && new && is_numbered_form_of(&file.name, &fingerprint.filename)
}

/// A digest in the drive's form, `sha256:` and hex digits.
pub(crate) fn hash_text(sha256: &[u8; 32]) -> String {
    sha256.iter().fold("sha256:".to_owned(), |text, byte| format!("{text}{byte:02x}"))
}

/// Whether a text in that form is this digest.
pub(crate) fn is_hash(text: &str, sha256: &[u8; 32]) -> bool {
    let hex: String = sha256.iter().map(|byte| format!("{byte:02x}")).collect();
    let digits = text.rsplit_once(':').map_or(text, |(_, digits)| digits);
    digits.eq_ignore_ascii_case(&hex)
}

/// Whether `stored` is `sent`, or the name that a service gives where `sent` was taken: `name (2).ext`.
pub(crate) fn is_numbered_form_of(stored: &str, sent: &str) -> bool {
    // Only the base name counts, and a service may use either separator.
    let sent = sent.rsplit(['/', '\\']).next().unwrap_or(sent);
    if is_same_name(stored, sent) {
        return true;
    }
    let (stored_stem, stored_extension) = split_extension(stored);
    let (sent_stem, sent_extension) = split_extension(sent);
    let Some((stem, number)) = stored_stem.strip_suffix(')').and_then(|stem| stem.rsplit_once(" (")) else {
        return false;
    };
    let is_number = number.parse::<u32>().is_ok_and(|number| number >= 2);
    // If a name leaves no room for a number, its stem is shortened.
    let is_shortened = sent.chars().count() > LONGEST_NAME_CHARS - 16 && sent_stem.starts_with(stem);
    let is_same_stem = is_same_name(stem, sent_stem) || is_shortened;
    is_number && is_same_stem && is_same_name(stored_extension, sent_extension)
}

/// Whether two names are the same text, however their accents are composed.
pub(crate) fn is_same_name(a: &str, b: &str) -> bool {
    a == b || a.nfc().eq(b.nfc())
}

fn split_extension(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(dot) if dot > 0 => name.split_at(dot),
        _ => (name, ""),
    }
}

/// The upload result for a file that was found in the drive.
pub(crate) fn result_of_file(file: File) -> UploadResult {
    UploadResult {
        file_id: file.id,
        was_duplicate: false,
        filename: Some(file.name),
        mime_type: file.mime_type,
        size_bytes: file.size_bytes,
        folder_id: file.folder_id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const SINCE: i64 = 1_777_636_800_000_000;
    const EMPTY: [u8; 32] = [
        0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27, 0xae,
        0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
    ];
    const HASH: &str = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn only_what_is_new_and_equal_is_taken_for_what_was_sent() {
        let fingerprint = Fingerprint {
            size_bytes: 7,
            sha256: EMPTY,
            filename: "deck.pdf".to_owned(),
            since: Timestamp::from_micros(SINCE),
        };
        let check =
            |name: &str, size: Option<u64>, hash: Option<&str>, created_after_s: Option<i64>, expected: bool| {
                let created_at = created_after_s.map(|seconds| Timestamp::from_micros(SINCE + seconds * 1_000_000));
                let file: File = serde_json::from_value(json!({"id": "file_00000000000000000000000000", "name": name,
                "size_bytes": size, "content_hash": hash, "created_at": created_at}))
                .unwrap();
                let found = is_the_one(&file, &fingerprint, fingerprint.since.into());
                assert_eq!(found, expected, "{name} {size:?} {hash:?} {created_after_s:?}");
            };
        check("deck.pdf", Some(7), Some(HASH), Some(1), true);
        check("deck (2).pdf", Some(7), Some(HASH), Some(1), true);
        check("deck.pdf", None, Some(HASH), None, true);
        // Clocks need not agree where the hash decides; they must where it is missing.
        check("deck.pdf", Some(7), Some(HASH), Some(-300), true);
        check("deck.pdf", Some(7), None, Some(-300), false);
        check("deck.pdf", Some(7), None, Some(1), true);
        check("deck.pdf", Some(7), None, None, false);
        check("deck.pdf", None, None, Some(1), false);
        // Another name, size, content or time.
        check("picture.pdf", Some(7), Some(HASH), Some(1), false);
        check("deck.pdf", Some(8), Some(HASH), Some(1), false);
        check("deck.pdf", Some(7), Some("sha256:00"), Some(1), false);
        check("deck.pdf", Some(7), Some(HASH), Some(-3_600), false);
    }

    #[test]
    fn a_numbered_name_is_known_by_its_number() {
        let check = |stored: &str, sent: &str, expected: bool| {
            assert_eq!(is_numbered_form_of(stored, sent), expected, "{stored} of {sent}");
        };
        check("a.png", "a.png", true);
        check("a (2).png", "a.png", true);
        check("a (117).png", "a.png", true);
        check("a (1).png", "a.png", false);
        check("a (x).png", "a.png", false);
        check("a (2).jpg", "a.png", false);
        check("b (2).png", "a.png", false);
        check(".profile (2)", ".profile", true);
        check("b.png", "a\\b.png", true);
        check(&format!("{} (2).png", "n".repeat(247)), &format!("{}.png", "n".repeat(251)), true);
        check("n (2).png", "nnn.png", false);
        check("README (3)", "README", true);
        check("cafe\u{301}.png", "caf\u{e9}.png", true);
    }
}
