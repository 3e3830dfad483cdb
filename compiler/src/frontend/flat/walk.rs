//! Which variables an expression reads. Linear, with an explicit stack.

use super::{Builtin, Expr, ExprKind, Subscript, VarId};

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
