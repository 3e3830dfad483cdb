//! Parses every Modelica file of a folder.

use partita_grammar::{Source, parse, render};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut bad = 0;
    for folder in std::env::args().skip(1) {
        let mut files: Vec<_> = std::fs::read_dir(&folder).map(|d| d.flatten().map(|e| e.path()).collect()).unwrap_or_default();
        files.sort();
        for file in files {
            let Some(ext) = file.extension() else { continue };
            if ext != "mo" && ext != "bmo" { continue; }
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let source = Source { name: file.display().to_string(), text };
            match parse(&source) {
                Ok(d) => println!("{:?} {}", d.dialect, source.name),
                Err(e) => { bad += 1; for e in e.iter().take(1) { println!("{}", render(e, &source)); } }
            }
        }
    }
    println!("bad {bad}");
    ExitCode::SUCCESS
}
