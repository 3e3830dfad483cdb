//! Makes the flat model from the syntax tree: names resolved, expressions typed, functions reached, parameters evaluated.
//!
//! Input: a parsed file of any of the three dialects. Output: `flat::FlatModel` with arrays and `for` kept, and warnings.
//!
//! Method: `lookup` finds the classes and the model, `declare` lists its components, `parameters` orders declarations by
//! what their sizes and bindings refer to and evaluates them (`eval`), then `equations` types equations and statements
//! with `expressions`, `references`, `calls` and `builtins`; `functions` translates a function when a call reaches it.
//! Guarantees: every expression carries its type, every call its arguments by position, every name in a message is the
//! one the user wrote; several independent errors are reported together.
//! Not here: hierarchical components and `connect` (refused by name), scalarising (`dae::lower`).
//! Cost: linear in the text; hash lookup by name; one pass over each expression.
//!
//! Codes:
//!
//! | code | meaning |
//! |---|---|
//! | F001 | there is no model to flatten, or none of the given name |
//! | F002 | (note) several models; says which one is taken |
//! | F003 | unknown variable |
//! | F004 | a name is declared twice |
//! | F005 | unknown type |
//! | F006 | unknown function |
//! | F007 | a component of a model, block or connector type: needs a hierarchical front end |
//! | F008 | `connect`: needs a hierarchical front end |
//! | F009 | clocks, clocked operators and state machines are not supported |
//! | F010 | another construct that is not supported |
//! | F011 | types do not agree |
//! | F012 | sizes do not agree |
//! | F013 | wrong arguments of a call |
//! | F014 | a constant or parameter depends on something that varies more |
//! | F015 | declarations depend on each other in a circle |
//! | F016 | a constant has no value |
//! | F017 | (warning) parameters without binding take their start values |
//! | F018 | a parameter that is used has no value |
//! | F019 | an evaluation at compile time failed |
//! | F020 | a size or value must be known at compile time and is not |
//! | F021 | wrong subscript |
//! | F022 | assignment to something that cannot be assigned |
//! | F023 | wrong modification or attribute |
//! | F024 | the definition of a record is missing |
//! | F025 | an operator, `end`, `break` or `when` stands where it may not |
//! | F026 | a function is not complete |
//! | F027 | (note) further errors are not shown |
//! | F028 | an expression is too long |
//! | F029 | an output list that is not the result of a function |
//! | F040 | evaluating parameters and sizes takes too many operations |
//! | F041 | a String or an array is too large |
//! | F032 | (warning) branches of a `when` assign different variables |
//! | F033 | a function that is defined as a derivative cannot be formed |
//! | F036 | (note) a value that the user gives replaces a binding, or is only where a search begins |
//! | F037 | a value that the user gives cannot be taken |
//! | F042 | (warning) a parameter that is a field which a function leaves without a value |
//! | F038 | (warning) the derivative of a parameter or constant |

mod attributes;
pub(super) mod breaks;
pub(super) mod builtins;
mod calls;
mod checks;
mod declare;
mod equations;
mod eval;
mod expressions;
mod functions;
pub(super) mod lookup;
pub(super) mod names;
mod operators;
mod overrides;
pub(super) mod parameters;
mod place;
mod reductions;
mod references;
mod resolve;
mod tangent;
mod types;

use crate::base::locality_hash::NameHash;
use crate::frontend::flat::{EnumId, FlatModel, FuncId, Local, LocalId, ObjectId, RecordId, VarId};
use cranelift_entity::{EntitySet, PrimaryMap};
use indexmap::IndexMap;
use lookup::{ClassTable, NameTree};
pub(super) use lookup::{list, nearest};
use partita_grammar::{Diagnostic, Severity, add_once, ast};
use partita_runtime::model::overrides::Override;
use partita_runtime::native::access::FileAccess;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A flat model, and what was assumed while making it.
#[derive(Clone, Debug)]
pub struct Flattened {
    /// The model.
    pub model: FlatModel,
    /// Warnings and notes.
    pub warnings: Vec<Diagnostic>,
}

/// Flattens the named model, or the last model, class or block of a file of which the last classes were supplied: code in these carries
/// the place of the call that reached it. The given values take the place of bindings and start values of the text; parameters may be read
/// from these files.
pub fn flatten_repaired(
    definition: &ast::Definition,
    n_supplied: usize,
    given: &[Override],
    files: FileAccess,
    model: Option<&str>,
) -> Result<Flattened, Vec<Diagnostic>> {
    let mut f = Flattener::new(definition, n_supplied);
    f.files = files;
    if let Ok(class) = f.find_model(definition, model) {
        f.declare(class);
        f.take_overrides(given);
        f.evaluate_declarations();
        f.finish_declarations();
        f.translate_equations();
        f.translate_pending_functions();
        f.finish_parameters();
        f.finish_class(class);
        f.finish_evaluated();
    }
    f.finish()
}

