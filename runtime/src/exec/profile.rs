//! Where the time of a run goes: seconds and calls per step of the schedules.
//!
//! Off unless asked for, because reading the clock costs about as much as a small kernel.

use crate::model::plan::{BlockId, KernelId, Step};
use cranelift_entity::SecondaryMap;
use std::time::{Duration, Instant};

/// What something cost.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// How often it ran.
    pub calls: u64,
    /// How long in all.
    pub time: Duration,
}

impl Cost {
    fn add(&mut self, began: Instant) {
        self.calls += 1;
        self.time += began.elapsed();
    }
}

/// Time per kernel and block. What a block runs belongs to the block.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// Assignments.
    pub kernels: SecondaryMap<KernelId, Cost>,
    /// Systems of equations.
    pub blocks: SecondaryMap<BlockId, Cost>,
    /// Jacobians of the derivatives.
    pub jacobians: Cost,
}

impl Profile {
    pub(crate) fn count(&mut self, step: Step, began: Instant) {
        match step {
            Step::Kernel(kernel) => self.kernels[kernel].add(began),
            Step::Block(block) => self.blocks[block].add(began),
        }
    }

    pub(crate) fn count_jacobian(&mut self, began: Instant) {
        self.jacobians.add(began);
    }
}
