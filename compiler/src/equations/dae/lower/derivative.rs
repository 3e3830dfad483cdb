//! What `der(...)` means.
//!
//! Input: the argument of `der`, scalar by scalar. Output: a derivative variable, or the time derivative of an expression; zero for what
//! is known before the run. What jumps at events has no derivative and is refused (D012); conditions of `if` may depend on it.
//! Cost: linear in the size of the expression.

use super::{Lowerer, Lowering};
use crate::base::ids::{ExprId, VarId};
use crate::equations::dae::Role;
use crate::equations::expr::Node;
use partita_grammar::{Diagnostic, Span};
use rustc_hash::FxHashSet;

impl Lowerer<'_> {
    /// The time derivative of a scalar.
    pub(super) fn derivative(&mut self, expr: ExprId, span: Span) -> Lowering<ExprId> {
        if let Node::Var(v) = self.sys.arena.node(expr)
            && self.sys.is_continuous(v)
        {
            let der = self.sys.derivative_of(v);
            return Ok(self.sys.arena.var(der));
        }
        if let Some(var) = self.jumping_value(expr) {
            return Err(self.jumps(var, span));
        }
        crate::equations::dae::time_derivative::time_derivative(&mut self.sys, expr)
            .map_err(|what| Diagnostic::error("D001", format!("the derivative of {what} cannot be formed")).at(span, "needed here"))
    }

    /// A variable that changes at events only and whose value, not only its truth in a condition, goes into an expression.
    fn jumping_value(&self, expr: ExprId) -> Option<VarId> {
        let (mut open, mut seen) = (vec![expr], FxHashSet::default());
        while let Some(expr) = open.pop() {
            if !seen.insert(expr) {
                continue;
            }
            match self.sys.arena.node(expr) {
                Node::Var(var) if matches!(self.sys.vars[var].role, Role::Discrete | Role::Relation | Role::Pre(_)) => return Some(var),
                Node::Select(_, a, b) => open.extend([b, a]),
                _ => open.extend(self.sys.arena.operands(expr)),
            }
        }
        None
    }

    fn jumps(&self, var: VarId, span: Span) -> Diagnostic {
        let variable = &self.sys.vars[var];
        let error = Diagnostic::error("D012", "`der` of what changes at events only");
        let error = match variable.hidden && !matches!(variable.role, Role::Pre(_)) {
            true => error.at(span, "jumps at events").at(variable.span, "this value"),
            false => error.at(span, format!("{} is discrete", variable.name)),
        };
        error.with_hint("a discrete variable is constant between events and jumps at them; it has no derivative")
    }
}
