//! Connections before equations are written: `connect`, `Connections.root` and its like, and what functions say about them.
//!
//! Input: the sections of all instances. Output: connection sets, the forest of overconstrained connectors, how often each
//! connector is connected. `cardinality`, `Connections.isRoot` and `rooted` are then numbers, so that equations may depend on them.
//! Where a connection is broken, `equalityConstraint` takes the place of the equal variables.

use super::connections::{equal, zero};
use super::equations::{Ends, graph_call, has_connect};
use super::ids::{Checked, InstId, MemberId, ScopeId, VariableId};
use super::nodes::{Edge, Edges};
use super::tree::{Instantiation, Locals, Meaning, State};
use super::values::Value;
use crate::frontend::connect::overconstrained::{Overdetermined, forest};
use partita_grammar::Span;
use partita_grammar::ast::{self, Causality, ClassBody, ComponentRef, Equation, EquationKind, Expr, ExprKind, Ident, RefPart, Section};
use std::rc::Rc;

/// What an equation says about connectors.
#[derive(Clone, Copy)]
pub(super) enum Said<'s> {
    Connect(&'s ComponentRef, &'s ComponentRef),
    /// `Connections.root(...)` and its like.
    Graph(&'s Expr),
}

/// A `connect` or its like, of one round of the loops around it.
pub(super) struct Connection<'s> {
    pub(super) said: Said<'s>,
    pub(super) span: Span,
    pub(super) scope: ScopeId,
    /// Loop variables with their values.
    pub(super) names: Vec<(Rc<str>, Option<Value>)>,
}

impl<'s> Instantiation<'s> {
    /// Makes the connections of all instances.
    pub(super) fn connect_all(&mut self) -> Checked<()> {
        let mut list = Vec::new();
        for inst in self.out.insts.clone() {
            let classes: Vec<_> = self.insts[inst].bases.iter().map(|(class, _)| *class).collect();
            let mut met = Vec::new();
            for (at, class) in classes.into_iter().enumerate().rev() {
                let ClassBody::Long(body) = &self.class_syntax(class)?.body else { continue };
                let scope = self.scope(Some(inst), Some(class));
                let before = list.len();
                for section in &body.sections {
                    let Section::Equations { initial: false, equations } = section else { continue };
                    if let Err(error) = self.list_connections(equations, scope, &mut Locals::default(), &mut list) {
                        self.keep(error);
                    }
                }
                self.take_away(inst, at, class, &mut list, before, &mut met)?;
            }
            self.check_breaks(inst, &met)?;
        }
        self.expand(&list)?;
        for Connection { said, span, scope, names } in list {
            let mut locals = Locals { names, ..Locals::default() };
            let made = match said {
                Said::Connect(a, b) => self.connect(a, b, span, scope, &mut locals),
                Said::Graph(call) => self.graph_statement(call, scope, &mut locals),
            };
            if let Err(error) = made {
                self.keep(error);
            }
        }
        self.span_forest()?;
        self.drop_unused();
        Ok(())
    }

    /// Takes away the connections of a base that `break` names, and those of components that it takes away.
    fn take_away(
        &mut self,
        inst: InstId,
        at: usize,
        class: super::ids::ClassInstId,
        list: &mut Vec<Connection<'s>>,
        before: usize,
        met: &mut Vec<Span>,
    ) -> Checked<()> {
        let breaks = self.elements(self.insts[inst].class)?.breaks_of(at);
        for (text, span, _) in breaks {
            let source = self.library.classes[self.classes.class_insts[class].class].text.clone();
            let written = |reference: &ComponentRef| {
                let text = source.text.get(reference.span.start as usize..reference.span.end as usize).unwrap_or("");
                text.split_whitespace().collect::<String>()
            };
            let wanted: String = text.split_whitespace().collect();
            let of = |reference: &ComponentRef| reference.parts.first().is_some_and(|part| part.name.text == *wanted);
            let is_named = |a: &ComponentRef, b: &ComponentRef| {
                let (a, b) = (written(a), written(b));
                wanted == format!("connect({a},{b})") || wanted == format!("connect({b},{a})")
            };
            let mut kept = Vec::new();
            for connection in list.drain(before..) {
                let is_away = match connection.said {
                    Said::Connect(a, b) => is_named(a, b) || of(a) || of(b),
                    Said::Graph(_) => false,
                };
                match is_away {
                    true => met.push(span),
                    false => kept.push(connection),
                }
            }
            list.append(&mut kept);
        }
        Ok(())
    }

