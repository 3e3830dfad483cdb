//! Lower order: a model whose continuous part is affine, with fewer states.
//!
//! ```text
//! Structured             --affine::affine-->    Affine     unknowns as sums of states and signals
//! (Source, Structured)   --system::of-->        System     signals as text, outputs, matrices, what is cut out of the text
//! System                 --choose::reduce-->    Lowered    Hankel values, courses and gaps by order, the chosen text
//! ```

pub mod affine;
pub mod choose;
pub mod course;
pub mod report;
pub mod scenario;
pub mod separate;
pub mod system;
pub mod write;

pub use system::MOST_STATES;
