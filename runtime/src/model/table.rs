//! Values of named signals over time: what result files hold, and what a user gives for inputs.
//!
//! Names are found without regard to quotes and blanks, as tools differ in these.

use std::borrow::Cow;
use std::collections::HashMap;

/// A result: values of named signals over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Times of the points, ascending; two equal times are an event.
    pub time: Vec<f64>,
    names: Vec<String>,
    /// Units by name, where the file tells them.
    units: HashMap<String, String>,
    sources: Vec<Source>,
    pub(crate) columns: Vec<Vec<f64>>,
    by_name: HashMap<String, usize>,
}

/// Where the values of a signal lie.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Source {
    /// A column, possibly with the opposite sign.
    Column { column: usize, sign: f64 },
    /// Two values: at the start and at the end.
    Constant(f64, f64),
    /// In the file, but not wanted; whether it is stored as a constant is known all the same.
    Left { is_constant: bool },
}

/// The form in which names are compared: without quotes and blanks, derivatives as `der(a.b.x)`, not `a.b.der(x)`.
pub fn canonical(name: &str) -> String {
    let name: String = name.chars().filter(|c| *c != '\'' && *c != '"' && !c.is_whitespace()).collect();
    match name.split_once(".der(") {
        Some((path, rest)) if rest.ends_with(')') && !path.contains('(') => format!("der({path}.{rest}"),
        _ => name,
    }
}

impl Table {
    /// Names of all signals in the order of the file, time excluded.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether there is such a signal.
    pub fn has(&self, name: &str) -> bool {
        let name = canonical(name);
        name == "time" || self.by_name.contains_key(&name)
    }

    /// Whether the values of a signal were read.
    pub fn is_loaded(&self, name: &str) -> bool {
        self.by_name.get(&canonical(name)).is_some_and(|signal| !matches!(self.sources[*signal], Source::Left { .. }))
    }

    /// The values of a signal, one for each time.
    pub fn values(&self, name: &str) -> Option<Vec<f64>> {
        self.column(name).map(Cow::into_owned)
    }

    /// The values of a signal, one for each time, without a copy where they lie in the table as they are.
    pub fn column(&self, name: &str) -> Option<Cow<'_, [f64]>> {
        let name = canonical(name);
        let Some(signal) = self.by_name.get(&name) else {
            return if name == "time" { Some(Cow::Borrowed(&self.time)) } else { None };
        };
        Some(match self.sources[*signal] {
            Source::Column { column, sign: 1.0 } => Cow::Borrowed(&self.columns[column]),
            Source::Column { column, sign } => self.columns[column].iter().map(|v| sign * v).collect(),
            Source::Constant(a, b) if a == b || a.is_nan() => Cow::Owned(vec![a; self.time.len()]),
            Source::Constant(a, b) => {
                let (first, last) = (self.time.first().copied().unwrap_or(0.0), self.time.last().copied().unwrap_or(1.0));
                let span = if last > first { last - first } else { 1.0 };
                self.time.iter().map(|t| a + (b - a) * (t - first) / span).collect()
            }
            Source::Left { .. } => return None,
        })
    }

    /// Whether a signal is known to be constant from where it is stored.
    pub fn is_constant(&self, name: &str) -> bool {
        let is_constant = |signal: &usize| matches!(self.sources[*signal], Source::Constant(..) | Source::Left { is_constant: true });
        self.by_name.get(&canonical(name)).is_some_and(is_constant)
    }

    /// The unit of a signal; empty if the file does not tell.
    pub fn unit(&self, name: &str) -> &str {
        self.units.get(&canonical(name)).map_or("", String::as_str)
    }

    /// Notes the unit of a signal; the first of equal names counts.
    pub(crate) fn set_unit(&mut self, name: &str, unit: &str) {
        if !unit.is_empty() {
            self.units.entry(canonical(name)).or_insert_with(|| unit.to_string());
        }
    }

    pub(crate) fn add(&mut self, name: String, source: Source) {
        // The first of equal names counts.
        self.by_name.entry(canonical(&name)).or_insert(self.names.len());
        self.names.push(name);
        self.sources.push(source);
    }

    /// Adds a signal with a column of its own, or one whose values were not wanted.
    pub(crate) fn add_column(&mut self, name: String, values: Option<Vec<f64>>) {
        let source = match values {
            Some(values) => {
                self.columns.push(values);
                Source::Column { column: self.columns.len() - 1, sign: 1.0 }
            }
            None => Source::Left { is_constant: false },
        };
        self.add(name, source);
    }

    /// Builds a table from columns, for tests and other sources than files.
    pub fn from_columns(time: Vec<f64>, columns: Vec<(String, Vec<f64>)>) -> Table {
        let mut table = Table { time, ..Table::default() };
        for (name, values) in columns {
            table.add_column(name, Some(values));
        }
        table
    }

    /// Refuses what is no course over time.
    pub(crate) fn checked(self) -> Result<Table, String> {
        match self.time.windows(2).position(|w| w[0] > w[1] || w[0].is_nan() || w[1].is_nan()) {
            Some(point) => Err(format!("time goes back at point {}", point + 2)),
            None if self.time.is_empty() => Err("it has no points".to_string()),
            None => Ok(self),
        }
    }
}
