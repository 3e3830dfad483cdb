//! Guards calls that only one branch of an `if` needs.
//!
//! Input: straight-line code, in which both branches of a `Select` are computed. Output: the same code where every call that
//! is needed only under conditions is a `GuardedCall`, so that `if x > 0 then f(x) else 0` does not call `f` for a negative `x`:
//! `f` may fail there or be costly.
//!
//! Method: backwards over the code, each value's demand is a node in a tree of conditions (root: always); two demands meet in
//! their lowest common ancestor, which errs only towards calling.
//! Guarantees: every value that is selected is the same as before. Code without such calls is returned unchanged.
//! Cost: linear in the code, times the depth of nested conditions.

use super::code::{Code, Instr, Val};
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};
use partita_runtime::base::math::{Op1, Op2};
use rustc_hash::FxHashMap;

/// A conjunction of conditions: a node of the tree.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Demand(u32);
entity_impl!(Demand, "demand");

#[derive(Copy, Clone)]
struct DemandNode {
    /// What must hold besides; `None` for the root.
    under: Option<(Demand, Val, bool)>,
    depth: u32,
}

struct Demands {
    nodes: PrimaryMap<Demand, DemandNode>,
    known: FxHashMap<(Demand, Val, bool), Demand>,
    of: SecondaryMap<Val, Option<Demand>>,
}

impl Demands {
    fn parent(&self, demand: Demand) -> Demand {
        self.nodes[demand].under.map_or(demand, |(parent, _, _)| parent)
    }

    fn child(&mut self, parent: Demand, condition: Val, holds: bool) -> Demand {
        let depth = self.nodes[parent].depth + 1;
        let nodes = &mut self.nodes;
        *self
            .known
            .entry((parent, condition, holds))
            .or_insert_with(|| nodes.push(DemandNode { under: Some((parent, condition, holds)), depth }))
    }

    fn add(&mut self, val: Val, demand: Demand) {
        let met = match self.of[val] {
            None => demand,
            Some(other) => self.meet(demand, other),
        };
        self.of[val] = Some(met);
    }

    /// The lowest common ancestor.
    fn meet(&self, mut a: Demand, mut b: Demand) -> Demand {
        // Ends: each iteration goes one level up, and all meet in the root.
        while a != b {
            if self.nodes[a].depth >= self.nodes[b].depth {
                a = self.parent(a);
            } else {
                b = self.parent(b);
            }
        }
        a
    }
}

/// Guards the calls of `code` that are needed only under conditions.
pub fn guard_calls(code: Code) -> Code {
    if !code.instrs.values().any(|instr| matches!(instr, Instr::Call(..))) {
        return code;
    }
    let mut nodes = PrimaryMap::new();
    let always = nodes.push(DemandNode { under: None, depth: 0 });
    let mut demands = Demands { nodes, known: FxHashMap::default(), of: SecondaryMap::new() };
    for (val, instr) in code.instrs.iter().rev() {
        let demand = match (instr, demands.of[val]) {
            (Instr::Store(..) | Instr::StoreOut(..), _) => always,
            (Instr::Call(..) | Instr::GuardedCall(..), None) => always,
            (_, Some(demand)) => demand,
            (_, None) => continue,
        };
        demands.of[val] = Some(demand);
        if let Instr::Select(c, a, b) = instr {
            demands.add(*c, demand);
            let taken = demands.child(demand, *c, true);
            demands.add(*a, taken);
            let other = demands.child(demand, *c, false);
            demands.add(*b, other);
        } else {
            instr.for_each_operand(|operand| demands.add(operand, demand));
        }
    }
    let guarded = |(val, instr): (Val, &Instr)| matches!(instr, Instr::Call(..)) && demands.of[val] != Some(always);
    if !code.instrs.iter().any(guarded) {
        return code;
    }
    rebuild(code, &demands)
}

fn rebuild(code: Code, demands: &Demands) -> Code {
    let mut new = Code::default();
    let mut new_of: SecondaryMap<Val, Val> = SecondaryMap::with_default(Val::new(0));
    let mut guard_of: FxHashMap<Demand, Val> = FxHashMap::default();
    for (val, mut instr) in code.instrs {
        instr.map_operands(|operand| new_of[operand]);
        if let Instr::Call(function, args) = instr {
            // A condition may be defined after the call only if the call was first needed elsewhere; then it stays outside.
            let mut demand = demands.of[val];
            let mut above = demand;
            while let Some((parent, condition, _)) = above.and_then(|node| demands.nodes[node].under) {
                if condition >= val {
                    demand = Some(parent);
                }
                above = Some(parent);
            }
            instr = match demand.and_then(|demand| guard(demand, demands, &new_of, &mut guard_of, &mut new)) {
                Some(guard) => Instr::GuardedCall(function, args, guard),
                None => Instr::Call(function, args),
            };
        }
        new_of[val] = new.instrs.push(instr);
    }
    new
}

/// The value of a conjunction, computed where it is first needed; `None` for the root.
fn guard(
    demand: Demand,
    demands: &Demands,
    new_of: &SecondaryMap<Val, Val>,
    guard_of: &mut FxHashMap<Demand, Val>,
    new: &mut Code,
) -> Option<Val> {
    let mut path = Vec::new();
    let mut node = demand;
    let mut known = None;
    while let Some((parent, condition, holds)) = demands.nodes[node].under {
        if let Some(guard) = guard_of.get(&node) {
            known = Some(*guard);
            break;
        }
        path.push((node, condition, holds));
        node = parent;
    }
    for (node, condition, holds) in path.into_iter().rev() {
        let condition = new_of[condition];
        let condition = if holds { condition } else { new.instrs.push(Instr::Unary(Op1::Not, condition)) };
        let guard = match known {
            Some(outer) => new.instrs.push(Instr::Binary(Op2::And, outer, condition)),
            None => condition,
        };
        guard_of.insert(node, guard);
        known = Some(guard);
    }
    known
}
