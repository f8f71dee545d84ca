//! The special tokens of published rank files, which the files do not contain.

/// The special tokens of a published tokenizer, with their ids; none for a name
/// that has none or is not known.
///
/// `n_ranks` is the number of entries of the rank file: the special tokens of
/// `qwen`, `kimi-k2` and `llama3` are numbered on from it. Sources: tiktoken
/// 0.14 `openai_public.py`; Qwen `tokenization_qwen.py`; Kimi-K2
/// `tokenizer_config.json` and `tokenization_kimi.py`; llama-models
/// `tokenizer.py`.
pub fn special_tokens(name: &str, n_ranks: u32) -> Vec<(String, u32)> {
    match name {
        "gpt2" | "r50k" | "p50k" => fixed(&[("<|endoftext|>", 50256)]),
        "cl100k" => fixed(&[
            ("<|endoftext|>", 100257),
            ("<|fim_prefix|>", 100258),
            ("<|fim_middle|>", 100259),
            ("<|fim_suffix|>", 100260),
            ("<|endofprompt|>", 100276),
        ]),
        "o200k" => fixed(&[("<|endoftext|>", 199999), ("<|endofprompt|>", 200018)]),
        "qwen" => {
            let named = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"].map(String::from);
            let extra = (0..205).map(|number| format!("<|extra_{number}|>"));
            numbered(named.into_iter().chain(extra), n_ranks)
        }
        "kimi-k2" => {
            let name_of = |place: u32| match KIMI_K2.iter().find(|known| known.0 == place) {
                Some((_, name)) => (*name).to_owned(),
                None => format!(
                    "<|reserved_token_{}|>",
                    u64::from(n_ranks) + u64::from(place)
                ),
            };
            numbered((0..256).map(name_of), n_ranks)
        }
        "llama3" => {
            let named = LLAMA3.map(String::from);
            let reserved = (2..).map(|number| format!("<|reserved_special_token_{number}|>"));
            numbered(named.into_iter().chain(reserved).take(256), n_ranks)
        }
        _ => Vec::new(),
    }
}

/// The named ones of Kimi K2's 256 special tokens, by place.
const KIMI_K2: [(u32, &str); 17] = [
    (0, "[BOS]"),
    (1, "[EOS]"),
    (2, "<|im_end|>"),
    (3, "<|im_user|>"),
    (4, "<|im_assistant|>"),
    (6, "<|start_header_id|>"),
    (7, "<|end_header_id|>"),
    (9, "[EOT]"),
    (10, "<|im_system|>"),
    (11, "<|tool_calls_section_begin|>"),
    (12, "<|tool_calls_section_end|>"),
    (13, "<|tool_call_begin|>"),
    (14, "<|tool_call_argument_begin|>"),
    (15, "<|tool_call_end|>"),
    (17, "<|im_middle|>"),
    (254, "[UNK]"),
    (255, "[PAD]"),
];

/// The first ones of Llama 3's 256 special tokens.
const LLAMA3: [&str; 12] = [
    "<|begin_of_text|>",
    "<|end_of_text|>",
    "<|reserved_special_token_0|>",
    "<|reserved_special_token_1|>",
    "<|finetune_right_pad_id|>",
    "<|step_id|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|eom_id|>",
    "<|eot_id|>",
    "<|python_tag|>",
    "<|image|>",
];

fn fixed(tokens: &[(&str, u32)]) -> Vec<(String, u32)> {
    let owned = |(name, id): &(&str, u32)| ((*name).to_owned(), *id);
    tokens.iter().map(owned).collect()
}

fn numbered(names: impl Iterator<Item = String>, first: u32) -> Vec<(String, u32)> {
    // A rank file with more entries than ids leaves room for fewer.
    (first..=u32::MAX)
        .zip(names)
        .map(|(id, name)| (name, id))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str, n_ranks: u32, token: &str) -> Option<u32> {
        let tokens = special_tokens(name, n_ranks);
        tokens.into_iter().find(|t| t.0 == token).map(|t| t.1)
    }

    #[test]
    fn published_ids_are_reproduced() {
        assert_eq!(id("gpt2", 50256, "<|endoftext|>"), Some(50256));
        assert_eq!(id("cl100k", 100256, "<|endofprompt|>"), Some(100276));
        assert_eq!(id("o200k", 199998, "<|endofprompt|>"), Some(200018));
        assert_eq!(id("qwen", 151643, "<|im_end|>"), Some(151645));
        assert_eq!(id("qwen", 151643, "<|extra_204|>"), Some(151850));
        assert_eq!(id("kimi-k2", 163584, "<|im_middle|>"), Some(163601));
        assert_eq!(id("kimi-k2", 163584, "[PAD]"), Some(163839));
        assert_eq!(
            id("kimi-k2", 163584, "<|reserved_token_163589|>"),
            Some(163589)
        );
        assert_eq!(id("llama3", 128000, "<|eot_id|>"), Some(128009));
        assert_eq!(
            id("llama3", 128000, "<|reserved_special_token_2|>"),
            Some(128012)
        );
        assert_eq!(
            id("llama3", 128000, "<|reserved_special_token_245|>"),
            Some(128255)
        );
    }

    #[test]
    fn counts_are_those_of_the_sources() {
        assert_eq!(special_tokens("qwen", 151643).len(), 208);
        assert_eq!(special_tokens("kimi-k2", 163584).len(), 256);
        assert_eq!(special_tokens("llama3", 128000).len(), 256);
        assert!(special_tokens("deepseek", 128000).is_empty());
        assert!(special_tokens("qwen", u32::MAX).len() <= 1); // no wrapping
    }
}
