//! Prints the flat model as stable text, close to Modelica: `dump --pass flat`.
//!
//! One line per variable and equation, in the order of the tables. Names are the full unquoted names; loop variables and
//! locals of functions print as their names. Literals print so that they read back to the same number; `/*Real*/` marks
//! an implicit conversion. Known values of parameters follow the binding as `/* value */` when the binding is no literal.

use super::{
    BinaryOp, Builtin, Equation, EquationKind, Experiment, Expr, ExprKind, FlatModel, Function, FunctionBody, Local, LocalId, Scalar,
    StateSelect, Statement, StatementKind, Subscript, Type, UnaryOp, Value, Variability, Variable,
};
use cranelift_entity::PrimaryMap;
use std::fmt::{self, Display, Formatter, Write};

/// Prints things that refer to the tables of a model.
struct Printer<'m> {
    model: &'m FlatModel,
    locals: &'m PrimaryMap<LocalId, Local>,
}

impl Display for FlatModel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        Printer { model: self, locals: &self.loop_vars }.model(&mut out)?;
        f.write_str(&out)
    }
}

/// Reals read back exactly and never look like Integers.
fn real(x: f64) -> String {
    let text = format!("{x:?}");
    if text.contains(['.', 'e', 'n', 'i']) { text } else { format!("{text}.0") }
}

/// Binding strength, larger binds closer.
fn strength(e: &Expr) -> u8 {
    match &e.kind {
        ExprKind::If(..) | ExprKind::Range(..) => 0,
        ExprKind::Binary(op, ..) => match op {
            BinaryOp::Or => 1,
            BinaryOp::And => 2,
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual | BinaryOp::Equal | BinaryOp::NotEqual => 4,
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::ElementAdd | BinaryOp::ElementSubtract => 5,
            BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::ElementMultiply | BinaryOp::ElementDivide => 6,
            BinaryOp::Power | BinaryOp::ElementPower => 7,
        },
        ExprKind::Unary(UnaryOp::Not, _) => 3,
        ExprKind::Unary(UnaryOp::Minus, _) => 5,
        ExprKind::Literal(Value::Real(x)) if x.is_sign_negative() => 5,
        ExprKind::Literal(Value::Integer(i)) if *i < 0 => 5,
        _ => 9,
    }
}

fn builtin_name(builtin: Builtin) -> String {
    match builtin {
        Builtin::IntegerFloor => "integer".to_owned(),
        Builtin::IntegerOfEnum => "Integer".to_owned(),
        Builtin::String => "String".to_owned(),
        Builtin::MinArray => "min".to_owned(),
        Builtin::MaxArray => "max".to_owned(),
        Builtin::NoEvent => "noEvent".to_owned(),
        Builtin::SemiLinear => "semiLinear".to_owned(),
        Builtin::SpatialDistribution => "spatialDistribution".to_owned(),
        Builtin::OuterProduct => "outerProduct".to_owned(),
        other => format!("{other:?}").to_lowercase(),
    }
}

