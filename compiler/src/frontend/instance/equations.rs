//! Equations and statements with full names; connections are collected.
//!
//! Loops with connections, or whose variable chooses among components, are unrolled. `if` equations whose branches differ
//! in number, or contain connections, take the branch that holds while the model is made.

use super::ids::{Checked, InstId, MemberId, ScopeId, VariableId};
use super::references::reference_to;
use super::tree::{Basic, Instantiation, Locals, State, Target, is_connector};
use super::values::Value;
use crate::frontend::connect::{ConnectorSide, End, Kind};
use partita_grammar::Span;
use partita_grammar::ast::{
    self, ClassBody, ComponentRef, Equation, EquationKind, Expr, ExprKind, RefPart, Section, Statement, StatementKind, Variability,
};
use std::rc::Rc;

/// What a side of a connection means: connectors, or variables that are connectors, one by one.
pub(super) enum Ends {
    Insts(Vec<InstId>),
    Variables(Vec<(VariableId, usize)>),
    Absent,
}

impl<'s> Instantiation<'s> {
    /// All sections of an instance.
    pub(super) fn equations_of(&mut self, inst: InstId) -> Checked<()> {
        let classes: Vec<_> = self.insts[inst].bases.iter().map(|(class, _)| *class).collect();
        for class in classes.into_iter().rev() {
            let ClassBody::Long(body) = &self.class_syntax(class)?.body else { continue };
            let scope = self.scope(Some(inst), Some(class));
            for section in &body.sections {
                match section {
                    Section::Elements { .. } => {}
                    Section::Equations { initial, equations } => {
                        for equation in equations {
                            let mut made = Vec::new();
                            let mut locals = Locals::default();
                            match self.equation(equation, scope, &mut locals, &mut made) {
                                Ok(()) if *initial => self.out.initial_equations.append(&mut made),
                                Ok(()) => self.out.equations.append(&mut made),
                                Err(error) => self.keep(error),
                            }
                        }
                    }
                    Section::Algorithm { initial, statements, span } => {
                        let statements = self.statements(statements, scope, &mut Locals::default());
                        match statements {
                            Ok(statements) => {
                                let span = self.place(*span, scope);
                                self.out.algorithms.push(Section::Algorithm { initial: *initial, statements, span });
                            }
                            Err(error) => self.keep(error),
                        }
                    }
                    Section::ParameterEquation(equation) => {
                        return Err(self.fail("N006", "`parameter equation` is for flat files", equation.span, scope));
                    }
                }
            }
        }
        Ok(())
    }

    fn equation(&mut self, equation: &Equation, scope: ScopeId, locals: &mut Locals, out: &mut Vec<Equation>) -> Checked<()> {
        let span = self.place(equation.span, scope);
        let kind = match &equation.kind {
            EquationKind::Equal(a, b) => EquationKind::Equal(self.expr(a, scope, locals)?, self.expr(b, scope, locals)?),
            // Connections are made before equations are written.
            EquationKind::Connect(..) => return Ok(()),
            EquationKind::Call(call) if graph_call(call).is_some() => return Ok(()),
            EquationKind::Call(call) => EquationKind::Call(self.expr(call, scope, locals)?),
            EquationKind::When { branches } => {
                let mut made = Vec::new();
                for (condition, equations) in branches {
                    let condition = self.expr(condition, scope, locals)?;
                    made.push((condition, self.equation_list(equations, scope, locals)?));
                }
                EquationKind::When { branches: made }
            }
            EquationKind::If { branches, otherwise } => {
                if let Some(chosen) = self.structural_branch(branches, otherwise.as_deref(), scope, locals)? {
                    for equation in chosen {
                        self.equation(equation, scope, locals, out)?;
                    }
                    return Ok(());
                }
                let mut made = Vec::new();
                for (condition, equations) in branches {
                    let condition = self.expr(condition, scope, locals)?;
                    made.push((condition, self.equation_list(equations, scope, locals)?));
                }
                let otherwise = otherwise.as_ref().map(|list| self.equation_list(list, scope, locals)).transpose()?;
                EquationKind::If { branches: made, otherwise }
            }
            EquationKind::For { iterators, body } => return self.for_equation(equation, iterators, body, scope, locals, out),
        };
        out.push(Equation { kind, description: equation.description.clone(), annotation: None, span });
        Ok(())
    }

    fn equation_list(&mut self, list: &[Equation], scope: ScopeId, locals: &mut Locals) -> Checked<Vec<Equation>> {
        let mut made = Vec::new();
        for equation in list {
            self.equation(equation, scope, locals, &mut made)?;
        }
        Ok(made)
    }

