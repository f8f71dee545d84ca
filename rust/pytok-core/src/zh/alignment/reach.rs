//! How a span goes through one step of a chain.
//!
//! A text is units and the places between them. A step takes each unit and each
//! place to a range, and a span to the hull of what it holds; so a span that holds
//! another one ends, after any steps, as a span that holds it still.

use super::{Block, Span};

/// A span on its way through a chain. It is closed at an end where something that
/// was put in or taken out stands for its outermost unit: what another step took
/// out or put in at that very place belongs to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    start: u32,
    end: u32,
    closed_start: bool,
    closed_end: bool,
}

impl Reach {
    /// A span; an empty one is the place between two units.
    pub(super) fn new((start, end): Span) -> Self {
        let closed = start == end;
        Self {
            start,
            end,
            closed_start: closed,
            closed_end: closed,
        }
    }

    /// The smallest reach on the other side that covers this one, by `sides` of a
    /// block: here, there.
    pub(super) fn cover(self, blocks: &[Block], sides: impl Fn(&Block) -> (Span, Span)) -> Self {
        let place = |count: usize, place: u32| match count.checked_sub(1) {
            Some(last) => {
                let (here, there) = sides(&blocks[last]);
                there.1 + (place - here.1)
            }
            None => place,
        };
        // Blocks of no units on this side count where the span is closed.
        let before = blocks.partition_point(|block| {
            let here = sides(block).0;
            here.1 < self.start || (here.1 == self.start && (here.0 < here.1 || !self.closed_start))
        });
        let until = blocks.partition_point(|block| {
            let here = sides(block).0;
            here.0 < self.end || (here.0 == self.end && here.0 == here.1 && self.closed_end)
        });
        let is_empty = |there: Span| there.0 == there.1;
        let (start, closed_start) = match blocks.get(before).map(&sides) {
            Some((here, there)) if here.0 < self.start => (there.0, is_empty(there)),
            Some((here, there)) if here.0 == self.start && here.0 < here.1 => {
                let gone = is_empty(there) && self.start < self.end;
                (there.0, self.closed_start || gone)
            }
            _ => (place(before, self.start), self.closed_start),
        };
        let last = until.checked_sub(1).map(|last| sides(&blocks[last]));
        let (end, closed_end) = match last {
            Some((here, there)) if here.1 > self.end => (there.1, is_empty(there)),
            Some((here, there)) if here.1 == self.end && here.0 < here.1 => {
                let gone = is_empty(there) && self.start < self.end;
                (there.1, self.closed_end || gone)
            }
            _ => (place(until, self.end), self.closed_end),
        };
        // Of a place inside a block of nothing, both ends are that nothing.
        Self {
            start: start.min(end),
            end: end.max(start),
            closed_start,
            closed_end,
        }
    }

    pub(super) fn span(self) -> Span {
        (self.start, self.end)
    }
}
