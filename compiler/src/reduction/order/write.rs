//! The text of a model of lower order.
//!
//! Input: the affine system, a smaller one, what was met at the start. Output: the source without its continuous part and with the smaller
//! system in its place; the source with its signals as variables. Method: states `partita_x`, signals `partita_u1`, ..., the same before an
//! event `partita_v1`, ..., relations `partita_r1`, .... What residualisation adds to an output takes signals as they were before an event:
//! whoever reads the output decides by what was there, and the signals that follow from the decision do not act back on it at once.
//! With reset maps `partita_x` is measured from the equilibrium of the mode and set anew where a mode changes.
//! Guarantee: numbers are written such that they are read back the same. Cost: linear in the text.

use super::system::{System, relation_name};
use crate::equations::expr::print::number;
use crate::reduction::terms::{edited, with_header};
use partita_grammar::ast::{Class, ClassBody};
use partita_grammar::{Source, Span};
use partita_runtime::linear::balancing::{Matrix, Reduced};
use std::fmt::Write;

/// Where the modes' part of a smaller system stands.
#[derive(Clone, Debug)]
pub struct Resets {
    /// Signals that modes consist of.
    pub modes: Vec<usize>,
    /// New states from states.
    pub l: Matrix,
    /// New states from the other signals.
    pub m: Matrix,
    /// New states from the change of modes.
    pub n: Matrix,
    /// Outputs from modes: equilibria.
    pub y: Matrix,
}

/// A smaller system that takes the place of the continuous part.
#[derive(Clone, Debug)]
pub struct Smaller {
    /// Its matrices; columns of inputs are those of all signals.
    pub reduced: Reduced,
    /// States at the start.
    pub start: Vec<f64>,
    /// Relations at the start.
    pub relations: Vec<bool>,
    /// Numbers in outputs.
    pub level: Vec<f64>,
    /// How states are set anew where modes change.
    pub resets: Option<Resets>,
}

/// Adds `factor * name` to a sum.
fn add(sum: &mut String, factor: f64, name: &str) {
    if factor == 0.0 {
        return;
    }
    sum.push_str(match (factor < 0.0, sum.is_empty()) {
        (true, true) => "-",
        (true, false) => " - ",
        (false, true) => "",
        (false, false) => " + ",
    });
    let size = factor.abs();
    match (name.is_empty(), size == 1.0) {
        (true, _) => sum.push_str(&number(size)),
        (false, true) => sum.push_str(name),
        (false, false) => {
            let _ = write!(sum, "{}*{name}", number(size));
        }
    }
}

fn whole(sum: String) -> String {
    if sum.is_empty() { "0".to_string() } else { sum }
}

fn state(at: usize) -> String {
    format!("partita_x[{}]", at + 1)
}

/// The variable of a signal.
pub fn signal(at: usize) -> String {
    format!("partita_u{}", at + 1)
}

/// A signal as it was before an event.
fn before(system: &System, at: usize) -> String {
    if system.signals[at].jumps { format!("partita_v{}", at + 1) } else { signal(at) }
}

/// Where a class ends: before its annotation.
fn end_of_class(class: &Class, text: &str) -> usize {
    let ClassBody::Long(body) = &class.body else { return class.span.end as usize };
    let annotation = body.annotations.iter().map(|annotation| annotation.span.start as usize).min();
    let name = body.end_name.as_ref().map_or(class.span.end as usize, |name| name.span.start as usize);
    let position = annotation.or_else(|| text[..name].rfind("end")).unwrap_or(name);
    // The beginning of the line.
    let line = text[..position].rfind('\n').map_or(position, |at| at + 1);
    if text[line..position].trim().is_empty() { line } else { position }
}

/// Declarations and equations of signals.
fn signals(system: &System, relations: &[bool]) -> (String, String) {
    let (mut declarations, mut equations) = (String::new(), String::new());
    for at in 0..system.signals.len() {
        let _ = writeln!(declarations, "  Real {} \"what acts on the states\";", signal(at));
        let _ = writeln!(equations, "  {} = {};", signal(at), system.signals[at].text);
    }
    for (at, text) in system.relations.iter().enumerate() {
        let start = relations.get(at).map_or(String::new(), |value| format!("(start = {value}, fixed = true)"));
        let _ = writeln!(declarations, "  Boolean {}{start};", relation_name(at));
        let _ = writeln!(equations, "  {} = {text};", relation_name(at));
    }
    (declarations, equations)
}

