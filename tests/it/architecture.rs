//! `ARCHITECTURE.md` is true: every pass and invariant that it names is there, what it does not name is not; and sizes of what is written.

use crate::golden;
use crate::tidy::{CRATES, root, sources};
use partita::pipeline::passes::{Dump, PASSES};
use partita::pipeline::{self, Libraries};
use partita_tests::simulation::{models, read_source};
use partita_tests::sizes::{Sized, functions, structs};
use std::collections::BTreeSet;
use std::path::Path;

fn architecture() -> String {
    std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md can be read")
}

/// The rows of the table below a heading, without its head.
fn rows<'a>(text: &'a str, heading: &str) -> Vec<Vec<&'a str>> {
    let (_, behind) = text.split_once(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("ARCHITECTURE.md has no section {heading}"));
    let section = behind.split("\n## ").next().unwrap_or_default();
    let lines = section.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|')).skip(2);
    lines.map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect()).collect()
}

/// The words between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The words of the table are unique, name their modules and are those of `ARCHITECTURE.md`; every text has golden files, every folder of them a
/// text.
#[test]
fn every_pass_has_one_name_and_is_shown_and_described() {
    let text = architecture();
    let described: Vec<(&str, Vec<&str>)> =
        rows(&text, "The chain of types").into_iter().map(|row| (row[0].trim_matches('`'), quoted(row[row.len() - 1]))).collect();
    let table: Vec<(&str, Vec<&str>)> = PASSES.iter().map(|pass| (pass.word, pass.views.iter().map(|view| view.word).collect())).collect();
    assert_eq!(described, table, "the table in ARCHITECTURE.md (left) is not that of the passes (right)");

    let mut names = BTreeSet::new();
    for pass in &PASSES {
        assert!(names.insert(pass.word), "two passes or texts are called `{}`", pass.word);
        let path = Path::new(pass.module);
        assert!(root().join(path).exists(), "there is no {}, where the pass `{}` should be", pass.module, pass.word);
        let is_named = path.with_extension("").iter().any(|folder| folder == pass.word);
        assert!(is_named, "the pass `{}` is in {}, which has another name", pass.word, pass.module);
        assert!(!pass.views.is_empty(), "the pass `{}` shows nothing", pass.word);
        for view in pass.views {
            assert!(view.word == pass.word || names.insert(view.word), "two passes or texts are called `{}`", view.word);
            assert!(!golden::files(view.word).is_empty(), "tests/golden/{} is empty", view.word);
            for path in golden::files(view.word) {
                let (source, expected) = golden::split(&path);
                assert!(source.text.starts_with("// "), "{} does not say what it shows", path.display());
                assert!(!expected.is_empty(), "{} expects nothing", path.display());
            }
        }
    }
    for entry in std::fs::read_dir(root().join("tests/golden")).expect("the golden files can be read").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_known = names.contains(name.as_str()) || ["errors", "commands"].contains(&name.as_str());
        assert!(is_known, "no pass shows what is in tests/golden/{name}");
    }
}

/// Names of the functions of a text that are tests.
fn tests_of(text: &str) -> BTreeSet<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_test = |at: usize| lines[..at].iter().rev().take_while(|line| line.starts_with("#[")).any(|line| *line == "#[test]");
    let names = (0..lines.len()).filter_map(|at| Some((at, lines[at].strip_prefix("fn ")?.split('(').next()?)));
    names.filter(|(at, _)| is_test(*at)).map(|(_, name)| name.to_string()).collect()
}

#[test]
fn every_invariant_names_its_test() {
    let mut tests = BTreeSet::new();
    for folder in CRATES.into_iter().chain(["compiler/tests"]) {
        tests.extend(sources(folder).iter().flat_map(|(_, text)| tests_of(text)));
    }
    let text = architecture();
    let invariants = rows(&text, "Invariants");
    assert!(invariants.len() > 10, "only {} invariants found", invariants.len());
    for row in invariants {
        let named = quoted(row[row.len() - 1]);
        assert!(row.len() == 2 && !named.is_empty(), "no test holds the invariant {}", row[0]);
        for name in named {
            assert!(tests.contains(name), "there is no test {name}, which should hold: {}", row[0]);
        }
    }
}

