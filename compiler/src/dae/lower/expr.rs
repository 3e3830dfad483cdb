//! Scalarises expressions.

use super::value::Val;
use super::{Lowerer, Lowering, Scope, unsupported};
use crate::dae::{Delay, Role, Sampler, Text};
use crate::expr::Node;
use crate::flat::{self, BinaryOp, Builtin, ExprKind, Subscript, UnaryOp};
use crate::ids::{ExprId, VarId};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::math::{Op1, Op2};
use partita_runtime::plan::SlotType;

fn shape_error(span: Span) -> Diagnostic {
    Diagnostic::error("D002", "the operands have different dimensions").at(span, "here")
}

impl Lowerer<'_> {
    /// A scalar expression.
    pub(super) fn scalar(&mut self, scope: &mut Scope, expr: &flat::Expr) -> Lowering<ExprId> {
        match self.expr(scope, expr)? {
            Val::Scalar(e) => Ok(e),
            Val::Array(items) if items.len() == 1 => match &items[0] {
                Val::Scalar(e) => Ok(*e),
                _ => Err(Diagnostic::error("D002", "a scalar is needed here").at(expr.span, "this is an array")),
            },
            _ => Err(Diagnostic::error("D002", "a scalar is needed here").at(expr.span, "this is not a scalar")),
        }
    }

    /// A number known at compile time.
    fn index(&mut self, scope: &mut Scope, expr: &flat::Expr) -> Lowering<usize> {
        let value = self.scalar(scope, expr)?;
        match self.sys.constant_value(value) {
            Some(v) if v >= 0.0 && v.fract() == 0.0 => Ok(v as usize),
            _ => Err(Diagnostic::error("D006", "the size must be known when the model is compiled").at(expr.span, "this is not a constant")),
        }
    }

    /// A string.
    pub(super) fn text(&mut self, scope: &mut Scope, expr: &flat::Expr) -> Lowering<Vec<Text>> {
        match self.expr(scope, expr)? {
            Val::Text(text) => Ok(text),
            _ => Err(Diagnostic::error("D002", "a String is needed here").at(expr.span, "this is not a String")),
        }
    }

    /// Any expression.
    pub(super) fn expr(&mut self, scope: &mut Scope, expr: &flat::Expr) -> Lowering<Val> {
        match &expr.kind {
            ExprKind::Literal(value) => Ok(self.scalar_literal(value)),
            ExprKind::Time => {
                let time = self.sys.time();
                Ok(Val::Scalar(self.sys.arena.var(time)))
            }
            ExprKind::Var(id) => {
                if let Some(val) = scope.assigned.get(id) {
                    return Ok(val.clone());
                }
                self.value_of[*id].clone().ok_or_else(|| {
                    let var = &self.model.vars[*id];
                    Diagnostic::error("D001", format!("{} cannot be used in an expression", var.name)).at(expr.span, "used here").at(var.span, "declared here")
                })
            }
            ExprKind::Local(id) => scope.locals[*id].clone().ok_or_else(|| {
                let name = match scope.function {
                    Some(f) => self.model.functions[f].locals[*id].name.clone(),
                    None => self.model.loop_vars[*id].name.clone(),
                };
                Diagnostic::error("D007", format!("{name} is used before it has a value")).at(expr.span, "used here")
            }),
            ExprKind::Index(base, subscripts) => {
                let base = self.expr(scope, base)?;
                self.subscripted(scope, &base, subscripts, expr.span)
            }
            ExprKind::Field(base, field) => match self.expr(scope, base)? {
                Val::Record(fields) if *field < fields.len() => Ok(fields[*field].clone()),
                Val::Array(items) => {
                    let fields = items.iter().map(|item| match item {
                        Val::Record(fields) if *field < fields.len() => Ok(fields[*field].clone()),
                        _ => Err(unsupported("this field access", expr.span)),
                    });
                    Ok(Val::Array(fields.collect::<Result<_, _>>()?))
                }
                _ => Err(unsupported("this field access", expr.span)),
            },
            ExprKind::Unary(op, operand) => {
                let operand = self.expr(scope, operand)?;
                let op = match op {
                    UnaryOp::Minus => Op1::Neg,
                    UnaryOp::Not => Op1::Not,
                };
                operand.map(&mut |e| Ok(self.sys.arena.unary(op, e)))
            }
            ExprKind::Binary(op, a, b) => self.binary(scope, *op, a, b, expr.span),
            ExprKind::If(condition, a, b) => {
                let condition = self.scalar(scope, condition)?;
                match self.sys.arena.as_constant(condition) {
                    Some(0.0) => self.expr(scope, b),
                    Some(_) => self.expr(scope, a),
                    None => {
                        let path = scope.path;
                        scope.path = self.conjunction(path, Some(condition));
                        let a = self.expr(scope, a)?;
                        let not = self.sys.arena.not(condition);
                        scope.path = self.conjunction(path, Some(not));
                        let b = self.expr(scope, b)?;
                        scope.path = path;
                        self.choose(condition, &a, &b).ok_or_else(|| shape_error(expr.span))
                    }
                }
            }
            ExprKind::Builtin(builtin, args) => self.builtin(scope, *builtin, args, expr.span),
            ExprKind::Call(..) => {
                let outputs = self.call_outputs(scope, expr)?;
                outputs.into_iter().next().ok_or_else(|| Diagnostic::error("D001", "the function has no output").at(expr.span, "called for a value here"))
            }
            ExprKind::NewObject(object, _) => {
                Err(unsupported(&format!("the external object class {}", self.model.objects[*object].name), expr.span))
            }
            ExprKind::Record(_, fields) => Ok(Val::Record(fields.iter().map(|f| self.expr(scope, f)).collect::<Result<_, _>>()?)),
            ExprKind::Array(items) => Ok(Val::Array(items.iter().map(|f| self.expr(scope, f)).collect::<Result<_, _>>()?)),
            ExprKind::Range(start, step, stop) => {
                let mut number = |this: &mut Self, e: &flat::Expr| -> Lowering<f64> {
                    let value = this.scalar(scope, e)?;
                    this.sys
                        .constant_value(value)
                        .ok_or_else(|| Diagnostic::error("D006", "a range must be known when the model is compiled").at(e.span, "this is not a constant"))
                };
                let first = number(self, start)?;
                let step = step.as_ref().map(|s| number(self, s)).transpose()?.unwrap_or(1.0);
                let last = number(self, stop)?;
                let n = if step == 0.0 { 0.0 } else { ((last - first) / step + 1e-9).floor() + 1.0 };
                if n > 1e7 {
                    return Err(Diagnostic::error("D006", "the range is too long").at(expr.span, format!("{n} elements")));
                }
                Ok(Val::Array((0..n.max(0.0) as usize).map(|i| Val::Scalar(self.sys.arena.constant(first + i as f64 * step))).collect()))
            }
            ExprKind::Comprehension(body, iterators) => self.comprehension(scope, body, iterators),
            ExprKind::ToReal(inner) => self.expr(scope, inner),
        }
    }

    fn comprehension(&mut self, scope: &mut Scope, body: &flat::Expr, iterators: &[(flat::LocalId, flat::Expr)]) -> Lowering<Val> {
        let Some(((local, range), rest)) = iterators.split_first() else { return self.expr(scope, body) };
        let range = self.expr(scope, range)?;
        let mut items = Vec::new();
        for item in range.items().unwrap_or(&[]) {
            scope.locals[*local] = Some(item.clone());
            items.push(self.comprehension(scope, body, rest)?);
        }
        Ok(Val::Array(items))
    }

    /// `if condition then a else b` on trees of one shape.
    pub(super) fn choose(&mut self, condition: ExprId, a: &Val, b: &Val) -> Option<Val> {
        if a == b {
            return Some(a.clone());
        }
        if let (Val::Text(_), Val::Text(_)) = (a, b) {
            return Some(a.clone());
        }
        let arena = &mut self.sys.arena;
        a.zip(b, &mut |a, b| Ok::<_, Diagnostic>(arena.select(condition, a, b))).ok().flatten()
    }

    fn subscripted(&mut self, scope: &mut Scope, base: &Val, subscripts: &[Subscript], span: Span) -> Lowering<Val> {
        let Some((first, rest)) = subscripts.split_first() else { return Ok(base.clone()) };
        let items = base.items().ok_or_else(|| Diagnostic::error("D002", "too many subscripts").at(span, "here"))?;
        let at = |this: &mut Self, scope: &mut Scope, index: ExprId| -> Lowering<Val> {
            match this.sys.constant_value(index) {
                Some(v) if v >= 1.0 && v as usize <= items.len() => this.subscripted(scope, &items[v as usize - 1], rest, span),
                Some(v) => Err(Diagnostic::error("D006", format!("index {v} is outside 1:{}", items.len())).at(span, "here")),
                None => {
                    // A run-time index: a choice among all elements; the last one stands for everything else.
                    let mut result: Option<Val> = None;
                    for (i, item) in items.iter().enumerate().rev() {
                        let item = this.subscripted(scope, item, rest, span)?;
                        result = Some(match result {
                            None => item,
                            Some(other) => {
                                let number = this.sys.arena.constant(i as f64 + 1.0);
                                let here = this.sys.arena.binary(Op2::Eq, index, number);
                                this.choose(here, &item, &other).ok_or_else(|| shape_error(span))?
                            }
                        });
                    }
                    result.ok_or_else(|| Diagnostic::error("D006", "an empty array has no elements").at(span, "here"))
                }
            }
        };
        match first {
            Subscript::Index(index) => {
                let index = self.scalar(scope, index)?;
                at(self, scope, index)
            }
            Subscript::Slice(indices) => {
                let indices = self.expr(scope, indices)?.to_scalars();
                Ok(Val::Array(indices.into_iter().map(|i| at(self, scope, i)).collect::<Result<_, _>>()?))
            }
            Subscript::All => Ok(Val::Array(items.iter().map(|item| self.subscripted(scope, item, rest, span)).collect::<Result<_, _>>()?)),
        }
    }

    fn binary(&mut self, scope: &mut Scope, op: BinaryOp, a: &flat::Expr, b: &flat::Expr, span: Span) -> Lowering<Val> {
        // Left-deep chains (long sums) are walked without recursion on the left.
        let mut chain = vec![(op, b, span)];
        let mut left = a;
        while let ExprKind::Binary(op, a, b) = &left.kind {
            chain.push((*op, b, left.span));
            left = a;
        }
        let mut value = self.expr(scope, left)?;
        for (op, right, span) in chain.into_iter().rev() {
            // `and`/`or` with a known left side do not look at the right.
            if let (BinaryOp::And | BinaryOp::Or, Val::Scalar(left)) = (op, &value)
                && let Some(known) = self.sys.arena.as_constant(*left)
                && (known != 0.0) == (op == BinaryOp::Or)
            {
                continue;
            }
            let right = self.expr(scope, right)?;
            value = self.combine(scope, op, &value, &right, span)?;
        }
        Ok(value)
    }

    fn combine(&mut self, scope: &mut Scope, op: BinaryOp, a: &Val, b: &Val, span: Span) -> Lowering<Val> {
        if let (Val::Text(a), Val::Text(b)) = (a, b) {
            return match op {
                BinaryOp::Add => Ok(Val::Text([a.as_slice(), b.as_slice()].concat())),
                BinaryOp::Equal | BinaryOp::NotEqual => match (a.as_slice(), b.as_slice()) {
                    ([] | [Text::Literal(_)], [] | [Text::Literal(_)]) => {
                        let is = (a == b) == (op == BinaryOp::Equal);
                        Ok(Val::Scalar(self.sys.arena.constant(f64::from(u8::from(is)))))
                    }
                    _ => Err(unsupported("comparing Strings made at run time", span)),
                },
                _ => Err(unsupported("this operation on Strings", span)),
            };
        }
        let scalar_op = match op {
            BinaryOp::Multiply => return self.multiply(a, b).ok_or_else(|| shape_error(span)),
            BinaryOp::Power if matches!(a, Val::Array(_)) => return self.matrix_power(a, b, span),
            BinaryOp::Or => Op2::Or,
            BinaryOp::And => Op2::And,
            BinaryOp::Less => Op2::Lt,
            BinaryOp::LessEqual => Op2::Le,
            BinaryOp::Greater => Op2::Gt,
            BinaryOp::GreaterEqual => Op2::Ge,
            BinaryOp::Equal => Op2::Eq,
            BinaryOp::NotEqual => Op2::Ne,
            BinaryOp::Add | BinaryOp::ElementAdd => Op2::Add,
            BinaryOp::Subtract | BinaryOp::ElementSubtract => Op2::Sub,
            BinaryOp::ElementMultiply => Op2::Mul,
            BinaryOp::Divide | BinaryOp::ElementDivide => Op2::Div,
            BinaryOp::Power | BinaryOp::ElementPower => Op2::Pow,
        };
        let combined = a.zip(b, &mut |a, b| {
            if scalar_op.is_relation() { self.relation(scope, scalar_op, a, b, span) } else { Ok(self.sys.arena.binary(scalar_op, a, b)) }
        })?;
        combined.ok_or_else(|| shape_error(span))
    }

    fn dot(&mut self, a: &[Val], b: &[Val]) -> Option<Val> {
        if a.len() != b.len() {
            return None;
        }
        let mut sum = None;
        for (a, b) in a.iter().zip(b) {
            let product = self.multiply(a, b)?;
            sum = Some(match sum {
                None => product,
                Some(sum) => self.add(&sum, &product)?,
            });
        }
        Some(sum.unwrap_or_else(|| Val::Scalar(self.sys.arena.constant(0.0))))
    }

    fn add(&mut self, a: &Val, b: &Val) -> Option<Val> {
        let arena = &mut self.sys.arena;
        a.zip(b, &mut |a, b| Ok::<_, Diagnostic>(arena.add(a, b))).ok().flatten()
    }

    /// Scalar, vector and matrix products.
    fn multiply(&mut self, a: &Val, b: &Val) -> Option<Val> {
        match (a.n_dims(), b.n_dims()) {
            (0, _) | (_, 0) => {
                let arena = &mut self.sys.arena;
                a.zip(b, &mut |a, b| Ok::<_, Diagnostic>(arena.mul(a, b))).ok().flatten()
            }
            (1, 1) => self.dot(a.items()?, b.items()?),
            (2, 1) => a.items()?.iter().map(|row| self.dot(row.items()?, b.items()?)).collect::<Option<Vec<_>>>().map(Val::Array),
            (1, 2) => {
                let columns = transpose(b)?;
                columns.items()?.iter().map(|col| self.dot(a.items()?, col.items()?)).collect::<Option<Vec<_>>>().map(Val::Array)
            }
            (2, 2) => {
                let columns = transpose(b)?;
                let rows = a.items()?.iter().map(|row| {
                    let row = row.items()?;
                    columns.items()?.iter().map(|col| self.dot(row, col.items()?)).collect::<Option<Vec<_>>>().map(Val::Array)
                });
                rows.collect::<Option<Vec<_>>>().map(Val::Array)
            }
            _ => None,
        }
    }

    fn matrix_power(&mut self, a: &Val, b: &Val, span: Span) -> Lowering<Val> {
        let n = match b {
            Val::Scalar(e) => self.sys.constant_value(*e),
            _ => None,
        };
        let (Some(n), Some(size)) = (n.filter(|n| *n >= 0.0 && *n <= 64.0), a.size(0)) else {
            return Err(unsupported("this matrix power", span));
        };
        let mut result = self.identity(size);
        for _ in 0..n as usize {
            result = self.multiply(&result, a).ok_or_else(|| shape_error(span))?;
        }
        Ok(result)
    }

    fn identity(&mut self, n: usize) -> Val {
        let zero = Val::Scalar(self.sys.arena.constant(0.0));
        let one = Val::Scalar(self.sys.arena.constant(1.0));
        Val::Array((0..n).map(|i| Val::Array((0..n).map(|j| if i == j { one.clone() } else { zero.clone() }).collect())).collect())
    }

    /// Whether a value can change between events.
    pub(super) fn is_continuous_expr(&mut self, expr: ExprId) -> bool {
        let mut stack = vec![expr];
        while let Some(top) = stack.last().copied() {
            if self.continuous.contains_key(&top) {
                stack.pop();
                continue;
            }
            if let Node::Var(v) = self.sys.arena.node(top) {
                let is = matches!(self.sys.vars[v].role, Role::Continuous | Role::Time | Role::Input)
                    || (self.sys.vars[v].role == Role::External && self.sys.vars[v].ty == SlotType::Real);
                self.continuous.insert(top, is);
                stack.pop();
                continue;
            }
            let operands: Vec<ExprId> = self.sys.arena.operands(top).collect();
            let open: Vec<ExprId> = operands.iter().copied().filter(|o| !self.continuous.contains_key(o)).collect();
            if open.is_empty() {
                let is = operands.iter().any(|o| self.continuous[o]);
                self.continuous.insert(top, is);
                stack.pop();
            } else {
                stack.extend(open);
            }
        }
        self.continuous[&expr]
    }

    /// A relation: an event-generating variable where the operands are continuous, a plain comparison otherwise.
    pub(super) fn relation(&mut self, scope: &Scope, op: Op2, a: ExprId, b: ExprId, span: Span) -> Lowering<ExprId> {
        let plain = self.sys.arena.binary(op, a, b);
        if scope.no_event || self.sys.arena.as_constant(plain).is_some() || (!self.is_continuous_expr(a) && !self.is_continuous_expr(b)) {
            return Ok(plain);
        }
        if let Some(var) = self.relation_of.get(&(op, a, b)) {
            return Ok(self.sys.arena.var(*var));
        }
        let var = self.made_variable("relation", SlotType::Boolean, Role::Relation, span);
        self.relation_of.insert((op, a, b), var);
        self.sys.relations.push(crate::dae::Relation { var, op, lhs: a, rhs: b, span });
        Ok(self.sys.arena.var(var))
    }

    fn elementwise(&mut self, scope: &mut Scope, op: Op1, arg: &flat::Expr) -> Lowering<Val> {
        let arg = self.expr(scope, arg)?;
        arg.map(&mut |e| Ok(self.sys.arena.unary(op, e)))
    }

    fn elementwise2(&mut self, scope: &mut Scope, op: Op2, args: &[flat::Expr], span: Span) -> Lowering<Val> {
        let [a, b] = args else { return Err(unsupported("this number of arguments", span)) };
        let a = self.expr(scope, a)?;
        let b = self.expr(scope, b)?;
        a.zip(&b, &mut |a, b| Ok::<_, Diagnostic>(self.sys.arena.binary(op, a, b)))?.ok_or_else(|| shape_error(span))
    }

    /// `floor`, `ceil` or truncation of a continuous expression: a discrete variable that changes at events.
    fn rounded(&mut self, scope: &mut Scope, op: Op1, arg: ExprId, span: Span) -> Lowering<ExprId> {
        let plain = self.sys.arena.unary(op, arg);
        if scope.no_event || !self.is_continuous_expr(arg) {
            return Ok(plain);
        }
        if op == Op1::Trunc {
            // Truncation is floor above zero and ceiling below.
            let zero = self.sys.arena.constant(0.0);
            let positive = self.relation(scope, Op2::Ge, arg, zero, span)?;
            let down = self.rounded(scope, Op1::Floor, arg, span)?;
            let up = self.rounded(scope, Op1::Ceil, arg, span)?;
            return Ok(self.sys.arena.select(positive, down, up));
        }
        let var = self.discrete_named(plain, "round", SlotType::Real, span);
        let rounded = self.sys.arena.var(var);
        // Two relations bound the interval in which the rounded value stays: it leaves when one becomes true.
        let one = self.sys.arena.constant(1.0);
        let (low_op, low, high_op, high) = if op == Op1::Floor {
            (Op2::Lt, rounded, Op2::Ge, self.sys.arena.add(rounded, one))
        } else {
            (Op2::Le, self.sys.arena.sub(rounded, one), Op2::Gt, rounded)
        };
        self.relation(scope, low_op, arg, low, span)?;
        self.relation(scope, high_op, arg, high, span)?;
        Ok(rounded)
    }

    fn builtin(&mut self, scope: &mut Scope, builtin: Builtin, args: &[flat::Expr], span: Span) -> Lowering<Val> {
        let first = args.first();
        let need = |n: usize| -> Lowering<()> {
            if args.len() >= n { Ok(()) } else { Err(unsupported(&format!("{builtin:?} with {} arguments", args.len()), span)) }
        };
        let op1 = match builtin {
            Builtin::Sin => Some(Op1::Sin),
            Builtin::Cos => Some(Op1::Cos),
            Builtin::Tan => Some(Op1::Tan),
            Builtin::Asin => Some(Op1::Asin),
            Builtin::Acos => Some(Op1::Acos),
            Builtin::Atan => Some(Op1::Atan),
            Builtin::Sinh => Some(Op1::Sinh),
            Builtin::Cosh => Some(Op1::Cosh),
            Builtin::Tanh => Some(Op1::Tanh),
            Builtin::Exp => Some(Op1::Exp),
            Builtin::Log => Some(Op1::Log),
            Builtin::Log10 => Some(Op1::Log10),
            Builtin::Sqrt => Some(Op1::Sqrt),
            Builtin::Abs => Some(Op1::Abs),
            Builtin::Sign => Some(Op1::Sign),
            _ => None,
        };
        if let (Some(op), Some(arg)) = (op1, first) {
            return self.elementwise(scope, op, arg);
        }
        match builtin {
            Builtin::Atan2 => self.elementwise2(scope, Op2::Atan2, args, span),
            Builtin::Min => self.elementwise2(scope, Op2::Min, args, span),
            Builtin::Max => self.elementwise2(scope, Op2::Max, args, span),
            Builtin::MinArray | Builtin::MaxArray | Builtin::Sum | Builtin::Product => {
                need(1)?;
                let values = self.expr(scope, &args[0])?.to_scalars();
                let (op, empty) = match builtin {
                    Builtin::MinArray => (Op2::Min, f64::MAX),
                    Builtin::MaxArray => (Op2::Max, -f64::MAX),
                    Builtin::Sum => (Op2::Add, 0.0),
                    _ => (Op2::Mul, 1.0),
                };
                let mut values = values.into_iter();
                let start = values.next().unwrap_or_else(|| self.sys.arena.constant(empty));
                Ok(Val::Scalar(values.fold(start, |sum, v| self.sys.arena.binary(op, sum, v))))
            }
            Builtin::Ceil | Builtin::Floor | Builtin::IntegerFloor => {
                need(1)?;
                let op = if builtin == Builtin::Ceil { Op1::Ceil } else { Op1::Floor };
                let arg = self.expr(scope, &args[0])?;
                arg.map(&mut |e| self.rounded(scope, op, e, span))
            }
            Builtin::Div | Builtin::Mod | Builtin::Rem => {
                need(2)?;
                let a = self.expr(scope, &args[0])?;
                let b = self.expr(scope, &args[1])?;
                let op = if builtin == Builtin::Mod { Op1::Floor } else { Op1::Trunc };
                let result = a.zip(&b, &mut |a, b| {
                    let quotient = self.sys.arena.div(a, b);
                    let whole = self.rounded(scope, op, quotient, span)?;
                    if builtin == Builtin::Div {
                        return Ok(whole);
                    }
                    let multiple = self.sys.arena.mul(whole, b);
                    Ok(self.sys.arena.sub(a, multiple))
                })?;
                result.ok_or_else(|| shape_error(span))
            }
            Builtin::IntegerOfEnum => {
                need(1)?;
                self.expr(scope, &args[0])
            }
            Builtin::String => self.string_of(scope, args, span),
            Builtin::Der => {
                need(1)?;
                let arg = self.expr(scope, &args[0])?;
                arg.map(&mut |e| self.derivative(e, span))
            }
            Builtin::Pre => {
                need(1)?;
                let arg = self.bare(scope, &args[0])?;
                arg.map(&mut |e| self.pre(e, span))
            }
            Builtin::Edge => {
                need(1)?;
                let now = self.scalar(scope, &args[0])?;
                let Val::Scalar(bare) = self.bare(scope, &args[0])? else { return Err(shape_error(span)) };
                let before = self.pre(bare, span)?;
                let not_before = self.sys.arena.not(before);
                Ok(Val::Scalar(self.sys.arena.and(now, not_before)))
            }
            Builtin::Change => {
                need(1)?;
                let now = self.scalar(scope, &args[0])?;
                let Val::Scalar(bare) = self.bare(scope, &args[0])? else { return Err(shape_error(span)) };
                let before = self.pre(bare, span)?;
                Ok(Val::Scalar(self.sys.arena.binary(Op2::Ne, now, before)))
            }
            Builtin::Initial => {
                let flag = self.flag(true);
                Ok(Val::Scalar(self.sys.arena.var(flag)))
            }
            Builtin::Terminal => {
                let flag = self.flag(false);
                Ok(Val::Scalar(self.sys.arena.var(flag)))
            }
            Builtin::Sample => {
                need(2)?;
                let start = self.scalar(scope, &args[0])?;
                let interval = self.scalar(scope, &args[1])?;
                let start = self.parameter_named(start, "sample_start", span);
                let interval = self.parameter_named(interval, "sample_interval", span);
                let active = self.made_variable("sample", SlotType::Boolean, Role::External, span);
                self.sys.samplers.push(Sampler { active, start, interval, span });
                Ok(Val::Scalar(self.sys.arena.var(active)))
            }
            Builtin::NoEvent => {
                need(1)?;
                self.without_events(scope, &args[0])
            }
            Builtin::Smooth => {
                need(2)?;
                self.without_events(scope, &args[1])
            }
            Builtin::Homotopy => {
                need(1)?;
                self.expr(scope, &args[0])
            }
            Builtin::SemiLinear => {
                need(3)?;
                let x = self.scalar(scope, &args[0])?;
                let up = self.scalar(scope, &args[1])?;
                let down = self.scalar(scope, &args[2])?;
                let zero = self.sys.arena.constant(0.0);
                let positive = self.sys.arena.binary(Op2::Ge, x, zero);
                let slope = self.sys.arena.select(positive, up, down);
                Ok(Val::Scalar(self.sys.arena.mul(x, slope)))
            }
            Builtin::Delay => {
                need(2)?;
                let source = self.scalar(scope, &args[0])?;
                let delay = self.scalar(scope, &args[1])?;
                let max = match args.get(2) {
                    Some(max) => self.scalar(scope, max)?,
                    None => delay,
                };
                if self.is_continuous_expr(max) {
                    return Err(unsupported("a delay whose largest delay time is not a parameter", span));
                }
                let source = self.continuous_named(source, "delayed", span);
                let delay = self.continuous_named(delay, "delay_time", span);
                let max = self.parameter_named(max, "delay_max", span);
                let value = self.made_variable("delay", SlotType::Real, Role::External, span);
                self.sys.delays.push(Delay { source, delay, max, value, span });
                Ok(Val::Scalar(self.sys.arena.var(value)))
            }
            Builtin::Size => {
                need(1)?;
                let array = self.expr(scope, &args[0])?;
                match args.get(1) {
                    Some(dim) => {
                        let dim = self.index(scope, dim)?;
                        let known = args[0].ty.dims.get(dim.wrapping_sub(1)).copied().flatten();
                        let size = known.or_else(|| array.size(dim.wrapping_sub(1)));
                        let size = size.ok_or_else(|| Diagnostic::error("D006", format!("there is no dimension {dim}")).at(span, "here"))?;
                        Ok(Val::Scalar(self.sys.arena.constant(size as f64)))
                    }
                    None => {
                        let n = args[0].ty.dims.len();
                        let sizes = (0..n).map(|d| args[0].ty.dims[d].or_else(|| array.size(d)).unwrap_or(0));
                        Ok(Val::Array(sizes.collect::<Vec<_>>().into_iter().map(|s| Val::Scalar(self.sys.arena.constant(s as f64))).collect()))
                    }
                }
            }
            Builtin::Ndims => {
                need(1)?;
                Ok(Val::Scalar(self.sys.arena.constant(args[0].ty.dims.len() as f64)))
            }
            Builtin::Scalar => {
                need(1)?;
                let values = self.expr(scope, &args[0])?.to_scalars();
                match values.as_slice() {
                    [one] => Ok(Val::Scalar(*one)),
                    _ => Err(shape_error(span)),
                }
            }
            Builtin::Vector => {
                need(1)?;
                Ok(Val::Array(self.expr(scope, &args[0])?.to_scalars().into_iter().map(Val::Scalar).collect()))
            }
            Builtin::Matrix => {
                need(1)?;
                let value = self.expr(scope, &args[0])?;
                Ok(match value.n_dims() {
                    0 => Val::Array(vec![Val::Array(vec![value])]),
                    1 => Val::Array(value.items().unwrap_or(&[]).iter().map(|v| Val::Array(vec![v.clone()])).collect()),
                    _ => value,
                })
            }
            Builtin::Promote => {
                need(2)?;
                let n = self.index(scope, &args[1])?;
                let mut value = self.expr(scope, &args[0])?;
                fn wrap(v: &Val) -> Val {
                    match v {
                        Val::Array(items) => Val::Array(items.iter().map(wrap).collect()),
                        scalar => Val::Array(vec![scalar.clone()]),
                    }
                }
                while value.n_dims() < n {
                    value = wrap(&value);
                }
                Ok(value)
            }
            Builtin::Identity => {
                need(1)?;
                let n = self.index(scope, &args[0])?;
                Ok(self.identity(n))
            }
            Builtin::Diagonal => {
                need(1)?;
                let values = self.expr(scope, &args[0])?.to_scalars();
                let zero = Val::Scalar(self.sys.arena.constant(0.0));
                let n = values.len();
                Ok(Val::Array((0..n).map(|i| Val::Array((0..n).map(|j| if i == j { Val::Scalar(values[i]) } else { zero.clone() }).collect())).collect()))
            }
            Builtin::Zeros | Builtin::Ones | Builtin::Fill => {
                let (value, dims) = if builtin == Builtin::Fill {
                    need(1)?;
                    (self.expr(scope, &args[0])?, &args[1..])
                } else {
                    (Val::Scalar(self.sys.arena.constant(f64::from(u8::from(builtin == Builtin::Ones)))), args)
                };
                let mut result = value;
                for dim in dims.iter().rev() {
                    let n = self.index(scope, dim)?;
                    result = Val::Array(vec![result; n]);
                }
                Ok(result)
            }
            Builtin::Linspace => {
                need(3)?;
                let a = self.scalar(scope, &args[0])?;
                let b = self.scalar(scope, &args[1])?;
                let n = self.index(scope, &args[2])?;
                let arena = &mut self.sys.arena;
                let mut items = Vec::new();
                for i in 0..n {
                    let difference = arena.sub(b, a);
                    let fraction = arena.constant(i as f64 / (n.max(2) - 1) as f64);
                    let step = arena.mul(difference, fraction);
                    items.push(Val::Scalar(arena.add(a, step)));
                }
                Ok(Val::Array(items))
            }
            Builtin::Transpose => {
                need(1)?;
                let value = self.expr(scope, &args[0])?;
                transpose(&value).ok_or_else(|| shape_error(span))
            }
            Builtin::OuterProduct => {
                need(2)?;
                let a = self.expr(scope, &args[0])?.to_scalars();
                let b = self.expr(scope, &args[1])?.to_scalars();
                Ok(Val::Array(a.iter().map(|a| Val::Array(b.iter().map(|b| Val::Scalar(self.sys.arena.mul(*a, *b))).collect())).collect()))
            }
            Builtin::Symmetric => {
                need(1)?;
                let value = self.expr(scope, &args[0])?;
                let rows = value.items().ok_or_else(|| shape_error(span))?;
                let n = rows.len();
                let at = |i: usize, j: usize| rows[i].items().and_then(|r| r.get(j)).cloned().ok_or_else(|| shape_error(span));
                let mut result = Vec::new();
                for i in 0..n {
                    result.push(Val::Array((0..n).map(|j| if i <= j { at(i, j) } else { at(j, i) }).collect::<Result<_, _>>()?));
                }
                Ok(Val::Array(result))
            }
            Builtin::Cross => {
                need(2)?;
                let a = self.expr(scope, &args[0])?.to_scalars();
                let b = self.expr(scope, &args[1])?.to_scalars();
                if a.len() != 3 || b.len() != 3 {
                    return Err(shape_error(span));
                }
                let arena = &mut self.sys.arena;
                let mut items = Vec::new();
                for (i, j) in [(1, 2), (2, 0), (0, 1)] {
                    let plus = arena.mul(a[i], b[j]);
                    let minus = arena.mul(a[j], b[i]);
                    items.push(Val::Scalar(arena.sub(plus, minus)));
                }
                Ok(Val::Array(items))
            }
            Builtin::Skew => {
                need(1)?;
                let v = self.expr(scope, &args[0])?.to_scalars();
                if v.len() != 3 {
                    return Err(shape_error(span));
                }
                let arena = &mut self.sys.arena;
                let zero = arena.constant(0.0);
                let rows = [[zero, arena.neg(v[2]), v[1]], [v[2], zero, arena.neg(v[0])], [arena.neg(v[1]), v[0], zero]];
                Ok(Val::Array(rows.iter().map(|r| Val::Array(r.iter().map(|e| Val::Scalar(*e)).collect())).collect()))
            }
            Builtin::Cat => {
                need(1)?;
                let dim = self.index(scope, &args[0])?;
                let parts = args[1..].iter().map(|a| self.expr(scope, a)).collect::<Lowering<Vec<_>>>()?;
                concatenate(dim, &parts).ok_or_else(|| shape_error(span))
            }
            Builtin::Array => Ok(Val::Array(args.iter().map(|a| self.expr(scope, a)).collect::<Result<_, _>>()?)),
            Builtin::Reinit | Builtin::Assert | Builtin::Terminate | Builtin::Print => Err(unsupported("this statement inside an expression", span)),
            Builtin::SpatialDistribution => Err(unsupported("spatialDistribution", span)),
            Builtin::Cardinality => Err(unsupported("cardinality", span)),
            _ => Err(unsupported(&format!("{builtin:?}"), span)),
        }
    }

    /// The variables of a reference themselves, whatever was assigned to them so far (for `pre`).
    fn bare(&mut self, scope: &mut Scope, expr: &flat::Expr) -> Lowering<Val> {
        let assigned = std::mem::take(&mut scope.assigned);
        let result = self.expr(scope, expr);
        scope.assigned = assigned;
        result
    }

    fn without_events(&mut self, scope: &mut Scope, expr: &flat::Expr) -> Lowering<Val> {
        let was = std::mem::replace(&mut scope.no_event, true);
        let result = self.expr(scope, expr);
        scope.no_event = was;
        result
    }

    fn flag(&mut self, initial: bool) -> VarId {
        let known = if initial { self.sys.initial_flag } else { self.sys.terminal_flag };
        if let Some(var) = known {
            return var;
        }
        let name = if initial { "initial" } else { "terminal" };
        let var = self.made_variable(name, SlotType::Boolean, Role::External, Span::default());
        if initial {
            self.sys.initial_flag = Some(var);
        } else {
            self.sys.terminal_flag = Some(var);
        }
        var
    }

    fn pre(&mut self, expr: ExprId, span: Span) -> Lowering<ExprId> {
        match self.sys.arena.node(expr) {
            Node::Var(v) => match self.sys.vars[v].role {
                Role::Parameter | Role::FreeParameter => Ok(expr),
                _ => {
                    let pre = self.sys.pre_of(v);
                    Ok(self.sys.arena.var(pre))
                }
            },
            Node::Const(_) => Ok(expr),
            _ => {
                // `edge(expression)`, as some exporters write: the expression gets a name of its own.
                let var = self.discrete_named(expr, "pre", SlotType::Boolean, span);
                let pre = self.sys.pre_of(var);
                Ok(self.sys.arena.var(pre))
            }
        }
    }

    fn derivative(&mut self, expr: ExprId, span: Span) -> Lowering<ExprId> {
        let sys = &mut self.sys;
        if let Node::Var(v) = sys.arena.node(expr)
            && sys.is_continuous(v)
        {
            let der = sys.derivative_of(v);
            return Ok(sys.arena.var(der));
        }
        crate::reduce::time_derivative(sys, expr)
            .map_err(|what| Diagnostic::error("D001", format!("the derivative of {what} cannot be formed")).at(span, "needed here"))
    }

    fn string_of(&mut self, scope: &mut Scope, args: &[flat::Expr], span: Span) -> Lowering<Val> {
        let Some(arg) = args.first() else { return Err(unsupported("String without arguments", span)) };
        let value = self.scalar(scope, arg)?;
        if let (flat::Scalar::Enumeration(e), Some(number)) = (arg.ty.scalar, self.sys.constant_value(value)) {
            let name = self.model.enums[e].literals.get((number as usize).wrapping_sub(1)).cloned().unwrap_or_default();
            return Ok(Val::Text(vec![Text::Literal(name)]));
        }
        if let Some(number) = self.sys.arena.as_constant(value) {
            let text = match arg.ty.scalar {
                flat::Scalar::Boolean => (number != 0.0).to_string(),
                _ => format!("{number}"),
            };
            return Ok(Val::Text(vec![Text::Literal(text)]));
        }
        let var = match self.sys.arena.node(value) {
            Node::Var(v) => v,
            _ => self.continuous_named(value, "text", span),
        };
        Ok(Val::Text(vec![Text::Value(var)]))
    }
}

fn transpose(value: &Val) -> Option<Val> {
    let rows = value.items()?;
    let n_cols = rows.first()?.items()?.len();
    let column = |j: usize| rows.iter().map(|row| row.items()?.get(j).cloned()).collect::<Option<Vec<_>>>().map(Val::Array);
    (0..n_cols).map(column).collect::<Option<Vec<_>>>().map(Val::Array)
}

fn concatenate(dim: usize, parts: &[Val]) -> Option<Val> {
    if dim <= 1 {
        let mut items = Vec::new();
        for part in parts {
            items.extend_from_slice(part.items()?);
        }
        return Some(Val::Array(items));
    }
    let n = parts.first()?.items()?.len();
    let row = |i: usize| {
        let inner = parts.iter().map(|p| p.items()?.get(i).cloned()).collect::<Option<Vec<_>>>()?;
        concatenate(dim - 1, &inner)
    };
    (0..n).map(row).collect::<Option<Vec<_>>>().map(Val::Array)
}
