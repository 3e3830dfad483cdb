//! The pictures of the page of an analysis: time scales, separability over alpha, who influences whom.
//!
//! Input: a [`Report`]. Output: coordinates for `templates/analysis.html`, which draws them as SVG; the tips are what a reader sees under
//! the pointer. Method: a picture is 800 wide. Large models are summarised: chart and map show groups of states.
//! Guarantee: coordinates are finite. Cost: O(states + influences) up to the limits below.

use super::indices::tied;
use super::report::{Report, maybe, number};
use std::ops::Range;

/// Rows of the chart of time scales.
pub(super) const MOST_ROWS: usize = 60;
/// States of the dependency graph.
const MOST_NODES: usize = 100;
/// States of a graph that shows all critical cycles.
const MOST_CYCLES: usize = 16;
/// Columns of the separability map.
const MOST_COLUMNS: usize = 120;
/// Longest names in the graph.
const LONGEST: usize = 14;

/// Colours of clusters from fast to slow, by their names in the style.
pub(super) const COLOURS: [&str; 6] = ["c1", "c0", "c2", "c3", "c4", "c5"];

/// The colour of a cluster.
pub(super) fn colour(cluster: usize) -> &'static str {
    COLOURS[cluster % COLOURS.len()]
}

/// A text and where it stands.
pub(super) struct Word {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) text: String,
}

/// The chart of time scales.
pub(super) struct Scales {
    pub(super) height: f64,
    pub(super) top: f64,
    pub(super) left: f64,
    pub(super) ticks: Vec<Word>,
    pub(super) has_infinite: bool,
    pub(super) rows: Vec<Row>,
    pub(super) hidden: Option<Word>,
    pub(super) cuts: Vec<CutLine>,
}

/// States with the same time scale.
pub(super) struct Row {
    pub(super) y: f64,
    pub(super) label: String,
    /// From the lower to the upper bound.
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) is_line: bool,
    pub(super) colour: &'static str,
    pub(super) cluster: usize,
    pub(super) tip: String,
}

pub(super) struct CutLine {
    pub(super) x: f64,
    pub(super) name_y: f64,
    pub(super) width: f64,
    pub(super) dash: &'static str,
    pub(super) after: usize,
    pub(super) tip: String,
}

/// The cluster of each state, by position.
pub(super) fn cluster_of(report: &Report) -> Vec<usize> {
    let mut result = vec![0; report.analysis.names.len()];
    for (number, cluster) in report.analysis.clusters().iter().enumerate() {
        cluster.iter().for_each(|&state| result[state] = number);
    }
    result
}

/// Runs of states with the same bound, as places in the order.
pub(super) fn groups(report: &Report) -> Vec<Range<usize>> {
    let analysis = &report.analysis;
    let bound = |place: usize| &analysis.bounds[analysis.order[place]];
    let same = |a: usize, b: usize| tied(bound(a).h_lower, bound(b).h_lower) && tied(bound(a).h_upper, bound(b).h_upper);
    let mut result = Vec::new();
    let mut begin = 0;
    for place in 1..=analysis.order.len() {
        if place == analysis.order.len() || !same(place - 1, place) {
            result.push(begin..place);
            begin = place;
        }
    }
    result
}

/// A text of at most `most` characters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() > most { format!("{}\u{2026}", text.chars().take(most - 1).collect::<String>()) } else { text.to_string() }
}

/// The states of a group: one, two, or the first and the last.
pub(super) fn group_label(report: &Report, group: &Range<usize>) -> String {
    let name = |place: usize| report.analysis.names[report.analysis.order[place]].as_str();
    match group.len() {
        1 => name(group.start).to_string(),
        2 => format!("{}, {}", name(group.start), name(group.start + 1)),
        n => format!("{} \u{2026} {} ({n})", name(group.start), name(group.end - 1)),
    }
}

/// The step of a state in words.
pub(super) fn step_text(report: &Report, state: usize) -> String {
    let bound = &report.analysis.bounds[state];
    match (bound.h_lower.is_infinite(), bound.exact) {
        (true, _) => "no limit".to_string(),
        (false, true) => number(bound.h_lower),
        (false, false) => format!("{} to {}", number(bound.h_lower), number(bound.h_upper)),
    }
}

