//! Which parts of a model's text belong to its continuous states, and what the rest reads of them.
//!
//! Input: the class that is run, and the declared components that depend on states. Output: [`Separated`]: edits that take the continuous
//! part out, the components that what is left reads, where declarations end. Method: an equation, an initial equation or a loop belongs to
//! the states if it names one of their components outside of a relation, `pre` and the like; a `when` never does. Assertions about what is
//! gone go too. Guarantee: what stays is copied letter by letter; `reinit` of a state and `der` of one in what stays are refused (C115).
//! Cost: linear in the text.

use crate::reduction::text::listed;
use partita_grammar::ast::{
    Argument, BinaryOp, Class, ClassBody, Component, ComponentClause, ComponentRef, Element, Equation, EquationKind, Expr, ExprKind,
    Section, Statement, StatementKind, Subscript,
};
use partita_grammar::{Diagnostic, Source, Span};
use partita_runtime::model::table::canonical;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// A text without its continuous part.
#[derive(Clone, Debug, Default)]
pub struct Separated {
    /// Pieces that are replaced.
    pub edits: Vec<(Span, String)>,
    /// Components of states that what is left reads.
    pub reads: BTreeSet<String>,
    /// Assertions that are left out.
    pub asserts: usize,
}

/// A component named in an expression.
struct Mention {
    name: String,
    span: Span,
    /// Not inside of a relation or `pre`.
    smooth: bool,
    /// Inside of `der`.
    derivative: bool,
}

/// The declared components of a class, without quotes.
pub fn declared(class: &Class) -> FxHashSet<String> {
    let clauses = clauses(class);
    clauses.iter().flat_map(|clause| &clause.components).map(component_name).collect()
}

fn component_name(component: &Component) -> String {
    canonical(&component.name.parts.iter().map(part_text).collect::<Vec<_>>().join("."))
}

/// A part of a name with subscripts that are numbers; others are left out.
fn part_text(part: &partita_grammar::ast::RefPart) -> String {
    let number = |subscript: &Subscript| match subscript {
        Subscript::Index(Expr { kind: ExprKind::Integer(value), .. }) => Some(value.to_string()),
        _ => None,
    };
    let numbers: Option<Vec<String>> = part.subscripts.iter().map(number).collect();
    let subscripts = numbers.filter(|numbers| !numbers.is_empty()).map_or(String::new(), |numbers| format!("[{}]", numbers.join(",")));
    format!("{}{subscripts}", part.name.unquoted())
}

/// The declared component that a variable belongs to.
///
/// Input: a name as a text writes it, not that of a derivative. The longest part that the class declares is the component.
pub fn owner<'a>(declared: &FxHashSet<String>, variable: &'a str) -> Option<&'a str> {
    let ends = variable.rmatch_indices(['.', '[']).map(|(at, _)| at);
    std::iter::once(variable.len()).chain(ends).map(|end| &variable[..end]).find(|name| declared.contains(*name))
}

fn clauses(class: &Class) -> Vec<&ComponentClause> {
    let ClassBody::Long(body) = &class.body else { return Vec::new() };
    let elements = body.sections.iter().flat_map(|section| match section {
        Section::Elements { elements, .. } => elements.as_slice(),
        _ => &[],
    });
    let found = elements.filter_map(|element| match element {
        Element::Components(clause) => Some(clause),
        _ => None,
    });
    found.collect()
}

/// Where declarations can be added: behind the last one.
pub fn end_of_declarations(class: &Class, text: &str) -> usize {
    let last = clauses(class).iter().map(|clause| clause.span.end as usize).max().unwrap_or(class.name.span.end as usize);
    text[last..].find(';').map_or(last, |at| last + at + 1)
}

struct Separation<'a> {
    text: &'a str,
    declared: FxHashSet<String>,
    moved: &'a dyn Fn(&str) -> bool,
    found: Separated,
}

