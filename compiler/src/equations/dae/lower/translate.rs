//! Translates a flat function into the structured form of called functions.
//!
//! Input: a function of the flat model and the shapes of its arguments. Output: `program::function::Function` and the shapes
//! of its outputs.
//!
//! Method: one walk over the statements. Arrays have fixed sizes, records are taken apart, array operations are unrolled
//! element by element. Numbers that are known while translating (sizes, discrete arguments the function is made for,
//! variables with one known value) are followed through the statements, so that conditions and sizes that depend on them are
//! decided here. A loop becomes a loop; if its body needs the value of the loop variable for a size or a slice, the loop is
//! unrolled. What an expression must compute before itself (calls, shared values) becomes statements before it, inside
//! the branch that needs them.
//! Guarantee: a value that was never assigned is NaN, and no relation, condition or subscript is made of one that surely was
//! not; subscripts are checked when the function runs.
//! Cost: linear in the statements, with unrolled loops counted with repetition.
//!
//! D004 is the code of everything that fails because a number is not known here.

mod expressions;
mod external;
mod lvalues;
mod messages;
mod statements;

use super::arrays::{self, Algebra, check_elements, shape_error};
use super::definite_assignment::{no_value, part_name};
use super::shape::{Shape, value_shape};
use super::value::{MAX_NESTED_CHOICES, TextFragment, Val, either_text, nested_choices};
use super::{Lowerer, Lowering, unsupported};
use crate::base::budget;
use crate::equations::function::structured::{Function, LocalId, MessageFragment, Role, Stmt, Target, Value, ValueId};
use crate::equations::function::table::Derivative;
use crate::frontend::flat::{self, BinaryOp, Builtin, ExprKind, FunctionBody, StatementKind, Subscript, UnaryOp};
use cranelift_entity::SecondaryMap;
use partita_grammar::{Diagnostic, Span};
use partita_runtime::abi::Environment;
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::base::text::TextPiece;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many iterations of a loop are unrolled.
const MAX_ITERATIONS: usize = 10_000;
/// How many parts of a value are looked at before it is checked in any case.
const MAX_LOOKED_AT: usize = 100;
/// How many values a function may have.
const MAX_VALUES: usize = 2_000_000;

/// Translates a function for arguments of these shapes. `too_deep` is given for the last of the copies that a function which
/// calls itself needs: it only fails.
pub(super) fn translate(
    lowerer: &mut Lowerer<'_>,
    id: flat::FuncId,
    shapes: &[Shape],
    too_deep: Option<usize>,
) -> Lowering<(Function, Vec<Shape>)> {
    let model = lowerer.model;
    let function = &model.functions[id];
    let mut translator = Translator {
        lowerer,
        model,
        id,
        function,
        ir: Function { place: Some((function.span.start, function.span.end)), compares_numbers: true, ..Function::new(&function.name) },
        homes: SecondaryMap::new(),
        numbers: FxHashMap::default(),
        written: Vec::new(),
        uninitialised: FxHashSet::default(),
        unsure: FxHashSet::default(),
        uninitialised_reads: Vec::new(),
        partly: FxHashSet::default(),
        decided_by_uninitialised: false,
        block: Vec::new(),
    };
    let outputs = translator.whole(shapes, too_deep)?;
    if let Some((name, span)) = translator.uninitialised_reads.iter().find(|_| translator.decided_by_uninitialised) {
        return Err(no_value(name, *span));
    }
    translator.ir.body = translator.block;
    Ok((translator.ir, outputs))
}

/// Where the value of a variable lies.
#[derive(Clone, Debug)]
enum Home {
    /// A number or an array of numbers.
    Cell { variable: LocalId, dims: Vec<usize> },
    /// An array of records or strings.
    Items(Vec<Home>),
    /// A record.
    Record(Vec<Home>),
    /// A string; `None` where it is not the same on all ways that lead here.
    Text(Option<Vec<TextFragment<ValueId>>>),
}

/// One subscript, evaluated.
#[derive(Clone, Debug)]
enum Selector {
    One(ValueId),
    Many(Vec<ValueId>),
}

/// A part of a variable.
struct Lvalue {
    home: Home,
    selected: Vec<Selector>,
}

