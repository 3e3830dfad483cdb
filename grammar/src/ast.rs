//! The syntax tree: what was written, with a span on every node and no semantics.
//!
//! Depth is bounded by the nesting limit of the parser: runs of left-associative operators of one precedence are one flat
//! `Chain`, so a sum of a million terms is one node and recursion over the tree is safe.

mod name;
mod operators;

use crate::span::Span;
pub use name::{Ident, Name};
pub use operators::{BinaryOp, UnaryOp};

/// A whole file.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// How names and subscripts after names are to be read.
    pub dialect: Dialect,
    /// `within A.B;`, if written.
    pub within: Option<Name>,
    /// The classes in order. The package wrapper of Base Modelica is kept as one class of kind `Package`.
    pub classes: Vec<Class>,
}

/// The three ways flat Modelica is written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// First line `//! base 0.1.0`: quoted identifiers, package wrapper.
    Base,
    /// As `omc` prints flat classes: dotted names in declarations; a subscript after a declared name is part of the name.
    OmcFlat,
    /// Hand-written Modelica.
    Modelica,
}

/// A class definition of any kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// `model`, `function`, ...
    pub kind: ClassKind,
    /// Words before the kind.
    pub prefixes: ClassPrefixes,
    /// The declared name; flat omc output declares dotted names.
    pub name: Name,
    /// The string after the name.
    pub description: Option<StringComment>,
    /// What it contains.
    pub body: ClassBody,
    /// `constrainedby A(x = 1)` after a replaceable class.
    pub constraint: Option<Box<Constraint>>,
    /// The whole definition.
    pub span: Span,
}

/// The restricted class keyword.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the Modelica keyword of its name")]
pub enum ClassKind {
    Class,
    Model,
    Record,
    OperatorRecord,
    Block,
    Connector,
    ExpandableConnector,
    Type,
    Package,
    Function,
    OperatorFunction,
    Operator,
}

impl ClassKind {
    /// The words that open such a class.
    pub fn word(self) -> &'static str {
        match self {
            ClassKind::Class => "class",
            ClassKind::Model => "model",
            ClassKind::Record => "record",
            ClassKind::OperatorRecord => "operator record",
            ClassKind::Block => "block",
            ClassKind::Connector => "connector",
            ClassKind::ExpandableConnector => "expandable connector",
            ClassKind::Type => "type",
            ClassKind::Package => "package",
            ClassKind::Function => "function",
            ClassKind::OperatorFunction => "operator function",
            ClassKind::Operator => "operator",
        }
    }
}

/// Words that may stand before a class keyword.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the Modelica keyword of its name")]
pub struct ClassPrefixes {
    pub final_: bool,
    pub encapsulated: bool,
    pub partial: bool,
    pub pure_: bool,
    pub impure: bool,
    pub redeclare: bool,
    pub replaceable: bool,
    pub inner: bool,
    pub outer: bool,
}

/// The right-hand side of a class definition.
#[derive(Clone, Debug, PartialEq)]
pub enum ClassBody {
    /// `class X ... end X;`
    Long(LongBody),
    /// `type X = Base[dims](mods);`
    Short {
        /// `input`, `output` or neither.
        causality: Causality,
        /// The type it stands for.
        base: TypeSpec,
        /// `(min = 0)`.
        modification: Vec<Argument>,
        /// Its annotation.
        annotation: Option<Annotation>,
    },
    /// `type X = enumeration(a, b);`; `None` is `enumeration(:)`.
    Enumeration {
        /// The literals in order.
        literals: Option<Vec<EnumLiteral>>,
        /// Its annotation.
        annotation: Option<Annotation>,
    },
    /// `function f = der(g, x, y);`
    PartialDerivative {
        /// The function that is differentiated.
        function: Name,
        /// By these inputs.
        variables: Vec<Ident>,
        /// Its annotation.
        annotation: Option<Annotation>,
    },
}

/// The inside of `class X ... end X;`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LongBody {
    /// `extends X(mods) ... end X`: the modifications of a class that extends its own name.
    pub extends_modification: Option<Vec<Argument>>,
    /// Sections in order.
    pub sections: Vec<Section>,
    /// `external "C" y = f(x);`
    pub external: Option<External>,
    /// Class annotations in order.
    pub annotations: Vec<Annotation>,
    /// The name after `end`, when written.
    pub end_name: Option<Name>,
}

