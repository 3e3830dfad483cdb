//! Calls of external functions: those of the runtime, and C functions of shared libraries.
//!
//! Input: the external clause of a function whose inputs and outputs have their places. Output: one call statement of a native
//! function. Method: section 12.9 of the Modelica specification. A function of the runtime gets its arguments as they are; for one
//! of a shared library the clause becomes a `Signature`: Real is `double`, Integer, Boolean and enumerations are `int`, String is
//! `const char *`, arrays are addresses of their elements row by row, outputs among the arguments are addresses.
//! Guarantee: what cannot be passed (records, external objects, arrays of Strings, protected variables) is refused with D008; every
//! output is given exactly once. Derivatives without a declared function are taken by differences.
//! Cost: linear in the scalars passed.

use super::{Translator, needs_number};
use crate::equations::dae::lower::value::{TextFragment, Val};
use crate::equations::dae::lower::{Lowering, unsupported};
use crate::equations::function::structured::{Stmt, Target, ValueId};
use crate::equations::function::table::Derivative;
use crate::frontend::flat::{self, Expr, ExprKind, Scalar};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::native::external::can_pass;
use partita_runtime::native::external::{Kind, Passed, Signature};
use partita_runtime::native::lookup;

impl Translator<'_, '_> {
    pub(super) fn external(&mut self, name: &str, language: &str, output: Option<flat::LocalId>, arguments: &[Expr]) -> Lowering<()> {
        let is_message = matches!(name, "ModelicaError" | "ModelicaFormatError");
        if !is_message && lookup(name).is_none() && self.lowerer.shared.has(name) {
            return self.shared_function(name, language, output, arguments);
        }
        let function = self.function;
        let mut args = Vec::new();
        let mut texts = Vec::new();
        for argument in arguments {
            if self.output_of(argument).is_some() {
                continue;
            }
            match self.expr(argument)? {
                Val::Text(pieces) => {
                    let literal = Val::Text(pieces.clone()).literal();
                    texts.push(pieces);
                    // `ModelicaError` takes any text.
                    let index = self.lowerer.string_index(&literal.unwrap_or_default());
                    args.push(self.ir.constant(index));
                }
                value => value.scalars(&mut args),
            }
        }
        if is_message {
            let failure = self.failure(&texts.concat());
            self.block.push(failure);
            return Ok(());
        }
        let is_literal = |pieces: &Vec<TextFragment<ValueId>>| pieces.iter().all(|p| matches!(p, TextFragment::Literal(_)));
        if !texts.iter().all(is_literal) {
            return Err(unsupported("passing a String made at run time to an external function", function.span));
        }
        let targets = self.output_targets()?.concat();
        let native = self.lowerer.native(self.id, name, args.len(), targets.len(), self.external_derivative(arguments))?;
        self.block.push(Stmt::Call { function: native, args, targets: targets.into_iter().map(Some).collect() });
        Ok(())
    }

    /// The output that an argument names, if it does.
    fn output_of(&self, argument: &Expr) -> Option<flat::LocalId> {
        match argument.kind {
            ExprKind::Local(local) if self.function.outputs.contains(&local) => Some(local),
            _ => None,
        }
    }

    /// How a function without a declared derivative is differentiated.
    fn external_derivative(&self, arguments: &[Expr]) -> Derivative {
        let function = self.function;
        let has_real = arguments.iter().any(|argument| self.output_of(argument).is_none() && argument.ty.scalar == Scalar::Real);
        let gives_real = function.outputs.iter().any(|o| function.locals[*o].ty.scalar == Scalar::Real);
        if has_real && gives_real { Derivative::FiniteDifference } else { Derivative::Zero }
    }

    /// The scalars of each output as targets.
    fn output_targets(&mut self) -> Lowering<Vec<Vec<Target>>> {
        let function = self.function;
        let mut all = Vec::with_capacity(function.outputs.len());
        for local in &function.outputs {
            let declared = &function.locals[*local];
            let home = self.homes[*local].clone();
            let home = home.ok_or_else(|| needs_number(&format!("the size of {}", declared.name), declared.span))?;
            let mut targets = Vec::new();
            self.targets(&home, declared.span, &mut targets)?;
            all.push(targets);
        }
        Ok(all)
    }

