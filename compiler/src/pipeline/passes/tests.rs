//! The verifiers of the passes find what is wrong: each is given a result that was spoiled.

use super::{Forms, PASSES, position};
use crate::base::ids::VarId;
use crate::pipeline::libraries::Libraries;
use crate::sorting::tearing::{Branch, TornStep};
use crate::transform::alias::Alias;
use partita_grammar::{Source, ast};
use partita_runtime::native::access::Permissions;
use std::sync::Arc;

/// A pendulum: aliases, index reduction, a system and states.
const PENDULUM: &str = "model M
  Real x(start = 1); Real y(start = 0); Real vx; Real vy; Real F; Real same; Real sum;
equation
  der(x) = vx; der(y) = vy; der(vx) = -F*x; der(vy) = -F*y - 9.81; x^2 + y^2 = 1; same = x; sum = same + y;
end M;";

/// A product and a circle: a system with a closed form.
const CIRCLE: &str = "model M
  Real x(start = 2), y(start = 3);
equation
  x*y = 6 + time; x^2 + y^2 = 13;
end M;";

/// Two states that hold each other back.
const CHAIN: &str = "model M
  Real a(start = 1, fixed = true), b(start = 0, fixed = true);
equation
  der(a) = -a + 0.5*b; der(b) = 0.5*a - 100*b;
end M;";

/// A component with a variable.
const COMPONENT: &str = "package P
  model Part
    Real x(start = 1, fixed = true);
  equation
    der(x) = -x;
  end Part;
  model M
    Part part;
  end M;
end P;";

/// A pass, a model and what spoils the result of the pass.
struct Spoil {
    word: &'static str,
    text: &'static str,
    spoil: fn(&mut Forms<'_>),
}

const fn spoil(word: &'static str, text: &'static str, spoil: fn(&mut Forms<'_>)) -> Spoil {
    Spoil { word, text, spoil }
}

const SPOILS: [Spoil; 17] = [
    spoil("parse", PENDULUM, |forms| nameless(&mut forms.definition)),
    spoil("instance", COMPONENT, |forms| nameless(&mut forms.definition)),
    spoil("repair", PENDULUM, |forms| {
        let made = forms.repaired.as_mut().expect("a repaired file");
        made.definition.classes.push(made.definition.classes[0].clone());
        made.n_supplied = 2;
    }),
    spoil("flatten", PENDULUM, |forms| {
        let variable = forms.flat.as_mut().and_then(|flat| flat.vars.values_mut().next());
        variable.expect("a variable").ty.dims.push(None);
    }),
    spoil("dae", PENDULUM, |forms| {
        let x = variable(forms, "x");
        forms.system.vars[x].derivative = None;
    }),
    spoil("alias", PENDULUM, eliminate_what_is_used),
    spoil("semilinear", PENDULUM, eliminate_what_is_used),
    spoil("hidden_constraints", PENDULUM, eliminate_what_is_used),
    spoil("discrete", PENDULUM, eliminate_what_is_used),
    spoil("index_reduction", PENDULUM, |forms| forms.reduction.states.truncate(1)),
    spoil("causalize", PENDULUM, |forms| steps(forms).reverse()),
    spoil("closed_form", CIRCLE, |forms| {
        let one = forms.system.arena.one();
        branches(forms, |branch| branch.factors[0].coefficients[0] = one);
    }),
    spoil("closed_form", CIRCLE, |forms| {
        let one = forms.system.arena.one();
        branches(forms, |branch| branch.others[0].1 = one);
    }),
    spoil("closed_form", CIRCLE, |forms| branches(forms, |branch| branch.others.clear())),
    spoil("program", PENDULUM, |forms| forms.program.as_mut().expect("a program").plan.memory.n_slots = 1),
    spoil("cycles", CHAIN, |forms| forms.decoupling.cycles.as_mut().expect("an analysis").0.order.reverse()),
    spoil("partition", CHAIN, |forms| forms.decoupling.partition.as_mut().expect("a partition").0.slow.push(0)),
];

/// A class whose name cannot be read.
fn nameless(definition: &mut Option<ast::Definition>) {
    definition.as_mut().expect("a definition").classes[0].name.parts.clear();
}

fn variable(forms: &Forms<'_>, name: &str) -> VarId {
    forms.system.vars.iter().find(|(_, variable)| variable.name == *name).expect("a variable").0
}

fn eliminate_what_is_used(forms: &mut Forms<'_>) {
    let (x, y) = (variable(forms, "x"), variable(forms, "y"));
    forms.aliases.of[x] = Some(Alias::Variable(y, 1.0));
}

fn steps<'a>(forms: &'a mut Forms<'_>) -> &'a mut Vec<TornStep> {
    let made = forms.causalized.as_mut().expect("a sorted system");
    &mut Arc::make_mut(&mut made.sorting.simulation).torn.steps
}

fn branches(forms: &mut Forms<'_>, spoil: impl FnMut(&mut Branch)) {
    let closed = steps(forms).iter_mut().filter_map(|step| match step {
        TornStep::Solve(block) => block.closed.as_mut(),
        TornStep::Assign(_) => None,
    });
    closed.flat_map(|form| &mut form.branches).for_each(spoil);
}

#[test]
fn every_verifier_finds_a_spoiled_result() {
    for pass in &PASSES {
        assert!(SPOILS.iter().any(|spoil| spoil.word == pass.word), "no spoiled result of `{}` is shown to its verifier", pass.word);
    }
    let libraries = Libraries::default();
    for Spoil { word, text, spoil } in &SPOILS {
        let source = Source { name: "M.mo".to_owned(), text: (*text).to_owned() };
        let mut forms = Forms::new(&source, &libraries, Permissions::default(), None);
        forms.run_to(word).unwrap_or_else(|messages| panic!("{word}: {messages:?}"));
        let pass = &PASSES[position(word)];
        assert_eq!((pass.verify)(&forms), Vec::<String>::new(), "{word} of what is right");
        spoil(&mut forms);
        assert!(!(pass.verify)(&forms).is_empty(), "the verifier of `{word}` finds nothing in what is wrong");
    }
}