/// Round numbers of a logarithmic axis: decades, and twos and fives where there is room.
fn decades(low: f64, high: f64) -> Vec<f64> {
    let span = high - low;
    let exponents = (low.floor() as i32..=high.ceil() as i32).filter(|exponent| exponent % 2 == 0 || span <= 14.0);
    let digits: &[f64] = if span > 2.5 { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let values = exponents.flat_map(|exponent| digits.iter().map(move |digit| digit * 10f64.powi(exponent)));
    values.filter(|value| (low..=high).contains(&value.log10())).collect()
}

/// The chart of time scales; none if no state is on a cycle that limits its step.
pub(super) fn scales(report: &Report) -> Option<Scales> {
    let analysis = &report.analysis;
    let all = groups(report);
    let shown: Vec<&Range<usize>> = match all.len() {
        ..=MOST_ROWS => all.iter().collect(),
        n => all[..MOST_ROWS / 2].iter().chain(&all[n - MOST_ROWS / 2..]).collect(),
    };
    let finite = || analysis.bounds.iter().flat_map(|bound| [bound.h_lower, bound.h_upper]).filter(|h| h.is_finite() && *h > 0.0);
    let low = finite().fold(f64::INFINITY, f64::min).log10();
    let high = finite().fold(f64::NEG_INFINITY, f64::max).log10();
    if !low.is_finite() || !high.is_finite() {
        return None;
    }
    let (low, high) = ((low - 0.15).min(high - 0.5), high + 0.15);
    let has_infinite = analysis.bounds.iter().any(|bound| bound.h_upper.is_infinite());
    let (left, right, top, row_height) = (230.0, if has_infinite { 700.0 } else { 760.0 }, 62.0, 18.0);
    let height = top + row_height * shown.len() as f64 + 12.0;
    let x = |h: f64| if h.is_finite() { left + (right - left) * (h.max(1e-300).log10() - low) / (high - low) } else { 750.0 };
    let clusters = cluster_of(report);
    let row = |(at, group): (usize, &&Range<usize>)| {
        let state = analysis.order[group.start];
        let bound = &analysis.bounds[state];
        let (from, to) = (x(bound.h_lower), x(bound.h_upper));
        let (cluster, label) = (clusters[state], group_label(report, group));
        let tip = format!("{label}: {}; {}", step_text(report, state), report.cycle_text(&bound.witness));
        let y = top + row_height * (at as f64 + 0.5);
        Row { y, label: cut(&label, 30), from, to, is_line: to - from > 1.0, colour: colour(cluster), cluster, tip }
    };
    let rows: Vec<Row> = shown.iter().enumerate().map(row).collect();
    let hidden = all.len() - shown.len();
    let y = top + row_height * (MOST_ROWS as f64 / 2.0) + 4.0;
    let hidden = (hidden > 0).then(|| Word { x: left, y, text: format!("\u{2026} {hidden} groups are not shown \u{2026}") });
    let ticks = decades(low, high).into_iter().map(|value| Word { x: x(value), y: top - 12.0, text: number(value) }).collect();
    Some(Scales { height, top, left, ticks, has_infinite, rows, hidden, cuts: cut_lines(report, x) })
}

/// The lines of the first cuts; names that would meet stand above each other.
fn cut_lines(report: &Report, x: impl Fn(f64) -> f64) -> Vec<CutLine> {
    let mut lines: Vec<CutLine> = Vec::new();
    for cut in report.analysis.cuts.iter().take(3) {
        let middle = (x(cut.threshold) + x(cut.threshold / cut.ratio)) / 2.0;
        let name_y = if lines.iter().any(|line| (line.x - middle).abs() < 48.0) { 16.0 } else { 30.0 };
        let (dash, width) = if lines.is_empty() { ("6 3", 2.0) } else { ("2 4", 1.2) };
        let tip = format!("{} fast, {} slow states; step {} s", cut.after, report.analysis.names.len() - cut.after, number(cut.step()));
        lines.push(CutLine { x: middle, name_y, width, dash, after: cut.after, tip });
    }
    lines
}

/// The separability map: one row per alpha, one column per gap.
#[derive(Default)]
pub(super) struct Map {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
    pub(super) width: f64,
    pub(super) cells: Vec<Cell>,
    /// Centres of the largest gap of each row.
    pub(super) dots: Vec<(f64, f64)>,
    pub(super) alphas: Vec<Word>,
    pub(super) gaps: Vec<Word>,
    /// What the indices do from the first to the last alpha.
    pub(super) said: String,
}

pub(super) struct Cell {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    /// From none to full: the root of the term, so that small ones are seen.
    pub(super) shade: f64,
    pub(super) tip: String,
}

/// The map, or why there is none.
pub(super) fn map(report: &Report) -> Result<Map, &'static str> {
    let rows: Option<Vec<_>> = (1..=20).map(|k| report.analysis.at_alpha(f64::from(k) / 20.0)).collect();
    let rows = rows.ok_or("There are too many cycles to follow all bounds over alpha.")?;
    let gaps = rows.iter().map(|row| row.indices.terms.len()).max().unwrap_or(0);
    if gaps == 0 {
        return Err("There is no gap between time scales.");
    }
    let columns = gaps.min(MOST_COLUMNS);
    let column_of = |gap: usize| gap * columns / gaps;
    let gap_of = |column: usize| (column * gaps).div_ceil(columns) + 1;
    let (left, top, width, height) = (60.0, 12.0, 700.0, 15.0);
    let dx = width / columns as f64;
    let bottom = top + 20.0 * height;
    let mut map = Map { left, top, bottom, width, ..Map::default() };
    for (k, row) in rows.iter().enumerate() {
        let y = top + (19 - k) as f64 * height;
        let mut terms = vec![0.0f64; columns];
        for (gap, &term) in row.indices.terms.iter().enumerate() {
            terms[column_of(gap)] = terms[column_of(gap)].max(term);
        }
        for (column, &term) in terms.iter().enumerate() {
            let tip = format!("alpha {}, {} fast: {}", number(row.alpha), gap_of(column), number((1e4 * term).round() / 1e4));
            let shade = term.clamp(0.0, 1.0).sqrt();
            map.cells.push(Cell { x: left + dx * column as f64, y, width: dx, height, shade, tip });
        }
        if let Some(cut) = row.indices.cuts.first() {
            map.dots.push((left + dx * (column_of(cut.after - 1) as f64 + 0.5), y + height / 2.0));
        }
        if k % 4 == 3 || k == 0 {
            map.alphas.push(Word { x: left - 6.0, y: y + height / 2.0 + 4.0, text: number(row.alpha) });
        }
    }
    let every = (columns / 20).max(1);
    let word = |column: usize| Word { x: left + dx * (column as f64 + 0.5), y: bottom + 16.0, text: gap_of(column).to_string() };
    map.gaps = (0..columns).step_by(every).map(word).collect();
    if let (Some(a), Some(b)) = (rows.first(), rows.last()) {
        let [from, to] = [number(a.alpha), number(b.alpha)];
        let [sigma_a, sigma_b] = [a, b].map(|row| maybe(row.indices.stiffness_index));
        let [s_a, s_b] = [a, b].map(|row| maybe(row.indices.separability_index));
        let indices = format!("the stiffness index goes from {sigma_a} to {sigma_b}, the separability index from {s_a} to {s_b}");
        map.said = format!("From alpha = {from} to {to} {indices}.");
    }
    Ok(map)
}

