//! Functions of the Modelica Standard Library that files call without defining them.
//!
//! Input: the name of a class that is not in the file. Output: its class from the files of `compiler/library`, each of
//! which is parsed at the first need of something in it.
//!
//! A function of a package that a component may exchange is exported under the path of the component, for example
//! `pipe.flowModel.WallFriction.Internal.m_flow_of_dp_fric`. It is found by its last names, but only if the file shows
//! which package was meant (`INSTANCES`); otherwise it stays unknown. What such a function calls of its own package is
//! looked for in the component's package first: the file may define it, and only the file knows the data of a medium.
//!
//! Guarantee: what the file defines wins; code of library functions carries the place of the call that reached them, so
//! that messages never point into a text the user does not have.
//! Cost: nothing for files that define what they call; else one scan of the library for names, and one parse per file.

use super::Flattener;
use super::gases::GAS_DATA;
use super::library_files::FILES;
use super::library_files::index;
use super::lookup::{ClassEntry, ClassTable};
use super::names::name_text;
use crate::frontend::flat::walk::for_each_child;
use crate::frontend::flat::{Expr, Function, FunctionBody, Statement, StatementKind};
use partita_grammar::ast::{self, ClassBody, Element, ExprKind as Syntax, Section, StatementKind as SyntaxStatement};
use partita_grammar::{Diagnostic, Source, Span, parse};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// What in a file shows that an exchangeable package is a certain one.
enum Witness {
    /// The calling function declares this.
    Declares(&'static str),
    /// The calling function has an assertion with these words.
    Asserts(&'static str),
    /// The file defines this function of the same package.
    Defines(&'static str),
    /// The file defines this class, which only media of this kind need.
    Has(&'static str),
    /// A message of the file's models, or of the file's functions of the same package, names this medium.
    Says(&'static str),
    /// The function is one of these, which no other package has; with a medium's name, one that the file also names.
    Only(&'static [&'static str], Option<&'static str>),
    /// The function is one of these, and the file defines this class.
    OnlyHas(&'static [&'static str], &'static str),
    /// The file's functions of this package name one gas.
    OneGas,
    /// The file's functions of this package name several gases.
    SeveralGases,
    /// The function gives a field of the medium's state, and the state in the file has this field.
    State,
    /// The functions themselves: they are the same in every package that has them.
    Name,
}

/// An exchangeable package: the name it has in a component, the package of the library, what shows that it is meant.
struct Instance {
    name: &'static str,
    package: &'static str,
    witness: Witness,
}

const DETAILED: &str = "Modelica.Fluid.Pipes.BaseClasses.WallFriction.Detailed";
const LAMINAR_AND_QUADRATIC: &str = "Modelica.Fluid.Pipes.BaseClasses.WallFriction.LaminarAndQuadraticTurbulent";
const MOIST_AIR: &str = "Modelica.Media.Air.MoistAir";
/// Names of functions that only moist air has.
const MOIST_AIR_ALONE: [&str; 7] = [
    "saturationPressureLiquid",
    "saturationPressureLiquid_der",
    "sublimationPressureIce",
    "sublimationPressureIce_der",
    "T_phX",
    "T_phX.f_nonlinear",
    "s_pTX",
];
const GLYCOL: &str = "Modelica.Media.Incompressible.Examples.Glycol47";
const ESSOTHERM: &str = "Modelica.Media.Incompressible.Examples.Essotherm650";
const SINGLE_GAS: &str = "Modelica.Media.IdealGases.Common.SingleGasNasa";
const GAS_MIXTURE: &str = "Modelica.Media.IdealGases.Common.MixtureGasNasa";
const ANY_MIXTURE: &str = "Modelica.Media.Interfaces.PartialMixtureMedium";
const R134A: &str = "Modelica.Media.R134a.R134a_ph";
/// What these media have of their own without knowing their gases.
const OF_ONE_GAS: [&str; 2] = ["T_h.f_nonlinear", "T_ps.f_nonlinear"];
const OF_A_MIXTURE: [&str; 5] =
    ["T_hX.f_nonlinear", "T_psX.f_nonlinear", "gasMixtureViscosity", "lowPressureThermalConductivity", "MixEntropy"];

const ANY_MEDIUM: &str = "Modelica.Media.Interfaces.PartialMedium";
/// Functions that give a field of a medium's state.
const FIELDS: [(&str, &str); 4] = [("pressure", "p"), ("temperature", "T"), ("density", "d"), ("specificEnthalpy", "h")];

const INSTANCES: [Instance; 18] = [
    Instance { name: "WallFriction", package: DETAILED, witness: Witness::Declares("Re") },
    Instance { name: "WallFriction", package: LAMINAR_AND_QUADRATIC, witness: Witness::Asserts("quadratic turbulent wall friction") },
    Instance { name: "Medium", package: MOIST_AIR, witness: Witness::Defines("sublimationPressureIce") },
    Instance { name: "Medium", package: MOIST_AIR, witness: Witness::Defines("saturationPressureLiquid") },
    Instance { name: "Medium", package: MOIST_AIR, witness: Witness::Declares("X_steam") },
    Instance { name: "Medium", package: MOIST_AIR, witness: Witness::Only(&MOIST_AIR_ALONE, None) },
    Instance { name: "Medium", package: MOIST_AIR, witness: Witness::Only(&["T_psX", "T_psX.f_nonlinear"], Some("Moist air")) },
    Instance { name: "Medium", package: GLYCOL, witness: Witness::Says("Glycol-Water 47%") },
    Instance { name: "Medium", package: ESSOTHERM, witness: Witness::Says("Essotherm 650") },
    Instance { name: "Medium", package: R134A, witness: Witness::Has("Modelica.Media.R134a.Common.InverseDerivatives_rhoT") },
    Instance {
        name: "Medium",
        package: R134A,
        witness: Witness::Only(&["f_R134a", "fid_R134a", "fres_R134a", "R134a_liqofdT", "R134a_vapofdT"], None),
    },
    Instance { name: "Medium", package: SINGLE_GAS, witness: Witness::OnlyHas(&OF_ONE_GAS, GAS_DATA) },
    Instance { name: "Medium", package: GAS_MIXTURE, witness: Witness::OnlyHas(&OF_A_MIXTURE, GAS_DATA) },
    Instance { name: "Medium", package: SINGLE_GAS, witness: Witness::OneGas },
    Instance { name: "Medium", package: GAS_MIXTURE, witness: Witness::SeveralGases },
    Instance { name: "Medium", package: ANY_MIXTURE, witness: Witness::Name },
    Instance { name: "Medium", package: ANY_MEDIUM, witness: Witness::State },
    Instance { name: "Utilities", package: "Modelica.Media.Air.MoistAir.Utilities", witness: Witness::Name },
];

/// Where the package of a component ends in the name of a function, without the last dot: behind the last part of this name.
/// Media also go by names such as `Medium_1`, and gases are packages of their own.
fn package_end(name: &str, instance: &str) -> Option<usize> {
    let mut end = 0;
    let mut found = None;
    let mut parent = "";
    for part in name.split('.') {
        end += part.len();
        let is_it =
            part == instance || (instance == "Medium" && (part.starts_with("Medium") || matches!(parent, "SingleGases" | "MixtureGases")));
        if is_it && end < name.len() {
            found = Some(end);
        }
        end += 1;
        parent = part;
    }
    found
}

impl<'a> Flattener<'a> {
    /// The class of a name, in the file or in a library.
    pub(super) fn find_class(&mut self, name: &str, context: &str) -> Option<ClassEntry<'a>> {
        self.classes.find(name, context).cloned().or_else(|| self.same_package(name, context)).or_else(|| self.library_entry(name))
    }

    /// The class of the component's package that a library function inside it means by the name of its own package.
    pub(super) fn same_package(&mut self, name: &str, context: &str) -> Option<ClassEntry<'a>> {
        let mut inner = context;
        let (prefix, tail, package) = loop {
            inner = &inner[..inner.rfind('.')?];
            let packages = self.instances.get(inner).map_or(&[][..], Vec::as_slice);
            let mut tails = packages.iter().filter_map(|package| Some((name.strip_prefix(package)?.strip_prefix('.')?, *package)));
            if let Some((tail, package)) = tails.next() {
                break (inner, tail, package);
            }
        };
        if let Some(entry) = self.of_component(prefix, tail) {
            return Some(entry);
        }
        if let Some(entry) = self.with_gases(name, package, prefix) {
            return Some(entry);
        }
        // What takes a state takes that of the component.
        let entry = self.library_entry(name)?;
        let path = Rc::from(format!("{prefix}.{tail}").as_str());
        takes_state(entry.class, package).then(|| ClassEntry { path, enclosing: Rc::from(prefix), ..entry })
    }

    /// The file's class of a component's package. Records are named by the path of the component inside the model, functions by
    /// that of the model too.
    fn of_component(&self, package: &str, tail: &str) -> Option<ClassEntry<'a>> {
        let starts = std::iter::once(0).chain(package.match_indices('.').map(|(at, _)| at + 1));
        starts.map(|start| format!("{}.{tail}", &package[start..])).find_map(|name| self.classes.find(&name, "").cloned())
    }

    /// The library's class of this name.
    pub(super) fn library_entry(&mut self, name: &str) -> Option<ClassEntry<'a>> {
        if let Some(entry) = self.libraries.iter().find_map(|table| table.find(name, "")) {
            return Some(ClassEntry { from_library: true, ..entry.clone() });
        }
        let file = *index().get(name)?;
        if self.library[file].is_none() {
            let parsed: &'a super::embedded::Parsed = self.parsed;
            let definition = parsed.library[file].get_or_init(|| {
                let (name, text) = FILES[file];
                // The text is ours and a test parses it; a failure would only mean that nothing is found in it.
                parse(&Source { name: name.to_owned(), text: text.to_owned() }).ok()
            });
            self.library[file] = definition.as_ref().map(ClassTable::new);
        }
        let entry = self.library[file].as_ref()?.find(name, "")?;
        Some(ClassEntry { from_library: true, ..entry.clone() })
    }

    /// The library's function that a function of a component's package stands for, called inside `context`.
    pub(super) fn instance_function(&mut self, name: &str, context: &str, span: Span) -> Option<ClassEntry<'a>> {
        for instance in &INSTANCES {
            let Some(end) = package_end(name, instance.name) else { continue };
            let (package, tail) = (&name[..end], &name[end + 1..]);
            let full = format!("{}.{tail}", instance.package);
            if !index().contains_key(full.as_str()) || !self.is_shown(&instance.witness, package, tail, context) {
                continue;
            }
            let entry = self.library_entry(&full)?;
            let known = self.instances.entry(package.to_owned()).or_default();
            if !known.contains(&instance.package) {
                known.push(instance.package);
                self.warn(
                    Diagnostic::note("F030", format!("`{package}` is taken to be `{}` of the library", instance.package))
                        .at(span, "the file does not define this function"),
                );
            }
            if instance.name != "Medium" {
                return Some(entry);
            }
            if let Some(made) = self.with_gases(&full, instance.package, package) {
                return Some(made);
            }
            // The function is one of the component: what it calls is looked for there, since only the file knows the medium.
            let enclosing = Rc::from(&name[..name.rfind('.').unwrap_or(0)]);
            return Some(ClassEntry { path: Rc::from(name), enclosing, ..entry });
        }
        None
    }

