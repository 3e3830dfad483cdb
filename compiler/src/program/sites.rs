//! Finds where code meets numbers that may be none: operands of relations, `min` and `max`, and elements at computed subscripts.
//!
//! Input: straight-line code, and which slots surely hold numbers. Output: a site for every such operand, and two codes beside the given
//! one. A comparison makes true or false of everything, and so hides what is not a number; a stored operand shows it. The code that
//! runs often stores operands as they are, where nothing that it stores anyway follows from them: one store each, no conditions. The
//! exact code, which runs only where one of those is not a number at a point that stands, knows whether the operand is needed.
//!
//! Method: forwards, which values are numbers for sure; backwards, under which conditions a value is needed: a formula over the
//! conditions of `Select`, and of `and` and `or`, where one side matters only if the other does not decide. The exact code stores an
//! operand as it is where it is always needed, as zero where its formula does not hold. What lies in a slot already is looked at there.
//! Guarantees: what the code stored before it stores as before; nothing is stored of an operand that is a number for sure; a value
//! that is not needed makes no error. Overflow of sums and products of finite numbers is not looked for, nor what is computed before a
//! system of equations for one of its branches only.
//! Cost: linear in the code, times the depth of nested conditions up to a bound.

use super::code::{Code, Instr, Val};
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::plan::Slot;
use rustc_hash::{FxHashMap, FxHashSet};

/// How far up a formula is searched for one that it follows from.
const MAX_SEARCH: usize = 64;

/// What is known of a value.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Certainty {
    /// A finite number.
    Finite,
    /// A number, or infinite.
    Number,
    /// Perhaps not a number.
    #[default]
    Unknown,
}

/// Where code meets a value that may be not a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Holds, after the code that runs often, what is not a number if the value is not a number, needed or not.
    pub seen: Slot,
    /// Holds, after the exact code, what is not a number if the value is needed and is not a number.
    pub slot: Slot,
    /// The instruction that meets it.
    pub by: Val,
    /// The slot that the statement writes in which it is met.
    pub stored: Option<Slot>,
    /// For an element at a computed subscript: the slot with the subscript, and the size.
    pub subscript: Option<(Slot, u32)>,
}

/// A condition under which a value is needed.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Formula(u32);
entity_impl!(Formula, "formula");

/// How a condition takes part in a formula.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
enum Holds {
    True,
    False,
    /// It is not false for sure: true, or a relation of what is not a number.
    NotFalse,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
enum FormulaNode {
    Always,
    Under(Formula, Val, Holds),
    Any(Formula, Formula),
}

struct Demands {
    nodes: PrimaryMap<Formula, FormulaNode>,
    /// The last condition of a formula.
    ready: SecondaryMap<Formula, u32>,
    known: FxHashMap<FormulaNode, Formula>,
    of: SecondaryMap<Val, Option<Formula>>,
}

const ALWAYS: Formula = Formula(0);

impl Demands {
    fn of(code: &Code, is_optional: &dyn Fn(Slot) -> bool) -> Demands {
        let mut nodes = PrimaryMap::new();
        nodes.push(FormulaNode::Always);
        let mut demands =
            Demands { nodes, ready: SecondaryMap::new(), known: FxHashMap::default(), of: SecondaryMap::with_capacity(code.instrs.len()) };
        for (val, instr) in code.instrs.iter().rev() {
            let demand = match (instr, demands.of[val]) {
                (Instr::Store(slot, _), _) if is_optional(*slot) => continue,
                (Instr::Store(..) | Instr::StoreOut(..), _) => ALWAYS,
                (_, Some(demand)) => demand,
                (_, None) => continue,
            };
            match *instr {
                Instr::Select(c, a, b) => {
                    demands.add(c, demand);
                    demands.add_under(a, demand, c, Holds::True);
                    demands.add_under(b, demand, c, Holds::False);
                }
                Instr::Binary(Op2::And, a, b) => {
                    demands.add_under(a, demand, b, Holds::NotFalse);
                    demands.add_under(b, demand, a, Holds::NotFalse);
                }
                Instr::Binary(Op2::Or, a, b) => {
                    demands.add_under(a, demand, b, Holds::False);
                    demands.add_under(b, demand, a, Holds::False);
                }
                _ => instr.for_each_operand(|operand| demands.add(operand, demand)),
            }
        }
        demands
    }

