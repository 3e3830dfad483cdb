//! Multi-rate integration: every state at its own pace, computing only what moves.
//!
//! Input: a model that computes any subset of its derivatives. Output: a method whose steps are slabs: at the end of a slab all states are
//! at one time; within it each has steps of its own, of which values are known at any time.
//!
//! Method: a step of all states tells of each how many it would need instead (the fourth root of its error in parts of what is tolerated).
//! The step is taken that costs least: short for all, or longer with the quick states refined, together with their readers around them
//! ([`constants::BUFFER`]). Refined states step within it in the same way, up to [`constants::LEVELS`] deep, and read the others from their
//! steps (recursive refinement: Savcenco, Hundsdorfer, Verwer, BIT 47 (2007)). The formulas are those of RODAS ([`rodas`]).
//! Refining what fails the error test misses what a step cannot see: a front that comes. So at every substep the derivatives of states that
//! read stepping ones are compared with the slopes of their own steps, and the difference adds up, damped as the state damps it. A state
//! that would be moved by a part of its tolerance is woken with its readers: it leaves its step and goes on with the others. If it
//! would be moved by some tolerances at once, the substep is made again with it. A slab that woke more states than it began with is
//! followed by a shorter one.
//! Guarantees: deterministic; local errors are tolerated state by state, which is stricter than a mean. What latent states do not see is
//! estimated, not bounded: those that were found wrong beyond their tolerance are counted.
//! Cost: that of the states that step, and of their readers; of all states once per slab.

mod choice;
mod constants;
mod level;
mod pieces;
mod ratio;
mod rodas;
#[cfg(test)]
mod tests;

use crate::integrate::methods::controller::{first_step, towards};
use crate::integrate::system::method::{Attempt, Method, Rejection, System};
use crate::model::interface::HybridModel;
pub use choice::Choosing;
use constants::{
    AFTER_FAILURE, BUFFER, CLEARLY_DEARER, CLEARLY_SHORTER, COST_OF_REFINING, COST_OF_STEP, JUMP, LEAST_CHANGE, LEAST_NEED, LEVELS,
    MOST_ACTIVE, MOST_CHANGE, MOST_READERS, MOST_REDONE, SAFETY, SHORTEST, WAKING,
};
use level::{Level, Marks, Readers, tolerated};
use pieces::Pieces;
pub use ratio::IdealRatio;

/// How a run by several rates goes.
#[derive(Copy, Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Rates {
    /// Run by one rate unless states at their own steps would take at most this part of the work.
    pub least_ratio: f64,
    /// Latent states are woken; without it results are wrong wherever something begins to move. For tests of that.
    pub wakes: bool,
}

impl Default for Rates {
    fn default() -> Rates {
        Rates { least_ratio: ratio::LEAST_RATIO, wakes: true }
    }
}

/// What a trial step leads to.
enum Verdict {
    /// It stands; the next one has this size.
    Stands(f64),
    /// It is made again with this size.
    Again(f64),
}

/// The method.
#[derive(Debug)]
pub struct Multirate {
    t: f64,
    /// States, each at the end of its last step.
    x: Vec<f64>,
    /// Where the slab began.
    t_old: f64,
    x_old: Vec<f64>,
    levels: Vec<Level>,
    /// States that joined a level within a step of it.
    joined: Vec<Vec<usize>>,
    /// The level that a state steps at.
    depth: Vec<u8>,
    pieces: Pieces,
    graph: Readers,
    marks: Marks,
    /// What latent states did not see, and how fast it grew last.
    defect: Vec<f64>,
    defect_rate: Vec<f64>,
    /// Diagonal of the Jacobian where it was seen last.
    rate: Vec<f64>,
    /// Errors of steps, added up and damped.
    error: Vec<f64>,
    point: Vec<f64>,
    needed: Vec<f64>,
    /// Ends of steps within the slab that nothing refines.
    times: Vec<f64>,
    woken: u64,
    active: usize,
    wakes: bool,
}

