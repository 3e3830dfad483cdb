//! Says which unknowns no equation determines, and which equations are too many.
//!
//! Input: a problem that cannot be matched, and its Dulmage-Mendelsohn parts. Output: a message for each of the first parts. Method: in a
//! part with too few equations, what has a derivative or stands alone on a side is served first, so that the unknown which is left is the
//! one that a person would miss; in a part with too many, equations are served in the order of the text. An unknown and its
//! derivatives count once. Guarantee: as many unknowns or equations are named as are too many, up to a limit.
//! Cost: that of `structure::surplus` on parts of at most `LARGEST` members; larger ones are not explained one by one.

use crate::base::ids::{ExprId, VarId, set_of};
use crate::equations::dae::incidence::Problem;
use crate::equations::dae::text::expression_text;
use crate::equations::dae::{Equation, Role, System};
use crate::equations::expr::Node;
use crate::structure::dulmage_mendelsohn::{Parts, Subsystem, decompose};
use crate::structure::incidence::{Col, Row};
use crate::structure::matching::{Matching, any_entry};
use crate::structure::surplus::serve;
use partita_grammar::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

/// Parts with more members than this are shown by their first ones.
const LARGEST: usize = 1000;
/// So many parts are explained.
const PARTS: usize = 3;
/// So many names and equations of a part are shown.
const SHOWN: usize = 10;

/// Names the equations and unknowns that compete.
pub fn explain_singular(sys: &System, problem: &Problem, matching: &Matching, what: &str) -> Vec<Diagnostic> {
    explain_parts(sys, problem, &decompose(&problem.incidence, any_entry, matching), what)
}

/// Names the equations and unknowns of Dulmage-Mendelsohn parts that compete.
pub fn explain_parts(sys: &System, problem: &Problem, parts: &Parts, what: &str) -> Vec<Diagnostic> {
    let mut explained = Explained { sys, problem, what, n_unknowns: 0 };
    explained.n_unknowns = problem.unknowns.keys().filter(|col| explained.lowest(*col) == *col).count();
    let few = parts.under.iter().take(PARTS).filter_map(|part| explained.too_few(part));
    few.chain(parts.over.iter().take(PARTS).filter_map(|part| explained.too_many(part))).collect()
}

/// `p = 2` of a parameter: what has no unknown because its only candidate is none.
pub(crate) fn equation_for_a_parameter(sys: &System, equation: &Equation) -> Option<Diagnostic> {
    let var = [equation.lhs, equation.rhs].into_iter().find_map(|side| parameter(sys, side))?;
    let (name, span) = (&sys.vars[var].name, sys.vars[var].span);
    Some(
        Diagnostic::error("S010", format!("`{name}` is a parameter, and no equation can determine a parameter"))
            .at(equation.origin.span(), "this equation has no unknown")
            .at(span, "declared as a parameter here")
            .with_hint(format!("give `{name}` its value where it is declared, or declare it without `parameter`")),
    )
}

/// The parameter that a side of an equation is.
fn parameter(sys: &System, side: ExprId) -> Option<VarId> {
    match sys.arena.node(side) {
        // What the compiler made has no name that a user knows.
        Node::Var(var) if sys.vars[var].role == Role::Parameter && sys.vars[var].settable => Some(var),
        _ => None,
    }
}

fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// A problem that is being explained.
struct Explained<'p> {
    sys: &'p System,
    problem: &'p Problem,
    what: &'p str,
    /// An unknown and its derivatives are one.
    n_unknowns: usize,
}

