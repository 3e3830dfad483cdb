//! Scalar expressions, hash-consed: equal expressions have equal ids, so equality is id equality.
//!
//! A node's operands always have smaller ids than the node, so a pass over all nodes in id order visits operands first,
//! and no walk needs recursion. Booleans and Integers are doubles (`runtime::math`). `time`, derivatives, `pre` values and
//! relations are variables like any other; what they are is known by `dae::System`.

pub mod derive;
pub mod eval;
pub mod fold;
pub mod print;
pub(crate) mod rules;
pub mod solve;
pub mod subst;
#[cfg(test)]
mod testing;

use crate::base::budget;
use crate::base::ids::{ExprId, FnId, VarId};
use crate::base::locality_hash;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use partita_runtime::base::math::{Op1, Op2};
use rustc_hash::FxHashMap;

/// One expression node over smaller ids.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A number, by its bits, so that hashing is exact.
    Const(u64),
    /// The value of a variable.
    Var(VarId),
    /// One operand.
    Unary(Op1, ExprId),
    /// Two operands.
    Binary(Op2, ExprId, ExprId),
    /// `if c then a else b`, condition 0.0 or 1.0.
    Select(ExprId, ExprId, ExprId),
    /// An argument list of a call: this argument, and the rest.
    Arg(ExprId, Option<ExprId>),
    /// Output number `.2` of a function called with an argument list.
    Call(FnId, Option<ExprId>, u32),
}

/// The expressions of one system.
#[derive(Clone, Debug, Default)]
pub struct Arena {
    nodes: PrimaryMap<ExprId, Node>,
    /// Finds the expression of a node that is no variable; only ids, for it is as large as the arena and asked at random.
    known: HashTable<ExprId>,
    /// The expressions of variables.
    var_exprs: SecondaryMap<VarId, PackedOption<ExprId>>,
    /// Where relations, extrema and choices were written, as far as that is known; byte ranges of the source.
    places: FxHashMap<ExprId, (u32, u32)>,
    /// The variables of long argument lists, sorted: a call with many outputs is in many equations, each with the same list.
    long_lists: FxHashMap<ExprId, Vec<VarId>>,
}

/// The hash of a node.
fn hash(node: Node) -> u64 {
    let optional = |expr: Option<ExprId>| expr.map_or(u32::MAX, |expr| expr.as_u32());
    match node {
        Node::Const(bits) => locality_hash::of_ids(bits, [0; 3]),
        Node::Var(var) => locality_hash::of_ids(1, [var.as_u32(), 0, 0]),
        Node::Unary(op, a) => locality_hash::of_ids(2 + 8 * op as u64, [a.as_u32(), 0, 0]),
        Node::Binary(op, a, b) => locality_hash::of_ids(3 + 8 * op as u64, [a.as_u32(), b.as_u32(), 0]),
        Node::Select(c, a, b) => locality_hash::of_ids(4, [c.as_u32(), a.as_u32(), b.as_u32()]),
        Node::Arg(a, rest) => locality_hash::of_ids(5, [a.as_u32(), optional(rest), 0]),
        Node::Call(function, args, output) => locality_hash::of_ids(6, [function.as_u32(), optional(args), output]),
    }
}

/// The same for a part of the operands, which `push_operands` puts on the stack.
pub(crate) fn next_in_post_order(
    stack: &mut Vec<ExprId>,
    is_done: impl Fn(ExprId) -> bool,
    mut push_operands: impl FnMut(ExprId, &mut Vec<ExprId>),
) -> Option<ExprId> {
    while let Some(&top) = stack.last() {
        if is_done(top) {
            stack.pop();
            continue;
        }
        let waiting = stack.len();
        push_operands(top, stack);
        let mut kept = waiting;
        for at in waiting..stack.len() {
            if !is_done(stack[at]) {
                stack[kept] = stack[at];
                kept += 1;
            }
        }
        stack.truncate(kept);
        if kept == waiting {
            return stack.pop();
        }
    }
    None
}

