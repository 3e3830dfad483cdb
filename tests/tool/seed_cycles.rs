//! Cycle analysis of the models of the papers as another tool has them: `seed_cycles FOLDER`.
//!
//! The folder holds `Seeds.mo`, `flat/X.mo` and `base/X.bmo`. Number of cycles, bounds, indices and cuts of every form are compared with
//! what an independent calculation found, with both formulas for self loops, to 1e-6. The exit code is 1 if one differs.

use partita_grammar::Source;
use partita_tests::seeds::{SEEDS, SPLITS, check_seed, check_splits};
use partita_tests::simulation::read_source;
use std::path::Path;
use std::process::ExitCode;

/// Names of the models in that folder and in the project.
const NAMES: [(&str, &str); 8] = [
    ("DCMotor", "dc_motor"),
    ("HalfCar", "half_car"),
    ("DoubleMass", "double_mass"),
    ("HX10", "heat_exchanger"),
    ("Triangle", "triangle"),
    ("Brake", "brake"),
    ("PowerSupply", "power_supply"),
    ("SmartGrid", "smart_grid"),
];

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let Some(folder) = arguments.first() else {
        eprintln!("usage: seed_cycles FOLDER");
        return ExitCode::from(2);
    };
    let folder = Path::new(&folder);
    let (mut n, mut n_bad) = (0, 0);
    let mut note = |outcome: Result<(), String>| {
        n += 1;
        if let Err(why) = outcome {
            n_bad += 1;
            println!("{why}");
        }
    };
    for (name, model) in NAMES {
        for path in [folder.join("Seeds.mo"), folder.join(format!("flat/{name}.mo")), folder.join(format!("base/{name}.bmo"))] {
            let source = match read_source(&path) {
                Ok(source) => Source { name: format!("{name} of {}", path.display()), ..source },
                Err(error) => {
                    note(Err(format!("{}: {error}", path.display())));
                    continue;
                }
            };
            SEEDS.iter().filter(|seed| seed.model == model).for_each(|seed| note(check_seed(seed, &source, Some(name))));
            SPLITS
                .iter()
                .filter(|(of, ..)| *of == model)
                .for_each(|(_, self_loop, splits)| note(check_splits(&source, Some(name), *self_loop, splits)));
        }
    }
    println!("{n} comparisons, {n_bad} differ");
    if n_bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