    /// Every connection that `break` names must be there.
    fn check_breaks(&mut self, inst: InstId, met: &[Span]) -> Checked<()> {
        let elements = self.elements(self.insts[inst].class)?;
        for (text, span, around) in (1..elements.bases.len()).flat_map(|at| elements.breaks_of(at)) {
            if text.starts_with("connect") && !met.contains(&span) {
                let scope = self.class_scope(around);
                return Err(self.fail("M001", format!("there is no `{text}` to take away"), span, scope));
            }
        }
        Ok(())
    }

    fn list_connections(
        &mut self,
        list: &'s [Equation],
        scope: ScopeId,
        locals: &mut Locals,
        out: &mut Vec<Connection<'s>>,
    ) -> Checked<()> {
        for equation in list.iter().filter(|equation| has_connect(std::slice::from_ref(*equation))) {
            let said = match &equation.kind {
                EquationKind::Connect(a, b) => Said::Connect(a, b),
                EquationKind::Call(call) => Said::Graph(call),
                EquationKind::If { branches, otherwise } => match self.structural_branch(branches, otherwise.as_deref(), scope, locals)? {
                    Some(chosen) => {
                        self.list_connections(chosen, scope, locals, out)?;
                        continue;
                    }
                    None => {
                        let text = "the condition of an `if` with connections must be known before the run";
                        let span = branches.first().map_or(equation.span, |(condition, _)| condition.span);
                        return Err(self.fail("N005", text, span, scope));
                    }
                },
                EquationKind::For { iterators, body } => {
                    self.list_loop(iterators, body, scope, locals, out)?;
                    continue;
                }
                _ => continue,
            };
            out.push(Connection { said, span: equation.span, scope, names: locals.names.clone() });
        }
        Ok(())
    }

    fn list_loop(
        &mut self,
        iterators: &'s [ast::Iterator],
        body: &'s [Equation],
        scope: ScopeId,
        locals: &mut Locals,
        out: &mut Vec<Connection<'s>>,
    ) -> Checked<()> {
        let Some((first, rest)) = iterators.split_first() else { return self.list_connections(body, scope, locals, out) };
        let Some(values) = self.range_values(first, scope, locals)? else {
            return Err(self.fail("N005", "the range of the loop cannot be evaluated", first.name.span, scope));
        };
        for value in values {
            locals.names.push((Rc::from(&*first.name.text), Some(value)));
            let made = self.list_loop(rest, body, scope, locals, out);
            locals.names.pop();
            made?;
        }
        Ok(())
    }

    /// The record that an argument of `Connections.root` and its like means.
    fn graph_node(&mut self, argument: Option<&Expr>, span: Span, scope: ScopeId, locals: &mut Locals) -> Checked<Option<usize>> {
        let Some(Expr { kind: ExprKind::Ref(reference), .. }) = argument else {
            return Err(self.fail("K003", "a record of a connector is needed here", span, scope));
        };
        match self.ends(reference, scope, locals)?.1 {
            Ends::Insts(insts) if insts.len() == 1 => Ok(Some(self.overconstrained.node(insts[0]))),
            Ends::Absent => Ok(None),
            _ => Err(self.fail("K003", "a record of a connector is needed here", reference.span, scope)),
        }
    }

