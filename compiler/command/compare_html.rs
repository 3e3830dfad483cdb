//! The comparison as a page: `templates/comparison.html`.
//!
//! Input: a verdict and the values of both files. Output: the text of one HTML file that loads nothing.
//! Method: first the verdicts by rule and a table of the signals that are outside. Then for each of the worst signals a chart: reference,
//! result and the tube over time, and below it the difference with the half-height of the tube, where it comes near that; events that are
//! late by what the figure of differences forgives make none. One legend shows and hides these in all charts.
//! Guarantee: axes reach as far as the curves, which are never cut; names are escaped. Cost: linear in the points of the signals that are
//! shown.

use crate::failure::Failure;
use crate::plot::visible;
use crate::verdict::Verdict;
use askama::Template;
use partita::base::page::{Chart, Data, Detail, Legend, Mark, Page, Panel, file_of, short};
use partita_runtime::result::compare::{LATE, SignalComparison};
use partita_runtime::result::rules::{Line, Window, rectangle};

/// How many signals are plotted.
const PLOTTED: usize = 40;
/// How many of these are open when the page opens.
const OPEN: usize = 6;
/// Times at which the tube is drawn: so many, and those at which it bends if there are not more points than that.
const TUBE_COLUMNS: usize = 500;
/// Around the worst point.
const DETAIL_COLUMNS: usize = 200;
/// The tube is shown beside the difference where this comes to such a part of it.
const NEAR: f64 = 0.2;

#[derive(Template)]
#[template(path = "comparison.html")]
struct ComparisonPage {
    page: Page,
    mark: Verdicted,
    rules: Vec<RuleRow>,
    missing: String,
    too_short: Option<(f64, f64)>,
    remarks: Vec<String>,
    outside: Vec<OutsideRow>,
    plots: Vec<Plot>,
    /// Empty if all are plotted.
    all: Vec<SignalRow>,
    tube: f64,
}

/// A word and how good that is.
struct Verdicted {
    word: &'static str,
    class: &'static str,
}

struct RuleRow {
    rule: String,
    inside: usize,
    of: usize,
    mark: Verdicted,
}

struct OutsideRow {
    number: usize,
    name: String,
    time: String,
    result: String,
    allowed: String,
    unit: String,
    error: String,
}

struct SignalRow {
    name: String,
    mark: Verdicted,
    error: String,
}

struct Plot {
    number: usize,
    name: String,
    unit: String,
    mark: Verdicted,
    says: String,
    sizes: String,
    open: bool,
}

