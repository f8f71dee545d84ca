//! Which part of a normalised text stands for which part of its original.
//!
//! A step replaces blocks of its text and leaves the rest; an alignment is a
//! chain of steps. A span goes back through the chain step by step, so composing
//! is joining chains, which is associative, and nothing is lost where one step
//! puts something in the place of what another took out.
//!
//! Units are the caller's: bytes in the core, characters in what Python sees.

mod reach;

use std::ops::Range;

use self::reach::Reach;
use crate::ids::{index, offset};

/// A half-open range.
pub type Span = (u32, u32);

/// A part of the original and what stands in its place; one of them may be empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block {
    /// The part of the original.
    pub original: Span,
    /// What stands in its place in the normalised text.
    pub normalized: Span,
}

impl Block {
    fn flipped(self) -> Self {
        Self {
            original: self.normalized,
            normalized: self.original,
        }
    }
}

/// How a normalised text is aligned to its original.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Alignment {
    /// The blocks of each step that changed something; they ascend and do not
    /// overlap on either side.
    links: Vec<Vec<Block>>,
    original: u32,
    normalized: u32,
}

impl Alignment {
    /// A text of `length` units that is aligned to itself.
    pub fn identity(length: u32) -> Self {
        Self {
            links: Vec::new(),
            original: length,
            normalized: length,
        }
    }

    /// The alignment of one step with these blocks, of an original of `original`
    /// units.
    ///
    /// `None` when a block lies outside the original, when blocks overlap or are
    /// out of order, or when the parts between them have different lengths.
    pub fn from_blocks(blocks: Vec<Block>, original: u32) -> Option<Self> {
        let (mut at, mut to) = (0, 0);
        for block in &blocks {
            let gap = block.original.0.checked_sub(at)?;
            let fits = block.normalized.0.checked_sub(to)? == gap
                && block.original.0 <= block.original.1
                && block.normalized.0 <= block.normalized.1;
            if !fits {
                return None;
            }
            (at, to) = (block.original.1, block.normalized.1);
        }
        let normalized = to.checked_add(original.checked_sub(at)?)?;
        let links = if blocks.is_empty() {
            Vec::new()
        } else {
            vec![blocks]
        };
        Some(Self {
            links,
            original,
            normalized,
        })
    }

    /// The chain of alignments with these blocks; see [`Self::links`].
    ///
    /// `None` when the blocks of one of them are not as [`Self::from_blocks`] takes
    /// them.
    pub fn from_links(links: Vec<Vec<Block>>, original: u32) -> Option<Self> {
        links
            .into_iter()
            .try_fold(Self::identity(original), |chain, blocks| {
                let next = Self::from_blocks(blocks, chain.normalized)?;
                chain.compose(next)
            })
    }

    /// The blocks of the whole chain, from left to right: between them the two
    /// texts are the same.
    ///
    /// # Complexity
    /// O(s b) for s steps of b blocks.
    pub fn blocks(&self) -> Vec<Block> {
        let mut links = self.links.iter();
        let Some(first) = links.next() else {
            return Vec::new();
        };
        links.fold(first.clone(), |blocks, next| flatten(&blocks, next))
    }

    /// The blocks of each step that changed something, in order.
    pub fn links(&self) -> &[Vec<Block>] {
        &self.links
    }

    /// The length of the original.
    pub fn original_length(&self) -> u32 {
        self.original
    }

    /// The length of the normalised text.
    pub fn normalized_length(&self) -> u32 {
        self.normalized
    }

    /// Whether no step changed anything.
    pub fn is_identity(&self) -> bool {
        self.links.is_empty()
    }

    /// The part of the original behind a part of the normalised text. Each step
    /// gives the smallest range that holds all blocks which the part reaches
    /// into. What a step put in has an empty part behind it, unless something was
    /// taken out at the same place. The part behind a span holds the parts behind
    /// all of its units, whatever the steps.
    ///
    /// # Complexity
    /// O(s log b) for s steps of b blocks.
    pub fn to_original(&self, span: Span) -> Span {
        let back = |reach: Reach, blocks: &Vec<Block>| {
            reach.cover(blocks, |block| (block.normalized, block.original))
        };
        let links = self.links.iter().rev();
        links.fold(Reach::new(span), back).span()
    }

    /// The part of the normalised text that stands for a part of the original;
    /// as [`Self::to_original`], the other way round.
    pub fn to_normalized(&self, span: Span) -> Span {
        let forth = |reach: Reach, blocks: &Vec<Block>| {
            reach.cover(blocks, |block| (block.original, block.normalized))
        };
        self.links.iter().fold(Reach::new(span), forth).span()
    }

