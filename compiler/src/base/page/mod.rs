//! Pages: what plots, comparisons and analyses have in common.
//!
//! Input: what a page says, as a template that extends `templates/page.html`, and its curves as [`Chart`]s. Output: one file of HTML with
//! style, script and data inside, which loads nothing. Method: askama fills the templates; the curves are JSON, drawn by
//! `templates/page.js`. Guarantee: names are escaped, in the page and in the data, and its policy forbids it to load anything. Cost:
//! linear in what is shown.

mod chart;
pub mod filters;
pub mod thin;

use askama::Template;

pub use chart::{Chart, Data, Detail, Legend, Mark, Panel, Series};

/// What every page has.
#[derive(Clone, Debug)]
pub struct Page {
    /// The name of the window.
    pub title: String,
    /// The headline.
    pub heading: String,
    /// The version of Partita.
    pub version: &'static str,
    /// The curves as JSON.
    pub data: String,
}

impl Page {
    /// A page with curves.
    pub fn new(title: String, heading: String, data: &Data) -> Page {
        Page { title, heading, version: env!("CARGO_PKG_VERSION"), data: data.json() }
    }
}

/// The text of a file that ends with the end of a line, as those of all tools do.
pub fn file_of(template: &impl Template) -> Result<String, String> {
    let mut text = template.render().map_err(|error| error.to_string())?;
    text.push('\n');
    Ok(text)
}

/// "1 cycle", "2 cycles".
pub fn plural(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// A number in few digits.
pub fn short(value: f64) -> String {
    if value == 0.0 || (1e-3..1e5).contains(&value.abs()) {
        let text = format!("{value:.5}");
        return text.trim_end_matches('0').trim_end_matches('.').to_string();
    }
    let text = format!("{value:.3e}");
    match text.split_once('e') {
        Some((digits, exponent)) if digits.contains('.') => format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.')),
        _ => text,
    }
}
