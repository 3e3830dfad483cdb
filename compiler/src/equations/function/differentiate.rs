//! Makes the derivative of a called function: from `y = f(x)` the function `dy = f'(x) dx` of `(x, dx)`.
//!
//! Input: a routine and the derivatives of the functions it calls. Output: a routine with twice the inputs.
//!
//! Method: forward mode on operations. Every register and array that depends on inputs gets a companion for its tangent,
//! every operation is followed by its tangent operations (`chain`), and control flow stays as it is. What cannot depend on the
//! inputs continuously (counters, subscripts, conditions) gets no companion. Exact wherever `f` is differentiable.
//! Foreign functions that say so are differentiated by central differences instead.
//! Cost: linear in the routine, times the few iterations until it is known what depends on inputs.

use super::routine::{Array, ArrayElement, ArrayId, FunctionError, Op, Reg, Routine, RoutineBuilder, Space, Use};
use super::table::{Derivative, FnBody, FnDef, FnTable};
use crate::base::ids::FnId;
use crate::equations::expr::rules::{self, Arithmetic, Dual, is_smooth1, is_smooth2};
use cranelift_entity::{EntityRef, SecondaryMap};
use partita_runtime::base::math::{Op1, Op2};
use rustc_hash::FxHashSet;

/// What depends on the inputs continuously.
struct Activity {
    regs: Vec<bool>,
    arrays: SecondaryMap<ArrayId, bool>,
}

impl Activity {
    /// The least set that holds all inputs and is closed under the operations.
    fn of(routine: &Routine, functions: &FnTable) -> Activity {
        let mut activity = Activity { regs: vec![false; routine.n_regs as usize], arrays: SecondaryMap::new() };
        for (id, array) in routine.arrays.iter() {
            activity.arrays[id] = array.space == Space::Input;
        }
        // Ends: each round but the last adds a register or an array.
        let mut grows = true;
        while grows {
            grows = false;
            for op in &routine.ops {
                grows |= activity.round(op, functions);
            }
        }
        activity
    }

    fn is(&self, reg: Reg) -> bool {
        self.regs[reg.index()]
    }

    fn add(&mut self, reg: Reg, active: bool) -> bool {
        let is_new = active && !self.is(reg);
        self.regs[reg.index()] |= active;
        is_new
    }

    fn round(&mut self, op: &Op, functions: &FnTable) -> bool {
        match op {
            Op::Input(r, _) => self.add(*r, true),
            Op::Copy(r, a) => self.add(*r, self.is(*a)),
            Op::Unary(op, r, a) => self.add(*r, is_smooth1(*op) && self.is(*a)),
            Op::Binary(op, r, a, b) => self.add(*r, is_smooth2(*op) && (self.is(*a) || self.is(*b))),
            Op::Select(r, _, a, b) => self.add(*r, self.is(*a) || self.is(*b)),
            Op::Read(r, place) => self.add(*r, self.arrays[place.array]),
            Op::Write(place, a) => {
                let is_new = self.is(*a) && !self.arrays[place.array];
                self.arrays[place.array] |= self.is(*a);
                is_new
            }
            Op::Call(function, args, outs) => {
                let active = functions.derivative(*function) != Derivative::Zero && args.iter().any(|arg| self.is(*arg));
                let mut grows = false;
                for out in outs {
                    grows |= self.add(*out, active);
                }
                grows
            }
            Op::Const(..) | Op::Output(..) | Op::Bind(_) | Op::Jump(_) | Op::JumpIfNot(..) | Op::Tick | Op::Fail(..) | Op::Return => false,
        }
    }
}

struct Transform<'a> {
    build: RoutineBuilder,
    activity: Activity,
    n_inputs: u32,
    /// Companions of registers.
    tangent_of: Vec<Option<Reg>>,
    /// Registers that are the same number whenever they are read.
    number_of: Vec<Option<f64>>,
    /// Companions of arrays.
    tangent_array: SecondaryMap<ArrayId, Option<ArrayId>>,
    functions: &'a FnTable,
}

