//! The value of an expression at a point. Iterative; each shared node is evaluated once; cost linear in the nodes reached.

use super::{Arena, Node};
use crate::base::ids::{ExprId, FnId, VarId};
use rustc_hash::FxHashMap;

/// The value of an expression without function calls. A call evaluates to NaN; use [`eval_with`] where calls occur.
pub fn eval(arena: &Arena, expr: ExprId, value: &dyn Fn(VarId) -> f64) -> f64 {
    eval_with(arena, expr, value, &mut |_, _, _| f64::NAN)
}

/// The value of an expression; `call` gives an output of a function for its argument values.
pub fn eval_with(arena: &Arena, expr: ExprId, value: &dyn Fn(VarId) -> f64, call: &mut dyn FnMut(FnId, &[f64], u32) -> f64) -> f64 {
    let mut memo: FxHashMap<ExprId, f64> = FxHashMap::default();
    let mut stack = vec![expr];
    while let Some(top) = arena.next_after_operands(&mut stack, |expr| memo.contains_key(&expr)) {
        let result = match arena.node(top) {
            Node::Const(bits) => f64::from_bits(bits),
            Node::Var(var) => value(var),
            Node::Unary(op, a) => op.eval(memo[&a]),
            Node::Binary(op, a, b) => op.eval(memo[&a], memo[&b]),
            Node::Select(c, a, b) => memo[if memo[&c] != 0.0 { &a } else { &b }],
            // A list has no value of its own; its call reads the items.
            Node::Arg(..) => f64::NAN,
            Node::Call(function, args, output) => {
                let args: Vec<f64> = arena.arg_list(args).map(|arg| memo[&arg]).collect();
                call(function, &args, output)
            }
        };
        memo.insert(top, result);
    }
    memo[&expr]
}
