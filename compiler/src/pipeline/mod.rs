//! The order of the passes: the only place that knows it. Verifies, times and dumps between them.

pub mod dump;
pub mod embed;
pub mod report;

use crate::base::budget::{self, Stage, within};
use crate::base::messages::run_message;
use crate::codegen;
use crate::decouple::cycles;
use crate::decouple::cycles::report::OperatingPoint;
use crate::decouple::operating_points::{At, operating_points};
use crate::equations::dae::{self, System};
use crate::frontend::flatten::{self, Flattened};
use crate::frontend::units;
use crate::pipeline::report::Report;
use crate::program::interp::Interpreter;
use crate::program::lower::{PartSpec, Program};
use crate::sorting::causalize::{self, Causalized};
use crate::transform::alias::{self, AliasMap};
use crate::transform::discrete;
use crate::transform::hidden_constraints;
use crate::transform::index_reduction::{self, Reduction};
use crate::transform::semilinear;
use partita_grammar::{Diagnostic, Source, ast};
use partita_runtime::abi::Kernels;
use partita_runtime::exec::Instance;
use partita_runtime::integrate::Experiment;
use partita_runtime::model::overrides::Override;
use partita_runtime::native::access::{FileAccess, Permissions};
use partita_runtime::native::external::SharedLibraries;
use partita_runtime::simulator::asked::Asked;
use partita_runtime::simulator::baked::Baked;
use partita_runtime::simulator::image::{Annotation, Image, SourceLines};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The passes, in order, by the names of `dump --pass`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the pass of its name")]
pub enum Pass {
    Ast,
    Flat,
    Dae,
    Alias,
    Pantelides,
    States,
    Blt,
    Tearing,
    Init,
    Program,
    Loops,
    Cycles,
    Partition,
}

impl Pass {
    /// All passes in order.
    pub const ALL: [Pass; 13] = [
        Pass::Ast,
        Pass::Flat,
        Pass::Dae,
        Pass::Alias,
        Pass::Pantelides,
        Pass::States,
        Pass::Blt,
        Pass::Tearing,
        Pass::Init,
        Pass::Program,
        Pass::Loops,
        Pass::Cycles,
        Pass::Partition,
    ];

    /// The word for `--pass`.
    pub fn word(self) -> &'static str {
        match self {
            Pass::Ast => "ast",
            Pass::Flat => "flat",
            Pass::Dae => "dae",
            Pass::Alias => "alias",
            Pass::Pantelides => "pantelides",
            Pass::States => "states",
            Pass::Blt => "blt",
            Pass::Tearing => "tearing",
            Pass::Init => "init",
            Pass::Program => "program",
            Pass::Loops => "loops",
            Pass::Cycles => "cycles",
            Pass::Partition => "partition",
        }
    }

    /// Reads a word.
    pub fn parse(word: &str) -> Result<Pass, String> {
        Pass::ALL.into_iter().find(|p| p.word() == word).ok_or_else(|| {
            let words: Vec<&str> = Pass::ALL.iter().map(|p| p.word()).collect();
            format!("there is no pass `{word}`; the passes are {}", words.join(", "))
        })
    }
}

/// What lies beside a model file, and what the user says about it.
#[derive(Debug, Default)]
pub struct Libraries {
    /// Files with functions that the model file calls but does not define.
    pub functions: Vec<ast::Definition>,
    /// Shared libraries with external C functions.
    pub shared: SharedLibraries,
    /// The files that the model may touch when it runs, and how much it may ask for.
    pub files: Permissions,
    /// Values that take the place of bindings and start values of the text.
    pub overrides: Vec<Override>,
}

/// Time spent in one pass.
#[derive(Clone, Debug)]
pub struct Timing {
    /// The pass.
    pub pass: &'static str,
    /// How long it took.
    pub time: Duration,
}

/// A model up to its sorted equations.
#[derive(Clone, Debug)]
pub struct Structured {
    /// The system after alias elimination and index reduction.
    pub system: System,
    /// What was eliminated.
    pub aliases: AliasMap,
    /// What index reduction did.
    pub reduction: Reduction,
    /// Sorted problems.
    pub causalized: Causalized,
    /// Warnings so far.
    pub warnings: Vec<Diagnostic>,
    /// Counts for the user.
    pub report: Report,
    /// Time per pass.
    pub timings: Vec<Timing>,
    /// The files that the model may touch, and how much it may ask for.
    files: Permissions,
}

/// A model ready to be made into code.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// Code and plan.
    pub program: Program,
    /// The model's experiment annotation.
    pub experiment: crate::frontend::flat::Experiment,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// Counts for the user.
    pub report: Report,
    /// Time per pass.
    pub timings: Vec<Timing>,
}

