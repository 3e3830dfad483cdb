//! Rules of the project that no compiler checks: who may import whom, which messages and models have tests and descriptions. Those of the
//! table of passes, of `ARCHITECTURE.md` and of sizes are beside it.

use crate::golden;
use partita_tests::modules::{Graph, code};
use partita_tests::simulation::{models, models_folder};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Source files below a folder of the project, in order, by their path from that folder.
pub(crate) fn sources(folder: &str) -> Vec<(String, String)> {
    let base = root().join(folder);
    let mut found = Vec::new();
    let mut folders = vec![base.clone()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).unwrap_or_else(|e| panic!("{}: {e}", next.display())).flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let name = path.strip_prefix(&base).expect("a path below the folder").to_string_lossy().into_owned();
                found.push((name, std::fs::read_to_string(&path).expect("a source file can be read")));
            }
        }
    }
    found.sort();
    found
}

/// Words that follow `prefix` in a text.
fn words_after(text: &str, prefix: &str) -> BTreeSet<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let starts = text.match_indices(prefix).filter(|(at, _)| !text[..*at].chars().next_back().is_some_and(is_word));
    starts.map(|(at, _)| text[at + prefix.len()..].chars().take_while(|c| is_word(*c)).collect()).collect()
}

/// The layers of each crate in the order in which a model flows: a module names only modules of its own layer and of earlier ones.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "compiler/src",
        &["base", "frontend", "structure", "equations", "transform", "sorting", "program", "codegen", "decouple", "pipeline", "reduction"],
    ),
    ("runtime/src", &["base", "linear", "model", "native", "abi", "exec", "integrate", "result", "simulator"]),
];

/// All crates by the folder of their root module.
pub(crate) const CRATES: [&str; 7] =
    ["grammar/src", "compiler/src", "compiler/command", "runtime/src", "tests/src", "tests/it", "tests/tool"];

#[test]
fn no_modules_name_each_other_in_a_circle() {
    for folder in CRATES {
        let cycles = Graph::of(&sources(folder)).cycles();
        assert!(cycles.is_empty(), "{folder}: {cycles:#?}");
    }
}

#[test]
fn layers_name_only_earlier_ones() {
    for (folder, order) in LAYERS {
        let wrong = Graph::of(&sources(folder)).against(order);
        assert!(wrong.is_empty(), "{folder}: {wrong:#?}");
        let entries = std::fs::read_dir(root().join(folder)).expect("the folder can be read").count();
        assert!(entries <= 12, "{folder} has {entries} entries");
    }
}

#[test]
fn structure_sees_graphs_only() {
    for (name, text) in sources("compiler/src/structure") {
        let code = code(&name, &text);
        for flat in words_after(&code, "flat::") {
            assert_eq!(flat, "StateSelect", "structure/{name} uses flat::{flat}");
        }
        for other in ["partita_grammar", "partita_runtime"] {
            assert!(!code.contains(other), "structure/{name} names {other}");
        }
    }
}

#[test]
fn the_run_time_knows_no_compiler() {
    let manifest = std::fs::read_to_string(root().join("runtime/Cargo.toml")).expect("the manifest can be read");
    for (name, text) in sources("runtime/src").into_iter().chain([("Cargo.toml".to_string(), manifest)]) {
        for other in ["partita::", "partita.", "partita_grammar", "partita-grammar", "cranelift_jit", "cranelift_module", "cranelift::"] {
            assert!(!code(&name, &text).contains(other), "runtime/{name} names {other}");
        }
    }
}

#[test]
fn libraries_are_named_in_one_place_only() {
    for (folder, libraries, home) in [
        ("compiler/src", ["cranelift::", "cranelift_jit", "cranelift_module", "cranelift_native"].as_slice(), "codegen/"),
        ("compiler/src", ["symbolica::"].as_slice(), "sorting/closed_form/algebra/"),
        ("grammar/src", ["pest::", "pest_derive"].as_slice(), ""),
    ] {
        for (name, text) in sources(folder) {
            let code = code(&name, &text);
            for library in libraries {
                let at_home = if home.is_empty() {
                    ["tree_builder.rs", "parse.rs", "expression.rs"].contains(&name.as_str())
                } else {
                    name.starts_with(home)
                };
                assert!(at_home || !code.contains(library), "{folder}/{name} names {library}");
            }
        }
    }
}

