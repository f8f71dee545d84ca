//! One stage of the work at a time, for benchmarks.
//!
//! ```text
//! stages list              the names of the fixed stages
//! stages run STAGE         that stage once, on generated text
//! stages time TOKENIZER TEXT ROUNDS
//!                          seconds of normalising, splitting, the model and all
//!                          of it, as JSON; the text is one document a paragraph
//! ```
//!
//! Run under callgrind with `--toggle-collect=*measured*`, `run` counts the
//! instructions of the stage alone: [`measured`] is called once, and everything
//! before it prepares. Texts are drawn by a fixed seed from the pieces of the
//! tokenizer that ships in the package.

use std::collections::BTreeMap;
use std::error::Error;
use std::hint::black_box;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use pytok_core::definition::{Definition, PreTokenizer as Pre};
use pytok_core::format::{LoadOptions, load};
use pytok_core::ids::offset;
use pytok_core::model::{ByteBpe, ByteModel, ByteScratch};
use pytok_core::normalize::Normalizer;
use pytok_core::pipeline::{EncodeOptions, Input, SpecialPolicy};
use pytok_core::pretokenize::{PreTokenizer, RawSplitter, patterns};
use pytok_core::text::AlignedText;
use pytok_core::train::{BpeConfig, WordCounter, WordSource, scheme, train_bpe};
use pytok_core::{Tokenizer, definition};

type Done<T> = Result<T, Box<dyn Error>>;

const STAGES: [&str; 9] = [
    "load",
    "split",
    "encode-unigram-chinese",
    "encode-unigram-code",
    "encode-bpe",
    "encode-repeats",
    "encodings",
    "decode",
    "train-bpe",
];
const PLAIN: EncodeOptions = EncodeOptions {
    special: SpecialPolicy::Text,
    add_special_tokens: false,
    bos: false,
    eos: false,
};

/// The work that is counted or timed, and nothing else.
#[inline(never)]
fn measured(work: &mut dyn FnMut() -> Done<()>) -> Done<()> {
    work()
}

fn main() -> Done<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["list"] => writeln!(std::io::stdout(), "{}", STAGES.join("\n"))?,
        ["run", stage] => run(stage)?,
        ["time", tokenizer, text, rounds] => time(tokenizer, text, rounds.parse()?)?,
        _ => return Err("expected `list`, `run STAGE` or `time TOKENIZER TEXT ROUNDS`".into()),
    }
    Ok(())
}

fn shipped() -> Done<Vec<u8>> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pytok/data");
    Ok(std::fs::read(package.join("zh-32k/tokenizer.json"))?)
}

/// Numbers that are the same everywhere: the generator of Knuth's MMIX.
struct Numbers(u64);

impl Numbers {
    /// A number below `bound`, small ones more often.
    fn below(&mut self, bound: u32) -> Done<u32> {
        let mut draw = || -> Done<u64> {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            Ok((self.0 >> 33) % u64::from(bound))
        };
        Ok(u32::try_from(draw()?.min(draw()?))?)
    }
}

/// Text of `count` pieces that `keep` likes.
fn draw(tokenizer: &Tokenizer, count: usize, keep: fn(&str) -> bool) -> Done<String> {
    let size = 32_000;
    let mut numbers = Numbers(8);
    let mut text = String::new();
    let mut drawn = 0;
    while drawn < count {
        let piece = tokenizer.decode(&[numbers.below(size)?], true)?;
        if !piece.is_empty() && !piece.contains('\u{FFFD}') && keep(&piece) {
            text.push_str(&piece);
            drawn += 1;
            if drawn % 40 == 0 {
                text.push_str("。\n");
            }
        }
    }
    Ok(text)
}

fn chinese(piece: &str) -> bool {
    piece.chars().all(|c| ('\u{4E00}'..'\u{A000}').contains(&c))
}

fn run(stage: &str) -> Done<()> {
    let file = shipped()?;
    if stage == "load" {
        return measured(&mut || {
            let definition = load(&file, &LoadOptions::default())?;
            black_box(Tokenizer::compile(definition)?);
            Ok(())
        });
    }
    let tokenizer = Tokenizer::compile(load(&file, &LoadOptions::default())?)?;
    let modern = draw(&tokenizer, 12_000, chinese)?;
    let ascii = draw(&tokenizer, 12_000, str::is_ascii)?;
    match stage {
        "split" => {
            let splitter = RawSplitter::for_tiktoken(patterns::CL100K)?;
            let both = modern + &ascii;
            measured(&mut || {
                Ok(splitter.for_each_word(&both, &mut |start, end| {
                    black_box((start, end));
                    Ok(())
                })?)
            })
        }
        "encode-unigram-chinese" => encode(&tokenizer, &modern),
        "encode-unigram-code" => encode(&tokenizer, &ascii),
        "encode-repeats" => encode(&tokenizer, &("a".repeat(20_000) + &"哈".repeat(7_000))),
        "encode-bpe" => encode(
            &Tokenizer::compile(trained(&(modern.clone() + &ascii))?)?,
            &modern,
        ),
        "encodings" => measured(&mut || {
            black_box(tokenizer.encode(Input::Text(&modern), None, &PLAIN, None)?);
            Ok(())
        }),
        "decode" => {
            let ids = tokenizer.encode_ids(&modern, &PLAIN)?;
            measured(&mut || {
                black_box(tokenizer.decode(&ids, false)?);
                Ok(())
            })
        }
        "train-bpe" => {
            let both = modern + &ascii;
            measured(&mut || {
                black_box(trained(&both)?);
                Ok(())
            })
        }
        _ => Err(format!("no stage {stage}; `list` names them").into()),
    }
}

