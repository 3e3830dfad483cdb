//! Rolls straight-line code up into loops.
//!
//! Input: straight-line code. Output: parts that run one after the other, straight-line code and loops, and leave in every cell
//! what the straight-line code leaves there; nothing if little is gained.
//!
//! Method: a statement is a store and all that it needs up to numbers, loads and values that an earlier statement stored, which it
//! reads from there. Its level is one more than that of the statements it reads from, so that statements of one level do not depend
//! on each other and may run in any order. Statements of one level and one shape (the same operations on the same numbers) are put
//! in the order of the cells they write; those among them whose cells advance evenly are a loop. What is left stays
//! straight-line code, level by level. Array equations, whose elements come as neighbours, become the loops they were written as.
//! Values that statements share are computed by each of them; calls stay in one part and in their order.
//!
//! Guarantees: `same_effect` says whether code and parts agree; debug builds ask it every time.
//! Cost: linear in the code, sorting of the statements apart.

use super::code::{Code, Instr, Iterations, Val};
use cranelift_entity::{EntityRef, SecondaryMap};
use partita_runtime::base::math::{Op1, Op2};
use partita_runtime::model::plan::Slot;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// Fewer iterations are not worth a loop: straight-line code of this length is faster.
const FEWEST_ITERATIONS: usize = 16;
/// The second statement of a loop is sought among this many behind the first.
const NEAREST: usize = 8;
/// Statements of more operations stay straight-line code.
const LONGEST_STATEMENT: u32 = 256;
/// Shorter code stays as it is.
const SHORTEST_CODE: usize = 100;

/// Code that runs a number of times, each time on cells further on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Loop {
    /// The first iteration.
    pub body: Code,
    /// By how many cells a load or store of the body advances from iteration to iteration.
    pub strides: SecondaryMap<Val, i32>,
    /// How many iterations there are.
    pub iterations: u32,
    /// The slots that hold the first iteration to run and the one behind the last, if not all of them run.
    pub asked: Option<(Slot, Slot)>,
}

/// A part of re-rolled code.
#[derive(Clone, Debug, PartialEq)]
pub enum CodePart {
    /// Runs once.
    Straight(Code),
    /// Runs in iterations.
    Loop(Loop),
}

/// A number of one of the two arrays.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Cell {
    Memory(u32),
    Out(u32),
}

impl Cell {
    fn position(self) -> u32 {
        match self {
            Cell::Memory(position) | Cell::Out(position) => position,
        }
    }

    fn moved(self, by: i64) -> Cell {
        let to = |position: u32| (i64::from(position) + by) as u32;
        match self {
            Cell::Memory(position) => Cell::Memory(to(position)),
            Cell::Out(position) => Cell::Out(to(position)),
        }
    }

    fn load(self) -> Instr {
        match self {
            Cell::Memory(position) => Instr::Load(Slot::new(position as usize)),
            Cell::Out(position) => Instr::LoadOut(position),
        }
    }

    fn store(self, val: Val) -> Instr {
        match self {
            Cell::Memory(position) => Instr::Store(Slot::new(position as usize), val),
            Cell::Out(position) => Instr::StoreOut(position, val),
        }
    }
}

impl Instr {
    /// The cell it reads.
    fn loaded(&self) -> Option<Cell> {
        match self {
            Instr::Load(slot) => Some(Cell::Memory(slot.as_u32())),
            Instr::LoadOut(position) => Some(Cell::Out(*position)),
            _ => None,
        }
    }

    /// The cell it writes, and the value.
    fn stored(&self) -> Option<(Cell, Val)> {
        match self {
            Instr::Store(slot, val) => Some((Cell::Memory(slot.as_u32()), *val)),
            Instr::StoreOut(position, val) => Some((Cell::Out(*position), *val)),
            _ => None,
        }
    }
}

/// What is known of a value, or of the statement that stores it.
#[derive(Copy, Clone, Default)]
struct Trait {
    /// Equal for equal operations.
    shape: u64,
    /// Operations, counted each time they are used; no more than `LONGEST_STATEMENT + 1`.
    size: u32,
    /// One more than the levels of the statements it reads from.
    level: u32,
    has_call: bool,
}

