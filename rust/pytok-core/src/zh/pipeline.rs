//! Steps, one after the other, and the alignment of the whole.

use std::borrow::Cow;
use std::sync::Arc;

use super::alignment::{Alignment, Span};
use super::characters::Characters;
use super::definition::{StepDefinition, StepKind};
use super::dialect::Dialect;
use super::name_marks::NameMarks;
use super::ocr_report::OcrReport;
use super::pairs::Pairs;
use super::rewrite::{Note, Rewriter, Rewritten, Status};
use super::script::Script;
use super::segment::Segment;
use super::sentence_breaks::SentenceBreaks;
use super::sentence_marks::SentenceMarks;
use super::variation_sequences::VariationSequences;
use super::words::Words;
use crate::definition::{Normalizer, Pattern};
use crate::error::{Error, Result};
use crate::ids::{index, offset};
use crate::text::AlignedText;

/// A part of the text of which a step said something. Spans are characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Edit {
    /// The number of the step.
    pub step: usize,
    /// The part of the original text behind it.
    pub original: Span,
    /// The part of the normalised text that stands for it.
    pub normalized: Span,
    /// What the step found there.
    pub before: String,
    /// What it put there.
    pub after: String,
    /// How sure it is.
    pub status: Status,
    /// All that could stand there, the best first.
    pub candidates: Vec<String>,
    /// The rule, or why nothing was done.
    pub reason: String,
}

/// A normalised text and the way back, in bytes or in characters.
#[derive(Debug)]
pub struct Normalized {
    /// The text.
    pub text: String,
    /// Its alignment to the original.
    pub alignment: Alignment,
    /// What the steps said, by step and place.
    pub edits: Vec<Edit>,
    /// Places of the text at which a sentence ends, ascending.
    pub breaks: Vec<u32>,
}

#[derive(Debug)]
enum Step {
    Characters(Characters),
    VariationSequences(VariationSequences),
    Dialect(Box<Dialect>),
    Pairs(Pairs),
    SentenceMarks(SentenceMarks),
    NameMarks(NameMarks),
    SentenceBreaks(SentenceBreaks),
    OcrReport(OcrReport),
    Script(Box<Script>),
    Segment(Segment),
}

impl Step {
    /// The step as normalizers of `tokenizers`, if these can do the same.
    fn portable(&self) -> Option<Vec<Normalizer>> {
        match self {
            Self::Characters(characters) => {
                let replace = |(key, replacement): (String, &str)| Normalizer::Replace {
                    pattern: Pattern::String(key),
                    content: replacement.to_owned(),
                };
                let rows = characters.replacements()?;
                Some(rows.into_iter().map(replace).collect())
            }
            // Texts stay; only places and reports come of them.
            Self::SentenceBreaks(_) | Self::OcrReport(_) | Self::Segment(_) => Some(Vec::new()),
            Self::Dialect(_)
            | Self::Pairs(_)
            | Self::SentenceMarks(_)
            | Self::NameMarks(_)
            | Self::Script(_) => None,
            Self::VariationSequences(sequences) => Some(vec![Normalizer::Replace {
                pattern: Pattern::Regex(sequences.pattern()),
                content: String::new(),
            }]),
        }
    }

    fn compile(definition: StepKind, words: Option<&Arc<Words>>) -> Result<Self> {
        match definition {
            StepKind::Characters { rows } => Characters::new(&rows).map(Self::Characters),
            StepKind::VariationSequences { bases } => {
                VariationSequences::new(&bases).map(Self::VariationSequences)
            }
            StepKind::Dialect {
                entries,
                contexts,
                dictionary,
            } => {
                let dialect = Dialect::new(entries, contexts, &dictionary)?;
                Ok(Self::Dialect(Box::new(dialect)))
            }
            StepKind::Pairs(table) => Pairs::new(table).map(Self::Pairs),
            StepKind::SentenceMarks(table) => SentenceMarks::new(table).map(Self::SentenceMarks),
            StepKind::NameMarks(table) => NameMarks::new(table).map(Self::NameMarks),
            StepKind::SentenceBreaks(marks) => {
                Ok(Self::SentenceBreaks(SentenceBreaks::new(&marks)))
            }
            StepKind::OcrReport(words) => OcrReport::new(&words).map(Self::OcrReport),
            StepKind::Script(definition) => {
                Ok(Self::Script(Box::new(Script::new(&definition, words)?)))
            }
            StepKind::Segment(model) => Segment::new(&model).map(Self::Segment),
        }
    }

