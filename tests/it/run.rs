//! Runs of the project's models: engines against each other, Jacobians against differences, results against references.

use partita::pipeline::{self, Compiled};
use partita_grammar::Source;
use partita_runtime::exec::Instance;
use partita_runtime::integrate::{Solver, simulate};
use partita_runtime::model::interface::HybridModel;
use partita_runtime::result::compare::{TUBE, compare};
use partita_runtime::result::read::{Table, read_csv};
use partita_tests::simulation::{Engine, Points, compile, instance, models, models_folder, read_source, run, table};
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
            let a = points(Engine::Interpreter);
            let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            for engine in [Engine::MachineCode, Engine::Image] {
                let b = points(engine);
                assert_eq!(bits(&a.times), bits(&b.times), "times of {} with {solver} by {engine:?}", source.name);
                for (at, (x, y)) in a.rows.iter().zip(&b.rows).enumerate() {
                    assert_eq!(bits(x), bits(y), "point {at} of {} with {solver} by {engine:?}", source.name);
                }
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
/// One step size cannot do for all entries: `tanh(v/1e-4)` needs a small one, a sum of large numbers a large one. At a kink, where
/// both sides differ, the entry is that of one side.
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
        // What is zero at this point only is compared with its size nearby.
        let mut nearby = vec![0.0f64; n];
        for exponent in 2..=9 {
            let h = 10f64.powi(-exponent) * x[col].abs().max(model.nominal(col));
            let mut moved = x.to_vec();
            moved[col] = x[col] + h;
            let Some(above) = derivatives(model, t, &moved) else { continue };
            let width = moved[col] - x[col];
            moved[col] = x[col] - h;
            let Some(below) = derivatives(model, t, &moved) else { continue };
            let (right, left) = (width, x[col] - moved[col]);
            for row in 0..n {
                let central = (above[row] - below[row]) / (right + left);
                best[row] = best[row].min((central - exact[row][col]).abs());
                nearby[row] = nearby[row].max(central.abs());
                let sides = [(above[row] - rates[row]) / right, (rates[row] - below[row]) / left];
                nearby[row] = nearby[row].max(sides[0].abs()).max(sides[1].abs());
                if (sides[0] - sides[1]).abs() > 0.5 * sides[0].abs().max(sides[1].abs()) {
                    best[row] = sides.iter().fold(best[row], |best, side| best.min((side - exact[row][col]).abs()));
                }
            }
        }
        for row in 0..n {
            // What is left of terms that cancel is compared with their size.
            let terms = rates[row].abs() / x[col].abs().max(model.nominal(col));
            let allowed = 1e-6 * exact[row][col].abs().max(1e-3 * row_size[row]).max(1e-3 * terms).max(1e-3 * nearby[row]);
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
                assert!(
                    signal.error_of_range <= 1e-4,
                    "{name} with {solver}: {} differs by {:e} of its range",
                    signal.name,
                    signal.error_of_range
                );
            }
        }
    }
}

/// The amplitude of the elliptic integral of the first kind with parameter m, by descending Landen transformations
/// (arithmetic-geometric mean; Abramowitz and Stegun, 16.4).
fn amplitude(u: f64, m: f64) -> f64 {
    let (mut a, mut b, mut c) = (1.0f64, (1.0 - m).sqrt(), m.sqrt());
    let mut ratios = Vec::new();
    while c > 1e-16 {
        (a, b, c) = ((a + b) / 2.0, (a * b).sqrt(), (a - b) / 2.0);
        ratios.push(c / a);
    }
    let mut phi = a * u * f64::from(1u32 << ratios.len());
    for ratio in ratios.iter().rev() {
        phi = (phi + (ratio * phi.sin()).asin()) / 2.0;
    }
    phi
}

#[test]
fn a_pendulum_turns_over_with_states_chosen_while_it_runs() {
    let source = read_source(&models_folder().join("rotating_pendulum.mo")).expect("the model can be read");
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let mut points = Points::default();
    let mut model = instance(&compiled, Engine::MachineCode).expect("the model has code");
    let statistics = simulate(&mut model, &experiment, &mut points).expect("the pendulum runs");
    // Four changes in each of 21 turns, less the first eighth; the method goes on from its past at each of them.
    assert_eq!(model.statistics().state_choices, 81);
    assert_eq!(statistics.events.restarts, 1);
    let table = table(&compiled, &points);
    let column = |name: &str| table.values(name).unwrap_or_else(|| panic!("{name} is in the result"));
    let (x, y, energy, drift) = (column("x"), column("y"), column("energy"), column("drift"));
    let (speed, gravity) = (8.0, 9.81);
    for (i, t) in points.times.iter().enumerate() {
        let expected = 2.0 * amplitude(speed * t / 2.0, 4.0 * gravity / (speed * speed));
        let difference = x[i].atan2(-y[i]) - expected;
        let turns = (difference / std::f64::consts::TAU).round();
        let difference = difference - turns * std::f64::consts::TAU;
        assert!(difference.abs() < 1e-5, "the angle differs by {difference:e} at time {t}");
        assert!((energy[i] / energy[0] - 1.0).abs() < 1e-6, "the energy is {} at time {t}", energy[i]);
        assert!(drift[i].abs() < 1e-9, "the rod is too long by {:e} at time {t}", drift[i]);
    }
}

