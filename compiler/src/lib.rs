//! Flat Modelica to running models.
//!
//! ```text
//! &str            --grammar::parse-->              ast::Definition
//! ast::Definition --repair::repair-->              ast::Definition         functions that exporters leave out are supplied
//! ast::Definition --flatten::flatten_repaired-->   flat::FlatModel         types checked, parameters evaluated; arrays kept
//! flat::FlatModel --dae::lower-->                  dae::System             scalar; functions inlined; events explicit
//! dae::System     --alias::eliminate-->            (dae::System, AliasMap) alternates with folding to a fixed point
//! dae::System     --semilinear::resolve_series--> dae::System          flows in series are determined where they vanish
//! dae::System     --hidden_constraints::expose-->  dae::System             sums of linear equations that constrain states
//! dae::System     --discrete::solve-->             dae::System             discrete variables alone on the left-hand sides
//! dae::System     --dae::incidence-->              Problem                 the only bridge from equations to graphs
//! Problem         --matching, blt, tearing-->      Torn                    parameters, start, simulation and events
//! Torn            --closed_form::find-->           Torn                    systems of few unknowns know their solution
//! Torn            --program::lower-->              Program                 slots, straight-line kernels, the plan
//! Program         --program::interp, codegen-->    runtime::abi::Kernels
//! (Plan, Kernels) --runtime::exec-->               runtime::model::Model   --runtime::integrate--> results
//! Model           --operating_points, cycles-->    CycleAnalysis           --cycles::partition--> Partition
//! ```
//! [`pipeline`] is the only place that knows this order; [`embed`] is for programs that want a result in a few lines.

pub mod base;
pub mod codegen;
pub mod decouple;
pub mod equations;
pub mod frontend;
pub mod pipeline;
pub mod program;
pub mod reduction;
pub mod sorting;
pub mod structure;
pub mod transform;