impl Multirate {
    /// The method for a model with subsets.
    pub fn new(model: &dyn HybridModel, rates: Rates) -> Multirate {
        let n = model.n_states();
        let readers = model.jacobian_pattern().clone();
        let zeros = || vec![0.0; n];
        Multirate {
            t: 0.0,
            x: zeros(),
            t_old: 0.0,
            x_old: zeros(),
            levels: (0..LEVELS).map(Level::new).collect(),
            joined: vec![Vec::new(); LEVELS],
            depth: vec![0; n],
            pieces: Pieces::new(n),
            graph: Readers { reads: readers.transposed(), readers },
            marks: Marks::new(n),
            defect: zeros(),
            defect_rate: zeros(),
            rate: zeros(),
            error: zeros(),
            point: zeros(),
            needed: Vec::new(),
            times: Vec::new(),
            woken: 0,
            active: 0,
            wakes: rates.wakes,
        }
    }

    /// Steps of a level from one time to another.
    fn integrate(&mut self, system: &mut System<'_>, l: usize, from: f64, end: f64) -> Result<(), Rejection> {
        let mut t = from;
        while t < end {
            let (h, reaches) = towards(t, self.levels[l].h, end);
            t = self.advance(system, l, (t, h), reaches.then_some(end))?;
        }
        Ok(())
    }

    /// One step of a level with all that is refined in it, no longer than `h`; where it ends. The first level tries once.
    fn advance(&mut self, system: &mut System<'_>, l: usize, (t, mut h): (f64, f64), mut goal: Option<f64>) -> Result<f64, Rejection> {
        let mut level = std::mem::take(&mut self.levels[l]);
        let mut redone = 0;
        let done = loop {
            let worst = level.states.first().copied().unwrap_or(0);
            if h < SHORTEST * f64::EPSILON * t.abs() {
                break Err(Rejection::Error { worst });
            }
            match self.try_advance(system, &mut level, l, (t, h), goal, &mut redone) {
                Ok(Some(end)) => break Ok(end),
                Ok(None) if l == 0 => break Err(Rejection::Error { worst: level.worst() }),
                Ok(None) if level.h < h => (h, goal) = (level.h, None),
                Ok(None) => {}
                Err(rejection) => {
                    level.h = h * AFTER_FAILURE;
                    break Err(rejection);
                }
            }
            system.statistics.multirate(|counts| counts.rejected += 1);
        };
        self.levels[l] = level;
        done
    }

    /// A trial step: its end if it stands; otherwise it is made again, with the size in the level.
    fn try_advance(
        &mut self,
        system: &mut System<'_>,
        level: &mut Level,
        l: usize,
        (t, h): (f64, f64),
        goal: Option<f64>,
        redone: &mut usize,
    ) -> Result<Option<f64>, Rejection> {
        let tried = level.try_step(system, (t, h), &self.x, &mut self.point, &self.pieces);
        let next = match tried.map_or_else(|_| Verdict::Again(h * AFTER_FAILURE), |()| self.judge(level, l, h)) {
            Verdict::Stands(next) => next,
            Verdict::Again(shorter) => {
                level.h = shorter;
                return Ok(None);
            }
        };
        let active = if l + 1 < LEVELS { self.active_states(level, l) } else { Vec::new() };
        if active.len() as f64 > MOST_ACTIVE * level.states.len() as f64 {
            level.h = h * (SAFETY / level.needed[level.place_of_worst()]).max(0.1);
            return Ok(None);
        }
        let end = goal.unwrap_or(t + h);
        for (i, &state) in level.states.iter().enumerate() {
            self.rate[state] = level.rate(i);
        }
        let is_refined = !active.is_empty();
        if is_refined {
            self.refine(system, level, l, (t, h, end), &active)?;
        } else if *redone < MOST_REDONE && self.jumps(system, level, l, (t, h), end)? {
            *redone += 1;
            level.h = h;
            return Ok(None);
        } else {
            for i in 0..level.states.len() {
                self.enter(level, i, (t, h));
                self.x[level.states[i]] = level.end[i];
            }
            self.times.push(end);
        }
        system.statistics.multirate(|counts| counts.stepped(l, level.states.len()));
        level.h = next;
        level.forget();
        self.wake(system, level, l, (end, h), is_refined)?;
        self.take_in(system, level, l);
        Ok(Some(end))
    }

