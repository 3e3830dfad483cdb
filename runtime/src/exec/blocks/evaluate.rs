//! Residuals and Jacobian of a block at the present point, and the factors of the latter.
//!
//! Method: the Jacobian by one Jacobian-vector product per colour of the block's pattern. The factors at hand serve as long as the
//! Jacobian is found unchanged along one fixed direction.

use super::constants::SAME_JACOBIAN;
use crate::base::error::EvalFailure;
use crate::exec::machine::Machine;
use crate::exec::tables::Compiled;
use crate::exec::workspace::block::{BlockWorkspace, Trouble};
use crate::exec::workspace::matrix::{Defect, direction};
use crate::model::plan::{Block, BlockId, BlockKind};
use cranelift_entity::EntityRef;

impl Machine {
    /// The factors of a block's Jacobian at the present point, for differentiating through it.
    pub(crate) fn factor_block(&mut self, compiled: &Compiled, id: BlockId) -> Result<(), EvalFailure> {
        let block = &compiled.plan.blocks[id];
        if block.unknowns.is_empty() {
            return Ok(());
        }
        let mut workspace = self.take_workspace(compiled, id);
        for (value, slot) in workspace.z.iter_mut().zip(&block.unknowns) {
            *value = self.memory[slot.index()];
        }
        workspace.update_sizes(block);
        let result = if block.kind == BlockKind::Linear && self.same_jacobian(compiled, id, block, &mut workspace) {
            Ok(())
        } else {
            let before = self.keeps_undetermined;
            self.keeps_undetermined |= workspace.keeps_free;
            let factored = self.refresh_factors(compiled, id, block, &mut workspace);
            self.keeps_undetermined = before;
            factored
        };
        let result = result.map_err(|trouble| self.describe(compiled, id, block, &workspace, &trouble));
        self.blocks[id] = Some(workspace);
        result
    }

    /// The workspace of a block; made at the first use.
    pub(crate) fn take_workspace(&mut self, compiled: &Compiled, id: BlockId) -> Box<BlockWorkspace> {
        let new = || Box::new(BlockWorkspace::new(&compiled.plan.blocks[id], compiled.tables.block_pattern(&compiled.plan, id)));
        self.blocks[id].take().unwrap_or_else(new)
    }

    pub(crate) fn load(&mut self, block: &Block, values: &[f64]) {
        for (slot, value) in block.unknowns.iter().zip(values) {
            self.memory[slot.index()] = *value;
        }
    }

    /// Runs the residual kernel and reads the residuals.
    pub(crate) fn residual(&mut self, compiled: &Compiled, block: &Block, r: &mut [f64]) -> Result<(), Trouble> {
        self.statistics.residual_evaluations += 1;
        if compiled.kernels.call(block.residual, &mut self.memory, &mut [], &mut self.environment).is_err() {
            return Err(Trouble::Kernel);
        }
        for (i, (value, slot)) in r.iter_mut().zip(&block.residuals).enumerate() {
            *value = self.memory[slot.index()];
            if !value.is_finite() {
                return Err(Trouble::Undefined { row: i });
            }
        }
        Ok(())
    }

    /// Runs the kernel that the block's Jacobian is made with.
    pub(crate) fn tangent(&mut self, compiled: &Compiled, block: &Block) -> Result<(), Trouble> {
        self.statistics.tangent_evaluations += 1;
        let (kernel, seeds) = match block.jacobian_product {
            Some(slopes) => (slopes, &mut self.own_seeds),
            None => (block.tangent, &mut self.seeds),
        };
        compiled.kernels.call(kernel, &mut self.memory, seeds, &mut self.environment).map_err(|_| Trouble::Kernel)
    }

    /// The tangents that [`Self::tangent`] reads and writes.
    pub(crate) fn seeds_of(&mut self, block: &Block) -> &mut Vec<f64> {
        if block.jacobian_product.is_some() { &mut self.own_seeds } else { &mut self.seeds }
    }

    /// Gets ready for tangents in several directions at the present point: what does not depend on the direction is computed, and the
    /// tangents of everything outside the block are zero.
    pub(crate) fn prepare_tangents(&mut self, compiled: &Compiled, id: BlockId) -> Result<(), Trouble> {
        if let Some(linearisation) = compiled.plan.blocks[id].linearisation {
            compiled.kernels.call(linearisation, &mut self.memory, &mut [], &mut self.environment).map_err(|_| Trouble::Kernel)?;
        }
        self.clean_seeds(compiled, id)
    }