fn verdicted(good: bool, [yes, no]: [&'static str; 2]) -> Verdicted {
    if good { Verdicted { word: yes, class: "good" } } else { Verdicted { word: no, class: "bad" } }
}

const PLACES: [&str; 2] = ["inside", "outside"];

/// The difference of two lines at the times of the first; at an event each limit against its own. Where it is larger than `small`, the
/// second line may be late or early by `late`.
fn difference(reference: Line<'_>, result: Line<'_>, late: f64, small: f64) -> Vec<f64> {
    let (times, values) = result;
    let at = |after: usize, t: f64| {
        let i = after.clamp(1, times.len().max(2) - 1);
        if times.len() < 2 {
            return values[0];
        }
        let (a, b) = (times[i - 1], times[i]);
        let w = if b > a { (t.clamp(times[0], times[times.len() - 1]) - a) / (b - a) } else { 0.0 };
        values[i - 1] + w * (values[i] - values[i - 1])
    };
    let ends = |k: usize| reference.0.get(k + 1) == Some(&reference.0[k]);
    let mut window = Window::new(result, late);
    let one = |(k, (t, y)): (usize, (&f64, &f64))| {
        let after = if ends(k) { times.partition_point(|x| x < t) } else { times.partition_point(|x| x <= t) };
        let plain = at(after, *t) - y;
        if plain.abs() <= small {
            return plain;
        }
        let (low, high) = window.bounds(*t);
        match () {
            () if low > *y => low - y,
            () if high < *y => high - y,
            () if plain.is_finite() => 0.0,
            () => plain,
        }
    };
    reference.0.iter().zip(reference.1).enumerate().map(one).collect()
}

/// A value and its unit.
fn with_unit(value: f64, unit: &str) -> String {
    if unit.is_empty() { short(value) } else { format!("{} {unit}", short(value)) }
}

/// The signals that are outside, with the point where each is worst. They come first, so the number is that of the plot.
fn outside_rows(verdict: &Verdict, worst: &[&SignalComparison]) -> Vec<OutsideRow> {
    let outside = worst.iter().filter(|signal| !signal.judgement.inside).take(PLOTTED).enumerate();
    let row = |(number, signal): (usize, &&SignalComparison)| {
        let judgement = &signal.judgement;
        let allowed = format!("{} … {}", short(judgement.low), short(judgement.high));
        let (result, allowed) = match judgement.reversed {
            true => (format!("stays in {allowed}"), format!("has to reach {}", short(judgement.value))),
            false => (short(judgement.value), allowed),
        };
        let (name, unit) = (visible(&signal.name), unit_of(verdict, &signal.name));
        OutsideRow { number, name, time: short(judgement.time), result, allowed, unit, error: format!("{:.1e}", signal.error_of_range) }
    };
    outside.map(row).collect()
}

/// The unit of a signal, from whichever file tells it.
fn unit_of(verdict: &Verdict, name: &str) -> String {
    let reference = verdict.wanted.unit(name);
    visible(if reference.is_empty() { verdict.got.unit(name) } else { reference })
}

/// Ascending times between two at which a tube of half-width `dx` is drawn.
fn tube_times(times: &[f64], dx: f64, (first, last): (f64, f64)) -> Vec<f64> {
    let column = |k: usize| first + (last - first) * k as f64 / TUBE_COLUMNS as f64;
    let mut result: Vec<f64> = (0..=TUBE_COLUMNS).map(column).collect();
    if times.len() <= TUBE_COLUMNS {
        result.extend(times.iter().flat_map(|t| [t - dx, *t, t + dx]).filter(|t| (first..=last).contains(t)));
    }
    result.sort_by(f64::total_cmp);
    result.dedup();
    result
}

/// The grids that all signals share.
struct Grids {
    reference: usize,
    result: usize,
    tube: usize,
    tube_times: Vec<f64>,
    /// The first and the last time.
    ends: usize,
    /// How many curves there are.
    n: usize,
}

/// The chart of one signal, and its largest difference beside the half-height of its tube.
fn chart(data: &mut Data, grids: &Grids, signal: &SignalComparison, unit: &str, lines: [Line<'_>; 2], r: f64) -> (Chart, String) {
    let [reference, result] = lines;
    let (dx, dy) = rectangle(reference, r);
    let late = LATE * (reference.0[reference.0.len() - 1] - reference.0[0]);
    let differences = difference(reference, result, late, 0.01 * dy);
    let largest = differences.iter().map(|d| d.abs()).filter(|d| d.is_finite()).fold(0.0, f64::max);
    let detail = detail(signal, reference, result, dx);
    let below = if unit.is_empty() { "difference".to_string() } else { format!("difference [{unit}]") };
    let above = if unit.is_empty() { "value" } else { unit };
    let panels = vec![Panel { label: above.to_string(), height: Some(250) }, Panel { label: below, height: Some(130) }];
    let mut chart = Chart { label: visible(&signal.name), panels, ..Chart::default() };
    let (tube_grid, tube_times) = match detail.as_ref().filter(|_| reference.0.len() > TUBE_COLUMNS) {
        Some(Detail { x: (first, last), .. }) => {
            let mut times = grids.tube_times.clone();
            times.extend((0..=DETAIL_COLUMNS).map(|k| first + (last - first) * k as f64 / DETAIL_COLUMNS as f64));
            times.sort_by(f64::total_cmp);
            (data.grid(&times), times)
        }
        None => (grids.tube, grids.tube_times.clone()),
    };
    let mut window = Window::new(reference, dx);
    let (low, high) = tube_times.iter().map(|t| window.bounds(*t)).map(|(low, high)| (low - dy, high + dy)).unzip();
    chart.series.push(Data::band(("tube", 0, unit), tube_grid, low, high));
    if largest > NEAR * dy {
        chart.series.push(Data::band(("tube", 1, unit), grids.ends, vec![-dy; 2], vec![dy; 2]));
    }
    chart.series.push(data.curve(("reference", 0, unit), reference.0, reference.1, grids.reference, grids.n));
    chart.series.push(data.curve(("result", 0, unit), result.0, result.1, grids.result, grids.n));
    chart.series.push(data.curve(("difference", 1, unit), reference.0, &differences, grids.reference, grids.n));
    let judgement = &signal.judgement;
    if judgement.time.is_finite() && judgement.value.is_finite() && !judgement.inside {
        chart.marks.push(Mark { panel: 0, t: judgement.time, y: judgement.value, text: visible(&signal.to_string()) });
    }
    chart.detail = detail;
    (chart, format!("largest difference {}, half-height of the tube {}", with_unit(largest, unit), with_unit(dy, unit)))
}

/// Ten widths of the tube around the worst point of a signal that is outside and varies.
fn detail(signal: &SignalComparison, reference: Line<'_>, result: Line<'_>, dx: f64) -> Option<Detail> {
    let at = signal.judgement.time;
    let varies = [reference.1, result.1].iter().any(|line| line.iter().any(|y| *y != line[0]));
    if signal.judgement.inside || !at.is_finite() || !varies {
        return None;
    }
    let (first, last) = span(reference.0, result.0);
    let x = ((at - 10.0 * dx).max(first), (at + 10.0 * dx).min(last));
    (x.1 > x.0).then(|| Detail { text: "Worst point".to_string(), x })
}

/// From the first to the last time of two lists.
fn span(a: &[f64], b: &[f64]) -> (f64, f64) {
    let ends = a.iter().take(1).chain(a.last()).chain(b.first()).chain(b.last());
    ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), t| (low.min(*t), high.max(*t)))
}

