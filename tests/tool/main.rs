//! The tool of the tests package: `cargo run --release -p partita-tests -- COMMAND ARGUMENTS...`; `--help` lists the commands.
//!
//! Input: a word of [`COMMANDS`] and its arguments. Output: what the command prints; exit code 0 if what it asks for holds, 1 if not, 2 if it
//! cannot be asked. A further command is a file beside this one and a row of the table.
#![forbid(unsafe_code)]

mod bench;
mod closed_forms;
mod compare_seeds;
mod continuous_models;
mod cycle_bounds;
mod decouple_bench;
mod decouple_corpus;
mod differential;
mod engines;
mod faults;
mod flatten_all;
mod flattening;
mod fuzz;
mod generate;
mod levels;
mod limits;
mod make_reference;
mod mixed_bench;
mod reduction_corpus;
mod roundtrip;
mod seed_cycles;
mod time_scales;
mod versus;

use std::process::ExitCode;

/// What can be asked for.
struct Command {
    name: &'static str,
    arguments: &'static str,
    what: &'static str,
    main: fn(&[String]) -> ExitCode,
}

const fn command(name: &'static str, arguments: &'static str, what: &'static str, main: fn(&[String]) -> ExitCode) -> Command {
    Command { name, arguments, what, main }
}

const COMMANDS: [Command; 23] = [
    command("bench", "[compile|rhs|exchanger|models]", "compile times, derivatives against `gcc -O3`, runs", bench::main),
    command(
        "closed_forms",
        "FOLDER... [--library PATH]...",
        "models whose systems have a closed form, with iterations, residuals and CPU time with it and without",
        closed_forms::main,
    ),
    command("compare_seeds", "FOLDER [--limit 1e-5] [--tolerance 1e-9]", "models against result files beside them", compare_seeds::main),
    command("continuous_models", "FOLDER [SCORE.json]", "models of a corpus that need no discrete variables", continuous_models::main),
    command("cycle_bounds", "[N]", "cycle analysis of systems of 10,000 states, exactness and time", cycle_bounds::main),
    command("decouple_bench", "[--seconds S] [CASE...]", "plain `--decouple` against plain runs, times and errors", decouple_bench::main),
    command(
        "decouple_corpus",
        "PARTITA CORPUS [--most N] [--ratio R] [-- FLAGS...]",
        "what a flag does to models with references, by name",
        decouple_corpus::main,
    ),
    command(
        "differential",
        "[--kind K] [--from SEED] [--count N] [--most M] [--show]",
        "random models by the compiler and by the interpreter of the tests, differences made small",
        differential::main,
    ),
    command(
        "engines",
        "FOLDER... [--library PATH]... [--first N] [--seconds S] [--points P]",
        "whether interpreter, machine code in memory and code kept as an image give the same bits",
        engines::main,
    ),
    command("faults", "PARTITA [KILLS [PAIRS]]", "kills runs, fills their disk, lets two write the same files", faults::main),
    command(
        "flatten_all",
        "FOLDER|FILE [--print] [--all-messages]",
        "flattens every file of a folder and counts messages",
        flatten_all::main,
    ),
    command(
        "flattening",
        "GITDIR|FOLDER [--blind] [--only TEXT] [--names] [--show]",
        "flattening tests of OpenModelica: what agrees and what is refused",
        flattening::main,
    ),
    command("fuzz", "COUNT [SEED [TARGET|all [FOLDER...]]]", "feeds mutated models or damaged files", fuzz::main),
    command("generate", "FAMILY EQUATIONS", "prints a ladder, tree or grid of any size as a model", generate::main),
    command("levels", "CORPUS [--rungs 0,1,2]", "models of the standard library from source against their export", levels::main),
    command("limits", "[text FOLDER|thermostats|compare|ball]", "figures beside the limits they have to keep", limits::main),
    command("make_reference", "RESULT OUT.csv INTERVALS STRIDE WORDS...", "thins a result to a small reference file", make_reference::main),
    command("mixed_bench", "[--pairs] [CASE...]", "mixed-mode runs against BDF at equal accuracy", mixed_bench::main),
    command(
        "reduction_corpus",
        "FOLDER balance|terms [N]",
        "balance of energy, promises of reductions on a folder of models",
        reduction_corpus::main,
    ),
    command("roundtrip", "FOLDER...", "print and parse again", roundtrip::main),
    command("seed_cycles", "FOLDER", "cycle analysis of the papers' models in three dialects", seed_cycles::main),
    command(
        "time_scales",
        "[COUNT [FIRST]]",
        "random systems of two and three time scales with and without plain `--decouple`",
        time_scales::main,
    ),
    command(
        "versus",
        "A B FOLDER [--every N] [--count N] [--repeat N] [--times] [-- FLAGS...]",
        "two builds: same bytes, CPU times",
        versus::main,
    ),
];

fn help() -> String {
    let width = COMMANDS.iter().map(|command| command.name.len()).max().unwrap_or(0);
    let rows: String = COMMANDS.iter().map(|command| format!("  {:<width$}  {}\n", command.name, command.what)).collect();
    format!(
        "Benchmarks and checks of Partita that are too long for its tests.\n\nusage: partita-tests COMMAND ARGUMENTS...\n\n{rows}\n`COMMAND --help` shows the arguments of a command."
    )
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let is_help = |word: &String| word == "--help" || word == "-h";
    let Some((name, arguments)) = words.split_first().filter(|(name, _)| !is_help(name)) else {
        println!("{}", help());
        return if words.is_empty() { ExitCode::from(2) } else { ExitCode::SUCCESS };
    };
    match COMMANDS.iter().find(|command| command.name == name) {
        Some(command) if arguments.first().is_some_and(is_help) => {
            println!("{}\n\nusage: partita-tests {} {}", command.what, command.name, command.arguments);
            ExitCode::SUCCESS
        }
        Some(command) => (command.main)(arguments),
        None => {
            eprintln!("there is no command `{name}`\n\n{}", help());
            ExitCode::from(2)
        }
    }
}
