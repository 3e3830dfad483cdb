//! The ranking of components as one page: `templates/ranking.html`.
//!
//! Input: a [`Ranking`]. Output: the text of the page: bars, the table with accumulated shares and reasons, powers over time of the
//! components that the reader chooses, the tree by hierarchy. Guarantee: names are escaped; the page loads nothing.
//! Cost: linear in what is shown.

use super::components::paths_above;
use super::rank::{Ranking, Suggestion};
use super::text::short;
use crate::base::page::{Chart, Data, Legend, Page, Panel, file_of, filters};
use askama::Template;

/// Components with a curve and a bar.
const MOST_CURVES: usize = 12;
/// Curves that are shown at first.
const FIRST_CURVES: usize = 4;
/// Rows of the table.
const MOST_ROWS: usize = 300;
/// Colours of the style, in order.
const COLOURS: [&str; 6] = ["c0", "c1", "c2", "c3", "c4", "c5"];

#[derive(Template)]
#[template(path = "ranking.html")]
struct RankingPage<'a> {
    page: Page,
    window: String,
    n: usize,
    decisive: usize,
    balance: String,
    notes: &'a [String],
    bars: Vec<Bar>,
    height: f64,
    rows: Vec<RowText>,
    more: usize,
    tree: Vec<Branch>,
}

struct Bar {
    name: String,
    y: f64,
    width: f64,
    through: f64,
    end: f64,
    share: String,
    tip: String,
}

struct RowText {
    name: String,
    domain: String,
    activity: String,
    share: String,
    accumulated: String,
    through: String,
    rms: String,
    pca: String,
    class: &'static str,
    says: String,
}

struct Branch {
    indent: usize,
    name: String,
    share: String,
}

/// The page of a ranking.
pub fn page(ranking: &Ranking) -> String {
    let title = format!("Which parts of {} matter", ranking.model);
    let rows = &ranking.components;
    let largest = rows.iter().map(|row| row.activity.max(row.through)).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let bars: Vec<Bar> = rows
        .iter()
        .take(2 * MOST_CURVES)
        .enumerate()
        .map(|(at, row)| Bar {
            name: row.name.clone(),
            y: 30.0 + 24.0 * at as f64,
            width: 460.0 * row.activity / largest,
            through: 460.0 * row.through / largest,
            end: 268.0 + 460.0 * row.activity.max(row.through) / largest,
            share: format!("{:.1} %", row.share),
            tip: format!("{}: keeps or loses {} J, {} J pass through", row.name, short(row.activity), short(row.through)),
        })
        .collect();
    let page = RankingPage {
        page: Page::new(title.clone(), title, &curves(ranking)),
        window: format!("{} to {} s", ranking.window.0, ranking.window.1),
        n: rows.len(),
        decisive: rows.iter().take_while(|row| row.accumulated - row.share < 99.0).count(),
        balance: format!("{:.1e}", ranking.balance),
        notes: &ranking.notes,
        height: 40.0 + 24.0 * bars.len() as f64,
        bars,
        rows: rows.iter().take(MOST_ROWS).map(row_text).collect(),
        more: rows.len().saturating_sub(MOST_ROWS),
        tree: tree(ranking),
    };
    // Writing to a string cannot fail.
    file_of(&page).unwrap_or_default()
}

fn row_text(row: &super::rank::Row) -> RowText {
    let (class, says) = match &row.suggestion {
        Suggestion::Remove(why) => ("good", format!("may go: {why}")),
        Suggestion::Keep(why) | Suggestion::Short(why) => ("soft", format!("stays: {why}")),
        Suggestion::Matters => ("", String::new()),
    };
    RowText {
        name: row.name.clone(),
        domain: row.domain.clone(),
        activity: short(row.activity),
        share: format!("{:.2}", row.share),
        accumulated: format!("{:.2}", row.accumulated),
        through: short(row.through),
        rms: short(row.rms),
        pca: format!("{:.2}", row.pca),
        class,
        says,
    }
}

/// Powers over time, means of the intervals.
fn curves(ranking: &Ranking) -> Data {
    let mut data = Data::default();
    let middles: Vec<f64> = ranking.times.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
    let grid = data.grid(&middles);
    let mut chart = Chart {
        label: "power over time".to_string(),
        panels: vec![Panel { label: "power kept [W]".to_string(), height: None }],
        ..Chart::default()
    };
    let n = ranking.components.len().min(MOST_CURVES);
    for (at, (row, works)) in ranking.components.iter().zip(&ranking.works).take(n).enumerate() {
        let power: Vec<f64> = works.iter().zip(ranking.times.windows(2)).map(|(work, pair)| work / (pair[1] - pair[0])).collect();
        chart.series.push(data.curve((&row.name, 0, "W"), &middles, &power, grid, n));
        data.legend.push(Legend {
            key: row.name.clone(),
            name: row.name.clone(),
            unit: None,
            colour: COLOURS[at % COLOURS.len()].to_string(),
            dash: at / COLOURS.len(),
            band: false,
            shown: at < FIRST_CURVES,
        });
    }
    data.charts.push(chart);
    data
}

/// Paths with the shares of all that is below them.
fn tree(ranking: &Ranking) -> Vec<Branch> {
    let mut sums: std::collections::BTreeMap<String, f64> = std::collections::BTreeMap::new();
    for row in &ranking.components {
        let path = row.name.as_str();
        paths_above(path).chain([path]).for_each(|path| *sums.entry(path.to_string()).or_default() += row.share);
    }
    let branch = |(path, share): (String, f64)| Branch {
        indent: path.matches('.').count(),
        name: path.rsplit('.').next().unwrap_or_default().to_string(),
        share: format!("{share:.2}"),
    };
    sums.into_iter().take(MOST_ROWS).map(branch).collect()
}
