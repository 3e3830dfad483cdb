//! Relations as the run needs them: how events evaluate them, when they change, and what crosses zero there.
//!
//! Input: the relations of the system, with the times at which they change where those follow from their sides. Output: values of relations
//! in the kernels of events; crossing functions, thresholds and live values as vectors. Cost: linear.

use super::{Builder, Use, label};
use crate::base::ids::ExprId;
use crate::equations::dae::text::expression_text;
use crate::equations::dae::{Schedule, System};
use crate::equations::expr::Node;
use crate::program::code::Val;
use crate::program::emit::Emitter;
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::plan::{Relation, RelationKind, Sides, Slot};

/// How a relation is evaluated at an event.
#[derive(Copy, Clone)]
pub(super) enum Live {
    /// It keeps its value as long as its sides differ by no more than the value of this slot.
    Rests(Slot),
    /// It compares the time of the event with the time at which its sides are equal.
    Scheduled(Schedule),
}

impl Builder {
    /// How the relations are evaluated at events, with the slots that this needs.
    pub(super) fn live_relations(&mut self, sys: &System) -> Vec<Live> {
        self.program.plan.events.event_time = sys.flags.event_time.map(|var| self.layout.slot(var));
        // Halves of an equality are compared as they are.
        let schedule = |relation: &crate::equations::dae::Relation| relation.schedule.filter(|_| relation.partner.is_none());
        let evaluation =
            |relation: &crate::equations::dae::Relation| schedule(relation).map_or_else(|| Live::Rests(self.new_slot()), Live::Scheduled);
        sys.relations.iter().map(evaluation).collect()
    }

    /// The value of a relation at an event.
    pub(super) fn live_relation(
        &self,
        emitter: &mut Emitter<'_>,
        relation: &crate::equations::dae::Relation,
        live: Live,
        slot: Slot,
    ) -> Val {
        let op = relation.op;
        match (live, self.program.plan.events.event_time) {
            (Live::Scheduled(Schedule { at, slope }), Some(time)) => {
                let (time, slope, at) = (emitter.load(time), emitter.value(slope), emitter.value(at));
                match emitter.as_constant(slope) {
                    Some(slope) => emitter.binary(if slope > 0.0 { op } else { mirrored(op) }, time, at),
                    None => {
                        let (zero, stands) = (emitter.constant(0.0), self.plain_relation(emitter, relation));
                        let (grows, falls) = (emitter.binary(Op2::Gt, slope, zero), emitter.binary(Op2::Lt, slope, zero));
                        let (rising, falling) = (emitter.binary(op, time, at), emitter.binary(mirrored(op), time, at));
                        let otherwise = emitter.select(falls, falling, stands);
                        emitter.select(grows, rising, otherwise)
                    }
                }
            }
            (Live::Scheduled(_), None) => self.plain_relation(emitter, relation),
            (Live::Rests(rest), _) => {
                let (lhs, rhs) = (emitter.value(relation.lhs), emitter.value(relation.rhs));
                // Exact equality is meant; a small difference need not be.
                let difference = emitter.binary(Op2::Sub, lhs, rhs);
                let distance = emitter.unary(Op1::Abs, difference);
                let (limit, zero) = (emitter.load(rest), emitter.constant(0.0));
                let (is_small, differs) = (emitter.binary(Op2::Le, distance, limit), emitter.binary(Op2::Gt, distance, zero));
                emitter.note_internal(is_small);
                emitter.note_internal(differs);
                let rests = emitter.binary(Op2::And, is_small, differs);
                let (before, now) = (emitter.load(slot), emitter.binary(op, lhs, rhs));
                emitter.select(rests, before, now)
            }
        }
    }

    fn plain_relation(&self, emitter: &mut Emitter<'_>, relation: &crate::equations::dae::Relation) -> Val {
        let (lhs, rhs) = (emitter.value(relation.lhs), emitter.value(relation.rhs));
        emitter.binary(relation.op, lhs, rhs)
    }