    /// What the errors of a trial step say: the size of least cost.
    fn judge(&mut self, level: &Level, l: usize, h: f64) -> Verdict {
        self.needed.clear();
        self.needed.extend_from_slice(&level.needed);
        let is_deepest = l + 1 == LEVELS;
        let costs = Costs::of(&mut self.needed, is_deepest);
        let factor = SAFETY / costs.best;
        if !costs.most.is_finite() {
            return Verdict::Again(h * AFTER_FAILURE);
        }
        let pays = costs.present > CLEARLY_DEARER * costs.least && factor < CLEARLY_SHORTER;
        if costs.most > 1.0 && (is_deepest || pays) {
            return Verdict::Again(h * factor.max(0.1));
        }
        Verdict::Stands(h * factor.clamp(LEAST_CHANGE, MOST_CHANGE))
    }

    /// States that are to be refined, with their readers within the level.
    fn active_states(&mut self, level: &Level, l: usize) -> Vec<usize> {
        let needs = level.states.iter().zip(&level.needed).filter(|(_, needed)| **needed > 1.0);
        let mut active: Vec<usize> = needs.map(|(state, _)| *state).collect();
        self.add_readers(&mut active, |depth| usize::from(depth) == l);
        active.sort_unstable();
        active
    }

    /// Adds readers of states, some deep, whose depths are admitted.
    fn add_readers(&mut self, states: &mut Vec<usize>, admits: impl Fn(u8) -> bool) {
        self.marks.set(states);
        let mut from = 0;
        for _ in 0..BUFFER {
            let to = states.len();
            for i in from..to {
                let readers = self.graph.readers.column(states[i]);
                // Who reads what many read is woken where that is needed.
                for &reader in readers.iter().filter(|_| readers.len() <= MOST_READERS) {
                    if admits(self.depth[reader]) && self.marks.mark(reader) {
                        states.push(reader);
                    }
                }
            }
            from = to;
        }
    }

    /// A state has a step of its own, in which it sees nothing of the others but what it saw when it was made.
    fn enter(&mut self, level: &Level, i: usize, (t, h): (f64, f64)) {
        let state = level.states[i];
        self.pieces.push(state, level.piece(i, (t, h)));
        (self.defect[state], self.defect_rate[state]) = (0.0, 0.0);
        self.error[state] = self.error[state] / (1.0 - h * self.rate[state].min(0.0)) + level.local_error(i);
    }

    /// Steps of the active states within a step of their level, and the others at its end.
    fn refine(
        &mut self,
        system: &mut System<'_>,
        level: &mut Level,
        l: usize,
        (t, h, end): (f64, f64, f64),
        active: &[usize],
    ) -> Result<(), Rejection> {
        if l == 0 {
            self.active = active.len();
        }
        active.iter().for_each(|&state| self.depth[state] = l as u8 + 1);
        self.needed.clear();
        for (i, &state) in level.states.iter().enumerate() {
            if usize::from(self.depth[state]) == l {
                self.enter(level, i, (t, h));
            } else {
                self.needed.push(level.needed[i]);
            }
        }
        let factor = SAFETY / Costs::of(&mut self.needed, l + 2 == LEVELS).best;
        let next = &mut self.levels[l + 1];
        next.h = h * factor.min(0.5);
        next.choose(system, active, &self.graph, &mut self.marks);
        self.integrate(system, l + 1, t, end)?;
        let inner = &self.levels[l + 1];
        inner.states.iter().for_each(|&state| self.depth[state] = l as u8);
        self.marks.set(&inner.states);
        for (i, &state) in level.states.iter().enumerate() {
            if !self.marks.is_marked(state) {
                self.x[state] = level.end[i] + self.defect[state];
                self.error[state] += self.defect[state].abs();
            }
        }
        Ok(())
    }

    /// What a watcher has not seen up to the end of a step, and how fast that grows.
    fn unseen(&self, watcher: usize, seen: f64, end: f64, h: f64) -> (f64, f64) {
        let growth = seen - self.pieces.last(watcher).map_or(seen, |piece| piece.slope(end));
        let damping = 1.0 - h * self.rate[watcher].min(0.0);
        ((self.defect[watcher] + 0.5 * h * (self.defect_rate[watcher] + growth)) / damping, growth)
    }

    /// What a state outside of the level may be wrong by.
    fn tolerated(&self, system: &System<'_>, state: usize, t: f64) -> f64 {
        let value = self.pieces.last(state).map_or(0.0, |piece| piece.value(t));
        tolerated(system, state, value, value)
    }

