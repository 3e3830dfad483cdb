//! Symbolic execution of algorithms: inlines functions, turns algorithm sections into equations.
//!
//! Assignments under a condition become `if` expressions (guards); loops over known ranges are unrolled; `return` and
//! `break` under a condition guard what follows. A loop whose end is known only at run time cannot be executed this way.

use super::arrays::check_elements;
use super::value::{TextFragment, Val};
use super::{Lowerer, Lowering, Scope, n_elements, shape, unsupported};
use crate::base::ids::ExprId;
use crate::equations::dae::Role;
use crate::equations::expr::Node;
use crate::frontend::flat::{self, ExprKind, StatementKind, Subscript};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::base::math::Op2;
use partita_runtime::model::plan::ActionKind;
use partita_runtime::native::lookup;

/// How deep calls may nest before recursion is assumed.
const MAX_CALL_DEPTH: usize = 100;
/// How many expressions a call may make before the function is called instead of inlined.
const MAX_NODES: usize = 20_000;
/// How many more the calls of one statement may make: functions that call each other twice grow with every level.
const MAX_NODES_OF_A_STATEMENT: usize = 100_000;
/// How many iterations a `while` with a known condition may take.
const MAX_WHILE: usize = 10_000;

impl Lowerer<'_> {
    /// All outputs of a call.
    pub(super) fn call_outputs(&mut self, scope: &mut Scope, call: &flat::Expr) -> Lowering<Vec<Val>> {
        if let ExprKind::Builtin(flat::Builtin::SpatialDistribution, args) = &call.kind {
            return self.transport(scope, args, call.span);
        }
        let ExprKind::Call(id, args) = &call.kind else {
            return Ok(vec![self.expr(scope, call)?]);
        };
        let function = &self.model.functions[*id];
        if scope.depth >= MAX_CALL_DEPTH {
            return Err(Diagnostic::error("D004", format!("function {} calls itself", function.name)).at(call.span, "called here"));
        }
        if scope.function.is_some() && self.sys.arena.len() > self.node_limit.saturating_add(MAX_NODES_OF_A_STATEMENT) {
            return Err(Diagnostic::error("D004", "the function is too large to be inlined").at(call.span, "here"));
        }
        let args = args.iter().map(|a| self.expr(scope, a)).collect::<Lowering<Vec<_>>>()?;
        let mut key = Vec::new();
        args.iter().for_each(|a| a.scalars(&mut key));
        let is_repeatable = !function.impure && !args.iter().any(|a| has_text(a) || a.has_uninitialised());
        let memo_key = (*id, key);
        if is_repeatable && let Some(outputs) = self.calls.get(&memo_key) {
            return Ok(outputs.clone());
        }
        let n_actions = self.pending_actions.len();
        let flat::FunctionBody::Algorithm(body) = &function.body else {
            return self.external_call(scope, *id, &args, call.span);
        };
        let key = (*id, self.shapes(*id, &args, call.span).unwrap_or_default());
        let live = self.live(scope);
        let path = self.conjunction(scope.path, live);
        // Inlining keeps what the outputs need; an effect needs the call. Not everything can be called.
        if function.has_effect
            && let Ok(outputs) = self.called_outputs(*id, &args, call.span)
        {
            return Ok(outputs);
        }
        if !self.called.too_large.contains(&key) {
            let outer_limit = self.node_limit;
            self.node_limit = self.sys.arena.len() + MAX_NODES;
            self.inlining.push(*id);
            let inlined = self.inlined_outputs(scope, path, *id, body, &args, call.span);
            self.inlining.pop();
            self.node_limit = outer_limit;
            match inlined {
                Ok(outputs) => {
                    // A call with asserts is executed again for every condition it stands under, and after the start.
                    if is_repeatable && ((path.is_none() && !scope.initial) || self.pending_actions.len() == n_actions) {
                        self.calls.insert(memo_key, outputs.clone());
                    }
                    if scope.function.is_none() {
                        self.settle_actions();
                    }
                    return Ok(outputs);
                }
                Err(error) if matches!(error.code, "D004" | "D006") => {
                    // Nothing of the attempt may stay, neither asserts nor results of calls whose asserts are gone.
                    self.pending_actions.truncate(n_actions);
                    self.calls.clear();
                    if std::mem::take(&mut self.called.met_conditional) {
                        self.called.conditional.insert(key.clone());
                    }
                    self.called.too_large.insert(key.clone());
                    // The outermost call of a function that calls itself is the one to be made.
                    if self.inlining.contains(id) {
                        return Err(error);
                    }
                }
                Err(error) => return Err(error),
            }
        }
        // Inlining executes all branches; a function that stands under a condition may be slow, or fail, where it does not hold.
        if scope.function.is_some() && scope.guard.is_some() && !self.called.eager {
            self.called.met_conditional = true;
            return Err(Diagnostic::error("D004", format!("{} is called under a condition", function.name)).at(call.span, "here"));
        }
        if function.generate_events && !scope.no_event {
            self.warn_once(
                Diagnostic::warning("D009", format!("function {} makes no events, because it is called, not inlined", function.name))
                    .at(function.span, "annotation(GenerateEvents = true) has no effect")
                    .at(call.span, "called here"),
            );
        }
        let outputs = match self.called_outputs(*id, &args, call.span) {
            // Not everything that can be inlined can be called; then all branches are executed after all.
            Err(error) if self.called.conditional.contains(&key) && !self.called.eager => {
                self.called.eager = true;
                self.called.too_large.remove(&key);
                let again = self.call_outputs(scope, call);
                self.called.eager = false;
                return again.map_err(|_| error);
            }
            outputs => outputs?,
        };
        if is_repeatable {
            self.calls.insert(memo_key, outputs.clone());
        }
        Ok(outputs)
    }

    /// All outputs of a function by executing its body symbolically.
    fn inlined_outputs(
        &mut self,
        scope: &Scope,
        path: Option<ExprId>,
        id: flat::FuncId,
        body: &[flat::Statement],
        args: &[Val],
        span: Span,
    ) -> Lowering<Vec<Val>> {
        let function = &self.model.functions[id];
        let mut inner = Scope {
            no_event: scope.no_event || !function.generate_events,
            in_when: scope.in_when,
            initial: scope.initial,
            function: Some(id),
            depth: scope.depth + 1,
            path,
            ..Scope::default()
        };
        for (local, arg) in function.inputs.iter().zip(args) {
            inner.locals[*local] = Some(arg.clone());
        }
        let mut waiting: Vec<flat::LocalId> = function.outputs.iter().chain(&function.protected).copied().collect();
        while !waiting.is_empty() {
            // What needs a local that is declared later waits for it.
            let mut still = Vec::new();
            let mut problem = None;
            for local in &waiting {
                match self.initial_local(&mut inner, &function.locals[*local]) {
                    Ok(value) => inner.locals[*local] = value,
                    Err(error) if error.code == "D007" => {
                        still.push(*local);
                        problem.get_or_insert(error);
                    }
                    Err(error) => return Err(error),
                }
            }
            if let Some(error) = problem.filter(|_| still.len() == waiting.len()) {
                return Err(error);
            }
            waiting = still;
        }
        inner.in_body = true;
        self.statements(&mut inner, body)?;
        let mut outputs = Vec::new();
        for local in &function.outputs {
            let declared = &function.locals[*local];
            let value = inner.locals[*local].clone().unwrap_or(Val::Uninitialised);
            // A record is often filled in part only; who reads the rest, finds no value.
            let is_record = matches!(declared.ty.scalar, flat::Scalar::Record(_));
            if value == Val::Uninitialised || (value.has_uninitialised() && !is_record) {
                return Err(Diagnostic::error("D007", format!("output {} of {} is not assigned", declared.name, function.name))
                    .at(declared.span, "declared here")
                    .at(span, "called here"));
            }
            outputs.push(value);
        }
        Ok(outputs)
    }

    /// All outputs of a call of an external function.
    fn external_call(&mut self, scope: &Scope, id: flat::FuncId, args: &[Val], span: Span) -> Lowering<Vec<Val>> {
        // Messages are made of values at run time, so they cannot be arguments of the run-time library.
        if let (flat::FunctionBody::External { function: name, .. }, Some(Val::Text(message))) =
            (&self.model.functions[id].body, args.first())
        {
            let kind = match name.as_str() {
                "ModelicaError" | "ModelicaFormatError" => Some(ActionKind::AssertError),
                "ModelicaMessage" | "ModelicaFormatMessage" => Some(ActionKind::Print),
                "ModelicaInternal_print" if args.get(1).and_then(Val::literal).is_none_or(|file| file.is_empty()) => {
                    Some(ActionKind::Print)
                }
                _ => None,
            };
            if let Some(kind) = kind {
                let always = self.sys.arena.constant(1.0);
                let mut message = message.clone();
                if kind == ActionKind::Print {
                    message.push(TextFragment::Literal("\n".to_string()));
                }
                self.action(scope, always, kind, message, span);
                return Ok(Vec::new());
            }
        }
        if let flat::FunctionBody::External { function: name, .. } = &self.model.functions[id].body
            && lookup(name).is_none()
            && !self.shared.has(name)
        {
            return Err(self.unknown_external(id, name).at(span, "called here"));
        }
        self.called_outputs(id, args, span)
    }

    /// The value of an output or protected local before the first statement.
    fn initial_local(&mut self, scope: &mut Scope, local: &flat::Local) -> Lowering<Option<Val>> {
        if let Some(binding) = &local.binding {
            return self.expr(scope, binding).map(Some);
        }
        // Arrays exist element by element.
        let mut dims = local.ty.dims.clone();
        for (i, dim) in dims.iter_mut().enumerate() {
            if dim.is_none()
                && let Some(Some(expr)) = local.dim_exprs.get(i)
            {
                let value = self.scalar(scope, expr)?;
                let size = self.sys.decided_value(value).filter(|v| *v >= 0.0);
                let size = size.ok_or_else(|| {
                    Diagnostic::error("D004", format!("the size of {} is known only at run time", local.name))
                        .at(expr.span, "this is not a constant here")
                })?;
                *dim = Some(size as usize);
            }
        }
        if dims.iter().any(Option::is_none) {
            return Ok(None);
        }
        let element = match local.ty.scalar {
            flat::Scalar::Record(record) => Some(self.uninitialised_record(scope, record)?),
            _ => None,
        };
        if dims.is_empty() {
            return Ok(element);
        }
        let n = n_elements(&dims);
        check_elements(n, local.span)?;
        let element = element.unwrap_or(Val::Uninitialised);
        element.count_copies(n);
        Ok(Some(shape(&dims, &mut std::iter::repeat_n(element, n))))
    }

    /// A record whose fields have their defaults or no value yet.
    fn uninitialised_record(&mut self, scope: &mut Scope, record: flat::RecordId) -> Lowering<Val> {
        let model = self.model;
        let mut fields = Vec::new();
        for field in &model.records[record].fields {
            if let Some(default) = &field.default {
                fields.push(self.expr(scope, default)?);
                continue;
            }
            let element = match field.ty.scalar {
                flat::Scalar::Record(inner) => self.uninitialised_record(scope, inner)?,
                _ => Val::Uninitialised,
            };
            if field.ty.dims.iter().any(Option::is_none) {
                fields.push(Val::Uninitialised);
                continue;
            }
            let n = n_elements(&field.ty.dims);
            element.count_copies(n);
            fields.push(shape(&field.ty.dims, &mut std::iter::repeat_n(element, n)));
        }
        Ok(Val::Record(fields))
    }

    /// `a and b`, where `None` is always.
    pub(super) fn conjunction(&mut self, a: Option<ExprId>, b: Option<ExprId>) -> Option<ExprId> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.sys.arena.and(a, b)),
            (a, b) => a.or(b),
        }
    }

    /// The condition under which the next statement is executed, `None` for always; `Some(false)` for never.
    pub(super) fn live(&mut self, scope: &Scope) -> Option<ExprId> {
        let mut live = scope.guard;
        for stopped in [scope.returned, scope.broken].into_iter().flatten() {
            let not = self.sys.arena.not(stopped);
            live = Some(match live {
                Some(l) => self.sys.arena.and(l, not),
                None => not,
            });
        }
        live
    }

    /// Executes statements in order.
    pub(super) fn statements(&mut self, scope: &mut Scope, statements: &[flat::Statement]) -> Lowering<()> {
        for statement in statements {
            let live = self.live(scope);
            if live.is_some_and(|l| self.sys.arena.as_constant(l) == Some(0.0)) {
                break;
            }
            if scope.function.is_some() && self.sys.arena.len() > self.node_limit {
                return Err(Diagnostic::error("D004", "the function is too large to be inlined").at(statement.span, "here"));
            }
            let known = self.needing_loops.len();
            let done = self.statement(scope, statement, live);
            // The innermost statement that fails is the one to be called.
            if scope.function.is_none() && done.as_ref().is_err_and(|error| error.code == "D004") && self.needing_loops.len() == known {
                self.needing_loops.insert(statement.span);
            }
            done?;
        }
        Ok(())
    }

    fn statement(&mut self, scope: &mut Scope, statement: &flat::Statement, live: Option<ExprId>) -> Lowering<()> {
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                let value = self.expr(scope, value)?;
                self.assign(scope, target, value, live)
            }
            StatementKind::Tuple(targets, call) => {
                let outputs = self.call_outputs(scope, call)?;
                for (target, output) in targets.iter().zip(outputs) {
                    if let Some(target) = target {
                        self.assign(scope, target, output, live)?;
                    }
                }
                Ok(())
            }
            StatementKind::If(branches, otherwise) => {
                let outer = scope.guard;
                let mut open = live;
                let mut result = Ok(());
                let mut decided = false;
                for (condition, body) in branches {
                    // A condition matters only where those before it do not hold.
                    let path = scope.path;
                    scope.path = self.conjunction(path, open);
                    let condition = self.scalar(scope, condition);
                    scope.path = path;
                    let condition = condition?;
                    let known = self.sys.arena.as_constant(condition);
                    if known == Some(0.0) {
                        continue;
                    }
                    scope.guard = match (open, known) {
                        (guard, Some(_)) => guard,
                        (None, None) => Some(condition),
                        (Some(open), None) => Some(self.sys.arena.and(open, condition)),
                    };
                    result = self.statements(scope, body);
                    if known.is_some() || result.is_err() {
                        decided = true;
                        break;
                    }
                    let not = self.sys.arena.not(condition);
                    open = Some(match open {
                        None => not,
                        Some(open) => self.sys.arena.and(open, not),
                    });
                }
                if !decided {
                    scope.guard = open;
                    result = self.statements(scope, otherwise);
                }
                scope.guard = outer;
                result
            }
            StatementKind::For(local, range, body) => {
                let range = self.expr(scope, range).map_err(|e| {
                    if e.code == "D006" {
                        Diagnostic::error("D004", "the loop's range is known only at run time").at(range.span, "this range")
                    } else {
                        e
                    }
                })?;
                let outer_broken = scope.broken.take();
                let outer_guard = std::mem::replace(&mut scope.guard, live);
                for item in range.items().unwrap_or(&[]) {
                    scope.locals[*local] = Some(item.clone());
                    self.statements(scope, body)?;
                    if scope.broken.is_some_and(|b| self.sys.arena.as_constant(b) == Some(1.0)) {
                        break;
                    }
                }
                scope.broken = outer_broken;
                scope.guard = outer_guard;
                Ok(())
            }
            StatementKind::While(condition, body) => {
                let outer_broken = scope.broken.take();
                let outer_guard = std::mem::replace(&mut scope.guard, live);
                for iteration in 0.. {
                    let value = self.scalar(scope, condition)?;
                    match self.sys.decided_value(value) {
                        Some(0.0) => break,
                        Some(_) if iteration < MAX_WHILE => {}
                        Some(_) => {
                            return Err(Diagnostic::error("D004", format!("the loop does not end within {MAX_WHILE} iterations"))
                                .at(statement.span, "this loop"));
                        }
                        None => {
                            return Err(Diagnostic::error("D004", "the loop ends at a value known only at run time")
                                .at(condition.span, "this condition"));
                        }
                    }
                    self.statements(scope, body)?;
                    match scope.broken.map(|b| self.sys.arena.as_constant(b)) {
                        Some(Some(1.0)) => break,
                        Some(None) => {
                            return Err(Diagnostic::error("D004", "the loop ends at a value known only at run time")
                                .at(statement.span, "this loop"));
                        }
                        _ => {}
                    }
                    if scope.returned.is_some_and(|r| self.sys.arena.as_constant(r) == Some(1.0)) {
                        break;
                    }
                }
                scope.broken = outer_broken;
                scope.guard = outer_guard;
                Ok(())
            }
            StatementKind::When(branches) => self.when_statement(scope, branches, statement.span),
            StatementKind::Call(call) => {
                let mut inner = scope.clone();
                inner.guard = live;
                self.effect(&mut inner, call, statement.span)
            }
            StatementKind::Break => {
                scope.broken = Some(self.stopped(scope.broken, live));
                Ok(())
            }
            StatementKind::Return => {
                scope.returned = Some(self.stopped(scope.returned, live));
                Ok(())
            }
        }
    }

    fn stopped(&mut self, before: Option<ExprId>, live: Option<ExprId>) -> ExprId {
        let now = match live {
            Some(live) => live,
            None => self.sys.arena.constant(1.0),
        };
        match before {
            Some(before) => self.sys.arena.or(before, now),
            None => now,
        }
    }

    /// Assigns to a variable, an element or a field, where `live` holds.
    pub(super) fn assign(&mut self, scope: &mut Scope, target: &flat::Expr, value: Val, live: Option<ExprId>) -> Lowering<()> {
        // Collect the path from the variable to the assigned part.
        let mut path = Vec::new();
        let mut root = target;
        loop {
            match &root.kind {
                ExprKind::Index(base, subscripts) => {
                    path.push(PathStep::Subscripts(subscripts));
                    root = base;
                }
                ExprKind::Field(base, field) => {
                    path.push(PathStep::Field(*field));
                    root = base;
                }
                _ => break,
            }
        }
        path.reverse();
        match &root.kind {
            ExprKind::Array(items) => return self.assign_to_list(scope, items, &path, &value, live, target.span),
            ExprKind::Record(_, fields) => return self.assign_to_fields(scope, fields, &path, &value, live, target.span),
            _ => {}
        }
        let old = match &root.kind {
            ExprKind::Var(id) => scope.assigned.get(id).cloned().or_else(|| self.value_of[*id].clone()),
            ExprKind::Local(id) => scope.locals[*id].clone(),
            _ => return Err(Diagnostic::error("D003", "this cannot be assigned to").at(target.span, "not a variable")),
        };
        let new = self.replaced(scope, old.as_ref(), &path, &value, live, target.span)?;
        match &root.kind {
            ExprKind::Var(id) => {
                scope.assigned.insert(*id, new);
            }
            ExprKind::Local(id) => scope.locals[*id] = Some(new),
            _ => {}
        }
        Ok(())
    }

    /// Assigns to an array that is written as the list of its elements, as scalarised models have it.
    fn assign_to_list(
        &mut self,
        scope: &mut Scope,
        items: &[flat::Expr],
        path: &[PathStep<'_>],
        value: &Val,
        live: Option<ExprId>,
        span: Span,
    ) -> Lowering<()> {
        let other_shape = || Diagnostic::error("D002", "the assigned value has other dimensions").at(span, "assigned here");
        let Some((step, rest)) = path.split_first() else {
            let parts = value.items().filter(|parts| parts.len() == items.len()).ok_or_else(other_shape)?;
            for (item, part) in items.iter().zip(parts) {
                self.assign(scope, item, part.clone(), live)?;
            }
            return Ok(());
        };
        let PathStep::Subscripts(subscripts) = step else { return Err(unsupported("assigning to this field", span)) };
        let Some((first, others)) = subscripts.split_first() else { return self.assign_to_list(scope, items, rest, value, live, span) };
        if !rest.is_empty() {
            return Err(unsupported("assigning to a part of this element", span));
        }
        // The element with the remaining subscripts as the target.
        let deeper = |item: &flat::Expr| {
            if others.is_empty() {
                item.clone()
            } else {
                flat::Expr { kind: ExprKind::Index(Box::new(item.clone()), others.to_vec()), ty: item.ty.clone(), span }
            }
        };
        let positions: Vec<ExprId> = match first {
            Subscript::Index(index) => {
                let index = self.scalar(scope, index)?;
                if self.sys.decided_value(index).is_some() {
                    let position = self.position(index, items.len(), span)?;
                    return self.assign(scope, &deeper(&items[position]), value.clone(), live);
                }
                for (i, item) in items.iter().enumerate() {
                    let number = self.sys.arena.constant(i as f64 + 1.0);
                    let here = self.sys.arena.binary(Op2::Eq, index, number);
                    let live = self.conjunction(live, Some(here));
                    self.assign(scope, &deeper(item), value.clone(), live)?;
                }
                let outside = self.is_outside(index, items.len());
                let (nowhere, live) = (self.nowhere(value), self.conjunction(live, Some(outside)));
                return items.iter().try_for_each(|item| self.assign(scope, &deeper(item), nowhere.clone(), live));
            }
            Subscript::Slice(indices) => self.expr(scope, indices)?.to_scalars(),
            Subscript::All => (1..=items.len()).map(|i| self.sys.arena.constant(i as f64)).collect(),
        };
        let parts = value.items().filter(|parts| parts.len() == positions.len()).ok_or_else(other_shape)?.to_vec();
        for (index, part) in positions.into_iter().zip(parts) {
            let position = self.position(index, items.len(), span)?;
            self.assign(scope, &deeper(&items[position]), part, live)?;
        }
        Ok(())
    }

    /// Assigns to a record that is written as the list of its fields, as scalarised models have it.
    fn assign_to_fields(
        &mut self,
        scope: &mut Scope,
        fields: &[flat::Expr],
        path: &[PathStep<'_>],
        value: &Val,
        live: Option<ExprId>,
        span: Span,
    ) -> Lowering<()> {
        match (path, value) {
            ([], Val::Record(parts)) if parts.len() == fields.len() => {
                fields.iter().zip(parts).try_for_each(|(field, part)| self.assign(scope, field, part.clone(), live))
            }
            ([PathStep::Field(field)], _) if *field < fields.len() => self.assign(scope, &fields[*field], value.clone(), live),
            _ => Err(unsupported("assigning to this part of a record", span)),
        }
    }

    /// `old` with the part at `path` replaced by `value` where `live` holds.
    fn replaced(
        &mut self,
        scope: &mut Scope,
        old: Option<&Val>,
        path: &[PathStep<'_>],
        value: &Val,
        live: Option<ExprId>,
        span: Span,
    ) -> Lowering<Val> {
        let Some((step, rest)) = path.split_first() else {
            let Some(live) = live else { return Ok(value.clone()) };
            // A scalar assigned to an array of it is spread.
            let new = self.assigned_where(live, value, old.unwrap_or(&Val::Uninitialised));
            return new.ok_or_else(|| Diagnostic::error("D002", "the assigned value has other dimensions").at(span, "assigned here"));
        };
        match step {
            PathStep::Field(field) => match old {
                Some(Val::Record(fields)) if *field < fields.len() => {
                    let mut fields = fields.clone();
                    fields[*field] = self.replaced(scope, Some(&fields[*field].clone()), rest, value, live, span)?;
                    Ok(Val::Record(fields))
                }
                _ => Err(unsupported("assigning to this field", span)),
            },
            PathStep::Subscripts(subscripts) => self.replaced_elements(scope, old, subscripts, rest, value, live, span),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the recursion over subscripts carries all of it")]
    fn replaced_elements(
        &mut self,
        scope: &mut Scope,
        old: Option<&Val>,
        subscripts: &[Subscript],
        rest: &[PathStep<'_>],
        value: &Val,
        live: Option<ExprId>,
        span: Span,
    ) -> Lowering<Val> {
        let Some((first, others)) = subscripts.split_first() else {
            return self.replaced(scope, old, rest, value, live, span);
        };
        let Some((array, items)) = old.and_then(|old| Some((old, old.items()?))) else {
            return Err(Diagnostic::error("D004", "an element of an array of unknown size is assigned").at(span, "here"));
        };
        let mut items = items.to_vec();
        let positions: Vec<ExprId> = match first {
            Subscript::Index(index) => {
                let index = self.scalar(scope, index)?;
                if self.sys.decided_value(index).is_none() {
                    // A run-time index: every element is replaced where its number is the index, and all where it is none of them.
                    let outside = self.is_outside(index, items.len());
                    let lost = self.conjunction(live, Some(outside)).unwrap_or(outside);
                    for (i, item) in items.iter_mut().enumerate() {
                        let number = self.sys.arena.constant(i as f64 + 1.0);
                        let here = self.sys.arena.binary(Op2::Eq, index, number);
                        let live = match live {
                            Some(live) => self.sys.arena.and(live, here),
                            None => here,
                        };
                        let replaced = self.replaced_elements(scope, Some(&item.clone()), others, rest, value, Some(live), span)?;
                        let nowhere = self.nowhere(&replaced);
                        *item = self.choose(lost, &nowhere, &replaced).unwrap_or(replaced);
                        item.to_scalars().into_iter().for_each(|scalar| self.sys.arena.set_span(scalar, (span.start, span.end)));
                    }
                    return Ok(Val::Array(items));
                }
                let position = self.position(index, items.len(), span)?;
                items[position] = self.replaced_elements(scope, Some(&items[position].clone()), others, rest, value, live, span)?;
                return Ok(Val::Array(items));
            }
            Subscript::Slice(indices) => self.expr(scope, indices)?.to_scalars(),
            Subscript::All => (1..=items.len()).map(|i| self.sys.arena.constant(i as f64)).collect(),
        };
        let parts = value.items().filter(|parts| parts.len() == positions.len());
        let Some(parts) = parts else {
            return Err(Diagnostic::error("D002", "the assigned value has other dimensions").at(span, "assigned here"));
        };
        for (index, part) in positions.into_iter().zip(parts) {
            let position = self.position(index, items.len(), span)?;
            items[position] = self.replaced_elements(scope, Some(&items[position].clone()), others, rest, part, live, span)?;
        }
        if items.is_empty() {
            return Ok(array.clone());
        }
        Ok(Val::Array(items))
    }

    fn position(&mut self, index: ExprId, len: usize, span: Span) -> Lowering<usize> {
        match self.sys.decided_value(index) {
            Some(v) if v >= 1.0 && v as usize <= len => Ok(v as usize - 1),
            Some(v) => Err(Diagnostic::error("D006", format!("index {v} is outside 1:{len}")).at(span, "here")),
            None => Err(Diagnostic::error("D004", "an index of this slice is known only at run time").at(span, "here")),
        }
    }

    /// An algorithm section: each assigned variable gets one equation.
    pub(super) fn algorithm(&mut self, algorithm: &flat::Algorithm, initial: bool) -> Lowering<()> {
        let mut targets = indexmap::IndexSet::new();
        collect_targets(&algorithm.statements, &mut targets);
        let mut scope = Scope { no_event: initial, initial, ..Scope::default() };
        for id in &targets {
            let Some(val) = self.value_of[*id].clone() else { continue };
            let before = val.map(&mut |e| match self.sys.arena.node(e) {
                Node::Var(v) if self.sys.vars[v].role == Role::Discrete && !initial => {
                    let pre = self.sys.pre_of(v);
                    Ok::<_, Diagnostic>(self.sys.arena.var(pre))
                }
                Node::Var(v) => Ok(self.sys.vars[v].start.unwrap_or_else(|| self.sys.arena.constant(0.0))),
                _ => Ok(e),
            })?;
            scope.assigned.insert(*id, before);
        }
        self.statements(&mut scope, &algorithm.statements)?;
        for id in targets {
            let (Some(lhs), Some(rhs)) = (self.value_of[id].clone(), scope.assigned.get(&id).cloned()) else { continue };
            self.equate(&lhs, &rhs, algorithm.span, initial)?;
        }
        Ok(())
    }
}

enum PathStep<'a> {
    Subscripts(&'a [Subscript]),
    Field(usize),
}

fn has_text(value: &Val) -> bool {
    match value {
        Val::Scalar(_) | Val::Uninitialised | Val::Empty(_) => false,
        Val::Array(items) | Val::Record(items) => items.iter().any(has_text),
        Val::Text(_) => true,
    }
}

/// The variables that an assignment to `target` may change.
pub(super) fn assigned_variables(target: &flat::Expr, found: &mut dyn FnMut(flat::VarId)) {
    match &target.kind {
        ExprKind::Var(id) => found(*id),
        ExprKind::Index(base, _) | ExprKind::Field(base, _) => assigned_variables(base, found),
        ExprKind::Array(items) | ExprKind::Record(_, items) => items.iter().for_each(|item| assigned_variables(item, found)),
        _ => {}
    }
}

/// Variables that statements assign, in order of first assignment.
pub(super) fn collect_targets(statements: &[flat::Statement], targets: &mut indexmap::IndexSet<flat::VarId>) {
    let target = |expr: &flat::Expr, targets: &mut indexmap::IndexSet<flat::VarId>| {
        assigned_variables(expr, &mut |id| {
            targets.insert(id);
        })
    };
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign(lhs, _) => target(lhs, targets),
            StatementKind::Tuple(lhs, _) => lhs.iter().flatten().for_each(|lhs| target(lhs, targets)),
            StatementKind::If(branches, otherwise) => {
                branches.iter().for_each(|(_, body)| collect_targets(body, targets));
                collect_targets(otherwise, targets);
            }
            StatementKind::When(branches) => branches.iter().for_each(|(_, body)| collect_targets(body, targets)),
            StatementKind::For(_, _, body) | StatementKind::While(_, body) => collect_targets(body, targets),
            StatementKind::Call(_) | StatementKind::Break | StatementKind::Return => {}
        }
    }
}
