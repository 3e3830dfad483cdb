//! The Jacobian of a model at an operating point: what the cycle analysis sees of a model.
//!
//! Input: a model, a time and its states. Output: [`Jacobian`], the entries of df/dx by columns with the names and nominal
//! sizes of the states. Guarantee: all values are finite. Cost: one evaluation of the model's Jacobian.

use partita_grammar::{Diagnostic, Span};
use partita_runtime::model::interface::HybridModel;
use partita_runtime::model::plan::Pattern;

/// Entries of df/dx at one operating point.
#[derive(Clone, Debug, PartialEq)]
pub struct Jacobian {
    names: Vec<String>,
    nominal: Vec<f64>,
    pattern: Pattern,
    values: Vec<f64>,
}

impl Jacobian {
    /// A Jacobian from its parts: one name and one nominal size (1 if it is not positive) per state, one value per entry of the
    /// pattern. Refuses values that are not finite.
    pub fn new(names: Vec<String>, nominal: Vec<f64>, pattern: Pattern, values: Vec<f64>) -> Result<Jacobian, Box<Diagnostic>> {
        assert!(
            names.len() == nominal.len() && names.len() == pattern.n_rows && values.len() == pattern.rows.len(),
            "parts of one Jacobian"
        );
        let nominal = nominal.into_iter().map(|size| if size.is_finite() && size > 0.0 { size } else { 1.0 }).collect();
        let jacobian = Jacobian { names, nominal, pattern, values };
        if let Some((row, column, value)) = jacobian.entries().find(|(_, _, value)| !value.is_finite()) {
            let (f, x) = (&jacobian.names[row], &jacobian.names[column]);
            return Err(Box::new(not_evaluated(None).with_note(format!("der({f}) by {x} is {value}"))));
        }
        Ok(jacobian)
    }

    /// The Jacobian of a model with frozen relations at a point.
    pub fn of_model(model: &mut dyn HybridModel, t: f64, x: &[f64]) -> Result<Jacobian, Box<Diagnostic>> {
        let n = model.n_states();
        let names = (0..n).map(|state| model.state_name(state).to_string()).collect();
        let nominal = (0..n).map(|state| model.nominal(state)).collect();
        let pattern = model.jacobian_pattern().clone();
        let mut values = vec![0.0; pattern.rows.len()];
        model.jacobian(t, x, &mut values).map_err(|failure| {
            let mut message = not_evaluated(Some(t));
            match failure.span {
                Some((start, end)) => message = message.at(Span { start, end }, failure.reason),
                None => message = message.with_note(failure.reason),
            }
            failure.notes.into_iter().fold(message, Diagnostic::with_note)
        })?;
        Jacobian::new(names, nominal, pattern, values)
    }

    /// A dense matrix by rows as a Jacobian, for tests; zeros are not entries.
    pub fn dense(names: &[&str], rows: &[Vec<f64>]) -> Result<Jacobian, Box<Diagnostic>> {
        let n = names.len();
        let mut pattern = Pattern { n_rows: n, col_starts: vec![0], rows: Vec::new() };
        let mut values = Vec::new();
        for column in 0..n {
            for (row, entries) in rows.iter().enumerate() {
                if entries[column] != 0.0 {
                    pattern.rows.push(row);
                    values.push(entries[column]);
                }
            }
            pattern.col_starts.push(pattern.rows.len());
        }
        Jacobian::new(names.iter().map(|name| name.to_string()).collect(), vec![1.0; n], pattern, values)
    }

    /// Number of states.
    pub fn n_states(&self) -> usize {
        self.names.len()
    }

    /// Names of the states.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Nominal sizes of the states, all positive.
    pub fn nominal(&self) -> &[f64] {
        &self.nominal
    }

    /// The sparsity.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The values at the entries of the pattern.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// All entries as row, column, value, by columns.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        let columns = self.pattern.col_starts.windows(2).enumerate();
        columns.flat_map(move |(column, window)| (window[0]..window[1]).map(move |at| (self.pattern.rows[at], column, self.values[at])))
    }

    /// The matrix by rows with the zeros.
    pub fn to_dense(&self) -> Vec<f64> {
        let n = self.n_states();
        let mut dense = vec![0.0; n * n];
        for (row, column, value) in self.entries() {
            dense[row * n + column] = value;
        }
        dense
    }
}

/// The message about a point, or a time, without a Jacobian.
pub(crate) fn not_evaluated(t: Option<f64>) -> Diagnostic {
    let when = t.map(|t| format!(" at time {t}")).unwrap_or_default();
    Diagnostic::error("C005", format!("the Jacobian of the derivatives cannot be evaluated{when}"))
        .with_hint("choose other operating points with `--at`, or other start values")
}