/// A part of a class body.
#[derive(Clone, Debug, PartialEq)]
pub enum Section {
    /// Declarations before any `public` or `protected`, and those after one of them.
    Elements {
        /// Which keyword stands before.
        visibility: Visibility,
        /// The declarations.
        elements: Vec<Element>,
    },
    /// `equation`, `initial equation`.
    Equations {
        /// `initial` was written.
        initial: bool,
        /// In order.
        equations: Vec<Equation>,
    },
    /// `algorithm`, `initial algorithm`.
    Algorithm {
        /// `initial` was written.
        initial: bool,
        /// In order.
        statements: Vec<Statement>,
        /// The section.
        span: Span,
    },
    /// `parameter equation guess(x) = e;` of Base Modelica.
    ParameterEquation(Equation),
}

/// Public or protected.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is what it says")]
pub enum Visibility {
    Default,
    Public,
    Protected,
}

/// One declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum Element {
    /// `import A.B;`, kept whole.
    Import(Box<Import>),
    /// `extends A(x = 1);`
    Extends {
        /// The base class.
        name: Name,
        /// Its modifications.
        modification: Vec<Argument>,
        /// Its annotation.
        annotation: Option<Annotation>,
        /// Where.
        span: Span,
    },
    /// A class inside the class.
    Class(Box<Class>),
    /// One or several components.
    Components(ComponentClause),
}

/// An import clause.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// `import X = A.B;`
    pub alias: Option<Ident>,
    /// The imported name.
    pub name: Name,
    /// `A.*` or `A.{b, c}`.
    pub tail: ImportTail,
    /// The string after it.
    pub description: Option<StringComment>,
    /// Its annotation.
    pub annotation: Option<Annotation>,
    /// Where.
    pub span: Span,
}

/// What follows the name of an import.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "each variant is what it says")]
pub enum ImportTail {
    None,
    All,
    List(Vec<Ident>),
}

/// `prefix Type[dims] a(x = 1) = 2 "text", b;`
#[derive(Clone, Debug, PartialEq)]
pub struct ComponentClause {
    /// Words before the type.
    pub prefixes: ComponentPrefixes,
    /// The type, with the dimensions written on it.
    pub type_spec: TypeSpec,
    /// The declared components.
    pub components: Vec<Component>,
    /// `constrainedby A(x = 1)` after a replaceable component.
    pub constraint: Option<Box<Constraint>>,
    /// The whole clause.
    pub span: Span,
}

/// `constrainedby A(x = 1) "text" annotation(...)`: what may replace a replaceable element.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// The constraining type.
    pub name: Name,
    /// Its modifications.
    pub modification: Vec<Argument>,
    /// The string after it.
    pub description: Option<StringComment>,
    /// Its annotation.
    pub annotation: Option<Annotation>,
    /// Where.
    pub span: Span,
}

/// Words that may stand before a component's type.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the Modelica keyword of its name")]
pub struct ComponentPrefixes {
    /// `protected` as a prefix of one line, as omc prints it.
    pub protected: bool,
    /// `public` as a prefix of one line.
    pub public: bool,
    pub final_: bool,
    pub inner: bool,
    pub outer: bool,
    pub redeclare: bool,
    pub replaceable: bool,
    pub flow: bool,
    pub stream: bool,
    pub variability: Variability,
    pub causality: Causality,
}

/// The variability prefix.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the Modelica keyword of its name")]
pub enum Variability {
    #[default]
    None,
    Constant,
    Parameter,
    Discrete,
}

/// The causality prefix.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the Modelica keyword of its name")]
pub enum Causality {
    #[default]
    None,
    Input,
    Output,
}

/// A type with dimensions.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeSpec {
    /// What kind of type.
    pub kind: TypeKind,
    /// Dimensions written on the type.
    pub dims: Vec<Subscript>,
    /// Where.
    pub span: Span,
}

/// A named type or an enumeration written in place (omc's flat output does this).
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "each variant is what it says")]
pub enum TypeKind {
    Named(Name),
    Enumeration(Vec<EnumLiteral>),
}

/// One literal of an enumeration.
#[derive(Clone, Debug, PartialEq)]
pub struct EnumLiteral {
    /// Its name.
    pub name: Ident,
    /// The string after it.
    pub description: Option<StringComment>,
    /// Its annotation.
    pub annotation: Option<Annotation>,
}

