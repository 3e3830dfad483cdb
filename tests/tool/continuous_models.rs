//! Lists the models of a corpus that have a reference and neither `when` nor `pre` nor `sample`: those that need no discrete variables.
//! `continuous_models FOLDER [SCORE.json]`
//!
//! FOLDER holds `index.json`, a list of `{name, model, ref}`. With the JSON that scoring such a corpus has written, the list says which
//! of them are in the tube, and the last line how many. Words in comments and strings do not count.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

/// Runs the command.
pub(crate) fn main(arguments: &[String]) -> ExitCode {
    match arguments {
        [folder] => show(Path::new(folder), None),
        [folder, score] => show(Path::new(folder), Some(Path::new(score))),
        _ => Err("usage: continuous_models FOLDER [SCORE.json]".to_string()),
    }
    .map_or_else(
        |why| {
            eprintln!("{why}");
            ExitCode::from(2)
        },
        |()| ExitCode::SUCCESS,
    )
}

fn json(path: &Path) -> Result<Value, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

fn show(folder: &Path, score: Option<&Path>) -> Result<(), String> {
    let index = json(&folder.join("index.json"))?;
    let in_tube: Option<BTreeMap<String, bool>> = score.map(|path| json(path).map(|score| verdicts(&score))).transpose()?;
    let (mut n, mut n_inside) = (0, 0);
    for entry in index.as_array().into_iter().flatten() {
        let (Some(name), Some(model)) = (entry["name"].as_str(), entry["model"].as_str()) else { continue };
        let path = folder.join(model);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        if !entry["ref"].is_string() || !is_continuous(&text) {
            continue;
        }
        n += 1;
        let inside = in_tube.as_ref().map(|verdicts| verdicts.get(name).copied().unwrap_or(false));
        n_inside += usize::from(inside == Some(true));
        let verdict = inside.map_or("", |inside| if inside { "in the tube  " } else { "not in it    " });
        println!("{verdict}{name}");
    }
    match in_tube {
        Some(_) => println!("{n_inside} of {n} models are in the tube"),
        None => println!("{n} models"),
    }
    Ok(())
}

/// Which models are in the tube.
fn verdicts(score: &Value) -> BTreeMap<String, bool> {
    let list = score.as_array().or(score["models"].as_array());
    let pairs = list
        .into_iter()
        .flatten()
        .filter_map(|entry| Some((entry["name"].as_str()?.to_string(), entry["tube"].as_bool().unwrap_or(false))));
    pairs.collect()
}

/// Whether none of the words occurs outside comments and strings; `pre` and `sample` count as calls only.
fn is_continuous(text: &str) -> bool {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
        } else if first == '"' || first == '\'' {
            let mut escaped = false;
            let end = rest[1..].find(|c: char| {
                let closes = c == first && !escaped;
                escaped = c == '\\' && !escaped;
                closes
            });
            rest = end.map_or("", |end| &rest[end + 2..]);
        } else if first.is_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            words.push((&rest[..end], rest[end..].trim_start().starts_with('(')));
            rest = &rest[end..];
        } else {
            rest = &rest[first.len_utf8()..];
        }
    }
    !words.iter().any(|(word, called)| *word == "when" || (*called && matches!(*word, "pre" | "sample")))
}
