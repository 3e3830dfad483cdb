//! Arrays and records put together from the names of their elements.

use super::lookup::{NameTree, NodeId, Segment};
use super::references::Step;
use super::{Checked, Flattener, Scope};
use crate::frontend::flat::dims_text;
use crate::frontend::flat::{Expr, ExprKind, Scalar, Type};
use partita_grammar::{Diagnostic, Span};
use std::rc::Rc;

impl<'a> Flattener<'a> {
    /// The array of what the path leads to in every element of a node.
    pub(super) fn elements(
        &mut self,
        tree: &Rc<NameTree>,
        at: NodeId,
        rest: &[Step<'a>],
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Checked<Option<Expr>> {
        let node = tree.node(at);
        let n_axes = node.elements.keys().next().map_or(0, Vec::len);
        let mut sizes = vec![0; n_axes];
        for key in node.elements.keys() {
            if key.len() != n_axes {
                return Ok(None);
            }
            for (size, index) in sizes.iter_mut().zip(key) {
                *size = (*size).max(*index);
            }
        }
        if sizes.iter().product::<usize>() != node.elements.len() {
            return Ok(None);
        }
        let mut index = Vec::new();
        self.nested_elements(tree, at, &sizes, &mut index, rest, span, scope)
    }

    #[expect(clippy::too_many_arguments, reason = "one recursive walk with its whole state")]
    pub(super) fn nested_elements(
        &mut self,
        tree: &Rc<NameTree>,
        at: NodeId,
        sizes: &[usize],
        index: &mut Vec<usize>,
        rest: &[Step<'a>],
        span: Span,
        scope: &mut Scope<'a>,
    ) -> Checked<Option<Expr>> {
        if index.len() == sizes.len() {
            let Some(child) = tree.child(at, &Segment::Subscripts(index.clone())) else { return Ok(None) };
            return self.walk(tree, child, rest, span, scope, None);
        }
        let mut parts = Vec::new();
        for i in 1..=sizes[index.len()] {
            index.push(i);
            let part = self.nested_elements(tree, at, sizes, index, rest, span, scope)?;
            index.pop();
            match part {
                Some(part) => parts.push(part),
                None => return Ok(None),
            }
        }
        self.array_of(parts, span).map(Some)
    }

    /// Everything below a node as one expression.
    pub(super) fn assemble(&mut self, tree: &Rc<NameTree>, at: NodeId, span: Span, expected: Option<&Type>) -> Checked<Option<Expr>> {
        let node = tree.node(at);
        if let Some(declaration) = node.declaration {
            let name = self.declared.declarations[declaration].name.clone();
            let Some(entry) = self.declared.names.get(&name).cloned() else { return Ok(None) };
            return self.entry_expr(&name, &entry, span).map(Some);
        }
        if !node.elements.is_empty() {
            let element = expected.map(|t| {
                let n = node.elements.keys().next().map_or(0, Vec::len).min(t.dims.len());
                Type { scalar: t.scalar, dims: t.dims[n..].to_vec() }
            });
            return self.assemble_elements(tree, at, span, element.as_ref());
        }
        let Some(Type { scalar: Scalar::Record(id), .. }) = expected else { return Ok(None) };
        let fields: Vec<(String, Type)> = self.model.records[*id].fields.iter().map(|f| (f.name.clone(), f.ty.clone())).collect();
        let mut values = Vec::with_capacity(fields.len());
        for (name, ty) in fields {
            let Some(child) = tree.child(at, &Segment::Name(&name)) else { return Ok(None) };
            match self.assemble(tree, child, span, Some(&ty))? {
                Some(value) => values.push(self.fit(value, &ty, &format!("the field `{name}`"))?),
                None => return Ok(None),
            }
        }
        Ok(Some(Expr { kind: ExprKind::Record(*id, values), ty: Type::scalar(Scalar::Record(*id)), span }))
    }

    pub(super) fn assemble_elements(
        &mut self,
        tree: &Rc<NameTree>,
        at: NodeId,
        span: Span,
        element: Option<&Type>,
    ) -> Checked<Option<Expr>> {
        let node = tree.node(at);
        let n_axes = node.elements.keys().next().map_or(0, Vec::len);
        let mut keys: Vec<(&Vec<usize>, NodeId)> = node.elements.iter().map(|(k, v)| (k, *v)).collect();
        keys.sort_unstable_by_key(|(k, _)| *k);
        let mut sizes = vec![0; n_axes];
        for (key, _) in &keys {
            if key.len() != n_axes {
                return Ok(None);
            }
            for (size, index) in sizes.iter_mut().zip(key.iter()) {
                *size = (*size).max(*index);
            }
        }
        if sizes.iter().product::<usize>() != keys.len() {
            let text = dims_text(&sizes.iter().map(|s| Some(*s)).collect::<Vec<_>>());
            return Err(self.error(
                Diagnostic::error("F012", format!("{} elements are declared of an array that would have the size {text}", keys.len()))
                    .at(span, "used as a whole"),
            ));
        }
        let mut level = Vec::with_capacity(keys.len());
        for (_, child) in keys {
            match self.assemble(tree, child, span, element)? {
                Some(value) => level.push(value),
                None => return Ok(None),
            }
        }
        // Sorted keys are in row-major order: group by the last dimension, then the one before.
        for size in sizes.iter().rev() {
            let mut grouped = Vec::with_capacity(level.len() / (*size).max(1));
            let mut rest = level.into_iter();
            loop {
                let row: Vec<Expr> = rest.by_ref().take(*size).collect();
                if row.is_empty() {
                    break;
                }
                grouped.push(self.array_of(row, span)?);
            }
            level = grouped;
        }
        Ok(level.pop())
    }
}
