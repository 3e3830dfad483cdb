//! Compiles and runs models for tests: results stay in memory.

use partita::base::messages::run_message;
use partita::codegen;
use partita::pipeline::{self, Compiled, Libraries};
use partita::program::interp::Interpreter;
use partita_grammar::{Diagnostic, Source, render};
use partita_runtime::abi::Kernels;
use partita_runtime::abi::machine_code::MachineCode;
use partita_runtime::base::error::RunError;
use partita_runtime::exec::Instance;
use partita_runtime::integrate::{Experiment, Sink, simulate};
use partita_runtime::result::read::Table;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What runs the code of a model.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The interpreter.
    Interpreter,
    /// Machine code for everything, also for what runs only once.
    MachineCode,
    /// The same as built simulators have it: kept as an object, and loaded.
    Image,
}

/// The points of a run, all of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// Times.
    pub times: Vec<f64>,
    /// For every time the values of all signals that vary.
    pub rows: Vec<Vec<f64>>,
}

impl Sink for Points {
    fn point(&mut self, t: f64, row: &[f64]) -> Result<(), RunError> {
        self.times.push(t);
        self.rows.push(row.to_vec());
        Ok(())
    }
}

/// Messages as a user sees them.
pub fn rendered(messages: &[Diagnostic], source: &Source) -> String {
    messages.iter().map(|message| render(message, source)).collect::<Vec<_>>().join("\n")
}

/// Reads a model file; its name in messages is the file's name without folders.
pub fn read_source(path: &Path) -> std::io::Result<Source> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Source { name, text: std::fs::read_to_string(path)? })
}

/// The folder of the project's models.
pub fn models_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models")
}

/// The project's models in the order of their names; packages and what is built with them lie in folders of their own.
pub fn models() -> std::io::Result<Vec<PathBuf>> {
    let folder = models_folder();
    let all = crate::roundtrip::modelica_files(&folder)?;
    Ok(all.into_iter().filter(|path| path.parent() == Some(folder.as_path())).collect())
}

/// The models below a folder; files of packages are left out.
pub fn model_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = crate::roundtrip::modelica_files(folder)?;
    files.retain(|path| !path.with_file_name("package.mo").exists());
    Ok(files)
}

/// A run of a compiled model, about to begin.
pub fn instance(compiled: &Compiled, engine: Engine) -> Result<Instance, RunError> {
    let program = &compiled.program;
    let internal = |what: String| RunError::new("G002", what);
    let kernels: Arc<dyn Kernels> = match engine {
        Engine::Interpreter => {
            Arc::new(Interpreter::new(program.codes.clone(), program.functions.clone()).map_err(|e| internal(e.to_string()))?)
        }
        Engine::MachineCode => Arc::new(codegen::compile(&program.codes, &program.functions).map_err(|e| internal(e.to_string()))?),
        Engine::Image => {
            let object = codegen::compile_to_object(&program.codes, &program.functions).map_err(|e| internal(e.to_string()))?;
            Arc::new(MachineCode::load(&object, &[]).map_err(|e| internal(e.to_string()))?)
        }
    };
    Instance::new(Arc::new(program.plan.clone()), kernels)
}

/// Compiles a model.
pub fn compile(source: &Source, model: Option<&str>) -> Result<Compiled, String> {
    pipeline::compile(source, model).map_err(|messages| rendered(&messages, source))
}

/// Compiles the last model of a file that may use libraries.
pub fn compile_with(source: &Source, libraries: &Libraries) -> Result<Compiled, String> {
    pipeline::compile_with(source, libraries, None).map_err(|messages| rendered(&messages, source))
}

/// Runs a compiled model.
pub fn run(compiled: &Compiled, source: &Source, engine: Engine, experiment: &Experiment) -> Result<Points, String> {
    let mut points = Points::default();
    let outcome = instance(compiled, engine).and_then(|mut instance| simulate(&mut instance, experiment, &mut points));
    outcome.map(|_| points).map_err(|error| rendered(&[run_message(&error)], source))
}

/// The points as a table with names.
pub fn table(compiled: &Compiled, points: &Points) -> Table {
    let varying = compiled.program.plan.interface.signals.iter().filter(|signal| signal.varies);
    let columns = varying.enumerate().map(|(at, signal)| (signal.name.clone(), points.rows.iter().map(|row| row[at]).collect()));
    Table::from_columns(points.times.clone(), columns.collect())
}
