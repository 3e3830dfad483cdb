//! Expressions of a system as the user would write them.

use crate::base::ids::ExprId;
use crate::equations::dae::System;
use crate::equations::expr::print::print_limited;

/// An expression as the user would write it, cut when long.
pub fn expression_text(sys: &System, expr: ExprId) -> String {
    print_limited(&sys.arena, expr, &|v| sys.vars[v].name.clone(), &|f| sys.functions.name(f).to_string(), 200)
}
