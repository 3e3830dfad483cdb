//! Words before declarations, and which of them go together.

use super::*;

impl Builder<'_> {
    pub(super) fn prefix(&self, pair: &Pair, prefixes: &mut Prefixes) {
        let (word, span) = (pair.as_str(), self.span(pair));
        let (class, component) = (&mut prefixes.class, &mut prefixes.component);
        let twice = |old: bool| {
            if old {
                self.error(Diagnostic::error("P012", format!("`{word}` is written twice")).at(span, "").with_hint("remove one of them"));
            }
            true
        };
        match word {
            "final" => {
                class.final_ = twice(class.final_);
                component.final_ = true;
            }
            "inner" => {
                class.inner = twice(class.inner);
                component.inner = true;
            }
            "outer" => {
                class.outer = twice(class.outer);
                component.outer = true;
            }
            "redeclare" => {
                class.redeclare = twice(class.redeclare);
                component.redeclare = true;
            }
            "replaceable" => {
                class.replaceable = twice(class.replaceable);
                component.replaceable = true;
            }
            "encapsulated" => class.encapsulated = twice(class.encapsulated),
            "partial" => class.partial = twice(class.partial),
            "pure" => class.pure_ = twice(class.pure_),
            "impure" => class.impure = twice(class.impure),
            "flow" => component.flow = twice(component.flow),
            "stream" => component.stream = twice(component.stream),
            "parameter" | "constant" | "discrete" => {
                let new = match word {
                    "parameter" => Variability::Parameter,
                    "constant" => Variability::Constant,
                    _ => Variability::Discrete,
                };
                if component.variability != Variability::None {
                    self.error(exclusive_prefixes("`parameter`, `constant` and `discrete`", span));
                }
                component.variability = new;
            }
            _ => {
                if component.causality != Causality::None {
                    self.error(exclusive_prefixes("`input` and `output`", span));
                }
                component.causality = if word == "input" { Causality::Input } else { Causality::Output };
            }
        }
        let fits_only = match word {
            "encapsulated" | "partial" | "pure" | "impure" => &mut prefixes.class_only,
            "final" | "inner" | "outer" | "redeclare" | "replaceable" => return,
            _ => &mut prefixes.component_only,
        };
        fits_only.get_or_insert_with(|| (word.to_owned(), span));
    }
}

fn exclusive_prefixes(words: &str, span: Span) -> Diagnostic {
    Diagnostic::error("P012", format!("{words} exclude each other")).at(span, "a declaration has only one of them")
}
