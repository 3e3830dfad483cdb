//! Test problems: models written by hand.

use crate::base::error::{EvalFailure, RunError};
use crate::base::simd::all_finite;
use crate::integrate::{Experiment, Sink, Solver, Statistics, simulate};
use crate::model::interface::{EventCause, EventOutcome, HybridModel, SubsetId};
use crate::model::plan::{Declared, Pattern};

type Rhs = Box<dyn Fn(f64, &[f64], &mut [f64])>;
type Jacobian = Box<dyn Fn(f64, &[f64], &mut [f64])>;
type Crossings = Box<dyn Fn(f64, &[f64], &mut [f64])>;
type Event = Box<dyn FnMut(f64, &mut [f64], &EventCause) -> EventOutcome>;

/// A model from closures; outputs are the states.
pub(crate) struct Problem {
    pub(crate) x0: Vec<f64>,
    pub(crate) nominal: Option<f64>,
    pub(crate) f: Rhs,
    pub(crate) jacobian: Jacobian,
    pub(crate) pattern: Pattern,
    pub(crate) n_crossings: usize,
    pub(crate) crossings: Crossings,
    pub(crate) event: Event,
    pub(crate) times: Vec<f64>,
    /// Evaluation fails where this is true.
    pub(crate) fails: Box<dyn Fn(f64, &[f64]) -> bool>,
    pub(crate) names: Vec<String>,
    pub(crate) accepted: Vec<f64>,
    /// Subsets with their patterns, and where they were evaluated last.
    pub(crate) subsets: Vec<(Vec<usize>, Pattern)>,
    pub(crate) at: (f64, Vec<f64>),
}

pub(crate) fn dense_pattern(n: usize) -> Pattern {
    Pattern { n_rows: n, col_starts: (0..=n).map(|j| j * n).collect(), rows: (0..n * n).map(|k| k % n).collect() }
}

impl Problem {
    /// An ordinary differential equation with a full Jacobian, by columns.
    pub(crate) fn ode(
        x0: Vec<f64>,
        f: impl Fn(f64, &[f64], &mut [f64]) + 'static,
        jacobian: impl Fn(f64, &[f64], &mut [f64]) + 'static,
    ) -> Problem {
        let n = x0.len();
        Problem {
            nominal: None,
            names: (0..n).map(|i| format!("x{}", i + 1)).collect(),
            x0,
            f: Box::new(f),
            jacobian: Box::new(jacobian),
            pattern: dense_pattern(n),
            n_crossings: 0,
            crossings: Box::new(|_, _, _| {}),
            event: Box::new(|_, _, _| EventOutcome::default()),
            times: Vec::new(),
            fails: Box::new(|_, _| false),
            accepted: Vec::new(),
            subsets: Vec::new(),
            at: (0.0, Vec::new()),
        }
    }

    pub(crate) fn with_nominal(mut self, nominal: f64) -> Problem {
        self.nominal = Some(nominal);
        self
    }

    pub(crate) fn with_events(
        mut self,
        n_crossings: usize,
        crossings: impl Fn(f64, &[f64], &mut [f64]) + 'static,
        event: impl FnMut(f64, &mut [f64], &EventCause) -> EventOutcome + 'static,
    ) -> Problem {
        self.n_crossings = n_crossings;
        self.crossings = Box::new(crossings);
        self.event = Box::new(event);
        self
    }
}

impl crate::model::interface::Sides for Problem {}

