//! Types operators: which operands they take and what shape the result has.
//!
//! Input: an operator and typed operands. Output: a typed expression with Integers converted where Real is computed.
//!
//! Long runs of `+` and `-` become one `Sum` of an array (evaluated from left to right, so the value is the same), long
//! runs of `*` one `Product`, and `and`/`or` a balanced tree: the depth of expressions does not grow with their length.

use super::types::{merged_dims, shapes_agree, to_real};
use super::{Checked, Flattener, Scope};
use crate::frontend::flat::dims_text;
use crate::frontend::flat::{BinaryOp, Builtin, Expr, ExprKind, Scalar, Type, UnaryOp, Value};
use partita_grammar::ast::{self, BinaryOp as Op};
use partita_grammar::{Diagnostic, Span};

/// Operators in one chain beyond which it is no longer a left-deep tree.
const DEEP: usize = 32;
/// Operators in one chain that cannot be regrouped.
const MAX_CHAIN: usize = 1000;

fn flat_op(op: Op) -> BinaryOp {
    match op {
        Op::Or => BinaryOp::Or,
        Op::And => BinaryOp::And,
        Op::Less => BinaryOp::Less,
        Op::LessEqual => BinaryOp::LessEqual,
        Op::Greater => BinaryOp::Greater,
        Op::GreaterEqual => BinaryOp::GreaterEqual,
        Op::Equal => BinaryOp::Equal,
        Op::NotEqual => BinaryOp::NotEqual,
        Op::Add => BinaryOp::Add,
        Op::Subtract => BinaryOp::Subtract,
        Op::ElementAdd => BinaryOp::ElementAdd,
        Op::ElementSubtract => BinaryOp::ElementSubtract,
        Op::Multiply => BinaryOp::Multiply,
        Op::Divide => BinaryOp::Divide,
        Op::ElementMultiply => BinaryOp::ElementMultiply,
        Op::ElementDivide => BinaryOp::ElementDivide,
        Op::Power => BinaryOp::Power,
        Op::ElementPower => BinaryOp::ElementPower,
    }
}

