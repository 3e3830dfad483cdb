//! Checks that a flat model keeps its promises: ids exist, types agree, sizes are known outside functions.
//!
//! Input: a flat model. Output: what is wrong, in words; empty for every model that `flatten` makes. A finding is a fault
//! of the compiler, not of the user's model. Cost: one walk over the model.

use super::{
    BinaryOp, Builtin, Equation, EquationKind, Expr, ExprKind, FlatModel, FunctionBody, Local, LocalId, Scalar, Statement, StatementKind,
    Subscript, Type,
};
use cranelift_entity::PrimaryMap;

impl FlatModel {
    /// What is wrong with the model; empty if nothing is.
    pub fn verify(&self) -> Vec<String> {
        let mut check = Check { model: self, locals: &self.loop_vars, in_function: false, place: String::new(), found: Vec::new() };
        for variable in self.vars.values() {
            check.place = format!("variable {}", variable.name);
            if variable.ty.dims.iter().any(Option::is_none) {
                check.say("has an open size");
            }
            if let Some(binding) = &variable.binding {
                check.expr(binding);
                check.fits(&binding.ty, &variable.ty);
            }
            let a = &variable.attributes;
            for attribute in [&a.start, &a.fixed, &a.min, &a.max, &a.nominal].into_iter().flatten() {
                check.expr(attribute);
                if !attribute.ty.is_scalar() && !agree(&attribute.ty, &variable.ty) {
                    check.say("has an attribute of another size");
                }
            }
        }
        for (place, equations) in [("equation", &self.equations), ("initial equation", &self.initial_equations)] {
            check.equations(place, equations);
        }
        for algorithm in self.algorithms.iter().chain(&self.initial_algorithms) {
            check.statements("algorithm", &algorithm.statements);
        }
        for function in self.functions.values() {
            let mut inner = Check { model: self, locals: &function.locals, in_function: true, place: String::new(), found: Vec::new() };
            let place = format!("function {}", function.name);
            inner.place.clone_from(&place);
            for local in function.locals.values() {
                if let Some(binding) = &local.binding {
                    inner.expr(binding);
                }
                local.dim_exprs.iter().flatten().for_each(|e| inner.expr(e));
            }
            match &function.body {
                FunctionBody::Algorithm(statements) => inner.statements(&place, statements),
                FunctionBody::External { arguments, .. } => arguments.iter().for_each(|e| inner.expr(e)),
            }
            check.found.append(&mut inner.found);
        }
        check.found
    }
}

/// Equal number of dimensions, equal where both are known.
fn agree(a: &Type, b: &Type) -> bool {
    a.dims.len() == b.dims.len() && a.dims.iter().zip(&b.dims).all(|(a, b)| a.is_none() || b.is_none() || a == b)
}

struct Check<'m> {
    model: &'m FlatModel,
    locals: &'m PrimaryMap<LocalId, Local>,
    in_function: bool,
    place: String,
    found: Vec<String>,
}

