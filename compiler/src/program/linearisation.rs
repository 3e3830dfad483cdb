//! Splits the tangent code of a block into what does not depend on the direction and what does.
//!
//! Input: code that reads tangents from the second array. Output: code that computes what this code needs whatever the tangents are and
//! writes it to slots, and the rest, which reads it there. A Jacobian of many columns runs the first once and the second for each column:
//! powers, quotients and properties of media are not computed again in each direction.
//!
//! Guarantee: run one after the other, both write what the code wrote, to the last bit. Cost: linear.

use super::code::{Code, Instr, Val};
use super::cost;
use super::dead::remove_dead;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, SecondaryMap};
use partita_runtime::model::plan::Slot;

/// Both parts of a code; nothing if there is nothing to be gained.
pub(super) fn split_linearisation(code: &Code, mut new_slot: impl FnMut() -> Slot) -> Option<(Code, Code)> {
    let mut varies: SecondaryMap<Val, bool> = SecondaryMap::with_capacity(code.instrs.len());
    let mut costs: SecondaryMap<Val, u32> = SecondaryMap::with_capacity(code.instrs.len());
    let mut slot_of: SecondaryMap<Val, PackedOption<Slot>> = SecondaryMap::with_capacity(code.instrs.len());
    let mut found = false;
    for (val, instr) in code.instrs.iter() {
        let mut is_moving = matches!(instr, Instr::LoadOut(_) | Instr::StoreOut(..) | Instr::Store(..));
        let mut sum = own_cost(instr);
        instr.for_each_operand(|operand| {
            is_moving |= varies[operand];
            sum = sum.saturating_add(costs[operand]);
        });
        varies[val] = is_moving;
        costs[val] = sum;
        if is_moving {
            instr.for_each_operand(|operand| {
                // The outputs of a call are numbers, the call is none.
                let is_call = matches!(code.instrs[operand], Instr::Call(..) | Instr::GuardedCall(..));
                if !varies[operand] && !is_call && costs[operand] >= cost::WORTH_A_SLOT && slot_of[operand].is_none() {
                    slot_of[operand] = new_slot().into();
                    found = true;
                }
            });
        }
    }
    if !found {
        return None;
    }
    let (mut before, mut rest) = (Code::default(), Code::default());
    let nothing = Val::new(0);
    let (mut in_before, mut in_rest) = (SecondaryMap::with_default(nothing), SecondaryMap::with_default(nothing));
    for (val, instr) in code.instrs.iter() {
        if !varies[val] {
            let mut copy = instr.clone();
            copy.map_operands(|operand| in_before[operand]);
            in_before[val] = before.instrs.push(copy);
        }
        in_rest[val] = match slot_of[val].expand() {
            Some(slot) => {
                before.instrs.push(Instr::Store(slot, in_before[val]));
                rest.instrs.push(Instr::Load(slot))
            }
            None => {
                let mut copy = instr.clone();
                copy.map_operands(|operand| in_rest[operand]);
                rest.instrs.push(copy)
            }
        };
    }
    Some((remove_dead(before), remove_dead(rest)))
}

/// The cost of an instruction without its operands.
fn own_cost(instr: &Instr) -> u32 {
    match instr {
        Instr::Const(_) | Instr::Load(_) | Instr::LoadOut(_) | Instr::Result(..) | Instr::Store(..) | Instr::StoreOut(..) => 0,
        Instr::Unary(op, _) => cost::unary(*op),
        Instr::Binary(op, ..) => cost::binary(*op),
        Instr::Select(..) => cost::SELECT,
        Instr::Call(..) | Instr::GuardedCall(..) => cost::CALL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equations::function::table::FnTable;
    use crate::program::print::print;
    use partita_runtime::base::math::{Op1, Op2};

    /// `out[1] := exp(s0)*out[0] + 2*out[0]`.
    #[test]
    fn what_does_not_depend_on_the_direction_is_computed_before() {
        let mut code = Code::default();
        let x = code.instrs.push(Instr::Load(Slot::new(0)));
        let slope = code.instrs.push(Instr::Unary(Op1::Exp, x));
        let seed = code.instrs.push(Instr::LoadOut(0));
        let two = code.instrs.push(Instr::Const(2.0));
        let first = code.instrs.push(Instr::Binary(Op2::Mul, slope, seed));
        let second = code.instrs.push(Instr::Binary(Op2::Mul, two, seed));
        let sum = code.instrs.push(Instr::Binary(Op2::Add, first, second));
        code.instrs.push(Instr::StoreOut(1, sum));
        let (before, rest) = split_linearisation(&code, || Slot::new(7)).unwrap();
        let text = |code: &Code| print(code, &FnTable::default(), &|_| None);
        assert_eq!(text(&before), "%0 = s0\n%1 = Exp %0\ns7 := %1\n");
        assert_eq!(text(&rest), "%0 = s7\n%1 = out[0]\n%2 = 2.0\n%3 = Mul %0, %1\n%4 = Mul %2, %1\n%5 = Add %3, %4\nout[1] := %5\n");
        assert!(split_linearisation(&rest, || Slot::new(8)).is_none());
    }
}
