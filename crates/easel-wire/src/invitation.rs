//! The code of an invitation: one text that a person pastes, which names the studio and proves that they are invited.
//!
//! A code is [`PREFIX`] and base64url of a version, [`SECRET_BYTES`] secret bytes, the studio's address and the first
//! [`CHECK_BYTES`] bytes of the SHA-256 of all that. Always true: a code that lost or changed a letter on its way is told
//! apart from one that is refused, and nothing here shows the secret in `Debug`. Not here: how long a code is good for and
//! whether it was used, which the studio alone knows, by [`Invitation::hash`].

use std::fmt;

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

/// How a code begins.
pub const PREFIX: &str = "easel_";
/// How many bytes of a code are the secret.
pub const SECRET_BYTES: usize = 20;
/// The longest address in a code, in bytes.
pub const MAX_ADDRESS_BYTES: usize = 500;
/// The longest code, in characters.
pub const MAX_CODE_CHARS: usize = PREFIX.len() + (1 + SECRET_BYTES + MAX_ADDRESS_BYTES + CHECK_BYTES).div_ceil(3) * 4;

const VERSION: u8 = 1;
const CHECK_BYTES: usize = 4;

/// A text is no invitation, or not a whole one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is no invitation, or not all of one")]
pub struct NoInvitation;

/// An invitation, as its code has it.
#[derive(Clone, PartialEq, Eq)]
pub struct Invitation {
    address: String,
    secret: [u8; SECRET_BYTES],
}

impl Invitation {
    /// An invitation to the studio at `address`; without a slash at the end.
    ///
    /// # Errors
    /// [`NoInvitation`] for an address that is empty or longer than [`MAX_ADDRESS_BYTES`].
    pub fn new(address: &str, secret: [u8; SECRET_BYTES]) -> Result<Self, NoInvitation> {
        let address = address.trim_end_matches('/');
        let fits = (1..=MAX_ADDRESS_BYTES).contains(&address.len());
        fits.then(|| Self { address: address.to_owned(), secret }).ok_or(NoInvitation)
    }

    /// Finds the code in what a person pasted, with words around it or broken into lines.
    ///
    /// # Errors
    /// [`NoInvitation`] where there is none, or a letter of it is missing or another one.
    pub fn find(pasted: &str) -> Result<Self, NoInvitation> {
        let from = pasted.find(PREFIX).ok_or(NoInvitation)?;
        let code = &pasted[from + PREFIX.len()..];
        let is_digit = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
        let whole = code.split(|letter| !is_digit(letter)).next().unwrap_or_default();
        // A mail program may have broken it into lines.
        let joined = || code.chars().filter(|letter| is_digit(*letter)).take(MAX_CODE_CHARS).collect::<String>();
        Self::decode(whole).or_else(|_| Self::decode(&joined()))
    }

    fn decode(digits: &str) -> Result<Self, NoInvitation> {
        if digits.len() > MAX_CODE_CHARS {
            return Err(NoInvitation);
        }
        let bytes = BASE64URL_NOPAD.decode(digits.as_bytes()).map_err(|_| NoInvitation)?;
        let (bytes, check) = bytes.split_last_chunk::<CHECK_BYTES>().ok_or(NoInvitation)?;
        if Sha256::digest(bytes)[..CHECK_BYTES] != check[..] {
            return Err(NoInvitation);
        }
        let [VERSION, rest @ ..] = bytes else { return Err(NoInvitation) };
        let (secret, address) = rest.split_first_chunk::<SECRET_BYTES>().ok_or(NoInvitation)?;
        let address = std::str::from_utf8(address).map_err(|_| NoInvitation)?;
        Self::new(address, *secret)
    }

    /// The code: what a person sends to whom they invite.
    #[must_use]
    pub fn code(&self) -> String {
        let mut bytes = vec![VERSION];
        bytes.extend_from_slice(&self.secret);
        bytes.extend_from_slice(self.address.as_bytes());
        let check = Sha256::digest(&bytes);
        bytes.extend_from_slice(&check[..CHECK_BYTES]);
        format!("{PREFIX}{}", BASE64URL_NOPAD.encode(&bytes))
    }

    /// Where the studio is.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// What a studio keeps of it: the SHA-256 of the secret.
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.secret).into()
    }
}

impl fmt::Debug for Invitation {
    /// Leaves the secret out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Invitation").field("address", &self.address).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn invitation() -> Invitation {
        Invitation::new("https://studio.example.org/", [7; SECRET_BYTES]).unwrap()
    }

    #[test]
    fn a_code_is_found_among_words_and_over_several_lines() {
        let (made, code) = (invitation(), invitation().code());
        assert_eq!(made.address(), "https://studio.example.org");
        let (front, back) = code.split_at(30);
        for pasted in [
            code.clone(),
            format!("  {code}\n"),
            format!("Hello Ben,\nyour invitation: {code}. See you!"),
            format!("<{code}>"),
            format!("{front}\r\n{back}"),
            format!("> {front}\n> {back}\n"),
        ] {
            assert_eq!(Invitation::find(&pasted), Ok(made.clone()), "{pasted}");
        }
        assert!(!format!("{made:?}").contains("secret"));
    }

    #[test]
    fn what_is_not_all_of_a_code_is_none() {
        let code = invitation().code();
        for length in 0..code.len() {
            assert_eq!(Invitation::find(&code[..length]), Err(NoInvitation), "{length} letters");
        }
        for place in PREFIX.len()..code.len() {
            let mut changed = code.clone().into_bytes();
            changed[place] = if changed[place] == b'A' { b'B' } else { b'A' };
            assert_eq!(Invitation::find(std::str::from_utf8(&changed).unwrap()), Err(NoInvitation), "letter {place}");
        }
        for other in ["", "svc_live_0011", "easel_", "https://studio.example.org"] {
            assert_eq!(Invitation::find(other), Err(NoInvitation), "{other}");
        }
    }

    proptest! {
        #[test]
        fn every_address_comes_back(address in "[^/]{1,166}", secret: [u8; SECRET_BYTES]) {
            if let Ok(made) = Invitation::new(&address, secret) {
                prop_assert!(made.code().len() <= MAX_CODE_CHARS);
                prop_assert_eq!(Invitation::find(&made.code()), Ok(made));
            }
        }

        #[test]
        fn no_text_makes_it_panic(text: String) {
            let _ = Invitation::find(&format!("{PREFIX}{text}"));
        }
    }
}
