//! What a run is asked to be: flags, then the model's annotation, then the defaults that OpenModelica has.
//!
//! Input: what the user says, the annotation. Output: the [`Experiment`], and where each of its settings came from. What was asked for
//! is taken as it is: no interval is refined and no tolerance replaced.

use super::model_image::Annotation;
use crate::integrate::Experiment;
use serde::Serialize;
use std::fmt;

/// Where a setting came from.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// The user said so.
    Flag,
    /// The model's experiment annotation.
    Annotation,
    /// The result that the run is compared with.
    Reference,
    /// The decision how to treat fast and slow states.
    Decoupling,
    /// Nobody said anything.
    #[default]
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Origin::Flag => "flag",
            Origin::Annotation => "annotation",
            Origin::Reference => "reference",
            Origin::Decoupling => "decoupling",
            Origin::Default => "default",
        })
    }
}

/// What the user says about a run; `None` where nothing.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// Begin of the run.
    pub start_time: Option<f64>,
    /// End of the run.
    pub stop_time: Option<f64>,
    /// The tolerance.
    pub tolerance: Option<f64>,
    /// Distance of results.
    pub interval: Option<f64>,
    /// Number of intervals between results, where no distance is given.
    pub intervals: Option<usize>,
    /// Step of fixed-step methods.
    pub step: Option<f64>,
}

/// Where the settings of an experiment came from.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Origins {
    /// Of the end of the run.
    pub stop_time: Origin,
    /// Of the tolerance.
    pub tolerance: Origin,
    /// Of the distance of results.
    pub interval: Origin,
    /// Of the step of fixed-step methods.
    pub step: Origin,
}

/// The first value that somebody gave.
fn first<const N: usize>(choices: [(Option<f64>, Origin); N]) -> (Option<f64>, Origin) {
    choices.into_iter().find(|(value, _)| value.is_some()).unwrap_or_default()
}

impl Asked {
    /// The run that is meant.
    pub fn experiment(&self, annotation: &Annotation) -> (Experiment, Origins) {
        let defaults = Experiment::default();
        let start_time = self.start_time.or(annotation.start_time).unwrap_or(defaults.start_time);
        let (stop_time, stop_origin) = first([(self.stop_time, Origin::Flag), (annotation.stop_time, Origin::Annotation)]);
        let stop_time = stop_time.unwrap_or(start_time + 1.0);
        let (tolerance, tolerance_origin) = first([(self.tolerance, Origin::Flag), (annotation.tolerance, Origin::Annotation)]);
        let span = stop_time - start_time;
        let asked = self.interval.or(self.intervals.map(|n| span / n as f64));
        let in_annotation = annotation.interval.filter(|interval| *interval > 0.0);
        let written = in_annotation.or(annotation.number_of_intervals.filter(|n| *n >= 1.0).map(|n| span / n));
        let (interval, interval_origin) = first([(asked, Origin::Flag), (written, Origin::Annotation)]);
        let (step, step_origin) = first([(self.step, Origin::Flag), (interval, interval_origin)]);
        let experiment =
            Experiment { start_time, stop_time, tolerance: tolerance.unwrap_or(defaults.tolerance), interval, step, ..defaults };
        (experiment, Origins { stop_time: stop_origin, tolerance: tolerance_origin, interval: interval_origin, step: step_origin })
    }
}

impl Origins {
    /// What is run, and how, in one line.
    pub fn header(&self, model: &str, experiment: &Experiment) -> String {
        let Experiment { start_time, stop_time, tolerance, .. } = experiment;
        let method = experiment.method_word();
        let how = match experiment.is_fixed_step() {
            true => format!("step {} ({})", experiment.fixed_step(), self.step),
            false => format!("tolerance {tolerance:e} ({})", self.tolerance),
        };
        let interval = experiment.output_interval();
        format!(
            "{model} from {start_time} to {stop_time} ({}), {method} with {how}, results every {interval} ({})\n",
            self.stop_time, self.interval
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITTEN: Annotation =
        Annotation { start_time: Some(1.0), stop_time: Some(3.0), tolerance: Some(1e-3), interval: Some(0.5), number_of_intervals: None };

    #[test]
    fn an_annotation_is_taken_as_it_is() {
        let (experiment, origins) = Asked::default().experiment(&WRITTEN);
        assert_eq!((experiment.start_time, experiment.stop_time, experiment.tolerance), (1.0, 3.0, 1e-3));
        assert_eq!((experiment.output_interval(), experiment.fixed_step()), (0.5, 0.5));
        let all = Origin::Annotation;
        assert_eq!(origins, Origins { stop_time: all, tolerance: all, interval: all, step: all });
        let counted = Annotation { interval: None, number_of_intervals: Some(8.0), ..WRITTEN };
        assert_eq!(Asked::default().experiment(&counted).0.output_interval(), 0.25);
        // The number of intervals is that of the whole run, however long it is.
        assert_eq!(Asked { stop_time: Some(5.0), ..Asked::default() }.experiment(&counted).0.output_interval(), 0.5);
    }

    #[test]
    fn without_an_annotation_there_are_500_intervals_and_a_millionth() {
        let (experiment, origins) = Asked::default().experiment(&Annotation::default());
        assert_eq!(
            (experiment.stop_time, experiment.tolerance, experiment.output_interval(), experiment.fixed_step()),
            (1.0, 1e-6, 1.0 / 500.0, 1.0 / 500.0)
        );
        assert_eq!(origins, Origins::default());
        let header = origins.header("M", &experiment);
        assert_eq!(header, "M from 0 to 1 (default), bdf with tolerance 1e-6 (default), results every 0.002 (default)\n");
    }

    #[test]
    fn flags_win() {
        let asked = Asked { stop_time: Some(2.0), tolerance: Some(1e-2), intervals: Some(4), ..Asked::default() };
        let (mut experiment, origins) = asked.experiment(&WRITTEN);
        assert_eq!(
            (experiment.start_time, experiment.stop_time, experiment.tolerance, experiment.output_interval()),
            (1.0, 2.0, 1e-2, 0.25)
        );
        assert_eq!(origins.header("M", &experiment), "M from 1 to 2 (flag), bdf with tolerance 1e-2 (flag), results every 0.25 (flag)\n");
        experiment.solver = crate::integrate::Solver::Rk4;
        experiment.step = Some(0.125);
        assert_eq!(origins.header("M", &experiment), "M from 1 to 2 (flag), rk4 with step 0.125 (flag), results every 0.25 (flag)\n");
    }
}
