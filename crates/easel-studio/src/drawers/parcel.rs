//! What a studio and a process that draws for it say to each other: parcels of a few words as JSON and of bytes as they are.
//!
//! Always true: whoever reads a parcel bounds it before memory is taken for it, because the other side may be in the hands of
//! the file that it reads. Lengths are written as eight bytes, the highest first.

use std::borrow::Cow;
use std::io::{self, Read, Write};

use easel_canvas::fonts::Wanted;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::db::tasks::ProgressRow;
use crate::drawing::{Drawing, Order, Rendering};
use crate::wire::canvases::ExportWarning;

/// The longest words of a parcel, in bytes: a prompt, or the pages of a design.
const MAX_WORDS: u64 = 8_000_000;

/// Bytes that one parcel carries: the files of a task with a design, or an export.
const MAX_BYTES: u64 = 1 << 30;

/// Pieces that the bytes of a parcel come in: the files of a task, and three more.
const MAX_PIECES: u64 = 64;

/// What the studio says.
#[derive(Serialize, Deserialize)]
pub enum Told<'o> {
    /// To draw this. Bytes: its files in their order, then its base and the logo where it has them.
    Draw { order: Box<Cow<'o, Order>>, has_base: bool, has_logo: bool },
    /// To render the document that comes as bytes.
    Render(Rendering),
    /// The font that was asked for, with its file as bytes; nothing where no font has the letter.
    Typeface(Option<TypefaceWords>),
}

/// A font of the system without its file.
#[derive(Debug, Serialize, Deserialize)]
pub struct TypefaceWords {
    /// The family's name.
    pub family: String,
    /// 100 to 900.
    pub weight: u16,
    /// Which font in a collection file.
    pub index: u32,
}

/// What a process that draws says.
#[derive(Serialize, Deserialize)]
pub enum Said {
    /// How far it is.
    Progress(ProgressRow),
    /// That it needs a font of the system that has this letter.
    Letter(Wanted),
    /// What it has drawn. Bytes: the document, then the picture where there is one.
    Drawn(Box<Drawing>),
    /// What it has rendered, which comes as bytes, by how its name ends.
    Rendered { extension: String, warnings: Vec<ExportWarning> },
    /// Why it cannot be drawn, in words for the person who asked for it.
    Undrawable(String),
    /// Why it cannot be drawn before someone has installed a typeface, in words for the person who asked for it.
    TypefaceMissing(String),
    /// Where in the program it broke down.
    Broken(String),
}

/// Words with the bytes that belong to them.
pub struct Parcel<T> {
    /// The words.
    pub words: T,
    /// The bytes.
    pub pieces: Vec<Vec<u8>>,
}

impl Order {
    /// The files of the order, as [`Told::Draw`] carries them.
    #[must_use]
    pub fn pieces(&self) -> Vec<&[u8]> {
        let files = self.attachments.iter().map(|attachment| attachment.bytes.as_slice());
        files.chain(self.base.as_deref()).chain(self.logo()).collect()
    }

    /// The logo of its brand.
    #[must_use]
    pub fn logo(&self) -> Option<&[u8]> {
        self.brand.as_ref()?.logo.as_deref()
    }

    /// Puts files where they belong; false where there are fewer or more of them than it says.
    pub fn take(&mut self, pieces: Vec<Vec<u8>>, has_base: bool, has_logo: bool) -> bool {
        let mut pieces = pieces.into_iter();
        for attachment in &mut self.attachments {
            let Some(bytes) = pieces.next() else { return false };
            attachment.bytes = bytes;
        }
        let base = if has_base { pieces.next() } else { None };
        let logo = if has_logo { pieces.next() } else { None };
        let is_whole = base.is_some() == has_base && logo.is_some() == has_logo && pieces.next().is_none();
        self.base = base;
        if let Some(brand) = &mut self.brand {
            brand.logo = logo;
        }
        is_whole
    }
}

