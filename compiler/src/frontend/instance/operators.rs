//! Operators of records: which function an operator or constructor means.
//!
//! Input: operands with full names. Output: calls of the functions that the records declare (section 14 of the
//! specification): exact matches among the functions of both operands, then with constructors of one argument, then
//! element by element. More than one match is an error. Cost: functions list their inputs once.

use super::elaborate::What;
use super::ids::{Checked, ClassInstId, ScopeId};
use super::modification::Mod;
use super::projections::taken;
use super::tree::{Input, Instantiation, Meaning, OfRecord, Signature, is_record};
use partita_grammar::Span;
use partita_grammar::ast::{
    self, BinaryOp, Causality, ClassBody, ClassKind, ComponentRef, Expr, ExprKind, Ident, RefPart, Subscript, UnaryOp,
};
use std::rc::Rc;

/// An operand and what record it is.
type Operand = (Expr, OfRecord);

fn word(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Or => "'or'",
        BinaryOp::And => "'and'",
        BinaryOp::Less => "'<'",
        BinaryOp::LessEqual => "'<='",
        BinaryOp::Greater => "'>'",
        BinaryOp::GreaterEqual => "'>='",
        BinaryOp::Equal => "'=='",
        BinaryOp::NotEqual => "'<>'",
        BinaryOp::Add | BinaryOp::ElementAdd => "'+'",
        BinaryOp::Subtract | BinaryOp::ElementSubtract => "'-'",
        BinaryOp::Multiply | BinaryOp::ElementMultiply => "'*'",
        BinaryOp::Divide | BinaryOp::ElementDivide => "'/'",
        BinaryOp::Power | BinaryOp::ElementPower => "'^'",
    }
}

/// Whether an operator on arrays of these ranks is that of their elements.
fn is_by_element(op: BinaryOp, a: usize, b: usize) -> bool {
    match op {
        BinaryOp::Add | BinaryOp::Subtract => a == b && a > 0,
        BinaryOp::Multiply => (a == 0) != (b == 0),
        BinaryOp::Divide => a > 0 && b == 0,
        BinaryOp::ElementAdd | BinaryOp::ElementSubtract | BinaryOp::ElementMultiply | BinaryOp::ElementDivide | BinaryOp::ElementPower => {
            a > 0 || b > 0
        }
        _ => false,
    }
}

impl<'s> Instantiation<'s> {
    /// The record that short definitions of operator records stand for: they share its functions.
    pub(super) fn record_class(&mut self, class: ClassInstId) -> Checked<ClassInstId> {
        let mut at = class;
        while matches!(self.class_syntax(at)?.body, ClassBody::Short { .. }) {
            match self.elements(at)?.bases.get(1).map(|base| base.id) {
                Some(base) if base != at => at = base,
                _ => break,
            }
        }
        if self.class_kind(at) != ClassKind::OperatorRecord {
            return Ok(class);
        }
        let entry = self.classes.class_insts[at].class;
        Ok(self.plain(entry))
    }

    /// How many dimensions an operand has.
    fn rank(&self, (e, of): &Operand) -> usize {
        of.map_or_else(|| self.number_rank(e), |(_, rank)| rank)
    }

    /// How many dimensions an expression of numbers has, as far as its form says.
    fn number_rank(&self, e: &Expr) -> usize {
        match &e.kind {
            ExprKind::Array(list) => 1 + list.first().map_or(0, |e| self.number_rank(e)),
            ExprKind::Comprehension(body, iterators) => iterators.len() + self.number_rank(body),
            ExprKind::Parenthesised(e) | ExprKind::Unary(_, e) => self.number_rank(e),
            ExprKind::Subscripted(base, subscripts) => self.number_rank(base).saturating_sub(scalars(subscripts)),
            ExprKind::Ref(reference) => match reference.parts.as_slice() {
                [part] => {
                    let rank = self.ranks.get(part.name.text.trim_matches('\'')).copied().unwrap_or(0);
                    rank.saturating_sub(scalars(&part.subscripts))
                }
                _ => 0,
            },
            _ => 0,
        }
    }

    /// How many dimensions a call has more than its function gives, because arguments are arrays of what it takes.
    fn lifted(&mut self, function: ClassInstId, arguments: &ast::CallArguments, scope: ScopeId) -> Checked<usize> {
        let signature = self.signature(function)?;
        let mut more = 0;
        for (argument, input) in arguments.positional.iter().zip(&signature.inputs) {
            let of = self.record_of(argument, scope)?;
            let rank = of.map_or_else(|| self.number_rank(argument), |(_, rank)| rank);
            more = more.max(rank.saturating_sub(input.rank));
        }
        Ok(more)
    }

