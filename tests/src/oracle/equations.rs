//! The equations of a model at one instant, and the iteration at events (section 8.5 and 8.6 of the specification).
//!
//! An equation is evaluated as soon as all it needs is known; the order that is found is kept. A `when` is active where its condition
//! becomes true; what it would give keeps its value otherwise. At events all equations are evaluated again, with `pre` of what they
//! gave, until nothing changes.

use super::expressions::{Instant, Scope, plain_name};
use super::model::{Values, Variable};
use super::statements::Flow;
use super::value::Value;
use super::work::{Work, WorkKind, assigned, target, when_targets};
use super::{Evaluated, Fault, failed, unsupported};
use partita_grammar::ast::*;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// What the equations are evaluated for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Phase {
    /// The start: `when` is active for `initial()` only.
    Initial,
    /// An event: `when` is active where its condition becomes true.
    Event,
    /// Between events: no `when` is active.
    Continuous,
}

/// Passes of one event until it counts as endless.
const MOST_PASSES: usize = 60;

/// All equations of a model and where they stand.
pub(super) struct System<'a> {
    pub scope: Scope<'a>,
    pub variables: Vec<Variable>,
    pub work: Vec<Work<'a>>,
    phase: Phase,
    /// Conditions of `when`, by place, now and just before.
    conditions: HashMap<String, Vec<bool>>,
    pre_conditions: HashMap<String, Vec<bool>>,
    pre: Rc<Values>,
    reinits: Vec<(String, Value)>,
    /// Values of the states.
    pub states: Values,
}

