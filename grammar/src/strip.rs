//! Changes all spans of a syntax tree: takes them out, so that trees of differently laid out texts can be compared, or
//! moves them, so that a class of a file gets the places of that file.
//!
//! Input: a tree, changed in place. Output: the same tree with every span changed in the same way.
//! Method: one exhaustive walk; a new field of a node does not compile until it is named here.

use crate::ast::*;
use crate::span::Span;
use crate::word::Word;

/// Sets every span of the tree to zero.
pub fn strip_spans(definition: &mut Definition) {
    definition.each_span(&mut |span| *span = Span::default());
}

/// Moves every span of the class by so many bytes.
pub fn shift_spans(class: &mut Class, by: u32) {
    class.each_span(&mut |span| *span = span.shifted(by));
}

trait EachSpan {
    fn each_span(&mut self, change: &mut dyn FnMut(&mut Span));
}

impl EachSpan for Span {
    fn each_span(&mut self, change: &mut dyn FnMut(&mut Span)) {
        change(self);
    }
}

impl<T: EachSpan> EachSpan for Vec<T> {
    fn each_span(&mut self, change: &mut dyn FnMut(&mut Span)) {
        self.iter_mut().for_each(|inner| inner.each_span(change));
    }
}

impl<T: EachSpan> EachSpan for Option<T> {
    fn each_span(&mut self, change: &mut dyn FnMut(&mut Span)) {
        self.iter_mut().for_each(|inner| inner.each_span(change));
    }
}

impl<T: EachSpan> EachSpan for Box<T> {
    fn each_span(&mut self, change: &mut dyn FnMut(&mut Span)) {
        T::each_span(self, change);
    }
}

impl<A: EachSpan, B: EachSpan> EachSpan for (A, B) {
    fn each_span(&mut self, change: &mut dyn FnMut(&mut Span)) {
        self.0.each_span(change);
        self.1.each_span(change);
    }
}

/// Types without spans.
macro_rules! nothing_in {
    ($($type:ty),*) => { $(impl EachSpan for $type { fn each_span(&mut self, _: &mut dyn FnMut(&mut Span)) {} })* };
}
nothing_in!(bool, i64, f64, String, Word, Dialect, ClassKind, ClassPrefixes, ComponentPrefixes, Visibility, Causality, UnaryOp, BinaryOp);

/// Structs by all their fields.
macro_rules! fields_of {
    ($($type:ident { $($field:ident),* })*) => {
        $(impl EachSpan for $type {
            fn each_span(&mut self, change: &mut dyn FnMut(&mut Span)) {
                let $type { $($field),* } = self;
                $($field.each_span(change);)*
            }
        })*
    };
}
fields_of! {
    Definition { dialect, within, classes }
    Ident { text, span }
    Name { global, parts, span }
    Class { kind, prefixes, name, description, body, constraint, span }
    LongBody { extends_modification, sections, external, annotations, end_name }
    Import { alias, name, tail, description, annotation, span }
    ComponentClause { prefixes, type_spec, components, constraint, span }
    Constraint { name, modification, description, annotation, span }
    TypeSpec { kind, dims, span }
    EnumLiteral { name, description, annotation }
    Component { name, dims, modification, binding, condition, description, annotation, span }
    StringComment { parts, span }
    Annotation { arguments, span }
    External { language, output, function, arguments, annotation, span }
    Equation { kind, description, annotation, span }
    Statement { kind, description, annotation, span }
    Iterator { name, range }
    ComponentRef { global, parts, span }
    RefPart { name, subscripts }
    Expr { kind, span }
    CallArguments { positional, named, iterators, is_partial_application }
}

/// Enums by all their variants, written as patterns; what is bound is walked.
macro_rules! variants_of {
    ($($type:ident { $($pattern:pat => [$($field:ident),*])* })*) => {
        $(impl EachSpan for $type {
            fn each_span(&mut self, change: &mut dyn FnMut(&mut Span)) {
                use $type::*;
                match self { $($pattern => { $($field.each_span(change);)* })* }
            }
        })*
    };
}
variants_of! {
    ClassBody {
        Long(body) => [body]
        Short { causality, base, modification, annotation } => [causality, base, modification, annotation]
        Enumeration { literals, annotation } => [literals, annotation]
        PartialDerivative { function, variables, annotation } => [function, variables, annotation]
    }
    Section {
        Elements { visibility, elements } => [visibility, elements]
        Equations { initial, equations } => [initial, equations]
        Algorithm { initial, statements, span } => [initial, statements, span]
        ParameterEquation(equation) => [equation]
    }
    Element {
        Import(import) => [import]
        Extends { name, modification, annotation, span } => [name, modification, annotation, span]
        Class(class) => [class]
        Components(clause) => [clause]
    }
    ImportTail { None => [] All => [] List(names) => [names] }
    TypeKind { Named(name) => [name] Enumeration(literals) => [literals] }
    Argument {
        Modification { each, final_, name, arguments, value, description, span } => [each, final_, name, arguments, value, description, span]
        Redeclaration { element, each, span } => [element, each, span]
        Break { text, span } => [text, span]
    }
    EquationKind {
        Equal(left, right) => [left, right]
        If { branches, otherwise } => [branches, otherwise]
        For { iterators, body } => [iterators, body]
        When { branches } => [branches]
        Connect(a, b) => [a, b]
        Call(call) => [call]
    }
    StatementKind {
        Assign(target, value) => [target, value]
        AssignTuple(targets, value) => [targets, value]
        Call(call) => [call]
        If { branches, otherwise } => [branches, otherwise]
        For { iterators, body } => [iterators, body]
        While { condition, body } => [condition, body]
        When { branches } => [branches]
        Break => []
        Return => []
    }
    Subscript { All(span) => [span] Index(index) => [index] }
    ExprKind {
        Integer(value) => [value]
        Real(value) => [value]
        String(value) => [value]
        Boolean(value) => [value]
        End => []
        Break => []
        Ref(reference) => [reference]
        Call { function, arguments } => [function, arguments]
        Unary(op, operand) => [op, operand]
        Binary(op, left, right) => [op, left, right]
        Chain(first, rest) => [first, rest]
        If { branches, otherwise } => [branches, otherwise]
        Range { start, step, stop } => [start, step, stop]
        Array(entries) => [entries]
        Comprehension(entry, iterators) => [entry, iterators]
        Matrix(rows) => [rows]
        Tuple(entries) => [entries]
        Parenthesised(inner) => [inner]
        Subscripted(inner, subscripts) => [inner, subscripts]
        Field(inner, field) => [inner, field]
    }
}
