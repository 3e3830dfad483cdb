//! Makes the tangent code of a list of assignments: exact forward-mode differentiation.
//!
//! Input: assignments `slot := expression` in the order of the primal code, which variables have tangents, and the functions'
//! derivatives. Output: code that runs after the primal code on the same memory, reads tangents of variables from the second
//! array and writes there, at the position of each assigned slot, the tangent of its expression.
//!
//! Method: one walk per expression with an explicit stack; a tangent that is zero whatever the numbers are is not computed
//! at all. Values of the primal code are loaded from the slots it wrote and computed again only where it stored nothing.
//! The rules are those of `chain`; conditions, relations and rounding have no tangent.
//! Guarantees: each assigned slot's tangent is written, zero included.
//! Cost: linear in the number of distinct expressions reached.

use super::code::{Code, Val};
use super::dead::remove_dead;
use super::emit::Emitter;
use super::guard::guard_calls;
use crate::base::ids::{ExprId, FnId, VarId};
use crate::equations::expr::rules::{self, Arithmetic, Dual, is_smooth1, is_smooth2};
use crate::equations::expr::{Arena, Node};
use crate::equations::function::table::{Derivative, FnTable};
use cranelift_entity::EntityRef;
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::plan::Slot;
use rustc_hash::FxHashMap;
use std::fmt;

/// Why there is no tangent code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TangentError {
    /// The function has no derivative: `FnTable::derive` was not called, or could not make one.
    NoDerivative {
        /// The function.
        function: FnId,
        /// Its name.
        name: String,
    },
    /// The assignments read a slot before they write it, so that the memory no longer holds the value read.
    ReadBeforeWritten(Slot),
    /// Two assignments write one slot.
    WrittenTwice(Slot),
}

impl fmt::Display for TangentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TangentError::NoDerivative { name, .. } => write!(f, "function {name} has no derivative"),
            TangentError::ReadBeforeWritten(slot) => write!(f, "slot {slot} is read before it is written"),
            TangentError::WrittenTwice(slot) => write!(f, "slot {slot} is written twice"),
        }
    }
}

impl std::error::Error for TangentError {}

/// What was computed before the assignments.
#[derive(Copy, Clone, Default)]
pub struct Prepared<'a> {
    /// Slots that hold the values of expressions.
    pub values: &'a [(Slot, ExprId)],
    /// The second array holds their tangents, at the positions of the slots; otherwise their tangents are found as those of others.
    pub has_tangents: bool,
}

/// The tangent code of `assignments`. Variables that are neither `active` nor assigned have zero tangents.
pub fn tangent(
    arena: &Arena,
    assignments: &[(Slot, ExprId)],
    prepared: Prepared<'_>,
    slot_of: &dyn Fn(VarId) -> Slot,
    active: &dyn Fn(VarId) -> bool,
    functions: &FnTable,
) -> Result<Code, TangentError> {
    let mut walk = Walk {
        arena,
        slot_of,
        active,
        functions,
        emit: Emitter::new(arena, slot_of),
        tangent_of: FxHashMap::default(),
        assigned: FxHashMap::default(),
        stack: Vec::new(),
    };
    for (slot, expr) in prepared.values {
        walk.emit.assume_stored(*expr, *slot);
        if prepared.has_tangents {
            let tangent = walk.emit.load_out(slot.index() as u32);
            walk.tangent_of.insert(*expr, Some(tangent));
        }
    }
    for (slot, _) in assignments {
        if walk.assigned.insert(*slot, Assigned::Later).is_some() {
            return Err(TangentError::WrittenTwice(*slot));
        }
        walk.emit.forbid(*slot);
    }
    for (slot, expr) in assignments {
        if !matches!(arena.node(*expr), Node::Var(_) | Node::Const(_)) {
            walk.emit.assume_stored(*expr, *slot);
        }
        let tangent = walk.tangent(*expr)?;
        walk.emit.permit(*slot);
        walk.assigned.insert(*slot, Assigned::Done(tangent));
        let stored = walk.emit_or_zero(tangent);
        walk.emit.store_out_value(slot.index() as u32, stored);
    }
    match walk.emit.violation() {
        Some(slot) => Err(TangentError::ReadBeforeWritten(slot)),
        None => Ok(guard_calls(remove_dead(walk.emit.finish_unguarded()))),
    }
}