    fn graph_statement(&mut self, call: &Expr, scope: ScopeId, locals: &mut Locals) -> Checked<()> {
        let Some((word, arguments)) = graph_call(call) else { return Ok(()) };
        let place = self.place(call.span, scope);
        let Some(node) = self.graph_node(arguments.positional.first(), call.span, scope, locals)? else { return Ok(()) };
        match word {
            "root" => {
                self.overconstrained.graph.roots.push(node);
                self.overconstrained.root_places.push(place);
            }
            "potentialRoot" => {
                let named = arguments.named.iter().find(|(name, _)| name.text == "priority").map(|(_, e)| e);
                let priority = match arguments.positional.get(1).or(named) {
                    Some(e) => match self.value_of(e, scope, locals)? {
                        Some(Value::Integer(i)) => i,
                        _ => return Err(self.fail("N005", "the priority cannot be evaluated", e.span, scope)),
                    },
                    None => 0,
                };
                self.overconstrained.graph.potential.push((node, priority));
            }
            "branch" => {
                let Some(other) = self.graph_node(arguments.positional.get(1), call.span, scope, locals)? else { return Ok(()) };
                self.overconstrained.graph.branches.push((node, other));
                self.overconstrained.branch_places.push(place);
            }
            _ => self.refuse(format!("`Connections.{word}`"), call.span, scope),
        }
        Ok(())
    }

    /// One more connection of two connectors.
    pub(super) fn count(&mut self, a: InstId, b: InstId) {
        for inst in [a, b] {
            *self.overconstrained.counts.entry(inst).or_insert(0) += 1;
        }
    }

    /// Edges between the overconstrained records of two connectors, if they have some.
    pub(super) fn edge(&mut self, a: InstId, b: InstId, place: Span, scope: ScopeId) -> Checked<Option<Edges>> {
        let (of_a, of_b) = (self.overconstrained_parts(a)?, self.overconstrained_parts(b)?);
        let mut found = Vec::new();
        for (prefix, a) in of_a {
            let Some((_, b)) = of_b.iter().find(|(other, _)| *other == prefix) else { continue };
            let nodes = (self.overconstrained.node(a), self.overconstrained.node(*b));
            self.overconstrained.graph.connections.push(nodes);
            found.push((prefix, self.overconstrained.edges.len()));
            self.overconstrained.edges.push(Edge { a, b: *b, ends: Vec::new(), place, scope });
        }
        Ok((!found.is_empty()).then_some(Edges(found)))
    }

    /// The records of a connector that have an `equalityConstraint`.
    fn overconstrained_parts(&mut self, inst: InstId) -> Checked<Vec<(String, InstId)>> {
        let members: Vec<_> = self.insts[inst].members.iter().map(|(name, member)| (*name, *member)).collect();
        let mut found = Vec::new();
        for (name, member) in members {
            match self.elaborate(member)? {
                State::Instances { dims, list }
                    if dims.is_empty() && self.member_of_class(self.insts[list[0]].class, "equalityConstraint")?.is_some() =>
                {
                    found.push((format!("{name}[0]."), list[0]));
                }
                State::Variable(_) => self.refuse_overconstrained_type(member)?,
                _ => {}
            }
        }
        Ok(found)
    }

    /// Types of one number or array with an `equalityConstraint` are not supported.
    fn refuse_overconstrained_type(&mut self, member: MemberId) -> Checked<()> {
        let clause = self.members[member].clause;
        let scope = self.member_scope(member);
        let (inst, class) = (self.contexts.scopes[scope].inst, self.contexts.scopes[scope].class);
        if let ast::TypeKind::Named(name) = &clause.type_spec.kind
            && let Meaning::Class(of) = self.class_by_name(name, Some(class), inst)?
            && self.member_of_class(of, "equalityConstraint")?.is_some()
        {
            self.refuse("overconstrained types that are no records", clause.type_spec.span, scope);
        }
        Ok(())
    }

    fn span_forest(&mut self) -> Checked<()> {
        let found = match forest(&self.overconstrained.graph) {
            Ok(found) => found,
            Err(why) => {
                let (text, place) = match why {
                    Overdetermined::Circle(at) => ("this branch closes a circle of branches", self.overconstrained.branch_places[at]),
                    Overdetermined::SecondRoot(at) => ("this is the second root of one tree", self.overconstrained.root_places[at]),
                };
                return Err(Box::new(partita_grammar::Diagnostic::error("K003", text).at(place, "")));
            }
        };
        let edges = std::mem::take(&mut self.overconstrained.edges);
        for (edge, broken) in edges.iter().zip(&found.broken) {
            if *broken {
                self.broken(edge)?;
            } else {
                edge.ends.iter().for_each(|(a, b)| self.join(*a, *b, edge.place));
            }
        }
        self.overconstrained.forest = Some(found);
        self.overconstrained.is_complete = true;
        Ok(())
    }

