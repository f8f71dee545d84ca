//! The splitting patterns of published tokenizers, by name.

/// GPT-2's original pattern, also that of `tokenizers`' ByteLevel
/// (openai/gpt-2 `encoder.py`).
pub const GPT2: &str =
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+";

/// The pattern of gpt2, r50k and p50k in tiktoken 0.14 (`openai_public.py`).
pub const R50K: &str =
    r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s";

/// cl100k in tiktoken 0.14 (`openai_public.py`).
pub const CL100K: &str = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s";

/// [`R50K`] as a `tokenizer.json` has it, with the same meaning in both dialects.
pub const R50K_IN_BOTH: &str =
    r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++\z|\s+(?!\S)|\s";

/// [`CL100K`] as a `tokenizer.json` has it, with the same meaning in both dialects.
pub const CL100K_IN_BOTH: &str = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|(?>\p{N}{1,3})| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++\z|\s*[\r\n]|\s+(?!\S)|\s";

/// o200k in tiktoken 0.14 (`openai_public.py`).
pub const O200K: &str = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// Qwen, Qwen2 and Qwen3 (Qwen `tokenization_qwen.py`, `tokenizer.json`).
pub const QWEN: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// Llama 3 (meta-llama/llama-models `tokenizer.py`); also cl100k's earlier form.
pub const LLAMA3: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// Kimi K2 (moonshotai/Kimi-K2 `tokenization_kimi.py`).
pub const KIMI_K2: &str = r"[\p{Han}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// Mistral's tekken (mistral-common, `tekken.json`).
pub const TEKKEN: &str = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// DeepSeek V3 (deepseek-ai/DeepSeek-V3 `tokenizer.json`): three patterns, each
/// applied to the pieces that the one before it leaves.
pub const DEEPSEEK: [&str; 3] = [
    r"\p{N}{1,3}",
    "[\u{4E00}-\u{9FA5}\u{3040}-\u{309F}\u{30A0}-\u{30FF}]+",
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
];

/// CJK and full-width marks: the punctuation and signs of the CJK blocks, for a
/// character class.
macro_rules! marks {
    () => {
        "\u{3001}-\u{3003}\u{3008}-\u{3020}\u{3030}\u{303D}-\u{303F}\u{FE30}-\u{FE6B}\
                     \u{FF01}-\u{FF0F}\u{FF1A}-\u{FF20}\u{FF3B}-\u{FF40}\u{FF5B}-\u{FF65}\
                     \u{FFE0}-\u{FFE6}"
    };
}

/// Qwen's pattern with Han runs, and each of `$marks`, taken out of the others.
macro_rules! apart_from_han {
    ($alone:expr, $marks:expr, $group:literal) => {
        concat!(
            r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|\p{Han}+|",
            $alone,
            r"[^\r\n\p{L}\p{N}\p{Han}",
            $marks,
            r"]?[\p{L}&&[^\p{Han}]]+|[\p{N}&&[^\p{Han}]]",
            $group,
            r"| ?[^\s\p{L}\p{N}\p{Han}",
            $marks,
            r"]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
        )
    };
}

/// Ours: Qwen's pattern with runs of Han characters apart from everything else.
pub const HAN: &str = apart_from_han!("", "", "");

/// [`HAN`] with up to three digits in a word.
pub const HAN_TRIPLES: &str = apart_from_han!("", "", "{1,3}");

/// Ours: [`HAN`] with every CJK and full-width mark a word of its own.
pub const ISO: &str = apart_from_han!(concat!("[", marks!(), "]|"), marks!(), "");

/// [`ISO`] with up to three digits in a word.
pub const ISO_TRIPLES: &str = apart_from_han!(concat!("[", marks!(), "]|"), marks!(), "{1,3}");

/// What may follow a sentence mark and belongs to its sentence.
macro_rules! closers {
    () => {
        r"’”」』）］｝】》〉〕〗﹂﹄)\]}"
    };
}

/// Sentences: a stretch without digits, with the sentence marks that end it, the
/// quotes and brackets that these close, and the line breaks after it. Each of
/// these may be missing, but not all; no match is ever taken back in part.
macro_rules! sentences {
    ($group:literal) => {
        concat!(
            r"[\p{N}&&[^\p{Han}]]",
            $group,
            r"|[^\r\n。！？[\p{N}&&[^\p{Han}]]]+(?:[。！？]+[",
            closers!(),
            r"]*)?[\r\n]*|[。！？]+[",
            closers!(),
            r"]*[\r\n]*|[\r\n]+"
        )
    };
}

/// Ours: sentences; see [`crate::train::scheme`].
pub const WIDE: &str = sentences!("");

/// [`WIDE`] with up to three digits in a word.
pub const WIDE_TRIPLES: &str = sentences!("{1,3}");

/// The names that [`stages`] knows.
pub const NAMES: [&str; 10] = [
    "gpt2", "r50k", "p50k", "cl100k", "o200k", "qwen", "kimi-k2", "llama3", "deepseek", "tekken",
];

/// The patterns of a published tokenizer, in the order in which they are
/// applied: all have one except `deepseek`, which has three.
pub fn stages(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "gpt2" | "r50k" | "p50k" => &[R50K],
        "cl100k" => &[CL100K],
        "o200k" => &[O200K],
        "qwen" => &[QWEN],
        "kimi-k2" => &[KIMI_K2],
        "llama3" => &[LLAMA3],
        "deepseek" => &DEEPSEEK,
        "tekken" => &[TEKKEN],
        _ => return None,
    })
}

/// The pattern of a published tokenizer that has one pattern.
///
/// # Examples
/// ```
/// use pytok_core::pretokenize::patterns::pattern;
/// assert!(pattern("cl100k").is_some());
/// assert!(pattern("deepseek").is_none()); // three patterns: see `stages`
/// ```
pub fn pattern(name: &str) -> Option<&'static str> {
    match stages(name)? {
        [only] => Some(only),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_its_patterns() {
        for name in NAMES {
            assert!(stages(name).is_some_and(|s| !s.is_empty()), "{name}");
            assert_eq!(pattern(name).is_none(), name == "deepseek", "{name}");
        }
        assert!(stages("gpt-2").is_none());
    }
}
