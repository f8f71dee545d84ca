"""Floats of a checkpoint become doubles exactly, and doubles the nearest float."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytok import ConfigError
from pytok.pruning.surgery.floats import from_doubles, to_doubles


def bits(numbers):
    return from_doubles(np.array(numbers, dtype=np.float64), "BF16").view("<u2")


def test_every_bfloat16_comes_back():
    patterns = np.arange(1 << 16, dtype="<u2")
    numbers = to_doubles(patterns.view(np.uint8)[None], "BF16")[0]
    finite = np.isfinite(numbers)
    assert (bits(numbers[finite]) == patterns[finite]).all()
    assert np.isnan(to_doubles(bits(numbers[np.isnan(numbers)]).view(np.uint8)[None], "BF16")).all()
    assert numbers[0x3F80] == 1 and numbers[0xC000] == -2


@given(st.floats(-1e38, 1e38))
@example(1 + 2**-8)  # half way: to even
@example(1 + 3 * 2**-8)
@example(1 + 2**-8 + 2**-40)  # rounded to single precision first, it would be half way
@example(2**-133 * 1.5)  # subnormal
def test_a_double_becomes_the_nearest_bfloat16_ties_to_even(number):
    chosen = int(bits([number])[0])
    around = [pattern for pattern in (chosen - 1, chosen, chosen + 1) if 0 <= pattern < 1 << 16]
    values = to_doubles(np.array(around, dtype="<u2").view(np.uint8)[None], "BF16")[0]
    distances = {
        pattern: abs(Fraction(value) - Fraction(number))
        for pattern, value in zip(around, values.tolist(), strict=True)
        if np.isfinite(value)
    }
    best = min(distances.values())
    assert distances[chosen] == best
    nearest = {
        value
        for pattern, value in zip(around, values.tolist(), strict=True)
        if distances.get(pattern) == best
    }
    assert len(nearest) == 1 or chosen % 2 == 0


@pytest.mark.parametrize(("dtype", "name"), [("F16", "<f2"), ("F32", "<f4"), ("F64", "<f8")])
def test_types_of_numpy_are_numpys(dtype, name):
    numbers = np.random.default_rng(0).normal(size=50)
    assert from_doubles(numbers, dtype).tobytes() == numbers.astype(name).tobytes()
    rows = numbers.astype(name).view(np.uint8).reshape(10, -1)
    assert (to_doubles(rows, dtype) == numbers.astype(name).reshape(10, 5)).all()


@pytest.mark.parametrize("dtype", ["I8", "F8_E4M3", "BOOL"])
def test_other_types_are_refused(dtype):
    with pytest.raises(ConfigError, match="cannot be averaged"):
        to_doubles(np.zeros((1, 8), dtype=np.uint8), dtype)
