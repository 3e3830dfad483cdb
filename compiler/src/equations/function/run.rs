//! The interpreter of functions.

use super::routine::{ArrayElement, Index, MAX_TICKS, Op, Routine, Space};
use super::table::{FnBody, FnTable};
use crate::base::ids::FnId;
use cranelift_entity::EntityRef;
use partita_runtime::abi::Environment;

impl FnTable {
    /// Runs a function in the interpreter. `false`: it failed, and the reason is in the environment.
    pub fn call(&self, function: FnId, args: &[f64], outs: &mut [f64], environment: &mut Environment) -> bool {
        match &self.defs[function].body {
            FnBody::Routine(routine) => routine.run(self, args, outs, environment),
            FnBody::Native(native) => native.call(environment, args, outs),
        }
    }
}

impl Routine {
    /// Runs the routine. `false`: it failed, and the reason is in the environment.
    pub fn run(&self, functions: &FnTable, args: &[f64], outs: &mut [f64], environment: &mut Environment) -> bool {
        let mut regs = vec![f64::NAN; self.n_regs as usize];
        let mut cells = vec![f64::NAN; self.n_cells as usize];
        outs.fill(f64::NAN);
        let mut ticks = 0;
        let mut at = 0;
        // Ends: every way back passes a `Tick`, as `verify` makes sure.
        while let Some(op) = self.ops.get(at) {
            at += 1;
            match op {
                Op::Const(r, value) => regs[r.index()] = *value,
                Op::Copy(r, a) => regs[r.index()] = regs[a.index()],
                Op::Unary(op, r, a) => regs[r.index()] = op.eval(regs[a.index()]),
                Op::Binary(op, r, a, b) => regs[r.index()] = op.eval(regs[a.index()], regs[b.index()]),
                Op::Select(r, c, a, b) => {
                    let taken = if regs[c.index()] != 0.0 { a } else { b };
                    regs[r.index()] = regs[taken.index()];
                }
                Op::Input(r, cell) => regs[r.index()] = args[*cell as usize],
                Op::Output(cell, a) => outs[*cell as usize] = regs[a.index()],
                Op::Read(r, place) => match self.cell(place, &regs) {
                    Ok((Space::Input, cell)) => regs[r.index()] = args[cell],
                    Ok((Space::Output, cell)) => regs[r.index()] = outs[cell],
                    Ok((Space::Local, cell)) => regs[r.index()] = cells[cell],
                    Err((dimension, index)) => {
                        environment.failure_span = self.place;
                        environment.failure = Some(self.index_message(place.array, dimension, index));
                        return false;
                    }
                },
                Op::Write(place, a) => match self.cell(place, &regs) {
                    Ok((Space::Output, cell)) => outs[cell] = regs[a.index()],
                    Ok((_, cell)) => cells[cell] = regs[a.index()],
                    Err((dimension, index)) => {
                        environment.failure_span = self.place;
                        environment.failure = Some(self.index_message(place.array, dimension, index));
                        return false;
                    }
                },
                Op::Call(function, args, outs) => {
                    let args: Vec<f64> = args.iter().map(|reg| regs[reg.index()]).collect();
                    let mut results = vec![f64::NAN; outs.len()];
                    if !functions.call(*function, &args, &mut results, environment) {
                        return false;
                    }
                    for (reg, result) in outs.iter().zip(results) {
                        regs[reg.index()] = result;
                    }
                }
                Op::Bind(_) => {}
                Op::Jump(label) => at = self.labels[*label] as usize,
                Op::JumpIfNot(a, label) => {
                    if regs[a.index()] == 0.0 {
                        at = self.labels[*label] as usize;
                    }
                }
                Op::Tick => {
                    ticks += 1;
                    if ticks > MAX_TICKS {
                        environment.failure_span = self.place;
                        environment.failure = Some(self.tick_message());
                        return false;
                    }
                }
                Op::Fail(message, values) => {
                    let values: Vec<f64> = values.iter().map(|reg| regs[reg.index()]).collect();
                    environment.failure_span = self.place;
                    environment.failure = Some(self.message(*message, &values));
                    return false;
                }
                Op::Return => return true,
            }
        }
        true
    }

    /// The cell of a place, or the dimension whose subscript is out of range and that subscript.
    fn cell(&self, place: &ArrayElement, regs: &[f64]) -> Result<(Space, usize), (usize, f64)> {
        let array = &self.arrays[place.array];
        let mut cell = 0;
        for (dimension, (index, size)) in place.subscripts.iter().zip(&array.dims).enumerate() {
            let position = match index {
                Index::Known(position) => *position as usize,
                Index::Computed(reg) => {
                    let value = regs[reg.index()];
                    if !(value >= 1.0 && value <= f64::from(*size) && value == value.trunc()) {
                        return Err((dimension, value));
                    }
                    value as usize - 1
                }
            };
            cell = cell * *size as usize + position;
        }
        Ok((array.space, array.offset as usize + cell))
    }
}