/// Of argument lists of at least this length the variables are remembered.
const LONG_LIST: usize = 32;

impl Arena {
    /// The node of an expression.
    pub fn node(&self, expr: ExprId) -> Node {
        self.nodes[expr]
    }

    /// The number of expressions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// No expressions yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The expression of a node, without any simplification. Builders that simplify are in `fold`.
    pub fn intern(&mut self, node: Node) -> ExprId {
        if let Node::Var(var) = node {
            return self.var(var);
        }
        let nodes = &mut self.nodes;
        let expr = match self.known.entry(hash(node), |expr| nodes[*expr] == node, |expr| hash(nodes[*expr])) {
            Entry::Occupied(known) => return *known.get(),
            Entry::Vacant(place) => {
                budget::spend(4);
                let expr = nodes.push(node);
                place.insert(expr);
                expr
            }
        };
        if let Node::Call(_, Some(list), _) = node
            && !self.long_lists.contains_key(&list)
            && self.arg_list(Some(list)).nth(LONG_LIST - 1).is_some()
        {
            let variables = subst::variables(self, list);
            self.long_lists.insert(list, variables);
        }
        expr
    }

    /// Says where an expression was written, unless that is known.
    pub fn set_span(&mut self, expr: ExprId, place: (u32, u32)) {
        self.places.entry(expr).or_insert(place);
    }

    /// Where an expression was written first, if that is known.
    pub fn place(&self, expr: ExprId) -> Option<(u32, u32)> {
        self.places.get(&expr).copied()
    }

    /// The variables of the argument list of a call, sorted, if the list is long.
    pub fn long_list(&self, list: ExprId) -> Option<&[VarId]> {
        self.long_lists.get(&list).map(Vec::as_slice)
    }

    /// A number.
    pub fn constant(&mut self, value: f64) -> ExprId {
        self.intern(Node::Const(value.to_bits()))
    }

    /// A variable.
    pub fn var(&mut self, var: VarId) -> ExprId {
        if let Some(known) = self.var_exprs[var].expand() {
            return known;
        }
        let expr = self.nodes.push(Node::Var(var));
        self.var_exprs[var] = expr.into();
        expr
    }

    /// An argument list.
    pub fn args(&mut self, args: &[ExprId]) -> Option<ExprId> {
        args.iter().rev().fold(None, |rest, arg| Some(self.intern(Node::Arg(*arg, rest))))
    }

    /// The arguments of an argument list, in order.
    pub fn arg_list(&self, list: Option<ExprId>) -> impl Iterator<Item = ExprId> + '_ {
        let mut rest = list;
        std::iter::from_fn(move || match rest.map(|list| self.nodes[list]) {
            Some(Node::Arg(arg, next)) => {
                rest = next;
                Some(arg)
            }
            _ => None,
        })
    }

    /// The value, if the expression is a number.
    pub fn as_constant(&self, expr: ExprId) -> Option<f64> {
        match self.nodes[expr] {
            Node::Const(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// The next expression of a walk in which operands come before what is made of them: all that the ones on the stack contain and that
    /// is not done. Who calls it makes the expression done. Cost: constant per operand, over the whole walk.
    pub fn next_after_operands(&self, stack: &mut Vec<ExprId>, is_done: impl Fn(ExprId) -> bool) -> Option<ExprId> {
        next_in_post_order(stack, is_done, |expr, open| open.extend(self.operands(expr)))
    }

    /// The operands of a node, in order.
    pub fn operands(&self, expr: ExprId) -> impl Iterator<Item = ExprId> + use<> {
        let list = match self.nodes[expr] {
            Node::Const(_) | Node::Var(_) => [None, None, None],
            Node::Unary(_, a) => [Some(a), None, None],
            Node::Binary(_, a, b) => [Some(a), Some(b), None],
            Node::Select(c, a, b) => [Some(c), Some(a), Some(b)],
            Node::Arg(a, rest) => [Some(a), rest, None],
            Node::Call(_, args, _) => [args, None, None],
        };
        list.into_iter().flatten()
    }
}
