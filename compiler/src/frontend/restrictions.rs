//! What the kind of a class and its own text allow, whatever it is used for.
//!
//! Input: a class as it is written, without the classes inside it. Output: what the specification forbids (chapters 4.6, 5.6, 7.2 and
//! 12.2), each with its place. Nothing is looked up. Cost: linear in the text.
//!
//! | code | meaning |
//! |---|---|
//! | N009 | something that this kind of class may not have |
//! | N010 | a name that is declared twice |
//! | M004 | one element that is modified twice by the same modification |
//! | M005 | a modification of something that may not be modified here |

use partita_grammar::Span;
use partita_grammar::ast::{self, Argument, Causality, Class, ClassBody, ClassKind, Element, Section, Variability, Visibility};
use rustc_hash::{FxHashMap, FxHashSet};

/// Something that the specification forbids.
pub(crate) struct Violation {
    pub(crate) code: &'static str,
    pub(crate) title: String,
    pub(crate) span: Span,
    pub(crate) hint: &'static str,
}

/// What is wrong with a class.
pub(crate) fn check(class: &Class) -> Vec<Violation> {
    let mut found = Found { kind: class.kind, list: Vec::new() };
    match &class.body {
        ClassBody::Long(body) => found.body(class, body),
        ClassBody::Short { modification, .. } => found.arguments(modification),
        ClassBody::Enumeration { literals, .. } => {
            let mut names = FxHashSet::default();
            for literal in literals.iter().flatten() {
                if !names.insert(&*literal.name.text) {
                    let title = format!("the literal `{}` is declared twice", literal.name.text);
                    found.add("N010", title, literal.name.span, "");
                }
                if matches!(&*literal.name.text, "quantity" | "min" | "max" | "start" | "fixed") {
                    let title = format!("a literal has the name of the attribute `{}`", literal.name.text);
                    found.add("N009", title, literal.name.span, "");
                }
            }
        }
        ClassBody::PartialDerivative { .. } => {}
    }
    found.list
}

/// Whether some class of a file has something that is forbidden, other than what is said twice, which `flatten` tells.
pub(crate) fn any(classes: &[Class]) -> bool {
    let mut open: Vec<&Class> = classes.iter().collect();
    while let Some(class) = open.pop() {
        if check(class).iter().any(|violation| !matches!(violation.code, "N010" | "M004")) {
            return true;
        }
        if let ClassBody::Long(body) = &class.body {
            open.extend(body.sections.iter().flat_map(elements).filter_map(|element| match element {
                Element::Class(inner) => Some(&**inner),
                _ => None,
            }));
        }
    }
    false
}

fn elements(section: &Section) -> &[Element] {
    match section {
        Section::Elements { elements, .. } => elements,
        _ => &[],
    }
}

fn is_function(kind: ClassKind) -> bool {
    matches!(kind, ClassKind::Function | ClassKind::OperatorFunction)
}

fn is_record(kind: ClassKind) -> bool {
    matches!(kind, ClassKind::Record | ClassKind::OperatorRecord)
}

struct Found {
    kind: ClassKind,
    list: Vec<Violation>,
}

impl Found {
    fn add(&mut self, code: &'static str, title: String, span: Span, hint: &'static str) {
        self.list.push(Violation { code, title, span, hint });
    }

    fn body(&mut self, class: &Class, body: &ast::LongBody) {
        let mut names: FxHashMap<&str, bool> = FxHashMap::default();
        self.arguments(body.extends_modification.as_deref().unwrap_or(&[]));
        self.function_body(class, body);
        let mut imported: FxHashSet<&str> = FxHashSet::default();
        for section in &body.sections {
            self.section(section, class);
            for element in elements(section) {
                for (name, span) in imports_of(element) {
                    if !imported.insert(name) {
                        self.add("N010", format!("`{name}` is imported twice"), span, "");
                    }
                }
                let is_redeclared = match element {
                    Element::Components(clause) => clause.prefixes.redeclare,
                    Element::Class(class) => class.prefixes.redeclare,
                    _ => false,
                };
                for (name, span) in declared(element) {
                    if names.insert(name, is_redeclared).is_some_and(|before| before == is_redeclared) {
                        self.add("N010", format!("`{name}` is declared twice"), span, "");
                    }
                }
            }
        }
    }

