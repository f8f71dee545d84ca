use super::*;
use crate::model::Random;

fn block(original: Span, normalized: Span) -> Block {
    Block {
        original,
        normalized,
    }
}

fn align(blocks: &[(Span, Span)], original: u32) -> Alignment {
    let blocks = blocks.iter().map(|&(a, b)| block(a, b)).collect();
    Alignment::from_blocks(blocks, original).unwrap()
}

/// An alignment of `length` units with blocks here and there.
fn random_alignment(random: &mut Random, length: u32) -> Alignment {
    let (mut blocks, mut at, mut to) = (Vec::new(), 0, 0);
    loop {
        let gap = offset(random.below(3));
        let (old, new) = (offset(random.below(3)), offset(random.below(3)));
        if at + gap + old > length || random.below(6) == 0 {
            return Alignment::from_blocks(blocks, length).unwrap();
        }
        (at, to) = (at + gap, to + gap);
        if old + new > 0 {
            blocks.push(block((at, at + old), (to, to + new)));
        }
        (at, to) = (at + old, to + new);
    }
}

#[test]
fn a_span_maps_to_the_smallest_range_that_covers_it() {
    // "ab" -> "xyz" at 2, an insertion at 6, "c" gone at 8.
    let alignment = align(
        &[((2, 4), (2, 5)), ((6, 6), (7, 9)), ((8, 9), (11, 11))],
        10,
    );
    assert_eq!(alignment.normalized_length(), 12);
    for (span, original) in [
        ((0, 2), (0, 2)),
        ((1, 3), (1, 4)),
        ((3, 4), (2, 4)),
        ((2, 5), (2, 4)),
        ((5, 6), (4, 5)),
        ((7, 8), (6, 6)),
        ((7, 9), (6, 6)),
        ((6, 8), (5, 6)),
        ((8, 10), (6, 7)),
        ((10, 12), (7, 10)),
        ((3, 3), (2, 4)),
        ((2, 2), (2, 2)),
        ((5, 5), (4, 4)),
    ] {
        assert_eq!(alignment.to_original(span), original, "{span:?}");
    }
    assert_eq!(alignment.to_normalized((8, 9)), (11, 11));
    assert_eq!(alignment.to_normalized((3, 7)), (2, 10));
    assert_eq!(alignment.inverse().to_original((3, 7)), (2, 10));
}

#[test]
fn blocks_that_contradict_each_other_are_refused() {
    for blocks in [
        vec![block((2, 1), (2, 3))],
        vec![block((1, 2), (2, 3))],
        vec![block((0, 4), (0, 1))],
        vec![block((0, 2), (0, 2)), block((1, 2), (2, 3))],
        vec![block((0, 1), (0, 1)), block((2, 3), (3, 4))],
    ] {
        assert_eq!(
            Alignment::from_blocks(blocks.clone(), 3),
            None,
            "{blocks:?}"
        );
    }
}

#[test]
fn what_stands_where_something_was_taken_out_has_that_behind_it() {
    let taken_out = align(&[((4, 6), (4, 4))], 8);
    let put_in = align(&[((4, 4), (4, 7))], 6);
    let both = taken_out.compose(put_in).unwrap();
    assert_eq!(both.to_original((4, 5)), (4, 6));
    assert_eq!(both.to_original((3, 4)), (3, 4));
    assert_eq!(both.to_normalized((5, 6)), (4, 7));
    assert_eq!(both.blocks(), [block((4, 6), (4, 7))]);
}

#[test]
fn what_is_put_in_and_taken_out_again_leaves_nothing() {
    let put_in = align(&[((3, 3), (3, 5))], 8);
    let both = put_in.clone().compose(put_in.inverse()).unwrap();
    assert_eq!(both.blocks(), []);
    assert_eq!(both.to_original((2, 4)), (2, 4));
}

#[test]
fn composing_is_associative_and_keeps_lengths() {
    let mut random = Random::new(11);
    for _ in 0..20_000 {
        let length = offset(random.below(12));
        let a = random_alignment(&mut random, length);
        let b = random_alignment(&mut random, a.normalized_length());
        let c = random_alignment(&mut random, b.normalized_length());
        let join = |a: &Alignment, b: &Alignment| a.clone().compose(b.clone()).unwrap();
        let left = join(&join(&a, &b), &c);
        assert_eq!(left, join(&a, &join(&b, &c)));
        let flat = Alignment::from_blocks(left.blocks(), length).unwrap();
        assert_eq!(flat.normalized_length(), left.normalized_length());
        let identity = Alignment::identity(length);
        assert_eq!(join(&identity, &a), a);
        assert_eq!(join(&a, &Alignment::identity(a.normalized_length())), a);
    }
    let (two, three) = (Alignment::identity(2), Alignment::identity(3));
    assert_eq!(two.compose(three), None);
}

#[test]
fn spans_are_monotone_and_cover_all_that_was_not_taken_out() {
    let mut random = Random::new(12);
    for _ in 0..5_000 {
        let length = offset(random.below(12));
        let first = random_alignment(&mut random, length);
        let second = random_alignment(&mut random, first.normalized_length());
        let alignment = first.compose(second).unwrap();
        let mut last = (0, 0);
        for place in 0..alignment.normalized_length() {
            let span = alignment.to_original((place, place + 1));
            assert!(span.0 <= span.1 && last.0 <= span.0 && last.1 <= span.1);
            last = span;
        }
        for place in 0..length {
            let there = alignment.to_normalized((place, place + 1));
            if there.0 < there.1 {
                let back = alignment.to_original(there);
                assert!(back.0 <= place && place < back.1, "{alignment:?}");
            }
        }
    }
}

#[test]
fn what_was_put_in_where_something_was_taken_out_reaches_behind_it() {
    let gone = align(&[((1, 2), (1, 1))], 2);
    let put_in = align(&[((1, 1), (1, 2))], 1);
    let both = gone.compose(put_in).unwrap();
    for (span, original) in [((0, 1), (0, 1)), ((1, 2), (1, 2)), ((0, 2), (0, 2))] {
        assert_eq!(both.to_original(span), original, "{span:?}");
    }
    assert_eq!(both.inverse().to_normalized((0, 2)), (0, 2));
}

#[test]
fn a_longer_span_holds_what_is_behind_a_shorter_one() {
    let mut random = Random::new(11);
    for _ in 0..2000 {
        let mut chain = Alignment::identity(offset(random.below(8)));
        for _ in 0..=random.below(4) {
            let next = random_alignment(&mut random, chain.normalized_length());
            chain = chain.compose(next).unwrap();
        }
        let length = chain.normalized_length();
        for start in 0..length {
            let mut hull: Option<Span> = None;
            for end in start + 1..=length {
                let unit = chain.to_original((end - 1, end));
                let (from, to) = hull.unwrap_or(unit);
                hull = Some((from.min(unit.0), to.max(unit.1)));
                let whole = chain.to_original((start, end));
                let (from, to) = hull.unwrap();
                assert!(
                    whole.0 <= from && to <= whole.1,
                    "{start}..{end} of {chain:?}"
                );
            }
        }
        let links = chain.links().to_vec();
        let again = Alignment::from_links(links, chain.original_length());
        assert_eq!(again, Some(chain));
    }
}
