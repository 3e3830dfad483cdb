//! Prints a syntax tree as Modelica text.
//!
//! Input: any tree. Output: text that parses to the same tree again, spans aside (`strip_spans` takes them away).
//! Layout: one item a line, two blanks of indentation; comments of the source are not in the tree and are lost.
//! Parentheses come from the tree (`Parenthesised`); where a tree that was not parsed needs more of them, they are added.
//! Numbers print with the fewest digits that give the same value back.

use crate::ast::*;
use std::fmt::Write;

/// The text of a whole file.
pub fn print(definition: &Definition) -> String {
    let mut printer = Printer { out: String::new(), indent: 0 };
    if definition.dialect == Dialect::Base {
        printer.out.push_str("//! base 0.1.0\n");
    }
    if let Some(within) = &definition.within {
        printer.line(|p| p.fmt(format_args!("within {within};")));
    }
    for class in &definition.classes {
        printer.line(|p| {
            p.class(class);
            p.text(";");
        });
    }
    printer.out
}

/// The text of one expression.
pub fn print_expression(expression: &Expr) -> String {
    let mut printer = Printer { out: String::new(), indent: 0 };
    printer.expression(expression, LOOSEST);
    printer.out
}

/// The text of one statement, without the semicolon.
pub fn print_statement(statement: &Statement) -> String {
    let mut printer = Printer { out: String::new(), indent: 0 };
    printer.statement(statement);
    printer.out
}

struct Printer {
    out: String,
    indent: usize,
}

/// How tightly an expression binds; a child that binds looser than its place demands gets parentheses.
type Level = u8;
const LOOSEST: Level = 0; // `if`
const RANGE: Level = 1;
const RANGE_PART: Level = 2;
const RELATION_PART: Level = 6;
const FACTOR: Level = 8;
const PRIMARY: Level = 9;

fn level(expression: &Expr) -> Level {
    match &expression.kind {
        ExprKind::If { .. } => LOOSEST,
        ExprKind::Range { .. } => RANGE,
        ExprKind::Chain(_, rest) => rest.first().map_or(PRIMARY, |(op, _)| binary_level(*op)),
        ExprKind::Binary(op, ..) => binary_level(*op),
        ExprKind::Unary(UnaryOp::Not, _) => 4,
        ExprKind::Unary(..) => RELATION_PART,
        _ => PRIMARY,
    }
}

fn binary_level(op: BinaryOp) -> Level {
    match op {
        BinaryOp::Or => 2,
        BinaryOp::And => 3,
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual | BinaryOp::Equal | BinaryOp::NotEqual => 5,
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::ElementAdd | BinaryOp::ElementSubtract => RELATION_PART,
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::ElementMultiply | BinaryOp::ElementDivide => 7,
        BinaryOp::Power | BinaryOp::ElementPower => FACTOR,
    }
}

/// The operator as written.
fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Or => "or",
        BinaryOp::And => "and",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "<>",
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::ElementAdd => ".+",
        BinaryOp::ElementSubtract => ".-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::ElementMultiply => ".*",
        BinaryOp::ElementDivide => "./",
        BinaryOp::Power => "^",
        BinaryOp::ElementPower => ".^",
    }
}

impl Printer {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn fmt(&mut self, arguments: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = self.out.write_fmt(arguments);
    }

    /// One indented line.
    fn line(&mut self, content: impl FnOnce(&mut Printer)) {
        for _ in 0..self.indent {
            self.text("  ");
        }
        content(self);
        self.text("\n");
    }

    /// What `content` prints stands two blanks further in.
    fn indented(&mut self, content: impl FnOnce(&mut Printer)) {
        self.indent += 1;
        content(self);
        self.indent -= 1;
    }

