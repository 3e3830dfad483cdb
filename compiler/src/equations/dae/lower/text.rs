//! Texts with values in them: what `String(x, ...)` gives, and texts that called functions print.
//!
//! Input: evaluated arguments. Output: pieces of text; a value that is known is text at once, another one carries its format to the run.
//! Options that are known only at run time and formats that C does not have are refused (D013).

use super::arrays::Algebra;
use super::value::{TextFragment, Val};
use super::{Lowering, unsupported};
use crate::frontend::flat;
use partita_grammar::{Diagnostic, Span};
use partita_runtime::base::format::{Format, Number, Padding, WIDEST, printed};
use partita_runtime::model::plan::SlotType;

/// `String(value, minimumLength, leftJustified, significantDigits)` or `String(value, format)`; `ty` is the type of the value.
pub(super) fn string_of<A: Algebra>(
    algebra: &mut A,
    model: &flat::FlatModel,
    ty: flat::Scalar,
    args: &[Val<A::S>],
    span: Span,
) -> Lowering<Val<A::S>> {
    let (value, options) = match args.split_first() {
        Some((Val::Scalar(value), options)) => (*value, options),
        Some((Val::Text(pieces), options)) => return padded(algebra, pieces, options, span),
        _ => return Err(unsupported("String of an array", span)),
    };
    let format = match options {
        [Val::Text(_), ..] => Format::C(slot_type(ty), written_format(&options[0], ty, span)?),
        _ => {
            let place = place(algebra, options, span)?;
            match ty {
                flat::Scalar::Real => Format::General { digits: digits(algebra, options, span)?, place },
                flat::Scalar::Enumeration(id) => Format::Name(model.enums[id].literals.clone(), place),
                _ => Format::Whole(slot_type(ty), place),
            }
        }
    };
    let known = if matches!(format, Format::Name(..)) { algebra.known(value) } else { algebra.literal(value) };
    Ok(Val::Text(vec![match known {
        Some(number) => TextFragment::Literal(format.show(number)),
        None => TextFragment::Value(value, format),
    }]))
}

fn slot_type(ty: flat::Scalar) -> SlotType {
    match ty {
        flat::Scalar::Boolean => SlotType::Boolean,
        flat::Scalar::Integer | flat::Scalar::Enumeration(_) => SlotType::Integer,
        _ => SlotType::Real,
    }
}

/// A String with its options: only one without values in it has a length.
fn padded<A: Algebra>(algebra: &mut A, pieces: &[TextFragment<A::S>], options: &[Val<A::S>], span: Span) -> Lowering<Val<A::S>> {
    let text = Val::Text(pieces.to_vec());
    let place = place(algebra, options, span)?;
    match text.literal() {
        Some(literal) => Ok(Val::Text(vec![TextFragment::Literal(place.put(&literal))])),
        None if place.width == 0 => Ok(text),
        None => Err(unsupported("the minimum length of a String made at run time", span)),
    }
}

fn place<A: Algebra>(algebra: &mut A, options: &[Val<A::S>], span: Span) -> Lowering<Padding> {
    let width = option(algebra, options.first(), 0.0, "the minimum length", span)?;
    let left = option(algebra, options.get(1), 1.0, "`leftJustified`", span)?;
    Ok(Padding { width: width.clamp(0.0, WIDEST as f64) as usize, left: left != 0.0 })
}

fn digits<A: Algebra>(algebra: &mut A, options: &[Val<A::S>], span: Span) -> Lowering<usize> {
    option(algebra, options.get(2), 6.0, "the number of significant digits", span).map(|digits| digits.clamp(1.0, 60.0) as usize)
}

fn option<A: Algebra>(algebra: &mut A, option: Option<&Val<A::S>>, otherwise: f64, what: &str, span: Span) -> Lowering<f64> {
    let Some(option) = option else { return Ok(otherwise) };
    let Val::Scalar(value) = option else { return Err(unsupported("this option of String", span)) };
    algebra.known(*value).ok_or_else(|| {
        Diagnostic::error("D013", format!("{what} of `String` must be known when the model is compiled")).at(span, "in this call")
    })
}

/// The format that a text is, if C has it for values of the type.
fn written_format<S: Copy>(text: &Val<S>, ty: flat::Scalar, span: Span) -> Lowering<String> {
    let refused = |title: String| Diagnostic::error("D013", title).at(span, "in this call");
    let format = text.literal().ok_or_else(|| refused("the format of `String` must be known when the model is compiled".to_string()))?;
    let example = match ty {
        flat::Scalar::Real => Some(Number::Real(1.5)),
        flat::Scalar::Integer => Some(Number::Integer(1)),
        _ => None,
    };
    match example.and_then(|number| printed(number, &format)) {
        Some(_) => Ok(format),
        None => Err(refused(format!("`{format}` is no format for this value"))
            .with_hint("formats are those of C: `.3f`, `10.4e`, `g` for a Real, `5d` for an Integer")),
    }
}
