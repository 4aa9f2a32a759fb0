//! The data folder's own key: a file of mode 0600 beside the database (contract, "Keys").
//!
//! Several processes of one studio have the same one, which is handed to each ([`SharedKey`]). From it come the keys that sign URLs and cursors, and the one that seals signing secrets, each for its purpose
//! alone. Never written anywhere else, never in a log.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use data_encoding::HEXLOWER_PERMISSIVE;
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::error::Error;
use super::private_files::write_durably;

/// Bytes of the key file.
const KEY_BYTES: usize = 32;
/// The variable of the environment that holds the key which all processes of a studio share.
pub const KEY_VARIABLE: &str = "EASEL_STUDIO_KEY";
/// Bytes in front of a sealed secret.
const NONCE_BYTES: usize = 24;

/// The data folder's own key.
pub struct MasterKey([u8; KEY_BYTES]);

impl MasterKey {
    /// Reads the key file, or makes it where there is none.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Unsealable`] for a file of the wrong length.
    pub fn load_or_create(path: &Path) -> Result<Self, Error> {
        match File::open(path) {
            Ok(file) => {
                let mut bytes = Vec::with_capacity(KEY_BYTES);
                file.take(KEY_BYTES as u64 + 1).read_to_end(&mut bytes)?;
                bytes.try_into().map(Self).map_err(|_| Error::Unsealable)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let bytes = random::<KEY_BYTES>()?;
                // Whole or not at all: a key file cut short would lock every secret away.
                write_durably(path, &bytes)?;
                Ok(Self(bytes))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// A key for one purpose.
    #[must_use]
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        #[expect(clippy::expect_used, reason = "HMAC takes a key of any length")]
        let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&self.0).expect("HMAC takes a key of any length");
        mac.update(purpose.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// Seals `secret`, bound to `context`, which must be the same when it is opened.
    ///
    /// # Errors
    /// [`Error::Io`] where the system has no randomness.
    pub fn seal(&self, context: &[u8], secret: &[u8]) -> Result<Vec<u8>, Error> {
        let nonce = random::<NONCE_BYTES>()?;
        let payload = Payload { msg: secret, aad: context };
        let sealed = self.cipher().encrypt(&XNonce::from(nonce), payload).map_err(|_| Error::Unsealable)?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// Opens what [`Self::seal`] made.
    ///
    /// # Errors
    /// [`Error::Unsealable`] under another key file, for another context or where a bit was changed.
    pub fn open(&self, context: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Error> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE_BYTES>().ok_or(Error::Unsealable)?;
        let payload = Payload { msg: sealed, aad: context };
        self.cipher().decrypt(&XNonce::from(*nonce), payload).map_err(|_| Error::Unsealable)
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.derive("seal signing secrets").into())
    }
}

/// The key that all processes of a studio share, as it was handed over to one of them.
pub struct SharedKey(MasterKey);

impl SharedKey {
    /// A key file that somebody put here.
    ///
    /// # Errors
    /// [`Error::Usage`] where it is not there or no key file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let read = std::fs::read(path).map_err(|error| error.to_string());
        let key = read.and_then(|bytes| bytes.try_into().map_err(|_| "it is no key file".to_owned()));
        key.map(|bytes| Self(MasterKey(bytes))).map_err(|error| Error::Usage(format!("{}: {error}", path.display())))
    }

    /// The bytes of a key file in hex, as an environment holds them.
    ///
    /// # Errors
    /// [`Error::Usage`], which does not repeat them.
    pub fn from_hex(text: &str) -> Result<Self, Error> {
        let bytes = HEXLOWER_PERMISSIVE.decode(text.trim().as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
        bytes.map(|bytes| Self(MasterKey(bytes))).ok_or_else(|| {
            Error::Usage(format!(
                "{KEY_VARIABLE} holds the {KEY_BYTES} bytes of a key file, as {} hex digits",
                2 * KEY_BYTES
            ))
        })
    }

    /// Makes it the key file at `path` where there is none; false where there is another.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::StorageFull`], [`Error::Unsealable`].
    pub fn settle(&self, path: &Path) -> Result<bool, Error> {
        if !path.try_exists()? {
            write_durably(path, &self.0.0)?;
        }
        let known = MasterKey::load_or_create(path)?;
        Ok(bool::from(known.0.ct_eq(&self.0.0)))
    }
}

/// Bytes from the system's cryptographic random source.
///
/// # Errors
/// [`Error::Io`] where there is none.
pub fn random<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| Error::Io(io::Error::other(error)))?;
    Ok(bytes)
}

/// What is stored of a key.
#[must_use]
pub fn hash_key(key: &str) -> [u8; 32] {
    Sha256::digest(key.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_secret_opens_only_unchanged_in_its_context_and_with_its_key() {
        let key = MasterKey([1; KEY_BYTES]);
        let sealed = key.seal(b"key one", b"whsec_abc").unwrap();
        assert!(!sealed.windows(6).any(|window| window == b"whsec_"));
        assert_eq!(key.open(b"key one", &sealed).unwrap(), b"whsec_abc");
        assert!(key.open(b"key two", &sealed).is_err());
        assert!(MasterKey([2; KEY_BYTES]).open(b"key one", &sealed).is_err());
        for place in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[place] ^= 1;
            assert!(key.open(b"key one", &changed).is_err());
        }
        assert!(key.open(b"key one", &sealed[..10]).is_err());
        assert_ne!(sealed, key.seal(b"key one", b"whsec_abc").unwrap());
    }

    #[test]
    fn the_key_file_is_made_once_and_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("studio.key");
        let first = MasterKey::load_or_create(&path).unwrap();
        let second = MasterKey::load_or_create(&path).unwrap();
        assert_eq!(first.0, second.0);
        assert_ne!(first.derive("a"), first.derive("b"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        for wrong in [&b"short"[..], &[7; KEY_BYTES + 1]] {
            std::fs::write(&path, wrong).unwrap();
            assert!(matches!(MasterKey::load_or_create(&path), Err(Error::Unsealable)), "{} bytes", wrong.len());
        }
    }

    #[test]
    fn a_key_that_processes_share_becomes_the_file_of_one_that_has_none_and_of_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let (own, given) = (folder.path().join("studio.key"), folder.path().join("given"));
        std::fs::write(&given, [5; KEY_BYTES]).unwrap();
        let from_file = SharedKey::read(&given).unwrap();
        assert!(from_file.settle(&own).unwrap() && from_file.settle(&own).unwrap());
        assert_eq!(MasterKey::load_or_create(&own).unwrap().0, [5; KEY_BYTES]);
        assert!(SharedKey::from_hex(&format!("{}\n", "05".repeat(KEY_BYTES))).unwrap().settle(&own).unwrap());
        assert!(!SharedKey::from_hex(&"06".repeat(KEY_BYTES)).unwrap().settle(&own).unwrap(), "it has another");
        assert_eq!(MasterKey::load_or_create(&own).unwrap().0, [5; KEY_BYTES]);
        std::fs::write(&given, b"short").unwrap();
        for wrong in
            [SharedKey::read(&given), SharedKey::read(&folder.path().join("none")), SharedKey::from_hex("05zz")]
        {
            let said = wrong.err().map(|error| error.to_string()).unwrap();
            assert!(!said.contains("05zz"), "a secret is not repeated: {said}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_key_file_that_cannot_be_read_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("studio.key");
        std::os::unix::fs::symlink(&path, &path).unwrap();
        assert!(matches!(MasterKey::load_or_create(&path), Err(Error::Io(_))));
        assert!(std::fs::symlink_metadata(&path).unwrap().is_symlink());
    }
}
