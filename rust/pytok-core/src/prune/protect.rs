//! What stays in every vocabulary.

use crate::definition::{Definition, Model, PostProcessor};
use crate::pipeline::{Tokenizer, fallback_byte};
use crate::sentencepiece::PieceKind;

/// The ids of added tokens, of the unknown token, of bytes, of the least likely
/// piece where it rates unknown characters, and all that the rest of the
/// definition names. Ids without a piece may be among them.
pub(super) fn always(tokenizer: &Tokenizer) -> Vec<u32> {
    let definition = tokenizer.definition();
    let mut ids: Vec<u32> = tokenizer
        .added_tokens()
        .iter()
        .map(|token| token.id)
        .collect();
    ids.extend(tokenizer.unk_id());
    ids.extend(padding_id(definition));
    if let Some(processor) = &definition.post_processor {
        named(processor, &mut ids);
    }
    match &definition.model {
        Model::BPE {
            byte_fallback: true,
            vocab,
            ..
        } => {
            let bytes = vocab
                .iter()
                .filter(|(piece, _)| fallback_byte(piece).is_some());
            ids.extend(bytes.map(|(_, id)| id));
        }
        Model::Unigram {
            unk_id,
            vocab,
            byte_fallback,
        } => {
            let pieces = || vocab.iter().zip(0_u32..);
            let bytes = pieces().filter(|((piece, _), _)| fallback_byte(piece).is_some());
            ids.extend(bytes.filter(|_| *byte_fallback).map(|(_, id)| id));
            let least = pieces().min_by(|(left, _), (right, _)| left.1.total_cmp(&right.1));
            ids.extend(least.filter(|_| unk_id.is_some()).map(|(_, id)| id));
        }
        Model::SentencePiece { .. } => ids.extend(sentencepiece(tokenizer)),
        _ => {}
    }
    ids
}

fn sentencepiece(tokenizer: &Tokenizer) -> Vec<u32> {
    let Some(model) = tokenizer.sentencepiece() else {
        return Vec::new();
    };
    let kind = |id| model.kind(id);
    let score = |id| model.score(id).unwrap_or_default();
    let ids = || model.pieces().map(|(id, _)| id);
    let reserved = ids().filter(|&id| match kind(id) {
        Some(PieceKind::Normal) => false,
        // A merge of an unused piece happens and is undone: without it, other
        // merges would.
        Some(PieceKind::Unused) => model.is_bpe(),
        _ => true,
    });
    let normal = ids().filter(|&id| kind(id) == Some(PieceKind::Normal));
    let least = normal.min_by(|&left, &right| score(left).total_cmp(&score(right)));
    reserved
        .chain(least.filter(|_| model.is_unigram()))
        .collect()
}

/// The padding token of the file's own `padding` entry.
pub(super) fn padding_id(definition: &Definition) -> Option<u32> {
    let id = definition.padding.as_ref()?.get("pad_id")?.as_u64()?;
    u32::try_from(id).ok()
}

fn named(processor: &PostProcessor, ids: &mut Vec<u32>) {
    match processor {
        PostProcessor::BertProcessing { sep, cls }
        | PostProcessor::RobertaProcessing { sep, cls, .. } => ids.extend([sep.1, cls.1]),
        PostProcessor::ByteLevel { .. } => {}
        PostProcessor::TemplateProcessing { special_tokens, .. } => {
            ids.extend(special_tokens.values().flat_map(|token| &token.ids));
        }
        PostProcessor::Sequence { processors } => {
            processors.iter().for_each(|inner| named(inner, ids));
        }
    }
}
