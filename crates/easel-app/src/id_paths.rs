//! Ids as parts of paths: of links, and of the addresses of pictures.
//!
//! Always true: what is written is read back as the same id; a part holds no slash, whatever the id holds.

use easel_wire::Id;
use easel_wire::id::Kind;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The characters of an id that are percent-encoded in an address.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'~');

/// An id as one part of an address, whatever characters it has.
pub(crate) fn in_a_path(id: &str) -> String {
    utf8_percent_encode(id, PLAIN).to_string()
}

/// The id that a part of an address stands for.
pub(crate) fn id_in_a_path<K: Kind>(part: &str) -> Option<Id<K>> {
    let is_one = !part.contains('/');
    Id::new(&percent_decode_str(part).decode_utf8().ok().filter(|_| is_one)?).ok()
}
