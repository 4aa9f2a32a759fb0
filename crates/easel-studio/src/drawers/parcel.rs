//! The messages between a studio and a process that draws for it: parcels of a few words as JSON and of bytes as they
//! are.
//!
//! Always true: the reader of a parcel bounds it before memory is taken for it, because the other side may be in the
//! hands of the file that it reads; and the studio holds no file of a parcel whole, neither one that it sends nor one
//! that comes. Lengths are written as eight bytes, the highest first.

use std::borrow::Cow;
use std::io::{self, Read, Write};

use bytes::Bytes;
use easel_canvas::Material;
use easel_canvas::fonts::Wanted;
use easel_canvas::recolor::DesignColor;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, stream};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::core::error::Error;
use crate::db::tasks::ProgressRow;
use crate::drawing::colors::Recoloring;
use crate::drawing::pictures::{Exchange, Unexchanged};
use crate::drawing::texts::{Change, PageTexts, Unfit};
use crate::drawing::{Drawing, Order, PageAhead, Rendering};
use crate::wire::canvases::ExportWarning;

/// The longest words of a parcel, in bytes: a prompt, or the pages of a design.
const MAX_WORDS: u64 = 8_000_000;

/// The most bytes of one parcel: the files of a task with a design, or an export.
const MAX_BYTES: u64 = 1 << 30;

/// Pieces that the bytes of a parcel come in: the files of a task, and three more.
const MAX_PIECES: u64 = 64;

/// The largest picture of a page that is taken while a design is made, in bytes.
const MAX_PICTURE_BYTES: u64 = 2_000_000;

/// So much of an incoming file is in memory at a time.
const PIECE_BYTES: u64 = 256 * 1024;

/// What the studio says.
#[derive(Serialize, Deserialize)]
pub enum RendererRequest<'o> {
    /// An order to draw. Bytes: its files in their order, then its base and the logo where it has them.
    Draw { order: Box<Cow<'o, Order>>, has_base: bool, has_logo: bool },
    /// An order to read its material. Bytes: as [`RendererRequest::Draw`].
    Read { order: Box<Cow<'o, Order>>, has_base: bool, has_logo: bool },
    /// An order to render the document that comes as bytes.
    Render(Rendering),
    /// To read the texts of the document that comes as bytes.
    ReadTexts,
    /// To change texts of the document that comes as bytes; where it is not drawn, only to say what it has then.
    ChangeTexts { changes: Vec<Change>, draws: bool },
    /// To read the colours of the document that comes as bytes.
    ReadColors,
    /// To draw the document that comes as bytes in other colours.
    ChangeColors(Vec<Recoloring>),
    /// To draw a document with another picture. Bytes: the document, then the picture's file.
    ChangePicture(Exchange),
    /// The font that was asked for, with its file as bytes; `None` where no font has the letter.
    Typeface(Option<TypefaceWords>),
}

/// A font of the system without its file.
#[derive(Debug, Serialize, Deserialize)]
pub struct TypefaceWords {
    /// The family's name.
    pub family: String,
    /// 100 to 900.
    pub weight: u16,
    /// The place of the font in a collection file.
    pub index: u32,
}

/// A message of a process that draws.
#[derive(Serialize, Deserialize)]
pub enum RendererMessage {
    /// Its progress.
    Progress(ProgressRow),
    /// Which pages the design will have.
    Outline(Vec<PageAhead>),
    /// A page is drawn, with this number. Bytes: its picture.
    Page(usize),
    /// The process needs a font of the system that has this letter.
    Letter(Wanted),
    /// The drawing. Bytes: the document, then the picture where there is one.
    Drawn(Box<Drawing>),
    /// The material that was read.
    Read(Box<Material>),
    /// The file that was rendered, which comes as bytes, by its extension.
    Rendered { extension: String, warnings: Vec<ExportWarning> },
    /// The texts that a document has, or would have.
    Texts(Vec<PageTexts>),
    /// A document whose texts or picture were changed, and what stands on its pages. Bytes: the document, then its picture.
    Reworded { drawing: Box<Drawing>, pages: Vec<PageTexts> },
    /// Why a picture stays.
    Unexchanged(Unexchanged),
    /// Why texts do not get other words.
    Unfit(Unfit),
    /// The colours that a document has.
    Colors(Vec<DesignColor>),
    /// A document in other colours, and what they are. Bytes: the document, then its picture.
    Recolored { drawing: Box<Drawing>, colors: Vec<DesignColor> },
    /// The order cannot be drawn, for a reason in words for the person who asked for it.
    Undrawable(String),
    /// Why it cannot be drawn before someone has installed a typeface, in words for the person who asked for it.
    TypefaceMissing(String),
    /// The place in the program where it broke down.
    Broken(String),
}

/// Words with the bytes that belong to them.
pub struct Parcel<T> {
    /// The words.
    pub words: T,
    /// The bytes.
    pub pieces: Vec<Vec<u8>>,
}

/// A file on its way into a parcel, read while it is sent.
pub struct Outgoing {
    /// How many bytes it has.
    pub length: u64,
    /// The bytes.
    pub pieces: BoxStream<'static, Result<Bytes, Error>>,
}

impl From<Vec<u8>> for Outgoing {
    fn from(bytes: Vec<u8>) -> Self {
        let length = bytes.len() as u64;
        Self { length, pieces: stream::once(async { Ok(Bytes::from(bytes)) }).boxed() }
    }
}

/// Takes the files of a parcel, piece by piece.
pub trait Sink: Send {
    /// Begins the file of this number, counted from 0. Bytes of it, and of later ones, that came before are forgotten.
    fn begin(&mut self, number: usize) -> impl Future<Output = Result<(), Error>> + Send;

    /// The next bytes of the file that began last.
    fn write(&mut self, bytes: &[u8]) -> impl Future<Output = Result<(), Error>> + Send;
}

/// Takes none, where none is asked for.
#[derive(Debug)]
pub struct NoFiles;

impl Sink for NoFiles {
    async fn begin(&mut self, _number: usize) -> Result<(), Error> {
        Err(Error::Corrupt("an answer with a file that nobody asked for"))
    }

    async fn write(&mut self, _bytes: &[u8]) -> Result<(), Error> {
        Err(Error::Corrupt("an answer with a file that nobody asked for"))
    }
}

/// Why a parcel did not come over.
#[derive(Debug)]
pub enum Broken {
    /// The other side is gone, or says what it should not.
    Line(io::Error),
    /// A file could not be read, or not be kept, on this side.
    Here(Error),
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        Self::Line(error)
    }
}

