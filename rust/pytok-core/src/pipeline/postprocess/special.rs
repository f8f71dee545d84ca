//! Special tokens, and the fixed frames of BERT and RoBERTa.

use super::Encoding;
use crate::pipeline::encoding::SequenceRange;

/// A special token that has one id.
#[derive(Debug, Clone)]
pub(super) struct SpecialToken {
    content: String,
    id: u32,
}

impl SpecialToken {
    fn encoding(&self, type_id: u32) -> Encoding {
        let tokens = std::slice::from_ref(&self.content);
        Encoding::of_special_tokens(&[self.id], tokens, type_id)
    }
}

/// `[CLS] A [SEP] B [SEP]`, and its variant `<s> A </s></s> B </s>`.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    begin: SpecialToken,
    separator: SpecialToken,
}

impl Frame {
    pub(super) fn new(cls: &(String, u32), sep: &(String, u32)) -> Self {
        let token = |(content, id): &(String, u32)| SpecialToken {
            content: content.clone(),
            id: *id,
        };
        Self {
            begin: token(cls),
            separator: token(sep),
        }
    }

    pub(super) fn bert(&self, encodings: Vec<Encoding>) -> Vec<Encoding> {
        let frame = |encoding: Encoding, at: usize| {
            if at == 0 {
                self.enclose(encoding, Some(&self.begin), 0, 0)
            } else {
                self.enclose(encoding, None, 1, 1)
            }
        };
        enclose_all(encodings, frame)
    }

    pub(super) fn roberta(&self, encodings: Vec<Encoding>) -> Vec<Encoding> {
        let frame = |mut encoding: Encoding, at: usize| {
            encoding.set_type_id(0);
            if at == 0 {
                self.enclose(encoding, Some(&self.begin), 0, 0)
            } else {
                self.enclose(encoding, Some(&self.separator), 0, 1)
            }
        };
        enclose_all(encodings, frame)
    }

    fn enclose(
        &self,
        mut encoding: Encoding,
        before: Option<&SpecialToken>,
        type_id: u32,
        sequence: usize,
    ) -> Encoding {
        encoding.attention_mask.fill(1);
        encoding.special_tokens_mask.fill(0);
        encoding.sequence_ranges.clear();
        let mut framed = before.map_or_else(Encoding::default, |token| token.encoding(type_id));
        let start = framed.len();
        framed.merge_with(encoding, false);
        let tokens = start..framed.len();
        framed.merge_with(self.separator.encoding(type_id), false);
        framed.insert_range(SequenceRange { sequence, tokens });
        framed
    }
}

/// Frame every encoding and its overflow (but not the overflow of overflow,
/// which the reference drops here).
fn enclose_all(
    encodings: Vec<Encoding>,
    frame: impl Fn(Encoding, usize) -> Encoding,
) -> Vec<Encoding> {
    encodings
        .into_iter()
        .enumerate()
        .map(|(at, mut encoding)| {
            let overflowing = encoding
                .take_overflowing()
                .into_iter()
                .map(|mut part| {
                    part.overflowing.clear();
                    frame(part, at)
                })
                .collect();
            let mut framed = frame(encoding, at);
            framed.overflowing = overflowing;
            framed
        })
        .collect()
}
