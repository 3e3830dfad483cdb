//! Statements of algorithms, and assignment to variables, elements and fields.

use super::expressions::Scope;
use super::value::{Array, Scalar, Value, chosen};
use super::{Evaluated, failed, unsupported};
use partita_grammar::ast::{ComponentRef, Expr, ExprKind, Iterator, RefPart, Statement, StatementKind};

/// How a list of statements ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// Behind the last one.
    On,
    /// By `break`.
    Break,
    /// By `return`.
    Return,
}

impl Scope<'_> {
    /// Executes statements in order. `when` belongs to models, see `equations`.
    pub(super) fn statements(&mut self, statements: &[Statement]) -> Evaluated<Flow> {
        for statement in statements {
            let flow = self.statement(statement)?;
            if flow != Flow::On {
                return Ok(flow);
            }
        }
        Ok(Flow::On)
    }

    pub(super) fn statement(&mut self, statement: &Statement) -> Evaluated<Flow> {
        self.watch.burn()?;
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                let value = self.eval(value)?;
                self.assign(target, value)?;
            }
            StatementKind::AssignTuple(targets, call) => self.assign_outputs(targets, call)?,
            StatementKind::If { branches, otherwise } => return self.if_statement(branches, otherwise.as_deref().unwrap_or_default()),
            StatementKind::For { iterators, body } => return self.for_statement(iterators, body),
            StatementKind::While { condition, body } => return self.while_statement(condition, body),
            StatementKind::Break => return Ok(Flow::Break),
            StatementKind::Return => return Ok(Flow::Return),
            StatementKind::Call(call) => self.called_alone(call)?,
            StatementKind::When { .. } => return unsupported("`when` in a function or inside another statement"),
        }
        Ok(Flow::On)
    }

    fn called_alone(&mut self, call: &Expr) -> Evaluated<()> {
        let ExprKind::Call { function, arguments } = &call.kind else { return unsupported("a statement that is no call") };
        match (super::expressions::plain_name(function), arguments.positional.first()) {
            (Some("assert"), Some(condition)) if !self.eval(condition)?.boolean()? => failed("an assertion"),
            (Some("assert"), Some(_)) => Ok(()),
            _ => unsupported("a call on its own"),
        }
    }

    /// `(a, , b) := f(x)`.
    pub(super) fn assign_outputs(&mut self, targets: &[Option<Expr>], call: &Expr) -> Evaluated<()> {
        let outputs = match self.outputs(call)? {
            Value::Tuple(outputs) => outputs,
            one => vec![one],
        };
        for (target, output) in targets.iter().zip(outputs) {
            match target.as_ref().map(|target| &target.kind) {
                Some(ExprKind::Ref(target)) => self.assign(target, output)?,
                Some(_) => return unsupported("an output that is no variable"),
                None => {}
            }
        }
        Ok(())
    }

    fn if_statement(&mut self, branches: &[(Expr, Vec<Statement>)], otherwise: &[Statement]) -> Evaluated<Flow> {
        for (condition, body) in branches {
            if self.eval(condition)?.boolean()? {
                return self.statements(body);
            }
        }
        self.statements(otherwise)
    }

    /// `for i in r, j in s`: the first iterator is the outermost.
    fn for_statement(&mut self, iterators: &[Iterator], body: &[Statement]) -> Evaluated<Flow> {
        let Some((iterator, inner)) = iterators.split_first() else { return self.statements(body) };
        for value in self.iterated(iterator)? {
            self.iterators.push((iterator.name.unquoted().to_string(), value));
            let flow = self.for_statement(inner, body);
            self.iterators.pop();
            match flow? {
                Flow::On => {}
                Flow::Break => break,
                Flow::Return => return Ok(Flow::Return),
            }
        }
        Ok(Flow::On)
    }

    fn while_statement(&mut self, condition: &Expr, body: &[Statement]) -> Evaluated<Flow> {
        while self.eval(condition)?.boolean()? {
            match self.statements(body)? {
                Flow::On => {}
                Flow::Break => break,
                Flow::Return => return Ok(Flow::Return),
            }
        }
        Ok(Flow::On)
    }

    /// Gives a variable, element, slice or field its value.
    pub(super) fn assign(&mut self, target: &ComponentRef, value: Value) -> Evaluated<()> {
        let name = target.parts[0].name.unquoted().to_string();
        self.assign_named(&name, target, value)
    }

    /// The same for a variable of another name: the derivative of the one that is written.
    pub(super) fn assign_named(&mut self, name: &str, target: &ComponentRef, value: Value) -> Evaluated<()> {
        let Some(scalar) = self.types.get(name).cloned() else { return unsupported(format!("an assignment to `{name}`")) };
        if let ([RefPart { subscripts, .. }], Some(place)) = (target.parts.as_slice(), self.values.get_mut(name))
            && subscripts.is_empty()
        {
            return replace(place, value.converted(&scalar)?);
        }
        let mut whole = self.values.get(name).cloned().unwrap_or(Value::Unknown);
        let done = self.put(&mut whole, &target.parts, value, &scalar);
        self.values.insert(name.to_string(), whole);
        done
    }

    fn put(&mut self, place: &mut Value, parts: &[RefPart], value: Value, scalar: &Scalar) -> Evaluated<()> {
        let (head, rest) = (&parts[0], &parts[1..]);
        if head.subscripts.is_empty() {
            return self.put_field(place, rest, value, scalar);
        }
        let Value::Array(array) = place else { return unsupported("a subscript of a scalar") };
        let picks = self.picks(&array.dims, &head.subscripts)?;
        let (places, dims) = chosen(&array.dims, &picks)?;
        if dims.is_empty() {
            return self.put_field(&mut array.items[places[0]], rest, value, scalar);
        }
        if dims != value.dims() || !rest.is_empty() {
            return failed("an assignment of another size");
        }
        let Value::Array(Array { items, .. }) = value.converted(scalar)? else { return failed("a scalar for a slice") };
        for (place, item) in places.into_iter().zip(items) {
            array.items[place] = item;
        }
        Ok(())
    }

    fn put_field(&mut self, place: &mut Value, rest: &[RefPart], value: Value, scalar: &Scalar) -> Evaluated<()> {
        let Some(part) = rest.first() else {
            return replace(place, value.converted(scalar)?);
        };
        let Scalar::Record(record) = scalar else { return unsupported("a field of something that is no record") };
        let Some(class) = self.classes.get(record) else { return unsupported("a record of unknown type") };
        let fields = super::classes::declarations(class);
        let Some(declared) = fields.iter().find(|field| field.name == part.name.unquoted()) else { return unsupported("an unknown field") };
        let inner = self.classes.scalar(&declared.clause.type_spec)?;
        let Value::Record(values) = place else { return unsupported("a record without fields") };
        let Some((_, field)) = values.iter_mut().find(|(name, _)| name == part.name.unquoted()) else {
            return unsupported("an unknown field");
        };
        self.put(field, rest, value, &inner)
    }
}

fn replace(place: &mut Value, value: Value) -> Evaluated<()> {
    if !matches!(place, Value::Unknown) && place.dims() != value.dims() {
        return failed("an assignment of another size");
    }
    *place = value;
    Ok(())
}
