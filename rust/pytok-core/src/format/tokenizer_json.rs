//! `tokenizer.json`, the format of Hugging Face `tokenizers`.
//!
//! The component enums of [`crate::definition`] have the format's own shape; this
//! file adds the top level, the older notations that the reference still reads,
//! and the checks that let the rest of the core trust what it gets.

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::json_error;
use super::plain_bpe::PlainBpe;
use crate::definition::{
    AddedToken, Decoder, Definition, Model, Normalizer, PostProcessor, PreTokenizer, Source,
};
use crate::error::{Error, Result};

const FORMAT: &str = "tokenizer.json";

/// `M`: the model, as text or already read.
#[derive(Deserialize)]
struct File<'a, M> {
    version: Option<String>,
    truncation: Option<serde_json::Value>,
    padding: Option<serde_json::Value>,
    #[serde(default)]
    added_tokens: Vec<AddedToken>,
    #[serde(borrow)]
    normalizer: Option<&'a RawValue>,
    #[serde(borrow)]
    pre_tokenizer: Option<&'a RawValue>,
    #[serde(borrow)]
    post_processor: Option<&'a RawValue>,
    #[serde(borrow)]
    decoder: Option<&'a RawValue>,
    model: M,
    // By these other formats are told.
    format: Option<IgnoredAny>,
    config: Option<IgnoredAny>,
    vocab: Option<IgnoredAny>,
}

#[derive(Serialize)]
struct Written<'a> {
    version: &'static str,
    truncation: &'a Option<serde_json::Value>,
    padding: &'a Option<serde_json::Value>,
    added_tokens: &'a [AddedToken],
    normalizer: &'a Option<Normalizer>,
    pre_tokenizer: &'a Option<PreTokenizer>,
    post_processor: &'a Option<PostProcessor>,
    decoder: &'a Option<Decoder>,
    model: &'a Model,
}

/// Read a tokenizer file.
///
/// # Errors
/// [`Error::Format`] with the path of the field that is wrong;
/// [`Error::Unsupported`] when a component or field is unknown.
pub fn read(bytes: &[u8]) -> Result<Definition> {
    match read_plain_bpe(bytes) {
        Some(definition) => Ok(definition),
        None => read_any(bytes),
    }
}

/// Read what is most often read, and large, in one pass: BPE in today's notation.
/// `None` for everything else and whatever is wrong with a file; [`read_any`]
/// says what it is, and where.
pub(super) fn read_plain_bpe(bytes: &[u8]) -> Option<Definition> {
    let text = std::str::from_utf8(bytes).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file: File<'_, PlainBpe> = serde_json::from_str(text).ok()?;
    let is_other = [&file.format, &file.config, &file.vocab]
        .into_iter()
        .any(Option::is_some);
    if is_other
        || file
            .version
            .as_ref()
            .is_some_and(|version| version != "1.0")
    {
        return None;
    }
    definition(file, |model| Ok(model.0)).ok()
}

pub(super) fn read_any(bytes: &[u8]) -> Result<Definition> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        Error::format(
            FORMAT,
            format!("byte {}", error.valid_up_to()),
            "expected UTF-8 text",
        )
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let file: File<'_, &RawValue> = serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|error| json_error(FORMAT, "", &error))?;
    deserializer.end().map_err(|error| {
        Error::format(
            FORMAT,
            format!("line {} column {}", error.line(), error.column()),
            "expected nothing after the object",
        )
    })?;
    if let Some(version) = file.version.as_ref().filter(|version| *version != "1.0") {
        return Err(Error::unsupported(
            "version",
            format!("{version:?}"),
            "\"1.0\"",
        ));
    }
    definition(file, |model| parse(&typed_model(model.get())?, "model"))
}

fn definition<M>(file: File<'_, M>, model: impl FnOnce(M) -> Result<Model>) -> Result<Definition> {
    let definition = Definition {
        chinese: None,
        source: Source::Tokenizers,
        added_tokens: file.added_tokens,
        normalizer: component(file.normalizer, "normalizer", older_normalizer)?,
        pre_tokenizer: component(file.pre_tokenizer, "pre_tokenizer", older_metaspace)?,
        model: model(file.model)?,
        post_processor: component(file.post_processor, "post_processor", keep)?,
        decoder: component(file.decoder, "decoder", older_metaspace)?,
        truncation: file.truncation,
        padding: file.padding,
    };
    check_model(&definition.model)?;
    Ok(definition)
}

/// Write a definition that came from this format.
///
/// # Errors
/// [`Error::Unsupported`] when the model is one that the format does not know.
pub fn write(definition: &Definition) -> Result<Vec<u8>> {
    if matches!(
        definition.model,
        Model::ByteRanks { .. } | Model::SentencePiece { .. }
    ) {
        return Err(Error::unsupported(
            "model",
            "a model of another format",
            "BPE, Unigram, WordPiece, WordLevel",
        ));
    }
    if definition.chinese.is_some() {
        return Err(Error::unsupported(
            "chinese",
            "steps of Chinese normalisation",
            "a normalizer of that format; see `Tokenizer::portable`",
        ));
    }
    serde_json::to_vec(&Written {
        version: "1.0",
        truncation: &definition.truncation,
        padding: &definition.padding,
        added_tokens: &definition.added_tokens,
        normalizer: &definition.normalizer,
        pre_tokenizer: &definition.pre_tokenizer,
        post_processor: &definition.post_processor,
        decoder: &definition.decoder,
        model: &definition.model,
    })
    .map_err(|error| Error::format(FORMAT, "the whole file", error.to_string()))
}

