//! The files that tests and the demonstration put into the drive, made anew each time.
//!
//! Always true: the same seed gives the same bytes; a picture is a real PNG, a deck has a ZIP's name but contains
//! noise. No file is ever whole in memory.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Read, Write as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// The three files of the main job.
pub struct Samples {
    /// 20 KB, a picture.
    pub picture: PathBuf,
    /// 90 MB, a deck: too large for one request.
    pub deck: PathBuf,
    /// The bytes of the picture under another name.
    pub same_picture: PathBuf,
}

/// The size of the deck, in bytes.
pub const DECK_BYTES: u64 = 90_000_000;

/// Writes the three files of the main job into a folder.
///
/// # Panics
/// Where the folder cannot be written.
#[must_use]
pub fn write_samples(folder: &Path) -> Samples {
    let samples = Samples {
        picture: folder.join("Harbour at dawn.png"),
        deck: folder.join("Autumn launch.pptx"),
        same_picture: folder.join("Harbour, final.png"),
    };
    write_picture(&samples.picture);
    std::fs::copy(&samples.picture, &samples.same_picture).expect("a copy of the picture");
    write_noise(&samples.deck, DECK_BYTES, 1);
    samples
}

/// Writes a PDF of one page: an offer with a coloured head.
///
/// # Panics
/// Where the file cannot be written.
pub fn write_offer(path: &Path) {
    let mut page = "0.06 0.24 0.32 rg 0 742 595 100 re f 1 1 1 rg BT /F1 30 Tf 48 780 Td (Offer) Tj ET\n".to_owned();
    page.push_str("0.1 0.1 0.12 rg\n");
    for (line, words) in ["Harbour festival, 12 June", "Stage and light, 2 days", "Transport and crew", "Insurance"]
        .into_iter()
        .enumerate()
    {
        let down = 680 - 36 * line;
        let _ = writeln!(page, "BT /F1 16 Tf 48 {down} Td ({words}) Tj ET 48 {} 499 0.6 re f", down - 12);
    }
    std::fs::write(path, pdf("0 0 595 842", &page)).expect("an offer");
}

/// A PDF of one page with this media box and these contents, as other programs write it; `/F1` is Helvetica.
#[must_use]
pub fn pdf(media_box: &str, contents: &str) -> Vec<u8> {
    pdf_of(&[(media_box, contents)])
}

/// A PDF of these pages, each with its media box and contents, as [`pdf`] has one.
#[must_use]
pub fn pdf_of(pages: &[(&str, &str)]) -> Vec<u8> {
    let font = "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";
    let kids: String = (0..pages.len()).map(|page| format!("{} 0 R ", 3 + 2 * page)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.trim_end(), pages.len()),
    ];
    for (media_box, contents) in pages {
        let of = objects.len() + 2;
        let page = format!("/MediaBox [{media_box}] /Contents {of} 0 R /Resources << {font} >>");
        objects.push(format!("<< /Type /Page /Parent 2 0 R {page} >>"));
        objects.push(format!("<< /Length {} >>\nstream\n{contents}\nendstream", contents.len()));
    }
    let mut file = "%PDF-1.4\n".to_owned();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (number, object) in (1..).zip(&objects) {
        let _ = writeln!(table, "{:010} 00000 n ", file.len());
        let _ = write!(file, "{number} 0 obj\n{object}\nendobj\n");
    }
    let (count, start) = (objects.len() + 1, file.len());
    let _ = write!(file, "{table}trailer << /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF");
    file.into_bytes()
}

/// Writes a PNG of about 20 KB: a harbour in the morning, with grain so that it does not compress to nothing.
///
/// # Panics
/// Where the file cannot be written.
pub fn write_picture(path: &Path) {
    const WIDTH: u32 = 96;
    const HEIGHT: u32 = 68;
    let mut grain = Noise::new(7);
    let mut rows = Vec::new();
    for y in 0..HEIGHT {
        rows.push(0); // no filter
        for x in 0..WIDTH {
            let is_water = y > 42;
            let sun = (x.abs_diff(66).pow(2) + y.abs_diff(34).pow(2)) < 90 && !is_water;
            let base = match (sun, is_water) {
                (true, _) => [250, 214, 150],
                (_, true) => [60 + y, 88 + y, 130 + y],
                _ => [230 - y, 170 + y / 2, 170 + y],
            };
            for channel in base {
                let grain = u32::from(grain.next_byte() & 15);
                rows.push(u8::try_from((channel + grain).min(255)).unwrap_or(u8::MAX));
            }
        }
    }
    std::fs::write(path, encode_png(WIDTH, HEIGHT, &rows)).expect("a picture");
}

