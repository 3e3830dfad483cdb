//! The command line as a user sees it: `tests/golden/commands/*.mo` hold a model, the arguments (`//! command run MODEL --set a=1`),
//! files it needs (`//! file NAME LINE|LINE`) and, after `//! expect`, the exit code, what is said on standard error and which
//! files are left; with `//! shown` instead of `//! command` also what is printed, without times and how fast is how fast. `BLESS=1 cargo test` rewrites the expectations; read the diff.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const MARK: &str = "//! expect\n";

/// A folder for one command, empty.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("partita-command-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    folder
}

/// What is printed, with lines and numbers that differ from run to run left out.
fn timeless(printed: &str) -> String {
    let mut text = String::new();
    for line in printed.lines() {
        let cut = ["compile ", "total ", "  time of ", "  speed-up over ", "  slower than "].iter().any(|start| line.starts_with(start));
        if cut {
            continue;
        }
        // `analyze --verify`: what comes after the error of a run is time.
        let line = match line.split_once(" of the range of ") {
            Some((before, after)) if line.starts_with("run ") => {
                format!("{before} of the range of {}", after.split(',').next().unwrap_or_default())
            }
            _ => line.to_string(),
        };
        let _ = writeln!(text, "{line}");
    }
    text
}

/// The content of a file: `|` ends a line, and `\xE9` is a byte that need not be text.
fn bytes(content: &str) -> Vec<u8> {
    let mut parts = content.split("\\x");
    let line_ends = |part: &str| part.replace('|', "\n").into_bytes();
    let mut bytes = parts.next().map(line_ends).unwrap_or_default();
    for part in parts {
        let (digits, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(digits, 16).expect("two hexadecimal digits follow"));
        bytes.extend(line_ends(rest));
    }
    bytes
}

/// Exit code, standard error and the files that are there afterwards.
fn outcome(path: &Path, input: &str) -> String {
    let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
    let folder = folder(&name);
    std::fs::write(folder.join(&name), input).expect("the model can be written");
    let mut text = String::new();
    for line in input.lines() {
        if let Some(file) = line.strip_prefix("//! file ") {
            let (file, content) = file.split_once(' ').expect("a file has a name and a content");
            let path = folder.join(file);
            std::fs::create_dir_all(path.parent().expect("it lies in the folder")).expect("its folder can be made");
            std::fs::write(path, bytes(content)).expect("the file can be written");
        } else if let Some((arguments, shown)) = line
            .strip_prefix("//! command ")
            .map(|arguments| (arguments, false))
            .or(line.strip_prefix("//! shown ").map(|arguments| (arguments, true)))
        {
            let arguments = arguments.split(' ').map(|word| if word == "MODEL" { name.as_str() } else { word });
            let output =
                Command::new(env!("CARGO_BIN_EXE_partita")).args(arguments).current_dir(&folder).output().expect("the command runs");
            let _ = writeln!(text, "exit code {}", output.status.code().expect("no signal ended it"));
            text.push_str(&String::from_utf8_lossy(&output.stderr));
            if shown {
                text.push_str(&timeless(&String::from_utf8_lossy(&output.stdout)));
            }
        }
    }
    let mut left: Vec<String> = std::fs::read_dir(&folder)
        .expect("the folder can be read")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    left.sort();
    left.retain(|file| *file != name);
    let _ = writeln!(text, "files: {}", left.join(" "));
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    text.lines().map(|line| if line.is_empty() { "//\n".to_string() } else { format!("// {}\n", line.trim_end()) }).collect()
}

#[test]
fn commands_say_what_their_golden_files_say() {
    let bless = std::env::var_os("BLESS").is_some();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/commands");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&golden).expect("the folder can be read").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    assert!(paths.len() >= 10, "{paths:?}");
    let mut failures = String::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a golden file can be read");
        let (input, expected) = text.split_once(MARK).unwrap_or((&text, ""));
        let actual = outcome(&path, input);
        if bless {
            std::fs::write(&path, format!("{input}{MARK}{actual}")).expect("a golden file can be written");
        } else if actual != expected {
            let _ = writeln!(failures, "{}:\n--- expected\n{expected}--- actual\n{actual}", path.display());
        }
    }
    assert!(failures.is_empty(), "{failures}\nrun `BLESS=1 cargo test` if the new output is right");
}

/// Whoever reads the first line only has seen enough: that is no failure.
#[test]
fn a_reader_may_stop_reading() {
    for arguments in [["completions", "bash"].as_slice(), &["completions", "zsh"], &["run", "--help"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_partita"));
        let mut child = command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the command ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("panicked") && output.status.code().is_some_and(|code| code == 0), "{arguments:?}: {said}");
    }
}

/// What is no terminal gets no colours.
#[test]
fn messages_in_files_have_no_colours() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_partita"));
    let output = command.args(["check", "-"]).env("TERM", "xterm").stdin(Stdio::null()).output().expect("the command runs");
    assert!(!output.stderr.is_empty() && !output.stderr.contains(&0x1b));
}
