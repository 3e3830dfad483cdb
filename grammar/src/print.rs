//! Prints a syntax tree as Modelica text.
//!
//! Input: any tree. Output: text that parses to the same tree again, spans aside (`strip_spans` takes them away).
//! Layout: one item a line, two blanks of indentation; comments of the source are not in the tree and are lost.
//! Parentheses come from the tree (`Parenthesised`); where a tree that was not parsed needs more of them, they are added.
//! Numbers print with the fewest digits that give the same value back.

mod expressions;
mod levels;

use crate::ast::*;
use levels::{LOOSEST, PRIMARY, RANGE};
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
}
