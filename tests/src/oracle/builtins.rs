//! Functions on numbers of section 3.7 of the specification: elementary functions, whole parts, `min` and `max`.

use super::operators::{by_element, real};
use super::value::Value;
use super::{Evaluated, Watch, failed, unsupported};

/// Functions whose arguments are all evaluated; none if the name is another one.
pub(super) fn call(watch: &Watch, name: &str, arguments: &[Value]) -> Option<Evaluated> {
    Some(match (name, arguments) {
        ("div" | "mod" | "rem" | "atan2", [x, y]) => by_element(&mut |x, y| of_two(watch, name, x, y), x.clone(), y.clone()),
        ("min" | "max", [x, y]) => extreme(watch, name == "max", vec![x.clone(), y.clone()]),
        ("min" | "max", [a]) => extreme(watch, name == "max", a.scalars().into_iter().cloned().collect()),
        ("Integer", [Value::Enumeration(_, i)]) => Ok(Value::Integer(*i)),
        ("noEvent" | "smooth" | "pure", [.., x]) => Ok(x.clone()),
        ("abs" | "sign" | "floor" | "ceil" | "integer", [x]) => x.clone().map(&mut |item| whole_part(watch, name, &item)),
        (_, [x]) if elementary(name, 0.5).is_some() => x.clone().map(&mut |item| of_one(watch, name, item.number()?)),
        _ => return None,
    })
}

fn elementary(name: &str, x: f64) -> Option<f64> {
    Some(match name {
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        "tanh" => x.tanh(),
        "exp" => x.exp(),
        "log" => x.ln(),
        "log10" => x.log10(),
        "sqrt" => x.sqrt(),
        _ => return None,
    })
}

fn of_one(watch: &Watch, name: &str, x: f64) -> Evaluated {
    watch.met(x);
    let edge = match name {
        "sqrt" | "log" | "log10" => x,
        "asin" | "acos" => 1.0 - x.abs(),
        _ => 1.0,
    };
    watch.near(edge, 1.0);
    elementary(name, x).map_or_else(|| unsupported(name), |result| real(watch, result))
}

/// The largest Integer not above a Real; the distance to the next jump is watched.
fn floored(watch: &Watch, x: f64) -> f64 {
    watch.near(x - x.round(), x);
    watch.decide(x.floor() as i64) as f64
}

fn whole_part(watch: &Watch, name: &str, value: &Value) -> Evaluated {
    if let Value::Integer(i) = value {
        return Ok(match name {
            "abs" => Value::Integer(i.abs()),
            "sign" => Value::Integer(i.signum()),
            "integer" => Value::Integer(*i),
            _ => Value::Real(*i as f64),
        });
    }
    let x = value.number()?;
    match name {
        "abs" => {
            watch.near(x, 1.0);
            Ok(Value::Real(if watch.decide(i64::from(x >= 0.0)) != 0 { x } else { -x }))
        }
        "sign" => {
            watch.near(x, 1.0);
            let sign = if x > 0.0 { 1 } else { -i64::from(x < 0.0) };
            Ok(Value::Integer(watch.decide(sign)))
        }
        "floor" => Ok(Value::Real(floored(watch, x))),
        "ceil" => Ok(Value::Real(-floored(watch, -x))),
        _ => Ok(Value::Integer(floored(watch, x) as i64)),
    }
}

/// `div` cuts toward zero, `mod` has the sign of its divisor, `rem` that of its dividend.
fn of_two(watch: &Watch, name: &str, x: &Value, y: &Value) -> Evaluated {
    if let (Value::Integer(i), Value::Integer(j)) = (x, y)
        && name != "atan2"
    {
        let result = match name {
            "div" => i.checked_div(*j),
            "rem" => i.checked_rem(*j),
            _ => i.checked_rem(*j).map(|r| if r != 0 && (r < 0) != (*j < 0) { r + j } else { r }),
        };
        return result.map_or_else(|| failed("an Integer division by zero"), |i| Ok(Value::Integer(i)));
    }
    let (x, y) = (x.number()?, y.number()?);
    if name == "atan2" {
        // The sign of a zero decides.
        watch.near(if y < 0.0 { x.abs().max(f64::MIN_POSITIVE) } else { 1.0 }, 1.0);
        return real(watch, x.atan2(y));
    }
    if y == 0.0 {
        return failed("a division by zero");
    }
    let quotient = x / y;
    let cut = |watch| if quotient < 0.0 { -floored(watch, -quotient) } else { floored(watch, quotient) };
    match name {
        "div" => real(watch, cut(watch)),
        "rem" => real(watch, x - cut(watch) * y),
        _ => real(watch, x - floored(watch, quotient) * y),
    }
}

/// The smallest or largest of scalars.
pub(super) fn extreme(watch: &Watch, largest: bool, items: Vec<Value>) -> Evaluated {
    let items = super::value::with_one_type(items);
    let mut items = items.into_iter();
    let Some(mut best) = items.next() else { return failed("the extreme of nothing") };
    for item in items {
        let better = match (&item, &best) {
            (Value::Integer(a), Value::Integer(b)) | (Value::Enumeration(_, a), Value::Enumeration(_, b)) => a > b,
            (Value::Boolean(a), Value::Boolean(b)) => a > b,
            _ => {
                let (a, b) = (item.number()?, best.number()?);
                watch.decide(i64::from(a > b)) != 0
            }
        };
        if better == largest {
            best = item;
        }
    }
    Ok(best)
}
