//! Values of built-in functions.

use super::*;

impl<'m> Evaluator<'m> {
    /// The size of a dimension of an expression that need not have a known value.
    pub(super) fn shape(&mut self, expr: &Expr, frame: &mut Frame) -> Evaluated<Vec<usize>> {
        if let Some(dims) = expr.ty.dims.iter().copied().collect::<Option<Vec<_>>>() {
            return Ok(dims);
        }
        if let (ExprKind::Local(id), Some(_)) = (&expr.kind, frame.function) {
            match &frame.slots[id.as_u32() as usize] {
                Slot::Shape(dims) => return dims.iter().copied().collect::<Option<Vec<_>>>().ok_or(Stop::Unknown),
                Slot::Value(value) if !is_undefined(value) => return Ok(dims_of(value).to_vec()),
                _ => {}
            }
        }
        let value = self.eval(expr, frame)?;
        Ok(dims_of(&value).to_vec())
    }

    pub(super) fn size(&mut self, arguments: &[Expr], span: Span, frame: &mut Frame) -> Evaluated {
        let Some(array) = arguments.first() else { return Err(Stop::Unknown) };
        let dims = self.shape(array, frame)?;
        match arguments.get(1) {
            Some(dimension) => {
                let value = self.eval(dimension, frame)?;
                let i = integer(&value, span)?;
                match usize::try_from(i - 1).ok().and_then(|i| dims.get(i)) {
                    Some(size) => Ok(Value::Integer(*size as i64)),
                    None => failed(format!("there is no dimension {i}"), span),
                }
            }
            None => Ok(Value::Array(vec![dims.len()], dims.iter().map(|d| Value::Integer(*d as i64)).collect())),
        }
    }

    pub(super) fn builtin(&mut self, builtin: Builtin, arguments: &[Expr], expr: &Expr, frame: &mut Frame) -> Evaluated {
        use Builtin as B;
        let span = expr.span;
        match builtin {
            B::Reinit | B::Cardinality | B::Terminate | B::Print => return Err(Stop::Unknown),
            _ if builtin.is_of_time() && builtin != B::Pre => return Err(Stop::Unknown),
            B::Size => return self.size(arguments, span, frame),
            B::Ndims => {
                let n = arguments.first().map_or(0, |a| a.ty.dims.len());
                return Ok(Value::Integer(n as i64));
            }
            _ => {}
        }
        let values = arguments.iter().map(|a| self.eval(a, frame)).collect::<Result<Vec<_>, _>>()?;
        let unary = |op: Op1| map(&values[0], &mut |a| Ok(Value::Real(op.eval(real(a, span)?))));
        let domain = |op: Op1, allowed: fn(f64) -> bool, what: &str| {
            map(&values[0], &mut |a| {
                let x = real(a, span)?;
                if allowed(x) { Ok(Value::Real(op.eval(x))) } else { failed(format!("{what} of {x}"), span) }
            })
        };
        let whole = |x: f64| -> Evaluated {
            if x.abs() < 9.0e15 { Ok(Value::Integer(x as i64)) } else { failed("an Integer is out of range", span) }
        };
        if values.is_empty() {
            return Err(Stop::Unknown);
        }
        self.spend(values.iter().map(weight).sum::<u64>() / 2, span)?;
        match builtin {
            B::Sin => unary(Op1::Sin),
            B::Cos => unary(Op1::Cos),
            B::Tan => unary(Op1::Tan),
            B::Asin => domain(Op1::Asin, |x| x.abs() <= 1.0, "asin"),
            B::Acos => domain(Op1::Acos, |x| x.abs() <= 1.0, "acos"),
            B::Atan => unary(Op1::Atan),
            B::Sinh => unary(Op1::Sinh),
            B::Cosh => unary(Op1::Cosh),
            B::Tanh => unary(Op1::Tanh),
            B::Exp => unary(Op1::Exp),
            B::Log => domain(Op1::Log, |x| x > 0.0, "log"),
            B::Log10 => domain(Op1::Log10, |x| x > 0.0, "log10"),
            B::Sqrt => domain(Op1::Sqrt, |x| x >= 0.0, "sqrt"),
            B::Ceil => unary(Op1::Ceil),
            B::Floor => unary(Op1::Floor),
            B::Abs => map(&values[0], &mut |a| match a {
                Value::Integer(i) => checked(i.checked_abs(), span),
                a => Ok(Value::Real(Op1::Abs.eval(real(a, span)?))),
            }),
            B::Sign => map(&values[0], &mut |a| whole(Op1::Sign.eval(real(a, span)?))),
            B::IntegerFloor => map(&values[0], &mut |a| match a {
                Value::Integer(i) => Ok(Value::Integer(*i)),
                a => whole(real(a, span)?.floor()),
            }),
            B::IntegerOfEnum => map(&values[0], &mut |a| Ok(Value::Integer(integer(a, span)?))),
            B::Atan2 => zip(&values[0], &values[1], span, &mut |a, b| Ok(Value::Real(Op2::Atan2.eval(real(a, span)?, real(b, span)?)))),
            B::Div | B::Mod | B::Rem => zip(&values[0], &values[1], span, &mut |a, b| division(builtin, a, b, span)),
            B::Min | B::Max => zip(&values[0], &values[1], span, &mut |a, b| extreme(builtin == B::Min, a, b, span)),
            B::MinArray | B::MaxArray => extreme_of(&values[0], builtin == B::MinArray, span),
            B::Sum | B::Product => total_of(&values[0], builtin == B::Sum, expr.ty.scalar, span),
            B::String => self.string(&values, span),
            B::Pre | B::NoEvent | B::Homotopy => Ok(values[0].clone()),
            B::Smooth => Ok(values[1].clone()),
            B::SemiLinear => semi_linear(&values, span),
            B::Assert => {
                let level_is_error = !matches!(values.get(2), Some(Value::Enumeration(_, 1)));
                if !boolean(&values[0], span)? && level_is_error {
                    return failed(format!("assertion failed: {}", string(&values[1], span)?), span);
                }
                Ok(Value::Boolean(true))
            }
            _ => self.array_builtin(builtin, &values, expr),
        }
    }