    /// What a number of this type is in C.
    fn kind(&self, scalar: Scalar) -> Result<Kind, &'static str> {
        match scalar {
            Scalar::Real => Ok(Kind::Real),
            Scalar::Integer => Ok(Kind::Integer),
            Scalar::Boolean => Ok(Kind::Boolean),
            Scalar::Enumeration(id) => Ok(Kind::Enumeration(self.model.enums[id].literals.len() as u32)),
            Scalar::String => Err("an array of Strings"),
            Scalar::Record(_) => Err("a record"),
            Scalar::Object(_) => Err("an external object"),
        }
    }

    fn not_passed(&self, name: &str, what: &str, span: Span) -> Diagnostic {
        Diagnostic::error("D008", format!("{what} cannot be passed to the external function {name}"))
            .at(self.function.span, format!("{} is declared here", self.function.name))
            .at(span, "passed here")
            .with_note("functions of shared libraries take Real, Integer, Boolean, enumerations, arrays of these, and String")
    }

    /// The call of a C function of a shared library.
    fn shared_function(&mut self, name: &str, language: &str, output: Option<flat::LocalId>, arguments: &[Expr]) -> Lowering<()> {
        let function = self.function;
        if language != "C" {
            return Err(Diagnostic::error("D008", format!("the external function {name} is declared in the language \"{language}\""))
                .at(function.span, format!("{} is declared here", function.name))
                .with_hint("functions of shared libraries are called as external \"C\""));
        }
        if let Some(bound) = function.outputs.iter().map(|o| &function.locals[*o]).find(|local| local.binding.is_some()) {
            return Err(self.not_passed(name, &format!("the first value of the output {}", bound.name), bound.span));
        }
        let targets = self.output_targets()?;
        let starts: Vec<usize> = targets.iter().scan(0, |next, list| Some(std::mem::replace(next, *next + list.len()))).collect();
        let position = |local: flat::LocalId| function.outputs.iter().position(|o| *o == local);
        let mut signature = Signature { symbol: name.to_string(), arguments: Vec::with_capacity(arguments.len()), result: None };
        if let Some((local, at)) = output.and_then(|local| Some((local, position(local)?))) {
            let declared = &function.locals[local];
            if !declared.ty.is_scalar() {
                return Err(self.not_passed(name, &format!("the array {} as result", declared.name), declared.span));
            }
            let kind = self.kind(declared.ty.scalar).map_err(|what| self.not_passed(name, what, declared.span))?;
            signature.result = Some((kind, starts[at]));
        }
        let mut args = Vec::new();
        for argument in arguments {
            let scalar = argument.ty.scalar;
            if let Some(at) = self.output_of(argument).and_then(position) {
                let kind = self.kind(scalar).map_err(|what| self.not_passed(name, what, argument.span))?;
                signature.arguments.push(Passed::Output { kind, start: starts[at], len: targets[at].len() });
                continue;
            }
            if let ExprKind::Local(local) = argument.kind
                && function.protected.contains(&local)
            {
                return Err(self.not_passed(name, &format!("the protected variable {}", function.locals[local].name), argument.span));
            }
            if scalar == Scalar::String && argument.ty.is_scalar() {
                let text = self.expr(argument)?.literal();
                let text = text.ok_or_else(|| self.not_passed(name, "a String made at run time", argument.span))?;
                let index = self.lowerer.string_index(&text);
                args.push(self.ir.constant(index));
                signature.arguments.push(Passed::Text);
                continue;
            }
            let kind = self.kind(scalar).map_err(|what| self.not_passed(name, what, argument.span))?;
            let before = args.len();
            self.expr(argument)?.scalars(&mut args);
            signature.arguments.push(if argument.ty.is_scalar() { Passed::Value(kind) } else { Passed::Array(kind, args.len() - before) });
        }
        if signature.n_outputs() != Some(targets.iter().map(Vec::len).sum()) {
            return Err(Diagnostic::error("D008", format!("the call of the external function {name} does not give every output once"))
                .at(function.span, format!("{} is declared here", function.name))
                .with_hint("an output stands on the left of the call, or is one of its arguments"));
        }
        if !can_pass(&signature) {
            return Err(self.not_passed(name, &format!("so many arguments ({})", arguments.len()), function.span));
        }
        let native = self.lowerer.shared_native(self.id, &signature, self.external_derivative(arguments))?;
        self.block.push(Stmt::Call { function: native, args, targets: targets.concat().into_iter().map(Some).collect() });
        Ok(())
    }
}
