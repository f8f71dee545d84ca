//! What the texts of late are made of, for a vocabulary that changes while it is used.
//!
//! Every id in use is counted. Pieces that are out of use cannot be counted that
//! way: a share of the texts is encoded with the whole vocabulary as well. A hash of
//! a text's number in the stream chooses them: texts that come again and again all
//! have their turn, and no text need be read for it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::Result;
use crate::ids::index;
use crate::pipeline::{EncodeOptions, Tokenizer};

/// Probes wait until they have so many bytes: one at a time finds the processor's
/// caches full of another vocabulary, and takes six times as long.
const WAITING_BYTES: usize = 64 * 1024;

/// Ids wait for their counting until they are so many: a few at a time find the
/// counts out of the processor's caches.
const UNCOUNTED: usize = 64 * 1024;

/// Counts that any number of threads add to.
#[derive(Debug)]
pub struct Usage {
    whole: Arc<Tokenizer>,
    share: f64,
    seed: u64,
    shared: Mutex<Shared>,
}

#[derive(Debug)]
struct Shared {
    used: Counts,
    wanted: Counts,
    /// Ids that are not in `used` yet.
    uncounted: Vec<u32>,
    /// Texts that were seen, where some are probed.
    texts: u64,
    /// The other fields of what is handed over.
    tally: Tally,
    waiting: Vec<Probe>,
    waiting_bytes: usize,
}

/// Uses by id, up to 2^32 - 1: with eight bytes each they would take twice the
/// place of the encoder's tables in the processor's caches.
#[derive(Debug)]
struct Counts(Vec<u32>);

/// A text that is to be encoded with the whole vocabulary.
#[derive(Debug)]
struct Probe {
    text: String,
    options: EncodeOptions,
    /// What it came to with the pieces in use.
    tokens: u64,
}

/// What was seen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Uses of each id, with the pieces in use.
    pub used: Vec<u64>,
    /// Uses of each id with all pieces, in the texts that were probed.
    pub wanted: Vec<u64>,
    /// Tokens, with the pieces in use.
    pub tokens: u64,
    /// Tokens of the probed texts, with the pieces in use.
    pub probed_tokens: u64,
    /// Tokens of the probed texts, with all pieces.
    pub probed_full: u64,
}

impl Usage {
    /// Count ids of `whole`, of which `share` (0 to 1) of the texts are probed.
    ///
    /// # Examples
    /// ```
    /// use pytok_core::{Tokenizer, format, pipeline::EncodeOptions, prune::Usage};
    ///
    /// let file = r#"{"added_tokens": [], "normalizer": null, "pre_tokenizer": null,
    ///     "post_processor": null, "decoder": null, "model": {"type": "BPE",
    ///     "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}}"#;
    /// let whole = Tokenizer::compile(format::load(file.as_bytes(), &Default::default())?)?;
    /// let usage = Usage::new(whole.into(), 1.0, 0);
    /// // In use are "a" and "b" alone.
    /// assert_eq!(usage.observe(&["aba"], &[0, 1, 0], &[0, 3], &EncodeOptions::default())?, 3);
    /// let seen = usage.take()?;
    /// assert_eq!((&*seen.used, &*seen.wanted), (&[2, 1, 0][..], &[1, 0, 1][..]));
    /// # Ok::<(), pytok_core::Error>(())
    /// ```
    pub fn new(whole: Arc<Tokenizer>, share: f64, seed: u64) -> Self {
        let last = whole.vocab().last().map_or(0, |&(_, id)| index(id) + 1);
        Self {
            whole,
            share,
            seed,
            shared: Mutex::new(Shared {
                used: Counts(vec![0; last]),
                wanted: Counts(vec![0; last]),
                uncounted: Vec::with_capacity(UNCOUNTED),
                texts: 0,
                tally: Tally::default(),
                waiting: Vec::new(),
                waiting_bytes: 0,
            }),
        }
    }

