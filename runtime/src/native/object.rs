//! External objects: tables that live as long as a run.
#![forbid(unsafe_code)]

use super::table1d::Table1D;
use super::table2d::Table2D;
use super::time_table::TimeTable;
use std::sync::Arc;

/// An external object. Cloning is cheap: the data is shared, the state is not.
#[derive(Clone, Debug)]
pub enum Object {
    /// A table of one argument.
    Table1D(Arc<Table1D>),
    /// A table of two arguments.
    Table2D(Arc<Table2D>),
    /// A table over time, which also gives events.
    TimeTable(TimeTable),
}

impl Object {
    /// Forgets what happened since the construction.
    pub fn reset(&mut self) {
        match self {
            Object::Table1D(_) | Object::Table2D(_) => {}
            Object::TimeTable(table) => table.reset(),
        }
    }
}
