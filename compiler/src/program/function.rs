//! Functions that are called, not inlined.

use crate::ids::FnId;
use cranelift_entity::PrimaryMap;
use partita_runtime::abi::Environment;
use partita_runtime::native::{NativeFn, lookup};
use std::fmt;

/// How a function is differentiated. The derivative of `y = f(x)` is a function of `(x, dx)` that gives `dy`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Derivative {
    /// Nobody has said; `FnTable::add_derivatives` makes one of a function with a body.
    Unknown,
    /// This function.
    Function(FnId),
    /// By differences; only for foreign functions. `FnTable::add_derivatives` makes the function that does it.
    FiniteDifference,
    /// Outputs do not change continuously with the inputs.
    Zero,
}

/// What a function does.
#[derive(Clone, Debug)]
pub enum FnBody {
    /// A function of the runtime.
    Native(NativeFn),
}

/// A function.
#[derive(Clone, Debug)]
pub struct FnDef {
    /// Its name, for messages and dumps.
    pub name: String,
    /// The number of scalar inputs.
    pub n_inputs: usize,
    /// The number of scalar outputs.
    pub n_outputs: usize,
    /// What it does.
    pub body: FnBody,
    /// How it is differentiated.
    pub derivative: Derivative,
}

/// Why a function cannot be taken into the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionError {
    /// The function's name.
    pub function: String,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "function {}: {}", self.function, self.reason)
    }
}

impl std::error::Error for FunctionError {}

/// The functions of a program. A function calls only functions before it, so recursion cannot be written down.
#[derive(Clone, Debug, Default)]
pub struct FnTable {
    defs: PrimaryMap<FnId, FnDef>,
}

impl FnTable {
    /// Adds a function of the runtime; an unknown name is an error.
    pub fn push_native(
        &mut self,
        name: &str,
        n_inputs: usize,
        n_outputs: usize,
        derivative: Derivative,
    ) -> Result<FnId, FunctionError> {
        let Some(native) = lookup(name) else {
            return Err(FunctionError { function: name.to_string(), reason: "is not known to the runtime".to_string() });
        };
        Ok(self.push_pointer(name, native, n_inputs, n_outputs, derivative))
    }

    /// Adds a native function by its pointer.
    pub fn push_pointer(
        &mut self,
        name: &str,
        native: NativeFn,
        n_inputs: usize,
        n_outputs: usize,
        derivative: Derivative,
    ) -> FnId {
        self.defs.push(FnDef { name: name.to_string(), n_inputs, n_outputs, body: FnBody::Native(native), derivative })
    }

    /// The functions in order.
    pub fn defs(&self) -> &PrimaryMap<FnId, FnDef> {
        &self.defs
    }

    /// The function, if the id is one of this table.
    pub fn get(&self, function: FnId) -> Option<&FnDef> {
        self.defs.get(function)
    }

    /// The name of a function.
    pub fn name(&self, function: FnId) -> &str {
        &self.defs[function].name
    }

    /// How a function is differentiated.
    pub fn derivative(&self, function: FnId) -> Derivative {
        self.defs[function].derivative
    }

    /// Runs a function. `false`: it failed, and the reason is in the environment.
    pub fn call(&self, function: FnId, args: &[f64], outs: &mut [f64], environment: &mut Environment) -> bool {
        match &self.defs[function].body {
            FnBody::Native(native) => native(environment, args, outs),
        }
    }
}
