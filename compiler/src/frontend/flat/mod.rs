//! The flat model: typed variables, functions and equations with arrays and `for` kept as written.
//!
//! Data only; `flatten` makes it, `dae::lower` scalarises it. Names are unquoted full names (`a[1].b`) and unique.
//! Every expression carries its type; every call has its arguments by position with defaults filled in; every variable
//! reference is an id. Parameters whose value is known at compile time carry it in `Variable::value`.

pub(crate) mod arrays;
pub(crate) mod construct;
mod print;
mod verify;
pub(crate) mod walk;

/// The experiment annotation, as runs see it too.
pub use partita_runtime::simulator::model_image::Annotation as Experiment;

use cranelift_entity::{PrimaryMap, entity_impl};
use partita_grammar::Span;
pub use partita_grammar::ast::BinaryOp;

/// A variable, parameter or constant of the model.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(u32);
entity_impl!(VarId, "v");

/// A function.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FuncId(u32);
entity_impl!(FuncId, "f");

/// An enumeration type.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnumId(u32);
entity_impl!(EnumId, "enum");

/// A record type.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(u32);
entity_impl!(RecordId, "record");

/// A class that extends `ExternalObject`.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u32);
entity_impl!(ObjectId, "object");

/// A loop variable or, inside a function, an input, output or local of that function. Unique in the model for loop
/// variables of equations, unique in the function inside a function.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(u32);
entity_impl!(LocalId, "l");

/// A flat model.
#[derive(Clone, Debug, Default)]
pub struct FlatModel {
    /// The class name.
    pub name: String,
    /// The class description.
    pub description: String,
    /// `annotation(experiment(...))`.
    pub experiment: Experiment,
    /// Enumeration types. `StateSelect` and `AssertionLevel` are among them when used.
    pub enums: PrimaryMap<EnumId, EnumType>,
    /// Record types.
    pub records: PrimaryMap<RecordId, RecordType>,
    /// External object classes.
    pub objects: PrimaryMap<ObjectId, ObjectType>,
    /// Functions that the model reaches.
    pub functions: PrimaryMap<FuncId, Function>,
    /// Variables in declaration order.
    pub vars: PrimaryMap<VarId, Variable>,
    /// Loop variables of equations and comprehensions outside functions.
    pub loop_vars: PrimaryMap<LocalId, Local>,
    /// `equation` sections.
    pub equations: Vec<Equation>,
    /// `initial equation` sections.
    pub initial_equations: Vec<Equation>,
    /// `algorithm` sections, each a unit.
    pub algorithms: Vec<Algorithm>,
    /// `initial algorithm` sections, each a unit.
    pub initial_algorithms: Vec<Algorithm>,
}

/// An enumeration type.
#[derive(Clone, Debug, PartialEq)]
pub struct EnumType {
    /// Full name; empty for one written in place.
    pub name: String,
    /// Literal names in order, unquoted.
    pub literals: Vec<String>,
}

/// A record type.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordType {
    /// Full name.
    pub name: String,
    /// Fields in order.
    pub fields: Vec<Field>,
}

/// A field of a record type.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name, unquoted.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Default value, closed (refers to no variable).
    pub default: Option<Expr>,
}

/// An external object class.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectType {
    /// Full name.
    pub name: String,
    /// The constructor function (external).
    pub constructor: FuncId,
}

/// A type: a scalar type with dimensions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// The element type.
    pub scalar: Scalar,
    /// Dimensions, outermost first; empty for a scalar. `None` (`:`) occurs only inside functions.
    pub dims: Vec<Option<usize>>,
}

/// Element types.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each variant is the type of its name")]
pub enum Scalar {
    Real,
    Integer,
    Boolean,
    String,
    Enumeration(EnumId),
    Record(RecordId),
    Object(ObjectId),
}

impl Type {
    /// A scalar type.
    pub fn scalar(scalar: Scalar) -> Type {
        Type { scalar, dims: Vec::new() }
    }

    /// An array of known dimensions.
    pub fn array(scalar: Scalar, dims: &[usize]) -> Type {
        Type { scalar, dims: dims.iter().map(|d| Some(*d)).collect() }
    }

