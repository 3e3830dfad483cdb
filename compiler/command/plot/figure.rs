//! The layout of a picture: one panel with an axis of its own for each unit, one below the other over the same times.
//!
//! Input: curves. Output: the text of an SVG file, whose form is `templates/figure.svg`.
//! Method: coordinates are pixels from the top left; margins follow from the widths of the words beside them; names above a panel go on in
//! further lines. Curves are thinned to at most four points per half a pixel (first, lowest, highest, last), so that a picture has the same
//! size however many points there are; they are interrupted where a value is not finite, and a point without neighbours is a dot.
//! Guarantee: no word is cut by the border and no curve leaves its panel. Cost: linear in the points.

use super::font::Measure;
use super::{Curve, Picture, part, range, tick_text, ticks, widened};
use askama::Template;
use partita::base::page::{file_of, filters, thin};

/// Colours that also colour-blind people tell apart (Okabe and Ito).
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#222222"];
/// Kinds of lines, when the colours are used up.
const DASHES: [&str; 6] = ["none", "7 3", "2 3", "9 3 2 3", "13 4", "1 2"];
const WIDTH: f64 = 900.0;
const TEXT: f64 = 14.0;
const TITLE: f64 = 17.0;
const LEGEND_LINE: f64 = 22.0;
/// The line of a legend and the room around it.
const KEY: f64 = 26.0;
const BETWEEN: f64 = 20.0;

#[derive(Template)]
#[template(path = "figure.svg")]
struct Figure {
    width: f64,
    height: f64,
    title: String,
    /// Left, right and centre of all panels.
    left: f64,
    right: f64,
    panels: Vec<Panel>,
    times: Vec<Tick>,
    /// Where the numbers below the last panel and the word below them stand.
    below: f64,
}

struct Tick {
    at: f64,
    text: String,
}

struct Panel {
    unit: String,
    top: f64,
    bottom: f64,
    values: Vec<Tick>,
    keys: Vec<Key>,
    lines: Vec<Stroke>,
    dots: Vec<Dot>,
}

/// A name in a legend.
struct Key {
    x: f64,
    y: f64,
    text: String,
    colour: &'static str,
    dash: &'static str,
}

struct Stroke {
    points: String,
    colour: &'static str,
    dash: &'static str,
}

struct Dot {
    x: f64,
    y: f64,
    colour: &'static str,
}

/// The curves of one unit, with the numbers that choose their colours, and the range of their values.
struct Group<'a> {
    unit: &'a str,
    curves: Vec<(usize, &'a Curve)>,
    low: f64,
    high: f64,
}

/// Curves by unit, in the order in which the units come.
fn groups(curves: &[Curve]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (number, curve) in curves.iter().enumerate() {
        match groups.iter_mut().find(|group| group.unit == curve.unit) {
            Some(group) => group.curves.push((number, curve)),
            None => groups.push(Group { unit: &curve.unit, curves: vec![(number, curve)], low: 0.0, high: 1.0 }),
        }
    }
    for group in &mut groups {
        let (low, high) = widened(range(group.curves.iter().flat_map(|(_, curve)| &curve.values)).unwrap_or((0.0, 1.0)));
        let margin = 0.08 * (0.5 * high - 0.5 * low);
        (group.low, group.high) = (low - margin, high + margin);
    }
    groups
}

/// Round numbers of an axis and their texts.
fn marks(low: f64, high: f64, n: usize) -> Vec<(f64, String)> {
    let marks = ticks(low, high, n);
    let step = marks.get(1).map_or(1.0, |second| second - marks[0]);
    marks.into_iter().map(|tick| (tick, tick_text(tick, step, low.abs().max(high.abs())))).collect()
}

/// The height of a panel when there are `n`.
fn panel_height(n: usize) -> f64 {
    match n {
        0 | 1 => 400.0,
        2 => 260.0,
        3 => 210.0,
        _ => 170.0,
    }
}

