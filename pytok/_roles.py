"""What a tokenizer says to transformers: tokenizer_config.json, and the roles of special tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytok.tokenizer import Tokenizer

__all__ = ["NAMES", "portable_config", "special_roles"]

# The names that published tokenizers use, for roles that the file does not give.
NAMES = {
    "bos_token": ("<s>", "<bos>", "[BOS]", "<|begin_of_text|>", "<｜begin▁of▁sentence｜>"),
    "eos_token": (
        "<|endoftext|>",
        "</s>",
        "<eos>",
        "[EOS]",
        "<|end_of_text|>",
        "<｜end▁of▁sentence｜>",
    ),
    "pad_token": ("<|pad|>", "[PAD]", "<pad>", "<|PAD_TOKEN|>", "<|finetune_right_pad_id|>"),
    "unk_token": ("[UNK]", "<unk>"),
    "cls_token": ("[CLS]",),
    "sep_token": ("[SEP]",),
    "mask_token": ("[MASK]", "<mask>"),
}


def special_roles(tokenizer: Tokenizer) -> dict[str, str]:
    """Name the special tokens of a tokenizer that comes without tokenizer_config.json.

    Roles that the file gives are taken from it, others by the names that published
    tokenizers use. Each is a special token of the tokenizer: transformers would
    make one of any other piece, and so change ids.
    """
    special = {token.content for token in tokenizer.added_tokens if token.special}
    ids = {"bos": tokenizer.bos_id, "eos": tokenizer.eos_id, "unk": tokenizer.unk_id}
    given = {
        f"{role}_token": tokenizer.id_to_token(token_id)
        for role, token_id in ids.items()
        if token_id is not None
    }
    roles = {}
    for role, names in NAMES.items():
        found = given.get(role)
        candidates = names if found is None else (found,)
        name = next((name for name in candidates if name in special), None)
        if name is not None:
            roles[role] = name
    return roles


def portable_config(tokenizer: Tokenizer) -> dict[str, Any]:
    """Make the tokenizer_config.json with which transformers loads a tokenizer without pytok.

    Examples
    --------
    >>> import pytok
    >>> config = portable_config(pytok.Tokenizer.from_pretrained("zh-32k"))
    >>> config["tokenizer_class"], config["pad_token"]
    ('PreTrainedTokenizerFast', '<|pad|>')

    """
    tokens = {
        str(token.id): {
            "content": token.content,
            "lstrip": token.lstrip,
            "normalized": not token.special if token.normalized is None else token.normalized,
            "rstrip": token.rstrip,
            "single_word": token.single_word,
            "special": token.special,
        }
        for token in tokenizer.added_tokens
    }
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        **special_roles(tokenizer),
        "clean_up_tokenization_spaces": False,
        "added_tokens_decoder": tokens,
    }
