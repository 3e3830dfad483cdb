//! Expandable connectors: what connections name in them is added, then they are connectors like others.
//!
//! Input: all connections, with the instances that exist. Output: further members of expandable connectors, typed by the other side
//! of the connection that names them, and those of the expandable connectors that they are connected to (section 9.1.3 of the
//! specification). Method: passes over the connections of expandable connectors until nothing is added.
//! What no connection ties to anything but expandable connectors is not there.
//! Cost: passes are as many as buses in a row; each is linear in the connections of expandable connectors.

use super::elaborate::What;
use super::graph::{Connection, Said};
use super::ids::{Checked, InstId, MemberId, VariableId};
use super::modification::first_component;
use super::tree::{Instantiation, Locals, Member, State, Target};
use super::values::{Value, shaped};
use crate::frontend::connect::Set;
use partita_grammar::ast::{self, ClassKind, ComponentRef, Expr, ExprKind, RefPart, Subscript, Variability};
use std::rc::Rc;

/// What one side of a connection means.
enum ConnectorSide<'s> {
    /// Connectors, with the component that declares them and their sizes.
    There { member: MemberId, insts: Vec<InstId>, sizes: Vec<usize> },
    /// Expandable connectors that do not have this yet.
    Missing { buses: Vec<InstId>, part: &'s RefPart },
    /// Something that is told when it is connected.
    Other,
}

impl<'s> Instantiation<'s> {
    fn is_bus(&self, inst: InstId) -> bool {
        self.insts[inst].kind == ClassKind::ExpandableConnector
    }

    /// Adds to expandable connectors what connections say that they have.
    pub(super) fn expand(&mut self, connections: &[Connection<'s>]) -> Checked<()> {
        if !self.out.insts.iter().any(|inst| self.is_bus(*inst)) {
            return Ok(());
        }
        let mut of_buses: Vec<&Connection<'s>> = Vec::new();
        for connection in connections {
            if let Said::Connect(a, b) = connection.said
                && (self.has_bus(a, connection)? || self.has_bus(b, connection)?)
            {
                of_buses.push(connection);
            }
        }
        loop {
            let mut is_more = false;
            for connection in &of_buses {
                let Said::Connect(a, b) = connection.said else { continue };
                let sides = (self.bus_side(a, connection)?, self.bus_side(b, connection)?);
                is_more |= match sides {
                    (ConnectorSide::Missing { buses, part }, ConnectorSide::There { member, sizes, .. })
                    | (ConnectorSide::There { member, sizes, .. }, ConnectorSide::Missing { buses, part }) => {
                        self.add_members(&buses, part, member, &sizes, &of_buses)?
                    }
                    (ConnectorSide::There { insts: a, .. }, ConnectorSide::There { insts: b, .. }) if a.len() == b.len() => {
                        let mut is_more = false;
                        for (a, b) in a.into_iter().zip(b) {
                            is_more |= self.unite(a, b)?;
                        }
                        is_more
                    }
                    _ => false,
                };
            }
            if !is_more {
                return Ok(());
            }
        }
    }

    /// Whether one of the components that a side names is an expandable connector.
    fn has_bus(&mut self, side: &'s ComponentRef, connection: &Connection<'s>) -> Checked<bool> {
        Ok(match self.bus_side(side, connection)? {
            ConnectorSide::Missing { .. } => true,
            ConnectorSide::There { member, insts, .. } => {
                let mut around = insts.first().copied().or(Some(self.members[member].inst));
                while let Some(inst) = around.filter(|inst| !self.is_bus(*inst)) {
                    around = self.insts[inst].parent;
                }
                around.is_some()
            }
            ConnectorSide::Other => false,
        })
    }

    fn bus_side(&mut self, side: &'s ComponentRef, connection: &Connection<'s>) -> Checked<ConnectorSide<'s>> {
        let mut locals = Locals { names: connection.names.clone(), ..Locals::default() };
        let scope = connection.scope;
        let Ok(Some((Target::Member(member), used))) = self.target(side, scope, &locals) else { return Ok(ConnectorSide::Other) };
        let (mut member, mut parts) = (member, &side.parts[used..]);
        let mut around: Vec<usize> = Vec::new();
        let mut members = vec![member];
        loop {
            let (mut insts, mut sizes) = (Vec::new(), Vec::new());
            for one in &members {
                let dims = match self.elaborate(*one)? {
                    State::Variable(variable) => self.known_dims(variable)?,
                    State::Instances { dims, .. } => dims,
                    _ => return Ok(ConnectorSide::Other),
                };
                let all = shaped((0..dims.iter().product::<usize>()).map(|i| Value::Integer(i as i64)).collect(), &dims);
                let Some(chosen) = self.subscripted(all, &parts[0].subscripts, scope, &mut locals)? else {
                    return Ok(ConnectorSide::Other);
                };
                sizes = (0..chosen.rank()).filter_map(|axis| chosen.shape(axis)).collect();
                if let State::Instances { list, .. } = self.elaborate(*one)? {
                    let mut leaves = Vec::new();
                    chosen.leaves(&mut leaves);
                    insts.extend(leaves.iter().filter_map(|i| match i {
                        Value::Integer(i) => list.get(*i as usize).copied(),
                        _ => None,
                    }));
                }
            }
            sizes.splice(0..0, around);
            around = sizes;
            let Some(next) = parts.get(1) else { return Ok(ConnectorSide::There { member, insts, sizes: around }) };
            members = insts.iter().filter_map(|inst| self.insts[*inst].members.get(&*next.name.text).copied()).collect();
            if members.len() < insts.len() || members.is_empty() {
                let is_last = parts.len() == 2;
                let is_missing = is_last && !insts.is_empty() && insts.iter().all(|inst| self.is_bus(*inst));
                return Ok(if is_missing { ConnectorSide::Missing { buses: insts, part: next } } else { ConnectorSide::Other });
            }
            (member, parts) = (members[0], &parts[1..]);
        }
    }

