//! Removes instructions whose values nobody needs, calls included. Output: the same code without them; what is stored is the
//! same. Cost: linear.

use super::code::{Code, Instr, Val};
use cranelift_entity::{EntityRef, SecondaryMap};

/// Keeps stores and what they need.
pub fn remove_dead(code: Code) -> Code {
    let mut needed: SecondaryMap<Val, bool> = SecondaryMap::with_capacity(code.instrs.len());
    let mut n_needed = 0;
    for (val, instr) in code.instrs.iter().rev() {
        if needed[val] || matches!(instr, Instr::Store(..) | Instr::StoreOut(..)) {
            needed[val] = true;
            n_needed += 1;
            instr.for_each_operand(|operand| needed[operand] = true);
        }
    }
    if n_needed == code.instrs.len() {
        return code;
    }
    let mut new = Code::default();
    let mut new_of: SecondaryMap<Val, Val> = SecondaryMap::with_default(Val::new(0));
    for (val, mut instr) in code.instrs {
        if needed[val] {
            instr.map_operands(|operand| new_of[operand]);
            new_of[val] = new.instrs.push(instr);
        }
    }
    new
}
