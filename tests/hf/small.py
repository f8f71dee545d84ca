"""A small tokenizer whose normalizer and pre-tokenizer change ids: losing one shows."""

import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

SENTENCES = [
    "学而时习之，不亦说乎？有朋自远方来，不亦乐乎？",
    "今天天气很好，我们去公园散步。",
    "The quick brown fox jumps over the lazy dog. 12345",
    "人不知而不愠，不亦君子乎？ def f(x): return x + 1",
] * 3
SPECIAL = ["<unk>", "<s>", "</s>", "<pad>", "<|im_start|>", "<|im_end|>"]
ROLES = {"unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}
# Full-width letters are for the normalizer; a run of digits, spaces and marks
# beside Han for the pre-tokenizer.
PROBE = "ＦＯＸ 学而时习之，不亦说乎12345 </s> the lazy\n\n  dog，不亦说乎"


def small_backend(framed=True):
    """Train a `tokenizers.Tokenizer`; `framed`: with <s> and </s> around a text."""
    backend = tokenizers.Tokenizer(models.BPE())
    backend.normalizer = normalizers.NFKC()
    split = pre_tokenizers.Split(tokenizers.Regex(r"\p{Han}+|\p{N}|[^\p{Han}\p{N}]+"), "isolated")
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    backend.pre_tokenizer = pre_tokenizers.Sequence([split, byte_level])
    backend.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=500,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=SPECIAL,
        show_progress=False,
    )
    backend.train_from_iterator(SENTENCES, trainer)
    if framed:
        backend.post_processor = processors.TemplateProcessing(
            single="<s> $A </s>",
            pair="<s> $A </s> $B:1 </s>:1",
            special_tokens=[("<s>", 1), ("</s>", 2)],
        )
    return backend
