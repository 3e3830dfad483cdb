//! A random model, written for both sides.

/// A model as Partita gets it, and as the oracle does.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// For Partita.
    pub text: String,
    /// For the oracle, where its equations must be solved by hand first; the same text otherwise.
    pub explicit: Option<String>,
    /// End of the run.
    pub stop: f64,
    /// Output points behind the first one.
    pub n_points: usize,
    /// Steps of the oracle between output points.
    pub n_steps: usize,
    /// Largest difference allowed, relative to the size of a variable.
    pub tolerance: f64,
}

impl Case {
    /// A model without states: what it says is compared almost to the last digit.
    pub fn of_text(text: String) -> Case {
        Case { text, explicit: None, stop: 1.0, n_points: 5, n_steps: 8, tolerance: 1e-9 }
    }
}
