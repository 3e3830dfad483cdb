//! The model inside a built simulator: plan, machine code and what else a run needs, behind the end of an executable.
//!
//! A simulator is a *stub*, an executable that looks for an image behind its own end, followed by the image and a trailer of
//! 32 bytes: length of the image, its checksum, a mark. The system's loader does not look behind the end of an executable.
//!
//! Guarantees: an image is read back as it was written, doubles to the last bit; one that is damaged or cut off is refused.

#![expect(unsafe_code, reason = "the code of a simulator is taken from its own executable")]

use super::embedded_partition::EmbeddedPartition;
use crate::abi::object::{Object, ObjectParts};
use crate::model::plan::Plan;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Ends every simulator. The last two digits change with the layout.
const MARK: &[u8; 16] = b"partita image 07";
/// Length, checksum, mark.
pub const TRAILER: u64 = 32;

/// The experiment annotation of a model; `None` where nothing was written.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each field is the annotation's own name")]
pub struct Annotation {
    pub start_time: Option<f64>,
    pub stop_time: Option<f64>,
    pub tolerance: Option<f64>,
    pub interval: Option<f64>,
    pub number_of_intervals: Option<f64>,
}

/// Where the model was written, so that messages can name lines without the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceLines {
    /// The file's name.
    pub name: String,
    /// Byte offsets of the starts of its lines.
    pub starts: Vec<u32>,
}

impl SourceLines {
    /// The lines of a text.
    pub fn of(name: &str, text: &str) -> SourceLines {
        let after = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1);
        SourceLines { name: name.to_string(), starts: std::iter::once(0).chain(after).collect() }
    }

    /// `file:line` of an offset.
    pub fn place(&self, offset: u32) -> String {
        format!("{}:{}", self.name, self.starts.partition_point(|start| *start <= offset).max(1))
    }
}

/// A compiled model in a file.
#[derive(Clone, Debug, Serialize)]
pub struct ModelImage {
    /// The version of Partita that made it.
    pub version: String,
    /// The plan.
    pub plan: Plan,
    /// The code.
    pub object: Object,
    /// How it is run if nobody says otherwise.
    pub annotation: Annotation,
    /// Where it came from.
    pub source: SourceLines,
    /// How its states are split, if they are.
    pub partition: Option<EmbeddedPartition>,
    /// Runs look for fast states themselves.
    pub splits_itself: bool,
    /// The command that builds it, without the name of the simulator.
    pub rebuild: String,
}

/// A compiled model as it is read from a file, its code not yet sealed. Fields as in [`ModelImage`].
#[derive(Deserialize)]
struct StoredModelImage {
    version: String,
    plan: Plan,
    object: ObjectParts,
    annotation: Annotation,
    source: SourceLines,
    partition: Option<EmbeddedPartition>,
    splits_itself: bool,
    rebuild: String,
}

/// FNV-1a over words of eight bytes: notices damage, not malice.
fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3);
        hash ^= hash >> 29;
    }
    hash
}

fn damaged(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

impl ModelImage {
    /// The image and its trailer, to be put behind a stub.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = postcard::to_allocvec(self).map_err(|error| damaged(error.to_string()))?;
        let (length, sum) = (bytes.len() as u64, checksum(&bytes));
        bytes.extend_from_slice(&length.to_le_bytes());
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes.extend_from_slice(MARK);
        Ok(bytes)
    }

    /// The image behind the end of the running executable; `None` if there is none. Its code is trusted as far as the executable itself.
    pub fn of_this_program() -> io::Result<Option<ModelImage>> {
        ModelImage::of(&std::env::current_exe()?)
    }

    /// The image behind the end of an executable; `None` if there is none.
    fn of(executable: &Path) -> io::Result<Option<ModelImage>> {
        let mut file = File::open(executable)?;
        let size = file.metadata()?.len();
        if size < TRAILER {
            return Ok(None);
        }
        file.seek(SeekFrom::Start(size - TRAILER))?;
        let mut trailer = [0; TRAILER as usize];
        file.read_exact(&mut trailer)?;
        let (numbers, mark) = trailer.split_at(16);
        if mark != MARK {
            return Ok(None);
        }
        let number = |at: usize| numbers[at..at + 8].iter().rev().fold(0_u64, |value, byte| value << 8 | u64::from(*byte));
        let (length, sum) = (number(0), number(8));
        let begin = (size - TRAILER).checked_sub(length).ok_or_else(|| damaged("the image is longer than the file"))?;
        file.seek(SeekFrom::Start(begin))?;
        // The length lies within the file, so this asks for no more memory than the file has bytes.
        let mut bytes = vec![0; usize::try_from(length).map_err(|_| damaged("the image is too long"))?];
        file.read_exact(&mut bytes)?;
        if checksum(&bytes) != sum {
            return Err(damaged("the checksum of the image is wrong"));
        }
        ModelImage::from_bytes(&bytes).map(Some)
    }

    /// The image of these bytes, which have no trailer.
    fn from_bytes(bytes: &[u8]) -> io::Result<ModelImage> {
        let image: StoredModelImage = postcard::from_bytes(bytes).map_err(|error| damaged(error.to_string()))?;
        if image.version != env!("CARGO_PKG_VERSION") {
            return Err(damaged(format!("the image was made by version {}, but this is {}", image.version, env!("CARGO_PKG_VERSION"))));
        }
        let StoredModelImage { version, plan, object, annotation, source, partition, splits_itself, rebuild } = image;
        // SAFETY: these are bytes of the executable that runs, behind its mark and checksum: it is trusted as its own code is.
        let object = unsafe { Object::of_generator(object) }.map_err(damaged)?;
        Ok(ModelImage { version, plan, object, annotation, source, partition, splits_itself, rebuild })
    }

    /// The plan of the image of these bytes, which have no trailer, without its code: for those who only look at an image.
    pub fn plan_of(bytes: &[u8]) -> io::Result<Plan> {
        ModelImage::from_bytes(bytes).map(|image| image.plan)
    }

    /// How many bytes of an executable lie before an image; all of them if there is none.
    pub fn stub_length(executable: &[u8]) -> usize {
        let Some(at) = executable.len().checked_sub(TRAILER as usize).filter(|at| executable[at + 16..] == *MARK) else {
            return executable.len();
        };
        let length = executable[at..at + 8].iter().rev().fold(0_u64, |value, byte| value << 8 | u64::from(*byte));
        usize::try_from(length).ok().and_then(|length| at.checked_sub(length)).unwrap_or(executable.len())
    }
}
