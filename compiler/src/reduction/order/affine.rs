//! A model as an affine system: states, the signals that act on them, and every unknown as a weighted sum of both.
//!
//! Input: sorted equations and the values of parameters. Output: [`Affine`]. Method: the steps between events in their order; each unknown
//! is a [`Form`], a sum of states, signals and a number. A signal is the largest part of an expression that does not depend on states:
//! times, inputs, what changes at events only (relations are frozen). Unknowns of a linear system follow from its residuals.
//! Guarantee: what is not affine with constant factors is refused with its equation (C111); signals are kept as expressions.
//! Cost: linear in the expressions times the length of forms; a solved block costs the cube of its iteration unknowns.

use crate::base::ids::{ExprId, VarId};
use crate::equations::dae::text::expression_text;
use crate::equations::dae::{Role, System};
use crate::equations::expr::Node;
use crate::equations::expr::subst::variables;
use crate::pipeline::Structured;
use crate::sorting::tearing::{Assignment, TornBlock, TornStep};
use crate::transform::alias::Alias;
use cranelift_entity::SecondaryMap;
use partita_grammar::Diagnostic;
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::linear::balancing::Matrix;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What a weight belongs to.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// A state, by its number.
    State(usize),
    /// A signal: an expression that does not depend on states.
    Signal(ExprId),
    /// An unknown of the block that is being solved.
    Unknown(usize),
}

/// A weighted sum.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Form {
    /// What does not change.
    pub constant: f64,
    /// Weights that are not zero.
    pub weights: BTreeMap<Key, f64>,
}

impl Form {
    fn number(constant: f64) -> Form {
        Form { constant, weights: BTreeMap::new() }
    }

    fn of(key: Key) -> Form {
        Form { constant: 0.0, weights: BTreeMap::from([(key, 1.0)]) }
    }

    fn add(&mut self, other: &Form, factor: f64) {
        self.constant += factor * other.constant;
        for (key, weight) in &other.weights {
            let sum = self.weights.entry(*key).or_insert(0.0);
            *sum += factor * weight;
            if *sum == 0.0 {
                self.weights.remove(key);
            }
        }
    }

    fn times(&self, factor: f64) -> Form {
        let mut product = Form::default();
        product.add(self, factor);
        product
    }

    fn as_number(&self) -> Option<f64> {
        self.weights.is_empty().then_some(self.constant)
    }

    /// Contains a state, or an unknown that may.
    pub fn is_moved(&self) -> bool {
        self.weights.keys().any(|key| !matches!(key, Key::Signal(_)))
    }

    /// The weight of a key.
    pub fn weight(&self, key: Key) -> f64 {
        self.weights.get(&key).copied().unwrap_or(0.0)
    }
}

/// A model as an affine system.
#[derive(Clone, Debug, Default)]
pub struct Affine {
    /// The states.
    pub states: Vec<VarId>,
    /// The derivatives of the states.
    pub rates: Vec<Form>,
    /// Unknowns that depend on states, or stand beside such in a declaration.
    pub forms: FxHashMap<VarId, Form>,
}

impl Affine {
    /// The matrix of weights of some forms.
    pub fn matrix(forms: &[&Form], n: usize, key: impl Fn(usize) -> Key) -> Matrix {
        let mut matrix = Matrix::zeros(forms.len(), n);
        for (row, form) in forms.iter().enumerate() {
            (0..n).for_each(|column| matrix.set(row, column, form.weight(key(column))));
        }
        matrix
    }

    /// The signals of some forms, in the order in which they are met.
    pub fn signals<'f>(forms: impl Iterator<Item = &'f Form>) -> Vec<ExprId> {
        let mut found = Vec::new();
        for key in forms.flat_map(|form| form.weights.keys()) {
            match key {
                Key::Signal(signal) if !found.contains(signal) => found.push(*signal),
                _ => {}
            }
        }
        found
    }

    /// The form of a variable, also of one that was eliminated.
    pub fn form_of(&self, structured: &Structured, var: VarId) -> Option<Form> {
        match structured.aliases.of[var] {
            Some(Alias::Constant(value)) => Some(Form::number(value)),
            Some(Alias::Variable(target, factor)) => Some(self.direct(target)?.times(factor)),
            None => self.direct(var),
        }
    }

    fn direct(&self, var: VarId) -> Option<Form> {
        let state = self.states.iter().position(|state| *state == var);
        state.map(|state| Form::of(Key::State(state))).or_else(|| self.forms.get(&var).cloned())
    }
}

/// Walks over the steps.
struct Walk<'a> {
    sys: &'a System,
    parameter: &'a dyn Fn(VarId) -> Option<f64>,
    unrolled: &'a dyn Fn(VarId) -> bool,
    affine: Affine,
    state_of: FxHashMap<VarId, usize>,
    unknown_of: SecondaryMap<VarId, Option<usize>>,
    /// Unknowns that do not depend on states and are left to their own equations.
    kept: FxHashSet<VarId>,
}

/// The part of an expression that cannot be a sum of states.
struct NotAffine(ExprId);

