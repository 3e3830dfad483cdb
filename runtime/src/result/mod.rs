//! Result files: writing and reading.
//!
//! [`ResultWriter`] takes the points of a run; the ending of the file name chooses the format. Points go to a file beside the
//! target that is renamed only when everything has been written, so that nothing half-written looks whole.

pub mod csv;

use crate::error::RunError;
use crate::integrate::Sink;
use crate::plan::Signal;
use std::path::{Path, PathBuf};

/// The formats of result files.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text with commas.
    Csv,
}

impl Format {
    /// The format that the ending of a file name asks for.
    pub fn of(path: &Path) -> Result<Format, RunError> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some(ending) if ending.eq_ignore_ascii_case("csv") => Ok(Format::Csv),
            _ => Err(RunError::new("R210", format!("`{}` has no known ending for a result file", path.display()))
                .with_note("known are .csv")),
        }
    }
}

/// A result file being written.
#[derive(Debug)]
pub struct ResultWriter {
    path: PathBuf,
    /// The file that becomes `path`.
    part: PathBuf,
    finished: bool,
    inner: Inner,
}

#[derive(Debug)]
enum Inner {
    Csv(csv::CsvWriter),
}

/// What could not be done with a file.
pub(crate) fn io_error(what: &str, path: &Path, error: &std::io::Error) -> RunError {
    RunError::new("R211", format!("cannot {what} `{}`: {error}", path.display()))
}

impl ResultWriter {
    /// Opens a result file for those of the `signals` that `keep` wants. Rows given later have one value for every signal that varies,
    /// kept or not, in order.
    pub fn create(path: &Path, signals: &[Signal], keep: &dyn Fn(&Signal) -> bool) -> Result<ResultWriter, RunError> {
        let format = Format::of(path)?;
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(".part");
        let part = path.with_file_name(name);
        let file = std::fs::File::create(&part).map_err(|error| io_error("write", &part, &error))?;
        let inner = match format {
            Format::Csv => csv::CsvWriter::new(file, signals, keep).map(Inner::Csv),
        };
        let inner = inner.map_err(|error| io_error("write", &part, &error))?;
        Ok(ResultWriter { path: path.to_path_buf(), part, finished: false, inner })
    }

    /// Writes a point.
    pub fn row(&mut self, t: f64, row: &[f64]) -> Result<(), RunError> {
        let done = match &mut self.inner {
            Inner::Csv(writer) => writer.row(t, row),
        };
        done.map_err(|error| io_error("write", &self.part, &error))
    }

    /// Completes the file. `constants` are positions and values of the signals that do not vary.
    pub fn finish(mut self, constants: &[(usize, f64)]) -> Result<(), RunError> {
        let done = match &mut self.inner {
            Inner::Csv(writer) => writer.finish(constants, &self.part),
        };
        done.map_err(|error| io_error("write", &self.part, &error))?;
        std::fs::rename(&self.part, &self.path).map_err(|error| io_error("write", &self.path, &error))?;
        self.finished = true;
        Ok(())
    }
}

impl Drop for ResultWriter {
    fn drop(&mut self) {
        if !self.finished {
            // Nothing more can be done about a file that cannot be removed.
            let _ = std::fs::remove_file(&self.part);
        }
    }
}

impl Sink for ResultWriter {
    fn point(&mut self, t: f64, row: &[f64]) -> Result<(), RunError> {
        self.row(t, row)
    }
}