    /// Whether a step that nothing refines would move a watcher by some tolerances at once. Then the watcher joins at its begin.
    fn jumps(&mut self, system: &mut System<'_>, level: &mut Level, l: usize, (t, h): (f64, f64), end: f64) -> Result<bool, Rejection> {
        if l == 0 || !self.wakes {
            return Ok(false);
        }
        for (end, &state) in level.end.iter().zip(&level.states) {
            self.point[state] = *end;
        }
        level.watch(system, end, &mut self.point, &self.pieces)?;
        let watched = level.watchers.iter().zip(&level.seen);
        let jumping = watched.filter(|&(&watcher, &seen)| {
            let change = self.unseen(watcher, seen, end, h).0 - self.defect[watcher];
            change.abs() > JUMP * self.tolerated(system, watcher, end)
        });
        let jumping: Vec<usize> = jumping.map(|(watcher, _)| *watcher).collect();
        if jumping.is_empty() {
            return Ok(false);
        }
        system.statistics.multirate(|counts| counts.redone += 1);
        self.join(system, jumping, l, t);
        self.take_in(system, level, l);
        Ok(true)
    }

    /// Adds up what watchers do not see of a step and wakes those that it would move. Who reads refined states was watched within the step.
    fn wake(
        &mut self,
        system: &mut System<'_>,
        level: &mut Level,
        l: usize,
        (end, h): (f64, f64),
        is_refined: bool,
    ) -> Result<(), Rejection> {
        if l == 0 || !self.wakes {
            return Ok(());
        }
        for &state in &level.states {
            self.point[state] = self.x[state];
        }
        level.watch(system, end, &mut self.point, &self.pieces)?;
        self.marks.forget();
        if is_refined {
            for &state in &self.levels[l + 1].states {
                self.marks.add(self.graph.readers.column(state));
            }
        }
        let mut waking: Vec<usize> = Vec::new();
        for (&watcher, &seen) in level.watchers.iter().zip(&level.seen) {
            // Those that were woken within the step are watchers no longer.
            if self.marks.is_marked(watcher) || usize::from(self.depth[watcher]) >= l {
                continue;
            }
            (self.defect[watcher], self.defect_rate[watcher]) = self.unseen(watcher, seen, end, h);
            let part = self.defect[watcher].abs() / self.tolerated(system, watcher, end);
            if part > WAKING {
                waking.push(watcher);
                system.statistics.multirate(|counts| counts.late += u64::from(part > 1.0));
            }
        }
        if !waking.is_empty() {
            self.join(system, waking, l, end);
        }
        Ok(())
    }

    /// Makes latent states and their readers step with a level and those around it, from a time on.
    fn join(&mut self, system: &mut System<'_>, mut states: Vec<usize>, l: usize, t: f64) {
        self.add_readers(&mut states, |depth| usize::from(depth) < l);
        for state in states {
            if let Some(piece) = self.pieces.last(state) {
                self.x[state] = piece.value(t) + self.defect[state];
            }
            self.pieces.leave(state, t);
            (self.defect[state], self.defect_rate[state]) = (0.0, 0.0);
            for outer in usize::from(self.depth[state]) + 1..=l {
                self.joined[outer].push(state);
            }
            self.depth[state] = l as u8;
            self.woken += 1;
            system.statistics.multirate(|counts| counts.woken += 1);
        }
    }

    /// States that have joined a level are its own from here on.
    fn take_in(&mut self, system: &mut System<'_>, level: &mut Level, l: usize) {
        let mut joined = std::mem::take(&mut self.joined[l]);
        if !joined.is_empty() {
            joined.extend_from_slice(&level.states);
            joined.sort_unstable();
            joined.dedup();
            level.choose(system, &joined, &self.graph, &mut self.marks);
            joined.clear();
        }
        self.joined[l] = joined;
    }

    /// All states are at the same time again.
    fn gather(&mut self) {
        self.depth.fill(0);
        self.joined.iter_mut().for_each(Vec::clear);
    }
}

/// What steps of some sizes cost, in states that are stepped.
struct Costs {
    /// The most substeps that a state needs.
    most: f64,
    /// The present size.
    present: f64,
    /// The best size, and of how many substeps it is one.
    least: f64,
    best: f64,
}

