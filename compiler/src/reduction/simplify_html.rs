//! The table of techniques as one page: `templates/simplification.html`.
//!
//! Input: a [`Simplification`]. Output: the text of the page: the table, and the outputs of the model as it is against those of every row.
//! Guarantee: names are escaped; the page loads nothing. Cost: linear in what is shown.

use super::simplify::{Row, Simplification};
use crate::base::page::{Chart, Data, Legend, Page, Panel, file_of, filters};
use askama::Template;

/// Colours of the style, in order.
const COLOURS: [&str; 6] = ["c0", "c1", "c2", "c3", "c4", "c5"];

#[derive(Template)]
#[template(path = "simplification.html")]
struct SimplificationPage {
    page: Page,
    span: String,
    states: usize,
    equations: usize,
    asked: f64,
    rows: Vec<RowText>,
    charts: Vec<(usize, String)>,
}

struct RowText {
    number: usize,
    technique: &'static str,
    change: String,
    states: usize,
    equations: usize,
    error: String,
    speed: String,
    valid: &'static str,
    class: &'static str,
    refused: String,
}

/// The page of a simplification.
pub fn page(found: &Simplification) -> String {
    let title = format!("Simpler models of {}", found.model);
    let page = SimplificationPage {
        page: Page::new(title.clone(), title, &curves(found)),
        span: format!("{} to {} s", found.span.0, found.span.1),
        states: found.before.states,
        equations: found.before.equations,
        asked: 100.0 * found.asked,
        rows: found.rows.iter().enumerate().map(|(at, row)| row_text(at + 1, row)).collect(),
        charts: found.outputs.iter().cloned().enumerate().collect(),
    };
    // Writing to a string cannot fail.
    file_of(&page).unwrap_or_default()
}

fn row_text(number: usize, row: &Row) -> RowText {
    RowText {
        number,
        technique: row.technique.word(),
        change: row.change.clone(),
        states: row.states,
        equations: row.equations,
        error: row.error.map_or_else(String::new, |error| format!("{:.4}", 100.0 * error)),
        speed: row.speed.map_or_else(String::new, |speed| format!("{speed:.1}")),
        valid: if row.general { "all runs" } else { "this run only" },
        class: if row.too_far { "bad" } else { "good" },
        refused: row.refused.clone().unwrap_or_default(),
    }
}

/// One chart for each output.
fn curves(found: &Simplification) -> Data {
    let mut data = Data::default();
    let (times, reference) = &found.reference;
    let grid = data.grid(times);
    let shown: Vec<(usize, &Row)> = found.rows.iter().enumerate().filter(|(_, row)| !row.courses.is_empty()).collect();
    let n = shown.len() + 1;
    for (output, name) in found.outputs.iter().enumerate() {
        let panels = vec![Panel { label: name.clone(), height: None }];
        let mut chart = Chart { label: name.clone(), panels, ..Chart::default() };
        chart.series.push(data.curve(("as it is", 0, ""), times, &reference[output], grid, n));
        for (_, row) in &shown {
            chart.series.push(data.curve((row.technique.word(), 0, ""), times, &row.courses[output], grid, n));
        }
        data.charts.push(chart);
    }
    let words = std::iter::once("as it is").chain(shown.iter().map(|(_, row)| row.technique.word()));
    for (at, word) in words.enumerate() {
        let (key, colour) = (word.to_string(), COLOURS[at % COLOURS.len()].to_string());
        data.legend.push(Legend { name: key.clone(), key, unit: None, colour, dash: usize::from(at > 0), band: false, shown: true });
    }
    data
}
