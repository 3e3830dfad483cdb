//! Closed forms as text.

use crate::base::ids::ExprId;
use crate::equations::dae::System;
use crate::equations::dae::text::expression_text;
use crate::sorting::sorted::{Sorted, Sorting};
use crate::sorting::tearing::{ClosedForm, Factor, TornStep};
use partita_runtime::model::closed_form::{Layer, SignDomain};
use std::fmt::Write;
use std::sync::Arc;

/// All closed forms: at the start, between events, and at events where these are other problems.
pub fn print(sys: &System, sorting: &Sorting) -> String {
    let mut out = String::new();
    problem(sys, "start", &sorting.initial, &mut out);
    problem(sys, "simulation", &sorting.simulation, &mut out);
    if !Arc::ptr_eq(&sorting.simulation, &sorting.event) {
        problem(sys, "events", &sorting.event, &mut out);
    }
    out
}

fn problem(sys: &System, what: &str, sorted: &Sorted, out: &mut String) {
    let _ = writeln!(out, "{what}");
    let blocks = sorted.torn.steps.iter().filter_map(|step| match step {
        TornStep::Solve(block) if !block.linear => Some(block),
        _ => None,
    });
    for block in blocks {
        let names: Vec<&str> = block.iteration.iter().map(|a| sys.vars[a.var].name.as_str()).collect();
        match &block.closed {
            None => {
                let _ = writeln!(out, "  {}: by Newton's method", names.join(", "));
            }
            Some(form) => closed_form(sys, &names, form, out),
        }
    }
}

fn closed_form(sys: &System, names: &[&str], form: &ClosedForm, out: &mut String) {
    let how = if form.is_direct { "in closed form" } else { "in closed form where Newton's method fails" };
    let _ = writeln!(out, "  {}: {how}", names.join(", "));
    let n_roots: usize = form.branches.iter().map(|branch| branch.factors.len()).sum();
    let mut number = 0;
    for branch in &form.branches {
        for one in &branch.factors {
            number += 1;
            if n_roots > 1 {
                let _ = writeln!(out, "   root {number} of {n_roots}");
            }
            factor(sys, names[branch.unknown], one, out);
        }
        for (unknown, value) in &branch.others {
            let _ = writeln!(out, "    {} = {}", names[*unknown], expression_text(sys, *value));
        }
    }
}

/// One line per layer; what lies between them is called `u1`, `u2` and so on.
fn factor(sys: &System, name: &str, factor: &Factor, out: &mut String) {
    let mut rest = factor.coefficients.as_slice();
    let mut value = "0".to_owned();
    for (depth, layer) in factor.layers.iter().enumerate() {
        let is_last = depth + 1 == factor.layers.len();
        let operand = if is_last { name.to_owned() } else { format!("u{}", depth + 1) };
        let (own, others) = rest.split_at(layer.n_coefficients());
        rest = others;
        let _ = writeln!(out, "    {value} = {}", layer_text(sys, layer, own, &operand));
        value = operand;
    }
}

fn layer_text(sys: &System, layer: &Layer, own: &[ExprId], operand: &str) -> String {
    match layer {
        Layer::Rational { numerator, side, .. } => {
            let (above, below) = own.split_at(*numerator);
            let (above, below) = (polynomial(sys, above, operand), polynomial(sys, below, operand));
            let quotient = if below == "(1)" { above } else { format!("[{above}] / [{below}]") };
            match side {
                SignDomain::Both => quotient,
                SignDomain::Positive => format!("{quotient}, {operand} >= 0"),
                SignDomain::Negative => format!("{quotient}, {operand} <= 0"),
            }
        }
        Layer::Function(function) => format!("{}({operand})", format!("{function:?}").to_lowercase()),
        Layer::Power => format!("{operand}^({})", expression_text(sys, own[0])),
        Layer::Exponential => format!("({})^{operand}", expression_text(sys, own[0])),
    }
}

/// The terms whose coefficients are not literally zero.
fn polynomial(sys: &System, coefficients: &[ExprId], operand: &str) -> String {
    let term = |(power, coefficient): (usize, &ExprId)| {
        let coefficient = format!("({})", expression_text(sys, *coefficient));
        match power {
            0 => coefficient,
            1 => format!("{coefficient}*{operand}"),
            _ => format!("{coefficient}*{operand}^{power}"),
        }
    };
    let terms = coefficients.iter().enumerate().filter(|(_, c)| !sys.arena.is_zero(**c)).map(term);
    terms.collect::<Vec<_>>().join(" + ")
}
