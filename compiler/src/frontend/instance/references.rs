//! Expressions with full names in the place of those that the text of a class uses.
//!
//! Input: an expression and its scope. Output: an expression over quoted full names, functions by their full paths, values
//! of `size` and of loop variables that are unrolled. Every node keeps its place.

use super::ids::{Checked, ClassInstId, InstId, MemberId, Scope, ScopeId};
use super::tree::{Basic, Builtin, Instantiation, Locals, Meaning, State, Target, Variable, is_record};
use super::values::{Value, flat_index};
use partita_grammar::Span;
use partita_grammar::ast::{self, ComponentRef, Expr, ExprKind, Ident, RefPart, Subscript};
use std::rc::Rc;

/// Which elements of an array of components a subscript means.
enum Chosen {
    One(usize),
    Many(Vec<usize>),
    Computed(Expr),
}

pub(super) fn quoted(name: &str, span: Span) -> Ident {
    Ident { text: ["'", name, "'"].concat().as_str().into(), span }
}

pub(super) fn reference_to(name: &str, subscripts: Vec<Subscript>, span: Span) -> Expr {
    let part = RefPart { name: quoted(name, span), subscripts };
    Expr { kind: ExprKind::Ref(ComponentRef { global: false, parts: vec![part], span }), span }
}

impl<'s> Instantiation<'s> {
    /// What a reference begins with, and the position of the part that names it. Nothing for names without a class or
    /// component: `time`, predefined functions, errors.
    pub(super) fn target(&mut self, reference: &ComponentRef, scope: ScopeId, locals: &Locals) -> Checked<Option<(Target, usize)>> {
        let Some(first) = reference.parts.first() else { return Ok(None) };
        let name: &str = &first.name.text;
        if !reference.global
            && let Some((_, value)) = locals.names.iter().rev().find(|(n, _)| **n == *name)
        {
            return Ok(Some((Target::Local(value.clone()), 0)));
        }
        let Scope { inst, class } = self.contexts.scopes[scope];
        let found = if reference.global { self.lookup_from(None, name)? } else { self.lookup(class, name)? };
        let mut at = match found {
            None => return Ok(None),
            Some(Meaning::Builtin(builtin)) => return Ok(Some((Target::Builtin(builtin), 0))),
            Some(Meaning::Component(owner)) => return self.component_of(owner, inst, class, name).map(|t| Some((t, 0))),
            Some(Meaning::Constant(member)) => return Ok(Some((Target::Member(member), 0))),
            Some(Meaning::Class(found)) => self.modified_here(found, inst)?,
        };
        for (i, part) in reference.parts.iter().enumerate().skip(1) {
            let name: &str = &part.name.text;
            if let Some((id, literals)) = self.enumeration(at)?
                && let Some(position) = literals.iter().position(|l| l.name.text == *name)
            {
                return Ok(Some((Target::Literal(Value::Enumeration(id, position + 1, Rc::from(name))), i)));
            }
            match self.member_of_class(at, name)? {
                Some(Meaning::Class(found)) => at = found,
                Some(Meaning::Component(owner)) => return self.constant_of_class(owner, name).map(|t| Some((t, i))),
                Some(Meaning::Constant(member)) => return Ok(Some((Target::Member(member), i))),
                Some(Meaning::Builtin(_)) | None => {
                    let path = self.class_path(at).to_owned();
                    return Err(self.fail("N002", format!("`{path}` has no element `{name}`"), reference.span, scope));
                }
            }
        }
        Ok(Some((Target::Class(at), reference.parts.len() - 1)))
    }

    /// A function of an instance's class that is modified there reads that instance.
    fn modified_here(&mut self, class: ClassInstId, inst: Option<InstId>) -> Checked<ClassInstId> {
        use ast::{ClassBody, ClassKind};
        if inst.is_none() || !matches!(self.class_kind(class), ClassKind::Function | ClassKind::OperatorFunction) {
            return Ok(class);
        }
        match &self.class_syntax(class)?.body {
            ClassBody::Short { modification, .. } if !modification.is_empty() => Ok(self.at_home(class, inst)),
            _ => Ok(class),
        }
    }

