//! The formats of result files, told by the endings of their names.

use crate::base::error::RunError;
use std::path::Path;

/// The formats of result files.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Text with commas.
    Csv,
    /// MATLAB version 4.
    Mat,
}

impl FileFormat {
    /// The format that the ending of a file name asks for.
    pub fn of(path: &Path) -> Result<FileFormat, RunError> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some(ending) if ending.eq_ignore_ascii_case("csv") => Ok(FileFormat::Csv),
            Some(ending) if ending.eq_ignore_ascii_case("mat") => Ok(FileFormat::Mat),
            _ => Err(RunError::new("R210", format!("`{}` has no ending of a result file; .mat and .csv can be written", path.display()))),
        }
    }
}
