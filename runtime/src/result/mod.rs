//! Result files: writing and reading.
//!
//! [`ResultWriter`] takes the points of a run; the ending of the file name chooses the format. Points go to an
//! [`AtomicFile`], so that nothing half-written looks whole.
#![forbid(unsafe_code)]

pub mod compare;
pub mod csv;
pub mod distance;
mod file_format;
mod lines;
pub mod mat;
mod names;
mod number;
pub mod read;
mod read_csv;
mod read_mat;
pub mod rules;
pub mod side_by_side;

pub use file_format::FileFormat;

use crate::base::error::RunError;
use crate::base::files::{AtomicFile, beside, io_error};
use crate::integrate::Sink;
use crate::model::plan::Signal;
use regex::Regex;
use std::path::{Path, PathBuf};

/// Which signals a result file shows: those whose whole name matches the filter; without one all that are not protected, but for text,
/// which would repeat a parameter on every line, only those that vary.
pub fn keeps(path: &Path, filter: Option<&Regex>) -> impl Fn(&Signal) -> bool {
    let is_text = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    move |signal| match filter {
        Some(filter) => filter.is_match(&signal.name),
        None => !signal.protected && (signal.varies || !is_text),
    }
}

/// Refuses a filter that no name of a model matches.
pub fn check_filter(filter: Option<&Regex>, signals: &[Signal]) -> Result<(), RunError> {
    match filter {
        Some(filter) if !signals.iter().any(|signal| filter.is_match(&signal.name)) => {
            let written = filter.as_str().trim_start_matches("^(?:").trim_end_matches(")$");
            Err(RunError::new("R214", format!("the filter `{written}` matches the whole name of no variable: nothing would be written")))
        }
        _ => Ok(()),
    }
}

/// A result file being written.
#[derive(Debug)]
pub struct ResultWriter {
    path: PathBuf,
    n_points: u64,
    /// Something could not be written: what is in the file is not what was given.
    has_failed: bool,
    inner: Inner,
}

#[derive(Debug)]
enum Inner {
    Csv(csv::CsvWriter),
    Mat(mat::MatWriter),
}

/// The name of the results of a run that did not come to its end: `x.mat` becomes `x.incomplete.mat`.
pub fn incomplete(path: &Path) -> PathBuf {
    beside(path, "incomplete")
}

impl ResultWriter {
    /// Opens a result file for those of the `signals` that `keep` wants. Rows given later have one value for every signal that varies,
    /// kept or not, in order.
    pub fn create(path: &Path, signals: &[Signal], keep: &dyn Fn(&Signal) -> bool) -> Result<ResultWriter, RunError> {
        let format = FileFormat::of(path)?;
        let file = AtomicFile::create(path)?;
        let inner = match format {
            FileFormat::Csv => csv::CsvWriter::new(file, signals, keep).map(Inner::Csv),
            FileFormat::Mat => mat::MatWriter::new(file, signals, keep).map(Inner::Mat),
        };
        let inner = inner.map_err(|error| io_error("write", path, &error))?;
        Ok(ResultWriter { path: path.to_path_buf(), n_points: 0, has_failed: false, inner })
    }

    /// Writes a point.
    pub fn row(&mut self, t: f64, row: &[f64]) -> Result<(), RunError> {
        self.n_points += 1;
        let done = match &mut self.inner {
            Inner::Csv(writer) => writer.row(t, row),
            Inner::Mat(writer) => writer.row(t, row),
        };
        self.has_failed |= done.is_err();
        done.map_err(|error| io_error("write", &self.path, &error))
    }

    /// About how many bytes a point takes.
    pub fn bytes_per_point(&self) -> u64 {
        match &self.inner {
            Inner::Csv(writer) => writer.bytes_per_point(),
            Inner::Mat(writer) => writer.bytes_per_point(),
        }
    }

    /// Completes the file of a run that did not come to its end; [`incomplete`] is its name. No file if there are no points or
    /// not all of them could be written.
    pub fn finish_incomplete(mut self, constants: &[(usize, f64)]) -> Result<Option<PathBuf>, RunError> {
        if self.n_points == 0 || self.has_failed {
            return Ok(None);
        }
        self.path = incomplete(&self.path);
        let path = self.path.clone();
        self.finish(constants)?;
        Ok(Some(path))
    }

    /// Completes the file. `constants` are positions and values of the signals that do not vary.
    pub fn finish(self, constants: &[(usize, f64)]) -> Result<(), RunError> {
        let done = match self.inner {
            Inner::Csv(writer) => writer.finish(constants),
            Inner::Mat(writer) => writer.finish(constants),
        };
        let mut file = done.map_err(|error| io_error("write", &self.path, &error))?;
        file.call(self.path);
        file.commit()
    }
}

