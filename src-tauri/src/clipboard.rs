//! The clipboard: files or a picture out of it, text into it.
//!
//! Always true: it is spoken to on a blocking thread, because another program has to answer; a picture comes out as
//! PNG. Text stays available while Easel runs: on X11 the program that copied serves it.

use std::io;
use std::sync::{Mutex, PoisonError};

use arboard::{Clipboard, Error, ImageData};
use easel_app::ports::Pasted;
use secrecy::{ExposeSecret, SecretString};

/// Kept open, because on X11 the copied text goes away with its clipboard.
static CLIPBOARD: Mutex<Option<Clipboard>> = Mutex::new(None);

/// The clipboard's content: files, else a picture.
pub(crate) fn paste() -> io::Result<Pasted> {
    with_clipboard(|clipboard| {
        match clipboard.get().file_list() {
            Ok(files) if !files.is_empty() => return Ok(Pasted::Files(files)),
            Ok(_) | Err(Error::ContentNotAvailable | Error::ConversionFailure) => {}
            Err(error) => return Err(io::Error::other(error)),
        }
        match clipboard.get_image() {
            Ok(picture) => Ok(Pasted::Picture(encode(&picture)?)),
            Err(Error::ContentNotAvailable) => Ok(Pasted::Nothing),
            Err(error) => Err(io::Error::other(error)),
        }
    })
}

/// Puts a text into the clipboard.
pub(crate) fn copy(text: String) -> io::Result<()> {
    with_clipboard(|clipboard| clipboard.set_text(text).map_err(io::Error::other))
}

/// Removes a text from the clipboard; if the clipboard has another content by now, that stays.
pub(crate) fn take_back(text: &SecretString) -> io::Result<()> {
    with_clipboard(|clipboard| match clipboard.get_text() {
        Ok(now) if now == text.expose_secret() => clipboard.clear().map_err(io::Error::other),
        Ok(_) | Err(Error::ContentNotAvailable | Error::ConversionFailure) => Ok(()),
        Err(error) => Err(io::Error::other(error)),
    })
}

fn with_clipboard<T>(work: impl FnOnce(&mut Clipboard) -> io::Result<T>) -> io::Result<T> {
    let mut open = CLIPBOARD.lock().unwrap_or_else(PoisonError::into_inner);
    let clipboard = match open.as_mut() {
        Some(clipboard) => clipboard,
        None => open.insert(Clipboard::new().map_err(io::Error::other)?),
    };
    work(clipboard)
}

fn encode(picture: &ImageData<'_>) -> io::Result<Vec<u8>> {
    let too_large = |_| io::Error::from(io::ErrorKind::InvalidData);
    let width = u32::try_from(picture.width).map_err(too_large)?;
    let height = u32::try_from(picture.height).map_err(too_large)?;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    writer.write_image_data(&picture.bytes).map_err(io::Error::other)?;
    writer.finish().map_err(io::Error::other)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_becomes_a_png_of_its_size() {
        let picture = ImageData { width: 2, height: 1, bytes: vec![255, 0, 0, 255, 0, 0, 255, 128].into() };
        let bytes = encode(&picture).unwrap();
        let mut reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; 8];
        let frame = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((frame.width, frame.height), (2, 1));
        assert_eq!(pixels, picture.bytes.as_ref());
        let short = ImageData { width: 2, height: 2, bytes: vec![0; 4].into() };
        assert!(encode(&short).is_err());
    }
}