    /// Adds a member of the type of a component to expandable connectors.
    fn add_members(
        &mut self,
        buses: &[InstId],
        part: &'s RefPart,
        like: MemberId,
        sizes: &[usize],
        all: &[&Connection<'s>],
    ) -> Checked<bool> {
        let mut dims = self.sizes_by_use(buses[0], &part.name.text, part.subscripts.len(), all)?;
        // Elements of an array of buses take those of the other side one by one.
        dims.extend(sizes.iter().skip(if buses.len() > 1 { 1 } else { 0 }));
        for bus in buses {
            self.add_member(*bus, &part.name.text, like, &dims)?;
        }
        Ok(true)
    }

    /// The largest subscripts with which connections name a member of an expandable connector.
    fn sizes_by_use(&mut self, bus: InstId, name: &str, rank: usize, all: &[&Connection<'s>]) -> Checked<Vec<usize>> {
        let mut sizes = vec![0; rank];
        if rank == 0 {
            return Ok(sizes);
        }
        for connection in all {
            let Said::Connect(a, b) = connection.said else { continue };
            for side in [a, b] {
                let ConnectorSide::Missing { buses, part } = self.bus_side(side, connection)? else { continue };
                if !buses.contains(&bus) || part.name.text != *name {
                    continue;
                }
                let mut locals = Locals { names: connection.names.clone(), ..Locals::default() };
                for (size, subscript) in sizes.iter_mut().zip(&part.subscripts) {
                    let Subscript::Index(e) = subscript else { continue };
                    let value = self.value_of(e, connection.scope, &mut locals)?;
                    let mut leaves = Vec::new();
                    value.iter().for_each(|value| value.leaves(&mut leaves));
                    *size = leaves.iter().filter_map(|value| value.index()).fold(*size, usize::max);
                }
            }
        }
        Ok(sizes)
    }

    fn add_member(&mut self, bus: InstId, name: &'s str, like: MemberId, sizes: &[usize]) -> Checked<()> {
        let Member { clause, component, redeclared, .. } = self.members[like];
        let own = self.member_scope(like);
        let (type_scope, of) = redeclared.map_or((own, clause), |(scope, clause, _)| (scope, clause));
        let said = self.members[like].said.clone();
        let typed = self.type_of(of, type_scope, &said)?;
        let is_class = matches!(typed.what, What::Class(_));
        let sizes = &sizes[..sizes.len().saturating_sub(typed.dims.len())];
        let span = component.span;
        let dims = sizes.iter().map(|n| Subscript::Index(Expr { kind: ExprKind::Integer(*n as i64), span })).collect();
        let part = RefPart { name: ast::Ident { text: name.into(), span }, subscripts: Vec::new() };
        let component = ast::Component {
            name: ComponentRef { global: false, parts: vec![part], span },
            dims,
            modification: Vec::new(),
            binding: None,
            condition: None,
            ..component.clone()
        };
        let prefixes = ast::ComponentPrefixes {
            flow: clause.prefixes.flow,
            stream: clause.prefixes.stream,
            variability: of.prefixes.variability,
            ..ast::ComponentPrefixes::default()
        };
        let type_spec = ast::TypeSpec { dims: Vec::new(), ..of.type_spec.clone() };
        let clause = ast::ComponentClause { prefixes, type_spec, components: vec![component], constraint: None, span: clause.span };
        let Some((clause, component)) = first_component(self.library.keep_element(ast::Element::Components(clause))) else {
            return Ok(());
        };
        // Attributes of numbers are those of the component that has them.
        let said = if is_class { said } else { Rc::default() };
        let redeclared = Some((type_scope, clause, component));
        let state = State::Pending;
        let member = Member { inst: bus, name, base: 0, clause, component, redeclared, protected: false, state, said };
        let member = self.members.push(member);
        self.insts[bus].members.insert(name, member);
        match self.elaborate(member)? {
            State::Variable(variable) => self.out.variables.push(variable),
            State::Instances { list, .. } => list.iter().for_each(|inst| self.walk(*inst)),
            _ => {}
        }
        Ok(())
    }

    /// Two connected expandable connectors have the same members.
    fn unite(&mut self, a: InstId, b: InstId) -> Checked<bool> {
        if !self.is_bus(a) || !self.is_bus(b) {
            return Ok(false);
        }
        let mut is_more = false;
        for (from, to) in [(a, b), (b, a)] {
            let members: Vec<(&'s str, MemberId)> = self.insts[from].members.iter().map(|(n, m)| (*n, *m)).collect();
            for (name, member) in members {
                let dims = match self.elaborate(member)? {
                    State::Variable(variable) if self.is_fixed(variable) => continue,
                    State::Variable(variable) => self.known_dims(variable)?,
                    State::Instances { dims, .. } => dims,
                    _ => continue,
                };
                match self.insts[to].members.get(name).copied() {
                    None => {
                        self.add_member(to, name, member, &dims)?;
                        is_more = true;
                    }
                    Some(other) => {
                        if let (State::Instances { list: a, .. }, State::Instances { list: b, .. }) =
                            (self.elaborate(member)?, self.elaborate(other)?)
                            && a.len() == b.len()
                        {
                            for (a, b) in a.iter().zip(b.iter()) {
                                is_more |= self.unite(*a, *b)?;
                            }
                        }
                    }
                }
            }
        }
        Ok(is_more)
    }

    fn is_fixed(&self, variable: VariableId) -> bool {
        matches!(self.variables[variable].prefixes.variability, Variability::Constant | Variability::Parameter)
    }

    /// Whether a variable is an element of an expandable connector, which may have it or not.
    fn is_of_bus(&self, variable: VariableId) -> bool {
        let mut at = Some(self.members[self.variables[variable].member].inst);
        while let Some(inst) = at {
            if self.is_bus(inst) {
                return !self.is_fixed(variable);
            }
            at = self.insts[inst].parent;
        }
        false
    }

    /// Whether connected variables are those of expandable connectors only.
    pub(super) fn is_of_buses(&self, set: &Set) -> bool {
        self.found.has_buses && set.ends.iter().all(|end| self.is_of_bus(VariableId(end.variable)))
    }

    /// Whether nothing but expandable connectors is connected to an element of one.
    pub(super) fn is_unused(&self, variable: VariableId) -> bool {
        self.found.has_buses && self.is_of_bus(variable) && !self.out.variables.contains(&variable)
    }

    /// Takes away what expandable connectors declare and nothing else is connected to.
    pub(super) fn drop_unused(&mut self) {
        self.found.has_buses = self.out.insts.iter().any(|inst| self.is_bus(*inst));
        if !self.found.has_buses {
            return;
        }
        let mut used = rustc_hash::FxHashSet::default();
        for set in self.connections.sets() {
            if !self.is_of_buses(&set) {
                used.extend(set.ends.iter().map(|end| VariableId(end.variable)));
            }
        }
        let variables = std::mem::take(&mut self.out.variables);
        self.out.variables = variables.into_iter().filter(|v| used.contains(v) || !self.is_of_bus(*v)).collect();
    }
}
