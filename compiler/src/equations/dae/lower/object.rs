//! External objects: constructor calls with arguments known when the model is compiled.
//!
//! An object becomes an entry of `System::objects`; in expressions it is its position there. Parameters that a constructor
//! reads are taken by their present value, so they cannot be set without compiling again.

use super::value::Val;
use super::{Lowerer, Lowering, Scope, unsupported};
use crate::frontend::flat::{self, ExprKind, FunctionBody};
use partita_grammar::Diagnostic;
use partita_runtime::model::plan::ObjectSpec;
use partita_runtime::native::{Argument, can_construct};

impl Lowerer<'_> {
    /// Makes all objects. Before other parameters are bound, because they may ask objects for values.
    pub(super) fn bind_objects(&mut self) {
        let model = self.model;
        let objects = model.vars.iter().filter(|(_, var)| matches!(var.ty.scalar, flat::Scalar::Object(_)));
        // Objects that are constructed come before those that are the same as another.
        let (others, constructed): (Vec<_>, Vec<_>) =
            objects.partition(|(_, var)| matches!(var.binding.as_ref().map(|b| &b.kind), Some(ExprKind::Var(_))));
        for (id, var) in constructed.into_iter().chain(others) {
            let Some(binding) = &var.binding else {
                self.fail(
                    Diagnostic::error("D007", format!("the external object {} is not constructed", var.name))
                        .at(var.span, "declared here without a binding"),
                );
                continue;
            };
            match self.object(&var.name, binding) {
                Ok(value) => self.value_of[id] = Some(value),
                Err(error) => self.fail(error),
            }
        }
    }

    fn object(&mut self, name: &str, binding: &flat::Expr) -> Lowering<Val> {
        let (object, args) = match &binding.kind {
            ExprKind::NewObject(object, args) => (*object, args),
            ExprKind::Array(items) => {
                let items = items.iter().enumerate().map(|(i, item)| self.object(&format!("{name}[{}]", i + 1), item));
                return Ok(Val::Array(items.collect::<Result<_, _>>()?));
            }
            _ => return self.expr(&mut Scope::default(), binding),
        };
        let class = &self.model.objects[object];
        let constructor = &self.model.functions[class.constructor];
        let FunctionBody::External { function, arguments, .. } = &constructor.body else {
            return Err(unsupported(
                &format!("the external object class {}, whose constructor is not external,", class.name),
                binding.span,
            ));
        };
        if !can_construct(function) {
            return Err(Diagnostic::error("D008", format!("external objects made by {function} are not supported"))
                .at(binding.span, format!("{name} is made here"))
                .at(constructor.span, "declared here"));
        }
        let mut outer = Scope { no_event: true, ..Scope::default() };
        let mut scope = Scope { no_event: true, function: Some(class.constructor), ..Scope::default() };
        for (local, arg) in constructor.inputs.iter().zip(args) {
            scope.locals[*local] = Some(self.expr(&mut outer, arg)?);
        }
        let mut list = Vec::new();
        for argument in arguments {
            if matches!(&argument.kind, ExprKind::Local(local) if constructor.outputs.contains(local)) {
                continue;
            }
            let value = self.expr(&mut scope, argument)?;
            list.push(self.object_argument(name, &value, argument.ty.dims.len(), binding)?);
        }
        self.sys.outside.objects.push(ObjectSpec { constructor: function.clone(), arguments: list, name: name.to_string() });
        let index = (self.sys.outside.objects.len() - 1) as f64;
        Ok(Val::Scalar(self.sys.arena.constant(index)))
    }

    fn object_argument(&mut self, name: &str, value: &Val, n_dims: usize, binding: &flat::Expr) -> Lowering<Argument> {
        let unknown = || {
            Diagnostic::error("D008", format!("an argument of the external object {name} is not known when the model is compiled"))
                .at(binding.span, "in this constructor call")
        };
        if let Val::Text(_) = value {
            return value.literal().map(Argument::Text).ok_or_else(unknown);
        }
        let mut values = Vec::new();
        for scalar in value.to_scalars() {
            values.push(self.sys.decided_value(scalar).ok_or_else(unknown)?);
        }
        let dims = (0..n_dims).map(|dim| value.size(dim).unwrap_or(0)).collect();
        Ok(Argument::Numbers { dims, values })
    }
}
