//! Values of sizes, conditions, ranges and what they depend on.
//!
//! Input: an expression and its scope. Output: its value, or nothing if it is not known while the model is instantiated.
//! Method: a walk over the syntax; values of parameters are found through their bindings and kept. Functions of the text
//! are evaluated by flattening a model of one constant. What is evaluated here is structural: another value makes another
//! model, so values that the user gives are taken from the start.

use super::ids::{Checked, ClassInstId, InstId, ScopeId, VariableId};
use super::modification::{Binding, Mod, Take};
use super::predefined::builtin;
use super::tree::{Basic, Builtin, Instantiation, Locals, Member, State, Target};
use super::values::{Value, binary, field, filled, is_elementwise, range, shaped, to_real, unary};
use partita_grammar::ast::{self, BinaryOp, ClassKind, Expr, ExprKind, Variability};
use partita_runtime::model::overrides;
use std::rc::Rc;

type Known = Checked<Option<Value>>;

impl<'s> Instantiation<'s> {
    /// The value of an expression of a class text.
    pub(super) fn evaluate(&mut self, e: &Expr, scope: ScopeId) -> Known {
        self.value_of(e, scope, &mut Locals::default())
    }

    /// The size that an expression gives: a number, or the number of values of an enumeration or Boolean.
    pub(super) fn dimension(&mut self, e: &Expr, scope: ScopeId) -> Checked<Option<usize>> {
        if let ExprKind::Ref(reference) = &e.kind
            && let Some(n) = self.size_of_type(reference, scope)?
        {
            return Ok(Some(n));
        }
        Ok(self.evaluate(e, scope)?.and_then(|v| match v {
            Value::Integer(i) => usize::try_from(i).ok(),
            _ => None,
        }))
    }

    fn size_of_type(&mut self, reference: &ast::ComponentRef, scope: ScopeId) -> Checked<Option<usize>> {
        match self.target(reference, scope, &Locals::default()) {
            Ok(Some((Target::Class(class), 0))) => Ok(self.enumeration(class)?.map(|(_, literals)| literals.len())),
            Ok(Some((Target::Builtin(Builtin::Boolean), _))) => Ok(Some(2)),
            _ => Ok(None),
        }
    }

    /// The size of the value that is bound to an array.
    pub(super) fn size_of_value(&mut self, said: &Mod<'s>, axis: usize) -> Checked<Option<usize>> {
        if let Some(binding) = &said.value {
            let binding = binding.clone();
            return match self.binding_value(&binding)?.and_then(|v| v.shape(axis)) {
                Some(size) => Ok(Some(size)),
                None => self.size_of_binding(&binding, axis),
            };
        }
        // Without a value for all, those of a part say how many there are.
        for child in said.children.values().filter(|child| !child.each) {
            if let Some(size) = self.size_of_value(child, axis)? {
                return Ok(Some(size));
            }
        }
        Ok(None)
    }

    /// A size of a value that is known only when the model runs.
    fn size_of_binding(&mut self, binding: &Binding<'s>, axis: usize) -> Checked<Option<usize>> {
        let mut around = 0;
        for step in &binding.steps {
            match step {
                Take::Element(at) => around += at.len(),
                Take::Field(_) => return Ok(None),
            }
        }
        self.size_of(binding.expr, binding.scope, around + axis)
    }

