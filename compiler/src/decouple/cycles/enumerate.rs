//! All simple cycles of a block, if there are not too many.
//!
//! Input: a [`Block`] and limits. Output: every simple cycle, once, as a list of arcs. Method: Johnson, "Finding all the
//! elementary circuits of a directed graph", SIAM J. Comput. 4(1), 1975, with an explicit stack; parallel arcs give cycles of
//! their own. Guarantee: complete if it does not say that a limit was reached. Cost: O((nodes + arcs) * (cycles + 1)), cut off by
//! the limit of arc visits.

use super::decompose::Block;

/// A limit was reached; the cycles given so far are not all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exceeded;

/// Limits of an enumeration; both are used up.
#[derive(Copy, Clone, Debug)]
pub(super) struct Limits {
    /// Cycles that may still be found.
    pub(super) cycles: u64,
    /// Arcs that may still be visited.
    pub(super) visits: u64,
}

impl Limits {
    fn spend(&mut self, visits: u64) -> Result<(), Exceeded> {
        self.visits = self.visits.checked_sub(visits).ok_or(Exceeded)?;
        Ok(())
    }
}

/// The nodes behind `start` that are reached from it along arcs (or against them), among those that are allowed.
fn reach(
    block: &Block,
    start: usize,
    (arcs_of, forward): (&[Vec<usize>], bool),
    allowed: Option<&[bool]>,
    limits: &mut Limits,
) -> Result<Vec<bool>, Exceeded> {
    let mut seen = vec![false; block.n];
    seen[start] = true;
    let mut stack = vec![start];
    while let Some(node) = stack.pop() {
        limits.spend(arcs_of[node].len() as u64)?;
        for &at in &arcs_of[node] {
            let other = if forward { block.arcs[at].to } else { block.arcs[at].from };
            if other > start && !seen[other] && allowed.is_none_or(|allowed| allowed[other]) {
                seen[other] = true;
                stack.push(other);
            }
        }
    }
    Ok(seen)
}

/// Gives every simple cycle of a block as arcs in order.
pub(super) fn enumerate(block: &Block, limits: &mut Limits, mut found: impl FnMut(&[usize])) -> Result<(), Exceeded> {
    struct Visit {
        node: usize,
        next: usize,
        closed_a_cycle: bool,
    }
    let n = block.n;
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (at, arc) in block.arcs.iter().enumerate() {
        out[arc.from].push(at);
        into[arc.to].push(at);
    }
    let mut active = vec![false; n];
    let mut blocked = vec![false; n];
    // Nodes that become free when a node becomes free.
    let mut waits_for: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut path: Vec<usize> = Vec::new();
    let mut stack: Vec<usize> = Vec::new();
    for start in 0..n {
        // Nodes from `start` on that are on a common cycle with it.
        let forward = reach(block, start, (&out, true), None, limits)?;
        active.copy_from_slice(&reach(block, start, (&into, false), Some(&forward), limits)?);
        blocked.fill(false);
        waits_for.iter_mut().for_each(Vec::clear);
        blocked[start] = true;
        let mut visits = vec![Visit { node: start, next: 0, closed_a_cycle: false }];
        while let Some(visit) = visits.last_mut() {
            let node = visit.node;
            if let Some(&at) = out[node].get(visit.next) {
                visit.next += 1;
                limits.spend(1)?;
                let to = block.arcs[at].to;
                if to == start {
                    visit.closed_a_cycle = true;
                    limits.cycles = limits.cycles.checked_sub(1).ok_or(Exceeded)?;
                    path.push(at);
                    limits.spend(path.len() as u64)?;
                    found(&path);
                    path.pop();
                } else if to > start && active[to] && !blocked[to] {
                    blocked[to] = true;
                    path.push(at);
                    visits.push(Visit { node: to, next: 0, closed_a_cycle: false });
                }
                continue;
            }
            let closed_a_cycle = visit.closed_a_cycle;
            visits.pop();
            path.pop();
            if closed_a_cycle {
                stack.push(node);
                while let Some(free) = stack.pop() {
                    if std::mem::replace(&mut blocked[free], false) {
                        stack.append(&mut waits_for[free]);
                    }
                }
                if let Some(parent) = visits.last_mut() {
                    parent.closed_a_cycle = true;
                }
            } else {
                for &at in &out[node] {
                    let to = block.arcs[at].to;
                    if to > start && active[to] && !waits_for[to].contains(&node) {
                        waits_for[to].push(node);
                    }
                }
            }
        }
    }
    Ok(())
}
