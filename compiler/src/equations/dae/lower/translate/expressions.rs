//! Expressions of a called function as values of its structured form.

use super::*;
use crate::base::budget;
use crate::equations::dae::lower::whole::{LIMIT, check_literal, may_overflow};
use partita_runtime::base::format::Format;
use partita_runtime::base::math::LARGEST_INTEGER;
use partita_runtime::model::plan::SlotType;

impl<'m> Translator<'_, 'm> {
    pub(super) fn scalar(&mut self, expr: &flat::Expr) -> Lowering<ValueId> {
        match self.expr(expr)?.to_scalars()[..] {
            [scalar] => Ok(scalar),
            _ => Err(Diagnostic::error("D002", "a scalar is needed here").at(expr.span, "this is not a scalar")),
        }
    }

    fn literal_value(&mut self, value: &flat::Value) -> Val<ValueId> {
        let number = match value {
            flat::Value::Real(v) => *v,
            flat::Value::Integer(v) => *v as f64,
            flat::Value::Boolean(v) => f64::from(u8::from(*v)),
            flat::Value::Enumeration(_, v) => f64::from(*v),
            flat::Value::String(s) => return Val::Text(vec![TextFragment::Literal(s.clone())]),
            flat::Value::Array(dims, items) => {
                let mut items = items.iter().map(|v| self.literal_value(v)).collect::<Vec<_>>().into_iter();
                return Val::shaped(dims, &mut || items.next().unwrap_or(Val::Uninitialised));
            }
            flat::Value::Record(_, fields) => return Val::Record(fields.iter().map(|v| self.literal_value(v)).collect()),
        };
        Val::Scalar(self.ir.constant(number))
    }

    pub(super) fn expr(&mut self, expr: &flat::Expr) -> Lowering<Val<ValueId>> {
        budget::spend(2);
        match &expr.kind {
            ExprKind::Literal(value) => {
                check_literal(value, false, expr.span)?;
                Ok(self.literal_value(value))
            }
            ExprKind::Time => Err(unsupported("time inside a function", expr.span)),
            ExprKind::Var(id) => {
                let var = &self.model.vars[*id];
                match &var.value {
                    Some(value) if var.variability == flat::Variability::Constant => Ok(self.literal_value(value)),
                    _ => Err(unsupported(&format!("{}, which is no constant, inside a function", var.name), expr.span)),
                }
            }
            ExprKind::Local(_) | ExprKind::Index(..) | ExprKind::Field(..) => self.reference(expr),
            ExprKind::Unary(op, operand) => {
                let operand = self.expr(operand)?;
                let op = match op {
                    UnaryOp::Minus => Op1::Neg,
                    UnaryOp::Not => Op1::Not,
                };
                operand.map(&mut |e| Ok(self.unary(op, e)))
            }
            ExprKind::Binary(..) => self.operator(expr),
            ExprKind::If(condition, a, b) => {
                let condition = self.scalar(condition)?;
                match self.literal(condition) {
                    Some(0.0) => self.expr(b),
                    Some(_) => self.expr(a),
                    None => {
                        let then = self.nested(|t| t.expr(a))?;
                        let or_else = self.nested(|t| t.expr(b))?;
                        self.either(condition, then, or_else, expr.span)
                    }
                }
            }
            ExprKind::Builtin(builtin, args) => self.builtin(*builtin, args, expr.span),
            ExprKind::Call(..) => {
                let outputs = self.call_outputs(expr)?;
                outputs
                    .into_iter()
                    .next()
                    .ok_or_else(|| Diagnostic::error("D001", "the function has no output").at(expr.span, "called for a value here"))
            }
            ExprKind::NewObject(object, _) => {
                Err(unsupported(&format!("making an external object {} inside a function", self.model.objects[*object].name), expr.span))
            }
            ExprKind::Record(_, fields) => Ok(Val::Record(fields.iter().map(|f| self.expr(f)).collect::<Result<_, _>>()?)),
            ExprKind::Array(items) => {
                Ok(Val::array(items.iter().map(|f| self.expr(f)).collect::<Result<_, _>>()?, super::super::item_sizes(&expr.ty)))
            }
            ExprKind::Range(start, step, stop) => {
                let first = self.number(start)?;
                let step = step.as_ref().map(|s| self.number(s)).transpose()?.unwrap_or(1.0);
                let last = self.number(stop)?;
                arrays::range(self, first, step, last, expr.span)
            }
            ExprKind::Comprehension(body, iterators) => self.comprehension(body, iterators),
            ExprKind::ToReal(inner) => match &inner.kind {
                ExprKind::Literal(value) => {
                    check_literal(value, true, inner.span)?;
                    Ok(self.literal_value(value))
                }
                _ => self.expr(inner),
            },
        }
    }

    fn reference(&mut self, expr: &flat::Expr) -> Lowering<Val<ValueId>> {
        if let Some(place) = self.place(expr)? {
            return self.number_at(&place, expr);
        }
        match &expr.kind {
            ExprKind::Index(base, subscripts) => {
                let value = self.expr(base)?;
                self.subscripted(&value, subscripts, expr.span)
            }
            ExprKind::Field(base, field) => {
                let value = self.expr(base)?;
                field_of(&value, *field).ok_or_else(|| unsupported("this field access", expr.span))
            }
            _ => Err(unsupported("this reference", expr.span)),
        }
    }

    /// A number that must be known here.
    pub(super) fn number(&mut self, expr: &flat::Expr) -> Lowering<f64> {
        let value = self.scalar(expr)?;
        self.literal(value).ok_or_else(|| needs_number("a size", expr.span))
    }

    /// `if condition then a else b`, where each branch may need statements before it.
    fn either(
        &mut self,
        condition: ValueId,
        (mut then, a): (Vec<Stmt>, Val<ValueId>),
        (mut or_else, b): (Vec<Stmt>, Val<ValueId>),
        span: Span,
    ) -> Lowering<Val<ValueId>> {
        if then.is_empty() && or_else.is_empty() {
            let condition = if matches!(a, Val::Scalar(_)) { condition } else { self.shared(condition) };
            return arrays::choose(self, condition, &a, &b).ok_or_else(|| shape_error(span));
        }
        let shape = value_shape(&a).ok_or_else(|| shape_error(span))?;
        if let Shape::Text(_) = shape {
            return Err(unsupported("a String that depends on values at run time", span));
        }
        let home = self.home("$either", &shape, Role::Auxiliary);
        for (block, value) in [(&mut then, &a), (&mut or_else, &b)] {
            let place = Lvalue { home: home.clone(), selected: Vec::new() };
            let (stores, ()) = self.nested(|t| t.write(&place, value, span))?;
            block.extend(stores);
        }
        let mut variables = Vec::new();
        variables_of(&home, &mut variables);
        variables.into_iter().for_each(|v| self.forget(v));
        self.block.push(Stmt::If(vec![(condition, then)], or_else));
        self.read(&Lvalue { home, selected: Vec::new() }, span)
    }

    fn operator(&mut self, expr: &flat::Expr) -> Lowering<Val<ValueId>> {
        // Left-deep chains (long sums) are walked without recursion on the left.
        let mut chain = Vec::new();
        let mut left = expr;
        while let ExprKind::Binary(op, a, b) = &left.kind {
            chain.push((*op, b, left));
            left = a;
        }
        let mut value = self.expr(left)?;
        for (op, right, whole) in chain.into_iter().rev() {
            let span = whole.span;
            if let (BinaryOp::And | BinaryOp::Or, Val::Scalar(left)) = (op, &value) {
                let left = *left;
                if let Some(known) = self.literal(left)
                    && (known != 0.0) == (op == BinaryOp::Or)
                {
                    continue;
                }
                // The right side is evaluated only where the left does not decide.
                let (before, right) = self.nested(|t| t.expr(right))?;
                value = if before.is_empty() {
                    arrays::combine(self, op, &value, &right, span)?
                } else {
                    let decided = Val::Scalar(self.ir.constant(f64::from(u8::from(op == BinaryOp::Or))));
                    let open = (before, right);
                    match op {
                        BinaryOp::And => self.either(left, open, (Vec::new(), decided), span)?,
                        _ => self.either(left, (Vec::new(), decided), open, span)?,
                    }
                };
                continue;
            }
            let is_step = is_small(right);
            let right = self.expr(right)?;
            value = arrays::combine(self, op, &value, &right, span)?;
            // Who counts does not come so far.
            let is_product = matches!(op, BinaryOp::Multiply | BinaryOp::ElementMultiply);
            if whole.ty.scalar == flat::Scalar::Integer && may_overflow(op) && (is_product || !is_step) {
                value = self.must_be_exact(value);
            }
        }
        Ok(value)
    }

    /// Fails where an Integer is too large to be exact.
    fn must_be_exact(&mut self, value: Val<ValueId>) -> Val<ValueId> {
        let Ok(kept) = value.map(&mut |scalar| {
            if self.literal(scalar).is_some_and(|number| number.abs() < LIMIT) {
                return Ok::<_, std::convert::Infallible>(scalar);
            }
            let scalar = self.shared(scalar);
            let size = self.ir.unary(Op1::Abs, scalar);
            let limit = self.ir.constant(LIMIT);
            let broken = self.ir.binary(Op2::Ge, size, limit);
            let condition = self.ir.unary(Op1::Not, broken);
            let message = vec![
                MessageFragment::Text("an Integer is too large: ".to_string()),
                MessageFragment::Value(scalar, Format::Plain(SlotType::Real)),
                MessageFragment::Text(format!(" (Integers are exact up to {LARGEST_INTEGER})")),
            ];
            self.block.push(Stmt::Assert { condition, message });
            Ok(scalar)
        });
        kept
    }

    fn comprehension(&mut self, body: &flat::Expr, iterators: &[(flat::LocalId, flat::Expr)]) -> Lowering<Val<ValueId>> {
        let Some(((local, range), rest)) = iterators.split_first() else { return self.expr(body) };
        let range_value = self.expr(range)?;
        let mut items = Vec::new();
        for item in range_value.items().unwrap_or(&[]) {
            let shape = value_shape(item).ok_or_else(|| shape_error(range.span))?;
            let home = self.home("$iterator", &shape, Role::Auxiliary);
            self.homes[*local] = Some(home.clone());
            self.write(&Lvalue { home, selected: Vec::new() }, item, range.span)?;
            items.push(self.comprehension(body, rest)?);
        }
        if items.is_empty() {
            return Ok(Val::array(items, super::super::sizes_without_iterations(body, rest)));
        }
        Ok(Val::Array(items))
    }

    /// Whether a comprehension runs over one range whose end is known only at run time.
    fn is_open(&mut self, iterators: &[(flat::LocalId, flat::Expr)]) -> Lowering<bool> {
        let [(_, flat::Expr { kind: ExprKind::Range(start, step, stop), .. })] = iterators else { return Ok(false) };
        for bound in [Some(start), step.as_ref(), Some(stop)].into_iter().flatten() {
            let value = self.nested(|t| t.scalar(bound))?.1;
            if self.literal(value).is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A sum, product, least or largest value over a range whose end is known only at run time: a loop.
    fn reduction(&mut self, builtin: Builtin, body: &flat::Expr, iterators: &[(flat::LocalId, flat::Expr)]) -> Lowering<Val<ValueId>> {
        let [(local, flat::Expr { kind: ExprKind::Range(start, step, stop), .. })] = iterators else {
            return self.comprehension(body, iterators);
        };
        let (op, empty) = arrays::reduction(builtin);
        let mut bounds = [self.ir.constant(1.0); 3];
        for (bound, expr) in bounds.iter_mut().zip([Some(start), step.as_ref(), Some(stop)]) {
            if let Some(expr) = expr {
                let value = self.scalar(expr)?;
                *bound = self.bound(value);
            }
        }
        let total = self.ir.variable("$total", &[], Role::Auxiliary);
        let empty = self.ir.constant(empty);
        self.block.push(Function::assign(total, &[], empty));
        let variable = self.ir.variable(&self.function.locals[*local].name, &[], Role::Local);
        self.homes[*local] = Some(Home::Cell { variable, dims: Vec::new() });
        let (mut iteration, value) = self.nested(|t| t.scalar(body))?;
        let before = self.ir.read(total, &[]);
        let after = self.binary(op, before, value);
        iteration.push(Function::assign(total, &[], after));
        let [start, step, stop] = bounds;
        self.block.push(Stmt::For { variable, start, step, stop, body: iteration });
        Ok(Val::Scalar(self.ir.read(total, &[])))
    }

    /// Whether one of the subscripts is a range whose end is known only at run time, and the others are numbers.
    fn has_open_slice(&mut self, subscripts: &[Subscript]) -> Lowering<bool> {
        let is_range = |s: &&Subscript| matches!(s, Subscript::Slice(flat::Expr { kind: ExprKind::Range(..), .. }));
        if subscripts.iter().filter(is_range).count() != 1 || subscripts.iter().any(|s| !is_range(&s) && !matches!(s, Subscript::Index(_)))
        {
            return Ok(false);
        }
        let Some(Subscript::Slice(flat::Expr { kind: ExprKind::Range(start, step, stop), .. })) = subscripts.iter().find(is_range) else {
            return Ok(false);
        };
        for bound in [Some(start), step.as_ref(), Some(stop)].into_iter().flatten() {
            let value = self.nested(|t| t.scalar(bound))?.1;
            if self.literal(value).is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A sum, product, least or largest value over a slice whose end is known only at run time: a loop.
    fn reduction_of_slice(&mut self, builtin: Builtin, base: &flat::Expr, subscripts: &[Subscript], span: Span) -> Lowering<Val<ValueId>> {
        let Some(Lvalue { home: Home::Cell { variable: array, dims }, mut selected }) = self.place(base)? else {
            return Err(needs_number("the size of a slice", span));
        };
        if selected.len() + subscripts.len() != dims.len() {
            return Err(needs_number("the size of a slice", span));
        }
        let counter = self.ir.variable("$element", &[], Role::Auxiliary);
        let mut bounds = [self.ir.constant(1.0); 3];
        for subscript in subscripts {
            selected.push(Selector::One(match subscript {
                Subscript::Index(index) => {
                    let index = self.scalar(index)?;
                    self.bound(index)
                }
                Subscript::Slice(flat::Expr { kind: ExprKind::Range(start, step, stop), .. }) => {
                    for (bound, expr) in bounds.iter_mut().zip([Some(start), step.as_ref(), Some(stop)]) {
                        if let Some(expr) = expr {
                            let value = self.scalar(expr)?;
                            *bound = self.bound(value);
                        }
                    }
                    self.ir.read(counter, &[])
                }
                Subscript::Slice(_) | Subscript::All => return Err(needs_number("the size of a slice", span)),
            }));
        }
        let (op, empty) = arrays::reduction(builtin);
        let total = self.ir.variable("$total", &[], Role::Auxiliary);
        let empty = self.ir.constant(empty);
        self.block.push(Function::assign(total, &[], empty));
        let place = Lvalue { home: Home::Cell { variable: array, dims }, selected };
        let (mut iteration, value) = self.nested(|t| t.read(&place, span))?;
        let Val::Scalar(value) = value else { return Err(shape_error(span)) };
        let before = self.ir.read(total, &[]);
        let after = self.binary(op, before, value);
        iteration.push(Function::assign(total, &[], after));
        let [start, step, stop] = bounds;
        self.block.push(Stmt::For { variable: counter, start, step, stop, body: iteration });
        Ok(Val::Scalar(self.ir.read(total, &[])))
    }

    fn builtin(&mut self, builtin: Builtin, args: &[flat::Expr], span: Span) -> Lowering<Val<ValueId>> {
        match (builtin, args) {
            (Builtin::NoEvent, [arg]) | (Builtin::Smooth, [_, arg]) | (Builtin::Homotopy, [arg, ..]) => self.expr(arg),
            (
                Builtin::Sum | Builtin::Product | Builtin::MinArray | Builtin::MaxArray,
                [flat::Expr { kind: ExprKind::Comprehension(body, iterators), .. }],
            ) if body.ty.is_scalar() && self.is_open(iterators)? => self.reduction(builtin, body, iterators),
            (
                Builtin::Sum | Builtin::Product | Builtin::MinArray | Builtin::MaxArray,
                [flat::Expr { kind: ExprKind::Index(base, subscripts), .. }],
            ) if self.has_open_slice(subscripts)? => self.reduction_of_slice(builtin, base, subscripts, span),
            (Builtin::String, [arg, ..]) => {
                let values = args.iter().map(|a| self.expr(a)).collect::<Lowering<Vec<_>>>()?;
                crate::equations::dae::lower::text::string_of(self, self.model, arg.ty.scalar, &values, span)
            }
            _ => {
                let values = args.iter().map(|a| self.expr(a)).collect::<Lowering<Vec<_>>>()?;
                if let (Builtin::Div | Builtin::Mod | Builtin::Rem, [_, divisors]) = (builtin, values.as_slice()) {
                    for divisor in divisors.to_scalars() {
                        self.must_not_be_zero(divisor);
                    }
                }
                let types: Vec<&flat::Type> = args.iter().map(|a| &a.ty).collect();
                let result = arrays::builtin(self, builtin, &values, &types, span);
                let result = if builtin == Builtin::IntegerFloor { result.map(|value| self.must_be_exact(value)) } else { result };
                // A size that is not known here may be known for other arguments.
                result.map_err(|e| if e.code == "D006" { Diagnostic { code: "D004", ..e } } else { e })
            }
        }
    }

    fn must_not_be_zero(&mut self, divisor: ValueId) {
        if self.literal(divisor).is_none_or(|d| d == 0.0) {
            let zero = self.ir.constant(0.0);
            let condition = self.ir.binary(Op2::Ne, divisor, zero);
            self.block.push(Stmt::Assert { condition, message: vec![MessageFragment::Text("division by zero".to_string())] });
        }
    }

    pub(super) fn call_outputs(&mut self, call: &flat::Expr) -> Lowering<Vec<Val<ValueId>>> {
        let ExprKind::Call(id, args) = &call.kind else { return Ok(vec![self.expr(call)?]) };
        let callee = &self.model.functions[*id];
        let values = args.iter().map(|a| self.expr(a)).collect::<Lowering<Vec<_>>>()?;
        if let FunctionBody::External { function: name, .. } = &callee.body
            && matches!(name.as_str(), "ModelicaError" | "ModelicaFormatError")
            && let Some(Val::Text(pieces)) = values.first()
        {
            let failure = self.failure(pieces);
            self.block.push(failure);
            return Ok(Vec::new());
        }
        if let FunctionBody::External { function: name, .. } = &callee.body
            && let Some(Val::Text(pieces)) = values.first()
            && match name.as_str() {
                "ModelicaMessage" | "ModelicaFormatMessage" => true,
                "ModelicaInternal_print" => values.get(1).and_then(Val::literal).is_none_or(|file| file.is_empty()),
                _ => false,
            }
        {
            let mut line = pieces.clone();
            line.push(TextFragment::Literal("\n".to_string()));
            let said = self.said(&line)?;
            self.block.push(said);
            return Ok(Vec::new());
        }
        let mut shapes = Vec::with_capacity(values.len());
        for (local, value) in callee.inputs.iter().zip(&values) {
            let shape = Shape::of(self.model, value, &callee.locals[*local].ty, &|e| self.literal(e));
            shapes.push(shape.map_err(|reason| Diagnostic::error("D008", reason).at(call.span, "in this call"))?);
        }
        let signature = self.lowerer.called_function(*id, &shapes)?;
        let mut scalars = Vec::new();
        let nothing = self.ir.constant(0.0);
        values.iter().for_each(|v| v.with_filling(nothing).scalars(&mut scalars));
        if let Some(outputs) = self.evaluated(signature.function, &scalars, &signature.outputs, signature.impure) {
            return Ok(outputs);
        }
        if signature.impure {
            scalars.push(self.ir.constant(0.0));
        }
        let mut targets = Vec::new();
        let mut homes = Vec::new();
        for shape in &signature.outputs {
            let home = self.home("$result", shape, Role::Auxiliary);
            if !matches!(home, Home::Text(_)) {
                let uninitialised = self.uninitialised.clone();
                self.targets(&home, call.span, &mut targets)?;
                self.uninitialised = uninitialised;
            }
            homes.push(home);
        }
        let mut targets: Vec<Option<Target>> = targets.into_iter().map(Some).collect();
        if signature.outputs.is_empty() {
            targets.push(None);
        }
        self.block.push(Stmt::Call { function: signature.function, args: scalars, targets });
        self.read_all(&homes, call.span)
    }

    /// The outputs of a call whose arguments are all known, if it can be evaluated here.
    pub(super) fn evaluated(
        &mut self,
        function: crate::base::ids::FnId,
        args: &[ValueId],
        outputs: &[Shape],
        impure: bool,
    ) -> Option<Vec<Val<ValueId>>> {
        let args = args.iter().map(|a| self.literal(*a)).collect::<Option<Vec<f64>>>()?;
        let mut outs = vec![f64::NAN; outputs.iter().map(Shape::width).sum()];
        if impure || outs.is_empty() {
            return None;
        }
        let fine = self.lowerer.sys.functions.call(function, &args, &mut outs, &mut Environment::default());
        if !fine || outs.iter().any(|o| o.is_nan()) {
            return None;
        }
        let mut outs = outs.into_iter();
        let mut next = || self.ir.constant(outs.next().unwrap_or(f64::NAN));
        Some(outputs.iter().map(|shape| shape.fill(&mut next)).collect())
    }
}

/// A whole number by which variables count.
fn is_small(e: &flat::Expr) -> bool {
    matches!(e.kind, ExprKind::Literal(flat::Value::Integer(v)) if v.unsigned_abs() < 1 << 31)
}

fn field_of(value: &Val<ValueId>, field: usize) -> Option<Val<ValueId>> {
    match value {
        Val::Record(fields) => fields.get(field).cloned(),
        Val::Array(items) => items.iter().map(|i| field_of(i, field)).collect::<Option<Vec<_>>>().map(Val::Array),
        Val::Empty(inner) => Some(Val::Empty(inner.clone())),
        _ => None,
    }
}