struct Statement {
    target: Cell,
    value: Val,
    is: Trait,
}

struct Analysis<'a> {
    code: &'a Code,
    statements: Vec<Statement>,
    /// The statement from whose cell all others read the value.
    home_of: SecondaryMap<Val, Option<u32>>,
}

fn hash(parts: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    parts.hash(&mut hasher);
    hasher.finish()
}

/// The statements of a code; nothing if a cell is written twice, or read and written.
fn analyse(code: &Code) -> Option<Analysis<'_>> {
    let mut first_use: SecondaryMap<Val, Option<Val>> = SecondaryMap::with_capacity(code.instrs.len());
    let (mut loaded, mut stored): (FxHashSet<Cell>, FxHashSet<Cell>) = Default::default();
    for (val, instr) in code.instrs.iter() {
        loaded.extend(instr.loaded());
        if let Some((cell, _)) = instr.stored()
            && !stored.insert(cell)
        {
            return None;
        }
        instr.for_each_operand(|operand| {
            first_use[operand].get_or_insert(val);
        });
    }
    if loaded.iter().any(|cell| stored.contains(cell)) {
        return None;
    }
    let mut analysis = Analysis { code, statements: Vec::new(), home_of: SecondaryMap::with_capacity(code.instrs.len()) };
    let mut trait_of: SecondaryMap<Val, Trait> = SecondaryMap::with_capacity(code.instrs.len());
    for (val, instr) in code.instrs.iter() {
        if let Some((target, value)) = instr.stored() {
            let is = analysis.operand(&trait_of, value);
            let number = analysis.statements.len() as u32;
            // A value that was used before it is stored has no home: who used it could not read it there.
            let is_leaf = matches!(code.instrs[value], Instr::Const(_) | Instr::Load(_) | Instr::LoadOut(_));
            if !is_leaf && first_use[value] == Some(val) {
                analysis.home_of[value] = Some(number);
            }
            analysis.statements.push(Statement { target, value, is });
            continue;
        }
        let of = |operand: &Val| analysis.operand(&trait_of, *operand);
        trait_of[val] = match instr {
            Instr::Const(value) => Trait { shape: hash((0, value.to_bits())), size: 1, ..Trait::default() },
            Instr::Load(_) => Trait { shape: hash(1), size: 1, ..Trait::default() },
            Instr::LoadOut(_) => Trait { shape: hash(2), size: 1, ..Trait::default() },
            Instr::Unary(op, a) => joined(3, *op as u64, &[of(a)]),
            Instr::Binary(op, a, b) => joined(4, *op as u64, &[of(a), of(b)]),
            Instr::Select(c, a, b) => joined(5, 0, &[of(c), of(a), of(b)]),
            _ => {
                let mut operands = Vec::new();
                instr.for_each_operand(|operand| operands.push(of(&operand)));
                Trait { has_call: true, ..joined(6, 0, &operands) }
            }
        };
    }
    Some(analysis)
}

/// The trait of an operation on operands.
fn joined(kind: u64, op: u64, operands: &[Trait]) -> Trait {
    Trait {
        shape: operands.iter().fold(hash((kind, op)), |shape, operand| hash((shape, operand.shape))),
        size: operands.iter().fold(1, |size: u32, operand| size.saturating_add(operand.size)).min(LONGEST_STATEMENT + 1),
        level: operands.iter().map(|operand| operand.level).max().unwrap_or(0),
        has_call: operands.iter().any(|operand| operand.has_call),
    }
}