    /// No dimensions.
    pub fn is_scalar(&self) -> bool {
        self.dims.is_empty()
    }
}

/// When a value can change.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each variant is Modelica's word")]
pub enum Variability {
    Constant,
    Parameter,
    Discrete,
    Continuous,
}

/// Which way a top-level variable is seen from outside.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is Modelica's word")]
pub enum Causality {
    Local,
    Input,
    Output,
}

/// The `stateSelect` attribute.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each variant is Modelica's word")]
pub enum StateSelect {
    Never,
    Avoid,
    #[default]
    Default,
    Prefer,
    Always,
}

/// A compile-time value.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "each variant is the value of its type")]
pub enum Value {
    Real(f64),
    Integer(i64),
    Boolean(bool),
    String(String),
    /// One-based literal.
    Enumeration(EnumId, u32),
    /// All sizes, and the scalar elements of all dimensions in one list, the last subscript running fastest.
    Array(Vec<usize>, Vec<Value>),
    /// Field values in order.
    Record(RecordId, Vec<Value>),
}

/// A variable, parameter or constant.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Full unquoted name, unique.
    pub name: String,
    /// Its type; all dimensions known.
    pub ty: Type,
    /// Declared variability; discrete types (Integer, Boolean, ...) without prefix are `Discrete`.
    pub variability: Variability,
    /// Top-level causality.
    pub causality: Causality,
    /// `protected`.
    pub protected: bool,
    /// `final`: cannot be changed from outside.
    pub final_: bool,
    /// `annotation(Evaluate = true)`.
    pub evaluate: bool,
    /// Attributes.
    pub attributes: Attributes,
    /// The declaration's `= e`. Kept also when `value` is known.
    pub binding: Option<Expr>,
    /// The evaluated binding of a constant or parameter, if it can be had at compile time
    /// (no `fixed = false`, no external function).
    pub value: Option<Value>,
    /// Where the value became part of the equations, if it did: there it no longer follows from anything.
    pub evaluated: Option<Span>,
    /// The description string.
    pub description: String,
    /// The declared name in the source.
    pub span: Span,
}

/// Attributes of a variable. Expressions are scalar (applies to each element) or have the variable's dimensions; they lie apart, for
/// most variables have none.
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "each field is Modelica's own name")]
pub struct Attributes {
    pub start: Option<Box<Expr>>,
    /// Scalar or array of Boolean literals after evaluation.
    pub fixed: Option<Box<Expr>>,
    pub min: Option<Box<Expr>>,
    pub max: Option<Box<Expr>>,
    pub nominal: Option<Box<Expr>>,
    pub unit: Option<String>,
    pub display_unit: Option<String>,
    pub quantity: Option<String>,
    pub state_select: StateSelect,
}

/// A typed expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What kind.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where it was written.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A literal (scalar values only; arrays are `Array`).
    Literal(Value),
    /// `time`.
    Time,
    /// A variable of the model, whole.
    Var(VarId),
    /// A loop variable, or an input, output or local of the enclosing function, whole.
    Local(LocalId),
    /// Elements of an array expression. One subscript per leading dimension; `end` is resolved to `size(...)`.
    Index(Box<Expr>, Vec<Subscript>),
    /// A field of a record expression, by position.
    Field(Box<Expr>, usize),
    /// `-a`, `not a`. (`+a` is dropped.)
    Unary(UnaryOp, Box<Expr>),
    /// A binary operator. Whether it is element-wise, scalar or a matrix product follows from `op` and operand types.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if c then a else b`; `elseif` is nested.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A call of a built-in operator or function.
    Builtin(Builtin, Vec<Expr>),
    /// A call of a user function: arguments by position, all inputs present. The value is the first output; if the
    /// function has several outputs and stands on the right of a tuple, see `Equation::Tuple`.
    Call(FuncId, Vec<Expr>),
    /// Construction of an external object.
    NewObject(ObjectId, Vec<Expr>),
    /// A record constructor: all fields present.
    Record(RecordId, Vec<Expr>),
    /// `{a, b}`; all elements have one type. Matrices `[...]` are resolved to nested arrays or `cat`.
    Array(Vec<Expr>),
    /// `start:step:stop`.
    Range(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    /// `{e for i in r, j in s}` or the argument of a reduction; the first iterator is the outermost dimension of the result.
    Comprehension(Box<Expr>, Vec<(LocalId, Expr)>),
    /// Integer, Boolean or enumeration operand used where Real is needed: an implicit conversion.
    ToReal(Box<Expr>),
}

