//! Turns a structured function into operations with jumps.
//!
//! Input: a `Function` and the table of functions before it. Output: a `Routine`, or what is wrong with the function.
//!
//! Method: scalars become registers, values are evaluated left to right into fresh registers with an explicit stack of tasks
//! (values may be deep), statements by recursion over their nesting. What cannot fail and costs nothing is evaluated without
//! a jump.
//! Cost: linear in statements and in values counted with repetition.

use super::routine::{Array, ArrayElement, ArrayId, FunctionError, Index, Label, Op, Reg, Routine, RoutineBuilder, Space, TextPiece};
use super::structured::{Function, LocalId, MessageFragment, Role, Stmt, Target, Value, ValueId, positions};
use super::table::FnTable;
use crate::base::ids::FnId;
use crate::equations::expr::rules::Arithmetic;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use partita_runtime::base::format::Format;
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::plan::SlotType;

impl FnTable {
    /// Adds a function. The functions it calls must be in the table already.
    pub fn push(&mut self, function: &Function) -> Result<FnId, FunctionError> {
        let routine = lower_control_flow(function, self)?;
        self.push_routine(routine)
    }
}

/// Makes operations of a function.
fn lower_control_flow(function: &Function, functions: &FnTable) -> Result<Routine, FunctionError> {
    let cheap = check_values(function, functions)?;
    let (inputs, outputs) = (positions(function, Role::Input), positions(function, Role::Output));
    let end = |list: &[(LocalId, usize)]| list.last().map_or(0, |(_, end)| *end);
    let (n_inputs, n_outputs) = (end(&inputs), end(&outputs));
    if n_inputs.max(n_outputs) >= 1 << 24 {
        return Err(FunctionError::new(&function.name, "it has too many inputs or outputs"));
    }
    let mut first: SecondaryMap<LocalId, usize> = SecondaryMap::new();
    for (id, position) in inputs.iter().chain(&outputs).filter(|(id, _)| function.variables.is_valid(*id)) {
        first[*id] = *position;
    }
    let mut build = RoutineBuilder::new(&function.name, n_inputs, n_outputs);
    build.routine.place = function.place;
    let mut homes = PrimaryMap::with_capacity(function.variables.len());
    for (id, variable) in function.variables.iter() {
        let cell = first[id];
        let array = |space| Array { name: variable.name.clone(), dims: variable.dims.clone(), space, offset: cell as u32 };
        homes.push(match (variable.dims.is_empty(), variable.role) {
            (true, Role::Input) => Home::Scalar(build.input(cell)),
            (true, _) => Home::Scalar(build.reg()),
            (false, Role::Input) => Home::Array(build.routine.arrays.push(array(Space::Input))),
            (false, Role::Output) => Home::Array(build.routine.arrays.push(array(Space::Output))),
            (false, Role::Local | Role::Auxiliary) => Home::Array(build.local(&variable.name, &variable.dims)),
        });
    }
    let end = build.label();
    let mut lowering =
        Lowering { function, functions, build, homes, cheap, exits: Vec::new(), end, done: Vec::new(), failures: Vec::new() };
    lowering.statements(&function.body)?;
    let Lowering { mut build, homes, failures, .. } = lowering;
    build.bind(end);
    for (id, variable) in function.variables.iter() {
        if let (Role::Output, Home::Scalar(reg)) = (variable.role, &homes[id]) {
            build.push(Op::Output(first[id] as u32, *reg));
        }
    }
    build.push(Op::Return);
    for (text, label) in failures {
        build.bind(label);
        let message = build.message(vec![TextPiece::Text(text)]);
        build.push(Op::Fail(message, Vec::new()));
    }
    Ok(build.routine)
}

