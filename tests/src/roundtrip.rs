//! Checks that printing a parsed text and parsing it again gives the same tree.
//!
//! Input: a text, or a folder of them. Output: what differs, or the counts of a folder.

use partita_grammar::{Source, parse, print, render, strip_spans};
use std::path::{Path, PathBuf};

/// Parses, prints, parses again and compares; the error says which step failed.
pub fn check_source(source: &Source) -> Result<(), String> {
    let rendered = |errors: Vec<partita_grammar::Diagnostic>, source: &Source| {
        errors.iter().take(3).map(|e| render(e, source)).collect::<Vec<_>>().join("\n")
    };
    let mut tree = parse(source).map_err(|e| rendered(e, source))?;
    let printed = Source { name: format!("{} as printed", source.name), text: print(&tree) };
    let mut again = parse(&printed).map_err(|e| rendered(e, &printed))?;
    strip_spans(&mut tree);
    strip_spans(&mut again);
    if tree != again {
        return Err(format!("{}: the printed text means something else", source.name));
    }
    if print(&again) != printed.text {
        return Err(format!("{}: the text printed from the second tree differs", source.name));
    }
    Ok(())
}

/// What came out for a folder.
#[derive(Debug, Default)]
pub struct Outcome {
    /// How many files were read.
    pub files: usize,
    /// Their bytes together.
    pub bytes: usize,
    /// One message per file that failed.
    pub failures: Vec<String>,
}

/// Checks every `.mo` and `.bmo` file of a folder and the folders in it, in the order of their names.
pub fn check_folder(folder: &Path) -> std::io::Result<Outcome> {
    let mut outcome = Outcome::default();
    for path in modelica_files(folder)? {
        let name = path.display().to_string();
        outcome.files += 1;
        match std::fs::read_to_string(&path) {
            Ok(text) => {
                outcome.bytes += text.len();
                outcome.failures.extend(check_source(&Source { name, text }).err());
            }
            Err(e) => outcome.failures.push(format!("{name}: {e}")),
        }
    }
    Ok(outcome)
}

/// All `.mo` and `.bmo` files below a folder, sorted.
pub fn modelica_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "mo" || e == "bmo") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
