//! Watches whether results stay within the `min` and `max` that the model declares.
//!
//! Input: the points of a run as the result file gets them ([`Watch`]); the parameters of a run and the start values that were given for it
//! ([`given`]). Output: a warning for each variable that leaves its bounds, with the first time, and for each value outside of them.
//! Method: at each point the bounded variables are compared; a margin of some tolerances, relative to how large the variable was, is
//! allowed, for no result is more exact than that. Guarantee: nothing changes in the run; between points nothing is seen.
//! Cost: two comparisons for each bounded variable and point, nothing for the others.

use crate::base::error::RunError;
use crate::base::number::{rounded, shown};
use crate::model::plan::{Bound, Plan, Slot};
use std::collections::HashMap;

/// How many variables are named.
const SHOWN: usize = 10;
/// Errors of results are some tolerances large.
const TOLERANCES: f64 = 10.0;
/// What is smaller than this is nothing, whatever its unit.
const NOTHING: f64 = 1e-12;
/// What rounding may do to a value that was written down.
const ROUNDING: f64 = 1e-9;

/// One variable that is watched.
#[derive(Clone, Debug)]
struct Watched {
    /// Its position in a point.
    at: usize,
    min: f64,
    max: f64,
    /// The largest absolute value so far.
    size: f64,
    /// When it was first outside, and its value there.
    first: Option<(f64, f64)>,
    /// How far it was outside at most.
    excess: f64,
    /// Its position in `Plan::bounds`.
    bound: usize,
}

/// The bounded variables of a run.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    watched: Vec<Watched>,
    margin: f64,
}

impl Watch {
    /// Watches the variables of a plan in a run with this tolerance.
    pub fn new(plan: &Plan, tolerance: f64) -> Watch {
        let mut n_varying = 0;
        let position: Vec<Option<usize>> = plan
            .interface
            .signals
            .iter()
            .map(|signal| {
                n_varying += usize::from(signal.varies);
                signal.varies.then(|| n_varying - 1)
            })
            .collect();
        let of = |(i, bound): (usize, &Bound)| {
            let at = position.get(bound.signal).copied().flatten()?;
            let (min, max) = (bound.min.unwrap_or(f64::NEG_INFINITY), bound.max.unwrap_or(f64::INFINITY));
            Some(Watched { at, min, max, size: 0.0, first: None, excess: 0.0, bound: i })
        };
        Watch {
            watched: plan.interface.bounds.iter().enumerate().filter_map(of).collect(),
            margin: (TOLERANCES * tolerance).clamp(1e-9, 0.1),
        }
    }

    /// Looks at a point.
    pub fn point(&mut self, t: f64, row: &[f64]) {
        for watched in &mut self.watched {
            let Some(&value) = row.get(watched.at) else { continue };
            watched.size = watched.size.max(value.abs());
            if value < watched.min || value > watched.max {
                watched.outside(t, value, self.margin);
            }
        }
    }

    /// What was found, by the time of the first violation.
    pub fn warnings(&self, plan: &Plan) -> Vec<RunError> {
        let found = self.watched.iter().filter_map(|watched| Some((&plan.interface.bounds[watched.bound], watched.verdict(self.margin)?)));
        let mut outside: Vec<(&Bound, (f64, f64))> = found.collect();
        outside.sort_by(|a, b| a.1.0.total_cmp(&b.1.0));
        let mut warnings: Vec<RunError> = outside.iter().take(SHOWN).map(|(bound, (t, value))| warning(bound, plan, *t, *value)).collect();
        if let Some(last) = warnings.last_mut().filter(|_| outside.len() > SHOWN) {
            last.notes.push(format!("and {} more variables leave their bounds", outside.len() - SHOWN));
        }
        warnings
    }
}

impl Watched {
    fn margin(&self, relative: f64) -> f64 {
        let finite = |bound: f64| if bound.is_finite() { bound.abs() } else { 0.0 };
        relative * self.size.max(finite(self.min)).max(finite(self.max)) + NOTHING
    }

    #[cold]
    fn outside(&mut self, t: f64, value: f64, relative: f64) {
        let excess = (self.min - value).max(value - self.max);
        if excess > self.margin(relative) {
            self.first.get_or_insert((t, value));
            self.excess = self.excess.max(excess);
        }
    }

    /// The first violation, unless it turns out to be small beside what the variable became later.
    fn verdict(&self, relative: f64) -> Option<(f64, f64)> {
        self.first.filter(|_| self.excess > self.margin(relative))
    }
}

fn name<'p>(bound: &Bound, plan: &'p Plan) -> &'p str {
    plan.interface.signals.get(bound.signal).map_or("", |signal| signal.name.as_str())
}

