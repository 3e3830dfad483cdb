//! Checks straight-line code: operands are defined before their use and give numbers, calls have as many arguments as their
//! function has inputs, `Result` names an output of a call. Cost: linear.

use super::code::{Code, Instr, Val};
use crate::equations::function::table::FnTable;
use std::fmt;

/// What is wrong with a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The instruction.
    pub at: Val,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.reason)
    }
}

impl std::error::Error for VerifyError {}

/// Checks a code that calls functions of a table. `n_slots` is the size of the memory it is to run on, if that is known.
pub fn verify(code: &Code, functions: &FnTable, n_slots: Option<usize>) -> Result<(), VerifyError> {
    for (at, instr) in code.instrs.iter() {
        let fail = |reason: String| Err(VerifyError { at, reason });
        let mut undefined = None;
        let mut without_number = None;
        let reads_call = matches!(instr, Instr::Result(..));
        instr.for_each_operand(|operand| {
            if operand >= at {
                undefined.get_or_insert(operand);
            } else {
                let fits = match &code.instrs[operand] {
                    Instr::Call(..) | Instr::GuardedCall(..) => reads_call,
                    Instr::Store(..) | Instr::StoreOut(..) => false,
                    _ => !reads_call,
                };
                if !fits {
                    without_number.get_or_insert(operand);
                }
            }
        });
        if let Some(operand) = undefined {
            return fail(format!("operand {operand} is not defined before its use"));
        }
        if let Some(operand) = without_number {
            return fail(format!("operand {operand} is not of the right kind"));
        }
        match instr {
            Instr::Call(function, args) | Instr::GuardedCall(function, args, _) => match functions.get(*function) {
                None => return fail(format!("there is no function {function}")),
                Some(def) if def.n_inputs != args.len() => {
                    return fail(format!("{} has {} inputs, not {}", def.name, def.n_inputs, args.len()));
                }
                Some(_) => {}
            },
            Instr::Result(call, output) => {
                if let Instr::Call(function, _) | Instr::GuardedCall(function, ..) = &code.instrs[*call] {
                    let n_outputs = functions.get(*function).map_or(0, |def| def.n_outputs);
                    if *output as usize >= n_outputs {
                        return fail(format!("{function} has {n_outputs} outputs, and number {output} is not among them"));
                    }
                }
            }
            _ => {}
        }
    }
    let extent = code.extent();
    if let (Some(n_slots), Some(last)) = (n_slots, code.instrs.keys().next_back())
        && extent.n_slots > n_slots
    {
        return Err(VerifyError { at: last, reason: format!("the code uses {} slots, and the memory has {n_slots}", extent.n_slots) });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::EntityRef;
    use partita_runtime::base::math::Op1;
    use partita_runtime::model::plan::Slot;

    #[test]
    fn finds_use_before_definition_and_use_of_a_store() {
        let functions = FnTable::default();
        let mut code = Code::default();
        code.instrs.push(Instr::Unary(Op1::Sin, Val::new(1)));
        code.instrs.push(Instr::Const(1.0));
        assert!(verify(&code, &functions, None).unwrap_err().reason.contains("before"));
        let mut code = Code::default();
        let one = code.instrs.push(Instr::Const(1.0));
        let store = code.instrs.push(Instr::Store(Slot::new(4), one));
        assert!(verify(&code, &functions, Some(5)).is_ok());
        assert!(verify(&code, &functions, Some(4)).is_err());
        code.instrs.push(Instr::Unary(Op1::Sin, store));
        assert!(verify(&code, &functions, Some(5)).is_err());
    }
}
