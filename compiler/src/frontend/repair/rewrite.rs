//! Rewrites what is there: references in the place of names with subscripts inside the quotes, loops around turns of a loop.
//!
//! Input: a file. Output: the same file; notes about loops. Guarantee: a name that is declared as it stands is left alone.
//! Cost: one walk over the file; the parser bounds the depth.

use super::embedded::{Known, embedded, set_span_of_reference};
use super::unrolled::repair_loops;
use crate::frontend::flatten::names::{has_subscripts, plain_text};
use partita_grammar::Diagnostic;
use partita_grammar::ast::{
    self, Argument, Class, ClassBody, ClassKind, ComponentRef, Element, Equation, EquationKind, Expr, ExprKind, Section, Statement,
    StatementKind, Subscript,
};
use rustc_hash::FxHashSet;

/// Rewrites a file.
pub(super) fn rewrite(definition: &mut ast::Definition, notes: &mut Vec<Diagnostic>) {
    let mut walk = Rewrite { declared: FxHashSet::default(), known: Known::default() };
    definition.classes.iter().for_each(|class| walk.declarations(class));
    definition.classes.iter_mut().for_each(|class| walk.class(class, notes));
}

struct Rewrite {
    /// Declared names with brackets.
    declared: FxHashSet<String>,
    known: Known,
}

impl Rewrite {
    fn declarations(&mut self, class: &Class) {
        let ClassBody::Long(body) = &class.body else { return };
        for section in &body.sections {
            let Section::Elements { elements, .. } = section else { continue };
            for element in elements {
                match element {
                    Element::Class(class) => self.declarations(class),
                    Element::Components(clause) => {
                        let names = clause.components.iter().map(|component| &component.name).filter(|name| is_embedded(name));
                        self.declared.extend(names.map(plain_text));
                    }
                    Element::Import(_) | Element::Extends { .. } => {}
                }
            }
        }
    }

    /// Whether a name is declared as it stands, or a part of something that is.
    fn is_declared(&self, reference: &ComponentRef) -> bool {
        let [part] = reference.parts.as_slice() else { return false };
        let name = part.name.unquoted();
        let ends = name.match_indices(['.', '[']).map(|(at, _)| at).chain([name.len()]);
        !self.declared.is_empty() && ends.into_iter().any(|end| self.declared.contains(&name[..end]))
    }

    fn class(&mut self, class: &mut Class, notes: &mut Vec<Diagnostic>) {
        let is_function = class.kind == ClassKind::Function;
        match &mut class.body {
            ClassBody::Long(body) => {
                for section in &mut body.sections {
                    match section {
                        Section::Elements { elements, .. } => elements.iter_mut().for_each(|element| self.element(element, notes)),
                        Section::Equations { equations, .. } => self.equations(equations),
                        Section::Algorithm { statements, .. } => {
                            if !is_function {
                                repair_loops(statements, notes);
                            }
                            self.statements(statements);
                        }
                        Section::ParameterEquation(equation) => self.equations(std::slice::from_mut(equation)),
                    }
                }
            }
            ClassBody::Short { base, modification, .. } => {
                self.subscripts(&mut base.dims);
                self.modification(modification);
            }
            ClassBody::Enumeration { .. } | ClassBody::PartialDerivative { .. } => {}
        }
    }

    fn element(&mut self, element: &mut Element, notes: &mut Vec<Diagnostic>) {
        match element {
            Element::Class(class) => self.class(class, notes),
            Element::Extends { modification, .. } => self.modification(modification),
            Element::Components(clause) => {
                self.subscripts(&mut clause.type_spec.dims);
                for component in &mut clause.components {
                    self.subscripts(&mut component.dims);
                    self.modification(&mut component.modification);
                    component.binding.iter_mut().chain(&mut component.condition).for_each(|e| self.expression(e));
                }
            }
            Element::Import(_) => {}
        }
    }

    fn modification(&mut self, arguments: &mut [Argument]) {
        for argument in arguments {
            if let Argument::Modification { arguments, value, .. } = argument {
                value.iter_mut().for_each(|e| self.expression(e));
                arguments.iter_mut().for_each(|arguments| self.modification(arguments));
            }
        }
    }