    /// What a row of the table of arrays makes of values.
    pub(super) fn arranged(&mut self, row: &arrays::Row, values: &[Value], expr: &Expr) -> Evaluated {
        let span = expr.span;
        let (arguments, sizes) = match row.sizes {
            Sizes::None => (values, &[][..]),
            Sizes::All => (&[][..], values),
            Sizes::Rest => values.split_at(1.min(values.len())),
        };
        let size =
            |value: &Value| -> Evaluated<usize> { usize::try_from(integer(value, span)?).or_else(|_| failed("a size is negative", span)) };
        let sizes = sizes.iter().map(size).collect::<Evaluated<Vec<usize>>>()?;
        let dims: Vec<Vec<usize>> = arguments.iter().map(|value| dims_of(value).to_vec()).collect();
        let Some(made) = (row.arrange)(&dims, &sizes) else { return failed(row.needs, span) };
        self.reserve(made.len(), arguments.first().map_or(&Value::Integer(0), value_of_elements), span)?;
        let at = |(argument, place): arrays::Place| match &arguments[argument] {
            Value::Array(_, elements) => &elements[place],
            scalar => scalar,
        };
        let product = |[a, b]: [arrays::Place; 2]| arithmetic(BinaryOp::Multiply, at(a), at(b), span);
        let cell = |k| match made.cell(k) {
            Cell::Zero => Ok(zero(expr.ty.scalar, 0)),
            Cell::One => Ok(zero(expr.ty.scalar, 1)),
            Cell::Item(a) => Ok(at(a).clone()),
            Cell::Minus(a) => Ok(Value::Real(-real(at(a), span)?)),
            Cell::Product(pair) => product(pair),
            Cell::Minor([a, b]) => arithmetic(BinaryOp::Subtract, &product(a)?, &product(b)?, span),
        };
        let mut elements = (0..made.len().unwrap_or(0)).map(cell).collect::<Evaluated<Vec<Value>>>()?;
        if made.dims.is_empty() { elements.pop().ok_or(Stop::Unknown) } else { Ok(Value::Array(made.dims, elements)) }
    }

