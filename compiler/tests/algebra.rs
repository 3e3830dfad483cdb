//! Systems that are reduced by symbolica, through the whole compiler; `cargo test -p partita --features symbolica -- --test-threads=1`.
//!
//! `golden/closed_form/*.mo` hold a model and, after the line `//! expect`, the dump of the pass; `BLESS=1` writes the expectations.
#![cfg(feature = "symbolica")]

use partita::base::messages::run_message;
use partita::pipeline::passes::Dump;
use partita::pipeline::{self, Compiled};
use partita_grammar::{Source, render};
use partita_runtime::base::error::RunError;
use partita_runtime::integrate::{Sink, simulate};
use std::path::{Path, PathBuf};

const MARK: &str = "//! expect\n";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/closed_form")
}

fn compiled(source: &Source) -> Compiled {
    pipeline::compile(source, None).unwrap_or_else(|messages| panic!("{}", render(&messages[0], source)))
}

/// The same model with Newton's method everywhere.
fn by_newton(compiled: &Compiled) -> Compiled {
    let mut plain = compiled.clone();
    plain.program.plan.blocks.values_mut().for_each(|block| block.closed = None);
    plain
}

/// First and last values of all signals.
#[derive(Default)]
struct Ends([Vec<f64>; 2]);

impl Sink for Ends {
    fn point(&mut self, _: f64, row: &[f64]) -> Result<(), RunError> {
        if self.0[0].is_empty() {
            self.0[0] = row.to_vec();
        }
        self.0[1] = row.to_vec();
        Ok(())
    }
}

/// What a run counts in closed form, and the ends of a variable; or the failure.
fn run(compiled: &Compiled, name: &str) -> Result<(u64, [f64; 2]), String> {
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let mut instance = pipeline::instantiate(compiled, true).map_err(|messages| messages[0].title.clone())?.instance;
    let mut ends = Ends::default();
    simulate(&mut instance, &experiment, &mut ends).map_err(|error| {
        let message = run_message(&error);
        format!("{} {}", message.title, message.labels.iter().map(|label| label.text.as_str()).collect::<String>())
    })?;
    let varying = compiled.program.plan.interface.signals.iter().filter(|signal| signal.varies);
    let at = varying.enumerate().find(|(_, signal)| signal.name == name).map(|(at, _)| at).expect("a signal");
    Ok((instance.statistics().closed_forms, ends.0.map(|row| row[at])))
}

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * b.abs().max(1.0)
}

#[test]
fn closed_forms_are_as_expected() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder()).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let dump = Dump::parse("closed_form").expect("a word of the table");
    assert!(!files.is_empty());
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a golden file");
        let (input, expected) = text.split_once(MARK).unwrap_or((&text, ""));
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let source = Source { name, text: input.to_owned() };
        let made = pipeline::dump(dump, &source, None).unwrap_or_else(|messages| panic!("{}", render(&messages[0], &source)));
        let actual: String = made.lines().map(|line| format!("// {line}\n")).collect();
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, format!("{input}{MARK}{actual}")).expect("a golden file can be written");
        } else {
            assert_eq!(actual, expected, "{}", source.name);
        }
    }
}

/// Conics, a sphere and two other surfaces: the branch of Newton's method is followed, and no iteration is needed.
#[test]
fn solutions_are_those_of_newtons_method() {
    let two = "Real x(start = 1), y(start = 1);";
    let three = "Real x(start = 1), y(start = 2), z(start = 1);";
    for (declarations, equations) in [
        (two, "x^2 + 2*y^2 + x*y = 4 + time; 3*x^2 + y^2 - x*y = 3;"),
        (two, "x^2 + y^2 = 2 + time; (x - 3)^2 + y^2 = 5;"),
        (two, "x^2/(1 + y^2) = 0.5 + 0.1*time; x^2 + y^2 + x*y = 3;"),
        (three, "x^2 + y^2 + z^2 = 6 + time; (x - 1)^2 + y^2 + z^2 = 5; x^2 + (y - 3)^2 + z^2 = 3;"),
        (three, "x*y + y*z = 4 + time; y*z + z*x = 3; z*x + x*y = 3;"),
    ] {
        let text = format!("model M\n {declarations}\nequation\n {equations}\n annotation(experiment(StopTime = 1));\nend M;");
        let source = Source { name: "model.mo".to_owned(), text };
        let model = compiled(&source);
        let report = &model.report;
        assert_eq!(report.closed_forms.len() + report.closed_forms_in_need.len(), 1, "{equations}: {report:?}");
        let (n_closed, closed) = run(&model, "x").unwrap_or_else(|why| panic!("{equations}: {why}"));
        let (_, plain) = run(&by_newton(&model), "x").unwrap_or_else(|why| panic!("{equations}: {why}"));
        assert!(near(closed[0], plain[0], 1e-9) && near(closed[1], plain[1], 1e-9), "{equations}: {closed:?} {plain:?}");
        assert_eq!(n_closed > 0, !report.closed_forms.is_empty(), "{equations}");
    }
}

/// The demonstration model: Newton's method ends at the event, the closed form goes on in the other hollow.
#[test]
fn a_solution_that_newtons_method_misses_is_found() {
    let text = std::fs::read_to_string(folder().join("ring.mo")).expect("the model");
    let model = compiled(&Source { name: "ring.mo".to_owned(), text });
    assert_eq!(model.report.closed_forms, ["x and y"]);
    assert!(model.report.to_string().contains("in closed form                  x and y"), "{}", model.report);
    let why = run(&by_newton(&model), "x").expect_err("Newton's method finds the solution");
    assert!(why.contains("Newton's iteration found no way on"), "{why}");
    let (_, [first, last]) = run(&model, "x").unwrap_or_else(|why| panic!("{why}"));
    assert!(near(first, -1.0, 0.01) && near(last, 1.0, 0.01), "{first} {last}");
}

/// What exceeds the bounds is left to Newton's method: too many solutions, too many symbols.
#[test]
fn large_systems_are_left_alone() {
    let many = "x^3*y^2 + x + y = 3 + time; x^2*y^3 - x*y + x = 1;";
    let symbols = "a1*x^2 + a2*y^2 + a3*x*y + a4*x + a5*y = a6 + time; a7*x^2 + a8*y^2 + a9*x*y + a10*x + a11*y = a12;";
    let parameters: String = (1..=12).map(|n| format!(" parameter Real a{n} = {};", 1.0 + 0.1 * f64::from(n))).collect();
    for equations in [many, symbols] {
        let text = format!("model M\n {parameters} Real x(start = 1), y(start = 1);\nequation\n {equations}\nend M;");
        let model = compiled(&Source { name: "model.mo".to_owned(), text });
        assert!(model.report.closed_forms.is_empty() && model.report.closed_forms_in_need.is_empty(), "{:?}", model.report);
    }
}
