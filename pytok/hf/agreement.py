"""That two tokenizers give the same ids: checked before anything is written."""

from __future__ import annotations

from typing import Any

from pytok import EncodeError, ExportError, Tokenizer

__all__ = ["PROBES", "check_agreement"]

# Han of both scripts and planes, classical text, code, Latin, digits, white
# space, emoji, marks that normalisers touch: what pre-tokenizers disagree on.
PROBES = (
    "",
    " ",
    "今天天气很好，我们去公园散步。",
    "臺灣與香港的繁體字，「引號」與——破折號……",
    "學而時習之不亦說乎有朋自遠方來不亦樂乎",
    "def f(x):\n    return x ** 2  # 平方\n\n\tprint(f'{x:>10}')\r\n",
    "The quick brown fox doesn't jump; it's 12,345.67 km away.",
    "𠀀𪚥龘䶮〇　全角ＡＢＣ１２３ ﷺ ﬁ é e\u0301 \u200b\u00a0",
    "👩‍👩‍👧‍👦🇨🇳 ☺️ ∑∫ €£ ½ ²",
    "  leading, trailing  \n\n\n and\t\ttabs   ",
    "https://example.org/路径?q=1&x=%E4%B8%AD#片段 user@例子.中国",
)


def check_agreement(core: Tokenizer, backend: Any) -> None:
    """Compare the core's ids with those of a `tokenizers.Tokenizer`.

    The texts are `PROBES`, each special token between two words, and the pieces
    of the vocabulary that stand at regular distances.

    Raises
    ------
    ExportError
        With the first text on which they differ.

    """
    pieces = sorted(core.vocab.items(), key=lambda item: item[1])
    step = max(1, len(pieces) // 500)
    texts = [
        *PROBES,
        *(f"前{token.content} 後" for token in core.added_tokens),
        *(core.decode([token_id]) for _, token_id in pieces[::step]),
    ]
    encodings = backend.encode_batch(texts, add_special_tokens=True)
    for text, encoding in zip(texts, encodings, strict=True):
        try:
            ids = core.encode_ids(text, special="special")
        except EncodeError as error:
            raise ExportError(
                f"the core cannot encode {text!r}, the backend can: {error}"
            ) from error
        if ids != encoding.ids:
            raise ExportError(
                f"the core and the backend differ on {text!r}: {ids[:20]} and {encoding.ids[:20]}",
                hint="this is a bug in pytok; nothing was written",
            )
