//! Arguments of command lines, which need not be text: names of files can be any bytes.

use std::ffi::{OsStr, OsString};

/// Cuts an argument at the equals sign that `which` chooses among their positions: what stands before it, which has to be text, and
/// what stands after it.
pub fn cut_at_equals_sign(argument: &OsStr, which: impl Fn(&[u8]) -> Option<usize>) -> Option<(String, OsString)> {
    let bytes = argument.as_encoded_bytes();
    let at = which(bytes)?;
    let before = std::str::from_utf8(&bytes[..at]).ok()?;
    Some((before.to_string(), tail(argument, at + 1)?))
}

/// The position of the first equals sign.
pub fn first(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| *byte == b'=')
}

/// The position of the last equals sign.
pub fn last(bytes: &[u8]) -> Option<usize> {
    bytes.iter().rposition(|byte| *byte == b'=')
}

/// What follows the first `n` bytes.
#[cfg(unix)]
fn tail(argument: &OsStr, n: usize) -> Option<OsString> {
    use std::os::unix::ffi::OsStrExt;
    Some(OsStr::from_bytes(&argument.as_bytes()[n..]).to_os_string())
}

/// What follows the first `n` bytes of an argument that is text.
#[cfg(not(unix))]
fn tail(argument: &OsStr, n: usize) -> Option<OsString> {
    argument.to_str().map(|text| text[n..].into())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn what_follows_the_sign_can_be_any_bytes() {
        let argument = OsStr::from_bytes(b"-r=a=\xFF.csv");
        assert_eq!(cut_at_equals_sign(argument, first), Some(("-r".to_string(), OsStr::from_bytes(b"a=\xFF.csv").to_os_string())));
        assert_eq!(cut_at_equals_sign(argument, last), Some(("-r=a".to_string(), OsStr::from_bytes(b"\xFF.csv").to_os_string())));
        assert_eq!(cut_at_equals_sign(OsStr::from_bytes(b"\xFF=a"), first), None);
        assert_eq!(cut_at_equals_sign(OsStr::new("a"), first), None);
    }
}
