//! A tokenizer in a few words, for people.

use super::tokenizer::Tokenizer;
use crate::definition::{Definition, Model, Pattern, Source};

impl Tokenizer {
    /// The library that this tokenizer reproduces: its format's own.
    pub fn library(&self) -> &'static str {
        match self.definition.source {
            Source::Tokenizers => "tokenizers",
            Source::Tiktoken => "tiktoken",
            Source::SentencePiece => "sentencepiece",
        }
    }

    /// The kind of model.
    pub fn model_type(&self) -> &'static str {
        match &self.definition.model {
            Model::BPE { .. } => "BPE",
            Model::Unigram { .. } => "Unigram",
            Model::WordPiece { .. } => "WordPiece",
            Model::WordLevel { .. } => "WordLevel",
            Model::ByteRanks { .. } => "BPE over bytes (ranks)",
            Model::SentencePiece { .. } => match &self.engine {
                super::engine::Engine::SentencePiece(model) => model.algorithm(),
                _ => "SentencePiece",
            },
        }
    }

    /// The components in the order of the pipeline, each as a short text.
    pub fn components(&self) -> Vec<(&'static str, String)> {
        let Definition {
            normalizer,
            pre_tokenizer,
            post_processor,
            decoder,
            ..
        } = &*self.definition;
        let mut components = Vec::new();
        let mut push = |name, value: Option<serde_json::Value>| {
            if let Some(value) = value {
                components.push((name, describe(&value)));
            }
        };
        push("normalizer", normalizer.as_ref().and_then(to_value));
        push("pre_tokenizer", pre_tokenizer.as_ref().and_then(to_value));
        push("post_processor", post_processor.as_ref().and_then(to_value));
        push("decoder", decoder.as_ref().and_then(to_value));
        components
    }
}

fn to_value<T: serde::Serialize>(component: &T) -> Option<serde_json::Value> {
    serde_json::to_value(component).ok()
}

/// `Sequence[Split(\p{L}+), ByteLevel]`.
fn describe(component: &serde_json::Value) -> String {
    let kind = component["type"].as_str().unwrap_or("?");
    let inner = ["normalizers", "pretokenizers", "processors", "decoders"]
        .iter()
        .find_map(|list| component[list].as_array());
    if let Some(inner) = inner {
        let inner: Vec<String> = inner.iter().map(describe).collect();
        return format!("{kind}[{}]", inner.join(", "));
    }
    match serde_json::from_value::<Pattern>(component["pattern"].clone()) {
        Ok(Pattern::Regex(pattern) | Pattern::String(pattern)) => format!("{kind}({pattern})"),
        Err(_) => kind.to_owned(),
    }
}
