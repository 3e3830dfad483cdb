//! Estimates of what removing each term does to outputs, by linearisation along a run.
//!
//! Input: the instrumented model of `terms` and its experiment. Output: for each term and output the response over time, by screening
//! and by the exact linearisation of the model without the term; magnitudes of terms and ranges of outputs.
//! Method: with residual r, state x and a disturbance q of an equation, removing a term of value r0 is q = r0 + g d + gamma q, where d is
//! the change of x: `d' = J d + c q`. Screening leaves g and gamma out. Implicit trapezoid on the steps of the run; one factorisation per
//! step, and a rank-one correction (Sherman and Morrison) per term. Guarantee: an estimate that is not finite, or whose term feeds back on itself beyond any bound,
//! is infinite. Not here: shifts of events, other starts. Cost: per step O(n^3 + (equations + terms) n^2).

use super::terms;
use crate::base::messages::run_message;
use partita_grammar::Diagnostic;
use partita_runtime::base::error::RunError;
use partita_runtime::exec::Instance;
use partita_runtime::integrate::{Experiment, Sink, simulate};
use partita_runtime::linear::dense::DenseLu;
use partita_runtime::model::interface::HybridModel;
use partita_runtime::model::watched::{Watched, Watcher};
use rustc_hash::FxHashMap;

/// Steps along the run, at least.
const STEPS: f64 = 2000.0;
/// Steps of larger models.
const STEPS_OF_LARGE_MODELS: f64 = 400.0;
/// A model with more states is large.
const LARGE: usize = 40;
/// The linear algebra is dense.
pub const MOST_STATES: usize = 400;
/// Disturbances, terms and outputs are states for the run.
pub const MOST_ADDED: usize = 4000;

/// What was estimated for a term.
#[derive(Clone, Debug, Default)]
pub struct Estimate {
    /// Largest magnitude of the term.
    pub magnitude: f64,
    /// Largest change of each output by screening.
    pub screened: Vec<f64>,
    /// Largest change of each output by exact linearisation.
    pub linear: Vec<f64>,
    /// The changes over time by exact linearisation, one course per output.
    pub response: Vec<Vec<f64>>,
}

/// Estimates of all terms.
#[derive(Clone, Debug, Default)]
pub struct Estimates {
    /// For each term.
    pub terms: Vec<Estimate>,
    /// Smallest and largest value of each output.
    pub ranges: Vec<(f64, f64)>,
    /// States of the model itself.
    pub states: usize,
}

/// What a state of the instrumented model stands for.
#[derive(Copy, Clone, Debug, PartialEq)]
enum Meaning {
    State(usize),
    Disturbance(usize),
    Term(usize),
    Output(usize),
}

/// What the states that were added to a model stand for, by the names they were given.
fn added(n_equations: usize, n_terms: usize, n_outputs: usize) -> FxHashMap<String, Meaning> {
    let disturbances = (0..n_equations).map(|at| (terms::disturbance_name(at), Meaning::Disturbance(at)));
    let terms = (0..n_terms).map(|at| (terms::term_name(at), Meaning::Term(at)));
    let outputs = (0..n_outputs).map(|at| (terms::output_name(at), Meaning::Output(at)));
    disturbances.chain(terms).chain(outputs).collect()
}

/// Derivatives at a point of the run.
#[derive(Clone, Debug, Default)]
struct Point {
    t: f64,
    /// By columns.
    j: Vec<f64>,
    /// For each equation how its disturbance enters the derivatives, and the outputs.
    c: Vec<Vec<f64>>,
    c_out: Vec<Vec<f64>>,
    /// For each term its value, its gradient, and how it depends on the disturbance of its own equation.
    r: Vec<f64>,
    g: Vec<Vec<(usize, f64)>>,
    gamma: Vec<f64>,
    /// For each output its value and gradient.
    y: Vec<f64>,
    g_out: Vec<Vec<f64>>,
}

/// Takes part in a run and integrates the responses of all terms.
struct Follower<'a> {
    model: &'a mut Instance,
    meanings: Vec<Meaning>,
    equation_of: &'a [usize],
    n: usize,
    n_outputs: usize,
    last: Option<Point>,
    screened: Vec<Vec<f64>>,
    linear: Vec<Vec<f64>>,
    found: Estimates,
    failed: bool,
}

