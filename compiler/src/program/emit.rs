//! Makes straight-line code from hash-consed expressions.
//!
//! Input: expressions of an arena and the slot of each variable, in the order in which they are to be stored. Output: a
//! `Code` in which every common subexpression is computed once.
//!
//! Method: walks with an explicit stack; a value is known by its expression, and by its operation and operands, so that
//! values survive even when an assignment makes what is known of expressions out of date. A variable that was stored or
//! loaded is not loaded again.
//! Guarantees: operands precede their uses; operations on two numbers are done here, through `runtime::math`, and so give
//! the same bits as later.
//! Cost: linear in the number of distinct expressions reached.

use super::code::{Code, Instr, Val};
use super::guard::guard_calls;
use super::sites::{Noted, Slots, note_sites};
use crate::base::ids::{ExprId, FnId, VarId};
use crate::equations::expr::{Arena, Node};
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::plan::Slot;
use rustc_hash::{FxHashMap, FxHashSet};

/// What makes two instructions compute the same value.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Const(u64),
    LoadOut(u32),
    Unary(Op1, Val),
    Binary(Op2, Val, Val),
    Select(Val, Val, Val),
    Call(FnId, Vec<Val>),
    Result(Val, u32),
}

/// Builds one `Code`.
pub struct Emitter<'a> {
    arena: &'a Arena,
    slot_of: &'a dyn Fn(VarId) -> Slot,
    code: Code,
    /// Values of expressions; emptied when a slot that was already read is written.
    val_of: FxHashMap<ExprId, Val>,
    /// The present value of slots that were loaded or stored.
    present: FxHashMap<Slot, Val>,
    /// Values by what computes them. Values never change, so this is never out of date.
    numbered: FxHashMap<Key, Val>,
    /// Expressions whose values lie in slots although this code did not put them there.
    stored: FxHashMap<ExprId, Slot>,
    /// Slots that must not be loaded, see `Emitter::forbid`.
    forbidden: FxHashSet<Slot>,
    violation: Option<Slot>,
    /// The expressions of relations, extrema and choices, for messages.
    meaning: FxHashMap<Val, ExprId>,
    /// Relations that nobody wrote.
    internal: FxHashSet<Val>,
    stack: Vec<ExprId>,
}

