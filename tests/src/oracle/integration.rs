//! The course of a model over time: small steps of the classical Runge-Kutta method, events found by bisection.

use super::equations::System;
use super::expressions::same_time;
use super::model::{Model, named_scalars};
use super::value::Value;
use super::{Evaluated, Watch};

/// Values of all variables at equidistant times.
#[derive(Clone, Debug)]
pub struct Course {
    /// Times.
    pub times: Vec<f64>,
    /// Names and values.
    pub columns: Vec<(String, Vec<f64>)>,
    /// The smallest distance of a decision at an output time from its other outcome.
    pub margin: f64,
    /// The largest number met.
    pub largest: f64,
    /// The largest difference between the results with one step and with half of it, relative to the sizes of the variables.
    pub doubt: f64,
}

/// The course of a model from time 0 on: values at `n` equidistant times behind the first one, with `n_steps` steps in between.
pub fn follow(model: &Model, stop: f64, n: usize, n_steps: usize) -> Evaluated<Course> {
    let (coarse, has_states) = once(model, stop, n, n_steps)?;
    if !has_states {
        return Ok(coarse);
    }
    let (fine, _) = once(model, stop, n, 2 * n_steps)?;
    Ok(extrapolated(&coarse, fine))
}

/// The error of a method of order 4 is a fifteenth of what halving the step changes.
fn extrapolated(coarse: &Course, mut fine: Course) -> Course {
    for ((_, fine_values), (_, coarse_values)) in fine.columns.iter_mut().zip(&coarse.columns) {
        let size = fine_values.iter().fold(1e-3, |size: f64, v| size.max(v.abs()));
        for (value, other) in fine_values.iter_mut().zip(coarse_values) {
            let change = *value - other;
            fine.doubt = fine.doubt.max(change.abs() / size);
            *value += change / 15.0;
        }
    }
    fine
}

/// Times that are known beforehand.
struct Schedule {
    samples: Vec<(f64, f64)>,
    thresholds: Vec<f64>,
}

impl Schedule {
    fn of(model: &Model, system: &mut System) -> Evaluated<Schedule> {
        let (samples, thresholds) = model.timed();
        let mut schedule = Schedule { samples: Vec::new(), thresholds: Vec::new() };
        for arguments in samples {
            let numbers = arguments.iter().map(|a| system.scope.eval(a)?.number()).collect::<Evaluated<Vec<_>>>()?;
            if let [start, interval] = numbers[..] {
                schedule.samples.push((start, interval));
            }
        }
        // What depends on variables is no time known beforehand; it is found as a crossing.
        let known = thresholds.into_iter().filter_map(|threshold| system.scope.eval(threshold).and_then(|value| value.number()).ok());
        schedule.thresholds = known.collect();
        Ok(schedule)
    }

    /// The first known time behind `t`.
    fn next(&self, t: f64) -> f64 {
        let later = |time: f64| time > t && !same_time(time, t);
        let ticks = self.samples.iter().map(|&(start, interval)| {
            let mut k = ((t - start) / interval).floor().max(0.0);
            while !later(start + k * interval) {
                k += 1.0;
            }
            start + k * interval
        });
        ticks.chain(self.thresholds.iter().copied().filter(|&time| later(time))).fold(f64::INFINITY, f64::min)
    }
}

struct Run<'a> {
    system: System<'a>,
    schedule: Schedule,
    names: Vec<String>,
    time: f64,
}

fn once(model: &Model, stop: f64, n: usize, n_steps: usize) -> Evaluated<(Course, bool)> {
    let watch = Watch::default();
    let mut scope = model.parameters(&watch)?;
    let variables = model.variables(&mut scope)?;
    let work = model.work(&mut scope)?;
    let names: Vec<String> = variables.iter().filter(|v| v.derivative.is_some()).map(|v| v.name.clone()).collect();
    let mut system = System::new(scope, variables, work);
    let schedule = Schedule::of(model, &mut system)?;
    let has_states = !names.is_empty();
    let mut run = Run { system, schedule, names, time: 0.0 };
    run.system.event(0.0, true)?;
    let mut course = Course { times: Vec::new(), columns: Vec::new(), margin: f64::INFINITY, largest: 0.0, doubt: 0.0 };
    run.record(&mut course)?;
    for at in 1..=n {
        let target = stop * at as f64 / n as f64;
        run.advance(target, stop / (n * n_steps) as f64)?;
        run.record(&mut course)?;
    }
    course.largest = watch.largest.get();
    Ok((course, has_states))
}

