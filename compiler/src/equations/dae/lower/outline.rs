//! Statements of algorithm sections that cannot be executed symbolically become functions of their own.
//!
//! Input: a flat model, and the statements of its algorithm sections that need a loop at run time (`while` whose end depends on what the
//! model computes, `for` over a range that does, slices of such sizes). Output: the model in which each of them is an assignment of a
//! call: `(x, y) := loop(x, y, a, time)`, where `x` and `y` are what the statement assigns.
//! Method: what the statement reads and assigns are the inputs; what it assigns are the outputs, which begin with the value of their
//! input. `pre(a)`, `der(a)` and the other operators that no function may contain are computed before the call and are inputs, too.
//! Guarantee: same values as the statement; relations inside make no events, as in every function.
//! Cost: a copy of the model, linear in its size, and only for models that have such statements.

use crate::frontend::flat::walk::for_each_child;
use crate::frontend::flat::{
    self, Builtin, Expr, ExprKind, FuncId, Function, FunctionBody, Local, LocalId, Scalar, Statement, StatementKind, Subscript, Type, VarId,
};
use indexmap::{IndexMap, IndexSet};
use partita_grammar::Span;
use rustc_hash::FxHashSet;

/// The model in which the statements at these places are calls; none if one of them cannot be.
pub(super) fn outlined(model: &flat::FlatModel, places: &FxHashSet<Span>) -> Option<flat::FlatModel> {
    let mut outlined = model.clone();
    let mut algorithms = std::mem::take(&mut outlined.algorithms);
    let mut initial = std::mem::take(&mut outlined.initial_algorithms);
    for algorithm in algorithms.iter_mut().chain(&mut initial) {
        statements(&mut outlined, &mut algorithm.statements, places)?;
    }
    outlined.algorithms = algorithms;
    outlined.initial_algorithms = initial;
    Some(outlined)
}

fn statements(model: &mut flat::FlatModel, list: &mut [Statement], places: &FxHashSet<Span>) -> Option<()> {
    for statement in list {
        if places.contains(&statement.span) {
            *statement = call_of(model, statement)?;
            continue;
        }
        for body in bodies(statement) {
            statements(model, body, places)?;
        }
    }
    Some(())
}

/// The lists of statements inside of a statement.
fn bodies(statement: &mut Statement) -> Vec<&mut Vec<Statement>> {
    match &mut statement.kind {
        StatementKind::If(branches, otherwise) => branches.iter_mut().map(|(_, body)| body).chain([otherwise]).collect(),
        StatementKind::For(_, _, body) | StatementKind::While(_, body) => vec![body],
        StatementKind::When(branches) => branches.iter_mut().map(|(_, body)| body).collect(),
        _ => Vec::new(),
    }
}

/// The expressions that a statement itself has.
fn expressions(statement: &mut Statement) -> Vec<&mut Expr> {
    match &mut statement.kind {
        StatementKind::Assign(target, value) => vec![target, value],
        StatementKind::Tuple(targets, call) => targets.iter_mut().flatten().chain([call]).collect(),
        StatementKind::If(branches, _) | StatementKind::When(branches) => branches.iter_mut().map(|(condition, _)| condition).collect(),
        StatementKind::For(_, over, _) | StatementKind::While(over, _) | StatementKind::Call(over) => vec![over],
        StatementKind::Break | StatementKind::Return => Vec::new(),
    }
}

