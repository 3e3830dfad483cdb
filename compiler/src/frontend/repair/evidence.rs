//! Whether a file shows that an exchangeable package is a certain one of the library: rows of the table against the text of the file.
//!
//! Cost: the functions of a package at most, once per package and question; assertions of the models once.

use super::mentions::declares;
use super::supplier::Supplier;
use super::table::{Evidence, FIELDS};
use crate::frontend::flatten::lookup::ClassTable;
use crate::frontend::flatten::names::{name_text, plain_text};
use partita_grammar::ast::{self, ClassBody, Element, ExprKind as Syntax, Section, StatementKind as SyntaxStatement};
use rustc_hash::FxHashSet;

impl Supplier<'_> {
    /// Whether the file shows this for a function of a component's package, called inside `context`.
    pub(super) fn is_shown(&mut self, evidence: &Evidence, package: &str, tail: &str, context: &str) -> bool {
        let caller = self.classes.find(context, "").map(|entry| &entry.class.body);
        match evidence {
            Evidence::Defines(function) => self.classes.find(&format!("{package}.{function}"), "").is_some(),
            Evidence::Declares(name) => matches!(caller, Some(ClassBody::Long(body)) if declares(body, name)),
            Evidence::Asserts(words) => matches!(caller, Some(ClassBody::Long(body)) if asserts(body, words)),
            Evidence::Has(class) => self.classes.find(class, "").is_some(),
            Evidence::Says(words) => self.says(words) || self.package_says(package, words),
            Evidence::OnlyHas(names, class) => names.contains(&tail) && self.classes.find(class, "").is_some(),
            Evidence::OneGas => self.n_gases(package) == 1,
            Evidence::SeveralGases => self.n_gases(package) > 1,
            Evidence::Only(names, words) => names.contains(&tail) && words.is_none_or(|words| self.says(words)),
            Evidence::State => {
                let field = FIELDS.iter().find(|(function, _)| *function == tail).map(|(_, field)| *field);
                let state = self.of_component(package, "ThermodynamicState").map(|entry| &entry.class.body);
                matches!((field, state), (Some(field), Some(ClassBody::Long(body))) if declares(body, field))
            }
            Evidence::Name => true,
        }
    }

    /// Whether an assertion of a function that the file has of this package names this.
    fn package_says(&self, package: &str, words: &str) -> bool {
        self.classes.paths().into_iter().filter(|path| path.strip_prefix(package).is_some_and(|rest| rest.starts_with('.'))).any(|path| {
            let body = self.classes.find(path, "").map(|entry| &entry.class.body);
            matches!(body, Some(ClassBody::Long(body)) if asserts(body, words))
        })
    }

    /// Whether an assertion of the file's models has this text.
    fn says(&mut self, words: &str) -> bool {
        self.said.get_or_insert_with(|| said(&self.classes)).contains(words)
    }
}

/// The texts in the assertions of the models of a file, which name the media that are in use.
fn said(classes: &ClassTable) -> FxHashSet<String> {
    let mut texts = FxHashSet::default();
    let mut work: Vec<&ast::Expr> = Vec::new();
    for model in &classes.models {
        let ClassBody::Long(body) = &model.class.body else { continue };
        for section in &body.sections {
            let Section::Equations { equations, .. } = section else { continue };
            for equation in equations {
                if let ast::EquationKind::Call(ast::Expr { kind: Syntax::Call { arguments, .. }, .. }) = &equation.kind {
                    work.extend(arguments.positional.get(1));
                }
            }
        }
    }
    while let Some(e) = work.pop() {
        match &e.kind {
            Syntax::String(text) => {
                texts.insert(text.clone());
            }
            Syntax::Binary(_, a, b) => work.extend([&**a, &**b]),
            Syntax::Chain(first, rest) => work.extend(std::iter::once(&**first).chain(rest.iter().map(|(_, e)| e))),
            _ => {}
        }
    }
    texts
}

/// Whether a function has an input of the type of a package's state.
pub(super) fn takes_state(class: &ast::Class, package: &str) -> bool {
    let ClassBody::Long(body) = &class.body else { return false };
    body.sections.iter().any(|section| {
        let Section::Elements { elements, .. } = section else { return false };
        elements.iter().any(|element| {
            let Element::Components(clause) = element else { return false };
            let ast::TypeKind::Named(name) = &clause.type_spec.kind else { return false };
            name_text(name).strip_prefix(package) == Some(".ThermodynamicState")
        })
    })
}

/// Whether a function has an assertion whose message contains these words.
fn asserts(body: &ast::LongBody, words: &str) -> bool {
    body.sections.iter().any(|section| {
        let Section::Algorithm { statements, .. } = section else { return false };
        statements.iter().any(|statement| {
            let SyntaxStatement::Call(ast::Expr { kind: Syntax::Call { function, arguments }, .. }) = &statement.kind else { return false };
            plain_text(function) == "assert"
                && matches!(arguments.positional.get(1).map(|e| &e.kind), Some(Syntax::String(text)) if text.contains(words))
        })
    })
}
