//! Groups the steps of the derivatives into cells: pieces of which any subset of the derivatives needs some as a whole.
//!
//! Input: the sorted simulation problem and what its steps are needed for. Output: cells in an order in which each one reads from earlier
//! ones only, and the cell of every state's derivative.
//! Method: from the last step to the first. A system of equations, the derivative of a state, and what several cells read begin a cell; what
//! one cell alone reads joins it. So whoever needs a part of a cell needs all of it (Casella 2015 computes subsets of derivatives on the
//! same graph). Guarantee: every step is in one cell; only the last step of a cell is seen from outside. Cost: linear.

use crate::equations::dae::System;
use crate::program::needs::{Level, Needs, accesses};
use crate::sorting::sorted::Sorting;
use crate::sorting::tearing::TornStep;

/// Steps that are run together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellSteps {
    /// Positions of its steps in the simulation problem, ascending.
    pub steps: Vec<usize>,
    /// The cells that it reads from, ascending.
    pub needs: Vec<usize>,
}

/// All cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grouping {
    /// In order.
    pub cells: Vec<CellSteps>,
    /// The cell of the derivative of each state; none where that is a state.
    pub of_state: Vec<Option<usize>>,
}

/// Groups the steps.
pub fn group(sys: &System, sorting: &Sorting, needs: &Needs) -> Grouping {
    let steps = &sorting.simulation.torn.steps;
    let found = accesses(sys, sorting);
    let is_wanted = |step: usize| needs.level[step] == Level::Derivatives;
    let read_by = |step: usize| found.access[step].0.iter().filter_map(|var| found.step_of[*var]).filter(move |other| *other != step);
    let mut begins_cell: Vec<bool> = steps.iter().map(|step| matches!(step, TornStep::Solve(_))).collect();
    sorting.states.iter().filter_map(|(_, dx)| found.step_of[*dx]).for_each(|step| begins_cell[step] = true);
    // The cell that alone reads a step, by the last step of the cell.
    let mut reader: Vec<Option<usize>> = vec![None; steps.len()];
    let mut last_of: Vec<usize> = (0..steps.len()).collect();
    for step in (0..steps.len()).rev().filter(|step| is_wanted(*step)) {
        if let (false, Some(cell)) = (begins_cell[step], reader[step]) {
            last_of[step] = cell;
        }
        for other in read_by(step) {
            match reader[other] {
                None => reader[other] = Some(last_of[step]),
                Some(cell) => begins_cell[other] |= cell != last_of[step],
            }
        }
    }
    let mut number: Vec<usize> = vec![usize::MAX; steps.len()];
    let mut grouping = Grouping::default();
    for step in (0..steps.len()).filter(|step| is_wanted(*step) && last_of[*step] == *step) {
        number[step] = grouping.cells.len();
        grouping.cells.push(CellSteps::default());
    }
    for step in (0..steps.len()).filter(|step| is_wanted(*step)) {
        let own = number[last_of[step]];
        let cell = &mut grouping.cells[own];
        cell.steps.push(step);
        cell.needs.extend(read_by(step).map(|other| number[last_of[other]]).filter(|other| *other != own));
    }
    for cell in &mut grouping.cells {
        cell.needs.sort_unstable();
        cell.needs.dedup();
    }
    grouping.of_state = sorting.states.iter().map(|(_, dx)| found.step_of[*dx].map(|step| number[last_of[step]])).collect();
    grouping
}