    fn run(&self, text: &str, records: bool) -> Rewritten {
        let mut out = Rewriter::new(text, records);
        match self {
            Self::Characters(characters) => characters.rewrite(text, &mut out),
            Self::VariationSequences(sequences) => sequences.rewrite(text, &mut out),
            Self::Dialect(dialect) => dialect.rewrite(text, &mut out),
            Self::Pairs(pairs) => pairs.rewrite(text, &mut out),
            Self::SentenceMarks(marks) => marks.rewrite(text, &mut out),
            Self::NameMarks(marks) => marks.rewrite(text, &mut out),
            Self::SentenceBreaks(breaks) => breaks.rewrite(text, &mut out),
            Self::OcrReport(report) => report.rewrite(text, &mut out),
            Self::Script(script) => script.rewrite(text, &mut out),
            Self::Segment(segment) => segment.rewrite(text, &mut out),
        }
        out.finish()
    }
}

/// Steps that are applied one after the other. Immutable.
///
/// # Examples
/// ```
/// use pytok_core::zh::{Pipeline, StepDefinition};
/// let steps = r#"[{"name": "width", "type": "characters", "rows": [["Ａ", "A", "full-width"]]}]"#;
/// let pipeline = Pipeline::from_json(steps)?;
/// let normalized = pipeline.explain("Ａ4纸")?;
/// assert_eq!(normalized.text, "A4纸");
/// assert_eq!(normalized.edits[0].original, (0, 1));
/// assert_eq!(pipeline.run("Ａ4纸")?.alignment.to_original((0, 1)), (0, 3));
/// # Ok::<(), pytok_core::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Pipeline {
    steps: Vec<(String, Step)>,
}

impl Pipeline {
    /// The pipeline of these steps, with the words that some of them name.
    ///
    /// # Errors
    /// Names the step whose tables contradict themselves, or which names words when
    /// none are given.
    pub fn new(steps: Vec<StepDefinition>, words: Option<&Arc<Words>>) -> Result<Self> {
        let compile = |step: StepDefinition| {
            let compiled = Step::compile(step.kind, words);
            let named = |error| match error {
                Error::Argument { argument, message } => Error::Argument {
                    argument,
                    message: format!("step {:?}: {message}", step.name),
                },
                other => other,
            };
            Ok((step.name.clone(), compiled.map_err(named)?))
        };
        let steps = steps.into_iter().map(compile).collect::<Result<_>>()?;
        Ok(Self { steps })
    }

    /// The pipeline of a JSON list of step definitions that name no words.
    ///
    /// # Errors
    /// As [`Self::from_json_with_words`].
    pub fn from_json(json: &str) -> Result<Self> {
        Self::from_json_with_words(json, None)
    }

    /// The pipeline of a JSON list of step definitions. Words are large, so pipelines
    /// share them.
    ///
    /// # Errors
    /// Names the place in the JSON that is not as expected; also as [`Self::new`].
    pub fn from_json_with_words(json: &str, words: Option<&Arc<Words>>) -> Result<Self> {
        let mut input = serde_json::Deserializer::from_str(json);
        let steps: Vec<StepDefinition> = serde_path_to_error::deserialize(&mut input)
            .map_err(|error| Error::argument("steps", error.to_string()))?;
        Self::new(steps, words)
    }