    fn equations(&mut self, equations: &mut [Equation]) {
        for equation in equations {
            match &mut equation.kind {
                EquationKind::Equal(a, b) => [a, b].into_iter().for_each(|e| self.expression(e)),
                EquationKind::If { branches, otherwise } => {
                    self.branches(branches, Rewrite::equations);
                    otherwise.iter_mut().for_each(|body| self.equations(body));
                }
                EquationKind::For { iterators, body } => {
                    self.iterators(iterators);
                    self.equations(body);
                }
                EquationKind::When { branches } => self.branches(branches, Rewrite::equations),
                EquationKind::Call(call) => self.expression(call),
                EquationKind::Connect(..) => {}
            }
        }
    }

    fn statements(&mut self, statements: &mut [Statement]) {
        for statement in statements {
            match &mut statement.kind {
                StatementKind::Assign(target, value) => {
                    self.reference(target);
                    self.expression(value);
                }
                StatementKind::AssignTuple(targets, value) => {
                    targets.iter_mut().flatten().for_each(|target| self.expression(target));
                    self.expression(value);
                }
                StatementKind::Call(value) => self.expression(value),
                StatementKind::If { branches, otherwise } => {
                    self.branches(branches, Rewrite::statements);
                    otherwise.iter_mut().for_each(|body| self.statements(body));
                }
                StatementKind::For { iterators, body } => {
                    self.iterators(iterators);
                    self.statements(body);
                }
                StatementKind::While { condition, body } => {
                    self.expression(condition);
                    self.statements(body);
                }
                StatementKind::When { branches } => self.branches(branches, Rewrite::statements),
                StatementKind::Break | StatementKind::Return => {}
            }
        }
    }

    fn branches<T>(&mut self, branches: &mut [(Expr, Vec<T>)], bodies: fn(&mut Rewrite, &mut [T])) {
        for (condition, body) in branches {
            self.expression(condition);
            bodies(self, body);
        }
    }

    fn iterators(&mut self, iterators: &mut [ast::Iterator]) {
        iterators.iter_mut().filter_map(|iterator| iterator.range.as_mut()).for_each(|range| self.expression(range));
    }

    fn subscripts(&mut self, subscripts: &mut [Subscript]) {
        for subscript in subscripts {
            if let Subscript::Index(e) = subscript {
                self.expression(e);
            }
        }
    }

    fn reference(&mut self, reference: &mut ComponentRef) {
        if is_embedded(reference)
            && !self.is_declared(reference)
            && let Some(meant) = embedded(reference, &mut self.known)
        {
            let mut meant = meant.clone();
            set_span_of_reference(&mut meant, reference.span);
            *reference = meant;
        }
        reference.parts.iter_mut().for_each(|part| self.subscripts(&mut part.subscripts));
    }

    fn expression(&mut self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Integer(_) | ExprKind::Real(_) | ExprKind::String(_) | ExprKind::Boolean(_) | ExprKind::End | ExprKind::Break => {}
            ExprKind::Ref(reference) => self.reference(reference),
            ExprKind::Call { arguments, .. } => {
                arguments.positional.iter_mut().chain(arguments.named.iter_mut().map(|(_, e)| e)).for_each(|e| self.expression(e));
                self.iterators(&mut arguments.iterators);
            }
            ExprKind::Unary(_, a) | ExprKind::Parenthesised(a) | ExprKind::Field(a, _) => self.expression(a),
            ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(|e| self.expression(e)),
            ExprKind::Chain(first, rest) => {
                self.expression(first);
                rest.iter_mut().for_each(|(_, e)| self.expression(e));
            }
            ExprKind::If { branches, otherwise } => {
                for (condition, value) in branches {
                    self.expression(condition);
                    self.expression(value);
                }
                self.expression(otherwise);
            }
            ExprKind::Range { start, step, stop } => {
                [Some(start), step.as_mut(), Some(stop)].into_iter().flatten().for_each(|e| self.expression(e))
            }
            ExprKind::Array(values) => values.iter_mut().for_each(|e| self.expression(e)),
            ExprKind::Matrix(rows) => rows.iter_mut().flatten().for_each(|e| self.expression(e)),
            ExprKind::Tuple(values) => values.iter_mut().flatten().for_each(|e| self.expression(e)),
            ExprKind::Comprehension(body, iterators) => {
                self.expression(body);
                self.iterators(iterators);
            }
            ExprKind::Subscripted(base, subscripts) => {
                self.expression(base);
                self.subscripts(subscripts);
            }
        }
    }
}

/// Whether a name has subscripts inside its quotes that are not numbers.
fn is_embedded(reference: &ComponentRef) -> bool {
    reference.parts.iter().any(|part| has_subscripts(&part.name))
}
