//! Prints straight-line code as stable text, one instruction per line; slots by their names where they have any.

use super::code::{Code, Instr, Val};
use super::reroll::Loop;
use crate::base::ids::FnId;
use crate::equations::function::table::FnTable;
use partita_runtime::model::plan::Slot;

/// The text of a code. `slot_name` names slots; those without a name print as `s7`.
pub fn print(code: &Code, functions: &FnTable, slot_name: &dyn Fn(Slot) -> Option<String>) -> String {
    code.instrs.iter().map(|(val, instr)| line(val, instr, functions, slot_name) + "\n").collect()
}

/// The text of a loop: its first iteration, and by how many cells each access advances.
pub fn print_loop(rerolled: &Loop, functions: &FnTable, slot_name: &dyn Fn(Slot) -> Option<String>) -> String {
    let mut text = String::new();
    for (val, instr) in rerolled.body.instrs.iter() {
        text.push_str("  ");
        text.push_str(&line(val, instr, functions, slot_name));
        match rerolled.strides[val] {
            0 => {}
            stride => text.push_str(&format!("   ({stride:+})")),
        }
        text.push('\n');
    }
    text
}

/// One instruction.
fn line(val: Val, instr: &Instr, functions: &FnTable, slot_name: &dyn Fn(Slot) -> Option<String>) -> String {
    let slot = |slot: Slot| slot_name(slot).unwrap_or_else(|| slot.to_string());
    let name = |function: FnId| functions.get(function).map_or_else(|| function.to_string(), |def| def.name.clone());
    let list = |args: &[Val]| args.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match instr {
        Instr::Const(value) => format!("{val} = {value:?}"),
        Instr::Load(from) => format!("{val} = {}", slot(*from)),
        Instr::LoadOut(from) => format!("{val} = out[{from}]"),
        Instr::Unary(op, a) => format!("{val} = {op:?} {a}"),
        Instr::Binary(op, a, b) => format!("{val} = {op:?} {a}, {b}"),
        Instr::Select(c, a, b) => format!("{val} = if {c} then {a} else {b}"),
        Instr::Call(function, args) => format!("{val} = {}({})", name(*function), list(args)),
        Instr::GuardedCall(function, args, guard) => format!("{val} = if {guard} then {}({})", name(*function), list(args)),
        Instr::Result(call, output) => format!("{val} = {call}[{output}]"),
        Instr::Store(to, a) => format!("{} := {a}", slot(*to)),
        Instr::StoreOut(to, a) => format!("out[{to}] := {a}"),
    }
}
