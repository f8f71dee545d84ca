"""Every example in a docstring of the package is run and must show what it says."""

import doctest
import importlib
import pkgutil

import pytest

import pytok

MODULES = sorted(
    {"pytok"}
    | {
        module.name
        for module in pkgutil.walk_packages(pytok.__path__, "pytok.", onerror=lambda name: None)
        if not module.name.endswith("__main__")
    }
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_are_true(name):
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.failed == 0


def test_the_public_methods_have_examples():
    finder = doctest.DocTestFinder()
    for kind in (pytok.Tokenizer, pytok.DecodeStream, pytok.AddedToken):
        assert any(test.examples for test in finder.find(kind))
