//! The terms of a model's equations, and texts of the model without some of them.
//!
//! Input: a source, its syntax tree and the equations that are left after alias elimination. Output: [`Terms`]: the addends of the
//! equations that are scalar, continuous and written outside of `for`, `if` and `when`; texts without some terms, and a text in which
//! the influence of every term can be seen. Method: top-level `+` and `-` divide an equation; products are not distributed, an `if` is
//! one term. A variable that stands alone on the left is defined by its equation and is no term. In the second text each equation has
//! a disturbance `q` (a state that does not change), and each term and output is the derivative of a state of its own, so that the
//! Jacobian of that model holds all derivatives by `q`, and of terms and outputs by the states.
//! Guarantee: what is not removed is copied letter by letter. Cost: linear in the text.

use crate::pipeline::Structured;
use crate::pipeline::origins_of_continuous_equations;
use partita_grammar::ast::{BinaryOp, Class, ClassBody, ClassKind, Definition, Element, EquationKind, Expr, ExprKind, Section, UnaryOp};
use partita_grammar::{Source, Span};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// An addend.
#[derive(Copy, Clone, Debug, PartialEq)]
struct Addend {
    /// It is subtracted on its side.
    negative: bool,
    /// Where it stands, without its sign.
    span: Span,
}

/// An equation that is a sum.
#[derive(Clone, Debug)]
struct Sum {
    span: Span,
    sides: [Vec<Addend>; 2],
}

/// A term that may be removed.
#[derive(Clone, Debug)]
pub struct Term {
    /// The number of its equation.
    pub equation: usize,
    side: usize,
    place: usize,
    /// Where it stands.
    pub span: Span,
    /// As it is written.
    pub text: String,
}

/// The terms of a model.
#[derive(Clone, Debug)]
pub struct Terms {
    source: Source,
    sums: Vec<Sum>,
    /// All terms that may be removed, in the order of the text.
    pub terms: Vec<Term>,
    /// Where declarations can be added.
    declarations: usize,
}

/// The parts of a sum.
fn addends(side: &Expr) -> Vec<Addend> {
    let mut found = Vec::new();
    let mut stack = vec![(side, false)];
    while let Some((e, negative)) = stack.pop() {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Minus, a) => stack.push((a, !negative)),
            ExprKind::Unary(UnaryOp::Plus, a) => stack.push((a, negative)),
            ExprKind::Chain(first, rest) if rest.iter().all(|(op, _)| matches!(op, BinaryOp::Add | BinaryOp::Subtract)) => {
                stack.extend(rest.iter().rev().map(|(op, a)| (a, negative ^ (*op == BinaryOp::Subtract))));
                stack.push((first, negative));
            }
            ExprKind::Parenthesised(a) if is_sum(a) => stack.push((a, negative)),
            _ => found.push(Addend { negative, span: e.span }),
        }
    }
    found
}

fn is_sum(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Chain(_, rest) if rest.iter().all(|(op, _)| matches!(op, BinaryOp::Add | BinaryOp::Subtract)))
}

/// The models of a file, those inside of packages too.
pub(crate) fn models(definition: &Definition) -> Vec<&Class> {
    let mut found = Vec::new();
    let mut stack: Vec<&Class> = definition.classes.iter().collect();
    while let Some(class) = stack.pop() {
        if matches!(class.kind, ClassKind::Function | ClassKind::OperatorFunction) {
            continue;
        }
        found.push(class);
        let ClassBody::Long(body) = &class.body else { continue };
        for section in &body.sections {
            let Section::Elements { elements, .. } = section else { continue };
            stack.extend(elements.iter().filter_map(|element| match element {
                Element::Class(inner) => Some(&**inner),
                _ => None,
            }));
        }
    }
    found
}

/// The end of the last declaration of a class.
fn end_of_declarations(class: &Class, text: &str) -> Option<usize> {
    let ClassBody::Long(body) = &class.body else { return None };
    let clauses = body.sections.iter().flat_map(|section| match section {
        Section::Elements { elements, .. } => elements.as_slice(),
        _ => &[],
    });
    let last = clauses
        .filter_map(|element| match element {
            Element::Components(clause) => Some(clause.span.end as usize),
            _ => None,
        })
        .max()?;
    text[last..].find(';').map(|at| last + at + 1)
}

/// Finds the terms of the model that was structured.
pub fn find(source: &Source, definition: &Definition, structured: &Structured) -> Option<Terms> {
    let mut left: FxHashMap<Span, usize> = FxHashMap::default();
    for span in origins_of_continuous_equations(structured) {
        *left.entry(span).or_default() += 1;
    }
    let mut found = Terms { source: source.clone(), sums: Vec::new(), terms: Vec::new(), declarations: 0 };
    for class in models(definition) {
        let ClassBody::Long(body) = &class.body else { continue };
        let equations = body.sections.iter().flat_map(|section| match section {
            Section::Equations { initial: false, equations } => equations.as_slice(),
            _ => &[],
        });
        for equation in equations {
            let EquationKind::Equal(lhs, rhs) = &equation.kind else { continue };
            if left.get(&equation.span) == Some(&1) {
                found.declarations = end_of_declarations(class, &source.text)?;
                found.add(equation.span.to(lhs.span).to(rhs.span), lhs, rhs);
            }
        }
    }
    (!found.terms.is_empty()).then_some(found)
}