/// What `check` says.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Counts for the user.
    pub report: Report,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

struct Clock {
    last: Instant,
    timings: Vec<Timing>,
}

impl Clock {
    fn new() -> Clock {
        Clock { last: Instant::now(), timings: Vec::new() }
    }

    fn lap(&mut self, pass: &'static str) {
        let now = Instant::now();
        self.timings.push(Timing { pass, time: now - self.last });
        self.last = now;
    }
}

/// From text to sorted equations.
pub fn structure(source: &Source, model: Option<&str>) -> Result<Structured, Vec<Diagnostic>> {
    structure_with(source, &Libraries::default(), model)
}

/// Like `structure`; functions that the file does not define are looked up in the libraries first.
pub fn structure_with(source: &Source, libraries: &Libraries, model: Option<&str>) -> Result<Structured, Vec<Diagnostic>> {
    let files = files_of(source, libraries);
    within(files.limits, || structure_within(source, libraries, files, model))
}

/// What a model may touch and ask for: the more text there is, the more.
fn files_of(source: &Source, libraries: &Libraries) -> Permissions {
    Permissions { limits: libraries.files.limits.with_text(source.text.len()), ..libraries.files.clone() }
}

/// Flattens with what lies beside the model file.
fn flattened(
    definition: &ast::Definition,
    libraries: &Libraries,
    files: &Permissions,
    model: Option<&str>,
) -> Result<Flattened, Vec<Diagnostic>> {
    let functions: Vec<&ast::Definition> = libraries.functions.iter().collect();
    flatten::flatten_reading(definition, &functions, &libraries.overrides, FileAccess::new(files), model)
}

fn structure_within(
    source: &Source,
    libraries: &Libraries,
    files: Permissions,
    model: Option<&str>,
) -> Result<Structured, Vec<Diagnostic>> {
    let mut clock = Clock::new();
    let definition = partita_grammar::parse(source)?;
    clock.lap("parse");
    let flattened = flattened(&definition, libraries, &files, model)?;
    // Each form of the model makes room for the next one: what is allocated later takes its place in memory.
    drop(definition);
    clock.lap("flatten");
    budget::enter(Stage::Lower);
    let lowered = dae::lower::lower_with(&flattened.model, &libraries.shared)?;
    drop(flattened.model);
    let mut system = lowered.system;
    let out_of_bounds = dae::bounds::check(&system);
    clock.lap("dae");
    budget::enter(Stage::Sort);
    let aliases = eliminate_aliases(&mut system)?;
    clock.lap("alias");
    let reduction = index_reduction::reduce_index(&mut system, &aliases)?;
    clock.lap("index");
    let causalized = causalize::causalize(&mut system, &aliases, reduction.states.clone(), reduction.sets.clone())?;
    clock.lap("sort");
    let mut warnings = flattened.warnings;
    warnings.extend(lowered.warnings);
    warnings.extend(out_of_bounds);
    warnings.extend(causalized.warnings.iter().cloned());
    let report = Report::of(&system, &aliases, &reduction, &causalized);
    Ok(Structured { system, aliases, reduction, causalized, warnings, report, timings: clock.timings, files })
}

/// Alias elimination and what it changes about parameters and equations.
fn eliminate_aliases(system: &mut System) -> Result<AliasMap, Vec<Diagnostic>> {
    causalize::free_dependent_parameters(system);
    let mut aliases = alias::eliminate(system)?;
    if semilinear::resolve_series(system) + hidden_constraints::expose(system)? > 0 {
        aliases = alias::eliminate_more(system, aliases)?;
    }
    causalize::classify_equations(system);
    discrete::solve(system, &aliases)?;
    Ok(aliases)
}

/// From text to code and plan.
pub fn compile(source: &Source, model: Option<&str>) -> Result<Compiled, Vec<Diagnostic>> {
    compile_with(source, &Libraries::default(), model)
}

/// Like `compile`, with libraries and given values.
pub fn compile_with(source: &Source, libraries: &Libraries, model: Option<&str>) -> Result<Compiled, Vec<Diagnostic>> {
    program(structure_with(source, libraries, model)?, &[])
}

/// The parts of a mixed-mode run: a function with a Jacobian for the fast states, one without for the others.
pub fn mixed_parts(n_states: usize, fast: &[usize]) -> Vec<PartSpec> {
    let mut is_fast = vec![false; n_states];
    fast.iter().for_each(|&state| is_fast[state] = true);
    let members = |wanted: bool| (0..n_states).filter(|&state| is_fast[state] == wanted).collect();
    vec![PartSpec { states: members(true), jacobian: true }, PartSpec { states: members(false), jacobian: false }]
}

