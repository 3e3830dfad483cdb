//! The texts of `compiler/library`, and which class stands in which.
//!
//! Guarantee: no text is parsed here. Cost: one scan of all texts for names, at the first need.

use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// The files: name and text.
pub(super) const FILES: [(&str, &str); N_FILES] = [
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
pub(super) const N_FILES: usize = 13;

/// The file of each class, by a scan for lines that open a class: no parsing.
pub(super) fn index() -> &'static FxHashMap<&'static str, usize> {
    static INDEX: OnceLock<FxHashMap<&'static str, usize>> = OnceLock::new();
    INDEX.get_or_init(|| {
        let files = FILES.iter().enumerate();
        files.flat_map(|(file, (_, text))| class_names(text).map(move |name| (name, file))).collect()
    })
}

/// The names of the classes of a library file.
pub(super) fn class_names(text: &'static str) -> impl Iterator<Item = &'static str> {
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
pub(super) fn function_text(name: &str) -> Option<&'static str> {
    let (_, text) = FILES[*index().get(name)?];
    let start = text.find(&format!("  function '{name}'"))?;
    let end = format!("  end '{name}';");
    let length = text[start..].find(&end)? + end.len();
    Some(&text[start..start + length])
}