impl<'a> Emitter<'a> {
    /// An empty code. `slot_of` gives the slot of every variable that the expressions read.
    pub fn new(arena: &'a Arena, slot_of: &'a dyn Fn(VarId) -> Slot) -> Emitter<'a> {
        Emitter {
            arena,
            slot_of,
            code: Code::default(),
            val_of: FxHashMap::default(),
            present: FxHashMap::default(),
            numbered: FxHashMap::default(),
            stored: FxHashMap::default(),
            forbidden: FxHashSet::default(),
            violation: None,
            meaning: FxHashMap::default(),
            internal: FxHashSet::default(),
            stack: Vec::new(),
        }
    }

    /// The value of an expression.
    pub fn value(&mut self, expr: ExprId) -> Val {
        if let Some(val) = self.val_of.get(&expr) {
            return *val;
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(expr);
        // Ends: an expression is pushed again only after its operands, which have smaller ids, have got values.
        while let Some(&top) = stack.last() {
            if self.val_of.contains_key(&top) {
                stack.pop();
                continue;
            }
            if let Some(slot) = self.stored.get(&top).copied() {
                let val = self.load_stored(slot);
                self.val_of.insert(top, val);
                stack.pop();
                continue;
            }
            let depth = stack.len();
            let mut args = match self.arena.node(top) {
                Node::Call(_, args, _) => args,
                // The branch that is not taken may be a call that fails.
                Node::Select(c, a, b) if self.decided(c).is_some() => {
                    let taken = if self.decided(c) == Some(true) { a } else { b };
                    match self.val_of.get(&taken).copied() {
                        Some(val) => {
                            self.val_of.insert(top, val);
                        }
                        None => stack.push(taken),
                    }
                    continue;
                }
                Node::Select(c, ..) if !self.val_of.contains_key(&c) => {
                    stack.push(c);
                    continue;
                }
                _ => {
                    stack.extend(self.arena.operands(top).filter(|operand| !self.val_of.contains_key(operand)));
                    None
                }
            };
            while let Some((arg, rest)) = args.and_then(|list| self.arg(list)) {
                if !self.val_of.contains_key(&arg) {
                    stack.push(arg);
                }
                args = rest;
            }
            if stack.len() > depth {
                // The first operand is computed first: a condition before its branches.
                stack[depth..].reverse();
                continue;
            }
            let val = self.node_value(top);
            if let Node::Binary(..) | Node::Select(..) = self.arena.node(top) {
                self.meaning.entry(val).or_insert(top);
            }
            self.val_of.insert(top, val);
            stack.pop();
        }
        self.stack = stack;
        self.val_of[&expr]
    }

    /// The value of a condition that is known now.
    fn decided(&self, condition: ExprId) -> Option<bool> {
        self.val_of.get(&condition).and_then(|val| self.as_constant(*val)).map(|value| value != 0.0)
    }

    /// One link of an argument list.
    fn arg(&self, list: ExprId) -> Option<(ExprId, Option<ExprId>)> {
        match self.arena.node(list) {
            Node::Arg(arg, rest) => Some((arg, rest)),
            _ => None,
        }
    }

    /// The expressions of an argument list.
    pub(super) fn arg_list(&self, mut args: Option<ExprId>) -> Vec<ExprId> {
        let mut list = Vec::new();
        while let Some((arg, rest)) = args.and_then(|list| self.arg(list)) {
            list.push(arg);
            args = rest;
        }
        list
    }

    /// The value of a node whose operands have values.
    fn node_value(&mut self, expr: ExprId) -> Val {
        match self.arena.node(expr) {
            Node::Const(bits) => self.constant(f64::from_bits(bits)),
            Node::Var(var) => self.load((self.slot_of)(var)),
            Node::Unary(op, a) => self.unary(op, self.val_of[&a]),
            Node::Binary(op, a, b) => self.binary(op, self.val_of[&a], self.val_of[&b]),
            Node::Select(c, a, b) => self.select(self.val_of[&c], self.val_of[&a], self.val_of[&b]),
            Node::Call(function, args, output) => {
                let args = self.arg_list(args).into_iter().map(|arg| self.val_of[&arg]).collect();
                let call = self.call(function, args);
                self.result(call, output)
            }
            Node::Arg(..) => unreachable!("an argument list {expr} is not a value"),
        }
    }

    /// Writes an expression to a slot. Later reads of variables of this slot use its value.
    pub fn store(&mut self, slot: Slot, expr: ExprId) {
        let val = self.value(expr);
        self.store_value(slot, val);
    }

    /// Writes an expression to a position of the second array.
    pub fn store_out(&mut self, position: u32, expr: ExprId) {
        let val = self.value(expr);
        self.store_out_value(position, val);
    }

    /// Writes a value to a slot.
    pub fn store_value(&mut self, slot: Slot, val: Val) {
        if let Some(old) = self.present.insert(slot, val)
            && old != val
        {
            // Some known expression may have read the old value.
            self.val_of = FxHashMap::default();
        }
        self.code.instrs.push(Instr::Store(slot, val));
    }

    /// Writes a value to a position of the second array.
    pub fn store_out_value(&mut self, position: u32, val: Val) {
        self.code.instrs.push(Instr::StoreOut(position, val));
        self.numbered.insert(Key::LoadOut(position), val);
    }

    /// The value of a slot.
    pub fn load(&mut self, slot: Slot) -> Val {
        if self.forbidden.contains(&slot) {
            self.violation.get_or_insert(slot);
        }
        self.load_stored(slot)
    }

    fn load_stored(&mut self, slot: Slot) -> Val {
        if let Some(val) = self.present.get(&slot) {
            return *val;
        }
        let val = self.code.instrs.push(Instr::Load(slot));
        self.present.insert(slot, val);
        val
    }

    /// The value at a position of the second array.
    pub fn load_out(&mut self, position: u32) -> Val {
        self.number(Key::LoadOut(position), Instr::LoadOut(position))
    }

    /// A number.
    pub fn constant(&mut self, value: f64) -> Val {
        self.number(Key::Const(value.to_bits()), Instr::Const(value))
    }

    /// The number, if the value is one.
    pub fn as_constant(&self, val: Val) -> Option<f64> {
        match self.code.instrs[val] {
            Instr::Const(value) => Some(value),
            _ => None,
        }
    }

    /// An operation of one operand.
    pub fn unary(&mut self, op: Op1, a: Val) -> Val {
        match self.as_constant(a) {
            Some(value) => self.constant(op.eval(value)),
            None => self.number(Key::Unary(op, a), Instr::Unary(op, a)),
        }
    }

    /// An operation of two operands.
    pub fn binary(&mut self, op: Op2, a: Val, b: Val) -> Val {
        match (self.as_constant(a), self.as_constant(b)) {
            // A decision about what is not a number is left to the run, which reports it.
            (Some(left), Some(right)) if !(left.is_nan() || right.is_nan()) => self.constant(op.eval(left, right)),
            _ => self.number(Key::Binary(op, a, b), Instr::Binary(op, a, b)),
        }
    }

    /// `if c then a else b`.
    pub fn select(&mut self, c: Val, a: Val, b: Val) -> Val {
        match self.as_constant(c) {
            Some(condition) => {
                if condition != 0.0 {
                    a
                } else {
                    b
                }
            }
            None => self.number(Key::Select(c, a, b), Instr::Select(c, a, b)),
        }
    }

    /// A call. Its outputs are read by `result`; calls of the same function with the same arguments are one call.
    pub fn call(&mut self, function: FnId, args: Vec<Val>) -> Val {
        self.number(Key::Call(function, args.clone()), Instr::Call(function, args))
    }

    /// An output of a call.
    pub fn result(&mut self, call: Val, output: u32) -> Val {
        self.number(Key::Result(call, output), Instr::Result(call, output))
    }

    fn number(&mut self, key: Key, instr: Instr) -> Val {
        *self.numbered.entry(key).or_insert_with(|| self.code.instrs.push(instr))
    }

    /// The value of `expr` lies in `slot` already, even while the slot is forbidden to variables.
    pub(super) fn assume_stored(&mut self, expr: ExprId, slot: Slot) {
        self.stored.insert(expr, slot);
    }

    /// Notes when the slot is loaded before `permit`: its content would not be the value meant.
    pub(super) fn forbid(&mut self, slot: Slot) {
        self.forbidden.insert(slot);
    }

    /// From here on the slot may be loaded.
    pub(super) fn permit(&mut self, slot: Slot) {
        self.forbidden.remove(&slot);
    }

    /// The first forbidden slot that was loaded.
    pub(super) fn violation(&self) -> Option<Slot> {
        self.violation
    }

    /// The code.
    pub fn finish(self) -> Code {
        guard_calls(self.code)
    }

    /// The code with the sites at which it decides something by what may be not a number, and the expressions that meet them.
    pub(super) fn finish_noted(self, slots: &Slots<'_>, new_slot: &mut dyn FnMut() -> Slot) -> (Noted, FxHashMap<Val, ExprId>) {
        let Emitter { code, meaning, internal, .. } = self;
        let noted = note_sites(code, &internal, slots, new_slot);
        (Noted { code: guard_calls(noted.code), exact: noted.exact.map(guard_calls), ..noted }, meaning)
    }

    /// Says that nobody wrote this relation: what it compares is compared elsewhere, too.
    pub(super) fn note_internal(&mut self, relation: Val) {
        self.internal.insert(relation);
    }

    /// The code with calls in branches as they are.
    pub(super) fn finish_unguarded(self) -> Code {
        self.code
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equations::function::table::FnTable;
    use crate::program::print::print;
    use cranelift_entity::EntityRef;

    fn slot_of(var: VarId) -> Slot {
        Slot::new(var.index())
    }

    #[test]
    fn computes_common_subexpressions_once_and_reads_stored_variables_without_loading() {
        let mut arena = Arena::default();
        let [x, y] = [0, 1].map(|i| arena.var(VarId::new(i)));
        let sum = arena.intern(Node::Binary(Op2::Add, x, x));
        let sine = arena.intern(Node::Unary(Op1::Sin, sum));
        let product = arena.intern(Node::Binary(Op2::Mul, sine, y));
        let mut emit = Emitter::new(&arena, &slot_of);
        emit.store(Slot::new(1), sine);
        emit.store(Slot::new(2), product);
        let text = print(&emit.finish(), &FnTable::default(), &|_| None);
        assert_eq!(text, "%0 = s0\n%1 = Add %0, %0\n%2 = Sin %1\ns1 := %2\n%4 = Mul %2, %2\ns2 := %4\n");
    }

    #[test]
    fn an_expression_read_again_after_its_variable_changed_is_computed_again() {
        let mut arena = Arena::default();
        let x = arena.var(VarId::new(0));
        let one = arena.constant(1.0);
        let next = arena.intern(Node::Binary(Op2::Add, x, one));
        let mut emit = Emitter::new(&arena, &slot_of);
        emit.store(Slot::new(0), next);
        emit.store(Slot::new(0), next);
        let text = print(&emit.finish(), &FnTable::default(), &|_| None);
        assert_eq!(text, "%0 = s0\n%1 = 1.0\n%2 = Add %0, %1\ns0 := %2\n%4 = Add %2, %1\ns0 := %4\n");
    }

    #[test]
    fn outputs_of_one_call_share_it_and_a_call_in_a_branch_is_guarded() {
        let mut arena = Arena::default();
        let x = arena.var(VarId::new(0));
        let args = arena.args(&[x, x]);
        let [first, second] = [0, 1].map(|k| arena.intern(Node::Call(FnId::new(0), args, k)));
        let zero = arena.constant(0.0);
        let sum = arena.intern(Node::Binary(Op2::Add, first, second));
        let positive = arena.intern(Node::Binary(Op2::Gt, x, zero));
        let branch = arena.intern(Node::Select(positive, zero, sum));
        let mut emit = Emitter::new(&arena, &slot_of);
        emit.store(Slot::new(1), branch);
        let text = print(&emit.finish(), &FnTable::default(), &|_| None);
        let expected = "%0 = s0\n%1 = 0.0\n%2 = Gt %0, %1\n%3 = Not %2\n%4 = if %3 then fn0(%0, %0)\n%5 = %4[0]\n%6 = %4[1]\n\
                        %7 = Add %5, %6\n%8 = if %2 then %1 else %7\ns1 := %8\n";
        assert_eq!(text, expected);
        let mut emit = Emitter::new(&arena, &slot_of);
        emit.store(Slot::new(1), branch);
        emit.store(Slot::new(2), first);
        assert!(!emit.finish().instrs.values().any(|instr| matches!(instr, Instr::GuardedCall(..))));
    }

    #[test]
    fn deep_expressions_need_no_stack() {
        let mut arena = Arena::default();
        let mut e = arena.var(VarId::new(0));
        for _ in 0..300_000 {
            e = arena.intern(Node::Unary(Op1::Neg, e));
        }
        let mut emit = Emitter::new(&arena, &slot_of);
        emit.store(Slot::new(1), e);
        assert_eq!(emit.finish().instrs.len(), 300_002);
    }
}
