//! The tree of instances while it grows: classes as they are seen from where they are used, instances, members, variables.

use super::ids::{ClassInstId, InstId, MemberId, Scope, ScopeId, VariableId};
use super::modification::Mod;
use super::nodes::Overconstrained;
use super::values::Value;
use crate::frontend::connect::{Connections, End};
use crate::frontend::library::{ClassId, Library};
use cranelift_entity::PrimaryMap;
use indexmap::IndexMap;
use partita_grammar::ast::{self, Argument, Class, ClassKind, Ident, Import, Section};
use partita_grammar::{Diagnostic, Span, Texts};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A class seen from where it is used.
pub(super) struct ClassInst<'s> {
    pub(super) class: ClassId,
    /// The class around it.
    pub(super) outer: Option<ClassInstId>,
    /// The instance whose class has this one inside, if it was reached through one.
    pub(super) home: Option<InstId>,
    /// The class that has this one as a base: what is redeclared there is seen here.
    pub(super) derived: Option<ClassInstId>,
    pub(super) mods: Rc<Mod<'s>>,
    pub(super) elements: Option<Rc<Elements<'s>>>,
    pub(super) imports: Option<Rc<Vec<&'s Import>>>,
}

/// A component as declared.
#[derive(Clone, Copy)]
pub(super) struct Declared<'s> {
    /// Position of the class in `Elements::bases` whose text it is.
    pub(super) base: usize,
    pub(super) clause: &'s ast::ComponentClause,
    pub(super) component: &'s ast::Component,
    pub(super) protected: bool,
    /// What it redeclares, and the position of the class whose text that is.
    pub(super) original: Option<(usize, &'s ast::ComponentClause, &'s ast::Component)>,
}

/// A class whose elements are elements of the class instance.
pub(super) struct Base<'s> {
    pub(super) id: ClassInstId,
    /// Position of the class that extends it; itself for the class itself.
    pub(super) via: usize,
    pub(super) arguments: &'s [Argument],
    pub(super) protected: bool,
}

/// All elements of a class instance, inherited ones included.
#[derive(Default)]
pub(super) struct Elements<'s> {
    pub(super) bases: Vec<Base<'s>>,
    pub(super) components: Vec<Declared<'s>>,
    pub(super) by_name: FxHashMap<&'s str, usize>,
    /// Components that `break` takes away.
    pub(super) broken: Vec<&'s str>,
    /// A predefined type that is extended.
    pub(super) basic: Option<(Builtin, usize)>,
}

impl<'s> Elements<'s> {
    /// What `break` takes away from a base: the text behind the word and where it stands.
    pub(super) fn breaks_of(&self, at: usize) -> Vec<(&'s str, Span, ClassInstId)> {
        let mut found = Vec::new();
        let mut at = at;
        while at != 0 {
            let Base { via, arguments, .. } = &self.bases[at];
            for argument in *arguments {
                if let Argument::Break { text, span } = argument {
                    found.push((text.as_str(), *span, self.bases[*via].id));
                }
            }
            at = *via;
        }
        found
    }
}

/// A predefined type.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    Real,
    Integer,
    Boolean,
    String,
    StateSelect,
    AssertionLevel,
    ExternalObject,
}

impl Builtin {
    pub(super) fn of(name: &str) -> Option<Builtin> {
        Some(match name {
            "Real" => Builtin::Real,
            "Integer" => Builtin::Integer,
            "Boolean" => Builtin::Boolean,
            "String" => Builtin::String,
            "StateSelect" => Builtin::StateSelect,
            "AssertionLevel" => Builtin::AssertionLevel,
            "ExternalObject" => Builtin::ExternalObject,
            _ => return None,
        })
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Builtin::Real => "Real",
            Builtin::Integer => "Integer",
            Builtin::Boolean => "Boolean",
            Builtin::String => "String",
            Builtin::StateSelect => "StateSelect",
            Builtin::AssertionLevel => "AssertionLevel",
            Builtin::ExternalObject => "ExternalObject",
        }
    }
}

/// What a name stands for.
#[derive(Clone, Copy)]
pub(super) enum Meaning {
    /// A component among the elements of this class instance.
    Component(ClassInstId),
    /// A constant of a package that an import names.
    Constant(MemberId),
    Class(ClassInstId),
    Builtin(Builtin),
}

