//! `--profile`: where the time of a run went, by equations with their lines, and which states limited the steps.

use partita::pipeline::Compiled;
use partita_grammar::Source;
use partita_runtime::exec::Instance;
use partita_runtime::exec::profile::Cost;
use partita_runtime::integrate::Statistics;
use partita_runtime::model::interface::HybridModel;
use partita_runtime::model::plan::{BlockKind, KernelId, Slot, Step};
use std::fmt::Write;
use std::time::Duration;

/// How many of the most expensive are shown.
const SHOWN: usize = 15;

/// One line of the table.
struct Row {
    cost: Cost,
    what: String,
}

/// The table for people.
pub(crate) fn text(source: &Source, compiled: &Compiled, instance: &Instance, statistics: &Statistics, run_time: Duration) -> String {
    let Some(profile) = instance.profile() else { return String::new() };
    let plan = &compiled.program.plan;
    let schedules = [
        ("derivatives", &plan.derivatives),
        ("results", &plan.outputs),
        ("crossings", &plan.crossing.before_crossings),
        ("events", &plan.events.event),
        ("start", &plan.start.initial),
        ("parameters", &plan.start.parameters),
    ];
    let mut rows = Vec::new();
    for (name, schedule) in schedules {
        for step in &schedule.steps {
            let (cost, what) = match step {
                Step::Kernel(kernel) => (profile.kernels[*kernel], assignments(source, compiled, *kernel)),
                Step::Block(block) => {
                    let cost = profile.blocks[*block];
                    let block = &plan.blocks[*block];
                    let kind = if block.kind == BlockKind::Linear { "linear" } else { "nonlinear" };
                    let line = block.equations.first().map_or(String::new(), |label| format!(", line {}", line(source, label.span.0)));
                    let unknowns = names(compiled, &block.unknowns);
                    (cost, format!("{kind} system of {} equations for {unknowns}{line}", block.size))
                }
            };
            rows.push(Row { cost, what: format!("{name}: {what}") });
        }
    }
    rows.push(Row { cost: profile.jacobians, what: "Jacobians of the derivatives".to_string() });
    rows.retain(|row| row.cost.calls > 0);
    rows.sort_by_key(|row| std::cmp::Reverse(row.cost.time));
    let known: Duration = rows.iter().map(|row| row.cost.time).sum();
    let part = |time: Duration| 100.0 * time.as_secs_f64() / run_time.as_secs_f64().max(1e-9);
    let mut text = "where the time of the run went\n       ms    part      calls  what\n".to_string();
    let mut line = |cost: Duration, calls: String, what: &str| {
        let _ = writeln!(text, "{:9.2} {:6.1}% {calls:>10}  {what}", cost.as_secs_f64() * 1e3, part(cost));
    };
    for row in rows.iter().take(SHOWN) {
        line(row.cost.time, row.cost.calls.to_string(), &row.what);
    }
    if rows.len() > SHOWN {
        let rest: Duration = rows[SHOWN..].iter().map(|row| row.cost.time).sum();
        line(rest, String::new(), &format!("{} more", rows.len() - SHOWN));
    }
    line(run_time.saturating_sub(known), String::new(), "integration, events and writing");
    let mut limits: Vec<(u64, usize)> =
        statistics.limited.iter().enumerate().filter(|(_, count)| **count > 0).map(|(state, count)| (*count, state)).collect();
    limits.sort_by_key(|(count, state)| (std::cmp::Reverse(*count), *state));
    let total: u64 = limits.iter().map(|(count, _)| count).sum();
    if total > 0 {
        let _ = writeln!(text, "states that limited the step, of {total} attempts");
        for (count, state) in limits.iter().take(10) {
            let _ = writeln!(text, "{count:>10} {:6.1}%  {}", 100.0 * *count as f64 / total as f64, instance.state_name(*state));
        }
    }
    text
}

/// For programs.
pub(crate) fn json(source: &Source, compiled: &Compiled, instance: &Instance, statistics: &Statistics) -> serde_json::Value {
    let Some(profile) = instance.profile() else { return serde_json::Value::Null };
    let plan = &compiled.program.plan;
    let cost = |cost: &Cost| serde_json::json!({ "calls": cost.calls, "seconds": cost.time.as_secs_f64() });
    let blocks: Vec<serde_json::Value> = plan
        .blocks
        .iter()
        .filter(|(id, _)| profile.blocks[*id].calls > 0)
        .map(|(id, block)| {
            let unknowns: Vec<String> = block.unknowns.iter().map(|slot| name(compiled, *slot)).collect();
            let line = block.equations.first().map(|label| line(source, label.span.0));
            serde_json::json!({ "size": block.size, "unknowns": unknowns, "line": line, "cost": cost(&profile.blocks[id]) })
        })
        .collect();
    let kernels: Vec<serde_json::Value> = compiled
        .program
        .codes
        .keys()
        .filter(|kernel| profile.kernels[*kernel].calls > 0)
        .map(|kernel| serde_json::json!({ "what": assignments(source, compiled, kernel), "cost": cost(&profile.kernels[kernel]) }))
        .collect();
    let limits: Vec<serde_json::Value> = statistics
        .limited
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0)
        .map(|(state, count)| serde_json::json!({ "state": instance.state_name(state), "attempts": count }))
        .collect();
    serde_json::json!({ "blocks": blocks, "assignments": kernels, "jacobians": cost(&profile.jacobians), "limiting_states": limits })
}

/// The line of a byte of the source.
fn line(source: &Source, at: u32) -> usize {
    source.text.as_bytes().iter().take(at as usize).filter(|byte| **byte == b'\n').count() + 1
}

fn name(compiled: &Compiled, slot: Slot) -> String {
    let names = &compiled.program.plan.memory.slot_names;
    names.iter().find(|(other, _)| *other == slot).map_or_else(|| slot.to_string(), |(_, name)| name.clone())
}

/// Up to three names.
fn names(compiled: &Compiled, slots: &[Slot]) -> String {
    let some: Vec<String> = slots.iter().take(3).map(|slot| name(compiled, *slot)).collect();
    let more = slots.len().saturating_sub(3);
    if more > 0 { format!("{} and {more} more", some.join(", ")) } else { some.join(", ") }
}

/// What a kernel of assignments computes, and from which lines.
fn assignments(source: &Source, compiled: &Compiled, kernel: KernelId) -> String {
    let program = &compiled.program;
    let slots = program.codes[kernel].stored_slots();
    let places: Vec<u32> = slots.iter().filter_map(|slot| program.span_of[*slot]).map(|span| span.start).collect();
    let lines = match (places.iter().min(), places.iter().max()) {
        (Some(first), Some(last)) => {
            let (first, last) = (line(source, *first), line(source, *last));
            if first == last { format!(", line {first}") } else { format!(", lines {first} to {last}") }
        }
        _ => String::new(),
    };
    format!("{} assignments of {}{lines}", slots.len(), names(compiled, &slots))
}