    /// `zeros(n) = equalityConstraint(a, b)` in the place of equal variables.
    fn broken(&mut self, edge: &Edge) -> Checked<()> {
        let class = self.insts[edge.a].class;
        let Some(Meaning::Class(function)) = self.member_of_class(class, "equalityConstraint")? else { return Ok(()) };
        let n = self.residues(function)?;
        let span = edge.place;
        let name = self.function_name(function)?;
        let mut positional = Vec::new();
        for inst in [edge.a, edge.b] {
            positional.push(self.whole_record(inst, span, edge.scope, &mut Locals::default())?);
        }
        let arguments = Box::new(ast::CallArguments { positional, ..ast::CallArguments::default() });
        let parts = vec![RefPart { name: Ident { span, ..name }, subscripts: Vec::new() }];
        let call = Expr { kind: ExprKind::Call { function: ComponentRef { global: false, parts, span }, arguments }, span };
        let zeros = Expr { kind: ExprKind::Array((0..n).map(|_| zero(span)).collect()), span };
        self.out.equations.push(equal(zeros, call, span));
        Ok(())
    }

    /// How many numbers an `equalityConstraint` gives.
    fn residues(&mut self, function: super::ids::ClassInstId) -> Checked<usize> {
        let elements = self.elements(function)?;
        for declared in elements.components.iter().filter(|d| d.clause.prefixes.causality == Causality::Output) {
            let scope = self.scope(None, Some(elements.bases[declared.base].id));
            let dims = declared.component.dims.first().or(declared.clause.type_spec.dims.first());
            if let Some(ast::Subscript::Index(e)) = dims
                && let Some(n) = self.dimension(e, scope)?
            {
                return Ok(n);
            }
        }
        let scope = self.class_scope(function);
        Err(self.fail("K003", "the size of the output of `equalityConstraint` must be a number", Span::default(), scope))
    }

    /// The value of `cardinality`, `Connections.isRoot` or `rooted`, once all connections are made.
    pub(super) fn graph_value(
        &mut self,
        word: &str,
        arguments: &ast::CallArguments,
        scope: ScopeId,
        locals: &mut Locals,
    ) -> Checked<Option<Value>> {
        if !self.overconstrained.is_complete {
            return Ok(None);
        }
        if word == "cardinality" {
            let Some(Expr { kind: ExprKind::Ref(reference), .. }) = arguments.positional.first() else { return Ok(None) };
            return Ok(match self.ends(reference, scope, locals)?.1 {
                Ends::Insts(insts) if insts.len() == 1 => {
                    Some(Value::Integer(self.overconstrained.counts.get(&insts[0]).copied().unwrap_or(0)))
                }
                Ends::Variables(variables) => {
                    let count = |(v, _): &(VariableId, usize)| self.overconstrained.variable_counts.get(v).copied();
                    Some(Value::Integer(variables.first().and_then(count).unwrap_or(0)))
                }
                Ends::Absent => Some(Value::Integer(0)),
                Ends::Insts(_) => None,
            });
        }
        let span = arguments.positional.first().map_or(Span::default(), |e| e.span);
        let Some(node) = self.graph_node(arguments.positional.first(), span, scope, locals)? else { return Ok(None) };
        let Some(forest) = &self.overconstrained.forest else { return Ok(None) };
        // A record that nothing is said about is a tree of its own.
        if node >= forest.is_root.len() {
            return Ok(Some(Value::Boolean(false)));
        }
        if word == "isRoot" {
            return Ok(Some(Value::Boolean(forest.is_root[node])));
        }
        let graph = &self.overconstrained.graph;
        let partner = graph.branches.iter().find_map(|(a, b)| match node {
            n if n == *a => Some(*b),
            n if n == *b => Some(*a),
            _ => None,
        });
        let is_nearer = partner.is_none_or(|other| match (forest.level[node], forest.level[other]) {
            (Some(own), Some(other)) => own < other,
            _ => false,
        });
        Ok(Some(Value::Boolean(is_nearer)))
    }
}
