//! Mutated models: whatever the text, the compiler answers with a model or with messages.

use partita_tests::fuzz::{Depth, Seeds, check};
use partita_tests::simulation::models_folder;
use std::path::Path;
use std::time::Duration;

/// The two seconds of the rule are for a release build on an idle machine.
const LONGEST: Duration = Duration::from_secs(20);

/// Runs `count` inputs on a thread with the stack that the command has.
fn fuzz(depth: Depth, first: u64, count: u64) {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let seeds = Seeds::read(&[&models_folder(), &golden]).expect("the models can be read");
    assert!(seeds.len() > 100, "only {} texts", seeds.len());
    let worker = std::thread::Builder::new().stack_size(512 << 20).spawn(move || {
        let mut compiled = 0;
        for seed in first..first + count {
            match check(seeds.mutant(seed), depth, LONGEST) {
                Ok(done) => compiled += u64::from(done),
                Err(what) => panic!("seed {seed}: {what}\n--- input\n{}", seeds.mutant(seed)),
            }
        }
        // Texts that all fail at their first line would test nothing.
        assert!(compiled > count / 20, "only {compiled} of {count} inputs could be compiled");
        println!("{compiled} of {count} inputs could be compiled");
    });
    worker.expect("a thread can be started").join().expect("no input fails");
}

#[test]
fn mutated_models_are_parsed_or_refused() {
    fuzz(Depth::Parse, 1_000_000, 20_000);
}

#[test]
fn mutated_models_are_sorted_or_refused() {
    fuzz(Depth::Structure, 2_000_000, 4_000);
}
