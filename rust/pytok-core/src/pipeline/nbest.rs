//! The best segmentations of a whole text, from those of its words.

use super::options::EncodeOptions;
use super::parts::Part;
use super::sample::Family;
use super::tokenizer::Tokenizer;
use crate::error::{Error, Result};
use crate::ids::{index, offset};
use crate::model::{ByteModel, Model, Segmentation};

/// The most segmentations of a call.
const COUNT_LIMIT: usize = 1024;

/// The most bytes of text times segmentations: each pair takes 24 bytes.
const WORK_LIMIT: usize = 1 << 24;

impl Tokenizer {
    /// The `count` best segmentations of a text with their scores, the best
    /// first; fewer when there are not as many. The first is that of
    /// [`Tokenizer::encode_ids`]. A score is the sum of the scores of the
    /// model's pieces.
    ///
    /// Of equal scores the one with the better last word goes first; inside a
    /// word the one with the longer last piece. Then what is before decides.
    ///
    /// # Errors
    /// As [`Tokenizer::encode_ids`]; [`Error::Argument`] when the model is not
    /// of the Unigram family, for a count outside of 1 to 1,024, and when the
    /// bytes of the normalised text times the count are more than 2^24.
    ///
    /// # Complexity
    /// O(n k p) time and O(n k) memory for n bytes, pieces of at most p bytes
    /// and k segmentations.
    pub fn nbest_ids(
        &self,
        text: &str,
        count: usize,
        options: &EncodeOptions,
    ) -> Result<Vec<Segmentation>> {
        if self.engine.family() != Family::Unigram {
            let message = format!(
                "{} has no scores; expected a Unigram model",
                self.model_type()
            );
            return Err(Error::argument("model", message));
        }
        if !(1..=COUNT_LIMIT).contains(&count) {
            let message = format!("{count}, expected an integer from 1 to {COUNT_LIMIT}");
            return Err(Error::argument("n", message));
        }
        let mut bytes = 0;
        let mut check = |length: usize| {
            bytes += length;
            if bytes.saturating_mul(count) <= WORK_LIMIT {
                return Ok(());
            }
            let message = format!(
                "{count} segmentations of a text of {} bytes; expected n times the bytes of \
                 the normalised text up to {WORK_LIMIT}",
                text.len()
            );
            Err(Error::argument("n", message))
        };
        let mut combined = Combined::new();
        self.scratches.with(|scratch| {
            self.for_each_part(text, options.special, scratch, &mut |part, scratch| {
                match part {
                    Part::Added(id) => combined.append(fixed(vec![id]), count),
                    Part::Bytes(ByteModel::Unigram(model), word) => {
                        check(word.len())?;
                        combined.append(model.n_best(word, count)?, count);
                    }
                    Part::Word(Model::Unigram(model), word) => {
                        check(word.len())?;
                        combined.append(model.n_best(word, count)?, count);
                    }
                    Part::Section(model, section) => {
                        let buffers = &mut scratch.sentencepiece;
                        let parts = model.n_best(section, count, buffers, &mut check)?;
                        for part in parts.into_iter().flatten() {
                            combined.append(part, count);
                        }
                    }
                    Part::Bytes(..) | Part::Word(..) => {} // not of the family
                }
                Ok(())
            })
        })?;
        let framed = |mut one: Segmentation| {
            let inner = std::mem::take(&mut one.ids);
            self.put_frame(&inner, options, &mut one.ids)?;
            Ok(one)
        };
        combined.finish().map(framed).collect()
    }
}

fn fixed(ids: Vec<u32>) -> Vec<Segmentation> {
    vec![Segmentation { ids, score: 0.0 }]
}

/// The best segmentations of what has been appended.
struct Combined {
    words: Vec<Vec<Segmentation>>,
    /// Choices in words that have several, each with the one before.
    choices: Vec<Choice>,
    /// The best ends, best first: the score and the last choice.
    ends: Vec<(f64, Option<u32>)>,
}

#[derive(Clone, Copy)]
struct Choice {
    before: Option<u32>,
    /// In `words`.
    word: u32,
    rank: u32,
}

