//! Random systems with two or three time scales, run with and without plain `--decouple`: `time_scales [COUNT [FIRST]]`.
//!
//! Says for every system that is wrong its seed and both errors, and at the end how many were split. Exit code 1 if one is wrong or fewer
//! than two of five are split. In release mode a thousand systems take some minutes.

use partita_tests::time_scales::compare;
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let numbers: Vec<u64> = arguments.iter().cloned().filter_map(|word| word.parse().ok()).collect();
    let (count, first) = (numbers.first().copied().unwrap_or(1000), numbers.get(1).copied().unwrap_or(0));
    let (mut split, mut wrong) = (0, 0);
    let mut worst = 0.0_f64;
    for seed in first..first + count {
        match compare(seed) {
            Ok(compared) => {
                split += u64::from(compared.is_split());
                worst = worst.max(compared.split / compared.plain.max(1e-12));
                if !compared.is_right() {
                    wrong += 1;
                    println!("seed {seed}: error {:.2e} split, {:.2e} whole, {:?}", compared.split, compared.plain, compared.found);
                }
            }
            Err(why) => {
                wrong += 1;
                println!("seed {seed}: {why}");
            }
        }
    }
    println!("{count} systems: {wrong} wrong, {split} split; the largest error is {worst:.2} times that without");
    ExitCode::from(u8::from(wrong > 0 || 5 * split < 2 * count))
}
