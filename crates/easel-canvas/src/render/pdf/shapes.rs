//! What is drawn of a page, in its order: shapes and pictures here, words by [`Words`].
//!
//! The page is our own SVG (`render/svg`), so only what that writes has to be known: plain colours, paths, pictures and
//! rounded clips. A drawing that a customer brought may hold anything; it is a picture on the page, and `krilla-svg` draws it.

use krilla::color::{luma, rgb};
use krilla::geom::{Path, PathBuilder, Size, Transform};
use krilla::image::Image;
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, FillRule, LineCap, LineJoin, Paint, Stroke, StrokeDash};
use krilla::surface::Surface;
use krilla_svg::{SurfaceExt, SvgSettings};
use usvg::tiny_skia_path::{self, PathSegment};

use super::words::Words;

/// Draws everything in a group.
pub fn draw(group: &usvg::Group, surface: &mut Surface, words: &mut Words) {
    let mut pushed = 0;
    if !group.transform().is_identity() {
        surface.push_transform(&transform(group.transform()));
        pushed += 1;
    }
    if let Some(clip) = group.clip_path().and_then(clip_of) {
        surface.push_clip_path(&clip, &FillRule::NonZero);
        pushed += 1;
    }
    for node in group.children() {
        match node {
            usvg::Node::Group(inner) => draw(inner, surface, words),
            usvg::Node::Path(path) => draw_path(path, surface),
            usvg::Node::Image(image) => draw_image(image, surface, words.are_shapes()),
            usvg::Node::Text(text) => words.draw(text, surface),
        }
    }
    for _ in 0..pushed {
        surface.pop();
    }
}

/// Draws a path.
pub fn draw_path(path: &usvg::Path, surface: &mut Surface) {
    let fill = path.fill().and_then(fill);
    let stroke = path.stroke().and_then(stroke);
    // A path that has neither would be filled with black.
    if !path.is_visible() || (fill.is_none() && stroke.is_none()) {
        return;
    }
    let mut builder = PathBuilder::new();
    add_segments(path.data(), &mut builder);
    if let Some(path) = builder.finish() {
        surface.set_fill(fill);
        surface.set_stroke(stroke);
        surface.draw_path(&path);
    }
}

fn draw_image(image: &usvg::Image, surface: &mut Surface, flatten: bool) {
    let Some(size) = Size::from_wh(image.size().width(), image.size().height()) else { return };
    // Bytes are shared between pages, and so a picture is in the file once.
    let picture = match image.kind() {
        usvg::ImageKind::JPEG(bytes) => Image::from_jpeg(bytes.clone().into(), false),
        usvg::ImageKind::PNG(bytes) => Image::from_png(bytes.clone().into(), false),
        usvg::ImageKind::GIF(bytes) => Image::from_gif(bytes.clone().into(), false),
        usvg::ImageKind::WEBP(bytes) => Image::from_webp(bytes.clone().into(), false),
        usvg::ImageKind::SVG(tree) => {
            surface.draw_svg(tree, size, SvgSettings { embed_text: !flatten, ..SvgSettings::default() });
            return;
        }
    };
    if let Ok(picture) = picture {
        surface.draw_image(picture, size);
    }
}

/// The outline of a clip.
fn clip_of(clip: &usvg::ClipPath) -> Option<Path> {
    fn add(group: &usvg::Group, to_page: tiny_skia_path::Transform, builder: &mut PathBuilder) {
        for node in group.children() {
            match node {
                usvg::Node::Path(path) => {
                    if let Some(moved) = path.data().clone().transform(to_page) {
                        add_segments(&moved, builder);
                    }
                }
                usvg::Node::Group(inner) => add(inner, to_page.pre_concat(inner.transform()), builder),
                _ => {}
            }
        }
    }
    let mut builder = PathBuilder::new();
    add(clip.root(), clip.transform(), &mut builder);
    builder.finish()
}

fn add_segments(path: &tiny_skia_path::Path, builder: &mut PathBuilder) {
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(to) => builder.move_to(to.x, to.y),
            PathSegment::LineTo(to) => builder.line_to(to.x, to.y),
            PathSegment::QuadTo(by, to) => builder.quad_to(by.x, by.y, to.x, to.y),
            PathSegment::CubicTo(by, and, to) => builder.cubic_to(by.x, by.y, and.x, and.y, to.x, to.y),
            PathSegment::Close => builder.close(),
        }
    }
}

/// A fill for krilla; `None` for what our own drawings never have.
pub fn fill(fill: &usvg::Fill) -> Option<Fill> {
    let rule = match fill.rule() {
        usvg::FillRule::NonZero => FillRule::NonZero,
        usvg::FillRule::EvenOdd => FillRule::EvenOdd,
    };
    Some(Fill { paint: paint(fill.paint())?, opacity: opacity(fill.opacity())?, rule })
}

/// A stroke for krilla; `None` for what our own drawings never have.
pub fn stroke(stroke: &usvg::Stroke) -> Option<Stroke> {
    Some(Stroke {
        paint: paint(stroke.paint())?,
        width: stroke.width().get(),
        miter_limit: stroke.miterlimit().get(),
        line_cap: match stroke.linecap() {
            usvg::LineCap::Butt => LineCap::Butt,
            usvg::LineCap::Round => LineCap::Round,
            usvg::LineCap::Square => LineCap::Square,
        },
        line_join: match stroke.linejoin() {
            usvg::LineJoin::Miter | usvg::LineJoin::MiterClip => LineJoin::Miter,
            usvg::LineJoin::Round => LineJoin::Round,
            usvg::LineJoin::Bevel => LineJoin::Bevel,
        },
        opacity: opacity(stroke.opacity())?,
        dash: stroke.dasharray().map(|array| StrokeDash { array: array.to_vec(), offset: stroke.dashoffset() }),
    })
}

fn paint(paint: &usvg::Paint) -> Option<Paint> {
    match paint {
        usvg::Paint::Color(color) if color.red == color.green && color.green == color.blue => {
            Some(luma::Color::new(color.red).into())
        }
        usvg::Paint::Color(color) => Some(rgb::Color::new(color.red, color.green, color.blue).into()),
        _ => None,
    }
}

fn opacity(opacity: usvg::Opacity) -> Option<NormalizedF32> {
    NormalizedF32::new(opacity.get())
}

/// A transform for krilla.
pub fn transform(of: usvg::Transform) -> Transform {
    Transform::from_row(of.sx, of.ky, of.kx, of.sy, of.tx, of.ty)
}