impl Printer<'_> {
    fn model(&self, out: &mut String) -> fmt::Result {
        let model = self.model;
        writeln!(out, "model {}{}", model.name, description(&model.description))?;
        self.experiment(&model.experiment, out)?;
        for (_, ty) in &model.enums {
            writeln!(out, "  type {} = enumeration({})", if ty.name.is_empty() { "_" } else { &ty.name }, ty.literals.join(", "))?;
        }
        for (_, record) in &model.records {
            writeln!(out, "  record {}", record.name)?;
            for field in &record.fields {
                write!(out, "    {} {}", self.ty(&field.ty), field.name)?;
                if let Some(default) = &field.default {
                    write!(out, " = {}", self.text(default))?;
                }
                out.push('\n');
            }
        }
        for (_, object) in &model.objects {
            writeln!(out, "  object {} by {}", object.name, model.functions[object.constructor].name)?;
        }
        for (_, function) in &model.functions {
            Printer { model, locals: &function.locals }.function(function, out)?;
        }
        for (_, variable) in &model.vars {
            self.variable(variable, out)?;
        }
        self.section("initial equation", &model.initial_equations, out)?;
        self.section("equation", &model.equations, out)?;
        for (word, algorithms) in [("initial algorithm", &model.initial_algorithms), ("algorithm", &model.algorithms)] {
            for algorithm in algorithms {
                writeln!(out, "{word}")?;
                self.statements(&algorithm.statements, 1, out)?;
            }
        }
        writeln!(out, "end {}", model.name)
    }

    fn experiment(&self, experiment: &Experiment, out: &mut String) -> fmt::Result {
        let settings = [
            ("StartTime", experiment.start_time),
            ("StopTime", experiment.stop_time),
            ("Tolerance", experiment.tolerance),
            ("Interval", experiment.interval),
            ("NumberOfIntervals", experiment.number_of_intervals),
        ];
        let settings: Vec<String> = settings.iter().filter_map(|(n, v)| v.map(|v| format!("{n} = {}", real(v)))).collect();
        if settings.is_empty() { Ok(()) } else { writeln!(out, "  experiment({})", settings.join(", ")) }
    }

    fn ty(&self, ty: &Type) -> String {
        let mut text = match ty.scalar {
            Scalar::Real => "Real".to_owned(),
            Scalar::Integer => "Integer".to_owned(),
            Scalar::Boolean => "Boolean".to_owned(),
            Scalar::String => "String".to_owned(),
            Scalar::Enumeration(id) => {
                let e = &self.model.enums[id];
                if e.name.is_empty() { format!("enumeration({})", e.literals.join(", ")) } else { e.name.clone() }
            }
            Scalar::Record(id) => self.model.records[id].name.clone(),
            Scalar::Object(id) => self.model.objects[id].name.clone(),
        };
        if !ty.dims.is_empty() {
            let dims: Vec<String> = ty.dims.iter().map(|d| d.map_or_else(|| ":".to_owned(), |d| d.to_string())).collect();
            let _ = write!(text, "[{}]", dims.join(", "));
        }
        text
    }

    fn function(&self, function: &Function, out: &mut String) -> fmt::Result {
        writeln!(out, "  {}function {}", if function.impure { "impure " } else { "" }, function.name)?;
        let groups = [("input ", &function.inputs), ("output ", &function.outputs), ("", &function.protected)];
        for (word, locals) in groups {
            for id in locals {
                let local = &function.locals[*id];
                write!(out, "    {word}{}", self.ty(&Type::scalar(local.ty.scalar)))?;
                if !local.ty.dims.is_empty() {
                    let dims: Vec<String> = local
                        .ty
                        .dims
                        .iter()
                        .enumerate()
                        .map(|(i, d)| match (d, local.dim_exprs.get(i).and_then(Option::as_ref)) {
                            (Some(d), _) => d.to_string(),
                            (None, Some(e)) => self.text(e),
                            (None, None) => ":".to_owned(),
                        })
                        .collect();
                    write!(out, "[{}]", dims.join(", "))?;
                }
                write!(out, " {}", local.name)?;
                if let Some(binding) = &local.binding {
                    write!(out, " = {}", self.text(binding))?;
                }
                out.push('\n');
            }
        }
        match &function.body {
            FunctionBody::Algorithm(statements) => {
                writeln!(out, "  algorithm")?;
                self.statements(statements, 2, out)?;
            }
            FunctionBody::External { language, function: name, output, arguments } => {
                let output = output.map_or(String::new(), |o| format!("{} = ", function.locals[o].name));
                writeln!(out, "  external \"{language}\" {output}{name}({})", self.list(arguments))?;
            }
        }
        let mut notes = Vec::new();
        for derivative in &function.derivatives {
            let without: Vec<String> =
                derivative.without.iter().map(|l| format!(", noDerivative = {}", function.locals[*l].name)).collect();
            notes.push(format!(
                "derivative(order = {}{}) = {}",
                derivative.order,
                without.concat(),
                self.model.functions[derivative.function].name
            ));
        }
        notes.extend(function.smooth_order.map(|n| format!("smoothOrder = {n}")));
        notes.extend(function.inline.map(|b| format!("Inline = {b}")));
        if function.generate_events {
            notes.push("GenerateEvents = true".to_owned());
        }
        if !notes.is_empty() {
            writeln!(out, "    annotation({})", notes.join(", "))?;
        }
        writeln!(out, "  end {}", function.name)
    }

    fn variable(&self, variable: &Variable, out: &mut String) -> fmt::Result {
        out.push_str("  ");
        if variable.protected {
            out.push_str("protected ");
        }
        if variable.final_ {
            out.push_str("final ");
        }
        let discrete_type = !matches!(variable.ty.scalar, Scalar::Real | Scalar::Record(_));
        out.push_str(match variable.variability {
            Variability::Constant => "constant ",
            Variability::Parameter => "parameter ",
            Variability::Discrete if !discrete_type => "discrete ",
            _ => "",
        });
        out.push_str(match variable.causality {
            super::Causality::Local => "",
            super::Causality::Input => "input ",
            super::Causality::Output => "output ",
        });
        write!(out, "{} {}", self.ty(&variable.ty), variable.name)?;
        let a = &variable.attributes;
        let mut attributes = Vec::new();
        for (name, value) in [("quantity", &a.quantity), ("unit", &a.unit), ("displayUnit", &a.display_unit)] {
            attributes.extend(value.as_ref().map(|v| format!("{name} = {v:?}")));
        }
        for (name, value) in [("min", &a.min), ("max", &a.max), ("start", &a.start), ("fixed", &a.fixed), ("nominal", &a.nominal)] {
            attributes.extend(value.as_ref().map(|v| format!("{name} = {}", self.text(v))));
        }
        if a.state_select != StateSelect::Default {
            attributes.push(format!("stateSelect = StateSelect.{}", format!("{:?}", a.state_select).to_lowercase()));
        }
        if !attributes.is_empty() {
            write!(out, "({})", attributes.join(", "))?;
        }
        let mut literal = false;
        if let Some(binding) = &variable.binding {
            literal = matches!(binding.kind, ExprKind::Literal(_));
            write!(out, " = {}", self.text(binding))?;
        }
        if let (Some(value), false) = (&variable.value, literal) {
            write!(out, " /* {} */", self.value(value))?;
        }
        out.push_str(&description(&variable.description));
        if variable.evaluate {
            out.push_str(" annotation(Evaluate = true)");
        }
        out.push('\n');
        Ok(())
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Real(x) => real(*x),
            Value::Integer(i) => i.to_string(),
            Value::Boolean(b) => b.to_string(),
            Value::String(s) => format!("{s:?}"),
            Value::Enumeration(id, literal) => {
                let e = &self.model.enums[*id];
                let name = e.literals.get((*literal as usize).wrapping_sub(1)).map_or("?", String::as_str);
                if e.name.is_empty() { name.to_owned() } else { format!("{}.{name}", e.name) }
            }
            Value::Array(dims, elements) => self.nested(dims, elements),
            Value::Record(id, fields) => {
                let fields: Vec<String> = fields.iter().map(|f| self.value(f)).collect();
                format!("{}({})", self.model.records[*id].name, fields.join(", "))
            }
        }
    }

    fn nested(&self, dims: &[usize], elements: &[Value]) -> String {
        if dims.len() <= 1 {
            let parts: Vec<String> = elements.iter().map(|e| self.value(e)).collect();
            return format!("{{{}}}", parts.join(", "));
        }
        let chunk: usize = dims[1..].iter().product();
        let rows: Vec<String> =
            (0..dims[0]).map(|i| self.nested(&dims[1..], elements.get(i * chunk..(i + 1) * chunk).unwrap_or(&[]))).collect();
        format!("{{{}}}", rows.join(", "))
    }

    fn text(&self, e: &Expr) -> String {
        let mut out = String::new();
        self.expr(e, &mut out);
        out
    }

    fn list(&self, es: &[Expr]) -> String {
        es.iter().map(|e| self.text(e)).collect::<Vec<_>>().join(", ")
    }

    fn operand(&self, e: &Expr, least: u8, out: &mut String) {
        if strength(e) < least {
            out.push('(');
            self.expr(e, out);
            out.push(')');
        } else {
            self.expr(e, out);
        }
    }

    fn expr(&self, e: &Expr, out: &mut String) {
        match &e.kind {
            ExprKind::Literal(value) => out.push_str(&self.value(value)),
            ExprKind::Time => out.push_str("time"),
            ExprKind::Var(var) => out.push_str(&self.model.vars[*var].name),
            ExprKind::Local(local) => out.push_str(&self.locals[*local].name),
            ExprKind::Index(array, subscripts) => self.index(array, subscripts, out),
            ExprKind::Field(record, field) => {
                self.operand(record, 9, out);
                let name = match record.ty.scalar {
                    Scalar::Record(id) => self.model.records[id].fields.get(*field).map(|f| f.name.clone()),
                    _ => None,
                };
                let _ = write!(out, ".{}", name.unwrap_or_else(|| field.to_string()));
            }
            ExprKind::Unary(UnaryOp::Minus, a) => {
                out.push('-');
                self.operand(a, 6, out);
            }
            ExprKind::Unary(UnaryOp::Not, a) => {
                out.push_str("not ");
                self.operand(a, 4, out);
            }
            ExprKind::Binary(op, a, b) => self.binary(strength(e), *op, [a, b], out),
            ExprKind::If(c, a, b) => {
                out.push_str("if ");
                self.expr(c, out);
                out.push_str(" then ");
                self.expr(a, out);
                out.push_str(" else ");
                self.expr(b, out);
            }
            ExprKind::Builtin(builtin, es) => {
                let _ = write!(out, "{}({})", builtin_name(*builtin), self.list(es));
            }
            ExprKind::Call(function, es) => {
                let _ = write!(out, "{}({})", self.model.functions[*function].name, self.list(es));
            }
            ExprKind::NewObject(object, es) => {
                let _ = write!(out, "{}({})", self.model.objects[*object].name, self.list(es));
            }
            ExprKind::Record(record, es) => {
                let _ = write!(out, "{}({})", self.model.records[*record].name, self.list(es));
            }
            ExprKind::Array(es) => {
                let _ = write!(out, "{{{}}}", self.list(es));
            }
            ExprKind::Range(a, step, b) => {
                self.operand(a, 1, out);
                if let Some(step) = step {
                    out.push(':');
                    self.operand(step, 1, out);
                }
                out.push(':');
                self.operand(b, 1, out);
            }
            ExprKind::Comprehension(body, iterators) => {
                out.push('{');
                self.expr(body, out);
                // Modelica writes the outermost dimension last.
                let iterators: Vec<String> =
                    iterators.iter().rev().map(|(l, over)| format!("{} in {}", self.locals[*l].name, self.text(over))).collect();
                let _ = write!(out, " for {}}}", iterators.join(", "));
            }
            ExprKind::ToReal(a) => {
                out.push_str("/*Real*/(");
                self.expr(a, out);
                out.push(')');
            }
        }
    }

    fn index(&self, array: &Expr, subscripts: &[Subscript], out: &mut String) {
        self.operand(array, 9, out);
        let subscripts: Vec<String> = subscripts
            .iter()
            .map(|s| match s {
                Subscript::Index(e) | Subscript::Slice(e) => self.text(e),
                Subscript::All => ":".to_owned(),
            })
            .collect();
        let _ = write!(out, "[{}]", subscripts.join(", "));
    }

    fn binary(&self, own: u8, op: BinaryOp, [a, b]: [&Expr; 2], out: &mut String) {
        let power = matches!(op, BinaryOp::Power | BinaryOp::ElementPower);
        let left = match own {
            4 => 5,
            _ if power => 8,
            own => own,
        };
        self.operand(a, left, out);
        let _ = write!(out, " {} ", op.symbol());
        self.operand(b, own + 1, out);
    }

    fn section(&self, word: &str, equations: &[Equation], out: &mut String) -> fmt::Result {
        if equations.is_empty() {
            return Ok(());
        }
        writeln!(out, "{word}")?;
        self.equations(equations, 1, out)
    }

    fn targets(&self, targets: &[Option<Expr>]) -> String {
        targets.iter().map(|t| t.as_ref().map_or(String::new(), |t| self.text(t))).collect::<Vec<_>>().join(", ")
    }

    fn equations(&self, equations: &[Equation], depth: usize, out: &mut String) -> fmt::Result {
        let indent = "  ".repeat(depth);
        for equation in equations {
            match &equation.kind {
                EquationKind::Equal(left, right) => writeln!(out, "{indent}{} = {}", self.text(left), self.text(right))?,
                EquationKind::Tuple(targets, call) => writeln!(out, "{indent}({}) = {}", self.targets(targets), self.text(call))?,
                EquationKind::For(local, over, body) => {
                    writeln!(out, "{indent}for {} in {} loop", self.locals[*local].name, self.text(over))?;
                    self.equations(body, depth + 1, out)?;
                    writeln!(out, "{indent}end for")?;
                }
                EquationKind::If(branches, other) => {
                    for (i, (condition, body)) in branches.iter().enumerate() {
                        writeln!(out, "{indent}{} {} then", if i == 0 { "if" } else { "elseif" }, self.text(condition))?;
                        self.equations(body, depth + 1, out)?;
                    }
                    if !other.is_empty() {
                        writeln!(out, "{indent}else")?;
                        self.equations(other, depth + 1, out)?;
                    }
                    writeln!(out, "{indent}end if")?;
                }
                EquationKind::When(branches) => {
                    for (i, (condition, body)) in branches.iter().enumerate() {
                        writeln!(out, "{indent}{} {} then", if i == 0 { "when" } else { "elsewhen" }, self.text(condition))?;
                        self.equations(body, depth + 1, out)?;
                    }
                    writeln!(out, "{indent}end when")?;
                }
                EquationKind::Call(call) => writeln!(out, "{indent}{}", self.text(call))?,
            }
        }
        Ok(())
    }

    fn statements(&self, statements: &[Statement], depth: usize, out: &mut String) -> fmt::Result {
        let indent = "  ".repeat(depth);
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign(target, value) => writeln!(out, "{indent}{} := {}", self.text(target), self.text(value))?,
                StatementKind::Tuple(targets, call) => writeln!(out, "{indent}({}) := {}", self.targets(targets), self.text(call))?,
                StatementKind::If(branches, other) => {
                    for (i, (condition, body)) in branches.iter().enumerate() {
                        writeln!(out, "{indent}{} {} then", if i == 0 { "if" } else { "elseif" }, self.text(condition))?;
                        self.statements(body, depth + 1, out)?;
                    }
                    if !other.is_empty() {
                        writeln!(out, "{indent}else")?;
                        self.statements(other, depth + 1, out)?;
                    }
                    writeln!(out, "{indent}end if")?;
                }
                StatementKind::For(local, over, body) => {
                    writeln!(out, "{indent}for {} in {} loop", self.locals[*local].name, self.text(over))?;
                    self.statements(body, depth + 1, out)?;
                    writeln!(out, "{indent}end for")?;
                }
                StatementKind::While(condition, body) => {
                    writeln!(out, "{indent}while {} loop", self.text(condition))?;
                    self.statements(body, depth + 1, out)?;
                    writeln!(out, "{indent}end while")?;
                }
                StatementKind::When(branches) => {
                    for (i, (condition, body)) in branches.iter().enumerate() {
                        writeln!(out, "{indent}{} {} then", if i == 0 { "when" } else { "elsewhen" }, self.text(condition))?;
                        self.statements(body, depth + 1, out)?;
                    }
                    writeln!(out, "{indent}end when")?;
                }
                StatementKind::Call(call) => writeln!(out, "{indent}{}", self.text(call))?,
                StatementKind::Break => writeln!(out, "{indent}break")?,
                StatementKind::Return => writeln!(out, "{indent}return")?,
            }
        }
        Ok(())
    }
}

fn description(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" {text:?}") }
}
