//! What every layer uses: failures, formats and numbers of texts, elementary functions, limits, files, terminal. Knows no model.

pub mod arguments;
pub mod error;
pub mod files;
pub mod format;
pub mod interrupt;
pub mod limits;
pub mod math;
pub mod number;
pub(crate) mod simd;
pub mod terminal;
