//! The text form of a whole program: schedules, blocks and the code of every kernel.

use crate::program::lower::Program;
use crate::program::print::{print, print_loop};
use crate::program::reroll::{CodePart, reroll};
use partita_runtime::model::plan::{BlockKind, Schedule, Slot, Step};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The whole program.
pub fn program(program: &Program) -> String {
    let plan = &program.plan;
    let names: FxHashMap<Slot, &str> = plan.memory.slot_names.iter().map(|(slot, name)| (*slot, name.as_str())).collect();
    let name = |slot: Slot| names.get(&slot).map(|n| n.to_string());
    let known = |slot: &Slot| name(*slot).unwrap_or_else(|| slot.to_string());
    let mut out = format!("program {}: {} slots, {} kernels\n", plan.name, plan.memory.n_slots, program.codes.len());
    let states: Vec<&str> = plan.states.iter().map(|s| s.name.as_str()).collect();
    let _ = writeln!(out, "states {}", states.join(", "));
    let schedule = |out: &mut String, title: &str, schedule: &Schedule| {
        let steps: Vec<String> = schedule
            .steps
            .iter()
            .map(|step| match step {
                Step::Kernel(k) => k.to_string(),
                Step::Block(b) => b.to_string(),
            })
            .collect();
        let _ = writeln!(out, "{title}: {}", steps.join(" "));
    };
    schedule(&mut out, "parameters", &plan.start.parameters);
    schedule(&mut out, "initial", &plan.start.initial);
    if let Some(by_states) = &plan.start.initial_by_states {
        schedule(&mut out, "initial by states", by_states);
    }
    for way in &plan.start.initial_alternatives {
        schedule(&mut out, &format!("initial from {} instead of {}", way.taken.join(", "), way.left.join(", ")), &way.schedule);
    }
    if let Some(homotopy) = &plan.start.initial_homotopy {
        schedule(&mut out, "initial by homotopy", homotopy);
    }
    schedule(&mut out, "derivatives", &plan.derivatives);
    schedule(&mut out, "before crossings", &plan.crossing.before_crossings);
    schedule(&mut out, "outputs", &plan.outputs);
    schedule(&mut out, "event", &plan.events.event);
    for (kernel, tangent) in &plan.tangent_of {
        let _ = writeln!(out, "tangent of {kernel}: {tangent}");
    }
    for (id, block) in plan.blocks.iter() {
        let kind = if block.kind == BlockKind::Linear { "linear" } else { "nonlinear" };
        let unknowns: Vec<String> = block.unknowns.iter().map(known).collect();
        let _ = writeln!(out, "{id}: {kind}, unknowns {}, residual {}, tangent {}", unknowns.join(", "), block.residual, block.tangent);
        if let Some(slopes) = block.jacobian_product.filter(|slopes| *slopes != block.tangent) {
            let _ = writeln!(out, "  slopes {slopes}{}", if block.frozen { ", which change at events only" } else { "" });
        }
        if let Some(linearisation) = block.linearisation {
            let _ = writeln!(out, "  partial derivatives {linearisation}");
        }
        if let Some(form) = &block.closed {
            let _ = writeln!(out, "  coefficients of the closed form {}", form.coefficients);
            for others in form.branches.iter().filter_map(|branch| branch.others.as_ref()) {
                let _ = writeln!(out, "  what follows from a root {}", others.kernel);
            }
        }
        for equation in &block.equations {
            let _ = writeln!(out, "  {}", equation.text);
        }
    }
    for (id, code) in program.codes.iter() {
        let _ = writeln!(out, "kernel {id}");
        out.push_str(&print(code, &program.functions, &name));
    }
    out
}

/// The functions for the derivatives of parts of the states, beside the one for all of them: what each one computes.
pub fn parts(program: &Program) -> String {
    let plan = &program.plan;
    let names: FxHashMap<Slot, &str> = plan.memory.slot_names.iter().map(|(slot, name)| (*slot, name.as_str())).collect();
    let name = |slot: Slot| names.get(&slot).map(|n| n.to_string());
    let mut out = String::new();
    let mut function = |title: &str, schedule: &Schedule| {
        let size: usize = schedule.steps.iter().map(|step| instructions(program, step)).sum();
        let _ = writeln!(out, "derivatives of {title}: {size} instructions");
        for step in &schedule.steps {
            match step {
                Step::Kernel(kernel) => out.push_str(&print(&program.codes[*kernel], &program.functions, &name)),
                Step::Block(block) => {
                    let equations: Vec<&str> = plan.blocks[*block].equations.iter().map(|equation| equation.text.as_str()).collect();
                    let _ = writeln!(out, "solve {}", equations.join("; "));
                }
            }
        }
    };
    function("all states", &plan.derivatives);
    for part in &plan.pieces.parts {
        let states: Vec<&str> = part.states.iter().map(|&state| plan.states[state].name.as_str()).collect();
        function(&states.join(", "), &part.derivatives);
    }
    out
}

/// How much code a step has; a system counts with its residual once.
fn instructions(program: &Program, step: &Step) -> usize {
    match step {
        Step::Kernel(kernel) => program.codes[*kernel].instrs.len(),
        Step::Block(block) => program.codes[program.plan.blocks[*block].residual].instrs.len(),
    }
}

/// The code of kernels that run often as loops, where there are any. Kernels without loops are named only.
pub fn loops(program: &Program) -> String {
    let names: FxHashMap<Slot, &str> = program.plan.memory.slot_names.iter().map(|(slot, name)| (*slot, name.as_str())).collect();
    let name = |slot: Slot| names.get(&slot).map(|n| n.to_string());
    let mut out = String::new();
    for kernel in &program.hot {
        let code = &program.codes[*kernel];
        let Some(parts) = reroll(code) else {
            let _ = writeln!(out, "kernel {kernel}: {} instructions without loops", code.instrs.len());
            continue;
        };
        let _ = writeln!(out, "kernel {kernel}: {} instructions", code.instrs.len());
        for part in &parts {
            match part {
                CodePart::Straight(code) => {
                    out.push_str("once\n");
                    out.push_str(&print(code, &program.functions, &name));
                }
                CodePart::Loop(rerolled) => {
                    let _ = writeln!(out, "{} iterations", rerolled.iterations);
                    out.push_str(&print_loop(rerolled, &program.functions, &name));
                }
            }
        }
    }
    out
}