    /// The alignment seen from the other text.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let flipped = |link: &Vec<Block>| link.iter().map(|block| block.flipped()).collect();
        Self {
            links: self.links.iter().rev().map(flipped).collect(),
            original: self.normalized,
            normalized: self.original,
        }
    }

    /// First this alignment, then `next`, whose original is this one's normalised
    /// text; `None` when the lengths of that text differ.
    pub fn compose(mut self, next: Self) -> Option<Self> {
        if self.normalized != next.original {
            return None;
        }
        self.links.extend(next.links);
        self.normalized = next.normalized;
        Some(self)
    }

    /// The same alignment in characters, of one step in bytes between these texts.
    pub(super) fn in_chars(&self, original: &str, normalized: &str) -> Self {
        let convert = |blocks: &Vec<Block>| {
            let mut from = CharCounter::new(original);
            let mut to = CharCounter::new(normalized);
            let convert = |block: &Block| Block {
                original: (from.at(block.original.0), from.at(block.original.1)),
                normalized: (to.at(block.normalized.0), to.at(block.normalized.1)),
            };
            blocks.iter().map(convert).collect()
        };
        Self {
            links: self.links.iter().map(convert).collect(),
            original: offset(original.chars().count()),
            normalized: offset(normalized.chars().count()),
        }
    }
}

/// Bytes to characters, of places that ascend.
#[derive(Debug)]
pub struct CharCounter<'a> {
    text: &'a str,
    byte: usize,
    chars: u32,
}

impl<'a> CharCounter<'a> {
    /// A counter at the start of a text.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            byte: 0,
            chars: 0,
        }
    }

    /// The characters before a byte, which is not before the last one asked for.
    pub fn at(&mut self, byte: u32) -> u32 {
        let byte = index(byte);
        self.chars += offset(self.text[self.byte..byte].chars().count());
        self.byte = byte;
        self.chars
    }
}

/// The blocks of two steps as those of one.
fn flatten(first: &[Block], second: &[Block]) -> Vec<Block> {
    Composition::default().run(first, second)
}

/// Two lists of blocks that become one, from left to right.
#[derive(Debug, Default)]
struct Composition {
    blocks: Vec<Block>,
    /// How far the first alignment is, in its original and in the middle text.
    first: (u32, u32),
    /// How far the second is, in the middle and in its normalised text.
    second: (u32, u32),
}

impl Composition {
    fn run(mut self, first: &[Block], second: &[Block]) -> Vec<Block> {
        let (mut a, mut b) = (first.iter().peekable(), second.iter().peekable());
        loop {
            // The middle range of the next group of blocks that belong together.
            let mut group: Option<Range<u32>> = None;
            let (start, end) = (self.first, self.second);
            loop {
                let mine = a.peek().map(|block| block.normalized);
                let theirs = b.peek().map(|block| block.original);
                let take_first = match (mine, theirs) {
                    (None, None) => break,
                    (Some(_), None) => true,
                    (None, Some(_)) => false,
                    (Some(mine), Some(theirs)) => mine <= theirs,
                };
                let Some(next) = (if take_first { mine } else { theirs }) else {
                    break;
                };
                match &mut group {
                    None => group = Some(next.0..next.1),
                    Some(range) if touches(range, next) => range.end = range.end.max(next.1),
                    Some(_) => break,
                }
                if take_first {
                    self.first = a
                        .next()
                        .map_or(self.first, |b| (b.original.1, b.normalized.1));
                } else {
                    self.second = b
                        .next()
                        .map_or(self.second, |b| (b.original.1, b.normalized.1));
                }
            }
            let Some(middle) = group else {
                return self.blocks;
            };
            self.push(&middle, start, end);
        }
    }

    /// Add the block of a group over a range of the middle text. `first` and
    /// `second` are where the alignments were before it.
    fn push(&mut self, middle: &Range<u32>, first: (u32, u32), second: (u32, u32)) {
        let block = Block {
            original: (
                first.0 + (middle.start - first.1),
                self.first.0 + (middle.end - self.first.1),
            ),
            normalized: (
                second.1 + (middle.start - second.0),
                self.second.1 + (middle.end - self.second.0),
            ),
        };
        self.first = (block.original.1, middle.end);
        self.second = (middle.end, block.normalized.1);
        if block.original.0 < block.original.1 || block.normalized.0 < block.normalized.1 {
            self.blocks.push(block);
        }
    }
}

/// Whether a block that begins at or behind the start of a group shares a place
/// in the inside of the group with it, or is empty where an empty group is.
fn touches(group: &Range<u32>, next: Span) -> bool {
    next.0 < group.end || (group.is_empty() && next == (group.start, group.end))
}

#[cfg(test)]
mod tests;
