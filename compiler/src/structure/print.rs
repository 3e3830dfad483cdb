//! Text and pictures of structural results.
//!
//! Input: a result and how equations and unknowns are called. Output: stable text for dumps, tests and messages, and
//! the incidence matrix as SVG. Cost: linear in what is printed.

use std::fmt::Write;

use cranelift_entity::SecondaryMap;

use super::blt::{Block, Blocks};
use super::dulmage_mendelsohn::{Parts, Subsystem};
use super::incidence::{Col, Incidence, Row, Solvability};
use super::matching::Matching;
use super::tearing::Torn;

/// How equations and unknowns are called.
pub struct Names<'a> {
    /// The name of an equation.
    pub row: &'a dyn Fn(Row) -> String,
    /// The name of an unknown.
    pub col: &'a dyn Fn(Col) -> String,
}

impl Names<'static> {
    /// The bare ids: `e3`, `u7`.
    pub fn ids() -> Names<'static> {
        Names { row: &|row| row.to_string(), col: &|col| col.to_string() }
    }
}

impl Names<'_> {
    fn rows(&self, rows: impl IntoIterator<Item = Row>) -> String {
        rows.into_iter().map(|row| (self.row)(row)).collect::<Vec<_>>().join(", ")
    }

    fn cols(&self, cols: impl IntoIterator<Item = Col>) -> String {
        cols.into_iter().map(|col| (self.col)(col)).collect::<Vec<_>>().join(", ")
    }

    fn pair(&self, (row, col): (Row, Col)) -> String {
        format!("{} -> {}", (self.row)(row), (self.col)(col))
    }
}

fn line(text: &mut String, words: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(words);
    text.push('\n');
}

/// "1 equation", "2 equations".
pub fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// The pairs of a matching and what is left over.
pub fn matching(incidence: &Incidence, matching: &Matching, names: &Names<'_>) -> String {
    let mut text = String::new();
    let (n_rows, n_cols) = (incidence.rows.len(), incidence.n_cols);
    let (rows, cols) = (counted(n_rows, "equation"), counted(n_cols, "unknown"));
    line(&mut text, format_args!("matching of {}: {rows}, {cols}", matching.size));
    for pair in matching.pairs() {
        line(&mut text, format_args!("  {}", names.pair(pair)));
    }
    if matching.size < n_rows {
        line(&mut text, format_args!("unmatched equations: {}", names.rows(matching.unmatched_rows(incidence))));
    }
    if matching.size < n_cols {
        line(&mut text, format_args!("unmatched unknowns: {}", names.cols(matching.unmatched_cols(incidence))));
    }
    text
}

/// The over- and under-determined parts of a system.
pub fn parts(parts: &Parts, names: &Names<'_>) -> String {
    let mut text = String::new();
    let mut show = |title: &str, part: &Subsystem| {
        let (rows, cols) = (counted(part.rows.len(), "equation"), counted(part.cols.len(), "unknown"));
        line(&mut text, format_args!("{title}: {rows}, {cols}"));
        line(&mut text, format_args!("  equations: {}", names.rows(part.rows.iter().copied())));
        line(&mut text, format_args!("  unknowns: {}", names.cols(part.cols.iter().copied())));
    };
    parts.over.iter().for_each(|part| show("over-determined", part));
    parts.under.iter().for_each(|part| show("under-determined", part));
    text
}

/// The blocks in evaluation order.
pub fn blocks(blocks: &Blocks, names: &Names<'_>) -> String {
    let mut text = String::new();
    for (at, block) in blocks.blocks.iter().enumerate() {
        match block.len() {
            1 => line(&mut text, format_args!("block {at}: {}", block.pairs().map(|pair| names.pair(pair)).collect::<String>())),
            n => {
                line(&mut text, format_args!("block {at} of {n}:"));
                for pair in block.pairs() {
                    line(&mut text, format_args!("  {}", names.pair(pair)));
                }
            }
        }
    }
    text
}

/// One torn block: what is guessed, what is assigned in which order, which residuals are left.
pub fn torn(at: usize, block: &Block, torn: &Torn, names: &Names<'_>) -> String {
    let mut text = String::new();
    let n_torn = counted(torn.iteration.len(), "tearing unknown");
    line(&mut text, format_args!("block {at} of {}, {n_torn}:", block.len()));
    for &(_, col) in &torn.iteration {
        line(&mut text, format_args!("  guess {}", (names.col)(col)));
    }
    for &pair in &torn.inner {
        line(&mut text, format_args!("  {}", names.pair(pair)));
    }
    for &(row, _) in &torn.iteration {
        line(&mut text, format_args!("  residual {}", (names.row)(row)));
    }
    text
}

