//! From text to a model that runs: calls the passes of [`passes::PASSES`] as far as a command needs them.
#![forbid(unsafe_code)]

pub mod dump;
pub mod embed;
mod experiment;
mod libraries;
pub mod passes;
pub mod report;

pub use experiment::experiment;
pub use libraries::{Libraries, Packages};
pub use passes::{Timing, mixed_parts};

use crate::base::budget::within;
use crate::base::messages::run_message;
use crate::codegen;
use crate::equations::dae::{self, System};
use crate::frontend::instance::{self};
use crate::frontend::units;
use crate::pipeline::passes::{Dump, Forms, internal};
use crate::pipeline::report::Report;
use crate::program::interp::Interpreter;
use crate::program::lower::{PartSpec, Program, Subsets};
use crate::sorting::causalize::Causalized;
use crate::transform::alias::AliasMap;
use crate::transform::index_reduction::Reduction;
use partita_grammar::{Diagnostic, Source, ast};
use partita_runtime::abi::Kernels;
use partita_runtime::exec::Instance;
use partita_runtime::native::access::Permissions;
use partita_runtime::simulator::embedded_partition::EmbeddedPartition;
use partita_runtime::simulator::model_image::{ModelImage, SourceLines};
use std::sync::Arc;
use std::time::Instant;

/// The last pass before code is made.
const SORTED: &str = "closed_form";

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

/// From text to sorted equations.
pub fn structure(source: &Source, model: Option<&str>) -> Result<Structured, Vec<Diagnostic>> {
    structure_with(source, &Libraries::default(), model)
}

/// Like `structure`; functions that the file does not define are looked up in the libraries first.
pub fn structure_with(source: &Source, libraries: &Libraries, model: Option<&str>) -> Result<Structured, Vec<Diagnostic>> {
    let files = files_of(source, libraries);
    within(files.limits, || sorted(Forms::new(source, libraries, files.clone(), model)))
}

/// What a model may touch and ask for: the more text there is, the more.
fn files_of(source: &Source, libraries: &Libraries) -> Permissions {
    Permissions { limits: libraries.files.limits.with_text(source.text.len()), ..libraries.files.clone() }
}

/// From a flat model to sorted equations.
pub fn structure_flat(model: crate::frontend::flat::FlatModel, libraries: &Libraries) -> Result<Structured, Vec<Diagnostic>> {
    let (source, files) = (Source::default(), libraries.files.clone());
    within(files.limits, || {
        let mut forms = Forms::new(&source, libraries, files.clone(), None);
        forms.resume_behind("flatten");
        forms.flat = Some(model);
        sorted(forms)
    })
}

fn sorted(mut forms: Forms<'_>) -> Result<Structured, Vec<Diagnostic>> {
    forms.run_to(SORTED)?;
    let causalized = forms.causalized.take().ok_or_else(|| internal("the equations were not sorted"))?;
    let Forms { system, aliases, reduction, warnings, timings, given: crate::pipeline::passes::GivenText { files, .. }, .. } = forms;
    let report = Report::of(&system, &aliases, &reduction, &causalized);
    Ok(Structured { system, aliases, reduction, causalized, warnings, report, timings, files })
}

/// Where the continuous equations were written that are left after alias elimination, one place for each.
pub fn origins_of_continuous_equations(structured: &Structured) -> Vec<partita_grammar::Span> {
    let is_continuous = |equation: &&dae::Equation| equation.kind == dae::EquationKind::Continuous;
    let written = structured.system.eqs.values().filter(is_continuous).filter_map(|equation| match equation.origin {
        dae::Origin::Source(span) => Some(span),
        dae::Origin::Derivative(..) => None,
    });
    written.collect()
}

/// From text to code and plan.
pub fn compile(source: &Source, model: Option<&str>) -> Result<Compiled, Vec<Diagnostic>> {
    compile_with(source, &Libraries::default(), model)
}

/// Like `compile`, with libraries and given values.
pub fn compile_with(source: &Source, libraries: &Libraries, model: Option<&str>) -> Result<Compiled, Vec<Diagnostic>> {
    program(structure_with(source, libraries, model)?, &[])
}

/// From sorted equations to code and plan, with a function for the derivatives of each part.
pub fn program(structured: Structured, parts: &[PartSpec]) -> Result<Compiled, Vec<Diagnostic>> {
    within(structured.files.limits, || program_within(structured, parts, Subsets::None))
}

/// The same with cells, so that a run can compute any subset of the derivatives.
pub fn program_with_cells(structured: Structured) -> Result<Compiled, Vec<Diagnostic>> {
    within(structured.files.limits, || program_within(structured, &[], Subsets::Any))
}

/// The same for a run that splits itself: with cells if the states fall apart into parts that need not share a step.
pub fn program_that_splits(structured: Structured) -> Result<Compiled, Vec<Diagnostic>> {
    within(structured.files.limits, || program_within(structured, &[], Subsets::OfCascades))
}