/// Words whose bytes are still to come.
pub struct Announced<T> {
    /// The words.
    pub words: T,
    lengths: Vec<u64>,
}

impl Order {
    /// Puts files where they belong; false where their number is not the one that was announced.
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
fn head_of(words: &[u8], pieces: impl ExactSizeIterator<Item = u64>) -> Vec<u8> {
    let lengths = [words.len() as u64, pieces.len() as u64].into_iter().chain(pieces);
    lengths.flat_map(u64::to_be_bytes).collect()
}

/// Checks the lengths in a head: of the words, and the number of pieces.
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
    out.write_all(&head_of(&words, pieces.iter().map(|piece| piece.len() as u64)))?;
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
/// [`Broken`].
pub async fn send<T: Serialize>(
    out: &mut (impl AsyncWrite + Unpin),
    words: &T,
    files: Vec<Outgoing>,
) -> Result<(), Broken> {
    let words = serde_json::to_vec(words).map_err(io::Error::from)?;
    out.write_all(&head_of(&words, files.iter().map(|file| file.length))).await?;
    out.write_all(&words).await?;
    for Outgoing { length, mut pieces } in files {
        let mut left = length;
        while let Some(piece) = pieces.next().await {
            let piece = piece.map_err(Broken::Here)?;
            left = left.checked_sub(piece.len() as u64).ok_or(Broken::Here(OTHER_LENGTH))?;
            out.write_all(&piece).await?;
        }
        if left > 0 {
            return Err(Broken::Here(OTHER_LENGTH));
        }
    }
    Ok(out.flush().await?)
}

const OTHER_LENGTH: Error = Error::Corrupt("a file of another length than its row says");

/// Reads the words of a parcel. Its files follow.
///
/// # Errors
/// Where the other side is gone, or says what it should not.
pub async fn receive<T: for<'a> Deserialize<'a>>(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Announced<T>> {
    let (length, pieces) = check_head(from.read_u64().await?, from.read_u64().await?)?;
    let (mut lengths, mut left) = (Vec::with_capacity(pieces), MAX_BYTES);
    for _ in 0..pieces {
        let length = from.read_u64().await?;
        check_piece(length, &mut left)?;
        lengths.push(length);
    }
    let mut words = Vec::new();
    if from.take(length as u64).read_to_end(&mut words).await? < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Announced { words: serde_json::from_slice(&words)?, lengths })
}

impl<T> Announced<T> {
    /// Reads the one small file that follows: the picture of a page.
    ///
    /// # Errors
    /// Where the other side is gone, or says what it should not.
    pub async fn picture(&self, from: &mut (impl AsyncRead + Unpin + Send)) -> io::Result<Vec<u8>> {
        let [length] = self.lengths.as_slice() else { return Err(invalid("a page without its picture")) };
        if *length > MAX_PICTURE_BYTES {
            return Err(invalid("a picture of more bytes than are read"));
        }
        let mut bytes = Vec::new();
        if (from.take(*length).read_to_end(&mut bytes).await? as u64) < *length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(bytes)
    }

