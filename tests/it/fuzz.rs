//! Mutated models and damaged files: whatever the input, there is an answer or a message. A hundred thousand inputs in all; the bin
//! `fuzz` feeds more of them.

use partita_tests::fuzz::Fuzzer;
use partita_tests::simulation::models_folder;
use partita_tests::target::Target;
use std::path::Path;
use std::time::Duration;

/// The two seconds of the rule are for a release build on an idle machine.
const LONGEST: Duration = Duration::from_secs(20);

/// Feeds `count` inputs on a thread with the stack that the command has. Inputs that all fail at their first line would test nothing:
/// of so many at least one must be accepted.
fn fuzz(target: Target, first: u64, count: u64, one_of: u64) {
    let worker = std::thread::Builder::new().stack_size(512 << 20).spawn(move || {
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
        let fuzzer = Fuzzer::new(target, &[&models_folder(), &golden]).expect("there is something to mutate");
        let mut accepted = 0;
        for seed in first..first + count {
            match fuzzer.check(seed, LONGEST) {
                Ok(done) => accepted += u64::from(done),
                Err(what) => panic!("seed {seed}: {what}\n--- input\n{}", fuzzer.input(seed)),
            }
        }
        println!("{accepted} of {count} inputs were accepted");
        assert!(accepted > count / one_of, "only {accepted} of {count} inputs were accepted");
    });
    worker.expect("a thread can be started").join().expect("no input fails");
}

#[test]
fn mutated_models_are_parsed_or_refused() {
    fuzz(Target::Parse, 1_000_000, 25_000, 20);
}

#[test]
fn mutated_models_are_sorted_or_refused() {
    fuzz(Target::Structure, 2_000_000, 4_000, 20);
}

#[test]
fn mutated_models_run_or_fail_with_a_message() {
    fuzz(Target::Run, 3_000_000, 600, 20);
}

#[test]
fn models_with_a_damaged_library_are_flattened_or_refused() {
    fuzz(Target::Library, 8_000_000, 1_500, 20);
}

#[test]
fn damaged_results_are_read_or_refused() {
    fuzz(Target::Mat, 4_000_000, 40_000, 100);
    fuzz(Target::Csv, 5_000_000, 20_000, 100);
}

#[test]
fn damaged_tables_are_read_or_refused() {
    fuzz(Target::Tables, 6_000_000, 6_000, 100);
}

#[test]
fn damaged_images_are_run_or_refused() {
    fuzz(Target::Image, 7_000_000, 5_000, 1_000);
}
