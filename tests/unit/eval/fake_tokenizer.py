"""A byte-level tokenizer small enough to check by hand: greedy longest match."""

from __future__ import annotations

import hashlib

import numpy as np


class FakeTokenizer:
    """Ids 0..255 are the bytes, then come `pieces`; the longest match from the left wins.

    With `unknown`, characters outside ASCII that no piece covers are one unknown token each. With
    `char_spans`, every piece of a split character has the span of the whole character.
    """

    def __init__(
        self, pieces=(), *, name="fake", unknown=False, char_spans=False, fails_on=None
    ) -> None:
        self.name = name
        self._tokens = [bytes([byte]) for byte in range(256)]
        self._tokens += [piece.encode() if isinstance(piece, str) else piece for piece in pieces]
        self.unk_id = len(self._tokens) if unknown else None
        if unknown:
            self._tokens.append(b"")
        self.sha256 = hashlib.sha256(b"\0".join(self._tokens)).hexdigest()
        self._char_spans = char_spans
        self._fails_on = fails_on
        self.calls = []

    @property
    def vocab_size(self):
        return len(self._tokens)

    def token_bytes(self, token_id):
        return self._tokens[token_id]

    def _one(self, text):
        if self._fails_on and self._fails_on in text:
            raise RuntimeError(f"cannot encode {self._fails_on!r}")
        data = text.encode()
        at = 0
        while at < len(data):
            length = max(len(t) for t in self._tokens if t and data.startswith(t, at))
            if self.unk_id is not None and length == 1 and data[at] >= 0x80:
                length = len(data[at:].decode(errors="ignore")[0].encode())
                yield self.unk_id, (at, at + length)
            else:
                yield self._tokens.index(data[at : at + length]), self._span(data, at, at + length)
            at += length

    def _span(self, data, start, end):
        if self._char_spans:
            while data[start] & 0xC0 == 0x80:
                start -= 1
            while end < len(data) and data[end] & 0xC0 == 0x80:
                end += 1
        return start, end

    def encode_batch_spans(self, texts, *, special="text", add_special_tokens=False, threads=None):
        assert (special, add_special_tokens) == ("text", False)
        self.calls.append("spans")
        found = [list(self._one(text)) for text in texts]
        flat = [item for line in found for item in line]
        return (
            np.array([token for token, _ in flat], dtype=np.uint32),
            np.array([span for _, span in flat], dtype=np.int64).reshape(-1, 2),
            np.cumsum([0, *map(len, found)]).astype(np.int64),
        )

    def encode_batch_ids(self, texts, *, special="text", add_special_tokens=False, threads=None):
        assert special in ("text", "special")
        assert not add_special_tokens
        self.calls.append(f"ids special={special} threads={threads}")
        found = [[token for token, _ in self._one(text)] for text in texts]
        flat = np.array([token for line in found for token in line], dtype=np.uint32)
        return flat, np.cumsum([0, *map(len, found)]).astype(np.int64)