/// The graph of influences.
pub(super) struct Graph {
    pub(super) height: f64,
    pub(super) font: u32,
    pub(super) influences: Vec<Edge>,
    pub(super) critical: Vec<Edge>,
    pub(super) nodes: Vec<Node>,
}

pub(super) struct Edge {
    pub(super) path: String,
    pub(super) colour: &'static str,
    pub(super) cluster: usize,
    pub(super) tip: String,
}

pub(super) struct Node {
    pub(super) x: f64,
    pub(super) y: f64,
    /// The name is turned away from the centre.
    pub(super) turn: f64,
    pub(super) anchor: &'static str,
    pub(super) away: f64,
    pub(super) name: String,
    pub(super) colour: &'static str,
    pub(super) cluster: usize,
    pub(super) limits_itself: bool,
    pub(super) tip: String,
}

/// The centre and the radius of the circle of states.
const CENTRE: f64 = 400.0;
const RADIUS: f64 = 230.0;

/// Where each state stands: on a circle in the order of time scales, the fastest on top, with room between clusters.
fn places(report: &Report, clusters: &[usize], cy: f64) -> Vec<(f64, f64, f64)> {
    let analysis = &report.analysis;
    let n = analysis.names.len();
    let slots = (n + analysis.clusters().len()) as f64;
    let mut place = vec![(0.0, 0.0, 0.0); n];
    let mut slot = 0.5;
    let mut before = None;
    for &state in &analysis.order {
        if before.is_some_and(|cluster| cluster != clusters[state]) {
            slot += 1.0;
        }
        before = Some(clusters[state]);
        let angle = std::f64::consts::TAU * slot / slots - std::f64::consts::FRAC_PI_2;
        place[state] = (CENTRE + RADIUS * angle.cos(), cy + RADIUS * angle.sin(), angle);
        slot += 1.0;
    }
    place
}

