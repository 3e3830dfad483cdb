//! The table of passes: order, word, module, what each does, how it is run, verified and shown. It is written here and nowhere else.
//!
//! In: a text with what lies beside it ([`Forms::new`]). Out: the forms of the model after a pass, and the time of each pass. Method: the rows
//! of [`PASSES`] are run from the first to the one that is wanted; each takes what the ones before it made and leaves its result. Guarantee: in
//! debug builds every result is verified before the next pass sees it; what a verifier finds is a fault of the compiler (G003), never of the
//! model. Cost: that of the passes; verifiers and texts are linear in what they look at.

use crate::base::budget::{self, Stage};
use crate::base::messages::run_message;
use crate::decouple::cycles::report::OperatingPoint;
use crate::decouple::cycles::{self, CycleAnalysis, Jacobian, Partition};
use crate::decouple::operating_points::{At, operating_points};
use crate::equations::dae::{self, System};
use crate::frontend::flatten as flattening;
use crate::frontend::repair::{Repaired, own_functions, repair};
use crate::frontend::{flat, instance};
use crate::pipeline::dump;
use crate::pipeline::experiment::experiment;
use crate::pipeline::libraries::Libraries;
use crate::program::interp::Interpreter;
use crate::program::lower::{PartSpec, Program, Subsets, lower_parts};
use crate::sorting::causalize::{self, Causalized};
use crate::sorting::closed_form;
use crate::transform::alias::{self, AliasMap};
use crate::transform::index_reduction::{self, Reduction};
use crate::transform::{discrete, hidden_constraints, semilinear};
use partita_grammar::{Diagnostic, Source, Texts, ast};
use partita_runtime::exec::Instance;
use partita_runtime::native::access::FileAccess;
use partita_runtime::native::access::Permissions;
use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time spent in one pass.
#[derive(Clone, Debug)]
pub struct Timing {
    /// The pass.
    pub pass: &'static str,
    /// How long it took.
    pub time: Duration,
}

