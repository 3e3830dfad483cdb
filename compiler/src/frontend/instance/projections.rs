//! Values of modifications: what is taken of an expression for one element of an array, or one field of a record.
//!
//! Input: an expression, its scope, and the steps that lead to the part. Output: the part with full names, or its value.
//! Method: steps are followed into literals, loops, branches and components before anything is written or evaluated, so that a part
//! may be known or simple where the whole is not.

use super::ids::{Checked, MemberId, ScopeId};
use super::modification::{Binding, Take};
use super::tree::{Instantiation, Locals, State, Target};
use super::values::{Value, field, flat_index};
use partita_grammar::ast::{self, ComponentRef, Expr, ExprKind, Ident, RefPart, Subscript};
use std::rc::Rc;

impl<'s> Instantiation<'s> {
    /// The value of a modification as an expression.
    pub(super) fn bound(&mut self, binding: &Binding<'s>, locals: &mut Locals) -> Checked<Expr> {
        self.part(binding.expr, &binding.steps, binding.scope, locals)
    }

    /// A part of an expression: what is chosen is chosen before it is written, so that the rest need not mean anything.
    fn part(&mut self, e: &Expr, steps: &[Take], scope: ScopeId, locals: &mut Locals) -> Checked<Expr> {
        let Some((first, rest)) = steps.split_first() else { return self.expr(e, scope, locals) };
        match (&e.kind, first) {
            (ExprKind::Parenthesised(inner), _) => return self.part(inner, steps, scope, locals),
            (ExprKind::If { branches, otherwise }, _) => {
                let mut made = Vec::new();
                for (condition, value) in branches {
                    match self.decided(condition, scope, locals) {
                        Some(true) if made.is_empty() => return self.part(value, steps, scope, locals),
                        Some(false) => continue,
                        _ => made.push((self.expr(condition, scope, locals)?, self.part(value, steps, scope, locals)?)),
                    }
                }
                let otherwise = self.part(otherwise, steps, scope, locals)?;
                if made.is_empty() {
                    return Ok(otherwise);
                }
                let span = self.place(e.span, scope);
                return Ok(Expr { kind: ExprKind::If { branches: made, otherwise: Box::new(otherwise) }, span });
            }
            (ExprKind::Array(list), Take::Element(at)) => {
                if let Some((chosen, steps)) = element_of(list, at, rest) {
                    return self.part(chosen, &steps, scope, locals);
                }
            }
            (ExprKind::Comprehension(body, iterators), Take::Element(at)) => {
                let before = locals.names.len();
                if let Some(steps) = self.chosen_round(iterators, at, rest, scope, locals)? {
                    let made = self.part(body, &steps, scope, locals);
                    locals.names.truncate(before);
                    return made;
                }
            }
            (ExprKind::Ref(reference), _) => {
                if let Some(made) = self.projected(reference, steps, scope, locals)? {
                    return Ok(made);
                }
            }
            _ => {}
        }
        let mut made = self.expr(e, scope, locals)?;
        for step in steps {
            made = match step {
                Take::Element(at) => taken(made, at),
                Take::Field(name) => self.field_of(made, name),
            };
        }
        Ok(made)
    }

    /// Gives the loop variables of one element of a comprehension their values; what is left to take of its body.
    fn chosen_round(
        &mut self,
        iterators: &[ast::Iterator],
        at: &[usize],
        rest: &[Take],
        scope: ScopeId,
        locals: &mut Locals,
    ) -> Checked<Option<Vec<Take>>> {
        if at.len() < iterators.len() {
            return Ok(None);
        }
        let before = locals.names.len();
        // The last one is that of the first dimension.
        for (iterator, i) in iterators.iter().rev().zip(at) {
            let values = self.range_values(iterator, scope, locals)?;
            let Some(value) = values.and_then(|values| values.into_iter().nth(i.wrapping_sub(1))) else {
                locals.names.truncate(before);
                return Ok(None);
            };
            locals.names.push((Rc::from(&*iterator.name.text), Some(value)));
        }
        Ok(Some(left(&at[iterators.len()..], rest)))
    }

    /// The value of a modification.
    pub(super) fn binding_value(&mut self, binding: &Binding<'s>) -> Checked<Option<Value>> {
        self.part_value(binding.expr, &binding.steps, binding.scope, &mut Locals::default())
    }