    /// `first op a op b ...`, from left to right.
    pub(super) fn chain(&mut self, first: Expr, rest: Vec<(BinaryOp, Expr)>, span: Span, scope: ScopeId) -> Checked<Expr> {
        let plain = |first, rest| Ok(Expr { kind: ExprKind::Chain(Box::new(first), rest), span });
        if !self.found.has_operator_records {
            return plain(first, rest);
        }
        let start = self.record_of(&first, scope)?;
        let mut operands = Vec::with_capacity(rest.len());
        for (op, e) in rest {
            let of = self.record_of(&e, scope)?;
            operands.push((op, e, of));
        }
        if start.is_none() && operands.iter().all(|(_, _, of)| of.is_none()) {
            return plain(first, operands.into_iter().map(|(op, e, _)| (op, e)).collect());
        }
        let mut made = (first, start);
        for (op, e, of) in operands {
            let whole = self.binary(op, made, (e, of), span, scope)?;
            let of = self.record_of(&whole, scope)?;
            made = (whole, of);
        }
        Ok(made.0)
    }

    /// An operator with two operands.
    pub(super) fn pair(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span, scope: ScopeId) -> Checked<Expr> {
        let of_a = if self.found.has_operator_records { self.record_of(&a, scope)? } else { None };
        let of_b = if self.found.has_operator_records { self.record_of(&b, scope)? } else { None };
        self.binary(op, (a, of_a), (b, of_b), span, scope)
    }

    fn binary(&mut self, op: BinaryOp, a: Operand, b: Operand, span: Span, scope: ScopeId) -> Checked<Expr> {
        if a.1.is_none() && b.1.is_none() {
            return Ok(Expr { kind: ExprKind::Binary(op, Box::new(a.0), Box::new(b.0)), span });
        }
        let is_element_operator = matches!(
            op,
            BinaryOp::ElementAdd | BinaryOp::ElementSubtract | BinaryOp::ElementMultiply | BinaryOp::ElementDivide | BinaryOp::ElementPower
        );
        if is_element_operator && is_by_element(op, self.rank(&a), self.rank(&b)) {
            return self.by_element(op, a, b, span, scope);
        }
        let operands = [a, b];
        let mut candidates = Vec::new();
        for (record, _) in operands.iter().filter_map(|(_, of)| *of) {
            for function in self.operator_functions(record, word(op))? {
                if !candidates.contains(&function) {
                    candidates.push(function);
                }
            }
        }
        if let Some(made) = self.matched(&candidates, &operands, span, scope)? {
            return Ok(made);
        }
        let [a, b] = operands;
        if is_by_element(op, self.rank(&a), self.rank(&b)) {
            return self.by_element(op, a, b, span, scope);
        }
        let record = a.1.or(b.1).map_or(String::new(), |(record, _)| self.class_path(record).to_owned());
        Err(self.no_operator(word(op), &record, span, scope))
    }

    fn no_operator(&mut self, word: &str, record: &str, span: Span, scope: ScopeId) -> Box<partita_grammar::Diagnostic> {
        let mut error =
            self.fail("N011", format!("`{record}` has no operator `{}` for these operands", word.trim_matches('\'')), span, scope);
        error.labels.clear();
        Box::new(error.at(span, ""))
    }

    /// A sign before a record.
    pub(super) fn signed(&mut self, op: UnaryOp, a: Expr, span: Span, scope: ScopeId) -> Checked<Expr> {
        let of = if self.found.has_operator_records { self.record_of(&a, scope)? } else { None };
        let Some((record, rank)) = of else { return Ok(Expr { kind: ExprKind::Unary(op, Box::new(a)), span }) };
        if matches!(op, UnaryOp::Plus | UnaryOp::ElementPlus) {
            return Ok(a);
        }
        if rank > 0 {
            return self.mapped(a, &mut |work, e| work.signed(op, e, span, scope), span);
        }
        let word = if op == UnaryOp::Not { "'not'" } else { "'-'" };
        let candidates = self.operator_functions(record, word)?;
        match self.matched(&candidates, &[(a, of)], span, scope)? {
            Some(made) => Ok(made),
            None => {
                let path = self.class_path(record).to_owned();
                Err(self.no_operator(word, &path, span, scope))
            }
        }
    }

