//! Calls of functions that are not inlined: external functions, loops that end at run time, bodies that would grow too large.
//!
//! A function is translated once for every shape of its arguments (sizes, texts), and for the values of its discrete arguments
//! only where sizes or slices depend on them. A call is one scalar argument list, and one expression per scalar output.
//! Derivatives that are declared by `annotation(derivative = ...)` become derivatives of the called function, so that index
//! reduction and Jacobians go through tables; all else is differentiated by `FnTable::derive`.

use super::shape::Shape;
use super::translate::translate;
use super::value::Val;
use super::{Lowerer, Lowering};
use crate::base::ids::{ExprId, FnId};
use crate::equations::expr::Node;
use crate::equations::function::routine::FunctionError;
use crate::equations::function::structured::{Function, Role, Stmt, Target, Value, ValueId};
use crate::equations::function::table::Derivative;
use crate::frontend::flat::{self, FuncId, FunctionBody, Scalar};
use partita_grammar::{Diagnostic, Span};
use partita_runtime::base::math::Op2;
use partita_runtime::native::external;
use rustc_hash::FxHashMap;

/// How deep functions may call each other while they are translated.
const MAX_DEPTH: usize = 100;
/// How deep a function may call itself: there is a copy of it for every level.
const MAX_RECURSION: usize = 64;

/// A translated function.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    /// Its entry in the table.
    pub(super) function: FnId,
    /// Its outputs.
    pub(super) outputs: Vec<Shape>,
    /// It has one more argument, which tells calls apart.
    pub(super) impure: bool,
}

/// What is known about a function with arguments of certain shapes.
enum Translated {
    Ready(Signature),
    /// It can be translated only for known values of its discrete arguments.
    NeedsNumbers,
}

/// A function, and the shapes of its arguments.
pub(super) type Key = (FuncId, Vec<Shape>);

/// The functions translated so far.
#[derive(Default)]
pub(super) struct Called {
    known: FxHashMap<(FuncId, Vec<Shape>), Translated>,
    natives: FxHashMap<(String, usize, usize), FnId>,
    externals: FxHashMap<external::Signature, FnId>,
    /// Functions that are being translated.
    active: Vec<(FuncId, Vec<Shape>)>,
    /// Functions that are called although they have a body that might be inlined.
    pub(super) too_large: rustc_hash::FxHashSet<Key>,
    /// Of these, those whose only obstacle was a call under a condition.
    pub(super) conditional: rustc_hash::FxHashSet<Key>,
    /// Calls under a condition were met while inlining the present function.
    pub(super) met_conditional: bool,
    /// Calls under a condition are executed in any case.
    pub(super) eager: bool,
    /// Items of arrays of records are chosen at run time; otherwise loops over them are unrolled.
    pub(super) chooses_items: bool,
    /// The last call that was made, not inlined.
    pub(super) last: Option<(FuncId, ExprId)>,
    /// Calls of impure functions so far.
    n_impure: usize,
}