impl Check<'_> {
    fn say(&mut self, what: &str) {
        self.found.push(format!("{}: {what}", self.place));
    }

    /// Element types that may stand for each other: equal, or equal by their contents.
    fn same(&self, a: Scalar, b: Scalar) -> bool {
        match (a, b) {
            (Scalar::Enumeration(a), Scalar::Enumeration(b)) => a == b || self.model.enums[a].literals == self.model.enums[b].literals,
            (Scalar::Record(a), Scalar::Record(b)) => a == b || self.model.records[a].fields.len() == self.model.records[b].fields.len(),
            _ => a == b,
        }
    }

    fn fits(&mut self, has: &Type, needs: &Type) {
        if !self.same(has.scalar, needs.scalar) || !agree(has, needs) {
            self.say(&format!("has {has:?} where {needs:?} is needed"));
        }
    }

    fn equations(&mut self, place: &str, equations: &[Equation]) {
        for equation in equations {
            self.place = format!("{place} at {}", equation.span.start);
            match &equation.kind {
                EquationKind::Equal(left, right) => {
                    self.expr(left);
                    self.expr(right);
                    self.fits(&left.ty, &right.ty);
                }
                EquationKind::Tuple(targets, call) => self.tuple(targets, call),
                EquationKind::For(_, over, body) => {
                    self.expr(over);
                    self.equations(place, body);
                }
                EquationKind::If(branches, other) => {
                    for (condition, body) in branches {
                        self.expr(condition);
                        self.equations(place, body);
                    }
                    self.equations(place, other);
                }
                EquationKind::When(branches) => {
                    for (condition, body) in branches {
                        self.expr(condition);
                        self.equations(place, body);
                    }
                }
                EquationKind::Call(call) => self.expr(call),
            }
        }
    }

    fn tuple(&mut self, targets: &[Option<Expr>], call: &Expr) {
        targets.iter().flatten().for_each(|t| self.expr(t));
        self.expr(call);
        match &call.kind {
            ExprKind::Call(function, _) if targets.len() <= self.model.functions[*function].outputs.len() => {}
            ExprKind::Builtin(Builtin::SpatialDistribution, _) if targets.len() <= 2 => {}
            _ => self.say("has an output list without a function of as many outputs"),
        }
    }

    fn statements(&mut self, place: &str, statements: &[Statement]) {
        for statement in statements {
            self.place = format!("{place} at {}", statement.span.start);
            match &statement.kind {
                StatementKind::Assign(target, value) => {
                    self.expr(target);
                    self.expr(value);
                    self.fits(&value.ty, &target.ty);
                }
                StatementKind::Tuple(targets, call) => self.tuple(targets, call),
                StatementKind::If(branches, other) => {
                    for (condition, body) in branches {
                        self.expr(condition);
                        self.statements(place, body);
                    }
                    self.statements(place, other);
                }
                StatementKind::For(_, over, body) => {
                    self.expr(over);
                    self.statements(place, body);
                }
                StatementKind::While(condition, body) => {
                    self.expr(condition);
                    self.statements(place, body);
                }
                StatementKind::When(branches) => {
                    for (condition, body) in branches {
                        self.expr(condition);
                        self.statements(place, body);
                    }
                }
                StatementKind::Call(call) => self.expr(call),
                StatementKind::Break | StatementKind::Return => {}
            }
        }
    }

    fn all(&mut self, es: &[Expr]) {
        es.iter().for_each(|e| self.expr(e));
    }

    fn expr(&mut self, e: &Expr) {
        let is_range = matches!(e.kind, ExprKind::Range(..));
        if !self.in_function && !is_range && e.ty.dims.iter().any(Option::is_none) {
            self.say("has an expression of open size");
        }
        match &e.kind {
            ExprKind::Literal(_) | ExprKind::Time => {}
            ExprKind::Var(var) => {
                if !self.model.vars.is_valid(*var) {
                    self.say("names a variable that does not exist");
                } else if self.model.vars[*var].ty != e.ty {
                    self.say(&format!("has another type for {} than it is declared with", self.model.vars[*var].name));
                }
            }
            ExprKind::Local(local) => {
                if !self.locals.is_valid(*local) {
                    self.say("names a local that does not exist");
                }
            }
            ExprKind::Index(array, subscripts) => self.index(e, array, subscripts),
            ExprKind::Field(record, field) => {
                self.expr(record);
                match record.ty.scalar {
                    Scalar::Record(id) if *field < self.model.records[id].fields.len() => {}
                    _ => self.say("takes a field that does not exist"),
                }
            }
            ExprKind::Unary(_, a) => {
                self.expr(a);
                self.fits(&a.ty, &e.ty);
            }
            ExprKind::ToReal(a) => {
                self.expr(a);
                if a.ty.scalar != Scalar::Integer || e.ty.scalar != Scalar::Real {
                    self.say("converts something that is not an Integer");
                }
            }
            ExprKind::Binary(op, a, b) => {
                self.expr(a);
                self.expr(b);
                let matrix_power = *op == BinaryOp::Power && !a.ty.is_scalar();
                if !self.same(a.ty.scalar, b.ty.scalar) && !matrix_power {
                    self.say(&format!("has operands of {:?} with types {:?} and {:?}", op, a.ty.scalar, b.ty.scalar));
                }
                if matches!(op, BinaryOp::Add | BinaryOp::Subtract) && !agree(&a.ty, &b.ty) {
                    self.say("adds operands of different sizes");
                }
            }
            ExprKind::If(c, a, b) => {
                self.expr(c);
                self.expr(a);
                self.expr(b);
                self.fits(&c.ty, &Type::scalar(Scalar::Boolean));
                self.fits(&a.ty, &b.ty);
                self.fits(&a.ty, &e.ty);
            }
            ExprKind::Builtin(..) | ExprKind::Call(..) | ExprKind::NewObject(..) | ExprKind::Record(..) => self.call(e),
            ExprKind::Array(..) | ExprKind::Range(..) | ExprKind::Comprehension(..) => self.array(e),
        }
    }

    fn index(&mut self, e: &Expr, array: &Expr, subscripts: &[Subscript]) {
        self.expr(array);
        if subscripts.len() > array.ty.dims.len() {
            self.say("has more subscripts than dimensions");
        }
        let mut n_dims = array.ty.dims.len();
        for subscript in subscripts {
            match subscript {
                Subscript::Index(e) => {
                    n_dims = n_dims.saturating_sub(1);
                    self.expr(e);
                }
                Subscript::Slice(e) => self.expr(e),
                Subscript::All => {}
            }
        }
        if n_dims != e.ty.dims.len() {
            self.say("has subscripts that do not give its dimensions");
        }
    }

    /// Calls and constructors.
    fn call(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Builtin(builtin, es) => {
                self.all(es);
                if es.is_empty() && !matches!(builtin, Builtin::Initial | Builtin::Terminal) {
                    self.say(&format!("calls {builtin:?} without arguments"));
                }
            }
            ExprKind::Call(function, es) => {
                self.all(es);
                if !self.model.functions.is_valid(*function) {
                    self.say("calls a function that does not exist");
                    return;
                }
                let called = &self.model.functions[*function];
                if called.inputs.len() != es.len() {
                    self.say(&format!("calls {} with {} of {} arguments", called.name, es.len(), called.inputs.len()));
                    return;
                }
                for (input, e) in called.inputs.iter().zip(es) {
                    self.fits(&e.ty, &called.locals[*input].ty);
                }
            }
            ExprKind::NewObject(object, es) => {
                self.all(es);
                if self.model.functions[self.model.objects[*object].constructor].inputs.len() != es.len() {
                    self.say("constructs an object with the wrong number of arguments");
                }
            }
            ExprKind::Record(record, es) => {
                self.all(es);
                let fields = &self.model.records[*record].fields;
                if fields.len() != es.len() {
                    self.say("constructs a record with the wrong number of fields");
                    return;
                }
                for (field, e) in fields.iter().zip(es) {
                    self.fits(&e.ty, &field.ty);
                }
            }
            _ => {}
        }
    }

    /// Arrays and ranges.
    fn array(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Array(es) => {
                self.all(es);
                if e.ty.dims.first() != Some(&Some(es.len())) {
                    self.say("has an array whose size is not the number of its elements");
                }
                for element in es {
                    let ty = Type { scalar: e.ty.scalar, dims: e.ty.dims.get(1..).unwrap_or(&[]).to_vec() };
                    self.fits(&element.ty, &ty);
                }
            }
            ExprKind::Range(a, step, b) => {
                self.expr(a);
                self.expr(b);
                if let Some(step) = step {
                    self.expr(step);
                    self.fits(&step.ty, &a.ty);
                }
                self.fits(&a.ty, &b.ty);
            }
            ExprKind::Comprehension(body, iterators) => {
                self.expr(body);
                iterators.iter().for_each(|(_, over)| self.expr(over));
                if e.ty.dims.len() != iterators.len() + body.ty.dims.len() {
                    self.say("has a comprehension of the wrong number of dimensions");
                }
            }
            _ => {}
        }
    }
}