    /// Makes the tangents of everything outside the block zero.
    pub(crate) fn clean_seeds(&mut self, compiled: &Compiled, id: BlockId) -> Result<(), Trouble> {
        if compiled.plan.blocks[id].jacobian_product.is_some() {
            return Ok(());
        }
        if let Some(other) = self.dirty.filter(|&other| other != id) {
            // With zero seeds the tangent kernel writes zeros wherever it wrote before.
            self.tangent(compiled, &compiled.plan.blocks[other])?;
        }
        self.dirty = Some(id);
        Ok(())
    }

    /// The Jacobian of the block at the present point.
    pub(crate) fn block_jacobian(
        &mut self,
        compiled: &Compiled,
        id: BlockId,
        block: &Block,
        workspace: &mut BlockWorkspace,
    ) -> Result<(), Trouble> {
        workspace.matrix.forget_factors();
        self.prepare_tangents(compiled, id)?;
        match self.fill_jacobian(compiled, block, workspace) {
            // Zero times infinity leaves a NaN behind that cleaning cannot remove: clear everything once before giving up.
            Err(Trouble::Slope { .. }) => {
                self.seeds_of(block).fill(0.0);
                self.fill_jacobian(compiled, block, workspace)
            }
            other => other,
        }
    }

    pub(crate) fn fill_jacobian(&mut self, compiled: &Compiled, block: &Block, workspace: &mut BlockWorkspace) -> Result<(), Trouble> {
        for colour in 0..workspace.matrix.n_colours() {
            for &j in workspace.matrix.columns(colour) {
                self.seeds_of(block)[block.unknowns[j].index()] = 1.0;
            }
            let done = self.tangent(compiled, block);
            let seeds = self.seeds_of(block);
            for &j in workspace.matrix.columns(colour) {
                seeds[block.unknowns[j].index()] = 0.0;
            }
            done?;
            let read = |i: usize| seeds[block.residuals[i].index()];
            workspace.matrix.fill_colour(colour, read).map_err(|(row, column)| Trouble::Slope { row, column })?;
        }
        Ok(())
    }

    pub(crate) fn refresh_factors(
        &mut self,
        compiled: &Compiled,
        id: BlockId,
        block: &Block,
        workspace: &mut BlockWorkspace,
    ) -> Result<(), Trouble> {
        self.statistics.block_factorisations += 1;
        self.block_jacobian(compiled, id, block, workspace)?;
        workspace.since_event = true;
        let defect = match workspace.matrix.factor(&workspace.size) {
            Ok(()) => return Ok(()),
            Err(defect) => defect,
        };
        // Nothing flows, so nothing tells what would flow: unknowns of linear equations that are not determined keep their values.
        let is_decided = block.discrete_slots.is_empty() || self.keeps_undetermined;
        let may_be_free = match block.kind {
            BlockKind::Linear => is_decided && !matches!(defect, Defect::Dependent { .. }),
            BlockKind::Nonlinear => self.keeps_undetermined,
        };
        if !may_be_free {
            return Err(Trouble::Singular(defect));
        }
        for column in workspace.matrix.factor_keeping_free(&workspace.size, defect).map_err(Trouble::Singular)? {
            let slot = block.unknowns[column];
            if !self.undetermined.contains(&slot) {
                self.undetermined.push(slot);
            }
        }
        Ok(())
    }

    /// Whether the factors at hand belong to the Jacobian at the present point: known from the block's coefficients, or judged along
    /// one direction.
    pub(crate) fn same_jacobian(&mut self, compiled: &Compiled, id: BlockId, block: &Block, workspace: &mut BlockWorkspace) -> bool {
        if block.frozen && workspace.since_event && workspace.matrix.is_factored() {
            return true;
        }
        // For one or two tangents the comparison costs as much as the matrix.
        if !workspace.matrix.is_factored()
            || workspace.matrix.n_colours() < 3
            || workspace.reuse_failures >= 3
            || self.prepare_tangents(compiled, id).is_err()
        {
            return false;
        }
        for (j, unknown) in block.unknowns.iter().enumerate() {
            self.seeds_of(block)[unknown.index()] = workspace.size[j] * direction(j);
        }
        let done = self.tangent(compiled, block);
        let seeds = self.seeds_of(block);
        for unknown in &block.unknowns {
            seeds[unknown.index()] = 0.0;
        }
        let same = done.is_ok() && workspace.matrix.agrees(&workspace.size, SAME_JACOBIAN, |i| seeds[block.residuals[i].index()]);
        workspace.reuse_failures = if same { 0 } else { workspace.reuse_failures + 1 };
        workspace.since_event |= same;
        same
    }
}