    /// The functions behind an operator of a record.
    fn operator_functions(&mut self, record: ClassInstId, word: &str) -> Checked<Vec<ClassInstId>> {
        let Some(Meaning::Class(operator)) = self.member_of_class(record, word)? else { return Ok(Vec::new()) };
        if self.class_kind(operator) != ClassKind::Operator {
            return Ok(vec![operator]);
        }
        let names: Vec<Rc<str>> = self.library.child_names(self.classes.class_insts[operator].class).cloned().collect();
        let mut found = Vec::new();
        for name in names {
            if let Some(Meaning::Class(function)) = self.member_of_class(operator, &name)? {
                found.push(function);
            }
        }
        Ok(found)
    }

    /// The call of the one function that fits, operands converted if none fits exactly.
    fn matched(&mut self, candidates: &[ClassInstId], operands: &[Operand], span: Span, scope: ScopeId) -> Checked<Option<Expr>> {
        let mut fitting = Vec::new();
        let ranks: Vec<usize> = operands.iter().map(|operand| self.rank(operand)).collect();
        for function in candidates {
            let signature = self.signature(*function)?;
            if fits(&signature, operands, &ranks) {
                fitting.push(*function);
            }
        }
        if let [function] = fitting.as_slice() {
            let arguments = operands.iter().map(|(e, _)| e.clone()).collect();
            return self.call_of(*function, arguments, span).map(Some);
        }
        if fitting.len() > 1 {
            let names: Vec<String> = fitting.iter().map(|f| format!("`{}`", self.class_path(*f))).collect();
            let text = format!("more than one function fits these operands: {}", names.join(", "));
            return Err(self.fail("N011", text, Span::default(), scope));
        }
        for function in candidates {
            let signature = self.signature(*function)?;
            if let Some(made) = self.converted(&signature, operands, span)? {
                return self.call_of(*function, made, span).map(Some);
            }
        }
        Ok(None)
    }

    /// Operands for a function, those that are no records made so by constructors of one argument.
    fn converted(&mut self, signature: &Signature, operands: &[Operand], span: Span) -> Checked<Option<Vec<Expr>>> {
        if !takes(signature, operands.len()) {
            return Ok(None);
        }
        let mut made = Vec::new();
        for ((e, of), input) in operands.iter().zip(&signature.inputs) {
            match (of, input.record) {
                (None, Some(record)) if input.rank == 0 && self.number_rank(e) == 0 => match self.constructor(record, 1, &[])? {
                    Some(constructor) => made.push(self.call_of(constructor, vec![e.clone()], span)?),
                    None => return Ok(None),
                },
                (Some((record, rank)), Some(wanted)) if *record == wanted && *rank == input.rank => made.push(e.clone()),
                (None, None) => made.push(e.clone()),
                _ => return Ok(None),
            }
        }
        Ok(Some(made))
    }

    /// The constructor of a record that takes so many arguments and these named ones.
    pub(super) fn constructor(&mut self, record: ClassInstId, positional: usize, named: &[Ident]) -> Checked<Option<ClassInstId>> {
        for function in self.operator_functions(record, "'constructor'")? {
            let signature = self.signature(function)?;
            let is_named = |input: &Input| named.iter().any(|n| *n.text == *input.name);
            let known = named.iter().all(|n| signature.inputs.iter().any(|input| *input.name == *n.text));
            let rest_is_given = signature.inputs.iter().skip(positional).all(|input| input.is_optional || is_named(input));
            if known && rest_is_given && positional + named.len() <= signature.inputs.len() {
                return Ok(Some(function));
            }
        }
        Ok(None)
    }

    fn call_of(&mut self, function: ClassInstId, positional: Vec<Expr>, span: Span) -> Checked<Expr> {
        let name = self.function_name(function)?;
        let arguments = Box::new(ast::CallArguments { positional, ..ast::CallArguments::default() });
        let parts = vec![RefPart { name: Ident { span, ..name }, subscripts: Vec::new() }];
        Ok(Expr { kind: ExprKind::Call { function: ComponentRef { global: false, parts, span }, arguments }, span })
    }

    /// An array whose elements are made of those of another.
    fn mapped(&mut self, a: Expr, with: &mut dyn FnMut(&mut Self, Expr) -> Checked<Expr>, span: Span) -> Checked<Expr> {
        let kind = match a.kind {
            ExprKind::Parenthesised(inner) => return self.mapped(*inner, with, span),
            ExprKind::Array(list) => ExprKind::Array(list.into_iter().map(|e| with(self, e)).collect::<Checked<_>>()?),
            ExprKind::Comprehension(body, iterators) if iterators.len() == 1 => {
                ExprKind::Comprehension(Box::new(with(self, *body)?), iterators)
            }
            kind => {
                let whole = Expr { kind, span };
                let (iterator, element) = self.element_of(&whole, span);
                ExprKind::Comprehension(Box::new(with(self, element)?), vec![iterator])
            }
        };
        Ok(Expr { kind, span })
    }