impl Follower<'_> {
    /// Values and derivatives here, if the model can be evaluated.
    fn point(&mut self, t: f64, x: &[f64]) -> Option<Point> {
        let all = self.meanings.len();
        let pattern = self.model.jacobian_pattern().clone();
        let mut values = vec![0.0; pattern.rows.len()];
        let mut rates = vec![0.0; all];
        self.model.derivatives(t, x, &mut rates).ok()?;
        self.model.jacobian(t, x, &mut values).ok()?;
        let (n, terms) = (self.n, self.equation_of.len());
        let equations = self.equation_of.iter().map(|equation| equation + 1).max().unwrap_or(0);
        let mut point = Point {
            t,
            j: vec![0.0; n * n],
            c: vec![vec![0.0; n]; equations],
            c_out: vec![vec![0.0; self.n_outputs]; equations],
            r: vec![0.0; terms],
            g: vec![Vec::new(); terms],
            gamma: vec![0.0; terms],
            y: vec![0.0; self.n_outputs],
            g_out: vec![vec![0.0; n]; self.n_outputs],
        };
        for (state, rate) in self.meanings.iter().zip(&rates) {
            match *state {
                Meaning::Term(term) => point.r[term] = *rate,
                Meaning::Output(output) => point.y[output] = *rate,
                _ => {}
            }
        }
        for column in 0..all {
            for at in pattern.col_starts[column]..pattern.col_starts[column + 1] {
                self.put(&mut point, self.meanings[pattern.rows[at]], self.meanings[column], values[at]);
            }
        }
        Some(point)
    }

    fn put(&self, point: &mut Point, row: Meaning, column: Meaning, value: f64) {
        match (row, column) {
            (Meaning::State(i), Meaning::State(k)) => point.j[k * self.n + i] = value,
            (Meaning::State(i), Meaning::Disturbance(equation)) => point.c[equation][i] = value,
            (Meaning::Output(output), Meaning::State(k)) => point.g_out[output][k] = value,
            (Meaning::Output(output), Meaning::Disturbance(equation)) => point.c_out[equation][output] = value,
            (Meaning::Term(term), Meaning::State(k)) => point.g[term].push((k, value)),
            (Meaning::Term(term), Meaning::Disturbance(equation)) if equation == self.equation_of[term] => point.gamma[term] = value,
            _ => {}
        }
    }

    fn follow(&mut self, t: f64, x: &[f64]) {
        let Some(next) = self.point(t, x) else {
            self.failed = true;
            return;
        };
        for (range, y) in self.found.ranges.iter_mut().zip(&next.y) {
            *range = (range.0.min(*y), range.1.max(*y));
        }
        if let Some(last) = self.last.take().filter(|last| t > last.t) {
            self.step(&last, &next);
        }
        for (term, estimate) in self.found.terms.iter_mut().enumerate() {
            estimate.magnitude = estimate.magnitude.max(next.r[term].abs());
            let equation = self.equation_of[term];
            let q = feedback(&next, term, &self.linear[term]);
            for output in 0..self.n_outputs {
                let gradient = &next.g_out[output];
                let screened = dot(gradient, &self.screened[term]) + next.c_out[equation][output] * next.r[term];
                let linear = dot(gradient, &self.linear[term]) + next.c_out[equation][output] * q;
                estimate.screened[output] = largest(estimate.screened[output], screened);
                estimate.linear[output] = largest(estimate.linear[output], linear);
                estimate.response[output].push(linear);
            }
        }
        self.last = Some(next);
    }

    /// One step of the implicit trapezoid for all terms.
    fn step(&mut self, last: &Point, next: &Point) {
        let (n, half) = (self.n, 0.5 * (next.t - last.t));
        let matrix: Vec<f64> = (0..n * n).map(|at| f64::from(u8::from(at % n == at / n)) - half * next.j[at]).collect();
        let mut lu = DenseLu::new(n);
        if lu.factor(&matrix).is_err() {
            self.failed = true;
            return;
        }
        let through: Vec<Vec<f64>> = next
            .c
            .iter()
            .map(|column| {
                let mut solved = column.clone();
                lu.solve(&mut solved);
                solved
            })
            .collect();
        for term in 0..self.equation_of.len() {
            let equation = self.equation_of[term];
            let (c0, c1) = (&last.c[equation], &next.c[equation]);
            let d = &mut self.screened[term];
            advance(d, last, n, half, |i| half * (c0[i] * last.r[term] + c1[i] * next.r[term]));
            lu.solve(d);
            let q0 = feedback(last, term, &self.linear[term]);
            let open = 1.0 - next.gamma[term];
            let d = &mut self.linear[term];
            advance(d, last, n, half, |i| half * (c0[i] * q0 + c1[i] * next.r[term] / open));
            lu.solve(d);
            // The term's own dependence on the states changes the matrix by one dyad.
            let w = &through[equation];
            let along = |v: &[f64]| half * next.g[term].iter().map(|(k, value)| value * v[*k]).sum::<f64>() / open;
            let factor = along(d) / (1.0 - along(w));
            d.iter_mut().zip(w).for_each(|(d, w)| *d += w * factor);
        }
    }
}

