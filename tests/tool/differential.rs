//! `differential [--kind K] [--from SEED] [--count N] [--most M] [--show]`: random models by Partita and by the oracle.
//! Prints the first M differences with their seeds and models, made small; exit code 1 if there was one. `--show` prints the models only.

use partita_tests::differential::case::Case;
use partita_tests::differential::generate::{Kind, shrunk, ways};
use partita_tests::differential::judge::{Verdict, judge};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

struct Options {
    kinds: Vec<Kind>,
    from: u64,
    count: u64,
    show: bool,
    most: usize,
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options { kinds: Kind::ALL.to_vec(), from: 0, count: 100_000, show: false, most: 10 };
    let mut words = arguments.iter().cloned();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        let number = |text: String| text.parse::<u64>().map_err(|error| format!("{text}: {error}"));
        match word.as_str() {
            "--kind" => options.kinds = vec![value()?.parse()?],
            "--from" => options.from = number(value()?)?,
            "--count" => options.count = number(value()?)?,
            "--most" => options.most = number(value()?)? as usize,
            "--show" => options.show = true,
            other => return Err(format!("unknown flag {other}")),
        }
    }
    Ok(options)
}

/// Judges the cases of a kind; how many differences there were.
fn run(kind: Kind, options: &Options) -> usize {
    let began = Instant::now();
    let (mut n_same, mut n_numbers, mut n_different) = (0u64, 0, 0);
    let mut no_case: BTreeMap<String, u64> = BTreeMap::new();
    for seed in options.from..options.from + options.count {
        let case = Case::of(kind, seed);
        if options.show {
            println!("// {kind} {seed}\n{}{}", case.text, case.explicit.map(|text| format!("// explicit\n{text}")).unwrap_or_default());
            continue;
        }
        match judge(&case, &ways(seed)) {
            Verdict::Same(n) => {
                n_same += 1;
                n_numbers += n;
            }
            Verdict::NoCase(why) => *no_case.entry(why).or_default() += 1,
            Verdict::Different(what) => {
                n_different += 1;
                let (small, small_what) = shrunk(kind, seed);
                println!("---- {kind}, seed {seed}: {what}\nmade small: {small_what}\n{}", small.text);
                if n_different >= options.most {
                    break;
                }
            }
        }
    }
    if options.show {
        return 0;
    }
    println!(
        "{kind}: {n_same} the same ({n_numbers} numbers), {n_different} different, {} no cases, {:.1} s",
        no_case.values().sum::<u64>(),
        began.elapsed().as_secs_f64()
    );
    for (why, n) in no_case {
        println!("  {n} x {why}");
    }
    n_different
}

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let options = match options(arguments) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    // Panics of the compiler are differences, and are told as such.
    std::panic::set_hook(Box::new(|_| {}));
    let worker = std::thread::Builder::new()
        .stack_size(256 << 20)
        .spawn(move || options.kinds.iter().map(|&kind| run(kind, &options)).sum::<usize>());
    match worker.map(|worker| worker.join()) {
        Ok(Ok(0)) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
