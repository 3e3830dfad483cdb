//! Walks over expressions: the operands of a node, and the variables that an expression reads (linear, with an explicit stack).

use super::{BinaryOp, Builtin, Expr, ExprKind, Subscript, UnaryOp, VarId};

impl Expr {
    /// Calls `f` with every variable whose value matters; sizes are no values.
    pub fn each_variable(&self, f: &mut dyn FnMut(VarId)) {
        let mut stack = vec![self];
        while let Some(e) = stack.pop() {
            match &e.kind {
                ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::Time | ExprKind::Builtin(Builtin::Size | Builtin::Ndims, _) => {}
                ExprKind::Var(var) => f(*var),
                ExprKind::Index(array, subscripts) => {
                    stack.push(array);
                    stack.extend(subscripts.iter().filter_map(|subscript| match subscript {
                        Subscript::Index(e) | Subscript::Slice(e) => Some(e),
                        Subscript::All => None,
                    }));
                }
                ExprKind::Field(a, _) | ExprKind::Unary(_, a) | ExprKind::ToReal(a) => stack.push(a),
                ExprKind::Binary(_, a, b) => stack.extend([&**a, &**b]),
                ExprKind::If(a, b, c) => stack.extend([&**a, &**b, &**c]),
                ExprKind::Builtin(_, es)
                | ExprKind::Call(_, es)
                | ExprKind::NewObject(_, es)
                | ExprKind::Record(_, es)
                | ExprKind::Array(es) => stack.extend(es),
                ExprKind::Range(a, b, c) => {
                    stack.extend([&**a, &**c]);
                    stack.extend(b.as_deref());
                }
                ExprKind::Comprehension(body, iterators) => {
                    stack.push(body);
                    stack.extend(iterators.iter().map(|(_, over)| over));
                }
            }
        }
    }
}

/// Calls `f` with every direct operand.
pub(crate) fn for_each_child(e: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    match &mut e.kind {
        ExprKind::Literal(_) | ExprKind::Time | ExprKind::Var(_) | ExprKind::Local(_) => {}
        ExprKind::Index(array, subscripts) => {
            f(array);
            for subscript in subscripts {
                if let Subscript::Index(e) | Subscript::Slice(e) = subscript {
                    f(e);
                }
            }
        }
        ExprKind::Field(a, _) | ExprKind::Unary(_, a) | ExprKind::ToReal(a) => f(a),
        ExprKind::Binary(_, a, b) => {
            f(a);
            f(b);
        }
        ExprKind::If(a, b, c) => {
            f(a);
            f(b);
            f(c);
        }
        ExprKind::Builtin(_, es) | ExprKind::Call(_, es) | ExprKind::NewObject(_, es) | ExprKind::Record(_, es) | ExprKind::Array(es) => {
            es.iter_mut().for_each(f);
        }
        ExprKind::Range(a, b, c) => {
            f(a);
            if let Some(b) = b {
                f(b);
            }
            f(c);
        }
        ExprKind::Comprehension(body, iterators) => {
            f(body);
            for (_, over) in iterators {
                f(over);
            }
        }
    }
}

/// Puts the operands of a sum, difference or negative on a stack, each with its sign; whether the expression is one of these.
pub(crate) fn push_summands<'e>(e: &'e Expr, sign: bool, stack: &mut Vec<(&'e Expr, bool)>) -> bool {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Add, a, b) => stack.extend([(&**a, sign), (&**b, sign)]),
        ExprKind::Binary(BinaryOp::Subtract, a, b) => stack.extend([(&**a, sign), (&**b, !sign)]),
        ExprKind::Unary(UnaryOp::Minus, a) => stack.push((a, !sign)),
        ExprKind::ToReal(a) => stack.push((a, sign)),
        _ => return false,
    }
    true
}
