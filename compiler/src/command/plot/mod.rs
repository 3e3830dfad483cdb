//! `--plot`: curves of signals over time, as a picture in a file or as text in the terminal.
//!
//! Input: what the user asked for and the points of a run. Output: an SVG or PNG file, or lines of Braille characters.
//! A picture is first laid out as a [`Scene`] of lines and words, which `svg` and `png` draw each in its way.

mod font;
mod png;
mod scene;
mod svg;
mod terminal;

use super::{Failure, outside};
use partita_runtime::arguments::{cut_at_equals_sign, last};
use partita_runtime::exec::near_names;
use partita_runtime::files;
use partita_runtime::plan::Signal;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// One `--plot`: signals, and the file to draw them in.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Request {
    names: Vec<String>,
    pub(super) file: Option<PathBuf>,
}

/// Formats of pictures by the ending of the file name.
fn is_picture(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg") || ending.eq_ignore_ascii_case("png"))
}

/// Reads `a,b=FILE.svg` or `a,b`. Commas inside brackets and quotes belong to names: `x[1,2]`.
pub(super) fn request(text: &OsStr) -> Result<Request, String> {
    let (names, file) = match cut_at_equals_sign(text, last) {
        Some((names, file)) if is_picture(Path::new(&file)) => (names, Some(PathBuf::from(file))),
        Some((_, file)) => return Err(format!("`{}` is no file for a picture; its name has to end in .svg or .png", file.display())),
        None => (text.to_str().ok_or("names of variables are text in UTF-8")?.to_string(), None),
    };
    let mut list = vec![String::new()];
    let mut depth = 0;
    let mut quoted = false;
    for c in names.chars() {
        match c {
            '\'' => quoted = !quoted,
            '[' | '(' if !quoted => depth += 1,
            ']' | ')' if !quoted => depth -= 1,
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
        return Err("expected names of variables, as in a,b=FILE.svg".to_string());
    }
    Ok(Request { names, file })
}

/// The points of one signal.
#[derive(Clone, Debug)]
struct Curve {
    /// Name and unit.
    label: String,
    /// The position in a row of results.
    position: usize,
    values: Vec<f64>,
}

/// A picture that is being filled with points.
#[derive(Clone, Debug)]
pub(super) struct Plot {
    title: String,
    file: Option<PathBuf>,
    times: Vec<f64>,
    curves: Vec<Curve>,
}

impl Plot {
    /// Finds the signals of a request.
    pub(super) fn new(request: &Request, model: &str, signals: &[Signal]) -> Result<Plot, Failure> {
        let mut curves = Vec::new();
        for name in &request.names {
            let mut position = 0;
            let mut found = None;
            for signal in signals {
                if signal.name == *name {
                    found = Some(signal);
                    break;
                }
                position += usize::from(signal.varies);
            }
            let Some(signal) = found else {
                let near = near_names(signals.iter().map(|signal| signal.name.as_str()), name);
                let similar = if near.is_empty() { String::new() } else { format!("; similar: {}", near.join(", ")) };
                return Err(Failure::Outside(format!("--plot: the model has no variable `{name}`{similar}")));
            };
            if !signal.varies {
                return Err(Failure::Outside(format!("--plot: `{name}` is a parameter: it does not change during the run")));
            }
            let label = if signal.unit.is_empty() { name.clone() } else { format!("{name} [{}]", signal.unit) };
            curves.push(Curve { label, position, values: Vec::new() });
        }
        Ok(Plot { title: model.to_string(), file: request.file.clone(), times: Vec::new(), curves })
    }

    /// One more point of the run.
    pub(super) fn point(&mut self, t: f64, row: &[f64]) {
        self.times.push(t);
        for curve in &mut self.curves {
            curve.values.push(row[curve.position]);
        }
    }

    /// Draws the picture: in its file, of which a line is returned, or as text.
    pub(super) fn draw(&self) -> Result<String, Failure> {
        let Some(path) = &self.file else {
            return Ok(self.curves.iter().map(|curve| terminal::draw(&curve.label, &self.times, &curve.values)).collect());
        };
        let scene = scene::of(&self.title, &self.times, &self.curves);
        let is_png = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
        let bytes = if is_png { png::draw(&scene) } else { svg::draw(&scene).into_bytes() };
        files::write(path, &bytes).map_err(outside)?;
        Ok(format!("picture in {}\n", path.display()))
    }
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
    let size = low.abs().max(high.abs());
    if high - low > 1e-9 * size && high > low {
        return (low, high);
    }
    let half = if size == 0.0 { 1.0 } else { 0.5 * size };
    (low - half, high + half)
}

/// Round numbers between `low` and `high`, about `n` of them, and the number of decimals that tells them apart.
fn ticks(low: f64, high: f64, n: usize) -> Vec<f64> {
    let raw = (high - low) / n.max(1) as f64;
    let power = 10f64.powi(raw.log10().floor() as i32);
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= raw * 0.999).unwrap_or(raw);
    let first = (low / step - 1e-9).ceil();
    let last = (high / step + 1e-9).floor();
    if !(step > 0.0 && first.is_finite() && last.is_finite() && last - first < 100.0) {
        return vec![low, high];
    }
    (0..=(last - first) as u32).map(|k| (first + f64::from(k)) * step).collect()
}