/// One declared component.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// The declared name. In omc's flat dialect it has dots and subscripts: `a[1].b`.
    pub name: ComponentRef,
    /// Dimensions after the name (never in the flat dialect, where they belong to the name).
    pub dims: Vec<Subscript>,
    /// `(start = 1)`.
    pub modification: Vec<Argument>,
    /// `= e` or `:= e`.
    pub binding: Option<Expr>,
    /// `if cond`.
    pub condition: Option<Expr>,
    /// The string after it.
    pub description: Option<StringComment>,
    /// Its annotation.
    pub annotation: Option<Annotation>,
    /// From the name to the end of the declaration.
    pub span: Span,
}

/// A description string, possibly several literals joined by `+`.
#[derive(Clone, Debug, PartialEq)]
pub struct StringComment {
    /// The literals, escapes resolved.
    pub parts: Vec<String>,
    /// Where.
    pub span: Span,
}

/// `annotation(...)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// Where.
    pub span: Span,
}

/// One argument of a modification or annotation.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// `each final name(args) = value "text"`.
    Modification {
        /// `each` was written.
        each: bool,
        /// `final` was written.
        final_: bool,
        /// What is modified.
        name: Name,
        /// Arguments in parentheses; `None` if no parentheses were written.
        arguments: Option<Vec<Argument>>,
        /// The value after `=`.
        value: Option<Expr>,
        /// The string after it.
        description: Option<StringComment>,
        /// Where.
        span: Span,
    },
    /// `redeclare ...` or `replaceable ...`.
    Redeclaration {
        /// The declaration that replaces or may be replaced.
        element: Box<Element>,
        /// `each` was written.
        each: bool,
        /// Where.
        span: Span,
    },
    /// `inheritance break`: `break name`, or `break connect(a, b)`.
    Break {
        /// The source text after `break`.
        text: String,
        /// Where.
        span: Span,
    },
}

/// `external "C" y = f(x) annotation(...);`
#[derive(Clone, Debug, PartialEq)]
pub struct External {
    /// The language string.
    pub language: Option<String>,
    /// The left-hand side of the call.
    pub output: Option<ComponentRef>,
    /// The C function.
    pub function: Option<Ident>,
    /// Its arguments.
    pub arguments: Vec<Expr>,
    /// Its annotation.
    pub annotation: Option<Annotation>,
    /// Where.
    pub span: Span,
}

/// An equation with its span, description and annotation.
#[derive(Clone, Debug, PartialEq)]
pub struct Equation {
    /// What kind.
    pub kind: EquationKind,
    /// The string after it.
    pub description: Option<StringComment>,
    /// Its annotation.
    pub annotation: Option<Annotation>,
    /// Without the semicolon.
    pub span: Span,
}

/// The kinds of equations.
#[derive(Clone, Debug, PartialEq)]
pub enum EquationKind {
    /// `lhs = rhs`; `(a, b) = f(x)` has a `Tuple` on the left.
    Equal(Expr, Expr),
    /// `if c then ... elseif ... else ... end if`.
    If {
        /// Conditions with their equations.
        branches: Vec<(Expr, Vec<Equation>)>,
        /// Equations after `else`; `None` if it is not written.
        otherwise: Option<Vec<Equation>>,
    },
    /// `for i in 1:n loop ... end for`.
    For {
        /// The loop variables.
        iterators: Vec<Iterator>,
        /// The body.
        body: Vec<Equation>,
    },
    /// `when c then ... elsewhen ... end when`.
    When {
        /// Conditions with their equations.
        branches: Vec<(Expr, Vec<Equation>)>,
    },
    /// `connect(a, b)`.
    Connect(ComponentRef, ComponentRef),
    /// A call on its own: `assert(...)`, `reinit(...)`, `terminate(...)`, or a function without result.
    Call(Expr),
}

