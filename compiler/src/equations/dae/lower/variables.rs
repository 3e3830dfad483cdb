//! The scalar variables of a model: what each flat variable becomes, with its attributes and values.
//!
//! Input: the flat variables, and what is assumed to change. Output: variables of the system. Cost: linear in the number of scalars.

use super::value::Val;
use super::{Lowerer, Scope, changing, element_names, n_elements, parameters, shape, slot_type, whole};
use crate::base::budget;
use crate::base::ids::{ExprId, VarId};
use crate::equations::dae::{Equation, EquationKind, OPERATIONS_PER_VARIABLE, Origin, Role, Variable};
use crate::frontend::flat;
use partita_grammar::Diagnostic;

/// What is written about the value of a scalar parameter.
struct Given {
    /// `fixed = false`.
    is_free: bool,
    /// Its value, if it is known now.
    literal: Option<f64>,
    binding: Option<ExprId>,
    start: Option<ExprId>,
}

impl Lowerer<'_> {
    /// Makes the scalar variables of every flat variable, without values that refer to others. They are the same each time; only their
    /// roles depend on what is assumed.
    pub(super) fn declare_variables(&mut self, assumed: &changing::Assumed) {
        let parameters::Parameters { is_folded, kept } = parameters::decide(self.model);
        for (id, var) in self.model.vars.iter() {
            if let Some(value) = var.value.as_ref().filter(|_| var.ty.scalar == flat::Scalar::Integer).and_then(whole::too_large) {
                self.fail(whole::beyond(format!("{} = {value}", var.name), var.span));
            }
            if let Some(kept) = &kept[id] {
                self.sys.kept.push((var.name.clone(), kept.clone()));
            }
            self.is_kept[id] = kept[id].is_some();
            if let (true, Some(value)) = (is_folded[id], &var.value) {
                let val = self.scalar_literal(value);
                self.value_of[id] = Some(val.clone());
                self.folded_parameter(var, &val);
                continue;
            }
            let Some(ty) = slot_type(var.ty.scalar) else {
                if let (flat::Scalar::String, Some(value)) = (var.ty.scalar, &var.value) {
                    self.value_of[id] = Some(self.scalar_literal(value));
                }
                continue;
            };
            let role = match var.variability {
                flat::Variability::Constant | flat::Variability::Parameter => Role::Parameter,
                _ if var.causality == flat::Causality::Input && var.binding.is_none() => Role::Input,
                flat::Variability::Discrete => Role::Discrete,
                flat::Variability::Continuous if self.when_assigned.contains(&id) => Role::Discrete,
                flat::Variability::Continuous => Role::Continuous,
            };
            let mut scalars = Vec::new();
            budget::at(var.span);
            budget::spend((OPERATIONS_PER_VARIABLE + var.name.len() as u64 / 8).saturating_mul(n_elements(&var.ty.dims) as u64));
            for name in element_names(&var.name, &var.ty.dims) {
                let role = if assumed.contains(self.sys.vars.next_key()) { Role::Continuous } else { role };
                let mut scalar = Variable::new(name, ty, role, var.span);
                scalar.state_select = var.attributes.state_select;
                scalar.about.unit = var.attributes.unit.clone().unwrap_or_default();
                scalar.about.display_unit = var.attributes.display_unit.clone().unwrap_or_default();
                scalar.about.description = var.description.clone();
                scalar.protected = var.protected;
                let scalar = self.sys.vars.push(scalar);
                scalars.push(Val::Scalar(self.sys.arena.var(scalar)));
            }
            self.value_of[id] = Some(shape(&var.ty.dims, &mut scalars.into_iter()));
        }
    }

    /// A parameter whose value went into the equations still shows in results.
    fn folded_parameter(&mut self, var: &flat::Variable, val: &Val) {
        let Some(ty) = slot_type(var.ty.scalar) else { return };
        budget::at(var.span);
        budget::spend((OPERATIONS_PER_VARIABLE + var.name.len() as u64 / 8).saturating_mul(n_elements(&var.ty.dims) as u64));
        let names = element_names(&var.name, &var.ty.dims);
        for (name, value) in names.into_iter().zip(val.to_scalars()) {
            let mut scalar = Variable::new(name, ty, Role::Parameter, var.span);
            scalar.about.unit = var.attributes.unit.clone().unwrap_or_default();
            scalar.about.display_unit = var.attributes.display_unit.clone().unwrap_or_default();
            scalar.about.description = var.description.clone();
            scalar.protected = var.protected;
            scalar.value = self.sys.arena.as_constant(value);
            scalar.start = Some(value);
            self.sys.vars.push(scalar);
        }
    }

    pub(super) fn own_vars(&self, id: flat::VarId) -> Vec<VarId> {
        let Some(val) = &self.value_of[id] else { return Vec::new() };
        val.to_scalars()
            .into_iter()
            .filter_map(|e| match self.sys.arena.node(e) {
                crate::equations::expr::Node::Var(v) => Some(v),
                _ => None,
            })
            .collect()
    }

    /// Lowers an attribute: one value per element, or one for all.
    pub(super) fn attribute(&mut self, expr: Option<&flat::Expr>, n: usize) -> Vec<Option<ExprId>> {
        let Some(expr) = expr else { return vec![None; n] };
        let mut scope = Scope { no_event: true, ..Scope::default() };
        match self.expr(&mut scope, expr) {
            Ok(val) => {
                let scalars = self.completed(&Val::Uninitialised, &val, expr.span).to_scalars();
                if scalars.len() == n {
                    scalars.into_iter().map(Some).collect()
                } else if let [one] = scalars.as_slice() {
                    vec![Some(*one); n]
                } else {
                    self.fail(
                        Diagnostic::error("D002", "the attribute does not have the dimensions of its variable").at(expr.span, "here"),
                    );
                    vec![None; n]
                }
            }
            Err(error) => {
                self.fail(error);
                vec![None; n]
            }
        }
    }

    /// Values of parameters that are known at once; external objects may need them.
    fn literal_values(&mut self) {
        let model = self.model;
        for (id, var) in model.vars.iter() {
            let Some(value) = &var.value else { continue };
            let vars = self.own_vars(id);
            let values = self.scalar_literal(value).to_scalars();
            for (v, value) in vars.into_iter().zip(values) {
                self.sys.vars[v].value = self.sys.arena.as_constant(value);
            }
        }
    }

    /// Attributes and bindings, now that every variable exists. Parameters first: their values are needed for constants.
    pub(super) fn bind_variables(&mut self) {
        let model = self.model;
        self.literal_values();
        self.bind_objects();
        for (id, var) in model.vars.iter() {
            let is_parameter = matches!(var.variability, flat::Variability::Constant | flat::Variability::Parameter);
            if !is_parameter {
                continue;
            }
            let vars = self.own_vars(id);
            if vars.is_empty() {
                continue;
            }
            let fixed = self.attribute(var.attributes.fixed.as_deref(), vars.len());
            let values: Vec<Option<f64>> = match &var.value {
                Some(value) => {
                    let val = self.scalar_literal(value);
                    val.to_scalars().into_iter().map(|e| self.sys.arena.as_constant(e)).collect()
                }
                None => vec![None; vars.len()],
            };
            let bindings = match &var.binding {
                Some(binding) => self.attribute(Some(binding), vars.len()),
                None => vec![None; vars.len()],
            };
            let starts = self.attribute(var.attributes.start.as_deref(), vars.len());
            let [min, max] = [&var.attributes.min, &var.attributes.max].map(|bound| self.attribute(bound.as_deref(), vars.len()));
            for (i, v) in vars.iter().enumerate() {
                (self.sys.vars[*v].min, self.sys.vars[*v].max) = (self.known(min[i]), self.known(max[i]));
                let given = Given {
                    is_free: fixed[i].and_then(|f| self.sys.arena.as_constant(f)) == Some(0.0),
                    literal: values.get(i).copied().flatten(),
                    binding: bindings[i],
                    start: starts[i],
                };
                self.bind_parameter(id, *v, &given);
            }
        }
        self.bind_unknowns();
    }

    /// The value of a scalar parameter.
    fn bind_parameter(&mut self, id: flat::VarId, v: VarId, given: &Given) {
        let var = &self.model.vars[id];
        let Given { is_free, literal, binding, start } = *given;
        if is_free && literal.is_none() {
            self.sys.vars[v].role = Role::FreeParameter;
            self.sys.vars[v].start = start;
            if let Some(binding) = binding {
                let lhs = self.sys.arena.var(v);
                self.sys.initial_eqs.push(Equation { lhs, rhs: binding, kind: EquationKind::Continuous, origin: Origin::Source(var.span) });
            }
            return;
        }
        let binding_is_literal = binding.is_none_or(|b| self.sys.arena.as_constant(b).is_some());
        self.sys.vars[v].value = literal;
        self.sys.vars[v].settable =
            binding_is_literal && literal.is_some() && !self.is_kept[id] && var.variability == flat::Variability::Parameter;
        self.sys.vars[v].start = match (binding, literal) {
            (Some(binding), _) => Some(binding),
            (None, Some(literal)) => Some(self.sys.arena.constant(literal)),
            (None, None) => None,
        };
        if self.sys.vars[v].start.is_none() && var.binding.is_none() {
            let name = self.sys.vars[v].name.clone();
            self.fail(Diagnostic::error("D007", format!("parameter {name} has no value")).at(var.span, "declared here without a binding"));
        }
    }

    /// Attributes of what is no parameter.
    fn bind_unknowns(&mut self) {
        let model = self.model;
        for (id, var) in model.vars.iter() {
            let is_parameter = matches!(var.variability, flat::Variability::Constant | flat::Variability::Parameter);
            if is_parameter {
                continue;
            }
            let vars = self.own_vars(id);
            let n = vars.len();
            let start = self.attribute(var.attributes.start.as_deref(), n);
            let fixed = self.attribute(var.attributes.fixed.as_deref(), n);
            let nominal = self.attribute(var.attributes.nominal.as_deref(), n);
            let min = self.attribute(var.attributes.min.as_deref(), n);
            let max = self.attribute(var.attributes.max.as_deref(), n);
            for (i, v) in vars.iter().enumerate() {
                let fixed = fixed[i].and_then(|e| self.sys.decided_value(e)).map(|f| f != 0.0);
                let nominal = nominal[i].and_then(|e| self.sys.decided_value(e)).map(f64::abs).filter(|n| *n > 0.0 && n.is_finite());
                let (min, max) = (self.known(min[i]), self.known(max[i]));
                let target = &mut self.sys.vars[*v];
                target.start = start[i];
                target.fixed = fixed;
                target.nominal = nominal;
                target.min = min;
                target.max = max;
            }
        }
    }

    /// The value of an attribute, if there is one and it is known now.
    fn known(&self, attribute: Option<ExprId>) -> Option<f64> {
        attribute.and_then(|e| self.sys.constant_value(e))
    }
}