/// One subscript.
#[derive(Clone, Debug, PartialEq)]
pub enum Subscript {
    /// A scalar index: drops the dimension. Enumeration and Boolean indices are converted by `Builtin::Integer`-like casts.
    Index(Expr),
    /// An index vector: keeps a dimension.
    Slice(Expr),
    /// `:`.
    All,
}

/// Unary operators.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each variant is the operator of its name")]
pub enum UnaryOp {
    Minus,
    Not,
}

/// Built-in operators and functions with special syntax, variability or shape.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each variant is the Modelica function of its name")]
pub enum Builtin {
    // elementary functions; vectorise over arrays
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Log,
    Log10,
    Sqrt,
    Abs,
    Sign,
    /// Event generating outside `noEvent`.
    Div,
    Mod,
    Rem,
    Ceil,
    Floor,
    /// `integer(x)`: floor to Integer, event generating.
    IntegerFloor,
    /// `Integer(e)`: the number of an enumeration literal.
    IntegerOfEnum,
    /// `String(x, ...)` with any of its options, kept by position: value, then (minimumLength, leftJustified,
    /// significantDigits) or (format).
    String,
    /// Two scalars; arrays reduce with `MinArray`.
    Min,
    Max,
    MinArray,
    MaxArray,
    // continuous and discrete operators
    Der,
    Pre,
    Edge,
    Change,
    Initial,
    Terminal,
    Sample,
    Reinit,
    NoEvent,
    Smooth,
    Homotopy,
    SemiLinear,
    Delay,
    SpatialDistribution,
    Cardinality,
    // statements that look like calls
    Assert,
    Terminate,
    Print,
    // arrays
    Size,
    Ndims,
    Scalar,
    Vector,
    Matrix,
    Identity,
    Diagonal,
    Zeros,
    Ones,
    Fill,
    Linspace,
    Sum,
    Product,
    Transpose,
    OuterProduct,
    Symmetric,
    Cross,
    Skew,
    Cat,
    Promote,
    Array,
}

impl Builtin {
    /// Looks at time or at events, which functions do not know.
    pub fn is_of_time(self) -> bool {
        use Builtin::*;
        matches!(self, Der | Pre | Edge | Change | Initial | Terminal | Sample | Delay | SpatialDistribution)
    }
}

/// An equation with its place.
#[derive(Clone, Debug)]
pub struct Equation {
    /// What kind.
    pub kind: EquationKind,
    /// Where it was written.
    pub span: Span,
}

/// The kinds of equations.
#[derive(Clone, Debug)]
pub enum EquationKind {
    /// `lhs = rhs`, scalar, array or record; both sides have the same type and shape.
    Equal(Expr, Expr),
    /// `(a, , b) = f(x)`.
    Tuple(Vec<Option<Expr>>, Expr),
    /// `for i in range loop ... end for`; several iterators are nested.
    For(LocalId, Expr, Vec<Equation>),
    /// `if ... end if`; `else` may be empty.
    If(Vec<(Expr, Vec<Equation>)>, Vec<Equation>),
    /// `when ... elsewhen ... end when`. A condition is a Boolean, or a vector of them of which any may become true.
    When(Vec<(Expr, Vec<Equation>)>),
    /// `assert`, `terminate`, `reinit` or a function called for its effect.
    Call(Expr),
}

/// An algorithm section.
#[derive(Clone, Debug)]
pub struct Algorithm {
    /// Its statements.
    pub statements: Vec<Statement>,
    /// Where it was written.
    pub span: Span,
}

