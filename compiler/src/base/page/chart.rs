//! Curves of a page as data.
//!
//! Input: times and values. Output: JSON for `templates/page.js`. Method: curves with the same times share them; long ones are thinned to
//! the extrema of columns of time, as many as a reader can look closer at; numbers have nine digits (borders of areas six), times twelve;
//! what is not finite is null. Guarantee: no extremum is lost; the JSON holds no `<`, so that no name can end the script it stands in.
//! Cost: linear in the points.

use super::thin;
use serde::Serialize;

/// Columns of time of a long curve that is alone on its page; four points each.
const MOST_COLUMNS: usize = 5000;
/// Columns of all curves of a page together.
const ALL_COLUMNS: usize = 100_000;

/// All curves of a page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Data {
    /// Times that curves share.
    grids: Vec<Vec<Option<f64>>>,
    /// What the reader can show and hide.
    pub legend: Vec<Legend>,
    /// The charts, by number.
    pub charts: Vec<Chart>,
}

/// A name that is shown or hidden, in all charts.
#[derive(Clone, Debug, Serialize)]
pub struct Legend {
    /// What its series say.
    pub key: String,
    /// What the reader sees.
    pub name: String,
    /// The unit under which it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The name of a colour of the style.
    pub colour: String,
    /// The number of a kind of line.
    pub dash: usize,
    /// An area, not a line.
    pub band: bool,
    /// Shown at first.
    pub shown: bool,
}

/// Panels over the same times.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Chart {
    /// For those who do not see it.
    pub label: String,
    /// From top to bottom.
    pub panels: Vec<Panel>,
    /// Curves and areas.
    pub series: Vec<Series>,
    /// Points worth looking at.
    pub marks: Vec<Mark>,
    /// A part that a button shows.
    pub detail: Option<Detail>,
}

/// One axis of values.
#[derive(Clone, Debug, Serialize)]
pub struct Panel {
    /// Beside the axis.
    pub label: String,
    /// In pixels, if not the usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
}

/// A curve, or an area between two.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    key: String,
    panel: usize,
    grid: usize,
    unit: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    y: Option<Vec<Option<f64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<Vec<Option<f64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<Vec<Option<f64>>>,
}

/// A circle around a point.
#[derive(Clone, Debug, Serialize)]
pub struct Mark {
    /// The number of its panel.
    pub panel: usize,
    /// Its time.
    pub t: f64,
    /// Its value.
    pub y: f64,
    /// What is to be said of it.
    pub text: String,
}

/// A part of the times.
#[derive(Clone, Debug, Serialize)]
pub struct Detail {
    /// The word on its button.
    pub text: String,
    /// From when to when.
    pub x: (f64, f64),
}

/// A number with so many digits behind the first; none if it is not finite.
fn rounded(value: f64, digits: usize) -> Option<f64> {
    if value.fract() == 0.0 && value.abs() < 1e9 {
        return Some(value);
    }
    value.is_finite().then(|| format!("{value:.digits$e}").parse().unwrap_or(value))
}

fn values(values: impl IntoIterator<Item = f64>, digits: usize) -> Vec<Option<f64>> {
    values.into_iter().map(|value| rounded(value, digits)).collect()
}

/// How many columns each of `n` long curves gets.
fn columns(n: usize) -> usize {
    (ALL_COLUMNS / n.max(1)).clamp(100, MOST_COLUMNS)
}

impl Data {
    /// Notes times that curves share.
    pub fn grid(&mut self, times: &[f64]) -> usize {
        // Times without end stay behind all others; the script shows no such.
        self.grids.push(times.iter().map(|t| rounded(t.clamp(-f64::MAX, f64::MAX), 11)).collect());
        self.grids.len() - 1
    }

    /// Whether curves with so many points are thinned when there are `n` of them.
    pub fn thins(n_points: usize, n: usize) -> bool {
        // A curve with times of its own takes twice the room of one that shares them.
        n_points > 8 * columns(n)
    }

    /// A curve of a chart with `n` curves; `grid` is that of its times, if it is not too long for it.
    pub fn curve(&mut self, place: (&str, usize, &str), times: &[f64], y: &[f64], grid: usize, n: usize) -> Series {
        let (key, panel, unit) = place;
        let series = |grid, y| Series { key: key.to_string(), panel, grid, unit: unit.to_string(), y: Some(y), low: None, high: None };
        if !Data::thins(times.len(), n) {
            let shown = times.iter().zip(y).map(|(t, y)| if t.is_finite() { *y } else { f64::NAN });
            return series(grid, values(shown, 8));
        }
        let mut ends = times.iter().copied().filter(|t| t.is_finite());
        let first = ends.next().unwrap_or(0.0);
        let last = ends.next_back().unwrap_or(first);
        let scale = columns(n) as f64 / (last - first);
        let mut thin: Vec<(f64, f64)> = Vec::new();
        for piece in thin::pieces(times.iter().copied().zip(y.iter().copied())) {
            if let Some(end) = thin.last().map(|point| point.0) {
                thin.push((end, f64::NAN));
            }
            thin.extend(thin::thinned(&piece, |point| ((point.0 - first) * scale).floor()));
        }
        let (times, y): (Vec<f64>, Vec<f64>) = thin.into_iter().unzip();
        let grid = self.grid(&times);
        series(grid, values(y, 8))
    }

    /// An area between two curves at the times of a grid.
    pub fn band(place: (&str, usize, &str), grid: usize, low: Vec<f64>, high: Vec<f64>) -> Series {
        let (key, panel, unit) = place;
        let (low, high) = (Some(values(low, 5)), Some(values(high, 5)));
        Series { key: key.to_string(), panel, grid, unit: unit.to_string(), y: None, low, high }
    }

    /// For the script of the page.
    pub(super) fn json(&self) -> String {
        // What is not finite was made null before, so that there is nothing JSON lacks.
        serde_json::to_string(self).unwrap_or_default().replace('<', "\\u003c")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_its_script_and_has_no_number_that_json_lacks() {
        let mut data = Data::default();
        let grid = data.grid(&[0.0, 0.1 + 0.2]);
        let series = data.curve(("</script>", 0, "m"), &[0.0, 0.3], &[f64::NAN, 1.0 / 3.0], grid, 1);
        data.charts.push(Chart { series: vec![series], ..Chart::default() });
        let json = data.json();
        assert!(!json.contains('<') && json.contains("[null,0.333333333]") && json.contains("[0.0,0.3]"), "{json}");
        assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
    }

    #[test]
    fn gaps_of_long_curves_stay() {
        let times: Vec<f64> = (0..100_000).map(f64::from).collect();
        let y: Vec<f64> = times.iter().map(|t| if (40_000.0..50_000.0).contains(t) { f64::NAN } else { 1.0 }).collect();
        let series = Data::default().curve(("x", 0, ""), &times, &y, 0, 1);
        let y = series.y.unwrap();
        assert!(y.len() < 20_000 && y.iter().filter(|value| value.is_none()).count() == 1);
    }
}