/// The disturbance that stands for the missing term.
fn feedback(point: &Point, term: usize, d: &[f64]) -> f64 {
    let moved: f64 = point.g[term].iter().map(|(k, value)| value * d[*k]).sum();
    (point.r[term] + moved) / (1.0 - point.gamma[term])
}

/// The right-hand side of a step.
fn advance(d: &mut [f64], last: &Point, n: usize, half: f64, push: impl Fn(usize) -> f64) {
    let mut result: Vec<f64> = (0..n).map(|i| d[i] + push(i)).collect();
    for k in 0..n {
        let factor = half * d[k];
        if factor != 0.0 {
            result.iter_mut().zip(&last.j[k * n..(k + 1) * n]).for_each(|(sum, j)| *sum += factor * j);
        }
    }
    d.copy_from_slice(&result);
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// What is not a number is beyond any bound.
fn largest(so_far: f64, value: f64) -> f64 {
    if value.is_finite() { so_far.max(value.abs()) } else { f64::INFINITY }
}

impl Watcher for Follower<'_> {
    type Inner = Instance;

    fn model(&self) -> &Instance {
        self.model
    }

    fn model_mut(&mut self) -> &mut Instance {
        self.model
    }

    fn accepted(&mut self, t: f64, x: &[f64]) {
        self.follow(t, x);
    }
}

struct Nowhere;

impl Sink for Nowhere {
    fn point(&mut self, _: f64, _: &[f64]) -> Result<(), RunError> {
        Ok(())
    }
}

/// Runs the instrumented model; `equation_of` says to which equation each term belongs.
pub fn estimate(
    instance: &Instance,
    experiment: &Experiment,
    equation_of: &[usize],
    n_outputs: usize,
) -> Result<Estimates, Box<Diagnostic>> {
    let mut model = instance.fork();
    let added = added(equation_of.iter().map(|equation| equation + 1).max().unwrap_or(0), equation_of.len(), n_outputs);
    let mut n = 0;
    let mut own = || {
        n += 1;
        Meaning::State(n - 1)
    };
    let meanings: Vec<Meaning> =
        (0..model.n_states()).map(|state| added.get(model.state_name(state)).copied().unwrap_or_else(&mut own)).collect();
    if n > MOST_STATES || meanings.len() - n > MOST_ADDED {
        let title = format!("the model is too large for estimates of terms: {n} states, {} terms", equation_of.len());
        let limit = format!("at most {MOST_STATES} states, and {MOST_ADDED} equations and terms together");
        return Err(Box::new(Diagnostic::error("C104", title).with_note(limit)));
    }
    let steps = if meanings.len() > LARGE { STEPS_OF_LARGE_MODELS } else { STEPS };
    let experiment = Experiment { max_step: Some(experiment.span() / steps), ..experiment.clone() };
    let empty =
        Estimate { magnitude: 0.0, screened: vec![0.0; n_outputs], linear: vec![0.0; n_outputs], response: vec![Vec::new(); n_outputs] };
    let mut follower = Watched(Follower {
        meanings,
        equation_of,
        n,
        n_outputs,
        last: None,
        screened: vec![vec![0.0; n]; equation_of.len()],
        linear: vec![vec![0.0; n]; equation_of.len()],
        found: Estimates { terms: vec![empty; equation_of.len()], ranges: vec![(f64::INFINITY, f64::NEG_INFINITY); n_outputs], states: n },
        failed: false,
        model: &mut model,
    });
    simulate(&mut follower, &experiment, &mut Nowhere).map_err(|error| Box::new(run_message(&error)))?;
    let follower = follower.0;
    if follower.failed {
        let title = "the derivatives of the terms cannot be evaluated along the run";
        return Err(Box::new(Diagnostic::error("C105", title)));
    }
    Ok(follower.found)
}