/// A statement with its place.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What kind.
    pub kind: StatementKind,
    /// Where it was written.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `target := value`; the target is `Var`, `Local`, or `Index`/`Field` of one, or an `Array` or `Record` of such
    /// targets where a whole is assigned whose parts are declared one by one.
    Assign(Expr, Expr),
    /// `(a, , b) := f(x)`.
    Tuple(Vec<Option<Expr>>, Expr),
    /// `if`.
    If(Vec<(Expr, Vec<Statement>)>, Vec<Statement>),
    /// `for`.
    For(LocalId, Expr, Vec<Statement>),
    /// `while`.
    While(Expr, Vec<Statement>),
    /// `when`.
    When(Vec<(Expr, Vec<Statement>)>),
    /// A call for its effect.
    Call(Expr),
    /// `break`.
    Break,
    /// `return`.
    Return,
}

/// An input, output or local of a function, or a loop variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name, unquoted.
    pub name: String,
    /// Its type; `None` dimensions are fixed by the call.
    pub ty: Type,
    /// For dimensions given by expressions (`Real x[n, size(a, 1)]`): one per dimension that is `None` in `ty` and not `:`.
    pub dim_exprs: Vec<Option<Expr>>,
    /// Default of an input, initial value of an output or local.
    pub binding: Option<Expr>,
    /// Where it was declared.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Full unquoted name.
    pub name: String,
    /// Inputs, outputs, locals and loop variables.
    pub locals: PrimaryMap<LocalId, Local>,
    /// In order.
    pub inputs: Vec<LocalId>,
    /// In order.
    pub outputs: Vec<LocalId>,
    /// Protected variables in order (their bindings are evaluated in this order).
    pub protected: Vec<LocalId>,
    /// What it does.
    pub body: FunctionBody,
    /// `annotation(derivative(...) = name)`, in order of preference.
    pub derivatives: Vec<DerivativeAnnotation>,
    /// `annotation(smoothOrder = n)`.
    pub smooth_order: Option<u32>,
    /// `annotation(Inline = ..., LateInline = ...)`: what was written, if anything.
    pub inline: Option<bool>,
    /// `annotation(GenerateEvents = true)`.
    pub generate_events: bool,
    /// `impure`, written or because it calls what has an effect.
    pub impure: bool,
    /// Calls leave something behind (random numbers, files), also through functions that it calls.
    pub has_effect: bool,
    /// The declared name in the source.
    pub span: Span,
}

impl Function {
    /// A function that does nothing yet.
    pub fn empty(name: String, span: Span) -> Function {
        Function {
            name,
            locals: PrimaryMap::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            protected: Vec::new(),
            body: FunctionBody::Algorithm(Vec::new()),
            derivatives: Vec::new(),
            smooth_order: None,
            inline: None,
            generate_events: false,
            impure: false,
            has_effect: false,
            span,
        }
    }
}

/// The inside of a function.
#[derive(Clone, Debug)]
pub enum FunctionBody {
    /// Statements.
    Algorithm(Vec<Statement>),
    /// `external "C" out = f(args)`.
    External {
        /// `C`, `FORTRAN 77`, `builtin`.
        language: String,
        /// The C name.
        function: String,
        /// The output on the left of the call, if any.
        output: Option<LocalId>,
        /// Its arguments; outputs passed by reference are `Local` expressions naming an output.
        arguments: Vec<Expr>,
    },
}

/// A declared derivative function.
#[derive(Clone, Debug)]
pub struct DerivativeAnnotation {
    /// The function that computes the derivative.
    pub function: FuncId,
    /// `order = n`, 1 if not written.
    pub order: u32,
    /// Inputs marked `noDerivative` or `zeroDerivative`.
    pub without: Vec<LocalId>,
}

/// `[3, :]`, empty for a scalar.
pub fn dims_text(dims: &[Option<usize>]) -> String {
    if dims.is_empty() {
        return String::new();
    }
    let dims: Vec<String> = dims.iter().map(|d| d.map_or_else(|| ":".to_owned(), |d| d.to_string())).collect();
    format!("[{}]", dims.join(", "))
}
