//! Added tokens: literals that are matched in the text before the model sees it.
//!
//! Ids follow the reference of the source. For `tokenizer.json` that means: a
//! content that the model knows keeps the model's id, any other gets the next
//! id after the vocabulary, whatever the file declares.

use daachorse::{DoubleArrayAhoCorasick, DoubleArrayAhoCorasickBuilder, MatchKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::definition::{AddedToken, Source};
use crate::error::{Error, Result};
use crate::ids::offset;
use crate::normalize::Normalizer;
use crate::text::AlignedText;

/// What to do with control tokens that stand in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SpecialPolicy {
    /// Refuse the text.
    #[default]
    Error,
    /// Encode them as any other text.
    Text,
    /// Match them.
    Special,
}

/// A section of a text: an added token or text in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section {
    /// The added token's id, or `None` for text.
    pub id: Option<u32>,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// One automaton over the contents; its values are ids.
struct Matcher {
    automaton: DoubleArrayAhoCorasick<u32>,
    /// The bytes that contents begin with: most texts have none of them.
    first_bytes: [bool; 256],
}

impl std::fmt::Debug for Matcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Matcher").finish_non_exhaustive()
    }
}

/// The compiled added tokens of a tokenizer.
#[derive(Debug)]
pub struct AddedTokens {
    by_content: FxHashMap<String, u32>,
    by_id: FxHashMap<u32, AddedToken>,
    /// What a `normalized` token becomes under the normaliser, where it differs.
    normalized_form: FxHashMap<u32, String>,
    original: [Option<Matcher>; 2],
    normalized: [Option<Matcher>; 2],
}

/// Whether a token steers a model rather than stands for text.
pub fn is_control(token: &AddedToken) -> bool {
    let marker = |open: &str, close: &str| {
        token.content.chars().count() > 2
            && token.content.starts_with(open)
            && token.content.ends_with(close)
    };
    token.special || marker("<", ">") || marker("[", "]") || marker("｜", "｜")
}

impl AddedTokens {
    /// Assign ids and build the automata.
    ///
    /// # Errors
    /// When the normaliser fails on a token's content.
    pub fn compile(
        tokens: &[AddedToken],
        source: Source,
        model_size: usize,
        model_id: impl Fn(&str) -> Option<u32>,
        normalizer: Option<&Normalizer>,
    ) -> Result<Self> {
        let mut compiled = Self {
            by_content: FxHashMap::default(),
            by_id: FxHashMap::default(),
            normalized_form: FxHashMap::default(),
            original: [None, None],
            normalized: [None, None],
        };
        let mut next = offset(model_size);
        for token in tokens.iter().filter(|token| !token.content.is_empty()) {
            let known = compiled
                .by_content
                .get(&token.content)
                .copied()
                .or_else(|| model_id(&token.content));
            let id = match (source, known) {
                (Source::Tokenizers, Some(id)) => id,
                (Source::Tokenizers, None) => {
                    next += 1;
                    next - 1
                }
                (Source::Tiktoken | Source::SentencePiece, _) => token.id,
            };
            compiled.insert(id, token, normalizer)?;
        }
        compiled.build(source)?;
        Ok(compiled)
    }

    fn insert(
        &mut self,
        id: u32,
        token: &AddedToken,
        normalizer: Option<&Normalizer>,
    ) -> Result<()> {
        if let (true, Some(normalizer)) = (token.normalized, normalizer) {
            let mut text = AlignedText::untracked(&token.content, 0);
            normalizer.apply(&mut text)?;
            if text.text() != token.content {
                self.normalized_form.insert(id, text.text().to_owned());
            }
        }
        // Of two entries with one content the later one counts, but what one of
        // them calls special stays special.
        let special = token.special || self.is_special(&token.content);
        self.by_content.insert(token.content.clone(), id);
        let token = AddedToken {
            id,
            special,
            ..token.clone()
        };
        self.by_id.insert(id, token);
        Ok(())
    }

