//! Checks that a system keeps its promises: links between variables are mutual, expressions name what exists, relations have their variables.
//!
//! Input: a system. Output: what is wrong, in words; empty for every system that a pass makes. A finding is a fault of the compiler, not of the
//! user's model. Cost: one walk over variables and expressions.

use super::{Role, System};
use crate::base::ids::{ExprId, VarId};
use crate::equations::expr::Node;
use cranelift_entity::EntityRef;

/// What is wrong with the system; empty if nothing is.
pub fn verify(sys: &System) -> Vec<String> {
    let mut found = Vec::new();
    if sys.vars.get(sys.time()).is_none_or(|time| time.role != Role::Time) {
        found.push("the first variable is not time".to_owned());
    }
    for (id, variable) in sys.vars.iter() {
        let name = &variable.name;
        let links = [
            (variable.derivative, "derivative", (|sys, id, of| sys.vars[of].integral == Some(id)) as fn(&System, VarId, VarId) -> bool),
            (variable.integral, "integral", |sys, id, of| sys.vars[of].derivative == Some(id)),
            (variable.pre, "value before the event", |sys, id, of| sys.vars[of].role == Role::Pre(id)),
        ];
        for (other, what, is_mutual) in links {
            if other.is_some_and(|other| !sys.vars.is_valid(other) || !is_mutual(sys, id, other)) {
                found.push(format!("{name} has a {what} that does not know of it"));
            }
        }
        if let Role::Pre(of) = variable.role
            && sys.vars.get(of).is_none_or(|of| of.pre != Some(id))
        {
            found.push(format!("{name} is the value before the event of nothing"));
        }
    }
    for relation in &sys.relations {
        if sys.vars.get(relation.var).is_none_or(|variable| variable.role != Role::Relation) {
            found.push(format!("{} defines a relation and is none", relation.var));
        }
    }
    found.extend(expressions(sys));
    found
}

/// Nodes name variables that exist and operands that were made before them.
fn expressions(sys: &System) -> Vec<String> {
    let ids = (0..sys.arena.len()).map(ExprId::new);
    let wrong = ids.filter_map(|id| match sys.arena.node(id) {
        Node::Var(var) if !sys.vars.is_valid(var) => Some(format!("expression {id} names a variable that does not exist")),
        _ => sys.arena.operands(id).any(|operand| operand >= id).then(|| format!("expression {id} has an operand that comes after it")),
    });
    wrong.collect()
}