fn encode(tokenizer: &Tokenizer, text: &str) -> Done<()> {
    let lines: Vec<&str> = text.lines().collect();
    measured(&mut || {
        black_box(tokenizer.encode_batch_ids(&lines, &PLAIN, Some(1))?);
        Ok(())
    })
}

fn trained(text: &str) -> Done<Definition> {
    let source = WordSource {
        normalizer: None,
        pre_tokenizer: Some(scheme::pre_tokenizer("qwen", None)?),
        cap: None,
    };
    let mut counter = WordCounter::new(&source, 1, None)?;
    counter.add(&text.lines().collect::<Vec<_>>())?;
    let mut config = BpeConfig::new(2_000);
    config.tau = 1;
    let done = train_bpe(&counter.finish()?, &config, &mut |_| {
        ControlFlow::Continue(())
    })?;
    Ok(done.ok_or("training was stopped")?.definition)
}

/// What a definition does to text before and in its model, when its model takes bytes.
fn parts(definition: &Definition) -> Done<(Option<Normalizer>, RawSplitter, ByteModel)> {
    let normalizer = definition
        .normalizer
        .as_ref()
        .map(Normalizer::compile)
        .transpose()?;
    if let definition::Model::ByteRanks { ranks, max_span } = &definition.model {
        let Some(Pre::Split {
            pattern: definition::Pattern::Regex(pattern),
            ..
        }) = &definition.pre_tokenizer
        else {
            return Err("ranks without a pattern".into());
        };
        let model = ByteModel::Bpe(ByteBpe::from_ranks(ranks, *max_span)?);
        return Ok((normalizer, RawSplitter::for_tiktoken(pattern)?, model));
    }
    let splitter = definition
        .pre_tokenizer
        .as_ref()
        .map(|pre| PreTokenizer::compile(pre, definition.source))
        .transpose()?
        .and_then(|pre| pre.raw_splitter())
        .ok_or("its words cannot be cut in the raw text")?;
    let model =
        ByteModel::from_spelled(&definition.model).ok_or("its model is none of bytes")??;
    Ok((normalizer, splitter, model))
}

/// Each round takes its own share of the documents.
fn time(tokenizer: &str, text: &str, rounds: usize) -> Done<()> {
    let definition = load(&std::fs::read(tokenizer)?, &LoadOptions::default())?;
    let (normalizer, splitter, model) = parts(&definition)?;
    let whole = Tokenizer::compile(definition)?;
    let text = std::fs::read_to_string(text)?;
    let documents: Vec<&str> = text.split("\n\n").collect();
    let mut found: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut scratch = ByteScratch::default();
    for share in documents.chunks(documents.len().div_ceil(rounds.max(1)).max(1)) {
        let mut seconds = |name, work: &mut dyn FnMut() -> Done<()>| -> Done<()> {
            let start = Instant::now();
            measured(work)?;
            found
                .entry(name)
                .or_default()
                .push(start.elapsed().as_secs_f64());
            Ok(())
        };
        let mut words: Vec<(usize, usize, usize)> = Vec::new();
        seconds("normalise", &mut || {
            for document in share {
                let mut aligned = AlignedText::new(document);
                if let Some(normalizer) = &normalizer {
                    normalizer.apply(&mut aligned)?;
                }
                black_box(aligned.text());
            }
            Ok(())
        })?;
        seconds("pre-tokenise", &mut || {
            for (number, document) in share.iter().enumerate() {
                splitter.for_each_word(document, &mut |start, end| {
                    words.push((number, start, end));
                    Ok(())
                })?;
            }
            Ok(())
        })?;
        let mut ids = Vec::with_capacity(text.len() / 3);
        seconds("model", &mut || {
            for &(number, start, end) in &words {
                model.encode(
                    &share[number].as_bytes()[start..end],
                    &mut scratch,
                    &mut ids,
                );
            }
            Ok(())
        })?;
        seconds("all", &mut || {
            black_box(whole.encode_batch_ids(share, &PLAIN, Some(1))?);
            Ok(())
        })?;
        let bytes: usize = share.iter().map(|document| document.len()).sum();
        found
            .entry("bytes")
            .or_default()
            .push(f64::from(offset(bytes)));
    }
    writeln!(std::io::stdout(), "{}", serde_json::to_string(&found)?)?;
    Ok(())
}
