//! Values that nobody assigned: fields that a function leaves open, locals that are read before their first assignment.
//!
//! Input: reads of such values while expressions are lowered. Output: errors for those that reach an equation.
//! Method: a read gives a variable of its own that stands for the missing value. What folding and inlining leave of it shows
//! whether the value matters. A variable of the model that takes the missing value and that nothing else reads is not a number;
//! everything else is an error.
//! Guarantee: no missing value takes part in a computation.
//! Cost: nothing for models without such reads, else one walk over all equations.

use super::value::Val;
use super::{Lowerer, Scope};
use crate::dae::{Role, Variable};
use crate::expr::{Node, subst};
use crate::flat::{self, ExprKind};
use crate::ids::{ExprId, VarId};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::plan::SlotType;
use rustc_hash::FxHashMap;

/// The missing values that were read.
#[derive(Default)]
pub(super) struct Missing {
    /// What each stands for, and where it was read.
    reads: indexmap::IndexMap<VarId, (String, Span)>,
    known: FxHashMap<String, VarId>,
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
        let var = self.sys.vars.push(Variable { hidden: true, ..Variable::new(name, SlotType::Real, Role::Parameter, span) });
        self.missing.known.insert(what.clone(), var);
        self.missing.reads.insert(var, (what, span));
        self.sys.arena.var(var)
    }

    /// What a reference gives; blanks are missing values, but records keep theirs.
    pub(super) fn present(&mut self, scope: &Scope, value: Val, expr: &flat::Expr) -> Val {
        if matches!(expr.ty.scalar, flat::Scalar::Record(_) | flat::Scalar::String) || !value.has_blank() {
            return value;
        }
        let what = part_name(self.model, scope.function, expr);
        let missing = self.missing(what, expr.span);
        value.without_blanks(missing)
    }

    /// A value that an equation needs as a whole: `target` takes it.
    pub(super) fn completed(&mut self, target: &Val, value: &Val, span: Span) -> Val {
        let part = |i: usize| match target {
            Val::Array(items) | Val::Record(items) => items.get(i).unwrap_or(&Val::Blank),
            _ => &Val::Blank,
        };
        match value {
            Val::Array(items) => Val::Array(items.iter().enumerate().map(|(i, item)| self.completed(part(i), item, span)).collect()),
            Val::Record(items) => Val::Record(items.iter().enumerate().map(|(i, item)| self.completed(part(i), item, span)).collect()),
            Val::Blank => {
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
            other => other.clone(),
        }
    }

    /// Reports missing values that equations need.
    pub(super) fn report_missing(&mut self) {
        if self.missing.reads.is_empty() {
            return;
        }
        let reads = std::mem::take(&mut self.missing.reads);
        let is_missing = |v: &VarId| reads.contains_key(v);
        let mut needed: indexmap::IndexMap<VarId, Span> = indexmap::IndexMap::new();
        let mut readers: FxHashMap<VarId, usize> = FxHashMap::default();
        let mut taken = Vec::new();
        let mut pairs: Vec<(ExprId, ExprId, Span)> = self.sys.eqs.values().chain(&self.sys.initial_eqs).map(|e| (e.lhs, e.rhs, e.origin.span())).collect();
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
            if !vars.iter().any(is_missing) {
                continue;
            }
            match (self.sys.arena.node(lhs), self.sys.arena.node(rhs)) {
                (Node::Var(var), Node::Var(value)) if is_missing(&value) && !is_missing(&var) => taken.push((var, value, span)),
                _ => vars.iter().filter(|v| is_missing(v)).for_each(|v| {
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
pub(super) fn part_name(model: &flat::Model, function: Option<flat::FuncId>, expr: &flat::Expr) -> String {
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