impl Costs {
    /// Of states that need so many substeps each; sorts them.
    fn of(needed: &mut [f64], is_deepest: bool) -> Costs {
        needed.sort_unstable_by(|a, b| b.total_cmp(a));
        let most = needed.first().copied().unwrap_or(0.0);
        let own = needed.len() as f64 + COST_OF_STEP;
        let mut costs = Costs { most, present: f64::INFINITY, least: f64::INFINITY, best: most.max(LEAST_NEED) };
        let mut refined = 0.0;
        for (k, &need) in needed.iter().enumerate() {
            let inner = if k == 0 { 0.0 } else { COST_OF_REFINING * (refined + COST_OF_STEP * most) / SAFETY };
            // As long as the present step is, those that need no more than it are not refined.
            if need <= 1.0 && costs.present == f64::INFINITY {
                costs.present = own + inner;
            }
            let cost = own * need.max(LEAST_NEED) / SAFETY + inner;
            if cost < costs.least {
                (costs.least, costs.best) = (cost, need.max(LEAST_NEED));
            }
            if is_deepest {
                break;
            }
            refined += need;
        }
        costs
    }
}

impl Method for Multirate {
    fn restart(&mut self, system: &mut System<'_>, t: f64, x: &[f64], limit: f64) -> Result<(), Rejection> {
        system.statistics.begin_multirate();
        (self.t, self.t_old) = (t, t);
        self.x.copy_from_slice(x);
        self.x_old.copy_from_slice(x);
        self.pieces.clear();
        self.gather();
        let all: Vec<usize> = (0..x.len()).collect();
        self.levels[0].choose(system, &all, &self.graph, &mut self.marks);
        let (mut f, mut first, mut second) = (vec![0.0; x.len()], vec![0.0; x.len()], vec![0.0; x.len()]);
        system.derivatives(t, x, &mut f)?;
        self.levels[0].h = first_step(system, t, x, &f, rodas::ORDER, limit, (&mut first, &mut second))?;
        Ok(())
    }

    fn resume(&mut self, t: f64) {
        let mut x = self.x.clone();
        self.interpolate(t, &mut x);
        (self.t, self.x) = (t, x);
        self.levels[0].forget();
    }

    fn attempt(&mut self, system: &mut System<'_>, limit: f64) -> Attempt {
        self.pieces.clear();
        self.times.clear();
        (self.woken, self.active) = (0, 0);
        self.x_old.copy_from_slice(&self.x);
        let (h, reaches) = towards(self.t, self.levels[0].h.min(system.max_step), limit);
        match self.advance(system, 0, (self.t, h), reaches.then_some(limit)) {
            Ok(end) => {
                (self.t_old, self.t) = (self.t, end);
                if self.woken > self.active as u64 {
                    self.levels[0].h = self.levels[0].h.min(0.5 * h);
                }
                let sizes = system.scales.sizes().iter().zip(&self.error);
                let error = sizes.fold(0.0, |largest: f64, (size, error)| largest.max(error / size));
                system.statistics.multirate(|counts| counts.error = counts.error.max(error));
                Attempt::Accepted
            }
            Err(rejection) => {
                self.x.copy_from_slice(&self.x_old);
                self.gather();
                Attempt::Rejected(rejection)
            }
        }
    }

    fn time(&self) -> f64 {
        self.t
    }

    fn state(&self) -> &[f64] {
        &self.x
    }

    fn next_step(&self) -> f64 {
        self.levels[0].h
    }

    fn interpolate(&self, t: f64, x: &mut [f64]) {
        for (state, value) in x.iter_mut().enumerate() {
            *value = self.pieces.value(state, t).unwrap_or(self.x[state]);
        }
    }

    fn inner_time(&self, after: f64) -> Option<f64> {
        self.times.get(self.times.partition_point(|time| *time <= after)).copied()
    }

    fn damp(&mut self, v: &mut [f64]) {
        for (state, v) in v.iter_mut().enumerate() {
            let h = self.pieces.last(state).map_or(self.levels[0].h, |piece| piece.h);
            *v *= h / (1.0 - h * self.rate[state].min(0.0));
        }
    }

    fn order(&self) -> usize {
        rodas::ORDER
    }
}
