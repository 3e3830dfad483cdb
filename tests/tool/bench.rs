//! Speed of the compiler and of its code, with ratios. One command, in release:
//!
//! `cargo run --release -p partita-tests -- bench [exchanger|rhs|compile|models]`
//!
//! - `compile`: time per pass and per equation of the heat exchanger with N = 10 ... 10000 cells, from arrays and from scalars.
//! - `rhs`: one evaluation of the derivatives by Partita, and by the same straight-line code and by loops written by hand, both
//!   compiled by `gcc -O3`. Needs gcc; without it only Partita's figure is shown.
//! - `exchanger`: the default method on the heat exchanger until t = 20 at a tolerance of 1e-6; with `--features diffsol` also the BDF
//!   method of that crate with sparse LU on the same equations in plain Rust, and the ratio of the times. Errors are the largest ones at the end,
//!   in tolerances (1e-6*(1 + |T|)).
//! - `models`: text to machine code and run of the project's models.
//!
//! Every figure is the smallest of several runs.

use cpu_time::{ProcessTime, ThreadTime};
use partita::pipeline::{self, Compiled};
use partita::program::code::Instr;
use partita_grammar::Source;
use partita_runtime::base::error::RunError;
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::integrate::{Experiment, Sink, simulate};
use partita_runtime::model::interface::HybridModel;
use partita_runtime::model::plan::Step;
use partita_tests::simulation::{compile, models, models_folder, read_source};
use std::fmt::Write;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Runs of which the fastest counts.
const RUNS: usize = 10;

/// Takes points and forgets them.
struct Nowhere;

impl Sink for Nowhere {
    fn point(&mut self, _: f64, _: &[f64]) -> Result<(), RunError> {
        Ok(())
    }
}

/// The heat exchanger of the project's models with `n` cells.
fn exchanger(n: usize) -> Result<Source, String> {
    let source = read_source(&models_folder().join("heat_exchanger.mo")).map_err(|error| error.to_string())?;
    let text = source.text.replacen("N = 10 ", &format!("N = {n} "), 1);
    Ok(Source { name: format!("heat_exchanger with N = {n}"), text })
}

/// The smallest of several times, in seconds.
fn fastest(once: impl FnMut() -> Result<f64, String>) -> Result<f64, String> {
    fastest_of(RUNS, once)
}

fn fastest_of(runs: usize, mut once: impl FnMut() -> Result<f64, String>) -> Result<f64, String> {
    let mut best = f64::INFINITY;
    for _ in 0..runs {
        best = best.min(once()?);
    }
    Ok(best)
}

/// The same model as a tool that knows no arrays writes it.
fn scalar_exchanger(n: usize) -> Source {
    let (mut declarations, mut equations) = (String::new(), String::new());
    for i in 1..=n {
        let _ = writeln!(
            declarations,
            "  Real Ta_{i}(start = 293.15, fixed = true), Tw_{i}(start = 293.15, fixed = true), Tb_{i}(start = 293.15, fixed = true);"
        );
        let (a, b) = if i > 1 { (format!("Ta_{}", i - 1), format!("Tb_{}", i - 1)) } else { ("Tain".to_string(), "Tbin".to_string()) };
        let j = n - i + 1;
        let _ = writeln!(equations, "  ca*Ma/N*der(Ta_{i}) = wa*ca*({a} - Ta_{i}) + Ga/N*(Tw_{i} - Ta_{i});");
        let _ = writeln!(equations, "  cb*Mb/N*der(Tb_{i}) = wb*cb*({b} - Tb_{i}) + Gb/N*(Tw_{j} - Tb_{i});");
        let _ = writeln!(equations, "  cw*Mw/N*der(Tw_{i}) = -Ga/N*(Tw_{i} - Ta_{i}) - Gb/N*(Tw_{i} - Tb_{j});");
    }
    let parameters = "  parameter Real wa = 1, wb = 1, ca = 4200, cb = 3500, cw = 500, Ma = 0.1, Mb = 1, Mw = 10, Ga = 8000, Gb = 8000, Tain = 323.15, Tbin = 288.15;";
    let text =
        format!("model HeatExchanger\n  parameter Integer N = {n};\n{parameters}\n{declarations}equation\n{equations}end HeatExchanger;\n");
    Source { name: format!("scalar heat exchanger with N = {n}"), text }
}