    fn node(&mut self, node: FormulaNode) -> Formula {
        let ready = match node {
            FormulaNode::Always => 0,
            FormulaNode::Under(outer, condition, _) => self.ready[outer].max(condition.as_u32()),
            FormulaNode::Any(a, b) => self.ready[a].max(self.ready[b]),
        };
        let Demands { nodes, ready: ready_of, known, .. } = self;
        *known.entry(node).or_insert_with(|| {
            let formula = nodes.push(node);
            ready_of[formula] = ready;
            formula
        })
    }

    fn add_under(&mut self, val: Val, outer: Formula, condition: Val, holds: Holds) {
        let formula = self.node(FormulaNode::Under(outer, condition, holds));
        self.add(val, formula);
    }

    fn add(&mut self, val: Val, formula: Formula) {
        let both = match self.of[val] {
            None => formula,
            Some(other) => self.any(formula, other),
        };
        self.of[val] = Some(both);
    }

    /// `a or b`.
    fn any(&mut self, a: Formula, b: Formula) -> Formula {
        if a == b || self.follows(b, a) {
            return a;
        }
        if self.follows(a, b) {
            return b;
        }
        if let (FormulaNode::Under(outer, c, Holds::True), FormulaNode::Under(other, d, Holds::False))
        | (FormulaNode::Under(outer, c, Holds::False), FormulaNode::Under(other, d, Holds::True)) = (self.nodes[a], self.nodes[b])
            && outer == other
            && c == d
        {
            return outer;
        }
        self.node(FormulaNode::Any(a.min(b), a.max(b)))
    }

