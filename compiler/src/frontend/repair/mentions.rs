//! The names of classes that a class mentions: calls, types, functions that are passed or declared as derivatives.
//!
//! Input: a class. Output: its mentions in the order of the text; classes inside of it are not looked into, as they are reached by their
//! own names. Cost: linear in the class; the parser bounds the depth.

use crate::frontend::flatten::builtins::builtin_named;
use crate::frontend::flatten::names::{name_text, plain_text};
use partita_grammar::Span;
use partita_grammar::ast::{self, Argument, ClassBody, Element, EquationKind, Expr, ExprKind, Section, StatementKind, Subscript, TypeKind};
use rustc_hash::FxHashSet;

/// How a name is used.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Use {
    /// A function is called.
    Call,
    /// A function is passed, if the name is no variable.
    Argument,
    /// A type, a base class or a derivative.
    Type,
    /// A literal of an enumeration, if its prefix is one.
    Literal,
}

/// A name and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Mention {
    pub(super) name: String,
    pub(super) how: Use,
    pub(super) span: Span,
}

/// What tells names that are worth looking at, for models mention variables and built-in functions all the time.
#[derive(Debug, Default)]
pub(super) struct Interest {
    /// The first parts of the names of classes in libraries.
    pub(super) roots: FxHashSet<String>,
    /// The last parts of the names of the file's classes that are also names of built-in functions.
    pub(super) hiding: FxHashSet<String>,
}

impl Interest {
    fn in_call(&self, function: &ast::ComponentRef) -> bool {
        let [part] = function.parts.as_slice() else { return true };
        let name = part.name.unquoted();
        builtin_named(name).is_none() || self.hiding.contains(name)
    }

    fn in_literal(&self, name: &ast::ComponentRef) -> bool {
        let first = name.parts.first().map_or("", |part| part.name.unquoted());
        let root = first.split('.').next().unwrap_or_default();
        (name.parts.len() > 1 || root.len() < first.len()) && self.roots.contains(root)
    }
}

/// The mentions of a class.
pub(super) fn mentions(class: &ast::Class, interest: &Interest) -> Vec<Mention> {
    let mut walk = Walk { interest, found: Vec::new(), expressions: Vec::new() };
    walk.class(class);
    walk.found
}

struct Walk<'a> {
    interest: &'a Interest,
    found: Vec<Mention>,
    expressions: Vec<&'a Expr>,
}

impl<'a> Walk<'a> {
    fn class(&mut self, class: &'a ast::Class) {
        match &class.body {
            ClassBody::Long(body) => {
                body.sections.iter().for_each(|section| self.section(section));
                body.annotations.iter().for_each(|annotation| self.annotation(&annotation.arguments));
                if let Some(external) = &body.external {
                    external.arguments.iter().for_each(|e| self.expression(e));
                }
            }
            ClassBody::Short { base, modification, .. } => {
                self.type_of(base);
                self.modification(modification);
            }
            ClassBody::PartialDerivative { function, .. } => self.name(function, Use::Type),
            ClassBody::Enumeration { .. } => {}
        }
    }

    fn name(&mut self, name: &ast::Name, how: Use) {
        self.found.push(Mention { name: name_text(name), how, span: name.span });
    }

    fn type_of(&mut self, base: &'a ast::TypeSpec) {
        if let TypeKind::Named(name) = &base.kind {
            self.name(name, Use::Type);
        }
        self.subscripts(&base.dims);
    }

    fn section(&mut self, section: &'a Section) {
        match section {
            Section::Elements { elements, .. } => elements.iter().for_each(|element| self.element(element)),
            Section::Equations { equations, .. } => equations.iter().for_each(|equation| self.equation(equation)),
            Section::Algorithm { statements, .. } => statements.iter().for_each(|statement| self.statement(statement)),
            Section::ParameterEquation(equation) => self.equation(equation),
        }
    }

    fn element(&mut self, element: &'a Element) {
        match element {
            Element::Extends { name, modification, .. } => {
                self.name(name, Use::Type);
                self.modification(modification);
            }
            Element::Components(clause) => {
                self.type_of(&clause.type_spec);
                for component in &clause.components {
                    self.subscripts(&component.dims);
                    self.modification(&component.modification);
                    component.binding.iter().chain(&component.condition).for_each(|e| self.expression(e));
                }
            }
            Element::Import(_) | Element::Class(_) => {}
        }
    }

    fn modification(&mut self, arguments: &'a [Argument]) {
        for argument in arguments {
            if let Argument::Modification { arguments, value, .. } = argument {
                value.iter().for_each(|e| self.expression(e));
                self.modification(arguments.as_deref().unwrap_or_default());
            }
        }
    }

    fn annotation(&mut self, arguments: &'a [Argument]) {
        for argument in arguments {
            if let Argument::Modification { name, value: Some(Expr { kind: ExprKind::Ref(function), span }), .. } = argument
                && name_text(name) == "derivative"
            {
                self.found.push(Mention { name: plain_text(function), how: Use::Type, span: *span });
            }
        }
    }

    fn equation(&mut self, equation: &'a ast::Equation) {
        match &equation.kind {
            EquationKind::Equal(a, b) => [a, b].into_iter().for_each(|e| self.expression(e)),
            EquationKind::If { branches, otherwise } => {
                for (condition, body) in branches {
                    self.expression(condition);
                    body.iter().for_each(|equation| self.equation(equation));
                }
                otherwise.iter().flatten().for_each(|equation| self.equation(equation));
            }
            EquationKind::For { iterators, body } => {
                self.iterators(iterators);
                body.iter().for_each(|equation| self.equation(equation));
            }
            EquationKind::When { branches } => {
                for (condition, body) in branches {
                    self.expression(condition);
                    body.iter().for_each(|equation| self.equation(equation));
                }
            }
            EquationKind::Call(call) => self.expression(call),
            EquationKind::Connect(..) => {}
        }
    }