impl HybridModel for Problem {
    fn n_states(&self) -> usize {
        self.x0.len()
    }
    fn state_name(&self, state: usize) -> &str {
        &self.names[state]
    }
    fn declared(&self, state: usize) -> Declared {
        Declared { nominal: self.nominal, expected: Some(self.x0[state].abs()).filter(|size| *size > 0.0) }
    }
    fn initialize(&mut self, _: f64, x: &mut [f64]) -> Result<EventOutcome, RunError> {
        x.copy_from_slice(&self.x0);
        Ok(EventOutcome::default())
    }
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), EvalFailure> {
        if (self.fails)(t, x) {
            return Err(EvalFailure::new("outside of its domain"));
        }
        (self.f)(t, x, dx);
        if all_finite(dx) { Ok(()) } else { Err(EvalFailure::new("a derivative is not finite")) }
    }
    fn jacobian_pattern(&self) -> &Pattern {
        &self.pattern
    }
    fn jacobian(&mut self, t: f64, x: &[f64], values: &mut [f64]) -> Result<(), EvalFailure> {
        (self.jacobian)(t, x, values);
        Ok(())
    }
    fn has_subsets(&self) -> bool {
        true
    }
    fn select(&mut self, subset: SubsetId, states: &[usize]) {
        self.subsets.resize(self.subsets.len().max(subset.0 + 1), Default::default());
        self.subsets[subset.0] = (states.to_vec(), self.pattern.restricted(states));
    }
    fn subset_derivatives(&mut self, subset: SubsetId, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), EvalFailure> {
        let mut all = vec![0.0; x.len()];
        self.derivatives(t, x, &mut all)?;
        dx.iter_mut().zip(&self.subsets[subset.0].0).for_each(|(dx, &state)| *dx = all[state]);
        self.at = (t, x.to_vec());
        Ok(())
    }
    fn subset_pattern(&self, subset: SubsetId) -> Option<&Pattern> {
        self.subsets.get(subset.0).map(|(_, pattern)| pattern)
    }
    fn subset_jacobian(&mut self, subset: SubsetId, values: &mut [f64]) -> Result<(), EvalFailure> {
        let mut all = vec![0.0; self.pattern.rows.len()];
        (self.jacobian)(self.at.0, &self.at.1, &mut all);
        let (states, _) = &self.subsets[subset.0];
        let entries = states.iter().flat_map(|&column| self.pattern.col_starts[column]..self.pattern.col_starts[column + 1]);
        let own = entries.filter(|&entry| states.contains(&self.pattern.rows[entry]));
        values.iter_mut().zip(own).for_each(|(value, entry)| *value = all[entry]);
        Ok(())
    }
    fn n_crossings(&self) -> usize {
        self.n_crossings
    }
    fn crossings(&mut self, t: f64, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        (self.crossings)(t, x, out);
        Ok(())
    }
    fn crossing_label(&self, crossing: usize) -> String {
        format!("relation {crossing}")
    }
    fn next_time_event(&mut self, t: f64) -> Option<f64> {
        self.times.iter().copied().find(|time| *time > t)
    }
    fn event(&mut self, t: f64, x: &mut [f64], cause: &EventCause) -> Result<EventOutcome, RunError> {
        Ok((self.event)(t, x, cause))
    }
    fn accept(&mut self, t: f64, _: &mut [f64]) -> Result<EventOutcome, RunError> {
        self.accepted.push(t);
        Ok(EventOutcome::default())
    }
    fn n_outputs(&self) -> usize {
        self.x0.len()
    }
    fn outputs(&mut self, _: f64, x: &[f64], row: &mut [f64]) -> Result<(), EvalFailure> {
        row.copy_from_slice(x);
        Ok(())
    }
    fn terminal(&mut self, _: f64, _: &mut [f64]) -> Result<EventOutcome, RunError> {
        Ok(EventOutcome::default())
    }
}

/// Points in memory.
#[derive(Default)]
pub(crate) struct Points {
    pub(crate) rows: Vec<(f64, Vec<f64>)>,
}

impl Sink for Points {
    fn point(&mut self, t: f64, row: &[f64]) -> Result<(), RunError> {
        self.rows.push((t, row.to_vec()));
        Ok(())
    }
}

impl Points {
    pub(crate) fn last(&self) -> &[f64] {
        &self.rows[self.rows.len() - 1].1
    }
}

