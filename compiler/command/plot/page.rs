//! Curves as a page: `templates/plot.html`.
//!
//! Input: a picture. Output: the text of one HTML file. Method: one panel for each unit; the reader chooses the curves, of which the
//! first few are shown. Guarantee: every extremum of every curve is in the page. Cost: linear in the points.

use super::Picture;
use askama::Template;
use partita::base::page::{Chart, Data, Legend, Page, Panel, file_of, plural};

/// How many curves are shown when the page opens.
const SHOWN: usize = 8;
/// Colours of the style, and kinds of lines.
const COLOURS: usize = 7;
const DASHES: usize = 6;

#[derive(Template)]
#[template(path = "plot.html")]
struct PlotPage {
    page: Page,
    /// How many there are of what.
    said: String,
}

/// The text of a page.
pub(super) fn page(picture: &Picture) -> Result<String, String> {
    let mut data = Data::default();
    let mut units: Vec<&str> = Vec::new();
    for curve in &picture.curves {
        if !units.contains(&curve.unit.as_str()) {
            units.push(&curve.unit);
        }
    }
    let n = picture.curves.len();
    let is_thinned = Data::thins(picture.times.len(), n);
    let grid = if is_thinned { 0 } else { data.grid(&picture.times) };
    let mut chart = Chart { label: picture.title.clone(), ..Chart::default() };
    chart.panels = units.iter().map(|unit| Panel { label: unit.to_string(), height: None }).collect();
    for (number, curve) in picture.curves.iter().enumerate() {
        let panel = units.iter().position(|unit| *unit == curve.unit).unwrap_or(0);
        let key = number.to_string();
        let series = data.curve((&key, panel, &curve.unit), &picture.times, &curve.values, grid, n);
        chart.series.push(series);
        data.legend.push(Legend {
            key,
            name: curve.name.clone(),
            unit: (units.len() > 1).then(|| curve.unit.clone()),
            colour: format!("c{}", number % COLOURS),
            dash: number / COLOURS % DASHES,
            band: false,
            shown: n <= 2 * SHOWN || number < SHOWN,
        });
    }
    // Names of the same unit stand together.
    data.legend.sort_by_key(|item| units.iter().position(|unit| Some(*unit) == item.unit.as_deref()));
    data.charts.push(chart);
    let (signals, points) = (plural(n as u64, "signal"), plural(picture.times.len() as u64, "point"));
    let thinned = if is_thinned { ", thinned so that every extremum stays" } else { "" };
    let said = format!("{signals}, {points}{thinned}.");
    file_of(&PlotPage { page: Page::new(picture.title.clone(), picture.title.clone(), &data), said })
}
