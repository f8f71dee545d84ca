//! Tokens with everything that is known about them, where nothing changes the
//! text: byte-level tokenizers without a normaliser, or with one that leaves this
//! text alone.
//!
//! Tokens then lie one behind another in the text itself, so one walk gives
//! their bytes and counts their characters; no alignment is kept. The result is
//! that of [`Tokenizer::raw_tokens`], the way of all other tokenizers.

use super::added_tokens::{Section, SpecialPolicy};
use super::encode::check_length;
use super::encoding::EncodingParts;
use super::engine::Engine;
use super::scratch::Scratch;
use super::tokenizer::Tokenizer;
use crate::error::Result;
use crate::ids::offset;
use crate::model::ByteModel;
use crate::normalize::Normalizer;
use crate::pretokenize::RawSplitter;
use crate::pretokenize::byte_alphabet::byte_to_char;

impl Tokenizer {
    /// Append the tokens of a text, all of them in `word` if it is given; false
    /// when this tokenizer may change the text.
    pub(super) fn unchanged_parts(
        &self,
        text: &str,
        word: Option<u32>,
        policy: SpecialPolicy,
        scratch: &mut Scratch,
        parts: &mut EncodingParts,
    ) -> Result<bool> {
        let Engine::Bytes {
            splitter, model, ..
        } = &self.engine
        else {
            return Ok(false);
        };
        let leaves = |steps: &Normalizer| steps.leaves(text);
        if !self.normalizer.as_deref().is_none_or(leaves) {
            return Ok(false);
        }
        check_length(text)?;
        let mut walk = Walk {
            tokenizer: self,
            text,
            counted: (0, 0),
            fixed: word,
            word: 0,
            parts,
        };
        let mut sections = std::mem::take(&mut scratch.sections);
        let mut inner = std::mem::take(&mut scratch.inner_sections);
        self.added.split_original(text, policy, &mut sections)?;
        for section in &sections {
            let part = &text[section.start..section.end];
            match section.id {
                Some(id) => walk.added(id, section.start, section.end),
                None if !self.added.has_normalized() => {
                    walk.words(splitter, model, (section.start, part), scratch)?;
                }
                None => {
                    self.added.split_normalized(part, policy, &mut inner)?;
                    for Section { id, start, end } in inner.iter().copied() {
                        let base = section.start;
                        match id {
                            Some(id) => walk.added(id, base + start, base + end),
                            None => {
                                let rest = (base + start, &part[start..end]);
                                walk.words(splitter, model, rest, scratch)?;
                            }
                        }
                    }
                }
            }
        }
        scratch.sections = sections;
        scratch.inner_sections = inner;
        Ok(true)
    }
}

/// Where a text has been tokenized up to.
struct Walk<'a> {
    tokenizer: &'a Tokenizer,
    text: &'a str,
    /// A byte of the text, and how many characters begin before it.
    counted: (usize, u32),
    fixed: Option<u32>,
    /// The number of the next word.
    word: u32,
    parts: &'a mut EncodingParts,
}

impl Walk<'_> {
    /// Append an added token.
    fn added(&mut self, id: u32, start: usize, end: usize) {
        self.parts.tokens.push(&self.text[start..end]);
        self.place(id, start, end);
        self.word += 1;
    }

    /// Append the tokens of a part of the text that begins at byte `base`.
    fn words(
        &mut self,
        splitter: &RawSplitter,
        model: &ByteModel,
        (base, part): (usize, &str),
        scratch: &mut Scratch,
    ) -> Result<()> {
        let (buffers, ids) = (&mut scratch.bytes, &mut scratch.ids);
        splitter.each_word(part, |start, end| {
            ids.clear();
            model.encode_part(part, start, end, buffers, ids);
            let mut position = base + start;
            for &id in ids.iter() {
                let bytes = model.token_bytes(id);
                self.spell(id, bytes);
                let next = position + bytes.map_or(0, <[u8]>::len);
                self.place(id, position, next);
                position = next;
            }
            self.word += 1;
            Ok(())
        })
    }

    /// Append the text of a token of the model.
    fn spell(&mut self, id: u32, bytes: Option<&[u8]>) {
        let texts = &mut self.parts.tokens;
        match (self.tokenizer.added.get(id), bytes) {
            // A token of the model may share its id with an added token.
            (Some(added), _) => texts.push(&added.content),
            (None, Some(bytes)) => texts.push_characters(|text| {
                text.reserve(2 * bytes.len());
                bytes.iter().for_each(|&byte| text.push(byte_to_char(byte)));
            }),
            (None, None) => texts.push(&self.tokenizer.model_piece(id).unwrap_or_default()),
        }
    }

    /// Append everything else about a token.
    fn place(&mut self, id: u32, start: usize, end: usize) {
        let first = self.characters_before(start);
        let inside = u32::from(!self.text.is_char_boundary(start));
        let last = self.characters_before(end);
        self.parts.ids.push(id);
        self.parts.offsets.push((first - inside, last));
        self.parts.byte_offsets.push((offset(start), offset(end)));
        self.parts.word_ids.push(self.fixed.or(Some(self.word)));
    }

    /// How many characters begin before a byte of the text.
    fn characters_before(&mut self, position: usize) -> u32 {
        let (at, count) = self.counted;
        let bytes = self.text.as_bytes();
        let count = if at <= position {
            count + characters(&bytes[at..position])
        } else {
            // White space that an added token takes from the one behind it.
            count - characters(&bytes[position..at])
        };
        self.counted = (position, count);
        count
    }
}

