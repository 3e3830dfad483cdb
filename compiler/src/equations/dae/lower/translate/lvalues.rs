//! Parts of variables of a called function: where they lie, how they are read and written.

use super::*;

impl<'m> Translator<'_, 'm> {
    pub(super) fn assign(&mut self, target: &flat::Expr, value: &Val<ValueId>) -> Lowering<()> {
        if let ExprKind::Local(local) = target.kind {
            return self.assign_whole(local, value, target.span);
        }
        if let ExprKind::Array(parts) = &target.kind {
            let values = value.items().filter(|values| values.len() == parts.len());
            let values = values
                .ok_or_else(|| Diagnostic::error("D002", "the assigned value has other dimensions").at(target.span, "assigned here"))?;
            return parts.iter().zip(values).try_for_each(|(part, value)| self.assign(part, value));
        }
        let Some(place) = self.place(target)? else { return self.assign_chosen_item(target, value) };
        let value = self.detached(&place.home, value);
        self.write(&place, &value, target.span)
    }

    /// Assigns to a part of an item of an array of records whose number is known at run time: one branch for every item.
    fn assign_chosen_item(&mut self, target: &flat::Expr, value: &Val<ValueId>) -> Lowering<()> {
        let refused = || unsupported("assigning to this", target.span);
        let (number, n_items) = self.item_chosen_in(target)?.ok_or_else(refused)?;
        let position = self.scalar(&number)?;
        let position = self.bound(position);
        let Ok(value) = value.map(&mut |e| Ok::<_, std::convert::Infallible>(self.bound(e)));
        let message = vec![MessageFragment::Text(format!("a subscript of an array of records in {} is out of range", self.function.name))];
        let mut branch = vec![Stmt::Assert { condition: self.ir.constant(0.0), message }];
        for item in (1..=n_items).rev() {
            let literal = flat::Expr { kind: ExprKind::Literal(flat::Value::Integer(item as i64)), ..number.clone() };
            let (then, ()) = self.nested(|t| t.assign(&with_subscript(target, &number, &literal), &value))?;
            let item = self.ir.constant(item as f64);
            let here = self.ir.binary(Op2::Eq, position, item);
            branch = vec![Stmt::If(vec![(here, then)], branch)];
        }
        self.block.extend(branch);
        // What one of the branches assigned is known on none of them.
        if let Some(((local, _), _)) = assigned_part(target)
            && let Some(home) = self.homes[local].clone()
        {
            let mut variables = Vec::new();
            variables_of(&home, &mut variables);
            for variable in variables {
                self.numbers.remove(&variable);
            }
        }
        Ok(())
    }

    /// The first subscript in a reference that chooses an item of an array of records at run time, and how many items there are.
    fn item_chosen_in(&mut self, target: &flat::Expr) -> Lowering<Option<(flat::Expr, usize)>> {
        match &target.kind {
            ExprKind::Field(base, _) => self.item_chosen_in(base),
            ExprKind::Index(base, subscripts) => match (self.place(base)?, subscripts.as_slice()) {
                (None, _) => self.item_chosen_in(base),
                (Some(Lvalue { home: Home::Items(items), selected }), [Subscript::Index(number)]) if selected.is_empty() => {
                    Ok(Some((number.clone(), items.len())))
                }
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    pub(super) fn assign_whole(&mut self, local: flat::LocalId, value: &Val<ValueId>, span: Span) -> Lowering<()> {
        if let Val::Text(pieces) = value {
            let pieces = self.kept_text(pieces);
            self.homes[local] = Some(Home::Text(Some(pieces)));
            return Ok(());
        }
        let home = match self.homes[local].clone() {
            Some(home) => home,
            None => {
                // The first value gives the sizes.
                let shape = value_shape(value).ok_or_else(|| shape_error(span))?;
                let role = if self.function.outputs.contains(&local) { Role::Output } else { Role::Local };
                let home = self.home(&self.function.locals[local].name, &shape, role);
                self.homes[local] = Some(home.clone());
                home
            }
        };
        let value = self.detached(&home, value);
        self.write(&Lvalue { home, selected: Vec::new() }, &value, span)
    }

    /// The value in variables of its own if it reads what is about to be assigned element by element.
    fn detached(&mut self, home: &Home, value: &Val<ValueId>) -> Val<ValueId> {
        let scalars = value.to_scalars();
        if scalars.len() < 2 {
            return value.clone();
        }
        let mut variables = Vec::new();
        variables_of(home, &mut variables);
        let targets: FxHashSet<LocalId> = variables.into_iter().collect();
        let mut seen: FxHashSet<ValueId> = FxHashSet::default();
        let mut stack = scalars;
        while let Some(top) = stack.pop() {
            if !seen.insert(top) {
                continue;
            }
            match &self.ir.values[top] {
                Value::Const(_) => {}
                Value::Read(target) => {
                    if targets.contains(&target.variable) {
                        return match value.map(&mut |e| Ok::<_, std::convert::Infallible>(self.bound(e))) {
                            Ok(value) => value,
                            Err(never) => match never {},
                        };
                    }
                    stack.extend(&target.subscripts);
                }
                Value::Unary(_, a) => stack.push(*a),
                Value::Binary(_, a, b) => stack.extend([*a, *b]),
                Value::Select(c, a, b) => stack.extend([*c, *a, *b]),
                Value::Call(_, args, _) => stack.extend(args),
            }
        }
        value.clone()
    }

    pub(super) fn write(&mut self, place: &Lvalue, value: &Val<ValueId>, span: Span) -> Lowering<()> {
        if let Home::Cell { variable, .. } = &place.home
            && place.selected.is_empty()
            && !value.has_uninitialised()
        {
            self.partly.remove(variable);
        }
        match (&place.home, value) {
            (Home::Cell { variable, dims }, _) => self.write_cell(*variable, dims, &place.selected, &mut Vec::new(), value, span),
            (Home::Items(homes), Val::Array(values)) | (Home::Record(homes), Val::Record(values)) if homes.len() == values.len() => {
                let parts: Vec<(Home, &Val<ValueId>)> = homes.iter().cloned().zip(values).collect();
                parts.into_iter().try_for_each(|(home, value)| self.write(&Lvalue { home, selected: Vec::new() }, value, span))
            }
            (Home::Items(homes), Val::Empty(_)) if homes.is_empty() => Ok(()),
            (Home::Text(known), Val::Text(_)) => {
                let same = known.as_ref().is_some_and(|known| Val::Text(known.clone()) == *value);
                if same { Ok(()) } else { Err(unsupported("assigning to a String inside a record or an array", span)) }
            }
            _ => Err(Diagnostic::error("D002", "the assigned value has other dimensions").at(span, "assigned here")),
        }
    }

    fn write_cell(
        &mut self,
        variable: LocalId,
        dims: &[usize],
        selected: &[Selector],
        prefix: &mut Vec<ValueId>,
        value: &Val<ValueId>,
        span: Span,
    ) -> Lowering<()> {
        let dim = prefix.len();
        if dim == dims.len() {
            let nothing = Val::Scalar(self.ir.constant(f64::NAN));
            let is_uninitialised = *value == Val::Uninitialised;
            let Val::Scalar(value) = (if is_uninitialised { &nothing } else { value }) else {
                return Err(Diagnostic::error("D002", "the assigned value has other dimensions").at(span, "assigned here"));
            };
            let position = match self.position(dims, prefix) {
                Position::Outside => return self.outside(variable, span).map(|_| ()),
                Position::Known(position) => Some(position),
                Position::Computed => None,
            };
            self.block.push(Function::assign(variable, prefix, *value));
            self.written.push(variable);
            if is_uninitialised && dims.is_empty() {
                self.uninitialised.insert(variable);
            } else {
                self.uninitialised.remove(&variable);
                self.unsure.remove(&variable);
            }
            match (position, self.literal(*value).filter(|number| !number.is_nan())) {
                (Some(position), Some(number)) => {
                    self.numbers.entry(variable).or_default().insert(position, number);
                }
                (Some(position), None) => {
                    if let Some(numbers) = self.numbers.get_mut(&variable) {
                        numbers.remove(&position);
                    }
                }
                (None, _) => {
                    self.numbers.remove(&variable);
                }
            }
            return Ok(());
        }
        let subscripts = match selected.get(dim) {
            Some(Selector::One(subscript)) => {
                prefix.push(*subscript);
                self.write_cell(variable, dims, selected, prefix, value, span)?;
                prefix.pop();
                return Ok(());
            }
            Some(Selector::Many(subscripts)) => subscripts.clone(),
            None => (1..=dims[dim]).map(|i| self.ir.constant(i as f64)).collect(),
        };
        let values = value.items().filter(|values| values.len() == subscripts.len());
        let values =
            values.ok_or_else(|| Diagnostic::error("D002", "the assigned value has other dimensions").at(span, "assigned here"))?;
        for (subscript, value) in subscripts.into_iter().zip(values) {
            prefix.push(subscript);
            self.write_cell(variable, dims, selected, prefix, value, span)?;
            prefix.pop();
        }
        Ok(())
    }

    /// Where a list of subscripts leads.
    fn position(&self, dims: &[usize], subscripts: &[ValueId]) -> Position {
        let mut position = 0;
        for (subscript, size) in subscripts.iter().zip(dims) {
            match self.literal(*subscript) {
                Some(v) if v >= 1.0 && v <= *size as f64 && v.fract() == 0.0 => position = position * size + (v as usize - 1),
                Some(_) => return Position::Outside,
                None => return Position::Computed,
            }
        }
        Position::Known(position)
    }

    /// A subscript that is out of range: a failure if it is ever reached.
    fn outside(&mut self, variable: LocalId, span: Span) -> Lowering<ValueId> {
        let _ = span;
        let condition = self.ir.constant(0.0);
        let text = format!("a subscript of {} in {} is out of range", self.ir.variables[variable].name, self.function.name);
        self.block.push(Stmt::Assert { condition, message: vec![MessageFragment::Text(text)] });
        Ok(self.ir.constant(f64::NAN))
    }

    // ---- references

    /// The part of a variable that a reference means; `None` if it is no such reference.
    pub(super) fn place(&mut self, expr: &flat::Expr) -> Lowering<Option<Lvalue>> {
        match &expr.kind {
            ExprKind::Local(local) => {
                let home = self.homes[*local].clone();
                let home = home.ok_or_else(|| {
                    Diagnostic::error("D007", format!("{} is used before it has a value", self.function.locals[*local].name))
                        .at(expr.span, "used here")
                })?;
                Ok(Some(Lvalue { home, selected: Vec::new() }))
            }
            ExprKind::Field(base, field) => {
                let Some(place) = self.place(base)? else { return Ok(None) };
                Ok(match place.home {
                    Home::Record(mut fields) if *field < fields.len() && place.selected.is_empty() => {
                        Some(Lvalue { home: fields.swap_remove(*field), selected: Vec::new() })
                    }
                    _ => None,
                })
            }
            ExprKind::Index(base, subscripts) => {
                let Some(mut place) = self.place(base)? else { return Ok(None) };
                for (i, subscript) in subscripts.iter().enumerate() {
                    match &mut place.home {
                        Home::Cell { dims, .. } => {
                            let Some(size) = dims.get(place.selected.len()).copied() else {
                                return Err(Diagnostic::error("D002", "too many subscripts").at(expr.span, "here"));
                            };
                            let selector = self.selector(subscript, size)?;
                            place.selected.push(selector);
                        }
                        Home::Items(items) => {
                            let positions = match self.selector(subscript, items.len())? {
                                // The reader chooses among all items.
                                Selector::One(position) if self.lowerer.called.chooses_items && self.literal(position).is_none() => {
                                    return Ok(None);
                                }
                                Selector::One(position) => {
                                    let item = self.item_number(position, items.len(), expr.span)?;
                                    place.home = items.swap_remove(item);
                                    continue;
                                }
                                Selector::Many(positions) => positions,
                            };
                            if i + 1 < subscripts.len() {
                                return Ok(None);
                            }
                            let mut list = Vec::with_capacity(positions.len());
                            for position in positions {
                                list.push(items[self.item_number(position, items.len(), expr.span)?].clone());
                            }
                            place.home = Home::Items(list);
                        }
                        Home::Record(_) | Home::Text(_) => {
                            return Err(Diagnostic::error("D002", "too many subscripts").at(expr.span, "here"));
                        }
                    }
                }
                Ok(Some(place))
            }
            _ => Ok(None),
        }
    }

    fn item_number(&self, position: ValueId, len: usize, span: Span) -> Lowering<usize> {
        match self.literal(position) {
            Some(v) if v >= 1.0 && v as usize <= len => Ok(v as usize - 1),
            Some(v) => Err(Diagnostic::error("D006", format!("index {v} is outside 1:{len}")).at(span, "here")),
            None => Err(needs_number("the position in an array of records", span)),
        }
    }

    fn selector(&mut self, subscript: &Subscript, size: usize) -> Lowering<Selector> {
        Ok(match subscript {
            Subscript::Index(index) => Selector::One(self.scalar(index)?),
            Subscript::Slice(indices) => {
                let indices = self.expr(indices)?.to_scalars();
                Selector::Many(indices.into_iter().map(|i| self.shared(i)).collect())
            }
            Subscript::All => Selector::Many((1..=size).map(|i| self.ir.constant(i as f64)).collect()),
        })
    }

    pub(super) fn read(&mut self, place: &Lvalue, span: Span) -> Lowering<Val<ValueId>> {
        match &place.home {
            Home::Cell { variable, dims } => self.read_cell(*variable, dims, &place.selected, &mut Vec::new(), span),
            Home::Items(items) => self.read_all(items, span).map(Val::Array),
            Home::Record(fields) => self.read_all(fields, span).map(Val::Record),
            Home::Text(Some(pieces)) => Ok(Val::Text(pieces.clone())),
            Home::Text(None) => Err(unsupported("a String that depends on values at run time", span)),
        }
    }

    /// Parts of a record or an array of records, which may be blank.
    pub(super) fn read_all(&mut self, homes: &[Home], span: Span) -> Lowering<Vec<Val<ValueId>>> {
        let part = |home: &Home| match home {
            Home::Cell { variable, dims } if dims.is_empty() && self.uninitialised.contains(variable) => Ok(Val::Uninitialised),
            _ => self.read(&Lvalue { home: home.clone(), selected: Vec::new() }, span),
        };
        homes.iter().map(part).collect()
    }

    /// A reference that gives a number: blanks are no numbers, and decide nothing.
    pub(super) fn number_at(&mut self, place: &Lvalue, expr: &flat::Expr) -> Lowering<Val<ValueId>> {
        let value = self.read(place, expr.span)?;
        let name = part_name(self.model, Some(self.id), expr);
        if let (Home::Cell { variable, dims }, Val::Scalar(scalar)) = (&place.home, &value)
            && dims.is_empty()
            && self.unsure.contains(variable)
        {
            // Only a value that is not a number differs from itself.
            let condition = self.ir.binary(Op2::Eq, *scalar, *scalar);
            let message = format!("{name} has no value here: it is assigned on other ways through the function only");
            self.block.push(Stmt::Assert { condition, message: vec![MessageFragment::Text(message)] });
        }
        let is_uninitialised = matches!(&place.home, Home::Cell { variable, .. } if self.uninitialised.contains(variable));
        if !is_uninitialised {
            return Ok(value);
        }
        if expr.ty.scalar != flat::Scalar::Real {
            return Err(no_value(&name, expr.span));
        }
        self.uninitialised_reads.push((name, expr.span));
        let nothing = self.ir.constant(f64::NAN);
        value.map(&mut |_| Ok(nothing))
    }

    fn read_cell(
        &mut self,
        variable: LocalId,
        dims: &[usize],
        selected: &[Selector],
        prefix: &mut Vec<ValueId>,
        span: Span,
    ) -> Lowering<Val<ValueId>> {
        let dim = prefix.len();
        if dim == dims.len() {
            let known = match self.position(dims, prefix) {
                Position::Outside => return self.outside(variable, span).map(Val::Scalar),
                Position::Known(position) => self.numbers.get(&variable).and_then(|numbers| numbers.get(&position)).copied(),
                Position::Computed => None,
            };
            return Ok(Val::Scalar(match known {
                Some(number) => self.ir.constant(number),
                None => self.ir.read(variable, prefix),
            }));
        }
        let subscripts = match selected.get(dim) {
            Some(Selector::One(subscript)) => {
                prefix.push(*subscript);
                let value = self.read_cell(variable, dims, selected, prefix, span);
                prefix.pop();
                return value;
            }
            Some(Selector::Many(subscripts)) => subscripts.clone(),
            None => (1..=dims[dim]).map(|i| self.ir.constant(i as f64)).collect(),
        };
        let mut items = Vec::with_capacity(subscripts.len());
        for subscript in subscripts {
            prefix.push(subscript);
            items.push(self.read_cell(variable, dims, selected, prefix, span)?);
            prefix.pop();
        }
        let inner = (dim + 1..dims.len()).filter_map(|dim| match selected.get(dim) {
            Some(Selector::One(_)) => None,
            Some(Selector::Many(subscripts)) => Some(subscripts.len()),
            None => Some(dims[dim]),
        });
        Ok(Val::array(items, inner.collect()))
    }

    /// Subscripts of a value that is no variable.
    pub(super) fn subscripted(&mut self, value: &Val<ValueId>, subscripts: &[Subscript], span: Span) -> Lowering<Val<ValueId>> {
        let Some((first, rest)) = subscripts.split_first() else { return Ok(value.clone()) };
        let items = value.items().ok_or_else(|| Diagnostic::error("D002", "too many subscripts").at(span, "here"))?;
        match self.selector(first, items.len())? {
            Selector::One(position) if self.literal(position).is_some() => {
                let item = self.item_number(position, items.len(), span)?;
                self.subscripted(&items[item], rest, span)
            }
            Selector::One(position) => {
                // The array gets a variable, whose elements can be reached by numbers known at run time.
                let shape = value_shape(value).ok_or_else(|| shape_error(span))?;
                let home = self.home("$array", &shape, Role::Auxiliary);
                let Home::Cell { variable, dims } = home.clone() else { return self.chosen_item(items, position, rest, span) };
                self.write(&Lvalue { home, selected: Vec::new() }, value, span)?;
                let mut selected = vec![Selector::One(position)];
                for (subscript, size) in rest.iter().zip(&dims[1..]) {
                    selected.push(self.selector(subscript, *size)?);
                }
                self.read_cell(variable, &dims, &selected, &mut Vec::new(), span)
            }
            Selector::Many(positions) => {
                let mut list = Vec::with_capacity(positions.len());
                for position in positions {
                    let item = self.item_number(position, items.len(), span)?;
                    list.push(self.subscripted(&items[item], rest, span)?);
                }
                if list.is_empty() {
                    let mut inner = Vec::new();
                    for (dim, size) in value.sizes().into_iter().enumerate().skip(1) {
                        match rest.get(dim - 1) {
                            Some(Subscript::Index(_)) => {}
                            Some(Subscript::Slice(indices)) => inner.push(self.expr(indices)?.to_scalars().len()),
                            Some(Subscript::All) | None => inner.push(size),
                        }
                    }
                    return Ok(Val::array(list, inner));
                }
                Ok(Val::Array(list))
            }
        }
    }

    /// The item of an array of records whose number is known at run time.
    fn chosen_item(&mut self, items: &[Val<ValueId>], position: ValueId, rest: &[Subscript], span: Span) -> Lowering<Val<ValueId>> {
        let position = self.bound(position);
        let [first, last] = [1.0, items.len() as f64].map(|bound| self.ir.constant(bound));
        let (from, to) = (self.ir.binary(Op2::Ge, position, first), self.ir.binary(Op2::Le, position, last));
        let condition = self.ir.binary(Op2::And, from, to);
        let message = vec![MessageFragment::Text(format!("a subscript of an array of records in {} is out of range", self.function.name))];
        self.block.push(Stmt::Assert { condition, message });
        let mut chosen: Option<Val<ValueId>> = None;
        for (i, item) in items.iter().enumerate().rev() {
            let item = self.subscripted(item, rest, span)?;
            chosen = Some(match chosen {
                None => item,
                Some(other) => {
                    let number = self.ir.constant(i as f64 + 1.0);
                    let here = self.ir.binary(Op2::Eq, position, number);
                    arrays::choose(self, here, &item, &other).ok_or_else(|| shape_error(span))?
                }
            });
        }
        chosen.ok_or_else(|| Diagnostic::error("D006", "an empty array has no elements").at(span, "here"))
    }
}

/// The reference with another subscript in place of one.
fn with_subscript(target: &flat::Expr, old: &flat::Expr, new: &flat::Expr) -> flat::Expr {
    let kind = match &target.kind {
        ExprKind::Field(base, field) => ExprKind::Field(Box::new(with_subscript(base, old, new)), *field),
        ExprKind::Index(base, subscripts) => {
            let exchanged = |subscript: &Subscript| match subscript {
                Subscript::Index(index) if index == old => Subscript::Index(new.clone()),
                other => other.clone(),
            };
            ExprKind::Index(Box::new(with_subscript(base, old, new)), subscripts.iter().map(exchanged).collect())
        }
        other => other.clone(),
    };
    flat::Expr { kind, ..target.clone() }
}

enum Position {
    Known(usize),
    Computed,
    Outside,
}