impl Sink for ResultWriter {
    fn point(&mut self, t: f64, row: &[f64]) -> Result<(), RunError> {
        self.row(t, row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::plan::{SignalSource, Slot, SlotType};
    use cranelift_entity::EntityRef;

    fn signal(name: &str, slot: usize, factor: f64, offset: f64, varies: bool, ty: SlotType) -> Signal {
        Signal {
            name: name.to_string(),
            description: "what".to_string(),
            unit: "m".to_string(),
            display_unit: "mm".to_string(),
            ty,
            source: SignalSource { slot: Slot::new(slot), factor, offset },
            varies,
            protected: false,
            derivative: false,
        }
    }

    fn signals() -> Vec<Signal> {
        vec![
            signal("x", 1, 1.0, 0.0, true, SlotType::Real),
            signal("p", 5, 1.0, 0.0, false, SlotType::Real),
            signal("minus_x", 1, -1.0, 0.0, true, SlotType::Real),
            signal("b", 2, 1.0, 0.0, true, SlotType::Boolean),
            signal("not b", 2, -1.0, 1.0, true, SlotType::Boolean),
            signal("a \"quoted\", name", 3, 1.0, 0.0, true, SlotType::Integer),
            signal("clock", 0, 1.0, 0.0, true, SlotType::Real),
        ]
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("partita-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn write(path: &Path) {
        let mut writer = ResultWriter::create(path, &signals(), &|_| true).unwrap();
        for (t, x) in [(0.0, 0.1), (0.5, 1.0 / 3.0), (0.5, -1e-12), (1.0, 1e22)] {
            writer.row(t, &[x, -x, 1.0, 0.0, 7.0, t]).unwrap();
        }
        assert!(!path.exists(), "a file that is not finished must not look whole");
        writer.finish(&[(1, 2.5)]).unwrap();
    }

    #[test]
    fn files_read_back_as_written() {
        let folder = folder("result");
        for ending in ["csv", "mat"] {
            let path = folder.join(format!("r.{ending}"));
            write(&path);
            let table = read::read(&path).unwrap();
            assert_eq!(table.time, [0.0, 0.5, 0.5, 1.0]);
            assert_eq!(table.values("x").unwrap(), [0.1, 1.0 / 3.0, -1e-12, 1e22]);
            assert_eq!(table.values("minus_x").unwrap(), [-0.1, -1.0 / 3.0, 1e-12, -1e22]);
            assert_eq!(table.values("b").unwrap(), [1.0; 4]);
            assert_eq!(table.values("not b").unwrap(), [0.0; 4]);
            assert_eq!(table.values("a \"quoted\", name").unwrap(), [7.0; 4]);
            assert_eq!(table.values("clock").unwrap(), [0.0, 0.5, 0.5, 1.0]);
            assert_eq!(table.values("p").unwrap(), [2.5; 4]);
            assert!(table.values("y").is_none());
        }
        let text = std::fs::read_to_string(folder.join("r.csv")).unwrap();
        assert_eq!(
            text.lines().take(2).collect::<Vec<_>>(),
            ["\"time\",\"x\",\"minus_x\",\"b\",\"'not b'\",\"'a \"\"quoted\"\", name'\",\"clock\",\"p\"", "0,0.1,-0.1,1,0,7,0,2.5"]
        );
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn aliases_share_rows_of_a_mat_file() {
        let folder = folder("alias");
        let path = folder.join("r.mat");
        write(&path);
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.starts_with(b"\x33\0\0\0\x04\0\0\0\x0b\0\0\0\0\0\0\0\x07\0\0\0Aclass\0A1\0bt.\0"));
        let at = bytes.windows(9).position(|w| w == b"dataInfo\0").unwrap() + 9;
        let infos: Vec<i32> = bytes[at..at + 8 * 16].chunks(4).map(|b| i32::from_le_bytes(b.try_into().unwrap())).collect();
        let pairs: Vec<(i32, i32)> = infos.chunks(4).map(|info| (info[0], info[1])).collect();
        assert_eq!(pairs, [(0, 1), (2, 2), (1, 2), (2, -2), (2, 3), (2, 4), (2, 5), (2, 1)]);
        // Time, x, b, not b, the quoted one: five doubles for each of four points at the end of the file.
        let at = bytes.windows(7).position(|w| w == b"data_2\0").unwrap() + 7;
        assert_eq!(bytes.len() - at, 8 * 5 * 4);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn damaged_files_are_refused() {
        let folder = folder("damaged");
        let path = folder.join("r.mat");
        write(&path);
        let bytes = std::fs::read(&path).unwrap();
        for length in [0, 3, 30, 100, bytes.len() / 2, bytes.len() - 1] {
            assert!(read::read_mat(&bytes[..length]).is_err(), "{length}");
        }
        assert!(read::read_csv("").is_err());
        assert!(read::read_csv("a,b\n1,2\n").is_err());
        assert!(read::read_csv("time,b\n1\n").is_err());
        assert!(read::read_csv("time,b\n1,x\n").is_err());
        // An unfinished writer leaves nothing behind.
        drop(ResultWriter::create(&folder.join("u.csv"), &signals(), &|_| true).unwrap());
        let left: Vec<_> = std::fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(left, ["r.mat"]);
        assert!(ResultWriter::create(&folder.join("u.txt"), &signals(), &|_| true).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
