//! Runs straight-line code instruction by instruction, with the operations of `runtime::math` and nothing else.
//!
//! The reference for machine code, which must give the same bits. Cost: one dispatch per instruction; no allocation after the
//! first calls, since values lie in `Environment::scratch`.

use super::code::{Code, Instr, Iterations, Val};
use super::verify::{VerifyError, verify};
use crate::base::ids::FnId;
use crate::equations::function::table::FnTable;
use cranelift_entity::{EntityRef, PrimaryMap};
use partita_runtime::abi::{Environment, Explanation, Extent, KernelFailure, Kernels};
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::plan::{KernelId, Slot};

/// Verified codes, ready to run.
#[derive(Clone, Debug)]
pub struct Interpreter {
    codes: PrimaryMap<KernelId, Code>,
    extents: PrimaryMap<KernelId, Extent>,
    functions: FnTable,
}

impl Interpreter {
    /// Takes codes and the functions they call.
    pub fn new(codes: PrimaryMap<KernelId, Code>, functions: FnTable) -> Result<Interpreter, VerifyError> {
        let mut extents = PrimaryMap::with_capacity(codes.len());
        for code in codes.values() {
            verify(code, &functions, None)?;
            extents.push(code.extent());
        }
        Ok(Interpreter { codes, extents, functions })
    }

    /// The codes.
    pub fn codes(&self) -> &PrimaryMap<KernelId, Code> {
        &self.codes
    }

    /// The functions.
    pub fn functions(&self) -> &FnTable {
        &self.functions
    }

    /// Runs a kernel, calling functions by `call`, which must do what [`FnTable::call`] does; it may change the arguments.
    pub fn call_with(
        &self,
        kernel: KernelId,
        memory: &mut [f64],
        out: &mut [f64],
        environment: &mut Environment,
        call: &impl Fn(&FnTable, FnId, &mut [f64], &mut [f64], &mut Environment) -> bool,
    ) -> Result<(), KernelFailure> {
        let Some(code) = self.codes.get(kernel) else {
            environment.failure = Some(format!("there is no kernel {kernel}"));
            return Err(KernelFailure);
        };
        self.extents[kernel].check(kernel, memory, out, environment)?;
        let mut values = std::mem::take(&mut environment.scratch);
        values.clear();
        let result = match &code.iterations {
            None => run(code, &self.functions, memory, out, &mut values, environment, call, &|_, place| place),
            Some(iterations) => asked(iterations, memory).try_for_each(|iteration| {
                let moved = |val: Val, place: usize| (place as i64 + i64::from(iterations.strides[val]) * i64::from(iteration)) as usize;
                run(code, &self.functions, memory, out, &mut values, environment, call, &moved)
            }),
        };
        environment.scratch = values;
        result
    }
}

impl Kernels for Interpreter {
    fn call(&self, kernel: KernelId, memory: &mut [f64], out: &mut [f64], environment: &mut Environment) -> Result<(), KernelFailure> {
        let call = |functions: &FnTable, function: FnId, args: &mut [f64], outs: &mut [f64], environment: &mut Environment| {
            functions.call(function, args, outs, environment)
        };
        self.call_with(kernel, memory, out, environment, &call)
    }

    fn explain(&self, kernel: KernelId, memory: &[f64], is_wanted: &dyn Fn(Slot) -> bool) -> Option<Explanation> {
        explain(self.codes.get(kernel)?, memory, is_wanted)
    }
}

/// Why a slot that is wanted gets no finite value: the operation that this comes from, in words. Code with calls may do something when run
/// again, and functions fail with messages of their own: not explained.
fn explain(code: &Code, memory: &[f64], is_wanted: &dyn Fn(Slot) -> bool) -> Option<Explanation> {
    let mut memory = memory.to_vec();
    let mut values = vec![0.0; code.instrs.len()];
    // The operation that each value which is not finite comes from.
    let mut origin: Vec<Option<Val>> = vec![None; code.instrs.len()];
    for (val, instr) in code.instrs.iter() {
        let at = |operand: Val| values[operand.index()];
        let value = match instr {
            Instr::Const(value) => *value,
            Instr::Load(slot) => *memory.get(slot.index())?,
            Instr::Unary(op, a) => op.eval(at(*a)),
            Instr::Binary(op, a, b) => op.eval(at(*a), at(*b)),
            Instr::Select(c, a, b) => {
                if at(*c) != 0.0 {
                    at(*a)
                } else {
                    at(*b)
                }
            }
            Instr::Store(slot, a) => {
                let cause = origin[a.index()].filter(|_| is_wanted(*slot) && !at(*a).is_finite());
                if let Some(cause) = cause.and_then(|operation| in_words(&code.instrs[operation], &at)) {
                    return Some(Explanation { slot: *slot, cause });
                }
                *memory.get_mut(slot.index())? = at(*a);
                continue;
            }
            Instr::Call(..) | Instr::GuardedCall(..) | Instr::Result(..) | Instr::LoadOut(_) | Instr::StoreOut(..) => return None,
        };
        if !value.is_finite() {
            let mut inherited = None;
            match instr {
                Instr::Select(c, a, b) => inherited = origin[(if at(*c) != 0.0 { a } else { b }).index()],
                _ => instr.for_each_operand(|operand| inherited = inherited.or(origin[operand.index()])),
            }
            let is_first = inherited.is_none() && in_words(instr, &at).is_some();
            origin[val.index()] = if is_first { Some(val) } else { inherited };
        }
        values[val.index()] = value;
    }
    None
}

