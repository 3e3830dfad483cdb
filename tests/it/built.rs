//! Files as a user writes them, with components of `models/Parts` or of the standard library: they run and agree with the same systems
//! written without components (`models/built/flat`).

use partita::pipeline::{self, Libraries};
use partita_grammar::Source;
use partita_runtime::result::compare::compare;
use partita_runtime::result::read::Table;
use partita_tests::levels::{library_folder, named_libraries};
use partita_tests::simulation::{Engine, models_folder, read_source, rendered, run, table};
use std::path::{Path, PathBuf};

/// What a file of components calls a signal, and what the same system without them calls it.
type Names = &'static [(&'static str, &'static str)];

const FILES: [(&str, Names); 10] = [
    ("bus", &[("tank[1].level", "level[1]"), ("tank[2].level", "level[2]"), ("tank[3].level", "level[3]"), ("pump.u", "inflow")]),
    ("controlled_motor", &[("load.w", "w_load"), ("rotor.w", "w"), ("l.i", "i"), ("limiter.y", "u")]),
    ("filters", &[("block_.slow.y", "x"), ("sum.y", "y"), ("block_.y", "z")]),
    ("gears", &[("mass[1].w", "w[1]"), ("mass[2].w", "w[2]"), ("mass[3].phi", "phi[3]"), ("gear[2].flange_a.tau", "tau[2]")]),
    ("house", &[("room[1].air.T", "T[1]"), ("room[2].air.T", "T[2]"), ("room[2].wall.layer[2].T", "T_layer[2,2]"), ("thermostat.y", "on")]),
    ("line", &[("line.c[1].v", "v[1]"), ("line.c[6].v", "v[6]"), ("line.r[3].i", "i[3]")]),
    ("mixing", &[("volume.h", "h"), ("sink.T", "T")]),
    ("phasors", &[("out.re", "out_re"), ("out.im", "out_im"), ("along[1].i.im", "i1_im")]),
    ("quarter_car", &[("wheel.s", "wheel"), ("body.s", "body"), ("suspension.spring.s_rel", "stretch")]),
    ("rectifier", &[("c.v", "v"), ("mass.T", "T"), ("diode.i", "i")]),
];

/// Files that use the standard library.
const WITH_LIBRARY: [&str; 3] = ["filters", "gears", "rectifier"];

fn built() -> PathBuf {
    models_folder().join("built")
}

/// `models/Parts` and the standard library, where it is.
fn parts() -> Libraries {
    named_libraries(vec![models_folder().join("Parts")])
}

fn result(source: &Source, libraries: &Libraries) -> Table {
    let compiled = pipeline::compile_with(source, libraries, None).unwrap_or_else(|messages| panic!("{}", rendered(&messages, source)));
    let experiment = pipeline::experiment(&compiled.experiment, None, None);
    let points = run(&compiled, source, Engine::Interpreter, &experiment).unwrap_or_else(|message| panic!("{message}"));
    table(&compiled, &points)
}

/// Some signals of a result, by other names.
fn chosen(table: &Table, names: impl Iterator<Item = (&'static str, &'static str)>, of: &str) -> Table {
    let columns = names.map(|(name, other)| {
        let values = table.values(name).unwrap_or_else(|| panic!("{of} has no signal {name}"));
        (other.to_owned(), values.to_vec())
    });
    Table::from_columns(table.time.clone(), columns.collect())
}

#[test]
fn files_of_components_agree_with_the_same_systems_without_them() {
    for (file, names) in FILES {
        if WITH_LIBRARY.contains(&file) && library_folder().is_none() {
            println!("the standard library is not found: {file} is not run");
            continue;
        }
        let read = |path: &Path| read_source(path).expect("the model can be read");
        let ours = result(&read(&built().join(format!("{file}.mo"))), &parts());
        let flat = result(&read(&built().join(format!("flat/{file}.mo"))), &Libraries::default());
        let ours = chosen(&ours, names.iter().map(|(name, other)| (*name, *other)), file);
        let flat = chosen(&flat, names.iter().map(|(_, other)| (*other, *other)), file);
        let verdict = compare(&ours, &flat, None, 1e-5);
        let outside: Vec<&str> = verdict.signals.iter().filter(|s| !s.judgement.inside).map(|s| s.name.as_str()).collect();
        assert!(verdict.passes(), "{file}: {outside:?} {:?}", verdict.missing);
    }
}

#[test]
fn flattened_files_are_read_as_the_same_model() {
    for (file, _) in FILES {
        if WITH_LIBRARY.contains(&file) && library_folder().is_none() {
            continue;
        }
        let source = read_source(&built().join(format!("{file}.mo"))).expect("the model can be read");
        crate::exported::agrees(&source, &parts());
    }
}
