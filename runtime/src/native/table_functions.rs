//! The functions of external tables, as generated code calls them: a thin layer between arguments and the tables themselves.
#![forbid(unsafe_code)]

use super::environment::{Environment, NativeFn, about, close, finish, object_at, settle, wrong_call};
use super::object::Object;
use super::table1d::Table1D;
use super::table2d::Table2D;
use super::time_table::TimeTable;

/// The functions of such tables.
pub(super) fn lookup_1d(function: &str) -> Option<NativeFn> {
    Some(match function {
        "getValue" => |environment, arguments, outputs| {
            let &[object, column, u] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            on_table_1d(environment, outputs, object, |table| Ok(table.jet(table.curves.column(column)?, u, "u")?.value))
        },
        "getDerValue" => |environment, arguments, outputs| {
            let &[object, column, u, der_u] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            on_table_1d(environment, outputs, object, |table| Ok(table.jet(table.curves.column(column)?, u, "u")?.first(der_u)))
        },
        "getDer2Value" => |environment, arguments, outputs| {
            let &[object, column, u, der_u, der2_u] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            on_table_1d(environment, outputs, object, |table| Ok(table.jet(table.curves.column(column)?, u, "u")?.second(der_u, der2_u)))
        },
        "minimumAbscissa" => |environment, arguments, outputs| {
            let &[object] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            on_table_1d(environment, outputs, object, |table| Ok(table.curves.min()))
        },
        "maximumAbscissa" => |environment, arguments, outputs| {
            let &[object] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            on_table_1d(environment, outputs, object, |table| Ok(table.curves.max()))
        },
        "close" => close,
        _ => return None,
    })
}

/// Computes the only output from a table.
fn on_table_1d(environment: &mut Environment, outputs: &mut [f64], object: f64, compute: impl Fn(&Table1D) -> Result<f64, String>) -> bool {
    let result = object_at(environment, object).and_then(|found| match found {
        Object::Table1D(table) => compute(table),
        _ => Err("the external object is no table of one argument".to_string()),
    });
    let result = result.map_err(|reason| about(environment, object, reason));
    finish(environment, outputs, result)
}

/// The functions of such tables.
pub(super) fn lookup_2d(function: &str) -> Option<NativeFn> {
    Some(match function {
        "getValue" => |environment, arguments, outputs| {
            let &[object, u1, u2] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            on_table_2d(environment, outputs, object, |table| Ok(table.jet(u1, u2)?.value))
        },
        "getDerValue" => |environment, arguments, outputs| {
            let &[object, u1, u2, der_u1, der_u2] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            on_table_2d(environment, outputs, object, |table| {
                let jet = table.jet(u1, u2)?;
                Ok(jet.d1 * der_u1 + jet.d2 * der_u2)
            })
        },
        "getDer2Value" => |environment, arguments, outputs| {
            let &[object, u1, u2, der_u1, der_u2, der2_u1, der2_u2] = arguments else {
                return finish(environment, outputs, Err(wrong_call()));
            };
            on_table_2d(environment, outputs, object, |table| {
                let jet = table.jet(u1, u2)?;
                let curved = jet.d11 * der_u1 * der_u1 + 2.0 * jet.d12 * der_u1 * der_u2 + jet.d22 * der_u2 * der_u2;
                Ok(jet.d1 * der2_u1 + jet.d2 * der2_u2 + curved)
            })
        },
        "minimumAbscissa" => |environment, arguments, outputs| ends_2d(environment, arguments, outputs, |x| x.first().copied()),
        "maximumAbscissa" => |environment, arguments, outputs| ends_2d(environment, arguments, outputs, |x| x.last().copied()),
        "close" => close,
        _ => return None,
    })
}

fn table_2d_at(environment: &Environment, object: f64) -> Result<&Table2D, String> {
    match object_at(environment, object)? {
        Object::Table2D(table) => Ok(table),
        _ => Err("the external object is no table of two arguments".to_string()),
    }
}

/// Computes the only output from a table.
fn on_table_2d(environment: &mut Environment, outputs: &mut [f64], object: f64, compute: impl Fn(&Table2D) -> Result<f64, String>) -> bool {
    let result = table_2d_at(environment, object).and_then(compute).map_err(|reason| about(environment, object, reason));
    finish(environment, outputs, result)
}

/// Writes an end of both arguments.
fn ends_2d(environment: &mut Environment, arguments: &[f64], outputs: &mut [f64], end: impl Fn(&[f64]) -> Option<f64>) -> bool {
    let result = match (arguments, outputs) {
        (&[object], [first, second]) => table_2d_at(environment, object).and_then(|table| {
            (*first, *second) = end(&table.x).zip(end(&table.y)).ok_or("the table is empty")?;
            Ok(())
        }),
        _ => Err(wrong_call()),
    };
    settle(environment, result)
}

/// The functions of such tables.
pub(super) fn lookup_time(function: &str) -> Option<NativeFn> {
    Some(match function {
        "getValue" => |environment, arguments, outputs| {
            let &[object, column, t, next, pre] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            on_table_time(environment, outputs, object, |table| Ok(table.jet(column, table.position_of_value(t, next, pre), t)?.value))
        },
        "getDerValue" => |environment, arguments, outputs| {
            let &[object, column, t, next, pre, der_t] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            on_table_time(environment, outputs, object, |table| {
                Ok(table.jet(column, table.position_of_slope(t, next, pre), t)?.first(der_t))
            })
        },
        "getDer2Value" => |environment, arguments, outputs| {
            let &[object, column, t, next, pre, der_t, der2_t] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            on_table_time(environment, outputs, object, |table| {
                Ok(table.jet(column, table.position_of_slope(t, next, pre), t)?.second(der_t, der2_t))
            })
        },
        "nextTimeEvent" => |environment, arguments, outputs| {
            let &[object, t] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            on_table_time(environment, outputs, object, |table| table.next_event(t))
        },
        "minimumTime" => |environment, arguments, outputs| {
            let &[object] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            on_table_time(environment, outputs, object, |table| Ok(table.data.curves.min()))
        },
        "maximumTime" => |environment, arguments, outputs| {
            let &[object] = arguments else { return finish(environment, outputs, Err(wrong_call())) };
            on_table_time(environment, outputs, object, |table| Ok(table.data.curves.max()))
        },
        "close" => close,
        _ => return None,
    })
}

/// Computes the only output from a table.
fn on_table_time(
    environment: &mut Environment,
    outputs: &mut [f64],
    object: f64,
    compute: impl Fn(&mut TimeTable) -> Result<f64, String>,
) -> bool {
    let result = object_at(environment, object).map(|_| ());
    let result = result.and_then(|()| match &mut environment.objects[object as usize] {
        Object::TimeTable(table) => compute(table),
        _ => Err("the external object is no table over time".to_string()),
    });
    let result = result.map_err(|reason| about(environment, object, reason));
    finish(environment, outputs, result)
}
