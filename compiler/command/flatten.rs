//! `partita flatten`: a model without its hierarchy, as Base Modelica.

use crate::failure::{Failure, outside, print};
use crate::input::{Input, libraries, read};
use partita::pipeline;
use partita_runtime::base::files;
use std::path::PathBuf;

/// Arguments of `flatten`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) input: Input,
    /// The file to write; printed if not given.
    #[arg(short, long = "write", value_name = "FILE.bmo")]
    o: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut files = arguments.input.files()?;
    arguments.o.iter().try_for_each(|path| files.writes("the model", path)).map_err(outside)?;
    let source = read(&arguments.input)?;
    let libraries = libraries(&arguments.input)?;
    let text = match pipeline::base_modelica(&source, &libraries, arguments.input.model.as_deref()) {
        Ok(text) => text,
        Err(diagnostics) => return Err(Failure::Model(source, diagnostics)),
    };
    match &arguments.o {
        Some(path) => files::write(path, text.as_bytes()).map_err(outside),
        None => print(&text),
    }
}
