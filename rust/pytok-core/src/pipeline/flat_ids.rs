//! The ids of many texts, one after another, on one thread or on several.
//!
//! A long text is cut into parts, so that threads can share it. Where a word ends
//! is known for certain only to those who come from the beginning, but reading on
//! from anywhere soon finds the same words. So a part begins where a few words,
//! read from a place that is as good as any, have led. Whoever encodes the part
//! before it reads on until a word ends there or further behind: there, and the
//! guess was right, or what is left over is encoded again.

use std::ops::Range;

use super::added_tokens::Section;
use super::batch::{self, BLOCK_BYTES};
use super::encode::check_length;
use super::engine::Engine;
use super::options::EncodeOptions;
use super::scratch::Scratch;
use super::tokenizer::{Bounds, Tokenizer};
use crate::error::Result;
use crate::model::ByteModel;
use crate::pretokenize::RawSplitter;

/// How many bytes are read to find where a part may begin.
const BYTES_TO_A_CUT: usize = 512;

/// Of ordinary text, about: a first guess.
const BYTES_OF_A_TOKEN: usize = 4;

/// Larger arrays of ids are not kept between calls.
const KEPT_IDS: usize = 1 << 20;

/// Shorter texts are not cut.
const LONG: usize = 4 * BLOCK_BYTES;

/// What a thread does at once.
#[derive(Debug, Clone)]
enum Item {
    /// A text, with what the options put around it.
    Text,
    /// What stands before or behind the parts of a long text.
    Ids(Vec<u32>),
    /// A part of a section of a long text; byte positions in the text.
    Part {
        section: Range<usize>,
        range: Range<usize>,
    },
}

/// Where a part really ended, in bytes of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reached {
    End(usize),
    /// A normaliser may have changed the part.
    Changed,
}

/// What a thread has done, item after item.
#[derive(Debug)]
struct Share {
    scratch: Box<Scratch>,
    ids: Vec<u32>,
    /// For each item, the number of its block, where its ids end, and how far it
    /// came.
    done: Vec<(usize, usize, Reached)>,
}

impl Tokenizer {
    /// The ids of many texts, one after another, and where each text begins:
    /// `texts.len() + 1` positions. The same for any number of threads, which
    /// share long texts too.
    ///
    /// # Errors
    /// As [`Tokenizer::encode_ids`], for the first text that fails.
    pub fn encode_batch_ids(
        &self,
        texts: &[&str],
        options: &EncodeOptions,
        threads: Option<usize>,
    ) -> Result<(Vec<u32>, Vec<i64>)> {
        let total: usize = texts.iter().map(|text| text.len()).sum();
        let threads = batch::threads(threads, total, total.div_ceil(BLOCK_BYTES));
        if threads <= 1 {
            return self.batch_on_one_thread(texts, options, total);
        }
        let mut items = Vec::with_capacity(texts.len());
        for (number, text) in texts.iter().enumerate() {
            match self.parts_of(text, options) {
                Ok(Some(parts)) => items.extend(parts.into_iter().map(|part| (number, part))),
                // An error comes when it is this text's turn.
                Ok(None) | Err(_) => items.push((number, Item::Text)),
            }
        }
        let size = |(number, item): &(usize, Item)| match item {
            Item::Text => texts[*number].len(),
            Item::Ids(ids) => ids.len(),
            Item::Part { range, .. } => range.len(),
        };
        let blocks = batch::blocks(&items, size);
        let threads = threads.min(blocks.len());
        if threads <= 1 {
            return self.batch_on_one_thread(texts, options, total);
        }
        let begin = || {
            let mut scratch = self.scratches.take();
            let mut ids = std::mem::take(&mut scratch.shared);
            ids.reserve(total / threads / BYTES_OF_A_TOKEN);
            let done = Vec::new();
            Share { scratch, ids, done }
        };
        let shares = batch::on_threads(threads, blocks.len(), begin, |share, block| {
            for (number, item) in &items[blocks[block].clone()] {
                let reached = self.item(texts[*number], item, options, share)?;
                share.done.push((block, share.ids.len(), reached));
            }
            Ok(())
        })?;
        let joined = self.join(texts, &items, &shares, options);
        for mut share in shares {
            if share.ids.capacity() <= KEPT_IDS {
                share.ids.clear();
                share.scratch.shared = share.ids;
            }
            self.scratches.put(share.scratch);
        }
        joined
    }

    fn batch_on_one_thread(
        &self,
        texts: &[&str],
        options: &EncodeOptions,
        total: usize,
    ) -> Result<(Vec<u32>, Vec<i64>)> {
        self.scratches.with(|scratch| {
            let mut ids = Vec::with_capacity(total / BYTES_OF_A_TOKEN);
            let mut bounds = Bounds::new(texts.len());
            for text in texts {
                let before = ids.len();
                self.framed_ids(text, options, scratch, &mut ids)?;
                bounds.extend(&[ids.len() - before]);
            }
            Ok((ids, bounds.0))
        })
    }