/// How many characters begin in these bytes of a text.
fn characters(bytes: &[u8]) -> u32 {
    let begins = |byte: u8| u32::from(byte & 0xC0 != 0x80);
    bytes.iter().map(|&byte| begins(byte)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pretokenize::byte_alphabet;

    /// The 256 bytes, a few merges inside and across characters, added tokens of
    /// every kind.
    fn tokenizer() -> Tokenizer {
        let spelled = |text: &[u8]| byte_alphabet::encode(text);
        let mut pieces: Vec<String> = (0..=u8::MAX).map(|byte| spelled(&[byte])).collect();
        let zhong = "\u{4e2d}".as_bytes();
        let pairs: [(&[u8], &[u8]); 4] = [
            (&zhong[..1], &zhong[1..2]),
            (b" ", b"a"),
            (b"a", b"b"),
            (&zhong[2..], &zhong[..1]),
        ];
        let mut merges = Vec::new();
        for (left, right) in pairs {
            pieces.push(spelled(&[left, right].concat()));
            merges.push([spelled(left), spelled(right)]);
        }
        let vocab: serde_json::Map<_, _> = (0..)
            .zip(pieces)
            .map(|(id, p)| (p, serde_json::Value::from(id)))
            .collect();
        let added = |id: u32, content: &str, strip: bool, normalized: bool| {
            serde_json::json!({"id": id, "content": content, "single_word": false,
                "lstrip": strip, "rstrip": strip, "normalized": normalized, "special": false})
        };
        let file = serde_json::json!({
            "version": "1.0",
            "added_tokens": [
                added(260, "<s>", false, false), added(261, "<t>", true, false),
                added(262, "\u{4e2d}\u{4e2d}\u{4e2d}", false, true), added(263, "  ", false, false),
            ],
            "normalizer": null,
            "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
            "post_processor": null,
            "decoder": {"type": "ByteLevel"},
            "model": {"type": "BPE", "vocab": vocab, "merges": merges},
        });
        let definition = crate::format::tokenizer_json::read(file.to_string().as_bytes()).unwrap();
        Tokenizer::compile(definition).unwrap()
    }

    #[test]
    fn one_walk_gives_what_the_alignment_gives() {
        let (tokenizer, mut scratch) = (tokenizer(), Scratch::default());
        let atoms = [
            "a",
            "ab",
            " ",
            "  ",
            "\u{4e2d}",
            "\u{e9}",
            "\u{1f600}",
            "<s>",
            "<t>",
            "\n",
            "1",
        ];
        for number in 0..atoms.len().pow(4) {
            let mut rest = number;
            let text: String = (0..4)
                .map(|_| {
                    let atom = atoms[rest % atoms.len()];
                    rest /= atoms.len();
                    atom
                })
                .collect();
            let text = format!("{text}\u{4e2d}\u{4e2d}\u{4e2d}{text}");
            for word in [None, Some(7)] {
                let policy = SpecialPolicy::Special;
                let (mut found, mut expected) = Default::default();
                let all = &mut scratch;
                assert!(
                    tokenizer
                        .unchanged_parts(&text, word, policy, all, &mut found)
                        .unwrap()
                );
                tokenizer
                    .aligned_parts(&text, word, policy, all, &mut expected)
                    .unwrap();
                assert_eq!(found, expected, "{text:?}");
            }
        }
    }
}