impl Separation<'_> {
    fn is_moved(&self, mention: &Mention) -> bool {
        owner(&self.declared, &mention.name).is_some_and(|owner| (self.moved)(owner))
    }

    /// What stays reads these.
    fn keep(&mut self, mentions: &[Mention]) -> Result<(), Box<Diagnostic>> {
        for mention in mentions {
            if !self.is_moved(mention) {
                continue;
            }
            if mention.derivative {
                let title =
                    format!("what is not continuous reads the derivative of `{}`, which the smaller model does not have", mention.name);
                return Err(Box::new(Diagnostic::error("C115", title).at(mention.span, "here")));
            }
            let owner = owner(&self.declared, &mention.name).unwrap_or_default().to_string();
            self.found.reads.insert(owner);
        }
        Ok(())
    }

    fn cut(&mut self, span: Span) {
        let end = self.text[span.end as usize..].find(';').map_or(span.end as usize, |at| span.end as usize + at + 1);
        let before = &self.text[..span.start as usize];
        let indent = before.len() - before.trim_end_matches([' ', '\t']).len();
        // A line of its own goes whole.
        let is_line = before[..before.len() - indent].ends_with('\n') && self.text[end..].starts_with('\n');
        let (start, end) = if is_line { (span.start as usize - indent, end + 1) } else { (span.start as usize, end) };
        self.found.edits.push((Span::new(start, end), String::new()));
    }

    /// Takes out what belongs to the states; whether nothing is left.
    fn equations(&mut self, equations: &[Equation]) -> Result<bool, Box<Diagnostic>> {
        let mut gone = 0;
        for equation in equations {
            let before = self.found.clone();
            let mut mentions = Vec::new();
            of_equation(equation, &mut mentions);
            let is_smooth = mentions.iter().any(|mention| mention.smooth && self.is_moved(mention));
            let goes = match &equation.kind {
                EquationKind::For { body, .. } => self.equations(body)?,
                EquationKind::Call(call) if is_call(call, "assert") => {
                    let about = mentions.iter().any(|mention| self.is_moved(mention));
                    self.found.asserts += usize::from(about);
                    about
                }
                EquationKind::When { branches } => {
                    self.check_reinit(branches.iter().flat_map(|(_, body)| body))?;
                    false
                }
                _ => is_smooth,
            };
            if goes {
                self.found = Separated { asserts: self.found.asserts, ..before };
                self.cut(equation.span);
                gone += 1;
            } else if !matches!(equation.kind, EquationKind::For { .. }) {
                self.keep(&mentions)?;
            }
        }
        Ok(gone == equations.len())
    }

    fn check_reinit<'e>(&self, equations: impl std::iter::Iterator<Item = &'e Equation>) -> Result<(), Box<Diagnostic>> {
        for equation in equations {
            if let EquationKind::Call(call) = &equation.kind
                && is_call(call, "reinit")
            {
                let title = "`reinit` sets a state that the smaller model does not have";
                return Err(Box::new(Diagnostic::error("C115", title).at(equation.span, "here")));
            }
        }
        Ok(())
    }

    fn section(&mut self, section: &Section) -> Result<(), Box<Diagnostic>> {
        match section {
            Section::Equations { equations, .. } => {
                self.equations(equations)?;
            }
            Section::Algorithm { statements, span, .. } => {
                let mut mentions = Vec::new();
                statements.iter().for_each(|statement| of_statement(statement, false, &mut mentions));
                let mut targets = Vec::new();
                statements.iter().for_each(|statement| of_targets(statement, &mut targets));
                if targets.iter().any(|target| self.is_moved(target)) {
                    self.found.edits.push((*span, String::new()));
                } else {
                    self.keep(&mentions)?;
                }
            }
            Section::ParameterEquation(_) | Section::Elements { .. } => {}
        }
        Ok(())
    }

    /// What stays of declarations once it is known which components are outputs.
    fn clause(&mut self, clause: &ComponentClause) {
        let is_moved = |component: &Component| (self.moved)(&component_name(component));
        if !clause.components.iter().any(is_moved) {
            return;
        }
        let kept: Vec<String> = clause
            .components
            .iter()
            .filter_map(|component| match is_moved(component) {
                false => Some(component.span.text(self.text).to_string()),
                true if self.found.reads.contains(&component_name(component)) => Some(self.bare(component)),
                true => None,
            })
            .collect();
        let (first, last) = (clause.components[0].span, clause.components[clause.components.len() - 1].span);
        match kept.is_empty() {
            true => self.cut(clause.span.to(last)),
            false => self.found.edits.push((first.to(last), kept.join(", "))),
        }
    }

    /// A declaration without what belongs to a state.
    fn bare(&self, component: &Component) -> String {
        let dims: Vec<&str> = component
            .dims
            .iter()
            .map(|dim| match dim {
                Subscript::All(span) => span.text(self.text),
                Subscript::Index(e) => e.span.text(self.text),
            })
            .collect();
        let mut text = component.name.span.text(self.text).to_string();
        if !dims.is_empty() && !text.ends_with(']') {
            text.push_str(&format!("[{}]", dims.join(", ")));
        }
        let stays = |argument: &&Argument| match argument {
            Argument::Modification { name, .. } => !["start", "fixed", "stateSelect"].contains(&name.span.text(self.text)),
            _ => true,
        };
        let arguments: Vec<&str> = component
            .modification
            .iter()
            .filter(stays)
            .filter_map(|argument| match argument {
                Argument::Modification { span, .. } => Some(span.text(self.text)),
                _ => None,
            })
            .collect();
        if !arguments.is_empty() {
            text.push_str(&format!("({})", arguments.join(", ")));
        }
        if let Some(description) = &component.description {
            text.push_str(&format!(" {}", description.span.text(self.text)));
        }
        text
    }
}

