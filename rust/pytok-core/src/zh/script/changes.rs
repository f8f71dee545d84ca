//! What was replaced, and what two steps replaced together.

use crate::zh::alignment::Span;

/// A part of a text that a rule matched, and what stands there now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) before: Span,
    pub(super) after: Span,
    /// What is to be said about it; only where notes are kept.
    pub(super) remark: Option<Box<Remark>>,
}

/// What is said about a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Remark {
    /// What else could stand there.
    pub(super) others: Vec<String>,
    pub(super) reason: &'static str,
    /// Whether it is to be said although nothing else could stand there.
    pub(super) kept: bool,
}

/// First the changes of one text, then those of what came of it, as one list.
/// Changes that share a character become one. `convert` says what the second
/// step makes of a text on its own.
///
/// # Complexity
/// O(n) for n changes, and what `convert` takes for the candidates.
pub(super) fn compose(
    mut first: Vec<Change>,
    second: Vec<Change>,
    convert: &dyn Fn(&str) -> String,
) -> Vec<Change> {
    for remark in first.iter_mut().filter_map(|change| change.remark.as_mut()) {
        remark
            .others
            .iter_mut()
            .for_each(|other| *other = convert(other));
    }
    if first.is_empty() || second.is_empty() {
        return if first.is_empty() { second } else { first };
    }
    let mut composition = Composition::default();
    let (mut first, mut second) = (first.into_iter().peekable(), second.into_iter().peekable());
    loop {
        let mine = first.peek().map(|change| change.after);
        let theirs = second.peek().map(|change| change.before);
        let start = match (mine, theirs) {
            (None, None) => return composition.finish(),
            (Some(mine), Some(theirs)) => mine.0.min(theirs.0),
            (Some(only), None) | (None, Some(only)) => only.0,
        };
        if start >= composition.middle.1 {
            composition.close();
            composition.middle = (start, start);
        }
        if mine.is_some_and(|mine| mine.0 == start) {
            composition.first.extend(first.next());
        } else {
            composition.second.extend(second.next());
        }
        composition.extend();
    }
}

/// Changes of the first and of the second step that share characters.
#[derive(Debug, Default)]
struct Composition {
    done: Vec<Change>,
    first: Vec<Change>,
    second: Vec<Change>,
    /// The part of the text between the steps that they cover.
    middle: Span,
    /// Behind the last change of each step that is in `done`: the same place in
    /// its text and in what it made of it.
    places: [Span; 2],
}

impl Composition {
    fn extend(&mut self) {
        let ends = [
            self.first.last().map(|change| change.after.1),
            self.second.last().map(|change| change.before.1),
        ];
        let end = ends.into_iter().flatten().max().unwrap_or(0);
        self.middle.1 = self.middle.1.max(end);
    }

    fn close(&mut self) {
        if self.first.is_empty() && self.second.is_empty() {
            return;
        }
        let [first, second] = self.places;
        let after_first = self
            .first
            .last()
            .map_or(first, |change| (change.before.1, change.after.1));
        let after_second = self
            .second
            .last()
            .map_or(second, |change| (change.before.1, change.after.1));
        let (start, end) = self.middle;
        let remark = self.remark();
        self.done.push(Change {
            before: (
                first.0 + (start - first.1),
                after_first.0 + (end - after_first.1),
            ),
            after: (
                second.1 + (start - second.0),
                after_second.1 + (end - after_second.0),
            ),
            remark,
        });
        self.places = [after_first, after_second];
        self.first.clear();
        self.second.clear();
    }

    /// What is said of the whole: what one of its changes says, if it is about
    /// all of it. Of a character that the second step only gives its regional
    /// form, the first knows what it could be.
    fn remark(&mut self) -> Option<Box<Remark>> {
        let alone = |changes: &[Change], side: fn(&Change) -> Span| match changes {
            [only] => side(only) == self.middle,
            _ => false,
        };
        let first = alone(&self.first, |change| change.after);
        let second = alone(&self.second, |change| change.before);
        let last = self.second.pop().and_then(|change| change.remark);
        match (
            first,
            second,
            self.first.pop().and_then(|change| change.remark),
        ) {
            (true, true, Some(remark)) if remark.others.is_empty() => last.or(Some(remark)),
            (true, _, Some(remark)) => Some(remark),
            (_, true, _) => last,
            (_, _, Some(remark)) => Some(Box::new(Remark {
                others: Vec::new(),
                ..*remark
            })),
            (_, _, None) => last,
        }
    }

    fn finish(mut self) -> Vec<Change> {
        self.close();
        self.done
    }
}

#[cfg(test)]
mod tests;