    /// Whether `b` holds wherever `a` does, as far as a short search shows.
    fn follows(&self, a: Formula, b: Formula) -> bool {
        if let FormulaNode::Any(x, y) = self.nodes[b]
            && (x == a || y == a)
        {
            return true;
        }
        let mut at = a;
        for _ in 0..MAX_SEARCH {
            match self.nodes[at] {
                _ if at == b => return true,
                FormulaNode::Under(outer, ..) => at = outer,
                FormulaNode::Always | FormulaNode::Any(..) => return false,
            }
        }
        false
    }
}

/// What is known of every value.
fn certainties(code: &Code, is_number: &dyn Fn(Slot) -> bool) -> SecondaryMap<Val, Certainty> {
    use Certainty::{Finite, Number, Unknown};
    let mut of: SecondaryMap<Val, Certainty> = SecondaryMap::with_capacity(code.instrs.len());
    for (val, instr) in code.instrs.iter() {
        of[val] = match *instr {
            Instr::Const(value) if value.is_nan() => Unknown,
            Instr::Const(value) => {
                if value.is_finite() {
                    Finite
                } else {
                    Number
                }
            }
            Instr::Load(slot) => {
                if is_number(slot) {
                    Finite
                } else {
                    Unknown
                }
            }
            Instr::Unary(op, a) => unary(code, op, a, of[a]),
            Instr::Binary(op, a, b) => binary(code, op, (of[a], of[b]), b),
            // A branch that is literally not a number is a site of its own.
            Instr::Select(_, a, b) if is_nothing(code, b) => of[a],
            Instr::Select(_, a, b) if is_nothing(code, a) => of[b],
            Instr::Select(_, a, b) => of[a].max(of[b]),
            _ => Unknown,
        };
    }
    of
}

fn is_nothing(code: &Code, val: Val) -> bool {
    matches!(code.instrs[val], Instr::Const(value) if value.is_nan())
}

fn unary(code: &Code, op: Op1, a: Val, of: Certainty) -> Certainty {
    use Certainty::{Finite, Number, Unknown};
    match (op, of) {
        (Op1::Not, _) => Finite,
        (_, Unknown) => Unknown,
        (Op1::Neg | Op1::Abs | Op1::Floor | Op1::Ceil | Op1::Trunc, _) => of,
        (Op1::Sign | Op1::Atan | Op1::Tanh, _) => Finite,
        (Op1::Sin | Op1::Cos | Op1::Tan, Finite) => Finite,
        (Op1::Exp | Op1::Sinh | Op1::Cosh, _) => Number,
        (Op1::Sqrt, _) if is_not_negative(code, a) => of,
        _ => Unknown,
    }
}

/// Whether a number is zero or more, by the operation that gives it.
fn is_not_negative(code: &Code, val: Val) -> bool {
    let literal = |val: Val| matches!(code.instrs[val], Instr::Const(value) if value >= 0.0);
    match code.instrs[val] {
        Instr::Const(value) => value >= 0.0,
        Instr::Unary(op, _) => matches!(op, Op1::Abs | Op1::Exp | Op1::Sqrt),
        Instr::Binary(Op2::Mul, a, b) => a == b,
        Instr::Binary(Op2::Max, a, b) => literal(a) || literal(b),
        _ => false,
    }
}

fn binary(code: &Code, op: Op2, (a, b): (Certainty, Certainty), second: Val) -> Certainty {
    use Certainty::{Finite, Unknown};
    let literal = match code.instrs[second] {
        Instr::Const(value) => Some(value),
        _ => None,
    };
    match op {
        Op2::Lt | Op2::Le | Op2::Gt | Op2::Ge | Op2::Eq | Op2::Ne | Op2::And | Op2::Or => Finite,
        // Their operands are sites.
        Op2::Min | Op2::Max => Finite,
        Op2::Add | Op2::Sub | Op2::Mul | Op2::Atan2 if (a, b) == (Finite, Finite) => Finite,
        Op2::Div if a == Finite && literal.is_some_and(|value| value != 0.0 && value.is_finite()) => Finite,
        Op2::Pow if a == Finite && literal.is_some_and(|value| value >= 0.0 && value == value.trunc()) => Finite,
        _ => Unknown,
    }
}

/// The values that an instruction meets: operands that it makes a decision of, or itself where it may give what is not a number.
fn met(code: &Code, val: Val, internal: &FxHashSet<Val>) -> [Option<Val>; 2] {
    match code.instrs[val] {
        Instr::Binary(op, a, b) if (op.is_relation() || matches!(op, Op2::Min | Op2::Max)) && !internal.contains(&val) => {
            [Some(a), Some(b)]
        }
        Instr::Select(_, a, b) if is_nothing(code, a) != is_nothing(code, b) => [Some(val), None],
        _ => [None, None],
    }
}

/// A number that is the size of an array.
fn size(code: &Code, val: Val) -> Option<u32> {
    match code.instrs[val] {
        Instr::Const(value) if value >= 1.0 && value == value.trunc() && value < f64::from(u32::MAX) => Some(value as u32),
        _ => None,
    }
}

/// Subscript and size, if an instruction is the last choice among the elements of an array, or what remains of an element that was to
/// be assigned outside.
fn subscript(code: &Code, val: Val) -> Option<(Val, u32)> {
    let Instr::Select(c, a, b) = code.instrs[val] else { return None };
    match code.instrs[c] {
        Instr::Binary(Op2::Eq, x, y) if is_nothing(code, b) => {
            size(code, y).map(|size| (x, size)).or_else(|| size(code, x).map(|size| (y, size)))
        }
        _ if is_nothing(code, a) => outside(code, c),
        _ => None,
    }
}

/// Subscript and size of a condition `subscript < 1 or subscript > size`, perhaps with others.
fn outside(code: &Code, condition: Val) -> Option<(Val, u32)> {
    match code.instrs[condition] {
        Instr::Binary(Op2::And, a, b) => [a, b].into_iter().find_map(|part| bounds(code, part)),
        _ => bounds(code, condition),
    }
}

fn bounds(code: &Code, condition: Val) -> Option<(Val, u32)> {
    let Instr::Binary(Op2::Or, a, b) = code.instrs[condition] else { return None };
    [a, b].into_iter().find_map(|part| match code.instrs[part] {
        Instr::Binary(Op2::Gt, index, last) => Some((index, size(code, last)?)),
        _ => None,
    })
}

struct Site {
    value: Val,
    needed: Formula,
    by: Val,
}

/// What is known of slots.
pub struct Slots<'a> {
    /// Holds a number for sure.
    pub is_number: &'a dyn Fn(Slot) -> bool,
    /// Is written although its value may not be needed.
    pub is_optional: &'a dyn Fn(Slot) -> bool,
}

/// Code with its sites.
pub struct Noted {
    /// What runs often.
    pub code: Code,
    /// What knows whether operands are needed; nothing where there are no sites.
    pub exact: Option<Code>,
    /// The sites.
    pub found: Vec<Found>,
}