/// One pass.
#[derive(Debug)]
pub struct Pass {
    /// Its name: of the module, of the time it takes and for `dump --pass`.
    pub word: &'static str,
    /// Where it is.
    pub module: &'static str,
    /// What it does, in a line.
    pub what: &'static str,
    /// What the compiler is said to do where it takes too long, if that changes.
    stage: Option<Stage>,
    run: fn(&mut Forms<'_>) -> Result<(), Vec<Diagnostic>>,
    /// What is wrong with its result.
    verify: fn(&Forms<'_>) -> Vec<String>,
    /// Texts of its result.
    pub views: &'static [View],
}

/// A text of what a pass made.
#[derive(Debug)]
pub struct View {
    /// Its word for `dump --pass`; the folder of its golden files.
    pub word: &'static str,
    /// What it shows.
    pub what: &'static str,
    show: fn(&Forms<'_>) -> String,
}

/// The passes in order.
pub static PASSES: [Pass; 15] = [
    Pass {
        word: "parse",
        module: "grammar/src/parse.rs",
        what: "text to syntax",
        stage: None,
        run: parse,
        verify: |forms| forms.definition.as_ref().map(printed_twice).unwrap_or_default(),
        views: &[View {
            word: "ast",
            what: "the syntax, printed",
            show: |forms| forms.definition.as_ref().map(partita_grammar::print).unwrap_or_default(),
        }],
    },
    Pass {
        word: "instance",
        module: "compiler/src/frontend/instance",
        what: "components, inheritance, modifications and connections to one class of built-in types",
        stage: None,
        run: instantiate,
        verify: |forms| forms.hierarchy.texts.as_ref().and(forms.definition.as_ref()).map(printed_twice).unwrap_or_default(),
        views: &[
            View { word: "instance", what: "the tree of components", show: |forms| forms.hierarchy.tree.clone() },
            View { word: "connections", what: "the sets of connected variables", show: |forms| forms.hierarchy.connections.clone() },
        ],
    },
    Pass {
        word: "repair",
        module: "compiler/src/frontend/repair",
        what: "what exporters leave out is supplied, on evidence; what they write otherwise than the language is rewritten",
        stage: None,
        run: repair_definition,
        verify: |forms| forms.repaired.as_ref().map(Repaired::verify).unwrap_or_default(),
        views: &[View {
            word: "repair",
            what: "what was supplied on what evidence, and the syntax",
            show: |forms| forms.repaired.as_ref().map(Repaired::text).unwrap_or_default(),
        }],
    },
    Pass {
        word: "flatten",
        module: "compiler/src/frontend/flatten",
        what: "names, types, sizes and the values of parameters",
        stage: None,
        run: flatten,
        verify: |forms| forms.flat.as_ref().map(flat::FlatModel::verify).unwrap_or_default(),
        views: &[View {
            word: "flat",
            what: "the typed model, arrays and loops kept",
            show: |forms| forms.flat.as_ref().map(ToString::to_string).unwrap_or_default(),
        }],
    },
    Pass {
        word: "dae",
        module: "compiler/src/equations/dae/lower",
        what: "scalar equations; relations and `when` as variables; functions inlined where they stay small",
        stage: Some(Stage::Lower),
        run: lower,
        verify: |forms| dae::verify::verify(&forms.system),
        views: &[View { word: "dae", what: "variables and equations", show: |forms| dae::print::system(&forms.system) }],
    },
    Pass {
        word: "alias",
        module: "compiler/src/transform/alias.rs",
        what: "variables that equal another one, its negative or a number are eliminated",
        stage: Some(Stage::Sort),
        run: eliminate_aliases,
        verify: |forms| forms.verify_aliases(),
        views: &[View { word: "alias", what: "what was eliminated, and the equations that are left", show: |forms| forms.aliases_text() }],
    },
    Pass {
        word: "semilinear",
        module: "compiler/src/transform/semilinear.rs",
        what: "series of `semiLinear` with one flow are resolved as the specification says",
        stage: None,
        run: resolve_semilinear,
        verify: |forms| forms.verify_aliases(),
        views: &[View { word: "semilinear", what: "the equations after it", show: |forms| forms.aliases_text() }],
    },
    Pass {
        word: "hidden_constraints",
        module: "compiler/src/transform/hidden_constraints.rs",
        what: "constraints that linear combinations of equations hide are made equations; new aliases are eliminated",
        stage: None,
        run: expose_hidden_constraints,
        verify: |forms| forms.verify_aliases(),
        views: &[View { word: "hidden_constraints", what: "the equations after it", show: |forms| forms.aliases_text() }],
    },
    Pass {
        word: "discrete",
        module: "compiler/src/transform/discrete.rs",
        what: "equations of discrete variables are solved for the one that they determine",
        stage: None,
        run: solve_discrete,
        verify: |forms| forms.verify_aliases(),
        views: &[View { word: "discrete", what: "the equations after it", show: |forms| forms.aliases_text() }],
    },
    Pass {
        word: "index_reduction",
        module: "compiler/src/transform/index_reduction.rs",
        what: "Pantelides' algorithm and dummy derivatives: what is differentiated, which unknowns are states",
        stage: None,
        run: reduce_index,
        verify: |forms| index_reduction::verify(&forms.system, &forms.aliases, &forms.reduction),
        views: &[
            View {
                word: "pantelides",
                what: "which equations are differentiated, and all equations",
                show: |forms| dump::differentiations(&forms.system, &forms.reduction),
            },
            View { word: "states", what: "the chosen states", show: |forms| dump::states(&forms.system, &forms.reduction) },
        ],
    },
    Pass {
        word: "causalize",
        module: "compiler/src/sorting/causalize.rs",
        what: "matching, blocks in order (BLT) and tearing, for parameters, start, simulation and events",
        stage: None,
        run: causalize_system,
        verify: |forms| forms.causalized.as_ref().map(|made| causalize::verify(&forms.system, &made.sorting)).unwrap_or_default(),
        views: &[
            View {
                word: "blt",
                what: "equations that are solved together, in order",
                show: |forms| forms.of_sorting(|sys, made| dump::blocks(sys, &made.sorting.simulation)),
            },
            View {
                word: "tearing",
                what: "assignments and torn systems between events",
                show: |forms| forms.of_sorting(|sys, made| dump::sorted(sys, &made.sorting.simulation)),
            },
            View {
                word: "init",
                what: "the same at initialisation",
                show: |forms| forms.of_sorting(|sys, made| dump::sorted(sys, &made.sorting.initial)),
            },
        ],
    },
    Pass {
        word: "closed_form",
        module: "compiler/src/sorting/closed_form",
        what: "nonlinear systems of few unknowns whose solutions have a closed form",
        stage: None,
        run: find_closed_forms,
        verify: |forms| forms.causalized.as_ref().map(|made| closed_form::verify(&forms.system, &made.sorting)).unwrap_or_default(),
        views: &[View {
            word: "closed_form",
            what: "how each nonlinear system is solved",
            show: |forms| forms.of_sorting(|sys, made| closed_form::print(sys, &made.sorting)),
        }],
    },
    Pass {
        word: "program",
        module: "compiler/src/program",
        what: "the plan of a run, and straight-line code in kernels",
        stage: Some(Stage::Program),
        run: make_program,
        verify: |forms| forms.program.as_ref().map(Program::verify).unwrap_or_default(),
        views: &[
            View {
                word: "program",
                what: "schedules, systems and the code of kernels",
                show: |forms| forms.of_program(crate::program::dump::program),
            },
            View {
                word: "loops",
                what: "what repeats itself in the kernels, as loops",
                show: |forms| forms.of_program(crate::program::dump::loops),
            },
        ],
    },
    Pass {
        word: "cycles",
        module: "compiler/src/decouple/cycles",
        what: "optional: the time scales of the states, from the cycles of the Jacobian at the start of the run",
        stage: None,
        run: analyze_cycles,
        verify: |forms| forms.decoupling.cycles.as_ref().map(|(analysis, _)| analysis.verify()).unwrap_or_default(),
        views: &[View {
            word: "cycles",
            what: "bounds of steps, and cuts",
            show: |forms| forms.decoupling.cycles.as_ref().map(|(_, text)| text.clone()).unwrap_or_default(),
        }],
    },
    Pass {
        word: "partition",
        module: "compiler/src/decouple/cycles/partition.rs",
        what: "optional: fast and slow states, and functions for the derivatives of each",
        stage: None,
        run: choose_partition,
        verify: |forms| forms.verify_partition(),
        views: &[View { word: "partition", what: "the parts and their functions", show: |forms| forms.partition_text() }],
    },
];

/// What `dump --pass` prints: all texts of a pass, or one of them.
#[derive(Copy, Clone, Debug)]
pub struct Dump {
    /// The word that was asked for.
    pub word: &'static str,
    pass: &'static Pass,
    views: &'static [View],
}

impl Dump {
    /// Reads the word of a pass or of one of its texts.
    pub fn parse(word: &str) -> Result<Dump, String> {
        for pass in &PASSES {
            if let Some(at) = pass.views.iter().position(|view| view.word == word) {
                return Ok(Dump { word: pass.views[at].word, pass, views: &pass.views[at..=at] });
            }
            if pass.word == word {
                return Ok(Dump { word: pass.word, pass, views: pass.views });
            }
        }
        let words: Vec<&str> = PASSES.iter().flat_map(|pass| pass.views.iter().map(|view| view.word)).collect();
        Err(format!("there is no pass `{word}`; the words are {}; `partita dump --pass` describes them", words.join(", ")))
    }

    /// Runs the passes up to this one and prints what it made.
    pub(super) fn of(self, forms: &mut Forms<'_>) -> Result<String, Vec<Diagnostic>> {
        forms.shows = self.pass.word;
        forms.run_to(self.pass.word)?;
        let texts: Vec<String> = self.views.iter().map(|view| (view.show)(forms)).collect();
        Ok(texts.join("\n"))
    }
}

/// The table as text, for `dump --pass` without a word.
pub fn table() -> String {
    let mut out = String::from("The passes in order; the indented words are those of `partita dump --pass WORD MODEL`.\n");
    for pass in &PASSES {
        let _ = writeln!(out, "\n{} ({})\n  {}", pass.word, pass.module, pass.what);
        for view in pass.views {
            let _ = writeln!(out, "    {:<20}{}", view.word, view.what);
        }
    }
    out
}

/// What instantiation finds in a model with a hierarchy.
#[derive(Default)]
struct Hierarchy {
    /// Where the texts of its classes come from.
    texts: Option<Texts>,
    tree: String,
    connections: String,
}

/// What optional passes find.
#[derive(Default)]
struct Decoupling {
    cycles: Option<(CycleAnalysis, String)>,
    partition: Option<(Partition, Program)>,
}

/// The text with what lies beside it.
pub(super) struct GivenText<'a> {
    source: &'a Source,
    libraries: &'a Libraries,
    model: Option<&'a str>,
    /// The files that the model may touch, and how much it may ask for.
    pub(super) files: Permissions,
}

/// The forms of a model, from its text to its program; each is there when the pass that makes it has run.
pub(super) struct Forms<'a> {
    /// The text with what lies beside it.
    pub(super) given: GivenText<'a>,
    definition: Option<ast::Definition>,
    hierarchy: Hierarchy,
    /// The pass whose result is to be shown, if one is.
    shows: &'static str,
    repaired: Option<Repaired>,
    pub(super) flat: Option<flat::FlatModel>,
    pub(super) system: System,
    pub(super) aliases: AliasMap,
    /// Equations of two variables that passes after alias elimination have made.
    n_new_equalities: usize,
    pub(super) reduction: Reduction,
    pub(super) causalized: Option<Causalized>,
    pub(super) parts: Vec<PartSpec>,
    /// Subsets of the derivatives that are to be computed.
    pub(super) subsets: Subsets,
    pub(super) program: Option<Program>,
    decoupling: Decoupling,
    pub(super) warnings: Vec<Diagnostic>,
    pub(super) timings: Vec<Timing>,
    /// The next pass.
    next: usize,
}

impl<'a> Forms<'a> {
    /// Nothing but the text.
    pub(super) fn new(source: &'a Source, libraries: &'a Libraries, files: Permissions, model: Option<&'a str>) -> Forms<'a> {
        Forms {
            definition: None,
            hierarchy: Hierarchy::default(),
            shows: "",
            repaired: None,
            flat: None,
            system: System::default(),
            aliases: AliasMap::default(),
            n_new_equalities: 0,
            reduction: Reduction::default(),
            causalized: None,
            parts: Vec::new(),
            subsets: Subsets::None,
            program: None,
            decoupling: Decoupling::default(),
            warnings: Vec::new(),
            timings: Vec::new(),
            next: 0,
            given: GivenText { source, libraries, model, files },
        }
    }

    /// Goes on behind the pass of this word.
    pub(super) fn resume_behind(&mut self, word: &str) {
        self.next = position(word) + 1;
    }

    /// Runs the passes up to the one of this word, and that one too. Messages have their places in the texts of their classes.
    pub(super) fn run_to(&mut self, word: &str) -> Result<(), Vec<Diagnostic>> {
        let outcome = self.run_all_to(position(word));
        if let Some(texts) = &self.hierarchy.texts {
            self.warnings.iter_mut().for_each(|warning| warning.resolve(texts));
        }
        outcome.map_err(|mut errors| {
            if let Some(texts) = &self.hierarchy.texts {
                errors.iter_mut().for_each(|error| error.resolve(texts));
            }
            errors
        })
    }

    fn run_all_to(&mut self, last: usize) -> Result<(), Vec<Diagnostic>> {
        while self.next <= last {
            let pass = &PASSES[self.next];
            let begin = Instant::now();
            if let Some(stage) = pass.stage {
                budget::enter(stage);
            }
            (pass.run)(self)?;
            self.timings.push(Timing { pass: pass.word, time: begin.elapsed() });
            if cfg!(debug_assertions) {
                self.verify(pass)?;
            }
            self.next += 1;
        }
        Ok(())
    }

    fn verify(&self, pass: &Pass) -> Result<(), Vec<Diagnostic>> {
        let found = (pass.verify)(self);
        let Some(first) = found.first() else { return Ok(()) };
        let what = format!("internal error: the result of the pass `{}` is wrong: {first}; this is a bug of Partita", pass.word);
        Err(vec![found[1..].iter().take(5).fold(Diagnostic::error("G003", what), |message, more| message.with_note(more.clone()))])
    }

    fn verify_aliases(&self) -> Vec<String> {
        let mut found = dae::verify::verify(&self.system);
        found.extend(self.aliases.verify(&self.system));
        found
    }

    fn verify_partition(&self) -> Vec<String> {
        let Some((partition, program)) = &self.decoupling.partition else { return Vec::new() };
        let mut found = program.verify();
        let mut states: Vec<usize> = partition.fast.iter().chain(&partition.slow).copied().collect();
        states.sort_unstable();
        if states != (0..self.reduction.states.len()).collect::<Vec<_>>() {
            found.push("fast and slow states are not all states, each once".to_owned());
        }
        found
    }

    fn aliases_text(&self) -> String {
        dump::aliases(&self.system, &self.aliases)
    }

    fn partition_text(&self) -> String {
        let Some(((partition, program), (analysis, _))) = self.decoupling.partition.as_ref().zip(self.decoupling.cycles.as_ref()) else {
            return String::new();
        };
        format!("{}{}", partition.describe(&analysis.names), crate::program::dump::parts(program))
    }

    fn of_sorting(&self, show: impl Fn(&System, &Causalized) -> String) -> String {
        self.causalized.as_ref().map(|made| show(&self.system, made)).unwrap_or_default()
    }

    fn of_program(&self, show: impl Fn(&Program) -> String) -> String {
        self.program.as_ref().map(show).unwrap_or_default()
    }
}

impl Forms<'_> {
    /// The syntax of all components in one class, if the model has a hierarchy.
    pub(super) fn instantiated(mut self) -> Result<Option<ast::Definition>, Vec<Diagnostic>> {
        self.run_to("instance")?;
        Ok(self.definition.filter(|_| self.hierarchy.texts.is_some()))
    }

