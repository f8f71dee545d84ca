//! Python values as core values: texts and token ids, checked once, here.

use numpy::{PyArray1, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyList, PyString};

use crate::errors::{ConfigError, EncodeError, VocabError, with_hint};

/// A text. A code point that is half of a surrogate pair is no text in UTF-8.
pub fn text(value: &Bound<'_, PyAny>, place: &str) -> PyResult<PyBackedStr> {
    let string = string(value, place)?;
    PyBackedStr::try_from(string.clone()).map_err(|error| unpaired(string.py(), &error, place))
}

/// The same, of an argument, which lives as long as the call.
pub fn borrowed_text<'a>(value: &'a Bound<'_, PyAny>, place: &str) -> PyResult<&'a str> {
    let string = string(value, place)?;
    string
        .to_str()
        .map_err(|error| unpaired(string.py(), &error, place))
}

fn string<'a, 'py>(
    value: &'a Bound<'py, PyAny>,
    place: &str,
) -> PyResult<&'a Bound<'py, PyString>> {
    match value.cast::<PyString>() {
        Ok(string) => Ok(string),
        Err(_) => Err(PyTypeError::new_err(format!(
            "{place}: expected str, got {}",
            value.get_type().name()?
        ))),
    }
}

fn unpaired(py: Python<'_>, error: &PyErr, place: &str) -> PyErr {
    let index = error
        .value(py)
        .getattr("start")
        .map(|start| start.to_string());
    let message = match index {
        Ok(index) => {
            format!("{place}: unpaired surrogate at index {index}, expected Unicode text")
        }
        Err(_) => format!("{place}: {error}"),
    };
    with_hint::<EncodeError>(message, "read the text with errors=\"replace\"")
}

/// An iterable of texts, which a text alone is not.
pub fn texts(values: &Bound<'_, PyAny>, place: &str) -> PyResult<Vec<PyBackedStr>> {
    let items = items(values, place)?;
    items
        .map(|(index, item)| text(&item?, &format!("{place}[{index}]")))
        .collect()
}

fn items<'py>(
    values: &Bound<'py, PyAny>,
    place: &str,
) -> PyResult<impl Iterator<Item = (usize, PyResult<Bound<'py, PyAny>>)>> {
    if values.is_instance_of::<PyString>() {
        let message = format!("{place}: expected an iterable of str, got one str");
        return Err(PyTypeError::new_err(message));
    }
    Ok(values.try_iter()?.enumerate())
}

/// A text, or the bytes of one.
pub enum TextOrBytes {
    Text(PyBackedStr),
    Bytes(PyBackedBytes),
}

impl AsRef<[u8]> for TextOrBytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// An iterable of texts, or of their bytes, which may be none.
pub fn texts_or_bytes(values: &Bound<'_, PyAny>, place: &str) -> PyResult<Vec<TextOrBytes>> {
    let convert = |(index, item): (usize, PyResult<Bound<'_, PyAny>>)| {
        let item = item?;
        match item.cast::<PyBytes>() {
            Ok(bytes) => Ok(TextOrBytes::Bytes(bytes.clone().into())),
            Err(_) => text(&item, &format!("{place}[{index}]")).map(TextOrBytes::Text),
        }
    };
    items(values, place)?.map(convert).collect()
}

/// Token ids below `limit`: from a numpy array or any iterable of integers.
pub fn ids(values: &Bound<'_, PyAny>, limit: u64) -> PyResult<Vec<u32>> {
    if values.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("ids: expected integers, got str"));
    }
    // Lists come first: asking whether something is an array imports numpy.
    if let Ok(list) = values.cast::<PyList>() {
        return list.iter().map(|item| id(&item, limit)).collect();
    }
    if let Ok(array) = values.cast::<PyUntypedArray>() {
        return array_ids(array, limit);
    }
    let items = values.try_iter()?;
    items.map(|item| id(&item?, limit)).collect()
}

fn array_ids(array: &Bound<'_, PyUntypedArray>, limit: u64) -> PyResult<Vec<u32>> {
    if array.ndim() != 1 {
        let message = format!(
            "ids: expected an array of shape (n,), got {:?}",
            array.shape()
        );
        return Err(ConfigError::new_err(message));
    }
    if let Ok(array) = array.cast::<PyArray1<u32>>() {
        let ids = array.try_readonly()?.as_array().to_vec();
        return match ids.iter().find(|&&id| u64::from(id) >= limit) {
            Some(id) => Err(outside_vocabulary(id, limit)),
            None => Ok(ids),
        };
    }
    // An empty list becomes an array of floats in numpy.
    if array.len() > 0 && !matches!(array.dtype().kind(), b'i' | b'u') {
        let message = format!("ids: expected an array of integers, got {}", array.dtype());
        return Err(PyTypeError::new_err(message));
    }
    let items = array.call_method0("tolist")?;
    items.try_iter()?.map(|item| id(&item?, limit)).collect()
}

/// One token id below `limit`.
pub fn id(value: &Bound<'_, PyAny>, limit: u64) -> PyResult<u32> {
    let id = small(value)?.filter(|&id| u64::from(id) < limit);
    id.ok_or_else(|| outside_vocabulary(value, limit))
}

/// An integer, or `None` when it is negative or too large to be an id.
pub fn small(value: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    match value.extract::<u32>() {
        Ok(id) => Ok(Some(id)),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

fn outside_vocabulary(id: impl std::fmt::Display, limit: u64) -> PyErr {
    with_hint::<VocabError>(
        format!("id {id} is not in the vocabulary, expected 0 <= id < {limit}"),
        "check that the ids were made with this tokenizer",
    )
}