fn invalid(reason: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

/// The lengths of a parcel as they go before it.
fn head_of(words: &[u8], pieces: &[&[u8]]) -> Vec<u8> {
    let lengths = [words.len(), pieces.len()].into_iter().chain(pieces.iter().map(|piece| piece.len()));
    lengths.flat_map(|length| (length as u64).to_be_bytes()).collect()
}

/// Lengths that are borne: of the words, and how many pieces.
fn check_head(words: u64, pieces: u64) -> io::Result<(usize, usize)> {
    if words > MAX_WORDS || pieces > MAX_PIECES {
        return Err(invalid("a parcel of more words than are read"));
    }
    Ok((usize::try_from(words).unwrap_or(usize::MAX), usize::try_from(pieces).unwrap_or(usize::MAX)))
}

fn check_piece(length: u64, left: &mut u64) -> io::Result<()> {
    *left = left.checked_sub(length).ok_or_else(|| invalid("a parcel of more bytes than are read"))?;
    Ok(())
}

/// Writes a parcel.
///
/// # Errors
/// Where the other side is gone.
pub fn write<T: Serialize>(out: &mut impl Write, words: &T, pieces: &[&[u8]]) -> io::Result<()> {
    let words = serde_json::to_vec(words)?;
    out.write_all(&head_of(&words, pieces))?;
    out.write_all(&words)?;
    pieces.iter().try_for_each(|piece| out.write_all(piece))?;
    out.flush()
}

/// Reads a parcel.
///
/// # Errors
/// Where the other side is gone, or says what it should not.
pub fn read<T: for<'a> Deserialize<'a>>(from: &mut impl Read) -> io::Result<Parcel<T>> {
    let mut number = || {
        let mut bytes = [0; 8];
        from.read_exact(&mut bytes).map(|()| u64::from_be_bytes(bytes))
    };
    let (words, pieces) = check_head(number()?, number()?)?;
    let lengths = (0..pieces).map(|_| number()).collect::<io::Result<Vec<u64>>>()?;
    let mut some = |length: u64| {
        let mut bytes = Vec::new();
        let read = from.by_ref().take(length).read_to_end(&mut bytes)?;
        if read as u64 == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    };
    let words = serde_json::from_slice(&some(words as u64)?)?;
    let mut left = MAX_BYTES;
    let pieces = lengths.into_iter().map(|length| check_piece(length, &mut left).and_then(|()| some(length)));
    Ok(Parcel { words, pieces: pieces.collect::<io::Result<_>>()? })
}

/// Writes a parcel, as [`write`].
///
/// # Errors
/// Where the other side is gone.
pub async fn send<T: Serialize>(out: &mut (impl AsyncWrite + Unpin), words: &T, pieces: &[&[u8]]) -> io::Result<()> {
    let words = serde_json::to_vec(words)?;
    out.write_all(&head_of(&words, pieces)).await?;
    out.write_all(&words).await?;
    for piece in pieces {
        out.write_all(piece).await?;
    }
    out.flush().await
}

/// Reads a parcel, as [`read`].
///
/// # Errors
/// Where the other side is gone, or says what it should not.
pub async fn receive<T: for<'a> Deserialize<'a>>(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Parcel<T>> {
    let (words, pieces) = check_head(from.read_u64().await?, from.read_u64().await?)?;
    let mut lengths = Vec::with_capacity(pieces);
    for _ in 0..pieces {
        lengths.push(from.read_u64().await?);
    }
    let words = serde_json::from_slice(&receive_some(from, words as u64).await?)?;
    let (mut left, mut pieces) = (MAX_BYTES, Vec::with_capacity(pieces));
    for length in lengths {
        check_piece(length, &mut left)?;
        pieces.push(receive_some(from, length).await?);
    }
    Ok(Parcel { words, pieces })
}

async fn receive_some(from: &mut (impl AsyncRead + Unpin), length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = from.take(length).read_to_end(&mut bytes).await?;
    if read as u64 == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_parcel_arrives_as_it_was_sent_and_an_endless_one_is_refused() {
        let told = Told::Typeface(Some(TypefaceWords { family: "Serif".to_owned(), weight: 400, index: 2 }));
        let mut bytes = Vec::new();
        write(&mut bytes, &told, &[b"one", b"", b"three"]).unwrap();
        let mut sent = Vec::new();
        send(&mut sent, &told, &[b"one", b"", b"three"]).await.unwrap();
        assert_eq!(bytes, sent);
        let received: Parcel<Told<'_>> = receive(&mut bytes.as_slice()).await.unwrap();
        let read: Parcel<Told<'_>> = read(&mut bytes.as_slice()).unwrap();
        for Parcel { words, pieces } in [received, read] {
            assert_eq!(pieces, [b"one".to_vec(), Vec::new(), b"three".to_vec()]);
            assert!(matches!(words, Told::Typeface(Some(TypefaceWords { weight: 400, index: 2, .. }))));
        }
        for lengths in [[u64::MAX, 0, 0], [2, u64::MAX, 0], [2, 1, u64::MAX], [2, 1, MAX_BYTES + 1]] {
            let mut endless: Vec<u8> = lengths.iter().flat_map(|length| length.to_be_bytes()).collect();
            endless.extend(b"{}");
            assert!(receive::<serde_json::Value>(&mut endless.as_slice()).await.is_err(), "{lengths:?}");
            assert!(super::read::<serde_json::Value>(&mut endless.as_slice()).is_err(), "{lengths:?}");
        }
        // One that ends before it says.
        assert!(super::read::<Told<'_>>(&mut &bytes[..bytes.len() - 1]).is_err());
    }
}
