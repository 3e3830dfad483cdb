//! The affine system of a model with names that its text understands: signals as expressions, outputs, matrices.
//!
//! Input: a source and its sorted equations. Output: [`System`]. Method: the model is made affine twice; after the first time it is known
//! which declared components depend on states, and all elements of these are unrolled. Outputs are those that were asked for and what
//! the rest of the model reads; an array is an output as a whole. Guarantee: what has no text is refused (C115). Cost: that of `affine`.

use super::affine::{Affine, Form, Key, affine};
use super::separate::{Separated, declared, owner, separate};
use crate::base::ids::{ExprId, VarId};
use crate::equations::dae::Role;
use crate::equations::expr::eval::eval;
use crate::equations::expr::print::print;
use crate::equations::expr::subst::variables;
use crate::pipeline::Structured;
use cranelift_entity::EntityRef;
use partita_grammar::ast::{Class, ClassBody, Element, Section};
use partita_grammar::{Diagnostic, Source};
use partita_runtime::linear::balancing::Matrix;
use partita_runtime::model::plan::SlotType;
use partita_runtime::model::table::canonical;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The algebra is dense: more states take too long.
pub const MOST_STATES: usize = 2000;

/// What acts on the states.
#[derive(Clone, Debug, Default)]
pub struct Signal {
    /// As an expression of the model.
    pub text: String,
    /// Before an event.
    pub before: String,
    /// It changes at events only, or jumps there.
    pub jumps: bool,
    /// It hangs on what is true or false, or counted: a mode.
    pub switches: bool,
    /// The variables that it jumps with.
    pub discrete: Vec<String>,
    /// Its declared size.
    pub nominal: Option<f64>,
    /// What it is before the first event, if that follows from start values.
    pub start: Option<f64>,
}

/// A model as an affine system.
#[derive(Debug)]
pub struct System {
    /// Names of states.
    pub states: Vec<String>,
    /// Names of outputs.
    pub outputs: Vec<String>,
    /// The outputs as the text writes them.
    pub written: Vec<String>,
    /// What acts on the states.
    pub signals: Vec<Signal>,
    /// Relations in signals.
    pub relations: Vec<String>,
    /// States to rates.
    pub a: Matrix,
    /// Signals to rates.
    pub b: Matrix,
    /// Numbers in rates.
    pub f: Matrix,
    /// States to outputs.
    pub c: Matrix,
    /// Signals to outputs.
    pub d: Matrix,
    /// Numbers in outputs.
    pub g: Matrix,
    /// The text without its continuous part.
    pub separated: Separated,
}

/// Writes expressions of the sorted equations as text of the source.
struct Writer<'a> {
    structured: &'a Structured,
    written: FxHashMap<String, String>,
    declared: FxHashSet<String>,
    relations: Vec<VarId>,
}