/// A component of the model with components of its own, or a package whose constants are used.
pub(super) struct Inst<'s> {
    pub(super) parent: Option<InstId>,
    /// Full name, subscripts included; empty for the model.
    pub(super) name: Rc<str>,
    pub(super) class: ClassInstId,
    pub(super) members: IndexMap<&'s str, MemberId, rustc_hash::FxBuildHasher>,
    /// The classes whose text belongs to it, each with what is said about its elements.
    pub(super) bases: Vec<(ClassInstId, Rc<Mod<'s>>)>,
    /// Prefixes that its components take over.
    pub(super) prefixes: Inherited,
    pub(super) kind: ClassKind,
    pub(super) is_package: bool,
}

/// Prefixes of a component that are those of all that is in it.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct Inherited {
    pub(super) variability: ast::Variability,
    pub(super) causality: ast::Causality,
    pub(super) flow: bool,
    pub(super) stream: bool,
    pub(super) protected: bool,
    pub(super) final_: bool,
    /// `annotation(Evaluate = true)`.
    pub(super) evaluate: bool,
}

/// A component of an instance.
pub(super) struct Member<'s> {
    pub(super) inst: InstId,
    pub(super) name: &'s str,
    /// Position in `Inst::bases` of the class whose text it is.
    pub(super) base: usize,
    pub(super) clause: &'s ast::ComponentClause,
    pub(super) component: &'s ast::Component,
    /// A redeclaration: where its text is read, and the declared clause.
    pub(super) redeclared: Option<(ScopeId, &'s ast::ComponentClause, &'s ast::Component)>,
    pub(super) protected: bool,
    pub(super) state: State,
    pub(super) said: Rc<Mod<'s>>,
}

#[derive(Clone)]
pub(super) enum State {
    Pending,
    Busy,
    Absent,
    Variable(VariableId),
    Instances { dims: Vec<usize>, list: Rc<Vec<InstId>> },
    Failed,
}

/// The element type of a variable.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Basic {
    Builtin(Builtin),
    Enumeration(ClassInstId),
    Object(ClassInstId),
}

/// A variable of a basic type, perhaps an array.
pub(super) struct Variable<'s> {
    pub(super) name: Rc<str>,
    pub(super) basic: Basic,
    /// Whether its type is a connector.
    pub(super) is_connector: bool,
    pub(super) member: MemberId,
    /// Sizes; `None` for those that follow from the binding.
    pub(super) dims: Vec<Option<usize>>,
    pub(super) said: Rc<Mod<'s>>,
    pub(super) prefixes: Inherited,
    pub(super) value: Option<Option<Value>>,
    pub(super) evaluating: bool,
}

/// Loop variables, with their values where they are unrolled, and what `end` means.
#[derive(Default)]
pub(super) struct Locals {
    pub(super) names: Vec<(Rc<str>, Option<Value>)>,
    pub(super) ends: Vec<usize>,
    /// A loop variable that is not unrolled chose a component.
    pub(super) chosen_by_loop: bool,
    /// Parameters are replaced by their values.
    pub(super) values_only: bool,
}

/// What the leading parts of a reference mean.
pub(super) enum Target {
    /// A loop variable, with its value if the loop is unrolled.
    Local(Option<Value>),
    /// A component of the function or record whose text this is.
    Own,
    Member(MemberId),
    Class(ClassInstId),
    Builtin(Builtin),
    Literal(Value),
}

/// A record with operators, and how many dimensions it has; nothing for all else.
pub(super) type OfRecord = Option<(ClassInstId, usize)>;

/// An input of a function.
pub(super) struct Input {
    pub(super) name: Rc<str>,
    /// The record with operators that it is.
    pub(super) record: Option<ClassInstId>,
    pub(super) rank: usize,
    pub(super) is_optional: bool,
}

/// What a function takes and gives.
#[derive(Default)]
pub(super) struct Signature {
    pub(super) inputs: Vec<Input>,
    pub(super) output: OfRecord,
}

/// Classes of the flat model.
#[derive(Default)]
pub(super) struct Functions<'s> {
    pub(super) names: FxHashMap<ClassInstId, Ident>,
    /// Classes by the names that they have in the flat model.
    pub(super) by_name: FxHashMap<String, ClassInstId>,
    pub(super) signatures: FxHashMap<ClassInstId, Rc<Signature>>,
    pub(super) taken: FxHashMap<String, usize>,
    pub(super) unique: FxHashMap<ClassInstId, String>,
    pub(super) pending: Vec<ClassInstId>,
    pub(super) classes: Vec<Class>,
    pub(super) values: FxHashMap<(usize, ScopeId), Option<Value>>,
    pub(super) marker: std::marker::PhantomData<&'s ()>,
}