impl<'a> System<'a> {
    pub(super) fn new(scope: Scope<'a>, variables: Vec<Variable>, work: Vec<Work<'a>>) -> System<'a> {
        let states = variables.iter().filter(|v| v.derivative.is_some()).map(|v| (v.name.clone(), v.start.clone())).collect();
        let pre = Rc::new(variables.iter().map(|v| (v.name.clone(), v.start.clone())).collect::<Values>());
        let (conditions, pre_conditions) = (HashMap::new(), HashMap::new());
        System { scope, variables, work, phase: Phase::Initial, conditions, pre_conditions, pre, reinits: Vec::new(), states }
    }

    /// Values of all variables at a time between events; decisions are those of the last event.
    pub(super) fn between(&mut self, time: f64) -> Evaluated<()> {
        self.phase = Phase::Continuous;
        self.pass(time)
    }

    /// Whether decisions now differ from those of the last event.
    pub(super) fn crossed(&self) -> bool {
        self.scope.watch.held.borrow().as_ref() != Some(&*self.scope.watch.decided.borrow())
    }

    /// Handles an event, or the start.
    pub(super) fn event(&mut self, time: f64, initial: bool) -> Evaluated<()> {
        *self.scope.watch.held.borrow_mut() = None;
        if initial {
            self.phase = Phase::Initial;
            self.pass(time)?;
            self.settle();
        }
        self.phase = Phase::Event;
        for pass in 0.. {
            if pass == MOST_PASSES {
                return failed("an event that does not come to rest");
            }
            self.pass(time)?;
            if !self.settle() {
                break;
            }
        }
        // Samples have ticked: what is true now is what conditions have to leave before they can become true again.
        self.phase = Phase::Continuous;
        self.pass(time)?;
        self.pre_conditions = self.conditions.clone();
        let decided = self.scope.watch.decided.borrow().clone();
        *self.scope.watch.held.borrow_mut() = Some(decided);
        Ok(())
    }

    /// What is now becomes what was before; whether that changed anything.
    fn settle(&mut self) -> bool {
        let mut changed = !self.reinits.is_empty() || self.conditions != self.pre_conditions;
        for (name, value) in self.reinits.drain(..) {
            self.states.insert(name, value);
        }
        // The scope's share of the old values would make a copy of them necessary.
        self.scope.instant = None;
        let pre = Rc::make_mut(&mut self.pre);
        for variable in &self.variables {
            let now = self.scope.values.get(&variable.name).cloned().unwrap_or(Value::Unknown);
            changed |= variable.discrete && pre.get(&variable.name) != Some(&now);
            put(pre, &variable.name, now);
        }
        self.pre_conditions = self.conditions.clone();
        changed
    }

    /// Evaluates all equations once.
    fn pass(&mut self, time: f64) -> Evaluated<()> {
        self.scope.watch.decided.borrow_mut().clear();
        self.conditions.clear();
        self.reinits.clear();
        self.scope.instant =
            Some(Instant { time, pre: Rc::clone(&self.pre), initial: self.phase == Phase::Initial, event: self.phase == Phase::Event });
        for variable in &self.variables {
            let value = self.states.get(&variable.name).unwrap_or(&variable.blank).clone();
            put(&mut self.scope.values, &variable.name, value);
            if let Some(derivative) = &variable.derivative {
                put(&mut self.scope.values, derivative, variable.blank.clone());
            }
        }
        self.in_order()?;
        match self.variables.iter().find(|variable| self.scope.values[&variable.name].has_unknown()) {
            Some(variable) => unsupported(format!("a model that says nothing about `{}`", variable.name)),
            None => Ok(()),
        }
    }

    /// Evaluates what can be evaluated until all is; the order is kept for the next pass.
    fn in_order(&mut self) -> Evaluated<()> {
        let mut waiting = std::mem::take(&mut self.work);
        let mut missing = None;
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut still = Vec::new();
            for work in waiting {
                let decided = self.scope.watch.decided.borrow().len();
                match self.evaluate(&work) {
                    Ok(()) => self.work.push(work),
                    Err(Fault::Unknown(name)) => {
                        self.scope.watch.decided.borrow_mut().truncate(decided);
                        missing = Some(name);
                        still.push(work);
                    }
                    Err(fault) => {
                        self.work.push(work);
                        self.work.append(&mut still);
                        return Err(fault);
                    }
                }
            }
            if still.len() == before {
                let name = missing.unwrap_or_default();
                return unsupported(format!("equations that must be solved together (`{name}` is missing)"));
            }
            waiting = still;
        }
        Ok(())
    }

    fn evaluate(&mut self, work: &Work<'a>) -> Evaluated<()> {
        self.scope.iterators = work.iterators.clone();
        let done = match work.kind {
            WorkKind::Binding(component, value) => {
                let value = self.scope.eval(value);
                value.and_then(|value| self.scope.assign(&component.name, value))
            }
            WorkKind::Equation(equation) => self.equation(equation),
            WorkKind::Algorithm(statements) => self.algorithm(statements),
        };
        self.scope.iterators.clear();
        done
    }

    fn equation(&mut self, equation: &'a Equation) -> Evaluated<()> {
        match &equation.kind {
            EquationKind::Equal(a, b) => self.equal(a, b),
            EquationKind::If { branches, otherwise } => self.if_equation(branches, otherwise.as_deref().unwrap_or_default()),
            EquationKind::When { branches } => self.when_equation(equation, branches),
            EquationKind::Call(call) => self.call(call),
            EquationKind::For { .. } | EquationKind::Connect(..) => unsupported("a loop inside another equation, or a connection"),
        }
    }

    /// One side is a variable or a derivative and gets the value of the other.
    fn equal(&mut self, a: &Expr, b: &Expr) -> Evaluated<()> {
        if let ExprKind::Tuple(targets) = &a.kind {
            return self.scope.assign_outputs(targets, b);
        }
        let (name, target, value) = match (target(a), target(b)) {
            (Some((name, target)), _) => (name, target, b),
            (None, Some((name, target))) => (name, target, a),
            (None, None) => return unsupported("an equation that is not solved for a variable"),
        };
        let value = self.scope.eval(value)?;
        self.scope.assign_named(&name, target, value)
    }

    fn if_equation(&mut self, branches: &'a [(Expr, Vec<Equation>)], otherwise: &'a [Equation]) -> Evaluated<()> {
        for (condition, body) in branches {
            if self.scope.eval(condition)?.boolean()? {
                return body.iter().try_for_each(|equation| self.equation(equation));
            }
        }
        otherwise.iter().try_for_each(|equation| self.equation(equation))
    }

    fn when_equation(&mut self, equation: &Equation, branches: &'a [(Expr, Vec<Equation>)]) -> Evaluated<()> {
        let conditions: Vec<&Expr> = branches.iter().map(|(condition, _)| condition).collect();
        let active = self.active(equation.span.start, &conditions)?;
        match active {
            Some(branch) => branches[branch].1.iter().try_for_each(|equation| self.equation(equation)),
            None => {
                let mut targets = BTreeSet::new();
                branches.iter().for_each(|(_, body)| when_targets(body, true, &mut targets));
                targets.iter().for_each(|name| self.keep(name));
                Ok(())
            }
        }
    }

    /// A discrete variable has the value from before.
    fn keep(&mut self, name: &str) {
        if let Some(value) = self.pre.get(name) {
            self.scope.values.insert(name.to_string(), value.clone());
        }
    }

    /// The branch of a `when` that is active.
    fn active(&mut self, place: u32, conditions: &[&Expr]) -> Evaluated<Option<usize>> {
        let key = format!("{place} {:?}", self.scope.iterators);
        let before = self.pre_conditions.get(&key).cloned().unwrap_or_default();
        let mut now = Vec::new();
        let mut active = None;
        for (branch, condition) in conditions.iter().enumerate() {
            for element in elements(condition) {
                let holds = self.scope.eval(element)?.boolean()?;
                let becomes_true = match self.phase {
                    Phase::Initial => is_initial(element),
                    Phase::Event => holds && !before.get(now.len()).copied().unwrap_or(false),
                    Phase::Continuous => false,
                };
                now.push(holds);
                if becomes_true && active.is_none() {
                    active = Some(branch);
                }
            }
        }
        self.conditions.insert(key, now);
        Ok(active)
    }

    fn call(&mut self, call: &Expr) -> Evaluated<()> {
        let ExprKind::Call { function, arguments } = &call.kind else { return unsupported("an equation that is no call") };
        match (plain_name(function), arguments.positional.as_slice()) {
            (Some("assert"), [condition, ..]) => {
                if self.scope.eval(condition)?.boolean()? {
                    Ok(())
                } else {
                    failed("an assertion")
                }
            }
            (Some("reinit"), [Expr { kind: ExprKind::Ref(state), .. }, value]) => {
                let Some(name) = plain_name(state) else { return unsupported("`reinit` of an element") };
                let value = Value::Real(self.scope.eval(value)?.number()?);
                self.reinits.push((name.to_string(), value));
                Ok(())
            }
            _ => unsupported("a call on its own"),
        }
    }

    /// Variables that an algorithm assigns begin with the values from before, or with their start values.
    fn algorithm(&mut self, statements: &'a [Statement]) -> Evaluated<()> {
        let mut targets = BTreeSet::new();
        assigned(statements, false, &mut targets);
        for variable in self.variables.iter().filter(|variable| targets.contains(&variable.name)) {
            let first = if variable.discrete { self.pre.get(&variable.name) } else { None };
            self.scope.values.insert(variable.name.clone(), first.unwrap_or(&variable.start).clone());
        }
        let done = self.statements(statements);
        if done.is_err() {
            for variable in self.variables.iter().filter(|variable| targets.contains(&variable.name)) {
                self.scope.values.insert(variable.name.clone(), variable.blank.clone());
            }
        }
        done
    }

    fn statements(&mut self, statements: &'a [Statement]) -> Evaluated<()> {
        for statement in statements {
            if let StatementKind::When { branches } = &statement.kind {
                let conditions: Vec<&Expr> = branches.iter().map(|(condition, _)| condition).collect();
                if let Some(branch) = self.active(statement.span.start, &conditions)? {
                    self.statements(&branches[branch].1)?;
                }
            } else if let StatementKind::Call(call) = &statement.kind {
                self.call(call)?;
            } else if self.scope.statement(statement)? != Flow::On {
                return unsupported("`break` or `return` in a model");
            }
        }
        Ok(())
    }
}

/// Gives a variable a value without making its name anew.
fn put(values: &mut Values, name: &str, value: Value) {
    match values.get_mut(name) {
        Some(place) => *place = value,
        None => {
            values.insert(name.to_string(), value);
        }
    }
}

fn elements(condition: &Expr) -> &[Expr] {
    match &condition.kind {
        ExprKind::Array(items) => items,
        _ => std::slice::from_ref(condition),
    }
}

fn is_initial(condition: &Expr) -> bool {
    matches!(&condition.kind, ExprKind::Call { function, .. } if plain_name(function) == Some("initial"))
}
