//! How alike two pictures are: structural similarity (SSIM), the mean over windows of eight by eight shades of grey.

use image::{GrayImage, Luma};

/// A side of a window, in pixels.
const WINDOW: u32 = 8;

/// Windows begin this far from each other.
const STEP: u32 = 4;

/// The structural similarity of two pictures of one size, 1 where they are the same.
pub fn of(one: &GrayImage, two: &GrayImage) -> f64 {
    assert_eq!(one.dimensions(), two.dimensions(), "pictures of one size");
    let (width, height) = one.dimensions();
    let (mut sum, mut count) = (0.0, 0);
    for top in (0..=height.saturating_sub(WINDOW)).step_by(STEP as usize) {
        for left in (0..=width.saturating_sub(WINDOW)).step_by(STEP as usize) {
            sum += of_window(one, two, left, top);
            count += 1;
        }
    }
    sum / f64::from(count)
}

fn of_window(one: &GrayImage, two: &GrayImage, left: u32, top: u32) -> f64 {
    let (steady_mean, steady_spread) = ((0.01_f64 * 255.0).powi(2), (0.03_f64 * 255.0).powi(2));
    let places = (0..WINDOW * WINDOW).map(|at| (left + at % WINDOW, top + at / WINDOW));
    let pairs: Vec<(f64, f64)> =
        places.map(|(x, y)| (f64::from(one.get_pixel(x, y).0[0]), f64::from(two.get_pixel(x, y).0[0]))).collect();
    let count = pairs.len() as f64;
    let mean_one = pairs.iter().map(|(one, _)| one).sum::<f64>() / count;
    let mean_two = pairs.iter().map(|(_, two)| two).sum::<f64>() / count;
    let (mut spread_one, mut spread_two, mut shared) = (0.0, 0.0, 0.0);
    for (one, two) in pairs {
        spread_one += (one - mean_one).powi(2);
        spread_two += (two - mean_two).powi(2);
        shared += (one - mean_one) * (two - mean_two);
    }
    let (spread_one, spread_two, shared) =
        (spread_one / (count - 1.0), spread_two / (count - 1.0), shared / (count - 1.0));
    ((2.0 * mean_one * mean_two + steady_mean) * (2.0 * shared + steady_spread))
        / ((mean_one.powi(2) + mean_two.powi(2) + steady_mean) * (spread_one + spread_two + steady_spread))
}

/// A picture file in grey at half its size: each pixel is the mean of four.
pub fn at_half_size(bytes: &[u8]) -> GrayImage {
    let picture = open(bytes);
    let (width, height) = picture.dimensions();
    let whole = picture.as_raw();
    let at = |x: u32, y: u32| u32::from(whole[(y.min(height - 1) * width + x.min(width - 1)) as usize]);
    GrayImage::from_fn(width.div_ceil(2), height.div_ceil(2), |x, y| {
        let (x, y) = (x * 2, y * 2);
        Luma([((at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1) + 2) / 4) as u8])
    })
}

/// A picture in grey: what poppler writes (`P5`) is read here, so that no further format has to be built in.
fn open(bytes: &[u8]) -> GrayImage {
    if !bytes.starts_with(b"P5") {
        return image::load_from_memory(bytes).expect("a picture").to_luma8();
    }
    let mut fields = Vec::new();
    let mut at = 2;
    while fields.len() < 3 {
        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        match std::str::from_utf8(&bytes[at..at + digits]).ok().and_then(|digits| digits.parse::<u32>().ok()) {
            Some(field) => fields.push(field),
            None => assert!(bytes[at].is_ascii_whitespace(), "a head of numbers"),
        }
        at += digits.max(1);
    }
    let start = bytes.len() - (fields[0] * fields[1]) as usize;
    GrayImage::from_raw(fields[0], fields[1], bytes[start..].to_vec()).expect("a picture")
}

#[test]
fn tells_the_same_from_what_is_not() {
    let picture = |turn: u32| GrayImage::from_fn(64, 48, |x, y| Luma([((x * 7 + y * 13 + turn * x * y) % 256) as u8]));
    assert!((of(&picture(0), &picture(0)) - 1.0).abs() < 1e-9);
    assert!(of(&picture(0), &picture(3)) < 0.5);
}