/// What is known of the tangent of a slot that the assignments write. The inner `None` is zero.
#[derive(Copy, Clone)]
enum Assigned {
    Later,
    Done(Option<Val>),
}

struct Walk<'a> {
    arena: &'a Arena,
    slot_of: &'a dyn Fn(VarId) -> Slot,
    active: &'a dyn Fn(VarId) -> bool,
    functions: &'a FnTable,
    emit: Emitter<'a>,
    /// Tangents of expressions; `None` is zero.
    tangent_of: FxHashMap<ExprId, Option<Val>>,
    assigned: FxHashMap<Slot, Assigned>,
    stack: Vec<ExprId>,
}

impl Arithmetic for Emitter<'_> {
    type Value = Val;

    fn constant(&mut self, value: f64) -> Val {
        Emitter::constant(self, value)
    }

    fn unary(&mut self, op: Op1, a: Val) -> Val {
        Emitter::unary(self, op, a)
    }

    fn binary(&mut self, op: Op2, a: Val, b: Val) -> Val {
        Emitter::binary(self, op, a, b)
    }

    fn select(&mut self, c: Val, a: Val, b: Val) -> Val {
        Emitter::select(self, c, a, b)
    }
}

impl<'a> Walk<'a> {
    fn tangent(&mut self, expr: ExprId) -> Result<Option<Val>, TangentError> {
        self.stack.push(expr);
        // Ends: an expression is visited again only after its operands, which have smaller ids, have got tangents.
        while let Some(&top) = self.stack.last() {
            if self.tangent_of.contains_key(&top) {
                self.stack.pop();
                continue;
            }
            let depth = self.stack.len();
            self.push_differentiated(top);
            if self.stack.len() == depth {
                let tangent = self.node_tangent(top)?;
                self.tangent_of.insert(top, tangent);
                self.stack.pop();
            }
        }
        Ok(self.tangent_of[&expr])
    }

    /// Pushes the operands whose tangents are needed and not known.
    fn push_differentiated(&mut self, expr: ExprId) {
        let Walk { arena, stack, tangent_of, emit, .. } = self;
        let mut need = |operand: ExprId| {
            if !tangent_of.contains_key(&operand) {
                stack.push(operand);
            }
        };
        match arena.node(expr) {
            Node::Const(_) | Node::Var(_) => {}
            Node::Unary(op, a) => {
                if is_smooth1(op) {
                    need(a);
                }
            }
            Node::Binary(op, a, b) => {
                if is_smooth2(op) {
                    need(b);
                    need(a);
                }
            }
            Node::Select(c, a, b) => {
                // Before the branches, so that calls in them can be guarded; removed again if no tangent needs it.
                emit.value(c);
                need(b);
                need(a);
            }
            Node::Call(_, args, _) => emit.arg_list(args).into_iter().rev().for_each(need),
            Node::Arg(..) => unreachable!("an argument list {expr} is not a value"),
        }
    }

    fn emit_or_zero(&mut self, tangent: Option<Val>) -> Val {
        rules::or_zero(&mut self.emit, tangent)
    }