fn legend() -> Vec<Legend> {
    let item = |key: &str, name: &str, colour: &str, dash, band| Legend {
        key: key.to_string(),
        name: name.to_string(),
        unit: None,
        colour: colour.to_string(),
        dash,
        band,
        shown: true,
    };
    vec![
        item("reference", "reference", "c6", 0, false),
        item("result", "result", "c0", 1, false),
        item("tube", "tube", "tube", 0, true),
        item("difference", "difference (result − reference)", "bad", 0, false),
    ]
}

/// The charts of the worst signals and what is said above each.
fn plots(verdict: &Verdict, worst: &[&SignalComparison], data: &mut Data) -> Vec<Plot> {
    let shown = &worst[..worst.len().min(PLOTTED)];
    let (times, result_times) = (&verdict.wanted.time, &verdict.got.time);
    // The half-width of tubes depends on the times only.
    let (dx, _) = rectangle((times, &[0.0]), verdict.tube);
    let span = span(times, result_times);
    let tube_times = tube_times(times, dx, span);
    let n = 3 * shown.len();
    let [reference, result] = [times, result_times].map(|times| if Data::thins(times.len(), n) { 0 } else { data.grid(times) });
    let grids = Grids { reference, result, tube: data.grid(&tube_times), tube_times, ends: data.grid(&[span.0, span.1]), n };
    let mut plots = Vec::new();
    for signal in shown {
        let (Some(expected), Some(values)) = (verdict.wanted.values(&signal.name), verdict.got.values(&signal.name)) else { continue };
        let unit = unit_of(verdict, &signal.name);
        let (chart, sizes) = chart(data, &grids, signal, &unit, [(times, &expected), (result_times, &values)], verdict.tube);
        let says = match signal.judgement.inside {
            true => format!("{:.1e} of the signal's range", signal.error_of_range),
            false => visible(&signal.to_string()),
        };
        let number = data.charts.len();
        data.charts.push(chart);
        plots.push(Plot {
            number,
            name: visible(&signal.name),
            unit,
            mark: verdicted(signal.judgement.inside, PLACES),
            says,
            sizes,
            open: number < OPEN,
        });
    }
    plots
}

/// The page of a verdict.
pub(crate) fn page(verdict: &Verdict) -> Result<String, Failure> {
    let comparison = verdict.comparison();
    let worst = comparison.worst();
    let mut data = Data::default();
    data.legend = legend();
    let plots = plots(verdict, &worst, &mut data);
    let rules = verdict.by_rule.iter().map(|(rule, comparison)| RuleRow {
        rule: rule.to_string(),
        inside: comparison.signals.iter().filter(|signal| signal.judgement.inside).count(),
        of: comparison.signals.len(),
        mark: verdicted(comparison.passes(), PLACES),
    });
    let row = |signal: &&SignalComparison| SignalRow {
        name: visible(&signal.name),
        mark: verdicted(signal.judgement.inside, PLACES),
        error: format!("{:.1e}", signal.error_of_range),
    };
    let [result, reference] = [&verdict.result, &verdict.reference].map(|path| visible(&path.display().to_string()));
    let mark = verdicted(verdict.passes(), ["the same", "different"]);
    let page = ComparisonPage {
        page: Page::new(format!("{}: {result}", mark.word), format!("{result} against {reference}"), &data),
        mark,
        rules: rules.collect(),
        missing: visible(&comparison.missing.join(", ")),
        too_short: comparison.short,
        remarks: verdict.remarks().iter().map(|remark| visible(remark)).collect(),
        outside: outside_rows(verdict, &worst),
        plots,
        all: if worst.len() > PLOTTED { worst.iter().map(row).collect() } else { Vec::new() },
        tube: verdict.tube,
    };
    file_of(&page).map_err(|error| Failure::Outside(format!("cannot make the report: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_those_of_each_side_of_an_event() {
        let (times, values) = ([0.0, 1.0, 1.0, 2.0], [0.0, 0.0, 5.0, 5.0]);
        assert_eq!(difference((&times, &values), (&times, &values), 1e-7, 1e-9), [0.0; 4]);
        let shifted = [0.5, 0.5, 5.5, 5.5];
        // Behind the event the reference lies between the two limits of the result, which could be late.
        assert_eq!(difference((&times, &values), (&times, &shifted), 1e-7, 1e-9), [0.5, 0.5, 0.0, 0.5]);
        assert_eq!(difference((&[0.0], &[1.0]), (&[0.0], &[4.0]), 1e-7, 1e-9), [3.0]);
    }

    #[test]
    fn tubes_are_drawn_where_they_bend() {
        let times = tube_times(&[0.0, 0.3, 1.0], 0.002, (0.0, 1.0));
        assert!(times.contains(&(0.3 - 0.002)) && times.contains(&0.3) && times.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(times[0] == 0.0 && times[times.len() - 1] == 1.0);
    }
}
