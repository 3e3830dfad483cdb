//! The graph of `use` between the modules of a crate.
//!
//! Input: the source files below a folder whose root module is `lib.rs` or `main.rs`. Output: for each module the modules that it names,
//! in `use` declarations and in paths that begin with `crate`, `super` or `self`; code of tests does not count. Method: a reader of `use`
//! trees, no parser. Guarantee: a parent that uses its child and a child that uses its parent are two edges, like any others.
//! Cost: linear in the text.

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use std::collections::{BTreeMap, BTreeSet};

/// The path of a module from the root of its crate; empty for the root.
pub type Module = Vec<String>;

/// Who names whom.
#[derive(Debug, Default)]
pub struct Graph {
    /// The modules that each module names.
    pub edges: BTreeMap<Module, BTreeSet<Module>>,
}

/// The module of a file, by its path below the folder of the crate.
pub fn module_of(file: &str) -> Module {
    let mut path: Module = file.trim_end_matches(".rs").split('/').map(str::to_string).collect();
    if path.last().is_some_and(|last| last == "mod") {
        path.pop();
    }
    if path == ["lib"] || path == ["main"] { Vec::new() } else { path }
}

/// The part of a source file that is not tests, without comments.
pub fn code(name: &str, text: &str) -> String {
    let is_test = ["tests.rs", "testing.rs", "problems.rs"].iter().any(|end| name.ends_with(end));
    if is_test {
        return String::new();
    }
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

impl Graph {
    /// The graph of a crate: names and texts of its files.
    pub fn of(files: &[(String, String)]) -> Graph {
        let modules: BTreeSet<Module> = files.iter().map(|(name, _)| module_of(name)).collect();
        let mut graph = Graph::default();
        for (name, text) in files {
            let own = module_of(name);
            let mut named = BTreeSet::new();
            for path in paths(&code(name, text)) {
                let Some(mut target) = absolute(&own, &path, &modules) else { continue };
                while !modules.contains(&target) {
                    target.pop();
                }
                if target != own && !target.is_empty() {
                    named.insert(target);
                }
            }
            graph.edges.insert(own, named);
        }
        graph
    }

    /// Modules that name each other in a circle, as texts.
    pub fn cycles(&self) -> Vec<String> {
        let index: BTreeMap<&Module, usize> = self.edges.keys().enumerate().map(|(at, module)| (module, at)).collect();
        let names: Vec<&Module> = self.edges.keys().collect();
        let mut graph = DiGraphMap::<usize, ()>::new();
        for (from, named) in &self.edges {
            named.iter().filter_map(|to| index.get(to)).for_each(|to| {
                graph.add_edge(index[from], *to, ());
            });
        }
        let cycles = tarjan_scc(&graph).into_iter().filter(|part| part.len() > 1);
        cycles.map(|part| part.iter().map(|at| names[*at].join("::")).collect::<Vec<_>>().join(", ")).collect()
    }

    /// Edges between modules of the root that go from an earlier to a later one of `order`, and modules that `order` does not have.
    pub fn against(&self, order: &[&str]) -> Vec<String> {
        let position = |module: &Module| module.first().and_then(|first| order.iter().position(|layer| layer == first));
        let mut wrong = Vec::new();
        for (from, named) in self.edges.iter().filter(|(from, _)| !from.is_empty()) {
            let Some(own) = position(from) else {
                wrong.push(format!("{} is in no layer", from.join("::")));
                continue;
            };
            let later = named.iter().filter(|to| position(to).is_some_and(|at| at > own));
            wrong.extend(later.map(|to| format!("{} uses {}", from.join("::"), to.join("::"))));
        }
        wrong
    }
}

/// Where a path leads to, from the root; `None` for paths out of the crate.
fn absolute(own: &Module, path: &[String], modules: &BTreeSet<Module>) -> Option<Module> {
    let mut rest = path;
    let mut base = match rest.first()?.as_str() {
        "crate" => {
            rest = &rest[1..];
            Vec::new()
        }
        "self" => {
            rest = &rest[1..];
            own.clone()
        }
        "super" => own.clone(),
        first => {
            let child: Module = own.iter().cloned().chain([first.to_string()]).collect();
            modules.contains(&child).then(|| own.clone())?
        }
    };
    while rest.first().is_some_and(|part| part == "super") {
        base.pop();
        rest = &rest[1..];
    }
    base.extend(rest.iter().cloned());
    Some(base)
}

/// All paths of `use` declarations, and those in code that begin with `crate`, `super` or `self`.
fn paths(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = String::new();
    let mut remaining = text;
    while let Some(at) = next_use(remaining) {
        let end = remaining[at..].find(';').map_or(remaining.len(), |end| at + end);
        rest.push_str(&remaining[..at]);
        expand(&remaining[at + 4..end], &mut Vec::new(), &mut found);
        remaining = &remaining[end..];
    }
    rest.push_str(remaining);
    for root in ["crate::", "super::", "self::"] {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        for (at, _) in rest.match_indices(root).filter(|(at, _)| !rest[..*at].chars().next_back().is_some_and(is_word)) {
            let path: String = rest[at..].chars().take_while(|c| is_word(*c)).collect();
            found.push(path.split("::").filter(|part| !part.is_empty()).map(str::to_string).collect());
        }
    }
    found
}

/// Where the next `use` declaration begins.
fn next_use(text: &str) -> Option<usize> {
    text.match_indices("use ").map(|(at, _)| at).find(|at| {
        let before = text[..*at].trim_end_matches(' ');
        before.is_empty() || before.ends_with(['\n', ')']) || before.ends_with("pub")
    })
}

/// The paths of a `use` tree.
fn expand(tree: &str, prefix: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let path = tree.split(" as ").next().unwrap_or_default().split("::").map(|part| part.trim().to_string());
        found.push(prefix.iter().cloned().chain(path.filter(|part| !part.is_empty() && part != "self" || prefix.is_empty())).collect());
        return;
    };
    let n = prefix.len();
    prefix.extend(tree[..open].split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_string));
    let inner = &tree[open + 1..tree.rfind('}').unwrap_or(tree.len())];
    let (mut depth, mut begin) = (0_usize, 0);
    for (at, c) in inner.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                expand(&inner[begin..at], prefix, found);
                begin = at + 1;
            }
            _ => {}
        }
    }
    if !inner[begin..].trim().is_empty() {
        expand(&inner[begin..], prefix, found);
    }
    prefix.truncate(n);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(files: &[(&str, &str)]) -> Graph {
        Graph::of(&files.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect::<Vec<_>>())
    }

    #[test]
    fn circles_are_found_between_siblings_and_between_parent_and_child() {
        let a = ("a.rs", "use crate::b::{self, c::{D, E}};\n");
        assert!(graph(&[a, ("b/mod.rs", "mod c;\n"), ("b/c.rs", "")]).cycles().is_empty());
        assert_eq!(graph(&[a, ("b/mod.rs", "mod c;\n"), ("b/c.rs", "fn f(x: super::super::a::X) {}\n")]).cycles(), ["b::c, a"]);
        assert_eq!(graph(&[("b/mod.rs", "mod c;\npub use c::D;\n"), ("b/c.rs", "use super::X;\n")]).cycles(), ["b::c, b"]);
        assert!(
            graph(&[("b/mod.rs", "mod c;\npub use c::D;\n"), ("b/c.rs", "#[cfg(test)]\nmod tests {\n    use super::super::X;\n}\n")])
                .cycles()
                .is_empty()
        );
    }

    #[test]
    fn layers_name_only_earlier_ones() {
        let files = [("lib.rs", "pub mod a;\npub mod b;\n"), ("a.rs", "use crate::b::X;\n"), ("b.rs", "")];
        assert_eq!(graph(&files).against(&["a", "b"]), ["a uses b"]);
        assert!(graph(&files).against(&["b", "a"]).is_empty());
        assert_eq!(graph(&files).against(&["a"]), ["b is in no layer"]);
    }
}
