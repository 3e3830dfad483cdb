//! Curves of signals over time: `run --plot` and `partita plot`.
//!
//! Input: what the user asked for, and the points of a run or of a result file. Output: an SVG, PNG or HTML file, or lines of Braille
//! characters. Method: [`select`] finds the signals, [`figure`] lays a picture out, `png` draws the same picture in pixels, [`page`]
//! makes a page of it. Guarantee: a file is written whole or not at all. Cost: eight bytes for each point and signal.

mod figure;
pub(super) mod file;
mod font;
mod page;
mod png;
mod select;
mod terminal;

use crate::failure::{Failure, outside};
use partita_runtime::base::arguments::{cut_at_equals_sign, last};
use partita_runtime::base::files;
use partita_runtime::model::plan::Signal;
use select::{Candidate, choose};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// One `--plot`: signals, and the file to draw them in.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Request {
    names: Vec<String>,
    pub(super) file: Option<PathBuf>,
}

/// What a picture is drawn as.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    Terminal,
    Svg,
    Png,
    Html,
}

impl Kind {
    /// The kind that the ending of a file's name asks for; none if there is no such kind.
    fn of(path: Option<&Path>) -> Option<Kind> {
        let Some(path) = path else { return Some(Kind::Terminal) };
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "svg" => Some(Kind::Svg),
            "png" => Some(Kind::Png),
            "html" | "htm" => Some(Kind::Html),
            _ => None,
        }
    }

    /// How many signals it shows at most; a page lets its reader choose among them.
    fn most(self) -> usize {
        match self {
            Kind::Terminal => 12,
            Kind::Svg | Kind::Png => 40,
            Kind::Html => 1000,
        }
    }
}

/// Checks the ending of a picture's name.
fn picture_file(path: PathBuf) -> Result<PathBuf, String> {
    match Kind::of(Some(&path)) {
        Some(_) => Ok(path),
        None => Err(format!("`{}` is no file for a picture; its name has to end in .svg, .png or .html", path.display())),
    }
}

/// Refuses more signals than can be shown.
fn check_number(n: usize, file: Option<&Path>) -> Result<(), String> {
    let kind = Kind::of(file).unwrap_or(Kind::Terminal);
    if n <= kind.most() {
        return Ok(());
    }
    let shown = match kind {
        Kind::Terminal => "the terminal shows 12 at most, a picture (.svg, .png) 40, a page (.html) 1000",
        Kind::Svg | Kind::Png => "a picture shows 40 at most, a page (.html) 1000",
        Kind::Html => "a page holds 1000 at most",
    };
    Err(format!("these are {n} signals, and {shown}"))
}

/// Reads `a,b=FILE.svg` or `a,b`.
pub(super) fn request(text: &OsStr) -> Result<Request, String> {
    let (words, file) = match cut_at_equals_sign(text, last) {
        Some((words, file)) => (words, Some(picture_file(PathBuf::from(file))?)),
        None => (text.to_str().ok_or("names of variables are text in UTF-8")?.to_string(), None),
    };
    Ok(Request { names: names(&words)?, file })
}

/// Words that are separated by commas. Commas inside brackets and quotes belong to names: `x[1,2]`.
fn names(words: &str) -> Result<Vec<String>, String> {
    let mut list = vec![String::new()];
    let mut depth = 0;
    let mut quoted = false;
    for c in words.chars() {
        match c {
            '\'' => quoted = !quoted,
            '[' | '(' | '{' if !quoted => depth += 1,
            ']' | ')' | '}' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                list.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(name) = list.last_mut() {
            name.push(c);
        }
    }
    let names: Vec<String> = list.into_iter().map(|name| name.trim().to_string()).collect();
    if names.iter().any(String::is_empty) {
        return Err("expected names separated by commas, as in a,b".to_string());
    }
    Ok(names)
}

/// The points of one signal.
#[derive(Clone, Debug)]
struct Curve {
    name: String,
    unit: String,
    values: Vec<f64>,
}

/// Text without characters that neither terminals nor pages can show.
pub(super) fn visible(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { '\u{fffd}' } else { c }).collect()
}

impl Curve {
    fn new(name: &str, unit: &str, values: Vec<f64>) -> Curve {
        Curve { name: visible(name), unit: visible(unit), values }
    }

    /// Name and unit.
    fn label(&self) -> String {
        if self.unit.is_empty() { self.name.clone() } else { format!("{} [{}]", self.name, self.unit) }
    }
}

/// Curves over the same times.
#[derive(Clone, Debug)]
struct Picture {
    title: String,
    times: Vec<f64>,
    curves: Vec<Curve>,
}

impl Picture {
    /// Draws the picture: in its file, of which a line is returned, or as text.
    fn draw(&self, file: Option<&Path>) -> Result<String, Failure> {
        let Some(path) = file else {
            return Ok(self.curves.iter().map(|curve| terminal::draw(&curve.label(), &self.times, &curve.values)).collect());
        };
        let bytes = match Kind::of(file) {
            Some(Kind::Png) => figure::svg(self).and_then(|svg| png::draw(&svg)),
            Some(Kind::Html) => page::page(self).map(String::into_bytes),
            _ => figure::svg(self).map(String::into_bytes),
        };
        let bytes = bytes.map_err(|reason| Failure::Outside(format!("cannot draw {}: {reason}", path.display())))?;
        files::write(path, &bytes).map_err(outside)?;
        Ok(format!("picture in {}\n", path.display()))
    }
}