impl Combined {
    fn new() -> Self {
        Self {
            words: Vec::new(),
            choices: Vec::new(),
            ends: vec![(0.0, None)],
        }
    }

    /// Append a word with its best segmentations, best first, at least one.
    fn append(&mut self, word: Vec<Segmentation>, count: usize) {
        let place = offset(self.words.len());
        if let [only] = word.as_slice() {
            self.ends.iter_mut().for_each(|end| end.0 += only.score);
        } else {
            // If rank r of what is before with rank s of the word is among the
            // best, so are all smaller ranks with smaller ones.
            let mut candidates = Vec::new();
            for (rank, last) in word.iter().enumerate() {
                let before = self.ends.iter().take(count / (rank + 1)).enumerate();
                candidates.extend(before.map(|(end, &(score, _))| (score + last.score, rank, end)));
            }
            // Stable: of equal scores the smaller ranks stay in front.
            candidates.sort_by(|left, right| right.0.total_cmp(&left.0));
            candidates.truncate(count);
            let ends = candidates.into_iter().map(|(score, rank, end)| {
                self.choices.push(Choice {
                    before: self.ends[end].1,
                    word: place,
                    rank: offset(rank),
                });
                (score, Some(offset(self.choices.len() - 1)))
            });
            self.ends = ends.collect();
        }
        self.words.push(word);
    }

    /// The segmentations, best first.
    fn finish(self) -> impl Iterator<Item = Segmentation> {
        (0..self.ends.len()).map(move |end| {
            let (score, mut last) = self.ends[end];
            let mut ranks = vec![0; self.words.len()];
            while let Some(choice) = last.map(|place| self.choices[index(place)]) {
                ranks[index(choice.word)] = index(choice.rank);
                last = choice.before;
            }
            let chosen = self.words.iter().zip(ranks);
            let ids = chosen.flat_map(|(word, rank)| word[rank].ids.iter().copied());
            Segmentation {
                ids: ids.collect(),
                score,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Random;

    /// By score; of equal scores by the ranks, the last word's first.
    fn by_hand(words: &[Vec<Segmentation>]) -> Vec<Segmentation> {
        let mut all: Vec<(f64, Vec<usize>)> = vec![(0.0, Vec::new())];
        for word in words {
            let longer = word.iter().enumerate().flat_map(|(rank, last)| {
                all.iter().map(move |(score, ranks)| {
                    (score + last.score, [&[rank], ranks.as_slice()].concat())
                })
            });
            all = longer.collect();
        }
        all.sort_by(|left, right| {
            let scores = right.0.total_cmp(&left.0);
            scores.then_with(|| left.1.cmp(&right.1))
        });
        let ids = |ranks: &[usize]| {
            let chosen = words.iter().zip(ranks.iter().rev());
            chosen
                .flat_map(|(word, &rank)| word[rank].ids.clone())
                .collect()
        };
        let segmentations = all.iter().map(|(score, ranks)| Segmentation {
            ids: ids(ranks),
            score: *score,
        });
        segmentations.collect()
    }

    #[test]
    fn the_best_of_all_combinations_are_found() {
        let mut random = Random::new(51);
        for _ in 0..200 {
            let words: Vec<Vec<Segmentation>> = (0..random.below(5))
                .map(|_| {
                    let mut score = 0.0;
                    (0..=random.below(4))
                        .map(|_| {
                            score -= [0.0, 0.5, 1.0][random.below(3)];
                            let ids = vec![u32::try_from(random.below(1000)).unwrap()];
                            Segmentation { ids, score }
                        })
                        .collect()
                })
                .collect();
            let expected = by_hand(&words);
            for count in [1, 2, 5, 40, 1000] {
                let mut combined = Combined::new();
                for word in &words {
                    // What the words keep is what they are asked for.
                    combined.append(word.iter().take(count).cloned().collect(), count);
                }
                let found: Vec<_> = combined.finish().collect();
                assert_eq!(found, expected[..count.min(expected.len())]);
            }
        }
    }
}
