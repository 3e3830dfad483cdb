//! Makes a model that shows a difference small: what can go without the difference going is taken away.
//!
//! Input: a text and a test that says whether the difference is still there. Output: a text for which it is, and from which no single
//! class, declaration, equation, statement or branch can be taken and no expression replaced by a part of it. Cost: one test per try.

use partita_grammar::ast::*;
use partita_grammar::{Source, parse, print};

/// Tries until the model counts as small.
const MOST_TRIES: usize = 4_000;

/// The smallest text found that still fails.
pub fn shrink(text: &str, fails: &mut dyn FnMut(&str) -> bool) -> String {
    let mut best = text.to_string();
    let mut tries = 0;
    let mut at = 0;
    // Each edit is known by its number in a walk over the tree; after a success the same number is the next edit.
    while tries < MOST_TRIES {
        let Some(edited) = edited(&best, at) else { break };
        tries += 1;
        if edited.len() < best.len() && fails(&edited) {
            best = edited;
        } else {
            at += 1;
        }
    }
    best
}

/// The text after the edit of a number, if there are so many.
fn edited(text: &str, number: usize) -> Option<String> {
    let mut definition = parse(&Source { name: String::new(), text: text.to_string() }).ok()?;
    let mut edit = Edit { left: number, done: false };
    edit.definition(&mut definition);
    edit.done.then(|| print(&definition))
}

struct Edit {
    left: usize,
    done: bool,
}

impl Edit {
    /// Whether this place is the one.
    fn here(&mut self) -> bool {
        if self.done {
            return false;
        }
        if self.left == 0 {
            self.done = true;
            return true;
        }
        self.left -= 1;
        false
    }

    /// Takes away one element of a list, or edits inside one.
    fn list<T>(&mut self, items: &mut Vec<T>, inside: &mut dyn FnMut(&mut Self, &mut T)) {
        let mut at = 0;
        while at < items.len() && !self.done {
            if self.here() {
                items.remove(at);
                return;
            }
            at += 1;
        }
        for item in items {
            inside(self, item);
        }
    }

    fn definition(&mut self, definition: &mut Definition) {
        self.list(&mut definition.classes, &mut |edit, class| {
            let ClassBody::Long(body) = &mut class.body else { return };
            body.sections.iter_mut().for_each(|section| edit.section(section));
        });
    }

    fn section(&mut self, section: &mut Section) {
        match section {
            Section::Elements { elements, .. } => self.list(elements, &mut |edit, element| edit.element(element)),
            Section::Equations { equations, .. } => self.equations(equations),
            Section::Algorithm { statements, .. } => self.statements(statements),
            Section::ParameterEquation(_) => {}
        }
    }

    fn element(&mut self, element: &mut Element) {
        let Element::Components(clause) = element else { return };
        for component in &mut clause.components {
            component.binding.iter_mut().for_each(|binding| self.expression(binding));
        }
    }

    fn equations(&mut self, equations: &mut Vec<Equation>) {
        self.list(equations, &mut |edit, equation| match &mut equation.kind {
            EquationKind::Equal(_, value) => edit.expression(value),
            EquationKind::If { branches, otherwise } => {
                branches.iter_mut().for_each(|branch| edit.branch(branch, Edit::equations));
                otherwise.iter_mut().for_each(|body| edit.equations(body));
            }
            EquationKind::When { branches } => edit.list(branches, &mut |edit, branch| edit.branch(branch, Edit::equations)),
            EquationKind::For { body, .. } => edit.equations(body),
            _ => {}
        });
    }

    fn branch<T>(&mut self, branch: &mut (Expr, T), body: fn(&mut Edit, &mut T)) {
        self.expression(&mut branch.0);
        body(self, &mut branch.1);
    }

    fn statements(&mut self, statements: &mut Vec<Statement>) {
        self.list(statements, &mut |edit, statement| match &mut statement.kind {
            StatementKind::Assign(_, value) => edit.expression(value),
            StatementKind::If { branches, otherwise } => {
                branches.iter_mut().for_each(|branch| edit.branch(branch, Edit::statements));
                if otherwise.is_some() && edit.here() {
                    *otherwise = None;
                }
                otherwise.iter_mut().for_each(|body| edit.statements(body));
            }
            StatementKind::When { branches } => edit.list(branches, &mut |edit, branch| edit.branch(branch, Edit::statements)),
            StatementKind::For { body, .. } => edit.statements(body),
            StatementKind::While { condition, body } => {
                edit.expression(condition);
                edit.statements(body);
            }
            _ => {}
        });
    }

    /// Replaces an expression by one of its parts, or edits inside a part.
    fn expression(&mut self, expr: &mut Expr) {
        if self.done {
            return;
        }
        let n_parts = parts(expr).len();
        for at in 0..n_parts {
            if self.here() {
                let part = parts(expr).swap_remove(at).clone();
                *expr = part;
                return;
            }
        }
        if let ExprKind::Call { arguments, .. } = &mut expr.kind
            && !arguments.named.is_empty()
            && self.here()
        {
            arguments.named.pop();
            return;
        }
        parts(expr).into_iter().for_each(|part| self.expression(part));
    }
}

/// The expressions directly below.
fn parts(expr: &mut Expr) -> Vec<&mut Expr> {
    match &mut expr.kind {
        ExprKind::Unary(_, a) | ExprKind::Parenthesised(a) | ExprKind::Comprehension(a, _) | ExprKind::Subscripted(a, _) => vec![a],
        ExprKind::Binary(_, a, b) => vec![a, b],
        ExprKind::Chain(first, rest) => std::iter::once(first.as_mut()).chain(rest.iter_mut().map(|(_, part)| part)).collect(),
        ExprKind::If { branches, otherwise } => {
            branches.iter_mut().flat_map(|(condition, value)| [value, condition]).chain(std::iter::once(otherwise.as_mut())).collect()
        }
        ExprKind::Array(items) => items.iter_mut().collect(),
        ExprKind::Matrix(rows) => rows.iter_mut().flatten().collect(),
        ExprKind::Call { arguments, .. } => arguments.positional.iter_mut().chain(arguments.named.iter_mut().map(|(_, a)| a)).collect(),
        _ => Vec::new(),
    }
}
