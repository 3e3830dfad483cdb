//! Models that fall apart: parts with steps of their own are as accurate as a run of all states, and take less work.

use partita::decouple::verify::{Grid, Timed, reference_of};
use partita::pipeline;
use partita_grammar::Source;
use partita_runtime::integrate::Experiment;
use partita_runtime::model::interface::HybridModel;
use partita_tests::simulation::{Engine, instance, models_folder, read_source, rendered};

const TOLERANCE: f64 = 1e-6;

/// Runs of all states and of parts, and their errors.
struct Runs {
    whole: Timed,
    apart: Timed,
    errors: [f64; 2],
}

fn runs(source: &Source, stop: f64) -> Runs {
    let structured = pipeline::structure(source, None).unwrap_or_else(|messages| panic!("{}", rendered(&messages, source)));
    let compiled = pipeline::program_that_splits(structured).unwrap_or_else(|messages| panic!("{}", rendered(&messages, source)));
    let model = instance(&compiled, Engine::MachineCode).unwrap_or_else(|error| panic!("{error:?}"));
    let plain = Experiment { tolerance: TOLERANCE, ..pipeline::experiment(&compiled.experiment, None, Some(stop)) };
    let grid = Grid::new(&model, &plain);
    let run = |experiment: &Experiment| grid.run(&model, experiment).unwrap_or_else(|message| panic!("{message:?}"));
    let reference = run(&reference_of(&plain, model.n_states()));
    let (whole, apart) = (run(&plain), run(&Experiment { partition: true, ..plain.clone() }));
    let errors = [&whole, &apart].map(|run| grid.deviation(run, &reference, &plain).headline());
    Runs { whole, apart, errors }
}

impl Runs {
    fn assert_right(&self, what: &str) {
        let [whole, apart] = self.errors;
        assert!(apart <= 1.5 * whole.max(TOLERANCE), "{what}: {apart:e} and {whole:e} without");
        assert_eq!(self.whole.statistics.output_points, self.apart.statistics.output_points, "{what}");
        assert_eq!(self.whole.statistics.events.state_events, self.apart.statistics.events.state_events, "{what}");
    }
}

/// A model of the project with other sizes.
fn known(name: &str, changes: &[(&str, &str)]) -> Source {
    let mut source = read_source(&models_folder().join(format!("{name}.mo"))).unwrap_or_else(|error| panic!("{error}"));
    for (old, new) in changes {
        assert!(source.text.contains(old), "{old}");
        source.text = source.text.replacen(old, new, 1);
    }
    source
}

#[test]
fn a_network_behind_a_quick_switch_sees_the_mean_of_what_heats_it() {
    let runs = runs(&known("converter", &[("n = 300", "n = 120")]), 0.02);
    runs.assert_right("converter");
    let counts = runs.apart.statistics.apart.cascade.as_ref().expect("the model falls apart");
    assert_eq!((counts.head_states, counts.parts, counts.bound), (4, 1, 0));
    assert!(20 * counts.most_steps < counts.head_steps, "{counts:?}");
}

#[test]
fn parts_that_do_not_touch_have_steps_of_their_own() {
    let runs = runs(&known("drives", &[("n = 50", "n = 12")]), 1.0);
    runs.assert_right("drives");
    let counts = runs.apart.statistics.apart.cascade.as_ref().expect("the model falls apart");
    assert_eq!((counts.head_states, counts.parts), (0, 12));
    assert!(5 * counts.fewest_steps < counts.most_steps, "{counts:?}");
}

/// Cells behind a pulse, which what they read reaches in three ways: as a switched loss, multiplied with their state, not at all.
fn heated(first: &str) -> Source {
    let text = format!(
        "model Heated
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Real T[150](each start = 1, each fixed = true);
  Real u;
equation
  u = if sin(6283.185307179586*time) > 0.2 then 10 else 0;
  1e-4*der(x) = u - x - y;
  1e-3*der(y) = x - 0.5*y;
  der(T[1]) = {first} - 3*(T[1] - T[2]);
  for k in 2:149 loop
    der(T[k]) = 3*(T[k - 1] - 2*T[k] + T[k + 1]) - 0.01*T[k]^3;
  end for;
  der(T[150]) = 3*(T[149] - T[150]);
end Heated;
"
    );
    Source { name: "Heated.mo".to_string(), text }
}

#[test]
fn whatever_reaches_a_part_from_outside_is_right() {
    for first in ["u*x", "x^2 + 0.1*sin(time)"] {
        let runs = runs(&heated(first), 0.3);
        runs.assert_right(first);
        let counts =
            runs.apart.statistics.apart.cascade.as_ref().unwrap_or_else(|| panic!("{first}: {:?}", runs.apart.statistics.apart.not_apart));
        assert_eq!((counts.head_states, counts.parts, counts.bound), (2, 1, 0), "{first}");
        assert!(100 * counts.most_steps < counts.head_steps, "{first}: {counts:?}");
    }
    // What is read and what is computed are no terms of one sum: by states of the head, and by its discrete values.
    for first in ["(1 + x)*(2 - T[1])", "(1 + 0.1*u)*(2 - T[1]) + 1e-3*x"] {
        let runs = runs(&heated(first), 0.3);
        runs.assert_right(first);
        assert!(runs.apart.statistics.apart.cascade.is_none(), "{first}: {:?}", runs.apart.statistics.apart.cascade);
        assert!(
            runs.apart.statistics.apart.not_apart.as_ref().is_some_and(|why| why.contains("`T[1]`")),
            "{first}: {:?}",
            runs.apart.statistics
        );
    }
}

/// The rates begin to depend on discrete values later than the parts have begun to have steps of their own.
#[test]
fn steps_end_with_those_of_the_events_where_discrete_values_decide_about_rates() {
    let runs = runs(&heated("(1 + max(0, time - 0.1)*u)*(2 - T[1]) + 1e-3*x"), 0.3);
    // The temperatures are 1 and move by a thousandth: the tolerance is a thousandth of their ranges.
    assert!(runs.errors[1] < 3e-4, "{:?}", runs.errors);
    let counts = runs.apart.statistics.apart.cascade.as_ref().unwrap_or_else(|| panic!("{:?}", runs.apart.statistics.apart.not_apart));
    assert_eq!((counts.head_states, counts.parts, counts.bound), (2, 1, 1));
}

#[test]
fn parts_that_gain_nothing_stay_together() {
    // All drives have the same time constant.
    let runs = runs(&known("drives", &[("n = 50", "n = 4"), ("10^(3*(k - 1)/(n - 1))", "10^(0.01*k)")]), 0.1);
    assert!(runs.apart.statistics.apart.cascade.is_none() && runs.apart.statistics.apart.not_apart.is_some());
    runs.assert_right("drives of one speed");
}
