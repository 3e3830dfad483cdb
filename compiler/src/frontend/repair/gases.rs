//! The gases of a medium, as a file writes them into its functions.
//!
//! Input: the path of a component's medium. Output: the data of its gases in order, and functions of the library into which
//! they are written.
//!
//! Exporters put the data of a gas, a record of numbers, where a function of the medium passes it on; they leave out functions
//! that only other functions call. What is left out needs the same data, so they are read from the functions of the medium
//! that the file has. Moist air, which the same kind of record describes, is told by the functions for low temperatures,
//! which it alone calls.
//!
//! Guarantee: every record is a text of literals, taken over as it is; two that differ in any number are two gases; functions
//! of one medium that disagree show none.
//! Cost: one pass over the functions of a medium, once per medium.

use super::library_files::{classes_of, function_text};
use super::mentions::children;
use super::supplier::Supplier;
use super::table::GAS_DATA;
use crate::frontend::flatten::lookup::ClassTable;
use crate::frontend::flatten::names::{name_text, plain_text};
use partita_grammar::ast::{self, ClassBody, ClassKind, Element, EquationKind, Expr, ExprKind, Section, StatementKind, UnaryOp};
use partita_grammar::{Source, parse};
use std::fmt::Write;

/// Where the functions of a gas are.
const GAS_FUNCTIONS: &str = "Modelica.Media.IdealGases.Common.Functions.";

impl Supplier<'_> {
    /// How many gases a medium has, as far as the file shows.
    pub(super) fn n_gases(&mut self, medium: &str) -> usize {
        self.gases_of(medium).len()
    }

    fn gases_of(&mut self, medium: &str) -> &[String] {
        if !self.gases.contains_key(medium) {
            let found = gases(&self.classes, medium);
            self.gases.insert(medium.to_owned(), found);
        }
        self.gases.get(medium).map_or(&[], Vec::as_slice)
    }

    /// A function of the library in which `data` of its package stands for the gases of a medium, one record or a vector of them, as
    /// it is for this medium. `None` if it needs no gases.
    pub(super) fn with_gases(&mut self, full: &str, package: &str, medium: &str) -> Option<ast::Class> {
        let text = function_text(full)?;
        let data = format!("'{package}.data'");
        let gases = self.gases_of(medium);
        if gases.is_empty() || !text.contains(&data) {
            return None;
        }
        let gases = if let [gas] = gases { gas.clone() } else { format!("{{{}}}", gases.join(", ")) };
        let text = format!("//! base 0.1.0\npackage 'P'\n{}\nend 'P';\n", text.replace(&data, &gases));
        let definition = parse(&Source { name: String::new(), text }).ok()?;
        classes_of(&definition).find(|class| name_text(&class.name) == full).cloned()
    }
}

/// The gases of a medium in the order of the file; none if they cannot be told.
fn gases(classes: &ClassTable, medium: &str) -> Vec<String> {
    let mut own: Option<Vec<String>> = None;
    for path in classes.paths() {
        let inside = path.strip_prefix(medium).is_some_and(|rest| rest.starts_with('.'));
        let Some(entry) = classes.find(path, "").filter(|_| inside) else { continue };
        if entry.class.kind != ClassKind::Function {
            continue;
        }
        let found = records(entry.class);
        if found.is_empty() {
            continue;
        }
        // All functions of a medium speak of the same gases.
        if own.as_ref().is_some_and(|known| *known != found) {
            return Vec::new();
        }
        own = Some(found);
    }
    own.unwrap_or_default()
}