/// A picture that is being filled with the points of a run.
#[derive(Clone, Debug)]
pub(super) struct Plot {
    file: Option<PathBuf>,
    picture: Picture,
    /// Where the values of the curves are in a row of results.
    positions: Vec<usize>,
}

impl Plot {
    /// Finds the signals of a request.
    pub(super) fn new(request: &Request, model: &str, signals: &[Signal]) -> Result<Plot, Failure> {
        let wrong = |message: String| Failure::Outside(format!("--plot: {message}"));
        let candidates: Vec<Candidate<'_>> = signals.iter().map(|signal| Candidate { name: &signal.name, varies: signal.varies }).collect();
        let chosen = choose(&candidates, &request.names).map_err(|problem| wrong(problem.text("the model", "variable")))?;
        if let Some(number) = chosen.iter().find(|number| !signals[**number].varies) {
            return Err(wrong(format!("`{}` is a parameter: it does not change during the run", signals[*number].name)));
        }
        check_number(chosen.len(), request.file.as_deref()).map_err(wrong)?;
        // Rows have a value for each signal that varies.
        let mut n_varying = 0;
        let mut places = Vec::with_capacity(signals.len());
        for signal in signals {
            places.push(n_varying);
            n_varying += usize::from(signal.varies);
        }
        let curves = chosen.iter().map(|number| Curve::new(&signals[*number].name, &signals[*number].unit, Vec::new())).collect();
        let picture = Picture { title: visible(model), times: Vec::new(), curves };
        Ok(Plot { file: request.file.clone(), picture, positions: chosen.iter().map(|number| places[*number]).collect() })
    }

    /// One more point of the run.
    pub(super) fn point(&mut self, t: f64, row: &[f64]) {
        self.picture.times.push(t);
        for (curve, position) in self.picture.curves.iter_mut().zip(&self.positions) {
            curve.values.push(row[*position]);
        }
    }

    /// Draws the picture: in its file, of which a line is returned, or as text.
    pub(super) fn draw(&self) -> Result<String, Failure> {
        self.picture.draw(self.file.as_deref())
    }
}

/// The largest number of an axis; there is room for a margin beyond it.
const MOST: f64 = 1.6e308;

/// Where a value lies between two others, as a part of their distance; halves, since the distance of the largest numbers is none.
fn part(value: f64, (low, high): (f64, f64)) -> f64 {
    let value = if value.is_finite() { value.clamp(-MOST, MOST) } else { value };
    (0.5 * value - 0.5 * low) / (0.5 * high - 0.5 * low)
}

/// The smallest and the largest number, if there is any.
fn range<'v>(values: impl IntoIterator<Item = &'v f64>) -> Option<(f64, f64)> {
    let finite = values.into_iter().copied().filter(|value| value.is_finite());
    finite.fold(None, |range, value| match range {
        None => Some((value, value)),
        Some((low, high)) => Some((value.min(low), value.max(high))),
    })
}

/// A range that is not empty, for scales.
fn widened((low, high): (f64, f64)) -> (f64, f64) {
    let (low, high) = (low.clamp(-MOST, MOST), high.clamp(-MOST, MOST));
    let size = low.abs().max(high.abs());
    if high - low > 1e-9 * size && high > low {
        return (low, high);
    }
    let half = if size == 0.0 { 1.0 } else { 0.5 * size };
    ((low - half).max(-MOST), (high + half).min(MOST))
}

/// Round numbers between `low` and `high`, about `n` of them, and the number of decimals that tells them apart.
fn ticks(low: f64, high: f64, n: usize) -> Vec<f64> {
    let n = n.max(1) as f64;
    let raw = high / n - low / n;
    let power = 10f64.powi(raw.log10().floor() as i32);
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= raw * 0.999).unwrap_or(raw);
    let first = (low / step - 1e-9).ceil();
    let last = (high / step + 1e-9).floor();
    if !(step > 0.0 && first.is_finite() && last.is_finite() && last - first < 100.0) {
        return vec![low, high];
    }
    (0..=(last - first) as u32).map(|k| (first + f64::from(k)) * step).collect()
}

/// A number on an axis that reaches to `largest`, with the digits that tell it from one at the distance `step`.
fn tick_text(value: f64, step: f64, largest: f64) -> String {
    let size = value.abs();
    if size < 1e-9 * step.abs() {
        return "0".to_string();
    }
    let power = |size: f64| (size.log10() + 1e-9).floor();
    if (1e-3..1e6).contains(&largest) {
        let decimals = (-power(step.abs())).clamp(0.0, 12.0) as usize;
        return format!("{value:.decimals$}");
    }
    let digits = (power(size) - power(step.abs())).clamp(0.0, 8.0) as usize;
    let text = format!("{value:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mantissa = if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa };
    format!("{mantissa}e{exponent}")
}

#[cfg(test)]
mod tests;