/// The statement as an assignment of a call of a new function.
fn call_of(model: &mut flat::FlatModel, statement: &Statement) -> Option<Statement> {
    let span = statement.span;
    let mut targets = IndexSet::new();
    super::statement::collect_targets(std::slice::from_ref(statement), &mut targets);
    let mut body = statement.clone();
    let mut made = Outline {
        model,
        span,
        function: Function::empty(String::new(), span),
        targets,
        of_var: IndexMap::new(),
        of_operator: Vec::new(),
        of_loop: IndexMap::new(),
    };
    made.function.name = format!("{}.$loop{}", made.model.name, made.model.functions.len());
    for var in made.targets.clone() {
        let input = made.input_of_var(var);
        let declared = &made.model.vars[var];
        let local = Local {
            name: declared.name.clone(),
            ty: declared.ty.clone(),
            dim_exprs: Vec::new(),
            binding: Some(Expr { kind: ExprKind::Local(input), ty: declared.ty.clone(), span }),
            span,
        };
        let output = made.function.locals.push(local);
        made.function.outputs.push(output);
    }
    made.statement(&mut body, 0)?;
    let Outline { function, targets, of_var, of_operator, of_loop, .. } = made;
    // The arguments in the order of the inputs.
    let mut arguments: IndexMap<LocalId, Expr> = IndexMap::new();
    for (var, input) in of_var {
        arguments.insert(input, var.map_or_else(|| time(span), |var| variable(model, var, span)));
    }
    arguments.extend(of_operator.into_iter().map(|(operator, input)| (input, operator)));
    for (local, (input, is_outer)) in of_loop {
        if is_outer {
            arguments.insert(input, Expr { kind: ExprKind::Local(local), ty: model.loop_vars[local].ty.clone(), span });
        }
    }
    let arguments = function.inputs.iter().map(|input| arguments.swap_remove(input)).collect::<Option<Vec<_>>>()?;
    let first = targets.first().map(|var| model.vars[*var].ty.clone());
    let function = Function { body: FunctionBody::Algorithm(vec![body]), ..function };
    let id: FuncId = model.functions.push(function);
    let call = Expr { kind: ExprKind::Call(id, arguments), ty: first.unwrap_or_else(|| Type::scalar(Scalar::Real)), span };
    let mut outputs: Vec<Expr> = targets.iter().map(|var| variable(model, *var, span)).collect();
    let kind = match outputs.len() {
        0 => StatementKind::Call(call),
        1 => StatementKind::Assign(outputs.remove(0), call),
        _ => StatementKind::Tuple(outputs.into_iter().map(Some).collect(), call),
    };
    Some(Statement { kind, span })
}

fn time(span: Span) -> Expr {
    Expr { kind: ExprKind::Time, ty: Type::scalar(Scalar::Real), span }
}

fn variable(model: &flat::FlatModel, var: VarId, span: Span) -> Expr {
    Expr { kind: ExprKind::Var(var), ty: model.vars[var].ty.clone(), span }
}

/// A function that is being made of a statement.
struct Outline<'m> {
    model: &'m mut flat::FlatModel,
    span: Span,
    function: Function,
    /// What the statement assigns, in the order of the outputs.
    targets: IndexSet<VarId>,
    /// Inputs that are variables of the model; none is `time`.
    of_var: IndexMap<Option<VarId>, LocalId>,
    /// Inputs that are computed before the call.
    of_operator: Vec<(Expr, LocalId)>,
    /// Loop variables of the model: those of loops inside are locals, those of loops around the statement inputs.
    of_loop: IndexMap<LocalId, (LocalId, bool)>,
}