    /// A loop over an array that is no literal, and its element in there.
    fn element_of(&mut self, whole: &Expr, span: Span) -> (ast::Iterator, Expr) {
        self.found.loops += 1;
        let name = Ident { text: format!("element{}", self.found.loops).as_str().into(), span };
        let size = call("size", vec![whole.clone(), integer(1, span)], span);
        let range = ExprKind::Range { start: Box::new(integer(1, span)), step: None, stop: Box::new(size) };
        let part = RefPart { name: name.clone(), subscripts: Vec::new() };
        let index = Expr { kind: ExprKind::Ref(ComponentRef { global: false, parts: vec![part], span }), span };
        (ast::Iterator { name, range: Some(Expr { kind: range, span }) }, subscripted(whole.clone(), index))
    }

    fn by_element(&mut self, op: BinaryOp, a: Operand, b: Operand, span: Span, scope: ScopeId) -> Checked<Expr> {
        let (of_a, of_b) = (self.rank(&a), self.rank(&b));
        if of_a == 0 {
            return self.mapped(b.0, &mut |work, e| work.pair(op, a.0.clone(), e, span, scope), span);
        }
        if of_b == 0 {
            return self.mapped(a.0, &mut |work, e| work.pair(op, e, b.0.clone(), span, scope), span);
        }
        let length = [&a.0, &b.0].into_iter().find_map(|e| match &e.kind {
            ExprKind::Array(list) => Some(list.len()),
            _ => None,
        });
        if let Some(n) = length {
            let pairs = (1..=n).map(|i| self.pair(op, taken(a.0.clone(), &[i]), taken(b.0.clone(), &[i]), span, scope));
            return Ok(Expr { kind: ExprKind::Array(pairs.collect::<Checked<_>>()?), span });
        }
        let (iterator, first) = self.element_of(&a.0, span);
        let part = RefPart { name: iterator.name.clone(), subscripts: Vec::new() };
        let index = Expr { kind: ExprKind::Ref(ComponentRef { global: false, parts: vec![part], span }), span };
        // The sizes of both agree, which the passes behind check.
        let body = self.pair(op, first, subscripted(b.0, index), span, scope)?;
        Ok(Expr { kind: ExprKind::Comprehension(Box::new(body), vec![iterator]), span })
    }

    /// Which record with operators an expression with full names is, and in how many dimensions.
    pub(super) fn record_of(&mut self, e: &Expr, scope: ScopeId) -> Checked<OfRecord> {
        Ok(match &e.kind {
            ExprKind::Parenthesised(e) => self.record_of(e, scope)?,
            ExprKind::If { otherwise, .. } => self.record_of(otherwise, scope)?,
            ExprKind::Array(list) => match list.first() {
                Some(first) => self.record_of(first, scope)?.map(|(record, rank)| (record, rank + 1)),
                None => None,
            },
            ExprKind::Comprehension(body, iterators) => self.record_of(body, scope)?.map(|(record, rank)| (record, rank + iterators.len())),
            ExprKind::Subscripted(base, subscripts) => {
                self.record_of(base, scope)?.map(|(record, rank)| (record, rank.saturating_sub(scalars(subscripts))))
            }
            ExprKind::Call { function, arguments } => {
                let Some(part) = function.parts.first() else { return Ok(None) };
                match self.functions.by_name.get(&*part.name.text).copied() {
                    Some(class) if is_record(self.class_kind(class)) => {
                        (self.class_kind(class) == ClassKind::OperatorRecord).then_some((class, 0))
                    }
                    Some(class) => match self.signature(class)?.output {
                        Some((record, rank)) => Some((record, rank + self.lifted(class, arguments, scope)?)),
                        None => None,
                    },
                    None => self.record_of_builtin(&part.name.text, arguments, scope)?,
                }
            }
            ExprKind::Ref(reference) => self.record_of_local(reference, scope)?,
            _ => None,
        })
    }

    fn record_of_builtin(&mut self, name: &str, arguments: &ast::CallArguments, scope: ScopeId) -> Checked<OfRecord> {
        let Some(first) = arguments.positional.first() else { return Ok(None) };
        if !matches!(name, "pre" | "noEvent" | "previous" | "fill" | "smooth" | "homotopy" | "transpose") {
            return Ok(None);
        }
        let first = if name == "smooth" { arguments.positional.get(1).unwrap_or(first) } else { first };
        let more = if name == "fill" { arguments.positional.len() - 1 } else { 0 };
        Ok(self.record_of(first, scope)?.map(|(record, rank)| (record, rank + more)))
    }

