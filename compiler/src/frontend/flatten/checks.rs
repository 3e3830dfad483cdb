//! Rules for equations that types alone do not tell: what determines an Integer, and what the branches of a `when` assign.

use super::declare::Leaf;
use super::eval::{Evaluator, is_undefined};
use super::lookup::list;
use super::overrides::zero;
use super::{Checked, Flattener, Reported, Scope};
use crate::frontend::flat::{Equation, EquationKind, Expr, ExprKind, Scalar, Value, VarId, Variability};
use partita_grammar::{Diagnostic, Span};
use std::collections::BTreeSet;

/// The variable that an expression is, or is an element of.
fn base(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Var(id) => Some(*id),
        ExprKind::Index(inner, _) => match inner.kind {
            ExprKind::Var(id) => Some(id),
            _ => None,
        },
        _ => None,
    }
}

/// The variables that equations of a `when` assign; `None` where that cannot be told.
fn assigned(equations: &[Equation], found: &mut BTreeSet<VarId>) -> Option<()> {
    for equation in equations {
        match &equation.kind {
            EquationKind::Equal(left, _) => {
                found.insert(base(left)?);
            }
            EquationKind::Tuple(targets, _) => {
                for target in targets.iter().flatten() {
                    found.insert(base(target)?);
                }
            }
            EquationKind::For(_, _, body) => assigned(body, found)?,
            EquationKind::If(branches, otherwise) => {
                for (_, body) in branches {
                    assigned(body, found)?;
                }
                assigned(otherwise, found)?;
            }
            EquationKind::When(_) | EquationKind::Call(_) => {}
        }
    }
    Some(())
}

impl<'a> Flattener<'a> {
    /// An Integer is not determined by a Real expression. A Real variable may be determined by an Integer, whichever side it stands on.
    pub(super) fn check_integer(&mut self, left: &Expr, right: &Expr, scope: &Scope<'a>) -> Checked<()> {
        let (Scalar::Integer, Scalar::Real) = (left.ty.scalar, right.ty.scalar) else { return Ok(()) };
        let is_whole = matches!(right.kind, ExprKind::Literal(Value::Real(value)) if value.fract() == 0.0);
        let is_assigned = base(left).is_some_and(|id| self.model.vars[id].variability > Variability::Parameter)
            && (scope.in_when || base(right).is_none());
        if !is_assigned || is_whole {
            return Ok(());
        }
        Err(self.error(
            Diagnostic::error("F011", "an Integer is to equal a Real")
                .at(right.span, "is Real")
                .at(left.span, "is Integer")
                .with_hint("`integer(...)` rounds down; `div` is the division of Integers"),
        ))
    }

    /// The value of a parameter, and its binding. Fields of the record that a call gives are found by one evaluation of the call. A
    /// function may leave fields without a value, for such records are passed on whole; if anything uses them, that is an error.
    pub(super) fn value_of_binding(&mut self, leaf: &Leaf<'a>, binding: Expr) -> Checked<(Option<Value>, Expr)> {
        if let ExprKind::Field(call, field) = &binding.kind
            && let ExprKind::Call(function, arguments) = &call.kind
            && binding.ty.is_scalar()
        {
            let key = (call.span, *function);
            if self.given_records.get(&key).is_none_or(|(known, _)| known != arguments) {
                self.translate_pending_functions();
                if let Ok(Value::Record(_, fields)) = Evaluator::new(&self.model, &self.complete, &self.files).partly(call) {
                    self.given_records.insert(key, (arguments.clone(), fields));
                }
            }
            if let Some((known, fields)) = self.given_records.get(&key)
                && known == arguments
                && let Some(value) = fields.get(*field)
            {
                if !is_undefined(value) {
                    return Ok((Some(value.clone()), binding));
                }
                // A field that the text asks for by name, not one of a record that is passed on whole.
                if binding.span != call.span {
                    return Err(self.unassigned_error(leaf.var, binding.span));
                }
                self.unassigned.push(leaf.var);
                let zero = zero(binding.ty.scalar, binding.span);
                return Ok((self.default_value(&zero)?, zero));
            }
        }
        Ok((self.default_value(&binding)?, binding))
    }

    fn unassigned_error(&mut self, var: VarId, span: Span) -> Reported {
        let title = format!("the function that gives `{}` does not assign it", self.model.vars[var].name);
        self.error(Diagnostic::error("F019", title).at(span, "has no value"))
    }

    /// Parameters that a function does not say the value of: nothing may use them.
    pub(super) fn report_unassigned(&mut self) {
        let vars = std::mem::take(&mut self.unassigned);
        let (used, unused): (Vec<VarId>, Vec<VarId>) = vars.into_iter().partition(|var| self.used.contains(*var));
        for var in used {
            let _ = self.unassigned_error(var, self.model.vars[var].span);
        }
        let Some(first) = unused.first() else { return };
        let names: Vec<String> = unused.iter().map(|var| self.model.vars[*var].name.clone()).collect();
        let title = match names.as_slice() {
            [one] => format!("the function that gives `{one}` does not assign it; results show zero, nothing uses it"),
            _ => format!("functions that give {} parameters do not assign them; results show zero, nothing uses them", names.len()),
        };
        let mut warning = Diagnostic::warning("F042", title).at(self.model.vars[*first].span, "");
        if names.len() > 1 {
            warning = warning.with_note(list(&names));
        }
        self.warn(warning);
    }

    /// The derivative of a parameter is zero: Modelica says so, but hardly anybody means it.
    pub(super) fn warn_of_zero_derivative(&mut self, value: &Expr, span: Span) {
        let ExprKind::Var(id) = value.kind else { return };
        let variable = &self.model.vars[id];
        let kind = match variable.variability {
            Variability::Constant => "constant",
            Variability::Parameter => "parameter",
            _ => return,
        };
        let (name, declared) = (variable.name.clone(), variable.span);
        let warning = Diagnostic::warning("F038", format!("`{name}` is a {kind}: its derivative is zero"));
        let warning = warning.at(span, "zero").at(declared, format!("declared as a {kind} here"));
        self.warn(warning.with_hint("declare it without `parameter` or `constant` if it is to vary"));
    }

    /// All branches of a `when` assign the same variables. One that is left out keeps its value: that may be meant, but is not Modelica.
    pub(super) fn compare_branches(&mut self, branches: &[(Expr, Vec<Equation>)]) {
        let mut sets = branches.iter().map(|(_, body)| {
            let mut found = BTreeSet::new();
            assigned(body, &mut found).map(|()| found)
        });
        let Some(Some(first)) = sets.next() else { return };
        for (other, (condition, _)) in sets.zip(&branches[1..]) {
            let Some(other) = other else { continue };
            let Some(id) = first.symmetric_difference(&other).next() else { continue };
            let name = self.model.vars[*id].name.clone();
            let (has, lacks) = if first.contains(id) { (&branches[0].0, condition) } else { (condition, &branches[0].0) };
            let warning = Diagnostic::warning("F032", format!("the branches of this `when` do not assign the same variables: `{name}`"))
                .at(lacks.span, "is left as it is in this branch")
                .at(has.span, "is assigned in this one")
                .with_hint(format!("`{name} = pre({name})` says the same in Modelica"));
            self.warn(warning);
            return;
        }
    }
}