/// From sorted equations to code and plan, with a function for the derivatives of each part.
pub fn program(structured: Structured, parts: &[PartSpec]) -> Result<Compiled, Vec<Diagnostic>> {
    within(structured.files.limits, || {
        budget::enter(Stage::Program);
        program_within(structured, parts)
    })
}

fn program_within(structured: Structured, parts: &[PartSpec]) -> Result<Compiled, Vec<Diagnostic>> {
    let mut clock = Clock { last: Instant::now(), timings: structured.timings };
    let mut system = structured.system;
    let mut program = crate::program::lower::lower_parts(&mut system, &structured.causalized.sorting, &structured.aliases, parts)?;
    program.plan.files = structured.files;
    clock.lap("program");
    Ok(Compiled {
        program,
        experiment: system.experiment,
        warnings: structured.warnings,
        report: structured.report,
        timings: clock.timings,
    })
}

/// How to run a model from start to end: what its experiment annotation says, unless other times are given.
pub fn experiment(written: &crate::frontend::flat::Experiment, start_time: Option<f64>, stop_time: Option<f64>) -> Experiment {
    Asked { start_time, stop_time, ..Asked::default() }.experiment(&annotation(written)).0
}

/// The annotation as runs see it.
pub fn annotation(written: &crate::frontend::flat::Experiment) -> Annotation {
    let crate::frontend::flat::Experiment { start_time, stop_time, tolerance, interval, number_of_intervals } = *written;
    Annotation { start_time, stop_time, tolerance, interval, number_of_intervals }
}

/// A compiled model for a simulator of its own: all its kernels are machine code. A partition is one that it was compiled for.
pub fn image(source: &Source, compiled: &Compiled, baked: Option<Baked>) -> Result<Image, Vec<Diagnostic>> {
    let program = &compiled.program;
    let object = codegen::compile_to_object(&program.codes, &program.functions)
        .map_err(|error| vec![Diagnostic::error("G002", format!("internal error: {error}; this is a bug of Partita"))])?;
    Ok(Image {
        version: env!("CARGO_PKG_VERSION").to_string(),
        plan: program.plan.clone(),
        object,
        annotation: annotation(&compiled.experiment),
        source: SourceLines::of(&source.name, &source.text),
        baked,
        rebuild: format!("partita build {}", source.name),
    })
}

/// A model that can be run: its values, and how long making its code took.
pub struct Ready {
    /// One run of the model.
    pub instance: Instance,
    /// Time spent on code.
    pub timings: Vec<Timing>,
}

/// Makes a compiled model ready to run, by machine code or by the interpreter.
pub fn instantiate(compiled: &Compiled, native: bool) -> Result<Ready, Vec<Diagnostic>> {
    let mut clock = Clock::new();
    let program = &compiled.program;
    let internal = |what: String| vec![Diagnostic::error("G002", format!("internal error: {what}; this is a bug of Partita"))];
    let interpreter = Interpreter::new(program.codes.clone(), program.functions.clone()).map_err(|e| internal(e.to_string()))?;
    let kernels: Arc<dyn Kernels> = if native {
        Arc::new(codegen::tiered::compile_hot(program, interpreter).map_err(|e| internal(e.to_string()))?)
    } else {
        Arc::new(interpreter)
    };
    clock.lap("code");
    let instance = Instance::new(Arc::new(program.plan.clone()), kernels).map_err(|error| vec![run_message(&error)])?;
    Ok(Ready { instance, timings: clock.timings })
}

/// Parses, checks and sorts.
pub fn check(source: &Source, model: Option<&str>) -> Result<Checked, Vec<Diagnostic>> {
    check_with(source, &Libraries::default(), model)
}

/// Like `check`, with libraries of functions.
pub fn check_with(source: &Source, libraries: &Libraries, model: Option<&str>) -> Result<Checked, Vec<Diagnostic>> {
    let structured = structure_with(source, libraries, model)?;
    Ok(Checked { report: structured.report, warnings: structured.warnings })
}

