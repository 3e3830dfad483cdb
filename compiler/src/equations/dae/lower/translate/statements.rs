//! Statements of a called function: conditions, loops and what they assign.

use super::*;

impl Translator<'_, '_> {
    /// Translates statements; `false` if the end of the list is never reached.
    pub(super) fn statements(&mut self, list: &[flat::Statement]) -> Lowering<bool> {
        for statement in list {
            if self.ir.values.len() > MAX_VALUES {
                return Err(unsupported(
                    &format!("function {}, whose loops grow too large when unrolled,", self.function.name),
                    self.function.span,
                ));
            }
            if !self.statement(statement)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn statement(&mut self, statement: &flat::Statement) -> Lowering<bool> {
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                let value = self.expr(value)?;
                self.assign(target, &value)?;
            }
            StatementKind::Tuple(targets, call) => {
                let outputs = self.call_outputs(call)?;
                for (target, output) in targets.iter().zip(outputs) {
                    if let Some(target) = target {
                        self.assign(target, &output)?;
                    }
                }
            }
            StatementKind::If(branches, otherwise) => return self.if_statement(branches, otherwise),
            StatementKind::For(local, range, body) => self.for_statement(*local, range, body)?,
            StatementKind::While(condition, body) => self.while_statement(condition, body)?,
            StatementKind::When(_) => return Err(unsupported("`when` inside a function", statement.span)),
            StatementKind::Call(call) => self.effect(call)?,
            StatementKind::Break => {
                self.block.push(Stmt::Break);
                return Ok(false);
            }
            StatementKind::Return => {
                self.block.push(Stmt::Return);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Runs `f` with an empty list of statements; gives that list too.
    pub(super) fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Lowering<T>) -> Lowering<(Vec<Stmt>, T)> {
        let outer = std::mem::take(&mut self.block);
        let result = f(self);
        let inner = std::mem::replace(&mut self.block, outer);
        Ok((inner, result?))
    }

    pub(super) fn texts(&self) -> Vec<(flat::LocalId, Option<Home>)> {
        let is_text = |id: &flat::LocalId| self.function.locals[*id].ty.scalar == flat::Scalar::String;
        let all = self.function.locals.keys().filter(is_text);
        all.map(|id| (id, self.homes[id].clone())).collect()
    }

    pub(super) fn if_statement(
        &mut self,
        branches: &[(flat::Expr, Vec<flat::Statement>)],
        otherwise: &[flat::Statement],
    ) -> Lowering<bool> {
        let Some(((condition, body), rest)) = branches.split_first() else { return self.statements(otherwise) };
        let condition = self.scalar(condition)?;
        match self.literal(condition) {
            Some(0.0) => return self.if_statement(rest, otherwise),
            Some(_) => return self.statements(body),
            None => {}
        }
        if matches!(self.ir.values[condition], Value::Read(_)) {
            self.decides(condition);
        }
        let before = self.numbers.clone();
        let uninitialised_before = self.uninitialised.clone();
        let unsure_before = self.unsure.clone();
        let texts = self.texts();
        let mark = self.written.len();
        let (then, then_ends) = self.nested(|t| t.statements(body))?;
        let numbers_then = std::mem::replace(&mut self.numbers, before);
        let uninitialised_then = std::mem::replace(&mut self.uninitialised, uninitialised_before);
        let unsure_then = std::mem::replace(&mut self.unsure, unsure_before);
        let texts_then = self.texts();
        for (id, home) in texts {
            self.homes[id] = home;
        }
        let (or_else, else_ends) = self.nested(|t| t.if_statement(rest, otherwise))?;
        match (then_ends, else_ends) {
            (true, false) => {
                self.uninitialised = uninitialised_then;
                self.unsure = unsure_then;
                self.numbers = numbers_then;
                for (id, home) in texts_then {
                    self.homes[id] = home;
                }
            }
            (true, true) => {
                self.unsure.extend(unsure_then);
                self.unsure.extend(self.uninitialised.symmetric_difference(&uninitialised_then));
                self.uninitialised.retain(|variable| uninitialised_then.contains(variable));
                for variable in &self.written[mark..] {
                    self.numbers.remove(variable);
                }
                let mut is_then = None;
                for (id, home) in texts_then {
                    let text = match (home, self.homes[id].clone()) {
                        (Some(Home::Text(a)), Some(Home::Text(b))) if a == b => a,
                        (Some(Home::Text(Some(a))), Some(Home::Text(Some(b)))) => {
                            let is_then = *is_then.get_or_insert_with(|| self.kept(condition));
                            Some(either_text(is_then, &a, &b))
                        }
                        _ => None,
                    };
                    self.homes[id] = Some(Home::Text(text));
                }
            }
            (false, _) => {}
        }
        self.block.push(Stmt::If(vec![(condition, then)], or_else));
        Ok(then_ends || else_ends)
    }

    /// What has no value for sure yet and a loop body assigns: after the loop it may still have none.
    pub(super) fn open_before(&self, body: &[flat::Statement]) -> Vec<LocalId> {
        let mut parts = indexmap::IndexSet::new();
        assigned_parts(body, &mut parts);
        let mut variables = Vec::new();
        parts.iter().filter_map(|(id, _)| self.homes[*id].as_ref()).for_each(|home| variables_of(home, &mut variables));
        variables.retain(|v| self.ir.variables[*v].dims.is_empty() && (self.uninitialised.contains(v) || self.unsure.contains(v)));
        variables
    }

    /// Forgets the values of everything that a loop body assigns.
    pub(super) fn forget_assigned(&mut self, body: &[flat::Statement]) {
        let mut parts = indexmap::IndexSet::new();
        assigned_parts(body, &mut parts);
        for (id, fields) in parts {
            let Some(mut home) = self.homes[id].clone() else { continue };
            if let Home::Text(_) = home {
                self.homes[id] = Some(Home::Text(None));
            }
            for field in fields {
                home = match home {
                    Home::Record(mut fields) if field < fields.len() => fields.swap_remove(field),
                    other => other,
                };
            }
            let mut variables = Vec::new();
            variables_of(&home, &mut variables);
            variables.into_iter().for_each(|v| self.forget(v));
        }
    }

    pub(super) fn for_statement(&mut self, local: flat::LocalId, range: &flat::Expr, body: &[flat::Statement]) -> Lowering<()> {
        let ExprKind::Range(start, step, stop) = &range.kind else {
            let items = self.expr(range)?;
            let items = items.items().ok_or_else(|| shape_error(range.span))?.to_vec();
            return self.unrolled(local, &items, body, range.span);
        };
        let start = self.scalar(start)?;
        let step = match step {
            Some(step) => self.scalar(step)?,
            None => self.ir.constant(1.0),
        };
        let stop = self.scalar(stop)?;
        let (numbers, texts) = (self.numbers.clone(), self.texts());
        let n_block = self.block.len();
        match self.loop_over(local, [start, step, stop], body) {
            Ok(()) => Ok(()),
            Err(error) if matches!(error.code, "D004" | "D006") => {
                // The body needs the value of the loop variable.
                let (Some(start), Some(step), Some(stop)) = (self.literal(start), self.literal(step), self.literal(stop)) else {
                    return Err(error);
                };
                self.numbers = numbers;
                for (id, home) in texts {
                    self.homes[id] = home;
                }
                self.block.truncate(n_block);
                let items = arrays::range(self, start, step, stop, range.span)?;
                self.unrolled(local, items.items().unwrap_or(&[]), body, range.span)
            }
            Err(error) => Err(error),
        }
    }

    pub(super) fn loop_over(&mut self, local: flat::LocalId, [start, step, stop]: [ValueId; 3], body: &[flat::Statement]) -> Lowering<()> {
        // Bounds are evaluated before the loop, whatever the body assigns.
        let (start, step, stop) = (self.bound(start), self.bound(step), self.bound(stop));
        let variable = self.ir.variable(&self.function.locals[local].name, &[], Role::Local);
        self.homes[local] = Some(Home::Cell { variable, dims: Vec::new() });
        let open = self.open_before(body);
        self.forget_assigned(body);
        self.unsure.extend(&open);
        let (body_block, _) = self.nested(|t| t.statements(body))?;
        self.forget_assigned(body);
        // A body that is never executed assigns nothing.
        self.unsure.extend(&open);
        self.block.push(Stmt::For { variable, start, step, stop, body: body_block });
        Ok(())
    }

    pub(super) fn bound(&mut self, value: ValueId) -> ValueId {
        if self.literal(value).is_some() { value } else { self.kept(value) }
    }

    /// A loop, unrolled.
    pub(super) fn unrolled(&mut self, local: flat::LocalId, items: &[Val<ValueId>], body: &[flat::Statement], span: Span) -> Lowering<()> {
        if items.len() > MAX_ITERATIONS {
            return Err(unsupported(&format!("a loop of {} iterations that must be unrolled", items.len()), span));
        }
        let leaves = has_break(body);
        let open = self.open_before(body);
        let name = &self.function.locals[local].name;
        let (block, ()) = self.nested(|t| {
            for item in items {
                let shape = value_shape(item).ok_or_else(|| shape_error(span))?;
                let home = t.home(name, &shape, Role::Local);
                t.homes[local] = Some(home.clone());
                t.write(&Lvalue { home, selected: Vec::new() }, item, span)?;
                if !t.statements(body)? {
                    break;
                }
            }
            Ok(())
        })?;
        if leaves {
            // `break` leaves a loop that goes round once.
            let mut block = block;
            block.push(Stmt::Break);
            let always = self.ir.constant(1.0);
            self.block.push(Stmt::While(always, block));
            self.forget_assigned(body);
            self.unsure.extend(&open);
        } else {
            self.block.extend(block);
        }
        Ok(())
    }

    pub(super) fn while_statement(&mut self, condition: &flat::Expr, body: &[flat::Statement]) -> Lowering<()> {
        let first = self.nested(|t| t.scalar(condition))?.1;
        if self.literal(first) == Some(0.0) {
            return Ok(());
        }
        let open = self.open_before(body);
        self.forget_assigned(body);
        self.unsure.extend(&open);
        let (mut before, condition) = self.nested(|t| t.scalar(condition))?;
        let (body_block, _) = self.nested(|t| t.statements(body))?;
        self.forget_assigned(body);
        self.unsure.extend(&open);
        if before.is_empty() {
            self.block.push(Stmt::While(condition, body_block));
        } else {
            before.push(Stmt::If(vec![(condition, Vec::new())], vec![Stmt::Break]));
            before.extend(body_block);
            let always = self.ir.constant(1.0);
            self.block.push(Stmt::While(always, before));
        }
        Ok(())
    }
}