impl Lowerer<'_> {
    /// The shapes of arguments.
    pub(super) fn shapes(&self, id: FuncId, args: &[Val], span: Span) -> Lowering<Vec<Shape>> {
        let function = &self.model.functions[id];
        let known = |e: ExprId| self.sys.arena.as_constant(e);
        let shapes = function.inputs.iter().zip(args).map(|(local, arg)| Shape::of(self.model, arg, &function.locals[*local].ty, &known));
        shapes.collect::<Result<_, _>>().map_err(|reason| Diagnostic::error("D008", reason).at(span, "in this call"))
    }

    /// All outputs of a call that is not inlined.
    pub(super) fn called_outputs(&mut self, id: FuncId, args: &[Val], span: Span) -> Lowering<Vec<Val>> {
        let args: Vec<Val> = args.iter().map(|arg| self.unmarked(arg.clone())).collect();
        let shapes = self.shapes(id, &args, span)?;
        let signature = self.called_function(id, &shapes).map_err(|e| e.at(span, "called here"))?;
        // What nobody assigned has a place in the list all the same; the function knows that it holds nothing.
        let nothing = self.sys.arena.constant(0.0);
        let mut scalars = Vec::new();
        args.iter().for_each(|a| a.with_filling(nothing).scalars(&mut scalars));
        if signature.impure {
            self.called.n_impure += 1;
            scalars.push(self.sys.arena.constant(self.called.n_impure as f64));
        }
        let mut output = 0;
        let arena = &mut self.sys.arena;
        let list = arena.args(&scalars);
        self.called.last = Some((id, arena.intern(Node::Call(signature.function, list, 0))));
        let mut next = || {
            output += 1;
            arena.intern(Node::Call(signature.function, list, output - 1))
        };
        Ok(signature.outputs.iter().map(|shape| shape.fill(&mut next)).collect())
    }

    /// The translated function for arguments of these shapes.
    pub(super) fn called_function(&mut self, id: FuncId, shapes: &[Shape]) -> Lowering<Signature> {
        let general: Vec<Shape> = shapes.iter().map(Shape::general).collect();
        let key = (id, general);
        match self.called.known.get(&key) {
            Some(Translated::Ready(signature)) => return Ok(signature.clone()),
            Some(Translated::NeedsNumbers) => {}
            None if key.1 == shapes => {}
            None => match self.make_function(id, &key.1) {
                Ok(signature) => {
                    self.called.known.insert(key, Translated::Ready(signature.clone()));
                    return Ok(signature);
                }
                Err(error) if matches!(error.code, "D004" | "D006") => {
                    self.called.known.insert(key, Translated::NeedsNumbers);
                }
                Err(error) => return Err(error),
            },
        }
        let key = (id, shapes.to_vec());
        if let Some(Translated::Ready(signature)) = self.called.known.get(&key) {
            return Ok(signature.clone());
        }
        let mut made = self.make_function(id, shapes);
        if made.as_ref().is_err_and(|e| e.code == "D004") && !self.called.chooses_items {
            self.called.chooses_items = true;
            made = self.make_function(id, shapes).or(made);
            self.called.chooses_items = false;
        }
        let signature = made?;
        self.called.known.insert(key, Translated::Ready(signature.clone()));
        Ok(signature)
    }

    fn make_function(&mut self, id: FuncId, shapes: &[Shape]) -> Lowering<Signature> {
        let function = &self.model.functions[id];
        let active = (id, shapes.to_vec());
        let level = self.called.active.iter().filter(|other| **other == active).count();
        if self.called.active.len() >= MAX_DEPTH + MAX_RECURSION {
            let title = format!(
                "function {} calls itself with arguments of ever other sizes, or too many functions call each other",
                function.name
            );
            return Err(Diagnostic::error("D001", title).at(function.span, "declared here"));
        }
        self.called.active.push(active);
        let translated = translate(self, id, shapes, (level >= MAX_RECURSION).then_some(MAX_RECURSION));
        self.called.active.pop();
        let (translated, outputs) = translated?;
        let entry = self.sys.functions.push(&translated).map_err(|e| self.refused(id, &e))?;
        if function.impure {
            self.sys.functions.set_derivative(entry, Derivative::Zero).map_err(|e| self.refused(id, &e))?;
        } else {
            self.declared_derivative(id, shapes, &outputs, entry)?;
        }
        Ok(Signature { function: entry, outputs, impure: function.impure })
    }

    fn refused(&self, id: FuncId, error: &FunctionError) -> Diagnostic {
        let function = &self.model.functions[id];
        Diagnostic::error("D008", format!("function {} cannot be called: {}", function.name, error.reason))
            .at(function.span, "declared here")
    }

    /// A function of the run-time library.
    pub(super) fn native(&mut self, id: FuncId, name: &str, n_inputs: usize, n_outputs: usize, derivative: Derivative) -> Lowering<FnId> {
        let key = (name.to_string(), n_inputs, n_outputs);
        if let Some(known) = self.called.natives.get(&key) {
            return Ok(*known);
        }
        let pushed = self.sys.functions.push_native(name, n_inputs, n_outputs, derivative);
        let entry = pushed.map_err(|_| self.unknown_external(id, name))?;
        self.called.natives.insert(key, entry);
        Ok(entry)
    }

    /// A function of a shared library.
    pub(super) fn shared_native(&mut self, id: FuncId, signature: &external::Signature, derivative: Derivative) -> Lowering<FnId> {
        if let Some(known) = self.called.externals.get(signature) {
            return Ok(*known);
        }
        let external = self.shared.function(signature).ok_or_else(|| self.unknown_external(id, &signature.symbol))?;
        let entry = self.sys.functions.push_external(&signature.symbol, external, derivative);
        self.called.externals.insert(signature.clone(), entry);
        Ok(entry)
    }

    /// The error for an external function that the run-time library does not have.
    pub(super) fn unknown_external(&self, id: FuncId, name: &str) -> Diagnostic {
        let function = &self.model.functions[id];
        let language = match &function.body {
            FunctionBody::External { language, .. } => language.as_str(),
            FunctionBody::Algorithm(_) => "",
        };
        let title = match self.shared.paths().as_slice() {
            [] => format!("the external function {name} is not known"),
            paths => format!("the external function {name} is in none of the shared libraries: {}", paths.join(", ")),
        };
        Diagnostic::error("D008", title)
            .at(function.span, format!("{} is declared external \"{language}\" here", function.name))
            .with_note("the external functions of the Modelica Standard Library for tables, random numbers and files are built in")
            .with_hint("`--external LIB.so` names a shared library with others")
    }

    /// Takes the derivative from an annotation, if there is one that fits.
    fn declared_derivative(&mut self, id: FuncId, shapes: &[Shape], outputs: &[Shape], entry: FnId) -> Lowering<()> {
        let function = &self.model.functions[id];
        let is_external = matches!(function.body, FunctionBody::External { .. });
        for annotation in &function.derivatives {
            // A body can be differentiated in every direction; an annotation that leaves inputs out, cannot.
            if !is_external && !annotation.without.is_empty() {
                continue;
            }
            let made = match annotation.order {
                1 => self.first_derivative(id, shapes, outputs, annotation),
                2 => self.second_derivative(id, shapes, outputs, annotation),
                _ => Ok(None),
            };
            let wrapper = match made {
                Ok(Some(wrapper)) => wrapper,
                Ok(None) => continue,
                Err(error) if is_external => return Err(error),
                // The body is differentiated instead.
                Err(_) => continue,
            };
            let wrapper = self.sys.functions.push(&wrapper).map_err(|e| self.refused(id, &e))?;
            return self.sys.functions.set_derivative(entry, Derivative::Function(wrapper)).map_err(|e| self.refused(id, &e));
        }
        Ok(())
    }

    /// For every input: where its scalars begin, and whether its derivative is an argument of the derivative function.
    /// `None` if an input is a record that would need one.
    fn differentiated(&self, id: FuncId, shapes: &[Shape], without: &[flat::LocalId]) -> Option<Vec<(usize, bool)>> {
        let function = &self.model.functions[id];
        let mut list = Vec::new();
        let mut start = 0;
        for (local, shape) in function.inputs.iter().zip(shapes) {
            let scalar = function.locals[*local].ty.scalar;
            let is_out = without.contains(local);
            if matches!(scalar, Scalar::Record(_)) && !is_out {
                return None;
            }
            list.push((start, scalar == Scalar::Real && !is_out));
            start += shape.width();
        }
        Some(list)
    }

    /// Positions of the Real outputs; `None` if an output is a record.
    fn real_outputs(&self, id: FuncId, outputs: &[Shape]) -> Option<Vec<usize>> {
        let function = &self.model.functions[id];
        let mut list = Vec::new();
        let mut start = 0;
        for (local, shape) in function.outputs.iter().zip(outputs) {
            match function.locals[*local].ty.scalar {
                Scalar::Real => list.extend(start..start + shape.width()),
                Scalar::Record(_) => return None,
                _ => {}
            }
            start += shape.width();
        }
        Some(list)
    }

    /// `(x, dx) -> dy` by a function of `x` and the derivatives of its Real inputs.
    fn first_derivative(
        &mut self,
        id: FuncId,
        shapes: &[Shape],
        outputs: &[Shape],
        annotation: &flat::DerivativeAnnotation,
    ) -> Lowering<Option<Function>> {
        let (Some(inputs), Some(reals)) = (self.differentiated(id, shapes, &annotation.without), self.real_outputs(id, outputs)) else {
            return Ok(None);
        };
        let active: Vec<usize> = (0..inputs.len()).filter(|i| inputs[*i].1).collect();
        let mut all = shapes.to_vec();
        all.extend(active.iter().map(|i| shapes[*i].general()));
        if self.model.functions[annotation.function].inputs.len() != all.len() {
            return Ok(None);
        }
        let signature = self.called_function(annotation.function, &all)?;
        if signature.outputs.iter().map(Shape::width).sum::<usize>() != reals.len() || signature.impure {
            return Ok(None);
        }
        let mut wrapper = Wrapper::new(&self.model.functions[id].name, shapes, outputs);
        let mut args = wrapper.all_inputs();
        for i in active {
            args.extend((0..shapes[i].width()).map(|k| wrapper.direction(inputs[i].0 + k)));
        }
        let targets = reals.iter().map(|k| wrapper.output(*k)).map(Some).collect();
        wrapper.zero_all_but(&reals);
        wrapper.function.body.push(Stmt::Call { function: signature.function, args, targets });
        Ok(Some(wrapper.function))
    }

    /// The derivative of a function that is itself the first derivative of `f`: its inputs are `x` and `v`, and the declared
    /// function computes `f''(x)[v, v] + f'(x) w`. In the direction `(dx, dv)` the derivative is `f''(x)[v, dx] + f'(x) dv`,
    /// which is a quarter of the difference of that function at `(v + dx, 2 dv)` and at `(v - dx, -2 dv)`.
    fn second_derivative(
        &mut self,
        id: FuncId,
        shapes: &[Shape],
        outputs: &[Shape],
        annotation: &flat::DerivativeAnnotation,
    ) -> Lowering<Option<Function>> {
        let (Some(inputs), Some(reals)) = (self.differentiated(id, shapes, &annotation.without), self.real_outputs(id, outputs)) else {
            return Ok(None);
        };
        let n_all = self.model.functions[annotation.function].inputs.len();
        let Some(n_active) = n_all.checked_sub(inputs.len()).filter(|n| 2 * n <= inputs.len()) else { return Ok(None) };
        let n_first = inputs.len() - n_active;
        let originals: Vec<usize> = (0..n_first).filter(|i| inputs[*i].1).collect();
        let velocities: Vec<usize> = (n_first..inputs.len()).collect();
        let fits = originals.len() == n_active
            && originals.iter().zip(&velocities).all(|(x, v)| shapes[*x].width() == shapes[*v].width() && inputs[*v].1);
        if !fits {
            return Ok(None);
        }
        let mut all = shapes.to_vec();
        all.extend(velocities.iter().map(|i| shapes[*i].general()));
        let signature = self.called_function(annotation.function, &all)?;
        if signature.outputs.iter().map(Shape::width).sum::<usize>() != reals.len() || signature.impure {
            return Ok(None);
        }
        let mut wrapper = Wrapper::new(&self.model.functions[id].name, shapes, outputs);
        let mut sides = Vec::new();
        for (op, weight) in [(Op2::Add, 2.0), (Op2::Sub, -2.0)] {
            let mut args: Vec<ValueId> = (0..inputs[velocities[0]].0).map(|k| wrapper.input(k)).collect();
            for (x, v) in originals.iter().zip(&velocities) {
                for k in 0..shapes[*v].width() {
                    let (velocity, direction) = (wrapper.input(inputs[*v].0 + k), wrapper.direction(inputs[*x].0 + k));
                    args.push(wrapper.function.binary(op, velocity, direction));
                }
            }
            for v in &velocities {
                for k in 0..shapes[*v].width() {
                    let (weight, direction) = (wrapper.function.constant(weight), wrapper.direction(inputs[*v].0 + k));
                    args.push(wrapper.function.binary(Op2::Mul, weight, direction));
                }
            }
            let side: Vec<_> = reals.iter().map(|k| wrapper.function.variable(&format!("side{k}"), &[], Role::Local)).collect();
            let targets = side.iter().map(|variable| Some(Target { variable: *variable, subscripts: Vec::new() })).collect();
            wrapper.function.body.push(Stmt::Call { function: signature.function, args, targets });
            sides.push(side);
        }
        wrapper.zero_all_but(&reals);
        for (i, k) in reals.iter().enumerate() {
            let target = wrapper.output(*k);
            let f = &mut wrapper.function;
            let (plus, minus) = (f.read(sides[0][i], &[]), f.read(sides[1][i], &[]));
            let difference = f.binary(Op2::Sub, plus, minus);
            let quarter = f.constant(0.25);
            let value = f.binary(Op2::Mul, difference, quarter);
            f.body.push(Stmt::Assign(target, value));
        }
        Ok(Some(wrapper.function))
    }
}