impl<'a> Writer<'a> {
    fn new(structured: &'a Structured, source: &'a Source, class: &Class) -> Writer<'a> {
        let mut written = FxHashMap::default();
        let ClassBody::Long(body) = &class.body else { return Writer::empty(structured) };
        for section in &body.sections {
            let Section::Elements { elements, .. } = section else { continue };
            for element in elements {
                let Element::Components(clause) = element else { continue };
                for component in &clause.components {
                    let text = component.name.span.text(&source.text);
                    written.insert(canonical(text), text.to_string());
                }
            }
        }
        Writer { written, declared: declared(class), ..Writer::empty(structured) }
    }

    fn empty(structured: &'a Structured) -> Writer<'a> {
        Writer { structured, written: FxHashMap::default(), declared: FxHashSet::default(), relations: Vec::new() }
    }

    /// A variable as the text writes it.
    fn name(&self, name: &str) -> String {
        let name = canonical(name);
        match owner(&self.declared, &name).and_then(|owner| Some((owner, self.written.get(owner)?))) {
            Some((owner, text)) => format!("{text}{}", &name[owner.len()..]),
            None => name,
        }
    }

    fn variable(&self, var: VarId, before: bool) -> String {
        let vars = &self.structured.system.vars;
        let held = |text: String| if before { format!("pre({text})") } else { text };
        match vars[var].role {
            Role::Time => "time".to_string(),
            Role::Pre(of) => format!("pre({})", self.name(&vars[of].name)),
            Role::Relation => held(relation_name(self.relations.iter().position(|relation| *relation == var).unwrap_or(usize::MAX - 1))),
            Role::Discrete => held(self.name(&vars[var].name)),
            _ => self.name(&vars[var].name),
        }
    }

    fn expression(&self, expr: ExprId, before: bool) -> String {
        let system = &self.structured.system;
        print(&system.arena, expr, &|var| self.variable(var, before), &|function| system.functions.name(function).to_string())
    }

    /// Relations that an expression names are written as Booleans of their own.
    fn collect_relations(&mut self, form: &Form) {
        let system = &self.structured.system;
        for var in Affine::signals(std::iter::once(form)).into_iter().flat_map(|signal| variables(&system.arena, signal)) {
            if system.vars[var].role == Role::Relation && !self.relations.contains(&var) {
                self.relations.push(var);
            }
        }
    }

    /// The value of an expression of parameters and discrete variables with start values.
    fn start(&self, expr: ExprId) -> Option<f64> {
        let system = &self.structured.system;
        let known = |var: VarId| match system.vars[var].role {
            Role::Discrete | Role::Pre(_) => {
                let of = if let Role::Pre(of) = system.vars[var].role { of } else { var };
                system.vars[of].start.and_then(|start| system.constant_value(start))
            }
            Role::Parameter => parameter(self.structured, var),
            _ => None,
        };
        let value = eval(&system.arena, expr, &|var| known(var).unwrap_or(f64::NAN));
        variables(&system.arena, expr).into_iter().all(|var| known(var).is_some()).then_some(value).filter(|value| value.is_finite())
    }

    fn signal(&self, expr: ExprId) -> Result<Signal, Box<Diagnostic>> {
        let system = &self.structured.system;
        let vars = variables(&system.arena, expr);
        let hidden = |var: &&VarId| {
            let variable = &system.vars[**var];
            variable.made.is_some() && !matches!(variable.role, Role::Relation | Role::Time) || variable.role == Role::External
        };
        if let Some(var) = vars.iter().find(hidden) {
            let title = format!("`{}` acts on the states and has no name in the text", system.vars[*var].name);
            let message = Diagnostic::error("C115", title).at(system.vars[*var].span, "here");
            return Err(Box::new(message.with_hint("give delayed and sampled values a variable of their own")));
        }
        let is_discrete = |var: &VarId| matches!(system.vars[*var].role, Role::Discrete | Role::Relation | Role::Pre(_));
        let counts = |var: &VarId| is_discrete(var) && system.vars[*var].ty != SlotType::Real;
        let nominal = match vars.as_slice() {
            [var] if system.arena.node(expr) == crate::equations::expr::Node::Var(*var) => system.vars[*var].nominal,
            _ => None,
        };
        let moving = |var: &&VarId| matches!(system.vars[**var].role, Role::Discrete | Role::Relation);
        Ok(Signal {
            text: self.expression(expr, false),
            before: self.expression(expr, true),
            jumps: vars.iter().any(is_discrete),
            switches: vars.iter().any(counts),
            discrete: vars.iter().filter(moving).map(|var| self.variable(*var, false)).collect(),
            nominal,
            start: self.start(expr),
        })
    }
}

/// The Boolean of a relation.
pub fn relation_name(at: usize) -> String {
    format!("partita_r{}", at + 1)
}

/// A variable whose values are known before the run.
fn parameter(structured: &Structured, var: VarId) -> Option<f64> {
    let variable = &structured.system.vars[var];
    variable.value.or_else(|| structured.system.constant_value(variable.start?))
}

