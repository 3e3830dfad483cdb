//! Draws a curve as text.
//!
//! Input: a name, times and values. Output: lines of a terminal. Method: every Braille character is a field of two by four dots; a line is
//! interrupted where a value is not finite. Guarantee: none of the lines is wider than the field and its numbers. Cost: linear in the
//! points, times the dots between two of them.

use super::{part, range, tick_text, widened};

/// Characters of the field.
const COLUMNS: usize = 64;
const ROWS: usize = 12;

/// Bits of the dots of a Braille character, by row and column.
const DOTS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// The lines of a plot of one signal.
pub(super) fn draw(label: &str, times: &[f64], values: &[f64]) -> String {
    let (t_low, t_high) = widened(range(times).unwrap_or((0.0, 1.0)));
    let (low, high) = widened(range(values).unwrap_or((0.0, 1.0)));
    let (width, height) = (2 * COLUMNS, 4 * ROWS);
    let mut cells = vec![0u32; COLUMNS * ROWS];
    let mut dot = |x: usize, y: usize| cells[y / 4 * COLUMNS + x / 2] |= DOTS[y % 4][x % 2];
    let x_of = |t: f64| (part(t, (t_low, t_high)) * (width - 1) as f64).round() as usize;
    let y_of = |value: f64| ((1.0 - part(value, (low, high))) * (height - 1) as f64).round() as usize;
    let mut last: Option<(usize, usize)> = None;
    for (&t, &value) in times.iter().zip(values) {
        if !value.is_finite() {
            last = None;
            continue;
        }
        let (x, y) = (x_of(t).min(width - 1), y_of(value).min(height - 1));
        let (from_x, from_y) = last.unwrap_or((x, y));
        // Dots along the line from the point before.
        let n = from_x.abs_diff(x).max(from_y.abs_diff(y)).max(1);
        for k in 0..=n {
            let between = |a: usize, b: usize| (a as f64 + (b as f64 - a as f64) * k as f64 / n as f64).round() as usize;
            dot(between(from_x, x), between(from_y, y));
        }
        last = Some((x, y));
    }
    let step = high / 100.0 - low / 100.0;
    let text_of = |value: f64, step: f64, ends: (f64, f64)| tick_text(value, step, ends.0.abs().max(ends.1.abs()));
    let names = [(0, text_of(high, step, (low, high))), (ROWS - 1, text_of(low, step, (low, high)))];
    let indent = names.iter().map(|(_, name)| name.chars().count()).max().unwrap_or(0);
    let mut text = format!("{:indent$} {label}\n", "");
    for row in 0..ROWS {
        let name = names.iter().find(|(at, _)| *at == row).map_or("", |(_, name)| name.as_str());
        let cells = &cells[row * COLUMNS..(row + 1) * COLUMNS];
        let line: String = cells.iter().map(|dots| char::from_u32(0x2800 + dots).unwrap_or(' ')).collect();
        text.push_str(&format!("{name:>indent$} ┤{line}\n"));
    }
    let step = t_high / 100.0 - t_low / 100.0;
    let (first, last) = (text_of(t_low, step, (t_low, t_high)), text_of(t_high, step, (t_low, t_high)));
    text.push_str(&format!("{:indent$} └{}\n", "", "─".repeat(COLUMNS)));
    let gap = COLUMNS.saturating_sub(first.chars().count() + last.chars().count());
    text.push_str(&format!("{:indent$}  {first}{:gap$}{last} time [s]\n", "", ""));
    text
}