    /// A component of the function whose text this is.
    fn record_of_local(&mut self, reference: &ComponentRef, scope: ScopeId) -> Checked<OfRecord> {
        let mut class = self.contexts.scopes[scope].class;
        let Some(first) = reference.parts.first() else { return Ok(None) };
        if self.contexts.scopes[scope].inst.is_some() || first.name.text.starts_with('\'') {
            return Ok(None);
        }
        let mut found = None;
        for part in &reference.parts {
            let elements = self.elements(class)?;
            let Some(declared) = elements.by_name.get(&*part.name.text).map(|at| elements.components[*at]) else { return Ok(None) };
            let scope = self.scope(None, Some(elements.bases[declared.base].id));
            let typed = self.type_of(declared.clause, scope, &Rc::new(Mod::default()))?;
            let What::Class(of) = typed.what else { return Ok(None) };
            let dims = declared.component.dims.len() + declared.clause.type_spec.dims.len() + typed.dims.len();
            found = Some((of, dims.saturating_sub(scalars(&part.subscripts))));
            class = of;
        }
        let Some((class, rank)) = found else { return Ok(None) };
        let class = self.record_class(class)?;
        Ok((self.class_kind(class) == ClassKind::OperatorRecord).then_some((class, rank)))
    }

    /// The inputs and the first output of a function.
    pub(super) fn signature(&mut self, function: ClassInstId) -> Checked<Rc<Signature>> {
        if let Some(known) = self.functions.signatures.get(&function) {
            return Ok(known.clone());
        }
        let mut made = Signature::default();
        let elements = self.elements(function)?;
        let mut has_output = false;
        for declared in &elements.components {
            let causality = declared.clause.prefixes.causality;
            if !matches!(causality, Causality::Input | Causality::Output) {
                continue;
            }
            let scope = self.scope(None, Some(elements.bases[declared.base].id));
            let typed = self.type_of(declared.clause, scope, &Rc::new(Mod::default()))?;
            let rank = declared.component.dims.len() + declared.clause.type_spec.dims.len() + typed.dims.len();
            let record = match typed.what {
                What::Class(class) => {
                    let class = self.record_class(class)?;
                    Some(class).filter(|class| self.class_kind(*class) == ClassKind::OperatorRecord)
                }
                What::Basic(_) => None,
            };
            let name = declared.component.name.parts.first().map_or("", |p| &*p.name.text);
            if causality == Causality::Input {
                made.inputs.push(Input { name: Rc::from(name), record, rank, is_optional: declared.component.binding.is_some() });
            } else if !has_output {
                has_output = true;
                made.output = record.map(|record| (record, rank));
            }
        }
        let made = Rc::new(made);
        self.functions.signatures.insert(function, made.clone());
        Ok(made)
    }
}

/// Whether a function takes so many arguments.
fn takes(signature: &Signature, n: usize) -> bool {
    signature.inputs.len() >= n && signature.inputs.iter().skip(n).all(|input| input.is_optional)
}

fn fits(signature: &Signature, operands: &[Operand], ranks: &[usize]) -> bool {
    takes(signature, operands.len())
        && operands.iter().zip(&signature.inputs).zip(ranks).all(|(((_, of), input), rank)| match (of, input.record) {
            (Some((record, rank)), Some(wanted)) => *record == wanted && *rank == input.rank,
            (None, None) => *rank == 0 || *rank == input.rank,
            _ => false,
        })
}

/// Subscripts that choose one element.
fn scalars(subscripts: &[Subscript]) -> usize {
    subscripts.iter().filter(|s| matches!(s, Subscript::Index(e) if !matches!(e.kind, ExprKind::Range { .. } | ExprKind::Array(_)))).count()
}

fn subscripted(e: Expr, index: Expr) -> Expr {
    let span = e.span;
    Expr { kind: ExprKind::Subscripted(Box::new(e), vec![Subscript::Index(index)]), span }
}

fn integer(i: i64, span: Span) -> Expr {
    Expr { kind: ExprKind::Integer(i), span }
}

fn call(name: &str, positional: Vec<Expr>, span: Span) -> Expr {
    let part = RefPart { name: Ident { text: name.into(), span }, subscripts: Vec::new() };
    let arguments = Box::new(ast::CallArguments { positional, ..ast::CallArguments::default() });
    Expr { kind: ExprKind::Call { function: ComponentRef { global: false, parts: vec![part], span }, arguments }, span }
}
