//! The layout of a picture: axes, round numbers on them, curves and their names. Coordinates are pixels from the top left.
//!
//! Curves are thinned to at most four points per column of pixels (first, lowest, highest, last), so that a picture has the same
//! size however many points the run has.

use super::{Curve, range, tick_text, ticks, widened};

/// A colour: red, green, blue.
pub(super) type Colour = [u8; 3];

const BLACK: Colour = [40, 40, 40];
const GREY: Colour = [222, 222, 222];
/// Colours that also colour-blind people tell apart (Okabe and Ito).
const COLOURS: [Colour; 7] = [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [230, 159, 0], [86, 180, 233], [0, 0, 0]];

/// Where a text stands relative to its point.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Left,
    Middle,
    Right,
}

/// Something to draw.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// A line through points.
    Line { points: Vec<(f64, f64)>, colour: Colour, width: f64 },
    /// Words; the point is on their base line.
    Text { at: (f64, f64), anchor: Anchor, text: String, colour: Colour },
}

/// A picture.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) items: Vec<Item>,
}

const WIDTH: usize = 900;
const LEFT: f64 = 90.0;
const RIGHT: f64 = 20.0;
const PLOT_HEIGHT: f64 = 400.0;
const LEGEND_LINE: f64 = 22.0;

/// Lays out curves over time.
pub(super) fn of(title: &str, times: &[f64], curves: &[Curve]) -> Scene {
    let mut items = Vec::new();
    let top = 40.0 + LEGEND_LINE * curves.len() as f64;
    let (left, right, bottom) = (LEFT, WIDTH as f64 - RIGHT, top + PLOT_HEIGHT);
    let height = (bottom + 50.0) as usize;
    let (t_low, t_high) = widened(range(times).unwrap_or((0.0, 1.0)));
    let (low, high) = widened(range(curves.iter().flat_map(|curve| &curve.values)).unwrap_or((0.0, 1.0)));
    let margin = 0.04 * (high - low);
    let (low, high) = (low - margin, high + margin);
    let x_of = |t: f64| left + (t - t_low) / (t_high - t_low) * (right - left);
    let y_of = |value: f64| bottom - (value - low) / (high - low) * (bottom - top);
    let text = |at, anchor, text: String, colour| Item::Text { at, anchor, text, colour };
    let line = |points, colour, width| Item::Line { points, colour, width };

    items.push(text((left, 24.0), Anchor::Left, title.to_string(), BLACK));
    let marks = ticks(t_low, t_high, 8);
    let step = marks.get(1).map_or(1.0, |second| second - marks[0]);
    for tick in marks {
        let x = x_of(tick);
        items.push(line(vec![(x, top), (x, bottom)], GREY, 1.0));
        items.push(text((x, bottom + 20.0), Anchor::Middle, tick_text(tick, step), BLACK));
    }
    let marks = ticks(low, high, 6);
    let step = marks.get(1).map_or(1.0, |second| second - marks[0]);
    for tick in marks {
        let y = y_of(tick);
        items.push(line(vec![(left, y), (right, y)], GREY, 1.0));
        items.push(text((left - 8.0, y + 5.0), Anchor::Right, tick_text(tick, step), BLACK));
    }
    items.push(line(vec![(left, top), (left, bottom), (right, bottom), (right, top), (left, top)], BLACK, 1.0));
    items.push(text((0.5 * (left + right), bottom + 40.0), Anchor::Middle, "time [s]".to_string(), BLACK));
    for (number, curve) in curves.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let y = 40.0 + LEGEND_LINE * (number as f64 + 0.5);
        items.push(line(vec![(left, y), (left + 24.0, y)], colour, 2.0));
        items.push(text((left + 32.0, y + 5.0), Anchor::Left, curve.label.clone(), BLACK));
        for piece in pieces(times, &curve.values) {
            let points = piece.iter().map(|&(t, value)| (x_of(t), y_of(value))).collect();
            items.push(line(thinned(points), colour, 1.6));
        }
    }
    Scene { width: WIDTH, height, items }
}

/// The points of a curve, interrupted where it has no finite value.
fn pieces(times: &[f64], values: &[f64]) -> Vec<Vec<(f64, f64)>> {
    let mut pieces = vec![Vec::new()];
    for (&t, &value) in times.iter().zip(values) {
        match pieces.last_mut() {
            Some(piece) if value.is_finite() => piece.push((t, value)),
            Some(piece) if !piece.is_empty() => pieces.push(Vec::new()),
            _ => {}
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// First, lowest, highest and last point of every column of pixels.
fn thinned(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let mut thin: Vec<(f64, f64)> = Vec::new();
    let mut begin = 0;
    while begin < points.len() {
        let column = points[begin].0.floor();
        let end = begin + points[begin..].iter().take_while(|point| point.0.floor() == column).count();
        let part = &points[begin..end];
        let by_height = |a: &usize, b: &usize| part[*a].1.total_cmp(&part[*b].1);
        let lowest = (0..part.len()).min_by(by_height).unwrap_or(0);
        let highest = (0..part.len()).max_by(by_height).unwrap_or(0);
        let mut kept = [0, lowest, highest, part.len() - 1];
        kept.sort_unstable();
        for (i, at) in kept.iter().enumerate() {
            if i == 0 || kept[i - 1] != *at {
                thin.push(part[*at]);
            }
        }
        begin = end;
    }
    thin
}