/// Writes `size_bytes` bytes that do not compress, other ones for every seed.
///
/// # Panics
/// Where the file cannot be written.
pub fn write_noise(path: &Path, size_bytes: u64, seed: u64) {
    let mut file = BufWriter::new(File::create(path).expect("a file"));
    let mut noise = Noise::new(seed);
    let mut left = size_bytes;
    let mut block = [0; 4096];
    while left > 0 {
        block.chunks_exact_mut(8).for_each(|chunk| chunk.copy_from_slice(&noise.draw().to_le_bytes()));
        let count = usize::try_from(left).unwrap_or(usize::MAX).min(block.len());
        file.write_all(&block[..count]).expect("bytes on disk");
        left -= count as u64;
    }
    file.flush().expect("bytes on disk");
}

/// The SHA-256 of a file, in lower-case hex.
///
/// # Panics
/// Where the file cannot be read.
#[must_use]
pub fn hash_file(path: &Path) -> String {
    try_hash_file(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The SHA-256 of a file that may be gone, in lower-case hex.
///
/// # Errors
/// What the system says.
pub fn try_hash_file(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut block = vec![0; 65_536];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(hex(&hasher.finalize())),
            count => hasher.update(&block[..count]),
        }
    }
}

/// The SHA-256 of bytes, in lower-case hex.
#[must_use]
pub fn hash_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Numbers without a pattern (xorshift64*), the same ones for the same seed.
pub struct Noise(u64);

impl Noise {
    /// From a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn next_byte(&mut self) -> u8 {
        self.draw().to_be_bytes()[0]
    }
}

/// A PNG of eight-bit RGB rows (each with its filter byte), its data stored without compression.
fn encode_png(width: u32, height: u32, rows: &[u8]) -> Vec<u8> {
    let mut header = Vec::new();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    header.extend([8, 2, 0, 0, 0]);
    let mut data = vec![0x78, 0x01];
    let blocks = rows.chunks(65_535).collect::<Vec<_>>();
    for (index, block) in blocks.iter().enumerate() {
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        data.push(u8::from(index + 1 == blocks.len()));
        data.extend(length.to_le_bytes());
        data.extend((!length).to_le_bytes());
        data.extend_from_slice(block);
    }
    data.extend(adler32(rows).to_be_bytes());
    let mut png = vec![0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];
    for (kind, body) in [(b"IHDR", header.as_slice()), (b"IDAT", data.as_slice()), (b"IEND", &[])] {
        png.extend(u32::try_from(body.len()).unwrap_or(u32::MAX).to_be_bytes());
        let start = png.len();
        png.extend(kind);
        png.extend(body);
        let checksum = crc32(&png[start..]);
        png.extend(checksum.to_be_bytes());
    }
    png
}

fn adler32(bytes: &[u8]) -> u32 {
    let (low, high) = bytes.iter().fold((1_u32, 0_u32), |(low, high), &byte| {
        let low = (low + u32::from(byte)) % 65_521;
        (low, (high + low) % 65_521)
    });
    high << 16 | low
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |checksum, &byte| {
        (0..8).fold(checksum ^ u32::from(byte), |value, _| value >> 1 ^ (0xedb8_8320 & 0_u32.wrapping_sub(value & 1)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_is_a_png_of_about_twenty_kilobytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("picture.png");
        write_picture(&path);
        let bytes = std::fs::read(path).unwrap();
        assert!((19_000..21_000).contains(&bytes.len()), "{}", bytes.len());
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(adler32(b"Wikipedia"), 0x11e6_0398);
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    }

    #[test]
    fn noise_has_the_size_that_was_asked_for_and_differs_by_seed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for (name, size, seed) in [("a", 10_001, 1), ("b", 10_001, 1), ("c", 10_001, 2)] {
            write_noise(&path(name), size, seed);
            assert_eq!(std::fs::metadata(path(name)).unwrap().len(), size);
        }
        assert_eq!(hash_file(&path("a")), hash_file(&path("b")));
        assert_ne!(hash_file(&path("a")), hash_file(&path("c")));
        assert_eq!(hash_bytes(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
