//! Types calls of built-in functions that make or take arrays.
//!
//! Input: a function and its typed arguments. Output: its call with the type and size of the result; sizes that are known are numbers.

use super::builtins::{integer, real};
use super::{Checked, Flattener};
use crate::frontend::flat::construct::{integer_literal, size_of};
use crate::frontend::flat::{Builtin, Expr, ExprKind, Scalar, Type, Value};
use partita_grammar::{Diagnostic, Span};

impl<'a> Flattener<'a> {
    pub(super) fn array_function(&mut self, builtin: Builtin, name: &str, mut values: Vec<Expr>, span: Span) -> Checked<Expr> {
        use Builtin as B;
        let made = |builtin: Builtin, values: Vec<Expr>, ty: Type| Expr { kind: ExprKind::Builtin(builtin, values), ty, span };
        match builtin {
            B::Size => self.size_function(values, span),
            B::Ndims => Ok(integer_literal(values[0].ty.dims.len() as i64, span)),
            B::Scalar => self.scalar_function(values, span),
            B::Vector => {
                let dims = &values[0].ty.dims;
                let size = dims.iter().copied().try_fold(1, |n, d| d.map(|d| n * d));
                let ty = Type { scalar: values[0].ty.scalar, dims: vec![size] };
                Ok(made(builtin, values, ty))
            }
            B::Matrix => {
                let value = values.swap_remove(0);
                if value.ty.dims.len() <= 2 {
                    return Ok(self.promote(value, 2));
                }
                let ty = Type { scalar: value.ty.scalar, dims: value.ty.dims[..2].to_vec() };
                Ok(made(builtin, vec![value], ty))
            }
            B::Promote => {
                let n = values.swap_remove(1);
                let value = values.swap_remove(0);
                match self.try_eval(&n)? {
                    Some(Value::Integer(n)) if n >= value.ty.dims.len() as i64 && n < 100 => Ok(self.promote(value, n as usize)),
                    _ => Err(self.error(
                        Diagnostic::error("F020", "the number of dimensions of `promote` must be known and not smaller").at(n.span, ""),
                    )),
                }
            }
            B::Identity => {
                let (size, n) = self.size_value(name, values.swap_remove(0))?;
                Ok(made(builtin, vec![n], Type { scalar: Scalar::Integer, dims: vec![size, size] }))
            }
            B::Diagonal => {
                self.numbers(name, &values)?;
                self.array_argument(name, &values[0], &[1])?;
                let n = values[0].ty.dims[0];
                let ty = Type { scalar: values[0].ty.scalar, dims: vec![n, n] };
                Ok(made(builtin, values, ty))
            }
            B::Linspace => {
                let (size, n) = self.size_value(name, values.swap_remove(2))?;
                let ends = self.fit_all(name, values, &[real(), real()])?;
                let values = ends.into_iter().chain([n]).collect();
                Ok(made(builtin, values, Type { scalar: Scalar::Real, dims: vec![size] }))
            }
            B::Transpose => {
                self.array_argument(name, &values[0], &[2])?;
                let ty = Type { scalar: values[0].ty.scalar, dims: vec![values[0].ty.dims[1], values[0].ty.dims[0]] };
                Ok(made(builtin, values, ty))
            }
            B::OuterProduct => {
                self.numbers(name, &values)?;
                self.array_argument(name, &values[0], &[1])?;
                self.array_argument(name, &values[1], &[1])?;
                let values = self.two_common(values, name)?;
                let ty = Type { scalar: values[0].ty.scalar, dims: vec![values[0].ty.dims[0], values[1].ty.dims[0]] };
                Ok(made(builtin, values, ty))
            }
            B::Symmetric => {
                self.numbers(name, &values)?;
                self.array_argument(name, &values[0], &[2])?;
                let ty = values[0].ty.clone();
                Ok(made(builtin, values, ty))
            }
            B::Cross => {
                let vector = Type::array(Scalar::Real, &[3]);
                let values = self.fit_all(name, values, &[vector.clone(), vector.clone()])?;
                Ok(made(builtin, values, vector))
            }
            B::Skew => {
                let values = self.fit_all(name, values, &[Type::array(Scalar::Real, &[3])])?;
                Ok(made(builtin, values, Type::array(Scalar::Real, &[3, 3])))
            }
            _ => Err(self.error(Diagnostic::error("F010", format!("`{name}` is not supported")).at(span, ""))),
        }
    }

    fn size_function(&mut self, mut values: Vec<Expr>, span: Span) -> Checked<Expr> {
        if values.len() == 1 {
            let n = values[0].ty.dims.len();
            if values[0].ty.dims.iter().all(Option::is_some) {
                let array = values.swap_remove(0);
                let sizes = (0..n).map(|axis| size_of(array.clone(), axis, span)).collect();
                return Ok(Expr { kind: ExprKind::Array(sizes), ty: Type::array(Scalar::Integer, &[n]), span });
            }
            return Ok(Expr { kind: ExprKind::Builtin(Builtin::Size, values), ty: Type::array(Scalar::Integer, &[n]), span });
        }
        let dimension = values.swap_remove(1);
        let array = values.swap_remove(0);
        let dimension = self.fit(dimension, &integer(), "the dimension in `size`")?;
        match self.try_eval(&dimension)? {
            Some(Value::Integer(i)) => match usize::try_from(i - 1).ok().filter(|axis| *axis < array.ty.dims.len()) {
                Some(axis) => Ok(size_of(array, axis, span)),
                None => {
                    let text = self.type_text(&array.ty);
                    Err(self.error(Diagnostic::error("F021", format!("there is no dimension {i}")).at(span, format!("of {text}"))))
                }
            },
            _ => Ok(Expr { kind: ExprKind::Builtin(Builtin::Size, vec![array, dimension]), ty: integer(), span }),
        }
    }

    fn scalar_function(&mut self, mut values: Vec<Expr>, span: Span) -> Checked<Expr> {
        if values[0].ty.dims.iter().any(|d| d.is_some_and(|d| d != 1)) {
            let text = self.type_text(&values[0].ty);
            return Err(self.error(Diagnostic::error("F012", "`scalar` needs exactly one element").at(span, format!("is {text}"))));
        }
        let ty = Type::scalar(values[0].ty.scalar);
        if values[0].ty.is_scalar() {
            return Ok(values.swap_remove(0));
        }
        Ok(Expr { kind: ExprKind::Builtin(Builtin::Scalar, values), ty, span })
    }
}
