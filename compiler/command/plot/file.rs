//! `partita plot`: curves of a result file.
//!
//! Input: a .mat, .csv or .plt file, and which signals are wanted. Output: a picture or page in a file, or text in the terminal.
//! Method: the file is read for its names first, then for the values that were chosen. Guarantee: the file that is read is not
//! overwritten; what cannot be drawn is an error that says what can. Cost: the file is read twice; memory for the wanted signals only.

use super::select::{Candidate, choose, listed};
use super::{Curve, Picture, check_number, names, picture_file, visible};
use crate::failure::{Failure, outside, print};
use crate::input::program_files;
use clap::builder::{PathBufValueParser, TypedValueParser};
use partita_runtime::result::read::{Table, read_selected};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Arguments of `plot`.
#[derive(clap::Args)]
pub(in super::super) struct Arguments {
    /// The result: .mat, .csv or .plt.
    result: PathBuf,
    /// Signals, separated by commas: names; T for all elements of an array; or regular expressions for whole names, as in 'T.*'. All
    /// signals that vary if not given.
    #[arg(long, value_name = "NAMES", value_parser = names)]
    signals: Vec<Vec<String>>,
    /// The file to draw in: a picture (.svg or .png), or a page to look closer at (.html); the terminal if not given.
    #[arg(short, long, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(picture_file))]
    output: Option<PathBuf>,
}

fn table(path: &Path, keep: &dyn Fn(&str) -> bool) -> Result<Table, Failure> {
    read_selected(path, keep).map_err(|error| Failure::Outside(error.title))
}

/// The names of the signals that are meant, in order.
fn chosen(arguments: &Arguments, table: &Table) -> Result<Vec<String>, String> {
    let file = arguments.result.display();
    let all = table.names();
    if all.is_empty() {
        return Err(format!("{file} has no signals beside time"));
    }
    let candidates: Vec<Candidate<'_>> = all.iter().map(|name| Candidate { name, varies: !table.is_constant(name) }).collect();
    let words: Vec<String> = arguments.signals.iter().flatten().cloned().collect();
    let numbers = if words.is_empty() {
        let varying: Vec<usize> = (0..all.len()).filter(|number| candidates[*number].varies).collect();
        if varying.is_empty() { (0..all.len()).collect() } else { varying }
    } else {
        choose(&candidates, &words).map_err(|problem| problem.text(&file.to_string(), "signal"))?
    };
    let names: Vec<String> = numbers.into_iter().map(|number| all[number].clone()).collect();
    match check_number(names.len(), arguments.output.as_deref()) {
        Err(reason) => Err(format!("{file}: {reason}; --signals chooses among {}", listed(&names))),
        Ok(()) => Ok(names),
    }
}

pub(in super::super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut files = program_files()?;
    files.reads("the result", &arguments.result).map_err(outside)?;
    arguments.output.iter().try_for_each(|path| files.writes("the picture", path)).map_err(outside)?;
    let names = chosen(arguments, &table(&arguments.result, &|_| false)?).map_err(Failure::Outside)?;
    let wanted: HashSet<&str> = names.iter().map(String::as_str).collect();
    let table = table(&arguments.result, &|name| wanted.contains(name))?;
    let curve = |name: &String| Some(Curve::new(name, table.unit(name), table.values(name)?));
    let curves: Vec<Curve> = names.iter().filter_map(curve).collect();
    let title = arguments.result.file_name().map_or(String::new(), |name| visible(&name.to_string_lossy()));
    let times = table.time.clone();
    print(&Picture { title, times, curves }.draw(arguments.output.as_deref())?)
}