impl Outline<'_> {
    fn input(&mut self, name: String, ty: Type) -> LocalId {
        let input = self.function.locals.push(Local { name, ty, dim_exprs: Vec::new(), binding: None, span: self.span });
        self.function.inputs.push(input);
        input
    }

    fn input_of_var(&mut self, var: VarId) -> LocalId {
        if let Some(input) = self.of_var.get(&Some(var)) {
            return *input;
        }
        let declared = &self.model.vars[var];
        let input = self.input(declared.name.clone(), declared.ty.clone());
        self.of_var.insert(Some(var), input);
        input
    }

    /// Rewrites a statement; `loops` counts the loops of the statement around it. None for what a function cannot contain.
    fn statement(&mut self, statement: &mut Statement, loops: usize) -> Option<()> {
        match &statement.kind {
            StatementKind::When(_) | StatementKind::Return => return None,
            StatementKind::Break if loops == 0 => return None,
            StatementKind::Call(call) if !matches!(call.kind, ExprKind::Builtin(Builtin::Assert, _) | ExprKind::Call(..)) => return None,
            StatementKind::For(local, _, _) => {
                let declared = self.model.loop_vars[*local].clone();
                let own = self.function.locals.push(declared);
                self.of_loop.insert(*local, (own, false));
            }
            _ => {}
        }
        for expression in expressions(statement) {
            self.expression(expression)?;
        }
        if let StatementKind::For(local, _, _) = &mut statement.kind {
            *local = self.of_loop.get(local)?.0;
        }
        let loops = loops + usize::from(matches!(statement.kind, StatementKind::For(..) | StatementKind::While(..)));
        for body in bodies(statement) {
            for inner in body {
                self.statement(inner, loops)?;
            }
        }
        Some(())
    }

    /// Rewrites an expression: what it reads are inputs, or outputs that hold what was assigned.
    fn expression(&mut self, e: &mut Expr) -> Option<()> {
        match &mut e.kind {
            ExprKind::Var(var) => {
                let local = match self.targets.get_index_of(var) {
                    Some(position) => self.function.outputs[position],
                    None => self.input_of_var(*var),
                };
                e.kind = ExprKind::Local(local);
                return Some(());
            }
            ExprKind::Local(local) => {
                let local = *local;
                let own = match self.of_loop.get(&local) {
                    Some((own, _)) => *own,
                    None => {
                        let declared = self.model.loop_vars[local].clone();
                        let input = self.input(declared.name, declared.ty);
                        self.of_loop.insert(local, (input, true));
                        input
                    }
                };
                e.kind = ExprKind::Local(own);
                return Some(());
            }
            ExprKind::Time => {
                let input = match self.of_var.get(&None) {
                    Some(input) => *input,
                    None => {
                        let input = self.input("time".to_string(), Type::scalar(Scalar::Real));
                        self.of_var.insert(None, input);
                        input
                    }
                };
                e.kind = ExprKind::Local(input);
                return Some(());
            }
            ExprKind::Builtin(Builtin::NoEvent | Builtin::Smooth, operands) => {
                // Nothing in a function makes events.
                let inner = operands.pop()?;
                *e = inner;
                return self.expression(e);
            }
            ExprKind::Builtin(operator, _) if is_of_models_only(*operator) => return self.operator(e),
            ExprKind::Comprehension(_, iterators) => {
                for (local, _) in iterators.iter_mut() {
                    let own = self.function.locals.push(self.model.loop_vars[*local].clone());
                    self.of_loop.insert(*local, (own, false));
                    *local = own;
                }
            }
            _ => {}
        }
        let mut result = Some(());
        for_each_child(e, &mut |child| {
            if result.is_some() {
                result = self.expression(child);
            }
        });
        result
    }

    /// An operator that no function may contain is computed before the call; of an element that is chosen inside, for the whole array.
    fn operator(&mut self, e: &mut Expr) -> Option<()> {
        let ExprKind::Builtin(operator, operands) = &mut e.kind else { return None };
        if let [Expr { kind: ExprKind::Index(whole, subscripts), .. }] = operands.as_mut_slice()
            && matches!(operator, Builtin::Pre | Builtin::Der)
            && matches!(whole.kind, ExprKind::Var(_))
        {
            let ty = whole.ty.clone();
            let mut all = Expr { kind: ExprKind::Builtin(*operator, vec![(**whole).clone()]), ty, span: e.span };
            let mut subscripts = std::mem::take(subscripts);
            self.operator(&mut all)?;
            for subscript in &mut subscripts {
                if let Subscript::Index(index) | Subscript::Slice(index) = subscript {
                    self.expression(index)?;
                }
            }
            e.kind = ExprKind::Index(Box::new(all), subscripts);
            return Some(());
        }
        let is_pre = matches!(operator, Builtin::Pre);
        if !is_fixed_before(e, &if is_pre { IndexSet::new() } else { self.targets.clone() }) {
            return None;
        }
        let input = match self.of_operator.iter().find(|(known, _)| known.kind == e.kind) {
            Some((_, input)) => *input,
            None => {
                let input = self.input("operator".to_string(), e.ty.clone());
                self.of_operator.push((e.clone(), input));
                input
            }
        };
        e.kind = ExprKind::Local(input);
        Some(())
    }
}

/// Operators that belong to equations and algorithms of models.
fn is_of_models_only(operator: Builtin) -> bool {
    operator.is_of_time()
        || matches!(operator, Builtin::Reinit | Builtin::Terminate | Builtin::Homotopy | Builtin::SemiLinear | Builtin::Cardinality)
}

/// Whether an expression has the same value wherever in the statement it is computed: no loop variable, nothing that is assigned.
fn is_fixed_before(e: &Expr, targets: &IndexSet<VarId>) -> bool {
    let mut is_fixed = true;
    e.each_variable(&mut |var| is_fixed &= !targets.contains(&var));
    let mut copy = e.clone();
    fn has_local(e: &mut Expr) -> bool {
        let mut found = matches!(e.kind, ExprKind::Local(_));
        for_each_child(e, &mut |child| found |= has_local(child));
        found
    }
    is_fixed && !has_local(&mut copy)
}