impl Analysis<'_> {
    /// The cell from which a statement reads a value that it does not compute.
    fn read(&self, val: Val, reader: u32) -> Option<Cell> {
        match self.home_of[val] {
            Some(home) if home != reader => Some(self.statements[home as usize].target),
            _ => self.code.instrs[val].loaded(),
        }
    }

    /// The trait of a value for who uses it.
    fn operand(&self, trait_of: &SecondaryMap<Val, Trait>, val: Val) -> Trait {
        match self.home_of[val] {
            None => trait_of[val],
            Some(statement) => {
                let statement = &self.statements[statement as usize];
                let kind = if matches!(statement.target, Cell::Memory(_)) { 1 } else { 2 };
                Trait { shape: hash(kind), size: 1, level: statement.is.level + 1, has_call: false }
            }
        }
    }

    /// The cells that a statement reads, in the order of its operations, and behind them the one it writes; `same` is false if
    /// its operations are not those of `like`.
    fn cells(&self, number: u32, like: u32, cells: &mut Vec<u32>) -> bool {
        cells.clear();
        let statement = &self.statements[number as usize];
        let mut stack = vec![(statement.value, self.statements[like as usize].value)];
        while let Some((val, other)) = stack.pop() {
            let (instr, pattern) = (&self.code.instrs[val], &self.code.instrs[other]);
            let same = match (self.read(val, number), self.read(other, like)) {
                (Some(cell @ Cell::Memory(_)), Some(Cell::Memory(_))) | (Some(cell @ Cell::Out(_)), Some(Cell::Out(_))) => {
                    cells.push(cell.position());
                    true
                }
                (None, None) => match (instr, pattern) {
                    (Instr::Const(a), Instr::Const(b)) => a.to_bits() == b.to_bits(),
                    (Instr::Unary(op, a), Instr::Unary(other_op, b)) => {
                        stack.push((*a, *b));
                        op == other_op
                    }
                    (Instr::Binary(op, a, b), Instr::Binary(other_op, c, d)) => {
                        stack.extend([(*b, *d), (*a, *c)]);
                        op == other_op
                    }
                    (Instr::Select(a, b, c), Instr::Select(d, e, f)) => {
                        stack.extend([(*c, *f), (*b, *e), (*a, *d)]);
                        true
                    }
                    _ => false,
                },
                _ => false,
            };
            if !same {
                return false;
            }
        }
        cells.push(statement.target.position());
        true
    }

    /// Finds runs with even strides among statements of one shape, which come in the order of their cells; the others are `left`.
    /// A run begins with two statements near each other; where it goes on follows from them.
    fn runs(&self, group: &[u32], left: &mut Vec<u32>) -> Vec<Run> {
        let mut runs = Vec::new();
        let mut cells: Vec<Option<Vec<u32>>> = Vec::with_capacity(group.len());
        for &number in group {
            let mut own = Vec::new();
            cells.push(self.cells(number, group[0], &mut own).then_some(own));
        }
        let target = |at: usize| self.statements[group[at] as usize].target.position();
        let mut taken = vec![false; group.len()];
        let mut members = Vec::new();
        for first in 0..group.len() {
            if taken[first] {
                continue;
            }
            let Some(start) = &cells[first] else {
                left.push(group[first]);
                continue;
            };
            let near = (first + 1..group.len()).filter(|&at| !taken[at]).take(NEAREST);
            let found = near.filter_map(|second| cells[second].as_ref().map(|own| steps(start, own))).find(|strides| {
                members.clear();
                members.push(first);
                let mut last = start;
                // The cell written is the last of the cells; it grows from iteration to iteration.
                while let Some(next) = strides.last().and_then(|stride| u32::try_from(i64::from(last[last.len() - 1]) + stride).ok()) {
                    let at = first + group[first..].partition_point(|number| self.statements[*number as usize].target.position() < next);
                    let Some(Some(own)) = cells.get(at).filter(|_| target(at) == next && !taken[at]) else { break };
                    if steps(last, own) != *strides {
                        break;
                    }
                    members.push(at);
                    last = own;
                }
                members.len() >= FEWEST_ITERATIONS && strides.iter().all(|stride| i32::try_from(*stride).is_ok())
            });
            match found {
                Some(strides) => {
                    members.iter().for_each(|&at| taken[at] = true);
                    let strides = strides.into_iter().map(|stride| stride as i32).collect();
                    runs.push(Run { first: group[first], iterations: members.len() as u32, strides });
                }
                None => left.push(group[first]),
            }
        }
        runs
    }

    /// The loop of a run.
    fn rerolled(&self, run: &Run) -> Loop {
        let statement = &self.statements[run.first as usize];
        let mut body = Body { result: Loop { iterations: run.iterations, ..Loop::default() }, numbered: FxHashMap::default() };
        // Values in the order of `cells`: first operands first.
        enum Task {
            Visit(Val),
            Build(Val),
        }
        let (mut tasks, mut values, mut next) = (vec![Task::Visit(statement.value)], Vec::new(), 0);
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(val) => match self.read(val, run.first) {
                    Some(cell) => {
                        values.push(body.number(Key::Load(cell, run.strides[next]), cell.load(), run.strides[next]));
                        next += 1;
                    }
                    None => {
                        tasks.push(Task::Build(val));
                        let start = tasks.len();
                        self.code.instrs[val].for_each_operand(|operand| tasks.push(Task::Visit(operand)));
                        tasks[start..].reverse();
                    }
                },
                Task::Build(val) => {
                    let mut instr = self.code.instrs[val].clone();
                    let mut n_operands = 0;
                    instr.for_each_operand(|_| n_operands += 1);
                    let operands: Vec<Val> = values.drain(values.len() - n_operands..).collect();
                    let mut operands = operands.into_iter();
                    instr.map_operands(|operand| operands.next().unwrap_or(operand));
                    let key = Key::of(&instr);
                    values.push(match key {
                        Some(key) => body.number(key, instr, 0),
                        None => body.result.body.instrs.push(instr),
                    });
                }
            }
        }
        let store = body.result.body.instrs.push(statement.target.store(values[0]));
        body.result.strides[store] = run.strides[next];
        body.result
    }

    /// The statements as straight-line code; values that others stored are loaded.
    fn straight(&self, statements: &[u32], needed: &mut SecondaryMap<Val, bool>) -> Code {
        let mut wanted: Vec<Val> = Vec::new();
        let mut stack: Vec<Val> = Vec::new();
        // A value that one of these statements stores is at hand.
        let own: FxHashSet<u32> = statements.iter().copied().collect();
        let home = |val: Val| self.home_of[val].filter(|home| !own.contains(home)).map(|home| self.statements[home as usize].target);
        for &number in statements {
            stack.push(self.statements[number as usize].value);
            while let Some(val) = stack.pop() {
                if !std::mem::replace(&mut needed[val], true) {
                    wanted.push(val);
                    if home(val).is_none() {
                        self.code.instrs[val].for_each_operand(|operand| stack.push(operand));
                    }
                }
            }
        }
        // Every value at its place in the given code, every store behind its value.
        wanted.sort_unstable();
        let mut stores: Vec<(Val, u32)> = statements.iter().map(|number| (self.statements[*number as usize].value, *number)).collect();
        stores.sort_unstable();
        let mut stores = stores.into_iter().peekable();
        let mut code = Code::default();
        let mut new_of: FxHashMap<Val, Val> = FxHashMap::default();
        for val in wanted {
            needed[val] = false;
            let instr = match home(val) {
                Some(cell) => cell.load(),
                None => {
                    let mut instr = self.code.instrs[val].clone();
                    instr.map_operands(|operand| new_of[&operand]);
                    instr
                }
            };
            let new = code.instrs.push(instr);
            new_of.insert(val, new);
            while let Some((_, number)) = stores.next_if(|(value, _)| *value == val) {
                code.instrs.push(self.statements[number as usize].target.store(new));
            }
        }
        code
    }
}