    /// Count the ids of texts, and probe those that are chosen. `bounds` has
    /// `texts.len() + 1` places in `ids`, `options` are those that made the ids.
    ///
    /// Returns the tokens since the last [`Usage::take`].
    ///
    /// # Errors
    /// Those of [`Tokenizer::encode_batch_ids`].
    ///
    /// # Complexity
    /// Linear in ids and texts, and the whole vocabulary's for what is probed.
    pub fn observe(
        &self,
        texts: &[&str],
        ids: &[u32],
        bounds: &[i64],
        options: &EncodeOptions,
    ) -> Result<u64> {
        let mut shared = self.shared();
        shared.tally.tokens += count(ids);
        let tokens = shared.tally.tokens;
        if shared.uncounted.len() + ids.len() <= UNCOUNTED {
            shared.uncounted.extend_from_slice(ids);
        } else {
            shared.count(ids);
        }
        if self.share > 0.0 {
            for (text, ends) in texts.iter().zip(bounds.windows(2)) {
                if self.is_chosen(shared.texts) {
                    shared.waiting_bytes += text.len();
                    shared.waiting.push(Probe {
                        text: (*text).to_owned(),
                        options: *options,
                        tokens: ends[1].abs_diff(ends[0]),
                    });
                }
                shared.texts += 1;
            }
            if shared.waiting_bytes >= WAITING_BYTES {
                drop(shared);
                self.probe()?;
            }
        }
        Ok(tokens)
    }

    /// Encode what waits with the whole vocabulary; others may count meanwhile.
    fn probe(&self) -> Result<()> {
        let mut shared = self.shared();
        let waiting = std::mem::take(&mut shared.waiting);
        shared.waiting_bytes = 0;
        drop(shared);
        for alike in waiting.chunk_by(|one, next| one.options == next.options) {
            let Some(first) = alike.first() else { continue };
            let texts: Vec<&str> = alike.iter().map(|probe| &*probe.text).collect();
            let (full, _) = self
                .whole
                .encode_batch_ids(&texts, &first.options, Some(1))?;
            let mut shared = self.shared();
            shared.wanted.add(&full);
            shared.tally.probed_tokens += alike.iter().map(|probe| probe.tokens).sum::<u64>();
            shared.tally.probed_full += count(&full);
        }
        Ok(())
    }

    /// Tokens since the last [`Usage::take`]: all of them, and those of probed texts
    /// with the pieces in use and with all.
    ///
    /// # Errors
    /// As [`Usage::observe`].
    pub fn pending(&self) -> Result<(u64, u64, u64)> {
        self.probe()?;
        let tally = &self.shared().tally;
        Ok((tally.tokens, tally.probed_tokens, tally.probed_full))
    }

    /// Hand over what was seen, and begin anew.
    ///
    /// # Errors
    /// As [`Usage::observe`].
    pub fn take(&self) -> Result<Tally> {
        self.probe()?;
        let mut shared = self.shared();
        shared.count(&[]);
        let (used, wanted) = (shared.used.take(), shared.wanted.take());
        Ok(Tally {
            used,
            wanted,
            ..std::mem::take(&mut shared.tally)
        })
    }

    fn is_chosen(&self, number: u64) -> bool {
        // 32 bits are as fine as a share need be.
        let hash = mix(self.seed.wrapping_add(number.wrapping_mul(STEP)));
        let place = f64::from(u32::try_from(hash >> 32).unwrap_or(u32::MAX));
        place < self.share * 4_294_967_296.0
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    /// Count the ids that wait, and `ids`.
    fn count(&mut self, ids: &[u32]) {
        self.used.add(&self.uncounted);
        self.uncounted.clear();
        self.used.add(ids);
    }
}

impl Counts {
    fn add(&mut self, ids: &[u32]) {
        for &id in ids {
            if let Some(count) = self.0.get_mut(index(id)) {
                *count = count.saturating_add(1);
            }
        }
    }

    fn take(&mut self) -> Vec<u64> {
        let taken = self.0.iter().map(|&count| u64::from(count)).collect();
        self.0.fill(0);
        taken
    }
}

fn count(ids: &[u32]) -> u64 {
    u64::try_from(ids.len()).unwrap_or(u64::MAX)
}

/// SplitMix64 (Steele et al., 2014): the numbers that it is given lie so far apart,
/// and in what it makes of them every bit depends on every bit.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(STEP);
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::{UNCOUNTED, Usage, WAITING_BYTES};
    use crate::pipeline::{EncodeOptions, Tokenizer};