/// Checks every value; tells which are a mere number or scalar.
fn check_values(function: &Function, functions: &FnTable) -> Result<SecondaryMap<ValueId, bool>, FunctionError> {
    let mut cheap = SecondaryMap::with_capacity(function.values.len());
    for (id, value) in function.values.iter() {
        let (operands, is_cheap): (Vec<ValueId>, bool) = match value {
            Value::Const(_) => (Vec::new(), true),
            Value::Read(target) => {
                check_target(function, target)?;
                (target.subscripts.clone(), target.subscripts.is_empty())
            }
            Value::Unary(_, a) => (vec![*a], false),
            Value::Binary(_, a, b) => (vec![*a, *b], false),
            Value::Select(c, a, b) => (vec![*c, *a, *b], false),
            Value::Call(callee, args, output) => {
                let n_outputs = check_call(function, functions, *callee, args.len())?;
                if *output as usize >= n_outputs {
                    let reason = format!("{} has no output number {output}", functions.name(*callee));
                    return Err(FunctionError::new(&function.name, reason));
                }
                (args.clone(), false)
            }
        };
        if let Some(operand) = operands.iter().find(|operand| **operand >= id) {
            return Err(FunctionError::new(&function.name, format!("value {id} reads {operand}, which comes later")));
        }
        cheap[id] = is_cheap;
    }
    Ok(cheap)
}

fn check_target(function: &Function, target: &Target) -> Result<(), FunctionError> {
    let Some(variable) = function.variables.get(target.variable) else {
        return Err(FunctionError::new(&function.name, format!("there is no variable {}", target.variable)));
    };
    if variable.dims.len() != target.subscripts.len() {
        let (has, got) = (variable.dims.len(), target.subscripts.len());
        let reason = format!("{} has {has} dimensions and is used with {got} subscripts", variable.name);
        return Err(FunctionError::new(&function.name, reason));
    }
    Ok(())
}

/// The number of outputs.
fn check_call(function: &Function, functions: &FnTable, callee: FnId, n_args: usize) -> Result<usize, FunctionError> {
    match functions.get(callee) {
        None => Err(FunctionError::new(&function.name, format!("it calls {callee}, which is not known yet"))),
        Some(def) if def.n_inputs != n_args => {
            let reason = format!("{} has {} inputs and is called with {n_args}", def.name, def.n_inputs);
            Err(FunctionError::new(&function.name, reason))
        }
        Some(def) => Ok(def.n_outputs),
    }
}

/// Where a variable lives.
enum Home {
    Scalar(Reg),
    Array(ArrayId),
}

/// What is still to be done for a value. Results are on a stack of registers.
enum Task {
    /// Evaluate and push the result.
    Eval(ValueId),
    /// All operands are on the stack: replace them by the result.
    Apply(ValueId),
    /// Pop a condition; jump when it does not hold.
    JumpIfNot(Label),
    Jump(Label),
    Bind(Label),
    /// Pop into a register.
    Into(Reg),
    /// Pop, and write to a register whether it is not 0.0.
    TruthInto(Reg),
    /// Pop, and write to a register whether it is 0.0.
    FalsehoodInto(Reg),
    /// Push a register.
    Push(Reg),
    /// Push the negation of a register.
    PushNot(Reg),
}

struct Lowering<'a> {
    function: &'a Function,
    functions: &'a FnTable,
    build: RoutineBuilder,
    homes: PrimaryMap<LocalId, Home>,
    cheap: SecondaryMap<ValueId, bool>,
    /// Where `break` goes, innermost last.
    exits: Vec<Label>,
    /// Where `return` goes.
    end: Label,
    /// Results of finished tasks.
    done: Vec<Reg>,
    /// Where the routine goes if something that it compares is not a number: what to say, and the label.
    failures: Vec<(String, Label)>,
}