    /// The syntax of the model with all components in one class, where it is that of a flat model.
    pub(super) fn without_hierarchy(mut self) -> Result<ast::Definition, Vec<Diagnostic>> {
        self.run_to("instance")?;
        let definition = self.definition.clone();
        // What cannot be flattened is not worth writing.
        self.run_to("flatten")?;
        definition.ok_or_else(|| internal("there is no syntax"))
    }

    /// The flat model, and the dialect that it is written in.
    pub(super) fn flat(mut self) -> Result<(flat::FlatModel, ast::Dialect), Vec<Diagnostic>> {
        self.run_to("instance")?;
        let dialect = self.definition.as_ref().map(|definition| definition.dialect);
        self.run_to("flatten")?;
        self.flat.zip(dialect).ok_or_else(|| internal("there is no flat model"))
    }
}

/// A fault of the compiler.
pub(super) fn internal(what: impl std::fmt::Display) -> Vec<Diagnostic> {
    vec![Diagnostic::error("G002", format!("internal error: {what}; this is a bug of Partita"))]
}

/// The parts of a mixed-mode run: a function with a Jacobian for the fast states, one without for the others.
pub fn mixed_parts(n_states: usize, fast: &[usize]) -> Vec<PartSpec> {
    let mut is_fast = vec![false; n_states];
    fast.iter().for_each(|&state| is_fast[state] = true);
    let members = |wanted: bool| (0..n_states).filter(|&state| is_fast[state] == wanted).collect();
    vec![PartSpec { states: members(true), jacobian: true }, PartSpec { states: members(false), jacobian: false }]
}

/// The Jacobian at the start of the run.
pub(super) fn start_points(program: &Program, written: &crate::frontend::flat::Experiment) -> Result<Vec<OperatingPoint>, Vec<Diagnostic>> {
    let interpreter = Interpreter::new(program.codes.clone(), program.functions.clone()).map_err(internal)?;
    let instance = Instance::new(Arc::new(program.plan.clone()), Arc::new(interpreter)).map_err(|error| vec![run_message(&error)])?;
    let start = experiment(written, None, None);
    let (points, _) = operating_points(&instance, &start, &At::Times(vec![start.start_time])).map_err(|message| vec![*message])?;
    Ok(points)
}

/// The row of a pass. The words are those of the table itself.
fn position(word: &str) -> usize {
    PASSES.iter().position(|pass| pass.word == word).unwrap_or(PASSES.len())
}

/// The pass that makes the tree of components.
const INSTANTIATE: &str = "instance";

/// Printed syntax is read as the same syntax.
fn printed_twice(definition: &ast::Definition) -> Vec<String> {
    let text = partita_grammar::print(definition);
    match partita_grammar::parse(&Source { name: "printed".to_owned(), text: text.clone() }) {
        Ok(again) if partita_grammar::print(&again) == text => Vec::new(),
        Ok(_) => vec!["its text is read as something else".to_owned()],
        Err(messages) => messages.into_iter().map(|message| format!("its text cannot be read: {}", message.title)).collect(),
    }
}

fn parse(forms: &mut Forms<'_>) -> Result<(), Vec<Diagnostic>> {
    // A class that was asked for by its name has no text but those of its library.
    if forms.given.libraries.packages.class.is_none() {
        forms.definition = Some(partita_grammar::parse(forms.given.source)?);
    }
    Ok(())
}

fn instantiate(forms: &mut Forms<'_>) -> Result<(), Vec<Diagnostic>> {
    if forms.definition.as_ref().is_none_or(instance::is_hierarchical) {
        let parsed = forms.definition.take();
        let GivenText { source, libraries, model, .. } = forms.given;
        let asked = instance::Asked { model, given: &libraries.overrides, with_trees: forms.shows == INSTANTIATE };
        let made = libraries.packages.instantiate(source, parsed, &asked)?;
        forms.definition = Some(made.definition);
        forms.hierarchy.texts = Some(made.texts);
        forms.hierarchy.tree = made.tree;
        forms.hierarchy.connections = made.connections;
        forms.warnings.extend(made.warnings);
        // What is left is one class, which has another name.
        forms.given.model = None;
    }
    Ok(())
}

fn repair_definition(forms: &mut Forms<'_>) -> Result<(), Vec<Diagnostic>> {
    if let Some(definition) = forms.definition.take() {
        let mut functions: Vec<&ast::Definition> = forms.given.libraries.functions.iter().collect();
        let packages = &forms.given.libraries.packages;
        let wanted = if packages.named.is_empty() { Vec::new() } else { own_functions(&definition, &functions, forms.given.model) };
        let of_packages = packages.functions(&wanted);
        functions.extend(&of_packages);
        let mut made = repair(definition, &functions, forms.given.model);
        forms.warnings.append(&mut made.notes);
        forms.repaired = Some(made);
    }
    Ok(())
}

fn flatten(forms: &mut Forms<'_>) -> Result<(), Vec<Diagnostic>> {
    // Each form of the model makes room for the next one: what is allocated later takes its place in memory.
    if let Some(Repaired { definition, n_supplied, .. }) = forms.repaired.take() {
        let (given, files) = (&forms.given.libraries.overrides, FileAccess::new(&forms.given.files));
        let made = flattening::flatten_repaired(&definition, n_supplied, given, files, forms.given.model)?;
        forms.flat = Some(made.model);
        forms.warnings.extend(made.warnings);
    }
    Ok(())
}

fn lower(forms: &mut Forms<'_>) -> Result<(), Vec<Diagnostic>> {
    if let Some(model) = forms.flat.take() {
        let lowered = dae::lower::lower_with(&model, &forms.given.libraries.shared)?;
        forms.system = lowered.system;
        forms.warnings.extend(lowered.warnings);
        forms.warnings.extend(dae::bounds::check(&forms.system));
    }
    Ok(())
}

fn eliminate_aliases(forms: &mut Forms<'_>) -> Result<(), Vec<Diagnostic>> {
    causalize::free_dependent_parameters(&mut forms.system);
    forms.aliases = alias::eliminate(&mut forms.system)?;
    Ok(())
}

fn resolve_semilinear(forms: &mut Forms<'_>) -> Result<(), Vec<Diagnostic>> {
    forms.n_new_equalities += semilinear::resolve_series(&mut forms.system);
    Ok(())
}

fn expose_hidden_constraints(forms: &mut Forms<'_>) -> Result<(), Vec<Diagnostic>> {
    forms.n_new_equalities += hidden_constraints::expose(&mut forms.system)?;
    if forms.n_new_equalities > 0 {
        forms.aliases = alias::eliminate_more(&mut forms.system, std::mem::take(&mut forms.aliases))?;
    }
    Ok(())
}

fn solve_discrete(forms: &mut Forms<'_>) -> Result<(), Vec<Diagnostic>> {
    causalize::classify_equations(&mut forms.system);
    discrete::solve(&mut forms.system, &forms.aliases)?;
    Ok(())
}

fn reduce_index(forms: &mut Forms<'_>) -> Result<(), Vec<Diagnostic>> {
    forms.reduction = index_reduction::reduce_index(&mut forms.system, &forms.aliases)?;
    Ok(())
}

fn causalize_system(forms: &mut Forms<'_>) -> Result<(), Vec<Diagnostic>> {
    let Reduction { states, sets, .. } = &forms.reduction;
    let made = causalize::causalize(&mut forms.system, &forms.aliases, states.clone(), sets.clone())?;
    forms.warnings.extend(made.warnings.iter().cloned());
    forms.causalized = Some(made);
    Ok(())
}

fn find_closed_forms(forms: &mut Forms<'_>) -> Result<(), Vec<Diagnostic>> {
    if let Some(made) = &mut forms.causalized {
        closed_form::find(&mut forms.system, &mut made.sorting);
    }
    Ok(())
}

fn make_program(forms: &mut Forms<'_>) -> Result<(), Vec<Diagnostic>> {
    if let Some(made) = &forms.causalized {
        let mut program = lower_parts(&mut forms.system, &made.sorting, &forms.aliases, &forms.parts, forms.subsets)?;
        program.plan.outside.files = forms.given.files.clone();
        forms.program = Some(program);
    }
    Ok(())
}

fn analyze_cycles(forms: &mut Forms<'_>) -> Result<(), Vec<Diagnostic>> {
    if let Some(program) = &forms.program {
        let points = start_points(program, &forms.system.experiment)?;
        let options = cycles::Options::default();
        let report = cycles::report::Report::new(&forms.system.name, &points, &options).map_err(|message| vec![*message])?;
        let jacobians: Vec<Jacobian> = points.into_iter().map(|point| point.jacobian).collect();
        let analysis = cycles::analyze_points(&jacobians, &options).map_err(|message| vec![*message])?;
        forms.decoupling.cycles = Some((analysis, report.to_string()));
    }
    Ok(())
}

fn choose_partition(forms: &mut Forms<'_>) -> Result<(), Vec<Diagnostic>> {
    if let Some(((analysis, _), made)) = forms.decoupling.cycles.as_ref().zip(forms.causalized.as_ref()) {
        let partition = cycles::partition::partition(analysis, &cycles::Choice::default()).map_err(|message| vec![*message])?;
        let parts = mixed_parts(analysis.names.len(), &partition.fast);
        let program = lower_parts(&mut forms.system, &made.sorting, &forms.aliases, &parts, Subsets::None)?;
        forms.decoupling.partition = Some((partition, program));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
