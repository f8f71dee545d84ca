//! The buffers of one thread, and the pool that a tokenizer keeps them in.

use std::sync::Mutex;

use super::added_tokens::Section;
use crate::model::{ByteScratch, ModelScratch, Token};
use crate::sentencepiece::{SentencePieceScratch, SpToken};
use crate::text::AlignedText;

/// Buffers of one thread, reused between calls.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) sections: Vec<Section>,
    pub(super) inner_sections: Vec<Section>,
    pub(super) words: Vec<AlignedText>,
    pub(super) tokens: Vec<Token>,
    pub(super) model: ModelScratch,
    pub(super) bytes: ByteScratch,
    pub(super) sentencepiece: SentencePieceScratch,
    pub(super) sp_tokens: Vec<SpToken>,
    pub(super) ids: Vec<u32>,
    pub(super) counted: Vec<u32>,
    /// The ids of many texts.
    pub(super) shared: Vec<u32>,
}

/// Scratches that wait for their next call.
///
/// The lock is only ever tried: a thread that cannot have it soon makes a
/// fresh scratch, so no call waits for another, and a process forked while the
/// lock was held goes on. Boxed: a scratch is some kilobytes, and moving it in
/// and out took longer than encoding a short text.
#[derive(Debug, Default)]
#[allow(clippy::vec_box)] // moved at every call
pub(super) struct ScratchPool(Mutex<Vec<Box<Scratch>>>);

/// More idle scratches than this are dropped.
const KEPT: usize = 16;

/// How often a lock is tried: others hold it for some nanoseconds.
const TRIES: usize = 100;

impl ScratchPool {
    pub(super) fn with<R>(&self, work: impl FnOnce(&mut Scratch) -> R) -> R {
        let mut scratch = self.take();
        let result = work(&mut scratch);
        self.put(scratch);
        result
    }

    /// A scratch to use for a while.
    pub(super) fn take(&self) -> Box<Scratch> {
        self.locked(Vec::pop).flatten().unwrap_or_default()
    }

    /// Give a scratch back.
    pub(super) fn put(&self, scratch: Box<Scratch>) {
        self.locked(|pool| {
            if pool.len() < KEPT {
                pool.push(scratch);
            }
        });
    }

    fn locked<R>(&self, work: impl FnOnce(&mut Vec<Box<Scratch>>) -> R) -> Option<R> {
        for _ in 0..TRIES {
            if let Ok(mut pool) = self.0.try_lock() {
                return Some(work(&mut pool));
            }
            std::hint::spin_loop();
        }
        None
    }

    pub(super) fn clear(&self) {
        if let Ok(mut pool) = self.0.lock() {
            pool.clear();
        }
    }
}
