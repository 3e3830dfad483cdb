//! Expressions: names, subscripts, conditions, comprehensions, calls.

use super::classes::Classes;
use super::value::{Array, Pick, Scalar, Value, chosen};
use super::{Evaluated, Fault, Watch, arrays, builtins, failed, operators, unsupported};
use partita_grammar::ast::{BinaryOp, CallArguments, ComponentRef, Expr, ExprKind, Iterator, RefPart, Subscript};
use std::collections::HashMap;
use std::rc::Rc;

/// What expressions of a model see beside its variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Instant {
    pub time: f64,
    /// Values of discrete variables just before.
    pub pre: Rc<HashMap<String, Value>>,
    /// The equations of the start are evaluated.
    pub initial: bool,
    /// An event is being handled: samples may tick.
    pub event: bool,
}

/// The variables that expressions see: those of the model, or those of one call of a function.
pub(super) struct Scope<'a> {
    pub classes: &'a Classes<'a>,
    pub watch: &'a Watch,
    pub values: HashMap<String, Value>,
    pub types: HashMap<String, Scalar>,
    pub iterators: Vec<(String, Value)>,
    /// Sizes that `end` stands for, innermost last.
    pub ends: Vec<usize>,
    /// Absent in functions: they know no time.
    pub instant: Option<Instant>,
}

/// Two times are one instant.
pub(super) fn same_time(a: f64, b: f64) -> bool {
    a.is_finite() && b.is_finite() && (a - b).abs() <= 1e-11 * a.abs().max(b.abs()).max(1.0)
}

/// Whether a reference is a single name without subscripts.
pub(super) fn plain_name(reference: &ComponentRef) -> Option<&str> {
    match reference.parts.as_slice() {
        [RefPart { name, subscripts }] if subscripts.is_empty() => Some(name.unquoted()),
        _ => None,
    }
}