    /// A size of an expression, from the way it is written.
    fn size_of(&mut self, e: &Expr, scope: ScopeId, axis: usize) -> Checked<Option<usize>> {
        match &e.kind {
            ExprKind::Array(list) if axis == 0 => Ok(Some(list.len())),
            ExprKind::Array(list) => list.first().map_or(Ok(None), |e| self.size_of(e, scope, axis - 1)),
            ExprKind::Parenthesised(e) | ExprKind::Unary(_, e) => self.size_of(e, scope, axis),
            ExprKind::Ref(reference) => {
                let dims = self.dims_of(reference, scope, &mut Locals::default())?;
                Ok(dims.and_then(|dims| dims.get(axis).copied().flatten()))
            }
            ExprKind::Comprehension(body, iterators) => match iterators.len().checked_sub(axis + 1) {
                Some(at) => {
                    let values = self.range_values(&iterators[at], scope, &mut Locals::default())?;
                    Ok(values.map(|values| values.len()))
                }
                None => self.size_of(body, scope, axis - iterators.len()),
            },
            ExprKind::Call { function, arguments } if matches!(function.parts.as_slice(), [p] if p.name.text == "fill") => {
                arguments.positional.get(axis + 1).map_or(Ok(None), |size| self.dimension(size, scope))
            }
            // A function of scalars for arrays: the first sizes are those of the arrays.
            ExprKind::Call { function, arguments } => {
                let Some((Target::Class(class), _)) = self.target(function, scope, &Locals::default())? else { return Ok(None) };
                if !matches!(self.class_kind(class), ClassKind::Function | ClassKind::OperatorFunction) {
                    return Ok(None);
                }
                let signature = self.signature(class)?;
                for (argument, input) in arguments.positional.iter().zip(&signature.inputs) {
                    if self.size_of(argument, scope, input.rank + axis)?.is_some() {
                        return self.size_of(argument, scope, axis);
                    }
                }
                Ok(None)
            }
            // Element by element: any operand that is an array has the size.
            ExprKind::Chain(first, rest) if rest.iter().all(|(op, _)| is_elementwise(*op)) => {
                for e in std::iter::once(&**first).chain(rest.iter().map(|(_, e)| e)) {
                    if let Some(size) = self.size_of(e, scope, axis)? {
                        return Ok(Some(size));
                    }
                }
                Ok(None)
            }
            // One operand of a product is an array, the other a number; products of arrays are left to evaluation.
            ExprKind::Chain(first, rest) if rest.iter().all(|(op, _)| matches!(op, BinaryOp::Multiply | BinaryOp::Divide)) => {
                let mut found = None;
                for e in std::iter::once(&**first).chain(rest.iter().map(|(_, e)| e)) {
                    match (self.size_of(e, scope, 0)?, found) {
                        (Some(_), Some(_)) => return Ok(None),
                        (Some(_), None) => found = Some(e),
                        (None, _) => {}
                    }
                }
                found.map_or(Ok(None), |e| self.size_of(e, scope, axis))
            }
            ExprKind::If { branches, otherwise } => {
                for (condition, value) in branches {
                    match self.evaluate(condition, scope)? {
                        Some(Value::Boolean(true)) => return self.size_of(value, scope, axis),
                        Some(Value::Boolean(false)) => {}
                        _ => return Ok(None),
                    }
                }
                self.size_of(otherwise, scope, axis)
            }
            _ => Ok(None),
        }
    }

    /// The value of a constant or parameter.
    pub(super) fn variable_value(&mut self, id: VariableId) -> Known {
        let variable = &self.variables[id];
        if let Some(known) = &variable.value {
            return Ok(known.clone());
        }
        if !matches!(variable.prefixes.variability, Variability::Constant | Variability::Parameter) {
            return Ok(None);
        }
        if variable.evaluating {
            let (name, member) = (variable.name.clone(), variable.member);
            let (span, scope) = (self.members[member].component.span, self.member_scope(member));
            return Err(self.fail("N004", format!("the value of `{name}` depends on itself"), span, scope));
        }
        self.variables[id].evaluating = true;
        let value = self.variable_value_new(id);
        self.variables[id].evaluating = false;
        let value = value?;
        self.variables[id].value = Some(value.clone());
        Ok(value)
    }

    fn variable_value_new(&mut self, id: VariableId) -> Known {
        let (name, basic, said) = (self.variables[id].name.clone(), self.variables[id].basic, self.variables[id].said.clone());
        if let Some(text) = self.given.get(&*name).cloned()
            && let Some(value) = self.given_value(basic, &text)?
        {
            return Ok(Some(value));
        }
        let start = || said.child("start").and_then(|s| s.value.clone());
        let fixed = match said.child("fixed").and_then(|f| f.value.clone()) {
            Some(fixed) => self.binding_value(&fixed)?,
            None => None,
        };
        if fixed == Some(Value::Boolean(false)) {
            return Ok(None);
        }
        let Some(binding) = said.value.clone().or_else(start) else { return Ok(None) };
        let value = self.binding_value(&binding)?;
        let dims = self.variables[id].dims.clone();
        Ok(value.map(|value| {
            let value = if basic == Basic::Builtin(Builtin::Real) { to_real(value) } else { value };
            // A scalar start value is that of all elements.
            let known: Option<Vec<usize>> = dims.iter().copied().collect();
            match known {
                Some(known) if value.rank() == 0 && !known.is_empty() => filled(&value, &known),
                _ => value,
            }
        }))
    }

