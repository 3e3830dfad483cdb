//! `inStream`, `actualStream` and the equations of stream variables (chapter 15 of the specification).
//!
//! Input: sets of stream variables that are connected. Output: what flows in as an expression of the others: the one other
//! value, or a mixture by flows, `p(x) = max(x, 1e-7)` in the place of `max(x, 0)` so that it is defined at rest; connectors that
//! cannot deliver (`min >= 0` inside, `max <= 0` outside) drop out. Cost: per use, the size of the set.

use super::connections::equal;
use super::ids::{Checked, ScopeId, VariableId};
use super::tree::{Instantiation, Locals, State};
use super::values::{Value, flat_index};
use crate::frontend::connect::{ConnectorSide, End, Set};
use partita_grammar::Span;
use partita_grammar::ast::{self, BinaryOp, ComponentRef, Expr, ExprKind, Ident, RefPart, Subscript, UnaryOp};

/// Flows below this do not decide a mixture.
const AT_REST: f64 = 1e-7;
/// Outside connectors inside outside connectors.
const MAX_LEVELS: usize = 100;

impl<'s> Instantiation<'s> {
    /// `inStream(x)` or `actualStream(x)` for an expression with full names.
    pub(super) fn stream(&mut self, word: &str, e: Expr) -> Checked<Expr> {
        let span = e.span;
        match e.kind {
            ExprKind::Array(list) => {
                let list = list.into_iter().map(|e| self.stream(word, e)).collect::<Checked<_>>()?;
                Ok(Expr { kind: ExprKind::Array(list), span })
            }
            ExprKind::Parenthesised(e) => self.stream(word, *e),
            ExprKind::Subscripted(base, subscripts) => {
                let base = self.stream(word, *base)?;
                Ok(Expr { kind: ExprKind::Subscripted(Box::new(base), subscripts), span })
            }
            ExprKind::Ref(reference) => self.stream_of(word, reference, span),
            _ => Err(self.no_stream(word, span)),
        }
    }

    fn no_stream(&self, word: &str, span: Span) -> Box<partita_grammar::Diagnostic> {
        Box::new(partita_grammar::Diagnostic::error("K004", format!("`{word}` needs a stream variable of a connector")).at(span, ""))
    }

    fn stream_of(&mut self, word: &str, reference: ComponentRef, span: Span) -> Checked<Expr> {
        let [part] = reference.parts.as_slice() else { return Err(self.no_stream(word, span)) };
        let name = part.name.text.trim_matches('\'');
        let Some(variable) = self.stream_variables().get(name).copied() else { return Err(self.no_stream(word, span)) };
        let dims = self.known_dims(variable)?;
        let mut at = Vec::new();
        for subscript in &part.subscripts {
            match subscript {
                Subscript::Index(Expr { kind: ExprKind::Integer(i), .. }) => at.push(usize::try_from(*i).unwrap_or(0)),
                // Chosen when the model runs: of the whole array.
                _ => {
                    let whole = RefPart { name: part.name.clone(), subscripts: Vec::new() };
                    let whole = self.stream_of(word, ComponentRef { global: false, parts: vec![whole], span }, span)?;
                    return Ok(Expr { kind: ExprKind::Subscripted(Box::new(whole), part.subscripts.clone()), span });
                }
            }
        }
        self.stream_elements(word, variable, &dims, &mut at, span)
    }

    fn stream_elements(&mut self, word: &str, variable: VariableId, dims: &[usize], at: &mut Vec<usize>, span: Span) -> Checked<Expr> {
        if at.len() < dims.len() {
            let mut list = Vec::new();
            for i in 1..=dims[at.len()] {
                at.push(i);
                let element = self.stream_elements(word, variable, dims, at, span);
                at.pop();
                list.push(element?);
            }
            return Ok(Expr { kind: ExprKind::Array(list), span });
        }
        let Some(element) = flat_index(dims, at) else { return Err(self.no_stream(word, span)) };
        let end = End { variable: variable.0, element, side: ConnectorSide::Inside };
        let inside = self.in_stream(&end, span, 0)?;
        if word == "inStream" {
            return Ok(inside);
        }
        let (flow, own) = (self.flow_of(&end, span)?, self.end_reference(&end, span)?);
        let is_in = Expr { kind: ExprKind::Binary(BinaryOp::Greater, Box::new(flow), Box::new(real(0.0, span))), span };
        let chosen = Expr { kind: ExprKind::If { branches: vec![(is_in, inside)], otherwise: Box::new(own) }, span };
        Ok(call("smooth", vec![Expr { kind: ExprKind::Integer(0), span }, chosen], span))
    }

    fn stream_variables(&mut self) -> &rustc_hash::FxHashMap<String, VariableId> {
        if self.streams.is_none() {
            let all = self.out.variables.iter().filter(|v| self.variables[**v].prefixes.stream);
            self.streams = Some(all.map(|v| (self.variables[*v].name.to_string(), *v)).collect());
        }
        self.streams.get_or_insert_default()
    }

    /// What flows into a connector.
    fn in_stream(&mut self, end: &End, span: Span, level: usize) -> Checked<Expr> {
        let others = self.others(end);
        self.mixture(end, &others, span, level)
    }

    /// The ends that an end is connected to.
    fn others(&mut self, end: &End) -> Vec<End> {
        let Some(set) = self.connections.set_of(end) else { return Vec::new() };
        if self.connected.is_none() {
            self.connected = Some(self.connections.members());
        }
        let members = self.connected.as_ref().and_then(|members| members.get(&set));
        members.map(|members| members.iter().filter(|other| *other != end).copied().collect()).unwrap_or_default()
    }

