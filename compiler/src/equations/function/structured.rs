//! Functions that are called, not inlined, in structured form.
//!
//! A [`Function`] is what an algorithm becomes: scalars and arrays of fixed sizes, values as a tree over smaller ids, statements
//! with `if`, `while`, `for`. Subscripts count from 1 and are checked. `and`, `or` and `if` evaluate only what they need.
//! `control_flow` checks it and turns it into a `Routine`, which is what runs.

use crate::base::budget;
use crate::base::ids::FnId;
use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use partita_runtime::base::format::Format;
use partita_runtime::base::math::{Op1, Op2};

/// A variable of a function.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(u32);
entity_impl!(LocalId, "l");

/// A value of a function: a node over values with smaller ids.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(u32);
entity_impl!(ValueId, "e");

/// What a variable is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is what it says")]
pub enum Role {
    Input,
    Output,
    Local,
    /// A local variable that the compiler made.
    Auxiliary,
}

/// A scalar (no sizes) or an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name, for messages.
    pub name: String,
    /// Its sizes; elements lie row by row.
    pub dims: Vec<u32>,
    /// What it is for. Inputs and outputs are passed in the order of their declaration, arrays element by element.
    pub role: Role,
}

/// A variable or an element of one: one subscript per dimension, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The variable.
    pub variable: LocalId,
    /// The subscripts.
    pub subscripts: Vec<ValueId>,
}

/// A node of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Const(f64),
    /// The present value of a variable or element.
    Read(Target),
    /// One operand.
    Unary(Op1, ValueId),
    /// Two operands. The second operand of `And` and `Or` is evaluated only when the first does not decide.
    Binary(Op2, ValueId, ValueId),
    /// `if c then a else b`; only one of both is evaluated.
    Select(ValueId, ValueId, ValueId),
    /// Output number `.2` of a function.
    Call(FnId, Vec<ValueId>, u32),
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum MessageFragment {
    /// Literal text.
    Text(String),
    /// A value.
    Value(ValueId, Format),
    /// The first text where the value is true, else the second. Values of both are computed.
    Either(ValueId, Vec<MessageFragment>, Vec<MessageFragment>),
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// `target := value`.
    Assign(Target, ValueId),
    /// The first branch whose condition holds, or the last list.
    If(Vec<(ValueId, Vec<Stmt>)>, Vec<Stmt>),
    /// While the condition holds.
    While(ValueId, Vec<Stmt>),
    /// `for variable in start:step:stop`; the bounds are evaluated once.
    For {
        /// A scalar local variable.
        variable: LocalId,
        /// The first value.
        start: ValueId,
        /// The step; zero is a failure.
        step: ValueId,
        /// The last value, if the steps hit it.
        stop: ValueId,
        /// What is repeated.
        body: Vec<Stmt>,
    },
    /// Leaves the innermost loop.
    Break,
    /// Ends the function.
    Return,
    /// Fails with a message unless the condition holds.
    Assert {
        /// The condition.
        condition: ValueId,
        /// The message.
        message: Vec<MessageFragment>,
    },
    /// Calls a function for all its outputs; those without a target are dropped.
    Call {
        /// The function.
        function: FnId,
        /// Its scalar arguments.
        args: Vec<ValueId>,
        /// A target per output.
        targets: Vec<Option<Target>>,
    },
}

/// A function in structured form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its variables.
    pub variables: PrimaryMap<LocalId, Variable>,
    /// Its values.
    pub values: PrimaryMap<ValueId, Value>,
    /// Its statements.
    pub body: Vec<Stmt>,
    /// Byte range in the source, for messages.
    pub place: Option<(u32, u32)>,
    /// What its relations, `min` and `max` compare must be numbers.
    pub compares_numbers: bool,
}

impl Function {
    /// A function without variables and statements.
    pub fn new(name: &str) -> Function {
        Function { name: name.to_string(), ..Function::default() }
    }

    /// Declares a variable.
    pub fn variable(&mut self, name: &str, dims: &[u32], role: Role) -> LocalId {
        self.variables.push(Variable { name: name.to_string(), dims: dims.to_vec(), role })
    }

    /// A value.
    pub fn value(&mut self, value: Value) -> ValueId {
        budget::spend(2);
        self.values.push(value)
    }

    /// A number.
    pub fn constant(&mut self, value: f64) -> ValueId {
        self.value(Value::Const(value))
    }

    /// The value of a scalar variable, or of an element.
    pub fn read(&mut self, variable: LocalId, subscripts: &[ValueId]) -> ValueId {
        self.value(Value::Read(Target { variable, subscripts: subscripts.to_vec() }))
    }

    /// An operation of one operand.
    pub fn unary(&mut self, op: Op1, a: ValueId) -> ValueId {
        self.value(Value::Unary(op, a))
    }

    /// An operation of two operands.
    pub fn binary(&mut self, op: Op2, a: ValueId, b: ValueId) -> ValueId {
        self.value(Value::Binary(op, a, b))
    }

    /// `variable[subscripts] := value` as a statement.
    pub fn assign(variable: LocalId, subscripts: &[ValueId], value: ValueId) -> Stmt {
        Stmt::Assign(Target { variable, subscripts: subscripts.to_vec() }, value)
    }
}

/// Positions of scalars among inputs, or outputs, of a function: each variable's first.
pub(super) fn positions(function: &Function, role: Role) -> Vec<(LocalId, usize)> {
    let mut next: usize = 0;
    let mut list = Vec::new();
    for (id, variable) in function.variables.iter().filter(|(_, variable)| variable.role == role) {
        list.push((id, next));
        let len = variable.dims.iter().fold(1, |len: usize, size| len.saturating_mul(*size as usize));
        next = next.saturating_add(len);
    }
    // The end, under the id that no variable has.
    list.push((LocalId::new(function.variables.len()), next));
    list
}