    /// The parts of a long text; `None` where it is short or cannot be cut.
    fn parts_of(&self, text: &str, options: &EncodeOptions) -> Result<Option<Vec<Item>>> {
        let splitter = match &self.engine {
            Engine::Bytes { splitter, .. } if splitter.starts_anywhere() => splitter,
            _ => return Ok(None),
        };
        if text.len() < LONG || self.frame.is_none() || self.added.has_normalized() {
            return Ok(None);
        }
        check_length(text)?;
        let mut sections = Vec::new();
        self.added
            .split_original(text, options.special, &mut sections)?;
        let (mut before, mut after) = (Vec::new(), Vec::new());
        self.begin_frame(options, &mut before)?;
        self.end_frame(options, &mut after)?;
        let mut items = vec![Item::Ids(before)];
        for Section { id, start, end } in sections {
            match id {
                Some(id) => items.push(Item::Ids(vec![id])),
                None => cut(splitter, &text[..end], start, &mut items)?,
            }
        }
        items.push(Item::Ids(after));
        Ok(Some(items))
    }

    /// Append the ids of an item.
    fn item(
        &self,
        text: &str,
        item: &Item,
        options: &EncodeOptions,
        share: &mut Share,
    ) -> Result<Reached> {
        let Share { scratch, ids, .. } = share;
        match item {
            Item::Text => self.framed_ids(text, options, scratch, ids)?,
            Item::Ids(found) => ids.extend_from_slice(found),
            Item::Part { section, range } => {
                let leaves = |part: &str| {
                    let normalizer = self.normalizer.as_ref();
                    normalizer.is_none_or(|normalizer| normalizer.leaves(part))
                };
                if !leaves(&text[range.clone()]) {
                    return Ok(Reached::Changed);
                }
                let section = &text[..section.end];
                return self.part_ids(section, range, scratch, ids);
            }
        }
        Ok(Reached::End(text.len()))
    }

    /// Append the ids of a part of a section that ends where `text` ends.
    fn part_ids(
        &self,
        text: &str,
        range: &Range<usize>,
        scratch: &mut Scratch,
        ids: &mut Vec<u32>,
    ) -> Result<Reached> {
        let Some((splitter, model)) = self.byte_engine() else {
            return Ok(Reached::Changed);
        };
        let buffers = &mut scratch.bytes;
        let end = splitter.each_word_between(text, range.start, range.end, |start, end| {
            model.encode_part(text, start, end, buffers, ids);
            Ok(())
        })?;
        Ok(Reached::End(end))
    }

    fn byte_engine(&self) -> Option<(&RawSplitter, &ByteModel)> {
        match &self.engine {
            Engine::Bytes {
                splitter, model, ..
            } => Some((splitter, model)),
            _ => None,
        }
    }

    /// The ids of all items in order; where a guess was wrong they are found again.
    fn join(
        &self,
        texts: &[&str],
        items: &[(usize, Item)],
        shares: &[Share],
        options: &EncodeOptions,
    ) -> Result<(Vec<u32>, Vec<i64>)> {
        let mut ids = Vec::with_capacity(shares.iter().map(|share| share.ids.len()).sum());
        let mut ends = vec![0; texts.len()];
        // Of the section of the last part: where its ids begin, and up to which
        // byte of the text they are known.
        let (mut first, mut known) = (0, Reached::End(0));
        for ((number, item), (found, reached)) in items.iter().zip(in_order(shares)) {
            if let Item::Part { section, range } = item {
                if range.start == section.start {
                    (first, known) = (ids.len(), Reached::End(section.start));
                }
                known = match (known, reached) {
                    (Reached::Changed, _) => known,
                    (_, Reached::Changed) => {
                        ids.truncate(first);
                        let (text, policy) = (&texts[*number][section.clone()], options.special);
                        self.scratches.with(|scratch| {
                            self.section_ids(text, section.start, policy, scratch, &mut ids)
                        })?;
                        Reached::Changed
                    }
                    (Reached::End(end), _) if end == range.start => {
                        ids.extend_from_slice(found);
                        reached
                    }
                    (Reached::End(end), _) if end < range.end => {
                        let (text, range) = (&texts[*number][..section.end], end..range.end);
                        self.scratches
                            .with(|scratch| self.part_ids(text, &range, scratch, &mut ids))?
                    }
                    _ => known,
                };
            } else {
                ids.extend_from_slice(found);
            }
            ends[*number] = ids.len();
        }
        let mut bounds = Bounds::new(texts.len());
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let lengths: Vec<usize> = starts.zip(&ends).map(|(start, end)| end - start).collect();
        bounds.extend(&lengths);
        Ok((ids, bounds.0))
    }
}

/// What was done, in the order of the items.
fn in_order(shares: &[Share]) -> impl Iterator<Item = (&[u32], Reached)> {
    let mut blocks = Vec::new();
    for share in shares {
        let mut start = 0;
        for &(block, end, reached) in &share.done {
            blocks.push((block, &share.ids[start..end], reached));
            start = end;
        }
    }
    // Stable: the items of a block stay in their order.
    blocks.sort_by_key(|&(block, ..)| block);
    blocks.into_iter().map(|(_, ids, reached)| (ids, reached))
}

/// Append the parts of the section of a text from byte `start` to its end.
fn cut(splitter: &RawSplitter, text: &str, start: usize, items: &mut Vec<Item>) -> Result<()> {
    let section = start..text.len();
    let mut begin = start;
    while begin < text.len() {
        let mut guess = begin + BLOCK_BYTES;
        let end = if guess + BLOCK_BYTES / 2 >= text.len() {
            text.len()
        } else {
            while !text.is_char_boundary(guess) {
                guess += 1;
            }
            splitter.each_word_between(text, guess, guess + BYTES_TO_A_CUT, |_, _| Ok(()))?
        };
        items.push(Item::Part {
            section: section.clone(),
            range: begin..end,
        });
        begin = end;
    }
    Ok(())
}
