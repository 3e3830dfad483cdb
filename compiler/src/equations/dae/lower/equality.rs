//! `==` and `<>` of Reals.
//!
//! Input: two operands. Output: a plain comparison, to the last bit, where both change at events only or no events are made; else
//! `a >= b and a <= b`, two relations that know each other: the run finds where they become equal, holds the equality true for that
//! instant, and finds where they part again. `a <> b` is `not (a == b)`.
//! Modelica allows neither operator outside of functions, so that both are told (D014, a warning).

use super::{Lowerer, Lowering, Scope};
use crate::base::ids::{ExprId, VarId};
use crate::equations::dae::{Relation, Role};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::base::math::Op2;
use partita_runtime::model::plan::SlotType;

impl Lowerer<'_> {
    /// Whether two Reals are equal (`Eq`) or differ (`Ne`).
    pub(super) fn equality(&mut self, scope: &Scope, op: Op2, a: ExprId, b: ExprId, span: Span) -> Lowering<ExprId> {
        let plain = self.sys.arena.binary(op, a, b);
        self.sys.arena.set_span(plain, (span.start, span.end));
        if self.sys.arena.as_constant(plain).is_some() {
            return Ok(plain);
        }
        let is_continuous = self.is_continuous_expr(a) || self.is_continuous_expr(b);
        if scope.function.is_none() {
            self.warn_of_equality(is_continuous, span);
        }
        if scope.no_event || !is_continuous {
            return Ok(plain);
        }
        let (a, b) = self.guarded_sides(scope, Op2::Eq, a, b);
        let (at_least, at_most) = self.halves(a, b, span);
        let (at_least, at_most) = (self.sys.arena.var(at_least), self.sys.arena.var(at_most));
        let equal = self.sys.arena.and(at_least, at_most);
        Ok(if op == Op2::Eq { equal } else { self.sys.arena.not(equal) })
    }

    /// The relations `a >= b` and `a <= b` of an equality. Equal operators elsewhere are relations of their own, which keep to one side.
    fn halves(&mut self, a: ExprId, b: ExprId, span: Span) -> (VarId, VarId) {
        if let (Some(at_least), Some(at_most)) = (self.memo.relation_of.get(&(Op2::Eq, a, b)), self.memo.relation_of.get(&(Op2::Ne, a, b)))
        {
            return (*at_least, *at_most);
        }
        let at_least = self.auxiliary_variable("relation", SlotType::Boolean, Role::Relation, span);
        let at_most = self.auxiliary_variable("relation", SlotType::Boolean, Role::Relation, span);
        self.sys.relations.push(Relation { var: at_least, op: Op2::Ge, lhs: a, rhs: b, schedule: None, partner: Some(at_most), span });
        self.sys.relations.push(Relation { var: at_most, op: Op2::Le, lhs: a, rhs: b, schedule: None, partner: Some(at_least), span });
        self.memo.relation_of.insert((Op2::Eq, a, b), at_least);
        self.memo.relation_of.insert((Op2::Ne, a, b), at_most);
        (at_least, at_most)
    }

    fn warn_of_equality(&mut self, is_continuous: bool, span: Span) {
        let (what, hint) = match is_continuous {
            true => ("Reals that change continuously are equal at instants only", "compare with `>=` or `<=`, or `abs(a - b) < eps`"),
            false => ("Reals are compared to the last bit", "values that are computed differ by rounding; compare with `abs(a - b) < eps`"),
        };
        self.warn_once(Diagnostic::warning("D014", what).at(span, "Modelica allows this inside of functions only").with_hint(hint));
    }
}
