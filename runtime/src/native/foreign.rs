//! Calls functions of shared libraries: the unsafe half of external C functions.
//!
//! In: a loaded library, a [`Signature`], arguments as doubles. Out: the outputs, or why the call is refused. Method: C's convention on
//! x86-64 under Unix; all registers and sixteen words of the stack are filled, and a function looks at those that it has arguments for.
//!
//! Guarantees: addresses that are passed point to buffers of the declared lengths that outlive the call. Functions get what their
//! declarations in the model say; that they are what is declared is the user's word.
#![expect(unsafe_code, reason = "loads shared libraries and calls their functions")]

use super::signature::{Kind, Passed, Signature};
use std::ffi::CString;
use std::path::{Path, PathBuf};

/// Buffers of calls, kept from call to call.
#[derive(Debug, Default)]
pub struct ForeignWorkspace {
    /// Copies of Real arrays.
    pub(crate) reals: Vec<f64>,
    /// Copies of arrays of `int`, and outputs of these kinds.
    pub(crate) integers: Vec<i32>,
    /// Strings of the environment as C wants them, by their position.
    pub(crate) c_strings: Vec<Option<CString>>,
}

impl ForeignWorkspace {
    /// Makes sure that the strings of a call are there.
    pub(super) fn texts(&mut self, signature: &Signature, args: &[f64], strings: &[String]) -> Result<(), String> {
        let mut next = 0;
        for passed in &signature.arguments {
            match passed {
                Passed::Value(_) => next += 1,
                Passed::Array(_, n) => next += n,
                Passed::Output { .. } => {}
                Passed::Text => {
                    let position = args[next] as usize;
                    next += 1;
                    let text = strings.get(position).ok_or_else(|| format!("there is no string {position}"))?;
                    if self.c_strings.len() <= position {
                        self.c_strings.resize(position + 1, None);
                    }
                    if self.c_strings[position].is_none() {
                        let made =
                            CString::new(text.as_str()).map_err(|_| "a String with a zero byte cannot be passed to C".to_string())?;
                        self.c_strings[position] = Some(made);
                    }
                }
            }
        }
        Ok(())
    }
}

/// An argument as `int`.
pub(crate) fn whole(value: f64, argument: usize) -> Result<i32, String> {
    if value.trunc() == value && value >= f64::from(i32::MIN) && value <= f64::from(i32::MAX) {
        Ok(value as i32)
    } else {
        Err(format!("argument {} is {value}, which C's int cannot hold", argument + 1))
    }
}

/// An output as a number.
pub(crate) fn number(kind: Kind, value: i32) -> Result<f64, String> {
    match kind {
        Kind::Real | Kind::Integer => Ok(f64::from(value)),
        Kind::Boolean => Ok(f64::from(u8::from(value != 0))),
        Kind::Enumeration(n) if value >= 1 && u32::try_from(value).is_ok_and(|value| value <= n) => Ok(f64::from(value)),
        Kind::Enumeration(n) => Err(format!("it gives {value} for an enumeration of {n} literals")),
    }
}

/// A loaded shared library.
#[derive(Debug)]
pub(crate) struct SharedLibrary {
    path: PathBuf,
    library: libloading::Library,
}

/// The address of a function of a shared library, which whoever holds it keeps loaded.
#[derive(Copy, Clone, Debug)]
pub(crate) struct ForeignFn(usize);

impl SharedLibrary {
    /// Loads a library with all that it refers to.
    #[cfg(unix)]
    pub(crate) fn open(path: &Path) -> Result<SharedLibrary, String> {
        use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
        // SAFETY: loading runs the initialisers of a library that the user asked for. Symbols are bound at once, so that what is missing
        // is missed here and not in a call.
        let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map_err(|error| reason(&error))?;
        Ok(SharedLibrary { path: path.to_path_buf(), library: library.into() })
    }

    /// Loads a library with all that it refers to.
    #[cfg(not(unix))]
    pub(crate) fn open(path: &Path) -> Result<SharedLibrary, String> {
        Err(format!("{}: external C functions can be called on x86-64 under Unix only", path.display()))
    }