    /// The names of the steps.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().map(|(name, _)| name.as_str())
    }

    /// Normalise a text. Spans are bytes; there are no edits.
    ///
    /// # Errors
    /// When the text is too long, before or after a step: 4 GiB.
    pub fn run(&self, text: &str) -> Result<Normalized> {
        self.run_in(text, Unit::Bytes)
    }

    /// The steps as normalizers of `tokenizers`: one `Replace` for each character.
    ///
    /// # Errors
    /// The names of the steps that these cannot do.
    pub fn portable(&self) -> std::result::Result<Vec<Normalizer>, Vec<&str>> {
        let (mut normalizers, mut others) = (Vec::new(), Vec::new());
        for (name, step) in &self.steps {
            match step.portable() {
                Some(mut step) => normalizers.append(&mut step),
                None => others.push(name.as_str()),
            }
        }
        if others.is_empty() {
            Ok(normalizers)
        } else {
            Err(others)
        }
    }

    /// Normalise a text that is aligned to an original.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub(crate) fn apply(&self, text: &mut AlignedText) -> Result<()> {
        let normalized = self.run(text.text())?;
        let blocks = normalized.alignment.blocks();
        if blocks.is_empty() {
            return Ok(());
        }
        let range = |(start, end): Span| index(start)..index(end);
        text.replace_ranges(blocks.iter().map(|block| {
            let content = &normalized.text[range(block.normalized)];
            (range(block.original), content)
        }));
        Ok(())
    }

    /// Normalise a text and say what was done. Spans are characters.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn explain(&self, text: &str) -> Result<Normalized> {
        self.run_in(text, Unit::Chars)
    }

    fn run_in(&self, text: &str, unit: Unit) -> Result<Normalized> {
        check_length(text)?;
        let length = match unit {
            Unit::Bytes => text.len(),
            Unit::Chars => text.chars().count(),
        };
        let mut source = Cow::Borrowed(text);
        let mut current = Normalized {
            text: String::new(),
            alignment: Alignment::identity(offset(length)),
            edits: Vec::new(),
            breaks: Vec::new(),
        };
        for (number, (_, step)) in self.steps.iter().enumerate() {
            let rewritten = step.run(&source, unit == Unit::Chars);
            check_length(&rewritten.text)?;
            source = Cow::Owned(current.advance(number, &source, rewritten, unit));
        }
        current.text = source.into_owned();
        Ok(current)
    }
}

/// What spans count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Bytes,
    Chars,
}

fn check_length(text: &str) -> Result<()> {
    match u32::try_from(text.len()) {
        Ok(length) if length < u32::MAX => Ok(()),
        _ => Err(Error::argument(
            "text",
            format!("{} bytes; expected fewer than 4 GiB", text.len()),
        )),
    }
}

impl Normalized {
    /// Take over what a step made of a text, and return the new text.
    fn advance(&mut self, step: usize, text: &str, mut next: Rewritten, unit: Unit) -> String {
        let mut edits = Vec::new();
        if unit == Unit::Chars {
            let part = |text: &str, span: Span| text[index(span.0)..index(span.1)].to_owned();
            let texts: Vec<_> = next
                .notes
                .iter()
                .map(|note| (part(text, note.before), part(&next.text, note.after)))
                .collect();
            next = next.in_chars(text);
            let notes = std::mem::take(&mut next.notes);
            edits = self.edits_of(step, notes, texts);
        }
        for edit in &mut self.edits {
            edit.normalized = next.alignment.to_normalized(edit.normalized);
        }
        for place in &mut self.breaks {
            *place = next.alignment.to_normalized((*place, *place)).1;
        }
        self.edits.append(&mut edits);
        self.breaks.append(&mut next.breaks);
        self.breaks.sort_unstable();
        self.breaks.dedup();
        let before = std::mem::replace(&mut self.alignment, Alignment::identity(0));
        self.alignment = before
            .compose(next.alignment)
            .expect("a step is aligned to the text that it was given");
        next.text
    }

    fn edits_of(&self, step: usize, notes: Vec<Note>, texts: Vec<(String, String)>) -> Vec<Edit> {
        let edit = |(note, (before, after)): (Note, (String, String))| Edit {
            step,
            original: self.alignment.to_original(note.before),
            normalized: note.after,
            before,
            after,
            status: note.status,
            candidates: note.candidates,
            reason: note.reason.into_owned(),
        };
        notes.into_iter().zip(texts).map(edit).collect()
    }
}

#[cfg(test)]
mod tests;