pub(crate) fn run(problem: &mut Problem, experiment: &Experiment) -> (Points, Statistics) {
    let mut points = Points::default();
    let statistics = match simulate(problem, experiment, &mut points) {
        Ok(statistics) => statistics,
        Err(error) => panic!("{error:?}"),
    };
    (points, statistics)
}

/// Harmonic oscillator from rest at 1: `x = cos t`.
pub(crate) fn oscillator() -> Problem {
    Problem::ode(
        vec![1.0, 0.0],
        |_, x, dx| {
            dx[0] = x[1];
            dx[1] = -x[0];
        },
        |_, _, v| v.copy_from_slice(&[0.0, -1.0, 1.0, 0.0]),
    )
}

/// `x' = -2*t*x^2`, `x(0) = 1`: `x = 1/(1 + t^2)`. Nonlinear and not autonomous.
pub(crate) fn rational() -> Problem {
    Problem::ode(vec![1.0], |t, x, dx| dx[0] = -2.0 * t * x[0] * x[0], |t, x, v| v[0] = -4.0 * t * x[0])
}

/// `x' = -1000*(x - cos t) - sin t`, `x(0) = 1`: `x = cos t`. Stiff.
pub(crate) fn stiff() -> Problem {
    Problem::ode(vec![1.0], |t, x, dx| dx[0] = -1000.0 * (x[0] - t.cos()) - t.sin(), |_, _, v| v[0] = -1000.0)
}