fn limit(bound: &Bound, value: f64) -> String {
    match (bound.min, bound.max) {
        (Some(min), _) if value < min => format!("below its min of {}", shown(min)),
        (_, max) => format!("above its max of {}", shown(max.unwrap_or(f64::INFINITY))),
    }
}

fn placed(mut warning: RunError, bound: &Bound) -> RunError {
    warning.place = Some((bound.place, "declared with bounds here".to_string()));
    warning
}

fn warning(bound: &Bound, plan: &Plan, t: f64, value: f64) -> RunError {
    let title = format!("`{}` = {} is {}, first", name(bound, plan), rounded(value), limit(bound, value));
    placed(RunError::new("R220", title).at_time(t), bound)
}

/// Parameters (positions in `Plan::signals` and values) and given start values that lie outside of their bounds.
pub fn given(plan: &Plan, parameters: &[(usize, f64)], starts: &[(Slot, f64)]) -> Vec<RunError> {
    let parameters: HashMap<usize, f64> = parameters.iter().copied().collect();
    let starts: HashMap<Slot, f64> = starts.iter().copied().collect();
    let settings = plan.interface.settings.iter().filter(|setting| setting.is_start);
    let started: HashMap<&str, f64> = settings.filter_map(|setting| Some((setting.name.as_str(), *starts.get(&setting.slot)?))).collect();
    let mut found = Vec::new();
    for bound in &plan.interface.bounds {
        let of_parameter = parameters.get(&bound.signal).map(|value| (*value, format!("`{}` = {}", name(bound, plan), shown(*value))));
        let of_start = || {
            started.get(name(bound, plan)).map(|value| (*value, format!("the start value {} of `{}`", shown(*value), name(bound, plan))))
        };
        let Some((value, what)) = of_parameter.or_else(of_start) else { continue };
        let margin = |bound: f64| ROUNDING * bound.abs().max(value.abs());
        if bound.min.is_some_and(|min| value < min - margin(min)) || bound.max.is_some_and(|max| value > max + margin(max)) {
            found.push(placed(RunError::new("R220", format!("{what} is {}", limit(bound, value))), bound));
        }
    }
    let more = found.len().saturating_sub(SHOWN);
    found.truncate(SHOWN);
    if let Some(last) = found.last_mut().filter(|_| more > 0) {
        last.notes.push(format!("and {more} more values are outside of their bounds"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::plan::{Signal, SignalSource, Slot, SlotType};
    use cranelift_entity::EntityRef;

    fn plan(min: Option<f64>, max: Option<f64>) -> Plan {
        let source = SignalSource { slot: Slot::new(1), factor: 1.0, offset: 0.0 };
        let signal = |name: &str, varies| {
            let [description, unit, display_unit] = [(); 3].map(|()| String::new());
            Signal {
                name: name.into(),
                description,
                unit,
                display_unit,
                ty: SlotType::Real,
                source,
                varies,
                protected: false,
                derivative: false,
            }
        };
        let bounds = vec![Bound { signal: 1, min, max, place: (3, 4) }];
        Plan {
            interface: crate::model::plan::InterfacePlan {
                signals: vec![signal("p", false), signal("x", true)],
                bounds,
                ..Default::default()
            },
            ..Plan::default()
        }
    }

    fn found(plan: &Plan, values: &[f64]) -> Vec<(String, Option<f64>)> {
        let mut watch = Watch::new(plan, 1e-6);
        values.iter().enumerate().for_each(|(i, value)| watch.point(i as f64, &[*value]));
        watch.warnings(plan).into_iter().map(|warning| (warning.title, warning.time)).collect()
    }

    #[test]
    fn the_first_violation_is_told() {
        let expected = [("`x` = -0.5 is below its min of 0, first".to_string(), Some(2.0))];
        assert_eq!(found(&plan(Some(0.0), Some(9.0)), &[1.0, 0.0, -0.5, -3.0, 10.0]), expected);
        assert_eq!(found(&plan(None, Some(9.0)), &[1.0, 10.0]), [("`x` = 10 is above its max of 9, first".to_string(), Some(1.0))]);
    }

    #[test]
    fn rounding_is_no_violation() {
        assert_eq!(found(&plan(Some(0.0), None), &[1.0, -1e-7]), []);
        assert_eq!(found(&plan(Some(0.0), None), &[-1e-9, 1000.0]), [], "small beside what comes later");
        assert_eq!(found(&plan(Some(0.0), Some(1.0)), &[f64::NAN, 0.5]), []);
    }
}
