//! Evaluates typed expressions at compile time, user functions included.
//!
//! Input: an expression of the flat model whose variables are constants or parameters with known values.
//! Output: its value; or that it cannot be known now (it needs a variable, `time`, an external function or object);
//! or an error of the model itself (division by zero, subscript out of range, a failed assertion).
//!
//! Method: direct evaluation; functions run statement by statement over a frame of slots. Numbers go through
//! `runtime::math`, so that a folded value is bit for bit the one that would be computed.
//! Guarantees: terminates (call depth is limited, and operations are counted in `budget`; one evaluation may take a third of them);
//! Strings and arrays stay within their limits; what was not assigned is never read as zero.
//! Cost: proportional to the operations done; only parameters, sizes and ranges are evaluated.

mod files;
mod texts;
mod values;

use values::*;
pub(super) use values::{Evaluated, Stop, dims_of, is_undefined, literal, stacked};

use crate::base::budget;
use crate::frontend::flat::arrays::{self, Cell, Sizes};
use crate::frontend::flat::{
    BinaryOp, Builtin, Expr, ExprKind, FlatModel, FuncId, Function, FunctionBody, LocalId, RecordId, Scalar, Statement, StatementKind,
    Subscript, UnaryOp, Value, VarId,
};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::base::format::general;
use partita_runtime::base::limits::Limit;
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::native::access::FileAccess;
use rustc_hash::FxHashSet;

/// Calls inside calls.
const MAX_DEPTH: usize = 100;

/// Runs evaluations over a model.
pub(super) struct Evaluator<'m> {
    model: &'m FlatModel,
    complete: &'m FxHashSet<FuncId>,
    /// What may be read.
    files: &'m FileAccess,
    /// Operations that this evaluation may still take.
    left: u64,
    depth: usize,
    /// Variables of the model whose values were needed.
    read: Vec<VarId>,
    /// Whether something was asked that no run could find out.
    is_compile_time: bool,
    /// Whether a file could not be read that a run would read again.
    is_left_to_run: bool,
}

/// A local of a function while it runs.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    Unset,
    /// Only the sizes are known.
    Shape(Vec<Option<usize>>),
    Value(Value),
}

/// Locals of the running function, or loop variables of a comprehension outside functions.
#[derive(Default)]
pub(super) struct Frame<'f> {
    function: Option<&'f Function>,
    slots: Vec<Slot>,
    loops: Vec<(LocalId, Value)>,
}

enum Flow {
    Next,
    Break,
    Return,
}