/// Robertson's chemical reaction.
pub(crate) fn robertson() -> Problem {
    Problem::ode(
        vec![1.0, 0.0, 0.0],
        |_, y, d| {
            d[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
            d[2] = 3e7 * y[1] * y[1];
            d[1] = -d[0] - d[2];
        },
        |_, y, v| {
            v.copy_from_slice(&[-0.04, 0.04, 0.0, 1e4 * y[2], -1e4 * y[2] - 6e7 * y[1], 6e7 * y[1], 1e4 * y[1], -1e4 * y[1], 0.0]);
        },
    )
    .with_nominal(1e-4)
}

/// High irradiance response of photomorphogenesis, eight equations.
pub(crate) fn hires() -> Problem {
    let mut x0 = vec![0.0; 8];
    x0[0] = 1.0;
    x0[7] = 0.0057;
    Problem::ode(
        x0,
        |_, y, f| {
            f[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
            f[1] = 1.71 * y[0] - 8.75 * y[1];
            f[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
            f[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
            f[4] = -1.745 * y[4] + 0.43 * (y[5] + y[6]);
            f[5] = -280.0 * y[5] * y[7] + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
            f[6] = 280.0 * y[5] * y[7] - 1.81 * y[6];
            f[7] = -f[6];
        },
        |_, y, v| {
            v.fill(0.0);
            let mut set = |i: usize, j: usize, value: f64| v[j * 8 + i] = value;
            let (a, b) = (280.0 * y[7], 280.0 * y[5]);
            for (i, j, value) in [
                (0, 0, -1.71),
                (0, 1, 0.43),
                (0, 2, 8.32),
                (1, 0, 1.71),
                (1, 1, -8.75),
                (2, 2, -10.03),
                (2, 3, 0.43),
                (2, 4, 0.035),
                (3, 1, 8.32),
                (3, 2, 1.71),
                (3, 3, -1.12),
                (4, 4, -1.745),
                (4, 5, 0.43),
                (4, 6, 0.43),
                (5, 3, 0.69),
                (5, 4, 1.71),
                (5, 5, -a - 0.43),
                (5, 6, 0.69),
                (5, 7, -b),
                (6, 5, a),
                (6, 6, -1.81),
                (6, 7, b),
                (7, 5, -a),
                (7, 6, 1.81),
                (7, 7, -b),
            ] {
                set(i, j, value);
            }
        },
    )
    .with_nominal(1e-3)
}

/// Van der Pol's oscillator with mu = 1000.
pub(crate) fn van_der_pol() -> Problem {
    Problem::ode(
        vec![2.0, 0.0],
        |_, y, d| {
            d[0] = y[1];
            d[1] = 1000.0 * (1.0 - y[0] * y[0]) * y[1] - y[0];
        },
        |_, y, v| v.copy_from_slice(&[0.0, -2000.0 * y[0] * y[1] - 1.0, 1.0, 1000.0 * (1.0 - y[0] * y[0])]),
    )
}

/// A problem given by its non-zero Jacobian entries row by row, as `(row, column)`; `jacobian` writes them in that order.
pub(crate) fn sparse(
    x0: Vec<f64>,
    entries: &[(usize, usize)],
    f: impl Fn(f64, &[f64], &mut [f64]) + 'static,
    jacobian: impl Fn(f64, &[f64], &mut Vec<f64>) + 'static,
) -> Problem {
    let n = x0.len();
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|k| (entries[*k].1, entries[*k].0));
    let mut pattern = Pattern { n_rows: n, col_starts: vec![0; n + 1], rows: Vec::new() };
    for k in &order {
        pattern.rows.push(entries[*k].0);
        pattern.col_starts[entries[*k].1 + 1] += 1;
    }
    for j in 0..n {
        pattern.col_starts[j + 1] += pattern.col_starts[j];
    }
    let values = std::cell::RefCell::new(Vec::new());
    let mut problem = Problem::ode(x0, f, move |t, x, out| {
        let mut values = values.borrow_mut();
        values.clear();
        jacobian(t, x, &mut values);
        for (out, k) in out.iter_mut().zip(&order) {
            *out = values[*k];
        }
    });
    problem.pattern = pattern;
    problem
}

/// Counter-flow heat exchanger with `n` cells (fluid, wall, fluid); 3 n states.
pub(crate) fn heat_exchanger(n: usize) -> Problem {
    let (ma, mb, mw, ca, cb, cw) = (0.1, 1.0, 10.0, 4200.0, 3500.0, 3500.0);
    let cells = n as f64;
    let (ka, kw, kb) = (cells / (ca * ma), cells / (cw * mw), cells / (cb * mb));
    let (ga, gb, fa, fb) = (8000.0 / cells, 8000.0 / cells, ca, cb);
    let mut entries = Vec::new();
    for i in 0..n {
        let (a, w, b) = (3 * i, 3 * i + 1, 3 * i + 2);
        entries.extend([(a, a), (a, w), (w, w), (w, a), (w, b), (b, b), (b, w)]);
        if i > 0 {
            entries.push((a, a - 3));
        }
        if i + 1 < n {
            entries.push((b, b + 3));
        }
    }
    sparse(
        vec![293.15; 3 * n],
        &entries,
        move |_, y, d| {
            for i in 0..n {
                let (a, w, b) = (y[3 * i], y[3 * i + 1], y[3 * i + 2]);
                let before = if i > 0 { y[3 * i - 3] } else { 323.15 };
                let after = if i + 1 < n { y[3 * i + 5] } else { 288.15 };
                d[3 * i] = ka * (fa * (before - a) + ga * (w - a));
                d[3 * i + 1] = kw * (-ga * (w - a) - gb * (w - b));
                d[3 * i + 2] = kb * (fb * (after - b) + gb * (w - b));
            }
        },
        move |_, _, v| {
            for i in 0..n {
                v.extend([-ka * (fa + ga), ka * ga, -kw * (ga + gb), kw * ga, kw * gb, -kb * (fb + gb), kb * gb]);
                if i > 0 {
                    v.push(ka * fa);
                }
                if i + 1 < n {
                    v.push(kb * fb);
                }
            }
        },
    )
}

/// Brusselator with diffusion on `n` points; 2 n states.
pub(crate) fn brusselator(n: usize) -> Problem {
    let al = 0.02 * (n as f64 + 1.0) * (n as f64 + 1.0);
    let mut x0 = Vec::new();
    let mut entries = Vec::new();
    for i in 0..n {
        let x = (i as f64 + 1.0) / (n as f64 + 1.0);
        x0.extend([1.0 + (2.0 * std::f64::consts::PI * x).sin(), 3.0]);
        let (u, v) = (2 * i, 2 * i + 1);
        entries.extend([(u, u), (u, v), (v, u), (v, v)]);
        if i > 0 {
            entries.extend([(u, u - 2), (v, v - 2)]);
        }
        if i + 1 < n {
            entries.extend([(u, u + 2), (v, v + 2)]);
        }
    }
    sparse(
        x0,
        &entries,
        move |_, y, d| {
            for i in 0..n {
                let (u, v) = (y[2 * i], y[2 * i + 1]);
                let (um, vm) = if i > 0 { (y[2 * i - 2], y[2 * i - 1]) } else { (1.0, 3.0) };
                let (up, vp) = if i + 1 < n { (y[2 * i + 2], y[2 * i + 3]) } else { (1.0, 3.0) };
                d[2 * i] = 1.0 + u * u * v - 4.0 * u + al * (um - 2.0 * u + up);
                d[2 * i + 1] = 3.0 * u - u * u * v + al * (vm - 2.0 * v + vp);
            }
        },
        move |_, y, out| {
            for i in 0..n {
                let (u, v) = (y[2 * i], y[2 * i + 1]);
                out.extend([2.0 * u * v - 4.0 - 2.0 * al, u * u, 3.0 - 2.0 * u * v, -u * u - 2.0 * al]);
                if i > 0 {
                    out.extend([al, al]);
                }
                if i + 1 < n {
                    out.extend([al, al]);
                }
            }
        },
    )
}

/// Chain of `n` inverters; the input rises at 5 and falls at 15.
pub(crate) fn inverters(n: usize) -> Problem {
    let input = |t: f64| {
        if t < 5.0 {
            0.0
        } else if t < 10.0 {
            t - 5.0
        } else if t < 15.0 {
            5.0
        } else if t < 17.0 {
            2.5 * (17.0 - t)
        } else {
            0.0
        }
    };
    let mut entries = Vec::new();
    for i in 0..n {
        entries.push((i, i));
        if i > 0 {
            entries.push((i, i - 1));
        }
    }
    sparse(
        (0..n).map(|i| if i % 2 == 0 { 5.0 } else { 6.247e-3 }).collect(),
        &entries,
        move |t, y, d| {
            for i in 0..n {
                let (u, v) = (if i > 0 { y[i - 1] } else { input(t) }, y[i]);
                let (a, b) = ((u - 1.0).max(0.0), (u - v - 1.0).max(0.0));
                d[i] = 5.0 - v - 100.0 * (a * a - b * b);
            }
        },
        move |t, y, out| {
            for i in 0..n {
                let (u, v) = (if i > 0 { y[i - 1] } else { input(t) }, y[i]);
                let (a, b) = ((u - 1.0).max(0.0), (u - v - 1.0).max(0.0));
                out.push(-1.0 - 200.0 * b);
                if i > 0 {
                    out.push(-200.0 * (a - b));
                }
            }
        },
    )
}

/// A fixed-step or adaptive experiment up to `stop`.
pub(crate) fn experiment(solver: Solver, stop: f64) -> Experiment {
    Experiment { stop_time: stop, solver, ..Experiment::default() }
}

/// A ball dropped from height 1 with restitution 0.8; relation `h > 0`. The model freezes it, as compiled models do.
pub(crate) fn bouncing_ball() -> Problem {
    let mut above = true;
    Problem::ode(
        vec![1.0, 0.0],
        |_, x, dx| {
            dx[0] = x[1];
            dx[1] = -9.81;
        },
        |_, _, v| v.copy_from_slice(&[0.0, 0.0, 1.0, 0.0]),
    )
    .with_events(
        1,
        |_, x, out| out[0] = x[0],
        move |_, x, _| {
            let now = x[0] > 0.0;
            let fell = above && !now;
            above = now;
            if fell {
                x[1] *= -0.8;
            }
            EventOutcome { changed: fell, terminate: None }
        },
    )
}
