//! Assignments of algorithms to variables, elements and fields, under a condition.
//!
//! Input: the target, the value and where it holds. Output: the new value of the variable in its scope: a choice between new and old where the
//! condition is not known. Cost: linear in the size of the variable.

use super::value::Val;
use super::{Lowerer, Lowering, Scope, unsupported};
use crate::base::ids::ExprId;
use crate::frontend::flat::{self, ExprKind, Subscript};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::base::math::Op2;

enum PathStep<'a> {
    Subscripts(&'a [Subscript]),
    Field(usize),
}

impl Lowerer<'_> {
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
}
