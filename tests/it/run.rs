//! Runs of the project's models: engines against each other, Jacobians against differences, results against references.

use partita::pipeline::{self, Compiled};
use partita_grammar::Source;
use partita_runtime::exec::Instance;
use partita_runtime::integrate::Solver;
use partita_runtime::model::Model;
use partita_runtime::result::compare::{TUBE, compare};
use partita_runtime::result::read::read_csv;
use partita_tests::simulation::{Engine, compile, instance, models, models_folder, read_source, run, table};
use std::path::Path;

/// All models, compiled.
fn compiled_models() -> Vec<(Source, Compiled)> {
    let paths = models().expect("the folder of models can be read");
    assert!(paths.len() >= 13, "{paths:?}");
    paths
        .iter()
        .map(|path| {
            let source = read_source(path).expect("a model can be read");
            let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
            (source, compiled)
        })
        .collect()
}

#[test]
fn interpreter_and_machine_code_give_the_same_bits() {
    for (source, compiled) in compiled_models() {
        let mut experiment = pipeline::experiment(&compiled.experiment, None, None);
        for solver in [Solver::Bdf, Solver::Esdirk] {
            experiment.solver = solver;
            let points = |engine| run(&compiled, &source, engine, &experiment).unwrap_or_else(|why| panic!("{solver}: {why}"));
            let (a, b) = (points(Engine::Interpreter), points(Engine::MachineCode));
            let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&a.times), bits(&b.times), "times of {} with {solver}", source.name);
            for (at, (x, y)) in a.rows.iter().zip(&b.rows).enumerate() {
                assert_eq!(bits(x), bits(y), "point {at} of {} with {solver}", source.name);
            }
        }
    }
}

/// Derivatives at a point, if the model can be evaluated there.
fn derivatives(model: &mut Instance, t: f64, x: &[f64]) -> Option<Vec<f64>> {
    let mut dx = vec![0.0; x.len()];
    model.derivatives(t, x, &mut dx).ok().map(|()| dx)
}

/// Every entry of the Jacobian agrees with a central difference for one of several step sizes, entries outside the pattern are zero.
/// One step size cannot do for all entries: `tanh(v/1e-4)` needs a small one, a sum of large numbers a large one.
fn check_jacobian(model: &mut Instance, t: f64, x: &[f64], what: &str) {
    let n = x.len();
    let pattern = model.jacobian_pattern().clone();
    let mut values = vec![0.0; pattern.rows.len()];
    model.jacobian(t, x, &mut values).unwrap_or_else(|failure| panic!("{what}: {failure:?}"));
    let mut exact = vec![vec![0.0; n]; n];
    for (col, window) in pattern.col_starts.windows(2).enumerate() {
        for at in window[0]..window[1] {
            exact[pattern.rows[at]][col] = values[at];
        }
    }
    let rates = derivatives(model, t, x).unwrap_or_else(|| panic!("{what}: no derivatives"));
    let row_size: Vec<f64> = exact.iter().map(|row| row.iter().fold(0.0, |a: f64, b| a.max(b.abs()))).collect();
    for col in 0..n {
        let mut best = vec![f64::INFINITY; n];
        for exponent in 2..=9 {
            let h = 10f64.powi(-exponent) * x[col].abs().max(model.nominal(col));
            let mut moved = x.to_vec();
            moved[col] = x[col] + h;
            let Some(above) = derivatives(model, t, &moved) else { continue };
            let width = moved[col] - x[col];
            moved[col] = x[col] - h;
            let Some(below) = derivatives(model, t, &moved) else { continue };
            let width = width + (x[col] - moved[col]);
            for row in 0..n {
                let difference = (above[row] - below[row]) / width;
                best[row] = best[row].min((difference - exact[row][col]).abs());
            }
        }
        for row in 0..n {
            // What is left of terms that cancel is compared with their size.
            let terms = rates[row].abs() / x[col].abs().max(model.nominal(col));
            let allowed = 1e-6 * exact[row][col].abs().max(1e-3 * row_size[row]).max(1e-3 * terms);
            assert!(
                best[row] <= allowed,
                "{what}: d der({})/d {} = {} differs by {} from differences",
                model.state_name(row),
                model.state_name(col),
                exact[row][col],
                best[row]
            );
        }
    }
}

#[test]
fn jacobians_agree_with_central_differences() {
    for (source, compiled) in compiled_models() {
        let experiment = pipeline::experiment(&compiled.experiment, None, None);
        let mut model = instance(&compiled, Engine::Interpreter).unwrap_or_else(|error| panic!("{error:?}"));
        let n = model.n_states();
        let mut x = vec![0.0; n];
        let mut t = experiment.start_time;
        model.initialize(t, &mut x).unwrap_or_else(|error| panic!("{}: {error:?}", source.name));
        check_jacobian(&mut model, t, &x, &format!("{} at the start", source.name));
        // On along the exact vector field by many small steps; accuracy does not matter, only that the point is a different one.
        let h = experiment.span() / 1e5;
        for _ in 0..50 {
            let Some(dx) = derivatives(&mut model, t, &x) else { break };
            let scale = dx.iter().enumerate().fold(1.0, |s: f64, (i, d)| s.max((d * h).abs() / x[i].abs().max(model.nominal(i)) * 10.0));
            for (value, d) in x.iter_mut().zip(&dx) {
                *value += h / scale * d;
            }
            t += h / scale;
        }
        check_jacobian(&mut model, t, &x, &format!("{} at time {t}", source.name));
    }
}

#[test]
fn results_agree_with_those_of_other_tools_to_a_ten_thousandth_of_range() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("reference");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("the folder of references can be read")
        .flatten()
        .filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".csv")?.to_string()))
        .collect();
    names.sort();
    assert!(names.len() >= 4, "{names:?}");
    for name in names {
        let text = std::fs::read_to_string(folder.join(format!("{name}.csv"))).expect("a reference can be read");
        assert!(text.starts_with("# "), "{name}.csv does not say which tool made it");
        let reference = read_csv(&text).unwrap_or_else(|why| panic!("{name}.csv: {why}"));
        let source = read_source(&models_folder().join(format!("{name}.mo"))).expect("a reference has a model of its name");
        let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
        let mut experiment = pipeline::experiment(&compiled.experiment, None, None);
        for solver in [Solver::Bdf, Solver::Esdirk, Solver::Dopri5] {
            experiment.solver = solver;
            let points = run(&compiled, &source, Engine::MachineCode, &experiment).unwrap_or_else(|why| panic!("{why}"));
            let comparison = compare(&reference, &table(&compiled, &points), None, TUBE);
            assert!(comparison.missing.is_empty() && comparison.short.is_none(), "{name}: {comparison:?}");
            for signal in &comparison.signals {
                assert!(signal.error_of_range <= 1e-4, "{name} with {solver}: {} differs by {:e} of its range", signal.name, signal.error_of_range);
            }
        }
    }
}