/// From cell to cell.
fn steps(from: &[u32], to: &[u32]) -> Vec<i64> {
    from.iter().zip(to).map(|(from, to)| i64::from(*to) - i64::from(*from)).collect()
}

/// A run of statements that becomes a loop.
struct Run {
    first: u32,
    iterations: u32,
    /// Of the cells in the order of `Analysis::cells`.
    strides: Vec<i32>,
}

/// What makes two instructions of a body, or of symbolic runs, the same value.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Const(u64),
    Load(Cell, i32),
    Unary(Op1, Val),
    Binary(Op2, Val, Val),
    Select(Val, Val, Val),
}

impl Key {
    fn of(instr: &Instr) -> Option<Key> {
        match instr {
            Instr::Const(value) => Some(Key::Const(value.to_bits())),
            Instr::Unary(op, a) => Some(Key::Unary(*op, *a)),
            Instr::Binary(op, a, b) => Some(Key::Binary(*op, *a, *b)),
            Instr::Select(c, a, b) => Some(Key::Select(*c, *a, *b)),
            _ => None,
        }
    }
}

/// A loop in the making: equal operations are done once.
struct Body {
    result: Loop,
    numbered: FxHashMap<Key, Val>,
}

impl Body {
    fn number(&mut self, key: Key, instr: Instr, stride: i32) -> Val {
        let Body { result, numbered } = self;
        *numbered.entry(key).or_insert_with(|| {
            let val = result.body.instrs.push(instr);
            if stride != 0 {
                result.strides[val] = stride;
            }
            val
        })
    }
}