impl FnTable {
    /// Makes sure that the derivative of a function is known, making it and those of the functions it calls where nobody has
    /// given one. Cost: linear in what is added.
    pub fn derive(&mut self, function: FnId) -> Result<Derivative, FunctionError> {
        let mut reached = FxHashSet::from_iter([function]);
        let mut order = vec![function];
        let mut next = 0;
        while let Some(&caller) = order.get(next) {
            next += 1;
            if self.defs[caller].derivative != Derivative::Unknown {
                continue;
            }
            if let FnBody::Routine(routine) = &self.defs[caller].body {
                for op in &routine.ops {
                    if let Op::Call(callee, ..) = op
                        && reached.insert(*callee)
                    {
                        order.push(*callee);
                    }
                }
            }
        }
        // Callees have smaller ids than callers.
        order.sort_unstable();
        for function in order {
            let def = &self.defs[function];
            let routine = match (def.derivative, &def.body) {
                (Derivative::Zero | Derivative::Function(_), _) => continue,
                (Derivative::FiniteDifference, _) => by_differences(function, def),
                (Derivative::Unknown, FnBody::Routine(routine)) => differentiate(routine, self)?,
                (Derivative::Unknown, FnBody::Native(_)) => {
                    return Err(FunctionError::new(&def.name, "its derivative is not known"));
                }
            };
            let derivative = self.push_routine(routine)?;
            self.defs[function].derivative = Derivative::Function(derivative);
        }
        Ok(self.defs[function].derivative)
    }

    /// Makes the derivatives of all functions that are in the table now; gives the reasons for those that have none.
    pub fn derive_all(&mut self) -> Vec<FunctionError> {
        let present: Vec<FnId> = self.defs.keys().collect();
        present.into_iter().filter_map(|function| self.derive(function).err()).collect()
    }
}

/// The derivative of a routine. The functions it calls must have derivatives already.
fn differentiate(routine: &Routine, functions: &FnTable) -> Result<Routine, FunctionError> {
    let activity = Activity::of(routine, functions);
    let name = format!("derivative of {}", routine.name);
    let mut build = RoutineBuilder::new(&name, 2 * routine.n_inputs as usize, routine.n_outputs as usize);
    // Registers, labels, messages and arrays keep their numbers; companions come after them.
    build.routine.n_regs = routine.n_regs;
    build.routine.labels = routine.labels.clone();
    build.routine.messages = routine.messages.clone();
    build.routine.n_cells = routine.n_cells;
    for array in routine.arrays.values() {
        match array.space {
            Space::Input | Space::Local => drop(build.routine.arrays.push(array.clone())),
            // Only tangents are outputs of the derivative.
            Space::Output => drop(build.local(&array.name, &array.dims)),
        }
    }
    let mut tangent_array = SecondaryMap::new();
    for (id, array) in routine.arrays.iter() {
        let name = format!("tangent of {}", array.name);
        tangent_array[id] = match array.space {
            Space::Output => Some(build.routine.arrays.push(Array { name, ..array.clone() })),
            Space::Input => Some(build.routine.arrays.push(Array { name, offset: array.offset + routine.n_inputs, ..array.clone() })),
            Space::Local if activity.arrays[id] => Some(build.local(&name, &array.dims)),
            Space::Local => None,
        };
    }
    let tangent_of = activity.regs.iter().map(|active| active.then(|| build.reg())).collect();
    let mut transform =
        Transform { build, activity, n_inputs: routine.n_inputs, tangent_of, number_of: numbers(routine), tangent_array, functions };
    for op in &routine.ops {
        transform.operation(op)?;
    }
    Ok(transform.build.routine)
}

