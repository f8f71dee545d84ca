//! `pytok.json`: a [`Definition`] as it is, whatever it was loaded from.

use serde::{Deserialize, Serialize};

use super::json_error;
use crate::definition::Definition;
use crate::error::{Error, Result};

/// The value of the file's `format` field.
pub const FORMAT: &str = "pytok";

/// The version that is written, and the newest that can be read.
pub const VERSION: u32 = 1;

#[derive(Serialize)]
struct Written<'a> {
    format: &'static str,
    version: u32,
    definition: &'a Definition,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    #[serde(rename = "format")]
    _format: String,
    version: u32,
    definition: Definition,
}

/// Read a definition.
///
/// # Errors
/// [`Error::Format`] with the path of the field that is wrong;
/// [`Error::Unsupported`] when the file is newer than this library.
pub fn read(bytes: &[u8]) -> Result<Definition> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let file: Read = serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|error| json_error("pytok.json", "", &error))?;
    if file.version > VERSION {
        return Err(Error::unsupported(
            "version",
            file.version.to_string(),
            format!("versions up to {VERSION}"),
        ));
    }
    Ok(file.definition)
}

/// Write a definition. The same definition gives the same bytes.
///
/// # Errors
/// When a score is not a finite number.
pub fn write(definition: &Definition) -> Result<Vec<u8>> {
    serde_json::to_vec(&Written {
        format: FORMAT,
        version: VERSION,
        definition,
    })
    .map_err(|error| Error::format("pytok.json", "definition", error.to_string()))
}
