//! Operators.

/// Unary operators.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the operator of its name")]
pub enum UnaryOp {
    Minus,
    Plus,
    ElementMinus,
    ElementPlus,
    Not,
}

/// Binary operators. `Element…` are written with a dot and always act element by element.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each variant is the operator of its name")]
pub enum BinaryOp {
    Or,
    And,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    Add,
    Subtract,
    ElementAdd,
    ElementSubtract,
    Multiply,
    Divide,
    ElementMultiply,
    ElementDivide,
    Power,
    ElementPower,
}

impl BinaryOp {
    /// The operator as Modelica writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Or => "or",
            BinaryOp::And => "and",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "<>",
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::ElementAdd => ".+",
            BinaryOp::ElementSubtract => ".-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::ElementMultiply => ".*",
            BinaryOp::ElementDivide => "./",
            BinaryOp::Power => "^",
            BinaryOp::ElementPower => ".^",
        }
    }
}