/// An operation on finite operands; nothing if an operand is not finite.
fn in_words(instr: &Instr, at: &dyn Fn(Val) -> f64) -> Option<String> {
    match instr {
        Instr::Unary(op, a) if at(*a).is_finite() => {
            let a = at(*a);
            Some(match op {
                Op1::Sqrt => format!("the square root of {a}"),
                Op1::Log | Op1::Log10 => format!("the logarithm of {a}"),
                other => format!("{}({a})", format!("{other:?}").to_lowercase()),
            })
        }
        Instr::Binary(op, a, b) if at(*a).is_finite() && at(*b).is_finite() => {
            let (a, b) = (at(*a), at(*b));
            Some(match op {
                Op2::Div if b == 0.0 => format!("division by zero, {a}/0"),
                Op2::Div => format!("{a}/{b}"),
                Op2::Pow => format!("{a} to the power of {b}"),
                other => format!("{} of {a} and {b}", format!("{other:?}").to_lowercase()),
            })
        }
        _ => None,
    }
}

/// The iterations that the memory asks for, as far as there are such.
fn asked(iterations: &Iterations, memory: &[f64]) -> std::ops::Range<u32> {
    let bound = |slot: Slot| (memory[slot.index()] as u32).min(iterations.count);
    bound(iterations.first)..bound(iterations.end)
}

/// `values` is empty or as after another round; values of instructions go to its front, outputs of calls behind them. `place` says where an
/// access to a place of the first iteration goes.
#[expect(clippy::too_many_arguments, reason = "the parts of an interpreter, which are borrowed one by one")]
fn run(
    code: &Code,
    functions: &FnTable,
    memory: &mut [f64],
    out: &mut [f64],
    values: &mut Vec<f64>,
    environment: &mut Environment,
    call: &impl Fn(&FnTable, FnId, &mut [f64], &mut [f64], &mut Environment) -> bool,
    place: &impl Fn(Val, usize) -> usize,
) -> Result<(), KernelFailure> {
    values.resize(code.instrs.len(), 0.0);
    let mut args = Vec::new();
    for (val, instr) in code.instrs.iter() {
        let at = |operand: Val| values[operand.index()];
        let value = match instr {
            Instr::Const(value) => *value,
            Instr::Load(slot) => memory[place(val, slot.index())],
            Instr::LoadOut(i) => out[place(val, *i as usize)],
            Instr::Unary(op, a) => op.eval(at(*a)),
            Instr::Binary(op, a, b) => op.eval(at(*a), at(*b)),
            Instr::Select(c, a, b) => {
                if at(*c) != 0.0 {
                    at(*a)
                } else {
                    at(*b)
                }
            }
            Instr::Call(function, vals) | Instr::GuardedCall(function, vals, _) => {
                args.clear();
                args.extend(vals.iter().map(|arg| at(*arg)));
                let wanted = match instr {
                    Instr::GuardedCall(_, _, guard) => at(*guard) != 0.0,
                    _ => true,
                };
                let start = values.len();
                let n_outputs = functions.get(*function).map_or(0, |def| def.n_outputs);
                values.resize(start + n_outputs, f64::NAN);
                if wanted && !call(functions, *function, &mut args, &mut values[start..], environment) {
                    return Err(KernelFailure);
                }
                // The value of a call is where its outputs start: a whole number far below 2^53.
                start as f64
            }
            Instr::Result(call, output) => values[at(*call) as usize + *output as usize],
            Instr::Store(slot, a) => {
                memory[place(val, slot.index())] = at(*a);
                continue;
            }
            Instr::StoreOut(i, a) => {
                out[place(val, *i as usize)] = at(*a);
                continue;
            }
        };
        values[val.index()] = value;
    }
    Ok(())
}