/// The names of a group from left to right, in as many lines as they need; and the height of these lines.
fn legend(group: &Group<'_>, measure: &Measure<'_>, (left, right): (f64, f64), top: f64) -> (Vec<Key>, f64) {
    let mut keys = Vec::new();
    let (mut x, mut line) = (left, 0.0);
    for (number, curve) in &group.curves {
        let text = measure.shortened(&curve.name, right - left - KEY - 8.0);
        let width = KEY + 6.0 + measure.width(&text);
        if x > left && x + width > right {
            (x, line) = (left, line + 1.0);
        }
        keys.push(Key { x, y: top + LEGEND_LINE * (line + 0.5), text, colour: colour(*number), dash: dash(*number) });
        x += width + BETWEEN;
    }
    (keys, LEGEND_LINE * (line + 1.0) + 4.0)
}

fn colour(number: usize) -> &'static str {
    COLOURS[number % COLOURS.len()]
}

fn dash(number: usize) -> &'static str {
    DASHES[number / COLOURS.len() % DASHES.len()]
}

/// The text of an SVG file.
pub(super) fn svg(picture: &Picture) -> Result<String, String> {
    let measure = Measure::new(TEXT);
    let groups = groups(&picture.curves);
    let height = panel_height(groups.len());
    let (t_low, t_high) = widened(range(&picture.times).unwrap_or((0.0, 1.0)));
    let time_marks = marks(t_low, t_high, 8);
    let n_marks = if groups.len() > 2 { 5 } else { 6 };
    let value_marks: Vec<Vec<(f64, String)>> = groups.iter().map(|group| marks(group.low, group.high, n_marks)).collect();
    let widest = value_marks.iter().flatten().map(|(_, text)| measure.width(text)).fold(0.0, f64::max);
    let left = (widest + 44.0).max(70.0).ceil();
    let right = WIDTH - time_marks.iter().map(|(_, text)| 0.5 * measure.width(text)).fold(16.0, f64::max).ceil() - 4.0;
    let x_of = |t: f64| left + part(t, (t_low, t_high)) * (right - left);
    let mut panels = Vec::new();
    let mut at = 40.0;
    for (group, marks) in groups.iter().zip(value_marks) {
        let (keys, used) = legend(group, &measure, (left, right), at);
        let (top, bottom) = (at + used, at + used + height);
        let y_of = |value: f64| bottom - part(value, (group.low, group.high)) * (bottom - top);
        let values = marks.into_iter().map(|(value, text)| Tick { at: y_of(value), text }).collect();
        let unit = measure.shortened(group.unit, height);
        let mut panel = Panel { unit, top, bottom, values, keys, lines: Vec::new(), dots: Vec::new() };
        for (number, curve) in &group.curves {
            panel.add(*number, &picture.times, &curve.values, &x_of, &y_of);
        }
        panels.push(panel);
        at = bottom + 14.0;
    }
    let below = panels.last().map_or(at, |panel| panel.bottom);
    let times = time_marks.into_iter().map(|(t, text)| Tick { at: x_of(t), text }).collect();
    let title = Measure::new(TITLE).shortened(&picture.title, right - left);
    file_of(&Figure { width: WIDTH, height: below + 50.0, title, left, right, panels, times, below })
}

impl Panel {
    /// Adds the lines of a curve.
    fn add(&mut self, number: usize, times: &[f64], values: &[f64], x_of: &dyn Fn(f64) -> f64, y_of: &dyn Fn(f64) -> f64) {
        let points = times.iter().zip(values).map(|(&t, &value)| (x_of(t), y_of(value)));
        for piece in thin::pieces(points) {
            let piece = thin::thinned(&piece, |point| (2.0 * point.0).floor());
            if let [(x, y)] = piece[..] {
                self.dots.push(Dot { x, y, colour: colour(number) });
                continue;
            }
            let points: Vec<String> = piece.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            self.lines.push(Stroke { points: points.join(" "), colour: colour(number), dash: dash(number) });
        }
    }
}