fn inserted(class: &Class, source: &Source, declarations: &str, equations: &str) -> (Span, String) {
    let at = end_of_class(class, &source.text);
    (Span::new(at, at), format!("public\n{declarations}equation\n{equations}"))
}

/// The source with its signals as variables.
pub fn instrumented(system: &System, source: &Source, class: &Class) -> Source {
    let (declarations, equations) = signals(system, &[]);
    if declarations.is_empty() {
        return source.clone();
    }
    let edit = inserted(class, source, &declarations, &equations);
    Source { name: source.name.clone(), text: edited(&source.text, &[edit]) }
}

/// The source with a smaller system in the place of its continuous part.
pub fn smaller(system: &System, smaller: &Smaller, source: &Source, class: &Class, header: &str) -> Source {
    let (mut declarations, mut equations) = signals(system, &smaller.relations);
    let Smaller { reduced, start, level, resets, .. } = smaller;
    let k = reduced.a.rows;
    if k > 0 {
        let starts: Vec<String> = start.iter().map(|value| number(*value)).collect();
        let attributes = format!("(start = {{{}}}, each fixed = true)", starts.join(", "));
        let _ = writeln!(declarations, "  Real partita_x[{k}]{attributes} \"states of the smaller model\";");
    }
    let is_mode = |at: usize| resets.as_ref().is_some_and(|resets| resets.modes.contains(&at));
    for row in 0..k {
        let mut sum = String::new();
        (0..k).for_each(|column| add(&mut sum, reduced.a.get(row, column), &state(column)));
        (0..system.signals.len()).filter(|at| !is_mode(*at)).for_each(|at| add(&mut sum, reduced.b.get(row, at), &signal(at)));
        let _ = writeln!(equations, "  der({}) = {};", state(row), whole(sum));
    }
    let mut held = vec![false; system.signals.len()];
    for (row, name) in system.written.iter().enumerate() {
        let mut sum = String::new();
        (0..k).for_each(|column| add(&mut sum, reduced.c.get(row, column), &state(column)));
        for at in 0..system.signals.len() {
            add(&mut sum, system.d.get(row, at), &signal(at));
            let mode = resets.as_ref().and_then(|resets| Some((resets, resets.modes.iter().position(|mode| *mode == at)?)));
            let through = mode.map_or_else(|| reduced.d.get(row, at), |(resets, mode)| resets.y.get(row, mode));
            held[at] |= through != 0.0;
            add(&mut sum, through, &before(system, at));
        }
        add(&mut sum, level[row], "");
        let _ = writeln!(equations, "  {name} = {};", whole(sum));
    }
    if let Some(resets) = resets {
        equations.push_str(&reset_equations(system, resets, &mut held));
    }
    for at in (0..system.signals.len()).filter(|at| held[*at] && system.signals[*at].jumps) {
        let _ = writeln!(declarations, "  Real {} \"the same before an event\";", before(system, at));
        let _ = writeln!(equations, "  {} = {};", before(system, at), system.signals[at].before);
    }
    let mut edits = system.separated.edits.clone();
    edits.push(inserted(class, source, &declarations, &equations));
    Source { name: source.name.clone(), text: with_header(&edited(&source.text, &edits), header) }
}

/// What happens where a mode changes.
fn reset_equations(system: &System, resets: &Resets, held: &mut [bool]) -> String {
    let mut discrete: Vec<&String> = resets.modes.iter().flat_map(|at| &system.signals[*at].discrete).collect();
    discrete.sort();
    discrete.dedup();
    if discrete.is_empty() {
        return String::new();
    }
    let changes: Vec<String> = discrete.iter().map(|name| format!("change({name})")).collect();
    let mut text = format!("  when {{{}}} then\n", changes.join(", "));
    let others: Vec<usize> = (0..system.signals.len()).filter(|at| !resets.modes.contains(at)).collect();
    for row in 0..resets.l.rows {
        let mut sum = String::new();
        (0..resets.l.columns).for_each(|column| add(&mut sum, resets.l.get(row, column), &format!("pre({})", state(column))));
        for (column, at) in others.iter().enumerate() {
            held[*at] |= resets.m.get(row, column) != 0.0;
            add(&mut sum, resets.m.get(row, column), &before(system, *at));
        }
        for (column, at) in resets.modes.iter().enumerate() {
            held[*at] |= resets.n.get(row, column) != 0.0;
            add(&mut sum, resets.n.get(row, column), &format!("({} - {})", before(system, *at), signal(*at)));
        }
        let _ = writeln!(text, "    reinit({}, {});", state(row), whole(sum));
    }
    text.push_str("  end when;\n");
    text
}
