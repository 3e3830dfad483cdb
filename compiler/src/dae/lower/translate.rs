//! Translates a flat function into the structured form of called functions.
//!
//! Input: a function of the flat model and the shapes of its arguments. Output: `program::function::Function` and the shapes
//! of its outputs.
//!
//! Method: one walk over the statements. Arrays have fixed sizes, records are taken apart, array operations are written out
//! element by element. Numbers that are known while translating (sizes, discrete arguments the function is made for,
//! variables with one known value) are followed through the statements, so that conditions and sizes that depend on them are
//! decided here. A loop becomes a loop; if its body needs the value of the loop variable for a size or a slice, the loop is
//! written out. What an expression must compute before itself (calls, shared values) becomes statements before it, inside
//! the branch that needs them.
//! Guarantee: a value that was never assigned is NaN; subscripts are checked when the function runs.
//! Cost: linear in the statements, with loops that are written out counted with repetition.
//!
//! D004 is the code of everything that fails because a number is not known here.

use super::arrays::{self, Algebra, shape_error};
use super::called::Shape;
use super::value::{Piece, Val};
use super::{Lowerer, Lowering, unsupported};
use crate::flat::{self, BinaryOp, Builtin, ExprKind, FunctionBody, StatementKind, Subscript, UnaryOp};
use crate::program::function::{Derivative, Function, LocalId, Part, Role, Stmt, Target, Value, ValueId};
use cranelift_entity::SecondaryMap;
use partita_grammar::{Diagnostic, Span};
use partita_runtime::abi::Environment;
use partita_runtime::math::{Op1, Op2};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many rounds of a loop are written out.
const MAX_ROUNDS: usize = 10_000;
/// How many values a function may have.
const MAX_VALUES: usize = 2_000_000;

/// Translates a function for arguments of these shapes.
pub(super) fn translate(lowerer: &mut Lowerer<'_>, id: flat::FuncId, shapes: &[Shape]) -> Lowering<(Function, Vec<Shape>)> {
    let model = lowerer.model;
    let function = &model.functions[id];
    let mut translator = Translator {
        lowerer,
        model,
        id,
        function,
        ir: Function { place: Some((function.span.start, function.span.end)), ..Function::new(&function.name) },
        homes: SecondaryMap::new(),
        numbers: FxHashMap::default(),
        written: Vec::new(),
        block: Vec::new(),
    };
    let outputs = translator.whole(shapes)?;
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
    Text(Option<Vec<Piece<ValueId>>>),
}

/// One subscript, evaluated.
#[derive(Clone, Debug)]
enum Selector {
    One(ValueId),
    Many(Vec<ValueId>),
}

/// A part of a variable.
struct Place {
    home: Home,
    selected: Vec<Selector>,
}

struct Translator<'t, 'm> {
    lowerer: &'t mut Lowerer<'m>,
    model: &'m flat::Model,
    id: flat::FuncId,
    function: &'m flat::Function,
    ir: Function,
    homes: SecondaryMap<flat::LocalId, Option<Home>>,
    /// Known numbers in variables, by position.
    numbers: FxHashMap<LocalId, FxHashMap<usize, f64>>,
    /// Variables in the order in which they were written.
    written: Vec<LocalId>,
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

    fn known(&self, scalar: ValueId) -> Option<f64> {
        self.literal(scalar)
    }

    fn unary(&mut self, op: Op1, a: ValueId) -> ValueId {
        match self.literal(a) {
            Some(a) => self.ir.constant(op.eval(a)),
            None => self.ir.unary(op, a),
        }
    }