    fn node_tangent(&mut self, expr: ExprId) -> Result<Option<Val>, TangentError> {
        Ok(match self.arena.node(expr) {
            Node::Const(_) => None,
            Node::Var(var) => {
                let slot = (self.slot_of)(var);
                match self.assigned.get(&slot) {
                    Some(Assigned::Later) => return Err(TangentError::ReadBeforeWritten(slot)),
                    Some(Assigned::Done(tangent)) => *tangent,
                    None if (self.active)(var) => Some(self.emit.load_out(slot.index() as u32)),
                    None => None,
                }
            }
            Node::Unary(op, a) if is_smooth1(op) => match self.tangent_of[&a] {
                Some(da) => rules::unary(&mut self.emit, op, &|emit| emit.value(a), &|emit| emit.value(expr), da),
                None => None,
            },
            Node::Unary(..) => None,
            Node::Binary(op, a, b) if is_smooth2(op) => {
                let left = Dual { value: &|emit: &mut Emitter<'_>| emit.value(a), tangent: self.tangent_of[&a] };
                let right = Dual { value: &|emit: &mut Emitter<'_>| emit.value(b), tangent: self.tangent_of[&b] };
                let exponent = self.arena.as_constant(b);
                rules::binary(&mut self.emit, op, &left, &right, &|emit| emit.value(expr), exponent)
            }
            Node::Binary(..) => None,
            Node::Select(c, a, b) => match (self.tangent_of[&a], self.tangent_of[&b]) {
                (None, None) => None,
                (da, db) => {
                    let c = self.emit.value(c);
                    let (da, db) = (self.emit_or_zero(da), self.emit_or_zero(db));
                    Some(self.emit.select(c, da, db))
                }
            },
            Node::Call(function, args, output) => self.call(function, args, output)?,
            Node::Arg(..) => unreachable!("an argument list {expr} is not a value"),
        })
    }

    fn call(&mut self, function: FnId, args: Option<ExprId>, output: u32) -> Result<Option<Val>, TangentError> {
        let args = self.emit.arg_list(args);
        if args.iter().all(|arg| self.tangent_of[arg].is_none()) {
            return Ok(None);
        }
        let derivative = match self.functions.derivative(function) {
            Derivative::Zero => return Ok(None),
            Derivative::Function(derivative) => derivative,
            Derivative::Unknown | Derivative::FiniteDifference => {
                return Err(TangentError::NoDerivative { function, name: self.functions.name(function).to_string() });
            }
        };
        let mut vals: Vec<Val> = args.iter().map(|arg| self.emit.value(*arg)).collect();
        // Of the directions of a Jacobian most do not concern a function: it is called only where its arguments move.
        let zero = self.emit.constant(0.0);
        let mut moves = None;
        for arg in &args {
            let tangent = self.tangent_of[arg];
            if let Some(tangent) = tangent {
                let differs = self.emit.binary(Op2::Ne, tangent, zero);
                moves = Some(moves.map_or(differs, |before| self.emit.binary(Op2::Or, before, differs)));
            }
            vals.push(tangent.unwrap_or(zero));
        }
        let call = self.emit.call(derivative, vals);
        let result = self.emit.result(call, output);
        Ok(Some(moves.map_or(result, |moves| self.emit.select(moves, result, zero))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::code::Instr;
    use crate::program::interp::Interpreter;
    use cranelift_entity::PrimaryMap;
    use partita_runtime::abi::{Environment, Kernels};

    fn slot_of(var: VarId) -> Slot {
        Slot::new(var.index())
    }

    /// Values and tangents of `assignments` at `memory` in a direction.
    fn run(arena: &Arena, assignments: &[(Slot, ExprId)], n: usize, x: &[f64], dx: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let functions = FnTable::default();
        let mut emit = Emitter::new(arena, &slot_of);
        for (slot, expr) in assignments {
            emit.store(*slot, *expr);
        }
        let mut codes = PrimaryMap::new();
        let primal = codes.push(emit.finish());
        let active = |var: VarId| var.index() < x.len();
        let tangent = codes.push(tangent(arena, assignments, Prepared::default(), &slot_of, &active, &functions).unwrap());
        let kernels = Interpreter::new(codes, functions).unwrap();
        let mut memory = x.to_vec();
        memory.resize(n, f64::NAN);
        let mut out = dx.to_vec();
        out.resize(n, f64::NAN);
        let mut environment = Environment::default();
        kernels.call(primal, &mut memory, &mut [], &mut environment).unwrap();
        kernels.call(tangent, &mut memory, &mut out, &mut environment).unwrap();
        (memory, out)
    }

    #[test]
    fn every_operation_agrees_with_central_differences() {
        use Op1::*;
        use Op2::*;
        for point in [[0.4, 0.7], [0.8, 0.3], [0.55, -0.2]] {
            let direction = [1.0, -0.5];
            let mut arena = Arena::default();
            let [a, b] = [0, 1].map(|i| arena.var(VarId::new(i)));
            let mut exprs = Vec::new();
            for op in [Neg, Not, Abs, Sign, Sqrt, Sin, Cos, Tan, Asin, Acos, Atan, Sinh, Cosh, Tanh, Exp, Log, Log10, Floor, Ceil, Trunc] {
                exprs.push(arena.intern(Node::Unary(op, a)));
            }
            exprs.push(arena.intern(Node::Unary(Abs, b)));
            for op in [Add, Sub, Mul, Div, Pow, Atan2, Min, Max, Lt, Le, Gt, Ge, Eq, Ne, And, Or] {
                exprs.push(arena.intern(Node::Binary(op, a, b)));
            }
            for exponent in [-1.5, 0.0, 0.5, 1.0, 2.0, 3.0] {
                let p = arena.constant(exponent);
                exprs.push(arena.intern(Node::Binary(Pow, a, p)));
            }
            let less = arena.intern(Node::Binary(Lt, a, b));
            let product = arena.intern(Node::Binary(Mul, a, b));
            exprs.push(arena.intern(Node::Select(less, product, a)));
            let assignments: Vec<_> = exprs.iter().enumerate().map(|(i, e)| (Slot::new(i + 2), *e)).collect();
            let n = assignments.len() + 2;
            let h = 1e-6;
            let moved = |s: f64| [point[0] + s * h * direction[0], point[1] + s * h * direction[1]];
            let (_, tangents) = run(&arena, &assignments, n, &point, &direction);
            let (high, _) = run(&arena, &assignments, n, &moved(1.0), &direction);
            let (low, _) = run(&arena, &assignments, n, &moved(-1.0), &direction);
            for (slot, expr) in &assignments {
                let i = slot.index();
                let difference = (high[i] - low[i]) / (2.0 * h);
                assert!(
                    (tangents[i] - difference).abs() < 1e-7 * (1.0 + difference.abs()),
                    "{:?}: {} {difference}",
                    arena.node(*expr),
                    tangents[i]
                );
            }
        }
    }

    #[test]
    fn infinite_slopes_in_zero_directions_are_zero() {
        let mut arena = Arena::default();
        let [a, b] = [0, 1].map(|i| arena.var(VarId::new(i)));
        let half = arena.constant(0.5);
        let root = arena.intern(Node::Unary(Op1::Sqrt, a));
        let power = arena.intern(Node::Binary(Op2::Pow, a, half));
        let general = arena.intern(Node::Binary(Op2::Pow, a, b));
        let assignments = [root, power, general].into_iter().enumerate().map(|(i, e)| (Slot::new(i + 2), e)).collect::<Vec<_>>();
        let (_, tangents) = run(&arena, &assignments, 5, &[0.0, 0.5], &[0.0, 1.0]);
        assert_eq!(tangents[2..], [0.0, 0.0, 0.0]);
        let (_, tangents) = run(&arena, &assignments, 5, &[0.0, 0.5], &[1.0, 1.0]);
        assert_eq!(tangents[2], f64::INFINITY);
    }

    #[test]
    fn tangents_chain_through_assigned_slots_and_skip_inactive_variables() {
        let mut arena = Arena::default();
        let [x, p, y] = [0, 1, 2].map(|i| arena.var(VarId::new(i)));
        let px = arena.intern(Node::Binary(Op2::Mul, p, x));
        let square = arena.intern(Node::Binary(Op2::Mul, y, y));
        let sine = arena.intern(Node::Unary(Op1::Sin, p));
        let assignments = [(Slot::new(2), px), (Slot::new(3), square), (Slot::new(4), sine)];
        let functions = FnTable::default();
        let code = tangent(&arena, &assignments, Prepared::default(), &slot_of, &|v| v == VarId::new(0), &functions).unwrap();
        assert!(!code.instrs.values().any(|instr| matches!(instr, Instr::Unary(..) | Instr::LoadOut(1))));
        let mut codes = PrimaryMap::new();
        let kernel = codes.push(code);
        let kernels = Interpreter::new(codes, functions).unwrap();
        let mut memory = [3.0, 2.0, 6.0, 36.0, 0.0];
        let mut out = [1.0, f64::NAN, f64::NAN, f64::NAN, f64::NAN];
        kernels.call(kernel, &mut memory, &mut out, &mut Environment::default()).unwrap();
        assert_eq!(out[2..], [2.0, 24.0, 0.0]);
    }

    #[test]
    fn tangents_pass_through_called_functions_and_only_where_they_are_called() {
        use crate::equations::function::structured::{Function, MessageFragment, Role, Stmt};
        let mut root = Function::new("root");
        let input = root.variable("x", &[], Role::Input);
        let output = root.variable("y", &[], Role::Output);
        let (read, zero) = (root.read(input, &[]), root.constant(0.0));
        let positive = root.binary(Op2::Gt, read, zero);
        let value = root.unary(Op1::Sqrt, read);
        let message = vec![MessageFragment::Text("not positive".to_string())];
        root.body = vec![Stmt::Assert { condition: positive, message }, Function::assign(output, &[], value)];
        let mut functions = FnTable::default();
        let root = functions.push(&root).unwrap();
        let mut arena = Arena::default();
        let x = arena.var(VarId::new(0));
        let args = arena.args(&[x]);
        let call = arena.intern(Node::Call(root, args, 0));
        let zero = arena.constant(0.0);
        let positive = arena.intern(Node::Binary(Op2::Gt, x, zero));
        let branch = arena.intern(Node::Select(positive, call, zero));
        let assignments = [(Slot::new(1), branch)];
        let missing = tangent(&arena, &assignments, Prepared::default(), &slot_of, &|_| true, &functions).unwrap_err();
        assert_eq!(missing, TangentError::NoDerivative { function: root, name: "root".to_string() });
        assert!(functions.derive_all().is_empty());
        let mut codes = PrimaryMap::new();
        let kernel = codes.push(tangent(&arena, &assignments, Prepared::default(), &slot_of, &|_| true, &functions).unwrap());
        let kernels = Interpreter::new(codes, functions).unwrap();
        for (x, y, expected) in [(4.0, 2.0, 0.25), (-4.0, 0.0, 0.0)] {
            let mut out = [1.0, f64::NAN];
            kernels.call(kernel, &mut [x, y], &mut out, &mut Environment::default()).unwrap();
            assert_eq!(out[1], expected);
        }
    }

    #[test]
    fn a_value_overwritten_before_the_tangent_runs_is_refused() {
        let mut arena = Arena::default();
        let [x, y] = [0, 1].map(|i| arena.var(VarId::new(i)));
        let zero = arena.constant(0.0);
        let positive = arena.intern(Node::Binary(Op2::Gt, x, zero));
        let branch = arena.intern(Node::Select(positive, y, zero));
        let functions = FnTable::default();
        let assignments = [(Slot::new(0), branch)];
        let error = tangent(&arena, &assignments, Prepared::default(), &slot_of, &|_| true, &functions).unwrap_err();
        assert_eq!(error, TangentError::ReadBeforeWritten(Slot::new(0)));
    }
}