/// Where code that the compiler does not check stands: generated code is made known, called and freed, and functions of shared libraries are called.
const UNSAFE_FILES: [&str; 6] = [
    "compiler/src/codegen/image.rs",
    "compiler/src/codegen/jit.rs",
    "runtime/src/abi/direct.rs",
    "runtime/src/abi/machine_code.rs",
    "runtime/src/native/foreign.rs",
    "runtime/src/simulator/model_image.rs",
];

/// Root modules of crates and of layers without such code, which forbid it.
fn forbids_unsafe(path: &str) -> bool {
    let root = [
        "grammar/src/lib.rs",
        "tests/src/lib.rs",
        "tests/it/main.rs",
        "tests/tool/main.rs",
        "compiler/command/main.rs",
        "compiler/command/stub.rs",
    ];
    let layer = LAYERS.iter().any(|(folder, layers)| layers.iter().any(|layer| path == format!("{folder}/{layer}/mod.rs")));
    let home = path.strip_suffix("mod.rs").unwrap_or(path);
    root.contains(&path) || (layer && !UNSAFE_FILES.iter().any(|file| file.starts_with(home)))
}

#[test]
fn unsafe_code_stays_where_it_belongs() {
    // Put together so that this file does not name what it forbids.
    let keyword = format!("un{}", "safe");
    for folder in CRATES {
        for (name, text) in sources(folder) {
            let path = format!("{folder}/{name}");
            let at_home = UNSAFE_FILES.contains(&path.as_str());
            assert!(at_home || !words_of(&code(&name, &text)).contains(keyword.as_str()), "{folder}/{name} has {keyword} code");
            assert!(!forbids_unsafe(&path) || text.contains("#![forbid(unsafe_code)]"), "{path} does not forbid {keyword} code");
        }
    }
}

/// What is written in one place is checked, whole and removed in one place; what models write is theirs.
#[test]
fn files_are_written_in_one_place_only() {
    for folder in ["compiler/src", "runtime/src"] {
        for (name, text) in sources(folder) {
            let path = format!("{folder}/{name}");
            let at_home = ["runtime/src/base/files/", "runtime/src/native/"].iter().any(|home| path.starts_with(home));
            // The name of the one way that is right ends like that of a wrong one.
            let code = code(&name, &text).replace("AtomicFile::create", "");
            for way in ["File::create", "fs::write(", "OpenOptions", "fs::rename(", "fs::copy("] {
                assert!(at_home || !code.contains(way), "{path} has {way}: runtime::base::files writes files");
            }
            assert!(
                !words_of(&code).contains("eprintln"),
                "{path} has eprintln, which panics when its reader is gone: runtime::base::terminal prints"
            );
        }
    }
}

fn words_of(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect()
}

#[test]
fn no_test_is_switched_off_and_nothing_is_left_to_do() {
    // Put together so that this file does not name what it forbids.
    let forbidden = [format!("#[{}", "ignore"), format!("{}!(", "todo"), format!("{}!(", "unimplemented"), format!("{}!(", "dbg")];
    for folder in CRATES {
        for (name, text) in sources(folder) {
            for word in &forbidden {
                assert!(!text.contains(word.as_str()), "{folder}/{name} has {word}");
            }
        }
    }
}

/// Where everything has an id, a kind or a flag: nothing follows from how a name is spelled.
const NAMELESS: [&str; 11] = [
    "compiler/src/transform",
    "compiler/src/structure",
    "compiler/src/sorting",
    "compiler/src/program",
    "compiler/src/codegen",
    "compiler/src/decouple",
    "compiler/src/reduction",
    "compiler/src/equations/function",
    "compiler/src/equations/expr",
    "runtime/src/exec",
    "runtime/src/integrate",
];