struct Translator<'t, 'm> {
    lowerer: &'t mut Lowerer<'m>,
    model: &'m flat::FlatModel,
    id: flat::FuncId,
    function: &'m flat::Function,
    ir: Function,
    homes: SecondaryMap<flat::LocalId, Option<Home>>,
    /// Known numbers in variables, by position.
    numbers: FxHashMap<LocalId, FxHashMap<usize, f64>>,
    /// Variables in the order in which they were written.
    written: Vec<LocalId>,
    /// Variables that surely have no value yet.
    uninitialised: FxHashSet<LocalId>,
    /// Scalars that have a value on some of the ways that lead here.
    unsure: FxHashSet<LocalId>,
    /// Reads of variables without a value: what and where.
    uninitialised_reads: Vec<(String, Span)>,
    /// Arrays that were declared without a value and never assigned as a whole.
    partly: FxHashSet<LocalId>,
    /// A relation was made of one.
    decided_by_uninitialised: bool,
    /// Statements so far of the innermost list.
    block: Vec<Stmt>,
}

impl Algebra for Translator<'_, '_> {
    type S = ValueId;

    fn constant(&mut self, value: f64) -> ValueId {
        self.ir.constant(value)
    }

    fn literal(&self, scalar: ValueId) -> Option<f64> {
        match self.ir.values[scalar] {
            Value::Const(number) => Some(number),
            _ => None,
        }
    }

    fn known(&mut self, scalar: ValueId) -> Option<f64> {
        self.literal(scalar)
    }

    fn unary(&mut self, op: Op1, a: ValueId) -> ValueId {
        match self.literal(a) {
            Some(a) => self.ir.constant(op.eval(a)),
            None => self.ir.unary(op, a),
        }
    }

    fn binary(&mut self, op: Op2, a: ValueId, b: ValueId) -> ValueId {
        let is_uninitialised = |t: &Self, e: ValueId| t.literal(e).is_some_and(f64::is_nan);
        if op.is_relation() && !self.uninitialised_reads.is_empty() && (is_uninitialised(self, a) || is_uninitialised(self, b)) {
            self.decided_by_uninitialised = true;
        }
        if op.is_relation() {
            self.decides(a);
            self.decides(b);
        }
        match (op, self.literal(a), self.literal(b)) {
            (_, Some(a), Some(b)) => self.ir.constant(op.eval(a, b)),
            (Op2::And, Some(known), None) => {
                if known == 0.0 {
                    a
                } else {
                    b
                }
            }
            (Op2::And, None, Some(known)) => {
                if known == 0.0 {
                    b
                } else {
                    a
                }
            }
            (Op2::Or, Some(known), None) => {
                if known == 0.0 {
                    b
                } else {
                    a
                }
            }
            (Op2::Or, None, Some(known)) => {
                if known == 0.0 {
                    a
                } else {
                    b
                }
            }
            _ => self.ir.binary(op, a, b),
        }
    }

    fn select(&mut self, c: ValueId, a: ValueId, b: ValueId) -> ValueId {
        match self.literal(c) {
            Some(0.0) => b,
            Some(_) => a,
            None => self.ir.value(Value::Select(c, a, b)),
        }
    }

    fn shared(&mut self, scalar: ValueId) -> ValueId {
        match &self.ir.values[scalar] {
            Value::Const(_) => scalar,
            Value::Read(target) if target.subscripts.iter().all(|s| matches!(self.ir.values[*s], Value::Const(_))) => scalar,
            _ => self.kept(scalar),
        }
    }
}

fn needs_number(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error("D004", format!("{what} is known only at run time")).at(span, "here")
}

