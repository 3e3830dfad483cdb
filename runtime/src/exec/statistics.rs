//! How much work a run was, counted.

use std::fmt;

/// How much work a run was.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Statistics {
    /// Evaluations of the `derivatives` schedule.
    pub derivative_evaluations: u64,
    /// Evaluations of the derivatives of some of the states.
    pub part_evaluations: u64,
    /// Jacobians of the derivatives.
    pub jacobians: u64,
    /// Blocks solved.
    pub block_solves: u64,
    /// Newton steps in blocks; a linear block takes one.
    pub newton_iterations: u64,
    /// Blocks solved in closed form.
    pub closed_forms: u64,
    /// Runs of residual kernels.
    pub residual_evaluations: u64,
    /// Runs of tangent kernels.
    pub tangent_evaluations: u64,
    /// Jacobians of blocks that were computed and factorised.
    pub block_factorisations: u64,
    /// Events handled.
    pub events: u64,
    /// Runs of the event schedule.
    pub event_passes: u64,
    /// How often other states were chosen.
    pub state_choices: u64,
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "model evaluations     {:>10}", self.derivative_evaluations)?;
        if self.part_evaluations > 0 {
            writeln!(f, "evaluations of a part {:>10}", self.part_evaluations)?;
        }
        writeln!(f, "blocks solved         {:>10}  ({} iterations)", self.block_solves, self.newton_iterations)?;
        if self.closed_forms > 0 {
            writeln!(f, "  in closed form      {:>10}", self.closed_forms)?;
        }
        writeln!(f, "block residuals       {:>10}", self.residual_evaluations)?;
        writeln!(f, "tangents              {:>10}", self.tangent_evaluations)?;
        writeln!(f, "block factorisations  {:>10}", self.block_factorisations)?;
        write!(f, "event passes          {:>10}  ({} events)", self.event_passes, self.events)?;
        if self.state_choices > 0 {
            write!(f, "\nstates chosen again   {:>10}", self.state_choices)?;
        }
        Ok(())
    }
}
