//! The comparison as a page with plots: one file, no scripts, nothing loaded from elsewhere.
//!
//! First the verdicts by rule and a table of the signals that are outside. Then for each of the worst signals: reference, result and the
//! tube over time, and below it the difference with the half-height of the tube; events that are late by what the figure of differences
//! forgives make none. Lines are drawn with at most two points (lowest and highest) per pixel column, so the page stays small for long results.

use super::compare::Verdict;
use partita_runtime::result::compare::{LATE, SignalComparison};
use partita_runtime::result::rules::{Line, Window, rectangle};
use std::fmt::Write;

/// How many signals are plotted.
const PLOTTED: usize = 40;
/// How many of these are open when the page opens.
const OPEN: usize = 6;
const WIDTH: f64 = 860.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 14.0;

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:920px;padding:0 1rem;color:#222;background:#fff}
h1{font-size:1.35rem;margin:0 0 .3rem}table{border-collapse:collapse;margin:.8rem 0}td,th{padding:.25rem .7rem;text-align:left;border-bottom:1px solid #ddd}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}.ok{color:#17723a}.bad{color:#b3261e}.verdict{font-weight:600}
details{border:1px solid #ddd;border-radius:6px;margin:.6rem 0;padding:.4rem .8rem}summary{cursor:pointer;font-weight:600}
svg{display:block;width:100%;height:auto}svg text{font:11px system-ui,sans-serif;fill:#555}.legend span{margin-right:1.2rem}.key{display:inline-block;width:1.6rem;height:.55rem;margin-right:.35rem;vertical-align:middle}
p.small{color:#666;font-size:.87rem}";

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A number in few digits.
fn short(value: f64) -> String {
    if value == 0.0 || (1e-3..1e5).contains(&value.abs()) {
        let text = format!("{value:.5}");
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    } else {
        let text = format!("{value:.3e}");
        match text.split_once('e') {
            Some((digits, exponent)) if digits.contains('.') => format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.')),
            _ => text,
        }
    }
}

/// A rectangle of the page and what it shows.
struct Frame {
    top: f64,
    height: f64,
    x: (f64, f64),
    y: (f64, f64),
}

impl Frame {
    fn column(&self, t: f64) -> f64 {
        LEFT + (t - self.x.0) / (self.x.1 - self.x.0) * (WIDTH - LEFT - RIGHT)
    }

    fn row(&self, y: f64) -> f64 {
        self.top + (self.y.1 - y) / (self.y.1 - self.y.0) * self.height
    }

    /// Round values for the axis.
    fn ticks((low, high): (f64, f64)) -> Vec<f64> {
        let raw = (high - low) / 5.0;
        let power = 10_f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|k| k * power).find(|step| *step >= raw).unwrap_or(raw);
        let first = (low / step).ceil() as i64;
        (0..12).map(|k| (first + k) as f64 * step).take_while(|tick| *tick <= high * (1.0 + 1e-12) + 1e-12 * step).collect()
    }

    fn axes(&self, svg: &mut String, times: bool) {
        let bottom = self.top + self.height;
        for tick in Frame::ticks(self.y) {
            let y = self.row(tick);
            let _ = write!(svg, "<path d='M{LEFT} {y:.1}H{:.1}' stroke='#e8e8e8'/><text x='{:.1}' y='{:.1}' text-anchor='end'>{}</text>", WIDTH - RIGHT, LEFT - 6.0, y + 4.0, short(tick));
        }
        for tick in Frame::ticks(self.x) {
            let x = self.column(tick);
            let _ = write!(svg, "<path d='M{x:.1} {:.1}V{bottom:.1}' stroke='#f0f0f0'/>", self.top);
            if times {
                let _ = write!(svg, "<text x='{x:.1}' y='{:.1}' text-anchor='middle'>{}</text>", bottom + 15.0, short(tick));
            }
        }
        let _ = write!(svg, "<rect x='{LEFT}' y='{:.1}' width='{:.1}' height='{:.1}' fill='none' stroke='#999'/>", self.top, WIDTH - LEFT - RIGHT, self.height);
    }

    /// The path of a line; long lines are thinned to the extrema of each pixel column.
    fn path(&self, points: impl Iterator<Item = (f64, f64)>) -> String {
        let mut path = String::new();
        let mut pen_down = false;
        let mut pending: Vec<(f64, f64)> = Vec::new();
        let mut flush = |pending: &mut Vec<(f64, f64)>, path: &mut String| {
            let kept: Vec<(f64, f64)> = if pending.len() <= 4 {
                pending.clone()
            } else {
                let lowest = (0..pending.len()).min_by(|a, b| pending[*a].1.total_cmp(&pending[*b].1)).unwrap_or(0);
                let highest = (0..pending.len()).max_by(|a, b| pending[*a].1.total_cmp(&pending[*b].1)).unwrap_or(0);
                let mut keep = vec![0, lowest, highest, pending.len() - 1];
                keep.sort_unstable();
                keep.dedup();
                keep.into_iter().map(|k| pending[k]).collect()
            };
            for (x, y) in kept {
                let _ = write!(path, "{}{x:.1} {y:.1}", if pen_down { 'L' } else { 'M' });
                pen_down = true;
            }
            pending.clear();
        };
        for (t, y) in points.filter(|(t, y)| t.is_finite() && y.is_finite()) {
            let point = (self.column(t), self.row(y).clamp(self.top - 1e4, self.top + self.height + 1e4));
            if pending.last().is_some_and(|last| last.0.floor() != point.0.floor()) {
                flush(&mut pending, &mut path);
            }
            pending.push(point);
        }
        flush(&mut pending, &mut path);
        path
    }
}

/// Widens a range for the eye; never empty.
fn widened(low: f64, high: f64) -> (f64, f64) {
    let size = (high - low).max(1e-9 * low.abs().max(high.abs())).max(1e-12);
    (low - 0.06 * size, high + 0.06 * size)
}

/// The difference of two lines at the times of the first; at an event each limit against its own. Where it is larger than `small`, the
/// second line may be late or early by `late`.
fn difference(reference: Line<'_>, result: Line<'_>, late: f64, small: f64) -> Vec<(f64, f64)> {
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
    reference.0.iter().zip(reference.1).enumerate().map(|(k, (t, y))| {
        let after = if ends(k) { times.partition_point(|x| x < t) } else { times.partition_point(|x| x <= t) };
        let plain = at(after, *t) - y;
        if plain.abs() <= small {
            return (*t, plain);
        }
        let (low, high) = window.bounds(*t);
        (*t, if low > *y { low - y } else if high < *y { high - y } else if plain.is_finite() { 0.0 } else { plain })
    }).collect()
}

/// The part of a line between two times, and its neighbours.
fn part<'a>((times, values): Line<'a>, (first, last): (f64, f64)) -> Line<'a> {
    let begin = times.partition_point(|t| *t < first).saturating_sub(1);
    let end = (times.partition_point(|t| *t <= last) + 1).min(times.len());
    (&times[begin..end], &values[begin..end])
}

/// One plot, of the whole run or of the times `detail`.
fn plot(signal: &SignalComparison, number: usize, whole: Line<'_>, result: Line<'_>, r: f64, detail: Option<(f64, f64)>) -> String {
    let (dx, dy) = rectangle(whole, r);
    let late = LATE * (whole.0[whole.0.len() - 1] - whole.0[0]);
    // Names of clipping areas, which a page has once only.
    let [up, down] = ["up", "down"].map(|word| format!("{word}{number}{}", if detail.is_some() { "d" } else { "" }));
    let (reference, result) = match detail {
        Some(times) => (part(whole, times), part(result, times)),
        None => (whole, result),
    };
    let finite = |values: &[f64]| values.iter().filter(|v| v.is_finite()).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(*v), b.max(*v)));
    let (a, b) = (finite(reference.1), finite(result.1));
    // A result that runs away must not flatten the reference.
    let size = (a.1 - a.0).max(8.0 * dy);
    let y = widened((a.0 - dy).min(b.0.max(a.0 - 2.0 * size)), (a.1 + dy).max(b.1.min(a.1 + 2.0 * size)));
    let (first, last) = (reference.0[0].min(result.0[0]), reference.0[reference.0.len() - 1].max(result.0[result.0.len() - 1]));
    let x = detail.unwrap_or(if last > first { (first, last) } else { (first - 0.5, first + 0.5) });
    let above = Frame { top: 12.0, height: 230.0, x, y };
    let differences = difference(reference, result, late, 0.01 * dy);
    let largest = differences.iter().map(|(_, d)| d.abs()).filter(|d| d.is_finite()).fold(0.0, f64::max);
    // The half-height is shown only where the difference comes near it.
    let reach = if largest > 0.2 * dy { largest.max(1.1 * dy) } else { largest.max(1e-15) };
    let below = Frame { top: 262.0, height: 110.0, x, y: (-1.1 * reach, 1.1 * reach) };
    let mut svg = format!("<svg viewBox='0 0 {WIDTH} 400' role='img' aria-label='{}'>", escape(&signal.name));
    let _ = write!(svg, "<clipPath id='{up}'><rect x='{LEFT}' y='12' width='{0:.1}' height='230'/></clipPath><clipPath id='{down}'><rect x='{LEFT}' y='262' width='{0:.1}' height='110'/></clipPath>", WIDTH - LEFT - RIGHT);
    above.axes(&mut svg, false);
    below.axes(&mut svg, true);
    // The tube at each pixel column.
    let mut window = Window::new(whole, dx);
    let columns: Vec<(f64, f64, f64)> = (0..=420).map(|k| {
        let t = x.0 + (x.1 - x.0) * f64::from(k) / 420.0;
        let (low, high) = window.bounds(t);
        (t, low - dy, high + dy)
    }).collect();
    let high = above.path(columns.iter().map(|(t, _, high)| (*t, *high)));
    let low = above.path(columns.iter().rev().map(|(t, low, _)| (*t, *low)));
    let _ = write!(svg, "<g clip-path='url(#{up})'><path d='{high}L{}Z' fill='#bfe3c9' fill-opacity='.75' stroke='#7fbf92' stroke-width='.7'/>", low.trim_start_matches('M'));
    let points = |line: Line<'_>| line.0.iter().copied().zip(line.1.iter().copied()).collect::<Vec<_>>();
    let _ = write!(svg, "<path d='{}' fill='none' stroke='#333' stroke-width='1.6'/>", above.path(points(reference).into_iter()));
    let _ = write!(svg, "<path d='{}' fill='none' stroke='#1f6fd6' stroke-width='1.4' stroke-dasharray='6 3'/>", above.path(points(result).into_iter()));
    let judgement = &signal.judgement;
    if judgement.time.is_finite() && judgement.value.is_finite() && !judgement.inside {
        let (cx, cy) = (above.column(judgement.time), above.row(judgement.value).clamp(above.top, above.top + above.height));
        let _ = write!(svg, "<circle cx='{cx:.1}' cy='{cy:.1}' r='5' fill='none' stroke='#b3261e' stroke-width='2'/>");
    }
    let _ = write!(svg, "</g><g clip-path='url(#{down})'>");
    for sign in [-1.0, 1.0] {
        let _ = write!(svg, "<path d='M{LEFT} {0:.1}H{1:.1}' stroke='#7fbf92' stroke-dasharray='3 3'/>", below.row(sign * dy), WIDTH - RIGHT);
    }
    let _ = write!(svg, "<path d='{}' fill='none' stroke='#b3261e' stroke-width='1.2'/></g>", below.path(differences.into_iter()));
    let _ = write!(svg, "<text x='{LEFT}' y='257'>difference (result − reference), largest {}; half-height of the tube {}</text><text x='{:.1}' y='387' text-anchor='end'>time</text></svg>", short(largest), short(dy), LEFT - 28.0);
    svg
}

