//! Calls of functions that were passed, and of functions that take functions.

use super::builtins::builtin_named;
use super::functions::{Passed, Specialised};
use super::lookup::ClassEntry;
use super::names::plain_text;
use super::{Checked, Flattener, Scope};
use crate::frontend::flat::{Expr, ExprKind};
use partita_grammar::ast::{self, CallArguments};
use partita_grammar::{Diagnostic, Span};

impl<'a> Flattener<'a> {
    /// A call of a function that came in as an argument: what was bound when it was passed is now a local.
    pub(super) fn passed_call(
        &mut self,
        passed: &Passed<'a>,
        arguments: &'a CallArguments,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Checked<Expr> {
        let id = self.function_id(&passed.function, &[])?;
        let locals = self.inputs_of(id);
        let bound = |name: &str| passed.bound.iter().find(|(n, _)| n == name).map(|(_, l)| *l);
        let open: Vec<String> = locals.iter().filter(|(_, l)| bound(&l.name).is_none()).map(|(_, l)| l.name.clone()).collect();
        let name = self.model.functions[id].name.clone();
        let mut matched = self.matched(&name, &open, arguments, span)?.into_iter();
        let mut typed = Vec::with_capacity(locals.len());
        for (_, local) in &locals {
            typed.push(match bound(&local.name) {
                Some(id) => Some(Expr { kind: ExprKind::Local(id), ty: scope.locals[id].ty.clone(), span }),
                None => matched.next().flatten().map(|e| self.expr(e, scope, Some(&local.ty))).transpose()?,
            });
        }
        self.finish_call(id, typed, span, scope)
    }

    /// A call of a function with function inputs: a copy of it is made for the functions that are passed.
    pub(super) fn higher_order_call(
        &mut self,
        entry: &ClassEntry<'a>,
        arguments: &'a CallArguments,
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Checked<Expr> {
        let inputs = self.input_names(entry)?;
        let names: Vec<String> = inputs.iter().map(|(name, _)| name.clone()).collect();
        let matched = self.matched(&entry.path, &names, arguments, span)?;
        let mut specialised = Vec::new();
        let mut bound_values = Vec::new();
        for (argument, (name, is_function)) in matched.iter().zip(&inputs) {
            if !is_function {
                continue;
            }
            let Some(argument) = argument else {
                return Err(
                    self.error(Diagnostic::error("F013", format!("the function `{name}` of `{}` is missing", entry.path)).at(span, ""))
                );
            };
            let (function, bound) = self.function_argument(argument, scope)?;
            specialised.push(Specialised {
                input: name.clone(),
                function,
                bound: bound.iter().map(|(name, value)| (name.clone(), value.ty.clone())).collect(),
            });
            bound_values.extend(bound.into_iter().map(|(_, value)| value));
        }
        let id = self.function_id(entry, &specialised)?;
        let locals = self.inputs_of(id);
        let mut typed = Vec::with_capacity(locals.len());
        for (argument, (name, is_function)) in matched.iter().zip(&inputs) {
            if *is_function {
                continue;
            }
            let ty = locals.iter().find(|(_, l)| l.name == *name).map(|(_, l)| l.ty.clone());
            typed.push(argument.map(|e| self.expr(e, scope, ty.as_ref())).transpose()?);
        }
        typed.extend(bound_values.into_iter().map(Some));
        self.finish_call(id, typed, span, scope)
    }

    /// `function g(a = 1)` or the name of a function: the function, and what is bound.
    pub(super) fn function_argument(
        &mut self,
        argument: &'a ast::Expr,
        scope: &mut Scope<'a>,
    ) -> Checked<(ClassEntry<'a>, Vec<(String, Expr)>)> {
        let span = argument.span;
        let (name, arguments) = match &argument.kind {
            ast::ExprKind::Call { function, arguments } if arguments.is_partial_application => (function, Some(arguments)),
            ast::ExprKind::Ref(name) => (name, None),
            _ => return Err(self.error(Diagnostic::error("F013", "a function is needed here").at(span, "this is a value"))),
        };
        let text = plain_text(name);
        let (entry, mut bound): (ClassEntry<'a>, Vec<(String, Expr)>) = match scope.function_inputs.get(text.as_str()) {
            // A function that came in as an argument, with what was bound there.
            Some(passed) => {
                let bound = passed
                    .bound
                    .iter()
                    .map(|(name, local)| (name.clone(), Expr { kind: ExprKind::Local(*local), ty: scope.locals[*local].ty.clone(), span }));
                (passed.function.clone(), bound.collect())
            }
            None => {
                let known = self.classes.find(&text, &scope.context).cloned();
                // Built-in functions have a class of their own where they are passed.
                let own = || builtin_named(&text).and_then(|_| self.classes.find(&format!("Modelica.Math.{text}"), ""));
                let Some(entry) = known.or_else(|| own().cloned()) else { return Err(self.unknown_function(&text, span)) };
                (entry, Vec::new())
            }
        };
        if let Some(arguments) = arguments {
            if !arguments.positional.is_empty() {
                return Err(self.error(Diagnostic::error("F013", "a function that is passed binds its inputs by name").at(span, "")));
            }
            let id = self.function_id(&entry, &[])?;
            let locals = self.inputs_of(id);
            for (name, e) in &arguments.named {
                let Some((_, local)) = locals.iter().find(|(_, l)| l.name == name.unquoted()) else {
                    return Err(
                        self.error(Diagnostic::error("F013", format!("`{text}` has no input `{}`", name.unquoted())).at(name.span, ""))
                    );
                };
                if bound.iter().any(|(bound, _)| *bound == local.name) {
                    return Err(self.error(
                        Diagnostic::error("F013", format!("the input `{}` of `{text}` is bound already", local.name)).at(name.span, ""),
                    ));
                }
                let value = self.expr(e, scope, Some(&local.ty))?;
                let value = self.fit(value, &local.ty, &format!("the input `{}` of `{text}`", local.name))?;
                bound.push((local.name.clone(), value));
            }
        }
        Ok((entry, bound))
    }
}