    /// A value that the user gives.
    fn given_value(&mut self, basic: Basic, text: &str) -> Known {
        if let Some(elements) = overrides::elements(text) {
            let mut list = Vec::new();
            for element in elements {
                match self.given_value(basic, element)? {
                    Some(value) => list.push(value),
                    None => return Ok(None),
                }
            }
            return Ok(Some(Value::Array(list)));
        }
        Ok(match basic {
            Basic::Builtin(Builtin::Real) => overrides::real(text).map(Value::Real),
            Basic::Builtin(Builtin::Integer) => overrides::integer(text).map(Value::Integer),
            Basic::Builtin(Builtin::Boolean) => overrides::boolean(text).map(Value::Boolean),
            Basic::Builtin(Builtin::String) => Some(Value::String(Rc::from(overrides::string(text).as_str()))),
            Basic::Enumeration(class) => {
                let word = text.rsplit('.').next().unwrap_or(text);
                let found = self.enumeration(class)?;
                found.and_then(|(id, literals)| {
                    let at = literals.iter().position(|l| l.name.unquoted() == word.trim_matches('\''))?;
                    Some(Value::Enumeration(id, at + 1, Rc::from(&*literals[at].name.text)))
                })
            }
            _ => None,
        })
    }

    pub(super) fn value_of(&mut self, e: &Expr, scope: ScopeId, locals: &mut Locals) -> Known {
        Ok(match &e.kind {
            ExprKind::Integer(i) => Some(Value::Integer(*i)),
            ExprKind::Real(r) => Some(Value::Real(*r)),
            ExprKind::String(s) => Some(Value::String(Rc::from(s.as_str()))),
            ExprKind::Boolean(b) => Some(Value::Boolean(*b)),
            ExprKind::End => locals.ends.last().map(|n| Value::Integer(*n as i64)),
            ExprKind::Parenthesised(e) => self.value_of(e, scope, locals)?,
            ExprKind::Ref(reference) => self.reference_value(reference, scope, locals)?,
            ExprKind::Unary(op, a) => self.value_of(a, scope, locals)?.and_then(|a| unary(*op, &a)),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.value_of(a, scope, locals)?, self.value_of(b, scope, locals)?);
                match (a, b) {
                    (Some(a), Some(b)) => binary(*op, &a, &b),
                    _ => None,
                }
            }
            ExprKind::Chain(first, rest) => self.chain_value(first, rest, scope, locals)?,
            ExprKind::If { branches, otherwise } => {
                for (condition, value) in branches {
                    match self.value_of(condition, scope, locals)? {
                        Some(Value::Boolean(true)) => return self.value_of(value, scope, locals),
                        Some(Value::Boolean(false)) => {}
                        _ => return Ok(None),
                    }
                }
                self.value_of(otherwise, scope, locals)?
            }
            ExprKind::Range { start, step, stop } => {
                let start = self.value_of(start, scope, locals)?;
                let step = match step {
                    Some(step) => self.value_of(step, scope, locals)?,
                    None => Some(Value::Integer(1)),
                };
                let stop = self.value_of(stop, scope, locals)?;
                match (start, step, stop) {
                    (Some(start), Some(step), Some(stop)) => range(&start, &step, &stop),
                    _ => None,
                }
            }
            ExprKind::Array(list) => {
                let mut values = Vec::with_capacity(list.len());
                for e in list {
                    match self.value_of(e, scope, locals)? {
                        Some(value) => values.push(value),
                        None => return Ok(None),
                    }
                }
                Some(Value::Array(values))
            }
            ExprKind::Matrix(rows) => self.matrix_value(rows, scope, locals)?,
            ExprKind::Comprehension(body, iterators) => self.comprehension(body, iterators, scope, locals)?,
            ExprKind::Call { function, arguments } => self.call_value(e, function, arguments, scope, locals)?,
            ExprKind::Subscripted(base, subscripts) => {
                let value = self.value_of(base, scope, locals)?;
                match value {
                    Some(value) => self.subscripted(value, subscripts, scope, locals)?,
                    None => None,
                }
            }
            ExprKind::Field(base, name) => self.value_of(base, scope, locals)?.and_then(|v| field(&v, &name.text)),
            ExprKind::Tuple(_) | ExprKind::Break => None,
        })
    }

    fn chain_value(&mut self, first: &Expr, rest: &[(BinaryOp, Expr)], scope: ScopeId, locals: &mut Locals) -> Known {
        let mut value = self.value_of(first, scope, locals)?;
        for (op, e) in rest {
            // `false and x` is known whatever x is.
            match (op, &value) {
                (BinaryOp::And, Some(Value::Boolean(false))) | (BinaryOp::Or, Some(Value::Boolean(true))) => continue,
                _ => {}
            }
            let next = self.value_of(e, scope, locals)?;
            value = match (&value, &next) {
                (Some(a), Some(b)) => binary(*op, a, b),
                _ => None,
            };
        }
        Ok(value)
    }

    fn matrix_value(&mut self, rows: &[Vec<Expr>], scope: ScopeId, locals: &mut Locals) -> Known {
        let mut values = Vec::new();
        for row in rows {
            let mut cells = Vec::new();
            for cell in row {
                match self.value_of(cell, scope, locals)? {
                    Some(value) => cells.push(value),
                    None => return Ok(None),
                }
            }
            values.push(cells);
        }
        Ok(super::values::matrix(values))
    }

    fn comprehension(&mut self, body: &Expr, iterators: &[ast::Iterator], scope: ScopeId, locals: &mut Locals) -> Known {
        let Some((first, rest)) = iterators.split_last() else { return self.value_of(body, scope, locals) };
        let Some(values) = self.range_values(first, scope, locals)? else { return Ok(None) };
        let mut list = Vec::new();
        for value in values {
            locals.names.push((Rc::from(&*first.name.text), Some(value)));
            let element = self.comprehension(body, rest, scope, locals);
            locals.names.pop();
            match element? {
                Some(element) => list.push(element),
                None => return Ok(None),
            }
        }
        Ok(Some(Value::Array(list)))
    }

    /// The values that a loop variable takes.
    pub(super) fn range_values(&mut self, iterator: &ast::Iterator, scope: ScopeId, locals: &mut Locals) -> Checked<Option<Vec<Value>>> {
        let Some(range) = &iterator.range else { return Ok(None) };
        if let ExprKind::Ref(reference) = &range.kind {
            match self.target(reference, scope, locals) {
                Ok(Some((Target::Class(class), _))) => {
                    return Ok(self.enumeration(class)?.map(|(id, literals)| {
                        let literal = |(i, l): (usize, &ast::EnumLiteral)| Value::Enumeration(id, i + 1, Rc::from(&*l.name.text));
                        literals.iter().enumerate().map(literal).collect()
                    }));
                }
                Ok(Some((Target::Builtin(Builtin::Boolean), _))) => {
                    return Ok(Some(vec![Value::Boolean(false), Value::Boolean(true)]));
                }
                _ => {}
            }
        }
        Ok(match self.value_of(range, scope, locals)? {
            Some(Value::Array(list)) => Some(list),
            _ => None,
        })
    }

    pub(super) fn subscripted(&mut self, value: Value, subscripts: &[ast::Subscript], scope: ScopeId, locals: &mut Locals) -> Known {
        let Some((first, rest)) = subscripts.split_first() else { return Ok(Some(value)) };
        let Value::Array(list) = value else { return Ok(None) };
        let chosen = match first {
            ast::Subscript::All(_) => None,
            ast::Subscript::Index(e) => {
                locals.ends.push(list.len());
                let chosen = self.value_of(e, scope, locals);
                locals.ends.pop();
                match chosen? {
                    Some(chosen) => Some(chosen),
                    None => return Ok(None),
                }
            }
        };
        let at = |i: usize| i.checked_sub(1).and_then(|i| list.get(i)).cloned();
        let many: Vec<Value> = match chosen {
            None => list,
            Some(Value::Array(indices)) => match indices.iter().map(|i| i.index().and_then(at)).collect() {
                Some(many) => many,
                None => return Ok(None),
            },
            Some(one) => {
                return match one.index().and_then(at) {
                    Some(one) => self.subscripted(one, rest, scope, locals),
                    None => Ok(None),
                };
            }
        };
        let mut made = Vec::new();
        for value in many {
            match self.subscripted(value, rest, scope, locals)? {
                Some(value) => made.push(value),
                None => return Ok(None),
            }
        }
        Ok(Some(Value::Array(made)))
    }

    /// The positions, row by row, of the elements of an array that subscripts choose; nothing if they cannot be evaluated.
    pub(super) fn chosen_positions(
        &mut self,
        dims: &[usize],
        subscripts: &[ast::Subscript],
        scope: ScopeId,
        locals: &mut Locals,
    ) -> Checked<Option<Vec<usize>>> {
        // One number chooses one element: the others are not listed, for a loop over all elements comes here with each of them.
        if let ([size], [ast::Subscript::Index(e)]) = (dims, subscripts) {
            locals.ends.push(*size);
            let value = self.value_of(e, scope, locals);
            locals.ends.pop();
            match value? {
                Some(Value::Array(_)) => {}
                one => return Ok(one.and_then(|one| one.index()?.checked_sub(1)).filter(|i| i < size).map(|i| vec![i])),
            }
        }
        let n = dims.iter().product::<usize>();
        let all = super::values::shaped((0..n).map(|i| Value::Integer(i as i64)).collect(), dims);
        let Some(chosen) = self.subscripted(all, subscripts, scope, locals)? else { return Ok(None) };
        let mut leaves = Vec::new();
        chosen.leaves(&mut leaves);
        Ok(Some(leaves.into_iter().filter_map(|leaf| if let Value::Integer(i) = leaf { Some(*i as usize) } else { None }).collect()))
    }

    fn reference_value(&mut self, reference: &ast::ComponentRef, scope: ScopeId, locals: &mut Locals) -> Known {
        let Some((target, used)) = self.target(reference, scope, locals)? else { return Ok(None) };
        match target {
            Target::Local(Some(value)) => self.subscripted(value, &reference.parts[0].subscripts, scope, locals),
            Target::Literal(value) => Ok(Some(value)),
            Target::Member(member) => self.member_value(member, &reference.parts[used..], scope, locals),
            _ => Ok(None),
        }
    }

    fn member_value(&mut self, member: super::ids::MemberId, parts: &[ast::RefPart], scope: ScopeId, locals: &mut Locals) -> Known {
        match self.elaborate(member)? {
            State::Variable(variable) => match self.variable_value(variable)? {
                Some(value) if parts.len() == 1 => self.subscripted(value, &parts[0].subscripts, scope, locals),
                _ => Ok(None),
            },
            State::Instances { dims, list } if dims.is_empty() => self.inst_value(list[0], &parts[1..], scope, locals),
            State::Instances { dims, list } => {
                let mut values = Vec::new();
                // Only the chosen elements need to be known.
                let chosen = match parts[0].subscripts.as_slice() {
                    [ast::Subscript::Index(e)] if dims.len() == 1 => {
                        locals.ends.push(dims[0]);
                        let chosen = self.value_of(e, scope, locals);
                        locals.ends.pop();
                        chosen?.and_then(|v| v.index())
                    }
                    _ => None,
                };
                if let Some(chosen) = chosen {
                    return match chosen.checked_sub(1).and_then(|i| list.get(i).copied()) {
                        Some(inst) => self.inst_value(inst, &parts[1..], scope, locals),
                        None => Ok(None),
                    };
                }
                for inst in list.iter() {
                    match self.inst_value(*inst, &parts[1..], scope, locals)? {
                        Some(value) => values.push(value),
                        None => return Ok(None),
                    }
                }
                let whole = shaped(values, &dims);
                self.subscripted(whole, &parts[0].subscripts, scope, locals)
            }
            _ => Ok(None),
        }
    }

    fn inst_value(&mut self, inst: InstId, parts: &[ast::RefPart], scope: ScopeId, locals: &mut Locals) -> Known {
        if let Some(first) = parts.first() {
            return match self.insts[inst].members.get(&*first.name.text).copied() {
                Some(member) => self.member_value(member, parts, scope, locals),
                None => Ok(None),
            };
        }
        let members: Vec<(&'s str, super::ids::MemberId)> = self.insts[inst].members.iter().map(|(n, m)| (*n, *m)).collect();
        let mut fields = Vec::new();
        for (name, member) in members {
            let value = match self.elaborate(member)? {
                State::Variable(variable) => self.variable_value(variable)?,
                State::Instances { dims, list } if dims.is_empty() => self.inst_value(list[0], &[], scope, locals)?,
                _ => None,
            };
            match value {
                Some(value) => fields.push((Rc::from(name), value)),
                None => return Ok(None),
            }
        }
        Ok(Some(Value::Record(fields)))
    }

    fn call_value(
        &mut self,
        e: &Expr,
        function: &ast::ComponentRef,
        arguments: &ast::CallArguments,
        scope: ScopeId,
        locals: &mut Locals,
    ) -> Known {
        let target = self.target(function, scope, locals)?;
        if let Some((Target::Class(class), _)) = target {
            return match self.text_function(class, arguments, scope, locals)? {
                Some(value) => Ok(Some(value)),
                None => {
                    let more = self.lifted_by_values(class, arguments, scope, locals)?;
                    self.by_flattening(e, scope, locals, class, more)
                }
            };
        }
        let Some(name) = function.parts.first().map(|p| &*p.name.text) else { return Ok(None) };
        let last = function.parts.last().map_or(name, |p| &*p.name.text);
        if matches!(last, "cardinality" | "isRoot" | "rooted") && (name == last || name == "Connections") {
            return self.graph_value(last, arguments, scope, locals);
        }
        if name == "size"
            && let [Expr { kind: ExprKind::Ref(reference), .. }, axis] = arguments.positional.as_slice()
            && let Some((Target::Member(member), used)) = self.target(reference, scope, locals)?
            && matches!(self.members[member].state, State::Busy)
            && used + 1 == reference.parts.len()
        {
            return self.own_size(member, axis, scope, locals);
        }
        if matches!(name, "size" | "ndims")
            && let Some(Expr { kind: ExprKind::Ref(reference), .. }) = arguments.positional.first()
            && let Some(dims) = self.dims_of(reference, scope, locals)?
        {
            return match (name, arguments.positional.get(1)) {
                ("ndims", _) => Ok(Some(Value::Integer(dims.len() as i64))),
                (_, None) => {
                    let all: Option<Vec<Value>> = dims.iter().map(|d| d.map(|d| Value::Integer(d as i64))).collect();
                    Ok(all.map(Value::Array))
                }
                (_, Some(axis)) => {
                    let axis = self.value_of(axis, scope, locals)?.and_then(|v| v.index());
                    let size = axis.and_then(|axis| dims.get(axis.checked_sub(1)?).copied().flatten());
                    Ok(size.map(|d| Value::Integer(d as i64)))
                }
            };
        }
        if !arguments.iterators.is_empty() {
            let Some(body) = arguments.positional.first() else { return Ok(None) };
            let list = self.comprehension(body, &arguments.iterators, scope, locals)?;
            // A sum of arrays is an array; no size or condition needs one.
            return Ok(list.filter(|list| list.rank() <= arguments.iterators.len()).and_then(|list| builtin(name, &[list])));
        }
        let mut values = Vec::new();
        for argument in &arguments.positional {
            match self.value_of(argument, scope, locals)? {
                Some(value) => values.push(value),
                None => return Ok(None),
            }
        }
        Ok(builtin(name, &values))
    }

    /// How many dimensions the values of arguments have more than a function takes.
    fn lifted_by_values(
        &mut self,
        class: ClassInstId,
        arguments: &ast::CallArguments,
        scope: ScopeId,
        locals: &mut Locals,
    ) -> Checked<usize> {
        if !matches!(self.class_kind(class), ClassKind::Function | ClassKind::OperatorFunction) {
            return Ok(0);
        }
        let signature = self.signature(class)?;
        let mut more = 0;
        for (argument, input) in arguments.positional.iter().zip(&signature.inputs) {
            // What has no value has none in the call either.
            if let Ok(Some(value)) = self.value_of(argument, scope, locals) {
                more = more.max(value.rank().saturating_sub(input.rank));
            }
        }
        Ok(more)
    }

    /// A size of a component whose other sizes are being found: as declared, or of its value.
    fn own_size(&mut self, member: super::ids::MemberId, axis: &Expr, scope: ScopeId, locals: &mut Locals) -> Known {
        let Some(axis) = self.value_of(axis, scope, locals)?.and_then(|v| v.index()?.checked_sub(1)) else { return Ok(None) };
        let own = self.member_scope(member);
        let component = self.members[member].component;
        self.begin_size(member, axis)?;
        let size = match component.dims.get(axis) {
            Some(ast::Subscript::Index(e)) => self.dimension(e, own),
            _ => {
                let said = self.members[member].said.clone();
                self.size_of_value(&said, axis)
            }
        };
        self.classes.sizing.remove(&(member, axis));
        Ok(size?.map(|n| Value::Integer(n as i64)))
    }

    /// Notes that a size is being found: if it is asked for meanwhile, it depends on itself.
    fn begin_size(&mut self, member: super::ids::MemberId, axis: usize) -> Checked<()> {
        if self.classes.sizing.insert((member, axis)) {
            return Ok(());
        }
        let Member { name, component, .. } = self.members[member];
        let scope = self.member_scope(member);
        Err(self.fail("N004", format!("size {} of `{name}` depends on itself", axis + 1), component.span, scope))
    }

    /// Sizes of what a reference means.
    fn dims_of(&mut self, reference: &ast::ComponentRef, scope: ScopeId, locals: &mut Locals) -> Checked<Option<Vec<Option<usize>>>> {
        let Some((Target::Member(mut member), used)) = self.target(reference, scope, locals)? else { return Ok(None) };
        let mut parts = &reference.parts[used..];
        let mut around = Vec::new();
        loop {
            match self.elaborate(member)? {
                State::Variable(variable) => {
                    let mut dims = self.variables[variable].dims.clone();
                    if dims.contains(&None) {
                        let said = self.variables[variable].said.clone();
                        for (axis, dim) in dims.iter_mut().enumerate().filter(|(_, dim)| dim.is_none()) {
                            self.begin_size(member, axis)?;
                            let size = self.size_of_value(&said, axis);
                            self.classes.sizing.remove(&(member, axis));
                            *dim = size?;
                        }
                        self.variables[variable].dims.clone_from(&dims);
                    }
                    let scalar = |s: &ast::Subscript| matches!(s, ast::Subscript::Index(e) if !matches!(e.kind, ExprKind::Range { .. }));
                    if parts[0].subscripts.iter().any(|s| !scalar(s)) {
                        return Ok(None);
                    }
                    around.extend(dims.into_iter().skip(parts[0].subscripts.len()));
                    return Ok(Some(around));
                }
                State::Instances { dims, list } => {
                    let own = dims.iter().skip(parts[0].subscripts.len()).map(|d| Some(*d));
                    around.extend(own);
                    if parts.len() == 1 {
                        return Ok(Some(around));
                    }
                    parts = &parts[1..];
                    let Some(next) = list.first().and_then(|inst| self.insts[*inst].members.get(&*parts[0].name.text).copied()) else {
                        return Ok(None);
                    };
                    member = next;
                }
                _ => return Ok(None),
            }
        }
    }
}
