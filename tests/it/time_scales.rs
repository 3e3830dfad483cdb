//! Plain `--decouple`: runs that choose fast states by themselves are as accurate as those that do not.

use partita::decouple::verify::{Grid, reference_of};
use partita::pipeline;
use partita_runtime::integrate::Experiment;
use partita_runtime::model::interface::HybridModel;
use partita_tests::simulation::{Engine, compile, instance, models_folder, read_source};
use partita_tests::time_scales::compare;

/// Seed 43 is left to the command: a cascade that magnifies errors so much that chance decides how far off a run is.
#[test]
fn random_systems_are_as_accurate_as_without() {
    let count = 40;
    let mut split = 0;
    for seed in 0..count {
        let compared = compare(seed).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        assert!(compared.is_right(), "seed {seed}: error {:e} and {:e} without", compared.split, compared.plain);
        split += u64::from(compared.is_split());
    }
    assert!(5 * split >= 2 * count, "{split} of {count} are split");
}

#[test]
fn models_keep_their_tolerance_and_those_that_can_be_are_split() {
    let tolerance = 1e-6;
    for (name, is_split) in [("dc_motor", false), ("half_car", false), ("plate", true), ("smart_grid", true), ("robertson", false)] {
        let source = read_source(&models_folder().join(format!("{name}.mo"))).unwrap_or_else(|error| panic!("{error}"));
        let compiled = compile(&source, None).unwrap_or_else(|why| panic!("{why}"));
        let model = instance(&compiled, Engine::MachineCode).unwrap_or_else(|error| panic!("{error:?}"));
        let plain = Experiment { tolerance, ..pipeline::experiment(&compiled.experiment, None, None) };
        let grid = Grid::new(&model, &plain);
        let run = |experiment: &Experiment| grid.run(&model, experiment).unwrap_or_else(|message| panic!("{}", message.title));
        let reference = run(&reference_of(&plain, model.n_states()));
        let (whole, split) = (run(&plain), run(&Experiment { partition: true, ..plain.clone() }));
        let error = |run| grid.deviation(run, &reference, &plain).headline();
        assert!(error(&split) <= 1.5 * error(&whole).max(tolerance), "{name}: {:e} and {:e} without", error(&split), error(&whole));
        let found = split.statistics.apart.partitioning.clone().unwrap_or_default();
        assert_eq!(2 * found.split_solutions > found.solutions, is_split, "{name}: {found:?}");
    }
}
