//! Equations of connection sets: potentials are equal, flows add up to zero, flows without connection are zero.

use super::ids::{Checked, InstId, VariableId};
use super::references::reference_to;
use super::tree::{Instantiation, is_connector};
use crate::frontend::connect::{ConnectorSide, End, Kind, Set};
use partita_grammar::Span;
use partita_grammar::ast::{BinaryOp, Equation, EquationKind, Expr, ExprKind, Subscript, UnaryOp};
use std::fmt::Write;

impl<'s> Instantiation<'s> {
    /// Adds the equations of all connections.
    pub(super) fn connection_equations(&mut self) -> Checked<()> {
        for set in self.connections.sets() {
            if self.is_of_buses(&set) {
                continue;
            }
            match set.kind {
                Kind::Flow => {
                    let sum = self.sum(&set)?;
                    self.out.equations.push(equal(sum, zero(set.span), set.span));
                    continue;
                }
                Kind::Stream => {
                    self.outside_streams(&set)?;
                    continue;
                }
                Kind::Potential => {}
            }
            let Some((first, others)) = set.ends.split_first() else { continue };
            for other in others {
                let (a, b) = (self.end_reference(first, set.span)?, self.end_reference(other, set.span)?);
                self.out.equations.push(equal(a, b, set.span));
            }
        }
        for inst in self.out.insts.clone() {
            if is_connector(self.insts[inst].kind) && !self.is_inside_connector(inst) {
                self.open_flows(inst)?;
            }
        }
        Ok(())
    }

    fn is_inside_connector(&self, inst: InstId) -> bool {
        self.insts[inst].parent.is_some_and(|parent| is_connector(self.insts[parent].kind))
    }

    /// Flows of a connector that nothing is connected to from outside of its component.
    fn open_flows(&mut self, inst: InstId) -> Checked<()> {
        for (_, variable) in self.leaves(inst)? {
            if !self.variables[variable].prefixes.flow || self.is_unused(variable) {
                continue;
            }
            let n = self.known_dims(variable)?.iter().product::<usize>();
            let member = self.variables[variable].member;
            let scope = self.member_scope(member);
            let span = self.place(self.members[member].component.span, scope);
            for element in 0..n {
                let end = End { variable: variable.0, element, side: ConnectorSide::Inside };
                if !self.connections.contains(&end) {
                    let flow = self.end_reference(&end, span)?;
                    self.out.equations.push(equal(flow, zero(span), span));
                }
            }
        }
        Ok(())
    }

    pub(super) fn end_reference(&mut self, end: &End, span: Span) -> Checked<Expr> {
        let variable = VariableId(end.variable);
        let dims = self.known_dims(variable)?;
        let at = position(&dims, end.element);
        let index = |i: &usize| Subscript::Index(Expr { kind: ExprKind::Integer(*i as i64), span });
        Ok(reference_to(&self.variables[variable].name.clone(), at.iter().map(index).collect(), span))
    }

    fn sum(&mut self, set: &Set) -> Checked<Expr> {
        let span = set.span;
        let mut terms = Vec::new();
        for end in &set.ends {
            let op = if end.side == ConnectorSide::Inside { BinaryOp::Add } else { BinaryOp::Subtract };
            terms.push((op, self.end_reference(end, span)?));
        }
        let mut terms = terms.into_iter();
        let Some((op, first)) = terms.next() else { return Ok(zero(span)) };
        let first = match op {
            BinaryOp::Subtract => Expr { kind: ExprKind::Unary(UnaryOp::Minus, Box::new(first)), span },
            _ => first,
        };
        let rest: Vec<(BinaryOp, Expr)> = terms.collect();
        Ok(if rest.is_empty() { first } else { Expr { kind: ExprKind::Chain(Box::new(first), rest), span } })
    }

    /// The text of `dump --pass connections`.
    pub(super) fn print_connections(&mut self) -> String {
        let mut out = String::new();
        for set in self.connections.sets() {
            let names = set.ends.iter().map(|end| {
                let variable = &self.variables[VariableId(end.variable)];
                let dims: Vec<usize> = variable.dims.iter().copied().map(Option::unwrap_or_default).collect();
                let at: Vec<String> = position(&dims, end.element).iter().map(usize::to_string).collect();
                let at = if at.is_empty() { String::new() } else { format!("[{}]", at.join(",")) };
                format!("{}{}{at}", if end.side == ConnectorSide::Outside { "-" } else { "" }, variable.name)
            });
            let names: Vec<String> = names.collect();
            let _ = writeln!(
                out,
                "{}: {}",
                match set.kind {
                    Kind::Flow => "flow",
                    Kind::Stream => "stream",
                    Kind::Potential => "potential",
                },
                names.join(", ")
            );
        }
        out
    }
}

/// The subscripts of an element, counted row by row.
fn position(dims: &[usize], element: usize) -> Vec<usize> {
    let mut rest = element;
    let mut at: Vec<usize> = dims
        .iter()
        .rev()
        .map(|size| {
            let index = rest % size.max(&1) + 1;
            rest /= size.max(&1);
            index
        })
        .collect();
    at.reverse();
    at
}

pub(super) fn zero(span: Span) -> Expr {
    Expr { kind: ExprKind::Real(0.0), span }
}

pub(super) fn equal(a: Expr, b: Expr, span: Span) -> Equation {
    Equation { kind: EquationKind::Equal(a, b), description: None, annotation: None, span }
}
