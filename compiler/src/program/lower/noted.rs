//! Kernels with the sites at which they meet values that may be not a number, in the words of the model; and what conditions of
//! assertions depend on.
//!
//! Input: an emitter that has seen all statements of a kernel. Output: the kernel; its sites go to the schedule being lowered.
//! Which slots hold numbers for sure depends on when the kernel runs: states always, as integration checks them, parameters once the
//! start is found, discrete values between events. Cost: linear in the code; a text per site.

use super::{Builder, Use, label};
use crate::base::ids::{ExprId, VarId};
use crate::equations::dae::text::expression_text;
use crate::equations::dae::{Role, System};
use crate::equations::expr::Node;
use crate::equations::expr::subst::variables;
use crate::program::emit::Emitter;
use crate::program::sites::{Found, Slots};
use cranelift_entity::EntityRef;
use partita_grammar::Span;
use partita_runtime::base::math::Op2;
use partita_runtime::model::plan::{KernelId, Label, Site, Slot, SlotType};
use rustc_hash::{FxHashMap, FxHashSet};

impl Builder {
    /// The sites so far, for the schedule they belong to.
    pub(super) fn take_sites(&mut self) -> Vec<Site> {
        self.sites.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// A kernel, with sites if they are wanted.
    pub(super) fn noted(&mut self, sys: &System, emitter: Emitter<'_>, how: Use) -> KernelId {
        if self.sites.is_none() {
            return self.kernel(emitter.finish(), how);
        }
        let mut next = self.next_slot;
        let mut new_slot = || {
            next += 1;
            Slot::new(next - 1)
        };
        let slots = Slots { is_number: &|slot| self.is_number(sys, slot), is_optional: &|slot| self.optional.contains(&slot) };
        let (noted, meaning) = emitter.finish_noted(&slots, &mut new_slot);
        self.next_slot = next;
        let Some(exact) = noted.exact else { return self.kernel(noted.code, how) };
        // What runs once, or not on the memory alone, runs exactly at once.
        let is_apart = how != Use::Once && exact.extent().n_out == 0;
        let exact = self.kernel(exact, if is_apart { Use::Once } else { how });
        let kernel = if is_apart { self.kernel(noted.code, how) } else { exact };
        for found in &noted.found {
            let label = self.site_label(sys, found, meaning.get(&found.by).copied());
            let seen = if is_apart { found.seen } else { found.slot };
            let site = Site { seen, slot: found.slot, exact: is_apart.then_some(exact), label, subscript: found.subscript };
            self.sites.iter_mut().for_each(|sites| sites.push(site.clone()));
        }
        kernel
    }

    /// Remembers which parts of a block's equations, computed before it, only a branch of them needs.
    pub(super) fn note_optional(&mut self, sys: &System, roots: &[ExprId], parts: &[(Slot, ExprId)]) {
        let needed = needed_always(sys, roots);
        self.optional.extend(parts.iter().filter(|(_, part)| !needed.contains(part)).map(|(slot, _)| *slot));
    }

    /// Whether a slot holds a number wherever the kernel being lowered runs.
    fn is_number(&self, sys: &System, slot: Slot) -> bool {
        let Some(var) = self.layout.var(slot) else { return false };
        let variable = &sys.vars[var];
        match variable.role {
            Role::Time | Role::Relation | Role::Pre(_) | Role::Input => true,
            Role::Parameter | Role::FreeParameter => self.has_started,
            Role::Discrete => self.between_events,
            Role::Continuous => self.is_state.contains(var) || variable.ty != SlotType::Real,
            Role::External => variable.ty != SlotType::Real || Some(var) == sys.flags.event_time,
        }
    }

    fn site_label(&self, sys: &System, found: &Found, expr: Option<ExprId>) -> Label {
        let relation = found.stored.and_then(|slot| self.layout.var(slot)).and_then(|var| self.relation_of[var]);
        let own = found.stored.and_then(|slot| self.program.span_of[slot]).unwrap_or_default();
        match (expr, relation) {
            (Some(expr), _) => self.expression_label(sys, found, expr, own),
            (None, Some(relation)) => {
                let relation = &sys.relations[relation.index()];
                let text = format!(
                    "{} {} {}",
                    expression_text(sys, relation.lhs),
                    relation.op.relation_sign(),
                    expression_text(sys, relation.rhs)
                );
                label(format!("the relation {text} compares a value that is not a number"), relation.span)
            }
            (None, None) => label("a value that something is decided by is not a number".to_string(), own),
        }
    }

    fn expression_label(&self, sys: &System, found: &Found, expr: ExprId, own: Span) -> Label {
        let span = sys.arena.place(expr).map_or(own, |(start, end)| Span { start, end });
        let text = match sys.arena.node(expr) {
            Node::Binary(op, ..) if op.is_relation() => {
                format!("the relation {} compares a value that is not a number", expression_text(sys, expr))
            }
            Node::Binary(..) => format!("an argument of {} is not a number", expression_text(sys, expr)),
            Node::Select(condition, ..) if found.subscript.is_some() => expression_text(sys, subscript_in(sys, condition)),
            _ => "a value that nobody assigned, or that lies outside its array, is needed here".to_string(),
        };
        label(text, span)
    }
}

/// The expressions that the roots need whatever their conditions say.
fn needed_always(sys: &System, roots: &[ExprId]) -> FxHashSet<ExprId> {
    let mut needed = FxHashSet::default();
    let mut stack = roots.to_vec();
    while let Some(top) = stack.pop() {
        if !needed.insert(top) {
            continue;
        }
        match sys.arena.node(top) {
            Node::Select(condition, ..) => stack.push(condition),
            Node::Binary(Op2::And | Op2::Or, ..) => {}
            _ => stack.extend(sys.arena.operands(top)),
        }
    }
    needed
}

/// The subscript that a condition compares with positions of an array.
fn subscript_in(sys: &System, condition: ExprId) -> ExprId {
    let is_outside = |part: &ExprId| matches!(sys.arena.node(*part), Node::Binary(Op2::Or, ..));
    match sys.arena.node(condition) {
        Node::Binary(Op2::Eq | Op2::Lt | Op2::Gt, a, b) => {
            if sys.arena.as_constant(a).is_some() {
                b
            } else {
                a
            }
        }
        Node::Binary(Op2::Or, a, _) => subscript_in(sys, a),
        Node::Binary(Op2::And, a, b) => [a, b].into_iter().find(is_outside).map_or(condition, |part| subscript_in(sys, part)),
        _ => condition,
    }
}

/// How many values of a condition a message shows.
const MOST_SHOWN: usize = 5;

/// The variables that the conditions of assertions depend on, by trigger; the first few that have names of the model.
pub(super) fn condition_variables(sys: &System) -> FxHashMap<VarId, Vec<VarId>> {
    let triggers: FxHashSet<VarId> = sys.actions.iter().map(|action| action.trigger).collect();
    let mut found = FxHashMap::default();
    for equation in sys.eqs.values() {
        if let Node::Var(var) = sys.arena.node(equation.lhs)
            && triggers.contains(&var)
        {
            let mut shown = variables(&sys.arena, equation.rhs);
            shown.retain(|var| !sys.vars[*var].hidden && !matches!(sys.vars[*var].role, Role::Time | Role::Pre(_)));
            shown.truncate(MOST_SHOWN);
            found.insert(var, shown);
        }
    }
    found
}