/// The records of gases in a function, each once, in the order of the text.
fn records(class: &ast::Class) -> Vec<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut work = expressions(class);
    while let Some(e) = work.pop() {
        if let ExprKind::Call { function, .. } = &e.kind {
            let name = plain_text(function);
            if name.strip_prefix(GAS_FUNCTIONS).is_some_and(|rest| rest.contains("Tlow")) {
                continue;
            }
            if name == GAS_DATA
                && let Some(text) = literal(e)
            {
                found.push((e.span.start as usize, text));
            }
        }
        children(e, &mut work);
    }
    found.sort_by_key(|(at, _)| *at);
    let mut texts: Vec<String> = Vec::new();
    for (_, text) in found {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

/// The text of a record of literals; `None` if it holds anything else.
fn literal(e: &Expr) -> Option<String> {
    enum Part<'e> {
        Value(&'e Expr),
        Text(&'static str),
    }
    let mut text = String::new();
    let mut work = vec![Part::Value(e)];
    while let Some(part) = work.pop() {
        let e = match part {
            Part::Value(e) => e,
            Part::Text(s) => {
                text.push_str(s);
                continue;
            }
        };
        match &e.kind {
            ExprKind::Integer(value) => write!(text, "{value}").ok()?,
            ExprKind::Real(value) => write!(text, "{value:e}").ok()?,
            ExprKind::String(value) if !value.contains(['"', '\\']) => write!(text, "\"{value}\"").ok()?,
            ExprKind::Unary(UnaryOp::Minus, inner) => {
                text.push('-');
                work.push(Part::Value(inner));
            }
            ExprKind::Parenthesised(inner) => work.push(Part::Value(inner)),
            ExprKind::Array(values) => {
                text.push('{');
                work.push(Part::Text("}"));
                for (i, value) in values.iter().enumerate().rev() {
                    work.push(Part::Value(value));
                    if i > 0 {
                        work.push(Part::Text(", "));
                    }
                }
            }
            ExprKind::Call { function, arguments } if plain_text(function) == GAS_DATA && arguments.named.is_empty() => {
                write!(text, "'{GAS_DATA}'(").ok()?;
                work.push(Part::Text(")"));
                for (i, value) in arguments.positional.iter().enumerate().rev() {
                    work.push(Part::Value(value));
                    if i > 0 {
                        work.push(Part::Text(", "));
                    }
                }
            }
            _ => return None,
        }
    }
    Some(text)
}

/// The outermost expressions of a class: values of its components, equations and statements.
fn expressions(class: &ast::Class) -> Vec<&Expr> {
    let mut out = Vec::new();
    let ClassBody::Long(body) = &class.body else { return out };
    let mut equations: Vec<&ast::Equation> = Vec::new();
    let mut statements: Vec<&ast::Statement> = Vec::new();
    for section in &body.sections {
        match section {
            Section::Elements { elements, .. } => {
                for element in elements {
                    if let Element::Components(clause) = element {
                        out.extend(clause.components.iter().filter_map(|c| c.binding.as_ref()));
                    }
                }
            }
            Section::Equations { equations: written, .. } => equations.extend(written),
            Section::Algorithm { statements: written, .. } => statements.extend(written),
            Section::ParameterEquation(equation) => equations.push(equation),
        }
    }
    while let Some(equation) = equations.pop() {
        match &equation.kind {
            EquationKind::Equal(a, b) => out.extend([a, b]),
            EquationKind::If { branches, otherwise } => {
                equations.extend(branches.iter().flat_map(|(_, body)| body).chain(otherwise.iter().flatten()));
            }
            EquationKind::For { body, .. } => equations.extend(body),
            EquationKind::When { branches } => equations.extend(branches.iter().flat_map(|(_, body)| body)),
            EquationKind::Call(call) => out.push(call),
            EquationKind::Connect(..) => {}
        }
    }
    while let Some(statement) = statements.pop() {
        match &statement.kind {
            StatementKind::Assign(_, value) | StatementKind::AssignTuple(_, value) | StatementKind::Call(value) => out.push(value),
            StatementKind::If { branches, otherwise } => {
                statements.extend(branches.iter().flat_map(|(_, body)| body).chain(otherwise.iter().flatten()));
            }
            StatementKind::For { body, .. } | StatementKind::While { body, .. } => statements.extend(body),
            StatementKind::When { branches } => statements.extend(branches.iter().flat_map(|(_, body)| body)),
            StatementKind::Break | StatementKind::Return => {}
        }
    }
    out
}