fn program_within(structured: Structured, parts: &[PartSpec], subsets: Subsets) -> Result<Compiled, Vec<Diagnostic>> {
    let Structured { system, aliases, reduction, causalized, warnings, report, timings, files } = structured;
    let (source, libraries) = (Source::default(), Libraries::default());
    let mut forms = Forms::new(&source, &libraries, files, None);
    forms.resume_behind(SORTED);
    (forms.system, forms.aliases, forms.reduction, forms.causalized) = (system, aliases, reduction, Some(causalized));
    (forms.parts, forms.subsets, forms.timings) = (parts.to_vec(), subsets, timings);
    forms.run_to("program")?;
    let program = forms.program.take().ok_or_else(|| internal("there is no program"))?;
    Ok(Compiled { program, experiment: forms.system.experiment, warnings, report, timings: forms.timings })
}

/// A compiled model for a simulator of its own: all its kernels are machine code. A partition is one that it was compiled for.
pub fn image(source: &Source, compiled: &Compiled, partition: Option<EmbeddedPartition>) -> Result<ModelImage, Vec<Diagnostic>> {
    let program = &compiled.program;
    let object = codegen::compile_to_object(&program.codes, &program.functions).map_err(internal)?;
    Ok(ModelImage {
        version: env!("CARGO_PKG_VERSION").to_string(),
        plan: program.plan.clone(),
        object,
        annotation: compiled.experiment,
        source: SourceLines::of(&source.name, &source.text),
        partition,
        splits_itself: false,
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
    let begin = Instant::now();
    let program = &compiled.program;
    let interpreter = Interpreter::new(program.codes.clone(), program.functions.clone()).map_err(internal)?;
    let kernels: Arc<dyn Kernels> =
        if native { Arc::new(codegen::tiered::compile_hot(program, interpreter).map_err(internal)?) } else { Arc::new(interpreter) };
    let timings = vec![Timing { pass: "code", time: begin.elapsed() }];
    let instance = Instance::new(Arc::new(program.plan.clone()), kernels).map_err(|error| vec![run_message(&error)])?;
    Ok(Ready { instance, timings })
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

/// The flat model: what analyses see that need names and equations as they are written.
pub fn flat_with(source: &Source, libraries: &Libraries, model: Option<&str>) -> Result<crate::frontend::flat::FlatModel, Vec<Diagnostic>> {
    let files = files_of(source, libraries);
    within(files.limits, || Ok(Forms::new(source, libraries, files.clone(), model).flat()?.0))
}

/// A text of the model without hierarchy: its own if it has none, otherwise one with all its components, for analyses that change equations.
pub fn flat_source(source: &Source, libraries: &Libraries, model: Option<&str>) -> Result<Source, Vec<Diagnostic>> {
    let files = files_of(source, libraries);
    let definition = within(files.limits, || Forms::new(source, libraries, files.clone(), model).instantiated())?;
    let text = definition.map_or_else(|| source.text.clone(), |definition| partita_grammar::print(&definition));
    Ok(Source { name: source.name.clone(), text })
}

/// The model without hierarchy as Base Modelica.
pub fn base_modelica(source: &Source, libraries: &Libraries, model: Option<&str>) -> Result<String, Vec<Diagnostic>> {
    let files = files_of(source, libraries);
    let definition = within(files.limits, || Forms::new(source, libraries, files.clone(), model).without_hierarchy())?;
    Ok(partita_grammar::print(&instance::packaged(definition)))
}

/// Compares units; an error for each contradiction.
pub fn check_units(source: &Source, libraries: &Libraries, model: Option<&str>) -> Result<(), Vec<Diagnostic>> {
    let files = files_of(source, libraries);
    let found = within(files.limits, || {
        let (flat, dialect) = Forms::new(source, libraries, files.clone(), model).flat()?;
        Ok(units::check(&flat, dialect != ast::Dialect::Modelica))
    })?;
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// The text form after a pass.
pub fn dump(dump: Dump, source: &Source, model: Option<&str>) -> Result<String, Vec<Diagnostic>> {
    dump_with(dump, source, &Libraries::default(), model)
}

/// Like `dump`, with libraries of functions.
pub fn dump_with(dump: Dump, source: &Source, libraries: &Libraries, model: Option<&str>) -> Result<String, Vec<Diagnostic>> {
    let files = files_of(source, libraries);
    within(files.limits, || dump.of(&mut Forms::new(source, libraries, files.clone(), model)))
}

/// The incidence of the equations between events as a picture, before and after sorting.
pub fn incidence_picture(source: &Source, libraries: &Libraries, model: Option<&str>) -> Result<String, Vec<Diagnostic>> {
    let structured = structure_with(source, libraries, model)?;
    Ok(dump::incidence_picture(&structured.system, &structured.causalized.sorting.simulation))
}
