"""`pytok encode`: text to ids, one line of output for each line of text."""

from __future__ import annotations

import json
import sys
from enum import Enum
from typing import Annotated

import typer

from pytok import Tokenizer
from pytok.cli._options import (
    AddSpecialTokens,
    Encoding,
    Files,
    Json,
    Pattern,
    Special,
    SpecialPolicy,
    TokenizerName,
    load,
)
from pytok.cli._text import STDIN, read_lines, read_text, source_name
from pytok.errors import ConfigError, EncodeError

__all__ = ["encode_command"]


class Output(str, Enum):
    """What is printed for a text."""

    ids = "ids"
    tokens = "tokens"


def _record(
    tokenizer: Tokenizer, text: str, special: SpecialPolicy, add_special_tokens: bool
) -> str:
    encoding = tokenizer.encode(text, special=special.value, add_special_tokens=add_special_tokens)
    record = {
        "ids": encoding.ids,
        "tokens": encoding.tokens,
        "offsets": encoding.offsets,
        "byte_offsets": encoding.byte_offsets,
    }
    return json.dumps(record, ensure_ascii=False)


def encode_command(
    files: Files = None,
    tokenizer: TokenizerName = "zh-32k",
    output: Annotated[
        Output, typer.Option("--output", help="Ids, or tokens in the file's notation.")
    ] = Output.ids,
    special: Special = SpecialPolicy.error,
    add_special_tokens: AddSpecialTokens = True,
    whole: Annotated[
        bool, typer.Option("--whole", help="A whole file is one text, not each line.")
    ] = False,
    encoding: Encoding = None,
    pattern: Pattern = None,
    sample: Annotated[
        int | None,
        typer.Option(
            "--sample", help="Draw a segmentation of each text at random.", metavar="SEED"
        ),
    ] = None,
    alpha: Annotated[
        float | None, typer.Option(help="With --sample, for Unigram models: from 0, default 0.1.")
    ] = None,
    dropout: Annotated[
        float | None, typer.Option(help="With --sample, for BPE models: 0 to 1, default 0.1.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Encode text into ids."""
    loaded = load(tokenizer, encoding=encoding, pattern=pattern)
    if sample is None and not (alpha is None and dropout is None):
        raise ConfigError("--alpha and --dropout belong to --sample", hint="pass --sample SEED")
    if sample is not None and as_json:
        raise ConfigError("--json: not possible with --sample", hint="leave out one of them")
    for path in files or [STDIN]:
        for number, text in enumerate([read_text(path)] if whole else read_lines(path), start=1):
            try:
                if as_json:
                    line = _record(loaded, text, special, add_special_tokens)
                else:
                    if sample is None:
                        ids = loaded.encode_ids(
                            text, special=special.value, add_special_tokens=add_special_tokens
                        )
                    else:
                        ids = loaded.sample_ids(
                            text,
                            seed=sample,
                            alpha=alpha,
                            dropout=dropout,
                            special=special.value,
                            add_special_tokens=add_special_tokens,
                        )
                    if output is Output.tokens:
                        line = " ".join(loaded.id_to_token(i) or "" for i in ids)
                    else:
                        line = " ".join(map(str, ids))
            except EncodeError as error:
                where = source_name(path) if whole else f"{source_name(path)}: line {number}"
                raise EncodeError(
                    f"{where}: {error}",
                    hint="--special text encodes control tokens as text, --special special as such",
                ) from error
            sys.stdout.write(line + "\n")