/// A derivative function being made: inputs `x` and `dx`, output `dy`, all as vectors.
struct Wrapper {
    function: Function,
    n_inputs: usize,
    n_outputs: usize,
    x: crate::equations::function::structured::LocalId,
    dx: crate::equations::function::structured::LocalId,
    dy: crate::equations::function::structured::LocalId,
}

impl Wrapper {
    fn new(name: &str, shapes: &[Shape], outputs: &[Shape]) -> Wrapper {
        let n_inputs: usize = shapes.iter().map(Shape::width).sum();
        let n_outputs: usize = outputs.iter().map(Shape::width).sum();
        let mut function = Function::new(&format!("derivative of {name}"));
        let x = function.variable("x", &[n_inputs as u32], Role::Input);
        let dx = function.variable("dx", &[n_inputs as u32], Role::Input);
        let dy = function.variable("dy", &[n_outputs as u32], Role::Output);
        Wrapper { function, n_inputs, n_outputs, x, dx, dy }
    }

    fn element(&mut self, variable: crate::equations::function::structured::LocalId, k: usize) -> Target {
        Target { variable, subscripts: vec![self.function.constant(k as f64 + 1.0)] }
    }

    fn input(&mut self, k: usize) -> ValueId {
        let target = self.element(self.x, k);
        self.function.value(Value::Read(target))
    }

    fn all_inputs(&mut self) -> Vec<ValueId> {
        (0..self.n_inputs).map(|k| self.input(k)).collect()
    }

    fn direction(&mut self, k: usize) -> ValueId {
        let target = self.element(self.dx, k);
        self.function.value(Value::Read(target))
    }

    fn output(&mut self, k: usize) -> Target {
        self.element(self.dy, k)
    }

    /// Outputs that are not Real do not change.
    fn zero_all_but(&mut self, reals: &[usize]) {
        for k in (0..self.n_outputs).filter(|k| !reals.contains(k)) {
            let target = self.output(k);
            let zero = self.function.constant(0.0);
            self.function.body.push(Stmt::Assign(target, zero));
        }
    }
}