/// For every register the number it is, if a `Const` is all that ever writes it.
fn numbers(routine: &Routine) -> Vec<Option<f64>> {
    let mut n_writes = vec![0_u32; routine.n_regs as usize];
    let mut numbers = vec![None; routine.n_regs as usize];
    for op in &routine.ops {
        op.for_each_reg(|usage| {
            if let Use::Write(reg) = usage {
                n_writes[reg.index()] += 1;
            }
        });
        if let Op::Const(reg, value) = op {
            numbers[reg.index()] = Some(*value);
        }
    }
    numbers.iter().zip(n_writes).map(|(number, n)| number.filter(|_| n == 1)).collect()
}

impl Transform<'_> {
    fn tangent(&self, reg: Reg) -> Option<Reg> {
        self.tangent_of[reg.index()]
    }

    /// Writes a tangent; none is zero.
    fn set(&mut self, reg: Reg, tangent: Option<Reg>) {
        if let Some(to) = self.tangent(reg) {
            self.build.push(match tangent {
                Some(tangent) => Op::Copy(to, tangent),
                None => Op::Const(to, 0.0),
            });
        }
    }

    fn operation(&mut self, op: &Op) -> Result<(), FunctionError> {
        if let Op::Bind(label) = op {
            self.build.bind(*label);
            return Ok(());
        }
        if let Op::Output(cell, a) = op {
            let tangent = rules::or_zero(&mut self.build, self.tangent_of[a.index()]);
            self.build.push(Op::Output(*cell, tangent));
            return Ok(());
        }
        self.build.push(op.clone());
        match op {
            Op::Const(r, _) => self.set(*r, None),
            Op::Input(r, cell) => {
                if let Some(tangent) = self.tangent(*r) {
                    self.build.push(Op::Input(tangent, *cell + self.n_inputs));
                }
            }
            Op::Copy(r, a) => self.set(*r, self.tangent(*a)),
            Op::Unary(op, r, a) => {
                let tangent = self.tangent(*a).and_then(|da| rules::unary(&mut self.build, *op, &|_| *a, &|_| *r, da));
                self.set(*r, tangent);
            }
            Op::Binary(op, r, a, b) => {
                let left = Dual { value: &|_: &mut RoutineBuilder| *a, tangent: self.tangent(*a) };
                let right = Dual { value: &|_: &mut RoutineBuilder| *b, tangent: self.tangent(*b) };
                let tangent = rules::binary(&mut self.build, *op, &left, &right, &|_| *r, self.number_of[b.index()]);
                self.set(*r, tangent);
            }
            Op::Select(r, c, a, b) => {
                if self.activity.is(*r) {
                    let da = rules::or_zero(&mut self.build, self.tangent_of[a.index()]);
                    let db = rules::or_zero(&mut self.build, self.tangent_of[b.index()]);
                    let tangent = self.build.select(*c, da, db);
                    self.set(*r, Some(tangent));
                }
            }
            Op::Read(r, place) => {
                if let (Some(tangent), Some(array)) = (self.tangent(*r), self.tangent_array[place.array]) {
                    self.build.push(Op::Read(tangent, ArrayElement { array, subscripts: place.subscripts.clone() }));
                } else {
                    self.set(*r, None);
                }
            }
            Op::Write(place, a) => {
                if let Some(array) = self.tangent_array[place.array] {
                    let tangent = rules::or_zero(&mut self.build, self.tangent_of[a.index()]);
                    self.build.push(Op::Write(ArrayElement { array, subscripts: place.subscripts.clone() }, tangent));
                }
            }
            Op::Call(function, args, outs) => self.call(*function, args, outs)?,
            Op::Output(..) | Op::Bind(_) | Op::Jump(_) | Op::JumpIfNot(..) | Op::Tick | Op::Fail(..) | Op::Return => {}
        }
        Ok(())
    }

    fn call(&mut self, function: FnId, args: &[Reg], outs: &[Reg]) -> Result<(), FunctionError> {
        let derivative = match self.functions.derivative(function) {
            Derivative::Function(derivative) if args.iter().any(|arg| self.activity.is(*arg)) => derivative,
            Derivative::Function(_) | Derivative::Zero => {
                outs.iter().for_each(|out| self.set(*out, None));
                return Ok(());
            }
            Derivative::Unknown | Derivative::FiniteDifference => {
                return Err(FunctionError::new(self.functions.name(function), "its derivative is not known"));
            }
        };
        let mut all = args.to_vec();
        for arg in args {
            let tangent = rules::or_zero(&mut self.build, self.tangent_of[arg.index()]);
            all.push(tangent);
        }
        // Outputs without companions exist only if nothing depends on them; the call still gives them.
        let tangents = outs.iter().map(|out| self.tangent(*out).unwrap_or_else(|| self.build.reg())).collect();
        self.build.push(Op::Call(derivative, all, tangents));
        Ok(())
    }
}

