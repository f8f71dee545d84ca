//! The chosen pieces as the model of a `tokenizer.json`.

use super::costs::{NEVER, REMOVED, UNITS};
use crate::definition::Model;
use crate::pretokenize::byte_alphabet;

/// A Unigram model of bytes: special tokens, which no text matches, then the 256
/// bytes in the order of their values, then the other pieces, the cheapest first
/// and of equal ones in the order of their bytes.
pub(super) fn model(special_tokens: &[String], pieces: &[Box<[u8]>], costs: &[u32]) -> Model {
    let left = (pieces.iter().zip(costs)).filter(|&(_, &cost)| cost != REMOVED);
    let (single, mut order): (Vec<_>, Vec<_>) = left.partition(|(piece, _)| piece.len() == 1);
    // Stable: pieces come in the order of their bytes.
    order.sort_by_key(|&(_, &cost)| cost);
    let never = special_tokens.iter().map(|token| (token.clone(), -NEVER));
    let known = single.into_iter().chain(order).map(|(piece, &cost)| {
        let score = -f64::from(cost) / UNITS;
        (byte_alphabet::encode(piece), score)
    });
    Model::Unigram {
        unk_id: None,
        vocab: never.chain(known).collect(),
        byte_fallback: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_special_tokens_bytes_and_the_cheapest_first() {
        let mut pieces: Vec<Box<[u8]>> = (0..=u8::MAX).map(|byte| [byte].into()).collect();
        let more: [&[u8]; 4] = [b"ab", b"cd", b"ef", b"gh"];
        pieces.extend(more.map(Box::from));
        pieces.sort();
        let cost = |piece: &[u8]| match piece {
            b"ab" => 2048,
            b"cd" | b"gh" => 1024,
            b"ef" => REMOVED,
            _ => 4096,
        };
        let costs: Vec<u32> = pieces.iter().map(|piece| cost(piece)).collect();
        let Model::Unigram { vocab, .. } = model(&["<s>".to_owned()], &pieces, &costs) else {
            panic!("not Unigram");
        };
        assert_eq!(vocab.len(), 1 + 256 + 3);
        assert_eq!(vocab[0], ("<s>".to_owned(), -1_048_576.0));
        assert_eq!(vocab[1], ("Ā".to_owned(), -4.0)); // byte 0
        assert_eq!(vocab[98], ("a".to_owned(), -4.0));
        let rest: Vec<_> = vocab[257..].iter().map(|(p, s)| (p.as_str(), *s)).collect();
        assert_eq!(rest, [("cd", -1.0), ("gh", -1.0), ("ab", -2.0)]);
    }
}
