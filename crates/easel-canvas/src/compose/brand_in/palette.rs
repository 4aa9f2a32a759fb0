//! The colours of a logo, and the roles that colours of a brand get by how they look.
//!
//! A logo is flat: its colours are those that fill areas, not their mean. What is between two of them is the smoothed edge
//! of a shape, and the paper that it stands on is none of its colours.

use std::collections::HashMap;

use image::{ImageFormat, RgbaImage};

use crate::brand::BrandColor;
use crate::color::Rgb;

/// Colours nearer to each other than this, in OKLab, are one.
const NEAR: f32 = 0.09;

/// What fills less of a logo than this is the edge of something else.
const LEAST_SHARE: f32 = 0.02;

/// Less chroma than this is grey.
const GREY: f32 = 0.03;

/// Groups of colours that are told apart; what comes after them is rare.
const MOST_GROUPS: usize = 64;

/// A colour and how much of the file it is.
pub type Weighted = (Rgb, f32);

/// The colours of a logo, by its small picture.
pub fn of_logo(png: &[u8]) -> Vec<BrandColor> {
    let Ok(picture) = image::load_from_memory_with_format(png, ImageFormat::Png) else { return Vec::new() };
    let picture = picture.to_rgba8();
    let paper = paper_of(&picture);
    let mut counts: HashMap<Rgb, f32> = HashMap::new();
    let mut all = 0.0;
    for pixel in picture.pixels().filter(|pixel| pixel[3] > 200) {
        let color = Rgb::new(pixel[0], pixel[1], pixel[2]);
        if paper.is_some_and(|paper| distance(paper, color) < NEAR) {
            continue;
        }
        all += 1.0;
        *counts.entry(color).or_default() += 1.0;
    }
    let groups = group(counts);
    give_roles(groups.into_iter().filter(|(_, weight)| *weight >= LEAST_SHARE * all).collect())
}

/// The colour that a picture stands on, where its corners agree and are not clear.
fn paper_of(picture: &RgbaImage) -> Option<Rgb> {
    let (right, bottom) = (picture.width().checked_sub(1)?, picture.height().checked_sub(1)?);
    let corners = [(0, 0), (right, 0), (0, bottom), (right, bottom)].map(|(x, y)| picture.get_pixel(x, y));
    let color = Rgb::new(corners[0][0], corners[0][1], corners[0][2]);
    let is_same =
        corners.iter().all(|pixel| pixel[3] > 200 && distance(color, Rgb::new(pixel[0], pixel[1], pixel[2])) < NEAR);
    is_same.then_some(color)
}

fn distance(one: Rgb, two: Rgb) -> f32 {
    one.oklab().iter().zip(two.oklab()).map(|(one, two)| (one - two).powi(2)).sum::<f32>().sqrt()
}

/// Puts colours that look the same together, each group under the colour that most of it has; the largest group first.
pub fn group(counts: HashMap<Rgb, f32>) -> Vec<Weighted> {
    let mut counts: Vec<Weighted> = counts.into_iter().collect();
    counts.sort_by(|one, two| two.1.total_cmp(&one.1).then(one.0.cmp(&two.0)));
    let mut groups: Vec<Weighted> = Vec::new();
    for (color, weight) in counts {
        match groups.iter().position(|(known, _)| distance(*known, color) < NEAR) {
            Some(at) => groups[at].1 += weight,
            None if groups.len() < MOST_GROUPS => groups.push((color, weight)),
            None => {}
        }
    }
    groups.sort_by(|one, two| two.1.total_cmp(&one.1));
    groups
}

/// Orders colours as a brand has them: what has a hue first, the strongest before what there is more of; then the dark one
/// that words are set in, then the light one that they stand on.
pub fn give_roles(colors: Vec<Weighted>) -> Vec<BrandColor> {
    const ROLES: [&str; 3] = ["primary", "secondary", "accent"];
    let is_grey = |color: Rgb| color.oklch().c < GREY;
    let (greys, mut hues): (Vec<Weighted>, Vec<Weighted>) = colors.into_iter().partition(|(color, _)| is_grey(*color));
    let strength = |(color, weight): &Weighted| color.oklch().c * weight.sqrt();
    hues.sort_by(|one, two| strength(two).total_cmp(&strength(one)));
    let role = |at: usize| ROLES.get(at).copied().unwrap_or_default().to_owned();
    let mut found: Vec<BrandColor> =
        hues.into_iter().take(4).enumerate().map(|(at, (color, _))| BrandColor { role: role(at), color }).collect();
    let of = |role: &str, color: Option<&Weighted>| {
        color.map(|(color, _)| BrandColor { role: role.to_owned(), color: *color })
    };
    // A brand without any hue is black and white.
    found.extend(of(
        if found.is_empty() { "primary" } else { "text" },
        greys.iter().find(|(color, _)| !color.is_light()),
    ));
    found.extend(of("background", greys.iter().find(|(color, _)| color.is_light())));
    found
}