    /// The component of a class that lookup found: of the instance at hand, of one around it, or a constant of a package.
    fn component_of(&mut self, owner: ClassInstId, inst: Option<InstId>, class: ClassInstId, name: &str) -> Checked<Target> {
        let member = |work: &Self, inst: InstId| work.insts[inst].members.get(name).copied();
        if owner == self.whole(class) {
            if let Some(found) = inst.and_then(|inst| member(self, inst)) {
                return self.seen(found).map(Target::Member);
            }
            use ast::ClassKind::{Function, OperatorFunction, OperatorRecord, Record};
            if inst.is_none() && matches!(self.class_kind(owner), Function | OperatorFunction | Record | OperatorRecord) {
                return Ok(Target::Own);
            }
        }
        // Through the classes around: one that was found in an instance sees that instance.
        let mut at = Some(class);
        while let Some(inner) = at.filter(|at| self.whole(*at) != owner) {
            if self.classes.class_insts[inner].outer.map(|outer| self.whole(outer)) == Some(owner)
                && let Some(home) = self.classes.class_insts[inner].home
                && let Some(found) = member(self, home)
            {
                return Ok(Target::Member(found));
            }
            at = self.classes.class_insts[inner].outer;
        }
        self.constant_of_class(owner, name)
    }

    /// `Class.name`: a constant.
    fn constant_of_class(&mut self, owner: ClassInstId, name: &str) -> Checked<Target> {
        let package = self.package(owner)?;
        self.insts[package].members.get(name).copied().map(Target::Member).ok_or_else(|| {
            let span = Span::default();
            let scope = self.class_scope(owner);
            self.fail("N002", format!("unknown name `{name}`"), span, scope)
        })
    }

