//! Draws a scene as SVG.

use super::scene::{Anchor, Item, Scene};
use std::fmt::Write;

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The text of an SVG file.
pub(super) fn draw(scene: &Scene) -> String {
    let (width, height) = (scene.width, scene.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for item in &scene.items {
        // Writing to a string cannot fail.
        let _ = match item {
            Item::Line { points, colour: [r, g, b], width } => {
                let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
                writeln!(
                    out,
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"#{r:02x}{g:02x}{b:02x}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"/>",
                    points.join(" ")
                )
            }
            Item::Text { at: (x, y), anchor, text, colour: [r, g, b] } => {
                let anchor = match anchor {
                    Anchor::Left => "start",
                    Anchor::Middle => "middle",
                    Anchor::Right => "end",
                };
                writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"#{r:02x}{g:02x}{b:02x}\">{}</text>", escaped(text))
            }
        };
    }
    out.push_str("</svg>\n");
    out
}