    pub(super) fn array_builtin(&mut self, builtin: Builtin, values: &[Value], expr: &Expr) -> Evaluated {
        use Builtin as B;
        let span = expr.span;
        if let Some(row) = arrays::row(builtin) {
            return self.arranged(row, values, expr);
        }
        let size =
            |value: &Value| -> Evaluated<usize> { usize::try_from(integer(value, span)?).or_else(|_| failed("a size is negative", span)) };
        match builtin {
            B::Linspace => {
                let (a, b) = (real(&values[0], span)?, real(&values[1], span)?);
                let n = size(&values[2])?;
                self.reserve(Some(n), &Value::Integer(0), span)?;
                if n < 2 {
                    return failed("linspace needs at least two points", span);
                }
                let points = (0..n).map(|i| Value::Real(a + (b - a) * i as f64 / (n - 1) as f64)).collect();
                Ok(Value::Array(vec![n], points))
            }
            B::Cat => {
                let along = integer(&values[0], span)?;
                self.reserve(Some(values[1..].iter().map(|v| dims_of(v).iter().product::<usize>()).sum()), &Value::Integer(0), span)?;
                concatenated(usize::try_from(along - 1).unwrap_or(usize::MAX), &values[1..])
                    .map_or_else(|| failed("the sizes in a concatenation do not agree", span), Ok)
            }
            B::Array => stacked(values.to_vec(), None).map_or_else(|| failed("the elements of an array differ in size", span), Ok),
            _ => Err(Stop::Unknown),
        }
    }

    /// `String(value, minimumLength, leftJustified, significantDigits)` or `String(value, format)`.
    pub(super) fn string(&self, values: &[Value], span: Span) -> Evaluated {
        if let Some(Value::String(format)) = values.get(1) {
            return formatted(&values[0], format)
                .map_or_else(|| failed(format!("`{format}` is no format for this value"), span), |text| Ok(Value::String(text)));
        }
        let text = match &values[0] {
            Value::Real(x) => {
                let digits = values.get(3).map_or(Ok(6), |d| integer(d, span))?;
                general(*x, usize::try_from(digits).unwrap_or(6))
            }
            Value::Integer(i) => i.to_string(),
            Value::Boolean(b) => b.to_string(),
            Value::String(s) => s.clone(),
            Value::Enumeration(id, i) => self.model.enums[*id].literals.get(*i as usize - 1).cloned().unwrap_or_default(),
            _ => return Err(Stop::Unknown),
        };
        let width = values.get(1).map_or(Ok(0), |w| integer(w, span))?;
        let width = usize::try_from(width).unwrap_or(0).min(10_000);
        let left = values.get(2).map_or(Ok(true), |l| boolean(l, span))?;
        Ok(Value::String(if left { format!("{text:<width$}") } else { format!("{text:>width$}") }))
    }
}

/// The least or the largest element.
fn extreme_of(array: &Value, is_least: bool, span: Span) -> Evaluated {
    let Value::Array(_, elements) = array else { return Ok(array.clone()) };
    let mut best: Option<Value> = None;
    for element in elements {
        best = Some(match best {
            None => element.clone(),
            Some(best) => extreme(is_least, &best, element, span)?,
        });
    }
    best.map_or_else(|| failed("min or max of nothing", span), Ok)
}

/// The sum or the product of all elements.
fn total_of(array: &Value, is_sum: bool, scalar: Scalar, span: Span) -> Evaluated {
    let Value::Array(_, elements) = array else { return Ok(array.clone()) };
    let (op, neutral) = if is_sum { (BinaryOp::Add, 0) } else { (BinaryOp::Multiply, 1) };
    let mut total: Option<Value> = None;
    for element in elements {
        total = Some(match total {
            None => element.clone(),
            Some(total) => arithmetic(op, &total, element, span)?,
        });
    }
    Ok(total.unwrap_or(if scalar == Scalar::Integer { Value::Integer(neutral) } else { Value::Real(neutral as f64) }))
}

/// `semiLinear(x, up, down)`: both slopes, the chosen one is kept; arrays go element by element.
fn semi_linear(values: &[Value], span: Span) -> Evaluated {
    let part = |slope: &Value, is_positive: bool| {
        zip(&values[0], slope, span, &mut |x, slope| {
            let x = real(x, span)?;
            Ok(Value::Real(if (x >= 0.0) == is_positive { Op2::Mul.eval(real(slope, span)?, x) } else { 0.0 }))
        })
    };
    let (up, down) = (part(&values[1], true)?, part(&values[2], false)?);
    zip(&up, &down, span, &mut |up, down| Ok(Value::Real(real(up, span)? + real(down, span)?)))
}
