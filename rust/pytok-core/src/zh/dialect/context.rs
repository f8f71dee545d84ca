//! What must stand around a word of a dialect for a rule to apply.

use std::ops::Range;

use serde::Deserialize;

/// A named context: everything that is given must hold.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ContextDefinition {
    /// What rows call it.
    pub name: String,
    /// The sentence has one of these, outside the word.
    pub sentence: Vec<String>,
    /// The sentence has none of these.
    pub not_sentence: Vec<String>,
    /// The text has one of these.
    pub document: Vec<String>,
    /// One of these follows the word.
    pub next: Vec<String>,
    /// None of these follows the word.
    pub not_next: Vec<String>,
    /// One of these comes before the word.
    pub prev: Vec<String>,
    /// None of these comes before the word.
    pub not_prev: Vec<String>,
}

/// A text, the sentence that is looked at, and what is already known of both.
pub(super) struct Surroundings<'a> {
    text: &'a str,
    sentence: Range<usize>,
    contexts: &'a [ContextDefinition],
    /// By context, whether the text and the sentence are right.
    documents: Vec<Option<bool>>,
    sentences: Vec<Option<bool>>,
}

impl<'a> Surroundings<'a> {
    pub(super) fn of_document(text: &'a str, contexts: &'a [ContextDefinition]) -> Self {
        Self {
            text,
            sentence: 0..0,
            contexts,
            documents: vec![None; contexts.len()],
            sentences: vec![None; contexts.len()],
        }
    }

    /// Go on to a sentence.
    pub(super) fn enter(&mut self, sentence: Range<usize>) {
        self.sentence = sentence;
        self.sentences.fill(None);
    }

    pub(super) fn name(&self, context: usize) -> &str {
        &self.contexts[context].name
    }

    /// Whether a context holds around a word of the sentence.
    pub(super) fn hold(&mut self, context: usize, word: &Range<usize>) -> bool {
        let rule = &self.contexts[context];
        let (text, sentence) = (self.text, &text_of(self.text, &self.sentence));
        let has = |text: &str, list: &[String]| list.iter().any(|part| text.contains(&**part));
        let document = *self.documents[context]
            .get_or_insert_with(|| rule.document.is_empty() || has(text, &rule.document));
        let sentence = *self.sentences[context].get_or_insert_with(|| {
            (rule.sentence.is_empty() || has(sentence, &rule.sentence))
                && !has(sentence, &rule.not_sentence)
        });
        let (before, after) = (&text[..word.start], &text[word.end..]);
        let follows = |list: &[String]| list.iter().any(|part| after.starts_with(&**part));
        let precedes = |list: &[String]| list.iter().any(|part| before.ends_with(&**part));
        document
            && sentence
            && (rule.next.is_empty() || follows(&rule.next))
            && !follows(&rule.not_next)
            && (rule.prev.is_empty() || precedes(&rule.prev))
            && !precedes(&rule.not_prev)
    }
}

fn text_of<'a>(text: &'a str, range: &Range<usize>) -> &'a str {
    &text[range.clone()]
}