/// Errors beyond this number are counted, not kept.
const MAX_ERRORS: usize = 20;

/// An error was reported already; the caller gives up on what it was doing and says nothing.
#[derive(Copy, Clone, Debug)]
pub(super) struct Reported;

/// The result of translating something.
type Checked<T> = Result<T, Reported>;

/// Something for every full name.
type NameMap<V> = IndexMap<Rc<str>, V, NameHash>;

/// What a full name stands for in the model.
#[derive(Clone, Debug)]
enum NamedEntry {
    Var(VarId),
    /// A record whose fields are entries of their own: `p` of `p.a`. The dimensions include those of
    /// records around it.
    Record(RecordId, Vec<Option<usize>>),
}

/// What a name inside an equation or function stands for before the model's names are asked.
#[derive(Clone, Debug)]
enum Bound {
    Local(LocalId),
    /// The loop variable of a loop that is being unrolled.
    Value(crate::frontend::flat::Value),
    /// A field of the record whose defaults are being typed.
    Field(crate::frontend::flat::VarId),
}

/// Where an expression stands.
struct Scope<'a> {
    /// Loop variables of the model, or all locals of a function.
    locals: PrimaryMap<LocalId, Local>,
    /// Locals of a function by name.
    names: FxHashMap<&'a str, LocalId>,
    /// Loop variables that are visible, innermost last.
    loops: Vec<(&'a str, Bound)>,
    /// Inside this function, if any.
    function: Option<FuncId>,
    /// Inputs of the function that are functions themselves, and what was passed.
    function_inputs: FxHashMap<&'a str, functions::Passed<'a>>,
    /// Enclosing class path for lookup of classes.
    context: Rc<str>,
    /// What `end` means: an array expression and a dimension, innermost last.
    ends: Vec<(crate::frontend::flat::Expr, usize)>,
    /// Loops that contain `break` cannot be unrolled.
    keep_loops: bool,
    /// `for` and `while` loops around a statement.
    loop_depth: usize,
    /// Inside `when`.
    in_when: bool,
    /// Inside `initial equation` or `initial algorithm`.
    initial: bool,
    /// No variable of the model is visible.
    closed: bool,
}

impl<'a> Scope<'a> {
    fn new(context: Rc<str>, function: Option<FuncId>) -> Scope<'a> {
        Scope {
            locals: PrimaryMap::new(),
            names: FxHashMap::default(),
            loops: Vec::new(),
            function,
            function_inputs: FxHashMap::default(),
            context,
            ends: Vec::new(),
            keep_loops: false,
            loop_depth: 0,
            in_when: false,
            initial: false,
            closed: false,
        }
    }
}

/// The state of one flattening.
struct Flattener<'a> {
    dialect: ast::Dialect,
    classes: ClassTable<'a>,
    model: FlatModel,
    enum_ids: FxHashMap<String, EnumId>,
    /// Enumerations written in place, by their literals.
    inline_enums: FxHashMap<Vec<String>, EnumId>,
    /// Names of enumeration types that are known only by their use: `Hand.Mode` of `Hand.Mode.fast`.
    enum_prefixes: FxHashMap<String, EnumId>,
    record_ids: FxHashMap<String, Checked<RecordId>>,
    /// Records whose fields are being resolved.
    records_open: Vec<String>,
    /// How the fields of a record were written.
    record_sources: FxHashMap<RecordId, Rc<Vec<types::FieldSource<'a>>>>,
    object_ids: FxHashMap<String, ObjectId>,
    function_ids: FxHashMap<String, Checked<FuncId>>,
    /// Functions whose body is not translated yet.
    pending: Vec<functions::Pending<'a>>,
    /// Functions that are the derivative of another by its inputs at these positions.
    derivatives_to_make: Vec<(FuncId, FuncId, Vec<usize>)>,
    tangents: tangent::Tangents,
    /// Calls in the functions that are being translated: who calls whom.
    calls: Vec<(FuncId, FuncId)>,
    /// Functions whose body is translated.
    complete: FxHashSet<FuncId>,
    /// Functions whose body has an error.
    broken: FxHashSet<FuncId>,
    /// In the order of declaration, as references mostly follow it: only the table of places is asked at random.
    names: NameMap<NamedEntry>,
    declarations: Vec<declare::Declaration<'a>>,
    /// The declaration of a full declared name.
    declaration_of: NameMap<usize>,
    /// Names whose declaration has an error: whatever uses them is not to blame.
    refused: FxHashSet<String>,
    /// Built at the first reference that needs it.
    tree: Option<Rc<NameTree>>,
    /// Variables that an expression refers to.
    used: EntitySet<VarId>,
    /// Parameters with `fixed = false`.
    free_parameters: FxHashSet<VarId>,
    /// Parameters that took their start values.
    from_start: Vec<VarId>,
    /// Parameters that are fields which the function that gives the record does not assign.
    unassigned: Vec<VarId>,
    /// Whether the last evaluation asked for what no run could find out.
    is_compile_time: bool,
    /// Whether it could not read a file that a run would read again.
    is_left_to_run: bool,
    /// What was said of such files; it is shown with other errors, which may follow from it.
    unread: Vec<Diagnostic>,
    /// The records that calls gave whose fields are values of parameters, by the place of the call.
    given_records: FxHashMap<(partita_grammar::Span, FuncId), (Vec<crate::frontend::flat::Expr>, Vec<crate::frontend::flat::Value>)>,
    /// What the user gives instead of bindings and start values.
    given: overrides::Given,
    /// Parameters whose values were asked for other than to find those of further parameters, and where.
    evaluated: FxHashMap<VarId, partita_grammar::Span>,
    sections: Vec<declare::Section<'a>>,
    /// The loop variables of the model.
    scope: Option<Scope<'a>>,
    diagnostics: Vec<Diagnostic>,
    n_dropped: usize,
    /// The call that is being typed, for functions of the library.
    call_span: partita_grammar::Span,
    /// While code of the library is typed, the call in the file that reached it.
    in_library: Option<partita_grammar::Span>,
    /// Signatures that are being translated; bodies have to wait for them.
    open_signatures: usize,
    /// Bodies of functions are being translated.
    translating: bool,
    /// A typing that may fail without being an error is under way.
    speculative: usize,
    warnings: Vec<Diagnostic>,
    /// Why the last evaluation that was given up met a limit.
    limit_met: Option<Diagnostic>,
    /// What may be read while the model is compiled.
    files: FileAccess,
}

