//! Values that nobody assigned: fields that a function leaves open, locals that are read before their first assignment.
//!
//! Input: reads of such values while expressions are lowered. Output: errors for those that reach an equation.
//! Method: a read gives a variable of its own that stands for the uninitialised value. What folding and inlining leave of it shows
//! whether the value matters. A variable of the model that takes the uninitialised value and that nothing else reads is not a number;
//! everything else is an error.
//! What is assigned on some ways only is a choice between what was assigned and a mark. A read drops the mark where the
//! conditions, as far as they are `and`, `or` and `not`, leave no way to it; else the run fails where it would be read.
//! Guarantee: no uninitialised value takes part in a computation.
//! Cost: nothing for models without such reads, else one walk over all equations.

use super::value::Val;
use super::{Lowerer, Scope};
use crate::base::ids::{ExprId, VarId};
use crate::equations::dae::{Purpose, Role, Variable};
use crate::equations::expr::{Node, subst};
use crate::frontend::flat::{self, ExprKind};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::plan::SlotType;
use rustc_hash::FxHashMap;

/// The uninitialised values that were read.
#[derive(Default)]
pub(super) struct UninitialisedReads {
    /// What each stands for, and where it was read.
    reads: indexmap::IndexMap<VarId, (String, Span)>,
    known: FxHashMap<String, VarId>,
    /// Stands for no value in values that are assigned on some ways only.
    mark: Option<VarId>,
    /// Values that contain the mark, and where they have no value.
    partial: FxHashMap<ExprId, ExprId>,
}

/// How many different conditions are looked at together: their combinations are counted out.
const MAX_CONDITIONS: usize = 10;
/// A condition that is made of more is not counted out.
const MAX_OPERATIONS: usize = 1000;

/// What a condition depends on; relations and their opposites are one.
#[derive(PartialEq)]
enum Atom {
    Plain(ExprId),
    Less(ExprId, ExprId),
    Equal(ExprId, ExprId),
    /// A value equals the number with these bits.
    Is(ExprId, u64),
}

/// A variable that stands for a value nobody assigned.
fn no_value_of(name: String, span: Span) -> Variable {
    let variable = Variable::new(name, SlotType::Real, Role::Parameter, span);
    Variable { hidden: true, made: Some(Purpose::NoValue), ..variable }
}

/// The error for a value that nobody assigned.
pub(super) fn no_value(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error("D010", format!("{what} has no value")).at(span, "read here, but never assigned")
}

