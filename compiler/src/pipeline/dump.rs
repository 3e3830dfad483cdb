//! Text forms of what the passes behind `dae` decide. Stable: equal input gives equal text.

use crate::equations::dae::text::expression_text;
use crate::equations::dae::{self, System};
use crate::sorting::sorted::Sorted;
use crate::sorting::tearing::{Assignment, TornStep};
use crate::structure::blt::{Block, Blocks};
use crate::structure::print::{Names, counted, incidence_svg};
use crate::transform::alias::{Alias, AliasMap};
use crate::transform::index_reduction::Reduction;
use std::fmt::Write;

/// What was eliminated, and the equations that remain.
pub fn aliases(sys: &System, aliases: &AliasMap) -> String {
    let mut out = format!("aliases of {}: {} eliminated\n", sys.name, aliases.n_eliminated);
    for (id, var) in sys.vars.iter() {
        match aliases.of[id] {
            None => {}
            Some(Alias::Constant(value)) => {
                let _ = writeln!(out, "  {} = {value}", var.name);
            }
            Some(Alias::Variable(target, factor)) => {
                let _ = writeln!(out, "  {} = {}{}", var.name, if factor < 0.0 { "-" } else { "" }, sys.vars[target].name);
            }
        }
    }
    out.push_str("equations\n");
    dae::print::equations(sys, &mut out);
    out
}

/// Which equations were differentiated, and how often.
pub fn differentiations(sys: &System, reduction: &Reduction) -> String {
    let index = reduction.counts.iter().map(|(_, count)| *count).max().unwrap_or(0) + 1;
    let mut out = format!("structural index {index}\n");
    for (eq, count) in &reduction.counts {
        let equation = sys.eqs[*eq];
        let _ = writeln!(out, "  {eq} x{count}  {} = {}", expression_text(sys, equation.lhs), expression_text(sys, equation.rhs));
    }
    out.push_str("equations\n");
    dae::print::equations(sys, &mut out);
    out
}

/// The chosen states.
pub fn states(sys: &System, reduction: &Reduction) -> String {
    let mut out = String::from("states\n");
    for (x, dx) in &reduction.states {
        let _ = writeln!(out, "  {}, derivative {}", sys.vars[*x].name, sys.vars[*dx].name);
    }
    if !reduction.dummies.is_empty() {
        out.push_str("dummy derivatives\n");
        for dummy in &reduction.dummies {
            let _ = writeln!(out, "  {}", sys.vars[*dummy].name);
        }
    }
    for (candidates, dummies) in &reduction.varying {
        let names = |list: &[crate::base::ids::VarId]| list.iter().map(|v| sys.vars[*v].name.clone()).collect::<Vec<_>>().join(", ");
        let _ = writeln!(out, "choice that can become singular: {} of {}", names(dummies), names(candidates));
    }
    for set in &reduction.sets {
        let candidates: Vec<&str> = set.candidates.iter().map(|(x, _)| sys.vars[*x].name.as_str()).collect();
        let _ = writeln!(out, "chosen again while running: {} of {}", set.states.len(), candidates.join(", "));
    }
    out
}

/// The blocks of equations that are solved together, in evaluation order, before tearing.
pub fn blocks(sys: &System, sorted: &Sorted) -> String {
    let equation = |row| {
        let equation = sorted.problem.equations[row];
        format!("{} = {}", expression_text(sys, equation.lhs), expression_text(sys, equation.rhs))
    };
    let mut out = String::new();
    for (n, step) in sorted.torn.steps.iter().enumerate() {
        match step {
            TornStep::Assign(a) => {
                let _ = writeln!(out, "block {n}: {} from {}", sys.vars[a.var].name, equation(a.row));
            }
            TornStep::Solve(block) => {
                let mut pairs: Vec<&Assignment> = block.iteration.iter().chain(&block.inner).chain(&block.discrete).collect();
                pairs.sort_by_key(|a| a.var);
                let names: Vec<&str> = pairs.iter().map(|a| sys.vars[a.var].name.as_str()).collect();
                let _ = writeln!(out, "block {n}: {} from", names.join(", "));
                pairs.sort_by_key(|a| a.row);
                for a in pairs {
                    let _ = writeln!(out, "  {}", equation(a.row));
                }
            }
        }
    }
    out
}

/// The incidence of a sorted problem as it is written and in evaluation order, as an SVG picture.
pub fn incidence_picture(sys: &System, sorted: &Sorted) -> String {
    let problem = &sorted.problem;
    let mut blocks = Blocks::default();
    for step in &sorted.torn.steps {
        let mut pairs: Vec<&Assignment> = match step {
            TornStep::Assign(a) => vec![a],
            TornStep::Solve(block) => block.iteration.iter().chain(&block.inner).chain(&block.discrete).collect(),
        };
        pairs.sort_by_key(|a| a.row);
        let cols = pairs.iter().filter_map(|a| problem.col_of[a.var].expand());
        blocks.blocks.push(Block { rows: pairs.iter().map(|a| a.row).collect(), cols: cols.collect() });
    }
    let names = Names {
        row: &|row| {
            let equation = problem.equations[row];
            format!("{} = {}", expression_text(sys, equation.lhs), expression_text(sys, equation.rhs))
        },
        col: &|col| sys.vars[problem.unknowns[col]].name.clone(),
    };
    incidence_svg(&problem.incidence, &blocks, &names)
}

/// Steps in evaluation order: assignments and torn systems.
pub fn sorted(sys: &System, sorted: &Sorted) -> String {
    let mut out = String::new();
    let assign = |out: &mut String, indent: &str, a: &Assignment| {
        let _ = writeln!(out, "{indent}{} := {}", sys.vars[a.var].name, expression_text(sys, a.value));
    };
    let mut n_blocks = 0;
    for step in &sorted.torn.steps {
        match step {
            TornStep::Assign(a) => assign(&mut out, "", a),
            TornStep::Solve(block) => {
                let kind = if block.linear { "linear" } else { "nonlinear" };
                let mixed = if block.discrete.is_empty() { "" } else { "mixed " };
                let _ = writeln!(
                    out,
                    "{mixed}{kind} system {n_blocks} of {}, iterating on {}",
                    counted(block.size, "equation"),
                    counted(block.iteration.len(), "unknown")
                );
                n_blocks += 1;
                block.inner.iter().for_each(|a| assign(&mut out, "  ", a));
                for a in &block.iteration {
                    let _ = writeln!(out, "  solve for {}: 0 = {}", sys.vars[a.var].name, expression_text(sys, a.value));
                }
                for a in &block.discrete {
                    assign(&mut out, "  then ", a);
                }
            }
        }
    }
    out
}