/// Ways to ask how a text is spelled.
const SPELLINGS: [&str; 14] = [
    ".starts_with(",
    ".ends_with(",
    ".strip_prefix(",
    ".strip_suffix(",
    ".split(",
    ".rsplit(",
    ".split_once(",
    ".rsplit_once(",
    ".find('",
    ".rfind('",
    ".contains(\"",
    ".contains('",
    ".match_indices(",
    ".rmatch_indices(",
];

/// Lines of a code that ask how a name or label is spelled, or whether a text begins as the compiler's own names do. What a user gives is
/// not called a name before it was found to be one (`given`, `text`, `path`).
fn spelled_names(code: &str) -> Vec<&str> {
    let is_receiver = |c: char| c.is_alphanumeric() || "_.[]".contains(c);
    let names_something = |line: &str, at: usize| {
        let before = &line[..at];
        let start = before.char_indices().rev().find(|(_, c)| !is_receiver(*c)).map_or(0, |(at, c)| at + c.len_utf8());
        ["name", "names", "label", "labels"].iter().any(|word| words_of(&before[start..]).contains(word))
    };
    let is_ours = |argument: &str| ["'$'", "\"$", "\"der(", "\"pre(", "\"start("].iter().any(|text| argument.starts_with(text));
    let is_wrong = |line: &&str| {
        let asked = SPELLINGS.iter().any(|way| {
            line.match_indices(way)
                .any(|(at, _)| names_something(line, at) || is_ours(&line[at + way.trim_end_matches(['"', '\'']).len()..]))
        });
        asked || line.match_indices(" == \"").any(|(at, _)| names_something(line, at))
    };
    code.lines().filter(is_wrong).collect()
}

#[test]
fn no_name_is_an_identity() {
    for folder in NAMELESS {
        for (name, text) in sources(folder) {
            let code = code(&name, &text);
            let found = spelled_names(&code);
            assert!(found.is_empty(), "{folder}/{name} asks how a name is spelled; use an id, a kind or a flag: {found:#?}");
        }
    }
}

#[test]
fn spelled_names_are_found() {
    let wrong = [
        "READ.iter().any(|prefix| sys.vars[var].name.starts_with(prefix))",
        "let made = var.name.starts_with('$');",
        "varying.filter(|(_, signal)| !signal.name.starts_with(\"der(\"))",
        "let mut sides: Vec<String> = label.text.split([' ', '<']).collect();",
        "if output.starts_with(\"der(\") {",
        "if variable.name == \"time\" {",
        "name.is_some_and(|name| WITHOUT_VALUE.iter().any(|prefix| name.starts_with(prefix)))",
    ];
    for line in wrong {
        assert_eq!(spelled_names(line), [line]);
    }
    let right = [
        "given.strip_suffix(\".start\")",
        "for part in text.split(';') {",
        "names.iter().find(|name| **name == wanted)",
        "name == other.name",
    ];
    for line in right {
        assert!(spelled_names(line).is_empty(), "{line}");
    }
}

/// Codes of messages that no model can bring about, and why.
const WITHOUT_GOLDEN: &[(&str, &str)] = &[
    ("F007", "guards flattening against components of models, which instantiation takes away"),
    ("F008", "guards flattening against connections, which instantiation takes away"),
    ("G010", "needs a gigabyte of memory; tested with the command"),
    ("P011", "needs a file of more than 4 GB"),
    ("P900", "says that the parser has a bug"),
    ("G003", "says that a pass has a bug; the verifiers have tests of their own"),
    ("G002", "says that the code generator has a bug"),
    ("R106", "says that the compiler made a malformed plan"),
    ("R206", "guards against a model that schedules events in the past; tested beside the driver"),
    ("R210", "is about the name of a result file; tested beside the writer"),
    ("R211", "is about a file that cannot be written or read; tested beside the writer"),
    ("R213", "is about a file that would be read and written; golden files of commands show it"),
    ("R218", "is about standard output that is a file of the command; tested from outside"),
    ("R219", "is about standard error that is a file of the command; tested from outside"),
    ("R214", "is about a filter of results that matches nothing; golden files of commands show it"),
    ("R212", "is about a result file that cannot be read; tested beside the reader"),
    ("I001", "guards the completion of the initial system, which always succeeds if the simulation can be sorted"),
    ("I002", "guards the initial system, which is regular if the system at events is"),
    ("G001", "is about functions without a derivative; all that can be called have one, by differences if need be"),
    ("R202", "guards the restart of a method; the same fault is found before, when the point is written (R205)"),
    ("S005", "guards the sorting of parameters; a circle is found before, when they are evaluated (F015)"),
    ("C101", "needs results of 2e8 numbers"),
    ("C104", "is a remark about a model of more than 400 states: its terms are ranked without estimates"),
    ("C105", "is a remark about derivatives that cannot be evaluated: the terms are ranked without estimates"),
    ("C106", "is why a term or component stays; the ranking shows it as a reason"),
    ("S006", "guards index reduction against assignments, which it is not given"),
];