    /// The value of a part, which may be known though the whole is not.
    fn part_value(&mut self, e: &Expr, steps: &[Take], scope: ScopeId, locals: &mut Locals) -> Checked<Option<Value>> {
        let Some((first, rest)) = steps.split_first() else { return self.value_of(e, scope, locals) };
        match (&e.kind, first) {
            (ExprKind::Parenthesised(inner), _) => return self.part_value(inner, steps, scope, locals),
            (ExprKind::If { branches, otherwise }, _) => {
                for (condition, value) in branches {
                    match self.value_of(condition, scope, locals)? {
                        Some(Value::Boolean(true)) => return self.part_value(value, steps, scope, locals),
                        Some(Value::Boolean(false)) => {}
                        _ => return Ok(None),
                    }
                }
                return self.part_value(otherwise, steps, scope, locals);
            }
            (ExprKind::Array(list), Take::Element(at)) => {
                if let Some((chosen, steps)) = element_of(list, at, rest) {
                    return self.part_value(chosen, &steps, scope, locals);
                }
            }
            (ExprKind::Comprehension(body, iterators), Take::Element(at)) => {
                let before = locals.names.len();
                if let Some(steps) = self.chosen_round(iterators, at, rest, scope, locals)? {
                    let value = self.part_value(body, &steps, scope, locals);
                    locals.names.truncate(before);
                    return value;
                }
            }
            (ExprKind::Ref(reference), _) => {
                if let Some(known) = self.projected_value(reference, steps, scope, locals)? {
                    return Ok(Some(known));
                }
            }
            _ => {}
        }
        let mut value = self.value_of(e, scope, locals)?;
        for step in steps {
            value = match (step, value) {
                (Take::Element(at), Some(value)) => value.take(at),
                (Take::Field(name), Some(value)) => field(&value, name),
                (_, None) => None,
            };
        }
        Ok(value)
    }

    /// A field of a record that is a component is that component's field.
    fn projected(&mut self, reference: &ComponentRef, steps: &[Take], scope: ScopeId, locals: &mut Locals) -> Checked<Option<Expr>> {
        let Some((Target::Member(member), used)) = self.target(reference, scope, locals)? else { return Ok(None) };
        let span = self.place(reference.span, scope);
        let mut parts: Vec<RefPart> = reference.parts[used..].to_vec();
        for step in steps {
            match step {
                Take::Field(name) => {
                    parts.push(RefPart { name: Ident { text: (&**name).into(), span: reference.span }, subscripts: Vec::new() })
                }
                Take::Element(at) => match parts.last_mut() {
                    Some(last) if last.subscripts.is_empty() => {
                        let index = |i: &usize| Subscript::Index(Expr { kind: ExprKind::Integer(*i as i64), span: reference.span });
                        last.subscripts = at.iter().map(index).collect();
                    }
                    _ => return Ok(None),
                },
            }
        }
        // Elements of arrays inside arrays of components are not chosen by the first subscripts.
        let has_elements = steps.iter().any(|s| matches!(s, Take::Element(_)));
        if has_elements && !self.is_plain(member, &parts)? {
            return Ok(None);
        }
        self.member_reference(member, &parts, span, scope, locals).map(Some)
    }