/// The results of a model of the project, run as its annotation says.
fn results(name: &str) -> Table {
    let source = read_source(&models_folder().join(format!("{name}.mo"))).expect("the model can be read");
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let points = run(&compiled, &source, Engine::MachineCode, &experiment).unwrap_or_else(|why| panic!("{why}"));
    table(&compiled, &points)
}

#[test]
fn a_four_bar_linkage_keeps_its_energy_and_stays_closed() {
    let table = results("four_bar");
    let column = |name: &str| table.values(name).unwrap_or_else(|| panic!("{name} is in the result"));
    let (energy, gap, angle) = (column("energy"), column("gap"), column("q1"));
    assert!(energy.iter().all(|value| (value / energy[0] - 1.0).abs() < 1e-6));
    assert!(gap.iter().all(|value| *value < 1e-9));
    let turns = angle.last().expect("there are points") / std::f64::consts::TAU;
    assert!(turns > 12.0, "the crank turns {turns} times");
}

#[test]
fn a_car_on_a_kerb_has_the_published_activities() {
    let table = results("car_suspension");
    // Found by an independent calculation; the published ones differ by less than a thousandth.
    let expected = [
        ("gravity_s", 2269.103, 2270.06),
        ("spring_s", 1762.584, 1763.33),
        ("ground", 794.9983, 795.02),
        ("mass_s", 787.3582, 787.65),
        ("damper_s", 198.7397, 198.82),
        ("spring_t", 192.5398, 192.57),
        ("gravity_t", 92.97715, 92.98),
        ("mass_t", 24.51137, 24.53),
        ("damper_t", 0.53195, 0.53),
    ];
    for (component, calculated, published) in expected {
        let activity =
            table.values(&format!("a_{component}")).and_then(|values| values.last().copied()).expect("the activity is in the result");
        assert!((activity / calculated - 1.0).abs() < 1e-5, "{component}: {activity} is not {calculated}");
        assert!((activity / published - 1.0).abs() < 4e-3, "{component}: {activity} is not {published}");
    }
}

/// Runs of one compiled model in several threads, each with its own parameter, give what they give one after the other.
#[test]
fn runs_of_one_model_do_not_see_each_other() {
    let text = "model M
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
  discrete Integer n(start = 0, fixed = true);
equation
  der(x) = -k*x;
  when x < 0.5 then n = pre(n) + 1; end when;
end M;";
    let model = partita::compile(text).unwrap_or_else(|failure| panic!("{failure}"));
    let rates = [0.5, 1.0, 2.0, 4.0];
    let values = |rate: f64| {
        let table = model.run().set("k", rate).stop_time(3.0).simulate().unwrap_or_else(|failure| panic!("{failure}"));
        table.values("x").expect("x is a signal").to_vec()
    };
    let alone = rates.map(values);
    let together = std::thread::scope(|scope| {
        let runs = rates.map(|rate| scope.spawn(move || values(rate)));
        runs.map(|run| run.join().expect("a run ends"))
    });
    assert_eq!(alone, together);
    assert_ne!(alone[0], alone[1]);
}

#[test]
fn a_model_ends_its_run_at_the_moment_its_condition_says() {
    let path = models_folder().join("../tests/golden/commands/terminate.mo");
    let compiled = compile(&read_source(&path).expect("the model can be read"), None).unwrap_or_else(|why| panic!("{why}"));
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let mut points = Points::default();
    let mut model = instance(&compiled, Engine::MachineCode).expect("the model has code");
    let statistics = simulate(&mut model, &experiment, &mut points).expect("the model runs");
    assert_eq!(statistics.terminated.as_deref(), Some("three quarters are gone"));
    assert!((statistics.end_time - 0.75).abs() < 1e-9, "{}", statistics.end_time);
    assert_eq!(model.warnings().len(), 1, "{:?}", model.warnings());
}

/// At the guess of the density, zero, the root has no value; at that of the temperature it has.
#[test]
fn a_start_without_solution_from_one_guess_is_found_from_the_states() {
    let path = models_folder().join("../tests/golden/program/steady_start.mo");
    let source = read_source(&path).expect("the model can be read");
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let points = run(&compiled, &source, Engine::MachineCode, &experiment).unwrap_or_else(|why| panic!("{why}"));
    let slope = table(&compiled, &points).values("der(T)").expect("the result has the slope");
    assert!(slope[0].abs() < 1e-9, "{}", slope[0]);
}