impl System {
    /// Writes a model as an affine system with the wanted outputs.
    pub fn of(source: &Source, class: &Class, structured: &Structured, wanted: &[String]) -> Result<System, Box<Diagnostic>> {
        let sorting = &structured.causalized.sorting;
        check_states(structured)?;
        let value = |var: VarId| parameter(structured, var);
        let rough = affine(structured, &value, &|_| false)?;
        let declared = declared(class);
        let system = &structured.system;
        // A derivative belongs where its variable does.
        let owner_of = |var: VarId| owner(&declared, &system.vars[system.integrand(var)].name);
        let mut moved: BTreeSet<String> = BTreeSet::new();
        for (var, variable) in system.vars.iter() {
            let is_state_like = sorting.states.iter().any(|(state, rate)| *state == var || *rate == var);
            if variable.role == Role::Continuous && (is_state_like || rough.form_of(structured, var).is_some_and(|form| form.is_moved())) {
                moved.extend(owner_of(var).map(str::to_string));
            }
        }
        let is_moved = |name: &str| moved.contains(name);
        let of_moved = |var: VarId| owner_of(var).is_some_and(is_moved);
        let affine = affine(structured, &value, &of_moved)?;
        let mut writer = Writer::new(structured, source, class);
        affine.rates.iter().for_each(|rate| writer.collect_relations(rate));
        let mut read: BTreeSet<String> = BTreeSet::new();
        for var in writer.relations.iter().flat_map(|relation| read_by(structured, *relation)) {
            read.extend(owner_of(var).filter(|owner| is_moved(owner)).map(str::to_string));
        }
        for output in wanted {
            let named = canonical(output);
            if system.vars.values().any(|variable| variable.integral.is_some() && canonical(&variable.name) == named) {
                let title = format!("`{output}` is a derivative, which a model of lower order does not have");
                return Err(Box::new(Diagnostic::error("C115", title).with_hint("choose a variable that is not one")));
            }
            read.extend(owner(&declared, &named).filter(|owner| is_moved(owner)).map(str::to_string));
        }
        let separated = separate(source, class, &is_moved, &read)?;
        let is_output = |var: &VarId| {
            let variable = &system.vars[*var];
            let owned = owner_of(*var).is_some_and(|owner| separated.reads.contains(owner));
            owned && variable.integral.is_none() && variable.role == Role::Continuous
        };
        let outputs: Vec<VarId> = system.vars.keys().filter(is_output).collect();
        let missing = || Box::new(Diagnostic::error("G002", "internal error: an output has no form"));
        let forms: Vec<Form> = outputs.iter().map(|var| affine.form_of(structured, *var)).collect::<Option<_>>().ok_or_else(missing)?;
        forms.iter().for_each(|form| writer.collect_relations(form));
        let found = Affine::signals(affine.rates.iter().chain(&forms));
        let signals: Vec<Signal> = found.iter().map(|expr| writer.signal(*expr)).collect::<Result<_, _>>()?;
        let (n, m) = (affine.states.len(), found.len());
        let (rates, rows): (Vec<&Form>, Vec<&Form>) = (affine.rates.iter().collect(), forms.iter().collect());
        let numbers = |forms: &[&Form]| Matrix::column(&forms.iter().map(|form| form.constant).collect::<Vec<f64>>());
        Ok(System {
            states: affine.states.iter().map(|state| system.vars[*state].name.clone()).collect(),
            outputs: outputs.iter().map(|var| system.vars[*var].name.clone()).collect(),
            written: outputs.iter().map(|var| writer.name(&system.vars[*var].name)).collect(),
            a: Affine::matrix(&rates, n, Key::State),
            b: Affine::matrix(&rates, m, |at| Key::Signal(found[at])),
            f: numbers(&rates),
            c: Affine::matrix(&rows, n, Key::State),
            d: Affine::matrix(&rows, m, |at| Key::Signal(found[at])),
            g: numbers(&rows),
            signals,
            relations: relations(&writer),
            separated,
        })
    }
}

/// The relations of signals as texts, in the order of their names.
fn relations(writer: &Writer) -> Vec<String> {
    let system = &writer.structured.system;
    let text = |var: &VarId| {
        let relation = system.relations.iter().find(|relation| relation.var == *var);
        relation.map_or_else(String::new, |relation| {
            let mut arena = system.arena.clone();
            let whole = arena.intern(crate::equations::expr::Node::Binary(relation.op, relation.lhs, relation.rhs));
            print(&arena, whole, &|var| writer.variable(var, false), &|function| system.functions.name(function).to_string())
        })
    };
    writer.relations.iter().map(text).collect()
}

fn read_by(structured: &Structured, relation: VarId) -> Vec<VarId> {
    let system = &structured.system;
    let found = system.relations.iter().find(|other| other.var == relation);
    found.map_or_else(Vec::new, |found| [found.lhs, found.rhs].into_iter().flat_map(|side| variables(&system.arena, side)).collect())
}

fn check_states(structured: &Structured) -> Result<(), Box<Diagnostic>> {
    let sorting = &structured.causalized.sorting;
    let (n, name) = (sorting.states.len(), &structured.report.model);
    if n == 0 {
        return Err(Box::new(Diagnostic::error("C114", format!("the model {name} has no continuous states: there is no order to reduce"))));
    }
    if n > MOST_STATES {
        let title = format!("the model {name} has {n} states; the order of at most {MOST_STATES} can be reduced");
        return Err(Box::new(
            Diagnostic::error("C113", title).with_note("the algebra is dense: its time grows with the cube of their number"),
        ));
    }
    if let Some((var, _)) = sorting.sets.first().and_then(|set| set.candidates.first()) {
        let variable = &structured.system.vars[*var];
        let title = format!("the states of the model {name} are chosen anew while it runs, `{}` among them", variable.name);
        return Err(Box::new(Diagnostic::error("C111", title).at(variable.span, "here")));
    }
    debug_assert!(sorting.states.iter().all(|(state, _)| state.index() > 0), "time is no state");
    Ok(())
}