    fn binary(&mut self, op: Op2, a: ValueId, b: ValueId) -> ValueId {
        match (op, self.literal(a), self.literal(b)) {
            (_, Some(a), Some(b)) => self.ir.constant(op.eval(a, b)),
            (Op2::And, Some(known), None) => if known == 0.0 { a } else { b },
            (Op2::And, None, Some(known)) => if known == 0.0 { b } else { a },
            (Op2::Or, Some(known), None) => if known == 0.0 { b } else { a },
            (Op2::Or, None, Some(known)) => if known == 0.0 { a } else { b },
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
    /// A new variable that holds the present value.
    fn kept(&mut self, scalar: ValueId) -> ValueId {
        let variable = self.ir.variable("$value", &[], Role::Local);
        self.block.push(Function::assign(variable, &[], scalar));
        self.ir.read(variable, &[])
    }

    /// The whole function: inputs, outputs, locals, body.
    fn whole(&mut self, shapes: &[Shape]) -> Lowering<Vec<Shape>> {
        let function = self.function;
        if function.inputs.len() != shapes.len() {
            return Err(Diagnostic::error("D002", format!("{} has {} inputs", function.name, function.inputs.len())).at(function.span, "declared here"));
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
                self.statements(body)?;
            }
            FunctionBody::External { function: name, arguments, .. } => self.external(name, arguments)?,
        }
        let mut outputs = Vec::new();
        let mut order = Vec::new();
        for local in &function.outputs {
            let declared = &function.locals[*local];
            let home = self.homes[*local].clone().ok_or_else(|| {
                Diagnostic::error("D007", format!("output {} of {} is not assigned", declared.name, function.name)).at(declared.span, "declared here")
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
        match shape.general() {
            Shape::Number | Shape::Known(_) => {
                let variable = self.ir.variable(name, &[], role);
                self.remember(variable, shape);
                Home::Cell { variable, dims: Vec::new() }
            }
            Shape::Numbers(dims) => {
                let sizes: Vec<u32> = dims.iter().map(|d| *d as u32).collect();
                let variable = self.ir.variable(name, &sizes, role);
                self.remember(variable, shape);
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
            Shape::Text(text) => Home::Text(Some(vec![Piece::Literal(text)])),
        }
    }

    /// Known numbers of an argument.
    fn remember(&mut self, variable: LocalId, shape: &Shape) {
        let mut numbers = Vec::new();
        shape.numbers(&mut numbers);
        let known: FxHashMap<usize, f64> = numbers.into_iter().enumerate().filter_map(|(i, number)| Some((i, number?))).collect();
        if !known.is_empty() {
            self.numbers.insert(variable, known);
        }
    }

    fn shape_of(&self, home: &Home, declared: &flat::Local) -> Lowering<Shape> {
        Ok(match home {
            Home::Cell { dims, .. } if dims.is_empty() => Shape::Number,
            Home::Cell { dims, .. } => Shape::Numbers(dims.clone()),
            Home::Items(items) => Shape::Items(items.iter().map(|i| self.shape_of(i, declared)).collect::<Result<_, _>>()?),
            Home::Record(fields) => Shape::Record(fields.iter().map(|f| self.shape_of(f, declared)).collect::<Result<_, _>>()?),
            Home::Text(pieces) => {
                let text = pieces.as_ref().and_then(|pieces| Val::Text(pieces.clone()).literal());
                Shape::Text(text.ok_or_else(|| unsupported(&format!("the String {}, which is made at run time,", declared.name), declared.span))?)
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
        let element = match ty.scalar {
            flat::Scalar::String => Shape::Text(String::new()),
            flat::Scalar::Record(record) => {
                let mut fields = Vec::new();
                for field in &self.model.records[record].fields {
                    match self.declared_shape(&field.ty, &[], span)? {
                        Some(shape) => fields.push(shape),
                        None => return Ok(None),
                    }
                }
                Shape::Record(fields)
            }
            _ if dims.is_empty() => Shape::Number,
            _ => return Ok(Some(Shape::Numbers(dims))),
        };
        Ok(Some(dims.iter().rev().fold(element, |shape, size| Shape::Items(vec![shape; *size]))))
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
                    self.write(&Place { home, selected: Vec::new() }, &value, default.span)?;
                }
            }
        }
        Ok(())
    }

    /// A call of a function of the run-time library.
    fn external(&mut self, name: &str, arguments: &[flat::Expr]) -> Lowering<()> {
        let function = self.function;
        let mut args = Vec::new();
        let mut texts = Vec::new();
        let mut has_real = false;
        for argument in arguments {
            if matches!(&argument.kind, ExprKind::Local(local) if function.outputs.contains(local)) {
                continue;
            }
            has_real |= argument.ty.scalar == flat::Scalar::Real;
            match self.expr(argument)? {
                Val::Text(pieces) => {
                    let literal = Val::Text(pieces.clone()).literal();
                    texts.push(pieces);
                    // `ModelicaError` takes any text.
                    let index = self.lowerer.string_index(&literal.unwrap_or_default());
                    args.push(self.ir.constant(index));
                }
                value => value.scalars(&mut args),
            }
        }
        if matches!(name, "ModelicaError" | "ModelicaFormatError") {
            let condition = self.ir.constant(0.0);
            let message = self.message(&texts.concat());
            self.block.push(Stmt::Assert { condition, message });
            return Ok(());
        }
        let is_literal = |pieces: &Vec<Piece<ValueId>>| pieces.iter().all(|p| matches!(p, Piece::Literal(_)));
        if !texts.iter().all(is_literal) {
            return Err(unsupported("passing a String made at run time to an external function", function.span));
        }
        let mut targets = Vec::new();
        for local in &function.outputs {
            let declared = &function.locals[*local];
            let home = self.homes[*local].clone();
            let home = home.ok_or_else(|| needs_number(&format!("the size of {}", declared.name), declared.span))?;
            self.targets(&home, declared.span, &mut targets)?;
        }
        let gives_real = function.outputs.iter().any(|o| function.locals[*o].ty.scalar == flat::Scalar::Real);
        let derivative = if has_real && gives_real { Derivative::FiniteDifference } else { Derivative::Zero };
        let native = self.lowerer.native(self.id, name, args.len(), targets.len(), derivative)?;
        self.block.push(Stmt::Call { function: native, args, targets: targets.into_iter().map(Some).collect() });
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
        self.written.push(variable);
    }

    // ---- statements

    /// Translates statements; `false` if the end of the list is never reached.
    fn statements(&mut self, list: &[flat::Statement]) -> Lowering<bool> {
        for statement in list {
            if self.ir.values.len() > MAX_VALUES {
                return Err(unsupported(&format!("function {}, whose loops grow too large when written out,", self.function.name), self.function.span));
            }
            if !self.statement(statement)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn statement(&mut self, statement: &flat::Statement) -> Lowering<bool> {
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                let value = self.expr(value)?;
                self.assign(target, &value)?;
            }
            StatementKind::Tuple(targets, call) => {
                let outputs = self.call_outputs(call)?;
                for (target, output) in targets.iter().zip(outputs) {
                    if let Some(target) = target {
                        self.assign(target, &output)?;
                    }
                }
            }
            StatementKind::If(branches, otherwise) => return self.if_statement(branches, otherwise),
            StatementKind::For(local, range, body) => self.for_statement(*local, range, body)?,
            StatementKind::While(condition, body) => self.while_statement(condition, body)?,
            StatementKind::When(_) => return Err(unsupported("`when` inside a function", statement.span)),
            StatementKind::Call(call) => self.effect(call)?,
            StatementKind::Break => {
                self.block.push(Stmt::Break);
                return Ok(false);
            }
            StatementKind::Return => {
                self.block.push(Stmt::Return);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Runs `f` with an empty list of statements; gives that list too.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Lowering<T>) -> Lowering<(Vec<Stmt>, T)> {
        let outer = std::mem::take(&mut self.block);
        let result = f(self);
        let inner = std::mem::replace(&mut self.block, outer);
        Ok((inner, result?))
    }

    fn texts(&self) -> Vec<(flat::LocalId, Option<Home>)> {
        let is_text = |id: &flat::LocalId| self.function.locals[*id].ty.scalar == flat::Scalar::String;
        let all = self.function.locals.keys().filter(is_text);
        all.map(|id| (id, self.homes[id].clone())).collect()
    }

    fn if_statement(&mut self, branches: &[(flat::Expr, Vec<flat::Statement>)], otherwise: &[flat::Statement]) -> Lowering<bool> {
        let Some(((condition, body), rest)) = branches.split_first() else { return self.statements(otherwise) };
        let condition = self.scalar(condition)?;
        match self.literal(condition) {
            Some(0.0) => return self.if_statement(rest, otherwise),
            Some(_) => return self.statements(body),
            None => {}
        }
        let before = self.numbers.clone();
        let texts = self.texts();
        let mark = self.written.len();
        let (then, then_ends) = self.nested(|t| t.statements(body))?;
        let numbers_then = std::mem::replace(&mut self.numbers, before);
        let texts_then = self.texts();
        for (id, home) in texts {
            self.homes[id] = home;
        }
        let (or_else, else_ends) = self.nested(|t| t.if_statement(rest, otherwise))?;
        match (then_ends, else_ends) {
            (true, false) => {
                self.numbers = numbers_then;
                for (id, home) in texts_then {
                    self.homes[id] = home;
                }
            }
            (true, true) => {
                for variable in self.written[mark..].to_vec() {
                    self.numbers.remove(&variable);
                }
                for (id, home) in texts_then {
                    let same = match (&home, &self.homes[id]) {
                        (Some(Home::Text(a)), Some(Home::Text(b))) => a == b,
                        _ => false,
                    };
                    if !same {
                        self.homes[id] = Some(Home::Text(None));
                    }
                }
            }
            (false, _) => {}
        }
        self.block.push(Stmt::If(vec![(condition, then)], or_else));
        Ok(then_ends || else_ends)
    }

    /// Forgets the values of everything that a loop body assigns.
    fn forget_assigned(&mut self, body: &[flat::Statement]) {
        let mut roots = indexmap::IndexSet::new();
        assigned_locals(body, &mut roots);
        for id in roots {
            let Some(home) = self.homes[id].clone() else { continue };
            if let Home::Text(_) = home {
                self.homes[id] = Some(Home::Text(None));
            }
            let mut variables = Vec::new();
            variables_of(&home, &mut variables);
            variables.into_iter().for_each(|v| self.forget(v));
        }
    }

    fn for_statement(&mut self, local: flat::LocalId, range: &flat::Expr, body: &[flat::Statement]) -> Lowering<()> {
        let ExprKind::Range(start, step, stop) = &range.kind else {
            let items = self.expr(range)?;
            let items = items.items().ok_or_else(|| shape_error(range.span))?.to_vec();
            return self.written_out(local, &items, body, range.span);
        };
        let start = self.scalar(start)?;
        let step = match step {
            Some(step) => self.scalar(step)?,
            None => self.ir.constant(1.0),
        };
        let stop = self.scalar(stop)?;
        let (numbers, texts) = (self.numbers.clone(), self.texts());
        let n_block = self.block.len();
        match self.loop_over(local, [start, step, stop], body) {
            Ok(()) => Ok(()),
            Err(error) if matches!(error.code, "D004" | "D006") => {
                // The body needs the value of the loop variable.
                let (Some(start), Some(step), Some(stop)) = (self.literal(start), self.literal(step), self.literal(stop)) else { return Err(error) };
                self.numbers = numbers;
                for (id, home) in texts {
                    self.homes[id] = home;
                }
                self.block.truncate(n_block);
                let items = arrays::range(self, start, step, stop, range.span)?;
                self.written_out(local, items.items().unwrap_or(&[]), body, range.span)
            }
            Err(error) => Err(error),
        }
    }

    fn loop_over(&mut self, local: flat::LocalId, [start, step, stop]: [ValueId; 3], body: &[flat::Statement]) -> Lowering<()> {
        // Bounds are evaluated before the loop, whatever the body assigns.
        let (start, step, stop) = (self.bound(start), self.bound(step), self.bound(stop));
        let variable = self.ir.variable(&self.function.locals[local].name, &[], Role::Local);
        self.homes[local] = Some(Home::Cell { variable, dims: Vec::new() });
        self.forget_assigned(body);
        let (body_block, _) = self.nested(|t| t.statements(body))?;
        self.forget_assigned(body);
        self.block.push(Stmt::For { variable, start, step, stop, body: body_block });
        Ok(())
    }

    fn bound(&mut self, value: ValueId) -> ValueId {
        if self.literal(value).is_some() { value } else { self.kept(value) }
    }

    /// A loop written out round by round.
    fn written_out(&mut self, local: flat::LocalId, items: &[Val<ValueId>], body: &[flat::Statement], span: Span) -> Lowering<()> {
        if items.len() > MAX_ROUNDS {
            return Err(unsupported(&format!("a loop of {} rounds that must be written out", items.len()), span));
        }
        let leaves = has_break(body);
        let name = &self.function.locals[local].name;
        let (block, ()) = self.nested(|t| {
            for item in items {
                let shape = value_shape(item).ok_or_else(|| shape_error(span))?;
                let home = t.home(name, &shape, Role::Local);
                t.homes[local] = Some(home.clone());
                t.write(&Place { home, selected: Vec::new() }, item, span)?;
                if !t.statements(body)? {
                    break;
                }
            }
            Ok(())
        })?;
        if leaves {
            // `break` leaves a loop that goes round once.
            let mut block = block;
            block.push(Stmt::Break);
            let always = self.ir.constant(1.0);
            self.block.push(Stmt::While(always, block));
            self.forget_assigned(body);
        } else {
            self.block.extend(block);
        }
        Ok(())
    }

    fn while_statement(&mut self, condition: &flat::Expr, body: &[flat::Statement]) -> Lowering<()> {
        let first = self.nested(|t| t.scalar(condition))?.1;
        if self.literal(first) == Some(0.0) {
            return Ok(());
        }
        self.forget_assigned(body);
        let (mut before, condition) = self.nested(|t| t.scalar(condition))?;
        let (body_block, _) = self.nested(|t| t.statements(body))?;
        self.forget_assigned(body);
        if before.is_empty() {
            self.block.push(Stmt::While(condition, body_block));
        } else {
            before.push(Stmt::If(vec![(condition, Vec::new())], vec![Stmt::Break]));
            before.extend(body_block);
            let always = self.ir.constant(1.0);
            self.block.push(Stmt::While(always, before));
        }
        Ok(())
    }

    fn effect(&mut self, call: &flat::Expr) -> Lowering<()> {
        match &call.kind {
            ExprKind::Builtin(Builtin::Assert, args) => {
                let Some(condition) = args.first() else { return Ok(()) };
                let condition = self.scalar(condition)?;
                if self.literal(condition).is_some_and(|c| c != 0.0) {
                    return Ok(());
                }
                if let Some(level) = args.get(2) {
                    let level = self.scalar(level)?;
                    if self.literal(level) == Some(1.0) {
                        self.lowerer.warn_once(
                            Diagnostic::warning("D009", format!("a warning of function {} is not shown, because the function is called, not inlined", self.function.name))
                                .at(call.span, "this assert"),
                        );
                        return Ok(());
                    }
                }
                // The message is made only where the assert fails.
                let (mut failed, message) = self.nested(|t| match args.get(1) {
                    Some(text) => match t.expr(text)? {
                        Val::Text(pieces) => Ok(t.message(&pieces)),
                        _ => Err(Diagnostic::error("D002", "a String is needed here").at(text.span, "this is not a String")),
                    },
                    None => Ok(Vec::new()),
                })?;
                if failed.is_empty() {
                    self.block.push(Stmt::Assert { condition, message });
                } else {
                    let never = self.ir.constant(0.0);
                    failed.push(Stmt::Assert { condition: never, message });
                    self.block.push(Stmt::If(vec![(condition, Vec::new())], failed));
                }
                Ok(())
            }
            ExprKind::Builtin(Builtin::Print, _) => {
                self.lowerer.warn_once(
                    Diagnostic::warning("D009", format!("what function {} prints is not shown, because the function is called, not inlined", self.function.name))
                        .at(call.span, "this text"),
                );
                Ok(())
            }
            ExprKind::Builtin(Builtin::Terminate, _) => Err(unsupported("terminate inside a function", call.span)),
            _ => self.call_outputs(call).map(|_| ()),
        }
    }

    fn message(&self, pieces: &[Piece<ValueId>]) -> Vec<Part> {
        let part = |piece: &Piece<ValueId>| match piece {
            Piece::Literal(text) => Part::Text(text.clone()),
            Piece::Value(value, ty) => Part::Value(*value, *ty),
        };
        pieces.iter().map(part).collect()
    }

    // ---- assignments

    fn assign(&mut self, target: &flat::Expr, value: &Val<ValueId>) -> Lowering<()> {
        if let ExprKind::Local(local) = target.kind {
            return self.assign_whole(local, value, target.span);
        }
        if let ExprKind::Array(parts) = &target.kind {
            let values = value.items().filter(|values| values.len() == parts.len());
            let values = values.ok_or_else(|| Diagnostic::error("D002", "the assigned value has other dimensions").at(target.span, "assigned here"))?;
            return parts.iter().zip(values).try_for_each(|(part, value)| self.assign(part, value));
        }
        let place = self.place(target)?;
        let place = place.ok_or_else(|| unsupported("assigning to this", target.span))?;
        let value = self.detached(&place.home, value);
        self.write(&place, &value, target.span)
    }

    fn assign_whole(&mut self, local: flat::LocalId, value: &Val<ValueId>, span: Span) -> Lowering<()> {
        if let Val::Text(pieces) = value {
            self.homes[local] = Some(Home::Text(Some(pieces.clone())));
            return Ok(());
        }
        let home = match self.homes[local].clone() {
            Some(home) => home,
            None => {
                // The first value gives the sizes.
                let shape = value_shape(value).ok_or_else(|| shape_error(span))?;
                let role = if self.function.outputs.contains(&local) { Role::Output } else { Role::Local };
                let home = self.home(&self.function.locals[local].name, &shape, role);
                self.homes[local] = Some(home.clone());
                home
            }
        };
        let value = self.detached(&home, value);
        self.write(&Place { home, selected: Vec::new() }, &value, span)
    }

    /// The value in variables of its own if it reads what is about to be assigned element by element.
    fn detached(&mut self, home: &Home, value: &Val<ValueId>) -> Val<ValueId> {
        let scalars = value.to_scalars();
        if scalars.len() < 2 {
            return value.clone();
        }
        let mut variables = Vec::new();
        variables_of(home, &mut variables);
        let targets: FxHashSet<LocalId> = variables.into_iter().collect();
        let mut seen: FxHashSet<ValueId> = FxHashSet::default();
        let mut stack = scalars;
        while let Some(top) = stack.pop() {
            if !seen.insert(top) {
                continue;
            }
            match &self.ir.values[top] {
                Value::Const(_) => {}
                Value::Read(target) => {
                    if targets.contains(&target.variable) {
                        return match value.map(&mut |e| Ok::<_, std::convert::Infallible>(self.bound(e))) {
                            Ok(value) => value,
                            Err(never) => match never {},
                        };
                    }
                    stack.extend(&target.subscripts);
                }
                Value::Unary(_, a) => stack.push(*a),
                Value::Binary(_, a, b) => stack.extend([*a, *b]),
                Value::Select(c, a, b) => stack.extend([*c, *a, *b]),
                Value::Call(_, args, _) => stack.extend(args),
            }
        }
        value.clone()
    }

    fn write(&mut self, place: &Place, value: &Val<ValueId>, span: Span) -> Lowering<()> {
        match (&place.home, value) {
            (Home::Cell { variable, dims }, _) => self.write_cell(*variable, dims, &place.selected, &mut Vec::new(), value, span),
            (Home::Items(homes), Val::Array(values)) | (Home::Record(homes), Val::Record(values)) if homes.len() == values.len() => {
                let parts: Vec<(Home, &Val<ValueId>)> = homes.iter().cloned().zip(values).collect();
                parts.into_iter().try_for_each(|(home, value)| self.write(&Place { home, selected: Vec::new() }, value, span))
            }
            (Home::Text(known), Val::Text(_)) => {
                let same = known.as_ref().is_some_and(|known| Val::Text(known.clone()) == *value);
                if same { Ok(()) } else { Err(unsupported("assigning to a String inside a record or an array", span)) }
            }
            _ => Err(Diagnostic::error("D002", "the assigned value has other dimensions").at(span, "assigned here")),
        }
    }

    fn write_cell(&mut self, variable: LocalId, dims: &[usize], selected: &[Selector], prefix: &mut Vec<ValueId>, value: &Val<ValueId>, span: Span) -> Lowering<()> {
        let dim = prefix.len();
        if dim == dims.len() {
            let Val::Scalar(value) = value else {
                return Err(Diagnostic::error("D002", "the assigned value has other dimensions").at(span, "assigned here"));
            };
            let position = match self.position(dims, prefix) {
                Position::Outside => return self.outside(variable, span).map(|_| ()),
                Position::Known(position) => Some(position),
                Position::Computed => None,
            };
            self.block.push(Function::assign(variable, prefix, *value));
            self.written.push(variable);
            match (position, self.literal(*value)) {
                (Some(position), Some(number)) => {
                    self.numbers.entry(variable).or_default().insert(position, number);
                }
                (Some(position), None) => {
                    if let Some(numbers) = self.numbers.get_mut(&variable) {
                        numbers.remove(&position);
                    }
                }
                (None, _) => {
                    self.numbers.remove(&variable);
                }
            }
            return Ok(());
        }
        let subscripts = match selected.get(dim) {
            Some(Selector::One(subscript)) => {
                prefix.push(*subscript);
                self.write_cell(variable, dims, selected, prefix, value, span)?;
                prefix.pop();
                return Ok(());
            }
            Some(Selector::Many(subscripts)) => subscripts.clone(),
            None => (1..=dims[dim]).map(|i| self.ir.constant(i as f64)).collect(),
        };
        let values = value.items().filter(|values| values.len() == subscripts.len());
        let values = values.ok_or_else(|| Diagnostic::error("D002", "the assigned value has other dimensions").at(span, "assigned here"))?;
        for (subscript, value) in subscripts.into_iter().zip(values) {
            prefix.push(subscript);
            self.write_cell(variable, dims, selected, prefix, value, span)?;
            prefix.pop();
        }
        Ok(())
    }

    /// Where a list of subscripts leads.
    fn position(&self, dims: &[usize], subscripts: &[ValueId]) -> Position {
        let mut position = 0;
        for (subscript, size) in subscripts.iter().zip(dims) {
            match self.literal(*subscript) {
                Some(v) if v >= 1.0 && v <= *size as f64 && v.fract() == 0.0 => position = position * size + (v as usize - 1),
                Some(_) => return Position::Outside,
                None => return Position::Computed,
            }
        }
        Position::Known(position)
    }

    /// A subscript that is out of range: a failure if it is ever reached.
    fn outside(&mut self, variable: LocalId, span: Span) -> Lowering<ValueId> {
        let _ = span;
        let condition = self.ir.constant(0.0);
        let text = format!("a subscript of {} in {} is out of range", self.ir.variables[variable].name, self.function.name);
        self.block.push(Stmt::Assert { condition, message: vec![Part::Text(text)] });
        Ok(self.ir.constant(f64::NAN))
    }

    // ---- references

    /// The part of a variable that a reference means; `None` if it is no such reference.
    fn place(&mut self, expr: &flat::Expr) -> Lowering<Option<Place>> {
        match &expr.kind {
            ExprKind::Local(local) => {
                let home = self.homes[*local].clone();
                let home = home.ok_or_else(|| {
                    Diagnostic::error("D007", format!("{} is used before it has a value", self.function.locals[*local].name)).at(expr.span, "used here")
                })?;
                Ok(Some(Place { home, selected: Vec::new() }))
            }
            ExprKind::Field(base, field) => {
                let Some(place) = self.place(base)? else { return Ok(None) };
                Ok(match place.home {
                    Home::Record(mut fields) if *field < fields.len() && place.selected.is_empty() => {
                        Some(Place { home: fields.swap_remove(*field), selected: Vec::new() })
                    }
                    _ => None,
                })
            }
            ExprKind::Index(base, subscripts) => {
                let Some(mut place) = self.place(base)? else { return Ok(None) };
                for (i, subscript) in subscripts.iter().enumerate() {
                    match &mut place.home {
                        Home::Cell { dims, .. } => {
                            let Some(size) = dims.get(place.selected.len()).copied() else {
                                return Err(Diagnostic::error("D002", "too many subscripts").at(expr.span, "here"));
                            };
                            let selector = self.selector(subscript, size)?;
                            place.selected.push(selector);
                        }
                        Home::Items(items) => {
                            let positions = match self.selector(subscript, items.len())? {
                                Selector::One(position) => {
                                    let item = self.item_number(position, items.len(), expr.span)?;
                                    place.home = items.swap_remove(item);
                                    continue;
                                }
                                Selector::Many(positions) => positions,
                            };
                            if i + 1 < subscripts.len() {
                                return Ok(None);
                            }
                            let mut list = Vec::with_capacity(positions.len());
                            for position in positions {
                                list.push(items[self.item_number(position, items.len(), expr.span)?].clone());
                            }
                            place.home = Home::Items(list);
                        }
                        Home::Record(_) | Home::Text(_) => return Err(Diagnostic::error("D002", "too many subscripts").at(expr.span, "here")),
                    }
                }
                Ok(Some(place))
            }
            _ => Ok(None),
        }
    }

    fn item_number(&self, position: ValueId, len: usize, span: Span) -> Lowering<usize> {
        match self.literal(position) {
            Some(v) if v >= 1.0 && v as usize <= len => Ok(v as usize - 1),
            Some(v) => Err(Diagnostic::error("D006", format!("index {v} is outside 1:{len}")).at(span, "here")),
            None => Err(needs_number("the position in an array of records", span)),
        }
    }

    fn selector(&mut self, subscript: &Subscript, size: usize) -> Lowering<Selector> {
        Ok(match subscript {
            Subscript::Index(index) => Selector::One(self.scalar(index)?),
            Subscript::Slice(indices) => {
                let indices = self.expr(indices)?.to_scalars();
                Selector::Many(indices.into_iter().map(|i| self.shared(i)).collect())
            }
            Subscript::All => Selector::Many((1..=size).map(|i| self.ir.constant(i as f64)).collect()),
        })
    }

    fn read(&mut self, place: &Place, span: Span) -> Lowering<Val<ValueId>> {
        match &place.home {
            Home::Cell { variable, dims } => self.read_cell(*variable, dims, &place.selected, &mut Vec::new(), span),
            Home::Items(items) => self.read_all(items, span).map(Val::Array),
            Home::Record(fields) => self.read_all(fields, span).map(Val::Record),
            Home::Text(Some(pieces)) => Ok(Val::Text(pieces.clone())),
            Home::Text(None) => Err(unsupported("a String that depends on values at run time", span)),
        }
    }

    fn read_all(&mut self, homes: &[Home], span: Span) -> Lowering<Vec<Val<ValueId>>> {
        homes.iter().map(|home| self.read(&Place { home: home.clone(), selected: Vec::new() }, span)).collect()
    }

    fn read_cell(&mut self, variable: LocalId, dims: &[usize], selected: &[Selector], prefix: &mut Vec<ValueId>, span: Span) -> Lowering<Val<ValueId>> {
        let dim = prefix.len();
        if dim == dims.len() {
            let known = match self.position(dims, prefix) {
                Position::Outside => return self.outside(variable, span).map(Val::Scalar),
                Position::Known(position) => self.numbers.get(&variable).and_then(|numbers| numbers.get(&position)).copied(),
                Position::Computed => None,
            };
            return Ok(Val::Scalar(match known {
                Some(number) => self.ir.constant(number),
                None => self.ir.read(variable, prefix),
            }));
        }
        let subscripts = match selected.get(dim) {
            Some(Selector::One(subscript)) => {
                prefix.push(*subscript);
                let value = self.read_cell(variable, dims, selected, prefix, span);
                prefix.pop();
                return value;
            }
            Some(Selector::Many(subscripts)) => subscripts.clone(),
            None => (1..=dims[dim]).map(|i| self.ir.constant(i as f64)).collect(),
        };
        let mut items = Vec::with_capacity(subscripts.len());
        for subscript in subscripts {
            prefix.push(subscript);
            items.push(self.read_cell(variable, dims, selected, prefix, span)?);
            prefix.pop();
        }
        Ok(Val::Array(items))
    }

    /// Subscripts of a value that is no variable.
    fn subscripted(&mut self, value: &Val<ValueId>, subscripts: &[Subscript], span: Span) -> Lowering<Val<ValueId>> {
        let Some((first, rest)) = subscripts.split_first() else { return Ok(value.clone()) };
        let items = value.items().ok_or_else(|| Diagnostic::error("D002", "too many subscripts").at(span, "here"))?;
        match self.selector(first, items.len())? {
            Selector::One(position) if self.literal(position).is_some() => {
                let item = self.item_number(position, items.len(), span)?;
                self.subscripted(&items[item], rest, span)
            }
            Selector::One(position) => {
                // The array gets a variable, whose elements can be reached by numbers known at run time.
                let shape = value_shape(value).ok_or_else(|| shape_error(span))?;
                let home = self.home("$array", &shape, Role::Local);
                let Home::Cell { variable, dims } = home.clone() else { return Err(needs_number("the position in an array of records", span)) };
                self.write(&Place { home, selected: Vec::new() }, value, span)?;
                let mut selected = vec![Selector::One(position)];
                for (subscript, size) in rest.iter().zip(&dims[1..]) {
                    selected.push(self.selector(subscript, *size)?);
                }
                self.read_cell(variable, &dims, &selected, &mut Vec::new(), span)
            }
            Selector::Many(positions) => {
                let mut list = Vec::with_capacity(positions.len());
                for position in positions {
                    let item = self.item_number(position, items.len(), span)?;
                    list.push(self.subscripted(&items[item], rest, span)?);
                }
                Ok(Val::Array(list))
            }
        }
    }

    // ---- expressions

    fn scalar(&mut self, expr: &flat::Expr) -> Lowering<ValueId> {
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
            flat::Value::String(s) => return Val::Text(vec![Piece::Literal(s.clone())]),
            flat::Value::Array(_, items) => return Val::Array(items.iter().map(|v| self.literal_value(v)).collect()),
            flat::Value::Record(_, fields) => return Val::Record(fields.iter().map(|v| self.literal_value(v)).collect()),
        };
        Val::Scalar(self.ir.constant(number))
    }

    fn expr(&mut self, expr: &flat::Expr) -> Lowering<Val<ValueId>> {
        match &expr.kind {
            ExprKind::Literal(value) => Ok(self.literal_value(value)),
            ExprKind::Time => Err(unsupported("time inside a function", expr.span)),
            ExprKind::Var(id) => {
                let var = &self.model.vars[*id];
                match &var.value {
                    Some(value) if var.variability == flat::Variability::Constant => Ok(self.literal_value(value)),
                    _ => Err(unsupported(&format!("{}, which is no constant, inside a function", var.name), expr.span)),
                }
            }
            ExprKind::Local(_) | ExprKind::Index(..) | ExprKind::Field(..) => {
                if let Some(place) = self.place(expr)? {
                    return self.read(&place, expr.span);
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
            ExprKind::Unary(op, operand) => {
                let operand = self.expr(operand)?;
                let op = match op {
                    UnaryOp::Minus => Op1::Neg,
                    UnaryOp::Not => Op1::Not,
                };
                operand.map(&mut |e| Ok(self.unary(op, e)))
            }
            ExprKind::Binary(op, a, b) => self.operator(*op, a, b, expr.span),
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
                outputs.into_iter().next().ok_or_else(|| Diagnostic::error("D001", "the function has no output").at(expr.span, "called for a value here"))
            }
            ExprKind::NewObject(object, _) => Err(unsupported(&format!("making an external object {} inside a function", self.model.objects[*object].name), expr.span)),
            ExprKind::Record(_, fields) => Ok(Val::Record(fields.iter().map(|f| self.expr(f)).collect::<Result<_, _>>()?)),
            ExprKind::Array(items) => Ok(Val::Array(items.iter().map(|f| self.expr(f)).collect::<Result<_, _>>()?)),
            ExprKind::Range(start, step, stop) => {
                let first = self.number(start)?;
                let step = step.as_ref().map(|s| self.number(s)).transpose()?.unwrap_or(1.0);
                let last = self.number(stop)?;
                arrays::range(self, first, step, last, expr.span)
            }
            ExprKind::Comprehension(body, iterators) => self.comprehension(body, iterators),
            ExprKind::ToReal(inner) => self.expr(inner),
        }
    }

    /// A number that must be known here.
    fn number(&mut self, expr: &flat::Expr) -> Lowering<f64> {
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
        let home = self.home("$either", &shape, Role::Local);
        for (block, value) in [(&mut then, &a), (&mut or_else, &b)] {
            let place = Place { home: home.clone(), selected: Vec::new() };
            let (stores, ()) = self.nested(|t| t.write(&place, value, span))?;
            block.extend(stores);
        }
        let mut variables = Vec::new();
        variables_of(&home, &mut variables);
        variables.into_iter().for_each(|v| self.forget(v));
        self.block.push(Stmt::If(vec![(condition, then)], or_else));
        self.read(&Place { home, selected: Vec::new() }, span)
    }

    fn operator(&mut self, op: BinaryOp, a: &flat::Expr, b: &flat::Expr, span: Span) -> Lowering<Val<ValueId>> {
        // Left-deep chains (long sums) are walked without recursion on the left.
        let mut chain = vec![(op, b, span)];
        let mut left = a;
        while let ExprKind::Binary(op, a, b) = &left.kind {
            chain.push((*op, b, left.span));
            left = a;
        }
        let mut value = self.expr(left)?;
        for (op, right, span) in chain.into_iter().rev() {
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
            let right = self.expr(right)?;
            value = arrays::combine(self, op, &value, &right, span)?;
        }
        Ok(value)
    }

    fn comprehension(&mut self, body: &flat::Expr, iterators: &[(flat::LocalId, flat::Expr)]) -> Lowering<Val<ValueId>> {
        let Some(((local, range), rest)) = iterators.split_first() else { return self.expr(body) };
        let range_value = self.expr(range)?;
        let mut items = Vec::new();
        for item in range_value.items().unwrap_or(&[]) {
            let shape = value_shape(item).ok_or_else(|| shape_error(range.span))?;
            let home = self.home("$iterator", &shape, Role::Local);
            self.homes[*local] = Some(home.clone());
            self.write(&Place { home, selected: Vec::new() }, item, range.span)?;
            items.push(self.comprehension(body, rest)?);
        }
        Ok(Val::Array(items))
    }

    fn builtin(&mut self, builtin: Builtin, args: &[flat::Expr], span: Span) -> Lowering<Val<ValueId>> {
        match (builtin, args) {
            (Builtin::NoEvent, [arg]) | (Builtin::Smooth, [_, arg]) | (Builtin::Homotopy, [arg, ..]) => self.expr(arg),
            (Builtin::String, [arg, ..]) => {
                let value = self.expr(arg)?;
                arrays::string_of(self, self.model, arg.ty.scalar, &value, span)
            }
            _ => {
                let values = args.iter().map(|a| self.expr(a)).collect::<Lowering<Vec<_>>>()?;
                let types: Vec<&flat::Type> = args.iter().map(|a| &a.ty).collect();
                let result = arrays::builtin(self, builtin, &values, &types, span);
                // A size that is not known here may be known for other arguments.
                result.map_err(|e| if e.code == "D006" { Diagnostic { code: "D004", ..e } } else { e })
            }
        }
    }

    fn call_outputs(&mut self, call: &flat::Expr) -> Lowering<Vec<Val<ValueId>>> {
        let ExprKind::Call(id, args) = &call.kind else { return Ok(vec![self.expr(call)?]) };
        let callee = &self.model.functions[*id];
        let values = args.iter().map(|a| self.expr(a)).collect::<Lowering<Vec<_>>>()?;
        if let FunctionBody::External { function: name, .. } = &callee.body
            && matches!(name.as_str(), "ModelicaError" | "ModelicaFormatError")
            && let Some(Val::Text(pieces)) = values.first()
        {
            let condition = self.ir.constant(0.0);
            let message = self.message(pieces);
            self.block.push(Stmt::Assert { condition, message });
            return Ok(Vec::new());
        }
        let mut shapes = Vec::with_capacity(values.len());
        for (local, value) in callee.inputs.iter().zip(&values) {
            let shape = Shape::of(self.model, value, &callee.locals[*local].ty, &|e| self.literal(e));
            shapes.push(shape.map_err(|reason| Diagnostic::error("D008", reason).at(call.span, "in this call"))?);
        }
        let signature = self.lowerer.called_function(*id, &shapes)?;
        let mut scalars = Vec::new();
        values.iter().for_each(|v| v.scalars(&mut scalars));
        if let Some(outputs) = self.evaluated(signature.function, &scalars, &signature.outputs, signature.impure) {
            return Ok(outputs);
        }
        if signature.impure {
            scalars.push(self.ir.constant(0.0));
        }
        let mut targets = Vec::new();
        let mut homes = Vec::new();
        for shape in &signature.outputs {
            let home = self.home("$result", shape, Role::Local);
            if !matches!(home, Home::Text(_)) {
                self.targets(&home, call.span, &mut targets)?;
            }
            homes.push(home);
        }
        self.block.push(Stmt::Call { function: signature.function, args: scalars, targets: targets.into_iter().map(Some).collect() });
        self.read_all(&homes, call.span)
    }

    /// The outputs of a call whose arguments are all known, if it can be evaluated here.
    fn evaluated(&mut self, function: crate::ids::FnId, args: &[ValueId], outputs: &[Shape], impure: bool) -> Option<Vec<Val<ValueId>>> {
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

enum Position {
    Known(usize),
    Computed,
    Outside,
}

/// The variables of a home, in order.
fn variables_of(home: &Home, out: &mut Vec<LocalId>) {
    match home {
        Home::Cell { variable, .. } => out.push(*variable),
        Home::Items(items) | Home::Record(items) => items.iter().for_each(|i| variables_of(i, out)),
        Home::Text(_) => {}
    }
}

/// The shape of a value whose type does not matter; `None` if rows have different lengths.
fn value_shape(value: &Val<ValueId>) -> Option<Shape> {
    Some(match value {
        Val::Scalar(_) => Shape::Number,
        Val::Text(_) => Shape::Text(value.literal().unwrap_or_default()),
        Val::Record(fields) => Shape::Record(fields.iter().map(value_shape).collect::<Option<_>>()?),
        Val::Array(items) if items.is_empty() => Shape::Numbers(vec![0]),
        Val::Array(items) => {
            let shape = Shape::Items(items.iter().map(value_shape).collect::<Option<_>>()?).general();
            match &shape {
                Shape::Items(list) if matches!(list.first(), Some(Shape::Number | Shape::Numbers(_))) => return None,
                _ => shape,
            }
        }
    })
}

fn field_of(value: &Val<ValueId>, field: usize) -> Option<Val<ValueId>> {
    match value {
        Val::Record(fields) => fields.get(field).cloned(),
        Val::Array(items) => items.iter().map(|i| field_of(i, field)).collect::<Option<Vec<_>>>().map(Val::Array),
        _ => None,
    }
}

/// Locals that statements assign, in order of first assignment.
fn assigned_locals(statements: &[flat::Statement], out: &mut indexmap::IndexSet<flat::LocalId>) {
    fn target(expr: &flat::Expr, out: &mut indexmap::IndexSet<flat::LocalId>) {
        match &expr.kind {
            ExprKind::Index(base, _) | ExprKind::Field(base, _) => target(base, out),
            ExprKind::Array(parts) => parts.iter().for_each(|part| target(part, out)),
            ExprKind::Local(id) => {
                out.insert(*id);
            }
            _ => {}
        }
    }
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign(lhs, _) => target(lhs, out),
            StatementKind::Tuple(lhs, _) => lhs.iter().flatten().for_each(|lhs| target(lhs, out)),
            StatementKind::If(branches, otherwise) => {
                branches.iter().for_each(|(_, body)| assigned_locals(body, out));
                assigned_locals(otherwise, out);
            }
            StatementKind::When(branches) => branches.iter().for_each(|(_, body)| assigned_locals(body, out)),
            StatementKind::For(_, _, body) | StatementKind::While(_, body) => assigned_locals(body, out),
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