impl<'m> Translator<'_, 'm> {
    /// A value that decides something must be a number: where it may be made of what nobody assigned, that is checked.
    fn decides(&mut self, value: ValueId) {
        if self.literal(value).is_some() || (self.uninitialised_reads.is_empty() && self.partly.is_empty()) {
            return;
        }
        let mut stack = vec![value];
        let mut n_seen = 0;
        while let Some(top) = stack.pop() {
            n_seen += 1;
            let is_open = match &self.ir.values[top] {
                Value::Const(number) => number.is_nan(),
                Value::Read(target) => self.partly.contains(&target.variable),
                Value::Unary(_, a) => {
                    stack.push(*a);
                    false
                }
                Value::Binary(op, a, b) => {
                    // The operands of a relation were looked at when it was made.
                    if !op.is_relation() {
                        stack.extend([*a, *b]);
                    }
                    false
                }
                Value::Select(_, a, b) => {
                    stack.extend([*a, *b]);
                    false
                }
                Value::Call(..) => false,
            };
            if is_open || n_seen > MAX_LOOKED_AT {
                // Only what is not a number differs from itself.
                let condition = self.ir.binary(Op2::Eq, value, value);
                let text = format!("a value that decides what {} does was never assigned, or is not a number", self.function.name);
                self.block.push(Stmt::Assert { condition, message: vec![MessageFragment::Text(text)] });
                return;
            }
        }
    }

    /// A new variable that holds the present value.
    fn kept(&mut self, scalar: ValueId) -> ValueId {
        let variable = self.ir.variable("$value", &[], Role::Auxiliary);
        self.block.push(Function::assign(variable, &[], scalar));
        self.ir.read(variable, &[])
    }

    /// The whole function: inputs, outputs, locals, body.
    fn whole(&mut self, shapes: &[Shape], too_deep: Option<usize>) -> Lowering<Vec<Shape>> {
        let function = self.function;
        if function.inputs.len() != shapes.len() {
            return Err(Diagnostic::error("D002", format!("{} has {} inputs", function.name, function.inputs.len()))
                .at(function.span, "declared here"));
        }
        for (local, shape) in function.inputs.iter().zip(shapes) {
            let home = self.home(&function.locals[*local].name, shape, Role::Input);
            self.homes[*local] = Some(home);
        }
        if function.impure {
            self.ir.variable("$call", &[], Role::Input);
        }
        for local in &function.outputs {
            self.declare(*local, Role::Output)?;
        }
        if function.outputs.is_empty() {
            // A call is the value of an output; this one is for calls that are made for their effect.
            let done = self.ir.variable("$done", &[], Role::Output);
            let nothing = self.ir.constant(0.0);
            self.block.push(Function::assign(done, &[], nothing));
        }
        match &function.body {
            FunctionBody::Algorithm(body) => {
                let mut waiting: Vec<(flat::LocalId, bool)> = function.outputs.iter().map(|l| (*l, true)).collect();
                waiting.extend(function.protected.iter().map(|l| (*l, false)));
                while !waiting.is_empty() {
                    // What needs a local that is declared later waits for it.
                    let mut still = Vec::new();
                    let mut problem = None;
                    for (local, is_declared) in &waiting {
                        let declared = if *is_declared { Ok(()) } else { self.declare(*local, Role::Local) };
                        match declared.and_then(|()| self.initialise(*local)) {
                            Ok(()) => {}
                            Err(error) if error.code == "D007" => {
                                still.push((*local, *is_declared));
                                problem.get_or_insert(error);
                            }
                            Err(error) => return Err(error),
                        }
                    }
                    if let Some(error) = problem.filter(|_| still.len() == waiting.len()) {
                        return Err(error);
                    }
                    waiting = still;
                }
                match too_deep {
                    None => {
                        self.statements(body)?;
                    }
                    Some(depth) => {
                        let text = format!("{} calls itself more than {depth} times deep", function.name);
                        self.block = vec![Stmt::Assert { condition: self.ir.constant(0.0), message: vec![MessageFragment::Text(text)] }];
                        // Nothing reads what it gives.
                        self.uninitialised.clear();
                    }
                }
            }
            FunctionBody::External { language, function: name, output, arguments } => self.external(name, language, *output, arguments)?,
        }
        let mut outputs = Vec::new();
        let mut order = Vec::new();
        for local in &function.outputs {
            let declared = &function.locals[*local];
            let home = self.homes[*local].clone().ok_or_else(|| {
                Diagnostic::error("D007", format!("output {} of {} is not assigned", declared.name, function.name))
                    .at(declared.span, "declared here")
            })?;
            outputs.push(self.shape_of(&home, declared)?);
            variables_of(&home, &mut order);
        }
        if !order.is_sorted() {
            return Err(unsupported("a function with several outputs whose sizes are not declared", function.span));
        }
        Ok(outputs)
    }

    /// Variables for a value of this shape.
    fn home(&mut self, name: &str, shape: &Shape, role: Role) -> Home {
        budget::spend(10);
        match shape.general() {
            Shape::Number | Shape::Known(_) => {
                let variable = self.ir.variable(name, &[], role);
                self.note_numbers(variable, shape);
                Home::Cell { variable, dims: Vec::new() }
            }
            Shape::Numbers(dims) => {
                let sizes: Vec<u32> = dims.iter().map(|d| *d as u32).collect();
                let variable = self.ir.variable(name, &sizes, role);
                self.note_numbers(variable, shape);
                Home::Cell { variable, dims }
            }
            Shape::Items(_) => {
                let Shape::Items(items) = shape else { return Home::Items(Vec::new()) };
                Home::Items(items.iter().enumerate().map(|(i, item)| self.home(&format!("{name}[{}]", i + 1), item, role)).collect())
            }
            Shape::Record(_) => {
                let Shape::Record(fields) = shape else { return Home::Record(Vec::new()) };
                Home::Record(fields.iter().enumerate().map(|(i, field)| self.home(&format!("{name}.{}", i + 1), field, role)).collect())
            }
            Shape::Text(text) => Home::Text(Some(vec![TextFragment::Literal(text)])),
            Shape::Open => {
                let variable = self.ir.variable(name, &[], role);
                self.uninitialised.insert(variable);
                Home::Cell { variable, dims: Vec::new() }
            }
        }
    }

    /// Known numbers of an argument.
    fn note_numbers(&mut self, variable: LocalId, shape: &Shape) {
        // No number of a whole array is known, and there may be many.
        if let Shape::Numbers(_) = shape {
            return;
        }
        let mut numbers = Vec::new();
        shape.numbers(&mut numbers);
        let known: FxHashMap<usize, f64> = numbers.into_iter().enumerate().filter_map(|(i, number)| Some((i, number?))).collect();
        if !known.is_empty() {
            self.numbers.insert(variable, known);
        }
    }

    fn shape_of(&self, home: &Home, declared: &flat::Local) -> Lowering<Shape> {
        Ok(match home {
            Home::Cell { variable, dims } if dims.is_empty() && self.uninitialised.contains(variable) => Shape::Open,
            Home::Cell { dims, .. } if dims.is_empty() => Shape::Number,
            Home::Cell { dims, .. } => Shape::Numbers(dims.clone()),
            Home::Items(items) => Shape::Items(items.iter().map(|i| self.shape_of(i, declared)).collect::<Result<_, _>>()?),
            Home::Record(fields) => Shape::Record(fields.iter().map(|f| self.shape_of(f, declared)).collect::<Result<_, _>>()?),
            Home::Text(pieces) => {
                let text = pieces.as_ref().and_then(|pieces| Val::Text(pieces.clone()).literal());
                Shape::Text(
                    text.ok_or_else(|| unsupported(&format!("the String {}, which is made at run time,", declared.name), declared.span))?,
                )
            }
        })
    }

    /// The shape of a declared variable; `None` if sizes follow from its first value.
    fn declared_shape(&mut self, ty: &flat::Type, sizes: &[Option<flat::Expr>], span: Span) -> Lowering<Option<Shape>> {
        let mut dims = Vec::new();
        for (i, dim) in ty.dims.iter().enumerate() {
            let size = match (dim, sizes.get(i)) {
                (Some(size), _) => *size,
                (None, Some(Some(expr))) => {
                    let value = self.scalar(expr)?;
                    let size = self.literal(value).ok_or_else(|| needs_number("the size of a variable", expr.span))?;
                    if !(size >= 0.0 && size <= f64::from(u32::MAX)) {
                        return Err(Diagnostic::error("D006", format!("{size} is not a size")).at(expr.span, "here"));
                    }
                    size as usize
                }
                _ => return Ok(None),
            };
            dims.push(size);
        }
        check_elements(dims.iter().fold(1, |n: usize, size| n.saturating_mul(*size)), span)?;
        let element = match ty.scalar {
            flat::Scalar::String => Shape::Text(String::new()),
            flat::Scalar::Record(record) => {
                let mut fields = Vec::new();
                for field in &self.model.records[record].fields {
                    // A default gives its sizes to a field whose own are open.
                    let open = field.default.as_ref().filter(|_| field.ty.dims.contains(&None));
                    let dims = open.map_or_else(|| field.ty.dims.clone(), |default| default.ty.dims.clone());
                    match self.declared_shape(&flat::Type { scalar: field.ty.scalar, dims }, &[], span)? {
                        Some(shape) => fields.push(shape),
                        None => return Ok(None),
                    }
                }
                Shape::Record(fields)
            }
            _ if dims.is_empty() => Shape::Number,
            _ => return Ok(Some(Shape::Numbers(dims))),
        };
        let repeated = |shape: Shape, size: &usize| {
            budget::spend((shape.width() as u64).saturating_mul(*size as u64));
            Shape::Items(vec![shape; *size])
        };
        Ok(Some(dims.iter().rev().fold(element, repeated)))
    }

    fn declare(&mut self, local: flat::LocalId, role: Role) -> Lowering<()> {
        let function = self.function;
        let declared = &function.locals[local];
        if declared.ty.scalar == flat::Scalar::String && declared.ty.dims.is_empty() {
            self.homes[local] = Some(Home::Text(None));
            return Ok(());
        }
        if let Some(shape) = self.declared_shape(&declared.ty, &declared.dim_exprs, declared.span)? {
            let home = self.home(&declared.name, &shape, role);
            let mut variables = Vec::new();
            variables_of(&home, &mut variables);
            self.partly.extend(variables.iter().filter(|v| !self.ir.variables[**v].dims.is_empty()));
            self.uninitialised.extend(variables);
            self.homes[local] = Some(home);
        }
        Ok(())
    }

    fn initialise(&mut self, local: flat::LocalId) -> Lowering<()> {
        let function = self.function;
        let declared = &function.locals[local];
        if let Some(binding) = &declared.binding {
            let value = self.expr(binding)?;
            return self.assign_whole(local, &value, binding.span);
        }
        // Fields of records have defaults.
        if let (flat::Scalar::Record(record), Some(Home::Record(fields))) = (declared.ty.scalar, self.homes[local].clone()) {
            for (field, home) in self.model.records[record].fields.iter().zip(fields) {
                if let Some(default) = &field.default {
                    let value = self.expr(default)?;
                    self.write(&Lvalue { home, selected: Vec::new() }, &value, default.span)?;
                }
            }
        }
        Ok(())
    }

    /// All scalars of a variable as targets, in order.
    fn targets(&mut self, home: &Home, span: Span, out: &mut Vec<Target>) -> Lowering<()> {
        match home {
            Home::Cell { variable, dims } => {
                let n: usize = dims.iter().product();
                for position in 0..n {
                    let mut rest = position;
                    let mut subscripts = Vec::with_capacity(dims.len());
                    for size in dims.iter().rev() {
                        subscripts.push(self.ir.constant((rest % size) as f64 + 1.0));
                        rest /= size;
                    }
                    subscripts.reverse();
                    out.push(Target { variable: *variable, subscripts });
                }
                self.forget(*variable);
                Ok(())
            }
            Home::Items(items) | Home::Record(items) => items.iter().try_for_each(|item| self.targets(item, span, out)),
            Home::Text(_) => Err(unsupported("a String as output of an external function", span)),
        }
    }

    fn forget(&mut self, variable: LocalId) {
        self.numbers.remove(&variable);
        self.uninitialised.remove(&variable);
        self.unsure.remove(&variable);
        self.written.push(variable);
    }

    // ---- statements
}