/// Names of the packages of other people that a manifest declares.
fn packages(manifest: &str) -> BTreeSet<&str> {
    let (mut names, mut is_inside) = (BTreeSet::new(), false);
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_inside = line.ends_with("dependencies]");
        } else if let Some((name, _)) = line.split_once(['=', '.']).filter(|_| is_inside && !line.starts_with('#')) {
            names.insert(name.trim());
        }
    }
    names.retain(|name| !name.starts_with("partita"));
    names
}

#[test]
fn every_package_is_described() {
    let text = architecture();
    let described: BTreeSet<&str> = rows(&text, "Packages").iter().flat_map(|row| row[0].split(", ")).collect();
    let mut all = BTreeSet::new();
    for file in ["Cargo.toml", "compiler/Cargo.toml", "runtime/Cargo.toml", "grammar/Cargo.toml", "tests/Cargo.toml"] {
        let manifest = std::fs::read_to_string(root().join(file)).expect("a manifest can be read");
        all.extend(packages(&manifest).into_iter().map(str::to_owned));
    }
    assert!(all.len() > 20, "only {} packages found", all.len());
    for name in &all {
        assert!(described.contains(name.as_str()), "ARCHITECTURE.md does not say what {name} is for");
    }
    for name in described {
        assert!(all.contains(name), "ARCHITECTURE.md describes {name}, which no manifest has");
    }
}

/// Paths in backticks exist: below the project, or below the layer that the text is about.
#[test]
fn what_is_named_is_there() {
    for file in ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"] {
        let text = std::fs::read_to_string(root().join(file)).expect("a file of the project");
        let outside_of_code: String = text.split("```").step_by(2).collect();
        for path in quoted(&outside_of_code).into_iter().filter(|word| word.contains('/') && !word.contains(['<', ' ', '*', '~'])) {
            let homes = ["", "compiler/src", "runtime/src"];
            let is_ours =
                ["compiler", "runtime", "grammar", "tests", "models", ".ci"].contains(&path.split('/').next().unwrap_or_default());
            assert!(!is_ours || homes.iter().any(|home| root().join(home).join(path).exists()), "{file} names {path}, which is not there");
        }
    }
}

/// The same text gives the same texts of all passes, down to the last byte: no order of a hash map shows.
#[test]
fn equal_input_gives_equal_texts() {
    for path in models().expect("the models can be read").iter().step_by(6) {
        let source = read_source(path).expect("a model can be read");
        for pass in &PASSES {
            let text = || pipeline::dump_with(Dump::parse(pass.word).expect("a pass"), &source, &Libraries::default(), None).ok();
            assert_eq!(text(), text(), "two texts of the pass `{}` for {}", pass.word, source.name);
        }
    }
}

/// Most lines of a file.
const FILE: usize = 700;
/// Most lines of a function.
const FUNCTION: usize = 80;
/// Most fields of a struct.
const FIELDS: usize = 20;
/// Most lines of the median function.
const MEDIAN: usize = 9;

#[test]
fn functions_files_and_structs_are_small() {
    let mut wrong = Vec::new();
    let mut sizes = Vec::new();
    for folder in CRATES.into_iter().chain(["compiler/tests"]) {
        for (name, text) in sources(folder) {
            let mut say = |what: &Sized, most: usize| {
                if what.size > most {
                    wrong.push(format!("{folder}/{name}:{}: {} has {}", what.line, what.name, what.size));
                }
            };
            say(&Sized { name: "the file".to_owned(), line: 1, size: text.lines().count() }, FILE);
            functions(&text).iter().for_each(|function| say(function, FUNCTION));
            structs(&text).iter().for_each(|fields| say(fields, FIELDS));
            sizes.extend(functions(&text).iter().map(|function| function.size));
        }
    }
    assert!(wrong.is_empty(), "more than {FILE} lines of a file, {FUNCTION} of a function or {FIELDS} fields of a struct: {wrong:#?}");
    sizes.sort_unstable();
    assert!(sizes[sizes.len() / 2] <= MEDIAN, "half of the functions have more than {} lines", sizes[sizes.len() / 2]);
}