impl Walk<'_> {
    fn variable(&self, expr: ExprId, var: VarId) -> Form {
        if let Some(state) = self.state_of.get(&var) {
            return Form::of(Key::State(*state));
        }
        if let Some(unknown) = self.unknown_of[var] {
            return Form::of(Key::Unknown(unknown));
        }
        if let Some(form) = self.affine.forms.get(&var) {
            return form.clone();
        }
        match (self.sys.vars[var].role, (self.parameter)(var)) {
            (Role::Parameter, Some(value)) => Form::number(value),
            _ => Form::of(Key::Signal(expr)),
        }
    }

    /// An expression as a sum.
    fn form(&self, expr: ExprId) -> Result<Form, NotAffine> {
        let mut nodes: Vec<ExprId> = Vec::new();
        let mut seen: FxHashSet<ExprId> = FxHashSet::default();
        let mut stack = vec![expr];
        while let Some(top) = stack.pop() {
            if seen.insert(top) {
                nodes.push(top);
                stack.extend(self.sys.arena.operands(top));
            }
        }
        // Operands have smaller ids than what they are in.
        nodes.sort_unstable();
        let mut forms: FxHashMap<ExprId, Form> = FxHashMap::default();
        for node in nodes {
            let form = self.node(node, &forms)?;
            forms.insert(node, form);
        }
        Ok(forms.remove(&expr).unwrap_or_default())
    }

    fn node(&self, expr: ExprId, forms: &FxHashMap<ExprId, Form>) -> Result<Form, NotAffine> {
        let arena = &self.sys.arena;
        let number = |e: ExprId| forms[&e].as_number();
        Ok(match arena.node(expr) {
            Node::Const(bits) => Form::number(f64::from_bits(bits)),
            Node::Var(var) => self.variable(expr, var),
            Node::Unary(Op1::Neg, a) => forms[&a].times(-1.0),
            Node::Unary(op, a) if number(a).is_some() => Form::number(op.eval(number(a).unwrap_or(f64::NAN))),
            Node::Binary(op @ (Op2::Add | Op2::Sub), a, b) => {
                let mut sum = forms[&a].clone();
                sum.add(&forms[&b], if op == Op2::Add { 1.0 } else { -1.0 });
                sum
            }
            Node::Binary(op, a, b) => match (op, number(a), number(b)) {
                (_, Some(a), Some(b)) => Form::number(op.eval(a, b)),
                (Op2::Mul, Some(factor), _) => forms[&b].times(factor),
                (Op2::Mul, _, Some(factor)) => forms[&a].times(factor),
                (Op2::Div, _, Some(divisor)) => forms[&a].times(1.0 / divisor),
                _ => self.opaque(expr, &[a, b], forms)?,
            },
            Node::Unary(_, a) => self.opaque(expr, &[a], forms)?,
            Node::Select(c, a, b) => match number(c) {
                Some(chosen) => forms[if chosen != 0.0 { &a } else { &b }].clone(),
                None => self.opaque(expr, &[c, a, b], forms)?,
            },
            Node::Arg(a, rest) => {
                // A list has no value; it is moved if one of its items is.
                let items: Vec<ExprId> = std::iter::once(a).chain(rest).collect();
                items.into_iter().find(|item| forms[item].is_moved()).map(|item| forms[&item].clone()).unwrap_or_default()
            }
            Node::Call(_, args, _) => {
                let items: Vec<ExprId> = args.into_iter().collect();
                self.opaque(expr, &items, forms)?
            }
        })
    }

    /// A part that is a signal as a whole, or not affine.
    fn opaque(&self, expr: ExprId, operands: &[ExprId], forms: &FxHashMap<ExprId, Form>) -> Result<Form, NotAffine> {
        if operands.iter().any(|operand| forms[operand].is_moved()) {
            return Err(NotAffine(expr));
        }
        Ok(Form::of(Key::Signal(expr)))
    }

    fn refuse(&self, assignment: &Assignment, part: &NotAffine) -> Box<Diagnostic> {
        let name = &self.sys.vars[assignment.var].name;
        let title = format!("the equation for `{name}` is not affine in the states: {}", expression_text(self.sys, part.0));
        let note = "with relations and discrete variables frozen, derivatives and outputs have to be sums of states and signals with constant factors";
        Box::new(Diagnostic::error("C111", title).at(assignment.span, "this equation").with_note(note))
    }

    fn assign(&mut self, assignment: &Assignment) -> Result<(), Box<Diagnostic>> {
        let form = self.form(assignment.value).map_err(|part| self.refuse(assignment, &part))?;
        self.determined(assignment.var, form);
        Ok(())
    }

    /// Keeps the form of an unknown unless its own equation can stay in the model.
    fn determined(&mut self, var: VarId, form: Form) {
        let jumps = |key: &Key| match key {
            Key::Signal(signal) => {
                let vars = variables(&self.sys.arena, *signal);
                vars.into_iter()
                    .any(|var| !matches!(self.sys.vars[var].role, Role::Time | Role::Parameter | Role::Input | Role::Continuous))
            }
            _ => true,
        };
        if form.is_moved() || (self.unrolled)(var) || form.weights.keys().any(jumps) {
            self.affine.forms.insert(var, form);
        } else {
            self.kept.insert(var);
        }
    }

    fn solve(&mut self, block: &TornBlock) -> Result<(), Box<Diagnostic>> {
        let all = || block.inner.iter().chain(&block.iteration);
        let moved = all().any(|assignment| {
            variables(&self.sys.arena, assignment.value).into_iter().any(|var| {
                self.state_of.contains_key(&var) || self.affine.forms.get(&var).is_some_and(Form::is_moved) || (self.unrolled)(var)
            })
        });
        if !moved {
            self.kept.extend(all().map(|assignment| assignment.var));
            return Ok(());
        }
        for (at, assignment) in block.iteration.iter().enumerate() {
            self.unknown_of[assignment.var] = Some(at);
        }
        let mut inner = Vec::new();
        for assignment in &block.inner {
            let form = self.form(assignment.value).map_err(|part| self.refuse(assignment, &part))?;
            self.affine.forms.insert(assignment.var, form.clone());
            inner.push((assignment.var, form));
        }
        let mut residuals = Vec::new();
        for assignment in &block.iteration {
            residuals.push(self.form(assignment.value).map_err(|part| self.refuse(assignment, &part))?);
        }
        let solved = solved(&residuals).ok_or_else(|| {
            let names: Vec<String> = block.iteration.iter().map(|assignment| self.sys.vars[assignment.var].name.clone()).collect();
            let title = format!("the linear system for {} is singular", super::super::text::listed(&names));
            Box::new(Diagnostic::error("C111", title).at(block.iteration[0].span, "one of its equations"))
        })?;
        for assignment in &block.iteration {
            self.unknown_of[assignment.var] = None;
        }
        for (var, form) in inner {
            self.affine.forms.insert(var, resolved(&form, &solved));
        }
        for (assignment, form) in block.iteration.iter().zip(solved) {
            self.affine.forms.insert(assignment.var, form);
        }
        Ok(())
    }
}

