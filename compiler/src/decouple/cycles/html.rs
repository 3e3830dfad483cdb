//! The report as one HTML page: `templates/analysis.html`.
//!
//! Input: a [`Report`]. Output: the text of the page, which loads nothing and prints on paper.
//! Method: what is said is put together here, the pictures in [`super::pictures`], their form is that of all pages.
//! Guarantee: names are escaped. Cost: O(states + influences) up to the limits of the pictures.

use super::indices::CutKind;
use super::measured;
use super::options::SelfLoop;
use super::pictures::{self, COLOURS, Graph, MOST_ROWS, Map, Scales, cluster_of, colour, group_label, groups, step_text};
use super::report::Measured;
use super::report::{Report, grows, maybe, number, radius_text};
use crate::base::page::{Data, Page, file_of, filters, plural};
use askama::Template;

/// Rows of the table of states.
const MOST_STATES: usize = 500;

#[derive(Template)]
#[template(path = "analysis.html")]
struct AnalysisPage<'a> {
    page: Page,
    n: usize,
    cycles: String,
    when: String,
    best: Option<BestCut>,
    verdict: Option<measured::Verdict>,
    indices: Vec<Index>,
    notes: &'a [String],
    scales: Option<Scales>,
    clusters: Vec<Cluster>,
    cuts: Vec<CutRow>,
    runs: Vec<measured::Row<'a>>,
    map: Result<Map, &'static str>,
    graph: Option<Graph>,
    colours: [&'static str; 6],
    states: Vec<StateRow>,
    more_states: usize,
}

/// What the largest gap would give.
struct BestCut {
    fast: usize,
    slow: usize,
    step: String,
    instead: String,
    unknowns: String,
    /// The factor of a gap that is hardly worth it.
    weak: Option<String>,
}

struct Index {
    name: &'static str,
    value: String,
    meaning: String,
}

struct Cluster {
    number: usize,
    colour: &'static str,
    says: String,
    n: usize,
    /// Influences on each cluster.
    influences: Vec<usize>,
}

struct CutRow {
    fast: usize,
    slow: usize,
    why: String,
    gap: String,
    factor: String,
    step: String,
    against_explicit: String,
    unknowns: String,
    radius: String,
    grows: bool,
}

struct StateRow {
    colour: &'static str,
    name: String,
    step: String,
    cycle: String,
    unstable: bool,
}

/// The page of a report.
pub(super) fn page(report: &Report) -> String {
    let analysis = &report.analysis;
    let title = format!("Time scales of {}", report.model);
    let many = || "more cycles of influence than can be counted".to_string();
    let states = states(report);
    let page = AnalysisPage {
        page: Page::new(title.clone(), title, &Data::default()),
        n: analysis.names.len(),
        cycles: analysis.cycles.map_or_else(many, |count| format!("{} of influence", plural(count, "cycle"))),
        when: match report.times.as_slice() {
            [time] => format!(" at time {}", number(*time)),
            times => format!("; it was looked at in {} points of a run, of which each state keeps its smallest bound", times.len()),
        },
        best: best_cut(report),
        verdict: measured::verdict(report),
        indices: indices(report),
        notes: &report.notes,
        scales: pictures::scales(report),
        clusters: clusters(report),
        cuts: cuts(report),
        runs: report.measured.iter().map(|run: &Measured| measured::row(report, run)).collect(),
        map: pictures::map(report),
        graph: pictures::graph(report),
        colours: COLOURS,
        more_states: states.len().saturating_sub(MOST_STATES),
        states: states.into_iter().take(MOST_STATES).collect(),
    };
    // Writing to a string cannot fail.
    file_of(&page).unwrap_or_default()
}

fn best_cut(report: &Report) -> Option<BestCut> {
    let analysis = &report.analysis;
    let cut = analysis.cuts.first()?;
    let fastest = analysis.bounds[*analysis.order.first()?].h_lower;
    Some(BestCut {
        fast: cut.after,
        slow: analysis.names.len() - cut.after,
        step: number(cut.step()),
        instead: number(0.5 * fastest),
        unknowns: plural(cut.after as u64, "unknown"),
        weak: (cut.ratio < 2.0).then(|| number(cut.ratio)),
    })
}