    /// Has a sink take the files, and says how many there were.
    ///
    /// # Errors
    /// [`Broken`].
    pub async fn files_into(
        &self,
        sink: &mut impl Sink,
        from: &mut (impl AsyncRead + Unpin + Send),
    ) -> Result<usize, Broken> {
        let mut piece = Vec::new();
        for (number, length) in self.lengths.iter().enumerate() {
            sink.begin(number).await.map_err(Broken::Here)?;
            let mut left = *length;
            while left > 0 {
                piece.clear();
                let read = (&mut *from).take(left.min(PIECE_BYTES)).read_to_end(&mut piece).await?;
                if read == 0 {
                    return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
                }
                left -= read as u64;
                sink.write(&piece).await.map_err(Broken::Here)?;
            }
        }
        Ok(self.lengths.len())
    }
}

/// Keeps small files in memory, for tests.
#[cfg(test)]
impl Sink for Vec<Vec<u8>> {
    async fn begin(&mut self, number: usize) -> Result<(), Error> {
        self.truncate(number);
        self.push(Vec::new());
        Ok(())
    }

    async fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.last_mut().expect("a file that began").extend_from_slice(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_parcel_arrives_as_it_was_sent_and_an_endless_one_is_refused() {
        let told = RendererRequest::Typeface(Some(TypefaceWords { family: "Serif".to_owned(), weight: 400, index: 2 }));
        let mut bytes = Vec::new();
        write(&mut bytes, &told, &[b"one", b"", b"three"]).unwrap();
        let mut sent = Vec::new();
        let files = [b"one".as_slice(), b"", b"three"].map(|file| Outgoing::from(file.to_vec()));
        send(&mut sent, &told, files.into()).await.unwrap();
        assert_eq!(bytes, sent);
        let mut line = bytes.as_slice();
        let announced: Announced<RendererRequest<'_>> = receive(&mut line).await.unwrap();
        let mut files = vec![b"of another try".to_vec(); 5];
        assert_eq!(announced.files_into(&mut files, &mut line).await.unwrap(), 3);
        let read: Parcel<RendererRequest<'_>> = read(&mut bytes.as_slice()).unwrap();
        for (words, pieces) in [(announced.words, files), (read.words, read.pieces)] {
            assert_eq!(pieces, [b"one".to_vec(), Vec::new(), b"three".to_vec()]);
            assert!(matches!(words, RendererRequest::Typeface(Some(TypefaceWords { weight: 400, index: 2, .. }))));
        }
        for lengths in [[u64::MAX, 0, 0], [2, u64::MAX, 0], [2, 1, u64::MAX], [2, 1, MAX_BYTES + 1]] {
            let mut endless: Vec<u8> = lengths.iter().flat_map(|length| length.to_be_bytes()).collect();
            endless.extend(b"{}");
            assert!(receive::<serde_json::Value>(&mut endless.as_slice()).await.is_err(), "{lengths:?}");
            assert!(super::read::<serde_json::Value>(&mut endless.as_slice()).is_err(), "{lengths:?}");
        }
        // A message that ends before its announced length.
        let mut short = &bytes[..bytes.len() - 1];
        assert!(super::read::<RendererRequest<'_>>(&mut short.to_owned().as_slice()).is_err());
        let announced: Announced<RendererRequest<'_>> = receive(&mut short).await.unwrap();
        assert!(matches!(announced.files_into(&mut Vec::new(), &mut short).await, Err(Broken::Line(_))));
    }

    #[tokio::test]
    async fn a_file_of_another_length_than_was_said_is_not_taken_for_whole() {
        for length in [2, 4] {
            let file = Outgoing { length, ..Outgoing::from(b"abc".to_vec()) };
            let sent = send(&mut Vec::new(), &"words", vec![file]).await;
            assert!(matches!(sent, Err(Broken::Here(Error::Corrupt(_)))), "{length}");
        }
    }
}