    /// Where it lies.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A function by its name.
    pub(crate) fn find(&self, name: &str) -> Option<ForeignFn> {
        // SAFETY: the address is not used here; `call_foreign` says what it takes the function for.
        let address = unsafe { self.library.get::<*const ()>(name).ok()?.try_as_raw_ptr()? } as usize;
        (address != 0).then_some(ForeignFn(address))
    }
}

/// What the system says about a library.
#[cfg(unix)]
fn reason(error: &libloading::Error) -> String {
    use std::error::Error;
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

/// Whether functions of shared libraries can be called on this machine.
pub(crate) const fn foreign_calls_workspace() -> bool {
    cfg!(all(target_arch = "x86_64", unix))
}

/// Registers for integers and addresses, registers for doubles, and words on the stack that a call fills.
const INTEGER_REGISTERS: usize = 6;

const REAL_REGISTERS: usize = 8;

const STACK_WORDS: usize = 16;

/// Whether a function has few enough arguments to be called.
pub fn can_pass(signature: &Signature) -> bool {
    let reals = signature.arguments.iter().filter(|passed| matches!(passed, Passed::Value(Kind::Real))).count();
    let others = signature.arguments.len() - reals;
    reals.saturating_sub(REAL_REGISTERS) + others.saturating_sub(INTEGER_REGISTERS) <= STACK_WORDS
}

/// The arguments of a call where C's convention on x86-64 under Unix wants them: integers and addresses from left to right in six
/// registers, doubles in eight others, and what finds none free in words on the stack.
#[derive(Default)]
struct Frame {
    integers: [u64; INTEGER_REGISTERS],
    reals: [f64; REAL_REGISTERS],
    stack: [u64; STACK_WORDS],
    n_integers: usize,
    n_reals: usize,
    n_stack: usize,
}

impl Frame {
    fn word(&mut self, word: u64) {
        if let Some(register) = self.integers.get_mut(self.n_integers) {
            *register = word;
            self.n_integers += 1;
        } else {
            self.push(word);
        }
    }

    fn real(&mut self, value: f64) {
        if let Some(register) = self.reals.get_mut(self.n_reals) {
            *register = value;
            self.n_reals += 1;
        } else {
            self.push(value.to_bits());
        }
    }

    fn push(&mut self, word: u64) {
        // `can_pass` made sure that there is room.
        self.stack[self.n_stack] = word;
        self.n_stack += 1;
    }
}

/// What Real outputs hold before a call: a NaN that no computation makes.
const UNWRITTEN: u64 = 0x7ff8_756e_7772_6974;

/// A C function that gets all registers and words of a frame; it looks only at those that it has arguments for.
type Foreign<R> = unsafe extern "C" fn(
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    f64,
    f64,
    f64,
    f64,
    f64,
    f64,
    f64,
    f64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
) -> R;

/// Copies arrays to buffers, and makes room for arrays of integers that the function writes.
fn grow(signature: &Signature, args: &[f64], workspace: &mut ForeignWorkspace) -> Result<(), String> {
    workspace.reals.clear();
    workspace.integers.clear();
    let mut next = 0;
    for passed in &signature.arguments {
        match *passed {
            Passed::Value(_) | Passed::Text => next += 1,
            Passed::Array(kind, n) => {
                let elements = &args[next..next + n];
                match kind {
                    Kind::Real => workspace.reals.extend_from_slice(elements),
                    _ => elements
                        .iter()
                        .enumerate()
                        .try_for_each(|(k, value)| whole(*value, next + k).map(|value| workspace.integers.push(value)))?,
                }
                next += n;
            }
            Passed::Output { kind: Kind::Real, .. } => {}
            Passed::Output { len, .. } => workspace.integers.resize(workspace.integers.len() + len, 0),
        }
    }
    Ok(())
}

/// The arguments where the function looks for them; addresses are those of the first elements of the buffers.
fn frame(
    signature: &Signature,
    args: &[f64],
    workspace: &ForeignWorkspace,
    [outputs, reals]: [*mut f64; 2],
    integers: *mut i32,
) -> Result<Frame, String> {
    let mut frame = Frame::default();
    let (mut next, mut n_reals, mut n_integers) = (0, 0, 0);
    for passed in &signature.arguments {
        match *passed {
            Passed::Value(Kind::Real) => {
                frame.real(args[next]);
                next += 1;
            }
            Passed::Value(_) => {
                frame.word(i64::from(whole(args[next], next)?) as u64);
                next += 1;
            }
            Passed::Text => {
                let text = workspace.c_strings.get(args[next] as usize).and_then(Option::as_ref).ok_or("a string is missing")?;
                frame.word(text.as_ptr() as u64);
                next += 1;
            }
            Passed::Array(Kind::Real, n) => {
                frame.word(reals.wrapping_add(n_reals) as u64);
                n_reals += n;
                next += n;
            }
            Passed::Array(_, n) => {
                frame.word(integers.wrapping_add(n_integers) as u64);
                n_integers += n;
                next += n;
            }
            Passed::Output { kind: Kind::Real, start, .. } => frame.word(outputs.wrapping_add(start) as u64),
            Passed::Output { len, .. } => {
                frame.word(integers.wrapping_add(n_integers) as u64);
                n_integers += len;
            }
        }
    }
    Ok(frame)
}

/// Takes outputs from where the function wrote them.
fn fetch(signature: &Signature, outs: &mut [f64], workspace: &ForeignWorkspace) -> Result<(), String> {
    let unwritten = |passed: &Passed| match *passed {
        Passed::Output { kind: Kind::Real, start, len } => (start..start + len).find(|k| outs[*k].to_bits() == UNWRITTEN),
        _ => None,
    };
    if let Some(output) = signature.arguments.iter().find_map(unwritten) {
        return Err(format!("it does not write number {} of its outputs", output + 1));
    }
    let mut n_integers = 0;
    for passed in &signature.arguments {
        match *passed {
            Passed::Array(kind, n) if kind != Kind::Real => n_integers += n,
            Passed::Output { kind, start, len } if kind != Kind::Real => {
                for (output, value) in outs[start..start + len].iter_mut().zip(&workspace.integers[n_integers..n_integers + len]) {
                    *output = number(kind, *value)?;
                }
                n_integers += len;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Calls a function of a shared library.
///
/// `args` and `outs` have the lengths of the signature, the strings of the call are in `workspace`.
pub(crate) fn call_foreign(
    function: ForeignFn,
    signature: &Signature,
    args: &[f64],
    outs: &mut [f64],
    workspace: &mut ForeignWorkspace,
) -> Result<(), String> {
    if !foreign_calls_workspace() || !can_pass(signature) {
        return Err("it has more arguments than can be passed".to_string());
    }
    // All buffers grow before addresses are taken.
    grow(signature, args, workspace)?;
    outs.fill(f64::from_bits(UNWRITTEN));
    let (outputs, reals, integers) = (outs.as_mut_ptr(), workspace.reals.as_mut_ptr(), workspace.integers.as_mut_ptr());
    let frame = frame(signature, args, workspace, [outputs, reals], integers)?;
    let Frame { integers: i, reals: r, stack: s, .. } = frame;
    let address = function.0 as *const ();
    let result = match signature.result {
        Some((Kind::Real, output)) => {
            // SAFETY: the address is that of a function of a loaded library. On x86-64 under Unix a function finds its arguments where
            // `Frame` puts them, whatever their mix, and does not see the others; the caller takes the stack back. Addresses point to
            // buffers of the declared lengths that live until the end of this function.
            let value = unsafe {
                let call = std::mem::transmute::<*const (), Foreign<f64>>(address);
                call(
                    i[0], i[1], i[2], i[3], i[4], i[5], r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], s[0], s[1], s[2], s[3], s[4], s[5],
                    s[6], s[7], s[8], s[9], s[10], s[11], s[12], s[13], s[14], s[15],
                )
            };
            Some((output, value))
        }
        other => {
            // SAFETY: as above; what a function without a result leaves behind is not looked at.
            let value = unsafe {
                let call = std::mem::transmute::<*const (), Foreign<u64>>(address);
                call(
                    i[0], i[1], i[2], i[3], i[4], i[5], r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], s[0], s[1], s[2], s[3], s[4], s[5],
                    s[6], s[7], s[8], s[9], s[10], s[11], s[12], s[13], s[14], s[15],
                )
            };
            other.map(|(kind, output)| Ok::<_, String>((output, number(kind, value as i32)?))).transpose()?
        }
    };
    if let Some((output, value)) = result {
        outs[output] = value;
    }
    fetch(signature, outs, workspace)
}