impl<'a> Flattener<'a> {
    pub(super) fn unary(&mut self, op: ast::UnaryOp, a: Expr, span: Span) -> Checked<Expr> {
        if op == ast::UnaryOp::Not {
            if a.ty.scalar != Scalar::Boolean {
                let text = self.type_text(&a.ty);
                return Err(self.error(Diagnostic::error("F011", "`not` needs a Boolean").at(a.span, format!("is {text}"))));
            }
            let ty = a.ty.clone();
            return Ok(Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(a)), ty, span });
        }
        if !matches!(a.ty.scalar, Scalar::Real | Scalar::Integer) {
            let text = self.type_text(&a.ty);
            return Err(self.error(Diagnostic::error("F011", "a sign needs a number").at(a.span, format!("is {text}"))));
        }
        if matches!(op, ast::UnaryOp::Plus | ast::UnaryOp::ElementPlus) {
            return Ok(a);
        }
        let ty = a.ty.clone();
        let kind = match a.kind {
            ExprKind::Literal(Value::Integer(i)) => ExprKind::Literal(Value::Integer(-i)),
            ExprKind::Literal(Value::Real(x)) => ExprKind::Literal(Value::Real(-x)),
            kind => ExprKind::Unary(UnaryOp::Minus, Box::new(Expr { kind, ty: a.ty, span: a.span })),
        };
        Ok(Expr { kind, ty, span })
    }

    /// `first op1 a op2 b ...`.
    pub(super) fn chain(
        &mut self,
        first: &'a ast::Expr,
        rest: &'a [(Op, ast::Expr)],
        span: Span,
        scope: &mut Scope<'a>,
        expected: Option<&Type>,
    ) -> Checked<Expr> {
        let start = self.expr(first, scope, expected);
        let typed: Vec<(Op, Checked<Expr>)> = rest.iter().map(|(op, e)| (*op, self.expr(e, scope, expected))).collect();
        let mut result = start?;
        if typed.len() > DEEP {
            return self.long_chain(result, typed, span);
        }
        for (op, operand) in typed {
            let operand = operand?;
            let here = Span { start: span.start, end: operand.span.end };
            result = self.binary(op, result, operand, here)?;
        }
        Ok(result)
    }

    fn long_chain(&mut self, first: Expr, typed: Vec<(Op, Checked<Expr>)>, span: Span) -> Checked<Expr> {
        let mut rest = Vec::with_capacity(typed.len());
        for (op, operand) in typed {
            rest.push((op, operand?));
        }
        let numeric = |e: &Expr| e.ty.is_scalar() && matches!(e.ty.scalar, Scalar::Real | Scalar::Integer);
        let all_numeric = numeric(&first) && rest.iter().all(|(_, e)| numeric(e));
        if all_numeric && rest.iter().all(|(op, _)| matches!(op, Op::Add | Op::Subtract | Op::ElementAdd | Op::ElementSubtract)) {
            let mut terms = vec![first];
            for (op, e) in rest {
                let minus = matches!(op, Op::Subtract | Op::ElementSubtract);
                let here = e.span;
                terms.push(if minus { self.unary(ast::UnaryOp::Minus, e, here)? } else { e });
            }
            return self.reduction(Builtin::Sum, terms, span);
        }
        if all_numeric && rest.iter().all(|(op, _)| matches!(op, Op::Multiply | Op::ElementMultiply)) {
            let mut factors = vec![first];
            factors.extend(rest.into_iter().map(|(_, e)| e));
            return self.reduction(Builtin::Product, factors, span);
        }
        if rest.iter().all(|(op, _)| *op == Op::And) || rest.iter().all(|(op, _)| *op == Op::Or) {
            let op = rest[0].0;
            let mut level = vec![first];
            level.extend(rest.into_iter().map(|(_, e)| e));
            // Halves the number of operands in each round.
            while level.len() > 1 {
                let mut next = Vec::with_capacity(level.len().div_ceil(2));
                let mut operands = level.into_iter();
                while let Some(a) = operands.next() {
                    next.push(match operands.next() {
                        Some(b) => self.binary(op, a, b, span)?,
                        None => a,
                    });
                }
                level = next;
            }
            return level.pop().map_or_else(|| Err(self.error(Diagnostic::error("F028", "an empty expression").at(span, ""))), Ok);
        }
        if rest.len() > MAX_CHAIN {
            let n = rest.len();
            return Err(self.error(
                Diagnostic::error("F028", format!("{n} operators in one expression that mixes them or works on arrays"))
                    .at(span, "")
                    .with_hint("split the expression with auxiliary variables"),
            ));
        }
        let mut result = first;
        for (op, operand) in rest {
            result = self.binary(op, result, operand, span)?;
        }
        Ok(result)
    }

    fn reduction(&mut self, builtin: Builtin, terms: Vec<Expr>, span: Span) -> Checked<Expr> {
        let array = self.array_of(terms, span)?;
        let ty = Type::scalar(array.ty.scalar);
        Ok(Expr { kind: ExprKind::Builtin(builtin, vec![array]), ty, span })
    }

    fn operand_error(&mut self, op: BinaryOp, operand: &Expr, needs: &str) -> super::Reported {
        let text = self.type_text(&operand.ty);
        let mut error =
            Diagnostic::error("F011", format!("`{}` needs {needs}, not {text}", op.symbol())).at(operand.span, format!("is {text}"));
        match operand.ty.scalar {
            Scalar::Boolean => error = error.with_hint("Booleans are no numbers in Modelica; write `if b then 1 else 0`"),
            Scalar::Enumeration(_) => {
                error = error.with_hint("enumerations have no arithmetic; `Integer(e)` gives the number of a literal")
            }
            _ => {}
        }
        self.error(error)
    }

    /// Types a binary operator.
    pub(super) fn binary(&mut self, op: Op, a: Expr, b: Expr, span: Span) -> Checked<Expr> {
        use BinaryOp as B;
        let op = flat_op(op);
        match op {
            B::And | B::Or => {
                for operand in [&a, &b] {
                    if operand.ty.scalar != Scalar::Boolean {
                        return Err(self.operand_error(op, operand, "Booleans"));
                    }
                }
                let dims = self.equal_shapes(op, &a, &b, span)?;
                Ok(binary_expr(op, a, b, Type { scalar: Scalar::Boolean, dims }, span))
            }
            B::Less | B::LessEqual | B::Greater | B::GreaterEqual | B::Equal | B::NotEqual => {
                for operand in [&a, &b] {
                    if !operand.ty.is_scalar() || matches!(operand.ty.scalar, Scalar::Record(_) | Scalar::Object(_)) {
                        return Err(self.operand_error(op, operand, "scalars"));
                    }
                }
                let (a, b) = self.common_type(a, b, &format!("the operands of `{}`", op.symbol()))?;
                Ok(binary_expr(op, a, b, Type::scalar(Scalar::Boolean), span))
            }
            _ => self.arithmetic(op, a, b, span),
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Checked<Expr> {
        use BinaryOp as B;
        let strings = matches!(op, B::Add | B::ElementAdd) && a.ty.scalar == Scalar::String && b.ty.scalar == Scalar::String;
        if !strings {
            for operand in [&a, &b] {
                if !matches!(operand.ty.scalar, Scalar::Real | Scalar::Integer) {
                    return Err(self.operand_error(op, operand, "numbers"));
                }
            }
        }
        let real_result = matches!(op, B::Divide | B::ElementDivide | B::Power | B::ElementPower);
        let matrix_power = op == B::Power && !a.ty.is_scalar();
        let (mut a, mut b) = if matrix_power { (a, b) } else { self.common_type(a, b, "the operands")? };
        if real_result && !matrix_power {
            a = to_real(a);
            b = to_real(b);
        }
        let dims = match op {
            B::Add | B::Subtract => self.equal_shapes(op, &a, &b, span)?,
            B::ElementAdd | B::ElementSubtract | B::ElementMultiply | B::ElementDivide | B::ElementPower => {
                if a.ty.is_scalar() {
                    b.ty.dims.clone()
                } else if b.ty.is_scalar() {
                    a.ty.dims.clone()
                } else {
                    self.equal_shapes(op, &a, &b, span)?
                }
            }
            B::Multiply => self.product_shape(&a, &b, span)?,
            B::Divide => {
                if !b.ty.is_scalar() {
                    let text = self.type_text(&b.ty);
                    return Err(self.error(
                        Diagnostic::error("F012", "division by an array")
                            .at(b.span, format!("is {text}"))
                            .with_hint("`./` divides element by element"),
                    ));
                }
                a.ty.dims.clone()
            }
            _ => {
                if !b.ty.is_scalar() {
                    let text = self.type_text(&b.ty);
                    return Err(self.error(
                        Diagnostic::error("F012", "the exponent is an array")
                            .at(b.span, format!("is {text}"))
                            .with_hint("`.^` acts element by element"),
                    ));
                }
                if matrix_power {
                    let square = matches!(a.ty.dims.as_slice(), [n, m] if n.is_none() || m.is_none() || n == m);
                    let whole = match &b.kind {
                        ExprKind::Literal(Value::Integer(i)) => *i >= 0,
                        ExprKind::Literal(Value::Real(x)) => *x >= 0.0 && x.fract() == 0.0,
                        _ => b.ty.scalar == Scalar::Integer,
                    };
                    if !square || !whole {
                        let text = self.type_text(&a.ty);
                        return Err(self.error(
                            Diagnostic::error("F012", "only square matrices have whole powers")
                                .at(a.span, format!("is {text}"))
                                .with_hint("`.^` acts element by element"),
                        ));
                    }
                    if let ExprKind::Literal(Value::Real(x)) = b.kind {
                        b = crate::frontend::flat::construct::integer_literal(x as i64, b.span);
                    }
                }
                a.ty.dims.clone()
            }
        };
        let scalar = a.ty.scalar;
        Ok(binary_expr(op, a, b, Type { scalar, dims }, span))
    }

    fn equal_shapes(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) -> Checked<Vec<Option<usize>>> {
        if shapes_agree(&a.ty.dims, &b.ty.dims) {
            return Ok(merged_dims(&a.ty.dims, &b.ty.dims));
        }
        let (x, y) = (self.type_text(&a.ty), self.type_text(&b.ty));
        let mut error = Diagnostic::error("F012", format!("the operands of `{}` differ in size", op.symbol()))
            .at(span, "")
            .with_note(format!("left {x}, right {y}"));
        if a.ty.is_scalar() != b.ty.is_scalar() && matches!(op, BinaryOp::Add | BinaryOp::Subtract) {
            error = error.with_hint(format!("`.{}` goes with a scalar and an array", op.symbol()));
        }
        Err(self.error(error))
    }

    fn product_shape(&mut self, a: &Expr, b: &Expr, span: Span) -> Checked<Vec<Option<usize>>> {
        let (x, y) = (a.ty.dims.as_slice(), b.ty.dims.as_slice());
        let agree = |n: Option<usize>, m: Option<usize>| n.is_none() || m.is_none() || n == m;
        match (x, y) {
            ([], _) => return Ok(y.to_vec()),
            (_, []) => return Ok(x.to_vec()),
            ([n], [m]) if agree(*n, *m) => return Ok(Vec::new()),
            ([n], [m, k]) if agree(*n, *m) => return Ok(vec![*k]),
            ([n, m], [k]) if agree(*m, *k) => return Ok(vec![*n]),
            ([n, m], [k, l]) if agree(*m, *k) => return Ok(vec![*n, *l]),
            _ => {}
        }
        let (x, y) = (dims_text(x), dims_text(y));
        Err(self.error(
            Diagnostic::error("F012", "the sizes in a product do not agree")
                .at(span, "")
                .with_note(format!("left {x}, right {y}"))
                .with_hint("`.*` multiplies element by element"),
        ))
    }
}

fn binary_expr(op: BinaryOp, a: Expr, b: Expr, ty: Type, span: Span) -> Expr {
    Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span }
}
