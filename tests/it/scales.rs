//! Tiny, huge and mixed quantities through the whole compiler: states, crossings, linear and nonlinear systems.

use partita::pipeline;
use partita_grammar::Source;
use partita_runtime::integrate::Experiment;
use partita_runtime::result::read::Table;
use partita_tests::simulation::{Engine, compile, run, table};

fn results(text: &str, adjust: impl Fn(&mut Experiment)) -> Table {
    let source = Source { name: "model.mo".to_owned(), text: text.to_owned() };
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
    let mut experiment = pipeline::experiment(&compiled.experiment, None, None);
    adjust(&mut experiment);
    let points = run(&compiled, &source, Engine::MachineCode, &experiment).unwrap_or_else(|why| panic!("{why}"));
    table(&compiled, &points)
}

fn values(results: &Table, name: &str) -> Vec<f64> {
    results.values(name).unwrap_or_else(|| panic!("{name} is in the result"))
}

/// Compares a signal with a function of time, in parts of a size.
fn compare(results: &Table, name: &str, size: f64, allowed: f64, exact: impl Fn(f64) -> f64) {
    for (t, value) in results.time.iter().zip(values(results, name)) {
        let error = (value - exact(*t)).abs() / size;
        assert!(error < allowed, "{name} of size {size:e} at {t}: {value:e} and {:e}, {error:e}", exact(*t));
    }
}

#[test]
fn a_tiny_state_makes_its_events() {
    for size in ["1e-25", "1e-15", "1", "1e12"] {
        let text = format!(
            "model Tiny
               Real x(start = {size}, fixed = true), v(start = 0, fixed = true);
               Boolean above = x > 0.1*{size};
               Integer changes(start = 0, fixed = true);
             equation
               der(x) = v;
               der(v) = -x;
               when change(above) then
                 changes = pre(changes) + 1;
               end when;
               annotation(experiment(StopTime = 8));
             end Tiny;"
        );
        let found = results(&text, |_| {});
        assert_eq!(values(&found, "changes").last(), Some(&3.0), "{size}");
        let size: f64 = size.parse().unwrap();
        compare(&found, "x", size, 1e-5, |t| size * t.cos());
    }
}

#[test]
fn bounds_tell_how_small_a_state_is_that_begins_at_rest() {
    let text = "model Bounded
                  Real x(start = 0, fixed = true, min = 0, max = 1e-12), y(start = 0, fixed = true);
                  Boolean half = x > 0.5e-12;
                equation
                  der(x) = if time < 0.25 then 0 else 1e-12*(1 - x/1e-12)*4;
                  der(y) = if half then 1 else 0;
                end Bounded;";
    let found = results(text, |_| {});
    compare(&found, "x", 1e-12, 1e-5, |t| if t < 0.25 { 0.0 } else { -1e-12 * (-4.0 * (t - 0.25)).exp_m1() });
    let switch = 0.25 + 0.25 * 2.0_f64.ln();
    compare(&found, "y", 1.0, 1e-5, |t| (t - switch).max(0.0));
}

#[test]
fn tiny_unknowns_of_systems_have_their_digits() {
    for size in ["1e-30", "1e-15", "1", "1e15"] {
        // Two currents that are solved for together, and a nonlinear law of a quantity of the same size, beside one of size one.
        let text = format!(
            "model Systems
               constant Real s = {size};
               Real a, b, c, d, big;
             equation
               a + 2*b = s*sin(time) + 0.5*s;
               3*a - b = s*cos(time);
               c + c*abs(c)/s = s*(1 + time)*(2 + time);
               d*(1 + big) = s*(1 + time);
               big + 0.1*sin(big) + d/s = 2;
             end Systems;"
        );
        let found = results(&text, |_| {});
        let s: f64 = size.parse().unwrap();
        compare(&found, "a", s, 1e-9, |t| s * (t.sin() + 0.5 + 2.0 * t.cos()) / 7.0);
        compare(&found, "b", s, 1e-9, |t| s * (3.0 * (t.sin() + 0.5) - t.cos()) / 7.0);
        compare(&found, "c", s, 1e-9, |t| s * (1.0 + t));
        for ((t, d), big) in found.time.iter().zip(values(&found, "d")).zip(values(&found, "big")) {
            let left = (d * (1.0 + big) / (s * (1.0 + t)) - 1.0).abs();
            assert!(left < 1e-9, "{size} at {t}: {left:e}");
        }
    }
}

#[test]
fn fixed_steps_solve_for_tiny_states() {
    for size in [1e-25, 1.0, 1e15] {
        let text = format!(
            "model Stiff Real x(start = {size:e}, fixed = true); equation der(x) = -1000*(x - {size:e}*cos(time)) - x*abs(x)/{size:e}; end Stiff;"
        );
        let with = |solver: &str| results(&text, |experiment| (experiment.solver, experiment.step) = (solver.parse().unwrap(), Some(1e-4)));
        let (implicit, explicit) = (with("implicit-midpoint"), with("rk4"));
        let exact = values(&explicit, "x");
        for (x, y) in values(&implicit, "x").iter().zip(exact) {
            assert!((x - y).abs() < 1e-6 * size, "{size:e}: {x:e} and {y:e}");
        }
    }
}