impl<'m> Evaluator<'m> {
    pub(super) fn new(model: &'m FlatModel, complete: &'m FxHashSet<FuncId>, files: &'m FileAccess) -> Evaluator<'m> {
        Evaluator {
            model,
            complete,
            files,
            left: budget::limit(Limit::Operations) / 3,
            depth: 0,
            read: Vec::new(),
            is_compile_time: false,
            is_left_to_run: false,
        }
    }

    /// Whether an external function was evaluated that the runtime does not have.
    pub(super) fn is_compile_time(&self) -> bool {
        self.is_compile_time
    }

    /// Whether a file could not be read that a run would read again.
    pub(super) fn is_left_to_run(&self) -> bool {
        self.is_left_to_run
    }

    /// The variables of the model whose values were needed; some may be there more than once.
    pub(super) fn read(self) -> Vec<VarId> {
        self.read
    }

    /// The value of an expression outside functions. A record that a function filled in part is no value.
    pub(super) fn value(&mut self, expr: &Expr) -> Evaluated {
        let value = self.eval(expr, &mut Frame::default())?;
        if has_undefined(&value) { Err(Stop::Unknown) } else { Ok(value) }
    }

    /// The value of an expression outside functions, with the marks of what a function left open.
    pub(super) fn partly(&mut self, expr: &Expr) -> Evaluated {
        self.eval(expr, &mut Frame::default())
    }

    /// The value of an expression over inputs of a function of which some are known and some have known sizes only.
    pub(super) fn value_in_call(&mut self, expr: &Expr, function: &Function, inputs: Vec<Slot>) -> Evaluated {
        let mut slots = vec![Slot::Unset; function.locals.len()];
        for (id, slot) in function.inputs.iter().zip(inputs) {
            slots[id.as_u32() as usize] = slot;
        }
        self.eval(expr, &mut Frame { function: Some(function), slots, loops: Vec::new() })
    }

    fn tick(&mut self, span: Span) -> Evaluated<()> {
        self.spend(1, span)
    }

    /// Counts operations. One that takes too many is an error of its place; all evaluations together are counted by `budget`.
    fn spend(&mut self, operations: u64, span: Span) -> Evaluated<()> {
        match self.left.checked_sub(operations) {
            Some(left) => {
                self.left = left;
                budget::at(span);
                budget::spend(operations);
                Ok(())
            }
            None => {
                let limit = budget::limit(Limit::Operations);
                let title = format!("the evaluation takes more than {} operations", limit / 3);
                Err(Stop::Failed(Box::new(
                    Diagnostic::error("F040", title).at(span, "evaluated at compile time").with_hint(Limit::Operations.hint(limit)),
                )))
            }
        }
    }

    /// Counts the copy of a value.
    fn copied(&mut self, value: &Value, span: Span) -> Evaluated {
        self.spend(weight(value) / 4, span)?;
        Ok(value.clone())
    }

    /// Counts `n` copies of a value before they are made, and refuses arrays that are too large.
    fn reserve(&mut self, n: Option<usize>, value: &Value, span: Span) -> Evaluated<()> {
        let n = n.map(|n| n as u64).filter(|n| *n <= budget::limit(Limit::Elements));
        let n = n.ok_or_else(|| Stop::Failed(Box::new(budget::refusal("F041", "an array", Limit::Elements, span))))?;
        self.spend(n.saturating_mul(2 + weight(value)), span)
    }

    fn local(&mut self, id: LocalId, span: Span, frame: &mut Frame) -> Evaluated {
        let Some(function) = frame.function else {
            let known = frame.loops.iter().rev().find(|(l, _)| *l == id);
            let known = known.map(|(_, v)| v.clone()).ok_or(Stop::Unknown)?;
            return Ok(known);
        };
        match &frame.slots[id.as_u32() as usize] {
            Slot::Value(value) => {
                if is_undefined(value) {
                    return failed(format!("`{}` is read before it is assigned", function.locals[id].name), span);
                }
                self.copied(value, span)
            }
            Slot::Shape(_) => Err(Stop::Unknown),
            Slot::Unset => match &function.locals[id].binding {
                // Sizes of outputs may be asked before the function runs; they may need locals with bindings.
                Some(binding) if self.depth < MAX_DEPTH => {
                    self.depth += 1;
                    let value = self.eval(binding, frame);
                    self.depth -= 1;
                    value
                }
                _ => Err(Stop::Unknown),
            },
        }
    }

    fn eval(&mut self, expr: &Expr, frame: &mut Frame) -> Evaluated {
        self.tick(expr.span)?;
        let span = expr.span;
        match &expr.kind {
            ExprKind::Literal(value) => Ok(value.clone()),
            ExprKind::Time => Err(Stop::Unknown),
            ExprKind::Var(id) => {
                self.read.push(*id);
                self.copied(self.model.vars[*id].value.as_ref().ok_or(Stop::Unknown)?, span)
            }
            ExprKind::Local(id) => self.local(*id, span, frame),
            ExprKind::Index(array, subscripts) => {
                // One element of a local array is read in place: copying the array would make loops quadratic.
                if let (ExprKind::Local(id), Some(function)) = (&array.kind, frame.function) {
                    let dims = match &frame.slots[id.as_u32() as usize] {
                        Slot::Value(Value::Array(dims, _)) => Some(dims.clone()),
                        _ => None,
                    };
                    if let Some(dims) = dims {
                        let subs = self.positions(subscripts, &dims, span, frame)?;
                        let Slot::Value(value) = &frame.slots[id.as_u32() as usize] else { return Err(Stop::Unknown) };
                        if is_undefined(value) {
                            return failed(format!("`{}` is read before it is assigned", function.locals[*id].name), span);
                        }
                        return select(value, &subs, span);
                    }
                }
                if let ExprKind::Var(id) = &array.kind {
                    self.read.push(*id);
                    let Some(value) = &self.model.vars[*id].value else { return Err(Stop::Unknown) };
                    let dims = dims_of(value).to_vec();
                    let subs = self.positions(subscripts, &dims, span, frame)?;
                    return select(value, &subs, span);
                }
                let value = self.eval(array, frame)?;
                let dims = dims_of(&value).to_vec();
                let subs = self.positions(subscripts, &dims, span, frame)?;
                select(&value, &subs, span)
            }
            ExprKind::Field(record, field) => {
                let value = self.eval(record, frame)?;
                field_of(value, *field, span)
            }
            ExprKind::Unary(UnaryOp::Minus, a) => {
                let a = self.eval(a, frame)?;
                map(&a, &mut |a| match a {
                    Value::Integer(i) => checked(i.checked_neg(), span),
                    a => Ok(Value::Real(Op1::Neg.eval(real(a, span)?))),
                })
            }
            ExprKind::Unary(UnaryOp::Not, a) => {
                let a = self.eval(a, frame)?;
                map(&a, &mut |a| Ok(Value::Boolean(!boolean(a, span)?)))
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span, frame),
            ExprKind::If(condition, a, b) => {
                let condition = self.eval(condition, frame)?;
                if boolean(&condition, span)? { self.eval(a, frame) } else { self.eval(b, frame) }
            }
            ExprKind::Builtin(builtin, arguments) => self.builtin(*builtin, arguments, expr, frame),
            ExprKind::Call(function, arguments) => {
                let mut outputs = self.call(*function, arguments, span, frame)?;
                if outputs.is_empty() { Err(Stop::Unknown) } else { Ok(outputs.swap_remove(0)) }
            }
            ExprKind::NewObject(..) => Err(Stop::Unknown),
            ExprKind::Record(id, fields) => {
                let fields = fields.iter().map(|f| self.eval(f, frame)).collect::<Result<_, _>>()?;
                Ok(Value::Record(*id, fields))
            }
            ExprKind::Array(elements) => {
                let parts = elements.iter().map(|e| self.eval(e, frame)).collect::<Result<Vec<_>, _>>()?;
                let inner = expr.ty.dims.get(1..).and_then(|d| d.iter().copied().collect::<Option<Vec<_>>>());
                stacked(parts, inner).map_or_else(|| failed("the elements of an array differ in size", span), Ok)
            }
            ExprKind::Range(start, step, stop) => {
                let start = self.eval(start, frame)?;
                let step = step.as_ref().map(|s| self.eval(s, frame)).transpose()?;
                let stop = self.eval(stop, frame)?;
                let count = range_count(&start, step.as_ref(), &stop, span)?;
                self.reserve(Some(count), &start, span)?;
                let values = range(&start, step.as_ref(), &stop, span)?;
                Ok(Value::Array(vec![values.len()], values))
            }
            ExprKind::Comprehension(body, iterators) => {
                let value = self.comprehension(body, iterators, frame)?;
                Ok(value)
            }
            ExprKind::ToReal(a) => {
                let a = self.eval(a, frame)?;
                map(&a, &mut |a| Ok(Value::Real(real(a, span)?)))
            }
        }
    }

    fn comprehension(&mut self, body: &Expr, iterators: &[(LocalId, Expr)], frame: &mut Frame) -> Evaluated {
        let Some(((local, over), inner)) = iterators.split_first() else { return self.eval(body, frame) };
        let values = self.eval(over, frame)?;
        let Value::Array(_, values) = values else { return failed("a loop needs a vector to run over", over.span) };
        let mut parts = Vec::with_capacity(values.len());
        for value in values {
            self.spend(2, body.span)?;
            self.enter_loop(*local, value, frame);
            parts.push(self.comprehension(body, inner, frame)?);
            self.leave_loop(frame);
        }
        let inner_dims = body.ty.dims.iter().copied().collect::<Option<Vec<_>>>();
        stacked(parts, inner_dims).map_or_else(|| failed("the elements of an array differ in size", body.span), Ok)
    }

    fn enter_loop(&mut self, local: LocalId, value: Value, frame: &mut Frame) {
        if frame.function.is_some() {
            frame.slots[local.as_u32() as usize] = Slot::Value(value);
        } else {
            frame.loops.push((local, value));
        }
    }

    fn leave_loop(&mut self, frame: &mut Frame) {
        if frame.function.is_none() {
            frame.loops.pop();
        }
    }

    fn positions(&mut self, subscripts: &[Subscript], dims: &[usize], span: Span, frame: &mut Frame) -> Evaluated<Vec<Positions>> {
        if dims.first() == Some(&usize::MAX) || dims.len() < subscripts.len() {
            return failed("an array is read before it is assigned", span);
        }
        let mut found = Vec::with_capacity(subscripts.len());
        for (axis, subscript) in subscripts.iter().enumerate() {
            let size = dims[axis];
            let position = |value: &Value, span: Span| -> Evaluated<usize> {
                let index = integer(value, span)?;
                if index < 1 || index as u64 > size as u64 {
                    return Err(Stop::Failed(Box::new(
                        Diagnostic::error("F021", format!("subscript {index} is outside 1:{size}")).at(span, "evaluated at compile time"),
                    )));
                }
                Ok(index as usize - 1)
            };
            found.push(match subscript {
                Subscript::All => Positions { positions: (0..size).collect(), drop: false },
                Subscript::Index(index) => {
                    let value = self.eval(index, frame)?;
                    Positions { positions: vec![position(&value, index.span)?], drop: true }
                }
                Subscript::Slice(index) => {
                    let value = self.eval(index, frame)?;
                    let Value::Array(_, values) = &value else { return failed("a slice needs a vector", index.span) };
                    let positions = values.iter().map(|v| position(v, index.span)).collect::<Result<_, _>>()?;
                    Positions { positions, drop: false }
                }
            });
        }
        Ok(found)
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: Span, frame: &mut Frame) -> Evaluated {
        use BinaryOp as B;
        let left = self.eval(a, frame)?;
        // The right side of `and` and `or` may only be defined when it matters: `n > 0 and x[n] > 1`.
        match (op, &left) {
            (B::And, Value::Boolean(false)) => return Ok(Value::Boolean(false)),
            (B::Or, Value::Boolean(true)) => return Ok(Value::Boolean(true)),
            _ => {}
        }
        let right = self.eval(b, frame)?;
        self.spend((weight(&left) + weight(&right)) / 2, span)?;
        match op {
            B::And => zip(&left, &right, span, &mut |a, b| Ok(Value::Boolean(boolean(a, span)? && boolean(b, span)?))),
            B::Or => zip(&left, &right, span, &mut |a, b| Ok(Value::Boolean(boolean(a, span)? || boolean(b, span)?))),
            B::Less | B::LessEqual | B::Greater | B::GreaterEqual | B::Equal | B::NotEqual => relation(op, &left, &right, span),
            B::Multiply => {
                self.spend(product_cost(&left, &right), span)?;
                product(&left, &right, span)
            }
            B::Power if !dims_of(&left).is_empty() => {
                let n = integer(&right, span)?;
                let (size, _, _) = as_matrix(&left).ok_or(Stop::Unknown)?;
                let mut result = identity(size);
                for _ in 0..n {
                    self.spend(1 + product_cost(&result, &left), span)?;
                    result = product(&result, &left, span)?;
                }
                Ok(result)
            }
            _ => zip(&left, &right, span, &mut |a, b| arithmetic(op, a, b, span)),
        }
    }

    /// The size of a dimension of an expression that need not have a known value.
    fn shape(&mut self, expr: &Expr, frame: &mut Frame) -> Evaluated<Vec<usize>> {
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

    fn builtin(&mut self, builtin: Builtin, arguments: &[Expr], expr: &Expr, frame: &mut Frame) -> Evaluated {
        use Builtin as B;
        let span = expr.span;
        match builtin {
            B::Der
            | B::Initial
            | B::Terminal
            | B::Sample
            | B::Reinit
            | B::Delay
            | B::SpatialDistribution
            | B::Cardinality
            | B::Edge
            | B::Change
            | B::Terminate
            | B::Print => return Err(Stop::Unknown),
            B::Size => {
                let Some(array) = arguments.first() else { return Err(Stop::Unknown) };
                let dims = self.shape(array, frame)?;
                return match arguments.get(1) {
                    Some(dimension) => {
                        let value = self.eval(dimension, frame)?;
                        let i = integer(&value, span)?;
                        match usize::try_from(i - 1).ok().and_then(|i| dims.get(i)) {
                            Some(size) => Ok(Value::Integer(*size as i64)),
                            None => failed(format!("there is no dimension {i}"), span),
                        }
                    }
                    None => Ok(Value::Array(vec![dims.len()], dims.iter().map(|d| Value::Integer(*d as i64)).collect())),
                };
            }
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
            B::MinArray | B::MaxArray => {
                let Value::Array(_, elements) = &values[0] else { return Ok(values[0].clone()) };
                let mut best: Option<Value> = None;
                for element in elements {
                    best = Some(match best {
                        None => element.clone(),
                        Some(best) => extreme(builtin == B::MinArray, &best, element, span)?,
                    });
                }
                best.map_or_else(|| failed("min or max of nothing", span), Ok)
            }
            B::Sum | B::Product => {
                let Value::Array(_, elements) = &values[0] else { return Ok(values[0].clone()) };
                let (op, neutral) = if builtin == B::Sum { (BinaryOp::Add, 0) } else { (BinaryOp::Multiply, 1) };
                let mut total: Option<Value> = None;
                for element in elements {
                    total = Some(match total {
                        None => element.clone(),
                        Some(total) => arithmetic(op, &total, element, span)?,
                    });
                }
                Ok(total.unwrap_or(if expr.ty.scalar == Scalar::Integer { Value::Integer(neutral) } else { Value::Real(neutral as f64) }))
            }
            B::String => self.string(&values, span),
            B::Pre | B::NoEvent | B::Homotopy => Ok(values[0].clone()),
            B::Smooth => Ok(values[1].clone()),
            B::SemiLinear => {
                // Both slopes, the chosen one is kept: arrays go element by element.
                let part = |slope: &Value, is_positive: bool| {
                    zip(&values[0], slope, span, &mut |x, slope| {
                        let x = real(x, span)?;
                        Ok(Value::Real(if (x >= 0.0) == is_positive { Op2::Mul.eval(real(slope, span)?, x) } else { 0.0 }))
                    })
                };
                let (up, down) = (part(&values[1], true)?, part(&values[2], false)?);
                zip(&up, &down, span, &mut |up, down| Ok(Value::Real(real(up, span)? + real(down, span)?)))
            }
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
    fn arranged(&mut self, row: &arrays::Row, values: &[Value], expr: &Expr) -> Evaluated {
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

    fn array_builtin(&mut self, builtin: Builtin, values: &[Value], expr: &Expr) -> Evaluated {
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
    fn string(&self, values: &[Value], span: Span) -> Evaluated {
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

    /// All outputs of a function.
    fn call(&mut self, id: FuncId, arguments: &[Expr], span: Span, frame: &mut Frame) -> Evaluated<Vec<Value>> {
        let values = arguments.iter().map(|a| self.eval(a, frame)).collect::<Result<Vec<_>, _>>()?;
        self.run(id, values, span)
    }

    fn run(&mut self, id: FuncId, arguments: Vec<Value>, span: Span) -> Evaluated<Vec<Value>> {
        let function: &'m Function = &self.model.functions[id];
        let body = match &function.body {
            FunctionBody::Algorithm(body) => body,
            FunctionBody::External { function: name, .. } => {
                let mut outputs = self.read_file(name, &arguments, span)?;
                // In C they are integers.
                for (output, local) in outputs.iter_mut().zip(&function.outputs) {
                    if let (Value::Integer(i), Scalar::Enumeration(id)) = (&*output, function.locals[*local].ty.scalar)
                        && let Ok(position) = u32::try_from(*i)
                    {
                        *output = Value::Enumeration(id, position);
                    }
                }
                return Ok(outputs);
            }
        };
        // Impure ones that call nothing but what reads files and texts give the same at any time.
        if !self.complete.contains(&id) {
            return Err(Stop::Unknown);
        }
        if self.depth >= MAX_DEPTH {
            return failed(format!("calls inside calls are deeper than {MAX_DEPTH} at `{}`", function.name), span);
        }
        self.depth += 1;
        let mut frame = Frame { function: Some(function), slots: vec![Slot::Unset; function.locals.len()], loops: Vec::new() };
        for (local, value) in function.inputs.iter().zip(arguments) {
            frame.slots[local.as_u32() as usize] = Slot::Value(value);
        }
        let result = self.run_body(function, body, &mut frame, span);
        self.depth -= 1;
        result
    }

    /// External functions are known at run time only, but for those of texts and those that read files.
    fn read_file(&mut self, function: &str, arguments: &[Value], span: Span) -> Evaluated<Vec<Value>> {
        self.tick(span)?;
        let is_known_to_runs = partita_runtime::native::lookup(function).is_some();
        self.is_compile_time |= !is_known_to_runs;
        match texts::call(function, arguments).or_else(|| files::read(function, arguments, self.files)) {
            Some(Ok(outputs)) => Ok(outputs),
            Some(Err(reason)) => {
                self.is_left_to_run |= is_known_to_runs;
                failed(reason, span)
            }
            None => Err(Stop::Unknown),
        }
    }

    fn run_body(&mut self, function: &'m Function, body: &[Statement], frame: &mut Frame, span: Span) -> Evaluated<Vec<Value>> {
        for local in function.protected.iter().chain(&function.outputs) {
            let declared = &function.locals[*local];
            let value = match &declared.binding {
                Some(binding) => self.eval(binding, frame)?,
                None => {
                    let mut dims = Vec::new();
                    let mut known = true;
                    for (axis, size) in declared.ty.dims.iter().enumerate() {
                        let size = match (size, declared.dim_exprs.get(axis).and_then(Option::as_ref)) {
                            (Some(size), _) => Some(*size),
                            (None, Some(expr)) => {
                                let value = self.eval(expr, frame)?;
                                usize::try_from(integer(&value, expr.span)?).ok()
                            }
                            (None, None) => None,
                        };
                        known &= size.is_some();
                        dims.extend(size);
                    }
                    if known { self.uninitialised(declared.ty.scalar, &dims, 0, span)? } else { undefined() }
                }
            };
            frame.slots[local.as_u32() as usize] = Slot::Value(value);
        }
        self.statements(body, frame)?;
        let mut outputs = Vec::with_capacity(function.outputs.len());
        for local in &function.outputs {
            match std::mem::replace(&mut frame.slots[local.as_u32() as usize], Slot::Unset) {
                Slot::Value(value) if !has_undefined(&value) => outputs.push(value),
                // A record is often filled in part only; who reads the rest, sees the mark.
                Slot::Value(value) if is_record(&value) => outputs.push(value),
                // An output that nobody reads may stay open; the reader sees the mark.
                Slot::Value(_) if outputs.is_empty() => {
                    let name = &function.locals[*local].name;
                    return failed(format!("the output `{name}` of `{}` is not assigned", function.name), span);
                }
                _ => outputs.push(undefined()),
            }
        }
        Ok(outputs)
    }

    /// A value of this type in which nothing is assigned but defaults of fields.
    fn uninitialised(&mut self, scalar: Scalar, dims: &[usize], depth: usize, span: Span) -> Evaluated {
        self.tick(span)?;
        let element = match scalar {
            Scalar::Record(id) if depth < MAX_DEPTH => self.uninitialised_record(id, depth, span)?,
            _ => undefined(),
        };
        if dims.is_empty() {
            return Ok(element);
        }
        let n = dims.iter().try_fold(1usize, |n, size| n.checked_mul(*size));
        self.reserve(n, &element, span)?;
        Ok(Value::Array(dims.to_vec(), vec![element; n.unwrap_or(0)]))
    }

    fn uninitialised_record(&mut self, id: RecordId, depth: usize, span: Span) -> Evaluated {
        let model = self.model;
        let mut fields = Vec::new();
        for field in &model.records[id].fields {
            fields.push(match (&field.default, field.ty.dims.iter().copied().collect::<Option<Vec<_>>>()) {
                (Some(default), _) => self.eval(default, &mut Frame::default())?,
                (None, Some(dims)) => self.uninitialised(field.ty.scalar, &dims, depth + 1, span)?,
                (None, None) => undefined(),
            });
        }
        Ok(Value::Record(id, fields))
    }

    fn statements(&mut self, body: &[Statement], frame: &mut Frame) -> Evaluated<Flow> {
        for statement in body {
            match self.statement(statement, frame)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Statement, frame: &mut Frame) -> Evaluated<Flow> {
        self.tick(statement.span)?;
        let span = statement.span;
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                let value = self.eval(value, frame)?;
                self.assign(target, value, frame)?;
            }
            StatementKind::Tuple(targets, call) => {
                let ExprKind::Call(function, arguments) = &call.kind else { return Err(Stop::Unknown) };
                let values = self.call(*function, arguments, span, frame)?;
                for (target, value) in targets.iter().zip(values) {
                    if let Some(target) = target {
                        let value = if target.ty.scalar == Scalar::Real { reals(value) } else { value };
                        self.assign(target, value, frame)?;
                    }
                }
            }
            StatementKind::If(branches, otherwise) => {
                for (condition, body) in branches {
                    let value = self.eval(condition, frame)?;
                    if boolean(&value, condition.span)? {
                        return self.statements(body, frame);
                    }
                }
                return self.statements(otherwise, frame);
            }
            StatementKind::For(local, over, body) => {
                let Value::Array(_, values) = self.eval(over, frame)? else {
                    return failed("a loop needs a vector to run over", over.span);
                };
                for value in values {
                    self.tick(span)?;
                    self.enter_loop(*local, value, frame);
                    match self.statements(body, frame)? {
                        Flow::Next => {}
                        Flow::Break => break,
                        Flow::Return => return Ok(Flow::Return),
                    }
                }
            }
            StatementKind::While(condition, body) => loop {
                self.tick(span)?;
                let value = self.eval(condition, frame)?;
                if !boolean(&value, condition.span)? {
                    break;
                }
                match self.statements(body, frame)? {
                    Flow::Next => {}
                    Flow::Break => break,
                    Flow::Return => return Ok(Flow::Return),
                }
            },
            StatementKind::When(_) => return Err(Stop::Unknown),
            StatementKind::Call(call) => match &call.kind {
                ExprKind::Builtin(Builtin::Assert, _) => {
                    self.eval(call, frame)?;
                }
                ExprKind::Call(function, arguments) => {
                    self.call(*function, arguments, span, frame)?;
                }
                _ => return Err(Stop::Unknown),
            },
            StatementKind::Break => return Ok(Flow::Break),
            StatementKind::Return => return Ok(Flow::Return),
        }
        Ok(Flow::Next)
    }

    fn assign(&mut self, target: &Expr, value: Value, frame: &mut Frame) -> Evaluated<()> {
        // Steps from the outside in; at most as many as the target is deep.
        let mut chain = Vec::new();
        let mut at = target;
        let local = loop {
            match &at.kind {
                ExprKind::Local(id) => break *id,
                ExprKind::Index(inner, _) | ExprKind::Field(inner, _) => {
                    chain.push(at);
                    at = inner;
                }
                _ => return Err(Stop::Unknown),
            }
        };
        let slot_at = local.as_u32() as usize;
        if chain.is_empty() {
            frame.slots[slot_at] = Slot::Value(value);
            return Ok(());
        }
        let mut whole = match std::mem::replace(&mut frame.slots[slot_at], Slot::Unset) {
            Slot::Value(value) => value,
            _ => return Err(Stop::Unknown),
        };
        let mut steps = Vec::new();
        for step in chain.iter().rev() {
            match &step.kind {
                ExprKind::Index(_, subscripts) => {
                    let here = dims_at(&whole, &steps).ok_or(Stop::Unknown)?;
                    // The subscripts may read the variable itself: put it back while they are evaluated.
                    frame.slots[slot_at] = Slot::Value(whole);
                    let positions = self.positions(subscripts, &here, step.span, frame)?;
                    whole = match std::mem::replace(&mut frame.slots[slot_at], Slot::Unset) {
                        Slot::Value(value) => value,
                        _ => return Err(Stop::Unknown),
                    };
                    steps.push(Step::Index(positions));
                }
                ExprKind::Field(_, field) => steps.push(Step::Field(*field)),
                _ => return Err(Stop::Unknown),
            }
        }
        let done = store(&mut whole, &steps, value, target.span);
        frame.slots[slot_at] = Slot::Value(whole);
        done
    }
}
