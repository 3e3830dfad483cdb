//! Bindings of what is no parameter, and what is left of parameters when all declarations are known.

use super::declare::{Declaration, Leaf};
use super::lookup::list;
use super::parameters::{is_known_early, repeated};
use super::{Checked, Flattener, NamedEntry, Scope};
use crate::frontend::flat::{Equation, EquationKind, Scalar, Type, VarId, Variability};
use partita_grammar::Diagnostic;
use rustc_hash::FxHashSet;

impl<'a> Flattener<'a> {
    /// Attributes of all variables, and bindings of those that are neither constant nor parameter.
    pub(super) fn finish_declarations(&mut self) {
        let Some(mut scope) = self.scope.take() else { return };
        let outside = scope.context.clone();
        for index in 0..self.declared.declarations.len() {
            let leaves = std::mem::take(&mut self.declared.declarations[index].leaves);
            scope.context = self.declared.declarations[index].context.clone();
            for leaf in &leaves {
                self.model.vars[leaf.var].attributes = self.attributes(leaf, &mut scope);
            }
            let n_errors = self.reports.diagnostics.len() + self.reports.n_dropped;
            if self.bind_late(index, &leaves, &mut scope).is_err() && self.reports.diagnostics.len() + self.reports.n_dropped == n_errors {
                self.silent_failure(self.declared.declarations[index].component.name.span);
            }
            self.declared.declarations[index].leaves = leaves;
        }
        scope.context = outside;
        self.scope = Some(scope);
    }

    pub(super) fn bind_late(&mut self, index: usize, leaves: &[Leaf<'a>], scope: &mut Scope<'a>) -> Checked<()> {
        let declaration: &Declaration<'a> = &self.declared.declarations[index];
        let (name, scalar, binding) = (declaration.name.clone(), declaration.scalar, declaration.binding());
        let late = |f: &Self, leaf: &Leaf<'a>| !is_known_early(f.model.vars[leaf.var].variability);
        if !matches!(scalar, Scalar::Record(_)) {
            let Some(leaf) = leaves.first() else { return Ok(()) };
            if let (Some(binding), true) = (binding, late(self, leaf)) {
                let ty = self.model.vars[leaf.var].ty.clone();
                let value = self.expr(binding, scope, Some(&ty))?;
                let value = self.fit(value, &ty, &format!("the value of `{name}`"))?;
                self.model.vars[leaf.var].binding = Some(value);
            }
            return Ok(());
        }
        if !leaves.iter().any(|l| late(self, l)) {
            return Ok(());
        }
        // Parameters among the fields have their values already.
        let in_parts = leaves.iter().any(|l| !late(self, l) || l.binding.as_ref().is_some_and(|b| !b.is_default));
        if let (Some(binding), false) = (binding, in_parts) {
            // The record's binding is one equation, so that a function is called once for all fields.
            let Some(entry) = self.declared.names.get(&name).cloned() else { return Ok(()) };
            let span = binding.span;
            let left = self.entry_expr(&name, &entry, span)?;
            let right = self.expr(binding, scope, Some(&left.ty))?;
            let right = self.fit(right, &left.ty, &format!("the value of `{name}`"))?;
            self.model.equations.push(Equation { kind: EquationKind::Equal(left, right), span });
            return Ok(());
        }
        let whole = match binding {
            Some(binding) => {
                let Some(NamedEntry::Record(id, dims)) = self.declared.names.get(&name).cloned() else { return Ok(()) };
                let ty = Type { scalar: Scalar::Record(id), dims };
                let value = self.expr(binding, scope, Some(&ty))?;
                Some(self.fit(value, &ty, &format!("the value of `{name}`"))?)
            }
            None => None,
        };
        for leaf in leaves {
            if !late(self, leaf) {
                continue;
            }
            let ty = self.model.vars[leaf.var].ty.clone();
            let field = self.model.vars[leaf.var].name.clone();
            let own = leaf.binding.as_ref().filter(|b| !b.is_default || whole.is_none());
            let value = match (own, &whole) {
                (Some(own), _) => {
                    let context = std::mem::replace(&mut scope.context, own.context.clone());
                    let n_own = scope.loops.len();
                    self.open_neighbours(leaf, &field, ty.dims.len().saturating_sub(leaf.dims.len()), scope);
                    let typed = self.expr(own.value, scope, Some(&ty));
                    scope.loops.truncate(n_own);
                    scope.context = context;
                    let typed = typed?;
                    let outer = ty.dims.len().saturating_sub(typed.ty.dims.len());
                    repeated(typed, &ty.dims[..outer])
                }
                (None, Some(whole)) => self.project(whole, &leaf.path),
                (None, None) => continue,
            };
            let value = self.fit(value, &ty, &format!("the value of `{field}`"))?;
            self.model.vars[leaf.var].binding = Some(value);
        }
        Ok(())
    }

    /// Parameters that took their start values, and used parameters that have none.
    pub(super) fn finish_parameters(&mut self) {
        let from_start = std::mem::take(&mut self.values.from_start);
        if !from_start.is_empty() {
            let names: Vec<String> = from_start.iter().map(|v| self.model.vars[*v].name.clone()).collect();
            let span = self.model.vars[from_start[0]].span;
            let title = match names.as_slice() {
                [one] => format!("the parameter `{one}` has no value; its start value is used"),
                _ => format!("{} parameters have no value; their start values are used", names.len()),
            };
            let mut warning = Diagnostic::warning("F017", title).at(span, "");
            if names.len() > 1 {
                warning = warning.with_note(list(&names));
            }
            self.warn(warning);
        }
        self.report_unassigned();
        let mut missing = Vec::new();
        // A binding with an error leaves the parameter without a value; that has been said.
        let bound: FxHashSet<VarId> = self
            .declared
            .declarations
            .iter()
            .filter(|d| d.binding().is_some())
            .flat_map(|d| d.leaves.iter().map(|leaf| leaf.var))
            .collect();
        for (id, variable) in &self.model.vars {
            if bound.contains(&id) && !self.reports.diagnostics.is_empty() {
                continue;
            }
            let open = variable.variability == Variability::Parameter && variable.value.is_none() && variable.binding.is_none();
            if open && self.values.used.contains(id) && !self.values.free_parameters.contains(&id) {
                missing.push(id);
            }
        }
        for id in missing {
            let variable = &self.model.vars[id];
            let error = Diagnostic::error("F018", format!("the parameter `{}` has no value", variable.name))
                .at(variable.span, "it is used, but has neither a binding nor a start value")
                .with_hint("give it a value: `parameter Real p = 1`");
            self.error(error);
        }
    }
}