/// The edges of critical cycles: of all of a small model; of a larger one of the cycle that limits each cluster most, lest nothing can be
/// seen.
fn critical_edges(report: &Report) -> Vec<(usize, usize)> {
    let analysis = &report.analysis;
    let n = analysis.names.len();
    let is_shown = |state: &usize| analysis.bounds[*state].witness.len() > 1;
    let shown: Vec<usize> = match n {
        ..=MOST_CYCLES => (0..n).filter(is_shown).collect(),
        _ => analysis.clusters().iter().filter_map(|cluster| cluster.iter().copied().find(is_shown)).collect(),
    };
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for state in shown {
        let cycle = &analysis.bounds[state].witness;
        edges.extend((0..cycle.len()).map(|k| (cycle[k], cycle[(k + 1) % cycle.len()])));
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// The curve of an influence: towards the centre and a little to the side, so that both directions of a pair can be told apart.
fn curve((x0, y0, _): (f64, f64, f64), (x1, y1, _): (f64, f64, f64), cy: f64) -> String {
    let (mx, my) = ((x0 + x1) / 2.0, (y0 + y1) / 2.0);
    let side = 0.12;
    let (qx, qy) = (mx + (CENTRE - mx) * 0.45 - (y1 - y0) * side, my + (cy - my) * 0.45 + (x1 - x0) * side);
    let shorten = |ax: f64, ay: f64, bx: f64, by: f64, by_length: f64| {
        let length = (bx - ax).hypot(by - ay).max(1e-9);
        (bx - (bx - ax) * by_length / length, by - (by - ay) * by_length / length)
    };
    let (ex, ey) = shorten(qx, qy, x1, y1, 9.0);
    let (sx, sy) = shorten(qx, qy, x0, y0, 8.0);
    format!("M{sx:.1} {sy:.1}Q{qx:.1} {qy:.1} {ex:.1} {ey:.1}")
}

/// The graph; none if the model is too large for it.
pub(super) fn graph(report: &Report) -> Option<Graph> {
    let analysis = &report.analysis;
    let n = analysis.names.len();
    if n > MOST_NODES {
        return None;
    }
    let clusters = cluster_of(report);
    let longest = analysis.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(LONGEST);
    let cy = RADIUS + 30.0 + 6.0 * longest as f64;
    let place = places(report, &clusters, cy);
    let edge = |&(from, to): &(usize, usize)| Edge {
        path: curve(place[from], place[to], cy),
        colour: colour(clusters[to]),
        cluster: clusters[to],
        tip: format!("{} \u{2192} {}", analysis.names[from], analysis.names[to]),
    };
    let critical = critical_edges(report);
    let influences = report.influences.iter().filter(|edge| critical.binary_search(edge).is_err()).map(edge).collect();
    let node = |state: usize| {
        let (x, y, angle) = place[state];
        let degrees = angle.to_degrees();
        let (turn, anchor, away) = if angle.cos() < -1e-9 { (degrees + 180.0, "end", -15.0) } else { (degrees, "start", 15.0) };
        let name = &analysis.names[state];
        let tip = format!("{name}: {}; {}", step_text(report, state), report.cycle_text(&analysis.bounds[state].witness));
        let limits_itself = analysis.bounds[state].witness.len() == 1;
        let cluster = clusters[state];
        Node { x, y, turn, anchor, away, name: cut(name, LONGEST), colour: colour(cluster), cluster, limits_itself, tip }
    };
    let critical = critical.iter().map(edge).collect();
    Some(Graph { height: 2.0 * cy, font: if n > 50 { 9 } else { 12 }, influences, critical, nodes: (0..n).map(node).collect() })
}
