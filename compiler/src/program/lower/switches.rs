//! Functions whose signs choose between branches of the derivatives without events: arguments of `sign`, and differences of the sides of
//! relations in `noEvent`.
//!
//! Input: the sorted equations between events. Output: `Plan::switches` and the kernel that computes them, for runs that stand still
//! because they slide along one. Only the first `MOST_SWITCHES` are kept: they serve for messages and for motion along them.
//! Cost: linear in the size of the expressions.

use super::{Builder, Use, label};
use crate::base::ids::ExprId;
use crate::equations::dae::System;
use crate::equations::dae::text::expression_text;
use crate::equations::expr::Node;
use crate::program::emit::Emitter;
use crate::program::needs::Level;
use crate::sorting::sorted::Sorting;
use crate::sorting::tearing::{Assignment, TornStep};
use partita_grammar::Span;
use partita_runtime::base::math::{Op1, Op2};
use rustc_hash::FxHashSet;

/// Switches beyond this number are left out.
const MOST_SWITCHES: usize = 200;

/// A switch: the sides whose difference it is, its text and the equation it is in.
struct Switch {
    lhs: ExprId,
    rhs: Option<ExprId>,
    text: String,
    span: Span,
}

/// The assignments that derivatives need.
fn of_derivatives<'a>(sorting: &'a Sorting, level: &'a [Level]) -> impl Iterator<Item = &'a Assignment> {
    let steps = sorting.simulation.torn.steps.iter().zip(level).filter(|(_, level)| **level == Level::Derivatives);
    steps.flat_map(|(step, _)| match step {
        TornStep::Assign(assignment) => std::slice::from_ref(assignment).iter().chain(&[]),
        TornStep::Solve(block) => block.iteration.iter().chain(&block.inner),
    })
}

/// The switches of all expressions, each once.
fn find(sys: &System, sorting: &Sorting, level: &[Level]) -> Vec<Switch> {
    let mut found: Vec<Switch> = Vec::new();
    let mut seen: FxHashSet<ExprId> = FxHashSet::default();
    let mut open: Vec<ExprId> = Vec::new();
    for assignment in of_derivatives(sorting, level) {
        if seen.insert(assignment.value) {
            open.push(assignment.value);
        }
        while let Some(expr) = open.pop() {
            if found.len() == MOST_SWITCHES {
                return found;
            }
            match sys.arena.node(expr) {
                Node::Unary(Op1::Sign, of) => {
                    found.push(Switch { lhs: of, rhs: None, text: format!("sign({})", expression_text(sys, of)), span: assignment.span });
                }
                Node::Binary(op @ (Op2::Lt | Op2::Le | Op2::Gt | Op2::Ge), lhs, rhs) => {
                    let text = format!("{} {} {}", expression_text(sys, lhs), op.relation_sign(), expression_text(sys, rhs));
                    found.push(Switch { lhs, rhs: Some(rhs), text, span: assignment.span });
                }
                _ => {}
            }
            open.extend(sys.arena.operands(expr).filter(|operand| seen.insert(*operand)));
        }
    }
    found
}

impl Builder {
    /// The switches that derivatives depend on.
    pub(super) fn switches(&mut self, sys: &System, sorting: &Sorting, level: &[Level]) {
        let switches = find(sys, sorting, level);
        if switches.is_empty() {
            return;
        }
        let layout = self.layout.clone();
        let slot_of = |var| layout.slot(var);
        let mut emitter = Emitter::new(&sys.arena, &slot_of);
        for (i, switch) in switches.iter().enumerate() {
            let lhs = emitter.value(switch.lhs);
            let value = match switch.rhs {
                Some(rhs) => {
                    let rhs = emitter.value(rhs);
                    emitter.binary(Op2::Sub, lhs, rhs)
                }
                None => lhs,
            };
            emitter.store_out_value(i as u32, value);
        }
        let code = emitter.finish();
        self.program.plan.crossing.switch_values = Some(self.kernel(code, Use::Once));
        self.program.plan.crossing.switches = switches.into_iter().map(|switch| label(switch.text, switch.span)).collect();
    }
}