/// The signals that are outside, with the point where each is worst.
fn outside_table(html: &mut String, worst: &[&SignalComparison]) {
    let outside: Vec<&&SignalComparison> = worst.iter().filter(|signal| !signal.judgement.inside).take(PLOTTED).collect();
    if outside.is_empty() {
        return;
    }
    html.push_str("<table><tr><th>outside</th><th class='n'>worst at time</th><th class='n'>result</th><th class='n'>allowed</th><th class='n'>difference, part of range</th></tr>");
    // They come first, so the number is that of the plot.
    for (number, signal) in outside.iter().enumerate() {
        let judgement = &signal.judgement;
        let allowed = format!("{} … {}", short(judgement.low), short(judgement.high));
        let (result, allowed) = if judgement.reversed { (format!("stays in {allowed}"), format!("has to reach {}", short(judgement.value))) } else { (short(judgement.value), allowed) };
        let _ = write!(html, "<tr><td><a href='#s{number}'>{}</a></td><td class='n'>{}</td><td class='n'>{result}</td><td class='n'>{allowed}</td><td class='n'>{:.1e}</td></tr>", escape(&signal.name), short(judgement.time), signal.error_of_range);
    }
    html.push_str("</table>");
}

/// The page of a verdict.
pub(super) fn page(verdict: &Verdict) -> String {
    let comparison = verdict.comparison();
    let (word, class) = if verdict.passes() { ("the same", "ok") } else { ("different", "bad") };
    let mut html = format!(
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width'><title>{word}: {0}</title><style>{STYLE}</style></head><body><h1>{0} against {1}</h1><p class='verdict {class}'>{word}</p>",
        escape(&verdict.result.display().to_string()),
        escape(&verdict.reference.display().to_string())
    );
    html.push_str("<table><tr><th>rule</th><th>signals inside</th><th>verdict</th></tr>");
    for (rule, comparison) in &verdict.by_rule {
        let inside = comparison.signals.iter().filter(|signal| signal.judgement.inside).count();
        let (word, class) = if comparison.passes() { ("inside", "ok") } else { ("outside", "bad") };
        let _ = write!(html, "<tr><td>{rule}</td><td class='n'>{inside} of {}</td><td class='{class}'>{word}</td></tr>", comparison.signals.len());
    }
    html.push_str("</table>");
    if !comparison.missing.is_empty() {
        let _ = write!(html, "<p class='bad'>Missing in the result: {}</p>", escape(&comparison.missing.join(", ")));
    }
    if let Some((end, wanted)) = comparison.short {
        let _ = write!(html, "<p class='bad'>The result ends at time {end}, the reference at {wanted}.</p>");
    }
    for remark in verdict.remarks() {
        let _ = write!(html, "<p class='small'>Remark: {}.</p>", escape(&remark));
    }
    let worst = comparison.worst();
    outside_table(&mut html, &worst);
    html.push_str("<p class='legend'><span><i class='key' style='background:#333'></i>reference</span><span><i class='key' style='background:#1f6fd6'></i>result</span><span><i class='key' style='background:#bfe3c9'></i>tube</span><span><i class='key' style='background:#b3261e'></i>difference, and the worst point outside</span></p>");
    for (number, signal) in worst.iter().take(PLOTTED).enumerate() {
        let (Some(expected), Some(values)) = (verdict.wanted.values(&signal.name), verdict.got.values(&signal.name)) else { continue };
        let (mark, class) = if signal.judgement.inside { ("inside", "ok") } else { ("outside", "bad") };
        let open = if number < OPEN { " open" } else { "" };
        let says = if signal.judgement.inside { format!("Largest difference: {:.1e} of the signal's range.", signal.error_of_range) } else { signal.to_string() };
        let _ = write!(html, "<details{open} id='s{number}'><summary>{} <span class='{class}'>{mark}</span></summary><p class='small'>{}</p>", escape(&signal.name), escape(&says));
        let (reference, result): (Line<'_>, Line<'_>) = ((&verdict.wanted.time, &expected), (&verdict.got.time, &values));
        html.push_str(&plot(signal, number, reference, result, verdict.tube, None));
        let (at, (dx, _)) = (signal.judgement.time, rectangle(reference, verdict.tube));
        let varies = [&expected, &values].iter().any(|line| line.iter().any(|y| *y != line[0]));
        if !signal.judgement.inside && at.is_finite() && varies {
            html.push_str("<p class='small'>Around the worst point, within ten widths of the tube:</p>");
            let ends = |f: fn(f64, f64) -> f64, k: fn(&[f64]) -> Option<&f64>| k(reference.0).into_iter().chain(k(result.0)).copied().reduce(f).unwrap_or(at);
            let times = ((at - 10.0 * dx).max(ends(f64::min, <[f64]>::first)), (at + 10.0 * dx).min(ends(f64::max, <[f64]>::last)));
            if times.1 > times.0 {
                html.push_str(&plot(signal, number, reference, result, verdict.tube, Some(times)));
            }
        }
        html.push_str("</details>");
    }
    if worst.len() > PLOTTED {
        html.push_str("<details><summary>All signals</summary><table><tr><th>signal</th><th>verdict</th><th>largest difference, part of range</th></tr>");
        for signal in &worst {
            let (mark, class) = if signal.judgement.inside { ("inside", "ok") } else { ("outside", "bad") };
            let _ = write!(html, "<tr><td>{}</td><td class='{class}'>{mark}</td><td class='n'>{:.1e}</td></tr>", escape(&signal.name), signal.error_of_range);
        }
        html.push_str("</table></details>");
    }
    let _ = write!(html, "<p class='small'>Tube of {}: half-width and half-height as parts of the time span and of each signal's range. Signals in order of how far they are outside. Made by Partita {}.</p></body></html>", verdict.tube, env!("CARGO_PKG_VERSION"));
    html
}
