use super::*;

fn slot(position: usize) -> Slot {
    Slot::new(position)
}

/// `m[100 + i] := p*(m[i - 1] - m[i])` for i from 1, with p in cell 90; differences are shared with `m[200 + i] := -(...)`.
fn chain(n: usize) -> Code {
    let mut code = Code::default();
    let p = code.instrs.push(Instr::Load(slot(90)));
    let mut before = code.instrs.push(Instr::Load(slot(0)));
    for i in 1..=n {
        let own = code.instrs.push(Instr::Load(slot(i)));
        let difference = code.instrs.push(Instr::Binary(Op2::Sub, before, own));
        let product = code.instrs.push(Instr::Binary(Op2::Mul, p, difference));
        code.instrs.push(Instr::Store(slot(100 + i), product));
        let other = code.instrs.push(Instr::Unary(Op1::Neg, difference));
        code.instrs.push(Instr::Store(slot(200 + i), other));
        before = own;
    }
    code
}

#[test]
fn neighbours_become_a_loop() {
    let code = chain(40);
    let parts = reroll(&code).expect("there are loops");
    let iterations: Vec<u32> = parts.iter().map(|part| if let CodePart::Loop(rerolled) = part { rerolled.iterations } else { 0 }).collect();
    assert_eq!(iterations, [40, 40]);
    assert!(same_effect(&code, &parts));
}

#[test]
fn a_wrong_result_is_noticed() {
    let code = chain(40);
    let good = reroll(&code).expect("there are loops");
    let broken = |change: &dyn Fn(&mut Loop)| {
        let mut parts = good.clone();
        if let CodePart::Loop(rerolled) = &mut parts[0] {
            change(rerolled);
        }
        same_effect(&code, &parts)
    };
    assert!(broken(&|_| {}));
    assert!(!broken(&|rerolled| rerolled.iterations -= 1));
    assert!(!broken(&|rerolled| rerolled.iterations += 1));
    assert!(!broken(&|rerolled| {
        let load =
            rerolled.body.instrs.iter().find(|(val, instr)| instr.loaded().is_some() && rerolled.strides[*val] != 0).map(|(val, _)| val);
        rerolled.strides[load.expect("a load advances")] = 2;
    }));
    assert!(!broken(&|rerolled| {
        let product = rerolled.body.instrs.values_mut().find(|instr| matches!(instr, Instr::Binary(Op2::Mul, ..)));
        if let Some(Instr::Binary(op, ..)) = product {
            *op = Op2::Add;
        }
    }));
    assert!(!same_effect(&code, &good[1..]));
}

#[test]
fn what_depends_on_earlier_iterations_stays_straight() {
    let mut code = Code::default();
    let mut sum = code.instrs.push(Instr::Load(slot(0)));
    for i in 1..60 {
        let own = code.instrs.push(Instr::Load(slot(i)));
        sum = code.instrs.push(Instr::Binary(Op2::Add, sum, own));
        code.instrs.push(Instr::Store(slot(100 + i), sum));
    }
    assert_eq!(reroll(&code), None);
}

#[test]
fn a_cell_that_is_read_and_written_keeps_the_code_straight() {
    let mut code = chain(40);
    let own = code.instrs.push(Instr::Load(slot(90)));
    code.instrs.push(Instr::Store(slot(90), own));
    assert_eq!(reroll(&code), None);
}

#[test]
fn levels_come_one_after_the_other() {
    // m[100 + i] := m[i]*m[i]; m[200 + i] := m[139 - i] + 1, read back from the first.
    let mut code = Code::default();
    let one = code.instrs.push(Instr::Const(1.0));
    let mut squares = Vec::new();
    for i in 0..40 {
        let own = code.instrs.push(Instr::Load(slot(i)));
        let square = code.instrs.push(Instr::Binary(Op2::Mul, own, own));
        code.instrs.push(Instr::Store(slot(100 + i), square));
        squares.push(square);
    }
    for (i, square) in squares.iter().rev().enumerate() {
        let next = code.instrs.push(Instr::Binary(Op2::Add, *square, one));
        code.instrs.push(Instr::Store(slot(200 + i), next));
    }
    let parts = reroll(&code).expect("there are loops");
    assert_eq!(parts.len(), 2);
    let CodePart::Loop(second) = &parts[1] else { panic!("{parts:?}") };
    let load = second.body.instrs.iter().find(|(_, instr)| instr.loaded().is_some()).map(|(val, _)| val);
    assert_eq!(load.map(|val| second.strides[val]), Some(-1));
}