/// Read the `normalizer` section alone.
///
/// # Errors
/// As [`read`].
pub fn read_normalizer(section: &str) -> Result<Normalizer> {
    let raw: &RawValue = parse(section, "normalizer")?;
    component(Some(raw), "normalizer", older_normalizer)?
        .ok_or_else(|| Error::format(FORMAT, "normalizer", "expected a component, found null"))
}

/// Read the `pre_tokenizer` section alone.
///
/// # Errors
/// As [`read`].
pub fn read_pre_tokenizer(section: &str) -> Result<PreTokenizer> {
    let raw: &RawValue = parse(section, "pre_tokenizer")?;
    component(Some(raw), "pre_tokenizer", older_metaspace)?
        .ok_or_else(|| Error::format(FORMAT, "pre_tokenizer", "expected a component, found null"))
}

fn parse<'de, T: Deserialize<'de>>(text: &'de str, field: &str) -> Result<T> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|error| json_error(FORMAT, field, &error))
}

fn component<T: for<'de> Deserialize<'de>>(
    raw: Option<&RawValue>,
    field: &str,
    older: fn(&mut serde_json::Value) -> Result<()>,
) -> Result<Option<T>> {
    let Some(raw) = raw.filter(|raw| raw.get() != "null") else {
        return Ok(None);
    };
    let mut value: serde_json::Value = parse(raw.get(), field)?;
    older(&mut value)?;
    serde_path_to_error::deserialize(value)
        .map(Some)
        .map_err(|error| json_error(FORMAT, field, &error))
}

#[allow(clippy::unnecessary_wraps)] // one of three functions of one type
fn keep(_: &mut serde_json::Value) -> Result<()> {
    Ok(())
}

/// Visit a component and the components inside it.
fn each_component(
    value: &mut serde_json::Value,
    visit: &mut dyn FnMut(&mut serde_json::Map<String, serde_json::Value>) -> Result<()>,
) -> Result<()> {
    match value {
        serde_json::Value::Object(fields) => {
            visit(fields)?;
            for list in ["normalizers", "pretokenizers", "decoders"] {
                if let Some(inner) = fields.get_mut(list) {
                    each_component(inner, visit)?;
                }
            }
            Ok(())
        }
        serde_json::Value::Array(items) => items
            .iter_mut()
            .try_for_each(|item| each_component(item, visit)),
        _ => Ok(()),
    }
}

fn has_type(fields: &serde_json::Map<String, serde_json::Value>, kind: &str) -> bool {
    fields.get("type").and_then(serde_json::Value::as_str) == Some(kind)
}

/// A `null` character map means none, as in files converted from models
/// without one.
fn older_normalizer(value: &mut serde_json::Value) -> Result<()> {
    each_component(value, &mut |fields| {
        if has_type(fields, "Precompiled")
            && fields.get("precompiled_charsmap") == Some(&serde_json::Value::Null)
        {
            fields.insert("precompiled_charsmap".to_owned(), "".into());
        }
        Ok(())
    })
}

/// Before `prepend_scheme` there was `add_prefix_space`, and `str_rep` was
/// written beside `replacement`.
fn older_metaspace(value: &mut serde_json::Value) -> Result<()> {
    each_component(value, &mut |fields| {
        if !has_type(fields, "Metaspace") {
            return Ok(());
        }
        fields.remove("str_rep");
        if fields.get("split") == Some(&serde_json::Value::Null) {
            fields.remove("split");
        }
        if fields.remove("add_prefix_space") == Some(false.into()) {
            let declared = fields.insert("prepend_scheme".to_owned(), "never".into());
            if declared.is_some_and(|scheme| scheme != "never") {
                return Err(Error::format(
                    FORMAT,
                    "Metaspace.add_prefix_space",
                    "false contradicts prepend_scheme",
                ));
            }
        }
        Ok(())
    })
}

/// Files of early versions have no `type` in their model: add it.
fn typed_model(text: &str) -> Result<Cow<'_, str>> {
    #[derive(Deserialize)]
    struct Peek {
        #[serde(rename = "type")]
        kind: Option<IgnoredAny>,
        merges: Option<IgnoredAny>,
        unk_id: Option<IgnoredAny>,
        continuing_subword_prefix: Option<IgnoredAny>,
        vocab: Option<IgnoredAny>,
    }
    let peek: Peek = parse(text, "model")?;
    if peek.kind.is_some() {
        return Ok(Cow::Borrowed(text));
    }
    let kind = match peek {
        Peek {
            merges: Some(_), ..
        } => "BPE",
        Peek {
            continuing_subword_prefix: Some(_),
            ..
        } => "WordPiece",
        Peek {
            unk_id: Some(_), ..
        } => "Unigram",
        Peek { vocab: Some(_), .. } => "WordLevel",
        Peek { .. } => {
            return Err(Error::format(
                FORMAT,
                "model.type",
                "missing; expected BPE, Unigram, WordPiece or WordLevel",
            ));
        }
    };
    Ok(Cow::Owned(text.replacen(
        '{',
        &format!("{{\"type\":\"{kind}\","),
        1,
    )))
}

/// What the reference refuses when it builds the model.
fn check_model(model: &Model) -> Result<()> {
    if let Model::BPE {
        dropout: Some(dropout),
        ..
    } = model
    {
        if !(0.0..=1.0).contains(dropout) {
            return Err(Error::format(
                FORMAT,
                "model.dropout",
                format!("expected 0 to 1, found {dropout}"),
            ));
        }
    }
    Ok(())
}