    /// Whether the subscripts of all parts are those of their own components.
    fn is_plain(&mut self, member: MemberId, parts: &[RefPart]) -> Checked<bool> {
        let mut member = member;
        for (i, part) in parts.iter().enumerate() {
            match self.elaborate(member)? {
                State::Instances { dims, list } => {
                    if dims.len() != part.subscripts.len() {
                        return Ok(false);
                    }
                    let next = parts.get(i + 1).and_then(|p| self.insts[*list.first()?].members.get(&*p.name.text).copied());
                    match next {
                        Some(next) => member = next,
                        None => return Ok(i + 1 == parts.len()),
                    }
                }
                State::Variable(v) => return Ok(i + 1 == parts.len() && part.subscripts.len() <= self.variables[v].dims.len()),
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// A field of an expression: the argument of a constructor, else `e.name`.
    fn field_of(&mut self, e: Expr, name: &str) -> Expr {
        let span = e.span;
        match e.kind {
            ExprKind::Array(list) => {
                let list = list.into_iter().map(|e| self.field_of(e, name)).collect();
                Expr { kind: ExprKind::Array(list), span }
            }
            ExprKind::If { branches, otherwise } => {
                let branches = branches.into_iter().map(|(c, v)| (c, self.field_of(v, name))).collect();
                let otherwise = Box::new(self.field_of(*otherwise, name));
                Expr { kind: ExprKind::If { branches, otherwise }, span }
            }
            ExprKind::Parenthesised(inner) => self.field_of(*inner, name),
            kind => {
                let kind = ExprKind::Field(Box::new(Expr { kind, span }), Ident { text: name.into(), span });
                Expr { kind, span }
            }
        }
    }

    /// One field of a record may be known though the whole is not.
    fn projected_value(&mut self, reference: &ComponentRef, steps: &[Take], scope: ScopeId, locals: &mut Locals) -> Checked<Option<Value>> {
        let Some((Target::Member(member), used)) = self.target(reference, scope, locals)? else { return Ok(None) };
        let mut all: Vec<Take> = Vec::new();
        for (i, part) in reference.parts[used..].iter().enumerate() {
            if i > 0 {
                all.push(Take::Field(Rc::from(&*part.name.text)));
            }
            let mut at = Vec::new();
            for subscript in &part.subscripts {
                let Subscript::Index(e) = subscript else { return Ok(None) };
                match self.value_of(e, scope, locals)?.filter(|value| value.rank() == 0).and_then(|value| value.index()) {
                    Some(index) => at.push(index),
                    None => return Ok(None),
                }
            }
            if !at.is_empty() {
                all.push(Take::Element(at));
            }
        }
        all.extend(steps.iter().cloned());
        let mut state = self.elaborate(member)?;
        let mut at: &[Take] = &all;
        loop {
            match (state, at) {
                (State::Instances { dims, list }, [Take::Element(index), rest @ ..]) if dims.len() == index.len() => {
                    let Some(inst) = flat_index(&dims, index).and_then(|i| list.get(i).copied()) else { return Ok(None) };
                    let [Take::Field(name), rest @ ..] = rest else { return Ok(None) };
                    let Some(member) = self.insts[inst].members.get(&**name).copied() else { return Ok(None) };
                    (state, at) = (self.elaborate(member)?, rest);
                }
                (State::Instances { dims, list }, [Take::Field(name), rest @ ..]) if dims.is_empty() => {
                    let Some(member) = self.insts[list[0]].members.get(&**name).copied() else { return Ok(None) };
                    (state, at) = (self.elaborate(member)?, rest);
                }
                (State::Variable(variable), rest) => {
                    let mut value = self.variable_value(variable)?;
                    for step in rest {
                        value = match (step, value) {
                            (Take::Element(at), Some(value)) => value.take(at),
                            _ => None,
                        };
                    }
                    return Ok(value);
                }
                _ => return Ok(None),
            }
        }
    }
}

/// What is left of an element step behind these subscripts.
fn left(at: &[usize], rest: &[Take]) -> Vec<Take> {
    let element = (!at.is_empty()).then(|| Take::Element(at.to_vec()));
    element.into_iter().chain(rest.iter().cloned()).collect()
}

/// An element of a literal, and what is left to take of it.
fn element_of<'e>(list: &'e [Expr], at: &[usize], rest: &[Take]) -> Option<(&'e Expr, Vec<Take>)> {
    let (first, more) = at.split_first()?;
    Some((list.get(first.checked_sub(1)?)?, left(more, rest)))
}

/// An element of an array expression, by its first subscripts.
pub(super) fn taken(e: Expr, at: &[usize]) -> Expr {
    let Some((first, rest)) = at.split_first() else { return e };
    let span = e.span;
    let index = |i: &usize| Subscript::Index(Expr { kind: ExprKind::Integer(*i as i64), span });
    match e.kind {
        ExprKind::Array(mut list) if *first >= 1 && *first <= list.len() => taken(list.swap_remove(first - 1), rest),
        ExprKind::Parenthesised(inner) => taken(*inner, at),
        ExprKind::Call { function, mut arguments }
            if matches!(function.parts.as_slice(), [p] if p.name.text == "fill") && arguments.positional.len() == at.len() + 1 =>
        {
            arguments.positional.swap_remove(0)
        }
        ExprKind::Ref(mut reference)
            if reference.parts.len() == 1 && reference.parts[0].name.text.starts_with('\'') && reference.parts[0].subscripts.is_empty() =>
        {
            reference.parts[0].subscripts = at.iter().map(index).collect();
            Expr { kind: ExprKind::Ref(reference), span }
        }
        kind => Expr { kind: ExprKind::Subscripted(Box::new(Expr { kind, span }), at.iter().map(index).collect()), span },
    }
}