/// A square grid of resistors with a source at one corner, written out: every node has a resistor to earth.
fn resistor_grid(side: usize) -> String {
    let (mut declarations, mut equations) = (String::new(), String::new());
    for (row, column) in (0..side).flat_map(|row| (0..side).map(move |column| (row, column))) {
        let mut inflow = if row + column == 0 { "(source - v0_0)/R".to_string() } else { "0".to_string() };
        declarations += &format!("  Real v{row}_{column};\n");
        for (name, below, exists_before, exists_behind, before) in [
            ('h', (row, column + 1), column > 0, column + 1 < side, (row, column.saturating_sub(1))),
            ('w', (row + 1, column), row > 0, row + 1 < side, (row.saturating_sub(1), column)),
        ] {
            if exists_before {
                inflow += &format!(" + {name}{}_{}", before.0, before.1);
            }
            if exists_behind {
                inflow += &format!(" - {name}{row}_{column}");
                declarations += &format!("  Real {name}{row}_{column};\n");
                equations += &format!("  v{row}_{column} - v{}_{} = R*{name}{row}_{column};\n", below.0, below.1);
            }
        }
        equations += &format!("  G*v{row}_{column} = {inflow};\n");
    }
    format!("model Grid\n  parameter Real R = 2, G = 0.01;\n  Real source = 1 + time;\n{declarations}equation\n{equations}end Grid;\n")
}

#[test]
fn a_large_grid_is_solved_for_its_node_voltages() {
    let side = 20;
    let model = partita::pipeline::embed::Model::compile(&resistor_grid(side)).unwrap_or_else(|failure| panic!("{failure}"));
    let systems = &model.compiled().report.linear_systems;
    assert_eq!(
        systems.iter().map(|system| (system.size, system.torn)).collect::<Vec<_>>(),
        [(side * side + 2 * side * (side - 1), side * side)]
    );
    let results = model.run().stop_time(1.0).interval(0.5).simulate().unwrap_or_else(|failure| panic!("{failure}"));
    let at_end = |name: &str| results.values(name).and_then(|values| values.last().copied()).unwrap_or_else(|| panic!("no {name}"));
    // What flows in flows to earth.
    let to_earth: f64 = (0..side * side).map(|k| 0.01 * at_end(&format!("v{}_{}", k / side, k % side))).sum();
    let inflow = (2.0 - at_end("v0_0")) / 2.0;
    assert!((to_earth - inflow).abs() < 1e-12 * inflow, "{to_earth} and {inflow}");
}

/// A diode in series with a coil: the current is very stiff while the diode blocks and hardly so while it conducts. Factors of
/// the one state must not serve in the other. The value at the end is that of a run with a tolerance of 1e-10.
#[test]
fn a_diode_and_a_coil_rectify() {
    let text = "model Choke
  Real i(start = 0, fixed = true), c(start = 0, fixed = true), v;
equation
  i = 1e-6*(exp(v/0.0253) - 1) + v/1e8;
  1e-4*der(i) = sin(6.283185307179586*time) - v - c;
  der(c) = i - c;
  annotation(experiment(StopTime = 5));
end Choke;";
    let source = Source { name: "choke.mo".to_owned(), text: text.to_owned() };
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
    for (solver, tolerance) in
        [Solver::Bdf, Solver::Esdirk].into_iter().flat_map(|solver| [1e-4, 1e-5, 1e-6, 1e-7].map(|tolerance| (solver, tolerance)))
    {
        let mut experiment = pipeline::experiment(&compiled.experiment, None, None);
        experiment.tolerance = tolerance;
        experiment.solver = solver;
        let points = run(&compiled, &source, Engine::MachineCode, &experiment).unwrap_or_else(|why| panic!("{why}"));
        let c = table(&compiled, &points).values("c").unwrap_or_default();
        assert!((c[c.len() - 1] - 0.32232503).abs() < 1e-4, "{solver:?} {tolerance}: {}", c[c.len() - 1]);
    }
}

/// A capacitor behind a tiny resistance: its current is the small difference of two voltages, divided by something smaller. It is
/// that of a capacitor all the same, at every point of output.
#[test]
fn a_tiny_resistance_shows_the_right_current() {
    let text = "model Tiny
  Real v(start = 0, fixed = true), i;
equation
  i = (sin(time) - v)/1e-4;
  1e-6*der(v) = i;
  annotation(experiment(StopTime = 6));
end Tiny;";
    let source = Source { name: "tiny.mo".to_owned(), text: text.to_owned() };
    let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let points = run(&compiled, &source, Engine::MachineCode, &experiment).unwrap_or_else(|why| panic!("{why}"));
    let table = table(&compiled, &points);
    let (time, i) = (table.values("time").unwrap_or_default(), table.values("i").unwrap_or_default());
    for (t, i) in time.iter().zip(&i).filter(|(t, _)| **t > 1e-3) {
        assert!((1e6 * i - t.cos()).abs() < 1e-3, "{i} at {t}");
    }
}
