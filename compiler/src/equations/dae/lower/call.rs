//! Calls of functions: executed symbolically where that stays small, called otherwise.
//!
//! Input: a call. Output: its outputs. Guarantee: calls with equal arguments are executed once; what an attempt to inline did is undone where
//! it fails. Cost: at most [`MAX_NODES`] expressions per call that is inlined.

use super::arrays::check_elements;
use super::value::{TextFragment, Val};
use super::{Lowerer, Lowering, Phase, Scope, called, n_elements, shape};
use crate::base::ids::ExprId;
use crate::frontend::flat::{self, ExprKind};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::model::plan::ActionKind;
use partita_runtime::native::lookup;

/// How deep calls may nest before recursion is assumed.
const MAX_CALL_DEPTH: usize = 100;
/// How many expressions a call may make before the function is called instead of inlined.
const MAX_NODES: usize = 20_000;
/// How many more the calls of one statement may make: functions that call each other twice grow with every level.
const MAX_NODES_OF_A_STATEMENT: usize = 100_000;
/// A call to be inlined.
struct Attempt<'a> {
    id: flat::FuncId,
    body: &'a [flat::Statement],
    args: &'a [Val],
    /// Where the call matters.
    path: Option<ExprId>,
    span: Span,
    /// How many asserts and messages were pending before.
    n_actions: usize,
}

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
            let attempt = Attempt { id: *id, body, args: &args, path, span: call.span, n_actions };
            if let Some(outputs) = self.inlined(scope, &attempt, &key)? {
                // A call with asserts is executed again for every condition it stands under, and after the start.
                if is_repeatable && ((path.is_none() && scope.phase == Phase::Run) || self.pending_actions.len() == n_actions) {
                    self.calls.insert(memo_key, outputs.clone());
                }
                if scope.function.is_none() {
                    self.settle_actions();
                }
                return Ok(outputs);
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

    /// Tries to inline a call; none if it has to be made. Then nothing of the attempt stays, neither asserts nor results of calls whose asserts
    /// are gone.
    fn inlined(&mut self, scope: &Scope, attempt: &Attempt<'_>, key: &called::Key) -> Lowering<Option<Vec<Val>>> {
        let outer_limit = self.node_limit;
        self.node_limit = self.sys.arena.len() + MAX_NODES;
        self.inlining.push(attempt.id);
        let inlined = self.inlined_outputs(scope, attempt);
        self.inlining.pop();
        self.node_limit = outer_limit;
        match inlined {
            Ok(outputs) => Ok(Some(outputs)),
            Err(error) if matches!(error.code, "D004" | "D006") => {
                self.pending_actions.truncate(attempt.n_actions);
                self.calls.clear();
                if std::mem::take(&mut self.called.met_conditional) {
                    self.called.conditional.insert(key.clone());
                }
                self.called.too_large.insert(key.clone());
                // The outermost call of a function that calls itself is the one to be made.
                if self.inlining.contains(&attempt.id) { Err(error) } else { Ok(None) }
            }
            Err(error) => Err(error),
        }
    }

    /// All outputs of a function by executing its body symbolically.
    fn inlined_outputs(&mut self, scope: &Scope, attempt: &Attempt<'_>) -> Lowering<Vec<Val>> {
        let Attempt { id, body, args, path, span, .. } = *attempt;
        let function = &self.model.functions[id];
        let mut inner = Scope {
            no_event: scope.no_event || !function.generate_events,
            in_when: scope.in_when,
            phase: scope.phase,
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
}

fn has_text(value: &Val) -> bool {
    match value {
        Val::Scalar(_) | Val::Uninitialised | Val::Empty(_) => false,
        Val::Array(items) | Val::Record(items) => items.iter().any(has_text),
        Val::Text(_) => true,
    }
}