impl Lowering<'_> {
    fn error<T>(&self, reason: impl Into<String>) -> Result<T, FunctionError> {
        Err(FunctionError::new(&self.function.name, reason))
    }

    fn statements(&mut self, body: &[Stmt]) -> Result<(), FunctionError> {
        body.iter().try_for_each(|stmt| self.statement(stmt))
    }

    /// A message as pieces; its values, computed, are appended in the order that the pieces take them.
    fn pieces(&mut self, parts: &[MessageFragment], values: &mut Vec<Reg>) -> Result<Vec<TextPiece>, FunctionError> {
        let mut pieces = Vec::with_capacity(parts.len());
        for part in parts {
            pieces.push(match part {
                MessageFragment::Text(text) => TextPiece::Text(text.clone()),
                MessageFragment::Value(value, format) => {
                    values.push(self.value(*value)?);
                    TextPiece::Value(format.clone())
                }
                MessageFragment::Either(condition, a, b) => {
                    values.push(self.value(*condition)?);
                    TextPiece::Either(self.pieces(a, values)?, self.pieces(b, values)?)
                }
            });
        }
        Ok(pieces)
    }

    fn statement(&mut self, stmt: &Stmt) -> Result<(), FunctionError> {
        match stmt {
            Stmt::Assign(target, value) => {
                let value = self.value(*value)?;
                self.assign(target, value)
            }
            Stmt::If(branches, otherwise) => {
                let end = self.build.label();
                for (condition, body) in branches {
                    let condition = self.value(*condition)?;
                    let next = self.build.label();
                    self.build.push(Op::JumpIfNot(condition, next));
                    self.statements(body)?;
                    self.build.push(Op::Jump(end));
                    self.build.bind(next);
                }
                self.statements(otherwise)?;
                self.build.bind(end);
                Ok(())
            }
            Stmt::While(condition, body) => {
                let (head, exit) = (self.build.label(), self.build.label());
                self.build.bind(head);
                self.build.push(Op::Tick);
                let condition = self.value(*condition)?;
                self.build.push(Op::JumpIfNot(condition, exit));
                self.repeat(body, head, exit)
            }
            Stmt::For { variable, start, step, stop, body } => self.for_loop(*variable, [*start, *step, *stop], body),
            Stmt::Break => match self.exits.last() {
                Some(exit) => {
                    self.build.push(Op::Jump(*exit));
                    Ok(())
                }
                None => self.error("break outside of a loop"),
            },
            Stmt::Return => {
                self.build.push(Op::Jump(self.end));
                Ok(())
            }
            Stmt::Assert { condition, message } => {
                let condition = self.value(*condition)?;
                let (failed, fine) = (self.build.label(), self.build.label());
                self.build.push(Op::JumpIfNot(condition, failed));
                self.build.push(Op::Jump(fine));
                self.build.bind(failed);
                let mut values = Vec::new();
                let pieces = self.pieces(message, &mut values)?;
                let message = self.build.message(pieces);
                self.build.push(Op::Fail(message, values));
                self.build.bind(fine);
                Ok(())
            }
            Stmt::Call { function, args, targets } => {
                let n_outputs = check_call(self.function, self.functions, *function, args.len())?;
                if targets.len() != n_outputs {
                    return self.error(format!("{} has {n_outputs} outputs", self.functions.name(*function)));
                }
                let args = args.iter().map(|arg| self.value(*arg)).collect::<Result<Vec<_>, _>>()?;
                let outs: Vec<Reg> = targets.iter().map(|_| self.build.reg()).collect();
                self.build.push(Op::Call(*function, args, outs.clone()));
                for (target, out) in targets.iter().zip(outs) {
                    if let Some(target) = target {
                        self.assign(target, out)?;
                    }
                }
                Ok(())
            }
        }
    }

    fn repeat(&mut self, body: &[Stmt], head: Label, exit: Label) -> Result<(), FunctionError> {
        self.exits.push(exit);
        self.statements(body)?;
        self.exits.pop();
        self.build.push(Op::Jump(head));
        self.build.bind(exit);
        Ok(())
    }

    fn for_loop(&mut self, variable: LocalId, range: [ValueId; 3], body: &[Stmt]) -> Result<(), FunctionError> {
        let reg = match (self.function.variables.get(variable), self.homes.get(variable)) {
            (Some(declared), Some(Home::Scalar(reg))) if matches!(declared.role, Role::Local | Role::Auxiliary) => *reg,
            _ => return self.error("the variable of a for loop is not a scalar of its own"),
        };
        let [start, step, stop] = range.map(|bound| self.value(bound));
        let [start, step, stop] = [self.keep(start?), self.keep(step?), self.keep(stop?)];
        let build = &mut self.build;
        // Round number k from 0 on has the value start + k*step; the last k is floor((stop - start)/step).
        let length = build.binary(Op2::Sub, stop, start);
        let quotient = build.binary(Op2::Div, length, step);
        let last = build.unary(Op1::Floor, quotient);
        let zero = build.constant(0.0);
        let moves = build.binary(Op2::Ne, step, zero);
        let is_number = build.binary(Op2::Eq, length, length);
        let fine = build.binary(Op2::And, moves, is_number);
        let (failed, ready) = (build.label(), build.label());
        build.push(Op::JumpIfNot(fine, failed));
        build.push(Op::Jump(ready));
        build.bind(failed);
        let pieces = [
            TextPiece::Text("the range ".to_string()),
            TextPiece::Value(Format::Plain(SlotType::Real)),
            TextPiece::Text(":".to_string()),
            TextPiece::Value(Format::Plain(SlotType::Real)),
            TextPiece::Text(":".to_string()),
            TextPiece::Value(Format::Plain(SlotType::Real)),
            TextPiece::Text(" of a for loop has no end".to_string()),
        ];
        let message = build.message(pieces.to_vec());
        build.push(Op::Fail(message, vec![start, step, stop]));
        build.bind(ready);
        let iteration = build.reg();
        build.push(Op::Copy(iteration, zero));
        let one = build.constant(1.0);
        let (head, exit) = (build.label(), build.label());
        build.bind(head);
        build.push(Op::Tick);
        let goes_on = build.binary(Op2::Le, iteration, last);
        build.push(Op::JumpIfNot(goes_on, exit));
        let distance = build.binary(Op2::Mul, iteration, step);
        let value = build.binary(Op2::Add, start, distance);
        build.push(Op::Copy(reg, value));
        let next = build.binary(Op2::Add, iteration, one);
        build.push(Op::Copy(iteration, next));
        self.repeat(body, head, exit)
    }

    /// A register of its own, because the statements that follow may change variables.
    fn keep(&mut self, value: Reg) -> Reg {
        let reg = self.build.reg();
        self.build.push(Op::Copy(reg, value));
        reg
    }

    fn assign(&mut self, target: &Target, value: Reg) -> Result<(), FunctionError> {
        check_target(self.function, target)?;
        let variable = &self.function.variables[target.variable];
        if variable.role == Role::Input {
            return self.error(format!("input {} is assigned", variable.name));
        }
        match self.homes[target.variable] {
            Home::Scalar(reg) if reg == value => {}
            Home::Scalar(reg) => self.build.push(Op::Copy(reg, value)),
            Home::Array(array) => {
                let computed = target.subscripts.iter().map(|subscript| self.subscript(*subscript)).collect::<Result<Vec<_>, _>>()?;
                let place = self.place(target, array, computed)?;
                self.build.push(Op::Write(place, value));
            }
        }
        Ok(())
    }

    /// The register of a subscript, unless it is a number.
    fn subscript(&mut self, subscript: ValueId) -> Result<Option<Reg>, FunctionError> {
        match self.function.values.get(subscript) {
            Some(Value::Const(_)) => Ok(None),
            _ => self.value(subscript).map(Some),
        }
    }

    fn place(&self, target: &Target, array: ArrayId, computed: Vec<Option<Reg>>) -> Result<ArrayElement, FunctionError> {
        let variable = &self.function.variables[target.variable];
        let mut subscripts = Vec::with_capacity(computed.len());
        for ((subscript, reg), size) in target.subscripts.iter().zip(computed).zip(&variable.dims) {
            subscripts.push(match (reg, self.function.values.get(*subscript)) {
                (Some(reg), _) => Index::Computed(reg),
                (None, Some(Value::Const(value))) if *value >= 1.0 && *value <= f64::from(*size) && *value == value.trunc() => {
                    Index::Known(*value as u32 - 1)
                }
                (None, value) => {
                    return self.error(format!("subscript {value:?} of {} is not in 1..{size}", variable.name));
                }
            });
        }
        Ok(ArrayElement { array, subscripts })
    }

    fn value(&mut self, value: ValueId) -> Result<Reg, FunctionError> {
        if !self.function.values.is_valid(value) {
            return self.error(format!("there is no value {value}"));
        }
        let mut tasks = vec![Task::Eval(value)];
        let base = self.done.len();
        // Ends: a task pushes only tasks for values with smaller ids, and a bounded number of others.
        while let Some(task) = tasks.pop() {
            match task {
                Task::Eval(value) => self.eval(value, &mut tasks),
                Task::Apply(value) => {
                    let result = self.apply(value)?;
                    self.done.push(result);
                }
                Task::JumpIfNot(label) => {
                    let condition = self.pop();
                    self.build.push(Op::JumpIfNot(condition, label));
                }
                Task::Jump(label) => self.build.push(Op::Jump(label)),
                Task::Bind(label) => self.build.bind(label),
                Task::Into(reg) => {
                    let value = self.pop();
                    self.build.push(Op::Copy(reg, value));
                }
                Task::TruthInto(reg) => {
                    let value = self.pop();
                    let zero = self.build.constant(0.0);
                    self.build.push(Op::Binary(Op2::Ne, reg, value, zero));
                }
                Task::FalsehoodInto(reg) => {
                    let value = self.pop();
                    self.build.push(Op::Unary(Op1::Not, reg, value));
                }
                Task::Push(reg) => self.done.push(reg),
                Task::PushNot(reg) => {
                    let not = self.build.unary(Op1::Not, reg);
                    self.done.push(not);
                }
            }
        }
        debug_assert_eq!(self.done.len(), base + 1);
        Ok(self.pop())
    }

    fn pop(&mut self) -> Reg {
        self.done.pop().unwrap_or_else(|| unreachable!("every task that pops follows one that pushes"))
    }

    /// Pushes the tasks of a value, last one first.
    fn eval(&mut self, value: ValueId, tasks: &mut Vec<Task>) {
        match &self.function.values[value] {
            Value::Select(c, a, b) if !(self.cheap[*a] && self.cheap[*b]) => {
                let (result, other, end) = (self.build.reg(), self.build.label(), self.build.label());
                tasks.extend([
                    Task::Push(result),
                    Task::Bind(end),
                    Task::Into(result),
                    Task::Eval(*b),
                    Task::Bind(other),
                    Task::Jump(end),
                    Task::Into(result),
                    Task::Eval(*a),
                    Task::JumpIfNot(other),
                    Task::Eval(*c),
                ]);
            }
            Value::Binary(Op2::And, a, b) if !self.cheap[*b] => {
                let (result, end) = (self.build.reg(), self.build.label());
                tasks.extend([
                    Task::Push(result),
                    Task::Bind(end),
                    Task::TruthInto(result),
                    Task::Eval(*b),
                    Task::JumpIfNot(end),
                    Task::Push(result),
                    Task::TruthInto(result),
                    Task::Eval(*a),
                ]);
            }
            // a or b is not (not a and not b): the jump that exists leaves when `not a` does not hold.
            Value::Binary(Op2::Or, a, b) if !self.cheap[*b] => {
                let (result, end) = (self.build.reg(), self.build.label());
                tasks.extend([
                    Task::PushNot(result),
                    Task::Bind(end),
                    Task::FalsehoodInto(result),
                    Task::Eval(*b),
                    Task::JumpIfNot(end),
                    Task::Push(result),
                    Task::FalsehoodInto(result),
                    Task::Eval(*a),
                ]);
            }
            node => {
                tasks.push(Task::Apply(value));
                match node {
                    Value::Const(_) => {}
                    Value::Read(target) => {
                        let constant = |subscript: &&ValueId| matches!(self.function.values[**subscript], Value::Const(_));
                        tasks.extend(target.subscripts.iter().rev().filter(|s| !constant(s)).map(|s| Task::Eval(*s)));
                    }
                    Value::Unary(_, a) => tasks.push(Task::Eval(*a)),
                    Value::Binary(_, a, b) => tasks.extend([Task::Eval(*b), Task::Eval(*a)]),
                    Value::Select(c, a, b) => tasks.extend([Task::Eval(*b), Task::Eval(*a), Task::Eval(*c)]),
                    Value::Call(_, args, _) => tasks.extend(args.iter().rev().map(|arg| Task::Eval(*arg))),
                }
            }
        }
    }

    /// Leaves the routine if a value is not a number.
    fn needs_number(&mut self, value: ValueId, reg: Reg) {
        let text = match &self.function.values[value] {
            Value::Const(number) if !number.is_nan() => return,
            Value::Binary(op, ..) if op.is_relation() || matches!(op, Op2::And | Op2::Or | Op2::Min | Op2::Max) => return,
            Value::Unary(Op1::Not, _) => return,
            Value::Read(target) if self.function.variables[target.variable].role != Role::Auxiliary => {
                format!("{} is not a number where {} compares it", self.function.variables[target.variable].name, self.function.name)
            }
            _ => format!("a value that {} compares is not a number", self.function.name),
        };
        let label = match self.failures.iter().find(|(known, _)| *known == text) {
            Some((_, label)) => *label,
            None => {
                let label = self.build.label();
                self.failures.push((text, label));
                label
            }
        };
        // Only what is not a number differs from itself.
        let is_number = self.build.binary(Op2::Eq, reg, reg);
        self.build.push(Op::JumpIfNot(is_number, label));
    }

    /// The value of a node whose operands' registers are on the stack.
    fn apply(&mut self, value: ValueId) -> Result<Reg, FunctionError> {
        Ok(match &self.function.values[value] {
            Value::Const(number) => self.build.constant(*number),
            Value::Read(target) => match self.homes[target.variable] {
                Home::Scalar(reg) => reg,
                Home::Array(array) => {
                    let mut computed = Vec::with_capacity(target.subscripts.len());
                    for subscript in target.subscripts.iter().rev() {
                        let constant = matches!(self.function.values[*subscript], Value::Const(_));
                        computed.push(if constant { None } else { Some(self.pop()) });
                    }
                    computed.reverse();
                    let place = self.place(target, array, computed)?;
                    let reg = self.build.reg();
                    self.build.push(Op::Read(reg, place));
                    reg
                }
            },
            Value::Unary(op, _) => {
                let a = self.pop();
                self.build.unary(*op, a)
            }
            Value::Binary(op, first, second) => {
                let b = self.pop();
                let a = self.pop();
                // `v == v` is how the translation itself asks for a number.
                if self.function.compares_numbers && (op.is_relation() || matches!(op, Op2::Min | Op2::Max)) && first != second {
                    self.needs_number(*first, a);
                    self.needs_number(*second, b);
                }
                self.build.binary(*op, a, b)
            }
            Value::Select(..) => {
                let b = self.pop();
                let a = self.pop();
                let c = self.pop();
                self.build.select(c, a, b)
            }
            Value::Call(function, args, output) => {
                let args = self.done.split_off(self.done.len() - args.len());
                let n_outputs = self.functions.get(*function).map_or(0, |def| def.n_outputs);
                let outs: Vec<Reg> = (0..n_outputs).map(|_| self.build.reg()).collect();
                let result = outs[*output as usize];
                self.build.push(Op::Call(*function, args, outs));
                result
            }
        })
    }
}