    fn whole() -> Tokenizer {
        let file = r#"{"added_tokens": [], "normalizer": null, "pre_tokenizer": null,
            "post_processor": null, "decoder": null, "model": {"type": "BPE",
            "vocab": {"a": 0, "b": 1, "ab": 2, "aba": 5}, "merges": ["a b", "ab a"]}}"#;
        let definition = crate::format::load(file.as_bytes(), &Default::default()).unwrap();
        Tokenizer::compile(definition).unwrap()
    }

    #[test]
    fn every_id_is_counted_and_taken_once() {
        let usage = Usage::new(whole().into(), 0.0, 3);
        let options = EncodeOptions::default();
        let see = || usage.observe(&["aba", "b"], &[0, 1, 0, 1], &[0, 3, 4], &options);
        assert_eq!(see().unwrap(), 4);
        assert_eq!(see().unwrap(), 8);
        let seen = usage.take().unwrap();
        assert_eq!(seen.used, [4, 4, 0, 0, 0, 0]);
        assert_eq!((seen.tokens, seen.probed_tokens), (8, 0));
        assert_eq!(seen.wanted, [0; 6]);
        assert_eq!(usage.pending().unwrap(), (0, 0, 0));
    }

    #[test]
    fn the_share_of_texts_is_probed_and_other_ones_each_time() {
        let usage = Usage::new(whole().into(), 0.25, 7);
        let texts: Vec<String> = (0..4000)
            .map(|n| "ab".repeat(n % 90) + &"a".repeat(n / 90))
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let (ids, bounds) = usage
            .whole
            .encode_batch_ids(&texts, &EncodeOptions::default(), None)
            .unwrap();
        let mut chosen = Vec::new();
        for _ in 0..2 {
            usage
                .observe(&texts, &ids, &bounds, &EncodeOptions::default())
                .unwrap();
            let seen = usage.take().unwrap();
            assert_eq!(seen.probed_tokens, seen.probed_full);
            let percent = 100 * seen.probed_full / seen.tokens;
            assert!((20..30).contains(&percent), "{percent}");
            chosen.push(seen.wanted);
        }
        assert_ne!(chosen[0], chosen[1]);
    }

    #[test]
    fn probes_are_counted_however_many_wait() {
        let usage = Usage::new(whole().into(), 1.0, 0);
        let options = EncodeOptions::default();
        let long = "ab".repeat(WAITING_BYTES / 8);
        for turn in 1..=9 {
            usage.observe(&[&long], &[0, 1], &[0, 2], &options).unwrap();
            assert!(usage.shared().waiting_bytes < WAITING_BYTES);
            if turn == 9 {
                assert_eq!(usage.pending().unwrap().1, 18);
            }
        }
        let seen = usage.take().unwrap();
        assert_eq!(
            seen.wanted[2],
            9 * u64::try_from(WAITING_BYTES / 8).unwrap()
        );
    }

    #[test]
    fn few_ids_and_many_are_counted_alike() {
        let usage = Usage::new(whole().into(), 0.0, 0);
        let options = EncodeOptions::default();
        let many: Vec<u32> = (0..3).cycle().take(3 * UNCOUNTED).collect();
        for ids in [
            &many[..2],
            &many[..UNCOUNTED - 1],
            &many,
            &many[..UNCOUNTED],
        ] {
            let end = i64::try_from(ids.len()).unwrap();
            usage.observe(&[""], ids, &[0, end], &options).unwrap();
        }
        let seen = usage.take().unwrap();
        assert_eq!(seen.used.iter().sum::<u64>(), seen.tokens);
        assert_eq!(seen.tokens, u64::try_from(5 * UNCOUNTED + 1).unwrap());
        assert_eq!(usage.take().unwrap().used, [0; 6]);
    }
}