impl Run<'_> {
    /// Writes down all values at the present time.
    fn record(&mut self, course: &mut Course) -> Evaluated<()> {
        let watch = self.system.scope.watch;
        let margin = watch.margin.replace(f64::INFINITY);
        self.system.between(self.time)?;
        course.margin = course.margin.min(watch.margin.get());
        watch.margin.set(margin);
        course.times.push(self.time);
        let mut names: Vec<&String> = self.system.scope.values.keys().collect();
        names.sort();
        let mut at = 0;
        for name in names {
            named_scalars(name, &self.system.scope.values[name], &mut |name, value| {
                let Some(number) = value.as_result() else { return };
                if course.columns.len() == at {
                    course.columns.push((name, Vec::new()));
                }
                course.columns[at].1.push(number);
                at += 1;
            });
        }
        Ok(())
    }

    /// Goes on to a time, over all events before it and at it.
    fn advance(&mut self, target: f64, step: f64) -> Evaluated<()> {
        while self.time < target && !same_time(self.time, target) {
            let scheduled = self.schedule.next(self.time);
            let mut end = (self.time + step).min(target).min(scheduled);
            // No sliver of a step is left before the target.
            if target - end < 1e-3 * step {
                end = target.min(scheduled);
            }
            let x = self.states();
            self.step(&x, end - self.time)?;
            self.system.between(end)?;
            if self.system.crossed() {
                let at = self.located(&x, end)?;
                let at = if same_time(at, scheduled) { scheduled } else { at };
                self.step(&x, at - self.time)?;
                self.time = at;
                self.system.event(at, false)?;
            } else {
                self.time = end;
                if same_time(end, scheduled) {
                    self.system.event(end, false)?;
                }
            }
        }
        if same_time(self.time, target) {
            self.time = target;
        }
        Ok(())
    }

    /// The end of the shortest step from here at which a decision has changed.
    fn located(&mut self, x: &[f64], end: f64) -> Evaluated<f64> {
        let (mut before, mut after) = (0.0, end - self.time);
        while after - before > 4.0 * f64::EPSILON * end.abs().max(after) {
            let middle = 0.5 * (before + after);
            if middle <= before || middle >= after {
                break;
            }
            self.step(x, middle)?;
            self.system.between(self.time + middle)?;
            if self.system.crossed() {
                after = middle;
            } else {
                before = middle;
            }
        }
        Ok(self.time + after)
    }

    fn states(&self) -> Vec<f64> {
        let scalars = self.names.iter().flat_map(|name| self.system.states[name].scalars());
        scalars.map(|value| value.number().unwrap_or(f64::NAN)).collect()
    }

    fn put_states(&mut self, x: &[f64]) {
        let mut values = x.iter().map(|&number| Value::Real(number));
        for name in &self.names {
            if let Some(state) = self.system.states.get_mut(name) {
                state.put_scalars(&mut values);
            }
        }
    }

    fn rates(&mut self, time: f64, x: &[f64]) -> Evaluated<Vec<f64>> {
        self.put_states(x);
        self.system.between(time)?;
        let mut rates = Vec::with_capacity(x.len());
        for name in &self.names {
            for rate in self.system.scope.values[&format!("der({name})")].scalars() {
                rates.push(rate.number()?);
            }
        }
        Ok(rates)
    }

    /// One step of the classical Runge-Kutta method from the present time; the states are those at its end.
    fn step(&mut self, x: &[f64], h: f64) -> Evaluated<()> {
        if x.is_empty() {
            return Ok(());
        }
        let moved = |rates: &[f64], part: f64| x.iter().zip(rates).map(|(x, rate)| x + part * h * rate).collect::<Vec<f64>>();
        let k1 = self.rates(self.time, x)?;
        let k2 = self.rates(self.time + 0.5 * h, &moved(&k1, 0.5))?;
        let k3 = self.rates(self.time + 0.5 * h, &moved(&k2, 0.5))?;
        let k4 = self.rates(self.time + h, &moved(&k3, 1.0))?;
        let end: Vec<f64> = (0..x.len()).map(|i| x[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])).collect();
        self.put_states(&end);
        Ok(())
    }
}
