//! Scalarises expressions.

use super::arrays::{self, Algebra, scalar_op, shape_error};
use super::event_builtins::looks_at_time;
use super::value::{TextFragment, Val};
use super::{Lowerer, Lowering, Scope, unsupported};
use crate::base::budget;
use crate::base::ids::{ExprId, VarId};
use crate::equations::dae::Role;
use crate::equations::expr::Node;
use crate::frontend::flat::{self, BinaryOp, Builtin, ExprKind, Subscript, UnaryOp};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::plan::SlotType;

impl Algebra for Lowerer<'_> {
    type S = ExprId;

    fn constant(&mut self, value: f64) -> ExprId {
        self.sys.arena.constant(value)
    }

    fn literal(&self, scalar: ExprId) -> Option<f64> {
        self.sys.arena.as_constant(scalar)
    }

    fn known(&mut self, scalar: ExprId) -> Option<f64> {
        self.sys.decided_value(scalar)
    }

    fn unary(&mut self, op: Op1, a: ExprId) -> ExprId {
        budget::spend(1);
        self.sys.arena.unary(op, a)
    }

    fn binary(&mut self, op: Op2, a: ExprId, b: ExprId) -> ExprId {
        budget::spend(1);
        self.sys.arena.binary(op, a, b)
    }

    fn select(&mut self, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
        budget::spend(1);
        self.partial_choice(c, a, b)
    }

    fn shared(&mut self, scalar: ExprId) -> ExprId {
        // Equal expressions are one.
        scalar
    }
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

    /// A string.
    pub(super) fn text(&mut self, scope: &mut Scope, expr: &flat::Expr) -> Lowering<Vec<TextFragment<ExprId>>> {
        match self.expr(scope, expr)? {
            Val::Text(text) => Ok(text),
            _ => Err(Diagnostic::error("D002", "a String is needed here").at(expr.span, "this is not a String")),
        }
    }

    /// Any expression.
    pub(super) fn expr(&mut self, scope: &mut Scope, expr: &flat::Expr) -> Lowering<Val> {
        budget::spend(2);
        match &expr.kind {
            ExprKind::Literal(value) => {
                super::whole::check_literal(value, false, expr.span)?;
                Ok(self.scalar_literal(value))
            }
            ExprKind::Time => {
                let time = self.sys.time();
                Ok(Val::Scalar(self.sys.arena.var(time)))
            }
            ExprKind::Var(id) => self.variable_value(scope, *id, expr),
            ExprKind::Local(id) => self.local_value(scope, *id, expr),
            ExprKind::Index(base, subscripts) => self.indexed(scope, base, subscripts, expr),
            ExprKind::Field(base, field) => self.field(scope, base, *field, expr),
            ExprKind::Unary(op, operand) => {
                let operand = self.expr(scope, operand)?;
                let op = match op {
                    UnaryOp::Minus => Op1::Neg,
                    UnaryOp::Not => Op1::Not,
                };
                operand.map(&mut |e| Ok(self.sys.arena.unary(op, e)))
            }
            ExprKind::Binary(..) => self.binary(scope, expr),
            ExprKind::If(condition, a, b) => self.if_expression(scope, condition, a, b, expr.span),
            ExprKind::Builtin(builtin, args) => self.builtin(scope, *builtin, args, expr.span),
            ExprKind::Call(..) => {
                let first = self.call_outputs(scope, expr)?.into_iter().next();
                let value = first
                    .ok_or_else(|| Diagnostic::error("D001", "the function has no output").at(expr.span, "called for a value here"))?;
                Ok(self.present(scope, value, expr))
            }
            ExprKind::NewObject(object, _) => {
                Err(unsupported(&format!("the external object class {}", self.model.objects[*object].name), expr.span))
            }
            ExprKind::Record(_, fields) => Ok(Val::Record(fields.iter().map(|f| self.expr(scope, f)).collect::<Result<_, _>>()?)),
            ExprKind::Array(items) => {
                Ok(Val::array(items.iter().map(|f| self.expr(scope, f)).collect::<Result<_, _>>()?, super::item_sizes(&expr.ty)))
            }
            ExprKind::Range(start, step, stop) => self.range(scope, start, step.as_deref(), stop, expr.span),
            ExprKind::Comprehension(body, iterators) => self.comprehension(scope, body, iterators),
            ExprKind::ToReal(inner) => match &inner.kind {
                ExprKind::Literal(value) => {
                    super::whole::check_literal(value, true, inner.span)?;
                    Ok(self.scalar_literal(value))
                }
                _ => self.expr(scope, inner),
            },
        }
    }

    fn variable_value(&mut self, scope: &Scope, id: flat::VarId, expr: &flat::Expr) -> Lowering<Val> {
        if let Some(val) = scope.assigned.get(&id) {
            let value = val.counted_clone();
            return Ok(self.present(scope, value, expr));
        }
        self.value_of[id].as_ref().map(Val::counted_clone).ok_or_else(|| {
            let var = &self.model.vars[id];
            Diagnostic::error("D001", format!("{} cannot be used in an expression", var.name))
                .at(expr.span, "used here")
                .at(var.span, "declared here")
        })
    }

    fn local_value(&mut self, scope: &Scope, id: flat::LocalId, expr: &flat::Expr) -> Lowering<Val> {
        match scope.locals[id].as_ref().map(Val::counted_clone) {
            Some(value) => Ok(self.present(scope, value, expr)),
            None if scope.in_body && expr.ty.is_scalar() && !matches!(expr.ty.scalar, flat::Scalar::String) => {
                Ok(self.present(scope, Val::Uninitialised, expr))
            }
            None => {
                let name = match scope.function {
                    Some(f) => self.model.functions[f].locals[id].name.clone(),
                    None => self.model.loop_vars[id].name.clone(),
                };
                Err(Diagnostic::error("D007", format!("{name} is used before it has a value")).at(expr.span, "used here"))
            }
        }
    }

    fn indexed(&mut self, scope: &mut Scope, base: &flat::Expr, subscripts: &[Subscript], expr: &flat::Expr) -> Lowering<Val> {
        let value = match self.element(scope, base, subscripts)? {
            Some(element) => element,
            None => {
                // Only the chosen part is read.
                let whole = match &base.kind {
                    ExprKind::Local(id) => scope.locals[*id].as_ref().map(Val::counted_clone),
                    _ => None,
                };
                let base = match whole {
                    Some(whole) => whole,
                    None => self.expr(scope, base)?,
                };
                self.subscripted(scope, &base, subscripts, expr.span)?
            }
        };
        Ok(self.present(scope, value, expr))
    }

    fn field(&mut self, scope: &mut Scope, base: &flat::Expr, field: usize, expr: &flat::Expr) -> Lowering<Val> {
        let value = match self.expr(scope, base)? {
            Val::Record(fields) if field < fields.len() => fields[field].clone(),
            Val::Array(items) => {
                let fields = items.iter().map(|item| match item {
                    Val::Record(fields) if field < fields.len() => Ok(fields[field].clone()),
                    _ => Err(unsupported("this field access", expr.span)),
                });
                Val::Array(fields.collect::<Result<_, _>>()?)
            }
            _ => return Err(unsupported("this field access", expr.span)),
        };
        Ok(self.present(scope, value, expr))
    }

    fn if_expression(&mut self, scope: &mut Scope, condition: &flat::Expr, a: &flat::Expr, b: &flat::Expr, span: Span) -> Lowering<Val> {
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
                self.choose(condition, &a, &b).ok_or_else(|| shape_error(span))
            }
        }
    }

    fn range(&mut self, scope: &mut Scope, start: &flat::Expr, step: Option<&flat::Expr>, stop: &flat::Expr, span: Span) -> Lowering<Val> {
        let mut number = |this: &mut Self, e: &flat::Expr| -> Lowering<f64> {
            let value = this.scalar(scope, e)?;
            this.sys.decided_value(value).ok_or_else(|| {
                Diagnostic::error("D006", "a range must be known when the model is compiled").at(e.span, "this is not a constant")
            })
        };
        let first = number(self, start)?;
        let step = step.map(|s| number(self, s)).transpose()?.unwrap_or(1.0);
        let last = number(self, stop)?;
        arrays::range(self, first, step, last, span)
    }

    fn comprehension(&mut self, scope: &mut Scope, body: &flat::Expr, iterators: &[(flat::LocalId, flat::Expr)]) -> Lowering<Val> {
        let Some(((local, range), rest)) = iterators.split_first() else { return self.expr(scope, body) };
        let range = self.expr(scope, range)?;
        let mut items = Vec::new();
        for item in range.items().unwrap_or(&[]) {
            scope.locals[*local] = Some(item.clone());
            items.push(self.comprehension(scope, body, rest)?);
        }
        if items.is_empty() {
            return Ok(Val::array(items, super::sizes_without_iterations(body, rest)));
        }
        Ok(Val::Array(items))
    }

    /// `if condition then a else b` on trees of one shape.
    pub(super) fn choose(&mut self, condition: ExprId, a: &Val, b: &Val) -> Option<Val> {
        arrays::choose(self, condition, a, b)
    }

    /// What an access beyond the bounds of an array gives: not a number, which the run reports where it matters.
    pub(super) fn nowhere(&mut self, like: &Val) -> Val {
        let nothing = self.sys.arena.constant(f64::NAN);
        let Ok(value) = like.map(&mut |_| Ok::<_, std::convert::Infallible>(nothing));
        value
    }

    /// Whether a number is none of 1 to `n`.
    pub(super) fn is_outside(&mut self, number: ExprId, n: usize) -> ExprId {
        let [first, last] = [1.0, n as f64].map(|bound| self.sys.arena.constant(bound));
        let below = self.sys.arena.binary(Op2::Lt, number, first);
        let above = self.sys.arena.binary(Op2::Gt, number, last);
        self.sys.arena.or(below, above)
    }

    /// An element of a variable at indices that are known, without a copy of the whole variable: loops over arrays stay linear.
    fn element(&mut self, scope: &mut Scope, base: &flat::Expr, subscripts: &[Subscript]) -> Lowering<Option<Val>> {
        if !matches!(base.kind, ExprKind::Var(_) | ExprKind::Local(_)) {
            return Ok(None);
        }
        let mut indices = Vec::with_capacity(subscripts.len());
        for subscript in subscripts {
            let Subscript::Index(index) = subscript else { return Ok(None) };
            if !is_plain(index) {
                return Ok(None);
            }
            let index = self.scalar(scope, index)?;
            match self.sys.decided_value(index) {
                Some(v) if v >= 1.0 => indices.push(v as usize - 1),
                _ => return Ok(None),
            }
        }
        let mut value = match base.kind {
            ExprKind::Var(id) => scope.assigned.get(&id).or(self.value_of[id].as_ref()),
            ExprKind::Local(id) => scope.locals[id].as_ref(),
            _ => None,
        };
        for index in indices {
            value = value.and_then(Val::items).and_then(|items| items.get(index));
        }
        Ok(value.cloned())
    }

    fn subscripted(&mut self, scope: &mut Scope, base: &Val, subscripts: &[Subscript], span: Span) -> Lowering<Val> {
        let Some((first, rest)) = subscripts.split_first() else { return Ok(base.clone()) };
        let items = base.items().ok_or_else(|| Diagnostic::error("D002", "too many subscripts").at(span, "here"))?;
        let at = |this: &mut Self, scope: &mut Scope, index: ExprId, ty: &flat::Type| -> Lowering<Val> {
            match this.sys.decided_value(index) {
                Some(v) if v >= 1.0 && v as usize <= items.len() => this.subscripted(scope, &items[v as usize - 1], rest, span),
                Some(v) => Err(Diagnostic::error("D006", format!("index {v} is outside 1:{}", items.len())).at(span, "here")),
                None => {
                    // A run-time index: a choice among all elements, and what is not a number where it is none of them. A value of
                    // an enumeration is one of them for sure.
                    let mut result = match items.first().filter(|_| ty.scalar == flat::Scalar::Integer) {
                        Some(item) => Some(this.subscripted(scope, item, rest, span).map(|item| this.nowhere(&item))?),
                        None => None,
                    };
                    for (i, item) in items.iter().enumerate().rev() {
                        let item = this.subscripted(scope, item, rest, span)?;
                        result = Some(match result {
                            None => item,
                            Some(other) => {
                                let number = this.sys.arena.constant(i as f64 + 1.0);
                                let here = this.sys.arena.binary(Op2::Eq, index, number);
                                let chosen = this.choose(here, &item, &other).ok_or_else(|| shape_error(span))?;
                                chosen.to_scalars().into_iter().for_each(|scalar| this.sys.arena.set_span(scalar, (span.start, span.end)));
                                chosen
                            }
                        });
                    }
                    result.ok_or_else(|| Diagnostic::error("D006", "an empty array has no elements").at(span, "here"))
                }
            }
        };
        match first {
            Subscript::Index(index) => {
                let number = self.scalar(scope, index)?;
                at(self, scope, number, &index.ty)
            }
            Subscript::Slice(indices) => {
                let numbers = self.expr(scope, indices)?.to_scalars();
                let chosen: Vec<Val> = numbers.into_iter().map(|i| at(self, scope, i, &indices.ty)).collect::<Result<_, _>>()?;
                let inner = if chosen.is_empty() { self.chosen_sizes(scope, base, rest)? } else { Vec::new() };
                Ok(Val::array(chosen, inner))
            }
            Subscript::All => {
                let chosen: Vec<Val> = items.iter().map(|item| self.subscripted(scope, item, rest, span)).collect::<Result<_, _>>()?;
                let inner = if chosen.is_empty() { self.chosen_sizes(scope, base, rest)? } else { Vec::new() };
                Ok(Val::array(chosen, inner))
            }
        }
    }

    /// The sizes that an element of `base` with these subscripts would have, where none is chosen that could tell.
    fn chosen_sizes(&mut self, scope: &mut Scope, base: &Val, subscripts: &[Subscript]) -> Lowering<Vec<usize>> {
        let mut sizes = Vec::new();
        for (dim, size) in base.sizes().into_iter().enumerate().skip(1) {
            match subscripts.get(dim - 1) {
                Some(Subscript::Index(_)) => {}
                Some(Subscript::Slice(indices)) => sizes.push(self.expr(scope, indices)?.to_scalars().len()),
                Some(Subscript::All) | None => sizes.push(size),
            }
        }
        Ok(sizes)
    }

    fn binary(&mut self, scope: &mut Scope, expr: &flat::Expr) -> Lowering<Val> {
        // Left-deep chains (long sums) are walked without recursion on the left.
        let mut chain = Vec::new();
        let mut left = expr;
        while let ExprKind::Binary(op, a, b) = &left.kind {
            chain.push((*op, b, left));
            left = a;
        }
        let mut value = self.expr(scope, left)?;
        for (op, right, whole) in chain.into_iter().rev() {
            let span = whole.span;
            // `and`/`or` with a known left side do not look at the right.
            if let (BinaryOp::And | BinaryOp::Or, Val::Scalar(left)) = (op, &value)
                && let Some(known) = self.sys.arena.as_constant(*left)
                && (known != 0.0) == (op == BinaryOp::Or)
            {
                continue;
            }
            // What the right side does matters only where the left does not decide.
            let path = scope.path;
            if let (BinaryOp::And | BinaryOp::Or, Val::Scalar(left)) = (op, &value) {
                let open = if op == BinaryOp::And { *left } else { self.sys.arena.not(*left) };
                scope.path = self.conjunction(path, Some(open));
            }
            let (right_type, right) = (right.ty.scalar, self.expr(scope, right));
            scope.path = path;
            let is_real = right_type == flat::Scalar::Real;
            value = self.combine(scope, op, &value, &right?, is_real, span)?;
            if whole.ty.scalar == flat::Scalar::Integer && super::whole::may_overflow(op) {
                self.must_be_exact(scope, &value, span)?;
            }
        }
        Ok(value)
    }

    fn combine(&mut self, scope: &mut Scope, op: BinaryOp, a: &Val, b: &Val, is_real: bool, span: Span) -> Lowering<Val> {
        let plain = scalar_op(op);
        if !plain.is_relation() || matches!((a, b), (Val::Text(_), Val::Text(_))) {
            return arrays::combine(self, op, a, b, span);
        }
        let is_equality = is_real && matches!(plain, Op2::Eq | Op2::Ne);
        a.zip(b, &mut |a, b| match is_equality {
            true => self.equality(scope, plain, a, b, span),
            false => self.relation(scope, plain, a, b, span),
        })?
        .ok_or_else(|| shape_error(span))
    }

    /// Whether a variable can change between events.
    pub(super) fn is_changing(&self, var: VarId) -> bool {
        let variable = &self.sys.vars[var];
        matches!(variable.role, Role::Continuous | Role::Time | Role::Input)
            || (variable.role == Role::External && variable.ty == SlotType::Real)
    }

    /// Whether a value can change between events.
    pub(super) fn is_continuous_expr(&mut self, expr: ExprId) -> bool {
        let mut stack = vec![expr];
        while let Some(top) = stack.last().copied() {
            if self.memo.continuous.contains_key(&top) {
                stack.pop();
                continue;
            }
            if let Node::Var(v) = self.sys.arena.node(top) {
                self.memo.continuous.insert(top, self.is_changing(v));
                stack.pop();
                continue;
            }
            let operands: Vec<ExprId> = self.sys.arena.operands(top).collect();
            let open: Vec<ExprId> = operands.iter().copied().filter(|o| !self.memo.continuous.contains_key(o)).collect();
            if open.is_empty() {
                let is = operands.iter().any(|o| self.memo.continuous[o]);
                self.memo.continuous.insert(top, is);
                stack.pop();
            } else {
                stack.extend(open);
            }
        }
        self.memo.continuous[&expr]
    }

    /// A relation: an event-generating variable where the operands are continuous, a plain comparison otherwise.
    pub(super) fn relation(&mut self, scope: &Scope, op: Op2, a: ExprId, b: ExprId, span: Span) -> Lowering<ExprId> {
        let plain = self.sys.arena.binary(op, a, b);
        self.sys.arena.set_span(plain, (span.start, span.end));
        if scope.no_event || self.sys.arena.as_constant(plain).is_some() || (!self.is_continuous_expr(a) && !self.is_continuous_expr(b)) {
            return Ok(plain);
        }
        let (a, b) = self.guarded_sides(scope, op, a, b);
        if let Some(var) = self.memo.relation_of.get(&(op, a, b)) {
            return Ok(self.sys.arena.var(*var));
        }
        let var = self.auxiliary_variable("relation", SlotType::Boolean, Role::Relation, span);
        self.memo.relation_of.insert((op, a, b), var);
        self.sys.relations.push(crate::equations::dae::Relation { var, op, lhs: a, rhs: b, schedule: None, partner: None, span });
        Ok(self.sys.arena.var(var))
    }

    fn builtin(&mut self, scope: &mut Scope, builtin: Builtin, args: &[flat::Expr], span: Span) -> Lowering<Val> {
        if let Some(least) = looks_at_time(builtin) {
            if args.len() < least {
                return Err(unsupported(&format!("{builtin:?} with {} arguments", args.len()), span));
            }
            return self.event_builtin(scope, builtin, args, span);
        }
        let values = args.iter().map(|a| self.expr(scope, a)).collect::<Lowering<Vec<_>>>()?;
        let types: Vec<&flat::Type> = args.iter().map(|a| &a.ty).collect();
        let value = arrays::builtin(self, builtin, &values, &types, span)?;
        if matches!(builtin, Builtin::Min | Builtin::Max | Builtin::MinArray | Builtin::MaxArray) {
            self.place_extrema(&value, span);
        }
        Ok(value)
    }

    /// Notes where the extrema of a value were written.
    fn place_extrema(&mut self, value: &Val, span: Span) {
        let mut stack = value.to_scalars();
        while let Some(top) = stack.pop() {
            if let Node::Binary(Op2::Min | Op2::Max, a, b) = self.sys.arena.node(top)
                && self.sys.arena.place(top).is_none()
            {
                self.sys.arena.set_span(top, (span.start, span.end));
                stack.extend([a, b]);
            }
        }
    }
}

/// An index without calls and conditions, which may be evaluated twice.
fn is_plain(index: &flat::Expr) -> bool {
    match &index.kind {
        ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::Var(_) => true,
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, a, b) => is_plain(a) && is_plain(b),
        _ => false,
    }
}