impl Explained<'_> {
    /// The unknown whose derivative this one is, if both are unknowns.
    fn lowest(&self, col: Col) -> Col {
        let below = |col: Col| self.sys.vars[self.problem.unknowns[col]].integral.and_then(|var| self.problem.col_of[var].expand());
        std::iter::successors(Some(col), |col| below(*col)).last().unwrap_or(col)
    }

    fn name(&self, col: Col) -> &str {
        &self.sys.vars[self.problem.unknowns[col]].name
    }

    fn names(&self, cols: &[Col]) -> String {
        let mut list: Vec<String> = cols.iter().take(SHOWN).map(|col| self.name(*col).to_string()).collect();
        if cols.len() > SHOWN {
            list.push(format!("and {} more", cols.len() - SHOWN));
        }
        list.join(", ")
    }

    fn lines(&self, rows: &[Row]) -> String {
        let text = |side: ExprId| expression_text(self.sys, side);
        let line = |row: &Row| format!("  {} = {}", text(self.problem.equations[*row].lhs), text(self.problem.equations[*row].rhs));
        let mut list: Vec<String> = rows.iter().take(SHOWN).map(line).collect();
        if rows.len() > SHOWN {
            list.push(format!("  and {} more", rows.len() - SHOWN));
        }
        list.join("\n")
    }

    /// Which unknowns of a part, by their positions there, each of its equations has.
    fn cols_of_rows(&self, part: &Subsystem) -> Vec<Vec<usize>> {
        let at: FxHashMap<Col, usize> = part.cols.iter().enumerate().map(|(i, col)| (self.lowest(*col), i)).collect();
        let of_row = |row: &Row| {
            let entries = self.problem.incidence.matchable(*row);
            let mut found: Vec<usize> = entries.filter_map(|entry| at.get(&self.lowest(entry.col)).copied()).collect();
            found.sort_unstable();
            found.dedup();
            found
        };
        part.rows.iter().map(of_row).collect()
    }

    /// How well an unknown of a part seems to be determined: less is better.
    fn rank(&self, col: Col, alone: &FxHashSet<VarId>) -> u8 {
        let var = self.problem.unknowns[col];
        if self.sys.vars[var].derivative.is_some() {
            0
        } else if alone.contains(&var) {
            1
        } else {
            2
        }
    }

    /// For the equations of a part with too few of them the unknown that each determines, and the unknowns that are left.
    fn left_unknowns(&self, part: &Subsystem) -> (Vec<Option<Col>>, Vec<Col>) {
        let alone = |row: &Row| {
            let equation = self.problem.equations[*row];
            [equation.lhs, equation.rhs].into_iter().filter_map(|side| match self.sys.arena.node(side) {
                Node::Var(var) => Some(var),
                _ => None,
            })
        };
        let alone: FxHashSet<VarId> = part.rows.iter().flat_map(alone).collect();
        let mut order: Vec<usize> = (0..part.cols.len()).collect();
        order.sort_by_key(|&i| self.rank(part.cols[i], &alone));
        let mut rows_of = vec![Vec::new(); part.cols.len()];
        for (row, cols) in self.cols_of_rows(part).into_iter().enumerate() {
            cols.into_iter().for_each(|col| rows_of[col].push(row));
        }
        let members: Vec<Vec<usize>> = order.iter().map(|&i| std::mem::take(&mut rows_of[i])).collect();
        let mut of_row = vec![None; part.rows.len()];
        let mut left = Vec::new();
        for (&i, place) in order.iter().zip(serve(&members, part.rows.len())) {
            match place {
                Some(row) => of_row[row] = Some(part.cols[i]),
                None => left.push(part.cols[i]),
            }
        }
        (of_row, left)
    }

    fn too_few(&self, part: &Subsystem) -> Option<Diagnostic> {
        let (of_row, left) = match part.cols.len() <= LARGEST {
            true => self.left_unknowns(part),
            false => (Vec::new(), part.cols.iter().take(1).copied().collect()),
        };
        let first = *left.first()?;
        let (n_equations, n_unknowns) = (self.problem.equations.len(), self.n_unknowns);
        let mut error = match n_unknowns > n_equations {
            true => Diagnostic::error("S001", format!("{} has more unknowns than equations", self.what)),
            false => self.singular(),
        };
        for col in left.iter().take(SHOWN) {
            let reason = if part.rows.is_empty() { "no equation has" } else { "no equation is left to determine" };
            error = error.at(self.sys.vars[self.problem.unknowns[*col]].span, format!("{reason} {}", self.name(*col)));
        }
        let error = self.with_spans(error, part, &of_row, "one of the equations for them").with_note(self.counts());
        let (unknowns, equations) = (counted(part.cols.len(), "unknown"), counted(part.rows.len(), "equation"));
        let share = format!("these {unknowns} share {equations}: {}\n{}", self.names(&part.cols), self.lines(&part.rows));
        let error = if part.rows.is_empty() { error } else { error.with_note(share) };
        Some(error.with_hint(format!("write an equation for `{}`, or declare it as a parameter or an input", self.name(first))))
    }

    fn too_many(&self, part: &Subsystem) -> Option<Diagnostic> {
        let of_row: Vec<Option<Col>> = match part.rows.len() <= LARGEST {
            true => serve(&self.cols_of_rows(part), part.cols.len()).into_iter().map(|place| place.map(|at| part.cols[at])).collect(),
            false => Vec::new(),
        };
        let is_left = |i: &usize| of_row.get(*i).is_none_or(Option::is_none);
        let left: Vec<Row> = (0..part.rows.len()).rev().filter(is_left).map(|i| part.rows[i]).collect();
        left.first()?;
        let mut error = match self.problem.equations.len() > self.n_unknowns {
            true => Diagnostic::error("S002", format!("{} has more equations than unknowns", self.what)),
            false => self.singular(),
        };
        let is_surplus = set_of(left.iter().copied());
        for row in part.rows.iter().filter(|row| is_surplus.contains(**row)).take(SHOWN) {
            error = add_span(error, self.problem, *row, "one equation too many: others determine all of its unknowns".to_string());
        }
        let same = if part.cols.len() == 1 { "has the same unknown" } else { "has the same unknowns" };
        let error = self.with_spans(error, part, &of_row, same).with_note(self.counts());
        let error = error.with_note(format!(
            "these {} have {}: {}\n{}",
            counted(part.rows.len(), "equation"),
            counted(part.cols.len(), "unknown"),
            self.names(&part.cols),
            self.lines(&part.rows)
        ));
        let sides = |row: &Row| [self.problem.equations[*row].lhs, self.problem.equations[*row].rhs];
        Some(match part.rows.iter().flat_map(sides).find_map(|side| parameter(self.sys, side)) {
            Some(var) => error.with_hint(format!("`{}` is a parameter: no equation determines it", self.sys.vars[var].name)),
            None => error,
        })
    }

    fn singular(&self) -> Diagnostic {
        Diagnostic::error("S003", format!("{} is structurally singular", self.what))
    }

    fn counts(&self) -> String {
        format!("{}, {}", counted(self.problem.equations.len(), "equation"), counted(self.n_unknowns, "unknown"))
    }

    /// Adds the places of the equations of a part, each once, with what each determines.
    fn with_spans(&self, mut error: Diagnostic, part: &Subsystem, of_row: &[Option<Col>], otherwise: &str) -> Diagnostic {
        for (i, row) in part.rows.iter().enumerate().take(SHOWN) {
            let text = of_row.get(i).copied().flatten().map_or(otherwise.to_string(), |col| format!("determines {}", self.name(col)));
            error = add_span(error, self.problem, *row, text);
        }
        error
    }
}

/// Adds the place of an equation unless it is there.
fn add_span(error: Diagnostic, problem: &Problem, row: Row, text: String) -> Diagnostic {
    let span = problem.equations[row].span;
    if error.labels.iter().any(|label| label.span == span) { error } else { error.at(span, text) }
}
