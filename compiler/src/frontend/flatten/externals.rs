//! External functions and annotations of functions.

use super::names::name_text;
use super::names::plain_text;
use super::{Checked, Flattener, Scope};
use crate::frontend::flat::{Builtin, DerivativeAnnotation, Expr, ExprKind, FuncId, FunctionBody, LocalId, Scalar, Type, Value};
use partita_grammar::Diagnostic;
use partita_grammar::ast::{self, Argument, ExprKind as Syntax};

impl<'a> Flattener<'a> {
    pub(super) fn external_body(&mut self, id: FuncId, external: &'a ast::External, scope: &mut Scope<'a>) -> Checked<FunctionBody> {
        let function = &self.model.functions[id];
        let (inputs, outputs) = (function.inputs.clone(), function.outputs.clone());
        let last = function.name.rsplit('.').next().unwrap_or_default().to_owned();
        let language = external.language.clone().unwrap_or_else(|| "C".to_owned());
        let Some(name) = &external.function else {
            // Without a call an only scalar output is the result; inputs and other outputs are passed in the order of their
            // declarations, and after every array its sizes.
            let output = outputs.first().copied().filter(|only| outputs.len() == 1 && scope.locals[*only].ty.is_scalar());
            let mut passed: Vec<LocalId> = inputs.iter().chain(&outputs).copied().filter(|local| Some(*local) != output).collect();
            passed.sort_unstable();
            let mut arguments = Vec::new();
            for local in passed {
                let ty = scope.locals[local].ty.clone();
                let n_dims = ty.dims.len();
                let array = Expr { kind: ExprKind::Local(local), ty, span: external.span };
                arguments.push(array.clone());
                for dim in 1..=n_dims {
                    let integer = |kind| Expr { kind, ty: Type::scalar(Scalar::Integer), span: external.span };
                    let axis = integer(ExprKind::Literal(Value::Integer(dim as i64)));
                    arguments.push(integer(ExprKind::Builtin(Builtin::Size, vec![array.clone(), axis])));
                }
            }
            return Ok(FunctionBody::External { language, function: last, output, arguments });
        };
        let function = name.unquoted().to_owned();
        let mut output = None;
        if let Some(target) = &external.output {
            let e = self.reference(target, scope, None)?;
            match e.kind {
                ExprKind::Local(id) => output = Some(id),
                _ => {
                    return Err(
                        self.error(Diagnostic::error("F026", "the result of an external function must be one output").at(target.span, ""))
                    );
                }
            }
        }
        let mut arguments = Vec::with_capacity(external.arguments.len());
        for argument in &external.arguments {
            arguments.push(self.expr(argument, scope, None)?);
        }
        Ok(FunctionBody::External { language, function, output, arguments })
    }

    pub(super) fn function_annotation(&mut self, id: FuncId, annotation: &'a ast::Annotation, scope: &mut Scope<'a>) {
        for argument in &annotation.arguments {
            let Argument::Modification { name, arguments, value, .. } = argument else { continue };
            let literal = value.as_ref().map(|v| &v.kind);
            match (name_text(name).as_str(), literal) {
                ("Inline" | "LateInline" | "InlineAfterIndexReduction", Some(Syntax::Boolean(b))) => {
                    let inline = &mut self.model.functions[id].inline;
                    *inline = Some(inline.unwrap_or(false) || *b);
                }
                ("smoothOrder", Some(Syntax::Integer(n))) => self.model.functions[id].smooth_order = u32::try_from(*n).ok(),
                ("GenerateEvents", Some(Syntax::Boolean(b))) => self.model.functions[id].generate_events = *b,
                ("derivative", Some(Syntax::Ref(function))) => {
                    self.derivative_annotation(id, function, arguments.as_deref().unwrap_or_default(), scope);
                }
                _ => {}
            }
        }
    }

    pub(super) fn derivative_annotation(
        &mut self,
        id: FuncId,
        function: &'a ast::ComponentRef,
        options: &'a [Argument],
        scope: &mut Scope<'a>,
    ) {
        let text = plain_text(function);
        // A derivative that is not known is only a missed hint.
        let Some(entry) = self.classes.find(&text, &scope.context).cloned() else { return };
        if self.has_function_inputs(&entry) {
            return;
        }
        let Ok(derivative) = self.function_id(&entry, &[]) else { return };
        let mut order = 1;
        let mut without = Vec::new();
        for option in options {
            let Argument::Modification { name, value: Some(value), .. } = option else { continue };
            match (name_text(name).as_str(), &value.kind) {
                ("order", Syntax::Integer(n)) => order = u32::try_from(*n).unwrap_or(1),
                ("noDerivative" | "zeroDerivative", Syntax::Ref(input)) => {
                    if let Some(local) = scope.names.get(plain_text(input).as_str()) {
                        without.push(*local);
                    }
                }
                _ => {}
            }
        }
        self.model.functions[id].derivatives.push(DerivativeAnnotation { function: derivative, order, without });
    }
}