/// Finds the sites of a code. `internal` are relations that the compiler made for itself.
pub fn note_sites(code: Code, internal: &FxHashSet<Val>, slots: &Slots<'_>, new_slot: &mut dyn FnMut() -> Slot) -> Noted {
    let certainty = certainties(&code, slots.is_number);
    let is_open = |value: &Val, by: Val| *value == by || certainty[*value] == Certainty::Unknown;
    if !code.instrs.keys().any(|val| met(&code, val, internal).iter().flatten().any(|value| is_open(value, val))) {
        return Noted { code, exact: None, found: Vec::new() };
    }
    let mut demands = Demands::of(&code, slots.is_optional);
    let mut site_of: FxHashMap<Val, usize> = FxHashMap::default();
    let mut sites: Vec<Site> = Vec::new();
    for by in code.instrs.keys() {
        let Some(needed) = demands.of[by] else { continue };
        for value in met(&code, by, internal).into_iter().flatten().filter(|value| is_open(value, by)) {
            match site_of.get(&value) {
                Some(&known) => sites[known].needed = demands.any(sites[known].needed, needed),
                None => {
                    site_of.insert(value, sites.len());
                    sites.push(Site { value, needed, by });
                }
            }
        }
    }
    let shown = shown(&code, slots);
    let values: Vec<Val> = sites.iter().map(|site| site.value).collect();
    let (plain, seen) = with_stores(&code, &values, &shown, new_slot);
    let (exact, found) = Rebuild::new(&code, demands, &sites).run(&code, &sites, &seen, new_slot);
    Noted { code: plain, exact: Some(exact), found }
}

/// Slots that the code stores something in which is not a number if a value is not a number; only sums, products and functions of a value
/// show what it is.
fn shown(code: &Code, slots: &Slots<'_>) -> SecondaryMap<Val, Option<Slot>> {
    let mut shown: SecondaryMap<Val, Option<Slot>> = SecondaryMap::with_capacity(code.instrs.len());
    for (val, instr) in code.instrs.iter().rev() {
        match *instr {
            Instr::Store(slot, value) if !(slots.is_optional)(slot) => shown[value] = Some(slot),
            Instr::Load(slot) => shown[val] = Some(slot),
            Instr::Unary(op, a) if op != Op1::Not && shown[a].is_none() => shown[a] = shown[val],
            Instr::Binary(Op2::Add | Op2::Sub | Op2::Mul | Op2::Div | Op2::Atan2, a, b) => {
                for operand in [a, b] {
                    shown[operand] = shown[operand].or(shown[val]);
                }
            }
            _ => {}
        }
    }
    shown
}

/// The code with stores of the values that nothing shows, and the slot that shows each value.
fn with_stores(
    code: &Code,
    values: &[Val],
    shown: &SecondaryMap<Val, Option<Slot>>,
    new_slot: &mut dyn FnMut() -> Slot,
) -> (Code, Vec<Slot>) {
    let own: FxHashMap<Val, Slot> = values.iter().filter(|value| shown[**value].is_none()).map(|value| (*value, new_slot())).collect();
    let slots = values.iter().map(|value| shown[*value].unwrap_or_else(|| own[value])).collect();
    if own.is_empty() {
        return (code.clone(), slots);
    }
    let mut new = Code::default();
    let mut new_of: SecondaryMap<Val, Val> = SecondaryMap::with_default(Val::new(0));
    for (val, instr) in code.instrs.iter() {
        let mut instr = instr.clone();
        instr.map_operands(|operand| new_of[operand]);
        new_of[val] = new.instrs.push(instr);
        if let Some(slot) = own.get(&val) {
            new.instrs.push(Instr::Store(*slot, new_of[val]));
        }
    }
    (new, slots)
}

/// Code with stores of sites.
struct Rebuild {
    demands: Demands,
    new: Code,
    new_of: SecondaryMap<Val, Val>,
    guard_of: FxHashMap<Formula, Val>,
    /// Where values lie in the memory: what is loaded, and what the code stores.
    home_of: FxHashMap<Val, Slot>,
    /// The first store behind an instruction.
    stored_behind: Vec<Option<Slot>>,
    /// Sites by the position behind which they are stored.
    due: Vec<(u32, usize)>,
}

impl Rebuild {
    fn new(code: &Code, demands: Demands, sites: &[Site]) -> Rebuild {
        let mut home_of = FxHashMap::default();
        let mut stored_behind = vec![None; code.instrs.len()];
        let mut next = None;
        for (val, instr) in code.instrs.iter().rev() {
            match *instr {
                Instr::Store(slot, value) => {
                    home_of.insert(value, slot);
                    next = Some(slot);
                }
                Instr::Load(slot) => {
                    home_of.insert(val, slot);
                }
                _ => {}
            }
            stored_behind[val.index()] = next;
        }
        let position = |site: &Site| site.value.as_u32().max(demands.ready[site.needed]);
        let mut due: Vec<(u32, usize)> = sites.iter().enumerate().map(|(i, site)| (position(site), i)).collect();
        due.sort_unstable();
        Rebuild {
            demands,
            new: Code::default(),
            new_of: SecondaryMap::with_default(Val::new(0)),
            guard_of: FxHashMap::default(),
            home_of,
            stored_behind,
            due,
        }
    }