    /// A function has one body, and only a function has an external one.
    fn function_body(&mut self, class: &Class, body: &ast::LongBody) {
        let algorithms = body.sections.iter().filter_map(|section| match section {
            Section::Algorithm { span, .. } => Some(*span),
            _ => None,
        });
        let external = body.external.as_ref().map(|external| external.span);
        if is_function(self.kind) {
            if let Some(second) = algorithms.chain(external).nth(1) {
                self.add("N009", format!("the function `{}` has two bodies", class.name), second, "");
            }
        } else if let Some(span) = external {
            self.add("N009", format!("a {} has no external function", self.kind.word()), span, "");
        }
    }

    fn section(&mut self, section: &Section, class: &Class) {
        let word = class.kind.word();
        let may_not = |what: &str| format!("a {word} has no {what}");
        let is_data = is_record(self.kind) || matches!(self.kind, ClassKind::Type | ClassKind::Package | ClassKind::Operator);
        let is_data = is_data || matches!(self.kind, ClassKind::Connector | ClassKind::ExpandableConnector);
        match section {
            Section::Equations { equations, .. } => {
                if let Some(first) = equations.first().filter(|_| is_data || is_function(self.kind)) {
                    self.add("N009", may_not("equations"), first.span, "");
                }
            }
            Section::Algorithm { span, .. } if is_data => self.add("N009", may_not("algorithm"), *span, ""),
            Section::Algorithm { statements, .. } => self.statements(statements, false, &mut Vec::new()),
            Section::Elements { visibility, elements } => {
                let is_hidden = *visibility == Visibility::Protected;
                let is_open = matches!(self.kind, ClassKind::Connector | ClassKind::ExpandableConnector | ClassKind::Type);
                if is_hidden && is_open && !elements.is_empty() {
                    self.add("N009", may_not("protected elements"), class.name.span, "");
                }
                elements.iter().for_each(|element| self.element(element, is_hidden));
            }
            _ => {}
        }
    }