impl Loop {
    /// Code that runs some of its iterations, as a loop.
    pub fn asked(code: &Code, iterations: &Iterations) -> Loop {
        let body = Code { instrs: code.instrs.clone(), iterations: None };
        Loop { body, strides: iterations.strides.clone(), iterations: iterations.count, asked: Some((iterations.first, iterations.end)) }
    }

    /// Whether a value of the body is the same in every iteration.
    pub fn invariant(&self) -> SecondaryMap<Val, bool> {
        let mut invariant: SecondaryMap<Val, bool> = SecondaryMap::with_capacity(self.body.instrs.len());
        for (val, instr) in self.body.instrs.iter() {
            let mut fixed = self.strides[val] == 0 && instr.stored().is_none();
            instr.for_each_operand(|operand| fixed &= invariant[operand]);
            invariant[val] = fixed;
        }
        invariant
    }
}

/// Rolls a code up. Nothing if that would not make it much shorter.
pub fn reroll(code: &Code) -> Option<Vec<CodePart>> {
    if code.instrs.len() < SHORTEST_CODE || code.iterations.is_some() {
        return None;
    }
    let analysis = analyse(code)?;
    let n_levels = analysis.statements.iter().map(|statement| statement.is.level as usize + 1).max()?;
    // Straight-line statements and loops by level.
    let mut left: Vec<Vec<u32>> = vec![Vec::new(); n_levels];
    let mut loops: Vec<Vec<Loop>> = vec![Vec::new(); n_levels];
    let mut group_of: FxHashMap<(u32, bool, u64), usize> = FxHashMap::default();
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for (number, statement) in analysis.statements.iter().enumerate() {
        let is = statement.is;
        if is.has_call || is.size > LONGEST_STATEMENT {
            left[is.level as usize].push(number as u32);
            continue;
        }
        let group = *group_of.entry((is.level, matches!(statement.target, Cell::Memory(_)), is.shape)).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(number as u32);
    }
    let mut work = 0;
    for mut group in groups {
        let level = analysis.statements[group[0] as usize].is.level as usize;
        if group.len() < FEWEST_ITERATIONS {
            left[level].extend(group);
            continue;
        }
        group.sort_by_key(|number| analysis.statements[*number as usize].target);
        for run in analysis.runs(&group, &mut left[level]) {
            let rerolled = analysis.rerolled(&run);
            let invariant = rerolled.invariant();
            work += rerolled.body.instrs.iter().filter(|(val, instr)| !invariant[*val] && is_work(instr)).count()
                * rerolled.iterations as usize;
            loops[level].push(rerolled);
        }
    }
    let parts = analysis.parts(left, loops);
    let length = |part: &CodePart| match part {
        CodePart::Straight(code) => code.instrs.len(),
        CodePart::Loop(rerolled) => rerolled.body.instrs.len(),
    };
    let work_of = |code: &Code| code.instrs.values().filter(|instr| is_work(instr)).count();
    work += parts.iter().map(|part| if let CodePart::Straight(code) = part { work_of(code) } else { 0 }).sum::<usize>();
    let total: usize = parts.iter().map(length).sum();
    if 4 * total > 3 * code.instrs.len() || 2 * work > 3 * work_of(code) || !calls_once(code, &parts) {
        return None;
    }
    debug_assert!(same_effect(code, &parts), "re-rolled code differs");
    Some(parts)
}

/// Whether an instruction costs more than a load does.
fn is_work(instr: &Instr) -> bool {
    !matches!(instr, Instr::Const(_) | Instr::Load(_) | Instr::LoadOut(_) | Instr::Result(..))
}