impl Terms {
    fn add(&mut self, whole: Span, lhs: &Expr, rhs: &Expr) {
        let sum = Sum { span: lhs.span.to(rhs.span), sides: [addends(lhs), addends(rhs)] };
        debug_assert!(whole.start <= sum.span.start, "an equation begins with its left side");
        let is_definition = [lhs, rhs].map(|side| matches!(side.kind, ExprKind::Ref(_)));
        let equation = self.sums.len();
        for side in 0..2 {
            if is_definition[side] {
                continue;
            }
            for (place, addend) in sum.sides[side].iter().enumerate() {
                let text = addend.span.text(&self.source.text).to_string();
                // A zero is what is left when there is nothing.
                if text.parse::<f64>().is_ok_and(|value| value == 0.0) {
                    continue;
                }
                self.terms.push(Term { equation, side, place, span: addend.span, text });
            }
        }
        self.sums.push(sum);
    }

    /// Number of equations with terms.
    pub fn n_equations(&self) -> usize {
        self.sums.len()
    }

    /// The line of a term, from one.
    pub fn line(&self, term: usize) -> usize {
        self.source.line_column(self.terms[term].span.start).0
    }

    /// The text of one side without some of its addends.
    fn side(&self, sum: &Sum, side: usize, is_removed: &dyn Fn(usize) -> bool) -> String {
        let mut text = String::new();
        for (place, addend) in sum.sides[side].iter().enumerate().filter(|(place, _)| !is_removed(*place)) {
            let _ = place;
            text.push_str(match (addend.negative, text.is_empty()) {
                (true, true) => "-",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            });
            let written = addend.span.text(&self.source.text);
            // A choice extends as far as it can; what follows it is not part of it.
            if written.starts_with("if") { text.push_str(&format!("({written})")) } else { text.push_str(written) }
        }
        if text.is_empty() { "0".to_string() } else { text }
    }

    /// The source without some terms, with a comment in front; nothing if an equation would say nothing any more.
    pub fn without(&self, removed: &[usize], header: &str) -> Option<Source> {
        let mut edits: Vec<(Span, String)> = Vec::new();
        for (equation, sum) in self.sums.iter().enumerate() {
            let gone: Vec<&Term> = removed.iter().map(|term| &self.terms[*term]).filter(|term| term.equation == equation).collect();
            if gone.is_empty() {
                continue;
            }
            if gone.len() == sum.sides[0].len() + sum.sides[1].len() {
                return None;
            }
            let is_removed = |side: usize| {
                let gone = &gone;
                move |place: usize| gone.iter().any(|term| term.side == side && term.place == place)
            };
            edits.push((sum.span, format!("{} = {}", self.side(sum, 0, &is_removed(0)), self.side(sum, 1, &is_removed(1)))));
        }
        Some(Source { name: self.source.name.clone(), text: with_header(&edited(&self.source.text, &edits), header) })
    }

    /// The source with disturbances, terms and outputs as states, named by [`disturbance_name`], [`term_name`] and [`output_name`].
    pub fn instrumented(&self, outputs: &[String]) -> Source {
        let mut declarations = String::new();
        let mut edits: Vec<(Span, String)> = Vec::new();
        let none = |_: usize| false;
        for (equation, sum) in self.sums.iter().enumerate() {
            let attributes = "start = 0, fixed = true, stateSelect = StateSelect.always";
            let disturbance = disturbance_name(equation);
            let _ = write!(declarations, "\n  Real {disturbance}({attributes});");
            let mut text = format!("{} = {} + {disturbance}", self.side(sum, 0, &none), self.side(sum, 1, &none));
            let _ = write!(text, ";\n  der({disturbance}) = 0");
            for (at, term) in self.terms.iter().enumerate().filter(|(_, term)| term.equation == equation) {
                // What the term adds to the left side less the right one.
                let negative = sum.sides[term.side][term.place].negative ^ (term.side == 1);
                let sign = if negative { "-" } else { "" };
                let name = term_name(at);
                let _ = write!(declarations, "\n  Real {name}({attributes}, nominal = 1e30);");
                let _ = write!(text, ";\n  der({name}) = {sign}({})", term.text);
            }
            if equation == 0 {
                for (at, output) in outputs.iter().enumerate() {
                    let name = output_name(at);
                    let _ = write!(declarations, "\n  Real {name}({attributes}, nominal = 1e30);");
                    let _ = write!(text, ";\n  der({name}) = {output}");
                }
            }
            edits.push((sum.span, text));
        }
        edits.push((Span::new(self.declarations, self.declarations), declarations));
        Source { name: self.source.name.clone(), text: edited(&self.source.text, &edits) }
    }
}

/// The state that disturbs an equation of an instrumented model.
pub(crate) fn disturbance_name(equation: usize) -> String {
    format!("partita_q_{equation}")
}

/// The state of an instrumented model whose derivative is a term.
pub(crate) fn term_name(term: usize) -> String {
    format!("partita_s_{term}")
}

/// The state of an instrumented model whose derivative is an output.
pub(crate) fn output_name(output: usize) -> String {
    format!("partita_y_{output}")
}

/// A text with pieces replaced; pieces do not overlap.
pub(crate) fn edited(text: &str, edits: &[(Span, String)]) -> String {
    let mut edits: Vec<&(Span, String)> = edits.iter().collect();
    edits.sort_by_key(|(span, _)| *span);
    let mut result = String::new();
    let mut done = 0;
    for (span, new) in edits {
        result.push_str(&text[done..span.start as usize]);
        result.push_str(new);
        done = span.end as usize;
    }
    result.push_str(&text[done..]);
    result
}

/// A text with a comment in front; the line that names the dialect stays the first.
pub(crate) fn with_header(text: &str, header: &str) -> String {
    let comment: String = header.lines().map(|line| format!("// {line}\n")).collect();
    match text.split_once('\n') {
        Some((first, rest)) if first.starts_with("//! base") => format!("{first}\n{comment}{rest}"),
        _ => format!("{comment}{text}"),
    }
}