    /// What comes out of a set, for one of its ends.
    fn mixture(&mut self, end: &End, others: &[End], span: Span, level: usize) -> Checked<Expr> {
        let mut sources = Vec::new();
        for other in others {
            if others.len() == 1 || self.delivers(other)? {
                sources.push(*other);
            }
        }
        let (Some(first), false) = (sources.first(), level > MAX_LEVELS) else { return self.end_reference(end, span) };
        if sources.len() == 1 {
            return self.delivered(first, span, level);
        }
        let (mut above, mut below) = (Vec::new(), Vec::new());
        for source in &sources {
            let (flow, value) = (self.flow_of(source, span)?, self.delivered(source, span, level)?);
            let flow = match source.side {
                ConnectorSide::Inside => Expr { kind: ExprKind::Unary(UnaryOp::Minus, Box::new(flow)), span },
                ConnectorSide::Outside => flow,
            };
            let weight = call("noEvent", vec![call("max", vec![flow, real(self.rest(source)?, span)], span)], span);
            below.push(weight.clone());
            above.push(Expr { kind: ExprKind::Chain(Box::new(weight), vec![(BinaryOp::Multiply, value)]), span });
        }
        let (above, below) = (sum(above, span), sum(below, span));
        Ok(Expr { kind: ExprKind::Chain(Box::new(above), vec![(BinaryOp::Divide, below)]), span })
    }

    /// The flow that counts as none, for the size that the flow has.
    fn rest(&mut self, end: &End) -> Checked<f64> {
        let Some(flow) = self.flow_variable(end)? else { return Ok(AT_REST) };
        let nominal = self.variables[flow].said.child("nominal").and_then(|said| said.value.clone());
        let Some(nominal) = nominal else { return Ok(AT_REST) };
        let size = self.binding_value(&nominal)?.and_then(|value| if let Value::Array(_) = value { None } else { value.real() });
        Ok(AT_REST * size.map_or(1.0, f64::abs))
    }

    /// What an end of a set brings into it.
    fn delivered(&mut self, end: &End, span: Span, level: usize) -> Checked<Expr> {
        match end.side {
            ConnectorSide::Inside => self.end_reference(end, span),
            ConnectorSide::Outside => self.in_stream(&End { side: ConnectorSide::Inside, ..*end }, span, level + 1),
        }
    }

    /// Whether something may come out of an end into its set.
    fn delivers(&mut self, end: &End) -> Checked<bool> {
        let Some(flow) = self.flow_variable(end)? else { return Ok(true) };
        let word = if end.side == ConnectorSide::Inside { "min" } else { "max" };
        let bound = self.variables[flow].said.child(word).and_then(|said| said.value.clone());
        let Some(bound) = bound else { return Ok(true) };
        let value = self.binding_value(&bound)?.and_then(|v| if let Value::Array(_) = v { None } else { v.real() });
        Ok(value.is_none_or(|value| if end.side == ConnectorSide::Inside { value < 0.0 } else { value > 0.0 }))
    }

    /// The flow beside a stream variable.
    fn flow_variable(&mut self, end: &End) -> Checked<Option<VariableId>> {
        let inst = self.members[self.variables[VariableId(end.variable)].member].inst;
        let members: Vec<_> = self.insts[inst].members.values().copied().collect();
        for member in members {
            if let State::Variable(variable) = self.elaborate(member)?
                && self.variables[variable].prefixes.flow
            {
                return Ok(Some(variable));
            }
        }
        Ok(None)
    }

    fn flow_of(&mut self, end: &End, span: Span) -> Checked<Expr> {
        match self.flow_variable(end)? {
            Some(flow) => self.end_reference(&End { variable: flow.0, element: 0, side: end.side }, span),
            None => {
                Err(Box::new(partita_grammar::Diagnostic::error("K004", "a connector with stream variables needs one flow").at(span, "")))
            }
        }
    }

    /// Equations of the stream variables of a set that are seen from inside their component.
    pub(super) fn outside_streams(&mut self, set: &Set) -> Checked<()> {
        for end in set.ends.iter().filter(|end| end.side == ConnectorSide::Outside) {
            let others: Vec<End> = set.ends.iter().filter(|other| *other != end).copied().collect();
            let (own, mixed) = (self.end_reference(end, set.span)?, self.mixture(end, &others, set.span, 0)?);
            self.out.equations.push(equal(own, mixed, set.span));
        }
        Ok(())
    }

    /// `inStream(argument)` as a call of the text.
    pub(super) fn stream_call(
        &mut self,
        word: &str,
        arguments: &ast::CallArguments,
        span: Span,
        scope: ScopeId,
        locals: &mut Locals,
    ) -> Checked<Expr> {
        let Some(argument) = arguments.positional.first() else { return Err(self.no_stream(word, span)) };
        let made = self.expr(argument, scope, locals)?;
        self.stream(word, Expr { span, ..made })
    }
}

fn real(value: f64, span: Span) -> Expr {
    Expr { kind: ExprKind::Real(value), span }
}

fn sum(terms: Vec<Expr>, span: Span) -> Expr {
    let mut terms = terms.into_iter();
    let Some(first) = terms.next() else { return real(0.0, span) };
    let chain = ExprKind::Chain(Box::new(first), terms.map(|term| (BinaryOp::Add, term)).collect());
    Expr { kind: ExprKind::Parenthesised(Box::new(Expr { kind: chain, span })), span }
}

fn call(name: &str, positional: Vec<Expr>, span: Span) -> Expr {
    let part = RefPart { name: Ident { text: name.into(), span }, subscripts: Vec::new() };
    let arguments = Box::new(ast::CallArguments { positional, ..ast::CallArguments::default() });
    Expr { kind: ExprKind::Call { function: ComponentRef { global: false, parts: vec![part], span }, arguments }, span }
}