impl<'a> Scope<'a> {
    pub(super) fn new(classes: &'a Classes<'a>, watch: &'a Watch) -> Scope<'a> {
        Scope { classes, watch, values: HashMap::new(), types: HashMap::new(), iterators: Vec::new(), ends: Vec::new(), instant: None }
    }

    /// The value of an expression; of several outputs of a function the first.
    pub(super) fn eval(&mut self, expr: &Expr) -> Evaluated {
        Ok(self.outputs(expr)?.first())
    }

    /// The value of an expression, or all outputs of a function.
    pub(super) fn outputs(&mut self, expr: &Expr) -> Evaluated {
        self.watch.burn()?;
        match &expr.kind {
            ExprKind::Integer(i) => Ok(Value::Integer(*i)),
            ExprKind::Real(x) => operators::real(self.watch, *x),
            ExprKind::String(s) => Ok(Value::String(s.clone())),
            ExprKind::Boolean(b) => Ok(Value::Boolean(*b)),
            ExprKind::End => self.ends.last().map_or_else(|| unsupported("`end` outside a subscript"), |&n| Ok(Value::Integer(n as i64))),
            ExprKind::Ref(reference) => self.reference(reference, false),
            ExprKind::Call { function, arguments } => self.call(function, arguments),
            ExprKind::Unary(op, a) => operators::unary(*op, self.eval(a)?),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Chain(first, rest) => self.chain(first, rest),
            ExprKind::If { branches, otherwise } => self.condition(branches, otherwise),
            ExprKind::Range { start, step, stop } => self.range(start, step.as_deref(), stop),
            ExprKind::Array(items) => self.rows(items),
            ExprKind::Comprehension(item, iterators) => self.comprehension(item, iterators),
            ExprKind::Matrix(rows) => self.matrix(rows),
            ExprKind::Parenthesised(inner) => self.eval(inner),
            ExprKind::Subscripted(inner, subscripts) => {
                let value = self.eval(inner)?;
                self.subscripted(value, subscripts)
            }
            ExprKind::Field(inner, field) => field_of(self.eval(inner)?, field.unquoted()),
            ExprKind::Tuple(_) | ExprKind::Break => unsupported("an output list or `break` as a value"),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Evaluated {
        let (a, b) = (self.eval(a)?, self.eval(b)?);
        operators::binary(self.watch, op, a, b)
    }

    /// `first op a op b`, from the left; `and` and `or` evaluate no more than they need.
    fn chain(&mut self, first: &Expr, rest: &[(BinaryOp, Expr)]) -> Evaluated {
        let mut value = self.eval(first)?;
        for (op, expr) in rest {
            match (op, &value) {
                (BinaryOp::And, Value::Boolean(false)) | (BinaryOp::Or, Value::Boolean(true)) => continue,
                _ => {}
            }
            let next = self.eval(expr)?;
            value = operators::binary(self.watch, *op, value, next)?;
        }
        Ok(value)
    }

    fn condition(&mut self, branches: &[(Expr, Expr)], otherwise: &Expr) -> Evaluated {
        for (condition, value) in branches {
            if self.eval(condition)?.boolean()? {
                return self.eval(value);
            }
        }
        self.eval(otherwise)
    }

    fn range(&mut self, start: &Expr, step: Option<&Expr>, stop: &Expr) -> Evaluated {
        let (start, stop) = (self.eval(start)?, self.eval(stop)?);
        let step = step.map_or(Ok(Value::Integer(1)), |step| self.eval(step))?;
        if let (Value::Integer(a), Value::Integer(d), Value::Integer(b)) = (&start, &step, &stop) {
            if *d == 0 {
                return failed("a range with step 0");
            }
            let mut items = Vec::new();
            let mut i = *a;
            while if *d > 0 { i <= *b } else { i >= *b } {
                self.watch.burn()?;
                items.push(Value::Integer(i));
                i += d;
            }
            return Ok(Value::vector(items));
        }
        let (a, d, b) = (start.number()?, step.number()?, stop.number()?);
        if d == 0.0 {
            return failed("a range with step 0");
        }
        let quotient = (b - a) / d;
        self.watch.near(quotient - quotient.round(), quotient);
        let n = quotient.floor().max(-1.0) as i64;
        Ok(Value::vector((0..=n).map(|i| Value::Real(a + i as f64 * d)).collect()))
    }

    fn rows(&mut self, items: &[Expr]) -> Evaluated {
        let rows = items.iter().map(|item| self.eval(item)).collect::<Evaluated<Vec<_>>>()?;
        Array::of_rows(rows).map(Value::Array)
    }

    /// `[a, b; c, d]`: scalars and vectors are promoted to matrices of one column.
    fn matrix(&mut self, rows: &[Vec<Expr>]) -> Evaluated {
        let mut stacked = Vec::new();
        for row in rows {
            let mut blocks = Vec::new();
            for expr in row {
                let value = self.eval(expr)?;
                blocks.push(arrays::call(self.watch, "matrix", &[value]).unwrap_or_else(|| unsupported("`matrix`"))?);
            }
            stacked.push(arrays::cat(2, &blocks)?);
        }
        arrays::cat(1, &stacked)
    }

    /// `{e for i in r, j in s}`: the last iterator is the outermost.
    fn comprehension(&mut self, item: &Expr, iterators: &[Iterator]) -> Evaluated {
        let Some((outer, inner)) = iterators.split_last() else { return self.eval(item) };
        let rows = self.each(outer, &mut |scope| scope.comprehension(item, inner))?;
        Array::of_rows(rows).map(Value::Array)
    }

    /// The values that an iterator's body has, in order.
    fn each(&mut self, iterator: &Iterator, body: &mut dyn FnMut(&mut Self) -> Evaluated) -> Evaluated<Vec<Value>> {
        let mut found = Vec::new();
        for value in self.iterated(iterator)? {
            self.iterators.push((iterator.name.unquoted().to_string(), value));
            let result = body(self);
            self.iterators.pop();
            found.push(result?.first());
        }
        Ok(found)
    }

    /// What an iterator runs over.
    pub(super) fn iterated(&mut self, iterator: &Iterator) -> Evaluated<Vec<Value>> {
        let Some(range) = &iterator.range else { return unsupported("an iterator without a range") };
        Ok(self.eval(range)?.array()?.rows())
    }

    /// A reduction collects its values; the last iterator is the outermost.
    fn collected(&mut self, item: &Expr, iterators: &[Iterator]) -> Evaluated<Vec<Value>> {
        let Some((outer, inner)) = iterators.split_last() else { return Ok(vec![self.eval(item)?]) };
        let nested = self.each(outer, &mut |scope| Ok(Value::Tuple(vec![Value::Tuple(scope.collected(item, inner)?)])))?;
        Ok(nested.into_iter().flat_map(|group| if let Value::Tuple(items) = group { items } else { vec![group] }).collect())
    }

    /// The value of a variable, now or just before the event.
    pub(super) fn reference(&mut self, reference: &ComponentRef, pre: bool) -> Evaluated {
        let head = &reference.parts[0];
        let name = head.name.unquoted();
        if let Some((_, value)) = self.iterators.iter().rev().find(|(iterator, _)| iterator == name) {
            return Ok(value.clone());
        }
        if name == "time"
            && let Some(instant) = &self.instant
        {
            return Ok(Value::Real(instant.time));
        }
        let known = match (&self.instant, pre) {
            (Some(instant), true) => instant.pre.get(name),
            _ => self.values.get(name),
        };
        let Some(value) = known.cloned() else {
            let literal = reference.parts.get(1).and_then(|part| self.classes.literal(name, part.name.unquoted()));
            return literal.map_or_else(|| unsupported(format!("the name `{name}`")), Ok);
        };
        let mut value = self.subscripted(value, &head.subscripts)?;
        for part in &reference.parts[1..] {
            value = field_of(value, part.name.unquoted())?;
            value = self.subscripted(value, &part.subscripts)?;
        }
        if value.has_unknown() { Err(Fault::Unknown(name.to_string())) } else { Ok(value) }
    }

    fn subscripted(&mut self, value: Value, subscripts: &[Subscript]) -> Evaluated {
        if subscripts.is_empty() {
            return Ok(value);
        }
        let array = value.array()?;
        let picks = self.picks(&array.dims, subscripts)?;
        let (places, dims) = chosen(&array.dims, &picks)?;
        if dims.is_empty() {
            return Ok(array.items[places[0]].clone());
        }
        Ok(Value::Array(Array { dims, items: places.into_iter().map(|place| array.items[place].clone()).collect() }))
    }

    /// Subscripts after evaluation.
    pub(super) fn picks(&mut self, dims: &[usize], subscripts: &[Subscript]) -> Evaluated<Vec<Pick>> {
        let mut picks = Vec::new();
        for (at, subscript) in subscripts.iter().enumerate() {
            let Some(&size) = dims.get(at) else { return failed("more subscripts than dimensions") };
            let Subscript::Index(expr) = subscript else {
                picks.push(Pick::Several((0..size).collect()));
                continue;
            };
            self.ends.push(size);
            let index = self.eval(expr);
            self.ends.pop();
            picks.push(match index? {
                Value::Array(array) => Pick::Several(array.items.iter().map(|i| element(i, size)).collect::<Evaluated<Vec<_>>>()?),
                one => Pick::One(element(&one, size)?),
            });
        }
        Ok(picks)
    }

    fn call(&mut self, function: &ComponentRef, arguments: &CallArguments) -> Evaluated {
        let name = function.parts.iter().map(|part| part.name.unquoted()).collect::<Vec<_>>().join(".");
        if !arguments.iterators.is_empty() {
            return self.reduction(&name, arguments);
        }
        if let Some(special) = self.special(&name, arguments) {
            return special;
        }
        if self.classes.get(&name).is_some() {
            return self.user_call(&name, arguments);
        }
        if !arguments.named.is_empty() {
            return unsupported(format!("arguments of `{name}` by name"));
        }
        let values = arguments.positional.iter().map(|a| self.eval(a)).collect::<Evaluated<Vec<_>>>()?;
        let known = arrays::call(self.watch, &name, &values).or_else(|| builtins::call(self.watch, &name, &values));
        known.unwrap_or_else(|| unsupported(format!("the function `{name}` of {} arguments", values.len())))
    }

    fn reduction(&mut self, name: &str, arguments: &CallArguments) -> Evaluated {
        let item = &arguments.positional[0];
        if name == "array" {
            return self.comprehension(item, &arguments.iterators);
        }
        let values = self.collected(item, &arguments.iterators)?;
        match name {
            "sum" => arrays::sum(self.watch, values),
            "product" => arrays::product(self.watch, values),
            "min" | "max" => builtins::extreme(self.watch, name == "max", values),
            _ => unsupported(format!("the reduction `{name}`")),
        }
    }

    /// Operators that see more than the values of their arguments.
    fn special(&mut self, name: &str, arguments: &CallArguments) -> Option<Evaluated> {
        let instant = self.instant.as_ref()?;
        let only = arguments.positional.first();
        let variable = only.and_then(|expr| if let ExprKind::Ref(reference) = &expr.kind { Some(reference) } else { None });
        match (name, variable) {
            ("initial", None) => Some(Ok(Value::Boolean(instant.initial))),
            ("terminal", None) => Some(Ok(Value::Boolean(false))),
            ("pre", Some(variable)) => Some(self.reference(variable, true)),
            ("edge", Some(variable)) => Some(self.edge(variable)),
            ("change", Some(variable)) => Some(self.change(variable)),
            ("der", Some(variable)) => Some(self.derivative(variable)),
            ("sample", _) => Some(self.sample(&arguments.positional)),
            _ => None,
        }
    }

    fn edge(&mut self, variable: &ComponentRef) -> Evaluated {
        let (now, before) = (self.reference(variable, false)?.boolean()?, self.reference(variable, true)?.boolean()?);
        Ok(Value::Boolean(now && !before))
    }

    fn change(&mut self, variable: &ComponentRef) -> Evaluated {
        Ok(Value::Boolean(self.reference(variable, false)? != self.reference(variable, true)?))
    }

    fn derivative(&mut self, variable: &ComponentRef) -> Evaluated {
        let mut renamed = variable.clone();
        renamed.parts[0].name.text = format!("der({})", variable.parts[0].name.unquoted()).as_str().into();
        self.reference(&renamed, false)
    }

    fn sample(&mut self, arguments: &[Expr]) -> Evaluated {
        let [start, interval] = arguments else { return unsupported("a clock") };
        let (start, interval) = (self.eval(start)?.number()?, self.eval(interval)?.number()?);
        let Some(instant) = &self.instant else { return unsupported("`sample` in a function") };
        let tick = ((instant.time - start) / interval).round();
        Ok(Value::Boolean(instant.event && tick >= 0.0 && same_time(instant.time, start + tick * interval)))
    }
}

fn element(index: &Value, size: usize) -> Evaluated<usize> {
    let i = index.integer()?;
    match usize::try_from(i - 1) {
        Ok(at) if at < size => Ok(at),
        _ => failed(format!("the subscript {i} of {size} elements")),
    }
}

fn field_of(value: Value, field: &str) -> Evaluated {
    value.map(&mut |item| match item {
        Value::Record(fields) => {
            let found = fields.into_iter().find(|(name, _)| name == field);
            found.map_or_else(|| unsupported(format!("the field {field}")), |(_, value)| Ok(value))
        }
        Value::Unknown => Err(Fault::Unknown(field.to_string())),
        other => unsupported(format!("the field {field} of {other:?}")),
    })
}
