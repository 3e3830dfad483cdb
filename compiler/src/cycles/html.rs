//! The report as one HTML page: pictures are inline SVG, nothing is loaded from elsewhere, and it prints on paper.
//!
//! Input: a [`Report`]. Output: the text of the page. Large models are summarised: chart and map show groups of states, the graph
//! shows clusters. Cost: O(states + influences) up to the limits below.

use super::indices::tied;
use super::measured;
use super::report::{Report, grows, maybe, number, radius_text};
use super::{CutKind, SelfLoop};
use std::fmt::Write;

/// Rows of the chart of time scales.
const MOST_ROWS: usize = 60;
/// States of the dependency graph.
const MOST_NODES: usize = 100;
/// States of a graph that shows all critical cycles.
const MOST_CYCLES: usize = 16;
/// Columns of the separability map.
const MOST_COLUMNS: usize = 120;
/// Rows of the table of states.
const MOST_STATES: usize = 500;

/// Colours of clusters from fast to slow, distinguishable for all readers.
const COLOURS: [&str; 6] = ["#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;color:#222;max-width:60em;margin:2em auto;padding:0 1em}\
h1{font-size:1.6em}h2{font-size:1.2em;margin-top:2em;border-bottom:1px solid #ccc}\
table{border-collapse:collapse}td,th{padding:.15em .8em .15em 0;text-align:left;vertical-align:top}th{border-bottom:1px solid #888}\
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}td.n{white-space:nowrap}svg{width:100%;height:auto;display:block}svg text{font:12px system-ui,sans-serif;fill:#222}\
.k{color:#555}.w{background:#fff3e0;padding:.3em .6em}.g{color:#00694d}.b{color:#a33c00}@media print{body{margin:0;max-width:none}h2{break-after:avoid}svg{break-inside:avoid}}";

/// The page of a report.
pub(super) fn page(report: &Report) -> String {
    let mut out = String::new();
    let title = escape(&report.model);
    let _ = write!(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>Time scales of {title}</title><style>{STYLE}</style></head><body>\n");
    let _ = write!(out, "<h1>Time scales of {title}</h1>\n{INTRODUCTION}{}", summary(report));
    let _ = write!(out, "<h2>Time scales</h2>\n<p>Each row is a state, or several with the same time scale. The mark is the longest step at which explicit integration of the state is considered safe: the further left, the faster the state. A line instead of a mark encloses a value that is not known exactly. Dashed lines are suggested cuts; what is left of one would be integrated implicitly, the rest explicitly.</p>\n{}{}", chart(report), legend(report));
    let _ = write!(out, "<h2>Suggested cuts</h2>\n{}", cuts(report));
    let _ = write!(out, "<h2>What the cuts are worth</h2>\n{}", measured::table(report, escape));
    let _ = write!(out, "<h2>Separability over alpha</h2>\n{}", map(report));
    let _ = write!(out, "<h2>Who influences whom</h2>\n{}", graph(report));
    let _ = write!(out, "<h2>States</h2>\n{}", states(report));
    out.push_str(EXPLANATION);
    out.push_str("</body></html>\n");
    out
}

const INTRODUCTION: &str = "<p class=k>Some variables of a model change within milliseconds, others within minutes. A simulator that treats all alike either takes tiny steps because of the fast ones, or solves a large system of equations in every step (it is <i>implicit</i>). If the two kinds can be told apart, only the fast variables need the implicit treatment and the slow ones can be stepped cheaply (they are <i>explicit</i>). This page shows which variables are fast, how clearly they stand apart, and whether splitting them pays.</p>\n";

const EXPLANATION: &str = "<h2>How the time scales were found</h2>\n<p>A perturbation of a state comes back to it along cycles of influences. For each cycle there is a step at which explicit integration would return exactly the part <i>alpha</i> of the perturbation; the smallest such step of all cycles through a state is its time scale. The <b>stiffness index</b> is the largest by the smallest time scale. The <b>separability index</b> is near 1 if one gap between neighbouring time scales is much larger than the others, and near 0 if all are alike. The <b>spectral radius</b> says what one mixed step does to errors in the linear model at the operating point: above 1 they grow.</p>\n";

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The cluster of each state, by position.
fn cluster_of(report: &Report) -> Vec<usize> {
    let mut result = vec![0; report.analysis.names.len()];
    for (number, cluster) in report.analysis.clusters().iter().enumerate() {
        cluster.iter().for_each(|&state| result[state] = number);
    }
    result
}

fn colour(cluster: usize) -> &'static str {
    COLOURS[cluster % COLOURS.len()]
}

/// "1 cycle", "2 cycles".
pub(super) fn plural(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn summary(report: &Report) -> String {
    let analysis = &report.analysis;
    let n = analysis.names.len();
    let mut out = String::from("<p>");
    let cycles = analysis.cycles.map_or_else(|| "more cycles of influence than can be counted".to_string(), |count| format!("{} of influence", plural(count, "cycle")));
    let _ = write!(out, "The model has <b>{n} states</b> and {cycles}");
    match report.times.as_slice() {
        [time] => {
            let _ = write!(out, " at time {}. ", number(*time));
        }
        times => {
            let _ = write!(out, "; it was looked at in {} points of a run, of which each state keeps its smallest bound. ", times.len());
        }
    }
    match analysis.cuts.first() {
        Some(cut) => {
            let fastest = analysis.bounds[analysis.order[0]].h_lower;
            let _ = write!(
                out,
                "The largest gap separates <b>{} fast</b> from <b>{} slow</b> states. With the fast ones implicit, the step could be {} s instead of {} s, and each step would solve for {} instead of {n}.",
                cut.after,
                n - cut.after,
                number(cut.step()),
                number(0.5 * fastest),
                plural(cut.after as u64, "unknown"),
            );
            if cut.ratio < 2.0 {
                let _ = write!(out, " The gap is only a factor of {}, though: a split is hardly worth it.", number(cut.ratio));
            }
            out.push_str(&measured::verdict(report));
        }
        None => out.push_str("Its time scales do not differ: there is nothing to separate."),
    }
    let formula = match analysis.options.self_loop {
        SelfLoop::Printed => "",
        SelfLoop::Compat => " (self loops by the formula behind the figures of the papers)",
    };
    let _ = write!(
        out,
        "</p>\n<table><tr><td>alpha</td><td class=n>{}</td><td class=k>what may be left of a disturbance after one trip around a cycle of influences{formula}</td></tr><tr><td>stiffness index</td><td class=n>{}</td><td class=k>slowest by fastest time scale</td></tr><tr><td>separability index</td><td class=n>{}</td><td class=k>near 1: one gap outweighs all others; near 0: the gaps are alike</td></tr><tr><td>ratio of eigenvalues</td><td class=n>{}</td><td class=k>largest by smallest real part, the classical measure</td></tr><tr><td>suggested cut certified</td><td class=n>{}</td><td class=k>whether the bounds leave no doubt which states are fast</td></tr></table>\n",
        number(analysis.options.alpha),
        maybe(analysis.stiffness_index),
        maybe(analysis.separability_index),
        report.ratio_text(),
        if analysis.certified { "yes" } else { "no" },
    );
    for note in &report.notes {
        let _ = write!(out, "<p class=w>Note: {}.</p>\n", escape(note));
    }
    out
}

/// Runs of states with the same bound, as places in the order.
fn groups(report: &Report) -> Vec<std::ops::Range<usize>> {
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

fn group_label(report: &Report, group: &std::ops::Range<usize>) -> String {
    let name = |place: usize| report.analysis.names[report.analysis.order[place]].as_str();
    let text = match group.len() {
        1 => name(group.start).to_string(),
        2 => format!("{}, {}", name(group.start), name(group.start + 1)),
        n => format!("{} \u{2026} {} ({n})", name(group.start), name(group.end - 1)),
    };
    if text.chars().count() > 30 { format!("{}\u{2026}", text.chars().take(29).collect::<String>()) } else { text }
}

fn chart(report: &Report) -> String {
    let analysis = &report.analysis;
    let all = groups(report);
    let shown: Vec<&std::ops::Range<usize>> =
        if all.len() <= MOST_ROWS { all.iter().collect() } else { all[..MOST_ROWS / 2].iter().chain(&all[all.len() - MOST_ROWS / 2..]).collect() };
    let finite: Vec<f64> = analysis.bounds.iter().flat_map(|bound| [bound.h_lower, bound.h_upper]).filter(|h| h.is_finite() && *h > 0.0).collect();
    let low = finite.iter().copied().fold(f64::INFINITY, f64::min).log10();
    let high = finite.iter().copied().fold(f64::NEG_INFINITY, f64::max).log10();
    if !low.is_finite() || !high.is_finite() {
        return "<p>No state is on a cycle that limits its step.</p>\n".to_string();
    }
    let (low, high) = ((low - 0.15).min(high - 0.5), high + 0.15);
    let has_infinite = analysis.bounds.iter().any(|bound| bound.h_upper.is_infinite());
    let (left, right, top, row) = (230.0, if has_infinite { 700.0 } else { 760.0 }, 62.0, 18.0);
    let height = top + row * shown.len() as f64 + 12.0;
    let x = |h: f64| if h.is_finite() { left + (right - left) * (h.max(1e-300).log10() - low) / (high - low) } else { 750.0 };
    let clusters = cluster_of(report);
    let mut out = format!("<svg viewBox=\"0 0 800 {height}\" role=\"img\" aria-label=\"time scales\">\n");
    // The axis: decades, and twos and fives where there is room.
    let decades = high - low;
    for exponent in low.floor() as i32..=high.ceil() as i32 {
        for digit in [1.0, 2.0, 5.0] {
            if (digit > 1.0 && decades > 2.5) || (exponent % 2 != 0 && decades > 14.0) {
                continue;
            }
            let value = digit * 10f64.powi(exponent);
            if value.log10() < low || value.log10() > high {
                continue;
            }
            let at = x(value);
            let _ = write!(out, "<line x1=\"{at:.1}\" y1=\"{:.1}\" x2=\"{at:.1}\" y2=\"{height}\" stroke=\"#e4e4e4\"/><text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n", top - 8.0, top - 12.0, number(value));
        }
    }
    let _ = write!(out, "<text x=\"10\" y=\"14\" class=\"k\">longest safe explicit step [s]</text>\n");
    if has_infinite {
        let _ = write!(out, "<text x=\"750\" y=\"{:.1}\" text-anchor=\"middle\">no limit</text>\n", top - 12.0);
    }
    for (at, group) in shown.iter().enumerate() {
        let y = top + row * (at as f64 + 0.5);
        let state = analysis.order[group.start];
        let bound = &analysis.bounds[state];
        let fill = colour(clusters[state]);
        let _ = write!(out, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>", left - 10.0, y + 4.0, escape(&group_label(report, group)));
        let (a, b) = (x(bound.h_lower), x(bound.h_upper));
        if b - a > 1.0 {
            let _ = write!(out, "<line x1=\"{a:.1}\" y1=\"{y:.1}\" x2=\"{b:.1}\" y2=\"{y:.1}\" stroke=\"{fill}\" stroke-width=\"4\" stroke-linecap=\"round\"/>");
        } else {
            let _ = write!(out, "<circle cx=\"{a:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{fill}\"/>");
        }
        out.push('\n');
        if all.len() > shown.len() && at + 1 == MOST_ROWS / 2 {
            let _ = write!(out, "<text x=\"{left}\" y=\"{:.1}\" class=\"k\">\u{2026} {} groups are not shown \u{2026}</text>\n", y + row * 0.5 + 4.0, all.len() - shown.len());
        }
    }
    let mut named: Vec<f64> = Vec::new();
    for (at, cut) in analysis.cuts.iter().enumerate().take(3) {
        let fastest_slow = cut.threshold;
        let middle = (x(fastest_slow) + x(fastest_slow / cut.ratio)) / 2.0;
        // Names that would meet stand above each other.
        let name = if named.iter().any(|other| (other - middle).abs() < 48.0) { 16 } else { 30 };
        named.push(middle);
        let (dash, width) = if at == 0 { ("6 3", 2.0) } else { ("2 4", 1.2) };
        let _ = write!(out, "<line x1=\"{middle:.1}\" y1=\"{:.1}\" x2=\"{middle:.1}\" y2=\"{height}\" stroke=\"#444\" stroke-width=\"{width}\" stroke-dasharray=\"{dash}\"/><text x=\"{middle:.1}\" y=\"{name}\" text-anchor=\"middle\" font-weight=\"bold\">cut {}</text>\n", top - 8.0, cut.after);
    }
    out.push_str("</svg>\n");
    out
}

/// What the colours mean.
fn legend(report: &Report) -> String {
    let clusters = report.analysis.clusters();
    let items = clusters.iter().enumerate().map(|(number, cluster)| {
        let speed = match number {
            _ if clusters.len() == 1 => "all",
            0 => "fastest",
            number if number + 1 == clusters.len() => "slowest",
            _ => "between",
        };
        let states = if cluster.len() == 1 { "state" } else { "states" };
        format!("<span style=\"color:{}\">&#9679;</span> {speed}: {} {states}", colour(number), cluster.len())
    });
    format!("<p>Clusters: {}</p>\n", items.collect::<Vec<_>>().join(" &nbsp; "))
}

fn cuts(report: &Report) -> String {
    let analysis = &report.analysis;
    if analysis.cuts.is_empty() {
        return "<p>None: the time scales do not differ.</p>\n".to_string();
    }
    let n = analysis.names.len();
    let fastest = analysis.bounds[analysis.order[0]].h_lower;
    let mut out = String::from("<table><tr><th class=n>fast</th><th class=n>slow</th><th>why</th><th class=n>gap [s]</th><th class=n>factor</th><th class=n>step [s]</th><th class=n>step against explicit</th><th class=n>unknowns against implicit</th><th class=n>spectral radius</th></tr>\n");
    for (cut, radius) in analysis.cuts.iter().zip(&report.radii) {
        let kind = match cut.kind {
            CutKind::LargestGap => "largest gap",
            CutKind::LargestLogGap => "largest ratio (not of the papers)",
            CutKind::Further => "further gap",
        };
        let warning = if grows(radius) { " &#9888; grows" } else { "" };
        let _ = write!(
            out,
            "<tr><td class=n>{}</td><td class=n>{}</td><td>{kind}{}</td><td class=n>{}</td><td class=n>{}</td><td class=n>{}</td><td class=n>{} times</td><td class=n>{:.0} %</td><td class=n>{}{warning}</td></tr>\n",
            cut.after,
            n - cut.after,
            if cut.certified { "" } else { ", not certified" },
            number(cut.gap),
            number(cut.ratio),
            number(cut.step()),
            number(cut.threshold / fastest),
            100.0 * cut.after as f64 / n as f64,
            radius_text(radius),
        );
    }
    out.push_str("</table>\n<p class=k>The step is half of the smallest time scale of the slow states. \u{201c}Step against explicit\u{201d} and \u{201c}unknowns against implicit\u{201d} are what a split can save at best; the cost of a run also depends on the accuracy that is wanted.</p>\n");
    out
}

/// The colour of a separability term: white for zero, dark blue for one.
fn shade(term: f64) -> String {
    let mix = |from: f64, to: f64| (from + (to - from) * term.clamp(0.0, 1.0).sqrt()).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(247.0, 8.0), mix(251.0, 48.0), mix(255.0, 107.0))
}

fn map(report: &Report) -> String {
    let analysis = &report.analysis;
    let rows: Option<Vec<_>> = (1..=20).map(|k| analysis.at_alpha(f64::from(k) / 20.0)).collect();
    let Some(rows) = rows else {
        return "<p>There are too many cycles to follow all bounds over alpha.</p>\n".to_string();
    };
    let gaps = rows.iter().map(|row| row.indices.terms.len()).max().unwrap_or(0);
    if gaps == 0 {
        return "<p>There is no gap between time scales.</p>\n".to_string();
    }
    let columns = gaps.min(MOST_COLUMNS);
    let column_of = |gap: usize| gap * columns / gaps;
    let (left, top, width, cell) = (60.0, 12.0, 700.0, 15.0);
    let height = top + 20.0 * cell + 44.0;
    let dx = width / columns as f64;
    let mut out = String::from("<p>One row per alpha, one column per gap between neighbouring time scales, from fast to slow. Dark is a large gap: one dark column from bottom to top is a cut that does not depend on the choice of alpha. Dots mark the largest gap of each row.</p>\n");
    let _ = write!(out, "<svg viewBox=\"0 0 800 {height}\" role=\"img\" aria-label=\"separability map\">\n");
    for (k, row) in rows.iter().enumerate() {
        let y = top + (19 - k) as f64 * cell;
        let mut terms = vec![0.0f64; columns];
        for (gap, &term) in row.indices.terms.iter().enumerate() {
            terms[column_of(gap)] = terms[column_of(gap)].max(term);
        }
        for (column, &term) in terms.iter().enumerate() {
            let _ = write!(out, "<rect x=\"{:.2}\" y=\"{y:.1}\" width=\"{:.2}\" height=\"{:.1}\" fill=\"{}\"/>", left + dx * column as f64, dx + 0.05, cell + 0.05, shade(term));
        }
        if let Some(cut) = row.indices.cuts.first() {
            let _ = write!(out, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.4\" fill=\"#fff\" stroke=\"#d55e00\" stroke-width=\"2\"/>", left + dx * (column_of(cut.after - 1) as f64 + 0.5), y + cell / 2.0);
        }
        if k % 4 == 3 || k == 0 {
            let _ = write!(out, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>", left - 6.0, y + cell / 2.0 + 4.0, number(row.alpha));
        }
        out.push('\n');
    }
    let bottom = top + 20.0 * cell;
    let _ = write!(out, "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{}\" fill=\"none\" stroke=\"#888\"/><text x=\"14\" y=\"{}\" transform=\"rotate(-90 14 {})\" text-anchor=\"middle\">alpha</text>\n", 20.0 * cell, top + 10.0 * cell, top + 10.0 * cell);
    let every = (columns / 20).max(1);
    for column in (0..columns).step_by(every) {
        let gap = (column * gaps).div_ceil(columns) + 1;
        let _ = write!(out, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{gap}</text>", left + dx * (column as f64 + 0.5), bottom + 16.0);
    }
    let _ = write!(out, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"middle\">number of fast states</text>\n</svg>\n", left + width / 2.0, bottom + 36.0);
    let here = rows.iter().map(|row| (row.alpha, row.indices.stiffness_index, row.indices.separability_index));
    let (first, last) = (here.clone().next(), here.last());
    if let (Some((a, sigma_a, s_a)), Some((b, sigma_b, s_b))) = (first, last) {
        let _ = write!(out, "<p class=k>From alpha = {} to {} the stiffness index goes from {} to {}, the separability index from {} to {}.</p>\n", number(a), number(b), maybe(sigma_a), maybe(sigma_b), maybe(s_a), maybe(s_b));
    }
    out
}

fn graph(report: &Report) -> String {
    let analysis = &report.analysis;
    let n = analysis.names.len();
    if n > MOST_NODES {
        return cluster_table(report);
    }
    let clusters = cluster_of(report);
    let n_clusters = analysis.clusters().len();
    let radius = 230.0;
    let longest = analysis.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(14);
    let (cx, cy) = (400.0, radius + 30.0 + 6.0 * longest as f64);
    let height = 2.0 * cy;
    // On a circle in the order of time scales, the fastest on top, with room between clusters.
    let slots = (n + n_clusters) as f64;
    let mut place = vec![(0.0, 0.0, 0.0); n];
    let mut slot = 0.5;
    let mut before = None;
    for &state in &analysis.order {
        if before.is_some_and(|cluster| cluster != clusters[state]) {
            slot += 1.0;
        }
        before = Some(clusters[state]);
        let angle = std::f64::consts::TAU * slot / slots - std::f64::consts::FRAC_PI_2;
        place[state] = (cx + radius * angle.cos(), cy + radius * angle.sin(), angle);
        slot += 1.0;
    }
    let mut critical: Vec<(usize, usize)> = Vec::new();
    // All critical cycles of a small model; of a larger one the one that limits each cluster most, lest nothing can be seen.
    let is_shown = |state: &usize| analysis.bounds[*state].witness.len() > 1;
    let shown: Vec<usize> = match n {
        ..=MOST_CYCLES => (0..n).filter(is_shown).collect(),
        _ => analysis.clusters().iter().filter_map(|cluster| cluster.iter().copied().find(is_shown)).collect(),
    };
    for state in shown {
        let cycle = &analysis.bounds[state].witness;
        critical.extend((0..cycle.len()).map(|k| (cycle[k], cycle[(k + 1) % cycle.len()])));
    }
    critical.sort_unstable();
    critical.dedup();
    let mut out = String::from("<p>States on a circle, the fastest at the top and slower ones clockwise; colours are clusters of time scales. Thin grey arrows are influences: the state at the tail enters the equation of the state at the head. Thick arrows are critical cycles, those that limit the step of a state (in larger models the tightest one of each cluster); a ring around a state says that it limits itself: it decays by itself faster than it goes around any cycle.</p>\n");
    let _ = write!(out, "<svg viewBox=\"0 0 800 {height:.0}\" role=\"img\" aria-label=\"dependency graph\"><defs>");
    for (cluster, fill) in COLOURS.iter().enumerate() {
        let _ = write!(out, "<marker id=\"a{cluster}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"9\" markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"{fill}\"/></marker>");
    }
    out.push_str("<marker id=\"g\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"6\" markerHeight=\"6\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#aaa\"/></marker></defs>\n");
    let curve = |from: usize, to: usize| {
        let ((x0, y0, _), (x1, y1, _)) = (place[from], place[to]);
        // Towards the centre and a little to the side, so that both directions of a pair can be told apart.
        let (mx, my) = ((x0 + x1) / 2.0, (y0 + y1) / 2.0);
        let side = 0.12;
        let (qx, qy) = (mx + (cx - mx) * 0.45 - (y1 - y0) * side, my + (cy - my) * 0.45 + (x1 - x0) * side);
        let shorten = |ax: f64, ay: f64, bx: f64, by: f64, by_length: f64| {
            let length = (bx - ax).hypot(by - ay).max(1e-9);
            (bx - (bx - ax) * by_length / length, by - (by - ay) * by_length / length)
        };
        let (ex, ey) = shorten(qx, qy, x1, y1, 9.0);
        let (sx, sy) = shorten(qx, qy, x0, y0, 8.0);
        format!("M{sx:.1} {sy:.1}Q{qx:.1} {qy:.1} {ex:.1} {ey:.1}")
    };
    for &(from, to) in report.influences.iter().filter(|edge| critical.binary_search(edge).is_err()) {
        let _ = write!(out, "<path d=\"{}\" fill=\"none\" stroke=\"#bbb\" stroke-width=\"1\" marker-end=\"url(#g)\"/>", curve(from, to));
    }
    out.push('\n');
    for &(from, to) in &critical {
        let cluster = clusters[to] % COLOURS.len();
        let _ = write!(out, "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.2\" marker-end=\"url(#a{cluster})\"/>", curve(from, to), colour(cluster));
    }
    out.push('\n');
    let size = if n > 50 { 9 } else { 12 };
    for state in 0..n {
        let (x, y, angle) = place[state];
        let fill = colour(clusters[state]);
        let own = analysis.bounds[state].witness.len() == 1;
        if own {
            let _ = write!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"9\" fill=\"none\" stroke=\"{fill}\" stroke-width=\"2\"/>");
        }
        let degrees = angle.to_degrees();
        let (turn, anchor, away) = if angle.cos() < -1e-9 { (degrees + 180.0, "end", -15.0) } else { (degrees, "start", 15.0) };
        let name = &analysis.names[state];
        let short = if name.chars().count() > 14 { format!("{}\u{2026}", name.chars().take(13).collect::<String>()) } else { name.clone() };
        let _ = write!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5.5\" fill=\"{fill}\"/><text x=\"{away}\" y=\"4\" transform=\"translate({x:.1} {y:.1}) rotate({turn:.1})\" text-anchor=\"{anchor}\" style=\"font-size:{size}px\">{}</text>\n",
            escape(&short)
        );
    }
    out.push_str("</svg>\n");
    out
}

/// For large models: how the clusters influence each other.
fn cluster_table(report: &Report) -> String {
    let clusters = report.analysis.clusters();
    let of = cluster_of(report);
    let mut counts = vec![vec![0usize; clusters.len()]; clusters.len()];
    for &(from, to) in &report.influences {
        counts[of[from]][of[to]] += 1;
    }
    let mut out = String::from("<p>The model is too large to draw every state. Number of influences from each cluster (row) to each cluster (column):</p>\n<table><tr><th>cluster</th><th class=n>states</th>");
    for number in 1..=clusters.len() {
        let _ = write!(out, "<th class=n>to {number}</th>");
    }
    out.push_str("</tr>\n");
    for (number, cluster) in clusters.iter().enumerate() {
        let _ = write!(out, "<tr><td><span style=\"color:{}\">&#9679;</span> {}</td><td class=n>{}</td>", colour(number), number + 1, cluster.len());
        for count in &counts[number] {
            let _ = write!(out, "<td class=n>{count}</td>");
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table>\n");
    out
}

fn states(report: &Report) -> String {
    let analysis = &report.analysis;
    let clusters = cluster_of(report);
    let mut out = String::from("<table><tr><th></th><th>state</th><th class=n>step below [s]</th><th>critical cycle</th></tr>\n");
    // Neighbours with the same bound are one row where there are many.
    let rows = if analysis.order.len() > MOST_ROWS { groups(report) } else { (0..analysis.order.len()).map(|place| place..place + 1).collect() };
    for row in rows.iter().take(MOST_STATES) {
        let state = analysis.order[row.start];
        let bound = &analysis.bounds[state];
        let value = match (bound.h_lower.is_infinite(), bound.exact) {
            (true, _) => "no limit".to_string(),
            (false, true) => number(bound.h_lower),
            (false, false) => format!("{} to {}", number(bound.h_lower), number(bound.h_upper)),
        };
        let _ = write!(
            out,
            "<tr><td style=\"color:{}\">&#9679;</td><td>{}</td><td class=n>{value}</td><td>{}{}</td></tr>\n",
            colour(clusters[state]),
            escape(&group_label(report, row)),
            escape(&report.cycle_text(&bound.witness)),
            if bound.unstable { " <span class=k>(grows by itself)</span>" } else { "" },
        );
    }
    out.push_str("</table>\n");
    if rows.len() > MOST_STATES {
        let _ = write!(out, "<p class=k>and {} more rows</p>\n", rows.len() - MOST_STATES);
    }
    out
}