    fn statement(&mut self, statement: &'a ast::Statement) {
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                target.parts.iter().for_each(|part| self.subscripts(&part.subscripts));
                self.expression(value);
            }
            StatementKind::AssignTuple(_, value) | StatementKind::Call(value) => self.expression(value),
            StatementKind::If { branches, otherwise } => {
                for (condition, body) in branches {
                    self.expression(condition);
                    body.iter().for_each(|statement| self.statement(statement));
                }
                otherwise.iter().flatten().for_each(|statement| self.statement(statement));
            }
            StatementKind::For { iterators, body } => {
                self.iterators(iterators);
                body.iter().for_each(|statement| self.statement(statement));
            }
            StatementKind::While { condition, body } => {
                self.expression(condition);
                body.iter().for_each(|statement| self.statement(statement));
            }
            StatementKind::When { branches } => {
                for (condition, body) in branches {
                    self.expression(condition);
                    body.iter().for_each(|statement| self.statement(statement));
                }
            }
            StatementKind::Break | StatementKind::Return => {}
        }
    }

    fn subscripts(&mut self, subscripts: &'a [Subscript]) {
        subscripts.iter().for_each(|subscript| {
            if let Subscript::Index(e) = subscript {
                self.expression(e);
            }
        });
    }

    fn iterators(&mut self, iterators: &'a [ast::Iterator]) {
        iterators.iter().filter_map(|iterator| iterator.range.as_ref()).for_each(|range| self.expression(range));
    }

    fn expression(&mut self, e: &'a Expr) {
        let outer = self.expressions.len();
        self.expressions.push(e);
        while self.expressions.len() > outer
            && let Some(e) = self.expressions.pop()
        {
            match &e.kind {
                ExprKind::Call { function, arguments } if arguments.is_partial_application || self.interest.in_call(function) => {
                    let how = if arguments.is_partial_application { Use::Argument } else { Use::Call };
                    self.found.push(Mention { name: plain_text(function), how, span: function.span });
                    for argument in arguments.positional.iter().chain(arguments.named.iter().map(|(_, e)| e)) {
                        if let ExprKind::Ref(name) = &argument.kind
                            && name.parts.iter().all(|part| part.subscripts.is_empty())
                        {
                            self.found.push(Mention { name: plain_text(name), how: Use::Argument, span: name.span });
                        }
                    }
                }
                ExprKind::Ref(name) if self.interest.in_literal(name) => {
                    self.found.push(Mention { name: plain_text(name), how: Use::Literal, span: name.span });
                }
                _ => {}
            }
            let first = self.expressions.len();
            children(e, &mut self.expressions);
            self.expressions[first..].reverse();
        }
    }
}

/// Whether a function declares a component of this name.
pub(super) fn declares(body: &ast::LongBody, name: &str) -> bool {
    body.sections.iter().any(|section| {
        let Section::Elements { elements, .. } = section else { return false };
        elements.iter().any(|element| {
            let Element::Components(clause) = element else { return false };
            clause.components.iter().any(|c| c.name.parts.first().is_some_and(|p| p.name.unquoted() == name))
        })
    })
}

/// Adds the parts of an expression.
pub(super) fn children<'e>(e: &'e Expr, out: &mut Vec<&'e Expr>) {
    let indices = |subscripts: &'e [Subscript]| subscripts.iter().filter_map(|s| if let Subscript::Index(e) = s { Some(e) } else { None });
    match &e.kind {
        ExprKind::Call { arguments, .. } => {
            out.extend(arguments.positional.iter().chain(arguments.named.iter().map(|(_, e)| e)));
            out.extend(arguments.iterators.iter().filter_map(|iterator| iterator.range.as_ref()));
        }
        ExprKind::Unary(_, a) | ExprKind::Parenthesised(a) | ExprKind::Field(a, _) => out.push(a),
        ExprKind::Comprehension(a, iterators) => {
            out.push(a);
            out.extend(iterators.iter().filter_map(|iterator| iterator.range.as_ref()));
        }
        ExprKind::Binary(_, a, b) => out.extend([&**a, &**b]),
        ExprKind::Chain(first, rest) => out.extend(std::iter::once(&**first).chain(rest.iter().map(|(_, e)| e))),
        ExprKind::If { branches, otherwise } => {
            out.extend(branches.iter().flat_map(|(c, v)| [c, v]).chain(std::iter::once(&**otherwise)));
        }
        ExprKind::Array(values) => out.extend(values),
        ExprKind::Matrix(rows) => out.extend(rows.iter().flatten()),
        ExprKind::Tuple(values) => out.extend(values.iter().flatten()),
        ExprKind::Subscripted(a, subscripts) => {
            out.push(a);
            out.extend(indices(subscripts));
        }
        ExprKind::Ref(name) => name.parts.iter().for_each(|part| out.extend(indices(&part.subscripts))),
        ExprKind::Range { start, step, stop } => out.extend([Some(start), step.as_ref(), Some(stop)].into_iter().flatten().map(|e| &**e)),
        ExprKind::Integer(_) | ExprKind::Real(_) | ExprKind::String(_) | ExprKind::Boolean(_) | ExprKind::End | ExprKind::Break => {}
    }
}