    /// Statements, and whether one is around them; loop variables are not assigned.
    fn statements<'a>(&mut self, list: &'a [ast::Statement], is_inside: bool, loops: &mut Vec<&'a str>) {
        use ast::StatementKind;
        for statement in list {
            match &statement.kind {
                StatementKind::Assign(target, _) => {
                    if let [part] = target.parts.as_slice()
                        && loops.contains(&&*part.name.text)
                    {
                        self.add("N009", format!("the loop variable `{}` is assigned", part.name.text), target.span, "");
                    }
                }
                StatementKind::When { branches } => {
                    if is_inside || is_function(self.kind) {
                        let hint = "an `if` inside of the `when` says the same";
                        self.add("N009", "`when` stands inside of another statement or of a function".to_owned(), statement.span, hint);
                    }
                    branches.iter().for_each(|(_, list)| self.statements(list, true, loops));
                }
                StatementKind::If { branches, otherwise } => {
                    branches.iter().for_each(|(_, list)| self.statements(list, true, loops));
                    self.statements(otherwise.as_deref().unwrap_or(&[]), true, loops);
                }
                StatementKind::While { body, .. } => self.statements(body, true, loops),
                StatementKind::For { iterators, body } => {
                    let before = loops.len();
                    loops.extend(iterators.iter().map(|iterator| &*iterator.name.text));
                    self.statements(body, true, loops);
                    loops.truncate(before);
                }
                StatementKind::Call(ast::Expr { kind: ast::ExprKind::Call { function, .. }, .. }) => {
                    let name = function.parts.first().filter(|_| function.parts.len() == 1).map_or("", |part| &*part.name.text);
                    if name == "reinit" {
                        self.add("N009", "`reinit` stands in an algorithm".to_owned(), statement.span, "it belongs to a `when` equation");
                    }
                }
                _ => {}
            }
        }
    }

    fn element(&mut self, element: &Element, is_hidden: bool) {
        match element {
            Element::Components(clause) => self.clause(clause, is_hidden),
            Element::Extends { modification, .. } => self.arguments(modification),
            Element::Class(_) | Element::Import(_) => {}
        }
    }

    fn clause(&mut self, clause: &ast::ComponentClause, is_hidden: bool) {
        let prefixes = &clause.prefixes;
        for component in &clause.components {
            let (name, span) = (name_of(component), component.name.span);
            self.arguments(&component.modification);
            let first = component.modification.first();
            let is_modified = component.binding.is_some() || first.is_some();
            if prefixes.outer && !prefixes.inner && is_modified {
                let hint = "modify the `inner` component that it means";
                self.add("M005", format!("the outer component `{name}` is modified"), span, hint);
            }
            if is_function(self.kind) {
                self.function_component(name, span, prefixes, is_hidden);
            }
            let is_scoped = prefixes.inner || prefixes.outer;
            if is_record(self.kind) && (is_scoped || prefixes.flow || prefixes.stream || prefixes.causality != Causality::None) {
                self.add("N009", format!("`{name}` of a record is no `{}`", word_of(prefixes)), span, "");
            }
            if self.kind == ClassKind::ExpandableConnector && prefixes.flow {
                self.add("N009", format!("`{name}` of an expandable connector is no `flow`"), span, "");
            }
            if self.kind == ClassKind::Package && prefixes.variability != Variability::Constant {
                self.add("N009", format!("`{name}` of a package is no constant"), span, "a package holds constants and classes");
            }
            if self.kind == ClassKind::Type {
                self.add("N009", format!("a type has no component `{name}`"), span, "");
            }
        }
    }

    fn function_component(&mut self, name: &str, span: Span, prefixes: &ast::ComponentPrefixes, is_hidden: bool) {
        let is_formal = prefixes.causality != Causality::None;
        if prefixes.inner || prefixes.outer {
            self.add("N009", format!("`{name}` of a function is no `{}`", word_of(prefixes)), span, "");
        }
        if is_formal && is_hidden {
            self.add("N009", format!("the {} `{name}` of a function is protected", word_of(prefixes)), span, "");
        }
        if !is_formal && !is_hidden && prefixes.variability != Variability::Constant {
            let title = format!("`{name}` is neither input nor output of its function, and not protected");
            self.add("N009", title, span, "declare it behind `protected`");
        }
    }

    /// One modification says one thing about an element once.
    fn arguments(&mut self, arguments: &[Argument]) {
        let mut values: FxHashSet<String> = FxHashSet::default();
        self.argument_list(arguments, "", &mut values);
    }

    fn argument_list(&mut self, arguments: &[Argument], around: &str, values: &mut FxHashSet<String>) {
        for argument in arguments {
            match argument {
                Argument::Modification { name, arguments, value, span, .. } => {
                    let path = format!("{around}{name}");
                    if value.is_some() && !values.insert(path.clone()) {
                        self.add("M004", format!("`{path}` is modified twice"), *span, "");
                    }
                    self.argument_list(arguments.as_deref().unwrap_or(&[]), &format!("{path}."), values);
                }
                Argument::Redeclaration { element, span, .. } => self.redeclaration(element, around, *span, values),
                Argument::Break { .. } => {}
            }
        }
    }

    fn redeclaration(&mut self, element: &Element, around: &str, span: Span, values: &mut FxHashSet<String>) {
        for (name, _) in declared(element) {
            if !values.insert(format!("{around}{name} redeclared")) {
                self.add("M004", format!("`{around}{name}` is redeclared twice"), span, "");
            }
        }
        let Element::Components(clause) = element else { return };
        for component in &clause.components {
            self.arguments(&component.modification);
            if let Some(condition) = &component.condition {
                self.add("M005", format!("the redeclaration of `{}` has a condition", name_of(component)), condition.span, "");
            }
        }
    }
}

fn name_of(component: &ast::Component) -> &str {
    component.name.parts.first().map_or("", |part| &*part.name.text)
}

/// The names that a qualified import brings.
fn imports_of(element: &Element) -> Vec<(&str, Span)> {
    let Element::Import(import) = element else { return Vec::new() };
    let last = import.name.parts.last();
    match (&import.tail, &import.alias) {
        (ast::ImportTail::None, alias) => alias.as_ref().or(last).map(|name| (&*name.text, name.span)).into_iter().collect(),
        (ast::ImportTail::List(names), _) => names.iter().map(|name| (&*name.text, name.span)).collect(),
        (ast::ImportTail::All, _) => Vec::new(),
    }
}

/// The names that an element declares.
fn declared(element: &Element) -> Vec<(&str, Span)> {
    match element {
        Element::Components(clause) => {
            let parts = clause.components.iter().filter_map(|component| match component.name.parts.as_slice() {
                [part] if part.subscripts.is_empty() => Some((&*part.name.text, part.name.span)),
                _ => None,
            });
            parts.collect()
        }
        Element::Class(class) => match class.name.parts.as_slice() {
            [part] => vec![(&*part.text, part.span)],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The word of a prefix, for messages.
fn word_of(prefixes: &ast::ComponentPrefixes) -> &'static str {
    match prefixes {
        _ if prefixes.inner => "inner",
        _ if prefixes.outer => "outer",
        _ if prefixes.flow => "flow",
        _ if prefixes.stream => "stream",
        _ if prefixes.causality == Causality::Input => "input",
        _ => "output",
    }
}