    fn list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Printer, &T)) {
        for (i, x) in items.iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            item(self, x);
        }
    }

    fn words(&mut self, words: &[(bool, &str)]) {
        for (_, word) in words.iter().filter(|(written, _)| *written) {
            self.text(word);
            self.text(" ");
        }
    }

    // ---- classes ----

    fn class(&mut self, class: &Class) {
        let p = class.prefixes;
        self.words(&[
            (p.redeclare, "redeclare"),
            (p.final_, "final"),
            (p.inner, "inner"),
            (p.outer, "outer"),
            (p.replaceable, "replaceable"),
            (p.encapsulated, "encapsulated"),
            (p.partial, "partial"),
            (p.pure_, "pure"),
            (p.impure, "impure"),
        ]);
        self.text(class.kind.word());
        match &class.body {
            ClassBody::Long(body) => self.long_class(class, body),
            ClassBody::Short { causality, base, modification, annotation } => {
                self.fmt(format_args!(" {} = ", class.name));
                self.words(&[(*causality == Causality::Input, "input"), (*causality == Causality::Output, "output")]);
                self.type_spec(base);
                self.modification(modification);
                self.comment(class.description.as_ref(), annotation.as_ref());
            }
            ClassBody::Enumeration { literals, annotation } => {
                self.fmt(format_args!(" {} = ", class.name));
                match literals {
                    Some(literals) => self.enumeration(literals),
                    None => self.text("enumeration(:)"),
                }
                self.comment(class.description.as_ref(), annotation.as_ref());
            }
            ClassBody::PartialDerivative { function, variables, annotation } => {
                self.fmt(format_args!(" {} = der({function}", class.name));
                for variable in variables {
                    self.fmt(format_args!(", {}", variable.text));
                }
                self.text(")");
                self.comment(class.description.as_ref(), annotation.as_ref());
            }
        }
        self.constraint(class.constraint.as_deref());
    }

    fn long_class(&mut self, class: &Class, body: &LongBody) {
        self.fmt(format_args!("{} {}", if body.extends_modification.is_some() { " extends" } else { "" }, class.name));
        self.modification(body.extends_modification.as_deref().unwrap_or_default());
        self.comment(class.description.as_ref(), None);
        self.text("\n");
        for section in &body.sections {
            self.section(section);
        }
        if let Some(external) = &body.external {
            self.line(|p| p.external(external));
        }
        self.indented(|p| {
            for annotation in &body.annotations {
                p.line(|p| {
                    p.annotation(annotation);
                    p.text(";");
                });
            }
        });
        for _ in 0..self.indent {
            self.text("  ");
        }
        self.fmt(format_args!("end {}", body.end_name.as_ref().unwrap_or(&class.name)));
    }

    fn section(&mut self, section: &Section) {
        match section {
            Section::Elements { visibility, elements } => {
                match visibility {
                    Visibility::Default => {}
                    Visibility::Public => self.line(|p| p.text("public")),
                    Visibility::Protected => self.line(|p| p.text("protected")),
                }
                self.indented(|p| {
                    for element in elements {
                        p.line(|p| {
                            p.element(element);
                            p.text(";");
                        });
                    }
                });
            }
            Section::Equations { initial, equations } => {
                self.line(|p| p.text(if *initial { "initial equation" } else { "equation" }));
                self.equations(equations);
            }
            Section::Algorithm { initial, statements, .. } => {
                self.line(|p| p.text(if *initial { "initial algorithm" } else { "algorithm" }));
                self.statements(statements);
            }
            Section::ParameterEquation(equation) => self.indented(|p| {
                p.line(|p| {
                    p.text("parameter equation ");
                    p.equation(equation);
                    p.text(";");
                });
            }),
        }
    }

    fn external(&mut self, external: &External) {
        self.text("external");
        if let Some(language) = &external.language {
            self.text(" ");
            self.string(language);
        }
        if let Some(function) = &external.function {
            if let Some(output) = &external.output {
                self.text(" ");
                self.reference(output);
                self.text(" =");
            }
            self.fmt(format_args!(" {}(", function.text));
            self.list(&external.arguments, |p, x| p.expression(x, LOOSEST));
            self.text(")");
        }
        self.comment(None, external.annotation.as_ref());
        self.text(";");
    }

    fn element(&mut self, element: &Element) {
        match element {
            Element::Import(import) => self.import(import),
            Element::Extends { name, modification, annotation, .. } => {
                self.fmt(format_args!("extends {name}"));
                self.modification(modification);
                self.comment(None, annotation.as_ref());
            }
            Element::Class(class) => self.class(class),
            Element::Components(clause) => self.components(clause),
        }
    }

    fn import(&mut self, import: &Import) {
        self.text("import ");
        if let Some(alias) = &import.alias {
            self.fmt(format_args!("{} = ", alias.text));
        }
        self.fmt(format_args!("{}", import.name));
        match &import.tail {
            ImportTail::None => {}
            ImportTail::All => self.text(".*"),
            ImportTail::List(names) => {
                self.text(".{");
                self.list(names, |p, name| p.text(&name.text));
                self.text("}");
            }
        }
        self.comment(import.description.as_ref(), import.annotation.as_ref());
    }

    fn constraint(&mut self, constraint: Option<&Constraint>) {
        if let Some(constraint) = constraint {
            self.fmt(format_args!(" constrainedby {}", constraint.name));
            self.modification(&constraint.modification);
            self.comment(constraint.description.as_ref(), constraint.annotation.as_ref());
        }
    }

    // ---- components ----

    fn components(&mut self, clause: &ComponentClause) {
        let p = clause.prefixes;
        self.words(&[
            (p.protected, "protected"),
            (p.public, "public"),
            (p.redeclare, "redeclare"),
            (p.final_, "final"),
            (p.inner, "inner"),
            (p.outer, "outer"),
            (p.replaceable, "replaceable"),
            (p.flow, "flow"),
            (p.stream, "stream"),
            (p.variability == Variability::Constant, "constant"),
            (p.variability == Variability::Parameter, "parameter"),
            (p.variability == Variability::Discrete, "discrete"),
            (p.causality == Causality::Input, "input"),
            (p.causality == Causality::Output, "output"),
        ]);
        self.type_spec(&clause.type_spec);
        self.text(" ");
        self.list(&clause.components, Printer::component);
        self.constraint(clause.constraint.as_deref());
    }

    fn type_spec(&mut self, type_spec: &TypeSpec) {
        match &type_spec.kind {
            TypeKind::Named(name) => self.fmt(format_args!("{name}")),
            TypeKind::Enumeration(literals) => self.enumeration(literals),
        }
        self.subscripts(&type_spec.dims);
    }

    fn enumeration(&mut self, literals: &[EnumLiteral]) {
        self.text("enumeration(");
        self.list(literals, |p, literal| {
            p.text(&literal.name.text);
            p.comment(literal.description.as_ref(), literal.annotation.as_ref());
        });
        self.text(")");
    }

    fn component(&mut self, component: &Component) {
        self.reference(&component.name);
        self.subscripts(&component.dims);
        self.modification(&component.modification);
        if let Some(binding) = &component.binding {
            self.text(" = ");
            self.expression(binding, LOOSEST);
        }
        if let Some(condition) = &component.condition {
            self.text(" if ");
            self.expression(condition, LOOSEST);
        }
        self.comment(component.description.as_ref(), component.annotation.as_ref());
    }

    // ---- modifications ----

    fn modification(&mut self, arguments: &[Argument]) {
        if !arguments.is_empty() {
            self.arguments(arguments);
        }
    }

    fn arguments(&mut self, arguments: &[Argument]) {
        self.text("(");
        self.list(arguments, Printer::argument);
        self.text(")");
    }

    fn argument(&mut self, argument: &Argument) {
        match argument {
            Argument::Modification { each, final_, name, arguments, value, description, .. } => {
                self.words(&[(*each, "each"), (*final_, "final")]);
                self.fmt(format_args!("{name}"));
                if let Some(arguments) = arguments {
                    self.arguments(arguments);
                }
                if let Some(value) = value {
                    self.text(" = ");
                    self.expression(value, LOOSEST);
                }
                self.comment(description.as_ref(), None);
            }
            Argument::Redeclaration { element, each, .. } => {
                self.words(&[(*each, "each")]);
                self.element(element);
            }
            Argument::Break { text, .. } => self.fmt(format_args!("break {text}")),
        }
    }

    fn comment(&mut self, description: Option<&StringComment>, annotation: Option<&Annotation>) {
        if let Some(description) = description {
            for (i, part) in description.parts.iter().enumerate() {
                self.text(if i == 0 { " " } else { " + " });
                self.string(part);
            }
        }
        if let Some(annotation) = annotation {
            self.text(" ");
            self.annotation(annotation);
        }
    }

    fn annotation(&mut self, annotation: &Annotation) {
        self.text("annotation");
        self.arguments(&annotation.arguments);
    }

    // ---- equations and statements ----

    fn equations(&mut self, equations: &[Equation]) {
        self.indented(|p| {
            for equation in equations {
                p.line(|p| {
                    p.equation(equation);
                    p.text(";");
                });
            }
        });
    }

    fn equation(&mut self, equation: &Equation) {
        match &equation.kind {
            EquationKind::Equal(left, right) => {
                self.expression(left, RANGE);
                self.text(" = ");
                self.expression(right, LOOSEST);
            }
            EquationKind::If { branches, otherwise } => self.branches("if", "elseif", branches, otherwise.as_deref(), Printer::equations),
            EquationKind::When { branches } => self.branches("when", "elsewhen", branches, None, Printer::equations),
            EquationKind::For { iterators, body } => self.for_loop(iterators, body, Printer::equations),
            EquationKind::Connect(a, b) => {
                self.text("connect(");
                self.reference(a);
                self.text(", ");
                self.reference(b);
                self.text(")");
            }
            EquationKind::Call(call) => self.expression(call, PRIMARY),
        }
        self.comment(equation.description.as_ref(), equation.annotation.as_ref());
    }

    fn statements(&mut self, statements: &[Statement]) {
        self.indented(|p| {
            for statement in statements {
                p.line(|p| {
                    p.statement(statement);
                    p.text(";");
                });
            }
        });
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                self.reference(target);
                self.text(" := ");
                self.expression(value, LOOSEST);
            }
            StatementKind::AssignTuple(targets, value) => {
                self.entries(targets);
                self.text(" := ");
                self.expression(value, LOOSEST);
            }
            StatementKind::Call(call) => self.expression(call, PRIMARY),
            StatementKind::If { branches, otherwise } => self.branches("if", "elseif", branches, otherwise.as_deref(), Printer::statements),
            StatementKind::When { branches } => self.branches("when", "elsewhen", branches, None, Printer::statements),
            StatementKind::For { iterators, body } => self.for_loop(iterators, body, Printer::statements),
            StatementKind::While { condition, body } => {
                self.text("while ");
                self.expression(condition, LOOSEST);
                self.text(" loop\n");
                self.statements(body);
                self.closing("while");
            }
            StatementKind::Break => self.text("break"),
            StatementKind::Return => self.text("return"),
        }
        self.comment(statement.description.as_ref(), statement.annotation.as_ref());
    }

    fn branches<T>(
        &mut self,
        first: &str,
        next: &str,
        branches: &[(Expr, Vec<T>)],
        otherwise: Option<&[T]>,
        body: impl Fn(&mut Printer, &[T]),
    ) {
        for (i, (condition, items)) in branches.iter().enumerate() {
            if i > 0 {
                self.margin();
            }
            self.text(if i == 0 { first } else { next });
            self.text(" ");
            self.expression(condition, LOOSEST);
            self.text(" then\n");
            body(self, items);
        }
        if let Some(items) = otherwise {
            self.margin();
            self.text("else\n");
            body(self, items);
        }
        self.closing(first);
    }

    fn for_loop<T>(&mut self, iterators: &[Iterator], items: &[T], body: impl Fn(&mut Printer, &[T])) {
        self.text("for ");
        self.iterators(iterators);
        self.text(" loop\n");
        body(self, items);
        self.closing("for");
    }

    fn margin(&mut self) {
        for _ in 0..self.indent {
            self.text("  ");
        }
    }

    fn closing(&mut self, word: &str) {
        self.margin();
        self.text("end ");
        self.text(word);
    }

    fn iterators(&mut self, iterators: &[Iterator]) {
        self.list(iterators, |p, iterator| {
            p.text(&iterator.name.text);
            if let Some(range) = &iterator.range {
                p.text(" in ");
                p.expression(range, LOOSEST);
            }
        });
    }

    // ---- expressions ----

    fn reference(&mut self, reference: &ComponentRef) {
        for (i, part) in reference.parts.iter().enumerate() {
            self.text(if i > 0 || reference.global { "." } else { "" });
            self.text(&part.name.text);
            self.subscripts(&part.subscripts);
        }
    }

    fn subscripts(&mut self, subscripts: &[Subscript]) {
        if subscripts.is_empty() {
            return;
        }
        self.text("[");
        self.list(subscripts, |p, subscript| match subscript {
            Subscript::All(_) => p.text(":"),
            Subscript::Index(index) => p.expression(index, LOOSEST),
        });
        self.text("]");
    }

    /// Prints in a place that demands at least this level.
    fn expression(&mut self, expression: &Expr, at_least: Level) {
        let parentheses = level(expression) < at_least;
        if parentheses {
            self.text("(");
        }
        match &expression.kind {
            ExprKind::Integer(value) => self.fmt(format_args!("{value}")),
            // Debug prints the shortest text that reads back as the same Real, with a point or an exponent.
            ExprKind::Real(value) => self.fmt(format_args!("{value:?}")),
            ExprKind::String(value) => self.string(value),
            ExprKind::Boolean(value) => self.text(if *value { "true" } else { "false" }),
            ExprKind::End => self.text("end"),
            ExprKind::Break => self.text("break"),
            ExprKind::Ref(reference) => self.reference(reference),
            ExprKind::Call { function, arguments } => self.call(function, arguments),
            ExprKind::Unary(op, operand) => {
                self.text(match op {
                    UnaryOp::Minus => "-",
                    UnaryOp::Plus => "+",
                    UnaryOp::ElementMinus => ".-",
                    UnaryOp::ElementPlus => ".+",
                    UnaryOp::Not => "not ",
                });
                self.expression(operand, if *op == UnaryOp::Not { 5 } else { 7 });
            }
            ExprKind::Binary(op, left, right) => {
                let at_least = binary_level(*op) + 1;
                self.expression(left, at_least);
                self.fmt(format_args!(" {} ", binary_text(*op)));
                self.operand(*op, right, at_least);
            }
            ExprKind::Chain(first, rest) => {
                let op = rest.first().map_or(BinaryOp::Add, |(op, _)| *op);
                // A sign may stand before the first term of a sum, nowhere else in a chain of arithmetic.
                let leading_sign = matches!(first.kind, ExprKind::Unary(..)) && binary_level(op) == RELATION_PART;
                self.expression(first, binary_level(op) + u8::from(!leading_sign));
                for (op, operand) in rest {
                    self.fmt(format_args!(" {} ", binary_text(*op)));
                    self.operand(*op, operand, binary_level(*op) + 1);
                }
            }
            ExprKind::If { branches, otherwise } => {
                for (i, (condition, value)) in branches.iter().enumerate() {
                    self.text(if i == 0 { "if " } else { " elseif " });
                    self.expression(condition, LOOSEST);
                    self.text(" then ");
                    self.expression(value, LOOSEST);
                }
                self.text(" else ");
                self.expression(otherwise, LOOSEST);
            }
            ExprKind::Range { start, step, stop } => {
                self.expression(start, RANGE_PART);
                for part in step.iter().chain([stop]) {
                    self.text(":");
                    self.expression(part, RANGE_PART);
                }
            }
            ExprKind::Array(entries) => {
                self.text("{");
                self.list(entries, |p, entry| p.expression(entry, LOOSEST));
                self.text("}");
            }
            ExprKind::Comprehension(entry, iterators) => {
                self.text("{");
                self.expression(entry, LOOSEST);
                self.text(" for ");
                self.iterators(iterators);
                self.text("}");
            }
            ExprKind::Matrix(rows) => {
                self.text("[");
                for (i, row) in rows.iter().enumerate() {
                    self.text(if i > 0 { "; " } else { "" });
                    self.list(row, |p, entry| p.expression(entry, LOOSEST));
                }
                self.text("]");
            }
            ExprKind::Tuple(entries) => self.entries(entries),
            ExprKind::Parenthesised(inner) => {
                self.text("(");
                self.expression(inner, LOOSEST);
                self.text(")");
            }
            ExprKind::Subscripted(inner, subscripts) => {
                self.accessed(inner);
                self.subscripts(subscripts);
            }
            ExprKind::Field(inner, field) => {
                self.accessed(inner);
                self.fmt(format_args!(".{}", field.text));
            }
        }
        if parentheses {
            self.text(")");
        }
    }

    /// The operand on the right of an operator: a negative number needs no parentheses, except before a power.
    fn operand(&mut self, op: BinaryOp, operand: &Expr, at_least: Level) {
        let negative_number =
            matches!(&operand.kind, ExprKind::Unary(UnaryOp::Minus, n) if matches!(n.kind, ExprKind::Integer(_) | ExprKind::Real(_)));
        // A relation takes a signed sum on its right.
        let signed = binary_level(op) == 5;
        self.expression(
            operand,
            if negative_number {
                LOOSEST
            } else if signed {
                RELATION_PART
            } else {
                at_least
            },
        );
    }

    /// What subscripts or a field are taken from: anything but a call or something in brackets gets parentheses.
    fn accessed(&mut self, inner: &Expr) {
        let simple = matches!(
            inner.kind,
            ExprKind::Call { .. }
                | ExprKind::Parenthesised(_)
                | ExprKind::Tuple(_)
                | ExprKind::Array(_)
                | ExprKind::Comprehension(..)
                | ExprKind::Matrix(_)
                | ExprKind::Subscripted(..)
                | ExprKind::Field(..)
        );
        if simple {
            self.expression(inner, PRIMARY);
        } else {
            self.text("(");
            self.expression(inner, LOOSEST);
            self.text(")");
        }
    }

    fn call(&mut self, function: &ComponentRef, arguments: &CallArguments) {
        if arguments.is_partial_application {
            self.text("function ");
        }
        self.reference(function);
        self.text("(");
        self.list(&arguments.positional, |p, argument| p.expression(argument, LOOSEST));
        if !arguments.positional.is_empty() && !arguments.named.is_empty() {
            self.text(", ");
        }
        self.list(&arguments.named, |p, (name, value)| {
            p.fmt(format_args!("{} = ", name.text));
            p.expression(value, LOOSEST);
        });
        if !arguments.iterators.is_empty() {
            self.text(" for ");
            self.iterators(&arguments.iterators);
        }
        self.text(")");
    }

    fn entries(&mut self, entries: &[Option<Expr>]) {
        self.text("(");
        self.list(entries, |p, entry| {
            if let Some(entry) = entry {
                p.expression(entry, LOOSEST);
            }
        });
        self.text(")");
    }

    fn string(&mut self, value: &str) {
        self.text("\"");
        for c in value.chars() {
            match c {
                '"' => self.text("\\\""),
                '\\' => self.text("\\\\"),
                '\x07' => self.text("\\a"),
                '\x08' => self.text("\\b"),
                '\x0c' => self.text("\\f"),
                '\n' => self.text("\\n"),
                '\r' => self.text("\\r"),
                '\t' => self.text("\\t"),
                '\x0b' => self.text("\\v"),
                c => self.out.push(c),
            }
        }
        self.text("\"");
    }
}