    /// The expression with full names.
    pub(super) fn expr(&mut self, e: &Expr, scope: ScopeId, locals: &mut Locals) -> Checked<Expr> {
        let span = self.place(e.span, scope);
        let kind = match &e.kind {
            ExprKind::Integer(_) | ExprKind::Real(_) | ExprKind::String(_) | ExprKind::Boolean(_) | ExprKind::Break => e.kind.clone(),
            ExprKind::End => match locals.ends.last() {
                Some(n) => ExprKind::Integer(*n as i64),
                None => ExprKind::End,
            },
            ExprKind::Ref(reference) => return self.reference(reference, scope, locals),
            ExprKind::Call { function, arguments } => return self.call(e, function, arguments, scope, locals),
            ExprKind::Unary(op, a) => {
                let a = self.expr(a, scope, locals)?;
                return self.signed(*op, a, span, scope);
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(a, scope, locals)?, self.expr(b, scope, locals)?);
                return self.pair(*op, a, b, span, scope);
            }
            ExprKind::Chain(first, rest) => {
                let first = self.expr(first, scope, locals)?;
                let rest = rest.iter().map(|(op, e)| Ok((*op, self.expr(e, scope, locals)?))).collect::<Checked<_>>()?;
                return self.chain(first, rest, span, scope);
            }
            ExprKind::If { branches, otherwise } => return self.conditional(branches, otherwise, span, scope, locals),
            ExprKind::Range { start, step, stop } => ExprKind::Range {
                start: Box::new(self.expr(start, scope, locals)?),
                step: step.as_ref().map(|step| self.expr(step, scope, locals)).transpose()?.map(Box::new),
                stop: Box::new(self.expr(stop, scope, locals)?),
            },
            ExprKind::Array(list) => ExprKind::Array(self.exprs(list, scope, locals)?),
            ExprKind::Comprehension(body, iterators) => {
                let before = locals.names.len();
                let iterators = self.iterators(iterators, scope, locals)?;
                let body = self.expr(body, scope, locals);
                locals.names.truncate(before);
                ExprKind::Comprehension(Box::new(body?), iterators)
            }
            ExprKind::Matrix(rows) => ExprKind::Matrix(rows.iter().map(|row| self.exprs(row, scope, locals)).collect::<Checked<_>>()?),
            ExprKind::Tuple(list) => {
                let list = list.iter().map(|e| e.as_ref().map(|e| self.expr(e, scope, locals)).transpose());
                ExprKind::Tuple(list.collect::<Checked<_>>()?)
            }
            ExprKind::Parenthesised(a) => ExprKind::Parenthesised(Box::new(self.expr(a, scope, locals)?)),
            ExprKind::Subscripted(a, subscripts) => {
                let base = Box::new(self.expr(a, scope, locals)?);
                ExprKind::Subscripted(base, self.subscripts(subscripts, scope, locals)?)
            }
            ExprKind::Field(a, name) => ExprKind::Field(Box::new(self.expr(a, scope, locals)?), name.clone()),
        };
        Ok(Expr { kind, span })
    }

    pub(super) fn exprs(&mut self, list: &[Expr], scope: ScopeId, locals: &mut Locals) -> Checked<Vec<Expr>> {
        list.iter().map(|e| self.expr(e, scope, locals)).collect()
    }

    /// An `if` expression; a branch that is never taken may refer to components that are not there.
    fn conditional(
        &mut self,
        branches: &[(Expr, Expr)],
        otherwise: &Expr,
        span: Span,
        scope: ScopeId,
        locals: &mut Locals,
    ) -> Checked<Expr> {
        let mut made = Vec::new();
        let mut otherwise = otherwise;
        for (condition, value) in branches {
            // The branch that is taken may be what keeps declarations from depending on each other.
            match self.decided(condition, scope, locals) {
                Some(true) => {
                    otherwise = value;
                    break;
                }
                Some(false) => continue,
                None => {}
            }
            match self.expr(value, scope, locals) {
                Ok(value) => made.push((self.expr(condition, scope, locals)?, value)),
                // Only then is the condition needed while the model is made.
                Err(error) => match self.value_of(condition, scope, locals)? {
                    Some(Value::Boolean(false)) => {}
                    _ => return Err(error),
                },
            }
        }
        let last = match self.expr(otherwise, scope, locals) {
            Ok(last) => last,
            Err(error) => {
                for (condition, value) in branches {
                    match self.value_of(condition, scope, locals)? {
                        Some(Value::Boolean(true)) => return self.expr(value, scope, locals),
                        Some(Value::Boolean(false)) => {}
                        _ => return Err(error),
                    }
                }
                return Err(error);
            }
        };
        if made.is_empty() {
            return Ok(last);
        }
        Ok(Expr { kind: ExprKind::If { branches: made, otherwise: Box::new(last) }, span })
    }

    /// The value of a condition of constants and of parameters that are part of the equations: all but those of type Real.
    pub(super) fn decided(&mut self, condition: &Expr, scope: ScopeId, locals: &mut Locals) -> Option<bool> {
        if locals.values_only || !self.is_decided(condition, scope, locals) {
            return None;
        }
        // What cannot be evaluated is told where it is declared.
        match self.value_of(condition, scope, locals) {
            Ok(Some(Value::Boolean(value))) => Some(value),
            _ => None,
        }
    }

    fn is_decided(&mut self, e: &Expr, scope: ScopeId, locals: &Locals) -> bool {
        match &e.kind {
            ExprKind::Integer(_) | ExprKind::Real(_) | ExprKind::String(_) | ExprKind::Boolean(_) => true,
            ExprKind::Parenthesised(a) | ExprKind::Unary(_, a) => self.is_decided(a, scope, locals),
            ExprKind::Binary(_, a, b) => self.is_decided(a, scope, locals) && self.is_decided(b, scope, locals),
            ExprKind::Chain(first, rest) => {
                self.is_decided(first, scope, locals) && rest.iter().all(|(_, e)| self.is_decided(e, scope, locals))
            }
            ExprKind::Ref(reference) => self.is_part_of_equations(reference, scope, locals),
            _ => false,
        }
    }

    fn is_part_of_equations(&mut self, reference: &ComponentRef, scope: ScopeId, locals: &Locals) -> bool {
        let (mut member, used) = match self.target(reference, scope, locals) {
            Ok(Some((Target::Local(Some(_)) | Target::Literal(_), _))) => return true,
            Ok(Some((Target::Member(member), used))) => (member, used),
            _ => return false,
        };
        for part in reference.parts.iter().skip(used + 1) {
            let Ok(State::Instances { list, .. }) = self.elaborate(member) else { return false };
            match list.first().and_then(|inst| self.insts[*inst].members.get(&*part.name.text)) {
                Some(next) => member = *next,
                None => return false,
            }
        }
        let Ok(State::Variable(variable)) = self.elaborate(member) else { return false };
        let Variable { basic, prefixes, .. } = &self.variables[variable];
        match prefixes.variability {
            ast::Variability::Constant => true,
            ast::Variability::Parameter => prefixes.evaluate || *basic != Basic::Builtin(Builtin::Real),
            _ => false,
        }
    }

    /// Loop variables of reductions and comprehensions; they stay loops.
    pub(super) fn iterators(&mut self, list: &[ast::Iterator], scope: ScopeId, locals: &mut Locals) -> Checked<Vec<ast::Iterator>> {
        let mut made = Vec::new();
        for iterator in list {
            let range = match &iterator.range {
                Some(range) => Some(self.range(range, scope, locals)?),
                None => None,
            };
            let span = self.place(iterator.name.span, scope);
            made.push(ast::Iterator { name: Ident { text: iterator.name.text.clone(), span }, range });
            locals.names.push((Rc::from(&*iterator.name.text), None));
        }
        Ok(made)
    }

    fn range(&mut self, range: &Expr, scope: ScopeId, locals: &mut Locals) -> Checked<Expr> {
        let span = self.place(range.span, scope);
        if let ExprKind::Ref(reference) = &range.kind
            && let Some((Target::Class(class), _)) = self.target(reference, scope, locals)?
        {
            let name = self.enumeration_name(class)?;
            let parts = vec![RefPart { name: Ident { span, ..name }, subscripts: Vec::new() }];
            return Ok(Expr { kind: ExprKind::Ref(ComponentRef { global: false, parts, span }), span });
        }
        self.expr(range, scope, locals)
    }

    pub(super) fn subscripts(&mut self, list: &[Subscript], scope: ScopeId, locals: &mut Locals) -> Checked<Vec<Subscript>> {
        // Inside subscripts of variables `end` keeps its meaning.
        let ends = std::mem::take(&mut locals.ends);
        let made = list.iter().map(|s| match s {
            Subscript::All(span) => Ok(Subscript::All(self.place(*span, scope))),
            Subscript::Index(e) => self.range(e, scope, locals).map(Subscript::Index),
        });
        let made = made.collect();
        locals.ends = ends;
        made
    }

    pub(super) fn literal(&mut self, value: &Value, span: Span) -> Checked<Expr> {
        let mut failed = None;
        let made = value.syntax(span, &mut |class| match self.enumeration_name(class) {
            Ok(name) => Ident { span, ..name },
            Err(error) => {
                failed = Some(error);
                quoted("", span)
            }
        });
        failed.map_or(Ok(made), Err)
    }

    /// A reference as an expression.
    pub(super) fn reference(&mut self, reference: &ComponentRef, scope: ScopeId, locals: &mut Locals) -> Checked<Expr> {
        let span = self.place(reference.span, scope);
        let Some((target, used)) = self.target(reference, scope, locals)? else {
            if let [part] = reference.parts.as_slice()
                && part.name.text == "time"
            {
                return Ok(Expr { kind: ExprKind::Ref(ComponentRef { span, ..reference.clone() }), span });
            }
            let text = reference.parts.iter().map(|p| &*p.name.text).collect::<Vec<_>>().join(".");
            return Err(self.unknown(&text, reference.span, scope));
        };
        match target {
            Target::Local(Some(value)) => self.literal(&value, span),
            Target::Literal(value) => self.literal(&value, span),
            Target::Local(None) | Target::Own => {
                let mut parts = Vec::new();
                for part in &reference.parts {
                    let name = Ident { text: part.name.text.clone(), span: self.place(part.name.span, scope) };
                    parts.push(RefPart { name, subscripts: self.subscripts(&part.subscripts, scope, locals)? });
                }
                Ok(Expr { kind: ExprKind::Ref(ComponentRef { global: false, parts, span }), span })
            }
            Target::Member(member) => self.member_reference(member, &reference.parts[used..], span, scope, locals),
            Target::Class(class) => {
                // A function as an argument.
                let name = self.function_name(class)?;
                let parts = vec![RefPart { name: Ident { span, ..name }, subscripts: Vec::new() }];
                Ok(Expr { kind: ExprKind::Ref(ComponentRef { global: false, parts, span }), span })
            }
            Target::Builtin(builtin) => {
                let parts = reference.parts.clone();
                if builtin == Builtin::StateSelect || builtin == Builtin::AssertionLevel {
                    return Ok(Expr { kind: ExprKind::Ref(ComponentRef { global: false, parts, span }), span });
                }
                Err(self.fail("N002", format!("`{}` is a type", builtin.word()), reference.span, scope))
            }
        }
    }

    fn unknown(&mut self, text: &str, span: Span, scope: ScopeId) -> Box<partita_grammar::Diagnostic> {
        let near = self.contexts.scopes[scope].inst.and_then(|inst| {
            let names: Vec<&str> = self.insts[inst].members.keys().copied().collect();
            crate::frontend::flatten::nearest(text, names.iter().copied()).map(str::to_owned)
        });
        let mut error = self.fail("N002", format!("unknown name `{text}`"), span, scope);
        if let Some(near) = near {
            error = Box::new(error.with_hint(format!("did you mean `{near}`?")));
        }
        error
    }

    /// A component with what follows it: `parts[0]` names it.
    pub(super) fn member_reference(
        &mut self,
        member: MemberId,
        parts: &[RefPart],
        span: Span,
        scope: ScopeId,
        locals: &mut Locals,
    ) -> Checked<Expr> {
        let name = self.members[member].name;
        match self.elaborate(member)? {
            State::Variable(variable) => {
                if let [_, next, ..] = parts {
                    let text = format!("`{}` has no element `{}`", self.variables[variable].name, next.name.text);
                    return Err(self.fail("N002", text, next.name.span, scope));
                }
                if locals.values_only {
                    if let Some(value) = self.variable_value(variable)? {
                        if let Some(value) = self.subscripted(value.clone(), &parts[0].subscripts, scope, locals)? {
                            return self.literal(&value, span);
                        }
                        // A loop that is not written out chooses.
                        let whole = Box::new(self.literal(&value, span)?);
                        let subscripts = self.subscripts(&parts[0].subscripts, scope, locals)?;
                        return Ok(Expr { kind: ExprKind::Subscripted(whole, subscripts), span });
                    }
                    return Err(self.fail("N005", format!("`{name}` has no value yet"), parts[0].name.span, scope));
                }
                if let Some(value) = self.scalar_constant(variable)? {
                    return self.literal(&value, span);
                }
                self.use_constant(variable)?;
                let subscripts = self.subscripts(&parts[0].subscripts, scope, locals)?;
                Ok(reference_to(&self.variables[variable].name.clone(), subscripts, span))
            }
            State::Instances { dims, list } if dims.is_empty() => self.inst_reference(list[0], &parts[1..], span, scope, locals),
            State::Instances { dims, list } => self.array_reference(&dims, &list, parts, span, scope, locals),
            State::Absent => {
                let text = format!("`{name}` is not there: its condition is false");
                Err(self.fail("N002", text, parts[0].name.span, scope))
            }
            State::Pending | State::Busy | State::Failed => {
                Err(self.fail("N004", format!("`{name}` is not known"), parts[0].name.span, scope))
            }
        }
    }

    /// An element of an instance, or a whole record.
    fn inst_reference(&mut self, inst: InstId, parts: &[RefPart], span: Span, scope: ScopeId, locals: &mut Locals) -> Checked<Expr> {
        let Some(first) = parts.first() else { return self.whole_record(inst, span, scope, locals) };
        match self.insts[inst].members.get(&*first.name.text).copied() {
            Some(member) => self.member_reference(member, parts, span, scope, locals),
            None => {
                let (name, path) = (self.insts[inst].name.clone(), self.class_path(self.insts[inst].class).to_owned());
                Err(self.fail("N002", format!("`{name}` of `{path}` has no element `{}`", first.name.text), first.name.span, scope))
            }
        }
    }

    pub(super) fn whole_record(&mut self, inst: InstId, span: Span, scope: ScopeId, locals: &mut Locals) -> Checked<Expr> {
        let (class, kind) = (self.insts[inst].class, self.insts[inst].kind);
        if !is_record(kind) && !super::tree::is_connector(kind) {
            let name = self.insts[inst].name.clone();
            let text = format!("`{name}` is a {}, which has no value", kind.word());
            let mut error = self.fail("N002", text, Span::default(), scope);
            error.labels.clear();
            return Err(Box::new(error.at(span, "")));
        }
        let function = self.record_name(class)?;
        let members: Vec<MemberId> = self.insts[inst].members.values().copied().collect();
        let mut positional = Vec::new();
        for member in members {
            let part = RefPart { name: Ident { text: self.members[member].name.into(), span }, subscripts: Vec::new() };
            positional.push(self.member_reference(member, &[part], span, scope, locals)?);
        }
        let arguments = Box::new(ast::CallArguments { positional, ..ast::CallArguments::default() });
        let parts = vec![RefPart { name: Ident { span, ..function }, subscripts: Vec::new() }];
        Ok(Expr { kind: ExprKind::Call { function: ComponentRef { global: false, parts, span }, arguments }, span })
    }

    fn chosen(&mut self, subscript: Option<&Subscript>, size: usize, scope: ScopeId, locals: &mut Locals) -> Checked<Chosen> {
        let Some(Subscript::Index(e)) = subscript else { return Ok(Chosen::Many((1..=size).collect())) };
        locals.ends.push(size);
        let value = self.value_of(e, scope, locals);
        locals.ends.pop();
        Ok(match value? {
            Some(Value::Array(list)) => Chosen::Many(list.iter().filter_map(Value::index).collect()),
            Some(value) if value.index().is_some() => Chosen::One(value.index().unwrap_or(0)),
            _ => {
                locals.chosen_by_loop = true;
                Chosen::Computed(self.expr(e, scope, locals)?)
            }
        })
    }

    fn array_reference(
        &mut self,
        dims: &[usize],
        list: &[InstId],
        parts: &[RefPart],
        span: Span,
        scope: ScopeId,
        locals: &mut Locals,
    ) -> Checked<Expr> {
        let mut choices = Vec::new();
        for (axis, size) in dims.iter().enumerate() {
            choices.push(self.chosen(parts[0].subscripts.get(axis), *size, scope, locals)?);
        }
        let made = self.elements_of(&choices, dims, list, &mut Vec::new(), &parts[1..], span, scope, locals)?;
        if !choices.iter().any(|c| matches!(c, Chosen::Computed(_))) {
            return Ok(made);
        }
        let subscripts = choices.into_iter().filter_map(|c| match c {
            Chosen::One(_) => None,
            Chosen::Many(_) => Some(Subscript::All(span)),
            Chosen::Computed(e) => Some(Subscript::Index(e)),
        });
        Ok(Expr { kind: ExprKind::Subscripted(Box::new(made), subscripts.collect()), span })
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one reference")]
    fn elements_of(
        &mut self,
        choices: &[Chosen],
        dims: &[usize],
        list: &[InstId],
        at: &mut Vec<usize>,
        rest: &[RefPart],
        span: Span,
        scope: ScopeId,
        locals: &mut Locals,
    ) -> Checked<Expr> {
        let Some(choice) = choices.get(at.len()) else {
            return match flat_index(dims, at).and_then(|i| list.get(i).copied()) {
                Some(inst) => self.inst_reference(inst, rest, span, scope, locals),
                None => {
                    let text =
                        format!("the subscript {} is out of its bounds", at.iter().map(usize::to_string).collect::<Vec<_>>().join(","));
                    let mut error = self.fail("N002", text, Span::default(), scope);
                    error.labels.clear();
                    Err(Box::new(error.at(span, "")))
                }
            };
        };
        let all: Vec<usize>;
        let many = match choice {
            Chosen::One(i) => {
                at.push(*i);
                let made = self.elements_of(choices, dims, list, at, rest, span, scope, locals);
                at.pop();
                return made;
            }
            Chosen::Many(many) => many,
            Chosen::Computed(_) => {
                all = (1..=dims[at.len()]).collect();
                &all
            }
        };
        let mut made = Vec::new();
        for i in many {
            at.push(*i);
            let element = self.elements_of(choices, dims, list, at, rest, span, scope, locals);
            at.pop();
            made.push(element?);
        }
        Ok(Expr { kind: ExprKind::Array(made), span })
    }
}