impl<'a> Flattener<'a> {
    fn new(definition: &'a ast::Definition, n_supplied: usize) -> Flattener<'a> {
        let classes = ClassTable::new(definition, n_supplied);
        Flattener {
            dialect: definition.dialect,
            classes,
            model: FlatModel::default(),
            enum_ids: FxHashMap::default(),
            inline_enums: FxHashMap::default(),
            enum_prefixes: FxHashMap::default(),
            record_ids: FxHashMap::default(),
            records_open: Vec::new(),
            record_sources: FxHashMap::default(),
            object_ids: FxHashMap::default(),
            function_ids: FxHashMap::default(),
            pending: Vec::new(),
            derivatives_to_make: Vec::new(),
            tangents: tangent::Tangents::default(),
            calls: Vec::new(),
            complete: FxHashSet::default(),
            broken: FxHashSet::default(),
            names: NameMap::default(),
            declarations: Vec::new(),
            declaration_of: NameMap::default(),
            refused: FxHashSet::default(),
            tree: None,
            used: EntitySet::new(),
            free_parameters: FxHashSet::default(),
            from_start: Vec::new(),
            unassigned: Vec::new(),
            is_compile_time: false,
            is_left_to_run: false,
            unread: Vec::new(),
            given_records: FxHashMap::default(),
            given: overrides::Given::default(),
            evaluated: FxHashMap::default(),
            sections: Vec::new(),
            scope: None,
            diagnostics: Vec::new(),
            n_dropped: 0,
            call_span: partita_grammar::Span::default(),
            in_library: None,
            open_signatures: 0,
            translating: false,
            speculative: 0,
            warnings: Vec::new(),
            limit_met: None,
            files: FileAccess::default(),
        }
    }

    /// Keeps an error, and says that it was reported.
    fn error(&mut self, diagnostic: Diagnostic) -> Reported {
        // A speculative typing throws its messages away: they may not be cut off by the limit, nor leave places in others.
        if self.speculative > 0 {
            self.diagnostics.push(diagnostic);
            return Reported;
        }
        let before = self.diagnostics.len();
        add_once(&mut self.diagnostics, diagnostic);
        if self.diagnostics.len() > before && before >= MAX_ERRORS {
            self.diagnostics.truncate(before);
            self.n_dropped += 1;
        }
        Reported
    }

    fn warn(&mut self, diagnostic: Diagnostic) {
        if self.speculative > 0 {
            self.warnings.push(diagnostic);
        } else {
            add_once(&mut self.warnings, diagnostic);
        }
    }

    fn finish(mut self) -> Result<Flattened, Vec<Diagnostic>> {
        if self.diagnostics.iter().any(|d| d.severity == Severity::Error) {
            let unread = std::mem::take(&mut self.unread);
            let others = std::mem::take(&mut self.diagnostics);
            unread.into_iter().chain(others).for_each(|diagnostic| add_once(&mut self.diagnostics, diagnostic));
            if self.n_dropped > 0 {
                let note = Diagnostic::note("F027", format!("{} further errors are not shown", self.n_dropped));
                self.diagnostics.push(note);
            }
            return Err(self.diagnostics);
        }
        Ok(Flattened { model: self.model, warnings: self.warnings })
    }
}

#[cfg(test)]
mod tests;
