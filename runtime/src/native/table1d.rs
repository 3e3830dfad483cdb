//! Tables of one argument: `Modelica.Blocks.Tables.CombiTable1Ds` and `CombiTable1Dv`.
#![forbid(unsafe_code)]

use super::curve::{Curves, Extrapolation, Jet, Smoothness, TableEnd, wrap};
use super::matrix::Matrix;

/// A table of one argument.
#[derive(Debug)]
pub struct Table1D {
    pub(super) curves: Curves,
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
            () if u < min => TableEnd::Left,
            () if u > max => TableEnd::Right,
            () => return Ok(curves.within(column, curves.segment_of(u), u, false)),
        };
        match self.extrapolation {
            Extrapolation::LastTwoPoints => Ok(curves.beyond(column, side, u, false)),
            Extrapolation::Forbidden => Err(side.refusal(what, u, if side == TableEnd::Left { min } else { max })),
            _ => Ok(Jet::constant(curves.point(column, if side == TableEnd::Left { 0 } else { curves.x.len() - 1 }))),
        }
    }
}