    fn is_shown(&mut self, witness: &Witness, package: &str, tail: &str, context: &str) -> bool {
        let caller = self.classes.find(context, "").map(|entry| &entry.class.body);
        match witness {
            Witness::Defines(function) => self.classes.find(&format!("{package}.{function}"), "").is_some(),
            Witness::Declares(name) => matches!(caller, Some(ClassBody::Long(body)) if declares(body, name)),
            Witness::Asserts(words) => matches!(caller, Some(ClassBody::Long(body)) if asserts(body, words)),
            Witness::Has(class) => self.classes.find(class, "").is_some(),
            Witness::Says(words) => self.says(words) || self.package_says(package, words),
            Witness::OnlyHas(names, class) => names.contains(&tail) && self.classes.find(class, "").is_some(),
            Witness::OneGas => self.n_gases(package) == 1,
            Witness::SeveralGases => self.n_gases(package) > 1,
            Witness::Only(names, words) => names.contains(&tail) && words.is_none_or(|words| self.says(words)),
            Witness::State => {
                let field = FIELDS.iter().find(|(function, _)| *function == tail).map(|(_, field)| *field);
                let state = self.of_component(package, "ThermodynamicState").map(|entry| &entry.class.body);
                matches!((field, state), (Some(field), Some(ClassBody::Long(body))) if declares(body, field))
            }
            Witness::Name => true,
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
fn takes_state(class: &ast::Class, package: &str) -> bool {
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

/// Whether a function declares a component of this name.
fn declares(body: &ast::LongBody, name: &str) -> bool {
    body.sections.iter().any(|section| {
        let Section::Elements { elements, .. } = section else { return false };
        elements.iter().any(|element| {
            let Element::Components(clause) = element else { return false };
            clause.components.iter().any(|c| c.name.parts.first().is_some_and(|p| p.name.unquoted() == name))
        })
    })
}

/// Whether a function has an assertion whose message contains these words.
fn asserts(body: &ast::LongBody, words: &str) -> bool {
    body.sections.iter().any(|section| {
        let Section::Algorithm { statements, .. } = section else { return false };
        statements.iter().any(|statement| {
            let SyntaxStatement::Call(ast::Expr { kind: Syntax::Call { function, arguments }, .. }) = &statement.kind else { return false };
            super::names::plain_text(function) == "assert"
                && matches!(arguments.positional.get(1).map(|e| &e.kind), Some(Syntax::String(text)) if text.contains(words))
        })
    })
}

/// Gives all code of a function one place.
pub(super) fn set_span_of_function(function: &mut Function, span: Span) {
    function.span = span;
    for local in function.locals.values_mut() {
        local.span = span;
        local.dim_exprs.iter_mut().flatten().for_each(|e| place(e, span));
        if let Some(binding) = &mut local.binding {
            place(binding, span);
        }
    }
    match &mut function.body {
        FunctionBody::Algorithm(statements) => set_span_of_statements(statements, span),
        FunctionBody::External { arguments, .. } => arguments.iter_mut().for_each(|e| place(e, span)),
    }
}

fn place(e: &mut Expr, span: Span) {
    e.span = span;
    for_each_child(e, &mut |child| place(child, span));
}

fn set_span_of_statements(statements: &mut [Statement], span: Span) {
    for statement in statements {
        statement.span = span;
        match &mut statement.kind {
            StatementKind::Assign(target, value) => {
                place(target, span);
                place(value, span);
            }
            StatementKind::Tuple(targets, call) => {
                targets.iter_mut().flatten().for_each(|e| place(e, span));
                place(call, span);
            }
            StatementKind::If(branches, other) => {
                for (condition, body) in branches {
                    place(condition, span);
                    set_span_of_statements(body, span);
                }
                set_span_of_statements(other, span);
            }
            StatementKind::For(_, over, body) => {
                place(over, span);
                set_span_of_statements(body, span);
            }
            StatementKind::While(condition, body) => {
                place(condition, span);
                set_span_of_statements(body, span);
            }
            StatementKind::When(branches) => {
                for (condition, body) in branches {
                    place(condition, span);
                    set_span_of_statements(body, span);
                }
            }
            StatementKind::Call(call) => place(call, span),
            StatementKind::Break | StatementKind::Return => {}
        }
    }
}
