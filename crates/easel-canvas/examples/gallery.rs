//! Draws the forty designs of the gallery and the open briefs: every page as a PNG, and contact sheets.
//!
//! `cargo xtask gallery` starts it with the folder to draw into. With a part of a name as a second argument only those
//! designs are drawn, as PDF and PPTX too.
#![expect(clippy::print_stdout, reason = "it tells a person in a terminal what it draws")]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use easel_canvas::{FileFormat, RenderRequest, compose, render, thumbnail};
use image::{RgbImage, imageops};

#[path = "../tests/briefs/mod.rs"]
mod briefs;
#[path = "../tests/measure/mod.rs"]
#[expect(dead_code, reason = "only the briefs are wanted here, not what they come to")]
mod measure;

/// A picture on the contact sheet fits into this square.
const CELL: u32 = 420;

const COLUMNS: u32 = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| "target/gallery".into()));
    let only = std::env::args().nth(2);
    fs::create_dir_all(&folder)?;
    let briefs = briefs::all();
    let rows = (briefs.len() as u32).div_ceil(COLUMNS);
    let mut sheet = RgbImage::from_pixel(COLUMNS * CELL, rows * CELL, image::Rgb([236, 236, 238]));
    for (at, named) in briefs.iter().enumerate() {
        if only.as_deref().is_some_and(|only| !named.name.contains(only)) {
            continue;
        }
        let began = Instant::now();
        let design = compose(&named.brief, &mut |_| {})?;
        let composed_ms = began.elapsed().as_millis();
        for page in 1..=design.document.page_count() {
            let request =
                RenderRequest { format: FileFormat::Png, page: Some(page as u32), pixel_ratio: 1, flatten: false };
            let file = render(&design.document, &request)?;
            fs::write(folder.join(format!("{}-{page:02}.png", named.name)), file.bytes)?;
        }
        if only.is_some() {
            for format in [FileFormat::Pdf, FileFormat::Pptx] {
                let file =
                    render(&design.document, &RenderRequest { format, page: None, pixel_ratio: 1, flatten: false })?;
                fs::write(folder.join(format!("{}.{}", named.name, file.extension)), file.bytes)?;
            }
        }
        let small = image::load_from_memory(&thumbnail(&design.document, CELL - 24)?)?.to_rgb8();
        let (column, row) = (at as u32 % COLUMNS, at as u32 / COLUMNS);
        let x = column * CELL + (CELL - small.width()) / 2;
        let y = row * CELL + (CELL - small.height()) / 2;
        imageops::replace(&mut sheet, &small, i64::from(x), i64::from(y));
        let layouts: Vec<&str> = design.document.pages.iter().map(|page| page.layout.as_str()).collect();
        let theme = &design.document.theme;
        println!(
            "{:<16} {:>5} ms  {} / {}  {}",
            named.name,
            composed_ms,
            theme.name,
            theme.fonts.heading.family,
            layouts.join(" ")
        );
        for warning in &design.warnings {
            println!("{:<16} {}", "", warning.message);
        }
    }
    sheet.save(folder.join("contact-sheet.png"))?;
    draw_open(&folder, only.as_deref())?;
    println!("drawn into {}", folder.display());
    Ok(())
}

/// Every page of the open briefs, small, side by side on sheets of their own.
fn draw_open(folder: &Path, only: Option<&str>) -> Result<(), Box<dyn Error>> {
    let mut pictures: Vec<RgbImage> = Vec::new();
    for written in measure::load("open").iter().filter(|written| only.is_none_or(|only| written.name.contains(only))) {
        let design = compose(&written.brief, &mut |_| {})?;
        for page in 1..=design.document.page_count() {
            let request =
                RenderRequest { format: FileFormat::Png, page: Some(page as u32), pixel_ratio: 1, flatten: false };
            let file = render(&design.document, &request)?;
            let picture = image::load_from_memory(&file.bytes)?;
            pictures.push(picture.resize(CELL - 16, CELL - 16, imageops::FilterType::Triangle).to_rgb8());
            fs::write(folder.join(format!("open-{}-{page:02}.png", written.name)), file.bytes)?;
        }
    }
    for (at, shown) in pictures.chunks(24).enumerate() {
        let rows = (shown.len() as u32).div_ceil(6);
        let mut sheet = RgbImage::from_pixel(6 * CELL, rows * CELL, image::Rgb([236, 236, 238]));
        for (at, picture) in shown.iter().enumerate() {
            let (column, row) = (at as u32 % 6, at as u32 / 6);
            let x = column * CELL + (CELL - picture.width()) / 2;
            let y = row * CELL + (CELL - picture.height()) / 2;
            imageops::replace(&mut sheet, picture, i64::from(x), i64::from(y));
        }
        sheet.save(folder.join(format!("open-sheet-{:02}.png", at + 1)))?;
    }
    Ok(())
}
