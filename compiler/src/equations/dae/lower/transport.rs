//! `spatialDistribution`: something moves along a line and leaves it at an end.
//!
//! Input: the arguments of a call. Output: its two outputs, and an entry of `System::transports`.
//! Method: the values at the ends of the line come from the run-time library, which follows what entered before. Where the
//! line moves to the right, its left end has the value that enters there, and its right end that of the library; else the other
//! way round. The way must be a state, since the library needs it before anything else is computed.

use super::value::Val;
use super::{Lowerer, Lowering, Scope, unsupported};
use crate::equations::dae::{Role, Transport};
use crate::equations::expr::Node;
use crate::frontend::flat::{self, StateSelect};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::model::plan::SlotType;

impl Lowerer<'_> {
    /// The outputs of `spatialDistribution(in0, in1, x, positiveVelocity, initialPoints, initialValues)`.
    pub(super) fn transport(&mut self, scope: &mut Scope, args: &[flat::Expr], span: Span) -> Lowering<Vec<Val>> {
        let [in0, in1, way, forward, rest @ ..] = args else { return Err(unsupported("this call of spatialDistribution", span)) };
        let entered = [self.scalar(scope, in0)?, self.scalar(scope, in1)?];
        let way = self.scalar(scope, way)?;
        let forward = self.scalar(scope, forward)?;
        let mut initial = [vec![0.0, 1.0], vec![0.0, 0.0]];
        for (list, expr) in initial.iter_mut().zip(rest) {
            let value = self.expr(scope, expr)?;
            let numbers = value.to_scalars().into_iter().map(|e| self.sys.decided_value(e)).collect::<Option<Vec<f64>>>();
            *list = numbers.ok_or_else(|| {
                Diagnostic::error("D004", "the start of a line is known only at run time").at(expr.span, "these are no constants")
            })?;
        }
        let [places, values] = initial;
        let is_line = places.len() == values.len() && places.first() == Some(&0.0) && places.last() == Some(&1.0) && places.is_sorted();
        if !is_line {
            return Err(Diagnostic::error("D002", "the places at the start of a line go from 0 to 1, and each has a value")
                .at(span, "in this call"));
        }
        let way = match self.sys.arena.node(way) {
            Node::Var(var) if self.sys.is_continuous(var) => var,
            _ => return Err(no_state(span)),
        };
        self.sys.vars[way].state_select = StateSelect::Always;
        let enter = entered.map(|e| self.read_by_run_time(e, "entered", span));
        let leave = [
            self.auxiliary_variable("left", SlotType::Real, Role::External, span),
            self.auxiliary_variable("right", SlotType::Real, Role::External, span),
        ];
        self.sys.transports.push(Transport { way, enter, leave, places, values, span });
        let [left, right] = leave.map(|var| self.sys.arena.var(var));
        let outputs = [(entered[0], left), (right, entered[1])];
        Ok(outputs.map(|(moving_right, moving_left)| Val::Scalar(self.sys.arena.select(forward, moving_right, moving_left))).to_vec())
    }

    /// The way of a line must be a state.
    pub(super) fn check_transports(&mut self) {
        let wrong: Vec<Span> = self.sys.transports.iter().filter(|t| self.sys.vars[t.way].derivative.is_none()).map(|t| t.span).collect();
        wrong.into_iter().for_each(|span| self.fail(no_state(span)));
    }
}

fn no_state(span: Span) -> Diagnostic {
    unsupported("a spatialDistribution whose third argument is not a state", span)
        .with_hint("make it a variable `x` with `der(x) = velocity`")
}
