use super::*;

/// Runs code on a memory, without calls.
fn run(code: &Code, memory: &mut [f64]) {
    let mut values: Vec<f64> = Vec::new();
    for instr in code.instrs.values() {
        let at = |val: Val| values[val.index()];
        let value = match *instr {
            Instr::Const(value) => value,
            Instr::Load(slot) => memory[slot.index()],
            Instr::Unary(op, a) => op.eval(at(a)),
            Instr::Binary(op, a, b) => op.eval(at(a), at(b)),
            Instr::Select(c, a, b) => {
                if at(c) != 0.0 {
                    at(a)
                } else {
                    at(b)
                }
            }
            Instr::Store(slot, a) => {
                memory[slot.index()] = at(a);
                0.0
            }
            _ => panic!("not in these tests: {instr:?}"),
        };
        values.push(value);
    }
}

struct Build(Code);

impl Build {
    fn push(&mut self, instr: Instr) -> Val {
        self.0.instrs.push(instr)
    }
    fn load(&mut self, slot: usize) -> Val {
        self.push(Instr::Load(Slot::new(slot)))
    }
    fn number(&mut self, value: f64) -> Val {
        self.push(Instr::Const(value))
    }
    fn root_exceeds(&mut self, of: Val, limit: f64) -> Val {
        let root = self.push(Instr::Unary(Op1::Sqrt, of));
        let limit = self.number(limit);
        self.push(Instr::Binary(Op2::Gt, root, limit))
    }
}

/// Whether a site sees what is not a number, for the value `x` of slot 0.
fn sees(code: &Code, x: f64) -> bool {
    let mut next = 10;
    let slots = Slots { is_number: &|slot| slot.index() == 0, is_optional: &|slot| slot.index() == 9 };
    let noted = note_sites(code.clone(), &FxHashSet::default(), &slots, &mut || {
        next += 1;
        Slot::new(next - 1)
    });
    let (mut plain, mut often, mut memory) = (vec![0.0; 20], vec![0.0; 20], vec![0.0; 20]);
    (plain[0], often[0], memory[0]) = (x, x, x);
    run(code, &mut plain);
    run(&noted.code, &mut often);
    run(noted.exact.as_ref().unwrap_or(code), &mut memory);
    let bits = |memory: &[f64]| memory[..10].iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    assert_eq!((bits(&plain), bits(&plain)), (bits(&often), bits(&memory)));
    let is_needed = noted.found.iter().any(|site| memory[site.slot.index()].is_nan());
    // Nothing that is needed goes unseen.
    assert!(!is_needed || noted.found.iter().any(|site| often[site.seen.index()].is_nan()));
    is_needed
}

#[test]
fn a_relation_that_is_always_needed_is_seen() {
    let mut code = Build(Code::default());
    let x = code.load(0);
    let relation = code.root_exceeds(x, 1.0);
    code.push(Instr::Store(Slot::new(1), relation));
    assert!(sees(&code.0, -1.0) && !sees(&code.0, 1.0));
}

#[test]
fn what_may_not_be_needed_is_not_seen() {
    let mut code = Build(Code::default());
    let x = code.load(0);
    let relation = code.root_exceeds(x, 1.0);
    code.push(Instr::Store(Slot::new(9), relation));
    assert!(!sees(&code.0, -1.0));
}

#[test]
fn branches_that_are_not_taken_are_not_seen() {
    // if x > 0 then (sqrt(x) > 1) else 0, and the same relation where x > 2.
    let mut code = Build(Code::default());
    let x = code.load(0);
    let zero = code.number(0.0);
    let two = code.number(2.0);
    let relation = code.root_exceeds(x, 1.0);
    for (i, limit) in [zero, two].into_iter().enumerate() {
        let positive = code.push(Instr::Binary(Op2::Gt, x, limit));
        let chosen = code.push(Instr::Select(positive, relation, zero));
        code.push(Instr::Store(Slot::new(1 + i), chosen));
    }
    assert!(!sees(&code.0, -1.0) && !sees(&code.0, 1.0) && !sees(&code.0, 3.0));
}

#[test]
fn both_sides_of_and_guard_each_other_unless_neither_is_a_number() {
    for first in [false, true] {
        let mut code = Build(Code::default());
        let x = code.load(0);
        let zero = code.number(0.0);
        let relation = code.root_exceeds(x, 1.0);
        let positive = code.push(Instr::Binary(Op2::Gt, x, zero));
        let (a, b) = if first { (positive, relation) } else { (relation, positive) };
        let both = code.push(Instr::Binary(Op2::And, a, b));
        code.push(Instr::Store(Slot::new(1), both));
        assert!(!sees(&code.0, -1.0) && !sees(&code.0, 4.0));
    }
    let mut code = Build(Code::default());
    let x = code.load(0);
    let (one, two) = (code.root_exceeds(x, 1.0), code.root_exceeds(x, 2.0));
    let both = code.push(Instr::Binary(Op2::And, one, two));
    code.push(Instr::Store(Slot::new(1), both));
    assert!(sees(&code.0, -1.0));
}

#[test]
fn a_subscript_outside_is_seen_where_it_is_needed() {
    // if x > 0 then (if x == 1 then 5 else if x == 2 then 6 else nothing) else 0.
    let mut code = Build(Code::default());
    let x = code.load(0);
    let [zero, one, two, five, six, nothing] = [0.0, 1.0, 2.0, 5.0, 6.0, f64::NAN].map(|value| code.number(value));
    let is_two = code.push(Instr::Binary(Op2::Eq, x, two));
    let last = code.push(Instr::Select(is_two, six, nothing));
    let is_one = code.push(Instr::Binary(Op2::Eq, x, one));
    let element = code.push(Instr::Select(is_one, five, last));
    let positive = code.push(Instr::Binary(Op2::Gt, x, zero));
    let chosen = code.push(Instr::Select(positive, element, zero));
    code.push(Instr::Store(Slot::new(1), chosen));
    assert!(sees(&code.0, 3.0) && !sees(&code.0, 1.0) && !sees(&code.0, 2.0) && !sees(&code.0, -3.0));
}

#[test]
fn numbers_for_sure_cost_nothing() {
    let mut code = Build(Code::default());
    let x = code.load(0);
    let product = code.push(Instr::Binary(Op2::Mul, x, x));
    let limit = code.number(2.0);
    let relation = code.push(Instr::Binary(Op2::Gt, product, limit));
    code.push(Instr::Store(Slot::new(1), relation));
    let slots = Slots { is_number: &|_| true, is_optional: &|_| false };
    let noted = note_sites(code.0.clone(), &FxHashSet::default(), &slots, &mut || Slot::new(10));
    assert_eq!((noted.code, noted.exact, noted.found), (code.0, None, Vec::new()));
}