    fn run(mut self, code: &Code, sites: &[Site], seen: &[Slot], new_slot: &mut dyn FnMut() -> Slot) -> (Code, Vec<Found>) {
        let mut found = Vec::with_capacity(sites.len());
        let mut due = std::mem::take(&mut self.due).into_iter().peekable();
        for (val, instr) in code.instrs.iter() {
            let mut instr = instr.clone();
            instr.map_operands(|operand| self.new_of[operand]);
            self.new_of[val] = self.new.instrs.push(instr);
            while let Some((_, i)) = due.next_if(|(position, _)| *position == val.as_u32()) {
                let site = &sites[i];
                let slot = self.slot_for(code, site, new_slot);
                let subscript = subscript(code, site.by).filter(|_| site.by == site.value);
                let subscript = subscript.map(|(index, size)| (self.slot_of(index, new_slot), size));
                found.push(Found { seen: seen[i], slot, by: site.by, stored: self.stored_behind[site.by.index()], subscript });
            }
        }
        (self.new, found)
    }

    /// A slot that holds a value wherever it is computed.
    fn slot_of(&mut self, value: Val, new_slot: &mut dyn FnMut() -> Slot) -> Slot {
        if let Some(home) = self.home_of.get(&value) {
            return *home;
        }
        let slot = new_slot();
        self.new.instrs.push(Instr::Store(slot, self.new_of[value]));
        slot
    }

    /// A slot that holds what is not a number if a site's value is needed and not a number.
    fn slot_for(&mut self, code: &Code, site: &Site, new_slot: &mut dyn FnMut() -> Slot) -> Slot {
        if site.needed == ALWAYS {
            return self.slot_of(site.value, new_slot);
        }
        let guard = self.guard(code, site.needed);
        let zero = self.new.instrs.push(Instr::Const(0.0));
        let seen = self.new.instrs.push(Instr::Select(guard, self.new_of[site.value], zero));
        let slot = new_slot();
        self.new.instrs.push(Instr::Store(slot, seen));
        slot
    }

    /// The value of a formula, computed where it is first needed.
    fn guard(&mut self, code: &Code, formula: Formula) -> Val {
        let mut stack = vec![formula];
        while let Some(&top) = stack.last() {
            if self.guard_of.contains_key(&top) {
                stack.pop();
                continue;
            }
            let node = self.demands.nodes[top];
            let open = match node {
                FormulaNode::Always => [None, None],
                FormulaNode::Under(outer, ..) => [Some(outer), None],
                FormulaNode::Any(a, b) => [Some(a), Some(b)],
            };
            let waiting = stack.len();
            stack.extend(open.into_iter().flatten().filter(|part| !self.guard_of.contains_key(part)));
            if stack.len() > waiting {
                continue;
            }
            let value = match node {
                FormulaNode::Always => self.new.instrs.push(Instr::Const(1.0)),
                FormulaNode::Under(ALWAYS, condition, holds) => self.condition(code, condition, holds),
                FormulaNode::Under(outer, condition, holds) => {
                    let here = self.condition(code, condition, holds);
                    self.new.instrs.push(Instr::Binary(Op2::And, self.guard_of[&outer], here))
                }
                FormulaNode::Any(a, b) => self.new.instrs.push(Instr::Binary(Op2::Or, self.guard_of[&a], self.guard_of[&b])),
            };
            self.guard_of.insert(top, value);
            stack.pop();
        }
        self.guard_of[&formula]
    }

    /// Whether a condition holds in this way.
    fn condition(&mut self, code: &Code, condition: Val, holds: Holds) -> Val {
        let plain = self.new_of[condition];
        match (holds, &code.instrs[condition]) {
            (Holds::True, _) => plain,
            (Holds::False, _) => self.new.instrs.push(Instr::Unary(Op1::Not, plain)),
            (Holds::NotFalse, Instr::Binary(op, a, b)) if op.is_relation() => {
                let opposite = match op {
                    Op2::Lt => Op2::Ge,
                    Op2::Le => Op2::Gt,
                    Op2::Gt => Op2::Le,
                    Op2::Ge => Op2::Lt,
                    Op2::Eq => Op2::Ne,
                    _ => Op2::Eq,
                };
                // Both a relation and its opposite are false for what is not a number; `<>` is true, and shows as such.
                let is_false = self.new.instrs.push(Instr::Binary(opposite, self.new_of[*a], self.new_of[*b]));
                self.new.instrs.push(Instr::Unary(Op1::Not, is_false))
            }
            (Holds::NotFalse, _) => plain,
        }
    }
}

#[cfg(test)]
mod tests;