impl Lowerer<'_> {
    /// A scalar that stands for a value nobody assigned.
    pub(super) fn missing(&mut self, what: String, span: Span) -> ExprId {
        if let Some(var) = self.missing.known.get(&what) {
            return self.sys.arena.var(*var);
        }
        let name = format!("$missing{}", self.missing.reads.len() + 1);
        let var = self.sys.vars.push(no_value_of(name, span));
        self.missing.known.insert(what.clone(), var);
        self.missing.reads.insert(var, (what, span));
        self.sys.arena.var(var)
    }

    /// What a reference gives; what is uninitialised stays so, but records keep theirs.
    pub(super) fn present(&mut self, scope: &Scope, value: Val, expr: &flat::Expr) -> Val {
        if matches!(expr.ty.scalar, flat::Scalar::Record(_) | flat::Scalar::String) {
            return value;
        }
        let value = self.settled(scope, value, expr);
        if !value.has_uninitialised() {
            return value;
        }
        let what = part_name(self.model, scope.function, expr);
        let missing = self.missing(what, expr.span);
        value.with_filling(missing)
    }

    /// `new` where `live` holds, else `old`, of which parts may have no value; `None` if their shapes differ.
    pub(super) fn assigned_where(&mut self, live: ExprId, new: &Val, old: &Val) -> Option<Val> {
        Some(match (new, old) {
            (Val::Empty(_), _) if old.items().is_none_or(<[_]>::is_empty) => new.clone(),
            (Val::Scalar(_), Val::Empty(_)) => old.clone(),
            (Val::Array(a), Val::Array(b)) if a.len() == b.len() => {
                Val::Array(a.iter().zip(b).map(|(a, b)| self.assigned_where(live, a, b)).collect::<Option<_>>()?)
            }
            (Val::Record(a), Val::Record(b)) if a.len() == b.len() => {
                Val::Record(a.iter().zip(b).map(|(a, b)| self.assigned_where(live, a, b)).collect::<Option<_>>()?)
            }
            (Val::Array(items), Val::Uninitialised) => {
                Val::Array(items.iter().map(|item| self.assigned_where(live, item, old)).collect::<Option<_>>()?)
            }
            (Val::Record(fields), Val::Uninitialised) => {
                Val::Record(fields.iter().map(|field| self.assigned_where(live, field, old)).collect::<Option<_>>()?)
            }
            (Val::Scalar(_), Val::Array(items)) => {
                Val::Array(items.iter().map(|item| self.assigned_where(live, new, item)).collect::<Option<_>>()?)
            }
            (Val::Uninitialised, Val::Uninitialised) | (Val::Text(_), Val::Uninitialised) => new.clone(),
            (Val::Scalar(a), Val::Scalar(b)) => Val::Scalar(self.partial_choice(live, *a, *b)),
            (Val::Scalar(a), Val::Uninitialised) => {
                let mark = self.mark();
                Val::Scalar(self.partial_choice(live, *a, mark))
            }
            (Val::Uninitialised, Val::Scalar(b)) => {
                let mark = self.mark();
                Val::Scalar(self.partial_choice(live, mark, *b))
            }
            _ => return self.choose(live, new, old),
        })
    }

    /// The mark of no value in a choice.
    fn mark(&mut self) -> ExprId {
        let var = match self.missing.mark {
            Some(var) => var,
            None => {
                let var = self.sys.vars.push(no_value_of("$unassigned".to_string(), Span::default()));
                self.missing.mark = Some(var);
                let (mark, always) = (self.sys.arena.var(var), self.sys.arena.constant(1.0));
                self.missing.partial.insert(mark, always);
                // Who reads the mark without looking, is told.
                self.missing.reads.insert(var, ("a value that a function assigns on some ways only".to_string(), Span::default()));
                var
            }
        };
        self.sys.arena.var(var)
    }

    /// `if condition then a else b` where `a` or `b` may contain the mark.
    pub(super) fn partial_choice(&mut self, condition: ExprId, a: ExprId, b: ExprId) -> ExprId {
        let open = [a, b].map(|e| self.missing.partial.get(&e).copied());
        let choice = self.sys.arena.select(condition, a, b);
        if open == [None, None] || choice == a || choice == b {
            return choice;
        }
        let not = self.sys.arena.not(condition);
        let mut nowhere = self.sys.arena.constant(0.0);
        for (open, here) in open.into_iter().zip([condition, not]) {
            if let Some(open) = open {
                let both = self.sys.arena.and(here, open);
                nowhere = self.sys.arena.or(nowhere, both);
            }
        }
        if self.is_never(nowhere) {
            return self.without_mark(choice, None);
        }
        self.missing.partial.insert(choice, nowhere);
        choice
    }

    /// The value without the mark: with `filling` in its place, or without the ways to it. Choices that share parts are shared
    /// in the result, too: every one is looked at once.
    fn without_mark(&mut self, value: ExprId, filling: Option<ExprId>) -> ExprId {
        let mark = self.mark();
        let mut done: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        let mut stack = vec![value];
        while let Some(&top) = stack.last() {
            let is_open = top == value || self.missing.partial.contains_key(&top);
            let new = match self.sys.arena.node(top) {
                _ if top == mark => filling.unwrap_or(mark),
                Node::Select(condition, a, b) if is_open => {
                    let (Some(&a), Some(&b)) = (done.get(&a), done.get(&b)) else {
                        stack.extend([a, b].into_iter().filter(|part| !done.contains_key(part)));
                        continue;
                    };
                    match filling {
                        None if a == mark => b,
                        None if b == mark => a,
                        _ => self.sys.arena.select(condition, a, b),
                    }
                }
                _ => top,
            };
            done.insert(top, new);
            stack.pop();
        }
        done.get(&value).copied().unwrap_or(value)
    }

    /// A value that is read: without the mark where there is no way to it, with a failure of the run where there is one.
    fn settled(&mut self, scope: &Scope, value: Val, expr: &flat::Expr) -> Val {
        if self.missing.partial.is_empty() {
            return value;
        }
        let live = self.live(scope);
        let here = self.conjunction(scope.path, live);
        let settled = value.map(&mut |scalar| {
            let Some(open) = self.missing.partial.get(&scalar).copied() else { return Ok(scalar) };
            let open_here = self.conjunction(here, Some(open)).unwrap_or(open);
            if self.is_never(open_here) {
                return Ok(self.without_mark(scalar, None));
            }
            let what = part_name(self.model, scope.function, expr);
            let message = format!("{what} has no value here: it is assigned on other ways through the function only");
            self.failure(scope, open, message, expr.span);
            // A reader under a condition may be asked a little beyond an event, where a number is better than none.
            let filling = if here.is_some() { None } else { Some(self.sys.arena.constant(f64::NAN)) };
            Ok::<_, std::convert::Infallible>(self.without_mark(scalar, filling))
        });
        let Ok(settled) = settled;
        settled
    }

    /// The value with what is not a number in place of the mark: for those who only pass it on.
    pub(super) fn unmarked(&mut self, value: Val) -> Val {
        if self.missing.partial.is_empty() {
            return value;
        }
        let nothing = self.sys.arena.constant(f64::NAN);
        let unmarked = value.map(&mut |scalar| {
            let is_partial = self.missing.partial.contains_key(&scalar);
            Ok::<_, std::convert::Infallible>(if is_partial { self.without_mark(scalar, Some(nothing)) } else { scalar })
        });
        let Ok(unmarked) = unmarked;
        unmarked
    }

    /// Whether no combination of the conditions in `condition` makes it hold. `false` also where there are too many of them.
    fn is_never(&self, condition: ExprId) -> bool {
        let arena = &self.sys.arena;
        let mut order = Vec::new();
        let mut conditions = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![(condition, false)];
        while let Some((top, is_done)) = stack.pop() {
            if is_done {
                order.push(top);
                continue;
            }
            if !seen.insert(top) {
                continue;
            }
            if seen.len() > MAX_OPERATIONS {
                return false;
            }
            match arena.node(top) {
                Node::Const(_) => order.push(top),
                Node::Unary(Op1::Not, a) => stack.extend([(top, true), (a, false)]),
                Node::Binary(Op2::And | Op2::Or, a, b) => stack.extend([(top, true), (a, false), (b, false)]),
                _ => {
                    order.push(top);
                    let (atom, _) = self.atom(top);
                    if !conditions.contains(&atom) {
                        conditions.push(atom);
                    }
                    if conditions.len() > MAX_CONDITIONS {
                        return false;
                    }
                }
            }
        }
        let mut value: FxHashMap<ExprId, bool> = FxHashMap::default();
        (0..1_usize << conditions.len()).all(|combination| {
            let holds = |atom: &Atom| conditions.iter().position(|c| c == atom).is_some_and(|i| combination >> i & 1 == 1);
            // A number equals one number only.
            let excluded = conditions.iter().enumerate().any(|(i, a)| {
                conditions[..i].iter().any(|b| matches!((a, b), (Atom::Is(x, _), Atom::Is(y, _)) if x == y) && holds(a) && holds(b))
            });
            if excluded {
                return true;
            }
            for expr in &order {
                let now = match arena.node(*expr) {
                    Node::Const(bits) => f64::from_bits(bits) != 0.0,
                    Node::Unary(Op1::Not, a) => !value[&a],
                    Node::Binary(Op2::And, a, b) => value[&a] && value[&b],
                    Node::Binary(Op2::Or, a, b) => value[&a] || value[&b],
                    _ => {
                        let (atom, is_opposite) = self.atom(*expr);
                        holds(&atom) != is_opposite
                    }
                };
                value.insert(*expr, now);
            }
            !value[&condition]
        })
    }

    /// What a condition depends on, and whether it is the opposite of that.
    fn atom(&self, condition: ExprId) -> (Atom, bool) {
        let arena = &self.sys.arena;
        match arena.node(condition) {
            Node::Binary(op @ (Op2::Eq | Op2::Ne), a, b) => {
                let atom = match (arena.as_constant(a), arena.as_constant(b)) {
                    (_, Some(number)) => Atom::Is(a, number.to_bits()),
                    (Some(number), _) => Atom::Is(b, number.to_bits()),
                    _ => Atom::Equal(a, b),
                };
                (atom, op == Op2::Ne)
            }
            Node::Binary(Op2::Lt, a, b) => (Atom::Less(a, b), false),
            Node::Binary(Op2::Ge, a, b) => (Atom::Less(a, b), true),
            Node::Binary(Op2::Gt, a, b) => (Atom::Less(b, a), false),
            Node::Binary(Op2::Le, a, b) => (Atom::Less(b, a), true),
            _ => (Atom::Plain(condition), false),
        }
    }

    /// A value that an equation needs as a whole: `target` takes it.
    pub(super) fn completed(&mut self, target: &Val, value: &Val, span: Span) -> Val {
        let part = |i: usize| match target {
            Val::Array(items) | Val::Record(items) => items.get(i).unwrap_or(&Val::Uninitialised),
            _ => &Val::Uninitialised,
        };
        match value {
            Val::Array(items) => Val::Array(items.iter().enumerate().map(|(i, item)| self.completed(part(i), item, span)).collect()),
            Val::Record(items) => Val::Record(items.iter().enumerate().map(|(i, item)| self.completed(part(i), item, span)).collect()),
            Val::Uninitialised => {
                let taker = match target {
                    Val::Scalar(e) => match self.sys.arena.node(*e) {
                        Node::Var(var) => Some(self.sys.vars[var].name.clone()),
                        _ => None,
                    },
                    _ => None,
                };
                let what = taker.map_or_else(|| "a part of this value".to_string(), |name| format!("what {name} is set to"));
                Val::Scalar(self.missing(what, span))
            }
            other => self.unmarked(other.clone()),
        }
    }

    /// LowerReports missing values that equations need.
    pub(super) fn report_uninitialised(&mut self) {
        if self.missing.reads.is_empty() {
            return;
        }
        let reads = std::mem::take(&mut self.missing.reads);
        let is_uninitialised = |v: &VarId| reads.contains_key(v);
        let mut needed: indexmap::IndexMap<VarId, Span> = indexmap::IndexMap::new();
        let mut readers: FxHashMap<VarId, usize> = FxHashMap::default();
        let mut taken = Vec::new();
        let mut pairs: Vec<(ExprId, ExprId, Span)> =
            self.sys.eqs.values().chain(&self.sys.initial_eqs).map(|e| (e.lhs, e.rhs, e.origin.span())).collect();
        pairs.extend(self.sys.relations.iter().map(|r| (r.lhs, r.rhs, r.span)));
        // The start of a parameter is its binding.
        let starts: Vec<(VarId, ExprId)> = self.sys.vars.iter().filter_map(|(id, v)| Some((id, v.start?))).collect();
        for (id, start) in starts {
            let is_binding = self.sys.vars[id].role == Role::Parameter;
            let target = if is_binding { self.sys.arena.var(id) } else { start };
            pairs.push((target, start, self.sys.vars[id].span));
        }
        for (lhs, rhs, span) in pairs {
            let mut vars = subst::variables(&self.sys.arena, lhs);
            vars.extend(subst::variables(&self.sys.arena, rhs));
            vars.iter().for_each(|v| *readers.entry(*v).or_default() += 1);
            if !vars.iter().any(is_uninitialised) {
                continue;
            }
            match (self.sys.arena.node(lhs), self.sys.arena.node(rhs)) {
                (Node::Var(var), Node::Var(value)) if is_uninitialised(&value) && !is_uninitialised(&var) => taken.push((var, value, span)),
                _ => vars.iter().filter(|v| is_uninitialised(v)).for_each(|v| {
                    needed.entry(*v).or_insert(span);
                }),
            }
        }
        for (var, value, span) in taken {
            if readers.get(&var).copied().unwrap_or(0) > 1 {
                needed.entry(value).or_insert(span);
            }
        }
        for (var, used) in needed {
            let Some((what, span)) = reads.get(&var) else { continue };
            let (error, span) = (no_value(what, *span), *span);
            self.fail(if used == span { error } else { error.at(used, "this needs it") });
        }
        // Nothing computes with what is left.
        for var in reads.keys() {
            self.sys.vars[*var].value = Some(f64::NAN);
        }
    }
}

/// A name for a part of a function's variables or result.
pub(super) fn part_name(model: &flat::FlatModel, function: Option<flat::FuncId>, expr: &flat::Expr) -> String {
    match &expr.kind {
        ExprKind::Field(base, field) => {
            let record = match base.ty.scalar {
                flat::Scalar::Record(record) => model.records[record].fields.get(*field),
                _ => None,
            };
            format!("{}.{}", part_name(model, function, base), record.map_or("?", |f| f.name.as_str()))
        }
        ExprKind::Index(base, _) => format!("an element of {}", part_name(model, function, base)),
        ExprKind::Call(function, _) => format!("{}(...)", model.functions[*function].name),
        ExprKind::Local(local) => function.map_or_else(|| "a part".to_string(), |f| model.functions[f].locals[*local].name.clone()),
        ExprKind::Var(var) => model.vars[*var].name.clone(),
        _ => "a part".to_string(),
    }
}
