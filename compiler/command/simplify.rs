//! `partita simplify`: what makes a model faster, smaller or clearer, and what it costs.

use crate::failure::{Failure, outside, print};
use crate::input::{Input, libraries, read};
use partita::pipeline;
use partita::reduction::page_of_simplification;
use partita::reduction::reference::ReductionOptions;
use partita::reduction::simplify::{Purpose, Simplification, simplify};
use partita_runtime::base::files;
use std::path::{Path, PathBuf};

/// Arguments of `simplify`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) input: Input,
    /// What it is for: fast, small, insight or order.
    #[arg(long = "for", value_name = "PURPOSE")]
    purpose: Purpose,
    /// The outputs that have to stay as they are, with commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',', required = true)]
    output: Vec<String>,
    /// How far outputs may be off, as a part of their range: 1% or 0.01.
    #[arg(long, default_value = "1%", value_parser = crate::options::part)]
    error: f64,
    /// Take this row of the table, which has been run; -o writes its model.
    #[arg(long = "use", value_name = "ROW", value_parser = crate::options::count)]
    row: Option<usize>,
    /// The file of the chosen row's model.
    #[arg(short, long = "write", value_name = "FILE.mo", requires = "row")]
    o: Option<PathBuf>,
    /// Write the table and the outputs of every row as one HTML page.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// End of the run.
    #[arg(long, allow_negative_numbers = true, value_parser = crate::options::number)]
    stop_time: Option<f64>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut files = arguments.input.files()?;
    arguments.o.iter().try_for_each(|path| files.writes("the model", path)).map_err(outside)?;
    arguments.html.iter().try_for_each(|path| files.writes("the page", path)).map_err(outside)?;
    let given = read(&arguments.input)?;
    let libraries = libraries(&arguments.input)?;
    let model = arguments.input.model.as_deref();
    let source = pipeline::flat_source(&given, &libraries, model).map_err(|messages| Failure::Model(given.clone(), messages))?;
    let options =
        ReductionOptions { source: &source, libraries: &libraries, model, outputs: &arguments.output, stop_time: arguments.stop_time };
    let found = simplify(&options, arguments.purpose, arguments.error).map_err(|messages| Failure::Model(source.clone(), messages))?;
    let mut text = found.to_string();
    files.reads_of_models().map_err(outside)?;
    if let Some(path) = &arguments.html {
        files::write(path, page_of_simplification(&found).as_bytes()).map_err(outside)?;
        text.push_str(&format!("page in {}\n", path.display()));
    }
    if let Some(row) = arguments.row {
        text.push_str(&used(&found, row, arguments.o.as_deref(), &arguments.input.file)?);
    }
    print(&if arguments.input.json { format!("{:#}\n", serde_json::json!(found)) } else { text })
}

/// Writes a row, or says how it is run.
fn used(found: &Simplification, number: usize, path: Option<&Path>, file: &Path) -> Result<String, Failure> {
    let refuse = |why: String| Err(Failure::Outside(format!("--use {number}: {why}")));
    let Some(row) = found.rows.get(number - 1) else { return refuse(format!("the table has {} rows", found.rows.len())) };
    if let Some(why) = &row.refused {
        return refuse(format!("{} does not apply: {why}", row.technique.word()));
    }
    match (&row.source, path) {
        (Some(source), Some(path)) => {
            files::write(path, source.text.as_bytes()).map_err(outside)?;
            Ok(format!("model in {}\n", path.display()))
        }
        (Some(_), None) => Ok(format!("row {number} was run; -o FILE.mo writes its model\n")),
        (None, Some(_)) => refuse(format!("{} is a way to run the model, not another model: leave -o out", row.technique.word())),
        (None, None) => Ok(format!("partita run {} {}\n", file.display(), row.flags.as_deref().unwrap_or_default())),
    }
}
