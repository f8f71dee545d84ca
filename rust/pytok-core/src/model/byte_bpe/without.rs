//! The model with pieces out of use, from tables that are there already.
//!
//! A piece that stays is made as before, by a merge of two pieces that stay: so the
//! merges are those of the whole model, less those that have to do with others.

use std::sync::{Arc, OnceLock};

use super::super::bpe::merges::MergeTable;
use super::super::cuts::Cuts;
use super::super::identity;
use super::compile::tables;
use super::engine::ByteBpe;
use crate::ids::index;

impl ByteBpe {
    /// The model without the use of pieces: `is_gone` by id. It still knows their
    /// bytes and ids. No piece that stays is made of one that is gone.
    ///
    /// `None` for a model in which merging is not all: where words are looked up, a
    /// limit holds, or merges are taken as the reference takes odd ones.
    pub(crate) fn without(&self, is_gone: &[bool]) -> Option<Self> {
        if self.whole_words || self.max_span.is_some() || !self.merges.is_regular() {
            return None;
        }
        let stays = |id: u32| !is_gone.get(index(id)).copied().unwrap_or_default();
        let kept = || {
            let all = self.merges.iter();
            all.filter(|&(left, right, merge)| stays(left) && stays(right) && stays(merge.id))
        };
        let mut merges = MergeTable::with_capacity(kept().count());
        kept().for_each(|(left, right, merge)| merges.insert(left, right, merge));
        merges.check_ranks();
        let pieces = self.vocabulary.iter().filter(|&(_, id)| stays(id));
        let pieces = pieces.map(|(piece, _)| piece);
        let cuts = Cuts::new(pieces);
        let (segments, word_merges) = tables(&self.vocabulary, &self.bytes, &merges, cuts);
        merges.forget_order();
        Some(Self {
            identity: identity::next(),
            segments,
            word_merges,
            vocabulary: Arc::clone(&self.vocabulary),
            bytes: self.bytes.clone(),
            merges,
            whole_words: false,
            max_span: None,
            unreachable: self.unreachable.clone(),
            spelled: OnceLock::new(),
        })
    }
}