/// A form with the unknowns of a block replaced by what they are.
fn resolved(form: &Form, solved: &[Form]) -> Form {
    let mut result = Form::number(form.constant);
    for (key, weight) in &form.weights {
        match key {
            Key::Unknown(unknown) => result.add(&solved[*unknown], *weight),
            key => result.add(&Form::of(*key), *weight),
        }
    }
    result
}

/// The unknowns for which all residuals vanish.
fn solved(residuals: &[Form]) -> Option<Vec<Form>> {
    let m = residuals.len();
    let refs: Vec<&Form> = residuals.iter().collect();
    let matrix = Affine::matrix(&refs, m, Key::Unknown);
    let mut keys: Vec<Key> = residuals.iter().flat_map(|form| form.weights.keys().copied()).collect();
    keys.retain(|key| !matches!(key, Key::Unknown(_)));
    keys.sort_unstable();
    keys.dedup();
    let mut right = Matrix::zeros(m, keys.len() + 1);
    for (row, form) in residuals.iter().enumerate() {
        keys.iter().enumerate().for_each(|(column, key)| right.set(row, column, -form.weight(*key)));
        right.set(row, keys.len(), -form.constant);
    }
    let solution = matrix.solve(&right)?;
    let form = |row: usize| {
        let mut form = Form::number(solution.get(row, keys.len()));
        keys.iter().enumerate().for_each(|(column, key)| form.add(&Form::of(*key), solution.get(row, column)));
        form
    };
    Some((0..m).map(form).collect())
}

/// Writes a model as an affine system; unknowns for which `unrolled` holds get forms although they do not depend on states.
pub fn affine(
    structured: &Structured,
    parameter: &dyn Fn(VarId) -> Option<f64>,
    unrolled: &dyn Fn(VarId) -> bool,
) -> Result<Affine, Box<Diagnostic>> {
    let sorting = &structured.causalized.sorting;
    let states: Vec<VarId> = sorting.states.iter().map(|(state, _)| *state).collect();
    let mut walk = Walk {
        sys: &structured.system,
        parameter,
        unrolled,
        state_of: states.iter().enumerate().map(|(at, state)| (*state, at)).collect(),
        affine: Affine { states, ..Affine::default() },
        unknown_of: SecondaryMap::new(),
        kept: FxHashSet::default(),
    };
    for step in &sorting.simulation.torn.steps {
        match step {
            TornStep::Assign(assignment) => walk.assign(assignment)?,
            TornStep::Solve(block) => walk.solve(block)?,
        }
    }
    for (state, rate) in &sorting.states {
        let name = |var: VarId| &structured.system.vars[var].name;
        let Some(form) = walk.affine.direct(*rate) else {
            // A rate that does not depend on states was left to its own equation.
            let title = format!("`{}` does not depend on any state: the state `{}` integrates", name(*rate), name(*state));
            return Err(Box::new(Diagnostic::error("C112", title).with_hint("leave it out, or make it return to rest")));
        };
        walk.affine.rates.push(form);
    }
    Ok(walk.affine)
}