/// What is written so far.
#[derive(Default)]
pub(super) struct Output {
    /// Constants of packages, in the order in which they were met.
    pub(super) constants: Vec<VariableId>,
    pub(super) used: FxHashSet<VariableId>,
    pub(super) equations: Vec<ast::Equation>,
    pub(super) initial_equations: Vec<ast::Equation>,
    pub(super) algorithms: Vec<Section>,
    /// All instances of the model, in order.
    pub(super) insts: Vec<InstId>,
    pub(super) variables: Vec<VariableId>,
}

/// Classes in their contexts.
pub(super) struct ClassInstances<'s> {
    pub(super) class_insts: PrimaryMap<ClassInstId, ClassInst<'s>>,
    /// Classes whose text was checked.
    pub(super) checked: FxHashSet<ClassId>,
    /// Sizes that are being found.
    pub(super) sizing: FxHashSet<(MemberId, usize)>,
    /// Class instances whose elements are being listed, and how often one of them was asked for.
    pub(super) listing: FxHashSet<ClassInstId>,
    pub(super) listing_met: usize,
    pub(super) class_inst_ids: FxHashMap<Vec<usize>, ClassInstId>,
    pub(super) lookups: FxHashMap<ClassInstId, FxHashMap<Rc<str>, Option<Meaning>>>,
    pub(super) redeclared: FxHashMap<usize, ClassId>,
}

/// Scopes, and where their texts are.
pub(super) struct Contexts {
    pub(super) scopes: PrimaryMap<ScopeId, Scope>,
    pub(super) scope_ids: FxHashMap<Scope, ScopeId>,
    pub(super) places: FxHashMap<ScopeId, u32>,
}

/// What is said about the model.
pub(super) struct InstanceReports {
    pub(super) errors: Vec<Diagnostic>,
    pub(super) warnings: Vec<Diagnostic>,
    pub(super) refusals: IndexMap<String, Span>,
}

/// What the model has that asks for further work.
pub(super) struct ModelTraits {
    /// Whether operators may be those of records.
    pub(super) has_operator_records: bool,
    /// Whether there are expandable connectors.
    pub(super) has_buses: bool,
    /// How many loops were made over arrays of such records.
    pub(super) loops: usize,
}

/// The work.
pub(super) struct Instantiation<'s> {
    pub(super) library: Library<'s>,
    /// Classes in their contexts.
    pub(super) classes: ClassInstances<'s>,
    /// Scopes, and where their texts are.
    pub(super) contexts: Contexts,
    pub(super) insts: PrimaryMap<InstId, Inst<'s>>,
    pub(super) packages: FxHashMap<ClassInstId, InstId>,
    /// What is said about a component of which nothing is said.
    pub(super) unsaid: Rc<Mod<'s>>,
    pub(super) members: PrimaryMap<MemberId, Member<'s>>,
    pub(super) variables: PrimaryMap<VariableId, Variable<'s>>,
    pub(super) texts: Texts,
    pub(super) given: FxHashMap<String, String>,
    /// What is said about the model.
    pub(super) reports: InstanceReports,
    pub(super) functions: Functions<'s>,
    pub(super) connections: Connections,
    /// Ends of each set, once all connections are made and a stream asks.
    pub(super) connected: Option<FxHashMap<usize, Vec<End>>>,
    /// How many dimensions the variables have, by name: those that have some.
    pub(super) ranks: FxHashMap<Rc<str>, usize>,
    /// Stream variables by name.
    pub(super) streams: Option<FxHashMap<String, VariableId>>,
    pub(super) overconstrained: Overconstrained,
    /// `inner` components that were made because there was none.
    pub(super) made_inner: Vec<MemberId>,
    pub(super) out: Output,
    /// What the model has that asks for further work.
    pub(super) found: ModelTraits,
}

pub(super) fn is_record(kind: ClassKind) -> bool {
    matches!(kind, ClassKind::Record | ClassKind::OperatorRecord)
}

pub(super) fn is_connector(kind: ClassKind) -> bool {
    matches!(kind, ClassKind::Connector | ClassKind::ExpandableConnector)
}
