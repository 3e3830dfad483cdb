//! The text form of routines. Stable: equal input gives equal text.

use super::routine::{ArrayElement, Index, Op, Reg, Routine};
use super::table::FnTable;
use std::fmt::Write;

impl Routine {
    /// Stable text, one operation per line.
    pub fn print(&self, functions: &FnTable) -> String {
        let list = |regs: &[Reg]| regs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let place = |place: &ArrayElement| {
            let subscripts = place.subscripts.iter().map(|index| match index {
                Index::Known(position) => (position + 1).to_string(),
                Index::Computed(reg) => reg.to_string(),
            });
            format!("{}[{}]", self.arrays[place.array].name, subscripts.collect::<Vec<_>>().join(", "))
        };
        let mut text = format!("function {} ({} inputs, {} outputs)\n", self.name, self.n_inputs, self.n_outputs);
        for op in &self.ops {
            let line = match op {
                Op::Const(r, value) => format!("{r} = {value:?}"),
                Op::Copy(r, a) => format!("{r} = {a}"),
                Op::Unary(op, r, a) => format!("{r} = {op:?} {a}"),
                Op::Binary(op, r, a, b) => format!("{r} = {op:?} {a}, {b}"),
                Op::Select(r, c, a, b) => format!("{r} = if {c} then {a} else {b}"),
                Op::Input(r, cell) => format!("{r} = in[{cell}]"),
                Op::Output(cell, a) => format!("out[{cell}] := {a}"),
                Op::Read(r, from) => format!("{r} = {}", place(from)),
                Op::Write(to, a) => format!("{} := {a}", place(to)),
                Op::Call(function, args, outs) => {
                    let name = functions.get(*function).map_or_else(|| function.to_string(), |def| def.name.clone());
                    format!("({}) = {name}({})", list(outs), list(args))
                }
                Op::Bind(label) => format!("{label}:"),
                Op::Jump(label) => format!("jump {label}"),
                Op::JumpIfNot(a, label) => format!("if not {a} jump {label}"),
                Op::Tick => "tick".to_string(),
                Op::Fail(message, values) => format!("fail {message}({})", list(values)),
                Op::Return => "return".to_string(),
            };
            let indent = if matches!(op, Op::Bind(_)) { "" } else { "  " };
            let _ = writeln!(text, "{indent}{line}");
        }
        text
    }
}