/// A statement with its span, description and annotation.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What kind.
    pub kind: StatementKind,
    /// The string after it.
    pub description: Option<StringComment>,
    /// Its annotation.
    pub annotation: Option<Annotation>,
    /// Without the semicolon.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `target := value`.
    Assign(ComponentRef, Expr),
    /// `(a, , b) := f(x)`; the left entries are component references or absent.
    AssignTuple(Vec<Option<Expr>>, Expr),
    /// A call on its own.
    Call(Expr),
    /// `if`.
    If {
        /// Conditions with their statements.
        branches: Vec<(Expr, Vec<Statement>)>,
        /// Statements after `else`.
        otherwise: Option<Vec<Statement>>,
    },
    /// `for`.
    For {
        /// The loop variables.
        iterators: Vec<Iterator>,
        /// The body.
        body: Vec<Statement>,
    },
    /// `while`.
    While {
        /// The condition.
        condition: Expr,
        /// The body.
        body: Vec<Statement>,
    },
    /// `when`.
    When {
        /// Conditions with their statements.
        branches: Vec<(Expr, Vec<Statement>)>,
    },
    /// `break`.
    Break,
    /// `return`.
    Return,
}

/// `i in 1:n`; the range may be left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Iterator {
    /// The loop variable.
    pub name: Ident,
    /// What it runs over.
    pub range: Option<Expr>,
}

/// A reference to a component: `a[1].b.c[2, 3]`.
#[derive(Clone, Debug, PartialEq)]
pub struct ComponentRef {
    /// Written with a leading dot.
    pub global: bool,
    /// Identifiers with their subscripts.
    pub parts: Vec<RefPart>,
    /// Where.
    pub span: Span,
}

/// One identifier of a component reference.
#[derive(Clone, Debug, PartialEq)]
pub struct RefPart {
    /// The identifier.
    pub name: Ident,
    /// Subscripts after it.
    pub subscripts: Vec<Subscript>,
}

/// `:` or an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Subscript {
    /// `:`.
    All(Span),
    /// An index, a range or an index vector.
    Index(Expr),
}

/// An expression with its span.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What kind.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// An unsigned integer literal that fits 64 bits.
    Integer(i64),
    /// An unsigned real literal.
    Real(f64),
    /// A string literal, escapes resolved.
    String(String),
    /// `true`, `false`.
    Boolean(bool),
    /// `end` inside a subscript.
    End,
    /// A variable, constant or enumeration literal.
    Ref(ComponentRef),
    /// `f(a, x = b)`; also `der`, `initial`, `pure(...)`. `name` may have subscripts only for calls through components.
    Call {
        /// The function as written.
        function: ComponentRef,
        /// Its arguments.
        arguments: Box<CallArguments>,
    },
    /// `-a`, `+a`, `.-a`, `.+a`, `not a`.
    Unary(UnaryOp, Box<Expr>),
    /// One binary operator that does not chain: powers and relations.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `first op1 a op2 b ...`, left-associative, all of one precedence.
    Chain(Box<Expr>, Vec<(BinaryOp, Expr)>),
    /// `if c then a elseif d then b else e`.
    If {
        /// Conditions with their values.
        branches: Vec<(Expr, Expr)>,
        /// The value after `else`.
        otherwise: Box<Expr>,
    },
    /// `start:stop` or `start:step:stop`.
    Range {
        /// First value.
        start: Box<Expr>,
        /// Step, if written.
        step: Option<Box<Expr>>,
        /// Last value.
        stop: Box<Expr>,
    },
    /// `{a, b}`.
    Array(Vec<Expr>),
    /// `{e for i in r}`.
    Comprehension(Box<Expr>, Vec<Iterator>),
    /// `[a, b; c, d]`.
    Matrix(Vec<Vec<Expr>>),
    /// `(a, , b)`: output lists; a parenthesised single expression is `Parenthesised`.
    Tuple(Vec<Option<Expr>>),
    /// `(a)`; kept so that printing is exact.
    Parenthesised(Box<Expr>),
    /// `(e)[i]` or `f(x)[i]`: subscripts after something that is not a name.
    Subscripted(Box<Expr>, Vec<Subscript>),
    /// `f(x).field`, as exporters write it.
    Field(Box<Expr>, Ident),
    /// `break` as the value of a modification: the inherited value is taken away.
    Break,
}

/// Arguments of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallArguments {
    /// Arguments by position.
    pub positional: Vec<Expr>,
    /// Arguments by name.
    pub named: Vec<(Ident, Expr)>,
    /// `f(e for i in r)`: the iterators; `positional` has one entry then.
    pub iterators: Vec<Iterator>,
    /// Functions passed as arguments are calls of kind `function f(a = 1)`.
    pub is_partial_application: bool,
}