fn indices(report: &Report) -> Vec<Index> {
    let analysis = &report.analysis;
    let formula = match analysis.options.self_loop {
        SelfLoop::Printed => "",
        SelfLoop::Compat => " (self loops by the formula behind the figures of the papers)",
    };
    let index = |name, value, meaning: &str| Index { name, value, meaning: meaning.to_string() };
    let alpha = format!("what may be left of a disturbance after one trip around a cycle of influences{formula}");
    let certified = if analysis.certified { "yes" } else { "no" };
    let separability = "near 1: one gap outweighs all others; near 0: the gaps are alike";
    vec![
        index("alpha", number(analysis.options.alpha), &alpha),
        index("stiffness index", maybe(analysis.stiffness_index), "slowest by fastest time scale"),
        index("separability index", maybe(analysis.separability_index), separability),
        index("ratio of eigenvalues", report.ratio_text(), "largest by smallest real part, the classical measure"),
        index("suggested cut certified", certified.to_string(), "whether the bounds leave no doubt which states are fast"),
    ]
}

/// The clusters from fast to slow and how they influence each other.
fn clusters(report: &Report) -> Vec<Cluster> {
    let clusters = report.analysis.clusters();
    let of = cluster_of(report);
    let mut counts = vec![vec![0usize; clusters.len()]; clusters.len()];
    for &(from, to) in &report.influences {
        counts[of[from]][of[to]] += 1;
    }
    let describe = |(number, (cluster, influences)): (usize, (&Vec<usize>, Vec<usize>))| {
        let speed = match number {
            _ if clusters.len() == 1 => "all",
            0 => "fastest",
            number if number + 1 == clusters.len() => "slowest",
            _ => "between",
        };
        let says = format!("{speed}: {}", plural(cluster.len() as u64, "state"));
        Cluster { number, colour: colour(number), says, n: cluster.len(), influences }
    };
    clusters.iter().zip(counts).enumerate().map(describe).collect()
}

fn cuts(report: &Report) -> Vec<CutRow> {
    let analysis = &report.analysis;
    let n = analysis.names.len();
    let Some(first) = analysis.order.first() else { return Vec::new() };
    let fastest = analysis.bounds[*first].h_lower;
    let rows = analysis.cuts.iter().zip(&report.radii).map(|(cut, radius)| {
        let kind = match cut.kind {
            CutKind::LargestGap => "largest gap",
            CutKind::LargestLogGap => "largest ratio (not of the papers)",
            CutKind::Further => "further gap",
        };
        CutRow {
            fast: cut.after,
            slow: n - cut.after,
            why: format!("{kind}{}", if cut.certified { "" } else { ", not certified" }),
            gap: number(cut.gap),
            factor: number(cut.ratio),
            step: number(cut.step()),
            against_explicit: number(cut.threshold / fastest),
            unknowns: format!("{:.0}", 100.0 * cut.after as f64 / n as f64),
            radius: radius_text(radius),
            grows: grows(radius),
        }
    });
    rows.collect()
}

/// The states, fast ones first; neighbours with the same bound are one row where there are many.
fn states(report: &Report) -> Vec<StateRow> {
    let analysis = &report.analysis;
    let clusters = cluster_of(report);
    let single = || (0..analysis.order.len()).map(|place| place..place + 1).collect();
    let rows = if analysis.order.len() > MOST_ROWS { groups(report) } else { single() };
    let row = |group: &std::ops::Range<usize>| {
        let state = analysis.order[group.start];
        let bound = &analysis.bounds[state];
        StateRow {
            colour: colour(clusters[state]),
            name: group_label(report, group),
            step: step_text(report, state),
            cycle: report.cycle_text(&bound.witness),
            unstable: bound.unstable,
        }
    };
    rows.iter().map(row).collect()
}
