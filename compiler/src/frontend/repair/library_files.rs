//! The texts of `compiler/library`, and which class stands in which.
//!
//! Guarantee: a text is parsed at the first need of something in it, once. Cost: one scan of all texts for names, at the first need.

use crate::frontend::flatten::names::name_text;
use partita_grammar::ast::{Class, ClassBody, Definition, Element, Section};
use partita_grammar::{Source, parse};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// The files: name and text.
pub(in crate::frontend) const FILES: [(&str, &str); N_FILES] = [
    ("common.mo", include_str!("../../../library/common.mo")),
    ("air.mo", include_str!("../../../library/air.mo")),
    ("algebra.mo", include_str!("../../../library/algebra.mo")),
    ("media.mo", include_str!("../../../library/media.mo")),
    ("filter.mo", include_str!("../../../library/filter.mo")),
    ("fluid.mo", include_str!("../../../library/fluid.mo")),
    ("frames.mo", include_str!("../../../library/frames.mo")),
    ("math.mo", include_str!("../../../library/math.mo")),
    ("moist_air.mo", include_str!("../../../library/moist_air.mo")),
    ("r134a.mo", include_str!("../../../library/r134a.mo")),
    ("spice3.mo", include_str!("../../../library/spice3.mo")),
    ("steam.mo", include_str!("../../../library/steam.mo")),
    ("water.mo", include_str!("../../../library/water.mo")),
];

/// How many files there are.
pub(in crate::frontend) const N_FILES: usize = 13;

/// The file of each class, by a scan for lines that open a class: no parsing.
pub(super) fn index() -> &'static FxHashMap<&'static str, usize> {
    static INDEX: OnceLock<FxHashMap<&'static str, usize>> = OnceLock::new();
    INDEX.get_or_init(|| {
        let files = FILES.iter().enumerate();
        files.flat_map(|(file, (_, text))| class_names(text).map(move |name| (name, file))).collect()
    })
}

/// The names of the classes of a library file.
pub(in crate::frontend) fn class_names(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter_map(|line| {
        let line = line.strip_prefix("  ")?;
        let line = line.strip_prefix("impure ").unwrap_or(line);
        let rest = ["function '", "record '", "type '"].iter().find_map(|word| line.strip_prefix(word))?;
        // Quotes inside a name are escaped.
        let mut end = 0;
        while let Some(at) = rest[end..].find('\'') {
            end += at;
            if !rest[..end].ends_with('\\') {
                return Some(&rest[..end]);
            }
            end += 1;
        }
        None
    })
}

/// Whether the library has a function of this name.
pub(crate) fn is_library_function(name: &str) -> bool {
    index().contains_key(name)
}

/// The text of a function of the library.
pub(in crate::frontend) fn function_text(name: &str) -> Option<&'static str> {
    let (_, text) = FILES[*index().get(name)?];
    let start = text.find(&format!("  function '{name}'"))?;
    let end = format!("  end '{name}';");
    let length = text[start..].find(&end)? + end.len();
    Some(&text[start..start + length])
}

/// The classes of a library file: those of its package.
pub(super) fn classes_of(definition: &Definition) -> impl Iterator<Item = &Class> {
    let bodies = definition.classes.iter().filter_map(|class| match &class.body {
        ClassBody::Long(body) => Some(body),
        _ => None,
    });
    bodies
        .flat_map(|body| &body.sections)
        .flat_map(|section| match section {
            Section::Elements { elements, .. } => elements.as_slice(),
            _ => &[],
        })
        .filter_map(|element| match element {
            Element::Class(class) => Some(&**class),
            _ => None,
        })
}

/// The class of a name, parsed; nothing if the library does not have it.
pub(super) fn our_class(name: &str) -> Option<Class> {
    static PARSED: [OnceLock<Option<Definition>>; N_FILES] = [const { OnceLock::new() }; N_FILES];
    let file = *index().get(name)?;
    let definition = PARSED[file].get_or_init(|| {
        let (name, text) = FILES[file];
        // The text is ours and a test parses it; a failure would only mean that nothing is found in it.
        parse(&Source { name: name.to_owned(), text: text.to_owned() }).ok()
    });
    classes_of(definition.as_ref()?).find(|class| name_text(&class.name) == name).cloned()
}