/// Compares units; an error for each contradiction.
pub fn check_units(source: &Source, libraries: &Libraries, model: Option<&str>) -> Result<(), Vec<Diagnostic>> {
    let found = within(files_of(source, libraries).limits, || {
        let definition = partita_grammar::parse(source)?;
        let flattened = flattened(&definition, libraries, &files_of(source, libraries), model)?;
        Ok(units::check(&flattened.model, definition.dialect != ast::Dialect::Modelica))
    })?;
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// The text form after a pass.
pub fn dump(pass: Pass, source: &Source, model: Option<&str>) -> Result<String, Vec<Diagnostic>> {
    dump_with(pass, source, &Libraries::default(), model)
}

/// Like `dump`, with libraries of functions.
pub fn dump_with(pass: Pass, source: &Source, libraries: &Libraries, model: Option<&str>) -> Result<String, Vec<Diagnostic>> {
    match pass {
        Pass::Cycles => dump_cycles(structure_with(source, libraries, model)?),
        Pass::Partition => dump_partition(structure_with(source, libraries, model)?),
        _ => within(files_of(source, libraries).limits, || dump_within(pass, source, libraries, model)),
    }
}

fn dump_within(pass: Pass, source: &Source, libraries: &Libraries, model: Option<&str>) -> Result<String, Vec<Diagnostic>> {
    let definition = partita_grammar::parse(source)?;
    if pass == Pass::Ast {
        return Ok(partita_grammar::print(&definition));
    }
    let flattened = flattened(&definition, libraries, &files_of(source, libraries), model)?;
    if pass == Pass::Flat {
        return Ok(flattened.model.to_string());
    }
    budget::enter(Stage::Lower);
    let mut system = dae::lower::lower_with(&flattened.model, &libraries.shared)?.system;
    if pass == Pass::Dae {
        return Ok(dae::print::system(&system));
    }
    budget::enter(Stage::Sort);
    let aliases = eliminate_aliases(&mut system)?;
    if pass == Pass::Alias {
        return Ok(dump::aliases(&system, &aliases));
    }
    let reduction = index_reduction::reduce_index(&mut system, &aliases)?;
    match pass {
        Pass::Pantelides => return Ok(dump::differentiations(&system, &reduction)),
        Pass::States => return Ok(dump::states(&system, &reduction)),
        _ => {}
    }
    let causalized = causalize::causalize(&mut system, &aliases, reduction.states.clone(), reduction.sets.clone())?;
    match pass {
        Pass::Blt => return Ok(dump::blocks(&system, &causalized.sorting.simulation)),
        Pass::Tearing => return Ok(dump::sorted(&system, &causalized.sorting.simulation)),
        Pass::Init => return Ok(dump::sorted(&system, &causalized.sorting.initial)),
        _ => {}
    }
    let program = crate::program::lower::lower(&mut system, &causalized.sorting, &aliases)?;
    Ok(if pass == Pass::Loops { crate::program::dump::loops(&program) } else { crate::program::dump::program(&program) })
}

/// The incidence of the equations between events as a picture, before and after sorting.
pub fn incidence_picture(source: &Source, libraries: &Libraries, model: Option<&str>) -> Result<String, Vec<Diagnostic>> {
    let structured = structure_with(source, libraries, model)?;
    Ok(dump::incidence_picture(&structured.system, &structured.causalized.sorting.simulation))
}

/// The Jacobian at the start of the run.
fn start_points(compiled: &Compiled) -> Result<Vec<OperatingPoint>, Vec<Diagnostic>> {
    let instance = instantiate(compiled, false)?.instance;
    let start = experiment(&compiled.experiment, None, None);
    let (points, _) = operating_points(&instance, &start, &At::Times(vec![start.start_time])).map_err(|message| vec![*message])?;
    Ok(points)
}

/// The cycle analysis at the start of the run.
fn dump_cycles(structured: Structured) -> Result<String, Vec<Diagnostic>> {
    let compiled = program(structured, &[])?;
    let report = cycles::report::Report::new(&compiled.report.model, &start_points(&compiled)?, &cycles::Options::default())
        .map_err(|message| vec![*message])?;
    Ok(report.to_string())
}

/// The automatic partition at the start of the run, and the functions made for its parts.
fn dump_partition(structured: Structured) -> Result<String, Vec<Diagnostic>> {
    let compiled = program(structured.clone(), &[])?;
    let jacobians: Vec<cycles::Jacobian> = start_points(&compiled)?.into_iter().map(|point| point.jacobian).collect();
    let analysis = cycles::analyze_points(&jacobians, &cycles::Options::default()).map_err(|message| vec![*message])?;
    let partition = cycles::partition::partition(&analysis, &cycles::Choice::default()).map_err(|message| vec![*message])?;
    let split = program(structured, &mixed_parts(analysis.names.len(), &partition.fast))?.program;
    Ok(format!("{}{}", partition.describe(&analysis.names), crate::program::dump::parts(&split)))
}
