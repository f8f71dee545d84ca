"""Word counts are a function of the texts alone."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import pytok

# Long words of few letters: tables of the least budget overflow within a few texts.
WORDS = st.text(alphabet="学而ab ", min_size=0, max_size=6)
TEXTS = st.lists(
    st.builds(
        lambda word, times, seed: " ".join(f"{word}{seed * n % 9973:x}" for n in range(times)),
        WORDS,
        st.integers(0, 3000),
        st.integers(1, 9972),
    ),
    max_size=8,
)


def file_of(counts: pytok.WordCounts) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return counts.save(Path(folder) / "counts").read_bytes()


@settings(max_examples=25, deadline=None)
@given(TEXTS, st.randoms(use_true_random=False), st.integers(1, 4), st.integers(0, 8))
def test_counts_do_not_depend_on_budget_threads_order_or_shards(
    texts: list[str], shuffle: object, threads: int, cut: int
) -> None:
    expected = file_of(pytok.count_words(texts, pytok.TrainConfig(threads=1)))
    mixed = list(texts)
    shuffle.shuffle(mixed)  # type: ignore[attr-defined]
    config = pytok.TrainConfig(threads=threads, memory="64K")
    assert file_of(pytok.count_words(mixed, config)) == expected
    left = pytok.count_words(mixed[:cut], config)
    right = pytok.count_words(mixed[cut:], pytok.TrainConfig(threads=threads))
    assert file_of(left.merge(right)) == file_of(right.merge(left)) == expected
