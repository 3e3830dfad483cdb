//! `flattening GITDIR|FOLDER [--blind] [--only TEXT] [--names] [--show]`: OpenModelica's flattening tests.
//!
//! GITDIR is a copy of the repository OpenModelica/OpenModelica (with or without files), FOLDER its `testsuite`. Tests of the visible
//! half are flattened and compared with what they expect; counts per class of what differs, and names with `--names`. `--show` prints
//! the messages of the tests that are chosen. The other half is counted only.

use partita_grammar::{Diagnostic, Source, render};
use partita_tests::flattening::case::{Case, Expected, is_visible, read};
use partita_tests::flattening::judge::{Verdict, first, judge};
use partita_tests::levels::library_folder;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Where the tests lie below `testsuite`.
const TESTS: &str = "flattening/modelica";
/// The stack of the compiler, as the command has it.
const STACK: usize = 512 << 20;

/// Tests by their paths below `testsuite`.
type Tests = BTreeMap<String, String>;

fn from_folder(folder: &Path) -> Tests {
    let mut found = Tests::new();
    let mut open: Vec<PathBuf> = vec![folder.join(TESTS)];
    while let Some(path) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&path) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "mo")
                && let (Ok(below), Ok(bytes)) = (path.strip_prefix(folder), std::fs::read(&path))
            {
                found.insert(below.to_string_lossy().into_owned(), String::from_utf8_lossy(&bytes).into_owned());
            }
        }
    }
    found
}

fn git(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().map_err(|error| format!("git: {error}"))?;
    if output.status.success() { Ok(output.stdout) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

fn from_git(folder: &Path) -> Result<Tests, String> {
    let below = format!("testsuite/{TESTS}");
    let listed = git(folder, &["ls-tree", "-r", "--name-only", "HEAD", &below])?;
    let mut found = Tests::new();
    for path in String::from_utf8_lossy(&listed).lines().filter(|path| path.ends_with(".mo")) {
        let bytes = git(folder, &["show", &format!("HEAD:{path}")])?;
        found.insert(path.trim_start_matches("testsuite/").to_owned(), String::from_utf8_lossy(&bytes).into_owned());
    }
    Ok(found)
}

/// What a test came to, or that the compiler panicked.
fn outcome(case: &Case, library: Option<&Path>) -> Option<Verdict> {
    let (case, library) = (case.clone(), library.map(Path::to_path_buf));
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || judge(&case, library.as_deref())).ok()?;
    worker.join().ok()
}

/// A title without the names in it, so that equal reasons are counted together.
fn reason(messages: &[Diagnostic]) -> String {
    first(messages).split('`').enumerate().map(|(at, part)| if at % 2 == 0 { part } else { "…" }).collect()
}

#[derive(Default)]
struct Counts {
    flat: [usize; 2],
    errors: [usize; 2],
    left_out: BTreeMap<String, Vec<String>>,
    failed: BTreeMap<String, Vec<String>>,
}

impl Counts {
    fn add(&mut self, path: &str, case: &Case, verdict: Option<Verdict>) {
        let fails = |class: String, counts: &mut Counts| counts.failed.entry(class).or_default().push(path.to_owned());
        let is_flat = case.expected != Expected::Refused;
        match &verdict {
            Some(Verdict::NoModel) => return self.left_out.entry("the class is no model".to_owned()).or_default().push(path.to_owned()),
            Some(Verdict::Unread(_)) => {
                return self.left_out.entry("what is expected is not read".to_owned()).or_default().push(path.to_owned());
            }
            _ => {}
        }
        let good = matches!(verdict, Some(Verdict::Agrees | Verdict::Refused(_)));
        let counts = if is_flat { &mut self.flat } else { &mut self.errors };
        counts[0] += usize::from(good);
        counts[1] += 1;
        match verdict {
            None => fails("panic".to_owned(), self),
            Some(Verdict::Differs(what, _)) => fails(format!("other {what}"), self),
            Some(Verdict::NotFlattened(messages)) => fails(format!("refused: {}", reason(&messages)), self),
            Some(Verdict::Accepted) => fails("accepted".to_owned(), self),
            Some(_) => {}
        }
    }
}

fn print_table(title: &str, table: &BTreeMap<String, Vec<String>>, with_names: bool) {
    println!("\n{title}");
    let mut rows: Vec<(&String, &Vec<String>)> = table.iter().collect();
    rows.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    for (class, names) in rows {
        println!("{:5}  {class}", names.len());
        if with_names {
            names.iter().for_each(|name| println!("         {name}"));
        }
    }
}

fn percent([good, all]: [usize; 2]) -> f64 {
    100.0 * good as f64 / all.max(1) as f64
}

fn show(path: &str, case: &Case, verdict: Option<&Verdict>) {
    let source = Source { name: path.to_owned(), text: case.text.clone() };
    match verdict {
        None => println!("{path}: panic"),
        Some(Verdict::Differs(what, example)) => println!("{path}: other {what}: {example}"),
        Some(Verdict::NotFlattened(messages) | Verdict::Refused(messages)) => {
            println!("{path}: refused");
            messages.iter().for_each(|message| println!("{}", render(message, &source)));
        }
        Some(other) => println!("{path}: {other:?}"),
    }
}

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    let Some(folder) = arguments.first().map(Path::new) else {
        eprintln!("usage: flattening GITDIR|FOLDER [--blind] [--only TEXT] [--names] [--show]");
        return ExitCode::from(2);
    };
    let has = |word: &str| arguments.iter().any(|a| a == word);
    let only = arguments.iter().position(|a| a == "--only").and_then(|at| arguments.get(at + 1)).map_or("", String::as_str);
    let tests = if folder.join(TESTS).is_dir() { Ok(from_folder(folder)) } else { from_git(folder) };
    let tests = match tests {
        Ok(tests) if !tests.is_empty() => tests,
        Ok(_) => {
            eprintln!("{}: there are no tests", folder.display());
            return ExitCode::from(2);
        }
        Err(reason) => {
            eprintln!("{}: {reason}", folder.display());
            return ExitCode::from(2);
        }
    };
    let library = library_folder();
    let mut counts = Counts::default();
    std::panic::set_hook(Box::new(|_| {}));
    for (path, text) in tests.iter().filter(|(path, _)| is_visible(path) != has("--blind") && path.contains(only)) {
        let case = match read(text) {
            Ok(case) => case,
            Err(why) => {
                counts.left_out.entry(why.to_owned()).or_default().push(path.clone());
                continue;
            }
        };
        let verdict = outcome(&case, library.as_deref());
        if has("--show") && !has("--blind") {
            show(path, &case, verdict.as_ref());
        }
        counts.add(path, &case, verdict);
    }
    let with_names = has("--names") && !has("--blind");
    print_table("left out", &counts.left_out, with_names);
    if !has("--blind") {
        print_table("not as expected", &counts.failed, with_names);
    }
    println!("\nflat results that agree: {} of {} ({:.1} %)", counts.flat[0], counts.flat[1], percent(counts.flat));
    println!("errors that are refused: {} of {} ({:.1} %)", counts.errors[0], counts.errors[1], percent(counts.errors));
    ExitCode::SUCCESS
}