fn compile_times() -> Result<(), String> {
    println!("text to machine code, heat exchanger, ms by the clock per pass; CPU time of all threads, and in microseconds per equation");
    let mut named = false;
    for (form, n) in [("arrays", 10), ("arrays", 100), ("arrays", 1000), ("arrays", 10_000), ("scalars", 1000), ("scalars", 10_000)] {
        let source = if form == "arrays" { exchanger(n)? } else { scalar_exchanger(n) };
        let mut least: Vec<(&'static str, f64)> = Vec::new();
        let cpu = fastest_of(if n > 1000 { 3 } else { RUNS }, || {
            let began = ProcessTime::now();
            let compiled = compile(&source, None)?;
            let ready = pipeline::instantiate(&compiled, true).map_err(|messages| format!("{messages:?}"))?;
            let time = began.elapsed().as_secs_f64();
            let passes = compiled.timings.iter().chain(&ready.timings).map(|t| (t.pass, t.time.as_secs_f64()));
            least = if least.is_empty() {
                passes.collect()
            } else {
                passes.zip(&least).map(|((pass, time), (_, before))| (pass, time.min(*before))).collect()
            };
            Ok(time)
        })?;
        if !named {
            println!(
                "{:>8} {:>8} {} {:>9} {:>9}",
                "from",
                "states",
                least.iter().map(|(name, _)| format!("{name:>9}")).collect::<String>(),
                "CPU",
                "per eq"
            );
            named = true;
        }
        let columns: String = least.iter().map(|(_, time)| format!("{:9.2}", time * 1e3)).collect();
        println!("{form:>8} {:>8} {columns} {:9.2} {:9.2}", 3 * n, cpu * 1e3, cpu * 1e6 / (3 * n) as f64);
    }
    Ok(())
}

fn unary(op: Op1, a: &str) -> String {
    match op {
        Op1::Neg => format!("-{a}"),
        Op1::Not => format!("({a} == 0.0)"),
        Op1::Abs => format!("fabs({a})"),
        Op1::Sign => format!("(({a} > 0.0) - ({a} < 0.0))"),
        Op1::Ceil => format!("ceil({a})"),
        other => format!("{}({a})", format!("{other:?}").to_lowercase()),
    }
}

fn binary(op: Op2, a: &str, b: &str) -> String {
    match op {
        Op2::Add => format!("{a} + {b}"),
        Op2::Sub => format!("{a} - {b}"),
        Op2::Mul => format!("{a} * {b}"),
        Op2::Div => format!("{a} / {b}"),
        Op2::Pow => format!("pow({a}, {b})"),
        Op2::Atan2 => format!("atan2({a}, {b})"),
        Op2::Min => format!("fmin({a}, {b})"),
        Op2::Max => format!("fmax({a}, {b})"),
        Op2::Lt => format!("{a} < {b}"),
        Op2::Le => format!("{a} <= {b}"),
        Op2::Gt => format!("{a} > {b}"),
        Op2::Ge => format!("{a} >= {b}"),
        Op2::Eq => format!("{a} == {b}"),
        Op2::Ne => format!("{a} != {b}"),
        Op2::And => format!("({a} != 0.0 && {b} != 0.0)"),
        Op2::Or => format!("({a} != 0.0 || {b} != 0.0)"),
    }
}

/// The derivatives as straight-line C, in functions of at most some thousand lines; fails if the model has systems or calls.
fn c_code(compiled: &Compiled) -> Result<String, String> {
    let mut functions = 0;
    let mut text = "#include <math.h>\n#include <stdio.h>\n#include <time.h>\n".to_string();
    for step in &compiled.program.plan.derivatives.steps {
        let Step::Kernel(kernel) = step else { return Err("the model has systems of equations".to_string()) };
        let _ = writeln!(text, "__attribute__((noinline)) static void f{functions}(double *restrict m) {{");
        for (value, instr) in compiled.program.codes[*kernel].instrs.iter() {
            let v = |value: partita::program::code::Val| format!("v{}", value.as_u32());
            let value = v(value);
            let line = match instr {
                Instr::Const(number) => format!("const double {value} = {number:e};"),
                Instr::Load(slot) => format!("const double {value} = m[{}];", slot.as_u32()),
                Instr::Unary(op, a) => format!("const double {value} = {};", unary(*op, &v(*a))),
                Instr::Binary(op, a, b) => format!("const double {value} = {};", binary(*op, &v(*a), &v(*b))),
                Instr::Select(c, a, b) => format!("const double {value} = {} != 0.0 ? {} : {};", v(*c), v(*a), v(*b)),
                Instr::Store(slot, a) => format!("m[{}] = {};", slot.as_u32(), v(*a)),
                other => return Err(format!("{other:?} has no form in C here")),
            };
            text.push_str(&line);
            text.push('\n');
        }
        text.push_str("}\n");
        functions += 1;
    }
    text.push_str("static void rhs(double *m) {");
    for k in 0..functions {
        let _ = write!(text, " f{k}(m);");
    }
    text.push_str(" }\n");
    Ok(text)
}

/// The heat exchanger as a person would write it.
fn c_loops(n: usize) -> String {
    format!(
        "#include <stdio.h>\n#include <time.h>\nenum {{ N = {n} }};\nstatic double p[10] = {{1, 1, 4200, 3500, 500, 0.1, 1, 10, 8000, 8000}};\n\
         __attribute__((noinline)) static void rhs(double *restrict m) {{\n\
         const double wa = p[0], wb = p[1], ca = p[2], cb = p[3], cw = p[4], Ma = p[5], Mb = p[6], Mw = p[7], Ga = p[8], Gb = p[9];\n\
         const double *Ta = m + 1, *Tw = Ta + N, *Tb = Tw + N; double *dTa = m + 1 + 3*N, *dTw = dTa + N, *dTb = dTw + N;\n\
         dTa[0] = (wa*ca*(323.15 - Ta[0]) + Ga/N*(Tw[0] - Ta[0]))/(ca*Ma/N);\n\
         dTb[0] = (wb*cb*(288.15 - Tb[0]) + Gb/N*(Tw[N - 1] - Tb[0]))/(cb*Mb/N);\n\
         for (int i = 1; i < N; i++) {{\n\
         dTa[i] = (wa*ca*(Ta[i - 1] - Ta[i]) + Ga/N*(Tw[i] - Ta[i]))/(ca*Ma/N);\n\
         dTb[i] = (wb*cb*(Tb[i - 1] - Tb[i]) + Gb/N*(Tw[N - i - 1] - Tb[i]))/(cb*Mb/N);\n}}\n\
         for (int i = 0; i < N; i++) dTw[i] = (-Ga/N*(Tw[i] - Ta[i]) - Gb/N*(Tw[i] - Tb[N - i - 1]))/(cw*Mw/N);\n}}\n"
    )
}

/// Compiles C and takes the time of `rhs`, in seconds.
fn time_of_c(code: &str, memory: &[f64], name: &str) -> Result<f64, String> {
    let folder = std::env::temp_dir().join(format!("partita-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let (source, program) = (folder.join(format!("{name}.c")), folder.join(name));
    let mut text = code.to_string();
    let values: Vec<String> = memory.iter().map(|value| format!("{value:e}")).collect();
    let _ = writeln!(text, "static double m[] = {{{}}};", values.join(", "));
    text.push_str(
        "int main(void) { double best = 1e9, sum = 0; for (int k = 0; k < 30; k++) { struct timespec a, b; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);\n\
         for (int i = 0; i < 300; i++) { m[0] += 1e-9; m[1] += 1e-12; rhs(m); sum += m[sizeof m/sizeof *m - 1]; }\n\
         clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b); double s = (b.tv_sec - a.tv_sec + 1e-9*(b.tv_nsec - a.tv_nsec))/300; if (s < best) best = s; }\n\
         fprintf(stderr, \"%g\", sum); printf(\"%.9g\\n\", best); return 0; }\n",
    );
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    let built =
        Command::new("gcc").args(["-O3", "-o"]).arg(&program).arg(&source).arg("-lm").output().map_err(|error| format!("gcc: {error}"))?;
    if !built.status.success() {
        return Err(format!("gcc: {}", String::from_utf8_lossy(&built.stderr)));
    }
    let output = Command::new(&program).output().map_err(|error| error.to_string())?;
    let _ = std::fs::remove_dir_all(&folder);
    String::from_utf8_lossy(&output.stdout).trim().parse().map_err(|_| "the C program said nothing".to_string())
}

fn rhs() -> Result<(), String> {
    println!("one evaluation of the derivatives, microseconds; ratios to gcc -O3");
    println!("{:>8} {:>10} {:>14} {:>8} {:>14} {:>8}", "states", "partita", "gcc, scalar", "ratio", "gcc, loops", "ratio");
    for n in [10, 100, 1000] {
        let source = exchanger(n)?;
        let compiled = compile(&source, None)?;
        let ready = pipeline::instantiate(&compiled, true).map_err(|messages| format!("{messages:?}"))?;
        let mut model = ready.instance;
        let mut x = vec![0.0; model.n_states()];
        model.initialize(0.0, &mut x).map_err(|error| error.title)?;
        let mut dx = x.clone();
        let mut t = 0.0;
        let own = fastest(|| {
            let began = ThreadTime::now();
            for _ in 0..1000 {
                // A new point every time: the last one is remembered.
                t += 1e-9;
                model.derivatives(t, &x, &mut dx).map_err(|failure| failure.reason)?;
            }
            Ok(began.elapsed().as_secs_f64() / 1000.0)
        })?;
        let mut memory = vec![1.0; compiled.program.plan.memory.n_slots];
        for (slot, value) in &compiled.program.plan.memory.initial_memory {
            memory[slot.as_u32() as usize] = *value;
        }
        let scalar = c_code(&compiled).and_then(|code| time_of_c(&code, &memory, "scalar"));
        let mut states = vec![293.15; 1 + 3 * n];
        states.extend(vec![0.0; 3 * n]);
        let loops = time_of_c(&c_loops(n), &states, "loops");
        let column = |time: &Result<f64, String>| match time {
            Ok(time) => format!("{:14.3} {:8.2}", time * 1e6, own / time),
            Err(why) => format!("{:>23}", why.lines().next().unwrap_or_default()),
        };
        println!("{:>8} {:10.3} {} {}", 3 * n, own * 1e6, column(&scalar), column(&loops));
    }
    Ok(())
}

/// Keeps the last point of a run.
#[derive(Default)]
struct Last(Vec<f64>);

impl Sink for Last {
    fn point(&mut self, _: f64, row: &[f64]) -> Result<(), RunError> {
        self.0.clear();
        self.0.extend_from_slice(row);
        Ok(())
    }
}

/// The largest error at the end in units of the tolerance; the states are the first results.
fn error_at_end(states: &[f64], exact: &[f64]) -> f64 {
    states.iter().zip(exact).map(|(a, b)| (a - b).abs() / (1e-6 * (1.0 + b.abs()))).fold(0.0, f64::max)
}

/// The derivatives of the heat exchanger as a person would write them; without its sources they are also the Jacobian times x.
#[cfg(feature = "diffsol")]
fn plain_rhs(x: &[f64], source: f64, dx: &mut [f64]) {
    let n = x.len() / 3;
    let cells = n as f64;
    let (wa, wb, ca, cb, cw, ma, mb, mw, ga, gb) = (1.0, 1.0, 4200.0, 3500.0, 500.0, 0.1, 1.0, 10.0, 8000.0, 8000.0);
    let (ta, rest) = x.split_at(n);
    let (tw, tb) = rest.split_at(n);
    for i in 0..n {
        let (before_a, before_b) = if i > 0 { (ta[i - 1], tb[i - 1]) } else { (323.15 * source, 288.15 * source) };
        dx[i] = (wa * ca * (before_a - ta[i]) + ga / cells * (tw[i] - ta[i])) / (ca * ma / cells);
        dx[n + i] = (-ga / cells * (tw[i] - ta[i]) - gb / cells * (tw[i] - tb[n - 1 - i])) / (cw * mw / cells);
        dx[2 * n + i] = (wb * cb * (before_b - tb[i]) + gb / cells * (tw[n - 1 - i] - tb[i])) / (cb * mb / cells);
    }
}

/// The same problem by diffsol: seconds, steps, the last states.
#[cfg(feature = "diffsol")]
fn anchor(n: usize) -> Result<(f64, usize, Vec<f64>), String> {
    use diffsol::{FaerSparseLU, FaerSparseMat, OdeBuilder, OdeSolverMethod, OdeSolverStopReason, Vector};
    let problem = OdeBuilder::<FaerSparseMat<f64>>::new()
        .rtol(1e-6)
        .atol([1e-6])
        .rhs_implicit(|x, _, _, dx| plain_rhs(x, 1.0, dx), |_, _, _, v, y| plain_rhs(v, 0.0, y))
        .init(|_, _, x| x.fill(293.15), 3 * n)
        .use_coloring(true)
        .build()
        .map_err(|error| error.to_string())?;
    let mut solver = problem.bdf::<FaerSparseLU<f64>>().map_err(|error| error.to_string())?;
    let began = ThreadTime::now();
    solver.set_stop_time(20.0).map_err(|error| error.to_string())?;
    let mut steps = 0;
    loop {
        steps += 1;
        if let OdeSolverStopReason::TstopReached = solver.step().map_err(|error| error.to_string())? {
            break;
        }
    }
    Ok((began.elapsed().as_secs_f64(), steps, solver.state().y.clone_as_vec()))
}

fn exchanger_runs() -> Result<(), String> {
    println!("heat exchanger until t = 20 at tolerance 1e-6, default method, CPU time");
    println!(
        "{:>8} {:>12} {:>8} {:>10} {:>10} {:>8}   diffsol: ms, steps, error, ratio",
        "states", "run, ms", "steps", "jacobians", "factors", "error"
    );
    for n in [10, 100, 1000, 10_000] {
        let compiled = compile(&exchanger(n)?, None)?;
        let ready = pipeline::instantiate(&compiled, true).map_err(|messages| format!("{messages:?}"))?;
        let mut experiment = pipeline::experiment(&compiled.experiment, Some(0.0), Some(20.0));
        experiment.tolerance = 1e-6;
        experiment.interval = Some(20.0);
        let (mut counts, mut last) = ((0, 0, 0), Last::default());
        let mut exact = Last::default();
        let fine = Experiment { tolerance: if n > 1000 { 1e-8 } else { 1e-10 }, ..experiment.clone() };
        simulate(&mut ready.instance.fork(), &fine, &mut exact).map_err(|error| error.title)?;
        // The largest one takes its time, and so does diffsol's search for its sparsity.
        let is_large = n > 1000;
        let time = fastest_of(if is_large { 1 } else { RUNS }, || {
            // The same machine code every time.
            let mut model = ready.instance.fork();
            let began = ThreadTime::now();
            let statistics = simulate(&mut model, &experiment, &mut last).map_err(|error| error.title)?;
            counts = (statistics.steps, statistics.jacobians, statistics.factorisations);
            Ok(began.elapsed().as_secs_f64())
        })?;
        let exact = &exact.0[..3 * n];
        #[cfg_attr(not(feature = "diffsol"), expect(unused_mut, reason = "the anchor is a feature"))]
        let mut beside = String::new();
        #[cfg(feature = "diffsol")]
        if !is_large {
            let mut found = (f64::INFINITY, 0, Vec::new());
            for _ in 0..RUNS {
                let (time, steps, states) = anchor(n)?;
                found = (time.min(found.0), steps, states);
            }
            beside = format!("{:12.3} {:>8} {:8.2} {:8.2}", found.0 * 1e3, found.1, error_at_end(&found.2, exact), time / found.0);
        }
        println!(
            "{:>8} {:12.3} {:>8} {:>10} {:>10} {:8.2} {beside}",
            3 * n,
            time * 1e3,
            counts.0,
            counts.1,
            counts.2,
            error_at_end(&last.0[..3 * n], exact)
        );
    }
    Ok(())
}

fn model_runs() -> Result<(), String> {
    println!("models as they are: text to machine code, and the run without a file, ms");
    for path in models().map_err(|error| error.to_string())? {
        let source = read_source(&path).map_err(|error| error.to_string())?;
        let mut compiling = f64::INFINITY;
        let running = fastest(|| {
            let began = Instant::now();
            let compiled = compile(&source, None)?;
            let ready = pipeline::instantiate(&compiled, true).map_err(|messages| format!("{messages:?}"))?;
            compiling = compiling.min(began.elapsed().as_secs_f64());
            let experiment = pipeline::experiment(&compiled.experiment, None, None);
            let mut model = ready.instance;
            let began = Instant::now();
            simulate(&mut model, &experiment, &mut Nowhere).map_err(|error| error.title)?;
            Ok(began.elapsed().as_secs_f64())
        });
        match running {
            Ok(running) => println!("{:<24} {:10.3} {:10.3}", source.name, compiling * 1e3, running * 1e3),
            Err(why) => println!("{:<24} {}", source.name, why.lines().next().unwrap_or_default()),
        }
    }
    Ok(())
}

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let wanted = arguments;
    let parts: [(&str, fn() -> Result<(), String>); 4] =
        [("compile", compile_times), ("rhs", rhs), ("exchanger", exchanger_runs), ("models", model_runs)];
    if let Some(unknown) = wanted.iter().find(|word| parts.iter().all(|(name, _)| name != word)) {
        eprintln!("there is no benchmark `{unknown}`; there are compile, rhs, exchanger, models");
        return ExitCode::from(2);
    }
    if cfg!(debug_assertions) {
        println!("this is not a release build: the figures mean nothing");
    }
    for (name, part) in parts {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            if let Err(why) = part() {
                eprintln!("{name}: {why}");
                return ExitCode::FAILURE;
            }
            println!();
        }
    }
    ExitCode::SUCCESS
}
