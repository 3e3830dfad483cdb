//! The verifiers of the passes find what is wrong: each is given a result that was spoiled.

use partita::pipeline::{self, Structured};
use partita::sorting::tearing::{Branch, TornStep};
use partita::sorting::{causalize, closed_form};
use partita::transform::{alias::Alias, index_reduction};
use partita::{decouple::cycles, equations::dae};
use partita_grammar::Source;
use partita_tests::simulation::rendered;
use std::sync::Arc;

/// A pendulum: aliases, index reduction, a system and states.
fn structured() -> Structured {
    let text = "model M
  Real x(start = 1); Real y(start = 0); Real vx; Real vy; Real F; Real same; Real sum;
equation
  der(x) = vx; der(y) = vy; der(vx) = -F*x; der(vy) = -F*y - 9.81; x^2 + y^2 = 1; same = x; sum = same + y;
end M;";
    let source = Source { name: "M.mo".to_owned(), text: text.to_owned() };
    pipeline::structure(&source, None).unwrap_or_else(|messages| panic!("{}", rendered(&messages, &source)))
}

#[test]
fn links_between_variables_are_mutual() {
    let mut made = structured();
    assert_eq!(dae::verify::verify(&made.system), Vec::<String>::new());
    let (x, _) = made.reduction.states[0];
    made.system.vars[x].derivative = None;
    assert!(!dae::verify::verify(&made.system).is_empty());
}

#[test]
fn what_is_eliminated_is_in_no_equation() {
    let mut made = structured();
    assert_eq!(made.aliases.verify(&made.system), Vec::<String>::new());
    let (x, dx) = made.reduction.states[0];
    made.aliases.of[x] = Some(Alias::Variable(dx, 1.0));
    assert!(!made.aliases.verify(&made.system).is_empty());
}

#[test]
fn states_are_counted() {
    let mut made = structured();
    assert_eq!(index_reduction::verify(&made.system, &made.aliases, &made.reduction), Vec::<String>::new());
    made.reduction.states.pop();
    assert!(!index_reduction::verify(&made.system, &made.aliases, &made.reduction).is_empty());
}

#[test]
fn steps_read_what_is_known() {
    let made = structured();
    let mut sorting = made.causalized.sorting;
    assert_eq!(causalize::verify(&made.system, &sorting), Vec::<String>::new());
    Arc::make_mut(&mut sorting.simulation).torn.steps.reverse();
    assert!(!causalize::verify(&made.system, &sorting).is_empty());
}

/// The closed form of a product and a circle: another factor, others that do not follow, an unknown that is forgotten.
#[test]
fn roots_solve_their_system() {
    let text = "model M
  Real x(start = 2), y(start = 3);
equation
  x*y = 6 + time; x^2 + y^2 = 13;
end M;";
    let source = Source { name: "M.mo".to_owned(), text: text.to_owned() };
    let made = pipeline::structure(&source, None).unwrap_or_else(|messages| panic!("{}", rendered(&messages, &source)));
    let (mut system, sorting) = (made.system, made.causalized.sorting);
    assert_eq!(closed_form::verify(&system, &sorting), Vec::<String>::new());
    let one = system.arena.one();
    let spoils: [&dyn Fn(&mut Branch); 3] =
        [&|branch| branch.factors[0].coefficients[0] = one, &|branch| branch.others[0].1 = one, &|branch| branch.others.clear()];
    for spoil in spoils {
        let mut sorting = sorting.clone();
        let steps = &mut Arc::make_mut(&mut sorting.simulation).torn.steps;
        let forms = steps.iter_mut().filter_map(|step| match step {
            TornStep::Solve(block) => block.closed.as_mut(),
            TornStep::Assign(_) => None,
        });
        forms.flat_map(|form| &mut form.branches).for_each(spoil);
        assert!(!closed_form::verify(&system, &sorting).is_empty());
    }
}

#[test]
fn code_reads_what_was_computed() {
    let mut program = pipeline::program(structured(), &[]).expect("a program").program;
    assert_eq!(program.verify(), Vec::<String>::new());
    program.plan.n_slots = 1;
    assert!(!program.verify().is_empty());
}

#[test]
fn brackets_are_brackets() {
    let jacobian = cycles::Jacobian::dense(&["a", "b"], &[vec![-1.0, 0.5], vec![0.5, -100.0]]).expect("a Jacobian");
    let mut analysis = cycles::analyze(&jacobian, &cycles::Options::default()).expect("an analysis");
    assert_eq!(analysis.verify(), Vec::<String>::new());
    analysis.order.reverse();
    assert!(!analysis.verify().is_empty());
}