/// Takes the continuous part out of a class; `moved` says which components depend on states, `wanted` which of them stay as outputs.
pub fn separate(
    source: &Source,
    class: &Class,
    moved: &dyn Fn(&str) -> bool,
    wanted: &BTreeSet<String>,
) -> Result<Separated, Box<Diagnostic>> {
    let ClassBody::Long(body) = &class.body else { return Ok(Separated::default()) };
    let found = Separated { reads: wanted.clone(), ..Separated::default() };
    let mut separation = Separation { text: &source.text, declared: declared(class), moved, found };
    for section in &body.sections {
        separation.section(section)?;
    }
    for component in clauses(class).iter().flat_map(|clause| &clause.components) {
        if !moved(&component_name(component)) {
            let mut mentions = Vec::new();
            component.binding.iter().for_each(|binding| of_expression(binding, ExpressionContext::default(), &mut mentions));
            separation.keep(&mentions)?;
        }
    }
    let clauses = clauses(class);
    let inputs = clauses.iter().filter(|clause| clause.prefixes.causality == partita_grammar::ast::Causality::Input);
    debug_assert!(inputs.flat_map(|clause| &clause.components).all(|input| !moved(&component_name(input))), "inputs depend on nothing");
    clauses.iter().for_each(|clause| separation.clause(clause));
    Ok(separation.found)
}

/// Says which components what stays reads besides those that were asked for.
pub fn remark(separated: &Separated) -> Option<String> {
    (separated.asserts > 0).then(|| {
        let names: Vec<String> = separated.reads.iter().cloned().collect();
        format!("{} assertions about what is not one of {} are left out", separated.asserts, listed(&names))
    })
}

/// Where an expression stands.
#[derive(Copy, Clone, Default)]
struct ExpressionContext {
    discrete: bool,
    no_event: bool,
    derivative: bool,
}

fn is_call(e: &Expr, name: &str) -> bool {
    matches!(&e.kind, ExprKind::Call { function, .. } if function.parts.len() == 1 && function.parts[0].name.unquoted() == name)
}

fn of_reference(reference: &ComponentRef, place: ExpressionContext, found: &mut Vec<Mention>) {
    let name = canonical(&reference.parts.iter().map(part_text).collect::<Vec<_>>().join("."));
    found.push(Mention { name, span: reference.span, smooth: !place.discrete, derivative: place.derivative });
    for subscript in reference.parts.iter().flat_map(|part| &part.subscripts) {
        if let Subscript::Index(e) = subscript {
            of_expression(e, place, found);
        }
    }
}

/// Functions whose arguments are looked at when something happens.
const AT_EVENTS: [&str; 8] = ["pre", "edge", "change", "sample", "integer", "floor", "ceil", "div"];

fn of_expression(e: &Expr, place: ExpressionContext, found: &mut Vec<Mention>) {
    let mut all = |items: &mut dyn std::iter::Iterator<Item = &Expr>| items.for_each(|item| of_expression(item, place, found));
    match &e.kind {
        ExprKind::Ref(reference) => of_reference(reference, place, found),
        ExprKind::Call { function, arguments } => {
            let called = function.parts.last().map_or("", |part| part.name.unquoted());
            let place = ExpressionContext {
                discrete: place.discrete || AT_EVENTS.contains(&called),
                no_event: place.no_event || called == "noEvent" || called == "smooth",
                derivative: place.derivative || called == "der",
            };
            arguments.positional.iter().for_each(|argument| of_expression(argument, place, found));
            arguments.named.iter().for_each(|(_, argument)| of_expression(argument, place, found));
        }
        ExprKind::Unary(_, a) | ExprKind::Parenthesised(a) | ExprKind::Field(a, _) | ExprKind::Subscripted(a, _) => {
            of_expression(a, place, found)
        }
        ExprKind::Comprehension(a, _) => of_expression(a, place, found),
        ExprKind::Binary(op, a, b) => {
            let is_relation = !matches!(op, BinaryOp::Power | BinaryOp::ElementPower);
            let place = ExpressionContext { discrete: place.discrete || is_relation && !place.no_event, ..place };
            of_expression(a, place, found);
            of_expression(b, place, found);
        }
        ExprKind::Chain(first, rest) => all(&mut std::iter::once(&**first).chain(rest.iter().map(|(_, e)| e))),
        ExprKind::If { branches, otherwise } => {
            all(&mut branches.iter().flat_map(|(condition, value)| [condition, value]).chain(std::iter::once(&**otherwise)));
        }
        ExprKind::Range { start, step, stop } => all(&mut [Some(start), step.as_ref(), Some(stop)].into_iter().flatten().map(|e| &**e)),
        ExprKind::Array(items) => all(&mut items.iter()),
        ExprKind::Matrix(rows) => all(&mut rows.iter().flatten()),
        ExprKind::Tuple(items) => all(&mut items.iter().flatten()),
        ExprKind::Integer(_) | ExprKind::Real(_) | ExprKind::String(_) | ExprKind::Boolean(_) | ExprKind::End | ExprKind::Break => {}
    }
}