/// The greatest number of equations for which the picture names every entry.
const NAMED_UP_TO: usize = 150;

/// How an entry can be solved for, its colour and its meaning.
const COLOURS: [(Solvability, &str, &str); 5] = [
    (Solvability::Safe, "#1b7837", "solvable"),
    (Solvability::Risky, "#e08214", "solvable where the factor is not zero"),
    (Solvability::Nonlinear, "#b2182b", "nonlinear"),
    (Solvability::Assigned, "#2166ac", "assigned"),
    (Solvability::Forbidden, "#999999", "only read"),
];

/// The incidence matrix as it is written and in the order of the blocks, side by side in one SVG picture: entries coloured by how
/// they can be solved for, blocks of more than one equation framed. Equations and unknowns outside all blocks come last.
pub fn incidence_svg(incidence: &Incidence, blocks: &Blocks, names: &Names<'_>) -> String {
    let written = Order { rows: incidence.rows.keys().collect(), cols: incidence.cols().collect() };
    let sorted = Order::of(incidence, blocks);
    let (n_rows, n_cols) = (incidence.rows.len(), incidence.n_cols);
    let pixels = (640 / n_rows.max(n_cols).max(1)).clamp(1, 16);
    let (width, height) = ((n_cols * pixels).max(320), (n_rows * pixels).max(1));
    let (margin, title, legend) = (16, 32, 24);
    let (full_width, full_height) = (3 * margin + 2 * width, title + height + legend + margin);
    let mut text = String::new();
    line(
        &mut text,
        format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{full_width}" height="{full_height}" font-family="sans-serif" font-size="12">"#
        ),
    );
    line(&mut text, format_args!(r##"<rect width="{full_width}" height="{full_height}" fill="#ffffff"/>"##));
    let counts = format!("{}, {}", counted(n_rows, "equation"), counted(n_cols, "unknown"));
    let largest = blocks.blocks.iter().map(Block::len).max().unwrap_or(0);
    let order = format!("{}, the largest of {}", counted(blocks.blocks.len(), "block"), counted(largest, "equation"));
    let panels =
        [(margin, written, None, format!("as written: {counts}")), (2 * margin + width, sorted, Some(blocks), format!("sorted: {order}"))];
    for (x, order, frames, words) in panels {
        line(&mut text, format_args!(r##"<text x="{x}" y="20" fill="#222222">{words}</text>"##));
        let (right, down) = (n_cols * pixels, n_rows * pixels);
        line(
            &mut text,
            format_args!(r#"<svg x="{x}" y="{title}" width="{right}" height="{down}" viewBox="0 0 {} {}">"#, n_cols.max(1), n_rows.max(1)),
        );
        panel(&mut text, incidence, &order, frames, names);
        text.push_str("</svg>\n");
    }
    let mut x = margin;
    for (solvability, colour, words) in COLOURS {
        if incidence.rows.values().flatten().any(|entry| entry.solvability == solvability) {
            let y = title + height + legend;
            line(
                &mut text,
                format_args!(
                    r##"<rect x="{x}" y="{}" width="9" height="9" fill="{colour}"/><text x="{}" y="{y}" fill="#222222">{words}</text>"##,
                    y - 9,
                    x + 14
                ),
            );
            x += 36 + 7 * words.len();
        }
    }
    text.push_str("</svg>\n");
    text
}

/// The order in which a picture shows equations and unknowns.
struct Order {
    rows: Vec<Row>,
    cols: Vec<Col>,
}

impl Order {
    /// Block after block, and what is in no block behind them.
    fn of(incidence: &Incidence, blocks: &Blocks) -> Order {
        let mut rows: Vec<Row> = blocks.blocks.iter().flat_map(|block| block.rows.iter().copied()).collect();
        let mut cols: Vec<Col> = blocks.blocks.iter().flat_map(|block| block.cols.iter().copied()).collect();
        let mut row_placed: SecondaryMap<Row, bool> = SecondaryMap::new();
        let mut col_placed: SecondaryMap<Col, bool> = SecondaryMap::new();
        rows.iter().for_each(|&row| row_placed[row] = true);
        cols.iter().for_each(|&col| col_placed[col] = true);
        rows.extend(incidence.rows.keys().filter(|&row| !row_placed[row]));
        cols.extend(incidence.cols().filter(|&col| !col_placed[col]));
        Order { rows, cols }
    }
}

/// One matrix, a unit per entry.
fn panel(text: &mut String, incidence: &Incidence, order: &Order, frames: Option<&Blocks>, names: &Names<'_>) {
    let (width, height) = (order.cols.len().max(1), order.rows.len().max(1));
    line(text, format_args!(r##"<rect width="{width}" height="{height}" fill="#f7f7f7"/>"##));
    let mut corner = 0;
    for block in frames.iter().flat_map(|blocks| &blocks.blocks) {
        let n = block.len();
        if n > 1 {
            line(
                text,
                format_args!(
                    r##"<rect x="{corner}" y="{corner}" width="{n}" height="{n}" fill="#dce6f5" stroke="#7a93b8" stroke-width="0.08"/>"##
                ),
            );
        }
        corner += n;
    }
    let mut x_of: SecondaryMap<Col, usize> = SecondaryMap::new();
    order.cols.iter().enumerate().for_each(|(x, &col)| x_of[col] = x);
    let named = width.max(height) <= NAMED_UP_TO;
    for (solvability, colour, _) in COLOURS {
        let mut path = String::new();
        let mut titled = String::new();
        for (y, &row) in order.rows.iter().enumerate() {
            for entry in incidence.rows[row].iter().filter(|entry| entry.solvability == solvability) {
                let x = x_of[entry.col];
                if named {
                    let title = escaped(&format!("{} in {}", (names.col)(entry.col), (names.row)(row)));
                    line(&mut titled, format_args!(r#"<path d="M{x}.1 {y}.1h.8v.8h-.8z"><title>{title}</title></path>"#));
                } else {
                    let _ = write!(path, "M{x}.1 {y}.1h.8v.8h-.8z");
                }
            }
        }
        if !path.is_empty() {
            line(text, format_args!(r#"<path fill="{colour}" d="{path}"/>"#));
        }
        if !titled.is_empty() {
            line(text, format_args!("<g fill=\"{colour}\">\n{titled}</g>"));
        }
    }
}

/// Text as it may stand in an SVG element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::super::matching::tests::safe;
    use super::super::matching::{any_entry, by_solvability, maximum_matching};
    use super::super::tearing::{TearingOptions, tear};
    use super::super::{blt, dulmage_mendelsohn};
    use super::*;

    #[test]
    fn dumps_are_readable() {
        let incidence = safe(&[&[0, 1], &[0, 1], &[1, 2]], 3);
        let found = maximum_matching(&incidence, any_entry, by_solvability);
        let sorted = blt::sort(&incidence, &found);
        assert_eq!(blocks(&sorted, &Names::ids()), "block 0 of 2:\n  e0 -> u0\n  e1 -> u1\nblock 1: e2 -> u2\n");
        let names = Names { row: &|row| format!("<{row}>"), col: &|col| format!("x.{col}") };
        let first = &sorted.blocks[0];
        assert_eq!(
            torn(0, first, &tear(&incidence, first, &TearingOptions::default()), &names),
            "block 0 of 2, 1 tearing unknown:\n  guess x.u0\n  <e0> -> x.u1\n  residual <e1>\n"
        );
        let svg = incidence_svg(&incidence, &sorted, &names);
        // Every entry, as written and sorted.
        assert_eq!(svg.matches("<title>").count(), 12);
        assert!(svg.contains("x.u2 in &lt;e2&gt;"));
    }

    #[test]
    fn what_is_left_over_is_named() {
        let incidence = safe(&[&[0], &[0]], 2);
        let found = maximum_matching(&incidence, any_entry, by_solvability);
        assert_eq!(
            matching(&incidence, &found, &Names::ids()),
            "matching of 1: 2 equations, 2 unknowns\n  e0 -> u0\nunmatched equations: e1\nunmatched unknowns: u1\n"
        );
        let text = parts(&dulmage_mendelsohn::decompose(&incidence, any_entry, &found), &Names::ids());
        assert!(text.starts_with("over-determined: 2 equations, 1 unknown\n  equations: e0, e1\n"));
    }
}