/// The variables of a home, in order.
fn variables_of(home: &Home, out: &mut Vec<LocalId>) {
    match home {
        Home::Cell { variable, .. } => out.push(*variable),
        Home::Items(items) | Home::Record(items) => items.iter().for_each(|i| variables_of(i, out)),
        Home::Text(_) => {}
    }
}

/// A local, and the fields that lead to a part of it.
type Assigned = (flat::LocalId, Vec<usize>);

/// The part of a local that a reference means, and whether its fields lead to all of it.
fn assigned_part(expr: &flat::Expr) -> Option<(Assigned, bool)> {
    match &expr.kind {
        ExprKind::Local(id) => Some(((*id, Vec::new()), true)),
        ExprKind::Field(base, field) => {
            let ((id, mut fields), is_whole) = assigned_part(base)?;
            if is_whole {
                fields.push(*field);
            }
            Some(((id, fields), is_whole))
        }
        ExprKind::Index(base, _) => assigned_part(base).map(|(part, _)| (part, false)),
        _ => None,
    }
}

/// Parts of locals that statements assign, in order of first assignment.
fn assigned_parts(statements: &[flat::Statement], out: &mut indexmap::IndexSet<Assigned>) {
    fn target(expr: &flat::Expr, out: &mut indexmap::IndexSet<Assigned>) {
        match &expr.kind {
            ExprKind::Array(parts) => parts.iter().for_each(|part| target(part, out)),
            _ => out.extend(assigned_part(expr).map(|(part, _)| part)),
        }
    }
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign(lhs, _) => target(lhs, out),
            StatementKind::Tuple(lhs, _) => lhs.iter().flatten().for_each(|lhs| target(lhs, out)),
            StatementKind::If(branches, otherwise) => {
                branches.iter().for_each(|(_, body)| assigned_parts(body, out));
                assigned_parts(otherwise, out);
            }
            StatementKind::When(branches) => branches.iter().for_each(|(_, body)| assigned_parts(body, out)),
            StatementKind::For(_, _, body) | StatementKind::While(_, body) => assigned_parts(body, out),
            StatementKind::Call(_) | StatementKind::Break | StatementKind::Return => {}
        }
    }
}

/// Whether a `break` leaves the loop with this body.
fn has_break(body: &[flat::Statement]) -> bool {
    body.iter().any(|statement| match &statement.kind {
        StatementKind::Break => true,
        StatementKind::If(branches, otherwise) => branches.iter().any(|(_, body)| has_break(body)) || has_break(otherwise),
        _ => false,
    })
}