fn of_equation(equation: &Equation, found: &mut Vec<Mention>) {
    let place = ExpressionContext::default();
    match &equation.kind {
        EquationKind::Equal(a, b) => {
            of_expression(a, place, found);
            of_expression(b, place, found);
        }
        EquationKind::If { branches, otherwise } => {
            for (condition, body) in branches {
                of_expression(condition, ExpressionContext { discrete: true, ..place }, found);
                body.iter().for_each(|equation| of_equation(equation, found));
            }
            otherwise.iter().flatten().for_each(|equation| of_equation(equation, found));
        }
        EquationKind::For { body, .. } => body.iter().for_each(|equation| of_equation(equation, found)),
        EquationKind::When { branches } => {
            let start = found.len();
            for (condition, body) in branches {
                of_expression(condition, place, found);
                body.iter().for_each(|equation| of_equation(equation, found));
            }
            found[start..].iter_mut().for_each(|mention| mention.smooth = false);
        }
        EquationKind::Connect(a, b) => [a, b].into_iter().for_each(|reference| of_reference(reference, place, found)),
        EquationKind::Call(e) => of_expression(e, ExpressionContext { discrete: true, ..place }, found),
    }
}

fn of_statement(statement: &Statement, discrete: bool, found: &mut Vec<Mention>) {
    let place = ExpressionContext { discrete, ..ExpressionContext::default() };
    let mut branch = |condition: &Expr, body: &[Statement], discrete: bool| {
        of_expression(condition, place, found);
        body.iter().for_each(|statement| of_statement(statement, discrete, found));
    };
    match &statement.kind {
        StatementKind::Assign(target, value) => {
            of_reference(target, place, found);
            of_expression(value, place, found);
        }
        StatementKind::AssignTuple(targets, value) => {
            targets.iter().flatten().for_each(|target| of_expression(target, place, found));
            of_expression(value, place, found);
        }
        StatementKind::Call(e) => of_expression(e, place, found),
        StatementKind::If { branches, otherwise } => {
            branches.iter().for_each(|(condition, body)| branch(condition, body, discrete));
            otherwise.iter().flatten().for_each(|statement| of_statement(statement, discrete, found));
        }
        StatementKind::For { body, .. } => body.iter().for_each(|statement| of_statement(statement, discrete, found)),
        StatementKind::While { condition, body } => branch(condition, body, discrete),
        StatementKind::When { branches } => branches.iter().for_each(|(condition, body)| branch(condition, body, true)),
        StatementKind::Break | StatementKind::Return => {}
    }
}

/// What statements assign.
fn of_targets(statement: &Statement, found: &mut Vec<Mention>) {
    let mut inside = |body: &[Statement]| body.iter().for_each(|statement| of_targets(statement, found));
    match &statement.kind {
        StatementKind::Assign(target, _) => of_reference(target, ExpressionContext::default(), found),
        StatementKind::AssignTuple(targets, _) => {
            targets.iter().flatten().for_each(|target| of_expression(target, ExpressionContext::default(), found));
        }
        StatementKind::If { branches, otherwise } => {
            branches.iter().for_each(|(_, body)| inside(body));
            otherwise.iter().for_each(|body| inside(body));
        }
        StatementKind::For { body, .. } | StatementKind::While { body, .. } => inside(body),
        StatementKind::When { branches } => branches.iter().for_each(|(_, body)| inside(body)),
        StatementKind::Call(_) | StatementKind::Break | StatementKind::Return => {}
    }
}
