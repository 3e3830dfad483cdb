//! What could not be done with a file, as an error.

use crate::base::error::RunError;
use std::path::Path;

/// What could not be done with a file.
pub(crate) fn io_error(what: &str, path: &Path, error: &std::io::Error) -> RunError {
    RunError::new("R211", format!("cannot {what} `{}`: {error}", path.display()))
}
