//! `homotopy(actual, simplified)`: the actual model everywhere, and a path to it for finding the start.
//!
//! While expressions are lowered, a call becomes the path `if h <= 0 then simplified else h*actual + (1 - h)*simplified`.
//! At the end [`keep_actual`] puts 1 for `h` everywhere, which leaves exactly `actual`, and remembers the path of each
//! equation that had one, so that only continuation at the start sees it. Cost: linear.

use super::Lowerer;
use crate::base::ids::{ExprId, VarId};
use crate::equations::dae::{Continuation, Role, System};
use crate::equations::expr::Arena;
use crate::equations::expr::subst::Substitution;
use partita_grammar::Span;
use partita_runtime::model::plan::SlotType;

impl Lowerer<'_> {
    /// The variable of the homotopy parameter, made at its first use.
    pub(super) fn homotopy_parameter(&mut self) -> VarId {
        match self.sys.flags.homotopy {
            Some(var) => var,
            None => {
                let var = self.auxiliary_variable("homotopy", SlotType::Real, Role::External, Span::default());
                self.sys.flags.homotopy = Some(var);
                var
            }
        }
    }
}

/// The path from the simplified to the actual model. At its beginning the actual one need not have a value.
pub(super) fn path(arena: &mut Arena, parameter: VarId, actual: ExprId, simplified: ExprId) -> ExprId {
    let h = arena.var(parameter);
    let (zero, one) = (arena.zero(), arena.one());
    let rest = arena.sub(one, h);
    let actual_part = arena.mul(h, actual);
    let simplified_part = arena.mul(rest, simplified);
    let between = arena.add(actual_part, simplified_part);
    let begin = arena.le(h, zero);
    arena.select(begin, simplified, between)
}

/// Leaves the actual model in the system, and the paths of its equations beside it.
pub(super) fn keep_actual(sys: &mut System) {
    let Some(parameter) = sys.flags.homotopy else { return };
    let one = sys.arena.one();
    let mut substitution = Substitution::new([(parameter, one)].into_iter().collect());
    let System { arena, eqs, initial_eqs, continuations, relations, vars, .. } = sys;
    for equation in eqs.values_mut().chain(initial_eqs) {
        let (path_lhs, path_rhs) = (equation.lhs, equation.rhs);
        equation.lhs = substitution.apply(arena, path_lhs);
        equation.rhs = substitution.apply(arena, path_rhs);
        if (equation.lhs, equation.rhs) != (path_lhs, path_rhs) {
            continuations.push(Continuation { lhs: equation.lhs, rhs: equation.rhs, path_lhs, path_rhs });
        }
    }
    for relation in relations {
        relation.lhs = substitution.apply(arena, relation.lhs);
        relation.rhs = substitution.apply(arena, relation.rhs);
    }
    for variable in vars.values_mut() {
        variable.start = variable.start.map(|start| substitution.apply(arena, start));
    }
}

#[cfg(test)]
mod tests {
    use crate::pipeline;
    use partita_grammar::Source;
    use partita_runtime::model::interface::HybridModel;

    /// From z = 0.5 Newton's method ends in the minimum of z^3 - 2*z + 2.
    fn hard(side: &str) -> pipeline::Ready {
        let text = format!(
            "model Hard\n Real z(start = 0.5), y(start = 0), x(start = 1, fixed = true);\nequation\n {side} = y^3;\n y^3 + 2*y = 0.001*z^3*y*x;\n der(x) = -z*x;\nend Hard;"
        );
        let compiled = pipeline::compile(&Source { name: "hard.mo".into(), text }, None).expect("the model compiles");
        pipeline::instantiate(&compiled, false).expect("the code is right")
    }

    #[test]
    fn continuation_finds_a_start_that_the_actual_model_does_not() {
        let actual = "z^3 - 2*z + 2";
        assert!(hard(actual).instance.initialize(0.0, &mut [0.0]).is_err());
        let mut ready = hard(&format!("homotopy(actual = {actual}, simplified = z + 2)"));
        ready.instance.initialize(0.0, &mut [0.0]).expect("homotopy finds the start");
        let mut der = [0.0];
        ready.instance.derivatives(0.0, &[1.0], &mut der).expect("the derivatives are defined");
        assert!((der[0] - 1.769_292_354_238_631_4).abs() < 1e-12, "{}", der[0]);
    }

    /// `z^3 = z` has three solutions; from z = 0.1 Newton's method finds 0. The path from the simplified model leads to the one that
    /// its author means.
    #[test]
    fn continuation_chooses_among_several_solutions() {
        for (simplified, meant) in [("-2", -1.0), ("2", 1.0)] {
            let text = format!(
                "model Three\n Real z(start = 0.1), x(start = 0, fixed = true);\nequation\n homotopy(z^3 - z, z - ({simplified})) = 0;\n der(x) = z;\nend Three;"
            );
            let compiled = pipeline::compile(&Source { name: "three.mo".into(), text }, None).expect("the model compiles");
            let mut ready = pipeline::instantiate(&compiled, false).expect("the code is right");
            ready.instance.initialize(0.0, &mut [0.0]).expect("there is a start");
            let mut der = [0.0];
            ready.instance.derivatives(0.0, &[0.0], &mut der).expect("the derivatives are defined");
            assert!((der[0] - meant).abs() < 1e-9, "{} instead of {meant}", der[0]);
        }
    }
}
