//! What every layer uses: failures, formats and numbers of texts, elementary functions, limits, files, terminal. Knows no model.
#![forbid(unsafe_code)]

pub mod arguments;
pub mod error;
pub mod files;
pub mod format;
pub mod interrupt;
pub mod limits;
pub(crate) mod mat4;
pub mod math;
pub mod number;
pub mod permissions;
pub mod roots;
pub(crate) mod simd;
pub mod terminal;
pub mod text;
