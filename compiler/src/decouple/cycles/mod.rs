//! Cycle analysis: which states belong to which time scale, and how well the model separates.
//!
//! Input: a [`Jacobian`] at an operating point (or several) and [`Options`]. Output: [`CycleAnalysis`], from which
//! [`partition::partition`] makes a [`partition::Partition`] into fast and slow states.
//!
//! Method (Papadopoulos and Leva, "Automating efficiency-targeted approximations in modelling and simulation tools: dynamic
//! decoupling and mixed-mode integration", Simulation 90(10), 2014): a probe method of integration makes the Jacobian a digraph
//! of states, with a self loop at every state. Along each simple cycle a perturbation is multiplied by the product of the
//! entries; the step at which that product reaches `alpha` bounds the steps of the states on the cycle. For the explicit Euler
//! probe that is `alpha^(1/L) / |product|^(1/L)` for a cycle of length L >= 2, and `(1 + alpha) / |J_ii|` for a self loop with
//! `J_ii < 0`. The smallest bound of all cycles through a state is its time scale.
//!
//! Guarantee: `h_lower <= h <= h_upper` for the bound `h` of the definition, whatever the size of the model; `exact` where both
//! agree. Cost: see [`bounds`].

pub mod analysis;
pub mod bounds;
pub mod bracket;
mod certify;
mod decompose;
mod enumerate;
mod graph;
mod heun;
mod html;
pub mod indices;
pub mod jacobian;
pub mod measured;
pub mod options;
pub mod partition;
mod pictures;
mod print;
mod profile;
pub mod report;
pub mod spectrum;

pub use analysis::{AtAlpha, CycleAnalysis, analyze, analyze_points};
pub use bracket::StateBound;
pub use indices::{Cut, CutKind};
pub use jacobian::Jacobian;
pub use options::{Budget, Options, Probe, SelfLoop, TIE, check_alpha};
pub use partition::{Choice, Partition};