/// The quoted message codes of a text.
fn codes(text: &str) -> BTreeSet<String> {
    text.split('"')
        .filter(|piece| piece.len() == 4 && "PFDASIGCLNMKR".contains(&piece[..1]) && piece[1..].bytes().all(|b| b.is_ascii_digit()))
        .map(str::to_string)
        .collect()
}

#[test]
fn every_message_has_a_golden_file() {
    let mut in_sources = BTreeSet::new();
    for folder in ["grammar/src", "compiler/src", "compiler/command", "runtime/src"] {
        for (name, text) in sources(folder) {
            in_sources.extend(codes(&code(&name, &text)));
        }
    }
    assert!(in_sources.len() > 80, "only {} codes found", in_sources.len());
    let mut in_goldens = BTreeSet::new();
    for path in golden::files("errors") {
        let (_, expected) = golden::split(&path);
        assert!(expected.contains('['), "{} expects no message", path.display());
    }
    // Messages about wishes of a command are shown where commands are.
    for path in golden::files("errors").into_iter().chain(golden::files("commands")) {
        let (_, expected) = golden::split(&path);
        in_goldens.extend(expected.split(['[', ']']).filter(|piece| piece.len() == 4).map(str::to_string));
    }
    let excepted: BTreeSet<String> = WITHOUT_GOLDEN.iter().map(|(code, _)| code.to_string()).collect();
    let missing: Vec<&String> = in_sources.iter().filter(|code| !in_goldens.contains(*code) && !excepted.contains(*code)).collect();
    assert!(missing.is_empty(), "no file in tests/golden/errors shows {missing:?}");
    let needless: Vec<&String> = excepted.iter().filter(|code| in_goldens.contains(*code) || !in_sources.contains(*code)).collect();
    assert!(needless.is_empty(), "no exception is needed for {needless:?}");
}

#[test]
fn every_model_is_described() {
    let index = std::fs::read_to_string(models_folder().join("README.md")).expect("the index of models can be read");
    let paths = models().expect("the models can be read");
    for path in &paths {
        let name = path.file_name().expect("a file has a name").to_string_lossy();
        let text = std::fs::read_to_string(path).expect("a model can be read");
        let header: String = text.lines().take_while(|line| line.starts_with("//")).collect();
        for word in ["Shows: ", "Expected: "] {
            assert!(header.contains(word), "the header of models/{name} lacks {word}");
        }
        assert!(index.contains(&format!("`{name}`")), "models/{name} is not in models/README.md");
    }
    assert_eq!(index.matches("| `").count(), paths.len(), "models/README.md lists a model that is not there");
}

/// `cargo run` of the README has to know which of the two executables is meant.
#[test]
fn the_first_command_of_the_readme_finds_its_executable() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = |file: &str| std::fs::read_to_string(root.join(file)).expect("a file of the project");
    assert!(text("README.md").contains("\ncargo run --release -- run models/dc_motor.mo"));
    assert!(text("compiler/Cargo.toml").contains("\ndefault-run = \"partita\""));
    assert!(text("Cargo.toml").contains("\ndefault-members = [\"compiler\"]"));
}