    /// Crossing functions and time thresholds.
    pub(super) fn relations(&mut self, sys: &mut System, live: &[Live]) {
        let mut crossings = Vec::new();
        let mut sizes = Vec::new();
        let mut thresholds = Vec::new();
        for (relation, live) in sys.relations.clone().iter().zip(live) {
            let text =
                format!("{} {} {}", expression_text(sys, relation.lhs), relation.op.relation_sign(), expression_text(sys, relation.rhs));
            let rest = match live {
                Live::Rests(rest) => Some(*rest),
                Live::Scheduled(_) => None,
            };
            // No distance is below this one.
            self.program.plan.memory.initial_memory.extend(rest.map(|rest| (rest, -1.0)));
            let kind = match (relation.schedule, relation.partner) {
                (Some(_), None) => RelationKind::Time,
                (Some(_), Some(_)) => RelationKind::Both,
                (None, _) => RelationKind::State,
            };
            thresholds.extend(relation.schedule.map(|schedule| schedule.at));
            if kind != RelationKind::Time {
                crossings.push(crossing(sys, relation));
                let (lhs, rhs) = (sys.arena.unary(Op1::Abs, relation.lhs), sys.arena.unary(Op1::Abs, relation.rhs));
                sizes.push(sys.arena.binary(Op2::Max, lhs, rhs));
            }
            let label = label(text, relation.span);
            let partner = relation.partner.and_then(|partner| self.relation_of[partner]);
            let (slot, sides) = (self.layout.slot(relation.var), sides(sys, relation));
            self.program.plan.events.relations.push(Relation { slot, kind, hysteresis: rest, partner, sides, label });
        }
        self.between_events = true;
        self.program.plan.crossing.crossings = self.vector(sys, &crossings);
        self.program.plan.crossing.crossing_sites = self.take_sites();
        let live: Vec<ExprId> = sys.relations.clone().iter().map(|r| sys.arena.intern(Node::Binary(r.op, r.lhs, r.rhs))).collect();
        self.program.plan.crossing.relation_values = self.vector_used(sys, &live, Use::Once);
        self.program.plan.crossing.relation_sites = self.take_sites();
        // What these two meet, the others meet too.
        self.sites = None;
        self.program.plan.crossing.crossing_sizes = self.vector(sys, &sizes);
        self.program.plan.crossing.thresholds = self.vector(sys, &thresholds);
    }
}

/// What a relation compares; expressions are interned, so that equal ones have one id.
fn sides(sys: &System, relation: &crate::equations::dae::Relation) -> Sides {
    let (lhs, rhs) = (relation.lhs.as_u32(), relation.rhs.as_u32());
    let of_time = [relation.lhs, relation.rhs].iter().any(|side| sys.arena.node(*side) == Node::Var(sys.time()));
    Sides { expressions: (lhs.min(rhs), lhs.max(rhs)), of_time }
}

/// The relation with its sides exchanged.
fn mirrored(op: Op2) -> Op2 {
    match op {
        Op2::Lt => Op2::Gt,
        Op2::Le => Op2::Ge,
        Op2::Gt => Op2::Lt,
        Op2::Ge => Op2::Le,
        other => other,
    }
}

/// A function that is positive exactly where the relation is true. At equality it is the smallest positive number or zero,
/// so that leaving the equality on the other side is seen as a change of sign.
fn crossing(sys: &mut System, relation: &crate::equations::dae::Relation) -> ExprId {
    let (lhs, rhs) = (relation.lhs, relation.rhs);
    let arena = &mut sys.arena;
    let difference = match relation.op {
        Op2::Lt | Op2::Le => arena.sub(rhs, lhs),
        _ => arena.sub(lhs, rhs),
    };
    match relation.op {
        // Half of an equality is zero there.
        Op2::Le | Op2::Ge if relation.partner.is_some() => difference,
        Op2::Le | Op2::Ge => {
            let smallest = arena.constant(f64::MIN_POSITIVE);
            let equal = arena.intern(Node::Binary(Op2::Eq, lhs, rhs));
            arena.intern(Node::Select(equal, smallest, difference))
        }
        Op2::Eq => {
            // True only where the difference vanishes.
            let size = arena.unary(Op1::Abs, difference);
            let smallest = arena.constant(f64::MIN_POSITIVE);
            arena.sub(smallest, size)
        }
        Op2::Ne => arena.unary(Op1::Abs, difference),
        _ => difference,
    }
}
