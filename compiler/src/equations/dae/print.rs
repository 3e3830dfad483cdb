//! The text form of the system. Stable: equal input gives equal text.

use crate::equations::dae::text::expression_text;
use crate::equations::dae::{EquationKind, Origin, Role, System};
use std::fmt::Write;

fn role(role: Role) -> &'static str {
    match role {
        Role::Time => "time",
        Role::Parameter => "parameter",
        Role::FreeParameter => "free parameter",
        Role::Input => "input",
        Role::Continuous => "continuous",
        Role::Discrete => "discrete",
        Role::Relation => "relation",
        Role::Pre(_) => "pre",
        Role::External => "external",
    }
}

/// The equations, one per line.
pub(crate) fn equations(sys: &System, out: &mut String) {
    for (id, equation) in sys.eqs.iter() {
        let kind = match equation.kind {
            EquationKind::Continuous => "",
            EquationKind::Discrete => "discrete ",
            EquationKind::Activation { at_start: true } => "activation, at start too: ",
            EquationKind::Activation { at_start: false } => "activation: ",
        };
        let origin = match equation.origin {
            Origin::Source(_) => String::new(),
            Origin::Derivative(of, _) => format!("  // derivative of {of}"),
        };
        let _ = writeln!(out, "  {id}: {kind}{} = {}{origin}", expression_text(sys, equation.lhs), expression_text(sys, equation.rhs));
    }
}

/// The whole system.
pub fn system(sys: &System) -> String {
    let mut out = format!("system {}\n", sys.name);
    for (id, var) in sys.vars.iter() {
        let _ = write!(out, "  {id}: {:?} {} {}", var.ty, role(var.role), var.name);
        if let Some(start) = var.start {
            let word = if var.role == Role::Parameter { "value" } else { "start" };
            let _ = write!(out, ", {word} {}", expression_text(sys, start));
        }
        if let Some(fixed) = var.fixed {
            let _ = write!(out, ", fixed {fixed}");
        }
        if let Some(der) = var.derivative {
            let _ = write!(out, ", derivative {der}");
        }
        out.push('\n');
    }
    for relation in &sys.relations {
        let _ = writeln!(
            out,
            "  {} when {} {} {}",
            sys.vars[relation.var].name,
            expression_text(sys, relation.lhs),
            relation.op.relation_sign(),
            expression_text(sys, relation.rhs)
        );
    }
    out.push_str("equations\n");
    equations(sys, &mut out);
    if !sys.initial_eqs.is_empty() {
        out.push_str("initial equations\n");
        for equation in &sys.initial_eqs {
            let _ = writeln!(out, "  {} = {}", expression_text(sys, equation.lhs), expression_text(sys, equation.rhs));
        }
    }
    for path in &sys.continuations {
        let _ = writeln!(
            out,
            "at the start by {} {} = {}",
            homotopy_name(sys),
            expression_text(sys, path.path_lhs),
            expression_text(sys, path.path_rhs)
        );
    }
    for reinit in &sys.reinits {
        let _ = writeln!(
            out,
            "reinit {} to {} when {}",
            sys.vars[reinit.state].name, sys.vars[reinit.value].name, sys.vars[reinit.active].name
        );
    }
    out
}

fn homotopy_name(sys: &System) -> &str {
    sys.flags.homotopy.map_or("", |parameter| sys.vars[parameter].name.as_str())
}
