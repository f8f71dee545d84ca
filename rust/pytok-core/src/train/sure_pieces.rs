//! Pieces that are there before anything is merged for its count: characters and
//! prefixes of characters.

use super::config::BpeConfig;
use super::pairs::Symbols;
use super::pieces::Pieces;
use super::rules::han_prefixes;

/// Make the characters, and the prefixes that the config asks for, pieces
/// whatever their counts, and return the merges that make them.
pub(super) fn make_sure(
    pieces: &mut Pieces,
    config: &BpeConfig,
    characters: &[char],
) -> Vec<Symbols> {
    let mut merges = Vec::new();
    for character in characters {
        let mut buffer = [0; 4];
        make_bytes_sure(
            pieces,
            character.encode_utf8(&mut buffer).as_bytes(),
            &mut merges,
        );
    }
    if config.han_prefixes {
        for prefix in han_prefixes() {
            make_bytes_sure(pieces, &prefix, &mut merges);
        }
    }
    merges
}

fn make_bytes_sure(pieces: &mut Pieces, bytes: &[u8], merges: &mut Vec<Symbols>) {
    let Some(mut left) = pieces.id(&bytes[..1]) else {
        return;
    };
    for place in 1..bytes.len() {
        let Some(right) = pieces.id(&bytes[place..=place]) else {
            return;
        };
        if let Some(made) = pieces.id(&bytes[..=place]) {
            if pieces.is_special(made) {
                return; // a literal that is spelled like it has the piece
            }
            left = made;
            continue;
        }
        merges.push((left, right));
        left = pieces.push(bytes[..=place].into());
    }
}