/// A number on an axis.
fn tick_text(value: f64, step: f64) -> String {
    if value.abs() < 1e-9 * step.abs() {
        return "0".to_string();
    }
    let size = value.abs();
    if !(1e-4..1e6).contains(&size) {
        let text = format!("{value:.3e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let mantissa = if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa };
        return format!("{mantissa}e{exponent}");
    }
    let decimals = (-step.abs().log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(text: &str) -> Result<Request, String> {
        super::request(OsStr::new(text))
    }

    #[test]
    fn requests_keep_commas_of_indices() {
        let wanted = request("a,x[1,2],'b,c'=out.SVG").unwrap();
        assert_eq!(wanted.names, ["a", "x[1,2]", "'b,c'"]);
        assert_eq!(wanted.file, Some(PathBuf::from("out.SVG")));
        assert_eq!(request("der(x)").unwrap(), Request { names: vec!["der(x)".to_string()], file: None });
        assert!(request("a=out.pdf").unwrap_err().contains(".svg or .png"));
        assert!(request("a,,b").is_err());
    }

    #[test]
    fn axes_have_round_numbers() {
        let texts = |low, high| {
            let ticks = ticks(low, high, 5);
            let step = ticks[1] - ticks[0];
            ticks.iter().map(|tick| tick_text(*tick, step)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(texts(0.0, 8.0), "0 2 4 6 8");
        assert_eq!(texts(-0.13, 0.31), "-0.1 0.0 0.1 0.2 0.3".replace("0.0", "0"));
        assert_eq!(texts(0.0, 3e7), "0 1e7 2e7 3e7");
        assert_eq!(widened((2.0, 2.0)), (1.0, 3.0));
        assert_eq!(widened((0.0, 0.0)), (-1.0, 1.0));
    }

    #[test]
    fn pictures_are_whole() {
        let times: Vec<f64> = (0..200).map(|k| f64::from(k) * 0.1).collect();
        let curve = Curve { label: "x <m>".to_string(), position: 0, values: times.iter().map(|t| t.sin()).collect() };
        let scene = scene::of("A & B", &times, &[curve.clone()]);
        let svg = svg::draw(&scene);
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(svg.contains("A &amp; B") && svg.contains("x &lt;m&gt;"));
        let png = png::draw(&scene);
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.ends_with(b"IEND\xae\x42\x60\x82"));
        assert!(png.len() < 100_000, "{} bytes", png.len());
        let text = terminal::draw(&curve.label, &times, &curve.values);
        assert!(text.lines().count() > 8 && text.contains("x <m>") && text.contains("19.9"), "{text}");
    }
}