    fn build(&mut self, source: Source) -> Result<()> {
        // SentencePiece normalises a section as a whole, so all tokens are found before.
        let in_normalized =
            |token: &AddedToken| token.normalized && source != Source::SentencePiece;
        let mut sorted: Vec<&AddedToken> = self.by_id.values().collect();
        sorted.sort_by_key(|token| token.id);
        for (slot, with_control) in [(0, true), (1, false)] {
            let chosen = || {
                sorted
                    .iter()
                    .filter(|token| with_control || !is_control(token))
            };
            self.original[slot] = matcher(
                chosen()
                    .filter(|token| !in_normalized(token))
                    .map(|token| (token.content.as_str(), token.id)),
            )?;
            self.normalized[slot] =
                matcher(chosen().filter(|token| in_normalized(token)).map(|token| {
                    let form = self.normalized_form.get(&token.id);
                    (
                        form.map_or(token.content.as_str(), String::as_str),
                        token.id,
                    )
                }))?;
        }
        Ok(())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// Whether any token is matched in the normalised text.
    pub fn has_normalized(&self) -> bool {
        self.normalized[0].is_some()
    }

    /// The id of a content.
    pub fn id(&self, content: &str) -> Option<u32> {
        self.by_content.get(content).copied()
    }

    /// Whether a content is that of a special token.
    pub fn is_special(&self, content: &str) -> bool {
        self.id(content)
            .and_then(|id| self.get(id))
            .is_some_and(|token| token.special)
    }

    /// The token with an id.
    pub fn get(&self, id: u32) -> Option<&AddedToken> {
        self.by_id.get(&id)
    }

    /// What decoding sees for an id: the normalised form where there is one.
    pub fn piece(&self, id: u32) -> Option<&str> {
        self.by_id.get(&id).map(|token| {
            self.normalized_form
                .get(&id)
                .map_or(token.content.as_str(), String::as_str)
        })
    }

    /// All tokens with their ids, by id.
    pub fn iter(&self) -> impl Iterator<Item = &AddedToken> {
        let mut tokens: Vec<&AddedToken> = self.by_id.values().collect();
        tokens.sort_by_key(|token| token.id);
        tokens.into_iter()
    }

    /// Cut the original text at the tokens that match there.
    ///
    /// # Errors
    /// [`Error::ControlToken`] under [`SpecialPolicy::Error`].
    pub fn split_original(
        &self,
        text: &str,
        policy: SpecialPolicy,
        sections: &mut Vec<Section>,
    ) -> Result<()> {
        self.split(&self.original, text, policy, sections)
    }

    /// Cut a normalised text at the tokens that match there.
    ///
    /// # Errors
    /// [`Error::ControlToken`] under [`SpecialPolicy::Error`].
    pub fn split_normalized(
        &self,
        text: &str,
        policy: SpecialPolicy,
        sections: &mut Vec<Section>,
    ) -> Result<()> {
        self.split(&self.normalized, text, policy, sections)
    }

    fn split(
        &self,
        matchers: &[Option<Matcher>; 2],
        text: &str,
        policy: SpecialPolicy,
        sections: &mut Vec<Section>,
    ) -> Result<()> {
        sections.clear();
        let slot = usize::from(policy == SpecialPolicy::Text);
        let mut done = 0;
        let matcher = matchers[slot].as_ref().filter(|matcher| {
            text.bytes()
                .any(|byte| matcher.first_bytes[usize::from(byte)])
        });
        if let Some(matcher) = matcher {
            for found in matcher.automaton.leftmost_find_iter(text) {
                let id = found.value();
                let token = &self.by_id[&id];
                let (mut start, mut end) = (found.start(), found.end());
                if token.single_word && !stands_alone(text, start, end) {
                    continue;
                }
                if policy == SpecialPolicy::Error && is_control(token) {
                    return Err(Error::ControlToken {
                        token: token.content.clone(),
                        byte_offset: start,
                    });
                }
                if token.lstrip {
                    start = text[..start].trim_end().len().max(done);
                }
                if token.rstrip {
                    end += text[end..].len() - text[end..].trim_start().len();
                }
                if done < start {
                    sections.push(Section {
                        id: None,
                        start: done,
                        end: start,
                    });
                }
                sections.push(Section {
                    id: Some(id),
                    start,
                    end,
                });
                done = end;
            }
        }
        if done < text.len() {
            sections.push(Section {
                id: None,
                start: done,
                end: text.len(),
            });
        }
        Ok(())
    }
}

/// Of tokens with the same form the first is found.
fn matcher<'a>(patterns: impl Iterator<Item = (&'a str, u32)>) -> Result<Option<Matcher>> {
    let mut seen = FxHashSet::default();
    let patterns: Vec<(&str, u32)> = patterns
        .filter(|&(form, _)| !form.is_empty() && seen.insert(form))
        .collect();
    if patterns.is_empty() {
        return Ok(None);
    }
    let mut first_bytes = [false; 256];
    for (form, _) in &patterns {
        first_bytes[usize::from(form.as_bytes()[0])] = true;
    }
    DoubleArrayAhoCorasickBuilder::new()
        .match_kind(MatchKind::LeftmostLongest)
        .build_with_values(patterns)
        .map(|automaton| {
            Some(Matcher {
                automaton,
                first_bytes,
            })
        })
        .map_err(|error| Error::vocabulary(format!("added tokens: {error}")))
}

/// No word character on either side of `start..end`.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].chars().next_back();
    let after = text[end..].chars().next();
    !before.is_some_and(is_word) && !after.is_some_and(is_word)
}

/// The class `\w` of the regular-expression engine that the reference uses here.
fn is_word(character: char) -> bool {
    use std::sync::LazyLock;
    static WORD: LazyLock<Option<fancy_regex::Regex>> =
        LazyLock::new(|| fancy_regex::Regex::new(r"^\w").ok());
    let mut buffer = [0; 4];
    WORD.as_ref()
        .and_then(|word| word.is_match(character.encode_utf8(&mut buffer)).ok())
        .unwrap_or(false)
}
