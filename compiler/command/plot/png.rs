//! Draws a picture as PNG.
//!
//! Input: the text of its SVG. Output: the bytes of the PNG, two pixels for each unit of the SVG, so that it stays sharp on fine screens
//! and on paper. Method: resvg, with DejaVu Sans as the only font, so that the picture is the same on every machine.
//! Guarantee: no file of the machine is read. Cost: linear in the pixels and in the points of the curves.

use super::font;
use resvg::{tiny_skia, usvg};

/// Pixels for each unit.
const SCALE: f32 = 2.0;

/// The bytes of a PNG file.
pub(super) fn draw(svg: &str) -> Result<Vec<u8>, String> {
    let mut options = usvg::Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_font_data(font::file().to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let size = tree.size().to_int_size().scale_by(SCALE).ok_or("it would have no size")?;
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height()).ok_or("it would be too large")?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}
