//! Messages, assertions and texts of a called function.

use super::*;

impl Translator<'_, '_> {
    pub(super) fn effect(&mut self, call: &flat::Expr) -> Lowering<()> {
        match &call.kind {
            ExprKind::Builtin(Builtin::Assert, args) => {
                let Some(condition) = args.first() else { return Ok(()) };
                let condition = self.scalar(condition)?;
                if self.literal(condition).is_some_and(|c| c != 0.0) {
                    return Ok(());
                }
                if let Some(level) = args.get(2) {
                    let level = self.scalar(level)?;
                    if self.literal(level) == Some(1.0) {
                        self.lowerer.warn_once(
                            Diagnostic::warning(
                                "D009",
                                format!(
                                    "a warning of function {} is not shown, because the function is called, not inlined",
                                    self.function.name
                                ),
                            )
                            .at(call.span, "this assert"),
                        );
                        return Ok(());
                    }
                }
                // The message is made only where the assert fails.
                let (mut failed, pieces) = self.nested(|t| match args.get(1) {
                    Some(text) => match t.expr(text)? {
                        Val::Text(pieces) => Ok(pieces),
                        _ => Err(Diagnostic::error("D002", "a String is needed here").at(text.span, "this is not a String")),
                    },
                    None => Ok(Vec::new()),
                })?;
                if nested_choices(&pieces) > MAX_NESTED_CHOICES {
                    return Err(unsupported("a message with so many conditions inside conditions", call.span));
                }
                if failed.is_empty() {
                    let message = self.message(&pieces, None);
                    self.block.push(Stmt::Assert { condition, message });
                } else {
                    failed.push(self.failure(&pieces));
                    self.block.push(Stmt::If(vec![(condition, Vec::new())], failed));
                }
                Ok(())
            }
            ExprKind::Builtin(Builtin::Print, args) => {
                let Some(text) = args.first() else { return Ok(()) };
                let Val::Text(pieces) = self.expr(text)? else {
                    return Err(unsupported("printing something else than a String", call.span));
                };
                let said = self.said(&pieces)?;
                self.block.push(said);
                Ok(())
            }
            ExprKind::Builtin(Builtin::Terminate, _) => Err(unsupported("terminate inside a function", call.span)),
            _ => self.call_outputs(call).map(|_| ()),
        }
    }

    /// A failure with this text.
    pub(super) fn failure(&mut self, pieces: &[TextFragment<ValueId>]) -> Stmt {
        let message = self.message(pieces, None);
        Stmt::Assert { condition: self.ir.constant(0.0), message }
    }

    /// A text as parts of a message. What is on a side of a choice is looked at only where `path`, the choice, leads to it: elsewhere it
    /// might fail.
    pub(super) fn message(&mut self, pieces: &[TextFragment<ValueId>], path: Option<ValueId>) -> Vec<MessageFragment> {
        let mut parts = Vec::with_capacity(pieces.len());
        for piece in pieces {
            parts.push(match piece {
                TextFragment::Literal(text) => MessageFragment::Text(text.clone()),
                TextFragment::Value(value, format) => MessageFragment::Value(self.only_where(path, *value), format.clone()),
                TextFragment::Either(condition, a, b) => {
                    let condition = self.only_where(path, *condition);
                    let not = self.ir.unary(Op1::Not, condition);
                    let [then, or_else] = [condition, not].map(|side| Some(path.map_or(side, |path| self.ir.binary(Op2::And, path, side))));
                    MessageFragment::Either(condition, self.message(a, then), self.message(b, or_else))
                }
            });
        }
        parts
    }

    /// A value where a condition holds, zero elsewhere.
    pub(super) fn only_where(&mut self, path: Option<ValueId>, value: ValueId) -> ValueId {
        let Some(path) = path else { return value };
        let zero = self.ir.constant(0.0);
        self.ir.value(Value::Select(path, value, zero))
    }

    /// The statement that prints this text.
    pub(super) fn said(&mut self, pieces: &[TextFragment<ValueId>]) -> Lowering<Stmt> {
        let mut args = vec![self.ir.constant(self.lowerer.sys.outside.texts.len() as f64)];
        let text = text_pieces(self.message(pieces, None), &mut args);
        self.lowerer.sys.outside.texts.push(text);
        let native = self.lowerer.native(self.id, "ModelicaInternal_say", args.len(), 0, Derivative::Zero)?;
        Ok(Stmt::Call { function: native, args, targets: Vec::new() })
    }

    /// The text with the present values of what it is made of.
    pub(super) fn kept_text(&mut self, pieces: &[TextFragment<ValueId>]) -> Vec<TextFragment<ValueId>> {
        let kept = |piece: &TextFragment<ValueId>| match piece {
            TextFragment::Literal(text) => TextFragment::Literal(text.clone()),
            TextFragment::Value(value, format) => TextFragment::Value(self.bound(*value), format.clone()),
            TextFragment::Either(condition, a, b) => TextFragment::Either(self.bound(*condition), self.kept_text(a), self.kept_text(b)),
        };
        pieces.iter().map(kept).collect()
    }
}

/// A message as pieces, and the values that they take, in their order.
fn text_pieces(parts: Vec<MessageFragment>, values: &mut Vec<ValueId>) -> Vec<TextPiece> {
    let mut pieces = Vec::with_capacity(parts.len());
    for part in parts {
        pieces.push(match part {
            MessageFragment::Text(literal) => TextPiece::Text(literal),
            MessageFragment::Value(value, format) => {
                values.push(value);
                TextPiece::Value(format)
            }
            MessageFragment::Either(condition, a, b) => {
                values.push(condition);
                TextPiece::Either(text_pieces(a, values), text_pieces(b, values))
            }
        });
    }
    pieces
}
