//! Tables of one argument: `Modelica.Blocks.Tables.CombiTable1Ds` and `CombiTable1Dv`.

use super::curve::{Curves, Extrapolation, Jet, Side, Smoothness, wrap};
use super::{Matrix, NativeFn, Object, about, close, finish, object_at, wrong_call};
use crate::abi::Environment;

/// A table of one argument.
#[derive(Debug)]
pub struct Table1D {
    curves: Curves,
    extrapolation: Extrapolation,
}

impl Table1D {
    pub(super) fn new(matrix: &Matrix, columns: &[usize], smoothness: Smoothness, extrapolation: Extrapolation) -> Result<Table1D, String> {
        Ok(Table1D { curves: Curves::new(matrix, columns, smoothness, false)?, extrapolation })
    }

    /// The curve of a column, counted from 0; `what` names the argument in messages.
    pub(super) fn jet(&self, column: usize, u: f64, what: &str) -> Result<Jet, String> {
        let curves = &self.curves;
        if u.is_nan() {
            return Ok(Jet { value: u, slope: u, bend: u });
        }
        if curves.x.len() == 1 {
            return Ok(Jet::constant(curves.point(column, 0)));
        }
        let (min, max) = (curves.min(), curves.max());
        let side = match () {
            () if self.extrapolation == Extrapolation::Periodic => {
                let u = wrap(u, min, max);
                if u.is_nan() {
                    return Ok(Jet { value: u, slope: u, bend: u });
                }
                return Ok(curves.within(column, curves.segment_of(u), u, false));
            }
            () if u < min => Side::Left,
            () if u > max => Side::Right,
            () => return Ok(curves.within(column, curves.segment_of(u), u, false)),
        };
        match self.extrapolation {
            Extrapolation::LastTwoPoints => Ok(curves.beyond(column, side, u, false)),
            Extrapolation::Forbidden => Err(side.refusal(what, u, if side == Side::Left { min } else { max })),
            _ => Ok(Jet::constant(curves.point(column, if side == Side::Left { 0 } else { curves.x.len() - 1 }))),
        }
    }
}

/// The functions of such tables.
pub(super) fn lookup(function: &str) -> Option<NativeFn> {
    Some(match function {
        "getValue" => |environment, arguments, outputs| {
            let &[object, column, u] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            on_table(environment, outputs, object, |table| Ok(table.jet(table.curves.column(column)?, u, "u")?.value))
        },
        "getDerValue" => |environment, arguments, outputs| {
            let &[object, column, u, der_u] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            on_table(environment, outputs, object, |table| Ok(table.jet(table.curves.column(column)?, u, "u")?.first(der_u)))
        },
        "getDer2Value" => |environment, arguments, outputs| {
            let &[object, column, u, der_u, der2_u] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            on_table(environment, outputs, object, |table| Ok(table.jet(table.curves.column(column)?, u, "u")?.second(der_u, der2_u)))
        },
        "minimumAbscissa" => |environment, arguments, outputs| {
            let &[object] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            on_table(environment, outputs, object, |table| Ok(table.curves.min()))
        },
        "maximumAbscissa" => |environment, arguments, outputs| {
            let &[object] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            on_table(environment, outputs, object, |table| Ok(table.curves.max()))
        },
        "close" => close,
        _ => return None,
    })
}

/// Computes the only output from a table.
fn on_table(environment: &mut Environment, outputs: &mut [f64], object: f64, compute: impl Fn(&Table1D) -> Result<f64, String>) -> bool {
    let result = object_at(environment, object).and_then(|found| match found {
        Object::Table1D(table) => compute(table),
        _ => Err("the external object is no table of one argument".to_string()),
    });
    let result = result.map_err(|reason| about(environment, object, reason));
    finish(environment, outputs, result)
}