/// Whether every call of the code is in the parts once, and all of them in one part.
fn calls_once(code: &Code, parts: &[CodePart]) -> bool {
    let count = |code: &Code| code.instrs.values().filter(|instr| matches!(instr, Instr::Call(..) | Instr::GuardedCall(..))).count();
    let with_calls: Vec<usize> =
        parts.iter().map(|part| if let CodePart::Straight(code) = part { count(code) } else { 0 }).filter(|n| *n > 0).collect();
    with_calls.len() <= 1 && with_calls.iter().sum::<usize>() == count(code)
}

impl Analysis<'_> {
    /// Level by level, straight-line statements before loops; straight-line statements with no loop between them are one part.
    fn parts(&self, left: Vec<Vec<u32>>, loops: Vec<Vec<Loop>>) -> Vec<CodePart> {
        let mut parts = Vec::new();
        let mut waiting: Vec<u32> = Vec::new();
        let mut needed: SecondaryMap<Val, bool> = SecondaryMap::with_capacity(self.code.instrs.len());
        let mut flush = |waiting: &mut Vec<u32>, parts: &mut Vec<CodePart>| {
            if !waiting.is_empty() {
                waiting.sort_unstable();
                parts.push(CodePart::Straight(self.straight(waiting, &mut needed)));
                waiting.clear();
            }
        };
        for (statements, loops) in left.into_iter().zip(loops) {
            waiting.extend(statements);
            if !loops.is_empty() {
                flush(&mut waiting, &mut parts);
                parts.extend(loops.into_iter().map(CodePart::Loop));
            }
        }
        flush(&mut waiting, &mut parts);
        parts
    }
}

/// Runs code with expressions for numbers: equal expressions have equal numbers.
#[derive(Default)]
struct Symbolic {
    numbered: FxHashMap<SymbolicKey, u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum SymbolicKey {
    /// What the cell held before.
    Before(Cell),
    /// An operation; the instruction as text without its operands, and their numbers.
    Operation(String, Vec<u32>),
}

impl Symbolic {
    fn number(&mut self, key: SymbolicKey) -> u32 {
        let next = self.numbered.len() as u32;
        *self.numbered.entry(key).or_insert(next)
    }

    fn run(&mut self, code: &Code, strides: &SecondaryMap<Val, i32>, iteration: i64, cells: &mut FxHashMap<Cell, u32>) {
        let mut value_of: SecondaryMap<Val, u32> = SecondaryMap::with_capacity(code.instrs.len());
        for (val, instr) in code.instrs.iter() {
            let moved = |cell: Cell| cell.moved(iteration * i64::from(strides[val]));
            if let Some((cell, value)) = instr.stored() {
                cells.insert(moved(cell), value_of[value]);
            } else if let Some(cell) = instr.loaded() {
                let cell = moved(cell);
                value_of[val] = cells.get(&cell).copied().unwrap_or_else(|| self.number(SymbolicKey::Before(cell)));
            } else {
                let mut operands = Vec::new();
                let mut bare = instr.clone();
                bare.map_operands(|operand| {
                    operands.push(value_of[operand]);
                    Val::new(0)
                });
                let text = match bare {
                    Instr::Const(value) => format!("{:x}", value.to_bits()),
                    other => format!("{other:?}"),
                };
                value_of[val] = self.number(SymbolicKey::Operation(text, operands));
            }
        }
    }
}

/// Whether the parts leave in every cell what the code leaves there, as expressions of what the cells held before.
/// Cost: linear in the operations that are done.
pub fn same_effect(code: &Code, parts: &[CodePart]) -> bool {
    let mut symbolic = Symbolic::default();
    let none: SecondaryMap<Val, i32> = SecondaryMap::new();
    let (mut expected, mut found) = (FxHashMap::default(), FxHashMap::default());
    symbolic.run(code, &none, 0, &mut expected);
    for part in parts {
        match part {
            CodePart::Straight(code) => symbolic.run(code, &none, 0, &mut found),
            CodePart::Loop(rerolled) => (0..rerolled.iterations)
                .for_each(|iteration| symbolic.run(&rerolled.body, &rerolled.strides, i64::from(iteration), &mut found)),
        }
    }
    expected == found
}

#[cfg(test)]
mod tests;