    /// The branch that holds, if that is known: branches may hold different derivatives, or vanish where a value is zero, so they are
    /// not left to the run.
    pub(super) fn structural_branch<'e>(
        &mut self,
        branches: &'e [(Expr, Vec<Equation>)],
        otherwise: Option<&'e [Equation]>,
        scope: ScopeId,
        locals: &mut Locals,
    ) -> Checked<Option<&'e [Equation]>> {
        for (condition, list) in branches {
            match self.value_of(condition, scope, locals)? {
                Some(Value::Boolean(true)) => return Ok(Some(list)),
                Some(Value::Boolean(false)) => {}
                _ => return Ok(None),
            }
        }
        Ok(Some(otherwise.unwrap_or(&[])))
    }

    fn for_equation(
        &mut self,
        equation: &Equation,
        iterators: &[ast::Iterator],
        body: &[Equation],
        scope: ScopeId,
        locals: &mut Locals,
        out: &mut Vec<Equation>,
    ) -> Checked<()> {
        let known = iterators.iter().all(|i| i.range.is_some());
        if !known || (!has_connect(body) && !has_if(body)) {
            let before = locals.names.len();
            let outer = std::mem::replace(&mut locals.chosen_by_loop, false);
            let made_iterators = self.iterators(iterators, scope, locals)?;
            let made = self.equation_list(body, scope, locals);
            locals.names.truncate(before);
            let chosen = std::mem::replace(&mut locals.chosen_by_loop, outer);
            if !chosen || !known {
                locals.chosen_by_loop |= chosen;
                let span = self.place(equation.span, scope);
                let kind = EquationKind::For { iterators: made_iterators, body: made? };
                out.push(Equation { kind, description: None, annotation: None, span });
                return Ok(());
            }
        }
        self.unrolled(iterators, body, scope, locals, out)
    }

    fn unrolled(
        &mut self,
        iterators: &[ast::Iterator],
        body: &[Equation],
        scope: ScopeId,
        locals: &mut Locals,
        out: &mut Vec<Equation>,
    ) -> Checked<()> {
        let Some((first, rest)) = iterators.split_first() else {
            for equation in body {
                self.equation(equation, scope, locals, out)?;
            }
            return Ok(());
        };
        let Some(values) = self.range_values(first, scope, locals)? else {
            return Err(self.fail("N005", "the range of the loop cannot be evaluated", first.name.span, scope));
        };
        for value in values {
            locals.names.push((Rc::from(&*first.name.text), Some(value)));
            let made = self.unrolled(rest, body, scope, locals, out);
            locals.names.pop();
            made?;
        }
        Ok(())
    }

    /// `connect(a, b)`.
    pub(super) fn connect(&mut self, a: &ComponentRef, b: &ComponentRef, span: Span, scope: ScopeId, locals: &mut Locals) -> Checked<()> {
        let (side_a, ends_a) = self.ends(a, scope, locals)?;
        let (side_b, ends_b) = self.ends(b, scope, locals)?;
        let place = self.place(span, scope);
        match (ends_a, ends_b) {
            (Ends::Absent, _) | (_, Ends::Absent) => Ok(()),
            (Ends::Insts(a), Ends::Insts(b)) if a.len() == b.len() => {
                for (a, b) in a.into_iter().zip(b) {
                    self.count(a, b);
                    let edge = self.edge(a, b, place, scope)?;
                    let (a, b) = (self.leaves(a)?, self.leaves(b)?);
                    if a.len() != b.len() {
                        return Err(self.fail("K002", "the connectors do not have the same elements", span, scope));
                    }
                    for (name, variable) in &a {
                        let Some((_, other)) = b.iter().find(|(n, _)| n == name) else {
                            return Err(self.fail("K002", format!("only one of the connectors has `{name}`"), span, scope));
                        };
                        let sizes = (self.known_dims(*variable)?, self.known_dims(*other)?);
                        if sizes.0 != sizes.1 {
                            return Err(self.fail("K002", format!("`{name}` has different sizes in the connectors"), span, scope));
                        }
                        self.check_pair(*variable, *other, name, span, scope)?;
                        let n = sizes.0.iter().product::<usize>();
                        for element in 0..n {
                            let ends = ((*variable, element, side_a), (*other, element, side_b));
                            match edge.as_ref().and_then(|edge| edge.of(name)) {
                                Some(edge) => self.overconstrained.edges[edge].ends.push(ends),
                                None => self.join(ends.0, ends.1, place),
                            }
                        }
                    }
                }
                Ok(())
            }
            (Ends::Variables(a), Ends::Variables(b)) if a.len() == b.len() => {
                for ((a, i), (b, j)) in a.into_iter().zip(b) {
                    self.check_pair(a, b, "", span, scope)?;
                    self.overconstrained.count_variables(a, b);
                    self.join((a, i, side_a), (b, j, side_b), place);
                }
                Ok(())
            }
            _ => Err(self.fail("K002", "the connectors differ in kind or number", span, scope)),
        }
    }

    /// What is connected is of one type, and a flow or stream on both sides.
    fn check_pair(&mut self, a: VariableId, b: VariableId, name: &str, span: Span, scope: ScopeId) -> Checked<()> {
        let (x, y) = (&self.variables[a], &self.variables[b]);
        let kinds = [x, y].map(|v| (v.prefixes.flow, v.prefixes.stream));
        let what = || match name {
            "" => format!("`{}` and `{}`", x.name, y.name),
            name => format!("`{name}` of both connectors"),
        };
        if kinds[0] != kinds[1] {
            let text = format!("{} are connected, and only one is a {}", what(), flow_word(kinds));
            return Err(self.fail("K002", text, span, scope));
        }
        if x.basic != y.basic {
            let [p, q] = [x.basic, y.basic].map(|basic| self.basic_word(basic));
            let text = format!("{} are connected, and have the types {p} and {q}", what());
            return Err(self.fail("K002", text, span, scope));
        }
        Ok(())
    }

    fn basic_word(&self, basic: Basic) -> String {
        match basic {
            Basic::Builtin(builtin) => builtin.word().to_owned(),
            Basic::Enumeration(class) | Basic::Object(class) => self.class_path(class).to_owned(),
        }
    }

    pub(super) fn join(&mut self, a: (VariableId, usize, ConnectorSide), b: (VariableId, usize, ConnectorSide), place: Span) {
        let kinds = [a.0, b.0].map(|v| match self.variables[v].prefixes {
            prefixes if prefixes.flow => Kind::Flow,
            prefixes if prefixes.stream => Kind::Stream,
            _ => Kind::Potential,
        });
        let fixed = |v: VariableId| matches!(self.variables[v].prefixes.variability, Variability::Constant | Variability::Parameter);
        if fixed(a.0) || fixed(b.0) {
            return;
        }
        let end = |(variable, element, side): (VariableId, usize, ConnectorSide), kind: Kind| End {
            variable: variable.0,
            element,
            side: if kind == Kind::Potential { ConnectorSide::Inside } else { side },
        };
        self.connections.join(end(a, kinds[0]), end(b, kinds[1]), kinds[0], place);
    }

    pub(super) fn known_dims(&mut self, variable: VariableId) -> Checked<Vec<usize>> {
        let dims: Option<Vec<usize>> = self.variables[variable].dims.iter().copied().collect();
        match dims {
            Some(dims) => Ok(dims),
            None => {
                let member = self.variables[variable].member;
                let (span, scope) = (self.members[member].component.span, self.member_scope(member));
                Err(self.fail("N005", "the size of a connector must be known", span, scope))
            }
        }
    }

    /// The variables of a connector with their names in it.
    pub(super) fn leaves(&mut self, inst: InstId) -> Checked<Vec<(String, VariableId)>> {
        let mut found = Vec::new();
        let mut stack = vec![(String::new(), inst)];
        while let Some((prefix, inst)) = stack.pop() {
            let members: Vec<(&'s str, MemberId)> = self.insts[inst].members.iter().map(|(n, m)| (*n, *m)).collect();
            for (name, member) in members {
                match self.elaborate(member)? {
                    State::Variable(variable) => {
                        found.push(([prefix.as_str(), name].concat(), variable));
                    }
                    State::Instances { list, .. } => {
                        for (i, inner) in list.iter().enumerate() {
                            stack.push((format!("{prefix}{name}[{i}]."), *inner));
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(found)
    }

    pub(super) fn ends(&mut self, reference: &ComponentRef, scope: ScopeId, locals: &mut Locals) -> Checked<(ConnectorSide, Ends)> {
        let Some((Target::Member(member), used)) = self.target(reference, scope, locals)? else {
            return Err(self.fail("K001", "this is no connector", reference.span, scope));
        };
        let is_own = match self.elaborate(member)? {
            State::Instances { list, .. } => list.first().is_none_or(|inst| is_connector(self.insts[*inst].kind)),
            State::Variable(_) => true,
            _ => return Ok((ConnectorSide::Inside, Ends::Absent)),
        };
        let is_outer = self.members[member].clause.prefixes.outer;
        let side = if is_own && !is_outer { ConnectorSide::Outside } else { ConnectorSide::Inside };
        let ends = self.ends_of(member, &reference.parts[used..], scope, locals)?;
        Ok((side, ends))
    }

    fn ends_of(&mut self, member: MemberId, parts: &[RefPart], scope: ScopeId, locals: &mut Locals) -> Checked<Ends> {
        match self.elaborate(member)? {
            State::Variable(variable) => {
                let parent = self.members[member].inst;
                if !self.variables[variable].is_connector && !is_connector(self.insts[parent].kind) {
                    let text = format!("`{}` is no connector", self.variables[variable].name);
                    let error = self.fail("K001", text, parts[0].name.span, scope);
                    return Err(Box::new(error.with_hint("an equation makes two variables equal: a = b")));
                }
                let dims = self.known_dims(variable)?;
                let Some(chosen) = self.chosen_positions(&dims, &parts[0].subscripts, scope, locals)? else {
                    return Err(self.fail("N005", "the subscript cannot be evaluated", parts[0].name.span, scope));
                };
                Ok(Ends::Variables(chosen.into_iter().map(|element| (variable, element)).collect()))
            }
            State::Instances { dims, list } => {
                let Some(chosen) = self.chosen_positions(&dims, &parts[0].subscripts, scope, locals)? else {
                    return Err(self.fail("N005", "the subscript cannot be evaluated", parts[0].name.span, scope));
                };
                let insts: Vec<InstId> = chosen.into_iter().filter_map(|i| list.get(i).copied()).collect();
                let Some(next) = parts.get(1) else { return Ok(Ends::Insts(insts)) };
                let (mut found, mut variables) = (Vec::new(), Vec::new());
                for inst in insts {
                    let Some(member) = self.insts[inst].members.get(&*next.name.text).copied() else {
                        let text = format!("`{}` has no connector `{}`", self.insts[inst].name, next.name.text);
                        return Err(self.fail("K001", text, next.name.span, scope));
                    };
                    match self.ends_of(member, &parts[1..], scope, locals)? {
                        Ends::Absent => return Ok(Ends::Absent),
                        Ends::Insts(more) => found.extend(more),
                        Ends::Variables(more) => variables.extend(more),
                    }
                }
                Ok(if variables.is_empty() { Ends::Insts(found) } else { Ends::Variables(variables) })
            }
            _ => Ok(Ends::Absent),
        }
    }

    pub(super) fn statements(&mut self, list: &[Statement], scope: ScopeId, locals: &mut Locals) -> Checked<Vec<Statement>> {
        let mut made = Vec::new();
        for statement in list {
            self.statement(statement, scope, locals, &mut made)?;
        }
        Ok(made)
    }

    fn statement(&mut self, statement: &Statement, scope: ScopeId, locals: &mut Locals, out: &mut Vec<Statement>) -> Checked<()> {
        let span = self.place(statement.span, scope);
        let kind = match &statement.kind {
            StatementKind::Assign(target, value) => {
                let value = self.expr(value, scope, locals)?;
                if let Some(inst) = self.record_target(target, scope, locals)?
                    && !reads(&value, &format!("'{}.", self.insts[inst].name))
                {
                    return self.assign_fields(inst, &value, span, out);
                }
                let target = self.reference(target, scope, locals)?;
                self.assignment(target, value, span, scope)?
            }
            StatementKind::AssignTuple(targets, value) => {
                let targets = targets.iter().map(|t| t.as_ref().map(|t| self.expr(t, scope, locals)).transpose());
                StatementKind::AssignTuple(targets.collect::<Checked<_>>()?, self.expr(value, scope, locals)?)
            }
            StatementKind::Call(call) => StatementKind::Call(self.expr(call, scope, locals)?),
            StatementKind::If { branches, otherwise } => {
                let branches = self.statement_branches(branches, scope, locals)?;
                let otherwise = otherwise.as_ref().map(|list| self.statements(list, scope, locals)).transpose()?;
                StatementKind::If { branches, otherwise }
            }
            StatementKind::When { branches } => StatementKind::When { branches: self.statement_branches(branches, scope, locals)? },
            StatementKind::While { condition, body } => {
                StatementKind::While { condition: self.expr(condition, scope, locals)?, body: self.statements(body, scope, locals)? }
            }
            StatementKind::For { iterators, body } => {
                let before = locals.names.len();
                let iterators = self.iterators(iterators, scope, locals)?;
                let body = self.statements(body, scope, locals);
                locals.names.truncate(before);
                StatementKind::For { iterators, body: body? }
            }
            StatementKind::Break => StatementKind::Break,
            StatementKind::Return => StatementKind::Return,
        };
        out.push(Statement { kind, description: statement.description.clone(), annotation: None, span });
        Ok(())
    }

    /// The component that is a record, if a target is one.
    fn record_target(&mut self, target: &ComponentRef, scope: ScopeId, locals: &mut Locals) -> Checked<Option<InstId>> {
        let Some((Target::Member(member), used)) = self.target(target, scope, locals)? else { return Ok(None) };
        let mut member = member;
        for (part, next) in target.parts.iter().skip(used).zip(target.parts.iter().skip(used + 1).map(Some).chain([None])) {
            let State::Instances { dims, list } = self.elaborate(member)? else { return Ok(None) };
            if dims.len() != part.subscripts.len() {
                return Ok(None);
            }
            let all = super::values::shaped((0..list.len()).map(|i| Value::Integer(i as i64)).collect(), &dims);
            let Some(Value::Integer(i)) = self.subscripted(all, &part.subscripts, scope, locals)? else { return Ok(None) };
            let inst = list[i as usize];
            let Some(next) = next else { return Ok(Some(inst)) };
            match self.insts[inst].members.get(&*next.name.text) {
                Some(inner) => member = *inner,
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// A record is assigned field by field.
    fn assign_fields(&mut self, inst: InstId, value: &Expr, span: Span, out: &mut Vec<Statement>) -> Checked<()> {
        let members: Vec<(&'s str, MemberId)> = self.insts[inst].members.iter().map(|(name, member)| (*name, *member)).collect();
        for (name, member) in members {
            let field = Expr { kind: ExprKind::Field(Box::new(value.clone()), ast::Ident { text: name.into(), span }), span };
            match self.elaborate(member)? {
                State::Variable(variable) => {
                    let target = reference_to(&self.variables[variable].name.clone(), Vec::new(), span);
                    if let ExprKind::Ref(target) = target.kind {
                        out.push(Statement { kind: StatementKind::Assign(target, field), description: None, annotation: None, span });
                    }
                }
                State::Instances { dims, list } if dims.is_empty() => self.assign_fields(list[0], &field, span, out)?,
                _ => {
                    let scope = self.member_scope(member);
                    self.refuse("assignment to a record with an array of components", self.members[member].component.span, scope);
                }
            }
        }
        Ok(())
    }

    fn assignment(&mut self, target: Expr, value: Expr, span: Span, scope: ScopeId) -> Checked<StatementKind> {
        match target.kind {
            ExprKind::Ref(target) => Ok(StatementKind::Assign(target, value)),
            _ => {
                self.refuse("assignment to an array of components, or to a record from itself", Span::default(), scope);
                Ok(StatementKind::Call(Expr { kind: ExprKind::Boolean(false), span }))
            }
        }
    }

    fn statement_branches(
        &mut self,
        branches: &[(Expr, Vec<Statement>)],
        scope: ScopeId,
        locals: &mut Locals,
    ) -> Checked<Vec<(Expr, Vec<Statement>)>> {
        let made =
            branches.iter().map(|(condition, list)| Ok((self.expr(condition, scope, locals)?, self.statements(list, scope, locals)?)));
        made.collect()
    }
}

/// The word of the prefix that only one side has: (flow, stream) of both.
fn flow_word(kinds: [(bool, bool); 2]) -> &'static str {
    if kinds[0].0 == kinds[1].0 { "stream" } else { "flow" }
}

/// Whether an expression with full names refers to what begins with this.
fn reads(e: &Expr, beginning: &str) -> bool {
    let mut found = false;
    crate::frontend::flatten::parameters::each_reference(e, &mut |reference| {
        found |= reference.parts.first().is_some_and(|part| part.name.text.starts_with(beginning))
    });
    found
}

/// `Connections.root(...)` and its like: the word behind the dot and the arguments.
pub(super) fn graph_call(call: &Expr) -> Option<(&str, &ast::CallArguments)> {
    let ExprKind::Call { function, arguments } = &call.kind else { return None };
    match function.parts.as_slice() {
        [first, word] if first.name.text == "Connections" => Some((&word.name.text, arguments)),
        _ => None,
    }
}

pub(super) fn has_connect(list: &[Equation]) -> bool {
    list.iter().any(|equation| match &equation.kind {
        EquationKind::Connect(..) => true,
        EquationKind::Call(call) => graph_call(call).is_some(),
        EquationKind::For { body, .. } => has_connect(body),
        EquationKind::If { branches, otherwise } => {
            branches.iter().any(|(_, list)| has_connect(list)) || otherwise.as_deref().is_some_and(has_connect)
        }
        _ => false,
    })
}

fn has_if(list: &[Equation]) -> bool {
    list.iter().any(|equation| matches!(equation.kind, EquationKind::If { .. }))
}