/// The derivative of a foreign function by central differences along the direction:
/// `(f(x + h dx) - f(x - h dx))/2h` with `h = cbrt(eps) max(1, |x|)/|dx|` in the maximum norm, that of `x` over
/// the arguments that move, and zero when `dx` is zero.
fn by_differences(function: FnId, def: &FnDef) -> Routine {
    let mut build = RoutineBuilder::new(&format!("difference of {}", def.name), 2 * def.n_inputs, def.n_outputs);
    let x: Vec<Reg> = (0..def.n_inputs).map(|i| build.input(i)).collect();
    let dx: Vec<Reg> = (0..def.n_inputs).map(|i| build.input(def.n_inputs + i)).collect();
    let largest = |build: &mut RoutineBuilder, regs: &[Reg], from: f64| {
        let mut largest = build.constant(from);
        for reg in regs {
            let size = build.unary(Op1::Abs, *reg);
            largest = build.binary(Op2::Max, largest, size);
        }
        largest
    };
    let length = largest(&mut build, &dx, 0.0);
    // Arguments that stay, as numbers of columns, do not tell how far the others may go.
    let none = build.constant(0.0);
    let mut moving = Vec::with_capacity(x.len());
    for (x, dx) in x.iter().zip(&dx) {
        let moves = build.binary(Op2::Ne, *dx, none);
        moving.push(build.select(moves, *x, none));
    }
    let scale = largest(&mut build, &moving, 1.0);
    let root = build.constant(f64::EPSILON.cbrt());
    let (moves, done) = (build.label(), build.label());
    let zero = build.constant(0.0);
    let still = build.binary(Op2::Eq, length, zero);
    build.push(Op::JumpIfNot(still, moves));
    for cell in 0..def.n_outputs {
        build.push(Op::Output(cell as u32, zero));
    }
    build.push(Op::Jump(done));
    build.bind(moves);
    let numerator = build.binary(Op2::Mul, root, scale);
    let h = build.binary(Op2::Div, numerator, length);
    let at = |build: &mut RoutineBuilder, op: Op2| -> Vec<Reg> {
        let mut args = Vec::with_capacity(x.len());
        for (x, dx) in x.iter().zip(&dx) {
            let step = build.binary(Op2::Mul, h, *dx);
            args.push(build.binary(op, *x, step));
        }
        let outs: Vec<Reg> = (0..def.n_outputs).map(|_| build.reg()).collect();
        build.push(Op::Call(function, args, outs.clone()));
        outs
    };
    let (high, low) = (at(&mut build, Op2::Add), at(&mut build, Op2::Sub));
    let two_h = build.binary(Op2::Add, h, h);
    for (cell, (high, low)) in high.into_iter().zip(low).enumerate() {
        let difference = build.binary(Op2::Sub, high, low);
        let slope = build.binary(Op2::Div, difference, two_h);
        build.push(Op::Output(cell as u32, slope));
    }
    build.bind(done);
    build.push(Op::Return);
    build.routine
}
